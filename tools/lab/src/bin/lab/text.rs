//! Tables and bars for a terminal.

/// The longest bar, in characters.
const BAR: u64 = 50;

/// A bar chart: a label, a count and a bar for each row.
pub(crate) fn bars(rows: &[(String, u64)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    let mut out = String::new();
    for (label, count) in rows {
        let bar = "█".repeat((count * BAR).div_ceil(most) as usize);
        out.push_str(format!("{label:>5} {count:>7} {bar}").trim_end());
        out.push('\n');
    }
    out
}

/// A bar for each number of turns, from one on.
pub(crate) fn histogram(secrets: &[u64]) -> String {
    let rows = (1..).zip(secrets);
    let rows = rows.map(|(turns, &count): (usize, _)| (turns.to_string(), count));
    format!("turns secrets\n{}", bars(&rows.collect::<Vec<_>>()))
}
