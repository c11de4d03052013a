//! Who takes part in a race: strategies by name, each with its tree and its turns.

use anyhow::{Context as _, Result};
use lab::solver::pegs::Codes;
use lab::strategy::{Strategy, from_policy, verify};
use serde::Serialize;

use crate::cmd::strategies::{self, NamedTree};
use crate::terminal::progress::Counted;

/// A strategy with its turns, as the judge's rules count them.
#[derive(Clone, Serialize)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) total: u64,
    pub(crate) mean: f64,
    pub(crate) worst: usize,
    pub(crate) histogram: Vec<u64>,
    #[serde(skip)]
    pub(crate) strategy: Strategy,
}

impl Entrant {
    /// `optimal`, `optimal-worst`, `tree:FILE` or a policy.
    pub(crate) fn parse(codes: &Codes, text: &str) -> Result<Self> {
        let strategy = match NamedTree::parse(text) {
            Some(named) => named.find(codes)?,
            None => from_policy(codes, &Counted::new(&*strategies::policy(codes, text)?)),
        };
        Self::new(text, strategy)
    }

    pub(crate) fn new(name: &str, strategy: Strategy) -> Result<Self> {
        let verified = verify(&strategy).with_context(|| format!("failed to play {name}"))?;
        Ok(Self {
            name: name.to_owned(),
            total: verified.total,
            mean: verified.mean(),
            worst: verified.worst(),
            histogram: verified.histogram,
            strategy,
        })
    }
}
