//! `tester report` of runs whose cases have parameters, in a browser: columns, filters, pictures and groups.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these.

use crate::common::browser::Page;
use crate::common::many::{self, Playing};
use crate::parameters::two_runs;
use crate::report_page::{cases_where, passing, records, report};
use serde_json::{Value, json};
use tempfile::TempDir;
use tester::case::Source;

/// The cases whose parameter is within bounds, as exports tell them.
fn cases_within(records: &[Value], name: &str, low: f64, high: f64) -> Vec<u64> {
    cases_where(records, |record| {
        let value = record["parameters"][name].as_f64().unwrap();
        (low..=high).contains(&value)
    })
}

/// Clicks a point of a set in a picture.
fn click_point(page: &Page, canvas: &str, set: usize, index: usize) {
    page.click_within(
        &format!("document.getElementById('{canvas}')"),
        &format!(
            "((e) => {{ const c = e.getCenterPoint(); return {{ x: c.x, y: c.y }}; }})\
             (Chart.getChart('{canvas}').getDatasetMeta({set}).data[{index}])"
        ),
    );
}

#[test]
#[ignore = "needs Chromium"]
fn parameters_are_columns_that_sort_and_filter() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let records = records(dir.path(), "a");
    let page = Page::new(1280, 900);
    let file = report(dir.path(), &["a"]);
    page.open(&file, "");
    let column = |field: &str| page.texts(&format!(".tabulator-row [tabulator-field='{field}']"));
    assert_eq!(column("parameter1")[..3], ["0.01", "0.02", "0.03"]);
    // Both runs have the same best score on half of the cases, and `a` has it on all.
    assert!(column("relative0").iter().all(|text| text == "100.00"));
    page.click("[tabulator-field='parameter0'] .tabulator-col-title");
    page.click("[tabulator-field='parameter0'] .tabulator-col-title");
    let sorted: Vec<u64> =
        serde_json::from_value(page.eval("table.getData('active').map((row) => row.parameter0)"))
            .unwrap();
    assert!(sorted.is_sorted_by(|a, b| a >= b) && sorted[0] == 12);

    // A range that is typed, and what the address makes of it.
    page.open(&file, "");
    page.type_into("#parameter-filters input[aria-label='N from']", "11");
    page.type_into("#parameter-filters input[aria-label='eps to']", "0.04");
    let both = |case: &u64| cases_within(&records, "eps", 0.0, 0.04).contains(case);
    let mut expected = cases_within(&records, "N", 11.0, 99.0);
    expected.retain(both);
    page.wait_for(&format!(
        "table.getDataCount('active') === {}",
        expected.len()
    ));
    assert_eq!(passing(&page), expected);
    assert_eq!(page.eval("location.hash"), "#p.N=11..&p.eps=..0.04");
    page.open(&file, "p.N=12..12&p.M=1..2&p.eps=x..");
    assert_eq!(passing(&page), cases_within(&records, "N", 12.0, 12.0));
    assert_eq!(
        page.eval("document.querySelector('#parameter-filters input').value"),
        "12"
    );
    page.click("[type=reset]");
    assert_eq!(passing(&page).len(), 12);

    // A value of the table is its cases; a case says its own.
    assert_eq!(
        page.texts("#parameter-table tbody tr:first-child th"),
        ["N", "10", "eps", "0.01"]
    );
    page.click("#parameter-table tbody:nth-of-type(2) tr:nth-child(3) button");
    assert_eq!(passing(&page), cases_within(&records, "eps", 0.03, 0.03));
    page.click(".tabulator-row button.link");
    page.wait_for("document.getElementById('case').open");
    assert!(page.text("#details").contains("N=12 eps=0.03"));
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn a_point_of_a_picture_is_its_cases_by_score_relative_score_and_difference() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let (a, b) = (records(dir.path(), "a"), records(dir.path(), "b"));
    let score = |records: &[Value], case: u64| records[case as usize]["score"].as_f64().unwrap();
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");
    for (measure, of) in [
        ("score", &(|case| score(&b, case)) as &dyn Fn(u64) -> f64),
        // Less is better, and of the two runs `a` is never worse.
        ("relative", &|case| {
            100.0 * score(&a, case) / score(&b, case)
        }),
        ("difference", &|case| score(&b, case) - score(&a, case)),
    ] {
        page.eval(&format!(
            "(place('measure').value = '{measure}', place('measure').dispatchEvent(new Event('change', {{ bubbles: true }})))"
        ));
        // The points of run B are the second set, except where only B has a value.
        let set = usize::from(measure != "difference");
        let point = page.eval(&format!(
            "Chart.getChart('parameter-1').data.datasets[{set}].data[4]"
        ));
        click_point(&page, "parameter-1", set, 4);
        let (x, y) = (point["x"].as_f64().unwrap(), point["y"].as_f64().unwrap());
        let near = |case: u64| (of(case) - y).abs() < 0.01;
        let mut expected = cases_within(&b, "eps", x, x);
        expected.retain(|case| near(*case));
        assert!(!expected.is_empty());
        assert_eq!(passing(&page), expected, "{measure} {point}");
        assert_eq!(
            point["count"].as_u64(),
            Some(expected.len() as u64),
            "{measure}"
        );
        page.picture(&format!("parameters-{measure}"));
    }
    // The address keeps the measure.
    assert!(
        page.eval("location.hash")
            .as_str()
            .unwrap()
            .contains("measure=difference")
    );
    // B takes two turns more above 0.03: means and differences say so. Two cases that both differ by 2 have no interval.
    let table = page.texts("#parameter-table tbody:nth-of-type(2) tr td:last-child");
    let expected = ["+0.0000 ± 0.0000", "+0.0000 ± 0.0000", "+0.0000 ± 0.0000"];
    assert_eq!(table[..3], expected);
    assert_eq!(table[3..], ["+2.0000", "+2.0000", "+2.0000"]);
    // Its relative scores: 2 / 4, 3 / 5 and 4 / 6.
    let relative = page.texts("#parameter-table tbody:nth-of-type(2) tr td:nth-last-child(2)");
    assert_eq!(
        relative,
        ["100.00", "100.00", "100.00", "50.00", "60.00", "66.67"]
    );
    // Two cases with each eps, and four with each N, are too few for words.
    assert_eq!(page.text("#where"), "");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn many_values_are_seen_on_a_large_and_on_a_small_screen() {
    let dir = TempDir::new().unwrap();
    let n = |case: u64| (10 + case * 7 % 11) as f64;
    let m = |case: u64| (2 + case * 13 % 19) as f64;
    let eps = |case: u64| (1 + case * 17 % 20) as f64 / 100.0;
    for (tag, more) in [("a", 0), ("b", 1)] {
        let wrong = move |case: u64| {
            let count = case * 7 % 11 + case % 5 + more * (case * 13 % 19 / 4);
            (0..count).map(|n| format!("{} 8 9", n % 8)).collect()
        };
        let source = Source::Seeds {
            problem: "hitblow 3 10".to_owned(),
            seeds: 0..=99,
        };
        let parameters: [(&str, &dyn Fn(u64) -> f64); 3] = [("N", &n), ("M", &m), ("<b>eps", &eps)];
        let playing = Playing {
            tag,
            command: "./mine",
            source,
            wrong: &wrong,
            parameters: &parameters,
            decimals: 0,
            transcripts_from: 0,
        };
        many::keep(dir.path(), &playing);
    }
    let page = Page::new(1280, 900);
    for (runs, name) in [(&["a"][..], "one"), (&["a", "b"], "two")] {
        let file = report(dir.path(), runs);
        for (width, height) in [(1280, 900), (390, 844)] {
            page.resize(width, height, width < 600);
            page.open(&file, "");
            let fits = "document.documentElement.scrollWidth <= innerWidth";
            assert_eq!(page.eval(fits), true, "{name} at {width}");
            page.eval("place('parameters').scrollIntoView()");
            page.picture(&format!("parameters-{name}-{width}"));
            page.eval("place('parameter-table').scrollIntoView()");
            page.picture(&format!("parameters-table-{name}-{width}"));
            page.eval("place('cases').scrollIntoView()");
            page.picture(&format!("parameters-cases-{name}-{width}"));
        }
        // 11, 19 and 20 values: thirds of the cases.
        let rows = page.texts("#parameter-table tbody tr th:last-of-type");
        assert_eq!(rows.len(), 9, "{rows:?}");
        // A name is text, wherever it stands.
        assert_eq!(page.eval("document.querySelectorAll('b').length"), 0);
        let heads = page.texts("[tabulator-field='parameter2'] .tabulator-col-title");
        assert_eq!(heads, ["<b>eps"]);
        // Whatever can be used has a name.
        let nameless = page.eval(
            "[...document.querySelectorAll('button, input, select, canvas')].filter((e) => !(e.textContent.trim() || \
             e.labels?.[0]?.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')))\
             .map((e) => e.id)",
        );
        assert_eq!(nameless, json!([]));
        assert_eq!(page.faults(), json!([]));
    }
    page.open(&report(dir.path(), &["a", "b"]), "lang=ja&measure=relative");
    assert_eq!(page.text("#parameters-heading"), "パラメータ別");
    // A problem without parameters has nothing of all this.
    many::played(dir.path(), "plain", 20);
    page.open(&report(dir.path(), &["plain"]), "");
    assert_eq!(page.eval("place('parameters').hidden"), true);
    assert_eq!(page.eval("place('parameter-filters').children.length"), 0);
    assert_eq!(
        page.eval("document.querySelectorAll(\"[tabulator-field='relative0']\").length"),
        0
    );
    assert_eq!(page.faults(), json!([]));
}
