//! One case: exit cells, which wormhole leads where, and the noise of each measurement, drawn in advance.

/// How many measurements a contestant has.
pub const MEASUREMENT_LIMIT: usize = 10_000;

/// A cell of the grid, counted from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// From 0 to L − 1.
    pub row: u8,
    /// From 0 to L − 1.
    pub column: u8,
}

/// What a contestant plays on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// L: rows of the grid, and columns.
    pub l: u8,
    /// S: the standard deviation of the noise.
    pub s: u16,
    /// The N exit cells, all different, in the order of their numbers.
    pub exit_cells: Vec<Cell>,
    /// The number of each wormhole's exit cell; each number once.
    pub exits: Vec<u8>,
    /// What is added to each measurement's temperature, [`MEASUREMENT_LIMIT`] of them.
    pub noise: Vec<i32>,
}

impl Case {
    /// N: how many wormholes there are.
    pub fn n(&self) -> u8 {
        self.exits.len() as u8
    }
}
