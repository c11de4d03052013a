//! Mixtures of strategies that neither player of a race can improve.
//!
//! Each player has a list of strategies. The matrix of their odds is solved; the best answer to each mixture among *all*
//! strategies joins the other player's list, until it gains nothing (a double oracle). The bounds that are left are
//! exact: the best answers are proved to be best against the mixtures, whose weights are whole numbers.

use super::fraction::Fraction;
use super::matrix_game;
use super::response::{Role, response, rewards};
use crate::optimal::TooLarge;
use crate::solver::pegs::Codes;
use crate::strategy::{Strategy, VerifyError, verify};

/// Strategies and how often each is played.
#[derive(Clone, Debug)]
pub struct Mixture {
    /// Parts of [`Mixture::WHOLE`], and the strategy with its turns; those with no part are left out.
    pub parts: Vec<(u64, Strategy, Vec<u64>)>,
}

impl Mixture {
    /// The sum of all parts.
    pub const WHOLE: u64 = 1_000_000;
}

/// What neither player can improve by more than the bounds are apart.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// How the player with this role plays.
    pub own: Mixture,
    /// How the other player plays.
    pub other: Mixture,
    /// `own` wins at least this often, whatever the other plays.
    pub at_least: Fraction,
    /// Against `other` nothing wins more often than this.
    pub at_most: Fraction,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub enum EquilibriumError {
    /// The game is too large for a search.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A strategy that was found is none.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

/// A player's strategies so far, and their turns.
type List = Vec<(Strategy, Vec<u64>)>;

/// The equilibrium for a player with this role, from these first strategies on. In rounds a draw is half a win.
///
/// Cost: some tens of [`response`]s.
///
/// # Errors
/// If the game is too large.
pub fn equilibrium(
    codes: &Codes,
    role: Role,
    first: &Strategy,
) -> Result<Equilibrium, EquilibriumError> {
    let opposite = match role {
        Role::First => Role::Second,
        Role::Second => Role::First,
        Role::Rounds => Role::Rounds,
    };
    let start = (first.clone(), verify(first)?.histogram);
    let (mut own, mut other): (List, List) = (vec![start.clone()], vec![start]);
    loop {
        let matrix: Vec<Vec<f64>> = own
            .iter()
            .map(|(_, a)| other.iter().map(|(_, b)| win(role, a, b)).collect())
            .collect();
        let (_, rows, columns) = matrix_game::solve(&matrix);
        let (rows, columns) = (whole(&rows), whole(&columns));
        let (answer, most) = best(codes, role, &other, &columns)?;
        let (reply, least) = best(codes, opposite, &own, &rows)?;
        let games = 2 * u128::from(Mixture::WHOLE) * (codes.len() as u128).pow(2);
        let new = |list: &List, found: &(Strategy, Vec<u64>)| {
            list.iter().all(|(_, turns)| *turns != found.1)
        };
        let (is_new_own, is_new_other) = (new(&own, &answer), new(&other, &reply));
        if !is_new_own && !is_new_other {
            return Ok(Equilibrium {
                own: mixture(&own, &rows),
                other: mixture(&other, &columns),
                at_least: Fraction::new(games - least, games),
                at_most: Fraction::new(most, games),
            });
        }
        own.extend(is_new_own.then_some(answer));
        other.extend(is_new_other.then_some(reply));
    }
}

/// The best answer to a mixture, with its turns and its reward over all secrets.
fn best(
    codes: &Codes,
    role: Role,
    others: &List,
    parts: &[u64],
) -> Result<((Strategy, Vec<u64>), u128), EquilibriumError> {
    let played = others.iter().zip(parts).filter(|(_, part)| **part > 0);
    let played: Vec<(u64, &[u64])> = played
        .map(|((_, turns), &part)| (part, &turns[..]))
        .collect();
    let rewards = rewards(role, &played);
    let found = response(codes, &rewards)?;
    let turns = verify(&found)?.histogram;
    let sum = turns
        .iter()
        .zip(&rewards)
        .map(|(&count, &reward)| u128::from(count) * u128::from(reward))
        .sum();
    Ok(((found, turns), sum))
}

/// How often `own` wins.
fn win(role: Role, own: &[u64], other: &[u64]) -> f64 {
    let rewards = rewards(role, &[(1, other)]);
    let sum: u64 = own
        .iter()
        .zip(&rewards)
        .map(|(count, reward)| count * reward)
        .sum();
    let all = |turns: &[u64]| turns.iter().sum::<u64>() as f64;
    sum as f64 / (2.0 * all(own) * all(other))
}

/// Probabilities as parts of a whole; what rounding leaves goes to the largest.
fn whole(probabilities: &[f64]) -> Vec<u64> {
    let part = |p: &f64| (p * Mixture::WHOLE as f64).round() as u64;
    let mut parts: Vec<u64> = probabilities.iter().map(part).collect();
    let largest = (0..parts.len()).max_by_key(|&at| parts[at]).unwrap_or(0);
    let others: u64 = parts.iter().sum::<u64>() - parts[largest];
    parts[largest] = Mixture::WHOLE - others;
    parts
}

fn mixture(list: &List, parts: &[u64]) -> Mixture {
    let played = list.iter().zip(parts).filter(|(_, part)| **part > 0);
    Mixture {
        parts: played
            .map(|((strategy, turns), &part)| (part, strategy.clone(), turns.clone()))
            .collect(),
    }
}
