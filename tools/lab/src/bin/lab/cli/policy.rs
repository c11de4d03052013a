//! Policies and their options, as they are typed.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Parser};
use lab::game::HABITS;
use lab::policy::{Options, POLICIES, Policy, PolicyFactory, PolicyOption, Pool, Tie, select};
use lab::simulate::{self, ADAPTERS, Adapter, PolicyEntry};
use tester::problem::default_problem;
use tester::shard::Part;

use super::seed_range;

/// Options of policies; each policy takes some of them.
#[derive(Args)]
#[command(next_help_heading = "Policy options")]
pub(crate) struct PolicyOptionArgs {
    /// Guesses to consider [default: all]
    #[arg(long, value_enum)]
    pool: Option<Pool>,
    /// Which of equally good guesses to take [default: candidate]
    #[arg(long, value_enum)]
    tie: Option<Tie>,
    /// Bonus in bits for the right guess, times its probability (article 003: 2)
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    hit_bonus: Option<f64>,
    /// Count the right guess of probability p as log2(1/p + C) (article 004: 10)
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    hit_gain: Option<f64>,
    /// Seed for random choices, and for --tie random [default: 0]
    #[arg(long)]
    seed: Option<u64>,
}

impl PolicyOptionArgs {
    pub(crate) fn options(&self, prior: bool) -> Options {
        Options {
            pool: self.pool,
            tie: self.tie,
            hit_bonus: self.hit_bonus,
            hit_gain: self.hit_gain,
            seed: self.seed,
            prior,
        }
    }
}

/// A policy, ready to be played.
pub(crate) struct SelectedPolicy {
    pub(crate) factory: &'static PolicyFactory,
    pub(crate) options: Options,
}

impl SelectedPolicy {
    pub(crate) fn new(name: &str, choice: &PolicyOptionArgs, prior: bool) -> Result<Self> {
        let options = choice.options(prior);
        let factory = select(name, &options).context("failed to understand the policy")?;
        Ok(Self { factory, options })
    }

    /// A policy with its options in brackets: `mi[pool=all,hit-bonus=2]`.
    pub(crate) fn from_text(text: &str) -> Result<Self> {
        let understood = || format!("failed to understand the policy {text:?}");
        let (name, choice) = split_options(text).with_context(understood)?;
        let options = choice.options(false);
        let factory = select(name, &options).with_context(understood)?;
        Ok(Self { factory, options })
    }

    pub(crate) fn policy(&self) -> Box<dyn Policy> {
        (self.factory.build)(&self.options)
    }
}

impl PolicyOptionArgs {
    /// The options in brackets after a policy's name: `pool=all,tie=first,hit-bonus=2`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Words {
            #[command(flatten)]
            choice: PolicyOptionArgs,
        }
        let words = text
            .split(',')
            .filter(|word| !word.is_empty())
            .map(|word| format!("--{word}"));
        let parsed = Words::try_parse_from(words).map_err(|error| {
            let first = error.to_string();
            anyhow::anyhow!(
                "{}",
                first
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned()
            )
        });
        Ok(parsed?.choice)
    }
}

#[derive(Args)]
#[command(after_help = all_policies_help())]
pub(crate) struct PolicyArgs {
    /// Name of the policy, see below
    #[arg(
        required_unless_present = "merge",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = default_problem(), help_heading = "Cases")]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: PolicyOptionArgs,
    /// File with a code and its weight in each line; other codes are impossible
    #[arg(long, value_name = "FILE", help_heading = "Cases")]
    pub(crate) prior: Option<PathBuf>,
    /// Seeds to play, for random, and for problems that are not played with every secret [default: 0..2000]
    #[arg(long, help_heading = "Cases", value_name = "A..B", value_parser = seed_range)]
    pub(crate) seeds: Option<Range<u64>>,
    /// Other policies, such as "mi-turns[hit-bonus=6]": compare them on the same cases, one by one
    #[arg(long, help_heading = "Cases", value_name = "POLICY", conflicts_with_all = ["json", "shard"])]
    pub(crate) against: Vec<String>,
    /// Compare on this number of paths of wrong guesses instead of games: the same mean with less chance
    #[arg(long, help_heading = "Cases", value_name = "N", requires = "against")]
    pub(crate) paths: Option<u64>,
    /// Print the game for this secret instead, turn by turn
    #[arg(long, help_heading = "Cases", value_name = "CODE", conflicts_with_all = ["prior", "seeds", "shard", "json"])]
    pub(crate) secret: Option<String>,
    /// Characters for the digits of --secret and its game, the one for 0 first, such as 123456789
    #[arg(
        long,
        help_heading = "Cases",
        value_name = "CHARACTERS",
        requires = "secret"
    )]
    pub(crate) digits: Option<String>,
    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Count only the I-th of N parts, and print a line for --merge
    #[arg(
        long,
        help_heading = "Sharding",
        value_name = "I/N",
        conflicts_with = "prior"
    )]
    pub(crate) shard: Option<Part>,
    /// Add up parts that --shard printed, and print the figures
    #[arg(long, help_heading = "Sharding", value_name = "FILES", num_args = 1.., conflicts_with_all = ["policy", "problem", "seeds", "prior", "secret", "shard", "against"])]
    pub(crate) merge: Vec<PathBuf>,
}

#[derive(Args)]
#[command(after_help = policies_help())]
pub(crate) struct CompareArgs {
    /// Policies, with options in brackets, such as "mi[tie=first,hit-bonus=2]"
    #[arg(required = true, value_name = "POLICY", num_args = 1..=6)]
    pub(crate) policies: Vec<String>,
    /// Problem and parameters
    #[arg(long, default_value = default_problem())]
    pub(crate) problem: String,
}

#[derive(Args)]
#[command(after_help = policies_help())]
pub(crate) struct ExploitArgs {
    /// Name of the policy, see below
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = default_problem(), help_heading = "Cases")]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: PolicyOptionArgs,
}

#[derive(Args)]
#[command(after_help = habits_help())]
pub(crate) struct PriorCostArgs {
    /// Name of the policy that believes a prior: map or mi
    #[arg(default_value = "mi")]
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = default_problem(), help_heading = "Cases")]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: PolicyOptionArgs,
    /// Another prior: a file with a code and its weight in each line
    #[arg(long, value_name = "FILE", help_heading = "Cases")]
    pub(crate) prior: Vec<PathBuf>,
    /// Print the prior of this name as a file, for --prior of lab and solver
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) print: Option<String>,
}

fn habits_help() -> String {
    let entries = HABITS
        .iter()
        .map(|habit| format!("  {:<11} {}\n", habit.name, habit.about));
    format!("Priors:\n{}", entries.collect::<String>())
}

/// A policy's name, and the options in brackets after it: `pool=all,tie=first,hit-bonus=2`.
fn split_options(text: &str) -> Result<(&str, PolicyOptionArgs)> {
    let (name, options) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, options)) => (name, options),
        None => (text, ""),
    };
    Ok((name, PolicyOptionArgs::parse(options)?))
}

/// A policy of a problem that is played game by game, with its options in brackets.
pub(crate) fn select_played(adapter: &dyn Adapter, text: &str) -> Result<simulate::SelectedPolicy> {
    let (name, choice) =
        split_options(text).with_context(|| format!("failed to understand the policy {text:?}"))?;
    let policy = simulate::select(adapter, name, &choice.options(false));
    policy.context("failed to understand the policy")
}

/// A policy in a help text.
fn policy_entry(name: &str, about: &str, takes: &[PolicyOption]) -> String {
    let flags: Vec<&str> = takes.iter().map(|option| option.flag()).collect();
    let takes = match flags[..] {
        [] => String::new(),
        _ => format!("  {:<17} takes {}\n", "", flags.join(", ")),
    };
    format!("  {name:<17} {about}\n{takes}")
}

/// Strategies beside the policies, for games that can be searched to the end.
pub(super) const TREES: &str = concat!(
    "  optimal           the fewest turns on average, proved, as lab optimal finds it\n",
    "  optimal-worst     the fewest turns at worst, then on average, proved\n",
    "  tree:FILE         a tree file, as lab optimal --tree writes it\n",
);

fn policies_help() -> String {
    let entry = |policy: &&PolicyFactory| policy_entry(policy.name, policy.about, policy.takes);
    let entries: String = POLICIES.iter().map(entry).collect();
    format!(
        "Policies for hitblow and mastermind:\n{entries}\nOptimal strategies and tree files for hitblow and mastermind:\n{TREES}"
    )
}

/// The same with the policies of problems that are played game by game.
fn all_policies_help() -> String {
    let played = ADAPTERS.iter().map(|adapter| {
        let entry = |entry: &PolicyEntry| policy_entry(entry.name, entry.about, entry.takes);
        let entries: String = adapter.policies().iter().map(entry).collect();
        format!(
            "\nPolicies for {}, played game by game:\n{entries}",
            adapter.name()
        )
    });
    policies_help() + &played.collect::<String>()
}
