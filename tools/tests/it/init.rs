//! `tester init`: what it finds in a contest's folder, and what it writes.

use std::fs;

use tempfile::TempDir;

use crate::common::{run_in, script, tester};
use crate::external::{built, lists, records};

/// A folder of a contest: files by name, with their text.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join("ahc999").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

/// What is said of a folder, then the settings without remarks.
pub(crate) fn planned(files: &[(&str, &str)]) -> String {
    planned_with(files, &[])
}

pub(crate) fn planned_with(files: &[(&str, &str)], args: &[&str]) -> String {
    let dir = folder(files);
    let top = dir.path().join("ahc999");
    let output = tester(&[&["init"], args].concat())
        .current_dir(&top)
        // Where Cargo builds is for each folder to say.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let text = fs::read_to_string(top.join("tester.toml")).unwrap_or_default();
    assert_eq!(output.status.success(), !text.is_empty(), "{said}");
    let text = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    // Which compilers and interpreters there are depends on the machine.
    let said = said
        .lines()
        .filter(|line| !line.contains("pypy3") && !line.contains(" is not in PATH"));
    said.chain(text).collect::<Vec<_>>().join("\n")
}

pub(crate) const MAIN: &str = "fn main() {}";
pub(crate) const TOOLS: &str = "[package]\nname = \"tools\"\nedition = \"2021\"\n";
pub(crate) const PACKAGE: &str = "[package]\nname = \"ahc999\"\nedition = \"2021\"\n";

#[test]
fn cpp_with_the_tools_of_an_interactive_contest() {
    let shown = planned(&[
        ("main.cpp", "int main() {}"),
        ("random.py", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/seeds.txt", "0\n1\n2\n"),
        ("tools/src/bin/gen.rs", MAIN),
        ("tools/src/bin/tester.rs", MAIN),
        ("tools/src/bin/vis.rs", MAIN),
    ]);
    insta::assert_snapshot!(shown, @r#"
    program    main.cpp, judged as: ./main
               not chosen: random.py
               hint: for another one: tester init --force --command 'python3 random.py'
    tools      tools: gen, tester, vis
    tester     ./tools/target/release/tester talks to the program: an interactive contest
    visualizer ./tools/target/release/vis
    cases      not found: no tools/in/0000.txt
               hint: make 3 of them: (cd tools && cargo run --release --bin gen seeds.txt)
    objective  max, as in most contests; write objective = "min" if less is better
    time limit 4 s, a guess; set time_limit to that of the contest
    build      g++ -O2 -std=gnu++20 -o main main.cpp
               cargo build --release --manifest-path tools/Cargo.toml (the tools, once)
               hint: `tester batch` runs this before it judges
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "./tools/target/release/tester {command} < {case} > {out}"
    objective = "max"
    name = "ahc999"
    vis = "./tools/target/release/vis {case} {out}"
    [batch]
    cases = "tools/in"
    build = ["g++ -O2 -std=gnu++20 -o main main.cpp", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "./main"
    time_limit = 4
    "#);
}

#[test]
fn tools_whose_archive_was_unpacked_in_a_folder_of_that_name_are_found() {
    let shown = planned(&[
        ("main.py", ""),
        ("tools/tools/Cargo.toml", TOOLS),
        ("tools/tools/in/0000.txt", "1"),
        ("tools/tools/src/bin/vis.rs", MAIN),
    ]);
    let is_one = |line: &&str| {
        let words = ["tools ", "external", "vis ", "cases =", "build ="];
        words.iter().any(|word| line.starts_with(word))
    };
    let shown: Vec<&str> = shown.lines().filter(is_one).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    tools      tools/tools: vis
    external = "{command} < {case} > {out} && ./tools/tools/target/release/vis {case} {out}"
    vis = "./tools/tools/target/release/vis {case} {out}"
    cases = "tools/tools/in"
    build = ["cargo build --release --manifest-path tools/tools/Cargo.toml"]
    "#);
}

#[test]
fn python_with_tools_whose_vis_prints_the_score() {
    let shown = planned(&[
        ("main.py", ""),
        ("tools/Cargo.toml", TOOLS),
        ("tools/in/0000.txt", "1"),
        ("tools/in/0001.txt", "1"),
        ("tools/src/bin/gen.rs", MAIN),
        ("tools/src/bin/vis.rs", MAIN),
        ("tools/target/release/vis", ""),
    ]);
    insta::assert_snapshot!(shown, @r#"
    program    main.py, judged as: python3 main.py
    tools      tools: gen, vis
    tester     ./tools/target/release/vis prints the score of an output: not an interactive contest
    visualizer ./tools/target/release/vis
    cases      tools/in: 2 files
    objective  max, as in most contests; write objective = "min" if less is better
    time limit 4 s, a guess; set time_limit to that of the contest
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    objective = "max"
    name = "ahc999"
    vis = "./tools/target/release/vis {case} {out}"
    [batch]
    cases = "tools/in"
    build = ["cargo build --release --manifest-path tools/Cargo.toml"]
    command = "python3 main.py"
    time_limit = 4
    "#);
}

#[test]
fn a_workspace_has_one_folder_for_its_programs() {
    let workspace =
        "[workspace]\nmembers = [\"tools\", \"mine\", \"experiment\"]\nresolver = \"2\"\n";
    let shown = planned(&[
        ("Cargo.toml", workspace),
        (
            "experiment/Cargo.toml",
            "[package]\nname = \"e\"\nedition = \"2021\"\n",
        ),
        ("experiment/src/bin/best.rs", MAIN),
        ("mine/Cargo.toml", PACKAGE),
        ("mine/src/main.rs", MAIN),
        ("tools/Cargo.toml", TOOLS),
        ("tools/src/bin/tester.rs", MAIN),
    ]);
    insta::assert_snapshot!(shown, @r#"
    program    mine/src/main.rs, judged as: target/release/ahc999
               not chosen: experiment/src/bin/best.rs
               hint: for another one: tester init --force --command target/release/best
    tools      tools: tester
    tester     ./target/release/tester talks to the program: an interactive contest
    visualizer not found
    cases      not found: no tools/in/0000.txt
    objective  max, as in most contests; write objective = "min" if less is better
    time limit 4 s, a guess; set time_limit to that of the contest
    build      cargo build --release --manifest-path mine/Cargo.toml
               cargo build --release --manifest-path tools/Cargo.toml (the tools, once)
               hint: `tester batch` runs this before it judges
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "./target/release/tester {command} < {case} > {out}"
    objective = "max"
    name = "ahc999"
    [batch]
    cases = "tools/in"
    build = ["cargo build --release --manifest-path mine/Cargo.toml", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "target/release/ahc999"
    time_limit = 4
    "#);
}

#[test]
fn tools_that_cargo_does_not_accept_are_said_to_be_so() {
    let shown = planned(&[
        ("Cargo.toml", &format!("{PACKAGE}[workspace]\n")),
        ("src/main.rs", MAIN),
        ("tools/Cargo.toml", TOOLS),
        ("tools/src/bin/tester.rs", MAIN),
    ]);
    assert!(
        shown.contains("cargo does not accept tools/Cargo.toml: current package believes it's in a workspace when it's not:"),
        "{shown}"
    );
    let hint = "hint: to make it a package of its own: echo '[workspace]' >> tools/Cargo.toml";
    assert!(
        shown.contains(hint) && !shown.contains("this may be fixable"),
        "{shown}"
    );
    assert!(
        shown.contains("external = \"./tools/target/release/tester {command} "),
        "{shown}"
    );
    // With that line, Cargo knows where they are.
    let own = planned(&[
        ("Cargo.toml", &format!("{PACKAGE}[workspace]\n")),
        ("src/main.rs", MAIN),
        ("tools/Cargo.toml", &format!("{TOOLS}[workspace]\n")),
        ("tools/src/bin/tester.rs", MAIN),
    ]);
    assert!(!own.contains("does not accept"), "{own}");
    // One reason for all is said once.
    let shown = planned(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"tools\", \"gone\"]\n",
        ),
        ("tools/Cargo.toml", TOOLS),
        ("tools/src/bin/vis.rs", MAIN),
    ]);
    let refused = "cargo does not accept Cargo.toml, tools/Cargo.toml: failed to load manifest";
    assert_eq!(shown.matches("does not accept").count(), 1, "{shown}");
    assert!(shown.contains(refused), "{shown}");
}

#[test]
fn an_empty_folder_and_that_of_the_tools() {
    insta::assert_snapshot!(planned(&[("notes", "")]), @r#"
    program    not found: no Cargo package with a program, no source file such as main.cpp or main.py
               hint: write command = "./main" into tester.toml, and how it is built into build
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
    cases      not found: no tools/in/0000.txt
    objective  max, as in most contests; write objective = "min" if less is better
    time limit 4 s, a guess; set time_limit to that of the contest
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    objective = "max"
    name = "ahc999"
    [batch]
    cases = "tools/in"
    build = ["cargo build --release --manifest-path tools/Cargo.toml"]
    time_limit = 4
    "#);
    let tools = [
        ("Cargo.toml", TOOLS),
        ("src/bin/gen.rs", MAIN),
        ("src/bin/vis.rs", MAIN),
    ];
    insta::assert_snapshot!(planned(&tools), @"
    tester: this is the folder of the contest's tools; nothing was written
    hint: cd .. && tester init
    ");
}

#[test]
fn cases_of_a_built_in_problem_need_no_other_judge() {
    let files = [("main.py", ""), ("in/0000.txt", "hitblow 3 10\n8 2 5\n")];
    insta::assert_snapshot!(planned(&files), @r#"
    program    main.py, judged as: python3 main.py
    judge      tester itself: the cases are of hitblow 3 10, which is built in
    cases      in: 1 file
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    [batch]
    cases = "in"
    build = []
    command = "python3 main.py"
    "#);
    let dir = folder(&files);
    let top = dir.path().join("ahc999");
    assert_eq!(run_in(&top, &["init"], "").status, 0);
    fs::write(top.join("main.py"), "print(8, 2, 5)\n").unwrap();
    assert_eq!(run_in(&top, &["batch"], "").status, 0);
}

#[test]
fn what_is_typed_wins_and_a_file_is_not_replaced() {
    let files = [("main.cpp", ""), ("in/0000.txt", "1")];
    let typed = [
        "--interactive",
        "--objective",
        "min",
        "--name",
        "x \"y\"",
        "--time-limit",
        "2.5",
        "--command",
        "./a",
    ];
    insta::assert_snapshot!(planned_with(&files, &typed), @r#"
    program    ./a
    tools      not found: no tools/Cargo.toml with programs vis or tester
               hint: unpack the contest's local tools here, then: tester init --force
    tester     ./tools/target/release/tester talks to the program: an interactive contest
    cases      in: 1 file
    wrote tester.toml; look at it, then run: tester batch
    version = 1
    [judge]
    external = "./tools/target/release/tester {command} < {case} > {out}"
    objective = "min"
    name = 'x "y"'
    [batch]
    cases = "in"
    build = ["cargo build --release --manifest-path tools/Cargo.toml"]
    command = "./a"
    time_limit = 2.5
    "#);
    let again = [("tester.toml", "version = 1\n"), ("main.cpp", "")];
    let dir = folder(&again);
    let top = dir.path().join("ahc999");
    let refused = tester(&["init"]).current_dir(&top).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(refused.stderr).unwrap(), @"
    tester: tester.toml exists already; nothing was written
    hint: --force looks again and writes a new one with your settings; the old file stays as tester.toml.old
    ");
    assert_eq!(
        fs::read_to_string(top.join("tester.toml")).unwrap(),
        "version = 1\n"
    );
    // A folder below has the one above, until it has its own.
    fs::create_dir(top.join("src")).unwrap();
    let below = tester(&["init"])
        .current_dir(top.join("src"))
        .output()
        .unwrap();
    let said = String::from_utf8(below.stderr).unwrap();
    assert!(
        said.contains("ahc999/tester.toml is there too; from now on, this folder has its own file"),
        "{said}"
    );
    assert!(top.join("src/tester.toml").exists());
}

#[test]
fn a_batch_needs_nothing_but_init_where_vis_prints_the_score() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    script(dir.path(), "main", "cat");
    let release = dir.path().join("tools/target/release");
    fs::create_dir_all(&release).unwrap();
    std::os::unix::fs::symlink(built("scorer"), release.join("vis")).unwrap();
    let init = run_in(dir.path(), &["init"], "");
    assert_eq!(init.status, 0, "{init:?}");
    let shown = run_in(dir.path(), &["batch", "--json", "--vis-worst", "0"], "");
    let scores: Vec<_> = records(&shown).into_iter().map(|record| record.1).collect();
    assert_eq!(scores, [8, 9, 100].map(Some), "{shown:?}");
    // What is missing is said with the package that makes it.
    fs::remove_file(release.join("vis")).unwrap();
    fs::write(dir.path().join("tools/Cargo.toml"), TOOLS).unwrap();
    let shown = run_in(dir.path(), &["batch"], "");
    insta::assert_snapshot!(shown.stderr.lines().skip(1).collect::<Vec<_>>().join("\n"), @"
    tester: failed to start ./tools/target/release/vis: no such file
    hint: build it first: cargo build --release --manifest-path tools/Cargo.toml
    ");
}
