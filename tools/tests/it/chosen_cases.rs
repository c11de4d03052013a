//! Which cases a batch judges: numbers, lists, a pattern that the shell has expanded, the worst, failed and held-out ones.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::common::{counter, late, run_in, script, write_cases};
use tempfile::{TempDir, tempdir};

/// Cases 0 to 9 of `hitblow 1 10`: the secret of case N is N. `./c` needs one turn more than the secret.
pub(crate) fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    write_cases(
        dir.path(),
        (0..10).map(|id| format!("hitblow 1 10\n{id}\n")),
    );
    counter(dir.path(), "c", "");
    dir
}

/// The numbers of the cases that a batch with these words judges.
pub(crate) fn judged(dir: &Path, words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let program = if words.contains(&"--") {
        &[][..]
    } else {
        &["--", "./c"]
    };
    let shown = run_in(
        dir,
        &[&["batch", "--csv"], &words[..], program].concat(),
        "",
    );
    assert!(shown.status < 2, "{words:?}: {shown:?}");
    let cases = shown
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap());
    cases.collect::<Vec<_>>().join(" ")
}

pub(crate) fn refused(dir: &Path, words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let shown = run_in(dir, &[&["batch"], &words[..], &["--", "./c"]].concat(), "");
    assert_eq!(shown.status, 2, "{shown:?}");
    shown.stderr
}

#[test]
fn cases_are_ranges_lists_files_of_numbers_and_what_the_shell_expanded() {
    let dir = folder();
    fs::write(dir.path().join("hard"), "7\n2..4\n").unwrap();
    for (words, cases) in [
        ("--cases 0..3", "0 1 2"),
        ("--cases 5,7,9", "5 7 9"),
        ("--cases 8..=9 --cases in --cases 1", "1 8 9"),
        ("--cases hard", "2 3 7"),
        ("--cases in/000[12].txt --cases 7", "1 2 7"),
        ("--cases in/0003.txt in/0001.txt in/0008.txt", "1 3 8"),
        (
            "--cases in/0003.txt in/0001.txt in/0008.txt -- ./c",
            "1 3 8",
        ),
    ] {
        assert_eq!(judged(dir.path(), words), cases, "{words}");
    }
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.contains("\nof         cases 1,3,8 of folder in\n"),
        "{shown}"
    );
    assert!(shown.contains("  tester -- ./c < in/0008.txt\n"), "{shown}");
    fs::write(dir.path().join("odd"), "7\nseven\n").unwrap();
    insta::assert_snapshot!(refused(dir.path(), "--cases 8..13"), @"
    tester: case 0010 is not in folder in, nor are 2 others
    hint: 10 cases are there, from 0000 to 0009; a contest's own `gen` makes more from a longer list of seeds, `tester gen --seeds 0..1000` those of our problems; for another folder: --cases FOLDER --cases 0..100; its files are called 0000.txt, 0001.txt, …
    ");
    insta::assert_snapshot!(refused(dir.path(), "--cases 1..x"), @r#"
    tester: expected numbers of cases such as 0..100 or 5,7,100, found "1..x"
    hint: a folder with such a name is typed as ./NAME
    "#);
    insta::assert_snapshot!(refused(dir.path(), "--cases odd"), @r#"
    tester: failed to read the numbers of cases in odd: line 2: expected numbers of cases such as 7 or 0..100, found "seven"
    hint: a case file is called 0000.txt, 0001.txt, …; any other file after --cases lists numbers
    "#);
}

#[test]
fn the_worst_and_the_failed_cases_of_a_run_are_judged_again() {
    let dir = folder();
    assert_eq!(
        judged(dir.path(), "--cases in --turn-limit 8"),
        "0 1 2 3 4 5 6 7 8 9"
    );
    assert_eq!(judged(dir.path(), "--failed"), "8 9");
    assert_eq!(judged(dir.path(), "--worst 3 --of 1"), "5 6 7");
    assert_eq!(judged(dir.path(), "--worst 2 --failed --of 1"), "6 7 8 9");
    // A run of seeds, of which another run was better on some.
    let seeds = "--seeds 100..120 --problem";
    let all = |program: &str| {
        let words = [
            "batch",
            "--csv",
            "--seeds",
            "100..120",
            "--problem",
            "hitblow 1 10",
            "--",
            program,
        ];
        run_in(dir.path(), &words, "").stdout
    };
    let first = all("./c");
    let down = "read -r game; g=9; while :; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g - 1)); done";
    script(dir.path(), "down", down);
    all("./down");
    let score = |line: &str| line.split(',').nth(3).unwrap().parse::<i64>().unwrap();
    let mut lost: Vec<(i64, &str)> = (first.lines().skip(1))
        .map(|line| {
            (
                score(line) - score(line).min(11 - score(line)),
                line.split(',').next().unwrap(),
            )
        })
        .collect();
    lost.sort_by_key(|(loss, case)| (-loss, *case));
    let mut worst: Vec<&str> = lost.iter().take(2).map(|(_, case)| *case).collect();
    worst.sort();
    assert_eq!(
        judged(dir.path(), "--worst 2 --of 5"),
        worst.join(" "),
        "{seeds}: {first}"
    );
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.contains(" of seeds 100..120 of hitblow 1 10\n"),
        "{shown}"
    );
    insta::assert_snapshot!(refused(dir.path(), "--failed"), @"
    tester: run 7 has no failed case to judge again
    hint: --of RUN names another run
    ");
    insta::assert_snapshot!(refused(dir.path(), "--worst 0").lines().next().unwrap(), @"tester: invalid value '0' for '--worst <N>': expected a number of cases, at least 1");
    insta::assert_snapshot!(refused(dir.path(), "--of 2").lines().nth(1).unwrap(), @"  <--worst <N>|--failed>");
    insta::assert_snapshot!(refused(dir.path(), "--worst 2 --of 1 --external {command}{case}"), @"
    tester: expected the judge of run 1, a built-in problem, found another judge's line
    hint: --config FILE and --no-config choose the judge
    ");
}

/// Writes these keys for batches into the file of the folder.
pub(crate) fn configure(dir: &Path, keys: &str) {
    let file = format!("version = 1\n[batch]\n{keys}\n");
    fs::write(dir.join("tester.toml"), file).unwrap();
}

#[test]
fn seeds_are_named_and_held_out_by_the_file_in_duels_too() {
    let dir = folder();
    let file = |keys: &str| configure(dir.path(), keys);
    file("seeds = \"0..5\"\nheld_out = \"5..8\"");
    // It solves none of these games.
    let played = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["duel", "./c", "./c"], words].concat(), "");
        assert_eq!(shown.status, 1, "{shown:?}");
        let shown = run_in(dir.path(), &["show"], "").stdout;
        let row = shown.lines().find(|line| line.starts_with("of ")).unwrap();
        row.to_owned()
    };
    insta::assert_snapshot!(played(&["--turn-limit", "9"]), @"of         seeds 0..5 of hitblow 3 10");
    insta::assert_snapshot!(played(&["--turn-limit", "9", "--seeds", "2..4"]), @"of         seeds 2..4 of hitblow 3 10");
    // A list holds seeds out as well, whatever lies in `in/`.
    file("seeds = \"0..5\"\nheld_out = [\"10..12\", \"20,22\"]");
    assert_eq!(
        judged(dir.path(), "--held-out --turn-limit 9"),
        "10 11 20 22"
    );
    insta::assert_snapshot!(played(&["--turn-limit", "9", "--held-out", "--max-cases", "3"]), @"of         cases 10..12,20 of seeds 10..21 of hitblow 3 10");
    file("seeds = \"0..5\"\nheld_out = [\"10..12\", \"given\"]");
    insta::assert_snapshot!(refused(dir.path(), "--held-out"), @r#"tester: held_out in tester.toml is of seeds, as the file has seeds: expected numbers of cases such as 0..100 or 5,7,100, found "given""#);
    // A problem that is typed is of seeds, and the case files of the file have one of their own.
    file("cases = [\"in\", \"0..6\"]");
    insta::assert_snapshot!(played(&["--problem", "hitblow 2 4", "--turn-limit", "1", "--max-cases", "3"]), @"of         seeds 0..3 of hitblow 2 4");
}

#[test]
fn a_duel_plays_the_case_files_of_a_built_in_problem() {
    let dir = folder();
    late(dir.path());
    let duel = |words: &[&str]| {
        let shown = run_in(
            dir.path(),
            &[&["duel", "./c", "./late 1"], words].concat(),
            "",
        );
        assert_eq!(shown.status, 1, "{shown:?}");
        let source = run_in(dir.path(), &["show"], "").stdout;
        let row = source.lines().find(|line| line.starts_with("of "));
        let hint = shown.stderr.lines().filter(|line| line.starts_with("hint"));
        let hint: String = hint.collect();
        format!("{}\n{hint}", row.unwrap())
    };
    insta::assert_snapshot!(duel(&["--cases", "1..4"]), @"
    of         cases 1..4 of folder in
    hint: a duel with more case files goes on: make some with `tester gen`, or name others with --cases
    ");
    configure(dir.path(), "cases = \"in\"\nheld_out = \"6..10\"");
    insta::assert_snapshot!(duel(&[]), @"
    of         cases 0..6 of folder in
    hint: a duel with more case files goes on: make some with `tester gen`, or name others with --cases
    ");
    insta::assert_snapshot!(duel(&["--held-out"]), @"
    of         cases 6..10 of folder in
    hint: a duel with more held-out cases goes on (held_out in tester.toml)
    ");
    insta::assert_snapshot!(duel(&["--max-cases", "2"]), @"
    of         cases 0..6 of folder in
    hint: a duel with a larger --max-cases than 2 goes on
    ");
}

#[test]
fn cases_are_held_out_by_the_file() {
    let dir = folder();
    let file = |keys: &str| configure(dir.path(), keys);
    file("cases = \"0..6\"\nheld_out = \"6..10\"");
    assert_eq!(judged(dir.path(), "--jobs 1"), "0 1 2 3 4 5");
    assert_eq!(judged(dir.path(), "--held-out"), "6 7 8 9");
    fs::rename(dir.path().join("in"), dir.path().join("given")).unwrap();
    file("cases = [\"given\", \"0..6\"]\nheld_out = \"6..=9\"");
    assert_eq!(judged(dir.path(), "--jobs 1"), "0 1 2 3 4 5");
    assert_eq!(judged(dir.path(), "--held-out"), "6 7 8 9");
    // Numbers that you type are of the folder that the file names.
    assert_eq!(judged(dir.path(), "--cases 4,8"), "4 8");
    // It solves none of these games.
    file("seeds = \"0..5\"\nheld_out = \"5..8\"");
    assert_eq!(judged(dir.path(), "--held-out --turn-limit 9"), "5 6 7");
    let duel = || {
        let words = "duel ./c ./c --held-out --turn-limit 9";
        let words: Vec<&str> = words.split(' ').collect();
        let shown = run_in(dir.path(), &words, "");
        assert_eq!(shown.status, 1, "{shown:?}");
        let shown = run_in(dir.path(), &["show"], "").stdout;
        let row = shown.lines().find(|line| line.starts_with("of "));
        row.unwrap().to_owned()
    };
    insta::assert_snapshot!(duel(), @"of         seeds 5..8 of hitblow 3 10");
    // It would print without end.
    let line = "external = \"{command} < {case} | head -n 1 > {out}; echo Score = 5\"";
    file(&format!(
        "cases = [\"given\", \"0..6\"]\nheld_out = \"6..=9\"\n[judge]\n{line}"
    ));
    insta::assert_snapshot!(duel(), @"of         cases 6..10 of folder given");
    file("seeds = \"0..5\"\nheld_out = \"4..8\"");
    insta::assert_snapshot!(refused(dir.path(), "--held-out"), @r#"
    tester: failed to read tester.toml: expected other cases in held_out than in cases or seeds, found 4 in both
    hint: what is tuned on cases must be judged on others, such as cases = "0..1000" and held_out = "1000..2000"
    "#);
    file("seeds = \"0..5\"");
    insta::assert_snapshot!(refused(dir.path(), "--held-out"), @r#"
    tester: expected held_out in [batch] of tester.toml, found none
    hint: for example cases = "0..1000" and held_out = "1000..2000"
    "#);
    file("cases = 7");
    insta::assert_snapshot!(refused(dir.path(), "--held-out"), @r#"
    tester: failed to read tester.toml: TOML parse error at line 3, column 9
      |
    3 | cases = 7
      |         ^
    expected a text such as "tools/in" or "0..1000", or a list of such texts
    "#);
    fs::remove_file(dir.path().join("tester.toml")).unwrap();
    insta::assert_snapshot!(refused(dir.path(), "--held-out"), @r#"
    tester: --held-out cannot be used without tester.toml
    hint: held_out = "1000..2000" in [batch] names the cases
    "#);
}

#[test]
fn a_winner_that_its_cases_have_chosen_is_to_be_judged_on_others() {
    let dir = tempdir().unwrap();
    late(dir.path());
    let judge = |waste: &str, more: &[&str]| {
        let seeds = ["batch", "--seeds", "0..24", "--problem", "hitblow 1 10"];
        let shown = run_in(
            dir.path(),
            &[&seeds, more, &["--", "./late", waste]].concat(),
            "",
        );
        assert_eq!(shown.status, 0, "{shown:?}");
    };
    let conclusion = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["compare"], words].concat(), "").stdout;
        let from = shown
            .find("A is better than B")
            .unwrap_or_else(|| panic!("{shown}"));
        let shown = shown[from..].split("cases that changed").next();
        shown.unwrap().to_owned()
    };
    // Four programs, one of them twice.
    for waste in ["0", "1", "2", "4", "4"] {
        judge(waste, &[]);
    }
    assert!(!conclusion(&["1", "4"]).contains("Judge both"));
    judge("5", &[]);
    insta::assert_snapshot!(conclusion(&["1", "4"]), @r#"
    A is better than B on cases like these. If both were equally good, a difference this large would
    occur in fewer than 2 of 1000 comparisons. The true advantage may be anywhere in the interval, and
    may differ on other kinds of cases. If you compare many variants, or look again after every few
    cases, one in twenty will look better by chance; `tester duel` avoids this.
    5 programs were judged on these cases: the winner was chosen by the cases on which it is judged
    here, so part of its advantage may be chance. Judge both on other cases:
      tester batch --seeds 24..48 --problem 'hitblow 1 10' -- ./late 0
      tester batch --seeds 24..48 --problem 'hitblow 1 10' -- ./late 4
    hint: seeds = "0..24" and held_out = "24..48" in [batch] of tester.toml keep such cases apart
    "#);
    // Each printed command calls the tester as it was called.
    let called = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
        .arg0("tools/tester")
        .args(["compare", "1", "4"])
        .current_dir(dir.path())
        .output();
    let said = String::from_utf8(called.unwrap().stdout).unwrap();
    for command in ["  tools/tester batch --seeds 24..48", "`tools/tester duel`"] {
        assert!(said.contains(command), "{said}");
    }
    let file = "version = 1\n[batch]\nseeds = \"0..24\"\nheld_out = \"24..48\"\n";
    fs::write(dir.path().join("tester.toml"), file).unwrap();
    let held_out = conclusion(&["1", "4"]);
    assert!(held_out.ends_with("-- ./late 4\n"), "{held_out}");
    // Other cases, and a trial of a tune.
    let trial = ["--seeds", "50..75", "--tag", "tune-20261122-1-3"];
    judge("0", &trial);
    judge("5", &trial[..2]);
    assert!(conclusion(&["7", "8"]).contains("One of them is a trial of a tune on these cases: "));
}

#[test]
fn a_folder_of_the_file_that_is_missing_is_not_replaced_by_the_usual_one() {
    let dir = folder();
    fs::write(
        dir.path().join("tester.toml"),
        "version = 1\n[batch]\ncases = \"inn\"\n",
    )
    .unwrap();
    let shown = refused(dir.path(), "--cases 0..2");
    assert!(
        shown.contains("tester: failed to read folder inn: "),
        "{shown}"
    );
}

#[test]
fn several_ranges_of_seeds_are_judged_together() {
    let dir = folder();
    assert_eq!(judged(dir.path(), "--seeds 0..2 --seeds 3..5"), "0 1 3 4");
}

#[test]
fn files_with_other_names_are_not_judged_and_the_user_hears_of_it() {
    let dir = folder();
    for name in ["0003.TXT", "00004.txt", "2.txt", "case 1.txt", "seeds.txt"] {
        fs::write(dir.path().join("in").join(name), "").unwrap();
    }
    let shown = run_in(dir.path(), &["batch", "--", "./c"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let caution = "caution: not judged: in/00004.txt, in/0003.TXT, in/2.txt and 1 more; case files are called 0000.txt, \
                   0001.txt, …\n";
    assert_eq!(shown.stderr, caution);
}

#[test]
fn cases_that_are_not_there_are_named_with_those_that_are() {
    let dir = folder();
    insta::assert_snapshot!(refused(dir.path(), "--cases 5..100"), @"
    tester: case 0010 is not in folder in, nor are 89 others
    hint: 10 cases are there, from 0000 to 0009; a contest's own `gen` makes more from a longer list of seeds, `tester gen --seeds 0..1000` those of our problems; for another folder: --cases FOLDER --cases 0..100; its files are called 0000.txt, 0001.txt, …
    ");
    insta::assert_snapshot!(refused(dir.path(), "--cases 0-5"), @r#"
    tester: expected numbers of cases such as 0..100 or 5,7,100, found "0-5"; do you mean 0..=5?
    hint: a folder with such a name is typed as ./NAME
    "#);
}

#[test]
fn what_is_held_out_of_a_whole_folder_is_not_judged_with_it() {
    let dir = folder();
    let file = |keys: &str| {
        let text = format!("version = 1\n[batch]\n{keys}\n");
        fs::write(dir.path().join("tester.toml"), text).unwrap();
    };
    file("cases = \"in\"\nheld_out = \"6..8\"");
    assert_eq!(judged(dir.path(), "--jobs 1"), "0 1 2 3 4 5 8 9");
    assert_eq!(judged(dir.path(), "--held-out"), "6 7");
    file("cases = \"in\"\nheld_out = \"0..10\"");
    insta::assert_snapshot!(refused(dir.path(), "--jobs 1"), @"
    tester: tester.toml: --cases=in
    tester: every case of folder in is held out (0..10)
    hint: held_out in tester.toml is for some of the cases
    ");
    file("cases = [\"in\", \"0..7\"]\nheld_out = \"6..8\"");
    assert!(refused(dir.path(), "--jobs 1").contains("found 6 in both"));
    // It would print without end.
    let line = "external = \"{command} < {case} | head -n 1 > {out}; echo Score = 5\"";
    file(&format!(
        "cases = \"in\"\nheld_out = \"6..8\"\n[judge]\n{line}"
    ));
    assert_eq!(run_in(dir.path(), &["duel", "./c", "./c"], "").status, 1);
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.contains("\nof         cases 0..6,8..10 of folder in\n"),
        "{shown}"
    );
}

#[test]
fn some_cases_of_a_run_are_compared_with_it_unless_their_files_have_changed() {
    let dir = folder();
    let against = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["batch"], words].concat(), "");
        let (_, text) = shown.stdout.split_once("\nagainst").unwrap_or_default();
        text.trim().to_owned()
    };
    assert_eq!(against(&["./c"]), "");
    let down =
        "read -r game; for g in 9 8 7; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit; done";
    script(dir.path(), "down", down);
    insta::assert_snapshot!(against(&["--worst", "3", "./down"]), @"
    run 1: -7.0000 ± 4.9683; better on 3 cases, the same on 0, worse on 0
               these are 3 of its 10 cases; if they were its worst, some are better by chance
               run 1 is of another command: ./c
               tester compare 1
    ");
    insta::assert_snapshot!(against(&["--cases", "5,9", "./down"]), @"
    run 1: -9.0000; better on 1 case, the same on 0, worse on 0
               these are 2 of its 10 cases; if they were its worst, some are better by chance
               failed now, not in run 1: 1 (0005)
               run 1 is of another command: ./c
               tester compare 1
    ");
    fs::write(dir.path().join("in/0009.txt"), "hitblow 1 10\n8\n").unwrap();
    assert_eq!(against(&["--cases", "8,9", "./down"]), "");
}
