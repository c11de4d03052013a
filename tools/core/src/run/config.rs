//! `tester.toml`: the settings of a contest, so that `tester batch` needs no options.
//!
//! This module turns the text into typed values. The command line lays typed options over them.

use std::num::{NonZeroU32, NonZeroUsize};

use serde::de::{Deserialize, Deserializer, Error};

use crate::case::{CaseNumbers, SeedRange};
use crate::judge::ScoreScale;
use crate::judge::external::{Contract, Stream};
use crate::problem::{Measure, Objective};
use crate::process::Command;
use crate::util::tester_word::tester_word;

pub use super::config_values::{CaseWords, Jobs, MAX_JOBS, Mebibytes, Seconds};

/// The name of the file, in the folder of the contest.
pub const FILE: &str = "tester.toml";

/// The format that this tester knows.
pub const VERSION: u32 = 1;

/// A whole file. Every key is optional except the version.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    #[serde(rename = "version")]
    _version: u32,
    /// The external judge, if there is one.
    pub judge: Option<Judge>,
    /// Options of `tester batch`.
    #[serde(default)]
    pub batch: Batch,
    /// What `tester tune` tries.
    pub tune: Option<Tune>,
}

/// The table `judge`.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of keys")]
#[allow(missing_docs)] // the fields have the names of the options
pub struct Judge {
    pub external: Option<String>,
    pub interactor: Option<String>,
    pub contract: Option<Contract>,
    pub score_regex: Option<String>,
    pub score_scale: Option<ScoreScale>,
    pub objective: Option<Objective>,
    pub measure: Option<Measure>,
    pub score_stream: Option<Stream>,
    #[serde(default)]
    pub zero_counts: bool,
    pub name: Option<String>,
    pub parameters: Option<String>,
    pub vis: Option<String>,
}

/// The table `batch`.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of keys")]
#[allow(missing_docs)] // the fields have the names of the options
pub struct Batch {
    pub cases: Option<CaseWords>,
    pub held_out: Option<CaseWords>,
    pub seeds: Option<SeedRange>,
    pub out: Option<String>,
    pub build: Vec<String>,
    #[serde(deserialize_with = "command")]
    pub command: Option<Command>,
    pub jobs: Option<Jobs>,
    pub keep_runs: Option<NonZeroUsize>,
    pub vis_worst: Option<usize>,
    pub time_limit: Option<Seconds>,
    pub memory_limit: Option<Mebibytes>,
}

/// The table `tune`.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of keys")]
#[allow(missing_docs)] // the fields have the names of the options
pub struct Tune {
    #[serde(deserialize_with = "command")]
    pub command: Option<Command>,
    pub trials: Option<NonZeroU32>,
    pub start: Vec<String>,
}

/// A program and its arguments, as a shell would split them.
fn command<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Command>, D::Error> {
    let line = String::deserialize(value)?;
    Command::from_line(&line)
        .map(Some)
        .map_err(D::Error::custom)
}

impl From<toml::de::Error> for ConfigError {
    /// The message has words for the types of Rust.
    fn from(error: toml::de::Error) -> Self {
        let text = error.to_string();
        let text = text
            .trim_end()
            .replace("expected f64", "expected a number without quotes");
        let text = text.replace("expected u64", "expected a whole number without quotes");
        Self::Toml(text.replace("expected a sequence", "expected a list: [\"…\"]"))
    }
}

/// Only the version, to tell a newer file from a wrong one.
#[derive(serde::Deserialize)]
struct Versioned {
    version: Option<u32>,
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file has another format.
    #[error("expected version = {VERSION}, found {0}, which another tester writes")]
    OtherVersion(u32),
    /// The file does not name its format.
    #[error("expected version = {VERSION} at the top, found none")]
    NoVersion,
    /// The file names two judges.
    #[error("expected external or interactor in [judge], found both")]
    TwoJudges,
    /// The file names two kinds of cases.
    #[error("expected cases or seeds in [batch], found both")]
    CasesAndSeeds,
    /// The same cases are held out, and are not.
    #[error("expected other cases in held_out than in cases or seeds, found {0} in both")]
    HeldOutTwice(String),
    /// The text is not TOML, or a key or value is unknown; the message names the place.
    #[error("{0}")]
    Toml(String),
}

impl ConfigError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::OtherVersion(_) => Some(format!(
                "`{} init --force` writes a new file",
                tester_word()
            )),
            Self::NoVersion => Some(format!(
                "write version = {VERSION} in the first line, above all tables"
            )),
            Self::HeldOutTwice(_) => Some(
                "what is tuned on cases must be judged on others, such as cases = \"0..1000\" and held_out = \"1000..2000\""
                    .to_owned(),
            ),
            Self::Toml(text) if text.contains("duplicate key") => Some(
                "a table such as [batch] is written once, and each key once in it: add new keys to the table that is there"
                    .to_owned(),
            ),
            Self::Toml(text) if text.contains(" | [[") => {
                Some("a table has single brackets, such as [batch]".to_owned())
            }
            Self::Toml(text) => hint_on_unknown_key(text),
            Self::TwoJudges | Self::CasesAndSeeds => None,
        }
    }
}

/// Which key an unknown one is meant to be, by the message that names it and those that are known at its place.
fn hint_on_unknown_key(text: &str) -> Option<String> {
    const LIKE: f64 = 0.7;
    let (_, text) = text.split_once("unknown field `")?;
    let (key, expected) = text.split_once("`, expected")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // A table of only this key is refused for another reason where the key is known.
    let has_key = |table: &&str| {
        let table = format!("version = {VERSION}\n[{table}]\n{key} = 0\n");
        let refused = toml::from_str::<Config>(&table).err();
        !refused.is_some_and(|error| error.message().contains("unknown field"))
    };
    let mut tables = ["batch", "judge", "tune"].into_iter();
    if key == "version" {
        return Some("version belongs at the top, above all tables".to_owned());
    }
    if key.chars().all(is_plain)
        && let Some(table) = tables.find(has_key)
    {
        return Some(format!("{key} belongs in the table [{table}]"));
    }
    let known = expected.split('`').skip(1).step_by(2);
    let likeness = known.map(|known| (strsim::jaro(key, known), known));
    let (likeness, nearest) = likeness.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (likeness > LIKE).then(|| format!("did you mean `{nearest}`?"))
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    /// If the file has another format, or a key or value is unknown.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        match toml::from_str::<Versioned>(text)?.version {
            Some(VERSION) => {
                let config: Self = toml::from_str(text)?;
                config.batch.check()?;
                let judge = config.judge.as_ref();
                if judge.is_some_and(|judge| judge.external.is_some() && judge.interactor.is_some())
                {
                    return Err(ConfigError::TwoJudges);
                }
                Ok(config)
            }
            Some(other) => Err(ConfigError::OtherVersion(other)),
            None => Err(ConfigError::NoVersion),
        }
    }
}

impl Judge {
    /// Whether it is another judge than this one.
    pub fn is_named(&self) -> bool {
        self.external.is_some() || self.interactor.is_some()
    }
}

impl Batch {
    /// The numbers that are held out of the places where `cases` are.
    pub fn held_out_there(&self) -> Option<CaseNumbers> {
        let held_out = self.held_out.as_ref()?;
        let there = held_out.places();
        let places = self.cases.as_ref().map_or_else(Vec::new, CaseWords::places);
        held_out
            .numbers()
            .filter(|_| there.is_empty() || there == places)
    }

    /// Cases are named once, and none of them is held out.
    fn check(&self) -> Result<(), ConfigError> {
        if self.cases.is_some() && self.seeds.is_some() {
            return Err(ConfigError::CasesAndSeeds);
        }
        let seeds = || CaseNumbers::new([self.seeds.clone()?.0]);
        let cases = self.cases.as_ref().map_or_else(seeds, CaseWords::numbers);
        match (cases, self.held_out_there()) {
            (Some(cases), Some(held_out)) if cases.overlaps(&held_out) => {
                let both = held_out.iter().find(|&number| cases.contains(number));
                Err(ConfigError::HeldOutTwice(
                    both.unwrap_or_default().to_string(),
                ))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn refused(text: &str) -> String {
        let error = Config::parse(text).expect_err("it is wrong");
        crate::util::quote::causes(&error)
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_what_would_be_right() {
        insta::assert_snapshot!(refused("[judge]\n"), @"expected version = 1 at the top, found none");
        insta::assert_snapshot!(refused("version = 2\nnew = 1\n"), @"expected version = 1, found 2, which another tester writes");
        insta::assert_snapshot!(refused("version = 1\n[judge]\nexternel = \"x\"\n"), @r#"
        TOML parse error at line 3, column 1
          |
        3 | externel = "x"
          | ^^^^^^^^
        unknown field `externel`, expected one of `external`, `interactor`, `contract`, `score_regex`, `score_scale`, `objective`, `measure`, `score_stream`, `zero_counts`, `name`, `parameters`, `vis`
        "#);
        insta::assert_snapshot!(refused("version = 1\n[judge]\nexternal = \"x\"\nobjective = \"most\"\n"), @r#"
        TOML parse error at line 4, column 13
          |
        4 | objective = "most"
          |             ^^^^^^
        unknown variant `most`, expected `min` or `max`
        "#);
        insta::assert_snapshot!(refused("version = 1\nbatch = 3\n"), @"
        TOML parse error at line 2, column 9
          |
        2 | batch = 3
          |         ^
        invalid type: integer `3`, expected a table of keys
        ");
        insta::assert_snapshot!(refused("version = 1\n[batch]\ntime_limit = \"2\"\n"), @r#"
        TOML parse error at line 3, column 14
          |
        3 | time_limit = "2"
          |              ^^^
        invalid type: string "2", expected a number without quotes
        "#);
        let whole = refused("version = 1\n[batch]\njobs = \"2\"\n");
        assert!(
            whole.ends_with("expected a whole number without quotes"),
            "{whole}"
        );
        let list = refused("version = 1\n[batch]\nbuild = \"make\"\n");
        assert!(list.ends_with("expected a list: [\"…\"]"), "{list}");
        insta::assert_snapshot!(refused("version = 1\n[batch\n"), @"
        TOML parse error at line 2, column 7
          |
        2 | [batch
          |       ^
        unclosed table, expected `]`
        ");
        insta::assert_snapshot!(refused("version = 1\n[batch]\ncommand = \"a 'b\"\n"), @r#"
        TOML parse error at line 3, column 11
          |
        3 | command = "a 'b"
          |           ^^^^^^
        a quote is open in "a 'b"
        "#);
        insta::assert_snapshot!(refused("version = 1\n[batch]\njobs = 0\n"), @"
        TOML parse error at line 3, column 8
          |
        3 | jobs = 0
          |        ^
        expected a number of programs from 1 to 1024
        ");
        insta::assert_snapshot!(refused("version = 1\n[batch]\ntime_limit = 0\n"), @"
        TOML parse error at line 3, column 14
          |
        3 | time_limit = 0
          |              ^
        expected seconds from 0.001 to 86400, such as 2 or 0.5
        ");
        insta::assert_snapshot!(refused("version = 1\n[batch]\nmemory_limit = 0\n"), @"
        TOML parse error at line 3, column 16
          |
        3 | memory_limit = 0
          |                ^
        expected mebibytes from 1 to 1099511627776
        ");
    }

    #[test]
    fn cases_are_named_once_and_seeds_as_they_are_typed() {
        let batch = |keys: &str| format!("version = 1\n[batch]\n{keys}\n");
        let seeds = |text: &str| {
            let config = Config::parse(&batch(&format!("seeds = {text:?}"))).unwrap();
            config.batch.seeds.unwrap().0
        };
        assert_eq!((seeds("0..100"), seeds("7")), (0..=99, 7..=7));
        insta::assert_snapshot!(refused(&batch("seeds = \"3..3\"")), @r#"
        TOML parse error at line 3, column 9
          |
        3 | seeds = "3..3"
          |         ^^^^^^
        expected at least one seed: A..B stops before B, so B must be greater
        "#);
        insta::assert_snapshot!(refused(&batch("cases = \"in\"\nseeds = \"0..3\"")), @"expected cases or seeds in [batch], found both");
    }

    #[test]
    fn values_are_those_of_the_file() {
        let text = "version = 1\n[judge]\nexternal = \"t {case}\"\nobjective = \"max\"\nzero_counts = true\n\
                    [batch]\nbuild = [\"a\", \"b c\"]\ncommand = \"./mine 'x y'\"\ntime_limit = 2.5\njobs = 3\n\
                    keep_runs = 5\n";
        let Config { judge, batch, .. } = Config::parse(text).unwrap();
        let judge = judge.unwrap();
        assert_eq!(judge.external.as_deref(), Some("t {case}"));
        assert_eq!(
            (judge.objective, judge.zero_counts),
            (Some(Objective::Max), true)
        );
        assert_eq!((judge.score_stream, judge.name), (None, None));
        assert_eq!(batch.build, ["a", "b c"]);
        assert_eq!(batch.command.unwrap().args, ["x y"]);
        assert_eq!(batch.time_limit, Some(Seconds(Duration::from_millis(2500))));
        assert_eq!(batch.jobs.map(|jobs| jobs.get().get()), Some(3));
        assert_eq!(
            (batch.keep_runs.map(NonZeroUsize::get), batch.memory_limit),
            (Some(5), None)
        );
    }

    /// As when lines of a page of the documentation are added to the file of `tester init`.
    #[test]
    fn an_unknown_key_is_told_from_its_likeness_or_its_table() {
        let hint = |text: &str| {
            let text = format!("version = 1\n{text}");
            Config::parse(&text).unwrap_err().hint()
        };
        for (text, expected) in [
            ("[judge]\nextrenal = \"a\"", "did you mean `external`?"),
            ("[bacth]\njobs = 1", "did you mean `batch`?"),
            ("[batch]\ntime-limit = 2", "did you mean `time_limit`?"),
            ("[batch]\ncomand = \"a\"", "did you mean `command`?"),
            (
                "[judge]\ncommand = \"a\"",
                "command belongs in the table [batch]",
            ),
            (
                "objective = \"min\"",
                "objective belongs in the table [judge]",
            ),
            ("[batch]\ntrials = 3", "trials belongs in the table [tune]"),
            (
                "[batch]\nversion = 1",
                "version belongs at the top, above all tables",
            ),
            (
                "[[batch]]\njobs = 1",
                "a table has single brackets, such as [batch]",
            ),
        ] {
            assert_eq!(hint(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "[batch]\nqqq = 1",
            "[judge]\nobjective = \"most\"",
            "[batch",
        ] {
            assert_eq!(hint(text), None, "{text}");
        }
    }

    #[test]
    fn a_second_table_of_the_same_name_is_refused_with_a_hint() {
        let hint = |text: &str| Config::parse(text).unwrap_err().hint();
        let twice = "version = 1\n[batch]\njobs = 1\n[batch]\ntime_limit = 2\n";
        assert!(hint(twice).unwrap().contains("[batch] is written once"));
        assert_eq!(hint("version = 1\n[batch]\njobs = \"x\"\n"), None);
    }

    #[test]
    fn time_limits_are_positive_and_finite() {
        let seconds = |text: &str| text.parse().map(|Seconds(time)| time);
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        for bad in ["0", "-1", "inf", "NaN", "1e9", "fast", "", "1e-12"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
