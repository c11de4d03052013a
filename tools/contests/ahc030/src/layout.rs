//! Where the oil lies: fields of known shapes at hidden places of a square grid.

/// A place of the grid. Rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// `i` in the statement.
    pub row: u8,
    /// `j` in the statement.
    pub column: u8,
}

/// Some cells of a grid.
#[derive(Clone, Debug)]
pub struct CellSet {
    n: usize,
    contains: Vec<bool>,
}

impl CellSet {
    /// No cell of a grid of `n` rows and `n` columns.
    pub fn new(n: u8) -> Self {
        let n = usize::from(n);
        Self {
            n,
            contains: vec![false; n * n],
        }
    }

    /// Adds a cell of the grid. Whether it is new.
    pub fn insert(&mut self, cell: Cell) -> bool {
        let place = &mut self.contains[usize::from(cell.row) * self.n + usize::from(cell.column)];
        !std::mem::replace(place, true)
    }
}

/// One oil field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its cells, in the order of the case file. The least row is 0, and so is the least column.
    pub shape: Vec<Cell>,
    /// What must be added to its cells.
    pub offset: Cell,
}

impl Field {
    /// The greatest row and the greatest column of a shape.
    pub fn corner(shape: &[Cell]) -> Cell {
        Cell {
            row: shape.iter().map(|cell| cell.row).max().unwrap_or(0),
            column: shape.iter().map(|cell| cell.column).max().unwrap_or(0),
        }
    }

    /// The cells of the grid that it covers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.shape.iter().map(|cell| Cell {
            row: cell.row + self.offset.row,
            column: cell.column + self.offset.column,
        })
    }
}

/// All fields, and how many of them cover each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    n: u8,
    fields: Vec<Field>,
    /// Row by row.
    values: Vec<u8>,
}

impl Layout {
    /// Fields on a grid of `n` rows and `n` columns.
    ///
    /// # Panics
    /// If a field reaches over the edge.
    pub fn new(n: u8, fields: Vec<Field>) -> Self {
        let mut layout = Self {
            n,
            values: vec![0; usize::from(n).pow(2)],
            fields: Vec::new(),
        };
        for cell in fields.iter().flat_map(Field::cells) {
            assert!(cell.row < n && cell.column < n, "{cell:?} is over the edge");
            let index = layout.index(cell);
            layout.values[index] += 1;
        }
        layout.fields = fields;
        layout
    }

    /// N: the number of rows, and of columns.
    pub fn n(&self) -> u8 {
        self.n
    }

    /// The fields in the order of the case file.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// v(i, j): how many fields cover a cell of the grid.
    pub fn value(&self, cell: Cell) -> u8 {
        self.values[self.index(cell)]
    }

    /// The values, row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.values.chunks(usize::from(self.n))
    }

    /// The cells that a right answer names, row by row.
    pub fn oil_cells(&self) -> impl Iterator<Item = Cell> {
        let n = self.n;
        let cells = (0..n).flat_map(move |row| (0..n).map(move |column| Cell { row, column }));
        cells.filter(|&cell| self.value(cell) > 0)
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.n) + usize::from(cell.column)
    }
}
