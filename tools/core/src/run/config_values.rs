//! Values in `tester.toml`: numbers within limits, and words that name cases.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use crate::case::CaseNumbers;

/// Folders, patterns and numbers of cases: a text, or a list of texts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(from = "OneOrMore")]
pub struct CaseWords(pub Vec<String>);

#[derive(serde::Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text such as \"tools/in\" or \"0..1000\", or a list of such texts"
)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for CaseWords {
    fn from(words: OneOrMore) -> Self {
        match words {
            OneOrMore::One(word) => Self(vec![word]),
            OneOrMore::More(words) => Self(words),
        }
    }
}

impl CaseWords {
    /// The numbers among the words.
    pub(super) fn numbers(&self) -> Option<CaseNumbers> {
        let all = self.0.iter().filter_map(|word| word.parse().ok());
        all.reduce(CaseNumbers::and)
    }

    /// The words that are no numbers: folders, files and patterns.
    pub(super) fn places(&self) -> Vec<&String> {
        let is_place = |word: &&String| word.parse::<CaseNumbers>().is_err();
        self.0.iter().filter(is_place).collect()
    }
}

/// A time limit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(pub Duration);

/// How many programs run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "u64")]
pub struct Jobs(u64);

/// A memory limit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "u64")]
pub struct Mebibytes(pub u64);

/// The most programs that run at the same time.
pub const MAX_JOBS: u64 = 1024;

/// The longest time limit: a day.
const MAX_SECONDS: f64 = 86_400.0;
impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(seconds: f64) -> Result<Self, String> {
        match seconds {
            0.001..=MAX_SECONDS => Ok(Self(Duration::from_secs_f64(seconds))),
            _ => Err(format!(
                "expected seconds from 0.001 to {MAX_SECONDS}, such as 2 or 0.5"
            )),
        }
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('s').unwrap_or(text).parse();
        number.unwrap_or(f64::NAN).try_into()
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

macro_rules! whole_number {
    ($name:ident, $most:expr, $what:literal) => {
        impl TryFrom<u64> for $name {
            type Error = String;

            fn try_from(number: u64) -> Result<Self, String> {
                const MOST: u64 = $most;
                match number {
                    1..=MOST => Ok(Self(number)),
                    _ => Err(format!("expected {} from 1 to {MOST}", $what)),
                }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                text.parse().unwrap_or(0).try_into()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

// More than 1024 programs at the same time are a typing error. The number of bytes of a limit above an exbibyte
// does not fit into 64 bits.
whole_number!(Jobs, MAX_JOBS, "a number of programs");
whole_number!(Mebibytes, 1 << 40, "mebibytes");

impl Jobs {
    /// The number.
    pub fn get(self) -> NonZeroUsize {
        NonZeroUsize::new(self.0 as usize).expect("1 or more")
    }
}
