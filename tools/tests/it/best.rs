//! Frozen best scores: of which cases they are, and files of them that are refused.

use std::fs;

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
