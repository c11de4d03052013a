//! Runs of the history for other programs: a line of JSON for each.

use serde::Serialize;

use crate::problem::Measure;
use crate::stats::ranking::MeasuredMean;
use crate::store::Run;

/// What the list of runs shows, and more.
#[derive(Serialize)]
struct Line<'a> {
    run: i64,
    /// Milliseconds since 1970.
    begun_ms: i64,
    took_ms: i64,
    tag: Option<&'a str>,
    comment: Option<&'a str>,
    problem: &'a str,
    of: String,
    command: String,
    state: &'static str,
    cases: usize,
    judged: usize,
    accepted: usize,
    objective: &'static str,
    measure: &'static str,
    /// Of the accepted cases; null if there is none.
    mean: Option<f64>,
    /// Half the width of its 95 % interval; null for fewer than two cases.
    half_width: Option<f64>,
    sha256: &'a str,
    git_commit: Option<&'a str>,
}

/// A line for each run, in their order.
pub fn json_lines(runs: &[(Run, Option<MeasuredMean>)], measure: Measure) -> String {
    let line = |(run, mean): &(Run, Option<MeasuredMean>)| {
        let about = &run.about;
        let line = Line {
            run: run.id.0,
            begun_ms: run.begun_ms,
            took_ms: run.took_ms,
            tag: about.tag.as_deref(),
            comment: about.comment.as_deref(),
            problem: &about.problem,
            of: about.spec.source.to_string(),
            command: about.spec.command.to_string(),
            state: run.state.as_str(),
            cases: about.planned,
            judged: run.judged,
            accepted: run.accepted,
            objective: run.objective().name(),
            measure: measure.name(),
            mean: mean.map(|mean| mean.mean),
            half_width: mean.and_then(|mean| mean.half_width),
            sha256: &about.provenance.fingerprint,
            git_commit: about.provenance.git_commit.as_deref(),
        };
        serde_json::to_string(&line).expect("strings and finite numbers") + "\n"
    };
    runs.iter().map(line).collect()
}
