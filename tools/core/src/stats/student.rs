//! Student's distribution, for intervals and p-values.
//!
//! Closed forms for whole degrees of freedom (M. Abramowitz and I. Stegun, Handbook of Mathematical
//! Functions, 26.7). Statistics libraries would load the C library's mathematics at every start of
//! `tester`: 75 of the 1000 µs that judging one case may cost. A test compares the results with such a
//! library.

use std::f64::consts::PI;

/// The probability that Student's t is within `t` of 0 (26.7.3 and 26.7.4).
///
/// Cost: half as many terms as there are degrees of freedom.
fn within(t: f64, freedom: usize) -> f64 {
    let root = t.abs() / (freedom as f64).sqrt();
    let cos2 = 1.0 / (1.0 + root * root);
    let (sin, cos) = (root * cos2.sqrt(), cos2.sqrt());
    // Each term is the one before it, times cos²θ, times (k - 1)/k for the next k of the same parity.
    let series = |first: f64, from: usize| {
        let factors = (from..freedom - 1).step_by(2);
        let mut term = first;
        factors.fold(first, |sum, k| {
            term *= cos2 * k as f64 / (k + 1) as f64;
            sum + term
        })
    };
    match freedom {
        1 => libm::atan(root) * 2.0 / PI,
        odd if odd % 2 == 1 => (libm::atan(root) + sin * series(cos, 2)) * 2.0 / PI,
        _ => sin * series(1.0, 1),
    }
}

/// Student's t is within this distance of 0 with probability 0.95. Up to 200 degrees of freedom by bisection;
/// above, by the expansion around the normal quantile (26.7.5), with an error of 1e-9.
fn quantile_975(freedom: usize) -> f64 {
    if freedom > 200 {
        let z = 1.959_963_984_540_054_f64;
        let n = freedom as f64;
        let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
        return z
            + (z3 + z) / (4.0 * n)
            + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
            + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3));
    }
    let (mut low, mut high) = (1.9, 13.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        match within(middle, freedom) < 0.95 {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Half the width of the 95 % confidence interval of a mean of `count` values whose squared distances
/// from it sum to `squares`; `None` for fewer than two.
pub(crate) fn half_width(count: usize, squares: f64) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|&freedom| freedom > 0)?;
    Some(quantile_975(freedom) * (squares / freedom as f64 / count as f64).sqrt())
}

/// Whether values that are not 0 are all the same, or differ only by rounding. Their spread says nothing then: Student's t
/// has no interval and no p-value for them.
pub(crate) fn is_constant(count: usize, mean: f64, squares: f64) -> bool {
    mean != 0.0 && (squares / count as f64).sqrt() <= 10.0 * f64::EPSILON * mean.abs()
}

/// The probability that the mean of `count` values of a sample around 0 is at least this far from 0 on either
/// side; `squares` as above. The error is at most 1e-9. `None` for fewer than two values. Of values that are all the same,
/// it is the probability that as many have one sign if each sign is equally likely (the sign test): 2 / 2^`count`.
pub(crate) fn p_value(count: usize, mean: f64, squares: f64) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|&freedom| freedom > 0)?;
    let error = (squares / freedom as f64 / count as f64).sqrt();
    Some(if mean == 0.0 {
        1.0
    } else if is_constant(count, mean, squares) {
        (1.0 - count as f64).exp2()
    } else {
        (1.0 - within(mean / error, freedom)).max(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        // t(0.975), from printed tables.
        for (freedom, expected) in [
            (1, 12.7062),
            (2, 4.3027),
            (6, 2.4469),
            (20, 2.0860),
            (99, 1.9842),
            (1_000_000, 1.9600),
        ] {
            let quantile = quantile_975(freedom);
            assert!((quantile - expected).abs() < 1e-4, "{freedom}: {quantile}");
        }
        let (last, first) = (quantile_975(200), quantile_975(201));
        assert!(last > first && last - first < 1e-4, "the two ways meet");
    }

    #[test]
    fn probabilities_are_those_of_a_statistics_library() {
        for freedom in (1..60).chain([99, 100, 200, 201, 300, 999, 1000, 54_321]) {
            let students = StudentsT::new(0.0, 1.0, freedom as f64).unwrap();
            for t in [0.001, 0.3, 1.0, 1.96, 2.5, 4.0, 7.0] {
                let expected = 1.0 - 2.0 * students.sf(t);
                let ours = within(t, freedom);
                assert!(
                    (ours - expected).abs() < 1e-9,
                    "{freedom} {t}: {ours} {expected}"
                );
            }
            let at_quantile = students.cdf(quantile_975(freedom));
            assert!(
                (at_quantile - 0.975).abs() < 1e-8,
                "{freedom}: {at_quantile}"
            );
        }
    }

    #[test]
    fn p_values_are_those_of_printed_tables() {
        // With n values of sample variance n, the standard error is 1 and the mean is t itself.
        let p = |count: usize, t: f64| p_value(count, t, ((count - 1) * count) as f64).unwrap();
        for (count, t, expected) in [
            (2, 12.7062, 0.05),
            (7, -2.4469, 0.05),
            (21, 2.8453, 0.01),
            (100, 1.6604, 0.10),
            (1_000_001, 1.9600, 0.05),
        ] {
            assert!((p(count, t) - expected).abs() < 1e-4, "{count} {t}");
        }
        assert_eq!(p_value(5, 0.0, 0.0), Some(1.0));
        assert_eq!(p_value(1, 1.0, 0.0), None);
        // Two of one sign are as likely as two of different signs; of five, 2 of 32 rows have one sign only.
        assert_eq!(p_value(2, 1.0, 0.0), Some(0.5));
        assert_eq!(p_value(5, -3.0, 0.0), Some(2.0 / 32.0));
        assert_eq!(p_value(5000, 1.0, 0.0), Some(0.0));
        // 0.1 three times, whose mean is rounded; and numbers that differ by more than that.
        assert_eq!(p_value(3, 0.1, 3e-34), Some(0.25));
        assert!(p_value(3, 0.1, 3e-20).unwrap() < 1e-8);
    }

    #[test]
    fn the_expansion_of_the_quantile_has_the_error_that_is_said() {
        // An error of 1e-9 on both sides, where the density is 0.0584, is one of 1.2e-10 in the probability.
        for freedom in [201, 300] {
            let found = within(quantile_975(freedom), freedom);
            assert!((found - 0.95).abs() < 1.2e-10, "{freedom}: {found}");
        }
    }
}
