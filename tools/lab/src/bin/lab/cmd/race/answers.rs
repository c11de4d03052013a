//! What wins most often: best answers to a strategy, and equilibria.

use anyhow::{Context as _, Result};
use lab::race::{Fraction, Role, equilibrium, response, rewards};
use lab::solver::pegs::Codes;
use serde::Serialize;

use super::entrants::Entrant;

/// The strategy that wins most often against another one.
#[derive(Serialize)]
pub(crate) struct Answer {
    pub(crate) against: String,
    pub(crate) role: &'static str,
    /// How often it wins; in rounds a draw is half a win.
    pub(crate) wins: Fraction,
    /// How often the other one wins against itself in that role.
    pub(crate) itself: Fraction,
    pub(crate) strategy: Entrant,
}

/// Best answers to a strategy, in each role.
pub(super) fn answers(codes: &Codes, against: &Entrant) -> Result<Vec<Answer>> {
    let answer = |role: Role| {
        let name = format!("best-{}:{}", role.name(), against.name);
        let rewards = rewards(role, &[(1, &against.histogram)]);
        let found = response(codes, &rewards).context("failed to search")?;
        let strategy = Entrant::new(&name, found)?;
        let wins = |turns: &[u64]| {
            let sum = turns.iter().zip(&rewards).map(|(n, reward)| n * reward);
            let games = 2 * (codes.len() as u128).pow(2);
            Fraction::new(u128::from(sum.sum::<u64>()), games)
        };
        anyhow::Ok(Answer {
            against: against.name.clone(),
            role: role.name(),
            wins: wins(&strategy.histogram),
            itself: wins(&against.histogram),
            strategy,
        })
    };
    Role::ALL.into_iter().map(answer).collect()
}

/// What a player with this role can be sure of.
#[derive(Serialize)]
pub(super) struct Balance {
    pub(super) role: &'static str,
    pub(super) at_least: Fraction,
    pub(super) at_most: Fraction,
    pub(super) own: Vec<Part>,
    pub(super) other: Vec<Part>,
}

/// A strategy of a mixture.
#[derive(Serialize)]
pub(super) struct Part {
    /// How often, in millionths.
    pub(super) millionths: u64,
    pub(super) strategy: Entrant,
}

pub(super) fn balance(codes: &Codes, role: Role) -> Result<Balance> {
    let first = Entrant::parse(codes, "optimal")?;
    let found = equilibrium(codes, role, &first.strategy).context("failed to search")?;
    let parts = |mixture: &lab::race::Mixture, player: &str| -> Result<Vec<Part>> {
        let parts = (1..).zip(&mixture.parts);
        let part = |(number, (part, strategy, _)): (usize, &(u64, _, _))| {
            let strategy: &lab::strategy::Strategy = strategy;
            let name = format!("{}-{player}-{number}", role.name());
            anyhow::Ok(Part {
                millionths: *part,
                strategy: Entrant::new(&name, strategy.clone())?,
            })
        };
        parts.map(part).collect()
    };
    Ok(Balance {
        role: role.name(),
        at_least: found.at_least,
        at_most: found.at_most,
        own: parts(&found.own, "own")?,
        other: parts(&found.other, "other")?,
    })
}
