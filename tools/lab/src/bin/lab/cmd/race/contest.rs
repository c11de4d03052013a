//! All pairs of some strategies.

use anyhow::Result;
use lab::race::{Odds, Tally, odds, simulate};
use serde::Serialize;

use super::answers::{Answer, answers};
use super::entrants::Entrant;
use crate::cli::{self, RacersArgs};

/// Strategies, and how often each wins against each.
#[derive(Serialize)]
pub(crate) struct Contest {
    pub(crate) problem: String,
    pub(crate) secrets: usize,
    pub(crate) strategies: Vec<Entrant>,
    /// Row by row: the first strategy against each, then the second.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) answers: Vec<Answer>,
}

/// A race of two strategies.
#[derive(Serialize)]
pub(crate) struct Pair {
    pub(crate) first: String,
    pub(crate) second: String,
    #[serde(flatten)]
    pub(crate) odds: Odds,
    /// Games that were played, and how many standard errors they are off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) played: Option<Played>,
}

#[derive(Serialize)]
pub(crate) struct Played {
    #[serde(flatten)]
    pub(crate) tally: Tally,
    /// Of `fewer`, and of `fewer` and `same` together.
    pub(crate) standard_errors: [f64; 2],
}

impl Contest {
    /// The strategies that were typed, and those that win most often against some of them.
    pub(crate) fn new(args: &RacersArgs) -> Result<Self> {
        let codes = cli::codes(&args.problem)?;
        let parse = |text: &String| Entrant::parse(&codes, text);
        let strategies = args.strategies.iter().map(parse);
        let mut strategies: Vec<Entrant> = strategies.collect::<Result<_>>()?;
        let mut found = Vec::new();
        for text in &args.best_against {
            found.extend(answers(&codes, &parse(text)?)?);
        }
        strategies.extend(found.iter().map(|answer| answer.strategy.clone()));
        let pair = |first: &Entrant, second: &Entrant| Pair {
            first: first.name.clone(),
            second: second.name.clone(),
            odds: odds(&first.histogram, &second.histogram),
            played: None,
        };
        let rows = strategies.iter();
        let pairs = rows.flat_map(|first| strategies.iter().map(move |second| pair(first, second)));
        Ok(Self {
            problem: codes.game.title(),
            secrets: codes.len(),
            pairs: pairs.collect(),
            answers: found,
            strategies,
        })
    }

    /// Plays games of each pair, with the judge's replies.
    pub(crate) fn play(&mut self, games: u64, seed: u64) -> Result<()> {
        let count = self.strategies.len();
        for (at, pair) in self.pairs.iter_mut().enumerate() {
            // No two pairs have a secret in common: so their deviations are independent.
            let seed = seed.wrapping_add(2 * games * at as u64);
            let players = [at / count, at % count].map(|at| &self.strategies[at].strategy);
            let tally = simulate(players, games, seed)?;
            let errors = |count: u64, p: f64| {
                let n = games as f64;
                let difference: f64 = count as f64 - n * p;
                let variance: f64 = n * p * (1.0 - p);
                match variance {
                    0.0 => difference,
                    _ => difference / variance.sqrt(),
                }
            };
            pair.played = Some(Played {
                tally,
                standard_errors: [
                    errors(tally.fewer, pair.odds.fewer.value()),
                    errors(tally.fewer + tally.same, pair.odds.moving_first.value()),
                ],
            });
        }
        Ok(())
    }
}
