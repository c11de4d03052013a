//! Whether codes believed with probability p are right with frequency p.

use std::ops::Range;

use anyhow::{Context, Result};
use lab::simulate::reliability::reliability;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use super::picture::{COLOURS, Canvas, Drawing, FONT, legend};
use crate::cli::ReliabilityArgs;
use crate::terminal::progress::Late;

/// Where fewer are expected to be right, a frequency says little. (Not: where fewer were right. That would
/// leave out those that came out low.)
const FEWEST_EXPECTED: f64 = 5.0;

pub(super) fn picture(args: &ReliabilityArgs) -> Result<Reliability> {
    let games = args.seeds.end - args.seeds.start;
    let progress = Late::new(games as usize);
    let bins = reliability(&args.problem, args.seeds.clone(), &|| progress.inc())?;
    drop(progress);
    out!("probability       codes    expected  right  off by");
    for bin in &bins {
        let deviation = bin.variance.sqrt();
        let off = (bin.right as f64 - bin.expected) / deviation;
        out!(
            "{:<11.3e}  {:>10}  {:>10.2}  {:>5}  {off:+.1} σ",
            bin.expected / bin.codes as f64,
            bin.codes,
            bin.expected,
            bin.right
        );
    }
    let points: Vec<Point> = bins
        .iter()
        .filter(|bin| bin.expected >= FEWEST_EXPECTED)
        .map(|bin| {
            Point::new(
                bin.expected,
                bin.right as f64,
                bin.codes as f64,
                bin.variance,
            )
        })
        .collect();
    let first = points
        .first()
        .context("expected more games: in no group are at least 5 codes expected to be right")?;
    let least = first.believed;
    let title = format!(
        "{}: {games} games, codes by what was believed of them",
        args.problem
    );
    Ok(Reliability {
        title,
        axis: Axis::Log { least },
        labels: [
            "probability that the solver gave to a code",
            "how often such codes were the secret",
        ],
        points,
    })
}

/// One group.
pub(crate) struct Point {
    /// The mean probability that was given.
    believed: f64,
    /// The frequency with which they were right, from two standard deviations less to two more.
    right: (f64, f64, f64),
}

impl Point {
    /// A group of `count`, of which `expected` were expected to be right and `right` were.
    pub(crate) fn new(expected: f64, right: f64, count: f64, variance: f64) -> Self {
        let frequency = right / count;
        let two = 2.0 * variance.sqrt() / count;
        Self {
            believed: expected / count,
            right: (frequency - two, frequency, (frequency + two).min(1.0)),
        }
    }
}

/// Both axes of a diagram.
#[derive(Clone, Copy)]
pub(crate) enum Axis {
    /// From below the least probability that was given to 1.
    Log { least: f64 },
    /// From 0 to 1.
    Linear,
}

impl Axis {
    fn range(self) -> Range<f64> {
        match self {
            Self::Log { least } => least * 0.3..1.6,
            Self::Linear => 0.0..1.0,
        }
    }
}

/// A reliability diagram.
pub(crate) struct Reliability {
    pub(crate) title: String,
    pub(crate) axis: Axis,
    /// What the axes show: what was believed, and what was found.
    pub(crate) labels: [&'static str; 2],
    pub(crate) points: Vec<Point>,
}

impl Drawing for Reliability {
    fn size(&self) -> (u32, u32) {
        (760, 640)
    }

    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let range = self.axis.range();
        match self.axis {
            Axis::Log { .. } => self.draw_on(area, (range.clone()).log_scale()),
            Axis::Linear => self.draw_on(area, range),
        }
    }
}

impl Reliability {
    fn draw_on<B: Canvas, A>(&self, area: &DrawingArea<B, Shift>, axis: A) -> Result<()>
    where
        A: AsRangedCoord<Value = f64> + Clone,
        A::CoordDescType: ValueFormatter<f64>,
    {
        let Range { start, end } = self.axis.range();
        // Of a logarithm, 0 is not on the axis: what is below its end is drawn at its end.
        let on_axis = |frequency: f64| frequency.max(start);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 20))
            .margin(14)
            .margin_right(30)
            .x_label_area_size(50)
            .y_label_area_size(76)
            .build_cartesian_2d(axis.clone(), axis)?;
        let show = |p: &f64| match p {
            p if *p == 0.0 => "0".to_owned(),
            p if *p >= 0.01 => format!("{}", (p * 1e6).round() / 1e6),
            p => format!("{p:.0e}"),
        };
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(self.labels[0])
            .y_desc(self.labels[1])
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 14))
            .x_label_formatter(&show)
            .y_label_formatter(&show)
            .draw()?;
        let grey = RGBColor(120, 120, 120);
        let diagonal = [(start, start), (end, end)];
        chart
            .draw_series(LineSeries::new(diagonal, grey.stroke_width(1)))?
            .label("as often as believed")
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], grey));
        let colour = COLOURS[0];
        let whisker = |point: &Point| {
            let ends = [
                (point.believed, on_axis(point.right.0)),
                (point.believed, point.right.2),
            ];
            PathElement::new(ends.to_vec(), colour.stroke_width(1))
        };
        chart.draw_series(self.points.iter().map(whisker))?;
        let dot = |point: &Point| {
            Circle::new((point.believed, on_axis(point.right.1)), 4, colour.filled())
        };
        chart
            .draw_series(self.points.iter().map(dot))?
            .label("found, with two standard deviations")
            .legend(move |(x, y)| Circle::new((x + 7, y), 4, colour.filled()));
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    }
}
