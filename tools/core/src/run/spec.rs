//! A run as plain data: all settings that decide how its cases are judged.
//!
//! The history and shards store it as JSON, and the [executor](super::executor) is built from it. A new setting needs a
//! field here (with a default, so that older histories can be read) and an option.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::case::{Source, parameter_names};
use crate::judge::external::ExternalSpec;
use crate::judge::verdict::Limits;
use crate::problem::{Measure, Objective, Scoring};
use crate::process::Command;
use crate::process::program::os_text;

/// The duel of which a run is the second side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuelSide {
    /// The number of the first side's run.
    pub first: i64,
    /// Whether the duel was decided.
    pub decided: bool,
}

/// How the cases of a run are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The contestant.
    pub command: Command,
    /// The external judge, if there is one.
    pub external: Option<ExternalSpec>,
    /// What the scores of a built-in problem mean; those of an external judge, it says itself.
    #[serde(default, skip_serializing_if = "Scoring::is_usual")]
    pub scoring: Scoring,
    /// What of a score is averaged unless another measure is asked for. It decides no record.
    #[serde(default, skip_serializing_if = "Measure::is_score")]
    pub measure: Measure,
    /// Which cases.
    pub source: Source,
    /// The names of the parameters that records have values of, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// What the contestant may use.
    pub limits: Limits,
    /// The calibration of the machine for which the time limit was chosen, if the limit is scaled to the host's speed.
    pub scale_time_limit_ms: Option<f64>,
    /// How many contestants run at the same time.
    pub jobs: NonZeroUsize,
    /// Whether both sides of each session are written to `NNNN.transcript`.
    pub transcripts: bool,
    /// The name of the sandbox, if there is one; empty before it is made.
    pub sandbox: Option<String>,
    /// The name of the containment; empty where an older version judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment: Option<String>,
    /// The duel, in the description of its second run. It decides no record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duel: Option<DuelSide>,
    /// Where the newest outputs are: `NNNN.txt` (stdout) and `NNNN.err` (stderr).
    #[serde(with = "os_text")]
    pub out: PathBuf,
}

impl RunSpec {
    /// The usual settings for a program and cases: the built-in judge and its limits, one case at a time, into `out`.
    pub fn new(command: Command, source: Source) -> Self {
        Self {
            command,
            external: None,
            scoring: Scoring::default(),
            measure: Measure::default(),
            source,
            parameters: Vec::new(),
            limits: Limits::default(),
            scale_time_limit_ms: None,
            jobs: NonZeroUsize::MIN,
            transcripts: false,
            sandbox: None,
            containment: None,
            duel: None,
            out: "out".into(),
        }
    }

    /// What scores mean, for built-in problems and external judges. Scores of an external judge are whole numbers.
    pub fn scoring(&self) -> Scoring {
        let external = |external: &ExternalSpec| Scoring {
            objective: external.objective,
            decimals: 0,
        };
        self.external.as_ref().map_or(self.scoring, external)
    }

    /// The same with the names of the parameters that these problems have; those of an external judge's cases are in
    /// its own description.
    #[must_use]
    pub fn with_parameters_of(mut self, problems: &[String]) -> Self {
        self.parameters = match &self.external {
            None => parameter_names(problems),
            Some(external) => {
                let rule = external.parameter_rule().ok().flatten();
                rule.map_or_else(Vec::new, |rule| rule.names().to_vec())
            }
        };
        self
    }

    /// Whether less is better, or more.
    pub(crate) fn objective(&self) -> Objective {
        self.scoring().objective
    }

    /// The same without the settings that do not affect results: measure, output folder, number of jobs, name of the
    /// sandbox, containment, duel, visualizer. Whether transcripts are written stays: a run that is continued has one kind of
    /// files.
    #[must_use]
    pub(crate) fn deciding(&self) -> Self {
        let mut spec = Self {
            measure: Measure::default(),
            jobs: NonZeroUsize::MIN,
            sandbox: self.sandbox.as_ref().map(|_| String::new()),
            containment: None,
            duel: None,
            out: PathBuf::new(),
            ..self.clone()
        };
        if let Some(external) = &mut spec.external {
            external.vis = None;
        }
        spec
    }

    /// Whether both have the same settings; the files of an external judge may have changed since. The names of
    /// parameters do not matter: a run keeps those with which it began.
    pub fn is_like(&self, other: &Self) -> bool {
        let asked = |spec: &Self| {
            let mut spec = spec.deciding();
            if let Some(external) = &mut spec.external {
                external.files = None;
                external.parameters = None;
            }
            spec.parameters.clear();
            spec
        };
        asked(self) == asked(other)
    }

    /// The suffixes of a case's output files. The contestant's stdout is `txt`. If an external judge's line writes `txt`
    /// itself, the stdout of that line is `log`; so is the stderr of an interactor.
    pub fn output_kinds(&self) -> Vec<&'static str> {
        let has_log = |judge: &ExternalSpec| judge.writes_out() || judge.contract.is_some();
        let has_log = self.external.as_ref().is_some_and(has_log);
        let all = [
            ("txt", true),
            ("err", true),
            ("log", has_log),
            ("transcript", self.transcripts),
        ];
        let written = all.into_iter().filter(|(_, written)| *written);
        written.map(|(kind, _)| kind).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::judge::external::{Contract, Stream, USUAL_SCORE};
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::time::Duration;

    /// The specification of a run of a test: `./solver` on the folder `in`.
    pub(crate) fn spec() -> RunSpec {
        let command = Command {
            program: "./solver".into(),
            args: vec!["a b".into()],
        };
        RunSpec::new(command, Source::Folder("in".into()))
    }

    #[test]
    fn a_specification_is_written_down_whole() {
        let odd = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        let mut all = spec();
        all.command.args.push(odd(b"\xff\n"));
        all.external = Some(ExternalSpec {
            line: "./t {command} < {case} > {out}".to_owned(),
            contract: Some(Contract::Kattis),
            score: USUAL_SCORE.to_owned(),
            objective: Objective::Max,
            scale: "1000000".parse().unwrap(),
            zero_counts: true,
            stream: Stream::Stderr,
            files: Some("f00d".to_owned()),
            parameters: Some("N eps".to_owned()),
            vis: Some("./vis {case} {out}".to_owned()),
        });
        all.parameters = vec!["N".to_owned(), "eps".to_owned()];
        all.measure = Measure::Relative;
        all.limits.time = Duration::from_micros(1_234_567);
        all.limits.line_bytes = 7;
        all.scale_time_limit_ms = Some(9.75);
        all.transcripts = true;
        all.sandbox = Some("bubblewrap".to_owned());
        all.containment = Some("namespace".to_owned());
        all.duel = Some(DuelSide {
            first: 3,
            decided: true,
        });
        all.out = odd(b"out-\xff").into();
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), all);
        // Histories and shards hold this text: fields may be added, but never changed.
        insta::assert_snapshot!(serde_json::to_string(&spec()).unwrap(), @r#"{"command":["./solver","a b"],"external":null,"source":{"folder":"in"},"limits":{"time_us":2000000,"memory_kib":1048576,"turns":1000,"output_bytes":67108864,"line_bytes":1048576,"processes":128},"scale_time_limit_ms":null,"jobs":1,"transcripts":false,"sandbox":null,"out":"out"}"#);
    }

    #[test]
    fn names_of_parameters_are_written_down_only_where_there_are_some() {
        assert!(
            !serde_json::to_string(&spec())
                .unwrap()
                .contains("parameters")
        );
        let named = RunSpec {
            parameters: vec!["N".to_owned(), "eps".to_owned()],
            ..spec()
        };
        let text = serde_json::to_string(&named).unwrap();
        assert!(
            text.contains(r#""parameters":["N","eps"],"limits""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), named);
        // No problem of the list has any.
        let problems = ["hitblow 3 10".to_owned()];
        assert!(
            named
                .clone()
                .with_parameters_of(&problems)
                .parameters
                .is_empty()
        );
    }

    #[test]
    fn what_decides_nothing_is_no_difference() {
        let other = RunSpec {
            jobs: NonZeroUsize::new(7).unwrap(),
            measure: Measure::Log,
            duel: Some(DuelSide {
                first: 3,
                decided: true,
            }),
            out: "elsewhere".into(),
            ..spec()
        };
        assert!(spec().is_like(&other));
        let sandboxed = |name: &str| RunSpec {
            sandbox: Some(name.to_owned()),
            ..spec()
        };
        assert!(sandboxed("").is_like(&sandboxed("bubblewrap")));
        assert!(!sandboxed("").is_like(&spec()));
        let named = RunSpec {
            parameters: vec!["N".to_owned()],
            ..spec()
        };
        assert!(named.is_like(&spec()));
        let mut limited = spec();
        limited.limits.turns = 9;
        assert!(!limited.is_like(&spec()));
    }
}
