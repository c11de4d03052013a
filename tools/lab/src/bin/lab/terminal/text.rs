//! Tables, bars and lines for a terminal.

use std::collections::BTreeMap;

use tester::util::terminal::columns;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, fill};

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

/// The columns of a line where no terminal says how many it has.
const COLUMNS: usize = 80;

/// The blank within a part of a line: no line ends there.
const HELD: &str = "\u{a0}";

/// The columns of the terminal on standard output, or else 80.
pub(crate) fn screen() -> usize {
    columns(&std::io::stdout()).map_or(COLUMNS, usize::from)
}

/// A text that begins in column `indent`, broken at blanks so that no line is wider than the screen, if its words are
/// not; further lines begin in the same column.
pub(crate) fn broken(text: &str, indent: usize, screen: usize) -> String {
    let blanks = " ".repeat(indent);
    let options = Options::new(screen).break_words(false);
    let options = options
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .initial_indent(&blanks)
        .subsequent_indent(&blanks);
    fill(text, options).split_off(indent)
}

/// The same for parts with a comma and a blank between them: lines end after a comma only.
pub(crate) fn broken_parts(parts: &[String], indent: usize, screen: usize) -> String {
    let held: Vec<String> = parts.iter().map(|part| part.replace(' ', HELD)).collect();
    broken(&held.join(", "), indent, screen).replace(HELD, " ")
}

/// Each line of a text, broken at blanks at the edge of the screen. Further lines begin where the text of the first does.
pub(crate) fn broken_lines(text: &str, screen: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        out.push_str(&line[..indent]);
        out.push_str(&broken(words, indent, screen));
        out.push_str(end);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_at_blanks() {
        assert_eq!(
            broken("012 1H1B 42, 023 0H1B 18", 2, 14),
            "012 1H1B 42,\n  023 0H1B 18"
        );
        assert_eq!(broken("12345678 9 10", 4, 6), "12345678\n    9\n    10");
        assert_eq!(broken("in one line", 19, 30), "in one line");
    }

    #[test]
    fn parts_stay_whole() {
        let parts = ["0H1B 10", "1H0B 5", "2H0B 1"].map(str::to_owned);
        assert_eq!(broken_parts(&parts, 2, 18), "0H1B 10, 1H0B 5,\n  2H0B 1");
        assert_eq!(broken_parts(&parts, 2, 17), "0H1B 10,\n  1H0B 5, 2H0B 1");
    }

    #[test]
    fn each_line_is_broken_below_its_first_word() {
        assert_eq!(
            broken_lines("no code is possible\n  row 1 (12: 0 0)\n", 12),
            "no code is\npossible\n  row 1 (12:\n  0 0)\n"
        );
    }
}
