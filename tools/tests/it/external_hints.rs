//! What a reason adds to the words of a contest's tester: where to look, and nothing that cannot help.

use std::path::Path;

use crate::common::script;
use crate::external::{external, here, lists, path, records};

/// A line whose tester runs the program, copies its output, and says that.
fn tester_that_says(dir: &Path, said: &str) -> String {
    let body = format!(
        "program=$1; shift; \"$program\" \"$@\" > lines; cat lines; echo '{said}' >&2; echo 'Score = 0' >&2"
    );
    let tester = here(script(dir, "says", &body));
    format!("{tester} {{command}} < {{case}} > {{out}}")
}

fn first(dir: &Path, line: &str, body: &str) -> (String, String) {
    let program = path(script(dir, "program", body));
    let shown = external(
        dir,
        line,
        &["--json", "--cases", "in/0000.txt"],
        &[&program],
    );
    let (verdict, _, reason) = records(&shown).remove(0);
    (verdict, reason)
}

#[test]
fn where_words_are_missing_the_last_line_of_the_output_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = tester_that_says(dir.path(), "Unexpected EOF");
    let (verdict, reason) = first(dir.path(), &line, "echo '? 0 1'; echo '? 2'; echo");
    assert_eq!(verdict, "WA");
    insta::assert_snapshot!(reason, @r#"score 0: Unexpected EOF; a line of the output has too few words, or lines are missing; the output ends with "? 2""#);
}

#[test]
fn a_number_that_the_tester_cannot_read_is_not_taken_for_debug_output() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    for (said, has_hint) in [
        ("Parse error: -1", false),
        ("Parse error: NaN", false),
        ("Parse error: debug", true),
    ] {
        let line = tester_that_says(dir.path(), said);
        let (_, reason) = first(dir.path(), &line, "echo '? -1 0'");
        assert!(reason.starts_with(&format!("score 0: {said}")), "{reason}");
        assert_eq!(reason.contains("debug output"), has_hint, "{reason}");
    }
}

/// As where the case is of another contest.
#[test]
fn a_program_that_was_not_started_has_no_debug_output() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let body = "echo 'Parse error: hitblow' >&2; exit 101";
    let tester = here(script(dir.path(), "refuses", body));
    let line = format!("{tester} {{command}} < {{case}} > {{out}}");
    let (_, reason) = first(dir.path(), &line, "echo 1");
    insta::assert_snapshot!(reason, @"the contest's tester failed before it started the program: exit status 101, as after a Rust panic; see its stderr; the last message: Parse error: hitblow");
}

#[test]
fn a_program_that_fails_without_a_report_has_the_last_word() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = tester_that_says(dir.path(), "Unexpected EOF");
    let (verdict, reason) = first(dir.path(), &line, "echo 'no cell is left' >&2; exit 1");
    assert_eq!(verdict, "RE");
    insta::assert_snapshot!(reason, @"exit status 1, expected 0; the last message: no cell is left");
    // It may have said nothing.
    let (_, reason) = first(dir.path(), &line, "exit 1");
    insta::assert_snapshot!(reason, @"exit status 1, expected 0; the last message: Unexpected EOF");
}
