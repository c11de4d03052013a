//! `tester init`: what it takes from the description of the official tools.

use std::fs;
use std::time::Duration;

use rustix::fs::{CWD, mkfifoat};

use crate::common::tester;
use crate::init::{MAIN, TOOLS, planned};

#[test]
fn a_tester_whose_description_names_the_case_first_gets_it_so() {
    let line = |file: &str, command: &str| {
        let readme = format!("# Usage\n```\n{command}\n```\n");
        let shown = planned(&[
            ("main.cpp", ""),
            ("tools/Cargo.toml", TOOLS),
            (file, &readme),
            ("tools/src/bin/tester.rs", MAIN),
        ]);
        let line = shown.lines().find(|line| line.starts_with("external"));
        line.unwrap_or_default().to_owned()
    };
    let run = "cargo run --release --bin tester";
    assert_eq!(
        line(
            "tools/README.md",
            &format!("{run} in/0000.txt ./a.out > out/0000.txt")
        ),
        "external = \"./tools/target/release/tester {case} {command} > {out}\""
    );
    assert_eq!(
        line(
            "tools/README_ja.md",
            &format!("{run} ./a.out < in/0000.txt > out/0000.txt")
        ),
        "external = \"./tools/target/release/tester {command} < {case} > {out}\""
    );
}

#[test]
fn a_generator_gets_its_seeds_as_its_description_says() {
    let hint = |name: &str, files: &[(&str, &str)]| {
        let readme = (
            name,
            "```\ncargo run --release --bin gen < seeds.txt\n```\n",
        );
        let gen_only = [
            ("tools/Cargo.toml", TOOLS),
            ("tools/src/bin/gen.rs", MAIN),
            readme,
        ];
        let shown = planned(&[&gen_only, files].concat());
        let line = shown.lines().find(|line| line.contains("of them:"));
        line.unwrap().trim().to_owned()
    };
    assert_eq!(
        hint("tools/README.txt", &[("tools/seeds.txt", "0\n1\n2\n")]),
        "hint: make 3 of them: (cd tools && cargo run --release --bin gen < seeds.txt)"
    );
    assert_eq!(
        hint("tools/README.md", &[]),
        "hint: make 100 of them: (cd tools && seq 0 99 > more-seeds.txt && cargo run --release --bin gen < more-seeds.txt)"
    );
}

/// A FIFO never begins, a device has no end.
#[test]
fn a_description_that_is_no_file_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("tools/src/bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("gen.rs"), MAIN).unwrap();
    fs::write(dir.path().join("tools/Cargo.toml"), TOOLS).unwrap();
    for name in ["README.md", "seeds.txt"] {
        mkfifoat(CWD, dir.path().join("tools").join(name), 0o600.into()).unwrap();
    }
    let endless = dir.path().join("tools/README.txt");
    std::os::unix::fs::symlink("/dev/zero", endless).unwrap();
    let mut init = tester(&["init"]);
    init.current_dir(dir.path())
        .timeout(Duration::from_secs(60));
    init.assert().success();
}
