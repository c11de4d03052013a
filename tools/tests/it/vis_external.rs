//! A contest's own visualizer: run for the worst cases after a batch, and for one case on demand, each in a folder of
//! its own.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Shown, names, run_in, script};

/// A contest as it is unpacked: five cases, a tester whose score is the first number of the case, and a visualizer that
/// writes `vis.html` into the current folder, as the official ones do.
pub(super) fn contest(dir: &Path) {
    std::fs::create_dir_all(dir.join("tools/in")).unwrap();
    for (number, score) in [30, 10, 50, 20, 40].into_iter().enumerate() {
        let case = dir.join(format!("tools/in/{number:04}.txt"));
        std::fs::write(case, format!("{score} {number}\nsecond line\n")).unwrap();
    }
    script(
        &dir.join("tools"),
        "t",
        "cat; read -r score rest < $1; echo Score = $score >&2",
    );
    // Its own relative path, and what it draws from.
    let vis = "read -r score number < $1; read -r line < $2\n\
               cat tools/head.html > vis.html\n\
               echo \"<svg width='400' height='300'><rect width='400' height='300' fill='#cde'/><circle cx='200' cy='150' r='$score' fill='#07a'><title>case $number</title></circle></svg><p id='line'>$line</p>\" >> vis.html\n\
               echo Score = $score";
    script(&dir.join("tools"), "vis", vis);
    let head = "<!DOCTYPE html><title>vis</title><p id='by'>no script</p><script>addEventListener('load', () => { document.getElementById('by').textContent = 'drawn by script' })</script>";
    std::fs::write(dir.join("tools/head.html"), head).unwrap();
    let config = "version = 1\n[judge]\nexternal = \"./tools/t {case} < {case} > {out}\"\n\
                  vis = \"./tools/vis {case} {out}\"\n[batch]\ncases = \"tools/in\"\n";
    std::fs::write(dir.join("tester.toml"), config).unwrap();
}

/// Changes the settings of the contest.
pub(super) fn configure(dir: &Path, from: &str, to: &str) {
    let path = dir.join("tester.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(path, text.replace(from, to)).unwrap();
}

pub(super) fn vis(dir: &Path, words: &[&str]) -> Shown {
    run_in(dir, &[&["vis"], words].concat(), "")
}

pub(super) fn content(dir: &Path, path: &str) -> String {
    std::fs::read_to_string(dir.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn the_worst_cases_are_drawn_after_a_batch_each_in_its_own_folder() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let shown = run_in(dir.path(), &["batch"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let drawn = shown.stderr.split_once("drawn ").unwrap().1;
    insta::assert_snapshot!(drawn, @"
    0002  out/runs/1/vis/0002/vis.html
          0004  out/runs/1/vis/0004/vis.html
          0000  out/runs/1/vis/0000/vis.html
    ");
    assert_eq!(
        names(&dir.path().join("out/runs/1/vis")),
        ["0000", "0002", "0004"]
    );
    for (case, score) in [("0000", 30), ("0002", 50), ("0004", 40)] {
        // No link is left in it.
        assert_eq!(
            names(&dir.path().join(format!("out/runs/1/vis/{case}"))),
            ["vis.html"]
        );
        let page = content(dir.path(), &format!("out/runs/1/vis/{case}/vis.html"));
        assert!(page.contains(&format!("r='{score}'")), "{page}");
    }
    assert!(!dir.path().join("vis.html").exists() && !dir.path().join("out/vis.html").exists());
    // As many as are asked for. A folder that another run gets has none of its pictures.
    let shown = run_in(
        dir.path(),
        &["batch", "--vis-worst", "1", "--keep-runs", "1"],
        "",
    );
    assert_eq!(names(&dir.path().join("out/runs")), ["2"], "{shown:?}");
    assert_eq!(names(&dir.path().join("out/runs/2/vis")), ["0002"]);
    configure(dir.path(), "[batch]", "[batch]\nvis_worst = 0");
    let shown = run_in(dir.path(), &["batch"], "");
    assert!(!shown.stderr.contains("drawn "), "{shown:?}");
    assert!(!dir.path().join("out/runs/3/vis").exists());
}

#[test]
fn the_first_failed_case_is_drawn_too() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    std::fs::write(dir.path().join("tools/in/0003.txt"), "0 3\n").unwrap();
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "2"], "");
    assert_eq!(shown.status, 1, "{shown:?}");
    assert_eq!(names(&dir.path().join("out/runs/1/vis")), ["0002", "0003"]);
}

#[test]
fn worst_drawn_cases_are_those_that_lose_most_against_the_best_known_run() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    // More cases than the table names.
    for number in 5..8 {
        let case = dir.path().join(format!("tools/in/{number:04}.txt"));
        std::fs::write(case, "1 1\n").unwrap();
    }
    assert_eq!(
        run_in(dir.path(), &["batch", "--vis-worst", "0"], "").status,
        0
    );
    // The cases with the least scores get worse, 0001 by the largest ratio; the largest scores stay.
    let worse = "cat; read -r score rest < $1; [ $score -lt 30 ] && score=$((score + 5)); echo Score = $score >&2";
    script(&dir.path().join("tools"), "t", worse);
    let drawn = |more: &[&str]| {
        let shown = run_in(dir.path(), &[&["batch"], more].concat(), "");
        let cases = shown.stderr.split_once("drawn ").unwrap().1.lines();
        let cases = cases.map(|line| line.split_whitespace().next().unwrap().to_owned());
        cases.collect::<Vec<_>>().join(" ")
    };
    // All lost 5, so the largest scores of these come first; then those that lost nothing.
    assert_eq!(
        drawn(&["--vis-worst", "7"]),
        "0003 0001 0005 0006 0007 0002 0004"
    );
    assert_eq!(drawn(&["--by", "log"]), "0005 0006 0007");
}

#[test]
fn a_zero_has_its_reason_where_parameters_are_read_and_cases_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    configure(dir.path(), "[batch]", "parameters = \"N id\"\n[batch]");
    script(
        &dir.path().join("tools"),
        "t",
        "cat; read -r score id < $1; [ $id = 3 ] && { echo Day 2 is full. >&2; score=0; }\n\
         echo \"[DATA] loops = $((id * id))\" >&2; echo Score = $score >&2",
    );
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "1"], "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let own = shown.stderr.split_once('\n').unwrap().1;
    insta::assert_snapshot!(own, @"
    0003  WA: score 0: Day 2 is full.
    drawn      0003  out/runs/1/vis/0003/vis.html
    ");
    let failed = "0003  WA: score 0: Day 2 is full.\n      N=20 id=3 loops=9\n";
    assert!(shown.stdout.contains(failed), "{shown:?}");
}

#[test]
fn a_case_is_drawn_on_demand_and_the_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    assert_eq!(
        run_in(dir.path(), &["batch", "--vis-worst", "0"], "").status,
        0
    );
    let drawn = |words: &[&str]| {
        let shown = vis(dir.path(), words);
        assert_eq!(
            (shown.status, shown.stdout.as_str()),
            (0, "Score = 20\n"),
            "{shown:?}"
        );
        shown.stderr
    };
    assert_eq!(
        drawn(&["tools/in/0003.txt", "out/0003.txt"]),
        "out/vis/0003/vis.html of out/0003.txt\n"
    );
    // The newest output of the case, which the report shows then.
    let in_run = "out/runs/1/vis/0003/vis.html of out/runs/1/0003.txt\n";
    assert_eq!(drawn(&["tools/in/0003.txt"]), in_run);
    assert_eq!(drawn(&["3"]), in_run);
    assert_eq!(drawn(&["3", "--run", "1"]), in_run);
    assert_eq!(
        drawn(&["3", "--to", "here.html"]),
        "here.html of out/runs/1/0003.txt\n"
    );
    assert!(content(dir.path(), "here.html").contains("case 3"));
    // Also one that a batch without words would not judge.
    configure(
        dir.path(),
        "cases = \"tools/in\"",
        "cases = [\"tools/in\", \"0..3\"]\nheld_out = \"3..5\"",
    );
    assert_eq!(drawn(&["3"]), in_run);
    // With a run's own settings, where there are no others.
    let config = dir.path().join("tester.toml");
    std::fs::rename(&config, dir.path().join("elsewhere.toml")).unwrap();
    assert_eq!(drawn(&["3", "--run", "1"]), in_run);
    std::fs::rename(dir.path().join("elsewhere.toml"), &config).unwrap();
    // Without a history, the copies are left.
    std::fs::remove_file(dir.path().join("out/history.sqlite")).unwrap();
    assert_eq!(drawn(&["3"]), "out/vis/0003/vis.html of out/0003.txt\n");
}

#[test]
fn an_output_of_another_case_with_this_number_is_not_drawn() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let batch = |words: &[&str]| {
        let shown = run_in(
            dir.path(),
            &[&["batch", "--vis-worst", "1"], words].concat(),
            "",
        );
        assert_eq!(shown.status, 0, "{shown:?}");
    };
    batch(&[]);
    let other = dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("0003.txt"), "70 3\nother line\n").unwrap();
    batch(&["--cases", "other"]);
    let picture = content(dir.path(), "out/runs/2/vis/0003/vis.html");
    // The newest run has judged another file of this number.
    let drawn = |words: &[&str]| vis(dir.path(), words).stdout;
    assert_eq!(drawn(&["3"]), "Score = 20\n");
    assert_eq!(drawn(&["other/0003.txt"]), "Score = 70\n");
    assert_eq!(drawn(&["3", "--run", "2"]), "Score = 70\n");
    // The file has changed since.
    std::fs::write(dir.path().join("tools/in/0003.txt"), "21 3\nsecond line\n").unwrap();
    insta::assert_snapshot!(vis(dir.path(), &["3"]).stderr, @"
    tester: no output of tools/in/0003.txt: in run 2, case 0003 had other content
    hint: `tester vis 0003 --run 2` draws the case of that run; an output that is named is drawn in any case
    ");
    assert_eq!(
        drawn(&["3", "out/runs/1/0003.txt", "--to", "here.html"]),
        "Score = 21\n"
    );
    assert_eq!(content(dir.path(), "out/runs/2/vis/0003/vis.html"), picture);
}

#[test]
fn what_keeps_a_case_from_being_drawn_is_said_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    assert_eq!(
        run_in(dir.path(), &["batch", "--vis-worst", "0"], "").status,
        0
    );
    let refused = |words: &[&str]| {
        let shown = vis(dir.path(), words);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["77"]), @"
    tester: no case 0077 in folder tools/in
    hint: name the file of a case, such as tools/in/0000.txt
    ");
    insta::assert_snapshot!(refused(&["tools/in/none.txt"]), @"
    tester: no case tools/in/none.txt
    hint: name its file, such as tools/in/0007.txt, or its number
    ");
    insta::assert_snapshot!(refused(&["3", "1"]), @"
    tester: expected an output of the program, found no file 1
    hint: to draw the case as a run of the history played it: `tester vis 3 --run 1`
    ");
    insta::assert_snapshot!(refused(&["3", "--run", "9"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "9"
    hint: `tester history` lists all runs
    "#);
    std::fs::remove_dir_all(dir.path().join("out/runs")).unwrap();
    let expired = refused(&["3", "--run", "1"]);
    assert!(expired.contains("hint: only the newest"), "{expired}");
    std::fs::remove_dir_all(dir.path().join("out")).unwrap();
    insta::assert_snapshot!(refused(&["3"]), @"
    tester: no output of case 0003: expected out/0003.txt
    hint: `tester batch` makes it; or name the file of the output after the case
    ");
    std::fs::create_dir(dir.path().join("out")).unwrap();
    std::fs::write(dir.path().join("out/0003.txt"), "x\n").unwrap();
    let mut line = "./tools/vis {case} {out}".to_owned();
    let mut with_line = |new: &str| {
        configure(
            dir.path(),
            &format!("vis = \"{line}\""),
            &format!("vis = \"{new}\""),
        );
        line = new.to_owned();
        refused(&["3"])
    };
    insta::assert_snapshot!(with_line("./tools/none {case} {out}"), @"
    tester: no visualizer ./tools/none
    hint: build the contest's tools (cargo build --release --manifest-path tools/Cargo.toml), or change vis in tester.toml
    ");
    insta::assert_snapshot!(with_line("cd tools; true {case} {out}"), @"
    tester: the visualizer wrote no picture of case 0003: it ended well
    hint: it must write vis.html, out.svg or a picture into the current folder (not into another by cd); try it: cd tools; true tools/in/0003.txt out/0003.txt
    ");
    insta::assert_snapshot!(with_line("./tools/vis {case} {output}"), @"
    tester: unknown placeholder {output} in --vis: ./tools/vis {case} {output}
    hint: placeholders are {case}, {out} and {number}, such as ./tools/target/release/vis {case} {out}; double a brace of the shell's own: {{ }}
    ");
    insta::assert_snapshot!(with_line("cat /dev/zero > out.svg # {case}"), @"
    tester: the visualizer was stopped at case 0003: it wrote a file of 64 MiB, and may write less
    hint: it has the limits of a case: time_limit and memory_limit in tester.toml
    ");
    configure(dir.path(), "vis = ", "# vis = ");
    insta::assert_snapshot!(refused(&["3"]), @r#"
    tester: no visualizer for the cases of another judge
    hint: if the contest's tools have one, add it to [judge] in tester.toml: vis = "./tools/target/release/vis {case} {out}"; `tester vis --no-config` shows sessions of built-in problems
    "#);
    // After a batch, it is a remark.
    configure(
        dir.path(),
        "# vis = \"cat /dev/zero > out.svg # {case}\"",
        "vis = \"echo broken input >&2; exit 3 # {case}\"",
    );
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "1"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    insta::assert_snapshot!(shown.stderr.split_once("drawn ").unwrap().1, @r#"     0002  the visualizer wrote no picture of case 0002: exit status 3, expected 0; its stderr ended with "broken input""#);
}

#[test]
fn without_settings_the_number_of_a_case_leads_to_the_run_that_has_it() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "0"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let shown = vis(dir.path(), &["2", "--no-config"]);
    insta::assert_snapshot!(shown.stderr, @"
    tester: another judge has judged case 0002, in run 1
    hint: to draw it as that run played it: tester vis 2 --run 1
    ");
    let shown = vis(dir.path(), &["2", "--no-config", "--run", "1"]);
    assert_eq!(shown.stdout, "Score = 50\n", "{shown:?}");
}

#[test]
fn of_a_visualizer_that_panics_place_and_message_are_said() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let panic = "thread 'main' (7) panicked at src/lib.rs:9:1:\nno number\nnote: run with `RUST_BACKTRACE=1`\n";
    std::fs::write(dir.path().join("panic.txt"), panic).unwrap();
    configure(
        dir.path(),
        "./tools/vis {case} {out}",
        "cat panic.txt >&2; exit 101 # {case}",
    );
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "1"], "");
    let drawn = shown.stderr.split_once("drawn ").unwrap().1;
    assert!(
        drawn.ends_with("its stderr ended with \"src/lib.rs:9:1: no number\"\n"),
        "{drawn}"
    );
}

#[test]
fn a_visualizer_has_the_limits_of_the_tester() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    std::fs::create_dir(dir.path().join("out")).unwrap();
    std::fs::write(dir.path().join("out/0003.txt"), "x\n").unwrap();
    configure(dir.path(), "[batch]", "[batch]\ntime_limit = 0.2");
    configure(
        dir.path(),
        "vis = \"./tools/vis {case} {out}\"",
        "vis = \"sleep 30; cat {case} > out.svg\"",
    );
    let shown = vis(dir.path(), &["3"]);
    assert_eq!(shown.status, 2);
    let begins = "tester: the visualizer was stopped at case 0003: 0.2";
    let hint = "hint: it has the limits of a case: time_limit and memory_limit in tester.toml\n";
    assert!(
        shown.stderr.starts_with(begins) && shown.stderr.ends_with(hint),
        "{shown:?}"
    );
}

#[test]
fn a_signal_ends_the_visualizer_and_nothing_more_is_drawn() {
    use std::os::unix::process::ExitStatusExt;
    const BEGUN: &str = "touch tools/begun; sleep 60";
    // What the signal comes into: the first picture, or a case.
    for (from, to) in [
        (
            "vis = \"./tools/vis {case} {out}\"",
            format!("vis = \"echo {{case}} > vis.html; {BEGUN}\""),
        ),
        (
            "external = \"./tools/t {case}",
            format!(
                "external = \"./tools/t {{case}} && {{{{ [ {{number}} = 0000 ] || {{{{ {BEGUN}; }}}}; }}}}"
            ),
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        contest(dir.path());
        configure(dir.path(), from, &to);
        configure(dir.path(), "[batch]", "[batch]\ntime_limit = 50\njobs = 1");
        let batch = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
            .args(["batch"])
            .current_dir(dir.path())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        crate::common::wait_until_exists(&dir.path().join("tools/begun"));
        let sent = Instant::now();
        kill_process(Pid::from_child(&batch), Signal::TERM).unwrap();
        let ended = batch.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(
            ended.status.signal(),
            Some(Signal::TERM.as_raw()),
            "{stderr}"
        );
        assert!(sent.elapsed() < Duration::from_secs(15), "{stderr}");
        assert!(!stderr.contains("drawn "), "{stderr}");
        for number in 0..5 {
            let folder = dir.path().join(format!("out/runs/1/vis/{number:04}"));
            assert!(!folder.exists() || names(&folder).is_empty(), "{stderr}");
        }
    }
}
