//! What to do about an error: a line of its own after the cause.

use lab::game::GameError;
use lab::optimal::{CheckpointError, TooLarge};
use lab::policy::PolicyError;
use lab::simulate::SimulateError;
use lab::strategy::VerifyError;
use tester::problem::ParamError;

/// The hint of an error, if it has one.
pub(crate) fn hint_of(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(hint_of_one)
}

fn hint_of_one(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(GameError::Params(error)) = error.downcast_ref() {
        return error.hint();
    }
    if let Some(GameError::Replies(_)) = error.downcast_ref() {
        return Some("lab policy plays other problems, game by game".to_owned());
    }
    if let Some(PolicyError::Unknown { known, found }) = error.downcast_ref() {
        return policy_hint(known, found);
    }
    let source = error.downcast_ref().map(std::io::Error::kind);
    if source == Some(std::io::ErrorKind::AddrInUse) {
        return Some("another lab serve may use it; --port 0 takes any free port".to_owned());
    }
    if error.is::<TooLarge>() {
        return Some("lab policy mi plays larger games, without a proof".to_owned());
    }
    if error.is::<CheckpointError>() {
        return Some(
            "the file was left as it is: name another one, or move it away to begin anew"
                .to_owned(),
        );
    }
    if let Some(SimulateError::Params(error)) = error.downcast_ref() {
        return error.hint();
    }
    if let Some(VerifyError::Game(error)) = error.downcast_ref() {
        return error.hint();
    }
    error.downcast_ref().and_then(ParamError::hint)
}

/// What a policy is called here, or which strategies are none of the list.
fn policy_hint(known: &str, found: &str) -> Option<String> {
    if let Some((theirs, ours)) = name_here(found) {
        return Some(format!("{theirs} is called {ours} here"));
    }
    // `expected a policy (random, mi for distance)`: a problem that is played game by game has no trees.
    let has_trees = !known.contains(" for ");
    let is_tree = ["optimal", "optimal-worst"].contains(&found) || found.starts_with("tree:");
    (has_trees && !is_tree).then(|| {
        "policy, compare, exploit, race, loss, bounds and plot turns also take optimal, optimal-worst and tree:FILE".to_owned()
    })
}

/// What the articles call a policy, and its name here.
fn name_here(found: &str) -> Option<(&'static str, &'static str)> {
    match found {
        "entropy" => Some(("entropy of article 001", "mi")),
        "exp_minmax" | "exp-minmax" => Some(("exp_minmax of article 001", "expected-size")),
        "bayes" => Some(("Bayes' rule as in article 002", "map")),
        _ => None,
    }
}
