//! What the scores of a problem mean.

use serde::{Deserialize, Deserializer};

use super::objective::Objective;
use super::score::MAX_DECIMALS;
use super::traits::Problem;

/// What the scores of a problem mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Scoring {
    /// Whether less is better, or more.
    pub objective: Objective,
    /// Decimals of a score, at most 9.
    #[serde(deserialize_with = "decimals")]
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

    /// As a history stores it, where only scores that mean the same may be compared: `min`, `max`, or with decimals
    /// `min 2`.
    pub fn name(&self) -> String {
        let objective = self.objective.name();
        match self.decimals {
            0 => objective.to_owned(),
            decimals => format!("{objective} {decimals}"),
        }
    }

    /// Whether it is what nearly all problems have: whole numbers, less is better.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A number of decimals that a score can have.
fn decimals<'de, D: Deserializer<'de>>(value: D) -> Result<u8, D::Error> {
    let decimals = u8::deserialize(value)?;
    if decimals > MAX_DECIMALS {
        let expected = format!("expected at most {MAX_DECIMALS} decimals, found {decimals}");
        return Err(serde::de::Error::custom(expected));
    }
    Ok(decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decimals_that_a_score_can_have_are_read() {
        let read = |text: &str| serde_json::from_str::<Scoring>(text);
        let nine = read(r#"{"objective":"max","decimals":9}"#).unwrap();
        assert_eq!(nine.name(), "max 9");
        assert_eq!(read("{}").unwrap(), Scoring::default());
        assert_eq!(Scoring::default().name(), "min");
        let refused = read(r#"{"decimals":10}"#).unwrap_err().to_string();
        assert!(
            refused.starts_with("expected at most 9 decimals, found 10"),
            "{refused}"
        );
    }
}
