//! Whether cells believed to have oil with probability p have it with frequency p.

use std::process::ExitCode;

use anyhow::Result;
use lab::oil::calibration::{BINS, Belief, Bin, View, calibration};
use lab::oil_solver::Settings;

use crate::cli::{self, OilArgs};
use crate::cmd::plot::picture::Format;
use crate::cmd::plot::reliability::{Axis, Point, Reliability};
use crate::terminal::progress::Late;

pub(super) fn run(args: &OilArgs, settings: Settings) -> Result<ExitCode> {
    let format = args.out.as_deref().map(Format::from_path).transpose()?;
    let seeds = args.seeds.clone().unwrap_or(0..100);
    let games = seeds.end - seeds.start;
    let progress = Late::new(games as usize);
    let of_belief = |&belief: &Belief| args.turns.iter().map(move |&turns| View { belief, turns });
    let views: Vec<View> = args.belief.iter().flat_map(of_belief).collect();
    let all = super::in_threads(args.jobs, || {
        calibration(seeds.clone(), settings, &views, &|| progress.inc())
    })?;
    drop(progress);
    for (view, bins) in views.iter().zip(&all) {
        out!("{}", table(*view, bins));
    }
    if let (Some(format), Some(out)) = (format, &args.out) {
        let title = format!(
            "AHC030, seeds {}..{}: cells by the probability of oil",
            seeds.start, seeds.end
        );
        let bins = all[0].iter().filter(|bin| bin.cells > 0);
        let point =
            |bin: &Bin| Point::new(bin.expected, bin.oil as f64, bin.cells as f64, bin.variance);
        let picture = Reliability {
            title,
            axis: Axis::Linear,
            labels: [
                "probability of oil that the submission gave to a cell",
                "how often such cells had oil",
            ],
            points: bins.map(point).collect(),
        };
        format.draw(out, &picture)?;
        crate::note(&out.display().to_string());
    }
    let is_calibrated = all.iter().all(|bins| most_off(bins) <= MOST_OFF);
    Ok(ExitCode::from(u8::from(!is_calibrated)))
}

/// No group may be off by more standard deviations than that.
const MOST_OFF: f64 = 4.0;

fn most_off(bins: &[Bin; BINS]) -> f64 {
    bins.iter().map(|bin| bin.off().abs()).fold(0.0, f64::max)
}

/// The groups of one view.
fn table(view: View, bins: &[Bin; BINS]) -> String {
    let (belief, turns) = (cli::as_typed(view.belief), cli::as_typed(view.turns));
    let mut out = format!(
        "belief {belief}, turns {turns}\nprobability    cells  believed  observed  off by\n"
    );
    for (bin, at) in bins.iter().zip(0..).filter(|(bin, _)| bin.cells > 0) {
        let cells = bin.cells as f64;
        let bound = |at: u32| f64::from(at) / BINS as f64;
        out.push_str(&format!(
            "{:.2} to {:.2}  {:>7}    {:.4}    {:.4}  {:+.1} σ\n",
            bound(at),
            bound(at + 1),
            bin.cells,
            bin.expected / cells,
            bin.oil as f64 / cells,
            bin.off()
        ));
    }
    out + &format!("most off: {:.1} σ", most_off(bins))
}
