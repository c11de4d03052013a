//! What a shard says of its run: enough to enter it into a history, and to tell whether two shards belong together.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{FORMAT, Part};
use crate::case::{CaseId, Source, SourceError};
use crate::judge::external::External;
use crate::judge::verdict::Limits;
use crate::process::fingerprint::hex;
use crate::process::{Command, shell_word};
use crate::run::batch::Plan;
use crate::run::provenance::{Host, Provenance};
use crate::store::{Kind, NewRun};

/// How a shard begins.
#[derive(Clone, Debug)]
pub struct Header {
    /// Which part of the run it is.
    pub part: Part,
    /// The run.
    pub about: Manifest,
    /// Where it was judged.
    pub host: Host,
    /// When it was begun, by the host's clock, in milliseconds since 1970.
    pub begun_ms: i64,
}

/// What is known of a run before its first case, as its shards say it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program, and its arguments.
    words: Vec<Word>,
    fingerprint: String,
    git_commit: Option<String>,
    git_dirty: Option<bool>,
    tester: String,
    problem: String,
    source: Source,
    /// Of cases that are files: the SHA-256 of their numbers and digests.
    cases: Option<String>,
    planned: usize,
    time_limit_us: u64,
    scale_time_limit_ms: Option<f64>,
    memory_limit_kib: u64,
    turn_limit: u64,
    process_limit: u64,
    jobs: NonZeroUsize,
    transcripts: bool,
    sandbox: Option<String>,
    external: Option<External>,
}

/// A word of a command, which need not be text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Bytes(Vec<u8>),
}

impl Word {
    fn of(word: &OsStr) -> Self {
        match word.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(word.as_bytes().to_vec()),
        }
    }

    fn to_word(&self) -> OsString {
        match self {
            Self::Text(text) => text.into(),
            Self::Bytes(bytes) => OsString::from_vec(bytes.clone()),
        }
    }
}

/// Everything that decides what is found, and no more: neither what the program is called nor where files lie, which is
/// another on each machine. What is in them counts.
#[derive(Serialize)]
struct KeyFields<'a> {
    format: u32,
    tester: &'a str,
    fingerprint: &'a str,
    arguments: &'a [Word],
    problem: &'a str,
    /// Cases that are generated.
    source: Option<&'a Source>,
    /// Cases that are files.
    cases: Option<&'a str>,
    planned: usize,
    time_limit_us: u64,
    scale_time_limit_ms: Option<f64>,
    memory_limit_kib: u64,
    turn_limit: u64,
    process_limit: u64,
    sandboxed: bool,
    external: Option<&'a External>,
}

impl Manifest {
    /// Of a run whose limit of time is scaled to the host's speed if `scale_time_limit_ms` says for which calibration it is
    /// meant.
    ///
    /// Cost: reads the cases, where they are files.
    ///
    /// # Errors
    /// If a case cannot be read.
    pub fn of(new: &NewRun, scale_time_limit_ms: Option<f64>) -> Result<Self, SourceError> {
        let NewRun {
            plan, provenance, ..
        } = new;
        let words = std::iter::once(&plan.command.program).chain(&plan.command.args);
        Ok(Self {
            words: words.map(|word| Word::of(word)).collect(),
            fingerprint: provenance.fingerprint.clone(),
            git_commit: provenance.git_commit.clone(),
            git_dirty: provenance.git_dirty,
            tester: provenance.tester.clone(),
            problem: new.problem.clone(),
            source: new.source.clone(),
            cases: sum_of_files(&new.source)?,
            planned: new.planned,
            time_limit_us: plan.limits.time.as_micros() as u64,
            scale_time_limit_ms,
            memory_limit_kib: plan.limits.memory_kib,
            turn_limit: plan.limits.turns,
            process_limit: plan.limits.processes,
            jobs: plan.jobs,
            transcripts: plan.transcripts,
            sandbox: new.sandbox.clone(),
            external: plan.external.clone(),
        })
    }

    /// What a record is of, beside its case: the SHA-256 of everything that decides what is found.
    pub fn key(&self) -> String {
        let deciding = KeyFields {
            format: FORMAT,
            tester: &self.tester,
            fingerprint: &self.fingerprint,
            arguments: self.words.get(1..).unwrap_or_default(),
            problem: &self.problem,
            source: (!self.source.is_files()).then_some(&self.source),
            cases: self.cases.as_deref(),
            planned: self.planned,
            time_limit_us: self.time_limit_us,
            scale_time_limit_ms: self.scale_time_limit_ms,
            memory_limit_kib: self.memory_limit_kib,
            turn_limit: self.turn_limit,
            process_limit: self.process_limit,
            sandboxed: self.sandbox.is_some(),
            external: self.external.as_ref(),
        };
        let text = serde_json::to_string(&deciding).expect("texts and numbers");
        hex(&Sha256::digest(text))
    }

    /// How many cases the whole run has.
    pub fn planned(&self) -> usize {
        self.planned
    }

    /// The program, as it was called where it was judged, and its arguments.
    pub fn command(&self) -> Command {
        let mut words = self.words.iter().map(Word::to_word);
        Command {
            program: words.next().unwrap_or_default(),
            args: words.collect(),
        }
    }

    /// Of which program, by what is in it.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The limit of time as it was typed.
    pub fn time_limit(&self) -> Duration {
        Duration::from_micros(self.time_limit_us)
    }

    /// What kept the program in its place there, if anything did.
    pub fn sandbox(&self) -> Option<&str> {
        self.sandbox.as_deref()
    }

    /// The judge, if it is another than this one.
    pub fn external(&self) -> Option<&External> {
        self.external.as_ref()
    }

    /// The calibration that the limit of time was meant for, if it is scaled.
    pub fn scale_time_limit_ms(&self) -> Option<f64> {
        self.scale_time_limit_ms
    }

    /// The number of the case at a place in the order of all, where the source tells: a folder's files may have any.
    pub fn case_at(&self, place: usize) -> Option<CaseId> {
        match &self.source {
            Source::Seeds { seeds, .. } => seeds.start().checked_add(place as u64).map(CaseId),
            Source::AllSecrets { .. } => Some(CaseId(place as u64)),
            Source::Folder(_) | Source::Matching(_) | Source::External { .. } => None,
        }
    }

    /// As a history knows a run. `out` is where it would look for outputs.
    pub fn to_new_run(&self, kind: Kind, machine: String, out: &Path) -> NewRun {
        NewRun {
            kind,
            plan: Plan {
                command: self.command(),
                limits: Limits {
                    time: self.time_limit(),
                    memory_kib: self.memory_limit_kib,
                    turns: self.turn_limit,
                    processes: self.process_limit,
                    ..Limits::default()
                },
                jobs: self.jobs,
                out: out.to_owned(),
                transcripts: self.transcripts,
                sandbox: None,
                external: self.external.clone(),
            },
            source: self.source.clone(),
            planned: self.planned,
            problem: self.problem.clone(),
            sandbox: self.sandbox.clone(),
            provenance: Provenance {
                fingerprint: self.fingerprint.clone(),
                git_commit: self.git_commit.clone(),
                git_dirty: self.git_dirty,
                machine,
                tester: self.tester.clone(),
            },
            tag: None,
            comment: None,
        }
    }

    /// In what that decides anything the two differ, in words; nothing if their keys are the same.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let program = self.of_program().into_iter().zip(other.of_program());
        differing(program.chain(self.of_cases().into_iter().zip(other.of_cases())))
    }

    /// The same, but for the program and its arguments: whether two programs were judged alike on the same cases.
    pub fn differences_but_program(&self, other: &Self) -> Vec<String> {
        differing(self.of_cases().into_iter().zip(other.of_cases()))
    }

    fn of_program(&self) -> [Fact; 2] {
        let arguments = self.command().args;
        let arguments: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
        [
            ("program's SHA-256", self.fingerprint.clone()),
            ("arguments", arguments.join(" ")),
        ]
    }

    /// What else [`Manifest::key`] is made of, in words.
    fn of_cases(&self) -> [Fact; 7] {
        let judge = match &self.external {
            Some(external) => external.to_stored().unwrap_or_default(),
            None => "this one".to_owned(),
        };
        let cases = match &self.cases {
            Some(sum) => format!("{} files with SHA-256 {sum}", self.planned),
            None => format!("{} of {}", self.planned, self.source),
        };
        let limits = format!(
            "{} s, {} KiB, {} turns, {} processes",
            self.time_limit().as_secs_f64(),
            self.memory_limit_kib,
            self.turn_limit,
            self.process_limit
        );
        let scaled = self.scale_time_limit_ms;
        let sandbox = self.sandbox.as_ref();
        [
            ("tester's version", self.tester.clone()),
            ("judge", judge),
            ("problem", self.problem.clone()),
            ("cases", cases),
            ("limits", limits),
            (
                "--scale-time-limit",
                scaled.map_or("none".to_owned(), |ms| ms.to_string()),
            ),
            ("sandbox", sandbox.map_or("none", |_| "one").to_owned()),
        ]
    }
}

/// What something is called, and what it is.
type Fact = (&'static str, String);

fn differing(facts: impl Iterator<Item = (Fact, Fact)>) -> Vec<String> {
    let differing = facts.filter(|((_, ours), (_, theirs))| ours != theirs);
    let told = differing.map(|((what, ours), (_, theirs))| format!("{what}: {ours} and {theirs}"));
    told.collect()
}

/// The SHA-256 of the numbers and digests of cases that are files; nothing for others, which their source tells.
fn sum_of_files(source: &Source) -> Result<Option<String>, SourceError> {
    if !source.is_files() {
        return Ok(None);
    }
    let mut hasher = Sha256::new();
    for ticket in source.tickets()? {
        let key = ticket.open()?.key;
        hasher.update(key.id.0.to_be_bytes());
        hasher.update(key.digest.0.to_be_bytes());
    }
    Ok(Some(hex(&hasher.finalize())))
}
