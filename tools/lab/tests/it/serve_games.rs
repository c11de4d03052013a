//! The games that `lab serve` plays: the end of a game, and what is said of a line that is no guess.

use crate::serve::{assert_is_translated, read};
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The answer to these lines in the game of a seed.
fn game(server: &Serving, problem: &str, lines: &str, more: &str) -> Value {
    let path = format!("/api/game?problem={problem}&seed=7&lines={lines}{more}");
    read(&server.get(&path))
}

#[test]
fn a_player_who_gives_up_is_told_the_secret_and_has_not_found_it() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    // Stone 1 of 2 or stone 2 is the heavy one; the game goes on after a weighing.
    let going_on = game(&server, "balance+2+heavy", "?+1+1+2", "");
    assert_eq!(going_on["answer"], Value::Null);
    assert_eq!(going_on["gaveUp"], false);
    let gave_up = game(&server, "balance+2+heavy", "?+1+1+2", "&give_up=true");
    assert_eq!(
        (&gave_up["gaveUp"], &gave_up["done"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(gave_up["turns"].as_array().unwrap().len(), 1);
    // The reply tells the stone: the left side is lighter or heavier.
    let right = match gave_up["turns"][0]["reply"].as_str() {
        Some("<") => "! 2",
        _ => "! 1",
    };
    assert_eq!(gave_up["answer"], right);
    // What is found is found: the only code of this game is 0.
    let found = game(&server, "hitblow+1+1", "0", "&give_up=true");
    assert_eq!(
        (&found["gaveUp"], &found["done"]),
        (&json!(false), &json!(true))
    );
    let at_once = game(&server, "hitblow+1+1", "", "&give_up=true");
    assert_eq!(at_once["answer"], "0");
}

#[test]
fn what_was_typed_is_not_called_the_output_of_a_program_in_japanese() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    for (problem, line, typed) in [
        ("hitblow+3+10", "abc", r#""abc""#),
        ("hitblow+3+10", "12", r#""1 2""#),
        ("hitblow+1+10", "1+2", r#""1 2""#),
        // A line that looks like the end of a message.
        ("hitblow+3+10", "x+in+%22y%22", r#""x in \"y\"""#),
        ("mastermind+4+6", "0009", r#""0 0 0 9""#),
        ("balance+5+heavy", "!+9", r#""! 9""#),
    ] {
        let refused = game(&server, problem, line, "");
        assert_is_translated(&refused);
        let error = refused["error"].as_str().unwrap();
        let japanese = refused["japanese"][error].as_str().unwrap();
        assert!(
            japanese.ends_with(&format!("（入力：{typed}）")),
            "{japanese}"
        );
        assert!(!japanese.contains("出力"), "{japanese}");
    }
}

#[test]
fn a_game_with_too_many_codes_is_said_to_be_in_japanese() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    // 10!/1! codes.
    let position = json!({ "problem": "hitblow 9 10", "rows": [] });
    let refused = read(&server.post("/api/analysis", &position.to_string()));
    assert!(refused["error"].as_str().unwrap().contains("3628800"));
    assert_is_translated(&refused);
}
