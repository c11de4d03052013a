//! Links `tester` to a fixed address, and builds the small stage that it carries.
//!
//! It is started once for every case in your own loops. With SQLite in it, there are 3,900 addresses
//! that the loader would have to write at every start: 25 page faults of 116, and some 100 of the 1000 µs
//! that judging one case may cost. At a fixed address the linker writes them once. What is given up is
//! that the program itself lies at a random address; its libraries, stack and heap still do.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| variable(name) == value;
    // With other C libraries the linker may be asked for a kind of program that excludes this.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bin=tester=-no-pie");
    }
    println!("cargo::rerun-if-changed=stage");
    println!("cargo::rerun-if-changed=src/process/stage");
    let stage = PathBuf::from(variable("OUT_DIR")).join("stage");
    if let Err(why) = build_stage(&stage) {
        // The tester is the stage itself then, which costs a millisecond for each case of another judge.
        println!("cargo::warning=the small stage of external judges could not be built: {why}");
        std::fs::write(&stage, "").expect("the folder for what is built can be written");
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
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
    if let Some(linker) = std::env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("linker=");
        option.push(linker);
        rustc.arg("-C").arg(option);
    }
    let output = rustc.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(said.lines().next().unwrap_or("no reason").to_owned()),
    }
}
