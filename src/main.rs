//! Plays Hit & Blow, Mastermind, noisy differences, a liar and a balance by Bayes' rule.
//!
//! One file, to be pasted as it is. The judge's first line names the game:
//!
//! ```text
//! hitblow P K         P distinct digits of 0..K are hidden. A guess is answered by `h b`: h digits are
//! mastermind P K      right and in their place, b are right but elsewhere. (Here digits may repeat.)
//! distance P K SIGMA  As hitblow, but the answer is `c d`: whether the guess is right, and the secret
//!                     minus the guess, as numbers in base K, with normal noise.
//! gap P K SIGMA       As distance, but without the sign: |secret - guess|, with normal noise.
//! liar P K            As hitblow, but at most one answer of the game is false.
//! balance N heavy     One stone of N is heavier (odd: or lighter). `? k a1 … ak b1 … bk` weighs k stones
//! balance N odd       against k others, answered by <, = or >; `! i` names it.
//! ```
//!
//! Every secret has a *prior* probability before the first question. Each reply has a *likelihood*
//! under each secret. Bayes' rule multiplies the two into the *posterior*. The next question is the
//! one with the most *mutual information* between its reply and the secret, plus a bonus for the
//! chance of being right at once. Where `book` has the fewest possible turns, the solver plays them.
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
//! unlisted  games with too many codes to list: codes that fit the replies
//! asking    the same games: guesses that tell most
//! elsewhere bulls and cows on judges that are not AtCoder
//! suspects  the same, if one reply may be false
//! liar      games in which at most one reply is false, Kattis's Sneaky Mastermind among them
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

/// Where this file is pasted. `scripts/paste` changes this line, and leaves out what is not needed there.
const JUDGE: Site = Site::AtCoder;

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::Instant;

use itertools::Itertools;

use asking::UnlistedSolver;
use balance::{BalanceSolver, Move, Reply};
use bayes::Posterior;
use distance::{Difference, DistanceSolver};
use elsewhere::Site;
use judge::Judge;
use liar::{Ending, LiarSolver, Rules, play_sneaky};
use limits::{HURRY_AFTER, MAX_CODES, TURN_TIME};
use pegs::{CodeId, Codes, Feedback, Game, Policy, Replies, unknown_game};
use search::{HIT_BONUS, Solver};

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

pub mod limits {
    //! Sizes, work and time. Work is counted and not timed, so that a game is played alike on every
    //! machine; the times are a last resort where a machine is several times slower than expected.

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
    pub const UNLISTED_WORK: u64 = 300_000_000;
    /// Additions in a whole game of distances; about 1 ns each. An entropy counts as 20.
    pub const DISTANCE_WORK: u64 = 400_000_000;
    /// After this time, unlisted codes are hardly searched for, so that many turns fit into the limit.
    pub const HURRY_AFTER: Duration = Duration::from_millis(1_200);
    /// After this time, nothing is searched or scored.
    pub const NO_SEARCH_AFTER: Duration = Duration::from_millis(1_500);
    /// After this time in a turn of a noisy game or a balance, the best question so far is asked.
    pub const TURN_TIME: Duration = Duration::from_millis(800);
    /// Whether the turn has taken too long: a clock, except in tests.
    pub type IsLate<'a> = &'a mut dyn FnMut() -> bool;

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

    /// This many unlisted codes are drawn from the posterior.
    pub const SAMPLE: usize = 5_000;
    /// Guesses are scored against this many of them.
    pub const SAMPLE_ROWS: usize = 4_000;
    /// Where about 2 to this power codes fit, all are searched for; there are more than that at most.
    pub const FEW_BITS: f64 = 9.7;
    /// The same as a number: a search for all ends with as many.
    pub const MAX_UNLISTED: usize = 1_000;
    /// Unlisted guesses that are scored in a turn.
    pub const CLIMB_STEPS: usize = 2_000;
    /// Where fewer bits than this are left, the best guesses are compared two turns ahead,
    pub const AHEAD_BITS: f64 = 14.0;
    /// this many of them,
    pub const AHEAD_GUESSES: usize = 20;
    /// each with this many guesses for each reply.
    pub const AHEAD_TRIES: usize = 60;
    /// Among this many codes, the fewest turns are searched for,
    pub const FEW_UNLISTED: usize = 60;
    /// with this many table lookups.
    pub const SEARCH_WORK: u64 = 40_000_000;
    /// In a hurry, this much work for a turn,
    pub const HURRY_WORK: u64 = 500_000;
    /// and this many codes to score guesses.
    pub const HURRY_ROWS: usize = 300;

    /// Numbers with more places than this are not all listed (`elsewhere`).
    pub const MAX_LISTED_PLACES: usize = 4;
    /// Table lookups in one turn of a game of numbers: about 10 ms.
    pub const NUMBER_WORK: u64 = 30_000_000;
    /// Guesses at a number that are scored at most.
    pub const NUMBER_POOL: usize = 8_000;
    /// The fewest turns are searched for among this many numbers at most.
    pub const FEW_NUMBERS: usize = 60;
    /// The most digits of a game with a lie, if the digits of a code differ.
    pub const MAX_LIAR_DIGITS: usize = 20;
    /// The same if they may repeat: Sneaky Mastermind has no more.
    pub const MAX_SNEAKY_DIGITS: usize = 15;
    /// The most turns of such a game with unlisted codes, which takes some 15.
    pub const MAX_LIAR_TURNS: usize = 64;
    /// The codes of such a game are listed if there are no more.
    pub const MAX_LIAR_CODES: u64 = 50_000;
    /// Table lookups for a guess of such a game.
    pub const LIAR_EVALUATIONS: usize = 20_000_000;
    /// Digits tried at places in a search for unlisted codes; some 20 ns each, and two searches a turn.
    pub const SUSPECTS_WORK: u64 = 8_000_000;
    /// This many unlisted codes stand for the posterior.
    pub const LIAR_SAMPLE: usize = 300;
    /// More codes are not kept.
    pub const MAX_SUSPECTS: usize = 20_000;
    /// A search for the order of some digits ends after this many digits tried.
    pub const PATIENCE_FOR_A_SUSPECT: u64 = 3_000;
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
        /// The game that an opening line names. The codes of `distance`, `gap` and `liar` are those of
        /// `hitblow`.
        ///
        /// # Errors
        /// If this solver does not know it; says what was expected.
        pub fn new(name: &str, places: usize, digits: usize) -> Result<Self, String> {
            let distinct = match name {
                "hitblow" | "distance" | "gap" | "liar" => true,
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
        format!("expected hitblow, mastermind, distance, gap, balance or liar, found {name:?}")
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

        /// A reply as the judge gives it; `None` if the guess is right.
        ///
        /// # Errors
        /// If there are more hits and blows than places.
        pub fn from_reply(places: usize, hits: u8, blows: u8) -> Result<Option<Self>, String> {
            match usize::from(hits) + usize::from(blows) {
                common if common > places => Err(format!(
                    "expected at most {places} hits and blows, found {hits} and {blows}"
                )),
                _ if usize::from(hits) == places => Ok(None),
                _ => Ok(Some(Self { hits, blows })),
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

        /// The first code after this one that begins otherwise, up to this place. Codes are in ascending
        /// order.
        pub fn next_head(&self, id: CodeId, place: usize) -> CodeId {
            let head = &self.digits(id)[..=place];
            let is_same = |other: usize| self.digits(other as CodeId)[..=place] == *head;
            let (mut low, mut step) = (id as usize, 1);
            while low + step < self.len() && is_same(low + step) {
                low += step;
                step *= 2;
            }
            let mut high = self.len().min(low + step);
            while high - low > 1 {
                let middle = (low + high) / 2;
                match is_same(middle) {
                    true => low = middle,
                    false => high = middle,
                }
            }
            high as CodeId
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
        for row in rows.chunks_exact(P) {
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
        let mut cells = vec![Vec::new(); CELLS];
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
        let text = text.trim_start_matches('\u{feff}'); // as some editors begin a file
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

    use super::bayes::{Posterior, entropy_bits, entropy_term_bits, is_more, yes_or_no_bits};
    use super::limits::{DISTANCE_WORK, IsLate, MANY_LIKELY, MAX_LIKELY, REACH};
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
            self.guess_until(&mut || false)
        }

        /// The same, but once the turn takes too long, the best guess that was found until then.
        ///
        /// # Errors
        /// As [`DistanceSolver::guess`].
        pub fn guess_until(&mut self, is_late: IsLate<'_>) -> Result<i64, String> {
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
            if is_late() {
                return Ok(values[belief.mode() as usize]);
            }
            if self.difference == Difference::Size {
                let gaps = Gaps::new(values, belief, &mut self.noise, &mut self.work_left);
                let turns = self.turns_of_a_hit;
                let best =
                    gaps.map(|gaps| gaps.best(hit_bonus, turns, &mut self.work_left, is_late));
                return Ok(best.unwrap_or_else(|| values[belief.mode() as usize]));
            }
            let tables = Tables::new(values, belief, &mut self.noise, &mut self.work_left);
            let guess = match tables {
                None => belief.mode(),
                Some(tables) => {
                    let of_turns = || self.turns_of_a_hit * tables.bits_of_a_turn();
                    let hit_bonus = hit_bonus.unwrap_or_else(of_turns);
                    tables.best(hit_bonus, &mut self.work_left, is_late)
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
        /// equal ones the most probable, then the smallest. Takes a third of the work that is left at most.
        fn best(&self, hit_bonus: f64, work_left: &mut u64, is_late: IsLate<'_>) -> CodeId {
            // The most probable code, if there is no time to compare.
            let mut best = (f64::NEG_INFINITY, self.likely[0]);
            let kept = *work_left / 3 * 2;
            for &guess in &self.likely {
                let right = self.belief.weight(guess) / self.total;
                // To know y only lessens what c tells, and the codes that follow are less probable.
                let most = yes_or_no_bits(right.min(0.5)) + hit_bonus * right;
                let work = 2 * self.mass.len() as u64 * 20;
                if most <= best.0 || *work_left < kept + work || is_late() {
                    break;
                }
                *work_left -= work;
                let value = self.information_bits(guess) + hit_bonus * right;
                if is_more(value, best.0) {
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
        fn best(
            mut self,
            hit_bonus: Option<f64>,
            turns: f64,
            work_left: &mut u64,
            is_late: IsLate<'_>,
        ) -> i64 {
            let pool = self.pool(work_left);
            let in_time = pool.into_iter().take_while(|_| !is_late());
            let told = in_time
                .map(|guess| (guess, self.information_bits(guess)))
                .collect_vec();
            let most = told.iter().map(|guess| guess.1).fold(0.0, f64::max);
            let bonus = hit_bonus.unwrap_or(turns * most);
            let mut best = (f64::NEG_INFINITY, self.values[self.belief.mode() as usize]);
            for (guess, bits) in told {
                let value = bits + bonus * self.right(guess);
                if is_more(value, best.0) {
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
    use super::limits::{FEW_STONES, IsLate, MAX_STONES};
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
            self.fewest_until(piles, &mut || false)
        }

        /// The same, but once the turn takes too long, the best question that was found until then; or the
        /// one whose parts are the most even, as far as they tell.
        pub fn fewest_until(
            &mut self,
            piles: Piles,
            is_late: IsLate<'_>,
        ) -> (usize, usize, Option<Sides>) {
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
                if is_late() {
                    // Not what is least: it is not kept for later turns.
                    return match best.2 {
                        Some(_) => best,
                        None => (bound, usize::MAX, Some(sides)),
                    };
                }
                let parts =
                    REPLIES.map(|reply| self.fewest_until(piles.after(&sides, reply), is_late));
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
            if !is_late() {
                self.known.insert(piles, best);
            }
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

        /// The next line. Once the turn takes too long, with the best question that was found until then.
        pub fn next_move_until(&mut self, is_late: IsLate<'_>) -> Move {
            match self.answer() {
                Some(line) => Move::Answer(line),
                None => Move::Weigh(self.question_until(is_late)),
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
            self.question_until(&mut || false)
        }

        fn question_until(&mut self, is_late: IsLate<'_>) -> Weighing {
            let piles = self.piles();
            let sides = match self.policy {
                Policy::Mi { .. } | Policy::Map => piles.best_question(),
                Policy::Optimal => self.weighings.fewest_until(piles, is_late).2,
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

    use super::bayes::{Posterior, is_more};
    use super::book::BOOKS;
    use super::limits::{BOOK_LEAF, LISTED_WORK, MAX_DIGITS, MAX_EXACT, MIN_ROWS, NO_SEARCH_AFTER};
    use super::pegs::{CELLS, CodeId, Codes, Feedback, Policy, Replies, Scorer, split};

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
            // Where no code begins with 0, no other digit is like it. Codes are in ascending order.
            let first = usize::from(codes.digits(0)[0] > 0);
            for digit in first..codes.game.digits {
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
            self.larger_at(code).is_none()
        }

        /// The first place in which a code is larger than one of the same worth. So is every code that
        /// begins like it, up to this place.
        fn larger_at(&self, code: &[u8]) -> Option<usize> {
            let mut seen = [0, 0, 0];
            code.iter().position(|&digit| {
                let (class, rank) = self.class[usize::from(digit)];
                let seen = &mut seen[usize::from(class)];
                match class {
                    0 => false,
                    // Which absent digit it is does not matter, nor whether it is the same one twice.
                    ABSENT if !self.distinct => rank > 0,
                    _ if rank == *seen => {
                        *seen += 1;
                        false
                    }
                    _ => rank > *seen,
                }
            })
        }
    }

    /// Before the first guess the places are interchangeable too. Of the guesses that differ only in
    /// their order, the smallest has equal digits together, the most frequent first.
    pub fn is_smallest_order(code: &[u8]) -> bool {
        let times = |digit: u8| code.iter().filter(|&&other| other == digit).count();
        let mut pairs = code.windows(2);
        pairs.all(|pair| pair[0] <= pair[1] && times(pair[0]) >= times(pair[1]))
    }

    /// `count` of the indices 0..`len`, ascending, the same in every run; all if `count` ≥ `len`.
    pub fn thin_out(len: usize, count: usize, seed: u64) -> Vec<usize> {
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
            // A set needs memory of its own.
            self.spend(1_000 + 40 * set.len())?;
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
            self.spend(rows * places + 4 * places * places + 32)
        }

        /// Subtracts from the work that is left; `None` if it is used up.
        fn spend(&mut self, work: usize) -> Option<()> {
            self.work_left = self.work_left.checked_sub(work as u64)?;
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
            let mut next = 0;
            while (next as usize) < codes.len() {
                let guess = next;
                let digits = codes.digits(guess);
                // Codes that are not scored are looked at, too.
                self.spend(digits.len())?;
                if let Some(place) = alike.larger_at(digits) {
                    next = codes.next_head(guess, place);
                    continue;
                }
                next += 1;
                if first && !is_smallest_order(digits) {
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
    /// of its cells, in their order. A guess is the number of its code in two characters, or in three
    /// where two cannot count all codes. Smaller sets are searched.
    #[derive(Clone, Copy)]
    pub struct Book(&'static [u8]);

    /// The first of the characters in which the book is written: all that are printed, except the
    /// blank and the two that a Rust string would escape.
    const BOOK_FIRST: u8 = b'!';
    /// The number of these characters, the base of the number of a code.
    pub const BOOK_CHARACTERS: u32 = 92;

    /// The number of characters of a guess in the book.
    pub fn book_width(codes: &Codes) -> usize {
        2 + usize::from(codes.len() > BOOK_CHARACTERS.pow(2) as usize)
    }

    impl Book {
        /// The strategy for a game, if there is one.
        pub fn new(title: &str) -> Option<Self> {
            let (_, text) = BOOKS.iter().find(|(other, _)| *other == title)?;
            Some(Self(text.as_bytes()))
        }

        /// The guess at this place.
        pub fn entry(&self, codes: &Codes) -> Option<CodeId> {
            let number = self.0.get(..book_width(codes))?.iter();
            let id = number.fold(0, |id, &next| id * BOOK_CHARACTERS + Self::value(next));
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
            let mut book = Self(&self.0[book_width(codes)..]);
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
            let mut book = Self(&self.0[book_width(codes)..]);
            for (_, cell) in split(codes, set, guess) {
                book = book.skip_set(codes, &cell)?;
            }
            Some(book)
        }
    }

    /// Plays `hitblow` and `mastermind` with listed codes.
    #[derive(Clone)]
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
                book: Book::new(&codes.game.title()).filter(|_| usual),
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

        /// Plays the proved strategy of this title, if there is one. Only before the first guess.
        pub fn with_book(mut self, title: &str) -> Self {
            self.book = Book::new(title);
            self
        }

        /// Spends no more table lookups than this.
        pub fn with_work(mut self, work: u64) -> Self {
            self.work_left = work;
            self
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
            if let Some(book) = self.book.filter(|_| candidates.len() > BOOK_LEAF) {
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
                    is_more(value, best) || (!is_more(best, value) && right > best_right)
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
    //!
    //! The posterior of a game with 10^17 codes cannot be listed, but codes can be drawn from it. It is
    //! uniform over the codes that fit all replies, so any code that fits is as good as another; the
    //! question is how to find one. Two ways:
    //!
    //! - `Walk` goes from code to code at random, by changing a digit or swapping two places. Its energy is
    //!   by how much the replies to the code would differ from those that were given: 0 for a code that
    //!   fits. A step is taken as the rule of Metropolis says, so codes of equal energy are visited equally
    //!   often, and those of energy 0 are a uniform sample. It starts from codes of the last turn that
    //!   still fit. So nothing is ever searched for from the beginning: a reply leaves one in some twenty,
    //!   and the walk fills up the others. The temperature is kept where 3 to 10 % of the visits fit.
    //! - `Filling` is a search by backtracking: first for the digits of a code, then for their order. It
    //!   gives up a choice as soon as some reply can no longer come true. It finds *all* codes that fit,
    //!   once they are few, and it knows that there are no others.

    use std::collections::HashSet;

    use itertools::Itertools;
    use rand::Rng;
    use rand::seq::{SliceRandom, index};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::limits::{FEW_BITS, MAX_DIGITS, MAX_PLACES, MAX_UNLISTED, SAMPLE};
    use super::pegs::{Feedback, Game, digit_counts};

    /// The guesses so far and their replies, and codes that fit all of them.
    pub struct Fitting {
        game: Game,
        guesses: Vec<Asked>,
        rows: Rows,
        /// Codes that were found and still fit.
        known: Vec<Vec<u8>>,
        /// Codes that did until the last reply, where none is left: they nearly fit.
        near: Vec<Vec<u8>>,
        /// Whether no other code fits.
        complete: bool,
        /// log2 of the number of codes that fit, as far as the samples tell.
        bits: f64,
        temperature: f64,
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
            let choices = |place| game.digits - if game.distinct { place } else { 0 };
            Self {
                game,
                guesses: Vec::new(),
                rows: Rows::default(),
                known: Vec::new(),
                near: Vec::new(),
                complete: false,
                bits: (0..game.places)
                    .map(|place| (choices(place) as f64).log2())
                    .sum(),
                temperature: 1.0,
                rng: Pcg64Mcg::seed_from_u64(0),
            }
        }

        /// About log2 of the number of codes that fit: exact if all of them are known. Each reply subtracts
        /// the bits that it told, by the share of the sample that it left.
        pub fn bits_left(&self) -> f64 {
            match self.complete {
                true => (self.known.len().max(1) as f64).log2(),
                false => self.bits.max((self.known.len().max(1) as f64).log2()),
            }
        }

        /// The number of guesses.
        pub fn turns(&self) -> usize {
            self.guesses.len()
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
            self.rows = Rows::new(self.game, &self.guesses);
            let before = std::mem::take(&mut self.known);
            let all = before.len() as f64;
            let fits = |other: &Vec<u8>| Feedback::from_codes(code, other) == reply;
            let (known, others): (Vec<_>, Vec<_>) = before.into_iter().partition(fits);
            self.bits += ((known.len() as f64 + 0.5) / (all + 1.0)).log2();
            if known.is_empty() && !others.is_empty() {
                self.near = others;
            }
            self.known = known;
        }

        /// Up to [`SAMPLE`] different codes that fit all replies, ascending, and whether no others fit.
        /// If none is found in time, one that nearly fits. Subtracts the cost, up to `most`, from `work`.
        pub fn sample(&mut self, work: &mut u64, most: u64) -> (Vec<Vec<u8>>, bool) {
            let mut left = most;
            if !self.complete && self.guesses.is_empty() {
                let drawn = (0..SAMPLE).map(|_| self.any()).collect_vec();
                self.known = drawn.into_iter().sorted_unstable().dedup().collect();
            } else if !self.complete {
                if self.bits_left() <= FEW_BITS || self.known.is_empty() {
                    let share = most / 4;
                    let (codes, unspent, finished) = Filling::new(self, MAX_UNLISTED, share).run();
                    left -= share - unspent;
                    self.complete = finished;
                    let known = self.known.drain(..).chain(codes);
                    self.known = known.sorted_unstable().dedup().collect();
                }
                if !self.complete {
                    self.walk(&mut left);
                }
            }
            *work = work.saturating_sub(most - left);
            match self.known.is_empty() && !self.complete {
                true => (vec![self.nearly()], false),
                false => (self.known.clone(), self.complete),
            }
        }

        /// A code at random.
        fn any(&mut self) -> Vec<u8> {
            let Game {
                places,
                digits,
                distinct,
            } = self.game;
            match distinct {
                true => {
                    let drawn = index::sample(&mut self.rng, digits, places);
                    drawn.into_iter().map(|digit| digit as u8).collect()
                }
                false => {
                    let digit = |_| self.rng.random_range(0..digits) as u8;
                    (0..places).map(digit).collect()
                }
            }
        }

        /// Walks from code to code, and keeps those that fit, up to [`SAMPLE`].
        fn walk(&mut self, left: &mut u64) {
            /// Walks in a turn, each from another start.
            const WALKS: u64 = 24;
            /// Steps at one temperature.
            const STEPS: u64 = 500;
            /// Steps between two visits that are kept, so that codes of the sample are not neighbours.
            const APART: u64 = 20;
            let mut rng = self.rng.clone();
            if self.known.is_empty() && self.near.is_empty() {
                self.near = (0..WALKS).map(|_| self.any()).collect();
            }
            let mut found: HashSet<Vec<u8>> = self.known.iter().cloned().collect();
            let mut known = self.known.clone();
            // A step takes as long as comparing with a few guesses, because sixteen are compared at once.
            let cost = STEPS * (3 + 2 * self.rows.lanes as u64);
            let each = *left / WALKS;
            while *left >= cost && known.len() < SAMPLE {
                let starts = if known.is_empty() { &self.near } else { &known };
                let start = &starts[rng.random_range(0..starts.len())];
                let mut walk = Walk::new(self.game, &self.rows, start);
                let (mut own, mut since) = (each.max(cost).min(*left), 0);
                while own >= cost && known.len() < SAMPLE {
                    let mut visits = 0;
                    let chances = chances(self.temperature);
                    for _ in 0..STEPS {
                        walk.step(&chances, &mut rng);
                        since += 1;
                        visits += u64::from(walk.energy == 0);
                        if walk.energy == 0 && since >= APART {
                            since = 0;
                            if found.insert(walk.code.clone()) {
                                known.push(walk.code.clone());
                            }
                        }
                    }
                    match visits * 100 / STEPS {
                        0..3 => self.temperature = (self.temperature * 0.98).max(0.25),
                        3..=10 => {}
                        _ => self.temperature = (self.temperature * 1.05).min(5.0),
                    }
                    own -= cost;
                    *left -= cost;
                }
            }
            self.rng = rng;
            known.truncate(SAMPLE);
            self.known = known;
            self.known.sort_unstable();
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

    /// Guesses in a row of bytes that are compared by one instruction.
    const LANE: usize = 16;

    type Lane = [u8; LANE];

    /// The guesses as rows of bytes, one byte for each, so that a change of the secret changes all replies by
    /// a few additions of rows:
    ///
    /// ```text
    /// guesses 0 1 2 · 3 1 0 · 1 2 3     digit 1 at place 1 hits    1 1 0
    ///                                   the first digit 3 is in    0 1 1
    /// ```
    #[derive(Default)]
    struct Rows {
        digits: usize,
        places: usize,
        /// Rows are this many lanes.
        lanes: usize,
        /// By place and digit: 1 for the guesses that have it there.
        hits: Vec<Lane>,
        /// By digit and number of equal digits before: 1 for the guesses that have more of them.
        common: Vec<Lane>,
        told_hits: Vec<Lane>,
        told_common: Vec<Lane>,
    }

    impl Rows {
        fn new(game: Game, guesses: &[Asked]) -> Self {
            let lanes = guesses.len().div_ceil(LANE);
            let mut rows = Self {
                digits: game.digits,
                places: game.places,
                lanes,
                hits: vec![[0; LANE]; game.places * game.digits * lanes],
                common: vec![[0; LANE]; game.places * game.digits * lanes],
                told_hits: vec![[0; LANE]; lanes],
                told_common: vec![[0; LANE]; lanes],
            };
            for (turn, guess) in guesses.iter().enumerate() {
                let (lane, at) = (turn / LANE, turn % LANE);
                let earlier = earlier(&guess.code);
                for (place, &digit) in guess.code.iter().enumerate() {
                    let digit = usize::from(digit);
                    let (hits, common) = (
                        (place * game.digits + digit) * lanes + lane,
                        (digit * game.places + usize::from(earlier[place])) * lanes + lane,
                    );
                    rows.hits[hits][at] = 1;
                    rows.common[common][at] = 1;
                }
                rows.told_hits[lane][at] = guess.hits;
                rows.told_common[lane][at] = guess.common;
            }
            rows
        }

        #[inline(always)]
        fn of_hits(&self, place: usize, digit: u8) -> &[Lane] {
            let row = (place * self.digits + usize::from(digit)) * self.lanes;
            &self.hits[row..row + self.lanes]
        }

        #[inline(always)]
        fn of_common(&self, digit: u8, earlier: u8) -> &[Lane] {
            let row = (usize::from(digit) * self.places + usize::from(earlier)) * self.lanes;
            &self.common[row..row + self.lanes]
        }
    }

    /// A walk from code to code.
    struct Walk<'a> {
        game: Game,
        rows: &'a Rows,
        code: Vec<u8>,
        counts: [u8; MAX_DIGITS],
        /// The reply to each guess, if the code were the secret.
        hits: Vec<Lane>,
        common: Vec<Lane>,
        /// By how much these replies differ from those that were given.
        energy: u32,
    }

    /// Of each difference of energies, the chance of a step that adds as much, of 2^32.
    fn chances(temperature: f64) -> [u32; 64] {
        let chance = |more: usize| (-(more as f64) / temperature).exp();
        std::array::from_fn(|more| (chance(more) * f64::from(u32::MAX)) as u32)
    }

    impl<'a> Walk<'a> {
        fn new(game: Game, rows: &'a Rows, code: &[u8]) -> Self {
            let mut walk = Self {
                game,
                rows,
                code: code.to_vec(),
                counts: digit_counts(code),
                hits: vec![[0; LANE]; rows.lanes],
                common: vec![[0; LANE]; rows.lanes],
                energy: 0,
            };
            let earlier = earlier(code);
            for (place, &digit) in code.iter().enumerate() {
                let common = rows.of_common(digit, earlier[place]);
                replace(&mut walk.hits, [rows.of_hits(place, digit)], []);
                replace(&mut walk.common, [common], []);
            }
            walk.energy =
                distance(&walk.hits, &rows.told_hits) + distance(&walk.common, &rows.told_common);
            walk
        }

        /// A step, or none: half of them swap two places, half change a digit.
        #[inline(always)]
        fn step(&mut self, chances: &[u32; 64], rng: &mut Pcg64Mcg) {
            let random: u64 = rng.random();
            let below = |bits: u64, count: usize| ((bits & 0xFFFF) as usize * count) >> 16;
            let place = below(random, self.game.places);
            // The odd number is at most 2^32 - 1, the chance of a step that adds nothing.
            let chance = ((random >> 32) as u32) << 1 | 1;
            match random >> 63 {
                1 => self.swap(
                    place,
                    below(random >> 16, self.game.places),
                    chances,
                    chance,
                ),
                _ => {
                    let digit = below(random >> 16, self.game.digits) as u8;
                    self.put(place, digit, chances, chance);
                }
            }
        }

        /// Whether a step to this energy is taken.
        #[inline(always)]
        fn is_taken(&self, energy: u32, chances: &[u32; 64], chance: u32) -> bool {
            chance <= chances[energy.saturating_sub(self.energy).min(63) as usize]
        }

        #[inline(always)]
        fn swap(&mut self, place: usize, other: usize, chances: &[u32; 64], chance: u32) {
            let (own, digit) = (self.code[place], self.code[other]);
            if own == digit {
                return;
            }
            let rows = self.rows;
            let more = [rows.of_hits(place, digit), rows.of_hits(other, own)];
            let less = [rows.of_hits(place, own), rows.of_hits(other, digit)];
            let energy = distance_after(&self.hits, &rows.told_hits, more, less)
                + distance(&self.common, &rows.told_common);
            if self.is_taken(energy, chances, chance) {
                replace(&mut self.hits, more, less);
                self.code.swap(place, other);
                self.energy = energy;
            }
        }

        #[inline(always)]
        fn put(&mut self, place: usize, digit: u8, chances: &[u32; 64], chance: u32) {
            let own = self.code[place];
            let count = self.counts[usize::from(digit)];
            if own == digit || self.game.distinct && count > 0 {
                return;
            }
            let rows = self.rows;
            let (more, less) = ([rows.of_hits(place, digit)], [rows.of_hits(place, own)]);
            let come = [rows.of_common(digit, count)];
            let go = [rows.of_common(own, self.counts[usize::from(own)] - 1)];
            let energy = distance_after(&self.hits, &rows.told_hits, more, less)
                + distance_after(&self.common, &rows.told_common, come, go);
            if self.is_taken(energy, chances, chance) {
                replace(&mut self.hits, more, less);
                replace(&mut self.common, come, go);
                self.counts[usize::from(digit)] += 1;
                self.counts[usize::from(own)] -= 1;
                self.code[place] = digit;
                self.energy = energy;
            }
        }
    }

    /// The replies of some lane with some rows more and others less.
    #[inline(always)]
    fn changed<const M: usize, const L: usize>(
        mut lane: Lane,
        number: usize,
        more: [&[Lane]; M],
        less: [&[Lane]; L],
    ) -> Lane {
        for row in more {
            for at in 0..LANE {
                lane[at] = lane[at].wrapping_add(row[number][at]);
            }
        }
        for row in less {
            for at in 0..LANE {
                lane[at] = lane[at].wrapping_sub(row[number][at]);
            }
        }
        lane
    }

    #[inline(always)]
    fn replace<const M: usize, const L: usize>(
        replies: &mut [Lane],
        more: [&[Lane]; M],
        less: [&[Lane]; L],
    ) {
        for (number, lane) in replies.iter_mut().enumerate() {
            *lane = changed(*lane, number, more, less);
        }
    }

    #[inline(always)]
    fn distance_after<const M: usize, const L: usize>(
        replies: &[Lane],
        told: &[Lane],
        more: [&[Lane]; M],
        less: [&[Lane]; L],
    ) -> u32 {
        let lanes = replies.iter().zip(told).enumerate();
        let lanes = lanes
            .map(|(number, (lane, told))| lane_distance(&changed(*lane, number, more, less), told));
        lanes.sum()
    }

    #[inline(always)]
    fn lane_distance(one: &Lane, other: &Lane) -> u32 {
        let mut sum = 0;
        for at in 0..LANE {
            sum += u32::from(one[at].abs_diff(other[at]));
        }
        sum
    }

    #[inline(always)]
    fn distance(one: &[Lane], other: &[Lane]) -> u32 {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| lane_distance(one, other)).sum()
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

pub mod asking {
    //! Hit & Blow and Mastermind with too many codes to list: which guess tells most.
    //!
    //! Codes that fit ([`Fitting`]) stand for the posterior. The information of a guess is the entropy of its
    //! replies over them ([`Sample`]). The best guess is rarely a code that fits: where there are more digits
    //! than places, absent digits, and groups of digits whose number is in doubt, tell more. There are 10^17
    //! guesses, so they are not listed either: `Climb` changes a guess a little, again and again, and keeps
    //! what tells more.
    //!
    //! One turn ahead is not enough near the end. If the digits are known and only their order is not, a
    //! reply tells 2.6 bits at most, while one that decides on digits and places together tells 4.5. So
    //! `look_ahead` asks of the best guesses how fast the codes that each reply leaves can be told apart.

    use std::collections::HashSet;

    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::bayes::Posterior;
    use super::limits::{
        AHEAD_BITS, AHEAD_GUESSES, AHEAD_TRIES, CLIMB_STEPS, FEW_UNLISTED, HURRY_ROWS, HURRY_WORK,
        MAX_DIGITS, SAMPLE, SAMPLE_ROWS, SEARCH_WORK, UNLISTED_WORK,
    };
    use super::pegs::{CELLS, CodeId, Codes, Feedback, Game, Policy};
    use super::search::{HIT_BONUS, Solver, thin_out};
    use super::unlisted::Fitting;

    /// Codes that stand for the posterior, place by place: one instruction compares sixteen of them.
    pub struct Sample {
        game: Game,
        len: usize,
        /// By place, the digit of each code.
        digits: Vec<u8>,
        /// By digit, how often each code has it.
        counts: Vec<u8>,
        /// n · log2 n.
        terms: Vec<f64>,
        /// Of the last guess, the cell of the reply of each code.
        cells: Vec<u8>,
        hits: Vec<u8>,
        /// Comparisons so far, as [`UNLISTED_WORK`] counts them.
        work: u64,
    }

    impl Sample {
        /// Of at most 65,535 codes.
        pub fn new<'a>(game: Game, codes: impl ExactSizeIterator<Item = &'a Vec<u8>>) -> Self {
            let len = codes.len();
            let mut sample = Self {
                game,
                len,
                digits: vec![0; game.places * len],
                counts: vec![0; game.digits * len],
                terms: (0..=len)
                    .map(|n| n as f64 * (n.max(1) as f64).log2())
                    .collect(),
                cells: vec![0; len],
                hits: vec![0; len],
                work: 0,
            };
            for (at, code) in codes.enumerate() {
                for (place, &digit) in code.iter().enumerate() {
                    sample.digits[place * len + at] = digit;
                    sample.counts[usize::from(digit) * len + at] += 1;
                }
            }
            sample
        }

        /// The information of a guess, in bits: the entropy of its reply, if each code of the sample is
        /// equally likely to be the secret. Cost: about 2 ns a code.
        pub fn information_bits(&mut self, guess: &[u8]) -> f64 {
            self.ask(guess);
            let mut sizes = [[0_u16; CELLS]; 4];
            // Four tables, because equal cells often follow each other: then one waits for the other.
            for cells in self.cells.chunks(4) {
                for (sizes, &cell) in sizes.iter_mut().zip(cells) {
                    sizes[usize::from(cell) % CELLS] += 1;
                }
            }
            let size =
                |cell: usize| -> usize { sizes.iter().map(|sizes| usize::from(sizes[cell])).sum() };
            let cells = (self.game.places + 1).pow(2);
            let sum: f64 = (0..cells).map(|cell| self.terms[size(cell)]).sum();
            (self.len as f64).log2() - sum / self.len as f64
        }

        /// For each reply to a guess, by cell, the places in the sample of the codes that give it.
        pub fn partition(&mut self, guess: &[u8]) -> Vec<Vec<usize>> {
            self.ask(guess);
            let mut parts = vec![Vec::new(); CELLS];
            for (at, &cell) in self.cells.iter().enumerate() {
                parts[usize::from(cell) % CELLS].push(at);
            }
            parts
        }

        /// Computes the cells of the replies ([`Feedback::cell`]).
        fn ask(&mut self, guess: &[u8]) {
            self.work += (self.len * (self.game.places + 3) / 16 + 20) as u64;
            self.hits.fill(0);
            self.cells.fill(0);
            let mut counts = [0_u8; MAX_DIGITS];
            for (place, &digit) in guess.iter().enumerate() {
                let own = &self.digits[place * self.len..][..self.len];
                for (hits, &own) in self.hits.iter_mut().zip(own) {
                    *hits = hits.wrapping_add(u8::from(own == digit));
                }
                counts[usize::from(digit)] += 1;
            }
            for (place, &digit) in guess.iter().enumerate() {
                if guess[..place].contains(&digit) {
                    continue;
                }
                let most = counts[usize::from(digit)];
                let own = &self.counts[usize::from(digit) * self.len..][..self.len];
                for (common, &own) in self.cells.iter_mut().zip(own) {
                    *common = common.wrapping_add(own.min(most));
                }
            }
            let width = self.game.places as u8 + 1;
            for (cell, &hits) in self.cells.iter_mut().zip(&self.hits) {
                *cell = cell.wrapping_mul(width).wrapping_add(hits);
            }
        }
    }

    /// Changes one or two places of a guess at random: often to what another code has there.
    fn change(guess: &mut [u8], game: Game, other: &[u8], rng: &mut Pcg64Mcg) {
        for _ in 0..1 + usize::from(rng.random_range(0..3) == 0) {
            let place = rng.random_range(0..game.places);
            let digit = match rng.random_range(0..4) {
                0 => {
                    guess.swap(place, rng.random_range(0..game.places));
                    continue;
                }
                1 => rng.random_range(0..game.digits) as u8,
                _ => other[place],
            };
            match guess.iter().position(|&own| own == digit) {
                Some(at) if game.distinct => guess.swap(place, at),
                _ => guess[place] = digit,
            }
        }
    }

    /// A search for guesses of great worth, from several starts: simulated annealing with a low temperature.
    struct Climb<'a> {
        game: Game,
        codes: &'a [&'a Vec<u8>],
        sample: Sample,
        /// Added to the information of a code of the sample, in bits.
        bonus: f64,
        /// The guesses that were scored.
        seen: HashSet<Vec<u8>>,
        /// The best of them, best first.
        best: Vec<(f64, Vec<u8>)>,
    }

    impl<'a> Climb<'a> {
        fn new(game: Game, codes: &'a [&'a Vec<u8>], bonus: f64) -> Self {
            Self {
                game,
                codes,
                sample: Sample::new(game, codes.iter().copied()),
                bonus,
                seen: HashSet::new(),
                best: Vec::new(),
            }
        }

        fn score(&mut self, guess: &[u8]) -> f64 {
            let mut value = self.sample.information_bits(guess);
            // The codes are in ascending order.
            if self.bonus > 0.0
                && self
                    .codes
                    .binary_search_by(|code| code[..].cmp(guess))
                    .is_ok()
            {
                value += self.bonus;
            }
            let worst = self
                .best
                .last()
                .filter(|_| self.best.len() == AHEAD_GUESSES);
            if worst.is_none_or(|worst| value > worst.0) && self.seen.insert(guess.to_vec()) {
                let at = self.best.partition_point(|better| better.0 >= value);
                self.best.insert(at, (value, guess.to_vec()));
                self.best.truncate(AHEAD_GUESSES);
            }
            value
        }

        /// Takes this many steps, as long as there is work.
        fn run(mut self, steps: usize, work: u64, rng: &mut Pcg64Mcg) -> Self {
            const STARTS: usize = 4;
            for _ in 0..STARTS {
                let mut now = (f64::NEG_INFINITY, Vec::new());
                for step in 0..steps / STARTS {
                    if self.sample.work > work && step > 0 {
                        break;
                    }
                    let other = self.codes[rng.random_range(0..self.codes.len())];
                    // The best of some codes that fit, and from then on what it is changed to.
                    let first = step < steps / STARTS / 5;
                    let mut guess = if first { other.clone() } else { now.1.clone() };
                    if !first {
                        change(&mut guess, self.game, other, rng);
                    }
                    let value = self.score(&guess);
                    let temperature = 0.05 * 0.995_f64.powi(step as i32);
                    let uniform = rng.random_range(1..1 << 30) as f64 / f64::from(1 << 30);
                    let worse = temperature * -uniform.ln();
                    if value >= now.0 || (!first && now.0 - value < worse) {
                        now = (value, guess);
                    }
                }
            }
            self
        }
    }

    /// Of some guesses the one with which the fewest turns are expected, if the codes that a reply leaves
    /// can be told apart as fast later as in the next turn: with n codes and a best guess of I bits, in
    /// 1 + log2 n / I turns. `more` is added to log2 n, where the codes are a sample of that many bits less.
    fn look_ahead(climb: &mut Climb<'_>, more: f64, work: u64, rng: &mut Pcg64Mcg) -> Vec<u8> {
        let (game, all) = (climb.game, climb.codes.len() as f64);
        let win = game.places * (game.places + 2);
        let mut best = (f64::INFINITY, climb.best[0].1.clone());
        for (_, guess) in climb.best.clone() {
            let mut value = 0.0;
            for (cell, part) in climb.sample.partition(&guess).into_iter().enumerate() {
                if climb.sample.work > work {
                    return best.1;
                }
                let share = part.len() as f64 / all;
                value += match part.len() {
                    0 => 0.0,
                    _ if cell == win => 0.0,
                    1 if more == 0.0 => share,
                    2 if more == 0.0 => share * 1.5,
                    _ => {
                        let codes = part.iter().map(|&at| climb.codes[at]).collect_vec();
                        let bits = (codes.len() as f64).log2();
                        let (told, cost) = best_reply_bits(game, &codes, &best.1, rng);
                        climb.sample.work += cost;
                        share * (1.0 + (bits + more) / told.max(0.3))
                    }
                };
                if value >= best.0 {
                    break;
                }
            }
            if value < best.0 {
                best = (value, guess);
            }
        }
        best.1
    }

    /// What one of some guesses tells of these codes at most, in bits, and the cost of trying them.
    fn best_reply_bits(
        game: Game,
        codes: &[&Vec<u8>],
        one: &[u8],
        rng: &mut Pcg64Mcg,
    ) -> (f64, u64) {
        let mut sample = Sample::new(game, codes.iter().copied());
        let most = (codes.len() as f64).log2();
        let own = codes.len().min(AHEAD_TRIES / 3);
        let mut best = (-1.0, Vec::new());
        for trial in 0..AHEAD_TRIES {
            let mut guess = match trial {
                _ if trial < own => codes[trial].clone(),
                _ if trial == own => one.to_vec(),
                _ => best.1.clone(),
            };
            if trial > own {
                change(
                    &mut guess,
                    game,
                    codes[rng.random_range(0..codes.len())],
                    rng,
                );
            }
            let told = sample.information_bits(&guess);
            if told > best.0 {
                best = (told, guess);
            }
            if told > most - 1e-9 {
                break;
            }
        }
        (best.0, sample.work)
    }

    /// Plays `hitblow` and `mastermind` with too many codes to list them.
    pub struct UnlistedSolver {
        game: Game,
        policy: Policy,
        fitting: Fitting,
        work_left: u64,
        rng: Pcg64Mcg,
        /// The codes that stand for the posterior, and whether no others fit.
        codes: Vec<Vec<u8>>,
        complete: bool,
    }

    impl UnlistedSolver {
        /// Before the first guess.
        pub fn new(game: Game, policy: Policy) -> Self {
            Self {
                game,
                policy,
                fitting: Fitting::new(game),
                work_left: UNLISTED_WORK,
                rng: Pcg64Mcg::seed_from_u64(1),
                codes: Vec::new(),
                complete: false,
            }
        }

        /// Does no more work than this in the whole game, as [`UNLISTED_WORK`] counts it.
        pub fn with_work(mut self, work: u64) -> Self {
            self.work_left = work;
            self
        }

        /// The codes that the last guess was chosen by, and whether no others fit.
        pub fn codes(&self) -> (&[Vec<u8>], bool) {
            (&self.codes, self.complete)
        }

        /// The next guess. In a `hurry`, one that is found in some milliseconds.
        ///
        /// # Errors
        /// If the replies so far contradict each other.
        pub fn guess(&mut self, hurry: bool) -> Result<Vec<u8>, String> {
            let share = match hurry {
                true => HURRY_WORK,
                false => self.work_left / 8,
            };
            (self.codes, self.complete) = self.fitting.sample(&mut self.work_left, share);
            Posterior::uniform(self.codes.len()).check_possible()?;
            let first = self.fitting.turns() == 0 && self.game.distinct;
            Ok(match self.codes.len() {
                // All first guesses are worth as much.
                _ if first => (0..self.game.places as u8).collect(),
                1 | 2 => self.codes[0].clone(),
                _ if self.policy == Policy::Map => self.codes[0].clone(),
                _ => self.most_informative(share, hurry),
            })
        }

        /// Learns the reply to a guess.
        pub fn learn(&mut self, guess: &[u8], reply: Feedback) {
            self.fitting.learn(guess, reply);
        }

        /// The guess that tells most, among codes that fit and others.
        fn most_informative(&mut self, work: u64, hurry: bool) -> Vec<u8> {
            let bits = self.fitting.bits_left();
            let rows = if hurry { HURRY_ROWS } else { SAMPLE_ROWS };
            let rows = thin_out(self.codes.len(), rows, self.fitting.turns() as u64);
            let codes = rows.iter().map(|&at| &self.codes[at]).collect_vec();
            // Fewer than were wanted: they are nearly all.
            let all = self.complete || self.codes.len() < SAMPLE;
            let hit_bonus = match self.policy {
                Policy::Mi { hit_bonus } => hit_bonus,
                _ => HIT_BONUS,
            };
            let bonus = if all {
                hit_bonus / codes.len() as f64
            } else {
                0.0
            };
            let climb = Climb::new(self.game, &codes, bonus);
            let mut climb = climb.run(CLIMB_STEPS, work / 2, &mut self.rng);
            let guess = match self.policy {
                Policy::Optimal if all && !hurry && codes.len() <= FEW_UNLISTED => {
                    let guesses = climb.best.iter().map(|guess| &guess.1);
                    let list = codes.iter().copied().chain(guesses).cloned().collect_vec();
                    fewest_turns(self.game, &list, codes.len())
                }
                Policy::Optimal if bits <= AHEAD_BITS => {
                    let more = if all {
                        0.0
                    } else {
                        bits - (codes.len() as f64).log2()
                    };
                    look_ahead(&mut climb, more.max(0.0), work, &mut self.rng)
                }
                _ => climb.best[0].1.clone(),
            };
            self.work_left = self.work_left.saturating_sub(climb.sample.work);
            guess
        }
    }

    /// The guess of a list that takes the fewest turns, where the first `candidates` of it are possible.
    fn fewest_turns(game: Game, list: &[Vec<u8>], candidates: usize) -> Vec<u8> {
        let codes = Codes::from_list(game, list);
        let belief = Posterior::among((0..candidates as CodeId).collect(), None);
        // The codes were not chosen by the names of digits, so each digit stands for itself.
        let named = [true; MAX_DIGITS];
        let now = std::time::Instant::now();
        let solver = Solver::from_posterior(&codes, belief, named, 1, Policy::Optimal, now);
        codes.digits(solver.with_work(SEARCH_WORK).guess()).to_vec()
    }
}

pub mod elsewhere {
    //! Bulls and cows on judges that are not AtCoder: hits are bulls, blows are cows, and a guess is one
    //! word. The rules differ a little:
    //!
    //! ```text
    //! hitblow 4 10   the digits of a code differ                   Toph, Codeforces Gym 101192 D
    //! repeats 4 10   those of a guess may repeat                   Codeforces 753B and 753C
    //! number P 10    digits differ, the first is not 0; P = 1..10  CodinGame, Bulls and Cows 2
    //! ```
    //!
    //! Games of few codes are played in the fewest turns, by the book. Numbers of five digits and more
    //! are played by information, within [`NUMBER_WORK`] table lookups each turn.

    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;
    use std::time::{Duration, Instant};

    use super::bayes::Posterior;
    use super::book::OPENINGS;
    use super::judge::Judge;
    use super::limits::{FEW_NUMBERS, NUMBER_POOL, NUMBER_WORK};
    use super::limits::{MAX_DIGITS, MAX_LISTED_PLACES, MAX_PLACES};
    use super::pegs::{CodeId, Codes, Feedback, Game, Policy};
    use super::search::{HIT_BONUS, Solver};

    /// A judge, and with it who names the game and how replies are written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Site {
        /// The first line names the game: AtCoder, and this project's own judge.
        AtCoder,
        /// Codeforces 753B and 753C, Interactive Bulls and Cows: nothing is said before the first guess.
        Codeforces,
        /// CodinGame, Bulls and Cows 2: the number of digits, then `-1 -1`, then replies.
        CodinGame,
        /// Codeforces Gym 101192 D: a reply is one word, such as `12`.
        Gym,
        /// Toph, Bulls, Cows and Digits: as Codeforces, but the digits of a guess must differ.
        Toph,
    }

    /// Plays the game of a judge to its end.
    ///
    /// # Errors
    /// If the judge breaks its protocol, or its replies contradict each other.
    pub fn play(site: Site, judge: &mut Judge) -> Result<(), String> {
        let (name, places) = match site {
            Site::AtCoder => return Err("the first line names the game on AtCoder".to_owned()),
            Site::Codeforces => ("repeats", 4),
            Site::Gym | Site::Toph => ("hitblow", 4),
            Site::CodinGame => {
                input_interactive! { from judge, places: usize, bulls: i32, cows: i32 }
                if (bulls, cows) != (-1, -1) {
                    return Err(format!("expected -1 -1 at first, found {bulls} {cows}"));
                }
                ("number", places)
            }
        };
        let ask = |guess: &[u8]| {
            judge.ask(&guess.iter().join(""))?;
            let (hits, blows) = match site {
                Site::Gym => two_digits(judge)?,
                _ => {
                    input_interactive! { from judge, hits: u8, blows: u8 }
                    (hits, blows)
                }
            };
            Feedback::from_reply(places, hits, blows)
        };
        play_game(name, places, ask)
    }

    /// A reply that is one word.
    fn two_digits(judge: &mut Judge) -> Result<(u8, u8), String> {
        input_interactive! { from judge, reply: String }
        match reply.as_bytes() {
            [hits @ b'0'..=b'9', blows @ b'0'..=b'9'] => Ok((hits - b'0', blows - b'0')),
            _ => Err(format!("expected two digits, found {reply:?}")),
        }
    }

    /// Plays a game until `ask` says that a guess was right.
    ///
    /// # Errors
    /// If there is no such game, the replies contradict each other, or `ask` fails.
    pub fn play_game(
        name: &str,
        places: usize,
        ask: impl FnMut(&[u8]) -> Result<Option<Feedback>, String>,
    ) -> Result<(), String> {
        match name {
            "number" if places > MAX_LISTED_PLACES => Numbers::new(places)?.play(ask),
            _ => Rules::new(name, places, 10)?.play(ask),
        }
    }

    /// A start that is never long ago: sets are small here, and no search is cut short.
    fn without_end() -> Instant {
        Instant::now() + Duration::from_secs(1 << 20)
    }

    /// A game of listed codes: guesses, and those of them that may be the secret.
    pub struct Rules {
        /// As in the book.
        pub title: String,
        /// All guesses, in ascending order.
        pub codes: Codes,
        /// The secrets among them.
        pub secrets: Vec<CodeId>,
    }

    impl Rules {
        /// The rules of a game: `hitblow`, `mastermind`, `repeats` or `number`.
        ///
        /// # Errors
        /// If there is none of this name and size.
        pub fn new(name: &str, places: usize, digits: usize) -> Result<Self, String> {
            let usual = match name {
                "repeats" => "mastermind",
                "number" => "hitblow",
                _ => name,
            };
            // Every secret can be guessed, so there are enough digits.
            let least = if name == "repeats" { places } else { 1 };
            let mut codes = Codes::new(Game::new(usual, places, digits.max(least))?);
            if name == "number" {
                let all = (0..codes.len() as CodeId).map(|code| codes.digits(code));
                let list = all.filter(|digits| digits[0] > 0).map(<[u8]>::to_vec);
                codes = Codes::from_list(codes.game, &list.collect_vec());
            }
            let may_be_secret =
                |&code: &CodeId| name != "repeats" || codes.digits(code).iter().all_unique();
            Ok(Self {
                title: format!("{name} {places} {digits}"),
                secrets: (0..codes.len() as CodeId).filter(may_be_secret).collect(),
                codes,
            })
        }

        /// Before the first guess.
        pub fn solver(&self) -> Solver<'_> {
            let prior = Posterior::among(self.secrets.clone(), None);
            let mut named = [false; MAX_DIGITS];
            named[0] = self.codes.digits(0)[0] > 0; // then 0 is not like other digits
            Solver::from_posterior(&self.codes, prior, named, 0, Policy::Optimal, without_end())
                .with_book(&self.title)
        }

        /// Plays until a guess is right.
        ///
        /// # Errors
        /// If the replies contradict each other, or `ask` fails.
        pub fn play(
            &self,
            mut ask: impl FnMut(&[u8]) -> Result<Option<Feedback>, String>,
        ) -> Result<(), String> {
            let mut solver = self.solver();
            loop {
                let guess = solver.guess();
                let Some(reply) = ask(self.codes.digits(guess))? else {
                    return Ok(());
                };
                solver.learn(guess, reply);
                solver.posterior().check_possible()?;
            }
        }
    }

    /// The digits of a number; those after the last place are 0.
    pub type Number = [u8; MAX_PLACES];

    /// Plays `number P 10` where there are too many numbers to compare all with all in a turn.
    ///
    /// The first guesses are in a table. Then the numbers that fit the replies are listed; some of them
    /// stand for all, and some guesses are scored against those: numbers that fit, others that differ
    /// little from them, and any others. Few numbers are played as in any game, with these guesses.
    #[derive(Clone)]
    pub struct Numbers {
        places: usize,
        asked: Vec<(Vec<u8>, Feedback)>,
        /// The numbers that fit all replies, once they are listed.
        fitting: Option<Vec<Number>>,
        work: u64,
    }

    impl Numbers {
        /// Before the first guess.
        ///
        /// # Errors
        /// If there is no such number.
        pub fn new(places: usize) -> Result<Self, String> {
            if !(1..=MAX_PLACES).contains(&places) {
                return Err(format!("expected 1 to {MAX_PLACES} digits, found {places}"));
            }
            Ok(Self {
                places,
                asked: Vec::new(),
                fitting: None,
                work: NUMBER_WORK,
            })
        }

        /// Without the table, and with this many table lookups each turn.
        pub fn with_work(mut self, work: u64) -> Self {
            self.work = work;
            self.fitting = Some(self.list());
            self
        }

        /// The numbers that fit all replies, if they are listed.
        pub fn fitting(&self) -> Option<&[Number]> {
            self.fitting.as_deref()
        }

        /// Plays until a guess is right.
        fn play(
            mut self,
            mut ask: impl FnMut(&[u8]) -> Result<Option<Feedback>, String>,
        ) -> Result<(), String> {
            loop {
                let guess = self.guess()?;
                let Some(reply) = ask(&guess)? else {
                    return Ok(());
                };
                self.learn(&guess, reply);
            }
        }

        /// The next guess.
        ///
        /// # Errors
        /// If the replies contradict each other.
        pub fn guess(&mut self) -> Result<Vec<u8>, String> {
            if self.fitting.is_none() {
                if let Some(guess) = self.opening() {
                    return Ok(guess);
                }
                self.fitting = Some(self.list());
            }
            let fitting = self.fitting.as_deref().unwrap_or_default();
            Posterior::uniform(fitting.len()).check_possible()?;
            if fitting.len() <= 2 {
                return Ok(fitting[0][..self.places].to_vec());
            }
            let game = Game::new("hitblow", self.places, 10)?;
            let (rows, pool) = self.rows_and_pool(fitting);
            let all = rows.iter().chain(&pool).sorted_unstable().dedup();
            let list = all.map(|code| code[..self.places].to_vec()).collect_vec();
            let codes = Codes::from_list(game, &list);
            let place =
                |row: &Number| list.binary_search_by(|code| code[..].cmp(&row[..self.places]));
            let ids = rows.iter().filter_map(|row| place(row).ok());
            let ids = ids.map(|id| id as CodeId).sorted_unstable().collect();
            let posterior = Posterior::among(ids, None);
            // Guesses that differ only in names of digits were taken out of the pool.
            let policy = match fitting.len() {
                0..=FEW_NUMBERS => Policy::Optimal,
                _ => Policy::Mi {
                    hit_bonus: HIT_BONUS,
                },
            };
            let (named, turn) = ([true; MAX_DIGITS], self.asked.len() as u64);
            let solver =
                Solver::from_posterior(&codes, posterior, named, turn, policy, without_end());
            Ok(codes.digits(solver.with_work(self.work).guess()).to_vec())
        }

        /// Learns the reply to a guess.
        pub fn learn(&mut self, guess: &[u8], reply: Feedback) {
            if let Some(fitting) = &mut self.fitting {
                let places = self.places;
                fitting.retain(|code| Feedback::from_codes(guess, &code[..places]) == reply);
            }
            self.asked.push((guess.to_vec(), reply));
        }

        /// The numbers that stand for all that fit, and the guesses to score.
        fn rows_and_pool(&self, fitting: &[Number]) -> (Vec<Number>, Vec<Number>) {
            // The solver scores within a third of its work.
            let pairs = (self.work / 3) as usize / self.places;
            let most = (pairs as f64 / 2.0).sqrt() as usize;
            let seed = 2 * self.asked.len() as u64 + 10 * fitting.len() as u64;
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let mut draw = |count: usize| match count < fitting.len() {
                true => (0..count)
                    .map(|_| fitting[rng.random_range(0..fitting.len())])
                    .collect_vec(),
                false => fitting.to_vec(),
            };
            let rows = draw(most)
                .into_iter()
                .sorted_unstable()
                .dedup()
                .collect_vec();
            let size = (pairs / rows.len()).min(NUMBER_POOL);
            let mut pool = draw(size / 2);
            let mut absent = [true; 10];
            for code in fitting {
                code[..self.places]
                    .iter()
                    .for_each(|&digit| absent[usize::from(digit)] = false);
            }
            let left = size.saturating_sub(pool.len() + rows.len());
            for number in 0..left {
                let mut code = fitting[rng.random_range(0..fitting.len())];
                // Every other guess is near a number that fits, and every other is any.
                let changes = if number % 2 == 0 {
                    1 + number % 6 / 2
                } else {
                    3 * self.places
                };
                self.change(&mut code, changes, &mut rng);
                pool.push(self.rename(code, &absent));
            }
            (rows, pool)
        }

        /// Exchanges digits, with each other or with others.
        fn change(&self, code: &mut Number, changes: usize, rng: &mut Pcg64Mcg) {
            for _ in 0..changes {
                let before = *code;
                let place = rng.random_range(0..self.places);
                let digit = rng.random_range(0..10) as u8;
                match code[..self.places].iter().position(|&other| other == digit) {
                    Some(at) => code.swap(place, at),
                    None => code[place] = digit,
                }
                if code[0] == 0 {
                    *code = before;
                }
            }
        }

        /// Of the guesses that differ only in digits that no number has, the smallest. 0 stands for
        /// itself, because no guess begins with it.
        fn rename(&self, mut code: Number, absent: &[bool; 10]) -> Number {
            let mut names = (1..10).filter(|&digit| absent[usize::from(digit)]);
            for digit in &mut code[..self.places] {
                if *digit > 0 && absent[usize::from(*digit)] {
                    *digit = names
                        .next()
                        .expect("as many digits are absent as are renamed");
                }
            }
            code
        }

        /// The guess after these replies in the table.
        fn opening(&self) -> Option<Vec<u8>> {
            let (_, text) = OPENINGS.iter().find(|(places, _)| *places == self.places)?;
            let entries = text.as_bytes().chunks(self.places + 3);
            let mut depth = 0;
            for entry in entries {
                // How many replies are before this guess, the last of them, and the guess.
                let before = usize::from(entry[0] - b'0');
                if before < depth {
                    return None;
                }
                let last = before.checked_sub(1).and_then(|last| self.asked.get(last));
                let fits = last.map_or(before == 0, |(_, reply)| {
                    entry[1..3] == [reply.hits, reply.blows].map(|count| b'0' + count)
                });
                if before != depth || !fits {
                    continue;
                }
                if depth == self.asked.len() {
                    return Some(entry[3..].iter().map(|digit| digit - b'0').collect());
                }
                depth += 1;
            }
            None
        }

        /// Lists the numbers that fit all replies.
        fn list(&self) -> Vec<Number> {
            let mut listing = Listing {
                places: self.places,
                asked: &self.asked,
                to_come: Vec::new(),
                counts: vec![vec![(0, 0); self.asked.len()]; self.places + 1],
                found: Vec::new(),
            };
            for (guess, _) in &self.asked {
                let set = |digits: &[u8]| digits.iter().fold(0_u16, |set, digit| set | 1 << digit);
                let after = (0..=self.places).map(|place| set(&guess[place..]));
                listing.to_come.push(after.collect());
            }
            listing.extend(&mut [0; MAX_PLACES], 0, 0);
            listing.found
        }
    }

    /// A walk through all numbers that turns back where some reply can no longer come true.
    struct Listing<'a> {
        places: usize,
        asked: &'a [(Vec<u8>, Feedback)],
        /// The digits of each guess from each place on, as sets.
        to_come: Vec<Vec<u16>>,
        /// By place: hits and digits in common with each guess before it.
        counts: Vec<Vec<(u8, u8)>>,
        found: Vec<Number>,
    }

    impl Listing<'_> {
        fn extend(&mut self, code: &mut Number, place: usize, used: u16) {
            if place == self.places {
                self.found.push(*code);
                return;
            }
            let first = u16::from(place == 0);
            for digit in (first..10).filter(|digit| used >> digit & 1 == 0) {
                let used = used | 1 << digit;
                if self.fits(place, digit as u8, used) {
                    code[place] = digit as u8;
                    self.extend(code, place + 1, used);
                }
            }
        }

        /// Whether all replies can still come true with this digit at a place. `used` are the digits up
        /// to there.
        fn fits(&mut self, place: usize, digit: u8, used: u16) -> bool {
            let left = (self.places - place - 1) as u8;
            let (before, after) = self.counts.split_at_mut(place + 1);
            let mut asked = self
                .asked
                .iter()
                .zip(&self.to_come)
                .zip(&before[place])
                .zip(&mut after[0]);
            asked.all(|((((guess, reply), to_come), before), after)| {
                let hits = before.0 + u8::from(guess[place] == digit);
                let common = before.1 + (to_come[0] >> digit & 1) as u8;
                *after = (hits, common);
                let can_hit = (to_come[place + 1] & !used).count_ones() as u8;
                let can_share = left.min((to_come[0] & !used).count_ones() as u8);
                let expected = reply.hits + reply.blows;
                hits <= reply.hits
                    && reply.hits <= hits + can_hit
                    && common <= expected
                    && expected <= common + can_share
            })
        }
    }
}

pub mod suspects {
    //! Games with at most one false reply and too many codes to list: codes that at most one reply
    //! contradicts.

    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::limits::{MAX_LIAR_DIGITS, MAX_LIAR_TURNS, PATIENCE_FOR_A_SUSPECT};
    use super::pegs::{Feedback, Game};

    /// How often each digit is in a code, and what the replies say of that.
    #[derive(Clone)]
    struct Mix {
        counts: [u8; MAX_LIAR_DIGITS],
        /// In how many orders its digits can stand.
        orders: f32,
    }

    /// How many turns one instruction looks at.
    const LANE: usize = 16;
    const LANES: usize = MAX_LIAR_TURNS / LANE;
    /// A number for each turn.
    type Turns = [[u8; LANE]; LANES];
    const NO_TURNS: Turns = [[0; LANE]; LANES];

    /// The guesses so far, their replies, and a search for codes that at most one reply contradicts.
    ///
    /// Hits and blows together depend on the digits of a code and not on their order. So all *mixes* of
    /// digits are listed: at most two million, also where there are 10^11 codes. Each reply moves or
    /// removes some. The digits of a mix are put in order by a search, which gives up as soon as more
    /// replies are contradicted than may be.
    pub struct Suspects {
        game: Game,
        /// Whether a guess that was not declared right is not the secret.
        guesses_are_wrong: bool,
        guesses: Vec<Vec<u8>>,
        /// For each place and digit, which guesses have it there.
        at_place: Vec<[Turns; MAX_LIAR_DIGITS]>,
        hits: Turns,
        /// The mixes that no reply contradicts, then for each turn those that only its reply does.
        mixes: Vec<Vec<Mix>>,
        rng: Pcg64Mcg,
    }

    /// A code, and whether a reply contradicts it.
    pub type Suspect = (Vec<u8>, bool);

    impl Suspects {
        /// Before the first guess. Cost: up to 30 ms and 60 MB.
        pub fn new(game: Game, guesses_are_wrong: bool) -> Self {
            let mut mixes = Vec::new();
            let mut none = Mix {
                counts: [0; MAX_LIAR_DIGITS],
                orders: (1..=game.places).map(|n| n as f32).product(),
            };
            add_mixes(game, &mut none, 0, game.places as u8, &mut mixes);
            Self {
                game,
                guesses_are_wrong,
                guesses: Vec::new(),
                at_place: vec![[NO_TURNS; MAX_LIAR_DIGITS]; game.places],
                hits: NO_TURNS,
                mixes: vec![mixes],
                rng: Pcg64Mcg::seed_from_u64(0),
            }
        }

        /// Learns the reply to a guess. It may be one that no code gives: then it is the lie.
        ///
        /// # Errors
        /// After too many turns.
        pub fn learn(&mut self, code: &[u8], reply: Feedback) -> Result<(), String> {
            let turn = self.guesses.len();
            if turn == MAX_LIAR_TURNS {
                return Err(format!("expected at most {MAX_LIAR_TURNS} replies"));
            }
            self.guesses.push(code.to_vec());
            self.hits[turn / LANE][turn % LANE] = reply.hits;
            let mut of_guess = [0_u8; MAX_LIAR_DIGITS];
            for (place, &digit) in code.iter().enumerate() {
                self.at_place[place][usize::from(digit)][turn / LANE][turn % LANE] = 1;
                of_guess[usize::from(digit)] += 1;
            }
            let common = reply.hits.saturating_add(reply.blows);
            let fits = |mix: &Mix| {
                let pairs = mix.counts.iter().zip(&of_guess);
                pairs.map(|(a, b)| *a.min(b)).sum::<u8>() == common
            };
            let (clean, doubtful) = self.mixes.split_first_mut().expect("a list for no turn");
            doubtful.iter_mut().for_each(|mixes| mixes.retain(fits));
            let (fitting, others) = clean.drain(..).partition(fits);
            *clean = fitting;
            self.mixes.push(others);
            Ok(())
        }

        /// All codes that at most one reply contradicts, ascending; `None` if there are more than `most`,
        /// or `work` does not suffice: digits tried at places, some 20 ns each.
        pub fn all(&self, most: usize, work: u64) -> Option<Vec<Suspect>> {
            let mixes: usize = self.mixes.iter().map(Vec::len).sum();
            if mixes as u64 > work / 100 {
                return None;
            }
            let mut found = Vec::new();
            let mut ordering = Ordering::new(self, work);
            for (number, mixes) in self.mixes.iter().enumerate() {
                for mix in mixes {
                    // A mix that is contradicted has had its lie: the hits of that turn may be anything.
                    ordering.begin(mix, number.checked_sub(1), number == 0);
                    let finished = ordering.put(0, &mut |code, contradicted| {
                        found.push((code.to_vec(), contradicted || number > 0));
                        found.len() <= most
                    });
                    if !finished {
                        return None;
                    }
                }
            }
            found.sort_unstable();
            Some(found)
        }

        /// Up to `count` codes, ascending. For each, the lie is drawn: `prior[0]` is the weight of no
        /// lie so far, `prior[t]` that of a lie in turn t. Then a code is drawn that just this reply
        /// contradicts. Lies for which no code is found are tried less and less.
        pub fn draw(&mut self, count: usize, prior: &[f64], work: u64) -> Vec<Suspect> {
            let sums = self.mixes.iter().map(|mixes| {
                let orders = mixes.iter().map(|mix| f64::from(mix.orders));
                let sums = orders.scan(0.0, |sum, own| {
                    *sum += own;
                    Some(*sum)
                });
                sums.collect_vec()
            });
            let sums = sums.collect_vec();
            let mut rng = self.rng.clone();
            let mut found = Vec::new();
            let mut ordering = Ordering::new(self, work);
            let mut tried = vec![(0.0, 0.0); prior.len()];
            while found.len() < count && ordering.work > 0 {
                let rates = prior.iter().zip(&tried);
                let weights = rates.map(|(prior, (hits, all))| prior * (hits + 1.0) / (all + 1.0));
                let number = weighted(&weights.collect_vec(), uniform(&mut rng));
                let suspect = self.draw_one(&mut ordering, &sums, number.checked_sub(1), &mut rng);
                tried[number].0 += f64::from(u8::from(suspect.is_some()));
                tried[number].1 += 1.0;
                found.extend(suspect);
                // Where there is nothing to search, a failure costs something too.
                ordering.work = ordering.work.saturating_sub(100);
            }
            self.rng = rng;
            found.sort_unstable();
            found.dedup();
            found
        }

        /// Puts the digits of one mix in order; if there is a `lie`, in that turn.
        fn draw_one(
            &self,
            ordering: &mut Ordering<'_>,
            sums: &[Vec<f64>],
            lie: Option<usize>,
            rng: &mut Pcg64Mcg,
        ) -> Option<Suspect> {
            let total = |number: usize| sums[number].last().copied().unwrap_or(0.0);
            let of_lie = lie.map_or(0.0, |turn| total(turn + 1));
            let at = uniform(rng) * (total(0) + of_lie);
            let (number, at) = match lie {
                Some(turn) if at < of_lie => (turn + 1, at),
                _ => (0, at - of_lie),
            };
            let index = sums[number].partition_point(|&sum| sum <= at);
            ordering.begin(self.mixes[number].get(index)?, lie, false);
            ordering.shuffle(rng);
            let all = ordering.work;
            ordering.work = PATIENCE_FOR_A_SUSPECT.min(all);
            let (mut found, patience) = (None, ordering.work);
            ordering.put(0, &mut |code, _| {
                let contradicts = |turn: usize| {
                    let told = self.hits[turn / LANE][turn % LANE];
                    let pairs = code.iter().zip(&self.guesses[turn]);
                    pairs.filter(|(a, b)| a == b).count() != usize::from(told)
                };
                if number > 0 || lie.is_none_or(contradicts) {
                    found = Some((code.to_vec(), lie.is_some()));
                }
                found.is_none()
            });
            ordering.work += all - patience;
            found
        }

        /// Any code of a mix that is possible, if nothing better is found in time.
        pub fn any(&mut self) -> Option<Vec<u8>> {
            let mix = self.mixes.iter().flatten().next()?;
            let mut code = Vec::new();
            for (digit, count) in (0_u8..).zip(mix.counts) {
                code.resize(code.len() + usize::from(count), digit);
            }
            shuffle(&mut code, &mut self.rng);
            Some(code)
        }
    }
    /// A number in [0, 1).
    fn uniform(rng: &mut Pcg64Mcg) -> f64 {
        const STEPS: usize = 1 << 30;
        rng.random_range(0..STEPS) as f64 / STEPS as f64
    }

    fn shuffle<T>(items: &mut [T], rng: &mut Pcg64Mcg) {
        for last in (1..items.len()).rev() {
            items.swap(rng.random_range(0..last + 1), last);
        }
    }

    /// The index of a weight, drawn by a random number in [0, 1).
    fn weighted(weights: &[f64], uniform: f64) -> usize {
        let mut left = uniform * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        found.unwrap_or(weights.len() - 1)
    }

    /// Adds a mix for each way to choose how often the digits from `digit` on are in a code, with this
    /// many places left. `mix` has the digits before, and the orders if no other digit repeats.
    fn add_mixes(game: Game, mix: &mut Mix, digit: usize, left: u8, mixes: &mut Vec<Mix>) {
        if left == 0 {
            mixes.push(mix.clone());
            return;
        }
        let most = if game.distinct { 1 } else { left };
        let least = if digit + 1 == game.digits { left } else { 0 };
        let orders = mix.orders;
        for count in 0..=most {
            if count > 1 {
                mix.orders /= f32::from(count);
            }
            if count >= least {
                mix.counts[digit] = count;
                add_mixes(game, mix, digit + 1, left - count, mixes);
            }
        }
        (mix.counts[digit], mix.orders) = (0, orders);
    }

    /// A search for the orders of a mix.
    struct Ordering<'a> {
        suspects: &'a Suspects,
        lanes: usize,
        /// 0 for the turn of a known lie, whose hits may be anything, and 1 for all others.
        counted: Turns,
        /// Whether one reply may be contradicted.
        may_lie: bool,
        /// How often each digit is still to be placed.
        left: [u8; MAX_LIAR_DIGITS],
        digits: Vec<u8>,
        /// Places in the order in which they are filled.
        places: Vec<usize>,
        /// By number of places filled and digit: how often each guess has it in the other places.
        to_come: Vec<[Turns; MAX_LIAR_DIGITS]>,
        /// By number of places filled, the hits with each guess so far.
        hits: Vec<Turns>,
        code: Vec<u8>,
        work: u64,
    }

    impl<'a> Ordering<'a> {
        fn new(suspects: &'a Suspects, work: u64) -> Self {
            let places = suspects.game.places;
            let mut ordering = Self {
                suspects,
                lanes: suspects.guesses.chunks(LANE).len(),
                counted: [[1; LANE]; LANES],
                may_lie: false,
                left: [0; MAX_LIAR_DIGITS],
                digits: Vec::new(),
                places: (0..places).collect(),
                to_come: vec![[NO_TURNS; MAX_LIAR_DIGITS]; places + 1],
                hits: vec![NO_TURNS; places + 1],
                code: vec![0; places],
                work,
            };
            ordering.fill_to_come();
            ordering
        }

        /// Another order in which places and digits are tried.
        fn shuffle(&mut self, rng: &mut Pcg64Mcg) {
            shuffle(&mut self.digits, rng);
            shuffle(&mut self.places, rng);
            self.fill_to_come();
        }

        fn fill_to_come(&mut self) {
            for (number, &place) in self.places.iter().enumerate().rev() {
                let (before, after) = self.to_come.split_at_mut(number + 1);
                let own = &self.suspects.at_place[place];
                for ((before, after), own) in before[number].iter_mut().zip(&after[0]).zip(own) {
                    add(before, after, own, self.lanes);
                }
            }
        }

        /// Begins with a mix. `lie` is the turn of a known lie.
        fn begin(&mut self, mix: &Mix, lie: Option<usize>, may_lie: bool) {
            self.may_lie = may_lie;
            self.counted = [[1; LANE]; LANES];
            if let Some(turn) = lie {
                self.counted[turn / LANE][turn % LANE] = 0;
            }
            self.left = mix.counts;
            let digits = 0..self.suspects.game.digits as u8;
            self.digits.clear();
            self.digits
                .extend(digits.filter(|&digit| mix.counts[usize::from(digit)] > 0));
        }

        /// Puts the digits that are left in order, in every way, and visits each code with whether a
        /// counted reply contradicts it; `false` if `visit` or the work has ended that.
        fn put(&mut self, number: usize, visit: &mut dyn FnMut(&[u8], bool) -> bool) -> bool {
            if number == self.places.len() {
                let contradicted = self.contradictions(number) > 0;
                let Suspects {
                    guesses_are_wrong,
                    guesses,
                    ..
                } = self.suspects;
                let asked = *guesses_are_wrong && guesses.contains(&self.code);
                return asked || visit(&self.code, contradicted);
            }
            let place = self.places[number];
            for index in 0..self.digits.len() {
                let digit = self.digits[index];
                if self.left[usize::from(digit)] == 0 {
                    continue;
                }
                if self.work == 0 {
                    return false;
                }
                self.work -= 1;
                let own = &self.suspects.at_place[place][usize::from(digit)];
                let (before, after) = self.hits.split_at_mut(number + 1);
                add(&mut after[0], &before[number], own, self.lanes);
                self.left[usize::from(digit)] -= 1;
                self.code[place] = digit;
                let fits = self.contradictions(number + 1) <= u8::from(self.may_lie);
                let finished = !fits || self.put(number + 1, visit);
                self.left[usize::from(digit)] += 1;
                if !finished {
                    return false;
                }
            }
            true
        }

        /// How many counted replies can no longer come true.
        fn contradictions(&self, number: usize) -> u8 {
            let mut count = 0;
            // Loops of known length over indices compile to instructions for sixteen turns; the same with
            // iterators took five times as long.
            for lane in 0..self.lanes {
                let hits = &self.hits[number][lane];
                let told = &self.suspects.hits[lane];
                let counted = &self.counted[lane];
                let mut most = *hits;
                for &digit in &self.digits {
                    let left = self.left[usize::from(digit)];
                    let to_come = &self.to_come[number][usize::from(digit)][lane];
                    for at in 0..LANE {
                        most[at] += to_come[at].min(left);
                    }
                }
                for at in 0..LANE {
                    let wrong = (hits[at] > told[at]) | (most[at] < told[at]);
                    count += u8::from(wrong) & counted[at];
                }
            }
            count
        }
    }

    /// The sum of two numbers for each turn.
    fn add(sum: &mut Turns, one: &Turns, other: &Turns, lanes: usize) {
        for ((sum, one), other) in sum.iter_mut().zip(one).zip(other).take(lanes) {
            for ((sum, one), other) in sum.iter_mut().zip(one).zip(other) {
                *sum = one + other;
            }
        }
    }
}

pub mod liar {
    //! Games in which at most one reply is false. Article 002 has likelihoods of 0 and 1 because nobody
    //! lies; this is what becomes of them if somebody may.
    //!
    //! A hypothesis is a secret together with the turn of the lie, or with no lie. What counts is the
    //! secret: a code that no reply contradicts is *clean*, one that a single reply contradicts is
    //! *doubtful*, and all others are impossible. Bayes' rule weighs them:
    //!
    //! ```text
    //! P(S | replies) ∝ P(no lie so far)            if S is clean
    //!                  P(lie in that turn) / n     if S is doubtful; n: how many false replies there are
    //! ```
    //!
    //! The mutual information of a guess is H(R) − H(R|S). Whether the next reply is false does not depend
    //! on the guess, so H(R|S) is nearly the same for all guesses, and the best one has the greatest H(R).

    use std::sync::Arc;

    use itertools::Itertools;
    use rand::Rng;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::bayes::{Posterior, entropy_bits, is_more};
    use super::judge::Judge;
    use super::limits::{
        LIAR_EVALUATIONS, LIAR_SAMPLE, MAX_DIGITS, MAX_LIAR_CODES, MAX_LIAR_DIGITS,
        MAX_SNEAKY_DIGITS, MAX_SUSPECTS, MIN_ROWS, SUSPECTS_WORK,
    };
    use super::pegs::{CodeId, Codes, Feedback, Game, Policy, Replies, Scorer};
    use super::search::{Alike, is_smallest_order, thin_out};
    use super::suspects::{Suspect, Suspects};

    /// The bonus that is played unless another is asked for. Mean turns over the cases of the judge, of
    /// all secrets and all lies (`lab liar --hit-bonus BITS`):
    ///
    /// ```text
    /// bits           0.5       1     1.5       2       3
    /// liar 3 10   6.1669  5.9886  5.8153  5.7276  5.7464
    /// liar 4 6    4.9146  4.5088  4.3886  4.3861  4.3919
    /// ```
    const LIAR_HIT_BONUS: f64 = 2.0;

    /// How a game ends.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Ending {
        /// With the right guess. Its reply is true, and no lie says that a guess is right.
        RightGuess,
        /// With an answer, which may be given once. Any reply before may be false.
        Answer,
    }

    /// The rules of a game with at most one false reply, and how likely it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rules {
        /// Codes and true replies.
        pub game: Game,
        /// How it ends.
        pub ending: Ending,
    }

    impl Rules {
        /// The rules.
        ///
        /// # Errors
        /// If there are too many digits to be sure of the secret.
        pub fn new(game: Game, ending: Ending) -> Result<Self, String> {
            let most = if game.distinct {
                MAX_LIAR_DIGITS
            } else {
                MAX_SNEAKY_DIGITS
            };
            if game.digits > most {
                return Err(format!(
                    "expected at most {most} digits where a reply may be false, found {}",
                    game.digits
                ));
            }
            Ok(Self { game, ending })
        }

        /// The probability that the reply of a turn is false: the judge of `liar` lies in three games of
        /// four, in one of the first 2P turns. A later lie is not excluded: the probability stays.
        fn lie_in_a_turn(&self) -> f64 {
            0.75 / (2 * self.game.places) as f64
        }

        /// The probability that none of the first `turns` replies was false.
        fn honest(&self, turns: usize) -> f64 {
            (1.0 - self.lie_in_a_turn() * turns as f64).max(0.25)
        }

        /// The cells of replies that may be told.
        pub fn cells(&self) -> Vec<usize> {
            let Game {
                places,
                digits,
                distinct,
            } = self.game;
            let fewest = if distinct {
                (2 * places).saturating_sub(digits)
            } else {
                0
            };
            let commons =
                (fewest..=places).flat_map(|common| (0..=common).map(move |hits| (common, hits)));
            commons
                // A single digit that is not in its place would have no other place.
                .filter(|&(common, hits)| (common, hits + 1) != (places, places))
                .map(|(common, hits)| common * (places + 1) + hits)
                .collect()
        }

        /// The cell of the reply to the right guess.
        pub fn win(&self) -> usize {
            self.game.places * (self.game.places + 2)
        }

        /// How many false replies there may be to a guess, at least 1.
        fn false_replies(&self) -> usize {
            let right = usize::from(self.ending == Ending::RightGuess);
            (self.cells().len() - right).saturating_sub(1).max(1)
        }
    }

    /// The codes that are possible after some turns.
    #[derive(Clone)]
    pub struct Belief {
        /// No reply contradicts them. Ascending.
        pub clean: Vec<CodeId>,
        /// One reply contradicts each of them. Ascending.
        pub doubtful: Vec<CodeId>,
        /// The weight of a clean code.
        pub clean_weight: f64,
        /// The weight of a doubtful code.
        pub doubtful_weight: f64,
        /// The probability that the next reply is false, if none was before.
        pub lie: f64,
    }

    impl Belief {
        fn after(rules: Rules, turns: usize, clean: Vec<CodeId>, doubtful: Vec<CodeId>) -> Self {
            let honest = rules.honest(turns);
            Self {
                clean,
                doubtful,
                clean_weight: honest,
                doubtful_weight: rules.lie_in_a_turn() / rules.false_replies() as f64,
                lie: 1.0 - rules.honest(turns + 1) / honest,
            }
        }

        /// All possible codes, ascending.
        pub fn candidates(&self) -> Vec<CodeId> {
            let all = self.clean.iter().chain(&self.doubtful);
            all.copied().sorted_unstable().collect()
        }

        /// The posterior of the secret.
        pub fn posterior(&self) -> Posterior {
            let clean = self.clean.iter().map(|&code| (code, self.clean_weight));
            let doubtful = self
                .doubtful
                .iter()
                .map(|&code| (code, self.doubtful_weight));
            let (support, weights) = clean.chain(doubtful).sorted_by_key(|pair| pair.0).unzip();
            Posterior::among(support, Some(weights))
        }

        /// The most probable code; of equal ones the smallest.
        fn mode(&self) -> Option<CodeId> {
            self.clean.first().or(self.doubtful.first()).copied()
        }
    }

    /// What guesses tell, where at most one reply is false.
    struct LiarScorer<'a> {
        rules: Rules,
        cells: Vec<usize>,
        false_replies: f64,
        clean: Scorer<'a>,
        doubtful: Scorer<'a>,
        /// The weight of a row that is counted.
        clean_weight: f64,
        doubtful_weight: f64,
        lie: f64,
    }

    impl<'a> LiarScorer<'a> {
        /// Scores with at most this many rows.
        fn new(codes: &'a Codes, rules: Rules, belief: &Belief, rows: usize) -> Self {
            let all = belief.clean.len() + belief.doubtful.len();
            let share = (rows as f64 / all as f64).min(1.0);
            let scorer = |list: &[CodeId]| {
                let rows = (list.len() as f64 * share).ceil() as usize;
                let sample = thin_out(list.len(), rows, 0);
                let scale = list.len() as f64 / sample.len().max(1) as f64;
                (
                    Scorer::new(codes, &Posterior::among(list.to_vec(), None), &sample),
                    scale,
                )
            };
            let (clean, clean_scale) = scorer(&belief.clean);
            let (doubtful, doubtful_scale) = scorer(&belief.doubtful);
            Self {
                rules,
                cells: rules.cells(),
                false_replies: rules.false_replies() as f64,
                clean,
                doubtful,
                clean_weight: belief.clean_weight * clean_scale,
                doubtful_weight: belief.doubtful_weight * doubtful_scale,
                lie: belief.lie,
            }
        }

        /// H(R) of a guess in bits, and the probability of the reply that it is right.
        fn score(&mut self, guess: CodeId) -> (f64, f64) {
            self.clean.count(guess);
            self.doubtful.count(guess);
            let (clean, doubtful) = (&self.clean.counts, &self.doubtful.counts);
            let win = self.rules.win();
            let ends = self.rules.ending == Ending::RightGuess;
            let count = |cell: &usize| f64::from(clean[*cell]);
            let sum: f64 = self.cells.iter().map(count).sum();
            let lied_about = sum - if ends { count(&win) } else { 0.0 };
            let weights = self.cells.iter().map(|&cell| {
                let (own, lie) = (count(&cell), self.lie);
                let told = match ends && cell == win {
                    true => own,
                    false => own * (1.0 - lie) + (lied_about - own) * lie / self.false_replies,
                };
                told * self.clean_weight + f64::from(doubtful[cell]) * self.doubtful_weight
            });
            let weights = weights.collect_vec();
            let total: f64 = weights.iter().sum();
            let right =
                count(&win) * self.clean_weight + f64::from(doubtful[win]) * self.doubtful_weight;
            (
                entropy_bits(weights.into_iter().map(|weight| weight / total)),
                right / total,
            )
        }
    }

    /// The guess of the pool with the most information and its bonus; of equal ones the one that is most
    /// probably right, then the first.
    fn best_guess(
        codes: &Codes,
        rules: Rules,
        belief: &Belief,
        pool: &[CodeId],
        policy: Policy,
    ) -> CodeId {
        let rows = LIAR_EVALUATIONS / pool.len() / rules.game.places;
        let mut scorer = LiarScorer::new(codes, rules, belief, rows.max(1));
        let hit_bonus = match (rules.ending, policy) {
            (Ending::Answer, _) => 0.0,
            (_, Policy::Mi { hit_bonus }) => hit_bonus,
            _ => LIAR_HIT_BONUS,
        };
        let mut best = (f64::NEG_INFINITY, 0.0, pool[0]);
        for &guess in pool {
            let (information, right) = scorer.score(guess);
            let value = information + hit_bonus * right;
            if is_more(value, best.0) || (!is_more(best.0, value) && is_more(right, best.1)) {
                best = (value, right, guess);
            }
        }
        best.2
    }

    /// Plays a game whose codes are listed.
    #[derive(Clone)]
    pub struct Listed {
        codes: Arc<Codes>,
        rules: Rules,
        belief: Belief,
        named: [bool; MAX_DIGITS],
        turns: usize,
    }

    impl Listed {
        /// Before the first guess.
        pub fn new(rules: Rules) -> Self {
            let codes = Codes::new(rules.game);
            let clean = (0..codes.len() as CodeId).collect();
            Self {
                codes: Arc::new(codes),
                rules,
                belief: Belief::after(rules, 0, clean, vec![]),
                named: [false; MAX_DIGITS],
                turns: 0,
            }
        }

        /// What is believed.
        pub fn belief(&self) -> &Belief {
            &self.belief
        }

        /// The next guess, or the only possible secret.
        ///
        /// # Errors
        /// If the replies so far contradict each other.
        pub fn guess(&self, policy: Policy) -> Result<CodeId, String> {
            let candidates = self.belief.candidates();
            self.belief.posterior().check_possible()?;
            match candidates[..] {
                [only] => return Ok(only),
                _ if policy == Policy::Map => return Ok(self.belief.mode().expect("a candidate")),
                _ => {}
            }
            let alike = Alike::new(&self.codes, &candidates, &self.named);
            let first = !self.named.contains(&true);
            let is_scored = |&code: &CodeId| {
                let digits = self.codes.digits(code);
                alike.is_smallest(digits) && (!first || is_smallest_order(digits))
            };
            let pool = (0..self.codes.len() as CodeId)
                .filter(is_scored)
                .collect_vec();
            let rows = candidates.len().min(MIN_ROWS);
            let most = (LIAR_EVALUATIONS / rows / self.rules.game.places).max(1);
            let mut pool = match pool.len() > most {
                true => thin_out(pool.len(), most / 2, 2 * self.turns as u64)
                    .into_iter()
                    .map(|i| pool[i])
                    .collect(),
                false => pool,
            };
            if candidates.len() <= most / 2 {
                pool.extend(candidates);
            }
            pool.sort_unstable();
            pool.dedup();
            Ok(best_guess(
                &self.codes,
                self.rules,
                &self.belief,
                &pool,
                policy,
            ))
        }

        /// Learns the reply to a guess that has not ended the game.
        pub fn learn(&mut self, guess: CodeId, reply: Feedback) {
            let replies = Replies::new(&self.codes, guess);
            let is_wrong = self.rules.ending == Ending::RightGuess;
            let possible = |code: &CodeId| !is_wrong || *code != guess;
            let fits = |code: &CodeId| replies.feedback(*code) == reply;
            let (clean, caught): (Vec<_>, Vec<_>) = self
                .belief
                .clean
                .iter()
                .copied()
                .filter(possible)
                .partition(fits);
            let doubtful = self
                .belief
                .doubtful
                .iter()
                .copied()
                .filter(possible)
                .filter(fits);
            let doubtful = doubtful.chain(caught).sorted_unstable().collect();
            self.turns += 1;
            self.belief = Belief::after(self.rules, self.turns, clean, doubtful);
            for &digit in self.codes.digits(guess) {
                self.named[usize::from(digit)] = true;
            }
        }
    }

    /// Plays a game with too many codes to list them: as long as there are many, some that are drawn stand for all.
    pub struct Searched {
        rules: Rules,
        suspects: Suspects,
        /// All possible codes, once they are few.
        known: Option<Vec<Suspect>>,
        turns: usize,
        rng: Pcg64Mcg,
    }

    impl Searched {
        /// Before the first guess.
        pub fn new(rules: Rules) -> Self {
            Self {
                rules,
                suspects: Suspects::new(rules.game, rules.ending == Ending::RightGuess),
                known: None,
                turns: 0,
                rng: Pcg64Mcg::seed_from_u64(1),
            }
        }

        /// The next guess, or the only possible secret.
        ///
        /// # Errors
        /// If the replies so far contradict each other.
        pub fn guess(&mut self, policy: Policy) -> Result<Vec<u8>, String> {
            if self.known.is_none() && self.turns > 0 {
                self.known = self.suspects.all(MAX_SUSPECTS, SUSPECTS_WORK);
            }
            let sample = match &self.known {
                Some(known) => known.clone(),
                None => self.draw(),
            };
            let impossible = || "the judge's replies contradict each other".to_owned();
            match (&sample[..], &self.known) {
                ([], Some(_)) => return Err(impossible()),
                ([], None) => return self.suspects.any().ok_or_else(impossible),
                ([only], Some(_)) => return Ok(only.0.clone()),
                _ => {}
            }
            Ok(self.best_of(&sample, policy))
        }

        /// Some codes, drawn as they are probable.
        fn draw(&mut self) -> Vec<Suspect> {
            let lies = vec![self.rules.lie_in_a_turn(); self.turns];
            let prior = [vec![self.rules.honest(self.turns)], lies].concat();
            self.suspects.draw(LIAR_SAMPLE, &prior, SUSPECTS_WORK)
        }

        /// The best guess among some of these codes and some that differ a little.
        fn best_of(&mut self, sample: &[Suspect], policy: Policy) -> Vec<u8> {
            let mut list = sample.iter().map(|suspect| suspect.0.clone()).collect_vec();
            let own = thin_out(list.len(), LIAR_SAMPLE, 0);
            let mut pool = own.iter().map(|&index| index as CodeId).collect_vec();
            for &index in &own {
                pool.push(list.len() as CodeId);
                list.push(self.changed(&sample[index].0));
            }
            if self.turns == 0 {
                for code in first_codes(self.rules.game) {
                    pool.push(list.len() as CodeId);
                    list.push(code);
                }
            }
            let codes = Codes::from_list(self.rules.game, &list);
            let ids = |doubtful: bool| {
                let ids = (0..)
                    .zip(sample)
                    .filter(|(_, suspect)| suspect.1 == doubtful);
                ids.map(|(id, _)| id).collect_vec()
            };
            let mut belief = Belief::after(self.rules, self.turns, ids(false), ids(true));
            if self.known.is_none() {
                // They are drawn as they are probable.
                (belief.clean_weight, belief.doubtful_weight) = (1.0, 1.0);
            }
            let guess = match policy {
                Policy::Map => belief.mode().expect("a code was found"),
                _ => best_guess(&codes, self.rules, &belief, &pool, policy),
            };
            codes.digits(guess).to_vec()
        }

        /// A code that differs in one or two places.
        fn changed(&mut self, code: &[u8]) -> Vec<u8> {
            let mut code = code.to_vec();
            let place = self.rng.random_range(0..code.len());
            let digit = self.rng.random_range(0..self.rules.game.digits) as u8;
            match code.iter().position(|&other| other == digit) {
                Some(other) => code.swap(place, other),
                None => code[place] = digit,
            }
            code
        }

        /// Learns the reply to a guess that has not ended the game.
        ///
        /// # Errors
        /// After too many turns.
        pub fn learn(&mut self, code: &[u8], reply: Feedback) -> Result<(), String> {
            self.turns += 1;
            self.suspects.learn(code, reply)?;
            let is_wrong = self.rules.ending == Ending::RightGuess;
            if let Some(known) = &mut self.known {
                known.retain_mut(|(secret, doubtful)| {
                    let fits = Feedback::from_codes(code, secret) == reply;
                    let possible = !(is_wrong && code == secret) && (fits || !*doubtful);
                    *doubtful |= !fits;
                    possible
                });
            }
            Ok(())
        }
    }

    /// Plays a game in which at most one reply is false.
    pub struct LiarSolver {
        policy: Policy,
        knowledge: Knowledge,
    }

    enum Knowledge {
        /// With the number of the last guess.
        Listed(Listed, CodeId),
        Searched(Box<Searched>),
    }

    impl LiarSolver {
        /// Before the first guess. Codes are listed if they are few enough.
        pub fn new(rules: Rules, policy: Policy) -> Self {
            let knowledge = if rules.game.code_count() <= MAX_LIAR_CODES {
                Knowledge::Listed(Listed::new(rules), 0)
            } else {
                Knowledge::Searched(Box::new(Searched::new(rules)))
            };
            Self { policy, knowledge }
        }

        /// The next guess, and whether it is the only possible secret.
        ///
        /// # Errors
        /// If the replies so far contradict each other.
        pub fn guess(&mut self) -> Result<(Vec<u8>, bool), String> {
            match &mut self.knowledge {
                Knowledge::Listed(listed, last) => {
                    *last = listed.guess(self.policy)?;
                    let is_only = listed.belief.candidates() == [*last];
                    Ok((listed.codes.digits(*last).to_vec(), is_only))
                }
                Knowledge::Searched(searched) => {
                    let guess = searched.guess(self.policy)?;
                    let is_only = matches!(searched.known.as_deref(), Some([_]));
                    Ok((guess, is_only))
                }
            }
        }

        /// Learns the reply to the last guess, which has not ended the game.
        ///
        /// # Errors
        /// After too many turns.
        pub fn learn(&mut self, guess: &[u8], reply: Feedback) -> Result<(), String> {
            match &mut self.knowledge {
                Knowledge::Listed(listed, last) => listed.learn(*last, reply),
                Knowledge::Searched(searched) => searched.learn(guess, reply)?,
            }
            Ok(())
        }

        /// What is believed, in a few words.
        pub fn summary(&self) -> String {
            let (clean, doubtful) = match &self.knowledge {
                Knowledge::Listed(Listed { belief, .. }, _) => {
                    (belief.clean.len(), belief.doubtful.len())
                }
                Knowledge::Searched(searched) => match &searched.known {
                    None => return "too many codes to list them".to_owned(),
                    Some(known) => {
                        let doubtful = known.iter().filter(|suspect| suspect.1).count();
                        (known.len() - doubtful, doubtful)
                    }
                },
            };
            format!("{clean} candidates, and {doubtful} more that one reply contradicts")
        }
    }

    /// Plays Kattis's Sneaky Mastermind, after the first word of its line `N C`. Codes are words of letters.
    /// The answer, after `!`, may be given once.
    ///
    /// # Errors
    /// If there is no such game, or the judge does not keep to the protocol.
    pub fn play_sneaky(judge: &mut Judge, places: usize, policy: Policy) -> Result<(), String> {
        input_interactive! { from judge, colours: usize }
        let game = Game::new("mastermind", places, colours)?;
        let mut solver = LiarSolver::new(Rules::new(game, Ending::Answer)?, policy);
        loop {
            let (guess, is_only) = solver.guess()?;
            let letters = guess.iter().map(|&digit| char::from(b'a' + digit));
            let word: String = letters.collect();
            if is_only {
                println!("! {word}");
                return Ok(());
            }
            judge.ask(&word)?;
            // A false reply may be any: also one that no code gives.
            input_interactive! { from judge, hits: u8, blows: u8 }
            solver.learn(&guess, Feedback { hits, blows })?;
        }
    }

    /// For the first guess, a code for each way in which digits can repeat.
    fn first_codes(game: Game) -> Vec<Vec<u8>> {
        fn add(game: Game, head: &mut Vec<u8>, most: usize, codes: &mut Vec<Vec<u8>>) {
            if head.len() == game.places {
                codes.push(head.clone());
                return;
            }
            let digit = head.last().map_or(0, |&digit| digit + 1);
            if usize::from(digit) == game.digits {
                return;
            }
            for count in 1..=most.min(game.places - head.len()) {
                head.resize(head.len() + count, digit);
                add(game, head, count, codes);
                head.truncate(head.len() - count);
            }
        }
        let mut codes = Vec::new();
        add(
            game,
            &mut Vec::new(),
            if game.distinct { 1 } else { game.places },
            &mut codes,
        );
        codes
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
    let started = Instant::now();
    // What is no text is refused as an option, and does not matter as the name of the program.
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into()).collect();
    let done = match words.iter().any(|word| word == "--help" || word == "-h") {
        true => writeln!(
            stdout(),
            "{USAGE}\nplays the game that the first line of its input names"
        )
        .map_err(|error| format!("failed to print this help: {error}")),
        false => play(words, started),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("solver: {why}");
            ExitCode::from(2)
        }
    }
}

/// Plays one game with the judge on standard input and output.
fn play(words: Vec<String>, started: Instant) -> Result<(), String> {
    let options = Options::from_words(words.into_iter())?;
    let mut judge = Judge::on_stdin();
    if JUDGE != Site::AtCoder {
        return elsewhere::play(JUDGE, &mut judge);
    }
    input_interactive! { from judge, game: String }
    let codes = ["hitblow", "mastermind"].contains(&game.as_str());
    if options.prior.is_some() && !codes {
        return Err(format!(
            "--prior goes with hitblow and mastermind, found {game}"
        ));
    }
    match (game.as_str(), game.parse()) {
        // Sneaky Mastermind has no name: its first line is `N C`.
        (_, Ok(places)) => play_sneaky(&mut judge, places, options.policy),
        ("distance", _) => play_distance(&mut judge, Difference::Signed, &options),
        ("gap", _) => play_distance(&mut judge, Difference::Size, &options),
        ("balance", _) => play_balance(&mut judge, &options),
        ("liar", _) => play_liar(&mut judge, &options),
        ("hitblow" | "mastermind", _) => play_pegs(&mut judge, &game, &options, started),
        // The line of an unknown game may have no other words to read.
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
    Feedback::from_reply(game.places, hits, blows)
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
    let mut solver = UnlistedSolver::new(game, options.policy);
    loop {
        let guess = solver.guess(started.elapsed() > HURRY_AFTER)?;
        if options.trace {
            let (codes, complete) = solver.codes();
            let all = if complete { "all" } else { "some" };
            let (count, shown) = (codes.len(), guess.iter().join(" "));
            eprintln!("{count} codes that fit, which are {all}; {shown} is guessed");
        }
        let Some(reply) = ask_code(judge, game, &guess)? else {
            return Ok(());
        };
        solver.learn(&guess, reply);
    }
}

fn play_distance(judge: &mut Judge, of: Difference, options: &Options) -> Result<(), String> {
    input_interactive! { from judge, places: usize, digits: usize, sigma: f64 }
    let game = Game::new("distance", places, digits)?;
    let mut solver = DistanceSolver::with(of, game, sigma, options.policy)?;
    loop {
        let begun = Instant::now();
        let guess = solver.guess_until(&mut || begun.elapsed() > TURN_TIME)?;
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
        let begun = Instant::now();
        match solver.next_move_until(&mut || begun.elapsed() > TURN_TIME) {
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

fn play_liar(judge: &mut Judge, options: &Options) -> Result<(), String> {
    input_interactive! { from judge, places: usize, digits: usize }
    let game = Game::new("liar", places, digits)?;
    let mut solver = LiarSolver::new(Rules::new(game, Ending::RightGuess)?, options.policy);
    loop {
        let (guess, _) = solver.guess()?;
        if options.trace {
            eprintln!("{}; {} is next", solver.summary(), guess.iter().join(" "));
        }
        let Some(reply) = ask_code(judge, game, &guess)? else {
            return Ok(());
        };
        solver.learn(&guess, reply)?;
    }
}

pub mod book {
    //! The table of proved strategies, made by `scripts/book` and read by
    //! [`Book`](super::search::Book).

    /// Places of a number, and the first guesses of [`Numbers`](super::elsewhere::Numbers).
    pub const OPENINGS: &[(usize, &str)] = &[
        (
            5,
            "\
000814071012413920252763203957242041239521127956212245731023891620123574202743903016275130223175\
303627493112735831229670203621343022739830317269311690283122317920465184211347962123795830265314\
303687233123967021318354221342862223451810373189201420512024709330224571203182943023457830394715\
312287152041752821172548212743213033814521378251221791241041207520247183203751822124903111012309\
111856092011235720221546203524682112130921282576213238062218254911289705201174232022041920348257\
211182032128792121387521221857211138312420210457203154891201240612121308211568072128175312281254\
13012307\
",
        ),
        (
            6,
            "\
000415980102672593204327016205397246213270163214362497223632751103648239202120375203786125303324\
057304534716312724053313739512314853107204962503303793861304356897312792143313923457205360825212\
681257304520738313670214213694572303378241304768241312681379313621435214681325221781235222659032\
223683251104124038202986517203902754303678142304569802312968701313950173204850713303983254304593\
201312847193313803259205803295211149567212953618303561047304109526313694528213183547303836054304\
592438312973042313168305214109523221536098222153648223150239105172054203834519204509728212130894\
213179208111735240204243687213865720112635924203248370304712046313214786204473205304268530313427\
839205420638212617520213285976313765931214285063221137520222621975223682931113813592202409675203\
402659303165870304568340313705284204605938303439710304458320312286941313284903205234908212460892\
213845792303314865304713459214903482221810634222814265114479820203561984204817952212481530213492\
157121716284203324970212735912213410326122412835203205946204385946212460953213439186222460385123\
419876213476905131217840132412897\
",
        ),
        (
            7,
            "\
000269541710418302952043468120205307186230589170433068203976314501837431560289733233506841206310\
896430583295063143529806213146087521463408293057802341306913604531442701383156134205215170938430\
559408323143801725223483710922487402932336840392105950437120468739253041248560305826714330639186\
523146352148315724693832364581233245816923205571923830461580493051478693306712384931351407863145\
973864315837914232353189462067340256305376190431419507632139467820305452860130660842753145860271\
315980612421498413253044180679305158769330685237413139750846314917368431597583423239473685215651\
209330513075243144936071222823417622394580723149714283224902435623293748211066159340204847135220\
557302963054571632314124397620615632942131329876214572304630572596313141749236215591624322370693\
421071246975113298435020416428072057605834305807241331416350823153675089206859340621362843072142\
638790305938041631442638102152391680223368421022421806341142947835204165809430548726103068795106\
314768025131512964082055283614304980145730548257603068651473313921350731451984203155613489206139\
875230564352873145396478213896721030596201353149647013214635981430421743093054915730306164238531\
320597863143507914215276831430539451872222417360223284137622425187342322941386115529048120496825\
372052016847305716529831428691572062641598213609347521465917803055264817215189742522358074261161\
294657122806341520536982042142370518215360821912313984572048670512205465321821320564732147836412\
215786241322216024392237896423224432568712420951732054637519213643581721476254302232653140131302\
5418132369570221425974831334805217\
",
        ),
        (
            8,
            "\
000760138521062594076120690731548306314092864074267831941668379124425348691273078912743540737584\
290415836059744161835942031564302198407417896234169867231431638194527406678359044078425193041580\
496135416892053473243019624832550437928334936045182074962703530684106239415985712463076725914341\
692138470315428519364065946817031654261937407371248904163859104632449183206325426591733344926751\
320890126475215281593473066354891040749620583416836901743078926743140632980514407918352644155298\
047341681395264315389670144074978236041685439061316549361874064789032540712478369416452396183171\
945273832448290376325293587463342853967421629156478306534908164064270136941545297603307485710694\
076390428741615932084315497068314069415032731668259740407143906784166820349131745761298324295386\
403252845169021721794605224218453793063429016830785976134315631409873163294750832487340629325289\
013742252589641730630147869307189270643159534708131615947208324359468073252089574122627450169233\
359426782346294051324325987641107603825412069562741330623970485307317562893158950724631659126378\
324986247053255762019320714628375307325497103165780496340623769104415471902683251589437020824861\
305215641783293063189054740650927168307913265873151052473931693182760324652789042163847216530747\
369210406507294864154293850731680534197406497812604158430692732510374965217106254832242048697130\
663724598315653794213242438951722568452701307309851473166934152732540356791226601352482339074256\
323461472580108683250712081325670821758270163226503287611151903524820636157490306657948324077824\
156941690346872307748693054075861397441572914563416675143893157358246940734670982416265478193167\
264139540648963750407642179504169627105432437608492325364295073343624791520751294837306286174093\
078792105441647503689315568710943164739051240778524096416465198703242170986432551943807208539408\
122157265934030689412675407163984274164971580630796137524407197604524161640597231579431068407682\
109473167928403640796325847324716924083257945621021639758402306961038474151624583930773584291407\
270413694168609417331536045197316523187494077063948132471056492325137804922171354982022465082947\
306197436523077981546231512763049316290487163254902836722561092345306792346183074923586131579653\
048316490685133252106548923371639240234540692181166875413220683024967306942706514067150689341532\
915608307792350863158709435140652918067316862035973245308421920714082765306592168733073921504840\
675940683415734956803163159784040674206913415749236803253109578420852137846215196034823063605714\
930765930821315597234013166018327932410574392216752401683073871490640662081435415209643573167290\
643140654930812325156408392176587324122468073149315648095722257815046230760914723316380946723254\
879530222658731462233637940822346174058211762038571208203718652172871653012473684592206420598313\
079851304731569018473316180436593244671932032548023619207623918543153640981731636849751325961358\
742158041936230679301254307450618933157684905131698046712325309718422167549186330649513082307941\
386523157903215431671348952325764259812246809417231645716092225703528942334107659223473692841125\
350874122067962815430662143809315703548962077341256830764803759316468130793257610954321556143092\
306720596843159601587421673026584307368174593161405362932546019783224369145022257531046231629063\
481234750623141267126305813346053798206916784522156981347221697643851224742130962257634289513476\
893125215465908722167962185022496014723225701963521422401589714354073862\
",
        ),
        (
            9,
            "\
000625938174108173045629208938162705308394681057408450819236508812793540517740253981526760894512\
417204579318508780624591517380527461526207654983418719486530426846293051508284509367517360271498\
526287491053435794253018309590627381418361257890317902473861408840652937508381724095517549816203\
526310859746409896301742417567284301508416872590517204619385526894270315418318672940426986457310\
508307682451517518420963435942671058318791502836409986750312418769283501326984126503408568301742\
417237651408508968174052517598174306526518379402426936471508517964182037435581467903327310782965\
335458296701417938671240426948520736336916352780344938124056209912354760309546709213318401326597\
409234509716418492761053327261394750336739154260217387509612308234071896408150496738508976182540\
517916487025526190784253409976283401417194782035508478251360517572680493526132694058418136420987\
426218054736508830175469517596023847526208175496427243187096435742063895309196287350409261875903\
418879123056317180694253408769023418508938401725517571306948526748016532409368425091417271593048\
508946805237517731649580526570261948418154829036426280746913508197284065517186470395435186472950\
318186372590409379126805418806513927326981754630408374109285517437802569417789243015508430829657\
517384590261426947283601435859324610327507283619335352894610417387140265426917304682344247501683\
218576490231309167259043409213504796418460172359318457092316409194756203418937421605327156479230\
226172680493308248095361408769543028417593024786517389047512426259046738435918057326309894012637\
317194057368408278349056517819240635417768014523508109875246517851460329426167295048435139425068\
318187243960326176859032408853610429417130584927426132547068327132647809335167805492227756041329\
309472309651318914357620327567143920235392845610308863417029317170495382417976041835426871025463\
326734025681417179365840335193847056236109574623244938047621326879045216109831756942209493512687\
309942675813418578341269318153479826409916824357418784529361327397524816336389542617218214765398\
309971324856409768251439418492576813318491875263409967582341418532197468327368725491227541876932\
309817254396318251687349327372146985236234785961117238594670208679105382308942318706408504682137\
508795041823517413920857526407921835409460731829417465082713508506217934517923061458526415267809\
418721643809426453628901508541960723517915476203526590328741435967348015309310628759409527869013\
418921786053317156087394408427801965508570263149517895371042526465702813409915803746417846702139\
508420186953517817036452526394207156418976458031426961053284508654307192517192765034435506729314\
318876032591409602317958418729013856326613802459408179280534517309475186417982405137508647123098\
517647203981426641780329435671842035327372905168335603745812417649281307426609152743344679120438\
209304956827309650879243418845270396318472039865409683405297418654087293327860943257217204786193\
308137068952408692841530508458137069517860345271526895217340409581623079417195642780508679510342\
517123459607526375461820418523017689426159034728508832650914517632019485435139057864309687493021\
409436928710418436018927317184957320408901532768508265813047517405129687526603519842409438205197\
417673485910508295147086517612547803526615742930418521749830426485126390517946758120435984635710\
318108637942409614279380418196802473326289457106408504981673417572690143508265081734517807549132\
426439026158327948762103335283456109417902583147218308725964309936208547409687542309418482907635\
318326457890409642795308418804952637327398706254226264398710308408213576408837561094417510864973\
426509481673309398421076317359146270408230961485517275013698417935241680508241685079517428517690\
426395217680318618974230326297465180408974508613417479538210426563824190327748396120335792568410\
227596824370309257398406318250469873327352084976235941562370308235691084317284350671417218436590\
326201395478335201654378236908364572244183295670118372916458209439521876309194758263409986132547\
418548137962318689245317409136782594418524391687327729531864218421395768309659712843409713248659\
418364758912318271648593409835126749418713942865327824915763227318975462309739246158318176924853\
327136952487236387914265126619058243208260435179308527914830417721806594426528306794317427390185\
408531906478417306587194517852610974426743980126318425139076326954231870408785406129417820319675\
426546382170327320549176335320467158417890431572344853402179209820536419318245931068217604381975\
308951738420408245067198417465298037426976208134309963108754317627419038408241598370417521046879\
508650837492517429637105426680139752318685137409326605729481408124308597417682370594426620513987\
327694830517335623481907218965238014318426038195327186035924226651027384308405798231417329468017\
426509638427317609784125408528031749417683972041426617834902318678235140326610237498417604825973\
426640953781335359012674227602395148318623950841235609752834308810945273317628175043326615783940\
236614905283244149058376127415238697209359624178309876912354318138946572327986321574218684137925\
309267948153318952734168327524836179227935678421318685129347327354298671236415982673135825096734\
208497238106317650973148326698405173217620849153308531920874317615973208417609132874326529684170\
335320941678218603957824226429035871308645293180317625178340326613029574227526934780235867032154\
244845026179136628791534209752948163218275968314227528931674144265938701217526917034226605839214\
235625748309145278935164153602458139\
",
        ),
        (
            10,
            "\
000621305748910:170968524320:908542371630:749056832140:397614085250:5324891607519852713690452881\
72930564419389124605750:847239016551925749610386195128796304528482039615753775618490324287654931\
02850:493021865751923605149785287548960132437295034867151973205168944467198534620319458671093240\
:945726830150:59683017245193152406897619214789365052854213780965379652801374419967031285450:7598\
4613206198491230765519493052816760:8067194352619584239067152840718326955379164372058428805176493\
250:456839201751941957023685285860941732437469831075251943825619704463586149072328943721850640:4\
02583916750:594872631051950743926185287065341892419905136482750:43652790185193074129568528907284\
6351428984273015650:3084296517519937514280652893825716044378425913706337307541296840:59872436104\
199028746315428349526871043739784215063467038426915219549786023130:387014569240:762540981350:490\
85321675191984703526619205941837652829456138705378521309746419492158360750:780643912561926803917\
45519458910237660:19403768256191650923874628276519830452889215760435373942781506428718063259450:\
380421965751978294136505281540326798437368917405251930759816244462870315964319209651374840:71842\
9065350:37281649056195301478962519347169852060:8504962317619468732519062837289641505287805246391\
5374135980672419298740615350:510629837460:852467390161910752498366283104562897519182670953460:51\
6943870261950826713946281972843506528250146839761997415068325372689471035428210698573450:7025816\
9435192069834715528209438517643728956347105198602543791328430759862140:759684201350:893471026551\
996843702155287890134256419569810472350:84375192065191457906832619517924803652859378041624282847\
90536150:5401873926519308769452152849873650124372307964518337345719826040:5632879041419567493021\
8428419537026843756781942303465390841267228346819520730:980763415240:267051894351971598460235285\
786420913419130542679850:29567840135191950782346528790152384642875026138945195806742913528510972\
48364371087624953319830627519440:587031924650:15279648035192965701843528965170324841991054382765\
0:182679034551939256801475282507391846428910274583650:852067914351947083691255281607392854437183\
2765094328709483521640:1489623507419360147592850:95786412305199472385160528163872509442810423658\
97519237148590643775698412303379764315802419147826539042873619842053465869341207237146538029730:\
378964201541998276053414282709164358319160479583240:70426891534191039278546428132984507643710397\
456283281790283564419430168279542817594306283372761980345346140862539724617389452603198309265147\
328870241569333717059486232552709165348119980621753420:847509621330:613974582040:425138096750:35\
129640785193614872905619469350817252847935210685373257864901419532064817950:76498523016191983572\
640519325986014760:56147320986194623871950628156483072952857149380265373160428759428659713084250\
:593246178051946879531205286752403891437694038572151965981423704466738940125319217853064940:3694\
15827050:60497253186194981072365519739086541260:648192307561965409781236286497385021528352769418\
061930147869255378092154367419493875612050:149056238760:2315409768619674093125862812805934765194\
25798160360:763982041561964321807956284719563208528296785431061959730481265371327956840428251946\
087350:17280396455196428530791619263058941752823946507184372460831759519507293468132834910268574\
0:861247509350:728519034651980275934165288914350276419732406591850:85324061795198412673905528268\
7049315428198203674550:6421589073519357904682152886310429754373597061248337347102895640:67409852\
134198925061743428315409627843759470286133467465093821219506812943730:479523168040:358906271450:\
83014752696199241503876519951487630260:230195476861973094581626289253846071528138609572461995270\
483615379351042768419178645390250:697530821460:2819765340619915074628362879035642185199275408361\
60:481967520361969702831456287293801564528128049357661918237649055371704956328428495307162850:91\
4530678251942175368906196295801374528412038769543745279163805196781253940319201596837440:5189437\
20650:972138645060:846320179561967528049316289362074158519649217350860:5943816720619468025391762\
86572480931528892317450661959347162805375430897261419264801379550:420573981660:14609725836194863\
9701526286702589314519517694308260:746281035961989031462755283819024765428501634897250:167809235\
4519109357682452890146758234379012675348328579826043140:9063842175519207519638452810834965274191\
47582603950:586403291751920187496355286957428130428812579643050:23984605175197962854031528761845\
29304371925780436337608954213740:570236941841959287614304288625901437346258160943722851068723493\
0:721860953440:184253790651998641537205283659247801419864019723550:93270485615194897015632528208\
59471364286751928034519491726853052865942017384378317920564319950243168740:813024796550:39867501\
2451930968275145282039517846419968325710450:6807913452519240569781352891653470284286802513497519\
920734516852869042315784377605321984328790632145840:5874612039419320189567450:941607328551914079\
325864288709651324519180379245643797568014233375036418279419981675234042858043617293467102683549\
237183956720430:934670258141991052734684289624071538319610578293440:2084317596419390682714542872\
083915643289581247306419390461725842826098471353379564817203246284960753131991652873043289865237\
1402558309217546128962105837420:490263718530:681530294740:52381704964197314586029519653781942052\
83710864259428678512940351965932047184376534802719319635710498240:129054763851982069734515281273\
869405419607982341550:124530769851983169074525286048327519428256739148050:8213704965519643072958\
14372350976481328630497258140:298031745641952467319805197912305486428620413795843761045879323374\
207563189419695243078142862058371493464953687012219843506719230:687045291340:7526103489519961327\
04585287214906385419614290538750:329615074851960287194355286529134780428129745380650:63247805195\
1970483562194373804756219319524608173940:319045782650:961534028751969245170835284163850297419673\
085412950:317902546851925104378695286489250713428138704625950:8206354917519486302571952842580369\
174376349085217328851207496340:60952173485194638527019419678403912550:82356014795198209357146428\
425708169343765380219473371234075896419874306925142818790634523463475062981228148605972330:65217\
9438040:9215637804419961043758242862051783944372651397084319519208763440:90738512464196371094258\
50:2069758431519485302197642835270841694375327081496328726108495340:3427950186419872603149551916\
4702538942856430817923373682019457419184506792342863872590143463415098726237965704218330:6721580\
349319152308679441961420389754285891076324328961485302741992516073843379427351086246215306897432\
86029158473137384605217920:6098237451319725389140632852837694013379013867254219126504739830:6753\
40182941969701542834287513284609319801965723440:592706348141969120785434286384257901328628709345\
1419821304967542863290178453372315049786228768203541930:6943287105319102365874941962543810794282\
813407569328496205178341932710864954288730651429337741285036923732410976583196879032415328428650\
713924632461870591466209351784219901357648232869138072452286253187940319651072438932867438501292\
3732890564711554512037689\
",
        ),
    ];

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
        (
            "number 2 10",
            "\
!#!7!K!-!$\
",
        ),
        (
            "number 3 10",
            "\
!+$g'E'<%u$G%[$y$M#;$7!q#2'?'7'&&'$6%W&'!=&/$p!O#)&K$$&2!=$U\
",
        ),
        (
            "number 4 10",
            "\
!c8:M_QTLS<8@sG2;FM(;M:*H^KZ>S60O$,mLTG;R^5M7|MJS1=**$1.2q2rFRFFLnLF*UL5<,7`1`'h+QI?1mFw5=1`;wJa\
1_!:DDF4RXOTQiC0;7?,&#Hi%OBx$k$r*$Dx.p1P6=2=2bPm5|.jKA790g'a)C)0EKJ?Ec:600:o5b-x?bA|+L:N(/9s(Y0!\
/T(R:*>M'r?@'r#N+[DV*T9I7XO3,V%y&AF1>gI2?*:]Av$dK'!>-C!F!->JG#Df9F=m.Z&#DD@:*21*'s6V/k's3C4K*+!E\
(..Z6A(.>r#N'YC%*+\
",
        ),
        (
            "repeats 4 10",
            "\
!#A!RJ!aw!x?!V'#$=!c^#.r!ad#17!^T#/y!i[!W5!Uo!Vl!l?!S^!SV!K(!yh!6I!K/!4M!r>#*w!hA!c%!yJ!?,#$e!M6\
!Lv!X1!x2!I}!30!s+!A1!tz#!Y!Zu!p$!v'!Y=!h+!=$!I_!fv!h<!?p!]-!U2!7C!A/!Pb!ta!Tu!y>!+I!~E!f}!]s!e8\
!NI!=a!lD!V9!SY!%$!*.!{b!q+!,Z!,X!)M!`1!+3!f7!~X!xM!'z#-)!ty!t#!t-!Ry!uz!0}!}~!/j!~^!hB!}}!1&!o|\
!E]!@p!?T!|>!l2##O!4V!KE!68!L*!-W!EX!?l!q^!?v!oS!o8!XS!gR!4y!@Q!Ja!>A!Zx!UH!>A!VR!8M!?H!P5!q@!Rz\
!3b!f4!oD!9h!5o!(e!JR!*P!51!A7!$a!JO!++!oC!)i!$~!43!YR!A#!YP!qp!e#!rq!dp!h^!$`!up!&*!u5!)>!se!1Y\
!>K!8[!oN!rR!P>!oN!C1!Dz!$`!pq!qJ!l&!u{!qJ!H:!#W!*=!f(!Rz\
",
        ),
    ];
}
