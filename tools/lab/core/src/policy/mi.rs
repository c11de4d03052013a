//! Mutual information: the reply that tells most about the secret.

use super::greedy::Greedy;
use super::options::{Options, PolicyOption};
use super::traits::{Cells, PolicyFactory, Score};

pub(super) static MI: PolicyFactory = PolicyFactory {
    name: "mi",
    about: "most mutual information between reply and secret",
    takes: &[
        PolicyOption::Pool,
        PolicyOption::Tie,
        PolicyOption::TieSeed,
        PolicyOption::HitBonus,
        PolicyOption::HitGain,
        PolicyOption::Prior,
    ],
    build: |options| Box::new(Greedy::new(Hit::new(options), options)),
    score: Some(|options| Box::new(Hit::new(options))),
    outcome: None,
};

/// The value of the right guess beside its information.
enum Hit {
    /// Bits, times its probability.
    Bonus(f64),
    /// log2(1/p + gain) instead of log2(1/p).
    Gain(f64),
}

impl Score for Hit {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        // H(reply) = log2 W − Σ w · log2 w / W, see the solver's `Scorer`.
        let (total, sum, right) = match cells.weights {
            None => {
                let n_log_n = |&reply: &usize| cells.n_log_n[cells.counts[reply] as usize];
                let sum = cells.replies.iter().map(n_log_n).sum::<f64>();
                (
                    cells.candidates as f64,
                    sum,
                    f64::from(cells.counts[cells.win]),
                )
            }
            Some(weights) => {
                let positive = cells
                    .replies
                    .iter()
                    .map(|&r| weights[r])
                    .filter(|&w| w > 0.0);
                let total = positive.clone().sum();
                (
                    total,
                    positive.map(|w| w * w.log2()).sum(),
                    weights[cells.win],
                )
            }
        };
        total.log2() - sum / total + self.worth(right / total)
    }

    fn bound(&self, n: usize, may_hit: bool) -> f64 {
        let p = 1.0 / n as f64;
        (n as f64).log2() + if may_hit { self.worth(p) } else { 0.0 }
    }
}

impl Hit {
    fn new(options: &Options) -> Self {
        match options.hit_gain {
            Some(gain) => Self::Gain(gain),
            None => Self::Bonus(options.hit_bonus.unwrap_or(0.0)),
        }
    }

    fn worth(&self, p: f64) -> f64 {
        match *self {
            Self::Bonus(bits) => p * bits,
            Self::Gain(_) if p == 0.0 => 0.0,
            Self::Gain(gain) => p * ((1.0 / p + gain).log2() - (1.0 / p).log2()),
        }
    }
}
