//! The lines of a case file, and why parameters or a line are refused.

use crate::util::quote::quote;
use crate::util::tester_word::tester_word;

/// Why parameters are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ParamError {
    /// The usage of the problem, or the range that was left.
    pub expected: String,
    /// What stood there, quoted.
    pub found: String,
}

impl ParamError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let tester = tester_word();
        Some(format!(
            "`{tester} problems` lists all problems and their parameters"
        ))
    }
}

/// Why a case file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct InstanceError {
    /// Counted from 1.
    pub line: usize,
    /// What a case file has there.
    pub expected: String,
    /// What stood there, quoted, or `end of file`.
    pub found: String,
}

/// The lines of a case file, numbered for messages.
pub struct Lines<'a> {
    rest: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text, from the first one on.
    pub fn new(text: &'a str) -> Self {
        Self {
            rest: text.lines(),
            number: 0,
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// At the end of the file, naming what was `expected`.
    pub fn next(&mut self, expected: &str) -> Result<&'a str, InstanceError> {
        self.number += 1;
        self.rest.next().ok_or_else(|| InstanceError {
            line: self.number,
            expected: expected.to_owned(),
            found: "end of file".to_owned(),
        })
    }

    /// The error that the line returned last has parameters that its problem refuses.
    pub fn refused(&self, error: ParamError) -> InstanceError {
        InstanceError {
            line: self.number,
            expected: error.expected,
            found: error.found,
        }
    }

    /// The error that the line returned last is not what was `expected`, and why.
    pub fn error(&self, expected: impl Into<String>, found: &str, why: &str) -> InstanceError {
        InstanceError {
            line: self.number,
            expected: expected.into(),
            found: format!("{} ({why})", quote(found.as_bytes())),
        }
    }

    /// Checks that only blank lines are left.
    ///
    /// # Errors
    /// If another line is left.
    pub fn end(&mut self) -> Result<(), InstanceError> {
        for line in self.rest.by_ref() {
            self.number += 1;
            if !line.trim_ascii().is_empty() {
                return Err(InstanceError {
                    line: self.number,
                    expected: "end of file".to_owned(),
                    found: quote(line.as_bytes()),
                });
            }
        }
        Ok(())
    }
}
