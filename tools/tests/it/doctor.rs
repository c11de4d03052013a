//! `tester doctor`. What it says of this machine is not known; the tests beside the command have all that it can say.

use crate::common::{counter, run, run_in};
use serde_json::Value;
use tempfile::tempdir;

/// The lines that it prints for other programs.
pub fn lines() -> Vec<Value> {
    let shown = run(&["doctor", "--json"], "");
    serde_json::from_str(&shown.stdout).unwrap_or_else(|e| panic!("{e}: {shown:?}"))
}

/// Whether the line with this name is `ok`.
pub fn is_ok(name: &str) -> bool {
    let lines = lines();
    let line = lines.iter().find(|line| line["name"] == name);
    line.expect("a line")["ok"].as_bool().expect("yes or no")
}

#[test]
fn lines_have_a_name_a_state_and_a_text() {
    let shown = run(&["doctor"], "");
    assert_eq!(shown.stderr, "");
    let state = regex::Regex::new(r"(ok     |missing)  .*").unwrap();
    let hint = regex::Regex::new(r"(?m)^ {17}hint: .*\n").unwrap();
    let speed = state.replace_all(&shown.stdout, "STATE  TEXT");
    let text = hint.replace_all(&speed, "").into_owned();
    let text = text.replace(
        "is not safe here: a program that forks without end may",
        "IS",
    );
    let text = text.replace("is safe here: nothing that a program starts can", "IS");
    insta::assert_snapshot!(text, @"
    judging          STATE  TEXT
    sandbox          STATE  TEXT
    machine          STATE  TEXT
    kernel           STATE  TEXT
    /proc            STATE  TEXT
    cgroup           STATE  TEXT
    namespace        STATE  TEXT
    processes        STATE  TEXT
    memory           STATE  TEXT
    memory in files  STATE  TEXT
    processor time   STATE  TEXT
    end of a case    STATE  TEXT
    Landlock         STATE  TEXT
    signal scope     STATE  TEXT
    bubblewrap       STATE  TEXT
    init             STATE  TEXT
    processor        STATE  TEXT
    git              STATE  TEXT
    debugger         STATE  TEXT
    Judging IS outlive its case.
    ");
    for line in lines() {
        let (name, state) = (
            line["name"].as_str().unwrap(),
            line["ok"].as_bool().unwrap(),
        );
        let state = if state { "ok" } else { "missing" };
        let begin = format!("{name:<17}{state}");
        assert!(
            shown.stdout.lines().any(|l| l.starts_with(&begin)),
            "{begin}"
        );
    }
}

#[test]
fn its_exit_status_says_whether_the_end_of_a_case_is_certain() {
    let shown = run(&["doctor"], "");
    let is_safe = shown.stdout.contains("Judging is safe here");
    assert_eq!(shown.status, i32::from(!is_safe));
    assert_eq!(is_ok("end of a case"), is_safe);
}

#[test]
fn a_run_remembers_the_step_that_held_its_programs() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let shown = |options: &[&str]| {
        let batch = ["batch", "--seeds", "0..2", "--problem", "hitblow 1 10"];
        let words = [&batch[..], options, &["--", "./c"]].concat();
        let judged = run_in(dir.path(), &words, "");
        assert_eq!(judged.status, 0, "{judged:?}");
        let shown = run_in(dir.path(), &["show"], "").stdout;
        let line = shown.lines().find(|line| line.starts_with("contained "));
        line.expect("a line").to_owned()
    };
    let steps = match (is_ok("cgroup"), is_ok("namespace")) {
        (true, true) => "in cgroup and namespace",
        (true, false) => "in cgroup",
        (false, true) => "in namespace",
        (false, false) => "no; processes were followed one by one",
    };
    assert_eq!(shown(&[]), format!("contained  {steps}"));
    assert_eq!(
        shown(&["--no-containment"]),
        "contained  no; processes were followed one by one"
    );
}
