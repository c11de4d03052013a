//! Whether less is better, or more.

use std::cmp::Ordering;

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
    pub fn compare<T: Ord>(self, a: T, b: T) -> Ordering {
        match self {
            Self::Min => a.cmp(&b),
            Self::Max => b.cmp(&a),
        }
    }

    /// The better of two scores.
    pub fn better_of(self, a: u64, b: u64) -> u64 {
        match self {
            Self::Min => a.min(b),
            Self::Max => a.max(b),
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
