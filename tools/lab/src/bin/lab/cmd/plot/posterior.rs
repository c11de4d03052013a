//! What the solver believes before each guess of a noisy game, one panel a turn.

use anyhow::{Context, Result, anyhow, bail};
use lab::simulate::distance::{Step, difference_of, steps};
use lab::solver::pegs::Policy;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tester::case::Seed;
use tester::problem::Spec;

use super::picture::{COLOURS, Canvas, Drawing, FONT};
use crate::cli::PosteriorArgs;

/// A longer game is shown with its first turns and its last ones.
const MOST_PANELS: usize = 12;
/// What is less, in parts of the most probable, cannot be seen.
const SEEN: f64 = 5e-3;
const PANEL: u32 = 128;
const HEAD: u32 = 66;
const FOOT: u32 = 52;

pub(super) fn picture(args: &PosteriorArgs) -> Result<Panels> {
    let understood = "failed to understand the problem";
    let spec = Spec::parse(&args.problem).context(understood)?;
    let Some(of) = difference_of(spec.problem.name()) else {
        bail!("expected distance or gap, found {}", args.problem);
    };
    let instance = spec.generate(Seed(args.seed)).context(understood)?;
    let digits = Digits::from_spec(&spec);
    let steps = steps(of, &*instance, &spec.params, Policy::Optimal);
    let steps = steps.map_err(|why| anyhow!("failed to play seed {}: {why}", args.seed))?;
    for (turn, step) in (1..).zip(&steps) {
        let replied = step
            .difference
            .map_or("right".to_owned(), |d| format!("{d:+}"));
        let p = step.probability(step.guess);
        out!(
            "turn {turn:>2}  {:.2} bits to learn  guess {} (probability {p:.4})  replied {replied}",
            step.entropy_bits,
            digits.show(step.guess)
        );
    }
    let secret = steps.last().map_or(0, |step| step.guess);
    let title = format!(
        "{}, seed {}: what is believed before each guess",
        args.problem, args.seed
    );
    Ok(Panels {
        title,
        digits,
        secret,
        steps,
    })
}

/// How a code is written: with leading zeros, where each digit is one character.
#[derive(Clone, Copy)]
struct Digits(usize);

impl Digits {
    fn from_spec(spec: &Spec<'_>) -> Self {
        let number = |at: usize| spec.params.get(at).and_then(|word| word.parse().ok());
        Self(number(0).filter(|_| number(1) == Some(10)).unwrap_or(1))
    }

    fn show(self, code: i64) -> String {
        format!("{code:0width$}", width = self.0)
    }
}

pub(super) struct Panels {
    title: String,
    digits: Digits,
    secret: i64,
    steps: Vec<Step>,
}

impl Panels {
    /// Turns, from 1, with what is believed before them.
    fn shown(&self) -> Vec<(usize, &Step)> {
        let all: Vec<(usize, &Step)> = (1..).zip(&self.steps).collect();
        if all.len() <= MOST_PANELS {
            return all;
        }
        let half = MOST_PANELS / 2;
        [&all[..half], &all[all.len() - half..]].concat()
    }
}

impl Drawing for Panels {
    fn size(&self) -> (u32, u32) {
        (960, HEAD + PANEL * self.shown().len() as u32 + FOOT)
    }

    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let text = |size: u32| (FONT, size).into_font().color(&BLACK);
        area.draw(&Text::new(self.title.clone(), (14, 12), text(22)))?;
        let key = |at: (i32, i32), label: &str, colour: RGBColor| -> Result<()> {
            area.draw(&Rectangle::new(
                [at, (at.0 + 12, at.1 + 12)],
                colour.filled(),
            ))?;
            area.draw(&Text::new(
                label.to_owned(),
                (at.0 + 18, at.1 - 2),
                text(15),
            ))?;
            Ok(())
        };
        key((16, 46), "probability", COLOURS[0])?;
        key((140, 46), "the guess", COLOURS[1])?;
        let at = (262, 44);
        area.draw(&PathElement::new(
            [at, (at.0, at.1 + 16)],
            BLACK.stroke_width(2),
        ))?;
        let secret = format!("the secret, {}", self.digits.show(self.secret));
        area.draw(&Text::new(secret, (at.0 + 10, at.1), text(15)))?;
        if self.steps.len() > 1 {
            let note = "from turn 2 on, only codes that are likely then";
            area.draw(&Text::new(note, (430, at.1), text(15)))?;
        }
        let shown = self.shown();
        let (_, rest) = area.split_vertically(HEAD);
        let (panels, foot) = rest.split_vertically(PANEL * shown.len() as u32);
        // Before the first reply all codes are shown; then those that can be seen in any panel.
        let all = range(&self.steps[..1]);
        let near = range(if self.steps.len() > 1 {
            &self.steps[1..]
        } else {
            &self.steps
        });
        for ((turn, step), panel) in shown.iter().zip(panels.split_evenly((shown.len(), 1))) {
            self.panel(&panel, *turn, step, if *turn == 1 { all } else { near })?;
        }
        let middle = Pos::new(HPos::Center, VPos::Top);
        foot.draw(&Text::new(
            "code, as a number",
            (500, 22),
            text(16).pos(middle),
        ))?;
        Ok(())
    }
}

/// The least and the greatest code that can be seen.
fn range(steps: &[Step]) -> (i64, i64) {
    let codes = steps.iter().flat_map(|step| {
        let most = step.most();
        let seen = step.belief.iter().filter(move |code| code.1 > SEEN * most);
        seen.map(|code| code.0).chain([step.guess])
    });
    (codes.clone().min().unwrap_or(0), codes.max().unwrap_or(0))
}

/// A panel's axes: codes and probabilities.
type PanelChart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Panels {
    fn panel<B: Canvas>(
        &self,
        area: &DrawingArea<B, Shift>,
        turn: usize,
        step: &Step,
        (first, last): (i64, i64),
    ) -> Result<()> {
        let most = step.most();
        let (left, right) = (first as f64 - 1.0, last as f64 + 1.0);
        let mut chart = ChartBuilder::on(area)
            .margin_left(14)
            .margin_right(24)
            .margin_top(26)
            .x_label_area_size(20)
            .y_label_area_size(70)
            .build_cartesian_2d(left..right, 0.0..most * 1.12)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .label_style((FONT, 13))
            .y_labels(3)
            .x_labels((last - first + 3).clamp(1, 11) as usize)
            .x_label_formatter(&whole)
            .y_label_formatter(&probability)
            .draw()?;
        bars(&mut chart, step, right - left)?;
        let secret = self.secret as f64;
        let line = [(secret, 0.0), (secret, most * 1.12)];
        chart.draw_series([PathElement::new(line.to_vec(), BLACK.stroke_width(2))])?;
        area.draw(&Text::new(
            self.note(turn, step),
            (84, 6),
            (FONT, 15).into_font().color(&BLACK),
        ))?;
        Ok(())
    }

    /// The turn in words.
    fn note(&self, turn: usize, step: &Step) -> String {
        let replied = match step.difference {
            Some(difference) => format!(
                "guess {}, replied {difference:+}",
                self.digits.show(step.guess)
            ),
            None => format!("guess {}: right", self.digits.show(step.guess)),
        };
        format!(
            "turn {turn}: {:.2} bits to learn; {replied}",
            step.entropy_bits
        )
    }
}

/// A bar for each code that can be seen; the axis has `width` codes.
fn bars<B: Canvas>(chart: &mut PanelChart<'_, B>, step: &Step, width: f64) -> Result<()> {
    // As wide as a code, less a gap if there is room.
    let half = if width < 200.0 { 0.4 } else { 0.5 };
    let colour = |code: i64| match code {
        code if code == step.guess => COLOURS[1],
        _ => COLOURS[0],
    };
    let bar = |&(code, p): &(i64, f64)| {
        // The guess, however many there are, can be seen.
        let own = if code == step.guess {
            width / 600.0
        } else {
            0.0
        };
        let half = own.max(half);
        let corners = [(code as f64 - half, 0.0), (code as f64 + half, p)];
        Rectangle::new(corners, colour(code).filled())
    };
    // What cannot be seen is not drawn; the guess comes last, on top.
    let seen = SEEN * step.most();
    let visible = step
        .belief
        .iter()
        .filter(|code| code.1 > seen && code.0 != step.guess);
    chart.draw_series(visible.map(bar))?;
    chart.draw_series(
        step.belief
            .iter()
            .filter(|code| code.0 == step.guess)
            .map(bar),
    )?;
    Ok(())
}

/// Codes are whole numbers: between them nothing is labelled.
fn whole(code: &f64) -> String {
    let nearest = code.round();
    match (code - nearest).abs() < 1e-6 && nearest >= 0.0 {
        true => format!("{:.0}", nearest.abs()),
        false => String::new(),
    }
}

/// Short enough for an axis.
fn probability(p: &f64) -> String {
    match p {
        0.0 => "0".to_owned(),
        p if *p >= 0.01 => format!("{p:.2}"),
        p => format!("{p:.4}"),
    }
}
