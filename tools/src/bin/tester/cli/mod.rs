//! What may be typed. What it means is the library's.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser};
use tester::case::MAX_CASES;
use tester::judge::verdict::Limits;
use tester::process::{Command, shell_word};

use crate::cmd::read_config;

mod batch;
mod cases;
mod history;
mod merge;
pub(crate) use batch::{Batch, Duel, Format, Init, KeptArgs};
pub(crate) use cases::{Gen, Judge, Play, Vis};
pub(crate) use history::{Compare, History, Report, Show};
pub(crate) use merge::Merge;

const ABOUT: &str = "Judges an interactive program: reads a case file on standard input, runs the \
program, answers its guesses and scores its turns";

const EXAMPLES: &str = "\
Examples:
  tools/tester ./solver < in/0000.txt > out/0000.txt     judge one case
  tools/tester python3 my.py < in/0000.txt               any command in any language
  tools/tester --transcript t.txt ./solver < in/0000.txt write down what both sides said
  tools/tester --seed 7 ./solver                         the case of a seed, without a file
  tools/tester batch -- ./solver                         judge every case of the folder in
  tools/tester compare                                   the last two such batches, case by case
  tools/tester report                                    the last batch, to look at in a browser
  tools/tester duel ./a ./b                              which of two programs is better
  tools/tester gen --seeds 0..100 --dir in               make case files
  tools/tester judge in/0000.txt                         the judge alone, on stdin and stdout
  tools/tester vis in/0000.txt out/0000.txt              one session, to look at in a browser
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
    override_usage = USAGE,
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Subcommand>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// The same without the subcommands: building the parser of all their options would take a tenth of the
/// time that judging a case takes.
#[derive(Parser)]
#[command(name = "tester", version, about = ABOUT, override_usage = USAGE)]
struct Single {
    #[command(flatten)]
    run: Run,
}

const USAGE: &str = "tester [OPTIONS] PROGRAM [ARGS]... < CASE > OUTPUT\n       tester <COMMAND>";

impl Cli {
    /// What was typed. Ends the process where that cannot be understood, or asks for help.
    ///
    /// # Errors
    /// If `tester.toml` is to be read, and cannot be understood.
    pub(crate) fn of_words() -> anyhow::Result<Self> {
        let words: Vec<OsString> = std::env::args_os().skip(1).collect();
        if let Some(plain) = Self::plain(words.clone()) {
            return Ok(plain);
        }
        if words
            .first()
            .is_some_and(|word| word == "batch" || word == "duel")
        {
            return Self::configured(&words[0], &words[1..]);
        }
        let first = words.first().map(|word| word.to_string_lossy());
        let asks = |word: &OsString| {
            ["-h", "--help", "-V", "--version"]
                .iter()
                .any(|w| word == w)
        };
        if first.is_some_and(|word| word.starts_with('-')) && !words.iter().any(asks) {
            return Ok(Self {
                command: None,
                run: Single::parse().run,
            });
        }
        Ok(Self::parse())
    }

    /// `tester batch` or `duel`, with the options of `tester.toml` in front of those that were typed.
    fn configured(name: &OsString, words: &[OsString]) -> anyhow::Result<Self> {
        let own = std::env::args_os()
            .next()
            .unwrap_or_else(|| "tester".into());
        let front = [own, name.clone()];
        let typed = Typed::split(name, words);
        let usual = || Some(PathBuf::from(tester::run::config::FILE)).filter(|path| path.is_file());
        let path = match typed.has("--no-config") || typed.has("--help") || typed.has("-h") {
            true => None,
            false => typed.value("--config").or_else(usual),
        };
        let Some(path) = path else {
            return Ok(Self::parse_from(front.iter().chain(words)));
        };
        let mut file = read_config(&path)?;
        if typed.has("--resume") {
            // Everything else is that of the run, which is found by where its outputs are.
            file.options
                .retain(|word| word.to_string_lossy().starts_with("--out="));
            file.command.clear();
        }
        if typed.has("--seeds") || typed.has("--all-secrets") {
            file.options
                .retain(|word| !word.to_string_lossy().starts_with("--cases="));
        }
        if typed.has("--external") || typed.has_program || name != "batch" {
            file.command.clear();
        }
        let shown: Vec<String> = file.options.iter().map(|word| shell_word(word)).collect();
        note!("tester: {}: {}", path.display(), shown.join(" "));
        let dashes = OsString::from("--");
        let before = front.iter().chain(&file.options).chain(typed.options);
        Ok(match file.command.is_empty() {
            true => Self::parse_from(before.chain(typed.rest)),
            false => Self::parse_from(before.chain([&dashes]).chain(&file.command)),
        })
    }

    /// `tester PROGRAM ARGS…` with no option of ours, which is how a case is judged a thousand times
    /// a day. `None` for everything else; a test holds both to the same result.
    fn plain(words: Vec<OsString>) -> Option<Self> {
        let program = words.first()?.to_str()?;
        // A path is neither an option nor the name of a subcommand.
        let is_path = program.contains('/') && !program.starts_with('-');
        is_path.then_some(Self {
            command: None,
            run: Run {
                seed: None,
                problem: None,
                transcript: None,
                strict: false,
                limits: LimitArgs {
                    time_limit: Limits::default().time,
                    memory_limit: Limits::default().memory_kib >> 10,
                    turn_limit: Limits::default().turns,
                    process_limit: Limits::default().processes,
                    sandbox: false,
                },
                words,
            },
        })
    }
}

/// What was typed behind `batch` or `duel`.
struct Typed<'a> {
    /// The words in front of the program.
    options: &'a [OsString],
    /// The program and what stands behind it, which is its own; perhaps with two dashes in front.
    rest: &'a [OsString],
    has_program: bool,
}

impl<'a> Typed<'a> {
    fn split(name: &OsString, words: &'a [OsString]) -> Self {
        let parser = Cli::command();
        let parser = parser.find_subcommand(name).expect("called with those two");
        // Of `--resume`, a value would stand behind an equals sign.
        let takes_next = |word: &str| {
            let long = word.strip_prefix("--");
            let mut known = parser.get_arguments();
            let found = known.find(|known| long.is_some() && known.get_long() == long);
            found.is_some_and(|a| a.get_action().takes_values() && !a.is_require_equals_set())
        };
        let mut at = 0;
        while let Some(word) = words.get(at).map(|word| word.to_string_lossy()) {
            if word == "--" || !word.starts_with('-') {
                break;
            }
            at += if takes_next(&word) { 2 } else { 1 };
        }
        let (options, rest) = words.split_at(at.min(words.len()));
        Self {
            options,
            rest,
            has_program: rest.iter().any(|word| word != "--"),
        }
    }

    /// Whether an option was typed, with its value behind it, behind an equals sign, or without one.
    fn has(&self, option: &str) -> bool {
        let is = |word: &OsString| word == option || value_in(word, option).is_some();
        self.options.iter().any(is)
    }

    fn value(&self, option: &str) -> Option<PathBuf> {
        let at = self.options.iter().position(|word| word == option);
        let behind = at
            .and_then(|at| self.options.get(at + 1))
            .map(PathBuf::from);
        let inside = || self.options.iter().find_map(|word| value_in(word, option));
        behind.or_else(inside)
    }
}

/// What stands behind `--option=`.
fn value_in(word: &OsString, option: &str) -> Option<PathBuf> {
    let value = word.to_str()?.strip_prefix(option)?.strip_prefix('=')?;
    Some(PathBuf::from(value))
}

#[derive(clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Make case files from seeds
    Gen(Gen),
    /// Be the judge on standard input and output: no program is started
    Judge(Judge),
    /// Judge many cases, print a table, and keep what came of them
    Batch(Batch),
    /// Write a tester.toml, with which batch judges by a contest's own local tester
    Init(Init),
    /// Compare two programs on the same seeds until it is decided which is better
    Duel(Duel),
    /// Put shards of a batch together, wherever they were judged, and keep them as one run
    Merge(Merge),
    /// List the runs that were kept
    History(History),
    /// Show a run that was kept
    Show(Show),
    /// Compare two runs, case by case
    Compare(Compare),
    /// Write runs as one HTML file, to look at in a browser
    Report(Report),
    /// Write one session as an HTML file, to look at turn by turn
    Vis(Vis),
    /// Play a case yourself
    Play(Play),
}

#[derive(Args)]
pub(crate) struct Run {
    /// Judge the case of this seed instead of the one on standard input
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "PROBLEM", requires = "seed", help = problem_help())]
    pub(crate) problem: Option<String>,
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
    /// Processes that a program may have alive at once, its own included
    #[arg(long, value_name = "N", default_value_t = Limits::default().processes, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    process_limit: u64,
    /// Keep the program from files, network and other processes, as far as the machine can
    #[arg(long)]
    pub(crate) sandbox: bool,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory_kib: self.memory_limit << 10,
            turns: self.turn_limit,
            processes: self.process_limit,
            ..Limits::default()
        }
    }
}

fn problem_help() -> String {
    format!("Problem and parameters: {}", tester::problem::usages("; "))
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

/// Seeds for as long as it takes: as [`seed_range`], and `A..` for all from A on.
fn open_seed_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    match text.strip_suffix("..").map(str::parse) {
        Some(Ok(first)) => Ok(first..=u64::MAX),
        _ => seed_range(text),
    }
}

fn seed_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |word: &str| {
        word.parse::<u64>().map_err(|_| match word {
            "" => "expected seeds from one number to another, such as 0..100".to_owned(),
            _ => format!("expected seeds such as 0..100, found {word:?} for a number"),
        })
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
        Single::command().debug_assert();
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
        assert_eq!(open_seed_range("7.."), Ok(7..=u64::MAX));
        assert_eq!(open_seed_range("7..9"), Ok(7..=8));
        assert!(open_seed_range("..").is_err());
        for bad in [
            "",
            "..",
            "3..",
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
