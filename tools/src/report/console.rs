//! A batch as a table for a terminal or a log.

use std::fmt::Write as _;

use crate::record::{Record, Verdict};
use crate::score::{Distribution, Summary, time_ms};

/// The longest bar of a histogram, in characters.
const BAR: usize = 40;
/// The most rows of a histogram; with more different scores, a row is a range.
const ROWS: u64 = 20;
/// The most failed cases that are named.
const FAILURES: usize = 10;

/// The table, several lines, each ended by a newline.
pub fn table(summary: &Summary) -> String {
    let mut out = String::new();
    let mut row = |name: &str, text: String| {
        writeln!(out, "{name:<10} {text}").expect("writing to a string does not fail");
    };
    row("cases", summary.cases.to_string());
    if summary.openings.len() > 1 {
        let games = summary
            .openings
            .iter()
            .map(|(game, count)| format!("{game}: {count}"));
        let games = games.collect::<Vec<_>>().join(", ");
        row(
            "caution",
            format!("different games share this table: {games}"),
        );
    }
    let verdicts = summary.verdicts.iter().filter(|(_, count)| *count > 0);
    let verdicts: Vec<_> = verdicts.map(|(v, count)| format!("{v} {count}")).collect();
    row("verdicts", verdicts.join("  "));
    if let Some(d) = &summary.scores {
        row("mean", mean(d));
        row("min", d.range.0.to_string());
        row("median", d.median.to_string());
        row("max", d.range.1.to_string());
        row("total", format!("{} over {} accepted", d.total, d.count));
    }
    if let Some(slowest) = &summary.slowest {
        let case = slowest
            .case
            .map_or_else(|| "-".to_owned(), |id| id.to_string());
        let Record {
            wall_ms, cpu_ms, ..
        } = slowest;
        let time = time_ms(slowest);
        row(
            "slowest",
            format!("{case}  {time:.1} ms (wall {wall_ms:.1}, cpu {cpu_ms:.1})"),
        );
    }
    if let Some(d) = &summary.scores {
        out.push_str(&histogram(d));
    }
    out
}

/// The mean with its interval.
fn mean(d: &Distribution) -> String {
    match d.half_width {
        Some(half) => format!("{:.4} ± {half:.4} (95 % confidence)", d.mean),
        None => format!("{:.4} (one case: no interval)", d.mean),
    }
}

fn histogram(d: &Distribution) -> String {
    let (min, max) = d.range;
    let width = (max - min + 1).div_ceil(ROWS);
    let rows: Vec<(u64, usize)> = (0..=(max - min) / width)
        .map(|i| {
            let low = min + i * width;
            let high = low.saturating_add(width - 1);
            (low, d.counts.range(low..=high).map(|(_, n)| n).sum())
        })
        .collect();
    let most = rows.iter().map(|r| r.1).max().unwrap_or(1).max(1);
    let mut out = String::from("score      cases\n");
    for (low, count) in rows {
        let label = match width {
            1 => low.to_string(),
            _ => format!("{low}-{}", low.saturating_add(width - 1).min(max)),
        };
        // A bar for every case that there is, however many there are of the others.
        let length = (count * BAR).div_ceil(most);
        let line = format!("{label:>10} {count:>6} {}", "█".repeat(length));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The first failed cases with their reasons, and `rerun` for each: a command that judges it alone.
pub fn failures(records: &[Record], rerun: impl Fn(&Record) -> String) -> String {
    let failed: Vec<_> = records
        .iter()
        .filter(|r| r.verdict != Verdict::Ac)
        .collect();
    let mut out = String::new();
    for record in failed.iter().take(FAILURES) {
        let case = record
            .case
            .map_or_else(|| "-".to_owned(), |id| id.to_string());
        out.push_str(&format!(
            "{case}  {}\n      {}\n",
            record.headline(),
            rerun(record)
        ));
    }
    if failed.len() > FAILURES {
        out.push_str(&format!("… and {} more\n", failed.len() - FAILURES));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseId;

    fn record(case: u64, verdict: Verdict, score: u64) -> Record {
        Record {
            case: Some(CaseId(case)),
            opening: "hitblow 3 10".to_owned(),
            verdict,
            score,
            turns: score,
            wall_ms: 1.25 + case as f64,
            cpu_ms: 1.0,
            memory_kib: 2000,
            reason: (verdict != Verdict::Ac)
                .then(|| "turn 1: exit status 1, expected 0".to_owned()),
        }
    }

    #[test]
    fn table_of_a_small_batch() {
        let scores = [5, 4, 5, 6, 5, 7, 5];
        let mut records: Vec<_> = (0..7)
            .map(|i| record(i, Verdict::Ac, scores[i as usize]))
            .collect();
        records.push(record(7, Verdict::Re, 0));
        insta::assert_snapshot!(table(&Summary::new(&records)), @"
        cases      8
        verdicts   AC 7  RE 1
        mean       5.2857 ± 0.8797 (95 % confidence)
        min        4
        median     5
        max        7
        total      37 over 7 accepted
        slowest    0007  8.2 ms (wall 8.2, cpu 1.0)
        score      cases
                 4      1 ██████████
                 5      4 ████████████████████████████████████████
                 6      1 ██████████
                 7      1 ██████████
        ");
        insta::assert_snapshot!(failures(&records, |r| format!("rerun {}", r.case.unwrap())), @"
        0007  RE: turn 1: exit status 1, expected 0
              rerun 0007
        ");
    }

    #[test]
    fn table_without_an_accepted_case_has_no_mean() {
        insta::assert_snapshot!(table(&Summary::new(&[record(3, Verdict::Tle, 0)])), @"
        cases      1
        verdicts   TLE 1
        slowest    0003  4.2 ms (wall 4.2, cpu 1.0)
        ");
    }

    #[test]
    fn different_games_in_one_table_are_pointed_out() {
        let other = Record {
            opening: "mastermind 4 6".to_owned(),
            ..record(1, Verdict::Ac, 5)
        };
        let text = table(&Summary::new(&[record(0, Verdict::Ac, 4), other]));
        let caution = text.lines().nth(1).unwrap();
        insta::assert_snapshot!(caution, @"caution    different games share this table: hitblow 3 10: 1, mastermind 4 6: 1");
    }

    #[test]
    fn many_different_scores_share_rows() {
        let d = Distribution::new(0..1000).unwrap();
        let text = histogram(&d);
        assert_eq!(text.lines().count(), 21);
        assert!(text.contains("   950-999     50 █"), "{text}");
        let extreme = Distribution::new([0, u64::MAX - 1].into_iter()).unwrap();
        assert_eq!(histogram(&extreme).lines().count(), 21);
    }
}
