//! `lab articles`: what the articles say and ask, beside what is computed.

use std::process::ExitCode;

use anyhow::Result;
use lab::articles::{Agreement, Entry, entries, titles};
use serde::Serialize;
use tester::util::terminal::columns;

use crate::cli::ArticlesArgs;
use crate::terminal::text;

/// What `--json` prints for an entry.
#[derive(Serialize)]
struct Numbered<'a> {
    number: &'a str,
    #[serde(flatten)]
    entry: &'a Entry,
}

/// Columns are no wider; what does not fit gets lines of its own.
const WIDEST: usize = 60;

pub(crate) fn run(args: &ArticlesArgs) -> Result<ExitCode> {
    let mut numbered: Vec<(String, Entry)> = Vec::new();
    let mut number = 0;
    for entry in entries(args.article.as_deref()) {
        let begins = numbered
            .last()
            .is_none_or(|(_, last)| last.article != entry.article);
        number = if begins { 1 } else { number + 1 };
        numbered.push((format!("{}.{number:02}", entry.article), entry));
    }
    let differing = count(&numbered, |is| *is == Agreement::Differs);
    let status = ExitCode::from(u8::from(differing > 0));
    if args.json {
        for (number, entry) in &numbered {
            out!("{}", serde_json::to_string(&Numbered { number, entry })?);
        }
        return Ok(status);
    }
    // Number, agreement and the blanks between columns; a line that the terminal breaks is no row of a table.
    let screen = columns(&std::io::stdout()).map(usize::from);
    let terminal = screen.map(|columns| columns.saturating_sub(23));
    let widest = terminal.map_or(WIDEST, |columns| WIDEST.min(columns / 3));
    let width = |text: fn(&Entry) -> &str| {
        let shown = numbered
            .iter()
            .map(|(_, entry)| text(entry).chars().count());
        shown.filter(|&width| width <= widest).max().unwrap_or(0)
    };
    let (what, published) = (width(|entry| &entry.what), width(|entry| &entry.published));
    let measured = terminal.map_or(usize::MAX, |columns| {
        columns.saturating_sub(what + published)
    });
    let columns = [what, published, measured];
    for (at, (number, entry)) in numbered.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &numbered[before].1);
        if before.is_none_or(|before| before.article != entry.article) {
            out!("{}", heading(entry.article));
        }
        out!("{}", shown(number, entry, columns, screen));
        let next = numbered.get(at + 1);
        if next.is_none_or(|(_, next)| next.command != entry.command) {
            out!("        $ {}", entry.command);
        }
    }
    out!(
        "{} entries: {} agree, {} explained, {} answered, {differing} differ",
        numbered.len(),
        count(&numbered, |is| *is == Agreement::Agrees),
        count(&numbered, |is| matches!(is, Agreement::Explained(_))),
        count(&numbered, |is| *is == Agreement::Answered),
    );
    Ok(status)
}

/// Which article the next entries are of.
fn heading(number: &str) -> String {
    let mut known = titles();
    let (number, title) = known
        .find(|(known, _)| *known == number)
        .expect("every entry is of an article");
    format!("article {number}: {title}")
}

fn count(entries: &[(String, Entry)], is: impl Fn(&Agreement) -> bool) -> usize {
    entries
        .iter()
        .filter(|(_, entry)| is(&entry.agreement))
        .count()
}

/// `measured` is the most that fits behind the columns; lines of their own are broken at the edge of the screen.
fn shown(
    number: &str,
    entry: &Entry,
    [what, published, measured]: [usize; 3],
    screen: Option<usize>,
) -> String {
    let broken = |text: &str, indent| match screen {
        Some(screen) => text::broken(text, indent, screen),
        None => text.to_owned(),
    };
    let mark = match entry.agreement {
        Agreement::Agrees => "agrees",
        Agreement::Explained(_) => "explained",
        Agreement::Answered => "answered",
        Agreement::Differs => "DIFFERS",
    };
    let fits = |text: &str, width: usize| text.chars().count() <= width;
    let fit = fits(&entry.what, what) && fits(&entry.published, published);
    let mut text = match fit && fits(&entry.measured, measured) {
        true => format!(
            "{number}  {mark:<9}  {:<what$}  {:<published$}  {}",
            entry.what, entry.published, entry.measured
        ),
        false => format!(
            "{number}  {mark:<9}  {}\n                   published  {}\n                   measured   {}",
            broken(&entry.what, 19),
            broken(&entry.published, 30),
            broken(&entry.measured, 30)
        ),
    };
    if let Agreement::Explained(why) = entry.agreement {
        text += &format!("\n                   because {}", broken(why, 27));
    }
    text.trim_end().to_owned()
}
