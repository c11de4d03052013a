//! The build lines of `tester.toml` and `--build`.

use std::process::ExitStatus;
use std::time::SystemTime;

use anyhow::{Context, Result};
use tester_core::case::{Source, SourceError};
use tester_core::process::Command;
use tester_core::process::language::only_compiles;

use crate::hint::with_hint;

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
/// one began, if there is one: those before it may write sources.
pub(crate) fn build(lines: &[String]) -> Result<Option<SystemTime>> {
    let mut begun = None;
    for (number, line) in (1..).zip(lines) {
        say!("{line}");
        begun = Some(SystemTime::now());
        let status = std::process::Command::new("sh")
            .args(["-c", line])
            .stdin(std::process::Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .with_context(|| format!("failed to run {line:?}"))?;
        if !status.success() {
            return Err(failed(line, (number, lines.len()), status));
        }
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
