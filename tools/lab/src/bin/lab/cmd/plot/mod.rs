//! `lab plot`: pictures, a file for each.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::cli::{Picture, PictureArgs, PlotArgs};
use picture::{Drawing, Format};

mod bounds;
mod loss;
pub(crate) mod picture;
mod posterior;
mod race;
pub(crate) mod reliability;
mod sweep;
mod turns;

pub(crate) fn run(args: &PlotArgs) -> Result<ExitCode> {
    match &args.picture {
        Picture::Turns(args) => write(args, turns::picture),
        Picture::Sweep(args) => write(args, sweep::picture),
        Picture::Posterior(args) => write(args, posterior::picture),
        Picture::Race(args) => write(args, race::picture),
        Picture::Loss(args) => write(args, loss::picture),
        Picture::Bounds(args) => write(args, bounds::picture),
        Picture::Reliability(args) => write(args, reliability::picture),
    }
}

fn write<T: Args, D: Drawing>(
    args: &PictureArgs<T>,
    picture: fn(&T) -> Result<D>,
) -> Result<ExitCode> {
    let format = Format::from_path(&args.out)?;
    format.draw(&args.out, &picture(&args.of)?)?;
    crate::note(&args.out.display().to_string());
    Ok(ExitCode::SUCCESS)
}
