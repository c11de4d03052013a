//! `tester batch` and `tester duel`: programs on many cases.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};
use tester::case::{Source, literally};
use tester::judge::external::{ExternalSpec, Stream, USUAL_SCORE};
use tester::judge::verdict::Limits;
use tester::problem::DEFAULT_PROBLEM;
use tester::problem::Objective;
use tester::process::{Command, shell_word};
use tester::run::executor::RUNS;
use tester::shard::Part;

use super::{LimitArgs, command, open_seed_range, problem_help, seed_range};

const BATCH_EXAMPLES: &str = "\
Examples:
  tools/tester batch -- ./solver                          every case of the folder in
  tools/tester batch --seeds 0..1000 --tag v2 -- ./solver seeds, without case files
  tools/tester batch --all-secrets --problem \"hitblow 3 9\" -- ./solver
  tools/tester batch --time-limit 5 -- python3 my.py      any command in any language
  tools/tester batch --json -- ./solver | jq .score       for other programs
  tools/tester batch --external './tester {command} < {case} > {out}' --objective max -- ./mine
  tools/tester batch --resume                             go on where it was interrupted
  tools/tester batch --shard 3/8 --to 3.jsonl -- ./solver a part, to be judged anywhere (tester merge)

Leaves the program's standard output in OUT/runs/N/NNNN.txt and its standard error, if there is any, in
OUT/runs/N/NNNN.err, where N is the number of the run; copies of the newest are OUT/NNNN.txt and
OUT/NNNN.err. Every record is in out/history.sqlite (tester history, show, compare, report).
Exit status: 0 if every case is AC, 1 if one is not, 2 if the batch could not be done.";

#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = BATCH_EXAMPLES)]
#[command(group(ArgGroup::new("which").args(["cases", "seeds", "all_secrets"])))]
#[command(group(ArgGroup::new("generated").args(["seeds", "all_secrets"])))]
pub(crate) struct Batch {
    /// The folder with the case files, one of them, or a pattern such as 'in/000*.txt' [default: in]
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// The cases of these seeds, each numbered by its seed: A..B (without B), A..=B or a single one
    #[arg(long, value_name = "A..B", value_parser = seed_range, allow_hyphen_values = true)]
    seeds: Option<RangeInclusive<u64>>,
    /// Every secret that there is, once
    #[arg(long)]
    all_secrets: bool,
    #[arg(long, value_name = "PROBLEM", requires = "generated", help = problem_help())]
    problem: Option<String>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Write down both sides of each session, in OUT/NNNN.transcript
    #[arg(long)]
    pub(crate) transcripts: bool,
    /// Stop at the first case that is not AC
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Judge the cases in random order, so that the running mean tells something early
    #[arg(long)]
    pub(crate) shuffle: bool,
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
    #[command(flatten)]
    _config: ConfigArgs,
    #[command(flatten)]
    lines: LineArgs,
    /// Judge only the I-th of N parts of the cases, as a shard that tester merge reads; no history is kept
    #[arg(
        long,
        value_name = "I/N",
        conflicts_with_all = ["resume", "fail_fast", "shuffle", "csv", "history", "tag", "comment"]
    )]
    pub(crate) shard: Option<Part>,
    /// Where the shard is written (or --json, on standard output); nothing is judged where it is already
    #[arg(long, value_name = "FILE", requires = "shard", conflicts_with = "json")]
    pub(crate) to: Option<PathBuf>,
    /// Scale the time limit to this machine's speed: it was meant for a machine whose calibration is MS
    #[arg(long, value_name = "MS", requires = "shard", value_parser = calibration)]
    pub(crate) scale_time_limit: Option<f64>,
    /// Go on with the last unfinished run, or with RUN; without a PROGRAM, as it was begun
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The program to judge, and its arguments
    #[arg(
        value_name = "PROGRAM",
        required_unless_present_any = ["resume", "external"],
        trailing_var_arg = true
    )]
    words: Vec<OsString>,
}

/// `tester init`.
#[derive(Args)]
pub(crate) struct Init {
    /// The contest's tester starts the program and talks to it
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Whether less is better, or more
    #[arg(long, value_name = "min|max", default_value = "max", value_parser = objective)]
    pub(crate) objective: Objective,
    /// What the problem is called
    #[arg(long, value_name = "NAME", default_value = "contest")]
    pub(crate) name: String,
    /// The program to judge
    #[arg(long, value_name = "PROGRAM", default_value = "./target/release/main")]
    pub(crate) command: String,
    /// Seconds for a case, the contest's tester included
    #[arg(long, value_name = "SECONDS", default_value = "4", value_parser = super::seconds, allow_hyphen_values = true)]
    pub(crate) time_limit: Duration,
    /// Replace a file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

/// Where more options are read; they have been by the time that these are parsed.
#[derive(Args)]
struct ConfigArgs {
    /// Read options from this file [default: tester.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Read no options from tester.toml
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
}

/// A contest's own local tester in place of this judge.
#[derive(Args)]
pub(crate) struct ExternalArgs {
    /// A shell's line that judges one case, such as './tester {command} < {case} > {out}' or
    /// '{command} < {case} > {out} && ./score {case} {out}'; {number} is the case's
    #[arg(long, value_name = "LINE")]
    pub(crate) external: Option<String>,
    /// Where the score stands in what it prints: the group named score of the last match
    #[arg(long, value_name = "REGEX", default_value = USUAL_SCORE, hide_default_value = true, requires = "external")]
    score_regex: String,
    /// Whether less is better, or more
    #[arg(long, value_name = "min|max", default_value = "min", value_parser = objective, requires = "external")]
    objective: Objective,
    /// A score of 0 is a score, and no wrong answer
    #[arg(long, requires = "external")]
    zero_counts: bool,
    /// Where the score is looked for: any is stderr, then stdout
    #[arg(long, value_name = "any|stdout|stderr", default_value = "any", value_parser = stream, requires = "external")]
    score_stream: Stream,
    /// What the problem is called in the history
    #[arg(
        long,
        value_name = "NAME",
        default_value = "external",
        requires = "external"
    )]
    name: String,
    /// A shell's line to run before anything is judged, such as 'cargo build --release'; several in their
    /// order
    #[arg(long, value_name = "LINE")]
    build: Vec<String>,
    /// Run none of them, those of tester.toml neither
    #[arg(long)]
    no_build: bool,
}

impl ExternalArgs {
    /// What is to be run before anything is judged.
    pub(crate) fn build(&self) -> &[String] {
        match self.no_build {
            true => &[],
            false => &self.build,
        }
    }

    /// The judge for these programs, if it is another than this one.
    fn spec(&self, command: Option<&Command>) -> anyhow::Result<Option<ExternalSpec>> {
        let Some(line) = &self.external else {
            return Ok(None);
        };
        let external = ExternalSpec {
            line: line.clone(),
            score: self.score_regex.clone(),
            objective: self.objective,
            zero_counts: self.zero_counts,
            stream: self.score_stream,
            files: None,
        };
        external.check(command)?;
        Ok(Some(external))
    }

    /// The files that it judges, of which `files` are the source.
    fn foreign(&self, files: Source) -> Source {
        Source::External {
            name: self.name.clone(),
            files: Box::new(files),
        }
    }
}

/// A folder, one file, or a pattern.
fn files(cases: Option<&Path>) -> anyhow::Result<Source> {
    let Some(path) = cases else {
        return Ok(Source::Folder("in".into()));
    };
    Ok(match path.to_str() {
        None => anyhow::bail!(
            "expected --cases with a name in UTF-8, found {}; rename the folder",
            path.display()
        ),
        Some(name) if path.is_file() => Source::Matching(literally(name)),
        Some(pattern) if !path.is_dir() && pattern.contains(['*', '?', '[']) => {
            Source::Matching(pattern.to_owned())
        }
        Some(_) => Source::Folder(path.to_owned()),
    })
}

fn stream(text: &str) -> Result<Stream, String> {
    Stream::from_name(text).ok_or_else(|| "expected any, stdout or stderr".to_owned())
}

fn objective(text: &str) -> Result<Objective, String> {
    Objective::from_name(text).ok_or_else(|| "expected min or max".to_owned())
}

/// Where outputs go where nothing else is said.
const OUT: &str = "out";

/// Of how many runs outputs are kept where nothing else is said.
const KEEP_RUNS: NonZeroUsize = NonZeroUsize::new(20).expect("not 0");

/// What every kind of run has that is judged here.
#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    /// How many programs run at the same time [default: the number of physical cores]
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Of how many runs the outputs are kept, the newest ones; their records stay
    #[arg(long, value_name = "N", default_value_t = KEEP_RUNS, value_parser = keep_runs, allow_negative_numbers = true)]
    pub(crate) keep_runs: NonZeroUsize,
}

/// Where a run is kept, and what it is called there.
#[derive(Args)]
pub(crate) struct KeptArgs {
    /// Where outputs go: of this run to DIR/runs/N, and the newest of each case to DIR; made where it is missing
    #[arg(long, value_name = "DIR", default_value = OUT)]
    pub(crate) out: PathBuf,
    /// The history, where the run is kept [default: out/history.sqlite]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// A short name for the run, to find it by
    #[arg(long, value_name = "T", value_parser = tag)]
    pub(crate) tag: Option<String>,
    /// What you want to remember of the run
    #[arg(long, value_name = "C")]
    pub(crate) comment: Option<String>,
}

impl KeptArgs {
    /// The options that say where the run is, as they would be typed; none for the usual places.
    pub(crate) fn typed(&self) -> String {
        let mut options = String::new();
        if self.out != Path::new(OUT) {
            options.push_str(&format!("--out {} ", shell_word(self.out.as_os_str())));
        }
        if let Some(file) = &self.history {
            options.push_str(&format!("--history {} ", shell_word(file.as_os_str())));
        }
        options
    }

    /// The option that names this history, as it would be typed; none for the usual one.
    pub(crate) fn typed_history(&self) -> String {
        match self.history() {
            usual if usual == Path::new(OUT).join("history.sqlite") => String::new(),
            other => format!("--history {} ", shell_word(other.as_os_str())),
        }
    }

    /// One for all runs, wherever their outputs go.
    pub(crate) fn history(&self) -> PathBuf {
        let usual = || Path::new(OUT).join("history.sqlite");
        self.history.clone().unwrap_or_else(usual)
    }

    /// Where the runs have their folders.
    pub(crate) fn runs(&self) -> PathBuf {
        self.out.join(RUNS)
    }
}

/// How records are printed for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Csv,
}

/// What a run is printed as, beside its table.
#[derive(Args)]
#[command(group(ArgGroup::new("lines").args(["json", "csv"])))]
pub(crate) struct LineArgs {
    /// Print a JSON object for each case on standard output; the table goes to standard error
    #[arg(long)]
    json: bool,
    /// The same as comma separated values
    #[arg(long)]
    csv: bool,
}

impl LineArgs {
    pub(crate) fn format(&self) -> Option<Format> {
        Format::chosen(self.json, self.csv)
    }
}

impl Format {
    pub(super) fn chosen(json: bool, csv: bool) -> Option<Self> {
        match (json, csv) {
            (true, _) => Some(Self::Json),
            (_, true) => Some(Self::Csv),
            _ => None,
        }
    }
}

impl Batch {
    /// The program; `None` if the run that is resumed knows it.
    pub(crate) fn program(&self) -> Option<Command> {
        (!self.words.is_empty()).then(|| command(&self.words))
    }

    /// The judge, if it is another than this one.
    pub(crate) fn external(&self) -> anyhow::Result<Option<ExternalSpec>> {
        let external = self.external.spec(self.program().as_ref())?;
        let for_ours = [
            ("--seeds", self.seeds.is_some()),
            ("--all-secrets", self.all_secrets),
            ("--transcripts", self.transcripts),
            ("--sandbox", self.limits.sandbox),
        ];
        match for_ours
            .iter()
            .find(|(_, given)| *given && external.is_some())
        {
            Some((option, _)) => anyhow::bail!(
                "expected no {option} with --external, found both: it is for this judge's own problems \
                 (--no-config leaves a tester.toml out)"
            ),
            None => Ok(external),
        }
    }

    /// The first of the program's arguments that looks as if it was meant for us: options stand in front
    /// of the program. Behind two dashes, the user knows.
    pub(crate) fn misplaced(&self) -> Option<&OsString> {
        const OURS: [&str; 11] = [
            "--all-secrets",
            "--cases",
            "--csv",
            "--jobs",
            "--json",
            "--out",
            "--resume",
            "--seeds",
            "--shard",
            "--tag",
            "--to",
        ];
        let dashes = std::env::args_os().any(|word| word == "--");
        let ours = |word: &&OsString| OURS.iter().any(|option| *word == option);
        self.words.iter().skip(1).find(ours).filter(|_| !dashes)
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.lines.format()
    }

    /// Whether the cases were named.
    fn names_cases(&self) -> bool {
        self.cases.is_some() || self.seeds.is_some() || self.all_secrets
    }

    /// Options that a run which is resumed would not heed are refused.
    pub(crate) fn check_resumption(&self, has_program: bool) -> anyhow::Result<()> {
        if self.run.kept.tag.is_some() || self.run.kept.comment.is_some() {
            anyhow::bail!(
                "--tag and --comment belong to a run that begins, not to one that is resumed"
            );
        }
        let named = self.names_cases()
            || self.problem.is_some()
            || self.transcripts
            || self.external.external.is_some();
        let limited = self.limits.limits() != Limits::default() || self.limits.sandbox;
        if !has_program && (named || limited) {
            anyhow::bail!(
                "expected the program beside its cases and limits, or none of them: --resume alone goes \
                 on as the run was begun"
            );
        }
        Ok(())
    }

    pub(crate) fn source(&self) -> anyhow::Result<Source> {
        let problem = || {
            let named = self.problem.clone();
            named.unwrap_or_else(|| DEFAULT_PROBLEM.to_owned())
        };
        Ok(match &self.seeds {
            Some(seeds) => Source::Seeds {
                problem: problem(),
                seeds: seeds.clone(),
            },
            _ if self.all_secrets => Source::AllSecrets { problem: problem() },
            _ if self.external.external.is_some() => {
                self.external.foreign(files(self.cases.as_deref())?)
            }
            _ => files(self.cases.as_deref())?,
        })
    }
}

const DUEL_EXAMPLES: &str = "\
Examples:
  tools/tester duel ./solver target/release/mine
  tools/tester duel './solver --hit-bonus 0' './solver --hit-bonus 1.5' --seeds 1000..
  tools/tester duel --external './tester {command} < {case} > {out}' --objective max ./a ./b
  tools/tester duel --alpha 0.01 --problem \"mastermind 4 6\" ./a ./b

A program with arguments is one word in quotes, as a shell would read it. Both runs are kept:
tester history, show, compare. Outputs are in OUT/runs/N, and the newest in OUT/duel-a and OUT/duel-b.
The test may be looked at after every pair (Robbins' method of mixtures, self-normalised): of two
equally good programs, one is declared better with probability ALPHA at most.
Exit status: 0 if it is decided, 1 if not, 2 if the duel could not be held.";

impl Duel {
    /// The judge for a program, if it is another than this one.
    pub(crate) fn external(&self, command: &Command) -> anyhow::Result<Option<ExternalSpec>> {
        let external = self.external.spec(Some(command))?;
        if external.is_some() && self.limits.sandbox {
            anyhow::bail!(
                "expected no --sandbox with --external, found both: it is for this judge's own problems"
            );
        }
        if external.is_none() && self.cases.is_some() {
            anyhow::bail!(
                "expected --external with --cases, found none; without it, --seeds are played"
            );
        }
        Ok(external)
    }

    /// What is played, and how much of it at most.
    pub(crate) fn source(&self) -> anyhow::Result<(Source, u64)> {
        if self.external.external.is_some() {
            if self.seeds.is_some() || self.problem.is_some() {
                anyhow::bail!(
                    "expected no --seeds and no --problem with --external, found one: they are for this judge's \
                     own problems (--no-config leaves a tester.toml out)"
                );
            }
            let source = self.external.foreign(files(self.cases.as_deref())?);
            let count = source.files()?.len() as u64;
            return Ok((source, count.min(self.max_cases)));
        }
        let seeds = self.seeds.clone().unwrap_or(0..=u64::MAX);
        let first = *seeds.start();
        let given = seeds.end() - first;
        let count = given.saturating_add(1).min(self.max_cases);
        let source = Source::Seeds {
            problem: self
                .problem
                .clone()
                .unwrap_or_else(|| DEFAULT_PROBLEM.to_owned()),
            seeds: first..=first + (count - 1),
        };
        Ok((source, count))
    }
}

#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = DUEL_EXAMPLES)]
pub(crate) struct Duel {
    /// The first program, with its arguments in one word
    #[arg(value_name = "A")]
    pub(crate) first: String,
    /// The second
    #[arg(value_name = "B")]
    pub(crate) second: String,
    /// Seeds to play, in order: A.. (as many as it takes), A..B or A..=B [default: 0..]
    #[arg(long, value_name = "A..", value_parser = open_seed_range, allow_hyphen_values = true)]
    pub(crate) seeds: Option<RangeInclusive<u64>>,
    #[arg(long, value_name = "PROBLEM", help = format!("{} [default: {DEFAULT_PROBLEM}]", problem_help()))]
    pub(crate) problem: Option<String>,
    /// With --external: the folder with the case files, or a pattern [default: in]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["seeds", "problem"])]
    cases: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
    #[command(flatten)]
    _config: ConfigArgs,
    /// How probable it may be that one of two equals is declared better
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = alpha)]
    pub(crate) alpha: f64,
    /// How many seeds to play at most
    #[arg(long, value_name = "N", default_value_t = 10_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=tester::case::MAX_CASES))]
    pub(crate) max_cases: u64,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// More at the same time than this is a slip of the finger.
const MAX_JOBS: usize = 1024;

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse() {
        Ok(jobs @ 1..=MAX_JOBS) => Ok(NonZeroUsize::new(jobs).expect("at least one")),
        _ => Err(format!(
            "expected a number of programs from 1 to {MAX_JOBS}"
        )),
    }
}

fn keep_runs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "expected a number of runs, at least 1".to_owned())
}

pub(super) fn alpha(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(alpha) if (1e-9..=0.5).contains(&alpha) => Ok(alpha),
        _ => Err("expected a probability from 1e-9 to 0.5, such as 0.05".to_owned()),
    }
}

/// Milliseconds, to the microsecond, as calibrations are.
fn calibration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(ms) if (0.001..=1e6).contains(&ms) => Ok((ms * 1e3).round() / 1e3),
        _ => Err("expected milliseconds from 0.001 to 1000000, such as 9.7".to_owned()),
    }
}

/// A tag must not be mistaken for something else that names a run.
fn tag(text: &str) -> Result<String, String> {
    use tester::store::{BEST, LAST};
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name, found nothing that can be read".to_owned());
    }
    if text.parse::<i64>().is_ok() || [LAST, BEST].contains(&text) {
        return Err(format!(
            "expected a name that is no number, {LAST:?} or {BEST:?}: those name runs already"
        ));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_cannot_be_mistaken_for_runs() {
        for good in ["v2", "貪欲法 2", "-x", "1.5"] {
            assert_eq!(tag(good), Ok(good.to_owned()));
        }
        for bad in ["", " ", "17", "-3", "best", "last", "a\nb"] {
            assert!(tag(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn alpha_is_a_small_probability() {
        assert_eq!(alpha("0.05"), Ok(0.05));
        for bad in ["0", "1", "-1", "5", "NaN", "x", ""] {
            assert!(alpha(bad).is_err(), "{bad}");
        }
    }
}
