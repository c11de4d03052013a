//! Drawing a grid turn by turn: a builder that keeps only what changes, and the comments by which contestants paint cells.

use super::drawing::{CellChange, Drawing, GridDrawing, GridFrame, HiddenShape};

/// A colour has at most this many bytes: `rgba(255,255,255,0.123)` has 23.
const LONGEST_COLOUR: usize = 40;

/// Builds a [`GridDrawing`] frame by frame. It remembers how each cell looks, so that a cell that is painted again as it
/// was costs nothing, and one that is painted a thousand times in a turn costs as much as once.
///
/// Cells outside of the grid are ignored, because contestants name them too.
pub struct GridBuilder {
    drawing: GridDrawing,
    looks: Vec<Look>,
    frame: GridFrame,
    /// The cells that this frame has touched.
    touched: Vec<u32>,
}

/// How a cell looked after the last frame, and how it looks now.
#[derive(Clone, Default)]
struct Look {
    text: String,
    fill: String,
    new_text: Option<String>,
    new_fill: Option<String>,
    is_touched: bool,
    is_marked: bool,
}

impl GridBuilder {
    /// An empty grid, in its first frame: what is known before the first turn.
    pub fn new(rows: u32, columns: u32) -> Self {
        Self {
            drawing: GridDrawing {
                rows,
                columns,
                ..GridDrawing::default()
            },
            looks: vec![Look::default(); rows as usize * columns as usize],
            frame: GridFrame::default(),
            touched: Vec::new(),
        }
    }

    /// Marks a cell in this frame only.
    pub fn mark(&mut self, cell: u32) {
        if let Some(look) = self.touch(cell).filter(|look| !look.is_marked) {
            look.is_marked = true;
            self.frame.marked.push(cell);
        }
    }

    /// The text in a cell from this frame on; an empty one removes it.
    pub fn set_text(&mut self, cell: u32, text: impl Into<String>) {
        if let Some(look) = self.touch(cell) {
            look.new_text = Some(text.into());
        }
    }

    /// The colour of a cell from this frame on, as in [`CellChange::fill`]; an empty one removes it.
    pub fn set_fill(&mut self, cell: u32, colour: impl Into<String>) {
        if let Some(look) = self.touch(cell) {
            look.new_fill = Some(colour.into());
        }
    }

    /// Paints what the comment says, if it is one of [`painted_cell`].
    pub fn paint(&mut self, comment: &str) {
        let GridDrawing { rows, columns, .. } = self.drawing;
        if let Some((cell, colour)) = painted_cell(comment, rows, columns) {
            self.set_fill(cell, colour);
        }
    }

    /// The state of the game in this frame, in a few words.
    pub fn set_caption(&mut self, caption: impl Into<String>) {
        self.frame.caption = caption.into();
    }

    /// What a caption, or the name of a shape, is in Japanese.
    pub fn translate(&mut self, english: impl Into<String>, japanese: impl Into<String>) {
        let japanese = japanese.into();
        self.drawing.japanese.insert(english.into(), japanese);
    }

    /// Ends this frame. Call it once before the first turn, and once for each turn.
    pub fn end_frame(&mut self) {
        let mut frame = std::mem::take(&mut self.frame);
        for cell in self.touched.drain(..) {
            let look = &mut self.looks[cell as usize];
            let text = change(&mut look.text, look.new_text.take());
            let fill = change(&mut look.fill, look.new_fill.take());
            if text.is_some() || fill.is_some() {
                frame.changes.push(CellChange { cell, text, fill });
            }
            (look.is_touched, look.is_marked) = (false, false);
        }
        self.drawing.frames.push(frame);
    }

    /// The drawing. A frame that was not ended is not in it.
    pub fn finish(self, hidden: Vec<HiddenShape>) -> Drawing {
        Drawing::Grid(GridDrawing {
            hidden,
            ..self.drawing
        })
    }

    fn touch(&mut self, cell: u32) -> Option<&mut Look> {
        let look = self.looks.get_mut(cell as usize)?;
        if !look.is_touched {
            look.is_touched = true;
            self.touched.push(cell);
        }
        Some(look)
    }
}

/// Takes the new value over; `Some` if it is another one.
fn change(value: &mut String, new: Option<String>) -> Option<String> {
    let new = new.filter(|new| new != value)?;
    value.clone_from(&new);
    Some(new)
}

/// The number of the cell and the colour of a comment `#c i j COLOUR`: visualizers of heuristic contests paint cell (i, j)
/// by it. Blanks may stand before the `c`, as in these visualizers. `None` if it is another comment, if the cell is not in the grid, or if
/// the last word cannot be a colour. A page ignores a name that is no colour's.
pub fn painted_cell(comment: &str, rows: u32, columns: u32) -> Option<(u32, &str)> {
    let rest = comment.trim().trim_start_matches('#').trim_start();
    let mut words = rest.strip_prefix('c')?.split_whitespace();
    let mut index = |below: u32| {
        let index: u32 = words.next()?.parse().ok()?;
        (index < below).then_some(index)
    };
    let cell = index(rows)? * columns + index(columns)?;
    let colour = words.next().filter(|word| may_be_colour(word))?;
    words.next().is_none().then_some((cell, colour))
}

/// Whether it is written as CSS writes colours without blanks: `#f00`, `#ff0000`, `red`, `rgb(255,0,0)`.
fn may_be_colour(word: &str) -> bool {
    let is_hex = |digits: &str| {
        matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit())
    };
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic());
    let is_part =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b',' | b'%' | b'-' | b'/');
    let is_call = |(name, rest): (&str, &str)| {
        let inside = rest.strip_suffix(')');
        matches!(name, "rgb" | "rgba" | "hsl" | "hsla")
            && inside.is_some_and(|inside| inside.bytes().all(is_part))
    };
    word.len() <= LONGEST_COLOUR
        && (word.strip_prefix('#').is_some_and(is_hex)
            || is_name(word)
            || word.split_once('(').is_some_and(is_call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_kept() {
        let mut grid = GridBuilder::new(2, 3);
        grid.set_caption("cost 0");
        grid.translate("cost 0", "コスト 0");
        grid.end_frame();
        for colour in ["#ff0000", "#00ff00", "red"] {
            grid.set_fill(4, colour);
        }
        grid.set_text(4, "2");
        (0..3).for_each(|_| grid.mark(5));
        grid.mark(6);
        grid.set_text(99, "outside");
        grid.end_frame();
        // As it was, and as it was in the end.
        grid.set_fill(4, "red");
        grid.set_text(0, "x");
        grid.set_text(0, "");
        grid.end_frame();
        grid.set_fill(4, "");
        grid.paint("#c 0 2 #abc");
        let shape = HiddenShape {
            cells: vec![0, 1],
            label: "field 0".to_owned(),
        };
        grid.end_frame();
        grid.mark(0);
        let json = serde_json::to_string(&grid.finish(vec![shape])).unwrap();
        insta::assert_snapshot!(json, @r##"{"grid":{"rows":2,"columns":3,"frames":[{"caption":"cost 0"},{"marked":[5],"changes":[[4,"2","red"]]},{},{"changes":[[4,null,""],[2,null,"#abc"]]}],"hidden":[{"cells":[0,1],"label":"field 0"}],"japanese":{"cost 0":"コスト 0"}}}"##);
    }

    #[test]
    fn comments_paint_cells_as_visualizers_read_them() {
        let painted = |comment| painted_cell(comment, 2, 3);
        assert_eq!(painted("#c 1 2 #ff0000"), Some((5, "#ff0000")));
        assert_eq!(painted("  ## c 0 1 red "), Some((1, "red")));
        assert_eq!(painted("#c\t1 0  rgb(1,2,3)"), Some((3, "rgb(1,2,3)")));
        assert_eq!(painted("#c 1 1 #F0f8"), Some((4, "#F0f8")));
        let long = format!("#c 0 0 {}", "a".repeat(LONGEST_COLOUR + 1));
        for other in [
            "#c 2 0 red",
            "#c 0 3 red",
            "#c -1 0 red",
            "#c 4294967295 4294967295 red",
            "#c 0 0",
            "#c 0 0 red blue",
            "#c 0 0 #12",
            "#c 0 0 #12345g",
            "#c 0 0 url(//x)",
            "#c 0 0 rgb(1",
            "#c 0 0 ü",
            "#c0 0",
            "# comment",
            "#",
            &long,
        ] {
            assert_eq!(painted(other), None, "{other}");
        }
    }
}
