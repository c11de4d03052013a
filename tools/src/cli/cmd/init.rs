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
",
        line = quoted(line),
        objective = quoted(args.objective.name()),
        name = quoted(&args.name),
        tester = tester_name(),
        cases = quoted("tools/in"),
        command = quoted(&args.command),
        seconds = args.time_limit,
    )
}
