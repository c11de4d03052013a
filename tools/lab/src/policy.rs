//! What makes a guess good: one file for each policy, and the static list of all.
//!
//! Most policies score a guess by how it parts the candidates ([`Score`]); [`Greedy`] then picks the
//! best one from a pool, and breaks ties. A policy that picks in another way implements [`Policy`]
//! itself. Either is a file under `policy/` and a line in [`FAMILIES`].

use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
pub use crate::solver::pegs::CELLS;
use crate::solver::pegs::Feedback;
use crate::solver::pegs::{CodeId, Codes, Scorer};
use crate::solver::search::Alike;
use crate::solver::search::is_smallest_order;
use crate::tree::Outcome;

mod expected_size;
mod map;
mod mi;
mod minmax;
mod parts;
mod random;
mod random_candidate;

/// Every policy, in the order in which help texts list them.
pub static FAMILIES: &[&dyn Family] = &[
    &random::Random,
    &random_candidate::RandomCandidate,
    &map::Map,
    &mi::Mi,
    &minmax::MinMax,
    &expected_size::ExpectedSize,
    &parts::Parts,
];

/// A policy by name, with the options that it takes.
pub trait Family: Sync {
    /// As it is typed.
    fn name(&self) -> &'static str;
    /// In one line.
    fn about(&self) -> &'static str;
    /// Which of the options it takes.
    fn takes(&self) -> &'static [Takes];
    /// The policy with these options; only those that it takes are set.
    fn build(&self, options: &Options) -> Box<dyn Policy>;
    /// What it thinks of how the candidates are parted, if that is all it looks at: then it can ask
    /// any question, not only guess.
    fn score(&self, options: &Options) -> Option<Box<dyn Score>> {
        let _ = options;
        None
    }
    /// What comes of it without a tree, for a policy that has none.
    fn outcome(&self, codes: &Codes) -> Option<Outcome> {
        let _ = codes;
        None
    }
}

/// The outcome of a policy over all secrets, equally likely.
pub fn outcome(family: &dyn Family, options: &Options, codes: &Codes) -> Outcome {
    let root = Posterior::uniform(codes.len());
    let walk = || crate::tree::outcome(codes, &root, &*family.build(options));
    family.outcome(codes).unwrap_or_else(walk)
}

/// What was typed for a policy; `None` where nothing was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// `--pool`
    pub pool: Option<Pool>,
    /// `--tie`
    pub tie: Option<Tie>,
    /// `--hit-bonus`
    pub hit_bonus: Option<f64>,
    /// `--hit-gain`
    pub hit_gain: Option<f64>,
    /// `--seed`
    pub seed: Option<u64>,
    /// Whether `--prior`
    pub prior: bool,
}

/// Why a policy cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// There is none of that name.
    #[error("expected a policy ({known}), found {found:?}")]
    Unknown {
        /// What there is.
        known: String,
        /// What was typed.
        found: String,
    },
    /// It has no such option.
    #[error("expected options that go with {policy} ({takes}), found {found}")]
    Option {
        /// The policy.
        policy: &'static str,
        /// What it takes.
        takes: String,
        /// What was typed.
        found: &'static str,
    },
    /// A hit counts in one way only.
    #[error("expected --hit-bonus or --hit-gain, found both")]
    TwoHits,
    /// A number out of range.
    #[error("expected a finite number of at least 0 for {option}, found {found}")]
    Number {
        /// The option.
        option: &'static str,
        /// What was typed.
        found: f64,
    },
}

/// The policy of that name, and its options.
///
/// # Errors
/// If there is none, or what was typed does not go with it.
pub fn select(name: &str, given: &Given) -> Result<(&'static dyn Family, Options), PolicyError> {
    let Some(&family) = FAMILIES.iter().find(|family| family.name() == name) else {
        let known: Vec<&str> = FAMILIES.iter().map(|family| family.name()).collect();
        return Err(PolicyError::Unknown {
            known: known.join(", "),
            found: name.to_owned(),
        });
    };
    let options = check(family.name(), family.takes(), given)?;
    Ok((family, options))
}

/// The options that were typed for a policy that takes these.
///
/// # Errors
/// If it takes less, or a number is out of range.
pub fn check(
    policy: &'static str,
    takes: &'static [Takes],
    given: &Given,
) -> Result<Options, PolicyError> {
    let typed = [
        (Takes::Pool, given.pool.is_some()),
        (Takes::Tie, given.tie.is_some()),
        (Takes::HitBonus, given.hit_bonus.is_some()),
        (Takes::HitGain, given.hit_gain.is_some()),
        (Takes::Seed, given.seed.is_some()),
        (Takes::Prior, given.prior),
    ];
    if let Some((extra, _)) = typed.iter().find(|(o, typed)| *typed && !takes.contains(o)) {
        let takes: Vec<&str> = takes.iter().map(|option| option.flag()).collect();
        return Err(PolicyError::Option {
            policy,
            takes: if takes.is_empty() {
                "none".to_owned()
            } else {
                takes.join(", ")
            },
            found: extra.flag(),
        });
    }
    for (option, value) in [
        ("--hit-bonus", given.hit_bonus),
        ("--hit-gain", given.hit_gain),
    ] {
        if let Some(found) = value.filter(|value| !value.is_finite() || *value < 0.0) {
            return Err(PolicyError::Number { option, found });
        }
    }
    if given.hit_bonus.is_some() && given.hit_gain.is_some() {
        return Err(PolicyError::TwoHits);
    }
    Ok(Options {
        pool: given.pool.unwrap_or_default(),
        tie: given.tie.unwrap_or_default(),
        hit_bonus: given.hit_bonus,
        hit_gain: given.hit_gain,
        seed: given.seed.unwrap_or_default(),
    })
}

impl Takes {
    /// As it is typed.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Pool => "--pool",
            Self::Tie => "--tie",
            Self::HitBonus => "--hit-bonus",
            Self::HitGain => "--hit-gain",
            Self::Seed => "--seed",
            Self::Prior => "--prior",
        }
    }
}

/// An option of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// `--pool`
    Pool,
    /// `--tie`
    Tie,
    /// `--hit-bonus`
    HitBonus,
    /// `--hit-gain`
    HitGain,
    /// `--seed`
    Seed,
    /// `--prior`
    Prior,
}

/// Which guesses are considered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pool {
    /// The codes that are still possible.
    Candidates,
    /// Every code.
    #[default]
    All,
}

/// Which of equally good guesses is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tie {
    /// The smallest.
    First,
    /// The most probable, and of those the smallest; if none is possible, the smallest.
    #[default]
    Candidate,
}

/// What may be chosen about a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which guesses are considered.
    pub pool: Pool,
    /// Which of equally good ones is taken.
    pub tie: Tie,
    /// Bits that a hit counts, times its probability (article 003).
    pub hit_bonus: Option<f64>,
    /// C in log2(1/p + C), what a hit of probability p counts (article 004).
    pub hit_gain: Option<f64>,
    /// For random choices.
    pub seed: u64,
}

/// Where a strategy stands: what it has guessed and what is still possible.
pub struct Node<'a> {
    /// All codes.
    pub codes: &'a Codes,
    /// What is believed.
    pub posterior: &'a Posterior,
    /// Which digits the guesses so far have named.
    pub named: &'a [bool; MAX_DIGITS],
    /// How many guesses were made.
    pub depth: usize,
    /// Replies of single candidates that were evaluated, for the benchmark line.
    pub evaluated: &'a mut u64,
}

/// A strategy: a guess for every node.
pub trait Policy: Sync {
    /// The guess. There is always a candidate; a single one is declared without asking.
    fn choose(&self, node: &mut Node<'_>) -> CodeId;
}

/// How a guess parts the candidates, as a score sees it.
pub struct Cells<'a> {
    /// How many candidates give each reply.
    pub counts: &'a [u32; CELLS],
    /// Their weight; equal to the counts where all weigh the same.
    pub weights: Option<&'a [f64; CELLS]>,
    /// The replies that the game has.
    pub replies: &'a [usize],
    /// The reply to the right guess.
    pub win: usize,
    /// How many candidates there are.
    pub candidates: usize,
    /// n · log2 n, for every number of candidates.
    pub n_log_n: &'a [f64],
}

/// A number for how a guess parts the candidates; the largest is best.
pub trait Score: Sync {
    /// The score.
    fn score(&self, cells: &Cells<'_>) -> f64;

    /// A score that no guess among `n` equally likely candidates can exceed: that of one that tells
    /// them all apart and is a candidate itself (`may_hit`) or not. It ends the search where it is
    /// reached.
    fn bound(&self, n: usize, may_hit: bool) -> f64;
}

/// Takes the guess with the best score.
pub struct Greedy<S> {
    /// What is best.
    pub score: S,
    /// Which guesses are considered.
    pub pool: Pool,
    /// Which of equally good ones is taken.
    pub tie: Tie,
}

/// Scores closer than this are equal: sums in another order differ in their last digits.
const EQUAL: f64 = 1e-9;

impl<S: Score> Policy for Greedy<S> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let mut table = Table::new(node);
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
        // From here on no candidate is as good as that, if it was looked for. A guess that reaches
        // the bound of all others then ends the search, unless a candidate may still exceed it.
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
                let first = node.depth == 0 && uniform;
                let pool = (0..codes.len() as CodeId).filter(|&code| {
                    let digits = codes.digits(code);
                    alike.is_smallest(digits) && (!first || is_smallest_order(digits))
                });
                self.best(pool, &mut table, node, end)
            }
        }
    }
}

impl<S: Score> Greedy<S> {
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

/// The candidates of a node, ready to be parted by guesses.
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
