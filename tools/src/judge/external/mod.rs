//! Other judges: a contest's own local tester, run for each case.
//!
//! It is a line for the shell, with placeholders. The contestant runs somewhere inside it; limits are those
//! of all that the line starts. The score is what it prints.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use regex::bytes::Regex;

use crate::judge::record::{Record, Verdict};
use crate::judge::transcript::Speaker;
use crate::judge::verdict::Limits;
use crate::judge::{JudgeError, Watcher, run_unattended};
use crate::problem::Objective;
use crate::process::fingerprint::fingerprint_of_line;
use crate::process::{Command, Contestant};
use crate::util::quote::quote;

/// A line such as the official local testers print: the last one counts, as for pahcer.
pub const USUAL_SCORE: &str = r"(?m)^\s*Score\s*=\s*(?P<score>\S+)\s*$";

/// So much of the end of each stream is looked at for the score.
const TAIL: usize = 1 << 20;

/// A contest's own local tester. Its form in files is that which a history stores.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct External {
    line: String,
    score: Regex,
    objective: Objective,
    zero_counts: bool,
    stream: Stream,
    /// Of the files that the line names, as they were when the run began.
    files: Option<String>,
}

/// Where the score is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// On stderr, and if it is not there on stdout, as pahcer does.
    #[default]
    Any,
    /// On stdout only: what the contestant writes on stderr cannot be taken for a score.
    Stdout,
    /// On stderr only.
    Stderr,
}

impl Stream {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }

    /// What [`Stream::name`] wrote.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Any, Self::Stdout, Self::Stderr];
        all.into_iter().find(|known| known.name() == name)
    }
}

/// What of it is kept with a run.
#[derive(PartialEq, serde::Serialize, serde::Deserialize)]
struct Stored {
    line: String,
    score: String,
    objective: Objective,
    zero_counts: bool,
    #[serde(default)]
    stream: Stream,
    #[serde(default)]
    files: Option<String>,
}

impl From<External> for Stored {
    fn from(external: External) -> Self {
        Self {
            line: external.line,
            score: external.score.as_str().to_owned(),
            objective: external.objective,
            zero_counts: external.zero_counts,
            stream: external.stream,
            files: external.files,
        }
    }
}

impl TryFrom<Stored> for External {
    type Error = regex::Error;

    fn try_from(stored: Stored) -> Result<Self, regex::Error> {
        Ok(Self {
            score: Regex::new(&stored.score)?,
            line: stored.line,
            objective: stored.objective,
            zero_counts: stored.zero_counts,
            stream: stored.stream,
            files: stored.files,
        })
    }
}

/// Why a line, or an expression, is refused.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// Something else stands in braces.
    #[error("unknown placeholder {{{0}}} in --external")]
    Placeholder(String),
    /// A brace that has no other.
    #[error("a brace without its pair in --external: {0}")]
    Brace(String),
    /// Every case would be judged alike.
    #[error("no {{case}} in --external: {0}")]
    NoCase(String),
    /// The program has no place.
    #[error("no {{command}}, the place of {command}, in --external: {line}")]
    NoCommand {
        /// The program.
        command: String,
        /// The line.
        line: String,
    },
    /// A place has no program.
    #[error("no program for the {{command}} of --external")]
    NoProgram,
    /// It is no expression.
    #[error("failed to understand --score-regex")]
    Regex(#[from] regex::Error),
    /// Which of it is the score?
    #[error("no group named score in --score-regex: {0}")]
    NoGroup(String),
}

impl ExternalError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Placeholder(_) | Self::Brace(_) => {
                "placeholders are {case}, {out}, {command} and {number}; double a brace of the shell's own: {{ }}"
            }
            Self::NoCase(_) => "{case} is the path of the case's file",
            Self::NoCommand { .. } => "{command} is the program with its arguments",
            Self::NoProgram => "name the program after --",
            Self::NoGroup(_) => return Some(format!("for example {USUAL_SCORE}")),
            Self::Regex(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// A piece of the line.
enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

/// Splits at placeholders; doubled braces are text.
fn pieces(line: &str) -> Result<Vec<Piece<'_>>, ExternalError> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, brace) = rest.split_at(at);
        pieces.push(Piece::Text(text));
        if brace.starts_with("{{") || brace.starts_with("}}") {
            pieces.push(Piece::Text(&brace[..1]));
            rest = &brace[2..];
            continue;
        }
        let inside = brace
            .strip_prefix('{')
            .and_then(|inside| inside.split_once('}'));
        let (name, after) = inside.ok_or_else(|| ExternalError::Brace(line.to_owned()))?;
        if !["case", "out", "command", "number"].contains(&name) {
            return Err(ExternalError::Placeholder(name.to_owned()));
        }
        pieces.push(Piece::Placeholder(name));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

impl External {
    /// A tester; `command` is the contestant, if there is one beside the line.
    ///
    /// # Errors
    /// If a placeholder is misspelt or missing, or the expression is none, or has no group `score`.
    pub fn new(
        line: &str,
        command: Option<&Command>,
        score: &str,
        objective: Objective,
        zero_counts: bool,
    ) -> Result<Self, ExternalError> {
        let pieces = pieces(line)?;
        let has = |wanted: &str| {
            let is =
                |piece: &Piece<'_>| matches!(piece, Piece::Placeholder(name) if *name == wanted);
            pieces.iter().any(is)
        };
        if !has("case") {
            return Err(ExternalError::NoCase(line.to_owned()));
        }
        match command {
            Some(command) if !has("command") => {
                let (command, line) = (command.to_string(), line.to_owned());
                return Err(ExternalError::NoCommand { command, line });
            }
            None if has("command") => return Err(ExternalError::NoProgram),
            _ => {}
        }
        let expression = Regex::new(score)?;
        if !expression
            .capture_names()
            .flatten()
            .any(|name| name == "score")
        {
            return Err(ExternalError::NoGroup(score.to_owned()));
        }
        Ok(Self {
            line: line.to_owned(),
            score: expression,
            objective,
            zero_counts,
            stream: Stream::default(),
            files: None,
        })
    }

    /// The same, knowing the files that its line names as they are now: the contest's tester is one of them.
    #[must_use]
    pub fn as_it_is_now(self) -> Self {
        let files = Some(fingerprint_of_line(&self.line));
        Self { files, ..self }
    }

    /// Whether these files are as they were when the run began, as far as that is known.
    pub fn is_unchanged(&self) -> bool {
        let then = self.files.as_ref();
        then.is_none_or(|then| *then == fingerprint_of_line(&self.line))
    }

    /// Whether the other judges in the same way, if the files of both are the same.
    pub fn is_like(&self, other: &Self) -> bool {
        let rules = |external: &Self| Stored {
            files: None,
            ..external.clone().into()
        };
        rules(self) == rules(other)
    }

    /// The same, with the score on one stream only.
    #[must_use]
    pub fn on(self, stream: Stream) -> Self {
        Self { stream, ..self }
    }

    /// Whether less is better, or more.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// Whether the line itself writes the contestant's output to `{out}`.
    pub fn writes_out(&self) -> bool {
        let pieces = pieces(&self.line).unwrap_or_default();
        let out = |piece: &Piece<'_>| matches!(piece, Piece::Placeholder("out"));
        pieces.iter().any(out)
    }

    /// As it was typed.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// As it is stored in a history.
    pub fn to_stored(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// What [`External::to_stored`] wrote.
    ///
    /// # Errors
    /// If it did not write that.
    pub fn from_stored(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The line for one case, to be pasted into a shell.
    ///
    /// Bytes, for paths and arguments need not be text.
    pub fn filled(&self, case: &Path, number: u64, out: &Path, command: &Command) -> OsString {
        let mut line = Vec::new();
        // Looked at when it was made.
        for piece in pieces(&self.line).unwrap_or_default() {
            match piece {
                Piece::Text(text) => line.extend_from_slice(text.as_bytes()),
                Piece::Placeholder("case") => quote_for_sh(case.as_os_str(), &mut line),
                Piece::Placeholder("out") => quote_for_sh(out.as_os_str(), &mut line),
                Piece::Placeholder("number") => line.extend(format!("{number:04}").bytes()),
                Piece::Placeholder(_) => {
                    quote_for_sh(&command.program, &mut line);
                    for arg in &command.args {
                        line.push(b' ');
                        quote_for_sh(arg, &mut line);
                    }
                }
            }
        }
        OsString::from_vec(line)
    }

    /// Judges one case with a shell that was started with [`External::filled`]. `title` is what is known
    /// of the problem.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub fn judge(
        &self,
        title: &str,
        shell: Contestant,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
        watcher: &mut dyn Watcher,
    ) -> Result<Record, JudgeError> {
        let mut listener = Listener {
            inner: watcher,
            stdout: Vec::new(),
            stderr: Vec::new(),
        };
        let mut record = run_unattended(title.to_owned(), shell, limits, interrupt, &mut listener)?;
        if record.verdict != Verdict::Ac {
            return Ok(record);
        }
        let (stdout, stderr) = (&listener.stdout, &listener.stderr);
        let found = match self.stream {
            Stream::Any => self.last(stderr).or_else(|| self.last(stdout)),
            Stream::Stdout => self.last(stdout),
            Stream::Stderr => self.last(stderr),
        };
        let (verdict, reason) = self.rule(found, &listener);
        record.verdict = verdict;
        match reason {
            Ok(score) => record.score = score,
            Err(why) => record.reason = Some(why),
        }
        Ok(record)
    }

    fn last<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let last = self.score.captures_iter(text).last()?;
        Some(last.name("score")?.as_bytes())
    }

    fn rule(&self, found: Option<&[u8]>, said: &Listener<'_>) -> (Verdict, Result<u64, String>) {
        let Some(found) = found else {
            let last = |text: &[u8]| {
                let mut lines = text.split(|&b| b == b'\n').rev();
                let line = lines.find(|line| !line.trim_ascii().is_empty());
                line.map_or("nothing".to_owned(), quote)
            };
            let why = format!(
                "expected a score that matches {}, found none; stderr ended with {}, stdout with {}",
                self.score,
                last(&said.stderr),
                last(&said.stdout)
            );
            return (Verdict::Wa, Err(why));
        };
        let number = std::str::from_utf8(found)
            .ok()
            .and_then(|text| text.parse().ok());
        match number {
            Some(0) if !self.zero_counts => {
                let why = "the score is 0, which is how local testers say that the output is wrong \
                           (--zero-counts if it is a score)";
                (Verdict::Wa, Err(why.to_owned()))
            }
            Some(score) => (Verdict::Ac, Ok(score)),
            // Neither the contestant's fault nor a score that could be kept.
            None => {
                let why = format!(
                    "expected an integer from 0 to {} as the score, found {}; --score-regex can take a part of \
                     it, or another line",
                    u64::MAX,
                    quote(found)
                );
                (Verdict::Ie, Err(why))
            }
        }
    }
}

/// A word as every shell reads it, `sh` too: plain, or between single quotes.
fn quote_for_sh(word: &OsStr, line: &mut Vec<u8>) {
    let bytes = word.as_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(b);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        line.extend_from_slice(bytes);
        return;
    }
    line.push(b'\'');
    for &byte in bytes {
        match byte {
            b'\'' => line.extend_from_slice(b"'\\''"),
            byte => line.push(byte),
        }
    }
    line.push(b'\'');
}

/// Remembers the ends of both streams.
struct Listener<'a> {
    inner: &'a mut dyn Watcher,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

fn remember(tail: &mut Vec<u8>, bytes: &[u8]) {
    tail.extend_from_slice(bytes);
    // Seldom, and not at each piece. What is left begins with a whole line, so that no end of one is taken
    // for a line.
    if tail.len() > 2 * TAIL {
        let cut = tail.len() - TAIL;
        let line = tail[cut..].iter().position(|&b| b == b'\n');
        tail.drain(..line.map_or(tail.len(), |at| cut + at + 1));
    }
}

impl Watcher for Listener<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        remember(&mut self.stdout, bytes);
        self.inner.stdout(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        remember(&mut self.stderr, bytes);
        self.inner.stderr(at, bytes)
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.inner.line(at, speaker, line)
    }

    fn blocked_time(&self) -> Duration {
        self.inner.blocked_time()
    }
}
