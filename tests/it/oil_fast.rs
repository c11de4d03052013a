//! The fast computations of the AHC030 submission against the shared module, and against slow and obvious twins.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oil::bayes::{entropy_bits, noisy_information_bits};
use crate::oil::grid::{Grid, cells_of};
use crate::oil::knowledge::Knowledge;
use crate::oil::noise::Noise;
use crate::oil::question::{Climber, Pool};
use crate::oil::sampler::{Sampler, best_changes};
use crate::oil::vector::{entropy_term, exp};
use crate::oil::{Player, Settings};

/// Three fields on a grid of 6 × 6.
pub(crate) fn grid(eps: f64) -> Grid {
    let mut grid = Grid {
        n: 6,
        eps,
        fields: vec![],
    };
    grid.add_field(&[(0, 0), (0, 1), (1, 1), (2, 1)]).unwrap();
    grid.add_field(&[(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)])
        .unwrap();
    grid.add_field(&[(0, 1), (1, 0), (1, 1), (2, 1)]).unwrap();
    grid
}

/// P(standard normal deviate < z), by Simpson's rule on its density.
fn below(z: f64) -> f64 {
    const STEPS: usize = 2_000;
    let (from, to) = (-10.0, z.clamp(-10.0, 10.0));
    let width: f64 = (to - from) / STEPS as f64;
    let density = |i: usize| {
        let x: f64 = from + width * i as f64;
        (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
    };
    let weight = |i: usize| {
        if i == 0 || i == STEPS {
            1.0
        } else {
            2.0 + 2.0 * (i % 2) as f64
        }
    };
    (0..=STEPS).map(|i| weight(i) * density(i)).sum::<f64>() * width / 3.0
}

/// The contest's statement: mean, deviation, rounding, and nothing below 0.
pub(crate) fn likelihood(eps: f64, cells: usize, sum: usize, reply: usize) -> f64 {
    let (k, s) = (cells as f64, sum as f64);
    let (mean, deviation) = (
        (k - s) * eps + s * (1.0 - eps),
        (k * eps * (1.0 - eps)).sqrt(),
    );
    let at = |value: f64| below((value - mean) / deviation);
    at(reply as f64 + 0.5)
        - if reply == 0 {
            0.0
        } else {
            at(reply as f64 - 0.5)
        }
}

/// Chi-square, as if the noise were normal: the variance of the reply, rounding included, over the square of its slope.
#[test]
fn estimate_is_that_of_a_normal_deviate_with_the_variance_of_the_rounded_reply() {
    for eps in [0.01, 0.07, 0.2] {
        let noise = Noise::new(eps, 36);
        for (cells, sum) in [(25, 6), (36, 13), (36, 25)] {
            let replies = |of: &dyn Fn(f64) -> f64| -> f64 {
                let value = |reply| f64::from(noise.estimate(cells, reply).0);
                let term = |reply| likelihood(eps, cells, sum, reply) * of(value(reply));
                (0..60).map(term).sum()
            };
            let mean = replies(&|value| value);
            let variance = replies(&|value| (value - mean).powi(2));
            let weight = f64::from(noise.estimate(cells, 5).1);
            assert!(
                (mean - sum as f64).abs() < 0.02,
                "{eps} {cells} {sum}: {mean}"
            );
            assert!(
                (weight * variance - 1.0).abs() < 0.2,
                "{eps} {cells} {sum}: {weight} {variance}"
            );
        }
        assert_eq!(noise.estimate(1, 2).0, 2.0);
    }
}

#[test]
fn channel_is_the_likelihood_of_every_reply_that_matters() {
    for eps in [0.01, 0.2] {
        let mut noise = Noise::new(eps, 36);
        for (cells, sum) in [(2, 0), (5, 3), (20, 11)] {
            let replies = &noise.channel(cells, sum)[sum];
            assert!((replies.likelihood.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (index, &fast) in replies.likelihood.iter().enumerate() {
                let slow = likelihood(eps, cells, sum, replies.first + index);
                assert!(
                    (slow - f64::from(fast)).abs() < 1e-4,
                    "{eps} {cells} {sum}: {slow} {fast}"
                );
            }
            let bits = entropy_bits(replies.likelihood.iter().map(|&p| f64::from(p)));
            assert!((bits - f64::from(replies.bits)).abs() < 1e-3);
        }
    }
}

#[test]
fn quick_functions_are_close_to_those_of_the_library() {
    for i in 0..2_000 {
        let p = i as f32 / 2_000.0;
        let slow = if p > 0.0 { -p * p.log2() } else { 0.0 };
        assert!((entropy_term(p) - slow).abs() < 2e-5, "{p}");
        let x = -p * 50.0;
        assert!((exp(x) - x.exp()).abs() < 2e-5 * x.exp() + 1e-30, "{x}");
    }
}

#[test]
fn value_of_a_question_is_the_information_of_the_shared_module_for_its_cost() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for eps in [0.02, 0.15] {
        let grid = grid(eps);
        let mut noise = Noise::new(eps, 36);
        let layout = |rng: &mut Pcg64Mcg| -> Vec<u16> {
            grid.fields
                .iter()
                .map(|field| field.places[rng.random_range(0..field.places.len())])
                .collect()
        };
        let mut drawn: Vec<_> = (0..40).map(|_| layout(&mut rng)).collect();
        drawn.extend_from_within(..20); // twice as probable
        let pool = Pool::new(&grid, drawn);
        for _ in 0..20 {
            let cells: Vec<usize> = (0..36).filter(|_| rng.random_bool(0.4)).collect();
            if cells.len() < 2 {
                continue;
            }
            let sum = |layout: &[u16]| {
                grid.covered(layout)
                    .filter(|cell| cells.contains(cell))
                    .count()
            };
            let sums = pool
                .posterior
                .distribution(|index| sum(&pool.layouts[index as usize]));
            let rows: Vec<Vec<f64>> = sums
                .keys()
                .map(|&sum| {
                    (0..40)
                        .map(|reply| likelihood(eps, cells.len(), sum, reply))
                        .collect()
                })
                .collect();
            let classes = sums.values().zip(&rows);
            let slow = noisy_information_bits(
                classes.map(|(&p, row)| (p, &row[..], entropy_bits(row.iter().copied()))),
            ) * (cells.len() as f64).sqrt();
            let fast = Climber::new(&pool, &mut noise, true).value_of(|cell| cells.contains(&cell));
            assert!((slow - f64::from(fast)).abs() < 0.01, "{slow} {fast}");
        }
    }
}

#[test]
fn log_likelihoods_differ_between_layouts_by_the_squares_of_all_questions() {
    let mut know = Knowledge::new(grid(0.1));
    let questions = [
        (vec![0, 1, 2, 6, 7, 8], 2),
        (vec![14, 15, 20, 21], 3),
        (vec![5], 0),
    ];
    for (cells, reply) in &questions {
        know.learn(cells, *reply);
    }
    for places in [[3, 7, 0], [0, 0, 0], [11, 2, 9]] {
        let layout = layout(places);
        let all: Vec<usize> = know.grid.covered(&layout).collect();
        let square = |(cells, reply): &(Vec<usize>, usize)| {
            let sum = all.iter().filter(|cell| cells.contains(cell)).count();
            let (estimate, weight) = know.noise.estimate(cells.len(), *reply);
            -0.5 * f64::from(weight) * (f64::from(estimate) - sum as f64).powi(2)
        };
        let slow: f64 = questions.iter().map(square).sum();
        let fast = know.log_of(&layout, &know.gradient(&layout));
        assert!((fast - slow).abs() < 1e-3, "{fast} {slow}");
    }
}

#[test]
fn population_is_drawn_from_the_posterior_of_all_layouts() {
    let settings = Settings {
        walkers: 3e3,
        ..Settings::default()
    };
    let (eps, mut player) = (0.1, Player::new(grid(0.1), settings));
    let questions = [
        ((0..18).collect::<Vec<usize>>(), 6),
        ((0..36).step_by(2).collect(), 8),
        (vec![7, 8, 13, 14, 19, 20], 4),
    ];
    for (cells, reply) in &questions {
        player.choose(1.0);
        player.learn(cells, *reply);
    }
    player.choose(0.0);
    // All layouts, with the likelihood of the statement.
    let hidden = grid(eps);
    let counts = hidden.fields.iter().map(|field| field.places.len());
    let [a, b, c] = counts.collect::<Vec<_>>()[..] else {
        panic!("three fields")
    };
    let (mut oil, mut total) = ([0.0; 36], 0.0);
    for number in 0..a * b * c {
        let layout = layout([number % a, number / a % b, number / a / b]);
        let all: Vec<usize> = hidden.covered(&layout).collect();
        let of = |(cells, reply): &(Vec<usize>, usize)| {
            let sum = all.iter().filter(|cell| cells.contains(cell)).count();
            likelihood(eps, cells.len(), sum, *reply)
        };
        let weight: f64 = questions.iter().map(of).product();
        total += weight;
        let cells = cells_of(&hidden.oil(&layout));
        cells.iter().for_each(|&cell| oil[cell] += weight);
    }
    for (drawn, exact) in player.pool.oil_probabilities().iter().zip(oil) {
        assert!(
            (drawn - exact / total).abs() < 0.04,
            "{drawn} {}",
            exact / total
        );
    }
}

/// The layout with these places of the grid's fields, counted from the first that is possible.
pub(crate) fn layout(places: [usize; 3]) -> Vec<u16> {
    let fields = grid(0.1).fields;
    let both = fields.iter().zip(places);
    both.map(|(field, place)| field.places[place]).collect()
}

#[test]
fn best_changes_are_those_of_all_subsets_and_add_what_is_said() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let (rounds, mut best_of_all) = (300, 0);
    for round in 0..rounds {
        let count = round % 7;
        // What fits best is a random point: the product of two changes is that of their random vectors.
        let mut deviate = || rng.random_range(-1.0..1.0);
        let changes: Vec<[f32; 4]> = (0..count).map(|_| [0; 4].map(|_| deviate())).collect();
        let wanted = [0; 4].map(|_| 2.0 * deviate());
        let dot = |a: &[f32; 4], b: &[f32; 4]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let both = changes
            .iter()
            .flat_map(|a| changes.iter().map(move |b| dot(a, b)));
        let products: Vec<f32> = both.collect();
        let alone: Vec<f32> = changes
            .iter()
            .map(|change| dot(&wanted, change) - 0.5 * dot(change, change))
            .collect();
        let added = |is_changed: &dyn Fn(usize) -> bool| {
            let mut sum = [0.0; 4];
            for (_, change) in (0..).zip(&changes).filter(|change| is_changed(change.0)) {
                sum = std::array::from_fn(|axis| sum[axis] + change[axis]);
            }
            dot(&wanted, &sum) - 0.5 * dot(&sum, &sum)
        };
        let subsets = (0..1 << count).map(|bits: usize| added(&|index| bits >> index & 1 == 1));
        let most = subsets.fold(f32::NEG_INFINITY, f32::max);
        let (found, gain) = best_changes(&alone, &products, &mut rng);
        assert!((gain - added(&|index| found.contains(&index))).abs() < 1e-4);
        assert!(gain >= 0.0 && gain <= most + 1e-4, "{gain} {most}");
        best_of_all += usize::from(gain > most - 1e-4);
    }
    assert!(best_of_all > rounds * 95 / 100, "{best_of_all} of {rounds}");
}

#[test]
fn layouts_that_are_mended_by_another_keep_their_gradients() {
    let (mut rng, truth) = (Pcg64Mcg::seed_from_u64(7), layout([3, 7, 5]));
    let settings = Settings {
        walkers: 20.0,
        // A layout is annealed in one sweep, and so hardly better than the others.
        sweeps: 0.5,
        warm: 0.0,
        ..Settings::default()
    };
    let mut know = Knowledge::new(grid(0.01));
    for _ in 0..400 {
        let cells: Vec<usize> = (0..36).filter(|_| rng.random()).collect();
        let all: Vec<usize> = know.grid.covered(&truth).collect();
        let sum = all.iter().filter(|cell| cells.contains(cell)).count();
        know.learn(&cells, sum);
    }
    let mut sampler = Sampler::new(&know, settings, Pcg64Mcg::seed_from_u64(8));
    let mut mended = 0;
    for _ in 0..40 {
        let before: Vec<_> = sampler.layouts().cloned().collect();
        // Only layouts that are annealed, some four of them.
        sampler.walk(&know, 2e4, 1.0);
        for (walker, before) in sampler.walkers.iter().zip(before) {
            let both = walker.layout.iter().zip(&before);
            let moved = both.filter(|(now, before)| now != before).count();
            // One that the annealed layout replaces has moved all fields, or nearly always.
            mended += usize::from((1..3).contains(&moved));
            let exact = know.gradient(&walker.layout);
            for (kept, exact) in walker.gradient.iter().zip(exact) {
                assert!((kept - exact).abs() < 0.1, "{kept} {exact}");
            }
        }
    }
    assert!(mended > 20, "{mended}");
}
