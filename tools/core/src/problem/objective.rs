//! Whether less is better, or more.

use std::cmp::Ordering;

use super::score::Score;

/// What a score is meant to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// Less is better.
    #[default]
    Min,
    /// More is better.
    Max,
}

impl Objective {
    /// Less: `a` is better than `b`.
    ///
    /// # Panics
    /// If they have different decimals.
    pub fn compare(self, a: Score, b: Score) -> Ordering {
        match self {
            Self::Min => a.compare(b),
            Self::Max => b.compare(a),
        }
    }

    /// The better of two scores.
    ///
    /// # Panics
    /// If they have different decimals.
    pub fn better_of(self, a: Score, b: Score) -> Score {
        match self.compare(a, b) {
            Ordering::Greater => b,
            _ => a,
        }
    }

    /// As it is typed and stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
        }
    }

    /// What [`Objective::name`] wrote.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Min, Self::Max]
            .into_iter()
            .find(|known| known.name() == name)
    }
}
