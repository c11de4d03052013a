//! The parameters of cases that only an external judge understands: from their files, and from `[DATA]` lines.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::case::{ParameterRule, Parameters};
use crate::problem::parameter_names::check_names;

/// Finds the parameters of cases. Names that occur first in `[DATA]` lines are added while the run goes on.
#[derive(Clone, Debug)]
pub(super) struct CaseParameters {
    rule: Option<ParameterRule>,
    /// Shared by all threads that judge.
    names: Arc<Mutex<Names>>,
    may_grow: bool,
}

#[derive(Debug)]
struct Names {
    all: Vec<String>,
    /// How many of them the history has.
    kept: usize,
}

impl CaseParameters {
    /// Those of a run that has these names, by its rule.
    pub(super) fn new(rule: Option<ParameterRule>, names: &[String]) -> Self {
        let names = Names {
            all: names.to_vec(),
            kept: names.len(),
        };
        Self {
            rule,
            names: Arc::new(Mutex::new(names)),
            may_grow: true,
        }
    }

    /// The rule, if there is one.
    pub(super) fn rule(&self) -> Option<&ParameterRule> {
        self.rule.as_ref()
    }

    /// The same for a run whose names are known before it begins.
    pub(super) fn with_fixed_names(self) -> Self {
        Self {
            may_grow: false,
            ..self
        }
    }

    /// The parameters of a case; what its file says wins over the `[DATA]` lines.
    pub(super) fn of_case(&self, path: &Path, data: &[(String, f64)]) -> Parameters {
        let rule = self.rule.as_ref();
        let own = rule.map_or_else(Vec::new, |rule| rule.values_of_file(path));
        let own_names = rule.map_or(&[][..], ParameterRule::names);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, _) in data.iter().filter(|_| self.may_grow) {
            names.add(name);
        }
        let value = |name: &String| {
            let place = own_names.iter().position(|own| own == name);
            let own = place.and_then(|place| own[place]);
            let told = || data.iter().find(|(told, _)| told == name);
            own.or_else(|| told().map(|(_, value)| *value))
        };
        Parameters::new(names.all.iter().map(value))
    }

    /// All names, if there are some that the history does not have.
    pub(super) fn new_names(&self) -> Option<Vec<String>> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = names.all.len() > names.kept;
        names.kept = names.all.len();
        is_new.then(|| names.all.clone())
    }
}

impl Names {
    /// Another name, unless there are too many.
    fn add(&mut self, name: &str) {
        if !self.all.iter().any(|known| known == name) {
            self.all.push(name.to_owned());
            if check_names(&self.all).is_err() {
                self.all.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_added_as_they_occur_and_the_file_wins() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("0000.txt");
        std::fs::write(&path, "20 3\n").unwrap();
        let rule = ParameterRule::parse("N M").unwrap();
        let names = rule.names().to_vec();
        let parameters = CaseParameters::new(Some(rule), &names);
        let data = |pairs: &[(&str, f64)]| -> Vec<(String, f64)> {
            let owned = pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value));
            owned.collect()
        };
        let told = data(&[("loss", 0.5), ("N", 9.0)]);
        assert_eq!(parameters.new_names(), None);
        assert_eq!(parameters.of_case(&path, &told).to_string(), "20 3 0.5");
        assert_eq!(parameters.new_names().unwrap(), ["N", "M", "loss"]);
        assert_eq!(parameters.new_names(), None);
        assert_eq!(parameters.of_case(&path, &[]).to_string(), "20 3 -");
        // The file is gone: the names are not.
        let gone = dir.path().join("0001.txt");
        assert_eq!(parameters.of_case(&gone, &told).to_string(), "9 - 0.5");
        let fixed = CaseParameters::new(None, &names).with_fixed_names();
        assert_eq!(fixed.of_case(&path, &told).to_string(), "9 -");
        assert_eq!(fixed.new_names(), None);
    }

    #[test]
    fn a_program_that_prints_many_names_has_64_of_them() {
        let parameters = CaseParameters::new(None, &[]);
        let many: Vec<_> = (0..100).map(|i| (format!("x{i}"), 1.0)).collect();
        assert_eq!(parameters.of_case(Path::new("none"), &many).len(), 64);
        assert_eq!(parameters.new_names().unwrap().len(), 64);
    }
}
