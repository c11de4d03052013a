//! The build lines of `tester.toml` and `--build`.

use anyhow::{Context, Result};

use crate::case::{Source, SourceError};
use crate::cli::hint::with_hint;
use crate::process::Command;
use crate::process::language::only_compiles;

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

/// Runs the build lines in a shell, one after the other; their output goes to our standard error.
pub(crate) fn build(lines: &[String]) -> Result<()> {
    for line in lines {
        say!("{line}");
        let status = std::process::Command::new("sh")
            .args(["-c", line])
            .stdin(std::process::Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .with_context(|| format!("failed to run {line:?}"))?;
        if !status.success() {
            return Err(with_hint(
                format!("failed to build: {line:?} ended with {status}; nothing was judged"),
                "change build in tester.toml ([] for none), or --no-build",
            ));
        }
    }
    Ok(())
}
