//! `lab plot turns`: how many secrets take how many turns, policies side by side.

use std::path::Path;

use anyhow::{Result, bail};
use lab::policy::Outcome;
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::tree;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{IntoSegmentedCoord, SegmentValue};
use plotters::prelude::*;

use super::picture::{COLOURS, Drawing, FONT, Format, SIZE, legend};
use crate::cli::{self, SelectedPolicy, TurnsArgs};
use crate::cmd::strategies;
use crate::terminal::progress::Counted;

/// A policy with what comes of it.
struct Series {
    label: String,
    outcome: Outcome,
}

pub(super) fn plot(args: &TurnsArgs) -> Result<&Path> {
    let format = Format::from_path(&args.target.out)?;
    let codes = cli::codes(&args.target.problem)?;
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
    let title = format!(
        "{}: turns over all {} secrets",
        args.target.problem,
        codes.len()
    );
    format.draw(&args.target.out, &Turns { title, series })?;
    Ok(&args.target.out)
}

/// `mi[pool=all,hit-bonus=2]`, played.
fn series(codes: &Codes, text: &str) -> Result<Series> {
    let outcome = match strategies::tree(codes, text)? {
        Some(strategy) => {
            let policy = strategies::played(codes, text, &strategy)?;
            tree::outcome(codes, &Posterior::uniform(codes.len()), &*policy)
        }
        None => {
            let selected = SelectedPolicy::from_text(text)?;
            let policy = selected.policy();
            tree::outcome_of(selected.factory, &Counted::new(&*policy), codes)
        }
    };
    if outcome.turns.len() > 40 {
        bail!(
            "expected policies that take at most 40 turns, found {text} with {}",
            outcome.turns.len()
        );
    }
    let mean = outcome.all_turns().mean;
    Ok(Series {
        label: format!("{text}  mean {mean:.3}"),
        outcome,
    })
}

struct Turns {
    title: String,
    series: Vec<Series>,
}

impl Drawing for Turns {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static,
    {
        area.fill(&WHITE)?;
        let lengths = self.series.iter().map(|series| series.outcome.turns.len());
        let last = lengths.max().unwrap_or(1) as u32;
        let counts = self.series.iter().flat_map(|series| &series.outcome.turns);
        let most = *counts.max().unwrap_or(&1);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 22))
            .margin(14)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d((1..last).into_segmented(), 0..most + most / 8 + 1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc("turns, the winning guess included")
            .y_desc("secrets")
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 14))
            .x_labels(last as usize)
            .x_label_formatter(&|value| match value {
                SegmentValue::CenterOf(turns) | SegmentValue::Exact(turns) => turns.to_string(),
                SegmentValue::Last => String::new(),
            })
            .draw()?;
        // Bars side by side in the segment of their number of turns, in pixels of the plotting area.
        let width = f64::from(SIZE.0 - 28 - 64) / f64::from(last);
        let bar = (width * 0.84 / self.series.len() as f64) as i32;
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index];
            let shift = bar * index as i32 - bar * self.series.len() as i32 / 2;
            let bars = (1..).zip(&series.outcome.turns).filter(|(_, n)| **n > 0);
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
                let style = TextStyle::from((FONT, 12).into_font()).pos(label_position());
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

/// A label is centred above its point.
fn label_position() -> plotters::style::text_anchor::Pos {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    Pos::new(HPos::Center, VPos::Bottom)
}
