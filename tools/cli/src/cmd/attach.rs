//! `tester attach`: judges a program that you start yourself, such as in a debugger, through two FIFOs.
//!
//! The judge, ours or the contest's, is the usual one. It starts a relay instead of the program, and the relay joins
//! the FIFOs (`process/relay.rs`). So rules, verdict and reasons are those of any case; only the time limit is gone.

use std::io::{self, PipeReader, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tester_core::case::{CaseFile, read_case_file};
use tester_core::judge::external::External;
use tester_core::judge::record::{Record, Verdict};
use tester_core::judge::verdict::Limits;
use tester_core::judge::{JudgeError, Watcher, judge_started};
use tester_core::problem::{Instance, problem_of};
use tester_core::process::{Command, Confinement, Containment, Contestant, Fifos};
use tester_core::process::{adopt_orphans, relay_command};
use tester_core::util::quote::{one_line, printable};

use crate::args::{Attach, AttachSettings};
use crate::cmd::attach_recipe::Recipe;
use crate::cmd::draw::find_case;
use crate::cmd::instance_of_seed::instance_of_seed;
use crate::hint::with_hint;
use crate::terminal::interrupt::Interrupt;

/// The longest line that is shown whole, in characters.
const SHOWN: usize = 1000;

/// How long the one who shows the conversation sleeps where no relay has it open.
const PAUSE: Duration = Duration::from_millis(20);

pub(crate) fn run(args: &Attach) -> Result<ExitCode> {
    let attached = attach(args);
    Containment::close();
    attached
}

fn attach(args: &Attach) -> Result<ExitCode> {
    let settings = args.settings()?;
    // A program that is missing may be built later.
    settings.program.check_no_source()?;
    let case = AttachedCase::new(args, &settings)?;
    // Signals are caught before anything exists that a signal would leave over.
    let interrupt = Interrupt::listen()?;
    let fifos = Fifos::new(&args.folder)?;
    adopt_orphans();
    let recipe = Recipe::new(&settings.program, &fifos);
    note!("case       {}\n{recipe}", case.name());
    note!("waiting for the program; there is no time limit");
    loop {
        let record = session(&case, &fifos, &interrupt)?;
        if let Some(reason) = &record.reason {
            note!("{}: {reason}", record.verdict);
        }
        note!("Score = {}", record.score);
        if args.once {
            return Ok(ExitCode::from(u8::from(record.verdict != Verdict::Ac)));
        }
        let still_runs = || note!("the program still runs: end it, and run it again");
        fifos
            .wait_for_end(interrupt.fd(), still_runs)
            .context("failed to wait for the end of the program")?;
        if let Some(interrupted) = interrupt.heard() {
            return Err(interrupted.into());
        }
        note!("waiting for the program again; Ctrl-C ends this");
    }
}

/// A case, and the judge that it is for.
enum AttachedCase {
    Builtin {
        name: String,
        instance: Box<dyn Instance>,
        limits: Limits,
    },
    External {
        judge: Box<External>,
        case: CaseFile,
        out: PathBuf,
        limits: Limits,
    },
}

impl AttachedCase {
    fn new(args: &Attach, settings: &AttachSettings) -> Result<Self> {
        if let Some(seed) = args.seed {
            let instance = instance_of_seed(&args.problem, seed)?;
            let name = format!("seed {seed} ({})", instance.spec());
            return Ok(Self::builtin(name, instance, settings));
        }
        let typed = args.case.as_deref().unwrap_or("0".as_ref());
        let case = find_case(typed, &settings.cases)?;
        let Some(spec) = &settings.external else {
            let instance = read_case_file(&case.path)?;
            let name = format!("{} ({})", case.path.display(), instance.spec());
            return Ok(Self::builtin(name, instance, settings));
        };
        if !spec.line.contains("{command}") {
            return Err(with_hint(
                "the line of the contest's tester starts no {command}, which attach would take the place of",
                "write {command} for the program in external = \"…\" of tester.toml",
            ));
        }
        spec.check(Some(&settings.program))?;
        spec.check_programs()?;
        let out = args.folder.join(case.id.file_name("txt"));
        Ok(Self::External {
            judge: Box::new(External::new(spec.clone())?),
            case,
            out,
            limits: settings.limits(Limits::default()),
        })
    }

    fn builtin(name: String, instance: Box<dyn Instance>, settings: &AttachSettings) -> Self {
        let usual = Limits::from_problem(problem_of(instance.as_ref()));
        Self::Builtin {
            name,
            instance,
            limits: settings.limits(usual),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Builtin { name, .. } => name.clone(),
            Self::External { case, .. } => {
                format!("{}, by the contest's tester", case.path.display())
            }
        }
    }

    /// Judges what comes through the FIFOs.
    fn judge(&self, fifos: &Fifos, interrupt: &Interrupt) -> Result<Record, JudgeAttachedError> {
        let words = relay_command(fifos.folder())?;
        let relay = Command {
            program: words[0].clone(),
            args: words[1..].to_vec(),
        };
        let containment = Containment::Namespace.available();
        let fd = Some(interrupt.fd());
        match self {
            Self::Builtin {
                instance, limits, ..
            } => {
                let confinement = limits.confinement(containment, None);
                let relay = Contestant::start(&relay, &confinement).map_err(JudgeError::from)?;
                let instance = instance.as_ref();
                Ok(judge_started(instance, relay, limits, fd, &mut Stderr)?)
            }
            Self::External {
                judge,
                case,
                out,
                limits,
            } => {
                let line = judge.spec().filled(&case.path, case.id.0, out, &relay);
                let shell = Command::shell(line);
                let confinement = Confinement {
                    nests: true,
                    ..limits.confinement(containment, None)
                };
                let shell = Contestant::start(&shell, &confinement).map_err(JudgeError::from)?;
                Ok(judge.judge("external", shell, None, limits, fd, &mut Stderr)?)
            }
        }
    }
}

/// Why a case could not be judged.
#[derive(Debug, thiserror::Error)]
enum JudgeAttachedError {
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error("failed to start the relay")]
    Relay(#[from] io::Error),
}

/// What the contest's tester, or the relay, says on stderr goes to ours.
struct Stderr;

impl Watcher for Stderr {
    fn stderr(&mut self, _at: Duration, bytes: &[u8]) -> io::Result<()> {
        let _ = io::stderr().write_all(bytes);
        Ok(())
    }
}

/// One run of the program, from the opening to the verdict.
fn session(case: &AttachedCase, fifos: &Fifos, interrupt: &Interrupt) -> Result<Record> {
    // Before the relay starts, which shows nothing without a reader.
    let conversation = fifos
        .conversation()
        .context("failed to open the conversation")?;
    let (ended, judging) = io::pipe().context("failed to make a pipe")?;
    let judged = std::thread::scope(|scope| -> Result<Record> {
        let shown = std::thread::Builder::new();
        let shown = shown.spawn_scoped(scope, || show(&conversation, &ended));
        shown.context("failed to start a thread")?;
        let judged = case.judge(fifos, interrupt);
        drop(judging);
        Ok(judged?)
    });
    match interrupt.heard() {
        Some(interrupted) => Err(interrupted.into()),
        None => judged,
    }
}

/// Prints the conversation on standard output until the case is judged and nothing is left.
fn show(conversation: &OwnedFd, ended: &PipeReader) {
    let mut text = Vec::new();
    let mut bytes = [0; 1 << 14];
    loop {
        let mut fds = [
            PollFd::new(conversation, PollFlags::IN),
            PollFd::new(ended, PollFlags::IN),
        ];
        let _ = poll(&mut fds, None::<&Timespec>);
        let is_over = !fds[1].revents().is_empty();
        match rustix::io::read(conversation, &mut bytes) {
            Ok(read) if read > 0 => {
                text.extend_from_slice(&bytes[..read]);
                print_lines(&mut text);
            }
            _ if is_over => return,
            // No relay has it open now.
            _ => std::thread::sleep(PAUSE),
        }
    }
}

/// Prints the complete lines, and keeps the rest.
fn print_lines(text: &mut Vec<u8>) {
    let Some(end) = text.iter().rposition(|&b| b == b'\n') else {
        return;
    };
    let rest = text.split_off(end + 1);
    let mut shown = String::new();
    for line in text.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        let line = one_line(String::from_utf8_lossy(line).trim_end());
        match line.char_indices().nth(SHOWN) {
            None => shown += &line,
            Some((at, _)) => shown += &format!("{}…", &line[..at]),
        }
        shown.push('\n');
    }
    *text = rest;
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(printable(&shown).as_bytes());
    let _ = stdout.flush();
}
