//! The problems that can be analysed.

use tester::case::Seed;
use tester::problem::Spec;

use super::analyst::{Analyst, AnalystError};
use super::balance::Balance;
use super::distance::Distance;
use super::pegs::Pegs;
use crate::solver::distance::Difference;

/// The analyst for games named as in a case file's opening, such as `hitblow 3 10`.
///
/// # Errors
/// If there is no such game, or it is too large for users who wait.
pub fn analyst(problem: &str) -> Result<Box<dyn Analyst>, AnalystError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    match spec.problem.name() {
        "hitblow" | "mastermind" => Ok(Box::new(Pegs::new(problem)?)),
        "distance" => Ok(Box::new(Distance::new(Difference::Signed, problem)?)),
        "gap" => Ok(Box::new(Distance::new(Difference::Size, problem)?)),
        "balance" => Ok(Box::new(Balance::new(problem)?)),
        "liar" => Err(AnalystError::Lies(problem.to_owned())),
        _ => Err(AnalystError::Unknown(problem.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::state::BEST;
    use crate::analysis::testing::{ask, state};

    #[test]
    fn every_problem_is_analysed_or_says_why_not() {
        for problem in tester::problem::BUILT_IN {
            for sample in problem.samples() {
                let named = format!("{} {sample}", problem.name());
                let analyst = match analyst(&named) {
                    Ok(analyst) => analyst,
                    Err(AnalystError::TooLarge(_)) => continue,
                    Err(AnalystError::Lies(_)) if problem.name() == "liar" => continue,
                    Err(error) => panic!("{named}: {error}"),
                };
                let example = analyst.example();
                let now = state(&named, &ask(&[], &[&example]));
                let all = Spec::parse(&named).unwrap().enumerate().unwrap().count();
                assert_eq!(now.candidates, all, "{named}");
                assert!((now.entropy - (all as f64).log2()).abs() < 1e-9);
                assert_eq!(now.named.len(), 1);
                assert!(
                    now.best.len() <= BEST + 1 && !now.best.is_empty(),
                    "{named}"
                );
                for wrong in ["", "x", "? 1 1 1", "0 0 0 0 0 0 0 0 0 0 0 0"] {
                    assert!(
                        analyst.analyse(&ask(&[], &[wrong])).is_err(),
                        "{named} {wrong}"
                    );
                }
            }
        }
        assert!(analyst("hitblow 3").is_err() && analyst("hitblow 6 64").is_err());
    }
}
