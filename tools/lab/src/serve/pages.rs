//! The pages: markup and scripts of `tools/web`, with what they show put into them.

use serde::Serialize;
use tester::report::page::{PLAYER, Page, STYLE, TOLD, WORDS, data_element};

/// Scripts that all pages of the server have.
const USUAL: &str = include_str!("../../web/usual.js");
const STANDING: &str = include_str!("../../web/standing.js");

/// One of the server's pages: a script of its own, and those that it needs.
pub(super) struct Served {
    title: &'static str,
    scripts: &'static [&'static str],
}

pub(super) const HOME: Served = Served {
    title: "Runs",
    scripts: &[
        WORDS,
        USUAL,
        include_str!("../../web/groups.js"),
        include_str!("../../web/home.js"),
    ],
};
pub(super) const CASE: Served = Served {
    title: "Case",
    scripts: &[
        WORDS,
        USUAL,
        TOLD,
        PLAYER,
        STANDING,
        include_str!("../../web/case.js"),
    ],
};
pub(super) const BOARD: Served = Served {
    title: "Board",
    scripts: &[
        WORDS,
        USUAL,
        TOLD,
        PLAYER,
        STANDING,
        include_str!("../../web/board.js"),
    ],
};

pub(super) const ARTICLES: Served = Served {
    title: "Articles",
    scripts: &[
        WORDS,
        USUAL,
        STANDING,
        include_str!("../../web/articles.js"),
    ],
};

/// The page with `data` for its scripts, and `text` for whoever has none.
pub(super) fn made(served: &Served, data: &impl Serialize, text: String) -> Vec<u8> {
    let page = Page {
        markup: include_str!("../../web/page.html"),
        title: served.title.to_owned(),
        styles: &[STYLE],
        scripts: served.scripts,
        licences: &[],
        text,
        asks: true,
    };
    let mut html = Vec::new();
    page.write(&mut html, |sink| data_element(sink, "data", data))
        .expect("writing to memory does not fail");
    html
}

/// The page that says what went wrong.
pub(super) fn failed(why: &str) -> Vec<u8> {
    let served = Served {
        title: "Not found",
        scripts: &[WORDS, USUAL, include_str!("../../web/failed.js")],
    };
    made(
        &served,
        &serde_json::json!({ "error": why }),
        why.to_owned(),
    )
}
