//! `tester best`: the best score of each case, frozen, and as pahcer keeps it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tester_core::case::CaseId;
use tester_core::problem::Score;
use tester_core::store::{History, LAST, Run};
use tester_core::util::count::case_count;
use tester_core::util::tester_word::tester_word;
use tester_core::util::{atomic_file, bounded_read};

use crate::args::{Best, BestAction, STREAM};
use crate::hint::with_hint;
use crate::print::print;

/// A longer file is none of best scores.
const MAX_BYTES: u64 = 1 << 30;

pub(crate) fn run(args: &Best) -> Result<ExitCode> {
    let history = History::open_existing(&args.history)?;
    let file = history.best_file();
    let file = file.display();
    let text = match &args.action {
        None => shown(&history)?,
        Some(BestAction::Freeze(of)) => {
            let run = history.find(&of.run)?;
            let count = history.freeze_best(&run)?;
            format!("froze the best scores of {} in {file}\n", case_count(count))
        }
        Some(BestAction::Thaw(of)) => {
            history.thaw_best(&history.find(&of.run)?)?;
            "best scores are those of all runs again\n".to_owned()
        }
        Some(BestAction::Import { path, of }) => {
            let run = history.find(&of.run)?;
            let scores = read(path, &run)?;
            let count = scores.len();
            let before = history.frozen_best(&run.about.problem, run.scoring())?;
            history.import_best(&run, scores)?;
            let instead = match before.count() {
                0 => String::new(),
                count => format!(", instead of those of {}", case_count(count)),
            };
            let count = case_count(count);
            format!("froze the best scores of {count} in {file}{instead}\n")
        }
        Some(BestAction::Export { path, of }) => {
            let object = export(&history, &history.find(&of.run)?)?;
            let text = serde_json::to_string_pretty(&object)?;
            if path == Path::new(STREAM) {
                text + "\n"
            } else {
                atomic_file::write_whole(path, text.as_bytes())?;
                let (count, file) = (object.len(), path.display());
                format!("wrote the best scores of {} to {file}\n", case_count(count))
            }
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What is frozen, and whether that is so for the problem of the last run.
fn shown(history: &History) -> Result<String> {
    let file = history.best_file_in_use();
    let frozen = history.frozen_problems()?;
    let line = |(problem, _, count): &(String, String, usize)| {
        let file = file.display();
        let cases = case_count(*count);
        format!("the best scores of {cases} of {problem} are frozen in {file}\n")
    };
    let mut text: String = frozen.iter().map(line).collect();
    let run = match history.find(LAST) {
        Err(_) if !frozen.is_empty() => return Ok(text),
        run => run?,
    };
    let (problem, scoring) = (&run.about.problem, run.scoring().name());
    if !frozen
        .iter()
        .any(|best| best.0 == *problem && best.1 == scoring)
    {
        let last = "best scores are those of all runs";
        text.push_str(&format!("nothing is frozen for {problem}: {last}\n"));
    }
    Ok(text)
}

/// pahcer's file, or the same on standard input: an object with the best score of each seed.
fn read(path: &Path, run: &Run) -> Result<BTreeMap<u64, u64>> {
    check_whole(run)?;
    let is_stream = path == Path::new(STREAM);
    let failed = || match is_stream {
        true => "failed to read the best scores from standard input".to_owned(),
        false => format!("failed to read the best scores {}", path.display()),
    };
    let text = match is_stream {
        true => bounded_read::read_at_most(io::stdin().lock(), MAX_BYTES)
            .and_then(bounded_read::into_text),
        false => bounded_read::read_text(path, MAX_BYTES),
    };
    let text = text.with_context(failed)?;
    let refused = |cause: String| {
        let cause = format!("{}: {cause}", failed());
        with_hint(cause, "pahcer's file is an object such as {\"0000\": 1234}")
    };
    let Entries(entries) = serde_json::from_str(&text)
        .map_err(|error| refused(format!("expected an object of JSON ({error})")))?;
    let mut scores = BTreeMap::new();
    let mut keys: HashMap<u64, String> = HashMap::new();
    for (seed, score) in entries {
        let number = seed
            .parse::<u64>()
            .map_err(|_| refused(format!("expected a seed for a key, found {seed:?}")))?;
        let expected = || {
            refused(format!(
                "expected a whole score above 0 for seed {seed}, found {score}"
            ))
        };
        let units = score.as_u64().filter(|&units| units > 0);
        scores.insert(number, units.ok_or_else(expected)?);
        if let Some(before) = keys.insert(number, seed.clone()) {
            let cause = format!("expected each seed once, found {before:?} and {seed:?}");
            return Err(refused(cause));
        }
    }
    match scores.is_empty() {
        true => Err(with_hint(
            format!("{}: expected a score, found none", failed()),
            format!("`{} best thaw` forgets frozen scores", tester_word()),
        )),
        false => Ok(scores),
    }
}

/// The entries of an object in their order, with those whose key stands there again.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        object.deserialize_map(Reader)
    }
}

/// The best scores of a problem as pahcer's file has them; those of 0, which it does not have, are left out. A case of the
/// run has the best score of its content; of other cases, only the frozen score is known.
fn export(history: &History, run: &Run) -> Result<BTreeMap<String, u64>> {
    check_whole(run)?;
    let frozen = history.frozen_best(&run.about.problem, run.scoring())?;
    let cases = history.scores(run.id)?;
    let of_run: HashSet<CaseId> = cases.iter().map(|case| case.id).collect();
    let elsewhere = frozen.scores().filter(|(id, _)| !of_run.contains(id));
    let all: BTreeMap<CaseId, Score> = history
        .best_of_run(run)?
        .into_iter()
        .chain(elsewhere)
        .filter(|(_, score)| score.units() > 0)
        .collect();
    let units = |(id, score): (&CaseId, &Score)| (id.to_string(), score.units());
    Ok(all.iter().map(units).collect())
}

/// pahcer knows only whole scores.
fn check_whole(run: &Run) -> Result<()> {
    match run.scoring().decimals {
        0 => Ok(()),
        decimals => Err(with_hint(
            format!(
                "expected whole scores, found {decimals} decimals in run {}",
                run.id
            ),
            format!(
                "pahcer's file has whole scores only; `{} best freeze` keeps these",
                tester_word()
            ),
        )),
    }
}
