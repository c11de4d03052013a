//! The solver and the judge each have their own rule. Here they meet: over all pairs of several
//! games, every reply that the solver expects is the one that the judge gives.

use crate::solver::pegs::{CodeId, Codes, Game, Replies};
use tester::problem::Spec;

fn compare(name: &str, places: usize, digits: usize) {
    let codes = Codes::new(Game::new(name, places, digits).unwrap());
    let spec = format!("{name} {places} {digits}");
    let secrets = Spec::parse(&spec).unwrap().enumerate().unwrap();
    let lines: Vec<String> = (0..codes.len() as CodeId)
        .map(|id| {
            codes
                .digits(id)
                .iter()
                .map(u8::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let mut count = 0;
    for (secret, instance) in secrets.enumerate() {
        count += 1;
        // The same codes in the same order.
        assert_eq!(instance.to_text(), format!("{spec}\n{}\n", lines[secret]));
        let mut session = instance.start();
        for (guess, line) in lines.iter().enumerate() {
            let reply = session.turn(line.as_bytes()).unwrap();
            let expected = Replies::new(&codes, guess as CodeId).feedback(secret as CodeId);
            assert_eq!(
                reply.text(),
                format!("{} {}", expected.hits, expected.blows),
                "{spec}: secret {}, guess {line}",
                lines[secret]
            );
        }
    }
    assert_eq!(count, codes.len());
}

#[test]
fn hitblow_rules_agree_over_all_pairs() {
    compare("hitblow", 1, 5);
    compare("hitblow", 2, 10);
    compare("hitblow", 3, 7);
    compare("hitblow", 4, 5);
    compare("hitblow", 5, 5);
}

#[test]
fn mastermind_rules_agree_over_all_pairs() {
    compare("mastermind", 1, 5);
    compare("mastermind", 2, 12);
    compare("mastermind", 3, 6);
    compare("mastermind", 4, 4);
    compare("mastermind", 8, 2);
}

#[test]
fn rules_agree_at_the_edges_of_the_tables() {
    // Too many codes for all pairs: the largest tokens that there are, against a few secrets.
    for (spec, guesses) in [
        ("hitblow 2 64", [[63, 62], [62, 63], [0, 63]]),
        ("mastermind 2 64", [[63, 63], [63, 0], [0, 63]]),
    ] {
        let words: Vec<&str> = spec.split(' ').collect();
        let codes = Codes::new(Game::new(words[0], 2, 64).unwrap());
        let secrets = Spec::parse(spec).unwrap().enumerate().unwrap();
        let find = |code: [u8; 2]| (0..codes.len() as CodeId).find(|&id| codes.digits(id) == code);
        let guesses = guesses.map(|code| find(code).unwrap());
        for (secret, instance) in secrets.enumerate() {
            for guess in guesses {
                let line = codes
                    .digits(guess)
                    .iter()
                    .map(u8::to_string)
                    .collect::<Vec<_>>()
                    .join(" ");
                let reply = instance.start().turn(line.as_bytes()).unwrap();
                let expected = Replies::new(&codes, guess).feedback(secret as CodeId);
                assert_eq!(
                    reply.text(),
                    format!("{} {}", expected.hits, expected.blows)
                );
            }
        }
    }
}
