//! Entropy and mutual information of a table, as article 000 has them for boxes and balls.

use crate::solver::bayes::Posterior;

/// The entropy in bits of weights that need not sum to 1.
pub fn entropy_bits(weights: &[f64]) -> f64 {
    Posterior::from_prior(weights).entropy_bits()
}

/// Rows that are equally likely, each with the weights of its columns: boxes, and the balls of each colour.
pub struct Table {
    /// P(column | row).
    rows: Vec<Vec<f64>>,
}

/// Rows of different lengths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected as many weights in each row as in the first ({expected}), found {found} in row {row}"
)]
pub struct UnevenRows {
    /// How many the first has.
    pub expected: usize,
    /// How many this one has.
    pub found: usize,
    /// Counted from 1.
    pub row: usize,
}

impl Table {
    /// # Errors
    /// If the rows have different lengths.
    ///
    /// # Panics
    /// If a row has no weight above 0.
    pub fn new(rows: &[Vec<f64>]) -> Result<Self, UnevenRows> {
        let expected = rows.first().map_or(0, Vec::len);
        if let Some(at) = rows.iter().position(|row| row.len() != expected) {
            let found = rows[at].len();
            return Err(UnevenRows {
                expected,
                found,
                row: at + 1,
            });
        }
        let normalised = |row: &Vec<f64>| {
            let total: f64 = row.iter().sum();
            assert!(total > 0.0, "a row needs a weight above 0");
            row.iter().map(|weight| weight / total).collect()
        };
        Ok(Self {
            rows: rows.iter().map(normalised).collect(),
        })
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.rows[0].len()
    }

    /// H(row).
    pub fn rows_bits(&self) -> f64 {
        (self.rows.len() as f64).log2()
    }

    /// H(column).
    pub fn columns_bits(&self) -> f64 {
        let all: Vec<f64> = (0..self.columns())
            .map(|column| self.column_probability(column))
            .collect();
        entropy_bits(&all)
    }

    /// P(column).
    pub fn column_probability(&self, column: usize) -> f64 {
        self.rows.iter().map(|row| row[column]).sum::<f64>() / self.rows.len() as f64
    }

    /// H(row | this column came); 0 for a column that cannot come.
    pub fn rows_after(&self, column: usize) -> f64 {
        let weights: Vec<f64> = self.rows.iter().map(|row| row[column]).collect();
        if weights.iter().all(|&weight| weight == 0.0) {
            return 0.0;
        }
        entropy_bits(&weights)
    }

    /// H(row | column).
    pub fn rows_left_bits(&self) -> f64 {
        (0..self.columns())
            .map(|column| self.column_probability(column) * self.rows_after(column))
            .sum()
    }

    /// H(column | row).
    pub fn columns_left_bits(&self) -> f64 {
        self.rows.iter().map(|row| entropy_bits(row)).sum::<f64>() / self.rows.len() as f64
    }
}

/// How uncertain it is on average which row it is, after 0, 1, 2, … of a row's things were drawn, none put back, until
/// the smallest row is empty. Weights are numbers of things.
pub fn left_after_draws(rows: &[Vec<u32>]) -> Vec<f64> {
    let most = rows.iter().map(|row| row.iter().sum()).min().unwrap_or(0);
    (0..=most)
        .map(|drawn| {
            let sum_over = |weights: Vec<f64>| {
                let p = weights.iter().sum::<f64>() / rows.len() as f64;
                p * entropy_bits(&weights)
            };
            // P(these numbers of each kind | row) is hypergeometric.
            let chance = |kinds: &[u32]| {
                let of = |row: &Vec<u32>| {
                    let ways: f64 = row.iter().zip(kinds).map(|(&n, &k)| choose(n, k)).product();
                    ways / choose(row.iter().sum(), drawn)
                };
                rows.iter().map(of).collect::<Vec<f64>>()
            };
            let possible = shares(drawn, rows.first().map_or(0, Vec::len));
            let weights = possible.iter().map(|kinds| chance(kinds));
            weights
                .filter(|weights| weights.iter().any(|&weight| weight > 0.0))
                .map(sum_over)
                .sum()
        })
        .collect()
}

/// n over k.
fn choose(n: u32, k: u32) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k)
        .map(|i| f64::from(n - i) / f64::from(i + 1))
        .product()
}

/// Every way to share `total` among this number of kinds.
pub(super) fn shares(total: u32, kinds: usize) -> Vec<Vec<u32>> {
    match kinds {
        0 => vec![],
        1 => vec![vec![total]],
        _ => (0..=total)
            .flat_map(|first| {
                let rest = shares(total - first, kinds - 1);
                rest.into_iter()
                    .map(move |rest| [vec![first], rest].concat())
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_row_tells_of_its_column_the_column_tells_of_the_row() {
        let rows = [
            vec![3.0, 4.0, 0.0],
            vec![1.0, 6.0, 0.0],
            vec![0.0, 7.0, 0.0],
            vec![2.0, 3.0, 2.0],
        ];
        let table = Table::new(&rows).unwrap();
        let forth = table.rows_bits() - table.rows_left_bits();
        let back = table.columns_bits() - table.columns_left_bits();
        // From the definition: Σ p(x, y) log2 (p(x, y) / (p(x) p(y))).
        let mut slow = 0.0;
        for row in &rows {
            for (column, weight) in row.iter().enumerate() {
                let joint = weight / 7.0 / 4.0;
                if joint > 0.0 {
                    slow += joint * (joint / (0.25 * table.column_probability(column))).log2();
                }
            }
        }
        assert!((forth - back).abs() < 1e-12 && (forth - slow).abs() < 1e-12);
    }

    #[test]
    fn draws_agree_with_every_order_drawn() {
        let rows = [vec![2, 1], vec![1, 2]];
        let found = left_after_draws(&rows);
        // Two balls of three, in every order: both of the first colour (1/6 of all), both of the second, or one of each.
        let of_each = 2.0 / 3.0;
        assert_eq!(found.len(), 4);
        for (found, expected) in found
            .iter()
            .zip([1.0, entropy_bits(&[2.0, 1.0]), of_each, 0.0])
        {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn rows_of_different_lengths_are_refused() {
        let error = Table::new(&[vec![1.0], vec![1.0, 2.0]]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "expected as many weights in each row as in the first (1), found 2 in row 2"
        );
    }
}
