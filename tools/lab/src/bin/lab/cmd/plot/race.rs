//! `lab plot race`: who wins how often, as a matrix of colours with numbers.

use anyhow::{Result, bail};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::picture::{Canvas, Drawing, text};
use crate::cli::RacersArgs;
use crate::cmd::race::{Contest, Pair};

const CELL: (u32, u32) = (104, 46);
const HEAD: u32 = 116;
const FOOT: u32 = 44;
/// A letter of a name in pixels, on average.
const LETTER: f64 = 8.4;
/// More would not be read.
const MOST: usize = 12;

pub(super) fn picture(args: &RacersArgs) -> Result<Matrix> {
    let contest = Contest::new(args)?;
    if contest.strategies.len() > MOST {
        let found = contest.strategies.len();
        bail!("expected at most {MOST} strategies in a picture, found {found}");
    }
    Ok(Matrix { contest })
}

pub(super) struct Matrix {
    contest: Contest,
}

impl Matrix {
    fn names(&self) -> Vec<String> {
        let strategies = (1..).zip(&self.contest.strategies);
        strategies
            .map(|(number, one)| format!("{number}  {}, mean {:.4}", one.name, one.mean))
            .collect()
    }

    /// Room for the names of rows, in pixels.
    fn left(&self) -> u32 {
        let longest = self.names().iter().map(|name| name.chars().count()).max();
        (longest.unwrap_or(0) as f64 * LETTER) as u32 + 28
    }
}

/// What the row wins, from the point of view of both rules.
fn value(pair: &Pair) -> f64 {
    pair.odds.fewer.value() + pair.odds.same.value() / 2.0
}

/// White for as often as not, blue for more, orange for less; full where the contest has its largest difference.
fn colour(value: f64, widest: f64) -> RGBColor {
    let part = ((value - 0.5) / widest.max(1e-9)).clamp(-1.0, 1.0);
    let full = if part > 0.0 {
        (0, 114, 178)
    } else {
        (230, 159, 0)
    };
    let mix = |channel: u8| 255 - ((255.0 - f64::from(channel)) * part.abs() * 0.75) as u8;
    RGBColor(mix(full.0), mix(full.1), mix(full.2))
}

impl Drawing for Matrix {
    fn size(&self) -> (u32, u32) {
        let count = self.contest.strategies.len() as u32;
        let width = (self.left() + CELL.0 * count + 24).max(720);
        (width, HEAD + CELL.1 * count + FOOT)
    }

    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let left = self.left() as i32;
        let (cell, head) = ((CELL.0 as i32, CELL.1 as i32), HEAD as i32);
        let title = format!("{}: a race in rounds", self.contest.problem);
        area.draw(&Text::new(title, (16, 26), text(22, HPos::Left)))?;
        let what =
            "how often the strategy of the row beats that of the column, a draw being half a win";
        area.draw(&Text::new(what, (16, 54), text(15, HPos::Left)))?;
        let count = self.contest.strategies.len();
        for (number, name) in (0..).zip(self.names()) {
            let middle = head + cell.1 * number + cell.1 / 2;
            area.draw(&Text::new(name, (left - 12, middle), text(15, HPos::Right)))?;
            let middle = left + cell.0 * number + cell.0 / 2;
            let label = (number + 1).to_string();
            area.draw(&Text::new(
                label,
                (middle, head - 16),
                text(15, HPos::Center),
            ))?;
        }
        let values = self.contest.pairs.iter().map(value);
        let widest = values.map(|value| (value - 0.5).abs()).fold(0.0, f64::max);
        for (at, pair) in self.contest.pairs.iter().enumerate() {
            let (row, column) = ((at / count) as i32, (at % count) as i32);
            let corner = (left + cell.0 * column, head + cell.1 * row);
            let other = (corner.0 + cell.0 - 2, corner.1 + cell.1 - 2);
            let fill = colour(value(pair), widest).filled();
            area.draw(&Rectangle::new([corner, other], fill))?;
            let middle = (corner.0 + cell.0 / 2, corner.1 + cell.1 / 2);
            let label = format!("{:.4}", value(pair));
            area.draw(&Text::new(label, middle, text(15, HPos::Center)))?;
        }
        let foot = head + cell.1 * count as i32 + FOOT as i32 / 2;
        let legend = "blue: more than half, orange: less";
        area.draw(&Text::new(legend, (16, foot), text(13, HPos::Left)))?;
        Ok(())
    }
}
