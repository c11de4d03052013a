//! `lab plot bounds`: bounds by information beside the optimum, a row for each game.

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::picture::{COLOURS, Canvas, Drawing, text};
use crate::cli::BoundedArgs;
use crate::cmd::bounds::{Row, rows};

const WIDTH: u32 = 960;
const ROW: i32 = 40;
/// A colour that the others are told from, for one mark more.
const VIOLET: RGBColor = RGBColor(120, 60, 160);
/// Title and legend.
const HEAD: i32 = 174;
/// The axis.
const FOOT: i32 = 68;
/// Room for the names of games, and for the optimum as a number.
const SIDES: (i32, i32) = (190, 110);

pub(super) fn picture(args: &BoundedArgs) -> Result<Bounds> {
    let picture = Bounds {
        rows: rows(args)?,
        policy: args.policy.clone(),
    };
    Ok(picture)
}

pub(super) struct Bounds {
    rows: Vec<Row>,
    policy: String,
}

/// The numbers of a row, in the order of the legend. Pairs are known where digits differ, the last two where all codes can
/// be listed.
fn numbers(row: &Row) -> [Option<f64>; 8] {
    let bounds = &row.bounds;
    [
        Some(bounds.entropy),
        Some(bounds.ending),
        Some(bounds.telling),
        Some(bounds.counting),
        Some(bounds.sizes),
        bounds.pairs,
        row.optimum,
        row.policy,
    ]
}

/// A mark of its own shape and colour for each number.
fn mark<B: Canvas>(area: &DrawingArea<B, Shift>, kind: usize, (x, y): (i32, i32)) -> Result<()> {
    let colour = [
        COLOURS[0], COLOURS[5], COLOURS[1], COLOURS[2], COLOURS[3], VIOLET, BLACK, COLOURS[4],
    ][kind];
    match kind {
        0 => area.draw(&Circle::new((x, y), 7, colour.stroke_width(2)))?,
        1 => area.draw(&TriangleMarker::new((x, y), 9, colour.filled()))?,
        2 => area.draw(&TriangleMarker::new((x, y), -9, colour.filled()))?,
        3 => area.draw(&Rectangle::new(
            [(x - 6, y - 6), (x + 6, y + 6)],
            colour.filled(),
        ))?,
        4 => area.draw(&Circle::new((x, y), 6, colour.filled()))?,
        5 => {
            let corners = [(x - 8, y), (x, y - 8), (x + 8, y), (x, y + 8)];
            area.draw(&Polygon::new(corners, colour.filled()))?;
        }
        6 => area.draw(&Rectangle::new(
            [(x - 2, y - 14), (x + 2, y + 14)],
            colour.filled(),
        ))?,
        _ => area.draw(&Cross::new((x, y), 7, colour.stroke_width(2)))?,
    }
    Ok(())
}

impl Drawing for Bounds {
    fn size(&self) -> (u32, u32) {
        (WIDTH, (HEAD + ROW * self.rows.len() as i32 + FOOT) as u32)
    }

    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let title = "Mean turns: what information alone proves, the optimum, and greed";
        area.draw(&Text::new(title, (16, 26), text(24, HPos::Left)))?;
        let policy = format!("greedy: {}", self.policy);
        let legend = [
            (0, 24, 60, "at least, by entropy"),
            (1, 260, 60, "at least, by entropy and the ending"),
            (2, 648, 60, "at least, by telling"),
            (3, 24, 94, "at least, by counting"),
            (4, 260, 94, "at least, by sizes"),
            (5, 648, 94, "at least, by pairs of replies"),
            (6, 24, 128, "optimum"),
            (7, 260, 128, &policy),
        ];
        for (kind, x, y, label) in legend {
            mark(area, kind, (x, y))?;
            area.draw(&Text::new(label, (x + 16, y), text(18, HPos::Left)))?;
        }
        let all = self.rows.iter().flat_map(numbers).flatten();
        let first = all.clone().fold(f64::INFINITY, f64::min).floor();
        let last = (2.0 * all.fold(0.0, f64::max)).ceil() / 2.0;
        let (left, right) = (SIDES.0, WIDTH as i32 - SIDES.1);
        let place = |turns: f64| {
            left + (f64::from(right - left) * (turns - first) / (last - first)).round() as i32
        };
        let bottom = HEAD + ROW * self.rows.len() as i32;
        for step in 0..=(2.0 * (last - first)) as i32 {
            let turns = first + f64::from(step) / 2.0;
            let grey = RGBColor(225, 225, 225);
            let line = [(place(turns), HEAD), (place(turns), bottom)];
            area.draw(&PathElement::new(line, grey.stroke_width(1)))?;
            let label = format!("{turns}");
            let at = (place(turns), bottom + 16);
            area.draw(&Text::new(label, at, text(17, HPos::Center)))?;
        }
        let axis = ((left + right) / 2, bottom + 46);
        area.draw(&Text::new("mean turns", axis, text(18, HPos::Center)))?;
        let above = (right + 20, HEAD - 12);
        area.draw(&Text::new("optimum", above, text(16, HPos::Left)))?;
        for (row, middle) in self
            .rows
            .iter()
            .zip((HEAD + ROW / 2..).step_by(ROW as usize))
        {
            let name = row.problem.clone();
            area.draw(&Text::new(name, (left - 14, middle), text(18, HPos::Right)))?;
            for (kind, number) in numbers(row).into_iter().enumerate() {
                let Some(number) = number else { continue };
                mark(area, kind, (place(number), middle))?;
            }
            let optimum = row
                .optimum
                .map_or("-".to_owned(), |mean| format!("{mean:.4}"));
            area.draw(&Text::new(
                optimum,
                (right + 20, middle),
                text(18, HPos::Left),
            ))?;
        }
        Ok(())
    }
}
