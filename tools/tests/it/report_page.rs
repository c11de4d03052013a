//! `tester report` in a browser: opened from disk, sorted, filtered, clicked, looked at. Several runs in one report
//! are in `compare_page.rs`.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these. With `SCREENSHOTS` set to a folder,
//! what was seen is kept there.

use std::path::{Path, PathBuf};

use crate::common::browser::Page;
use crate::common::many;
use crate::common::{counter, run_in, script, words};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a page must show as text, wherever it stands.
const MARKUP: &str = "</script><img src=x onerror=alert(1)>";

/// A hundred cases judged for real: run 1 counts up, so that its score is the secret plus one; run 2 counts
/// down, so that it is 10 less the secret, and breaks the protocol at 2.
pub(super) fn two_runs() -> TempDir {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    let down = format!(
        "read -r game; echo 'thinks {MARKUP}' >&2; g=9; while :; do echo '# {MARKUP}'; \
         [ $g = 2 ] && echo '{MARKUP}'; echo $g; read -r h b || exit; [ \"$h\" = 1 ] && exit 0; g=$((g - 1)); done"
    );
    script(dir.path(), "down", &down);
    assert_eq!(batch(dir.path(), "up", &[]), 0);
    assert_eq!(batch(dir.path(), "down", &["--transcripts"]), 1);
    dir
}

/// Judges a program of that name, which is the run's tag too; returns the exit status.
pub(super) fn batch(dir: &Path, name: &str, more: &[&str]) -> i32 {
    let (out, program) = (format!("out-{name}"), format!("./{name}"));
    let usual = words("batch --seeds 0..100 --problem 'hitblow 1 10' --history h");
    let own = ["--out", &out, "--tag", name];
    run_in(
        dir,
        &[&usual[..], &own, more, &["--", &program]].concat(),
        "",
    )
    .status
}

/// Writes a report of these runs; returns where it is.
pub(super) fn report(dir: &Path, runs: &[&str]) -> PathBuf {
    let words = [&["report", "--history", "h", "--to", "r.html"], runs].concat();
    let shown = run_in(dir, &words, "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{shown:?}");
    dir.join("r.html")
}

/// The records of a run, as other programs get them.
pub(super) fn records(dir: &Path, run: &str) -> Vec<Value> {
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
pub(super) fn passing(page: &Page) -> Vec<u64> {
    serde_json::from_value(page.eval("table.getData('active').map((row) => row.case)")).unwrap()
}

pub(super) fn cases_where(records: &[Value], keep: impl Fn(&Value) -> bool) -> Vec<u64> {
    let kept = records.iter().filter(|record| keep(record));
    kept.map(|record| record["case"].as_u64().unwrap())
        .collect()
}

/// Clicks a bar, or a point, of a chart.
pub(super) fn click_chart(page: &Page, canvas: &str, index: usize) {
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
    // What comes first is which of them failed more.
    let failed = cases_where(&records(dir.path(), "down"), |r| r["verdict"] != "AC").len();
    let all = records(dir.path(), "up").len();
    let first = page.text("#figures p");
    let expected = format!("B failed {failed} of {all} cases and A 0: A is safer.");
    assert!(failed > 0 && first.starts_with(&expected), "{first}");
    assert!(first.ends_with("What follows is about the cases that both solved."));
    // Unless nothing follows.
    let first = page.eval("failedFirst({ ...report.pairs[0], figures: null })[0].textContent");
    assert!(
        first
            .as_str()
            .unwrap()
            .ends_with("Failed cases are in no mean.")
    );
    page.click("#language");
    page.wait_for("document.documentElement.lang === 'ja'");
    assert_eq!(page.text("#summary-heading"), "まとめ");
    let first = page.text("#figures p");
    let expected = format!("{all} ケースのうち、B は {failed} 件、A は 0 件失敗しました。");
    assert!(first.starts_with(&expected), "{first}");
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
        let title = page.eval("document.title").to_string();
        assert!(title.contains("実行") && !title.contains(", "), "{title}");
        page.picture("phone");
    }
    page.click(".tabulator-row button.link");
    page.wait_for("document.getElementById('case').open");
    let wide = page.eval("[document.getElementById('details').scrollWidth, document.getElementById('details').clientWidth]");
    assert_eq!(wide[0], wide[1]);
    assert!(page.text("#details").contains("AC、スコア "));
    page.picture("phone-case");
    assert_eq!(page.faults(), json!([]));
}

/// A laptop shows the whole table, whatever the runs' commands are; these stand below it.
#[test]
#[ignore = "needs Chromium"]
fn figures_of_runs_fit_a_window_of_half_a_screen() {
    let dir = TempDir::new().unwrap();
    let long = format!("./up {}", "--beam-width=300 ".repeat(20));
    counter(dir.path(), "up", "");
    let seeds = words("--seeds 0..10 --problem 'hitblow 1 10' --history h");
    for tag in ["first-version", "second-version"] {
        let words: Vec<&str> = long.split_whitespace().collect();
        let words = [
            &["batch"],
            &seeds[..],
            &["--out", tag, "--tag", tag, "--"],
            &words,
        ]
        .concat();
        assert_eq!(run_in(dir.path(), &words, "").status, 0);
    }
    let page = Page::new(960, 900);
    for language in ["en", "ja"] {
        page.open(
            &report(dir.path(), &["1", "2"]),
            &format!("lang={language}"),
        );
        let fits = "place('summary').scrollWidth <= place('summary').clientWidth";
        assert_eq!(page.eval(fits), true, "{language}");
        let own = page.texts("#failures details > summary");
        assert!(own.iter().all(|run| run.contains(long.trim())), "{own:?}");
        assert_eq!(
            page.eval("document.documentElement.scrollWidth <= innerWidth"),
            true
        );
    }
    // What the case is told and its answer are apart.
    page.click(".tabulator-row button.link");
    page.wait_for("document.getElementById('case').open");
    let told = page.texts("#details .answer");
    // Which counts from 0 on.
    let secret = records(dir.path(), "1")[0]["score"].as_u64().unwrap() - 1;
    let answer = format!("答え：\n{secret}");
    assert_eq!(told, ["最初の入力：\nhitblow 1 10", &answer]);
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
