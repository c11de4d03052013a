//! `tester.toml` under what was typed.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::case_words;
use super::contest_folder::ContestFolder;
use crate::problem::Measure;
use crate::process::shell_word;
use crate::run::config::{Config, FILE, Judge};
use crate::util::bounded_read;

/// A longer file is no configuration.
pub(crate) const MAX_CONFIG: u64 = 1 << 20;

/// Options that name the configuration file.
#[derive(Args)]
pub(crate) struct ConfigArgs {
    /// Read options from this file [default: tester.toml, here or in a folder above]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Read no options from tester.toml
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
}

impl ConfigArgs {
    /// The contest's folder above, unless another file was typed, or none.
    pub(super) fn folder(&self) -> Option<ContestFolder> {
        let is_usual = self.config.is_none() && !self.no_config;
        is_usual.then(ContestFolder::find).flatten()
    }

    /// The file, and what is in it; `None` if there is none.
    pub(super) fn read(&self) -> anyhow::Result<Option<(PathBuf, Config)>> {
        let usual = || Some(PathBuf::from(FILE)).filter(|path| path.is_file());
        let typed = self.config.clone();
        let Some(path) = typed.or_else(usual).filter(|_| !self.no_config) else {
            return Ok(None);
        };
        let failed = || format!("failed to read {}", path.display());
        let text = bounded_read::read_text(&path, MAX_CONFIG).with_context(failed)?;
        let config = Config::parse(&text).with_context(failed)?;
        Ok(Some((path, config)))
    }

    /// Takes the measure of the file if none was typed, and prints it. Returns what is in the file.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(super) fn fill_measure(
        &self,
        typed: &mut Option<Measure>,
    ) -> anyhow::Result<Option<Config>> {
        let Some((path, file)) = self.read()? else {
            return Ok(None);
        };
        let mut overlay = Overlay::default();
        overlay.fill_measure(typed, file.judge.as_ref());
        overlay.print(&path);
        Ok(Some(file))
    }
}

/// Options taken from the file, in the form in which they would be typed.
#[derive(Default)]
pub(super) struct Overlay {
    taken: Vec<String>,
}

impl Overlay {
    /// Takes the file's value if none was typed.
    pub(super) fn fill<T, F: Display + Into<T>>(
        &mut self,
        option: &str,
        typed: &mut Option<T>,
        filed: Option<F>,
    ) {
        if let (None, Some(value)) = (&typed, filed) {
            self.note(&format!("--{option}={value}"));
            *typed = Some(value.into());
        }
    }

    /// Takes the file's words if none was typed.
    pub(super) fn fill_words(
        &mut self,
        option: &str,
        typed: &mut Vec<PathBuf>,
        filed: Vec<String>,
    ) {
        if typed.is_empty() {
            filed
                .iter()
                .for_each(|word| self.note(&format!("--{option}={word}")));
            typed.extend(filed.into_iter().map(PathBuf::from));
        }
    }

    /// Takes the folders of the file's cases for numbers that were typed, also those that are missing.
    pub(super) fn fill_folder(&mut self, typed: &mut Vec<PathBuf>, filed: Vec<String>) {
        let is_folder = |word: &String| case_words::is_folder(Path::new(word));
        for word in filed.into_iter().filter(is_folder) {
            self.note(&format!("--cases={word}"));
            typed.push(word.into());
        }
    }

    /// Takes the file's measure if none was typed.
    pub(super) fn fill_measure(&mut self, typed: &mut Option<Measure>, judge: Option<&Judge>) {
        if let (None, Some(measure)) = (&typed, judge.and_then(|judge| judge.measure)) {
            self.note(&format!("--by={}", measure.name()));
            *typed = Some(measure);
        }
    }

    /// Notes a value that was taken from the file.
    pub(super) fn note(&mut self, option: &str) {
        self.taken.push(shell_word(option.as_ref()));
    }

    /// Prints what the file contributes, if anything.
    pub(super) fn print(&self, path: &Path) {
        if !self.taken.is_empty() {
            say!("{}: {self}", path.display());
        }
    }
}

impl Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.taken.join(" "))
    }
}
