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

    /// As the official tester scores them, on a grid of one temperature: 0.8² is a little more than 0.64 there.
    #[test]
    fn a_wrong_answer_takes_a_fifth() {
        let scores = [0, 1, 2, 3, 10, 50, 95].map(|wrong| score(wrong, 0, 0));
        let expected = [
            1_000_000_000,
            800_000_000,
            640_000_001,
            512_000_001,
            107_374_183,
            14_273,
            1,
        ];
        assert_eq!(scores, expected);
        // One measurement.
        let scores = [0, 1, 2, 3, 10, 50].map(|wrong| score(wrong, 0, 1000));
        let expected = [
            990_099_010,
            792_079_208,
            633_663_367,
            506_930_694,
            106_311_072,
            14_132,
        ];
        assert_eq!(scores, expected);
    }

    #[test]
    fn costs_divide_and_the_score_is_never_0() {
        assert_eq!(score(0, 100_000, 200_000), 250_000_000);
        assert_eq!(score(0, 200_000, 1), 333_332_223); // 10^14 / 300001 = 333332222.2…
        // The most that a grid of 50 rows and 10,000 measurements can cost, and all answers wrong.
        assert_eq!(score(100, 5_000_000_000, 108_000_000), 1);
    }
}
