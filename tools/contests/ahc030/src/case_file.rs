//! The official case file: the contestant's input, then what is hidden.
//!
//! ```text
//! N M eps
//! d i1 j1 … id jd      M lines: the shapes of the fields; the input ends here
//! di dj                M lines: where they lie
//! v v … v              N lines: how many fields cover each cell
//! 0.1234567890         2N² lines: noise
//! ```

use std::fmt::Write as _;

use tester::problem::fields::{self, number};
use tester::problem::{InstanceError, Lines};
use tester::util::quote::quote;

use crate::case::{Case, Eps};
use crate::layout::{Cell, CellSet, Field, Layout};

/// The lines that a contestant is sent.
pub fn input(case: &Case) -> String {
    let layout = &case.layout;
    let mut text = format!("{} {} {}\n", layout.n(), layout.fields().len(), case.eps);
    for Field { shape, .. } in layout.fields() {
        write!(text, "{}", shape.len()).expect("a string takes everything");
        for cell in shape {
            write!(text, " {} {}", cell.row, cell.column).expect("a string takes everything");
        }
        text.push('\n');
    }
    text
}

/// The whole file.
pub fn write(case: &Case) -> String {
    let mut text = input(case);
    for Field { offset, .. } in case.layout.fields() {
        writeln!(text, "{} {}", offset.row, offset.column).expect("a string takes everything");
    }
    for row in case.layout.rows() {
        text.push_str(&joined(row));
        text.push('\n');
    }
    for deviate in &case.noise {
        writeln!(text, "{deviate:.10}").expect("a string takes everything");
    }
    text
}

fn joined(values: &[u8]) -> String {
    let words: Vec<String> = values.iter().map(u8::to_string).collect();
    words.join(" ")
}

/// Reads what [`write()`] wrote.
///
/// Lines may end in `\r\n`, numbers may be separated by any ASCII white space, and blank lines may follow the last one.
///
/// # Errors
/// If a line is not what an official file has there, or if the grid is not the one that the fields make.
pub fn parse(text: &str) -> Result<Case, InstanceError> {
    let mut lines = Lines::new(text);
    let case = read(&mut lines)?;
    lines.end()?;
    Ok(case)
}

/// As [`parse`], from the first line to the last of a case.
///
/// # Errors
/// As [`parse`].
pub fn read(lines: &mut Lines<'_>) -> Result<Case, InstanceError> {
    let (n, m, eps) = read_line(
        lines,
        "N M eps such as \"15 2 0.01\", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20",
        parameters,
    )?;
    let mut shapes = Vec::new();
    for k in 1..=m {
        let expected =
            format!("the shape of field {k}, its number of cells, then the row and column of each");
        shapes.push(read_line(lines, &expected, |line| shape(line, n))?);
    }
    let mut fields = Vec::new();
    for (shape, k) in shapes.into_iter().zip(1..) {
        let expected = format!("the place of field {k}, a row and a column");
        let offset = read_line(lines, &expected, |line| offset(line, n, &shape))?;
        fields.push(Field { shape, offset });
    }
    let layout = Layout::new(n, fields);
    for (row, i) in layout.rows().zip(0..) {
        let expected = format!(
            "row {i} of the grid, which the fields make \"{}\"",
            joined(row)
        );
        read_line(lines, &expected, |line| check_row(line, row))?;
    }
    let expected = "the noise of an operation, a number with at most ten decimals";
    let deviates = (0..2 * usize::from(n).pow(2)).map(|_| read_line(lines, expected, deviate));
    let noise = deviates.collect::<Result<_, _>>()?;
    Ok(Case { layout, eps, noise })
}

/// Reads the next line; `read` says what is wrong with it.
fn read_line<'a, T>(
    lines: &mut Lines<'a>,
    expected: &str,
    read: impl Fn(&'a str) -> Result<T, String>,
) -> Result<T, InstanceError> {
    let line = lines.next(expected)?;
    read(line).map_err(|why| lines.error(expected, line, &why))
}

fn parameters(line: &str) -> Result<(u8, u8, Eps), String> {
    let [n, m, eps] = exactly(line)?;
    let eps = Eps::parse(eps).ok_or_else(|| format!("{} is no eps", quote(eps.as_bytes())))?;
    Ok((number(n, 10..=20)?, number(m, 2..=20)?, eps))
}

fn shape(line: &str, n: u8) -> Result<Vec<Cell>, String> {
    let mut words = line.split_ascii_whitespace();
    let count = number(words.next().unwrap_or_default(), 1..=400_usize)?;
    let coordinates = words.map(|word| number(word, 0..=n - 1));
    let coordinates: Vec<u8> = coordinates.collect::<Result<_, _>>()?;
    if coordinates.len() != 2 * count {
        let (expected, found) = (2 * count, coordinates.len());
        return Err(format!(
            "{expected} numbers must follow {count}, not {found}"
        ));
    }
    let (pairs, _) = coordinates.as_chunks();
    let cells = pairs.iter().map(|&[row, column]| Cell { row, column });
    let mut seen = CellSet::new(n);
    for cell in cells.clone() {
        if !seen.insert(cell) {
            return Err(format!(
                "cell ({}, {}) appears twice",
                cell.row, cell.column
            ));
        }
    }
    let least_row = cells.clone().map(|cell| cell.row).min().unwrap_or(0);
    let least_column = cells.clone().map(|cell| cell.column).min().unwrap_or(0);
    match (least_row, least_column) {
        (0, 0) => Ok(cells.collect()),
        (row, column) => Err(format!(
            "the least row is {row} and the least column {column}; both must be 0"
        )),
    }
}

fn offset(line: &str, n: u8, shape: &[Cell]) -> Result<Cell, String> {
    let [row, column] = exactly(line)?;
    let corner = Field::corner(shape);
    Ok(Cell {
        row: number(row, 0..=n - 1 - corner.row)?,
        column: number(column, 0..=n - 1 - corner.column)?,
    })
}

/// The grid tells nothing that the fields do not tell, but another one would be drawn than replies come from.
fn check_row(line: &str, row: &[u8]) -> Result<(), String> {
    let values = line.split_ascii_whitespace();
    let values = values.map(|word| number(word, 0..=20));
    let values: Vec<u8> = values.collect::<Result<_, _>>()?;
    if values.len() != row.len() {
        let (expected, found) = (row.len(), values.len());
        return Err(format!("{expected} numbers must stand here, not {found}"));
    }
    let mut pairs = values.iter().zip(row).enumerate();
    match pairs.find(|(_, (found, expected))| found != expected) {
        Some((column, (found, _))) => Err(format!("column {column} has {found}")),
        None => Ok(()),
    }
}

/// At most three digits stand before the point and ten after it, so that [`write()`] writes the same number.
///
/// `inf`, `NaN` and `1e3` are numbers for the standard library, but not here.
fn deviate(line: &str) -> Result<f64, String> {
    let word = line.trim_ascii();
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let deviate = word.parse().ok();
    deviate
        .filter(|_| are_digits(whole, 3) && are_digits(decimals, 10))
        .ok_or_else(|| "it is not written as -1.2345678901 is".to_owned())
}

/// The words of a line, which must be `COUNT`.
fn exactly<const COUNT: usize>(line: &str) -> Result<[&str; COUNT], String> {
    fields::exactly(line).map_err(|found| format!("{COUNT} words must stand here, not {found}"))
}
