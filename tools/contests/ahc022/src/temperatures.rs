//! The grid that the contestant sets: temperatures of cells, on a grid that wraps around at its edges.

use crate::case::Cell;

/// The highest temperature; the lowest is 0.
pub const HIGHEST: u16 = 1000;

/// A temperature for each of L × L cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temperatures {
    l: usize,
    /// Row by row.
    values: Vec<u16>,
}

impl Temperatures {
    /// The grid of these rows.
    ///
    /// # Panics
    /// If a row has another length than there are rows.
    pub fn from_rows(rows: &[Vec<u16>]) -> Self {
        let l = rows.len();
        assert!(rows.iter().all(|row| row.len() == l), "the grid is square");
        Self {
            l,
            values: rows.concat(),
        }
    }

    /// The temperature `y` rows below and `x` columns right of a cell; negative numbers lead up and left.
    pub fn beside(&self, cell: Cell, y: i32, x: i32) -> u16 {
        let l = self.l as i32;
        let row = (i32::from(cell.row) + y).rem_euclid(l) as usize;
        let column = (i32::from(cell.column) + x).rem_euclid(l) as usize;
        self.values[row * self.l + column]
    }

    /// The sum of the squared differences between all neighbours.
    pub fn placement_cost(&self) -> u64 {
        let at = |row: usize, column: usize| self.values[row % self.l * self.l + column % self.l];
        let squared = |a: u16, b: u16| u64::from(a.abs_diff(b)).pow(2);
        let of_cell = |row: usize, column: usize| {
            let here = at(row, column);
            squared(here, at(row + 1, column)) + squared(here, at(row, column + 1))
        };
        let cells = (0..self.l).flat_map(|row| (0..self.l).map(move |column| (row, column)));
        cells.map(|(row, column)| of_cell(row, column)).sum()
    }
}
