//! `tester init` beside the configuration of pahcer.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::common::run_in;

/// A contest that was begun with pahcer: less is better, and the score has another name.
fn folder(problem: &str) -> TempDir {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("tools")).unwrap();
    fs::write(dir.path().join("main.py"), "").unwrap();
    let config = format!("[general]\nversion = \"0.4.0\"\n\n[problem]\n{problem}\n");
    fs::write(dir.path().join("pahcer_config.toml"), config).unwrap();
    dir
}

/// The lines about scores: of what is said, and of the settings.
fn scores(dir: &Path, options: &[&str]) -> String {
    let shown = run_in(dir, &[&["init"], options].concat(), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = fs::read_to_string(dir.join("tester.toml")).unwrap();
    let lines = shown.stderr.lines().chain(text.lines());
    let lines = lines.filter(|line| line.starts_with("objective") || line.starts_with("score"));
    lines.collect::<Vec<_>>().join("\n")
}

const COST: &str = r"problem_name = 'ahc998'
objective = 'Min'
score_regex = '(?m)^Total Cost = (?P<score>\d+)$'";

#[test]
fn objective_and_score_are_taken_from_it_and_what_was_typed_or_set_before_wins() {
    let dir = folder(COST);
    insta::assert_snapshot!(scores(dir.path(), &[]), @r#"
    objective  min, as in pahcer_config.toml
    score      (?m)^Total Cost = (?P<score>\d+)$, as in pahcer_config.toml
    objective = "min"
    score_regex = '(?m)^Total Cost = (?P<score>\d+)$'
    "#);
    let settings = dir.path().join("tester.toml");
    let own = "version = 1\n[judge]\nobjective = \"max\"\nscore_regex = \"(?P<score>[0-9])\"\n";
    fs::write(&settings, own).unwrap();
    insta::assert_snapshot!(scores(dir.path(), &["--force"]), @r#"
    objective = "max"
    score_regex = "(?P<score>[0-9])"
    "#);
    fs::remove_file(settings).unwrap();
    let typed = scores(dir.path(), &["--objective", "max"]);
    assert!(
        typed.contains("objective = \"max\"") && !typed.contains("objective  "),
        "{typed}"
    );
}

#[test]
fn what_it_says_as_usual_or_not_at_all_changes_nothing() {
    for problem in [
        r"score_regex = '(?m)^\s*Score\s*=\s*(?P<score>\d+)\s*$'",
        "objective = 'Least'\nscore_regex = '(no group)'",
        "this is no TOML",
    ] {
        let dir = folder(problem);
        insta::allow_duplicates!(insta::assert_snapshot!(scores(dir.path(), &[]), @r#"
        objective  max, as in most contests; write objective = "min" if less is better
        objective = "max"
        "#));
    }
}

#[test]
fn an_expression_of_several_lines_is_said_in_one() {
    let dir = folder("score_regex = '''(?x)\nCost=\n(?P<score>[0-9]+)'''");
    let said = run_in(dir.path(), &["init"], "").stderr;
    let expected = r"score      (?x)\nCost=\n(?P<score>[0-9]+), as in pahcer_config.toml";
    assert!(said.lines().any(|line| line == expected), "{said}");
}

#[test]
fn its_seeds_choose_the_cases_if_more_are_there() {
    let dir = folder("objective = 'Max'\n[test]\nstart_seed = 1\nend_seed = 3");
    let cases = |options: &[&str]| {
        let shown = run_in(dir.path(), &[&["init"], options].concat(), "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let text = fs::read_to_string(dir.path().join("tester.toml")).unwrap();
        let said = shown.stderr.lines();
        let said = said.filter(|line| line.starts_with("cases ") || line.contains("judged: "));
        let lines = said.chain(text.lines().filter(|line| line.starts_with("cases =")));
        lines.collect::<Vec<_>>().join("\n")
    };
    fs::create_dir(dir.path().join("in")).unwrap();
    let case = |number: u32| {
        fs::write(dir.path().join(format!("in/{number:04}.txt")), "1\n").unwrap();
    };
    // Case 0002, the last one of pahcer, is not there yet.
    (0..2).for_each(case);
    insta::assert_snapshot!(cases(&[]), @r#"
    cases      in: 2 files
    cases = "in"
    "#);
    // What the file says stays.
    (2..4).for_each(case);
    insta::assert_snapshot!(cases(&["--force"]), @r#"
    cases      in: 4 files
    cases = "in"
    "#);
    fs::remove_file(dir.path().join("tester.toml")).unwrap();
    insta::assert_snapshot!(cases(&[]), @r#"
    cases      in: 4 files
               judged: 1..3, as in pahcer_config.toml
    cases = ["in", "1..3"]
    "#);
    // Those of a built-in problem are no files.
    let old = "version = 1\n[batch]\nseeds = \"0..9\"\n";
    fs::write(dir.path().join("tester.toml"), old).unwrap();
    insta::assert_snapshot!(cases(&["--force"]), @"cases      in: 4 files");
}

#[test]
fn steps_that_build_or_start_another_program_are_said() {
    let steps = |file: &str, steps: &str| {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join(file), "").unwrap();
        fs::write(dir.path().join("pahcer_config.toml"), steps).unwrap();
        let shown = run_in(dir.path(), &["init"], "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let lines = shown.stderr.lines().map(str::trim_start);
        let lines = lines.skip_while(|line| !line.starts_with("pahcer "));
        let lines = lines.take_while(|line| !line.starts_with("wrote "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let start = |words: &str| {
        format!(
            "[[test.test_steps]]\nprogram = './tools/target/release/tester'\nargs = [{words}]\n"
        )
    };
    let tools = "[[test.compile_steps]]\nprogram = 'cargo'\nargs = ['build', '--release']\n\
                 current_dir = './tools'\n";
    let build =
        |words: &str| format!("[[test.compile_steps]]\nprogram = 'g++'\nargs = [{words}]\n");
    // As `init` has them.
    let usual = build("'-O2', '-std=gnu++20', '-o', 'main', 'main.cpp'");
    assert_eq!(
        steps("main.cpp", &[&*usual, tools, &start("'./main'")].concat()),
        ""
    );
    assert_eq!(steps("main.py", &start("'python3', 'main.py'")), "");
    let other = build("'-O3', '-DLOCAL=a b', '-o', 'main.exe', 'main.cpp'");
    let moved = "[[test.compile_steps]]\nprogram = 'mv'\nargs = ['a', 'b']\n";
    let all = [&*other, moved, tools, &start("'./other.exe'")].concat();
    insta::assert_snapshot!(steps("main.cpp", &all), @r"
    pahcer     not taken over: g++ -O3 '-DLOCAL=a b' -o main.exe main.cpp
    not taken over: ./tools/target/release/tester ./other.exe
    hint: to build and start so, change build and command
    ");
    let below = "[[test.compile_steps]]\nprogram = 'make'\nargs = []\ncurrent_dir = './my sub'\n";
    insta::assert_snapshot!(steps("main.py", below), @r"
    pahcer     not taken over: (cd 'my sub' && make)
    hint: to build and start so, change build and command
    ");
}
