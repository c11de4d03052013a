//! Reports of a crash: what Rust, Python, C++ and sanitizers write on stderr when a program ends in the middle.
//!
//! A tester that refuses a line leaves its program alone, which then crashes at its next read or write. Both write to
//! one stream at that moment, so that a report may begin in the middle of the tester's line.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::crash_blanks::{PANIC, with_blank_backtraces};
use super::failed_check::{failed_check, failed_checks, file_name};
use crate::process::Ending;
use crate::util::quote::{last_line, quote};

const TRACEBACK: &str = r"Traceback \(most recent call last\):[^\n]*(\n([ \t][^\n]*\n)+[^\n]*)?";
const THROWN: &str = r"terminate called [^\n]*(\n  what\(\):[^\n]*)?";

/// A report of a crash, where it stands in a text.
#[derive(Clone, Copy, Debug)]
pub(in crate::judge) struct CrashReport<'t> {
    text: &'t [u8],
    /// Where it ends.
    pub(in crate::judge) end: usize,
}

/// All such reports in a text, in their order.
pub(in crate::judge) fn crash_reports(text: &[u8]) -> Vec<CrashReport<'_>> {
    static CRASH: LazyLock<Regex> = LazyLock::new(|| {
        let all = [PANIC, TRACEBACK, THROWN, &failed_checks()].join("|");
        Regex::new(&all).expect("it is an expression")
    });
    CRASH
        .find_iter(text)
        .map(|found| CrashReport {
            text: found.as_bytes(),
            end: found.end(),
        })
        .collect()
}

impl CrashReport<'_> {
    /// What it says, in one line: where and why. Of a traceback, where is the last place in a file of one's own.
    pub(in crate::judge) fn line(self) -> Option<String> {
        let message = self.message()?;
        let is_library = |path: &str| path.contains("/lib/") || path.starts_with('<');
        let places = self.places();
        let own = places.iter().rfind(|(path, _)| !is_library(path));
        Some(match own.or(places.last()) {
            Some((path, line)) => format!("{}:{line}: {message}", file_name(path)),
            None => message,
        })
    }

    /// The same without the place of a traceback: its last line.
    pub(in crate::judge) fn message(self) -> Option<String> {
        if let Some(check) = self.failed_check() {
            return Some(check);
        }
        let text = String::from_utf8_lossy(self.text);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Some(match self.is_traceback() {
            true => lines.next_back()?.to_owned(),
            false => short_panic(&lines.collect::<Vec<_>>().join(" ")),
        })
    }

    /// What it says, if it is of a check that a program makes of itself.
    fn failed_check(self) -> Option<String> {
        failed_check(&String::from_utf8_lossy(self.text))
    }

    /// Whether it is a panic of Rust.
    pub(in crate::judge) fn is_panic(self) -> bool {
        self.text.starts_with(b"thread '")
    }

    fn is_traceback(self) -> bool {
        self.text.starts_with(b"Traceback")
    }

    /// The names of the files that a traceback goes through.
    pub(in crate::judge) fn files(self) -> Vec<String> {
        let places = self.places().into_iter();
        places
            .map(|(path, _)| file_name(&path).to_owned())
            .collect()
    }

    /// The files and lines that a traceback goes through.
    fn places(self) -> Vec<(String, String)> {
        static FILE: LazyLock<Regex> = LazyLock::new(|| {
            let file = r#"(?m)^ +File "([^"\n]*[^"/\n])", line (\d+)"#;
            Regex::new(file).expect("it is an expression")
        });
        let places = FILE
            .captures_iter(self.text)
            .filter(|_| self.is_traceback());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        places
            .map(|place| (text(&place[1]), text(&place[2])))
            .collect()
    }
}

/// What a program said last on stderr, quoted: how it panicked, where it raised an exception, which check of its own
/// ended it, else its last line that is no part of a backtrace.
pub(in crate::judge) fn last_words(stderr: &[u8], ending: Ending) -> Option<String> {
    let last = last_line(stderr)?;
    let report = match ending {
        Ending::Exited(101) => crash_reports(stderr)
            .into_iter()
            .rfind(|report| report.is_panic()),
        // Only at the end: another one was caught.
        _ => crash_reports(stderr)
            .pop()
            .filter(|report| report.is_traceback() || report.failed_check().is_some())
            .filter(|report| stderr[report.end..].trim_ascii().is_empty()),
    };
    let words = report.and_then(CrashReport::line);
    // Place and message: which thread that was says little.
    let words = words
        .as_deref()
        .map(|line| line.split_once(" panicked at ").map_or(line, |it| it.1));
    words
        .map(|words| quote(words.as_bytes()))
        .or_else(|| last_line(&with_blank_backtraces(stderr)))
        .or(Some(last))
}

/// A panic without the number of its thread, which is another one in each run, and without the folders of the machine in
/// which Cargo and rustup keep libraries: they would take the room of the message.
///
/// Only the beginning is shortened. In a long text of slashes, the expression would go to the end from each folder.
pub(in crate::judge) fn short_panic(text: &str) -> String {
    const LOOKED_AT: usize = 4096;
    static LONG: LazyLock<regex::Regex> = LazyLock::new(|| {
        let id = r"(?<thread>thread '[^'\n]*') \(\d+\) panicked at ";
        let cargo = r"/\S*/registry/src/[^/\s]+/";
        let std = r"/rustc/[0-9a-f]{40}/|/\S*/rustlib/src/rust/";
        regex::Regex::new(&format!("{id}|{cargo}|{std}")).expect("it is an expression")
    });
    let end = text.len().min(LOOKED_AT);
    let end = (0..=end).rfind(|&at| text.is_char_boundary(at));
    let (beginning, rest) = text.split_at(end.unwrap_or_default());
    let short = LONG.replace_all(beginning, |found: &regex::Captures<'_>| {
        match found.name("thread") {
            Some(thread) => format!("{} panicked at ", thread.as_str()),
            None => String::new(),
        }
    });
    short.into_owned() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_have_neither_numbers_of_threads_nor_folders_of_the_machine() {
        for (place, expected) in [
            (
                "/home/a/.cargo/registry/src/registry-0123456789abcdef/proconio-0.3.6/src/read.rs:28:23",
                "proconio-0.3.6/src/read.rs:28:23",
            ),
            (
                "/rustc/e408947bfd200af42db322daf0fadfe7e26d3bd1/library/core/src/num/mod.rs:5:1",
                "library/core/src/num/mod.rs:5:1",
            ),
            (
                "/a/lib/rustlib/src/rust/library/std/src/io.rs:7:9",
                "library/std/src/io.rs:7:9",
            ),
            ("/a/src/main.rs:1:1", "/a/src/main.rs:1:1"),
        ] {
            let panic = format!("thread 'main' (7) panicked at {place}: in /tmp/registry/a");
            let expected = format!("thread 'main' panicked at {expected}: in /tmp/registry/a");
            assert_eq!(short_panic(&panic), expected);
        }
    }

    /// Each of these took minutes.
    #[test]
    fn a_megabyte_that_looks_like_many_reports_is_read_once() {
        let folders = format!("/rustc/{}/", "0".repeat(40)).repeat(1 << 14);
        assert!(short_panic(&folders).len() > folders.len() / 2);
        let errors = "Error: a\nterminate called b\n".repeat(1 << 15);
        assert_eq!(crash_reports(errors.as_bytes()).len(), 1 << 15);
        let words = last_words(errors.as_bytes(), Ending::Exited(1));
        assert_eq!(words.as_deref(), Some(r#""terminate called b""#));
    }

    #[test]
    fn last_words_are_a_panic_or_a_line_that_is_no_part_of_a_backtrace() {
        let words =
            |text: &str, status| last_words(text.as_bytes(), Ending::Exited(status)).unwrap();
        let panic = "\nthread 'main' (351) panicked at src/main.rs:11:27:\nassertion `left == right` failed\n  left: 1\n \
                     right: 2\n";
        let note =
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        let frames = "stack backtrace:\n   0: __rustc::rust_begin_unwind\n   4: ahc030::main\n";
        let expected = r#""src/main.rs:11:27: assertion `left == right` failed""#;
        for text in [
            format!("5 left\n{panic}{note}"),
            format!("{panic}{frames}{note}"),
        ] {
            assert_eq!(words(&text, 101), expected);
        }
        let java = "5 left\nException in thread \"main\" java.lang.Error: no\n\tat Main.main(Main.java:3)\n";
        assert_eq!(
            words(java, 1),
            r#""Exception in thread \"main\" java.lang.Error: no""#
        );
        let cause = format!(
            "{java}Caused by: java.lang.Error: why\n\tat Main.f(Main.java:2)\n\t... 1 more\n"
        );
        assert_eq!(words(&cause, 1), r#""Caused by: java.lang.Error: why""#);
        let node = "/a/m.js:1\nnull.x\n     ^\n\nTypeError: no\n    at f (/a/m.js:1:93)\n\nNode.js v20.20.2\n";
        assert_eq!(words(node, 1), r#""TypeError: no""#);
        assert_eq!(
            words("a: b/a.cpp:5: int main(): Assertion `x > 3' failed.\n", 1),
            r#""a.cpp:5: Assertion `x > 3' failed""#
        );
        // A panic that was caught is not the end.
        assert_eq!(words(&format!("{panic}{note}late\n"), 3), r#""late""#);
        let python = "Traceback (most recent call last):\n  File \"/b/a.py\", line 3, in <module>\n    a[9]\n\
                      IndexError: 9\n";
        assert_eq!(
            words(&format!("5 left\n{python}\n"), 1),
            r#""a.py:3: IndexError: 9""#
        );
        assert_eq!(words(&format!("{python}late\n"), 1), r#""late""#);
        // Where there is nothing else.
        assert!(words(note, 101).starts_with("\"note: run with `RUST_BACKTRACE=1`"));
        assert_eq!(last_words(b"\n", Ending::Exited(1)), None);
    }

    #[test]
    fn last_crash_is_told_in_one_line_whatever_the_tester_says_after_it() {
        let said = |text: &str| crash_reports(text.as_bytes()).last()?.line();
        let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    a[9]\n\
                         IndexError: list index out of range\n";
        let after = "Unexpected EOF\nScore = 0\n";
        assert_eq!(
            said(&format!("my remark\n{traceback}{after}")).as_deref(),
            Some("a.py:3: IndexError: list index out of range")
        );
        // Through a library, it is the last place of one's own.
        let library = traceback.replace(
            "    a[9]\n",
            "    a[9]\n  File \"/usr/lib/python3.12/heapq.py\", line 7, in f\n    g()\n  File \"<string>\", line 1, in g\n",
        );
        assert_eq!(said(&library), said(traceback));
        assert_eq!(
            said("Traceback (most recent call last):\n  ?\nKeyboardInterrupt\n").as_deref(),
            Some("KeyboardInterrupt")
        );
        let panic = "thread 'main' (351) panicked at src/main.rs:11:27:\nindex out of bounds\nnote: run with ...\n";
        assert_eq!(
            said(&format!("{traceback}{panic}{after}")).as_deref(),
            Some("thread 'main' panicked at src/main.rs:11:27: index out of bounds")
        );
        let thrown = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n";
        assert_eq!(
            said(thrown).as_deref(),
            Some(
                "terminate called after throwing an instance of 'std::out_of_range' what():  map::at"
            )
        );
        let checked = "main: src/a.cpp:5: int main(): Assertion `x > 3' failed.\n";
        assert_eq!(
            said(&format!("{checked}{after}")).as_deref(),
            Some("a.cpp:5: Assertion `x > 3' failed")
        );
        assert_eq!(said(after), None);
    }
}
