//! `tester package`: a package of our own, judged as it lies and with something changed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Shown, is_alive, tester, wait_until_exists, words};

/// The package as it lies.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/package")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        match from.is_dir() {
            true => copy(&from, &to),
            false => drop(fs::copy(from, to).unwrap()),
        }
    }
}

/// A copy of the package, and the folder that has it.
fn copied() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join("pick");
    copy(&self::package(), &package);
    (dir, package)
}

/// Judges a package, with times as `#`. What is built is gone afterwards.
fn judged(package: &Path, options: &[&str]) -> Shown {
    let temporary = tempfile::tempdir().unwrap();
    let output = tester(&["package", "--jobs", "4"])
        .arg(package)
        .args(options)
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    let times = Regex::new(r" +\d+\.\d\d s").unwrap();
    let shown = Shown::from(output);
    Shown {
        stdout: times.replace_all(&shown.stdout, " # s").into_owned(),
        ..shown
    }
}

#[test]
fn each_submission_gets_what_its_folder_promises() {
    let shown = judged(&package(), &[]);
    insta::assert_snapshot!(shown.stdout);
    assert_eq!((shown.status, &*shown.stderr), (0, ""), "{shown:?}");
}

#[test]
fn a_submission_in_the_wrong_folder_is_told_with_its_cases() {
    let (_dir, package) = copied();
    let submissions = package.join("submissions");
    let from = submissions.join("wrong_answer/up.sh");
    fs::rename(from, submissions.join("accepted/up.sh")).unwrap();
    fs::write(submissions.join("accepted/search.plg"), "").unwrap();
    fs::write(submissions.join("accepted/broken.c"), "int main(").unwrap();
    let options = words("--only up.sh --only plg --only accepted/broken");
    let shown = judged(&package, &options);
    assert_eq!(shown.status, 1, "{shown:?}");
    let (text, compiler) = shown.stdout.split_once("gcc ended with").unwrap();
    let (_, rest) = compiler.split_once('\n').unwrap();
    insta::assert_snapshot!(format!("{text}…\n{rest}"));
    let shown = judged(&package, &["--only", "up.sh", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!((shown.status, &json["as_expected"]), (1, &false.into()));
    assert_eq!(
        (&json["package"], &json["time_limit"]),
        (&"pick".into(), &2.0.into())
    );
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let verdicts: Vec<_> = cases
        .iter()
        .map(|case| (&case["case"], &case["verdict"]))
        .collect();
    let expected = ["sample/1", "secret/1", "secret/loose/1"].map(serde_json::Value::from);
    let words = ["WA", "AC", "AC"].map(serde_json::Value::from);
    assert!(
        verdicts.into_iter().eq(expected.iter().zip(&words)),
        "{json}"
    );
}

#[test]
fn a_package_with_scores_is_interactive_by_its_validation_and_scores_have_decimals() {
    let (_dir, package) = copied();
    let yaml = fs::read_to_string(package.join("problem.yaml")).unwrap();
    let scoring = yaml.replace(
        "custom interactive",
        "custom interactive score\ntype: scoring",
    );
    assert_ne!(yaml, scoring);
    fs::write(package.join("problem.yaml"), scoring).unwrap();
    let validator = package.join("output_validators/pick/validate.c");
    let text = fs::read_to_string(&validator).unwrap();
    let score = "char path[4096]; sprintf(path, \"%sscore.txt\", argv[3]); FILE *score = fopen(path, \"w\"); \
                 fprintf(score, \"%.9le\", 1.0 / turn); fclose(score); return 42;";
    let scored = text.replace("return 42;", score);
    assert_ne!(text, scored);
    fs::write(&validator, scored).unwrap();
    let shown = judged(&package, &["--only", "search.c", "--json"]);
    assert_eq!((shown.status, &*shown.stderr), (0, ""), "{shown:?}");
    let json: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let cases = json["submissions"][0]["cases"].as_array().unwrap();
    let turns = cases
        .iter()
        .map(|case| 1.0 / case["score"].as_f64().unwrap());
    // Whole numbers of guesses, of which millionths of a fraction tell enough.
    let turns: Vec<f64> = turns.collect();
    let whole =
        |turns: &f64| (1.0..=7.0).contains(&turns.round()) && (turns - turns.round()).abs() < 1e-4;
    assert!(!turns.is_empty() && turns.iter().all(whole), "{turns:?}");
}

#[test]
fn newer_packages_have_one_validator_and_a_time_limit_of_accepted_submissions() {
    let (_dir, package) = copied();
    let yaml = "problem_format_version: 2025-09\ntype: interactive\n";
    fs::write(package.join("problem.yaml"), yaml).unwrap();
    fs::remove_file(package.join(".timelimit")).unwrap();
    fs::remove_dir_all(package.join("output_validators")).unwrap();
    // A validator with its own scripts, which gets no flags here and counts nothing.
    let validator = package.join("output_validator");
    fs::create_dir(&validator).unwrap();
    let script = |name: &str, text: &str| {
        use std::os::unix::fs::PermissionsExt;
        fs::write(validator.join(name), text).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(validator.join(name), mode).unwrap();
    };
    script("build", "#!/bin/sh\nmv rules run");
    script(
        "rules",
        "#!/bin/sh\nread secret < $1; while read guess; do\n\
         [ $guess = $secret ] && { echo found; exit 42; }\n\
         [ $guess -lt $secret ] && echo higher || echo lower; done; exit 43",
    );
    let shown = judged(&package, &["--only", "search.c", "--only", "up.sh"]);
    // Without a limit of guesses, it is right.
    assert_eq!(shown.status, 1, "{shown:?}");
    let lines: Vec<&str> = shown.stdout.lines().collect();
    let limit = Regex::new(
        r"^time limit \d+ s \(2 times the slowest accepted submission, # s, rounded up\)$",
    );
    assert_eq!(lines[0], "pick: interactive, 3 cases, validator in script");
    assert!(
        lines[1].ends_with("as expected") && limit.unwrap().is_match(lines[2]),
        "{shown:?}"
    );
    assert!(lines[3].ends_with("NOT as expected: only AC and WA, and at least one WA"));
}

#[test]
fn a_time_limit_of_accepted_submissions_follows_from_all_of_them() {
    let (_dir, package) = copied();
    fs::remove_file(package.join(".timelimit")).unwrap();
    let accepted = package.join("submissions/accepted");
    let count = fs::read_dir(&accepted).unwrap().count();
    let note = |count: usize| {
        format!(
            "tester: accepted submissions that --only leaves out, judged for the time limit: {count}\n"
        )
    };
    let shown = judged(&package, &["--only", "wrong_answer", "--json"]);
    assert_eq!((shown.status, shown.stderr), (0, note(count)));
    let json: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    for submission in json["submissions"].as_array().unwrap() {
        let name = submission["name"].as_str().unwrap();
        assert!(name.starts_with("wrong_answer/"), "{json}");
    }
    // The one that is left out is the slowest: 5 times 1.15 s. Its start may take 0.1 s, which is not counted.
    let search = fs::read_to_string(accepted.join("search.c")).unwrap();
    let slow = search.replacen("main(void) {", "main(void) { poll(0, 0, 1150);", 1);
    assert_ne!(search, slow);
    fs::write(
        accepted.join("slow.c"),
        format!("#include <poll.h>\n{slow}"),
    )
    .unwrap();
    let shown = judged(&package, &["--only", "search.c", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert!(json["time_limit"].as_f64().unwrap() >= 6.0, "{json}");
    // Without any, there is none.
    fs::remove_dir_all(&accepted).unwrap();
    let shown = judged(&package, &["--only", "wrong_answer"]);
    assert_eq!(shown.status, 2, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    tester: expected a time limit, or an accepted submission that it follows from, found none
    hint: --time-limit SECONDS sets it
    ");
    let typed = judged(&package, &["--only", "wrong_answer", "--time-limit", "2"]);
    assert_eq!(typed.status, 0, "{typed:?}");
}

/// Gives the validator of a package a script that builds it.
fn build_by(package: &Path, script: &str) {
    let validator = package.join("output_validators/pick");
    let compile = "cc -o judge validate.c || exit 1";
    crate::common::script(&validator, "build", &format!("{compile}\n{script}"));
    let run = r#"exec "$(dirname "$0")/judge" "$@""#;
    crate::common::script(&validator, "run", run);
}

#[test]
fn a_server_that_a_build_has_started_stays_and_keeps_nothing_waiting() {
    let (dir, package) = copied();
    let number = dir.path().join("number");
    // It keeps the output of the build open.
    let server = format!("sleep 600 & echo $! > '{}'", number.display());
    build_by(&package, &server);
    let shown = judged(&package, &["--only", "search.c"]);
    let server = fs::read_to_string(number).unwrap().trim().to_owned();
    let stays = is_alive(&server);
    let server = server.parse().ok().and_then(Pid::from_raw).unwrap();
    let killed = kill_process(server, Signal::KILL);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(stays && killed.is_ok(), "{shown:?}");
}

#[test]
fn a_signal_ends_a_build_that_never_does() {
    let (dir, package) = copied();
    let begun = dir.path().join("begun");
    build_by(
        &package,
        &format!(
            "echo $$ > new; mv new '{}'; exec sleep 600",
            begun.display()
        ),
    );
    let temporary = tempfile::tempdir().unwrap();
    let mut tester = Command::new(env!("CARGO_BIN_EXE_tester"))
        .arg("package")
        .arg(&package)
        .env("TMPDIR", temporary.path())
        .spawn()
        .unwrap();
    wait_until_exists(&begun);
    kill_process(Pid::from_child(&tester), Signal::TERM).unwrap();
    let status = tester.wait().unwrap();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    let build = fs::read_to_string(begun).unwrap();
    assert!(!is_alive(build.trim()));
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn a_package_may_be_below_a_folder_whose_name_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join(OsStr::from_bytes(b"t\xe9l\xe9"));
    let package = package.join("package");
    copy(&self::package(), &package);
    let options = ["--only", "search.c", "--only", "up.sh"];
    let shown = judged(&package, &options);
    let usual = judged(&self::package(), &options);
    assert_eq!(
        (shown.status, &shown.stdout),
        (0, &usual.stdout),
        "{shown:?}"
    );
}

#[test]
fn what_is_no_interactive_package_is_refused_with_its_kind() {
    let (dir, package) = copied();
    let refused = |path: &Path| {
        let shown = judged(path, &[]);
        assert_eq!(shown.status, 2, "{shown:?}");
        shown
            .stderr
            .replace(&dir.path().display().to_string(), "TOP")
    };
    insta::assert_snapshot!(refused(dir.path()), @"
    tester: expected a problem package, found no problem.yaml in TOP
    hint: name the folder of the package, which has problem.yaml, data/ and submissions/
    ");
    fs::write(package.join("problem.yaml"), "type: multi-pass").unwrap();
    insta::assert_snapshot!(refused(&package), @"
    tester: expected an interactive problem, found `type: multi-pass` in TOP/pick/problem.yaml
    hint: problem.yaml of an interactive problem says `validation: custom interactive` (legacy) or `type: interactive`; multi-pass problems and those without interaction are not judged
    ");
    fs::write(package.join("problem.yaml"), "type: [").unwrap();
    insta::assert_snapshot!(refused(&package), @"tester: failed to read TOP/pick/problem.yaml as YAML: while parsing a node, did not find expected node content at byte 7 line 2 column 1");
    fs::write(package.join("problem.yaml"), "type: interactive").unwrap();
    fs::write(
        package.join("output_validators/pick/validate.c"),
        "int main(",
    )
    .unwrap();
    let shown = refused(&package);
    assert!(
        shown.starts_with("tester: failed to build the output validator pick: gcc ended with"),
        "{shown}"
    );
}

#[test]
fn a_bomb_of_aliases_takes_no_memory() {
    let (dir, package) = copied();
    let mut bomb = "a0: &a0 x\n".to_owned();
    for level in 1..=11 {
        let nine = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb += &format!("a{level}: &a{level} [{nine}]\n");
    }
    fs::write(package.join("problem.yaml"), bomb).unwrap();
    let line = "ulimit -v 1000000; exec \"$0\" package pick";
    let shown = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_tester")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(shown.status.code(), Some(2), "{shown:?}");
    let stderr = String::from_utf8(shown.stderr).unwrap();
    let (_, why) = stderr.trim_end().split_once(": ").unwrap();
    insta::assert_snapshot!(why, @"failed to read pick/problem.yaml as YAML: expected values that are written out, found an alias (*name) in line 2");
}
