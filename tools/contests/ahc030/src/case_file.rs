//! The official case file: the contestant's input, then what is hidden.
//!
//! ```text
//! N M eps
//! d i1 j1 … id jd      M lines: the shapes of the fields; the input ends here
//! di dj                M lines: where they lie
//! v v … v              N lines: how many fields cover each cell
//! 0.1234567890         2N² lines: noise
//! ```

use std::fmt::{Display, Write as _};
use std::str::FromStr;

use tester::util::quote::quote;

use crate::case::{Case, Eps};
use crate::layout::{Cell, CellSet, Field, Layout};

/// Why a case file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct CaseFileError {
    /// Counted from 1.
    pub line: usize,
    /// What an official file has there.
    pub expected: String,
    /// What stood there, quoted, or `end of file`.
    pub found: String,
}

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
pub fn parse(text: &str) -> Result<Case, CaseFileError> {
    let mut lines = Lines::new(text);
    let (n, m, eps) = parse_parameters(&mut lines)?;
    let shapes: Result<Vec<_>, _> = (1..=m).map(|k| parse_shape(&mut lines, k, n)).collect();
    let mut fields = Vec::new();
    for (shape, k) in shapes?.into_iter().zip(1..) {
        let offset = parse_offset(&mut lines, k, n, &shape)?;
        fields.push(Field { shape, offset });
    }
    let layout = Layout::new(n, fields);
    for (row, i) in layout.rows().zip(0..) {
        check_row(&mut lines, i, row)?;
    }
    let count = 2 * usize::from(n).pow(2);
    let noise = (1..=count).map(|t| parse_deviate(&mut lines, t, count));
    let noise = noise.collect::<Result<_, _>>()?;
    lines.end()?;
    Ok(Case { layout, eps, noise })
}

fn parse_parameters(lines: &mut Lines<'_>) -> Result<(u8, u8, Eps), CaseFileError> {
    let expected =
        "N M eps such as \"15 2 0.01\", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20";
    let line = lines.next(|| expected.to_owned())?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let parameters = || {
        let [n, m, eps] = words[..] else { return None };
        let n = n.parse().ok().filter(|n| (10..=20).contains(n))?;
        let m = m.parse().ok().filter(|m| (2..=20).contains(m))?;
        let decimals = eps.strip_prefix("0.").filter(|word| word.len() == 2)?;
        let eps = Eps::from_hundredths(decimals.parse().ok()?)?;
        Some((n, m, eps))
    };
    parameters().ok_or_else(|| lines.error(expected, None))
}

fn parse_shape(lines: &mut Lines<'_>, k: u8, n: u8) -> Result<Vec<Cell>, CaseFileError> {
    let expected =
        || format!("the shape of field {k}, its number of cells, then the row and column of each");
    let line = lines.next(expected)?;
    shape(line, n).map_err(|why| lines.error(&expected(), Some(&why)))
}

/// Reads a shape, or says what is wrong with it.
fn shape(line: &str, n: u8) -> Result<Vec<Cell>, String> {
    let mut words = line.split_ascii_whitespace();
    let count = number(words.next().unwrap_or_default(), 400)?;
    let coordinates = words.map(|word| number(word, n - 1));
    let coordinates: Vec<u8> = coordinates.collect::<Result<_, _>>()?;
    if coordinates.len() != 2 * count {
        let found = coordinates.len();
        return Err(format!(
            "{} numbers must follow {count}, not {found}",
            2 * count
        ));
    }
    let (pairs, _) = coordinates.as_chunks();
    let cells = pairs.iter().map(|&[row, column]| Cell { row, column });
    let mut seen = CellSet::new(n);
    for Cell { row, column } in cells.clone() {
        if !seen.insert(Cell { row, column }) {
            return Err(format!("cell ({row}, {column}) appears twice"));
        }
    }
    let least_row = cells.clone().map(|cell| cell.row).min();
    let least_column = cells.clone().map(|cell| cell.column).min();
    match (least_row, least_column) {
        (Some(0), Some(0)) => Ok(cells.collect()),
        (Some(row), Some(column)) => {
            Err(format!("the least row is {row}, the least column {column}"))
        }
        _ => Err("it has no cell".to_owned()),
    }
}

fn parse_offset(
    lines: &mut Lines<'_>,
    k: u8,
    n: u8,
    shape: &[Cell],
) -> Result<Cell, CaseFileError> {
    let corner = Field::corner(shape);
    let (last_row, last_column) = (n - 1 - corner.row, n - 1 - corner.column);
    let expected = || {
        format!(
            "the place of field {k}: a row from 0 to {last_row} and a column from 0 to {last_column}"
        )
    };
    let line = lines.next(expected)?;
    match numbers(line).as_deref() {
        Some(&[row, column]) if row <= last_row && column <= last_column => {
            Ok(Cell { row, column })
        }
        _ => Err(lines.error(&expected(), None)),
    }
}

/// The grid tells nothing new, but a reply comes from it: it must be the one that is drawn.
fn check_row(lines: &mut Lines<'_>, i: u8, row: &[u8]) -> Result<(), CaseFileError> {
    let expected = || {
        let values = joined(row);
        format!("row {i} of the grid, which the fields make \"{values}\"")
    };
    let line = lines.next(expected)?;
    match numbers(line) {
        Some(values) if values == row => Ok(()),
        _ => Err(lines.error(&expected(), None)),
    }
}

fn parse_deviate(lines: &mut Lines<'_>, t: usize, count: usize) -> Result<f64, CaseFileError> {
    let expected = || {
        format!(
            "the noise of operation {t} of {count}, a number between -1000 and 1000 with at most ten decimals"
        )
    };
    let word = lines.next(expected)?.trim_ascii();
    let deviate = word.parse().ok().filter(|_| is_decimal(word));
    deviate.ok_or_else(|| lines.error(&expected(), None))
}

/// Whether it has at most three digits before the point and ten after it, so that [`write()`] writes the same number.
///
/// `inf` and `NaN` are no decimals, though the standard library reads them as numbers.
fn is_decimal(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    are_digits(whole, 3) && are_digits(decimals, 10)
}

/// Reads an integer from 0 to `last`, or says what it is instead.
fn number<T: FromStr + PartialOrd + Display>(word: &str, last: T) -> Result<T, String> {
    match word.parse() {
        Ok(number) if number <= last => Ok(number),
        _ => {
            let found = quote(word.as_bytes());
            Err(format!("{found} is not an integer from 0 to {last}"))
        }
    }
}

fn numbers(line: &str) -> Option<Vec<u8>> {
    let words = line.split_ascii_whitespace();
    words.map(|word| word.parse().ok()).collect()
}

/// The lines of the file, numbered for messages.
struct Lines<'a> {
    rest: std::str::Lines<'a>,
    number: usize,
    /// The line that was returned last.
    line: &'a str,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.lines(),
            number: 0,
            line: "",
        }
    }

    fn next(&mut self, expected: impl Fn() -> String) -> Result<&'a str, CaseFileError> {
        self.number += 1;
        self.line = self.rest.next().ok_or_else(|| CaseFileError {
            line: self.number,
            expected: expected(),
            found: "end of file".to_owned(),
        })?;
        Ok(self.line)
    }

    /// The error that the line returned last is not what was `expected`, and why.
    fn error(&self, expected: &str, why: Option<&str>) -> CaseFileError {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        CaseFileError {
            line: self.number,
            expected: expected.to_owned(),
            found: quote(self.line.as_bytes()) + &why,
        }
    }

    fn end(&mut self) -> Result<(), CaseFileError> {
        for line in self.rest.by_ref() {
            self.number += 1;
            self.line = line;
            if !line.trim_ascii().is_empty() {
                return Err(self.error("end of file", None));
            }
        }
        Ok(())
    }
}
