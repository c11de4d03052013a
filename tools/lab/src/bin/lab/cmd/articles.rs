//! `lab articles`: the published figures beside ours.

use std::process::ExitCode;

use anyhow::Result;
use lab::articles::{Agreement, figures};

pub(crate) fn run() -> Result<ExitCode> {
    let figures = figures();
    let width = |text: fn(&lab::articles::Figure) -> &str| {
        let shown = figures.iter().map(|figure| text(figure).chars().count());
        shown.max().unwrap_or(0).min(60)
    };
    let (what, published) = (width(|f| &f.what), width(|f| &f.published));
    let mut differing = 0;
    let mut explained = 0;
    for figure in &figures {
        let (mark, note) = match &figure.agreement {
            Agreement::Agrees => ("agrees", None),
            Agreement::Explained(why) => {
                explained += 1;
                ("explained", Some(*why))
            }
            Agreement::Differs => {
                differing += 1;
                ("DIFFERS", None)
            }
        };
        // What is too long for its column gets lines of its own.
        if figure.published.chars().count() > published || figure.what.chars().count() > what {
            out!("{}  {mark:<9}  {}", figure.article, figure.what);
            out!("                published  {}", figure.published);
            out!("                measured   {}", figure.measured);
        } else {
            out!(
                "{}  {mark:<9}  {:<what$}  {:<published$}  {}",
                figure.article,
                figure.what,
                figure.published,
                figure.measured
            );
        }
        if let Some(why) = note {
            out!("                because {why}");
        }
    }
    out!(
        "{} figures: {} agree, {explained} explained, {differing} differ",
        figures.len(),
        figures.len() - explained - differing
    );
    Ok(ExitCode::from(u8::from(differing > 0)))
}
