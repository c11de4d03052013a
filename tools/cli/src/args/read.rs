//! Reads the command line, and lays it over `tester.toml`.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Context;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use tester_core::util::tester_word::tester_word;

use super::case_words::gather;
use super::fast_start;
use super::grammar::{Cli, Subcommand};
use super::late::Late;
use super::own_words::in_own_words;
use crate::hint::full_width_hint;
use crate::print::ignore_closed_pipe;

impl Cli {
    /// Parses the command line and lays it over `tester.toml`. A usage error or a request for help ends the process.
    ///
    /// # Errors
    /// If `tester.toml` is to be read, and cannot be understood, or a help text cannot be written.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let words: Vec<OsString> = std::env::args_os().skip(1).collect();
        fast_start::prepare(&words);
        let mut cli = fast_start::parse(words).map_or_else(parse, Ok)?;
        match &mut cli.command {
            Some(Subcommand::Batch(Late(batch))) => batch.configure()?,
            Some(Subcommand::Tune(Late(tune))) => tune.configure()?,
            Some(Subcommand::Duel(Late(duel))) => duel.configure()?,
            Some(Subcommand::Compare(Late(compare))) => compare.configure()?,
            Some(Subcommand::History(Late(history))) => history.configure()?,
            Some(Subcommand::Show(Late(show))) => show.file.enter_folder()?,
            Some(Subcommand::Source(Late(source))) => source.enter_folder()?,
            Some(Subcommand::Diff(Late(diff))) => diff.file.enter_folder()?,
            Some(Subcommand::Edit(Late(edit))) => edit.file.enter_folder()?,
            Some(Subcommand::Delete(Late(delete))) => delete.file.enter_folder()?,
            Some(Subcommand::Best(Late(best))) => best.enter_folder()?,
            Some(Subcommand::Report(Late(report))) => report.enter_folder()?,
            Some(Subcommand::Attach(Late(attach))) => attach.enter_folder()?,
            Some(Subcommand::Vis(Late(vis))) => vis.enter_folder()?,
            Some(Subcommand::Play(Late(play))) => play.enter_folder()?,
            Some(Subcommand::Merge(Late(merge))) => merge.enter_folder()?,
            _ => {}
        }
        Ok(cli)
    }
}

/// The text of an error with one more hint before its last lines, which name the usage and `--help`.
fn with_hint(text: String, hint: Option<String>) -> String {
    let Some(hint) = hint else {
        return text;
    };
    let end = text.find("\n\n").unwrap_or(text.len());
    format!("{}\nhint: {hint}{}", &text[..end], &text[end..])
}

/// The text of an error without clap's hint to type an unknown option after `--`: no program begins with a dash.
fn without_dashes_hint(text: &str) -> String {
    let is_kept = |line: &&str| !(line.starts_with("hint: to pass '") && line.contains("use '-- "));
    let lines: Vec<&str> = text.lines().filter(is_kept).collect();
    lines.join("\n")
}

/// What to do about a word too many after a command that takes two programs or two runs.
fn too_many_words(words: &[OsString], error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if error.kind() != ErrorKind::UnknownArgument || word.starts_with('-') {
        return None;
    }
    let tester = tester_word();
    match words.get(1)?.to_str()? {
        "duel" => Some(format!(
            "each program is one word, its arguments included: {tester} duel './a 1' './a 2'"
        )),
        "compare" => Some(format!(
            "two runs are compared; `{tester} report` and `{tester} history` take more"
        )),
        _ => None,
    }
}

/// Prints a help text or the version, with colours on a terminal.
///
/// # Errors
/// If it cannot be written. clap's own `exit` would say nothing of that.
fn print_help(help: &clap::Error) -> anyhow::Result<()> {
    let written = help.print().and_then(|()| io::stdout().flush());
    written
        .or_else(ignore_closed_pipe)
        .context("failed to write to standard output")
}

/// Parses all words by the grammar; a usage error or a request for help ends the process.
///
/// # Errors
/// If a help text cannot be written.
fn parse() -> anyhow::Result<Cli> {
    let mut words = std::env::args_os();
    let name: Vec<OsString> = words.next().into_iter().collect();
    let words = [name, gather(words.collect())].concat();
    Cli::try_parse_from(&words).or_else(|_| {
        let command = in_own_words(Cli::command());
        let error = command
            .try_get_matches_from(&words)
            .expect_err("the words are those of above");
        if !error.use_stderr() {
            print_help(&error)?;
            std::process::exit(error.exit_code())
        }
        // Printed as every other error, so that what a terminal would obey is escaped: clap repeats words as they were
        // typed, and through a pattern of the shell, a word may be the name of any file.
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        let text = text.replace("\n\n  tip: ", "\nhint: ");
        let text = text.replace("\n  tip: ", "\nhint: ");
        let text = with_hint(without_dashes_hint(&text), too_many_words(&words, &error));
        let hint = full_width_hint(&text);
        say!("{}", with_hint(text, hint));
        std::process::exit(error.exit_code())
    })
}
