//! The Python that runs Optuna: found, checked, and on request installed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result};
use tester_core::process::shell_word;
use tester_core::util::tester_word::tester_word;

use crate::hint::with_hint;

/// What the script imports. 3.6: the pruner by Wilcoxon's test, which SciPy computes.
const PACKAGES: [&str; 2] = ["optuna>=3.6,<6", "scipy"];

/// Says the version, then which modules are missing.
const PROBE: &str = "import sys; from importlib.util import find_spec
print(*sys.version_info[:2])
print(*[name for name in ('optuna', 'scipy') if find_spec(name) is None])";

/// The oldest version that the script runs on.
const OLDEST: (u32, u32) = (3, 9);

/// A Python that has what is needed: the one that is named, that of the environment of `--install`, or `python3`.
///
/// # Errors
/// If it is missing, too old, or without the packages.
pub(super) fn find(named: Option<&Path>) -> Result<PathBuf> {
    let own = environment().map(|folder| folder.join("bin/python"));
    let own = own.filter(|python| python.is_file());
    let python = named
        .map(Path::to_owned)
        .or(own)
        .unwrap_or_else(|| "python3".into());
    let missing = check(&python)?;
    if missing.is_empty() {
        return Ok(python);
    }
    let shown = shell_word(python.as_os_str());
    let packages = PACKAGES.map(|package| format!("'{package}'")).join(" ");
    Err(with_hint(
        format!("tune needs Optuna and SciPy, and {shown} has no {missing}"),
        format!(
            "`{} tune --install` makes an environment with them for all contests (280 MB); or: {shown} -m pip install {packages}",
            tester_word()
        ),
    ))
}

/// Checks the version; the names of the modules that are missing.
fn check(python: &Path) -> Result<String> {
    let shown = python.display();
    let needs = format!("tune needs Python {}.{} or later", OLDEST.0, OLDEST.1);
    let hint = "install it (Debian: apt install python3 python3-venv), or name another one: --python PROGRAM";
    let probed = Command::new(python)
        .args(["-c", PROBE])
        .stdin(Stdio::null())
        .output();
    let said = match &probed {
        Ok(Output { status, stdout, .. }) if status.success() => String::from_utf8_lossy(stdout),
        Ok(_) => return Err(with_hint(format!("{needs}, and {shown} is none"), hint)),
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "there is none".to_owned(),
                _ => error.to_string(),
            };
            return Err(with_hint(
                format!("{needs}: failed to start {shown}: {why}"),
                hint,
            ));
        }
    };
    let mut lines = said.lines();
    let version = lines.next().unwrap_or_default();
    let numbers = version.split_once(' ');
    let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    if numbers.is_none_or(|version: (u32, u32)| version < OLDEST) {
        let found = version.replace(' ', ".");
        return Err(with_hint(format!("{needs}, and {shown} is {found}"), hint));
    }
    Ok(lines.next().unwrap_or_default().replace(' ', " and no "))
}

/// The folder of the environment that `--install` makes.
fn environment() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|cache| !cache.is_empty());
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = cache.map(PathBuf::from).or_else(home)?;
    Some(cache.join("saguri/tune"))
}

/// Makes the environment, unless it is there and complete.
///
/// # Errors
/// If Python, its module venv, or the registry of packages is not there.
pub(super) fn install() -> Result<()> {
    let folder =
        environment().context("failed to find a folder for the environment: HOME is not set")?;
    let python = folder.join("bin/python");
    if python.is_file() && check(&python).is_ok_and(|missing| missing.is_empty()) {
        say!("Optuna and SciPy are installed in {}", folder.display());
        return Ok(());
    }
    check(Path::new("python3"))?;
    say!(
        "installing {} into {}",
        PACKAGES.join(" and "),
        folder.display()
    );
    let run = |program: &Path, args: &[&str]| -> Result<(), String> {
        let status = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .stdout(io::stderr())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!(
                "{} {}: {status}",
                program.display(),
                args.join(" ")
            )),
            Err(error) => Err(format!("{}: {error}", program.display())),
        }
    };
    let shown = folder.to_string_lossy().into_owned();
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    let made = run(Path::new("python3"), &["-m", "venv", &shown])
        .and_then(|()| run(&python, &[&pip[..], &PACKAGES].concat()));
    made.map_err(|why| {
        // Half an environment would be taken for a whole one.
        let _ = fs::remove_dir_all(&folder);
        with_hint(
            format!("failed to install Optuna and SciPy: {why}"),
            "Debian: apt install python3-venv; or install them into a Python of yours, and name it: --python PROGRAM",
        )
    })
}
