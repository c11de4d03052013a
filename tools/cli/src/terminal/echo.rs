//! What `tester PROGRAM` passes on while a case is judged, and the transcript that it writes.

use std::io::{self, BufWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tester_core::judge::Watcher;
use tester_core::judge::record::{Record, Verdict};
use tester_core::judge::transcript::{Speaker, Transcript};
use tester_core::util::atomic_file::{AtomicFile, WriteError, open_stream};

use super::output_queue::OutputQueue;

/// The contestant's lines are passed on together: a write for each, before its reply, would take as long as the reply.
/// This much is held at most, and for this long, which is too short to be seen. The judge looks at least every 20 ms.
const HELD_BYTES: usize = 16 << 10;
const HELD_FOR: Duration = Duration::from_millis(10);

/// Passes on what the contestant writes, and adds our own lines, each at the start of a line.
pub(crate) struct Echo<'a> {
    stdout: OutputQueue<'a>,
    /// Since when something for stdout is held or waits for its reader.
    held_since: Option<Instant>,
    /// `None` if stdout and stderr are the same file: then one queue keeps the order, and either stream may leave a
    /// line unfinished.
    stderr: Option<OutputQueue<'a>>,
    /// Whether the next byte on stderr starts a line.
    at_line_start: bool,
    transcript: Option<Transcript<TranscriptSink<'a>>>,
}

impl<'a> Echo<'a> {
    pub(crate) fn new(
        transcript: Option<TranscriptSink<'a>>,
        interrupt: BorrowedFd<'a>,
    ) -> Result<Self> {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let id = |fd| rustix::fs::fstat(fd).map(|stat| (stat.st_dev, stat.st_ino));
        let is_merged = match (id(stdout.as_fd()), id(stderr.as_fd())) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        };
        let queue = |fd: BorrowedFd<'_>| {
            let fd = fd.try_clone_to_owned();
            let fd = fd.context("failed to open an output")?;
            Ok::<_, anyhow::Error>(OutputQueue::new(fd, interrupt))
        };
        Ok(Self {
            stdout: queue(stdout.as_fd())?,
            held_since: None,
            stderr: match is_merged {
                true => None,
                false => Some(queue(stderr.as_fd())?),
            },
            at_line_start: true,
            transcript: transcript.map(Transcript::new),
        })
    }

    /// A line of our own on stderr, always at the start of a line.
    pub(crate) fn say(&mut self, line: &str) -> Result<()> {
        let break_line = if self.at_line_start { "" } else { "\n" };
        self.at_line_start = true;
        let text = format!("{break_line}{line}\n");
        self.stdout
            .wait_until_empty()
            .context("failed to write to standard output")?;
        let stderr = self.stderr.as_mut().unwrap_or(&mut self.stdout);
        stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.wait_until_empty())
            .context("failed to write to standard error")
    }

    /// Ends the transcript with the verdict and gives it its name.
    pub(crate) fn close_transcript(&mut self, at: Option<Duration>, verdict: &str) -> Result<()> {
        if let Some(transcript) = self.transcript.take() {
            let written = transcript.finish(at.unwrap_or_default(), verdict);
            written
                .context("failed to write the transcript")?
                .finish()?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, record: &Record) -> Result<()> {
        // Before the score, which is the last line.
        let at = Duration::from_secs_f64(record.wall_ms / 1e3);
        self.close_transcript(Some(at), &record.headline())?;
        if record.verdict != Verdict::Ac {
            self.say(&record.headline())?;
        }
        self.say(&format!("Score = {}", record.score))
    }
}

impl Watcher for Echo<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.stderr.is_none() {
            self.at_line_start = bytes.ends_with(b"\n");
        }
        self.held_since.get_or_insert_with(Instant::now);
        self.stdout.hold(bytes);
        Ok(())
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.at_line_start = bytes.ends_with(b"\n");
        // What it said on stdout came before this.
        self.stdout.pass_on()?;
        let stderr = self.stderr.as_mut().unwrap_or(&mut self.stdout);
        stderr.write_all(bytes)?;
        self.transcript.stderr(at, bytes).map_err(of_transcript)
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.transcript
            .line(at, speaker, line)
            .map_err(of_transcript)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if let Some(since) = self.held_since
            && (self.stdout.len() >= HELD_BYTES || since.elapsed() >= HELD_FOR)
        {
            self.stdout.pass_on()?;
            self.held_since = self.held_since.filter(|_| self.stdout.len() > 0);
        }
        if let Some(stderr) = &mut self.stderr {
            stderr.pass_on()?;
        }
        match &mut self.transcript {
            Some(transcript) => transcript.sink_mut().pass_on().map_err(of_transcript),
            None => Ok(()),
        }
    }
}

/// The judge only knows that something could not be kept.
fn of_transcript(error: io::Error) -> io::Error {
    let kind = error.kind();
    io::Error::new(
        kind,
        anyhow::Error::new(error).context("failed to write the transcript"),
    )
}

/// Where a transcript goes.
pub(crate) enum TranscriptSink<'a> {
    File(AtomicFile),
    /// A pipe or terminal, whose reader may be slow.
    Stream(BufWriter<OutputQueue<'a>>),
}

impl<'a> TranscriptSink<'a> {
    pub(crate) fn open(path: &Path, interrupt: BorrowedFd<'a>) -> Result<Self, WriteError> {
        Ok(match open_stream(path)? {
            Some(stream) => {
                Self::Stream(BufWriter::new(OutputQueue::new(stream.into(), interrupt)))
            }
            None => Self::File(AtomicFile::create(path)?),
        })
    }

    fn pass_on(&mut self) -> io::Result<()> {
        match self {
            Self::File(_) => Ok(()),
            Self::Stream(stream) => stream.get_mut().pass_on(),
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::File(file) => Ok(file.finish()?),
            Self::Stream(mut stream) => {
                let done = stream.flush();
                done.and_then(|()| stream.get_mut().wait_until_empty())
                    .context("failed to write the transcript")
            }
        }
    }
}

impl Write for TranscriptSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}
