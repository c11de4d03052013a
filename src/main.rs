//! Plays Hit & Blow and Mastermind by Bayes' rule and mutual information.
//!
//! One file, to be pasted as it is. The judge's first line names the game: `hitblow P K` (P
//! distinct digits of 0..K are hidden) or `mastermind P K` (digits may repeat). Each guess is
//! answered by `h b`: h digits are right and in their place, b are right but elsewhere.
//!
//! Before the first guess every code has a *prior* probability. Each reply has a *likelihood*
//! under each code, and Bayes' rule multiplies the two into the *posterior*. The next guess is the
//! one whose reply is expected to tell most about the secret: the *mutual information* between
//! reply and secret, plus a bonus for the chance of being right at once.
//!
//! Reading order: lines in and out · codes and feedback · prior, likelihood, posterior · the score
//! of a guess · which guesses are scored · the strategy · main.
//!
//! Options, for use at home: `--policy mi|map`, `--hit-bonus BITS`, `--trace`.

use std::io::{BufReader, Stdin, stdin};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use itertools::Itertools;
use proconio::input;
use proconio::source::line::LineSource;
use rand::seq::index;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

// ---------------------------------------------------------------------------------------------
// Lines in and out
// ---------------------------------------------------------------------------------------------

/// The judge at the other end of standard input and output.
pub struct Judge {
    /// Named, and not left to `input!`: without a source, proconio reads to the end of the input
    /// before it returns anything, and an interactive judge would wait for us for ever.
    source: LineSource<BufReader<Stdin>>,
}

impl Judge {
    /// The judge on our standard input. Only one may be made.
    pub fn on_stdin() -> Self {
        Self {
            source: LineSource::new(BufReader::new(stdin())),
        }
    }

    /// Reads the opening line: name of the game, places, digits.
    ///
    /// # Panics
    /// If the input ends, or is not of that form.
    pub fn opening(&mut self) -> (String, usize, usize) {
        input! { from &mut self.source, name: String, places: usize, digits: usize }
        (name, places, digits)
    }

    /// Makes a guess and reads the reply; `None` if the judge refused the guess with `-1`.
    ///
    /// # Panics
    /// If the input ends, or is not of that form.
    pub fn ask(&mut self, guess: &[u8]) -> Option<Feedback> {
        // `println!` ends the line and so flushes it, on a pipe as well. A buffered writer or
        // `#[fastout]` would leave the judge waiting for us, and us for the judge.
        println!("{}", guess.iter().join(" "));
        input! { from &mut self.source, hits: i64 }
        if hits < 0 {
            return None;
        }
        input! { from &mut self.source, blows: u8 }
        let hits = u8::try_from(hits).expect("a reply has no more hits than places");
        Some(Feedback { hits, blows })
    }
}

// ---------------------------------------------------------------------------------------------
// Codes and feedback
// ---------------------------------------------------------------------------------------------

/// The most places a code may have.
pub const MAX_PLACES: usize = 10;
/// The most digits a game may have.
pub const MAX_DIGITS: usize = 64;
/// Games with more codes than this are not enumerated.
pub const MAX_CODES: u64 = 2_000_000;

/// The rules of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// P, the length of a code.
    pub places: usize,
    /// K: digits are numbers of 0..K.
    pub digits: usize,
    /// Whether the digits of a code differ (`hitblow`) or may repeat (`mastermind`).
    pub distinct: bool,
}

impl Game {
    /// The game that an opening line names.
    ///
    /// # Errors
    /// If this solver does not know it, or it has too many codes to list; says which.
    pub fn new(name: &str, places: usize, digits: usize) -> Result<Self, String> {
        let distinct = match name {
            "hitblow" => true,
            "mastermind" => false,
            _ => return Err(format!("expected hitblow or mastermind, found {name:?}")),
        };
        let game = Self {
            places,
            digits,
            distinct,
        };
        let enough = if distinct { places } else { 1 };
        if !(1..=MAX_PLACES).contains(&places) || !(enough..=MAX_DIGITS).contains(&digits) {
            return Err(format!(
                "expected 1 to {MAX_PLACES} places and {enough} to {MAX_DIGITS} digits, found {name} {places} {digits}"
            ));
        }
        if game.code_count() > MAX_CODES {
            return Err(format!(
                "expected at most {MAX_CODES} codes, found {} in {name} {places} {digits}",
                game.code_count()
            ));
        }
        Ok(game)
    }

    /// How many codes there are; `u64::MAX` if that does not fit.
    pub fn code_count(&self) -> u64 {
        let choices = |place| self.digits - if self.distinct { place } else { 0 };
        (0..self.places).fold(1, |count: u64, place| {
            count.saturating_mul(choices(place) as u64)
        })
    }
}

/// The reply to a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feedback {
    /// Digits that are right and in their place.
    pub hits: u8,
    /// Digits that are right, but in another place.
    pub blows: u8,
}

impl Feedback {
    /// A number for each feedback, below [`CELLS`].
    pub fn cell(self, places: usize) -> usize {
        usize::from(self.hits + self.blows) * (places + 1) + usize::from(self.hits)
    }

    /// The feedback that has this number.
    pub fn of_cell(cell: usize, places: usize) -> Self {
        let hits = cell % (places + 1);
        Self {
            hits: hits as u8,
            blows: (cell / (places + 1) - hits) as u8,
        }
    }
}

/// Above every [`Feedback::cell`]: (10 + 1)² = 121, rounded up so that masking bounds an index.
pub const CELLS: usize = 128;

/// The number of a code: its place in ascending order, from 0.
pub type CodeId = u32;

/// All codes of a game, in ascending order.
///
/// A code is kept twice: as its digits, and as *tokens*. The token of a place is the digit together
/// with how many equal digits stand before it, so that the tokens of a code differ even where its
/// digits repeat, and two codes have as many digits in common (repeats counted) as they have
/// tokens in common:
///
/// ```text
/// digits  3    1    3    3          first, second and third 3 are three different tokens
/// tokens  3₀   1₀   3₁   3₂
/// ```
///
/// Each token also carries its place, so that one table lookup per place yields both the hit and
/// the digit in common (see [`Replies`]).
pub struct Codes {
    /// The rules.
    pub game: Game,
    digits: Vec<u8>,
    tokens: Vec<u16>,
}

/// Above every token with its place: 10 · 64 · 10 = 6400, rounded up so that masking bounds an index.
const TOKENS: usize = 8192;

impl Codes {
    /// Lists them. Cost: about 20 ns and 3 · P bytes a code.
    pub fn new(game: Game) -> Self {
        let mut codes = Self {
            game,
            digits: Vec::with_capacity(game.code_count() as usize * game.places),
            tokens: Vec::with_capacity(game.code_count() as usize * game.places),
        };
        codes.extend(&mut Vec::with_capacity(game.places));
        codes
    }

    /// Appends every code that begins with `head`.
    fn extend(&mut self, head: &mut Vec<u8>) {
        if head.len() == self.game.places {
            self.digits.extend_from_slice(head);
            for place in 0..head.len() {
                let earlier = head[..place].iter().filter(|&&d| d == head[place]).count();
                self.tokens.push(self.token(place, head[place], earlier));
            }
            return;
        }
        for digit in 0..self.game.digits as u8 {
            if !self.game.distinct || !head.contains(&digit) {
                head.push(digit);
                self.extend(head);
                head.pop();
            }
        }
    }

    /// The token of a digit that `earlier` equal digits stand before, at a place.
    fn token(&self, place: usize, digit: u8, earlier: usize) -> u16 {
        ((place * self.game.places + earlier) * self.game.digits + usize::from(digit)) as u16
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.digits.len() / self.game.places
    }

    /// Never true: every game has a code.
    pub fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }

    /// The digits of a code, first place first.
    pub fn digits(&self, id: CodeId) -> &[u8] {
        let places = self.game.places;
        &self.digits[id as usize * places..][..places]
    }

    fn tokens(&self, id: CodeId) -> &[u16] {
        let places = self.game.places;
        &self.tokens[id as usize * places..][..places]
    }
}

/// The replies to one guess, for every secret.
///
/// For each token at each place, a table holds what it adds to the number of the reply's cell; the
/// cell of a secret is the sum over its P tokens:
///
/// ```text
/// guess 0 1 2            digit 0   1   2   else      (P = 3: a digit in common adds 4,
/// first place              5   4   4   0              a hit adds 1 more)
/// second place             4   5   4   0
/// third place              4   4   5   0             secret 0 2 7: 5 + 4 + 0 = 9 = 1 hit, 1 blow
/// ```
pub struct Replies<'a> {
    codes: &'a Codes,
    table: Box<[u8; TOKENS]>,
}

impl<'a> Replies<'a> {
    /// The replies to `guess`.
    pub fn to(codes: &'a Codes, guess: CodeId) -> Self {
        let mut replies = Self::to_nothing(codes);
        replies.lay_out(guess, u8::wrapping_add);
        replies
    }

    fn to_nothing(codes: &'a Codes) -> Self {
        Self {
            codes,
            table: Box::new([0; TOKENS]),
        }
    }

    /// The reply that `secret` would give.
    pub fn feedback(&self, secret: CodeId) -> Feedback {
        let entry = |&token: &u16| self.table[usize::from(token)];
        let cell: u8 = self.codes.tokens(secret).iter().map(entry).sum();
        Feedback::of_cell(usize::from(cell), self.codes.game.places)
    }

    /// Calls `visit` with the cell of every row, in their order. A row is a code's tokens.
    fn each_cell(&self, rows: &[u16], visit: impl FnMut(usize)) {
        let table = &*self.table;
        // A loop of known length for each number of places is more than twice as fast.
        match self.codes.game.places {
            1 => walk::<1>(rows, table, visit),
            2 => walk::<2>(rows, table, visit),
            3 => walk::<3>(rows, table, visit),
            4 => walk::<4>(rows, table, visit),
            5 => walk::<5>(rows, table, visit),
            6 => walk::<6>(rows, table, visit),
            7 => walk::<7>(rows, table, visit),
            8 => walk::<8>(rows, table, visit),
            9 => walk::<9>(rows, table, visit),
            _ => walk::<MAX_PLACES>(rows, table, visit),
        }
    }

    /// Adds a guess to a table of zeroes, or takes it out again: at most 2 · P² entries.
    fn lay_out(&mut self, guess: CodeId, change: fn(u8, u8) -> u8) {
        let places = self.codes.game.places;
        let (hit, common) = (1, places as u8 + 1);
        for (place, &digit) in self.codes.digits(guess).iter().enumerate() {
            // A secret with this digit at this place has a hit, whatever stands before it.
            let most_earlier = if self.codes.game.distinct { 0 } else { place };
            for earlier in 0..=most_earlier {
                let entry = &mut self.table[usize::from(self.codes.token(place, digit, earlier))];
                *entry = change(*entry, hit);
            }
        }
        let stride = places * self.codes.game.digits;
        for (place, &token) in self.codes.tokens(guess).iter().enumerate() {
            // A secret with this token has a digit in common, at whichever place.
            for at in 0..places {
                let entry = &mut self.table[usize::from(token) - place * stride + at * stride];
                *entry = change(*entry, common);
            }
        }
    }
}

fn walk<const P: usize>(rows: &[u16], table: &[u8; TOKENS], mut visit: impl FnMut(usize)) {
    for row in rows.as_chunks::<P>().0 {
        let mut cell = 0_u8;
        for &token in row {
            cell = cell.wrapping_add(table[usize::from(token) % TOKENS]);
        }
        visit(usize::from(cell) % CELLS);
    }
}

// ---------------------------------------------------------------------------------------------
// Prior, likelihood, posterior
// ---------------------------------------------------------------------------------------------

/// What is believed about the secret: a weight for each code that is still possible.
///
/// Probabilities are weights over their sum. Codes of probability 0 are not kept. Where all weights
/// are equal, as they are as long as prior and likelihoods are, none is stored.
#[derive(Clone)]
pub struct Posterior {
    /// The codes that are still possible (the *candidates*), in ascending order.
    support: Vec<CodeId>,
    /// The weight of each; `None` where all are equal.
    weights: Option<Vec<f64>>,
    /// Whether the prior was uniform, so that renaming digits changes nothing.
    uniform_prior: bool,
}

impl Posterior {
    /// Every one of `count` codes is equally likely.
    pub fn uniform(count: usize) -> Self {
        Self::among((0..count as CodeId).collect(), None)
    }

    /// Only these codes are possible, in ascending order, with these weights > 0; without weights,
    /// all are equally likely, and were so before the first guess.
    pub fn among(support: Vec<CodeId>, weights: Option<Vec<f64>>) -> Self {
        Self {
            uniform_prior: weights.is_none(),
            support,
            weights,
        }
    }

    /// Code i has a probability proportional to `weights[i]` ≥ 0.
    pub fn from_prior(weights: &[f64]) -> Self {
        let (support, weights) = (0..)
            .zip(weights.iter().copied())
            .filter(|w| w.1 > 0.0)
            .unzip();
        Self::among(support, Some(weights))
    }

    /// Bayes' rule: P(code | reply) ∝ P(code) · P(reply | code), the latter being `likelihood`.
    pub fn update(&mut self, likelihood: impl Fn(CodeId) -> f64) {
        let likelihoods = self
            .support
            .iter()
            .map(|&code| likelihood(code))
            .collect_vec();
        let mut possible = likelihoods.iter().filter(|&&l| l > 0.0);
        if self.weights.is_none() && possible.all_equal() {
            let mut likelihoods = likelihoods.iter();
            self.support
                .retain(|_| likelihoods.next().is_some_and(|&l| l > 0.0));
            return;
        }
        // Scaled, so that however many replies come, products neither vanish nor overflow.
        let products = (0..)
            .zip(&likelihoods)
            .map(|(index, l)| self.weight(index) * l)
            .collect_vec();
        let largest = products.iter().copied().fold(0.0, f64::max);
        let (support, weights) = self
            .support
            .iter()
            .zip(products)
            .map(|(&code, product)| (code, product / largest))
            .filter(|&(_, weight)| weight > 0.0)
            .unzip();
        (self.support, self.weights) = (support, Some(weights));
    }

    /// Whether all weights are equal.
    pub fn is_uniform(&self) -> bool {
        self.weights.is_none()
    }

    /// The candidates, in ascending order.
    pub fn support(&self) -> &[CodeId] {
        &self.support
    }

    /// The weight of the candidate at an index of the support.
    pub fn weight(&self, index: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[index])
    }

    /// The sum of all weights.
    pub fn total(&self) -> f64 {
        match &self.weights {
            Some(weights) => weights.iter().sum(),
            None => self.support.len() as f64,
        }
    }

    /// The probability of a code.
    pub fn probability(&self, code: CodeId) -> f64 {
        let found = self.support.binary_search(&code);
        found.map_or(0.0, |index| self.weight(index) / self.total())
    }

    /// The uncertainty about the secret, in bits: −Σ p · log2 p.
    pub fn entropy_bits(&self) -> f64 {
        let total = self.total();
        let probabilities = (0..self.support.len()).map(|i| self.weight(i) / total);
        let positive = probabilities.filter(|&p| p > 0.0); // the smallest may vanish beside the rest
        -positive.map(|p| p * p.log2()).sum::<f64>() + 0.0 // of a single code it is 0, not -0
    }

    /// The most probable code; of several, the smallest.
    ///
    /// # Panics
    /// If no code is possible.
    pub fn mode(&self) -> CodeId {
        let best = (0..self.support.len())
            .rev()
            .max_by(|&a, &b| self.weight(a).total_cmp(&self.weight(b)));
        self.support[best.expect("some code is possible")]
    }
}

/// P(reply | secret, guess): 1 where the rules give that reply, else 0. A judge whose replies were
/// noisy would have its probabilities here, and nothing else would change.
pub fn likelihood(replies: &Replies<'_>, secret: CodeId, reply: Feedback) -> f64 {
    f64::from(u8::from(replies.feedback(secret) == reply))
}

// ---------------------------------------------------------------------------------------------
// The score of a guess
// ---------------------------------------------------------------------------------------------

/// Counts how a guess parts the candidates by their replies, and what that is worth.
///
/// The reply is a function of guess and secret, so H(reply | secret) = 0, and the mutual
/// information between reply and secret is the entropy of the reply,
///
/// ```text
/// I = H(reply) = −Σ p_r · log2 p_r = log2 W − (1/W) · Σ w_r · log2 w_r
/// ```
///
/// w_r being the weight of the candidates that would reply r, and W the sum of all.
pub struct Scorer<'a> {
    replies: Replies<'a>,
    /// The tokens of all candidates, one after the other.
    rows: Vec<u16>,
    weights: Option<Vec<f64>>,
    total: f64,
    /// The numbers of all possible feedbacks.
    cells: Vec<usize>,
    /// n · log2 n for every possible size of a cell, where weights are equal.
    n_log_n: Vec<f64>,
    /// How many candidates would give each reply to the guess that was counted last.
    counts: [u32; CELLS],
}

/// The weight of the candidates in each cell.
pub type Partition = [f64; CELLS];

impl<'a> Scorer<'a> {
    /// A scorer of guesses against these candidates: indices into `posterior`'s support.
    pub fn new(codes: &'a Codes, posterior: &Posterior, sample: &[usize]) -> Self {
        let places = codes.game.places;
        let mut rows = Vec::with_capacity(sample.len() * places);
        for &index in sample {
            rows.extend_from_slice(codes.tokens(posterior.support[index]));
        }
        let weights = posterior.weights.as_ref();
        let weights = weights.map(|w| sample.iter().map(|&index| w[index]).collect_vec());
        let (total, largest) = match &weights {
            Some(weights) => (weights.iter().sum(), 0),
            None => (sample.len() as f64, sample.len()),
        };
        let feedbacks =
            (0..=places).flat_map(|common| (0..=common).map(move |hits| (common, hits)));
        Self {
            replies: Replies::to_nothing(codes),
            rows,
            weights,
            total,
            cells: feedbacks
                .map(|(common, hits)| common * (places + 1) + hits)
                .collect(),
            n_log_n: (0..=largest)
                .map(|n| n as f64 * (n.max(1) as f64).log2())
                .collect(),
            counts: [0; CELLS],
        }
    }

    /// How much less there is to learn after the reply to `guess` than now, in bits.
    pub fn mutual_information_bits(&mut self, guess: CodeId) -> f64 {
        // The sum over the partition of w · log2 w.
        let sum: f64 = if self.weights.is_none() {
            self.count(guess);
            let size = |&cell: &usize| self.counts[cell] as usize;
            self.cells.iter().map(|cell| self.n_log_n[size(cell)]).sum()
        } else {
            let partition = self.partition(guess);
            let positive = partition.iter().filter(|&&w| w > 0.0);
            positive.map(|w| w * w.log2()).sum()
        };
        self.total.log2() - sum / self.total
    }

    /// Whether every candidate would reply differently. Weights do not matter.
    pub fn tells_all_apart(&mut self, guess: CodeId) -> bool {
        self.count(guess);
        self.cells.iter().all(|&cell| self.counts[cell] <= 1)
    }

    /// The weight of the candidates that would give each reply.
    pub fn partition(&mut self, guess: CodeId) -> Partition {
        let Some(weights) = self.weights.take() else {
            self.count(guess);
            return self.counts.map(f64::from);
        };
        let mut partition = [0.0; CELLS];
        let mut weight = weights.iter();
        self.each_cell(guess, |cell| {
            partition[cell] += weight.next().expect("a weight for each row");
        });
        self.weights = Some(weights);
        partition
    }

    /// Counts how many candidates would give each reply, for [`Scorer::counts`].
    pub fn count(&mut self, guess: CodeId) {
        for &cell in &self.cells {
            self.counts[cell] = 0;
        }
        self.replies.lay_out(guess, u8::wrapping_add);
        let counts = &mut self.counts;
        self.replies.each_cell(&self.rows, |cell| counts[cell] += 1);
        self.replies.lay_out(guess, u8::wrapping_sub);
    }

    /// How many candidates would give each reply to the guess that was counted last, by cell.
    pub fn counts(&self) -> &[u32; CELLS] {
        &self.counts
    }

    /// The cells that the game has.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// n · log2 n for every possible size of a cell, where weights are equal.
    pub fn n_log_n(&self) -> &[f64] {
        &self.n_log_n
    }

    /// Calls `visit` with the cell of every candidate, in their order.
    fn each_cell(&mut self, guess: CodeId, visit: impl FnMut(usize)) {
        self.replies.lay_out(guess, u8::wrapping_add);
        self.replies.each_cell(&self.rows, visit);
        self.replies.lay_out(guess, u8::wrapping_sub);
    }
}

// ---------------------------------------------------------------------------------------------
// Which guesses are scored
// ---------------------------------------------------------------------------------------------

/// Digits that nothing has told apart yet.
///
/// As long as the prior is uniform, two digits that no guess has named are interchangeable:
/// swapping their names turns each candidate into a candidate and each guess into one of the same
/// worth. So are two digits that no candidate has. Of the guesses that differ only in such names,
/// the smallest is scored, for all; the result is that of scoring every code.
pub struct Alike {
    /// For each digit, its class (0: none, it stands for itself) and its rank in it.
    class: [(u8, u8); MAX_DIGITS],
    distinct: bool,
}

const UNNAMED: u8 = 1;
const ABSENT: u8 = 2;

impl Alike {
    /// What is alike after guesses in which these digits were `named`.
    pub fn new(codes: &Codes, posterior: &Posterior, named: &[bool; MAX_DIGITS]) -> Self {
        let mut present = [false; MAX_DIGITS];
        let mut missing = codes.game.digits;
        for &code in &posterior.support {
            for &digit in codes.digits(code) {
                missing -= usize::from(!present[usize::from(digit)]);
                present[usize::from(digit)] = true;
            }
            if missing == 0 {
                break;
            }
        }
        let mut class = [(0, 0); MAX_DIGITS];
        let mut sizes = [0, 0, 0];
        for digit in 0..codes.game.digits {
            let kind = if !present[digit] {
                ABSENT
            } else if !named[digit] && posterior.uniform_prior {
                UNNAMED
            } else {
                continue;
            };
            class[digit] = (kind, sizes[usize::from(kind)]);
            sizes[usize::from(kind)] += 1;
        }
        Self {
            class,
            distinct: codes.game.distinct,
        }
    }

    /// Whether no code of the same worth is smaller: the digits of a class appear in their order.
    pub fn is_smallest(&self, code: &[u8]) -> bool {
        let mut seen = [0, 0, 0];
        code.iter().all(|&digit| {
            let (class, rank) = self.class[usize::from(digit)];
            let seen = &mut seen[usize::from(class)];
            match class {
                0 => true,
                // Which absent digit it is does not matter, nor whether it is the same one twice.
                ABSENT if !self.distinct => rank == 0,
                _ if rank == *seen => {
                    *seen += 1;
                    true
                }
                _ => rank < *seen,
            }
        })
    }
}

/// Before the first guess the places are interchangeable too: of the guesses that differ only in
/// their order, the smallest has equal digits together, the most frequent first.
pub fn is_smallest_order(code: &[u8]) -> bool {
    let runs = code.chunk_by(|a, b| a == b).map(<[u8]>::len).collect_vec();
    code.is_sorted() && runs.is_sorted_by(|a, b| a >= b)
}

/// `count` of the indices 0..`len`, ascending, the same at every run; all of them if `count` ≥ `len`.
fn thin_out(len: usize, count: usize, seed: u64) -> Vec<usize> {
    if count >= len {
        return (0..len).collect();
    }
    // Drawn at random, not every n-th: codes n apart share digits.
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    index::sample(&mut rng, len, count)
        .into_iter()
        .sorted_unstable()
        .collect()
}

// ---------------------------------------------------------------------------------------------
// The strategy
// ---------------------------------------------------------------------------------------------

/// What makes a guess good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// The most probable code.
    Map,
    /// Mutual information, plus `hit_bonus` bits times the probability of being right.
    Mi {
        /// Being right saves the turn that would have to declare the secret; a turn is worth about
        /// as many bits as it yields.
        hit_bonus: f64,
    },
}

/// The bonus that is played where none is asked for. Total turns over all secrets:
///
/// ```text
/// bits                0    0.5      1    1.5      2      3      4
/// hitblow 3 10     3616   3613   3618   3612   3614   3631   3673
/// hitblow 3 9      2364   2361   2361   2366   2366   2376   2401
/// mastermind 4 4    912    912    912    908    908    908    908
/// mastermind 4 6   5722   5721   5717   5719   5719   5720   5734
/// mastermind 5 4   3977   3977   3976   3976   3981   3984   3992
/// ```
pub const HIT_BONUS: f64 = 1.5;

/// Values closer than this are equal: sums in another order differ in their last digits.
const EQUAL: f64 = 1e-9;

/// Table lookups that a whole game may cost; about 0.5 ns each. What the clock says is not asked,
/// so that a game is played alike on every machine.
const GAME_WORK: u64 = 1_200_000_000;

/// Where guesses have to be thinned out, at least as many candidates judge each of them.
const FEWEST_ROWS: usize = 2_000;

/// The last resort, on a machine several times slower than expected: from here on, no search.
const PANIC: Duration = Duration::from_millis(1_500);

/// A game in play.
pub struct Solver<'a> {
    codes: &'a Codes,
    policy: Policy,
    posterior: Posterior,
    named: [bool; MAX_DIGITS],
    turn: u64,
    work_left: u64,
    started: Instant,
}

impl<'a> Solver<'a> {
    /// Before the first guess.
    pub fn new(codes: &'a Codes, prior: Posterior, policy: Policy, started: Instant) -> Self {
        Self {
            codes,
            policy,
            posterior: prior,
            named: [false; MAX_DIGITS],
            turn: 0,
            work_left: GAME_WORK,
            started,
        }
    }

    /// In mid-game: with this posterior, after `turn` guesses that have named these digits.
    pub fn resumed(
        codes: &'a Codes,
        posterior: Posterior,
        named: [bool; MAX_DIGITS],
        turn: u64,
        policy: Policy,
        started: Instant,
    ) -> Self {
        Self {
            named,
            turn,
            ..Self::new(codes, posterior, policy, started)
        }
    }

    /// What is believed now.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// The next guess.
    ///
    /// # Panics
    /// If the replies so far contradict each other.
    pub fn guess(&mut self) -> CodeId {
        match self.policy {
            Policy::Mi { hit_bonus } if self.posterior.support.len() > 1 => {
                self.most_informative(hit_bonus)
            }
            _ => self.posterior.mode(),
        }
    }

    /// Learns the reply to a guess.
    pub fn learn(&mut self, guess: CodeId, reply: Feedback) {
        let replies = Replies::to(self.codes, guess);
        self.posterior
            .update(|secret| likelihood(&replies, secret, reply));
        for &digit in self.codes.digits(guess) {
            self.named[usize::from(digit)] = true;
        }
        self.turn += 1;
    }

    /// The guess of most mutual information with its bonus; of equal ones the one that is most probably
    /// right (so a candidate, if one is), then the smallest.
    fn most_informative(&mut self, hit_bonus: f64) -> CodeId {
        if self.started.elapsed() > PANIC {
            return self.posterior.mode();
        }
        let (pool, sample) = self.thinned_out();
        let mut scorer = Scorer::new(self.codes, &self.posterior, &sample);
        if let Some(guess) = self.perfect_candidate(&mut scorer, &sample) {
            return guess;
        }
        let total = self.posterior.total();
        let mut candidates = self
            .posterior
            .support
            .iter()
            .copied()
            .enumerate()
            .peekable();
        let mut best: Option<(CodeId, f64, f64)> = None;
        for guess in pool {
            while candidates.next_if(|&(_, code)| code < guess).is_some() {}
            let candidate = candidates.next_if(|&(_, code)| code == guess);
            let right = candidate.map_or(0.0, |(index, _)| self.posterior.weight(index) / total);
            let value = scorer.mutual_information_bits(guess) + hit_bonus * right;
            let better = best.is_none_or(|(_, best, best_right)| {
                value > best + EQUAL || (value > best - EQUAL && right > best_right)
            });
            if better {
                best = Some((guess, value, right));
            }
        }
        best.expect("the pool is never empty").0
    }

    /// With few equally likely candidates, one of them may tell all of them apart: nothing beats
    /// that, and finding it spares the search.
    fn perfect_candidate(&self, scorer: &mut Scorer<'_>, sample: &[usize]) -> Option<CodeId> {
        let candidates = &self.posterior.support;
        let few = candidates.len() <= scorer.cells.len() && sample.len() == candidates.len();
        if !few || self.posterior.weights.is_some() {
            return None;
        }
        candidates
            .iter()
            .copied()
            .find(|&guess| scorer.tells_all_apart(guess))
    }

    /// The guesses to score, ascending, and the candidates to score them against; fewer of both
    /// where all would take too long.
    fn thinned_out(&mut self) -> (Vec<CodeId>, Vec<usize>) {
        let codes = self.codes;
        let alike = Alike::new(codes, &self.posterior, &self.named);
        let first = self.turn == 0 && self.posterior.uniform_prior;
        let is_scored = |&code: &CodeId| {
            let digits = codes.digits(code);
            alike.is_smallest(digits) && (!first || is_smallest_order(digits))
        };
        let mut pool = (0..codes.len() as CodeId).filter(is_scored).collect_vec();
        let mut rows = self.posterior.support.len();
        // A third of what is left: the second guess costs most, and later ones ever less.
        let evaluations = (self.work_left / 3) as usize / codes.game.places;
        if pool.len() * rows > evaluations {
            rows = (evaluations / pool.len()).max(FEWEST_ROWS).min(rows);
        }
        if pool.len() * rows > evaluations {
            // One half from all guesses, one from those that may be right.
            let half = (evaluations / rows / 2).max(1);
            let any = thin_out(pool.len(), half, 2 * self.turn)
                .into_iter()
                .map(|i| pool[i]);
            let support = &self.posterior.support;
            let candidates = thin_out(support.len(), half, 2 * self.turn)
                .into_iter()
                .map(|i| support[i]);
            pool = any.chain(candidates).sorted_unstable().dedup().collect();
        }
        self.work_left -=
            (pool.len() * rows * codes.game.places).min(self.work_left as usize) as u64;
        (
            pool,
            thin_out(self.posterior.support.len(), rows, 2 * self.turn + 1),
        )
    }
}

// ---------------------------------------------------------------------------------------------
// Main
// ---------------------------------------------------------------------------------------------

/// What was asked for on the command line.
struct Options {
    policy: Policy,
    trace: bool,
}

const USAGE: &str = "solver [--policy mi|map] [--hit-bonus BITS] [--trace]";

impl Options {
    fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        // `--option=value` is two words.
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((option, value)) => vec![option.to_owned(), value.to_owned()],
            None => vec![word],
        });
        let (mut map, mut hit_bonus, mut trace) = (false, None, false);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default();
            match word.as_str() {
                "--policy" => match value().as_str() {
                    "mi" => map = false,
                    "map" => map = true,
                    other => {
                        return Err(format!(
                            "expected mi or map after --policy, found {other:?}"
                        ));
                    }
                },
                "--hit-bonus" => {
                    let bits = value();
                    let number = bits
                        .parse()
                        .ok()
                        .filter(|b: &f64| b.is_finite() && *b >= 0.0);
                    hit_bonus = Some(number.ok_or_else(|| {
                        format!("expected a number of bits of at least 0 after --hit-bonus, found {bits:?}")
                    })?);
                }
                "--trace" => trace = true,
                _ => return Err(format!("expected {USAGE}, found {word:?}")),
            }
        }
        let policy = match (map, hit_bonus) {
            (true, Some(_)) => return Err("--hit-bonus goes with --policy mi only".to_owned()),
            (true, None) => Policy::Map,
            (false, bits) => Policy::Mi {
                hit_bonus: bits.unwrap_or(HIT_BONUS),
            },
        };
        Ok(Self { policy, trace })
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}\nplays the game that the first line of its input names");
        return ExitCode::SUCCESS;
    }
    match play(Instant::now()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("solver: {why}");
            ExitCode::from(2)
        }
    }
}

/// Plays one game with the judge on standard input and output.
fn play(started: Instant) -> Result<(), String> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut judge = Judge::on_stdin();
    let (name, places, digits) = judge.opening();
    let codes = Codes::new(Game::new(&name, places, digits)?);
    let prior = Posterior::uniform(codes.len());
    let mut solver = Solver::new(&codes, prior, options.policy, started);
    loop {
        let guess = solver.guess();
        if options.trace {
            let candidates = solver.posterior().support().len();
            let entropy = solver.posterior().entropy_bits();
            let right = solver.posterior().probability(guess);
            eprintln!(
                "{candidates} candidates, {entropy:.3} bits to learn; {} is right with probability {right:.4}",
                codes.digits(guess).iter().join(" "),
            );
        }
        let Some(reply) = judge.ask(codes.digits(guess)) else {
            return Err(format!(
                "the judge refused the guess {:?}",
                codes.digits(guess)
            ));
        };
        if usize::from(reply.hits) == places {
            return Ok(());
        }
        solver.learn(guess, reply);
        if solver.posterior().support().is_empty() {
            return Err("the judge's replies contradict each other".to_owned());
        }
    }
}
