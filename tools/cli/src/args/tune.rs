//! `tester tune`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};

use super::batch::Batch;
use super::case_words::gather;
use super::values::whole;
use crate::hint::with_hint;

const EXAMPLES: &str = "\
Examples:
  {tester} tune -- ./main --heat '{t:0.1..1000:log}' --beam '{width:1..200:int}'
  {tester} tune --trials 100 --start width=20 --cases 0..300 -- ./main '{width:1..200:int}'
  {tester} tune -- env WIDTH='{width:1..200:int}' ./main
  {tester} tune                                 the command of [tune] in tester.toml
  {tester} tune --install                       get what it needs, once

What stands in braces is a number to be tuned: its name and range, both ends included; :int for whole numbers, :log \
where ratios matter. Build, judge, objective, measure and cases are those of tester.toml, or of the options of \
`{tester} batch`. Each trial is such a batch on the same cases in random order; a trial that is worse than the best one \
on the same cases is stopped. Trials are kept in OUT/history.sqlite.

It needs Python 3.9 or later with Optuna and SciPy. --install makes an environment that has them, for all contests.";

/// What was typed after `tune`, over what `tester.toml` says.
#[derive(Args)]
#[command(args_override_self = true)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) own: TuneArgs,
    #[command(flatten)]
    pub(crate) batch: Batch,
    #[command(flatten)]
    _help: TuneHelp,
    /// Options of `batch` for each trial.
    #[arg(skip)]
    pub(crate) passed_on: Vec<OsString>,
    /// The folder of outputs and logs.
    #[arg(skip)]
    pub(crate) out: PathBuf,
    /// The history of the trials.
    #[arg(skip)]
    pub(crate) history: PathBuf,
}

/// The help text, which that of `batch` would replace otherwise.
#[derive(Args)]
#[command(after_help = EXAMPLES, mut_args = for_trials)]
struct TuneHelp {}

/// An option of `batch` as it is for trials; what has no meaning for them is not shown.
fn for_trials(arg: Arg) -> Arg {
    const HIDDEN: [&str; 18] = [
        "comment",
        "csv",
        "fail_fast",
        "failed",
        "held_out",
        "json",
        "of",
        "resume",
        "scale_time_limit",
        "shard",
        "shuffle",
        "tag",
        "to",
        "transcripts",
        "vis",
        "vis_worst",
        "watch",
        "worst",
    ];
    match arg.get_id().as_str() {
        "words" => arg.help("The program and its arguments, with numbers in braces [default: command of [tune] in tester.toml]"),
        "by" => arg.help("What is tuned: the mean score, or the geometric mean (log; also for relative and rank) [default: score]"),
        "out" => arg.help("Folder for outputs and logs of the trials [default: out/tune]"),
        "history" => arg.help("The history that keeps the trials [default: OUT/history.sqlite]"),
        id if HIDDEN.contains(&id) => arg.hide(true),
        _ => arg,
    }
}

/// Options that `batch` has not.
#[derive(Args)]
pub(crate) struct TuneArgs {
    /// How many values are tried [default: 30]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) trials: Option<u64>,
    /// Try this value first; repeat it for other numbers
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) start: Vec<String>,
    /// Judge every trial to its end
    #[arg(long)]
    pub(crate) no_pruning: bool,
    /// The seed of what is tried
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0..=u32::MAX.into()))]
    pub(crate) sampler_seed: u32,
    /// A Python that has Optuna and SciPy [default: that of --install, else python3]
    #[arg(long, value_name = "PROGRAM", conflicts_with = "install")]
    pub(crate) python: Option<PathBuf>,
    /// Install Optuna and SciPy (280 MB) into an environment for all contests, if they are not there
    #[arg(long)]
    pub(crate) install: bool,
    /// Judge on the workers of a Dask cluster (docs/cluster.md)
    #[arg(long, value_name = "ADDRESS", help_heading = "Cluster")]
    pub(crate) scheduler: Option<String>,
    /// Trials at a time there
    #[arg(long, value_name = "N", default_value_t = 4, requires = "scheduler", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX), help_heading = "Cluster")]
    pub(crate) parallel: u64,
    /// A file to send there along; repeat it for more
    #[arg(
        long,
        value_name = "FILE",
        requires = "scheduler",
        help_heading = "Cluster"
    )]
    pub(crate) ship: Vec<PathBuf>,
}

/// The usual folder of trials: their scores are not among those of your own runs.
const OUT: &str = "out/tune";

/// Options of `batch` that the trials get in another way, or not at all.
const NOT_PASSED_ON: [&str; 5] = ["cases", "out", "history", "build", "no-build"];

impl Tune {
    /// Lays what was typed over `tester.toml`.
    ///
    /// # Errors
    /// If the file cannot be understood, or an option has no meaning here.
    pub(super) fn configure(&mut self) -> anyhow::Result<()> {
        self.refuse()?;
        if let Some(folder) = self.batch.config.folder() {
            // A name alone is looked up in PATH.
            let is_path = |python: &&mut PathBuf| python.components().count() > 1;
            folder.paths(self.own.python.iter_mut().filter(is_path));
            folder.paths(&mut self.own.ship);
        }
        self.batch.enter_folder()?;
        let typed_cases = self.batch.cases.cases.clone();
        let words = std::env::args_os().skip(1);
        self.passed_on = passed_on(gather(words.collect()));
        let kept = &self.batch.run.kept;
        self.out = kept.named_out().unwrap_or(Path::new(OUT)).to_owned();
        let usual = || self.out.join("history.sqlite");
        self.history = kept.named_history().map_or_else(usual, Path::to_owned);
        for case in typed_cases {
            let words = [OsString::from("--cases"), case.into()];
            self.passed_on.extend(words);
        }
        let file = self.batch.file()?;
        let table = file.as_ref().and_then(|file| file.tune.clone());
        let table = table.unwrap_or_default();
        let trials = table.trials.map(|trials| trials.get().into());
        self.own.trials = self.own.trials.or(trials);
        if self.batch.words.is_empty()
            && let Some(command) = table.command
        {
            self.batch.words = [vec![command.program], command.args].concat();
            if self.own.start.is_empty() {
                self.own.start = table.start;
            }
        }
        if self.batch.words.is_empty() {
            return match self.own.install {
                true => Ok(()),
                false => Err(with_hint(
                    "no command with a number to tune",
                    "-- ./main --heat '{t:0.1..1000:log}', or command = \"./main --heat {t:0.1..1000:log}\" in [tune] of tester.toml",
                )),
            };
        }
        self.batch.configure()?;
        if !self.batch.external.is_named() && !self.batch.cases.are_chosen() {
            self.batch.cases.seeds = vec![0..=999];
            let words = ["--seeds", "0..1000"].map(OsString::from);
            self.passed_on.extend(words);
        }
        Ok(())
    }

    /// Refuses what a trial cannot have.
    fn refuse(&self) -> anyhow::Result<()> {
        let batch = &self.batch;
        if batch.cases.held_out {
            return Err(with_hint(
                "--held-out cannot be used with tune",
                "what is tuned on cases must be judged on others: judge the held-out ones once, at the end",
            ));
        }
        let kept = &batch.run.kept;
        let options = [
            ("--resume", batch.resume.is_some()),
            ("--watch", batch.watch),
            ("--fail-fast", batch.fail_fast),
            ("--worst", batch.cases.worst.is_some()),
            ("--failed", batch.cases.failed),
            ("--shard", batch.sharding.shard.is_some()),
            ("--json and --csv", batch.format().is_some()),
            (
                "--tag and --comment",
                kept.tag.is_some() || kept.comment.is_some(),
            ),
        ];
        match options.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => anyhow::bail!("{option} cannot be used with tune"),
        }
    }
}

/// The options of `batch` among the words of the command line, as they were typed.
fn passed_on(words: Vec<OsString>) -> Vec<OsString> {
    let grammar = Tune::augment_args(Command::new("tune"));
    let own = TuneArgs::augment_args(Command::new("tune"));
    let long = |command: &Command, name: &str| {
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))
            .cloned()
    };
    let long_of_short = |short: char| {
        let mut known = grammar.get_arguments();
        let arg = known.find(|arg| arg.get_short() == Some(short))?;
        arg.get_long().map(str::to_owned)
    };
    let mut kept = Vec::new();
    let mut words = words.into_iter().skip(1).peekable(); // without `tune`
    while let Some(word) = words.next_if(|word| word != "--") {
        let text = word.to_string_lossy().into_owned();
        // The first word that is no option begins the program.
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            break;
        };
        let (name, has_value) = match option.strip_prefix('-') {
            Some(option) => match option.split_once('=') {
                Some((name, _)) => (name.to_owned(), true),
                None => (option.to_owned(), false),
            },
            // `-j 4` or `-j4`
            None => {
                let mut letters = option.chars();
                let name = letters.next().and_then(long_of_short);
                (name.unwrap_or_default(), letters.next().is_some())
            }
        };
        let name = &*name;
        let takes_value = long(&grammar, name).is_some_and(|arg| arg.get_action().takes_values());
        let value = words.next_if(|_| takes_value && !has_value);
        if long(&own, name).is_none() && !NOT_PASSED_ON.contains(&name) {
            kept.extend([Some(word), value].into_iter().flatten());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_batch_are_passed_on_and_no_others() {
        let passed = |line: &str| {
            let words = passed_on(line.split(' ').map(OsString::from).collect());
            let words = words.iter().map(|word| word.to_str().unwrap().to_owned());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            passed(
                "tune --trials 3 --seeds 0..9 --start=x=1 --all-secrets --jobs=2 -- ./a --by log"
            ),
            "--seeds 0..9 --all-secrets --jobs=2"
        );
        assert_eq!(
            passed("tune --by log --cases in --out x --no-build --install --sandbox ./a --jobs 3"),
            "--by log --sandbox"
        );
        assert_eq!(passed("tune --external --odd"), "--external --odd");
        assert_eq!(
            passed("tune -j 4 --by log -j4 --trials 3 -j=4 ./a -j 5"),
            "-j 4 --by log -j4 -j=4"
        );
    }
}
