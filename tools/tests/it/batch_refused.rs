//! `tester batch` through the real binary: what it refuses before anything runs.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::common::{CASE, counter, run, run_in, script, words, write_cases};
use tempfile::tempdir;

#[test]
fn batch_refuses_before_anything_runs_or_is_written() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["batch"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("out").exists(), "something was written");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["--", "echo"]), @"
    tester: no case in folder in: expected files named 0000.txt, 0001.txt, …
    hint: `tester gen --seeds 0..100 --dir in` makes cases of our problems; another contest's own `gen` makes its cases: `tester init` writes the line into tester.toml; --cases names their folder
    ");
    // A file that is not to be read changes nothing.
    let without_file = refused(&["--", "echo"]);
    let settings = "version = 1\n[judge]\nexternal = \"./t {command} < {case}\"\n";
    fs::write(dir.path().join("tester.toml"), settings).unwrap();
    assert_eq!(refused(&["--no-config", "--", "echo"]), without_file);
    // What makes cases of our problems is no help to another judge.
    let of_another = refused(&["--no-build", "--", "echo"]);
    insta::assert_snapshot!(of_another.split_once('\n').unwrap().1, @"
    tester: no case in folder in: expected files named 0000.txt, 0001.txt, …
    hint: the contest's own `gen` makes its cases; `tester init` writes the line into tester.toml, above `cases`; --cases names another folder
    ");
    fs::write(dir.path().join("in/0000.txt"), "5\n").unwrap();
    let of_another = refused(&["--cases", "3..5", "--", "echo"]);
    insta::assert_snapshot!(of_another.split_once('\n').unwrap().1, @"
    tester: case 0003 is not in folder in, nor is 1 other
    hint: only case 0000 is there; the contest's own `gen` makes more from a longer list of seeds; for another folder: --cases FOLDER --cases 0..100; its files are called 0000.txt, 0001.txt, …
    ");
    // Nor where some of them are held out, which is looked at first.
    let held_out = "[batch]\ncases = \"none\"\nheld_out = \"5..9\"\n";
    let [settings, held_out] = [settings.to_owned(), settings.to_owned() + held_out];
    fs::write(dir.path().join("tester.toml"), held_out).unwrap();
    for command in [&["batch", "--", "echo"][..], &["duel", "echo", "cat"]] {
        let shown = run_in(dir.path(), command, "");
        let hint = "; the contest's own `gen` makes its cases; ";
        assert!(shown.stderr.contains(hint), "{shown:?}");
    }
    fs::write(dir.path().join("tester.toml"), settings).unwrap();
    fs::remove_file(dir.path().join("tester.toml")).unwrap();
    insta::assert_snapshot!(refused(&["--cases", "hard", "--", "echo"]), @"
    tester: failed to read folder hard: No such file or directory (os error 2)
    hint: --cases takes a folder of cases, a file that lists their numbers, or numbers such as 0..100; `tester gen --seeds 0..100 --dir hard` makes cases of our problems; another contest's own `gen` makes its cases: `tester init` writes the line into tester.toml; --cases names their folder
    ");
    fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    assert!(refused(&["--", "./none"]).contains("failed to start ./none: no such file"));
    fs::write(dir.path().join("in/0001.txt"), "hitblow 3\n").unwrap();
    assert!(
        refused(&["--", "echo", "8 2 5"]).contains("in/0001.txt: line 1: expected hitblow P K")
    );
    assert!(refused(&["--jobs", "0", "--", "echo"]).contains("--jobs"));
    assert!(refused(&[]).contains("PROGRAM"));
    assert!(refused(&[]).contains("in a contest's folder, `tester init` writes that file"));
}

#[test]
fn batch_does_not_write_over_its_cases() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    std::os::unix::fs::symlink("in", dir.path().join("link")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    // A pattern without a folder in it as well.
    let args = [
        "batch", "--cases", "0*.txt", "--out", ".", "--", "echo", "8 2 5",
    ];
    let shown = run_in(&dir.path().join("in"), &args, "");
    assert!(
        shown.stderr.contains("outputs and cases are in one folder"),
        "{shown:?}"
    );
    for out in ["in", "./in/", "link"] {
        let shown = run_in(
            dir.path(),
            &["batch", "--out", out, "--", "echo", "8 2 5"],
            "",
        );
        assert_eq!(shown.status, 2);
        assert!(
            shown.stderr.contains("outputs and cases are in one folder"),
            "{shown:?}"
        );
        assert_eq!(
            fs::read_to_string(dir.path().join("in/0000.txt")).unwrap(),
            CASE
        );
    }
    assert!(!dir.path().join("out").exists());
}

#[test]
fn batch_into_an_unwritable_folder_says_so() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    fs::write(dir.path().join("out"), "a file").unwrap();
    let shown = run_in(dir.path(), &["batch", "--", "echo", "8 2 5"], "");
    assert_eq!(shown.status, 2);
    assert!(shown.stderr.contains("failed to write out: "), "{shown:?}");
    assert!(run(&["batch", "--", "echo"], "").status == 2);
}

#[test]
fn a_folder_that_may_not_be_written_is_found_out_before_anything_runs() {
    let dir = tempdir().unwrap();
    script(dir.path(), "c", "touch ran");
    // Even root may not make a file there.
    let args = words("batch --seeds 0..2 --out /proc/self -- ./c");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 2);
    assert!(
        shown
            .stderr
            .contains("failed to write /proc/self/0000.txt: "),
        "{shown:?}"
    );
    assert!(!dir.path().join("ran").exists());
}

#[test]
fn cases_that_are_named_wrongly_are_refused() {
    let dir = tempdir().unwrap();
    let refused = |args: &[&str]| {
        let shown = run_in(
            dir.path(),
            &[&["batch"], args, &["--", "true"]].concat(),
            "",
        );
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("out").exists(), "something was written");
        shown.stderr
    };
    assert!(refused(&["--seeds", "5..5"]).contains("expected at least one seed"));
    assert!(refused(&["--seeds", "5.."]).contains("such as 0..100"));
    assert!(refused(&["--seeds", "0..3", "--cases", "in"]).contains("cannot be used with"));
    assert!(refused(&["--problem", "hitblow 3 9"]).contains("--seeds"));
    assert!(refused(&["--json", "--csv", "--seeds", "0..2"]).contains("cannot be used with"));
    insta::assert_snapshot!(refused(&["--seeds", "0..3", "--problem", "hitblow 9 3"]), @r#"
    tester: failed to understand --problem: expected hitblow P K with 1 <= P <= 10 and P <= K <= 64, found "hitblow 9 3"
    hint: `tester problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(refused(&["--all-secrets", "--problem", "hitblow 10 64"]), @"
    tester: too many cases: all secrets of hitblow 10 64; expected at most 10000000 at once
    hint: judge a sample instead, such as --seeds 0..1000
    ");
    insta::assert_snapshot!(refused(&["--seeds", "0..3", "--tag", "17"]), @r#"
    tester: invalid value '17' for '--tag <T>': a number, "last" and "best" name runs already

    For more information, try '--help'.
    "#);
}

#[test]
fn what_needs_no_build_to_be_refused_is_refused_before_it() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    fs::write(dir.path().join("main.cpp"), "int main() {}").unwrap();
    let refused = |args: &[&str]| {
        let build = [args[0], "--build", "echo built > built"];
        let shown = run_in(dir.path(), &[&build, &args[1..]].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("built").exists(), "{args:?}: {shown:?}");
        shown.stderr
    };
    let line = ["--external", "cat {case}; {command} < {case}"];
    let options = |rest: &[&'static str]| [&["batch"], &line[..], rest].concat();
    insta::assert_snapshot!(refused(&options(&["--seeds", "0..3", "--", "cat"])), @"
    tester: --seeds cannot be used with --external
    hint: cases of another judge have numbers, such as --cases 0..100; --seeds is for this judge's own problems; --no-config ignores tester.toml, which may name another judge
    ");
    insta::assert_snapshot!(refused(&options(&["--", "main.cpp"])), @"
    tester: failed to start main.cpp: it is a source file in C++, not a program
    hint: compile it: g++ -O2 -std=gnu++20 -o main main.cpp; the program is then ./main
    ");
    assert!(refused(&["batch", "--", "./main.cpp"]).contains("it is a source file in C++"));
    assert!(
        refused(&["batch", "--shard", "1/2", "--", "cat"]).contains("without --to FILE or --json")
    );
    let duel = [&["duel"], &line[..], &["--seeds", "0..3", "cat", "true"]].concat();
    insta::assert_snapshot!(refused(&duel), @"
    tester: --seeds cannot be used with --external
    hint: cases of another judge have numbers, such as --cases 0..100; --seeds is for this judge's own problems; --no-config ignores tester.toml, which may name another judge
    ");
    assert!(refused(&["duel", "cat", "main.cpp"]).contains("it is a source file in C++"));
    assert!(refused(&["batch", "--", "pypy3.0", "main.py"]).contains("no program of that name"));
}

#[test]
fn cases_that_are_typed_as_a_program_are_refused_with_the_option_for_them() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    let refused = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["batch", "--tag", "t"], words].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["0..3"]), @"
    tester: expected a program, found numbers of cases: 0..3
    hint: cases come after --cases: tester batch --cases 0..3
    ");
    insta::assert_snapshot!(refused(&["in", "./c", "a b"]), @"
    tester: expected a program, found a folder: in
    hint: cases come after --cases: tester batch --cases in -- ./c 'a b'
    ");
    insta::assert_snapshot!(refused(&["in/0000.txt"]), @"
    tester: expected a program, found a case file: in/0000.txt
    hint: cases come after --cases: tester batch --cases in/0000.txt
    ");
    // A program in PATH is one, whatever is here.
    fs::create_dir(dir.path().join("cat")).unwrap();
    let shown = run_in(dir.path(), &["batch", "--", "cat"], "");
    assert_eq!(shown.status, 1, "{shown:?}");
}

#[test]
fn what_compiling_cannot_mend_is_refused_before_it_and_after_other_lines() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    fs::write(dir.path().join("a.sh"), "#!/bin/sh\necho 1\n").unwrap();
    let batch = |args: &[&'static str]| [&["batch"], args].concat();
    for (args, expected) in [
        (batch(&["--", "./a.sh"]), "chmod +x ./a.sh"),
        (batch(&["--", "sh", "b.sh"]), "no such file: b.sh"),
        (batch(&["--cases", "0..3", "--", "cat"]), "case 0001 is not"),
        (batch(&["--cases", "none", "--", "cat"]), "folder none"),
        (vec!["duel", "cat", "./a.sh"], "chmod +x ./a.sh"),
    ] {
        let refused = |line: &str| {
            let words = [&[args[0], "--build", line], &args[1..]].concat();
            let shown = run_in(dir.path(), &words, "");
            assert_eq!(shown.status, 2, "{shown:?}");
            assert!(shown.stderr.contains(expected), "{args:?}: {shown:?}");
            shown.stderr.contains(&format!("tester: {line}\n"))
        };
        // Both lines do nothing here.
        let (compiler, other) = ("gcc --version && gcc --version", "true");
        assert_eq!((refused(compiler), refused(other)), (false, true));
    }
    // A program and a folder of cases that are made by build lines.
    let (make, folder) = ("printf '#!/bin/sh\\n' > p && chmod +x p", "cp -r in made");
    let options = ["batch", "--no-config", "--build", make, "--build", folder];
    let shown = run_in(
        dir.path(),
        &[&options[..], &["--cases", "made", "--", "./p"]].concat(),
        "",
    );
    assert_eq!(shown.status, 1, "{shown:?}");
}

#[test]
fn a_case_of_our_own_where_a_contest_has_its_tester_is_remarked_on() {
    let dir = tempdir().unwrap();
    let shown = run_in(dir.path(), &["--seed", "0", "cat"], "");
    assert!(!shown.stderr.contains("note:"), "{shown:?}");
    let settings = "version = 1\n[judge]\nexternal = \"./t {command} < {case}\"\n";
    fs::write(dir.path().join("tester.toml"), settings).unwrap();
    let noted = run_in(dir.path(), &["--seed", "0", "cat"], "");
    assert_eq!((noted.status, &noted.stdout), (shown.status, &shown.stdout));
    insta::assert_snapshot!(noted.stderr.lines().next().unwrap(), @"note: this is hitblow 3 10, a problem of tester itself; tester.toml names the contest's own tester, which `tester batch` asks");
    let made = run_in(dir.path(), &["gen", "--seeds", "0..2", "--dir", "in"], "");
    assert_eq!(made.status, 0, "{made:?}");
    insta::assert_snapshot!(made.stderr, @r#"
    in: 2 cases of "hitblow 3 10": 2 written, 0 there already
    caution: these are cases of hitblow 3 10, a problem of tester itself, and none of the contest whose tester tester.toml names
    hint: official tools make those: (cd tools && cargo run --release --bin gen seeds.txt)
    "#);
    let meant = run_in(
        dir.path(),
        &["--seed", "0", "--problem", "mastermind 4 6", "cat"],
        "",
    );
    assert!(!meant.stderr.contains("note:"), "{meant:?}");
    let no_judge = "version = 1\n[batch]\ncases = \"in\"\n";
    fs::write(dir.path().join("tester.toml"), no_judge).unwrap();
    let shown = run_in(dir.path(), &["--seed", "0", "cat"], "");
    assert!(!shown.stderr.contains("note:"), "{shown:?}");
}

#[test]
fn settings_in_a_pipe_are_not_waited_for() {
    let dir = tempdir().unwrap();
    let pipe = dir.path().join("tester.toml");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    // A reader of the pipe would get settings with a judge.
    let settings = "version = 1\n[judge]\nexternal = \"./t {command} < {case}\"\n";
    let mut writer = Command::new("sh")
        .args(["-c", "printf %s \"$1\" > \"$2\"", "sh", settings])
        .arg(&pipe)
        .spawn()
        .unwrap();
    let shown = run_in(dir.path(), &["--seed", "0", "cat"], "");
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert!(!shown.stderr.contains("note:"), "{shown:?}");
}

#[test]
fn settings_that_are_no_file_are_said_here_and_below() {
    let dir = tempdir().unwrap();
    let settings = dir.path().join("tester.toml");
    fs::create_dir_all(dir.path().join("below")).unwrap();
    let refused = |why: &str| {
        for folder in ["", "below"] {
            let shown = run_in(
                &dir.path().join(folder),
                &["batch", "--seeds", "0", "cat"],
                "",
            );
            assert_eq!(shown.status, 2, "{shown:?}");
            let expected = format!(
                "tester: failed to read tester.toml: {why}\nhint: --no-config ignores tester.toml\n"
            );
            assert!(shown.stderr.ends_with(&expected), "{shown:?}");
        }
    };
    fs::create_dir(&settings).unwrap();
    refused("expected a regular file, found a folder");
    fs::remove_dir(&settings).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&settings)
            .status()
            .unwrap()
            .success()
    );
    refused("expected a regular file, found a pipe (FIFO)");
    fs::remove_file(&settings).unwrap();
    symlink("nowhere", &settings).unwrap();
    refused("No such file or directory (os error 2)");
    let words = ["batch", "--no-config", "--seeds", "0", "cat"];
    assert_eq!(run_in(dir.path(), &words, "").status, 1);
}

#[test]
fn words_that_are_too_many_or_name_runs_have_a_hint() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let game = ["--seeds", "0..2", "--problem", "hitblow 1 10", "--", "./c"];
    let batch = [&["batch", "-t", "v1", "-c", "from 0 up"], &game[..]].concat();
    let shown = run_in(dir.path(), &batch, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let shown = run_in(dir.path(), &["show", "v1"], "");
    assert!(
        shown.stdout.contains("\ncomment    from 0 up\n"),
        "{shown:?}"
    );
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), args, "");
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["duel", "./c", "1", "./c", "2"]), @"
    tester: unexpected argument './c' found
    hint: each program is one word, its arguments included: tester duel './a 1' './a 2'

    Usage: tester duel [OPTIONS] <A> <B>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused(&["compare", "1", "2", "3"]), @"
    tester: unexpected argument '3' found
    hint: two runs are compared; `tester report` and `tester history` take more

    Usage: tester compare [OPTIONS] [A] [B]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused(&["duel", "v1", "./c"]), @"
    tester: expected a program, found a run: v1
    hint: a duel plays two programs; `tester compare A B` compares two runs
    ");
    insta::assert_snapshot!(refused(&["duel", "1", "1"]), @"
    tester: expected a program, found a run: 1
    hint: a duel plays two programs; `tester compare A B` compares two runs
    ");
    // Not a run of the history.
    insta::assert_snapshot!(refused(&["duel", "9", "./c"]), @"
    tester: failed to start 9: no program of that name in PATH
    hint: check the spelling, or write a path such as ./solver
    ");
}
