//! The progress and the result of a duel, as text.

use super::text::{push_row, wrap};
use crate::stats::duel_state::DuelState;
use crate::stats::sequential::Outlook;

/// Why a duel is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One is better.
    Decided,
    /// All seeds were played.
    Undecided,
    /// No case was accepted from both.
    Hopeless,
    /// The user stopped it.
    Interrupted,
}

/// One line for a progress display: `143/10000  B - A -0.2000 ± 0.0900 (decided when 0 is outside)`.
pub fn progress_line(state: &DuelState, cases: u64) -> String {
    let failed: usize = state.failed.iter().sum();
    let (played, test) = (state.played, &state.test);
    let interval = match test.half_width() {
        Some(half) => format!(" ± {half:.4}, decided when that excludes 0"),
        None => String::new(),
    };
    format!(
        "{played}/{cases}  B - A {:+.4}{interval}  {failed} failed",
        test.mean()
    )
}

/// The report, lines ended by newlines; `names` are the commands.
pub fn text(state: &DuelState, names: &[String; 2], outcome: Outcome) -> String {
    let DuelState {
        test,
        alpha,
        played,
        tally: [a, ties, b],
        failed,
        ..
    } = state;
    let pairs = test.pairs();
    let mut out = String::new();
    let mut row = |name: &str, text: String| push_row(&mut out, name, &text);
    for (i, label) in ["A", "B"].into_iter().enumerate() {
        let mean = state
            .means()
            .map_or("-".to_owned(), |means| format!("{:.4}", means[i]));
        let failed = match failed[i] {
            0 => String::new(),
            n => format!("  ({n} of {played} cases failed, in no mean)"),
        };
        row(label, format!("{mean}  {}{failed}", names[i]));
    }
    row(
        "pairs",
        format!("{pairs} accepted from both, of {played} played"),
    );
    let mean = test.mean();
    let interval = test.half_width().map_or(String::new(), |half| {
        let (low, high, percent) = (mean - half, mean + half, 100.0 * (1.0 - alpha));
        format!(" ({low:+.4} to {high:+.4} with {percent} % confidence, whenever you stop)")
    });
    if pairs > 0 {
        row("B - A", format!("{mean:+.4}{interval}"));
        let by_case = format!("A better on {a}, the same on {ties}, B better on {b}");
        row("by case", by_case);
        let test = format!("Robbins' method of mixtures, self-normalised; alpha {alpha}");
        row("test", test);
    }
    out.push_str(&format!("{}\n", wrap(&conclusion(state, outcome))));
    out
}

fn conclusion(state: &DuelState, outcome: Outcome) -> String {
    let DuelState {
        test,
        alpha,
        failed,
        ..
    } = state;
    let better = state.better();
    match outcome {
        Outcome::Decided => format!(
            "{better} is better, after {} pairs. If both were equally good, one would be declared \
             better with probability {alpha} at most, however often you look.",
            test.pairs()
        ),
        Outcome::Hopeless => format!(
            "Stopped: of {} cases A failed {} and B {}, so no case was accepted from both. \
             `tester show` with a run's number prints the reasons.",
            state.played, failed[0], failed[1]
        ),
        Outcome::Undecided => format!("Not decided. {}", outlook(state)),
        Outcome::Interrupted => format!("Interrupted before it was decided. {}", outlook(state)),
    }
}

/// How much more it would take.
fn outlook(state: &DuelState) -> String {
    let mean = state.test.mean();
    match state.test.outlook() {
        Outlook::Never => {
            "Both had the same score on every pair: more such pairs would decide nothing."
                .to_owned()
        }
        Outlook::About(more) => format!(
            "If the true difference is the observed one ({mean:+.4}), about {more} more pairs would decide it. \
             If it is smaller, it takes more."
        ),
        Outlook::AtLeast(more) => format!(
            "The observed difference is too small, or too rare, to say when it would be decided: not \
             before about {more} more pairs."
        ),
    }
}
