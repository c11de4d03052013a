//! Lines of the contestant, read as the official tester reads them: words between Unicode white space, numbers as Rust
//! reads a `usize` (a temperature, an exit cell) or an `i32` (a measurement). So `+3` and `007` are numbers everywhere,
//! and `-0` only in a measurement. What follows the three numbers of a measurement is not looked at.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::refusal::{Axis, Refusal};
use crate::temperatures::HIGHEST;

/// A line while measurements are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measurement {
    /// `i y x`: through wormhole i, then y rows down and x columns right.
    Through {
        /// From 0 to N − 1.
        wormhole: u8,
        /// From −(L − 1) to L − 1.
        y: i32,
        /// From −(L − 1) to L − 1.
        x: i32,
    },
    /// `-1 -1 -1`: the answer follows.
    End,
}

/// Reads row `row` of a grid of `l` rows.
///
/// Cost: no more than l + 1 words are looked at.
///
/// # Errors
/// If it is not `l` temperatures.
pub fn temperatures(line: &[u8], row: usize, l: u8) -> Result<Vec<u16>, Refusal> {
    let count = usize::from(l);
    let words = text(line)?.split_whitespace().take(count + 1);
    let words: Vec<&str> = words.collect();
    if words.len() != count {
        let found = (words.len() < count).then_some(words.len());
        return Err(Refusal::RowLength { row, count, found });
    }
    let temperature = |(column, &word): (usize, &&str)| {
        number(word, 0..=usize::from(HIGHEST)).map_or_else(
            || {
                let word = word.to_owned();
                Err(Refusal::Temperature { row, column, word })
            },
            |temperature| Ok(temperature as u16),
        )
    };
    words.iter().enumerate().map(temperature).collect()
}

/// Reads a measurement on a grid of `l` rows with `n` wormholes.
///
/// # Errors
/// If it is neither `i y x` nor `-1 -1 -1`.
pub fn measurement(line: &[u8], l: u8, n: u8) -> Result<Measurement, Refusal> {
    let mut words = text(line)?.split_whitespace();
    let mut word = || words.next().unwrap_or_default();
    let wormhole = word();
    let i = number(wormhole, -1..=i32::from(n) - 1).ok_or_else(|| Refusal::Wormhole {
        word: wormhole.to_owned(),
        n,
    })?;
    let mut steps = |axis| {
        let word = word();
        let most = i32::from(l) - 1;
        number(word, -most..=most).ok_or_else(|| Refusal::Steps {
            axis,
            word: word.to_owned(),
            most,
        })
    };
    let (y, x) = (steps(Axis::Y)?, steps(Axis::X)?);
    match u8::try_from(i) {
        Ok(wormhole) => Ok(Measurement::Through { wormhole, y, x }),
        Err(_) if (y, x) == (-1, -1) => Ok(Measurement::End),
        Err(_) => Err(Refusal::HalfEnd { y, x }),
    }
}

/// Reads the line of the answer that names the exit cell of `wormhole`; there are `n`.
///
/// # Errors
/// If it is not the number of an exit cell.
pub fn exit_cell(line: &[u8], wormhole: usize, n: u8) -> Result<u8, Refusal> {
    let word = text(line)?.trim();
    let exit = number(word, 0..=usize::from(n) - 1);
    exit.map(|exit| exit as u8).ok_or_else(|| Refusal::Exit {
        wormhole,
        word: word.to_owned(),
        n,
    })
}

fn text(line: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(line).map_err(|_| Refusal::NotText)
}

fn number<T: FromStr + PartialOrd>(word: &str, range: RangeInclusive<T>) -> Option<T> {
    let number = word.parse().ok();
    number.filter(|number| range.contains(number))
}
