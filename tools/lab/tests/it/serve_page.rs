//! `lab serve` in a browser: from the list of runs to the cost of a turn. Board and articles are in `board_page.rs`.
//! Needs Chromium (`scripts/test`).

use crate::browser::Page;
use crate::many;
use crate::serving::Serving;
use serde_json::json;
use tempfile::TempDir;

pub(super) const MARKUP: &str = "</script><img src=x onerror=alert(1)>";

pub(super) fn no_faults(page: &Page) {
    assert_eq!(page.errors(), json!([]));
    assert_eq!(page.eval("document.querySelectorAll('img').length"), 0);
}

#[test]
#[ignore = "needs Chromium"]
fn from_the_list_of_runs_to_what_a_turn_cost() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "first", 100);
    many::played(dir.path(), &format!("second {MARKUP}"), 100);
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/"));
    assert_eq!(page.texts("#list tbody th"), ["2", "1"]);
    assert_eq!(page.text("nav [aria-current=page]"), "Runs");
    assert!(page.text("#list").contains(MARKUP));
    page.picture("serve-home");
    page.type_into("#wanted", "first");
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 1");
    page.eval("(place('wanted').value = '', place('wanted').dispatchEvent(new Event('input')))");
    no_faults(&page);

    // Two chosen runs side by side; from a case of theirs to what was known.
    page.click("[data-run='1'] input");
    page.click("[data-run='2'] input");
    page.click("#compare");
    page.wait_for(
        "location.pathname === '/report' && performance.getEntriesByName('ready').length > 0",
    );
    assert!(page.text("#figures").contains("the same on 100"));
    page.click(".tabulator-row:nth-child(6) button.link");
    page.wait_for(
        "document.getElementById('case').open && document.querySelector('#details .turns') !== null",
    );
    assert_eq!(page.texts("#details .turns")[0].lines().count(), 7);
    page.click("#details a");
    page.wait_for(
        "location.pathname === '/case/1/5' && performance.getEntriesByName('ready').length > 0",
    );
    // Five wrong guesses and the right one.
    assert_eq!(page.text("output"), "turn 6 of 6");
    page.press("Home");
    page.wait_for("document.querySelector('.known').innerText.includes('720 candidates')");
    page.press("ArrowRight");
    page.wait_for("document.querySelector('.worths tr.now')?.innerText.includes('019')");
    page.wait_for("document.querySelector('.heatmap') !== null");
    let heat = page.eval("[...document.querySelectorAll('.heatmap tbody tr')].length");
    assert_eq!(heat, 3);
    page.wait_for("location.search === '?turn=1'");
    page.picture("serve-case");
    no_faults(&page);
}

/// A run of one problem's first seeds.
fn of_seeds(dir: &TempDir, problem: &str, wrong: &dyn Fn(u64) -> Vec<String>) {
    let source = tester::case::Source::Seeds {
        problem: problem.to_owned(),
        seeds: 0..=9,
    };
    let playing = many::Playing {
        tag: "some",
        command: "./mine",
        source,
        wrong,
        parameters: &[],
        decimals: 0,
        transcripts_from: 0,
    };
    many::keep(dir.path(), &playing);
}

#[test]
#[ignore = "needs Chromium"]
fn runs_that_differ_in_a_number_are_pictured_together() {
    let dir = TempDir::new().unwrap();
    // The mean is 2 more than the number.
    for (number, command) in [
        (0, "./mine --beam 0 -t=1"),
        (3, "./mine --beam 3 -t=1"),
        (1, "./mine --beam 1 -t=1"),
        (1, "./mine --other 1"),
    ] {
        let wrong = move |_| (0..=number).map(|n| format!("{n} 8 9")).collect();
        let source = tester::case::Source::Seeds {
            problem: "hitblow 3 10".to_owned(),
            seeds: 1..=4,
        };
        let playing = many::Playing {
            tag: "tuned",
            command,
            source,
            wrong: &wrong,
            parameters: &[],
            decimals: 0,
            transcripts_from: 0,
        };
        many::keep(dir.path(), &playing);
    }
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/"));
    page.eval("(place('grouping').value = 'numbers', place('grouping').dispatchEvent(new Event('change')))");
    assert_eq!(
        page.texts(".group h2"),
        ["hitblow 3 10 ./mine --beam {beam} -t=1"]
    );
    assert_eq!(page.texts(".group tbody td:nth-child(3)"), ["1", "3", "0"]);
    let points = page.eval(
        "[...document.querySelectorAll('.means a')].map((a) => a.getAttribute('aria-label'))",
    );
    assert_eq!(
        points,
        json!([
            "Run 3: beam 1, Mean 3.0000",
            "Run 2: beam 3, Mean 5.0000",
            "Run 1: beam 0, Mean 2.0000"
        ])
    );
    // More is higher, and further right.
    let at = page.eval("[...document.querySelectorAll('.means circle')].map((c) => [Number(c.getAttribute('cx')), -Number(c.getAttribute('cy'))])");
    let place = |run: usize, axis: usize| at[3 - run][axis].as_f64().unwrap();
    for axis in [0, 1] {
        assert!(
            place(1, axis) < place(3, axis) && place(3, axis) < place(2, axis),
            "{at}"
        );
    }
    assert_eq!(page.eval("location.search"), "?group=numbers");
    page.picture("serve-groups");
    no_faults(&page);
    page.click(".group p a");
    page.wait_for(
        "location.pathname === '/report' && performance.getEntriesByName('ready').length > 0",
    );
    assert_eq!(page.eval("location.search"), "?runs=1,2,3");
    // The best of those on the same cases, whichever it is.
    page.open_url(&server.url("/report?runs=2,best"));
    assert!(page.text("#failures").contains("./mine --beam 0"));
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn weighings_and_noisy_games_are_looked_into_too() {
    let dir = TempDir::new().unwrap();
    // A weighing that tells less than the best ones do.
    of_seeds(&dir, "balance 12 odd", &|_| {
        vec!["? 1 1 2".to_owned(), "? 4 1 2 3 4 5 6 7 8".to_owned()]
    });
    of_seeds(&dir, "distance 3 10 10", &|_| {
        vec!["4 9 5".to_owned(), "0 1 2".to_owned()]
    });
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/case/1/0?turn=1"));
    page.wait_for("document.querySelector('.worths tr.now') !== null");
    // Two of twelve stones: log2 24 = 4.585 bits before. 2, 2 and 20 are left: 1/6 · log2 12 + 5/6 · log2 (6/5).
    assert!(page.text(".known").contains("24 candidates, 4.5850 bits"));
    assert!(page.text(".worths tr.now").contains("? 1 1 2"));
    assert!(page.text(".worths tr.now").contains("← played"));
    assert!(page.text(".worths tr.now").contains("0.8167"));
    assert!(page.text(".known .bad").contains("This guess cost"));
    assert_eq!(page.texts(".heatmap tbody th"), ["heavier", "lighter"]);
    page.picture("serve-balance");
    page.press("End");
    page.wait_for("document.querySelector('.known').innerText.includes('Found.')");
    no_faults(&page);

    page.open_url(&server.url("/case/2/0?turn=1"));
    page.wait_for("document.querySelector('.known')?.innerText.includes('After turn 1')");
    assert!(page.text(".known").contains("720 candidates, 9.4919 bits"));
    assert!(
        page.text(".known")
            .contains("719 candidates, not equally likely")
    );
    assert!(page.text(".worths tr.now").contains("495"));
    assert!(page.text(".worths tr.now").contains("← played"));
    page.picture("serve-distance");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_hundred_thousand_cases_are_sorted_filtered_and_opened() {
    let dir = TempDir::new().unwrap();
    many::played_with_transcripts_from(99_900, dir.path(), "large", 100_000);
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/report?runs=large"));
    assert_eq!(page.text("#count"), "100000 cases");
    // Looked at, not required: machines are shared.
    let times = page.eval(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime, \
         performance.getEntriesByName('ready')[0].startTime, \
         ((begun) => (pick({ from: 30 }), performance.now() - begun))(performance.now()), \
         ((begun) => (pick({}), openCase(99999), performance.now() - begun))(performance.now())]",
    );
    println!("100,000 cases: first paint, all there, a filter, a case opened: {times} ms");
    page.wait_for("document.querySelectorAll('#details .turns tbody tr').length > 0");
    assert_eq!(page.text("#case-heading"), "Case 99999 (Seed 99999)");
    no_faults(&page);
    // The same of the other views over it.
    for path in ["/", "/case/large/99999?turn=2", "/board?rows=012:0,1"] {
        page.open_url(&server.url(path));
        page.wait_for("!document.body.innerText.includes('…')");
        let times = page.eval(
            "[performance.getEntriesByName('first-contentful-paint')[0].startTime, \
             performance.getEntriesByName('ready')[0].startTime]",
        );
        println!("{path}: first paint, all there: {times} ms");
    }
    // A step through a case: the turn is shown at once, what was known before it as soon as it is answered.
    page.open_url(&server.url("/case/large/99999?turn=1"));
    let step =
        page.eval("((begun) => (player.go(2), performance.now() - begun))(performance.now())");
    println!("a step: {step} ms");
    page.wait_for("document.querySelector('.known')?.innerText.includes('Before turn 2')");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_is_read_in_japanese_in_the_dark_and_on_a_phone() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 20);
    let server = Serving::start(dir.path());
    let page = Page::new(390, 844);
    for (path, name) in [
        ("/", "home"),
        ("/case/1/3?turn=2", "case"),
        ("/board?rows=012:0,1", "board"),
        ("/board?mode=play&seed=1", "play"),
        ("/articles", "articles"),
        ("/nothing", "nothing"),
    ] {
        page.open_url(&server.url(path));
        if page.eval("document.documentElement.lang") == "en" {
            page.click("#language");
        }
        page.wait_for("document.documentElement.lang === 'ja'");
        let missing = page.eval(
            "Object.keys({...WORDS.en, ...WORDS.ja}).filter((key) => !(key in WORDS.en && key in WORDS.ja))",
        );
        assert_eq!(missing, json!([]), "{path}");
        page.wait_for("!document.body.innerText.includes('…')");
        if name != "case" {
            let title = page.eval("document.title");
            assert_eq!(title, page.text("#heading"), "{path}");
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert_eq!(
            page.eval("document.documentElement.scrollWidth"),
            390,
            "{path}"
        );
        page.picture(&format!("serve-phone-{name}"));
        page.dark(true);
        page.picture(&format!("serve-dark-{name}"));
        page.dark(false);
        no_faults(&page);
        let nameless = page.eval(
            "[...document.querySelectorAll('button, input, select')].filter((e) => !(e.textContent.trim() || \
             e.labels?.[0]?.textContent.trim() || e.getAttribute('aria-label'))).map((e) => e.outerHTML)",
        );
        assert_eq!(nameless, json!([]), "{path}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn every_page_fits_a_narrow_phone_in_english() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 20);
    let server = Serving::start(dir.path());
    let page = Page::new(1000, 700);
    page.resize(360, 740, true);
    for path in ["/", "/case/1/3?turn=2", "/board?rows=012:0,1", "/articles"] {
        let and = if path.contains('?') { '&' } else { '?' };
        page.open_url(&server.url(&format!("{path}{and}lang=en")));
        page.wait_for("!document.body.innerText.includes('…')");
        let width = page.eval("document.documentElement.scrollWidth");
        assert_eq!(width, 360, "{path}");
        let small = page.eval(
            "[...document.querySelectorAll('button, input[type=checkbox]')].filter((e) => e.checkVisibility() && \
             e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)",
        );
        assert_eq!(small, json!([]), "{path}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_way_back_from_a_report_is_one_line_on_a_phone() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 3);
    let server = Serving::start(dir.path());
    let page = Page::new(390, 844);
    page.open_url(&server.url("/report?runs=1&lang=ja"));
    assert_eq!(page.text("#pages"), "実行一覧");
    let lines = page.eval("document.querySelector('#pages a').getClientRects().length");
    assert_eq!(lines, 1);
}

/// On a phone, no column of the articles' tables is out of sight, and the mark of an item stands beside its first line.
#[test]
#[ignore = "needs Chromium"]
fn tables_of_the_articles_fit_a_phone() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(390, 844);
    for language in ["ja", "en"] {
        page.open_url(&server.url(&format!("/articles?lang={language}")));
        page.wait_for("document.querySelectorAll('#trial .worths tbody tr').length > 0");
        let cut = page.eval(
            "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)",
        );
        assert_eq!(cut, json!([]), "{language}");
        let below = page.eval(
            "[...document.querySelectorAll('#trial li > button')].map((button) => {
                const mark = document.createElement('span');
                mark.style.cssText = 'display: inline-block; width: 0';
                mark.textContent = '•';
                button.before(mark);
                const below = mark.getBoundingClientRect().top - button.getBoundingClientRect().top;
                mark.remove();
                return below;
            }).filter((below) => Math.abs(below) > 8)",
        );
        assert_eq!(below, json!([]), "{language}");
    }
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_batch_that_is_running_is_seen_to_go_on() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "before", 5);
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 600);
    page.open_url(&server.url("/"));
    assert_eq!(page.texts("#list tbody th"), ["1"]);
    many::played(dir.path(), "now", 7);
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 2");
    drop(server);
    page.wait_for("place('trouble').innerText.includes('does not answer')");
}
