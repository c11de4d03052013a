//! Cases with parameters in the history, the tables and the exports.
//!
//! The cases are those of Hit & Blow; what parameters they have is said by the test, so that what must come out is
//! known.

use std::path::Path;

use crate::common::many::{self, Playing};
use crate::common::run_in;
use tempfile::TempDir;
use tester::case::Source;

/// Two runs of 12 cases. A case has N from 10 to 12, and eps 0.01 times 1 to 6. The score of `a` is N less 8; that of `b` is
/// 2 more where eps is above 0.03.
pub(super) fn two_runs(dir: &Path) {
    let n = |case: u64| (10 + case % 3) as f64;
    let eps = |case: u64| (1 + case % 6) as f64 / 100.0;
    for (tag, more) in [("a", 0), ("b", 2)] {
        let wrong = move |case: u64| {
            let count = 1 + case % 3 + more * u64::from(case % 6 >= 3);
            (0..count).map(|n| format!("{} 8 9", n % 8)).collect()
        };
        let source = Source::Seeds {
            problem: "hitblow 3 10".to_owned(),
            seeds: 0..=11,
        };
        let playing = Playing {
            tag,
            command: "./mine",
            source,
            wrong: &wrong,
            parameters: &[("N", &n), ("eps", &eps)],
            decimals: 0,
            transcripts_from: 0,
        };
        many::keep(dir, &playing);
    }
}

fn printed(dir: &Path, words: &[&str]) -> String {
    let shown = run_in(dir, words, "");
    assert_eq!((shown.status, &*shown.stderr), (0, ""), "{shown:?}");
    shown.stdout
}

#[test]
fn the_table_has_them_beside_cases_and_means_by_their_values() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let text = printed(dir.path(), &["show", "--history", "h", "b"]);
    let lines = |start: &str| -> Vec<&str> {
        let lines = text.lines().filter(|line| line.starts_with(start));
        lines.collect()
    };
    assert_eq!(lines("parameters"), ["parameters N eps"]);
    // N is 10 to 12 in turn, and the scores are 2, 3, 4, 4, 5, 6.
    assert_eq!(
        lines("by "),
        [
            "by N       10: mean 3.0000  11: mean 4.0000  12: mean 5.0000",
            "by eps     0.01: mean 2.0000  0.02: mean 3.0000  0.03: mean 4.0000  0.04: mean 4.0000  \
             0.05: mean 5.0000  0.06: mean 6.0000",
        ]
    );
    assert!(
        lines("worst")[0].starts_with("worst      0005  6 (best 4)  N=12 eps=0.06"),
        "{text}"
    );
    assert!(lines("slowest")[0].ends_with(")  N=10 eps=0.01"), "{text}");
}

#[test]
fn each_has_a_column_in_what_other_programs_read() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let csv = printed(dir.path(), &["show", "--history", "h", "--csv", "a"]);
    let lines: Vec<&str> = csv.lines().take(4).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason,N,eps
    0,0,AC,2,50.0,1.0,2048,,10,0.01
    1,1,AC,3,50.0,1.0,2048,,11,0.02
    2,2,AC,4,50.0,1.0,2048,,12,0.03
    ");
    let json = printed(dir.path(), &["show", "--history", "h", "--json", "a"]);
    assert!(
        json.lines()
            .next()
            .unwrap()
            .ends_with(r#","parameters":{"N":10,"eps":0.01}}"#),
        "{json}"
    );
}

#[test]
fn the_cases_that_changed_most_are_told_with_them() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let text = printed(dir.path(), &["compare", "--history", "h", "a", "b"]);
    let lines = text.lines().skip_while(|line| !line.ends_with("B - A"));
    let changed: Vec<&str> = lines.skip(1).take(2).collect();
    let expected = [
        "      0003      2      4     +2  N=10 eps=0.04",
        "      0004      3      5     +2  N=11 eps=0.05",
    ];
    assert_eq!(changed, expected);
}
