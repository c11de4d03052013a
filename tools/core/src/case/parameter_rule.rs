//! How the parameters of a case are read from its file, where only an external judge understands the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use regex::bytes::Regex;

use super::error::CaseError;
use super::parameters::Parameters;
use super::source::Source;
use crate::problem::parameter_names::{BadNames, check_names};
use crate::util::quote::quote;
use crate::util::regular_file::open_regular_unseen;

/// Parameters are looked for in this many bytes at the beginning of a case.
const HEAD: u64 = 1 << 20;

/// In a list of names, what stands for a number that has none.
const NAMELESS: &str = "_";

/// Names for the numbers of a case's first line, or an expression with named groups.
#[derive(Clone, Debug)]
pub struct ParameterRule {
    names: Vec<String>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    /// For each name, which word of the first line it is the name of.
    FirstLine(Vec<usize>),
    /// The groups of the first match.
    Groups(Regex),
}

/// Why a rule is refused, or finds nothing.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// It is no expression.
    #[error("failed to understand --parameters")]
    Regex(#[from] regex::Error),
    /// The names cannot be those of columns.
    #[error("failed to understand --parameters")]
    Names(#[from] BadNames),
    /// There is no name in it.
    #[error("no name in --parameters: {0:?}")]
    NoName(String),
    /// It does not fit the cases.
    #[error("no parameter in {}: expected a number for one of {names}, found {found}", .path.display())]
    NoValue {
        /// The names.
        names: String,
        /// The first case.
        path: PathBuf,
        /// Its first line.
        found: String,
    },
    /// The first case cannot be read.
    #[error(transparent)]
    Case(#[from] CaseError),
}

impl RuleError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Case(error) => return error.hint(),
            Self::Regex(_) => return None,
            Self::Names(_) | Self::NoName(_) => {
                "for example \"N M eps\", or an expression with named groups: '\\A(?<N>\\d+) (?<M>\\d+)'"
            }
            Self::NoValue { .. } => {
                "names are for the numbers of the first line, in their order (_ for one without a name); an \
                 expression with named groups finds them elsewhere: '(?m)^K=(?<K>\\d+)$'"
            }
        };
        Some(hint.to_owned())
    }
}

impl ParameterRule {
    /// Reads a rule as it is typed: `N M eps`, or a regular expression with named groups.
    ///
    /// # Errors
    /// If it is neither, or its names cannot be those of columns.
    pub(crate) fn parse(text: &str) -> Result<Self, RuleError> {
        let is_expression = text.contains("(?P<") || text.contains("(?<");
        let (names, place): (Vec<String>, Place) = match is_expression {
            true => {
                let expression = Regex::new(text)?;
                let groups = expression.capture_names().flatten().map(str::to_owned);
                (groups.collect(), Place::Groups(expression))
            }
            false => {
                let named = text.split_whitespace().enumerate();
                let named = named.filter(|(_, name)| *name != NAMELESS);
                let (places, names) = named.map(|(place, name)| (place, name.to_owned())).unzip();
                (names, Place::FirstLine(places))
            }
        };
        check_names(&names)?;
        match names.is_empty() {
            true => Err(RuleError::NoName(text.to_owned())),
            false => Ok(Self { names, place }),
        }
    }

    /// The names, in their order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The values in the content of a case, one for each name.
    pub(crate) fn values(&self, content: &[u8]) -> Vec<Option<f64>> {
        match &self.place {
            Place::FirstLine(places) => {
                let line = content.split(|&b| b == b'\n').next().unwrap_or_default();
                let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).collect();
                let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
                let value = |place: &usize| number(words.get(*place)?);
                places.iter().map(value).collect()
            }
            Place::Groups(expression) => {
                let found = expression.captures(content);
                let value = |name: &String| number(found.as_ref()?.name(name)?.as_bytes());
                self.names.iter().map(value).collect()
            }
        }
    }

    /// The values in a case's file; none where it can no longer be read.
    pub(crate) fn values_of_file(&self, path: &Path) -> Vec<Option<f64>> {
        self.values(&head(path).unwrap_or_default())
    }

    /// Checks that the first case has at least one value.
    ///
    /// # Errors
    /// If it has none, or cannot be read.
    pub(crate) fn check(&self, source: &Source) -> Result<(), RuleError> {
        let files = source.files()?;
        let Some(first) = files.first() else {
            return Ok(());
        };
        let content = head(&first.path).map_err(|source| CaseError::Read {
            path: first.path.clone(),
            source,
        })?;
        if !Parameters::new(self.values(&content)).is_empty() {
            return Ok(());
        }
        let line = content.split(|&b| b == b'\n').next().unwrap_or_default();
        Err(RuleError::NoValue {
            names: self.names.join(" "),
            path: first.path.clone(),
            found: quote(line),
        })
    }
}

/// The beginning of a file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let file: File = open_regular_unseen(path)?;
    file.take(HEAD).read_to_end(&mut content)?;
    Ok(content)
}

/// A word as a finite number.
pub fn number(word: &[u8]) -> Option<f64> {
    let value: f64 = str::from_utf8(word).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(rule: &str, content: &str) -> String {
        let rule = ParameterRule::parse(rule).unwrap();
        let values = Parameters::new(rule.values(content.as_bytes()));
        values.with_names(rule.names())
    }

    #[test]
    fn names_are_those_of_the_numbers_of_the_first_line() {
        assert_eq!(values("N M eps", "20 3 0.05\n1 2\n"), "N=20 M=3 eps=0.05");
        // Blanks of any kind, a number without a name, fewer and more numbers than names.
        assert_eq!(values("N _ eps", " 20\t3  0.05 7\r\n"), "N=20 eps=0.05");
        assert_eq!(values("N M", "20\n3\n"), "N=20");
        // What is no number is no value, but has its place.
        assert_eq!(values("name N x", "maze 20 inf"), "N=20");
        assert_eq!(values("N", ""), "");
    }

    #[test]
    fn an_expression_names_its_groups() {
        let rule = r"\A(?<N>\d+) .*\n(?P<K>-?[\d.]+)\n(?<none>x)?";
        assert_eq!(values(rule, "20 3\n-1.5\n"), "N=20 K=-1.5");
        assert_eq!(values(rule, "no match"), "");
    }

    #[test]
    fn a_rule_without_a_name_or_with_one_twice_is_refused() {
        let refused = |text: &str| {
            let error = ParameterRule::parse(text).unwrap_err();
            assert!(error.hint().is_some() || matches!(error, RuleError::Regex(_)));
            crate::util::quote::causes(&error)
        };
        insta::assert_snapshot!(refused(" _ "), @r#"no name in --parameters: " _ ""#);
        insta::assert_snapshot!(refused("N M N"), @r#"failed to understand --parameters: expected at most 64 different words without spaces as names of parameters, found "N" again"#);
        assert!(
            refused("(?<N>\\d").starts_with("failed to understand --parameters: regex parse error")
        );
    }

    #[test]
    fn a_rule_that_finds_nothing_in_the_first_case_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("0003.txt"), "abc def\n1 2\n").unwrap();
        let source = Source::Folder(dir.path().into());
        let rule = ParameterRule::parse("N M").unwrap();
        let error = rule.check(&source).unwrap_err().to_string();
        let error = error.replace(&dir.path().display().to_string(), "in");
        insta::assert_snapshot!(error, @r#"no parameter in in/0003.txt: expected a number for one of N M, found "abc def""#);
        let rule = ParameterRule::parse(r"\n(?<N>\d+)").unwrap();
        assert!(rule.check(&source).is_ok());
    }
}
