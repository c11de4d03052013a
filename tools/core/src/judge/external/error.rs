//! Why the description of another judge is refused.

use super::score::USUAL_SCORE;
use crate::case::RuleError;
use crate::util::tester_word::tester_word;

/// Why a line, or an expression, is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// Something else stands in braces.
    #[error("unknown placeholder {{{0}}} in --external")]
    Placeholder(String),
    /// A brace that has no other.
    #[error("a brace without its pair in --external: {0}")]
    Brace(String),
    /// Every case would be judged alike.
    #[error("no {{case}} in --external: {0}")]
    NoCase(String),
    /// The program has no place.
    #[error("no {{command}}, the place of {command}, in --external: {line}")]
    NoCommand {
        /// The program.
        command: String,
        /// The line.
        line: String,
    },
    /// A place has no program.
    #[error("no program for the {{command}} of --external")]
    NoProgram,
    /// It is no expression.
    #[error("failed to understand --score-regex")]
    Regex(#[from] regex::Error),
    /// Which of it is the score?
    #[error("no group named score in --score-regex: {0}")]
    NoGroup(String),
    /// The line of the visualizer.
    #[error("{why} in --vis: {line}")]
    Visualizer {
        /// What is wrong with it.
        why: String,
        /// The line.
        line: String,
    },
    /// The line of the interactor.
    #[error("{why} in --interactor: {line}")]
    Interactor {
        /// What is wrong with it.
        why: String,
        /// The line.
        line: String,
    },
    /// An interactor without a program to speak with.
    #[error("no PROGRAM for the interactor to speak with")]
    NoContestant,
    /// The rule for parameters is none.
    #[error(transparent)]
    Parameters(#[from] RuleError),
}

impl ExternalError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Placeholder(_) | Self::Brace(_) => {
                "placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}"
            }
            Self::NoCase(_) => "{case} is the path of the case's file",
            Self::NoCommand { .. } => "{command} is the program with its arguments",
            Self::NoProgram | Self::NoContestant => {
                return Some(format!(
                    "name the program after --. For the judge of tester.toml, command = \"…\" names it there; \
                     `{} init --force` looks for a new program",
                    tester_word()
                ));
            }
            Self::Visualizer { .. } => {
                "placeholders are {case}, {out} and {number}, such as ./tools/target/release/vis {case} {out}; double a \
                 brace of the shell's own: {{ }}"
            }
            Self::Interactor { .. } => {
                "placeholders are {case}, {number} and {feedback}, such as ./interactor {case}; double a brace of the \
                 shell's own: {{ }}"
            }
            Self::NoGroup(_) => return Some(format!("for example {USUAL_SCORE}")),
            Self::Parameters(error) => return error.hint(),
            Self::Regex(_) => return None,
        };
        Some(hint.to_owned())
    }
}
