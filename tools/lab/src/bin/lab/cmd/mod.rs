//! What each command does: a file for each.

pub(crate) mod advise;
mod against;
pub(crate) mod articles;
pub(crate) mod bayes;
pub(crate) mod book;
pub(crate) mod bound;
pub(crate) mod bounds;
mod checkpoints;
pub(crate) mod compare;
pub(crate) mod entropy;
pub(crate) mod explain;
mod explain_noisy;
pub(crate) mod exploit;
pub(crate) mod liar;
pub(crate) mod loss;
pub(crate) mod oil;
pub(crate) mod optimal;
pub(crate) mod plot;
pub(crate) mod policy;
mod policy_parts;
pub(crate) mod prior_cost;
pub(crate) mod race;
pub(crate) mod serve;
mod simulate;
mod strategies;
pub(crate) mod value;
pub(crate) mod verify;
