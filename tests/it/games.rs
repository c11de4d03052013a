//! The example of `scripts/new-solver` with another game in it: only what CHANGE marks is replaced.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command as Program, Stdio};

use tester::judge::judge;
use tester::judge::record::Verdict;
use tester::judge::verdict::Limits;
use tester::problem::Spec;
use tester::process::Command;

/// Compiles the example with this game instead of its own, without Cargo: `scripts/paste.d` stands in for the crates.
fn compile(dir: &Path, game: &str) -> Command {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(top.join(file)).unwrap();
    let example = read("src/bin/leak.rs");
    let (head, rest) = example
        .split_once("/// CHANGE: what is known before")
        .unwrap();
    let (_, play) = rest.split_once("/// A whole game.").unwrap();
    let text = format!("{head}{game}/// A whole game.{play}")
        .replace("use std::cmp::Ordering;\n", "")
        .replace("use itertools::", "use crate::itertools::")
        .replace("use proconio::", "use crate::proconio::");
    let (source, program) = (dir.join("game.rs"), dir.join("game"));
    std::fs::write(&source, text + &read("scripts/paste.d/crates.rs")).unwrap();
    let mut rustc = Program::new("rustc");
    rustc.args(["--edition", "2024", "-O", "-o"]);
    let output = rustc.arg(&program).arg(&source).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Command {
        program: program.into(),
        args: Vec::new(),
    }
}

#[test]
fn a_question_can_be_the_answer_that_ends_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let command = compile(dir.path(), include_str!("games/hitblow.rs"));
    let play_all = |problem: &str| -> u64 {
        let secrets = Spec::parse(problem).unwrap().enumerate().unwrap();
        let turns = secrets.map(|instance| {
            let limits = Limits::default();
            let record = judge(instance.as_ref(), &command, &limits, None, &mut ()).unwrap();
            assert_eq!(record.verdict, Verdict::Ac, "{record:?}");
            record.score.units()
        });
        turns.sum()
    };
    // As `--policy mi --hit-bonus 1.5` (docs/solver.md).
    assert_eq!(play_all("hitblow 3 10"), 3612);
}

/// Rounding leaves a question that tells nothing some 1e-16 bits. For a tiny cost, that is more than a whole bit for 1e7.
#[test]
fn a_free_question_that_tells_nothing_does_not_end_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let command = compile(dir.path(), include_str!("games/free.rs"));
    for secret in 0..6 {
        let mut game = Program::new(&command.program);
        let game = game.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut game = game.unwrap();
        let mut to_game = game.stdin.take().unwrap();
        writeln!(to_game, "6").unwrap();
        let mut named = None;
        for line in BufReader::new(game.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let number: u32 = line[2..].parse().unwrap();
            match line.as_bytes()[0] {
                b'?' => writeln!(to_game, "{}", u8::from(secret < number)).unwrap(),
                _ => named = Some(number),
            }
        }
        assert_eq!(named, Some(secret));
        assert!(game.wait().unwrap().success());
    }
}
