//! A batch as a table for a terminal or a log.

use super::figures::{MeanFormat, grouped, score_text};
use super::text::{push_command, push_failed, push_parts, push_row};
use crate::case::{CaseId, short_text};
use crate::judge::record::Record;
use crate::problem::{Measure, Objective, Score};
use crate::stats::by_parameter::{Range, Tally};
use crate::stats::histogram::{Bin, bins};
use crate::stats::worst::{WorstCase, WorstCases};
use crate::stats::{Distribution, Failures, Summary, time_ms};
use crate::store::artifacts::Folder;
use crate::store::repro::ReproCommand;
use crate::store::{Kind, Run};
use crate::util::count::case_count;

/// The longest bar of a histogram, in characters.
const BAR_LENGTH: usize = 40;
/// The most kinds of failure that are shown.
const FAILURES: usize = 10;

/// What the rows of the table are made from.
struct Figures<'a> {
    summary: &'a Summary,
    /// The names of the cases' parameters.
    names: &'a [String],
    /// The scores of accepted cases, if there is one.
    scores: Option<Distribution>,
    /// The mean relative score, where it is to be shown.
    relative: Option<f64>,
    /// How many cases there are to be.
    planned: usize,
    /// Whether they are all the cases that there are, so that the mean is no estimate.
    whole: bool,
}

/// A row of the table: its label, and its text; a row without text is left out.
type Row = (&'static str, fn(&Figures<'_>) -> Option<String>);

/// The rows of the table, in their order.
///
/// To add a figure: compute it in `stats/summary.rs` ([`Summary`] from records, [`Distribution`] from scores),
/// and add a line here; the snapshots of the table change. To show it in the page's summary as well, add a line
/// to `page/data.rs`, to `tools/core/web/report/summary.js`, and its name to `tools/core/web/words/en.js` and `ja.js`.
const ROWS: &[Row] = &[
    ("cases", |f| Some(cases(f))),
    ("caution", |f| several_games(f.summary)),
    ("verdicts", |f| verdicts(f.summary)),
    ("mean", |f| Some(mean(f.scores.as_ref()?, f.whole))),
    ("geometric", |f| geometric(f.scores.as_ref()?)),
    ("relative", |f| {
        Some(relative_text(
            Some(f.relative?),
            f.summary.scoring.objective,
        ))
    }),
    ("min", |f| Some(score_text(f.scores.as_ref()?.range.0))),
    ("median", |f| Some(median(f.scores.as_ref()?))),
    ("max", |f| Some(score_text(f.scores.as_ref()?.range.1))),
    ("total", |f| Some(total(f.scores.as_ref()?))),
    ("slowest", |f| slowest(f)),
];

/// All that is printed of a run's cases: the table, the worst cases, the failed ones. `relative` is the mean relative
/// score, where it is to be shown. `tester` is how this program is called where a command is pasted.
pub fn run_text(summary: &Summary, relative: Option<f64>, run: &Run, tester: &str) -> String {
    let repro = ReproCommand::new(&run.about, tester);
    let repro = |case: CaseId| repro.of(case);
    let folder = Folder::from_run(run, 0);
    let files = |case: CaseId| folder.named(case);
    // A duel ends when it is decided.
    let planned = match run.about.kind {
        Kind::Batch => run.about.planned,
        Kind::Duel => run.judged,
    };
    let names = &run.about.spec.parameters;
    let figures = Figures {
        summary,
        names,
        scores: summary.scores(),
        relative,
        planned,
        whole: run.is_whole(),
    };
    table(&figures)
        + &by_parameter(summary, names)
        + &worst(summary, names, &repro)
        + &failures(&summary.failures, names, &repro, &files)
}

/// The table, several lines, each ended by a newline.
fn table(figures: &Figures<'_>) -> String {
    let mut out = String::new();
    for (label, text) in ROWS {
        if let Some(text) = text(figures) {
            push_row(&mut out, label, &text);
        }
    }
    if let Some(d) = &figures.scores {
        out.push_str(&histogram(d));
    }
    out
}

fn cases(f: &Figures<'_>) -> String {
    let judged = f.summary.cases;
    match f.planned.checked_sub(judged) {
        None | Some(0) => judged.to_string(),
        Some(left) => format!("{judged} of {}: {left} are not judged yet", f.planned),
    }
}

fn several_games(summary: &Summary) -> Option<String> {
    let games = summary.openings.iter();
    let games: Vec<_> = games.map(|(game, n)| format!("{game}: {n}")).collect();
    let list = games.join(", ");
    (games.len() > 1).then(|| format!("different games share this table: {list}"))
}

fn verdicts(summary: &Summary) -> Option<String> {
    let seen = summary.verdicts.iter().filter(|(_, count)| *count > 0);
    let seen: Vec<_> = seen.map(|(v, count)| format!("{v} {count}")).collect();
    (!seen.is_empty()).then(|| seen.join("  "))
}

/// The mean with its interval.
fn mean(d: &Distribution, whole: bool) -> String {
    let format = MeanFormat::new(d.mean, d.half_width, d.decimals);
    let mean = format.text(d.mean);
    match d.half_width {
        _ if whole && d.count > 0 => format!("{mean} (of every secret: exact)"),
        Some(half) => format!("{mean} ± {} (95 % confidence)", format.text(half)),
        None => format!("{mean} (one case: no interval)"),
    }
}

/// Of scores that are hardly numbers of turns: their mean is that of a few large ones.
fn geometric(d: &Distribution) -> Option<String> {
    let mean = d.is_wide().then(|| d.geometric_mean())??;
    let mean = MeanFormat::new(mean, None, d.decimals).text(mean);
    Some(format!(
        "{mean} (each case counts by its ratio; compare --by log)"
    ))
}

/// The row with the mean relative score of a run; `None` if no case was accepted.
pub fn relative_row(mean: Option<f64>, objective: Objective) -> String {
    let mut row = String::new();
    push_row(&mut row, "relative", &relative_text(mean, objective));
    row
}

/// The row that says for how many cases of the problem a best score is frozen; nothing if there is none.
pub fn frozen_row(cases: usize, tester: &str) -> String {
    let mut row = String::new();
    if cases > 0 {
        let text = format!(
            "frozen for {} of this problem; see `{tester} best`",
            case_count(cases)
        );
        push_row(&mut row, "best known", &text);
    }
    row
}

fn relative_text(mean: Option<f64>, objective: Objective) -> String {
    let mean = mean.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
    let ratio = match objective {
        Objective::Min => "best known score / score",
        Objective::Max => "score / best known score",
    };
    format!("{mean} (mean of 100 x {ratio})")
}

/// The median, which may lie in the middle between two scores.
fn median(d: &Distribution) -> String {
    let (least, median) = (usize::from(d.decimals), d.median.to_string());
    let decimals = median.split_once('.').map_or(0, |(_, part)| part.len());
    grouped(&format!("{:.*}", least.max(decimals), d.median))
}

fn total(d: &Distribution) -> String {
    format!("{} over {} accepted", grouped(&d.total_text()), d.count)
}

fn slowest(f: &Figures<'_>) -> Option<String> {
    let (case, record) = f.summary.slowest.as_ref()?;
    let (time, wall, cpu) = (time_ms(record), record.wall_ms, record.cpu_ms);
    let parameters = after_gap(record, f.names);
    Some(format!(
        "{case}  {time:.1} ms (wall {wall:.1}, cpu {cpu:.1}){parameters}"
    ))
}

/// The parameters of a case, with a gap before them where there are any.
fn after_gap(record: &Record, names: &[String]) -> String {
    match record.parameters.with_names(names) {
        none if none.is_empty() => none,
        some => format!("  {some}"),
    }
}

/// Mean scores by each parameter that has several values.
fn by_parameter(summary: &Summary, names: &[String]) -> String {
    let mut out = String::new();
    for (place, name) in names.iter().enumerate() {
        let ranges = summary.by_parameter.ranges(place);
        if !ranges.is_empty() {
            let text = |range| range_text(range, summary.scoring.decimals);
            let ranges: Vec<String> = ranges.iter().map(text).collect();
            push_parts(&mut out, &format!("by {name}"), &ranges);
        }
    }
    out
}

/// `10 to 13: mean 5.2500`, and how many failed.
fn range_text((range, tally): &(Range, Tally), decimals: u8) -> String {
    let from = short_text(range.from);
    let values = match range.from == range.to {
        true => from,
        false => format!("{from} to {}", short_text(range.to)),
    };
    let text = |mean| MeanFormat::new(mean, None, decimals).text(mean);
    let mean = tally.mean(decimals);
    let mean = mean.map(|mean| format!("mean {}", text(mean)));
    let failed = tally.judged - tally.accepted;
    let failed = (failed > 0).then(|| format!("{failed} failed"));
    let told: Vec<String> = mean.into_iter().chain(failed).collect();
    format!("{values}: {}", told.join(", "))
}

fn histogram(d: &Distribution) -> String {
    let bins = bins(&d.counts);
    let text = |units| score_text(Score::new(units, d.decimals));
    let label = |bin: &Bin| match bin.low == bin.high {
        true => text(bin.low),
        false => format!("{}-{}", text(bin.low), text(bin.high)),
    };
    let labels: Vec<String> = bins.iter().map(label).collect();
    let most = bins.iter().map(|bin| bin.cases).max().unwrap_or(1).max(1);
    let wide = labels.iter().map(String::len).max();
    let wide = wide.unwrap_or(0).max(10);
    let mut out = format!("{:>wide$} {:>6}\n", "score", "cases");
    for (label, bin) in labels.iter().zip(&bins) {
        // A bar for every case that there is, however many there are of the others.
        let length = (bin.cases * BAR_LENGTH).div_ceil(most);
        let line = format!("{label:>wide$} {:>6} {}", bin.cases, "█".repeat(length));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The command that judges a case alone.
type Repro<'a> = &'a dyn Fn(CaseId) -> String;

/// The worst accepted cases, and the command that judges the first of them alone.
fn worst(summary: &Summary, names: &[String], repro: Repro<'_>) -> String {
    let mut out = String::new();
    for (i, WorstCase { judged, best, .. }) in summary.worst.cases().iter().enumerate() {
        let name = if i == 0 { "worst" } else { "" };
        let (id, score) = (judged.case.id, score_text(judged.record.score));
        let parameters = after_gap(&judged.record, names);
        let best = best.map(|best| format!(" (best {})", score_text(best)));
        let best = best.unwrap_or_default();
        out.push_str(&format!("{name:<10} {id}  {score}{best}{parameters}\n"));
    }
    if let Some(first) = summary.worst.cases().first() {
        if summary.worst.has_rivals() {
            push_row(&mut out, "worst by", worst_by(&summary.worst));
        }
        push_command(&mut out, "rerun", &repro(first.judged.case.id));
    }
    out
}

/// What makes a case one of the worst.
fn worst_by(worst: &WorstCases) -> &'static str {
    match worst.measure() {
        _ if worst.is_by_score() => "score: no other run was better on any of these cases",
        Measure::Score => "difference from the best score known for the case",
        _ => "ratio to the best score known for the case",
    }
}

/// The output files of a case that have something in them.
type Files<'a> = &'a dyn Fn(CaseId) -> Vec<String>;

/// The failed cases by kind: how the first case of a kind failed, its last line on stderr, the command that judges it
/// alone, and its output files.
fn failures(failures: &Failures, names: &[String], repro: Repro<'_>, files: Files<'_>) -> String {
    let mut out = String::new();
    let kinds = failures.kinds();
    for failure in kinds.iter().take(FAILURES) {
        let id = failure.first.case.id;
        push_failed(&mut out, id, &failure.first.record.headline());
        let parameters = failure.first.record.parameters.with_names(names);
        if !parameters.is_empty() {
            out.push_str(&format!("      {parameters}\n"));
        }
        if let Some(line) = &failure.first.record.last_stderr_line {
            out.push_str(&format!("      its stderr ended with {line}\n"));
        }
        out.push_str(&format!("      {}\n", repro(id)));
        let files = files(id);
        if !files.is_empty() {
            out.push_str(&format!("      {}\n", files.join(" ")));
        }
        if failure.count > 1 {
            let next: Vec<String> = failure.next.iter().map(CaseId::to_string).collect();
            let more = if failure.count > failure.next.len() + 1 {
                " …"
            } else {
                ""
            };
            let (count, next) = (failure.count - 1, next.join(" "));
            out.push_str(&format!(
                "      {count} more failed likewise: {next}{more}\n"
            ));
        }
    }
    let shown = kinds.iter().skip(FAILURES);
    let hidden = shown.map(|f| f.count).sum::<usize>() + failures.others;
    if hidden > 0 {
        out.push_str(&format!("… and {hidden} more failed in other ways\n"));
    }
    out
}

#[cfg(test)]
mod tests;
