//! Plays Hit & Blow, Mastermind, noisy differences and a balance by Bayes' rule.
//!
//! One file, to be pasted as it is. The judge's first line names the game:
//!
//! ```text
//! hitblow P K         P distinct digits of 0..K are hidden. A guess is answered by `h b`: h digits are
//! mastermind P K      right and in their place, b are right but elsewhere. (Here digits may repeat.)
//! distance P K SIGMA  As hitblow, but the answer is `c d`: whether the guess is right, and the secret
//!                     minus the guess, as numbers in base K, with normal noise.
//! gap P K SIGMA       As distance, but without the sign: |secret - guess|, with normal noise.
//! balance N heavy     One stone of N is heavier (odd: or lighter). `? k a1 … ak b1 … bk` weighs k stones
//! balance N odd       against k others, answered by <, = or >; `! i` names it.
//! ```
//!
//! Every secret has a *prior* probability before the first question. Each reply has a *likelihood*
//! under each secret. Bayes' rule multiplies the two into the *posterior*. The next question is the
//! one with the most *mutual information* between its reply and the secret, plus a bonus for the
//! chance of being right at once. Where the fewest possible turns are known, the solver plays them.
//!
//! `bayes` says all of this in general, and `judge` talks to the judge. Both are between marks: they
//! are copied into other submissions as they are. Tests play whole games with `bayes` alone; the
//! scorers of each game below are faster, and tested to be equal.
//!
//! Reading order, the general before the special. A module uses only modules above it, except that
//! `search` reads the table in `book`, which is last because nobody can read it:
//!
//! ```text
//! bayes     prior, likelihood, posterior, information, the best question; knows no game
//! judge     lines in and out
//! limits    sizes, work and time that a game may take
//! pegs      codes and feedback of hitblow and mastermind, the information of a guess
//! prior     secrets that people choose
//! distance  noisy differences, with their sign or without
//! balance   weighings
//! search    which guesses to score, the fewest turns, the strategy for hitblow and mastermind
//! unlisted  games with too many codes to list
//! (main)    options, and one function for each game
//! book      proved strategies, packed
//! ```
//!
//! For readers of an article on Hit & Blow: the probabilities are a `Posterior`, their update is
//! `Posterior::update` with `Replies::likelihood`, and the mutual information of a guess is computed
//! by `Scorer`. The bonus for a hit is `HIT_BONUS`.
//!
//! A reply that breaks the protocol ends the program with a sentence on stderr and exit status 2.
//!
//! Options, for use at home: `--policy optimal|mi|map`, `--hit-bonus BITS` (with `mi`), `--prior FILE`
//! (with `hitblow` and `mastermind`: a code and its weight in each line), `--trace`.

use std::process::ExitCode;
use std::time::Instant;

use itertools::Itertools;

use balance::{BalanceSolver, Move, Reply};
use bayes::Posterior;
use distance::{Difference, DistanceSolver};
use judge::Judge;
use limits::{HURRY_AFTER, MAX_CODES, MAX_DIGITS, UNLISTED_WORK};
use pegs::{CodeId, Codes, Feedback, Game, Policy, Replies, unknown_game};
use search::{HIT_BONUS, Solver};
use unlisted::Fitting;

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
    //! Sizes, work and time. Work is counted and not timed, so that a game is played alike on every
    //! machine; the two times are a last resort where a machine is several times slower than expected.

    use std::time::Duration;

    /// The most places of a code.
    pub const MAX_PLACES: usize = 10;
    /// The most digits of a game.
    pub const MAX_DIGITS: usize = 64;
    /// The codes of a larger game are not listed: the solver searches for codes that fit the replies.
    pub const MAX_CODES: u64 = 2_000_000;
    /// The most stones of a balance.
    pub const MAX_STONES: usize = 10_000;

    /// Table lookups in a whole game of listed codes; about 0.5 ns each.
    pub const LISTED_WORK: u64 = 1_200_000_000;
    /// Comparisons with a guess in a whole game of unlisted codes; about 3 ns each.
    pub const UNLISTED_WORK: u64 = 220_000_000;
    /// Additions in a whole game of distances; about 1 ns each. An entropy counts as 20.
    pub const DISTANCE_WORK: u64 = 400_000_000;
    /// After this time, unlisted codes are hardly searched for, so that many turns fit into the limit.
    pub const HURRY_AFTER: Duration = Duration::from_millis(1_200);
    /// After this time, nothing is searched or scored.
    pub const NO_SEARCH_AFTER: Duration = Duration::from_millis(1_500);

    /// Where guesses are thinned out, at least this many candidates judge each of them.
    pub const MIN_ROWS: usize = 2_000;
    /// The fewest turns are searched for among this many candidates at most.
    pub const MAX_EXACT: usize = 1_000;
    /// The book has an entry for each set of more candidates than this.
    pub const BOOK_LEAF: usize = 12;

    /// While more codes of `distance` than this are likely, none is listed.
    pub const MAX_LIKELY: usize = 10_000;
    /// With more codes than this, those less probable than the best by a factor of e^-100 are dropped.
    pub const MANY_LIKELY: usize = 2_000;
    /// Codes this far from the estimate are listed at first, in standard deviations.
    pub const REACH: f64 = 9.0;

    /// With this many candidates or fewer, every question of a balance is considered.
    pub const FEW_STONES: usize = 13;

    /// This many unlisted codes stand for the posterior.
    pub const SAMPLE: usize = 400;
    /// Where fewer codes than this are drawn, all are searched for.
    pub const MIN_SAMPLE: usize = 50;
    /// A search for one code starts again after this many comparisons: a bad start takes too long.
    pub const PATIENCE: u64 = 1_000_000;
}

pub mod pegs {
    //! Hit & Blow and Mastermind: codes, feedback, and how much a guess tells.

    use itertools::Itertools;

    use super::bayes::{Hypothesis, Posterior};
    use super::limits::{MAX_DIGITS, MAX_PLACES};

    /// Which question is asked.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Policy {
        /// The most probable hypothesis (maximum a posteriori).
        Map,
        /// The question that is proved to lead to the fewest turns on average, where that is known or
        /// found in time; else the one of most mutual information.
        Optimal,
        /// Mutual information, plus `hit_bonus` bits times the probability of being right.
        Mi {
            /// A right guess saves the turn that would have to name the secret. A turn is worth about
            /// as many bits as its reply yields.
            hit_bonus: f64,
        },
    }

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
        /// The game that an opening line names. The codes of `distance` and `gap` are those of `hitblow`.
        ///
        /// # Errors
        /// If this solver does not know it; says what was expected.
        pub fn new(name: &str, places: usize, digits: usize) -> Result<Self, String> {
            let distinct = match name {
                "hitblow" | "distance" | "gap" => true,
                "mastermind" => false,
                _ => return Err(unknown_game(name)),
            };
            let enough = if distinct { places } else { 1 };
            if !(1..=MAX_PLACES).contains(&places) || !(enough..=MAX_DIGITS).contains(&digits) {
                return Err(format!(
                    "expected 1 to {MAX_PLACES} places and {enough} to {MAX_DIGITS} digits, found {name} {places} {digits}"
                ));
            }
            Ok(Self {
                places,
                digits,
                distinct,
            })
        }

        /// The name and parameters, as in an opening line.
        pub fn title(&self) -> String {
            let name = match self.distinct {
                true => "hitblow",
                false => "mastermind",
            };
            format!("{name} {} {}", self.places, self.digits)
        }

        /// The number of codes; `u64::MAX` if that does not fit.
        pub fn code_count(&self) -> u64 {
            let choices = |place| self.digits - if self.distinct { place } else { 0 };
            (0..self.places).fold(1, |count: u64, place| {
                count.saturating_mul(choices(place) as u64)
            })
        }
    }

    /// The error for a game that this solver does not know.
    pub fn unknown_game(name: &str) -> String {
        format!("expected hitblow, mastermind, distance, gap or balance, found {name:?}")
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
        /// The rule itself. [`Replies`] is the same for all listed secrets, and faster.
        pub fn from_codes(guess: &[u8], secret: &[u8]) -> Self {
            let hits = guess.iter().zip(secret).filter(|(a, b)| a == b).count() as u8;
            let mut left = digit_counts(secret);
            let mut common = 0;
            for &digit in guess {
                let left = &mut left[usize::from(digit)];
                common += u8::from(*left > 0);
                *left = left.saturating_sub(1);
            }
            Self {
                hits,
                blows: common - hits,
            }
        }

        /// A number for each feedback, below [`CELLS`].
        pub fn cell(self, places: usize) -> usize {
            usize::from(self.hits + self.blows) * (places + 1) + usize::from(self.hits)
        }

        /// The feedback of this number.
        pub fn from_cell(cell: usize, places: usize) -> Self {
            let hits = cell % (places + 1);
            Self {
                hits: hits as u8,
                blows: (cell / (places + 1) - hits) as u8,
            }
        }
    }

    /// How often each digit is in a code.
    pub fn digit_counts(code: &[u8]) -> [u8; MAX_DIGITS] {
        let mut counts = [0; MAX_DIGITS];
        code.iter()
            .for_each(|&digit| counts[usize::from(digit)] += 1);
        counts
    }

    /// Above every [`Feedback::cell`]: 11², rounded up to 128 so that masking bounds an index.
    pub const CELLS: usize = ((MAX_PLACES + 1) * (MAX_PLACES + 1)).next_power_of_two();

    /// The number of a code: its place in ascending order, from 0.
    pub type CodeId = Hypothesis;

    /// All codes of a game, in ascending order; or some of them.
    ///
    /// A code is stored twice: as digits, and as *tokens*. A token is a digit together with the number
    /// of equal digits before it. So the tokens of a code differ even where its digits repeat, and two
    /// codes have as many tokens in common as digits (repeats counted):
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

    /// Above every token with its place: 6400, rounded up to 8192 so that masking bounds an index.
    const TOKENS: usize = (MAX_PLACES * MAX_PLACES * MAX_DIGITS).next_power_of_two();

    #[allow(clippy::len_without_is_empty)] // every game has a code
    impl Codes {
        /// All codes of a game. Cost: about 20 ns and 3 · P bytes a code.
        pub fn new(game: Game) -> Self {
            let mut codes = Self::with_capacity(game, game.code_count() as usize);
            codes.extend(&mut Vec::with_capacity(game.places));
            codes
        }

        /// Only these codes.
        pub fn from_list(game: Game, list: &[Vec<u8>]) -> Self {
            let mut codes = Self::with_capacity(game, list.len());
            list.iter().for_each(|code| codes.push(code));
            codes
        }

        fn with_capacity(game: Game, count: usize) -> Self {
            Self {
                game,
                digits: Vec::with_capacity(count * game.places),
                tokens: Vec::with_capacity(count * game.places),
            }
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

        /// The token of a digit at a place, after `earlier` equal digits.
        fn token(&self, place: usize, digit: u8, earlier: usize) -> u16 {
            ((place * self.game.places + earlier) * self.game.digits + usize::from(digit)) as u16
        }

        /// The number of codes.
        pub fn len(&self) -> usize {
            self.digits.len() / self.game.places
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
    /// A table says for each token what it adds to the number of the reply's cell. The cell of a secret
    /// is the sum over its P tokens:
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
        pub fn new(codes: &'a Codes, guess: CodeId) -> Self {
            let mut replies = Self::empty(codes);
            replies.lay_out(guess, u8::wrapping_add);
            replies
        }

        fn empty(codes: &'a Codes) -> Self {
            Self {
                codes,
                table: Box::new([0; TOKENS]),
            }
        }

        /// The reply that `secret` would give.
        pub fn feedback(&self, secret: CodeId) -> Feedback {
            let entry = |&token: &u16| self.table[usize::from(token)];
            let cell: u8 = self.codes.tokens(secret).iter().map(entry).sum();
            Feedback::from_cell(usize::from(cell), self.codes.game.places)
        }

        /// P(reply | secret, guess): 1 where the rules give that reply, else 0.
        pub fn likelihood(&self, secret: CodeId, reply: Feedback) -> f64 {
            f64::from(u8::from(self.feedback(secret) == reply))
        }

        /// Calls `visit` with the cell of every row, in their order. A row is the tokens of a code.
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
                // A secret with this digit at this place has a hit, whatever is before it.
                let most_earlier = if self.codes.game.distinct { 0 } else { place };
                for earlier in 0..=most_earlier {
                    let token = self.codes.token(place, digit, earlier);
                    let entry = &mut self.table[usize::from(token)];
                    *entry = change(*entry, hit);
                }
            }
            let stride = places * self.codes.game.digits;
            for (place, &token) in self.codes.tokens(guess).iter().enumerate() {
                // A secret with this token at any place has a digit in common.
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

    /// Partitions the candidates by their replies to a guess, and says what the guess tells.
    ///
    /// The reply is a function of guess and secret, so H(reply | secret) = 0, and the mutual
    /// information between reply and secret is the entropy of the reply,
    ///
    /// ```text
    /// I = H(reply) = −Σ p_r · log2 p_r = log2 W − (1/W) · Σ w_r · log2 w_r
    /// ```
    ///
    /// where w_r is the weight of the candidates that would reply r, and W the sum of all. With noise
    /// I = H(reply) − H(reply | secret): see [`distance`](super::distance).
    pub struct Scorer<'a> {
        replies: Replies<'a>,
        /// The tokens of all candidates, one after the other.
        rows: Vec<u16>,
        weights: Option<Vec<f64>>,
        total: f64,
        /// The numbers of all possible feedbacks.
        pub cells: Vec<usize>,
        /// n · log2 n for every possible size of a cell, where weights are equal.
        pub n_log_n: Vec<f64>,
        /// How many candidates would give each reply to the guess that was counted last, by cell.
        pub counts: [u32; CELLS],
    }

    impl<'a> Scorer<'a> {
        /// A scorer of guesses against these candidates: indices into `posterior`'s support.
        pub fn new(codes: &'a Codes, posterior: &Posterior, sample: &[usize]) -> Self {
            let places = codes.game.places;
            let mut rows = Vec::with_capacity(sample.len() * places);
            for &index in sample {
                rows.extend_from_slice(codes.tokens(posterior.support()[index]));
            }
            let weight = |&index| posterior.weight(index);
            let weights =
                (!posterior.is_uniform()).then(|| sample.iter().map(weight).collect_vec());
            let (total, largest) = match &weights {
                Some(weights) => (weights.iter().sum(), 0),
                None => (sample.len() as f64, sample.len()),
            };
            let feedbacks =
                (0..=places).flat_map(|common| (0..=common).map(move |hits| (common, hits)));
            Self {
                replies: Replies::empty(codes),
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

        /// The weight of the candidates that would give each reply, by cell.
        pub fn partition(&mut self, guess: CodeId) -> [f64; CELLS] {
            let Some(weights) = self.weights.take() else {
                self.count(guess);
                return self.counts.map(f64::from);
            };
            let mut partition = [0.0; CELLS];
            let mut weight = weights.iter();
            self.replies.lay_out(guess, u8::wrapping_add);
            self.replies.each_cell(&self.rows, |cell| {
                partition[cell] += weight.next().expect("a weight for each row");
            });
            self.replies.lay_out(guess, u8::wrapping_sub);
            self.weights = Some(weights);
            partition
        }

        /// Counts how many candidates would give each reply, into `counts`.
        pub fn count(&mut self, guess: CodeId) {
            for &cell in &self.cells {
                self.counts[cell] = 0;
            }
            self.replies.lay_out(guess, u8::wrapping_add);
            let counts = &mut self.counts;
            self.replies.each_cell(&self.rows, |cell| counts[cell] += 1);
            self.replies.lay_out(guess, u8::wrapping_sub);
        }
    }

    /// The candidates by their reply to a guess, except those that it hits, in the order of the cells.
    pub fn split(codes: &Codes, set: &[CodeId], guess: CodeId) -> Vec<(Feedback, Vec<CodeId>)> {
        let (places, replies) = (codes.game.places, Replies::new(codes, guess));
        let mut cells: [Vec<CodeId>; CELLS] = [const { Vec::new() }; CELLS];
        for &code in set {
            cells[replies.feedback(code).cell(places)].push(code);
        }
        let cells = (0..).zip(cells).filter(|(_, cell)| !cell.is_empty());
        cells
            .map(|(cell, codes)| (Feedback::from_cell(cell, places), codes))
            .filter(|(reply, _)| usize::from(reply.hits) < places)
            .collect()
    }
}

pub mod prior {
    //! Secrets that people choose: a file with a code and its weight in each line (article 002: any prior
    //! will do, if it is not 0). Digits stand side by side if all are below 10, otherwise with commas or
    //! blanks between them. Weights are proportional to probabilities; codes without a line are
    //! impossible. Blank lines and lines that begin with # are skipped.

    use super::bayes::Posterior;
    use super::pegs::{CodeId, Codes};

    /// Reads such a text.
    ///
    /// # Errors
    /// With the line's number, what was expected there and what was found.
    pub fn parse(codes: &Codes, text: &str) -> Result<Posterior, String> {
        let mut weights = vec![None; codes.len()];
        for (number, line) in (1..).zip(text.lines()) {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let (code, weight) = entry(codes, content).ok_or_else(|| {
                format!("line {number}: expected a code of the game and a weight of at least 0, found {line:?}")
            })?;
            if weights[code as usize].replace(weight).is_some() {
                return Err(format!(
                    "line {number}: expected each code once, found {line:?}"
                ));
            }
        }
        let weights: Vec<f64> = weights.into_iter().map(Option::unwrap_or_default).collect();
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(format!(
                "expected weights with a sum greater than 0 and finite, found {sum}"
            ));
        }
        Ok(Posterior::from_prior(&weights))
    }

    fn entry(codes: &Codes, line: &str) -> Option<(CodeId, f64)> {
        let blanks = [' ', '\t', ','];
        let (code, weight) = line.rsplit_once(blanks)?;
        let weight = weight.parse::<f64>().ok()?;
        let code = code.trim_end_matches(blanks);
        let usable = weight >= 0.0 && weight.is_finite();
        usable.then_some((find(codes, code)?, weight))
    }

    /// The code of a text. Codes are in ascending order.
    fn find(codes: &Codes, text: &str) -> Option<CodeId> {
        let digits: Option<Vec<u8>> = if text.contains([',', ' ']) {
            let words = text.split([',', ' ']).filter(|word| !word.is_empty());
            words.map(|word| word.parse().ok()).collect()
        } else if codes.game.digits <= 10 {
            let digits = text.chars().map(|c| c.to_digit(10));
            digits.map(|digit| Some(digit? as u8)).collect()
        } else {
            text.parse().ok().map(|digit| vec![digit])
        };
        let digits = digits?;
        let (mut low, mut high) = (0, codes.len() as CodeId);
        while low < high {
            let middle = low + (high - low) / 2;
            match codes.digits(middle) < &digits[..] {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let found = (low as usize) < codes.len() && codes.digits(low) == digits;
        found.then_some(low)
    }
}

pub mod distance {
    //! Noisy differences: no reply excludes a code, but each makes some more probable.

    use itertools::Itertools;

    use super::bayes::{EQUAL, Posterior, entropy_bits, entropy_term_bits, yes_or_no_bits};
    use super::limits::{DISTANCE_WORK, MANY_LIKELY, MAX_LIKELY, REACH};
    use super::pegs::{CodeId, Game, Policy};

    /// A normal deviate of mean 0, rounded to the nearest integer.
    pub struct Noise {
        sigma: f64,
        /// Logarithms of the probabilities of 0, ±1, ±2, …; NaN where not computed yet.
        known: Vec<f64>,
    }

    impl Noise {
        /// Noise of standard deviation `sigma` ≥ 0.
        pub fn new(sigma: f64) -> Self {
            Self {
                sigma,
                known: Vec::new(),
            }
        }

        /// The logarithm of the probability of a deviate.
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

        /// The probability is that of a standard deviate between a = (e - 1/2) / σ and a + h, h = 1/σ.
        /// In the tails, both values of the distribution function are 1 to the last digit, and their
        /// difference would be 0. With φ(a) in front of the integral, nothing is subtracted:
        ///
        /// ```text
        /// log P(e) = log φ(a) + log ∫ exp(-a·t - t²/2) dt, t from 0 to h
        /// ```
        ///
        /// The first term is finite however far out, and the integral is positive.
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
        /// The five points of Gauss and Legendre in -1..1, and their weights.
        const POINTS: [(f64, f64); 5] = [
            (0.0, 0.568_888_888_888_888_9),
            (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        // Where the exponent is below -40, the rest adds nothing.
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

    /// What the noise is added to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Difference {
        /// `distance`: the secret minus the guess.
        Signed,
        /// `gap`: the same without its sign.
        Size,
    }

    impl Difference {
        /// What would be replied if there were no noise.
        pub fn between(self, secret: i64, guess: i64) -> i64 {
            match self {
                Self::Signed => secret - guess,
                Self::Size => (secret - guess).abs(),
            }
        }

        /// A hit is worth the bits of that many turns, measured in docs/noise.md.
        pub fn turns_of_a_hit(self) -> f64 {
            match self {
                Self::Signed => 1.0,
                Self::Size => 6.0,
            }
        }
    }

    /// Plays `distance` and `gap`. Codes are numbers. A reply is the secret minus the guess, plus noise.
    ///
    /// **What makes a guess good.** The reply is (c, d): whether the guess g is right, and s - g + noise.
    /// By the chain rule its information is I(d; s) + I(c; s | d). The noise does not depend on the guess,
    /// and to know s - g + noise is to know s + noise. So the first term is *the same for every guess*,
    /// and only rounding errors would rank the guesses by it.
    ///
    /// Two other terms decide. One is I(c; s | d), what c tells when d is known. The other is the
    /// probability that the guess is right, times the bits I(d; s) of the turn that it saves. Both grow
    /// with the probability of g. So the solver declares the most probable code, or one nearly as
    /// probable that later replies would hardly tell from its neighbours. Over 30,000 games
    /// `distance 3 10 30` takes 13.274 turns on average, and 13.307 with the most probable code (the
    /// difference is 0.033 ± 0.023; with SIGMA 10 it is 0.018 ± 0.013 of 7.1 turns).
    ///
    /// **Without the sign** ([`Gaps`]) the first term depends on the guess. A guess outside of the likely
    /// codes tells as much as with a sign; a guess among them tells less, and may be right.
    pub struct DistanceSolver {
        game: Game,
        difference: Difference,
        /// A hit is worth the bits of that many turns like this one.
        pub turns_of_a_hit: f64,
        noise: Noise,
        policy: Policy,
        /// Guesses and differences.
        asked: Vec<(i64, i64)>,
        /// Likely codes as ascending numbers, and their posterior; `None` while there are too many.
        listed: Option<(Vec<i64>, Posterior)>,
        /// Codes further than this from the estimate are not listed, in standard deviations.
        reach: f64,
        work_left: u64,
    }

    impl DistanceSolver {
        /// Before the first guess of `distance`.
        ///
        /// # Errors
        /// If `sigma` is negative or not a number.
        pub fn new(game: Game, sigma: f64, policy: Policy) -> Result<Self, String> {
            Self::with(Difference::Signed, game, sigma, policy)
        }

        /// The same for either game.
        ///
        /// # Errors
        /// As [`DistanceSolver::new`].
        pub fn with(
            difference: Difference,
            game: Game,
            sigma: f64,
            policy: Policy,
        ) -> Result<Self, String> {
            if !(sigma.is_finite() && sigma >= 0.0) {
                return Err(format!(
                    "expected a standard deviation of at least 0, found {sigma}"
                ));
            }
            Ok(Self {
                game,
                difference,
                turns_of_a_hit: difference.turns_of_a_hit(),
                noise: Noise::new(sigma),
                policy,
                asked: Vec::new(),
                listed: None,
                reach: REACH,
                work_left: DISTANCE_WORK,
            })
        }

        /// The likely codes as ascending numbers, and their posterior, unless there are too many.
        pub fn listed(&self) -> Option<(&[i64], &Posterior)> {
            let (values, belief) = self.listed.as_ref()?;
            Some((values, belief))
        }

        /// The digits of a number, first place first.
        pub fn to_digits(&self, mut value: i64) -> Vec<u8> {
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
            // If no listed code is left, the secret is one of the others.
            while self.none_left() && !self.reaches_all() {
                self.reach *= 2.0;
                self.listed = None;
                self.list();
            }
            let Some((values, belief)) = &self.listed else {
                return Ok(self.in_the_middle());
            };
            belief.check_possible()?;
            let hit_bonus = match self.policy {
                Policy::Map => return Ok(values[belief.mode() as usize]),
                Policy::Mi { hit_bonus } => Some(hit_bonus),
                Policy::Optimal => None,
            };
            if self.difference == Difference::Size {
                let gaps = Gaps::new(values, belief, &mut self.noise, &mut self.work_left);
                let turns = self.turns_of_a_hit;
                let best = gaps.map(|gaps| gaps.best(hit_bonus, turns, &mut self.work_left));
                return Ok(best.unwrap_or_else(|| values[belief.mode() as usize]));
            }
            let tables = Tables::new(values, belief, &mut self.noise, &mut self.work_left);
            let guess = match tables {
                None => belief.mode(),
                Some(tables) => {
                    let of_turns = || self.turns_of_a_hit * tables.bits_of_a_turn();
                    let hit_bonus = hit_bonus.unwrap_or_else(of_turns);
                    tables.best(hit_bonus, &mut self.work_left)
                }
            };
            Ok(values[guess as usize])
        }

        /// Learns that a guess is wrong, and the difference in the reply.
        pub fn learn(&mut self, guess: i64, difference: i64) {
            self.asked.push((guess, difference));
            if let Some((values, belief)) = &mut self.listed {
                let (of, noise) = (self.difference, &mut self.noise);
                belief.update_log(|code| {
                    log_likelihood(of, noise, values[code as usize], (guess, difference))
                });
                if belief.support().len() > MANY_LIKELY {
                    belief.forget_below(-100.0);
                }
            }
        }

        /// Lists the likely codes, if there are not too many.
        fn list(&mut self) {
            let (lowest, highest) = self.likely();
            let mut values = Vec::new();
            self.each_code(lowest, highest, &mut |value| {
                values.push(value);
                values.len() <= MAX_LIKELY
            });
            if values.len() > MAX_LIKELY {
                return;
            }
            let mut belief = Posterior::uniform(values.len());
            for &asked in &self.asked {
                let (of, noise) = (self.difference, &mut self.noise);
                belief.update_log(|code| log_likelihood(of, noise, values[code as usize], asked));
            }
            self.listed = Some((values, belief));
        }

        fn none_left(&self) -> bool {
            let listed = self.listed.as_ref();
            listed.is_some_and(|(_, belief)| belief.support().is_empty())
        }

        /// Whether every code was considered.
        fn reaches_all(&self) -> bool {
            let all = (self.game.digits as i64).pow(self.game.places as u32);
            let (lowest, highest) = self.likely();
            lowest <= 0 && highest >= all
        }

        /// The secrets that the replies point at. Without its sign, a difference points at one secret only
        /// if the guess was the smallest code, below all others.
        fn pointed_at(&self) -> impl Iterator<Item = i128> {
            let told = |&&(guess, _): &&(i64, i64)| {
                self.difference == Difference::Signed || guess == self.smallest()
            };
            let points = |&(g, d): &(i64, i64)| i128::from(g) + i128::from(d);
            self.asked.iter().filter(told).map(points)
        }

        /// The smallest code as a number: its digits are 0 1 2 ….
        fn smallest(&self) -> i64 {
            let base = self.game.digits as i64;
            (0..self.game.places as i64).fold(0, |value, digit| value * base + digit)
        }

        /// The mean of the secrets that the replies point at, rounded down, and its standard deviation.
        /// In integers, because codes have up to sixty bits.
        fn estimate(&self) -> (i64, f64) {
            let turns = self.pointed_at().count();
            let sum: i128 = self.pointed_at().sum();
            let variance = self.noise.sigma.powi(2) + 1.0 / 12.0; // rounding adds a little
            // No code is as large; whatever was replied, the reach can grow from there to all codes.
            let mean = sum.div_euclid(turns as i128).clamp(-1 << 62, 1 << 62);
            (mean as i64, (variance / turns as f64).sqrt())
        }

        /// The secret is likely to be between these numbers; before the first reply, any.
        fn likely(&self) -> (i64, i64) {
            if self.pointed_at().next().is_none() {
                return (0, i64::MAX);
            }
            let (mean, deviation) = self.estimate();
            let reach = ((self.reach * deviation).ceil() as i64).saturating_add(2);
            (mean.saturating_sub(reach), mean.saturating_add(reach))
        }

        /// A code near the middle of the likely ones. Without a sign, the smallest of all: its replies tell
        /// as much as if they had one.
        fn in_the_middle(&self) -> i64 {
            if self.difference == Difference::Size {
                return self.smallest();
            }
            let middle = match self.asked.is_empty() {
                true => (self.game.digits as i64).pow(self.game.places as u32) / 2,
                false => self.estimate().0,
            };
            let mut found = None;
            let mut look = |value| {
                found = Some(value);
                self.asked.iter().any(|&(guess, _)| guess == value)
            };
            // Usually only the first code above the middle is visited. The last code is the largest.
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

        /// The same for the codes that begin with the digits of `head`, with this many places left.
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

    /// log P(reply | secret, guess). The reply is that the guess is wrong, and a difference.
    fn log_likelihood(
        of: Difference,
        noise: &mut Noise,
        secret: i64,
        (guess, difference): (i64, i64),
    ) -> f64 {
        if secret == guess {
            return f64::NEG_INFINITY; // it would have been right
        }
        noise.log_mass(difference.saturating_sub(of.between(secret, guess)))
    }

    /// What is needed to compare the guesses of one turn. y stands for secret + noise, which tells as
    /// much as the difference.
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
        /// `None` if there is nothing to choose, or the tables would take more than an eighth of the
        /// work that is left.
        pub fn new(
            values: &'a [i64],
            belief: &'a Posterior,
            noise: &mut Noise,
            work_left: &mut u64,
        ) -> Option<Self> {
            // The bound exceeds all work, and keeps the sums below from overflowing.
            let reach = (8.0 * noise.sigma).ceil().min(1e12) as usize + 1;
            let value = |index: usize| values[belief.support()[index] as usize];
            // Less probable codes add nothing.
            let likely = (0..belief.support().len()).filter(|&index| belief.weight(index) > 1e-9);
            let mut likely = likely.collect_vec();
            let (least, most) = (value(*likely.first()?), value(*likely.last()?));
            let width = (most - least) as u64 + 2 * reach as u64 + 1;
            let additions = 2 * (likely.len() * reach) as u64;
            // A probability, if it is not known yet, counts as 60 additions.
            let work = width + additions + 60 * reach as u64;
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
                let centre = (value(index) - first) as usize;
                let probability = belief.weight(index) / total;
                for (error, mass) in mass.iter().enumerate() {
                    of_sum[centre + error] += probability * mass;
                    if error > 0 {
                        of_sum[centre - error] += probability * mass;
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
            let bits = |masses: &[f64]| masses.iter().copied().map(entropy_term_bits).sum::<f64>();
            // Each mass of the noise except the first stands for two.
            bits(&self.of_sum) - (2.0 * bits(&self.mass) - entropy_term_bits(self.mass[0]))
        }

        /// I(c; s | d) for a guess, in bits: Σ over y of P(y) · h(P(guess | y)), where h is the entropy
        /// of a yes or no. The guess is an index into the support.
        #[inline(never)] // on its own, its loop compiles to fewer instructions
        pub fn information_bits(&self, guess: usize) -> f64 {
            let value = self.values[self.belief.support()[guess] as usize];
            let centre = (value - self.first) as usize;
            let right = self.belief.weight(guess) / self.total;
            let at = |y: usize, error: usize| {
                let both = right * self.mass[error];
                let sum = self.of_sum[y];
                if both > 0.0 {
                    sum * yes_or_no_bits((both / sum).min(1.0))
                } else {
                    0.0
                }
            };
            let both_sides = |e: usize| at(centre + e, e) + at(centre - e, e);
            at(centre, 0) + (1..self.mass.len()).map(both_sides).sum::<f64>()
        }

        /// The code with the most information about whether it is right, plus the bonus for that; of
        /// equal ones the most probable, then the smallest.
        fn best(&self, hit_bonus: f64, work_left: &mut u64) -> CodeId {
            // The most probable code, if there is no time to compare.
            let mut best = (f64::NEG_INFINITY, self.likely[0]);
            for &guess in &self.likely {
                let right = self.belief.weight(guess) / self.total;
                // To know y only lessens what c tells, and the codes that follow are less probable.
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

    /// What is needed to compare the guesses of one turn of `gap`.
    ///
    /// Here I(d; s) depends on the guess. With it alone one would ask outside of the likely codes for
    /// ever: a guess inside tells less, because codes on both sides of it give the same replies. So what c
    /// tells decides, and what a hit is worth. A hit saves all turns that are left, and not only one. Where a turn tells I
    /// bits, and shortens the rest by D of its V turns, a hit is worth the bits of V/D such turns.
    /// [`Difference::turns_of_a_hit`] is the V/D that took the fewest turns (docs/noise.md).
    pub struct Gaps<'a> {
        values: &'a [i64],
        belief: &'a Posterior,
        /// Values and probabilities of likely codes, ascending.
        likely: Vec<(i64, f64)>,
        /// P(noise = -r, …, r), as far as it is above 10^-14.
        mass: Vec<f64>,
        noise_bits: f64,
        /// Buffers: P(|s - g|) for all secrets but g, and P(c = 0, d).
        folded: Vec<f64>,
        of_reply: Vec<f64>,
    }

    impl<'a> Gaps<'a> {
        /// `None` if there is nothing to choose, or no time to compare.
        pub fn new(
            values: &'a [i64],
            belief: &'a Posterior,
            noise: &mut Noise,
            work_left: &mut u64,
        ) -> Option<Self> {
            let reach = (8.0 * noise.sigma).ceil().min(1e12) as usize + 1;
            let total = belief.total();
            let indices = (0..belief.support().len()).filter(|&i| belief.weight(i) > 1e-9);
            let code = |i: usize| {
                (
                    values[belief.support()[i] as usize],
                    belief.weight(i) / total,
                )
            };
            let likely = indices.map(code).collect_vec();
            if likely.len() < 2 || 60 * reach as u64 > *work_left / 8 {
                return None;
            }
            *work_left -= 60 * reach as u64;
            let reach = reach as i64;
            let mass = (-reach..=reach).map(|error| noise.log_mass(error).exp());
            let mass = mass.collect_vec();
            Some(Self {
                values,
                belief,
                likely,
                noise_bits: entropy_bits(mass.iter().copied()),
                mass,
                folded: Vec::new(),
                of_reply: Vec::new(),
            })
        }

        /// I(c, d; s) for a guess, in bits: H(c, d) - H(noise).
        pub fn information_bits(&mut self, guess: i64) -> f64 {
            let (least, most) = (self.likely[0].0, self.likely[self.likely.len() - 1].0);
            let nearest = (least - guess).max(guess - most).max(0);
            let farthest = (most - guess).max(guess - least);
            self.folded.clear();
            self.folded.resize((farthest - nearest) as usize + 1, 0.0);
            let mut right = 0.0;
            for &(value, probability) in &self.likely {
                match value == guess {
                    true => right = probability,
                    false => self.folded[((value - guess).abs() - nearest) as usize] += probability,
                }
            }
            self.of_reply.clear();
            self.of_reply
                .resize(self.folded.len() + self.mass.len(), 0.0);
            for (at, &probability) in self.folded.iter().enumerate().filter(|p| *p.1 > 0.0) {
                let cells = self.of_reply[at..].iter_mut().zip(&self.mass);
                cells.for_each(|(cell, mass)| *cell += probability * mass);
            }
            // If the guess is right, d is noise, and tells nothing more.
            let right_bits = entropy_term_bits(right) + right * self.noise_bits;
            entropy_bits(self.of_reply.iter().copied()) + right_bits - self.noise_bits
        }

        /// The probability that a guess is right.
        fn right(&self, guess: i64) -> f64 {
            let found = self.likely.binary_search_by_key(&guess, |code| code.0);
            found.map_or(0.0, |index| self.likely[index].1)
        }

        /// The guesses to compare, ascending: codes up to one standard deviation of the noise beyond the
        /// likely ones, as many as there is work for: the most probable ones, and some in equal steps.
        fn pool(&self, work_left: &mut u64) -> Vec<i64> {
            let margin = (self.mass.len() / 16) as i64 + 1;
            let (least, most) = (self.likely[0].0, self.likely[self.likely.len() - 1].0);
            let near = |value: &i64| (least - margin..=most + margin).contains(value);
            let all = self.values.iter().copied().filter(near).collect_vec();
            let width = (most - least) as u64 + margin as u64 + self.mass.len() as u64;
            let each = (self.likely.len() * self.mass.len()) as u64 + 20 * width;
            let count = (*work_left / 8 / each) as usize;
            *work_left -= each * count.min(all.len()) as u64;
            if all.len() <= count {
                return all;
            }
            let mut probable = self.likely.clone();
            probable.sort_by(|a, b| b.1.total_cmp(&a.1));
            let probable = probable.iter().map(|code| code.0).take(count / 2 + 1);
            let step = all.len() / (count / 2 + 1) + 1;
            let spread = all.iter().copied().step_by(step);
            probable.chain(spread).sorted().dedup().collect()
        }

        /// The guess with the most information plus the bonus for a hit; of equal ones the first. Without a
        /// bonus in bits, it is that many times the most bits that a guess tells.
        fn best(mut self, hit_bonus: Option<f64>, turns: f64, work_left: &mut u64) -> i64 {
            let pool = self.pool(work_left);
            let told = |guess: i64| (guess, self.information_bits(guess));
            let told = pool.into_iter().map(told).collect_vec();
            let most = told.iter().map(|guess| guess.1).fold(0.0, f64::max);
            let bonus = hit_bonus.unwrap_or(turns * most);
            let mut best = (f64::NEG_INFINITY, self.values[self.belief.mode() as usize]);
            for (guess, bits) in told {
                let value = bits + bonus * self.right(guess);
                if value > best.0 + EQUAL {
                    best = (value, guess);
                }
            }
            best.1
        }
    }
}

pub mod balance {
    //! A balance: a question is a weighing, and it never ends the game.

    use std::collections::HashMap;

    use itertools::Itertools;

    use super::bayes::{Hypothesis, Posterior, Worth, best_question, entropy_bits};
    use super::limits::{FEW_STONES, MAX_STONES};
    use super::pegs::Policy;

    /// What the balance shows: the side that goes up.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Reply {
        /// `<`: the left side is lighter.
        Lighter,
        /// `=`
        Equal,
        /// `>`: the left side is heavier.
        Heavier,
    }

    /// All replies.
    pub const REPLIES: [Reply; 3] = [Reply::Lighter, Reply::Equal, Reply::Heavier];

    impl Reply {
        /// The reply that the judge writes as this word.
        pub fn from_word(word: &str) -> Option<Self> {
            match word {
                "<" => Some(Self::Lighter),
                "=" => Some(Self::Equal),
                ">" => Some(Self::Heavier),
                _ => None,
            }
        }
    }

    /// How many stones may be heavier or lighter, only heavier, only lighter, or neither. Stones of one
    /// kind are interchangeable, and a question is how many of each kind are put on each side.
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

    /// A question: the stones on the left, and on the right.
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

        /// The number of candidates: a stone, and whether it is heavier.
        pub fn candidates(&self) -> usize {
            2 * self.unknown + self.heavy + self.light
        }

        /// The piles after a reply.
        pub fn after(&self, sides: &Sides, reply: Reply) -> Self {
            let Sides { left, right } = sides;
            let (heavy, light, unknown) = match reply {
                Reply::Equal => (
                    self.heavy - left.heavy - right.heavy,
                    self.light - left.light - right.light,
                    self.unknown - left.unknown - right.unknown,
                ),
                // A heavier stone is on the side that goes down, a lighter one on the other.
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

        /// The number of candidates after each reply.
        pub fn sizes(&self, sides: &Sides) -> [usize; 3] {
            REPLIES.map(|reply| self.after(sides, reply).candidates())
        }

        /// The questions to consider: all that partition the candidates into nearly equal thirds, and
        /// all where there are few candidates. Mirrored questions are left out, and good stones only
        /// fill up the side with fewer stones.
        pub fn questions(&self) -> Vec<Sides> {
            // Stones of a pile on one side: about a third, or any number.
            let few = self.candidates() <= FEW_STONES;
            let range = |pile: usize| match few {
                true => 0..=pile,
                false => (pile / 3).saturating_sub(1)..=(pile.div_ceil(3) + 1).min(pile),
            };
            let kinds = range(self.unknown)
                .cartesian_product(range(self.heavy))
                .cartesian_product(range(self.light));
            let amounts = kinds.map(|((unknown, heavy), light)| Self {
                unknown,
                heavy,
                light,
                good: 0,
            });
            let mut questions = Vec::new();
            for (left, right) in amounts.clone().cartesian_product(amounts) {
                let fits = left.unknown + right.unknown <= self.unknown
                    && left.heavy + right.heavy <= self.heavy
                    && left.light + right.light <= self.light;
                let more = left.stones().max(right.stones());
                let less = left.stones().min(right.stones());
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
            questions
        }

        /// The question with the most mutual information; of equal ones the smallest.
        pub fn best_question(&self) -> Option<Sides> {
            let total = self.candidates() as f64;
            let worth = |sides: &Sides| Worth {
                // The reply is a function of question and candidate: the information is H(reply).
                information_bits: entropy_bits(self.sizes(sides).map(|size| size as f64 / total)),
                right: 0.0,
                cost: 1.0,
            };
            best_question(self.questions(), worth, 0.0).map(|(sides, _)| sides)
        }
    }

    /// The fewest weighings, by search.
    ///
    /// A weighing has three replies. So n candidates cost at least the length of all paths in the most
    /// even tree with three branches and n leaves, and a question whose parts attain that ends the
    /// search. For every game of up to 1000 stones the result is the least possible: it attains a lower
    /// bound (a test).
    #[derive(Default)]
    pub struct Weighings {
        known: HashMap<Piles, (usize, usize, Option<Sides>)>,
    }

    impl Weighings {
        /// The sum of weighings over all candidates, the most for one of them, and the first question.
        pub fn fewest(&mut self, piles: Piles) -> (usize, usize, Option<Sides>) {
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
                let parts = REPLIES.map(|reply| self.fewest(piles.after(&sides, reply)));
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
        // Each of the `width` nodes that is no leaf adds two leaves, one step further down.
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
        /// The line to print.
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
    /// The candidates are N or 2·N, equally likely, and the likelihood of a reply is 0 or 1. A weighing
    /// never ends the game, so there is no bonus. A wrong answer loses, so the solver answers when one
    /// candidate is left.
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
        /// If there is no such game, or the policy cannot play it.
        pub fn new(stones: usize, kind: &str, policy: Policy) -> Result<Self, String> {
            let (odd, fewest) = match kind {
                "heavy" => (false, 1),
                "odd" => (true, 3),
                _ => {
                    return Err(format!(
                        "expected balance N heavy or balance N odd, found {kind:?}"
                    ));
                }
            };
            if stones < fewest {
                return Err(format!(
                    "expected more stones than {stones}: which one is {kind} cannot be found out"
                ));
            }
            if stones > MAX_STONES {
                return Err(format!(
                    "expected at most {MAX_STONES} stones, found {stones}"
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

        /// The posterior. Candidates are numbered stone by stone, for each stone the heavier one first.
        pub fn posterior(&self) -> &Posterior {
            &self.posterior
        }

        /// Stone and whether it is heavier.
        fn candidate(&self, id: Hypothesis) -> (usize, bool) {
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

        /// The line that answers, once one candidate is left.
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

        /// The next weighing, while there is something left to learn.
        pub fn question(&mut self) -> Weighing {
            let piles = self.piles();
            let sides = match self.policy {
                Policy::Mi { .. } | Policy::Map => piles.best_question(),
                Policy::Optimal => self.weighings.fewest(piles).2,
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

        /// The number of stones of each kind.
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

        /// The stones for a question: of each kind, those with the smallest numbers.
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
}

pub mod search {
    //! Hit & Blow and Mastermind: which guesses to score, the fewest turns, and the strategy.

    use std::collections::HashMap;
    use std::time::Instant;

    use itertools::Itertools;
    use rand::seq::index;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::bayes::{EQUAL, Posterior};
    use super::book::BOOKS;
    use super::limits::{BOOK_LEAF, LISTED_WORK, MAX_DIGITS, MAX_EXACT, MIN_ROWS, NO_SEARCH_AFTER};
    use super::pegs::{CELLS, CodeId, Codes, Feedback, Game, Policy, Replies, Scorer, split};

    /// The bonus that is played unless another is asked for. Total turns over all secrets:
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

    /// Digits that no reply can distinguish.
    ///
    /// If the prior is uniform, two digits that no guess has named are interchangeable: swapping their
    /// names turns each candidate into a candidate, and each guess into one of the same worth. So are
    /// two digits that no candidate has. Of the guesses that differ only in such names, only the smallest
    /// is scored; the result is that of scoring every code.
    pub struct Alike {
        /// For each digit, its class (0: none, it stands for itself) and its rank in the class.
        class: [(u8, u8); MAX_DIGITS],
        distinct: bool,
    }

    const UNNAMED: u8 = 1;
    const ABSENT: u8 = 2;

    impl Alike {
        /// The classes with these candidates, after guesses that `named` these digits. If the prior was
        /// not uniform over all codes, every digit counts as named.
        pub fn new(codes: &Codes, candidates: &[CodeId], named: &[bool; MAX_DIGITS]) -> Self {
            let mut present = [false; MAX_DIGITS];
            let mut missing = codes.game.digits;
            for &code in candidates {
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
                } else if !named[digit] {
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

    /// Before the first guess the places are interchangeable too. Of the guesses that differ only in
    /// their order, the smallest has equal digits together, the most frequent first.
    pub fn is_smallest_order(code: &[u8]) -> bool {
        let runs = code.chunk_by(|a, b| a == b).map(<[u8]>::len).collect_vec();
        code.is_sorted() && runs.is_sorted_by(|a, b| a >= b)
    }

    /// `count` of the indices 0..`len`, ascending, the same in every run; all if `count` ≥ `len`.
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

    /// Finds the guess with which a set of candidates costs least. The cost is the sum of the turns of
    /// all candidates with the best play. Branch and bound:
    ///
    /// ```text
    /// cost(S) = |S| + min over guesses of the sum of cost(cell), over all cells except the winning one
    /// ```
    ///
    /// A candidate that tells all others apart costs 2n - 1, and nothing costs less. If there is none,
    /// the least possible cost is 2n: a candidate leaves one pair, or another guess leaves none.
    pub struct Exact<'a> {
        codes: &'a Codes,
        /// Cost and guess, or no guess where the cost is only a lower bound.
        known: HashMap<Vec<CodeId>, (u32, Option<CodeId>)>,
        /// Table lookups that may still be spent.
        pub work_left: u64,
    }

    impl<'a> Exact<'a> {
        /// A search that may cost this many table lookups, about 1 ns each.
        pub fn new(codes: &'a Codes, work: u64) -> Self {
            Self {
                codes,
                known: HashMap::new(),
                work_left: work,
            }
        }

        /// The least cost and a guess that attains it, if that is below `budget`; else a lower bound
        /// that is not below it, with some guess. `None` if the work is used up.
        ///
        /// The candidates are those left after guesses that `named` these digits.
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
            let all = (0..set.len()).collect_vec();
            let posterior = Posterior::among(set.to_vec(), None);
            let mut scorer = Scorer::new(self.codes, &posterior, &all);
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
            let found = self.with_any_code(set, named, &mut scorer, budget)?;
            let exact = (found.0 < budget).then_some(found.1);
            self.known.insert(set.to_vec(), (found.0, exact));
            Some(found)
        }

        /// Subtracts the cost of counting rows from the work that is left.
        fn pay(&mut self, rows: usize) -> Option<()> {
            let places = self.codes.game.places;
            let work = (rows * places + 4 * places * places + 32) as u64;
            self.work_left = self.work_left.checked_sub(work)?;
            Some(())
        }

        /// A candidate that tells all apart, or all except two.
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
                let cells = scorer.cells.iter();
                let parts = cells.filter(|&&cell| scorer.counts[cell] > 0).count();
                if parts == n {
                    return Some(Some((2 * n as u32 - 1, guess)));
                }
                if parts == n - 1 && found.is_none() {
                    found = Some((2 * n as u32, guess));
                }
            }
            Some(found)
        }

        /// Tries every guess whose lower bound, by the sizes of its cells, allows it; the best first.
        fn with_any_code(
            &mut self,
            set: &[CodeId],
            named: &[bool; MAX_DIGITS],
            scorer: &mut Scorer<'_>,
            budget: u32,
        ) -> Option<(u32, CodeId)> {
            let (codes, n) = (self.codes, set.len() as u32);
            let alike = Alike::new(codes, set, named);
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

    /// The least cost by number of candidates: one ends with the first guess, one for each other answer
    /// with the second, and so on.
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

    /// A place in a proved strategy for a game that is played often.
    ///
    /// The text has the guess for each set of more than [`BOOK_LEAF`] candidates, followed by the texts
    /// of its cells, in their order. A guess is the number of its code in two characters. Smaller sets
    /// are searched.
    #[derive(Clone, Copy)]
    pub struct Book(&'static [u8]);

    /// The first of the characters in which the book is written: all that are printed, except the
    /// blank and the two that a Rust string would escape.
    const BOOK_FIRST: u8 = b'!';
    /// The number of these characters, the base of the number of a code.
    pub const BOOK_CHARACTERS: u32 = 92;

    impl Book {
        /// The strategy for a game, if there is one.
        pub fn new(game: Game) -> Option<Self> {
            let title = game.title();
            let (_, text) = BOOKS.iter().find(|(other, _)| *other == title)?;
            Some(Self(text.as_bytes()))
        }

        /// The guess at this place.
        pub fn entry(&self, codes: &Codes) -> Option<CodeId> {
            let &[first, second, ..] = self.0 else {
                return None;
            };
            let id = Self::value(first) * BOOK_CHARACTERS + Self::value(second);
            (id < codes.len() as CodeId).then_some(id)
        }

        fn value(character: u8) -> u32 {
            let skipped = u32::from(character > b'"') + u32::from(character > b'\\');
            u32::from(character - BOOK_FIRST) - skipped
        }

        /// The place after the reply to a guess of a set; `None` if the book has another guess.
        pub fn follow(
            self,
            codes: &Codes,
            set: &[CodeId],
            guess: CodeId,
            reply: Feedback,
        ) -> Option<Self> {
            if set.len() <= BOOK_LEAF || self.entry(codes) != Some(guess) {
                return None;
            }
            let mut book = Self(&self.0[2..]);
            for (other, cell) in split(codes, set, guess) {
                if other == reply {
                    return Some(book);
                }
                book = book.skip_set(codes, &cell)?;
            }
            None
        }

        /// The place after the text of a set.
        fn skip_set(self, codes: &Codes, set: &[CodeId]) -> Option<Self> {
            if set.len() <= BOOK_LEAF {
                return Some(self);
            }
            let guess = self.entry(codes)?;
            let mut book = Self(&self.0[2..]);
            for (_, cell) in split(codes, set, guess) {
                book = book.skip_set(codes, &cell)?;
            }
            Some(book)
        }
    }

    /// Plays `hitblow` and `mastermind` with listed codes.
    pub struct Solver<'a> {
        codes: &'a Codes,
        policy: Policy,
        posterior: Posterior,
        /// Digits that the guesses have named. If the prior is not uniform, all count as named.
        named: [bool; MAX_DIGITS],
        turn: u64,
        work_left: u64,
        started: Instant,
        book: Option<Book>,
    }

    impl<'a> Solver<'a> {
        /// Before the first guess.
        pub fn new(codes: &'a Codes, prior: Posterior, policy: Policy, started: Instant) -> Self {
            let named = [!prior.is_uniform(); MAX_DIGITS];
            let all = prior.support().len() as u64 == codes.game.code_count();
            let usual = prior.is_uniform() && all && policy == Policy::Optimal;
            Self {
                book: Book::new(codes.game).filter(|_| usual),
                ..Self::from_posterior(codes, prior, named, 0, policy, started)
            }
        }

        /// In mid-game: with this posterior, after `turn` guesses that have named these digits.
        pub fn from_posterior(
            codes: &'a Codes,
            posterior: Posterior,
            named: [bool; MAX_DIGITS],
            turn: u64,
            policy: Policy,
            started: Instant,
        ) -> Self {
            Self {
                codes,
                policy,
                posterior,
                named,
                turn,
                work_left: LISTED_WORK,
                started,
                book: None,
            }
        }

        /// The posterior now.
        pub fn posterior(&self) -> &Posterior {
            &self.posterior
        }

        /// The next guess.
        ///
        /// # Panics
        /// If the replies so far contradict each other.
        pub fn guess(&mut self) -> CodeId {
            match self.policy {
                _ if self.posterior.support().len() <= 2 && self.posterior.is_uniform() => {
                    self.posterior.mode()
                }
                Policy::Map => self.posterior.mode(),
                Policy::Mi { hit_bonus } => self.most_informative(hit_bonus),
                Policy::Optimal => self
                    .optimal()
                    .unwrap_or_else(|| self.most_informative(HIT_BONUS)),
            }
        }

        /// The guess with which the fewest turns are expected, if that is known or soon found.
        fn optimal(&mut self) -> Option<CodeId> {
            let candidates = self.posterior.support();
            if let Some(book) = &self.book
                && candidates.len() > BOOK_LEAF
            {
                return book.entry(self.codes);
            }
            if !self.posterior.is_uniform() || self.started.elapsed() > NO_SEARCH_AFTER {
                return None;
            }
            let work = self.work_left / 4;
            let each = (candidates.len() * self.codes.len()) as u64;
            if candidates.len() > MAX_EXACT || each > work {
                return None;
            }
            let mut exact = Exact::new(self.codes, work);
            let found = exact.least(candidates, &self.named, u32::MAX);
            self.work_left -= work - exact.work_left;
            found.map(|(_, guess)| guess)
        }

        /// Learns the reply to a guess.
        pub fn learn(&mut self, guess: CodeId, reply: Feedback) {
            let (codes, book) = (self.codes, self.book.take());
            self.book =
                book.and_then(|book| book.follow(codes, self.posterior.support(), guess, reply));
            let replies = Replies::new(codes, guess);
            self.posterior
                .update(|secret| replies.likelihood(secret, reply));
            for &digit in codes.digits(guess) {
                self.named[usize::from(digit)] = true;
            }
            self.turn += 1;
        }

        /// The guess of the most mutual information with its bonus. Of equal ones the one that is most
        /// probably right (so a candidate, if one is), then the smallest.
        fn most_informative(&mut self, hit_bonus: f64) -> CodeId {
            if self.started.elapsed() > NO_SEARCH_AFTER {
                return self.posterior.mode();
            }
            let (pool, sample) = self.thinned_out();
            let mut scorer = Scorer::new(self.codes, &self.posterior, &sample);
            if let Some(guess) = self.perfect_candidate(&mut scorer, &sample) {
                return guess;
            }
            let total = self.posterior.total();
            let support = self.posterior.support().iter().copied();
            let mut candidates = support.enumerate().peekable();
            let mut best: Option<(CodeId, f64, f64)> = None;
            for guess in pool {
                while candidates.next_if(|&(_, code)| code < guess).is_some() {}
                let candidate = candidates.next_if(|&(_, code)| code == guess);
                let right =
                    candidate.map_or(0.0, |(index, _)| self.posterior.weight(index) / total);
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

        /// With few equally likely candidates, one of them may tell all of them apart. No guess is
        /// better, and no other needs to be scored.
        fn perfect_candidate(&self, scorer: &mut Scorer<'_>, sample: &[usize]) -> Option<CodeId> {
            let candidates = self.posterior.support();
            let few = candidates.len() <= scorer.cells.len() && sample.len() == candidates.len();
            if !few || !self.posterior.is_uniform() {
                return None;
            }
            let mut candidates = candidates.iter().copied();
            candidates.find(|&guess| scorer.tells_all_apart(guess))
        }

        /// The guesses to score, ascending, and the candidates to score them against; fewer of both
        /// where all would take too long.
        fn thinned_out(&mut self) -> (Vec<CodeId>, Vec<usize>) {
            let (codes, support) = (self.codes, self.posterior.support());
            let alike = Alike::new(codes, support, &self.named);
            let first = !self.named.contains(&true);
            let is_scored = |&code: &CodeId| {
                let digits = codes.digits(code);
                alike.is_smallest(digits) && (!first || is_smallest_order(digits))
            };
            let mut pool = (0..codes.len() as CodeId).filter(is_scored).collect_vec();
            let mut rows = support.len();
            // A third of the work that is left: the second guess costs most, and later ones less.
            let evaluations = (self.work_left / 3) as usize / codes.game.places;
            if pool.len() * rows > evaluations {
                rows = (evaluations / pool.len()).max(MIN_ROWS).min(rows);
            }
            if pool.len() * rows > evaluations {
                // One half of all guesses, one of the candidates.
                let half = (evaluations / rows / 2).max(1);
                let any = thin_out(pool.len(), half, 2 * self.turn);
                let candidates = thin_out(support.len(), half, 2 * self.turn);
                let any = any.into_iter().map(|i| pool[i]);
                let candidates = candidates.into_iter().map(|i| support[i]);
                pool = any.chain(candidates).sorted_unstable().dedup().collect();
            }
            self.work_left -=
                (pool.len() * rows * codes.game.places).min(self.work_left as usize) as u64;
            let sample = thin_out(support.len(), rows, 2 * self.turn + 1);
            (pool, sample)
        }
    }
}

pub mod unlisted {
    //! Hit & Blow and Mastermind with too many codes to list: codes that fit the replies.

    use std::collections::HashSet;

    use itertools::Itertools;
    use rand::Rng;
    use rand::seq::{SliceRandom, index};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::limits::{MAX_DIGITS, MAX_PLACES, MIN_SAMPLE, PATIENCE, SAMPLE};
    use super::pegs::{Feedback, Game, digit_counts};

    /// The guesses so far and their replies, and a search for codes that fit all of them.
    ///
    /// The posterior of a game with 10^17 codes cannot be listed, but codes can be drawn from it. First
    /// the search chooses the digits of a code, so that it has as many in common with each guess as the
    /// reply says. Then it puts them in order, so that as many are in their place. It gives up a choice
    /// as soon as some reply can no longer come true. Codes that are drawn in this way, each from a new
    /// start, stand for the posterior. Where the search ends with few codes, they are the posterior.
    pub struct Fitting {
        game: Game,
        guesses: Vec<Asked>,
        /// Codes that were found and still fit.
        known: Vec<Vec<u8>>,
        /// Whether no other code fits.
        complete: bool,
        rng: Pcg64Mcg,
    }

    /// A guess and its reply.
    struct Asked {
        code: Vec<u8>,
        /// How often each digit is in it.
        digits: [u8; MAX_DIGITS],
        hits: u8,
        common: u8,
        /// By how much the replies to all guesses would differ if it were the secret.
        misfit: u32,
    }

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
            let mut learnt = Asked {
                code: code.to_vec(),
                digits: digit_counts(code),
                hits: reply.hits,
                common: reply.hits + reply.blows,
                misfit: self.misfit(code),
            };
            learnt.misfit += learnt.misfit_of(code, &earlier(code));
            for guess in &mut self.guesses {
                guess.misfit += learnt.misfit_of(&guess.code, &earlier(&guess.code));
            }
            self.guesses.push(learnt);
            self.known
                .retain(|other| Feedback::from_codes(code, other) == reply);
        }

        /// Up to [`SAMPLE`] different codes that fit all replies, ascending, and whether no others fit.
        /// If none is found in time, one that nearly fits. Subtracts the cost, up to `most`, from `work`.
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
            if found.len() < MIN_SAMPLE && !self.complete {
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

        /// A code that fits most replies, found by a few changes of a place.
        fn nearly(&mut self) -> Vec<u8> {
            let game = self.game;
            let nearest = self.guesses.iter().min_by_key(|guess| guess.misfit);
            let mut best = nearest.map(|guess| guess.code.clone()).unwrap_or_else(|| {
                let most = game.digits.max(game.places);
                let digits = index::sample(&mut self.rng, most, game.places).into_iter();
                digits.map(|digit| (digit % game.digits) as u8).collect()
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
                // A code that was guessed does not fit: it was not right.
                if misfit <= least && self.guesses.iter().all(|g| g.code != code) {
                    (best, least) = (code, misfit);
                }
            }
            best
        }

        /// By how much the replies to a secret would differ from those that were given.
        fn misfit(&self, code: &[u8]) -> u32 {
            let earlier = earlier(code);
            let of = |guess: &Asked| guess.misfit_of(code, &earlier);
            self.guesses.iter().map(of).sum()
        }
    }

    impl Asked {
        /// The same for one guess; `earlier` is the number of equal digits before each place.
        fn misfit_of(&self, code: &[u8], earlier: &[u8; MAX_PLACES]) -> u32 {
            let (mut hits, mut common) = (0, 0);
            for ((&own, &digit), &earlier) in self.code.iter().zip(code).zip(earlier) {
                hits += u8::from(own == digit);
                common += u8::from(self.digits[usize::from(digit)] > earlier);
            }
            u32::from(hits.abs_diff(self.hits)) + u32::from(common.abs_diff(self.common))
        }
    }

    /// The number of equal digits before each place.
    fn earlier(code: &[u8]) -> [u8; MAX_PLACES] {
        let before = |place: usize| code[..place].iter().filter(|&&d| d == code[place]).count();
        std::array::from_fn(|place| match place < code.len() {
            true => before(place) as u8,
            false => 0,
        })
    }

    /// A search for codes that fit.
    struct Filling<'a> {
        fitting: &'a mut Fitting,
        /// Digits in the order in which the search decides how often each is in the code.
        order: Vec<u8>,
        /// By number of digits decided, the most that each guess has in common with the others.
        to_come: Vec<Vec<u8>>,
        /// By number of digits decided, what each guess has in common with those.
        common: Vec<Vec<u8>>,
        chosen: [u8; MAX_DIGITS],
        /// Places in the order in which they are filled.
        places: Vec<usize>,
        /// By number of places filled, hits with each guess so far, and how many more are possible.
        hits: Vec<Vec<u8>>,
        can_hit: Vec<Vec<u8>>,
        code: Vec<u8>,
        found: Vec<Vec<u8>>,
        most: usize,
        left: u64,
    }

    impl<'a> Filling<'a> {
        /// A search for this many codes, with this much work.
        fn new(fitting: &'a mut Fitting, most: usize, work: u64) -> Self {
            let (game, guesses) = (fitting.game, fitting.guesses.len());
            let mut order = (0..game.digits as u8).collect_vec();
            order.shuffle(&mut fitting.rng);
            // The digits of many guesses decide most.
            order.sort_by_key(|&digit| {
                let has = |guess: &&Asked| guess.digits[usize::from(digit)] > 0;
                std::cmp::Reverse(fitting.guesses.iter().filter(has).count())
            });
            let mut to_come = vec![vec![0; guesses]; game.digits + 1];
            for (number, &digit) in order.iter().enumerate().rev() {
                for (at, guess) in fitting.guesses.iter().enumerate() {
                    let more = guess.digits[usize::from(digit)];
                    to_come[number][at] = to_come[number + 1][at] + more;
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

        /// Subtracts the cost of comparing with all guesses; `false` if too little work is left.
        fn spend(&mut self) -> bool {
            let cost = self.fitting.guesses.len() as u64 + 4;
            let enough = self.left >= cost;
            self.left = self.left.saturating_sub(cost);
            enough
        }

        /// Decides in every way how often the digits from the `number`-th on are in the code, with this
        /// many places `left`; `false` if that was not finished.
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
            // A digit that is rare in codes is usually left out first.
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
                if !self.spend() {
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

        /// Whether all replies can still come true with a digit this many times, and this many places
        /// `left`.
        fn take(&mut self, number: usize, digit: u8, times: usize, left: usize) -> bool {
            let (before, after) = self.common.split_at_mut(number + 1);
            let guesses = self.fitting.guesses.iter();
            let to_come = &self.to_come[number + 1];
            let mut all = guesses.zip(&before[number]).zip(&mut after[0]).zip(to_come);
            all.all(|(((guess, before), after), &to_come)| {
                *after = before + guess.digits[usize::from(digit)].min(times as u8);
                *after <= guess.common && guess.common <= *after + to_come.min(left as u8)
            })
        }

        /// Puts the chosen digits in order, in every way; `false` if that was not finished.
        fn arrange(&mut self) -> bool {
            for number in (0..self.places.len()).rev() {
                let place = self.places[number];
                for (at, guess) in self.fitting.guesses.iter().enumerate() {
                    let can_hit = self.chosen[usize::from(guess.code[place])] > 0;
                    self.can_hit[number][at] = self.can_hit[number + 1][at] + u8::from(can_hit);
                }
            }
            let digits = 0..self.fitting.game.digits as u8;
            let chosen = digits.filter(|&d| self.chosen[usize::from(d)] > 0);
            let mut digits = chosen.collect_vec();
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
                if !self.spend() {
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
}

/// The command line.
struct Options {
    policy: Policy,
    /// The file of a prior.
    prior: Option<String>,
    trace: bool,
}

const USAGE: &str = "solver [--policy optimal|mi|map] [--hit-bonus BITS] [--prior FILE] [--trace]";

impl Options {
    fn from_words(words: impl Iterator<Item = String>) -> Result<Self, String> {
        // `--option=value` is two words.
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((option, value)) => vec![option.to_owned(), value.to_owned()],
            None => vec![word],
        });
        let (mut policy, mut hit_bonus, mut prior, mut trace) = (None, None, None, false);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_default();
            match word.as_str() {
                "--policy" => {
                    policy = Some(match value().as_str() {
                        "optimal" => Policy::Optimal,
                        "mi" => Policy::Mi {
                            hit_bonus: HIT_BONUS,
                        },
                        "map" => Policy::Map,
                        other => {
                            return Err(format!(
                                "expected optimal, mi or map after --policy, found {other:?}"
                            ));
                        }
                    });
                }
                "--hit-bonus" => {
                    let bits = value();
                    let number = bits.parse().ok();
                    let number = number.filter(|bits: &f64| bits.is_finite() && *bits >= 0.0);
                    hit_bonus = Some(number.ok_or_else(|| {
                        format!("expected a number of bits of at least 0 after --hit-bonus, found {bits:?}")
                    })?);
                }
                "--prior" => match value() {
                    none if none.is_empty() => {
                        return Err("expected a file after --prior, found nothing".to_owned());
                    }
                    file => prior = Some(file),
                },
                "--trace" => trace = true,
                _ => return Err(format!("expected {USAGE}, found {word:?}")),
            }
        }
        let policy = match (policy, hit_bonus) {
            (None | Some(Policy::Mi { .. }), Some(hit_bonus)) => Policy::Mi { hit_bonus },
            (Some(_), Some(_)) => return Err("--hit-bonus goes with --policy mi only".to_owned()),
            (policy, None) => policy.unwrap_or(Policy::Optimal),
        };
        Ok(Self {
            policy,
            prior,
            trace,
        })
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
    let options = Options::from_words(std::env::args().skip(1))?;
    let mut judge = Judge::on_stdin();
    input_interactive! { from judge, game: String }
    let codes = ["hitblow", "mastermind"].contains(&game.as_str());
    if options.prior.is_some() && !codes {
        return Err(format!(
            "--prior goes with hitblow and mastermind, found {game}"
        ));
    }
    match game.as_str() {
        "distance" => play_distance(&mut judge, Difference::Signed, &options),
        "gap" => play_distance(&mut judge, Difference::Size, &options),
        "balance" => play_balance(&mut judge, &options),
        // The line of an unknown game may have no other words to read.
        "hitblow" | "mastermind" => play_pegs(&mut judge, &game, &options, started),
        _ => Err(unknown_game(&game)),
    }
}

fn play_pegs(
    judge: &mut Judge,
    name: &str,
    options: &Options,
    started: Instant,
) -> Result<(), String> {
    input_interactive! { from judge, places: usize, digits: usize }
    let game = Game::new(name, places, digits)?;
    if game.code_count() > MAX_CODES {
        return match options.prior {
            None => play_unlisted(judge, game, options, started),
            Some(_) => Err(format!(
                "--prior goes with games of at most {MAX_CODES} codes"
            )),
        };
    }
    let codes = Codes::new(game);
    let prior = match &options.prior {
        None => Posterior::uniform(codes.len()),
        Some(file) => read_prior(&codes, file)?,
    };
    let mut asked = Vec::new();
    let mut solver = Solver::new(&codes, prior, options.policy, started);
    loop {
        let guess = solver.guess();
        let digits = codes.digits(guess);
        if options.trace {
            trace(solver.posterior(), guess, &digits.iter().join(" "));
        }
        let Some(reply) = ask_code(judge, game, digits)? else {
            return Ok(());
        };
        solver.learn(guess, reply);
        asked.push((guess, reply));
        let possible = solver.posterior().check_possible();
        possible.map_err(|why| match &options.prior {
            None => why,
            Some(_) => none_in_prior(&codes, &asked),
        })?;
    }
}

fn read_prior(codes: &Codes, file: &str) -> Result<Posterior, String> {
    let failed = |why: &dyn std::fmt::Display| format!("failed to read the prior {file}: {why}");
    let text = std::fs::read_to_string(file).map_err(|why| failed(&why))?;
    prior::parse(codes, &text).map_err(|why| failed(&why))
}

/// Why no code is left: the replies contradict each other, or the prior excludes what they point at. No
/// reply can repair a probability of 0.
fn none_in_prior(codes: &Codes, asked: &[(CodeId, Feedback)]) -> String {
    let mut any = Posterior::uniform(codes.len());
    for &(guess, reply) in asked {
        let replies = Replies::new(codes, guess);
        any.update(|secret| replies.likelihood(secret, reply));
    }
    match (any.support().len(), asked.len()) {
        (0, _) => "the judge's replies contradict each other".to_owned(),
        (left, turns) => format!(
            "no code of the prior explains the {turns} replies; {left} of those that it excludes would"
        ),
    }
}

/// The reply to a guess of hits and blows, or `None` if the guess is right.
fn ask_code(judge: &mut Judge, game: Game, digits: &[u8]) -> Result<Option<Feedback>, String> {
    judge.ask(&digits.iter().join(" "))?;
    input_interactive! { from judge, hits: u8, blows: u8 }
    match usize::from(hits) + usize::from(blows) {
        common if common > game.places => Err(format!(
            "expected at most {} hits and blows, found {hits} and {blows}",
            game.places
        )),
        _ if usize::from(hits) == game.places => Ok(None),
        _ => Ok(Some(Feedback { hits, blows })),
    }
}

/// Prints the state of the game to standard error.
fn trace(belief: &Posterior, guess: CodeId, shown: &str) {
    eprintln!(
        "{} candidates, {:.3} bits to learn; {shown} is right with probability {:.4}",
        belief.support().len(),
        belief.entropy_bits(),
        belief.probability(guess),
    );
}

/// Plays a game whose codes cannot be listed: each turn among some that fit all replies.
fn play_unlisted(
    judge: &mut Judge,
    game: Game,
    options: &Options,
    started: Instant,
) -> Result<(), String> {
    let mut fitting = Fitting::new(game);
    let mut work_left = UNLISTED_WORK;
    loop {
        let hurry = started.elapsed() > HURRY_AFTER;
        let most = if hurry { 1_000 } else { work_left / 4 };
        let (sample, complete) = fitting.sample(&mut work_left, most);
        let belief = Posterior::uniform(sample.len());
        belief.check_possible()?;
        let codes = Codes::from_list(game, &sample);
        // The codes were not chosen by the names of digits, so each digit stands for itself.
        let named = [true; MAX_DIGITS];
        let mut solver = Solver::from_posterior(&codes, belief, named, 1, options.policy, started);
        let guess = codes.digits(solver.guess());
        if options.trace {
            let all = if complete { "all" } else { "some" };
            let (count, shown) = (sample.len(), guess.iter().join(" "));
            eprintln!("{count} codes that fit, which are {all}; {shown} is guessed");
        }
        let Some(reply) = ask_code(judge, game, guess)? else {
            return Ok(());
        };
        fitting.learn(guess, reply);
    }
}

fn play_distance(judge: &mut Judge, of: Difference, options: &Options) -> Result<(), String> {
    input_interactive! { from judge, places: usize, digits: usize, sigma: f64 }
    let game = Game::new("distance", places, digits)?;
    let mut solver = DistanceSolver::with(of, game, sigma, options.policy)?;
    loop {
        let guess = solver.guess()?;
        let shown = solver.to_digits(guess).iter().join(" ");
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
        judge.ask(&shown)?;
        input_interactive! { from judge, right: String }
        match right.as_str() {
            "1" => return Ok(()),
            "0" => {}
            _ => return Err(format!("expected 0 or 1 and a difference, found {right:?}")),
        }
        input_interactive! { from judge, difference: i64 }
        solver.learn(guess, difference);
    }
}

fn play_balance(judge: &mut Judge, options: &Options) -> Result<(), String> {
    input_interactive! { from judge, stones: usize, kind: String }
    let mut solver = BalanceSolver::new(stones, &kind, options.policy)?;
    loop {
        let belief = solver.posterior();
        belief.check_possible()?;
        if options.trace {
            let (left, bits) = (belief.support().len(), belief.entropy_bits());
            eprintln!("{left} candidates, {bits:.3} bits to learn");
        }
        match solver.next_move() {
            Move::Answer(line) => return judge.ask(&line),
            Move::Weigh(weighing) => {
                judge.ask(&weighing.to_line())?;
                input_interactive! { from judge, shown: String }
                let reply = Reply::from_word(&shown)
                    .ok_or_else(|| format!("expected <, = or >, found {shown:?}"))?;
                solver.learn(&weighing, reply);
            }
        }
    }
}

pub mod book {
    //! The table of proved strategies, made by `scripts/book` and read by
    //! [`Book`](super::search::Book).

    /// Game and text.
    pub const BOOKS: &[(&str, &str)] = &[
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
}
