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
    /// It is not decided, and the difference is the same on every case: too few cases to know its spread.
    TooFew {
        /// How often all cases would favour the same one if both were equally good.
        p: f64,
    },
    /// They are the two runs of a duel that was not decided: p does not hold for them.
    DuelUndecided,
}

impl Conclusion {
    /// That of `figures`. `whole` says that both have played every secret.
    pub(crate) fn new(figures: &Comparison, more_is_better: bool, whole: bool) -> Self {
        let second = (figures.difference < 0.0) != more_is_better;
        match figures.p_value {
            _ if figures.changed.is_empty() => Self::Alike,
            _ if whole && figures.difference.abs() < 1e-9 => Self::Equal,
            _ if whole => Self::Proved { second },
            None => Self::OneCase,
            Some(p) if p < 0.05 => Self::Better { second, p },
            Some(p) if figures.half_width.is_none() => Self::TooFew { p },
            Some(p) => Self::Undecided {
                p,
                needed: needed_cases(figures),
            },
        }
    }

    /// The same for the two runs of a duel. It looked after every pair and stopped by what it saw, so that only its own
    /// test holds.
    #[must_use]
    pub(crate) fn of_duel(self, decided: bool) -> Self {
        match self {
            Self::Better { .. } | Self::Undecided { .. } | Self::TooFew { .. } if !decided => {
                Self::DuelUndecided
            }
            other => other,
        }
    }

    /// Which is better, 0 or 1; `None` if that is not shown.
    pub(crate) fn better(self) -> Option<usize> {
        match self {
            Self::Proved { second } | Self::Better { second, .. } => Some(usize::from(second)),
            Self::Alike
            | Self::Equal
            | Self::OneCase
            | Self::Undecided { .. }
            | Self::TooFew { .. }
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
    /// Different builds of a package's own problem judged them: its rules may be other ones.
    OtherRules,
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
    pub(crate) fn from_figures(
        figures: &Comparison,
        matched: &MatchedCases,
        whole: bool,
    ) -> impl Iterator<Item = Self> {
        let has_interval = figures.half_width.is_some() && !whole;
        let few = figures.pairs < 20 && has_interval && !figures.changed.is_empty();
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
    // The interval shrinks with the square root; 80 % power needs (1.96 + 0.84)² instead of 1.96². For a difference of
    // 0, no number is large enough.
    let needed =
        figures.pairs as f64 * (figures.half_width? / figures.difference * 2.8 / 1.96).powi(2);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseId;
    use crate::stats::paired::Pair;

    /// Figures of 100 cases, some of which changed.
    fn figures(difference: f64, p_value: Option<f64>, half_width: Option<f64>) -> Comparison {
        Comparison {
            pairs: 100,
            means: (5.0, 5.0 + difference),
            difference,
            half_width,
            p_value,
            wins_ties_losses: (50, 0, 50),
            changed: vec![Pair {
                id: CaseId(0),
                scores: (4.into(), 5.into()),
            }],
        }
    }

    #[test]
    fn the_better_one_has_the_better_mean_and_a_p_value_below_one_in_twenty() {
        let p = 0.0499;
        for (difference, more_is_better, second) in [
            (-0.284, false, true),
            (0.284, false, false),
            (-0.284, true, false),
            (0.284, true, true),
        ] {
            let figures = figures(difference, Some(p), Some(0.05));
            let found = Conclusion::new(&figures, more_is_better, false);
            assert_eq!(found, Conclusion::Better { second, p });
            assert_eq!(found.better(), Some(usize::from(second)));
            // Who has played every secret needs no p-value.
            let whole = Conclusion::new(&figures, more_is_better, true);
            assert_eq!(whole, Conclusion::Proved { second });
            assert_eq!(whole.better(), Some(usize::from(second)));
        }
        let found = Conclusion::new(&figures(1.0, Some(0.05), Some(1.0)), false, false);
        assert!(
            matches!(found, Conclusion::Undecided { p: 0.05, .. }),
            "{found:?}"
        );
        assert_eq!(found.better(), None);
    }

    #[test]
    fn few_cases_that_differ_by_the_same_decide_nothing_and_have_no_rough_interval() {
        // Five of one sign: 2 of 32. Six: 2 of 64.
        let five = Conclusion::new(&figures(1.0, Some(0.0625), None), false, false);
        assert_eq!(five, Conclusion::TooFew { p: 0.0625 });
        assert_eq!(five.better(), None);
        assert_eq!(five.of_duel(false), Conclusion::DuelUndecided);
        let six = figures(1.0, Some(0.03125), None);
        let better = Conclusion::Better {
            second: false,
            p: 0.03125,
        };
        assert_eq!(Conclusion::new(&six, false, false), better);
        let six = Comparison { pairs: 6, ..six };
        let matched = MatchedCases::default();
        let cautions = Caution::from_figures(&six, &matched, false);
        assert_eq!(cautions.count(), 0);
    }

    #[test]
    fn equal_scores_equal_means_and_one_case_are_told_apart() {
        let mut figures = figures(0.0, Some(1.0), Some(0.1));
        assert_eq!(Conclusion::new(&figures, false, true), Conclusion::Equal);
        // The same number of turns, added in another order.
        figures.difference = -1e-10;
        assert_eq!(Conclusion::new(&figures, false, true), Conclusion::Equal);
        figures.difference = 1e-8;
        let proved = Conclusion::Proved { second: false };
        assert_eq!(Conclusion::new(&figures, false, true), proved);
        (figures.p_value, figures.half_width) = (None, None);
        assert_eq!(Conclusion::new(&figures, false, false), Conclusion::OneCase);
        assert_eq!(Conclusion::new(&figures, false, true), proved);
        figures.changed.clear();
        for whole in [false, true] {
            assert_eq!(Conclusion::new(&figures, false, whole), Conclusion::Alike);
        }
    }

    #[test]
    fn cases_that_would_show_a_difference_are_worked_by_hand() {
        let needed = |pairs, difference, half_width| {
            let figures = Comparison {
                pairs,
                ..figures(difference, Some(0.3), Some(half_width))
            };
            match Conclusion::new(&figures, false, false) {
                Conclusion::Undecided { p: 0.3, needed } => needed,
                other => panic!("{other:?}"),
            }
        };
        // 100 · (1 / 0.5 · 2.8 / 1.96)² = 816.3, to two digits and not less.
        assert_eq!(needed(100, 0.5, 1.0), Some(820));
        assert_eq!(needed(100, -0.5, 1.0), Some(820));
        // 20 · (1.4 · 2.8 / 1.96)² = 20 · 2²
        assert_eq!(needed(20, 1.0, 1.4), Some(80));
        // 1000 · (50 / 0.7)² = 5,102,041, and four times as many for half of the difference.
        assert_eq!(needed(1000, 0.02, 1.0), Some(5_200_000));
        assert_eq!(needed(1000, 0.01, 1.0), None);
        assert_eq!(needed(1000, 0.0, 1.0), None);
    }

    #[test]
    fn numbers_of_cases_are_rounded_up_to_two_digits() {
        for (number, rounded) in [
            (7.2, 8),
            (99.1, 100),
            (100.0, 100),
            (101.0, 110),
            (1001.0, 1100),
        ] {
            assert_eq!(round_up(number), rounded, "{number}");
        }
    }

    #[test]
    fn p_does_not_hold_for_a_duel_that_was_not_decided() {
        let better = Conclusion::Better {
            second: true,
            p: 0.01,
        };
        let undecided = Conclusion::Undecided {
            p: 0.3,
            needed: None,
        };
        for found in [better, undecided] {
            assert_eq!(found.of_duel(false), Conclusion::DuelUndecided);
            assert_eq!(found.of_duel(true), found);
        }
        assert_eq!(Conclusion::DuelUndecided.better(), None);
        for found in [Conclusion::Alike, Conclusion::OneCase, Conclusion::Equal] {
            assert_eq!((found.of_duel(false), found.better()), (found, None));
        }
    }

    #[test]
    fn cautions_are_about_few_cases_and_about_failed_ones() {
        let cautions = |pairs, failed: [u64; 2], whole, alike| {
            let mut figures = figures(1.0, Some(0.3), Some(2.0));
            figures.pairs = pairs;
            if alike {
                figures.changed.clear();
            }
            let cases = |count| (0..count).map(CaseId).collect();
            let matched = MatchedCases {
                first_failed: cases(failed[0]),
                second_failed: cases(failed[1]),
                ..MatchedCases::default()
            };
            Caution::from_figures(&figures, &matched, whole).collect::<Vec<_>>()
        };
        assert_eq!(cautions(20, [0, 0], false, false), []);
        assert_eq!(cautions(19, [0, 0], false, false), [Caution::FewCases]);
        assert_eq!(cautions(19, [0, 0], true, false), [], "every secret");
        assert_eq!(cautions(19, [0, 0], false, true), [], "the same scores");
        assert_eq!(cautions(20, [1, 1], false, false), [Caution::FailedApart]);
        for failed in [[0, 1], [2, 1]] {
            assert_eq!(cautions(20, failed, false, false), [Caution::FailedMore]);
        }
        let both = [Caution::FailedMore, Caution::FewCases];
        assert_eq!(cautions(19, [0, 1], false, false), both);
    }
}
