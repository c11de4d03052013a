//! The build lines of `tester.toml` and `--build`.

use anyhow::{Context, Result};

use crate::cli::hint::with_hint;

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
