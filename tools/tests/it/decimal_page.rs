//! A report of scores with decimals in a browser: every figure, picture and filter has them.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these.

use crate::common::browser::Page;
use crate::common::many::{self, Playing};
use crate::common::run_in;
use crate::report_page::{cases_where, click_chart, passing, records, report};
use serde_json::Value;
use tempfile::TempDir;
use tester::case::Source;

/// Hundredths of a score. Files of JSON have the nearest number.
fn hundredths(record: &Value) -> i64 {
    (record["score"].as_f64().unwrap() * 100.0).round() as i64
}

/// Two runs of 30 cases with scores from 0.02 to 0.10; `b` has 0.01 more in every fourth case.
fn two_runs() -> TempDir {
    let dir = TempDir::new().unwrap();
    for (tag, more) in [("a", 0), ("b", 1)] {
        let wrong = move |case: u64| {
            let count = 1 + case % 9 + more * u64::from(case.is_multiple_of(4));
            (0..count).map(|n| format!("{} 8 9", n % 8)).collect()
        };
        let playing = Playing {
            tag,
            command: "./mine",
            source: Source::Seeds {
                problem: "hitblow 3 10".to_owned(),
                seeds: 0..=29,
            },
            wrong: &wrong,
            parameters: &[],
            decimals: 2,
            transcripts_from: 0,
        };
        many::keep(dir.path(), &playing);
    }
    dir
}

#[test]
#[ignore = "needs Chromium"]
fn scores_with_decimals_are_shown_as_on_the_command_line() {
    let dir = two_runs();
    let (a, b) = (records(dir.path(), "a"), records(dir.path(), "b"));
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");
    page.picture("decimals");
    assert_eq!(page.faults(), serde_json::json!([]));

    // The summary is what `tester show` prints, the comparison what `tester compare` prints.
    let summary = page.text("#summary");
    let shown = run_in(dir.path(), &["show", "--history", "h", "a"], "").stdout;
    for row in ["min", "median", "max", "total"] {
        let line = shown.lines().find(|line| line.starts_with(row)).unwrap();
        let value = line.split_whitespace().nth(1).unwrap();
        assert!(value.starts_with("0.") || row == "total", "{line}");
        assert!(summary.contains(value), "{row} {value} in {summary}");
    }
    let compared = run_in(dir.path(), &["compare", "--history", "h", "a", "b"], "").stdout;
    let line = compared.lines().find(|line| line.starts_with("B - A"));
    let difference = line.unwrap().split_whitespace().nth(3).unwrap();
    let figures = page.text("#figures");
    assert!(figures.contains(difference), "{figures}\n{compared}");

    // The table has all decimals, in both columns and in their difference.
    let cells = |case: usize| {
        page.eval(&format!("[fieldsOf(rows[{case}], report, 1)].map((f) => [f.shown0, f.shown1, signed(f.difference)])[0]"))
    };
    for case in [0, 1, 8, 12] {
        let (one, other) = (hundredths(&a[case]), hundredths(&b[case]));
        let text = |n: i64| format!("{}.{:02}", n / 100, n % 100);
        let apart = match other - one {
            0 => "0".to_owned(),
            more => format!("+{}", text(more)),
        };
        assert_eq!(
            cells(case),
            serde_json::json!([text(one), text(other), apart])
        );
    }

    assert_eq!(page.faults(), serde_json::json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn pictures_and_filters_of_scores_with_decimals_lead_to_their_cases() {
    let dir = two_runs();
    let (a, b) = (records(dir.path(), "a"), records(dir.path(), "b"));
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");

    // A bar is one hundredth, and leads to its cases.
    let labels = page.eval("Chart.getChart('differences').data.labels");
    assert_eq!(labels, serde_json::json!(["0.00", "0.01"]));
    click_chart(&page, "differences", 1);
    let expected: Vec<u64> = (0..30)
        .filter(|&case| hundredths(&b[case]) - hundredths(&a[case]) == 1)
        .map(|case| case as u64)
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(passing(&page), expected);
    assert!(page.text("#hidden-filters").starts_with("B − A = 0.01"));
    let label = page.eval("Chart.getChart('histogram').data.labels[0]");
    let least = a.iter().chain(&b).map(hundredths).min().unwrap();
    assert_eq!(label, format!("0.{least:02}"));
    click_chart(&page, "histogram", 0);
    assert_eq!(passing(&page), cases_where(&a, |r| hundredths(r) == least));

    // A point is the cases with both its scores; the axes end near the scores.
    let point = page.eval("Chart.getChart('scatter').data.datasets[0].data[1]");
    click_chart(&page, "scatter", 1);
    let expected = cases_where(&a, |r| {
        let other = &b[r["case"].as_u64().unwrap() as usize];
        r["score"] == point["x"] && other["score"] == point["y"]
    });
    assert_eq!(passing(&page), expected);
    let most = page.eval("Chart.getChart('scatter').scales.x.max");
    assert!(most.as_f64().unwrap() < 0.2, "{most}");

    // What is typed is a score too.
    page.click("[type=reset]");
    page.type_into("#from", "0.03");
    page.type_into("#to", "0.04");
    let expected: Vec<u64> = (0..30)
        .filter(|&case| {
            [&a, &b]
                .iter()
                .any(|run| (3..=4).contains(&hundredths(&run[case])))
        })
        .map(|case| case as u64)
        .collect();
    assert_eq!(passing(&page), expected);
    assert_eq!(page.faults(), serde_json::json!([]));
}

/// Bars end where a reader expects it, and not where the least score happens to be; below 0, none reaches above it.
#[test]
#[ignore = "needs Chromium"]
fn bars_begin_at_round_numbers() {
    let dir = two_runs();
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");
    let bars =
        |values: &str| page.eval(&format!("bins({values}).map((bar) => [bar.from, bar.to])"));
    // 30.2957 over six bars are 5.05 each: 10 is the next round width.
    assert_eq!(
        bars("[50.2152, 61.1, 80.5109], 4"),
        serde_json::json!([[50, 59.9999], [60, 69.9999], [70, 79.9999], [80, 89.9999]])
    );
    // 1154 hundredths over five bars are 2.31 each.
    assert_eq!(
        bars("[-9.03, 2.5], 2"),
        serde_json::json!([[-10, -5.01], [-5, -0.01], [0, 4.99]])
    );
    assert_eq!(page.faults(), serde_json::json!([]));
}
