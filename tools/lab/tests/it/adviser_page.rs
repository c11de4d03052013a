//! The Adviser of `lab serve` in a browser: a game that is played elsewhere. Needs Chromium (`scripts/test`).

use crate::browser::Page;
use crate::serve_page::no_faults;
use crate::serving::Serving;
use serde_json::json;
use tempfile::TempDir;

#[test]
#[ignore = "needs Chromium"]
fn the_adviser_takes_other_digits_and_other_probabilities() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/board?problem=hitblow+3+9"));
    page.wait_for("document.querySelector('#left') !== null");
    page.click("details summary");
    let set = |id: &str, value: &str| {
        page.eval(&format!(
            "(place('{id}').value = {}, place('{id}').dispatchEvent(new Event('change')))",
            json!(value)
        ));
    };
    set("digits", "abcdefghi");
    set("prior", "bde 3\necf 1\nghi 7");
    page.wait_for(
        "document.querySelector('#left')?.innerText.includes('3 candidates, not equally likely')",
    );
    page.type_into("#guess", "abc");
    page.type_into("#reply", "0 1");
    page.press("Enter");
    page.wait_for("document.querySelector('#left')?.innerText.includes('2 candidates')");
    assert_eq!(page.eval("place('guess').placeholder"), "abc");
    // What each reply would leave opens below its guess; a guess that is clicked is taken.
    page.click(".worths tbody tr button");
    // bde or ecf: one is right, the other then sure.
    assert!(page.text(".worths .parts").contains(
        "On average 0.0000 bits would be left (the conditional entropy), and 1 candidate at most"
    ));
    page.click(".worths tbody tr button.mono");
    assert_eq!(
        page.eval("place('guess').value"),
        page.text(".worths tbody tr button.mono")
    );
    let heads = page.texts(".heatmap thead th").concat();
    assert_eq!(heads, "abcdefghi");
    assert!(page.text(".candidates").contains("bde 75 %"));
    page.picture("serve-adviser");
    // The address holds all of it.
    let address = page.eval("location.search");
    page.open_url(&server.url(&format!("/board{}", address.as_str().unwrap())));
    page.wait_for("document.querySelector('#left')?.innerText.includes('2 candidates')");
    assert_eq!(page.eval("place('digits').value"), "abcdefghi");
    // What the prior excludes is said.
    set("prior", "abc 1");
    page.wait_for("place('panel').innerText.includes('No code of the prior fits all rows')");
    // So is what is no prior, and what stands there stays to be mended.
    set("prior", "abc");
    page.wait_for("!place('trouble').hidden");
    assert!(page.text("#trouble").contains("prior, line 1"));
    assert_eq!(page.eval("place('prior').value"), "abc");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_code_whose_places_are_all_right_is_found_and_can_be_taken_back() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/board?rows=012:0,1"));
    page.wait_for("document.querySelector('#left') !== null");
    assert_eq!(page.text("#end"), "");
    page.type_into("#guess", "134");
    page.type_into("#reply", "3 0");
    page.press("Enter");
    page.wait_for("place('end').innerText === 'Found, score 2.'");
    assert_eq!(page.text("#panel"), "");
    let disabled = "['guess', 'reply', 'enter'].map((id) => place(id).disabled)";
    assert_eq!(page.eval(disabled), json!([true, true, true]));
    assert_eq!(page.eval("document.activeElement.id"), "undo");
    page.picture("serve-adviser-found");
    page.click("#undo");
    page.wait_for("document.querySelector('#left') !== null");
    assert_eq!(page.text("#end"), "");
    assert_eq!(page.eval(disabled), json!([false, false, false]));
    // Not where the rows before it say something else.
    page.open_url(&server.url("/board?rows=012:0,0;012:3,0"));
    page.wait_for("place('panel').innerText.includes('No code is possible')");
    assert_eq!(page.text("#end"), "");
    // Where the reply is a difference, it says whether the guess is right.
    for (first, end) in [("0", ""), ("1", "Found, score 2.")] {
        let rows = format!("/board?problem=distance+3+10+10&rows=012:0,333;345:{first},4");
        page.open_url(&server.url(&rows));
        page.wait_for("place('guess').disabled || document.querySelector('#left') !== null");
        assert_eq!(page.text("#end"), end, "{first}");
    }
    // Nor where two of four places are right.
    page.open_url(&server.url("/board?problem=mastermind+4+6&rows=0011:2,0"));
    page.wait_for("document.querySelector('#left') !== null");
    assert_eq!(page.text("#end"), "");
    no_faults(&page);
}
