//! The description of a run in its shards: enough to import the run, and to check that two shards belong together.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::part::Part;
use crate::case::{CaseId, Source, SourceError};
use crate::judge::verdict::Limits;
use crate::process::program::fingerprint::hex;
use crate::process::{Command, shell_word};
use crate::run::provenance::{Host, Provenance};
use crate::run::spec::RunSpec;
use crate::store::{Kind, NewRun};

/// The newest format. Only a run whose cases have parameters needs it.
pub const FORMAT: u32 = 3;

/// The format without parameters, which older testers read too.
const WITHOUT_PARAMETERS: u32 = 2;

/// Those that it reads.
pub(super) const KNOWN: std::ops::RangeInclusive<u32> = 1..=FORMAT;

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
    /// How cases are judged.
    pub spec: RunSpec,
    pub(super) planned: usize,
    pub(super) problem: String,
    pub(super) provenance: Provenance,
    /// Of cases that are files: the SHA-256 of their numbers and digests.
    pub(super) cases: Option<String>,
}

/// Everything that affects results. The name of the program and the paths of files are left out, because they differ
/// between machines; the contents of the files count.
#[derive(Serialize)]
struct KeyFields<'a> {
    format: u32,
    tester: &'a str,
    fingerprint: &'a str,
    spec: &'a RunSpec,
    problem: &'a str,
    /// Cases that are files.
    cases: Option<&'a str>,
    planned: usize,
}

impl Manifest {
    /// Of a run that begins.
    ///
    /// Cost: reads the cases, where they are files.
    ///
    /// # Errors
    /// If a case cannot be read.
    pub fn from_run(new: &NewRun) -> Result<Self, SourceError> {
        Ok(Self {
            spec: new.spec.clone(),
            planned: new.planned,
            problem: new.problem.clone(),
            provenance: new.provenance.clone(),
            cases: sum_of_files(&new.spec.source)?,
        })
    }

    /// The format that its shards are written in: the oldest that can hold them.
    pub(super) fn format(&self) -> u32 {
        match self.spec.parameters.is_empty() {
            true => WITHOUT_PARAMETERS,
            false => FORMAT,
        }
    }

    /// What a record is of, beside its case: the SHA-256 of everything that decides what is found.
    pub fn key(&self) -> String {
        let spec = self.deciding_spec();
        let deciding = KeyFields {
            format: self.format(),
            tester: &self.provenance.tester,
            fingerprint: &self.provenance.fingerprint,
            spec: &spec,
            problem: &self.problem,
            cases: self.cases.as_deref(),
            planned: self.planned,
        };
        let text = serde_json::to_string(&deciding).expect("texts and numbers");
        hex(&Sha256::digest(text))
    }

    /// The specification without what decides nothing, wherever the run is judged.
    fn deciding_spec(&self) -> RunSpec {
        let mut spec = RunSpec {
            transcripts: false,
            ..self.spec.deciding()
        };
        spec.command.program.clear();
        if spec.source.is_files() {
            spec.source = Source::Folder("".into());
        }
        spec
    }

    /// What else decides: all that is not in words elsewhere in [`Manifest::of_cases`].
    fn other_settings(&self) -> String {
        let spec = self.deciding_spec();
        let usual = Limits::default();
        let other = RunSpec {
            command: Command {
                program: "".into(),
                args: Vec::new(),
            },
            external: None,
            source: Source::Folder("".into()),
            limits: Limits {
                time: usual.time,
                memory_kib: usual.memory_kib,
                turns: usual.turns,
                processes: usual.processes,
                ..spec.limits
            },
            scale_time_limit_ms: None,
            sandbox: None,
            ..spec
        };
        serde_json::to_string(&other).unwrap_or_default()
    }

    /// How many cases the whole run has.
    pub fn planned(&self) -> usize {
        self.planned
    }

    /// The program, as it was called where it was judged, and its arguments.
    pub fn command(&self) -> &Command {
        &self.spec.command
    }

    /// Of which program, by what is in it.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.provenance.fingerprint
    }

    /// The number of the case at a place in the order of all, where the source tells: a folder's files may have any.
    pub(crate) fn case_at(&self, place: usize) -> Option<CaseId> {
        let source = &self.spec.source;
        if let (Some(chosen), false) = (source.chosen(), source.is_files()) {
            return chosen.iter().nth(place).map(CaseId);
        }
        match source {
            Source::Seeds { seeds, .. } => seeds.start().checked_add(place as u64).map(CaseId),
            Source::AllSecrets { .. } => Some(CaseId(place as u64)),
            _ => None,
        }
    }

    /// As a history knows a run. `out` is where newer outputs would go.
    pub fn to_new_run(&self, kind: Kind, out: &Path) -> NewRun {
        NewRun {
            kind,
            spec: RunSpec {
                out: out.to_owned(),
                ..self.spec.clone()
            },
            planned: self.planned,
            problem: self.problem.clone(),
            provenance: Provenance {
                // Whatever the shards say.
                command_given: false,
                ..self.provenance.clone()
            },
            tag: None,
            comment: None,
        }
    }

    /// The differences that affect results, in words, this one being what was expected; empty if the keys are the same.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let program = self.of_program().into_iter().zip(other.of_program());
        let facts = program.chain(self.of_cases().into_iter().zip(other.of_cases()));
        let told = differing(facts)
            .map(|((what, ours), (_, theirs))| format!("{what}: expected {ours}, found {theirs}"));
        told.collect()
    }

    /// The same without the program and its arguments: whether two programs were judged alike on the same cases.
    pub(crate) fn differences_but_program(&self, other: &Self) -> Vec<String> {
        let facts = self.of_cases().into_iter().zip(other.of_cases());
        let told = differing(facts)
            .map(|((what, ours), (_, theirs))| format!("{what}: {ours} and {theirs}"));
        told.collect()
    }

    fn of_program(&self) -> [Fact; 2] {
        let arguments = &self.command().args;
        let arguments: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
        [
            ("program's SHA-256", self.fingerprint().to_owned()),
            ("arguments", arguments.join(" ")),
        ]
    }

    /// What else [`Manifest::key`] is made of, in words.
    fn of_cases(&self) -> [Fact; 11] {
        let spec = &self.spec;
        let judge = match &spec.external {
            Some(external) => serde_json::to_string(external).unwrap_or_default(),
            None => "this one".to_owned(),
        };
        let cases = match &self.cases {
            Some(sum) => format!("{} files with SHA-256 {sum}", self.planned),
            None => format!("{} of {}", self.planned, spec.source),
        };
        let limits = &spec.limits;
        let memory = match limits.memory_kib % 1024 {
            0 => format!("{} MiB", limits.memory_kib / 1024),
            _ => format!("{} KiB", limits.memory_kib),
        };
        let scaled = spec.scale_time_limit_ms;
        let sandbox = spec.sandbox.as_ref();
        [
            ("tester's version", self.provenance.tester.clone()),
            ("judge", judge),
            ("problem", self.problem.clone()),
            ("cases", cases),
            ("time limit", format!("{} s", limits.time.as_secs_f64())),
            ("memory limit", memory),
            ("turn limit", limits.turns.to_string()),
            ("process limit", limits.processes.to_string()),
            (
                "--scale-time-limit",
                scaled.map_or("none".to_owned(), |ms| ms.to_string()),
            ),
            ("sandbox", sandbox.map_or("none", |_| "one").to_owned()),
            ("other settings", self.other_settings()),
        ]
    }
}

/// What something is called, and what it is.
type Fact = (&'static str, String);

fn differing(facts: impl Iterator<Item = (Fact, Fact)>) -> impl Iterator<Item = (Fact, Fact)> {
    facts.filter(|((_, ours), (_, theirs))| ours != theirs)
}

/// The SHA-256 of the numbers and digests of cases that are files; nothing for others, which their source tells.
fn sum_of_files(source: &Source) -> Result<Option<String>, SourceError> {
    if !source.is_files() {
        return Ok(None);
    }
    let mut hasher = Sha256::new();
    for case in source.tickets()? {
        let key = case.open()?.key;
        hasher.update(key.id.0.to_be_bytes());
        hasher.update(key.digest.0.to_be_bytes());
    }
    Ok(Some(hex(&hasher.finalize())))
}
