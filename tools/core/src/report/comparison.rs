//! The comparison of two runs as text: the figures, and what they do and do not show.

use super::figures::{MeanFormat, grouped, score_text};
use super::parameter_effects::{correction_text, effect_lines};
use super::run_pair::RunPair;
use super::text::{SPLIT, failed_text, push_command, push_row, wrap};
use crate::case::CaseId;
use crate::stats::conclusion::{Caution, Conclusion};
use crate::stats::paired::{Comparison, MatchedCases, Measure, Pair};
use crate::stats::parameter_effects::Effects;
use crate::store::repro::{held_out_example, on_other_cases};
use crate::store::{Run, RunId};
use crate::util::tester_word::tester_word;

/// The whole comparison, lines ended by newlines. `holds_out` says that `tester.toml` holds cases out.
pub fn text(pair: &RunPair<'_>, holds_out: bool) -> String {
    let RunPair {
        first,
        second,
        matched,
        cautions,
        ..
    } = pair;
    let mut out = String::new();
    let name = |run: &Run| format!("run {}  {}", run.title(), run.about.spec.command);
    push_command(&mut out, "A", &name(first));
    push_command(&mut out, "B", &name(second));
    if let Some(text) = source_text(pair) {
        push_row(&mut out, "source", &text);
    }
    push_row(&mut out, "problem", &first.about.problem);
    push_row(&mut out, "cases", &shared(matched));
    failed(&mut out, "only A failed", &matched.first_failed);
    failed(&mut out, "only B failed", &matched.second_failed);
    failed(&mut out, "both failed", &matched.both_failed);
    if cautions.contains(&Caution::SameProgram) {
        out.push_str("A and B are the same program with the same arguments\n");
    }
    if cautions.contains(&Caution::OtherLimits) {
        out.push_str(&format!(
            "A and B were judged with different limits: `{} show` prints them\n",
            tester_word()
        ));
    }
    for caution in cautions {
        if let Some(what) = judge_text(*caution) {
            out.push_str(&format!("{}\n", wrap(&format!("A and B were {what}"))));
        }
    }
    let (Some(figures), Some(conclusion)) = (&pair.figures, pair.conclusion) else {
        out.push_str(&failed_text(matched.failed(), matched.shared()));
        out.push_str("No case was accepted in both runs: there is nothing to compare.\n");
        return out;
    };
    out.push_str(&figures_text(figures, pair));
    let has_interval = figures.half_width.is_some();
    out.push_str(&conclusion_text(
        (conclusion, has_interval),
        matched,
        cautions,
    ));
    if cautions.contains(&Caution::ChosenHere) {
        out.push_str(&held_out_text(pair));
        if !holds_out {
            let lines = held_out_example(&pair.first.about);
            let hint = format!("hint: {lines} in [batch] of tester.toml keep such cases apart\n");
            out.push_str(&hint);
        }
    }
    out.push_str(&effects_text(&pair.effects));
    if !figures.changed.is_empty() {
        out.push_str(match pair.measure {
            Measure::Score | Measure::Rank => "cases that changed most\n",
            Measure::Log | Measure::Relative => "cases that changed most, by ratio\n",
        });
        out.push_str(&changed_text(figures, pair));
    }
    out
}

/// How the sources of both programs differ; `None` if they do not, or one is not kept.
fn source_text(pair: &RunPair<'_>) -> Option<String> {
    let [first, second] = [pair.first, pair.second];
    match pair.same_source? {
        false => Some(format!(
            "differs: {} diff {} {}",
            tester_word(),
            first.id,
            second.id
        )),
        true => (!first.same_files(second))
            .then(|| "the same as far as it is kept, but the programs differ".to_owned()),
    }
}

/// What a caution says of the judges of two runs; `None` if it is about something else.
pub fn judge_text(caution: Caution) -> Option<String> {
    match caution {
        Caution::OtherLine => Some(format!(
            "judged by different lines: `{} show` prints them",
            tester_word()
        )),
        Caution::OtherTester => Some(
            "judged by the same line, but a file that it names has changed (the contest's tester)"
                .to_owned(),
        ),
        Caution::OtherRules => Some(
            "judged by different builds of the problem: if its rules have changed, their scores cannot be compared"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Where B is better or worse, by the parameters of the cases; empty if nothing is significant.
fn effects_text(effects: &Effects) -> String {
    let lines = effect_lines(effects);
    if lines.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(&format!("{}\n", wrap(&format!("B is {line}."))));
    }
    out.push_str(&format!("({})\n", correction_text(effects)));
    out
}

/// A line for each case that changed most, below a heading.
fn changed_text(figures: &Comparison, pair: &RunPair<'_>) -> String {
    let row = |changed: &Pair| {
        let (a, b) = changed.scores;
        let sign = if b < a { '-' } else { '+' };
        [
            score_text(a),
            score_text(b),
            grouped(&format!("{sign}{}", a.distance(b))),
        ]
    };
    let rows: Vec<[String; 3]> = figures.changed.iter().map(row).collect();
    let longest = rows.iter().flatten().map(String::len).max();
    let width = longest.unwrap_or(0).max(6);
    let line = |id: &str, [a, b, difference]: [&str; 3], parameters: &str| {
        let line = format!("{id:>10} {a:>width$} {b:>width$} {difference:>width$}  {parameters}");
        line.trim_end().to_owned() + "\n"
    };
    let mut out = line("case", ["A", "B", "B - A"], "");
    for ((changed, row), parameters) in figures.changed.iter().zip(&rows).zip(&pair.parameters) {
        let row = row.each_ref().map(String::as_str);
        out.push_str(&line(&changed.id.to_string(), row, parameters));
    }
    out
}

fn shared(matched: &MatchedCases) -> String {
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
    if !cases.is_empty() {
        let cases = counted(cases);
        out.push_str(&format!("{name}: {cases}; in none of the figures below\n"));
    }
}

/// How many cases there are, and which: the first ten.
fn counted(cases: &[CaseId]) -> String {
    const NAMED: usize = 10;
    let named: Vec<String> = cases.iter().take(NAMED).map(CaseId::to_string).collect();
    let more = if cases.len() > NAMED { " …" } else { "" };
    format!("{} ({}{more})", cases.len(), named.join(" "))
}

/// Cases that only one of the two runs failed, a line for each run that has some. `before` is the number of the first.
pub fn failed_in_one(matched: &MatchedCases, before: RunId) -> Vec<String> {
    let (now, then) = (&matched.second_failed, &matched.first_failed);
    let line = |text: String, cases: &[CaseId]| {
        (!cases.is_empty()).then(|| format!("{text}: {}", counted(cases)))
    };
    let lines = [
        line(format!("failed now, not in run {before}"), now),
        line(format!("failed in run {before}, not now"), then),
    ];
    lines.into_iter().flatten().collect()
}

fn figures_text(c: &Comparison, pair: &RunPair<'_>) -> String {
    let (measure, whole) = (pair.measure, pair.is_whole());
    let decimals = match measure {
        Measure::Score => pair.first.scoring().decimals,
        _ => 0,
    };
    let size = c.means.0.abs().max(c.means.1.abs());
    let format = MeanFormat::new(size, c.half_width, decimals);
    let mut out = String::new();
    push_row(&mut out, "measure", measure_name(measure));
    push_row(&mut out, "A", &format.text(c.means.0));
    push_row(&mut out, "B", &format.text(c.means.1));
    let interval = match c.half_width {
        _ if whole => " (every secret was played: exact)".to_owned(),
        None if c.p_value.is_none() => " (one case: no interval)".to_owned(),
        None => " (the same on every case: no interval)".to_owned(),
        Some(half) => format!(
            " (95 % confidence: {} to {})",
            format.signed(c.difference - half),
            format.signed(c.difference + half)
        ),
    };
    push_row(
        &mut out,
        "B - A",
        &format!("{}{interval}", format.signed(c.difference)),
    );
    if measure == Measure::Log {
        let half = c.half_width.filter(|_| !whole);
        let interval = half.map(|half| (c.difference - half, c.difference + half));
        let text = as_ratio(c.difference, interval, "95 % confidence: ");
        push_row(&mut out, "as ratio", &text);
    }
    let (wins, ties, losses) = c.wins_ties_losses;
    let tally = format!("B better on {wins}, the same on {ties}, worse on {losses}");
    push_row(&mut out, "by case", &tally);
    if let (Some(p), false) = (c.p_value, whole) {
        let test = c.half_width.map_or("sign test", |_| "paired t-test");
        let text = format!("{} ({test}, two-sided)", p_text(p));
        push_row(&mut out, "p", &text);
    }
    out
}

/// What a mean is one of.
pub(super) fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Score => "mean score",
        Measure::Relative => {
            "mean relative score (100: the best score known for the case; higher is better)"
        }
        Measure::Rank => "mean rank (1: the better of the two)",
        Measure::Log => "mean logarithm of the score",
    }
}

/// A mean difference of logarithms as a ratio of scores; `of_interval` stands before its interval.
pub(super) fn as_ratio(difference: f64, interval: Option<(f64, f64)>, of_interval: &str) -> String {
    let percent = |log: f64| format!("{:+.2} %", 100.0 * libm::expm1(log));
    let interval = interval.map_or(String::new(), |(low, high)| {
        format!(" ({of_interval}{} to {})", percent(low), percent(high))
    });
    format!("B's scores are A's {}{interval}", percent(difference))
}

fn p_text(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// What the figures show, in words.
fn conclusion_text(
    (conclusion, has_interval): (Conclusion, bool),
    matched: &MatchedCases,
    cautions: &[Caution],
) -> String {
    let mut text = failed_text(matched.failed(), matched.shared());
    if !text.is_empty() {
        text.push_str("On the cases that both solved: ");
    }
    text.push_str(&of_scores(conclusion, has_interval));
    let is_duel = cautions.contains(&Caution::DuelDecided);
    if matches!(conclusion, Conclusion::Better { .. }) && !is_duel {
        text.push_str(&format!(
            " If you compare many variants, or look again after every few cases, one in twenty will look better by \
             chance; `{} duel` avoids this.",
            tester_word()
        ));
    }
    if let (Some(safer), Some(better)) = (matched.safer(), conclusion.better())
        && safer != better
    {
        text.push_str(SPLIT);
    }
    if is_duel {
        text.push_str(
            " A and B are the runs of a duel that was decided: its conclusion counts. A duel looks after every pair and \
             stops by what it sees; the interval and p hold only for a number of cases chosen beforehand.",
        );
    }
    if cautions.contains(&Caution::FewCases) {
        text.push_str(" With so few cases, the interval and p are rough.");
    }
    if cautions.contains(&Caution::FailedApart) {
        let failures = matched.failed_apart();
        text.push_str(&match failures {
            1 => " 1 case that only one of them solved is not counted here: look at it first.".to_owned(),
            _ => format!(
                " {failures} cases that only one of them solved are not counted here: look at them first."
            ),
        });
    }
    format!("{}\n", wrap(&text))
}

/// That the winner was chosen by these cases, and how both are judged on others.
fn held_out_text(pair: &RunPair<'_>) -> String {
    let programs = match pair.programs {
        0..=2 => "One of them is a trial of a tune on these cases".to_owned(),
        count => format!("{count} programs were judged on these cases"),
    };
    let text = format!(
        "{programs}: the winner was chosen by the cases on which it is judged here, so part of its advantage may be \
         chance. Judge both on other cases:"
    );
    let mut out = format!("{}\n", wrap(&text));
    for run in [pair.first, pair.second] {
        let command = on_other_cases(&run.about, &tester_word());
        out.push_str(&format!("  {command}\n"));
    }
    out
}

/// What the scores of the cases that both solved show.
fn of_scores(conclusion: Conclusion, has_interval: bool) -> String {
    let names = |second: bool| if second { ("B", "A") } else { ("A", "B") };
    match conclusion {
        Conclusion::Alike => {
            "A and B have the same score on every case: these cases show no difference.".to_owned()
        }
        Conclusion::Equal => "Over all secrets, A and B are equal by this measure.".to_owned(),
        Conclusion::Proved { second } => {
            let (better, worse) = names(second);
            format!(
                "{better} is better than {worse}. Every secret was played, so this is the exact difference \
                 and not an estimate; no test is needed."
            )
        }
        Conclusion::OneCase => "One case shows nothing about other cases.".to_owned(),
        Conclusion::Better { second, p } => {
            let (better, worse) = names(second);
            let advantage = match has_interval {
                true => "The true advantage may be anywhere in the interval",
                false => "The difference is the same on every case here",
            };
            format!(
                "{better} is better than {worse} on cases like these. {} {advantage}, and may differ on other kinds of cases.",
                by_chance("a difference this large would occur", p)
            )
        }
        Conclusion::Undecided { p, needed } => format!(
            "Not decided. {} This does not show that they are equal: any difference in the interval is possible.{}",
            by_chance("a difference at least this large would occur", p),
            needed.map_or(String::new(), |cases| format!(
                " If the true difference is the observed one, about {cases} cases would show it four times in five."
            ))
        ),
        Conclusion::TooFew { p } => format!(
            "Not decided: the cases are too few. The difference is the same on every case, so its spread is unknown. {}",
            by_chance("all cases would favour the same one", p)
        ),
        Conclusion::DuelUndecided => {
            "Not decided. A and B are the runs of a duel that was not decided, and its conclusion counts. A duel looks \
             after every pair; the interval and p hold only for one look, at a number of cases chosen beforehand."
                .to_owned()
        }
    }
}

/// How often chance alone would make what was observed.
fn by_chance(observed: &str, p: f64) -> String {
    let times = match p {
        p if p >= 0.1 => format!("{:.0} of 100", 100.0 * p),
        p if p >= 0.002 => format!("{:.0} of 1000", 1000.0 * p),
        _ => "fewer than 2 of 1000".to_owned(),
    };
    format!("If both were equally good, {observed} in {times} comparisons.")
}
