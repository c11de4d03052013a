//! How a duel stands, and how it ended.

use crate::record::Judged;
use crate::score::sequential::Sequential;

use super::comparison::wrap;

/// What is known after some pairs.
#[derive(Clone, Debug)]
pub struct Standing {
    test: Sequential,
    alpha: f64,
    played: usize,
    sums: [f64; 2],
    /// On how many cases the first, both alike, the second had the smaller score.
    tally: [usize; 3],
    failed: [usize; 2],
}

/// Why a duel is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One is better.
    Decided,
    /// All seeds were played.
    Undecided,
    /// No case was accepted from both.
    Hopeless,
    /// Somebody stopped it.
    Interrupted,
}

impl Standing {
    /// No pair yet.
    pub fn new(alpha: f64) -> Self {
        Self {
            test: Sequential::new(alpha),
            alpha,
            played: 0,
            sums: [0.0; 2],
            tally: [0; 3],
            failed: [0; 2],
        }
    }

    /// One more pair. A case that either failed has no difference, and is counted apart.
    pub fn add(&mut self, pair: &[Judged; 2]) {
        self.played += 1;
        for (failed, judged) in self.failed.iter_mut().zip(pair) {
            *failed += usize::from(!judged.accepted());
        }
        if pair.iter().all(Judged::accepted) {
            let scores = [0, 1].map(|i: usize| pair[i].record.score);
            self.test.add(scores[1] as f64 - scores[0] as f64);
            for (sum, score) in self.sums.iter_mut().zip(scores) {
                *sum += score as f64;
            }
            let which = match scores[0].cmp(&scores[1]) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            self.tally[which] += 1;
        }
    }

    /// How many cases were played, whatever came of them.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Whether one is better.
    pub fn decided(&self) -> bool {
        self.test.decided()
    }

    /// Whether so many cases had no score from both.
    pub fn hopeless(&self, cases: usize) -> bool {
        self.played >= cases && self.test.pairs() == 0
    }

    /// One line for a progress display: `143 pairs  B - A -0.2000 ± 0.0900`.
    pub fn line(&self) -> String {
        let failed: usize = self.failed.iter().sum();
        let interval = self
            .interval()
            .map_or(String::new(), |half| format!(" ± {half:.4}"));
        format!(
            "{} pairs  B - A {:+.4}{interval}  {failed} failed",
            self.test.pairs(),
            self.test.mean()
        )
    }

    fn interval(&self) -> Option<f64> {
        self.test.half_width()
    }

    /// The report, lines ended by newlines; `names` are the commands.
    pub fn text(&self, names: &[String; 2], outcome: Outcome) -> String {
        let pairs = self.test.pairs();
        let mut out = String::new();
        let mut row = |name: &str, text: String| out.push_str(&format!("{name:<10} {text}\n"));
        let mean = |i: usize| match pairs {
            0 => "-".to_owned(),
            _ => format!("{:.4}", self.sums[i] / pairs as f64),
        };
        for (i, label) in ["A", "B"].into_iter().enumerate() {
            let failed = match self.failed[i] {
                0 => String::new(),
                n => format!("  ({n} of {} cases failed, in no mean)", self.played),
            };
            row(label, format!("{}  {}{failed}", mean(i), names[i]));
        }
        row(
            "pairs",
            format!("{pairs} accepted from both, of {} played", self.played),
        );
        let interval = self.interval().map(|half| {
            let (mean, percent) = (self.test.mean(), 100.0 * (1.0 - self.alpha));
            let (low, high) = (mean - half, mean + half);
            format!(" ({low:+.4} to {high:+.4} with {percent} % confidence, whenever one stops)")
        });
        let difference = self.test.mean();
        row(
            "B - A",
            format!("{difference:+.4}{}", interval.unwrap_or_default()),
        );
        let [a, ties, b] = self.tally;
        row(
            "by case",
            format!("A better on {a}, the same on {ties}, B better on {b}"),
        );
        row(
            "test",
            format!(
                "Robbins' method of mixtures, self-normalised; alpha {}",
                self.alpha
            ),
        );
        out.push_str(&format!("{}\n", wrap(&self.conclusion(outcome))));
        out
    }

    fn conclusion(&self, outcome: Outcome) -> String {
        let pairs = self.test.pairs();
        let better = if self.test.mean() < 0.0 { "B" } else { "A" };
        match outcome {
            Outcome::Decided => format!(
                "{better} is better, after {pairs} pairs. Of two equally good programs, one would be \
                 declared better with probability {} at most, however often one looks.",
                self.alpha
            ),
            Outcome::Hopeless => "Stopped: of the cases played, none was accepted from both. \
                 `tester show` has the reasons."
                .to_owned(),
            Outcome::Undecided => format!("Not decided. {}", self.outlook()),
            Outcome::Interrupted => {
                format!("Interrupted before it was decided. {}", self.outlook())
            }
        }
    }

    /// How much more it would take.
    fn outlook(&self) -> String {
        if self.tally[0] + self.tally[2] == 0 {
            return "The two had the same score on every pair: more of the same would decide nothing."
                .to_owned();
        }
        match self.test.pairs_to_go() {
            Some(more) => format!(
                "If the rest were like what was seen (a difference of {:+.4}), about {more} pairs more \
                 would decide it. If the true difference is smaller, it takes more.",
                self.test.mean()
            ),
            None => "How many pairs more it would take cannot be told: too few differ, or the \
                 difference seen is next to nothing."
                .to_owned(),
        }
    }
}
