//! What Cargo says about the packages of a folder.

use std::path::Path;

/// The answer of `cargo metadata` for the package or workspace of a folder, or why there is none. Nothing is downloaded.
pub(super) fn cargo_metadata(dir: &Path) -> Result<serde_json::Value, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = std::process::Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        // A toolchain that the folder names would be installed first.
        .env("RUSTUP_AUTO_INSTALL", "0")
        // What is said of it has one line.
        .env("RUST_BACKTRACE", "0")
        .env_remove("RUST_LIB_BACKTRACE")
        .current_dir(dir)
        .output()
        .map_err(|error| format!("failed to run cargo: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let said = lines.collect::<Vec<_>>().join(" ");
        said.strip_prefix("error: ").unwrap_or(&said).to_owned()
    })
}
