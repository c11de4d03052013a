//! Markup, styles and scripts of `tools/core/web` that several pages use.

/// The body of a page that shows one session, which `startSession` of [`PLAYER`] fills in.
pub const SESSION_BODY: &str = include_str!("../../../web/session/page.html");
/// What every page looks like.
pub const STYLE: &str = include_str!("../../../web/style.css");
/// The words of the pages in each language, and how a page chooses its language.
pub const WORDS: &str = concat!(
    include_str!("../../../web/words/words.js"),
    include_str!("../../../web/words/en.js"),
    include_str!("../../../web/words/ja.js"),
);
/// How an element of a page is made, and round numbers for pictures.
pub const ELEMENTS: &str = include_str!("../../../web/elements.js");
/// The picture that a contest's visualizer drew, fenced; and the buttons that copy a text.
pub const PICTURE: &str = include_str!("../../../web/picture.js");
/// A session as a table of turns, and what is shown beside it.
pub const SESSION: &str = include_str!("../../../web/session.js");
/// A session that is played turn by turn: `Player`, the pictures that problems draw, and `startSession`.
pub const PLAYER: &str = concat!(
    include_str!("../../../web/session/address.js"),
    include_str!("../../../web/session/pegs.js"),
    include_str!("../../../web/session/shapes.js"),
    include_str!("../../../web/session/grid.js"),
    include_str!("../../../web/session/svg.js"),
    include_str!("../../../web/session/player.js"),
    include_str!("../../../web/session/start.js"),
);
