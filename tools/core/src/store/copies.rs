//! Copies of the outputs of a deleted run: `OUT/0000.txt` is from the newest run that judged the case.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::folders::cases_in;
use super::history::History;
use super::run::{Kind, Run, State};
use crate::case::CaseId;
use crate::run::executor::RUNS;
use crate::run::outputs::copy_file;
use crate::util::overwrite::remove;
use crate::util::regular_file::open_plain;
use crate::util::same_content::has_same_content;

/// What becomes of the copy of a case.
enum Renewal<'a> {
    Stays,
    Removed,
    /// The folder of another run.
    CopiedFrom(&'a Path),
}

impl History {
    /// Copies of a run that is no longer in the history become those of the newest run that judged the case and has its
    /// files. If there is none, they are removed. A copy with other content is not this run's, and stays.
    ///
    /// Returns the copies that cannot be changed. `passed` is called for each case.
    ///
    /// Cost: reads the outputs of the run, and their copies.
    pub(super) fn renew_copies(&self, deleted: &Run, passed: &mut dyn FnMut()) -> Vec<PathBuf> {
        let (Some(folder), Some(copies)) = (&deleted.folder, copies_of(deleted)) else {
            return Vec::new();
        };
        // If the other runs cannot be read, all copies stay.
        let others = self.runs_where("folder IS NOT NULL", [], usize::MAX);
        let Ok(mut others) = others else {
            return Vec::new();
        };
        others.retain(|run| copies_of(run).as_ref() == Some(&copies));
        let mut stay = Vec::new();
        for case in cases_in(folder) {
            passed();
            let files = |kind: &str| {
                let name = case.file_name(kind);
                (folder.join(&name), copies.join(&name))
            };
            let is_ours = |kind: &&str| {
                let (own, copy) = files(kind);
                let same = is_copy(&own, &copy);
                same.unwrap_or_else(|error| *kind == "err" && error.kind() == ErrorKind::NotFound)
            };
            if !is_ours(&"txt") {
                continue;
            }
            let renewal = self.renewal(&others, case);
            for kind in ["txt", "err"].into_iter().filter(is_ours) {
                let (_, copy) = files(kind);
                let renewed = match renewal {
                    Renewal::Stays => Ok(()),
                    Renewal::Removed => remove(&copy).map_err(drop),
                    Renewal::CopiedFrom(folder) => {
                        copy_file(&folder.join(case.file_name(kind)), &copy).map_err(drop)
                    }
                };
                if renewed.is_err() {
                    stay.push(copy);
                }
            }
        }
        stay
    }

    fn renewal<'a>(&self, others: &'a [Run], case: CaseId) -> Renewal<'a> {
        for run in others {
            match self.record(run.id, case) {
                Ok(None) => continue,
                // A run that is being judged makes its own copies.
                Ok(Some(_)) if run.state != State::Running => {}
                Ok(Some(_)) | Err(_) => return Renewal::Stays,
            }
            let folder = run.folder.as_deref();
            let has_output =
                |folder: &&Path| open_plain(&folder.join(case.file_name("txt"))).is_ok();
            if let Some(folder) = folder.filter(has_output) {
                return Renewal::CopiedFrom(folder);
            }
        }
        Renewal::Removed
    }
}

/// The folder of the copies of a run: beside the runs' folders, and of a duel one for each side.
fn copies_of(run: &Run) -> Option<PathBuf> {
    let runs = run.folder.as_ref()?.parent()?;
    let out = runs.parent().filter(|_| runs.ends_with(RUNS))?;
    match run.about.kind {
        Kind::Batch => Some(out.to_owned()),
        Kind::Duel => Some(out.join(run.about.spec.out.file_name()?)),
    }
}

/// Whether a copy is as the run's own file. An empty stderr leaves no such file.
fn is_copy(own: &Path, copy: &Path) -> io::Result<bool> {
    match own.try_exists()? {
        true => has_same_content(own, copy),
        false => Ok(open_plain(copy)?.metadata()?.len() == 0),
    }
}
