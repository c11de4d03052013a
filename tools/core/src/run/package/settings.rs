//! A YAML file of a package, and values that are taken from it.

use std::path::{Path, PathBuf};

use yaml_rust2::parser::{Event, Parser};
use yaml_rust2::{Yaml, YamlLoader};

use super::error::PackageError;
use crate::util::bounded_read;

/// The most bytes of a file: they have some hundred.
const MAX_BYTES: u64 = 1 << 20;

/// The most lists and maps within each other. Values have four at most, and the parser's stack has room for thousands.
const MAX_DEPTH: usize = 100;

/// A file in YAML with keys on its top level.
pub(super) struct Settings {
    path: PathBuf,
    top: Yaml,
}

impl Settings {
    /// Reads a file; one that is empty has no keys.
    pub(super) fn read(path: &Path) -> Result<Self, PackageError> {
        let text = bounded_read::read_text(path, MAX_BYTES).map_err(PackageError::read(path))?;
        let refused = |why| PackageError::Yaml {
            path: path.to_owned(),
            why,
        };
        check_size(&text).map_err(refused)?;
        let documents = YamlLoader::load_from_str(&text).map_err(|e| refused(e.to_string()))?;
        Ok(Self {
            path: path.to_owned(),
            top: documents.into_iter().next().unwrap_or(Yaml::Null),
        })
    }

    /// Reads a file if there is one.
    pub(super) fn read_if_any(path: &Path) -> Result<Option<Self>, PackageError> {
        path.is_file().then(|| Self::read(path)).transpose()
    }

    /// The value of a key, or of a key in a map; `None` if it is not there, or empty.
    fn value(&self, keys: &[&str]) -> Option<&Yaml> {
        let found = keys.iter().fold(&self.top, |value, key| &value[*key]);
        (!matches!(found, Yaml::BadValue | Yaml::Null)).then_some(found)
    }

    fn refused(&self, key: &'static str, expected: &'static str, found: &Yaml) -> PackageError {
        PackageError::Value {
            path: self.path.clone(),
            key,
            expected,
            found: shown(found),
        }
    }

    /// A number above 0.
    pub(super) fn number(&self, keys: &[&'static str]) -> Result<Option<f64>, PackageError> {
        let Some(value) = self.value(keys) else {
            return Ok(None);
        };
        let number = match value {
            Yaml::Integer(number) => Some(*number as f64),
            value => value.as_f64(),
        };
        let number = number.filter(|number| number.is_finite() && *number > 0.0);
        let key = keys.last().copied().unwrap_or_default();
        let refused = || self.refused(key, "a number above 0", value);
        number.map(Some).ok_or_else(refused)
    }

    /// The words of a text or of a list of texts; `None` if the key is not there.
    pub(super) fn words(&self, key: &'static str) -> Result<Option<Vec<String>>, PackageError> {
        let Some(value) = self.value(&[key]) else {
            return Ok(None);
        };
        let refused = || self.refused(key, "a text or a list of texts", value);
        match value {
            Yaml::Array(list) => {
                let words = list.iter().map(scalar).collect::<Option<Vec<_>>>();
                words.map(Some).ok_or_else(refused)
            }
            value => {
                let text = scalar(value).ok_or_else(refused)?;
                Ok(Some(text.split_whitespace().map(str::to_owned).collect()))
            }
        }
    }

    /// Flags of validators: a text, a list, or a map with a text as its `flags`.
    pub(super) fn flags(&self, key: &'static str) -> Result<Option<Vec<String>>, PackageError> {
        match self.value(&[key]) {
            Some(map @ Yaml::Hash(_)) => Ok(scalar(&map["flags"])
                .map(|text| text.split_whitespace().map(str::to_owned).collect())),
            _ => self.words(key),
        }
    }

    /// A text.
    pub(super) fn text(&self, key: &'static str) -> Result<Option<String>, PackageError> {
        Ok(self.words(key)?.map(|words| words.join(" ")))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Refuses a text that is small and whose values are not. An alias (`*name`) stands for a copy of what has the name, so
/// that ten lines of nine aliases are 9^10 values.
///
/// # Errors
/// If it has an alias, has too many lists within each other, or is no YAML.
fn check_size(text: &str) -> Result<(), String> {
    let mut parser = Parser::new_from_str(text);
    let mut depth = 0;
    loop {
        let (event, place) = parser.next_token().map_err(|error| error.to_string())?;
        match event {
            Event::StreamEnd => return Ok(()),
            Event::Alias(_) => {
                let line = place.line();
                return Err(format!(
                    "expected values that are written out, found an alias (*name) in line {line}"
                ));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
            Event::SequenceEnd | Event::MappingEnd => depth -= 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            let line = place.line();
            return Err(format!(
                "expected at most {MAX_DEPTH} lists and maps within each other, found more in line {line}"
            ));
        }
    }
}

/// A text, or what is written where a text is meant: `2025` and `1.5` are versions and flags, too.
fn scalar(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) | Yaml::Real(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn shown(value: &Yaml) -> String {
    match value {
        Yaml::Array(_) => "a list".to_owned(),
        Yaml::Hash(_) => "a map".to_owned(),
        value => scalar(value).map_or_else(|| "nothing".to_owned(), |text| format!("{text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Settings, PackageError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("problem.yaml");
        std::fs::write(&path, text).unwrap();
        Settings::read(&path)
    }

    #[test]
    fn values_are_texts_lists_and_numbers() {
        let text = "type: [interactive, scoring]\nvalidation: 'custom interactive'\nlimits: {time_limit: 2, memory: 1.5}\nflags: {name: v, flags: a 1}\nempty:\n";
        let found = settings(text).unwrap();
        let words = |key| found.words(key).unwrap().map(|words| words.join("|"));
        assert_eq!(words("type").as_deref(), Some("interactive|scoring"));
        assert_eq!(words("validation").as_deref(), Some("custom|interactive"));
        assert_eq!((words("empty"), words("none")), (None, None));
        assert_eq!(found.number(&["limits", "time_limit"]).unwrap(), Some(2.0));
        assert_eq!(found.number(&["limits", "memory"]).unwrap(), Some(1.5));
        assert_eq!(found.number(&["limits", "output"]).unwrap(), None);
        assert_eq!(found.flags("flags").unwrap().unwrap(), ["a", "1"]);
        let empty = settings("").unwrap();
        assert_eq!(empty.words("type").unwrap(), None);
    }

    #[test]
    fn what_is_no_value_is_refused_with_its_place() {
        let why = |text: &str| {
            let found = settings(text).unwrap();
            let error = found.number(&["limits", "time_limit"]).unwrap_err();
            error.to_string().split_once(": ").unwrap().1.to_owned()
        };
        insta::assert_snapshot!(why("limits: {time_limit: x}"), @r#"expected a number above 0 for time_limit, found "x""#);
        insta::assert_snapshot!(why("limits: {time_limit: -1}"), @r#"expected a number above 0 for time_limit, found "-1""#);
        insta::assert_snapshot!(why("limits: {time_limit: [1]}"), @"expected a number above 0 for time_limit, found a list");
        assert!(matches!(settings("a: [1"), Err(PackageError::Yaml { .. })));
        let list = settings("type: [[a]]").unwrap();
        assert!(list.words("type").is_err());
    }

    #[test]
    fn small_files_with_huge_values_are_refused() {
        let why = |text: &str| {
            let error = settings(text).err().unwrap().to_string();
            error.split_once(": ").unwrap().1.to_owned()
        };
        insta::assert_snapshot!(why("name: &a x\nother: *a\n"), @"expected values that are written out, found an alias (*name) in line 2");
        let nested = |depth: usize| format!("a:\n  {}x", "- ".repeat(depth));
        assert!(settings(&nested(99)).is_ok());
        insta::assert_snapshot!(why(&nested(100_000)), @"expected at most 100 lists and maps within each other, found more in line 2");
        let long = format!("a: {}", "x".repeat(1 << 20));
        assert!(matches!(settings(&long), Err(PackageError::Read { .. })));
    }
}
