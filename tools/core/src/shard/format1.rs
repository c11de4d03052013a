//! The first format of shards: a field for each setting of the run. Such shards are read but no longer written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::manifest::Manifest;
use crate::case::Source;
use crate::judge::external::ExternalSpec;
use crate::judge::verdict::Limits;
use crate::process::Command;
use crate::process::program::fingerprint::hex;
use crate::process::program::os_text::Word;
use crate::run::provenance::Provenance;
use crate::run::spec::RunSpec;

/// What is known of a run before its first case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OldManifest {
    words: Vec<Word>,
    fingerprint: String,
    git_commit: Option<String>,
    git_dirty: Option<bool>,
    tester: String,
    problem: String,
    source: Source,
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
    external: Option<ExternalSpec>,
}

#[derive(Serialize)]
struct KeyFields<'a> {
    format: u32,
    tester: &'a str,
    fingerprint: &'a str,
    arguments: &'a [Word],
    problem: &'a str,
    source: Option<&'a Source>,
    cases: Option<&'a str>,
    planned: usize,
    time_limit_us: u64,
    scale_time_limit_ms: Option<f64>,
    memory_limit_kib: u64,
    turn_limit: u64,
    process_limit: u64,
    sandboxed: bool,
    external: Option<&'a ExternalSpec>,
}

impl OldManifest {
    /// What a record is of, beside its case.
    pub(super) fn key(&self) -> String {
        let deciding = KeyFields {
            format: 1,
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

    /// As shards say it today; `machine` is the host's.
    pub(super) fn into_manifest(self, machine: &str) -> Manifest {
        Manifest {
            spec: RunSpec {
                external: self.external,
                limits: Limits {
                    time: Duration::from_micros(self.time_limit_us),
                    memory_kib: self.memory_limit_kib,
                    turns: self.turn_limit,
                    processes: self.process_limit,
                    ..Limits::default()
                },
                scale_time_limit_ms: self.scale_time_limit_ms,
                jobs: self.jobs,
                transcripts: self.transcripts,
                sandbox: self.sandbox,
                out: PathBuf::new(),
                ..RunSpec::new(Command::from(self.words), self.source)
            },
            planned: self.planned,
            problem: self.problem,
            provenance: Provenance {
                fingerprint: self.fingerprint,
                git_commit: self.git_commit,
                git_dirty: self.git_dirty,
                machine: machine.to_owned(),
                tester: self.tester,
                own_rules: None,
                command_given: false,
            },
            cases: self.cases,
        }
    }
}
