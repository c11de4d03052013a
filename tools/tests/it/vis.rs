//! `tester vis`: AtCoder's convention, and what stands in the page. How it is clicked is in `vis_page.rs`.

use std::path::Path;

use crate::common::{CASE, run_in, script, words, write_cases};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a case and what a contestant wrote.
fn folder(output: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("0000.txt"), CASE).unwrap();
    std::fs::write(dir.path().join("o"), output).unwrap();
    dir
}

fn session(dir: &Path) -> Value {
    let page = std::fs::read_to_string(dir.join("vis.html")).unwrap();
    let (_, after) = page.split_once("id=\"session\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn score_is_printed_and_the_session_told() {
    let dir = folder("# hm\n0 1 2\n5 8 2\n8 2 5\n");
    let shown = run_in(dir.path(), &["vis", "0000.txt", "o"], "");
    assert_eq!((shown.status, shown.stdout.as_str()), (0, "Score = 3\n"));
    assert_eq!(shown.stderr, "wrote vis.html\n");
    let session = session(dir.path());
    let turns = &session["turns"];
    // The secret is 8 2 5.
    let replies: Vec<&Value> = (0..3).map(|turn| &turns[turn]["reply"]).collect();
    assert_eq!(json!(replies), json!(["0 1", "0 3", "3 0"]));
    assert_eq!(turns[0]["remarks"][0]["text"], "# hm");
    let peg = |symbol, mark| json!({"symbol": symbol, "mark": mark});
    let expected = [peg(0, "miss"), peg(1, "miss"), peg(2, "blow")];
    assert_eq!(session["drawing"]["pegs"]["rows"][0], json!(expected));
    assert_eq!(
        (&session["answer"], &session["verdict"]),
        (&json!("8 2 5"), &json!("AC"))
    );
}

#[test]
fn what_went_wrong_is_said_and_the_score_is_0() {
    let mut all = String::new();
    for output in [
        "7 7 1\n",
        "0 1 2\n",
        "",
        "8 2 5\n8 2 5\n",
        "0 1 2\n\u{1b}[2Jx\n",
    ] {
        let dir = folder(output);
        let shown = run_in(dir.path(), &["vis", "0000.txt", "o"], "");
        assert_eq!((shown.status, shown.stdout.as_str()), (0, "Score = 0\n"));
        assert_eq!(session(dir.path())["verdict"], "WA");
        all += &shown.stderr;
    }
    insta::assert_snapshot!(all, @r#"
    WA: turn 1: digit 7 appears twice in "7 7 1"
    wrote vis.html
    WA: turn 2: expected a line, found the end of the output
    wrote vis.html
    WA: turn 1: expected a line, found the end of the output
    wrote vis.html
    WA: turn 2: "8 2 5" was printed after the game was over: exit as soon as it is over
    wrote vis.html
    WA: turn 2: "\u{1b}[2Jx" is not an integer in "\u{1b}[2Jx"; if it is debug output, print it to stderr or after #
    wrote vis.html
    "#);
}

#[test]
fn page_without_scripts_shows_control_characters_of_the_program() {
    let dir = folder("0 1 2\n5 \u{1b}[2J\0\r\u{9b}8\n");
    let shown = run_in(dir.path(), &["vis", "0000.txt", "o"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = std::fs::read_to_string(dir.path().join("vis.html")).unwrap();
    let (_, text) = page.split_once("<pre>").unwrap();
    let (text, _) = text.split_once("</pre>").unwrap();
    let second = text.lines().nth(1);
    assert_eq!(second, Some("2  5 \\u{1b}[2J\\u{0}\\r\\u{9b}8  -1"));
}

#[test]
fn a_transcript_tells_times_and_the_verdict_that_was_given() {
    let dir = folder("");
    let judged = words("--transcript t --time-limit 0.3 sh -c 'echo 0 1 2; echo oh >&2; sleep 9'");
    assert_eq!(run_in(dir.path(), &judged, CASE).status, 0);
    let shown = run_in(dir.path(), &["vis", "--transcript", "0000.txt", "t"], "");
    assert_eq!(shown.stdout, "Score = 0\n");
    assert!(
        shown.stderr.starts_with("TLE: turn 2: "),
        "{}",
        shown.stderr
    );
    let session = session(dir.path());
    assert_eq!(session["verdict"], "TLE");
    assert!(session["turns"][0]["ms"].is_f64());
    assert!(
        session
            .to_string()
            .contains("\"stderr\":true,\"text\":\"oh\"")
    );
}

#[test]
fn of_a_transcript_that_is_cut_only_what_is_there_is_judged() {
    let cut = "[    0.2] ~ the transcript is cut here, where it reached its limit\n";
    let vis = |before: &str, after: &str| {
        let dir = folder(&format!("[    0.1] > hitblow 3 10\n{before}{cut}{after}"));
        let shown = run_in(dir.path(), &["vis", "--transcript", "0000.txt", "o"], "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let page = session(dir.path()).to_string();
        assert!(page.contains("(the transcript is cut here, "), "{page}");
        let first = shown.stderr.lines().next().unwrap_or_default().to_owned();
        (shown.stdout, first)
    };
    let unknown = "IE: the transcript is cut, so the rest of the session is not known";
    let guess = "[    0.2] < 0 1 2\n";
    for after in ["", "[    0.3] = AC, score 2\n"] {
        assert_eq!(vis(guess, after), ("Score = 0\n".into(), unknown.into()));
    }
    let late = vis(guess, "[    0.3] = TLE: turn 2: late\n");
    assert_eq!(late, ("Score = 0\n".into(), "TLE: turn 2: late".into()));
    let right = vis("[    0.2] < 8 2 5\n", "[    0.3] = AC, score 1\n");
    assert_eq!(right, ("Score = 1\n".into(), "wrote vis.html".into()));
}

#[test]
fn what_looks_like_a_transcript_on_stdout_is_judged_as_what_it_is() {
    for output in [
        "[    0.1] = AC: \n",
        "[    0.1] < 8 2 5\n",
        "[    0.1] > hitblow 3 10\n[    0.2] < 8 2 5\n[    0.3] > 3 0\n[    0.4] = AC, score 1\n",
    ] {
        let dir = folder(output);
        let shown = run_in(dir.path(), &["vis", "0000.txt", "o"], "");
        assert_eq!(
            (shown.status, shown.stdout.as_str()),
            (0, "Score = 0\n"),
            "{output}"
        );
        assert!(shown.stderr.starts_with("WA: turn 1: "), "{}", shown.stderr);
        let hint = "hint: o was judged as a program's output; if it is a transcript, --transcript reads it\n";
        assert!(shown.stderr.contains(hint), "{}", shown.stderr);
    }
    // Nor does a transcript say that it is accepted: the rules do.
    let dir = folder("[    0.1] > hitblow 3 10\n[    0.4] = AC: yes\n");
    let shown = run_in(dir.path(), &["vis", "--transcript", "0000.txt", "o"], "");
    assert_eq!(shown.stdout, "Score = 0\n");
}

#[test]
fn a_problem_that_draws_no_pegs_shows_its_lines() {
    let dir = folder("guess\n");
    std::fs::write(dir.path().join("0000.txt"), "balance 3 heavy\n2\n").unwrap();
    let answer = run_in(dir.path(), &["vis", "0000.txt", "o"], "");
    assert_eq!(answer.status, 0, "{answer:?}");
    let session = session(dir.path());
    assert_eq!(session["drawing"], Value::Null);
    assert_eq!(session["turns"][0]["guess"], "guess");
}

#[test]
fn a_number_is_the_case_as_the_newest_run_played_it() {
    let dir = TempDir::new().unwrap();
    let run = |args: &[&str]| run_in(dir.path(), args, "");
    let refused = run(&["vis", "3"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(refused.stderr, @"
    tester: no run of out/history.sqlite has an output of case 0003
    hint: name the file of the case: tester vis in/0003.txt
    ");
    assert!(!dir.path().join("vis.html").exists());
    // Cases of seeds are in no file. Both programs give up, after one line and after two.
    for body in ["echo 0 1 2", "echo 0 1 2; echo 3 4 5"] {
        let judged = run(&["batch", "--seeds", "2..4", "--", "sh", "-c", body]);
        assert_eq!(judged.status, 1, "{judged:?}");
    }
    let turns = |args: &[&str]| {
        let shown = run(&[&["vis", "3"], args].concat());
        assert_eq!(shown.status, 0, "{shown:?}");
        let wrote = shown.stderr.lines().last().unwrap().to_owned();
        (
            wrote,
            session(dir.path())["turns"].as_array().unwrap().len(),
        )
    };
    let newest = ("wrote vis.html of out/runs/2/0003.txt".to_owned(), 2);
    assert_eq!(turns(&[]), newest);
    assert_eq!(
        turns(&["--run", "1"]),
        ("wrote vis.html of out/runs/1/0003.txt".to_owned(), 1)
    );
    let refused = run(&["vis", "5", "--run", "1"]);
    assert!(
        refused.stderr.contains("no output of case 0005 in run 1"),
        "{refused:?}"
    );
    // The file of the case, with the output of that run.
    run(&["gen", "--seeds", "3"]);
    let shown = run(&["vis", "in/0003.txt", "--run", "1"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(session(dir.path())["turns"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_shown_is_refused_and_nothing_is_written() {
    let dir = folder("8 2 5\n");
    std::fs::write(dir.path().join("t"), "[    0.1] > hitblow 3 9\n").unwrap();
    std::fs::write(dir.path().join("bad"), "hitblow 3\n").unwrap();
    let refused = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["vis"], words].concat(), "");
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    let all = [
        refused(&["0000.txt", "none"]),
        refused(&["bad", "o"]),
        refused(&["--transcript", "0000.txt", "t"]),
        refused(&["0000.txt", "o", "--to", "o/vis.html"]),
        refused(&["0000.txt", "o", "--to", "."]),
    ];
    insta::assert_snapshot!(all.concat(), @r#"
    tester: failed to read none: No such file or directory (os error 2)
    tester: failed to read case bad: line 1: expected hitblow P K with 1 <= P <= 10 and P <= K <= 64, found "hitblow 3"
    tester: failed to read transcript t: line 1: expected the judge to say "hitblow 3 10", found "hitblow 3 9"; is it another case's?
    tester: failed to write o: expected a folder, found a file
    tester: failed to write .: expected the name of a file, found a folder
    "#);
    assert!(!dir.path().join("vis.html").exists());
}

#[test]
fn a_case_or_a_problem_that_has_changed_since_the_run_is_remarked_upon() {
    let dir = TempDir::new().unwrap();
    let at = dir.path();
    write_cases(at, [CASE]);
    script(at, "fixed", "printf '0 1 2\\n5 8 2\\n8 2 5\\n'");
    let batch = run_in(at, &["batch", "--transcripts", "--", "./fixed"], "");
    assert_eq!(batch.status, 0, "{batch:?}");
    let shown = |output: &str| {
        let shown = run_in(at, &["vis", "in/0000.txt", output], "");
        (shown.stderr + &shown.stdout).replace("wrote vis.html\n", "")
    };
    let outputs = [
        "out/0000.txt",
        "out/runs/1/0000.txt",
        "out/runs/1/0000.transcript",
    ];
    for output in outputs {
        assert_eq!(shown(output), "Score = 3\n");
    }
    // Another judge has a score of its own.
    let line = "{command} < {case} > {out}; echo Score = 7";
    let words = [
        "batch",
        "--external",
        line,
        "--objective",
        "min",
        "--cases",
        "in",
    ];
    let other = run_in(at, &[&words[..], &["--", "./fixed"]].concat(), "");
    assert_eq!(other.status, 0, "{other:?}");
    assert_eq!(shown("out/0000.txt"), "Score = 3\n");
    assert_eq!(run_in(at, &["delete", "2"], "").status, 0);
    // As if the problem had counted otherwise.
    let history = rusqlite::Connection::open(at.join("out/history.sqlite")).unwrap();
    history.execute("UPDATE record SET score = 7", []).unwrap();
    for output in outputs {
        insta::allow_duplicates! {
            insta::assert_snapshot!(shown(output), @"
            in run 1, case 0000 was AC with score 7: the problem has changed since
            Score = 3
            ");
        }
    }
    // Another secret: the second guess finds it.
    std::fs::write(at.join("in/0000.txt"), "hitblow 3 10\n5 8 2\n").unwrap();
    insta::assert_snapshot!(shown("out/0000.txt"), @r#"
    WA: turn 3: "8 2 5" was printed after the game was over: exit as soon as it is over
    in run 1, case 0000 had other content, and was AC with score 7
    Score = 0
    "#);
    // An output of no run, and one that is named as another case's.
    std::fs::write(at.join("0000.txt"), "5 8 2\n").unwrap();
    assert_eq!(shown("0000.txt"), "Score = 1\n");
    std::fs::copy(at.join("out/0000.txt"), at.join("mine.txt")).unwrap();
    assert!(!shown("mine.txt").contains("in run"));
}

#[test]
fn settings_without_another_judge_leave_the_built_in_page() {
    let dir = folder("");
    std::fs::create_dir(dir.path().join("mine")).unwrap();
    std::fs::write(dir.path().join("mine/0000.txt"), "8 2 5\n").unwrap();
    let settings = "version = 1\n[judge]\nmeasure = \"log\"\n[batch]\nout = \"mine\"\n";
    std::fs::write(dir.path().join("tester.toml"), settings).unwrap();
    // The output is looked for where batches write it.
    let shown = run_in(dir.path(), &["vis", "0000.txt"], "");
    assert_eq!(
        (shown.status, &*shown.stdout),
        (0, "Score = 1\n"),
        "{shown:?}"
    );
    assert_eq!(session(dir.path())["verdict"], "AC");
}
