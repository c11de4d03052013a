//! The progress and the result of a duel, as text.

use super::comparison::{as_ratio, measure_name};
use super::figures::{MeanFormat, grouped};
use super::text::{SPLIT, failed_text, push_row, wrap};
use crate::problem::Measure;
use crate::problem::score::units_of_one;
use crate::stats::duel_state::DuelState;
use crate::stats::sequential::{Outlook, Reservation, Rule};
use crate::util::count::{case_count, counted};
use crate::util::tester_word::tester_word;

/// A tenth of a larger size is of no interest.
const LARGE: f64 = 1000.0;

/// Why a duel is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One is better.
    Decided,
    /// All seeds were played, or as many as were asked for.
    Undecided,
    /// All case files were played.
    NoMoreFiles,
    /// No case was accepted from both.
    Hopeless,
    /// The user stopped it.
    Interrupted,
}

/// One line for a progress display: `143/10000  B - A -0.2000  34 % of the evidence needed  0 failed`.
pub fn progress_line(state: &DuelState, cases: u64) -> String {
    let failed: usize = state.failed.iter().sum();
    let (played, test) = (state.played, &state.test);
    format!(
        "{played}/{cases}  B - A {}  {:.0} % of the evidence needed  {failed} failed",
        format_of(state).signed(test.mean()),
        100.0 * test.progress()
    )
}

/// The report, lines ended by newlines; `names` are the commands.
pub fn text(state: &DuelState, names: &[String; 2], outcome: Outcome) -> String {
    let DuelState {
        test,
        rule: Rule { alpha, .. },
        played,
        tally: [a, ties, b],
        failed,
        ..
    } = state;
    let (pairs, format) = (test.pairs(), format_of(state));
    let mut out = String::new();
    let mut row = |name: &str, text: String| push_row(&mut out, name, &text);
    for (i, label) in ["A", "B"].into_iter().enumerate() {
        let mean = state
            .means()
            .map_or("-".to_owned(), |means| format.text(means[i]));
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
    let interval = test.interval().map_or(String::new(), |(low, high)| {
        let percent = 100.0 * (1.0 - alpha);
        format!(
            " ({} to {} with {percent} % confidence, whenever you stop)",
            format.signed(low),
            format.signed(high)
        )
    });
    if !state.measure.is_score() {
        row("measure", measure_name(state.measure).to_owned());
    }
    if pairs > 0 {
        row("B - A", format!("{}{interval}", format.signed(mean)));
        if state.measure == Measure::Log {
            let interval = test.interval();
            row("as ratio", as_ratio(mean, interval, ""));
        }
        let by_case = format!("A better on {a}, the same on {ties}, B better on {b}");
        row("by case", by_case);
        let test = format!("betting on the sign of the next difference; alpha {alpha}");
        row("test", test);
    }
    out.push_str(&format!("{}\n", wrap(&conclusion(state, outcome))));
    out
}

fn conclusion(state: &DuelState, outcome: Outcome) -> String {
    if outcome == Outcome::Hopeless {
        return format!(
            "Stopped: of {} cases A failed {} and B {}, so no case was accepted from both. \
             `{} show` with a run's number prints the reasons.",
            state.played,
            state.failed[0],
            state.failed[1],
            tester_word()
        );
    }
    let failed = failed_text(state.failed, state.played);
    let of_scores = match outcome {
        Outcome::Decided => decision(state),
        Outcome::Interrupted => format!("Interrupted before it was decided. {}", outlook(state)),
        Outcome::NoMoreFiles => format!(
            "Not decided: all {} case files are played. {}",
            state.played,
            outlook(state)
        ),
        Outcome::Undecided | Outcome::Hopeless => format!("Not decided. {}", outlook(state)),
    };
    format!("{failed}{of_scores}{}", reservation(state, outcome))
}

/// Which is better, and with what guarantee.
fn decision(state: &DuelState) -> String {
    let (better, alpha) = (state.better(), state.rule.alpha);
    let pairs = state.test.pairs();
    let which = match state.safer() {
        None => format!("{better} is better, after {pairs} pairs."),
        Some(_) => format!("On the {pairs} cases that both solved, {better} is better."),
    };
    let split = if state.is_split() { SPLIT } else { "" };
    let bound = state.test.bound().map_or(String::new(), |bound| {
        format!(
            ", or the means are equal and {} is never better by more than {}",
            worse(state),
            bound_text(state, bound)
        )
    });
    format!(
        "{which}{split} If both were equally good, {better} would be declared better with probability \
         {alpha} at most, however often you look. Equally good means: swapping them changes nothing{bound}."
    )
}

/// What in the differences limits the guarantee.
fn reservation(state: &DuelState, outcome: Outcome) -> String {
    let (worse, test) = (worse(state), &state.test);
    let beyond = test.beyond_rule().map_or(String::new(), |largest| {
        format!(
            " A difference was {}, larger than --max-difference, which is ignored from there on.",
            size_text(state, largest)
        )
    });
    let caution = match test.reservation() {
        None => String::new(),
        Some(Reservation::OneSided { against }) => {
            let cases = match against {
                0 => "no case".to_owned(),
                n => format!("only {}", case_count(n)),
            };
            format!(
                " Caution: {worse} was better on {cases}, so how much it can be better by is hardly known. {}",
                match outcome {
                    Outcome::Decided => "Rare cases beyond that bound may outweigh all these.",
                    _ => "If you know a bound, give it: --max-difference N.",
                }
            )
        }
        Some(Reservation::RareLarge { largest, mean }) => format!(
            " Caution: a few differences are much larger than the rest (the largest is {}, the mean size {}). \
             The means depend on these few; larger ones that did not occur yet may change them.",
            size_text(state, largest),
            mean_size_text(state, mean)
        ),
    };
    beyond + &caution
}

fn worse(state: &DuelState) -> &'static str {
    match state.better() {
        "A" => "B",
        _ => "A",
    }
}

/// The bound of a difference: of logarithms, that of a ratio.
fn bound_text(state: &DuelState, bound: f64) -> String {
    match state.measure {
        Measure::Score => grouped(&at_most(bound, state.scoring.decimals).to_string()),
        Measure::Log => format!("a factor of {}", at_most(libm::exp(bound), 3)),
        Measure::Relative | Measure::Rank => at_most(bound, 3).to_string(),
    }
}

/// The size of a difference.
fn size_text(state: &DuelState, size: f64) -> String {
    match state.measure {
        Measure::Score => grouped(&size.to_string()),
        _ => format!("{size:.4}"),
    }
}

/// A mean of sizes, to a tenth of the last decimal of scores.
fn mean_size_text(state: &DuelState, mean: f64) -> String {
    match state.measure {
        Measure::Score => {
            let decimals = usize::from(state.scoring.decimals);
            let places = decimals + usize::from(mean < LARGE);
            grouped(&format!("{mean:.places$}"))
        }
        _ => format!("{mean:.4}"),
    }
}

/// A bound, rounded down to a tenth of the last decimal of scores.
fn at_most(bound: f64, decimals: u8) -> f64 {
    let unit = units_of_one(decimals);
    let tenths = if bound < LARGE { 10.0 * unit } else { unit };
    (bound * tenths).floor() / tenths
}

/// How means and their difference are printed.
fn format_of(state: &DuelState) -> MeanFormat {
    let means = state.means().unwrap_or_default();
    let size = means[0].abs().max(means[1].abs());
    // A mean of some pairs is known less well than by a tenth of the largest difference.
    let half = state.test.largest() / 10.0;
    match state.measure {
        Measure::Score => MeanFormat::new(size, Some(half), state.scoring.decimals),
        _ => MeanFormat::new(0.0, None, 0),
    }
}

/// How much more it would take.
fn outlook(state: &DuelState) -> String {
    let mean = format_of(state).signed(state.test.mean());
    if state.test.pairs() == 0 {
        return "No case was accepted from both, so there is nothing to compare.".to_owned();
    }
    match state.test.outlook() {
        Outlook::Never => {
            "Both had the same score on every pair: more such pairs would decide nothing."
                .to_owned()
        }
        Outlook::About(more) => format!(
            "If the true difference is the observed one ({mean}), about {} would decide it. \
             If it is smaller, it takes more.",
            counted(more as u64, "more pair")
        ),
        Outlook::AtLeast(more) => format!(
            "The observed difference is too small, or too rare, to say when it would be decided: not \
             before about {}.",
            counted(more as u64, "more pair")
        ),
    }
}
