//! Games of one policy: which cases, and how many of them have each score.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use tester::case::Seed;
use tester::problem::{Instance, ParamError, Spec};
use tester::shard::Part;

use super::adapter::{Adapter, Player, SelectedPolicy};

/// Why games could not be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulateError {
    /// There is no such problem.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// A game whose replies have no noise: no bound is known.
    #[error("expected distance or gap, found {0:?}")]
    NotNoisy(String),
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

/// The games to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cases {
    /// Every secret once: figures are exact.
    AllSecrets(u64),
    /// The cases of these seeds: figures are those of a sample.
    Seeds(Range<u64>),
}

/// Up to this many secrets, all are played.
const MOST_SECRETS: usize = 100_000;
/// The seeds that are played without `--seeds`.
const USUAL_SEEDS: Range<u64> = 0..2000;

/// All secrets, if they are few enough and decide the replies; otherwise the usual seeds.
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
    adapter: &dyn Adapter,
    problem: &str,
    policy: &SelectedPolicy,
    cases: &Cases,
    part: Part,
    played: &(dyn Fn() + Sync),
) -> Result<BTreeMap<u64, usize>, SimulateError> {
    let scores = scores_in_order(adapter, problem, policy, cases, part, played)?;
    let mut counts = BTreeMap::new();
    for score in scores {
        *counts.entry(score).or_default() += 1;
    }
    Ok(counts)
}

/// The score of each game, in the order of the cases.
///
/// # Errors
/// As [`scores`].
pub fn scores_in_order(
    adapter: &dyn Adapter,
    problem: &str,
    policy: &SelectedPolicy,
    cases: &Cases,
    part: Part,
    played: &(dyn Fn() + Sync),
) -> Result<Vec<u64>, SimulateError> {
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
            let mut player = adapter.player(&spec.params, policy, number)?;
            play_game(instance, &mut *player)
        };
        let score = match &secrets {
            Some(secrets) => play(&*secrets[number as usize]),
            None => play(&*spec.generate(Seed(number))?),
        };
        played();
        score.map_err(|why| SimulateError::Game {
            problem: problem.to_owned(),
            case,
            number,
            why,
        })
    };
    let block = part.block((numbers.end - numbers.start) as usize);
    let numbers = numbers.start + block.start as u64..numbers.start + block.end as u64;
    numbers.into_par_iter().map(score).collect()
}

/// Plays one game to its end.
///
/// # Errors
/// If the judge refuses a line, or the player a reply.
fn play_game(instance: &dyn Instance, player: &mut dyn Player) -> Result<u64, String> {
    let mut session = instance.start();
    loop {
        let line = player.line()?;
        let reply = session
            .turn(line.as_bytes())
            .map_err(|refusal| refusal.to_string())?;
        if reply.done {
            return Ok(session.score().units());
        }
        player.learn(reply.text())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Options;
    use crate::simulate::registry::{adapter, select};

    fn total(problem: &str, policy: &str, cases: &Cases) -> u64 {
        let adapter = adapter(problem).unwrap();
        let policy = select(adapter, policy, &Options::default()).unwrap();
        let counts = scores(adapter, problem, &policy, cases, Part::WHOLE, &|| ()).unwrap();
        counts
            .iter()
            .map(|(score, &count)| score * count as u64)
            .sum()
    }

    #[test]
    fn every_policy_of_every_adapter_finds_every_secret_of_small_games() {
        for (problem, secrets) in [
            ("distance 2 4 0", 12),
            ("gap 2 4 0", 12),
            ("balance 5 heavy", 5),
            ("balance 4 odd", 8),
        ] {
            let cases = usual_cases(problem).unwrap();
            assert_eq!(cases, Cases::AllSecrets(secrets));
            // Who does not hear whether a guess is right may not end the game.
            let all = adapter(problem).unwrap().policies().into_iter();
            for entry in all.filter(|entry| entry.name != "mi-difference") {
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
        // Without the replies a game takes (N + 1) / 2 turns on average; 400 games, three deviations.
        let random = total("distance 2 4 3", "random", &Cases::Seeds(0..400)) as f64 / 400.0;
        assert!((random - 6.5).abs() < 3.0 * 3.45 / 20.0, "{random}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let given = Options {
            hit_gain: Some(1.0),
            ..Options::default()
        };
        let adapter = adapter("distance 3 10 1").unwrap();
        let error = |name, given: &Options| select(adapter, name, given).err().unwrap().to_string();
        insta::assert_snapshot!(error("minmax", &Options::default()), @r#"expected a policy (random, random-candidate, map, mi, mi-turns, mi-difference, two-steps, solver for distance), found "minmax""#);
        insta::assert_snapshot!(error("mi", &given), @"expected options that go with mi (--hit-bonus), found --hit-gain");
        assert!(crate::simulate::adapter("hitblow 3 10").is_none());
        let policy = select(adapter, "map", &Options::default()).unwrap();
        let cases = Cases::Seeds(0..1);
        assert!(
            scores(
                adapter,
                "distance 3 2 1",
                &policy,
                &cases,
                Part::WHOLE,
                &|| ()
            )
            .is_err()
        );
        let lost = scores(
            adapter,
            "distance 10 64 1000000000",
            &policy,
            &cases,
            Part::WHOLE,
            &|| (),
        );
        insta::assert_snapshot!(lost.unwrap_err().to_string(), @r#"failed to play distance 10 64 1000000000, seed 0: "21 53 23 44 13 26 38 5 39 0" is past the 1000 turns that this case has noise for"#);
    }
}
