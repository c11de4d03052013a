//! The comparison of two runs for other programs: one object of JSON.

use serde::Serialize;

use super::run_pair::RunPair;
use crate::case::CaseId;
use crate::problem::Objective;
use crate::stats::conclusion::{Caution, Conclusion};
use crate::stats::paired::Measure;
use crate::store::Run;

/// Everything of a comparison but its sentences. `a` is the first run; a difference is b - a.
#[derive(Serialize)]
struct Json<'a> {
    a: JsonRun<'a>,
    b: JsonRun<'a>,
    problem: &'a str,
    objective: &'static str,
    measure: &'static str,
    cases: Cases,
    /// Null if no case was accepted in both.
    figures: Option<Figures>,
    /// Its kind.
    conclusion: Option<serde_json::Value>,
    /// How many cases would show the observed difference four times in five, if it is not decided.
    needed_cases: Option<u64>,
    /// The run that is shown to be better.
    better: Option<&'static str>,
    cautions: &'a [Caution],
}

#[derive(Serialize)]
struct JsonRun<'a> {
    run: i64,
    tag: Option<&'a str>,
    command: String,
}

#[derive(Serialize)]
struct Cases {
    both: usize,
    accepted_in_both: usize,
    only_a_failed: Vec<u64>,
    only_b_failed: Vec<u64>,
    both_failed: Vec<u64>,
    only_in_a: usize,
    only_in_b: usize,
    other_content: usize,
}

/// Over the cases that were accepted in both.
#[derive(Serialize)]
struct Figures {
    mean_a: f64,
    mean_b: f64,
    difference: f64,
    /// Half the width of the 95 % interval; null for one case, and if every secret was played.
    half_width: Option<f64>,
    p: Option<f64>,
    b_better: usize,
    same: usize,
    b_worse: usize,
    /// Whether every secret was played, so that the difference is exact.
    exact: bool,
}

/// The object, and a newline.
pub fn json(pair: &RunPair<'_>) -> String {
    let matched = &pair.matched;
    let numbers = |cases: &[CaseId]| cases.iter().map(|case| case.0).collect();
    let object = Json {
        a: of_run(pair.first),
        b: of_run(pair.second),
        problem: &pair.first.about.problem,
        objective: Objective::name(pair.first.objective()),
        measure: Measure::name(pair.measure),
        cases: Cases {
            both: matched.shared(),
            accepted_in_both: matched.pairs.len(),
            only_a_failed: numbers(&matched.first_failed),
            only_b_failed: numbers(&matched.second_failed),
            both_failed: numbers(&matched.both_failed),
            only_in_a: matched.only.0,
            only_in_b: matched.only.1,
            other_content: matched.other_content,
        },
        figures: figures(pair),
        conclusion: pair.conclusion.map(kind),
        needed_cases: match pair.conclusion {
            Some(Conclusion::Undecided { needed, .. }) => needed,
            _ => None,
        },
        better: pair
            .conclusion
            .and_then(Conclusion::better)
            .map(|which| ["a", "b"][which]),
        cautions: &pair.cautions,
    };
    serde_json::to_string(&object).expect("strings and finite numbers") + "\n"
}

fn kind(conclusion: Conclusion) -> serde_json::Value {
    let mut object = serde_json::to_value(conclusion).expect("strings and numbers");
    object["kind"].take()
}

fn of_run(run: &Run) -> JsonRun<'_> {
    JsonRun {
        run: run.id.0,
        tag: run.about.tag.as_deref(),
        command: run.about.spec.command.to_string(),
    }
}

fn figures(pair: &RunPair<'_>) -> Option<Figures> {
    let exact = pair.is_whole();
    let found = pair.figures.as_ref()?;
    let (b_better, same, b_worse) = found.wins_ties_losses;
    Some(Figures {
        mean_a: found.means.0,
        mean_b: found.means.1,
        difference: found.difference,
        half_width: found.half_width.filter(|_| !exact),
        p: found.p_value.filter(|_| !exact),
        b_better,
        same,
        b_worse,
        exact,
    })
}
