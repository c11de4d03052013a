//! What secrets cost: a number for each turn, times a weight for each kind of secret; and bounds that follow from the
//! numbers of candidates alone.

use super::bounds::IMPOSSIBLE;

/// No strategy takes more turns than this.
pub(super) const MOST_TURNS: usize = 66;

/// Weights are ordered, and a *class* is a weight: class 0 is the heaviest.
pub(super) struct TurnCosts {
    /// By turn, from 1; index 0 is not used.
    by_turn: Vec<u64>,
    /// By class, descending.
    pub(super) weights: Vec<u64>,
    /// By turn and number of candidates: the least cost with weight 1.
    least: Vec<Vec<u64>>,
    /// By turn and number of candidates: what they usually cost, with weight 1.
    usual: Vec<Vec<f64>>,
}

impl TurnCosts {
    /// For up to `most` candidates. `costs` has the cost of turn 1 and so on, not descending; after the last one, each
    /// turn costs as much more as that one.
    ///
    /// # Panics
    /// If costs descend, or their sum may not fit into 64 bits.
    pub(super) fn new(costs: &[u64], weights: Vec<u64>, most: usize, other_answers: usize) -> Self {
        let mut by_turn = vec![0];
        by_turn.extend(costs.iter().take(MOST_TURNS));
        while by_turn.len() <= 2 * MOST_TURNS {
            let last = by_turn.len() - 1;
            let step = by_turn[last].saturating_sub(by_turn[last - 1]);
            by_turn.push(by_turn[last].saturating_add(step));
        }
        assert!(by_turn.is_sorted(), "expected costs that do not descend");
        let highest = by_turn[2 * MOST_TURNS].checked_mul(most as u64 + 1);
        let highest = highest.and_then(|cost| cost.checked_mul(*weights.first().unwrap_or(&1)));
        assert!(
            highest.is_some_and(|cost| cost < u64::MAX / 4),
            "expected costs with a sum of 62 bits"
        );
        let turns = 0..=MOST_TURNS;
        let least = |turn: usize| fill(&by_turn, turn, most, other_answers);
        let usual = |turn: usize| estimate(&by_turn, turn, most, other_answers);
        Self {
            least: turns.clone().map(least).collect(),
            usual: turns.map(usual).collect(),
            weights,
            by_turn,
        }
    }

    /// The cost of a candidate of this class that is found in this turn.
    pub(super) fn of(&self, turn: usize, class: u8) -> u64 {
        self.by_turn[turn] * self.weights[usize::from(class)]
    }

    /// The least cost of candidates of which the first is found in `turn` at the earliest, by how many are in each class.
    pub(super) fn least(&self, turn: usize, counts: &[u16]) -> u64 {
        let table = &self.least[turn];
        if let &[count] = counts {
            return table[usize::from(count)] * self.weights[0];
        }
        let (mut before, mut sum) = (0, 0);
        for (&count, weight) in counts.iter().zip(&self.weights) {
            let after = before + usize::from(count);
            sum += (table[after] - table[before]) * weight;
            before = after;
        }
        sum
    }

    /// What this many candidates usually cost, with weight 1.
    pub(super) fn usual(&self, turn: usize, count: usize) -> f64 {
        self.usual[turn][count]
    }
}

/// One candidate can be found in `turn`, b in the next, b² in the one after that; by number of candidates.
fn fill(by_turn: &[u64], turn: usize, most: usize, other_answers: usize) -> Vec<u64> {
    let (mut table, mut sum) = (vec![0], 0);
    let (mut turn, mut width) = (turn, 1_u64);
    while table.len() <= most {
        for _ in 0..width.min((most + 1 - table.len()) as u64) {
            sum += by_turn[turn];
            table.push(sum);
        }
        turn = (turn + 1).min(2 * MOST_TURNS);
        width = (width * other_answers.max(1) as u64).min(u64::from(IMPOSSIBLE));
    }
    table
}

/// As [`Search`](super::state::Search) has it: an answer tells about as much as one of 0.42 times as many equally likely
/// ones.
fn estimate(by_turn: &[u64], turn: usize, most: usize, other_answers: usize) -> Vec<f64> {
    let told = ((other_answers + 1) as f64 * 0.42).max(1.5).ln();
    let usual = |count: usize| {
        let turns = (turn as f64 + (count.max(1) as f64).ln() / told).min(2.0 * MOST_TURNS as f64);
        let (whole, part) = (turns as usize, turns.fract());
        let next = (whole + 1).min(2 * MOST_TURNS);
        let mean = by_turn[whole] as f64 * (1.0 - part) + by_turn[next] as f64 * part;
        count as f64 * mean
    };
    (0..=most).map(usual).collect()
}
