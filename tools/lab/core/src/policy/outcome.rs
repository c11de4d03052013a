//! Turns over all secrets: what comes of a policy.

/// Turns over all secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// How many secrets take each number of turns, the winning guess included; index 0: one turn.
    pub turns: Vec<u64>,
    /// The same until at most one candidate is left; index 0: no turn.
    pub until_determined: Vec<u64>,
    /// Replies of single candidates that were evaluated on the way.
    pub evaluated: u64,
}

/// Sum, mean and maximum of a histogram of turns.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct TurnSummary {
    /// Σ over all secrets.
    pub total: u64,
    /// Total over the number of secrets.
    pub mean: f64,
    /// The largest.
    pub worst: usize,
}

impl TurnSummary {
    fn from_histogram(histogram: &[u64], first: usize) -> Self {
        let total = (first as u64..)
            .zip(histogram)
            .map(|(turns, count)| turns * count)
            .sum();
        let count: u64 = histogram.iter().sum();
        Self {
            total,
            mean: total as f64 / count.max(1) as f64,
            worst: first + histogram.iter().rposition(|&count| count > 0).unwrap_or(0),
        }
    }
}

impl Outcome {
    /// Counts a secret with its turns, and the turns until it is determined.
    pub fn add(&mut self, turns: usize, until_determined: usize) {
        bump(&mut self.turns, turns - 1);
        bump(&mut self.until_determined, until_determined);
    }

    /// The outcome over these secrets and others.
    #[must_use]
    pub fn plus(mut self, others: &Self) -> Self {
        for (sum, others) in [
            (&mut self.turns, &others.turns),
            (&mut self.until_determined, &others.until_determined),
        ] {
            sum.resize(sum.len().max(others.len()), 0);
            sum.iter_mut()
                .zip(others)
                .for_each(|(sum, more)| *sum += more);
        }
        self.evaluated += others.evaluated;
        self
    }

    /// How many secrets there are.
    pub fn secrets(&self) -> u64 {
        self.turns.iter().sum()
    }

    /// Turns, the winning guess included.
    pub fn all_turns(&self) -> TurnSummary {
        TurnSummary::from_histogram(&self.turns, 1)
    }

    /// Turns until the secret is determined.
    pub fn until_determined(&self) -> TurnSummary {
        TurnSummary::from_histogram(&self.until_determined, 0)
    }
}

fn bump(histogram: &mut Vec<u64>, index: usize) {
    if histogram.len() <= index {
        histogram.resize(index + 1, 0);
    }
    histogram[index] += 1;
}
