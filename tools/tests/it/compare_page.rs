//! `tester report` of several runs in a browser: figures, charts and cases side by side.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these.

use crate::common::browser::Page;
use crate::common::many;
use crate::common::{counter, run_in, script, write_cases};
use crate::report_page::{batch, cases_where, click_chart, passing, records, report, two_runs};
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
#[ignore = "needs Chromium"]
fn two_runs_are_compared_and_every_picture_leads_to_its_cases() {
    let dir = two_runs();
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["up", "down"]), "");
    let (up, down) = (records(dir.path(), "up"), records(dir.path(), "down"));
    let score = |records: &[Value], case: u64| records[case as usize]["score"].as_u64();
    let failed = cases_where(&down, |r| r["verdict"] == "WA");
    assert!(!failed.is_empty());
    page.picture("compared");

    // The figures are those of `tester compare`.
    let compared = run_in(dir.path(), &["compare", "--history", "h", "up", "down"], "").stdout;
    let line = |name: &str| {
        let line = compared.lines().find(|line| line.starts_with(name));
        line.unwrap().split_once(' ').unwrap().1.trim().to_owned()
    };
    let figures = page.text("#figures").replace('−', "-");
    let difference = line("B - A").trim_start_matches("- A").trim().to_owned();
    let difference = difference.split(' ').next().unwrap();
    assert!(figures.contains(difference), "{figures}\n{compared}");
    assert!(
        figures.contains(line("by case").trim_start_matches("case").trim()),
        "{figures}\n{compared}"
    );
    assert!(
        figures.contains(&format!("only B {}", failed.len())),
        "{figures}"
    );
    // Both call the program by the same name.
    let duel = compared.split('`').nth(1).unwrap();
    assert!(
        duel.ends_with("duel") && figures.contains(&format!("{duel} avoids")),
        "{figures}\n{compared}"
    );

    // A point is the cases with both its scores.
    let point = page.eval("Chart.getChart('scatter').data.datasets[0].data[2]");
    click_chart(&page, "scatter", 2);
    let expected = cases_where(&up, |r| {
        let case = r["case"].as_u64().unwrap();
        Some(r["score"].as_u64()) == Some(point["x"].as_u64())
            && score(&down, case) == point["y"].as_u64()
    });
    assert_eq!(passing(&page), expected);
    assert_eq!(point["count"].as_u64(), Some(expected.len() as u64));

    // A bar of the differences is the cases that differ so.
    let label = page.eval("Chart.getChart('differences').data.labels[0]");
    let wanted: i64 = label.as_str().unwrap().parse().unwrap();
    click_chart(&page, "differences", 0);
    let apart = |case: u64| Some(score(&down, case)? as i64 - score(&up, case)? as i64);
    let expected = cases_where(&up, |r| apart(r["case"].as_u64().unwrap()) == Some(wanted));
    assert_eq!(passing(&page), expected);

    // What only one of them failed.
    page.eval("(place('outcome').value = 'onlyB', place('outcome').dispatchEvent(new Event('input', { bubbles: true })))");
    assert_eq!(passing(&page), failed);
    // The address names this view: opening it shows the same.
    let address = page.eval("location.hash");
    assert_eq!(address, "#outcome=onlyB");
    page.open(
        &dir.path().join("r.html"),
        &format!("outcome=onlyB&case={}", failed[0]),
    );
    assert_eq!(passing(&page), failed);
    assert_eq!(
        page.text("#case-heading"),
        format!("Case {:04} (Seed {})", failed[0], failed[0])
    );
    // By keyboard to the next one, and out.
    page.press("ArrowRight");
    page.wait_for(&format!(
        "document.getElementById('case-heading').innerText.includes('{:04}')",
        failed[1]
    ));
    page.press("Escape");
    page.wait_for("!document.getElementById('case').open");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn points_and_bars_are_read_and_chosen_by_keyboard() {
    let dir = two_runs();
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["up", "down"]), "");
    let (up, down) = (records(dir.path(), "up"), records(dir.path(), "down"));
    let scores = |case: usize| Some((up[case]["score"].as_u64()?, down[case]["score"].as_u64()?));
    let mut points: Vec<_> = (0..up.len()).filter_map(scores).collect();
    // From left to right, and from the bottom up.
    points.sort();
    points.dedup();
    let cases_at = |point| {
        cases_where(&up, |r| {
            scores(r["case"].as_u64().unwrap() as usize) == Some(point)
        })
    };
    let values = |canvas: &str| {
        page.eval(&format!("document.getElementById('{canvas}').parentElement.querySelector('[role=status]').textContent"))
    };
    let told = |point: (u64, u64)| {
        let count = cases_at(point).len();
        let cases = if count == 1 { "case" } else { "cases" };
        format!("A {}, B {}: {count} {cases}", point.0, point.1)
    };
    page.eval("document.getElementById('scatter').focus()");
    assert_eq!(page.eval("document.activeElement.id"), "scatter");
    for (key, point) in [
        ("ArrowRight", 0),
        ("ArrowRight", 1),
        ("End", points.len() - 1),
        ("ArrowDown", points.len() - 1),
        ("ArrowLeft", points.len() - 2),
        ("Home", 0),
        ("ArrowRight", 1),
    ] {
        page.press(key);
        assert_eq!(values("scatter"), told(points[point]), "{key}");
    }
    // What the mouse would show is shown.
    assert_eq!(page.eval("Chart.getChart('scatter').tooltip.opacity"), 1);
    page.picture("point-by-keyboard");
    page.press("Enter");
    assert_eq!(passing(&page), cases_at(points[1]));
    page.press("Escape");
    assert_eq!(values("scatter"), "");
    // A bar of the second run is its own, though all keys were pressed before.
    page.eval("document.getElementById('histogram').focus()");
    page.press("Home");
    page.press("ArrowRight");
    page.press("Enter");
    let hash = page.eval("location.hash");
    assert!(hash.as_str().unwrap().contains("of=1"), "{hash}");
    // Without the focus, nothing is chosen any more.
    page.eval("document.activeElement.blur()");
    assert_eq!(values("histogram"), "");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn what_was_looked_at_stays_when_something_else_changes() {
    let dir = two_runs();
    counter(dir.path(), "third", "");
    assert_eq!(batch(dir.path(), "third", &[]), 0);
    let page = Page::new(1280, 900);
    page.open(
        &report(dir.path(), &["up", "down", "third"]),
        "from=5&to=9&of=0&sort=score0.desc",
    );
    let seen = passing(&page);
    assert!(!seen.is_empty());
    page.click("#language");
    assert_eq!(passing(&page), seen);
    // The link to the cases does not take the view away.
    page.eval("document.getElementById('skip').click()");
    assert_eq!(passing(&page), seen);
    assert_eq!(page.eval("document.activeElement.id"), "cases-heading");
    assert!(
        page.eval("location.hash")
            .as_str()
            .unwrap()
            .contains("lang=ja")
    );

    // A bar leads to as many cases as it counts, of the run that it is of.
    page.click("[type=reset]");
    let counts = page.eval("[0, 1].map((i) => tally(bins(scoresOf(rows, i).concat(scoresOf(rows, 1 - i))), scoresOf(rows, i))[2])");
    page.click_within(
        "document.getElementById('histogram')",
        "((e) => { const c = e.getCenterPoint(); return { x: c.x, y: c.y }; })\
         (Chart.getChart('histogram').getDatasetMeta(1).data[2])",
    );
    assert_eq!(page.eval("view.of"), 1);
    assert_eq!(Some(passing(&page).len() as u64), counts[1].as_u64());

    // A kind of failure leads to the cases that failed so, and what no field shows is said.
    page.click("button.kind");
    let failed = cases_where(&records(dir.path(), "down"), |r| r["verdict"] == "WA");
    let mut seen = passing(&page);
    seen.sort();
    assert_eq!(seen, failed);
    assert!(
        page.text("#hidden-filters")
            .contains("は整数ではありません")
    );
    page.click("#hidden-filters button");
    assert_eq!(passing(&page).len(), 100);

    // Another pair does not keep what was asked of this one.
    click_chart(&page, "scatter", 0);
    assert_ne!(passing(&page).len(), 100);
    page.eval("(place('against').value = 2, place('against').dispatchEvent(new Event('change', { bubbles: true })))");
    assert_eq!(passing(&page).len(), 100);
    assert!(page.text("#figures").contains("C − A"));
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn cases_that_only_one_run_has_are_told_apart() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    for (name, changed) in [("a", 3), ("b", 7)] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
        for case in 0..4 {
            let secret = if case == 2 { changed } else { case };
            let text = format!("hitblow 1 10\n{secret}\n");
            std::fs::write(dir.path().join(format!("{name}/{case:04}.txt")), text).unwrap();
        }
        let out = format!("out-{name}");
        let words = [
            "batch",
            "--cases",
            name,
            "--history",
            "h",
            "--out",
            &out,
            "--tag",
            name,
            "--",
            "./up",
        ];
        assert_eq!(run_in(dir.path(), &words, "").status, 0);
    }
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");
    assert_eq!(page.text("#count"), "5 cases");
    let names = page.texts(".tabulator-row button.link");
    let mut twice: Vec<&String> = names
        .iter()
        .filter(|name| name.starts_with("0002"))
        .collect();
    twice.sort();
    assert_eq!(twice, ["0002", "0002 (2)"]);
    // Each opens its own, and says which run does not have it.
    let scores: Vec<String> = ["2", "2-2"]
        .map(|key| {
            page.eval(&format!(
                "openCase(rows.find((row) => row.key === '{key}').place)"
            ));
            let seen = page.text("#details");
            assert!(seen.contains("does not have the case"), "{seen}");
            let at = seen.find("AC, Score ").unwrap();
            seen[at..].split_whitespace().nth(2).unwrap().to_owned()
        })
        .into();
    assert!(scores == ["4", "8"] || scores == ["8", "4"], "{scores:?}");
    page.click("#close");
    page.type_into("#text", "0002");
    page.wait_for("table.getDataCount('active') === 2");
    page.eval("(place('outcome').value = 'bothFailed', place('outcome').dispatchEvent(new Event('input', { bubbles: true })))");
    assert!(passing(&page).is_empty());
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn cases_of_several_problems_are_told_apart_by_their_parameters() {
    let dir = TempDir::new().unwrap();
    let cases = dir.path().join("in");
    std::fs::create_dir(&cases).unwrap();
    for case in 0..40 {
        let problem = ["hitblow 3 10", "mastermind 3 6"][case % 2];
        let spec = tester::problem::Spec::parse(problem).unwrap();
        let instance = spec.generate(tester::case::Seed(case as u64)).unwrap();
        std::fs::write(cases.join(format!("{case:04}.txt")), instance.to_text()).unwrap();
    }
    // The second run guesses once more in every fourth case, all of the first problem.
    for (tag, more) in [("a", 0), ("b", 1)] {
        let wrong = move |case: u64| {
            let count = 1 + case % 5 + more * u64::from(case.is_multiple_of(4));
            (0..count)
                .map(|n| format!("{} {} 5", n % 2, 2 + n % 3))
                .collect()
        };
        let source = tester::case::Source::Folder(cases.clone());
        let playing = many::Playing {
            tag,
            command: "./mine",
            source,
            wrong: &wrong,
            parameters: &[],
            decimals: 0,
            transcripts_from: 0,
        };
        many::keep(dir.path(), &playing);
    }
    let scores = |run: &str, odd: u64| -> Vec<f64> {
        let all = records(dir.path(), run);
        let own = all
            .iter()
            .filter(|r| r["case"].as_u64().unwrap() % 2 == odd);
        own.map(|r| r["score"].as_f64().unwrap()).collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let page = Page::new(1200, 900);
    page.open(&report(dir.path(), &["a", "b"]), "");
    assert_eq!(
        page.texts("#groups-table tbody th"),
        ["hitblow 3 10", "mastermind 3 6"]
    );
    for (odd, row) in [(0, 1), (1, 2)] {
        let (a, b) = (scores("a", odd), scores("b", odd));
        let cells = page.texts(&format!("#groups-table tbody tr:nth-child({row}) td"));
        assert_eq!((&*cells[0], &*cells[2]), ("20 / 20", "20 / 20"));
        for (cell, expected) in [(1, mean(&a)), (3, mean(&b)), (4, mean(&b) - mean(&a))] {
            let sign = if cell == 4 { "+" } else { "" };
            let shown = format!("{sign}{expected:.4} ");
            assert!(cells[cell].starts_with(&shown), "{cells:?} {shown}");
        }
    }
    page.picture("report-groups");
    // A click leads to the cases.
    page.click("#groups-table tbody tr:nth-child(2) button");
    assert_eq!(passing(&page), (1..40).step_by(2).collect::<Vec<u64>>());
    assert_eq!(page.eval("location.hash"), "#group=1");
    assert_eq!(
        page.text(".chip").trim_end_matches('×').trim(),
        "mastermind 3 6"
    );
    assert_eq!(page.errors(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn scores_that_no_script_can_count_are_still_told_apart() {
    let dir = TempDir::new().unwrap();
    write_cases(dir.path(), ["x"; 3]);
    for (tag, score) in [
        ("a", "9007199254740992"),
        ("b", "9007199254740993"),
        ("c", "0"),
    ] {
        let line = format!("cat {{case}} > {{out}}; echo Score = {score}");
        let words = [
            "batch",
            "--history",
            "h",
            "--external",
            &line,
            "--objective",
            "max",
            "--tag",
            tag,
        ];
        run_in(dir.path(), &words, "");
    }
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["a", "b"]), "outcome=better");
    assert_eq!(passing(&page).len(), 3);
    assert_eq!(
        page.text(".tabulator-row [tabulator-field='difference']"),
        "+1"
    );
    assert_eq!(
        page.text(".tabulator-row [tabulator-field='score1']"),
        "9,007,199,254,740,993"
    );
    // Where nothing was accepted there is nothing to draw, and it is said.
    page.open(&report(dir.path(), &["c"]), "");
    assert!(page.text("#nothing").contains("No case was accepted"));
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn another_judges_cases_show_what_was_written() {
    let dir = TempDir::new().unwrap();
    write_cases(dir.path(), (0..5).map(|case| format!("{case}\n")));
    let judge = script(
        dir.path(),
        "judge",
        "\"$2\" < $1 > $3; echo \"Score = $((1000000 + $(cat $3)))\" >&2",
    );
    let line = format!("{} {{case}} {{command}} {{out}}", judge.display());
    let batch = |name: &str, times: u64| {
        let play = format!("read -r n; echo $((n * {times}))");
        let program = script(dir.path(), name, &play);
        let out = format!("out-{name}");
        let words = [
            "batch",
            "--external",
            &line,
            "--objective",
            "max",
            "--history",
            "h",
            "--out",
            &out,
            "--tag",
            name,
            "--",
            program.to_str().unwrap(),
        ];
        let shown = run_in(dir.path(), &words, "");
        assert_eq!(shown.status, 0, "{shown:?}");
    };
    batch("one", 10);
    batch("two", 20);
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["one", "two"]), "case=3");
    page.wait_for("document.getElementById('case').open");
    let seen = page.text("#details");
    assert!(
        seen.contains("30") && seen.contains("60") && seen.contains("Score = 1000060"),
        "{seen}"
    );
    page.click("#close");
    // More is better: only where both are 0 are they the same.
    assert!(
        page.text("#figures")
            .contains("B better on 4, the same on 1, worse on 0")
    );
    assert!(page.text("h1").contains("more is better"));
    assert_eq!(page.faults(), json!([]));
}
