//! The case of a seed, as the official generator makes it.
//!
//! Every number is drawn in its order, from its range, as its integer type: each of these changes all that is drawn
//! afterwards. What is fixed is drawn nevertheless, and then replaced.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::StandardNormal;

use crate::case::{Case, Eps};
use crate::layout::{Cell, CellSet, Field, Layout};

/// Parameters that are the same in every case; those that are `None` are drawn from the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedParameters {
    n: Option<u8>,
    m: Option<u8>,
    eps: Option<Eps>,
}

impl FixedParameters {
    /// `None` unless N is from 10 to 20 and M from 2 to 20.
    ///
    /// M may be more than the N²/20 of the contest, as in the official generator.
    pub fn new(n: Option<u8>, m: Option<u8>, eps: Option<Eps>) -> Option<Self> {
        let n_fits = n.is_none_or(|n| (10..=20).contains(&n));
        let m_fits = m.is_none_or(|m| (2..=20).contains(&m));
        (n_fits && m_fits).then_some(Self { n, m, eps })
    }
}

/// The case of `seed`.
///
/// Cost: some 150 µs.
pub fn generate(seed: u64, fixed: FixedParameters) -> Case {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut n = rng.gen_range(10_i32..=20);
    n = fixed.n.map_or(n, i32::from);
    let mut m = rng.gen_range(2_i32..=n * n / 20);
    m = fixed.m.map_or(m, i32::from);
    let eps = Eps::from_hundredths(rng.gen_range(1_i32..=20) as u8).expect("drawn from its range");
    let eps = fixed.eps.unwrap_or(eps);
    let average = (rng.gen_range(n * n / 5..=n * n / 2) / m).max(4);
    let spread = rng.gen_range(0_i32..=average - 4);
    let shapes: Vec<_> = (0..m)
        .map(|_| {
            let size = rng.gen_range(average - spread..=average + spread);
            shape(&mut rng, n as u8, size as usize)
        })
        .collect();
    let place = |shape: Vec<Cell>| Field {
        offset: offset(&mut rng, n, &shape),
        shape,
    };
    let fields = shapes.into_iter().map(place).collect();
    let layout = Layout::new(n as u8, fields);
    let deviates = (0..2 * n * n).map(|_| rng.sample::<f64, _>(StandardNormal));
    let noise = deviates.map(ten_decimals).collect();
    Case { layout, eps, noise }
}

/// A connected shape that grows from the middle of the grid, one random neighbour after another.
fn shape(rng: &mut ChaCha20Rng, n: u8, size: usize) -> Vec<Cell> {
    let middle = Cell {
        row: n / 2,
        column: n / 2,
    };
    let mut cells = vec![middle];
    let mut border: Vec<Cell> = neighbours(middle, n).collect();
    let mut seen = CellSet::new(n);
    for &cell in cells.iter().chain(&border) {
        seen.insert(cell);
    }
    while cells.len() < size {
        let index = rng.gen_range(0..border.len() as i32) as usize;
        // Not `swap_remove`: the order decides which neighbour the next index means.
        let cell = border.remove(index);
        cells.push(cell);
        border.extend(neighbours(cell, n).filter(|&cell| seen.insert(cell)));
    }
    let least = Cell {
        row: cells.iter().map(|cell| cell.row).min().unwrap_or(0),
        column: cells.iter().map(|cell| cell.column).min().unwrap_or(0),
    };
    for cell in &mut cells {
        cell.row -= least.row;
        cell.column -= least.column;
    }
    cells.sort();
    cells
}

/// Right, below, left, above, where the grid has such a cell.
fn neighbours(cell: Cell, n: u8) -> impl Iterator<Item = Cell> {
    let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let step = move |(down, right)| {
        let row = cell.row.checked_add_signed(down)?;
        let column = cell.column.checked_add_signed(right)?;
        (row < n && column < n).then_some(Cell { row, column })
    };
    steps.into_iter().filter_map(step)
}

/// Where a shape lies: each place where it fits is equally likely.
fn offset(rng: &mut ChaCha20Rng, n: i32, shape: &[Cell]) -> Cell {
    let corner = Field::corner(shape);
    let row = rng.gen_range(0..n - i32::from(corner.row)) as u8;
    let column = rng.gen_range(0..n - i32::from(corner.column)) as u8;
    Cell { row, column }
}

/// What a case file keeps of a deviate: a case that is played at once is the one that is read from its file.
fn ten_decimals(deviate: f64) -> f64 {
    let text = format!("{deviate:.10}");
    text.parse().expect("a number that was just written")
}
