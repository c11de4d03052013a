//! Tests of [`super::sequential`]. `tools/tests/it/statistics.rs` has simulations of more kinds of differences.

use super::evidence::Evidence;
use super::sequential::*;
use crate::problem::rng::{CaseRng, Seed};

const ALPHA: f64 = 0.05;
const RULE: Rule = Rule {
    alpha: ALPHA,
    max_difference: None,
};

/// After how many pairs of `draw` it decides, if at all within `pairs`.
fn duel(pairs: usize, mut draw: impl FnMut() -> f64) -> Option<usize> {
    let mut test = Sequential::new(RULE);
    (1..=pairs).find(|_| {
        test.add(draw());
        test.decided()
    })
}

/// The share of duels that are decided.
fn decided(duels: u64, pairs: usize, difference: impl Fn(&mut CaseRng) -> f64) -> f64 {
    let decided = (0..duels).filter(|&seed| {
        let mut draw = CaseRng::new(Seed(seed));
        duel(pairs, || difference(&mut draw)).is_some()
    });
    decided.count() as f64 / duels as f64
}

/// Mean 0, symmetric: most cases equal, as with two variants of a solver.
fn symmetric(draw: &mut CaseRng) -> f64 {
    [0.0, 0.0, 0.0, 0.0, -1.0, 1.0, -2.0, 2.0][draw.below(8) as usize]
}

/// Mean 0, but one wins often by 1 and the other seldom by `ratio`.
fn lopsided(draw: &mut CaseRng, ratio: u64) -> f64 {
    match draw.below(ratio + 1) {
        0 => ratio as f64,
        _ => -1.0,
    }
}

#[test]
fn equals_are_told_apart_with_probability_alpha_at_most() {
    // Of 1000 duels, a share of 0.05 would have a standard deviation of 0.007.
    let share = decided(1000, 800, symmetric);
    assert!(share <= ALPHA, "symmetric: {share}");
    for ratio in [2, 9] {
        let share = decided(500, 500, |draw| lopsided(draw, ratio));
        assert!(share <= ALPHA, "{ratio} to 1: {share}");
    }
}

#[test]
fn a_usual_test_that_is_looked_at_again_and_again_is_fooled() {
    // The same pairs under |S| ≥ 1.96 √V: this is what the sequential test is for.
    let fooled = (0..500).filter(|&seed| {
        let mut draw = CaseRng::new(Seed(seed));
        let (mut sum, mut squares) = (0.0, 0.0);
        (0..2000).any(|n| {
            let d = symmetric(&mut draw);
            sum += d;
            squares += d * d;
            n >= 20 && f64::abs(sum) >= 1.96 * f64::sqrt(squares)
        })
    });
    assert!(fooled.count() > 150);
}

#[test]
fn what_differs_is_told_apart_and_the_right_way_round() {
    // Mean 0.25, standard deviation 0.97: a test with a fixed number of pairs needs about 120 for a
    // power of 80 %.
    let better = |draw: &mut CaseRng| symmetric(draw) + f64::from(draw.below(4) == 0);
    assert!(decided(100, 600, better) > 0.9);
    for seed in 0..20 {
        let mut draw = CaseRng::new(Seed(seed));
        let mut test = Sequential::new(RULE);
        while !test.decided() && test.pairs() < 5000 {
            test.add(better(&mut draw));
        }
        assert!(test.decided() && test.mean() > 0.0, "seed {seed}");
        assert!(test.interval().unwrap().0 >= 0.0);
    }
}

#[test]
fn scale_does_not_matter() {
    let run = |unit: f64| {
        let mut draw = CaseRng::new(Seed(3));
        duel(5000, || unit * (symmetric(&mut draw) + 0.3))
    };
    assert!(run(1.0).is_some());
    assert_eq!(run(1.0), run(1e6));
    assert_eq!(run(1.0), run(-1e-6));
}

#[test]
fn pairs_to_go_is_when_it_decides_if_nothing_changes() {
    let mut test = Sequential::new(RULE);
    let cycle = [1.0, -1.0, 0.0, 1.0, 0.0];
    (0..60).for_each(|i| test.add(cycle[i % 5]));
    assert!(!test.decided());
    let Outlook::About(expected) = test.outlook() else {
        panic!("{:?}", test.outlook());
    };
    let begun = test.pairs();
    while !test.decided() {
        test.add(cycle[test.pairs() % 5]);
    }
    let needed = test.pairs() - begun;
    assert!(needed.abs_diff(expected) <= 5, "{needed} {expected}");
    let mut equal = Sequential::new(RULE);
    assert_eq!(equal.outlook(), Outlook::Never);
    (0..40).for_each(|i| equal.add([1.0, 0.0, -1.0, 0.0][i % 4]));
    assert!(matches!(equal.outlook(), Outlook::AtLeast(more) if more > 0));
}

#[test]
fn zero_is_in_the_interval_until_it_decides_and_the_true_mean_nearly_always() {
    let mut missed = 0;
    for seed in 0..15 {
        let mut draw = CaseRng::new(Seed(seed));
        let mut test = Sequential::new(RULE);
        for pairs in 1..=120 {
            test.add(symmetric(&mut draw) + 0.5);
            if pairs % 20 != 0 {
                continue;
            }
            let Some((low, high)) = test.interval() else {
                continue;
            };
            assert!(low <= test.mean() && test.mean() <= high, "seed {seed}");
            let excluded = low >= 0.0 || high <= 0.0;
            assert_eq!(
                excluded,
                test.decided(),
                "seed {seed}, pair {pairs}: {low} {high}"
            );
        }
        let (low, high) = test.interval().unwrap();
        missed += usize::from(low > 0.5 || high < 0.5);
    }
    assert!(missed <= 3, "{missed} of 15");
}

#[test]
fn the_bound_covers_all_differences_that_occurred_and_bets_that_allowed_less_start_again() {
    let mut test = Sequential::new(RULE);
    (0..60).for_each(|i| test.add([-1.0, -1.0, -1.0, 1.0][i % 4]));
    assert_eq!(test.bound(), Some(6.0));
    let before = test.progress();
    test.add(40.0);
    (0..140).for_each(|i| test.add([-1.0, -1.0, -1.0, 1.0][i % 4]));
    assert!(test.mean() < 0.0);
    assert!(test.bound().unwrap() >= 40.0, "{:?}", test.bound());
    assert!(test.progress() < before);
    assert_eq!(test.largest(), 40.0);
}

#[test]
fn one_sided_and_unequal_differences_are_named() {
    let reservation = |differences: &[f64]| {
        let mut test = Sequential::new(RULE);
        differences.iter().for_each(|&d| test.add(d));
        test.reservation()
    };
    let one_sided = |against| Some(Reservation::OneSided { against });
    assert_eq!(reservation(&[-1.0; 9]), None);
    assert_eq!(reservation(&[-1.0; 30]), one_sided(0));
    assert_eq!(reservation(&[[2.0; 27], [-1.0; 27]].concat()), None);
    assert_eq!(
        reservation(&[&[-1.0; 27][..], &[1.0; 3]].concat()),
        one_sided(3)
    );
    let unequal = [&[1.0, -1.0].repeat(20)[..], &[60.0]].concat();
    let (largest, mean) = (60.0, 100.0 / 41.0);
    assert_eq!(
        reservation(&unequal),
        Some(Reservation::RareLarge { largest, mean })
    );
}

#[test]
fn a_known_bound_decides_sooner_until_a_difference_shows_it_wrong() {
    let known = Rule {
        max_difference: Some(10.0),
        ..RULE
    };
    let decides = |rule| {
        let mut test = Sequential::new(rule);
        (1..1000).find(|_| {
            test.add(-1.0);
            test.decided()
        })
    };
    // log 40 / log 1.1 is 38.7. Part of the money is kept, and the least stakes are below a tenth.
    assert!(
        (39..60).contains(&decides(known).unwrap()),
        "{:?}",
        decides(known)
    );
    assert!(decides(RULE).unwrap() > 368, "log 40 / log 1.01");
    let mut test = Sequential::new(known);
    (0..30).for_each(|_| test.add(-1.0));
    assert_eq!((test.reservation(), test.beyond_rule()), (None, None));
    assert_eq!(test.bound(), Some(10.0));
    test.add(11.0);
    (0..30).for_each(|_| test.add(-1.0));
    assert!(test.bound().unwrap() >= 11.0);
    assert_eq!(test.beyond_rule(), Some(11.0));
    assert_eq!(
        test.reservation(),
        Some(Reservation::OneSided { against: 1 })
    );
}

/// The mean of `won` over all rows of this length whose differences are one of two each, with their probabilities.
fn mean_won(
    length: u32,
    two: impl Fn(u32) -> [(f64, f64); 2],
    won: impl Fn(&Evidence) -> f64,
) -> f64 {
    let rows = (0..1_u32 << length).map(|row| {
        let mut evidence = Evidence::new(None);
        let mut probability = 1.0;
        for place in 0..length {
            let (difference, chance) = two(place)[(row >> place & 1) as usize];
            evidence.add(difference, 0.0);
            probability *= chance;
        }
        probability * won(&evidence)
    });
    rows.sum()
}

#[test]
fn bets_win_nothing_on_average_if_swapping_changes_nothing() {
    // Whatever the sizes are: every row of signs is equally likely.
    let sizes = [1.0, 1.0, 0.5, 3.0, 0.0, 1e6, 2.0, 2.0, 1e7, 1.0, 4.0, 1e-3];
    for length in 1..=12 {
        let two = |place: u32| [-1.0, 1.0].map(|sign| (sign * sizes[place as usize], 0.5));
        for side in [0, 1] {
            let mean = mean_won(length, two, |evidence| evidence.won(side));
            assert!(mean <= 1.0 + 1e-9, "{length}: {mean}");
        }
    }
}

#[test]
fn bets_whose_bound_covers_the_differences_win_nothing_on_average_if_means_are_equal() {
    for ratio in [1.0, 3.0, 9.0, 30.0, 99.0] {
        let two = |_| [(-1.0, ratio / (ratio + 1.0)), (ratio, 1.0 / (ratio + 1.0))];
        for length in 1..=12 {
            // Bets on a mean below 0 fear the rare large difference, bets on one above 0 the usual −1.
            for (side, largest) in [(0, ratio), (1, 1.0)] {
                let covered = |evidence: &Evidence| match evidence.bound(side) >= largest {
                    true => evidence.won(side),
                    false => 0.0,
                };
                let mean = mean_won(length, two, covered);
                assert!(mean <= 1.0 + 1e-9, "{ratio} to 1, {length}: {mean}");
            }
        }
    }
}

#[test]
fn a_bound_that_rises_does_not_cover_the_bets_before_it() {
    // Bets on a mean below 0 allow for 6 after the first differences, and for 100 at the end.
    let two = |place: u32| match place {
        0..5 | 12 => [(-1.0, 0.5), (1.0, 0.5)],
        11 => [(-50.0, 0.5), (50.0, 0.5)],
        _ => [(-1.0, 0.99), (99.0, 0.01)],
    };
    let mean = mean_won(13, two, |evidence| match evidence.bound(0) >= 99.0 {
        true => evidence.won(0),
        false => 0.0,
    });
    assert!(mean <= 1.0 + 1e-9, "{mean}");
}
