//! What the configuration of pahcer beside the contest tells, and no folder: how the contest scores, which cases are judged,
//! and how the program is built and started.

use std::path::Path;

use tester_core::judge::external::USUAL_SCORE;
use tester_core::problem::Objective;
use tester_core::util::bounded_read;
use toml::Table;

use super::old_settings::OldSettings;
use super::pahcer_steps::PahcerSteps;
use crate::args::MAX_CONFIG;

/// Its name.
pub(super) const PAHCER: &str = "pahcer_config.toml";

/// As `pahcer init` writes it; [`USUAL_SCORE`] finds the same scores.
const USUAL_IN_PAHCER: &str = r"(?m)^\s*Score\s*=\s*(?P<score>\d+)\s*$";

/// Settings of pahcer that are used here.
#[derive(Debug, Default)]
pub(super) struct PahcerSettings {
    pub(super) objective: Option<Objective>,
    /// An expression for another score than the usual one.
    pub(super) score_regex: Option<String>,
    /// The first seed, and the one after the last.
    seeds: Option<(i64, i64)>,
    /// What builds the program, and starts it.
    pub(super) steps: PahcerSteps,
}

impl PahcerSettings {
    /// Those of the file in a folder, except what an old `tester.toml` says. None of a file that cannot be read: it is
    /// not ours.
    pub(super) fn read(top: &Path, old: &OldSettings) -> Self {
        let text = bounded_read::read_text(&top.join(PAHCER), MAX_CONFIG).unwrap_or_default();
        let file: Table = text.parse().unwrap_or_default();
        let text = |key| {
            let value = file.get("problem")?.get(key)?.as_str()?;
            Some(value.to_owned()).filter(|_| old.get(key).is_none())
        };
        let objective = text("objective").and_then(|name| match &*name {
            "Max" => Some(Objective::Max),
            "Min" => Some(Objective::Min),
            _ => None,
        });
        let is_other = |score: &String| {
            let finds =
                |it: regex::bytes::Regex| it.capture_names().flatten().any(|it| it == "score");
            ![USUAL_SCORE, USUAL_IN_PAHCER].contains(&&**score)
                && regex::bytes::Regex::new(score).is_ok_and(finds)
        };
        let seed = |key| file.get("test")?.get(key)?.as_integer();
        let seeds = seed("start_seed").zip(seed("end_seed"));
        Self {
            steps: PahcerSteps::new(&file),
            seeds: seeds.filter(|_| old.get("cases").is_none()),
            objective,
            score_regex: text("score_regex").filter(is_other),
        }
    }

    /// The numbers of the cases that it judges, if these are fewer than the `count` that are there.
    pub(super) fn numbers(&self, count: usize) -> Option<String> {
        let (first, end) = self.seeds?;
        let all = 0..=i64::try_from(count).ok()?;
        let are_there = all.contains(&first) && all.contains(&end) && first < end;
        (are_there && (first, end) != (0, *all.end())).then(|| format!("{first}..{end}"))
    }
}
