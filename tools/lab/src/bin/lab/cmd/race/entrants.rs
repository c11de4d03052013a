//! Who takes part in a race: strategies by name, each with its tree and its turns.

use anyhow::{Context as _, Result, bail};
use lab::optimal::{self, Objective, Options};
use lab::solver::pegs::Codes;
use lab::strategy::{Strategy, from_policy, verify};
use serde::Serialize;
use tester::util::bounded_read;

use crate::cli::SelectedPolicy;
use crate::terminal::progress::{Busy, Counted};

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
        let optimum = |objective| {
            let _busy = Busy::new(format!("searching the optimum of {}", codes.game.title()));
            let found = optimal::find(codes, objective, &Options::default());
            let found =
                found.with_context(|| format!("failed to search {}", codes.game.title()))?;
            anyhow::Ok(found.strategy)
        };
        let strategy = match text {
            "optimal" => optimum(Objective::MeanThenWorst)?,
            "optimal-worst" => optimum(Objective::WorstThenMean)?,
            text => match text.strip_prefix("tree:") {
                Some(path) => read(codes, path)?,
                None => Self::from_policy(codes, text)?,
            },
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

    fn from_policy(codes: &Codes, text: &str) -> Result<Strategy> {
        let selected = SelectedPolicy::from_text(text)?;
        if selected.factory.outcome.is_some() {
            bail!("{text} has no decision tree that could race");
        }
        Ok(from_policy(codes, &Counted::new(&*selected.policy())))
    }
}

fn read(codes: &Codes, path: &str) -> Result<Strategy> {
    let failed = || format!("failed to read the tree {path}");
    let text = bounded_read::read_text(path.as_ref(), bounded_read::MAX_TEXT);
    let strategy: Strategy = text.with_context(failed)?.parse().with_context(failed)?;
    let game = codes.game.title();
    if strategy.game != game {
        bail!(
            "expected a tree for {game}, found one for {} in {path}",
            strategy.game
        );
    }
    Ok(strategy)
}
