//! What the scores of a problem mean.

use super::objective::Objective;
use super::traits::Problem;

/// What the scores of a problem mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Scoring {
    /// Whether less is better, or more.
    pub objective: Objective,
    /// Decimals of a score, at most 9: scores count units of 10<sup>-decimals</sup>.
    pub decimals: u8,
}

impl Scoring {
    /// What the scores of this problem mean.
    pub fn from_problem(problem: &dyn Problem) -> Self {
        Self {
            objective: problem.objective(),
            decimals: problem.decimals(),
        }
    }

    /// Whether it is what nearly all problems have: whole numbers, less is better.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
