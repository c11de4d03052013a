//! What the pages of the articles' examples ask `lab serve`: positions, strategies, and games for one secret.

use crate::serve::{assert_is_translated, read};
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn the_analysis_of_a_position_is_that_of_the_articles() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let position = |told: Value| read(&server.post("/api/analysis", &told.to_string()));
    // Article 000's example: 19 candidates; 451 tells more than 243.
    let now = position(json!({
        "problem": "hitblow 3 10", "rows": ["012:0,1", "134:0,2"], "named": ["243", "451"],
    }));
    assert_eq!(now["candidates"], 19);
    let information = |i: usize| now["named"][i]["information"].as_f64().unwrap();
    assert!(
        (information(0) - 1.7832).abs() < 1e-4 && (information(1) - 2.2943).abs() < 1e-4,
        "{now}"
    );
    // Turns are searched for when asked, and said to be there to be asked for.
    let told = |search: bool| {
        let rows = ["012:0,1", "134:0,2"];
        position(
            json!({ "problem": "hitblow 3 10", "rows": rows, "named": ["012"], "search": search }),
        )
    };
    assert_eq!(
        (
            &told(false)["searchable"],
            &told(false)["named"][0]["turns"]
        ),
        (&json!(true), &Value::Null)
    );
    assert_eq!(told(true)["searchable"], false);
    assert!(told(true)["best"][0]["turns"].as_f64().unwrap() >= 1.0);
    // 000's third reply cannot be, after the others.
    let rows = ["012:0,0", "345:0,0", "678:0,0"];
    let found = position(json!({ "problem": "hitblow 3 10", "rows": rows }));
    assert_eq!(found["contradiction"]["impossibleAt"], 2);
    // Letters for digits, and what friends choose.
    let now = position(json!({
        "problem": "hitblow 3 9", "rows": ["abc:0,1"], "digits": "abcdefghi", "prior": "bde 3\necf 1\nghi 7",
    }));
    assert_eq!(
        now["listed"],
        json!([{ "name": "bde", "probability": 0.75 }, { "name": "ecf", "probability": 0.25 }])
    );
    let outside =
        position(json!({ "problem": "hitblow 3 10", "rows": ["012:0,0"], "prior": "012 1" }));
    assert_eq!(outside["outsidePrior"], 7 * 6 * 5);
    // Weighings and noisy differences.
    let now = position(json!({ "problem": "balance 12 odd", "rows": ["? 4 1 2 3 4 5 6 7 8:<"] }));
    assert_eq!(
        (&now["candidates"], &now["best"][0]["turns"]),
        (&json!(8), &json!(2.0))
    );
    let now = position(json!({ "problem": "distance 3 10 10", "rows": ["495:0,-35"] }));
    assert_eq!(now["uniform"], false);
}

#[test]
fn a_game_with_digits_from_1_on_is_the_usual_one_renamed() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let ask = |query: &str| read(&server.get(&format!("/api/strategy?problem={query}")));
    // Article 004 writes 1 to 9.
    let game = |more: &str| {
        let found = ask(&format!(
            "hitblow+3+9&policy=mi&tie=first&hit_gain=10&{more}"
        ));
        let guess = |turn: &Value| turn["guess"].as_str().unwrap().to_owned();
        let turns = found["game"].as_array().unwrap();
        turns.iter().map(guess).collect::<Vec<_>>()
    };
    let renamed = game("secret=219&digits=123456789");
    assert_eq!(
        (renamed[0].as_str(), renamed.last().unwrap().as_str()),
        ("123", "219")
    );
    let less_one = |guess: &String| guess.bytes().map(|digit| char::from(digit - 1)).collect();
    let back: Vec<String> = renamed.iter().map(less_one).collect();
    assert_eq!(game("secret=108&digits="), back);
}

#[test]
fn strategies_of_the_articles_have_their_turns_and_games() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let ask = |query: &str| read(&server.get(&format!("/api/strategy?problem={query}")));
    // Article 002: 5.27 turns on average, the game for 960, and the probability of each guess.
    let found = ask("hitblow+3+10&policy=map&secret=960");
    assert_eq!(found["all"]["total"], 3792);
    assert_eq!(found["turns"], json!([1, 8, 40, 131, 236, 205, 73, 24, 2]));
    let game = found["game"].as_array().unwrap();
    let guesses: Vec<&Value> = game.iter().map(|turn| &turn["guess"]).collect();
    assert_eq!(guesses, ["012", "134", "256", "507", "680", "960"]);
    for (turn, one_in) in game.iter().zip([720.0, 252.0, 80.0, 24.0, 6.0, 1.0]) {
        let right = turn["right"].as_f64().unwrap();
        assert!((right - 1.0 / one_in).abs() < 1e-12, "{turn}");
    }
    // The information of 134 after 012 0H1B, from the sizes of its replies.
    let parts = [80.0, 75.0, 19.0, 1.0, 45.0, 18.0, 2.0, 11.0, 1.0_f64];
    let bits: f64 = parts.iter().map(|n| n / 252.0 * (252.0 / n).log2()).sum();
    assert!((game[1]["information"].as_f64().unwrap() - bits).abs() < 1e-9);
    // Articles 003 and 004, and a number that is not theirs.
    for (query, total) in [
        ("hitblow+3+10&policy=mi&pool=candidates&tie=first", 3708),
        ("hitblow+3+10&policy=mi&pool=all&tie=first&secret=+", 3788),
        ("hitblow+3+10&policy=mi&tie=first&hit_bonus=2", 3614),
        ("hitblow+3+9&policy=mi&tie=first&hit_gain=10", 2361),
        ("hitblow+3+9&policy=mi&tie=first&hit_gain=0", 2474),
        // The least possible totals of docs/optimal.md.
        ("hitblow+3+10&policy=optimal", 3575),
        ("mastermind+4+6&policy=optimal", 5625),
    ] {
        let found = ask(query);
        assert_eq!(found["all"]["total"], total, "{query}");
        assert_eq!(found["game"], Value::Null);
    }
    // Article 001 counts until the secret is determined.
    let found = ask("mastermind+4+4&policy=minmax&pool=candidates&tie=first");
    assert_eq!(found["determined"]["worst"], 4);
    assert!((found["determined"]["mean"].as_f64().unwrap() - 2.9023).abs() < 1e-4);
    let found = ask("mastermind+4+4&policy=random-fixed");
    assert!((found["determined"]["mean"].as_f64().unwrap() - 2.9648).abs() < 1e-4);
    for (query, why) in [
        (
            "hitblow+3+10&policy=optimal&tie=first",
            "expected options that go with optimal",
        ),
        (
            "mastermind+5+6&policy=optimal",
            "expected a game that is searched in seconds, found mastermind 5 6",
        ),
        (
            "hitblow+3+10&policy=map&secret=96",
            "expected a code of the game",
        ),
        (
            "hitblow+3+9&policy=map&digits=1234",
            "expected 9 different characters, one for each digit, found",
        ),
        ("hitblow+3+10&policy=random", "random has no decision tree"),
        (
            "hitblow+3+10&policy=mi&hit_bonus=-1",
            "expected a finite number of at least 0",
        ),
        (
            "hitblow+5+10&policy=mi",
            "expected a game of at most 10000 codes, found 30240",
        ),
        ("hitblow+3&policy=mi", "expected hitblow P K"),
    ] {
        let refused = ask(query);
        let said = refused["error"].as_str().unwrap_or_default();
        assert!(said.contains(why), "{query}: {said}");
        assert_is_translated(&refused);
    }
}
