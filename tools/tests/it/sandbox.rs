//! What a contestant can do to its surroundings, and what `--sandbox` closes.
//!
//! Where the machine offers no sandbox, only what it says then is tested.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixListener;
use std::path::Path;

use crate::common::{CASE, Shown, kernel_has_filters, run_in, script, words, write_cases};
use crate::expected::compiled_text;
use tempfile::{TempDir, tempdir};

/// A case in `in/`, and contestants beside it.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    let contestants = [
        (
            "honest",
            "read -r game; echo 0 1 2; read -r reply; echo 8 2 5; cat > /dev/null",
        ),
        // Guesses right only if it can read the case.
        ("thief", "read -r game; tail -n 1 in/0000.txt || echo 1 2 3"),
        (
            "vandal",
            "echo mine > in/0000.txt; echo mine > out/0000.txt; echo mine > mine; echo 8 2 5",
        ),
        ("crash", "kill -SEGV $$"),
        ("exits", "exit 7"),
        // Only a judge that lives can say that this is no guess.
        ("killer", "kill -TERM $PPID; kill -KILL $PPID; echo ten"),
        (
            "online",
            "grep -q : /proc/net/tcp && grep -c . /proc/net/route; echo 8 2 5",
        ),
        ("forks", "(sleep 71.5 &) ; setsid sleep 71.5 & echo 8 2 5"),
    ];
    for (name, body) in contestants {
        script(dir.path(), name, body);
    }
    dir
}

fn judged(dir: &Path, options: &[&str], program: &str) -> Shown {
    let path = format!("./{program}");
    run_in(dir, &[options, &[&path]].concat(), CASE)
}

/// The judge's last word on a case of `in/`, in a batch.
fn verdict(dir: &Path, options: &[&str], program: &str) -> (String, String) {
    let path = format!("./{program}");
    let args = [&["batch", "--json"], options, &["--", &path]].concat();
    let shown = run_in(dir, &args, "");
    let line: serde_json::Value = match shown.stdout.lines().next() {
        Some(line) => serde_json::from_str(line).unwrap(),
        None => panic!("{shown:?}"),
    };
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    (text("verdict"), text("reason"))
}

/// The [folder]; `None` if this machine has no sandbox, which the test's output then says.
fn folder_if_offered() -> Option<TempDir> {
    let dir = folder();
    let shown = judged(dir.path(), &["--sandbox"], "honest");
    if shown.status == 2 {
        assert!(
            shown
                .stderr
                .contains("failed to make a sandbox: bubblewrap: "),
            "{shown:?}"
        );
        eprintln!("not tested, for there is no sandbox here: {}", shown.stderr);
    }
    (shown.status != 2).then_some(dir)
}

#[test]
fn without_a_sandbox_a_program_of_the_same_user_can_read_the_case_by_its_path() {
    // As the documentation says.
    let dir = folder();
    assert_eq!(verdict(dir.path(), &[], "thief").0, "AC");
}

#[test]
fn a_sandbox_hides_the_cases_and_keeps_files_as_they_are() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    let at = |name: &str| dir.path().join(name);
    let sandbox = ["--sandbox"];
    let (thief, reason) = verdict(dir.path(), &sandbox, "thief");
    assert_eq!(thief, "WA", "{reason}");
    let alone = judged(dir.path(), &sandbox, "thief");
    assert!(alone.stderr.contains("WA: "), "{alone:?}");
    assert_eq!(verdict(dir.path(), &sandbox, "vandal").0, "AC");
    assert_eq!(fs::read_to_string(at("in/0000.txt")).unwrap(), CASE);
    assert_eq!(fs::read_to_string(at("out/0000.txt")).unwrap(), "8 2 5\n");
    assert!(!at("mine").exists());
}

#[test]
fn cases_of_seeds_and_outputs_of_other_runs_are_hidden_too() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    // The file of the folder has the number of the seed that is played, and so its secret.
    let made = run_in(dir.path(), &["gen", "--seeds", "0", "--force"], "");
    assert_eq!(made.status, 0, "{made:?}");
    let seeds = ["--seeds", "0"];
    let options = |more: &[&'static str]| [&seeds[..], more].concat();
    assert_eq!(verdict(dir.path(), &options(&[]), "thief").0, "AC");
    let hidden = verdict(dir.path(), &options(&["--sandbox"]), "thief").0;
    assert_eq!(hidden, "WA");
    // The last line of an earlier run's output is the secret, too.
    let earlier = run_in(dir.path(), &["batch", "--", "./thief"], "");
    assert_eq!(earlier.status, 0, "{earlier:?}");
    let elsewhere = ["--out", "elsewhere"];
    let body = "read -r game; tail -n 1 out/0000.txt || echo 1 2 3";
    script(dir.path(), "later", body);
    assert_eq!(verdict(dir.path(), &elsewhere, "later").0, "AC");
    let hidden = [&elsewhere[..], &["--sandbox"]].concat();
    assert_eq!(verdict(dir.path(), &hidden, "later").0, "WA");
}

#[test]
fn a_sandbox_changes_no_verdict() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    for program in ["honest", "crash", "exits"] {
        let (without, with) = (
            verdict(dir.path(), &[], program),
            verdict(dir.path(), &["--sandbox"], program),
        );
        assert_eq!(without, with);
    }
    let shown = judged(dir.path(), &["--sandbox"], "honest");
    let mut lines = shown.stderr.lines();
    assert!(lines.next().unwrap().starts_with("sandbox: "), "{shown:?}");
    assert_eq!(lines.collect::<Vec<_>>(), ["Score = 2"]);
    assert_eq!(shown.stdout, "0 1 2\n8 2 5\n");
}

#[test]
fn a_run_remembers_its_sandbox() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    fs::write(dir.path().join("in/0001.txt"), CASE).unwrap();
    let args = words("batch --sandbox --jobs 1 --fail-fast -- ./thief");
    assert_eq!(run_in(dir.path(), &args, "").status, 1);
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("\nsandbox "), "{shown}");
    // In which order is chance, so that it tells the program nothing.
    let repeats = |case| shown.contains(&format!("--sandbox -- ./thief < in/{case}.txt"));
    assert!(repeats("0000") || repeats("0001"), "{shown}");
    let unlike = run_in(dir.path(), &["batch", "--resume", "--", "./thief"], "");
    assert_eq!(unlike.status, 2, "{unlike:?}");
    // Were it not in the sandbox again, the second case would be read and solved.
    let resumed = run_in(dir.path(), &["batch", "--resume"], "");
    assert!(resumed.stdout.contains("verdicts   WA 2\n"), "{resumed:?}");
}

#[test]
fn a_sandbox_keeps_signals_from_the_judge() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    let told = judged(dir.path(), &["--sandbox"], "honest").stderr;
    if told.contains("signals can be sent") {
        eprintln!("not tested: {told}");
        return;
    }
    // In a namespace of its own it could send none to us, whatever the sandbox does.
    for options in [&["--sandbox"][..], &["--sandbox", "--no-containment"]] {
        let shown = judged(dir.path(), options, "killer");
        assert!(
            shown.stderr.contains("WA: turn 1: "),
            "{options:?}: {shown:?}"
        );
    }
}

#[test]
fn nothing_is_left_of_a_sandbox() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    assert_eq!(verdict(dir.path(), &["--sandbox"], "forks").0, "AC");
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mut commands = entries.filter_map(|e| fs::read_to_string(e.path().join("cmdline")).ok());
    assert!(!commands.any(|command| command.contains("sleep\u{0}71.5")));
}

#[test]
fn a_program_that_would_be_hidden_is_refused() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    fs::copy(dir.path().join("honest"), dir.path().join("in/honest")).unwrap();
    let shown = run_in(dir.path(), &["batch", "--sandbox", "--", "in/honest"], "");
    assert_eq!(shown.status, 2);
    assert!(
        shown
            .stderr
            .contains("failed to make a sandbox: it would hide in/honest"),
        "{shown:?}"
    );
}

#[test]
fn without_bubblewrap_the_kernel_itself_hides_the_cases() {
    let dir = folder();
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for tool in ["sh", "tail", "cat", "sleep"] {
        let path = std::env::var_os("PATH").unwrap();
        let found = std::env::split_paths(&path)
            .map(|dir| dir.join(tool))
            .find(|file| file.exists());
        std::os::unix::fs::symlink(found.unwrap(), bin.join(tool)).unwrap();
    }
    let judged = |program: &str| {
        let output = crate::common::tester(&["--sandbox", program])
            .current_dir(dir.path())
            .env("PATH", &bin)
            .write_stdin(CASE)
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let honest = judged("./honest");
    if honest.contains("failed to make a sandbox") {
        assert!(honest.contains("not installed"), "{honest}");
        return;
    }
    assert!(honest.starts_with("sandbox: Landlock"), "{honest}");
    assert!(honest.ends_with("\nScore = 2\n"), "{honest}");
    assert!(judged("./thief").contains("WA: "));
    assert!(judged("./vandal").ends_with("Score = 1\n"));
    assert_eq!(
        fs::read_to_string(dir.path().join("in/0000.txt")).unwrap(),
        CASE
    );
    assert!(!dir.path().join("mine").exists());
    if !honest.contains("signals can be sent") {
        assert!(judged("./killer").contains("WA: turn 1: "));
    }
}

#[test]
fn cases_that_are_elsewhere_as_well_are_hidden_there_too() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    let at = |name: &str| dir.path().join(name);
    // In git's own files, and where a link leads.
    for name in [".git", "real"] {
        fs::create_dir(at(name)).unwrap();
        fs::write(at(name).join("copy"), CASE).unwrap();
    }
    fs::remove_file(at("in/0000.txt")).unwrap();
    std::os::unix::fs::symlink(at("real/copy"), at("in/0000.txt")).unwrap();
    for name in [".git", "real"] {
        let body = format!("read -r game; tail -n 1 {name}/copy || echo 1 2 3");
        script(dir.path(), "thief", &body);
        assert_eq!(verdict(dir.path(), &[], "thief").0, "AC", "{name}");
        assert_eq!(
            verdict(dir.path(), &["--sandbox"], "thief").0,
            "WA",
            "{name}"
        );
    }
}

/// Sees 1 if the program's first line is the secret, 9 otherwise.
const INTERACTOR: &str = r#"tail -n 1 "$1" > "$2/note"; echo go; read -r guess
    [ "$guess" = "$(tail -n 1 "$1")" ] && echo Score = 1 >&2 || echo Score = 9 >&2"#;

#[test]
fn a_sandbox_hides_the_cases_of_an_interactor_and_what_it_writes_in_duels_too() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    script(dir.path(), "inter", INTERACTOR);
    let line = "./inter {case} {feedback}";
    script(dir.path(), "blind", "read -r go; echo 0 0 0");
    script(
        dir.path(),
        "reads",
        "read -r go; cat in/0000.txt | tail -n 1 || echo none",
    );
    let note = "find \"$TMPDIR\" -name note -exec cat {} + 2> /dev/null | grep . || echo none";
    script(dir.path(), "spies", &format!("read -r go; {note}"));
    let temporary = dir.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let scores = |words: &[&str], programs: &[&str]| {
        let judge = ["--interactor", line, "--contract", "atcoder"];
        let output = crate::common::tester(&[words, &judge, programs].concat())
            .current_dir(dir.path())
            .env("TMPDIR", &temporary)
            .output()
            .unwrap();
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(
            !said.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let row = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        let rows = said.lines().filter(|line| {
            ["A  ", "B  ", "mean "]
                .iter()
                .any(|name| line.starts_with(name))
        });
        rows.filter_map(row).collect::<Vec<_>>()
    };
    for program in ["./reads", "./spies"] {
        assert_eq!(
            scores(&["batch"], &["--", program]),
            ["1.0000"],
            "{program}"
        );
        let hidden = scores(&["batch", "--sandbox"], &["--", program]);
        assert_eq!(hidden, ["9.0000"], "{program}");
        let hidden = scores(&["duel", "--sandbox"], &["./blind", program]);
        assert_eq!(hidden, ["9.0000", "9.0000"], "{program}");
    }
    // Of two cases at once, neither program can read what is written about the other.
    let copy = dir.path().join("in/0001.txt");
    fs::copy(dir.path().join("in/0000.txt"), copy).unwrap();
    script(dir.path(), "slow", "read -r go; sleep 0.3; echo 0 0 0");
    script(
        dir.path(),
        "spies",
        &format!("read -r go; sleep 0.1; {note}"),
    );
    for sides in [["./slow", "./spies"], ["./spies", "./slow"]] {
        let hidden = scores(&["duel", "--sandbox", "--jobs", "2"], &sides);
        assert_eq!(hidden, ["9.0000", "9.0000"], "{sides:?}");
    }
}

#[test]
fn cases_that_are_named_without_a_folder_are_hidden_too() {
    let Some(dir) = folder_if_offered() else {
        return;
    };
    let thief = script(
        dir.path(),
        "near",
        "read -r game; tail -n 1 0000.txt || echo 1 2 3",
    );
    let args = ["batch", "--cases", "0*.txt", "--out", "../out", "--json"];
    let args = [&args[..], &["--sandbox", "--", thief.to_str().unwrap()]].concat();
    let shown = run_in(&dir.path().join("in"), &args, "");
    assert!(shown.stdout.contains("\"verdict\":\"WA\""), "{shown:?}");
}

#[test]
fn an_older_bubblewrap_is_used_without_its_newer_options() {
    let dir = folder();
    let path = std::env::var("PATH").unwrap();
    let mut real = std::env::split_paths(&path).map(|dir| dir.join("bwrap"));
    let Some(real) = real.find(|file| file.exists()) else {
        eprintln!("not tested, for there is no bubblewrap here");
        return;
    };
    let refuse = "for word; do case $word in --size|--disable-userns) echo \"bwrap: Unknown option $word\" >&2; exit 1;; esac; done";
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    script(
        &bin,
        "bwrap",
        &format!("{refuse}\nexec {} \"$@\"", real.display()),
    );
    let body = "read -r game; ( : > /dev/shm/file ) 2>/dev/null && echo shm >&2; ( : >> /proc/1/mem ) 2>/dev/null && \
                echo mem >&2; ( : >> /proc/sys/kernel/core_pattern ) 2>/dev/null && echo sys >&2; echo 8 2 5";
    script(dir.path(), "probe", body);
    let output = crate::common::tester(&["--sandbox", "./probe"])
        .current_dir(dir.path())
        .env("PATH", format!("{}:{path}", bin.display()))
        .write_stdin(CASE)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("sandbox: bubblewrap: "), "{said}");
    assert_eq!(lines[1..], ["Score = 1"]);
}

/// Guesses what a service outside tells it, or wrong.
const ASKS: &str = r#"
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
fn main() {
    let (mut one, mut other) = UnixStream::pair().unwrap();
    (one.write_all(b"x").unwrap(), other.read_exact(&mut [0]).unwrap());
    let mut told = String::new();
    match UnixStream::connect("service") {
        Ok(mut service) => drop(service.read_to_string(&mut told).unwrap()),
        Err(_) => told.push_str("1 2 3"),
    }
    println!("{told}");
}
"#;

#[test]
fn no_sandbox_lets_a_program_ask_a_service_outside() {
    if !kernel_has_filters() {
        return;
    }
    let dir = folder();
    compiled_text(dir.path(), "asks", ASKS);
    let service = UnixListener::bind(dir.path().join("service")).unwrap();
    std::thread::spawn(move || {
        for asked in service.incoming() {
            let _ = asked.unwrap().write_all(b"8 2 5");
        }
    });
    let judged = |sandbox: &[&str], path: &str| {
        let words = [&["batch", "--json"], sandbox, &["--", "./asks"]].concat();
        let mut command = crate::common::tester(&words);
        command.current_dir(dir.path()).env("PATH", path);
        let output = command.output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let path = std::env::var("PATH").unwrap();
    assert!(judged(&[], &path).contains(r#""verdict":"AC""#));
    // Without bubblewrap in the path, Landlock is taken.
    for path in [&path, "/nowhere"] {
        let said = judged(&["--sandbox"], path);
        if said.contains("failed to make a sandbox") || said.contains("can be reached") {
            eprintln!("not tested: {said}");
            continue;
        }
        assert!(said.contains(r#""verdict":"WA""#), "{said}");
    }
}
