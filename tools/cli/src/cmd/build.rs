//! The build lines of `tester.toml` and `--build`.

use std::process::ExitStatus;
use std::time::SystemTime;

use anyhow::{Context, Result};
use tester_core::case::{Source, SourceError};
use tester_core::process::program::language::only_compiles;
use tester_core::process::{Command, LineEnd, run_line};

use super::own_program::check_is_the_same;
use crate::hint::with_hint;
use crate::terminal::interrupt::Interrupted;

/// Refuses programs and cases that compiling cannot make usable: scripts that are missing or may not be executed, and
/// case files that are missing. Other build lines than those of compilers may make both, so nothing is refused then.
///
/// # Errors
/// If there is such a program or case.
pub(crate) fn check_before_compiling(
    lines: &[String],
    programs: impl IntoIterator<Item = Command>,
    source: impl FnOnce() -> Result<Source>,
) -> Result<()> {
    if lines.is_empty() || !lines.iter().all(|line| only_compiles(line)) {
        return Ok(());
    }
    for program in programs {
        program.check_script_before_compiling()?;
    }
    source()?.files().map_err(SourceError::from)?;
    Ok(())
}

/// Runs the build lines in a shell, one after the other; their output goes to our standard error. Returns when the last
/// one began, if there is one: those before it may write sources. A signal to us ends the line, too.
///
/// # Errors
/// If a line fails, or has made the judge itself anew.
pub(crate) fn build(lines: &[String]) -> Result<Option<SystemTime>> {
    let mut begun = None;
    for (number, line) in (1..).zip(lines) {
        say!("{line}");
        begun = Some(SystemTime::now());
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", line]).stdin(std::process::Stdio::null());
        let end = run_line(shell.stdout(std::io::stderr()));
        let status = match end.with_context(|| format!("failed to run {line:?}"))? {
            LineEnd::Ended(status) => status,
            LineEnd::Interrupted(signal) => return Err(Interrupted(signal).into()),
        };
        if !status.success() {
            return Err(failed(line, (number, lines.len()), status));
        }
    }
    if begun.is_some() {
        check_is_the_same()?;
    }
    Ok(begun)
}

/// The error of a build line. Its own messages say why, unless the shell has not found the program.
fn failed(line: &str, (number, count): (usize, usize), status: ExitStatus) -> anyhow::Error {
    const NOT_FOUND: i32 = 127;
    let which = match count {
        1 => "the build line".to_owned(),
        _ => format!("build line {number} of {count}"),
    };
    let status_text = status.to_string().replace(": ", " ");
    let cause = format!(
        "{which} failed with {status_text}: {line}; its messages are above, and nothing was judged"
    );
    match status.code() {
        Some(NOT_FOUND) => with_hint(
            cause,
            "install what it calls, or change build in tester.toml ([] for none); --no-build judges without it",
        ),
        _ => anyhow::Error::msg(cause),
    }
}
