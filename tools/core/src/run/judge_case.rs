//! One case of a run: judged, with its outputs kept.

use std::io;

use crate::case::{Case, CaseInProgress, Content, Parameters};
use crate::judge::external::{DataLines, Tap};
use crate::judge::interactor::InteractorCase;
use crate::judge::record::{JudgedCase, Record, Verdict};
use crate::judge::{JudgeError, judge_started};
use crate::process::{Contestant, StartError};
use crate::util::quote::causes;

use super::cancel::CancelToken;
use super::executor::{BatchError, Executor};
use super::outputs::{Outputs, failed};

/// Judges one case and keeps its outputs; `None` if it was stopped.
pub(super) fn judge_case(
    executor: &Executor,
    case: &Case,
    stop: &CancelToken,
) -> Result<Option<JudgedCase>, BatchError> {
    let id = case.key.id;
    let _working = CaseInProgress::Numbered(id).begin();
    let mut outputs = Outputs::new(executor, id)?;
    let mut data = Vec::new();
    let judged = match (&case.content, &executor.interactor) {
        (Content::External { name, path }, Some(interactor)) => {
            let (confinement, stop) = (executor.confinement(), Some(stop.fd()));
            let mut lines = DataLines::default();
            let mut tap = Tap::new(&mut outputs, &mut lines);
            let (command, limits) = (&executor.spec().command, &executor.limits);
            let case = InteractorCase {
                title: name,
                path,
                number: id.0,
            };
            let record = interactor.judge(case, command, &confinement, limits, stop, &mut tap);
            data = lines.finish();
            record
        }
        _ => judge_alone(executor, case, stop, &mut outputs, &mut data),
    };
    let mut record = match judged {
        Ok(record) => check_decimals(record, executor.spec().scoring().decimals),
        Err(JudgeError::Interrupted) => return Ok(None),
        Err(fault @ (JudgeError::System { .. } | JudgeError::Start(StartError::System { .. }))) => {
            Record::internal_error(case.problem(), causes(&fault))
        }
        Err(JudgeError::Start(error)) => return Err(error.into()),
        Err(JudgeError::Watcher(source)) => {
            return Err(failed(&executor.file(id, "txt"))(source).into());
        }
    };
    record.parameters = match &case.content {
        Content::Builtin(_) => Parameters::from_case(case, &executor.spec().parameters),
        Content::External { path, .. } => executor.parameters.of_case(path, &data),
    };
    outputs.finish(&record)?;
    Ok(Some(JudgedCase {
        case: case.key,
        record,
    }))
}

/// Starts what judges the case, the contestant or another judge's line, and watches it.
fn judge_alone(
    executor: &Executor,
    case: &Case,
    stop: &CancelToken,
    outputs: &mut Outputs,
    data: &mut Vec<(String, f64)>,
) -> Result<Record, JudgeError> {
    // Without a meter, the figures are those of the whole line.
    let meter = executor.meter();
    let confinement = executor.confinement();
    let direct = executor.direct_line(case, meter.as_ref());
    let started = match direct.and_then(|line| line.start(&confinement)) {
        Some(started) => Ok(started),
        None => Contestant::start(&executor.command_for(case, meter.as_ref()), &confinement),
    };
    started.map_err(JudgeError::from).and_then(|contestant| {
        let (limits, stop) = (&executor.limits, Some(stop.fd()));
        match (&case.content, &executor.external) {
            (Content::Builtin(instance), _) => {
                judge_started(instance.as_ref(), contestant, limits, stop, outputs)
            }
            (Content::External { name, .. }, Some(external)) => {
                let mut lines = DataLines::default();
                let mut tap = Tap::new(outputs, &mut lines);
                let meter = meter.as_ref();
                let record = external.judge(name, contestant, meter, limits, stop, &mut tap);
                *data = lines.finish();
                record
            }
            (Content::External { .. }, None) => Err(JudgeError::System {
                what: "judge another judge's case",
                source: io::Error::other("that judge was not named"),
            }),
        }
    })
}

/// A score with other decimals than its problem says could not be compared with any: this is an error of the problem.
fn check_decimals(record: Record, expected: u8) -> Record {
    let found = record.score.decimals();
    if record.verdict != Verdict::Ac || found == expected {
        return record;
    }
    let reason = format!(
        "expected a score with {expected} decimals, which the problem says, found {} with {found}",
        record.score
    );
    Record::internal_error(record.opening, reason)
}
