//! `tester.toml` from the disk, and `tester init`, which writes one.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use tester::run::config::{FILE, Settings, VERSION, parse};
use tester::util::atomic_file;

use crate::cli::Init;

/// Reads a file.
///
/// # Errors
/// If it cannot be read, is of a newer format, or has keys that are not known.
pub(crate) fn read(path: &Path) -> Result<Settings> {
    let failed = || format!("failed to read {}", path.display());
    let text = std::fs::read_to_string(path).with_context(failed)?;
    parse(&text).with_context(failed)
}

/// `tester init`: writes a file that judges by a contest's local tester.
pub(crate) fn init(args: &Init) -> Result<ExitCode> {
    let path = Path::new(FILE);
    if path.symlink_metadata().is_ok() && !args.force {
        bail!("expected no {FILE} here, found one; nothing was written (--force replaces it)");
    }
    let text = template(args);
    parse(&text).context("failed to understand what was about to be written")?;
    atomic_file::write_whole(path, text.as_bytes())?;
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
