//! What may be typed. What it means is the library's.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser};
use tools::contestant::Command;
use tools::problem::{DEFAULT_PROBLEM, PROBLEMS};
use tools::verdict::Limits;

const ABOUT: &str = "Judges an interactive program: reads a case file on standard input, runs the \
program, answers its guesses and scores its turns";

const EXAMPLES: &str = "\
Examples:
  tools/tester ./solver < in/0000.txt > out/0000.txt     judge one case
  tools/tester python3 my.py < in/0000.txt               any command in any language
  tools/tester --transcript t.txt ./solver < in/0000.txt write down what both sides said
  tools/tester batch --cases in --out out -- ./solver    judge every case of a folder
  tools/tester gen --seeds 0..100 --dir in               make case files
  tools/tester judge in/0000.txt                         the judge alone, on standard input and output
  tools/tester play                                      play yourself

Standard output is the program's own. Standard error is the program's own, then a line such as
\"WA: turn 3: digit 7 appears twice in \"7 7 1\"\" unless the verdict is AC, then \"Score = 5\".
Exit status: 0 once the case was judged, whatever the verdict (with --strict: 1 unless AC);
2 if it could not be judged.
A program that is called like a subcommand needs a path or two dashes: tester -- gen";

#[derive(Parser)]
#[command(
    name = "tester", version, about = ABOUT, after_help = EXAMPLES,
    args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    override_usage = "tester [OPTIONS] PROGRAM [ARGS]... < CASE > OUTPUT\n       tester <COMMAND>",
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Subcommand>,
    #[command(flatten)]
    pub(crate) run: Run,
}

impl Cli {
    /// `tester PROGRAM ARGS…` with no option of ours, which is how a case is judged a thousand times
    /// a day: building the parser of all options would take as long as judging. `None` for
    /// everything else; a test holds both to the same result.
    pub(crate) fn from_plain_words() -> Option<Self> {
        Self::plain(std::env::args_os().skip(1).collect())
    }

    fn plain(words: Vec<OsString>) -> Option<Self> {
        let program = words.first()?.to_str()?;
        // A path is neither an option nor the name of a subcommand.
        let is_path = program.contains('/') && !program.starts_with('-');
        is_path.then_some(Self {
            command: None,
            run: Run {
                transcript: None,
                strict: false,
                limits: LimitArgs {
                    time_limit: Limits::default().time,
                    memory_limit: Limits::default().memory_kib >> 10,
                    turn_limit: Limits::default().turns,
                },
                words,
            },
        })
    }
}

#[derive(clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Make case files from seeds
    Gen(Gen),
    /// Be the judge on standard input and output: no program is started
    Judge(Judge),
    /// Judge every case of a folder and print a table
    Batch(Batch),
    /// Play a case yourself
    Play(Play),
}

#[derive(Args)]
pub(crate) struct Run {
    /// Write both sides of the session to FILE, a line each, with times
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Exit with status 1 unless the verdict is AC
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The program to judge, and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    words: Vec<OsString>,
}

impl Run {
    pub(crate) fn program(&self) -> Command {
        command(&self.words)
    }
}

#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Wall-clock and processor time that a program may take for a case, at most 86400
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds, allow_hyphen_values = true)]
    time_limit: Duration,
    /// Memory that a program may have resident
    #[arg(long, value_name = "MIB", default_value_t = 1024, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    memory_limit: u64,
    /// Guesses that are answered; one more is WA
    #[arg(long, value_name = "TURNS", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    turn_limit: u64,
}

impl LimitArgs {
    /// The options that set these limits, as they would be typed; none for the usual ones.
    pub(crate) fn typed(&self) -> String {
        let usual = Limits::default();
        let mut options = String::new();
        if self.time_limit != usual.time {
            options.push_str(&format!("--time-limit {} ", self.time_limit.as_secs_f64()));
        }
        if self.memory_limit << 10 != usual.memory_kib {
            options.push_str(&format!("--memory-limit {} ", self.memory_limit));
        }
        if self.turn_limit != usual.turns {
            options.push_str(&format!("--turn-limit {} ", self.turn_limit));
        }
        options
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory_kib: self.memory_limit << 10,
            turns: self.turn_limit,
            ..Limits::default()
        }
    }
}

fn problem_help() -> String {
    format!("Problem and parameters: {}", tools::problem::usages("; "))
}

fn problems_at_length() -> String {
    let about =
        |p: &&dyn tools::problem::Problem| format!("  {}\n      {}\n", p.usage(), p.about());
    let all: String = PROBLEMS.iter().map(about).collect();
    format!("Problems:\n{all}")
}

const GEN_EXAMPLES: &str = "\
Examples:
  tools/tester gen --seeds 0..100                               in/0000.txt to in/0099.txt
  tools/tester gen --seeds 0..20 --problem \"mastermind 4 6\" --dir mm
  tools/tester gen seeds.txt --dir in                           line 0 of seeds.txt to in/0000.txt, …

The same seed and problem give the same bytes on every machine, for ever. A file that exists with
another content is only replaced with --force; without it, nothing is written then.";

#[derive(Args)]
#[command(group(ArgGroup::new("which").args(["seeds_file", "seeds"]).required(true)))]
#[command(after_help = GEN_EXAMPLES, after_long_help = format!("{}\n{GEN_EXAMPLES}", problems_at_length()))]
pub(crate) struct Gen {
    /// A file with one seed a line; a case's number is its line's, counted from 0
    #[arg(value_name = "SEEDS_FILE")]
    pub(crate) seeds_file: Option<PathBuf>,
    /// Seeds, each the number of its case: A..B (without B), A..=B or a single one
    #[arg(long, value_name = "A..B", value_parser = seed_range, allow_hyphen_values = true)]
    pub(crate) seeds: Option<RangeInclusive<u64>>,
    /// Where the case files go; made where it is missing
    #[arg(long, value_name = "DIR", default_value = "in")]
    pub(crate) dir: PathBuf,
    #[arg(long, value_name = "PROBLEM", default_value = DEFAULT_PROBLEM, help = problem_help())]
    pub(crate) problem: String,
    /// Replace case files that have another content
    #[arg(long)]
    pub(crate) force: bool,
}

const JUDGE_EXAMPLES: &str = "\
Examples:
  tools/tester judge --seed 0                            type guesses yourself
  tools/tester judge in/0000.txt
  oj t/r -c ./solver 'tools/tester judge --seed 0'       inside online-judge-tools
  mkfifo f; ./solver < f | tools/tester judge --seed 0 > f

Exit status: 0 for AC, 1 for any other verdict, 2 if the case could not be read.
No program is started, so there is no limit of time or memory here.";

#[derive(Args)]
#[command(group(ArgGroup::new("which").args(["file", "seed"]).required(true)))]
#[command(after_help = JUDGE_EXAMPLES)]
pub(crate) struct Judge {
    /// The case to judge
    #[arg(value_name = "FILE", conflicts_with = "problem")]
    pub(crate) file: Option<PathBuf>,
    /// Judge the case of this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "PROBLEM", default_value = DEFAULT_PROBLEM, help = problem_help())]
    pub(crate) problem: String,
    /// Guesses that are answered; one more is WA
    #[arg(long, value_name = "TURNS", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) turn_limit: u64,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  tools/tester play                                      a game nobody knows
  tools/tester play in/0000.txt
  tools/tester play --seed 3 --problem \"mastermind 4 6\"

Type a guess (135 or 1 3 5), hint, give up. Exit status: 0 if you found it, 1 if not.";

#[derive(Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub(crate) struct Play {
    /// The case to play
    #[arg(value_name = "FILE", conflicts_with_all = ["seed", "problem"])]
    pub(crate) file: Option<PathBuf>,
    /// Play the case of this seed [default: any]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "PROBLEM", default_value = DEFAULT_PROBLEM, help = problem_help())]
    pub(crate) problem: String,
    /// Compare with this program on the same case
    #[arg(long, value_name = "PROGRAM", default_value = "./solver")]
    pub(crate) solver: OsString,
}

const BATCH_EXAMPLES: &str = "\
Examples:
  tools/tester batch -- ./solver --policy map
  tools/tester batch --cases in --out out --jobs 2 --time-limit 5 -- python3 my.py

Leaves the program's standard output in OUT/NNNN.txt and its standard error in OUT/NNNN.err.
Exit status: 0 if every case is AC, 1 if one is not, 2 if the batch could not be done.";

#[derive(Args)]
#[command(after_help = BATCH_EXAMPLES)]
pub(crate) struct Batch {
    /// The folder with the case files
    #[arg(long, value_name = "DIR", default_value = "in")]
    pub(crate) cases: PathBuf,
    /// Where the program's output goes; made where it is missing
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
    /// How many programs run at the same time [default: the number of physical cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The program to judge, and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    words: Vec<OsString>,
}

impl Batch {
    pub(crate) fn program(&self) -> Command {
        command(&self.words)
    }
}

fn command(words: &[OsString]) -> Command {
    let (program, args) = words.split_first().expect("clap requires a program");
    Command {
        program: program.clone(),
        args: args.to_vec(),
    }
}

/// The longest time limit: a day.
const MAX_SECONDS: f64 = 86_400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    match number {
        Ok(s) if (0.001..=MAX_SECONDS).contains(&s) => Ok(Duration::from_secs_f64(s)),
        _ => Err(format!(
            "expected seconds from 0.001 to {MAX_SECONDS}, such as 2 or 0.5"
        )),
    }
}

/// So many case files at once are a slip of the finger.
const MAX_CASES: u64 = 10_000_000;

fn seed_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |word: &str| {
        word.parse::<u64>()
            .map_err(|_| format!("expected seeds such as 0..100, found {word:?} for a number"))
    };
    let nothing = "expected at least one seed: A..B stops before B, so B must be greater";
    let range = match text.split_once("..") {
        None => {
            let seed = number(text)?;
            seed..=seed
        }
        Some((first, end)) => match end.strip_prefix('=') {
            Some(last) => number(first)?..=number(last)?,
            None => number(first)?..=number(end)?.checked_sub(1).ok_or(nothing)?,
        },
    };
    if range.is_empty() {
        return Err(nothing.to_owned());
    }
    if range.end() - range.start() >= MAX_CASES {
        return Err(format!("expected at most {MAX_CASES} seeds at once"));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn options_are_declared_consistently() {
        Cli::command().debug_assert();
    }

    #[test]
    fn plain_words_mean_what_the_parser_says() {
        for words in [
            &["./solver"][..],
            &["../a", "--strict", "x"],
            &["/bin/echo", "--", "-x"],
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let plain = Cli::plain(words.clone()).unwrap();
            let parsed = Cli::parse_from([OsString::from("tester")].into_iter().chain(words));
            assert!(parsed.command.is_none());
            assert_eq!(plain.run.program(), parsed.run.program());
            assert_eq!(plain.run.limits.limits(), parsed.run.limits.limits());
            assert_eq!((parsed.run.strict, &parsed.run.transcript), (false, &None));
        }
        for words in [
            &[][..],
            &["gen", "./x"],
            &["--strict", "./x"],
            &["--transcript=a/b", "x"],
        ] {
            let plain = Cli::plain(words.iter().map(OsString::from).collect());
            assert!(plain.is_none(), "{words:?}");
        }
    }

    #[test]
    fn seed_ranges_are_half_open_unless_they_say_otherwise() {
        assert_eq!(seed_range("0..100"), Ok(0..=99));
        assert_eq!(seed_range("5..=9"), Ok(5..=9));
        assert_eq!(seed_range("7"), Ok(7..=7));
        assert_eq!(seed_range(&u64::MAX.to_string()), Ok(u64::MAX..=u64::MAX));
        for bad in [
            "",
            "..",
            "3..3",
            "9..1",
            "a..b",
            "-1..2",
            "0..18446744073709551615",
            "1..2..3",
        ] {
            assert!(seed_range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn time_limits_are_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        for bad in ["0", "-1", "inf", "NaN", "1e9", "fast", "", "1e-12"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
