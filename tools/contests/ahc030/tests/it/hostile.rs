//! Every new way to be wrong, through the real binary, as one case: the verdict, the reason, and nothing that hangs.

use std::time::{Duration, Instant};

use crate::commands::{Shown, ahc030};

/// Judges a Python program on the case of seed 0. It has read the input; `ANSWER` is the right answer, and `ask`
/// prints a line and reads the reply. The judge's line about it.
fn judged(time_limit: &str, program: &str) -> String {
    use tester::problem::Problem;
    let case = ahc030::problem::AHC030
        .generate(&[], tester::Seed(0))
        .unwrap();
    let answer = case.answer().unwrap();
    let program = format!(
        "import sys, os, time\n\
         n, m, eps = input().split(); [input() for _ in range(int(m))]\n\
         ANSWER = {answer:?}\n\
         def ask(line):\n  print(line, flush=True); return input()\n{program}\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let words = ["--time-limit", time_limit, "python3", "-c", &program];
    let begun = Instant::now();
    let Shown { status, stderr, .. } = ahc030(dir.path(), &words, case.to_text().as_bytes());
    // The limits of these tests are seconds; a hang would be found by the judge's own limits only after them.
    assert!(begun.elapsed() < Duration::from_secs(60), "{stderr}");
    assert_eq!(status, 0, "{stderr}");
    let ours = stderr.lines().rev().take(2).collect::<Vec<_>>();
    assert!(ours[0].starts_with("Score = "), "{stderr}");
    ours.get(1).copied().unwrap_or_default().to_owned()
}

/// As [`judged`]; figures of time are left out.
fn without_times(line: &str) -> String {
    let words = line.split(' ').map(|word| match word.parse::<f64>() {
        Ok(_) if word.contains('.') => "…",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn half_a_question_and_silence_is_tle() {
    let line = judged(
        "4",
        "sys.stdout.write('q 3 0 0 0'); sys.stdout.flush(); time.sleep(60)",
    );
    insta::assert_snapshot!(without_times(&line), @r#"TLE: turn 1: … s passed, … s of them computing (limit 4 s); the judge waited for the end of the line "q 3 0 0 0": print a newline after each line, then flush"#);
    // It waits for a reply to nothing. On a busy machine, Python alone can take 2 s to start.
    let line = judged("4", "ask('q 1 0 0'); input()");
    insta::assert_snapshot!(without_times(&line), @"TLE: turn 2: … s passed, … s of them computing (limit 4 s); both sides were waiting: the program for input (or it slept), the judge for a line. Did you print a newline and flush stdout?");
}

#[test]
fn half_a_question_and_an_exit_is_wa() {
    insta::assert_snapshot!(judged("20", "sys.stdout.write('q 3 0 0 0')"), @"WA: turn 1: 6 numbers must follow k = 3, found 3: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(judged("20", "ask('q 1 0 0'); print('q 2 0 0', flush=True); ask('0 1')"), @"WA: turn 2: 4 numbers must follow k = 2, found 2: print a row and a column for each cell, all on one line");
}

#[test]
fn a_million_cells_are_refused_on_one_line_and_on_many() {
    insta::assert_snapshot!(judged("20", "ask('q 1000000' + ' 0 0' * 1000000)"), @"OLE: turn 1: a line of stdout passed its limit of 1048576 bytes");
    insta::assert_snapshot!(judged("20", "ask('q 225' + ' 0 0' * 100000)"), @"WA: turn 1: 450 numbers must follow k = 225, found more than 450: k must be the number of cells");
    insta::assert_snapshot!(judged("20", "os.write(1, b'q 1000000\\n' + b'0 0\\n' * 1000000); time.sleep(60)"), @r#"WA: turn 1: the number of cells is "1000000", expected an integer from 1 to 225, as many cells as the grid has"#);
    insta::assert_snapshot!(judged("20", "os.write(1, b'q 225\\n' + b'0 0\\n' * 1000000); time.sleep(60)"), @"WA: turn 1: 450 numbers must follow k = 225, found 0: print a row and a column for each cell, all on one line");
}

#[test]
fn words_that_are_no_numbers_are_wa() {
    insta::assert_snapshot!(judged("20", "ask('q 1 0 0'); ask('q 2 3 4 NaN 0'); time.sleep(60)"), @r#"WA: turn 2: "NaN" is no row or column, in cell 2 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(judged("20", "ask('q NaN 0 0'); time.sleep(60)"), @r#"WA: turn 1: the number of cells is "NaN", expected an integer from 1 to 225, as many cells as the grid has"#);
    insta::assert_snapshot!(judged("20", "ask('a 2 0 0 1e1 inf'); time.sleep(60)"), @r#"WA: turn 1: "1e1" is no row or column, in cell 2 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(judged("20", "ask('q 2 0 0 -1 15'); time.sleep(60)"), @"WA: turn 1: cell (-1, 15) is outside of the grid: rows and columns go from 0 to 14");
    insta::assert_snapshot!(judged("20", "ask('q 3 0 0 7 8 7 8'); time.sleep(60)"), @"WA: turn 1: cell (7, 8) appears twice: name each cell once");
}

#[test]
fn lines_after_the_end_are_wa() {
    insta::assert_snapshot!(judged("20", "ask(ANSWER); ask('a 1 0 0'); time.sleep(60)"), @r#"WA: turn 2: "a 1 0 0" was printed after the game was over: exit as soon as it is over"#);
    // These lines have no end; the judge does not read them all.
    insta::assert_snapshot!(judged("20", "ask(ANSWER)\nwhile True: os.write(1, b'q 1 0 0\\n' * 1000)"), @r#"WA: turn 2: "q 1 0 0" was printed after the game was over: exit as soon as it is over"#);
    insta::assert_snapshot!(judged("20", "os.write(1, b'q 1 0 0\\n' * 100000); time.sleep(60)"), @r#"WA: turn 451: "q 1 0 0" was printed after the game was over: exit as soon as it is over"#);
    // It is over, but does not exit.
    let line = judged("2", "ask(ANSWER); time.sleep(60)");
    insta::assert_snapshot!(without_times(&line), @"TLE: after the game ended at turn 1: … s passed, … s of them computing (limit 2 s); the program had not exited: exit after the last reply");
}

#[test]
fn lines_where_none_is_expected_are_wa() {
    insta::assert_snapshot!(judged("20", "print('hello', flush=True); time.sleep(60)"), @r#"WA: turn 1: "hello" is no operation: a line begins with q (question) or a (answer); if it is debug output, print it to stderr or after #"#);
    insta::assert_snapshot!(judged("20", "ask('q 1 0 0'); print('0 is no oil', flush=True); time.sleep(60)"), @r#"WA: turn 2: "0" is no operation: a line begins with q (question) or a (answer); if it is debug output, print it to stderr or after #"#);
}

#[test]
fn comments_without_end_are_ole() {
    let line = judged("60", "while True: os.write(1, b'#c 0 0 red\\n' * 5000)");
    insta::assert_snapshot!(line, @"OLE: turn 1: stdout passed its limit of 67108864 bytes");
    let line = judged("60", "os.write(1, b'#' * 2000000); time.sleep(60)");
    insta::assert_snapshot!(line, @"OLE: turn 1: a line of stdout passed its limit of 1048576 bytes");
}
