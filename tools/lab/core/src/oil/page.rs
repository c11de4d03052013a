//! A session as one HTML file: what was known at each turn, beside the truth.

use std::io::{self, Write};

use ahc030::case::Case;
use serde::Serialize;
use tester::report::page::assets::{ELEMENTS, PLAYER, SESSION, SESSION_BODY, STYLE, WORDS};
use tester::report::page::document::{Page, data_element};
use tester::report::page::session::SessionPage;

use super::replay::{Known, Replay, Step, prior_bits};

/// What the page's own script reads, besides the session.
#[derive(Serialize)]
struct KnownData<'a> {
    steps: &'a [Step],
    end: &'a Known,
    prior_bits: f64,
}

/// The page, without what stands in it.
fn page() -> Page<'static> {
    Page {
        markup: SESSION_BODY,
        title: String::new(),
        styles: &[STYLE],
        scripts: &[
            WORDS,
            include_str!("../../../web/words/oil.js"),
            ELEMENTS,
            SESSION,
            PLAYER,
            include_str!("../../../web/oil.js"),
        ],
        licences: &[],
        text: String::new(),
        fenced: Vec::new(),
        asks: false,
    }
}

/// Writes the page of a session and of what was known in it.
///
/// # Errors
/// If the sink fails.
pub fn write(
    shown: &SessionPage<'_>,
    replay: &Replay,
    case: &Case,
    sink: &mut impl Write,
) -> io::Result<()> {
    let page = Page {
        title: shown.name.to_owned(),
        text: format!("{}{}", shown.turns.text(), shown.verdict),
        ..page()
    };
    let (session, known) = (
        shown.data(),
        KnownData {
            steps: &replay.steps,
            end: &replay.end,
            prior_bits: prior_bits(case),
        },
    );
    page.write(sink, |sink| {
        data_element(sink, "session", &session)?;
        data_element(sink, "known", &known)
    })
}
