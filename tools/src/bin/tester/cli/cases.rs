//! `tester gen`, `tester judge`, `tester play`: one case or many, and no program to judge.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use tester::problem::{DEFAULT_PROBLEM, PROBLEMS};

use super::{problem_help, seed_range};

fn problems_at_length() -> String {
    let about =
        |p: &&dyn tester::problem::Problem| format!("  {}\n      {}\n", p.usage(), p.about());
    let all: String = PROBLEMS.iter().map(about).collect();
    format!("Problems:\n{all}")
}

const GEN_EXAMPLES: &str = "\
Examples:
  tools/tester gen --seeds 0..100                               in/0000.txt to in/0099.txt
  tools/tester gen --seeds 0..20 --problem \"mastermind 4 6\" --dir mm
  tools/tester gen seeds.txt --dir in                  line 0 of seeds.txt to in/0000.txt, …

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
    /// Compare with this program on the same case; with its arguments in one word
    #[arg(long, value_name = "PROGRAM", default_value = "./solver")]
    pub(crate) solver: String,
}

const VIS_EXAMPLES: &str = "\
Examples:
  tools/tester vis in/0000.txt out/0000.txt              writes vis.html, prints Score = N
  tools/tester vis in/0000.txt out/0000.transcript       with times and what was written on stderr
  tools/tester --transcript t ./solver < in/0000.txt > o && tools/tester vis --transcript in/0000.txt t

What was written on stdout does not tell about limits and exit status; a transcript does.";

#[derive(Args)]
#[command(after_help = VIS_EXAMPLES)]
pub(crate) struct Vis {
    /// The case
    #[arg(value_name = "CASE")]
    pub(crate) case: PathBuf,
    /// What the program wrote on stdout, or the transcript of the session
    #[arg(value_name = "OUTPUT")]
    pub(crate) output: PathBuf,
    /// OUTPUT is a transcript, as its name says where it ends in .transcript
    #[arg(long)]
    transcript: bool,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "vis.html")]
    pub(crate) to: PathBuf,
    /// Guesses that are answered; one more is WA
    #[arg(long, value_name = "TURNS", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) turn_limit: u64,
}

impl Vis {
    /// Whether OUTPUT is a transcript. What is in it does not tell: a program could write what looks like one.
    pub(crate) fn is_transcript(&self) -> bool {
        self.transcript
            || self
                .output
                .extension()
                .is_some_and(|ext| ext == "transcript")
    }
}
