//! Student's distribution, from a statistics library.

use statrs::distribution::{ContinuousCDF, StudentsT};

fn students(freedom: usize) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom as f64).expect("there is a degree of freedom")
}

/// Half the width of the 95 % confidence interval of a mean of `count` values whose squared distances
/// from it sum to `squares`; `None` for fewer than two.
pub(crate) fn half_width(count: usize, squares: f64) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|&freedom| freedom > 0)?;
    let quantile = students(freedom).inverse_cdf(0.975);
    Some(quantile * (squares / freedom as f64 / count as f64).sqrt())
}

/// The probability that a mean of `count` values is at least this far from 0 on either side if the
/// values are a sample around 0; `squares` as above. `None` for fewer than two values.
pub(crate) fn p_value(count: usize, mean: f64, squares: f64) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|&freedom| freedom > 0)?;
    let error = (squares / freedom as f64 / count as f64).sqrt();
    Some(if mean == 0.0 {
        1.0
    } else if error == 0.0 {
        0.0
    } else {
        2.0 * students(freedom).sf((mean / error).abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        // t(0.975), from printed tables. With very many degrees of freedom the library is off by 0.0001.
        for (freedom, expected) in [
            (1, 12.7062),
            (2, 4.3027),
            (6, 2.4469),
            (20, 2.0860),
            (99, 1.9842),
            (1_000_000, 1.9600),
        ] {
            let quantile = students(freedom).inverse_cdf(0.975);
            assert!((quantile - expected).abs() < 2e-4, "{freedom}: {quantile}");
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
        assert_eq!(p_value(5, 1.0, 0.0), Some(0.0));
        assert_eq!(p_value(1, 1.0, 0.0), None);
    }
}
