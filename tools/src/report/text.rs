//! Text for people: rows with a label, tables, paragraphs, moments.

use crate::stats::paired::failed_less;
use comfy_table::Table;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use textwrap::core::display_width;

/// Breaks a paragraph into lines of at most 100 characters.
pub(crate) fn wrap(text: &str) -> String {
    textwrap::fill(text, 100)
}

/// Appends a row: its label, its text, a newline.
pub(crate) fn push_row(out: &mut String, label: &str, text: &str) {
    out.push_str(&format!("{label:<10} {text}\n"));
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

/// A moment in the user's own time.
pub(crate) fn moment(ms: i64, zone: &TimeZone) -> String {
    let moment = Timestamp::from_millisecond(ms).unwrap_or_default();
    let local = moment.to_zoned(zone.clone());
    local.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use comfy_table::presets;

    use super::*;

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
