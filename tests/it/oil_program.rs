//! The submission for oil as a program.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The side of the grid.
const N: usize = 10;

/// A field, as rows and columns from its corner.
const FIELD: [(usize, usize); 4] = [(0, 0), (0, 1), (1, 0), (2, 0)];

/// What a question without noise is told: the whole number next to its mean.
fn reply(oil: &BTreeSet<(usize, usize)>, asked: &[(usize, usize)]) -> usize {
    const EPS: f64 = 0.05;
    let found = asked.iter().filter(|cell| oil.contains(cell)).count();
    match asked.len() {
        1 => found,
        cells => ((cells - found) as f64 * EPS + found as f64 * (1.0 - EPS)).round() as usize,
    }
}

/// The contest scores a case in which the oil was not found. It scores nothing of a program that fails.
#[test]
fn a_case_that_is_not_solved_ends_without_an_error() {
    let at = |row, column| FIELD.map(|(i, j)| (i + row, j + column));
    let oil: BTreeSet<_> = [at(3, 2), at(5, 6)].into_iter().flatten().collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_oil"))
        .args(["--work", "1e7"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let shape = "4 0 0 0 1 1 0 2 0\n";
    write!(stdin, "{N} 2 0.05\n{shape}{shape}").unwrap();
    let mut answers = 0;
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let is_operation = |line: &String| !line.starts_with('#');
    let mut operations = stdout.lines().map(Result::unwrap).filter(is_operation);
    for operation in operations.by_ref().take(2 * N * N) {
        let mut words = operation.split(' ');
        let kind = words.next().unwrap();
        let numbers: Vec<usize> = words.skip(1).map(|word| word.parse().unwrap()).collect();
        let cells: Vec<_> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        // Every answer is refused.
        let told = match kind {
            "q" => reply(&oil, &cells),
            _ => 0,
        };
        answers += usize::from(kind == "a");
        writeln!(stdin, "{told}").unwrap();
    }
    drop(stdin);
    assert_eq!(operations.next(), None);
    assert!(answers > 0);
    assert!(child.wait().unwrap().success());
}

/// A user who tunes it would compare the submission with itself.
#[test]
fn a_setting_without_effect_is_refused() {
    for (args, expected) in [
        (
            &["--work=1e7"][..],
            r#"expected --NAME VALUE, found \"--work=1e7\""#,
        ),
        (
            &["--end", "9.5", "--work"],
            r#"expected --NAME VALUE, found \"--work\""#,
        ),
        (&["--work", "nan"], r#"\"nan\" is no number"#),
        (&["--work", "inf"], r#"\"inf\" is no number"#),
        (&["--work", "much"], r#"\"much\" is no number"#),
        (&["--word", "1e7"], r#"no setting \"word\""#),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_oil"));
        let output = program.args(args).stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}
