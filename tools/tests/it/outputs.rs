//! Output files: a folder for each run, and copies of the newest.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{counter, names, run_in, script, words, write_cases};
use tempfile::{TempDir, tempdir};

const GAME: [&str; 4] = ["--seeds", "0..6", "--problem", "hitblow 1 10"];

/// A folder with `./one` and `./two`, which say who they are.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "one", "echo '# one'");
    counter(dir.path(), "two", "echo '# two'; echo oops >&2");
    dir
}

fn batch(dir: &Path, options: &[&str], program: &str) {
    let words = [&["batch"], &GAME[..], options, &["--", program]].concat();
    let shown = run_in(dir, &words, "");
    assert!(shown.status < 2, "{shown:?}");
}

/// Whether every stdout in a folder is that of a program.
fn all_say(folder: &Path, says: &str) -> bool {
    (0..6).all(|case| {
        let text = fs::read_to_string(folder.join(format!("{case:04}.txt"))).unwrap();
        text.starts_with(&format!("# {says}\n")) && text.ends_with('\n')
    })
}

#[test]
fn each_run_has_its_folder_and_the_newest_is_copied() {
    let dir = folder();
    let out = dir.path().join("out");
    batch(dir.path(), &[], "./two");
    assert!(all_say(&out, "two") && out.join("0003.err").exists());
    batch(dir.path(), &[], "./one");
    assert!(all_say(&out.join("runs/1"), "two") && all_say(&out.join("runs/2"), "one"));
    assert!(all_say(&out, "one"));
    // Nothing of the run before is taken for what the newest has said.
    assert_eq!(fs::read(out.join("0003.err")).unwrap(), b"");
    assert_eq!(fs::read(out.join("runs/1/0003.err")).unwrap(), b"oops\n");
    assert_eq!(names(&out.join("runs/2")).len(), 6);
    // What you do to the copies changes no run.
    fs::write(out.join("0000.txt"), "mine").unwrap();
    assert!(all_say(&out.join("runs/2"), "one"));
    // Outputs elsewhere, the same history.
    batch(dir.path(), &["--out", "a/b"], "./two");
    assert!(all_say(&dir.path().join("a/b/runs/3"), "two"));
    assert_eq!(names(&dir.path().join("a/b")).len(), 6 + 6 + 1);
    let history = run_in(dir.path(), &["history"], "").stdout;
    assert_eq!(history.lines().count(), 4, "{history}");
}

#[test]
fn outputs_of_older_runs_go_and_their_records_stay() {
    let dir = folder();
    let runs = dir.path().join("out/runs");
    batch(dir.path(), &["--keep-runs", "2", "--transcripts"], "./two");
    batch(dir.path(), &["--keep-runs", "2"], "./one");
    batch(dir.path(), &["--keep-runs", "2"], "./one");
    assert_eq!(names(&runs), ["2", "3"]);
    // Neither stderr nor transcripts of the first run are left in its folder.
    assert!(all_say(&runs.join("3"), "one"));
    assert_eq!(names(&runs.join("3")).len(), 6);
    let shown = run_in(dir.path(), &["show", "1", "--csv"], "");
    assert_eq!(shown.stdout.lines().count(), 7);
    // A duel keeps both of its sides.
    let duel = words("duel ./one ./two --max-cases 3 --problem 'hitblow 1 10'");
    let shown = run_in(dir.path(), &[&duel[..], &["--keep-runs", "1"]].concat(), "");
    assert!(shown.status < 2, "{shown:?}");
    assert_eq!(names(&runs), ["4", "5"]);
    assert_eq!(names(&runs.join("4")), ["0000.txt", "0001.txt", "0002.txt"]);
    for (run, says) in [("4", "# one\n"), ("5", "# two\n")] {
        let text = fs::read_to_string(runs.join(run).join("0002.txt")).unwrap();
        assert!(text.starts_with(says), "{text}");
    }
    assert_eq!(names(&dir.path().join("out/duel-a")).len(), 3);
    let shown = run_in(
        dir.path(),
        &["batch", "--keep-runs", "0", "--", "./one"],
        "",
    );
    assert_eq!(shown.status, 2);
    assert!(shown.stderr.contains("at least 1"), "{shown:?}");
}

#[test]
fn links_and_pipes_are_replaced_and_nothing_is_written_through_them() {
    let dir = folder();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("out")).unwrap();
    fs::write(at("precious"), "mine").unwrap();
    symlink("../precious", at("out/0000.txt")).unwrap();
    symlink("../precious", at("out/0000.err")).unwrap();
    symlink("../nowhere", at("out/0001.txt")).unwrap();
    fs::hard_link(at("precious"), at("out/0002.txt")).unwrap();
    for name in ["out/0003.txt", "out/0003.err"] {
        let made = Command::new("mkfifo").arg(at(name)).status().unwrap();
        assert!(made.success());
    }
    batch(dir.path(), &[], "./one");
    assert!(all_say(&at("out"), "one"));
    assert_eq!(fs::read_to_string(at("precious")).unwrap(), "mine");
    assert!(!at("nowhere").exists());
    for entry in fs::read_dir(at("out")).unwrap() {
        let kind = entry.unwrap().file_type().unwrap();
        assert!(!kind.is_symlink() && !kind.is_fifo());
    }
}

fn start(dir: &Path, program: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch"])
        .args(GAME)
        .args(["--jobs", "2", "--", program])
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn batches_at_the_same_time_each_keep_their_own_outputs() {
    let dir = folder();
    for round in 0..3 {
        let children =
            ["./one", "./two", "./one", "./two"].map(|program| start(dir.path(), program));
        for child in children {
            let ended = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(ended.status.success(), "{said}");
        }
        for run in round * 4 + 1..=round * 4 + 4 {
            let shown = run_in(dir.path(), &["show", &run.to_string()], "").stdout;
            let says = if shown.contains("./one\n") {
                "one"
            } else {
                "two"
            };
            assert!(
                all_say(&dir.path().join(format!("out/runs/{run}")), says),
                "{run}"
            );
        }
        // Each copy is one of them, whole.
        for case in 0..6 {
            let name = format!("{case:04}.txt");
            let copy = fs::read(dir.path().join("out").join(&name)).unwrap();
            let whole = (1..=round * 4 + 4).any(|run| {
                fs::read(dir.path().join(format!("out/runs/{run}/{name}"))).unwrap() == copy
            });
            assert!(whole, "{name}");
        }
    }
}

#[test]
fn cases_in_the_folder_of_a_run_are_refused() {
    let dir = folder();
    fs::create_dir_all(dir.path().join("out/runs/1")).unwrap();
    fs::write(dir.path().join("out/runs/1/0000.txt"), "hitblow 1 10\n3\n").unwrap();
    let shown = run_in(
        dir.path(),
        &["batch", "--cases", "out/runs/1", "--", "./one"],
        "",
    );
    assert_eq!(shown.status, 2);
    assert!(
        shown.stderr.contains("outputs and cases are in one folder"),
        "{shown:?}"
    );
}

#[test]
fn another_judges_line_writes_into_the_folder_of_the_run() {
    let dir = folder();
    write_cases(dir.path(), ["case\n"]);
    script(
        dir.path(),
        "scorer",
        "[ ! -s \"$2\" ] || echo stale; cat \"$1\" > \"$2\"; echo Score = 5",
    );
    let external = words("batch --external './scorer {case} {out}' --keep-runs 1");
    let out = dir.path().join("out");
    for run in ["1", "2"] {
        assert_eq!(run_in(dir.path(), &external, "").status, 0);
        let own = out.join("runs").join(run);
        assert_eq!(names(&own), ["0000.log", "0000.txt"]);
        assert_eq!(fs::read_to_string(own.join("0000.txt")).unwrap(), "case\n");
        assert_eq!(
            fs::read_to_string(own.join("0000.log")).unwrap(),
            "Score = 5\n"
        );
    }
    assert_eq!(fs::read_to_string(out.join("0000.txt")).unwrap(), "case\n");
    // A line that writes nothing leaves nothing, not even what was there.
    let nothing = words("batch --external 'echo {out}; : {case}; echo Score = 1' --keep-runs 1");
    assert_eq!(run_in(dir.path(), &nothing, "").status, 0);
    assert_eq!(names(&out.join("runs/3")), ["0000.log"]);
    assert!(!out.join("0000.txt").exists());
}
