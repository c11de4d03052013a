//! Every figure that the five articles publish, computed anew each time, beside what they print.
//!
//! Articles 000, 002 (Hit & Blow by mutual information, and by Bayes' rule), 001 (Mastermind policies),
//! 003 (Hit & Blow, greedy information), 004 (the game with nine digits). Where one of them has a
//! slip, the explanation stands beside the figure.

use crate::game;
use crate::policy::{self, Given, Policy, select};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes, Replies};
use crate::tree::Outcome;

mod bayes;
mod gandhi;
mod greedy;
mod information;
mod mastermind;

/// The four boxes of article 000, each with its balls of three colours: aqua, blue and purple.
pub fn boxes() -> [[f64; 3]; 4] {
    information::BOXES
}

/// One published figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The article's number.
    pub article: &'static str,
    /// What is said to be so.
    pub what: String,
    /// As printed there; `formula` where only a formula is.
    pub published: String,
    /// As computed here.
    pub measured: String,
    /// Whether the two agree, or why not.
    pub agreement: Agreement,
}

/// Whether a figure is what was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is.
    Agrees,
    /// It is not, or not quite, and this is known to be why.
    Explained(&'static str),
    /// It is not, and should be.
    Differs,
}

/// All figures, article by article. Cost: half a second, most of it for article 001's largest game.
pub fn figures() -> Vec<Figure> {
    let mut figures = information::figures();
    figures.extend(mastermind::figures());
    figures.extend(bayes::figures());
    figures.extend(greedy::figures());
    figures.extend(gandhi::figures());
    figures
}

/// A figure that should be what was published, to the last letter.
fn exact(
    article: &'static str,
    what: impl Into<String>,
    published: &str,
    measured: String,
) -> Figure {
    let agreement = if published == measured {
        Agreement::Agrees
    } else {
        Agreement::Differs
    };
    Figure {
        article,
        what: what.into(),
        published: published.to_owned(),
        measured,
        agreement,
    }
}

/// A figure that is known not to be what was published. It should be `known`, all the same.
fn explained(
    article: &'static str,
    what: &str,
    published: &str,
    (known, measured): (&str, String),
    why: &'static str,
) -> Figure {
    let agreement = if known == measured {
        Agreement::Explained(why)
    } else {
        Agreement::Differs
    };
    Figure {
        article,
        what: what.to_owned(),
        published: published.to_owned(),
        measured,
        agreement,
    }
}

/// The outcome of a policy with what was typed for it, over all secrets.
fn outcome(codes: &Codes, name: &str, given: &Given) -> Outcome {
    let (family, options) = select(name, given).expect("a policy of the list");
    policy::outcome(family, &options, codes)
}

/// The codes of a game that is known to exist.
fn codes(name: &str) -> Codes {
    game::codes(name).expect("a game of the articles")
}

/// The code of a text that is known to be one.
fn code(codes: &Codes, text: &str) -> CodeId {
    game::find(codes, text).expect("a code of the articles")
}

/// A game of `policy` for one secret: each guess with its reply and the candidates left, such as
/// `012 0H1B 252`.
fn transcript(codes: &Codes, policy: &dyn Policy, secret: CodeId) -> String {
    let mut posterior = Posterior::uniform(codes.len());
    let mut named = [false; crate::solver::limits::MAX_DIGITS];
    let mut lines = Vec::new();
    for depth in 0.. {
        let guess = match posterior.support() {
            &[only] => only,
            _ => policy.choose(&mut crate::policy::Node {
                codes,
                posterior: &posterior,
                named: &named,
                depth,
                evaluated: &mut 0,
            }),
        };
        for &digit in codes.digits(guess) {
            named[usize::from(digit)] = true;
        }
        let replies = Replies::new(codes, guess);
        let reply = replies.feedback(secret);
        posterior.update(|code| replies.likelihood(code, reply));
        let left = posterior.support().len();
        let shown = game::show(codes, guess);
        lines.push(format!("{shown} {}H{}B {left}", reply.hits, reply.blows));
        if guess == secret {
            break;
        }
    }
    lines.join(", ")
}

/// The entropy of weights that need not sum to 1.
fn entropy_bits(weights: &[f64]) -> f64 {
    Posterior::from_prior(weights).entropy_bits()
}
