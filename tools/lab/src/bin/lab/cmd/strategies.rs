//! Strategies by name: optimal ones, trees in files, and policies of the list.

use anyhow::{Context as _, Result, bail};
use lab::optimal::{self, Objective, Options};
use lab::policy::{Outcome, Policy, check};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::strategy::{Strategy, TreePolicy, verify};
use lab::tree;
use tester::util::bounded_read;

use crate::cli::{PolicyOptionArgs, SelectedPolicy};
use crate::terminal::progress::Busy;

/// A strategy that is none of the policies, by the name that was typed.
pub(crate) enum NamedTree<'a> {
    /// `optimal` or `optimal-worst`: it is searched for.
    Optimal(Objective),
    /// `tree:FILE`.
    File(&'a str),
}

impl<'a> NamedTree<'a> {
    /// `None` for other names, which are those of policies.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        match text {
            "optimal" => Some(Self::Optimal(Objective::MeanThenWorst)),
            "optimal-worst" => Some(Self::Optimal(Objective::WorstThenMean)),
            text => text.strip_prefix("tree:").map(Self::File),
        }
    }

    /// Its tree. A search can take hours: check everything else before.
    pub(crate) fn find(&self, codes: &Codes) -> Result<Strategy> {
        match *self {
            Self::Optimal(objective) => optimum(codes, objective),
            Self::File(path) => read(codes, path),
        }
    }
}

/// A strategy that has a decision tree: one that [`NamedTree`] knows, or a policy with its options in brackets.
pub(crate) fn policy(codes: &Codes, text: &str) -> Result<Box<dyn Policy>> {
    match NamedTree::parse(text) {
        Some(named) => played(codes, text, &named.find(codes)?),
        None => with_tree(SelectedPolicy::from_text(text)?),
    }
}

/// The same with options apart from the name.
pub(crate) fn policy_with(
    codes: &Codes,
    name: &str,
    choice: &PolicyOptionArgs,
) -> Result<Box<dyn Policy>> {
    match NamedTree::parse(name) {
        Some(named) => {
            refuse_options(choice)?;
            played(codes, name, &named.find(codes)?)
        }
        None => with_tree(SelectedPolicy::new(name, choice, false)?),
    }
}

/// The outcome of any strategy by its name and the options in brackets, also of a policy that has no decision tree.
pub(crate) fn outcome(codes: &Codes, text: &str) -> Result<Outcome> {
    if let Some(named) = NamedTree::parse(text) {
        let policy = played(codes, text, &named.find(codes)?)?;
        return Ok(tree::outcome(
            codes,
            &Posterior::uniform(codes.len()),
            &*policy,
        ));
    }
    let selected = SelectedPolicy::from_text(text)?;
    Ok(tree::outcome_of(
        selected.factory,
        &*selected.policy(),
        codes,
    ))
}

/// Fails if no strategy has this name, or it has no such options; for use before a long search.
pub(crate) fn check_name(text: &str) -> Result<()> {
    if NamedTree::parse(text).is_none() {
        SelectedPolicy::from_text(text)?;
    }
    Ok(())
}

fn with_tree(selected: SelectedPolicy) -> Result<Box<dyn Policy>> {
    if selected.factory.outcome.is_some() {
        bail!("{} has no decision tree", selected.factory.name);
    }
    Ok(selected.policy())
}

/// Fails if any option of a policy was typed: a tree takes none.
pub(crate) fn refuse_options(choice: &PolicyOptionArgs) -> Result<()> {
    check("a tree", &[], &choice.options(false)).context("failed to understand the policy")
}

/// A tree as a policy, checked before.
pub(crate) fn played(codes: &Codes, name: &str, strategy: &Strategy) -> Result<Box<dyn Policy>> {
    verify(strategy).with_context(|| format!("failed to play {name}"))?;
    Ok(Box::new(TreePolicy::new(codes, strategy)))
}

fn optimum(codes: &Codes, objective: Objective) -> Result<Strategy> {
    let _busy = Busy::new(format!("searching the optimum of {}", codes.game.title()));
    let found = optimal::find(codes, objective, &Options::default());
    let found = found.with_context(|| format!("failed to search {}", codes.game.title()))?;
    Ok(found.strategy)
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
