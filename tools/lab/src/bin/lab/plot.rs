//! `lab plot`: distributions side by side, and mean turns against a number.

use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lab::policy::{Family, Given, Options, Pool, select};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::tree::{self, Outcome};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{IntoSegmentedCoord, SegmentValue};
use plotters::prelude::*;

use crate::args::{self, Choice, Chosen, Picture, PlotArgs, SweepArgs, TurnsArgs};
use crate::progress::Counted;

mod posterior;
mod reliability;

const SIZE: (u32, u32) = (960, 560);
const FONT: &str = "DejaVu Sans, sans-serif";
/// Colours that people with any colour vision can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];

pub(crate) fn run(args: &PlotArgs) -> Result<ExitCode> {
    let out = match &args.picture {
        Picture::Turns(turns) => plot_turns(turns)?,
        Picture::Sweep(sweep) => plot_sweep(sweep)?,
        Picture::Posterior(args) => posterior::plot(args)?,
        Picture::Reliability(args) => reliability::plot(args)?,
    };
    eprintln!("{}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// A policy with what comes of it.
struct Series {
    label: String,
    outcome: Outcome,
}

fn plot_turns(args: &TurnsArgs) -> Result<&Path> {
    let format = Format::of(&args.target.out)?;
    let codes = args::codes(&args.target.problem)?;
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
    let (name, choice) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, options)) => (name, options),
        None => (text, ""),
    };
    let understood = || format!("failed to understand the policy {text:?}");
    let choice = Choice::parse(choice).with_context(understood)?;
    let chosen = Chosen::new(name, &choice, false).with_context(understood)?;
    let outcome = outcome(chosen.family, &chosen.options, codes);
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

fn outcome(family: &dyn Family, options: &Options, codes: &Codes) -> Outcome {
    let policy = family.build(options);
    let root = Posterior::uniform(codes.len());
    let walk = || tree::outcome(codes, &root, &Counted::new(&*policy));
    family.outcome(codes).unwrap_or_else(walk)
}

fn plot_sweep(args: &SweepArgs) -> Result<&Path> {
    let format = Format::of(&args.target.out)?;
    let codes = args::codes(&args.target.problem)?;
    let (option, text, step) = match (&args.hit_gain, &args.hit_bonus) {
        (Some(text), _) => ("--hit-gain", text, 1.0),
        (None, Some(text)) => ("--hit-bonus", text, 0.1),
        (None, None) => bail!("expected --hit-gain or --hit-bonus, found neither"),
    };
    let range = range(text).with_context(|| format!("failed to understand {option}"))?;
    if step >= 1.0 && (range.start().fract(), range.end().fract()) != (0.0, 0.0) {
        bail!("expected whole numbers for {option}, found {text:?}");
    }
    let steps = ((range.end() - range.start()) / step + 1e-9).floor() as usize;
    let mut points = Vec::with_capacity(steps + 1);
    for i in 0..=steps {
        let value = range.start() + i as f64 * step;
        let given = Given {
            pool: Some(Pool::All),
            tie: Some(args.tie()),
            hit_gain: args.hit_gain.is_some().then_some(value),
            hit_bonus: args.hit_gain.is_none().then_some(value),
            ..Given::default()
        };
        let (family, options) = select("mi", &given)?;
        let turns = outcome(family, &options, &codes).all_turns();
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
        args.target.problem
    );
    let axis = if args.hit_gain.is_some() {
        "C in log2(1/p + C), what a hit of probability p counts"
    } else {
        "bits that a hit counts, times its probability"
    };
    format.draw(
        &args.target.out,
        &Sweep {
            title,
            axis,
            points,
        },
    )?;
    Ok(&args.target.out)
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

/// What the file's name says that it is.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

/// Something that can be drawn on either.
trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static;
}

impl Format {
    fn of(out: &Path) -> Result<Self> {
        // Before anything is computed.
        let folder = out.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "expected a folder that is there for --out, found {}",
                folder.display()
            );
        }
        match out.extension().and_then(|ext| ext.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!(
                "expected a name that ends in .svg or .png for --out, found {}",
                out.display()
            ),
        }
    }

    /// Draws under a temporary name and renames, so that a picture is whole or not there.
    fn draw(self, out: &Path, drawing: &impl Drawing) -> Result<()> {
        let failed = || format!("failed to write {}", out.display());
        // Widths of labels are measured for an SVG as well.
        plotters::style::register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
            .map_err(|_| anyhow::anyhow!("failed to load the embedded font"))?;
        let bytes = match self {
            Self::Svg => {
                let mut text = String::new();
                let area = SVGBackend::with_string(&mut text, drawing.size()).into_drawing_area();
                drawing.draw(&area)?;
                area.present().context("failed to draw")?;
                drop(area);
                text.into_bytes()
            }
            Self::Png => {
                // The encoder chooses its format by the file's name.
                let file = tempfile::Builder::new()
                    .suffix(".png")
                    .tempfile()
                    .with_context(failed)?;
                let area = BitMapBackend::new(file.path(), drawing.size()).into_drawing_area();
                drawing.draw(&area)?;
                area.present().context("failed to draw")?;
                drop(area);
                std::fs::read(file.path()).with_context(failed)?
            }
        };
        Ok(tester::util::atomic_file::write_whole(out, &bytes)?)
    }
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

/// The box that tells which colour is what.
fn legend<'a, B, C>(chart: &mut ChartContext<'a, B, C>, position: SeriesLabelPosition) -> Result<()>
where
    B: DrawingBackend + 'a,
    B::ErrorType: 'static,
    C: CoordTranslate,
{
    chart
        .configure_series_labels()
        .position(position)
        .margin(14)
        .label_font((FONT, 15))
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    Ok(())
}

/// A label is centred above its point.
fn label_position() -> plotters::style::text_anchor::Pos {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    Pos::new(HPos::Center, VPos::Bottom)
}

struct Sweep {
    title: String,
    axis: &'static str,
    points: Vec<(f64, f64)>,
}

impl Drawing for Sweep {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static,
    {
        area.fill(&WHITE)?;
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
