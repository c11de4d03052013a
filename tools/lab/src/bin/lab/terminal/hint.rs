//! What to do about an error: a line of its own after the cause.

use lab::game::GameError;
use lab::optimal::{CheckpointError, TooLarge};
use lab::policy::PolicyError;
use lab::simulate::SimulateError;
use lab::strategy::{StrategyError, VerifyError};
use tester::problem::{ParamError, problems};

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
    if let Some(SimulateError::NotNoisy(problem)) = error.downcast_ref() {
        // Problems whose optimum can be searched for.
        let has_trees = lab::game::game(problem).is_ok();
        return has_trees.then(|| {
            format!("lab bounds {problem:?} computes the bounds of hitblow and mastermind")
        });
    }
    if let Some(error) = error.downcast_ref::<StrategyError>() {
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

/// Games of other judges, which `lab optimal` knows.
const ELSEWHERE: [&str; 2] = ["number", "repeats"];

/// What to do where a problem was typed without quotes: its name is a word, and its numbers are words after it.
pub(crate) fn unquoted_problem(words: &[String]) -> Option<String> {
    let is_name = |word: &str| {
        let word = word.strip_prefix("--problem=").unwrap_or(word);
        ELSEWHERE.contains(&word) || problems().iter().any(|problem| problem.name() == word)
    };
    let is_parameter =
        |word: &&String| word.parse::<f64>().is_ok() || ["heavy", "odd"].contains(&word.as_str());
    let at = (1..words.len()).find(|&at| is_name(&words[at - 1]) && is_parameter(&&words[at]))?;
    let name = words[at - 1].trim_start_matches("--problem=");
    let numbers = words[at..].iter().take_while(is_parameter);
    let problem: Vec<&str> = [name]
        .into_iter()
        .chain(numbers.map(String::as_str))
        .collect();
    Some(format!(
        "a problem is one argument: put it in quotes, {:?}",
        problem.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_without_quotes_is_found_among_the_words() {
        let hint = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            unquoted_problem(&words)
        };
        let quoted = |problem: &str| {
            Some(format!(
                "a problem is one argument: put it in quotes, {problem:?}"
            ))
        };
        assert_eq!(hint("explain hitblow 3 10 012:0,1"), quoted("hitblow 3 10"));
        assert_eq!(
            hint("policy mi --problem gap 3 10 2.5 --json"),
            quoted("gap 3 10 2.5")
        );
        assert_eq!(hint("policy mi --problem=gap 3 10"), quoted("gap 3 10"));
        assert_eq!(
            hint("policy mi --problem balance 12 odd --json"),
            quoted("balance 12 odd")
        );
        assert_eq!(hint("optimal number 3 10"), quoted("number 3 10"));
        assert_eq!(hint("policy mi --problem hitblow --json"), None);
        assert_eq!(hint("entropy 3 4 0"), None);
        assert_eq!(
            unquoted_problem(&["value".to_owned(), "hitblow 3 10".to_owned()]),
            None
        );
    }
}
