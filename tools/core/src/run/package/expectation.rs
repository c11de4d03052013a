//! What a submission is expected to get. Pure.
//!
//! | folder | each case is one of | and at least one is one of |
//! |---|---|---|
//! | `accepted` | AC | |
//! | `wrong_answer` | AC, WA | WA |
//! | `time_limit_exceeded` | AC, TLE; in the legacy format WA too | TLE |
//! | `run_time_error` | AC, RE; in the legacy format any | RE |
//! | `rejected` | any | WA, TLE, RE |
//! | `brute_force` | AC, TLE, RE | TLE, RE |
//! | `compiler_error` | it cannot be built | |
//!
//! In any other folder, `@EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER` in the source (as in DOMjudge) says what the first
//! case that is not accepted may be. MLE counts as RE, and OLE as WA, because the format has no such verdicts. IE is
//! never expected.

use crate::judge::record::Verdict;

/// Verdicts as the format knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ac,
    Wa,
    Tle,
    Re,
}

impl Kind {
    /// The kind of a verdict; `None` for IE.
    fn from_verdict(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Ac => Some(Self::Ac),
            Verdict::Wa | Verdict::Ole => Some(Self::Wa),
            Verdict::Tle => Some(Self::Tle),
            Verdict::Re | Verdict::Mle => Some(Self::Re),
            Verdict::Ie => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ac => "AC",
            Self::Wa => "WA",
            Self::Tle => "TLE",
            Self::Re => "RE",
        }
    }
}

use Kind::{Ac, Re, Tle, Wa};

const ANY: &[Kind] = &[Ac, Wa, Tle, Re];

/// The words of DOMjudge, and what they stand for.
const TAG_WORDS: [(&str, Option<Kind>); 9] = [
    ("CORRECT", Some(Ac)),
    ("ACCEPTED", Some(Ac)),
    ("WRONG-ANSWER", Some(Wa)),
    ("NO-OUTPUT", Some(Wa)),
    ("OUTPUT-LIMIT", Some(Wa)),
    ("TIMELIMIT", Some(Tle)),
    ("RUN-ERROR", Some(Re)),
    ("MEMORY-LIMIT", Some(Re)),
    ("COMPILER-ERROR", None),
];

/// The tags of DOMjudge.
const TAGS: [&str; 2] = ["@EXPECTED_RESULTS@:", "@EXPECTED_SCORE@:"];

/// What a submission is expected to get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Each case is one of the first, and at least one case is one of the second.
    Cases(Permitted, Required),
    /// The first case that is not accepted is one of these, or all are accepted.
    Final(Permitted),
    /// It cannot be built.
    NotBuilt,
    /// Nothing is known.
    Nothing,
}

/// Verdicts that may occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permitted(Vec<Kind>);

/// Verdicts of which one must occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required(Vec<Kind>);

impl Expectation {
    /// What the folder of a submission, or a tag in its source, says.
    pub(crate) fn new(folder: &str, source: &str, is_legacy: bool) -> Self {
        let cases = |permitted: &[Kind], required: &[Kind]| {
            Self::Cases(Permitted(permitted.to_vec()), Required(required.to_vec()))
        };
        match (folder, is_legacy) {
            ("accepted", _) => cases(&[Ac], &[Ac]),
            ("wrong_answer", _) => cases(&[Ac, Wa], &[Wa]),
            ("time_limit_exceeded", true) => cases(&[Ac, Wa, Tle], &[Tle]),
            ("time_limit_exceeded", false) => cases(&[Ac, Tle], &[Tle]),
            ("run_time_error", true) => cases(ANY, &[Re]),
            ("run_time_error", false) => cases(&[Ac, Re], &[Re]),
            ("rejected", _) => cases(ANY, &[Wa, Tle, Re]),
            ("brute_force", _) => cases(&[Ac, Tle, Re], &[Tle, Re]),
            ("compiler_error" | "compile_error", _) => Self::NotBuilt,
            _ => Self::from_tag(source),
        }
    }

    /// What a tag of DOMjudge says.
    fn from_tag(source: &str) -> Self {
        let found = TAGS.iter().find_map(|tag| {
            let (_, rest) = source.split_once(tag)?;
            rest.lines().next()
        });
        let Some(words) = found else {
            return Self::Nothing;
        };
        let words = words.split(',').map(|word| word.trim().to_uppercase());
        let words: Vec<String> = words.collect();
        let known = |word: &String| TAG_WORDS.iter().find(|(known, _)| known == word);
        let kinds: Option<Vec<_>> = words.iter().map(known).collect();
        match kinds.as_deref() {
            None | Some([]) => Self::Nothing,
            Some([(_, None)]) => Self::NotBuilt,
            Some(kinds) => Self::Final(Permitted(
                kinds.iter().filter_map(|(_, kind)| *kind).collect(),
            )),
        }
    }

    /// Whether the verdicts of all cases, in their order, are as expected. `None` if nothing is expected; IE is never.
    pub(crate) fn is_met(&self, verdicts: &[Verdict]) -> Option<bool> {
        let kinds = verdicts.iter().map(|verdict| Kind::from_verdict(*verdict));
        let Some(kinds) = kinds.collect::<Option<Vec<Kind>>>() else {
            return Some(false);
        };
        match self {
            Self::Cases(Permitted(permitted), Required(required)) => Some(
                kinds.iter().all(|kind| permitted.contains(kind))
                    && kinds.iter().any(|kind| required.contains(kind)),
            ),
            Self::Final(Permitted(permitted)) => {
                let last = kinds.iter().find(|kind| **kind != Ac).unwrap_or(&Ac);
                Some(permitted.contains(last))
            }
            Self::NotBuilt => Some(false),
            Self::Nothing => None,
        }
    }

    /// Whether a case with this verdict alone contradicts it.
    pub(crate) fn is_contradicted_by(&self, verdict: Verdict) -> bool {
        let Some(kind) = Kind::from_verdict(verdict) else {
            return true;
        };
        match self {
            Self::Cases(Permitted(permitted), _) => !permitted.contains(&kind),
            Self::Final(Permitted(permitted)) => kind != Ac && !permitted.contains(&kind),
            Self::NotBuilt | Self::Nothing => false,
        }
    }

    /// The same in words.
    pub(crate) fn text(&self) -> String {
        let list = |kinds: &[Kind], last: &str| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            match names.split_last() {
                Some((end, first)) if !first.is_empty() => {
                    format!("{} {last} {end}", first.join(", "))
                }
                _ => names.join(""),
            }
        };
        match self {
            Self::Cases(Permitted(permitted), _) if permitted[..] == [Ac] => "only AC".to_owned(),
            Self::Cases(Permitted(permitted), Required(required)) if permitted == ANY => {
                format!("at least one {}", list(required, "or"))
            }
            Self::Cases(Permitted(permitted), Required(required)) => format!(
                "only {}, and at least one {}",
                list(permitted, "and"),
                list(required, "or")
            ),
            Self::Final(Permitted(permitted)) => format!("{} in the end", list(permitted, "or")),
            Self::NotBuilt => "a program that cannot be built".to_owned(),
            Self::Nothing => "nothing".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether verdicts, as words, are those of a folder.
    fn met(folder: &str, verdicts: &str, is_legacy: bool) -> Option<bool> {
        let verdicts: Vec<Verdict> = verdicts
            .split(' ')
            .map(|word| word.parse().unwrap())
            .collect();
        Expectation::new(folder, "", is_legacy).is_met(&verdicts)
    }

    #[test]
    fn folders_permit_and_require_verdicts() {
        // By hand, from the tables of the two formats: folder, verdicts, legacy, newer.
        let rows = [
            ("accepted", "AC AC", true, true),
            ("accepted", "AC WA", false, false),
            ("wrong_answer", "AC WA", true, true),
            ("wrong_answer", "AC OLE", true, true),
            ("wrong_answer", "AC AC", false, false),
            ("wrong_answer", "WA TLE", false, false),
            ("time_limit_exceeded", "AC TLE", true, true),
            ("time_limit_exceeded", "WA TLE", true, false),
            ("time_limit_exceeded", "RE TLE", false, false),
            ("run_time_error", "AC RE", true, true),
            ("run_time_error", "MLE AC", true, true),
            ("run_time_error", "WA RE", true, false),
            ("run_time_error", "WA AC", false, false),
            ("rejected", "AC TLE", true, true),
            ("rejected", "AC AC", false, false),
            ("brute_force", "TLE RE", true, true),
            ("brute_force", "TLE WA", false, false),
            ("compiler_error", "AC", false, false),
            ("rejected", "WA IE", false, false),
        ];
        for (folder, verdicts, legacy, newer) in rows {
            assert_eq!(
                met(folder, verdicts, true),
                Some(legacy),
                "{folder}: {verdicts}"
            );
            assert_eq!(
                met(folder, verdicts, false),
                Some(newer),
                "{folder}: {verdicts}"
            );
        }
        assert_eq!(met("mixed", "AC WA", true), None);
        assert_eq!(met("mixed", "AC IE", true), Some(false));
    }

    #[test]
    fn tags_name_what_the_first_failure_may_be() {
        let tagged = |tag: &str| Expectation::new("mixed", &format!("/* {tag}\n */"), true);
        let both = tagged("@EXPECTED_RESULTS@: CORRECT, wrong-answer");
        use Verdict::{Ac as A, Tle as T, Wa as W};
        assert_eq!(both.is_met(&[A, A]), Some(true));
        assert_eq!(both.is_met(&[A, W, T]), Some(true));
        assert_eq!(both.is_met(&[A, T, W]), Some(false));
        let late = tagged("@EXPECTED_SCORE@: TIMELIMIT");
        assert_eq!(
            (late.is_met(&[A, T]), late.is_met(&[A])),
            (Some(true), Some(false))
        );
        assert_eq!(
            tagged("@EXPECTED_RESULTS@: COMPILER-ERROR"),
            Expectation::NotBuilt
        );
        assert_eq!(tagged("@EXPECTED_RESULTS@: 42"), Expectation::Nothing);
        // The folder says more than the tag.
        let accepted = Expectation::new("accepted", "@EXPECTED_RESULTS@: WRONG-ANSWER", true);
        assert_eq!(accepted.text(), "only AC");
    }
}
