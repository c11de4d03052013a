//! `tester tune`: what it takes from `tester.toml`, what it refuses, and its trials.
//!
//! Optuna is stood in for, except in the one test that is ignored: `cargo test -p tester --test it tune:: -- --ignored`

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use assert_cmd::Command;
use rustix::process::{Pid, Signal};
use tempfile::TempDir;

use crate::common::{names, run_in, script, tester, words, write_cases};

/// A contest in which a program whose argument is 30 has the best score on each of 40 cases.
fn contest() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_cases(
        dir.path(),
        (0..50).map(|number| format!("{}\n", number % 7)),
    );
    script(
        dir.path(),
        "main",
        // The bad trial does not come to its end, so that it can only be left.
        "read c; d=$(($1 - 30)); if [ $1 = 60 ]; then echo >> count; [ $(wc -l < count) -gt 32 ] && sleep 600; fi\n\
         echo \"Score = $((20000 - d * d + c))\"",
    );
    fs::write(
        dir.path().join("tester.toml"),
        "version = 1\n[judge]\nexternal = \"{command} < {case} > {out}; cat {out}\"\nobjective = \"max\"\n\
         measure = \"relative\"\n[batch]\ncases = [\"in\", \"0..40\"]\nheld_out = \"40..50\"\n\
         build = [\"echo built >> built\"]\ntime_limit = 600\n[tune]\ncommand = \"./main {x:0..80:int} {y:0.1..10:log}\"\ntrials = 4\n\
         start = [\"x=50\", \"y=1\"]\n",
    )
    .unwrap();
    dir
}

/// `tester tune` with no Python but what is in the folder `bin`.
fn tune(dir: &Path, args: &[&str]) -> Command {
    let mut command = tester(&[&["tune"], args].concat());
    command
        .current_dir(dir)
        .env("XDG_CACHE_HOME", dir.join("cache"));
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard error without what `tester.toml` contributes, and without the temporary folder.
fn refusal(dir: &Path, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = said(output);
    let lines = said
        .lines()
        .filter(|line| !line.starts_with("tester: tester.toml: "));
    lines
        .collect::<Vec<_>>()
        .join("\n")
        .replace(dir.to_str().unwrap(), "DIR")
}

#[test]
fn what_cannot_be_tuned_is_refused_before_anything_runs() {
    let dir = contest();
    for (args, why) in [
        (
            &["--", "./main", "3"][..],
            "no number to tune in the command: ./main 3",
        ),
        (
            &["--", "./main", "{x}"],
            "expected a name and a range in braces, found {x}",
        ),
        (
            &["--start", "y=1", "--", "./main", "{x:0..1}"],
            "expected --start NAME=VALUE with one of x, found \"y=1\"",
        ),
        (&["--no-config"], "no command with a number to tune"),
        (&["--held-out"], "--held-out cannot be used with tune"),
        (&["--watch"], "--watch cannot be used with tune"),
        (&["--json"], "--json and --csv cannot be used with tune"),
        (
            &["--cases", "none"],
            "failed to read folder none: No such file or directory (os error 2)",
        ),
        (
            &["--parallel", "2"],
            "the following required arguments were not provided:",
        ),
    ] {
        let output = tune(dir.path(), args).output().unwrap();
        let shown = refusal(dir.path(), &output);
        assert!(
            shown.starts_with(&format!("tester: {why}")),
            "{args:?}: {shown}"
        );
    }
    assert_eq!(names(dir.path()), ["in", "main", "tester.toml"]);
}

#[test]
fn a_python_that_is_missing_old_or_bare_is_said_to_be_so_with_what_to_do() {
    let dir = contest();
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let refused = || {
        let output = tune(dir.path(), &[]).env("PATH", &bin).output().unwrap();
        refusal(dir.path(), &output)
    };
    insta::assert_snapshot!(refused(), @"
    tester: tune needs Python 3.9 or later: failed to start python3: there is none
    hint: install it (Debian: apt install python3 python3-venv), or name another one: --python PROGRAM
    ");
    script(&bin, "python3", "echo 3 8; echo");
    insta::assert_snapshot!(refused(), @"
    tester: tune needs Python 3.9 or later, and python3 is 3.8
    hint: install it (Debian: apt install python3 python3-venv), or name another one: --python PROGRAM
    ");
    script(&bin, "python3", "echo 3 12; echo optuna scipy");
    insta::assert_snapshot!(refused(), @"
    tester: tune needs Optuna and SciPy, and python3 has no optuna and no scipy
    hint: `tester tune --install` makes an environment with them for all contests (280 MB); or: python3 -m pip install 'optuna>=3.6,<6' 'scipy'
    ");
    assert_eq!(names(dir.path()), ["bin", "in", "main", "tester.toml"]);
    // From below the contest's folder, a typed path is one of that folder.
    let output = tune(&bin, &["--python", "./none"]).output().unwrap();
    assert!(
        said(&output).contains("failed to start bin/none: there is none"),
        "{output:?}"
    );
    // Half an environment is removed.
    script(
        &bin,
        "python3",
        "case $1 in -c) echo 3 12; echo optuna ;; *) /bin/mkdir -p \"$3/bin\"; exit 3 ;; esac",
    );
    let output = tune(dir.path(), &["--install"])
        .env("PATH", &bin)
        .output()
        .unwrap();
    insta::assert_snapshot!(refusal(dir.path(), &output), @"
    tester: installing optuna>=3.6,<6 and scipy into DIR/cache/saguri/tune
    tester: failed to install Optuna and SciPy: python3 -m venv DIR/cache/saguri/tune: exit status: 3
    hint: Debian: apt install python3-venv; or install them into a Python of yours, and name it: --python PROGRAM
    ");
    assert!(!dir.path().join("cache/saguri/tune").exists());
    // A whole one is used, and --install alone is complete then.
    let environment = dir.path().join("cache/saguri/tune/bin");
    fs::create_dir_all(&environment).unwrap();
    script(&environment, "python", "echo 3 12; echo");
    let output = tune(dir.path(), &["--install", "--no-config"])
        .env("PATH", &bin)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let told = format!(
        "tester: Optuna and SciPy are installed in {}/cache/saguri/tune\n",
        dir.path().display()
    );
    assert_eq!(stderr, told);
}

#[test]
fn everything_is_taken_from_the_file_and_what_is_typed_wins() {
    let dir = contest();
    // Instead of the trials, it prints what it was told.
    let python = script(
        dir.path(),
        "python",
        "case $1 in -c) echo 3 12; echo ;; *) exec cat ;; esac",
    );
    let plan = |args: &[&str]| {
        let python = ["--python", python.to_str().unwrap()];
        let output = tune(dir.path(), &[&python[..], args].concat())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let mut plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        plan.as_object_mut().unwrap().remove("tester");
        plan.to_string()
    };
    insta::assert_snapshot!(plan(&[]), @r#"{"batch":[],"called":"tester","cluster":null,"decimals":0,"held_out":true,"history":"out/tune/history.sqlite","log":true,"maximize":true,"numbers":[{"high":80.0,"low":0.0,"name":"x","scale":"int"},{"high":10.0,"low":0.1,"name":"y","scale":"log"}],"out":"out/tune","pruning":true,"sampler_seed":0,"starts":{"x":50.0,"y":1.0},"trials":4,"words":["./main","{x:0..80:int}","{y:0.1..10:log}"]}"#);
    let typed = [
        "--trials",
        "7",
        "--by",
        "score",
        "--objective",
        "min",
        "--cases",
        "0..9",
        "--no-build",
        "--out",
        "o",
        "--jobs",
        "1",
        "--",
        "./main",
        "{n:1..9:int}",
    ];
    insta::assert_snapshot!(plan(&typed), @r#"{"batch":["--by","score","--objective","min","--jobs","1","--cases","0..9"],"called":"tester","cluster":null,"decimals":0,"held_out":true,"history":"o/history.sqlite","log":false,"maximize":false,"numbers":[{"high":9.0,"low":1.0,"name":"n","scale":"int"}],"out":"o","pruning":true,"sampler_seed":0,"starts":{},"trials":7,"words":["./main","{n:1..9:int}"]}"#);
    // The build lines ran once, and only where they were asked for.
    assert_eq!(
        fs::read_to_string(dir.path().join("built")).unwrap(),
        "built\n"
    );
    // Problems of our own have their objective, and seeds.
    let own = ["--no-config", "--", "./main", "{x:0..1}"];
    insta::assert_snapshot!(plan(&own), @r#"{"batch":["--no-config","--seeds","0..1000"],"called":"tester","cluster":null,"decimals":0,"held_out":false,"history":"out/tune/history.sqlite","log":false,"maximize":false,"numbers":[{"high":1.0,"low":0.0,"name":"x","scale":"linear"}],"out":"out/tune","pruning":true,"sampler_seed":0,"starts":{},"trials":30,"words":["./main","{x:0..1}"]}"#);
}

/// The folder with what stands in for Optuna; nothing where there is no Python.
fn stand_in(dir: &Path) -> Option<PathBuf> {
    let mut python = std::process::Command::new("python3");
    if python.arg("--version").output().is_err() {
        eprintln!("not tested, for there is no python3 here");
        return None;
    }
    let stand_in = dir.join("stand-in");
    fs::create_dir(&stand_in).unwrap();
    let optuna = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testers/optuna.py");
    fs::copy(optuna, stand_in.join("optuna.py")).unwrap();
    fs::write(stand_in.join("scipy.py"), "").unwrap();
    Some(stand_in)
}

#[test]
fn a_tuning_that_is_terminated_says_what_was_best_and_leaves_no_batch() {
    let dir = contest();
    let Some(stand_in) = stand_in(dir.path()) else {
        return;
    };
    // As if each signal to a batch came while Python had the lock of its `Popen`.
    let locked = "import subprocess\nsend = subprocess.Popen.send_signal\n\
        def send_and_lock(self, number):\n    send(self, number)\n    self._waitpid_lock.acquire(False)\n\
        subprocess.Popen.send_signal = send_and_lock\n";
    fs::write(stand_in.join("scipy.py"), locked).unwrap();
    // The third trial does not end.
    let hang = "[ $1 = 40 ] && sleep 600; cat";
    script(
        dir.path(),
        "hangs",
        &format!("{hang} > /dev/null; echo Score = $1"),
    );
    let mut tuning = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["tune", "--", "./hangs", "{x:0..80:int}", "{y:0.1..10:log}"])
        .current_dir(dir.path())
        .env("XDG_CACHE_HOME", dir.path().join("cache"))
        .env("PYTHONPATH", &stand_in)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(tuning.stdout.take().unwrap()).lines();
    while !lines.next().unwrap().unwrap().starts_with("trial   1") {}
    let running = || {
        run_in(
            dir.path(),
            &["history", "--history", "out/tune/history.sqlite"],
            "",
        )
    };
    while !running().stdout.contains("running") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = Pid::from_child(&tuning);
    rustix::process::kill_process(pid, Signal::TERM).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(tuning.wait().unwrap().code(), Some(143));
    assert!(rest[0].starts_with("best       x="), "{rest:?}");
    assert!(!running().stdout.contains("running"), "{:?}", running());
}

#[test]
fn a_signal_while_optuna_is_imported_ends_without_a_traceback() {
    let dir = tempfile::tempdir().unwrap();
    // Interrupts itself, as Ctrl-C does in that moment.
    let optuna = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n";
    fs::write(dir.path().join("optuna.py"), optuna).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/src/cmd/tune/tune.py");
    let python = std::process::Command::new("python3")
        .arg(script)
        .env("PYTHONPATH", dir.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .output();
    let Ok(output) = python else {
        eprintln!("not tested, for there is no python3");
        return;
    };
    assert_eq!(said(&output), "");
    assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()));
}

/// The exit status, the trials without the date in their tags, and what was said of failures.
fn trials(dir: &Path, stand_in: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = tune(dir, args)
        .env("PYTHONPATH", stand_in)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let date = regex::Regex::new(r"tune-\d+-\d+-\d+-").unwrap();
    let shown = date.replace_all(&shown, "tune-DATE-").into_owned();
    (output.status.code(), shown, said(&output))
}

#[test]
fn the_best_value_of_all_trials_is_found_and_bad_trials_are_left_early() {
    let dir = contest();
    let Some(stand_in) = stand_in(dir.path()) else {
        return;
    };
    let run = |args: &[&str]| trials(dir.path(), &stand_in, args);
    let (status, shown, stderr) = run(&[]);
    assert_eq!(status, Some(0), "{shown}{stderr}");
    // How many cases a bad trial has had depends on the machine.
    let counts = regex::Regex::new(r"mean [0-9,.]+  left after \d+|\d+ judged of 160; .*").unwrap();
    insta::assert_snapshot!(counts.replace_all(&shown, "…"), @"
    trial   0  x=50 y=1  mean 19,602.87
    trial   1  x=20 y=0.316228  mean 19,902.87
    trial   2  x=40 y=1  mean 19,902.87
    trial   3  x=60 y=3.16228  … of 40 cases
    best       x=20 y=0.316228  mean 19,902.87  total 796,115
    trials     4: 3 judged to the end
    cases      …
    command    ./main 20 0.316228
    compare    tester compare tune-DATE-0 tune-DATE-1 --by log --history out/tune/history.sqlite
    held out   tester duel --held-out './main 50 1' './main 20 0.316228'
    ");
    // A trial with a case that is not AC is left.
    let fails = ["--trials", "1", "--", "false", "{x:1..2}"];
    let (status, shown, stderr) = run(&fails);
    assert_eq!(status, Some(2), "{shown}{stderr}");
    assert!(
        shown.contains(": left\n") && stderr.ends_with("tester: no trial came to its end\n"),
        "{shown}{stderr}"
    );
}

#[test]
fn values_that_were_judged_are_not_judged_again_and_others_are_tried() {
    let dir = contest();
    let Some(stand_in) = stand_in(dir.path()) else {
        return;
    };
    // Each run of the program counts: it is started once for a value and a case.
    let counts = "echo >> count; read c; echo Score = $(($1 * 10 + ${2:-0} + c + 1))";
    script(dir.path(), "counts", counts);
    let judged = || {
        let count = fs::read_to_string(dir.path().join("count")).unwrap();
        fs::remove_file(dir.path().join("count")).unwrap();
        count.lines().count()
    };
    let run = |args: &[&str]| {
        let options = words("--by score --cases 0..7 --no-pruning --jobs 1 --start");
        let (status, shown, said) = trials(dir.path(), &stand_in, &[&options[..], args].concat());
        assert_eq!(status, Some(0), "{shown}{said}");
        shown
    };
    // The stand-in proposes 0, 1, 2, 2, 0, 1, 2, … and has no 3.
    insta::assert_snapshot!(run(&["m=0", "--trials", "9", "--", "./counts", "{m:0..3:int}"]), @"
    trial   0  m=0  mean 4.0000
    trial   1  m=1  mean 14.0000
    trial   2  m=2  mean 24.0000
    trial   3  m=2  mean 24.0000  judged before, as trial 2
    trial   4  m=3  mean 34.0000
    best       m=3  mean 34.0000  total 238
    trials     5: 4 judged to the end, 1 judged before; all values were tried
    cases      28 judged of 28; pruning saved 0 (0 %)
    command    ./counts 3
    compare    tester compare tune-DATE-0 tune-DATE-4 --history out/tune/history.sqlite
    held out   tester duel --held-out './counts 0' './counts 3'
    ");
    assert_eq!(judged(), 4 * 7);
    // A trial that is not judged does not count. The nearest other values come next: (0, 0) has (0, 1) beside it.
    insta::assert_snapshot!(run(&["m=0", "--trials", "6", "--", "./counts", "{m:0..2:int}", "{n:0..2:int}"]), @"
    trial   0  m=0 n=0  mean 4.0000
    trial   1  m=0 n=0  mean 4.0000  judged before, as trial 0
    trial   2  m=0 n=1  mean 5.0000
    trial   3  m=2 n=2  mean 26.0000
    trial   4  m=0 n=0  mean 4.0000  judged before, as trial 0
    trial   5  m=1 n=0  mean 14.0000
    trial   6  m=1 n=1  mean 15.0000
    trial   7  m=2 n=2  mean 26.0000  judged before, as trial 3
    trial   8  m=1 n=2  mean 16.0000
    best       m=2 n=2  mean 26.0000  total 182
    trials     9: 6 judged to the end, 3 judged before
    cases      42 judged of 42; pruning saved 0 (0 %)
    command    ./counts 2 2
    compare    tester compare tune-DATE-0 tune-DATE-3 --history out/tune/history.sqlite
    held out   tester duel --held-out './counts 0 0' './counts 2 2'
    ");
    assert_eq!(judged(), 6 * 7);
    // Numbers that are passed on with the same digits are the same.
    let shown = run(&["x=1", "--", "./counts", "1", "{x:1..1.0000001}"]);
    let repeated = "x=1  mean 15.0000  judged before, as trial 0\n";
    assert_eq!(shown.matches(repeated).count(), 10, "{shown}");
    let (_, summary) = shown.split_once("\nbest ").unwrap();
    insta::assert_snapshot!(summary, @"
          x=1  mean 15.0000  total 105
    trials     11: 1 judged to the end, 10 judged before; no others were proposed
    cases      7 judged of 7; pruning saved 0 (0 %)
    command    ./counts 1 1
    ");
    assert_eq!(judged(), 7);
}

#[test]
fn values_that_are_passed_on_are_within_their_range() {
    let dir = contest();
    let Some(stand_in) = stand_in(dir.path()) else {
        return;
    };
    script(dir.path(), "echoes", "echo \"$1\" >> tried; echo Score = 1");
    let args = words("--cases 0 --trials 3 --no-pruning -- ./echoes {x:1234563..1234567}");
    let (status, shown, said) = trials(dir.path(), &stand_in, &args);
    assert_eq!(status, Some(0), "{shown}{said}");
    let tried = fs::read_to_string(dir.path().join("tried")).unwrap();
    let tried: Vec<f64> = tried.lines().map(|line| line.parse().unwrap()).collect();
    let are_within = tried
        .iter()
        .all(|x| (1_234_563.0..=1_234_567.0).contains(x));
    assert!(tried.len() == 3 && are_within, "{tried:?}");
}

#[test]
#[ignore = "needs Python, and installs Optuna"]
fn optuna_itself_finds_the_best_value() {
    let dir = contest();
    let output = tune(dir.path(), &["--install", "--trials", "25"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8(output.stdout).unwrap();
    let best = shown.lines().find(|line| line.starts_with("best")).unwrap();
    let x = best.split("x=").nth(1).unwrap().split(' ').next().unwrap();
    assert!((x.parse::<i64>().unwrap() - 30).abs() <= 3, "{shown}");
    assert!(shown.contains("  left after "), "{shown}");
}
