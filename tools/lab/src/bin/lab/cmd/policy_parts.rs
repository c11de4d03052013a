//! `lab policy --shard I/N` and `--merge`: figures of large games, counted in parts on any machines.
//!
//! A part is one line of JSON: what was counted, which part of it, and how many secrets or games took each number of turns.
//! Counts add up to the whole's, so that the merged figures are those of one machine to the last digit.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lab::policy::Outcome;
use serde::{Deserialize, Serialize};
use tester::shard::Part;
use tester::util::bounded_read;

use super::{policy, simulate};
use crate::cli::PolicyArgs;

/// What is counted, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setting {
    /// The version of this program.
    pub(crate) lab: String,
    pub(crate) problem: String,
    pub(crate) policy: String,
    pub(crate) pool: Option<String>,
    pub(crate) tie: Option<String>,
    pub(crate) hit_bonus: Option<f64>,
    pub(crate) hit_gain: Option<f64>,
    pub(crate) seed: Option<u64>,
    /// Of a sample; without them, every secret is counted.
    pub(crate) seeds: Option<Range<u64>>,
    /// Secrets or games, of all parts.
    pub(crate) cases: usize,
}

impl Setting {
    /// Without options.
    pub(crate) fn new(problem: &str, policy: &str, cases: usize) -> Self {
        Self {
            lab: env!("CARGO_PKG_VERSION").to_owned(),
            problem: problem.to_owned(),
            policy: policy.to_owned(),
            pool: None,
            tie: None,
            hit_bonus: None,
            hit_gain: None,
            seed: None,
            seeds: None,
            cases,
        }
    }
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Counted {
    /// The secrets of a tree.
    Tree(Outcome),
    /// Games, by their scores.
    Played(BTreeMap<u64, usize>),
}

impl Counted {
    fn cases(&self) -> usize {
        match self {
            Self::Tree(outcome) => outcome.secrets() as usize,
            Self::Played(counts) => counts.values().sum(),
        }
    }

    /// Both together; `None` if one is of a tree and the other of games.
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Tree(one), Self::Tree(other)) => Some(Self::Tree(one.plus(&other))),
            (Self::Played(mut one), Self::Played(other)) => {
                for (score, count) in other {
                    *one.entry(score).or_default() += count;
                }
                Some(Self::Played(one))
            }
            _ => None,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    index: u64,
    of: u64,
    setting: Setting,
    counted: Counted,
}

/// Prints a part.
pub(crate) fn print(part: Part, setting: Setting, counted: Counted) -> Result<ExitCode> {
    let line = Line {
        index: part.index(),
        of: part.of(),
        setting,
        counted,
    };
    out!("{}", serde_json::to_string(&line)?);
    Ok(ExitCode::SUCCESS)
}

/// Reads parts, in any order, and prints the figures of the whole.
pub(crate) fn merge(args: &PolicyArgs) -> Result<ExitCode> {
    let mut parts = Parts::default();
    for path in &args.merge {
        let text = bounded_read::read_text(path, bounded_read::MAX_TEXT)
            .with_context(|| format!("failed to read {}", path.display()))?;
        for line in text.lines() {
            parts
                .add(line)
                .with_context(|| format!("failed to read {}", path.display()))?;
        }
    }
    let (setting, counted) = parts.whole()?;
    match counted {
        Counted::Tree(outcome) => policy::show(&setting, &outcome, None, args.json)?,
        Counted::Played(counts) => simulate::show(&setting, &counts, args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Parts of one whole.
#[derive(Default)]
struct Parts {
    known: Option<(Setting, u64)>,
    counted: BTreeMap<u64, Counted>,
}

impl Parts {
    fn add(&mut self, line: &str) -> Result<()> {
        let expected = "expected a line that `lab policy --shard` has printed";
        let line: Line = serde_json::from_str(line).context(expected)?;
        let part = Part::new(line.index, line.of)?;
        let (planned, found) = (part.block(line.setting.cases).len(), line.counted.cases());
        if planned != found {
            bail!("expected {planned} cases in part {part}, found {found}; count it again");
        }
        let this = (line.setting, line.of);
        let known = self.known.get_or_insert_with(|| this.clone());
        if *known != this {
            let told = |(setting, of): &(Setting, u64)| {
                serde_json::to_string(setting).map(|text| format!("{text} in {of} parts"))
            };
            bail!(
                "expected a part of {}, found one of {}",
                told(known)?,
                told(&this)?
            );
        }
        match self.counted.insert(line.index, line.counted.clone()) {
            Some(before) if before != line.counted => {
                bail!("expected part {part} as it was counted before, found other counts")
            }
            _ => Ok(()), // counted twice alike, it counts once
        }
    }

    fn whole(self) -> Result<(Setting, Counted)> {
        let (setting, of) = self.known.context("expected parts, found none")?;
        let missing = (1..=of).filter(|index| !self.counted.contains_key(index));
        let missing: Vec<String> = missing.take(20).map(|i| format!("{i}/{of}")).collect();
        if !missing.is_empty() {
            bail!(
                "expected all {of} parts, found none for {}",
                missing.join(", ")
            );
        }
        let sum = self
            .counted
            .into_values()
            .map(Some)
            .reduce(|sum, counted| sum?.and(counted?));
        let sum = sum.flatten();
        Ok((
            setting,
            sum.context("expected parts of a tree or of games, found both")?,
        ))
    }
}
