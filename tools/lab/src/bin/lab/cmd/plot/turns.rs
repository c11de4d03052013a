//! `lab plot turns`: how many secrets take how many turns, policies side by side.

use anyhow::{Result, bail};
use lab::policy::Outcome;
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::tree;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{IntoSegmentedCoord, SegmentValue};
use plotters::prelude::*;

use super::picture::{COLOURS, Canvas, Drawing, FONT, SIZE, legend};
use crate::cli::{self, SelectedPolicy, TurnsArgs};
use crate::cmd::strategies::{self, NamedTree};
use crate::terminal::progress::Counted;

/// A policy with what comes of it.
struct Series {
    label: String,
    outcome: Outcome,
}

pub(super) fn picture(args: &TurnsArgs) -> Result<Turns> {
    let codes = cli::codes(&args.problem)?;
    if args.policies.len() > COLOURS.len() {
        bail!(
            "expected at most {} policies in a picture, found {}",
            COLOURS.len(),
            args.policies.len()
        );
    }
    let series: Vec<Series> = args
        .policies
        .iter()
        .map(|text| series(&codes, text))
        .collect::<Result<_>>()?;
    let title = format!("{}: turns over all {} secrets", args.problem, codes.len());
    Ok(Turns { title, series })
}

/// `mi[pool=all,hit-bonus=2]`, played.
fn series(codes: &Codes, text: &str) -> Result<Series> {
    let outcome = match NamedTree::parse(text) {
        Some(named) => {
            let policy = strategies::played(codes, text, &named.find(codes)?)?;
            tree::outcome(codes, &Posterior::uniform(codes.len()), &*policy)
        }
        None => {
            let selected = SelectedPolicy::from_text(text)?;
            let policy = selected.policy();
            tree::outcome_of(selected.factory, &Counted::new(&*policy), codes)
        }
    };
    let mean = outcome.all_turns().mean;
    Ok(Series {
        label: format!("{text}, mean {mean:.3}"),
        outcome,
    })
}

pub(super) struct Turns {
    title: String,
    series: Vec<Series>,
}

impl Drawing for Turns {
    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let lengths = self.series.iter().map(|series| series.outcome.turns.len());
        let longest = lengths.max().unwrap_or(1);
        let width = bar_width(longest);
        let last = longest.div_ceil(width) as u32;
        let bars = |series: &Series| -> Vec<u64> {
            let bars = series.outcome.turns.chunks(width);
            bars.map(|turns| turns.iter().sum()).collect()
        };
        let heights: Vec<Vec<u64>> = self.series.iter().map(bars).collect();
        let most = *heights.iter().flatten().max().unwrap_or(&1);
        let labels = self.series.iter().map(|series| series.label.as_str());
        let top = axis_top(&heights, last as usize, labels);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 22))
            .margin(14)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d((1..last).into_segmented(), 0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc(match width {
                1 => "turns, the winning guess included".to_owned(),
                _ => format!(
                    "turns, the winning guess included: a bar for {width}, named by the last"
                ),
            })
            .y_desc("secrets")
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 14))
            .x_labels(last as usize)
            .x_label_formatter(&|value| match value {
                SegmentValue::CenterOf(bar) | SegmentValue::Exact(bar) => {
                    (*bar as usize * width).to_string()
                }
                SegmentValue::Last => String::new(),
            })
            .draw()?;
        // Bars side by side in the segment of their number of turns, in pixels of the plotting area.
        let room = f64::from(SIZE.0 - 28 - 64) / f64::from(last);
        let bar = (room * 0.84 / self.series.len() as f64) as i32;
        let digits = most.to_string().len();
        let label_size = label_size(bar, digits);
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index];
            let shift = bar * index as i32 - bar * self.series.len() as i32 / 2;
            let bars = (1..).zip(&heights[index]).filter(|(_, n)| **n > 0);
            let bars = bars.map(|(turns, &n)| {
                let bottom = chart.backend_coord(&(SegmentValue::CenterOf(turns), 0));
                let top = chart.backend_coord(&(SegmentValue::CenterOf(turns), n));
                (bottom, top, n)
            });
            for (bottom, top, n) in bars.collect::<Vec<_>>() {
                let corners = [
                    (bottom.0 + shift, top.1),
                    (bottom.0 + shift + bar - 1, bottom.1),
                ];
                area.draw(&Rectangle::new(corners, colour.filled()))?;
                let style = TextStyle::from((FONT, label_size).into_font()).pos(label_position());
                area.draw(&Text::new(
                    n.to_string(),
                    (bottom.0 + shift + bar / 2, top.1 - 3),
                    style,
                ))?;
            }
            chart
                .draw_series(std::iter::empty::<Circle<(SegmentValue<u32>, u64), i32>>())?
                .label(&series.label)
                .legend(move |(x, y)| {
                    Rectangle::new([(x, y - 6), (x + 14, y + 6)], colour.filled())
                });
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    }
}

/// How many turns a bar stands for, so that there are at most 40, or 30 whose names have three digits.
fn bar_width(longest: usize) -> usize {
    let powers = (0..).map(|power| 10_usize.pow(power));
    let mut widths = powers.flat_map(|ten| [ten, 2 * ten, 5 * ten]);
    let fits = |width: &usize| longest <= 40 || longest.div_ceil(*width) <= 30;
    widths.find(fits).expect("widths grow without end")
}

/// The end of the vertical axis: above all bars there is room for their numbers, and above the first ones for the box
/// with these labels, too.
fn axis_top<'a>(heights: &[Vec<u64>], bars: usize, labels: impl Iterator<Item = &'a str>) -> u64 {
    // The plotting area, the box without labels and each of its lines, in pixels.
    const AREA: (usize, u64) = (868, 458);
    const BOX: (usize, u64) = (85, 50);
    const LETTER: (usize, u64) = (7, 20);
    let labels: Vec<usize> = labels.map(|label| label.chars().count()).collect();
    let width = BOX.0 + LETTER.0 * labels.iter().max().unwrap_or(&0);
    let covered = (width * bars).div_ceil(AREA.0);
    let most = |count: usize| {
        let some = heights.iter().flat_map(|bars| bars.iter().take(count));
        *some.max().unwrap_or(&1)
    };
    let left = AREA.1 - (BOX.1 + LETTER.1 * labels.len() as u64);
    let above_all = most(bars) + most(bars) / 8 + 1;
    above_all.max(most(covered) * AREA.1 / left + 1)
}

/// The size of the letters above a bar, so that numbers of that many digits do not run into each other; digits are
/// about 0.53 times as wide as large.
fn label_size(bar: i32, digits: usize) -> f64 {
    (f64::from(bar) / (0.53 * digits as f64)).clamp(8.0, 12.0)
}

/// A label is centred above its point.
fn label_position() -> plotters::style::text_anchor::Pos {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    Pos::new(HPos::Center, VPos::Bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_has_bars_for_several_turns() {
        // Random guessing in hitblow 3 10 takes up to 720 turns.
        assert_eq!(
            [1, 9, 40, 41, 720, 5040].map(bar_width),
            [1, 1, 1, 2, 50, 200]
        );
    }

    #[test]
    fn the_box_of_labels_covers_no_bar() {
        // Bars of one height: the box of one line, 70 of 458 pixels, is above them.
        let even = [vec![50; 15]];
        assert_eq!(
            axis_top(&even, 15, ["random  mean 360.500"].into_iter()),
            50 * 458 / 388 + 1
        );
        // The first bars are low: only the numbers need room.
        let low = [vec![1, 2, 3, 40, 80, 400]];
        assert_eq!(axis_top(&low, 6, ["mi  mean 5.022"].into_iter()), 451);
    }

    #[test]
    fn numbers_above_narrow_bars_are_small() {
        // Two policies of up to nine turns have bars of 40 pixels, six have bars of 13.
        assert_eq!(label_size(40, 3), 12.0);
        assert!((label_size(13, 3) - 8.2).abs() < 0.1);
    }
}
