//! The official case file: the contestant's input, then what is hidden.
//!
//! ```text
//! L N S
//! r c            N lines: the exit cells; the input ends here
//! e              N lines: the number of each wormhole's exit cell
//! 24             10000 lines: the noise of each measurement
//! ```

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use tester::problem::fields::{self, number};
use tester::problem::{InstanceError, Lines};

use crate::case::{Case, Cell, MEASUREMENT_LIMIT};

/// The lines that a contestant is sent.
pub fn input(case: &Case) -> String {
    let mut text = format!("{} {} {}\n", case.l, case.n(), case.s);
    for cell in &case.exit_cells {
        write_line(&mut text, format_args!("{} {}", cell.row, cell.column));
    }
    text
}

/// The whole file.
pub fn write(case: &Case) -> String {
    let mut text = input(case);
    for exit in &case.exits {
        write_line(&mut text, exit);
    }
    for noise in &case.noise {
        write_line(&mut text, noise);
    }
    text
}

fn write_line(text: &mut String, line: impl Display) {
    writeln!(text, "{line}").expect("a string takes everything");
}

/// Reads what [`write()`] wrote.
///
/// Lines may end in `\r\n`, numbers may be separated by any ASCII white space, and blank lines may follow the last one.
///
/// # Errors
/// If a line is not what an official file has there.
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
    let expected =
        "L N S such as \"35 66 289\", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900";
    let (l, n, s) = read_line(lines, expected, parameters)?;
    let exit_cells = read_different(lines, n, |k| {
        let expected = format!("exit cell {k}, a row and a column");
        (expected, move |line: &str| cell(line, l))
    })?;
    let exits = read_different(lines, n, |i| {
        let expected = format!("the number of the exit cell of wormhole {i}");
        (expected, move |line: &str| one_number(line, 0..=n - 1))
    })?;
    let expected = "the noise of a measurement, an integer";
    let noise = (0..MEASUREMENT_LIMIT)
        .map(|_| read_line(lines, expected, |line| one_number(line, -NOISE..=NOISE)));
    Ok(Case {
        l,
        s,
        exit_cells,
        exits,
        noise: noise.collect::<Result<_, _>>()?,
    })
}

/// No deviate of a seed is so large: with S = 900 they stay below 10,000.
const NOISE: i32 = 1_000_000_000;

/// Reads the next line; `read` says what is wrong with it.
fn read_line<T>(
    lines: &mut Lines<'_>,
    expected: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, InstanceError> {
    let line = lines.next(expected)?;
    read(line).map_err(|why| lines.error(expected, line, &why))
}

/// Reads `count` lines, no two of which say the same. `line` tells what is expected in each, and reads it.
fn read_different<T: Ord + Copy, R: Fn(&str) -> Result<T, String>>(
    lines: &mut Lines<'_>,
    count: u8,
    line: impl Fn(u8) -> (String, R),
) -> Result<Vec<T>, InstanceError> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for index in 0..count {
        let (expected, read) = line(index);
        let value = read_line(lines, &expected, |line| {
            let value = read(line)?;
            match seen.contains(&value) {
                true => Err("another line has the same".to_owned()),
                false => Ok(value),
            }
        })?;
        seen.insert(value);
        all.push(value);
    }
    Ok(all)
}

fn parameters(line: &str) -> Result<(u8, u8, u16), String> {
    let [l, n, s] = exactly(line)?;
    Ok((
        number(l, 10..=50)?,
        number(n, 60..=100)?,
        number(s, 1..=900)?,
    ))
}

fn cell(line: &str, l: u8) -> Result<Cell, String> {
    let [row, column] = exactly(line)?;
    Ok(Cell {
        row: number(row, 0..=l - 1)?,
        column: number(column, 0..=l - 1)?,
    })
}

fn one_number<T: FromStr + PartialOrd + Display>(
    line: &str,
    range: RangeInclusive<T>,
) -> Result<T, String> {
    let [word] = exactly(line)?;
    number(word, range)
}

/// The words of a line, which must be `COUNT`.
fn exactly<const COUNT: usize>(line: &str) -> Result<[&str; COUNT], String> {
    fields::exactly(line).map_err(|found| format!("number of words: {found} instead of {COUNT}"))
}
