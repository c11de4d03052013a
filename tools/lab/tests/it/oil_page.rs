//! The page of `lab oil` in a browser. Needs Chromium (`scripts/test`).

use tempfile::TempDir;

use crate::browser::Page;
use crate::cli::run_in;
use crate::oil::small_case;

#[test]
#[ignore = "needs Chromium"]
fn what_was_known_is_gone_through_beside_the_truth() {
    let dir = TempDir::new().unwrap();
    small_case(dir.path());
    let args = ["oil", "0003.txt", "session.txt", "--work", "0.001"];
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    let page = Page::new(1280, 900);
    page.open(&dir.path().join("oil.html"), "turn=0");
    // Nothing is known, and every field is drawn in the picture of the truth.
    assert!(page.text(".beside").contains("Before the first operation"));
    assert_eq!(page.texts(".cells").len(), 2);
    let look = "(cell) => [heat.labels.get(cell)?.textContent ?? '', heat.rects.get(cell)?.getAttribute('fill') ?? 'none']";
    let first = page.eval(&format!("({look})(0)"));
    // The drilled cell becomes sure; back at the beginning it is as before.
    page.press("ArrowRight");
    page.wait_for("player.at === 1");
    assert!(page.text(".beside").contains("drill of 1 cell"));
    assert_eq!(
        page.eval("Math.abs(states[1].oil[0] - Math.round(states[1].oil[0])) < 1e-3"),
        true
    );
    assert_eq!(page.eval("heat.tint.getAttribute('d')"), "");
    page.press("Home");
    page.wait_for("player.at === 0");
    assert_eq!(page.eval(&format!("({look})(0)")), first);
    // Every cell looks as its probability says, whatever way led there.
    page.press("End");
    page.wait_for("player.at === 4");
    let wrong = "states.at(-1).oil.findIndex((p, cell) => (heat.labels.get(cell)?.textContent ?? '') !== heatText(p) || (heat.fills[cell] ?? '') !== heatFill(p))";
    assert_eq!(page.eval(wrong), -1);
    page.picture("oil-desktop");
    page.resize(390, 844, true);
    let fits = || page.eval("document.documentElement.scrollWidth <= 390");
    assert_eq!(fits(), true, "English");
    page.click("#language");
    assert!(page.text(".beside").contains("最有力の解答の確率"));
    assert_eq!(fits(), true, "Japanese");
    page.picture("oil-phone");
    assert_eq!(page.faults(), serde_json::json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn both_languages_have_the_same_words() {
    let dir = TempDir::new().unwrap();
    small_case(dir.path());
    let args = ["oil", "0003.txt", "session.txt", "--work", "0.001"];
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    let page = Page::new(800, 600);
    page.open(&dir.path().join("oil.html"), "");
    let keys = |language: &str| page.eval(&format!("Object.keys(WORDS.{language}).sort()"));
    assert_eq!(keys("en"), keys("ja"));
}
