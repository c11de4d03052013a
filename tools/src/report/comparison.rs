//! Two runs side by side, in figures and in words that say what the figures do and do not show.

use serde::Serialize;

use super::wrap;
use crate::case::CaseId;
use crate::problem::Objective;
use crate::stats::paired::{Comparison, Matched, Measure};
use crate::store::{Run, RunId};

/// Why two runs cannot be compared.
#[derive(Debug, thiserror::Error)]
#[error("failed to compare runs {first} and {second}: expected {expected}, found {found}")]
pub struct Incomparable {
    first: RunId,
    second: RunId,
    expected: &'static str,
    found: String,
}

/// Only runs on the same cases of the same problem can be compared.
///
/// # Errors
/// If they have no case in common, or are of different problems or objectives.
pub fn check(first: &Run, second: &Run, matched: &Matched) -> Result<(), Incomparable> {
    let (a, b) = (&first.about, &second.about);
    let refused = |expected, found| {
        Err(Incomparable {
            first: first.id,
            second: second.id,
            expected,
            found,
        })
    };
    if a.problem != b.problem {
        return refused(
            "the same problem",
            format!("{} and {}", a.problem, b.problem),
        );
    }
    let (one, other) = (first.objective(), second.objective());
    if one != other {
        let found = format!("{} and {}", one.name(), other.name());
        return refused("the same objective", found);
    }
    if matched.shared() == 0 {
        let more = match matched.other_content {
            0 => String::new(),
            n => format!("; {n} have the same number but another content"),
        };
        let found = format!("none ({} and {}{more})", a.spec.source, b.spec.source);
        return refused("cases that both have", found);
    }
    Ok(())
}

/// What is compared.
pub struct Compared<'a> {
    /// The first run, from which differences are counted.
    pub first: &'a Run,
    /// The second.
    pub second: &'a Run,
    /// What they have in common.
    pub matched: &'a Matched,
    /// What of a score was averaged.
    pub measure: Measure,
    /// The figures; `None` if no case was accepted in both.
    pub figures: Option<&'a Comparison>,
}

/// The whole report, lines ended by newlines.
pub fn text(compared: &Compared<'_>) -> String {
    let Compared {
        first,
        second,
        matched,
        ..
    } = compared;
    let mut out = String::new();
    let name = |run: &Run| format!("run {}  {}", run.title(), run.about.spec.command);
    row(&mut out, "A", &name(first));
    row(&mut out, "B", &name(second));
    row(&mut out, "problem", &first.about.problem);
    row(&mut out, "cases", &shared(matched));
    failed(&mut out, "only A failed", &matched.first_failed);
    failed(&mut out, "only B failed", &matched.second_failed);
    failed(&mut out, "both failed", &matched.both_failed);
    let Some(figures) = compared.figures else {
        out.push_str("no case was accepted in both: there is nothing to compare\n");
        return out;
    };
    let whole = first.is_whole() && second.is_whole();
    let cautions = cautions(first, second, matched, figures);
    if cautions.contains(&Caution::SameProgram) {
        out.push_str("A and B are the same program with the same arguments\n");
    }
    if cautions.contains(&Caution::OtherLimits) {
        out.push_str("A and B were judged with different limits: `tester show` has them\n");
    }
    out.push_str(&figures_text(figures, compared.measure, whole));
    let more_is_better = match compared.measure {
        Measure::Relative => true,
        Measure::Rank => false,
        Measure::Score | Measure::Log => first.objective() == Objective::Max,
    };
    out.push_str(&verdict(figures, more_is_better, whole, matched, &cautions));
    if !figures.changed.is_empty() {
        out.push_str("cases that changed most\n      case      A      B  B - A\n");
        for pair in &figures.changed {
            let (a, b) = pair.scores;
            let apart = i128::from(b) - i128::from(a);
            out.push_str(&format!(
                "{:>10} {a:>6} {b:>6} {apart:>+6}\n",
                pair.id.to_string()
            ));
        }
    }
    out
}

fn row(out: &mut String, name: &str, text: &str) {
    out.push_str(&format!("{name:<10} {text}\n"));
}

fn shared(matched: &Matched) -> String {
    let mut text = format!(
        "{} in both, {} accepted in both",
        matched.shared(),
        matched.pairs.len()
    );
    let (a, b) = matched.only;
    for (count, run) in [(a, "A"), (b, "B")] {
        if count > 0 {
            text.push_str(&format!("; left out: {count} that only {run} has"));
        }
    }
    if matched.other_content > 0 {
        text.push_str(&format!(
            "; left out: {} with the same number but another content",
            matched.other_content
        ));
    }
    text
}

/// Failed cases are named, and are in no mean.
fn failed(out: &mut String, name: &str, cases: &[CaseId]) {
    const NAMED: usize = 10;
    if cases.is_empty() {
        return;
    }
    let named: Vec<String> = cases.iter().take(NAMED).map(CaseId::to_string).collect();
    let more = if cases.len() > NAMED { " …" } else { "" };
    out.push_str(&format!(
        "{name}: {} ({}{more}); in none of the figures below\n",
        cases.len(),
        named.join(" ")
    ));
}

fn figures_text(c: &Comparison, measure: Measure, whole: bool) -> String {
    let mut out = String::new();
    let what = match measure {
        Measure::Score => "mean score",
        Measure::Relative => {
            "mean relative score (100: the best score known for the case; higher is better)"
        }
        Measure::Rank => "mean rank (1: the better of the two)",
        Measure::Log => "mean logarithm of the score",
    };
    row(&mut out, "measure", what);
    row(&mut out, "A", &format!("{:.4}", c.means.0));
    row(&mut out, "B", &format!("{:.4}", c.means.1));
    let interval = match c.half_width {
        _ if whole => " (every secret was played: exact)".to_owned(),
        None => " (one case: no interval)".to_owned(),
        Some(half) => format!(
            " (95 % confidence: {:+.4} to {:+.4})",
            c.difference - half,
            c.difference + half
        ),
    };
    row(
        &mut out,
        "B - A",
        &format!("{:+.4}{interval}", c.difference),
    );
    if measure == Measure::Log {
        let percent = |log: f64| format!("{:+.2} %", 100.0 * libm::expm1(log));
        let text = match c.half_width.filter(|_| !whole) {
            None => percent(c.difference),
            Some(half) => format!(
                "{} (95 % confidence: {} to {})",
                percent(c.difference),
                percent(c.difference - half),
                percent(c.difference + half)
            ),
        };
        row(&mut out, "as ratio", &format!("B's scores are A's {text}"));
    }
    let (wins, ties, losses) = c.wins_ties_losses;
    let tally = format!("B better on {wins}, the same on {ties}, worse on {losses}");
    row(&mut out, "by case", &tally);
    if let (Some(p), false) = (c.p_value, whole) {
        row(
            &mut out,
            "p",
            &format!("{} (paired t-test, two-sided)", p_text(p)),
        );
    }
    out
}

fn p_text(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// What may be concluded from a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Conclusion {
    /// They score the same on every case.
    Alike,
    /// Every secret was played, and the means are the same.
    Equal,
    /// Every secret was played, and one is better.
    Proved {
        /// Whether that is the second.
        second: bool,
    },
    /// There is one case.
    OneCase,
    /// One is better on cases like these.
    Better {
        /// Whether that is the second.
        second: bool,
        /// How often equals would differ as much.
        p: f64,
    },
    /// It is not decided.
    Undecided {
        /// How often equals would differ as much.
        p: f64,
        /// How many cases would show it four times in five, if the difference seen were the true one.
        needed: Option<u64>,
    },
}

impl Conclusion {
    /// That of `c`. `whole` says that both have played every secret.
    pub fn of(c: &Comparison, more_is_better: bool, whole: bool) -> Self {
        let second = (c.difference < 0.0) != more_is_better;
        match c.p_value {
            _ if c.changed.is_empty() => Self::Alike,
            _ if whole && c.difference.abs() < 1e-9 => Self::Equal,
            _ if whole => Self::Proved { second },
            None => Self::OneCase,
            Some(p) if p < 0.05 => Self::Better { second, p },
            Some(p) => {
                let needed = needed_cases(c);
                Self::Undecided { p, needed }
            }
        }
    }
}

/// What must be kept in mind with a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caution {
    /// Both are the same program with the same arguments.
    SameProgram,
    /// They were judged with different limits.
    OtherLimits,
    /// With so few cases, interval and p are rough.
    FewCases,
    /// Cases that only one of them solved are in no figure.
    FailedApart,
}

/// All that applies.
pub fn cautions(
    first: &Run,
    second: &Run,
    matched: &Matched,
    figures: &Comparison,
) -> Vec<Caution> {
    let whole = first.is_whole() && second.is_whole();
    let all = [
        (Caution::SameProgram, first.same_program(second)),
        (
            Caution::OtherLimits,
            first.about.spec.limits != second.about.spec.limits,
        ),
        (
            Caution::FewCases,
            figures.pairs < 20 && !whole && !figures.changed.is_empty(),
        ),
        (Caution::FailedApart, failed_apart(matched) > 0),
    ];
    let applies = all.into_iter().filter(|(_, applies)| *applies);
    applies.map(|(caution, _)| caution).collect()
}

/// How many cases only one of them solved.
fn failed_apart(matched: &Matched) -> usize {
    matched.first_failed.len() + matched.second_failed.len()
}

/// What may be concluded, in words.
fn verdict(
    c: &Comparison,
    more_is_better: bool,
    whole: bool,
    matched: &Matched,
    cautions: &[Caution],
) -> String {
    let names = |second: bool| if second { ("B", "A") } else { ("A", "B") };
    let mut text = match Conclusion::of(c, more_is_better, whole) {
        Conclusion::Alike => {
            "The two score the same on every case: these cases show no difference at all.".to_owned()
        }
        Conclusion::Equal => "Over all secrets the two are equal by this measure.".to_owned(),
        Conclusion::Proved { second } => {
            let (better, worse) = names(second);
            format!(
                "{better} is better than {worse}. Every secret was played, so this is the difference \
                 itself and not an estimate; no test is needed."
            )
        }
        Conclusion::OneCase => "One case shows nothing about others.".to_owned(),
        Conclusion::Better { second, p } => {
            let (better, worse) = names(second);
            format!(
                "{better} is better than {worse} on cases like these: of equals, a difference this \
                 large would be seen {}. It does not show how large the advantage is beyond the \
                 interval, nor that it holds on other kinds of cases. Whoever compares many variants, \
                 or looks again after every few cases, must expect one in twenty to look better by \
                 chance: `tester duel` is made for that.",
                times(p)
            )
        }
        Conclusion::Undecided { p, needed } => format!(
            "Not decided: of equals, a difference at least this large would be seen {}. That does \
             not show that they are equal: anything inside the interval is possible.{}",
            times(p),
            needed.map_or(String::new(), |cases| format!(
                " If the true difference were the one seen, about {cases} cases would show it four times in five."
            ))
        ),
    };
    if cautions.contains(&Caution::FewCases) {
        text.push_str(" With so few cases, interval and p are rough.");
    }
    if cautions.contains(&Caution::FailedApart) {
        let failures = failed_apart(matched);
        text.push_str(&format!(
            " {failures} cases that only one of them solved are not in it: look at those first."
        ));
    }
    format!("{}\n", wrap(&text))
}

fn times(p: f64) -> String {
    match p {
        p if p >= 0.1 => format!("{:.0} times in 100", 100.0 * p),
        p if p >= 0.002 => format!("{:.0} times in 1000", 1000.0 * p),
        _ => "less than twice in 1000 times".to_owned(),
    }
}

/// How many cases would tell, if the difference seen were the true one; `None` where nobody would wait.
fn needed_cases(c: &Comparison) -> Option<u64> {
    let half = c.half_width.filter(|_| c.difference != 0.0)?;
    // The interval shrinks with the square root; 80 % power needs (1.96 + 0.84)² in place of 1.96².
    let needed = c.pairs as f64 * (half / c.difference * 2.8 / 1.96).powi(2);
    (needed <= 1e7).then(|| round_up(needed))
}

/// To two digits, for an estimate.
fn round_up(number: f64) -> u64 {
    let mut unit = 1;
    while number / unit as f64 > 100.0 {
        unit *= 10;
    }
    (number / unit as f64).ceil() as u64 * unit
}
