//! Programs against the judge's own binary: scores as the official tester gives them, and every new way to be wrong.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use tester::process::shell_word;

/// What the judge said: stderr without the lines of the contestant.
struct Shown {
    stdout: String,
    stderr: String,
}

fn run(options: &str, contestant: &[&str]) -> Shown {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ahc022"));
    let output = command
        .args(options.split_ascii_whitespace())
        .args(contestant)
        .current_dir(dir.path())
        .timeout(Duration::from_secs(60)) // whatever hangs is a failure of the judge
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    Shown {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// A shell script that has read the input of seed 0: `50 95 36` and 95 cells. `grid K` prints K rows, `answer K` prints
/// K lines of an answer, `end` prints `-1 -1 -1`; `$row` is a row with a blank after it.
fn script(options: &str, script: &str) -> Shown {
    let setup = "read l n s; i=0; while [ $i -lt $n ]; do read cell; i=$((i+1)); done; \
                 row=$(yes 7 | head -n $l | tr '\\n' ' '); grid() { yes \"$row\" | head -n $1; }; \
                 answer() { yes 0 | head -n $1; }; end() { echo -1 -1 -1; }";
    let script = format!("{setup}; {script}");
    run(&format!("--seed 0 {options}"), &["sh", "-c", &script])
}

/// The verdict and its reason, which stand before the score: 0.
fn refused(commands: &str) -> String {
    let shown = script("", commands).stderr;
    let reason = shown.strip_suffix("\nScore = 0\n");
    reason.unwrap_or_else(|| panic!("{shown}")).to_owned()
}

/// The reason without its times.
fn too_slow(commands: &str) -> String {
    let shown = script("--time-limit 2", commands).stderr;
    let (verdict, reason) = shown.split_once("(limit 2 s); ").expect(&shown);
    assert!(verdict.starts_with("TLE: turn "), "{shown}");
    let turn = verdict.split_once(": ").unwrap().1;
    let turn = turn.split_once(": ").unwrap().0;
    let reason = reason.strip_suffix("\nScore = 0\n").expect(&shown);
    format!("{turn}: {reason}")
}

fn contestant(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("contestants");
    shell_word(folder.join(name).as_ref())
}

/// The scores are those of the official tester on the same cases: a contestant that is right, and one that is wrong for
/// 4, 5, 42 and 66 wormholes.
#[test]
fn contestants_get_the_official_scores() {
    for (name, seed, score) in [
        ("pattern.py", 0, 1887179),
        ("pattern.py", 3, 75458031),
        ("guesser.py", 79, 6582445),
        ("guesser.py", 41, 1177023),
        ("guesser.py", 1, 7),
        ("guesser.py", 7, 27),
    ] {
        let shown = run(
            &format!("--seed {seed} --time-limit 60"),
            &["sh", "-c", &format!("exec python3 {}", contestant(name))],
        );
        assert_eq!(shown.stderr, format!("Score = {score}\n"), "{name} {seed}");
    }
}

#[test]
fn a_grid_that_is_not_whole_is_told_as_such() {
    insta::assert_snapshot!(too_slow("grid 25; exec sleep 30"), @"turn 1: the judge waited for the rest of a question, of which it had 25 lines. Did you print all lines and flush stdout?");
    insta::assert_snapshot!(refused("grid 49; exit 0"), @"WA: turn 1: expected the rest of a question, found the end of the output after 49 of its lines");
    insta::assert_snapshot!(refused("grid 30; printf '7 7 7'"), @"WA: turn 1: row 30 of the grid needs 50 numbers, found 3: print one line for each row, a number for each column; if it is debug output, print it to stderr or after #");
    insta::assert_snapshot!(refused("grid 20; echo '# a comment'; echo 7 7 7; sleep 30"), @"WA: turn 1: row 20 of the grid needs 50 numbers, found 3: print one line for each row, a number for each column; if it is debug output, print it to stderr or after #");
    // One number a line.
    insta::assert_snapshot!(refused("yes 7 | head -n 2500; sleep 30"), @"WA: turn 1: row 0 of the grid needs 50 numbers, found 1: print one line for each row, a number for each column; if it is debug output, print it to stderr or after #");
    insta::assert_snapshot!(refused("exit 0"), @"WA: turn 1: expected a line, found the end of the output: the program exited with status 0 before the game was over. No output came: did it flush stdout?");
}

#[test]
fn numbers_out_of_their_range_are_refused_at_once() {
    insta::assert_snapshot!(refused("grid 20; echo ${row% 7 } 1001; sleep 30"), @r#"WA: turn 1: cell (20, 49) has the temperature "1001", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refused("grid 20; echo ${row% 7 } -1; sleep 30"), @r#"WA: turn 1: cell (20, 49) has the temperature "-1", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refused("grid 50; echo 94 49 -49; read reply; echo 95 0 0; sleep 30"), @r#"WA: turn 3: the wormhole is "95", expected an integer from 0 to 94: print i y x, or -1 -1 -1 after the last measurement"#);
    insta::assert_snapshot!(refused("grid 50; echo 0 50 0; sleep 30"), @r#"WA: turn 2: y of the measurement is "50", expected an integer from -49 to 49: print i y x on one line"#);
    insta::assert_snapshot!(refused("grid 50; end; answer 94; echo 95; sleep 30"), @r#"WA: turn 3: the exit cell of wormhole 94 is "95", expected an integer from 0 to 94: print one line for each wormhole"#);
}

#[test]
fn words_that_are_no_numbers_are_refused_at_once() {
    insta::assert_snapshot!(refused("echo NaN $row; sleep 30"), @"WA: turn 1: row 0 of the grid needs 50 numbers, found more: print one line for each row, a number for each column; if it is debug output, print it to stderr or after #");
    insta::assert_snapshot!(refused("grid 20; echo NaN ${row% 7 }; sleep 30"), @r#"WA: turn 1: cell (20, 0) has the temperature "NaN", expected an integer from 0 to 1000; if it is debug output, print it to stderr or after #"#);
    insta::assert_snapshot!(refused("grid 50; echo NaN 0 0; sleep 30"), @r#"WA: turn 2: the wormhole is "NaN", expected an integer from 0 to 94: print i y x, or -1 -1 -1 after the last measurement; if it is debug output, print it to stderr or after #"#);
    insta::assert_snapshot!(refused("grid 50; echo 0 0; sleep 30"), @"WA: turn 2: x of the measurement is missing: print i y x on one line; if it is debug output, print it to stderr or after #");
    insta::assert_snapshot!(refused("grid 50; end; answer 3; echo NaN; sleep 30"), @r#"WA: turn 3: the exit cell of wormhole 3 is "NaN", expected an integer from 0 to 94: print one line for each wormhole; if it is debug output, print it to stderr or after #"#);
}

#[test]
fn a_row_of_a_million_numbers_is_refused() {
    let long = |count| format!("yes 7 | head -n {count} | tr '\\n' ' '; echo; exec sleep 30");
    insta::assert_snapshot!(refused(&long(200_000)), @"WA: turn 1: row 0 of the grid needs 50 numbers, found more: print one line for each row, a number for each column; if it is debug output, print it to stderr or after #");
    insta::assert_snapshot!(refused(&long(1_000_000)), @"OLE: turn 1: a line of stdout passed its limit of 1048576 bytes");
}

#[test]
fn one_measurement_too_many_is_refused() {
    let all = "grid 50; yes 0 0 0 | head -n 10000";
    insta::assert_snapshot!(refused(&format!("{all}; echo 0 0 0; exec cat >/dev/null")), @"WA: turn 10002: all 10000 measurements are used up: count them, and print -1 -1 -1 and the answer");
    let shown = script("", &format!("{all}; end; answer 95; exec cat >/dev/null"));
    assert_eq!(shown.stderr, "Score = 1\n");
    assert_eq!(shown.stdout.lines().count(), 50 + 10_000 + 1 + 95);
}

#[test]
fn an_answer_that_is_not_whole_is_told_as_such() {
    insta::assert_snapshot!(refused("grid 50; end; answer 94"), @"WA: turn 3: expected the rest of a question, found the end of the output after 94 of its lines");
    insta::assert_snapshot!(too_slow("grid 50; end; answer 94; exec sleep 30"), @"turn 3: the judge waited for the rest of a question, of which it had 94 lines. Did you print all lines and flush stdout?");
    insta::assert_snapshot!(refused("grid 50; end"), @"WA: turn 3: expected a line, found the end of the output: the program exited with status 0 before the game was over");
}

#[test]
fn a_line_after_the_answer_is_refused() {
    insta::assert_snapshot!(refused("grid 50; end; answer 95; echo 0; exec cat >/dev/null"), @r#"WA: turn 4: "0" was printed after the game was over: exit as soon as it is over"#);
    insta::assert_snapshot!(refused("grid 50; end; answer 95; answer 95; sleep 30"), @r#"WA: turn 4: "0" was printed after the game was over: exit as soon as it is over"#);
    let comment = script("", "grid 50; end; answer 95; echo; echo '# bye'");
    assert_eq!(comment.stderr, "Score = 1\n");
}

/// The grid, `-1 -1 -1` and the answer get no reply. A program that waits for one waits until its time is up.
#[test]
fn a_reply_that_never_comes_ends_with_the_time() {
    insta::assert_snapshot!(too_slow("grid 50; read reply"), @"turn 2: both sides were waiting: the program for input (or it slept), the judge for a line. The last question gets no reply");
    insta::assert_snapshot!(too_slow("grid 50; end; read reply"), @"turn 3: both sides were waiting: the program for input (or it slept), the judge for a line. The last question gets no reply");
    // After the answer the input is closed.
    let shown = script("", "grid 50; end; answer 95; read reply; true");
    assert_eq!(shown.stderr, "Score = 1\n");
}

#[test]
fn a_batch_has_the_parameters_as_columns_and_more_is_better() {
    let shown = run(
        "batch --seeds 3..5 --time-limit 60 -- python3",
        &[&contestant("pattern.py")],
    );
    let line = |name: &str| {
        let found = shown.stdout.lines().find(|line| line.starts_with(name));
        found.unwrap()
    };
    insta::assert_snapshot!(line("worst"), @"worst      0004  88,960  L=33 N=81 S=529");
    // Its path may be relative or absolute.
    let command = line("rerun");
    assert!(
        command.contains("ahc022 --seed 4 --time-limit 60 -- python3"),
        "{command}"
    );
    assert!(
        shown.stdout.contains("\nverdicts   AC 2\n"),
        "{}",
        shown.stdout
    );
}
