//! Why the description of another judge is refused.

use super::score::USUAL_SCORE;

/// Why a line, or an expression, is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// Something else stands in braces.
    #[error(
        "failed to understand --external: expected a placeholder ({{case}}, {{out}}, {{command}}, {{number}}), \
         found {{{0}}}; braces of the shell's own are doubled: {{{{ }}}}"
    )]
    Placeholder(String),
    /// A brace that has no other.
    #[error(
        "failed to understand --external: expected {{ and }} in pairs, found a single one in {0}"
    )]
    Brace(String),
    /// Every case would be judged alike.
    #[error(
        "failed to understand --external: expected {{case}} somewhere, the path of the case's file, found none \
         in {0}"
    )]
    NoCase(String),
    /// The program has no place.
    #[error(
        "failed to understand --external: expected {{command}} somewhere, for {command}, found none in {line}"
    )]
    NoCommand {
        /// The program.
        command: String,
        /// The line.
        line: String,
    },
    /// A place has no program.
    #[error(
        "failed to understand --external: expected a program for {{command}}, found none; it stands behind --"
    )]
    NoProgram,
    /// It is no expression.
    #[error("failed to understand --score-regex")]
    Regex(#[from] regex::Error),
    /// Which of it is the score?
    #[error(
        "failed to understand --score-regex: expected a group named score, such as {USUAL_SCORE}, found none in {0}"
    )]
    NoGroup(String),
}
