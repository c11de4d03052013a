//! Scripts that run other programs, in a copy of the top folder and with stand-ins for those programs.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::copied::{Copy, has, root};
use crate::common::{names, script};

#[test]
fn ablation_prints_a_row_for_each_technique() {
    let copy = Copy::of(&["ablation"]);
    copy.stand_in("cargo", "");
    copy.stand_in("valgrind", "echo 'Collected : 2500000000' >&2");
    fs::create_dir(copy.path().join("target/release")).unwrap();
    let lab = "case \"$*\" in *words*) exit 130 ;; *\"hitblow 3\"*) echo 'lab: no K' >&2; exit 2 ;; esac\necho '{\"total\":30,\"nodes\":12,\"seconds\":0.5}'";
    script(&copy.path().join("target/release"), "lab", lab);
    let shown = copy.run("ablation", &["hitblow 2 4"], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let rows: Vec<Vec<&str>> = shown
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    let row = |technique| ["hitblow", "2", "4", technique, "30", "12", "0.500", "2.500"].to_vec();
    let stopped = ["hitblow", "2", "4", "words", "more", "than", "60", "s"].to_vec();
    let expected = [
        "-",
        "looks",
        "levels",
        "bags",
        "symmetries",
        "classes",
        "names",
        "memo",
    ]
    .map(row);
    assert_eq!(rows[3], stopped);
    assert_eq!([&rows[..3], &rows[4..]].concat(), expected);
    let failed = copy.run("ablation", &["hitblow 3"], &[]);
    assert_eq!((failed.status, failed.stdout.lines().count()), (2, 1));
    let said = "ablation: lab optimal \"hitblow 3\" failed with exit status 2:\nlab: no K\n";
    assert_eq!(failed.stderr, said);
}

#[test]
fn bench_runs_every_benchmark_of_the_tester() {
    let copy = Copy::of(&["bench"]);
    copy.stand_in("cargo", "");
    let shown = copy.run("bench", &[], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let log = copy.log();
    let mut run: Vec<String> = log
        .lines()
        .map(|line| format!("{}.rs", line.rsplit(' ').next().unwrap()))
        .collect();
    run.sort();
    let of_tester = names(&root().join("tools/benches"));
    let of_ahc030 = names(&root().join("tools/contests/ahc030/benches"));
    assert_eq!(log.matches(" -p tester ").count(), of_tester.len(), "{log}");
    let mut all = [of_tester, of_ahc030].concat();
    all.sort();
    assert_eq!(run, all);
    assert_eq!(copy.run("bench", &["more"], &[]).status, 2);
}

#[test]
fn book_replaces_the_strategies_and_nothing_else() {
    let copy = Copy::of(&["book"]);
    fs::create_dir(copy.path().join("src")).unwrap();
    let solver = copy.path().join("src/main.rs");
    fs::copy(root().join("src/main.rs"), &solver).unwrap();
    let before = fs::read_to_string(&solver).unwrap();
    let (program, book) = before.split_at(before.find("\n    pub const BOOKS").unwrap() + 1);
    // The script closes the module itself.
    let book = book.strip_suffix("}\n").unwrap();
    fs::write(copy.path().join("book"), book).unwrap();
    copy.stand_in("cargo", "cat book");
    let shown = copy.run("book", &[], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(copy.log().contains(" -- book hitblow "), "{}", copy.log());
    assert_eq!(fs::read_to_string(&solver).unwrap(), before);
    // What is no list of strategies replaces nothing.
    copy.stand_in("cargo", "echo '    pub const BOOKS'");
    assert_ne!(copy.run("book", &["hitblow 2 4"], &[]).status, 0);
    assert_eq!(fs::read_to_string(&solver).unwrap(), before);
    assert_eq!(names(&copy.path().join("src")), ["main.rs"]);
    assert!(program.len() > book.len() / 100);
}

#[test]
fn a_browser_is_found_or_missed_in_words() {
    let copy = Copy::of(&["browser"]);
    copy.stand_in("my-chrome", "");
    let shown = copy.run("browser", &[], &[("CHROME", "my-chrome")]);
    let expected = format!("{}/bin/my-chrome\n", copy.path().display());
    assert_eq!((shown.status, shown.stdout), (0, expected));
    // A machine without Chromium and without a package of it.
    for program in ["bash", "env", "id"] {
        let found = Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .output()
            .unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        symlink(found.trim(), copy.path().join("bin").join(program)).unwrap();
    }
    let only = copy.path().join("bin");
    let shown = copy.run(
        "browser",
        &[],
        &[("PATH", only.to_str().unwrap()), ("CHROME", "")],
    );
    assert_eq!(shown.status, 2, "{shown:?}");
    assert!(
        shown
            .stderr
            .contains("expected Chromium or Chrome, found none"),
        "{shown:?}"
    );
}

#[test]
fn a_trial_that_is_not_there_is_refused() {
    if !has("python3") {
        return;
    }
    let shown = Command::new(root().join("scripts/cluster-trials"))
        .arg("none")
        .output()
        .unwrap();
    let said = String::from_utf8(shown.stderr).unwrap();
    assert_eq!(shown.status.code(), Some(2), "{said}");
    assert!(said.contains("expected one of same, "), "{said}");
}

#[test]
fn an_environment_that_cannot_be_made_is_removed() {
    if !has("python3") {
        return;
    }
    let copy = Copy::of(&["environment.py"]);
    let using = "#!/usr/bin/env python3\nimport sys\nsys.dont_write_bytecode = True\n\
                 from environment import go_on_in\n\
                 go_on_in('using', ['no/such/package'], 'a package', lambda why: sys.exit('using: ' + why))\n";
    let path = script(&copy.path().join("scripts"), "using", "");
    fs::write(&path, using).unwrap();
    // Where the environment should be is a file.
    fs::write(copy.path().join("target/using"), "").unwrap();
    let shown = copy.run("using", &[], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(
        shown.stderr.contains("using: failed to install a package"),
        "{shown:?}"
    );
    assert!(!copy.path().join("target/using").exists());
    // In that environment, what is still missing is not installed again.
    let shown = copy.run("using", &[], &[("USING_INSTALLED", "1")]);
    assert!(
        shown.stderr.contains("using: expected a package in "),
        "{shown:?}"
    );
}

#[test]
fn fuzz_runs_all_targets_and_tells_what_was_found() {
    let copy = Copy::of(&["fuzz"]);
    fs::create_dir_all(copy.path().join("tools/fuzz")).unwrap();
    // The rest of the list comes late, and is more than a pipe holds.
    copy.stand_in("rustup", "echo nightly-x; sleep 0.1; seq 20000");
    let cargo = "case \"$*\" in 'fuzz list') echo good; echo bad ;; *'run bad'*) exit 1 ;; *'run good'*) echo 'Done 7' ;; esac";
    copy.stand_in("cargo", cargo);
    let shown = copy.run("fuzz", &["1"], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    let mut lines: Vec<&str> = shown.stdout.lines().collect();
    lines.sort();
    let found = "bad: FOUND SOMETHING, see tools/fuzz/logs/bad.txt";
    assert_eq!(lines, [found, "good: Done 7"]);
    let shown = copy.run("fuzz", &["1", "good"], &[]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, "good: Done 7\n"));
    assert_eq!(copy.run("fuzz", &["soon"], &[]).status, 2);
    assert!(!copy.log().contains("rustup toolchain install"));
}

#[test]
fn soak_runs_the_test_of_that_name() {
    let copy = Copy::of(&["soak"]);
    copy.stand_in("cargo", "echo \"$SOAK cases\"");
    let shown = copy.run("soak", &["20"], &[]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, "20 cases\n"));
    assert!(
        copy.log()
            .contains("-p tester --test it soak:: -- --ignored"),
        "{}",
        copy.log()
    );
    assert_eq!(copy.run("soak", &["many"], &[]).status, 2);
}

#[test]
fn soak_of_bombs_runs_the_other_test() {
    let copy = Copy::of(&["soak"]);
    copy.stand_in("cargo", "echo \"$BOMBS times\"");
    let shown = copy.run("soak", &["bombs", "3"], &[]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, "3 times\n"));
    let log = copy.log();
    assert!(log.contains("bombs::all_of_them -- --ignored"), "{log}");
    assert_eq!(copy.run("soak", &["bombs"], &[]).status, 2);
}

/// Every module that plays with the solver as a program is tested as released.
fn solver_as_released_plays(log: &str) {
    let files = fs::read_dir(root().join("tests/it")).unwrap();
    let plays = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.contains("crate::program_under_test()")
    };
    let modules: BTreeSet<String> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| plays(path))
        .map(|path| format!("{}::", path.file_stem().unwrap().display()))
        .collect();
    let (_, tested) = log.trim_end().rsplit_once(" -- ").unwrap();
    assert_eq!(
        tested
            .split(' ')
            .map(str::to_owned)
            .collect::<BTreeSet<_>>(),
        modules
    );
}

/// A library is documented, and then its examples are tested.
fn libraries_are_documented_and_tested(log: &str) {
    let calls: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("rustdoc "))
        .collect();
    let [documented, tested] = calls[..] else {
        panic!("{calls:?}");
    };
    assert!(
        documented.starts_with("--document-private-items -D warnings --out-dir ")
            && documented.ends_with(" --crate-name own lib.rs -L deps"),
        "{documented}"
    );
    let expected = "--crate-name own --test lib.rs --test-run-directory . -L deps";
    assert_eq!(tested, expected);
}

#[test]
fn tests_are_interrupted_by_what_they_send_also_in_the_background() {
    let mut undoes = Command::new("env");
    let undoes = undoes.args(["--default-signal=INT,QUIT", "true"]).output();
    if !undoes.unwrap().status.success() {
        eprintln!("left out: `env` here cannot undo that interrupts are ignored");
        return;
    }
    let copy = Copy::of(&["test"]);
    script(&copy.path().join("scripts"), "check-paste", "");
    // So a shell starts what runs in the background.
    let ignoring = "trap '' INT QUIT; exec scripts/test";
    script(&copy.path().join("scripts"), "ignoring", ignoring);
    for tests in ["*--no-fail-fast*", "*soak::*"] {
        copy.stand_in(
            "cargo",
            &format!("case \"$*\" in {tests}) kill -INT $$ ; touch ignored ;; esac"),
        );
        let shown = copy.run("ignoring", &[], &[("WITHOUT_BROWSER", "1")]);
        assert!(!copy.path().join("ignored").exists(), "{tests}: {shown:?}");
        assert_ne!(shown.status, 0, "{tests}: {shown:?}");
    }
}

#[test]
fn test_runs_every_check_and_prints_the_times() {
    let copy = Copy::of(&["test"]);
    script(&copy.path().join("scripts"), "browser", "echo chromium");
    script(&copy.path().join("scripts"), "check-paste", "echo pasted");
    let documents = "$RUSTDOC --crate-name own --test lib.rs --test-run-directory . -L deps";
    copy.stand_in(
        "cargo",
        &format!("case \"$*\" in $FAILS) exit 7 ;; *--doc) {documents} ;; esac"),
    );
    copy.stand_in("rustdoc", "");
    let shown = copy.run("test", &[], &[("FAILS", "none")]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.contains("All checks passed.\n"), "{shown:?}");
    let (_, times) = shown.stdout.split_once(" wall s   CPU s\n").unwrap();
    let steps: Vec<&str> = times.lines().map(|line| line.get(17..).unwrap()).collect();
    let expected = [
        "format",
        "compiling and clippy",
        "tests",
        "a short soak",
        "check-paste",
        "tests of the solver as released",
        "tests of pages, beside these",
        "documentation of libraries, beside these",
        "documentation of the solver, beside these",
        "in all",
    ];
    assert_eq!(steps, expected);
    solver_as_released_plays(&copy.log());
    libraries_are_documented_and_tested(&copy.log());
    // What fails is said, and nothing is run after it; also of what runs beside the tests.
    for (fails, row) in [
        ("*--all-targets*", "compiling and clippy FAILED"),
        ("*--examples*", "compiling and clippy FAILED"),
        ("*--no-fail-fast*", "tests FAILED"),
        ("*page::*", "tests of pages FAILED, beside these"),
        ("*--doc", "documentation of libraries FAILED, beside these"),
        ("doc *", "documentation of the solver FAILED, beside these"),
    ] {
        let shown = copy.run("test", &[], &[("FAILS", fails)]);
        assert_eq!(shown.status, 7, "{shown:?}");
        assert!(shown.stdout.contains(&format!("  {row}\n")), "{shown:?}");
    }
    // Without a browser it says so.
    let left_out = [("FAILS", "none"), ("WITHOUT_BROWSER", "1")];
    let shown = copy.run("test", &[], &left_out);
    assert!(
        shown.stdout.contains("except those that need a browser"),
        "{shown:?}"
    );
}
