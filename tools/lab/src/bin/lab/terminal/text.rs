//! Tables and bars for a terminal.

use std::collections::BTreeMap;

/// The longest bar, in characters.
const BAR: u64 = 50;

/// A bar chart: a label, a count and a bar for each row.
pub(crate) fn bars(rows: &[(String, u64)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    // Ranges of large numbers are wider than 5.
    let width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0).max(5);
    let mut out = String::new();
    for (label, count) in rows {
        let bar = "█".repeat((count * BAR).div_ceil(most) as usize);
        out.push_str(format!("{label:>width$} {count:>7} {bar}").trim_end());
        out.push('\n');
    }
    out
}

/// With more scores than that, a bar is for several.
const MOST_BARS: u64 = 20;

/// Rows of a histogram: one for each score, or one for each range of scores.
pub(crate) fn ranges(counts: &BTreeMap<u64, usize>) -> Vec<(String, u64)> {
    let (Some(&first), Some(&last)) = (counts.keys().next(), counts.keys().next_back()) else {
        return Vec::new();
    };
    let step = (last - first + 1).div_ceil(MOST_BARS);
    let row = |from: u64| {
        let to = (from + step - 1).min(last);
        let label = if from == to {
            from.to_string()
        } else {
            format!("{from}-{to}")
        };
        (label, counts.range(from..=to).map(|(_, &n)| n as u64).sum())
    };
    (first..=last).step_by(step as usize).map(row).collect()
}

/// A bar for each number of turns, from one on.
pub(crate) fn histogram(secrets: &[u64]) -> String {
    let rows = (1..).zip(secrets);
    let rows = rows.map(|(turns, &count): (usize, _)| (turns.to_string(), count));
    format!("turns secrets\n{}", bars(&rows.collect::<Vec<_>>()))
}
