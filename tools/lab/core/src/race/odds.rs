//! How often a strategy wins, from two histograms of turns.

use super::fraction::Fraction;

/// What comes of a race between two strategies. Each player's secret is drawn alone, all equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Odds {
    /// The first strategy takes fewer turns.
    pub fewer: Fraction,
    /// Both take the same number of turns. Players in turn: then who moves first has won. In rounds: a draw.
    pub same: Fraction,
    /// The second strategy takes fewer turns.
    pub more: Fraction,
    /// The first strategy wins if it moves first: `fewer` and `same`.
    pub moving_first: Fraction,
}

/// The odds of a strategy with the turns `own` against one with the turns `other`, both histograms from one turn on.
///
/// # Panics
/// If a histogram is empty.
pub fn odds(own: &[u64], other: &[u64]) -> Odds {
    let all = |histogram: &[u64]| {
        histogram
            .iter()
            .map(|&count| u128::from(count))
            .sum::<u128>()
    };
    let (mut fewer, mut same) = (0, 0);
    let mut later = all(other);
    for (turn, &count) in own.iter().enumerate() {
        let now = other.get(turn).map_or(0, |&count| u128::from(count));
        later -= now;
        fewer += u128::from(count) * later;
        same += u128::from(count) * now;
    }
    let games = all(own) * all(other);
    let fraction = |count| Fraction::new(count, games);
    Odds {
        fewer: fraction(fewer),
        same: fraction(same),
        more: fraction(games - fewer - same),
        moving_first: fraction(fewer + same),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_count_all_pairs_of_secrets() {
        let (own, other) = ([1, 2, 3], [0, 4, 1, 1]);
        let turns = |histogram: &[u64]| -> Vec<usize> {
            let counted = histogram.iter().enumerate();
            counted
                .flat_map(|(turn, &count)| vec![turn; count as usize])
                .collect()
        };
        let pairs = || {
            let other = turns(&other);
            turns(&own)
                .into_iter()
                .flat_map(move |a| other.clone().into_iter().map(move |b| (a, b)))
        };
        let count = |wanted: fn(&(usize, usize)) -> bool| {
            Fraction::new(pairs().filter(wanted).count() as u128, 36)
        };
        let found = odds(&own, &other);
        assert_eq!(found.fewer, count(|(a, b)| a < b));
        assert_eq!(found.same, count(|(a, b)| a == b));
        assert_eq!(found.more, count(|(a, b)| a > b));
        assert_eq!(found.moving_first, count(|(a, b)| a <= b));
    }
}
