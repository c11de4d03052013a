//! What holds for every problem: one call in a test of the package that brings the problem.
//!
//! ```ignore
//! #[test]
//! fn what_holds_for_every_problem() {
//!     tester::testing::check(&MY_PROBLEM);
//! }
//! ```
//!
//! The rules of a game are not known here. A test with the example of the statement, its score worked out by hand,
//! belongs beside this one.

use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, TestRunner};

use super::registry::{Spec, named, parse_case_with};
use super::rng::Seed;
use super::traits::{Instance, Problem};

/// Tests `problem` with each of its samples, with many seeds, and with random lines and files.
///
/// Cost: some seconds; it goes through all secrets of a sample, up to 20,000.
///
/// # Panics
/// If something does not hold. The last line names it.
pub fn check(problem: &'static dyn Problem) {
    for (name, holds) in CHECKS {
        let _named = NameOnPanic(name, problem.name());
        holds(problem);
    }
}

/// The name of a function, and the function.
type Check = (&'static str, fn(&'static dyn Problem));

macro_rules! checks {
    ($($check:ident,)*) => { &[$((stringify!($check), $check)),*] };
}

static CHECKS: &[Check] = checks![
    a_list_takes_it,
    default_parameters_are_accepted,
    text_round_trips_and_a_seed_always_gives_the_same_bytes,
    opening_names_the_game_and_does_not_depend_on_the_secret,
    enumeration_has_every_secret_once_and_generated_ones_are_in_it,
    the_right_answer_is_done,
    another_answer_is_not_done,
    random_bytes_never_panic_a_session,
    nearly_right_lines_never_panic_a_session,
    random_text_is_never_read_as_another_case,
    mutilated_case_files_never_panic,
];

/// Says on the way out of a panic what did not hold.
struct NameOnPanic(&'static str, &'static str);

impl Drop for NameOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: {} does not hold", self.1, self.0);
        }
    }
}

/// Each of the sample parameter lists, and how it is typed.
fn specs(problem: &'static dyn Problem) -> impl Iterator<Item = (Spec<'static>, String)> {
    problem.samples().iter().map(move |params| {
        let spec = Spec {
            problem,
            params: params.split_ascii_whitespace().collect(),
        };
        (spec, named(problem.name(), params))
    })
}

fn a_list_takes_it(problem: &'static dyn Problem) {
    super::registry::check(&[problem]).expect("a list of this problem alone");
    let samples = problem.samples();
    assert!(!samples.is_empty(), "no sample: nothing would be tested");
}

fn default_parameters_are_accepted(problem: &'static dyn Problem) {
    let params = problem.default_params();
    let spec = Spec {
        problem,
        params: params.split_ascii_whitespace().collect(),
    };
    if let Err(refused) = spec.generate(Seed(0)) {
        panic!("the default parameters {params:?} are refused: {refused}");
    }
}

fn text_round_trips_and_a_seed_always_gives_the_same_bytes(problem: &'static dyn Problem) {
    for (spec, named) in specs(problem) {
        for seed in 0..200 {
            let text = spec.generate(Seed(seed)).unwrap().to_text();
            match parse_case_with(&[problem], &text) {
                Ok(read) => assert_eq!(read.to_text(), text, "{named}: read and written again"),
                Err(refused) => panic!("{named}: {text:?} is not read again: {refused}"),
            }
            let again = spec.generate(Seed(seed)).unwrap().to_text();
            assert_eq!(again, text, "{named}: seed {seed} for the second time");
            assert!(text.ends_with('\n') && !text.contains('\r'), "{text:?}");
        }
    }
}

fn opening_names_the_game_and_does_not_depend_on_the_secret(problem: &'static dyn Problem) {
    if !problem.files_begin_with_name() {
        return; // the contest's own format
    }
    for (spec, text) in specs(problem) {
        for seed in 0..50 {
            assert_eq!(spec.generate(Seed(seed)).unwrap().opening(), text);
        }
    }
}

fn enumeration_has_every_secret_once_and_generated_ones_are_in_it(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        let secret = |instance: Box<dyn Instance>| {
            let text = instance.to_text();
            text.lines().nth(1).map(str::to_owned)
        };
        let mut all = BTreeSet::new();
        for instance in spec.enumerate().unwrap().take(20_000) {
            let secret = secret(instance);
            assert!(all.insert(secret.clone()), "{text}: {secret:?} comes twice");
        }
        for seed in 0..20 {
            let secret = secret(spec.generate(Seed(seed)).unwrap());
            let known = all.contains(&secret) || all.len() == 20_000;
            assert!(known, "{text}: {secret:?} is generated, but not enumerated");
        }
    }
}

fn the_right_answer_is_done(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        for seed in 0..20 {
            let instance = spec.generate(Seed(seed)).unwrap();
            let mut session = instance.start();
            match session.turn(instance.answer().as_bytes()) {
                Ok(reply) => assert!(reply.done, "{text}: {reply:?}"),
                Err(refused) => panic!("{text}: the answer is refused: {refused}"),
            }
        }
    }
}

fn another_answer_is_not_done(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        let all: Vec<_> = spec.enumerate().unwrap().take(50).collect();
        for (instance, other) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let reply = instance.start().turn(other.answer().as_bytes());
            let done = reply.is_ok_and(|reply| reply.done);
            assert_eq!(done, instance.answer() == other.answer(), "{text}");
        }
    }
}

/// Calls `holds` with random values, and with ever smaller ones once it has panicked.
fn for_random<S: Strategy<Value: Debug>>(values: S, holds: impl Fn(S::Value)) {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let ran = TestRunner::new(config).run(&values, |value| {
        holds(value);
        Ok(())
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}

fn random_bytes_never_panic_a_session(problem: &'static dyn Problem) {
    for_random(vec(any::<Vec<u8>>(), 1..8), |lines| {
        for (spec, _) in specs(problem) {
            let mut session = spec.generate(Seed(7)).unwrap().start();
            for line in &lines {
                // Chance hardly ever begins a line as a query or an answer.
                for begin in [&b""[..], b"? ", b"! "] {
                    let _ = session.turn(&[begin, line].concat());
                }
            }
        }
    });
}

fn nearly_right_lines_never_panic_a_session(problem: &'static dyn Problem) {
    for_random(r"[-+ ]{0,2}([0-9]{1,2}[ ,]{0,2}){1,5}", |line| {
        for (spec, _) in specs(problem) {
            // What is refused leaves the game as it was.
            let instance = spec.generate(Seed(7)).unwrap();
            let (mut session, mut twin) = (instance.start(), instance.start());
            for begin in ["", "? ", "! "] {
                let line = format!("{begin}{line}");
                if session.turn(line.as_bytes()).is_ok() {
                    let _ = twin.turn(line.as_bytes());
                }
            }
            assert_eq!(session.score(), twin.score());
            let answer = instance.answer();
            assert_eq!(
                session.turn(answer.as_bytes()),
                twin.turn(answer.as_bytes())
            );
        }
    });
}

fn random_text_is_never_read_as_another_case(problem: &'static dyn Problem) {
    for_random(any::<String>(), |text| {
        if let Ok(instance) = parse_case_with(&[problem], &text) {
            let words = |text: &str| text.split_ascii_whitespace().count();
            assert_eq!(words(&instance.to_text()), words(&text));
        }
    });
}

fn mutilated_case_files_never_panic(problem: &'static dyn Problem) {
    for_random((0_usize..40, "[ 0-9a-z\n]{0,6}"), |(cut, junk)| {
        for (spec, _) in specs(problem) {
            let mut text = spec.generate(Seed(3)).unwrap().to_text();
            text.insert_str(cut.min(text.len()), &junk);
            let _ = parse_case_with(&[problem], &text);
            text.truncate(cut.min(text.len()));
            let _ = parse_case_with(&[problem], &text);
        }
    });
}
