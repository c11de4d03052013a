//! The board and the articles' examples of `lab serve` in a browser. Needs Chromium (`scripts/test`).

use crate::browser::Page;
use crate::many;
use crate::serve_page::{MARKUP, no_faults};
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
#[ignore = "needs Chromium"]
fn a_person_plays_and_is_advised() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/board?mode=play&seed=7&problem=hitblow+3+10"));
    // Beside the usage of each problem, the field offers a game of it.
    assert_eq!(
        page.eval("[...place('problem').list.options].map((game) => game.value)"),
        json!([
            "hitblow 3 10",
            "mastermind 4 6",
            "distance 3 10 10",
            "gap 3 10 10",
            "balance 12 odd",
            "liar 3 10"
        ])
    );
    let guess = |text: &str| {
        page.type_into("#guess", text);
        page.press("Enter");
    };
    // As a Japanese keyboard writes it.
    guess("０１２");
    page.wait_for("document.querySelectorAll('#rows tbody tr').length === 1");
    assert_eq!(page.eval("location.search.includes('lines=012')"), true);
    assert_eq!(page.eval("plain('！　３ ー、− ')"), "! 3 -,-");
    // What the rules do not allow is said, and not counted.
    guess("112");
    page.wait_for("!place('trouble').hidden");
    assert!(page.text("#trouble").contains("appears twice"));
    // It can be mended, or typed over.
    page.wait_for("place('guess').value === '112' && place('guess').selectionEnd === 3");
    page.eval("document.execCommand('insertText', false, 'x')");
    assert_eq!(page.eval("place('guess').value"), "x");
    page.eval("place('guess').value = ''");
    assert_eq!(
        page.eval("document.querySelectorAll('#rows tbody tr').length"),
        1
    );
    // With hints, a candidate wins in the end.
    page.click("#hints");
    page.wait_for("document.querySelector('#left') !== null");
    for _ in 0..12 {
        let best = page.eval(
            "document.querySelector('.candidates .mono')?.innerText ?? document.querySelector('.worths tbody th .mono')?.innerText",
        );
        let Value::String(best) = best else { break };
        let turns = page
            .eval("document.querySelectorAll('#rows tbody tr').length")
            .as_u64()
            .unwrap();
        guess(&best);
        page.wait_for(&format!(
            "document.querySelectorAll('#rows tbody tr').length === {}",
            turns + 1
        ));
        page.wait_for(
            "place('end').innerText !== '' || place('panel').innerText.includes('candidate')",
        );
        if page.text("#end").contains("Found") {
            break;
        }
    }
    assert!(
        page.text("#end").contains("Found, score"),
        "{}",
        page.text("#rows")
    );
    // No key is lost: what can be used next has the focus.
    page.wait_for("document.activeElement.id === 'undo'");
    page.picture("serve-play");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_no_game_is_refused_where_it_is_typed() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1000, 700);
    page.open_url(&server.url("/board?rows=012:0,1"));
    page.wait_for("document.querySelector('#left') !== null");
    let begin = |game: &str| {
        page.eval("place('problem').value = ''");
        page.type_into("#problem", game);
        page.press("Enter");
    };
    begin("hitblow 3 200");
    page.wait_for("!place('trouble').hidden");
    let why = page.text("#trouble");
    assert!(why.starts_with("expected hitblow P K with"), "{why}");
    assert_eq!(page.eval("place('problem').value"), "hitblow 3 200");
    assert_eq!(page.texts("#rows tbody tr").len(), 1);
    begin("hitblow 3 9");
    page.wait_for("place('heading').innerText === 'Adviser: hitblow 3 9'");
    // A game may be played that cannot be analysed.
    page.open_url(&server.url("/board?mode=play&problem=liar+3+10&seed=1"));
    let says = "The lab cannot analyse this game: replies may be lies: ";
    page.wait_for(&format!("place('panel').innerText.startsWith('{says}')"));
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_can_be_given_up_and_that_can_be_undone() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(390, 844);
    // The secret of this game is 0 1 or 1 0: the guess tells which.
    page.open_url(&server.url("/board?mode=play&problem=hitblow+2+2&seed=1&lines=01&lang=ja"));
    page.wait_for("document.querySelectorAll('#rows tbody tr').length === 1");
    if page.text("#end").contains("スコア") {
        page.open_url(&server.url("/board?mode=play&problem=hitblow+2+2&seed=1&lines=10&lang=ja"));
        page.wait_for("document.querySelectorAll('#rows tbody tr').length === 1");
    }
    let other = if page.eval("location.search.includes('lines=01')") == true {
        "1 0"
    } else {
        "0 1"
    };
    page.click("#giveUp");
    page.wait_for("place('end').innerText !== ''");
    let end = page.text("#end");
    assert!(
        end.contains("1 手でギブアップ") && end.contains(&format!("正解は {other} でした")),
        "{end}"
    );
    assert_eq!(page.eval("place('end').className"), "verdict bad");
    let disabled = "['guess', 'enter', 'giveUp', 'undo'].map((id) => place(id).disabled)";
    assert_eq!(page.eval(disabled), json!([true, true, true, false]));
    page.wait_for("document.activeElement.id === 'undo'");
    // The address holds it.
    let address = page.eval("location.search");
    page.open_url(&server.url(&format!("/board{}", address.as_str().unwrap())));
    page.wait_for("place('end').innerText.includes('ギブアップ')");
    // Undone, the game goes on with its guess; another game is not given up.
    page.click("#undo");
    page.wait_for("place('end').innerText === '' && !place('guess').disabled");
    assert_eq!(
        page.eval("document.querySelectorAll('#rows tbody tr').length"),
        1
    );
    assert_eq!(page.eval("location.search.includes('gaveup')"), false);
    // The adviser knows no secret.
    page.open_url(&server.url("/board?gaveup=1"));
    page.wait_for("document.querySelector('#left') !== null");
    assert_eq!(page.eval("place('giveUp')"), Value::Null);
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn rows_that_contradict_each_other_are_explained_and_can_be_taken_back() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/board?rows=012:0,0;345:0,0"));
    page.wait_for("document.querySelector('#left') !== null");
    assert!(page.text("#left").contains("24 candidates"));
    page.type_into("#guess", "678");
    page.type_into("#reply", "0 0");
    page.press("Enter");
    page.wait_for("place('panel').innerText.includes('No code is possible')");
    assert!(
        page.text("#panel")
            .contains("row 3 (678:0,0) contradicts the rows before it")
    );
    page.click("#undo");
    page.wait_for("document.querySelector('#left')?.innerText.includes('24 candidates')");
    assert_eq!(
        page.eval("new URLSearchParams(location.search).get('rows')"),
        "012:0,0;345:0,0"
    );
    no_faults(&page);
    // A word that is no row is said, and taken back.
    page.open_url(&server.url(&format!(
        "/board?rows=012:0,0;{}",
        MARKUP.replace('=', "%3D").replace(' ', "+")
    )));
    page.wait_for("!place('trouble').hidden");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_is_lost_by_a_wrong_answer_and_another_seed_is_chosen() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    let spec = tester::problem::Spec::parse("balance 5 heavy").unwrap();
    let right = spec
        .generate(tester::problem::rng::Seed(1))
        .unwrap()
        .answer()
        .unwrap();
    let wrong = if right == "! 1" { "! 2" } else { "! 1" };
    page.open_url(&server.url("/board?mode=play&problem=balance+5+heavy&seed=1&lang=ja"));
    let forms = page.eval("place('problem').title").to_string();
    let balance = "balance N heavy（2 <= N <= 1000）、balance N odd（3 <= N <= 1000）";
    assert!(forms.contains(balance), "{forms}");
    let english = [" and ", " with ", "decimal"].map(|word| forms.contains(word));
    assert_eq!(english, [false; 3], "{forms}");
    // What the rules do not allow is said in the page's language.
    page.type_into("#guess", "! 9");
    page.press("Enter");
    page.wait_for("!place('trouble').hidden");
    let trouble = page.text("#trouble");
    assert!(trouble.contains("石"), "{trouble}");
    // It stands below the field, where a phone shows it.
    let below =
        "place('trouble').getBoundingClientRect().top > place('guess').getBoundingClientRect().top";
    assert_eq!(page.eval(below), true);
    page.wait_for("place('guess').value === '! 9'");
    page.eval("place('guess').value = ''");
    page.type_into("#guess", wrong);
    page.press("Enter");
    page.wait_for("place('end').innerText.includes('正解')");
    assert!(
        page.text("#end")
            .contains(&format!("正解は {right} でした"))
    );
    assert_eq!(page.eval("place('end').className"), "verdict bad");
    // The address says the language, and goes on to; chosen once, it holds for the report too.
    assert_eq!(
        page.eval("new URLSearchParams(location.search).get('lang')"),
        "ja"
    );
    page.eval("place('seed').value = '7'");
    page.click("form.fields button");
    page.wait_for(
        "location.search.includes('seed=7') && performance.getEntriesByName('ready').length > 0",
    );
    many::played(dir.path(), "some", 3);
    page.open_url(&server.url("/report?runs=1"));
    assert_eq!(page.eval("document.documentElement.lang"), "ja");
    page.open_url(&server.url("/report?runs=1&lang=en"));
    assert_eq!(page.eval("document.documentElement.lang"), "en");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn the_articles_examples_are_theirs_until_they_are_changed() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/articles"));
    // Article 000's figures, as the lab's test of the articles has them.
    let entropies: Vec<String> = (0..4)
        .map(|b| page.text(&format!("#entropy-{b}")))
        .collect();
    assert_eq!(entropies, ["0.985", "0.592", "0.000", "1.557"]);
    assert_eq!(
        page.texts("#balls tbody td:last-child"),
        ["1.459", "1.926", "0.000"]
    );
    page.picture("serve-articles");
    // With all balls of one colour, a ball tells nothing.
    page.eval(
        "document.querySelectorAll('input[type=number]').forEach((e, i) => { e.value = i % 3 === 1 ? 5 : 0; e.dispatchEvent(new Event('input')); })",
    );
    assert!(
        page.text("#ball-tells")
            .contains("the ball tells 0.000 bits")
    );
    // Article 000's scene: 243 leaves 10 codes at worst and 2.46 bits, 451 leaves 6 and less.
    page.wait_for("document.querySelectorAll('#scene .parts').length === 2");
    let [first, second] = &page.texts("#scene .parts > p")[..] else {
        panic!("two guesses")
    };
    assert!(
        first.contains("2.4647 bits") && first.contains("10 candidates"),
        "{first}"
    );
    assert!(
        second.contains("1.9537 bits") && second.contains("6 candidates"),
        "{second}"
    );
    // 10 and 6 candidates: bars of both guesses have one scale.
    let longest = "[...document.querySelectorAll('#scene .parts')].map((side) => Math.max(...[...side.querySelectorAll('.part')].map((bar) => parseFloat(bar.style.width))))";
    assert_eq!(page.eval(longest), json!([100, 60]));
    assert_eq!(
        page.texts("#scene thead th:first-child"),
        ["Reply", "Reply"]
    );
    page.eval("(place('scene-guess-0').value = '012', place('scene-guess-0').dispatchEvent(new Event('change')))");
    page.wait_for("place('scene').innerText.includes('012 tells 0.0000 bits')");
    // What was changed stands in the address.
    let address = page.eval("location.search");
    page.open_url(&server.url(&format!("/articles{}", address.as_str().unwrap())));
    page.wait_for("place('scene').innerText.includes('012 tells 0.0000 bits')");
    assert!(
        page.text("#ball-tells")
            .contains("the ball tells 0.000 bits")
    );
    page.open_url(&server.url("/articles?boxes=1,2;x&guess=99&reply=&rows=zzz"));
    page.wait_for("document.querySelector('#scene .bad') !== null");
    assert_eq!(page.text("#entropy-0"), "0.985");
    page.open_url(&server.url("/articles"));
    page.click("#scene-board a");
    page.wait_for("document.querySelector('#left')?.innerText.includes('19 candidates')");
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn strategies_of_the_articles_are_side_by_side_and_can_be_changed() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/articles"));
    assert_eq!(page.texts("#titles li").len(), 5);
    // Articles 002 and 000, and the game for 960.
    let shows = |side: usize, text: &str| {
        page.wait_for(&format!(
            "place('outcome-{side}').innerText.startsWith('{text}')"
        ));
    };
    shows(0, "5.2667 turns on average, 9 at worst.");
    shows(1, "5.1500 turns on average, 8 at worst.");
    let guesses = page.texts("#outcome-0 .worths tbody th");
    assert_eq!(guesses, ["012", "134", "256", "507", "680", "960"]);
    assert_eq!(
        page.texts("#outcome-0 .worths tbody tr:nth-child(2) td"),
        ["2", "0 0", "80", "0.003968", "2.3587"]
    );
    // 236 and 266 secrets take five turns: the bars have one scale.
    let bars = "[0, 1].map((side) => document.querySelectorAll(`#outcome-${side} .part`)[4].style.width.slice(0, 4))";
    assert_eq!(page.eval(bars), json!(["88.7", "100%"]));
    // Article 003's bonus, and another number.
    let change = |id: &str, value: &str| {
        page.eval(&format!(
            "(place('{id}').value = '{value}', place('{id}').dispatchEvent(new Event('change')))"
        ));
    };
    change("strategy-0", "bonus");
    shows(0, "5.0194 turns");
    change("number-0", "1.5");
    page.wait_for("!place('outcome-0').innerText.startsWith('5.0194')");
    change("secret", "２１９");
    page.wait_for("document.querySelectorAll('#outcome-1 .worths tbody tr').length === 8");
    let address = page.eval("location.search");
    assert_eq!(address, "?secret=219&a=bonus%3A1.5");
    page.click("[data-experiment=gain]");
    shows(0, "4.6845 turns on average, 6 at worst.");
    shows(1, "4.9087 turns");
    assert_eq!(
        page.eval("document.activeElement.dataset.experiment"),
        "gain"
    );
    // Article 004 writes 1 to 9, and so does the board.
    change("secret", "219");
    page.wait_for("document.querySelector('#outcome-0 .worths tbody th')?.innerText === '123'");
    let board =
        page.eval("document.querySelector('#outcome-0 .worths tbody tr:nth-child(2) a').search");
    assert!(
        board.as_str().unwrap().ends_with("&digits=123456789"),
        "{board}"
    );
    page.click("[data-experiment=first]");
    page.wait_for("location.search === ''");
    change("secret", "11");
    page.wait_for("document.querySelectorAll('#outcome-0 .bad, #outcome-1 .bad').length === 2");
    page.open_url(&server.url("/articles?secret=219&a=bonus%3A1.5&b=nothing"));
    page.wait_for("document.querySelectorAll('#outcome-1 .worths tbody tr').length === 8");
    assert_eq!(page.eval("place('number-0').value"), "1.5");
    // A guess leads to the board as it was before this guess.
    page.click("#outcome-1 .worths tbody tr:nth-child(2) a");
    page.wait_for("document.querySelector('#left')?.innerText.includes('42 candidates')");
    assert!(page.text("#about").starts_with("hitblow P K: Find P"));
    no_faults(&page);
}

#[test]
#[ignore = "needs Chromium"]
fn the_small_game_goes_on_reply_by_reply_and_weights_have_an_entropy() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let page = Page::new(1200, 900);
    page.open_url(&server.url("/articles"));
    // Article 002's small game: 12 got 0 hits and 1 blow.
    let posterior = ["0", "0", "0", "0", "0", "1/2", "1/2", "0", "0"];
    assert_eq!(page.texts("#bayes tbody td:last-child"), posterior);
    let products = ["0", "0", "0", "0", "0", "1/6", "1/6", "0", "0"];
    assert_eq!(page.texts("#bayes tbody td:nth-child(4)"), products);
    // The posterior is the next prior: 31 is wrong, so it is 23.
    page.click("#next");
    assert_eq!(page.texts("#bayes tbody td:nth-child(2)"), posterior);
    page.eval("(place('bayes-guess').value = '31', place('bayes-guess').dispatchEvent(new Event('change')))");
    assert_eq!(page.texts("#bayes tbody td:last-child")[5], "1");
    assert_eq!(page.eval("location.search"), "?guess=31&before=12%3A0+1");
    page.click("#again");
    // Article 004's coin, and a die with eight faces.
    assert_eq!(
        page.texts("#weighed tbody td"),
        ["0.001000", "9.966", "0.9990", "0.001443"]
    );
    assert!(page.text("#weighed-entropy").contains("is 0.01141 bits"));
    let weigh = |text: &str| {
        page.eval(&format!(
            "(place('weights').value = '{text}', place('weights').dispatchEvent(new Event('change')))"
        ));
    };
    weigh("1 1 1 1 1 1 1 1");
    assert!(page.text("#weighed-entropy").contains("is 3.000 bits"));
    weigh("1 -1");
    assert!(page.text("#weighed .bad").contains("at least 0"));
    no_faults(&page);
}
