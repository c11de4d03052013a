//! How replies to questions are distributed, and entropies.

/// A normal distribution.
pub struct Normal {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

impl Normal {
    /// The probability that this is the reply: it is rounded, and not below 0.
    pub fn probability(&self, reply: usize) -> f64 {
        let below = |value: f64| cumulative((value - self.mean) / self.deviation);
        let least = match reply {
            0 => 0.0,
            _ => below(reply as f64 - 0.5),
        };
        (below(reply as f64 + 0.5) - least).max(0.0)
    }

    /// Replies further away hardly occur.
    pub fn usual_replies(&self) -> (usize, usize) {
        let around = |by: f64| (self.mean + by * self.deviation).max(0.0) as usize;
        (around(-5.0), around(5.0) + 1)
    }
}

/// The probability that a standard normal deviate is below `z`, to 1e-7 (Abramowitz and Stegun, 26.2.17).
fn cumulative(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let factors = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let polynomial = factors
        .iter()
        .rev()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * polynomial;
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// The part of an entropy, in bits, that an event of this probability makes.
pub fn surprise(probability: f64) -> f64 {
    match probability > 0.0 {
        true => -probability * probability.log2(),
        false => 0.0,
    }
}
