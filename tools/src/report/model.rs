//! Runs from the history, with all that a page shows of them.

use jiff::tz::TimeZone;

use super::comparison::{self, Incomparable, cautions};
use super::console;
use super::page::runs::{CaseOfRun, KeptCase, Pairing, Report, ShownRun};
use crate::case::{Case, CaseId, LazyCase};
use crate::judge::record::JudgedCase;
use crate::problem::Objective;
use crate::stats::Summary;
use crate::stats::hosts::Hosts;
use crate::stats::paired::{Measure, compare, match_cases, relative};
use crate::store::artifacts::Folder;
use crate::store::repro::ReproCommand;
use crate::store::{History, HistoryError, Kind, Run};

/// More than these no browser shows in a moment.
const MOST_CASES: usize = 200_000;
/// Of what contestants have written, so much is taken along in all; and of one case at least, and at most.
const ROOM: u64 = 32 << 20;
const ROOM_OF_CASE: (u64, u64) = (2 << 10, 64 << 10);

/// Why runs cannot be shown together.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// They cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// They have nothing to do with each other.
    #[error(transparent)]
    Incomparable(#[from] Incomparable),
    /// They are too many cases.
    #[error("too many cases for a report: expected at most {MOST_CASES} in all, found {0}")]
    TooMany(usize),
    /// A run beside itself.
    #[error("run {0} is named twice")]
    Twice(crate::store::RunId),
}

impl ModelError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::History(error) => error.hint(),
            Self::TooMany(_) => {
                Some("`tester show --csv` prints a run for other programs".to_owned())
            }
            Self::Twice(_) => Some("`tester history` lists all runs".to_owned()),
            Self::Incomparable(_) => None,
        }
    }
}

/// Everything that a page shows of these runs, the first one that which others are compared with. `tester` is how
/// this program is called where a command is pasted. Where a page is `served`, what is left of a case can be
/// asked for later ([`one_case`]).
///
/// Cost: reads all their records, and what is left of each case unless it is served.
///
/// # Errors
/// If they cannot be read, or not be compared, or are too many cases.
pub fn gather<'a>(
    history: &History,
    runs: &'a [Run],
    tester: &str,
    served: bool,
) -> Result<Report<'a>, ModelError> {
    for (i, run) in runs.iter().enumerate() {
        if runs[..i].iter().any(|known| known.id == run.id) {
            return Err(ModelError::Twice(run.id));
        }
    }
    let cases: usize = runs.iter().map(|run| run.judged).sum();
    if cases > MOST_CASES {
        return Err(ModelError::TooMany(cases));
    }
    let pairings = pairings(history, runs)?;
    let room = (ROOM / cases.max(1) as u64).clamp(ROOM_OF_CASE.0, ROOM_OF_CASE.1);
    let shown = runs.iter().map(|run| {
        shown(
            history,
            run,
            (!served).then(|| Folder::of(run, room)),
            tester,
        )
    });
    Ok(Report {
        runs: shown.collect::<Result<_, _>>()?,
        pairings,
        zone: TimeZone::system(),
        served,
    })
}

/// The figures of a run, and the mean relative score of its accepted cases; `each` gets its records too.
///
/// # Errors
/// If they cannot be read.
pub fn figures(
    history: &History,
    run: &Run,
    mut each: impl FnMut(JudgedCase),
) -> Result<(Summary, Option<f64>), HistoryError> {
    let best = history.best_scores(run.id)?;
    let (mut summary, mut sum) = (Summary::new(run.objective()), 0.0);
    history.each_record(run.id, |judged| {
        if let (true, Some(&best)) = (judged.accepted(), best.get(&judged.case.id)) {
            sum += relative(judged.record.score, best, run.objective());
        }
        summary.add(&judged);
        each(judged);
    })?;
    let mean = (run.accepted > 0).then(|| sum / run.accepted as f64);
    Ok((summary, mean))
}

/// Table, worst cases, failed cases. `tester` as for [`gather`].
pub fn table(summary: &Summary, run: &Run, tester: &str) -> String {
    let about = &run.about;
    let rerun = ReproCommand::new(about, tester);
    let rerun = |case: CaseId| rerun.of(case);
    let planned = match about.kind {
        Kind::Batch => about.planned,
        Kind::Duel => run.judged,
    };
    let mut text = console::table(summary, planned, run.is_whole());
    text.push_str(&console::worst(summary, &rerun));
    text.push_str(&console::failures(&summary.failures, &rerun));
    text
}

/// The hosts of a run, and what is doubtful because they differ; nothing of a run of one machine.
///
/// # Errors
/// If they cannot be read.
pub fn hosts(history: &History, run: &Run) -> Result<String, HistoryError> {
    if !run.merged {
        return Ok(String::new());
    }
    let mut hosts = Hosts::new(history.hosts(run.id)?);
    history.each_timing(run.id, |timing| hosts.add(&timing))?;
    Ok(super::hosts::text(&hosts, run.judged))
}

/// Every other run beside the first.
fn pairings(history: &History, runs: &[Run]) -> Result<Vec<Pairing>, ModelError> {
    let Some((first, others)) = runs.split_first() else {
        return Ok(Vec::new());
    };
    let scores = history.scores(first.id)?;
    let mut pairings = Vec::new();
    for second in others {
        let matched = match_cases(&scores, &history.scores(second.id)?);
        comparison::check(first, second, &matched)?;
        let figures = compare(&matched.pairs, Measure::Score, first.objective(), |_| 1);
        let cautions = figures
            .as_ref()
            .map(|figures| cautions(first, second, &matched, figures));
        pairings.push(Pairing {
            cautions: cautions.unwrap_or_default(),
            figures,
            matched,
            whole: first.is_whole() && second.is_whole(),
            more_is_better: first.objective() == Objective::Max,
        });
    }
    Ok(pairings)
}

fn shown<'a>(
    history: &History,
    run: &'a Run,
    folder: Option<Folder>,
    tester: &str,
) -> Result<ShownRun<'a>, HistoryError> {
    let mut records = Vec::with_capacity(run.judged);
    let (summary, relative) = figures(history, run, |judged| records.push(judged))?;
    let mut reading = folder.map(|folder| {
        let rerun = ReproCommand::new(&run.about, tester);
        (folder, CasesNow::of(run), rerun)
    });
    let cases = records.into_iter().map(|judged| {
        let left = reading.as_mut().map(|(folder, now, rerun)| KeptCase {
            kept: folder.kept(&judged, now.case(judged.case.id).as_ref()),
            rerun: rerun.of(judged.case.id),
        });
        CaseOfRun { judged, left }
    });
    let cases = cases.collect();
    Ok(ShownRun {
        run,
        table: table(&summary, run, tester) + &hosts(history, run)?,
        summary,
        relative,
        cases,
    })
}

/// One case of a run: what became of it, what is left of it, and the case itself, if it is still there.
///
/// # Errors
/// If the run cannot be read.
pub fn one_case(
    history: &History,
    run: &Run,
    id: CaseId,
) -> Result<
    Option<(
        JudgedCase,
        crate::store::artifacts::CaseArtifacts,
        Option<Case>,
    )>,
    HistoryError,
> {
    Ok(history.record(run.id, id)?.map(|judged| {
        let case = CasesNow::of(run).case(id);
        let kept = Folder::of(run, ROOM).kept(&judged, case.as_ref());
        (judged, kept, case)
    }))
}

/// The cases of a run as they are now, one after the other: files may have gone, or have changed.
struct CasesNow {
    tickets: std::iter::Peekable<Box<dyn Iterator<Item = LazyCase> + Send>>,
}

impl CasesNow {
    fn of(run: &Run) -> Self {
        let tickets = run.about.source.tickets();
        let tickets = tickets.unwrap_or_else(|_| Box::new(std::iter::empty()));
        Self {
            tickets: tickets.peekable(),
        }
    }

    /// The case of this number; numbers are asked for in ascending order.
    fn case(&mut self, id: CaseId) -> Option<Case> {
        while self.tickets.next_if(|ticket| ticket.id < id).is_some() {}
        let ticket = self.tickets.next_if(|ticket| ticket.id == id)?;
        ticket.is_there().then(|| ticket.open().ok()).flatten()
    }
}
