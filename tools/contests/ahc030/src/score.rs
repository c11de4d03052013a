//! What a session counts: its cost in millionths, less is better.

/// The cost of a session whose answer was never right.
pub const UNSOLVED_COST: f64 = 1000.0;

/// The score of a session that ended with a right answer at this cost, on a grid of `n` rows; or, for `None`, of one
/// that used up its operations.
///
/// A cost below 1/N counts as 1/N: that is what a question for all cells costs.
pub fn score(cost: Option<f64>, n: u8) -> u64 {
    let cost = cost.unwrap_or(UNSOLVED_COST).max(1.0 / f64::from(n));
    (1e6 * cost).round() as u64
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn score_is_the_cost_in_millionths_and_at_least_one_in_n() {
        assert_eq!(score(Some(0.0), 10), 100_000);
        assert_eq!(score(Some(1.0 / 15.0), 15), 66_667);
        assert_eq!(score(Some(1.0 + 1.0 / 2_f64.sqrt()), 20), 1_707_107);
        assert_eq!(score(None, 20), 1_000_000_000);
    }
}
