//! Article 000: what its program does as it is printed, and what it costs.

use super::entry::{Group, Kind};
use super::helpers::{code, codes, first_of, policy, position_sizes};
use crate::game;
use crate::policy::Pool;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Replies};

pub(super) const ARTICLE: &str = "000";

/// The printed loop takes, of the codes with a probability, the first with more mutual information than the largest so
/// far, which starts from 0 with the number 0. So it declares 000 where one candidate is left.
pub(super) fn as_printed() -> Group {
    let mut group = Group::new(ARTICLE, "lab articles 000");
    let codes = codes("hitblow 3 10");
    let left_alone = {
        let alone = Posterior::among(vec![code(&codes, "960")], None);
        (0..codes.len() as CodeId)
            .filter(|&guess| alone.probability(guess) > 0.0)
            .find(|&guess| {
                alone.information_bits(|secret| Replies::new(&codes, guess).feedback(secret)) > 0.0
            })
            .map_or("000".to_owned(), |guess| game::show(&codes, guess))
    };
    group.explained(
        Kind::Figure,
        "what the printed program declares with one candidate left",
        "the candidate",
        ("000", left_alone),
        "with one candidate every mutual information is 0, never more than the 0 it starts from; declaring a single \
         candidate at once gives the 5.15 above",
    );
    let sizes = position_sizes(&codes, &*policy("mi", &first_of(Pool::Candidates)));
    group.explained(
        Kind::Figure,
        "secrets that the printed program finds",
        "720",
        ("374", sizes.len().to_string()),
        "those that are guessed while two or more candidates are left; of the others it declares 000, and stops with \
         \"Duplicate input: 0\" a turn later, or, if the secret has a 0, because no code is left",
    );
    let (anew, once) = sizes
        .iter()
        .fold((0, 0), |(anew, once), n| (anew + n * n * n, once + n * n));
    group.answered(
        Kind::Claim,
        "to compute all anew in each turn takes little time, to compute it once still less: comparisons of two codes over all 720 games, and if each position is computed once",
        "no long time",
        ("402600842, 684494", format!("{anew}, {once}")),
    );
    group
}
