//! The case of a seed, as the official generator makes it.
//!
//! Every number is drawn in its order, from its range, as its integer type: each of these changes all that is drawn
//! afterwards.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, Normal};

use crate::case::{Case, Cell, MEASUREMENT_LIMIT};

/// Parameters that are the same in every case; those that are `None` are drawn from the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedParameters {
    l: Option<u8>,
    n: Option<u8>,
    s: Option<u16>,
}

impl FixedParameters {
    /// `None` unless L is from 10 to 50, N from 60 to 100 and S from 1 to 900.
    ///
    /// S need not be a square, as in the official generator.
    pub fn new(l: Option<u8>, n: Option<u8>, s: Option<u16>) -> Option<Self> {
        let l_fits = l.is_none_or(|l| (10..=50).contains(&l));
        let n_fits = n.is_none_or(|n| (60..=100).contains(&n));
        let s_fits = s.is_none_or(|s| (1..=900).contains(&s));
        (l_fits && n_fits && s_fits).then_some(Self { l, n, s })
    }
}

/// The case of `seed`.
///
/// A fixed L or N is drawn nevertheless, and then replaced. A fixed S is not drawn.
pub fn generate(seed: u64, fixed: FixedParameters) -> Case {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let drawn_l = rng.gen_range(10_u64..=50) as u8;
    let l = fixed.l.unwrap_or(drawn_l);
    let drawn_n = rng.gen_range(60_u64..=100) as u8;
    let n = fixed.n.unwrap_or(drawn_n);
    let s = fixed
        .s
        .unwrap_or_else(|| (rng.gen_range(1_u64..=30) as u16).pow(2));
    let exit_cells = exit_cells(&mut rng, l, n);
    let mut exits: Vec<u8> = (0..n).collect();
    exits.shuffle(&mut rng);
    let noise = Normal::new(0.0, f64::from(s)).expect("a deviation is finite");
    let noise = (0..MEASUREMENT_LIMIT).map(|_| noise.sample(&mut rng).round() as i32);
    Case {
        l,
        s,
        exit_cells,
        exits,
        noise: noise.collect(),
    }
}

/// The first `n` of all cells, shuffled; then in order.
fn exit_cells(rng: &mut ChaCha20Rng, l: u8, n: u8) -> Vec<Cell> {
    let columns = || 0..l;
    let mut cells: Vec<Cell> = (0..l)
        .flat_map(|row| columns().map(move |column| Cell { row, column }))
        .collect();
    cells.shuffle(rng);
    cells.truncate(usize::from(n));
    cells.sort();
    cells
}
