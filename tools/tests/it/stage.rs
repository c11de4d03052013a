//! The stage in front of a contestant that another process starts: what the contestant notices of it.

use std::os::unix::process::ExitStatusExt;

use crate::common::{run_in, script, tester, write_cases};
use tempfile::tempdir;

#[test]
fn a_program_gets_its_words_and_input_and_its_status_is_passed_on() {
    let dir = tempdir().unwrap();
    let path = script(dir.path(), "program", "cat; echo \"$#:$1:$2\"; exit 7");
    let words = ["__scoped", path.to_str().unwrap(), "a b", "--help"];
    let output = tester(&words).write_stdin("input\n").output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "input\n2:a b:--help\n"
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn signals_are_as_after_a_start_from_a_shell() {
    // Programs of this language ignore SIGPIPE, and what they execute would inherit that.
    let output = tester(&["__scoped", "sh", "-c", "kill -PIPE $$; echo lives"])
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), Some(13), "{output:?}");
}

/// The tester itself as the stage that waits, which is used where the small one cannot be.
#[test]
fn a_stage_that_waits_passes_everything_on() {
    let dir = tempdir().unwrap();
    let program = "cat; echo \"$1:$PATH\"; exit 7";
    let path = script(dir.path(), "program", program);
    let folder = path.parent().unwrap().to_str().unwrap();
    // Looked for in PATH, in this order.
    let variable = format!("/nowhere:{folder}:/usr/bin:/bin");
    let output = tester(&["__metered", "nobody", "program", "a b"])
        .env("PATH", &variable)
        .write_stdin("input\n")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let expected = format!("input\na b:{variable}\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    for signal in ["PIPE", "SEGV", "KILL"] {
        let kill = format!("kill -{signal} $$; echo lives");
        let output = tester(&["__metered", "nobody", "sh", "-c", &kill]).output();
        let expected = [("PIPE", 13), ("SEGV", 11), ("KILL", 9)];
        let expected = expected.iter().find(|(name, _)| *name == signal).unwrap().1;
        assert_eq!(output.unwrap().status.signal(), Some(expected), "{signal}");
    }
}

#[test]
fn a_program_that_cannot_be_executed_has_the_status_of_a_shell() {
    let dir = tempdir().unwrap();
    std::fs::write(dir.path().join("plain"), "").unwrap();
    for (program, status, why) in [
        ("./none", 127, "No such file or directory"),
        ("./plain", 126, "Permission denied"),
    ] {
        for words in [vec!["__scoped"], vec!["__metered", "nobody"]] {
            let shown = run_in(dir.path(), &[&words[..], &[program]].concat(), "");
            assert_eq!(shown.status, status, "{shown:?}");
            let message = format!("tester: failed to execute {program}: {why}");
            assert!(shown.stderr.starts_with(&message), "{shown:?}");
        }
    }
}

#[test]
fn a_command_in_quotes_is_a_path_for_other_testers() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    script(
        dir.path(),
        "program",
        "read -r number; echo \"Score = $number\"",
    );
    script(dir.path(), "tester", "test -x \"$1\" && \"$1\"");
    for command in ["\"{command}\"", "'{command}'"] {
        let line = format!("./tester {command} < {{case}}");
        let args = ["batch", "--external", &line, "--json", "--", "./program"];
        let shown = run_in(dir.path(), &args, "");
        assert!(shown.stdout.contains("\"score\":5"), "{command}: {shown:?}");
    }
}
