//! `tester init`: writes a `tester.toml`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::cli::args::Init;
use crate::cli::hint::with_hint;
use crate::judge::external::USUAL_SCORE;
use crate::run::config::{Config, FILE, VERSION};
use crate::util::atomic_file;
use crate::util::tester_word::{tester_name, tester_word};

pub(crate) fn run(args: &Init) -> Result<ExitCode> {
    let path = Path::new(FILE);
    if path.symlink_metadata().is_ok() && !args.force {
        let cause = format!("{FILE} exists already; nothing was written");
        return Err(with_hint(cause, "--force replaces it"));
    }
    let text = template(args);
    Config::parse(&text).context("failed to make a valid tester.toml")?;
    atomic_file::write_whole(path, text.as_bytes())?;
    note!(
        "wrote {FILE}; adapt it to the contest, then run: {} batch",
        tester_word()
    );
    Ok(ExitCode::SUCCESS)
}

fn template(args: &Init) -> String {
    let line = match args.interactive {
        true => "./tools/target/release/tester {command} < {case} > {out}",
        false => "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}",
    };
    // A program that cargo makes lies in target/; others are built in another way, or not at all.
    let own_build = match args.command.contains("target/") {
        true => "\"cargo build --release\", ",
        false => "",
    };
    // Strings of TOML: a name may hold quotes.
    let quoted = |text: &str| toml::Value::from(text).to_string();
    format!(
        "\
# How `{tester} batch` judges here. Options on the command line win; --no-config ignores this file.
version = {VERSION}

[judge]
# The shell line that judges one case: {{case}} is its file, {{command}} the program, {{out}} the file for its output.
external = {line}
# Whether less is better (min), or more (max).
objective = {objective}
# What of a score counts in the contest: score, log or relative (ratios of scores), or rank.
# measure = \"log\"
# The problem's name in the history.
name = {name}
# Draws a case into the current folder: `{tester} vis CASE`, and the worst cases after a batch.
{vis}
# Names of the numbers in the first line of a case, or an expression with named groups.
# parameters = \"N M\"
# The score in what the line prints, stderr before stdout: the group score of the last match.
# score_regex = '{USUAL_SCORE}'
# Look at stdout only, if the program's own stderr could be taken for a score.
# score_stream = \"stdout\"
# Accept a score of 0, which otherwise means a wrong answer.
# zero_counts = true

[batch]
# Files named 0000.txt, 0001.txt, …; with numbers, only those: [{cases}, \"0..1000\"].
cases = {cases}
# Cases to judge at the end, on which nothing was tuned: `{tester} batch --held-out`.
# held_out = \"1000..2000\"
# Shell lines that run first, in this order. For C++, add a line such as \"g++ -O2 -o main main.cpp\".
build = [{own_build}\"cargo build --release --manifest-path tools/Cargo.toml\"]
# The program that is judged if none is typed.
command = {command}
# Seconds, for the program and the contest's tester together; MiB; cases at the same time.
time_limit = {seconds}
# memory_limit = 1024
# jobs = 2
# The last runs whose output files are kept.
# keep_runs = 20
# How many of the worst cases are drawn.
# vis_worst = 3
",
        line = quoted(line),
        objective = quoted(args.objective.name()),
        name = quoted(&args.name),
        tester = tester_name(),
        vis = visualizer(Path::new("")),
        cases = quoted("tools/in"),
        command = quoted(&args.command),
        seconds = args.time_limit,
    )
}

/// The key of the contest's visualizer: where the official tools have one, it is used; else the line is a remark.
fn visualizer(contest: &Path) -> String {
    let names = ["tools/src/bin/vis.rs", "tools/target/release/vis"];
    let is_there = names.iter().any(|name| contest.join(name).is_file());
    let remark = if is_there { "" } else { "# " };
    format!("{remark}vis = \"./tools/target/release/vis {{case}} {{out}}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_visualizer_of_the_official_tools_is_found() {
        let dir = tempfile::tempdir().unwrap();
        assert!(visualizer(dir.path()).starts_with("# vis = "));
        let bin = dir.path().join("tools/src/bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("vis.rs"), "fn main() {}").unwrap();
        insta::assert_snapshot!(visualizer(dir.path()), @r#"vis = "./tools/target/release/vis {case} {out}""#);
    }
}
