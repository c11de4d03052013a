//! Accepted cases whose program failed after its answer: the reason, and the caution of each command that sums up a run.

use crate::common::{Shown, run_in, script};
use crate::external::{external, lists};

const LINE: &str = "{command} < {case} > {out}; echo Score = 5";

/// The cautions on standard error.
fn cautions(shown: &Shown) -> Vec<&str> {
    let said = shown.stderr.lines();
    said.filter(|line| line.contains("in doubt")).collect()
}

#[test]
fn accepted_cases_of_a_program_that_failed_are_counted_in_a_caution() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |body: &str| {
        script(dir.path(), "program", body);
        let shown = external(dir.path(), LINE, &[], &["./program"]);
        assert_eq!(shown.status, 0, "{shown:?}");
        shown
    };
    assert!(cautions(&judged("cat")).is_empty());
    let shown = judged("cat; exit 3");
    insta::assert_snapshot!(cautions(&shown).join("\n"), @"caution: 3 accepted cases of run 2 are in doubt; 0000: the contest's tester accepted the output, but the program failed: exit status 3, expected 0; the contest may count that as RE");
    let json = run_in(dir.path(), &["show", "--json"], "").stdout;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["verdict"], &first["score"]),
        (&"AC".into(), &5.into())
    );
    let reason = first["reason"].as_str().unwrap();
    assert!(reason.contains("exit status 3, expected 0"), "{reason}");
}

#[test]
fn every_command_that_sums_up_a_run_has_the_caution() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    script(dir.path(), "fails", "cat; exit 3");
    script(dir.path(), "works", "cat");
    let judge = ["--external", LINE, "--objective", "max"];
    let run = |words: &[&str], program: &[&str]| {
        let shown = run_in(dir.path(), &[words, program].concat(), "");
        assert!(shown.status < 2, "{shown:?}");
        shown
    };
    let caution = |shown: &Shown, number: usize| {
        let expected = format!("caution: 3 accepted cases of run {number} are in doubt; 0000: ");
        let found = cautions(shown);
        let is_expected = found.len() == 1 && found[0].starts_with(&expected);
        assert!(is_expected, "{shown:?}");
    };
    for (to, program) in [("a.jsonl", "./fails"), ("b.jsonl", "./works")] {
        let shard = ["batch", "--shard", "1/1", "--to", to];
        run(&[&shard, &judge[..]].concat(), &["--", program]);
    }
    caution(&run(&["merge", "a.jsonl"], &[]), 1);
    caution(&run(&["show", "1"], &[]), 1);
    let against = ["merge", "b.jsonl", "--against", "a.jsonl"];
    caution(&run(&against, &[]), 3);
    let duel = ["duel", "--cases", "in"];
    caution(
        &run(&[&duel, &judge[..]].concat(), &["./fails", "./works"]),
        4,
    );
}
