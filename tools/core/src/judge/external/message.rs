//! What a contest's tester says of a case beside its score: why it refused the output.
//!
//! Official testers print the reason on the line before the score or after it, on the same stream or on the other one.
//! On stderr the contestant's own lines may come first.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::data_lines::is_data_line;
use super::score::FoundScore;
use crate::judge::crash_blanks::{with_blank_backtraces, with_blank_crashes};
use crate::judge::crash_report::short_panic;
use crate::util::quote::one_line;

/// The most lines after the score that are taken: nothing but a tester writes there.
const LINES: usize = 3;
/// The longest message, in characters.
const LENGTH: usize = 200;

/// Where to look for the message.
pub(in crate::judge) struct Said<'a> {
    /// What finds the score: such lines are no message.
    pub(in crate::judge) expression: &'a Regex,
    pub(in crate::judge) score: Option<&'a FoundScore<'a>>,
    /// Whether reports of a crash are read only if nothing else is said.
    pub(in crate::judge) skips_crashes: bool,
    /// The end of stdout; empty if that is the contestant's own.
    pub(in crate::judge) stdout: &'a [u8],
    /// The end of stderr.
    pub(in crate::judge) stderr: &'a [u8],
}

impl Said<'_> {
    /// What was said last, in one line: after the score, else before it, else on the other stream.
    pub(in crate::judge) fn message(&self) -> Option<String> {
        let beside = self.skips_crashes.then(|| self.message_beside_crashes());
        let all = || self.find(<[u8]>::to_vec).map(|message| shortened(&message));
        beside.flatten().or_else(all)
    }

    /// The same without any report of a crash.
    pub(in crate::judge) fn message_beside_crashes(&self) -> Option<String> {
        let found = self.find(with_blank_crashes);
        found.map(|message| shortened(&message))
    }

    /// The last line on stderr before the score that says more than that the program ended, by `says_more`: where it has
    /// failed, its own words come before what the tester says of that.
    pub(in crate::judge) fn message_before_end(
        &self,
        says_more: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let text = match self.score {
            Some(score) if score.on_stderr => &score.text[..score.start],
            _ => self.stderr,
        };
        let text = with_blank_backtraces(text);
        let own = self.lines(&text).rev().find(|line| says_more(line));
        own.map(|line| shortened(&line))
    }

    /// What was said last, in what `read` leaves of the streams. It moves nothing.
    fn find(&self, read: impl Fn(&[u8]) -> Vec<u8>) -> Option<String> {
        let read = |text: &[u8]| read(&with_blank_backtraces(text));
        let last = |text: &[u8]| self.last(&read(text));
        let Some(score) = self.score else {
            return last(self.stderr).or_else(|| last(self.stdout));
        };
        let text = read(score.text);
        let after: Vec<String> = self.lines(&text[score.end..]).take(LINES).collect();
        let after = (!after.is_empty()).then(|| after.join("; "));
        let other = match score.on_stderr {
            true => self.stdout,
            false => self.stderr,
        };
        after
            .or_else(|| self.last(&text[..score.start]))
            .or_else(|| last(other))
    }

    /// The lines that say something.
    fn lines<'t>(&self, text: &'t [u8]) -> impl DoubleEndedIterator<Item = String> + use<'_, 't> {
        let expression = self.expression;
        let is_said = move |line: &&[u8]| {
            let has_letter = line.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80);
            // So testing tools of ICPC contests end, whatever was wrong.
            let is_end = line.starts_with(b"Killing your submission");
            has_letter && !is_end && !is_data_line(line) && !expression.is_match(line)
        };
        let lines = text.split(|&b| b == b'\n');
        lines
            .map(<[u8]>::trim_ascii)
            .filter(is_said)
            .map(|line| String::from_utf8_lossy(line).into_owned())
    }

    /// The last line that says something. A panic of Rust says where in one line, and why in the next.
    fn last(&self, text: &[u8]) -> Option<String> {
        let mut lines = self.lines(text).rev();
        let last = lines.next()?;
        Some(match lines.next() {
            Some(before) if before.starts_with("thread '") && before.ends_with(':') => {
                format!("{before} {last}")
            }
            _ => last,
        })
    }
}

/// Whether a message is about a line that could not be read, and not about what a rule forbids.
pub(super) fn is_about_form(message: &str) -> bool {
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        let what = "command|query|operation|action|output|input|format|line|token|word|digit|number|integer|value|char|character";
        let wrong = format!(
            r"\b(invalid|illegal|unknown|unexpected|malformed|wrong|bad) (\w+ )?({what})\b"
        );
        let read = r"\bpars(e|ing)\b|\bparse\w*error|\bnot (a|an) (valid )?(integer|number)\b|\bformat error\b";
        Regex::new(&format!("(?i){wrong}|{read}|フォーマット|書式")).expect("it is an expression")
    });
    // What the system says of a program that it cannot execute.
    let is_of_system = message.contains("Exec format error");
    // Too few of them are no debug output.
    let is_count = message.to_lowercase().contains("number of");
    !is_of_system && !is_count && FORM.is_match(message.as_bytes())
}

/// Whether a message is about one word that is a number, such as `Parse error: -1` or `"NaN" is not an integer`: a question
/// that the tester cannot take, and no debug output. A whole line that is a number may be debug output.
pub(super) fn is_about_number(message: &str) -> bool {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        let what = r"\b(command|query|operation|action|line)\b|フォーマット|書式";
        // The number of a turn is not what was printed there.
        let turn = r"\b(turn|day|step|round) \d+\)?$";
        Regex::new(&format!("(?i){what}|{turn}")).expect("it is an expression")
    });
    let is_number = |word: &str| {
        let word = word.trim_matches(['"', '\'', '`', '(', ')', '.', ',']);
        word.parse::<f64>().is_ok()
    };
    let mut words = message.split_whitespace();
    // A first word that is not quoted may be the number of a turn.
    let first = words
        .next()
        .filter(|word| word.starts_with(['"', '\'', '`']));
    let named = first.into_iter().chain(words.next_back());
    named.into_iter().any(is_number) && !LINE.is_match(message.as_bytes())
}

/// Whether a message is about a text that was empty, in the words of Rust or because nothing is quoted at its end: where
/// it comes from a program, most often no line came.
pub(super) fn is_about_nothing(message: &str) -> bool {
    let is_rusts = message.contains("{ kind: Empty }") || message.contains("from empty string");
    let message = message.trim_end();
    let quotes_nothing = ["\"\"", "''", "``"].iter().any(|quotes| {
        let before = message.strip_suffix(quotes);
        before.is_some_and(|before| before.ends_with([' ', ':', '=', '(', '[']))
    });
    // After another colon, this one belongs to the quoted word: `Parse error: debug:`.
    let ends_open = (message.strip_suffix(':')).is_some_and(|before| !before.contains(": "));
    is_rusts || quotes_nothing || ends_open
}

/// Whether a message is what AtCoder's testers say where a word should stand and the line, or the whole output, has ended.
/// It reads as if the program had ended.
pub(super) fn is_about_missing_words(message: &str) -> bool {
    message.trim() == "Unexpected EOF"
}

/// Whether a message is about a program that ended too early, and not about what it printed.
pub(super) fn is_about_end(message: &str) -> bool {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        let end = r"\bEOF\b|unexpected end|terminated|crashed|exited|exit (code|status)|broken pipe|runtime error";
        Regex::new(&format!("(?i){end}|異常終了|終了しました")).expect("it is an expression")
    });
    END.is_match(message.as_bytes())
}

/// A message in one line, and not too long.
pub(super) fn shortened(message: &str) -> String {
    cut(&one_line(&short_panic(message)))
}

fn cut(message: &str) -> String {
    match message.char_indices().nth(LENGTH) {
        None => message.to_owned(),
        Some((at, _)) => format!("{}…", &message[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::{Stream, USUAL_SCORE};
    use super::*;

    fn message(stdout: &str, stderr: &str) -> Option<String> {
        let expression = Regex::new(USUAL_SCORE).unwrap();
        let (stdout, stderr) = (stdout.as_bytes(), stderr.as_bytes());
        let score = Stream::Any.last_score(&expression, stdout, stderr);
        let said = Said {
            expression: &expression,
            score: score.as_ref(),
            skips_crashes: score.is_some(),
            stdout,
            stderr,
        };
        said.message()
    }

    #[test]
    fn reason_is_found_before_the_score_after_it_and_on_the_other_stream() {
        let overlap = "Rectangles 0 and 1 overlap on day 0.";
        for (stdout, stderr) in [
            ("", format!("turn 3: 5 left\n{overlap}\nScore = 0\n")),
            ("", format!("turn 3: 5 left\nScore = 0\n{overlap}\n")),
            ("Score = 0\n", format!("turn 3: 5 left\n{overlap}\n")),
            ("Score = 0\nScore = 0\n", format!("{overlap}\r\n\n")),
            ("", format!("1 2 3\n{overlap}\n")),
            ("", format!("{overlap}\n\nKilling your submission.\n")),
            // Numbers for the table are no reason.
            (
                "",
                format!("{overlap}\n[DATA] loops = 9\nScore = 0\n[DATA] days = 3\n"),
            ),
        ] {
            assert_eq!(
                message(stdout, &stderr).as_deref(),
                Some(overlap),
                "{stderr}"
            );
        }
        let before = format!("{overlap}\nScore = 0\n");
        assert_eq!(message(&before, "my debug\n").as_deref(), Some(overlap));
        let after = message("Score = 0\nfirst\n\nsecond\n", "");
        assert_eq!(after.as_deref(), Some("first; second"));
    }

    /// As the official tester of an interactive contest and a program that it leaves write into one stream.
    #[test]
    fn crash_of_a_program_that_the_tester_has_left_is_no_reason() {
        let reason = "Invalid query format: debug 69 left";
        let panic = "\nthread 'main' (351) panicked at src/main.rs:11:27:\ncalled `Result::unwrap()` on an `Err` value: \
                     ParseFloatError { kind: Empty }\n";
        let note =
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        let frames = "   0: __rustc::rust_begin_unwind\n             at /rustc/std/panicking.rs:645:5\n   4: ahc030::main\n";
        let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    int(input())\n\
                         EOFError: EOF when reading a line\n";
        let thrown = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n";
        for stderr in [
            format!("{panic}{note}{reason}\nScore = 0\n"),
            format!("{panic}{reason}{note}\nScore = 0\n"),
            format!("{reason}\nScore = 0\n{panic}{note}"),
            format!("{panic}{reason}stack backtrace:\n\nScore = 0\n{frames}{note}"),
            format!("{panic}{reason}\nScore = 0\nstack backtrace:\n{frames}"),
            format!("{reason}\nScore = 0\n{traceback}"),
            format!("{traceback}{reason}\nScore = 0\n"),
            format!("{reason}\n{thrown}Score = 0\n"),
            traceback.replace("    int", &format!("{reason}\nScore = 0\n    int")),
        ] {
            assert_eq!(message("", &stderr).as_deref(), Some(reason), "{stderr}");
        }
        // A crash is a reason where there is no other.
        let alone = format!("{panic}{note}Score = 0\n");
        let expected = "thread 'main' panicked at src/main.rs:11:27: called";
        assert!(message("", &alone).unwrap().starts_with(expected));
    }

    #[test]
    fn numbers_alone_say_nothing_and_a_panic_says_where_and_why() {
        assert_eq!(message("1 2 3\n", "4 5\nScore = 0\n"), None);
        let panic = "thread 'main' panicked at src/main.rs:3:5:\nexplicit panic\nnote: run with `RUST_BACKTRACE=1` \
                     environment variable to display a backtrace\n";
        assert_eq!(
            message("", panic).as_deref(),
            Some("thread 'main' panicked at src/main.rs:3:5: explicit panic")
        );
        // As with RUST_BACKTRACE=1, and with full.
        let head = "thread 'main' panicked at src/main.rs:3:5:\nexplicit panic\nstack backtrace:\n";
        let frames = "   0: __rustc::rust_begin_unwind\n             at /rustc/std/panicking.rs:645:5\n  12: t::main\n";
        let note = "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n";
        for text in [format!("{head}{frames}{note}"), format!("{head}{frames}")] {
            assert_eq!(
                message("", &text).as_deref(),
                Some("thread 'main' panicked at src/main.rs:3:5: explicit panic"),
                "{text}"
            );
        }
        // A tester may begin its own words with a number, and indent them.
        for text in ["3: too large\n", "Score = 0\n  3: too large\n"] {
            assert_eq!(message("", text).as_deref(), Some("3: too large"));
        }
    }

    #[test]
    fn lines_that_cannot_be_read_are_told_from_answers_that_are_wrong() {
        for message in [
            "Invalid query format: debug 15",
            "Parse error: debug",
            "Illegal output (debug)",
            "failed to parse line 3",
            "ParseIntError { kind: InvalidDigit }",
            "invalid digit found in string",
            "unknown command debug",
            "debug is not an integer",
            "Unknown char: #",
            "出力のフォーマットが不正です",
        ] {
            assert!(is_about_form(message), "{message}");
        }
        for message in [
            "Rectangles 0 and 1 overlap on day 0.",
            "Wrong sum after 0 questions: answer 3",
            "1 of 3 numbers",
            "wrong answer: too short",
            "Out of range: 15",
            "Your program has terminated unexpectedly",
            "Unexpected EOF",
            "./a: Exec format error",
        ] {
            assert!(!is_about_form(message), "{message}");
        }
    }

    #[test]
    fn a_number_that_cannot_be_read_is_told_from_debug_output() {
        for message in [
            "Parse error: -1",
            "Parse error: NaN",
            "parse error: '1e400'",
            "\"2.5\" is not an integer",
            "Invalid number: inf",
        ] {
            assert!(
                is_about_form(message) && is_about_number(message),
                "{message}"
            );
        }
        for message in [
            "Parse error: debug:",
            "Parse error: x3",
            "3: parse error: debug",
            // It is all that stands in the line.
            "Illegal query: -1",
            "illegal output char d (turn 1)",
            "illegal output length (turn 1)",
            "Illegal output format on day 12",
            "Invalid query format: turn 3",
        ] {
            assert!(
                is_about_form(message) && !is_about_number(message),
                "{message}"
            );
        }
    }

    #[test]
    fn words_of_a_program_that_failed_come_before_those_on_its_end() {
        let expression = Regex::new(USUAL_SCORE).unwrap();
        let own = |stderr: &str| {
            let score = Stream::Any.last_score(&expression, b"", stderr.as_bytes());
            let said = Said {
                expression: &expression,
                score: score.as_ref(),
                skips_crashes: false,
                stdout: b"",
                stderr: stderr.as_bytes(),
            };
            said.message_before_end(|line| !is_about_end(line))
        };
        let found = own("turn 3\nno cell is left\nUnexpected EOF\nScore = 0\nlater\n");
        assert_eq!(found.as_deref(), Some("no cell is left"));
        assert_eq!(
            own("no cell is left\nthe program exited\n").as_deref(),
            Some("no cell is left")
        );
        assert_eq!(own("12\nUnexpected EOF\nScore = 0\n"), None);
    }

    #[test]
    fn an_empty_text_is_told_from_one_that_cannot_be_read() {
        let parsed = |text: &str| text.parse::<i64>().unwrap_err();
        let both = |text| [parsed(text).to_string(), format!("{:?}", parsed(text))];
        assert!(both("").iter().all(|message| is_about_nothing(message)));
        assert!(!both("x").iter().any(|message| is_about_nothing(message)));
        let float = "".parse::<f64>().unwrap_err();
        assert!(is_about_nothing(&float.to_string()) && is_about_nothing(&format!("{float:?}")));
    }

    #[test]
    fn messages_about_the_end_of_a_program_are_told_from_refusals() {
        for message in [
            "Your program has terminated unexpectedly",
            "Unexpected EOF",
            "the contestant ended with exit status: 1",
            "failed to write: Broken pipe (os error 32)",
        ] {
            assert!(is_about_end(message), "{message}");
        }
        for message in ["Task 1 has been assigned", "Out of range: 15"] {
            assert!(!is_about_end(message), "{message}");
        }
    }

    #[test]
    fn a_terminal_obeys_nothing_of_it_and_it_is_not_long() {
        assert_eq!(
            message("", "\u{1b}[31mno\n").as_deref(),
            Some(r"\u{1b}[31mno")
        );
        let long = message("", &"x".repeat(5000)).unwrap();
        assert_eq!(long.chars().count(), LENGTH + 1);
    }

    #[test]
    fn japanese_words_are_a_message_and_only_a_panic_is_one_of_two_lines() {
        let found = message("", "範囲外です\nScore = 0\n");
        assert_eq!(found.as_deref(), Some("範囲外です"));
        for (text, expected) in [
            ("in this file:\ntoo large\n", "too large"),
            ("thread 'main' left\ntoo large\n", "too large"),
        ] {
            assert_eq!(message("", text).as_deref(), Some(expected));
        }
        // Too few of them are no line that could not be read.
        assert!(!is_about_form("Wrong number of lines: 3"));
        // As official testers say it of a program that ended without a line.
        for nothing in [
            "Invalid query format: ",
            "unknown command: \"\"",
            "invalid input ''",
        ] {
            assert!(
                is_about_form(nothing) && is_about_nothing(nothing),
                "{nothing}"
            );
        }
        for other in [
            "Invalid query format: hello",
            "invalid input 'x'",
            "unknown command: \"\\\"\"",
            // The first word of `debug: 3`.
            "Parse error: debug:",
        ] {
            assert!(!is_about_nothing(other), "{other}");
        }
        assert!(is_about_form("Wrong number: x3"));
    }
}
