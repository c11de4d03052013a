//! The problem of docs/solver.md.

use tester::problem::parse_case_with;

#[allow(dead_code)]
#[path = "../../../../examples/leak.rs"]
mod example;

use example::LEAK;

#[test]
fn what_holds_for_every_problem() {
    tester::testing::check(&LEAK);
}

#[test]
fn example_of_the_statement() {
    let case = parse_case_with(&[&LEAK], "leak 10 3\n7\n").unwrap();
    let mut session = case.start();
    let reply = |line: &str| session.turn(line.as_bytes()).unwrap().text().to_owned();
    let replies = ["? 5", "? 8", "? 7", "! 7"].map(reply);
    assert_eq!(replies, [">", "<", "=", "1"]);
    assert_eq!(session.score(), (4 + 3 + 3 + 3 + 1 + 3 + 1).into());
}
