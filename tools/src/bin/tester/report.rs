//! `tester report`: runs from the history as a page.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use jiff::tz::TimeZone;
use tools::case::{Case, CaseId, Ticket};
use tools::files::create_page;
use tools::history::{History, Run};
use tools::kept::Folder;
use tools::report::comparison::cautions;
use tools::report::page::runs::{self as page, CaseOfRun, Pairing, ShownRun};
use tools::score::Objective;
use tools::score::paired::{Measure, compare, match_cases};

use crate::args;
use crate::compare::check_comparable;
use crate::rerun::Rerun;
use crate::show::{figures, print, table};

/// More than these no browser shows in a moment.
const MOST_CASES: usize = 200_000;
/// Of what contestants have written, so much is taken along in all; and of one case at least, and at most.
const ROOM: u64 = 32 << 20;
const ROOM_OF_CASE: (u64, u64) = (2 << 10, 64 << 10);

pub(crate) fn run(args: &args::Report) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    history.at_one_moment(|history| write_report(history, args))
}

fn write_report(history: &History, args: &args::Report) -> Result<ExitCode> {
    let runs = find_all(history, &args.runs)?;
    let cases: usize = runs.iter().map(|run| run.judged).sum();
    if cases > MOST_CASES {
        bail!(
            "failed to write a report: expected at most {MOST_CASES} cases in all, found {cases}; \
             `tester show --csv` gives them to other programs"
        );
    }
    let pairings = pairings(history, &runs)?;
    let room = (ROOM / cases.max(1) as u64).clamp(ROOM_OF_CASE.0, ROOM_OF_CASE.1);
    let shown: Result<Vec<_>> = runs
        .iter()
        .map(|run| shown(history, run, &Folder::of(run, room)))
        .collect();
    let report = page::Report {
        runs: shown?,
        pairings,
        zone: TimeZone::system(),
    };
    let mut file = create_page(&args.to)?;
    page::write(&report, &mut file)
        .with_context(|| format!("failed to write {}", args.to.display()))?;
    file.finish()?;
    print(&format!("{}\n", args.to.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The runs that were asked for, each once.
fn find_all(history: &History, words: &[String]) -> Result<Vec<Run>> {
    let best = |word: &String| args::Compare::asks_for_best(word);
    let anchor = words.iter().find(|word| !best(word));
    let anchor = history.find(anchor.map_or(tools::history::LAST, String::as_str))?;
    let mut runs: Vec<Run> = Vec::new();
    for word in words {
        let run = match best(word) {
            true => history.best_on_cases_of(&anchor)?,
            false => history.find(word)?,
        };
        if runs.iter().any(|known| known.id == run.id) {
            bail!(
                "expected each run once, found run {} twice; `tester history` lists all",
                run.id
            );
        }
        runs.push(run);
    }
    Ok(runs)
}

/// Every other run beside the first.
fn pairings(history: &History, runs: &[Run]) -> Result<Vec<Pairing>> {
    let first = &runs[0];
    let scores = history.scores(first.id)?;
    let mut pairings = Vec::new();
    for second in &runs[1..] {
        let matched = match_cases(&scores, &history.scores(second.id)?);
        check_comparable(first, second, &matched)?;
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

fn shown<'a>(history: &History, run: &'a Run, folder: &Folder) -> Result<ShownRun<'a>> {
    let mut records = Vec::with_capacity(run.judged);
    let (summary, relative) = figures(history, run, |judged| records.push(judged))?;
    let rerun = Rerun::new(&run.about);
    let mut now = CasesNow::of(run);
    let cases = records.into_iter().map(|judged| {
        let case = now.case(judged.case.id);
        CaseOfRun {
            kept: folder.kept(&judged, case.as_ref()),
            rerun: rerun.of(judged.case.id),
            judged,
        }
    });
    let cases = cases.collect();
    Ok(ShownRun {
        run,
        table: table(&summary, run),
        summary,
        relative,
        cases,
    })
}

/// The cases of a run as they are now, one after the other: files may have gone, or have changed.
struct CasesNow {
    tickets: std::iter::Peekable<Box<dyn Iterator<Item = Ticket> + Send>>,
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
        ticket.open().ok()
    }
}
