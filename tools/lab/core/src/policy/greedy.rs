//! The guess with the best score: it looks at each guess of a pool, and breaks ties.

use super::options::{Options, Pool, Tie};
use super::random_candidate::draw;
use super::traits::{Cells, Node, Policy, Score};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Feedback, Replies, Scorer};
use crate::solver::search::{Alike, is_smallest_order};

/// Takes the guess with the best score.
pub(super) struct Greedy<S> {
    score: S,
    pool: Pool,
    tie: Tie,
    /// For ties that are broken at random.
    seed: u64,
}

/// Scores closer than this are equal: sums in another order differ in their last digits.
const EQUAL: f64 = 1e-9;

impl<S: Score> Policy for Greedy<S> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let guess = self.any_equal(node);
        // Where one candidate has nearly all the weight, a guess that tells nothing scores as well as any other.
        match node.posterior.is_uniform() || tells(node, guess) {
            true => guess,
            false => node.posterior.mode(),
        }
    }
}

/// Whether not all candidates give the same reply.
fn tells(node: &Node<'_>, guess: CodeId) -> bool {
    let replies = Replies::new(node.codes, guess);
    let mut replies = node
        .posterior
        .support()
        .iter()
        .map(|&secret| replies.feedback(secret));
    let first = replies.next();
    replies.any(|reply| Some(reply) != first)
}

impl<S: Score> Greedy<S> {
    /// A guess with the best score, or one that is equal to [`EQUAL`].
    fn any_equal(&self, node: &mut Node<'_>) -> CodeId {
        let mut table = Table::new(node);
        if self.tie == Tie::Random {
            return self.any_of_the_best(&mut table, node);
        }
        let uniform = table.uniform();
        let n = node.posterior.support().len();
        let (hit, miss) = (self.score.bound(n, true), self.score.bound(n, false));
        // Whether a candidate that reaches its bound beats, or is preferred to, every other guess.
        let candidates_win = hit > miss + EQUAL || self.tie == Tie::Candidate;
        let look_for_one = uniform && n <= table.scorer.cells.len() && candidates_win;
        if look_for_one {
            for &guess in node.posterior.support() {
                if table.score(&self.score, guess, node.evaluated) > hit - EQUAL {
                    return guess;
                }
            }
        }
        // If such a candidate was looked for, there is none. Then a guess that reaches the bound of all other
        // guesses ends the search, unless a candidate may still exceed it.
        let mut end = f64::INFINITY;
        if uniform && hit <= miss + EQUAL && (self.tie == Tie::First || look_for_one) {
            end = miss - EQUAL;
        }
        match self.pool {
            Pool::Candidates => {
                let pool = node.posterior.support().iter().copied();
                self.best(pool, &mut table, node, end)
            }
            Pool::All => {
                // A prior that is not uniform distinguishes every digit.
                let named = if uniform {
                    *node.named
                } else {
                    [true; MAX_DIGITS]
                };
                let alike = Alike::new(node.codes, node.posterior.support(), &named);
                let codes = node.codes;
                let first = node.rows.is_empty() && uniform;
                let pool = (0..codes.len() as CodeId).filter(|&code| {
                    let digits = codes.digits(code);
                    alike.is_smallest(digits) && (!first || is_smallest_order(digits))
                });
                self.best(pool, &mut table, node, end)
            }
        }
    }

    pub(super) fn new(score: S, options: &Options) -> Self {
        Self {
            score,
            pool: options.pool.unwrap_or_default(),
            tie: options.tie.unwrap_or_default(),
            seed: options.seed.unwrap_or_default(),
        }
    }

    /// One of the guesses with the best score, each equally likely. Digits that nothing has told apart are not taken as
    /// one here: each guess counts.
    fn any_of_the_best(&self, table: &mut Table<'_>, node: &mut Node<'_>) -> CodeId {
        let pool: Vec<CodeId> = match self.pool {
            Pool::Candidates => node.posterior.support().to_vec(),
            Pool::All => (0..node.codes.len() as CodeId).collect(),
        };
        let mut score = |&guess: &CodeId| table.score(&self.score, guess, node.evaluated);
        let scores: Vec<f64> = pool.iter().map(&mut score).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let alike: Vec<CodeId> = (pool.into_iter().zip(scores))
            .filter(|(_, score)| *score > best - EQUAL)
            .map(|(guess, _)| guess)
            .collect();
        alike[draw(self.seed, node.posterior.support(), alike.len())]
    }

    /// The best guess of the pool, or the first whose score exceeds `end`.
    fn best(
        &self,
        pool: impl Iterator<Item = CodeId>,
        table: &mut Table<'_>,
        node: &mut Node<'_>,
        end: f64,
    ) -> CodeId {
        let support = node.posterior.support().iter().copied().enumerate();
        let mut candidates = support.peekable();
        let mut best: Option<(CodeId, f64, f64)> = None;
        for guess in pool {
            while candidates.next_if(|&(_, code)| code < guess).is_some() {}
            let candidate = candidates.next_if(|&(_, code)| code == guess);
            let weight = candidate.map_or(0.0, |(index, _)| node.posterior.weight(index));
            let score = table.score(&self.score, guess, node.evaluated);
            if score > end {
                return guess;
            }
            let better = best.is_none_or(|(_, best, best_weight)| {
                // Of equal ones a candidate, and under a prior the most probable one.
                let preferred = self.tie == Tie::Candidate && weight > best_weight;
                score > best + EQUAL || (score > best - EQUAL && preferred)
            });
            if better {
                best = Some((guess, score, weight));
            }
        }
        best.expect("the pool is never empty").0
    }
}

/// The candidates of a node, ready to be split by guesses.
struct Table<'a> {
    scorer: Scorer<'a>,
    posterior: &'a Posterior,
    win: usize,
}

impl<'a> Table<'a> {
    fn new(node: &Node<'a>) -> Self {
        let n = node.posterior.support().len();
        let all: Vec<usize> = (0..n).collect();
        let places = node.codes.game.places;
        let all_hits = Feedback {
            hits: places as u8,
            blows: 0,
        };
        Self {
            scorer: Scorer::new(node.codes, node.posterior, &all),
            posterior: node.posterior,
            win: all_hits.cell(places),
        }
    }

    fn uniform(&self) -> bool {
        self.posterior.is_uniform()
    }

    fn score(&mut self, score: &impl Score, guess: CodeId, evaluated: &mut u64) -> f64 {
        let candidates = self.posterior.support().len();
        *evaluated += candidates as u64;
        self.scorer.count(guess);
        let weights = (!self.uniform()).then(|| self.scorer.partition(guess));
        score.score(&Cells {
            counts: &self.scorer.counts,
            weights: weights.as_ref(),
            replies: &self.scorer.cells,
            win: self.win,
            candidates,
            n_log_n: &self.scorer.n_log_n,
        })
    }
}
