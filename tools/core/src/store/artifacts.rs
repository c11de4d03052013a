//! The output files of a run's cases, and the sessions that they show.
//!
//! The folder belongs to the run, so its files are trusted unless they were changed after the run's end.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::Serialize;

use super::clock::modified_ns;
use super::folders::near;
use super::pictures::{Picture, PictureReader};
use super::run::Run;
use crate::case::{Case, CaseId, Content};
use crate::judge::record::JudgedCase;
use crate::judge::replay::replay_stdout;
use crate::judge::session::SessionView;
use crate::judge::transcript;
use crate::problem::Instance;
use crate::process::shell_word;
use crate::util::regular_file::{open_plain, open_regular};

/// The most bytes of all pictures that are shown together, as those of a report are.
const PICTURES: u64 = 24 << 20;

/// Of a case that is drawn, at least this many bytes of its files are read.
const WHOLE: u64 = 3 << 20;

/// The session or output files of one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CaseArtifacts {
    /// The session turn by turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionView>,
    /// The line that would have won at once, if the case is built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The case's file, if only another judge understands it and it is as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Text>,
    /// The picture that the contest's visualizer drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
    /// The output files, if there is no session turn by turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<Text>,
    /// Why the session or its answer is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
}

/// The start of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    /// Its name: `0042.err`.
    pub name: String,
    /// Its content; bytes that are not UTF-8 are shown as U+FFFD.
    pub text: String,
    /// How many bytes in its middle were left out.
    pub left_out: u64,
    /// Where all of it is, if some was left out.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
}

/// Why a session, or its answer, is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The outputs have expired, or the run is older than folders for each run.
    NotKept,
    /// The case was judged on another machine, and its outputs are there.
    OtherMachine,
    /// The outputs, or the case itself, were changed after the run.
    Changed,
}

/// The folder with the outputs of a run.
pub(crate) struct Folder {
    dir: Option<PathBuf>,
    /// Files that were written later are not the run's.
    ended_ns: Option<i64>,
    turn_limit: u64,
    external: bool,
    kinds: Vec<&'static str>,
    merged: bool,
    /// The most bytes of a case.
    room: u64,
    pictures: PictureReader,
}

impl Folder {
    /// The outputs of `run`; at most `room` bytes are read of each case.
    pub(crate) fn from_run(run: &Run, room: u64) -> Self {
        let spec = &run.about.spec;
        Self {
            dir: run.folder.clone(),
            ended_ns: run.ended_ns,
            turn_limit: spec.limits.turns,
            external: spec.external.is_some(),
            kinds: spec.output_kinds(),
            merged: run.merged,
            room,
            pictures: PictureReader::new(PICTURES),
        }
    }

    /// The output files of a case that the run has written and that are not empty, as they would be typed.
    pub(crate) fn named(&self, id: CaseId) -> Vec<String> {
        let Some(dir) = self.dir.as_ref() else {
            return Vec::new();
        };
        let is_there = |kind: &&&str| {
            let file = self.opened(id, kind).and_then(|file| {
                let found = file.metadata().map_err(|_| Missing::NotKept)?;
                Ok(found.len() > 0)
            });
            file.unwrap_or(false)
        };
        let kinds = self.kinds.iter().filter(is_there);
        let path = |kind: &&str| near(dir).join(id.file_name(kind));
        let typed = kinds.map(|kind| shell_word(path(kind).as_os_str()));
        typed.collect()
    }

    /// The artifacts of a case. `case` is the case as it is now, if it still exists.
    ///
    /// Cost: reads its files.
    pub(crate) fn artifacts(&self, judged: &JudgedCase, case: Option<&Case>) -> CaseArtifacts {
        let id = judged.case.id;
        if self.external {
            return self.external_artifacts(judged, case);
        }
        let instance = case.and_then(|case| case.instance_of(&judged.case));
        let answer = instance.and_then(Instance::answer);
        if let Some(session) = self.by_transcript(id, instance) {
            return CaseArtifacts {
                session: Some(session),
                missing: instance.is_none().then_some(Missing::Changed),
                answer,
                ..CaseArtifacts::default()
            };
        }
        match self.by_stdout(judged, instance) {
            Ok(Some(session)) => CaseArtifacts {
                session: Some(session),
                answer,
                ..self.written(id, &["err"])
            },
            Ok(None) => CaseArtifacts {
                answer,
                ..self.written(id, &["txt", "err"])
            },
            // If only the case has changed, the output files are shown.
            Err(missing) => CaseArtifacts {
                answer,
                missing: Some(missing),
                ..match instance {
                    Some(_) => self.written(id, &["err"]),
                    None => self.written(id, &["txt", "err"]),
                }
            },
        }
    }

    /// What there is of a case that only another judge understands.
    fn external_artifacts(&self, judged: &JudgedCase, case: Option<&Case>) -> CaseArtifacts {
        let id = judged.case.id;
        let picture = (self.dir.as_ref()).and_then(|dir| self.pictures.read(dir, id));
        // What is drawn is copied to other visualizers too, which need all of it.
        let room = match picture {
            Some(_) => self.room.max(WHOLE),
            None => self.room,
        };
        let unchanged = case.filter(|case| case.key.digest == judged.case.digest);
        CaseArtifacts {
            input: unchanged.and_then(|case| input(case, room / 3)),
            picture,
            ..self.written_within(id, &["txt", "log", "err"], room / 3)
        }
    }

    fn by_transcript(&self, id: CaseId, instance: Option<&dyn Instance>) -> Option<SessionView> {
        let bytes = self.whole(id, "transcript").ok()??;
        let entries = transcript::read(&String::from_utf8_lossy(&bytes)).ok()?;
        Some(SessionView::new(instance, &entries))
    }

    /// The session, judged again from the contestant's output; `None` if the output is too long.
    fn by_stdout(
        &self,
        judged: &JudgedCase,
        instance: Option<&dyn Instance>,
    ) -> Result<Option<SessionView>, Missing> {
        let turns = judged.record.turns;
        let Some(stdout) = self.whole(judged.case.id, "txt")? else {
            return Ok(None);
        };
        let instance = instance.ok_or(Missing::Changed)?;
        let (entries, came) = replay_stdout(instance, self.turn_limit, turns, &stdout);
        match came.turns == turns {
            true => Ok(Some(SessionView::new(Some(instance), &entries))),
            false => Err(Missing::Changed),
        }
    }

    /// All of a file; `None` if it is too long.
    fn whole(&self, id: CaseId, kind: &str) -> Result<Option<Vec<u8>>, Missing> {
        let mut bytes = Vec::new();
        let file = self.opened(id, kind)?;
        let read = file.take(self.room + 1).read_to_end(&mut bytes);
        read.map_err(|_| Missing::NotKept)?;
        Ok((bytes.len() as u64 <= self.room).then_some(bytes))
    }

    /// The files of a case that the run has written and that are not empty.
    fn written(&self, id: CaseId, kinds: &[&str]) -> CaseArtifacts {
        self.written_within(id, kinds, self.room / kinds.len() as u64)
    }

    /// The same, of each at most `room` bytes.
    fn written_within(&self, id: CaseId, kinds: &[&str], room: u64) -> CaseArtifacts {
        let mut kept = CaseArtifacts::default();
        for kind in kinds.iter().filter(|kind| self.kinds.contains(kind)) {
            let ends = self
                .opened(id, kind)
                .and_then(|file| ends(file, room).map_err(|_| Missing::NotKept));
            match ends {
                Ok((text, _)) if text.is_empty() => {}
                Ok((text, left_out)) => {
                    let name = id.file_name(kind);
                    let whole = self.dir.as_ref().filter(|_| left_out > 0);
                    let path = whole.map(|dir| near(&dir.join(&name)).display().to_string());
                    kept.texts.push(Text {
                        name,
                        text,
                        left_out,
                        path: path.unwrap_or_default(),
                    });
                }
                // An empty stderr leaves no file; what the line itself printed may be missing too.
                Err(Missing::NotKept) if ["err", "log"].contains(kind) && self.dir.is_some() => {}
                Err(missing) => kept.missing = Some(missing),
            }
        }
        kept
    }

    /// A file of the run, if it has not changed since.
    fn opened(&self, id: CaseId, kind: &str) -> Result<File, Missing> {
        let not_kept = match self.merged {
            true => Missing::OtherMachine,
            false => Missing::NotKept,
        };
        if !self.kinds.contains(&kind) {
            return Err(not_kept);
        }
        let dir = self.dir.as_ref().ok_or(not_kept)?;
        let file = open_plain(&dir.join(id.file_name(kind))).map_err(|_| not_kept)?;
        let found = file.metadata().map_err(|_| not_kept)?;
        match self
            .ended_ns
            .is_some_and(|ended| modified_ns(&found) > ended)
        {
            true => Err(Missing::Changed),
            false => Ok(file),
        }
    }
}

/// The file of a case that only another judge understands.
fn input(case: &Case, room: u64) -> Option<Text> {
    let Content::External { path, .. } = &case.content else {
        return None;
    };
    let (text, left_out) = ends(open_regular(path).ok()?, room).ok()?;
    let name = path.display().to_string();
    Some(Text {
        path: if left_out > 0 {
            name.clone()
        } else {
            String::new()
        },
        name,
        text,
        left_out,
    })
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
