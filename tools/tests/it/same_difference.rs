//! Comparisons of two runs that differ by the same on every case: nothing is known of the spread.

use std::path::Path;

use crate::common::browser::Page;
use crate::common::{run_in, script, write_cases};
use serde_json::json;
use tempfile::{TempDir, tempdir};

/// `./more 1` needs one more than `./more 0` on each of `count` cases, and both are judged.
fn runs(count: usize) -> TempDir {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), (10..10 + count).map(|size| format!("{size}\n")));
    script(dir.path(), "more", "read -r n; echo $((n + $1))");
    let file = "version = 1\n[judge]\nobjective = \"min\"\nexternal = \"{command} < {case} > {out} && echo Score = $(cat {out})\"\n";
    std::fs::write(dir.path().join("tester.toml"), file).unwrap();
    for more in ["0", "1"] {
        let shown = run_in(dir.path(), &["batch", "--", "./more", more], "");
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    dir
}

/// What `compare` says of difference and p, and concludes from them, on one line.
fn compared(dir: &Path) -> String {
    let shown = run_in(dir, &["compare"], "").stdout;
    let from = shown.find("B - A").unwrap();
    let words = shown[from..].split("cases that changed").next();
    words
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_few_such_cases_show_nothing_and_no_interval_is_spoken_of() {
    // 2 of 2^2 rows have one sign only, 2 of 2^5, and 2 of 2^6.
    insta::assert_snapshot!(compared(runs(2).path()), @"B - A +1.0000 (the same on every case: no interval) by case B better on 0, the same on 0, worse on 2 p 0.5000 (sign test, two-sided) Not decided: the cases are too few. The difference is the same on every case, so its spread is unknown. If both were equally good, all cases would favour the same one in 50 of 100 comparisons.");
    insta::assert_snapshot!(compared(runs(5).path()), @"B - A +1.0000 (the same on every case: no interval) by case B better on 0, the same on 0, worse on 5 p 0.0625 (sign test, two-sided) Not decided: the cases are too few. The difference is the same on every case, so its spread is unknown. If both were equally good, all cases would favour the same one in 62 of 1000 comparisons.");
    insta::assert_snapshot!(compared(runs(6).path()), @"B - A +1.0000 (the same on every case: no interval) by case B better on 0, the same on 0, worse on 6 p 0.0312 (sign test, two-sided) A is better than B on cases like these. If both were equally good, a difference this large would occur in 31 of 1000 comparisons. The difference is the same on every case here, and may differ on other kinds of cases. If you compare many variants, or look again after every few cases, one in twenty will look better by chance; `tester duel` avoids this.");
    insta::assert_snapshot!(compared(runs(1).path()), @"B - A +1.0000 (one case: no interval) by case B better on 0, the same on 0, worse on 1 One case shows nothing about other cases.");
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_says_so_in_both_languages() {
    let dir = runs(2);
    let shown = run_in(dir.path(), &["report", "1", "2"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = Page::new(1280, 900);
    page.open(&dir.path().join("out/report.html"), "");
    let english = page.text("#figures p");
    insta::assert_snapshot!(english, @"Not decided: the cases are too few. The difference is the same on every case, so its spread is unknown. If both were equally good, all cases would favour the same one with probability 0.5000.");
    page.click("#language");
    let japanese = page.text("#figures p");
    insta::assert_snapshot!(japanese, @"ケースが少なすぎるため、どちらが優れているとも言えません。全ケースで差が同じなので、ばらつきがわかりません。実力が同じでも、全ケースで同じほうが勝つ確率は 0.5000 です。");
    assert_eq!(page.faults(), json!([]));
}
