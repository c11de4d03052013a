//! Runs before other judges: resumed, configured by a file, held as a duel, compared with the best.

use std::path::Path;

use crate::common::{Shown, run_in, script, words, write_cases};
use crate::external::{built, external, here, lists, records, scored};

#[test]
fn a_run_is_resumed_with_its_judge_and_built_first() {
    let dir = tempfile::tempdir().unwrap();
    // Enough that some are left when the first has failed.
    write_cases(dir.path(), ["1"; 400]);
    let line = "test ! -e {case}.stop && echo Score = 5";
    let stop = dir.path().join("in/0000.txt.stop");
    std::fs::write(&stop, "").unwrap();
    let options = ["--fail-fast", "--jobs", "1", "--build", "touch built"];
    let shown = external(dir.path(), line, &options, &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(dir.path().join("built").exists());
    std::fs::remove_file(&stop).unwrap();
    let again = run_in(dir.path(), &["batch", "--resume", "--json"], "");
    let scores: Vec<_> = records(&again).into_iter().map(|record| record.1).collect();
    assert_eq!(scores.len(), 400, "{again:?}");
    assert!(scores[0].is_none() && scores[1..].iter().all(|score| *score == Some(5)));
}

#[test]
fn the_same_line_once_more_resumes_a_run_of_the_judge_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    script(dir.path(), "p", "exit 3");
    let line = "{command} < {case} > {out} && echo Score = 5";
    let file =
        format!("version = 1\n[judge]\nexternal = '{line}'\n[batch]\ncommand = './p'\njobs = 1\n");
    std::fs::write(dir.path().join("tester.toml"), file).unwrap();
    for words in [
        &["--cases", "0..3", "--", "./p"][..],
        &["--cases", "0..3"],
        &["--", "./p"],
        &[],
    ] {
        let begun = run_in(dir.path(), &[&["batch", "--fail-fast"], words].concat(), "");
        assert_eq!(begun.status, 1, "{begun:?}");
        assert!(
            begun.stderr.contains("1 of 3 cases are judged and kept"),
            "{begun:?}"
        );
        let resumed = run_in(
            dir.path(),
            &[&["batch", "--resume", "--json"], words].concat(),
            "",
        );
        assert_eq!(records(&resumed).len(), 3, "{words:?}: {resumed:?}");
    }
}

#[test]
fn runs_that_other_lines_or_testers_judged_are_compared_with_a_caution() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judge = script(dir.path(), "judge", "cat \"$1\"; echo Score = 5 >&2");
    let judged = |line: &str, program: &str| {
        let shown = external(dir.path(), line, &["--name", "x"], &[program]).stdout;
        let compared = run_in(dir.path(), &["compare"], "").stdout;
        let both = shown.lines().chain(compared.lines()).map(str::trim);
        let said = both.filter(|line| line.contains("were judged by"));
        said.collect::<Vec<_>>().join("\n")
    };
    let line = "./judge {case} && {command} < {case}";
    judged(line, "cat");
    assert_eq!(judged(line, "true"), "");
    std::fs::write(&judge, "#!/bin/sh\necho Score = 6 >&2\n").unwrap();
    insta::assert_snapshot!(judged(line, "cat"), @"
    caution: both runs were judged by the same line, but a file that it names has changed (the contest's tester)
    A and B were judged by the same line, but a file that it names has changed (the contest's tester)
    ");
    insta::assert_snapshot!(judged("./judge {case}; {command} < {case}", "cat"), @"
    caution: both runs were judged by different lines: `tester show` prints them
    A and B were judged by different lines: `tester show` prints them
    ");
}

#[test]
fn a_run_is_not_resumed_with_another_tester_of_the_contest() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["1"; 50]);
    script(
        dir.path(),
        "scorer",
        "test $1 != in/0000.txt && echo Score = 5",
    );
    let line = "./scorer {case}";
    let shown = external(dir.path(), line, &["--fail-fast", "--jobs", "1"], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    script(dir.path(), "scorer", "echo Score = 6");
    let changed = run_in(dir.path(), &["batch", "--resume"], "");
    assert_eq!(changed.status, 2);
    assert!(
        changed.stderr.contains(
            "failed to resume run 1: a file in \"./scorer {case}\" has changed since the run began\nhint: begin another"
        ),
        "{changed:?}"
    );
    script(
        dir.path(),
        "scorer",
        "test $1 != in/0000.txt && echo Score = 5",
    );
    let resumed = run_in(dir.path(), &["batch", "--resume", "--json"], "");
    assert_eq!(records(&resumed).len(), 50, "{resumed:?}");
}

/// `tester init`, then what a person would write into its file: the paths of this contest, and how to build.
fn configured(dir: &Path, init: &[&str], build: &str) {
    let shown = run_in(dir, init, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let file = dir.join("tester.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("./tools/target/release/vis", &built("scorer"));
    let text = text
        .replace("\"tools/in\"", "\"in\"")
        .replace("build = [", build);
    std::fs::write(&file, text).unwrap();
}

#[test]
fn a_configuration_file_holds_what_a_contest_needs_and_typed_options_win() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let all = here(script(dir.path(), "all", "cat"));
    let first = here(script(dir.path(), "first", "read a b; echo $a"));
    let init = [
        "init",
        "--name",
        "sums \"quoted\"",
        "--command",
        &all,
        "--time-limit",
        "1.5",
    ];
    configured(dir.path(), &init, "build = [\"touch built\"]\n# [");
    let scores = |shown: &Shown| records(shown).into_iter().map(|r| r.1).collect::<Vec<_>>();
    let shown = run_in(dir.path(), &["batch", "--json"], "");
    assert_eq!(scores(&shown), [8, 9, 100].map(Some), "{shown:?}");
    assert!(dir.path().join("built").exists());
    assert!(
        shown
            .stderr
            .starts_with("tester: tester.toml: --cases=in --time-limit=1.5"),
        "{shown:?}"
    );
    let show = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        show.contains("problem    sums \"quoted\"\n") && show.contains("limits     1.5 s"),
        "{show}"
    );
    // What is typed wins.
    let shown = run_in(
        dir.path(),
        &["batch", "--json", "--cases", "in/0001.txt", "--", &first],
        "",
    );
    assert_eq!(scores(&shown), [Some(2)], "{shown:?}");
    let shown = run_in(
        dir.path(),
        &["batch", "--objective", "min", "--time-limit", "3", "--json"],
        "",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    let show = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        show.contains("objective  min") && show.contains("limits     3 s"),
        "{show}"
    );
    // Without it, this judge looks at the files itself.
    let shown = run_in(dir.path(), &["batch", "--no-config", "--", &first], "");
    assert_eq!(shown.status, 2);
    assert!(
        shown
            .stderr
            .contains("in/0000.txt: line 1: expected a problem"),
        "{shown:?}"
    );
    assert!(
        run_in(dir.path(), &["batch", "--help"], "")
            .stdout
            .contains("--no-config")
    );
    let again = run_in(dir.path(), &["init"], "");
    assert_eq!(again.status, 2);
    assert!(
        again.stderr.contains("tester.toml exists already"),
        "{again:?}"
    );
}

#[test]
fn a_configuration_file_that_is_missing_or_misspelt_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tester.toml");
    std::fs::write(file, "version = 1\n[judge]\nexternel = \"x\"\n").unwrap();
    let shown = run_in(dir.path(), &["batch"], "");
    assert_eq!((shown.status, shown.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(shown.stderr, @r#"
    tester: failed to read tester.toml: TOML parse error at line 3, column 1
      |
    3 | externel = "x"
      | ^^^^^^^^
    unknown field `externel`, expected one of `external`, `interactor`, `contract`, `score_regex`, `score_scale`, `objective`, `measure`, `score_stream`, `zero_counts`, `name`, `parameters`, `vis`
    hint: did you mean `external`?
    "#);
    let other = run_in(dir.path(), &["batch", "--config", "none.toml"], "");
    assert!(
        other.stderr.contains("failed to read none.toml"),
        "{other:?}"
    );
}

#[test]
fn a_duel_is_held_before_another_judge_and_more_may_be_better() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(
        dir.path(),
        (0..60).map(|number| format!("{} {}", number % 7 + 1, number % 5 + 1)),
    );
    let first = here(script(dir.path(), "first", "read a b; echo $a"));
    let all = here(script(dir.path(), "all", "cat"));
    let line = scored();
    let args = [
        "duel",
        "--external",
        &line,
        "--objective",
        "max",
        "--max-difference",
        "20",
        &first,
        &all,
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.contains("B is better, after "), "{shown:?}");
    assert!(
        shown
            .stdout
            .contains("A better on 0, the same on 0, B better on "),
        "{shown:?}"
    );
    let shown = run_in(
        dir.path(),
        &["duel", "--external", &line, "--max-cases", "5", &all, &all],
        "",
    );
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(
        shown.stdout.contains("5 accepted from both, of 5 played"),
        "{shown:?}"
    );
    assert!(shown.stdout.contains("Not decided. "), "{shown:?}");
    assert_eq!(shown.stderr, "");
    let shown = run_in(dir.path(), &["duel", "--external", &line, &all, &all], "");
    let said = shown.stdout.replace('\n', " ");
    let no_more =
        "Not decided: all 60 case files are played. Both had the same score on every pair";
    assert!(said.contains(no_more), "{said}");
    // More pairs of equals would decide nothing.
    assert_eq!(shown.stderr, "");
    // The same from a file.
    configured(dir.path(), &["init", "--name", "sums"], "# build = [");
    let shown = run_in(
        dir.path(),
        &["duel", "--max-difference", "20", &all, &first],
        "",
    );
    assert!(shown.stdout.contains("A is better, after "), "{shown:?}");
    let refused = run_in(
        dir.path(),
        &["duel", "--no-config", "--cases", "in", &all, &first],
        "",
    );
    assert_eq!(refused.status, 2);
    assert!(
        refused
            .stderr
            .contains("hint: a case of a contest with its own tester: "),
        "{refused:?}"
    );
}

#[test]
fn an_undecided_duel_on_files_says_how_it_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), (0..60).map(|_| "5 1"));
    let first = here(script(dir.path(), "first", "read a b; echo $a"));
    let all = here(script(dir.path(), "all", "cat"));
    let line = scored();
    let hint = |most: &str| {
        let args = [
            "duel",
            "--external",
            &line,
            "--objective",
            "max",
            "--max-cases",
            most,
        ];
        let shown = run_in(dir.path(), &[&args, &[&*first, &*all][..]].concat(), "");
        assert_eq!(shown.status, 1, "{shown:?}");
        shown.stderr
    };
    assert_eq!(
        hint("60"),
        "hint: a duel with more case files goes on: make some with the contest's generator, or name others with --cases\n"
    );
    assert_eq!(
        hint("59"),
        "hint: a duel with a larger --max-cases than 59 goes on\n"
    );
}

#[test]
fn a_configuration_file_is_found_from_a_folder_below_it() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    lists(&top);
    let all = here(script(&top, "all", "cat"));
    configured(
        &top,
        &["init", "--command", &all],
        "build = [\"touch built\"]\n# [",
    );
    let file = std::fs::read_to_string(top.join("tester.toml")).unwrap();
    let file = file.replace("[judge]\n", "[judge]\nmeasure = \"log\"\n");
    std::fs::write(top.join("tester.toml"), file).unwrap();
    let below = top.join("sol/deep");
    std::fs::create_dir_all(&below).unwrap();
    let scores = |shown: &Shown| records(shown).into_iter().map(|r| r.1).collect::<Vec<_>>();
    let shown = run_in(&below, &["batch", "--json"], "");
    assert_eq!(scores(&shown), [8, 9, 100].map(Some), "{shown:?}");
    let first = format!(
        "tester: {} has tester.toml: paths and commands below are from there\ntester: tester.toml: --cases=in",
        top.display()
    );
    assert!(shown.stderr.starts_with(&first), "{shown:?}");
    assert!(top.join("built").exists() && top.join("out/runs/1").exists());
    // What is typed is from the folder where it is typed.
    script(&below, "mine", "read a b < $1; cat > /dev/null; echo $a");
    std::fs::write(below.join("other"), "7 7\n").unwrap();
    let typed = words("batch --json --cases ../../in/0001.txt --out o -- ./mine other");
    let shown = run_in(&below, &typed, "");
    assert_eq!(scores(&shown), [Some(7)], "{shown:?}");
    assert!(below.join("o/runs/2").exists());
    let Shown { stdout, stderr, .. } = run_in(&below, &["history"], "");
    assert!(
        stdout.contains("  sol/deep/mine sol/deep/other\n"),
        "{stdout}"
    );
    // The measure is that of the file above.
    assert!(stdout.contains("  mean log  "), "{stdout}");
    assert!(
        stderr.contains("tester: tester.toml: --by=log\n"),
        "{stderr}"
    );
    let report = run_in(&below, &["report", "1", "--to", "page.html"], "");
    assert!(
        report.status == 0 && below.join("page.html").exists(),
        "{report:?}"
    );
    let none = run_in(&below, &["batch", "--no-config", "--", "./mine"], "");
    assert!(
        none.stderr.contains("failed to read folder in:"),
        "{none:?}"
    );
}

#[test]
fn a_duel_whose_differences_are_very_unequal_ends_with_a_caution() {
    let dir = tempfile::tempdir().unwrap();
    let second = |number: usize| [4, 6][number % 2] + if number == 20 { 500 } else { 0 };
    write_cases(
        dir.path(),
        (0..40).map(|number| format!("5 {}", second(number))),
    );
    let first = here(script(dir.path(), "first", "read a b; echo $a"));
    let second = here(script(dir.path(), "second", "read a b; echo $b"));
    let line = scored();
    let conclusion = |more: &[&str]| {
        let args = [&["duel", "--external", &line], more, &[&first, &second]].concat();
        let shown = run_in(dir.path(), &args, "");
        assert_eq!(shown.status, 1, "{shown:?}");
        shown.stdout.replace('\n', " ")
    };
    let caution = "Caution: a few differences are much larger than the rest (the largest is 499, the mean \
                   size 13.4).";
    let alone = conclusion(&[]);
    assert!(alone.contains(caution), "{alone}");
    assert!(!alone.contains("--max-difference"), "{alone}");
    let wrong = conclusion(&["--max-difference", "100"]);
    let beyond =
        "A difference was 499, larger than --max-difference, which is ignored from there on.";
    assert!(wrong.contains(beyond) && wrong.contains(caution), "{wrong}");
    let known = conclusion(&["--max-difference", "499"]);
    assert!(!known.contains("Caution"), "{known}");
}

#[test]
fn best_scores_are_those_of_the_same_problem_and_objective() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let score = |score: u32, name: &str, objective: &str| {
        let line = format!("test -r {{case}}; echo Score = {score}");
        let shown = external(
            dir.path(),
            &line,
            &["--name", name, "--objective", objective],
            &[],
        );
        assert_eq!(shown.status, 0);
        run_in(dir.path(), &["show"], "").stdout
    };
    score(5, "x", "max");
    assert!(score(100, "x", "min").contains("relative   100.00"));
    assert!(score(1, "y", "min").contains("relative   100.00"));
    assert!(score(200, "x", "min").contains("relative   50.00"));
    let best = run_in(dir.path(), &["compare", "best"], "").stdout;
    assert!(best.starts_with("A          run 2  "), "{best}");
}
