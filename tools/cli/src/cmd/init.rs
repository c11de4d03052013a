//! `tester init`: looks at the folder of a contest, and writes a `tester.toml` that fits.
//!
//! It says what it has found, what it has not, and what must be built first. It builds nothing.

mod case_folders;
mod findings;
mod official_tools;
mod old_settings;
mod other_judges;
mod packages;
mod pahcer;
mod pahcer_steps;
mod plan;
mod printed_score;
mod programs;
mod settings;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::args::{Init, MAX_CONFIG};
use crate::hint::with_hint;
use old_settings::OldSettings;
use plan::Plan;
use tester_core::run::config::{Config, FILE};
use tester_core::util::tester_word::tester_word;
use tester_core::util::{atomic_file, bounded_read};

pub(crate) fn run(args: &Init) -> Result<ExitCode> {
    let path = Path::new(FILE);
    if path.symlink_metadata().is_ok() && !args.force {
        let cause = format!("{FILE} exists already; nothing was written");
        let hint =
            "--force looks again and writes a new one with your settings; the old file stays as";
        let old_file = free_name(OLD_FILE);
        return Err(with_hint(cause, format!("{hint} {}", old_file.display())));
    }
    let top = std::env::current_dir().context("failed to find the current folder")?;
    let old_text = old_text(path)?;
    // One that is wrong cannot be laid under another.
    let old = old_text.as_deref().unwrap_or_default();
    let old = (Config::parse(old).is_ok()).then(|| toml::from_str(old));
    let old = OldSettings::new(old.and_then(Result::ok).unwrap_or_default());
    let typed = typed(args);
    let plan = Plan::new(args, &top, &old)?;
    let findings = plan.findings();
    let text = plan.settings(&typed).text();
    Config::parse(&text).context("failed to make a valid tester.toml")?;
    let new = OldSettings::new(toml::from_str(&text)?);
    let replaced = old_text.filter(|old| !old.is_empty() && *old != text);
    let old_file = free_name(OLD_FILE);
    if let Some(old_text) = &replaced {
        atomic_file::write_whole(&old_file, old_text.as_bytes())?;
    }
    atomic_file::write_whole(path, text.as_bytes())?;
    findings.print();
    for (label, keys) in old.changes(&new, &typed) {
        note!("{label:<10} {keys}");
    }
    if replaced.is_some() {
        note!("old file   {}", old_file.display());
    }
    let mut above = top.ancestors().skip(1).map(|dir| dir.join(FILE));
    if let Some(above) = above.find(|file| file.is_file()) {
        let above = above.display();
        note!("note       {above} is there too; from now on, this folder has its own file");
    }
    note!(
        "wrote {FILE}; look at it, then run: {} batch",
        tester_word()
    );
    Ok(ExitCode::SUCCESS)
}

/// Where the settings are kept that were there before.
const OLD_FILE: &str = "tester.toml.old";

/// This name, or with the first number that makes another: an older file is not written over.
fn free_name(name: &str) -> PathBuf {
    let numbered = (2..).map(|number: u32| PathBuf::from(format!("{name}.{number}")));
    let mut names = std::iter::once(PathBuf::from(name)).chain(numbered);
    let free = names.find(|path| path.symlink_metadata().is_err());
    free.expect("there are fewer files than numbers")
}

/// The text that was there before; `None` if there is no file.
///
/// # Errors
/// If it cannot be read: then it cannot be kept under another name either.
fn old_text(path: &Path) -> Result<Option<String>> {
    match bounded_read::read_text(path, MAX_CONFIG) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(with_hint(
            format!("failed to read {FILE}: {error}; nothing was written"),
            format!(
                "make it readable, as UTF-8 text, or rename it: {} init writes a new one",
                tester_word()
            ),
        )),
    }
}

/// The keys that options set.
fn typed(args: &Init) -> Vec<&'static str> {
    let all = [
        ("external", args.interactive),
        ("contract", args.interactive),
        ("objective", args.objective.is_some()),
        ("name", args.name.is_some()),
        ("time_limit", args.time_limit.is_some()),
    ];
    let typed = all.into_iter().filter(|(_, is_typed)| *is_typed);
    typed.map(|(key, _)| key).collect()
}
