//! Blanks for reports of a crash and for backtraces: what is left of a text are the words of a tester, where they were.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// A panic of Rust: where, and the first line of why.
pub(super) const PANIC: &str = r"thread '[^'\n]*' (\(\d+\) )?panicked at ([^\n]*:\n)?[^\n]*";

/// What Rust adds to a panic: it says neither where the program ended nor why.
const NOTE: &str = r"note: (run with `RUST_BACKTRACE|Some details are omitted)[^\n]*";
const HEAD: &str = r"stack backtrace:[^\n]*";
const FRAME: &str = r"^ +\d+: [^\n]*";
/// The place of a frame, as Rust, Java, JavaScript and C# print it: it ends in the line of a file, in a bracket directly
/// after a name with a point, or in what JavaScript writes without a place. A tester may say `at cell (3, 4)`.
const PLACE: &str = r"^[ \t]+at ([^\n]*(\S*[./]|<anonymous>|\(?node:)\S*:\d+\)?|[^\n]*:line \d+|[^\n]* \((<anonymous>|native|index \d+)\)|\S*\w\.\S+\([^\n]*\))\r?$";

/// What Java says of the frames that a cause shares, and what Node.js says last: its version.
const REMARK: &str = r"^\t\.\.\. \d+ (more|common frames omitted)\r?$|^Node\.js v\d+(\.\d+)*$";

/// The text with blanks for all lines of backtraces. Frames count only between their head and the note at their end:
/// elsewhere, testers begin their own words like this.
pub(in crate::judge) fn with_blank_backtraces(text: &[u8]) -> Vec<u8> {
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        let all = format!("(?m)(?<head>{HEAD})|(?<frame>{FRAME})|{PLACE}|{REMARK}|(?<note>{NOTE})");
        Regex::new(&all).expect("it is an expression")
    });
    let (mut blank, mut has_begun) = (text.to_vec(), false);
    for found in PARTS.captures_iter(text) {
        let is = |name| found.name(name).is_some();
        has_begun = (has_begun || is("head")) && !is("note");
        if has_begun || !is("frame") {
            blank[found.get_match().range()].fill(b' ');
        }
    }
    blank
}

/// The text with blanks for all reports of a crash. The lines of a traceback come one by one, between those of others.
pub(in crate::judge) fn with_blank_crashes(text: &[u8]) -> Vec<u8> {
    static ALONE: LazyLock<Regex> = LazyLock::new(|| {
        let place = r#"  File "[^"\n]+", line \d+[^\n]*"#;
        let chained = "^(During handling of the above exception|The above exception was)[^\n]*:$";
        let thrown = r"terminate called [^\n]*|^  what\(\): [^\n]*";
        let all = [PANIC, place, chained, thrown].join("|");
        Regex::new(&format!("(?m){all}")).expect("it is an expression")
    });
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        let all = r"Traceback \(most recent call last\):|Exception ignored in: ";
        Regex::new(all).expect("it is an expression")
    });
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^[A-Za-z_][\w.]*\r?$").expect("it is an expression"));
    static LAST: LazyLock<Regex> = LazyLock::new(|| {
        // One word of another kind may be the tester's, except directly after code.
        let all = r"^([A-Za-z_][\w.]*: [^\n]*|: [^\n]*|[\w.]+(Error|Exception|Exit|Interrupt))\r?$";
        Regex::new(all).expect("it is an expression")
    });
    // Python writes marks below its code, and the name of an exception, before the rest of their line.
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        let all = r"^( +[~^]+|[A-Za-z_.]*?(Error|Exception|Exit|Interrupt))[^\s~^:.]";
        Regex::new(all).expect("it is an expression")
    });
    let mut blank = text.to_vec();
    for found in ALONE.find_iter(text) {
        let bytes = blank[found.range()].iter_mut();
        bytes.filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    let (mut is_inside, mut has_code, mut was_code) = (false, false, false);
    for line in blank.split_mut(|&b| b == b'\n') {
        let is_whole = LAST.is_match(line) || WORD.is_match(line);
        let part = PARTS.captures(line).filter(|_| was_code && !is_whole);
        if let Some(end) = part.map(|found| found[1].len()) {
            line[..end].fill(b' ');
            continue;
        }
        let head = HEAD.find(line).map(|found| found.start());
        let is_code = is_inside && line.starts_with(b" ");
        let is_last =
            is_inside && ((has_code && LAST.is_match(line)) || (was_code && WORD.is_match(line)));
        is_inside = head.is_some() || (is_inside && !is_last);
        has_code = match head {
            // What is ignored has its last line without code, too.
            Some(start) => !line[start..].starts_with(b"Traceback"),
            None => has_code || is_code,
        };
        was_code = is_code;
        if let Some(start) = head.or((is_last || is_code).then_some(0)) {
            line[start..].fill(b' ');
        }
    }
    blank
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are not blank; nothing may have moved.
    fn left(with_blanks: fn(&[u8]) -> Vec<u8>, text: &str) -> String {
        let blank = String::from_utf8(with_blanks(text.as_bytes())).unwrap();
        assert_eq!(blank.len(), text.len());
        let lines = blank.lines().map(str::trim_end);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("|")
    }

    #[test]
    fn backtraces_become_blanks_and_words_that_look_like_a_frame_stay() {
        let left = |text: &str| left(with_blank_backtraces, text);
        let own = "  3: too large\n  at turn 3: too large\n";
        assert_eq!(left(own), "  3: too large|  at turn 3: too large");
        let frames = "stack backtrace:\n   0: core::panicking::panic_fmt\n             at ./src/main.rs:3:5\n";
        let note = "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n";
        assert_eq!(left(frames), "");
        let mixed = format!("no{frames}Score = 0\n  1: a::b\n{note}{own}");
        assert_eq!(
            left(&mixed),
            "no|Score = 0|  3: too large|  at turn 3: too large"
        );
        for place in [
            "\tat Main.main(Main.java:3)",
            "    at node:internal/main/run_main_module:28:49",
            "    at Object.<anonymous> (/a b.js:2:1)",
            "   at Program.Main() in /a.cs:line 3\r",
            "             at ./src/main.rs:3:5",
            "\tat java.base/java.lang.reflect.Method.invoke(Native Method)",
            "    at f (file:///a.mjs:2:7)",
            "    at async Promise.all (index 0)",
            "    at Socket.emit (node:events:524:28)",
            "    at JSON.parse (<anonymous>)",
            "    at <anonymous>:1:1",
            "   at Program.<Main>$(String[] args)",
            "\t... 1 more",
            "Node.js v20.20.2",
        ] {
            assert_eq!(left(&format!("{place}\nno\n")), "no", "{place}");
        }
        for own in [
            "  at (3, 4)",
            "\tat cell (3, 4)",
            "  at day 3 (of 50)",
            "  at (3:4)",
            "  at 12:30",
            "  at turn 3, (a.b) is twice there (lines 1, 2)",
        ] {
            assert_eq!(left(&format!("{own}\n")), own.trim_end(), "{own}");
        }
    }

    #[test]
    fn lines_of_a_traceback_between_those_of_a_tester_become_blanks() {
        let left = |text: &str| left(with_blank_crashes, text);
        // Not the last line, for there was no code yet.
        let early = "Traceback (most recent call last):\nError: cell 3\n  File \"b.py\", line 2, in f\nScore = 0\n    g()\nValueError: 3\n";
        assert_eq!(left(early), "Error: cell 3|Score = 0");
        let own = "Invalid query: x|Score = 0";
        for text in [
            "Traceback (most recent call last):\nInvalid query: x  File \"/home/b.py\", line 2, in f\nScore = 0\n",
            "Invalid query: x\nTraceback (most recent call last):\n  File \"b.py\", line 2, in f\n    g()\n\
             ValueError: 3\nScore = 0\n",
            "Traceback (most recent call last):\n  File \"b.py\", line 2, in f\nInvalid query: x\nScore = 0\n    g()\n\
             ValueError: 3\n",
            "Invalid query: xTraceback (most recent call last):\nScore = 0\n  File \"b.py\", line 2, in f\n\
             KeyboardInterrupt\n",
            "Invalid query: x\nTraceback (most recent call last):\n  File \"b.py\", line 2, in f\n    g()\n\
             StopIteration\nScore = 0\n",
            "Traceback (most recent call last):\n  File \"b.py\", line 2, in f\n    g()\n    ~^^Invalid query: x\nScore = 0\n",
            "Traceback (most recent call last):\n  File \"b.py\", line 2, in f\n    g()\nEOFErrorInvalid query: x\n\
             Score = 0\n: EOF when reading a line\n",
            "Invalid query: x\nTraceback (most recent call last):\n  File \"b.py\", line 2, in f\n    g()\n\
             ExceptionGroup: two\nScore = 0\n",
            "Exception ignored in: <_io.TextIOWrapper>\nInvalid query: x\nBrokenPipeError: [Errno 32]\nScore = 0\n",
            "terminate called after throwing an instance of 'E'\nInvalid query: x\n  what():  map::at\nScore = 0\n",
        ] {
            assert_eq!(left(text).trim_start(), own, "{text}");
        }
        assert_eq!(
            left("  3: too large\nValueError: 3\n"),
            "  3: too large|ValueError: 3"
        );
    }
}
