//! How a problem draws a session: as values, which pages turn into pictures.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// One turn of a session, as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedTurn<'a> {
    /// The contestant's comments before the question, each with its `#`.
    pub comments: Vec<&'a str>,
    /// The question; its lines have `\n` between them. What was not UTF-8 is U+FFFD.
    pub question: &'a str,
    /// The reply; `None` if there was none.
    pub reply: Option<&'a str>,
}

/// A drawn session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// A row of pegs for each turn.
    Pegs(PegsDrawing),
    /// A grid whose cells change from turn to turn.
    Grid(GridDrawing),
    /// A picture for each turn.
    Svg(SvgDrawing),
}

/// Rows of pegs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PegsDrawing {
    /// For each turn; `None` for a line that is no guess.
    pub rows: Vec<Option<Vec<Peg>>>,
    /// The secret.
    pub answer: Option<Vec<Peg>>,
}

/// One place of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Peg {
    /// Which digit, or colour, from 0 on.
    pub symbol: u8,
    /// How it compares with the secret.
    pub mark: Mark,
}

/// How one place of a guess compares with the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The secret has this symbol here.
    Hit,
    /// The secret has it elsewhere.
    Blow,
    /// The secret does not have it, or not once more.
    Miss,
}

/// A grid of `rows` × `columns` cells. Cell (i, j) has the number i · columns + j. [`GridBuilder`](super::grid::GridBuilder) makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridDrawing {
    /// Number of rows, at least 1.
    pub rows: u32,
    /// Number of columns, at least 1.
    pub columns: u32,
    /// What the contestant knows before its first turn, then what each turn changes: one more than there are turns.
    pub frames: Vec<GridFrame>,
    /// What only the judge knows. Readers can hide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenShape>,
    /// Captions and names of shapes in Japanese, by their English text, for pages; others stay English.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub japanese: BTreeMap<String, String>,
}

/// What one turn changes in a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridFrame {
    /// The cells that this turn is about. They are marked in this frame only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marked: Vec<u32>,
    /// Cells that look different from now on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<CellChange>,
    /// The state of the game in a few words, such as `cost 3.41`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub caption: String,
}

/// A cell's new look. What is `None` stays.
///
/// Serialised as a list of cell, text and fill, because a page may have 100,000 of them: `[5,"2"]`, `[5,null,"red"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellChange {
    /// The cell's number.
    pub cell: u32,
    /// The text in it, a few characters; an empty text removes it.
    pub text: Option<String>,
    /// Its colour, as CSS writes colours: `#rrggbb`, or a name; an empty text removes it. A page ignores what is no
    /// colour.
    pub fill: Option<String>,
}

impl Serialize for CellChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.fill {
            None => (self.cell, &self.text).serialize(serializer),
            Some(fill) => (self.cell, &self.text, fill).serialize(serializer),
        }
    }
}

/// Cells that only the judge knows to belong together. Shapes may overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HiddenShape {
    /// The cells' numbers.
    pub cells: Vec<u32>,
    /// What the shape is called, such as `field 2`.
    pub label: String,
}

/// Pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SvgDrawing {
    /// A whole `<svg>` element each: before the first turn, then after each turn. Pages show them as images on white, so
    /// that no script in them runs, and so that they can load nothing.
    pub frames: Vec<String>,
}
