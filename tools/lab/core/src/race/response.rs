//! The strategy that wins most often against given histograms of turns.
//!
//! What a turn is worth is the probability that the other player has not won before. That does not grow with the turn,
//! so its complement is a cost that does not descend, and [`WeightedSearch`] finds a tree of least cost.

use crate::optimal::{TooLarge, WeightedSearch};
use crate::solver::pegs::Codes;
use crate::strategy::Strategy;

/// When a player wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// Players move in turn, and it moves first
    ///
    /// It wins with as many turns or fewer.
    First,
    /// Players move in turn, and it moves second
    ///
    /// It wins with fewer turns only.
    Second,
    /// As many turns are a draw, half a win
    Rounds,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Rounds];

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Rounds => "rounds",
        }
    }
}

/// What finding a secret in turn 1, 2, … is worth against opponents with these turns, each with a weight: twice the
/// number of their secrets, weighted, against which it wins.
pub fn rewards(role: Role, others: &[(u64, &[u64])]) -> Vec<u64> {
    let longest = others.iter().map(|(_, turns)| turns.len()).max();
    let reward = |turn: usize| -> u64 {
        let one = |&(weight, turns): &(u64, &[u64])| {
            let later: u64 = turns.iter().skip(turn).sum();
            let now = turns.get(turn - 1).copied().unwrap_or(0);
            weight
                * match role {
                    Role::First => 2 * (later + now),
                    Role::Second => 2 * later,
                    Role::Rounds => 2 * later + now,
                }
        };
        others.iter().map(one).sum()
    };
    (1..=longest.unwrap_or(0) + 1).map(reward).collect()
}

/// A strategy with the greatest reward over all secrets; of several one that takes the fewest turns.
///
/// Cost: a search with fewer techniques than [`crate::optimal::find()`]: up to a tenth of a second for 720 codes.
///
/// # Errors
/// If the game is too large.
pub fn response(codes: &Codes, rewards: &[u64]) -> Result<Strategy, TooLarge> {
    // Turns decide only between equal rewards: together they are fewer than this.
    let unit = 64 * codes.len() as u64;
    let most = rewards.first().copied().unwrap_or(0);
    let cost = |(turn, reward): (u64, &u64)| (most - reward) * unit + turn;
    let mut costs: Vec<u64> = (1..).zip(rewards).map(cost).collect();
    // After the last reward, which is 0, turns are all that counts.
    costs.push(costs.last().unwrap_or(&0) + 1);
    Ok(WeightedSearch::new(codes, &costs, &|_| 1)?.strategy())
}
