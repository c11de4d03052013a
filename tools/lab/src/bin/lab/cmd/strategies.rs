//! Strategies by name: optimal ones, trees in files, and policies of the list.

use anyhow::{Context as _, Result, bail};
use lab::optimal::{self, Objective, Options};
use lab::policy::{Policy, check};
use lab::solver::pegs::Codes;
use lab::strategy::{Strategy, TreePolicy, verify};
use tester::util::bounded_read;

use crate::cli::{PolicyOptionArgs, SelectedPolicy};
use crate::terminal::progress::Busy;

/// The strategy of `optimal`, `optimal-worst` or `tree:FILE`; `None` for other names, which are those of policies.
pub(crate) fn tree(codes: &Codes, text: &str) -> Result<Option<Strategy>> {
    match text {
        "optimal" => optimum(codes, Objective::MeanThenWorst).map(Some),
        "optimal-worst" => optimum(codes, Objective::WorstThenMean).map(Some),
        text => match text.strip_prefix("tree:") {
            Some(path) => read(codes, path).map(Some),
            None => Ok(None),
        },
    }
}

/// Whether [`tree`] knows this name.
pub(crate) fn is_tree(text: &str) -> bool {
    matches!(text, "optimal" | "optimal-worst") || text.starts_with("tree:")
}

/// A strategy that has a decision tree: one that [`tree`] knows, or a policy with its options in brackets.
pub(crate) fn policy(codes: &Codes, text: &str) -> Result<Box<dyn Policy>> {
    if let Some(strategy) = tree(codes, text)? {
        return played(codes, text, &strategy);
    }
    with_tree(SelectedPolicy::from_text(text)?)
}

/// The same with options apart from the name.
pub(crate) fn policy_with(
    codes: &Codes,
    name: &str,
    choice: &PolicyOptionArgs,
) -> Result<Box<dyn Policy>> {
    if let Some(strategy) = tree(codes, name)? {
        refuse_options(choice)?;
        return played(codes, name, &strategy);
    }
    with_tree(SelectedPolicy::new(name, choice, false)?)
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
