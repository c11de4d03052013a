//! Programs against the judge: scores as the official tester gives them, and every new way to be wrong.

use std::time::Duration;

use ahc030::problem::AHC030;
use tester::Seed;
use tester::judge::judge;
use tester::judge::record::{Record, Verdict};
use tester::judge::verdict::Limits;
use tester::problem::Problem;
use tester::process::{Command, shell_word};

fn record(seed: u64, command: &str) -> Record {
    let case = AHC030.generate(&[], Seed(seed)).unwrap();
    let limits = Limits {
        time: Duration::from_secs(60),
        ..Limits::default()
    };
    let command = Command::from_line(command).unwrap();
    judge(case.as_ref(), &command, &limits, None, &mut ()).unwrap()
}

fn contestant(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/contestants");
    format!(
        "python3 {}",
        shell_word(format!("{folder}/{name}").as_ref())
    )
}

/// A shell script that has read the input: `N M eps` and M lines. `$answer` is the right answer.
fn script(seed: u64, script: &str) -> Record {
    let case = AHC030.generate(&[], Seed(seed)).unwrap();
    let answer = case.answer().unwrap();
    let read = "read n m eps; while [ $m -gt 0 ]; do read shape; m=$((m-1)); done";
    let script = format!("answer='{answer}'; {read}; {script}");
    record(seed, &format!("sh -c {}", shell_word(script.as_ref())))
}

fn refused(commands: &str) -> String {
    let record = script(0, commands);
    let found = (record.verdict, record.score);
    assert_eq!(found, (Verdict::Wa, 0.into()), "{:?}", record.reason);
    record.reason.unwrap()
}

/// The scores are those of the official tester on the same cases.
#[test]
fn contestants_get_the_official_scores() {
    for (name, seed, score) in [
        ("drill.py", 0, 163_000_000),
        ("drill.py", 1, 149_000_000),
        ("random_asker.py", 0, 240_995_309),
        ("random_asker.py", 1, 217_676_197),
    ] {
        let record = record(seed, &contestant(name));
        let found = (record.verdict, record.score);
        assert_eq!(
            found,
            (Verdict::Ac, score.into()),
            "{name}: {:?}",
            record.reason
        );
    }
}

#[test]
fn a_question_that_is_not_whole_is_refused() {
    insta::assert_snapshot!(refused("echo q 3 0 0 0; sleep 9"), @"turn 1: 6 numbers must follow k = 3, found 3: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refused("echo q 2 0 0; echo 0 1; sleep 9"), @"turn 1: 4 numbers must follow k = 2, found 2: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refused("printf 'q 3 0 0 0'"), @"turn 1: 6 numbers must follow k = 3, found 3: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refused("exit 0"), @"turn 1: expected a line, found the end of the output: the program exited with status 0 before the game was over. No output came: did it flush stdout?");
}

#[test]
fn too_many_cells_are_refused() {
    let cells = "yes ' 0 0' | head -n 200000 | tr -d '\\n'";
    let line = |head: &str| format!("printf '{head}'; {cells}; echo; sleep 9");
    insta::assert_snapshot!(refused(&line("q 200000")), @r#"turn 1: the number of cells is "200000", expected an integer from 1 to 225, as many cells as the grid has"#);
    insta::assert_snapshot!(refused(&line("q 2")), @"turn 1: 4 numbers must follow k = 2, found more than 450: k must be the number of cells");
    // 4 MB on one line are too much for any problem.
    let long = script(
        0,
        "printf 'q 1000000'; yes ' 0 0' | head -n 1000000 | tr -d '\\n'; echo; sleep 9",
    );
    assert_eq!(long.verdict, Verdict::Ole);
    insta::assert_snapshot!(long.reason.unwrap(), @"turn 1: a line of stdout passed its limit of 1048576 bytes");
}

#[test]
fn words_that_are_no_numbers_are_refused() {
    insta::assert_snapshot!(refused("echo q 1 NaN 0; sleep 9"), @r#"turn 1: "NaN" is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refused("echo q nan 0 0; sleep 9"), @r#"turn 1: the number of cells is "nan", expected an integer from 1 to 225, as many cells as the grid has"#);
    insta::assert_snapshot!(refused("echo q 1 0 0; read v; echo q 1 15 0; sleep 9"), @"turn 2: cell (15, 0) is outside of the grid: rows and columns go from 0 to 14");
    insta::assert_snapshot!(refused("echo a 2 3 4 3 4; sleep 9"), @"turn 1: cell (3, 4) appears twice: name each cell once");
}

#[test]
fn a_line_after_the_end_is_refused() {
    insta::assert_snapshot!(refused("echo \"$answer\"; read one; echo \"$answer\"; read more"), @r#"turn 2: "a 38 2 3 2 10 3 1 3 3 3 6 3 10 4 0 4 1 4 2 4 3 4 4 4 5 4 6 4…" (175 bytes) was printed after the game was over: exit as soon as it is over"#);
    // 450 operations are allowed.
    let all = "i=0; while [ $i -lt 450 ]; do echo q 1 0 0; i=$((i+1)); done";
    insta::assert_snapshot!(refused(&format!("{all}; echo q 1 0 0; cat >/dev/null")), @r#"turn 451: "q 1 0 0" was printed after the game was over: exit as soon as it is over"#);
    let used_up = script(0, &format!("{all}; cat >/dev/null"));
    let found = (used_up.verdict, used_up.score, used_up.turns);
    assert_eq!(
        found,
        (Verdict::Ac, 1_000_000_000.into(), 450),
        "{:?}",
        used_up.reason
    );
}

/// A program that reads no reply at all: they wait in its pipe.
#[test]
fn replies_need_not_be_read() {
    let ahead = "i=0; while [ $i -lt 449 ]; do echo q 1 0 0; i=$((i+1)); done; echo \"$answer\"";
    let record = script(0, ahead);
    let found = (record.verdict, record.score, record.turns);
    assert_eq!(
        found,
        (Verdict::Ac, 449_000_000.into(), 450),
        "{:?}",
        record.reason
    );
}

#[test]
fn comments_and_colours_are_no_operations() {
    let record = script(
        0,
        "echo '#c 0 0 red'; echo; echo '# hm'; echo \"$answer\"; read one; echo '#c 1 1 blue'",
    );
    let found = (record.verdict, record.score, record.turns);
    assert_eq!(
        found,
        (Verdict::Ac, 66_667.into(), 1),
        "{:?}",
        record.reason
    );
}
