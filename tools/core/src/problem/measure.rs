//! What of a score is averaged.

use super::objective::Objective;

/// What of a score is averaged, as the contest's ranking does: its sum of scores, of relative scores, of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The score itself.
    #[default]
    Score,
    /// Its natural logarithm, so that differences are ratios.
    Log,
    /// 100 times the best score known for the case, over the score (or where more is better, the other way
    /// round): 100 is best. As pahcer's.
    Relative,
    /// Its rank among the scores that are compared on this case: 1 is best, equal scores share a rank.
    Rank,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Score, Self::Log, Self::Relative, Self::Rank];

    /// As it is typed and stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Log => "log",
            Self::Relative => "relative",
            Self::Rank => "rank",
        }
    }

    /// What [`Measure::name`] wrote.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether it is the score itself, as nearly everywhere.
    pub fn is_score(&self) -> bool {
        *self == Self::Score
    }

    /// Whether a greater measure is better, where that of scores is `objective`.
    pub fn more_is_better(self, objective: Objective) -> bool {
        match self {
            Self::Relative => true,
            Self::Rank => false,
            Self::Score | Self::Log => objective == Objective::Max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for measure in Measure::ALL {
            assert_eq!(Measure::from_name(measure.name()), Some(measure));
            let json = serde_json::to_string(&measure).unwrap();
            assert_eq!(json, format!("{:?}", measure.name()));
        }
        assert_eq!(Measure::from_name("mean"), None);
    }
}
