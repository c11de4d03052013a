//! `tester duel`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use tester_core::case::{CaseNumbers, Source};
use tester_core::judge::external::ExternalSpec;
use tester_core::problem::Measure;
use tester_core::process::Command;
use tester_core::stats::sequential::Rule;
use tester_core::util::tester_word::tester_word;

use super::case_words;
use super::cases::{fill_cases, held_out, hold_out, nothing_held_out, problem_or_usual, without};
use super::config::{ConfigArgs, Overlay};
use super::external::{ExternalArgs, refuse};
use super::limits::LimitArgs;
use super::output::RunArgs;
use super::values::{alpha, measure, open_seed_range, positive, whole};

const EXAMPLES: &str = "\
Examples:
  {tester} duel ./solver target/release/mine
  {tester} duel './solver --hit-bonus 0' './solver --hit-bonus 1.5' --seeds 1000..
  {tester} duel --external './tester {command} < {case} > {out}' ./a ./b
  {tester} duel --alpha 0.01 --problem \"{other}\" ./a ./b

A program with arguments is one word in quotes, as for a shell. Both runs are kept \
(see `{tester} history`, `show`, `compare`); outputs go to OUT/duel-a and OUT/duel-b.

The test may be read after every pair: if both programs are equally good, it declares one better with \
probability ALPHA at most. Equally good means that swapping them changes nothing, or that their means are \
equal and no difference is larger than a bound, which is printed.

Exit status: 0 if the duel is decided, 1 if not, 2 if it could not be judged.";

/// What was typed after `duel`, over what `tester.toml` says.
#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Duel {
    /// The first program, with its arguments in one word
    #[arg(value_name = "A")]
    pub(crate) first: String,
    /// The second program
    #[arg(value_name = "B")]
    pub(crate) second: String,
    /// Probability of declaring one of two equal programs better
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true, value_parser = alpha)]
    alpha: f64,
    /// What of a score counts, as in the contest: score, log (ratios of scores), relative (100 x best known score / score), or rank [default: score]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) by: Option<Measure>,
    /// No difference, by this measure, is larger: decides sooner if one program is never or hardly ever worse [default: judged by the differences]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    max_difference: Option<f64>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Seeds to play, in order: A.. (as many as it takes), A..B or A..=B [default: 0..]
    #[arg(long, value_name = "A..", value_parser = open_seed_range, allow_hyphen_values = true, help_heading = "Cases")]
    seeds: Option<RangeInclusive<u64>>,
    /// Problem and parameters; see `{tester} problems` [default: {problem}]
    #[arg(long, value_name = "PROBLEM", help_heading = "Cases")]
    problem: Option<String>,
    /// A folder of case files, a pattern, numbers such as 0..100, or a file of numbers; repeat it for more (beside numbers, a folder only says where the files are) [default with another judge: in]
    #[arg(long, value_name = "CASES", conflicts_with_all = ["seeds", "problem"], help_heading = "Cases")]
    cases: Vec<PathBuf>,
    /// The cases that tester.toml holds out (held_out), on which nothing was tuned
    #[arg(long, conflicts_with_all = ["seeds", "cases"], help_heading = "Cases")]
    held_out: bool,
    /// What tester.toml holds out of the cases that it names.
    #[arg(skip)]
    held_out_there: Option<CaseNumbers>,
    /// The seeds that tester.toml holds out, if these are asked for.
    #[arg(skip)]
    held_out_seeds: Option<CaseNumbers>,
    /// Whether `cases` were typed, and not read from tester.toml.
    #[arg(skip)]
    cases_typed: bool,
    /// Play at most this many cases
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = whole::<u64>(1..=tester_core::case::MAX_CASES), help_heading = "Cases")]
    max_cases: u64,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl Duel {
    /// Lays what was typed over `tester.toml`; the program in that file is ignored.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(super) fn configure(&mut self) -> anyhow::Result<()> {
        if let Some(folder) = self.config.folder() {
            folder.line(&mut self.first);
            folder.line(&mut self.second);
            folder.cases(&mut self.cases);
            self.run.kept.rebase(&folder);
            folder.enter()?;
        }
        self.cases_typed = !self.cases.is_empty();
        let Some((path, file)) = self.config.read()? else {
            return match self.held_out {
                true => Err(nothing_held_out()),
                false => Ok(()),
            };
        };
        let mut overlay = Overlay::default();
        let filed = (file.judge.as_ref()).is_some_and(|judge| judge.is_named());
        let external = filed || self.external.is_named();
        if self.held_out {
            let (cases, mut seeds) = (&mut self.cases, Vec::new());
            hold_out(&file.batch, external, cases, &mut seeds, &mut overlay)?;
            self.held_out_seeds = CaseNumbers::new(seeds);
        } else if self.seeds.is_none() {
            let (cases, problem) = (&mut self.cases, self.problem.as_deref());
            self.held_out_there = fill_cases(&file.batch, cases, problem, &mut overlay);
            if !external && !self.cases_typed {
                overlay.fill("seeds", &mut self.seeds, file.batch.seeds.clone());
            }
        }
        overlay.fill_measure(&mut self.by, file.judge.as_ref());
        self.run.overlay(&file.batch, &mut overlay);
        self.limits.overlay(&file.batch, &mut overlay);
        self.external
            .overlay(file.judge, file.batch.build, &mut overlay);
        overlay.print(&path);
        Ok(())
    }

    /// The most cases to play.
    pub(crate) fn max_cases(&self) -> u64 {
        self.max_cases
    }

    /// How a duel that has played this many cases of the source could go on.
    pub(crate) fn how_to_go_on(&self, source: &Source, played: u64) -> String {
        let is_all = match source.is_files() {
            true => source
                .files()
                .is_ok_and(|files| files.len() as u64 <= played),
            false => self.named_seeds().is_some_and(|seeds| seeds <= played),
        };
        match is_all {
            false => format!("a duel with a larger --max-cases than {played} goes on"),
            true if self.held_out => {
                "a duel with more held-out cases goes on (held_out in tester.toml)".to_owned()
            }
            true if source.is_files() => {
                let generator = match self.external.is_named() {
                    true => "the contest's generator".to_owned(),
                    false => format!("`{} gen`", tester_word()),
                };
                format!(
                    "a duel with more case files goes on: make some with {generator}, or name others with --cases"
                )
            }
            true => {
                let first = self.seeds.as_ref().map_or(0, |seeds| *seeds.start());
                format!("all {played} seeds are played: a duel with --seeds {first}.. goes on")
            }
        }
    }

    /// How many seeds there are to play; `None` if more than can be counted.
    fn named_seeds(&self) -> Option<u64> {
        if let Some(held_out) = &self.held_out_seeds {
            return Some(held_out.count());
        }
        let named = self.seeds.clone().unwrap_or(0..=u64::MAX);
        (named.end() - named.start()).checked_add(1)
    }

    /// When the duel is decided.
    pub(crate) fn rule(&self) -> Rule {
        Rule {
            alpha: self.alpha,
            max_difference: self.max_difference,
        }
    }

    /// The judge for a program, if it is another than this one.
    pub(crate) fn external(&self, command: &Command) -> anyhow::Result<Option<ExternalSpec>> {
        let external = self.external.judge(Some(command))?;
        if let Some(judge) = self.external.option() {
            let is_line = judge == "--external";
            let options = [
                ("--seeds", self.seeds.is_some()),
                ("--problem", self.problem.is_some()),
                ("--sandbox", self.limits.sandbox && is_line),
            ];
            refuse(&options, judge)?;
        }
        Ok(external)
    }

    /// The cases that `tester.toml` holds out, unless they are asked for.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(crate) fn held_out(&self) -> anyhow::Result<Option<Source>> {
        match self.config.read()? {
            Some((_, file)) if !self.held_out => held_out(&file.batch, self.external.is_named()),
            _ => Ok(None),
        }
    }

    /// What is played, and how much of it at most.
    pub(crate) fn source(&self) -> anyhow::Result<(Source, u64)> {
        if self.external.is_named() || !self.cases.is_empty() {
            let files = case_words::source(&self.cases)?;
            let files = match self.external.is_named() {
                true => self.external.source(files),
                false => files,
            };
            let source = without(files, self.held_out_there.as_ref())?;
            let count = source.files()?.len() as u64;
            return Ok((source, count.min(self.max_cases)));
        }
        let named = self.seeds.clone().unwrap_or(0..=u64::MAX);
        let held_out = self.held_out_seeds.clone();
        let seeds = held_out.or_else(|| CaseNumbers::new([named]));
        let seeds = seeds.expect("a range has a number").first(self.max_cases);
        let (count, problem) = (seeds.count(), problem_or_usual(self.problem.as_deref()));
        Ok((Source::from_seeds(problem, seeds), count))
    }
}
