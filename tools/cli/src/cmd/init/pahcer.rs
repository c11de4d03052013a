//! What the configuration of pahcer beside the contest tells, and no folder: how the contest scores, which cases are judged,
//! and how programs are built.

use std::path::Path;

use tester_core::judge::external::USUAL_SCORE;
use tester_core::problem::Objective;
use tester_core::process::{cargo_build, shell_word};
use tester_core::util::bounded_read;
use toml::{Table, Value};

use super::kept::OldSettings;
use crate::args::MAX_CONFIG;

/// Its name.
pub(super) const PAHCER: &str = "pahcer_config.toml";

/// As `pahcer init` writes it; [`USUAL_SCORE`] finds the same scores.
const USUAL_IN_PAHCER: &str = r"(?m)^\s*Score\s*=\s*(?P<score>\d+)\s*$";

/// Settings of pahcer that are used here.
#[derive(Debug, Default)]
pub(super) struct PahcerSettings {
    pub(super) objective: Option<Objective>,
    /// An expression for another score than the usual one.
    pub(super) score_regex: Option<String>,
    /// The first seed, and the one after the last.
    seeds: Option<(i64, i64)>,
    /// The shell lines that build something, and those that judge a case.
    steps: [Vec<String>; 2],
}

impl PahcerSettings {
    /// Those of the file in a folder, except what an old `tester.toml` says. None of a file that cannot be read: it is
    /// not ours.
    pub(super) fn read(top: &Path, old: &OldSettings) -> Self {
        let text = bounded_read::read_text(&top.join(PAHCER), MAX_CONFIG).unwrap_or_default();
        let file: Table = text.parse().unwrap_or_default();
        let text = |key| {
            let value = file.get("problem")?.get(key)?.as_str()?;
            Some(value.to_owned()).filter(|_| old.get(key).is_none())
        };
        let objective = text("objective").and_then(|name| match &*name {
            "Max" => Some(Objective::Max),
            "Min" => Some(Objective::Min),
            _ => None,
        });
        let is_other = |score: &String| {
            let finds =
                |it: regex::bytes::Regex| it.capture_names().flatten().any(|it| it == "score");
            ![USUAL_SCORE, USUAL_IN_PAHCER].contains(&&**score)
                && regex::bytes::Regex::new(score).is_ok_and(finds)
        };
        let seed = |key| file.get("test")?.get(key)?.as_integer();
        let seeds = seed("start_seed").zip(seed("end_seed"));
        let steps = |key| {
            let steps = file.get("test").and_then(|test| test.get(key)?.as_array());
            let lines = steps.into_iter().flatten().filter_map(line_of_step);
            lines.filter(|_| old.get("build").is_none()).collect()
        };
        Self {
            steps: ["compile_steps", "test_steps"].map(steps),
            seeds: seeds.filter(|_| old.get("cases").is_none()),
            objective,
            score_regex: text("score_regex").filter(is_other),
        }
    }

    /// The numbers of the cases that it judges, if these are fewer than the `count` that are there.
    pub(super) fn numbers(&self, count: usize) -> Option<String> {
        let (first, end) = self.seeds?;
        let all = 0..=i64::try_from(count).ok()?;
        let are_there = all.contains(&first) && all.contains(&end) && first < end;
        (are_there && (first, end) != (0, *all.end())).then(|| format!("{first}..{end}"))
    }

    /// What it builds and starts otherwise than these lines and this command do: no step is taken over, because each may
    /// do anything.
    pub(super) fn other_steps(&self, build: &[String], command: Option<&str>) -> Vec<&str> {
        let [compiled, tested] = &self.steps;
        let compiled = compiled.iter().filter(|line| !build.contains(line));
        let starts = |line: &String| command.is_none_or(|command| has_words(line, command));
        let tested = tested.first().filter(|_| !tested.iter().any(starts));
        compiled.chain(tested).map(String::as_str).collect()
    }
}

/// The shell line of a step; `None` if it only moves files.
fn line_of_step(step: &Value) -> Option<String> {
    let text = |key| step.get(key)?.as_str();
    let program = text("program").filter(|name| !["cp", "mkdir", "mv", "rm"].contains(name))?;
    let args = step.get("args").and_then(Value::as_array);
    let args: Vec<&str> = args
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let folder = Path::new(text("current_dir").unwrap_or_default());
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    if program == "cargo" && args == ["build", "--release"] {
        return Some(cargo_build(folder));
    }
    let words = std::iter::once(program).chain(args);
    let words: Vec<String> = words.map(|word| shell_word(word.as_ref())).collect();
    let line = words.join(" ");
    Some(match folder.as_os_str().is_empty() {
        true => line,
        false => format!("(cd {} && {line})", shell_word(folder.as_os_str())),
    })
}

/// Whether the words of a command follow each other in a line; `./main` and `main` are one program.
fn has_words(line: &str, command: &str) -> bool {
    let words = |text: &str| {
        let words = text.split_ascii_whitespace();
        let words: Vec<String> = words
            .map(|word| word.strip_prefix("./").unwrap_or(word).to_owned())
            .collect();
        words
    };
    let (line, command) = (words(line), words(command));
    line.windows(command.len().max(1))
        .any(|part| part == command)
}
