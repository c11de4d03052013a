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

use super::exchange::{Question, Reply, TurnError};
use super::registry::{Spec, named, parse_case_with};
use super::rng::Seed;
use super::traits::{Instance, Problem, Session};

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
    a_case_begins_with_its_opening_and_names_the_game,
    parameters_have_names_and_are_numbers,
    scores_have_the_decimals_of_the_problem,
    enumeration_has_every_secret_once_and_generated_ones_are_in_it,
    the_right_answer_is_done,
    another_answer_is_not_done,
    debug_output_is_refused_as_having_no_form,
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

fn a_case_begins_with_its_opening_and_names_the_game(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        for seed in 0..50 {
            let instance = spec.generate(Seed(seed)).unwrap();
            let opening = instance.opening() + "\n";
            assert!(
                instance.to_text().starts_with(&opening),
                "{text}: {opening:?}"
            );
            if problem.files_begin_with_name() {
                assert_eq!(instance.spec(), text, "seed {seed}");
                let name = opening.split_ascii_whitespace().next();
                assert_eq!(name, Some(problem.name()), "the first word of a case");
            } else {
                let spec = instance.spec();
                let name = spec.split_ascii_whitespace().next();
                assert_eq!(name, Some(problem.name()), "the first word of {spec:?}");
            }
        }
    }
}

fn parameters_have_names_and_are_numbers(problem: &'static dyn Problem) {
    let names = problem.parameters();
    assert!(problem.decimals() <= 9, "at most 9 decimals");
    for (spec, text) in specs(problem) {
        for seed in 0..50 {
            let values = spec.generate(Seed(seed)).unwrap().parameters();
            assert_eq!(values.len(), names.len(), "{text}: values of {names:?}");
            assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
        }
    }
}

fn scores_have_the_decimals_of_the_problem(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        for seed in 0..20 {
            let instance = spec.generate(Seed(seed)).unwrap();
            let mut session = instance.start();
            assert_eq!(session.score().decimals(), problem.decimals(), "{text}");
            if let Some(answer) = instance.answer() {
                let _ = session.turn(answer.as_bytes());
                let decimals = session.score().decimals();
                assert_eq!(decimals, problem.decimals(), "{text}: after the answer");
            }
        }
    }
}

fn enumeration_has_every_secret_once_and_generated_ones_are_in_it(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        let secret = |instance: &dyn Instance| {
            let hidden = instance.opening().split('\n').count();
            instance.to_text().lines().nth(hidden).map(str::to_owned)
        };
        let Some(listed) = problem.enumerate(&spec.params).unwrap() else {
            continue;
        };
        let mut all = BTreeSet::new();
        let mut openings = BTreeSet::new();
        for instance in listed.take(20_000) {
            let secret = secret(instance.as_ref());
            assert!(all.insert(secret.clone()), "{text}: {secret:?} comes twice");
            openings.insert(instance.opening());
        }
        assert_eq!(
            openings.len(),
            1,
            "{text}: openings that tell secrets apart"
        );
        for seed in 0..20 {
            let secret = secret(spec.generate(Seed(seed)).unwrap().as_ref());
            let known = all.contains(&secret) || all.len() == 20_000;
            assert!(known, "{text}: {secret:?} is generated, but not enumerated");
        }
    }
}

fn the_right_answer_is_done(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        for seed in 0..20 {
            let instance = spec.generate(Seed(seed)).unwrap();
            let Some(answer) = instance.answer() else {
                continue;
            };
            match instance.start().turn(answer.as_bytes()) {
                Ok(reply) => assert!(reply.done, "{text}: {reply:?}"),
                Err(refused) => panic!("{text}: the answer is refused: {refused}"),
            }
        }
    }
}

fn another_answer_is_not_done(problem: &'static dyn Problem) {
    for (spec, text) in specs(problem) {
        let Some(listed) = problem.enumerate(&spec.params).unwrap() else {
            continue;
        };
        let answered = |instance: Box<dyn Instance>| Some((instance.answer()?, instance));
        let all: Vec<_> = listed.take(50).filter_map(answered).collect();
        for ((right, instance), (other, _)) in
            all.iter().flat_map(|a| all.iter().map(move |b| (a, b)))
        {
            let reply = instance.start().turn(other.as_bytes());
            let done = reply.is_ok_and(|reply| reply.done);
            assert_eq!(done, right == other, "{text}");
        }
    }
}

/// Its verdict then says where to print debug output.
fn debug_output_is_refused_as_having_no_form(problem: &'static dyn Problem) {
    for (spec, named) in specs(problem) {
        let instance = spec.generate(Seed(7)).unwrap();
        let mut listener = Listener::new(instance.as_ref());
        // A question may have several lines; each problem knows after a thousand at most that this is none.
        let refused = (0..1000).find_map(|_| listener.hear(b"debug: 15 left"));
        assert!(
            matches!(refused, Some(Err(TurnError::Format(_)))),
            "{named}: \"debug: 15 left\" should be TurnError::Format, found {refused:?}"
        );
    }
}

/// A session that hears lines as the judge passes them on.
struct Listener {
    session: Box<dyn Session>,
    ignores_comments: bool,
    question: Vec<u8>,
    lines: usize,
}

impl Listener {
    fn new(instance: &dyn Instance) -> Self {
        Self {
            session: instance.start(),
            ignores_comments: instance.ignores_comments(),
            question: Vec::new(),
            lines: 0,
        }
    }

    /// Forgets the lines of a question that is not complete.
    fn forget(&mut self) {
        (self.question, self.lines) = (Vec::new(), 0);
    }

    /// The answer to a question that `line` completes; `None` if there is more to come, or it is no line of one.
    fn hear(&mut self, line: &[u8]) -> Option<Result<Reply, TurnError>> {
        let line = line.trim_ascii();
        if line.is_empty() || (self.ignores_comments && line.starts_with(b"#")) {
            return None;
        }
        if self.lines > 0 {
            self.question.push(b'\n');
        }
        self.question.extend_from_slice(line);
        self.lines += 1;
        let question = Question::from_lines(&self.question, self.lines);
        if self.session.is_incomplete(&question) {
            return None;
        }
        self.lines = 0;
        Some(self.session.turn(&std::mem::take(&mut self.question)))
    }
}

/// A case of sample parameters that hears many random lines. It is made once: a large board takes longer to draw than to
/// hear a line.
struct Sample {
    instance: Box<dyn Instance>,
    answer: Option<String>,
    /// How lines may begin: by chance hardly ever as a question or an answer of the game.
    beginnings: Vec<String>,
}

fn samples(problem: &'static dyn Problem) -> Vec<Sample> {
    let sample = |(spec, _): (Spec<'_>, _)| {
        let instance = spec.generate(Seed(7)).unwrap();
        let answer = instance.answer();
        let mut words = answer.iter().flat_map(|line| line.split_ascii_whitespace());
        let word = words.next().unwrap_or_default();
        let beginnings = ["", "? ", "! ", "q ", &format!("{word} ")].map(str::to_owned);
        Sample {
            instance,
            beginnings: beginnings.to_vec(),
            answer,
        }
    };
    specs(problem).map(sample).collect()
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
    let samples = samples(problem);
    for_random(vec(any::<Vec<u8>>(), 1..8), |lines| {
        for sample in &samples {
            let mut listener = Listener::new(sample.instance.as_ref());
            for line in lines.iter().flat_map(|line| line.split(|&b| b == b'\n')) {
                for begin in &sample.beginnings {
                    let _ = listener.hear(&[begin.as_bytes(), line].concat());
                }
            }
        }
    });
}

fn nearly_right_lines_never_panic_a_session(problem: &'static dyn Problem) {
    let samples = samples(problem);
    for_random(r"[-+ ]{0,2}([0-9]{1,2}[ ,]{0,2}){1,5}", |line| {
        for sample in &samples {
            // What is refused leaves the game as it was.
            let listener = || Listener::new(sample.instance.as_ref());
            let [mut listener, mut twin] = [listener(), listener()];
            for begin in &sample.beginnings {
                let line = format!("{begin}{line}");
                match listener.hear(line.as_bytes()) {
                    Some(Ok(_)) | None => _ = twin.hear(line.as_bytes()),
                    Some(Err(_)) => twin.forget(),
                }
            }
            assert_eq!(listener.session.score(), twin.session.score());
            if let Some(answer) = &sample.answer {
                let answer = answer.as_bytes();
                assert_eq!(listener.session.turn(answer), twin.session.turn(answer));
            }
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
    let text = |(spec, _): (Spec<'_>, _)| spec.generate(Seed(3)).unwrap().to_text();
    let texts: Vec<String> = specs(problem).map(text).collect();
    for_random((0_usize..40, "[ 0-9a-z\n]{0,6}"), |(cut, junk)| {
        for text in &texts {
            let mut text = text.clone();
            text.insert_str(cut.min(text.len()), &junk);
            let _ = parse_case_with(&[problem], &text);
            text.truncate(cut.min(text.len()));
            let _ = parse_case_with(&[problem], &text);
        }
    });
}
