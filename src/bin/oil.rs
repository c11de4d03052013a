//! Plays AtCoder Heuristic Contest 030, "Polyomino Mining", by Bayes' rule and mutual information.
//!
//! One file, to be pasted as it is. Fields are hidden in a grid; a noisy question asks how much oil is
//! in a set of cells, and costs 1 / √(number of cells). The cells with oil are to be named.
//!
//! ```text
//! bayes, judge  what every submission shares
//! Settings      all numbers that can be tuned: `--NAME VALUE` changes one
//! grid          what is hidden: the places of all fields (a *layout*)
//! noise         P(reply | sum of the asked values)
//! vector        arithmetic of many numbers at once
//! knowledge     the likelihood of a layout, after all replies
//! pairs         the best places of two fields together
//! sampler       layouts drawn from the posterior
//! question      the set of cells with the most information for its cost
//! Player        a turn: choose a question or an answer, learn its reply
//! ```
//!
//! docs/solver.md goes through it, and says how it plays.

// judge: ahc030
use itertools::Itertools;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Instant;

use grid::{CellSet, Grid, cells_of, set_of};
use question::{Climber, Pool};
pub use settings::Settings;
use {bayes::yes_or_no_bits, judge::Judge, knowledge::Knowledge, sampler::Sampler};

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
    /// Values closer than this share are equal: sums in another order differ in their last digits.
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
        /// P(S) ∝ `weights[S]`: any prior (article 002). Panics unless they are finite and ≥ 0.
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
        /// The same with ln P(R|S), for P(R|S) too small for a number. Only −∞ rules S out, and for good.
        pub fn update_log(&mut self, mut log_likelihood: impl FnMut(Hypothesis) -> f64) {
            let before = self.logs.iter().copied().chain(iter::repeat(0.0));
            let joint = self.support.iter().zip(before).map(|(&s, log)| (s, log + log_likelihood(s)));
            let (support, logs): (_, Vec<_>) = joint.filter(|s| s.1 != f64::NEG_INFINITY).unzip();
            let uniform = self.is_uniform() && logs.iter().all(|log| log - logs[0] == 0.0); // finite too
            self.support = support;
            self.set_logs(if uniform { vec![] } else { logs });
        }
        /// Rules out S where P(S) < exp(`log`) · max P(S), if a list is too long.
        pub fn forget_below(&mut self, log: f64) {
            let mut before = self.logs.clone().into_iter();
            self.update(|_| f64::from(before.next().is_none_or(|own| own >= log)));
        }
        fn set_logs(&mut self, mut logs: Vec<f64>) {
            assert!(logs.iter().all(|l| l.is_finite()), "expected finite weights or likelihoods >= 0");
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            logs.iter_mut().for_each(|log| *log -= largest);
            (self.weights, self.logs) = (logs.iter().map(|log| log.exp()).collect(), logs);
        }

        /// Whether all weights are equal, and always were.
        pub fn is_uniform(&self) -> bool { self.logs.is_empty() }
        /// The candidates, in ascending order.
        pub fn support(&self) -> &[Hypothesis] { &self.support }
        /// Each candidate and its P(S), in ascending order.
        pub fn probabilities(&self) -> impl Iterator<Item = (Hypothesis, f64)> + '_ {
            let total = self.total();
            self.support.iter().enumerate().map(move |(i, &s)| (s, self.weight(i) / total))
        }
        /// The weight of the candidate at an index of the support, which is not its number.
        pub fn weight(&self, i: usize) -> f64 { if self.is_uniform() { 1.0 } else { self.weights[i] } }
        /// The sum of all weights.
        pub fn total(&self) -> f64 {
            if self.is_uniform() { self.support.len() as f64 } else { self.weights.iter().sum() }
        }
        /// P(S) of one hypothesis. Cost: adds up all weights, unless they are equal; see `probabilities`.
        pub fn probability(&self, hypothesis: Hypothesis) -> f64 {
            self.support.binary_search(&hypothesis).map_or(0.0, |i| self.weight(i) / self.total())
        }
        /// H(S) = −Σ P(S) · log2 P(S), what is left to learn: `calc_entropy` in article 000.
        pub fn entropy_bits(&self) -> f64 { entropy_bits(self.probabilities().map(|(_, p)| p)) }
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
            let mut distribution = BTreeMap::new();
            self.probabilities().for_each(|(s, p)| *distribution.entry(value(s)).or_insert(0.0) += p);
            distribution
        }
        /// I = H(R) if S decides the reply: `mutual_info` in article 000, the entropy of 001 and 004.
        pub fn information_bits<R: Ord>(&self, reply: impl Fn(Hypothesis) -> R) -> f64 {
            entropy_bits(self.distribution(reply).into_values())
        }
    }

    /// I = H(R) − H(R|S) = H(Σ P(C) · P(R|C)) − Σ P(C) · H(R|C) for a noisy reply (article 002; AHC030).
    /// A class C, all S of one P(R|S), gives P(C), P(R|C) and H(R|C). All P(R|C) begin at the same R.
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
    /// Whether `a` is greater than `b` by more than rounding; NaN is the least.
    pub fn is_more(a: f64, b: f64) -> bool { a > b + EQUAL * b.abs().min(f64::MAX) || b.is_nan() }
    fn first_best<T>(values: impl IntoIterator<Item = (T, f64)>) -> Option<(T, f64)> {
        values.into_iter().reduce(|best, next| if is_more(next.1, best.1) { next } else { best })
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
        /// Whether `-1` is a reply like any other. If not, the judge refuses a question with it.
        pub has_negative_replies: bool,
    }

    impl Judge {
        /// The judge before its first line. Only one can read standard input.
        pub fn on_stdin() -> Self {
            Self {
                line: OnceSource::new(Cursor::default()),
                first: None,
                has_negative_replies: false,
            }
        }

        /// Prints a line without a reply, as the last one is in some games.
        ///
        /// # Errors
        /// If it cannot be printed.
        pub fn tell(&mut self, line: &str) -> Result<(), String> {
            // Standard output is flushed at the end of a line, on a pipe as well. With a buffered
            // writer or `#[fastout]`, judge and solver would wait for each other. In one piece: a long
            // line that is formatted into it takes two writes.
            let whole = format!("{line}\n");
            stdout()
                .write_all(whole.as_bytes())
                .map_err(|why| format!("failed to print {line:?}: {why}"))
        }

        /// Prints a question and waits for the reply.
        ///
        /// # Errors
        /// If there is no reply, or the judge refused the question with `-1`.
        pub fn ask(&mut self, question: &str) -> Result<(), String> {
            self.tell(question)?;
            match self.next_word("a reply")? {
                word if word == "-1" && !self.has_negative_replies => {
                    Err(format!("the judge refused {question:?}"))
                }
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
// Shared modules, as scripts/new-solver copied them (checksums): bayes 266189504 judge 310874358

#[rustfmt::skip]
mod settings {
    /// Declares the settings: name, value, what it is.
    macro_rules! settings {
        ($($name:ident = $value:expr, $about:literal;)+) => {
            /// Numbers that were tuned on cases of seeds 1000 to 1999, and a time in seconds.
            #[derive(Clone, Copy, Debug)]
            pub struct Settings { $(#[doc = $about] pub $name: f64,)+ }
            impl Default for Settings { fn default() -> Self { Self { $($name: $value,)+ } } }
            impl Settings {
                /// Changes a setting by its name. An error if there is none.
                pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
                    match name {
                        $(stringify!($name) => self.$name = value,)+
                        _ => return Err(format!("no setting {name:?}")),
                    }
                    Ok(())
                }
            }
        };
    }
    settings! {
        policy = 0.0, "0: most information for its cost. To compare, 1: most information, 2: drill the likeliest cell.";
        work = 9e9, "The work of a case, in units of some 0.3 ns: counted, so that a slow machine plays alike,";
        end = 2.5, "or less: as much as can be done until this time, at the speed so far.";
        asking = 0.2, "The share of the work that chooses questions; the rest moves layouts.";
        early = 0.2, "The share of its work that a turn gets at first, when little is known.";
        walkers = 300.0, "The number of layouts in the sampler's population.";
        trust = 0.5, "The power of the likelihood in its weights.";
        heat = 0.8, "The power of the likelihood in its moves.";
        drill = 6.0, "The weight of a drilled value. Were it all but certain, few layouts would survive a drill.";
        sharp = 5.0, "With up to this many fields: powers 1, `early` 0.7, 1,000 layouts, the weight 60, `warm` 0.";
        reserve = 0.25, "Operations kept back for drills, as a share of the cells;";
        hurry = 0.15, "or for all cells, if no more than this share of the work can still be done.";
        pairs = 0.4, "The share of moves that move two fields.";
        flee = 0.3, "The share of that power with which a layout moves that is known to be wrong.";
        loose = 0.7, "The power of that power with which the first of two fields is placed.";
        fresh = 0.1, "The share of the moves that anneals a new layout,";
        renew = 0.8, "or this share if the best layout fits worse than";
        fit = 1.5, "this, in standard deviations.";
        sweeps = 500.0, "A layout is annealed in this many sweeps,";
        brief = 200.0, "or in this many if the noise is no more than";
        calm = 0.04, "this.";
        warm = 20.0, "Then two fields at a time are put better, and this many sweeps follow. 0: neither, as";
        crowd = 15.0, "with more fields than this: that would take too long.";
        lost = 2.0, "If the best layout fits worse than this, random cells are asked about,";
        sure = 0.8, "and an answer needs this probability.";
        courage = 1.5, "An answer counts as this many times its information.";
    }
}
#[rustfmt::skip]
pub mod grid {
    //! What is hidden: the place of each field. A cell is a number: row · N + column.
    use super::judge::Judge;

    /// The place of each field: the cell that the corner of its rectangle is in.
    pub type Layout = Vec<u16>;
    /// A bit for each cell: 20² = 400 at most.
    pub type CellSet = [u64; 7];
    /// A field: its cells if it is in the corner of the grid, and the places that it can be in, in order.
    pub struct Field { pub cells: Vec<usize>, pub places: Vec<u16> }
    /// The contestant's input: N rows and columns, the noise, the fields.
    pub struct Grid { pub n: usize, pub eps: f64, pub fields: Vec<Field> }

    impl Grid {
        /// Reads the opening. An error if it is not that of the contest.
        pub fn read(judge: &mut Judge) -> Result<Self, String> {
            input_interactive! { from judge, n: usize, fields: usize, eps: f64 }
            let mut grid = Self { n, eps, fields: vec![] };
            for _ in 0..fields {
                input_interactive! { from judge, size: usize }
                let mut cells = || -> Result<_, String> {
                    input_interactive! { from judge, row: usize, column: usize }
                    Ok((row, column))
                };
                grid.add_field(&(0..size).map(|_| cells()).collect::<Result<Vec<_>, _>>()?)?;
            }
            Ok(grid)
        }
        /// Adds a field with these cells, the least row and column being 0. An error if it does not fit.
        pub fn add_field(&mut self, cells: &[(usize, usize)]) -> Result<(), String> {
            let n = self.n;
            let (row, column) = cells.iter().fold((0, 0), |most, cell| (most.0.max(cell.0), most.1.max(cell.1)));
            if row.max(column) >= n { return Err(format!("expected cells of a grid of {n} rows, found {cells:?}")) }
            let cells = cells.iter().map(|(row, column)| row * n + column).collect();
            let places = (0..n - row).flat_map(|row| (0..n - column).map(move |column| (row * n + column) as u16));
            self.fields.push(Field { cells, places: places.collect() });
            Ok(())
        }
        /// The number of cells.
        pub fn area(&self) -> usize { self.n * self.n }
        /// log2 of the number of layouts: the entropy of the prior.
        pub fn bits(&self) -> f64 { self.fields.iter().map(|field| (field.places.len() as f64).log2()).sum() }
        /// The cells of all fields; a cell is repeated if several fields cover it.
        pub fn covered<'a>(&'a self, layout: &'a [u16]) -> impl Iterator<Item = usize> + 'a {
            let both = layout.iter().zip(&self.fields);
            both.flat_map(|(&place, field)| field.cells.iter().map(move |cell| cell + usize::from(place)))
        }
        /// The cells with oil: the answer.
        pub fn oil(&self, layout: &[u16]) -> CellSet { set_of(self.covered(layout)) }
    }
    /// The set of these cells.
    pub fn set_of(cells: impl Iterator<Item = usize>) -> CellSet {
        let mut set = CellSet::default();
        cells.for_each(|cell| insert(&mut set, cell));
        set
    }
    /// Puts a cell into a set.
    pub fn insert(set: &mut CellSet, cell: usize) { set[cell / 64] |= 1 << (cell % 64) }
    /// The cells of a set, in ascending order.
    pub fn cells_of(set: &CellSet) -> Vec<usize> {
        (0..64 * set.len()).filter(|&cell| is_in(set, cell)).collect()
    }
    /// Whether a cell is in a set.
    pub fn is_in(set: &CellSet, cell: usize) -> bool { set[cell / 64] >> (cell % 64) & 1 == 1 }
}
#[rustfmt::skip]
pub mod noise {
    //! How replies are distributed: a normal deviate, rounded, and not below 0.
    use super::vector::{entropy_term, total};

    /// The noise of a case, with P(reply | sum) for each size of a question that was considered.
    pub struct Noise { eps: f64, pub drill: f32, channels: Vec<Vec<Replies>> }
    /// P(reply | sum) for the replies from `first` on, and their entropy. Rarer ones are left out.
    pub struct Replies { pub first: usize, pub likelihood: Vec<f32>, pub bits: f32 }

    impl Noise {
        /// The noise for questions of up to `area` cells.
        pub fn new(eps: f64, area: usize) -> Self {
            Self { eps, drill: 60.0, channels: (0..=area).map(|_| vec![]).collect() }
        }
        /// Mean and standard deviation, before the reply is rounded.
        fn normal(&self, cells: usize, sum: usize) -> (f64, f64) {
            let (k, s, eps) = (cells as f64, sum as f64, self.eps);
            ((k - s) * eps + s * (1.0 - eps), (k * eps * (1.0 - eps)).sqrt())
        }
        /// The sum that a reply estimates, without bias, and the weight of that: one over its variance, to
        /// which rounding adds 1/12. One cell is drilled, and has the weight `drill`.
        pub fn estimate(&self, cells: usize, reply: usize) -> (f32, f32) {
            if cells == 1 { return (reply as f32, self.drill) }
            let ((shift, deviation), slope) = (self.normal(cells, 0), 1.0 - 2.0 * self.eps);
            let weight = slope * slope / (deviation * deviation + 1.0 / 12.0);
            (((reply as f64 - shift) / slope) as f32, weight as f32)
        }
        /// The replies to a question of at least 2 cells, for each sum up to `most`.
        pub fn channel(&mut self, cells: usize, most: usize) -> &[Replies] {
            for sum in self.channels[cells].len()..=most {
                let (mean, deviation) = self.normal(cells, sum);
                let first = (mean - 4.0 * deviation - 0.5).max(0.0) as usize;
                let last = (mean + 4.0 * deviation + 0.5).ceil() as usize;
                let more = |reply| if reply == first { 1.0 } else { tail((reply as f64 - 0.5 - mean) / deviation) };
                let each = (first..last).map(|reply| (more(reply) - more(reply + 1)) as f32);
                let mut likelihood = each.collect::<Vec<_>>();
                likelihood.push(more(last) as f32);
                let bits = total(&likelihood, entropy_term);
                self.channels[cells].push(Replies { first, likelihood, bits });
            }
            &self.channels[cells]
        }
    }

    /// P(standard normal deviate > z), to 7.5e-8 (Abramowitz and Stegun, 26.2.17).
    fn tail(z: f64) -> f64 {
        const FIT: [f64; 6] = [0.0, 0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
        if z < 0.0 { return 1.0 - tail(-z) }
        let t = 1.0 / (1.0 + 0.231_641_9 * z);
        (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() * FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor)
    }
}
#[rustfmt::skip]
pub mod vector {
    //! Functions of many numbers, written so that a compiler does several at a time.

    /// Long rows are added up in blocks of this many numbers.
    pub const BLOCK: usize = 32;

    /// −p · log2 p, to 1e-6 (log2 by interpolation at the Chebyshev nodes).
    pub fn entropy_term(p: f32) -> f32 {
        const FIT: [f32; 8] =
            [1.442_694_7, -0.721_306_8, 0.480_012_5, -0.353_096_4, 0.255_176_3, -0.154_152, 0.062_748_4, -0.012_077];
        let bits = p.max(1e-30).to_bits();
        let t = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000) - 1.0;
        let log = t * FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
        -p * ((bits >> 23) as i32 as f32 - 127.0 + log)
    }
    /// exp(x) for x ≤ 0, to 1e-5 of it.
    #[inline(always)]
    pub fn exp(x: f32) -> f32 {
        const FIT: [f32; 5] = [0.999_999_3, 0.693_121_8, 0.240_247_45, 0.055_917_86, 0.009_570_102];
        const ROUND: f32 = 12_582_912.0; // added to a number, it rounds it: 1.5 · 2^23
        let t = (x * std::f32::consts::LOG2_E).max(-126.0);
        let rounded = t + ROUND;
        let part = t - (rounded - ROUND);
        let power = FIT.iter().rev().fold(0.0, |sum, factor| sum * part + factor);
        f32::from_bits((rounded.to_bits() << 23).wrapping_add(power.to_bits()))
    }
    /// The sum of a function of the values.
    #[inline(always)]
    pub fn total(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
        join(lanes(values, 0.0, |sum, value| sum + of(value)), |a, b| a + b)
    }
    /// The values eight by eight: lane i has those of i, i + 8, … in one.
    #[inline(always)]
    pub fn lanes(values: &[f32], start: f32, with: impl Fn(f32, f32) -> f32) -> [f32; 8] {
        let (mut lanes, (chunks, rest)) = ([start; 8], values.as_chunks::<8>());
        for chunk in chunks { lanes = std::array::from_fn(|lane| with(lanes[lane], chunk[lane])) }
        lanes.iter_mut().zip(rest).for_each(|(lane, &value)| *lane = with(*lane, value));
        lanes
    }
    /// Eight values in one.
    #[inline(always)]
    pub fn join([a, b, c, d, e, f, g, h]: [f32; 8], with: impl Fn(f32, f32) -> f32) -> f32 {
        with(with(with(a, e), with(c, g)), with(with(b, f), with(d, h)))
    }
    /// to += factor · from.
    #[inline(always)]
    pub fn add(to: &mut [f32], factor: f32, from: &[f32]) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
    }
    /// to += the rows of these cells. All are as long as `to`, which is of whole blocks: they stay in registers.
    #[inline(always)]
    pub fn add_rows<'a>(to: &mut [f32], cells: &[usize], row: impl Fn(usize) -> &'a [f32]) {
        for (index, to) in to.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let mut sum = *to;
            for &cell in cells {
                let part: &[f32; BLOCK] = row(cell)[BLOCK * index..].first_chunk().expect("whole blocks");
                for lane in 0..BLOCK { sum[lane] += part[lane] }
            }
            *to = sum;
        }
    }
}
#[rustfmt::skip]
pub mod knowledge {
    //! The likelihood of a layout, as if the noise were normal: ln P = −Σ weight · (estimate − sum)² / 2.
    //!
    //! For the values v of the cells that is u·v − v·W·v/2 and a constant, however many replies there are. Its gradient
    //! u − W·v scores all places of a field.
    use super::{grid::{CellSet, Grid, insert, is_in}, noise::Noise, vector::{BLOCK, add}};

    /// A question: its weight, and how many of its cells each field covers in each place.
    pub struct Asked { pub weight: f32, pub covered: Vec<Vec<f32>> }
    /// What was asked and replied.
    pub struct Knowledge {
        pub grid: Grid, pub noise: Noise,
        pub refused: Vec<CellSet>, // answers that were wrong
        dry: CellSet, pub wet: CellSet, // cells that were drilled, without oil and with it
        pub history: Vec<Asked>, // all questions
        pub asked: Vec<f32>, pub last: (f32, f32), // last question: 1 for its cells; estimated sum, its weight
        pub square: Vec<f32>, pub width: usize, // W: a row of `width` numbers for each cell, whole blocks
        pub own: Vec<Vec<f32>>, // −e·W·e/2 for the cells e of each field in each place; −∞ where it cannot be
        slope: Vec<f32>, constant: f64, // u
    }

    impl Knowledge {
        /// Before the first question.
        pub fn new(grid: Grid) -> Self {
            let (area, noise) = (grid.area(), Noise::new(grid.eps, grid.area()));
            let own = grid.fields.iter().map(|field| {
                let last = usize::from(field.places[field.places.len() - 1]);
                let mut own = vec![f32::NEG_INFINITY; (last + 1).next_multiple_of(BLOCK)];
                field.places.iter().for_each(|&place| own[usize::from(place)] = 0.0);
                own
            }).collect();
            let width = area.next_multiple_of(BLOCK);
            let (asked, square, slope) = (vec![], vec![0.0; area * width], vec![0.0; width + BLOCK]);
            let (refused, history, last, [dry, wet]) = (vec![], vec![], (0.0, 0.0), Default::default());
            Self { grid, noise, refused, history, dry, wet, asked, last, square, width, own, slope, constant: 0.0 }
        }
        /// Takes a reply in.
        pub fn learn(&mut self, cells: &[usize], reply: usize) {
            if let &[cell] = cells { insert(if reply > 0 { &mut self.wet } else { &mut self.dry }, cell) }
            let (sum, weight) = self.noise.estimate(cells.len(), reply);
            let mut asked = vec![0.0; self.grid.area()];
            cells.iter().for_each(|&cell| asked[cell] = 1.0);
            add(&mut self.slope, weight * sum, &asked);
            cells.iter().for_each(|cell| add(&mut self.square[cell * self.width..], weight, &asked));
            let covered = self.grid.fields.iter().zip(&mut self.own).map(|(field, own)| {
                let mut covered = vec![0.0; own.len()];
                for place in field.places.iter().map(|&place| usize::from(place)) {
                    covered[place] = field.cells.iter().map(|cell| asked[cell + place]).sum::<f32>();
                    own[place] -= 0.5 * weight * covered[place] * covered[place];
                }
                covered
            }).collect();
            self.history.push(Asked { weight, covered });
            self.constant += f64::from(weight * sum * sum);
            (self.last, self.asked) = ((sum, weight), asked);
        }
        /// u − W·v of a layout, and a block of zeros.
        pub fn gradient(&self, layout: &[u16]) -> Vec<f32> {
            let mut gradient = self.slope.clone();
            let row = |cell| &self.square[cell * self.width..][..self.width];
            self.grid.covered(layout).for_each(|cell| add(&mut gradient, -1.0, row(cell)));
            gradient
        }
        /// ln P(replies | layout), whose gradient this is.
        pub fn log_of(&self, layout: &[u16], gradient: &[f32]) -> f64 {
            let both = self.grid.covered(layout).map(|cell| f64::from(self.slope[cell] + gradient[cell]));
            0.5 * (both.sum::<f64>() - self.constant)
        }
        /// About what that is of the hidden layout: each squared error is its variance on average.
        pub fn log_of_hidden(&self) -> f64 { -0.5 * self.history.len() as f64 }
        /// Whether there was oil in a cell that was drilled.
        pub fn drilled(&self, cell: usize) -> Option<bool> {
            let is_wet = is_in(&self.wet, cell);
            Some(is_wet).filter(|_| is_wet || is_in(&self.dry, cell))
        }
        /// Whether an answer was wrong, or a drill has shown that it is.
        pub fn is_refuted(&self, oil: &CellSet) -> bool {
            let is_other = |word: usize| (oil[word] & self.dry[word]) | (!oil[word] & self.wet[word]) != 0;
            (0..oil.len()).any(is_other) || self.refused.contains(oil)
        }
        /// Whether a layout's answer was wrong.
        pub fn is_refused(&self, layout: &[u16]) -> bool {
            !self.refused.is_empty() && self.refused.contains(&self.grid.oil(layout))
        }
    }
}

#[rustfmt::skip]
pub mod pairs {
    //! The best places of two fields together, where moves of one field at a time end: one may be in the other's place.
    //!
    //! The logarithm of the likelihood, with both fields out of a layout, gains a(p) with one of them in the place p, and
    //! b(q) with the other in q. With both it gains a(p) + b(q) − e·W·e', e and e' being their cells there.
    use super::{knowledge::Knowledge, vector::{add, join, lanes}};

    /// A field that was taken out of a layout: where it was, and what it adds to the logarithm in each place, at most `most`.
    pub struct Taken<'a> { pub field: usize, pub place: u16, pub logs: &'a [f32], pub most: f32 }
    /// e·W·e' of two fields: a row for each place of one, with each place of the other; and after how many questions.
    #[derive(Clone, Default)]
    struct Block { rows: Vec<f32>, questions: usize }
    /// That of each two fields, kept since it was first needed.
    pub struct Pairs { blocks: Vec<Block> }

    impl Pairs {
        /// For this number of fields, before the first question.
        pub fn new(fields: usize) -> Self { Self { blocks: vec![Block::default(); fields * fields] } }
        /// The likeliest places of both, if they are likelier there than where they were; and the work.
        #[inline(always)]
        pub fn best(&mut self, know: &Knowledge, [a, b]: [Taken<'_>; 2]) -> (Option<[u16; 2]>, f64) {
            let block = &mut self.blocks[a.field * know.grid.fields.len() + b.field];
            let (places, width) = (&know.grid.fields[a.field].places, b.logs.len());
            let mut work = 200.0 + block.update(know, a.field, b.field);
            let old = places.iter().position(|&place| place == a.place).expect("a place of the field");
            let both = block.rows[old * width + usize::from(b.place)];
            let mut best = a.logs[usize::from(a.place)] + b.logs[usize::from(b.place)] - both + 0.05;
            let mut found = None;
            for (row, &place) in block.rows.chunks_exact(width).zip(places) {
                let log = a.logs[usize::from(place)];
                if log + b.most <= best { continue } // no e·W·e' is negative
                work += width as f64 / 2.0;
                let mut most = [f32::MIN; 16];
                for (logs, row) in b.logs.as_chunks::<16>().0.iter().zip(row.as_chunks::<16>().0) {
                    let mut next = [0.0; 16]; // no closure, and no `f32::max`: these were slower
                    for lane in 0..16 { next[lane] = logs[lane] - row[lane] }
                    for lane in 0..16 { if most[lane] > next[lane] { next[lane] = most[lane] } }
                    most = next;
                }
                let mut is_better = false;
                for most in most { is_better |= log + most > best }
                if is_better {
                    let most = join(lanes(&most, f32::MIN, f32::max), f32::max);
                    best = log + most;
                    found = b.logs.iter().zip(row).position(|(log, both)| log - both == most).map(|to| [place, to as u16]);
                }
            }
            (found, work)
        }
    }
    impl Block {
        /// Takes in the questions since it was last needed. Returns the work.
        #[inline(always)]
        fn update(&mut self, know: &Knowledge, a: usize, b: usize) -> f64 {
            let (places, width, new) = (&know.grid.fields[a].places, know.own[b].len(), &know.history[self.questions..]);
            self.rows.resize(places.len() * width, 0.0);
            self.questions += new.len();
            if new.is_empty() { return 0.0 }
            for (row, &place) in self.rows.chunks_exact_mut(width).zip(places) {
                for asked in new {
                    let factor = asked.weight * asked.covered[a][usize::from(place)];
                    if factor > 0.0 { add(row, factor, &asked.covered[b]) }
                }
            }
            (self.rows.len() * new.len()) as f64 / 5.0
        }
    }
}

#[rustfmt::skip]
pub mod sampler {
    //! Layouts drawn from the posterior. A population is drawn anew by the likelihood of a reply (a particle filter).
    //! Then its layouts walk: fields are taken out and put where the others leave them likely (Gibbs).
    //! Beside them, new layouts are annealed, until no two fields have better places together. Layouts that fit badly take
    //! over the fields that these have found.
    //!
    //! With many fields, powers of the likelihood below 1 keep the population broader than the posterior: layouts that
    //! are too sure of themselves ask about their own details, and do not learn that they are wrong.
    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use super::{bayes::Posterior, grid::{Field, Layout}, knowledge::Knowledge, pairs::{Pairs, Taken}, Settings};
    use super::vector::{BLOCK, add, add_rows, exp, join, lanes, total};

    /// A layout is far likelier if the power of its likelihood has a logarithm that is greater by this.
    const FAR: f64 = 15.0;

    /// A layout that walks, with u − W·v.
    #[derive(Clone)]
    pub struct Walker { pub layout: Layout, pub gradient: Vec<f32> }
    /// What every move needs, memory that it uses again, and the work so far.
    struct Moves {
        settings: Settings, rng: Pcg64Mcg, table: Table, pairs: Pairs,
        gradients: [Vec<f32>; 3], chances: [Chances; 3], work: f64,
    }
    /// The population, and a layout that is annealed: its sweeps so far, and the power of the likelihood it began with.
    pub struct Sampler { pub walkers: Vec<Walker>, next: usize, fresh: Walker, sweep: f64, start: f64, moves: Moves }

    impl Sampler {
        /// Layouts from the prior.
        pub fn new(know: &Knowledge, settings: Settings, rng: Pcg64Mcg) -> Self {
            let (pairs, (gradients, chances)) = (Pairs::new(know.grid.fields.len()), Default::default());
            let mut moves = Moves { settings, rng, table: Table::new(know), pairs, gradients, chances, work: 0.0 };
            let walkers = (0..settings.walkers as usize).map(|_| moves.random(know)).collect_vec();
            Self { fresh: walkers[0].clone(), walkers, next: 0, sweep: 0.0, start: 1.0, moves }
        }
        /// The population.
        pub fn layouts(&self) -> impl Iterator<Item = &Layout> { self.walkers.iter().map(|walker| &walker.layout) }
        /// Takes in the last reply.
        pub fn learn(&mut self, know: &Knowledge) {
            let (sum, weight) = know.last;
            let mut logs = self.walkers.iter_mut().chain([&mut self.fresh]).map(|walker| {
                let error = sum - know.grid.covered(&walker.layout).map(|cell| know.asked[cell]).sum::<f32>();
                add(&mut walker.gradient, weight * error, &know.asked);
                -0.5 * self.moves.settings.trust * f64::from(weight * error * error)
            }).collect_vec();
            logs.truncate(self.walkers.len()); // not that of the annealed one
            self.draw_anew(logs);
        }
        /// Takes the layouts out whose answer was refused, unless there is no other.
        pub fn learn_refusal(&mut self, know: &Knowledge) {
            let log = |walker: &Walker| if know.is_refused(&walker.layout) { -30.0 } else { 0.0 };
            self.draw_anew(self.walkers.iter().map(log).collect());
        }
        /// Draws the population anew at equal distances, by the logarithms of its weights. `Posterior::sample` would go
        /// through all weights for each.
        fn draw_anew(&mut self, logs: Vec<f64>) {
            let (weights, count) = (Posterior::from_log_prior(logs), self.walkers.len());
            let step = weights.total() / count as f64;
            let (mut next, mut drawn) = (step * self.moves.rng.random::<f64>(), Vec::with_capacity(count + 1));
            for (index, &walker) in weights.support().iter().enumerate() {
                while next < weights.weight(index) { drawn.push(self.walkers[walker as usize].clone()); next += step }
                next -= weights.weight(index);
            }
            drawn.resize(count, drawn[0].clone()); // rounding can make one too many, or too few
            self.walkers = drawn;
        }
        /// How much worse the best layout fits than the hidden one should, in standard deviations.
        pub fn misfit(&self, know: &Knowledge) -> f64 {
            let hidden = know.log_of_hidden();
            let logs = self.walkers.iter().map(|walker| know.log_of(&walker.layout, &walker.gradient));
            (hidden - logs.fold(f64::NEG_INFINITY, f64::max)) / (1.0 - hidden).sqrt()
        }
        /// Lets the layouts walk, one after the other, and anneals a new one in this share of the moves. Returns the
        /// work, about `budget`.
        pub fn walk(&mut self, know: &Knowledge, budget: f64, share: f64) -> f64 {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // Compiled once more, for eight values at a time instead of four.
                #[target_feature(enable = "avx2,fma")]
                fn wide(sampler: &mut Sampler, know: &Knowledge, budget: f64, share: f64) -> f64 {
                    sampler.walk_here(know, budget, share)
                }
                // SAFETY: the processor has what it was compiled for.
                return unsafe { wide(self, know, budget, share) };
            }
            self.walk_here(know, budget, share)
        }
        #[inline(always)]
        fn walk_here(&mut self, know: &Knowledge, budget: f64, share: f64) -> f64 {
            let (before, mut visits) = (self.moves.work, 0);
            while self.moves.work < before + budget && visits < 20 * self.walkers.len() {
                if self.moves.rng.random::<f64>() < share { self.anneal(know); continue }
                self.next = (self.next + 1) % self.walkers.len();
                let (walker, settings) = (&mut self.walkers[self.next], self.moves.settings);
                let is_wrong = know.is_refuted(&know.grid.oil(&walker.layout));
                let heat = if is_wrong { settings.flee * settings.heat } else { settings.heat };
                self.moves.sweep(know, walker, heat);
                visits += 1;
            }
            self.moves.work - before
        }
        /// A sweep of the layout that is annealed. At the end it takes the place of one of the population if it fits
        /// better, or as Metropolis decides, and of all that are far less likely. Others that fit badly take over the
        /// fields that it has found.
        #[inline(always)]
        fn anneal(&mut self, know: &Knowledge) {
            let settings = self.moves.settings;
            if self.sweep == 0.0 {
                self.fresh = self.moves.random(know);
                // At the heat at which a field is free.
                let log = know.log_of(&self.fresh.layout, &self.fresh.gradient);
                let excess = (know.log_of_hidden() - log).max(1.0);
                self.start = (10.0 * know.grid.fields.len() as f64 / excess).min(1.0);
            }
            let is_settled = settings.warm > 0.0;
            let sweeps = if is_settled && know.grid.eps <= settings.calm { settings.brief } else { settings.sweeps };
            let heat = settings.heat * self.start.powf(1.0 - self.sweep / sweeps);
            self.moves.sweep(know, &mut self.fresh, heat);
            self.sweep += 1.0;
            if self.sweep > sweeps {
                self.sweep = 0.0;
                if is_settled { self.moves.settle(know, &mut self.fresh) }
                for _ in 0..settings.warm as usize { self.moves.sweep(know, &mut self.fresh, settings.heat) }
                if know.is_refused(&self.fresh.layout) { return }
                let log = |walker: &Walker| know.log_of(&walker.layout, &walker.gradient);
                let (one, fresh) = (self.moves.rng.random_range(0..self.walkers.len()), log(&self.fresh));
                for (index, walker) in self.walkers.iter_mut().enumerate() {
                    let enough = if index == one { self.moves.rng.random::<f64>().ln() } else { FAR };
                    let own = log(walker);
                    if settings.heat * (fresh - own) > enough { walker.clone_from(&self.fresh) }
                    else if settings.heat * (know.log_of_hidden() - own) > FAR {
                        self.moves.mend(know, walker, &self.fresh);
                    }
                }
            }
        }
    }

    impl Moves {
        /// A layout from the prior: each place of a field is equally likely.
        fn random(&mut self, know: &Knowledge) -> Walker {
            let place = |field: &Field| field.places[self.rng.random_range(0..field.places.len())];
            let layout = know.grid.fields.iter().map(place).collect_vec();
            Walker { gradient: know.gradient(&layout), layout }
        }
        /// One move for each field, at this power of the likelihood.
        #[inline(always)]
        fn sweep(&mut self, know: &Knowledge, walker: &mut Walker, heat: f64) {
            let (fields, powers) = (walker.layout.len(), [heat as f32, (heat * self.settings.loose) as f32]);
            for _ in 0..fields { // no closure: it would be compiled for four values at a time
                let (field, first) = (self.rng.random_range(0..fields), self.rng.random_range(0..fields));
                let is_pair = first != field && self.rng.random::<f64>() < self.settings.pairs;
                self.put(know, walker, field, Some(first).filter(|_| is_pair), powers);
            }
        }
        /// Puts each two fields where they are likeliest together, until none are to be moved.
        #[inline(always)]
        fn settle(&mut self, know: &Knowledge, walker: &mut Walker) {
            let pairs = (0..walker.layout.len()).tuple_combinations::<(_, _)>().collect_vec();
            let mut since = 0;
            for &two in pairs.iter().cycle().take(30 * pairs.len()) { // or rounding could move them to and fro
                since = if self.put_two(know, walker, two) { 0 } else { since + 1 };
                if since == pairs.len() { break }
            }
        }
        /// Puts two fields where they are likeliest together. Returns whether that is another place than before.
        #[inline(always)]
        fn put_two(&mut self, know: &Knowledge, walker: &mut Walker, (a, b): (usize, usize)) -> bool {
            let Self { table, pairs, gradients: [open, both, _], chances: [chances_a, chances_b, _], .. } = self;
            let [old_a, old_b] = [a, b].map(|field| walker.layout[field]);
            self.work += table.add(know, open, &walker.gradient, (a, old_a), 1.0);
            self.work += table.add(know, both, open, (b, old_b), 1.0);
            self.work += chances_a.look(know, a, both) + chances_b.look(know, b, both);
            let taken_a = Taken { field: a, place: old_a, logs: &chances_a.logs, most: chances_a.most };
            let taken_b = Taken { field: b, place: old_b, logs: &chances_b.logs, most: chances_b.most };
            let (found, work) = pairs.best(know, [taken_a, taken_b]);
            self.work += work;
            let Some([new_a, new_b]) = found else { return false };
            self.work += table.add(know, open, both, (a, new_a), -1.0);
            self.work += table.add(know, &mut walker.gradient, open, (b, new_b), -1.0);
            (walker.layout[a], walker.layout[b]) = (new_a, new_b);
            true
        }
        /// Puts those fields where another layout has them that make a layout likeliest, if it is far likelier then: each
        /// of the two may have found some fields.
        fn mend(&mut self, know: &Knowledge, walker: &mut Walker, other: &Walker) {
            let fields = walker.layout.iter().zip(&other.layout).positions(|(a, b)| a != b).collect_vec();
            // Each adds d to the values: W·d of each, d·W·d' of each two, and what one alone adds to the logarithm.
            let (count, zero) = (fields.len(), vec![0.0; walker.gradient.len()]);
            let (mut rows, mut products, mut alone) = (vec![vec![]; count], vec![0.0; count * count], vec![]);
            for (row, &field) in rows.iter_mut().zip(&fields) {
                self.work += self.table.add(know, &mut self.gradients[0], &zero, (field, other.layout[field]), 1.0);
                self.work += self.table.add(know, row, &self.gradients[0], (field, walker.layout[field]), -1.0);
            }
            for (b, &field) in fields.iter().enumerate() {
                let [old, new] = [walker, other].map(|walker| usize::from(walker.layout[field]));
                let cells = &know.grid.fields[field].cells;
                let added = |row: &[f32]| cells.iter().map(|cell| row[cell + new] - row[cell + old]).sum::<f32>();
                rows.iter().enumerate().for_each(|(a, row)| products[a * count + b] = added(row));
                alone.push(added(&walker.gradient) - 0.5 * products[b * count + b]);
            }
            self.work += (count * count * 60) as f64;
            let (changed, gain) = best_changes(&alone, &products, &mut self.rng);
            let mut layout = walker.layout.clone();
            for &index in &changed { layout[fields[index]] = other.layout[fields[index]] }
            if self.settings.heat * f64::from(gain) < FAR || know.is_refused(&layout) { return }
            walker.layout = layout;
            for index in changed { add(&mut walker.gradient, -1.0, &rows[index]) }
        }
        /// Puts a field where the others leave it likely. A field named `first` is put before that, as if the other one
        /// were not there, so that they can change places; Metropolis and Hastings accept it or not.
        #[inline(always)]
        fn put(
            &mut self, know: &Knowledge, walker: &mut Walker, field: usize, first: Option<usize>,
            [heat, loose]: [f32; 2],
        ) {
            let Self { table, gradients: [open, both, other], chances, .. } = self;
            let [chances, chances_first, chances_other] = chances;
            let (old, old_first) = (walker.layout[field], walker.layout[first.unwrap_or(field)]);
            self.work += table.add(know, open, &walker.gradient, (field, old), 1.0);
            self.work += chances.weigh(know, field, open, heat);
            if let Some(first) = first {
                self.work += table.add(know, both, open, (first, old_first), 1.0);
                self.work += chances_first.weigh(know, first, both, loose);
                let place = chances_first.draw(&mut self.rng);
                if place != old_first {
                    self.work += table.add(know, other, both, (first, place), -1.0);
                    self.work += chances_other.weigh(know, field, other, heat);
                    let gain = (heat - loose) * (chances_first.log(place) - chances_first.log(old_first));
                    if self.rng.random::<f32>() < (gain + chances_other.log_sum() - chances.log_sum()).exp() {
                        walker.layout[first] = place;
                        std::mem::swap(open, other);
                        std::mem::swap(chances, chances_other);
                    }
                }
            }
            walker.layout[field] = chances.draw(&mut self.rng);
            let first = first.unwrap_or(field);
            if know.is_refused(&walker.layout) { (walker.layout[first], walker.layout[field]) = (old_first, old) }
            let new = walker.layout[field];
            if new != old || walker.layout[first] != old_first {
                self.work += table.add(know, &mut walker.gradient, open, (field, new), -1.0);
            }
        }
    }
    /// The changes that add most together, and what: each adds `alone`, and each two take their product away. From five
    /// starts, one or two are changed or changed back while that helps.
    pub fn best_changes(alone: &[f32], products: &[f32], rng: &mut Pcg64Mcg) -> (Vec<usize>, f32) {
        let (count, mut best) = (alone.len(), (vec![], 0.0));
        for start in 0..5 {
            // What it adds to change one, or to change it back: then its sign is −1.
            let (mut gains, mut signs, mut sum) = (alone.to_vec(), vec![1.0; count], 0.0);
            let mut turn = |one: usize, gains: &mut [f32], signs: &mut [f32]| {
                sum += gains[one];
                let back = -gains[one];
                for two in 0..count { gains[two] -= signs[one] * signs[two] * products[one * count + two] }
                (gains[one], signs[one]) = (back, -signs[one]);
            };
            for one in 0..count { if start > 0 && rng.random() { turn(one, &mut gains, &mut signs) } }
            loop {
                let gain = |&(a, b): &(usize, usize)| if a == b { gains[a] }
                    else { gains[a] + gains[b] - signs[a] * signs[b] * products[a * count + b] };
                let pairs = (0..count).flat_map(|a| (0..=a).map(move |b| (a, b)));
                let best_pair = pairs.max_by(|x, y| gain(x).total_cmp(&gain(y)));
                let Some((a, b)) = best_pair.filter(|pair| gain(pair) > 0.001) else { break };
                turn(a, &mut gains, &mut signs);
                if a != b { turn(b, &mut gains, &mut signs) }
            }
            if sum > best.1 { best = (signs.iter().positions(|&sign| sign < 0.0).collect(), sum) }
        }
        best
    }
    /// W·e for the cells e of each field in each place, kept since it was first needed after the last question.
    struct Table { rows: Vec<f32>, at: Vec<usize> } // the number of questions when a row was computed
    impl Table {
        fn new(know: &Knowledge) -> Self {
            let places = know.grid.fields.len() * know.grid.area();
            Self { rows: vec![0.0; places * know.width], at: vec![usize::MAX; places] }
        }
        /// to = from + sign · W·e for the cells e of a field in a place. Returns the work.
        #[inline(always)]
        fn add(
            &mut self, know: &Knowledge, to: &mut Vec<f32>, from: &[f32], (field, place): (usize, u16), sign: f32,
        ) -> f64 {
            let (width, cells, start) = (know.width, &know.grid.fields[field].cells, usize::from(place));
            let (index, mut work) = (field * know.grid.area() + start, 0.65 * width as f64 + 125.0);
            let row = &mut self.rows[index * width..][..width];
            if self.at[index] != know.history.len() {
                self.at[index] = know.history.len();
                row.fill(0.0);
                add_rows(row, cells, |cell| &know.square[(cell + start) * width..][..width]);
                work += (cells.len() * width) as f64 / 4.0;
            }
            to.resize(from.len(), 0.0);
            for ((to, from), row) in to.iter_mut().zip(from).zip(row) { *to = from + sign * *row }
            work
        }
    }
    /// For each place of a field a power of the likelihood: its chance, the largest being 1.
    #[derive(Default)]
    struct Chances {
        logs: Vec<f32>, heat: f32, most: f32, // of the likelihood; the power; the largest
        tops: Vec<[f32; 8]>, sums: Vec<[f32; 8]>, // of each block: its largest logarithms, the sums of its chances
        sum: f32, // of all chances
    }
    impl Chances {
        /// The logarithms, for a field that is taken out of the layout with this gradient. Returns the work.
        #[inline(always)]
        fn look(&mut self, know: &Knowledge, field: usize, gradient: &[f32]) -> f64 {
            let (own, cells) = (&know.own[field], &know.grid.fields[field].cells);
            self.logs.clear();
            self.logs.extend_from_slice(own);
            add_rows(&mut self.logs, cells, |cell| &gradient[cell..][..own.len()]);
            self.tops.clear();
            for block in self.logs.as_chunks::<BLOCK>().0 { self.tops.push(lanes(block, f32::MIN, f32::max)) }
            self.most = join(lanes(self.tops.as_flattened(), f32::MIN, f32::max), f32::max);
            (cells.len() * own.len()) as f64 / 5.0 + 75.0
        }
        /// The chances as well. Returns the work.
        #[inline(always)]
        fn weigh(&mut self, know: &Knowledge, field: usize, gradient: &[f32], heat: f32) -> f64 {
            let mut work = self.look(know, field, gradient) + 50.0;
            self.heat = heat;
            self.sums.clear();
            for (tops, block) in self.tops.iter().zip(self.logs.as_chunks::<BLOCK>().0) {
                let (mut is_likely, mut sums) = (false, [0.0; 8]);
                for top in tops { is_likely |= heat * (top - self.most) > -20.0 } // the rest is below 1e-8
                if is_likely {
                    work += 75.0;
                    for logs in block.as_chunks::<8>().0 { // no closure here, either
                        for lane in 0..8 { sums[lane] += self.chance(logs[lane]) }
                    }
                }
                self.sums.push(sums);
            }
            self.sum = total(self.sums.as_flattened(), |sum| sum);
            work
        }
        /// The chance of a place where the likelihood has this logarithm.
        #[inline(always)]
        fn chance(&self, log: f32) -> f32 { exp(self.heat * (log - self.most)) }
        /// The logarithm of the sum of all powers.
        fn log_sum(&self) -> f32 { self.heat * self.most + self.sum.ln() }
        /// The logarithm of a likelihood.
        fn log(&self, place: u16) -> f32 { self.logs[usize::from(place)] }
        /// Draws a place with a probability proportional to its chance.
        #[inline(always)]
        fn draw(&self, rng: &mut Pcg64Mcg) -> u16 {
            // Above 0, so that no place is drawn that is impossible.
            let mut left = (1.0 - rng.random::<f32>()) * self.sum;
            for (index, (sums, block)) in self.sums.iter().zip(self.logs.as_chunks::<BLOCK>().0).enumerate() {
                let sum = join(*sums, |a, b| a + b);
                if left > sum { left -= sum; continue }
                let mut chances = *block;
                for chance in &mut chances { *chance = self.chance(*chance) }
                for (lane, chance) in chances.into_iter().enumerate() {
                    if left <= chance { return (BLOCK * index + lane) as u16 }
                    left -= chance;
                }
            }
            self.logs.iter().position(|&log| log == self.most).unwrap_or(0) as u16 // rounding left a rest
        }
    }
}

#[rustfmt::skip]
pub mod question {
    //! Which cells to ask about: a set is changed cell by cell while that raises its information for cost.
    use rand::{Rng, seq::SliceRandom};
    use rand_pcg::Pcg64Mcg;
    use super::{bayes::Posterior, grid::{CellSet, Grid, Layout}, noise::Noise, vector::{add, entropy_term, total}};

    /// Different layouts that stand for the posterior, and their probabilities.
    pub struct Pool {
        pub layouts: Vec<Layout>, pub posterior: Posterior,
        weights: Vec<f32>,
        values: Vec<u8>, // of each cell in each layout: [cell * layouts + layout]
    }

    impl Pool {
        /// A pool of these layouts, at least one. Equal ones are put together.
        pub fn new(grid: &Grid, mut all: Vec<Layout>) -> Self {
            all.sort_unstable();
            let equal = all.chunk_by(|a, b| a == b).map(|equal| (equal[0].clone(), equal.len() as f64));
            let (layouts, counts): (Vec<Layout>, Vec<f64>) = equal.unzip();
            let mut values = vec![0; grid.area() * layouts.len()];
            for (index, layout) in layouts.iter().enumerate() {
                grid.covered(layout).for_each(|cell| values[cell * layouts.len() + index] += 1);
            }
            let weights = counts.iter().map(|count| (count / all.len() as f64) as f32).collect();
            Self { layouts, posterior: Posterior::from_prior(&counts), weights, values }
        }
        /// The most probable answer, and its probability.
        pub fn answer(&self, grid: &Grid) -> (CellSet, f64) {
            self.posterior.most_probable_answer(|index| grid.oil(&self.layouts[index as usize]))
        }
        /// The probability of oil in each cell.
        pub fn oil_probabilities(&self) -> Vec<f64> {
            self.values.chunks(self.layouts.len()).map(|values| {
                let wet = values.iter().zip(&self.weights).filter(|(value, _)| **value > 0);
                wet.map(|(_, &weight)| f64::from(weight)).sum()
            }).collect()
        }
    }
    /// A set of cells that is changed.
    pub struct Climber<'a> {
        pool: &'a Pool, noise: &'a mut Noise, per_cost: bool, set: Vec<bool>, size: usize,
        sums: Vec<u16>, // of the set, in each layout of the pool
        by_sum: Vec<f32>, by_reply: Vec<f32>, // the probabilities of sums and replies
        pub work: f64,  // so far
    }

    impl<'a> Climber<'a> {
        /// The empty set. `per_cost`: whether cost counts.
        pub fn new(pool: &'a Pool, noise: &'a mut Noise, per_cost: bool) -> Self {
            let (count, area) = (pool.layouts.len(), pool.values.len() / pool.layouts.len());
            let most: usize = pool.values.iter().step_by(count).map(|&value| usize::from(value)).sum();
            let (sums, set, by_sum) = (vec![0; count], vec![false; area], vec![0.0; most + 1]);
            Self { pool, noise, per_cost, set, size: 0, sums, by_sum, by_reply: vec![], work: 0.0 }
        }
        /// The best set found: from `start`, then from random sets within the budget, each changed while that helps.
        pub fn best(&mut self, start: Option<Vec<bool>>, budget: f64, rng: &mut Pcg64Mcg) -> Vec<bool> {
            let mut order: Vec<usize> = (0..self.set.len()).collect();
            let (mut found, mut starts) = ((vec![], f32::NEG_INFINITY), start.into_iter());
            for _ in 0..20 {
                let start = starts.next().unwrap_or_else(|| order.iter().map(|_| rng.random()).collect());
                let (mut best, mut since) = (self.value_of(|cell| start[cell]), 0);
                while since < order.len() && self.work < budget {
                    order.shuffle(rng);
                    for &cell in &order {
                        self.toggle(cell);
                        let value = self.value();
                        since += 1;
                        if value > best * 1.000_01 { (best, since) = (value, 0) } else { self.toggle(cell) }
                        if since >= order.len() || self.work >= budget { break }
                    }
                }
                if best > found.1 { found = (self.set.clone(), best) }
                if self.work >= budget { break }
            }
            found.0
        }
        /// Goes to the set of the wanted cells. Returns its value.
        pub fn value_of(&mut self, wanted: impl Fn(usize) -> bool) -> f32 {
            (0..self.set.len()).for_each(|cell| if self.set[cell] != wanted(cell) { self.toggle(cell) });
            self.value()
        }
        fn toggle(&mut self, cell: usize) {
            let (sign, count) = (if self.set[cell] { u16::MAX } else { 1 }, self.sums.len());
            let both = self.sums.iter_mut().zip(&self.pool.values[cell * count..]);
            both.for_each(|(sum, &value)| *sum = sum.wrapping_add(sign.wrapping_mul(value.into())));
            self.set[cell] = !self.set[cell];
            self.size = self.size + 2 * usize::from(self.set[cell]) - 1;
        }
        /// Information for cost: I = H(R) − H(R | sum), the shared module's `noisy_information_bits`, for this game.
        fn value(&mut self) -> f32 {
            self.by_sum.fill(0.0);
            self.sums.iter().zip(&self.pool.weights).for_each(|(&sum, weight)| self.by_sum[usize::from(sum)] += weight);
            self.work += (3 * self.sums.len() + 700) as f64;
            if self.size < 2 { return total(&self.by_sum, entropy_term) }
            let is_likely = |&p: &f32| p > 0.0;
            let least = self.by_sum.iter().position(is_likely).expect("some sum");
            let most = self.by_sum.iter().rposition(is_likely).expect("some sum");
            let channel = self.noise.channel(self.size, most);
            let (first, last) = (channel[least].first, &channel[most]);
            self.by_reply.clear();
            self.by_reply.resize(last.first + last.likelihood.len() - first, 0.0);
            let mut noise = 0.0;
            let both = channel[least..=most].iter().zip(&self.by_sum[least..=most]);
            for (replies, &p) in both.filter(|both| is_likely(both.1)) {
                noise += p * replies.bits;
                self.work += (30 + replies.likelihood.len()) as f64;
                add(&mut self.by_reply[replies.first - first..], p, &replies.likelihood);
            }
            (total(&self.by_reply, entropy_term) - noise) * if self.per_cost { (self.size as f32).sqrt() } else { 1.0 }
        }
    }
}

/// What to do next: ask about these cells, or declare that the oil is in these.
#[rustfmt::skip]
pub enum Move { Ask(Vec<usize>), Answer(CellSet) }

/// Plays one case. Knows neither judge nor clock.
#[rustfmt::skip]
pub struct Player {
    /// What was asked and replied.
    pub know: Knowledge,
    /// The layouts by which this turn's move was chosen.
    pub pool: Pool,
    /// The information for cost of this turn's best question.
    pub value: f64,
    /// The work that is left for the case.
    pub work_left: f64,
    /// The numbers that can be tuned, for this grid.
    pub settings: Settings,
    sampler: Sampler, rng: Pcg64Mcg, turn: usize, last_set: Option<Vec<bool>>,
    drills_all: bool, // what is left is for the cells that were not drilled
    misfit: f64, // how badly the best layout fits
    allowance: f64, // the work of this turn
    bits_left: f64, last_bits: f64, // the entropy of the prior less the information of all questions; of the last
}

#[rustfmt::skip]
impl Player {
    /// Before the first operation.
    pub fn new(grid: Grid, mut settings: Settings) -> Self {
        let mut know = Knowledge::new(grid);
        let (grid, walkers, fields) = (&know.grid, settings.walkers.max(1000.0), know.grid.fields.len() as f64);
        let (mut rng, bits_left) = (Pcg64Mcg::seed_from_u64(0), grid.bits());
        let pool = Pool::new(grid, vec![vec![0; grid.fields.len()]]);
        if fields > settings.crowd { settings.warm = 0.0 }
        if fields <= settings.sharp {
            (settings.trust, settings.heat, settings.early) = (1.0, 1.0, 0.7);
            (settings.walkers, settings.warm) = (walkers, 0.0);
        } else {
            know.noise.drill = settings.drill as f32;
        }
        let sampler = Sampler::new(&know, settings, Pcg64Mcg::from_rng(&mut rng));
        Self {
            know, pool, value: 0.0, settings, sampler, rng, turn: 0, drills_all: false, last_set: None,
            misfit: 0.0, work_left: settings.work, allowance: 0.0, bits_left, last_bits: 3.0,
        }
    }
    /// How many operations are left.
    pub fn left(&self) -> usize { 2 * self.know.grid.area() - self.turn }
    /// How many of them are kept back for drills.
    fn reserve(&self) -> usize { (self.settings.reserve * self.know.grid.area() as f64) as usize }
    /// Chooses the next operation. `pace` is 1, or less if time is short: the share of work to do.
    pub fn choose(&mut self, pace: f64) -> Move {
        let settings = self.settings;
        self.allowance = pace * self.work_of_turn();
        self.pool = Pool::new(&self.know.grid, self.sampler.layouts().cloned().collect());
        let cells = self.question();
        let (left, area, drilled) = (self.left(), self.know.grid.area(), |cell: usize| self.know.drilled(cell));
        if (0..area).all(|cell| drilled(cell).is_some()) { return Move::Answer(self.know.wet) }
        let (answer, right) = self.pool.answer(&self.know.grid);
        let is_refuted = self.know.is_refuted(&answer);
        let is_lost = is_refuted || self.misfit > 2.5 || self.misfit > settings.lost && right < settings.sure;
        // An answer is a question, too: whether it is right. It costs 1 if not.
        let wrong = (1.0 - right).max(1e-9);
        let is_better = !is_lost && settings.courage * yes_or_no_bits(wrong) / wrong > self.value;
        let next = if is_better { Move::Answer(answer) } else { Move::Ask(cells) };
        // The last operations drill the cells that the layouts differ in, or any if none fits or answers were often
        // wrong. While none fits, questions help more, until few are left. If no time is left, all cells are drilled,
        // until an answer is sure. For each that is wrong, a cell that is hardly in doubt is left out: up to five.
        if left > area + 2 { return next }
        self.drills_all |= left >= area && pace * self.work_left <= settings.hurry * settings.work;
        let is_last = self.drills_all || left <= self.reserve() + 2;
        if is_lost && !is_last { return next }
        let is_any = self.drills_all || is_last && (is_lost || self.know.refused.len() > self.turn / 10);
        let oil = self.pool.oil_probabilities();
        let is_unsure = |&cell: &usize| drilled(cell).is_none() && (is_any || (0.01..0.99).contains(&oil[cell]));
        let unsure = (0..oil.len()).filter(is_unsure).collect_vec();
        let doubt = |cell: usize| (oil[cell] - 0.5).abs();
        let spare = match next {
            Move::Answer(_) if self.drills_all && right > settings.sure => 6,
            Move::Answer(_) => 1,
            Move::Ask(_) => 0,
        };
        match unsure.iter().min_by(|&&a, &&b| doubt(a).total_cmp(&doubt(b))) {
            Some(_) if left + spare > unsure.len() + 2 => next,
            Some(&cell) if left > 1 => Move::Ask(vec![cell]),
            _ => Move::Answer(set_of((0..oil.len()).filter(|&cell| drilled(cell).unwrap_or(oil[cell] > 0.5)))),
        }
    }
    /// What this turn may cost. Late turns get more: then layouts that fit are hard to find. While none fits, much is
    /// kept back: questions are cheap, and each makes the search easier.
    fn work_of_turn(&self) -> f64 {
        let settings = &self.settings;
        let by_bits = self.bits_left.max(0.0) / self.last_bits * 1.3 + 3.0;
        // Most of it before the operations are used that are kept back for drills.
        let spare = self.left().saturating_sub(self.reserve()) as f64;
        let turns = by_bits.max(self.turn as f64).min(spare + 60.0);
        let known = ((1.0 - self.bits_left / self.know.grid.bits()) / 1.2).clamp(0.0, 1.0);
        let share = settings.early + (1.0 - settings.early) * known * known;
        share * self.work_left.max(0.0) / turns.max(if self.misfit > settings.fit { 60.0 } else { 12.0 })
    }
    /// The next question. Keeps its value.
    fn question(&mut self) -> Vec<usize> {
        let (settings, start, area) = (self.settings, self.last_set.take(), self.know.grid.area());
        let mut cells = vec![];
        if settings.policy == 2.0 {
            let oil = self.pool.oil_probabilities();
            let open = (0..area).filter(|&cell| self.know.drilled(cell).is_none());
            cells.extend(open.max_by(|&a, &b| oil[a].total_cmp(&oil[b])));
        } else if self.misfit <= settings.lost {
            let mut climber = Climber::new(&self.pool, &mut self.know.noise, settings.policy == 0.0);
            let set = climber.best(start, settings.asking * self.allowance, &mut self.rng);
            self.work_left -= climber.work;
            cells.extend(set.iter().positions(|&asked| asked));
            self.last_set = Some(set);
        }
        self.value = self.value_of(&cells);
        if self.value < 0.01 && settings.policy < 2.0 { // no layout fits: each cell with probability 1/2
            cells = (0..area).filter(|_| self.rng.random()).collect();
            self.value = self.value_of(&cells).max(0.0);
        }
        cells
    }
    /// The information for cost of any question, at this turn.
    pub fn value_of(&mut self, cells: &[usize]) -> f64 {
        Climber::new(&self.pool, &mut self.know.noise, true).value_of(|cell| cells.contains(&cell)).into()
    }
    /// Learns the reply to a question.
    pub fn learn(&mut self, cells: &[usize], reply: usize) {
        self.last_bits = (self.value / (cells.len() as f64).sqrt()).max(0.3);
        self.bits_left -= self.last_bits;
        self.know.learn(cells, reply);
        self.sampler.learn(&self.know);
        self.end_turn();
    }
    /// Learns that an answer was wrong.
    pub fn learn_refusal(&mut self, answer: CellSet) {
        self.know.refused.push(answer);
        self.sampler.learn_refusal(&self.know);
        self.end_turn();
    }
    fn end_turn(&mut self) {
        let settings = self.settings;
        self.turn += 1;
        let share = if self.sampler.misfit(&self.know) > settings.fit { settings.renew } else { settings.fresh };
        self.work_left -= self.sampler.walk(&self.know, (1.0 - settings.asking) * self.allowance, share);
        self.misfit = self.sampler.misfit(&self.know);
    }
}

/// Plays with the judge on standard input and output. `--NAME VALUE` changes a setting.
#[rustfmt::skip]
fn main() -> Result<(), String> {
    let (started, mut settings) = (Instant::now(), Settings::default());
    for words in std::env::args().skip(1).collect_vec().chunks(2) {
        let [name, value] = words else { return Err(format!("expected --NAME VALUE, found {:?}", words[0])) };
        let number = value.parse().ok().filter(|number: &f64| number.is_finite());
        settings.set(name.trim_start_matches("--"), number.ok_or_else(|| format!("{value:?} is no number"))?)?;
    }
    let mut judge = Judge::on_stdin();
    let mut player = Player::new(Grid::read(&mut judge)?, settings);
    let n = player.know.grid.n;
    while player.left() > 0 {
        // At first the speed is not known: as if 0.3 s had passed, with a billion units in 0.3 s.
        let (passed, done) = (started.elapsed().as_secs_f64(), settings.work - player.work_left);
        let possible = (settings.end - passed) * (done + 1e9) / (passed + 0.3);
        let next = player.choose((possible / player.work_left.max(1.0)).clamp(0.0, 1.0));
        let (kind, cells) = match &next {
            Move::Ask(cells) => ('q', cells.clone()),
            Move::Answer(answer) => ('a', cells_of(answer)),
        };
        let words = cells.iter().map(|cell| format!(" {} {}", cell / n, cell % n));
        judge.ask(&format!("{kind} {}{}", cells.len(), words.format("")))?;
        input_interactive! { from judge, reply: usize }
        match next {
            Move::Ask(_) => player.learn(&cells, reply),
            Move::Answer(_) if reply == 1 => return Ok(()),
            Move::Answer(answer) => player.learn_refusal(answer),
        }
    }
    // Not found. The contest scores that as well; a program that fails has no score.
    Ok(())
}
