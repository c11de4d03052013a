//! Links `tester` statically to a fixed address.
//!
//! It is started once for every case in your own loops. The loader would map the C library, look up names in it and
//! write 3,900 addresses of SQLite's at every start: some 400 of the 1000 µs that judging one case may cost. So the
//! linker does that once. What is given up is that program and library lie at random addresses; stack and heap still do.
//!
//! Cargo's own way (`target-feature=+crt-static`) needs a named target, and puts binaries in another folder. Instead,
//! the linker finds the archive of each of the C library's parts under the name of the shared one.

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "core/build/toolchain.rs"]
mod toolchain;

use toolchain::{name_linker, variable};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=core/build/toolchain.rs");
    let is = |name: &str, value: &str| variable(name) == value;
    // With other C libraries the linker may be asked for a kind of program that excludes this.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bin=tester=-no-pie");
        // Some distributions have these archives in a package of their own; it is not asked for. A tester for tests
        // keeps its libraries, so that a test can put another before them.
        let out = PathBuf::from(variable("OUT_DIR"));
        let is_static = is("PROFILE", "release").then(|| static_options(&out));
        for option in is_static.flatten().unwrap_or_default() {
            println!("cargo::rustc-link-arg-bin=tester={option}");
        }
    }
}

/// What the linker needs to leave no library to the loader; `None` if a program cannot be made so on this machine.
fn static_options(out: &Path) -> Option<Vec<String>> {
    /// Libraries that Rust names to the linker, each with the archives that replace it.
    const PARTS: [(&str, &str); 7] = [
        ("gcc_s", "-l:libgcc_eh.a -l:libgcc.a"),
        ("c", "-l:libc.a -l:libgcc_eh.a -l:libgcc.a"),
        ("m", "-l:libm.a"),
        ("pthread", "-l:libpthread.a"),
        ("rt", "-l:librt.a"),
        ("dl", "-l:libdl.a"),
        ("util", "-l:libutil.a"),
    ];
    let folder = out.join("archives");
    std::fs::create_dir_all(&folder).ok()?;
    for (name, archives) in PARTS {
        let script = folder.join(format!("lib{name}.so"));
        std::fs::write(script, format!("GROUP({archives})\n")).ok()?;
    }
    let options = vec!["-static".to_owned(), format!("-L{}", folder.display())];
    let (source, program) = (out.join("probe.rs"), out.join("probe"));
    std::fs::write(
        &source,
        "fn main() { println!(\"{:?}\", std::env::args()); }",
    )
    .ok()?;
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition", "2024", "--target", &variable("TARGET")]);
    rustc.arg(source).arg("-o").arg(&program);
    for option in options.iter().map(String::as_str).chain(["-no-pie"]) {
        rustc.args(["-C", &format!("link-arg={option}")]);
    }
    name_linker(&mut rustc);
    let made = rustc.output().is_ok_and(|output| output.status.success());
    let runs = || {
        Command::new(program)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    // A program for another kind of machine cannot be tried.
    let works = made && (variable("HOST") != variable("TARGET") || runs());
    works.then_some(options)
}
