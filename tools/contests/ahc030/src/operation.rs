//! One line of the contestant, and what it asks for.

use crate::layout::{Cell, CellSet};
use crate::refusal::{Found, Refusal};

/// What a contestant may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `q 1 i j`: how many fields cover this cell?
    Drill(Cell),
    /// `q k …`: how many fields cover these cells, about? At least two different cells.
    Question(Vec<Cell>),
    /// `a k …`: these are the cells with oil, and no others. At least one cell, all different.
    Answer(Vec<Cell>),
}

impl Operation {
    /// Reads a line for a grid of `n` rows, as the official tester does: words between Unicode white space, numbers as
    /// Rust reads a `usize` (so `+3` and `007` are numbers).
    ///
    /// Cost: no more than the 2N² + 3 words that a line can have are looked at.
    ///
    /// # Errors
    /// If the line breaks the rules.
    pub fn read(line: &[u8], n: u8) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(line).map_err(|_| Refusal::NotText)?;
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        if kind != "q" && kind != "a" {
            return Err(Refusal::UnknownOperation {
                word: kind.to_owned(),
            });
        }
        let most = usize::from(n).pow(2);
        let word = words.next().unwrap_or_default();
        let count = word.parse().ok().filter(|k| (1..=most).contains(k));
        let count = count.ok_or_else(|| Refusal::Count {
            word: word.to_owned(),
            most,
        })?;
        let words: Vec<&str> = words.take(2 * most + 1).collect();
        if words.len() != 2 * count {
            let found = match words.len() > 2 * most {
                true => Found::MoreThan(2 * most),
                false => Found::Exactly(words.len()),
            };
            return Err(Refusal::Numbers { count, found });
        }
        let cells = read_cells(&words, n)?;
        Ok(match (kind, &cells[..]) {
            ("a", _) => Self::Answer(cells),
            (_, &[cell]) => Self::Drill(cell),
            _ => Self::Question(cells),
        })
    }
}

fn read_cells(words: &[&str], n: u8) -> Result<Vec<Cell>, Refusal> {
    let mut seen = CellSet::new(n);
    let (pairs, _) = words.as_chunks();
    let read = |&[row, column]: &[&str; 2]| {
        let cell = read_cell([number(row)?, number(column)?], n)?;
        match seen.insert(cell) {
            true => Ok(cell),
            false => Err(Refusal::Twice { cell }),
        }
    };
    pairs.iter().map(read).collect()
}

fn read_cell([row, column]: [i64; 2], n: u8) -> Result<Cell, Refusal> {
    let inside = |number: i64| u8::try_from(number).ok().filter(|&number| number < n);
    match (inside(row), inside(column)) {
        (Some(row), Some(column)) => Ok(Cell { row, column }),
        _ => Err(Refusal::OutsideGrid {
            cell: [row, column],
            n,
        }),
    }
}

fn number(word: &str) -> Result<i64, Refusal> {
    let number = word.parse();
    // -0 is 0 for an `i64`; a `usize` has no sign.
    let number = number.ok().filter(|&i| i != 0 || !word.starts_with('-'));
    number.ok_or_else(|| Refusal::NotAnInteger {
        word: word.to_owned(),
    })
}
