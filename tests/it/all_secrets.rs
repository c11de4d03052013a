//! Every secret of a game through the real judge and real pipes. Published totals, independently
//! computed, are met to the digit.
//!
//! Run in a release build: `cargo test --release -p solver --test it all_secrets:: -- --include-ignored`.

use std::ffi::OsString;
use std::sync::Mutex;

use tester::judge::judge;
use tester::judge::record::Verdict;
use tester::judge::verdict::Limits;
use tester::problem::Spec;
use tester::process::Command;

/// The total and the histogram of turns, from 1, over all secrets of `problem`.
fn play_all(problem: &str, args: &[&str]) -> (u64, Vec<u64>) {
    let command = Command {
        program: crate::program_under_test(),
        args: args.iter().map(OsString::from).collect(),
    };
    let secrets = Mutex::new(Spec::parse(problem).unwrap().enumerate().unwrap());
    let histogram = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(instance) = secrets.lock().unwrap().next() else {
                        break;
                    };
                    let limits = Limits::default();
                    let record =
                        judge(instance.as_ref(), &command, &limits, None, &mut ()).unwrap();
                    assert_eq!(record.verdict, Verdict::Ac, "{record:?}");
                    let mut histogram = histogram.lock().unwrap();
                    let turns = record.score.units() as usize;
                    if histogram.len() < turns {
                        histogram.resize(turns, 0);
                    }
                    histogram[turns - 1] += 1;
                }
            });
        }
    });
    let histogram = histogram.into_inner().unwrap();
    let total = (1..)
        .zip(&histogram)
        .map(|(turns, count)| turns * count)
        .sum();
    (total, histogram)
}

#[test]
fn hitblow_3_10_is_found_in_few_turns() {
    let (total, histogram) = play_all("hitblow 3 10", &[]);
    // The least that is possible (docs/optimal.md).
    assert_eq!((total, histogram.len()), (3575, 7));
}

#[test]
#[ignore = "plays 20,000 games"]
fn the_fewest_turns_are_taken() {
    // Two independent programs computed them; see docs/optimal.md.
    for (problem, least) in [
        ("hitblow 2 10", 451),
        ("hitblow 3 6", 436),
        ("hitblow 3 7", 836),
        ("hitblow 3 8", 1449),
        ("hitblow 3 9", 2337),
        ("hitblow 4 6", 1446),
        ("hitblow 4 7", 3639),
        ("hitblow 4 10", 26274),
        ("hitblow 5 5", 535),
        ("mastermind 4 4", 905),
        ("mastermind 4 5", 2463),
        ("mastermind 4 6", 5625),
        ("mastermind 5 4", 3954),
        ("mastermind 5 5", 13496),
        ("mastermind 6 2", 224),
    ] {
        let (total, histogram) = play_all(problem, &[]);
        assert_eq!(total, least, "{problem}: {histogram:?}");
    }
}

#[test]
#[ignore = "plays 720 games; scripts/test plays with the default"]
fn mutual_information_is_still_there() {
    let (total, histogram) = play_all("hitblow 3 10", &["--policy", "mi"]);
    // Required: at most 3616. Measured, and pinned so that a change shows: 3612.
    assert_eq!(total, 3612, "{histogram:?}");
}

#[test]
#[ignore = "plays 3080 games; scripts/test plays the one above"]
fn other_games_are_found_in_few_turns() {
    // Required: at most 2366 and 5722. Measured, as the README has it.
    for (problem, pinned) in [
        ("hitblow 3 9", 2366),
        ("mastermind 4 4", 908),
        ("mastermind 4 6", 5719),
        ("mastermind 5 4", 3976),
    ] {
        let (total, histogram) = play_all(problem, &["--policy", "mi"]);
        assert_eq!(total, pinned, "{problem}: {histogram:?}");
    }
}

#[test]
#[ignore = "plays 5240 games"]
fn published_totals_are_met_to_the_digit() {
    for (problem, args, total, histogram) in [
        // Article 002: the most probable code first, 5.27 turns.
        (
            "hitblow 3 10",
            vec!["--policy", "map"],
            3792,
            vec![1, 8, 40, 131, 236, 205, 73, 24, 2],
        ),
        // Mutual information alone, ties to a candidate.
        (
            "hitblow 3 10",
            vec!["--hit-bonus", "0"],
            3616,
            vec![1, 6, 28, 105, 383, 195, 2],
        ),
        (
            "hitblow 3 9",
            vec!["--hit-bonus", "0"],
            2364,
            vec![1, 6, 31, 121, 296, 49],
        ),
        (
            "mastermind 4 4",
            vec!["--hit-bonus", "0"],
            912,
            vec![1, 9, 91, 155],
        ),
        (
            "mastermind 4 6",
            vec!["--hit-bonus", "0"],
            5722,
            vec![1, 4, 71, 612, 596, 12],
        ),
        (
            "mastermind 5 4",
            vec!["--hit-bonus", "0"],
            3977,
            vec![1, 9, 181, 750, 83],
        ),
    ] {
        assert_eq!(
            play_all(problem, &args),
            (total, histogram),
            "{problem} {args:?}"
        );
    }
    // Article 003: a hit counts as 2 bits, 5.02 turns. There equal guesses are taken in order, here
    // one that may be right is preferred: the total is the same, the histogram is not.
    let (total, histogram) = play_all("hitblow 3 10", &["--hit-bonus", "2"]);
    assert_eq!((total, histogram.len()), (3614, 7));
}
