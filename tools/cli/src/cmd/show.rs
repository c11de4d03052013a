//! `tester history`, `tester show`, and the table at the end of a batch: runs from the history, printed.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::problem::Objective;
use tester_core::report::export::RecordWriter;
use tester_core::report::figures::MeanFormat;
use tester_core::report::model::{self, figures};
use tester_core::report::parameter_effects::{effect_lines, effects_between};
use tester_core::report::runs_json::json_lines;
use tester_core::report::text::push_row;
use tester_core::report::{PairMeasure, comparison, console, hosts, other_judge, runs};
use tester_core::stats::Summary;
use tester_core::stats::paired::{Comparison, MatchedCases, Measure, match_cases};
use tester_core::store::{History, Run, near};
use tester_core::util::count::case_count;
use tester_core::util::quote::printable;
use tester_core::util::terminal::columns;
use tester_core::util::tester_word::tester_word;

use crate::args::{self, Format, KeptArgs};
use crate::cmd::cautions::Doubts;
use crate::print::{ignore_closed_pipe, print};

/// How many runs a list has.
const USUAL_LIMIT: usize = 20;

pub(crate) fn history(args: &args::History) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    // Other programs would not notice that some are left out.
    let usual = if args.all || args.json {
        usize::MAX
    } else {
        USUAL_LIMIT
    };
    let limit = args.limit.unwrap_or(usual);
    let found = history.runs(args.tag.as_deref(), limit)?;
    if let (Some(tag), true) = (&args.tag, found.is_empty()) {
        history.find(tag)?; // fails with the reason
    }
    let hidden = history.count()?.saturating_sub(found.len());
    let newest = found.first().map(|run| run.about.spec.measure);
    let measure = args.by.or(newest).unwrap_or_default();
    let means = history.measured_means(&found, measure)?;
    let listed: Vec<_> = found.into_iter().zip(means).collect();
    if args.json {
        print(&json_lines(&listed, measure))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = runs::list(&listed, measure, columns(&io::stdout()));
    if args.tag.is_none() && hidden > 0 {
        text.push_str(&format!("… and {hidden} earlier ones (--all)\n"));
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn show(args: &args::Show) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    history.with_snapshot(|history| show_run(history, args))
}

fn show_run(history: &History, args: &args::Show) -> Result<ExitCode> {
    let run = history.find_or_best(&args.run)?;
    if let Some(format) = args.format() {
        print_lines(history, &run, format)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = runs::details(&run);
    text.push_str(&runs::source_row(&run, &history.source_keys(run.id)?));
    let mut doubts = Doubts::new(run.id);
    let (summary, relative) = figures(history, &run, |judged, _| doubts.add(&judged))?;
    text.push_str(&console::relative_row(relative, run.objective()));
    text.push_str(&run_text(history, &run, &summary, None)?);
    print(&text)?;
    doubts.tell();
    Ok(ExitCode::SUCCESS)
}

/// The table of a run, and its hosts if it was merged.
fn run_text(
    history: &History,
    run: &Run,
    summary: &Summary,
    relative: Option<f64>,
) -> Result<String> {
    let table = console::run_text(summary, relative, run, &tester_word());
    let hosts = model::hosts(history, run)?;
    let frozen = history.frozen_best(&run.about.problem, run.scoring())?;
    let frozen = console::frozen_row(frozen.count(), &tester_word());
    Ok(table + &frozen + &hosts.map_or_else(String::new, |h| hosts::text(&h, run.judged)))
}

/// Prints a run after a batch or a merge, and says which accepted cases are in doubt. Returns whether every judged case is
/// accepted.
pub(crate) fn print_run(
    history: &History,
    run: &Run,
    args: &KeptArgs,
    format: Option<Format>,
) -> Result<bool> {
    let mut doubts = Doubts::new(run.id);
    let (summary, relative) = figures(history, run, |judged, _| doubts.add(&judged))?;
    let is_wide = summary.scores().is_some_and(|scores| scores.is_wide());
    let relative = relative.filter(|_| is_wide || !run.about.spec.measure.is_score());
    let mut text = run_text(history, run, &summary, relative)?;
    if run.accepted < run.judged {
        text.push_str(&match &run.folder {
            None => "output files stayed on the hosts that judged the cases\n".to_owned(),
            Some(folder) => {
                let folder = near(folder);
                let kinds = run.about.spec.output_kinds();
                let file = |kind: &&str| format!("{}/NNNN.{kind}", folder.display());
                let mut files: Vec<String> = kinds.iter().map(file).collect();
                let last = files.pop().unwrap_or_default();
                format!("output files: {} and {last}\n", files.join(", "))
            }
        });
    }
    let tag = run.about.tag.as_ref();
    text.push_str(&format!(
        "run        {}{} in {}\n",
        run.id,
        tag.map_or(String::new(), |tag| format!(" ({tag})")),
        history.path().display()
    ));
    if let Some(other) = history.before_by_other_objective(run)? {
        text.push_str(&other_objective(run, &other, args));
    }
    if let Some(line) = against_the_run_before(history, run, args)? {
        text.push_str(&line);
    }
    match format {
        None => print(&text)?,
        Some(format) => {
            // If no reader is left, the history still has the records.
            let _ = io::stderr().write_all(printable(&text).as_bytes());
            print_lines(history, run, format)?;
        }
    }
    doubts.tell();
    Ok(run.accepted == run.judged)
}

/// That the run before this one is not compared, and how to mend that if its objective was a mistake.
fn other_objective(run: &Run, other: &Run, args: &KeptArgs) -> String {
    let [own, others] = [run, other].map(|run| Objective::name(run.objective()));
    format!(
        "against    run {id} is not compared: its objective is {others}, not {own}. If that was a mistake:\n\
         {:<10} {} edit {id} {}--objective {own}\n",
        "",
        tester_word(),
        args.typed_history(),
        id = other.id
    )
}

/// How this run compares with the one before it on the same cases: a line, and others below it.
fn against_the_run_before(history: &History, run: &Run, args: &KeptArgs) -> Result<Option<String>> {
    let Some((before, matched)) = run_before(history, run)? else {
        return Ok(None);
    };
    let failed = comparison::failed_in_one(&matched, before.id);
    let measured = PairMeasure::or_score(history, run, &matched)?;
    let Some(c) = measured.figures(&matched) else {
        let nothing = format!("run {}: no case is accepted in both", before.id);
        let text = rows("against", [nothing].into_iter().chain(failed.clone()));
        return Ok((!failed.is_empty()).then_some(text));
    };
    let measure = measured.measure();
    let by = match measure {
        Measure::Score => String::new(),
        _ => format!(" by {}", measure.name()),
    };
    let effects = effects_between(history, [&before, run], &matched.pairs, measure, |pair| {
        measured.best(pair)
    })?;
    let judges = other_judge(&before, run).and_then(comparison::judge_text);
    let judges = judges.map(|what| format!("caution: both runs were {what}"));
    let command = &before.about.spec.command;
    let command = (*command != run.about.spec.command)
        .then(|| format!("run {} is of another command: {command}", before.id));
    let duel = before.about.spec.duel.map(|duel| {
        let (id, first) = (before.id, duel.first);
        format!("run {id} is the second program of a duel; the first is run {first}")
    });
    let compare = format!(
        "{} compare {}{}",
        tester_word(),
        args.typed_history(),
        before.id
    );
    let figures = figures_against(&c, measure, run);
    let (own, all) = (run.judged, before.judged);
    let chosen = (own < all).then(|| {
        format!(
            "these are {own} of its {all} cases; if they were its worst, some are better by chance"
        )
    });
    let lines = [format!("run {}{by}: {figures}", before.id)]
        .into_iter()
        .chain(chosen)
        .chain(failed)
        .chain(command)
        .chain(duel)
        .chain(judges)
        .chain(effect_lines(&effects))
        .chain([compare]);
    Ok(Some(rows("against", lines)))
}

/// The last run before this one that solved something on the same cases; if there is none, on these and others; if there
/// is none, one that solved nothing. One that solved nothing is compared with the last of all: is it news that it fails?
fn run_before(history: &History, run: &Run) -> Result<Option<(Run, MatchedCases)>> {
    let last = history.before(run)?;
    let alike = match run.accepted {
        0 => last.clone(),
        _ => history.solved_before(run)?,
    };
    let mut candidates = match alike {
        Some(before) => vec![before],
        None => history.wider(run)?,
    };
    candidates.extend(last);
    if candidates.is_empty() {
        return Ok(None);
    }
    let scores = history.scores(run.id)?;
    for before in candidates {
        let matched = match_cases(&history.scores(before.id)?, &scores);
        if matched.only.1 == 0 && matched.other_content == 0 {
            return Ok(Some((before, matched)));
        }
    }
    Ok(None)
}

/// Rows of which the first has a label.
fn rows(label: &str, lines: impl Iterator<Item = String>) -> String {
    let mut out = String::new();
    let labels = [label].into_iter().chain(std::iter::repeat(""));
    for (label, line) in labels.zip(lines) {
        push_row(&mut out, label, &line);
    }
    out
}

/// The difference to the run before, and the cases on which this one is better or worse.
fn figures_against(c: &Comparison, measure: Measure, run: &Run) -> String {
    let size = c.means.0.abs().max(c.means.1.abs());
    let format = match measure {
        Measure::Score => MeanFormat::new(size, c.half_width, run.scoring().decimals),
        _ => MeanFormat::new(0.0, None, 0),
    };
    let half = match c.half_width {
        Some(half) if !run.is_whole() => format!(" ± {}", format.text(half)),
        _ => String::new(),
    };
    let (wins, ties, losses) = c.wins_ties_losses;
    format!(
        "{}{half}; better on {}, the same on {ties}, worse on {losses}",
        format.signed(c.difference),
        case_count(wins)
    )
}

fn print_lines(history: &History, run: &Run, format: Format) -> Result<()> {
    let sink = BufWriter::new(io::stdout().lock());
    let names = &run.about.spec.parameters;
    let mut lines = match format {
        Format::Json => RecordWriter::json(sink, names),
        Format::Csv => RecordWriter::csv(sink, names),
    };
    let mut failed = None;
    history.each_record(run.id, |judged| {
        if failed.is_none() {
            failed = lines.add(&judged).err();
        }
    })?;
    let written = failed.map_or_else(|| lines.finish(), Err);
    written
        .or_else(ignore_closed_pipe)
        .context("failed to write the records")
}
