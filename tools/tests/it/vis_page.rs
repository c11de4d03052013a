//! `tester vis` in a browser: slider, keys, play button. Needs Chromium (`scripts/test`).

use std::path::{Path, PathBuf};

use crate::common::browser::Page;
use crate::common::{CASE, run_in};
use serde_json::{Value, json};
use tempfile::TempDir;

const MARKUP: &str = "</script><img src=x onerror=alert(1)>";

/// What is seen: the turns that are on the board.
fn board(page: &Page) -> Vec<String> {
    let seen = page.eval(
        "[...document.querySelectorAll('.board tbody tr')].filter((row) => !row.hidden).map((row) => \
         [...row.querySelectorAll('.face')].map((e) => e.innerText).join('') + ' ' + row.cells[2].innerText)",
    );
    serde_json::from_value(seen).unwrap()
}

#[test]
#[ignore = "needs Chromium"]
fn a_session_is_gone_through_by_slider_keys_and_play_button() {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("0000.txt"), CASE).unwrap();
    let output = format!("0 1 2\n# {MARKUP}\n5 8 2\n{MARKUP}\n");
    std::fs::write(dir.path().join("o"), output).unwrap();
    assert_eq!(run_in(dir.path(), &["vis", "0000.txt", "o"], "").status, 0);
    let file = dir.path().join("vis.html");
    let page = Page::new(1000, 700);
    page.open(&file, "");
    let all = ["012 0 1", "582 0 3", " -1"];
    assert_eq!(board(&page), all);
    assert!(page.text(".verdict").starts_with("WA: turn 3: "));
    page.picture("vis");

    // By keys: the address follows.
    page.press("ArrowLeft");
    assert_eq!(board(&page), all[..2]);
    assert!(page.text(".remarks").contains(MARKUP));
    page.wait_for("location.hash === '#turn=2'");
    assert_eq!(page.eval("document.querySelector('.verdict').hidden"), true);
    page.press("Home");
    assert!(board(&page).is_empty());
    page.press("End");
    assert_eq!(board(&page), all);

    // By slider and buttons.
    page.eval("(player.slider.value = 1, player.slider.dispatchEvent(new Event('input')))");
    assert_eq!(board(&page), all[..1]);
    assert_eq!(page.text("output"), "turn 1 of 3");
    page.click("[data-act=forward]");
    assert_eq!(board(&page), all[..2]);
    page.click("[data-act=first]");
    page.click("[data-act=play]");
    page.wait_for("player.at === 3 && player.timer === null");

    // What only the judge knows can be hidden.
    page.click(".controls input[type=checkbox]");
    let hidden = page.eval("getComputedStyle(document.querySelector('.answer')).visibility");
    assert_eq!(hidden, "hidden");

    // An address is that of a turn, in a language; on a phone nothing is cut off.
    page.resize(390, 844, true);
    page.open(&file, "turn=1&lang=ja");
    assert_eq!(board(&page), all[..1]);
    assert_eq!(page.text("output"), "3 ターン中 1 ターン目");
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
    page.press("End");
    assert!(page.text(".verdict").starts_with("WA：3 ターン目："));
    page.picture("vis-phone");
    let file = file.canonicalize().unwrap();
    for (asked, language) in [("?lang=ja", "ja"), ("?lang=ja#lang=en", "en")] {
        page.open_url(&format!("file://{}{asked}", file.display()));
        assert_eq!(page.eval("document.documentElement.lang"), language);
    }
    let html = std::fs::read_to_string(&file).unwrap();
    let (_, plain) = html.split_once("<noscript>").unwrap();
    assert!(plain.contains("<p lang=\"ja\">"), "{plain}");
    assert_eq!(page.eval("document.querySelectorAll('img').length"), 0);
    let faults: Value = page.faults();
    assert_eq!(faults, json!([]));
}

/// The least contrast of the white digit on the pegs of the symbols 0 to 63, as WCAG counts it.
const LEAST_CONTRAST: &str = "(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const linear = (byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    const contrast = (symbol) => {
        context.fillStyle = pegColour(symbol);
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(linear);
        return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
    };
    return Math.min(...Array.from({ length: 64 }, (_, symbol) => contrast(symbol)));
})()";

/// The page of a session with one guess, in this folder.
fn one_guess(dir: &Path) -> PathBuf {
    std::fs::write(dir.join("0000.txt"), CASE).unwrap();
    std::fs::write(dir.join("o"), "0 1 2\n").unwrap();
    assert_eq!(run_in(dir, &["vis", "0000.txt", "o"], "").status, 0);
    dir.join("vis.html")
}

#[test]
#[ignore = "needs Chromium"]
fn the_digit_can_be_read_on_each_peg() {
    let dir = TempDir::new().unwrap();
    let file = one_guess(dir.path());
    let page = Page::new(1000, 700);
    page.open(&file, "");
    let least = page.eval(LEAST_CONTRAST).as_f64().unwrap();
    assert!(least >= 4.5, "{least}");
}

#[test]
#[ignore = "needs Chromium"]
fn what_a_page_stored_is_not_there_for_the_next_one() {
    let dir = TempDir::new().unwrap();
    let file = one_guess(dir.path());
    // While a page is open, the browser lives, and the next page has the window of the last one.
    let _open = Page::new(1000, 700);
    let language = || {
        let page = Page::new(1000, 700);
        page.open(&file, "");
        let at_first = page.eval("document.documentElement.lang");
        page.click("#language");
        assert_eq!(page.eval("localStorage.getItem('language')"), "ja");
        at_first
    };
    assert_eq!([language(), language()], ["en", "en"]);
}
