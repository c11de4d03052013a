//! One session as a page: a slider, keys, and a board that is drawn as the problem draws it.

use std::io::{self, Write};

use serde::Serialize;

use crate::judge::record::Verdict;
use crate::judge::session::SessionView;
use crate::problem::{Instance, Peg};

use super::{PLAYER, Page, STYLE, TOLD, WORDS, data_element};

/// Everything that the page shows.
pub struct Shown<'a> {
    /// What the case is called, such as the name of its file.
    pub name: &'a str,
    /// The case.
    pub instance: &'a dyn Instance,
    /// What was said, [drawn](Told::drawn).
    pub told: &'a SessionView,
    /// What became of it.
    pub verdict: Verdict,
    /// The score; it counts only if the verdict is AC.
    pub score: u64,
    /// Where and why, unless the verdict is AC.
    pub reason: Option<String>,
}

/// What the scripts read.
#[derive(Serialize)]
pub struct Data<'a> {
    name: &'a str,
    opening: String,
    answer: String,
    pegs: Option<Vec<Peg>>,
    told: &'a SessionView,
    verdict: String,
    score: u64,
    reason: Option<&'a str>,
    tester: &'static str,
}

impl Shown<'_> {
    /// What the scripts read; a page of another maker's may show it too.
    pub fn data(&self) -> Data<'_> {
        let answer = self.instance.answer();
        Data {
            name: self.name,
            opening: self.instance.opening(),
            pegs: self.instance.pegs(&answer),
            answer,
            told: self.told,
            verdict: self.verdict.to_string(),
            score: self.score,
            reason: self.reason.as_deref(),
            tester: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The page, without what stands in it.
pub(super) fn page() -> Page<'static> {
    Page {
        markup: include_str!("../../../web/session/page.html"),
        title: String::new(),
        styles: &[STYLE],
        scripts: &[
            WORDS,
            TOLD,
            PLAYER,
            include_str!("../../../web/session/main.js"),
        ],
        licences: &[],
        text: String::new(),
        asks: false,
    }
}

/// Writes the page.
///
/// # Errors
/// If the sink fails.
pub fn write(shown: &Shown<'_>, sink: &mut impl Write) -> io::Result<()> {
    let page = Page {
        title: format!("{}: {}", shown.name, shown.instance.opening()),
        text: format!(
            "{}{} {}",
            shown.told.text(),
            shown.verdict,
            shown.reason.as_deref().unwrap_or_default()
        ),
        ..page()
    };
    let data = shown.data();
    page.write(sink, |sink| data_element(sink, "session", &data))
}
