//! The solver as a program: options, large games, broken judges.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tester::case::Seed;
use tester::judge::judge;
use tester::judge::record::{Record, Verdict};
use tester::judge::verdict::Limits;
use tester::problem::{Instance, Spec};

fn run(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(crate::program_under_test())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have refused its options and left already.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

fn refusal(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn wrong_options_are_refused_before_anything_is_read() {
    for (args, expected) in [
        (
            &["--policy", "best"][..],
            "expected optimal, mi or map after --policy, found \"best\"",
        ),
        (
            &["--policy"][..],
            "expected optimal, mi or map after --policy, found \"\"",
        ),
        (
            &["--hit-bonus", "-1"][..],
            "expected a number of bits of at least 0 after --hit-bonus, found \"-1\"",
        ),
        (&["--hit-bonus", "NaN"][..], "found \"NaN\""),
        (
            &["--policy", "map", "--hit-bonus", "1"][..],
            "--hit-bonus goes with --policy mi only",
        ),
        (&["--best"][..], "expected solver [--policy optimal|mi|map]"),
    ] {
        assert!(
            refusal(args, "").contains(expected),
            "{args:?}: {}",
            refusal(args, "")
        );
    }
}

#[test]
fn unknown_and_impossible_games_are_refused() {
    assert!(
        refusal(&[], "chess\n").contains(
            "expected hitblow, mastermind, distance, gap, balance or liar, found \"chess\""
        )
    );
    assert!(refusal(&[], "distance 3 2 1\n").contains("found distance 3 2"));
    assert!(
        refusal(&[], "distance 3 10 -1\n").contains("standard deviation of at least 0, found -1")
    );
    assert!(refusal(&[], "balance 2 odd\n").contains("which one is odd cannot be found out"));
    assert!(refusal(&["--policy", "map"], "balance 9 heavy\n").contains("expected optimal or mi"));
    assert!(refusal(&[], "hitblow 3 2\n").contains("found hitblow 3 2"));
    assert!(refusal(&[], "mastermind 11 2\n").contains("expected 1 to 10 places"));
    assert!(refusal(&[], "hitblow 3 65\n").contains("3 to 64 digits"));
}

#[test]
fn refused_guess_and_contradiction_end_the_game() {
    assert!(refusal(&[], "hitblow 3 10\n-1\n").contains("the judge refused \"0 1 2\""));
    assert!(refusal(&[], "distance 2 5 0\n0 1\n0 1\n").contains("contradict each other"));
    assert!(refusal(&[], "balance 3 heavy\n<\n-1\n").contains("the judge refused \"! 2\""));
    assert!(refusal(&[], "balance 3 heavy\n0 1\n").contains("expected <, = or >, found \"0\""));
    assert!(refusal(&[], "hitblow 2 3\n1 1\n").contains("contradict each other"));
}

#[test]
fn garbage_ends_the_game_with_one_sentence() {
    let most = i64::MAX;
    for (input, expected) in [
        ("", "expected game, found the end of the input"),
        ("hitblow 3", "expected digits, found the end of the input"),
        ("hitblow three 10", "expected places, found \"three\""),
        ("mastermind 3 -6", "expected digits, found \"-6\""),
        ("distance 3 10 little", "expected sigma, found \"little\""),
        ("distance 3 10 NaN", "standard deviation of at least 0"),
        ("balance 12", "expected kind, found the end of the input"),
        ("balance 99999999999999999999 odd", "expected stones, found"),
        ("balance 4000000000 odd", "expected at most 10000 stones"),
        ("hitblow 3 10\n", "expected a reply, found the end"),
        ("hitblow 3 10\n0\n", "expected blows, found the end"),
        ("hitblow 3 10\nx 1\n", "expected hits, found \"x\""),
        ("hitblow 3 10\n0 -1\n", "expected blows, found \"-1\""),
        ("hitblow 3 10\n0 256\n", "expected blows, found \"256\""),
        (
            "hitblow 3 10\n4 0\n",
            "expected at most 3 hits and blows, found 4 and 0",
        ),
        ("hitblow 3 10\n3 1\n", "at most 3 hits and blows"),
        ("hitblow 3 10\n200 200\n", "at most 3 hits and blows"),
        ("hitblow 10 64\n11 0\n", "at most 10 hits and blows"),
        ("distance 3 10 1\n2 5\n", "expected 0 or 1 and a difference"),
        ("distance 3 10 1\n0\n", "expected difference, found the end"),
        (
            "distance 3 10 1\n0 9223372036854775808\n",
            "expected difference, found",
        ),
        (
            &format!("distance 3 10 0\n0 {most}\n"),
            "contradict each other",
        ),
        (
            &format!("distance 10 64 0\n0 -{most}\n"),
            "expected a reply, found the end",
        ),
        (
            "distance 3 10 1e300\n0 0\n",
            "expected a reply, found the end",
        ),
        ("balance 9 heavy\n", "expected a reply, found the end"),
        ("balance 9 heavy\n<<\n", "expected <, = or >, found \"<<\""),
        (
            "balance 2 heavy\n=\n",
            "the judge's replies contradict each other",
        ),
        ("balance 3 heavy\n<\n", "expected a reply, found the end"),
        ("liar 3 21\n", "expected at most 20 digits where a reply"),
        ("liar 2 2\n0 2\n0 2\n", "contradict each other"),
        ("4\n", "expected colours, found the end of the input"),
        (
            "4 16\n",
            "expected at most 15 digits where a reply may be false",
        ),
        ("11 4\n", "expected 1 to 10 places"),
        ("2 2\n9 9\n9 9\n", "contradict each other"),
    ] {
        let said = refusal(&[], input);
        assert!(said.contains(expected), "{input:?}: {said}");
        let sentence = said.starts_with("solver: ") && said.lines().count() == 1;
        assert!(sentence, "{input:?}: {said}");
    }
    let said = refusal(&[], b"hitblow 3 10\n\xff\xfe 1\n");
    assert!(said.contains("expected hits, found"), "{said}");
}

#[test]
fn judge_that_does_not_read_ends_the_game_with_one_sentence() {
    let output = Command::new("sh")
        .args(["-c", "echo hitblow 3 10 | \"$0\" > /dev/full"])
        .arg(env!("CARGO_BIN_EXE_solver"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("solver: failed to print \"0 1 2\""),
        "{said}"
    );
}

#[test]
fn help_that_cannot_be_printed_is_an_error() {
    let output = Command::new("sh")
        .args(["-c", "\"$0\" --help > /dev/full"])
        .arg(crate::program_under_test())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let expected = "solver: failed to print this help: No space left on device (os error 28)\n";
    assert_eq!(said, expected);
}

#[test]
fn words_that_are_no_text_are_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let odd = OsStr::from_bytes(b"\xff");
    let solver = folder.path().join(odd);
    std::os::unix::fs::symlink(crate::program_under_test(), &solver).unwrap();
    let helped = Command::new(&solver).arg("--help").output().unwrap();
    assert!(helped.status.success(), "{helped:?}");
    let refused = Command::new(&solver).arg(odd).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

#[test]
fn trace_tells_candidates_and_probabilities() {
    // Article 000: after 012 (0 hits, 1 blow) 252 codes are possible.
    let output = run(&["--policy", "map", "--trace"], "hitblow 3 10\n0 1\n3 0\n");
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "0 1 2\n1 3 4\n");
    let trace = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    assert!(
        lines[0].starts_with("720 candidates, 9.492 bits"),
        "{trace}"
    );
    assert!(
        lines[1].starts_with("252 candidates, 7.977 bits"),
        "{trace}"
    );
}

fn play(problem: &str, seed: u64) -> Record {
    let instance = Spec::parse(problem).unwrap().generate(Seed(seed)).unwrap();
    play_instance(instance.as_ref())
}

fn play_instance(instance: &dyn Instance) -> Record {
    let command = tester::process::Command {
        program: crate::program_under_test(),
        args: vec![],
    };
    // No timed test: what is asked is whether it plays through.
    let limits = Limits {
        time: Duration::from_secs(600),
        ..Limits::default()
    };
    judge(instance, &command, &limits, None, &mut ()).unwrap()
}

#[test]
fn games_of_every_shape_are_solved() {
    for problem in [
        "hitblow 1 1",
        "hitblow 1 64",
        "hitblow 2 64",
        "hitblow 8 8",
        "hitblow 4 10",
        "mastermind 1 1",
        "mastermind 10 1",
        "mastermind 1 64",
        "mastermind 2 64",
        "mastermind 10 2",
        "mastermind 4 6",
        "mastermind 5 5",
        "distance 1 1 0",
        "distance 1 64 1000",
        "distance 3 10 0.01",
        "distance 3 10 30",
        "distance 10 10 1",
        "distance 10 64 2.5",
        "gap 1 1 0",
        "gap 3 10 0",
        "gap 3 10 30",
        "gap 10 10 1",
        "gap 10 64 2.5",
        "balance 2 heavy",
        "balance 1000 heavy",
        "balance 3 odd",
        "balance 1000 odd",
        "liar 1 1",
        "liar 1 5",
        "liar 3 10",
        "liar 5 5",
        "liar 6 12",
    ] {
        for seed in 0..3 {
            let record = play(problem, seed);
            assert_eq!(record.verdict, Verdict::Ac, "{problem}: {record:?}");
        }
    }
}

#[test]
fn every_stone_is_found_in_the_fewest_weighings_by_the_program_itself() {
    for (problem, most) in [
        ("balance 9 heavy", 2),
        ("balance 12 odd", 3),
        ("balance 13 heavy", 3),
        ("balance 40 heavy", 4),
    ] {
        let instances = Spec::parse(problem).unwrap().enumerate().unwrap();
        let scores: Vec<u64> = instances
            .map(|instance| {
                let record = play_instance(instance.as_ref());
                assert_eq!(record.verdict, Verdict::Ac, "{problem}: {record:?}");
                record.score.units()
            })
            .collect();
        assert_eq!(scores.iter().max(), Some(&most), "{problem}: {scores:?}");
    }
}

#[test]
fn a_prior_is_believed_and_a_zero_is_never_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prior.txt");
    let run_with = |text: &str, input: &str| {
        std::fs::write(&file, text).unwrap();
        run(
            &["--policy", "map", "--prior", file.to_str().unwrap()],
            input,
        )
    };
    // The most probable code is declared, then the next of those that fit.
    let text = "# what a friend chooses\n\n123 5\n7 2 0,1.5\n  745\t1\n456 0\n";
    let output = run_with(text, "hitblow 3 10\n1 0\n3 0\n");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && lines == "1 2 3\n7 2 0\n",
        "{lines}"
    );
    let output = run_with(text, "hitblow 3 10\n0 0\n3 0\n");
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b"1 2 3\n7 4 5\n"[..])
    );
    // 456 has the weight 0: the replies that point at it leave nothing.
    let output = run_with(text, "hitblow 3 10\n0 0\n0 2\n");
    let why = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2)
            && why.contains("no code of the prior explains the 2 replies; "),
        "{why}"
    );
    // Replies that no code at all explains.
    let output = run_with(text, "hitblow 3 10\n0 0\n2 1\n");
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("contradict each other")
    );
    for (text, expected) in [
        ("", "found 0"),
        ("123 1\n123 2\n", "line 2: expected each code once"),
        (
            "112 1\n",
            "line 1: expected a code of the game and a weight of at least 0, found \"112 1\"",
        ),
        ("123 -1\n", "line 1: "),
        ("123\n", "line 1: "),
        ("123 inf\n", "line 1: "),
    ] {
        let output = run_with(text, "hitblow 3 10\n");
        let why = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && why.contains(expected),
            "{text:?}: {why}"
        );
    }
    let prior = ["--prior", file.to_str().unwrap()];
    assert!(
        refusal(&prior, "gap 3 10 1\n")
            .contains("--prior goes with hitblow and mastermind, found gap")
    );
    assert!(refusal(&prior, "mastermind 5 64\n").contains("--prior goes with games of at most"));
    assert!(
        refusal(&["--prior", "/no/such/file"], "hitblow 3 10\n")
            .contains("failed to read the prior /no/such/file")
    );
    assert!(refusal(&["--prior"], "").contains("expected a file after --prior"));
}

#[test]
fn trace_of_a_noisy_game_tells_what_is_believed() {
    let output = run(&["--trace"], "distance 2 3 1\n0 1\n1 0\n");
    assert!(output.status.success());
    let trace = String::from_utf8(output.stderr).unwrap();
    assert!(
        trace.starts_with("6 candidates, 2.585 bits to learn; "),
        "{trace}"
    );
    assert_eq!(trace.lines().count(), 2);
}
