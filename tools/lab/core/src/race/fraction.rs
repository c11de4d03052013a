//! Exact probabilities.

use std::fmt;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u128,
    /// Below the line, at least 1.
    pub denominator: u128,
}

impl Fraction {
    /// In lowest terms.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn new(numerator: u128, denominator: u128) -> Self {
        assert!(denominator > 0, "expected a denominator of at least 1");
        let common = greatest_common_divisor(numerator, denominator);
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// As a number.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    match b {
        0 => a.max(1),
        _ => greatest_common_divisor(b, a % b),
    }
}
