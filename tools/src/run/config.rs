//! `tester.toml`: what a contest needs, so that `tester batch` alone is enough. Pure: it is read as options that
//! stand in front of those that were typed, which therefore win.

use std::ffi::OsString;

use serde::Deserialize;

use crate::judge::external::Stream;
use crate::problem::Objective;
use crate::process::{Command, LineError};

/// Where it is looked for.
pub const FILE: &str = "tester.toml";

/// The format that this tester knows.
pub const VERSION: u32 = 1;

/// Only the version, to tell a newer file from a wrong one.
#[derive(Deserialize)]
struct Versioned {
    version: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(rename = "version")]
    _version: u32,
    judge: Option<Judge>,
    #[serde(default)]
    batch: Batch,
}

/// Another judge than ours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judge {
    external: String,
    score_regex: Option<String>,
    objective: Option<Objective>,
    score_stream: Option<Stream>,
    zero_counts: Option<bool>,
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    cases: Option<String>,
    out: Option<String>,
    #[serde(default)]
    build: Vec<String>,
    command: Option<String>,
    jobs: Option<u32>,
    time_limit: Option<f64>,
    memory_limit: Option<u64>,
}

/// What a file stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Options of `tester batch`.
    pub options: Vec<OsString>,
    /// The program and its arguments, where none is typed.
    pub command: Vec<OsString>,
}

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It is of another format.
    #[error(
        "expected version = {VERSION}, found {0}, which another tester writes; `tester init` writes a new file"
    )]
    OtherVersion(u32),
    /// It does not say of which format it is.
    #[error("expected version = {VERSION} at the top, found none; `tester init` writes a new file")]
    NoVersion,
    /// It is no TOML, or has keys or values that are not known; the place is said.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// No shell would understand the program.
    #[error("failed to understand batch.command")]
    Command(#[from] LineError),
}

/// Reads a file's text.
///
/// # Errors
/// If it is of another format, or has keys that are not known.
pub fn parse(text: &str) -> Result<Settings, ConfigError> {
    match toml::from_str::<Versioned>(text)?.version {
        Some(VERSION) => {}
        Some(other) => return Err(ConfigError::OtherVersion(other)),
        None => return Err(ConfigError::NoVersion),
    }
    let config: Config = toml::from_str(text)?;
    let mut options = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        options.extend(value.map(|value| OsString::from(format!("--{name}={value}"))));
    };
    let batch = config.batch;
    add("cases", batch.cases);
    add("out", batch.out);
    add("jobs", batch.jobs.map(|jobs| jobs.to_string()));
    add(
        "time-limit",
        batch.time_limit.map(|seconds| seconds.to_string()),
    );
    add(
        "memory-limit",
        batch.memory_limit.map(|mib| mib.to_string()),
    );
    batch
        .build
        .into_iter()
        .for_each(|line| add("build", Some(line)));
    if let Some(judge) = config.judge {
        add("external", Some(judge.external));
        add("score-regex", judge.score_regex);
        add(
            "objective",
            judge.objective.map(|objective| objective.name().to_owned()),
        );
        add(
            "score-stream",
            judge.score_stream.map(|stream| stream.name().to_owned()),
        );
        add("name", judge.name);
        if judge.zero_counts == Some(true) {
            options.push("--zero-counts".into());
        }
    }
    let command = match batch.command {
        None => Vec::new(),
        Some(line) => {
            let command = Command::from_line(&line)?;
            [vec![command.program], command.args].concat()
        }
    };
    Ok(Settings { options, command })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = parse(text).expect_err("it is wrong");
        crate::util::quote::causes(&error)
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_what_would_be_right() {
        insta::assert_snapshot!(refused("[judge]\n"), @"expected version = 1 at the top, found none; `tester init` writes a new file");
        insta::assert_snapshot!(refused("version = 2\nnew = 1\n"), @"expected version = 1, found 2, which another tester writes; `tester init` writes a new file");
        insta::assert_snapshot!(refused("version = 1\n[judge]\nexternel = \"x\"\n"), @r#"
        TOML parse error at line 3, column 1
          |
        3 | externel = "x"
          | ^^^^^^^^
        unknown field `externel`, expected one of `external`, `score_regex`, `objective`, `score_stream`, `zero_counts`, `name`
        "#);
        insta::assert_snapshot!(refused("version = 1\n[judge]\nexternal = \"x\"\nobjective = \"most\"\n"), @r#"
        TOML parse error at line 4, column 13
          |
        4 | objective = "most"
          |             ^^^^^^
        unknown variant `most`, expected `min` or `max`
        "#);
        insta::assert_snapshot!(refused("version = 1\n[batch]\ntime_limit = \"2\"\n"), @r#"
        TOML parse error at line 3, column 14
          |
        3 | time_limit = "2"
          |              ^^^
        invalid type: string "2", expected f64
        "#);
        insta::assert_snapshot!(refused("version = 1\n[batch\n"), @"
        TOML parse error at line 2, column 7
          |
        2 | [batch
          |       ^
        unclosed table, expected `]`
        ");
        insta::assert_snapshot!(refused("version = 1\n[batch]\ncommand = \"a 'b\"\n"), @r#"failed to understand batch.command: expected a program and its arguments, found "a 'b": a quote is open"#);
    }

    #[test]
    fn options_are_those_of_the_file() {
        let text = "version = 1\n[judge]\nexternal = \"t {case}\"\nobjective = \"max\"\nzero_counts = true\n\
                    [batch]\nbuild = [\"a\", \"b c\"]\ncommand = \"./mine 'x y'\"\ntime_limit = 2.5\n";
        let words = parse(text).unwrap();
        let all: Vec<String> = words
            .options
            .iter()
            .map(|w| w.to_string_lossy().into_owned())
            .collect();
        insta::assert_snapshot!(all.join("\n"), @"
        --time-limit=2.5
        --build=a
        --build=b c
        --external=t {case}
        --objective=max
        --zero-counts
        ");
        assert_eq!(words.command, ["./mine", "x y"]);
    }
}
