//! How good runs are by a measure, and the best of those on the same cases.

use std::collections::{HashMap, HashSet};

use rusqlite::params;

use super::error::Result;
use super::history::{BEST, History, LAST};
use super::run::{NewRun, Run, RunId};
use crate::problem::Objective;
use crate::stats::paired::{CaseScore, Measure};
use crate::stats::ranking::{MeasuredMean, mean_of, mean_ranks};
use crate::stats::reference::Reference;

/// The best run on some cases.
#[derive(Clone, Debug)]
pub struct BestRun {
    /// The run.
    pub run: Run,
    /// What its scores were compared by: what was asked for, or the score itself if a score of 0 has no logarithm.
    pub measure: Measure,
}

impl History {
    /// The runs that `words` name, in their order, as [`History::find`]. `best` is the best other run on the cases of the
    /// first run that another word names, or of the last run, by the measure of that run.
    ///
    /// # Errors
    /// If one of them does not exist.
    pub fn find_all(&self, words: &[impl AsRef<str>]) -> Result<Vec<Run>> {
        let words = || words.iter().map(AsRef::as_ref);
        let anchor = self.find(words().find(|&word| word != BEST).unwrap_or(LAST))?;
        let find = |word: &str| match word {
            BEST => {
                let best = self.best_on_cases_of(&anchor, anchor.about.spec.measure);
                best.map(|best| best.run)
            }
            _ => self.find(word),
        };
        words().map(find).collect()
    }

    /// The run that a word names, as [`History::find`]. `best` is the best run on the cases of the last one, which may be
    /// that one.
    ///
    /// # Errors
    /// If it does not exist.
    pub fn find_or_best(&self, word: &str) -> Result<Run> {
        if word != BEST {
            return self.find(word);
        }
        let last = self.find(LAST)?;
        let best = self.best_but(None, &last, last.about.spec.measure);
        best.map(|best| best.run)
    }

    /// The best of the other finished runs on the same cases as `run`: fewest failures first, then the best mean
    /// measure, then the newest. A rank is that among those of them with the fewest failures. If there is no such run,
    /// then of those that have all these cases and more, by these cases only.
    ///
    /// Cost: unless the measure is the score, reads the scores of all these runs, always of those with more cases.
    ///
    /// # Errors
    /// If there is none.
    pub fn best_on_cases_of(&self, run: &Run, measure: Measure) -> Result<BestRun> {
        self.best_but(Some(run.id), run, measure)
    }

    /// The same, of all runs but one.
    fn best_but(&self, except: Option<RunId>, run: &Run, measure: Measure) -> Result<BestRun> {
        const FITS: &str =
            "id IS NOT ?1 AND state = 'done' AND judged = ?2 AND case_set = ?3 AND accepted > 0
             AND objective = ?4 AND problem = ?5";
        let candidates = self.runs_where(
            &format!("{FITS} AND accepted = (SELECT max(accepted) FROM run WHERE {FITS})"),
            params![
                except.map(|except| except.0),
                run.judged as i64,
                run.case_set,
                run.scoring().name(),
                run.about.problem,
            ],
            usize::MAX,
        )?;
        let best = match candidates.is_empty() {
            true => self.best_with_more_cases(except, run, measure)?,
            false => self.best_of(candidates, measure, run.objective())?,
        };
        best.ok_or_else(|| {
            let what = except.map_or("a finished run with an accepted case", |_| "another run");
            let expected = format!("{what} on the {} cases of run {}", run.judged, run.id);
            self.no_run(expected, "none")
        })
    }

    /// The best by the cases of `run`, of all runs but one that have these cases and more.
    fn best_with_more_cases(
        &self,
        except: Option<RunId>,
        run: &Run,
        measure: Measure,
    ) -> Result<Option<BestRun>> {
        let larger = self.runs_where(
            "id IS NOT ?1 AND state = 'done' AND judged > ?2 AND accepted > 0
             AND objective = ?3 AND problem = ?4",
            params![
                except.map(|except| except.0),
                run.judged as i64,
                run.scoring().name(),
                run.about.problem,
            ],
            usize::MAX,
        )?;
        let key = |case: &CaseScore| (case.id, case.digest);
        let wanted: HashSet<_> = self.scores(run.id)?.iter().map(key).collect();
        let (mut candidates, mut most_accepted) = (Vec::new(), 1);
        for other in larger {
            let mut scores = self.scores(other.id)?;
            scores.retain(|case| wanted.contains(&key(case)));
            let accepted = scores.iter().filter(|case| case.score.is_some()).count();
            if scores.len() < wanted.len() || accepted < most_accepted {
                continue;
            }
            if accepted > most_accepted {
                (candidates, most_accepted) = (Vec::new(), accepted);
            }
            candidates.push((other, scores));
        }
        let (candidates, scores): (Vec<Run>, Vec<_>) = candidates.into_iter().unzip();
        let objective = run.objective();
        best_by(candidates, measure, objective, |_, measure| {
            let best = match measure {
                Measure::Rank => return Ok(mean_ranks(&scores, objective)),
                Measure::Relative => self.best_of_run(run)?,
                Measure::Score | Measure::Log => HashMap::new(),
            };
            let mean = |scores: &Vec<CaseScore>| mean_of(scores, measure, objective, &best);
            Ok(scores.iter().map(mean).collect())
        })
    }

    /// The best of these runs, the newest first, by their mean measure.
    fn best_of(
        &self,
        candidates: Vec<Run>,
        measure: Measure,
        objective: Objective,
    ) -> Result<Option<BestRun>> {
        best_by(candidates, measure, objective, |candidates, measure| {
            self.measured_means(candidates, measure)
        })
    }

    /// What a run is compared with while it is judged: the best finished run with as many cases of the same problem, by
    /// the measure of the run, if there is one. `None` if the run is so large that this would delay it.
    ///
    /// Cost: unless the measure is the score, reads the scores of these runs, of the newest ones if they are many.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn reference(&self, new: &NewRun) -> Result<Option<Reference>> {
        const LARGE: usize = 100_000;
        if new.planned > LARGE {
            return Ok(None);
        }
        const FITS: &str = "state = 'done' AND kind = 'batch' AND judged = ?1 AND accepted > 0
             AND problem = ?2 AND objective = ?3";
        let (objective, measure) = (new.spec.objective(), new.spec.measure);
        let by_score = match objective {
            Objective::Min => "score_sum",
            Objective::Max => "-score_sum",
        };
        let condition = match measure {
            // The sums are in the rows of the runs.
            Measure::Score => format!(
                "id = (SELECT id FROM run WHERE {FITS}
                 ORDER BY accepted DESC, {by_score} / accepted, id DESC LIMIT 1)"
            ),
            _ => {
                format!("{FITS} AND accepted = (SELECT max(accepted) FROM run WHERE {FITS})")
            }
        };
        let values = params![new.planned as i64, new.problem, new.spec.scoring().name()];
        let most = LARGE / new.planned.max(1);
        let candidates = self.runs_where(&condition, values, most)?;
        let best = self.best_of(candidates, measure, objective)?;
        let reference = Reference::new(objective);
        Ok(Some(match best {
            Some(BestRun { run, .. }) => {
                reference.beside(format!("run {}", run.id), self.scores(run.id)?)
            }
            None => reference,
        }))
    }

    /// The mean measure of each run; `None` for a run without an accepted case, or with a score that has no logarithm.
    /// Runs on the same cases are ranked among each other.
    ///
    /// Cost: unless the measure is the score, reads the scores of all these runs.
    ///
    /// # Errors
    /// If the scores cannot be read.
    pub fn measured_means(
        &self,
        runs: &[Run],
        measure: Measure,
    ) -> Result<Vec<Option<MeasuredMean>>> {
        match measure {
            Measure::Score => Ok(runs.iter().map(Run::measured_mean).collect()),
            Measure::Rank => self.ranked_means(runs),
            Measure::Log | Measure::Relative => runs
                .iter()
                .map(|run| {
                    let best = match measure {
                        Measure::Relative => self.best_of_run(run)?,
                        _ => HashMap::new(),
                    };
                    let scores = self.scores(run.id)?;
                    Ok(mean_of(&scores, measure, run.objective(), &best))
                })
                .collect(),
        }
    }

    /// Memory: the scores of all runs on the same cases.
    fn ranked_means(&self, runs: &[Run]) -> Result<Vec<Option<MeasuredMean>>> {
        type Cases<'a> = (i64, usize, &'a str, String);
        let mut groups: HashMap<Cases<'_>, Vec<usize>> = HashMap::new();
        for (at, run) in runs.iter().enumerate() {
            let (problem, scoring) = (run.about.problem.as_str(), run.scoring().name());
            let cases = (run.case_set, run.judged, problem, scoring);
            groups.entry(cases).or_default().push(at);
        }
        let mut means = vec![None; runs.len()];
        for group in groups.values() {
            let objective: Objective = runs[group[0]].objective();
            let scores = group.iter().map(|&at| self.scores(runs[at].id));
            let scores = scores.collect::<Result<Vec<_>>>()?;
            for (&at, mean) in group.iter().zip(mean_ranks(&scores, objective)) {
                means[at] = mean;
            }
        }
        Ok(means)
    }
}

/// The best of these runs, the newest first, by what `means` says of each. By the score if one of them has no mean by
/// the measure: a score of 0 has no logarithm.
fn best_by(
    candidates: Vec<Run>,
    measure: Measure,
    objective: Objective,
    means: impl Fn(&[Run], Measure) -> Result<Vec<Option<MeasuredMean>>>,
) -> Result<Option<BestRun>> {
    let mut by_measure = means(&candidates, measure)?;
    let has_all = by_measure.iter().all(Option::is_some);
    let measure = if has_all { measure } else { Measure::Score };
    if !has_all {
        by_measure = means(&candidates, measure)?;
    }
    let sign = match measure.more_is_better(objective) {
        true => -1.0,
        false => 1.0,
    };
    let loss = |mean: &Option<MeasuredMean>| mean.map_or(f64::INFINITY, |m| sign * m.mean);
    // Of equals the first, which is the newest.
    let ranked = candidates.into_iter().zip(by_measure.iter().map(loss));
    let best = ranked.min_by(|(_, a), (_, b)| a.total_cmp(b));
    Ok(best.map(|(run, _)| BestRun { run, measure }))
}
