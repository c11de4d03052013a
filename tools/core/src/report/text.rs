//! Text for people: rows with a label, tables, paragraphs, moments.

use std::io;

use comfy_table::Table;
use textwrap::core::display_width;
use textwrap::{Options, WordSplitter};

use crate::case::CaseId;
use crate::stats::paired::failed_less;
use crate::util::terminal::columns;

/// The columns of a label and the blank after it.
const LABEL: usize = 11;

/// The most columns of a paragraph.
const PARAGRAPH: usize = 100;

/// The columns of the terminal on standard output, if there is one.
fn terminal_columns() -> Option<usize> {
    columns(&io::stdout()).map(usize::from)
}

/// Breaks a paragraph into lines of at most 100 columns, and no more than a terminal has.
pub fn wrap(text: &str) -> String {
    let columns = terminal_columns().unwrap_or(PARAGRAPH).min(PARAGRAPH);
    textwrap::fill(text, options(columns))
}

/// Lines end at blanks only: half of `--max-difference` is nothing that you can type.
fn options<'a>(columns: usize) -> Options<'a> {
    Options::new(columns).word_splitter(WordSplitter::NoHyphenation)
}

/// Appends a row: its label, its text, a newline. On a terminal, a longer text goes on below its beginning.
pub fn push_row(out: &mut String, label: &str, text: &str) {
    out.push_str(&row_text(label, text, terminal_columns()));
}

/// Appends a row that is one line for any terminal: its text is to be copied.
pub(crate) fn push_command(out: &mut String, label: &str, text: &str) {
    out.push_str(&row_text(label, text, None));
}

/// Appends a row of parts with a gap between them. On a terminal, a part that does not fit goes below the others.
pub(crate) fn push_parts(out: &mut String, label: &str, parts: &[String]) {
    out.push_str(&parts_text(label, parts, terminal_columns()));
}

fn row_text(label: &str, text: &str, columns: Option<usize>) -> String {
    hanging(&format!("{label:<0$} ", LABEL - 1), text, columns)
}

/// Appends a failed case: its number, its headline, a newline. On a terminal, a longer headline goes on below its
/// beginning.
pub(crate) fn push_failed(out: &mut String, id: CaseId, headline: &str) {
    out.push_str(&failed_case_text(id, headline, terminal_columns()));
}

/// The same for a terminal of this width, or for no terminal, as a line while cases are judged.
pub fn failed_case_text(id: CaseId, headline: &str, columns: Option<usize>) -> String {
    hanging(&format!("{id}  "), headline, columns)
}

/// A text with something before it, and a newline. Where it is wider than `columns`, it goes on below its beginning.
fn hanging(before: &str, text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|&columns| columns > 2 * LABEL) else {
        return format!("{before}{text}\n");
    };
    let below = " ".repeat(display_width(before));
    let options = options(columns).break_words(false);
    let options = options.initial_indent(before).subsequent_indent(&below);
    textwrap::fill(text, options) + "\n"
}

fn parts_text(label: &str, parts: &[String], columns: Option<usize>) -> String {
    const GAP: &str = "  ";
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line)
                if columns.is_none_or(|columns| {
                    LABEL + display_width(line) + GAP.len() + display_width(part) <= columns
                }) =>
            {
                line.push_str(GAP);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    let labels = [label].into_iter().chain(std::iter::repeat(""));
    let rows = labels.zip(&lines);
    rows.map(|(label, line)| row_text(label, line, None))
        .collect()
}

/// Which of A and B failed more of the cases, and what that means for figures; empty if both failed as many.
pub(crate) fn failed_text(failed: [usize; 2], cases: usize) -> String {
    failed_less(failed).map_or(String::new(), |safer| {
        let other = 1 - safer;
        let names = [safer, other].map(|which| ["A", "B"][which]);
        format!(
            "{} failed {} of {cases} cases and {} {}: {} is safer. Failed cases are in no mean. ",
            names[1], failed[other], names[0], failed[safer], names[0]
        )
    })
}

/// Follows where the better of the solved cases is not the one that failed fewer.
pub(crate) const SPLIT: &str =
    " Which of them is better in all depends on what a failed case costs.";

/// The rows of a table without frames or blanks around, for people and `grep`; cut to `width` columns
/// of a terminal, where there is one.
pub(crate) fn table_text(table: &Table, width: Option<u16>) -> String {
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

#[cfg(test)]
mod tests {
    use comfy_table::presets;

    use super::*;

    #[test]
    fn a_failed_case_goes_on_below_its_headline() {
        let text =
            |columns| failed_case_text(CaseId(7), "WA: day 3 is full of rectangles", columns);
        assert_eq!(text(None), "0007  WA: day 3 is full of rectangles\n");
        assert_eq!(
            text(Some(24)),
            "0007  WA: day 3 is full\n      of rectangles\n"
        );
    }

    #[test]
    fn rows_go_on_below_their_text_where_the_terminal_is_narrow() {
        let text = "run 49 by relative: -14.3261 ± 8.7545; better on 33 cases, the same on 3";
        assert_eq!(
            row_text("against", text, None),
            format!("against    {text}\n")
        );
        assert_eq!(
            row_text("against", text, Some(83)),
            format!("against    {text}\n")
        );
        assert_eq!(
            row_text("against", text, Some(60)),
            "against    run 49 by relative: -14.3261 ± 8.7545; better on\n           33 cases, the same on 3\n"
        );
        let option = "give it: --max-difference N";
        assert_eq!(
            row_text("against", option, Some(28)),
            "against    give it:\n           --max-difference\n           N\n"
        );
        // Too narrow for two columns.
        assert_eq!(
            row_text("against", text, Some(20)),
            format!("against    {text}\n")
        );
        let parts = ["1 to 3: mean 5", "4 to 6: mean 7", "7 to 9: mean 8"].map(str::to_owned);
        let on = |columns| parts_text("by N", &parts, columns);
        let whole = "by N       1 to 3: mean 5  4 to 6: mean 7  7 to 9: mean 8\n";
        assert_eq!(on(None), whole);
        assert_eq!(on(Some(57)), whole);
        assert_eq!(
            on(Some(56)),
            "by N       1 to 3: mean 5  4 to 6: mean 7\n           7 to 9: mean 8\n"
        );
        assert_eq!(
            on(Some(1)),
            "by N       1 to 3: mean 5\n           4 to 6: mean 7\n           7 to 9: mean 8\n"
        );
    }

    #[test]
    fn lines_are_cut_to_the_terminal_by_what_they_show() {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.add_row(["ab", "数え上げ"]);
        let cut = |width| table_text(&table, Some(width));
        assert_eq!(table_text(&table, None), "ab  数え上げ\n");
        assert_eq!(cut(12), "ab  数え上げ\n");
        // Each of these characters is two columns wide.
        assert_eq!(cut(11), "ab  数え上…\n");
        assert_eq!(cut(10), "ab  数え…\n");
        assert_eq!(cut(1), "…\n");
    }
}
