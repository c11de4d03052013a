//! Some cases of a source, and the cases of several sources.

use std::path::{Path, PathBuf};

use glob::Pattern;

use super::error::{CaseError, SourceError};
use super::files::CaseFile;
use super::id::CaseId;
use super::numbers::CaseNumbers;
use super::seed_range::MAX_CASES;
use super::source::Source;

impl Source {
    /// The cases of these seeds of a problem.
    pub fn from_seeds(problem: String, numbers: CaseNumbers) -> Self {
        let seeds = numbers.hull();
        let is_all = seeds.end() - seeds.start() == numbers.count() - 1;
        let all = Self::Seeds { problem, seeds };
        match is_all {
            true => all,
            false => all.choose(numbers),
        }
    }

    /// The cases of this source with these numbers.
    #[must_use]
    pub fn choose(self, cases: CaseNumbers) -> Self {
        match self {
            Self::External { name, files } => Self::External {
                name,
                files: Box::new(files.choose(cases)),
            },
            Self::Chosen { of, .. } => Self::Chosen { of, cases },
            of => Self::Chosen {
                of: Box::new(of),
                cases,
            },
        }
    }

    /// The case files of this source but those with these numbers; `None` if no other is there.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn without(self, numbers: &CaseNumbers) -> Result<Option<Self>, CaseError> {
        let files = self.files()?;
        let (out, left): (Vec<_>, Vec<_>) =
            (files.iter()).partition(|file| numbers.contains(file.id.0));
        if out.is_empty() {
            return Ok(Some(self));
        }
        let left = CaseNumbers::new(left.iter().map(|file| file.id.0..=file.id.0));
        Ok(left.map(|left| self.choose(left)))
    }

    /// The numbers of the cases of this source that are also in `other`, if there are any: the same seeds of the same
    /// problem, or files of the same folder. Files of `other` need not be there.
    ///
    /// Cost: lists the case files of this source, and looks their folders up.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn shared_with(&self, other: &Self) -> Result<Option<CaseNumbers>, CaseError> {
        if let (Some(own), Some(others)) = (self.seeds(), other.seeds()) {
            let is_same = own.0 == others.0;
            return Ok(own.1.in_both(&others.1).filter(|_| is_same));
        }
        let files = self.files()?;
        let shared = files.iter().filter(|file| other.has_file(file));
        Ok(CaseNumbers::new(shared.map(|file| file.id.0..=file.id.0)))
    }

    /// The problem and the seeds, if the cases are made from seeds.
    fn seeds(&self) -> Option<(&str, CaseNumbers)> {
        match self {
            Self::Seeds { problem, seeds } => Some((problem, CaseNumbers::new([seeds.clone()])?)),
            Self::Chosen { of, cases } => Some((of.seeds()?.0, cases.clone())),
            _ => None,
        }
    }

    /// Whether a file is one of this source's, by its folder and its number.
    fn has_file(&self, file: &CaseFile) -> bool {
        match self {
            Self::Folder(dir) => is_in(&file.path, dir),
            Self::Matching(pattern) => {
                Pattern::new(pattern).is_ok_and(|pattern| pattern.matches_path(&file.path))
            }
            Self::Chosen { of, cases } => cases.contains(file.id.0) && of.has_file(file),
            Self::Several(all) => all.iter().any(|one| one.has_file(file)),
            Self::External { files, .. } => files.has_file(file),
            Self::Seeds { .. } | Self::AllSecrets { .. } => false,
        }
    }

    /// Where the cases come from, whichever of them were chosen.
    pub fn origin(&self) -> &Self {
        match self {
            Self::Chosen { of, .. } => of.origin(),
            _ => self,
        }
    }

    /// The numbers that were chosen, if not all cases were.
    pub(crate) fn chosen(&self) -> Option<&CaseNumbers> {
        match self {
            Self::Chosen { cases, .. } => Some(cases),
            _ => None,
        }
    }

    /// Counts the generated cases that `cases` chooses by their numbers.
    ///
    /// # Errors
    /// If they are too many, or one does not exist.
    pub(super) fn check_generated(&self, cases: &CaseNumbers) -> Result<usize, SourceError> {
        if cases.count() > MAX_CASES {
            return Err(self.too_many());
        }
        let has = |number: u64| match self {
            Self::Seeds { seeds, .. } => Ok(seeds.contains(&number)),
            _ => self.check().map(|(count, _)| number < count as u64),
        };
        let ends = [cases.iter().next(), cases.iter().last()];
        for number in ends.into_iter().flatten() {
            if !has(number)? {
                return Err(SourceError::Case(CaseError::Missing {
                    first: CaseId(number),
                    more: 0,
                    of: self.to_string(),
                    there: None,
                }));
            }
        }
        Ok(cases.count() as usize)
    }
}

/// Whether a file lies in a folder, however the folder is named.
fn is_in(file: &Path, dir: &Path) -> bool {
    let named = |dir: &Path| match dir.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => dir.to_owned(),
    };
    let (own, dir) = (named(file.parent().unwrap_or(dir)), named(dir));
    own == dir
        || matches!((own.canonicalize(), dir.canonicalize()), (Ok(own), Ok(dir)) if own == dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_cases_are_of_the_same_folder_or_the_same_seeds() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["in", "more"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
            for number in 0..4 {
                let name = format!("{folder}/{number:04}.txt");
                std::fs::write(dir.path().join(name), "").unwrap();
            }
        }
        let folder = |name: &str| Source::Folder(dir.path().join(name));
        let some = |name: &str, numbers: &str| folder(name).choose(numbers.parse().unwrap());
        let shared = |a: &Source, b: &Source| {
            let shared = a.shared_with(b).unwrap();
            shared.map(|numbers| numbers.to_string())
        };
        // Cases 4 to 9 are not there yet.
        let held_out = some("in", "2..10");
        assert_eq!(shared(&folder("in"), &held_out).unwrap(), "2..4");
        assert_eq!(shared(&some("more/../in", "0..3"), &held_out).unwrap(), "2");
        assert_eq!(shared(&folder("more"), &held_out), None);
        let both = Source::Several(vec![some("more", "0"), some("in", "1..=2")]);
        let external = Source::External {
            name: "x".to_owned(),
            files: Box::new(both),
        };
        assert_eq!(shared(&external, &held_out).unwrap(), "2");
        assert_eq!(shared(&folder("more"), &external).unwrap(), "0");
        let pattern = Source::Matching(dir.path().join("in/000[01].txt").display().to_string());
        assert_eq!(shared(&folder("in"), &pattern).unwrap(), "0..2");
        assert_eq!(shared(&seeds("7,90..93"), &seeds("0..91")).unwrap(), "7,90");
        assert_eq!(shared(&seeds("7"), &seeds("8")), None);
        assert_eq!(shared(&folder("in"), &seeds("0..10")), None);
        let problem = "mastermind 4 6".to_owned();
        let other = Source::Seeds {
            problem,
            seeds: 0..=99,
        };
        assert_eq!(shared(&other, &seeds("7")), None);
    }

    fn seeds(numbers: &str) -> Source {
        let problem = "hitblow 3 10".to_owned();
        let seeds = Source::Seeds {
            problem,
            seeds: 0..=99,
        };
        seeds.choose(numbers.parse().unwrap())
    }

    #[test]
    fn chosen_seeds_are_the_cases_that_they_are_among_all() {
        let some = seeds("7,90..93");
        assert_eq!(
            some.to_string(),
            "cases 7,90..93 of seeds 0..100 of hitblow 3 10"
        );
        assert_eq!(some.check().unwrap(), (4, vec!["hitblow 3 10".to_owned()]));
        let digests = |source: &Source| -> Vec<_> {
            let cases = source.tickets().unwrap();
            let chosen = cases.filter(|case| some.chosen().unwrap().contains(case.id.0));
            chosen.map(|case| case.open().unwrap().key).collect()
        };
        assert_eq!(digests(&some), digests(some.origin()));
        assert!(!some.is_files());
        let missing = seeds("7,100").check().unwrap_err();
        insta::assert_snapshot!(missing, @"case 0100 is not in seeds 0..100 of hitblow 3 10");
        // Those of a choice replace the choice.
        let other = some.choose("3".parse().unwrap());
        assert_eq!(other.to_string(), "cases 3 of seeds 0..100 of hitblow 3 10");
    }

    #[test]
    fn seeds_of_several_ranges_are_chosen_and_adjacent_ones_are_one_range() {
        let seeds = |numbers: &str| {
            let source = Source::from_seeds("hitblow 3 10".to_owned(), numbers.parse().unwrap());
            (source.to_string(), source.check().unwrap().0)
        };
        let text = "cases 0..2,3..5 of seeds 0..5 of hitblow 3 10";
        assert_eq!(seeds("3..5,0..2"), (text.to_owned(), 4));
        assert_eq!(
            seeds("0..2,2..5"),
            ("seeds 0..5 of hitblow 3 10".to_owned(), 5)
        );
    }

    #[test]
    fn files_are_left_out_by_their_numbers() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..5 {
            let name = CaseId(number).file_name("txt");
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let left = |numbers: &str| {
            let all = Source::Folder(dir.path().into());
            let left = all.without(&numbers.parse().unwrap()).unwrap()?;
            Some(left.chosen().map(CaseNumbers::to_string))
        };
        assert_eq!(left("1..3,90"), Some(Some("0,3..5".to_owned())));
        assert_eq!(left("5..90"), Some(None));
        assert_eq!(left("0..5"), None);
    }

    #[test]
    fn chosen_secrets_are_counted_among_all() {
        let problem = "hitblow 1 5".to_owned();
        let secrets = Source::AllSecrets { problem };
        let chosen = |numbers: &str| secrets.clone().choose(numbers.parse().unwrap());
        assert_eq!(chosen("1,4").check().unwrap().0, 2);
        assert_eq!(chosen("1,4").tickets().unwrap().count(), 2);
        insta::assert_snapshot!(chosen("1,5").check().unwrap_err(), @"case 0005 is not in all secrets of hitblow 1 5");
    }

    #[test]
    fn a_choice_is_written_down_as_it_is_typed() {
        // Histories and shards hold this text.
        let files = Source::Several(vec![
            Source::Matching("in/1*.txt".to_owned()),
            Source::Folder("in".into()).choose("0..3,7".parse().unwrap()),
        ]);
        let external = Source::External {
            name: "ahc".to_owned(),
            files: Box::new(files),
        };
        let text = serde_json::to_string(&external).unwrap();
        insta::assert_snapshot!(text, @r#"{"foreign":{"name":"ahc","files":{"several":[{"matching":"in/1*.txt"},{"chosen":{"of":{"folder":"in"},"cases":"0..3,7"}}]}}}"#);
        assert_eq!(serde_json::from_str::<Source>(&text).unwrap(), external);
        let chosen = external.choose("7".parse().unwrap());
        assert!(matches!(chosen, Source::External { .. }), "{chosen}");
    }
}
