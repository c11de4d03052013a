//! The pages: markup and scripts of `tools/lab/web`, with their data put into them.

use serde::Serialize;
use tester::report::page::assets::{ELEMENTS, PICTURE, PLAYER, SESSION, STYLE, WORDS};
use tester::report::page::document::{Page, data_element};

use super::messages;

/// The words of the lab's pages.
const LAB_WORDS: &str = concat!(
    include_str!("../../web/words/en.js"),
    include_str!("../../web/words/ja.js"),
);
/// What all pages of the server share.
const COMMON: [&str; 4] = [
    WORDS,
    LAB_WORDS,
    ELEMENTS,
    include_str!("../../web/common.js"),
];
/// What the lab knows of a game after some turns.
const ANALYSIS: &str = include_str!("../../web/analysis.js");

/// One of the server's pages: a script of its own, after those that it needs besides [`COMMON`].
pub(super) struct ServedPage {
    title: &'static str,
    scripts: &'static [&'static str],
}

pub(super) const RUNS: ServedPage = ServedPage {
    title: "Runs",
    scripts: &[
        include_str!("../../web/run_groups.js"),
        include_str!("../../web/runs.js"),
    ],
};
pub(super) const CASE: ServedPage = ServedPage {
    title: "Case",
    scripts: &[
        PICTURE,
        SESSION,
        PLAYER,
        ANALYSIS,
        include_str!("../../web/case.js"),
    ],
};
pub(super) const BOARD: ServedPage = ServedPage {
    title: "Board",
    scripts: &[
        PICTURE,
        SESSION,
        PLAYER,
        ANALYSIS,
        include_str!("../../web/board.js"),
    ],
};
pub(super) const ARTICLES: ServedPage = ServedPage {
    title: "Articles",
    scripts: &[
        ANALYSIS,
        include_str!("../../web/examples.js"),
        include_str!("../../web/bayes.js"),
        include_str!("../../web/strategies.js"),
        include_str!("../../web/articles.js"),
    ],
};
const ERROR: ServedPage = ServedPage {
    title: "Not found",
    scripts: &[include_str!("../../web/error.js")],
};

/// The page with `data` for its scripts, and `text` for a browser without scripts.
pub(super) fn html(served: &ServedPage, data: &impl Serialize, text: String) -> Vec<u8> {
    let scripts = [&COMMON, served.scripts].concat();
    let page = Page {
        markup: include_str!("../../web/page.html"),
        title: served.title.to_owned(),
        styles: &[STYLE],
        scripts: &scripts,
        licences: &[],
        text,
        asks: true,
        fenced: Vec::new(),
    };
    let mut html = Vec::new();
    page.write(&mut html, |sink| data_element(sink, "data", data))
        .expect("writing to memory does not fail");
    html
}

/// The page that says why there is no other.
pub(super) fn error(why: &str) -> Vec<u8> {
    let data = serde_json::json!({ "error": why, "japanese": messages::translations(why) });
    let text = match why {
        "" => "There is no such page.\nページが見つかりません。",
        why => why,
    };
    html(&ERROR, &data, text.to_owned())
}
