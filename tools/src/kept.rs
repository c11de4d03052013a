//! What a run has left in its folder: what both sides said in a case, as far as it is still that run's.
//!
//! Outputs are the last run's that wrote there. So nothing is believed for its name alone: a transcript
//! must end with the verdict and the time of the record; what was written on stdout must have been written
//! while this run was the last in its folder, and come to the same when it is judged again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;

use crate::case::{Case, CaseId, CaseKey, Content};
use crate::history::Run;
use crate::problem::Instance;
use crate::record::{Judged, Verdict};
use crate::referee::Stage;
use crate::replay::heard_again;
use crate::told::Told;
use crate::transcript::{self, Entry, Speaker};

/// What is left of one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Kept {
    /// The session turn by turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
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
    /// A later run has written there.
    Replaced,
    /// The case file is gone, or has another content.
    OtherCase,
    /// What is there does not come to what was recorded.
    Differs,
    /// It is too long to be taken along.
    TooLong,
}

/// Where the outputs of a run are, and until when what was written there was its own.
pub struct Folder {
    dir: PathBuf,
    begun_ms: i64,
    /// When the next run began to write there.
    next_ms: Option<i64>,
    turn_limit: u64,
    foreign: bool,
    /// The most bytes of a case.
    room: u64,
}

/// The system looks at the clock for a file's time only every so often (10 ms at most), so that it may lie
/// before the moment at which a run began.
const COARSE_MS: i64 = 20;

impl Folder {
    /// That of `run`; `runs` are all that may have written there, and of each case at most `room` bytes are
    /// read.
    pub fn of(run: &Run, runs: &[Run], room: u64) -> Self {
        let dir = &run.about.plan.out;
        let later = runs.iter().filter(|other| {
            other.about.plan.out == *dir && (other.begun_ms, other.id) > (run.begun_ms, run.id)
        });
        Self {
            dir: dir.clone(),
            begun_ms: run.begun_ms,
            next_ms: later.map(|other| other.begun_ms).min(),
            turn_limit: run.about.plan.limits.turns,
            foreign: run.about.plan.external.is_some(),
            room,
        }
    }

    /// What is left of a case. `case` is the case as it is now, if it is still there.
    pub fn kept(&self, judged: &Judged, case: Option<&Case>) -> Kept {
        let id = judged.case.id;
        if self.foreign {
            return self.written(id, &["txt", "log", "err"]);
        }
        let instance = case.and_then(|case| same_instance(case, &judged.case));
        let answer = instance.map(Instance::answer);
        let mut kept = match self.transcript(judged) {
            Some(told) => Kept {
                told: Some(told),
                ..Kept::default()
            },
            None => match self.by_stdout(judged, instance) {
                Ok(told) => Kept {
                    told: Some(told),
                    ..self.written(id, &["err"])
                },
                Err(missing) => Kept {
                    missing: Some(missing),
                    ..self.written(id, &["txt", "err"])
                },
            },
        };
        if kept.told.is_some() {
            kept.missing = None;
        }
        Kept { answer, ..kept }
    }

    fn path(&self, id: CaseId, ext: &str) -> PathBuf {
        self.dir.join(id.file_name(ext))
    }

    /// The session by its transcript, if that is of this run: it ends with the verdict that was recorded, and
    /// after as many microseconds, or it was written while this run was the last one here.
    fn transcript(&self, judged: &Judged) -> Option<Told> {
        let path = self.path(judged.case.id, "transcript");
        let bytes = read_whole(&path, self.room).ok()?;
        let entries = transcript::read(&String::from_utf8(bytes).ok()?).ok()?;
        let Entry { ms, speaker, text } = entries.last()?;
        let record = &judged.record;
        let says = *speaker == Speaker::Verdict && *text == record.headline();
        let then = ms.is_some_and(|ms| (ms - record.wall_ms).abs() < 0.001);
        let ours = says && (then || self.is_ours(&path).is_ok());
        ours.then(|| Told::of(&entries))
    }

    /// The session by what the contestant wrote, judged again.
    fn by_stdout(&self, judged: &Judged, instance: Option<&dyn Instance>) -> Result<Told, Missing> {
        let path = self.path(judged.case.id, "txt");
        self.is_ours(&path)?;
        let stdout = read_whole(&path, self.room)?;
        let instance = instance.ok_or(Missing::OtherCase)?;
        let record = &judged.record;
        let (entries, came) = heard_again(instance, self.turn_limit, record.turns, &stdout);
        let won = (came.stage, came.score) == (Stage::Solved, record.score);
        if came.turns != record.turns || (record.verdict == Verdict::Ac && !won) {
            return Err(Missing::Differs);
        }
        Ok(Told::of(&entries))
    }

    /// Whether a file was written while this run was the last one in its folder.
    fn is_ours(&self, path: &Path) -> Result<(), Missing> {
        let written = path.metadata().and_then(|meta| meta.modified());
        let written = written.map_err(|_| Missing::Gone)?;
        let since = written.duration_since(UNIX_EPOCH).unwrap_or_default();
        let ms = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        // What may be either's is the later one's: of a case that it has judged, it has written the file.
        let soon = ms + COARSE_MS;
        match soon >= self.begun_ms && self.next_ms.is_none_or(|next| soon < next) {
            true => Ok(()),
            false => Err(Missing::Replaced),
        }
    }

    /// The files of a case as they are; those that are there and not empty.
    fn written(&self, id: CaseId, exts: &[&str]) -> Kept {
        let mut kept = Kept::default();
        let room = self.room / exts.len() as u64;
        for ext in exts {
            let path = self.path(id, ext);
            match self.is_ours(&path) {
                Ok(()) => match read_ends(&path, room) {
                    Ok((text, _)) if text.is_empty() => {}
                    Ok((text, left_out)) => kept.texts.push(Text {
                        name: id.file_name(ext),
                        text,
                        left_out,
                    }),
                    Err(_) => kept.missing = Some(Missing::Gone),
                },
                // Not every judge has all of them.
                Err(Missing::Gone) => {}
                Err(missing) => kept.missing = Some(missing),
            }
        }
        if kept.texts.is_empty() {
            kept.missing = kept.missing.or(Some(Missing::Gone));
        }
        kept
    }
}

/// The instance of a case, if the case is still what was judged.
fn same_instance<'a>(case: &'a Case, judged: &CaseKey) -> Option<&'a dyn Instance> {
    match &case.content {
        Content::Ours(instance) if case.key.digest == judged.digest => Some(instance.as_ref()),
        _ => None,
    }
}

fn read_whole(path: &Path, room: u64) -> Result<Vec<u8>, Missing> {
    let gone = |_: io::Error| Missing::Gone;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(gone)?;
    file.take(room + 1).read_to_end(&mut bytes).map_err(gone)?;
    match bytes.len() as u64 > room {
        true => Err(Missing::TooLong),
        false => Ok(bytes),
    }
}

/// Both ends of a file, and how many bytes between them were left out.
fn read_ends(path: &Path, room: u64) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
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
