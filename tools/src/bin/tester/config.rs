//! `tester.toml`: what a contest needs, so that `tester batch` alone is enough. It is read as options that
//! stand in front of those that were typed, which therefore win.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use tools::contestant::Command;
use tools::external::Stream;
use tools::files;
use tools::score::Objective;

use crate::args::Init;

/// Where it is looked for.
pub(crate) const FILE: &str = "tester.toml";

/// The format that this tester knows.
const VERSION: u32 = 1;

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
pub(crate) struct Words {
    /// Options of `tester batch`.
    pub(crate) options: Vec<OsString>,
    /// The program and its arguments, where none is typed.
    pub(crate) command: Vec<OsString>,
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, is of a newer format, or has keys that are not known.
pub(crate) fn read(path: &Path) -> Result<Words> {
    let failed = || format!("failed to read {}", path.display());
    let text = std::fs::read_to_string(path).with_context(failed)?;
    parse(&text).with_context(failed)
}

fn parse(text: &str) -> Result<Words> {
    match toml::from_str::<Versioned>(text)?.version {
        Some(VERSION) => {}
        Some(other) => bail!(
            "expected version = {VERSION}, found {other}, which another tester writes; `tester init` writes a new \
             file"
        ),
        None => bail!(
            "expected version = {VERSION} at the top, found none; `tester init` writes a new file"
        ),
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
            let command = Command::of_line(&line).context("failed to understand batch.command")?;
            [vec![command.program], command.args].concat()
        }
    };
    Ok(Words { options, command })
}

/// `tester init`: writes a file that judges by a contest's local tester.
pub(crate) fn init(args: &Init) -> Result<ExitCode> {
    let path = Path::new(FILE);
    if path.symlink_metadata().is_ok() && !args.force {
        bail!("expected no {FILE} here, found one; nothing was written (--force replaces it)");
    }
    let text = template(args);
    parse(&text).context("failed to understand what was about to be written")?;
    files::write_whole(path, text.as_bytes())?;
    note!("{FILE}: written; look at it, then: tester batch");
    Ok(ExitCode::SUCCESS)
}

fn template(args: &Init) -> String {
    let line = match args.interactive {
        true => "./tools/target/release/tester {command} < {case} > {out}",
        false => "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}",
    };
    // Strings of TOML: a name may hold quotes.
    let quoted = |text: &str| toml::Value::from(text).to_string();
    format!(
        "\
# How `tester batch` judges here. Options that are typed win over these; --no-config leaves them out.
version = {VERSION}

[judge]
# A shell's line that judges one case: {{case}} is its file, {{command}} the program, {{out}} where its output goes.
external = {line}
# Whether less is better (min), or more (max).
objective = {objective}
# What the problem is called in the history.
name = {name}
# Where the score stands in what the line prints, stderr before stdout: the group score of the last match.
# score_regex = '(?m)^\\s*Score\\s*=\\s*(?P<score>\\d+)\\s*$'
# stdout, where the program's own stderr could be taken for a score.
# score_stream = \"stdout\"
# A score of 0 is a score, and no wrong answer.
# zero_counts = true

[batch]
# Files named 0000.txt, 0001.txt, ….
cases = {cases}
# What is run first, in this order.
build = [\"cargo build --release\", \"cargo build --release --manifest-path tools/Cargo.toml\"]
# What is judged where no program is typed.
command = {command}
# Seconds, for the program and the contest's tester together; MiB; how many cases at once.
time_limit = {seconds}
# memory_limit = 1024
# jobs = 2
",
        line = quoted(line),
        objective = quoted(args.objective.name()),
        name = quoted(&args.name),
        cases = quoted("tools/in"),
        command = quoted(&args.command),
        seconds = args.time_limit.as_secs_f64(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let error = parse(text).err().expect("it is wrong");
        format!("{error:#}")
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
