//! What cases cost with each policy, against eps and M.

use std::process::ExitCode;

use anyhow::Result;
use lab::oil::policies::{
    EPS_RANGES, FIELD_RANGES, Group, POLICIES, costs, geometric_means, groups,
};
use lab::oil_solver::Settings;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::cli::OilArgs;
use crate::cmd::plot::picture::{COLOURS, Canvas, Drawing, FONT, Format, legend};
use crate::terminal::progress::Late;

pub(super) fn run(args: &OilArgs, settings: Settings) -> Result<ExitCode> {
    let format = args.out.as_deref().map(Format::from_path).transpose()?;
    let seeds = args.seeds.clone().unwrap_or(0..100);
    let games = (seeds.end - seeds.start) as usize * POLICIES.len();
    let progress = Late::new(games);
    let played = super::in_threads(args.jobs, || {
        costs(seeds.clone(), settings, &|| progress.inc())
    })?;
    drop(progress);
    let panels = [
        Panel {
            name: "eps",
            groups: groups(&played, &EPS_RANGES, |case| case.eps),
        },
        Panel {
            name: "M",
            groups: groups(&played, &FIELD_RANGES, |case| case.fields as f64),
        },
    ];
    out!(
        "{:<18}cases{}",
        "cost",
        POLICIES.map(|(_, name)| format!("{name:>22}")).concat()
    );
    for panel in &panels {
        for group in &panel.groups {
            out!(
                "{:<18}{:>5}{}",
                format!("{} {}", panel.name, label(group)),
                group.cases,
                figures(&group.means)
            );
        }
    }
    out!(
        "{:<18}{:>5}{}",
        "all",
        played.len(),
        figures(&geometric_means(played.iter()))
    );
    if let (Some(format), Some(out)) = (format, &args.out) {
        let title = format!(
            "AHC030, seeds {}..{}: geometric mean of cost",
            seeds.start, seeds.end
        );
        format.draw(out, &Costs { title, panels })?;
        crate::note(&out.display().to_string());
    }
    Ok(ExitCode::SUCCESS)
}

fn figures(means: &[f64; POLICIES.len()]) -> String {
    means.map(|mean| format!("{mean:>22.3}")).concat()
}

fn label(group: &Group) -> String {
    format!("{} to {}", group.range.0, group.range.1)
}

/// One parameter.
struct Panel {
    name: &'static str,
    groups: Vec<Group>,
}

struct Costs {
    title: String,
    panels: [Panel; 2],
}

impl Drawing for Costs {
    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let area = area.titled(&self.title, (FONT, 20))?;
        let all = self
            .panels
            .iter()
            .flat_map(|panel| &panel.groups)
            .flat_map(|group| group.means);
        let least = all.clone().fold(f64::INFINITY, f64::min);
        let most = all.fold(0.0, f64::max);
        // Room for the legend above the lines.
        let range = least / 1.3..most * 20.0;
        for (panel, area) in self.panels.iter().zip(area.split_evenly((1, 2))) {
            panel.draw(&area, range.clone())?;
        }
        Ok(())
    }
}

impl Panel {
    fn draw<B: Canvas>(
        &self,
        area: &DrawingArea<B, Shift>,
        costs: std::ops::Range<f64>,
    ) -> Result<()> {
        let last = self.groups.len() as f64 - 0.5;
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .x_label_area_size(50)
            .y_label_area_size(70)
            .build_cartesian_2d(-0.5..last, costs.log_scale())?;
        let name = |at: &f64| match self.groups.get(at.round() as usize) {
            Some(group) if (at - at.round()).abs() < 1e-6 => label(group),
            _ => String::new(),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_labels(2 * self.groups.len() + 1)
            .x_desc(self.name)
            .y_desc("cost")
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 14))
            .x_label_formatter(&name)
            .y_label_formatter(&|cost| format!("{cost}"))
            .draw()?;
        for (policy, (_, name)) in POLICIES.iter().enumerate() {
            let colour = COLOURS[policy];
            let points = self
                .groups
                .iter()
                .enumerate()
                .map(move |(at, group)| (at as f64, group.means[policy]));
            chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
            chart
                .draw_series(points.map(|point| Circle::new(point, 4, colour.filled())))?
                .label(*name)
                .legend(move |(x, y)| Circle::new((x + 7, y), 4, colour.filled()));
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    }
}
