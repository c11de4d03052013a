//! `tester init --force`: what the old `tester.toml` sets stays, where no folder tells it and no option says otherwise.
//!
//! What `init` finds anew (program, build lines, tester, visualizer, folder of the cases) is written as found, because
//! that is why it is run again. What it does not find stays too. The old file is kept under another name all the same.

use std::path::Path;

use toml::{Table, Value};

use crate::args::is_folder;

/// Settings of an old file, or those of them that stay.
#[derive(Clone, Debug, Default)]
pub(super) struct OldSettings {
    judge: Table,
    batch: Table,
    pub(super) tune: Option<Table>,
}

impl OldSettings {
    /// The settings of a valid file.
    pub(super) fn new(mut file: Table) -> Self {
        let mut table = |name| match file.remove(name) {
            Some(Value::Table(table)) => Some(table),
            _ => None,
        };
        Self {
            judge: table("judge").unwrap_or_default(),
            batch: table("batch").unwrap_or_default(),
            tune: table("tune"),
        }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.judge.get(key).or_else(|| self.batch.get(key))
    }

    /// Whether built-in problems make the cases, and no other judge is named.
    pub(super) fn has_own_seeds(&self) -> bool {
        let others = ["external", "interactor"];
        self.get("seeds").is_some() && others.iter().all(|key| self.get(key).is_none())
    }

    /// The lines that build.
    pub(super) fn build(&self) -> Vec<String> {
        let lines = self.batch.get("build").and_then(Value::as_array);
        let texts = lines.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// Those that stay beside what was found: another judge, or none. `found` says of the keys that can be found which
    /// were; `typed` are the keys that options set.
    pub(super) fn fitting(&self, has_judge: bool, found: &[(&str, bool)], typed: &[&str]) -> Self {
        let is_typed = |key: &str| typed.contains(&key);
        // No folder tells of an interactor. It stands where the tester's line would.
        let has_interactor = self.get("interactor").is_some() && !is_typed("external");
        let has_judge = has_interactor || has_judge;
        let had_seeds = self.get("seeds").is_some();
        let stays = |table: &str, key: &str, value: &Value| {
            let is_of_judge = table == "judge" && key != "measure";
            !found.contains(&(key, true))
                && !is_typed(key)
                && (has_judge || !is_of_judge)
                && match key {
                    "interactor" | "contract" => has_interactor,
                    // Another judge has case files, and no seeds.
                    "seeds" => !has_judge,
                    "held_out" => !(had_seeds && has_judge),
                    // Numbers and patterns are a choice, which other cases that are held out belong to.
                    "cases" => (value.as_str()).is_none_or(|word| !is_folder(Path::new(word))),
                    _ => true,
                }
        };
        let those = |name: &str, table: &Table| {
            let all = table
                .iter()
                .filter(|(key, value)| stays(name, key, value))
                .map(|(key, value)| (key.clone(), value.clone()));
            all.collect()
        };
        Self {
            judge: those("judge", &self.judge),
            batch: those("batch", &self.batch),
            tune: self.tune.clone(),
        }
    }

    /// What became of each setting in a new file: a label, and the keys, with both values of one that was replaced.
    pub(super) fn changes(
        &self,
        new: &Self,
        typed: &[&str],
    ) -> impl Iterator<Item = (&'static str, String)> {
        let (mut kept, mut replaced, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for (key, value) in self.judge.iter().chain(&self.batch) {
            match new.get(key) {
                Some(now) if now == value => kept.push(key.as_str()),
                Some(now) if !typed.contains(&key.as_str()) => {
                    replaced.push(("found anew", format!("{key}: {value} -> {now}")));
                }
                Some(_) => {}
                None => left_out.push(key.as_str()),
            }
        }
        if self.tune.is_some() {
            kept.push("[tune]");
        }
        let kept = std::iter::once(("kept", kept.join(", ")));
        let left_out = std::iter::once(("left out", left_out.join(", ")));
        let lines = kept.chain(replaced).chain(left_out);
        lines.filter(|(_, text)| !text.is_empty())
    }
}
