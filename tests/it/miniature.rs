//! AtCoder Heuristic Contest 030 in miniature, played by the `bayes` module alone: why information is
//! divided by cost.
//!
//! Two oil fields of known shape lie somewhere in a grid. A drill costs 1 and tells the oil of a cell.
//! A survey of k ≥ 2 cells costs 1/√k and tells the sum of their oil, with noise. The cells with oil
//! are named at the end; a wrong answer costs 1.

use crate::solver::bayes::{Posterior, Worth, best_question, entropy_bits, noisy_information_bits};
use rand::Rng;
use rand::seq::index;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

const N: usize = 7;
const EPS: f64 = 0.02;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Strategy {
    /// Drills the cell that most probably has oil.
    MostProbable,
    /// Drills the cell that tells most.
    DrillInformation,
    /// Asks what tells most, be it a drill or a survey.
    Information,
    /// Asks what tells most for its cost.
    InformationForCost,
}

/// Where oil can be: for each layout, the number of fields over each cell.
struct Layouts(Vec<[u8; N * N]>);

impl Layouts {
    /// Two fields of eight cells, each grown at random.
    fn new(rng: &mut Pcg64Mcg) -> Self {
        let [first, second] = [(); 2].map(|()| positions(&grow(rng)));
        let both = first.iter().flat_map(|a| {
            let sum = |b: &[u8; N * N]| std::array::from_fn(|cell| a[cell] + b[cell]);
            second.iter().map(sum)
        });
        Self(both.collect())
    }

    fn sum(&self, layout: u32, cells: &[usize]) -> usize {
        let oil = &self.0[layout as usize];
        cells.iter().map(|&cell| usize::from(oil[cell])).sum()
    }

    fn answer(&self, layout: u32) -> [bool; N * N] {
        self.0[layout as usize].map(|oil| oil > 0)
    }
}

fn grow(rng: &mut Pcg64Mcg) -> Vec<(usize, usize)> {
    let mut cells = vec![(N, N)];
    while cells.len() < 8 {
        let (row, column) = cells[rng.random_range(0..cells.len())];
        let near = [
            (row + 1, column),
            (row, column + 1),
            (row - 1, column),
            (row, column - 1),
        ];
        let next = near[rng.random_range(0..4)];
        if !cells.contains(&next) {
            cells.push(next);
        }
    }
    cells
}

fn positions(cells: &[(usize, usize)]) -> Vec<[u8; N * N]> {
    let top = cells.iter().map(|cell| cell.0).min().unwrap();
    let left = cells.iter().map(|cell| cell.1).min().unwrap();
    let mut all = Vec::new();
    for (down, right) in (0..N).flat_map(|down| (0..N).map(move |right| (down, right))) {
        let mut oil = [0; N * N];
        let moved = cells
            .iter()
            .map(|cell| (cell.0 - top + down, cell.1 - left + right));
        if moved.clone().all(|cell| cell.0 < N && cell.1 < N) {
            moved.for_each(|(row, column)| oil[row * N + column] = 1);
            all.push(oil);
        }
    }
    all
}

/// P(reply) from `least` to `most`, and its entropy, for a normal deviate that is rounded to an integer.
fn rounded_normal(mean: f64, deviation: f64, least: i64, most: i64) -> (Vec<f64>, f64) {
    let density = |x: f64| (-0.5 * ((x - mean) / deviation).powi(2)).exp();
    let points = |reply| (0..20).map(move |i| reply as f64 - 0.5 + (f64::from(i) + 0.5) / 20.0);
    let mut row: Vec<f64> = (least..=most)
        .map(|reply| points(reply).map(density).sum())
        .collect();
    let total: f64 = row.iter().sum();
    row.iter_mut().for_each(|p| *p /= total);
    let bits = entropy_bits(row.iter().copied());
    (row, bits)
}

/// P(reply | sum) for a survey of k cells, and its entropy: a normal deviate, rounded, at least 0.
fn survey(k: usize, sum: usize) -> (Vec<f64>, f64) {
    let mean = (k as f64 - sum as f64) * EPS + sum as f64 * (1.0 - EPS);
    let deviation = (k as f64 * EPS * (1.0 - EPS)).sqrt();
    let lowest = (mean - 9.0 * deviation).floor().min(0.0) as i64;
    let (row, _) = rounded_normal(mean, deviation, lowest, 2 * k as i64 + 7);
    let (negative, rest) = row.split_at(lowest.unsigned_abs() as usize);
    let mut row = rest.to_vec();
    row[0] += negative.iter().sum::<f64>();
    let bits = entropy_bits(row.iter().copied());
    (row, bits)
}

/// The cost of a game whose secret is drawn from all layouts.
fn play(layouts: &Layouts, strategy: Strategy, seed: u64) -> f64 {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    let mut posterior = Posterior::uniform(layouts.0.len());
    let secret = posterior.sample(rng.random_range(0.0..1.0));
    let rows: Vec<Vec<_>> = (0..=N * N)
        .map(|k| (0..=2 * k).map(|sum| survey(k, sum)).collect())
        .collect();
    let mut drilled = [false; N * N];
    let mut cost = 0.0;
    loop {
        let (answer, p) = posterior.most_probable_answer(|layout| layouts.answer(layout));
        if p > 0.9 {
            if answer == layouts.answer(secret) {
                return cost;
            }
            cost += 1.0;
            posterior.update(|layout| f64::from(layouts.answer(layout) != answer));
            continue;
        }
        let drills = (0..N * N)
            .filter(|&cell| !drilled[cell])
            .map(|cell| vec![cell]);
        let mut questions: Vec<Vec<usize>> = drills.collect();
        if matches!(
            strategy,
            Strategy::Information | Strategy::InformationForCost
        ) {
            for _ in 0..40 {
                let k = rng.random_range(2..=N * N / 2);
                questions.push(index::sample(rng, N * N, k).into_vec());
            }
        }
        let price = |cells: &[usize]| (cells.len() as f64).sqrt().recip(); // a drill costs 1
        let worth = |cells: &Vec<usize>| {
            let sums = posterior.distribution(|layout| layouts.sum(layout, cells));
            let class = |(&sum, &p): (&usize, &f64)| {
                let (row, bits) = &rows[cells.len()][sum];
                (p, &row[..], *bits)
            };
            Worth {
                information_bits: match (strategy, cells.len()) {
                    (Strategy::MostProbable, _) => 0.0,
                    (_, 1) => entropy_bits(sums.values().copied()),
                    _ => noisy_information_bits(sums.iter().map(class)),
                },
                right: match strategy {
                    Strategy::MostProbable => 1.0 - sums.get(&0).copied().unwrap_or(0.0),
                    _ => 0.0,
                },
                cost: match strategy {
                    Strategy::InformationForCost => price(cells),
                    _ => 1.0,
                },
            }
        };
        let (cells, _) = best_question(questions, worth, 1.0).unwrap();
        let sum = layouts.sum(secret, &cells);
        cost += price(&cells);
        if let [cell] = cells[..] {
            drilled[cell] = true;
            posterior.update(|layout| f64::from(layouts.sum(layout, &cells) == sum));
        } else {
            let rows = &rows[cells.len()];
            let mut left = rng.random_range(0.0..1.0);
            let reply = rows[sum].0.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            posterior.update(|layout| rows[layouts.sum(layout, &cells)].0[reply.unwrap_or(0)]);
            posterior.forget_below(-30.0);
        }
    }
}

#[test]
fn information_for_cost_is_cheaper_than_information_and_than_the_most_probable_cell() {
    let mean = |strategy| {
        let games = (0..12).map(|seed| {
            let layouts = Layouts::new(&mut Pcg64Mcg::seed_from_u64(seed));
            play(&layouts, strategy, 1000 + seed)
        });
        games.sum::<f64>() / 12.0
    };
    let [probable, drills, information, for_cost] = [
        Strategy::MostProbable,
        Strategy::DrillInformation,
        Strategy::Information,
        Strategy::InformationForCost,
    ]
    .map(mean);
    // 9.58, 6.42, 2.79 and 1.48; over 60 games 10.62, 6.43, 2.64 and 1.34.
    assert!(
        4.0 * for_cost < drills && drills < probable,
        "{for_cost} {drills} {probable}"
    );
    assert!(1.5 * for_cost < information, "{for_cost} {information}");
    assert!(2.0 * information < drills, "{information} {drills}");
}

/// The function of a row, and the likelihood as the documentation has them.
#[test]
fn documentation_has_the_row_of_a_rounded_normal_deviate() {
    let own = include_str!("miniature.rs");
    let (_, rest) = own.split_once("/// P(reply) from `least`").unwrap();
    let (function, _) = rest.split_once("\n}\n").unwrap();
    for page in [
        include_str!("../../docs/solver.md"),
        include_str!("../../docs/solver.ja.md"),
    ] {
        assert!(page.contains(function));
    }
    // Deviation 1: from tables of the normal distribution, by subtraction.
    let (row, bits) = rounded_normal(2.0, 1.0, -10, 14);
    for (reply, expected) in [(2, 0.382_925), (3, 0.241_730), (0, 0.060_598)] {
        assert!((row[reply + 10] - expected).abs() < 1e-4, "{row:?}");
    }
    assert!((bits - 2.1048).abs() < 1e-3, "{bits}");
}
