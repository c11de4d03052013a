//! Strategies that are played, not walked: game by game, in this process, with the judge's own sessions.
//!
//! A tree needs a list of codes and a reply for each pair of them. Where replies are noisy there is none,
//! and where questions are not codes there is another one. A problem of that kind is a file under `play/`
//! and a line in [`STUDIES`].

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use tester::case::Seed;
use tester::problem::rng::CaseRng;
use tester::problem::{Instance, ParamError, Spec};
use tester::shard::Part;

use crate::policy::{Given, Options, PolicyError, Takes, check};

pub mod balance;
pub mod distance;

/// Every problem that is played.
pub static STUDIES: &[&dyn Study] = &[&distance::Distance, &balance::Balance];

/// How a problem is played.
pub trait Study: Sync {
    /// The problem's name.
    fn name(&self) -> &'static str;
    /// The policies that there are for it.
    fn policies(&self) -> Vec<Entry>;
    /// A player for one game of one of these policies. `case` makes random choices differ from game to
    /// game.
    ///
    /// # Errors
    /// If the solver cannot play with these parameters.
    fn player(
        &self,
        params: &[&str],
        policy: &Chosen,
        case: u64,
    ) -> Result<Box<dyn Player>, String>;
}

/// A policy as a list shows it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// As it is typed.
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// Which options it takes.
    pub takes: &'static [Takes],
}

/// A policy with its options.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// Which.
    pub entry: Entry,
    /// Only those that it takes are set.
    pub options: Options,
}

impl Chosen {
    /// Random numbers for a game. They must not be those that the case was generated from, or the policy
    /// would seem to know the secret, or to avoid it.
    fn draw(&self, case: u64) -> CaseRng {
        let other = case.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.options.seed.rotate_left(32);
        CaseRng::new(Seed(!other))
    }
}

/// One side of one game.
pub trait Player {
    /// What to print next.
    ///
    /// # Errors
    /// If the replies contradict each other.
    fn line(&mut self) -> Result<String, String>;
    /// What the judge replied.
    ///
    /// # Errors
    /// If that is no reply.
    fn learn(&mut self, reply: &str) -> Result<(), String>;
}

/// Why games could not be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// There is no such problem.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// A game went wrong.
    #[error("failed to play {problem}, {case} {number}: {why}")]
    Game {
        /// The problem.
        problem: String,
        /// `seed` or `secret`.
        case: &'static str,
        /// Which.
        number: u64,
        /// What happened.
        why: String,
    },
}

/// Which games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases {
    /// Every secret once: figures are exact.
    AllSecrets(u64),
    /// The cases of these seeds: figures are those of a sample.
    Seeds(Range<u64>),
}

/// Secrets are played all up to so many.
const MOST_SECRETS: usize = 100_000;
/// Seeds that are played where none are named.
pub const USUAL_SEEDS: Range<u64> = 0..2000;

/// The study of a problem, if it is one that is played.
pub fn study(problem: &str) -> Option<&'static dyn Study> {
    let name = problem.split_ascii_whitespace().next()?;
    STUDIES.iter().copied().find(|study| study.name() == name)
}

/// A policy by its name, with what was typed for it.
///
/// # Errors
/// If there is none for this problem, or it does not take that.
pub fn select(study: &dyn Study, name: &str, given: &Given) -> Result<Chosen, PolicyError> {
    let policies = study.policies();
    let Some(&entry) = policies.iter().find(|entry| entry.name == name) else {
        let known: Vec<&str> = policies.iter().map(|entry| entry.name).collect();
        return Err(PolicyError::Unknown {
            known: format!("{} for {}", known.join(", "), study.name()),
            found: name.to_owned(),
        });
    };
    let options = check(entry.name, entry.takes, given)?;
    Ok(Chosen { entry, options })
}

/// All secrets, where they are not too many and decide the replies; else the usual seeds.
///
/// # Errors
/// If there is no such problem.
pub fn usual_cases(problem: &str) -> Result<Cases, ParamError> {
    let spec = Spec::parse(problem)?;
    let mut all = spec.enumerate()?.take(MOST_SECRETS + 1).peekable();
    if all.peek().is_some_and(|first| first.is_noisy()) {
        return Ok(Cases::Seeds(USUAL_SEEDS));
    }
    Ok(match all.count() {
        count @ ..=MOST_SECRETS => Cases::AllSecrets(count as u64),
        _ => Cases::Seeds(USUAL_SEEDS),
    })
}

/// How many games have each score, of a part of the cases. Calls `played` after each game, from any thread.
///
/// # Errors
/// If there is no such problem, or a game goes wrong.
pub fn scores(
    study: &dyn Study,
    problem: &str,
    policy: &Chosen,
    cases: &Cases,
    part: Part,
    played: &(dyn Fn() + Sync),
) -> Result<BTreeMap<u64, usize>, PlayError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    let (case, numbers, secrets) = match cases {
        Cases::AllSecrets(count) => (
            "secret",
            0..*count,
            Some(spec.enumerate()?.collect::<Vec<_>>()),
        ),
        Cases::Seeds(seeds) => ("seed", seeds.clone(), None),
    };
    let score = |number: u64| {
        let play = |instance: &dyn Instance| {
            let mut player = study.player(&spec.params, policy, number)?;
            play(instance, &mut *player)
        };
        let score = match &secrets {
            Some(secrets) => play(&*secrets[number as usize]),
            None => play(&*spec.generate(Seed(number))?),
        };
        played();
        score.map_err(|why| PlayError::Game {
            problem: problem.to_owned(),
            case,
            number,
            why,
        })
    };
    let block = part.block((numbers.end - numbers.start) as usize);
    let numbers = numbers.start + block.start as u64..numbers.start + block.end as u64;
    let scores: Vec<u64> = numbers
        .into_par_iter()
        .map(score)
        .collect::<Result<_, _>>()?;
    let mut counts = BTreeMap::new();
    scores
        .into_iter()
        .for_each(|score| *counts.entry(score).or_default() += 1);
    Ok(counts)
}

/// Plays one game to its end.
///
/// # Errors
/// If the judge refuses a line, or the player a reply.
pub fn play(instance: &dyn Instance, player: &mut dyn Player) -> Result<u64, String> {
    let mut session = instance.start();
    loop {
        let line = player.line()?;
        let reply = session
            .turn(line.as_bytes())
            .map_err(|refusal| refusal.to_string())?;
        if reply.done {
            return Ok(session.score());
        }
        player.learn(&reply.text)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(problem: &str, policy: &str, cases: &Cases) -> u64 {
        let study = study(problem).unwrap();
        let policy = select(study, policy, &Given::default()).unwrap();
        let counts = scores(study, problem, &policy, cases, Part::WHOLE, &|| ()).unwrap();
        counts
            .iter()
            .map(|(score, &count)| score * count as u64)
            .sum()
    }

    #[test]
    fn every_policy_of_every_study_finds_every_secret_of_small_games() {
        for (problem, secrets) in [
            ("distance 2 4 0", 12),
            ("balance 5 heavy", 5),
            ("balance 4 odd", 8),
        ] {
            let cases = usual_cases(problem).unwrap();
            assert_eq!(cases, Cases::AllSecrets(secrets));
            for entry in study(problem).unwrap().policies() {
                assert!(
                    total(problem, entry.name, &cases) >= secrets,
                    "{problem} {}",
                    entry.name
                );
            }
        }
        assert_eq!(
            usual_cases("distance 2 4 1").unwrap(),
            Cases::Seeds(0..2000)
        );
        assert_eq!(
            usual_cases("distance 10 64 0").unwrap(),
            Cases::Seeds(0..2000)
        );
    }

    #[test]
    fn totals_are_those_that_can_be_worked_out() {
        let all = |problem| usual_cases(problem).unwrap();
        // The first guess is right once; the difference tells the rest.
        assert_eq!(
            total("distance 3 10 0", "map", &all("distance 3 10 0")),
            1 + 2 * 719
        );
        // Three against three, then one against one.
        assert_eq!(total("balance 9 heavy", "mi", &all("balance 9 heavy")), 18);
        // 1 1 3 stones: 1 + 1 + 3 · 2; mutual information weighs 2 2 1.
        assert_eq!(
            total("balance 5 heavy", "solver", &all("balance 5 heavy")),
            8
        );
        assert_eq!(total("balance 5 heavy", "mi", &all("balance 5 heavy")), 9);
        // Whoever does not listen takes (N + 1) / 2 turns on average; 400 games, three deviations.
        let random = total("distance 2 4 3", "random", &Cases::Seeds(0..400)) as f64 / 400.0;
        assert!((random - 6.5).abs() < 3.0 * 3.45 / 20.0, "{random}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let given = Given {
            hit_gain: Some(1.0),
            ..Given::default()
        };
        let study = study("distance 3 10 1").unwrap();
        let error = |name, given: &Given| select(study, name, given).err().unwrap().to_string();
        insta::assert_snapshot!(error("minmax", &Given::default()), @r#"expected a policy (random, random-candidate, map, mi, solver for distance), found "minmax""#);
        insta::assert_snapshot!(error("mi", &given), @"expected options that go with mi (--hit-bonus), found --hit-gain");
        assert!(super::study("hitblow 3 10").is_none());
        let policy = select(study, "map", &Given::default()).unwrap();
        let cases = Cases::Seeds(0..1);
        assert!(
            scores(
                study,
                "distance 3 2 1",
                &policy,
                &cases,
                Part::WHOLE,
                &|| ()
            )
            .is_err()
        );
        let lost = scores(
            study,
            "distance 10 64 1000000000",
            &policy,
            &cases,
            Part::WHOLE,
            &|| (),
        );
        insta::assert_snapshot!(lost.unwrap_err().to_string(), @r#"failed to play distance 10 64 1000000000, seed 0: "21 53 23 44 13 26 38 5 39 0" is past the 1000 turns that this case has noise for"#);
    }
}
