//! Runs of the history as text: the list, and the details of one run.

use comfy_table::{CellAlignment, Table, presets};

use super::figures::MeanFormat;
use super::text::{push_row, table_text};
use crate::problem::{Measure, Objective};
use crate::stats::ranking::MeasuredMean;
use crate::store::{Run, SourceKey, State};
use crate::util::count::case_count;
use crate::util::quote::one_line;
use crate::util::tester_word::tester_word;
use crate::util::wall_clock::local_time;

/// The list, newest first as the history gives it, with the mean measure of each run. Remarks are a column if there are
/// some.
pub fn list(runs: &[(Run, Option<MeasuredMean>)], measure: Measure, width: Option<u16>) -> String {
    let heading = match measure {
        Measure::Score => "mean",
        Measure::Log => "mean log",
        Measure::Relative => "mean relative",
        Measure::Rank => "mean rank",
    };
    let mut header = vec![
        "run", "begun", "tag", "cases", "AC", heading, "95 %", "state", "command",
    ];
    let has_comments = runs.iter().any(|(run, _)| run.about.comment.is_some());
    header.extend(has_comments.then_some("comment"));
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for column in [0, 3, 4, 5, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (run, mean) in runs {
        let (mean, half) = mean_text(run, *mean, measure);
        let mut row = vec![
            run.id.to_string(),
            local_time(run.begun_ms),
            run.about.tag.as_deref().map_or_else(String::new, one_line),
            cases(run),
            run.accepted.to_string(),
            mean,
            half,
            run.state.to_string(),
            one_line(&run.about.spec.command.to_string()),
        ];
        row.extend(run.about.comment.as_deref().map(one_line));
        table.add_row(row);
    }
    table_text(&table, width)
}

/// The mean, and what follows ±.
fn mean_text(run: &Run, measured: Option<MeasuredMean>, measure: Measure) -> (String, String) {
    let Some(MeasuredMean { mean, half_width }) = measured else {
        return ("-".to_owned(), "-".to_owned());
    };
    let decimals = match measure {
        Measure::Score => run.scoring().decimals,
        _ => 0,
    };
    let format = MeanFormat::new(mean, half_width, decimals);
    let half = match half_width {
        _ if run.is_whole() => "exact".to_owned(),
        Some(half) => format!("± {}", format.text(half)),
        None => "-".to_owned(),
    };
    (format.text(mean), half)
}

/// How many were judged, and of how many where that is not all.
fn cases(run: &Run) -> String {
    match run.state {
        State::Done => run.judged.to_string(),
        _ => format!("{} of {}", run.judged, run.about.planned),
    }
}

fn judged_of(run: &Run) -> String {
    match run.state {
        State::Done => case_count(run.judged),
        _ => format!("{} of {}", run.judged, case_count(run.about.planned)),
    }
}

/// Where the source of a run's program lay, and what prints it; nothing if none is kept.
pub fn source_row(run: &Run, source: &[SourceKey]) -> String {
    const NAMED: usize = 4;
    let mut out = String::new();
    if source.is_empty() {
        return out;
    }
    let files = source.iter().take(NAMED);
    let files = files.map(|file| one_line(&file.path.display().to_string()));
    let files = files.collect::<Vec<_>>().join(", ");
    let more = match source.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!("{files}{more}: {} source {}", tester_word(), run.id);
    push_row(&mut out, "source", &text);
    out
}

/// What is known of a run beside its records, a line each.
pub fn details(run: &Run) -> String {
    let mut out = String::new();
    let mut row = |name: &str, text: &str| push_row(&mut out, name, text);
    let (new, spec) = (&run.about, &run.about.spec);
    row(
        "run",
        &format!("{}, {}, {}", run.id, run.state, judged_of(run)),
    );
    if let Some(tag) = &new.tag {
        row("tag", tag);
    }
    if let Some(comment) = &new.comment {
        row("comment", &one_line(comment));
    }
    let took = match run.took_ms {
        0 => String::new(),
        ms => format!(", took {:.1} s", ms as f64 / 1e3),
    };
    row("begun", &format!("{}{took}", local_time(run.begun_ms)));
    row("command", &one_line(&spec.command.to_string()));
    let files = match spec.command.args.is_empty() {
        true => "SHA-256",
        false => "SHA-256, of the files that its arguments name too",
    };
    row(
        "program",
        &format!("{} ({files})", new.provenance.fingerprint),
    );
    if let Some(commit) = &new.provenance.git_commit {
        let changed = match new.provenance.git_dirty {
            Some(true) => ", with changes that are not committed",
            _ => "",
        };
        row("commit", &format!("{commit}{changed}"));
    }
    if let Some(external) = &spec.external {
        row("judge", &one_line(&external.line));
        let better = match external.objective {
            Objective::Min => "min: less is better",
            Objective::Max => "max: more is better",
        };
        row("objective", better);
    }
    row("problem", &new.problem);
    row("of", &format!("{:#}", spec.source));
    if !spec.parameters.is_empty() {
        row("parameters", &one_line(&spec.parameters.join(" ")));
    }
    let limits = &spec.limits;
    row(
        "limits",
        &format!(
            "{} s, {} MiB, {} turns, {} processes",
            limits.time.as_secs_f64(),
            limits.memory_kib >> 10,
            limits.turns,
            limits.processes
        ),
    );
    if let Some(sandbox) = &spec.sandbox {
        row("sandbox", sandbox);
    }
    match spec.containment.as_deref() {
        None => {}
        Some("none") => row("contained", "no; processes were followed one by one"),
        Some(step) => row("contained", &format!("in {step}")),
    }
    row("jobs", &spec.jobs.to_string());
    row("machine", &new.provenance.machine);
    row("tester", &new.provenance.tester);
    out
}
