//! `tester init`: what it takes from the description of the official tools.

use std::fs;
use std::time::Duration;

use rustix::fs::{CWD, mkfifoat};

use crate::common::{script, tester};
use crate::init::{MAIN, TOOLS, folder, planned, planned_with};

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

#[test]
fn tools_whose_folder_is_the_contests_are_used_from_there() {
    let shown = planned(&[
        ("a.cpp", ""),
        ("Cargo.toml", TOOLS),
        ("seeds.txt", "0\n1\n"),
        ("src/bin/gen.rs", MAIN),
        ("src/bin/vis.rs", MAIN),
    ]);
    let begins = ["program ", "tools ", "external", "cases =", "build ="];
    let is_one = |line: &&str| {
        begins.iter().any(|word| line.starts_with(word)) || line.contains("of them: ")
    };
    let lines: Vec<&str> = shown.lines().filter(is_one).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    program    a.cpp, judged as: ./a
    tools      this package: gen, vis
               hint: make 2 of them: cargo run --release --bin gen seeds.txt
    external = "{command} < {case} > {out} && ./target/release/vis {case} {out}"
    cases = "in"
    build = ["g++ -O2 -std=gnu++20 -o a a.cpp", "cargo build --release"]
    "#);
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

/// Findings and settings about the program that judges.
fn judging(files: &[(&str, &str)]) -> String {
    let both = [
        ("main.cpp", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/in/0000.txt", "1"),
    ];
    let shown = planned(&[&both, files].concat());
    let begins = ["tester ", "score ", "external", "score_regex"];
    let is_one = |line: &&str| {
        let is_not_chosen = line.contains("not chosen") || line.contains("--interactive");
        is_not_chosen || begins.iter().any(|word| line.starts_with(word))
    };
    let lines: Vec<&str> = shown.lines().filter(is_one).collect();
    lines.join("\n")
}

#[test]
fn a_tester_that_the_description_does_not_name_is_the_contestants() {
    let readme = "# Usage\ncargo run --release --bin vis in.txt out.txt\n";
    let with = |readme: &str| {
        judging(&[
            ("tools/README.md", readme),
            ("tools/src/bin/tester.rs", MAIN),
            ("tools/src/bin/vis.rs", MAIN),
        ])
    };
    insta::assert_snapshot!(with(readme), @r#"
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest
               not chosen: tools/src/bin/tester.rs, which the README of the tools does not name
               hint: if it talks to the program: tester init --force --interactive
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    "#);
    // One that names it, and one that names no program.
    for readme in [
        &format!("{readme}## Local Tester\n"),
        "The visualizer is on the web.",
    ] {
        insta::allow_duplicates!(insta::assert_snapshot!(with(readme), @r#"
        tester     ./tools/target/release/tester talks to the program: an interactive contest
        external = "./tools/target/release/tester {command} < {case} > {out}"
        "#));
    }
}

#[test]
fn a_tester_that_starts_no_program_that_it_is_told_is_the_contestants() {
    let own = "fn main() { std::process::Command::new(\"cargo\").arg(\"run\"); }";
    insta::assert_snapshot!(judging(&[("tools/src/bin/tester.rs", own)]), @r#"
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest; not found
               not chosen: tools/src/bin/tester.rs, which starts no program that it is told
               hint: if it talks to the program: tester init --force --interactive
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    "#);
}

#[test]
fn a_description_may_be_a_page() {
    let page =
        "<html><pre><code>cargo run --bin tester in.txt cmd &gt; out.txt</code></pre></html>";
    let shown = judging(&[
        ("tools/README_ja.html", page),
        ("tools/src/bin/tester.rs", MAIN),
    ]);
    insta::assert_snapshot!(shown, @r#"
    tester     ./tools/target/release/tester talks to the program: an interactive contest
    external = "./tools/target/release/tester {case} {command} > {out}"
    "#);
}

#[test]
fn a_score_that_is_printed_otherwise_is_taken_from_the_source() {
    let cost = "fn main() { println!(\"{}\", 1); eprintln!(\"Total Cost = {}\", 7); }";
    insta::assert_snapshot!(judging(&[("tools/src/bin/tester.rs", cost)]), @r#"
    tester     ./tools/target/release/tester talks to the program: an interactive contest
    score      Total Cost = N, as tools/src/bin/tester.rs prints it
    external = "./tools/target/release/tester {command} < {case} > {out}"
    score_regex = '(?m)^\s*Total Cost\s*=\s*(?P<score>\d+)\s*$'
    "#);
    let number = "fn main() { eprintln!(\"{}\", 1); println!(\"{}\", 7); }";
    insta::assert_snapshot!(judging(&[("tools/src/bin/vis.rs", number)]), @r#"
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest
    score      N, as tools/src/bin/vis.rs prints it
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    score_regex = '(?m)^\s*(?P<score>\d+)\s*$'
    "#);
    // Less of a cost is better, unless something else is said.
    let objective = |files: &[(&str, &str)], args: &[&str]| {
        let tools = [
            ("main.cpp", ""),
            ("tools/Cargo.toml", TOOLS),
            ("tools/src/bin/tester.rs", cost),
        ];
        let shown = planned_with(&[&tools, files].concat(), args);
        let lines = shown.lines().filter(|line| line.starts_with("objective"));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(objective(&[], &[]), @r#"
    objective  min, as the score is a cost; write objective = "max" if more is better
    objective = "min"
    "#);
    assert_eq!(
        objective(&[], &["--objective", "max"]),
        "objective = \"max\""
    );
    let max = ("pahcer_config.toml", "[problem]\nobjective = 'Max'\n");
    let said = objective(&[max], &[]);
    assert!(said.ends_with("\nobjective = \"max\""), "{said}");
    // That of pahcer wins.
    let pahcer = "[problem]\nscore_regex = 'Cost: (?<score>.*)'\n";
    let files = [
        ("pahcer_config.toml", pahcer),
        ("tools/src/bin/vis.rs", number),
    ];
    insta::assert_snapshot!(judging(&files), @r#"
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest
    score      Cost: (?<score>.*), as in pahcer_config.toml
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    score_regex = "Cost: (?<score>.*)"
    "#);
}

#[test]
fn a_generator_alone_does_not_stand_for_the_tools_that_are_built() {
    let shown = planned(&[
        ("main.py", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/in/0000.txt", "1"),
        ("tools/src/bin/gen.rs", MAIN),
    ]);
    let lines = shown.lines().filter(|line| line.contains("not found"));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest; not found
    visualizer not found
    ");
    let build =
        "build      cargo build --release --manifest-path tools/Cargo.toml (the tools, once)";
    assert!(shown.contains(build), "{shown}");
}

#[test]
fn projects_and_files_of_other_languages_have_their_lines() {
    for (files, run, build) in [
        (
            &["ahc.csproj", "Program.cs"][..],
            "dotnet bin/publish/ahc.dll",
            "dotnet publish ahc.csproj -c Release -o bin/publish",
        ),
        (
            &["Main.hs", "helper.py"],
            "./Main",
            "ghc -O2 -o Main Main.hs",
        ),
        (&["main.nim"], "./main", "nim c -d:release -o:main main.nim"),
        (
            &["Main.kt"],
            "java -jar Main.jar",
            "kotlinc Main.kt -include-runtime -d Main.jar",
        ),
    ] {
        let found = planned(&files.iter().map(|name| (*name, "")).collect::<Vec<_>>());
        let first = format!("program    {}, judged as: {run}\n", files[0]);
        assert!(found.starts_with(&first), "{found}");
        for line in [
            format!("\nbuild = [\"{build}\", "),
            format!("\ncommand = \"{run}\"\n"),
        ] {
            assert!(found.contains(&line), "{line} {found}");
        }
    }
}

/// As the Masters finals, which have three problems with one `gen`.
#[test]
fn cases_of_several_problems_are_found_and_made_one_problem_at_a_time() {
    let lines = |readme: &str, cases: &[(&str, &str)]| {
        let readme = format!(
            "```\ncargo run -r --bin gen seeds.txt{readme}\n```\n- `--dir=in2` Change it.\n"
        );
        let tools = [
            ("tools/Cargo.toml", TOOLS),
            ("tools/README.md", &*readme),
            ("tools/seeds.txt", "0\n1\n"),
            ("tools/src/bin/gen.rs", MAIN),
        ];
        let dir = folder(&[&tools, cases].concat());
        let top = dir.path().join("ahc999");
        let init = tester(&["init"]).current_dir(&top).output().unwrap();
        let said = String::from_utf8(init.stderr).unwrap();
        let text = fs::read_to_string(top.join("tester.toml")).unwrap();
        let is_one = |line: &&str| {
            let begins = ["cases", "not chosen"];
            let begins = begins.iter().any(|word| line.trim().starts_with(word));
            begins || line.contains("of them:")
        };
        let all = said.lines().chain(text.lines()).filter(is_one);
        all.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    let three = [
        ("tools/inC/0000.txt", "1"),
        ("tools/inA/0000.txt", "1"),
        ("tools/inB/0000.txt", "1"),
        ("tools/info/0000.txt", "1"),
    ];
    insta::assert_snapshot!(lines(" --problem A", &three), @r#"
    cases      tools/inA: 1 file
    not chosen: tools/inB, tools/inC; cases in tester.toml names the folder
    # This makes 2 of them: (cd tools && cargo run --release --bin gen seeds.txt --problem A --dir=inA)
    cases = "tools/inA"
    "#);
    insta::assert_snapshot!(lines(" A", &[("tools/inD/notes.txt", "")]), @r#"
    cases      not found: no tools/in/0000.txt
    hint: make 2 of them: (cd tools && cargo run --release --bin gen seeds.txt A)
    # This makes 2 of them: (cd tools && cargo run --release --bin gen seeds.txt A)
    cases = "tools/in"
    "#);
    let copied = [("input/0000.txt", "1"), ("tools/inA/0000.txt", "1")];
    insta::assert_snapshot!(lines("", &copied), @r#"
    cases      input: 1 file
    # This makes 2 of them: (cd tools && cargo run --release --bin gen seeds.txt)
    cases = "input"
    "#);
}

/// With RUST_BACKTRACE, rustup prints where it failed, as for a toolchain that the tools name and the machine lacks.
#[test]
fn why_cargo_refuses_a_package_has_no_backtrace() {
    let dir = folder(&[("tools/Cargo.toml", TOOLS), ("tools/src/bin/vis.rs", MAIN)]);
    let top = dir.path().join("ahc999");
    let backtrace = "[ \"$RUST_BACKTRACE$RUST_LIB_BACKTRACE\" = 0 ] || echo 'Stack backtrace:' >&2";
    script(
        &top,
        "cargo",
        &format!("echo 'error: no toolchain' >&2\n{backtrace}\nexit 1"),
    );
    let mut init = tester(&["init"]);
    init.current_dir(&top).env("CARGO", top.join("cargo"));
    init.env("RUST_BACKTRACE", "1")
        .env("RUST_LIB_BACKTRACE", "1");
    let said = String::from_utf8(init.output().unwrap().stderr).unwrap();
    let expected = "           cargo does not accept tools/Cargo.toml: no toolchain";
    assert!(said.lines().any(|line| line == expected), "{said}");
}
