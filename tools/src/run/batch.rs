//! Many cases on worker threads: one judge process, many children.
//!
//! Workers judge; the calling thread alone receives what they found, so that whoever prints or keeps
//! it has no rival. It owns no output beside the files that it was asked for.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::case::{Case, CaseError, CaseId, Content, LazyCase, Source};
use crate::judge::external::External;
use crate::judge::record::{JudgedCase, Record};
use crate::judge::verdict::Limits;
use crate::judge::{JudgeError, judge_started};
use crate::problem::Objective;
use crate::process::sandbox::Sandbox;
use crate::process::{Command, Contestant, StartError, clear_orphans};
use crate::run::cancel::CancelToken;
use crate::run::worker_pool::in_parallel;
use crate::util::atomic_file::{self, AtomicFile, WriteError};
use crate::util::file_pool::FilePool;
use crate::util::quote::causes;

use super::outputs::Outputs;

/// How cases are to be judged.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The contestant.
    pub command: Command,
    /// What it may use.
    pub limits: Limits,
    /// How many contestants run at the same time.
    pub jobs: NonZeroUsize,
    /// Where `NNNN.txt` (stdout) and `NNNN.err` (stderr) go.
    pub out: PathBuf,
    /// Whether both sides are written down, in `NNNN.transcript`.
    pub transcripts: bool,
    /// What keeps the contestant in its place, if anything does.
    pub sandbox: Option<Sandbox>,
    /// The judge, if it is another than this one.
    pub external: Option<External>,
}

/// Why a batch did not come to its end. What was judged until then is whole.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A case file cannot be read.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The contestant cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The outputs would replace the cases.
    #[error("outputs and cases are in one folder, {}; nothing was run", .dir.display())]
    SameFolder {
        /// The folder.
        dir: PathBuf,
    },
    /// Not even one thread can be started.
    #[error("failed to start a thread")]
    Thread(#[source] io::Error),
    /// An output file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl BatchError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Case(error) => error.hint(),
            Self::Start(error) => error.hint(),
            Self::SameFolder { .. } => Some("name another folder with --out".to_owned()),
            Self::Thread(_) | Self::Write(_) => None,
        }
    }
}

impl Plan {
    /// Looks, before anything is run or written, whether the contestant can be started and its
    /// outputs have a place, and makes the folder.
    ///
    /// # Errors
    /// If the program is not there, the two folders are one, or `out` cannot be made or written.
    pub fn prepare(&self, source: &Source) -> Result<(), BatchError> {
        self.command.check()?;
        let out = self.out.canonicalize().ok();
        // Where a case's name is, and where a link leads to.
        let is_out = |path: &Path| {
            let named = atomic_file::folder_of(path).canonicalize().ok();
            let real = path.canonicalize().ok();
            named == out || real.as_deref().and_then(Path::parent) == out.as_deref()
        };
        if out.is_some() && source.files()?.iter().any(|file| is_out(&file.path)) {
            return Err(BatchError::SameFolder {
                dir: self.out.clone(),
            });
        }
        atomic_file::make_dir(&self.out)?;
        // Dropped at once, it leaves nothing; but a folder that may not be written is found out now.
        AtomicFile::create(&self.file(CaseId(0), "txt"))?;
        Ok(())
    }

    /// Whether less is better, or more.
    pub fn objective(&self) -> Objective {
        self.external
            .as_ref()
            .map_or(Objective::Min, External::objective)
    }

    /// What is started for a case.
    fn started(&self, case: &Case) -> Command {
        match (&self.external, &case.content) {
            (Some(external), Content::External { path, .. }) => {
                let id = case.key.id;
                let line = external.filled(path, id.0, &self.file(id, "txt"), &self.command);
                Command {
                    program: "sh".into(),
                    args: vec!["-c".into(), line],
                }
            }
            _ => self.command.clone(),
        }
    }

    /// How the file with what is printed on stdout ends.
    pub(super) fn stdout_ext(&self) -> &'static str {
        match &self.external {
            Some(external) if external.writes_out() => "log",
            _ => "txt",
        }
    }

    pub(super) fn file(&self, case: CaseId, ext: &str) -> PathBuf {
        self.out.join(case.file_name(ext))
    }
}

/// Judges all cases and hands them to `each` as they come, in any order; a `Break` from there stops
/// everything. A case that was being judged when `stop` came is not handed over.
///
/// A case that the machine could not judge (no process or memory left) becomes a record with
/// verdict IE.
///
/// Memory does not grow with the number of cases.
///
/// # Errors
/// If a case cannot be read, the contestant cannot be started, or an output cannot be written. The
/// files of the cases judged until then are whole.
pub fn run(
    plan: &Plan,
    cases: impl Iterator<Item = LazyCase> + Send,
    stop: &CancelToken,
    mut each: impl FnMut(&[JudgedCase]) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let mut failed = None;
    let shelf = FilePool::new(&plan.out);
    let work = |ticket: LazyCase| -> Result<Option<JudgedCase>, BatchError> {
        let case = ticket.open()?;
        judge_case(plan, &case, &shelf, stop)
    };
    let done = in_parallel(plan.jobs, cases, work, |results| {
        let mut judged = Vec::with_capacity(results.len());
        let mut flow = ControlFlow::Continue(());
        for result in results {
            match result {
                Ok(Some(case)) => judged.push(case),
                Ok(None) => flow = ControlFlow::Break(()),
                Err(error) => {
                    failed.get_or_insert(error);
                    flow = ControlFlow::Break(());
                }
            }
        }
        if !judged.is_empty() && each(&judged).is_break() {
            flow = ControlFlow::Break(());
        }
        if flow.is_break() {
            stop.now();
        }
        flow
    });
    clear_orphans();
    done.map_err(BatchError::Thread)?;
    failed.map_or(Ok(()), Err)
}

/// Judges one case and keeps its outputs, for which `shelf` has room; `None` if it was stopped.
pub(crate) fn judge_case(
    plan: &Plan,
    case: &Case,
    shelf: &FilePool,
    stop: &CancelToken,
) -> Result<Option<JudgedCase>, BatchError> {
    let id = case.key.id;
    if plan.external.as_ref().is_some_and(External::writes_out) {
        // What an earlier run has left there must not be scored.
        let path = plan.file(id, "txt");
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(WriteError { path, source }.into());
            }
            _ => {}
        }
    }
    let judged =
        Contestant::start(&plan.started(case), plan.sandbox.as_ref()).map_err(JudgeError::from);
    // Its files are made while it is being loaded.
    let mut outputs = Outputs::create(plan, shelf)?;
    let judged = judged.and_then(|contestant| {
        let (limits, stop) = (&plan.limits, Some(stop.fd()));
        match (&case.content, &plan.external) {
            (Content::Builtin(instance), _) => {
                judge_started(instance.as_ref(), contestant, limits, stop, &mut outputs)
            }
            (Content::External { name, .. }, Some(external)) => {
                external.judge(name, contestant, limits, stop, &mut outputs)
            }
            (Content::External { .. }, None) => Err(JudgeError::System {
                what: "judge another judge's case",
                source: io::Error::other("that judge was not named"),
            }),
        }
    });
    let record = match judged {
        Ok(record) => record,
        Err(JudgeError::Interrupted) => return Ok(None),
        Err(fault @ (JudgeError::System { .. } | JudgeError::Start(StartError::System { .. }))) => {
            Record::internal_error(case.opening(), causes(&fault))
        }
        Err(JudgeError::Start(error)) => return Err(error.into()),
        Err(JudgeError::Watcher(source)) => {
            let path = plan.file(id, "txt");
            return Err(WriteError { path, source }.into());
        }
    };
    let left = outputs.finish(plan, id, &record)?;
    Ok(Some(JudgedCase {
        case: case.key,
        record: Record { left, ..record },
    }))
}
