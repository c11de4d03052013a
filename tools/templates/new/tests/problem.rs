//! Tests of the problem: `cargo test`.

use tester::problem::{Instance, parse_case_with};

use new_contest::problem::PROBLEM;

/// A case file becomes a case again, a seed always gives the same bytes, no line of a contestant makes the judge panic,
/// and so on.
#[test]
fn what_holds_for_every_problem() {
    tester::testing::check(&PROBLEM);
}

/// CHANGE: the case of the example in the statement.
fn example() -> Box<dyn Instance> {
    let file = "4 5\n3 1 4 1\n5 2 2 5\n3 5 4 1\n2 3 3 4\n2 1\n";
    parse_case_with(&[&PROBLEM], file).expect("a case file")
}

/// CHANGE: its lines, replies and score. No general test knows the rules: work the score out by hand.
#[test]
fn example_of_the_statement() {
    let mut game = example().start();
    let mut reply = |line: &str| {
        let reply = game.turn(line.as_bytes()).expect("a line by the rules");
        (reply.text().to_owned(), reply.done)
    };
    assert_eq!(reply("? 0 1"), ("2".to_owned(), false));
    assert_eq!(reply("? 2 3"), ("2".to_owned(), false));
    assert_eq!(reply("! 1 2"), ("0".to_owned(), false));
    assert_eq!(reply("! 2 1"), ("1".to_owned(), true));
    assert_eq!(game.score().units(), 1 + 1 + 10 + 10);
}

/// CHANGE: what a contestant gets wrong, and the message that tells it.
#[test]
fn what_is_wrong_with_a_line_is_said() {
    let refused = |line: &str| example().start().turn(line.as_bytes()).unwrap_err();
    assert_eq!(
        refused("? 4 0").to_string(),
        "\"4\" is not an integer from 0 to 3 in \"? 4 0\""
    );
    assert_eq!(
        refused("0 0").to_string(),
        "expected ? or !, a row and a column in \"0 0\""
    );
}
