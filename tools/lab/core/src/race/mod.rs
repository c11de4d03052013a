//! Races: two players, each with a secret of the other to find; who finds first wins.
//!
//! Each player looks for a secret that is drawn alone, so turns are independent, and how often a strategy wins follows
//! from two histograms of turns ([`odds`](fn@odds)). `response` finds the strategy that wins most often against given
//! histograms, `equilibrium` the mixtures that neither player can improve, and `simulate` plays games with the judge's
//! own replies. A player sees only the replies to own guesses.
//!
//! Start with `odds`.

mod equilibrium;
mod fraction;
mod matrix_game;
mod odds;
mod response;
mod simulate;

pub use equilibrium::{Equilibrium, EquilibriumError, Mixture, equilibrium};
pub use fraction::Fraction;
pub use matrix_game::solve as solve_matrix_game;
pub use odds::{Odds, odds};
pub use response::{Role, response, rewards};
pub use simulate::{Tally, simulate};
