//! What a run has left in its folder: what both sides said in a case, as far as it is still that run's.
//!
//! Outputs are the last run's that wrote there. So nothing is believed for its name: what is in a file must be what the
//! record says that the run has written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::case::{Case, CaseId, Digest};
use crate::judge::record::{JudgedCase, Left};
use crate::judge::replay::replay_stdout;
use crate::judge::session::SessionView;
use crate::judge::transcript;
use crate::problem::Instance;
use crate::store::Run;
use crate::util::atomic_file::open_plain;

/// What is left of one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CaseArtifacts {
    /// The session turn by turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<SessionView>,
    /// The line that would have won at once, where the case is one of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What was written, file by file, where it is not told turn by turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<Text>,
    /// Why there is less than there might be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
}

/// The start of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    /// Its name: `0042.err`.
    pub name: String,
    /// What is in it; what is not UTF-8 is shown as U+FFFD.
    pub text: String,
    /// How many bytes in its middle were left out.
    pub left_out: u64,
}

/// Why a session cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// There is no file.
    Gone,
    /// There is no file here: the case was judged on another machine.
    Elsewhere,
    /// There is another than the run has written.
    Changed,
    /// The case file is gone, or has another content.
    OtherCase,
    /// The same, but the session is told all the same, by its transcript.
    CaseChanged,
    /// It is too long to be taken along.
    TooLong,
}

/// Where the outputs of a run are.
pub struct Folder {
    dir: PathBuf,
    turn_limit: u64,
    foreign: bool,
    merged: bool,
    /// The most bytes of a case.
    room: u64,
}

impl Folder {
    /// That of `run`; of each case at most `room` bytes are taken along.
    pub fn of(run: &Run, room: u64) -> Self {
        let plan = &run.about.plan;
        Self {
            dir: plan.out.clone(),
            turn_limit: plan.limits.turns,
            foreign: plan.external.is_some(),
            merged: run.merged,
            room,
        }
    }

    /// What is left of a case. `case` is the case as it is now, if it is still there.
    ///
    /// Cost: reads its files.
    pub fn kept(&self, judged: &JudgedCase, case: Option<&Case>) -> CaseArtifacts {
        let kept = self.found(judged, case);
        match kept.missing {
            Some(Missing::Gone) if self.merged => CaseArtifacts {
                missing: Some(Missing::Elsewhere),
                ..kept
            },
            _ => kept,
        }
    }

    fn found(&self, judged: &JudgedCase, case: Option<&Case>) -> CaseArtifacts {
        let (id, left) = (judged.case.id, &judged.record.left);
        let err = ("err", left.err);
        if self.foreign {
            return self.written(id, &[("txt", left.txt), ("log", left.log), err]);
        }
        let instance = case.and_then(|case| case.instance_of(&judged.case));
        let answer = instance.map(Instance::answer);
        if let Ok(told) = self.by_transcript(id, left) {
            return CaseArtifacts {
                told: Some(told),
                missing: answer.is_none().then_some(Missing::CaseChanged),
                answer,
                ..CaseArtifacts::default()
            };
        }
        match self.by_stdout(judged, instance) {
            Ok(told) => CaseArtifacts {
                told: Some(told),
                answer,
                ..self.written(id, &[err])
            },
            Err(missing) => CaseArtifacts {
                answer,
                missing: Some(missing),
                ..self.written(id, &[("txt", left.txt), err])
            },
        }
    }

    fn path(&self, id: CaseId, ext: &str) -> PathBuf {
        self.dir.join(id.file_name(ext))
    }

    fn by_transcript(&self, id: CaseId, left: &Left) -> Result<SessionView, Missing> {
        let digest = left.transcript.ok_or(Missing::Gone)?;
        let bytes = self.whole(&self.path(id, "transcript"), digest)?;
        let entries = transcript::read(&String::from_utf8_lossy(&bytes));
        Ok(SessionView::from_entries(
            &entries.map_err(|_| Missing::Changed)?,
        ))
    }

    /// The session by what the contestant wrote, judged again.
    fn by_stdout(
        &self,
        judged: &JudgedCase,
        instance: Option<&dyn Instance>,
    ) -> Result<SessionView, Missing> {
        let record = &judged.record;
        let stdout = match record.left.txt {
            Some(digest) => self.whole(&self.path(judged.case.id, "txt"), digest)?,
            None => Vec::new(),
        };
        let instance = instance.ok_or(Missing::OtherCase)?;
        let (entries, came) = replay_stdout(instance, self.turn_limit, record.turns, &stdout);
        // A record of an older tester does not say what was written.
        match came.turns == record.turns {
            true => Ok(SessionView::from_entries(&entries)),
            false => Err(Missing::Changed),
        }
    }

    /// All of a file, if it is what the run wrote and not too long.
    fn whole(&self, path: &Path, digest: Digest) -> Result<Vec<u8>, Missing> {
        let mut bytes = Vec::new();
        let file = opened(path, digest)?;
        let read = file.take(self.room + 1).read_to_end(&mut bytes);
        read.map_err(|_| Missing::Gone)?;
        match bytes.len() as u64 > self.room {
            true => Err(Missing::TooLong),
            false => Ok(bytes),
        }
    }

    /// The files of a case as they are, as far as the run has written them and they are not empty.
    fn written(&self, id: CaseId, files: &[(&str, Option<Digest>)]) -> CaseArtifacts {
        let mut kept = CaseArtifacts::default();
        let room = self.room / files.len() as u64;
        for (ext, digest) in files {
            let Some(digest) = digest else { continue };
            let ends = opened(&self.path(id, ext), *digest)
                .and_then(|file| ends(file, room).map_err(|_| Missing::Gone));
            match ends {
                Ok((text, left_out)) => kept.texts.push(Text {
                    name: id.file_name(ext),
                    text,
                    left_out,
                }),
                Err(missing) => kept.missing = Some(missing),
            }
        }
        kept
    }
}

/// A file, if it is what the run wrote.
fn opened(path: &Path, digest: Digest) -> Result<File, Missing> {
    let gone = |_: io::Error| Missing::Gone;
    let mut file = open_plain(path).map_err(gone)?;
    if Digest::from_reader(&mut file).map_err(gone)? != digest {
        return Err(Missing::Changed);
    }
    file.rewind().map_err(gone)?;
    Ok(file)
}

/// Both ends of a file, and how many bytes between them were left out.
fn ends(mut file: File, room: u64) -> io::Result<(String, u64)> {
    let long = file.metadata()?.len();
    let mut bytes = Vec::new();
    if long <= room {
        file.take(room).read_to_end(&mut bytes)?;
        return Ok((String::from_utf8_lossy(&bytes).into_owned(), 0));
    }
    file.by_ref().take(room / 2).read_to_end(&mut bytes)?;
    let head = String::from_utf8_lossy(&bytes).into_owned();
    bytes.clear();
    file.seek(SeekFrom::Start(long - room / 2))?;
    file.take(room / 2).read_to_end(&mut bytes)?;
    let tail = String::from_utf8_lossy(&bytes).into_owned();
    Ok((format!("{head}\n…\n{tail}"), long - room / 2 * 2))
}
