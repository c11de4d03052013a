//! `tester PROGRAM < CASE > OUTPUT`: one case, in the shape of the contest's own local tester.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::{CaseId, read_case};
use tester_core::judge::interactor::{Interactor, InteractorCase};
use tester_core::judge::record::{Record, Verdict};
use tester_core::judge::verdict::Limits;
use tester_core::judge::{JudgeError, Watcher, judge, judge_started};
use tester_core::problem::{Instance, Problem, default_problem, problem_of};
use tester_core::process::sandbox::PrivateFolder;
use tester_core::process::{Command, Confinement, Containment, Contestant, adopt_orphans};
use tester_core::util::atomic_file::folder_of;
use tester_core::util::quote::causes;
use tester_core::util::tester_word::tester_word;

use crate::args::Single;
use crate::cmd::instance_of_seed::instance_of_seed;
use crate::cmd::sandbox::{sandbox, usual_folders};
use crate::hint::with_hint;
use crate::terminal::echo::{Echo, TranscriptSink};
use crate::terminal::hide_argv;
use crate::terminal::interrupt::Interrupt;

pub(crate) fn run(args: &Single) -> Result<ExitCode> {
    // It opens while the case is read, if it did not begin earlier, and closes while the verdict is written.
    args.limits.containment().prepare();
    let judged = judge_one(args);
    Containment::close();
    judged
}

fn judge_one(args: &Single) -> Result<ExitCode> {
    let containment = args.limits.containment();
    // The path of the case is read here, because the next step closes our standard input.
    let sandboxed = args.limits.sandbox;
    let hidden = sandboxed.then(|| hidden_folders(std::fs::read_link("/proc/self/fd/0").ok()));
    let program = args.program();
    let case = SingleCase::read(args, &program)?;
    hide_secret()?;
    let sandbox = hidden
        .map(|hidden| {
            let private = matches!(case, SingleCase::Interactor(..)).then(PrivateFolder::new);
            sandbox(&program, &hidden, private.transpose()?)
        })
        .transpose()?;
    // Signals are caught before anything exists that a signal would leave over.
    let interrupt = Interrupt::listen()?;
    let transcript = args
        .transcript
        .as_deref()
        .map(|path| TranscriptSink::open(path, interrupt.fd()))
        .transpose()?;
    adopt_orphans();
    let limits = args.limits.limits(case.problem());
    // The contestant starts here, while the rest of our program is still being loaded.
    let confinement = Confinement {
        is_last: true,
        ..limits.confinement(containment, sandbox.as_ref())
    };
    let contestant = match &case {
        SingleCase::Builtin(_) => Some(Contestant::start(&program, &confinement)?),
        SingleCase::Interactor(..) => None,
    };
    let mut echo = Echo::new(transcript, interrupt.fd())?;
    let (program, fd) = ((&program, &confinement), Some(interrupt.fd()));
    let judged = case.judge(program, contestant, &limits, fd, &mut echo);
    let record = match judged {
        Ok(record) => record,
        Err(error) => return end_without_record(error, &case, &interrupt, echo),
    };
    echo.finish(&record)
        .map_err(|error| match interrupt.heard() {
            // The interrupt came while we waited for the reader of our output.
            Some(interrupted) => interrupted.into(),
            None => error,
        })?;
    let failed = args.strict && record.verdict != Verdict::Ac;
    Ok(ExitCode::from(u8::from(failed)))
}

/// Ends after an interrupt, or says that the judge has failed.
fn end_without_record(
    error: JudgeError,
    case: &SingleCase,
    interrupt: &Interrupt,
    mut echo: Echo,
) -> Result<ExitCode> {
    if let (JudgeError::Interrupted, Some(interrupted)) = (&error, interrupt.heard()) {
        // The transcript until now shows where a program hangs. If its reader does not read, the end is missing.
        let _ = echo.close_transcript(None, "interrupted");
        return Err(interrupted.into());
    }
    let headline = Record::internal_error(case.title(), causes(&error)).headline();
    // This may fail too: the first error may be that the transcript cannot be written.
    let _ = echo.close_transcript(None, &headline);
    echo.say(&headline)?;
    echo.say("Score = 0")?;
    Ok(ExitCode::from(crate::exit::OUR_FAULT))
}

/// The case, and who judges it.
enum SingleCase {
    Builtin(Box<dyn Instance>),
    /// An interactor, and the case's file.
    Interactor(Box<Interactor>, PathBuf),
}

impl SingleCase {
    fn read(args: &Single, program: &Command) -> Result<Self> {
        if let Some(spec) = args.interactor()? {
            spec.check(Some(program))?;
            spec.check_programs()?;
            program.check()?;
            let interactor = Interactor::new(&spec)?.context("failed to find the contract")?;
            return Ok(Self::Interactor(Box::new(interactor), case_file()?));
        }
        let instance = match args.seed {
            // A source file instead of a program is the first thing to say, whatever the case is.
            None => read_standard_input(program).or_else(|error| {
                program.check()?;
                Err(error)
            })?,
            Some(seed) => {
                hide_argv::hide();
                let problem = args.problem.as_deref().unwrap_or(default_problem());
                instance_of_seed(problem, seed)?
            }
        };
        // The start finds everything else that is wrong with a program. An interpreter starts without its script.
        program.check_script()?;
        Ok(Self::Builtin(instance))
    }

    fn problem(&self) -> Option<&'static dyn Problem> {
        match self {
            Self::Builtin(instance) => problem_of(instance.as_ref()),
            Self::Interactor(..) => None,
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Builtin(instance) => instance.spec(),
            Self::Interactor(_, path) => path.display().to_string(),
        }
    }

    fn judge(
        &self,
        (program, confinement): (&Command, &Confinement<'_>),
        contestant: Option<Contestant>,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
        watcher: &mut dyn Watcher,
    ) -> Result<Record, JudgeError> {
        match (self, contestant) {
            (Self::Interactor(interactor, path), _) => {
                let case = InteractorCase {
                    title: &self.title(),
                    path,
                    number: CaseId::from_path(path).map_or(0, |id| id.0),
                };
                interactor.judge(case, program, confinement, limits, interrupt, watcher)
            }
            (Self::Builtin(instance), Some(contestant)) => {
                judge_started(instance.as_ref(), contestant, limits, interrupt, watcher)
            }
            (Self::Builtin(instance), None) => {
                judge(instance.as_ref(), program, limits, interrupt, watcher)
            }
        }
    }
}

/// The path of the case file that is our standard input: an interactor opens it itself.
fn case_file() -> Result<PathBuf> {
    let path = std::fs::read_link("/proc/self/fd/0").ok();
    path.filter(|path| path.is_file()).ok_or_else(|| {
        let tester = tester_word();
        with_hint(
            "standard input is not a case file, whose path the interactor needs",
            format!("{tester} --interactor LINE ./solver < in/0000.txt"),
        )
    })
}

/// Reads the case, all of it, before the contestant exists. A hint shows how `program` is judged.
fn read_standard_input(program: &Command) -> Result<Box<dyn Instance>> {
    let input = io::stdin();
    if input.is_terminal() {
        let tester = tester_word();
        return Err(with_hint(
            "standard input is a terminal, not a case file",
            format!("{tester} {program} < in/0000.txt, or {tester} --seed 0 {program}"),
        ));
    }
    // Messages name the file itself where the shell opened one for us.
    let name = std::fs::read_link("/proc/self/fd/0")
        .ok()
        .filter(|path| path.is_file());
    let name = name.unwrap_or_else(|| PathBuf::from("standard input"));
    Ok(read_case(&name, input.lock())?)
}

/// The usual folders, and the folder of the case file.
fn hidden_folders(case: Option<PathBuf>) -> Vec<PathBuf> {
    let case = case.filter(|case| case.is_file());
    let folder = case.map(|case| folder_of(&case).to_owned());
    folder.into_iter().chain(usual_folders()).collect()
}

/// Replaces our standard input, through which the contestant could read the secret (`/proc/PID/fd/0`).
fn hide_secret() -> Result<()> {
    let null = File::open("/dev/null").context("failed to open /dev/null")?;
    rustix::stdio::dup2_stdin(&null).context("failed to close standard input")
}
