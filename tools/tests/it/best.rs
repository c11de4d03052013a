//! Frozen best scores: of which cases they are, and files of them that are refused.

use std::fs;

use crate::common::run_in;
use crate::measures::{contest, done};

#[test]
fn a_frozen_score_is_exported_only_for_the_content_that_it_is_of() {
    let dir = contest("objective = \"max\"\nmeasure = \"relative\"");
    done(dir.path(), &["batch", "--", "./part", "500"], 0);
    done(dir.path(), &["best", "freeze"], 0);
    // Case 3 is another one now, and so is case 5, which then fails.
    fs::write(dir.path().join("in/0003.txt"), "700\n").unwrap();
    fs::write(dir.path().join("in/0005.txt"), "x\n").unwrap();
    let batch = ["batch", "--cases", "2,3,5", "--", "./part", "100"];
    done(dir.path(), &batch, 1);
    // By hand: half of each case's number; of case 3 a tenth of the new one.
    insta::assert_snapshot!(done(dir.path(), &["best", "export", "e.json"], 0), @"wrote the best scores of 5 cases to e.json");
    insta::assert_snapshot!(fs::read_to_string(dir.path().join("e.json")).unwrap(), @r#"
    {
      "0000": 1000,
      "0001": 20000000,
      "0002": 15000,
      "0003": 70,
      "0004": 450000
    }
    "#);
}

#[test]
fn all_problems_with_frozen_scores_are_named() {
    let dir = contest("objective = \"max\"");
    let batch = |options: &[&str]| {
        done(
            dir.path(),
            &[&["batch"], options, &["--", "./part", "500"]].concat(),
            0,
        );
    };
    batch(&[]);
    done(dir.path(), &["best", "freeze"], 0);
    batch(&["--name", "other", "--cases", "0..2"]);
    insta::assert_snapshot!(done(dir.path(), &["best"], 0), @"
    the best scores of 6 cases of external are frozen in out/history.best.json
    nothing is frozen for other: best scores are those of all runs
    ");
    done(dir.path(), &["best", "freeze"], 0);
    let both = done(dir.path(), &["best"], 0);
    insta::assert_snapshot!(both, @"
    the best scores of 6 cases of external are frozen in out/history.best.json
    the best scores of 2 cases of other are frozen in out/history.best.json
    ");
    // Frozen scores stay when their runs are deleted.
    done(dir.path(), &["delete", "1", "2"], 0);
    assert_eq!(done(dir.path(), &["best"], 0), both);
}

#[test]
fn an_imported_file_has_a_score_and_each_seed_once() {
    let dir = contest("objective = \"max\"");
    done(dir.path(), &["batch", "--", "./part", "500"], 0);
    done(dir.path(), &["best", "freeze"], 0);
    let refused = |text: &str| {
        fs::write(dir.path().join("b.json"), text).unwrap();
        let shown = run_in(dir.path(), &["best", "import", "b.json"], "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(r#"{"5": 1, "0005": 2}"#), @r#"
    tester: failed to read the best scores b.json: expected each seed once, found "5" and "0005"
    hint: pahcer's file is an object such as {"0000": 1234}
    "#);
    insta::assert_snapshot!(refused(r#"{"0005": 1, "0007": 3, "0005": 1}"#), @r#"
    tester: failed to read the best scores b.json: expected each seed once, found "0005" and "0005"
    hint: pahcer's file is an object such as {"0000": 1234}
    "#);
    insta::assert_snapshot!(refused("{}"), @"
    tester: failed to read the best scores b.json: expected a score, found none
    hint: `tester best thaw` forgets frozen scores
    ");
    // None of them has changed what is frozen.
    insta::assert_snapshot!(done(dir.path(), &["best"], 0), @"the best scores of 6 cases of external are frozen in out/history.best.json");
}
