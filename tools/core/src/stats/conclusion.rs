//! What a comparison of two runs shows, and what it does not.

use serde::Serialize;

use super::paired::{Comparison, MatchedCases};

/// What may be concluded from a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Conclusion {
    /// They score the same on every case.
    Alike,
    /// Every secret was played, and the means are the same.
    Equal,
    /// Every secret was played, and one is better.
    Proved {
        /// Whether that is the second.
        second: bool,
    },
    /// There is one case.
    OneCase,
    /// One is better on cases like these.
    Better {
        /// Whether that is the second.
        second: bool,
        /// How often equally good programs would differ as much.
        p: f64,
    },
    /// It is not decided.
    Undecided {
        /// How often equally good programs would differ as much.
        p: f64,
        /// How many cases would show it four times in five, if the observed difference were the true one.
        needed: Option<u64>,
    },
    /// They are the two runs of a duel that was not decided: p does not hold for them.
    DuelUndecided,
}

impl Conclusion {
    /// That of `figures`. `whole` says that both have played every secret.
    pub fn new(figures: &Comparison, more_is_better: bool, whole: bool) -> Self {
        let second = (figures.difference < 0.0) != more_is_better;
        match figures.p_value {
            _ if figures.changed.is_empty() => Self::Alike,
            _ if whole && figures.difference.abs() < 1e-9 => Self::Equal,
            _ if whole => Self::Proved { second },
            None => Self::OneCase,
            Some(p) if p < 0.05 => Self::Better { second, p },
            Some(p) => Self::Undecided {
                p,
                needed: needed_cases(figures),
            },
        }
    }

    /// The same for the two runs of a duel. It looked after every pair and stopped by what it saw, so that only its own
    /// test holds.
    #[must_use]
    pub fn of_duel(self, decided: bool) -> Self {
        match self {
            Self::Better { .. } | Self::Undecided { .. } if !decided => Self::DuelUndecided,
            other => other,
        }
    }

    /// Which is better, 0 or 1; `None` if that is not shown.
    pub fn better(self) -> Option<usize> {
        match self {
            Self::Proved { second } | Self::Better { second, .. } => Some(usize::from(second)),
            Self::Alike
            | Self::Equal
            | Self::OneCase
            | Self::Undecided { .. }
            | Self::DuelUndecided => None,
        }
    }
}

/// What you must keep in mind with a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caution {
    /// Both are the same program with the same arguments.
    SameProgram,
    /// They were judged with different limits.
    OtherLimits,
    /// Another line judged the second one.
    OtherLine,
    /// The same line judged them, but a file that it names (the contest's tester) had another content.
    OtherTester,
    /// They are the two runs of a duel that was decided: its own conclusion counts.
    DuelDecided,
    /// With so few cases, interval and p are rough.
    FewCases,
    /// Cases that only one of them solved are in no figure. Both failed as many.
    FailedApart,
    /// Failed cases are in no figure, and one run failed more of them.
    FailedMore,
    /// The better one was chosen among several programs by these same cases.
    ChosenHere,
}

impl Caution {
    /// Those that follow from the figures; `whole` as for [`Conclusion::new`].
    pub fn from_figures(
        figures: &Comparison,
        matched: &MatchedCases,
        whole: bool,
    ) -> impl Iterator<Item = Self> {
        let few = figures.pairs < 20 && !whole && !figures.changed.is_empty();
        let more = matched.safer().is_some();
        let apart = matched.failed_apart() > 0 && !more;
        let all = [
            (Self::FailedMore, more),
            (Self::FewCases, few),
            (Self::FailedApart, apart),
        ];
        all.into_iter().filter(|(_, applies)| *applies).map(|c| c.0)
    }
}

/// How many cases would show it, if the observed difference were the true one; `None` where they are too many to
/// wait for.
fn needed_cases(figures: &Comparison) -> Option<u64> {
    let half = figures.half_width.filter(|_| figures.difference != 0.0)?;
    // The interval shrinks with the square root; 80 % power needs (1.96 + 0.84)² instead of 1.96².
    let needed = figures.pairs as f64 * (half / figures.difference * 2.8 / 1.96).powi(2);
    (needed <= 1e7).then(|| round_up(needed))
}

/// To two digits, for an estimate.
fn round_up(number: f64) -> u64 {
    let mut unit = 1;
    while number / unit as f64 > 100.0 {
        unit *= 10;
    }
    (number / unit as f64).ceil() as u64 * unit
}
