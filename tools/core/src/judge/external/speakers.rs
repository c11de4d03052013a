//! Who wrote which lines of a stderr that a contest's tester and its program share.
//!
//! A tester that raises an exception leaves its program, which then fails at its next read or write. So both may report a
//! crash, one after the other. What a report says of its files tells whose it is.

use std::sync::LazyLock;

use regex::Regex;

use super::message::{is_about_end, shortened};
use crate::judge::crash_report::{CrashReport, crash_reports};
use crate::process::Ending;

/// How a tester in Rust ends that panics.
const PANICKED: Ending = Ending::Exited(101);

/// The reports of crashes on a stderr.
pub(super) struct Speakers<'t> {
    reports: Vec<CrashReport<'t>>,
    /// Whether each of them is the tester's.
    is_testers: Vec<bool>,
    /// Whether a report of the tester would be recognised.
    is_known: bool,
}

impl<'t> Speakers<'t> {
    /// Those of a case whose line, `words` of the shell, ended so. `crashed` is how the program ended if it did before its
    /// tester left it.
    pub(super) fn new(
        stderr: &'t [u8],
        words: &str,
        line: Ending,
        crashed: Option<Ending>,
    ) -> Self {
        let reports = crash_reports(stderr);
        let words: Vec<&str> = (words.split_ascii_whitespace())
            .map(|word| word.trim_matches(['"', '\'', ';', '(', ')']))
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .collect();
        let names = |file: &String| words.contains(&file.as_str());
        let mut is_testers: Vec<bool> = (reports.iter())
            .map(|report| report.files().iter().any(names))
            .collect();
        // A panic does not say whose it is. The program's comes first if it crashed first, else second. A program that
        // ended otherwise has not panicked.
        let mut panics = (0..reports.len()).filter(|&at| reports[at].is_panic());
        let own = match (line == PANICKED, crashed) {
            (false, _) => None,
            (true, None) => panics.next(),
            (true, Some(PANICKED)) => panics.skip(1).last(),
            (true, Some(_)) => panics.next_back(),
        };
        own.into_iter().for_each(|at| is_testers[at] = true);
        Self {
            reports,
            is_testers,
            is_known: words.iter().any(|word| word.ends_with(".py")),
        }
    }

    /// What the tester's own crash says.
    pub(super) fn testers_crash(&self) -> Option<String> {
        let message = self.testers().next()?.message()?;
        Some(shortened(&message))
    }

    /// Whether all crashes are certainly the program's.
    pub(super) fn are_programs(&self) -> bool {
        self.is_known && self.testers().next().is_none()
    }

    /// What the program's last crash says, and where it ends.
    pub(super) fn programs_crash(&self) -> Option<(String, usize)> {
        let mut own = (self.reports.iter().zip(&self.is_testers)).filter(|(_, is)| !**is);
        let (report, _) = own.next_back()?;
        Some((shortened(&report.line()?), report.end))
    }

    fn testers(&self) -> impl Iterator<Item = &CrashReport<'t>> {
        let all = self.reports.iter().zip(&self.is_testers);
        all.filter(|(_, is)| **is).map(|(report, _)| report)
    }
}

/// Whether what was said after a program's crash tells more than that it crashed.
pub(super) fn is_reason_of_its_own(message: &str) -> bool {
    static SHELL: LazyLock<Regex> = LazyLock::new(|| {
        let end = r"(?i)\baborted\b|core dumped|segmentation fault|\bkilled\b|aborting";
        Regex::new(end).expect("it is an expression")
    });
    !is_about_end(message) && !SHELL.is_match(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTER: &str = "Traceback (most recent call last):\n  File \"/home/judge.py\", line 8, in <module>\n    raise \
                          ValueError(\"query 0\")\nValueError: query 0\n";
    const PROGRAM: &str = "Traceback (most recent call last):\n  File \"/home/p.py\", line 3, in <module>\n    \
                           int(input())\nEOFError: no line\n";
    const PANIC: &str = "thread 'main' (7) panicked at src/main.rs:2:9:\nno line\n";

    #[test]
    fn crashes_of_the_tester_are_told_from_those_of_its_program() {
        let line = "python3 tools/judge.py {command} < {case}";
        let said = |parts: &[&str], line: &str, status: i32, crashed: Option<i32>| {
            let text = parts.concat();
            let crashed = crashed.map(Ending::Exited);
            let all = Speakers::new(text.as_bytes(), line, Ending::Exited(status), crashed);
            let own = all.programs_crash().map(|(own, end)| {
                assert!(text[..end].ends_with(own.rsplit(": ").next().unwrap()));
                own
            });
            (all.testers_crash(), own)
        };
        let some = |text: &str| Some(text.to_owned());
        let both = (
            some("ValueError: query 0"),
            some("p.py:3: EOFError: no line"),
        );
        assert_eq!(said(&[TESTER, PROGRAM], line, 1, None), both);
        assert_eq!(said(&[PROGRAM, TESTER], line, 1, Some(1)), both);
        assert_eq!(said(&["query 0\n", PROGRAM], line, 1, None), (None, both.1));
        let panic = "thread 'main' panicked at src/main.rs:2:9: no line";
        assert_eq!(said(&[TESTER, PANIC], line, 1, None), (both.0, some(panic)));
        // Of two panics, the one that left is the first.
        let rust = "./t {command} < {case}";
        let own = PANIC.replace("no line", "too large");
        let too_large = panic.replace("no line", "too large");
        let two = (Some(too_large), some(panic));
        assert_eq!(said(&[&own, PANIC], rust, 101, None), two);
        assert_eq!(said(&[PANIC, &own], rust, 101, Some(101)), two);
        assert_eq!(said(&[PANIC], rust, 101, Some(101)), (None, two.1));
        // A program that ends with another status has not panicked: its tester has, when it was left alone.
        let after = (some(panic), some("p.py:3: EOFError: no line"));
        assert_eq!(said(&[PROGRAM, PANIC], rust, 101, Some(1)), after);
        assert_eq!(said(&[PANIC], rust, 101, Some(7)), (some(panic), None));
    }

    #[test]
    fn what_a_shell_says_of_a_crash_is_no_reason() {
        for message in [
            "./run.sh: line 3: 12 Aborted (core dumped) ./a.out",
            "Unexpected EOF",
            "thread caused non-unwinding panic. aborting.",
        ] {
            assert!(!is_reason_of_its_own(message), "{message}");
        }
        assert!(is_reason_of_its_own("query 0: value 5 is out of range"));
    }

    #[test]
    fn crashes_are_the_programs_only_if_those_of_the_tester_would_be_recognised() {
        let are_programs = |text: &str, line: &str| {
            Speakers::new(text.as_bytes(), line, Ending::Exited(1), None).are_programs()
        };
        let python = "python3 tools/judge.py {command} < {case}";
        assert!(are_programs(PROGRAM, python));
        assert!(!are_programs(&[TESTER, PROGRAM].concat(), python));
        assert!(!are_programs(PROGRAM, "./t {command} < {case}"));
    }
}
