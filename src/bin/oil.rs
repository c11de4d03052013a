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
//! knowledge     the likelihood of a layout
//! list          all layouts, where there are not too many
//! sampler       layouts drawn from the posterior, where there are
//! question      the set of cells with the most information for its cost
//! Player        a turn: choose a question or an answer, learn its reply
//! ```
//!
//! docs/solver.md goes through it, and says how it plays.

// judge: ahc030

use std::process::ExitCode;
use std::time::Instant;

use itertools::Itertools;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use bayes::{Posterior, Worth, best_question, yes_or_no_bits};
use grid::{CellSet, Grid, Layout, cells_of, set_of};
use judge::Judge;
use knowledge::Knowledge;
use list::{layout, list};
use question::{Climber, Pool};
use sampler::{Sampler, systematic};
pub use settings::Settings;

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
// Shared modules, as scripts/new-solver copied them (checksums): bayes 893915629 judge 1961201046

#[rustfmt::skip]
mod settings {
    /// Declares the settings: name, value, what it is.
    macro_rules! settings {
        ($($name:ident = $value:expr, $about:literal;)+) => {
            /// Numbers that were tuned on cases of seeds 1000 to 1999, and two times in seconds.
            #[derive(Clone, Copy, Debug)]
            pub struct Settings { $(#[doc = $about] pub $name: f64,)+ }
            impl Default for Settings {
                fn default() -> Self { Self { $($name: $value,)+ } }
            }
            impl Settings {
                /// Changes a setting by its name. An error if there is none.
                pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
                    match name { $(stringify!($name) => self.$name = value,)+ _ => return Err(format!("no setting {name:?}")) }
                    Ok(())
                }
            }
        };
    }
    settings! {
        policy = 0.0, "0: most information for its cost. For comparison, 1: most information, 2: drill the likeliest cell.";
        work = 7e9, "The work of a case, in units of some 0.3 ns: counted, so that a slow machine plays alike,";
        hurry = 2.2, "until this time, from which less and less is done in a turn,";
        end = 2.65, "and next to nothing from this time on.";
        asking = 0.25, "The share of the work that chooses questions; the rest moves layouts.";
        early = 0.1, "The share of its work that a turn gets at first, when little is known.";
        longer = 1.4, "At least this many times the turns so far are expected to come,";
        soon = 12.0, "and this many turns,";
        late = 60.0, "or this many if no layout fits: questions are cheap, and each makes the search easier.";
        listed = 1e6, "Up to this many layouts, all are listed. More are sampled.";
        pool = 1000.0, "This many of a long list choose the question.";
        walkers = 200.0, "The number of layouts in the sampler's population.";
        few = 0.7, "It is drawn anew when its effective size is below this share.";
        trust = 0.5, "The power of the likelihood in its weights.";
        heat = 0.8, "The power of the likelihood in its moves.";
        pairs = 0.4, "The share of moves that move two fields.";
        loose = 0.7, "The power of that power with which the first of two fields is placed.";
        sharp = 5.0, "With up to this many fields both powers are 1, and `early` is 0.7: little is missed there.";
        fresh = 0.1, "The share of the moves that anneals a new layout,";
        renew = 0.8, "or this share if the best layout fits worse than";
        fit = 1.5, "this, in standard deviations.";
        sweeps = 1000.0, "A layout is annealed in this many sweeps,";
        hot = 10.0, "and begins at this share of the heat at which a field is free.";
        over = 15.0, "It takes the place of all layouts that are less likely by this power of e.";
        lost = 2.0, "If the best layout fits worse than this, random cells are asked about,";
        sure = 0.8, "an answer needs this probability,";
        wrong = 2.5, "and from this misfit on there is no answer.";
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
    impl Field {
        /// One more than the last place.
        pub fn end(&self) -> usize { usize::from(self.places[self.places.len() - 1]) + 1 }
    }
    /// The contestant's input: N rows and columns, the noise, the fields.
    pub struct Grid { pub n: usize, pub eps: f64, pub fields: Vec<Field> }

    impl Grid {
        /// Reads the opening. An error if it is not that of the contest.
        pub fn read(judge: &mut Judge) -> Result<Self, String> {
            input_interactive! { from judge, n: usize, fields: usize, eps: f64 }
            let mut grid = Self { n, eps, fields: vec![] };
            for _ in 0..fields {
                input_interactive! { from judge, size: usize }
                let mut cells = vec![];
                for _ in 0..size {
                    input_interactive! { from judge, row: usize, column: usize }
                    cells.push((row, column));
                }
                grid.add_field(&cells)?;
            }
            Ok(grid)
        }
        /// Adds a field with these cells, the least row and column being 0. An error if it does not fit.
        pub fn add_field(&mut self, cells: &[(usize, usize)]) -> Result<(), String> {
            let n = self.n;
            let (row, column) = cells.iter().fold((0, 0), |most, cell| (most.0.max(cell.0), most.1.max(cell.1)));
            if row.max(column) >= n { return Err(format!("expected cells of a grid of {n} rows, found {cells:?}")) }
            let cells = cells.iter().map(|(row, column)| row * n + column).collect();
            let places = (0..n - row).flat_map(|row| (0..n - column).map(move |column| (row * n + column) as u16)).collect();
            self.fields.push(Field { cells, places });
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
        cells.for_each(|cell| set[cell / 64] |= 1 << (cell % 64));
        set
    }
    /// The cells of a set, in ascending order.
    pub fn cells_of(set: &CellSet) -> Vec<usize> {
        (0..64 * set.len()).filter(|cell| set[cell / 64] >> (cell % 64) & 1 == 1).collect()
    }
}

#[rustfmt::skip]
pub mod noise {
    //! How replies are distributed: a normal deviate, rounded, and not below 0.

    /// ln P for each unit that a drilled value is off: all but impossible.
    const DRILL_MISS: f64 = -30.0;
    /// The noise of a case, with P(reply | sum) for each size of a question that was considered.
    pub struct Noise { eps: f64, channels: Vec<Vec<Replies>> }
    /// P(reply | sum) for the replies from `first` on, and their entropy. Rarer ones are left out.
    pub struct Replies { pub first: usize, pub likelihood: Vec<f32>, pub bits: f32 }

    impl Noise {
        /// The noise for questions of up to `area` cells.
        pub fn new(eps: f64, area: usize) -> Self { Self { eps, channels: (0..=area).map(|_| vec![]).collect() } }
        /// Mean and standard deviation, before the reply is rounded.
        fn normal(&self, cells: usize, sum: usize) -> (f64, f64) {
            let (k, s, eps) = (cells as f64, sum as f64, self.eps);
            ((k - s) * eps + s * (1.0 - eps), (k * eps * (1.0 - eps)).sqrt())
        }
        /// ln P(reply | sum). One cell is drilled, without noise.
        pub fn log_likelihood(&self, cells: usize, sum: usize, reply: usize) -> f64 {
            let (mean, deviation) = self.normal(cells, sum);
            let at = |value: f64| (value - mean) / deviation;
            match (cells, reply) {
                (1, _) => DRILL_MISS * sum.abs_diff(reply) as f64,
                (_, 0) => ln_between(f64::NEG_INFINITY, at(0.5)),
                (_, _) => ln_between(at(reply as f64 - 0.5), at(reply as f64 + 0.5)),
            }
        }
        /// The sum that a reply estimates, without bias, and the weight of that: one over its variance, to
        /// which rounding adds 1/12.
        pub fn estimate(&self, cells: usize, reply: usize) -> (f32, f32) {
            if cells == 1 { return (reply as f32, -2.0 * DRILL_MISS as f32) }
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
                let mut more: Vec<f64> = // P(reply or a larger one)
                    (first..=last).map(|reply| ln_more((reply as f64 - 0.5 - mean) / deviation).exp()).collect();
                more[0] = 1.0;
                more.push(0.0);
                let likelihood: Vec<f32> = more.windows(2).map(|pair| (pair[0] - pair[1]) as f32).collect();
                let bits = total(&likelihood, entropy_term);
                self.channels[cells].push(Replies { first, likelihood, bits });
            }
            &self.channels[cells]
        }
    }

    /// ln P(a < standard normal deviate < b), also where it is too small for a number.
    fn ln_between(a: f64, b: f64) -> f64 {
        let (a, b) = if a + b < 0.0 { (-b, -a) } else { (a, b) }; // in the upper tail, digits are not lost
        ln_more(a) + (-(ln_more(b) - ln_more(a)).exp()).ln_1p()
    }
    /// ln P(standard normal deviate > z): a Chebyshev fit of the complementary error function, to 1.2e-7
    /// of it (Numerical Recipes, `erfcc`).
    fn ln_more(z: f64) -> f64 {
        const FIT: [f64; 10] = [-1.265_512_23, 1.000_023_68, 0.374_091_96, 0.096_784_18, -0.186_288_06,
            0.278_868_07, -1.135_203_98, 1.488_515_87, -0.822_152_23, 0.170_872_77];
        if z < 0.0 { return (-ln_more(-z).exp()).ln_1p() }
        if z.is_infinite() { return f64::NEG_INFINITY }
        let x = z / std::f64::consts::SQRT_2;
        let t = 1.0 / (1.0 + 0.5 * x);
        (0.5 * t).ln() - x * x + FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor)
    }

    // The rest is written so that a compiler does four values at a time.
    /// −p · log2 p, to 1e-6 (log2 by interpolation at the Chebyshev nodes).
    pub fn entropy_term(p: f32) -> f32 {
        const FIT: [f32; 8] = [1.442_694_7, -0.721_306_8, 0.480_012_5, -0.353_096_4, 0.255_176_3, -0.154_152, 0.062_748_4, -0.012_077];
        let bits = p.max(1e-30).to_bits();
        let t = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000) - 1.0;
        let log = t * FIT.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
        -p * ((bits >> 23) as i32 as f32 - 127.0 + log)
    }
    /// exp(x) for x ≤ 0, to 1e-5 of it.
    pub fn exp(x: f32) -> f32 {
        const FIT: [f32; 6] = [1.0, std::f32::consts::LN_2, 0.240_226_5, 0.055_504_1, 0.009_618_1, 0.001_333_4];
        const ROUND: f32 = 12_582_912.0; // added to a number, it rounds it: 1.5 · 2^23
        let t = (x * std::f32::consts::LOG2_E).max(-126.0);
        let rounded = t + ROUND;
        let part = t - (rounded - ROUND);
        let power = FIT.iter().rev().fold(0.0, |sum, factor| sum * part + factor);
        f32::from_bits((rounded.to_bits() << 23).wrapping_add(power.to_bits()))
    }
    /// The sum of a function of the values.
    pub fn total(values: &[f32], of: impl Fn(f32) -> f32) -> f32 { lanes(values, 0.0, |sum, value| sum + of(value)).iter().sum() }
    /// The largest value.
    pub fn largest(values: &[f32]) -> f32 {
        lanes(values, f32::MIN, |most, value| if value > most { value } else { most }).into_iter().fold(f32::MIN, f32::max)
    }
    fn lanes(values: &[f32], start: f32, with: impl Fn(f32, f32) -> f32) -> [f32; 8] {
        let (chunks, rest) = values.as_chunks::<8>();
        let mut lanes = [start; 8];
        for chunk in chunks { lanes.iter_mut().zip(chunk).for_each(|(lane, &value)| *lane = with(*lane, value)) }
        lanes.iter_mut().zip(rest).for_each(|(lane, &value)| *lane = with(*lane, value));
        lanes
    }
}

#[rustfmt::skip]
pub mod knowledge {
    //! The replies, as likelihoods of layouts: exactly, and as a square.
    //!
    //! The exact log likelihood is a sum of one table entry for each reply. To score all places of a field
    //! that way takes a lookup for each place and reply. So replies are also kept as if their noise were
    //! normal: then the log likelihood is u·v − v·W·v/2 for the values v of the cells, and its gradient
    //! u − W·v scores every place of a field, however many replies there are. The sampler moves layouts by
    //! the square and weighs them by the tables.
    use super::grid::{CellSet, Grid};
    use super::noise::Noise;

    /// What was asked and replied.
    pub struct Knowledge {
        pub grid: Grid,
        pub noise: Noise,
        pub refused: Vec<CellSet>, // answers that were wrong
        pub slope: Vec<f32>,       // u,
        pub square: Vec<f32>,      // W row by row,
        pub own: Vec<Vec<f32>>,    // and e·W·e/2 for the cells e of each field in each place
        /// What the log likelihood of the hidden layout is expected to be: minus the entropy of the noise.
        pub expected_log: f64,
        cover: Vec<Vec<u8>>, // asked cells that a field covers: [field][place * operations + question]
        table: Vec<f32>,     // log likelihoods of the sums from 0, one question after the other,
        starts: Vec<usize>,  // and where each begins
    }

    impl Knowledge {
        /// Before the first question.
        pub fn new(grid: Grid) -> Self {
            let (area, all) = (grid.area(), grid.fields.iter());
            let own = all.clone().map(|field| {
                let mut own = vec![f32::INFINITY; field.end()];
                field.places.iter().for_each(|&place| own[usize::from(place)] = 0.0);
                own
            }).collect();
            let cover = all.map(|field| vec![0; field.end() * 2 * area]).collect();
            let (noise, slope, square) = (Noise::new(grid.eps, area), vec![0.0; area], vec![0.0; area * area]);
            Self { noise, refused: vec![], slope, square, own, cover, table: vec![], starts: vec![], expected_log: 0.0, grid }
        }
        /// The number of questions so far.
        pub fn questions(&self) -> usize { self.starts.len() }
        /// The most operations.
        pub fn operations(&self) -> usize { 2 * self.grid.area() }
        /// Takes a reply in. Returns the sum that it estimates, and the weight of that.
        pub fn learn(&mut self, cells: &[usize], reply: usize) -> (f32, f32) {
            let (area, operations, question) = (self.grid.area(), self.operations(), self.questions());
            let (sum, weight) = self.noise.estimate(cells.len(), reply);
            let (mut asked, mut most) = (vec![0; area], 0);
            for &cell in cells {
                asked[cell] = 1;
                self.slope[cell] += weight * sum;
                cells.iter().for_each(|other| self.square[cell * area + other] += weight);
            }
            for (index, field) in self.grid.fields.iter().enumerate() {
                most += field.places.iter().map(|&place| {
                    let place = usize::from(place);
                    let covered: u8 = field.cells.iter().map(|cell| asked[cell + place]).sum();
                    self.cover[index][place * operations + question] = covered;
                    self.own[index][place] += 0.5 * weight * f32::from(covered).powi(2);
                    usize::from(covered)
                }).max().unwrap_or(0);
            }
            self.starts.push(self.table.len());
            self.table.extend((0..=most).map(|sum| self.noise.log_likelihood(cells.len(), sum, reply) as f32));
            if cells.len() > 1 {
                let sum = sum.clamp(0.0, most as f32).round() as usize;
                let bits = f64::from(self.noise.channel(cells.len(), sum)[sum].bits);
                self.expected_log -= std::f64::consts::LN_2 * bits;
            }
            (sum, weight)
        }
        /// For each question, how many of its cells a field covers in a place.
        pub fn cover(&self, field: usize, place: u16) -> &[u8] {
            &self.cover[field][usize::from(place) * self.operations()..][..self.questions()]
        }
        /// The sum of a question's cells in a layout.
        pub fn sum(&self, question: usize, layout: &[u16]) -> u16 {
            layout.iter().enumerate().map(|(field, &place)| u16::from(self.cover(field, place)[question])).sum()
        }
        /// The sums of all questions' cells in a layout.
        pub fn sums(&self, layout: &[u16]) -> Vec<u16> { (0..self.questions()).map(|question| self.sum(question, layout)).collect() }
        /// The log likelihood of all replies, if the values of the questions' cells have these sums.
        pub fn log_of(&self, sums: &[u16]) -> f64 {
            sums.iter().enumerate().map(|(question, &sum)| f64::from(self.log_likelihood(question, sum))).sum()
        }
        /// The log likelihood of the reply to a question, if the values of its cells have this sum.
        pub fn log_likelihood(&self, question: usize, sum: u16) -> f32 { self.table[self.starts[question] + usize::from(sum)] }
        /// Whether a layout's answer was wrong.
        pub fn is_refused(&self, layout: &[u16]) -> bool {
            !self.refused.is_empty() && self.refused.contains(&self.grid.oil(layout))
        }
    }
}

#[rustfmt::skip]
pub mod list {
    //! All layouts with their probabilities, where there are not too many. A hypothesis is the number of a
    //! layout, whose digits are the places of the fields.
    use super::bayes::{Hypothesis, Posterior};
    use super::grid::{Grid, Layout};

    /// Each layout equally likely, or `None` if there are more than `most`.
    pub fn list(grid: &Grid, most: f64) -> Option<Posterior> {
        let count: f64 = grid.fields.iter().map(|field| field.places.len() as f64).product();
        (count <= most).then(|| Posterior::uniform(count as usize))
    }
    /// The layout with a number.
    pub fn layout(grid: &Grid, hypothesis: Hypothesis) -> Layout {
        let mut rest = hypothesis as usize;
        grid.fields.iter().map(|field| {
            let place = field.places[rest % field.places.len()];
            rest /= field.places.len();
            place
        }).collect()
    }
}
#[rustfmt::skip]
pub mod sampler {
    //! Layouts drawn from the posterior, where there are too many to list. A population of layouts is weighted
    //! by each reply and drawn anew by its weights (a particle filter). Then its layouts walk: one field or two are taken out and put where the others leave them likely
    //! (Gibbs), which is accepted so that the posterior stays the distribution (Metropolis and Hastings).
    //!
    //! The population is kept broader than the posterior, by powers of the likelihood below 1: layouts that
    //! are too sure of themselves ask about their own details, and do not learn that they are wrong.
    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use super::settings::Settings;
    use super::grid::Layout;
    use super::knowledge::Knowledge;
    use super::noise::{exp, largest, total};
    /// A layout that walks, with u − W·v, the sum of the cells of each question, and the log likelihood.
    #[derive(Clone)]
    struct Walker { layout: Layout, gradient: Vec<f32>, sums: Vec<u16>, log: f64 }
    /// The population, with the logarithms of its weights, and a layout that is annealed: sweeps so far, and
    /// the power of the likelihood that it began with.
    pub struct Sampler { walkers: Vec<Walker>, logs: Vec<f64>, next: usize, fresh: Walker, sweep: f64, start: f64, spare: Spare }
    /// Memory that every move uses again.
    #[derive(Default)]
    struct Spare { gradients: [Vec<f32>; 2], scores: [Vec<f32>; 2], chances: Vec<f32>, sums: Vec<u16>, layout: Layout }

    impl Sampler {
        /// Layouts from the prior.
        pub fn new(know: &Knowledge, settings: &Settings, rng: &mut Pcg64Mcg) -> Self {
            let walkers = (0..settings.walkers as usize).map(|_| Walker::random(know, rng)).collect_vec();
            let (fresh, spare) = (Walker::random(know, rng), Spare::default());
            Self { logs: vec![0.0; walkers.len()], walkers, next: 0, fresh, sweep: 0.0, start: 1.0, spare }
        }
        /// Each layout with its weight.
        pub fn layouts(&self) -> impl Iterator<Item = (&Layout, f64)> {
            self.walkers.iter().map(|walker| &walker.layout).zip(self.weights())
        }
        fn weights(&self) -> Vec<f64> {
            let most = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = self.logs.iter().map(|log| (log - most).exp()).sum();
            self.logs.iter().map(|log| (log - most).exp() / sum).collect()
        }
        /// Weights the layouts by the last reply, to these cells, which estimates this sum.
        pub fn learn(&mut self, know: &Knowledge, cells: &[usize], sum: (f32, f32), settings: &Settings) {
            let question = know.questions() - 1;
            let mut unused = 0.0;
            let fresh = std::iter::once((&mut self.fresh, &mut unused));
            for (walker, weight) in self.walkers.iter_mut().zip(&mut self.logs).chain(fresh) {
                let own = know.sum(question, &walker.layout);
                let log = f64::from(know.log_likelihood(question, own));
                cells.iter().for_each(|&cell| walker.gradient[cell] += sum.1 * (sum.0 - f32::from(own)));
                walker.sums.push(own);
                walker.log += log;
                *weight += settings.trust * log;
            }
        }
        /// Takes their weight from the layouts whose answer was refused.
        pub fn learn_refusal(&mut self, know: &Knowledge) {
            let both = self.walkers.iter().zip(&mut self.logs);
            both.filter(|(walker, _)| know.is_refused(&walker.layout)).for_each(|(_, log)| *log -= 30.0);
        }
        /// Draws the population anew if a few of its layouts outweigh the rest.
        pub fn resample(&mut self, settings: &Settings, rng: &mut Pcg64Mcg) {
            let (weights, count) = (self.weights(), self.walkers.len());
            if weights.iter().map(|w| w * w).sum::<f64>() * settings.few * count as f64 <= 1.0 { return }
            let copies = systematic(&weights, count, rng);
            let mut free = (0..count).filter(|&index| copies[index] == 0).collect_vec();
            for index in (0..count).flat_map(|index| vec![index; copies[index].saturating_sub(1)]) {
                let place = free.pop().expect("as many are copied as are left out");
                self.walkers[place] = self.walkers[index].clone();
            }
            self.logs.fill(0.0);
        }
        /// How much worse the best layout fits than the hidden one should, in standard deviations.
        pub fn misfit(&self, know: &Knowledge) -> f64 {
            let best = self.walkers.iter().map(|walker| walker.log).fold(f64::NEG_INFINITY, f64::max);
            (know.expected_log - best) / (0.5 * know.questions() as f64 + 1.0).sqrt()
        }
        /// Lets the layouts walk, one after the other. Returns the work, about `budget`.
        pub fn walk(&mut self, know: &Knowledge, budget: f64, settings: &Settings, rng: &mut Pcg64Mcg) -> f64 {
            let (mut work, heat) = (0.0, settings.heat as f32);
            for _ in 0..20 * self.walkers.len() {
                if work >= budget { break }
                self.next = (self.next + 1) % self.walkers.len();
                let walker = &mut self.walkers[self.next];
                work += Step { know, walker, spare: &mut self.spare, rng, settings, heat }.sweep();
            }
            work
        }
        /// Anneals a new layout. It takes the place of one of the population if it fits better, or as
        /// Metropolis decides, and of all that are far less likely. Returns the work, about `budget`.
        pub fn renew(&mut self, know: &Knowledge, budget: f64, settings: &Settings, rng: &mut Pcg64Mcg) -> f64 {
            let mut work = 0.0;
            while work < budget {
                if self.sweep == 0.0 {
                    self.fresh = Walker::random(know, rng);
                    let excess = (know.expected_log - self.fresh.log).max(1.0);
                    self.start = (settings.hot * know.grid.fields.len() as f64 / excess).min(1.0);
                }
                let heat = (settings.heat * self.start.powf(1.0 - self.sweep / settings.sweeps)) as f32;
                work += Step { know, walker: &mut self.fresh, spare: &mut self.spare, rng, settings, heat }.sweep();
                self.sweep += 1.0;
                if self.sweep > settings.sweeps { self.take_fresh(settings, rng) }
            }
            work
        }
        fn take_fresh(&mut self, settings: &Settings, rng: &mut Pcg64Mcg) {
            self.sweep = 0.0;
            let one = rng.random_range(0..self.walkers.len());
            for (index, walker) in self.walkers.iter_mut().enumerate() {
                let better = settings.heat * (self.fresh.log - walker.log);
                let takes = if index == one { rng.random::<f64>() < better.exp() } else { better > settings.over };
                if takes { *walker = self.fresh.clone() }
            }
        }
    }

    impl Walker {
        /// A layout from the prior: each place of a field is equally likely.
        fn random(know: &Knowledge, rng: &mut Pcg64Mcg) -> Self {
            let place = |field: &super::grid::Field| field.places[rng.random_range(0..field.places.len())];
            let layout = know.grid.fields.iter().map(place).collect_vec();
            let mut gradient = know.slope.clone();
            for cell in know.grid.covered(&layout) {
                let row = &know.square[cell * gradient.len()..];
                gradient.iter_mut().zip(row).for_each(|(own, weight)| *own -= weight);
            }
            let sums = know.sums(&layout);
            Self { log: know.log_of(&sums), layout, gradient, sums }
        }
    }
    /// How often each is drawn, if `count` are drawn at equal distances from weights of sum 1.
    pub fn systematic(weights: &[f64], count: usize, rng: &mut Pcg64Mcg) -> Vec<usize> {
        let (start, mut sum, mut drawn) = (rng.random::<f64>(), 0.0, 0);
        let mut copies = weights.iter().map(|weight| {
            sum += weight * count as f64;
            let before = std::mem::replace(&mut drawn, ((sum - start).ceil() as usize).min(count));
            drawn - before
        }).collect_vec();
        let last = weights.iter().position_max_by(|a, b| a.total_cmp(b)).expect("some weight");
        copies[last] += count - drawn; // sums of rounded numbers can end below 1
        copies
    }
    /// A walker, and what its moves need. `heat` is the power of the likelihood.
    struct Step<'a> {
        know: &'a Knowledge, walker: &'a mut Walker, spare: &'a mut Spare, rng: &'a mut Pcg64Mcg,
        settings: &'a Settings, heat: f32,
    }

    impl Step<'_> {
        /// As many moves as there are fields. Returns the work.
        fn sweep(&mut self) -> f64 {
            let fields = self.know.grid.fields.len();
            (0..fields).map(|_| {
                let (a, b) = (self.rng.random_range(0..fields), self.rng.random_range(0..fields));
                match a != b && self.rng.random::<f64>() < self.settings.pairs {
                    true => self.move_two(a, b),
                    false => self.move_one(a),
                }
            }).sum()
        }
        /// Puts one field where the others leave it likely.
        fn move_one(&mut self, field: usize) -> f64 {
            let (old, heat) = (self.walker.layout[field], self.heat);
            let Spare { gradients: [without, _], scores: [scores, _], chances, .. } = &mut *self.spare;
            add_field(self.know, without, &self.walker.gradient, field, old, 1.0);
            score_places(self.know, field, without, scores);
            let new = draw(scores, heat, chances, self.rng);
            let proposed = heat * (scores[usize::from(old)] - scores[usize::from(new)]);
            if new != old && self.is_accepted(&[(field, new)], proposed) {
                add_field(self.know, &mut self.walker.gradient, &self.spare.gradients[0], field, new, -1.0);
            }
            self.work(field)
        }
        /// Takes two fields out and puts them back, so that they can change places.
        fn move_two(&mut self, a: usize, b: usize) -> f64 {
            let (know, heat, loose) = (self.know, self.heat, self.heat * self.settings.loose as f32);
            let (old_a, old_b) = (self.walker.layout[a], self.walker.layout[b]);
            let work = self.work(a) + 1.2 * self.work(b);
            let Spare { gradients: [first, second], scores: [scores_a, scores_b], chances, .. } = &mut *self.spare;
            // The way back: a is drawn without b, then b, while a is in its old place.
            add_field(know, second, &self.walker.gradient, b, old_b, 1.0);
            score_places(know, b, second, scores_b);
            let back = ln_chance(scores_b, old_b, heat);
            add_field(know, first, second, a, old_a, 1.0);
            score_places(know, a, first, scores_a);
            // The way there.
            let new_a = draw(scores_a, loose, chances, self.rng);
            if new_a == old_a { return work }
            add_field(know, second, first, a, new_a, -1.0);
            score_places(know, b, second, scores_b);
            let new_b = draw(scores_b, heat, chances, self.rng);
            let there = ln_chance(scores_b, new_b, heat);
            let chance_a = loose * (scores_a[usize::from(old_a)] - scores_a[usize::from(new_a)]);
            if self.is_accepted(&[(a, new_a), (b, new_b)], chance_a + back - there) {
                add_field(know, &mut self.walker.gradient, &self.spare.gradients[1], b, new_b, -1.0);
            }
            work
        }
        /// About what it costs to score the places of a field.
        fn work(&self, field: usize) -> f64 {
            let (field, area) = (&self.know.grid.fields[field], self.know.grid.area());
            let additions = field.cells.len() * (area + field.end());
            additions as f64 / 5.0 + 2.5 * field.end() as f64 + self.walker.sums.len() as f64 + 100.0
        }
        /// Moves fields to new places, with the probability of Metropolis and Hastings. `proposed`: the
        /// logarithm of the chance that the way back is proposed, over that of the way there.
        fn is_accepted(&mut self, moves: &[(usize, u16)], proposed: f32) -> bool {
            let Spare { sums, layout, .. } = &mut *self.spare;
            sums.clone_from(&self.walker.sums);
            layout.clone_from(&self.walker.layout);
            for &(field, new) in moves {
                let covers = self.know.cover(field, new).iter().zip(self.know.cover(field, layout[field]));
                sums.iter_mut().zip(covers).for_each(|(sum, (&new, &old))| *sum = *sum + u16::from(new) - u16::from(old));
                layout[field] = new;
            }
            let log = |(question, (&new, &old)): (usize, (&u16, &u16))| {
                self.know.log_likelihood(question, new) - self.know.log_likelihood(question, old)
            };
            let change: f32 = sums.iter().zip(&self.walker.sums).enumerate().map(log).sum();
            let chance = (self.heat * change + proposed).exp();
            let accepted = self.rng.random::<f32>() < chance && !self.know.is_refused(layout);
            if accepted {
                self.walker.log += f64::from(change);
                std::mem::swap(&mut self.walker.sums, sums);
                std::mem::swap(&mut self.walker.layout, layout);
            }
            accepted
        }
    }
    /// to = from + sign · W·e for the cells e of a field in a place.
    fn add_field(know: &Knowledge, to: &mut Vec<f32>, from: &[f32], field: usize, place: u16, sign: f32) {
        let (area, place) = (from.len(), usize::from(place));
        let row = |cell: usize| &know.square[(cell + place) * area..][..area];
        let (fours, rest) = know.grid.fields[field].cells.as_chunks::<4>();
        to.clear();
        to.extend_from_slice(from);
        for &[a, b, c, d] in fours {
            let all = row(a).iter().zip(row(b)).zip(row(c).iter().zip(row(d)));
            to.iter_mut().zip(all).for_each(|(to, ((a, b), (c, d)))| *to += sign * ((a + b) + (c + d)));
        }
        for &one in rest { to.iter_mut().zip(row(one)).for_each(|(to, one)| *to += sign * one) }
    }
    /// The log likelihood of each place of a field that is taken out of the layout with this gradient.
    fn score_places(know: &Knowledge, field: usize, gradient: &[f32], scores: &mut Vec<f32>) {
        scores.clear();
        scores.extend(know.own[field].iter().map(|own| -own));
        let (fours, rest) = know.grid.fields[field].cells.as_chunks::<4>();
        for &[a, b, c, d] in fours {
            let all = gradient[a..].iter().zip(&gradient[b..]).zip(gradient[c..].iter().zip(&gradient[d..]));
            scores.iter_mut().zip(all).for_each(|(score, ((a, b), (c, d)))| *score += (a + b) + (c + d));
        }
        for &one in rest { scores.iter_mut().zip(&gradient[one..]).for_each(|(score, one)| *score += one) }
    }
    /// Draws a place with a probability proportional to exp(heat · score).
    fn draw(scores: &[f32], heat: f32, chances: &mut Vec<f32>, rng: &mut Pcg64Mcg) -> u16 {
        let most = largest(scores);
        chances.clear();
        chances.extend(scores.iter().map(|score| exp(heat * (score - most))));
        let mut left = rng.random::<f32>() * total(chances, |chance| chance);
        for (block, chances) in chances.chunks(16).enumerate() {
            let sum = total(chances, |chance| chance);
            if left < sum {
                let found = chances.iter().position(|chance| { left -= chance; left < 0.0 });
                if let Some(index) = found { return (16 * block + index) as u16 }
            }
            left -= sum;
        }
        scores.iter().position(|&score| score == most).unwrap_or(0) as u16 // rounding left a rest
    }
    /// The logarithm of the probability that `draw` draws this place.
    fn ln_chance(scores: &[f32], place: u16, heat: f32) -> f32 {
        let most = largest(scores);
        heat * (scores[usize::from(place)] - most) - total(scores, |score| exp(heat * (score - most))).ln()
    }
}

#[rustfmt::skip]
pub mod question {
    //! Which cells to ask about: a set is changed cell by cell while that raises its information for cost.
    use rand::Rng;
    use rand::seq::SliceRandom;
    use rand_pcg::Pcg64Mcg;
    use super::bayes::Posterior;
    use super::grid::{CellSet, Grid, Layout};
    use super::noise::{Noise, entropy_term, total};
    /// Different layouts that stand for the posterior, and their probabilities.
    pub struct Pool {
        pub layouts: Vec<Layout>, pub posterior: Posterior,
        weights: Vec<f32>,
        values: Vec<u8>, // of each cell in each layout: [cell * layouts + layout]
        most: usize,     // the largest sum of all cells
    }

    impl Pool {
        /// A pool of these layouts, at least one, with their weights. Equal ones are put together.
        pub fn new(grid: &Grid, mut weighted: Vec<(Layout, f64)>) -> Self {
            weighted.sort_by(|a, b| a.0.cmp(&b.0));
            weighted.dedup_by(|next, kept| {
                let equal = next.0 == kept.0;
                if equal { kept.1 += next.1 }
                equal
            });
            let count = weighted.len();
            let mut values = vec![0; grid.area() * count];
            for (index, (layout, _)) in weighted.iter().enumerate() {
                grid.covered(layout).for_each(|cell| values[cell * count + index] += 1);
            }
            let (layouts, weights): (_, Vec<f64>) = weighted.into_iter().unzip();
            let posterior = Posterior::from_prior(&weights);
            let sum: f64 = weights.iter().sum();
            let weights = weights.iter().map(|weight| (weight / sum) as f32).collect();
            let most = grid.fields.iter().map(|field| field.cells.len()).sum();
            Self { layouts, posterior, weights, values, most }
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
        sums: Vec<u16>,        // of the set, in each layout of the pool
        by_sum: Vec<f32>,      // the probability of each sum,
        range: (usize, usize), // not 0 from the first to the last of these
        by_reply: Vec<f32>,
        pub work: f64,         // so far
    }

    impl<'a> Climber<'a> {
        /// The empty set. `per_cost`: whether cost counts.
        pub fn new(pool: &'a Pool, noise: &'a mut Noise, area: usize, per_cost: bool) -> Self {
            let (sums, by_sum) = (vec![0; pool.layouts.len()], vec![0.0; pool.most + 1]);
            let (set, range, by_reply) = (vec![false; area], (0, 0), vec![]);
            Self { pool, noise, per_cost, set, size: 0, sums, by_sum, range, by_reply, work: 0.0 }
        }
        /// The best set found, and its value: from `start`, then from random sets within the budget.
        pub fn best(&mut self, start: Option<&[bool]>, budget: f64, rng: &mut Pcg64Mcg) -> (Vec<bool>, f64) {
            let mut best = (vec![], f64::NEG_INFINITY);
            for attempt in 0..20 {
                if attempt > 0 && self.work >= budget { break }
                match start.filter(|_| attempt == 0) {
                    Some(start) => self.change(|cell| start[cell]),
                    None => self.change(|_| rng.random()),
                }
                let value = self.climb(budget, rng);
                if value > best.1 { best = (self.set.clone(), value) }
            }
            best
        }
        /// Changes cells while that makes the set better. Returns its value.
        fn climb(&mut self, budget: f64, rng: &mut Pcg64Mcg) -> f64 {
            let mut order: Vec<usize> = (0..self.set.len()).collect();
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
                    if since >= order.len() || self.work >= budget { return best.into() }
                }
            }
        }
        /// The value of a set.
        pub fn value_of(&mut self, cells: &[usize]) -> f64 {
            self.change(|cell| cells.contains(&cell));
            self.value(None).into()
        }
        fn change(&mut self, mut wanted: impl FnMut(usize) -> bool) {
            for cell in 0..self.set.len() {
                if self.set[cell] != wanted(cell) { self.toggle(cell) }
            }
        }
        fn toggle(&mut self, cell: usize) {
            let (sign, column) = self.column(cell);
            self.sums.iter_mut().zip(column).for_each(|(sum, &value)| *sum = changed(*sum, sign, value));
            self.size = self.size.wrapping_add_signed(if self.set[cell] { -1 } else { 1 });
            self.set[cell] = !self.set[cell];
        }
        /// What a change of this cell adds to the sums: a sign, 1 or −1, and its values.
        fn column(&self, cell: usize) -> (u16, &'a [u8]) {
            let count = self.pool.layouts.len();
            (if self.set[cell] { u16::MAX } else { 1 }, &self.pool.values[cell * count..][..count])
        }
        /// Information for cost of the set, after a change of this cell.
        fn value(&mut self, change: Option<usize>) -> f32 {
            let more = change.map_or(0, |cell| if self.set[cell] { -1 } else { 1 });
            let size = self.size.wrapping_add_signed(more);
            if size == 0 { return 0.0 }
            let column = change.map(|cell| self.column(cell));
            self.by_sum[self.range.0..=self.range.1].fill(0.0);
            let (mut least, mut most) = (u16::MAX, 0);
            let mut add = |sum: u16, weight: f32| {
                self.by_sum[usize::from(sum)] += weight;
                (least, most) = (least.min(sum), most.max(sum));
            };
            let both = self.sums.iter().zip(&self.pool.weights);
            match column {
                None => both.for_each(|(&sum, &weight)| add(sum, weight)),
                Some((sign, column)) => {
                    both.zip(column).for_each(|((&sum, &weight), &value)| add(changed(sum, sign, value), weight));
                }
            }
            self.range = (least.into(), most.into());
            self.work += (2 * self.sums.len() + 800) as f64;
            self.information(size) * if self.per_cost { (size as f32).sqrt() } else { 1.0 }
        }
        /// I = H(R) − H(R | sum): the shared module's `noisy_information_bits`, for this game.
        fn information(&mut self, size: usize) -> f32 {
            let (least, most) = self.range;
            if size == 1 { return total(&self.by_sum[least..=most], entropy_term) }
            let channel = self.noise.channel(size, most);
            let (first, last) = (channel[least].first, &channel[most]);
            self.by_reply.clear();
            self.by_reply.resize(last.first + last.likelihood.len() - first, 0.0);
            let mut noise = 0.0;
            for (replies, &p) in channel[least..=most].iter().zip(&self.by_sum[least..=most]) {
                if p > 0.0 {
                    noise += p * replies.bits;
                    let sums = self.by_reply[replies.first - first..].iter_mut();
                    sums.zip(&replies.likelihood).for_each(|(sum, likelihood)| *sum += p * likelihood);
                }
            }
            total(&self.by_reply, entropy_term) - noise
        }
    }
    fn changed(sum: u16, sign: u16, value: u8) -> u16 { sum.wrapping_add(sign.wrapping_mul(value.into())) }
}

impl Settings {
    /// These settings for a grid: with few fields, the population is the posterior.
    fn for_grid(self, grid: &Grid) -> Self {
        if grid.fields.len() as f64 > self.sharp {
            return self;
        }
        let (trust, heat, early) = (1.0, 1.0, 0.7);
        Self {
            trust,
            heat,
            early,
            ..self
        }
    }
}

/// What to do next: ask about these cells, or declare that the oil is in these.
pub enum Move {
    Ask(Vec<usize>),
    Answer(CellSet),
}
/// The posterior of the layouts.
enum Belief {
    Listed(Posterior),
    Sampled(Box<Sampler>),
}

/// Plays one case. Knows neither judge nor clock.
pub struct Player {
    /// What was asked and replied.
    pub know: Knowledge,
    belief: Belief,
    settings: Settings,
    rng: Pcg64Mcg,
    turn: usize,
    work_left: f64,
    allowance: f64, // the work of this turn
    bits_left: f64, // the entropy of the prior less the information of all questions,
    last_bits: f64, // and that of the last one
    last_set: Option<Vec<bool>>,
    drilled: Vec<Option<usize>>, // the value of each cell, if it is known,
    misfit: f64,                 // and how badly the best layout fits
    /// The layouts by which this turn's move was chosen.
    pub pool: Pool,
    /// The information for cost of this turn's best question.
    pub value: f64,
}

#[rustfmt::skip]
impl Player {
    /// Before the first operation.
    pub fn new(grid: Grid, settings: Settings) -> Self {
        let (mut rng, bits_left, area) = (Pcg64Mcg::seed_from_u64(0), grid.bits(), grid.area());
        let settings = settings.for_grid(&grid);
        let pool = Pool::new(&grid, vec![(vec![0; grid.fields.len()], 1.0)]);
        let know = Knowledge::new(grid);
        let belief = match list(&know.grid, settings.listed) {
            Some(posterior) => Belief::Listed(posterior),
            None => Belief::Sampled(Box::new(Sampler::new(&know, &settings, &mut rng))),
        };
        Self {
            know, belief, settings, rng, turn: 0, work_left: settings.work, allowance: 0.0, bits_left, last_bits: 3.0,
            last_set: None, drilled: vec![None; area], misfit: 0.0, pool, value: 0.0,
        }
    }
    /// The grid that it plays on.
    pub fn grid(&self) -> &Grid { &self.know.grid }
    /// The power of the likelihood in the pool: 1 where all layouts are listed.
    pub fn power(&self) -> f64 {
        match self.belief { Belief::Listed(_) => 1.0, Belief::Sampled(_) => self.settings.heat }
    }
    /// Chooses the next operation. `pace` is 1, or less if time is short: the share of work to do.
    pub fn choose(&mut self, pace: f64) -> Move {
        self.allowance = pace * self.work_of_turn();
        let layouts = self.layouts();
        self.pool = Pool::new(&self.know.grid, layouts);
        let (settings, is_lost) = (self.settings, self.misfit > self.settings.lost);
        let cells = if is_lost { self.random_cells() } else { self.question() };
        let (answer, mut right) = self.pool.answer(&self.know.grid);
        let too_few = is_lost && right < settings.sure;
        if too_few || self.misfit > settings.wrong || self.know.refused.contains(&answer) { right = 0.0 }
        // An answer is a question, too: whether it is right. It costs 1 if not.
        let wrong = (1.0 - right).max(1e-9);
        let answering = Worth { information_bits: settings.courage * yes_or_no_bits(wrong), right, cost: wrong };
        let asking = Worth { information_bits: self.value, right: 0.0, cost: 1.0 };
        let moves = [(Move::Ask(cells), asking), (Move::Answer(answer), answering)];
        let ((best, _), _) = best_question(moves, |next| next.1, 0.0).expect("there are two");
        if matches!(best, Move::Answer(_)) { return best }
        // Operations are kept back to drill the cells that the layouts differ in, or all if none fits.
        let left = self.know.operations() - self.turn;
        if left > self.drilled.len() + 2 { return best }
        let (oil, is_lost) = (self.pool.oil_probabilities(), is_lost || right == 0.0);
        let open = (0..oil.len()).filter(|&cell| self.drilled[cell].is_none());
        let unsure = open.filter(|&cell| is_lost || (0.01..0.99).contains(&oil[cell])).count();
        if left > unsure + 2 { return best }
        if left > 1 && unsure > 0 { return Move::Ask(vec![self.open_cell(|p| -(p - 0.5).abs())]) }
        let is_wet = |&cell: &usize| self.drilled[cell].map_or(oil[cell] > 0.5, |value| value > 0);
        Move::Answer(set_of((0..oil.len()).filter(is_wet)))
    }
    /// Whether no operation is left.
    pub fn is_over(&self) -> bool { self.turn >= self.know.operations() }
    /// What this turn may cost. Late turns get more: then layouts that fit are hard to find.
    fn work_of_turn(&self) -> f64 {
        let (settings, left) = (&self.settings, self.know.operations() - self.turn);
        let by_bits = self.bits_left.max(0.0) / self.last_bits * 1.3 + 3.0;
        let turns = by_bits.max(settings.longer * self.turn as f64).min(left as f64);
        let known = ((1.0 - self.bits_left / self.know.grid.bits()) / 1.2).clamp(0.0, 1.0);
        let share = settings.early + (1.0 - settings.early) * known * known;
        share * self.work_left.max(0.0) / turns.max(if self.misfit > settings.fit { settings.late } else { settings.soon })
    }
    /// Layouts with their weights; of a long list, some that are drawn by their weights. One whose answer
    /// was refused is among them only if there is no other.
    fn layouts(&mut self) -> Vec<(Layout, f64)> {
        let posterior = match &self.belief {
            Belief::Sampled(sampler) => {
                let all = sampler.layouts().map(|(layout, weight)| (layout.clone(), weight));
                let (refused, open): (Vec<_>, Vec<_>) = all.partition(|(layout, _)| self.know.is_refused(layout));
                return if open.is_empty() { refused } else { open };
            }
            Belief::Listed(posterior) => posterior,
        };
        let (support, total, most) = (posterior.support(), posterior.total(), self.settings.pool as usize);
        let mut weights = (0..support.len()).map(|index| posterior.weight(index) / total).collect_vec();
        if weights.len() > most {
            weights = systematic(&weights, most, &mut self.rng).into_iter().map(|copies| copies as f64).collect();
        }
        let all = support.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
        all.map(|(&hypothesis, weight)| (layout(&self.know.grid, hypothesis), weight)).collect()
    }
    /// A question that needs no layouts, for when none fits: each cell with probability 1/2.
    fn random_cells(&mut self) -> Vec<usize> {
        let cells = (0..self.drilled.len()).filter(|_| self.rng.random()).collect_vec();
        self.value = self.value_of(&cells).max(0.0);
        self.last_set = None;
        cells
    }
    /// The best question. Keeps its value.
    fn question(&mut self) -> Vec<usize> {
        if self.settings.policy == 2.0 {
            let cell = self.open_cell(|p| p);
            self.value = self.value_of(&[cell]).max(0.0);
            return vec![cell];
        }
        let mut climber = Climber::new(&self.pool, &mut self.know.noise, self.drilled.len(), self.settings.policy == 0.0);
        let budget = self.settings.asking * self.allowance;
        let (set, value) = climber.best(self.last_set.as_deref(), budget, &mut self.rng);
        self.work_left -= climber.work;
        self.value = value.max(0.0);
        let cells = set.iter().positions(|&asked| asked).collect_vec();
        self.last_set = Some(set);
        if cells.is_empty() || self.value < 0.01 { return self.random_cells() }
        if self.settings.policy > 0.0 { self.value = self.value_of(&cells) } // an answer is compared for its cost
        cells
    }
    /// The information for cost of any question, at this turn.
    pub fn value_of(&mut self, cells: &[usize]) -> f64 {
        Climber::new(&self.pool, &mut self.know.noise, self.drilled.len(), true).value_of(cells)
    }
    /// The cell, of those that were not drilled, for whose probability of oil a function is largest.
    fn open_cell(&self, of: impl Fn(f64) -> f64) -> usize {
        let oil = self.pool.oil_probabilities();
        let open = (0..oil.len()).filter(|&cell| self.drilled[cell].is_none());
        open.max_by(|&a, &b| of(oil[a]).total_cmp(&of(oil[b]))).unwrap_or(0)
    }
    /// Learns the reply to a question.
    pub fn learn(&mut self, cells: &[usize], reply: usize) {
        if let &[cell] = cells { self.drilled[cell] = Some(reply) }
        self.last_bits = (self.value / (cells.len() as f64).sqrt()).max(0.3);
        self.bits_left -= self.last_bits;
        let (sum, know) = (self.know.learn(cells, reply), &self.know);
        match &mut self.belief {
            Belief::Sampled(sampler) => sampler.learn(know, cells, sum, &self.settings),
            Belief::Listed(posterior) => {
                let question = know.questions() - 1;
                let sum = |hypothesis| know.sum(question, &layout(&know.grid, hypothesis));
                posterior.update_log(|hypothesis| know.log_likelihood(question, sum(hypothesis)).into());
                posterior.forget_below(-25.0);
            }
        }
        self.end_turn();
    }
    /// Learns that an answer was wrong.
    pub fn learn_refusal(&mut self, answer: CellSet) {
        self.know.refused.push(answer);
        let know = &self.know;
        match &mut self.belief {
            Belief::Sampled(sampler) => sampler.learn_refusal(know),
            Belief::Listed(posterior) => posterior.update(|own| (!know.is_refused(&layout(&know.grid, own))).into()),
        }
        self.end_turn();
    }
    fn end_turn(&mut self) {
        self.turn += 1;
        let Belief::Sampled(sampler) = &mut self.belief else { return };
        sampler.resample(&self.settings, &mut self.rng);
        self.misfit = sampler.misfit(&self.know);
        let share = if self.misfit > self.settings.fit { self.settings.renew } else { self.settings.fresh };
        let budget = (1.0 - self.settings.asking) * self.allowance;
        self.work_left -= sampler.renew(&self.know, share * budget, &self.settings, &mut self.rng);
        self.work_left -= sampler.walk(&self.know, (1.0 - share) * budget, &self.settings, &mut self.rng);
    }
}

fn main() -> ExitCode {
    let started = Instant::now();
    play(started).map_or_else(
        |why| {
            eprintln!("oil: {why}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}

/// Plays with the judge on standard input and output. `--NAME VALUE` changes a setting.
fn play(started: Instant) -> Result<(), String> {
    let mut settings = Settings::default();
    for (name, value) in std::env::args().skip(1).tuples() {
        settings.set(
            name.trim_start_matches("--"),
            value
                .parse()
                .map_err(|_| format!("{value:?} is no number"))?,
        )?;
    }
    let mut judge = Judge::on_stdin();
    let mut player = Player::new(Grid::read(&mut judge)?, settings);
    let n = player.grid().n;
    loop {
        let pace =
            (settings.end - started.elapsed().as_secs_f64()) / (settings.end - settings.hurry);
        let next = player.choose(pace.clamp(0.0, 1.0));
        let (kind, cells) = match &next {
            Move::Ask(cells) => ('q', cells.clone()),
            Move::Answer(answer) => ('a', cells_of(answer)),
        };
        let words = cells
            .iter()
            .map(|cell| format!(" {} {}", cell / n, cell % n));
        judge.ask(&format!("{kind} {}{}", cells.len(), words.format("")))?;
        input_interactive! { from judge, reply: usize }
        match next {
            Move::Ask(_) => player.learn(&cells, reply),
            Move::Answer(_) if reply == 1 => return Ok(()),
            Move::Answer(answer) => player.learn_refusal(answer),
        }
        if player.is_over() {
            return Err("all operations are used up".into());
        }
    }
}
