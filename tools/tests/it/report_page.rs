//! `tester report` in a browser: opened from disk, sorted, filtered, clicked, looked at.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these. With `SCREENSHOTS` set to a folder,
//! what was seen is kept there.

use std::path::{Path, PathBuf};

use crate::common::browser::Page;
use crate::common::many;
use crate::common::{counter, run_in, script};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a page must show as text, wherever it stands.
const MARKUP: &str = "</script><img src=x onerror=alert(1)>";

/// A hundred cases judged for real: run 1 counts up, so that its score is the secret plus one; run 2 counts
/// down, so that it is 10 less the secret, and breaks the protocol at 2.
fn two_runs() -> TempDir {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    let down = format!(
        "read -r game; echo 'thinks {MARKUP}' >&2; g=9; while :; do echo '# {MARKUP}'; \
         [ $g = 2 ] && echo '{MARKUP}'; echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g - 1)); done"
    );
    script(dir.path(), "down", &down);
    assert_eq!(batch(dir.path(), "up", &[]), 0);
    assert_eq!(batch(dir.path(), "down", &["--transcripts"]), 1);
    dir
}

/// Judges a program of that name, which is the run's tag too; returns the exit status.
fn batch(dir: &Path, name: &str, more: &[&str]) -> i32 {
    let (out, program) = (format!("out-{name}"), format!("./{name}"));
    let usual = [
        "batch",
        "--seeds",
        "0..100",
        "--problem",
        "hitblow 1 10",
        "--history",
        "h",
    ];
    let own = ["--out", &out, "--tag", name];
    run_in(
        dir,
        &[&usual[..], &own, more, &["--", &program]].concat(),
        "",
    )
    .status
}

/// Writes a report of these runs; returns where it is.
fn report(dir: &Path, runs: &[&str]) -> PathBuf {
    let words = [&["report", "--history", "h", "--to", "r.html"], runs].concat();
    let shown = run_in(dir, &words, "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{shown:?}");
    dir.join("r.html")
}

/// The records of a run, as other programs get them.
fn records(dir: &Path, run: &str) -> Vec<Value> {
    let shown = run_in(dir, &["show", "--history", "h", "--json", run], "");
    let lines = shown.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// How long it took until something was seen, and until all was there. Looked at, not required: machines are
/// shared.
fn tell_times(page: &Page, file: &Path) {
    let times = page.eval(
        "[rows.length, performance.getEntriesByName('first-contentful-paint')[0].startTime, \
         performance.getEntriesByName('ready')[0].startTime]",
    );
    let bytes = file.metadata().unwrap().len();
    println!(
        "{} cases, {bytes} bytes: first paint {:.0} ms, all there {:.0} ms",
        times[0],
        times[1].as_f64().unwrap(),
        times[2].as_f64().unwrap()
    );
}

/// The numbers of all cases that pass the filters, in their order.
fn passing(page: &Page) -> Vec<u64> {
    serde_json::from_value(page.eval("table.getData('active').map((row) => row.case)")).unwrap()
}

fn cases_where(records: &[Value], keep: impl Fn(&Value) -> bool) -> Vec<u64> {
    let kept = records.iter().filter(|record| keep(record));
    kept.map(|record| record["case"].as_u64().unwrap())
        .collect()
}

/// Clicks a bar, or a point, of a chart.
fn click_chart(page: &Page, canvas: &str, index: usize) {
    page.click_within(
        &format!("document.getElementById('{canvas}')"),
        &format!(
            "((e) => {{ const c = e.getCenterPoint(); return {{ x: c.x, y: c.y }}; }})\
             (Chart.getChart('{canvas}').getDatasetMeta(0).data[{index}])"
        ),
    );
}

#[test]
#[ignore = "needs Chromium"]
fn one_run_is_sorted_filtered_and_opened_by_mouse() {
    let dir = two_runs();
    let page = Page::new(1280, 900);
    let file = report(dir.path(), &["up"]);
    page.open(&file, "");
    tell_times(&page, &file);
    let records = records(dir.path(), "up");
    assert_eq!(page.text("#count"), "100 cases");
    assert!(page.text("#summary").contains("AC 100"));

    // Sorted by score, best first, then worst first.
    let by_score = |page: &Page| -> Vec<u64> {
        serde_json::from_value(page.eval("table.getData('active').map((row) => row.score0)"))
            .unwrap()
    };
    let mut scores: Vec<u64> = records
        .iter()
        .map(|r| r["score"].as_u64().unwrap())
        .collect();
    scores.sort();
    page.click("[tabulator-field='score0'] .tabulator-col-title");
    assert_eq!(by_score(&page), scores);
    page.click("[tabulator-field='score0'] .tabulator-col-title");
    scores.reverse();
    assert_eq!(by_score(&page), scores);
    let first = page.text(".tabulator-row [tabulator-field='score0']");
    assert_eq!(first, scores[0].to_string());

    // A bar of the histogram is the cases with that score.
    click_chart(&page, "histogram", 3);
    let four = cases_where(&records, |r| r["score"] == 4);
    let mut seen = passing(&page);
    seen.sort();
    assert_eq!(seen, four);
    assert_eq!(page.text("#count"), format!("{} of 100 cases", four.len()));
    page.picture("filtered");

    // So is a filter that is typed, and it can be cleared.
    page.click("[type=reset]");
    assert_eq!(page.text("#count"), "100 cases");
    page.type_into("#from", "9");
    let nine = cases_where(&records, |r| r["score"].as_u64() >= Some(9));
    page.wait_for(&format!("table.getDataCount('active') === {}", nine.len()));

    // A case is opened by a click on its row, and told turn by turn: the guesses are 0, 1, 2 …
    page.click(".tabulator-row [tabulator-field='seed']");
    page.wait_for("document.getElementById('case').open");
    let guesses = page.texts("#details .turns td:nth-child(2)");
    let replies = page.texts("#details .turns td:nth-child(3)");
    let counted: Vec<String> = (0..guesses.len()).map(|n| n.to_string()).collect();
    assert!(guesses.len() >= 9);
    assert_eq!(guesses, counted);
    assert_eq!(replies.last().unwrap(), "1 0");
    assert!(
        replies[..replies.len() - 1]
            .iter()
            .all(|reply| reply == "0 0")
    );
    page.picture("case");
    page.click("#close");
    page.wait_for("!document.getElementById('case').open");
    assert_eq!(page.faults(), json!([]));
}

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
    // The address is that of this view: whoever opens it sees the same.
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
fn what_a_contestant_writes_stays_text() {
    let dir = two_runs();
    let tag = format!("<b>{MARKUP}");
    script(dir.path(), "quits", &format!("echo '{MARKUP}' >&2; exit 3"));
    let words = [
        "batch",
        "--seeds",
        "0..3",
        "--problem",
        "hitblow 1 10",
        "--history",
        "h",
        "--out",
        "q",
        "--tag",
        &tag,
        "--comment",
        MARKUP,
        "--",
        "./quits",
        MARKUP,
    ];
    assert_eq!(run_in(dir.path(), &words, "").status, 1);
    let page = Page::new(1280, 900);
    for (runs, case) in [(&["down"][..], 3), (&[tag.as_str()][..], 1)] {
        let file = report(dir.path(), runs);
        page.open(&file, "");
        let failed: Vec<u64> = serde_json::from_value(
            page.eval("rows.filter((row) => row.runs[0].score == null).map((row) => row.id)"),
        )
        .unwrap();
        assert!(failed.len() >= case.min(2));
        page.open(&file, &format!("case={}", failed[0]));
        page.wait_for("document.getElementById('case').open");
        let seen = page.text("#details");
        assert!(seen.contains(MARKUP), "{seen}");
        assert_eq!(page.eval("document.querySelectorAll('img, b').length"), 0);
        assert_eq!(page.faults(), json!([]));
    }
    page.picture("markup");
    // Nor where something is shown only when the mouse rests on it; and what came in as markup would not run.
    page.click("#close");
    let cell = "document.querySelector(\".tabulator-row [tabulator-field='why']\")";
    page.eval(&format!(
        "{cell}.dispatchEvent(new MouseEvent('mouseover', {{ bubbles: true }}))"
    ));
    page.eval(&format!(
        "{cell}.dispatchEvent(new MouseEvent('mousemove', {{ bubbles: true }}))"
    ));
    page.wait_for("document.querySelector('.tabulator-tooltip') !== null");
    assert_eq!(page.eval("document.querySelectorAll('img, b').length"), 0);
    assert_eq!(page.faults(), json!([]));
    page.eval("document.body.insertAdjacentHTML('beforeend', '<i onclick=\"document.title = 1337\">x</i>')");
    page.eval("document.querySelector('i').click()");
    assert_ne!(page.eval("document.title"), "1337");
}

#[test]
#[ignore = "needs Chromium"]
fn it_is_read_in_japanese_in_the_dark_and_on_a_phone() {
    let dir = two_runs();
    let file = report(dir.path(), &["up", "down"]);
    let page = Page::new(1280, 900);
    page.open(&file, "");
    assert_eq!(page.text("#summary-heading"), "Summary");
    page.click("#language");
    page.wait_for("document.documentElement.lang === 'ja'");
    assert_eq!(page.text("#summary-heading"), "まとめ");
    // No word is missing in either language.
    let missing = page.eval(
        "Object.keys({...WORDS.en, ...WORDS.ja}).filter((key) => !(key in WORDS.en && key in WORDS.ja))",
    );
    assert_eq!(missing, json!([]));
    let ground = "getComputedStyle(document.body).backgroundColor";
    let light = page.eval(ground);
    page.dark(true);
    page.wait_for(&format!("{ground} !== {light}"));
    page.picture("dark-japanese");
    page.dark(false);

    page.resize(390, 844, true);
    for runs in [&["up"][..], &["up", "down"]] {
        page.open(&report(dir.path(), runs), "lang=ja");
        assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
        page.picture("phone");
    }
    page.click(".tabulator-row button.link");
    page.wait_for("document.getElementById('case').open");
    let wide = page.eval("[document.getElementById('details').scrollWidth, document.getElementById('details').clientWidth]");
    assert_eq!(wide[0], wide[1]);
    page.picture("phone-case");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn by_keyboard_alone() {
    let dir = two_runs();
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["up"]), "");
    page.eval("document.querySelector(\"[tabulator-field='score0']\").focus()");
    page.press("Enter");
    page.wait_for("table.getSorters()[0]?.field === 'score0'");
    page.eval("document.querySelector('.tabulator-row button.link').focus()");
    page.press("Enter");
    page.wait_for("document.getElementById('case').open");
    page.press("Escape");
    page.wait_for("!document.getElementById('case').open");
    // Whatever can be used has a name.
    let nameless = page.eval(
        "[...document.querySelectorAll('button, input, select, canvas')].filter((e) => !(e.textContent.trim() || \
         e.labels?.[0]?.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')))\
         .map((e) => e.id)",
    );
    assert_eq!(nameless, json!([]));
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
    assert!(page.text("#hidden-filters").contains("is not an integer"));
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
fn an_odd_address_shows_the_report_all_the_same() {
    let dir = two_runs();
    let file = report(dir.path(), &["up", "down"]);
    let page = Page::new(1280, 900);
    for odd in [
        "lang=constructor",
        "lang=__proto__&verdict=XX&from=Infinity&to=x",
        "against=1.5&pair=,&difference=1&of=9&kind=0&outcome=toString",
        "case=constructor&sort=nothing.asc",
        "sort=__proto__",
        "%E0%A4%A",
    ] {
        page.open(&file, odd);
        assert_eq!(
            (passing(&page).len(), page.faults()),
            (100, json!([])),
            "{odd}"
        );
        assert!(page.text("#figures").contains("B − A"), "{odd}");
    }
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
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for case in 0..3 {
        std::fs::write(dir.path().join(format!("in/{case:04}.txt")), "x").unwrap();
    }
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
        "9007199254740993"
    );
    // Where nothing was accepted there is nothing to draw, and it is said.
    page.open(&report(dir.path(), &["c"]), "");
    assert!(page.text("#nothing").contains("No case was accepted"));
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn ten_thousand_cases_open_sort_and_filter_as_a_hundred_do() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "many", 10_000);
    let file = report(dir.path(), &["many"]);
    let page = Page::new(1280, 900);
    page.open(&file, "");
    assert_eq!(page.text("#count"), "10000 cases");
    tell_times(&page, &file);
    let drawn = page.eval("document.querySelectorAll('.tabulator-row').length");
    assert!(
        drawn.as_u64().unwrap() < 200,
        "only what is seen is drawn: {drawn}"
    );
    page.picture("many");
    page.click("[tabulator-field='score0'] .tabulator-col-title");
    page.click("[tabulator-field='score0'] .tabulator-col-title");
    let most =
        page.eval("Math.max(...table.getData('active').slice(0, 100).map((row) => row.score0))");
    assert_eq!(
        page.text(".tabulator-row [tabulator-field='score0']"),
        most.to_string()
    );
    page.type_into("#text", "9999");
    page.wait_for("table.getDataCount('active') === 1");
    page.click(".tabulator-row button.link");
    page.wait_for("document.getElementById('case').open");
    assert_eq!(page.text("#case-heading"), "Case 9999 (Seed 9999)");
    // As many turns as were played, the last one right.
    let turns = page.texts("#details .turns td:nth-child(3)");
    assert_eq!(turns.len(), 9999 % 37 + 1);
    assert_eq!(turns.last().unwrap(), "3 0");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn another_judges_cases_show_what_was_written() {
    let dir = TempDir::new().unwrap();
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for case in 0..5 {
        std::fs::write(
            dir.path().join(format!("in/{case:04}.txt")),
            format!("{case}\n"),
        )
        .unwrap();
    }
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
