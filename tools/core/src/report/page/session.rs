//! One session as a page: a slider, keys, and a board that is drawn as the problem draws it.

use std::io::{self, Write};

use serde::Serialize;

use crate::judge::record::Verdict;
use crate::judge::session::SessionView;
use crate::problem::{Drawing, Instance, Score};

use super::assets::{ELEMENTS, PICTURE, PLAYER, SESSION, SESSION_BODY, STYLE, WORDS};
use super::columns::Number;
use super::document::{Page, data_element};
use super::translations::{Translations, translations};

/// Everything that the page shows.
pub struct SessionPage<'a> {
    /// What the case is called, such as the name of its file.
    pub name: &'a str,
    /// The case; `None` if it is no longer as it was.
    pub instance: Option<&'a dyn Instance>,
    /// Its turns.
    pub turns: &'a SessionView,
    /// What became of it.
    pub verdict: Verdict,
    /// The score; it counts only if the verdict is AC.
    pub score: Score,
    /// Where and why, unless the verdict is AC.
    pub reason: Option<&'a str>,
}

/// What the scripts read.
#[derive(Serialize)]
pub struct SessionData<'a> {
    name: &'a str,
    answer: Option<String>,
    #[serde(flatten)]
    turns: &'a SessionView,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<Drawing>,
    verdict: String,
    score: Number,
    reason: Option<&'a str>,
    tester: &'static str,
    japanese: Translations<'a>,
}

impl<'a> SessionPage<'a> {
    /// What the scripts read; another page that has `Player` may show it too.
    pub fn data(&self) -> SessionData<'a> {
        SessionData {
            name: self.name,
            answer: self.instance.and_then(Instance::answer),
            turns: self.turns,
            drawing: self.instance.and_then(|case| self.turns.draw(case)),
            verdict: self.verdict.to_string(),
            score: self.score.into(),
            reason: self.reason,
            japanese: translations(self.reason.into_iter()),
            tester: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The page, without what stands in it.
pub(crate) fn page() -> Page<'static> {
    Page {
        markup: SESSION_BODY,
        title: String::new(),
        styles: &[STYLE],
        scripts: &[
            WORDS,
            ELEMENTS,
            PICTURE,
            SESSION,
            PLAYER,
            include_str!("../../../web/session/main.js"),
        ],
        licences: &[],
        text: String::new(),
        asks: false,
        fenced: Vec::new(),
    }
}

/// Writes the page.
///
/// # Errors
/// If the sink fails.
pub fn write(shown: &SessionPage<'_>, sink: &mut impl Write) -> io::Result<()> {
    let reason = shown.reason.unwrap_or_default();
    let page = Page {
        title: format!("{}: {}", shown.name, shown.turns.title()),
        text: format!("{}{} {reason}", shown.turns.text(), shown.verdict),
        ..page()
    };
    let data = shown.data();
    page.write(sink, |sink| data_element(sink, "session", &data))
}
