//! Runs that were kept: a list of them, and what is known of one.

use comfy_table::{CellAlignment, Table, presets};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use textwrap::core::display_width;

use crate::problem::Objective;
use crate::store::{Run, State};

/// The rows of a table without frames or blanks around, for people and `grep`; cut to `width` columns
/// of a terminal, where there is one.
pub(super) fn finish(table: &Table, width: Option<u16>) -> String {
    let cut = |line: &str| match width {
        Some(width) if display_width(line) > usize::from(width) => {
            let mut room = usize::from(width).saturating_sub(1);
            let fits = |c: &char| {
                let needs = display_width(c.encode_utf8(&mut [0; 4]));
                let fits = needs <= room;
                room = room.saturating_sub(needs);
                fits
            };
            format!("{}…", line.chars().take_while(fits).collect::<String>())
        }
        _ => line.to_owned(),
    };
    let lines = table.lines();
    let plain = lines.map(|line| {
        let line = line.strip_prefix(' ').unwrap_or(&line).trim_end();
        format!("{}\n", cut(line))
    });
    plain.collect()
}

/// The list, newest first as the history gives it.
pub fn list(runs: &[Run], zone: &TimeZone, width: Option<u16>) -> String {
    let header = [
        "run", "begun", "tag", "cases", "AC", "mean", "95 %", "state", "command",
    ];
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for column in [0, 3, 4, 5, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for run in runs {
        let (mean, half) = mean(run);
        table.add_row([
            run.id.to_string(),
            moment(run.begun_ms, zone),
            run.about.tag.clone().unwrap_or_default(),
            cases(run),
            run.accepted.to_string(),
            mean,
            half,
            run.state.to_string(),
            one_line(&run.about.spec.command.to_string()),
        ]);
    }
    finish(&table, width)
}

/// A text that stays in its row, whatever is in it.
pub(super) fn one_line(text: &str) -> String {
    text.replace(char::is_control, "�")
}

/// The mean, and what follows ±.
fn mean(run: &Run) -> (String, String) {
    let mean = run
        .mean()
        .map_or("-".to_owned(), |mean| format!("{mean:.4}"));
    let half = match run.half_width() {
        _ if run.is_whole() => "exact".to_owned(),
        Some(half) => format!("± {half:.4}"),
        None => "-".to_owned(),
    };
    (mean, half)
}

/// How many were judged, and of how many where that is not all.
fn cases(run: &Run) -> String {
    match run.state {
        State::Done => run.judged.to_string(),
        _ => format!("{} of {}", run.judged, run.about.planned),
    }
}

pub(super) fn moment(ms: i64, zone: &TimeZone) -> String {
    let moment = Timestamp::from_millisecond(ms).unwrap_or_default();
    let local = moment.to_zoned(zone.clone());
    local.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// What is known of a run beside its records, a line each.
pub fn details(run: &Run, zone: &TimeZone) -> String {
    let mut out = String::new();
    let mut row = |name: &str, text: &str| {
        out.push_str(&format!("{name:<10} {text}\n"));
    };
    let (new, spec) = (&run.about, &run.about.spec);
    row(
        "run",
        &format!("{}, {}, {} cases", run.id, run.state, cases(run)),
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
    row("begun", &format!("{}{took}", moment(run.begun_ms, zone)));
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
    row("of", &spec.source.to_string());
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
    row("jobs", &spec.jobs.to_string());
    row("machine", &new.provenance.machine);
    row("tester", &new.provenance.tester);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_the_terminal_by_what_they_show() {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.add_row(["ab", "数え上げ"]);
        let cut = |width| finish(&table, Some(width));
        assert_eq!(finish(&table, None), "ab  数え上げ\n");
        assert_eq!(cut(12), "ab  数え上げ\n");
        // Each of these characters is two columns wide.
        assert_eq!(cut(11), "ab  数え上…\n");
        assert_eq!(cut(10), "ab  数え…\n");
        assert_eq!(cut(1), "…\n");
    }
}
