//! Builds the small stage that the judge carries.

mod toolchain;

use std::path::PathBuf;
use std::process::Command;

use toolchain::{name_linker, variable};

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=stage");
    println!("cargo::rerun-if-changed=src/process/stage");
    let stage = PathBuf::from(variable("OUT_DIR")).join("stage");
    if let Err(why) = build_stage(&stage) {
        // The tester is the stage itself then, which costs a millisecond for each case of another judge.
        println!("cargo::warning=the small stage of external judges could not be built: {why}");
        std::fs::write(&stage, "").expect("the folder for what is built can be written");
    }
}

/// Compiles `stage/main.rs`, which needs no library: a static program of a few pages.
fn build_stage(to: &PathBuf) -> Result<(), String> {
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition", "2024", "--crate-type", "bin", "stage/main.rs"]);
    rustc
        .args(["--target", &variable("TARGET")])
        .arg("-o")
        .arg(to);
    for option in [
        "opt-level=3",
        "panic=abort",
        "relocation-model=static",
        "strip=symbols",
        "link-arg=-nostartfiles",
        "link-arg=-nostdlib",
        "link-arg=-static",
    ] {
        rustc.args(["-C", option]);
    }
    name_linker(&mut rustc);
    let output = rustc.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(said.lines().next().unwrap_or("no reason").to_owned()),
    }
}
