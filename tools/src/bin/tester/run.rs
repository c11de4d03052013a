//! `tester PROGRAM < CASE > OUTPUT`: one case, in the shape of the contest's own local tester.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tools::case::read_case;
use tools::files::WholeFile;
use tools::judge::{Fault, Watcher, judge};
use tools::problem::Instance;
use tools::quote::causes;
use tools::record::{Record, Verdict};
use tools::transcript::{Speaker, Transcript};

use crate::args::Run;
use crate::interrupt::Interrupt;

pub(crate) fn run(args: &Run) -> Result<ExitCode> {
    let instance = read_standard_input()?;
    hide_secret()?;
    let program = args.program();
    program.check()?;
    let interrupt = Interrupt::listen()?;
    let transcript = args
        .transcript
        .as_deref()
        .map(WholeFile::create)
        .transpose()?;
    let mut echo = Echo::new(transcript.map(Transcript::new));
    let limits = args.limits.limits();
    let judged = judge(
        instance.as_ref(),
        &program,
        &limits,
        Some(interrupt.fd()),
        &mut echo,
    );
    let record = match judged {
        Ok(record) => record,
        Err(Fault::Interrupted) => match interrupt.heard() {
            Some(interrupted) => return Err(interrupted.into()),
            None => bail!(Fault::Interrupted),
        },
        Err(fault) => {
            echo.say(&format!("{}: {}", Verdict::Ie, causes(&fault)))?;
            echo.say("Score = 0")?;
            return Ok(ExitCode::from(crate::OUR_FAULT));
        }
    };
    echo.finish(&record)?;
    let failed = args.strict && record.verdict != Verdict::Ac;
    Ok(ExitCode::from(u8::from(failed)))
}

/// Reads the case, all of it, before the contestant exists.
fn read_standard_input() -> Result<Box<dyn Instance>> {
    let input = io::stdin();
    if input.is_terminal() {
        bail!(
            "expected a case file on standard input, found a terminal; \
             for example: tools/tester ./solver < in/0000.txt"
        );
    }
    // Messages name the file itself where the shell opened one for us.
    let name = std::fs::read_link("/proc/self/fd/0")
        .ok()
        .filter(|path| path.is_file());
    let name = name.unwrap_or_else(|| PathBuf::from("on standard input"));
    Ok(read_case(&name, input.lock())?)
}

/// Takes from a contestant the two easy ways to the secret: our standard input, through
/// `/proc/PID/fd/0`, and our memory.
fn hide_secret() -> Result<()> {
    let null = File::open("/dev/null").context("failed to open /dev/null")?;
    rustix::stdio::dup2_stdin(&null).context("failed to close standard input")?;
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
        .context("failed to protect the judge's memory")
}

/// Hands on what the contestant writes, and adds our own lines where they cannot be mistaken.
struct Echo {
    stdout: io::Stdout,
    stderr: io::Stderr,
    /// Whether the next byte on stderr starts a line.
    at_line_start: bool,
    /// Whether stdout and stderr are one file, so that either may leave a line unfinished.
    merged: bool,
    transcript: Option<Transcript<WholeFile>>,
}

impl Echo {
    fn new(transcript: Option<Transcript<WholeFile>>) -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let id = |fd| rustix::fs::fstat(fd).map(|stat| (stat.st_dev, stat.st_ino));
        let merged = match (id(stdout.as_fd()), id(stderr.as_fd())) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        };
        Self {
            stdout,
            stderr,
            at_line_start: true,
            merged,
            transcript,
        }
    }

    /// A line of our own on stderr, always at the start of a line.
    fn say(&mut self, line: &str) -> Result<()> {
        let break_line = if self.at_line_start { "" } else { "\n" };
        self.at_line_start = true;
        let text = format!("{break_line}{line}\n");
        self.stderr
            .write_all(text.as_bytes())
            .context("failed to write to standard error")
    }

    fn finish(mut self, record: &Record) -> Result<()> {
        if record.verdict != Verdict::Ac {
            self.say(&record.headline())?;
        }
        self.say(&format!("Score = {}", record.score))?;
        if let Some(transcript) = self.transcript {
            let at = Duration::from_secs_f64(record.wall_ms / 1e3);
            let written = transcript.finish(at, &record.headline());
            written
                .context("failed to write the transcript")?
                .finish()?;
        }
        Ok(())
    }
}

impl Watcher for Echo {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.merged {
            self.at_line_start = bytes.ends_with(b"\n");
        }
        self.stdout.write_all(bytes)?;
        self.stdout.flush()
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.at_line_start = bytes.ends_with(b"\n");
        self.stderr.write_all(bytes)?;
        match &mut self.transcript {
            Some(transcript) => transcript.stderr(at, bytes),
            None => Ok(()),
        }
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        match &mut self.transcript {
            Some(transcript) => transcript.line(at, speaker, line),
            None => Ok(()),
        }
    }
}
