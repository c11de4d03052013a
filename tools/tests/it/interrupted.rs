//! A batch that is interrupted keeps what is done, and is gone on with.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{self, Shown, counter, names, run_in, script, words, write_cases};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};
use tester::problem::rng::{CaseRng, Seed};

const CASES: usize = 60;
const BATCH: [&str; 7] = [
    "batch",
    "--seeds",
    "0..60",
    "--problem",
    "hitblow 1 10",
    "--jobs",
    "2",
];

/// A folder with a contestant that takes a little time.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "sleep 0.05");
    dir
}

fn start(dir: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(BATCH)
        .args(["--", "./c"])
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// How many cases the history says are judged.
fn judged(dir: &Path) -> usize {
    run_in(dir, &["show", "--json"], "").stdout.lines().count()
}

/// Waits until some cases are done.
fn wait_for_some(dir: &Path) {
    let begun = Instant::now();
    while judged(dir) < 5 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "no case was judged"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Cases, verdicts and scores of the last run.
fn outcomes(dir: &Path) -> Vec<String> {
    let lines = run_in(dir, &["show", "--csv"], "").stdout;
    let part = |line: &str| line.split(',').take(4).collect::<Vec<_>>().join(",");
    lines.lines().map(part).collect()
}

/// The table without the lines that depend on the machine, and without the run's number.
fn table(stdout: &str) -> Vec<String> {
    let machine = ["slowest", "run ", "against"];
    let lines = stdout
        .lines()
        .filter(|l| !machine.iter().any(|m| l.starts_with(m)));
    lines.map(str::to_owned).collect()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn killed_interrupted_or_terminated_it_is_gone_on_with_to_the_same_table() {
    let dir = folder();
    let whole = run_in(dir.path(), &[&BATCH[..], &["--", "./c"]].concat(), "");
    assert_eq!(whole.status, 0, "{whole:?}");
    let expected = outcomes(dir.path());
    assert_eq!(expected.len(), CASES + 1);
    for by in [Signal::KILL, Signal::INT, Signal::TERM] {
        let dir = folder();
        let child = start(dir.path());
        wait_for_some(dir.path());
        signal(&child, by);
        let ended = child.wait_with_output().unwrap();
        use std::os::unix::process::ExitStatusExt;
        assert_eq!(ended.status.signal(), Some(by.as_raw()));
        let kept = judged(dir.path());
        assert!((5..CASES).contains(&kept), "{by:?}: {kept}");
        if by != Signal::KILL {
            let stdout = String::from_utf8_lossy(&ended.stdout);
            assert!(
                stdout.contains(&format!("verdicts   AC {kept}\n")),
                "{stdout}"
            );
            let stderr = String::from_utf8_lossy(&ended.stderr);
            assert!(stderr.contains("tester batch --resume=1"), "{stderr}");
        }
        let resumed = run_in(dir.path(), &["batch", "--resume"], "");
        assert_eq!(resumed.status, 0, "{resumed:?}");
        assert_eq!(outcomes(dir.path()), expected, "{by:?}");
        assert_eq!(table(&resumed.stdout), table(&whole.stdout));
        // Nothing half done is left, not even after a kill.
        let left = names(&dir.path().join("out"));
        assert_eq!(left.len(), CASES + 2, "{left:?}");
        let own = names(&dir.path().join("out/runs/1"));
        assert_eq!(own, left[..CASES], "{by:?}");
    }
}

/// Goes on until it is done, and is killed at another moment each time but the last.
fn killed_at_random(dir: &Path, draw: &mut CaseRng, kills: usize) {
    for round in 0..kills {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tester"));
        match dir.join("out/history.sqlite").exists() && round > 0 {
            true => command.args(["batch", "--resume"]),
            false => command.args(BATCH).args(["--", "./c"]),
        };
        let quiet = command.current_dir(dir).stdin(Stdio::null());
        let mut child = quiet
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(draw.below(150_000)));
        // It may be done by then.
        let _ = child.kill();
        child.wait().unwrap();
    }
}

#[test]
fn killed_at_any_moment_again_and_again_nothing_is_lost_or_half_done() {
    let whole = tempdir().unwrap();
    counter(whole.path(), "c", "");
    let args = [&BATCH[..], &["--", "./c"]].concat();
    assert_eq!(run_in(whole.path(), &args, "").status, 0);
    let (expected, outputs) = (outcomes(whole.path()), names(&whole.path().join("out")));
    // More of them: KILLS=500 cargo test -p tester --test it interrupted::killed_at
    let rounds: u64 = std::env::var("KILLS").map_or(12, |text| text.parse().unwrap());
    for seed in 0..rounds {
        let dir = tempdir().unwrap();
        counter(dir.path(), "c", "");
        killed_at_random(dir.path(), &mut CaseRng::new(Seed(seed)), 4);
        let mut kept = Vec::new();
        if dir.path().join("out/history.sqlite").exists() {
            kept = outcomes(dir.path());
        }
        let known = kept.iter().all(|outcome| expected.contains(outcome));
        assert!(known, "seed {seed}: {kept:?}");
        let shown = run_in(dir.path(), &["batch", "--resume"], "");
        // There is nothing to go on with if it was killed before it began, or after it was done.
        if shown.status == 2 {
            let nothing = ["none", "only others", "is done", "no history"];
            let told = nothing.iter().any(|word| shown.stderr.contains(word));
            assert!(told, "seed {seed}: {shown:?}");
            let again = run_in(dir.path(), &args, "");
            assert_eq!(again.status, 0, "seed {seed}: {again:?}");
        } else {
            assert_eq!(shown.status, 0, "seed {seed}: {shown:?}");
        }
        assert_eq!(outcomes(dir.path()), expected, "seed {seed}");
        let left: Vec<_> = names(&dir.path().join("out"));
        let left: Vec<_> = left
            .into_iter()
            .filter(|n| !n.contains("sqlite-"))
            .collect();
        assert_eq!(left, outputs, "seed {seed}");
        for name in outputs.iter().filter(|name| name.ends_with(".txt")) {
            let read = |dir: &TempDir| fs::read(dir.path().join("out").join(name)).unwrap();
            assert_eq!(read(&dir), read(&whole), "seed {seed}: {name}");
        }
    }
}

/// A tester that is being killed may hold its lock for some more milliseconds.
#[test]
fn a_run_whose_tester_is_about_to_end_is_waited_for() {
    for word in ["--resume", "--resume=1"] {
        let dir = tempdir().unwrap();
        counter(dir.path(), "c", "[ -e fast ] || sleep 0.3");
        let mut child = start(dir.path());
        wait_for_some(dir.path());
        let living = run_in(dir.path(), &["batch", word], "");
        assert_eq!(living.status, 2, "{living:?}");
        let told = match word {
            "--resume" => {
                "found only run 1, which is still being judged\nhint: `tester history` lists all runs\n"
            }
            _ => "another process is judging run 1\n",
        };
        assert!(living.stderr.ends_with(told), "{living:?}");
        let path = dir.path().to_owned();
        let resumed = std::thread::spawn(move || run_in(&path, &["batch", word], ""));
        std::thread::sleep(Duration::from_millis(300));
        std::fs::write(dir.path().join("fast"), "").unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = resumed.join().unwrap();
        assert_eq!(resumed.status, 0, "{resumed:?}");
    }
}

#[test]
fn a_disk_that_is_full_costs_no_finished_case() {
    // Reaching the limit is an error, whether the signal is ignored or not.
    for before in ["trap '' XFSZ; ", ""] {
        let dir = folder();
        let output = limited(dir.path(), before, &[&BATCH[..], &["--", "./c"]].concat());
        keeps_what_was_done(dir.path(), &output);
    }
}

/// `tester` where no file may be longer than 120 KiB.
fn limited(dir: &Path, before: &str, args: &[&str]) -> Output {
    let tester = env!("CARGO_BIN_EXE_tester");
    let limited = format!("{before}ulimit -f 240; exec {tester} \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, "sh"])
        .args(args)
        .current_dir(dir)
        .output();
    output.unwrap()
}

fn keeps_what_was_done(dir: &Path, output: &Output) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("out/history.sqlite"), "{stderr}");
    // The cause comes first, and how to continue last.
    let lines: Vec<&str> = stderr.lines().collect();
    let place = |part: &str| lines.iter().position(|line| line.contains(part));
    let (cause, remark) = (place("tester: failed to "), place(" are judged and kept"));
    assert!(cause.is_some() && cause < remark, "{stderr}");
    let last = lines.last().unwrap_or(&"");
    assert!(last.starts_with("hint: to continue: "), "{stderr}");
    let kept = judged(dir);
    assert!((1..CASES).contains(&kept), "{kept} {stderr}");
    assert!(
        stderr.contains(&format!("{kept} of {CASES} cases")),
        "{stderr}"
    );
    let resumed = run_in(dir, &["batch", "--resume"], "");
    assert_eq!(resumed.status, 0, "{resumed:?}");
    assert!(resumed.stdout.contains("verdicts   AC 60\n"), "{resumed:?}");
}

#[test]
fn programs_end_by_the_limit_on_files_as_without_a_judge() {
    let dir = tempdir().unwrap();
    // A contestant, a build line and a line of another judge.
    script(
        dir.path(),
        "large",
        "exec head -c 1000000 /dev/zero > large.out",
    );
    let by_signal = "./large; [ $? = 153 ]";
    let line = format!("{by_signal}; echo Score = $?7; {{command}} < {{case}}");
    write_cases(dir.path(), ["\n"]);
    let own = words("batch --seeds 0..1 --problem 'hitblow 1 10' -- ./large");
    let shown = limited(dir.path(), "", &own);
    let stdout = String::from_utf8_lossy(&shown.stdout);
    assert!(stdout.contains("SIGXFSZ"), "{shown:?}");
    let other = ["batch", "--external", &line, "--objective", "min"];
    let other = [&other[..], &["--build", by_signal, "--json", "--", "true"]].concat();
    let shown = limited(dir.path(), "", &other);
    let stdout = String::from_utf8_lossy(&shown.stdout);
    assert!(stdout.contains("\"score\":7,"), "{shown:?}");
}

#[test]
fn nothing_is_called_kept_after_the_history_was_removed() {
    let dir = folder();
    let child = start(dir.path());
    wait_for_some(dir.path());
    // Files are written into it meanwhile, so that it may be filled again.
    while dir.path().join("out/history.sqlite").exists() {
        let _ = fs::remove_dir_all(dir.path().join("out"));
    }
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{stderr}");
    assert!(!stderr.contains("--resume"), "{stderr}");
    assert!(!stderr.contains("cases are judged and kept"), "{stderr}");
    let told = "history out/history.sqlite was removed or replaced";
    assert!(stderr.contains(told), "{stderr}");
}

#[test]
fn batches_at_the_same_time_keep_all_runs() {
    let dir = folder();
    let children: Vec<Child> = (0..3).map(|_| start(dir.path())).collect();
    for child in children {
        let ended = child.wait_with_output().unwrap();
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
    let runs: Vec<_> = ["1", "2", "3"]
        .map(|run| run_in(dir.path(), &["show", run, "--csv"], "").stdout)
        .into();
    assert!(runs.iter().all(|run| run.lines().count() == CASES + 1));
    let history = run_in(dir.path(), &["history"], "").stdout;
    assert_eq!(history.matches("  done  ").count(), 3, "{history}");
}

#[test]
fn only_what_is_the_same_is_gone_on_with() {
    let dir = folder();
    let resume = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["batch"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(resume(&["--resume"]), @"
    tester: no history at out/history.sqlite
    hint: `tester batch` makes a history; --history FILE names another
    ");
    write_cases(
        dir.path(),
        (0..4).map(|case| format!("hitblow 1 10\n{case}\n")),
    );
    script(dir.path(), "bad", "exit 1");
    let args = ["batch", "--jobs", "1", "--fail-fast", "--", "./bad"];
    assert_eq!(run_in(dir.path(), &args, "").status, 1);
    insta::assert_snapshot!(resume(&["--resume", "--", "./c"]), @"
    tester: no such run in out/history.sqlite: expected an unfinished run of this command, on these cases, with these limits, found only others, the newest is run 1: ./bad on folder in
    hint: `tester history` lists all runs
    ");
    insta::assert_snapshot!(resume(&["--resume=1", "--", "./c"]), @"
    tester: run 1 has other settings: ./bad on folder in
    hint: --resume without the program and its options continues it with its own settings
    ");
    insta::assert_snapshot!(resume(&["--resume=7"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "7"
    hint: `tester history` lists all runs
    "#);
    for ignored in [
        &["--tag", "x"][..],
        &["--time-limit", "9"],
        &["--transcripts"],
    ] {
        let told = resume(&[&["--resume"], ignored].concat());
        assert!(
            told.contains("--resume") || told.contains("resumed"),
            "{told}"
        );
    }
    fs::rename(
        dir.path().join("in/0000.txt"),
        dir.path().join("in/0009.txt"),
    )
    .unwrap();
    insta::assert_snapshot!(resume(&["--resume"]), @"
    tester: failed to resume run 1: case 0000 was judged, but is no longer in folder in
    hint: begin another run without --resume; the judged cases stay in the history
    ");
    fs::rename(
        dir.path().join("in/0009.txt"),
        dir.path().join("in/0000.txt"),
    )
    .unwrap();
    fs::write(dir.path().join("in/0000.txt"), "hitblow 1 10\n9\n").unwrap();
    insta::assert_snapshot!(resume(&["--resume"]), @"
    tester: failed to resume run 1: case 0000 has changed since it was judged
    hint: begin another run without --resume; the judged cases stay in the history
    ");
    fs::remove_file(dir.path().join("in/0003.txt")).unwrap();
    insta::assert_snapshot!(resume(&["--resume"]), @"
    tester: failed to resume run 1: expected 4 cases in folder in, found 3
    hint: begin another run without --resume; the judged cases stay in the history
    ");
    script(dir.path(), "bad", "exit 2");
    insta::assert_snapshot!(resume(&["--resume"]), @"
    tester: failed to resume run 1: ./bad has changed since the run began
    hint: begin another run without --resume; the judged cases stay in the history
    ");
    // All of that has changed nothing.
    assert_eq!(judged(dir.path()), 1);
    let args = ["batch", "--", "./c"];
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    insta::assert_snapshot!(resume(&["--resume=2"]), @"tester: run 2 is done: it has no case left to judge");
}

#[test]
fn a_run_that_cannot_go_on_names_the_file_that_has_changed() {
    let dir = folder();
    write_cases(
        dir.path(),
        (0..2).map(|case| format!("hitblow 1 10\n{case}\n")),
    );
    for place in ["here", "there"] {
        fs::create_dir(dir.path().join(place)).unwrap();
        script(
            &dir.path().join(place),
            "interpreter",
            &format!("# {place}\nexec sh \"$1\""),
        );
    }
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let path = std::env::var("PATH").unwrap();
    let run = |place: &str, args: &[&str]| {
        let mut command = common::tester(&[&["batch"], args].concat());
        let path = format!("{place}:{path}");
        let output = command.current_dir(dir.path()).env("PATH", path).output();
        Shown::from(output.unwrap())
    };
    write("main.sh", "exit 1\n");
    write("weights", "1\n");
    let words = ["--fail-fast", "--jobs", "1", "--", "interpreter", "main.sh"];
    assert_eq!(run("here", &words).status, 1);
    let reason = |place: &str| {
        let shown = run(place, &["--resume"]);
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(reason("there"), @"tester: failed to resume run 1: interpreter is another program than when the run began: it is found at there/interpreter now");
    write("main.sh", "exit 2\n");
    insta::assert_snapshot!(reason("here"), @"tester: failed to resume run 1: main.sh has changed since the run began");
    write("main.sh", "exit 1\n");
    assert_eq!(run("here", &["--resume"]).status, 1);
    // No source of these is kept, so any of them may be the one.
    assert_eq!(run("here", &[&words[..], &["weights"]].concat()).status, 1);
    write("weights", "2\n");
    insta::assert_snapshot!(reason("here"), @"tester: failed to resume run 2: interpreter main.sh weights has changed since the run began: at least one of here/interpreter, weights");
    fs::remove_file(dir.path().join("main.sh")).unwrap();
    insta::assert_snapshot!(reason("here"), @"tester: failed to resume run 2: main.sh has changed since the run began");
}
