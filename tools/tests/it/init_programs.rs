//! `tester init`: which of several programs it chooses, and how another one is chosen.

use crate::common::{run_in, script};
use crate::init::{MAIN, PACKAGE, TOOLS, folder, planned_with};

#[test]
fn several_programs_of_a_package_beside_the_tools() {
    let files = [
        ("Cargo.toml", PACKAGE),
        ("src/main.rs", MAIN),
        ("src/bin/a.rs", MAIN),
        ("src/bin/b.rs", MAIN),
        ("tools/Cargo.toml", TOOLS),
        ("tools/src/bin/score.rs", MAIN),
        ("tools/src/bin/vis.rs", MAIN),
    ];
    insta::assert_snapshot!(planned_with(&files, &[]), @r#"
    program    src/bin/a.rs, judged as: target/release/a
               not chosen: src/main.rs, src/bin/b.rs
               hint: for another one: tester init --force --command target/release/ahc999
    tools      tools: score, vis
    tester     ./tools/target/release/score prints the score of an output: not an interactive contest
    visualizer ./tools/target/release/vis
    cases      not found: no tools/in/0000.txt
    objective  max, as in most contests; write objective = "min" if less is better
    time limit 4 s, a guess; set time_limit to that of the contest
    build      cargo build --release
               cargo build --release --manifest-path tools/Cargo.toml (the tools, once)
               hint: `tester batch` runs this before it judges
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "{command} < {case} > {out} && ./tools/target/release/score {case} {out}"
    objective = "max"
    name = "ahc999"
    vis = "./tools/target/release/vis {case} {out}"
    [batch]
    cases = "tools/in"
    build = ["cargo build --release", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "target/release/a"
    time_limit = 4
    "#);
    let typed = planned_with(&files, &["--command", "./target/release/b 3"]);
    assert!(
        typed.contains("\nbuild = [\"cargo build --release\", ")
            && typed.contains("\ncommand = \"./target/release/b 3\"\n"),
        "{typed}"
    );
    let typed = planned_with(&files, &["--command", "./other"]);
    assert!(
        typed.contains("\nbuild = [\"cargo build --release --manifest-path tools/Cargo.toml\"]\n"),
        "{typed}"
    );
}

#[test]
fn a_source_file_that_is_typed_chooses_its_program() {
    let files = [("main.cpp", ""), ("main.rs", ""), ("a.py", "")];
    let lines = |args: &[&str]| {
        let shown = planned_with(&files, args);
        let begins = ["program", "build =", "command =", "  "];
        let is_one = |line: &&str| begins.iter().any(|word| line.starts_with(word));
        let lines: Vec<&str> = shown.lines().filter(is_one).take(3).collect();
        let last = shown.lines().filter(|line| line.starts_with("command ="));
        [lines.join("\n"), last.collect()].join("\n")
    };
    // Both files become `./main`.
    insta::assert_snapshot!(lines(&[]), @r#"
    program    main.cpp, judged as: ./main
               not chosen: main.rs, a.py
               hint: for another one: tester init --force --command main.rs
    command = "./main"
    "#);
    insta::assert_snapshot!(lines(&["--command", "./main.rs"]), @r#"
    program    main.rs, judged as: ./main
               not chosen: main.cpp, a.py
               hint: for another one: tester init --force --command main.cpp
    command = "./main"
    "#);
    let typed = planned_with(&files, &["--command", "main.rs"]);
    assert!(typed.contains("\nbuild = [\"rustc "), "{typed}");
    let typed = planned_with(&files, &["--command", "a.py"]);
    assert!(typed.contains("\ncommand = \"python3 a.py\"\n"), "{typed}");
    // One that can be executed is the command itself.
    let dir = folder(&files);
    let top = dir.path().join("ahc999");
    script(&top, "a.py", "cat");
    let shown = run_in(&top, &["init", "--command", "./a.py"], "");
    let first = shown.stderr.lines().next();
    assert_eq!(first, Some("program    ./a.py"), "{shown:?}");
}

#[test]
fn a_submission_is_chosen_before_helpers_beside_it() {
    let files = [
        ("Cargo.toml", PACKAGE),
        ("src/bin/bench.rs", MAIN),
        ("src/bin/submit.rs", MAIN),
    ];
    let shown = planned_with(&files, &[]);
    let first = "program    src/bin/submit.rs, judged as: target/release/submit\n";
    assert!(shown.starts_with(first), "{shown}");
}

#[test]
fn a_source_in_a_folder_is_found_where_none_is_above() {
    let mut files = vec![
        ("cpp/main.cpp", ""),
        ("cpp/lib.cpp", ""),
        ("python/main.py", ""),
        ("tools/a.py", ""),
        (".old/main.cpp", ""),
        ("target/main.cpp", ""),
    ];
    let first = |files: &[(&str, &str)]| {
        let shown = planned_with(files, &[]);
        let is_one = |line: &&str| {
            let begins = ["program", "build =", "command ="];
            begins.iter().any(|word| line.starts_with(word)) || line.contains("not chosen")
        };
        let lines: Vec<&str> = shown.lines().filter(is_one).collect();
        lines.join("\n")
    };
    insta::assert_snapshot!(first(&files), @r#"
    program    cpp/main.cpp, judged as: cpp/main
               not chosen: python/main.py
    build = ["g++ -O2 -std=gnu++20 -o cpp/main cpp/main.cpp", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "cpp/main"
    "#);
    files.push(("other.rb", ""));
    insta::assert_snapshot!(first(&files), @r#"
    program    other.rb, judged as: ruby other.rb
    build = ["cargo build --release --manifest-path tools/Cargo.toml"]
    command = "ruby other.rb"
    "#);
}

#[test]
fn of_numbered_programs_the_last_is_chosen_and_the_others_are_named() {
    let program = |files: &[(&str, &str)]| {
        let shown = planned_with(files, &[]);
        let lines: Vec<&str> = shown.lines().take(3).collect();
        lines.join("\n")
    };
    let numbered = [
        "0_random.cpp",
        "10_anneal.cpp",
        "9_move_swap.cpp",
        "old.cpp",
    ];
    insta::assert_snapshot!(program(&numbered.map(|name| (name, ""))), @"
    program    10_anneal.cpp, judged as: ./10_anneal (it has the largest number)
               not chosen: 9_move_swap.cpp, 0_random.cpp, old.cpp
               hint: for another one: tester init --force --command ./9_move_swap
    ");
    let last = ["sol1.py", "sol10.py", "sol9.py", "plan.py"];
    insta::assert_snapshot!(program(&last.map(|name| (name, ""))), @"
    program    sol10.py, judged as: python3 sol10.py (it has the largest number)
               not chosen: sol9.py, sol1.py, plan.py
               hint: for another one: tester init --force --command 'python3 sol9.py'
    ");
    // They are not numbered alike.
    let others = program(&[("ahc066.cpp", ""), ("sol8.cpp", "")]);
    let first = "program    ahc066.cpp, judged as: ./ahc066\n";
    assert!(others.starts_with(first), "{others}");
    let copies = [("solve.py", ""), ("solve2.py", "")];
    assert!(program(&copies).starts_with("program    solve.py, judged as: python3 solve.py\n"));
    // A usual name comes first, also before a number.
    insta::assert_snapshot!(program(&[("1_greedy.cpp", ""), ("main.cpp", "")]), @"
    program    main.cpp, judged as: ./main
               not chosen: 1_greedy.cpp
               hint: for another one: tester init --force --command ./1_greedy
    ");
    // As cargo-compete names them.
    let compete = format!("{PACKAGE}[[bin]]\nname = \"ahc999-a\"\npath = \"src/bin/a.rs\"\n");
    let named = [
        ("Cargo.toml", &*compete),
        ("src/bin/a.rs", MAIN),
        ("src/bin/team3.rs", MAIN),
    ];
    insta::assert_snapshot!(program(&named), @"
    program    src/bin/a.rs, judged as: target/release/ahc999-a
               not chosen: src/bin/team3.rs
               hint: for another one: tester init --force --command target/release/team3
    ");
    let package = [
        (
            "Cargo.toml",
            "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        ("src/bin/1_greedy.rs", MAIN),
        ("src/bin/2_beam.rs", MAIN),
    ];
    insta::assert_snapshot!(program(&package), @"
    program    src/bin/2_beam.rs, judged as: target/release/2_beam (it has the largest number)
               not chosen: src/bin/1_greedy.rs
               hint: for another one: tester init --force --command target/release/1_greedy
    ");
}

/// What is said of the program: all before the official tools.
fn program(files: &[(&str, &str)]) -> String {
    let shown = planned_with(files, &[]);
    let lines = shown.lines().take_while(|line| !line.starts_with("tools "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_package_that_cargo_refuses_is_still_the_program_and_no_helper_is() {
    let gone = "[workspace]\nmembers = [\"gone\"]\n";
    let beside = [
        ("plan.py", ""),
        ("src/main.rs", MAIN),
        ("src/bin/a.rs", MAIN),
    ];
    let refused = |manifest: &str| {
        let manifest = format!("{manifest}{gone}");
        let files = [&beside[..], &[("Cargo.toml", &*manifest)]].concat();
        let shown = planned_with(&files, &[]);
        assert!(
            shown.contains("cargo does not accept Cargo.toml: "),
            "{shown}"
        );
        let build = "\nbuild = [\"cargo build --release\", ";
        assert!(shown.contains(build), "{shown}");
        program(&files)
    };
    insta::assert_snapshot!(refused(PACKAGE), @"
    program    src/main.rs, judged as: target/release/ahc999
               not chosen: plan.py
               hint: for another one: tester init --force --command 'python3 plan.py'
    ");
    // As cargo-compete names the programs of a contest.
    let named = "[[bin]]\nname = \"ahc999-a\"\npath = \"src/bin/a.rs\"\n";
    let manifest = format!("{PACKAGE}default-run = \"ahc999-a\"\n{named}");
    insta::assert_snapshot!(refused(&manifest), @"
    program    src/bin/a.rs, judged as: target/release/ahc999-a
               not chosen: src/main.rs, plan.py
               hint: for another one: tester init --force --command target/release/ahc999
    ");
}

#[test]
fn tools_that_were_unpacked_twice_are_no_program() {
    let shown = program(&[
        ("main.py", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/src/bin/vis.rs", MAIN),
        ("tools/tools/Cargo.toml", TOOLS),
        ("tools/tools/src/bin/gen.rs", MAIN),
        ("tools/tools/src/bin/vis.rs", MAIN),
    ]);
    assert_eq!(shown, "program    main.py, judged as: python3 main.py");
}

#[test]
fn tests_of_go_are_no_program_and_a_source_among_the_tools_is() {
    let shown = program(&[("main.go", ""), ("main_test.go", "")]);
    assert_eq!(shown, "program    main.go, judged as: ./main");
    let among = program(&[
        ("README.md", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/evaluate.py", ""),
        ("tools/main.cpp", ""),
        ("tools/src/bin/vis.rs", MAIN),
    ]);
    assert_eq!(among, "program    tools/main.cpp, judged as: tools/main");
}

#[test]
fn a_source_beside_the_tools_is_chosen_before_a_package_in_a_folder() {
    let analysis = [
        ("analysis/Cargo.toml", PACKAGE),
        ("analysis/src/main.rs", MAIN),
    ];
    let beside = |name| program(&[&analysis[..], &[(name, "")]].concat());
    insta::assert_snapshot!(beside("a.cpp"), @"
    program    a.cpp, judged as: ./a
               not chosen: analysis/src/main.rs
               hint: for another one: tester init --force --command analysis/target/release/ahc999
    ");
    // A script, or a source without a usual name, is more often a helper.
    for name in ["main.py", "lib.cpp", "src/main.cpp"] {
        let shown = beside(name);
        assert!(
            shown.starts_with("program    analysis/src/main.rs,"),
            "{shown}"
        );
    }
}
