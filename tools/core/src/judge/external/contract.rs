//! Contracts: what an interactor means by its exit status and by what it leaves behind. Pure.
//!
//! | contract | accepted | wrong | the interactor failed |
//! |---|---|---|---|
//! | `plain` | 0 | other statuses | a signal, or a status by which a shell reports one or finds no program |
//! | `testlib` | 0; 7 with `points N` on stderr | 1, 2, 8 | 3 and other statuses, a signal |
//! | `kattis` | 42, with a score in `score.txt` if there is one | 43 | other statuses, a signal |
//! | `atcoder` | 0, with `Score = N` on stderr | status 1, or score 0 | other statuses, a signal, no score |

use super::message::shortened;
use crate::judge::printed_score::{PrintedScore, ScoreRule};
use crate::judge::reasons as say;
use crate::judge::verdict::ending_sentence;
use crate::problem::Score;
use crate::process::Ending;
use crate::util::quote::quote;

/// Whose interactor it is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Contract {
    /// Status 0, or another one.
    #[default]
    Plain,
    /// An interactor that is written with testlib.
    Testlib,
    /// An output validator of Kattis or DOMjudge.
    Kattis,
    /// A program that prints a score on stderr, as testers of AtCoder do.
    Atcoder,
}

/// What an interactor left behind when it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Findings<'a> {
    /// How it ended.
    pub ending: Ending,
    /// The score that the regular expression found on stderr.
    pub printed_score: Option<&'a [u8]>,
    /// The end of stderr.
    pub stderr: &'a [u8],
    /// What it said last on stderr, beside a score.
    pub last_words: Option<&'a str>,
    /// `judgemessage.txt` of its feedback folder.
    pub message_file: Option<&'a str>,
    /// `score.txt` of its feedback folder.
    pub score_file: Option<&'a str>,
    /// How a score is read.
    pub rule: ScoreRule,
    /// Whether a score that is no whole number is one with decimals.
    pub keeps_decimals: bool,
}

/// How many decimals such a score has.
const DECIMALS: u8 = 6;

/// What an interactor says of the contestant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Accepted, with the score if it gave one.
    Accepted(Option<Score>),
    /// Not accepted, and why, if it said so.
    Wrong(Option<String>),
    /// It failed itself, and how.
    Failed(String),
}

/// What a status means.
enum Meaning {
    Accepted,
    Points,
    Wrong,
    Failed,
}

impl Contract {
    /// All of them, as they are typed.
    pub const ALL: [(&'static str, Self); 4] = [
        ("plain", Self::Plain),
        ("testlib", Self::Testlib),
        ("kattis", Self::Kattis),
        ("atcoder", Self::Atcoder),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.into_iter().find(|(_, known)| *known == self);
        found.expect("each has its name").0
    }

    /// What [`Contract::name`] wrote.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, contract)| contract)
    }

    /// What an interactor means that left this behind.
    pub(crate) fn claim(self, found: &Findings<'_>) -> Claim {
        let Ending::Exited(status) = found.ending else {
            return Claim::Failed(found.with_last_words(ending_sentence(found.ending)));
        };
        match self.meaning(status) {
            Meaning::Accepted => self.accepted(found),
            Meaning::Points => match points(found.stderr) {
                Some(points) => score_claim(points.as_bytes(), found),
                None => Claim::Failed(say::NO_POINTS.fill(&[])),
            },
            Meaning::Wrong => Claim::Wrong(self.message(found)),
            Meaning::Failed => Claim::Failed(found.with_last_words(self.odd_status(status))),
        }
    }

    fn meaning(self, status: i32) -> Meaning {
        match (self, status) {
            (Self::Plain | Self::Testlib | Self::Atcoder, 0) | (Self::Kattis, 42) => {
                Meaning::Accepted
            }
            (Self::Testlib, 7) => Meaning::Points,
            (Self::Testlib, 1 | 2 | 8) | (Self::Kattis, 43) | (Self::Atcoder, 1) => Meaning::Wrong,
            // So shells say that there is no such program, and report signals.
            (Self::Plain, 126 | 127 | 129..=192) => Meaning::Failed,
            (Self::Plain, _) => Meaning::Wrong,
            _ => Meaning::Failed,
        }
    }

    fn odd_status(self, status: i32) -> String {
        match status {
            127 | 129..=192 => ending_sentence(Ending::Exited(status)),
            3 if self == Self::Testlib => say::TESTLIB_FAIL.fill(&[]),
            _ => say::ODD_STATUS.fill(&[&status, &self.name()]),
        }
    }

    fn accepted(self, found: &Findings<'_>) -> Claim {
        let file = found.score_file.filter(|_| self == Self::Kattis);
        match (file.map(str::as_bytes).or(found.printed_score), self) {
            (Some(score), _) => score_claim(score, found),
            (None, Self::Atcoder) => {
                Claim::Failed(found.with_last_words(say::NO_SCORE_PRINTED.fill(&[])))
            }
            (None, _) => Claim::Accepted(None),
        }
    }

    /// What it says of the contestant.
    fn message(self, found: &Findings<'_>) -> Option<String> {
        let file = found.message_file.filter(|_| self == Self::Kattis);
        let lines = |text: &str| {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.collect::<Vec<_>>().join("; ")
        };
        let file = file.map(lines).filter(|text| !text.is_empty());
        let said = file.or_else(|| found.last_words.map(str::to_owned));
        said.map(|said| shortened(&said))
    }
}

impl Findings<'_> {
    fn with_last_words(&self, what: String) -> String {
        match self.last_words {
            Some(said) => say::WITH_MESSAGE.fill(&[&what, &said]),
            None => what,
        }
    }
}

/// What follows from a score.
fn score_claim(score: &[u8], found: &Findings<'_>) -> Claim {
    match found.rule.read(score) {
        PrintedScore::Zero | PrintedScore::Negative => {
            Claim::Wrong(Some(found.rule.refusal(score, found.last_words)))
        }
        PrintedScore::Score(score) => Claim::Accepted(Some(score.into())),
        PrintedScore::Other if found.keeps_decimals => decimal_claim(score, found.rule),
        PrintedScore::Other => Claim::Failed(found.rule.not_a_score(score)),
    }
}

/// The same where decimals are kept.
fn decimal_claim(score: &[u8], rule: ScoreRule) -> Claim {
    let scale = 10_u64.pow(DECIMALS.into());
    let scale = scale.try_into().expect("it is at most a billion");
    match (ScoreRule { scale, ..rule }).read(score) {
        PrintedScore::Score(units) => Claim::Accepted(Some(Score::new(units, DECIMALS))),
        _ => Claim::Failed(say::SCORE_IS_NO_NUMBER.fill(&[&quote(score.trim_ascii())])),
    }
}

/// The number after `points` at the start of a line, the last one.
fn points(stderr: &[u8]) -> Option<String> {
    let lines = stderr.split(|&b| b == b'\n').rev();
    let mut numbers = lines.filter_map(|line| {
        let line = str::from_utf8(line).ok()?;
        let (word, rest) = line.trim_start().split_once(' ')?;
        (word == "points").then(|| rest.split_whitespace().next().map(str::to_owned))?
    });
    numbers.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Findings<'static> = Findings {
        ending: Ending::Exited(0),
        printed_score: None,
        stderr: b"",
        last_words: None,
        message_file: None,
        score_file: None,
        rule: ScoreRule {
            scale: crate::judge::ScoreScale::ONE,
            zero_counts: false,
        },
        keeps_decimals: false,
    };

    fn of(contract: Contract, status: i32) -> char {
        let ending = Ending::Exited(status);
        // A score by every means.
        let found = Findings {
            ending,
            printed_score: Some(b"9"),
            stderr: b"points 9\n",
            ..NOTHING
        };
        match contract.claim(&found) {
            Claim::Accepted(_) => 'a',
            Claim::Wrong(_) => 'w',
            Claim::Failed(_) => 'f',
        }
    }

    #[test]
    fn statuses_mean_what_each_contract_says() {
        let statuses = [0, 1, 2, 3, 4, 7, 8, 42, 43, 101, 126, 127, 137];
        let row =
            |contract| -> String { statuses.map(|status| of(contract, status)).iter().collect() };
        //                                     0 1 2 3 4 7 8 42 43 101 126 127 137
        assert_eq!(row(Contract::Plain), "awwwwwwwwwfff");
        assert_eq!(row(Contract::Testlib), "awwffawffffff");
        assert_eq!(row(Contract::Kattis), "fffffffawffff");
        assert_eq!(row(Contract::Atcoder), "awfffffffffff");
    }

    #[test]
    fn a_signal_is_the_interactors_failure_under_every_contract() {
        for (_, contract) in Contract::ALL {
            let found = Findings {
                ending: Ending::Signaled(libc::SIGSEGV),
                last_words: Some("oh"),
                ..NOTHING
            };
            let Claim::Failed(why) = contract.claim(&found) else {
                panic!("{contract:?}");
            };
            assert!(
                why.contains("SIGSEGV") && why.ends_with("the last message: oh"),
                "{why}"
            );
        }
    }

    #[test]
    fn scores_come_from_stderr_points_and_score_txt() {
        let accepted = |score: u64| Claim::Accepted(Some(score.into()));
        let plain = Findings {
            printed_score: Some(b"12"),
            ..NOTHING
        };
        assert_eq!(Contract::Plain.claim(&plain), accepted(12));
        assert_eq!(Contract::Atcoder.claim(&plain), accepted(12));
        assert_eq!(Contract::Plain.claim(&NOTHING), Claim::Accepted(None));
        let points = |stderr: &'static [u8]| {
            Contract::Testlib.claim(&Findings {
                ending: Ending::Exited(7),
                stderr,
                ..NOTHING
            })
        };
        assert_eq!(points(b"debug\npoints 40 two queries\n"), accepted(40));
        assert_eq!(points(b"points 40.0\n"), accepted(40));
        assert_eq!(
            points(b"points 0\n"),
            Claim::Wrong(Some(say::ZERO_SCORE.fill(&[])))
        );
        for none in [&b"points 0.5 half\n"[..], b"40 points\n", b""] {
            assert!(matches!(points(none), Claim::Failed(_)));
        }
        let kattis = |score_file| {
            Contract::Kattis.claim(&Findings {
                ending: Ending::Exited(42),
                score_file,
                ..NOTHING
            })
        };
        assert_eq!(kattis(Some("7.000\n")), accepted(7));
        assert_eq!(kattis(None), Claim::Accepted(None));
        assert!(matches!(kattis(Some("many")), Claim::Failed(_)));
    }

    #[test]
    fn decimals_are_kept_where_they_are_wanted() {
        let claim = |keeps_decimals, text| {
            Contract::Kattis.claim(&Findings {
                ending: Ending::Exited(42),
                score_file: Some(text),
                rule: ScoreRule {
                    zero_counts: true,
                    ..ScoreRule::default()
                },
                keeps_decimals,
                ..NOTHING
            })
        };
        // As validators print them: "%.9le".
        for (text, units) in [("9.586676263e-01\n", 958_668), ("12.5", 12_500_000)] {
            let score = Score::new(units, DECIMALS);
            assert_eq!(claim(true, text), Claim::Accepted(Some(score)), "{text}");
            assert!(matches!(claim(false, text), Claim::Failed(_)), "{text}");
        }
        for keeps_decimals in [true, false] {
            for (text, whole) in [("1.000000000e+00", 1), ("0.000000000e+00", 0)] {
                let accepted = Claim::Accepted(Some(whole.into()));
                assert_eq!(claim(keeps_decimals, text), accepted, "{text}");
            }
        }
        assert_eq!(claim(true, "7.0"), Claim::Accepted(Some(7.into())));
        assert!(matches!(claim(true, "-0.5"), Claim::Wrong(_)));
        for text in ["many", "nan", "1e300", ""] {
            assert!(matches!(claim(true, text), Claim::Failed(_)), "{text}");
        }
    }

    #[test]
    fn a_score_of_zero_is_wrong_unless_it_counts_and_atcoders_must_be_printed() {
        let zero = |zero_counts| {
            Contract::Atcoder.claim(&Findings {
                printed_score: Some(b"0"),
                last_words: Some("Out of range: 9"),
                rule: ScoreRule {
                    zero_counts,
                    ..ScoreRule::default()
                },
                ..NOTHING
            })
        };
        assert_eq!(
            zero(false),
            Claim::Wrong(Some("score 0: Out of range: 9".to_owned()))
        );
        assert_eq!(zero(true), Claim::Accepted(Some(0.into())));
        assert!(matches!(
            Contract::Atcoder.claim(&NOTHING),
            Claim::Failed(_)
        ));
    }

    #[test]
    fn messages_come_from_judgemessage_txt_then_from_stderr() {
        let wrong = |contract: Contract, status, message_file| {
            contract.claim(&Findings {
                ending: Ending::Exited(status),
                last_words: Some("on stderr"),
                message_file,
                ..NOTHING
            })
        };
        let said = |text: &str| Claim::Wrong(Some(text.to_owned()));
        let file = Some("guess 3:\n\n too high \n");
        assert_eq!(
            wrong(Contract::Kattis, 43, file),
            said("guess 3:; too high")
        );
        assert_eq!(wrong(Contract::Kattis, 43, Some("\n")), said("on stderr"));
        assert_eq!(wrong(Contract::Testlib, 1, file), said("on stderr"));
    }

    #[test]
    fn names_are_those_that_are_typed() {
        for (name, contract) in Contract::ALL {
            assert_eq!(
                (contract.name(), Contract::from_name(name)),
                (name, Some(contract))
            );
            assert_eq!(serde_json::to_value(contract).unwrap(), name);
        }
    }

    #[test]
    fn status_3_is_a_failure_of_testlib_and_score_txt_is_of_kattis() {
        let failed = |contract: Contract, what: String| {
            let found = Findings {
                ending: Ending::Exited(3),
                ..NOTHING
            };
            assert_eq!(contract.claim(&found), Claim::Failed(what), "{contract:?}");
        };
        failed(Contract::Testlib, say::TESTLIB_FAIL.fill(&[]));
        failed(Contract::Kattis, say::ODD_STATUS.fill(&[&3, &"kattis"]));
        failed(Contract::Atcoder, say::ODD_STATUS.fill(&[&3, &"atcoder"]));
        let accepted = |contract: Contract, status| {
            let found = Findings {
                ending: Ending::Exited(status),
                score_file: Some("7\n"),
                ..NOTHING
            };
            contract.claim(&found)
        };
        assert_eq!(
            accepted(Contract::Kattis, 42),
            Claim::Accepted(Some(7.into()))
        );
        for contract in [Contract::Plain, Contract::Testlib] {
            assert_eq!(accepted(contract, 0), Claim::Accepted(None));
        }
        assert_eq!(points(b"  points 5 of 9\n").as_deref(), Some("5"));
    }
}
