//! Tests of figures of [`super::sequential`] by hand, and by slow and obvious twins.

use super::evidence::Evidence;
use super::sequential::*;

const ALPHA: f64 = 0.05;
/// What one side must win: 2/α.
const NEEDED: f64 = 40.0;

fn rule(max_difference: Option<f64>) -> Rule {
    Rule {
        alpha: ALPHA,
        max_difference,
    }
}

fn test_of(max_difference: Option<f64>, differences: &[f64]) -> Sequential {
    let mut test = Sequential::new(rule(max_difference));
    differences.iter().for_each(|&d| test.add(d));
    test
}

/// Rows of differences that are not decided, with the bound that is known.
fn rows() -> Vec<(Option<f64>, Vec<f64>)> {
    vec![
        (Some(10.0), vec![2.0; 11]),
        (Some(10.0), vec![-2.0; 11]),
        (None, [1.0, 0.0, -1.0, 0.0].repeat(10)),
        (None, [1.0, -1.0, 0.0, 1.0, 0.0].repeat(12)),
        (None, [3.0, -1.0, -1.0, -1.0].repeat(100)),
    ]
}

#[test]
fn the_mean_is_that_of_all_pairs_and_0_before_the_first() {
    assert_eq!(test_of(None, &[]).mean(), 0.0);
    assert_eq!(test_of(None, &[1.0, 2.0, 0.0, 6.0]).mean(), 2.25);
}

#[test]
fn progress_is_the_share_of_the_logarithm() {
    // One pair makes no bet: of the 1 to begin with, a tenth is kept.
    assert_eq!(test_of(Some(10.0), &[2.0]).progress(), 0.0);
    // The usual difference is 2: stakes of a half to a 128th by 2, and of a tenth at most.
    let stakes = [10.0_f64, 10.0, 16.0, 32.0, 64.0, 128.0, 256.0].map(|by| 1.0 / by);
    let won = |bets: i32| {
        0.9 / 7.0
            * stakes
                .map(|s: f64| (1.0 + 2.0 * s).powi(bets))
                .iter()
                .sum::<f64>()
    };
    for side in [2.0, -2.0] {
        let found = test_of(Some(10.0), &[side; 11]).progress();
        let expected = won(10).ln() / NEEDED.ln();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert!(won(10) > 2.0 && won(10) < NEEDED);
}

#[test]
fn the_interval_ends_where_a_scan_first_finds_a_mean_excluded() {
    for (max_difference, differences) in rows() {
        let test = test_of(max_difference, &differences);
        assert!(!test.decided());
        let (low, high) = test.interval().unwrap();
        let step = test.largest() / 500.0;
        for (end, side) in [(low, 0), (high, 1)] {
            let excluded = |mean: f64| {
                let mut evidence = Evidence::new(max_difference);
                differences.iter().for_each(|&d| evidence.add(d, mean));
                evidence.won(1 - side) >= NEEDED
            };
            let sign = [-1.0, 1.0][side];
            let mut means = (1..).map(|steps| test.mean() + sign * step * f64::from(steps));
            let scanned = means.find(|&mean| excluded(mean)).unwrap();
            let beyond = sign * (scanned - end);
            assert!(
                beyond >= 0.0 && beyond < step,
                "{end} {scanned} {differences:?}"
            );
        }
    }
}

#[test]
fn the_interval_has_the_unit_of_the_differences() {
    for (max_difference, differences) in rows() {
        let (low, high) = test_of(max_difference, &differences).interval().unwrap();
        for unit in [1e6, 1e-6] {
            let scaled: Vec<f64> = differences.iter().map(|d| unit * d).collect();
            let test = test_of(max_difference.map(|bound| unit * bound), &scaled);
            let found = test.interval().unwrap();
            let near = |found: f64, expected: f64| (found / unit - expected).abs() < 1e-6;
            assert!(
                near(found.0, low) && near(found.1, high),
                "{found:?} {low} {high}"
            );
        }
    }
}

#[test]
fn too_few_pairs_have_no_interval() {
    for differences in [&[][..], &[0.0; 5], &[1.0], &[1.0, -1.0]] {
        assert_eq!(test_of(None, differences).interval(), None);
    }
}

#[test]
fn four_against_are_no_longer_few_and_ten_mean_sizes_are_not_yet_rare() {
    let reservation = |differences: &[f64]| test_of(None, differences).reservation();
    let against = |count: usize| [vec![1.0; 26], vec![-1.0; count]].concat();
    let one_sided = Some(Reservation::OneSided { against: 3 });
    assert_eq!(reservation(&against(3)), one_sided);
    assert_eq!(reservation(&against(4)), None);
    // Of 18 ones and a 20 the mean size is 2.
    let with = |unit: f64, largest: f64| {
        let ones = [unit, -unit].repeat(9);
        reservation(&[ones, vec![largest]].concat())
    };
    assert_eq!([with(1.0, 20.0), with(1.0, 15.0)], [None; 2]);
    let (largest, mean) = (21.0, 39.0 / 19.0);
    let rare = Some(Reservation::RareLarge { largest, mean });
    assert_eq!(with(1.0, 21.0), rare);
    // The same in another unit: not a difference above a number, but one above ten means.
    assert_eq!([with(100.0, 2000.0), with(0.01, 0.15)], [None; 2]);
}

/// How many pairs more it takes if these come, one after the other and again.
fn pairs_more(differences: &[f64], more: &[f64]) -> usize {
    let mut test = test_of(None, differences);
    let mut again = more.iter().cycle();
    while !test.decided() {
        test.add(*again.next().unwrap());
    }
    test.pairs() - differences.len()
}

#[test]
fn an_undecided_duel_takes_as_many_pairs_as_the_largest_difference_in_the_interval() {
    let nearly_equal = [[1.0, -1.0].repeat(100), vec![1.0]].concat();
    let other_side: Vec<f64> = nearly_equal.iter().map(|d| -d).collect();
    for (differences, side) in [(nearly_equal, 1), (other_side, 0)] {
        let test = test_of(None, &differences);
        let (low, high) = test.interval().unwrap();
        let shift = [low, high][side] - test.mean();
        let shifted: Vec<f64> = differences.iter().map(|d| d + shift).collect();
        let expected = Outlook::AtLeast(pairs_more(&differences, &shifted));
        assert_eq!(test.outlook(), expected);
    }
}

#[test]
fn without_an_interval_an_undecided_duel_takes_as_many_pairs_as_if_one_won_them_all() {
    for sign in [1.0, -1.0] {
        let differences = [2.0, -1.999].map(|d| sign * d);
        let test = test_of(None, &differences);
        assert_eq!(test.interval(), None);
        let won = [2.0, 1.999].map(|size| sign * size);
        let expected = Outlook::AtLeast(pairs_more(&differences, &won));
        assert_eq!(test.outlook(), expected);
    }
}
