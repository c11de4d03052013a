//! The fast computations of the AHC030 submission against the shared module, and against slow and obvious twins.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oil::bayes::{entropy_bits, noisy_information_bits};
use crate::oil::grid::{Grid, cells_of};
use crate::oil::knowledge::Knowledge;
use crate::oil::noise::{Noise, entropy_term, exp};
use crate::oil::question::{Climber, Pool};
use crate::oil::{Move, Player, Settings};

/// Three fields on a grid of 6 × 6.
fn grid(eps: f64) -> Grid {
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
fn likelihood(eps: f64, cells: usize, sum: usize, reply: usize) -> f64 {
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

#[test]
fn likelihood_is_that_of_the_rounded_reply() {
    for eps in [0.01, 0.07, 0.2] {
        let noise = Noise::new(eps, 36);
        for (cells, sum) in [(2, 0), (2, 3), (9, 4), (36, 0), (36, 13)] {
            for reply in 0..30 {
                let slow = likelihood(eps, cells, sum, reply);
                let fast = noise.log_likelihood(cells, sum, reply).exp();
                assert!(
                    (slow - fast).abs() < 1e-6,
                    "{eps} {cells} {sum} {reply}: {slow} {fast}"
                );
            }
        }
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
        let weighted: Vec<_> = (0..40)
            .map(|_| (layout(&mut rng), rng.random::<f64>()))
            .collect();
        let pool = Pool::new(&grid, weighted);
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
            let fast = Climber::new(&pool, &mut noise, 36, true).value_of(&cells);
            assert!((slow - fast).abs() < 0.01, "{slow} {fast}");
        }
    }
}

#[test]
fn likelihoods_of_layouts_add_up_over_the_questions() {
    let mut know = Knowledge::new(grid(0.1));
    let questions = [
        (vec![0, 1, 2, 6, 7, 8], 2),
        (vec![14, 15, 20, 21], 3),
        (vec![5], 0),
    ];
    for (cells, reply) in &questions {
        know.learn(cells, *reply);
    }
    let layout = layout([3, 7, 0]);
    let all: Vec<usize> = know.grid.covered(&layout).collect();
    for (question, (cells, reply)) in questions.iter().enumerate() {
        let sum = all.iter().filter(|cell| cells.contains(cell)).count();
        assert_eq!(usize::from(know.sum(question, &layout)), sum);
        let slow = know.noise.log_likelihood(cells.len(), sum, *reply);
        assert!((f64::from(know.log_likelihood(question, sum as u16)) - slow).abs() < 1e-4);
    }
}

/// The layout with these places of the grid's fields, counted from the first that is possible.
fn layout(places: [usize; 3]) -> Vec<u16> {
    let fields = grid(0.1).fields;
    let both = fields.iter().zip(places);
    both.map(|(field, place)| field.places[place]).collect()
}

/// Plays against the rules, and returns how many operations were needed.
fn play(eps: f64, truth: &[u16], settings: Settings) -> usize {
    let hidden = grid(eps);
    let (mut rng, mut player) = (Pcg64Mcg::seed_from_u64(1), Player::new(grid(eps), settings));
    let oil = hidden.oil(truth);
    for turn in 1.. {
        match player.choose(1.0) {
            Move::Answer(answer) if answer == oil => return turn,
            Move::Answer(answer) => player.learn_refusal(answer),
            Move::Ask(cells) => {
                assert!(turn <= 72, "more than 2N² operations");
                let sum = hidden
                    .covered(truth)
                    .filter(|cell| cells.contains(cell))
                    .count();
                let reply = match cells.len() {
                    1 => sum,
                    count => {
                        let mut left = rng.random::<f64>();
                        (0..50)
                            .position(|reply| {
                                left -= likelihood(eps, count, sum, reply);
                                left < 0.0
                            })
                            .unwrap_or(50)
                    }
                };
                player.learn(&cells, reply);
            }
        }
    }
    unreachable!("the loop ends by its return")
}

#[test]
fn every_game_ends_with_the_right_answer_listed_or_sampled() {
    for (listed, work) in [(1e6, 3e7), (0.0, 3e7), (0.0, 0.0)] {
        let settings = Settings {
            listed,
            work,
            ..Settings::default()
        };
        for truth in [[0, 0, 0], [3, 7, 5], [15, 2, 9], [8, 8, 8]] {
            play(0.05, &layout(truth), settings);
        }
    }
}

#[test]
fn most_probable_answer_of_a_list_is_the_truth_after_all_cells_are_drilled() {
    let (hidden, truth) = (grid(0.1), layout([4, 11, 2]));
    let mut player = Player::new(grid(0.1), Settings::default());
    for cell in 0..36 {
        player.choose(0.0);
        let value = hidden.covered(&truth).filter(|&own| own == cell).count();
        player.learn(&[cell], value);
    }
    match player.choose(0.0) {
        Move::Answer(answer) => assert_eq!(cells_of(&answer), cells_of(&hidden.oil(&truth))),
        Move::Ask(cells) => panic!("asked about {cells:?}"),
    }
}
