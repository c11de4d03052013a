//! `tester PROGRAM ARGS…` without an option, read without clap.
//!
//! Contestants' own loops start `tester ./solver < case` a thousand times a day. To build the parser of the commands
//! takes 0.14 million of 0.49 million instructions (callgrind). On two busy cores, starts with and without an option in
//! turn: 3.22 and 3.35 ms, 3.25 and 3.43 ms (tenth percentiles of 300).
//! Without it, delete this file and its one call.

use std::ffi::OsString;

use tester_core::process::Containment;

use super::grammar::Cli;
use super::single::Single;

/// Begins to open the contestant's namespace where one case is to be judged, before the words are understood. Where
/// they turn out to mean something else, it closes unused.
pub(super) fn prepare(words: &[OsString]) {
    let first = words.first().map(|word| word.as_encoded_bytes());
    let is_single = first.is_some_and(|word| word.starts_with(b"-") || word.contains(&b'/'));
    let not_needed = ["--no-containment", "-h", "--help", "-V", "--version"];
    let is_needed = |words: &[OsString]| {
        !words
            .iter()
            .any(|word| not_needed.iter().any(|no| word == no))
    };
    if is_single && is_needed(words) {
        Containment::Namespace.prepare();
    }
}

/// `None` for everything that only the grammar understands; a test holds both to the same result.
pub(super) fn parse(words: Vec<OsString>) -> Option<Cli> {
    let program = words.first()?.to_str()?;
    // A path is neither an option nor the name of a subcommand.
    let is_path = program.contains('/') && !program.starts_with('-');
    is_path.then_some(Cli {
        command: None,
        single: Single {
            words,
            ..Single::default()
        },
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn plain_words_mean_what_the_grammar_says() {
        for words in [
            &["./solver"][..],
            &["../a", "--strict", "x"],
            &["/bin/echo", "--", "-x"],
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let fast = parse(words.clone()).unwrap().single;
            let parsed = Cli::parse_from([OsString::from("tester")].into_iter().chain(words));
            assert!(parsed.command.is_none());
            let parsed = parsed.single;
            assert_eq!(fast.program(), parsed.program());
            assert_eq!(fast.limits.limits(None), parsed.limits.limits(None));
            assert_eq!((parsed.strict, &parsed.transcript), (false, &None));
        }
        for words in [
            &[][..],
            &["gen", "./x"],
            &["--strict", "./x"],
            &["--transcript=a/b", "x"],
        ] {
            let words = words.iter().map(OsString::from).collect();
            assert!(parse(words).is_none());
        }
    }
}
