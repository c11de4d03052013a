//! `lab plot`: pictures, a file for each.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::{Picture, PlotArgs};

mod bounds;
mod loss;
pub(crate) mod picture;
mod posterior;
mod race;
pub(crate) mod reliability;
mod sweep;
mod turns;

pub(crate) fn run(args: &PlotArgs) -> Result<ExitCode> {
    let out = match &args.picture {
        Picture::Turns(args) => turns::plot(args)?,
        Picture::Sweep(args) => sweep::plot(args)?,
        Picture::Posterior(args) => posterior::plot(args)?,
        Picture::Race(args) => race::plot(args)?,
        Picture::Loss(args) => loss::plot(args)?,
        Picture::Bounds(args) => bounds::plot(args)?,
        Picture::Reliability(args) => reliability::plot(args)?,
    };
    crate::note(&out.display().to_string());
    Ok(ExitCode::SUCCESS)
}
