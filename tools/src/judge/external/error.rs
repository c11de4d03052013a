//! Why the description of another judge is refused.

use super::score::USUAL_SCORE;

/// Why a line, or an expression, is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// Something else stands in braces.
    #[error(
        "failed to understand --external: {{{0}}} is no placeholder\n\
         hint: placeholders are {{case}}, {{out}}, {{command}} and {{number}}; double the braces of the shell: \
         {{{{ }}}}"
    )]
    Placeholder(String),
    /// A single brace.
    #[error(
        "failed to understand --external: expected {{ and }} in pairs, found a single one in {0}\n\
         hint: double the braces of the shell: {{{{ }}}}"
    )]
    Brace(String),
    /// The line does not name the case.
    #[error(
        "failed to understand --external: {{case}} is missing in {0}\n\
         hint: it stands for the path of the case's file"
    )]
    NoCase(String),
    /// The line has no place for the program.
    #[error(
        "failed to understand --external: {{command}}, the place of the program {command}, is missing in {line}"
    )]
    NoCommand {
        /// The program.
        command: String,
        /// The line.
        line: String,
    },
    /// There is no program for the place.
    #[error(
        "failed to understand --external: {{command}} needs a program, found none\n\
         hint: write the program at the end, after --"
    )]
    NoProgram,
    /// The expression is not valid.
    #[error("failed to understand --score-regex")]
    Regex(#[from] regex::Error),
    /// The expression does not say which part is the score.
    #[error(
        "failed to understand --score-regex: the group named score is missing in {0}\n\
         hint: a group is written as in {USUAL_SCORE}"
    )]
    NoGroup(String),
}
