//! `lab plot sweep`: mean turns against a policy's number.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, bail};
use lab::policy::{Options, Pool, select};
use lab::tree;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::picture::{COLOURS, Canvas, Drawing, FONT, legend};
use crate::cli::{self, SweepArgs};
use crate::terminal::progress::Counted;

pub(super) fn picture(args: &SweepArgs) -> Result<Sweep> {
    let codes = cli::codes(&args.problem)?;
    let (option, text, step) = match (&args.hit_gain, &args.hit_bonus) {
        (Some(text), _) => ("--hit-gain", text, 1.0),
        (None, Some(text)) => ("--hit-bonus", text, 0.1),
        (None, None) => bail!("expected --hit-gain or --hit-bonus, found neither"),
    };
    let range = range(text).with_context(|| format!("failed to understand {option}"))?;
    if step >= 1.0 && (range.start().fract(), range.end().fract()) != (0.0, 0.0) {
        bail!("expected integers for {option}, found {text:?}");
    }
    let steps = ((range.end() - range.start()) / step + 1e-9).floor() as usize;
    let mut points = Vec::with_capacity(steps + 1);
    for i in 0..=steps {
        let value = range.start() + i as f64 * step;
        let given = Options {
            pool: Some(Pool::All),
            tie: args.tie,
            hit_gain: args.hit_gain.is_some().then_some(value),
            hit_bonus: args.hit_gain.is_none().then_some(value),
            ..Options::default()
        };
        let factory = select("mi", &given)?;
        let policy = (factory.build)(&given);
        let turns = tree::outcome_of(factory, &Counted::new(&*policy), &codes).all_turns();
        out!(
            "{option} {value:.1}  total {}  mean {:.4}  worst {}",
            turns.total,
            turns.mean,
            turns.worst
        );
        points.push((value, turns.mean));
    }
    let title = format!(
        "{}: mean turns of mutual information against {option}",
        args.problem
    );
    let axis = if args.hit_gain.is_some() {
        "C in log2(1/p + C), what a hit of probability p counts"
    } else {
        "bits that a hit counts, times its probability"
    };
    Ok(Sweep {
        title,
        axis,
        points,
    })
}

/// `0..30`, both ends included.
fn range(text: &str) -> Result<RangeInclusive<f64>> {
    let ends = text
        .split_once("..")
        .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match ends {
        Some((a, b)) if 0.0 <= a && a < b && b <= 1000.0 => Ok(a..=b),
        _ => bail!("expected A..B with 0 <= A < B <= 1000, such as 0..30, found {text:?}"),
    }
}

pub(super) struct Sweep {
    title: String,
    axis: &'static str,
    points: Vec<(f64, f64)>,
}

impl Drawing for Sweep {
    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let means = self.points.iter().map(|point| point.1);
        let low = means.clone().fold(f64::INFINITY, f64::min);
        let high = means.fold(f64::NEG_INFINITY, f64::max);
        let room = ((high - low) * 0.15).max(0.001);
        let (first, last) = (self.points[0].0, self.points[self.points.len() - 1].0);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 22))
            .margin(14)
            .margin_right(30)
            .x_label_area_size(46)
            .y_label_area_size(76)
            .build_cartesian_2d(first..last, low - room..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(self.axis)
            .y_desc("mean turns")
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 14))
            .x_label_formatter(&|value| ((value * 1000.0).round() / 1000.0).to_string())
            .y_label_formatter(&|mean| format!("{mean:.3}"))
            .draw()?;
        let colour = COLOURS[0];
        chart.draw_series(LineSeries::new(
            self.points.iter().copied(),
            colour.stroke_width(2),
        ))?;
        chart.draw_series(
            self.points
                .iter()
                .map(|&point| Circle::new(point, 3, colour.filled())),
        )?;
        let best: Vec<(f64, f64)> = self
            .points
            .iter()
            .copied()
            .filter(|point| point.1 <= low + 1e-12)
            .collect();
        let show = |point: &(f64, f64)| format!("{}", (point.0 * 10.0).round() / 10.0);
        let first = self
            .points
            .iter()
            .position(|point| *point == best[0])
            .unwrap_or(0);
        let label = if best.len() > 2 && self.points[first..].starts_with(&best) {
            format!(
                "best: {} to {} ({low:.4})",
                show(&best[0]),
                show(&best[best.len() - 1])
            )
        } else {
            let values: Vec<String> = best.iter().map(show).collect();
            format!("best: {} ({low:.4})", values.join(", "))
        };
        let mark = COLOURS[4];
        chart
            .draw_series(
                best.iter()
                    .map(|&point| Circle::new(point, 6, mark.filled())),
            )?
            .label(label)
            .legend(move |(x, y)| Circle::new((x + 7, y), 6, mark.filled()));
        legend(&mut chart, SeriesLabelPosition::UpperRight)
    }
}
