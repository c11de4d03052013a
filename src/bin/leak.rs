//! Plays `leak N C`: begun by `scripts/new-solver`, to become the submission of your contest.
//!
//! One file, to be pasted as it is. CHANGE marks what belongs to the game; docs/solver.md goes
//! through the marks in order. Here a water main of N sections leaks in one of them. `? i` walks to
//! section i and listens there, which costs the way and C minutes; the reply is `<`, `>` or `=`.
//! `! i` digs, once.
//!
//! The question is the one that tells most about the secret for its cost.

// CHANGE: the judge of this game, for scripts/check-paste.
// judge: leak

use std::cmp::Ordering;
use std::process::ExitCode;

use bayes::{EQUAL, Hypothesis, Posterior, Worth, best_question};
use judge::Judge;

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

/// CHANGE: what is known before the first question, and what past questions changed.
struct Game {
    sections: u32,
    /// Minutes of listening.
    listening: u32,
    /// Where you stand.
    at: u32,
}

/// CHANGE: what may be asked. Here a section, from 1 to N.
type Question = u32;
/// CHANGE: what may be replied; any type that can be ordered.
type Reply = Ordering;
/// CHANGE: what is named at the end. Several hypotheses may share one answer.
type Answer = u32;
/// CHANGE: what a question gains by being right, if one can be: bits for a probability of 1. In Hit & Blow, 1.5.
const RIGHT_BITS: f64 = 0.0;

impl Game {
    /// CHANGE: reads what the judge sends first. `judge.word("a cost")?` reads one word, for a list in a loop. Where a
    /// reply can be -1, set `judge.has_negative_replies`.
    fn read(judge: &mut Judge) -> Result<Self, String> {
        input_interactive! { from judge, name: String, sections: u32, listening: u32 }
        if name != "leak" || sections == 0 {
            return Err(format!(
                "expected leak N C, found {name} {sections} {listening}"
            ));
        }
        Ok(Self {
            sections,
            listening,
            at: 1,
        })
    }

    /// CHANGE: the probability of each hypothesis before the first question. Here the hypotheses are
    /// the sections, and equally likely; `Posterior::from_prior` takes any weights.
    fn prior(&self) -> Posterior {
        Posterior::uniform(self.sections as usize)
    }

    /// CHANGE: the answer that is right if this hypothesis is true. Hypotheses are numbers from 0.
    fn answer(&self, hypothesis: Hypothesis) -> Answer {
        hypothesis + 1
    }

    /// CHANGE: questions that are worth a look now, the preferred ones of equal value first.
    fn questions(&mut self, _posterior: &Posterior) -> Vec<Question> {
        (1..=self.sections).collect()
    }

    /// CHANGE: the reply if this hypothesis is true.
    fn reply(&self, hypothesis: Hypothesis, question: &Question) -> Reply {
        self.answer(hypothesis).cmp(question)
    }

    /// CHANGE: P(reply | hypothesis), if replies are noisy. Then `worth` needs `noisy_information_bits`.
    fn likelihood(&self, hypothesis: Hypothesis, question: &Question, reply: &Reply) -> f64 {
        f64::from(self.reply(hypothesis, question) == *reply)
    }

    /// CHANGE: what a question costs now, in any unit. It must be above 0.
    fn cost(&self, question: &Question) -> f64 {
        f64::from(self.at.abs_diff(*question) + self.listening).max(EQUAL)
    }

    /// What a question is worth. CHANGE: `right` is the probability that it is the right answer; see `RIGHT_BITS`.
    fn worth(&self, posterior: &Posterior, question: &Question) -> Worth {
        Worth {
            information_bits: posterior.information_bits(|h| self.reply(h, question)),
            right: 0.0,
            cost: self.cost(question),
        }
    }

    /// CHANGE: whether to name the answer of this probability, where the best question costs so much.
    /// A wrong answer is the end here, so only if it is certain.
    fn is_enough(&self, probability: f64, _next_cost: f64) -> bool {
        probability > 1.0 - EQUAL
    }

    /// CHANGE: asks, reads the reply, and notes what the question has changed. `None` if the game ended with it.
    fn ask(&mut self, judge: &mut Judge, question: &Question) -> Result<Option<Reply>, String> {
        judge.ask(&format!("? {question}"))?;
        self.at = *question;
        input_interactive! { from judge, reply: String }
        match reply.as_str() {
            "<" => Ok(Some(Ordering::Less)),
            "=" => Ok(Some(Ordering::Equal)),
            ">" => Ok(Some(Ordering::Greater)),
            _ => Err(format!("expected <, = or >, found {reply:?}")),
        }
    }

    /// CHANGE: names the answer, and says whether it was right.
    fn name(&self, judge: &mut Judge, answer: &Answer) -> Result<bool, String> {
        judge.ask(&format!("! {answer}"))?;
        input_interactive! { from judge, right: u8 }
        Ok(right == 1)
    }
}

/// A whole game. Nothing here knows its rules.
fn play(judge: &mut Judge) -> Result<(), String> {
    let mut game = Game::read(judge)?;
    let mut posterior = game.prior();
    loop {
        posterior.check_possible()?;
        let (answer, probability) = posterior.most_probable_answer(|h| game.answer(h));
        let questions = game.questions(&posterior);
        let worth = |question: &Question| {
            let mut worth = game.worth(&posterior, question);
            // Rounding leaves a question that tells nothing some 1e-16 bits, which are much for a tiny cost.
            if worth.information_bits < EQUAL {
                worth.information_bits = 0.0;
            }
            worth
        };
        // A question that tells nothing would always be asked again.
        let tells = |question: &Question| worth(question).information_bits > 0.0;
        let is_enough = |question: &Question| game.is_enough(probability, game.cost(question));
        let best = best_question(questions, worth, RIGHT_BITS).map(|(question, _)| question);
        let next = best.filter(|question| tells(question) && !is_enough(question));
        let Some(question) = next else {
            if game.name(judge, &answer)? {
                return Ok(());
            }
            posterior.update(|h| f64::from(game.answer(h) != answer));
            continue;
        };
        let Some(reply) = game.ask(judge, &question)? else {
            return Ok(());
        };
        posterior.update(|h| game.likelihood(h, &question, &reply));
    }
}

fn main() -> ExitCode {
    match play(&mut Judge::on_stdin()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
