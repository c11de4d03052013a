//! `tester batch --watch`: the same cases again whenever the program was built anew.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use jiff::tz::TimeZone;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::again;
use super::batch_job::{Job, has_changed};
use super::new_run::prepare;
use crate::cli::args::Batch;
use crate::cli::hint::hint_of;
use crate::cli::terminal::interrupt::{Interrupt, prepare_batch};
use crate::process::Command;
use crate::process::fingerprint::{fingerprint, fingerprint_of_line};
use crate::report::changes;
use crate::report::text::moment;
use crate::run::cancel::CancelToken;
use crate::run::program_files::{Look, look, named_files};
use crate::stats::paired::match_cases;
use crate::store::{History, RunId};
use crate::util::wall_clock::now_ms;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// How many looks in a row have to find the same before a file counts as complete: a linker writes it piece by piece.
const QUIET: u32 = 4;

/// Judges, waits for another program, and judges again until a signal comes.
pub(super) fn run(args: &Batch) -> Result<ExitCode> {
    let built = prepare(args)?;
    let watched = Watched::new(args)?;
    // Before the program is looked at in any other way, so that no change is missed.
    let mut judged = watched.state();
    // The worst or failed cases of an earlier run are the same in each round, which may have others.
    let source = again::source(args)?;
    let mut job = Job::begin(args, source.clone(), built)?;
    let (interrupt, _) = prepare_batch()?;
    loop {
        let run = job.run_id();
        let stop = CancelToken::new(Some(interrupt.fd()))?;
        let status = match job.finish(args, &interrupt, &stop) {
            Ok(status) => {
                tell_changes(args, run)?;
                if watched.content() != judged.content {
                    note!("caution: the program has changed while it was judged");
                }
                status
            }
            // Its other cases would be of no use. Whatever the program is once it is complete, it is judged.
            Err(error) if has_changed(&error) => {
                say!("{error:#}");
                judged = FileState::default();
                ExitCode::FAILURE
            }
            Err(error) => return Err(error),
        };
        note!("watching {} (Ctrl-C ends)", watched.names());
        job = loop {
            if !watched.wait_for_another(&judged, &interrupt)? {
                return Ok(status);
            }
            judged = watched.state();
            match Job::begin(args, source.clone(), None) {
                Ok(job) => {
                    let now = moment(now_ms(), &TimeZone::system());
                    note!("\n---- run {}, {now} ----", job.run_id());
                    break job;
                }
                // The next build may be better.
                Err(error) => {
                    say!("{error:#}");
                    if let Some(hint) = hint_of(&error) {
                        note!("hint: {hint}");
                    }
                }
            }
        };
    }
}

/// Prints the changes of a run against the run before it on the same cases.
fn tell_changes(args: &Batch, run: RunId) -> Result<()> {
    let history = History::open_existing(&args.run.kept.history())?;
    let last = history.find(&run.to_string())?;
    if let Some(before) = history.before(&last)? {
        let matched = match_cases(&history.scores(before.id)?, &history.scores(last.id)?);
        let text = changes::text(&matched, last.objective(), &format!("run {}", before.id));
        note!("{}", text.trim_end());
    }
    Ok(())
}

/// The files that decide how cases are judged.
struct Watched {
    command: Option<Command>,
    line: Option<String>,
    files: Vec<PathBuf>,
}

/// What is known of the files at some time.
#[derive(Default, PartialEq)]
struct FileState {
    /// `None` where there is no such file.
    looks: Vec<Option<Look>>,
    content: (Option<String>, Option<String>),
}

impl Watched {
    fn new(args: &Batch) -> Result<Self> {
        let command = args.program();
        let line = args.external()?.map(|external| external.line);
        let program = command.as_ref().map(Command::find).transpose()?;
        let args = command.as_ref().map_or(&[][..], |command| &command.args);
        let files = named_files(program.as_deref(), args, line.as_deref());
        Ok(Self {
            command,
            line,
            files,
        })
    }

    fn names(&self) -> String {
        let names = self.files.iter().map(|file| file.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    fn looks(&self) -> Vec<Option<Look>> {
        self.files.iter().map(|file| look(file)).collect()
    }

    fn content(&self) -> (Option<String>, Option<String>) {
        let line = self.line.as_deref();
        (
            self.command.as_ref().map(fingerprint),
            line.map(fingerprint_of_line),
        )
    }

    fn state(&self) -> FileState {
        FileState {
            looks: self.looks(),
            content: self.content(),
        }
    }

    /// Waits until the files are complete and have another content than those that were judged; false if a signal came.
    fn wait_for_another(&self, judged: &FileState, interrupt: &Interrupt) -> Result<bool> {
        // Unequal to what was judged if that changed meanwhile.
        let mut known = judged.looks.clone();
        loop {
            let mut last = self.looks();
            let mut quiet = 0;
            while last == known || quiet < QUIET {
                if self.pause(interrupt)? {
                    return Ok(false);
                }
                let now = self.looks();
                let is_whole = now.iter().all(Option::is_some);
                quiet = if now == last && is_whole {
                    quiet + 1
                } else {
                    0
                };
                last = now;
            }
            if self.content() != judged.content {
                return Ok(true);
            }
            known = last;
        }
    }

    /// Waits a little; true if a signal came.
    fn pause(&self, interrupt: &Interrupt) -> Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(interrupt.fd(), PollFlags::IN)];
        let time = Timespec::try_from(INTERVAL).expect("a short time");
        match poll(&mut fds, Some(&time)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(interrupt.heard().is_some()),
            Err(error) => Err(error.into()),
        }
    }
}
