//! `lab entropy`: entropies of weights, and the mutual information of rows and columns.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lab::articles::entropy::{Table, entropy_bits, left_after_draws};

use crate::cli::EntropyArgs;

pub(crate) fn run(args: &EntropyArgs) -> Result<ExitCode> {
    let rows: Vec<Vec<f64>> = args
        .weights
        .split(|word| word == "/")
        .map(|row| row.iter().map(|word| weight(word)).collect())
        .collect::<Result<_>>()?;
    let sums = rows.iter().map(|row| row.iter().sum::<f64>());
    if sums.clone().any(|sum| sum <= 0.0) {
        bail!("expected a weight above 0 in each row, found a row without one");
    }
    if sums.clone().any(|sum| sum.is_infinite()) {
        bail!("expected weights with a finite sum in each row, found a row whose sum is too large");
    }
    if args.draws {
        return draws(&rows);
    }
    if let [row] = &rows[..] {
        let total: f64 = row.iter().sum();
        out!("weight   probability   bits if it comes");
        for weight in row {
            let p = weight / total;
            // What cannot come tells nothing.
            let bits = if p > 0.0 {
                format!("{:>10.4}", -p.log2())
            } else {
                format!("{:>10}", "never")
            };
            out!("{weight:>6}   {p:>11.4}   {bits}");
        }
        out!(
            "entropy {:.4} bits, at most {:.4}",
            entropy_bits(row),
            (row.len() as f64).log2()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let table = Table::new(&rows).context("failed to read the rows")?;
    out!("row (equally likely)   entropy of a column drawn from it, bits");
    for (number, row) in (1..).zip(&rows) {
        out!("{number:>3} {:<18} {:.4}", words(row), entropy_bits(row));
    }
    out!("\ncolumn   probability   entropy of which row it is, bits");
    for column in 0..table.columns() {
        let (p, left) = (table.column_probability(column), table.rows_after(column));
        out!("{:>6}   {p:>11.4}   {left:.4}", column + 1);
    }
    let (rows, columns) = (table.rows_bits(), table.columns_bits());
    let (rows_left, columns_left) = (table.rows_left_bits(), table.columns_left_bits());
    out!(
        "\nrow:     {rows:.4} bits, {rows_left:.4} left after the column, which tells {:.4}",
        rows - rows_left
    );
    out!(
        "column:  {columns:.4} bits, {columns_left:.4} left after the row, which tells {:.4}",
        columns - columns_left
    );
    Ok(ExitCode::SUCCESS)
}

/// The most balls of a box: with more, listing what can be drawn takes too long.
const MOST_BALLS: f64 = 60.0;

fn draws(rows: &[Vec<f64>]) -> Result<ExitCode> {
    let table = Table::new(rows).context("failed to read the rows")?;
    if let Some(found) = rows.iter().flatten().find(|n| n.fract() != 0.0) {
        bail!("expected numbers of balls with --draws, found {found}");
    }
    let most = rows.iter().map(|row| row.iter().sum()).fold(0.0, f64::max);
    if most > MOST_BALLS || table.columns() > 4 {
        bail!(
            "expected at most {MOST_BALLS} balls of 4 colours with --draws, found {most} of {}",
            table.columns()
        );
    }
    let balls: Vec<Vec<u32>> = rows
        .iter()
        .map(|row| row.iter().map(|&n| n as u32).collect())
        .collect();
    out!("drawn   bits left on average about which row it is");
    for (drawn, bits) in left_after_draws(&balls).iter().enumerate() {
        out!("{drawn:>5}   {bits:.4}");
    }
    Ok(ExitCode::SUCCESS)
}

fn weight(word: &str) -> Result<f64> {
    let weight: Option<f64> = word.parse().ok();
    weight
        .filter(|weight| weight.is_finite() && *weight >= 0.0)
        .with_context(|| format!("expected a weight of at least 0, found {word:?}"))
}

fn words(row: &[f64]) -> String {
    let words: Vec<String> = row.iter().map(f64::to_string).collect();
    words.join(" ")
}
