//! `tester duel` through the real binary.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{counter, late, names, run_in, script, words, write_cases};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

const GAME: [&str; 2] = ["--problem", "hitblow 1 10"];

/// `./late` is never better than `./up`, which takes hundreds of pairs to believe where no bound is known.
const AT_MOST: [&str; 2] = ["--max-difference", "10"];

/// `./up` guesses 0, 1, 2 …; `./late` wastes its first turns, as many as its argument says.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "up", "");
    late(dir.path());
    dir
}

#[test]
fn the_better_one_is_found_and_the_pairs_needed_do_not_depend_on_the_jobs() {
    let dir = folder();
    let duel = |jobs: &str| {
        let args = ["duel", "./late 1", "./up", "--jobs", jobs];
        let args = [&args, &AT_MOST[..], &GAME[..]].concat();
        let shown = run_in(dir.path(), &args, "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let lines = shown.stdout.lines().filter(|l| !l.starts_with("runs"));
        lines.map(|l| format!("{l}\n")).collect::<String>()
    };
    let alone = duel("1");
    insta::assert_snapshot!(alone, @"
    A          6.7925  ./late 1
    B          5.8679  ./up
    pairs      53 accepted from both, of 53 played
    B - A      -0.9245 (-1.8415 to -0.0043 with 95 % confidence, whenever you stop)
    by case    A better on 0, the same on 4, B better on 49
    test       betting on the sign of the next difference; alpha 0.05
    B is better, after 53 pairs. If both were equally good, B would be declared better with probability
    0.05 at most, however often you look. Equally good means: swapping them changes nothing, or the
    means are equal and A is never better by more than 10.
    ");
    assert_eq!(duel("3"), alone);
    // Both runs are kept, and can be compared as others are.
    let compared = run_in(dir.path(), &["compare"], "").stdout;
    assert!(
        compared.starts_with("A          run 3  ./late 1\nB          run 4  ./up\n"),
        "{compared}"
    );
    let folders = names(&dir.path().join("out"));
    assert_eq!(folders, ["duel-a", "duel-b", "history.sqlite", "runs"]);
}

#[test]
fn equals_are_not_told_apart() {
    let dir = folder();
    let args = [&["duel", "./up", "./up", "--seeds", "5..45"], &GAME[..]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let lines: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|l| !l.starts_with("runs"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    A          6.1000  ./up
    B          6.1000  ./up
    pairs      40 accepted from both, of 40 played
    B - A      +0.0000
    by case    A better on 0, the same on 40, B better on 0
    test       betting on the sign of the next difference; alpha 0.05
    Not decided. Both had the same score on every pair: more such pairs would decide nothing.
    ");
}

#[test]
fn undecided_it_says_how_many_pairs_more_it_would_take() {
    let dir = folder();
    let args = [
        &words("duel './late 1' ./up --max-cases 34 --alpha 1e-6"),
        &AT_MOST[..],
        &GAME[..],
    ]
    .concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let told = shown.stdout.split("about ").nth(1).unwrap();
    let told: u64 = told.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(
        shown.stderr,
        "hint: a duel with a larger --max-cases than 34 goes on\n"
    );
    // That many and a few more, for the rest is like the beginning only on average.
    let enough = (34 + told + 10).to_string();
    let args = [
        &[
            "duel",
            "./late 1",
            "./up",
            "--max-cases",
            &enough,
            "--alpha",
            "1e-6",
        ],
        &AT_MOST[..],
        &GAME[..],
    ]
    .concat();
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
}

#[test]
fn failures_are_in_no_mean_and_a_hopeless_duel_stops() {
    let dir = folder();
    script(dir.path(), "bad", "exit 1");
    let args = [&["duel", "./bad", "./up"], &GAME[..]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1);
    assert!(
        shown.stdout.contains("(30 of 30 cases failed, in no mean)"),
        "{}",
        shown.stdout
    );
    assert!(
        shown
            .stdout
            .contains("Stopped: of 30 cases A failed 30 and B 0"),
        "{}",
        shown.stdout
    );
}

#[test]
fn one_sided_differences_need_more_pairs_and_come_with_a_caution() {
    let dir = folder();
    let duel = |most: &str| {
        let args = ["duel", "./late 1", "./up", "--max-cases", most];
        let shown = run_in(dir.path(), &[&args[..], &GAME].concat(), "");
        let last = shown.stdout.split("alpha 0.05\n").nth(1).unwrap();
        let words = last.split("runs  ").next().unwrap().replace('\n', " ");
        (shown.status, words)
    };
    let (status, words) = duel("60");
    assert_eq!(status, 1);
    insta::assert_snapshot!(words, @"Not decided. If the true difference is the observed one (-0.9333), about 359 more pairs would decide it. If it is smaller, it takes more. Caution: A was better on no case, so how much it can be better by is hardly known. If you know a bound, give it: --max-difference N.");
    let (status, words) = duel("600");
    assert_eq!(status, 0);
    insta::assert_snapshot!(words, @"B is better, after 435 pairs. If both were equally good, B would be declared better with probability 0.05 at most, however often you look. Equally good means: swapping them changes nothing, or the means are equal and A is never better by more than 100. Caution: A was better on no case, so how much it can be better by is hardly known. Rare cases beyond that bound may outweigh all these.");
}

/// As `./late WASTED`, but it fails if the digit is 8 or 9.
fn failing(dir: &TempDir, name: &str, wasted: u64) {
    let play = "while [ $g -lt 8 ]; do echo $((g < 0 ? 0 : g)); read -r h b; \
                [ \"$h\" = 1 ] && exit 0; g=$((g + 1)); done; exit 1";
    script(
        dir.path(),
        name,
        &format!("read -r game; g=-{wasted}; {play}"),
    );
}

#[test]
fn a_side_that_fails_more_is_named_first_and_scores_alone_make_none_better() {
    let dir = folder();
    // `./weak` starts as well as `./up`, is better than `./late`, and fails if the digit is 8 or 9.
    failing(&dir, "weak", 0);
    let duel = |first: &str, second: &str| {
        let args = ["duel", first, second, "--max-difference", "4"];
        let shown = run_in(dir.path(), &[&args[..], &GAME].concat(), "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let last = shown.stdout.split("alpha 0.05\n").nth(1).unwrap();
        let words = last.split("runs  ").next().unwrap().replace('\n', " ");
        words.split(" If both").next().unwrap().to_owned()
    };
    insta::assert_snapshot!(duel("./weak", "./late 1"), @"A failed 9 of 36 cases and B 0: B is safer. Failed cases are in no mean. On the 27 cases that both solved, A is better. Which of them is better in all depends on what a failed case costs.");
    insta::assert_snapshot!(duel("./late 1", "./weak"), @"B failed 9 of 36 cases and A 0: A is safer. Failed cases are in no mean. On the 27 cases that both solved, B is better. Which of them is better in all depends on what a failed case costs.");
    failing(&dir, "worse", 1);
    insta::assert_snapshot!(duel("./worse", "./up"), @"A failed 9 of 36 cases and B 0: B is safer. Failed cases are in no mean. On the 27 cases that both solved, B is better.");
}

/// An interactor that is killed is IE, which is no program's failure.
#[test]
fn a_case_that_could_not_be_judged_ends_the_duel_and_makes_no_side_safer() {
    let dir = folder();
    write_cases(dir.path(), ["1\n"; 5]);
    script(dir.path(), "p", "echo 1");
    let interactor = "[ {case} = in/0003.txt ] && kill -KILL $$; read -r guess; exit 0";
    let args = ["duel", "./p", "./p", "--cases", "in", "--jobs", "1"];
    let args = [&args[..], &["--interactor", interactor]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!((shown.status, &*shown.stdout), (2, ""), "{shown:?}");
    let cause = "tester: the machine could not judge case 0003: IE: the interactor";
    assert!(shown.stderr.contains(cause), "{shown:?}");
    // The pairs before it are kept.
    let shown = run_in(dir.path(), &["compare", "1", "2"], "");
    assert!(
        shown.stdout.contains("3 in both, 3 accepted in both"),
        "{shown:?}"
    );
}

/// Such a run is unfinished; its other cases can be compared.
#[test]
fn a_case_that_could_not_be_judged_is_in_no_comparison() {
    let dir = folder();
    write_cases(dir.path(), ["1\n"; 5]);
    script(dir.path(), "p", "echo 1");
    let interactor =
        "[ -e broken ] && [ {case} = in/0003.txt ] && kill -KILL $$; read -r guess; exit 0";
    let batch = ["batch", "--interactor", interactor, "--", "./p"];
    assert_eq!(run_in(dir.path(), &batch, "").status, 0);
    std::fs::write(dir.path().join("broken"), "").unwrap();
    let shown = run_in(dir.path(), &batch, "");
    assert_eq!(shown.status, 2, "{shown:?}");
    assert!(!shown.stdout.contains("failed now"), "{shown:?}");
    let shown = run_in(dir.path(), &["compare", "1", "2"], "");
    assert!(
        shown.stdout.contains("4 in both, 4 accepted in both"),
        "{shown:?}"
    );
    assert!(!shown.stdout.contains("safer"), "{shown:?}");
}

#[test]
fn interrupted_it_tells_how_it_stands_and_keeps_both_runs() {
    let dir = folder();
    counter(dir.path(), "slow", "sleep 0.02");
    let duel = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["duel", "./slow", "./slow"])
        .args(GAME)
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let judged = || {
        run_in(dir.path(), &["show", "--json"], "")
            .stdout
            .lines()
            .count()
    };
    while judged() < 3 {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&duel), Signal::INT).unwrap();
    let ended = duel.wait_with_output().unwrap();
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(ended.status.signal(), Some(Signal::INT.as_raw()));
    let stdout = String::from_utf8_lossy(&ended.stdout);
    assert!(
        stdout.contains("Interrupted before it was decided."),
        "{stdout}"
    );
    let history = run_in(dir.path(), &["history", "--json"], "").stdout;
    let states = history.matches(r#""state":"unfinished""#).count();
    assert_eq!(states, 2, "{history}");
    let resumed = run_in(dir.path(), &["batch", "--resume"], "");
    assert_eq!(resumed.status, 2, "a duel is no batch: {resumed:?}");
}

#[test]
fn bad_words_are_refused_before_anything_runs() {
    let dir = folder();
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["duel"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("out/history.sqlite").exists());
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["./up", "./none"]), @"
    tester: failed to start ./none: no such file
    hint: check the path, or build it first
    ");
    insta::assert_snapshot!(refused(&["./up", "./late 'x"]), @r#"tester: a quote is open in "./late 'x""#);
    insta::assert_snapshot!(refused(&["./up", ""]), @"tester: expected a program, found an empty word");
    assert!(refused(&["./up"]).contains("<B>"));
    assert!(refused(&["./up", "./late", "--alpha", "1.5"]).contains("expected a probability"));
    assert!(
        refused(&["./up", "./late", "--max-difference", "0"]).contains("expected a number above 0")
    );
    assert!(refused(&["./up", "./late", "--seeds", "5..5"]).contains("expected at least one seed"));
    assert!(refused(&["./up", "./late", "--problem", "chess"]).contains("expected a problem"));
}

#[test]
fn a_duel_that_has_played_all_its_seeds_says_how_it_goes_on() {
    let dir = folder();
    let args = ["duel", "./late 1", "./up", "--seeds", "5..15"];
    for most in ["10", "100"] {
        let words = [&args[..], &["--max-cases", most], &GAME[..]].concat();
        let shown = run_in(dir.path(), &words, "");
        assert_eq!(shown.status, 1, "{shown:?}");
        let hint = "hint: all 10 seeds are played: a duel with --seeds 5.. goes on\n";
        assert_eq!(shown.stderr, hint);
    }
}

#[test]
fn a_batch_that_is_compared_with_the_second_side_of_a_duel_says_so() {
    let dir = folder();
    let seeds = ["--seeds", "5..15"];
    let duel = [&["duel", "./up", "./late 1"], &seeds[..], &GAME[..]].concat();
    run_in(dir.path(), &duel, "");
    let batch = [&["batch"], &seeds[..], &GAME[..], &["--", "./up"]].concat();
    let shown = run_in(dir.path(), &batch, "").stdout;
    let against = shown.split("against ").nth(1).unwrap();
    // Both find 0 at once, the secret of one of these seeds. The standard error is 0.1, and t with 9 degrees 2.262.
    insta::assert_snapshot!(against, @"
       run 2: -0.9000 ± 0.2262; better on 9 cases, the same on 1, worse on 0
               run 2 is of another command: ./late 1
               run 2 is the second program of a duel; the first is run 1
               tester compare 2
    ");
    let again = run_in(dir.path(), &batch, "").stdout;
    assert!(!again.contains("of a duel"), "{again}");
}

#[test]
fn the_two_runs_of_a_duel_are_compared_by_its_conclusion() {
    let dir = folder();
    // B is better by 1 on every case, which a test for one look takes for proof.
    let undecided = ["duel", "./late 1", "./up", "--max-cases", "30"];
    let duel = run_in(dir.path(), &[&undecided, &GAME[..]].concat(), "");
    assert_eq!(duel.status, 1, "{duel:?}");
    let decided = [&["duel", "./late 1", "./up"], &AT_MOST[..], &GAME[..]].concat();
    let duel = run_in(dir.path(), &decided, "");
    assert_eq!(duel.status, 0, "{duel:?}");
    let compared = |runs: &[&str]| {
        let args = [&["compare"], runs].concat();
        let text = run_in(dir.path(), &args, "").stdout;
        let conclusion = text.split("two-sided)\n").nth(1).unwrap();
        let json = run_in(dir.path(), &[&args[..], &["--json"]].concat(), "").stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let conclusion = conclusion.split("cases that changed").next().unwrap();
        (
            conclusion.to_owned(),
            [&json["conclusion"], &json["better"], &json["cautions"]].map(ToString::to_string),
        )
    };
    let (text, json) = compared(&["1", "2"]);
    insta::assert_snapshot!(text, @"
    Not decided. A and B are the runs of a duel that was not decided, and its conclusion counts. A duel
    looks after every pair; the interval and p hold only for one look, at a number of cases chosen
    beforehand.
    ");
    assert_eq!(json, [r#""duel-undecided""#, "null", "[]"]);
    assert_eq!(compared(&["2", "1"]).1, json);
    let (text, json) = compared(&["3", "4"]);
    insta::assert_snapshot!(text, @"
    B is better than A on cases like these. If both were equally good, a difference this large would
    occur in fewer than 2 of 1000 comparisons. The true advantage may be anywhere in the interval, and
    may differ on other kinds of cases. A and B are the runs of a duel that was decided: its conclusion
    counts. A duel looks after every pair and stops by what it sees; the interval and p hold only for a
    number of cases chosen beforehand.
    ");
    assert_eq!(json, [r#""better""#, r#""b""#, r#"["duel-decided"]"#]);
    // Not the two runs of one duel.
    assert_eq!(compared(&["1", "4"]).1, [r#""better""#, r#""b""#, "[]"]);
    // The page has the sentences in both languages.
    let args = ["report", "1", "2", "--to", "r.html"];
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    let page = std::fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(page.contains(r#""conclusion":{"kind":"duel-undecided"}"#));
    assert_eq!(page.matches(r#""duel-undecided": ""#).count(), 2);
    assert_eq!(page.matches(r#""duel-decided": ""#).count(), 2);
}
