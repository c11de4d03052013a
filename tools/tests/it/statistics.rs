//! The sequential test against simulated duels: how often it errs, and how many pairs it takes.
//!
//! `cargo test --release -p tester --test it statistics:: -- --ignored --nocapture` prints the tables of
//! `docs/performance.md`.

use tester::problem::rng::{CaseRng, Seed};
use tester::problem::{Measure, Objective, Score};
use tester::stats::paired::measured;
use tester::stats::sequential::{Rule, Sequential};

const ALPHA: f64 = 0.05;
const RULE: Rule = Rule {
    alpha: ALPHA,
    max_difference: None,
};

/// Draws a difference.
type Draw = fn(&mut CaseRng) -> f64;

/// The test that was used first, Robbins' method of mixtures: what the present one is compared with.
#[derive(Default)]
struct Robbins {
    not_zero: usize,
    sum: f64,
    squares: f64,
    rho2: Option<f64>,
}

impl Robbins {
    /// Adds a difference, and says whether the test decides.
    fn decides(&mut self, difference: f64) -> bool {
        self.sum += difference;
        self.squares += difference * difference;
        self.not_zero += usize::from(difference != 0.0);
        let log = -2.0 * ALPHA.ln();
        if self.rho2.is_none() && self.not_zero == 30 {
            self.rho2 = Some((log + log.ln_1p()) / (300.0 * self.squares / 30.0));
        }
        let Some(rho2) = self.rho2 else { return false };
        let evidence = (rho2 * self.squares).ln_1p() + log;
        self.sum.powi(2) >= (self.squares + 1.0 / rho2) * evidence
    }
}

fn uniform(draw: &mut CaseRng) -> f64 {
    (draw.below(1 << 53) as f64 + 0.5) / (1_u64 << 53) as f64
}

fn normal(draw: &mut CaseRng) -> f64 {
    let radius = (-2.0 * uniform(draw).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(draw)).cos()
}

/// Student's t with 3 degrees of freedom; its standard deviation is 1.73.
fn student3(draw: &mut CaseRng) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(draw).powi(2)).sum();
    normal(draw) / (squares / 3.0).sqrt()
}

/// Mean 0; `sigma` is that of the logarithm.
fn lognormal(draw: &mut CaseRng, sigma: f64) -> f64 {
    (sigma * normal(draw)).exp() - (sigma * sigma / 2.0).exp()
}

/// Mean 0; the tail falls with the power 2.5.
fn pareto(draw: &mut CaseRng) -> f64 {
    uniform(draw).powf(-1.0 / 2.5) - 1.0 - 1.0 / 1.5
}

/// Mean 0: often −1, rarely `ratio`.
fn lopsided(draw: &mut CaseRng, ratio: u64) -> f64 {
    match draw.below(ratio + 1) {
        0 => ratio as f64,
        _ => -1.0,
    }
}

/// Differences of two variants of a solver in turns: half of them ties.
fn turns(draw: &mut CaseRng) -> f64 {
    const TURNS: [i8; 20] = [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, -1, -1, -1, 2, -2, 3, -3,
    ];
    f64::from(TURNS[draw.below(20) as usize])
}

/// Like `turns` without ties, for one case in 20.
fn rare(draw: &mut CaseRng) -> f64 {
    match draw.below(20) {
        0 => [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0][draw.below(6) as usize],
        _ => 0.0,
    }
}

/// Normal, and with probability 0.01 larger by `extra`; mean 0.
fn contaminated(draw: &mut CaseRng, extra: f64) -> f64 {
    let more = f64::from(draw.below(100) == 0) * extra;
    normal(draw) + more - extra / 100.0
}

/// Name, draw, and the largest difference in either direction.
const EQUAL_MEANS: [(&str, Draw, f64); 18] = [
    ("normal", normal, f64::INFINITY),
    ("turns: half 0, else ±1 to ±3", turns, 3.0),
    ("turns: 95 % 0, else ±1 to ±3", rare, 3.0),
    ("Student's t, 3 degrees of freedom", student3, f64::INFINITY),
    (
        "lognormal, σ = 1",
        |draw| lognormal(draw, 1.0),
        f64::INFINITY,
    ),
    (
        "−lognormal, σ = 1",
        |draw| -lognormal(draw, 1.0),
        f64::INFINITY,
    ),
    (
        "lognormal, σ = 2",
        |draw| lognormal(draw, 2.0),
        f64::INFINITY,
    ),
    ("Pareto, exponent 2.5", pareto, f64::INFINITY),
    ("3 : 1", |draw| lopsided(draw, 3), 3.0),
    ("9 : 1", |draw| lopsided(draw, 9), 9.0),
    ("19 : 1", |draw| lopsided(draw, 19), 19.0),
    ("49 : 1", |draw| lopsided(draw, 49), 49.0),
    ("99 : 1", |draw| lopsided(draw, 99), 99.0),
    ("1 : 99", |draw| -lopsided(draw, 99), 99.0),
    (
        "99 : 1, sizes ± 50 %",
        |draw| lopsided(draw, 99) * (0.5 + uniform(draw)),
        148.5,
    ),
    ("999 : 1", |draw| lopsided(draw, 999), 999.0),
    (
        "normal, 1 % larger by 20",
        |draw| contaminated(draw, 20.0),
        f64::INFINITY,
    ),
    (
        "normal, 1 % larger by 99",
        |draw| contaminated(draw, 99.0),
        f64::INFINITY,
    ),
];

const DIFFERENT_MEANS: [(&str, Draw); 16] = [
    ("normal, mean 0.05 σ", |draw| normal(draw) - 0.05),
    ("normal, mean 0.1 σ", |draw| normal(draw) - 0.1),
    ("normal, mean 0.2 σ", |draw| normal(draw) - 0.2),
    ("normal, mean 0.3 σ", |draw| normal(draw) - 0.3),
    ("normal, mean 0.5 σ", |draw| normal(draw) - 0.5),
    ("normal, mean 1 σ", |draw| normal(draw) - 1.0),
    ("turns, 15 % better by 1", |draw| {
        turns(draw) - f64::from(draw.below(20) < 3)
    }),
    ("turns, 40 % better by 1", |draw| {
        turns(draw) - f64::from(draw.below(5) < 2)
    }),
    ("turns, 80 % better by 1", |draw| {
        turns(draw) - f64::from(draw.below(5) < 4)
    }),
    ("5 % worse by 1, 45 % better by 1", |draw| {
        match draw.below(20) {
            0 => 1.0,
            1..10 => -1.0,
            _ => 0.0,
        }
    }),
    ("Student's t, mean 0.17 σ", |draw| student3(draw) - 0.3),
    ("lognormal, σ = 1, mean −0.14 σ", |draw| {
        lognormal(draw, 1.0) - 0.3
    }),
    ("−lognormal, σ = 1, mean −0.14 σ", |draw| {
        -lognormal(draw, 1.0) - 0.3
    }),
    ("3 % worse by 1, 97 % better by 1", |draw| {
        match draw.below(100) {
            0..3 => 1.0,
            _ => -1.0,
        }
    }),
    ("normal, mean 2 σ", |draw| normal(draw) - 2.0),
    ("always better by 1", |_| -1.0),
];

/// What became of simulated duels under both tests.
struct Duels {
    /// The pairs of each that was decided, by Robbins' test and ours.
    pairs: [Vec<usize>; 2],
    /// How many ours decided with a bound that was not below the largest difference.
    bounded: usize,
    /// How many ours decided for the first program.
    first: usize,
}

fn duels(count: u64, most: usize, draw: Draw, largest: f64) -> Duels {
    let mut duels = Duels {
        pairs: [Vec::new(), Vec::new()],
        bounded: 0,
        first: 0,
    };
    for seed in 0..count {
        let mut rng = CaseRng::new(Seed(seed));
        let (mut robbins, mut ours) = (Robbins::default(), Sequential::new(RULE));
        let mut running = [true; 2];
        for pairs in 1..=most {
            let difference = draw(&mut rng);
            if running[0] && robbins.decides(difference) {
                running[0] = false;
                duels.pairs[0].push(pairs);
            }
            if running[1] {
                ours.add(difference);
                if ours.decided() {
                    running[1] = false;
                    duels.pairs[1].push(pairs);
                    duels.bounded += usize::from(ours.bound().unwrap() >= largest);
                    duels.first += usize::from(ours.mean() > 0.0);
                }
            }
            if running == [false; 2] {
                break;
            }
        }
    }
    duels
}

/// The median of those of `count` duels that were decided; the others took longer.
fn median(decided: &[usize], count: u64) -> Option<usize> {
    let mut pairs = decided.to_vec();
    pairs.sort_unstable();
    pairs.get(count as usize / 2).copied()
}

#[test]
fn equal_means_with_rare_large_differences_are_told_apart_with_probability_alpha_at_most() {
    let draws: [(Draw, f64); 4] = [
        (|draw| lopsided(draw, 9), 9.0),
        (|draw| lopsided(draw, 49), 49.0),
        (|draw| lopsided(draw, 99), 99.0),
        (|draw| -lopsided(draw, 99), 99.0),
    ];
    for (draw, largest) in draws {
        const COUNT: u64 = 200;
        let duels = duels(COUNT, 600, draw, largest);
        let [robbins, ours] = duels.pairs.map(|pairs| pairs.len());
        // A share of 0.05 has a standard deviation of 0.015.
        assert!(ours <= 19, "{largest}: {ours} of {COUNT}");
        if largest > 9.0 {
            assert!(robbins > COUNT as usize / 2, "{largest}: {robbins}");
        }
    }
}

#[test]
fn what_is_usual_takes_few_pairs_more_than_the_mixture_of_robbins() {
    for mean in [0.2, 0.3] {
        const COUNT: u64 = 100;
        let draw: Draw = match mean {
            0.2 => |draw| normal(draw) - 0.2,
            _ => |draw| normal(draw) - 0.3,
        };
        let duels = duels(COUNT, 2000, draw, f64::INFINITY);
        let [robbins, ours] = duels.pairs.map(|pairs| median(&pairs, COUNT).unwrap());
        assert!(ours * 2 < robbins * 3, "{mean}: {robbins} and {ours} pairs");
    }
}

#[test]
#[ignore = "simulates 34,000 duels: half a minute in a release build"]
fn tables() {
    const COUNT: u64 = 1000;
    let percent = |count: usize| format!("{:.1}", 100.0 * count as f64 / COUNT as f64);
    println!(
        "| differences with mean 0 | Robbins | now | now, bound large enough |\n|---|---|---|---|"
    );
    for (name, draw, largest) in EQUAL_MEANS {
        let duels = duels(COUNT, 10_000, draw, largest);
        let [robbins, ours] = duels.pairs.each_ref().map(|pairs| percent(pairs.len()));
        let bounded = match largest.is_finite() {
            true => percent(duels.bounded),
            false => "-".to_owned(),
        };
        println!("| {name} | {robbins} | {ours} | {bounded} |");
        assert!(duels.bounded as f64 <= 1.5 * ALPHA * COUNT as f64, "{name}");
    }
    println!("\n| true difference | Robbins | now | wrong decisions |\n|---|---|---|---|");
    for (name, draw) in DIFFERENT_MEANS {
        let duels = duels(COUNT, 10_000, draw, f64::INFINITY);
        let [robbins, ours] = duels.pairs.each_ref().map(|pairs| {
            median(pairs, COUNT).map_or("> 10000".to_owned(), |pairs| pairs.to_string())
        });
        println!("| {name} | {robbins} | {ours} | {} |", duels.first);
    }
}

/// The median pairs of duels by score and by its logarithm. The sizes of cases are log-normal: `sigma` is that of their
/// logarithms. The second program's scores are 3 % lower, and each score has a noise of 10 %.
fn median_pairs_by_measure(sigma: f64, count: u64) -> [usize; 2] {
    let by = |measure: Measure| {
        let pairs = |seed| {
            let mut draw = CaseRng::new(Seed(seed));
            let mut test = Sequential::new(RULE);
            let decided = (1..=20_000).find(|_| {
                let size = 1e6 * (sigma * normal(&mut draw)).exp();
                let mut score = |ratio: f64| {
                    let noise = (0.1 * normal(&mut draw)).exp();
                    Score::from((size * ratio * noise).round() as u64)
                };
                let scores = (score(1.0), score(0.97));
                let best = Objective::Min.better_of(scores.0, scores.1);
                let (a, b) = measured(measure, scores, best, Objective::Min);
                test.add(b - a);
                test.decided()
            });
            assert!(test.mean() < 0.0, "the second is better");
            decided.expect("20,000 pairs are enough")
        };
        let decided: Vec<usize> = (0..count).map(pairs).collect();
        median(&decided, count).expect("all were decided")
    };
    [by(Measure::Score), by(Measure::Log)]
}

#[test]
fn duels_on_cases_of_any_size_need_fewer_pairs_by_log() {
    // σ, and by how many times fewer pairs decide at least and at most. With 0.7, nine of ten cases lie within a
    // factor of 10. Where all cases are of one size, a logarithm gains nothing.
    for (sigma, least, most) in [
        (0.0, 0.9, 1.1),
        (0.5, 1.4, 2.2),
        (0.7, 2.0, 3.3),
        (1.0, 3.5, 7.0),
    ] {
        let [score, log] = median_pairs_by_measure(sigma, 100);
        let times = score as f64 / log as f64;
        println!("σ {sigma}: {score} pairs by score, {log} by log, {times:.1} times as many");
        assert!(
            (least..most).contains(&times),
            "σ {sigma}: {score} and {log}"
        );
    }
}
