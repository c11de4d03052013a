//! Optimal mixtures of a matrix game, by the simplex method.

/// The value for the row player, who wants much, and the probabilities of rows and columns.
///
/// Cost: cubic in practice; for matrices of up to some hundred rows and columns. Numbers are rounded: who needs a proof
/// computes the best answer to each mixture.
///
/// # Panics
/// If the matrix has no entry.
pub fn solve(matrix: &[Vec<f64>]) -> (f64, Vec<f64>, Vec<f64>) {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    // With a positive matrix: maximise Σ y subject to A·y ≤ 1. Then y / Σ y is the column player's mixture, and the
    // prices of the constraints are the row player's.
    let lowest = matrix
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let shift = 1.0 - lowest;
    let width = columns + rows + 1;
    let mut table: Vec<Vec<f64>> = Vec::new();
    for (number, row) in matrix.iter().enumerate() {
        let mut line = vec![0.0; width];
        for (cell, entry) in line.iter_mut().zip(row) {
            *cell = entry + shift;
        }
        line[columns + number] = 1.0;
        line[width - 1] = 1.0;
        table.push(line);
    }
    let mut goal = vec![0.0; width];
    goal[..columns].fill(-1.0);
    table.push(goal);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    while let Some((row, column)) = pivot(&table, &basis, rows) {
        basis[row] = column;
        eliminate(&mut table, row, column);
    }
    let goal = &table[rows];
    let sum = goal[width - 1];
    let mut of_columns = vec![0.0; columns];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < columns {
            of_columns[variable] = table[row][width - 1] / sum;
        }
    }
    let of_rows = goal[columns..columns + rows]
        .iter()
        .map(|p| p.max(0.0) / sum);
    (1.0 / sum - shift, of_rows.collect(), of_columns)
}

/// The next pivot by Bland's rule, which never goes in circles.
fn pivot(table: &[Vec<f64>], basis: &[usize], rows: usize) -> Option<(usize, usize)> {
    const ZERO: f64 = 1e-12;
    let last = table[0].len() - 1;
    let column = (0..last).find(|&column| table[rows][column] < -ZERO)?;
    let ratio = |row: &usize| table[*row][last] / table[*row][column];
    let possible = (0..rows).filter(|&row| table[row][column] > ZERO);
    let row = possible.min_by(|a, b| {
        let order = ratio(a).total_cmp(&ratio(b));
        order.then(basis[*a].cmp(&basis[*b]))
    })?;
    Some((row, column))
}

fn eliminate(table: &mut [Vec<f64>], row: usize, column: usize) {
    let divisor = table[row][column];
    table[row].iter_mut().for_each(|cell| *cell /= divisor);
    let pivot = table[row].clone();
    for (number, line) in table.iter_mut().enumerate() {
        let factor = line[column];
        if number != row && factor != 0.0 {
            for (cell, own) in line.iter_mut().zip(&pivot) {
                *cell -= factor * own;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_games_have_their_values() {
        let close = |found: &[f64], expected: &[f64]| {
            found.len() == expected.len()
                && found
                    .iter()
                    .zip(expected)
                    .all(|(a, b)| (a - b).abs() < 1e-9)
        };
        // Rock, scissors, paper.
        let circle = [
            vec![0.0, 1.0, -1.0],
            vec![-1.0, 0.0, 1.0],
            vec![1.0, -1.0, 0.0],
        ];
        let (value, rows, columns) = solve(&circle);
        assert!(
            value.abs() < 1e-9 && close(&rows, &[1.0 / 3.0; 3]) && close(&columns, &[1.0 / 3.0; 3])
        );
        // [a b; c d] without a saddle: (ad − bc) / (a + d − b − c).
        let (value, rows, columns) = solve(&[vec![3.0, 0.0], vec![1.0, 2.0]]);
        assert!(
            close(&[value], &[1.5]) && close(&rows, &[0.25, 0.75]) && close(&columns, &[0.5, 0.5])
        );
        // A saddle.
        let (value, rows, columns) = solve(&[vec![4.0, 2.0, 3.0], vec![1.0, 0.0, 5.0]]);
        assert!(
            close(&[value], &[2.0])
                && close(&rows, &[1.0, 0.0])
                && close(&columns, &[0.0, 1.0, 0.0])
        );
    }
}
