//! Plays Hit & Blow, Mastermind, a noisy difference and a balance by Bayes' rule and mutual information.
//!
//! One file, to be pasted as it is. The judge's first line names the game:
//!
//! ```text
//! hitblow P K         P distinct digits of 0..K are hidden. A guess is answered by `h b`: h digits are
//! mastermind P K      right and in their place, b are right but elsewhere. (Here digits may repeat.)
//! distance P K SIGMA  As hitblow, but the answer is `c d`: whether the guess is right, and the secret
//!                     minus the guess, as numbers in base K, with normal noise.
//! balance N heavy     One stone of N is heavier (odd: or lighter). `? k a1 … ak b1 … bk` weighs k stones
//! balance N odd       against k others, answered by <, = or >; `! i` names it.
//! ```
//!
//! Before the first question every secret has a *prior* probability. Each reply has a *likelihood*
//! under each secret, and Bayes' rule multiplies the two into the *posterior*. The next question is the
//! one whose reply is expected to tell most about the secret: the *mutual information* between
//! reply and secret, plus a bonus for the chance of being right at once.
//!
//! Where the fewest turns that are possible are known, they are played: from a book at the end of
//! this file, or by a search where few candidates are left. Where there are too many codes to list,
//! codes that fit all replies are searched for.
//!
//! Reading order: lines in and out · codes and feedback · prior, likelihood, posterior · the score
//! of a guess · which guesses are scored · the strategy · the fewest turns · games too large to list ·
//! noisy differences · the balance · main · the book.
//!
//! Options, for use at home: `--policy optimal|mi|map`, `--hit-bonus BITS` (with `mi`), `--trace`.

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Stdin, stdin};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use itertools::Itertools;
use proconio::input;
use proconio::source::Readable;
use proconio::source::line::LineSource;
use rand::Rng;
use rand::seq::{SliceRandom, index};
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

    /// Reads the next word.
    ///
    /// # Panics
    /// If the input ends, or the word is not of that kind; so do all that follow.
    pub fn word<T: Readable>(&mut self) -> T::Output {
        input! { from &mut self.source, word: T }
        word
    }

    /// Prints a question and reads the first word of the reply.
    ///
    /// # Errors
    /// If the judge refused the question with `-1`.
    pub fn ask(&mut self, question: &str) -> Result<String, String> {
        // `println!` ends the line and so flushes it, on a pipe as well. A buffered writer or
        // `#[fastout]` would leave the judge waiting for us, and us for the judge.
        println!("{question}");
        match self.word::<String>() {
            refusal if refusal == "-1" => Err(format!("the judge refused {question:?}")),
            word => Ok(word),
        }
    }

    /// Makes a guess, which is answered by hits and blows.
    ///
    /// # Errors
    /// If the judge refused it.
    pub fn guess(&mut self, code: &[u8]) -> Result<Feedback, String> {
        let hits = self.ask(&code.iter().join(" "))?;
        Ok(Feedback {
            hits: hits.parse().expect("a reply has no more hits than places"),
            blows: self.word::<u8>(),
        })
    }
}

// ---------------------------------------------------------------------------------------------
// Codes and feedback
// ---------------------------------------------------------------------------------------------

/// The most places a code may have.
pub const MAX_PLACES: usize = 10;
/// The most digits a game may have.
pub const MAX_DIGITS: usize = 64;
/// Games with more codes than this are not enumerated: codes that fit the replies are searched for.
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
    /// If this solver does not know it; says what was expected.
    pub fn new(name: &str, places: usize, digits: usize) -> Result<Self, String> {
        let distinct = match name {
            "hitblow" => true,
            "mastermind" => false,
            _ => return Err(unknown_game(name)),
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
        Ok(game)
    }

    /// As an opening line names it.
    pub fn title(&self) -> String {
        let name = if self.distinct {
            "hitblow"
        } else {
            "mastermind"
        };
        format!("{name} {} {}", self.places, self.digits)
    }

    /// How many codes there are; `u64::MAX` if that does not fit.
    pub fn code_count(&self) -> u64 {
        let choices = |place| self.digits - if self.distinct { place } else { 0 };
        (0..self.places).fold(1, |count: u64, place| {
            count.saturating_mul(choices(place) as u64)
        })
    }
}

fn unknown_game(name: &str) -> String {
    format!("expected hitblow, mastermind, distance or balance, found {name:?}")
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

/// All codes of a game, in ascending order; or some of them.
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

    /// Only these.
    pub fn among(game: Game, list: &[Vec<u8>]) -> Self {
        let mut codes = Self {
            game,
            digits: Vec::with_capacity(list.len() * game.places),
            tokens: Vec::with_capacity(list.len() * game.places),
        };
        list.iter().for_each(|code| codes.push(code));
        codes
    }

    /// Appends every code that begins with `head`.
    fn extend(&mut self, head: &mut Vec<u8>) {
        if head.len() == self.game.places {
            self.push(head);
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

    fn push(&mut self, code: &[u8]) {
        self.digits.extend_from_slice(code);
        for place in 0..code.len() {
            let earlier = code[..place].iter().filter(|&&d| d == code[place]).count();
            self.tokens.push(self.token(place, code[place], earlier));
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
    /// The weight of each, the largest being 1; `None` where all are equal.
    weights: Option<Vec<f64>>,
    /// Their logarithms: a weight may become too small for a number, and grow again. Empty where all are
    /// equal.
    logs: Vec<f64>,
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
        let logs = weights.iter().flatten().map(|weight| weight.ln()).collect();
        Self {
            uniform_prior: weights.is_none(),
            support,
            weights,
            logs,
        }
    }

    /// Every one of `count` codes is equally likely, and they were not chosen with regard to names.
    pub fn sample(count: usize) -> Self {
        Self {
            uniform_prior: false,
            ..Self::uniform(count)
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
        self.update_log(|code| likelihood(code).ln());
    }

    /// The same, with the logarithm of the likelihood, which may be too small for a number. Of 0, it is
    /// negative infinity, and such codes are given up; others never are.
    pub fn update_log(&mut self, mut log_likelihood: impl FnMut(CodeId) -> f64) {
        let before = |index: usize| self.logs.get(index).copied().unwrap_or(0.0);
        let joint = |(index, &code): (usize, &CodeId)| (code, before(index) + log_likelihood(code));
        let (support, logs): (Vec<_>, Vec<_>) = self
            .support
            .iter()
            .enumerate()
            .map(joint)
            .filter(|&(_, log)| log > f64::NEG_INFINITY)
            .unzip();
        self.support = support;
        if self.weights.is_some() || !logs.iter().all_equal() {
            self.weigh(logs);
        }
    }

    /// Gives up what is less probable than the most probable by a factor of less than exp(`log`).
    pub fn forget_below(&mut self, log: f64) {
        if self.is_uniform() {
            return;
        }
        let both = self.support.iter().copied().zip(self.logs.iter().copied());
        let (support, logs) = both.filter(|&(_, own)| own >= log).unzip();
        self.support = support;
        self.weigh(logs);
    }

    /// Sets the logarithms of the weights, in relation to the largest: however many replies come, that one
    /// neither vanishes nor overflows.
    fn weigh(&mut self, mut logs: Vec<f64>) {
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs.iter_mut().for_each(|log| *log -= largest);
        self.weights = Some(logs.iter().map(|log| log.exp()).collect());
        self.logs = logs;
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
        probabilities.map(share_of_entropy).sum::<f64>() + 0.0 // of a single code it is 0, not -0
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

/// What something of probability p adds to an entropy: -p · log2 p bits, 0 for what cannot be (or is so
/// improbable that it has vanished beside the rest).
fn share_of_entropy(p: f64) -> f64 {
    if p > 0.0 { -p * p.log2() } else { 0.0 }
}

/// P(reply | secret, guess): 1 where the rules give that reply, else 0. Where replies are noisy
/// ([`Noise`]), it is a probability, and nothing else changes.
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
    /// What is proved to take the fewest turns on average, where that is known or can be found out in
    /// time; else mutual information.
    Optimal,
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
    book: Option<Book>,
}

impl<'a> Solver<'a> {
    /// Before the first guess.
    pub fn new(codes: &'a Codes, prior: Posterior, policy: Policy, started: Instant) -> Self {
        let usual = prior.uniform_prior && prior.support.len() as u64 == codes.game.code_count();
        Self {
            codes,
            policy,
            book: Book::of(codes.game).filter(|_| usual && policy == Policy::Optimal),
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
            book: None,
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
            _ if self.posterior.support.len() <= 2 && self.posterior.is_uniform() => {
                self.posterior.mode()
            }
            Policy::Map => self.posterior.mode(),
            Policy::Mi { hit_bonus } => self.most_informative(hit_bonus),
            Policy::Optimal => self
                .optimal()
                .unwrap_or_else(|| self.most_informative(HIT_BONUS)),
        }
    }

    /// The guess with which the fewest turns are expected, if that is known or soon found out.
    fn optimal(&mut self) -> Option<CodeId> {
        let candidates = &self.posterior.support;
        if let Some(book) = &self.book
            && candidates.len() > BOOK_LEAF
        {
            return book.guess(self.codes);
        }
        if !self.posterior.is_uniform() || self.started.elapsed() > PANIC {
            return None;
        }
        let work = self.work_left / 4;
        if candidates.len() > EXACT_MOST || (candidates.len() * self.codes.len()) as u64 > work {
            return None;
        }
        let mut exact = Exact::new(self.codes, work);
        // Where names were chosen with regard to the secret, each stands for itself.
        let named = match self.posterior.uniform_prior {
            true => self.named,
            false => [true; MAX_DIGITS],
        };
        let found = exact.least(candidates, &named, u32::MAX);
        self.work_left -= work - exact.work_left;
        found.map(|(_, guess)| guess)
    }

    /// Learns the reply to a guess.
    pub fn learn(&mut self, guess: CodeId, reply: Feedback) {
        let book = self.book.take();
        self.book =
            book.and_then(|book| book.after(self.codes, self.posterior.support(), guess, reply));
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
// The fewest turns: searched, or from the book
// ---------------------------------------------------------------------------------------------

/// With more candidates than this, the fewest turns are not searched for.
const EXACT_MOST: usize = 1000;

/// Finds the guess with which candidates cost least: the sum of their turns, when all goes on as well
/// as possible. Branch and bound:
///
/// ```text
/// cost(S) = |S| + min over guesses of the sum of cost(cell), over the cells but the winning one
/// ```
///
/// A candidate that tells all others apart costs 2n - 1, and nothing costs less. If none does, nothing
/// costs less than 2n, which is attained where a candidate leaves one pair, or another guess none.
pub struct Exact<'a> {
    codes: &'a Codes,
    /// Cost and guess, or no guess where it was only found that it costs no less.
    known: HashMap<Vec<CodeId>, (u32, Option<CodeId>)>,
    /// Table lookups that may still be spent.
    pub work_left: u64,
}

impl<'a> Exact<'a> {
    /// A search that may cost so many table lookups, about 1 ns each.
    pub fn new(codes: &'a Codes, work: u64) -> Self {
        Self {
            codes,
            known: HashMap::new(),
            work_left: work,
        }
    }

    /// The least cost and a guess that attains it, if that is below `budget`; else a lower bound (with
    /// some guess) that is not. `None` if that took too long.
    ///
    /// The candidates are what replies to guesses left that `named` these digits.
    pub fn least(
        &mut self,
        set: &[CodeId],
        named: &[bool; MAX_DIGITS],
        budget: u32,
    ) -> Option<(u32, CodeId)> {
        let n = set.len() as u32;
        if n <= 2 {
            return Some((2 * n - 1, set[0]));
        }
        let everybody = (0..set.len()).collect_vec();
        let posterior = Posterior::among(set.to_vec(), None);
        let mut scorer = Scorer::new(self.codes, &posterior, &everybody);
        if let Some(found) = self.with_a_candidate(set, &mut scorer)? {
            return Some(found);
        }
        if budget <= 2 * n {
            return Some((2 * n, set[0]));
        }
        match self.known.get(set) {
            Some(&(cost, Some(guess))) => return Some((cost, guess)),
            Some(&(cost, None)) if cost >= budget => return Some((cost, set[0])),
            _ => {}
        }
        let alike = Alike::new(self.codes, &posterior, named);
        let found = self.among_all(set, named, &alike, &mut scorer, budget)?;
        let exact = (found.0 < budget).then_some(found.1);
        self.known.insert(set.to_vec(), (found.0, exact));
        Some(found)
    }

    /// What a count costs, taken from what is left.
    fn pay(&mut self, rows: usize) -> Option<()> {
        let places = self.codes.game.places;
        let work = (rows * places + 4 * places * places + 32) as u64;
        self.work_left = self.work_left.checked_sub(work)?;
        Some(())
    }

    /// A candidate that tells all apart, or all but two.
    fn with_a_candidate(
        &mut self,
        set: &[CodeId],
        scorer: &mut Scorer<'_>,
    ) -> Option<Option<(u32, CodeId)>> {
        let n = set.len();
        if n > scorer.cells.len() + 1 {
            return Some(None);
        }
        let mut found = None;
        for &guess in set {
            self.pay(n)?;
            scorer.count(guess);
            let parts = scorer
                .cells
                .iter()
                .filter(|&&cell| scorer.counts[cell] > 0)
                .count();
            if parts == n {
                return Some(Some((2 * n as u32 - 1, guess)));
            }
            if parts == n - 1 && found.is_none() {
                found = Some((2 * n as u32, guess));
            }
        }
        Some(found)
    }

    /// Tries every guess whose cells do not cost too much by their sizes alone, the best first.
    fn among_all(
        &mut self,
        set: &[CodeId],
        named: &[bool; MAX_DIGITS],
        alike: &Alike,
        scorer: &mut Scorer<'_>,
        budget: u32,
    ) -> Option<(u32, CodeId)> {
        let (codes, n) = (self.codes, set.len() as u32);
        let win = codes.game.places * (codes.game.places + 2);
        let least = least_by_size(set.len(), scorer.cells.len() - 1);
        let first = !named.contains(&true);
        let mut guesses = Vec::new();
        for guess in 0..codes.len() as CodeId {
            let digits = codes.digits(guess);
            if !alike.is_smallest(digits) || first && !is_smallest_order(digits) {
                continue;
            }
            self.pay(set.len())?;
            scorer.count(guess);
            let others = scorer.cells.iter().filter(|&&cell| cell != win);
            let sizes = others.map(|&cell| scorer.counts[cell] as usize);
            if sizes.clone().any(|size| size == set.len()) {
                continue; // it tells nothing
            }
            let bound = n + sizes.map(|size| least[size]).sum::<u32>();
            if bound == 2 * n {
                return Some((bound, guess));
            }
            guesses.push((bound, guess));
        }
        guesses.sort_unstable();
        let mut best = (budget, None);
        let mut refuted = u32::MAX;
        for (bound, guess) in guesses {
            if bound >= best.0 {
                refuted = refuted.min(bound);
                break;
            }
            self.pay(set.len() + CELLS)?;
            let cells = split(codes, set, guess);
            let mut named = *named;
            for &digit in codes.digits(guess) {
                named[usize::from(digit)] = true;
            }
            let mut cost = bound;
            for (_, cell) in cells.iter().sorted_by_key(|(_, cell)| cell.len()) {
                let left = best.0 - (cost - least[cell.len()]);
                cost += self.least(cell, &named, left)?.0 - least[cell.len()];
                if cost >= best.0 {
                    break;
                }
            }
            match cost < best.0 {
                true => best = (cost, Some(guess)),
                false => refuted = refuted.min(cost),
            }
        }
        Some(match best {
            (cost, Some(guess)) => (cost, guess),
            (_, None) => (refuted, set[0]),
        })
    }
}

/// By number of candidates, what they cost at least: one ends with the first guess, one for each
/// other answer with the second, and so on.
fn least_by_size(most: usize, answers: usize) -> Vec<u32> {
    let turn = |rank: usize| {
        let (mut turn, mut ended, mut width) = (1, 1, 1);
        while rank >= ended {
            width *= answers.max(1);
            ended += width;
            turn += 1;
        }
        turn
    };
    let costs = (0..most).scan(0, |sum, rank| {
        *sum += turn(rank);
        Some(*sum)
    });
    std::iter::once(0).chain(costs).collect()
}

/// The candidates by their reply to a guess, but those that it hits, in the order of the cells.
pub fn split(codes: &Codes, set: &[CodeId], guess: CodeId) -> Vec<(Feedback, Vec<CodeId>)> {
    let (places, replies) = (codes.game.places, Replies::to(codes, guess));
    let mut cells: [Vec<CodeId>; CELLS] = [const { Vec::new() }; CELLS];
    for &code in set {
        cells[replies.feedback(code).cell(places)].push(code);
    }
    let cells = (0..).zip(cells).filter(|(_, cell)| !cell.is_empty());
    cells
        .map(|(cell, codes)| (Feedback::of_cell(cell, places), codes))
        .filter(|(reply, _)| usize::from(reply.hits) < places)
        .collect()
}

/// A whole strategy for a game that is played often: the guesses for all sets of more than
/// [`BOOK_LEAF`] candidates, each followed by those for its cells, in their order. Two characters
/// are the number of a code; what few candidates cost is soon searched.
#[derive(Clone, Copy)]
pub struct Book {
    rest: &'static [u8],
}

/// Smaller sets are not in the book.
pub const BOOK_LEAF: usize = 12;

/// The first of the characters that the book is written in, and how many there are: all that are
/// printed, without the blank, and not the two that a Rust string would escape.
const BOOK_FIRST: u8 = b'!';
/// A code's number is written in this base.
pub const BOOK_CHARACTERS: u32 = 92;

impl Book {
    /// The strategy for a game, if there is one.
    pub fn of(game: Game) -> Option<Self> {
        let title = game.title();
        let (_, text) = BOOKS.iter().find(|(other, _)| *other == title)?;
        Some(Self {
            rest: text.as_bytes(),
        })
    }

    /// What is to be guessed now.
    pub fn guess(&self, codes: &Codes) -> Option<CodeId> {
        let &[first, second, ..] = self.rest else {
            return None;
        };
        let id = Self::value(first) * BOOK_CHARACTERS + Self::value(second);
        (id < codes.len() as CodeId).then_some(id)
    }

    fn value(character: u8) -> u32 {
        let skipped = u32::from(character > b'"') + u32::from(character > b'\\');
        u32::from(character - BOOK_FIRST) - skipped
    }

    /// Where it goes on after the reply to a guess of a set; nowhere if it would have guessed
    /// otherwise.
    pub fn after(
        self,
        codes: &Codes,
        set: &[CodeId],
        guess: CodeId,
        reply: Feedback,
    ) -> Option<Self> {
        if set.len() <= BOOK_LEAF || self.guess(codes) != Some(guess) {
            return None;
        }
        let mut book = self.past_guess();
        for (other, cell) in split(codes, set, guess) {
            if other == reply {
                return Some(book);
            }
            book = book.past(codes, &cell)?;
        }
        None
    }

    fn past_guess(self) -> Self {
        Self {
            rest: &self.rest[2..],
        }
    }

    /// Behind everything about a set.
    fn past(self, codes: &Codes, set: &[CodeId]) -> Option<Self> {
        if set.len() <= BOOK_LEAF {
            return Some(self);
        }
        let guess = self.guess(codes)?;
        let cells = split(codes, set, guess).into_iter();
        let mut book = self.past_guess();
        for (_, cell) in cells {
            book = book.past(codes, &cell)?;
        }
        Some(book)
    }
}

// ---------------------------------------------------------------------------------------------
// Games too large to list
// ---------------------------------------------------------------------------------------------

/// The guesses so far and their replies, from which codes that fit all of them are searched for.
///
/// The posterior of a game with 10^17 codes cannot be listed, but codes can be drawn from it. First
/// the digits of a code are chosen, so that it has as many in common with each guess as its reply
/// says; then they are put in order, so that as many are in their place. Either is given up as soon as
/// some reply can no longer come true. Codes that are drawn so, each from a beginning of its own,
/// stand for the posterior; and where the search ends with few, they are the posterior.
pub struct Fitting {
    game: Game,
    guesses: Vec<Guess>,
    /// Codes that were found and still fit.
    known: Vec<Vec<u8>>,
    /// Whether no others do.
    complete: bool,
    rng: Pcg64Mcg,
}

struct Guess {
    code: Vec<u8>,
    /// How often each digit is in it.
    digits: [u8; MAX_DIGITS],
    hits: u8,
    common: u8,
    /// By how much the replies to all guesses would differ if it were the secret.
    misfit: u32,
}

/// So many codes stand for the posterior.
pub const SAMPLE: usize = 400;

/// From here on codes are hardly searched for any more, so that many turns fit into the time.
const LATE: Duration = Duration::from_millis(1_200);

/// Where fewer are drawn, all are searched for.
const FEW: usize = 50;

/// Comparisons with a guess that may be made in one game while codes are searched for, about 3 ns each.
const FITTING_WORK: u64 = 220_000_000;

/// After so many of them without a code, it is begun anew: a bad beginning takes for ever.
const PATIENCE: u64 = 1_000_000;

impl Fitting {
    /// Before the first guess.
    pub fn new(game: Game) -> Self {
        Self {
            game,
            guesses: Vec::new(),
            known: Vec::new(),
            complete: false,
            rng: Pcg64Mcg::seed_from_u64(0),
        }
    }

    /// Learns the reply to a guess.
    pub fn learn(&mut self, code: &[u8], reply: Feedback) {
        let mut learnt = Guess {
            code: code.to_vec(),
            digits: count(code),
            hits: reply.hits,
            common: reply.hits + reply.blows,
            misfit: self.misfit(code),
        };
        learnt.misfit += learnt.misfit_of(code, &earlier(code));
        for guess in &mut self.guesses {
            guess.misfit += learnt.misfit_of(&guess.code, &earlier(&guess.code));
        }
        self.guesses.push(learnt);
        self.known.retain(|other| feedback(code, other) == reply);
    }

    /// Up to [`SAMPLE`] different codes that fit all replies, ascending, and whether there are no
    /// others. If none is found in time, one that nearly fits. Takes what it costs, up to `most`, from
    /// `work`.
    pub fn sample(&mut self, work: &mut u64, most: u64) -> (Vec<Vec<u8>>, bool) {
        if self.complete {
            return (self.known.clone(), true);
        }
        let mut found: HashSet<Vec<u8>> = self.known.drain(..).collect();
        let mut left = most;
        while found.len() < SAMPLE && left > most / 4 * 3 {
            let patience = PATIENCE.min(left);
            let (codes, unspent, finished) = Filling::new(self, 1, patience).run();
            left -= patience - unspent;
            if codes.is_empty() {
                // There are none, or few: then it is better to look for all of them.
                self.complete = finished;
                break;
            }
            found.extend(codes);
        }
        if found.len() < FEW && !self.complete {
            let (codes, unspent, finished) = Filling::new(self, SAMPLE, left).run();
            left = unspent;
            found.extend(codes);
            self.complete = finished;
        }
        *work = work.saturating_sub(most - left);
        self.known = found.into_iter().sorted_unstable().collect();
        match self.known.is_empty() && !self.complete {
            true => (vec![self.nearly()], false),
            false => (self.known.clone(), self.complete),
        }
    }

    /// A code that fits most replies, as far as a few changes of a place find it.
    fn nearly(&mut self) -> Vec<u8> {
        let game = self.game;
        let nearest = self.guesses.iter().min_by_key(|guess| guess.misfit);
        let mut best = nearest.map(|guess| guess.code.clone()).unwrap_or_else(|| {
            let digits = index::sample(&mut self.rng, game.digits.max(game.places), game.places);
            digits
                .into_iter()
                .map(|digit| (digit % game.digits) as u8)
                .collect()
        });
        let mut least = u32::MAX;
        for _ in 0..300 {
            let mut code = best.clone();
            let place = self.rng.random_range(0..game.places);
            let digit = self.rng.random_range(0..game.digits) as u8;
            match code.iter().position(|&other| other == digit) {
                Some(at) if game.distinct => code.swap(place, at),
                _ => code[place] = digit,
            }
            let misfit = self.misfit(&code);
            // What was guessed already does not fit: it was not right.
            if misfit <= least && self.guesses.iter().all(|g| g.code != code) {
                (best, least) = (code, misfit);
            }
        }
        best
    }

    /// By how much its replies would differ from those that were given.
    fn misfit(&self, code: &[u8]) -> u32 {
        let earlier = earlier(code);
        let of = |guess: &Guess| guess.misfit_of(code, &earlier);
        self.guesses.iter().map(of).sum()
    }
}

impl Guess {
    /// The same for one guess; `earlier` tells how many equal digits stand before each place.
    fn misfit_of(&self, code: &[u8], earlier: &[u8; MAX_PLACES]) -> u32 {
        let (mut hits, mut common) = (0, 0);
        for ((&own, &digit), &earlier) in self.code.iter().zip(code).zip(earlier) {
            hits += u8::from(own == digit);
            common += u8::from(self.digits[usize::from(digit)] > earlier);
        }
        u32::from(hits.abs_diff(self.hits)) + u32::from(common.abs_diff(self.common))
    }
}

/// How many equal digits stand before each place.
fn earlier(code: &[u8]) -> [u8; MAX_PLACES] {
    let before = |place: usize| code[..place].iter().filter(|&&d| d == code[place]).count();
    std::array::from_fn(|place| match place < code.len() {
        true => before(place) as u8,
        false => 0,
    })
}

/// How often each digit is in a code.
fn count(code: &[u8]) -> [u8; MAX_DIGITS] {
    let mut digits = [0; MAX_DIGITS];
    code.iter()
        .for_each(|&digit| digits[usize::from(digit)] += 1);
    digits
}

/// The rule itself, for codes that are not listed.
pub fn feedback(guess: &[u8], secret: &[u8]) -> Feedback {
    let hits = guess.iter().zip(secret).filter(|(a, b)| a == b).count() as u8;
    let mut left = count(secret);
    let mut common = 0;
    for &digit in guess {
        let left = &mut left[usize::from(digit)];
        common += u8::from(*left > 0);
        *left = left.saturating_sub(1);
    }
    Feedback {
        hits,
        blows: common - hits,
    }
}

/// A search for codes that fit.
struct Filling<'a> {
    fitting: &'a mut Fitting,
    /// Digits in the order in which it is decided how often each is in the code.
    order: Vec<u8>,
    /// By number of digits decided, what each guess has in common with those to come at most.
    to_come: Vec<Vec<u8>>,
    /// By number of digits decided, what each guess has in common with those.
    common: Vec<Vec<u8>>,
    chosen: [u8; MAX_DIGITS],
    /// Places in the order in which they are filled.
    places: Vec<usize>,
    /// By number of places filled, hits with each guess so far, and at how many more it can hit.
    hits: Vec<Vec<u8>>,
    can_hit: Vec<Vec<u8>>,
    code: Vec<u8>,
    found: Vec<Vec<u8>>,
    most: usize,
    left: u64,
}

impl<'a> Filling<'a> {
    /// For so many codes, and so much work.
    fn new(fitting: &'a mut Fitting, most: usize, work: u64) -> Self {
        let (game, guesses) = (fitting.game, fitting.guesses.len());
        let mut order = (0..game.digits as u8).collect_vec();
        order.shuffle(&mut fitting.rng);
        // What many guesses have decides most.
        order.sort_by_key(|&digit| {
            let has = |guess: &&Guess| guess.digits[usize::from(digit)] > 0;
            std::cmp::Reverse(fitting.guesses.iter().filter(has).count())
        });
        let mut to_come = vec![vec![0; guesses]; game.digits + 1];
        for (number, &digit) in order.iter().enumerate().rev() {
            for (at, guess) in fitting.guesses.iter().enumerate() {
                to_come[number][at] = to_come[number + 1][at] + guess.digits[usize::from(digit)];
            }
        }
        let mut places = (0..game.places).collect_vec();
        places.shuffle(&mut fitting.rng);
        Self {
            order,
            to_come,
            common: vec![vec![0; guesses]; game.digits + 1],
            chosen: [0; MAX_DIGITS],
            places,
            hits: vec![vec![0; guesses]; game.places + 1],
            can_hit: vec![vec![0; guesses]; game.places + 1],
            code: vec![0; game.places],
            found: Vec::new(),
            most,
            left: work,
            fitting,
        }
    }

    /// The codes, the work that was not needed, and whether there are no other codes.
    fn run(mut self) -> (Vec<Vec<u8>>, u64, bool) {
        let places = self.fitting.game.places;
        let finished = self.choose(0, places);
        (self.found, self.left, finished)
    }

    fn pay(&mut self) -> bool {
        let cost = self.fitting.guesses.len() as u64 + 4;
        let enough = self.left >= cost;
        self.left = self.left.saturating_sub(cost);
        enough
    }

    /// Decides how often the digits from the `number`-th on are in the code, of which so many places
    /// are `left`, in every way; `false` if that was not finished.
    fn choose(&mut self, number: usize, left: usize) -> bool {
        if left == 0 {
            let mut guesses = self.fitting.guesses.iter().zip(&self.common[number]);
            return !guesses.all(|(guess, common)| guess.common == *common) || self.arrange();
        }
        let Some(&digit) = self.order.get(number) else {
            return true;
        };
        let game = self.fitting.game;
        let most = if game.distinct { 1 } else { left };
        // Where a digit is rare in codes, without it first; but not always.
        let undecided = game.digits - number;
        let first = match self.fitting.rng.random_range(0..undecided) < left {
            true => 1.min(most),
            false => 0,
        };
        for times in 0..=most {
            let times = match times {
                0 => first,
                1 => 1 - first,
                more => more,
            };
            if game.distinct && left - times > undecided - 1 {
                continue;
            }
            if !self.pay() {
                return false;
            }
            if !self.take(number, digit, times, left - times) {
                continue;
            }
            self.chosen[usize::from(digit)] = times as u8;
            let finished = self.choose(number + 1, left - times);
            self.chosen[usize::from(digit)] = 0;
            if !finished {
                return false;
            }
        }
        true
    }

    /// Whether all replies can still come true with a digit so many times, and so many places `left`.
    fn take(&mut self, number: usize, digit: u8, times: usize, left: usize) -> bool {
        let (before, after) = self.common.split_at_mut(number + 1);
        let guesses = self.fitting.guesses.iter();
        let mut all = guesses
            .zip(&before[number])
            .zip(&mut after[0])
            .zip(&self.to_come[number + 1]);
        all.all(|(((guess, before), after), &to_come)| {
            *after = before + guess.digits[usize::from(digit)].min(times as u8);
            *after <= guess.common && guess.common <= *after + to_come.min(left as u8)
        })
    }

    /// Puts the chosen digits in order, in every way; one way only if one code is wanted.
    fn arrange(&mut self) -> bool {
        for number in (0..self.places.len()).rev() {
            let place = self.places[number];
            for (at, guess) in self.fitting.guesses.iter().enumerate() {
                let can_hit = self.chosen[usize::from(guess.code[place])] > 0;
                self.can_hit[number][at] = self.can_hit[number + 1][at] + u8::from(can_hit);
            }
        }
        let digits =
            (0..self.fitting.game.digits as u8).filter(|&d| self.chosen[usize::from(d)] > 0);
        let mut digits = digits.collect_vec();
        digits.shuffle(&mut self.fitting.rng);
        self.put(0, &digits)
    }

    fn put(&mut self, number: usize, digits: &[u8]) -> bool {
        let Some(&place) = self.places.get(number) else {
            self.found.push(self.code.clone());
            return self.found.len() < self.most;
        };
        for &digit in digits {
            if self.chosen[usize::from(digit)] == 0 {
                continue;
            }
            if !self.pay() {
                return false;
            }
            let (before, after) = self.hits.split_at_mut(number + 1);
            let guesses = self.fitting.guesses.iter();
            let can_hit = &self.can_hit[number + 1];
            let mut all = guesses.zip(&before[number]).zip(&mut after[0]).zip(can_hit);
            let fits = all.all(|(((guess, before), after), can_hit)| {
                *after = before + u8::from(guess.code[place] == digit);
                *after <= guess.hits && guess.hits <= *after + can_hit
            });
            if !fits {
                continue;
            }
            self.chosen[usize::from(digit)] -= 1;
            self.code[place] = digit;
            let finished = self.put(number + 1, digits);
            self.chosen[usize::from(digit)] += 1;
            if !finished {
                return false;
            }
        }
        true
    }
}

// ---------------------------------------------------------------------------------------------
// Noisy differences
// ---------------------------------------------------------------------------------------------

/// A normal deviate of mean 0, rounded to the nearest integer.
pub struct Noise {
    sigma: f64,
    /// Logarithms of the probabilities of 0, ±1, ±2, …, as far as they were asked for; else not a number.
    known: Vec<f64>,
}

impl Noise {
    /// That of standard deviation `sigma` ≥ 0.
    pub fn new(sigma: f64) -> Self {
        Self {
            sigma,
            known: Vec::new(),
        }
    }

    /// The logarithm of the probability that it is `error`.
    pub fn log_mass(&mut self, error: i64) -> f64 {
        const KEPT: u64 = 1 << 16;
        let size = error.unsigned_abs();
        if size >= KEPT {
            return self.compute(size);
        }
        if self.known.is_empty() {
            self.known = vec![f64::NAN; KEPT as usize];
        }
        if self.known[size as usize].is_nan() {
            self.known[size as usize] = self.compute(size);
        }
        self.known[size as usize]
    }

    /// The probability is that of a standard deviate between a = (e - 1/2) / σ and a + h, h = 1/σ. As a
    /// difference of two values of the distribution function it would be 0 in the tails, where both are
    /// 1 to the last digit. With φ(a) in front of the integral, nothing is subtracted at all:
    ///
    /// ```text
    /// log P(e) = log φ(a) + log ∫ exp(-a·t - t²/2) dt, t from 0 to h
    /// ```
    ///
    /// However far out, the first term is a number like any other, and the integral is positive.
    fn compute(&self, size: u64) -> f64 {
        if self.sigma == 0.0 {
            return if size == 0 { 0.0 } else { f64::NEG_INFINITY };
        }
        let h = 1.0 / self.sigma;
        let log_phi = |a: f64| -0.5 * (a * a + (2.0 * std::f64::consts::PI).ln());
        match size {
            // Half of it on each side.
            0 => log_phi(0.0) + (2.0 * integral(0.0, 0.5 * h)).ln(),
            _ => {
                let a = (size as f64 - 0.5) * h;
                log_phi(a) + integral(a, h).ln()
            }
        }
    }
}

/// ∫ exp(-a·t - t²/2) dt from 0 to h, for a ≥ 0.
fn integral(a: f64, h: f64) -> f64 {
    /// Gauss and Legendre's five points in -1..1, and their weights.
    const POINTS: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    // Where the exponent is below -40, nothing is added any more.
    let end = h.min(80.0 / (a + (a * a + 80.0).sqrt()));
    let steps = (end * (a + 0.5 * end)).ceil().max(1.0);
    let half = 0.5 * end / steps;
    let step = |i: usize| {
        let middle = (2 * i + 1) as f64 * half;
        let at = |&(x, weight): &(f64, f64)| {
            let t = middle + half * x;
            weight * (-t * (a + 0.5 * t)).exp()
        };
        half * POINTS.iter().map(at).sum::<f64>()
    };
    (0..steps as usize).map(step).sum()
}

/// Plays `distance`: codes are numbers, and a reply is how far the secret lies from the guess, give or
/// take the noise.
///
/// **What makes a guess good.** The reply is (c, d): whether the guess g is right, and s - g + noise. By the
/// chain rule its information is I(d; s) + I(c; s | d). The noise is the same for all guesses, and to know
/// s - g + noise is to know s + noise: the first term, which is nearly all, is *the same for every guess*,
/// and mutual information alone could not rank them. (By rounding errors it would.) What is left to
/// decide is small: I(c; s | d), what it helps to hear whether g is right when d is known too, and the
/// probability that it is and the game is over, which saves a turn: that is worth as many bits as a turn
/// tells, I(d; s), from 9 in the beginning to a tenth late in a noisy game. Both grow with the probability
/// of g. So the most probable code is declared, or one nearly as probable that the replies to come
/// would hardly tell from its neighbours. Over 30,000 games `distance 3 10 30` that takes 13.274 turns on
/// average and the most probable code 13.307 (the difference is 0.033 ± 0.023, and 0.018 ± 0.013 of 7.1
/// where SIGMA is 10): little, because little is left to choose.
pub struct DistanceSolver {
    game: Game,
    noise: Noise,
    policy: Policy,
    /// Guesses and differences.
    asked: Vec<(i64, i64)>,
    /// Codes as numbers, ascending, with what is believed of them; `None` while too many are likely.
    listed: Option<(Vec<i64>, Posterior)>,
    /// Codes that are further from where the replies point than so many standard deviations are not
    /// listed.
    reach: f64,
    work_left: u64,
}

/// While more codes are likely than this, none of them is worth a thought.
const MAX_LISTED: usize = 10_000;

/// How far from where the replies point codes are listed at first, in standard deviations.
const REACH: f64 = 9.0;

/// With more candidates than this, those that are less probable than the best by e^-100 are given up.
const MANY: usize = 2_000;

/// What comparing guesses may cost in one game, about 1 ns each: additions, and entropies, which count
/// as 20.
const DISTANCE_WORK: u64 = 400_000_000;

impl DistanceSolver {
    /// Before the first guess.
    ///
    /// # Errors
    /// If `sigma` is negative or not a number.
    pub fn new(game: Game, sigma: f64, policy: Policy) -> Result<Self, String> {
        if !(sigma.is_finite() && sigma >= 0.0) {
            return Err(format!(
                "expected a standard deviation of at least 0, found {sigma}"
            ));
        }
        Ok(Self {
            game,
            noise: Noise::new(sigma),
            policy,
            asked: Vec::new(),
            listed: None,
            reach: REACH,
            work_left: DISTANCE_WORK,
        })
    }

    /// The codes that are likely, as ascending numbers, and what is believed of them, once there are not
    /// too many.
    pub fn listed(&self) -> Option<(&[i64], &Posterior)> {
        let (values, belief) = self.listed.as_ref()?;
        Some((values, belief))
    }

    /// The digits of a code.
    pub fn digits(&self, mut value: i64) -> Vec<u8> {
        let base = self.game.digits as i64;
        let mut digits = vec![0; self.game.places];
        for digit in digits.iter_mut().rev() {
            *digit = (value % base) as u8;
            value /= base;
        }
        digits
    }

    /// The next guess, as a number.
    ///
    /// # Errors
    /// If the replies so far contradict each other.
    pub fn guess(&mut self) -> Result<i64, String> {
        if self.listed.is_none() {
            self.list();
        }
        // None is left of those that were listed: then it is one of the others.
        while self.is_empty() && !self.reaches_all() {
            self.reach *= 2.0;
            self.listed = None;
            self.list();
        }
        let Some((values, belief)) = &self.listed else {
            return Ok(self.in_the_middle());
        };
        possible(belief)?;
        let hit_bonus = match self.policy {
            Policy::Map => return Ok(values[belief.mode() as usize]),
            Policy::Mi { hit_bonus } => Some(hit_bonus),
            Policy::Optimal => None,
        };
        let tables = Tables::new(values, belief, &mut self.noise, &mut self.work_left);
        let guess = match tables {
            None => belief.mode(),
            Some(tables) => {
                let hit_bonus = hit_bonus.unwrap_or_else(|| tables.bits_of_a_turn());
                tables.best(hit_bonus, &mut self.work_left)
            }
        };
        Ok(values[guess as usize])
    }

    /// Learns that a guess is not right, and the difference that was replied.
    pub fn learn(&mut self, guess: i64, difference: i64) {
        self.asked.push((guess, difference));
        if let Some((values, belief)) = &mut self.listed {
            belief.update_log(|code| {
                log_likelihood(&mut self.noise, values[code as usize], (guess, difference))
            });
            if belief.support().len() > MANY {
                belief.forget_below(-100.0);
            }
        }
    }

    /// Lists the codes that are likely, if there are not too many.
    fn list(&mut self) {
        let (lowest, highest) = self.likely();
        let mut values = Vec::new();
        self.each_code(lowest, highest, &mut |value| {
            values.push(value);
            values.len() <= MAX_LISTED
        });
        if values.len() > MAX_LISTED {
            return;
        }
        let mut belief = Posterior::uniform(values.len());
        for &asked in &self.asked {
            belief.update_log(|code| log_likelihood(&mut self.noise, values[code as usize], asked));
        }
        self.listed = Some((values, belief));
    }

    fn is_empty(&self) -> bool {
        let listed = self.listed.as_ref();
        listed.is_some_and(|(_, belief)| belief.support().is_empty())
    }

    /// Whether every code was considered.
    fn reaches_all(&self) -> bool {
        let all = (self.game.digits as i64).pow(self.game.places as u32);
        let (lowest, highest) = self.likely();
        lowest <= 0 && highest >= all
    }

    /// The mean of what the replies point at, rounded down, and its standard deviation. Numbers of sixty
    /// bits, so not in floating point.
    fn estimate(&self) -> (i64, f64) {
        let turns = self.asked.len();
        let sum: i128 = self
            .asked
            .iter()
            .map(|&(g, d)| i128::from(g) + i128::from(d))
            .sum();
        let variance = self.noise.sigma.powi(2) + 1.0 / 12.0; // rounding adds a little
        let mean = sum.div_euclid(turns as i128);
        (mean as i64, (variance / turns as f64).sqrt())
    }

    /// Between which numbers the secret lies; before the first reply, between any.
    fn likely(&self) -> (i64, i64) {
        if self.asked.is_empty() {
            return (0, i64::MAX);
        }
        let (mean, deviation) = self.estimate();
        let reach = ((self.reach * deviation).ceil() as i64).saturating_add(2);
        (mean.saturating_sub(reach), mean.saturating_add(reach))
    }

    /// A code near the middle of those that are likely.
    fn in_the_middle(&self) -> i64 {
        let middle = match self.asked.is_empty() {
            true => (self.game.digits as i64).pow(self.game.places as u32) / 2,
            false => self.estimate().0,
        };
        let mut found = None;
        let mut look = |value| {
            found = Some(value);
            self.asked.iter().any(|&(guess, _)| guess == value)
        };
        // Of most codes only the first above the middle is looked at; if none is above, all below it.
        let last = (0..self.game.places as i64)
            .map(|place| self.game.digits as i64 - 1 - place)
            .fold(0, |value, digit| value * self.game.digits as i64 + digit);
        self.each_code(middle.min(last), i64::MAX, &mut look);
        found.expect("the last code is not above itself")
    }

    /// Calls `visit` with the codes from `lowest` to `highest`, ascending, until it returns false.
    fn each_code(&self, lowest: i64, highest: i64, visit: &mut dyn FnMut(i64) -> bool) {
        self.codes_below(0, self.game.places, 0, (lowest, highest), visit);
    }

    /// The same for those that begin with the digits of `head`, with so many places left.
    fn codes_below(
        &self,
        head: i64,
        places: usize,
        used: u64,
        range: (i64, i64),
        visit: &mut dyn FnMut(i64) -> bool,
    ) -> bool {
        if places == 0 {
            return visit(head);
        }
        let base = self.game.digits as i64;
        let width = base.pow(places as u32 - 1);
        for digit in 0..base {
            let next = head * base + digit;
            let (first, last) = (next * width, next * width + (width - 1));
            if used >> digit & 1 == 1 || last < range.0 || first > range.1 {
                continue;
            }
            if !self.codes_below(next, places - 1, used | 1 << digit, range, visit) {
                return false;
            }
        }
        true
    }
}

/// log P(reply | secret, guess), the reply being that the guess is wrong, and a difference.
fn log_likelihood(noise: &mut Noise, secret: i64, (guess, difference): (i64, i64)) -> f64 {
    if secret == guess {
        return f64::NEG_INFINITY; // it would have been right
    }
    noise.log_mass(difference - (secret - guess))
}

/// What is needed to compare the guesses of one turn: y stands for secret + noise, which is as good as
/// the difference.
pub struct Tables<'a> {
    values: &'a [i64],
    belief: &'a Posterior,
    total: f64,
    /// P(noise = 0, ±1, ±2, …), as far as it is above 10^-14.
    mass: Vec<f64>,
    /// P(y), from `first` on.
    of_sum: Vec<f64>,
    first: i64,
    /// Indices into the support, the most probable first.
    likely: Vec<usize>,
}

impl<'a> Tables<'a> {
    /// `None` if there is nothing to choose, or they would take more than an eighth of the work that is
    /// left.
    pub fn new(
        values: &'a [i64],
        belief: &'a Posterior,
        noise: &mut Noise,
        work_left: &mut u64,
    ) -> Option<Self> {
        let reach = (8.0 * noise.sigma).ceil() as usize + 1;
        let value = |index: usize| values[belief.support()[index] as usize];
        // What is less probable than that adds nothing.
        let likely = (0..belief.support().len()).filter(|&index| belief.weight(index) > 1e-9);
        let mut likely = likely.collect_vec();
        let (least, most) = (value(*likely.first()?), value(*likely.last()?));
        let width = (most - least) as u64 + 2 * reach as u64 + 1;
        let additions = 2 * (likely.len() * reach) as u64;
        // A probability, if it is not known yet, counts as 60 additions.
        let work = width
            .saturating_add(additions)
            .saturating_add(60 * reach as u64);
        if likely.len() == 1 || work > *work_left / 8 {
            return None;
        }
        *work_left -= work;
        likely.sort_by(|&a, &b| belief.weight(b).total_cmp(&belief.weight(a)));
        let mass = (0..=reach)
            .map(|error| noise.log_mass(error as i64).exp())
            .collect_vec();
        let first = least - reach as i64;
        let total = belief.total();
        let mut of_sum = vec![0.0; width as usize];
        for &index in &likely {
            let (centre, weight) = (
                (value(index) - first) as usize,
                belief.weight(index) / total,
            );
            for (error, mass) in mass.iter().enumerate() {
                of_sum[centre + error] += weight * mass;
                if error > 0 {
                    of_sum[centre - error] += weight * mass;
                }
            }
        }
        Some(Self {
            values,
            belief,
            total,
            mass,
            of_sum,
            first,
            likely,
        })
    }

    /// I(d; s), in bits: H(s + noise) - H(noise), the same for every guess.
    pub fn bits_of_a_turn(&self) -> f64 {
        let bits = |masses: &[f64]| masses.iter().copied().map(share_of_entropy).sum::<f64>();
        // Of the noise, all but 0 stand for two.
        bits(&self.of_sum) - (2.0 * bits(&self.mass) - share_of_entropy(self.mass[0]))
    }

    /// I(c; s | d) for a guess, in bits: Σ over y of P(y) · h(P(guess | y)), h being the entropy of a yes or
    /// no. The guess is an index into the support.
    pub fn information_bits(&self, guess: usize) -> f64 {
        let value = self.values[self.belief.support()[guess] as usize];
        let (centre, right) = (
            (value - self.first) as usize,
            self.belief.weight(guess) / self.total,
        );
        let at = |y: usize, error: usize| {
            let both = right * self.mass[error];
            let sum = self.of_sum[y];
            if both > 0.0 {
                sum * yes_or_no_bits((both / sum).min(1.0))
            } else {
                0.0
            }
        };
        let errors = 1..self.mass.len();
        at(centre, 0)
            + errors
                .map(|e| at(centre + e, e) + at(centre - e, e))
                .sum::<f64>()
    }

    /// The code with most information about whether it is right, and the bonus for its being so; of equal
    /// ones the most probable, then the smallest.
    fn best(&self, hit_bonus: f64, work_left: &mut u64) -> CodeId {
        // The most probable one, if there is no time to look at any.
        let mut best = (f64::NEG_INFINITY, self.likely[0]);
        for &guess in &self.likely {
            let right = self.belief.weight(guess) / self.total;
            // To know y can only lessen what there is to ask; and those that follow are less probable.
            let most = yes_or_no_bits(right.min(0.5)) + hit_bonus * right;
            let work = 2 * self.mass.len() as u64 * 20;
            if most <= best.0 || *work_left < work {
                break;
            }
            *work_left -= work;
            let value = self.information_bits(guess) + hit_bonus * right;
            if value > best.0 + EQUAL {
                best = (value, guess);
            }
        }
        self.belief.support()[best.1]
    }
}

/// The entropy of something that is true with probability p.
fn yes_or_no_bits(p: f64) -> f64 {
    share_of_entropy(p) + share_of_entropy(1.0 - p)
}

// ---------------------------------------------------------------------------------------------
// The balance
// ---------------------------------------------------------------------------------------------

/// What the balance shows: which side goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// `<`: the left side is lighter.
    Lighter,
    /// `=`
    Equal,
    /// `>`: the left side is heavier.
    Heavier,
}

/// All of them.
pub const REPLIES: [Reply; 3] = [Reply::Lighter, Reply::Equal, Reply::Heavier];

impl Reply {
    /// As the judge writes it.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "<" => Some(Self::Lighter),
            "=" => Some(Self::Equal),
            ">" => Some(Self::Heavier),
            _ => None,
        }
    }
}

/// How many stones may be heavier or lighter, only heavier, only lighter, or neither: stones of which the
/// same may be true are alike, and a question is how many of each kind are put on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piles {
    /// Heavier or lighter.
    pub unknown: usize,
    /// Only heavier.
    pub heavy: usize,
    /// Only lighter.
    pub light: usize,
    /// Known to be good.
    pub good: usize,
}

/// A question: what is put on the left, and on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sides {
    /// On the left.
    pub left: Piles,
    /// On the right.
    pub right: Piles,
}

impl Piles {
    fn stones(&self) -> usize {
        self.unknown + self.heavy + self.light + self.good
    }

    /// How many things may be true.
    pub fn candidates(&self) -> usize {
        2 * self.unknown + self.heavy + self.light
    }

    /// What is known after a reply.
    pub fn after(&self, sides: &Sides, reply: Reply) -> Self {
        let Sides { left, right } = sides;
        let (heavy, light, unknown) = match reply {
            Reply::Equal => (
                self.heavy - left.heavy - right.heavy,
                self.light - left.light - right.light,
                self.unknown - left.unknown - right.unknown,
            ),
            // A heavier one would be on the side that goes down, a lighter one on the other.
            Reply::Lighter => (right.heavy + right.unknown, left.light + left.unknown, 0),
            Reply::Heavier => (left.heavy + left.unknown, right.light + right.unknown, 0),
        };
        Self {
            unknown,
            heavy,
            light,
            good: self.stones() - unknown - heavy - light,
        }
    }

    /// How many things may be true after each reply.
    pub fn sizes(&self, sides: &Sides) -> [usize; 3] {
        REPLIES.map(|reply| self.after(sides, reply).candidates())
    }

    /// The questions that are considered, generated: all that part the candidates into nearly equal
    /// thirds, and where there are few candidates, all. Sides are not exchanged, and good stones only
    /// fill up the side with fewer stones.
    pub fn questions(&self) -> Vec<Sides> {
        // So many of a pile on one side: about a third, or any number.
        let few = self.candidates() <= FEW_CANDIDATES;
        let range = |pile: usize| match few {
            true => 0..=pile,
            false => (pile / 3).saturating_sub(1)..=(pile.div_ceil(3) + 1).min(pile),
        };
        let amounts = |piles: Self| {
            let unknown = range(piles.unknown);
            let all = unknown
                .cartesian_product(range(piles.heavy))
                .cartesian_product(range(piles.light));
            all.map(|((unknown, heavy), light)| Self {
                unknown,
                heavy,
                light,
                good: 0,
            })
            .collect_vec()
        };
        let mut questions = Vec::new();
        for left in amounts(*self) {
            for right in amounts(*self) {
                let fits = left.unknown + right.unknown <= self.unknown
                    && left.heavy + right.heavy <= self.heavy
                    && left.light + right.light <= self.light;
                let (more, less) = (
                    left.stones().max(right.stones()),
                    left.stones().min(right.stones()),
                );
                if !fits || left < right || more == 0 || more - less > self.good {
                    continue;
                }
                let fill = |side: Self| Self {
                    good: more - side.stones(),
                    ..side
                };
                questions.push(Sides {
                    left: fill(left),
                    right: fill(right),
                });
            }
        }
        questions
    }
}

/// With no more candidates than this, every question is considered.
const FEW_CANDIDATES: usize = 13;

/// The fewest weighings, searched for: [`Exact`] for the balance.
///
/// A weighing has three replies, so that what n candidates cost in all is at least the length of all
/// paths in the most even tree with three branches and n leaves. A question whose parts attain that ends
/// the search. For every game of up to 1000 stones what is found is the least possible: it attains a
/// lower bound (a test).
#[derive(Default)]
pub struct Weighings {
    known: HashMap<Piles, (usize, usize, Option<Sides>)>,
}

impl Weighings {
    /// The sum of weighings over all candidates, the most for one of them, and the question to begin with.
    pub fn least(&mut self, piles: Piles) -> (usize, usize, Option<Sides>) {
        let n = piles.candidates();
        if n <= 1 {
            return (0, 0, None);
        }
        if let Some(&known) = self.known.get(&piles) {
            return known;
        }
        let questions = piles.questions().into_iter().filter_map(|sides| {
            let sizes = piles.sizes(&sides);
            let bound = n + sizes
                .iter()
                .map(|&size| shortest_paths(size))
                .sum::<usize>();
            (!sizes.contains(&n)).then_some((bound, sides))
        });
        let mut best = (usize::MAX, usize::MAX, None);
        let shortest = shortest_paths(n);
        for (bound, sides) in questions.sorted() {
            if bound > best.0 || best.0 == shortest {
                break;
            }
            let parts = REPLIES.map(|reply| self.least(piles.after(&sides, reply)));
            let total = parts.iter().fold(n, |sum, part| sum.saturating_add(part.0));
            let worst = parts
                .iter()
                .map(|part| part.1)
                .max()
                .map_or(0, |most| most.saturating_add(1));
            if (total, worst) < (best.0, best.1) {
                best = (total, worst, Some(sides));
            }
        }
        self.known.insert(piles, best);
        best
    }
}

/// The sum of the depths of n leaves in the most even tree with three branches.
pub fn shortest_paths(n: usize) -> usize {
    let (mut depth, mut width) = (0, 1);
    while 3 * width < n {
        width *= 3;
        depth += 1;
    }
    // Each of the `width` nodes that is not a leaf gives two leaves more, one step further down.
    match n {
        0 | 1 => 0,
        _ => n * depth + (n - width) + (n - width).div_ceil(2),
    }
}

/// What to print next.
#[derive(Debug)]
pub enum Move {
    /// A weighing.
    Weigh(Weighing),
    /// The answer: this line.
    Answer(String),
}

/// Stones by their numbers, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighing {
    /// On the left.
    pub left: Vec<usize>,
    /// On the right, as many.
    pub right: Vec<usize>,
}

impl Weighing {
    /// As it is printed.
    pub fn to_line(&self) -> String {
        let stones = self.left.iter().chain(&self.right).join(" ");
        format!("? {} {stones}", self.left.len())
    }

    /// What the balance shows if this stone differs.
    pub fn reply(&self, stone: usize, heavier: bool) -> Reply {
        match (self.left.contains(&stone), self.right.contains(&stone)) {
            (true, _) if heavier => Reply::Heavier,
            (true, _) => Reply::Lighter,
            (_, true) if heavier => Reply::Lighter,
            (_, true) => Reply::Heavier,
            _ => Reply::Equal,
        }
    }
}

/// Plays `balance`.
///
/// What may be true of N stones is a list of N or 2·N candidates, equally likely, and the likelihood of a
/// reply is 0 or 1: the posterior is that of the other games. A weighing never ends the game, so that no
/// bonus is to be had, and a wrong answer loses: it is given when nothing is left to learn.
pub struct BalanceSolver {
    stones: usize,
    /// Whether a stone may be lighter: then each is two candidates.
    odd: bool,
    policy: Policy,
    posterior: Posterior,
    weighings: Weighings,
}

impl BalanceSolver {
    /// Before the first weighing.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be played by that policy.
    pub fn new(stones: usize, kind: &str, policy: Policy) -> Result<Self, String> {
        let odd = match kind {
            "heavy" => false,
            "odd" => true,
            _ => {
                return Err(format!(
                    "expected balance N heavy or balance N odd, found {kind:?}"
                ));
            }
        };
        if stones < if odd { 3 } else { 1 } {
            return Err(format!(
                "expected more stones than {stones}: which one is {kind} cannot be found out"
            ));
        }
        if policy == Policy::Map {
            return Err(
                "the most probable answer loses; expected optimal or mi for balance".to_owned(),
            );
        }
        let candidates = if odd { 2 * stones } else { stones };
        Ok(Self {
            stones,
            odd,
            policy,
            posterior: Posterior::uniform(candidates),
            weighings: Weighings::default(),
        })
    }

    /// What is believed now: of candidates numbered stone by stone, of each stone the heavier first.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// Stone and whether it is heavier.
    fn candidate(&self, id: CodeId) -> (usize, bool) {
        match self.odd {
            true => (id as usize / 2 + 1, id.is_multiple_of(2)),
            false => (id as usize + 1, true),
        }
    }

    /// The next line.
    pub fn next_move(&mut self) -> Move {
        match self.answer() {
            Some(line) => Move::Answer(line),
            None => Move::Weigh(self.question()),
        }
    }

    /// The line that answers, once nothing is left to learn.
    pub fn answer(&self) -> Option<String> {
        let &[only] = self.posterior.support() else {
            return None;
        };
        let (stone, heavier) = self.candidate(only);
        Some(match (self.odd, heavier) {
            (false, _) => format!("! {stone}"),
            (true, true) => format!("! {stone} +"),
            (true, false) => format!("! {stone} -"),
        })
    }

    /// What to weigh, while there is something left to learn.
    pub fn question(&mut self) -> Weighing {
        let piles = self.piles();
        let sides = match self.policy {
            Policy::Mi { .. } | Policy::Map => most_informative(&piles),
            Policy::Optimal => self.weighings.least(piles).2,
        };
        self.pick(&sides.expect("there is always something to weigh"))
    }

    /// Learns what the balance has shown.
    pub fn learn(&mut self, weighing: &Weighing, reply: Reply) {
        let replies = (0..=self.posterior.support().last().copied().unwrap_or(0))
            .map(|id| self.candidate(id))
            .map(|(stone, heavier)| weighing.reply(stone, heavier))
            .collect_vec();
        self.posterior
            .update(|id| f64::from(u8::from(replies[id as usize] == reply)));
    }

    /// For each stone, whether it may be heavier and lighter.
    fn kinds(&self) -> Vec<(bool, bool)> {
        let mut kinds = vec![(false, false); self.stones + 1];
        for &id in self.posterior.support() {
            let (stone, heavier) = self.candidate(id);
            match heavier {
                true => kinds[stone].0 = true,
                false => kinds[stone].1 = true,
            }
        }
        kinds
    }

    /// How many stones there are of each kind.
    pub fn piles(&self) -> Piles {
        let mut piles = Piles::default();
        for &kind in &self.kinds()[1..] {
            *match kind {
                (true, true) => &mut piles.unknown,
                (true, false) => &mut piles.heavy,
                (false, true) => &mut piles.light,
                (false, false) => &mut piles.good,
            } += 1;
        }
        piles
    }

    /// The stones for a question, of each kind those with the smallest numbers.
    pub fn pick(&self, sides: &Sides) -> Weighing {
        let kinds = self.kinds();
        let mut weighing = Weighing {
            left: Vec::new(),
            right: Vec::new(),
        };
        let (left, right) = (sides.left, sides.right);
        for (kind, on_left, on_right) in [
            ((true, true), left.unknown, right.unknown),
            ((true, false), left.heavy, right.heavy),
            ((false, true), left.light, right.light),
            ((false, false), left.good, right.good),
        ] {
            let mut stones = (1..=self.stones).filter(|&stone| kinds[stone] == kind);
            weighing.left.extend(stones.by_ref().take(on_left));
            weighing.right.extend(stones.take(on_right));
        }
        weighing
    }
}

/// The question with most mutual information; of equal ones the smallest.
pub fn most_informative(piles: &Piles) -> Option<Sides> {
    let total = piles.candidates() as f64;
    let bits = |sides: &Sides| -> f64 {
        // The reply is a function of the question and of what is true: H(reply), as in `Scorer`.
        let parts = piles.sizes(sides).map(|size| size as f64 / total);
        parts.into_iter().map(share_of_entropy).sum()
    };
    let mut best: Option<(f64, Sides)> = None;
    for sides in piles.questions() {
        let bits = bits(&sides);
        if best.is_none_or(|(most, _)| bits > most + EQUAL) {
            best = Some((bits, sides));
        }
    }
    best.map(|(_, sides)| sides)
}

// ---------------------------------------------------------------------------------------------
// Main
// ---------------------------------------------------------------------------------------------

/// What was asked for on the command line.
struct Options {
    policy: Policy,
    trace: bool,
}

const USAGE: &str = "solver [--policy optimal|mi|map] [--hit-bonus BITS] [--trace]";

impl Options {
    fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        // `--option=value` is two words.
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((option, value)) => vec![option.to_owned(), value.to_owned()],
            None => vec![word],
        });
        let (mut policy, mut hit_bonus, mut trace) = (None, None, false);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default();
            match word.as_str() {
                "--policy" => match value().as_str() {
                    "optimal" => policy = Some(Policy::Optimal),
                    "mi" => {
                        policy = Some(Policy::Mi {
                            hit_bonus: HIT_BONUS,
                        });
                    }
                    "map" => policy = Some(Policy::Map),
                    other => {
                        return Err(format!(
                            "expected optimal, mi or map after --policy, found {other:?}"
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
        let policy = match (policy, hit_bonus) {
            (None | Some(Policy::Mi { .. }), Some(hit_bonus)) => Policy::Mi { hit_bonus },
            (Some(_), Some(_)) => return Err("--hit-bonus goes with --policy mi only".to_owned()),
            (policy, None) => policy.unwrap_or(Policy::Optimal),
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
    match judge.word::<String>().as_str() {
        "distance" => play_distance(&mut judge, &options),
        "balance" => play_balance(&mut judge, &options),
        // Looked at before anything else is read: another game's line may have no more words.
        name @ ("hitblow" | "mastermind") => play_pegs(&mut judge, name, &options, started),
        other => Err(unknown_game(other)),
    }
}

fn play_pegs(
    judge: &mut Judge,
    name: &str,
    options: &Options,
    started: Instant,
) -> Result<(), String> {
    let game = Game::new(name, judge.word::<usize>(), judge.word::<usize>())?;
    if game.code_count() > MAX_CODES {
        return play_unlisted(judge, game, options, started);
    }
    let codes = Codes::new(game);
    let prior = Posterior::uniform(codes.len());
    let mut solver = Solver::new(&codes, prior, options.policy, started);
    loop {
        let guess = solver.guess();
        if options.trace {
            trace(
                solver.posterior(),
                guess,
                &codes.digits(guess).iter().join(" "),
            );
        }
        let reply = judge.guess(codes.digits(guess))?;
        if usize::from(reply.hits) == game.places {
            return Ok(());
        }
        solver.learn(guess, reply);
        possible(solver.posterior())?;
    }
}

/// Says on standard error where the game stands.
fn trace(belief: &Posterior, guess: CodeId, shown: &str) {
    eprintln!(
        "{} candidates, {:.3} bits to learn; {shown} is right with probability {:.4}",
        belief.support().len(),
        belief.entropy_bits(),
        belief.probability(guess),
    );
}

fn possible(belief: &Posterior) -> Result<(), String> {
    match belief.support() {
        [] => Err(CONTRADICTION.to_owned()),
        _ => Ok(()),
    }
}

const CONTRADICTION: &str = "the judge's replies contradict each other";

/// Plays a game whose codes cannot be listed: each turn among some that fit all replies.
fn play_unlisted(
    judge: &mut Judge,
    game: Game,
    options: &Options,
    started: Instant,
) -> Result<(), String> {
    let mut fitting = Fitting::new(game);
    let mut work_left = FITTING_WORK;
    loop {
        let late = started.elapsed() > LATE;
        let most = if late { 1_000 } else { work_left / 4 };
        let (sample, complete) = fitting.sample(&mut work_left, most);
        if complete && sample.is_empty() {
            return Err(CONTRADICTION.to_owned());
        }
        let codes = Codes::among(game, &sample);
        let belief = Posterior::sample(sample.len());
        let named = [true; MAX_DIGITS];
        let mut solver = Solver::resumed(&codes, belief, named, 1, options.policy, started);
        let guess = codes.digits(solver.guess()).to_vec();
        if options.trace {
            let all = if complete { "all" } else { "some" };
            eprintln!(
                "{} codes that fit, which are {all}; {} is guessed",
                sample.len(),
                guess.iter().join(" ")
            );
        }
        let reply = judge.guess(&guess)?;
        if usize::from(reply.hits) == game.places {
            return Ok(());
        }
        fitting.learn(&guess, reply);
    }
}

fn play_distance(judge: &mut Judge, options: &Options) -> Result<(), String> {
    let (places, digits) = (judge.word::<usize>(), judge.word::<usize>());
    let sigma = judge.word::<f64>();
    // Its codes are those of hitblow.
    let game =
        Game::new("hitblow", places, digits).map_err(|why| why.replace("hitblow", "distance"))?;
    let mut solver = DistanceSolver::new(game, sigma, options.policy)?;
    loop {
        let guess = solver.guess()?;
        let shown = solver.digits(guess).iter().join(" ");
        if options.trace {
            match solver.listed() {
                Some((values, belief)) => {
                    let id = values.binary_search(&guess).unwrap_or(values.len());
                    trace(belief, id as CodeId, &shown);
                }
                None => {
                    eprintln!("too many codes are likely to list them; {shown} is in the middle")
                }
            }
        }
        if judge.ask(&shown)? == "1" {
            return Ok(());
        }
        solver.learn(guess, judge.word::<i64>());
    }
}

fn play_balance(judge: &mut Judge, options: &Options) -> Result<(), String> {
    let (stones, kind) = (judge.word::<usize>(), judge.word::<String>());
    let mut solver = BalanceSolver::new(stones, &kind, options.policy)?;
    loop {
        let belief = solver.posterior();
        possible(belief)?;
        if options.trace {
            let (left, bits) = (belief.support().len(), belief.entropy_bits());
            eprintln!("{left} candidates, {bits:.3} bits to learn");
        }
        match solver.next_move() {
            Move::Answer(line) => return judge.ask(&line).map(drop),
            Move::Weigh(weighing) => {
                let reply = judge.ask(&weighing.to_line())?;
                let reply =
                    Reply::parse(&reply).ok_or(format!("expected <, = or >, found {reply:?}"))?;
                solver.learn(&weighing, reply);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The book
// ---------------------------------------------------------------------------------------------

/// Strategies that are proved to take the fewest turns, made by `scripts/book`.
const BOOKS: &[(&str, &str)] = &[
    (
        "hitblow 2 10",
        "\
!!!6!J!4!5\
",
    ),
    (
        "hitblow 3 6",
        "\
!!!@!m!_!`\
",
    ),
    (
        "hitblow 3 7",
        "\
!!#/!L#4!.#/!.\
",
    ),
    (
        "hitblow 3 8",
        "\
!!#Y$.!Z$@#S$K$U#X#x!Z#3!0#X\
",
    ),
    (
        "hitblow 3 9",
        "\
!!$*$s&1%w%x!k%*$M#[%J!{%C!{!2%K$2!B!k#S%I!2!2\
",
    ),
    (
        "hitblow 3 10",
        "\
!!$^'6%['A$p'9$p$Z#2$.$'&.'h$,'b&B#+%z'.$^!O!>'y'Y!O!}'.&+&w$]!4\
",
    ),
    (
        "hitblow 4 6",
        "\
!!!s%8$X%0!9!T$Z%X$<#B!2%=$[$_\
",
    ),
    (
        "hitblow 4 7",
        "\
!!(8)l%r&~!@(*%8)R#r*P'G$i(}%P(4!A$T%u(,'6)&#D%'$`';(g#`!>%O!'\
",
    ),
    (
        "hitblow 4 8",
        "\
!!,_$g1D1s'd-&.^*f(p0U170Y,L10-~48$B(*)m([/,'H/7.70v,o*D/f)g$h+C-K,.,Y)%!L1G2X$,1K08#4#j%`#J!L,p\
#T,J$c'K&$)R%&*5!.0C+q#g''!.!L\
",
    ),
    (
        "hitblow 4 9",
        "\
!!2c?.?46w7D2K(j&r<#=3:t=26_>H={B#/U.U<v,G64>?/)1'7Q3(6m1h3a2f73720{=b39&:-@28>j+]/,&$8t6h0z,>=Z\
*L4>=q/-1k'4'(<X&l6-5K'P<n!0+y(J5R>u!i*/9s7$(N)~!m-i%(8H*&1@%!8V!Z4t$Z>5$,2K+f&p(*7w/A&>*8!Z-b!z\
(!0[#3.w2X!f!Z\
",
    ),
    (
        "hitblow 4 10",
        "\
!!:c@{S<MmS(;U=0PZWLLPEg:kX(GVFHPc:_+_2BU-6XL*1Q/7R$U*E/B4M[0JR47n7X=BLu5w*BJ[1_KbQ#>kHrL?=vE&/<\
5iDCE,0s?O;[,j1^9cKP;JMR&cP?DI?yCJ8I/_Fv<7:b#&%yNmIL'E'C%U@]&RC}PLM+$dV>KaK-K4:CL8).P-(JPPE0P,)2\
Hm4*1I0gO1FjQN+36h,.72'n4'0qIh0xHWHD=JDe+D1;6A0&>m;l0&<I->0_9DIZ:D*^CzHM.'+p%+6=&-+S1c!l6;&MHL%a\
#$*x>'1T>%IuC;JKC6EB!kL1#^Km%JJ})N0--HHTJ=9JHT2`3h!kIBIbFaL9Ib5$!2&'Cr:D\
",
    ),
    (
        "hitblow 5 5",
        "\
!!!C!V!L!+!F!C!%\
",
    ),
    (
        "hitblow 5 6",
        "\
!!#`&m(g)X%K$+(M)i&K'5)n(U$}#;'.)K%a%~&/'[$O!+)K(m!G!C#`((#J!B#o#_!*\
",
    ),
    (
        "hitblow 5 7",
        "\
!!&k4k8=1H0847874?7Z,<1'1U9J0;+Q(t7P7D7F-D&G;./L1Y/['q!69#;k*A'5.p9L(^2:5!*})=(a$d2x.t8w:<*t#R%5\
%E8t8s*H/v0T3q09,0'}3k31;v<U+m'u&i)}0Q'?:r8w-y+((,2c(e)v1A6U4M&W#v$:.><05Z.[*l%y!4*b678w&g3g&2!n\
'6&f!1\
",
    ),
    (
        "hitblow 5 8",
        "\
!!-9GYamW9]vajYEM!VASf^|d)PnWrXVjw2cV0S-Nji).n;n[~l$;52xez$-E5QneP`^T5aQb53A)-3EdI)A$-%rV7GB<IfC\
A^9G=+NcNRR~S+;-<#N;5Mf$CgL*A'B64k8TG4_qFJ>%NI-`fq2:_$LQ]]^M@$NHThiXjo^e9e>K.R::B*K,,$f|:PDpTN0D\
kN8C7_CVS/V<.-6aj#e>_[3=-aDST3Wh5HC1%s&)*Z_ZEo$SNwc8fP>rY{QSY|b}O~.i>'9Uaaa]$i*q%YZu(6(!YeQPGe^m\
DL]0U4[L;D^XV<?h6q6T$%)}Z<$y(3)H!@ZrV25K/UNW=M=rO#Ad5#/T9:70AWK|F[0Kg&0._'=xR|JLAG,t7R9{,O6uV<=k\
6g3:8M#{^7&I6#L64CDKc`g'QOL',K%W&G>?_*Od_KDC+;!K5tQ!V<?GV<,dJ_+V#V-g,c!:\
",
    ),
    (
        "mastermind 3 6",
        "\
!*#H!]$6$.#J$(!U!8!]\
",
    ),
    (
        "mastermind 3 8",
        "\
!,$O&n&n%<&O#!%T$?&[%p#1$J%e&7&]%Q#!#p%O!>#!\
",
    ),
    (
        "mastermind 3 9",
        "\
!-%*'z&3)i)Z(!)Q&)%>&3%%#J$P$I$=(7'A&~#B%W&M%'!^(9&V$G%%#J&H#n%%'A#6\
",
    ),
    (
        "mastermind 3 10",
        "\
!.%h)9*V,R')(P)0+?%~,>+Q+d')'))?%c#c%-$~*O'P$}#M)c(*#u*j&G(W'P%e(W*O*N$%*:(-#y$k*~(l'y#L'P$f'K#L\
))#L(+\
",
    ),
    (
        "mastermind 4 4",
        "\
!($I$X#B#|$1#>!;#M\
",
    ),
    (
        "mastermind 4 5",
        "\
!)','A(3&s#o&<$?%|'r$N!r&N$P!c#7#S#y#P!I!L$H\
",
    ),
    (
        "mastermind 4 6",
        "\
!**S,y%i(n(v,1&=(Q/Q%t#H.s/_/w*{.,*%+o,P%k/K%>(/)>&_'z&D$.%}$`+K!]'~#h%D#Y$*#B$X\
",
    ),
    (
        "mastermind 4 7",
        "\
!+//;$;T4Y83:A4R/g6Z.(*|,G:e:3+;6..p5c;i6]4=6m2A0?,x800?(;6U01-L8&,$6@;u3:8*%%1C4y$$-T(&,P(L5y*P\
;4555F*;5D'81/5_#Q(e.E5,!u4h4d6l-80|.&&8)v$R)@5/(%'(,.1054$a#E/F5,#^\
",
    ),
    (
        "mastermind 4 8",
        "\
!v;TM-MmCBHhL9C:<?Fb;NH4KeHI,AF'/21{JwLX87157SL;1tC@1n<}60EtI[>PC(M3*wCv8&MNE:5vIL*p0IFw8p8iCv%3\
EE7I@P9^<bJ6LjB~J0L=!Z+]&y-fB6'DK{H?%o;i*8Ce217d-&7#ExD#4]=GK3,D)LI:@RI?2C4hJdJOER,m-57yJHJH-c)J\
1>2(;jHK-D'O.N(k)2Ef,EJ^#m7l'.5f%G-l,-&+?r9VCbD%MK>E8y;j,ADc7mD&IQ=aCj;i6{*44Z2pCP3D)F/;#lJ4'G-4\
$]&<6B#l4@.FDe#l\
",
    ),
    (
        "mastermind 5 3",
        "\
!'#H#6#f#9#Q!S!P!H!Q\
",
    ),
    (
        "mastermind 5 4",
        "\
!8(i*~&n-&+a,^,W,%)b#U)x%b,d'1,'%I'$$F!E'z&{'x':'{+,#-#_*F\
",
    ),
    (
        "mastermind 5 5",
        "\
!B;O3DBU<$9$<r<~A~6&6>(P9t@u9v?X48Bp6A,m3[A=;~;F4_B,<MA{4c7(C+.'8;44.&=I,k?:9R;}AJ&!'>0@'a&Z5S=_\
<6(A>)4O?[.@?=8o?B:38F,J<D$w/D.@611C,%4&(]%w$60K';%W#o=@/A=`#7,B6s5E'g&d9S/k.'(W7X7q#R5*1T)~5),x\
%.=j0*$n#x6i/a4n\
",
    ),
    (
        "mastermind 5 6",
        "\
!NTlgFf6iGf<hVWwWqWMWrF=i*rjhqftZ=Z4d=qds}h8KqaYd|v.v49@tUTMc~a4aMRtG$cHD~,rv)Z)utgfglS8a/gec+t,\
/xMm[pjwF_p7B`4^sh=J6wtx:^vC6`Dj9lpHJhm/:PuAuBdxX~R;KSfo=Xa0Y]<vDrm.v6c{7KKbUpp_cPHl)B<Y=+BJ:ZPw\
QQ62<IEj(p^|@-jWNU]^R^KW`Z.j/r@KX`Pa:3^G('tLU:@-M</8ZfgW,jDmg>Gq/3,SN0jsiaimMxpHlwg`@Jo^=r?;(7j4\
XP&</$L|7IBnn3Ktr{<yIzBH6FC)96EURST+SK(!^X:&Et9oX)H#0QRY$`-C%Kgyq#6p&N]wbkNC[F1?'hneoc[1LJ(=[:%n\
JIi[uW.V#/g0-q2/j+jb>m[X>rQRuLktjOJPCjP>5,lV7w9Z%kI~5P55:!5J>EQB$jLD%9.:.X$S>Y0RMuZK\
",
    ),
    (
        "mastermind 6 3",
        "\
!0)Y')(K'r(E&4&7)E&X%=!`!`'R&V!D\
",
    ),
];
