//! What a session counts: more is better.

/// The score for `wrong` wrong answers and these costs: 10¹⁴ · 0.8^wrong / (costs + 10⁵), rounded up.
///
/// It is computed in the order of the official tester, so that it is the same to the last digit. It is at least 1.
pub fn score(wrong: usize, placement_cost: u64, measurement_cost: u64) -> u64 {
    let right_share = 1e14 * 0.8_f64.powf(wrong as f64);
    (right_share / (placement_cost + measurement_cost + 100_000) as f64).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn score_shrinks_with_costs_and_by_a_fifth_with_each_wrong_answer() {
        assert_eq!(score(0, 0, 0), 1_000_000_000);
        assert_eq!(score(1, 0, 0), 800_000_000);
        assert_eq!(score(2, 0, 0), 640_000_000);
        assert_eq!(score(0, 100_000, 200_000), 250_000_000);
        // 10^14 / 300001 = 333332222.2259…
        assert_eq!(score(0, 200_000, 1), 333_332_223);
        // The most that a grid of 50 rows can cost, and all answers wrong.
        assert_eq!(score(100, 5_000_000_000, 108_000_000), 1);
    }
}
