//! The outcome of a policy, with a progress line.

use lab::policy::{Options, Outcome, PolicyFactory};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::tree;

use crate::terminal::progress::Counted;

pub(super) fn outcome(factory: &dyn PolicyFactory, options: &Options, codes: &Codes) -> Outcome {
    let policy = factory.build(options);
    let root = Posterior::uniform(codes.len());
    let walk = || tree::outcome(codes, &root, &Counted::new(&*policy));
    factory.outcome(codes).unwrap_or_else(walk)
}
