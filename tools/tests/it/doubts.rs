//! Accepted cases whose program failed after its answer: the reason, and the caution of each command that sums up a run.

use crate::common::{Shown, run_in, script};
use crate::external::{external, lists};
use crate::measures::{contest, done};

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

#[test]
fn cases_that_failed_only_now_or_only_before_are_named_below_the_run_before() {
    let dir = contest("objective = \"max\"");
    let against = |args: &[&str], status| {
        let args = [&["batch", "--", "./part"], args].concat();
        let text = done(dir.path(), &args, status);
        let at = text.find("\nagainst").map_or(text.len(), |at| at + 1);
        text[at..].to_owned()
    };
    assert_eq!(against(&["900"], 0), "");
    // A score of 0 is a wrong answer.
    insta::assert_snapshot!(against(&["900", "0"], 1), @"
    against    run 1: +0.00 ± 0.00; better on 0 cases, the same on 4, worse on 0
               failed now, not in run 1: 2 (0001 0004)
               run 1 is of another command: ./part 900
               tester compare 1
    ");
    insta::assert_snapshot!(against(&["900"], 0), @"
    against    run 2: +0.00 ± 0.00; better on 0 cases, the same on 4, worse on 0
               failed in run 2, not now: 2 (0001 0004)
               run 2 is of another command: ./part 900 0
               tester compare 2
    ");
    insta::assert_snapshot!(against(&["0"], 1), @"
    against    run 3: no case is accepted in both
               failed now, not in run 3: 6 (0000 0001 0002 0003 0004 0005)
    ");
    // Nothing is new about a run that fails as the one before.
    assert_eq!(against(&["0"], 1), "");
}
