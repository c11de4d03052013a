//! Games, codes, outcomes and transcripts by their names in the articles.

use crate::game;
use crate::policy::Outcome;
use crate::policy::{Node, Options, Policy, select};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Replies};
use crate::tree;

/// The outcome of a policy with what was typed for it, over all secrets.
pub(super) fn outcome(codes: &Codes, name: &str, options: &Options) -> Outcome {
    let factory = select(name, options).expect("a policy of the list");
    tree::outcome_of(factory, &*(factory.build)(options), codes)
}

/// The codes of a game that is known to exist.
pub(super) fn codes(name: &str) -> Codes {
    game::codes(name).expect("a game of the articles")
}

/// The code of a text that is known to be one.
pub(super) fn code(codes: &Codes, text: &str) -> CodeId {
    game::find(codes, text).expect("a code of the articles")
}

/// A game of `policy` for one secret: each guess with its reply and the candidates left, such as
/// `012 0H1B 252`.
pub(super) fn transcript(codes: &Codes, policy: &dyn Policy, secret: CodeId) -> String {
    let mut posterior = Posterior::uniform(codes.len());
    let mut named = [false; MAX_DIGITS];
    let mut lines = Vec::new();
    for depth in 0.. {
        let guess = match posterior.support() {
            &[only] => only,
            _ => policy.choose(&mut Node {
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
pub(super) fn entropy_bits(weights: &[f64]) -> f64 {
    Posterior::from_prior(weights).entropy_bits()
}
