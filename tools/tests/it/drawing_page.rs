//! Grids and pictures of `drawings.rs` in a browser. Needs Chromium (`scripts/test`).

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use tester::problem::Instance;

use crate::common::browser::Page;
use crate::common::session_page::page;
use crate::drawings::{Bars, Field, painter};

fn file(dir: &TempDir, instance: &dyn Instance, stdout: &str) -> PathBuf {
    let file = dir.path().join("vis.html");
    std::fs::write(&file, page(instance, stdout)).unwrap();
    file
}

/// What is seen of a cell: its text and its colour.
const LOOK: &str = "((cell) => [player.picture.labels.get(cell)?.textContent ?? '', player.picture.rects.get(cell)?.getAttribute('fill') ?? 'none'])";

/// Whether every cell looks as the frames up to `at` say, one after the other, and whether exactly those are marked that
/// frame `at` names. This is the slow way, which knows nothing of what was seen before.
const SLOW: &str = "((at) => {
    const { rows, columns, frames } = session.drawing.grid;
    const looks = Array.from({ length: rows * columns }, () => ['', '']);
    for (const { changes = [] } of frames.slice(0, at + 1)) for (const [cell, text, fill] of changes) looks[cell] = [text ?? looks[cell][0], fill ?? looks[cell][1]];
    const seen = (cell) => [player.picture.labels.get(cell)?.textContent ?? '', player.picture.rects.get(cell)?.getAttribute('fill') ?? 'none'];
    const wrong = looks.findIndex(([text, fill], cell) => String(seen(cell)) !== String([text, fill === '' ? 'none' : fill]));
    const marked = frames[at].marked ?? [];
    return player.at === at && wrong === -1 && player.picture.tint.getAttribute('d').split('z').length - 1 === marked.length;
})";

/// Clicks the middle of a cell of four rows and columns, and reads what is said of it.
fn point(page: &Page, i: u32, j: u32) -> String {
    let ground = "document.querySelector('.cells .ground')";
    let at = format!(
        "(({{ width }}) => ({{ x: width * {j}.5 / 4, y: width * {i}.5 / 4 }}))({ground}.getBoundingClientRect())"
    );
    page.click_within(ground, &at);
    page.text(".content")
}

/// Five turns with colours of each kind, and a question of many lines.
fn small_session() -> String {
    let long: String = (0..16).map(|k| format!("{} {}\n", k / 4, k % 4)).collect();
    format!(
        "#c 0 3 red\n#c 2 2 #0a0a5a\n#c 3 0 rgb(200,230,200)\n#c 3 1 nonsense\nask 1\n1 1\n#c 0 3 blue\nask 2\n0 0\n3 3\nask 16\n{long}ask 1\n2 2\nend\n"
    )
}

#[test]
#[ignore = "needs Chromium"]
fn a_grid_is_gone_through_and_pointed_at() {
    let dir = TempDir::new().unwrap();
    let file = file(&dir, &Field::small(), &small_session());
    let page = Page::new(1280, 900);
    page.open(&file, "turn=1");
    assert_eq!(page.text(".caption"), "2, asked 1");
    assert_eq!(page.text("#heading"), "0000.txt: field 4");
    assert_eq!(
        page.eval(&format!("[3, 5, 15].map({LOOK})")),
        json!([["", "#ff0000"], ["2", "none"], ["", "none"]])
    );
    page.press("ArrowRight");
    assert_eq!(page.eval(&format!("{LOOK}(3)")), json!(["", "#0000ff"]));
    page.press("ArrowLeft");
    assert_eq!(page.eval(&format!("{LOOK}(3)")), json!(["", "#ff0000"]));
    page.press("End");
    page.picture("grid");

    // Text stands on a dark colour in white; what is no colour is said, and not drawn.
    assert_eq!(
        page.eval("player.picture.labels.get(10).getAttribute('class')"),
        "on-dark"
    );
    // What hides nearly all of the ground is a colour as well, in the dark too: white on orange cannot be read.
    let inks = "[0.99, 0.7, 0.3].map((a) => readColour(`rgba(242, 135, 30, ${a})`).ink)\
                .concat(readColour('rgba(0, 0, 0, 0.9)').ink)";
    assert_eq!(
        page.eval(inks),
        json!(["on-light", "on-light", "", "on-dark"])
    );
    assert_eq!(
        point(&page, 1, 1),
        "(1, 1) · 2 · turns 1, 3 · shape 0 · shape 1"
    );
    assert_eq!(point(&page, 3, 1), "(3, 1) · nonsense (no colour) · turn 3");
    assert_eq!(point(&page, 0, 3), "(0, 3) · blue · turn 3");
    // The cell that was chosen stays so while turns pass.
    page.press("Home");
    page.eval("player.picture.point(null)");
    assert_eq!(page.text(".content"), "(0, 3)");
    page.press("End");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn a_cell_is_chosen_by_keyboard_where_the_picture_has_the_focus() {
    let dir = TempDir::new().unwrap();
    let page = Page::new(1280, 900);
    page.open(&file(&dir, &Field::small(), &small_session()), "");
    let hint = page.text(".content");
    let at = page.eval("player.at");
    page.eval("document.querySelector('.cells svg').focus()");
    assert!(page.text(".content").starts_with("The arrow keys"));
    for (key, cell) in [
        ("ArrowDown", "(0, 0)"),
        ("ArrowDown", "(1, 0)"),
        ("ArrowRight", "(1, 1)"),
        ("ArrowUp", "(0, 1)"),
        ("ArrowUp", "(0, 1)"),
        ("ArrowLeft", "(0, 0)"),
        ("ArrowLeft", "(0, 0)"),
    ] {
        page.press(key);
        let said = page.text(".content");
        assert_eq!(said.split(" · ").next(), Some(cell), "{key}: {said}");
    }
    assert_eq!(page.eval("player.at"), at);
    page.press("Escape");
    page.eval("document.activeElement.blur()");
    assert_eq!(page.text(".content"), hint);
    // After a click in the picture, the keys go from turn to turn all the same.
    page.click(".cells svg");
    page.press("ArrowLeft");
    assert_ne!(page.eval("player.at"), at);
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn beside_a_grid_stands_the_list_of_turns_and_what_is_hidden_can_be_shown() {
    let dir = TempDir::new().unwrap();
    let file = file(&dir, &Field::small(), &small_session());
    let page = Page::new(1280, 900);
    page.open(&file, "");
    page.click("details:has(> pre) summary");
    assert_eq!(page.text("details > pre"), "field 4\n2");

    // A question of many lines is opened in the list, which has all turns and follows the one that is shown.
    assert_eq!(
        page.eval("[...player.rows].filter((row) => row.hidden).length"),
        0
    );
    assert_eq!(page.text(".turns details summary"), "ask 16…");
    page.click(".turns details summary");
    assert!(page.text(".turns details").contains("3 3"));
    assert_eq!(page.eval("player.at"), 3);
    assert_eq!(page.text(".turns tr.now button"), "3");

    // What only the judge knows, in the picture and in words.
    let shapes = "document.querySelectorAll('.shapes .shape text').length";
    assert_eq!(page.eval(shapes), 2);
    page.click(".controls input[type=checkbox]");
    assert_eq!(
        page.eval("getComputedStyle(document.querySelector('.shapes')).display"),
        "none"
    );
    assert_eq!(point(&page, 1, 1), "(1, 1) · 2 · turns 1, 3");
    page.click("#language");
    assert_eq!(
        page.eval("getComputedStyle(document.querySelector('.shapes')).display"),
        "none"
    );
    page.click(".controls input[type=checkbox]");
    assert_eq!(page.eval(shapes), 2);
    page.dark(true);
    page.picture("grid-dark");
    page.dark(false);
    page.resize(390, 844, true);
    page.open(&file, "turn=3&lang=ja");
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
    page.picture("grid-phone");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn three_hundred_painted_turns_are_stepped_and_played_without_a_gap() {
    let dir = TempDir::new().unwrap();
    let shapes = vec![(0..40).collect(), (30..90).collect(), vec![399]];
    let file = file(&dir, &Field { side: 20, shapes }, &painter(20, 300));
    let page = Page::new(1280, 900);
    page.open(&file, "");
    assert_eq!(page.eval("player.count"), 301);
    // Anywhere from anywhere.
    for at in [301, 0, 1, 300, 7, 8, 150, 149, 301, 299] {
        page.eval(&format!("player.go({at})"));
        assert_eq!(page.eval(&format!("{SLOW}({at})")), true, "{at}");
    }
    // Looked at, not required: machines are shared.
    let timed = "((steps) => { const times = steps.map((at) => { const begun = performance.now(); player.go(at); document.body.offsetHeight; return performance.now() - begun; }); \
        times.sort((a, b) => a - b); return [times[times.length >> 1], times.at(-1)]; })";
    let ready = page.eval("performance.getEntriesByName('ready')[0].startTime");
    let forward = page.eval(&format!(
        "{timed}(Array.from({{ length: 101 }}, (_, k) => k))"
    ));
    let backward = page.eval(&format!(
        "{timed}(Array.from({{ length: 101 }}, (_, k) => 100 - k))"
    ));
    let ends = page.eval(&format!("{timed}([301, 0, 301, 0])"));
    println!(
        "ready {ready} ms; a step with its layout, median and longest: forward {forward}, backward {backward}, end to end {ends} ms"
    );

    // Played at full speed, each turn is shown once, and the address is written now and then. A hundred turns, because
    // each takes its time.
    page.eval("(player.go(201), player.speed.value = 20, window.passed = [], window.writes = 0, window.painted = 0)");
    page.eval(
        "((go, write) => { player.go = (at) => { passed.push(at); go.call(player, at); }; \
         history.replaceState = (...parts) => { writes += 1; write.apply(history, parts); }; \
         const count = () => { painted += 1; if (player.timer) requestAnimationFrame(count); }; \
         player.toggle(); window.begun = performance.now(); count(); })(player.go, history.replaceState)",
    );
    page.wait_for("player.at === 301 && player.timer === null");
    let took = page.eval("[performance.now() - begun, painted]");
    println!("100 turns played at 20x: [ms, pictures of the screen] {took}");
    let all: Vec<u32> = (202..=301).collect();
    assert_eq!(page.eval("passed"), json!(all));
    assert_eq!(page.eval(&format!("{SLOW}(301)")), true);
    let writes = page.eval("writes").as_u64().unwrap();
    assert!((1..33).contains(&writes), "{writes}");
    page.wait_for("location.hash === ''");
    page.press("ArrowLeft");
    page.picture("grid-large");
    page.resize(390, 844, true);
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
    let seen = "(({ top, bottom }, list) => top > list.top && bottom < list.bottom)\
        (document.querySelector('tr.now').getBoundingClientRect(), player.list.getBoundingClientRect())";
    page.wait_for(seen);
    page.picture("grid-large-phone");
    assert_eq!(page.faults(), json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn pictures_are_images_in_which_nothing_runs() {
    let dir = TempDir::new().unwrap();
    let file = file(&dir, &Bars, "1\n2\nend\n");
    let page = Page::new(1000, 700);
    page.open(&file, "turn=0");
    for turn in 0..=3 {
        page.wait_for("document.querySelector('.picture img').complete && document.querySelector('.picture img').naturalWidth === 100");
        // The bar of this turn ends between these two points.
        let blue = page.eval(&format!(
            "((image) => {{ const canvas = document.createElement('canvas').getContext('2d'); canvas.drawImage(image, 0, 0); \
             return [{turn} * 10 - 2, {turn} * 10 + 4].map((x) => canvas.getImageData(x, 9, 1, 1).data[2]); }})(document.querySelector('.picture img'))"
        ));
        assert_eq!(blue, json!([if turn == 0 { 0 } else { 255 }, 0]), "{turn}");
        let alt = page.eval("document.querySelector('.picture img').alt");
        assert!(
            alt.as_str()
                .unwrap()
                .contains(if turn == 0 { "before" } else { "after" })
        );
        page.press("ArrowRight");
    }
    page.picture("pictures");
    assert_ne!(page.eval("document.title"), "run");
    assert_eq!(page.eval("faults"), json!([]));
    page.resize(390, 844, true);
    assert_eq!(page.eval("document.documentElement.scrollWidth"), 390);
}

#[test]
#[ignore = "needs Chromium"]
fn many_remarks_of_a_turn_are_folded() {
    let dir = TempDir::new().unwrap();
    let mut stdout: String = (0..100_000).map(|k| format!("# note {k}\n")).collect();
    stdout += &format!("# {}\nask 1\n0 0\n#a\nend\n", "long ".repeat(1000));
    let file = file(&dir, &Field::small(), &stdout);
    let page = Page::new(1280, 900);
    page.open(&file, "turn=1");
    assert_eq!(
        page.eval("document.querySelectorAll('.remarks li').length"),
        50
    );
    assert_eq!(page.text(".messages details summary"), "99951 more");
    assert_eq!(
        page.eval("document.querySelector('.messages .others').textContent"),
        ""
    );
    page.click(".messages details summary");
    page.wait_for(
        "document.querySelector('.messages .others').textContent.startsWith('# note 50\\n')",
    );
    let lines =
        page.eval("document.querySelector('.messages .others').textContent.split('\\n').length");
    assert_eq!(lines, 99_951);
    page.press("ArrowRight");
    assert_eq!(page.texts(".remarks li"), ["#a"]);
    let faults: Value = page.faults();
    assert_eq!(faults, json!([]));
}

#[test]
#[ignore = "needs Chromium"]
fn outlines_are_closed_whatever_cells_they_enclose() {
    let dir = TempDir::new().unwrap();
    let file = file(&dir, &Field::small(), "end\n");
    let page = Page::new(1000, 700);
    page.open(&file, "");
    // All sets of cells of a grid with four rows and columns: each end of a line is the end of another one, and each
    // line lies in a cell of the set, at the distance from its border that was asked for.
    let wrong = "(() => {
        const inset = 5;
        for (let set = 1; set < 65536; set++) {
            const cells = Array.from({ length: 16 }, (_, cell) => cell).filter((cell) => (set >> cell) & 1);
            const ends = new Map();
            const meet = (x, y) => ends.set(`${x} ${y}`, (ends.get(`${x} ${y}`) ?? 0) + 1);
            for (const [, x, y, way, to] of outline(cells, 4, inset).matchAll(/M(\\S+) (\\S+)([HV])(\\S+?)(?=M|$)/g)) {
                meet(Number(x), Number(y));
                way === 'H' ? meet(Number(to), Number(y)) : meet(Number(x), Number(to));
                // Within the set, and as far from its border as was asked.
                const [mx, my] = way === 'H' ? [(Number(x) + Number(to)) / 2, Number(y)] : [Number(x), (Number(y) + Number(to)) / 2];
                const cell = Math.floor(my / SIDE) * 4 + Math.floor(mx / SIDE);
                const near = way === 'H' ? my % SIDE : mx % SIDE;
                if (!cells.includes(cell) || (near !== inset && near !== SIDE - inset)) return [set, mx, my];
            }
            if ([...ends.values()].some((count) => count % 2 === 1)) return [set];
        }
        return [];
    })()";
    assert_eq!(page.eval(wrong), json!([]));
}
