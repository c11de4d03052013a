//! What the shared module `judge` makes of a judge's lines. Standard input can be read once, so a process reads it.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::solver::judge::Judge;

/// Asks once, and says what came: by this test, as a process of its own.
#[test]
#[ignore = "a part of the next test, which starts it"]
fn asks_once() {
    let mut judge = Judge::on_stdin();
    judge.has_negative_replies = std::env::var_os("NEGATIVE").is_some();
    let said = judge.ask("?").and_then(|()| judge.word::<i64>("a reply"));
    println!("found {said:?}");
}

#[test]
fn minus_one_is_a_refusal_unless_replies_can_be_negative() {
    let found = |negative: Option<&str>, reply: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "judge_words::asks_once",
            "--ignored",
            "--nocapture",
        ]);
        command.envs(negative.map(|value| ("NEGATIVE", value)));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(reply.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find_map(|line| line.split_once("found "));
        line.map(|line| line.1.to_owned()).unwrap_or(text)
    };
    assert_eq!(found(None, "-1\n"), "Err(\"the judge refused \\\"?\\\"\")");
    assert_eq!(found(None, "-2\n"), "Ok(-2)");
    assert_eq!(found(Some("1"), "-1\n"), "Ok(-1)");
    assert_eq!(
        found(Some("1"), ""),
        "Err(\"expected a reply, found the end of the input\")"
    );
}
