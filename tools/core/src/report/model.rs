//! Runs from the history, with everything that the page of a report shows of them.

use serde::Serialize;

use super::error::ReportError;
use super::run_pair::RunPair;
use crate::case::{Case, CaseId, LazyCase};
use crate::judge::record::JudgedCase;
use crate::stats::Summary;
use crate::stats::hosts::HostComparison;
use crate::stats::paired::{Measure, relative};
use crate::store::artifacts::{CaseArtifacts, Folder};
use crate::store::repro::ReproCommand;
use crate::store::{History, HistoryError, Run};

/// A browser takes too long to show more cases than these.
const MOST_CASES: usize = 200_000;
/// The most bytes of contestants' output in a report; and the least and the most of one case.
const ROOM: u64 = 32 << 20;
const ROOM_OF_CASE: (u64, u64) = (2 << 10, 64 << 10);

/// Everything that the page shows.
pub struct Report<'a> {
    /// The runs; the others are compared with the first one.
    pub runs: Vec<RunReport<'a>>,
    /// The first run with each later one, in their order.
    pub pairs: Vec<RunPair<'a>>,
    /// How this program is called where a command is pasted.
    pub tester: String,
    /// Whether a server shows it: then the page asks for the session of a case when you open the case.
    pub served: bool,
}

/// A run with its cases.
pub struct RunReport<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its figures.
    pub summary: Summary,
    /// The mean relative score of its accepted cases, 100 at best.
    pub relative: Option<f64>,
    /// The hosts that judged it, if it was merged.
    pub hosts: Option<HostComparison>,
    /// Its cases, in ascending order.
    pub cases: Vec<CaseReport>,
}

/// One case of a run.
pub struct CaseReport {
    /// What became of it.
    pub judged: JudgedCase,
    /// Its score beside the best one known for the case, which is 100; `None` if it was not accepted.
    pub relative: Option<f64>,
    /// Its session; `None` where the page asks a server for it.
    pub details: Option<CaseDetails>,
}

/// What is shown when you open a case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseDetails {
    /// The command that judges it alone.
    pub rerun: String,
    /// The command that draws it: for a session on its own page, or by the contest's visualizer, if that has not done so yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<String>,
    /// The session, or what was written.
    #[serde(flatten)]
    pub artifacts: CaseArtifacts,
}

impl CaseDetails {
    /// What is shown of a case of this run, whose commands `repro` makes: one for all its cases, because it lists their
    /// files.
    pub fn new(run: &Run, id: CaseId, artifacts: CaseArtifacts, repro: &ReproCommand<'_>) -> Self {
        let spec = &run.about.spec;
        let has_visualizer = spec.external.as_ref().is_some_and(|own| own.vis.is_some());
        let can_draw = has_visualizer && run.folder.is_some() && artifacts.picture.is_none();
        let input = artifacts.input.as_ref().filter(|_| can_draw);
        let name = match &artifacts.session {
            Some(_) => Some(id.to_string()),
            None => input.map(|input| input.name.clone()),
        };
        let draw = name.map(|name| repro.draw(run.id, &name));
        Self {
            rerun: repro.of(id),
            draw,
            artifacts,
        }
    }
}

impl<'a> Report<'a> {
    /// The report of these runs. `tester` is how this program is called where a command is pasted. Where the page is
    /// `served`, the sessions can be asked for later ([`one_case`]).
    ///
    /// Cost: reads all their records, and the output files of each case unless it is served.
    ///
    /// # Errors
    /// If they cannot be read, or not be compared, or are too many cases.
    pub fn from_history(
        history: &History,
        runs: &'a [Run],
        tester: &str,
        served: bool,
    ) -> Result<Self, ReportError> {
        for (i, run) in runs.iter().enumerate() {
            if runs[..i].iter().any(|known| known.id == run.id) {
                return Err(ReportError::Twice(run.id));
            }
        }
        let cases: usize = runs.iter().map(|run| run.judged).sum();
        if cases > MOST_CASES {
            return Err(ReportError::TooMany {
                most: MOST_CASES,
                found: cases,
            });
        }
        let others = runs.iter().skip(1);
        let pairs = others.map(|run| pair_by_its_measure(history, &runs[0], run));
        let pairs = pairs.collect::<Result<_, _>>()?;
        let room = (ROOM / cases.max(1) as u64).clamp(ROOM_OF_CASE.0, ROOM_OF_CASE.1);
        let reports = runs.iter().map(|run| {
            let folder = (!served).then(|| Folder::from_run(run, room));
            RunReport::from_history(history, run, folder, tester)
        });
        Ok(Self {
            runs: reports.collect::<Result<_, _>>()?,
            pairs,
            tester: tester.to_owned(),
            served,
        })
    }
}

/// The comparison by the measure of the second run; by score if a score has no logarithm.
fn pair_by_its_measure<'a>(
    history: &History,
    first: &'a Run,
    second: &'a Run,
) -> Result<RunPair<'a>, ReportError> {
    match RunPair::from_history(history, first, second, second.about.spec.measure) {
        Err(ReportError::LogOfZero) => {
            RunPair::from_history(history, first, second, Measure::Score)
        }
        pair => pair,
    }
}

impl<'a> RunReport<'a> {
    /// One run; `folder` has the outputs of its cases, if they are to be read.
    fn from_history(
        history: &History,
        run: &'a Run,
        folder: Option<Folder>,
        tester: &str,
    ) -> Result<Self, HistoryError> {
        let mut records = Vec::with_capacity(run.judged);
        let (summary, relative) = figures(history, run, |judged, relative| {
            records.push((judged, relative));
        })?;
        let read = |folder| {
            let repro = ReproCommand::new(&run.about, tester).with_history(history.path());
            (folder, CurrentCases::new(run), repro)
        };
        let mut reading = folder.map(read);
        let cases = records.into_iter().map(|(judged, relative)| {
            let id = judged.case.id;
            let details = reading.as_mut().map(|(folder, now, repro)| {
                let artifacts = folder.artifacts(&judged, now.case(id).as_ref());
                CaseDetails::new(run, id, artifacts, repro)
            });
            CaseReport {
                judged,
                relative,
                details,
            }
        });
        let cases = cases.collect();
        Ok(Self {
            run,
            hosts: hosts(history, run)?,
            summary,
            relative,
            cases,
        })
    }
}

impl RunReport<'_> {
    /// The names of the parameters of its cases.
    pub(crate) fn names(&self) -> &[String] {
        &self.run.about.spec.parameters
    }
}

/// The figures of a run, and the mean relative score of its accepted cases; `each` gets its records too, each with its
/// relative score.
///
/// # Errors
/// If they cannot be read.
pub fn figures(
    history: &History,
    run: &Run,
    mut each: impl FnMut(JudgedCase, Option<f64>),
) -> Result<(Summary, Option<f64>), HistoryError> {
    let (mut summary, mut sum) = (Summary::new(run.scoring(), run.about.spec.measure), 0.0);
    history.each_record_beside_best(run, |judged, best| {
        let known = best.filter(|_| judged.accepted());
        let own = known.map(|best| relative(judged.record.score, best, run.objective()));
        sum += own.unwrap_or_default();
        summary.add_beside(&judged, best);
        each(judged, own);
    })?;
    if !history.has_rivals(run)? {
        summary.worst.set_without_rivals();
    }
    let mean = (run.accepted > 0).then(|| sum / run.accepted as f64);
    Ok((summary, mean))
}

/// The hosts of a run, and what is doubtful because they differ; `None` for a run of one machine.
///
/// # Errors
/// If they cannot be read.
pub fn hosts(history: &History, run: &Run) -> Result<Option<HostComparison>, HistoryError> {
    if !run.merged {
        return Ok(None);
    }
    let mut hosts = HostComparison::new(history.hosts(run.id)?);
    history.each_timing(run.id, |timing| hosts.add(&timing))?;
    Ok(Some(hosts))
}

/// One case of a run: its record, its session, and the case itself, if it is still there.
///
/// # Errors
/// If the run cannot be read.
pub fn one_case(
    history: &History,
    run: &Run,
    id: CaseId,
) -> Result<Option<(JudgedCase, CaseArtifacts, Option<Case>)>, HistoryError> {
    Ok(history.record(run.id, id)?.map(|judged| {
        let case = CurrentCases::new(run).case(id);
        let kept = Folder::from_run(run, ROOM).artifacts(&judged, case.as_ref());
        (judged, kept, case)
    }))
}

/// The cases of a run as they are now, one after the other: files may be gone, or have changed.
struct CurrentCases {
    cases: std::iter::Peekable<Box<dyn Iterator<Item = LazyCase> + Send>>,
}

impl CurrentCases {
    fn new(run: &Run) -> Self {
        let cases = run.about.spec.source.tickets();
        let cases = cases.unwrap_or_else(|_| Box::new(std::iter::empty()));
        Self {
            cases: cases.peekable(),
        }
    }

    /// The case of this number; numbers are asked for in ascending order.
    fn case(&mut self, id: CaseId) -> Option<Case> {
        while self.cases.next_if(|case| case.id < id).is_some() {}
        let case = self.cases.next_if(|case| case.id == id)?;
        case.is_there().then(|| case.open().ok()).flatten()
    }
}
