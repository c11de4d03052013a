//! The least totals and worst cases, against published ones and a slow twin.

use lab::game::{codes, rules};
use lab::optimal::{Objective, Optimum, Options, Without, find};
use lab::solver::pegs::{CodeId, Codes, Feedback, Replies};
use lab::strategy::Strategy;
use lab::strategy::verify;

/// Game, least total, and the least worst case with that total where it is known.
const PUBLISHED: &[(&str, u64, Option<usize>)] = &[
    ("hitblow 2 10", 451, Some(6)),
    ("hitblow 3 6", 436, Some(5)),
    ("hitblow 3 7", 836, Some(5)),
    ("hitblow 3 8", 1449, Some(6)),
    ("hitblow 4 6", 1446, Some(5)),
    ("hitblow 5 5", 535, None),
    ("mastermind 4 4", 905, Some(4)),
    ("mastermind 6 2", 224, None),
];

/// The least worst case, and the least total with it, where that is not the least total.
const PUBLISHED_WORST: &[(&str, u64, usize)] = &[
    ("hitblow 3 10", 3576, 6),
    ("hitblow 4 9", 14916, 6),
    ("mastermind 4 6", 5626, 5),
];

/// Those that take longer.
const LARGER: &[(&str, u64, Option<usize>)] = &[
    ("hitblow 3 9", 2337, Some(6)),
    ("hitblow 3 10", 3575, Some(7)),
    ("hitblow 4 7", 3639, Some(6)),
    ("hitblow 4 8", 7817, Some(6)),
    ("hitblow 4 9", 14914, Some(7)),
    ("hitblow 4 10", 26274, Some(7)),
    ("hitblow 5 6", 3434, None),
    ("hitblow 5 7", 12305, None),
    ("mastermind 3 8", 2359, Some(6)),
    ("mastermind 3 9", 3596, Some(6)),
    ("mastermind 3 10", 5242, Some(7)),
    ("mastermind 4 5", 2463, Some(5)),
    ("mastermind 4 6", 5625, Some(6)),
    ("mastermind 4 7", 11228, Some(6)),
    ("mastermind 5 4", 3954, Some(5)),
    ("mastermind 5 5", 13496, Some(6)),
    ("mastermind 6 3", 2649, Some(5)),
];

/// Finds the optimum, and has its strategy played against every secret.
fn optimum(game: &str, objective: Objective) -> (u64, usize) {
    let found = find(&codes(game).unwrap(), objective, &Options::default()).unwrap();
    assert!(found.proved);
    verified(game, &found)
}

fn verified(game: &str, found: &Optimum) -> (u64, usize) {
    let read: Strategy = found.strategy.to_string().parse().unwrap();
    assert_eq!(read, found.strategy);
    let verified = verify(&read).unwrap();
    assert_eq!(
        (verified.total, &verified.histogram),
        (found.total, &found.histogram),
        "{game}"
    );
    assert_eq!(verified.worst(), found.worst);
    (found.total, found.worst)
}

fn compare(rows: &[(&str, u64, Option<usize>)]) {
    for &(game, total, worst) in rows {
        let started = std::time::Instant::now();
        let found = optimum(game, Objective::MeanThenWorst);
        println!("{game}: {found:?} {:?}", started.elapsed());
        assert_eq!(found.0, total, "{game}");
        assert!(
            worst.is_none_or(|worst| worst == found.1),
            "{game}: {}",
            found.1
        );
    }
}

#[test]
fn totals_are_the_published_ones() {
    compare(PUBLISHED);
}

#[test]
#[ignore = "half a minute, and only when optimised: cargo test --release -p lab --test it optimal:: -- --ignored"]
fn totals_of_larger_games_are_the_published_ones() {
    compare(LARGER);
}

#[test]
#[ignore = "some seconds, and only when optimised: cargo test --release -p lab --test it optimal:: -- --ignored"]
fn worst_cases_are_the_published_ones() {
    for &(game, total, worst) in PUBLISHED_WORST {
        let found = optimum(game, Objective::WorstThenMean);
        assert_eq!(found, (total, worst), "{game}");
    }
}

#[test]
fn threads_find_the_same_figures() {
    for (game, total, worst) in [("hitblow 3 8", 1449, 6), ("hitblow 3 10", 3575, 7)] {
        let options = Options {
            threads: 4,
            ..Options::default()
        };
        let found = find(&codes(game).unwrap(), Objective::MeanThenWorst, &options).unwrap();
        assert_eq!(verified(game, &found), (total, worst), "{game}");
    }
}

#[test]
fn with_any_technique_left_out_the_figures_are_the_same() {
    let without = |set: fn(&mut Without)| {
        let mut without = Without::default();
        set(&mut without);
        without
    };
    for without in [
        without(|w| w.memo = true),
        without(|w| w.names = true),
        without(|w| w.classes = true),
        without(|w| w.symmetries = true),
        without(|w| w.bags = true),
        without(|w| w.words = true),
        without(|w| w.looks = true),
        without(|w| w.levels = true),
    ] {
        for (game, total, worst) in [("hitblow 2 10", 451, 6), ("mastermind 4 4", 905, 4)] {
            let options = Options {
                without,
                ..Options::default()
            };
            let codes = codes(game).unwrap();
            let found = find(&codes, Objective::MeanThenWorst, &options).unwrap();
            assert_eq!(verified(game, &found), (total, worst), "{game} {without:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_leaves_a_strategy_and_a_bound() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let options = Options {
        stop: Some(&stop),
        ..Options::default()
    };
    let game = "hitblow 3 9";
    let found = find(&codes(game).unwrap(), Objective::MeanThenWorst, &options).unwrap();
    assert!(!found.proved);
    let (total, _) = verified(game, &found);
    assert!(
        found.least_total <= 2337 && (2337..2400).contains(&total),
        "{total}"
    );
}

#[test]
fn a_narrow_search_finds_a_strategy_and_proves_nothing() {
    // Game, width, and the least total.
    for (game, width, least) in [
        ("hitblow 3 9", 1, 2337),
        ("hitblow 3 9", 4, 2337),
        ("hitblow 4 6", 2, 1446),
        ("mastermind 4 5", 2, 2463),
    ] {
        let codes = codes(game).unwrap();
        let of = |threads, width| {
            let options = Options {
                threads,
                width: Some(width),
                ..Options::default()
            };
            find(&codes, Objective::MeanThenWorst, &options).unwrap()
        };
        let found = of(1, width);
        assert!(found.finished && !found.proved);
        verified(game, &found);
        // Within 2 % of the least, and its own bound holds.
        let about = least..=least + least / 50;
        assert!(about.contains(&found.total), "{game}: {}", found.total);
        assert!(found.least_total <= least, "{game}: {}", found.least_total);
        assert_eq!(of(4, width).total, found.total, "{game}, 4 threads");
        assert_eq!(of(1, usize::MAX).total, least, "{game}, all guesses");
    }
}

/// The least cost of a set within a number of turns, by trying everything.
fn slow(codes: &Codes, set: &[CodeId], cap: usize, known: &mut Known) -> Option<u64> {
    if set.is_empty() {
        return Some(0);
    }
    if cap == 0 {
        return None;
    }
    if let Some(&cost) = known.get(&(set.to_vec(), cap)) {
        return cost;
    }
    let mut best = None;
    for guess in 0..codes.len() as CodeId {
        let replies = Replies::new(codes, guess);
        let mut cells = std::collections::BTreeMap::<Feedback, Vec<CodeId>>::new();
        for &secret in set.iter().filter(|&&secret| secret != guess) {
            cells
                .entry(replies.feedback(secret))
                .or_default()
                .push(secret);
        }
        if cells.values().any(|cell| cell.len() == set.len()) {
            continue;
        }
        let costs = cells.values().map(|cell| slow(codes, cell, cap - 1, known));
        if let Some(sum) = costs.sum::<Option<u64>>() {
            let cost = sum + set.len() as u64;
            best = Some(best.map_or(cost, |best: u64| best.min(cost)));
        }
    }
    known.insert((set.to_vec(), cap), best);
    best
}

/// Total and worst case: the least total, and the least worst case.
fn by_trying_everything(game: &str) -> ((u64, usize), (u64, usize)) {
    let rules = rules(game).unwrap();
    let mut known = Known::new();
    let within: Vec<Option<u64>> = (0..9)
        .map(|cap| slow(&rules.codes, &rules.secrets, cap, &mut known))
        .collect();
    let least = within.iter().flatten().min().copied().unwrap();
    let worst_of_least = within.iter().position(|&cost| cost == Some(least)).unwrap();
    let least_worst = within.iter().position(Option::is_some).unwrap();
    let least_worst = (within[least_worst].unwrap(), least_worst);
    ((least, worst_of_least), least_worst)
}

type Known = std::collections::HashMap<(Vec<CodeId>, usize), Option<u64>>;

#[test]
fn every_objective_is_that_of_trying_everything() {
    for game in [
        "hitblow 1 5",
        "hitblow 2 4",
        "hitblow 2 5",
        "hitblow 3 4",
        "mastermind 2 3",
        "mastermind 3 2",
        "mastermind 2 4",
    ] {
        let (mean, worst) = by_trying_everything(game);
        assert_eq!(optimum(game, Objective::MeanThenWorst), mean, "{game}");
        assert_eq!(optimum(game, Objective::WorstThenMean), worst, "{game}");
    }
}

#[test]
fn games_of_other_judges_are_searched_like_the_others() {
    for game in [
        "repeats 2 3",
        "repeats 2 4",
        "repeats 3 4",
        "number 2 4",
        "number 2 6",
        "number 3 4",
    ] {
        let rules = rules(game).unwrap();
        let options = Options {
            secrets: Some(&rules.secrets),
            ..Options::default()
        };
        let found = |objective| {
            let found = find(&rules.codes, objective, &options).unwrap();
            assert!(found.proved);
            (found.total, found.worst)
        };
        let (mean, worst) = by_trying_everything(game);
        assert_eq!(found(Objective::MeanThenWorst), mean, "{game}");
        assert_eq!(found(Objective::WorstThenMean), worst, "{game}");
    }
}
