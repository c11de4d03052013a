//! One case: the hidden layout, how strong the noise is, and the noise itself, drawn in advance.

use crate::layout::Layout;

/// What a contestant plays on.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The hidden fields.
    pub layout: Layout,
    /// How noisy replies are.
    pub eps: Eps,
    /// A standard normal deviate for each operation, [`Case::operation_limit`] of them. Each has ten decimals, as
    /// the case file has.
    pub noise: Vec<f64>,
}

impl Case {
    /// How many operations a contestant has, answers included: 2N².
    pub fn operation_limit(&self) -> usize {
        2 * usize::from(self.layout.n()).pow(2)
    }
}

/// eps, in hundredths: from 0.01 to 0.20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eps(u8);

impl Eps {
    /// `None` unless it is from 1 to 20.
    pub fn from_hundredths(hundredths: u8) -> Option<Self> {
        (1..=20).contains(&hundredths).then_some(Self(hundredths))
    }

    /// Reads `0.01` to `0.20`; `0.1` is `0.10`.
    pub fn parse(text: &str) -> Option<Self> {
        let decimals = text.strip_prefix("0.")?;
        let digits = decimals.bytes().all(|byte| byte.is_ascii_digit());
        let scale = match decimals.len() {
            1 => 10,
            2 => 1,
            _ => return None,
        };
        let hundredths = decimals.parse::<u8>().ok().filter(|_| digits)?;
        Self::from_hundredths(hundredths * scale)
    }

    /// As replies are computed with it.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl std::fmt::Display for Eps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "0.{:02}", self.0)
    }
}
