//! Two runs on the same cases: what they have in common, and what a comparison of them shows.

use std::collections::HashMap;

use super::error::{ReportError, SAME_OBJECTIVE};
use super::parameter_effects::effects_between;
use crate::case::CaseId;
use crate::problem::{Objective, Score};
use crate::stats::conclusion::{Caution, Conclusion};
use crate::stats::paired::{Comparison, MatchedCases, Measure, Pair, compare, match_cases};
use crate::stats::parameter_effects::Effects;
use crate::store::{History, HistoryError, Run, SourceKey};

/// Two runs that are compared.
pub struct RunPair<'a> {
    /// The first run, from which differences are counted.
    pub first: &'a Run,
    /// The second.
    pub second: &'a Run,
    /// The cases that they have in common.
    pub matched: MatchedCases,
    /// What of a score was averaged.
    pub measure: Measure,
    /// The figures; `None` if no case was accepted in both.
    pub figures: Option<Comparison>,
    /// What the figures show.
    pub conclusion: Option<Conclusion>,
    /// The parameters of the cases that changed most, in their order; empty where they have none.
    pub parameters: Vec<String>,
    /// Where the second run is better or worse, by the parameters of the cases.
    pub effects: Effects,
    /// What you must keep in mind with them.
    pub cautions: Vec<Caution>,
    /// Whether the sources of their programs are the same; `None` if one is not kept.
    pub same_source: Option<bool>,
    /// How many programs were judged on the cases of the first run.
    pub programs: usize,
}

/// From this number of programs on, the one with the best score is expected to look better than it is.
const MANY_PROGRAMS: usize = 5;

/// How the tags of the trials of `tester tune` begin.
const TRIAL: &str = "tune-";

impl<'a> RunPair<'a> {
    /// The two runs of the history.
    ///
    /// Cost: reads the scores of both.
    ///
    /// # Errors
    /// If the runs cannot be read, have no case in common, or differ in problem or objective. With the measure `log`, also
    /// if a score has no logarithm.
    pub fn from_history(
        history: &History,
        first: &'a Run,
        second: &'a Run,
        measure: Measure,
    ) -> Result<Self, ReportError> {
        let matched = match_cases(&history.scores(first.id)?, &history.scores(second.id)?);
        check(first, second, &matched)?;
        let objective = first.objective();
        let measured = PairMeasure::new(history, first, &matched, measure)?;
        let figures = measured.figures(&matched);
        let best = |pair: &Pair| measured.best(pair);
        let effects = effects_between(history, [first, second], &matched.pairs, measure, best)?;
        let changed = figures.iter().flat_map(|figures| &figures.changed);
        let parameters = changed.map(|pair| parameters_of(history, second, pair.id));
        let parameters = parameters.collect::<Result<_, _>>()?;
        let whole = is_whole(first, second);
        let more_is_better = measure.more_is_better(objective);
        let duel = decided_duel(first, second);
        let conclusion = figures.as_ref().map(|c| {
            let own = Conclusion::new(c, more_is_better, whole);
            duel.map_or(own, |decided| own.of_duel(decided))
        });
        let sources = [
            history.source_keys(first.id)?,
            history.source_keys(second.id)?,
        ];
        let same_source = same_source(&sources);
        let mut cautions: Vec<Caution> = cautions_of_runs(first, second).collect();
        if same_source == Some(false) {
            // A module of a script is no file of its command. Compiled programs are known to the byte.
            let has_script = sources[1].iter().any(SourceKey::is_script);
            cautions.retain(|caution| *caution != Caution::SameProgram || !has_script);
        }
        if duel == Some(true) {
            cautions.push(Caution::DuelDecided);
        }
        if let Some(figures) = &figures {
            cautions.extend(Caution::from_figures(figures, &matched, whole));
        }
        let programs = history.programs_on_cases_of(first)?;
        if let Some(Conclusion::Better { .. }) = conclusion
            && chosen_here(first, second, programs)
        {
            cautions.push(Caution::ChosenHere);
        }
        Ok(Self {
            conclusion,
            cautions,
            programs,
            same_source,
            first,
            second,
            matched,
            measure,
            parameters,
            effects,
            figures,
        })
    }

    /// Whether both have played every secret.
    pub(crate) fn is_whole(&self) -> bool {
        is_whole(self.first, self.second)
    }
}

/// Whether two runs have the same source; `None` if that of one is not kept.
fn same_source([first, second]: &[Vec<SourceKey>; 2]) -> Option<bool> {
    let are_kept = !first.is_empty() && !second.is_empty();
    are_kept.then(|| SourceKey::are_same(first, second))
}

/// What of a score is averaged in pairs of cases, with the best scores that this needs.
pub struct PairMeasure {
    measure: Measure,
    objective: Objective,
    best: HashMap<CaseId, Score>,
}

impl PairMeasure {
    /// For what `run` and another run on cases of the same problem have in common.
    ///
    /// # Errors
    /// If the best scores cannot be read, or a score has no logarithm where one is needed.
    pub(crate) fn new(
        history: &History,
        run: &Run,
        matched: &MatchedCases,
        measure: Measure,
    ) -> Result<Self, ReportError> {
        let zero = |pair: &Pair| pair.scores.0.units().min(pair.scores.1.units()) == 0;
        if measure == Measure::Log && matched.pairs.iter().any(zero) {
            return Err(ReportError::LogOfZero);
        }
        Ok(Self {
            measure,
            objective: run.objective(),
            best: match measure {
                Measure::Relative => history.best_of_run(run)?,
                _ => HashMap::new(),
            },
        })
    }

    /// As `PairMeasure::new`; by score if a score has no logarithm.
    ///
    /// # Errors
    /// If the best scores cannot be read.
    pub fn or_score(
        history: &History,
        run: &Run,
        matched: &MatchedCases,
    ) -> Result<Self, ReportError> {
        match Self::new(history, run, matched, run.about.spec.measure) {
            Err(ReportError::LogOfZero) => Self::new(history, run, matched, Measure::Score),
            found => found,
        }
    }

    /// What of a score is averaged.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The best score known for the case of a pair.
    pub fn best(&self, pair: &Pair) -> Score {
        let better = || self.objective.better_of(pair.scores.0, pair.scores.1);
        self.best.get(&pair.id).copied().unwrap_or_else(better)
    }

    /// The figures of the pairs; `None` if no case was accepted in both.
    pub fn figures(&self, matched: &MatchedCases) -> Option<Comparison> {
        compare(&matched.pairs, self.measure, self.objective, |pair| {
            self.best(pair)
        })
    }
}

/// The parameters of a case of a run, with their names.
fn parameters_of(history: &History, run: &Run, case: CaseId) -> Result<String, HistoryError> {
    let names = &run.about.spec.parameters;
    if names.is_empty() {
        return Ok(String::new());
    }
    let found = history.record(run.id, case)?;
    Ok(found.map_or_else(String::new, |found| {
        found.record.parameters.with_names(names)
    }))
}

/// Whether one of the two was chosen by the cases that they have in common.
fn chosen_here(first: &Run, second: &Run, programs: usize) -> bool {
    let is_trial = |run: &Run| {
        let tag = run.about.tag.as_deref();
        tag.is_some_and(|tag| tag.starts_with(TRIAL))
    };
    programs >= MANY_PROGRAMS || is_trial(first) || is_trial(second)
}

/// Whether the duel was decided whose two runs these are; `None` if they are not those of one duel.
fn decided_duel(first: &Run, second: &Run) -> Option<bool> {
    [(first, second), (second, first)]
        .into_iter()
        .find_map(|(a, b)| {
            let duel = b.about.spec.duel.filter(|duel| duel.first == a.id.0);
            duel.map(|duel| duel.decided)
        })
}

fn is_whole(first: &Run, second: &Run) -> bool {
    first.is_whole() && second.is_whole()
}

/// What to keep in mind of two runs, whatever their scores.
fn cautions_of_runs(first: &Run, second: &Run) -> impl Iterator<Item = Caution> + use<> {
    let limits = |run: &Run| run.about.spec.limits;
    let all = [
        (Caution::SameProgram, first.same_program(second)),
        (Caution::OtherLimits, limits(first) != limits(second)),
    ];
    all.into_iter()
        .filter(|(_, applies)| *applies)
        .map(|(caution, _)| caution)
        .chain(other_judge(first, second))
}

/// Whether two runs had different judges, as far as the history knows.
pub fn other_judge(first: &Run, second: &Run) -> Option<Caution> {
    let [own, other] = [first, second].map(|run| run.about.spec.external.as_ref());
    match (own, other) {
        (Some(first), Some(second)) if !first.is_same_line(second) => Some(Caution::OtherLine),
        (Some(first), Some(second)) => first
            .has_other_files(second)
            .then_some(Caution::OtherTester),
        (None, None) => other_rules(first, second).then_some(Caution::OtherRules),
        _ => Some(Caution::OtherLine),
    }
}

/// Whether two builds of a problem judged them, as far as the history knows.
fn other_rules(first: &Run, second: &Run) -> bool {
    let [own, other] = [first, second].map(|run| run.about.provenance.own_rules.as_ref());
    own.zip(other).is_some_and(|(own, other)| own != other)
}

/// Only runs on the same cases of the same problem can be compared.
fn check(first: &Run, second: &Run, matched: &MatchedCases) -> Result<(), ReportError> {
    let refused = |expected, found| {
        Err(ReportError::Incomparable {
            first: first.id,
            second: second.id,
            expected,
            found,
        })
    };
    let both = |name: fn(&Run) -> String| format!("{} and {}", name(first), name(second));
    if first.about.problem != second.about.problem {
        return refused("the same problem", both(|run| run.about.problem.clone()));
    }
    if first.objective() != second.objective() {
        let names = both(|run| Objective::name(run.objective()).to_owned());
        return refused(SAME_OBJECTIVE, names);
    }
    if first.scoring().decimals != second.scoring().decimals {
        let decimals = both(|run| run.scoring().decimals.to_string());
        return refused("scores with the same number of decimals", decimals);
    }
    if matched.shared() == 0 {
        let other = match matched.other_content {
            0 => String::new(),
            n => format!("; {n} have the same number but another content"),
        };
        let sources = both(|run| format!("{:#}", run.about.spec.source));
        return refused("cases that both have", format!("none ({sources}{other})"));
    }
    Ok(())
}
