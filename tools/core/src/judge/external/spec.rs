//! The description of another judge, as it can be written down.

use std::ffi::OsString;
use std::path::Path;

use regex::bytes::Regex;

use super::contract::Contract;
use super::direct::{DirectLine, Values};
use super::error::ExternalError;
use super::line;
use super::programs::{LineTimeout, line_timeout, programs, talks};
use super::score::{Stream, USUAL_SCORE};
use super::visualizer::Visualizer;
use crate::case::ParameterRule;
use crate::judge::printed_score::{ScoreRule, ScoreScale};
use crate::problem::Objective;
use crate::process::{Command, Meter, StartError, shell_word, stage};

/// A contest's own local tester, as it can be written down.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ExternalSpec {
    /// A line for the shell, with placeholders.
    pub line: String,
    /// If the line is an interactor, with which we let the contestant speak: what its exit status means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Contract>,
    /// The regular expression that finds the score, which is its group `score`.
    pub score: String,
    /// Whether less is better, or more.
    pub objective: Objective,
    /// What a printed score is multiplied by.
    #[serde(default, skip_serializing_if = "ScoreScale::is_one")]
    pub scale: ScoreScale,
    /// Whether a score of 0 is a score.
    pub zero_counts: bool,
    /// Where the score is looked for.
    #[serde(default)]
    pub stream: Stream,
    /// The SHA-256 of the files that the line names, as they were when the run began.
    #[serde(default)]
    pub files: Option<String>,
    /// How the parameters of a case are found in its file, as `ParameterRule::parse` reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// The line that draws a case and an output, as [`Visualizer::parse`] reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vis: Option<String>,
}

impl ExternalSpec {
    /// A judge whose score stands where it usually does; an interactor if there is a contract.
    pub fn of_line(line: String, contract: Option<Contract>) -> Self {
        Self {
            line,
            contract,
            score: USUAL_SCORE.to_owned(),
            objective: Objective::default(),
            scale: ScoreScale::ONE,
            zero_counts: false,
            stream: Stream::default(),
            files: None,
            parameters: None,
            vis: None,
        }
    }

    /// The options that say where the score is and what it means, as they would be typed: none for the usual ones. A
    /// space follows each.
    pub(crate) fn score_options(&self) -> String {
        let usual = Self::of_line(String::new(), None);
        let mut typed = String::new();
        if self.score != usual.score {
            let score = shell_word(self.score.as_ref());
            typed += &format!("--score-regex {score} ");
        }
        if self.scale != usual.scale {
            typed += &format!("--score-scale {} ", self.scale);
        }
        if self.zero_counts {
            typed += "--zero-counts ";
        }
        if self.stream != usual.stream {
            typed += &format!("--score-stream {} ", self.stream.name());
        }
        typed
    }

    /// How a printed score is read.
    pub(in crate::judge) fn score_rule(&self) -> ScoreRule {
        ScoreRule {
            scale: self.scale,
            zero_counts: self.zero_counts,
        }
    }

    /// Whether another one judges in the same way, as far as both are described: line, contract, and where the score is.
    /// Lines that name the contestant themselves may differ by it.
    pub(crate) fn is_same_line(&self, other: &Self) -> bool {
        let has_contestants = !self.is_apart() && !other.is_apart();
        let judging = |spec: &Self| Self {
            line: match has_contestants {
                true => String::new(),
                false => spec.line.clone(),
            },
            objective: Objective::default(),
            files: None,
            parameters: None,
            vis: None,
            ..spec.clone()
        };
        judging(self) == judging(other)
    }

    /// Whether the files that both lines name are known to have had another content. Where the contestant itself is one of
    /// them, nothing is known of the others.
    pub(crate) fn has_other_files(&self, other: &Self) -> bool {
        let both = self.files.as_ref().zip(other.files.as_ref());
        self.is_apart() && other.is_apart() && both.is_some_and(|(own, others)| own != others)
    }

    /// Whether the contestant is no part of the line.
    fn is_apart(&self) -> bool {
        self.contract.is_some() || line::has(&self.line, "command")
    }

    /// Looks whether it can judge; `command` is the contestant, if there is one beside the line.
    ///
    /// # Errors
    /// If a placeholder is misspelt or missing, or the expression is none, or has no group `score`.
    pub fn check(&self, command: Option<&Command>) -> Result<(), ExternalError> {
        match self.contract {
            None => line::check(&self.line, command)?,
            Some(_) if command.is_none() => return Err(ExternalError::NoContestant),
            Some(_) => line::check_interactor(&self.line)?,
        }
        self.parameter_rule()?;
        self.visualizer()?;
        let score_regex = Regex::new(&self.score)?;
        let mut groups = score_regex.capture_names().flatten();
        match groups.any(|name| name == "score") {
            true => Ok(()),
            false => Err(ExternalError::NoGroup(self.score.clone())),
        }
    }

    /// Checks that the programs and scripts exist that the line names by their paths. Call this after they are built.
    ///
    /// # Errors
    /// If one does not exist, or a program may not be executed.
    pub fn check_programs(&self) -> Result<(), StartError> {
        programs(&self.line).into_iter().try_for_each(|words| {
            let command = Command {
                program: words[0].into(),
                args: words[1..].iter().map(Into::into).collect(),
            };
            match words[0].contains('/') {
                true => command.check_in_shell(),
                // It may be a word of the shell itself.
                false => command.check_script(),
            }
        })
    }

    /// How parameters are found in a case's file, if they are.
    ///
    /// # Errors
    /// If the rule is none.
    pub(crate) fn parameter_rule(&self) -> Result<Option<ParameterRule>, ExternalError> {
        let rule = self.parameters.as_deref().map(ParameterRule::parse);
        Ok(rule.transpose()?)
    }

    /// The contest's visualizer, if it is known.
    ///
    /// # Errors
    /// If a placeholder in its line is misspelt or missing.
    pub fn visualizer(&self) -> Result<Option<Visualizer>, ExternalError> {
        self.vis.as_deref().map(Visualizer::parse).transpose()
    }

    /// Checks the line of an interactor.
    ///
    /// # Errors
    /// If a placeholder is misspelt or missing.
    pub(crate) fn check_interactor(&self) -> Result<(), ExternalError> {
        line::check_interactor(&self.line)
    }

    /// The interactor's line for one case, which has a folder for its files.
    pub(crate) fn filled_interactor(&self, case: &Path, number: u64, feedback: &Path) -> OsString {
        line::fill_interactor(&self.line, case, number, feedback)
    }

    /// Whether the line itself writes the contestant's output to `{out}`.
    pub(crate) fn writes_out(&self) -> bool {
        line::has(&self.line, "out")
    }

    /// Whether the contestant's stdout goes to `{out}`, as far as the line shows: what is on the line's own stdout then is
    /// not the contestant's.
    pub(super) fn redirects_out(&self) -> bool {
        line::redirects_out(&self.line)
    }

    /// Whether the line names the contestant's output once more than to write it.
    pub(super) fn reads_out(&self) -> bool {
        line::count(&self.line, "out") > 1
    }

    /// Whether a program in the line talks to the contestant, as far as the line shows.
    pub(super) fn talks(&self) -> bool {
        talks(&self.line)
    }

    /// The `timeout` of the line, if one stands in front of what starts the contestant.
    pub(super) fn line_timeout(&self) -> Option<LineTimeout> {
        line_timeout(&self.line)
    }

    /// Whether the line starts the contestant where the start can be noticed.
    pub(super) fn shows_start(&self) -> bool {
        line::takes_stage(&self.line)
    }

    /// The line for one case, to be pasted into a shell.
    ///
    /// Bytes, for paths and arguments need not be text.
    pub fn filled(&self, case: &Path, number: u64, out: &Path, command: &Command) -> OsString {
        line::fill(&self.line, case, number, out, command, &[])
    }

    /// The same line for the judge: the command can neither trace nor signal the other processes of the line, where
    /// the kernel has that, and the meter hears what it uses.
    pub(crate) fn filled_in_scope(
        &self,
        case: &Path,
        number: u64,
        out: &Path,
        command: &Command,
        meter: Option<&Meter>,
    ) -> OsString {
        line::fill(&self.line, case, number, out, command, &stage_words(meter))
    }

    /// The same without a shell, if the line needs none.
    pub(crate) fn without_shell(
        &self,
        case: &Path,
        number: u64,
        out: &Path,
        command: &Command,
        meter: Option<&Meter>,
    ) -> Option<DirectLine> {
        let mut words = stage_words(meter);
        words.push(command.program.clone());
        words.extend(command.args.iter().cloned());
        let values = Values {
            case,
            number,
            out,
            command: words,
        };
        DirectLine::read(&self.line, &values)
    }
}

/// The words in front of the command.
fn stage_words(meter: Option<&Meter>) -> Vec<OsString> {
    match meter {
        Some(meter) => meter.stage_words(),
        None => stage::words().map_or(Vec::new(), Vec::from),
    }
}
