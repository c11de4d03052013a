//! The lab: strategies studied in this process, over all secrets at once.
//!
//! A strategy is a decision tree: what it guesses depends on the replies alone. So one walk through
//! the tree tells the turns of every secret, and no game is played. Codes, feedback, posterior and
//! mutual information are the solver's own code ([`solver`] is its one file), so that what is
//! measured is what is pasted.
//!
//! - [`policy`]: what makes a guess good, one file for each
//! - [`tree`]: the walk, and what comes out of it
//! - [`play`]: problems whose games have no such tree, or another kind of question: they are played
//! - [`calibration`]: whether what is believed comes true as often as it is believed
//! - [`analysis`]: what is known at one moment of a game, and what each guess is worth
//! - [`alphabet`]: how digits are written where a game is played elsewhere
//! - [`history`]: replies as they are typed, and what contradicts what
//! - [`optimal`]: play that is proved optimal
//! - [`strategy`], [`verify`]: a strategy as a text, and a check that owes nothing to how it was found
//! - [`book`]: strategies packed as the solver carries them
//! - [`prior`]: secrets that people choose
//! - [`exploit`]: what an opponent gains who knows the strategy
//! - [`serve`]: a local page over the history and all of this
//! - [`articles`]: every figure that the articles publish, computed anew

/// The submission, compiled as a module.
#[allow(dead_code, missing_docs)]
#[path = "../../../src/main.rs"]
pub mod solver;

pub mod alphabet;
pub mod analysis;
pub mod articles;
pub mod book;
pub mod calibration;
pub mod exploit;
pub mod game;
pub mod history;
pub mod optimal;
pub mod play;
pub mod policy;
pub mod prior;
pub mod serve;
pub mod strategy;
pub mod tree;
pub mod verify;
