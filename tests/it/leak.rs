//! The example of docs/solver.md: `leak 100 10`, played by three ways to think and in the fewest minutes.

use std::cmp::Ordering;
use std::collections::HashMap;

use tester::judge::judge;
use tester::judge::record::Verdict;
use tester::judge::verdict::Limits;
use tester::problem::{Instance, Problem};
use tester::process::Command;

use crate::solver::bayes::{Posterior, entropy_bits};

/// The judge of the example.
#[allow(dead_code)]
#[path = "../../tools/examples/leak.rs"]
mod example;

const SECTIONS: u64 = 100;
const LISTENING: u64 = 10;

fn secrets(sections: u64, listening: u64) -> impl Iterator<Item = Box<dyn Instance>> {
    let params = [sections.to_string(), listening.to_string()];
    let all = example::LEAK.enumerate(&params.each_ref().map(String::as_str));
    all.unwrap().unwrap()
}

/// Sections that may still leak, and where you stand.
#[derive(Clone, Copy, Hash, PartialEq, Eq)]
struct State {
    low: u64,
    high: u64,
    at: u64,
}

impl State {
    const START: Self = Self {
        low: 1,
        high: SECTIONS,
        at: 1,
    };

    fn cost(self, question: u64) -> u64 {
        self.at.abs_diff(question) + LISTENING
    }

    fn left_of(self, at: u64) -> Self {
        Self {
            low: self.low,
            high: at - 1,
            at,
        }
    }

    fn right_of(self, at: u64) -> Self {
        Self {
            low: at + 1,
            high: self.high,
            at,
        }
    }
}

/// The minutes of all secrets together, as the judge counts them, for a rule that chooses questions.
fn total(mut choose: impl FnMut(State) -> u64) -> u64 {
    let game = |instance: Box<dyn Instance>| {
        let (mut session, mut state) = (instance.start(), State::START);
        let mut turn = |line: String| session.turn(line.as_bytes()).unwrap().text().to_owned();
        while state.low < state.high {
            let question = choose(state);
            state = match turn(format!("? {question}")).as_str() {
                "<" => state.left_of(question),
                ">" => state.right_of(question),
                _ => State {
                    low: question,
                    high: question,
                    at: question,
                },
            };
        }
        assert_eq!(turn(format!("! {}", state.low)), "1");
        session.score().units()
    };
    secrets(SECTIONS, LISTENING).map(game).sum()
}

/// The nearer end of the middle.
fn half(state: State) -> u64 {
    let step = (state.high - state.low) / 2;
    match state.at <= state.low {
        true => state.low + step,
        false => state.high - step,
    }
}

fn information_bits(state: State, question: u64) -> f64 {
    let all = (state.high + 1 - state.low) as f64;
    let parts = [
        question - state.low,
        state.high - question,
        1, // it is there
    ];
    entropy_bits(parts.map(|part| part as f64 / all))
}

fn greatest(state: State, value: impl Fn(u64) -> f64) -> u64 {
    let better = |best: u64, next: u64| match value(next) > value(best) + 1e-9 {
        true => next,
        false => best,
    };
    (state.low..=state.high).reduce(better).unwrap()
}

/// The fewest minutes of all secrets of a state together, and the question that leads to them.
fn fewest(state: State, known: &mut HashMap<State, (u64, u64)>) -> (u64, u64) {
    let secrets = (state.high + 1).saturating_sub(state.low);
    if secrets < 2 {
        return (secrets, state.low); // a minute of digging
    }
    if let Some(&found) = known.get(&state) {
        return found;
    }
    let minutes = |question: u64| {
        let smaller = fewest(state.left_of(question), known).0;
        let greater = fewest(state.right_of(question), known).0;
        let here = 1; // a minute of digging
        (
            secrets * state.cost(question) + smaller + here + greater,
            question,
        )
    };
    let found = (state.low..=state.high).map(minutes).min().unwrap();
    known.insert(state, found);
    found
}

#[test]
fn information_for_cost_is_nearer_to_the_optimum_than_halving() {
    assert_eq!(total(half), 14991);
    assert_eq!(
        total(|state| greatest(state, |i| information_bits(state, i))),
        15083
    );
    let for_cost =
        |state: State| greatest(state, |i| information_bits(state, i) / state.cost(i) as f64);
    assert_eq!(total(for_cost), 12990);
    let mut known = HashMap::new();
    assert_eq!(fewest(State::START, &mut known).0, 12616);
    assert_eq!(total(|state| fewest(state, &mut known).1), 12616);
}

/// The sum of scores over all secrets, of the program that a new submission is a copy of.
fn played(sections: u64, listening: u64) -> u64 {
    let command = Command {
        program: env!("CARGO_BIN_EXE_leak").into(),
        args: Vec::new(),
    };
    let score = |instance: Box<dyn Instance>| {
        let limits = Limits::default();
        let record = judge(instance.as_ref(), &command, &limits, None, &mut ()).unwrap();
        assert_eq!(record.verdict, Verdict::Ac, "{record:?}");
        record.score.units()
    };
    secrets(sections, listening).map(score).sum()
}

#[test]
fn new_submission_plays_by_information_for_cost() {
    assert_eq!(played(SECTIONS, LISTENING), 12990);
    // Where listening is free, and where you stand already.
    assert_eq!(played(2, 0), 2);
}

#[test]
fn example_uses_the_same_information() {
    let posterior = Posterior::uniform(SECTIONS as usize);
    for question in 1..=SECTIONS {
        let reply = |hypothesis: u32| -> Ordering { (u64::from(hypothesis) + 1).cmp(&question) };
        let own = posterior.information_bits(reply);
        assert!((own - information_bits(State::START, question)).abs() < 1e-12);
    }
}
