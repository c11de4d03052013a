//! `tester.toml` under what was typed.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use tester_core::problem::Measure;
use tester_core::process::shell_word;
use tester_core::run::config::{Config, FILE, Judge};
use tester_core::util::bounded_read;
use tester_core::util::regular_file::open_regular;
use tester_core::util::terminal::columns;
use tester_core::util::tester_word::tester_name;
use textwrap::core::display_width;

use super::case_words;
use super::contest_folder::{ContestFolder, is_there};
use crate::hint::WithHint;

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
        let usual = || Some(PathBuf::from(FILE)).filter(|path| is_there(path));
        let typed = self.config.clone();
        let Some(path) = typed.or_else(usual).filter(|_| !self.no_config) else {
            return Ok(None);
        };
        let failed = || format!("failed to read {}", path.display());
        let file = match self.config {
            // What was typed may be a pipe, as of `<(…)`; no program writes to one that is only there.
            Some(_) => bounded_read::open(&path).with_context(failed),
            None => open_regular(&path)
                .with_context(|| WithHint::new(failed(), "--no-config ignores tester.toml")),
        }?;
        let text = bounded_read::read_opened(file, MAX_CONFIG)
            .and_then(bounded_read::into_text)
            .with_context(failed)?;
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

    /// Prints what the file contributes, if anything. In a terminal, no option is cut in two that fits a line.
    pub(super) fn print(&self, path: &Path) {
        if !self.taken.is_empty() {
            let start = format!("{}: {}:", tester_name(), path.display());
            let width = columns(&std::io::stderr()).map(usize::from);
            note!("{}", wrapped(&start, &self.taken, width));
        }
    }
}

/// Words after a start, on as many lines as a terminal of this width needs: the later ones are indented.
fn wrapped(start: &str, words: &[String], width: Option<usize>) -> String {
    let mut text = start.to_owned();
    let mut used = display_width(start);
    for word in words {
        let columns = display_width(word);
        let indent = match width.is_some_and(|width| used + 1 + columns > width) {
            true => "\n    ",
            false => " ",
        };
        used = if indent == " " { used + 1 } else { 4 } + columns;
        text.push_str(indent);
        text.push_str(word);
    }
    text
}

impl Display for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.taken.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_contributes_is_wrapped_between_options() {
        let words = ["--cases=in", "'--build=make all'", "--jobs=4"].map(str::to_owned);
        let wrapped = |width| wrapped("tester: tester.toml:", &words, width);
        let line = "tester: tester.toml: --cases=in '--build=make all' --jobs=4";
        assert_eq!(wrapped(None), line);
        assert_eq!(wrapped(Some(line.len())), line);
        insta::assert_snapshot!(wrapped(Some(line.len() - 1)), @r"
        tester: tester.toml: --cases=in '--build=make all'
            --jobs=4
        ");
        insta::assert_snapshot!(wrapped(Some(32)), @r"
        tester: tester.toml: --cases=in
            '--build=make all' --jobs=4
        ");
        // Each of these letters takes two columns.
        let wide = super::wrapped("t:", &["解答".to_owned(), "a".to_owned()], Some(8));
        assert_eq!(wide, "t: 解答\n    a");
        insta::assert_snapshot!(wrapped(Some(10)), @r"
        tester: tester.toml:
            --cases=in
            '--build=make all'
            --jobs=4
        ");
    }
}
