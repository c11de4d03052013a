//! Plays AtCoder Heuristic Contest 030, "Polyomino Mining", by Bayes' rule and mutual information.
//!
//! judge: ahc030

use std::process::ExitCode;
use std::time::{Duration, Instant};

use itertools::Itertools;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use bayes::{Worth, best_question, yes_or_no_bits};
use grid::{CellSet, Grid, cells_of};
use judge::Judge;
use knowledge::Knowledge;
use limits::{HURRY_AFTER, NO_WORK_AFTER};
use list::List;
use question::{Climber, Pool};
use sampler::Sampler;

// ==== bayes: begin ==== (the same in every submission)
#[allow(dead_code)] // a submission calls what its game needs
#[rustfmt::skip] // short functions on one line: the whole is two pages
pub mod bayes {
    //! Bayes' rule and mutual information. Knows no game: a hypothesis S is a number from 0.
    //!
    //! 1. A [`Posterior`] has the probability of each hypothesis: its prior, before any reply.
    //! 2. Ask the [`best_question`]: the most information for its cost.
    //! 3. [`Posterior::update`] with its reply R. Repeat until one answer is probable enough.
    //!
    //! Article 000 maximises the mutual information I = H(S) − H(S|R), H being the entropy. It equals
    //! H(R) − H(R|S), which needs no posterior of each reply. H(R|S) is the noise: 0 if S decides R.

    use std::{collections::BTreeMap, iter};
    use itertools::Itertools;

    /// The number of a hypothesis.
    pub type Hypothesis = u32;
    /// Values closer than this are equal: sums in another order differ in their last digits.
    pub const EQUAL: f64 = 1e-9;

    /// P(S): `probs` in article 000. A probability is a weight over the sum of all weights.
    #[derive(Clone)]
    pub struct Posterior {
        support: Vec<Hypothesis>, // still possible (the *candidates*), in ascending order
        logs: Vec<f64>,           // ln(weight): a weight can underflow and grow again; empty if all equal
        weights: Vec<f64>,        // the largest is 1; empty if all equal
    }

    impl Posterior {
        /// P(S) = 1/n for each of n hypotheses: `initialize_probs` in article 000.
        pub fn uniform(count: usize) -> Self { Self::among((0..count as Hypothesis).collect(), None) }
        /// P(S) ∝ `weights[S]`, finite and ≥ 0: any prior (article 002).
        pub fn from_prior(weights: &[f64]) -> Self {
            Self::from_log_prior(weights.iter().map(|weight| weight.ln()).collect())
        }
        /// P(S) ∝ exp(`logs[S]`), for products too small for a number; 0 where the logarithm is −∞.
        /// Equal weights beside zeros do not count as uniform: they single out hypotheses.
        pub fn from_log_prior(logs: Vec<f64>) -> Self {
            let mut posterior = Self::uniform(logs.len());
            posterior.set_logs(if logs.iter().all_equal() { vec![] } else { vec![0.0; logs.len()] });
            posterior.update_log(|hypothesis| logs[hypothesis as usize]);
            posterior
        }
        /// P(`support[i]`) ∝ `weights[i]` > 0 (equal if `None`), P(any other) = 0. In ascending order.
        pub fn among(support: Vec<Hypothesis>, weights: Option<Vec<f64>>) -> Self {
            let mut posterior = Self { support, logs: vec![], weights: vec![] };
            posterior.set_logs(weights.into_iter().flatten().map(f64::ln).collect());
            posterior
        }

        /// Bayes' rule, P(S|R) = P(S) · P(R|S) / P(R): article 002, `bayes_update` in 000. P(R|S) is
        /// the likelihood, how probable the reply is under S. P(R), the same for all S, is left out.
        pub fn update(&mut self, mut likelihood: impl FnMut(Hypothesis) -> f64) {
            self.update_log(|hypothesis| likelihood(hypothesis).ln());
        }
        /// The same with ln P(R|S), for P(R|S) too small for a number. Only −∞, a likelihood of 0,
        /// rules a hypothesis out, and for good.
        pub fn update_log(&mut self, mut log_likelihood: impl FnMut(Hypothesis) -> f64) {
            let before = self.logs.iter().copied().chain(iter::repeat(0.0));
            let joint = self.support.iter().zip(before).map(|(&s, log)| (s, log + log_likelihood(s)));
            let (support, logs): (_, Vec<_>) = joint.filter(|s| s.1 > f64::NEG_INFINITY).unzip();
            let uniform = self.is_uniform() && logs.iter().all_equal();
            self.support = support;
            self.set_logs(if uniform { vec![] } else { logs });
        }
        /// Rules out S where P(S) < exp(`log`) · max P(S), if a list is too long.
        pub fn forget_below(&mut self, log: f64) {
            let mut before = self.logs.clone().into_iter();
            self.update(|_| f64::from(before.next().is_none_or(|own| own >= log)));
        }
        fn set_logs(&mut self, mut logs: Vec<f64>) {
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            logs.iter_mut().for_each(|log| *log -= largest);
            (self.weights, self.logs) = (logs.iter().map(|log| log.exp()).collect(), logs);
        }

        /// Whether all weights are equal.
        pub fn is_uniform(&self) -> bool { self.logs.is_empty() }
        /// The candidates, in ascending order.
        pub fn support(&self) -> &[Hypothesis] { &self.support }
        /// The weight of the candidate at an index of the support.
        pub fn weight(&self, index: usize) -> f64 { self.weights.get(index).copied().unwrap_or(1.0) }
        /// The sum of all weights.
        pub fn total(&self) -> f64 {
            if self.is_uniform() { self.support.len() as f64 } else { self.weights.iter().sum() }
        }
        /// P(S) of one hypothesis.
        pub fn probability(&self, hypothesis: Hypothesis) -> f64 {
            self.support.binary_search(&hypothesis).map_or(0.0, |i| self.weight(i) / self.total())
        }
        /// H(S) = −Σ P(S) · log2 P(S), what is left to learn: `calc_entropy` in article 000.
        pub fn entropy_bits(&self) -> f64 {
            let total = self.total();
            entropy_bits((0..self.support.len()).map(|index| self.weight(index) / total))
        }
        /// An error if no hypothesis is possible.
        pub fn check_possible(&self) -> Result<(), String> {
            self.support.first().map(|_| ()).ok_or("the judge's replies contradict each other".into())
        }

        /// The most probable S (article 002), of several the smallest. Panics if there is none.
        pub fn mode(&self) -> Hypothesis {
            let all = (0..self.support.len()).rev();
            let best = all.max_by(|&a, &b| self.weight(a).total_cmp(&self.weight(b)));
            self.support[best.expect("some hypothesis is possible")]
        }
        /// The answer A of greatest P(A) = Σ P(S) over the S with this answer, and P(A); of equal ones
        /// the smallest. In AHC030, for which 000 was written, many layouts share one set of cells.
        pub fn most_probable_answer<A: Ord>(&self, answer: impl Fn(Hypothesis) -> A) -> (A, f64) {
            first_best(self.distribution(answer)).expect("some hypothesis is possible")
        }
        /// Draws S with probability P(S), as article 001 draws a candidate. `uniform` is your random
        /// number in [0, 1): the first S is taken that brings the sum of probabilities above it.
        pub fn sample(&self, uniform: f64) -> Hypothesis {
            let mut left = uniform * self.total();
            let found = (0..self.support.len()).find(|&i| { left -= self.weight(i); left < 0.0 });
            found.map_or_else(|| self.mode(), |index| self.support[index]) // rounding can leave a rest
        }
        /// P(V) = Σ P(S) over the S of value V: of a reply (`weights` in article 000), answer or class.
        pub fn distribution<V: Ord>(&self, value: impl Fn(Hypothesis) -> V) -> BTreeMap<V, f64> {
            let (mut distribution, total) = (BTreeMap::new(), self.total());
            for (index, &own) in self.support.iter().enumerate() {
                *distribution.entry(value(own)).or_insert(0.0) += self.weight(index) / total;
            }
            distribution
        }
        /// I = H(R) if S decides the reply: `mutual_info` in article 000, the entropy of 001 and 004.
        pub fn information_bits<R: Ord>(&self, reply: impl Fn(Hypothesis) -> R) -> f64 {
            entropy_bits(self.distribution(reply).into_values())
        }
    }

    /// I = H(R) − H(R|S) = H(Σ P(C) · P(R|C)) − Σ P(C) · H(R|C) for a noisy reply (article 002, last
    /// section; AHC030). A class C is all S of the same P(R|S): each gives P(C), P(R|C) and H(R|C).
    pub fn noisy_information_bits<'a>(classes: impl IntoIterator<Item = (f64, &'a [f64], f64)>) -> f64 {
        let (mut of_reply, mut noise_bits) = (vec![], 0.0);
        for (class, replies, bits) in classes {
            of_reply.resize(replies.len().max(of_reply.len()), 0.0);
            of_reply.iter_mut().zip(replies).for_each(|(sum, p)| *sum += class * p);
            noise_bits += class * bits;
        }
        entropy_bits(of_reply) - noise_bits
    }

    /// What a question is worth: I, the probability that it is the right answer, and its cost > 0.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Worth { pub information_bits: f64, pub right: f64, pub cost: f64 }

    /// The question of greatest (I + bonus · P(right)) / cost, and that value; of equal ones the first.
    /// A right guess saves a turn: article 003 adds 2 bits for it, 004 counts it as log2(1/P + 10).
    pub fn best_question<Q>(
        questions: impl IntoIterator<Item = Q>, mut worth: impl FnMut(&Q) -> Worth, bonus_bits: f64,
    ) -> Option<(Q, f64)> {
        first_best(questions.into_iter().map(|question| {
            let Worth { information_bits, right, cost } = worth(&question);
            (question, (information_bits + bonus_bits * right) / cost)
        }))
    }
    fn first_best<T>(values: impl IntoIterator<Item = (T, f64)>) -> Option<(T, f64)> {
        values.into_iter().reduce(|best, next| if next.1 > best.1 + EQUAL { next } else { best })
    }

    /// H = −Σ p · log2 p of a distribution: `calc_entropy` in article 000.
    pub fn entropy_bits(distribution: impl IntoIterator<Item = f64>) -> f64 {
        distribution.into_iter().map(entropy_term_bits).sum::<f64>() + 0.0 // 0, not -0
    }
    /// −p · log2 p, what one event adds to an entropy; 0 if p is 0 (article 004's example).
    pub fn entropy_term_bits(p: f64) -> f64 { if p > 0.0 { -p * p.log2() } else { 0.0 } }
    /// H of an event that happens with probability p, or not: article 004's coin.
    pub fn yes_or_no_bits(p: f64) -> f64 { entropy_term_bits(p) + entropy_term_bits(1.0 - p) }
}
// ==== bayes: end ====

// ==== judge: begin ==== (the same in every submission)
#[macro_use]
pub mod judge {
    //! Lines in and out.

    use std::io::{BufRead, Cursor, Write, stdin, stdout};
    use std::str::FromStr;

    use proconio::source::Source;
    use proconio::source::once::OnceSource;

    /// Reads words of the judge into variables, as proconio's macro of this name does:
    /// `input_interactive! { from judge, hits: u8, blows: u8 }`.
    ///
    /// proconio's own panics on a word of another type and at the end of the input. This macro returns
    /// the error from the function around it.
    macro_rules! input_interactive {
        (from $judge:expr, $($name:ident: $kind:ty),+) => {
            $(let $name = $judge.word::<$kind>(stringify!($name))?;)+
        };
    }

    /// The judge at the other end of standard input and output.
    pub struct Judge {
        /// The words of the last line that were not read yet. One line, and not the whole input: a
        /// source that reads to the end would wait forever.
        line: OnceSource<Cursor<String>>,
        /// The first word of a reply, which `ask` has looked at.
        first: Option<String>,
    }

    impl Judge {
        /// The judge before its first line. Only one can read standard input.
        pub fn on_stdin() -> Self {
            Self {
                line: OnceSource::new(Cursor::default()),
                first: None,
            }
        }

        /// Prints a question and waits for the reply.
        ///
        /// # Errors
        /// If there is no reply, or the judge refused the question with `-1`.
        pub fn ask(&mut self, question: &str) -> Result<(), String> {
            // Standard output is flushed at the end of a line, on a pipe as well. With a buffered
            // writer or `#[fastout]`, judge and solver would wait for each other.
            writeln!(stdout(), "{question}")
                .map_err(|why| format!("failed to print {question:?}: {why}"))?;
            match self.next_word("a reply")? {
                word if word == "-1" => Err(format!("the judge refused {question:?}")),
                word => {
                    self.first = Some(word);
                    Ok(())
                }
            }
        }

        /// Reads the next word. `name` says what it is, for the error.
        ///
        /// # Errors
        /// If the input ends, or the word is of another type.
        pub fn word<T: FromStr>(&mut self, name: &str) -> Result<T, String> {
            let word = match self.first.take() {
                Some(word) => word,
                None => self.next_word(name)?,
            };
            let wrong = |_| format!("expected {name}, found {word:?}");
            word.parse().map_err(wrong)
        }

        fn next_word(&mut self, name: &str) -> Result<String, String> {
            loop {
                if let Some(word) = self.line.next_token() {
                    return Ok(word.to_owned());
                }
                let mut line = Vec::new();
                match stdin().lock().read_until(b'\n', &mut line) {
                    Ok(0) => return Err(format!("expected {name}, found the end of the input")),
                    // Not every byte need be text, and proconio panics on one that is not.
                    Ok(_) => {
                        let text = String::from_utf8_lossy(&line).into_owned();
                        self.line = OnceSource::new(Cursor::new(text));
                    }
                    Err(why) => return Err(format!("failed to read {name}: {why}")),
                }
            }
        }
    }
}
// ==== judge: end ====

pub mod limits {
    //! Sizes and work. Work is counted and not timed, so that a case is played alike on every machine.
    //! The clock is looked at late: only a machine several times slower than expected notices it.

    use std::time::Duration;

    /// What a whole case may cost, in units of about 0.6 ns.
    pub const WORK: f64 = 3.6e9;
    /// After this time, less and less work is done in a turn,
    pub const HURRY_AFTER: Duration = Duration::from_millis(2_200);
    /// and after this time next to none.
    pub const NO_WORK_AFTER: Duration = Duration::from_millis(2_700);

    /// Up to this many layouts, all are listed. More are sampled.
    pub const MAX_LISTED: usize = 1_000_000;
    /// A listed layout is forgotten if it is less probable than the best by a factor of e^-25.
    pub const FORGET_BELOW: f64 = -25.0;
    /// A question is chosen by this many layouts of a list at most.
    pub const POOL: usize = 1_000;
    /// The logarithm of the likelihood for each unit that a drilled value is off: all but impossible.
    pub const DRILL_MISS: f64 = -30.0;
}

pub mod grid {
    //! What is hidden: where each field is. Cells are numbers: row · N + column.

    use super::judge::Judge;

    /// The place of each field: row of its first cell · columns that it can be in + column.
    pub type Layout = Vec<u16>;
    /// A bit for each cell: 20² = 400 at most.
    pub type CellSet = [u64; 7];

    /// One field.
    pub struct Field {
        /// Its cells if it is in the corner.
        pub cells: Vec<usize>,
        rows: usize,
        /// The number of columns that its first cell can be in.
        pub columns: usize,
    }

    impl Field {
        /// In how many places it can be.
        pub fn places(&self) -> usize {
            self.rows * self.columns
        }
    }

    /// The contestant's input.
    pub struct Grid {
        /// The number of rows, and of columns.
        pub n: usize,
        /// How noisy replies are.
        pub eps: f64,
        /// The fields in the order of the input.
        pub fields: Vec<Field>,
    }

    impl Grid {
        /// Reads the opening.
        ///
        /// # Errors
        /// If the input is not that of the contest.
        pub fn read(judge: &mut Judge) -> Result<Self, String> {
            input_interactive! { from judge, n: usize, fields: usize, eps: f64 }
            let mut grid = Self { n, eps, fields: Vec::with_capacity(fields) };
            for _ in 0..fields {
                input_interactive! { from judge, size: usize }
                let mut cells = Vec::with_capacity(size);
                for _ in 0..size {
                    input_interactive! { from judge, row: usize, column: usize }
                    cells.push((row, column));
                }
                grid.add_field(&cells)?;
            }
            Ok(grid)
        }

        /// Adds a field with these cells, the least row and column being 0.
        ///
        /// # Errors
        /// If it has no cell or does not fit into the grid.
        pub fn add_field(&mut self, cells: &[(usize, usize)]) -> Result<(), String> {
            let last = |of: fn(&(usize, usize)) -> usize| cells.iter().map(of).max().unwrap_or(self.n);
            let (row, column) = (last(|cell| cell.0), last(|cell| cell.1));
            if row >= self.n || column >= self.n {
                return Err(format!("expected a field inside of {0} × {0} cells, found {cells:?}", self.n));
            }
            self.fields.push(Field {
                cells: cells.iter().map(|(row, column)| row * self.n + column).collect(),
                rows: self.n - row,
                columns: self.n - column,
            });
            Ok(())
        }

        /// The number of cells.
        pub fn area(&self) -> usize {
            self.n * self.n
        }

        /// What to add to the cells of a field that is in this place.
        pub fn shift(&self, field: usize, place: usize) -> usize {
            let columns = self.fields[field].columns;
            place / columns * self.n + place % columns
        }

        /// All cells of all fields; a cell is repeated if several fields cover it.
        pub fn covered<'a>(&'a self, layout: &'a [u16]) -> impl Iterator<Item = usize> + 'a {
            let of_field = move |(field, &place): (usize, &u16)| {
                let shift = self.shift(field, place.into());
                self.fields[field].cells.iter().map(move |cell| cell + shift)
            };
            layout.iter().enumerate().flat_map(of_field)
        }

        /// The cells with oil: the answer.
        pub fn oil(&self, layout: &[u16]) -> CellSet {
            let mut oil = CellSet::default();
            self.covered(layout).for_each(|cell| oil[cell / 64] |= 1 << (cell % 64));
            oil
        }
    }

    /// The cells of a set, in ascending order.
    pub fn cells_of(set: &CellSet) -> Vec<usize> {
        (0..64 * set.len()).filter(|cell| set[cell / 64] >> (cell % 64) & 1 == 1).collect()
    }
}

pub mod noise {
    //! How a reply is distributed if the sum of the asked values is known: a rounded normal deviate,
    //! and not below 0.

    use std::f64::consts::SQRT_2;

    use super::limits::DRILL_MISS;

    /// The distribution function is tabulated within this many deviations,
    const REACH: f64 = 8.0;
    /// and so finely.
    const PER_DEVIATION: f64 = 128.0;
    /// Replies further away are left out of the entropies.
    const FAR: f64 = 4.0;

    /// The noise of a case.
    pub struct Noise {
        eps: f64,
        below: Vec<f32>,
        /// For each number of cells that was considered, the replies for each sum.
        channels: Vec<Vec<Replies>>,
    }

    /// P(reply | sum), for the replies from `first`.
    pub struct Replies {
        /// The first reply that is not too improbable.
        pub first: usize,
        /// The probability of each.
        pub likelihood: Vec<f32>,
        /// Their entropy.
        pub bits: f32,
    }

    impl Noise {
        /// The noise for questions of up to `area` cells.
        pub fn new(eps: f64, area: usize) -> Self {
            let count = (2.0 * REACH * PER_DEVIATION) as usize + 2;
            let value = |i| ln_less(i as f64 / PER_DEVIATION - REACH).exp() as f32;
            let channels = (0..=area).map(|_| Vec::new()).collect();
            Self { eps, below: (0..count).map(value).collect(), channels }
        }

        /// Mean and standard deviation before the reply is rounded.
        pub fn normal(&self, cells: usize, sum: usize) -> (f64, f64) {
            let (k, s, eps) = (cells as f64, sum as f64, self.eps);
            ((k - s) * eps + s * (1.0 - eps), (k * eps * (1.0 - eps)).sqrt())
        }

        /// ln P(reply | sum). One cell is drilled: no noise.
        pub fn log_likelihood(&self, cells: usize, sum: usize, reply: usize) -> f64 {
            if cells == 1 {
                return DRILL_MISS * sum.abs_diff(reply) as f64;
            }
            let (mean, deviation) = self.normal(cells, sum);
            let end = (reply as f64 + 0.5 - mean) / deviation;
            match reply {
                0 => ln_less(end),
                _ => ln_between((reply as f64 - 0.5 - mean) / deviation, end),
            }
        }

        /// The sum, as a reply would estimate it without bias, and the weight of that: one over its
        /// variance. Rounding adds 1/12 to the variance.
        pub fn estimate(&self, cells: usize, reply: usize) -> (f32, f32) {
            if cells == 1 {
                return (reply as f32, -2.0 * DRILL_MISS as f32);
            }
            let (shift, deviation) = self.normal(cells, 0);
            let slope = 1.0 - 2.0 * self.eps;
            let variance = (deviation * deviation + 1.0 / 12.0) / (slope * slope);
            (((reply as f64 - shift) / slope) as f32, (1.0 / variance) as f32)
        }

        /// The replies to a question of this many cells, at least 2, for each sum up to `most`.
        pub fn channel(&mut self, cells: usize, most: usize) -> &[Replies] {
            for sum in self.channels[cells].len()..=most {
                let replies = self.replies(cells, sum);
                self.channels[cells].push(replies);
            }
            &self.channels[cells]
        }

        fn replies(&self, cells: usize, sum: usize) -> Replies {
            let (mean, deviation) = self.normal(cells, sum);
            let first = (mean - FAR * deviation - 0.5).max(0.0) as usize;
            let last = (mean + FAR * deviation + 0.5).ceil() as usize;
            let mut below = 0.0;
            let mut likelihood = Vec::with_capacity(last - first + 1);
            for reply in first..=last {
                let next = match reply == last {
                    true => 1.0,
                    false => self.less((reply as f64 + 0.5 - mean) / deviation),
                };
                likelihood.push(next - below);
                below = next;
            }
            let bits = likelihood.iter().map(|&p| entropy_term(p)).sum();
            Replies { first, likelihood, bits }
        }

        /// P(standard normal deviate < z), from the table.
        fn less(&self, z: f64) -> f32 {
            let at = (z.clamp(-REACH, REACH) + REACH) * PER_DEVIATION;
            let (index, part) = (at as usize, at.fract() as f32);
            self.below[index] + part * (self.below[index + 1] - self.below[index])
        }
    }

    /// ln P(standard normal deviate < z).
    fn ln_less(z: f64) -> f64 {
        if z < 0.0 { ln_more(-z) } else { (-ln_more(z).exp()).ln_1p() }
    }

    /// ln P(a < standard normal deviate < b).
    fn ln_between(a: f64, b: f64) -> f64 {
        let (a, b) = if a + b < 0.0 { (-b, -a) } else { (a, b) }; // the tail of accurate digits
        match a <= 0.0 {
            true => (1.0 - ln_more(-a).exp() - ln_more(b).exp()).ln(),
            false => ln_more(a) + (-(ln_more(b) - ln_more(a)).exp()).ln_1p(),
        }
    }

    /// ln P(standard normal deviate > z) for z ≥ 0: a Chebyshev fit of the complementary error function,
    /// to 1.2e-7 of it everywhere (Numerical Recipes, `erfcc`).
    fn ln_more(z: f64) -> f64 {
        const FIT: [f64; 10] = [
            -1.265_512_23, 1.000_023_68, 0.374_091_96, 0.096_784_18, -0.186_288_06,
            0.278_868_07, -1.135_203_98, 1.488_515_87, -0.822_152_23, 0.170_872_77,
        ];
        let x = z / SQRT_2;
        let t = 1.0 / (1.0 + 0.5 * x);
        (0.5 * t).ln() - x * x + FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor)
    }

    /// −p · log2 p, in some instructions that a compiler can do four at a time; to 1e-5.
    pub fn entropy_term(p: f32) -> f32 {
        const FIT: [f32; 8] = [
            1.442_695_1, -0.721_16, 0.477_86, -0.347_30, 0.241_87, -0.136_25, 0.052_47, -0.009_77,
        ];
        let bits = p.max(1e-30).to_bits();
        let t = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000) - 1.0;
        let log = t * FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
        -p * ((bits >> 23) as i32 as f32 - 127.0 + log)
    }

    /// exp(x) for x ≤ 0, likewise; to 1e-5 of it.
    pub fn exp(x: f32) -> f32 {
        const FIT: [f32; 6] = [1.0, 0.693_147_2, 0.240_226_5, 0.055_504_1, 0.009_618_1, 0.001_333_4];
        const ROUND: f32 = 12_582_912.0; // added to a number, it rounds it: 1.5 · 2^23
        let t = (x * std::f32::consts::LOG2_E).max(-126.0);
        let rounded = t + ROUND;
        let part = t - (rounded - ROUND);
        let power = FIT.iter().rev().fold(0.0, |sum, factor| sum * part + factor);
        f32::from_bits((rounded.to_bits() << 23).wrapping_add(power.to_bits()))
    }
}

pub mod knowledge {
    //! The replies, as likelihoods of layouts.
    //!
    //! The exact log likelihood of a layout is a sum of one table entry for each reply. To try all places
    //! of a field that way takes a lookup for each place and reply. So replies are also kept as if noise
    //! were normal, with the same mean and variance: then the log likelihood is a square of the values v
    //! of the cells, u·v − v·W·v/2, whose gradient u − W·v tells how good each place of a field is,
    //! however many replies there are. The sampler proposes by the square and accepts by the tables.

    use std::f64::consts::LN_2;

    use super::grid::{CellSet, Grid};
    use super::noise::Noise;

    /// What was asked and replied.
    pub struct Knowledge {
        /// The hidden grid.
        pub grid: Grid,
        /// Its noise.
        pub noise: Noise,
        /// Answers that were refused.
        pub refused: Vec<CellSet>,
        /// W, a row for each cell.
        pub square: Vec<f32>,
        /// u.
        pub slope: Vec<f32>,
        /// e·W·e/2 for the cells e of each field in each place.
        pub own: Vec<Vec<f32>>,
        /// How many asked cells each field covers in each place: `[field][place * limit + question]`.
        cover: Vec<Vec<u8>>,
        /// The most operations.
        pub limit: usize,
        /// For each question, the log likelihood of each sum, from `first[question]`.
        table: Vec<f32>,
        first: Vec<usize>,
        /// What the log likelihood of the hidden layout is expected to be.
        pub expected_log: f64,
    }

    impl Knowledge {
        /// Before the first question.
        pub fn new(grid: Grid) -> Self {
            let (area, limit) = (grid.area(), 2 * grid.area());
            let places = |width: usize| grid.fields.iter().map(move |field| field.places() * width);
            Self {
                noise: Noise::new(grid.eps, area),
                refused: Vec::new(),
                square: vec![0.0; area * area],
                slope: vec![0.0; area],
                own: places(1).map(|count| vec![0.0; count]).collect(),
                cover: places(limit).map(|count| vec![0; count]).collect(),
                limit,
                table: Vec::new(),
                first: Vec::new(),
                expected_log: 0.0,
                grid,
            }
        }

        /// The number of questions so far.
        pub fn questions(&self) -> usize {
            self.first.len()
        }

        /// Takes a reply in. Returns the sum that it estimates, and the weight of that.
        pub fn learn(&mut self, cells: &[usize], reply: usize) -> (f32, f32) {
            let (area, question) = (self.grid.area(), self.questions());
            let (sum, weight) = self.noise.estimate(cells.len(), reply);
            let mut asked = vec![0; area];
            for &cell in cells {
                asked[cell] = 1;
                self.slope[cell] += weight * sum;
                for &other in cells {
                    self.square[cell * area + other] += weight;
                }
            }
            let mut most = 0;
            for (index, field) in self.grid.fields.iter().enumerate() {
                let mut largest = 0;
                for place in 0..field.places() {
                    let shift = self.grid.shift(index, place);
                    let covered: u8 = field.cells.iter().map(|cell| asked[cell + shift]).sum();
                    self.cover[index][place * self.limit + question] = covered;
                    self.own[index][place] += 0.5 * weight * f32::from(covered).powi(2);
                    largest = largest.max(covered);
                }
                most += usize::from(largest);
            }
            self.first.push(self.table.len());
            let log = |sum| self.noise.log_likelihood(cells.len(), sum, reply) as f32;
            self.table.extend((0..=most).map(log));
            if cells.len() > 1 {
                let sum = sum.clamp(0.0, most as f32).round() as usize;
                self.expected_log -= f64::from(self.noise.channel(cells.len(), sum)[sum].bits) * LN_2;
            }
            (sum, weight)
        }

        /// For each question, how many of its cells a field covers in a place.
        pub fn cover(&self, field: usize, place: u16) -> &[u8] {
            &self.cover[field][usize::from(place) * self.limit..][..self.questions()]
        }

        /// The log likelihood of the reply to a question if the asked values have this sum.
        pub fn log_likelihood(&self, question: usize, sum: u16) -> f32 {
            self.table[self.first[question] + usize::from(sum)]
        }

        /// The sum of a question's cells in a layout.
        pub fn sum(&self, question: usize, layout: &[u16]) -> u16 {
            let of_field = |(field, &place)| u16::from(self.cover(field, place)[question]);
            layout.iter().enumerate().map(of_field).sum()
        }

        /// Whether a layout's answer was refused.
        pub fn is_refused(&self, layout: &[u16]) -> bool {
            !self.refused.is_empty() && self.refused.contains(&self.grid.oil(layout))
        }
    }
}

pub mod sampler {
    //! Layouts drawn from the posterior, where there are too many to list.
    //!
    //! A population of layouts is weighted by each reply, and drawn anew by these weights (a particle
    //! filter). Between replies each layout walks: one field or two are taken out and put back where the
    //! other fields leave them likely (Gibbs sampling), accepted so that the walk keeps the posterior
    //! (Metropolis and Hastings).
    //!
    //! The population is kept broader than the posterior, by powers of the likelihood below 1: a layout
    //! that is too sure of itself asks about its own details, and never learns that it is wrong.

    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;

    use super::Settings;
    use super::grid::Layout;
    use super::knowledge::Knowledge;
    use super::noise::exp;

    /// A layout that walks.
    #[derive(Clone)]
    struct Walker {
        layout: Layout,
        /// u − W·v.
        gradient: Vec<f32>,
        /// For each question, the sum of the asked values.
        sums: Vec<u16>,
        /// The log likelihood.
        log: f64,
    }

    /// The population.
    pub struct Sampler {
        walkers: Vec<Walker>,
        /// The logarithm of the weight of each.
        logs: Vec<f64>,
        /// The walker whose turn it is.
        next: usize,
        spare: Spare,
    }

    /// Memory that every step uses again.
    #[derive(Default)]
    struct Spare {
        gradients: [Vec<f32>; 2],
        scores: [Vec<f32>; 2],
        chances: Vec<f32>,
        sums: Vec<u16>,
        layout: Layout,
    }

    impl Sampler {
        /// Layouts from the prior.
        pub fn new(know: &Knowledge, count: usize, rng: &mut Pcg64Mcg) -> Self {
            Self {
                walkers: (0..count).map(|_| Walker::random(know, rng)).collect(),
                logs: vec![0.0; count],
                next: 0,
                spare: Spare::default(),
            }
        }

        /// Each layout with its weight.
        pub fn layouts(&self) -> impl Iterator<Item = (&Layout, f64)> {
            self.walkers.iter().map(|walker| &walker.layout).zip(self.weights())
        }

        fn weights(&self) -> Vec<f64> {
            let largest = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights = self.logs.iter().map(|log| (log - largest).exp()).collect_vec();
            let total: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / total).collect()
        }

        /// Weights the layouts by the last reply to these cells, which estimates this sum.
        pub fn learn(&mut self, know: &Knowledge, cells: &[usize], (sum, weight): (f32, f32), settings: &Settings) {
            let question = know.questions() - 1;
            for (walker, log) in self.walkers.iter_mut().zip(&mut self.logs) {
                let own = know.sum(question, &walker.layout);
                walker.sums.push(own);
                let pull = weight * (sum - f32::from(own));
                cells.iter().for_each(|&cell| walker.gradient[cell] += pull);
                let own = f64::from(know.log_likelihood(question, own));
                walker.log += own;
                *log += settings.trust * own;
            }
        }

        /// Takes the weight of all layouts whose answer was refused.
        pub fn learn_refusal(&mut self, know: &Knowledge) {
            for (walker, log) in self.walkers.iter().zip(&mut self.logs) {
                if know.is_refused(&walker.layout) {
                    *log -= 30.0;
                }
            }
        }

        /// Draws the population anew by its weights, if a few of them outweigh the rest.
        pub fn resample(&mut self, settings: &Settings, rng: &mut Pcg64Mcg) {
            let (weights, count) = (self.weights(), self.walkers.len());
            if weights.iter().map(|weight| weight * weight).sum::<f64>() * settings.few * count as f64 <= 1.0 {
                return;
            }
            let copies = systematic(&weights, count, rng);
            let mut free = (0..count).filter(|&index| copies[index] == 0).collect_vec();
            for index in 0..count {
                for _ in 1..copies[index] {
                    let place = free.pop().expect("as many are copied as are left out");
                    self.walkers[place] = self.walkers[index].clone();
                }
            }
            self.logs.fill(0.0);
        }

        /// How much worse the best layout fits than the hidden one should, in standard deviations. The
        /// hidden layout's log likelihood is expected to be minus the entropy of the noise.
        pub fn misfit(&self, know: &Knowledge) -> f64 {
            let best = self.walkers.iter().map(|walker| walker.log).fold(f64::NEG_INFINITY, f64::max);
            (know.expected_log - best) / (0.5 * know.questions() as f64 + 1.0).sqrt()
        }

        /// Lets the layouts walk, one after the other. Returns the work, about `budget`.
        pub fn walk(&mut self, know: &Knowledge, budget: f64, settings: &Settings, rng: &mut Pcg64Mcg) -> f64 {
            let mut work = 0.0;
            for _ in 0..20 * self.walkers.len() {
                if work >= budget {
                    break;
                }
                self.next = (self.next + 1) % self.walkers.len();
                let walker = &mut self.walkers[self.next];
                work += Step { know, walker, spare: &mut self.spare, rng, settings, heat: settings.heat }.sweep();
            }
            work
        }

        /// Anneals new layouts from nowhere. Each replaces one of the population, if it fits better or as
        /// Metropolis decides. Returns the work, about `budget`.
        pub fn renew(&mut self, know: &Knowledge, budget: f64, settings: &Settings, rng: &mut Pcg64Mcg) -> f64 {
            let mut work = 0.0;
            while work < budget {
                let mut walker = Walker::random(know, rng);
                for sweep in 0..settings.sweeps {
                    let left = 1.0 - sweep as f32 / (settings.sweeps - 1) as f32;
                    let heat = settings.heat * settings.coldest.powf(left);
                    work += Step { know, walker: &mut walker, spare: &mut self.spare, rng, settings, heat }.sweep();
                }
                let index = rng.random_range(0..self.walkers.len());
                let better = f64::from(settings.heat) * (walker.log - self.walkers[index].log);
                if rng.random::<f64>() < better.exp() {
                    self.walkers[index] = walker;
                }
            }
            work
        }
    }

    impl Walker {
        /// A layout from the prior: each place of a field is equally likely.
        fn random(know: &Knowledge, rng: &mut Pcg64Mcg) -> Self {
            let fields = know.grid.fields.iter();
            let layout: Layout = fields.map(|field| rng.random_range(0..field.places()) as u16).collect();
            let mut gradient = know.slope.clone();
            for cell in know.grid.covered(&layout) {
                let row = &know.square[cell * gradient.len()..][..gradient.len()];
                gradient.iter_mut().zip(row).for_each(|(own, weight)| *own -= weight);
            }
            let sums = (0..know.questions()).map(|question| know.sum(question, &layout)).collect_vec();
            let log = sums.iter().enumerate().map(|(question, &sum)| f64::from(know.log_likelihood(question, sum))).sum();
            Self { layout, gradient, sums, log }
        }
    }

    /// How often each is drawn if `count` are drawn by weights of sum 1, at equal distances.
    pub fn systematic(weights: &[f64], count: usize, rng: &mut Pcg64Mcg) -> Vec<usize> {
        let (start, mut sum, mut drawn) = (rng.random::<f64>(), 0.0, 0);
        let mut copies = weights.iter().map(|weight| {
            sum += weight * count as f64;
            let before = std::mem::replace(&mut drawn, ((sum - start).ceil().max(0.0) as usize).min(count));
            drawn - before
        }).collect_vec();
        let last = weights.iter().position_max_by(|a, b| a.total_cmp(b)).expect("some weight");
        copies[last] += count - drawn; // sums of rounded numbers can end below 1
        copies
    }

    /// One walker and what its steps need.
    struct Step<'a> {
        know: &'a Knowledge,
        walker: &'a mut Walker,
        spare: &'a mut Spare,
        rng: &'a mut Pcg64Mcg,
        settings: &'a Settings,
        heat: f32,
    }

    impl Step<'_> {
        /// As many moves as there are fields.
        fn sweep(&mut self) -> f64 {
            let fields = self.know.grid.fields.len();
            let mut work = 0.0;
            for _ in 0..fields {
                let field = self.rng.random_range(0..fields);
                work += match self.rng.random::<f64>() < self.settings.pairs && fields > 1 {
                    true => {
                        let further = self.rng.random_range(1..fields);
                        self.move_two(field, (field + further) % fields)
                    }
                    false => self.move_one(field),
                };
            }
            work
        }

        /// Puts one field where the others leave it likely.
        fn move_one(&mut self, field: usize) -> f64 {
            let heat = self.heat;
            let old = self.walker.layout[field];
            let [without, _] = &mut self.spare.gradients;
            add_field(self.know, without, &self.walker.gradient, field, old, 1.0);
            let [scores, _] = &mut self.spare.scores;
            score_places(self.know, field, without, scores);
            let new = draw(scores, heat, &mut self.spare.chances, self.rng);
            let by_square = heat * (scores[usize::from(new)] - scores[usize::from(old)]);
            let work = self.work(field, 1.0);
            if new != old && self.is_accepted(&[(field, new)], -by_square) {
                add_field(self.know, &mut self.walker.gradient, &self.spare.gradients[0], field, new, -1.0);
            }
            work
        }

        /// Takes two fields out and puts them back: they can change places.
        fn move_two(&mut self, a: usize, b: usize) -> f64 {
            let (heat, pair_heat) = (self.heat, self.settings.pair_heat);
            let know = self.know;
            let (old_a, old_b) = (self.walker.layout[a], self.walker.layout[b]);
            let work = self.work(a, 1.0) + self.work(b, 1.2);
            let Spare { gradients: [first, second], scores: [scores_a, scores_b], chances, .. } = &mut *self.spare;
            // The way back: b is drawn while a is in its old place.
            add_field(know, second, &self.walker.gradient, b, old_b, 1.0);
            score_places(know, b, second, scores_b);
            let back = ln_chance(scores_b, old_b, heat);
            // The way there: a is drawn without b, then b.
            add_field(know, first, second, a, old_a, 1.0);
            score_places(know, a, first, scores_a);
            let new_a = draw(scores_a, heat * pair_heat, chances, self.rng);
            if new_a == old_a {
                return work;
            }
            add_field(know, second, first, a, new_a, -1.0);
            score_places(know, b, second, scores_b);
            let new_b = draw(scores_b, heat, chances, self.rng);
            let chance_a = heat * pair_heat * (scores_a[usize::from(new_a)] - scores_a[usize::from(old_a)]);
            let there = ln_chance(scores_b, new_b, heat);
            if self.is_accepted(&[(a, new_a), (b, new_b)], back - there - chance_a) {
                add_field(know, &mut self.walker.gradient, &self.spare.gradients[1], b, new_b, -1.0);
            }
            work
        }

        /// About what it costs to score the places of a field.
        fn work(&self, field: usize, factor: f64) -> f64 {
            let field = &self.know.grid.fields[field];
            let additions = field.cells.len() * (self.know.grid.area() + field.places());
            factor * (additions as f64 / 5.0 + 2.5 * field.places() as f64 + self.walker.sums.len() as f64 + 100.0)
        }

        /// Moves fields to new places with the probability of Metropolis and Hastings. `proposed` is the
        /// logarithm of the chance to propose the way back over that to propose the way there.
        fn is_accepted(&mut self, moves: &[(usize, u16)], proposed: f32) -> bool {
            let Spare { sums, layout, .. } = &mut *self.spare;
            sums.clone_from(&self.walker.sums);
            layout.clone_from(&self.walker.layout);
            for &(field, new) in moves {
                let covers = self.know.cover(field, layout[field]).iter().zip(self.know.cover(field, new));
                sums.iter_mut().zip(covers).for_each(|(sum, (old, new))| *sum = *sum + u16::from(*new) - u16::from(*old));
                layout[field] = new;
            }
            let both = sums.iter().zip(&self.walker.sums).enumerate();
            let log = |(question, (new, old)): (usize, (&u16, &u16))| {
                self.know.log_likelihood(question, *new) - self.know.log_likelihood(question, *old)
            };
            let change = both.map(log).sum::<f32>();
            let chance = (self.heat * change + proposed).exp();
            let accepted = self.rng.random::<f32>() < chance && !self.know.is_refused(layout);
            if accepted {
                self.walker.log += f64::from(change);
                self.walker.sums.clone_from(sums);
                self.walker.layout.clone_from(layout);
            }
            accepted
        }
    }

    /// to = from + sign · W·e for the cells e of a field in a place.
    fn add_field(know: &Knowledge, to: &mut Vec<f32>, from: &[f32], field: usize, place: u16, sign: f32) {
        let (area, shift) = (from.len(), know.grid.shift(field, place.into()));
        to.clear();
        to.extend_from_slice(from);
        let row = |cell: usize| &know.square[(cell + shift) * area..][..area];
        let (pairs, rest) = know.grid.fields[field].cells.as_chunks::<2>();
        for &[one, two] in pairs {
            for ((to, one), two) in to.iter_mut().zip(row(one)).zip(row(two)) {
                *to += sign * (one + two);
            }
        }
        for &one in rest {
            to.iter_mut().zip(row(one)).for_each(|(to, one)| *to += sign * one);
        }
    }

    /// The log likelihood of each place of a field that is not in the layout of this gradient.
    fn score_places(know: &Knowledge, field: usize, gradient: &[f32], scores: &mut Vec<f32>) {
        let n = know.grid.n;
        scores.clear();
        scores.extend(know.own[field].iter().map(|own| -own));
        let field = &know.grid.fields[field];
        for cell in &field.cells {
            for (row, scores) in scores.chunks_exact_mut(field.columns).enumerate() {
                let values = &gradient[cell + row * n..][..field.columns];
                scores.iter_mut().zip(values).for_each(|(score, value)| *score += value);
            }
        }
    }

    /// Draws a place with a probability proportional to exp(heat · score).
    fn draw(scores: &[f32], heat: f32, chances: &mut Vec<f32>, rng: &mut Pcg64Mcg) -> u16 {
        const BLOCK: usize = 16;
        let largest = largest(scores);
        chances.clear();
        chances.extend(scores.iter().map(|score| exp(heat * (score - largest))));
        let mut left = rng.random::<f32>() * total(chances, |chance| chance);
        for (block, chances) in chances.chunks(BLOCK).enumerate() {
            let sum = total(chances, |chance| chance);
            if left < sum {
                for (index, chance) in chances.iter().enumerate() {
                    left -= chance;
                    if left < 0.0 {
                        return (block * BLOCK + index) as u16;
                    }
                }
            }
            left -= sum;
        }
        scores.iter().position(|&score| score == largest).unwrap_or(0) as u16 // rounding left a rest
    }

    /// The logarithm of the probability that `draw` draws this place.
    fn ln_chance(scores: &[f32], place: u16, heat: f32) -> f32 {
        let largest = largest(scores);
        let total = total(scores, |score| exp(heat * (score - largest)));
        heat * (scores[usize::from(place)] - largest) - total.ln()
    }

    /// The sum of a function of the values, in eight lanes that a compiler can do four at a time.
    fn total(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
        let (chunks, rest) = values.as_chunks::<8>();
        let mut lanes = [0.0; 8];
        for chunk in chunks {
            lanes.iter_mut().zip(chunk).for_each(|(lane, &value)| *lane += of(value));
        }
        lanes.iter().sum::<f32>() + rest.iter().map(|&value| of(value)).sum::<f32>()
    }

    fn largest(values: &[f32]) -> f32 {
        let (chunks, rest) = values.as_chunks::<8>();
        let mut lanes = [f32::MIN; 8];
        for chunk in chunks {
            lanes.iter_mut().zip(chunk).for_each(|(lane, &value)| *lane = if value > *lane { value } else { *lane });
        }
        lanes.iter().chain(rest).copied().fold(f32::MIN, f32::max)
    }
}

pub mod list {
    //! All layouts with their probabilities, where there are not too many.

    use itertools::Itertools;
    use rand_pcg::Pcg64Mcg;

    use super::bayes::{Hypothesis, Posterior};
    use super::grid::{Grid, Layout};
    use super::knowledge::Knowledge;
    use super::limits::{FORGET_BELOW, MAX_LISTED, POOL};
    use super::sampler::systematic;

    /// The list. A hypothesis is the number of a layout, whose digits are the places of the fields.
    pub struct List {
        posterior: Posterior,
    }

    impl List {
        /// All layouts, or `None` if there are too many.
        pub fn new(grid: &Grid) -> Option<Self> {
            let times = |count: usize, places: usize| count.checked_mul(places);
            let count = grid.fields.iter().map(|field| field.places()).try_fold(1, times)?;
            (count <= MAX_LISTED).then(|| Self { posterior: Posterior::uniform(count) })
        }

        /// Bayes' rule, with the reply to the last question.
        pub fn learn(&mut self, know: &Knowledge) {
            let question = know.questions() - 1;
            self.posterior.update_log(|hypothesis| {
                f64::from(know.log_likelihood(question, know.sum(question, &layout(&know.grid, hypothesis))))
            });
            self.posterior.forget_below(FORGET_BELOW);
        }

        /// Rules out what was refused.
        pub fn learn_refusal(&mut self, know: &Knowledge) {
            self.posterior.update(|hypothesis| f64::from(!know.is_refused(&layout(&know.grid, hypothesis))));
        }

        /// The layouts with their weights; some of them, drawn by their weights, if there are many.
        pub fn layouts(&self, grid: &Grid, rng: &mut Pcg64Mcg) -> Vec<(Layout, f64)> {
            let total = self.posterior.total();
            let weights = (0..self.posterior.support().len()).map(|index| self.posterior.weight(index) / total).collect_vec();
            let drawn = match weights.len() <= POOL {
                true => weights,
                false => systematic(&weights, POOL, rng).into_iter().map(|copies| copies as f64).collect(),
            };
            let all = self.posterior.support().iter().zip(drawn);
            all.filter(|(_, weight)| *weight > 0.0).map(|(&own, weight)| (layout(grid, own), weight)).collect()
        }
    }

    fn layout(grid: &Grid, hypothesis: Hypothesis) -> Layout {
        let mut rest = hypothesis as usize;
        let place = |field: &super::grid::Field| {
            let place = rest % field.places();
            rest /= field.places();
            place as u16
        };
        grid.fields.iter().map(place).collect()
    }
}

pub mod question {
    //! Which cells to ask about.

    use rand::Rng;
    use rand::seq::SliceRandom;
    use rand_pcg::Pcg64Mcg;

    use super::bayes::Posterior;
    use super::grid::{CellSet, Grid, Layout};
    use super::noise::{Noise, entropy_term};

    /// Some layouts that stand for the posterior.
    pub struct Pool {
        /// Different layouts.
        pub layouts: Vec<Layout>,
        /// The probability of each.
        pub posterior: Posterior,
        weights: Vec<f32>,
        /// The value of each cell in each layout: `[cell * layouts + layout]`.
        values: Vec<u8>,
        /// The largest sum of all cells.
        most: usize,
    }

    impl Pool {
        /// A pool of these layouts, at least one, with their weights. Equal ones are put together.
        pub fn new(grid: &Grid, mut weighted: Vec<(Layout, f64)>) -> Self {
            weighted.sort_by(|a, b| a.0.cmp(&b.0));
            weighted.dedup_by(|next, kept| {
                let equal = next.0 == kept.0;
                kept.1 += if equal { next.1 } else { 0.0 };
                equal
            });
            let count = weighted.len();
            let mut values = vec![0; grid.area() * count];
            for (index, (layout, _)) in weighted.iter().enumerate() {
                grid.covered(layout).for_each(|cell| values[cell * count + index] += 1);
            }
            let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
            let (layouts, weights): (_, Vec<_>) = weighted.into_iter().unzip();
            Self {
                layouts,
                weights: weights.iter().map(|weight| (weight / total) as f32).collect(),
                posterior: Posterior::from_prior(&weights),
                values,
                most: grid.fields.iter().map(|field| field.cells.len()).sum(),
            }
        }

        /// The most probable answer, and its probability.
        pub fn answer(&self, grid: &Grid) -> (CellSet, f64) {
            self.posterior.most_probable_answer(|index| grid.oil(&self.layouts[index as usize]))
        }

        /// For each cell, the probability that there is oil.
        pub fn oil_probabilities(&self) -> Vec<f64> {
            let probability = |values: &[u8]| {
                let both = values.iter().zip(&self.weights);
                both.map(|(&value, &weight)| if value > 0 { f64::from(weight) } else { 0.0 }).sum()
            };
            self.values.chunks(self.layouts.len()).map(probability).collect()
        }

        fn column(&self, cell: usize) -> &[u8] {
            &self.values[cell * self.layouts.len()..][..self.layouts.len()]
        }
    }

    /// A set of cells that is changed cell by cell.
    pub struct Climber<'a> {
        pool: &'a Pool,
        noise: &'a mut Noise,
        /// Whether cost counts.
        per_cost: bool,
        set: Vec<bool>,
        size: usize,
        /// The sum of the set in each layout of the pool.
        sums: Vec<u16>,
        /// The probability of each sum, between these two.
        by_sum: Vec<f32>,
        range: (usize, usize),
        by_reply: Vec<f32>,
        /// What it cost so far.
        pub work: f64,
    }

    impl<'a> Climber<'a> {
        /// The empty set.
        pub fn new(pool: &'a Pool, noise: &'a mut Noise, area: usize, per_cost: bool) -> Self {
            Self {
                set: vec![false; area],
                size: 0,
                sums: vec![0; pool.layouts.len()],
                by_sum: vec![0.0; pool.most + 1],
                range: (0, 0),
                by_reply: Vec::new(),
                work: 0.0,
                pool,
                noise,
                per_cost,
            }
        }

        /// The best set found by adding and removing single cells, and its value: from `start`, then from
        /// random sets while the work is below the budget.
        pub fn best(&mut self, start: Option<&[bool]>, budget: f64, rng: &mut Pcg64Mcg) -> (Vec<bool>, f64) {
            let mut best = (Vec::new(), f64::NEG_INFINITY);
            for attempt in 0..20 {
                if attempt > 0 && self.work >= budget {
                    break;
                }
                let random = || (0..self.set.len()).map(|_| rng.random()).collect();
                let start = start.filter(|_| attempt == 0).map_or_else(random, <[bool]>::to_vec);
                let value = self.climb(&start, budget, rng);
                if value > best.1 {
                    best = (self.set.clone(), value);
                }
            }
            best
        }

        /// Changes cells as long as that makes the set better. Returns its value.
        fn climb(&mut self, start: &[bool], budget: f64, rng: &mut Pcg64Mcg) -> f64 {
            for (cell, &wanted) in start.iter().enumerate() {
                if self.set[cell] != wanted {
                    self.toggle(cell);
                }
            }
            let mut order: Vec<usize> = (0..start.len()).collect();
            let (mut best, mut since) = (self.value(None), 0);
            loop {
                order.shuffle(rng);
                for &cell in &order {
                    let value = self.value(Some(cell));
                    since += 1;
                    if value > best * 1.000_01 {
                        (best, since) = (value, 0);
                        self.toggle(cell);
                    }
                    if since >= order.len() || self.work >= budget {
                        return f64::from(best);
                    }
                }
            }
        }

        /// Information for cost of a set.
        pub fn value_of(&mut self, cells: &[usize]) -> f64 {
            cells.iter().for_each(|&cell| self.toggle(cell));
            f64::from(self.value(None))
        }

        fn toggle(&mut self, cell: usize) {
            let sign = if self.set[cell] { u16::MAX } else { 1 };
            let column = self.pool.column(cell);
            self.sums.iter_mut().zip(column).for_each(|(sum, &value)| *sum = sum.wrapping_add(sign.wrapping_mul(value.into())));
            self.size = if self.set[cell] { self.size - 1 } else { self.size + 1 };
            self.set[cell] = !self.set[cell];
        }

        /// Information for cost of the set after a change of this cell.
        fn value(&mut self, change: Option<usize>) -> f32 {
            let size = match change {
                Some(cell) if self.set[cell] => self.size - 1,
                Some(_) => self.size + 1,
                None => self.size,
            };
            if size == 0 {
                return 0.0;
            }
            let (least, most) = self.range;
            self.by_sum[least..=most].fill(0.0);
            let both = self.sums.iter().zip(&self.pool.weights);
            let (mut least, mut most) = (u16::MAX, 0);
            let mut add = |sum: u16, weight: f32| {
                self.by_sum[usize::from(sum)] += weight;
                (least, most) = (least.min(sum), most.max(sum));
            };
            match change {
                None => both.for_each(|(&sum, &weight)| add(sum, weight)),
                Some(cell) => {
                    let sign = if self.set[cell] { u16::MAX } else { 1 };
                    let changed = |sum: u16, value: u8| sum.wrapping_add(sign.wrapping_mul(value.into()));
                    let all = both.zip(self.pool.column(cell));
                    all.for_each(|((&sum, &weight), &value)| add(changed(sum, value), weight));
                }
            }
            self.range = (least.into(), most.into());
            self.work += (2 * self.sums.len() + 800) as f64;
            let cost = if self.per_cost { (size as f32).sqrt() } else { 1.0 };
            self.information(size) * cost
        }

        /// I = H(reply) − H(reply | sum), from the probabilities of the sums: `noisy_information_bits` of
        /// the core for this game.
        fn information(&mut self, size: usize) -> f32 {
            let (least, most) = self.range;
            if size == 1 {
                return self.by_sum[least..=most].iter().map(|&p| entropy_term(p)).sum();
            }
            let channel = self.noise.channel(size, most);
            let first = channel[least].first;
            self.by_reply.clear();
            self.by_reply.resize(channel[most].first + channel[most].likelihood.len() - first, 0.0);
            let mut noise = 0.0;
            for (replies, &p) in channel[least..=most].iter().zip(&self.by_sum[least..=most]) {
                if p > 0.0 {
                    noise += p * replies.bits;
                    let sums = self.by_reply[replies.first - first..].iter_mut();
                    sums.zip(&replies.likelihood).for_each(|(sum, likelihood)| *sum += p * likelihood);
                }
            }
            let (chunks, rest) = self.by_reply.as_chunks::<8>();
            let mut lanes = [0.0; 8];
            for chunk in chunks {
                lanes.iter_mut().zip(chunk).for_each(|(lane, &p)| *lane += entropy_term(p));
            }
            lanes.iter().sum::<f32>() + rest.iter().map(|&p| entropy_term(p)).sum::<f32>() - noise
        }
    }
}

/// Which question is asked, for comparison. [`Policy::Rate`] is the one to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// The most information for its cost.
    Rate,
    /// The most information, whatever it costs.
    Information,
    /// The cell that is most probably oil, of those that were not drilled.
    MostProbable,
}

/// Numbers that were tuned, on cases 1000 to 1999.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which question is asked.
    pub policy: Policy,
    /// The work of a case.
    pub work: f64,
    /// The number of layouts that walk.
    pub walkers: usize,
    /// The population is drawn anew when its effective size is below this share.
    pub few: f64,
    /// The power of the likelihood in the weights of the population.
    pub trust: f64,
    /// The power of the likelihood in its steps.
    pub heat: f32,
    /// The share of steps that move two fields.
    pub pairs: f64,
    /// The power of the likelihood with which the first of two fields is placed.
    pub pair_heat: f32,
    /// The share of the work that chooses questions.
    pub asking: f64,
    /// The share of its work that a turn gets at the beginning, when little is known.
    pub early: f64,
    /// As many turns as now, times this, are expected to come at least.
    pub longer: f64,
    /// A population that fits worse than this, in standard deviations, gets new layouts,
    pub fit: f64,
    /// for so much more work for each standard deviation beyond.
    pub boost: f64,
    /// A new layout is annealed in so many sweeps,
    pub sweeps: usize,
    /// from this power of the likelihood.
    pub coldest: f32,
    /// An answer counts as this many times its value.
    pub courage: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: Policy::Rate,
            work: limits::WORK,
            walkers: 200,
            few: 0.7,
            trust: 0.5,
            heat: 0.8,
            pairs: 0.7,
            pair_heat: 0.7,
            asking: 0.4,
            early: 0.4,
            longer: 0.8,
            fit: 1.0,
            boost: 2.0,
            sweeps: 100,
            coldest: 0.05,
            courage: 1.0,
        }
    }
}

/// What to do next.
pub enum Move {
    /// Ask about these cells.
    Ask(Vec<usize>),
    /// Declare that the oil is in these cells.
    Answer(CellSet),
}

/// The posterior of the layouts.
enum Belief {
    Listed(List),
    Sampled(Sampler),
}

/// Plays one case. Knows neither judge nor clock.
pub struct Player {
    know: Knowledge,
    belief: Belief,
    settings: Settings,
    rng: Pcg64Mcg,
    /// Operations so far.
    turn: usize,
    work_left: f64,
    /// What this turn may cost.
    allowance: f64,
    /// The entropy of the prior, less the information of all questions.
    bits_left: f64,
    /// That of the last question.
    last_bits: f64,
    set: Option<Vec<bool>>,
    /// The value of each cell that was drilled.
    drilled: Vec<Option<usize>>,
    /// The layouts that this turn's move was chosen by.
    pub pool: Pool,
    /// The information for cost of the best question of this turn.
    pub value: f64,
}

impl Player {
    /// Before the first operation.
    pub fn new(grid: Grid, settings: Settings) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(0);
        let know = Knowledge::new(grid);
        let belief = match List::new(&know.grid) {
            Some(list) => Belief::Listed(list),
            None => Belief::Sampled(Sampler::new(&know, settings.walkers, &mut rng)),
        };
        let bits_left = know.grid.fields.iter().map(|field| (field.places() as f64).log2()).sum();
        let area = know.grid.area();
        let pool = Pool::new(&know.grid, vec![(vec![0; know.grid.fields.len()], 1.0)]);
        let (turn, work_left, value) = (0, settings.work, 0.0);
        Self {
            know, belief, settings, rng, turn, work_left, allowance: 0.0, bits_left, last_bits: 3.0,
            set: None, drilled: vec![None; area], pool, value,
        }
    }

    /// The grid that it plays on.
    pub fn grid(&self) -> &Grid {
        &self.know.grid
    }

    /// Chooses the next operation. `pace` is 1, or less if time is short: the share of work to do.
    pub fn choose(&mut self, pace: f64) -> Move {
        self.plan(pace);
        let layouts = match &self.belief {
            Belief::Listed(list) => list.layouts(&self.know.grid, &mut self.rng),
            Belief::Sampled(sampler) => sampler.layouts().map(|(layout, weight)| (layout.clone(), weight)).collect(),
        };
        self.pool = Pool::new(&self.know.grid, layouts);
        let cells = self.question();
        let (answer, right) = self.pool.answer(&self.know.grid);
        let right = right.min(1.0 - 1e-9);
        // To answer is a question, too: its reply says whether the answer is right, and that is all it
        // costs if it is.
        let worth = |next: &Move| match next {
            Move::Answer(_) => Worth { information_bits: self.settings.courage * yes_or_no_bits(right), right, cost: 1.0 - right },
            Move::Ask(_) => Worth { information_bits: self.value, right: 0.0, cost: 1.0 },
        };
        let moves = [Move::Answer(answer), Move::Ask(cells)];
        let (best, _) = best_question(moves, worth, 0.0).expect("there are two");
        // If all else fails, every cell is drilled.
        let open = self.drilled.iter().filter(|value| value.is_none()).count();
        let left = self.know.limit - self.turn;
        match best {
            _ if left > open + 1 => best,
            Move::Answer(_) if right > 0.8 && left > 1 => best,
            _ if open > 0 && left > 1 => Move::Ask(vec![self.most_uncertain()]),
            _ => Move::Answer(self.drilled_oil()),
        }
    }

    /// The cells where oil was drilled, or is more probable than not.
    fn drilled_oil(&self) -> CellSet {
        let mut oil = CellSet::default();
        let both = self.drilled.iter().zip(self.pool.oil_probabilities()).enumerate();
        let wet = both.filter(|(_, (drilled, probability))| drilled.map_or(*probability > 0.5, |value| value > 0));
        wet.for_each(|(cell, _)| oil[cell / 64] |= 1 << (cell % 64));
        oil
    }

    /// Sets what this turn may cost.
    fn plan(&mut self, pace: f64) {
        let bits: f64 = self.know.grid.fields.iter().map(|field| (field.places() as f64).log2()).sum();
        let by_bits = self.bits_left.max(0.0) / self.last_bits * 1.3 + 3.0;
        let turns = by_bits.max(self.settings.longer * self.turn as f64).min((self.know.limit - self.turn) as f64);
        let progress = ((1.0 - self.bits_left / bits) / 1.2).clamp(0.0, 1.0);
        let share = self.settings.early + (1.0 - self.settings.early) * progress;
        self.allowance = pace * share * self.work_left.max(0.0) / turns;
    }

    /// The best question, whose value is kept.
    fn question(&mut self) -> Vec<usize> {
        if self.settings.policy == Policy::MostProbable {
            let cell = self.most_probable();
            self.value = self.value_of(&[cell]).max(0.0);
            return vec![cell];
        }
        let per_cost = self.settings.policy == Policy::Rate;
        let budget = self.settings.asking * self.allowance;
        let mut climber = Climber::new(&self.pool, &mut self.know.noise, self.know.grid.area(), per_cost);
        let (set, value) = climber.best(self.set.as_deref(), budget, &mut self.rng);
        self.work_left -= climber.work;
        let cells: Vec<usize> = (0..set.len()).filter(|&cell| set[cell]).collect();
        self.set = Some(set);
        // Whatever the policy, an answer is weighed against the question by information for cost.
        self.value = if per_cost { value } else { self.value_of(&cells) }.max(0.0);
        if cells.is_empty() { vec![self.most_uncertain()] } else { cells }
    }

    /// The information for cost of any question, at this turn.
    pub fn value_of(&mut self, cells: &[usize]) -> f64 {
        let area = self.know.grid.area();
        Climber::new(&self.pool, &mut self.know.noise, area, true).value_of(cells)
    }

    fn most_probable(&self) -> usize {
        let oil = self.pool.oil_probabilities();
        let open = (0..oil.len()).filter(|&cell| self.drilled[cell].is_none());
        open.max_by(|&a, &b| oil[a].total_cmp(&oil[b]).then(b.cmp(&a))).unwrap_or(0)
    }

    fn most_uncertain(&self) -> usize {
        let oil = self.pool.oil_probabilities();
        let doubt = |cell: usize| (oil[cell] - 0.5).abs();
        let open = (0..oil.len()).filter(|&cell| self.drilled[cell].is_none());
        open.min_by(|&a, &b| doubt(a).total_cmp(&doubt(b))).unwrap_or(0)
    }

    /// Learns the reply to a question.
    pub fn learn(&mut self, cells: &[usize], reply: usize) {
        self.turn += 1;
        if let &[cell] = cells {
            self.drilled[cell] = Some(reply);
        }
        self.last_bits = (self.value / (cells.len() as f64).sqrt()).max(0.3);
        self.bits_left -= self.last_bits;
        let estimate = self.know.learn(cells, reply);
        match &mut self.belief {
            Belief::Listed(list) => list.learn(&self.know),
            Belief::Sampled(sampler) => sampler.learn(&self.know, cells, estimate, &self.settings),
        }
        self.walk();
    }

    /// Learns that an answer was wrong.
    pub fn learn_refusal(&mut self, answer: CellSet) {
        self.turn += 1;
        self.know.refused.push(answer);
        match &mut self.belief {
            Belief::Listed(list) => list.learn_refusal(&self.know),
            Belief::Sampled(sampler) => sampler.learn_refusal(&self.know),
        }
        self.walk();
    }

    fn walk(&mut self) {
        if let Belief::Sampled(sampler) = &mut self.belief {
            sampler.resample(&self.settings, &mut self.rng);
            let misfit = (sampler.misfit(&self.know) - self.settings.fit).max(0.0);
            let budget = (1.0 - self.settings.asking) * self.allowance;
            if misfit > 0.0 {
                let more = (self.settings.boost * misfit * self.allowance).min(0.1 * self.work_left);
                self.work_left -= sampler.renew(&self.know, more, &self.settings, &mut self.rng);
            }
            self.work_left -= sampler.walk(&self.know, budget, &self.settings, &mut self.rng);
        }
    }
}

fn main() -> ExitCode {
    let started = Instant::now();
    match play(started) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("oil: {why}");
            ExitCode::from(2)
        }
    }
}

fn play(started: Instant) -> Result<(), String> {
    let (settings, trace, clock) = options(std::env::args().skip(1))?;
    let mut judge = Judge::on_stdin();
    let mut player = Player::new(Grid::read(&mut judge)?, settings);
    loop {
        let left = NO_WORK_AFTER.saturating_sub(if clock { started.elapsed() } else { Duration::ZERO });
        let pace = left.as_secs_f64() / (NO_WORK_AFTER - HURRY_AFTER).as_secs_f64();
        let next = player.choose(pace.min(1.0));
        let (kind, cells) = match &next {
            Move::Ask(cells) => ('q', cells.clone()),
            Move::Answer(answer) => ('a', cells_of(answer)),
        };
        if trace {
            let (_, right) = player.pool.answer(player.grid());
            if let Belief::Sampled(sampler) = &player.belief { eprint!("misfit {:.1} ", sampler.misfit(&player.know)); }
            eprint!("left {:.2} ", player.work_left / settings.work);
            eprintln!("{kind} {:3} cells; {:4} layouts, best answer {right:.3}, {:.2} bits for cost", cells.len(), player.pool.layouts.len(), player.value);
        }
        let n = player.grid().n;
        let words = cells.iter().map(|cell| format!(" {} {}", cell / n, cell % n));
        judge.ask(&format!("{kind} {}{}", cells.len(), words.format("")))?;
        input_interactive! { from judge, reply: usize }
        match next {
            Move::Ask(_) => player.learn(&cells, reply),
            Move::Answer(_) if reply == 1 => return Ok(()),
            Move::Answer(answer) => player.learn_refusal(answer),
        }
    }
}

/// `--policy rate|information|most-probable`, `--trace`, and each number of [`Settings`] by its name.
fn options(mut words: impl Iterator<Item = String>) -> Result<(Settings, bool, bool), String> {
    let (mut settings, mut trace, mut clock) = (Settings::default(), false, true);
    while let Some(name) = words.next() {
        if name == "--trace" {
            trace = true;
            continue;
        }
        if name == "--no-clock" {
            clock = false;
            continue;
        }
        let word = words.next().ok_or(format!("expected a value after {name}"))?;
        if name == "--policy" {
            settings.policy = match &*word {
                "rate" => Policy::Rate,
                "information" => Policy::Information,
                "most-probable" => Policy::MostProbable,
                _ => return Err(format!("expected rate, information or most-probable, found {word:?}")),
            };
            continue;
        }
        let value: f64 = word.parse().map_err(|_| format!("expected a number after {name}, found {word:?}"))?;
        match &*name {
            "--work" => settings.work = value * limits::WORK,
            "--walkers" => settings.walkers = value as usize,
            "--few" => settings.few = value,
            "--trust" => settings.trust = value,
            "--heat" => settings.heat = value as f32,
            "--pairs" => settings.pairs = value,
            "--pair-heat" => settings.pair_heat = value as f32,
            "--asking" => settings.asking = value,
            "--early" => settings.early = value,
            "--longer" => settings.longer = value,
            "--fit" => settings.fit = value,
            "--boost" => settings.boost = value,
            "--sweeps" => settings.sweeps = value as usize,
            "--coldest" => settings.coldest = value as f32,
            "--courage" => settings.courage = value,
            _ => return Err(format!("expected an option of the first lines of this file, found {name:?}")),
        }
    }
    Ok((settings, trace, clock))
}
