//! What `tester.toml` says of a contest, for commands on one case, which have no options for it.

use std::path::PathBuf;

use tester_core::case::Source;
use tester_core::judge::external::ExternalSpec;
use tester_core::judge::verdict::Limits;
use tester_core::process::Command;
use tester_core::run::config::{Batch, Config, Judge};

use super::case_words;

/// The settings of a contest; the usual ones where the file does not say them.
pub(super) struct ContestSettings {
    /// The contest's own tester, if there is one.
    pub(super) external: Option<ExternalSpec>,
    /// The cases, those that are held out too.
    pub(super) cases: Source,
    /// The program.
    pub(super) program: Option<Command>,
    /// The folder of the newest outputs.
    pub(super) out: PathBuf,
    /// What a case may use.
    pub(super) limits: Limits,
}

impl ContestSettings {
    /// Those of the file; the usual ones without a file.
    ///
    /// # Errors
    /// If its cases cannot be named so.
    pub(super) fn new(config: Option<Config>) -> anyhow::Result<Self> {
        let (judge, batch) = config.map_or_else(Default::default, |c| (c.judge, c.batch));
        let out = out_of(&batch);
        let words = batch.cases.map_or_else(Vec::new, |words| words.0);
        let words: Vec<PathBuf> = words.into_iter().map(PathBuf::from).collect();
        let usual = Limits::default();
        let memory_kib = batch.memory_limit.map(|limit| limit.0 << 10);
        Ok(Self {
            external: judge.and_then(external),
            cases: case_words::source(&words)?.origin().clone(),
            program: batch.command,
            out,
            limits: Limits {
                time: batch.time_limit.map_or(usual.time, |limit| limit.0),
                memory_kib: memory_kib.unwrap_or(usual.memory_kib),
                ..usual
            },
        })
    }
}

/// The contest's own tester.
fn external(judge: Judge) -> Option<ExternalSpec> {
    let usual = ExternalSpec::of_line(judge.external?, None);
    Some(ExternalSpec {
        score: judge.score_regex.unwrap_or(usual.score),
        objective: judge.objective.unwrap_or_default(),
        scale: judge.score_scale.unwrap_or_default(),
        zero_counts: judge.zero_counts,
        stream: judge.score_stream.unwrap_or_default(),
        ..usual
    })
}

/// The folder of the newest outputs.
pub(super) fn out_of(batch: &Batch) -> PathBuf {
    batch.out.as_deref().unwrap_or("out").into()
}
