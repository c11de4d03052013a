//! Many cases on worker threads: one judge process, many children.
//!
//! Workers judge and send records; the calling thread alone receives them, so that whoever prints
//! has no rival. It owns no output beside the files that it was asked for.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use crate::case::{CaseError, CaseFile};
use crate::contestant::{Command, StartError};
use crate::files::{self, WholeFile, WriteError};
use crate::judge::{Fault, Watcher, judge};
use crate::quote::causes;
use crate::record::Record;
use crate::verdict::Limits;

/// What is to be judged, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<CaseFile>,
    /// The contestant.
    pub command: Command,
    /// What it may use.
    pub limits: Limits,
    /// How many contestants run at the same time.
    pub jobs: NonZeroUsize,
    /// Where `NNNN.txt` (stdout) and `NNNN.err` (stderr) go.
    pub out: PathBuf,
}

/// Why a batch did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A case file cannot be read.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The contestant cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The outputs would replace the cases.
    #[error(
        "failed to choose where outputs go: expected another folder than that of the cases, found {} \
         for both; nothing was run",
        .dir.display()
    )]
    SameFolder {
        /// The folder.
        dir: PathBuf,
    },
    /// An output file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Judging failed in a way that would fail for every case.
    #[error("failed to judge case {}", .case.path.display())]
    Fault {
        /// The case.
        case: CaseFile,
        /// What happened.
        #[source]
        fault: Fault,
    },
}

/// Judges all cases and returns their records in the order of the cases; calls `each` with every
/// record as it comes.
///
/// Before anything is started or written, every case is read and the contestant is looked up.
/// A case that the machine could not judge (no process or memory left) becomes a record with
/// verdict IE.
///
/// # Errors
/// If a case cannot be read, the contestant cannot be started, or an output cannot be written. The
/// files of the cases judged until then are whole.
pub fn run(
    plan: &Plan,
    interrupt: Option<BorrowedFd<'_>>,
    mut each: impl FnMut(&Record),
) -> Result<Vec<Record>, BatchError> {
    for case in &plan.cases {
        case.read()?;
    }
    plan.command.check()?;
    let out = plan.out.canonicalize().ok();
    let folder = |case: &CaseFile| case.path.parent().and_then(|dir| dir.canonicalize().ok());
    if out.is_some() && plan.cases.iter().any(|case| folder(case) == out) {
        return Err(BatchError::SameFolder {
            dir: plan.out.clone(),
        });
    }
    files::make_dir(&plan.out)?;
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let worker = |sender: mpsc::Sender<_>| {
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = plan.cases.get(index) else {
                break;
            };
            let judged = judge_file(plan, case, interrupt);
            if sender.send((index, judged)).is_err() {
                break;
            }
        }
    };
    let mut records: Vec<Option<Record>> = vec![None; plan.cases.len()];
    let mut failed = None;
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.get().min(plan.cases.len()) {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        drop(sender);
        for (index, judged) in receiver {
            match judged {
                Ok(record) => {
                    each(&record);
                    records[index] = Some(record);
                }
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failed = failed.take().or(Some(error));
                }
            }
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(records.into_iter().flatten().collect()),
    }
}

fn judge_file(
    plan: &Plan,
    case: &CaseFile,
    interrupt: Option<BorrowedFd<'_>>,
) -> Result<Record, BatchError> {
    let instance = case.read()?;
    let path = |ext| plan.out.join(case.id.file_name(ext));
    let mut outputs = Outputs {
        stdout: WholeFile::create(&path("txt"))?,
        stderr: WholeFile::create(&path("err"))?,
    };
    let judged = judge(
        instance.as_ref(),
        &plan.command,
        &plan.limits,
        interrupt,
        &mut outputs,
    );
    let record = match judged {
        Ok(record) => record,
        Err(fault @ (Fault::System { .. } | Fault::Start(StartError::System { .. }))) => {
            Record::internal_error(instance.opening(), causes(&fault))
        }
        Err(Fault::Start(error)) => return Err(error.into()),
        Err(fault) => {
            return Err(BatchError::Fault {
                case: case.clone(),
                fault,
            });
        }
    };
    outputs.stdout.finish()?;
    outputs.stderr.finish()?;
    Ok(Record {
        case: Some(case.id),
        ..record
    })
}

/// The two files of one case.
struct Outputs {
    stdout: WholeFile,
    stderr: WholeFile,
}

impl Watcher for Outputs {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.write_all(bytes)
    }

    fn stderr(&mut self, _: Duration, bytes: &[u8]) -> io::Result<()> {
        self.stderr.write_all(bytes)
    }
}
