//! `tester history`, `tester show`, and the table at the end of a batch: runs from the history, printed.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use jiff::tz::TimeZone;
use tools::case::CaseId;
use tools::history::{History, Run};
use tools::quote::quote;
use tools::report::lines::Lines;
use tools::report::{comparison, console, runs};
use tools::score::Summary;
use tools::score::paired::{Measure, compare, match_cases, relative};

use crate::args::{self, Format};
use crate::rerun::Rerun;

pub(crate) fn history(args: &args::History) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let limit = if args.all { usize::MAX } else { args.limit };
    let found = history.runs(args.tag.as_deref(), limit)?;
    if let (Some(tag), true) = (&args.tag, found.is_empty()) {
        history.find(tag)?; // which fails, and says how
    }
    let mut text = runs::list(&found, &TimeZone::system(), terminal_width());
    let hidden = history.count()?.saturating_sub(found.len());
    if args.tag.is_none() && hidden > 0 {
        text.push_str(&format!("… and {hidden} earlier ones (--all)\n"));
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn show(args: &args::Show) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let run = history.find(&args.run)?;
    if let Some(format) = args.format() {
        print_lines(&history, &run, format)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = runs::details(&run, &TimeZone::system());
    let best = history.best_scores(run.id)?;
    let (mut summary, mut sum) = (Summary::default(), 0.0);
    history.each_record(run.id, |judged| {
        if let (true, Some(&best)) = (judged.accepted(), best.get(&judged.case.id)) {
            sum += relative(judged.record.score, best);
        }
        summary.add(&judged);
    })?;
    if run.accepted > 0 {
        let mean = sum / run.accepted as f64;
        text.push_str(&format!(
            "relative   {mean:.2} (mean of 100 x best known score / score)\n"
        ));
    }
    text.push_str(&table(&summary, &run));
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What is printed when a batch ends. Returns whether every case that it judged is accepted.
pub(crate) fn print_batch(history: &History, run: &Run, format: Option<Format>) -> Result<bool> {
    let mut summary = Summary::default();
    history.each_record(run.id, |judged| summary.add(&judged))?;
    let mut text = table(&summary, run);
    text.push_str(&format!(
        "run        {}{} in {}\n",
        run.id,
        run.plan
            .tag
            .as_ref()
            .map_or(String::new(), |tag| format!(" ({tag})")),
        history.path().display()
    ));
    if let Some(line) = against_the_run_before(history, run)? {
        text.push_str(&line);
    }
    match format {
        None => print(&text)?,
        Some(format) => {
            print_lines(history, run, format)?;
            let _ = io::stderr().write_all(text.as_bytes());
        }
    }
    Ok(run.accepted == run.judged)
}

/// Table, worst cases, failed cases.
fn table(summary: &Summary, run: &Run) -> String {
    let plan = &run.plan.plan;
    let rerun = Rerun {
        source: &run.plan.source,
        limits: &plan.limits,
        command: &plan.command,
    };
    let rerun = |case: CaseId| rerun.of(case);
    let mut text = console::table(summary, run.is_whole());
    if run.judged < run.plan.planned && run.plan.kind == tools::history::Kind::Batch {
        let left = run.plan.planned - run.judged;
        text = text.replacen(
            '\n',
            &format!(" of {}: {left} are not judged yet\n", run.plan.planned),
            1,
        );
    }
    text.push_str(&console::worst(summary, &rerun));
    let said = |case: CaseId| last_line(&plan.out.join(case.file_name("err")));
    let failures = console::failures(&summary.failures, &rerun, &said);
    if !failures.is_empty() {
        let out = plan.out.display();
        text.push_str(&format!(
            "{failures}what each wrote is in {out}/NNNN.txt and {out}/NNNN.err\n"
        ));
    }
    text
}

/// The last line of a program's stderr that is not blank, quoted.
fn last_line(path: &Path) -> Option<String> {
    const TAIL: u64 = 4096;
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let mut lines = bytes.split(|&b| b == b'\n').rev();
    lines.find(|line| !line.trim_ascii().is_empty()).map(quote)
}

/// How this run compares with the one before it on the same cases, in one line.
fn against_the_run_before(history: &History, run: &Run) -> Result<Option<String>> {
    let Some(before) = history.before(run)? else {
        return Ok(None);
    };
    let matched = match_cases(&history.scores(before.id)?, &history.scores(run.id)?);
    let Some(c) = compare(&matched.pairs, Measure::Score, |_| 1) else {
        return Ok(None);
    };
    let half = match c.half_width {
        Some(half) if !run.is_whole() => format!(" ± {half:.4}"),
        _ => String::new(),
    };
    let (wins, ties, losses) = c.wins_ties_losses;
    Ok(Some(format!(
        "against    run {}: {:+.4}{half}; better on {wins} cases, the same on {ties}, worse on {losses} \
         (tester compare)\n",
        before.id, c.difference
    )))
}

fn print_lines(history: &History, run: &Run, format: Format) -> Result<()> {
    let sink = BufWriter::new(io::stdout().lock());
    let mut lines = match format {
        Format::Json => Lines::json(sink),
        Format::Csv => Lines::csv(sink),
    };
    let mut failed = None;
    history.each_record(run.id, |judged| {
        if failed.is_none() {
            failed = lines.add(&judged).err();
        }
    })?;
    let written = failed.map_or_else(|| lines.finish(), Err);
    written
        .or_else(nobody_reads)
        .context("failed to write the records")
}

/// Whoever has seen enough (`| head`) has not made us fail.
fn nobody_reads(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

pub(crate) fn print(text: &str) -> Result<()> {
    let written = io::stdout().write_all(text.as_bytes());
    written
        .or_else(nobody_reads)
        .context("failed to write the table")
}

/// `None` unless standard output is a terminal.
fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| size.ws_col)
        .filter(|&w| w > 0)
}

pub(crate) fn compare_runs(args: &args::Compare) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let (first, second) = find_two(&history, args)?;
    if first.plan.problem != second.plan.problem {
        anyhow::bail!(
            "failed to compare runs {} and {}: expected the same problem, found {} and {}",
            first.id,
            second.id,
            first.plan.problem,
            second.plan.problem
        );
    }
    let matched = match_cases(&history.scores(first.id)?, &history.scores(second.id)?);
    if matched.shared() == 0 {
        anyhow::bail!(
            "failed to compare runs {} and {}: expected cases that both have, found none ({} and {}{})",
            first.id,
            second.id,
            first.plan.source,
            second.plan.source,
            match matched.other_content {
                0 => String::new(),
                n => format!("; {n} have the same number but another content"),
            }
        );
    }
    let measure = Measure::from(args.by);
    if measure == Measure::Log
        && matched
            .pairs
            .iter()
            .any(|p| p.scores.0.min(p.scores.1) == 0)
    {
        anyhow::bail!("failed to compare by log: expected scores of 1 or more, found 0");
    }
    let best = match measure {
        Measure::Relative => history.best_scores(first.id)?,
        _ => std::collections::HashMap::new(),
    };
    let best = |pair: &tools::score::paired::Pair| {
        let (a, b) = pair.scores;
        best.get(&pair.id).copied().unwrap_or(a.min(b))
    };
    let figures = compare(&matched.pairs, measure, best);
    print(&comparison::text(&comparison::Compared {
        first: &first,
        second: &second,
        matched: &matched,
        measure,
        figures: figures.as_ref(),
    }))?;
    Ok(ExitCode::SUCCESS)
}

/// The two runs that were asked for.
fn find_two(history: &History, args: &args::Compare) -> Result<(Run, Run)> {
    let best = args::Compare::asks_for_best;
    match &args.first {
        Some(first) if best(first) && best(&args.second) => {
            anyhow::bail!("expected one other run to compare with best, found best twice")
        }
        Some(first) if best(first) => {
            let second = history.find(&args.second)?;
            Ok((history.best_on_cases_of(&second)?, second))
        }
        Some(first) => {
            let first = history.find(first)?;
            let second = match best(&args.second) {
                true => history.best_on_cases_of(&first)?,
                false => history.find(&args.second)?,
            };
            if first.id == second.id {
                anyhow::bail!(
                    "expected two runs, found run {} twice; `tester history` lists all",
                    first.id
                );
            }
            Ok((first, second))
        }
        None => {
            let mut last = history.runs(None, 2)?.into_iter();
            match (last.next(), last.next()) {
                (Some(second), Some(first)) => Ok((first, second)),
                _ => anyhow::bail!(
                    "expected two runs to compare, found {} in {}",
                    history.count()?,
                    history.path().display()
                ),
            }
        }
    }
}
