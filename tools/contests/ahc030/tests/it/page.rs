//! The page of a session in a browser. Needs Chromium (`scripts/test`).

use ahc030::case::Eps;
use ahc030::generate::FixedParameters;
use ahc030::problem::AHC030;
use serde_json::json;
use tester::Seed;
use tester::problem::Problem;

use crate::browser::Page;
use crate::drawing::long_session;
use crate::session_page::page;

#[test]
#[ignore = "needs Chromium"]
fn three_hundred_turns_play_smoothly_on_a_screen_and_on_a_phone() {
    let case = AHC030
        .generate(&["N=20", "M=12", "eps=0.05"], Seed(7))
        .unwrap();
    let fixed = FixedParameters::new(Some(20), Some(12), Eps::parse("0.05")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("vis.html");
    std::fs::write(
        &file,
        page(case.as_ref(), &long_session(case.as_ref(), 7, fixed)),
    )
    .unwrap();
    println!("{} bytes", std::fs::metadata(&file).unwrap().len());
    let page = Page::new(1280, 900);
    page.open(&file, "");
    assert_eq!(page.text("output"), "turn 300 of 300");
    page.picture("ahc030-end");
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    page.picture("ahc030");
    assert_eq!(
        page.eval("document.querySelectorAll('.shapes .shape text').length"),
        12
    );
    page.click(".controls input[type=checkbox]");
    page.picture("ahc030-hidden");
    page.click(".controls input[type=checkbox]");

    // Played at full speed: every turn is shown, each within its time. How late, is looked at, and not required.
    // A hundred turns, because each takes its time.
    page.eval("(player.go(200), player.speed.value = 20, window.passed = [], window.late = [], window.painted = 0)");
    page.eval(
        "((go) => { player.go = (at) => { const begun = performance.now(); go.call(player, at); passed.push([at, begun, performance.now() - begun]); }; \
         const count = () => { painted += 1; if (player.timer) requestAnimationFrame(count); }; player.toggle(); count(); })(player.go)",
    );
    page.wait_for("player.at === 300 && player.timer === null");
    let all: Vec<u32> = (201..=300).collect();
    assert_eq!(page.eval("passed.map(([at]) => at)"), json!(all));
    let times = page.eval(
        "((gaps, costs) => ({ gaps: [gaps[0], gaps[gaps.length >> 1], gaps.at(-1)], costs: [costs[costs.length >> 1], costs.at(-1)], painted }))\
         (passed.slice(1).map(([, begun], k) => begun - passed[k][1]).sort((a, b) => a - b), passed.map(([, , cost]) => cost).sort((a, b) => a - b))",
    );
    println!("played at 20x; ms between turns (45 are meant), ms of a turn: {times}");
    let slid = page.eval(
        "((times) => (times.sort((a, b) => a - b), [times[times.length >> 1], times.at(-1)]))(Array.from({ length: 100 }, (_, k) => { \
         const begun = performance.now(); player.slider.value = (k * 97) % 301; player.slider.dispatchEvent(new Event('input')); document.body.offsetHeight; return performance.now() - begun; }))",
    );
    println!("the slider moved anywhere, with layout: median and longest {slid} ms");

    page.click("#language");
    page.wait_for("document.documentElement.lang === 'ja'");
    page.eval("player.go(2)");
    assert!(page.text(".caption").contains("、コスト "));
    assert_eq!(
        page.eval("document.querySelector('.shapes .shape text').textContent.slice(0, 3)"),
        "油田 "
    );

    page.resize(390, 844, true);
    page.eval("player.go(298)");
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
    page.picture("ahc030-phone");
    page.dark(true);
    page.picture("ahc030-phone-dark");
    page.resize(1280, 900, false);
    page.picture("ahc030-dark");
    assert_eq!(page.faults(), json!([]));
}
