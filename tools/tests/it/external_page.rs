//! `tester report` of runs before a contest's own tester, in a browser: parameters, pictures by the contest's visualizer,
//! input and output.
//!
//! Needs Chromium: `scripts/test` finds or installs it and runs these.

use std::path::{Path, PathBuf};

use crate::case_parameters::{batch, contest};
use crate::common::browser::Page;
use crate::common::{run_in, script, words, write_cases};
use crate::report_page::passing;
use serde_json::json;
use tempfile::TempDir;

/// A page with a script, as a visualizer writes it. The script tells the page around it what it could do.
const DRAWN: &str = "<!DOCTYPE html><title>vis</title><p id='by'>no script has run</p><script>\n\
    const reach = (what) => { try { return String(what()); } catch (error) { return error.name; } };\n\
    const told = { parent: reach(() => parent.document.title), storage: reach(() => localStorage.length), top: reach(() => { top.location.href = 'about:blank'; return 'left'; }) };\n\
    document.getElementById('by').textContent = 'drawn by a script';\n\
    const load = (key, promise) => promise.then(() => 'loaded', () => 'refused').then((text) => { told[key] = text; });\n\
    const image = new Image();\n\
    const loaded = new Promise((yes, no) => { image.onload = yes; image.onerror = no; image.src = 'http://127.0.0.1:9/x.png'; });\n\
    Promise.all([load('fetch', fetch('http://127.0.0.1:9/')), load('image', loaded)]).then(() => parent.postMessage(told, '*'));\n\
    </script>";

/// Two runs of sixty cases with parameters, `fast` and `slow`; the two worst cases of each are drawn.
pub(super) fn two_runs(dir: &Path) {
    contest(dir);
    std::fs::write(dir.join("drawn.html"), DRAWN).unwrap();
    let vis = "cat \"${0%/*}/../../../../../drawn.html\" > vis.html; read -r n m < $1\n\
               echo \"<svg width='640' height='400' viewBox='0 0 640 400'><rect width='640' height='400' fill='#def'/><circle cx='320' cy='200' r='$((n * 9))' fill='#0072b2'><title>N = $n</title></circle></svg>\" >> vis.html";
    script(dir, "v", vis);
    for program in ["fast", "slow"] {
        let vis = words("--parameters 'N M' --vis './v {case} {out}' --vis-worst 2");
        let shown = batch(dir, program, &vis);
        assert!(shown.stderr.contains("drawn      00"), "{shown:?}");
    }
}

fn report(dir: &Path, runs: &[&str]) -> PathBuf {
    let words = [&["report", "--to", "r.html"], runs].concat();
    let shown = run_in(dir, &words, "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{shown:?}");
    dir.join("r.html")
}

/// Remembers what is copied, and what frames say.
fn listen(page: &Page) {
    page.eval(
        "(() => { Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } }, configurable: true });\
         window.told = []; addEventListener('message', (event) => told.push([event.origin, event.data])); })()",
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_case_shows_its_picture_fenced_and_input_and_output_to_copy() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let file = report(dir.path(), &["fast"]);
    let page = Page::new(1280, 900);
    page.open(&file, "");
    listen(&page);
    page.eval("location.hash = '#case=55'");
    page.wait_for("document.getElementById('case').open && told.length > 0");
    // Its script has run, and has reached nothing.
    let told = page.eval("told[0]");
    let expected = json!({ "parent": "SecurityError", "storage": "SecurityError", "top": "SecurityError", "fetch": "refused", "image": "refused" });
    assert_eq!(told, json!(["null", expected]));
    assert_eq!(
        page.eval("document.querySelector('iframe').getAttribute('sandbox')"),
        "allow-scripts"
    );
    assert!(
        page.text("#details figcaption")
            .ends_with("out/runs/1/vis/0055/vis.html")
    );
    assert_eq!(page.text("#details .mono"), "N=19 M=1 loops=361");
    let heads = page.texts("#details .copied h4");
    assert_eq!(heads, ["in/0055.txt", "0055.txt", "0055.err"]);
    let copied = |at: usize| {
        page.click_within(
            &format!("document.querySelectorAll('.copied button')[{at}]"),
            "({ x: 5, y: 5 })",
        );
        page.wait_for("window.copied !== undefined");
        let text = page.eval("copied");
        page.eval("(window.copied = undefined)");
        text
    };
    assert_eq!(
        copied(0),
        std::fs::read_to_string(dir.path().join("in/0055.txt")).unwrap()
    );
    assert_eq!(copied(1), "Score = 19006\n");
    // A case that was not drawn has the rest of it.
    page.eval("location.hash = '#case=3'");
    page.wait_for("document.querySelector('#case-heading').textContent.includes('0003')");
    assert_eq!(
        page.eval("document.querySelectorAll('#details iframe').length"),
        0
    );
    assert_eq!(
        page.eval("document.querySelector('#details details pre').textContent"),
        "tester vis in/0003.txt --run 1"
    );
    assert_eq!(
        page.texts("#details .copied h4"),
        ["in/0003.txt", "0003.txt", "0003.err"]
    );
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn parameters_of_another_judge_are_drawn_filtered_and_compared_in_words() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let page = Page::new(1280, 900);
    page.open(&report(dir.path(), &["fast", "slow"]), "");
    let captions = page.texts("#parameter-charts figcaption");
    assert_eq!(
        captions,
        ["Score against N", "Score against M", "Score against loops"]
    );
    let points = page.eval("Chart.getChart('parameter-0').data.datasets[0].data.reduce((sum, point) => sum + point.count, 0)");
    assert_eq!(points, 60);
    let heads = page.texts("[tabulator-field^='parameter'] .tabulator-col-title");
    assert_eq!(heads, ["N", "M", "loops"]);
    page.type_into("#parameter-filters input", "18");
    page.wait_for("table.getDataCount('active') === 12");
    let cases = passing(&page);
    assert_eq!((cases[0], cases[11]), (48, 59));
    page.click("[type=reset]");
    let told = page.texts("#where li");
    let expected = [
        "where N ≥ 17: +10.0 % (p < 0.0001)",
        "where loops ≥ 289: +10.0 % (p < 0.0001)",
        "where N ≤ 12: −1.0 % (p < 0.0001)",
    ];
    assert_eq!(told[..3], expected, "{told:?}");
    page.click("#language");
    page.wait_for("document.documentElement.lang === 'ja'");
    assert_eq!(
        page.texts("#where li")[0],
        "N が 17 以上：+10.0 % (p < 0.0001)"
    );
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn a_report_of_another_judge_fits_large_and_small_screens_in_both_languages() {
    let dir = TempDir::new().unwrap();
    two_runs(dir.path());
    let page = Page::new(1280, 900);
    for (runs, name) in [(&["fast"][..], "one"), (&["fast", "slow"], "two")] {
        let file = report(dir.path(), runs);
        for (width, height) in [(1280, 900), (390, 844)] {
            page.resize(width, height, width < 600);
            for language in ["en", "ja"] {
                page.open(&file, &format!("lang={language}"));
                listen(&page);
                let fits = "document.documentElement.scrollWidth <= innerWidth";
                assert_eq!(page.eval(fits), true, "{name} {width} {language}");
                page.eval("place('where').scrollIntoView()");
                page.picture(&format!("external-where-{name}-{width}-{language}"));
                page.eval("location.hash = '#case=55&lang=' + language");
                page.wait_for(&format!(
                    "document.getElementById('case').open && told.length >= {}",
                    runs.len()
                ));
                let fits = "place('details').scrollWidth <= place('details').clientWidth";
                assert_eq!(page.eval(fits), true, "case, {name} {width} {language}");
                page.picture(&format!("external-case-{name}-{width}-{language}"));
                page.eval("place('case').scrollTop = 1e6");
                page.picture(&format!("external-texts-{name}-{width}-{language}"));
            }
        }
    }
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn a_report_of_one_case_has_no_distribution_and_no_empty_rows() {
    let dir = TempDir::new().unwrap();
    write_cases(dir.path(), ["15 2\n"]);
    let line = "echo Score = 94315384; cat {case}";
    let shown = run_in(dir.path(), &["batch", "--external", line], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = Page::new(420, 900);
    page.open(&report(dir.path(), &[]), "case=0");
    page.wait_for("document.getElementById('case').open");
    assert_eq!(
        page.eval("document.getElementById('distribution').hidden"),
        true
    );
    assert!(page.text("#details").contains("Score 94,315,384"));
    // What is below its only row is less than another row.
    let free = page.eval(
        "document.querySelector('.tabulator-tableholder').getBoundingClientRect().bottom - document.querySelector('.tabulator-row').getBoundingClientRect().bottom",
    );
    assert!((0.0..30.0).contains(&free.as_f64().unwrap()), "{free}");
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 420);
}
