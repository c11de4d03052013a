//! `tester init`: what it takes from the description of the official tools.

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
