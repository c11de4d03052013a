//! Changes of a run against the run before it, in a few lines.

use crate::case::CaseId;
use crate::problem::Objective;
use crate::stats::paired::{MatchedCases, Pair};

/// How many cases are named.
const NAMED: usize = 8;

/// Which cases fail now or fail no more, and which scores changed most; lines ended by newlines. `before` names the run.
pub fn text(matched: &MatchedCases, objective: Objective, before: &str) -> String {
    let mut out = String::new();
    let mut lists = |what: &str, cases: &[CaseId]| {
        if !cases.is_empty() {
            out.push_str(&format!("{what}: {}\n", named(cases)));
        }
    };
    lists(
        &format!("failed now, not in {before}"),
        &matched.second_failed,
    );
    lists(
        &format!("accepted now, not in {before}"),
        &matched.first_failed,
    );
    let changed = matched
        .pairs
        .iter()
        .filter(|pair| pair.scores.0 != pair.scores.1);
    let (better, worse): (Vec<&Pair>, Vec<&Pair>) =
        changed.partition(|pair| objective.compare(pair.scores.1, pair.scores.0).is_lt());
    for (what, mut pairs) in [("better most", better), ("worse most", worse)] {
        pairs.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)).then(a.id.cmp(&b.id)));
        let cases = pairs.iter().take(3);
        let cases: Vec<String> = cases
            .map(|pair| format!("{} {} -> {}", pair.id, pair.scores.0, pair.scores.1))
            .collect();
        if !cases.is_empty() {
            out.push_str(&format!("{what}: {}\n", cases.join(", ")));
        }
    }
    if out.is_empty() {
        out = match matched.both_failed.is_empty() {
            true => format!("every case as in {before}\n"),
            // Maybe for another reason: the records of both runs say it.
            false => format!("the same cases fail as in {before}, and no score differs\n"),
        };
    }
    out
}

/// How far apart both scores are, whichever is larger.
fn ratio(pair: &Pair) -> f64 {
    let (before, now) = (pair.scores.0.value() + 1.0, pair.scores.1.value() + 1.0);
    (now / before).max(before / now)
}

fn named(cases: &[CaseId]) -> String {
    let names: Vec<String> = cases.iter().take(NAMED).map(CaseId::to_string).collect();
    let more = cases.len().saturating_sub(NAMED);
    match more {
        0 => names.join(" "),
        more => format!("{} and {more} more", names.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(cases: std::ops::Range<u64>) -> Vec<CaseId> {
        cases.map(CaseId).collect()
    }

    #[test]
    fn changes_are_named_with_the_largest_first() {
        let pair = |(id, before, now): (u64, u64, u64)| Pair {
            id: CaseId(id),
            scores: (before.into(), now.into()),
        };
        let pairs = [
            (0, 5, 5),
            (1, 5, 4),
            (2, 1000, 100),
            (3, 5, 6),
            (4, 100, 300),
            (5, 7, 5),
            (6, 9, 8),
        ];
        let matched = MatchedCases {
            pairs: pairs.map(pair).to_vec(),
            first_failed: ids(10..11),
            second_failed: ids(20..30),
            ..MatchedCases::default()
        };
        insta::assert_snapshot!(text(&matched, Objective::Min, "run 3"), @"
        failed now, not in run 3: 0020 0021 0022 0023 0024 0025 0026 0027 and 2 more
        accepted now, not in run 3: 0010
        better most: 0002 1000 -> 100, 0005 7 -> 5, 0001 5 -> 4
        worse most: 0004 100 -> 300, 0003 5 -> 6
        ");
        let same = MatchedCases {
            pairs: vec![pair((0, 5, 5))],
            ..MatchedCases::default()
        };
        assert_eq!(
            text(&same, Objective::Max, "run 3"),
            "every case as in run 3\n"
        );
        let fails = MatchedCases {
            both_failed: ids(1..2),
            ..same
        };
        assert_eq!(
            text(&fails, Objective::Max, "run 3"),
            "the same cases fail as in run 3, and no score differs\n"
        );
    }
}
