//! The grammar of the command line: one parser, run once.

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand as _};

use super::attach::Attach;
use super::batch::Batch;
use super::best::Best;
use super::delete::Delete;
use super::doctor::Doctor;
use super::duel::Duel;
use super::edit::Edit;
use super::history::{Compare, History, Report, Show};
use super::init::Init;
use super::late::Late;
use super::merge::Merge;
use super::new_package::New;
use super::one_case::{Gen, Judge, Play};
use super::package::Package;
use super::problems::Problems;
use super::single::Single;
use super::source::{Diff, SourceOf};
use super::tune::Tune;
use super::vis::Vis;

const EXAMPLES: &str = "\
Examples:
  {tester} ./solver < in/0000.txt > out/0000.txt       judge one case
  {tester} python3 my.py < in/0000.txt                 any command, any language
  {tester} --transcript t ./solver < in/0000.txt       write down both sides
  {tester} --seed 7 ./solver                           the case of a seed
  {tester} batch -- ./solver                           every case of the folder in
  {tester} compare                                     the last two runs, by case
  {tester} report                                      the last run, for a browser
  {tester} duel ./a ./b                                which of two is better
  {tester} tune -- ./a '{width:1..200:int}'            find a good number
  {tester} gen --seeds 0..100                          make case files
  {tester} judge in/0000.txt                           the judge alone, on stdio
  {tester} attach in/0000.txt                          for gdb, lldb, VS Code
  {tester} vis in/0000.txt out/0000.txt                one session, for a browser
  {tester} play                                        play yourself
  {tester} new NAME                                    a problem of your own
  {tester} -- gen                                      a program called gen

{here}Standard output is the program's own. Standard error is the program's own, then a line such as \
\"WA: turn 3: digit 7 appears twice in \"7 7 1\"\" unless the verdict is AC, then \"Score = 5\".

Exit status: 0 if the case was judged, whatever the verdict (with --strict: 1 unless AC); \
2 if it could not be judged.";

/// An interactive judge: runs a program on a case and scores its turns
#[derive(Parser)]
#[command(
    name = "tester", version, after_help = EXAMPLES,
    args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Subcommand>,
    #[command(flatten)]
    pub(crate) single: Single,
}

#[derive(clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Judge many cases, print a table, keep the run in the history
    Batch(Late<Batch>),
    /// Play two programs on the same seeds until one is better
    Duel(Late<Duel>),
    /// Tune numbers of a command over many cases
    Tune(Late<Tune>),
    /// List the runs of the history
    History(Late<History>),
    /// Show a run of the history
    Show(Late<Show>),
    /// Compare two runs, case by case
    Compare(Late<Compare>),
    /// Print the source of a run's program
    Source(Late<SourceOf>),
    /// Print how the sources of two runs differ
    Diff(Late<Diff>),
    /// Correct the tag, remark or objective of past runs
    Edit(Late<Edit>),
    /// Delete past runs with their records and output files
    Delete(Late<Delete>),
    /// Freeze the best score of each case, import or export it
    Best(Late<Best>),
    /// Write runs as one HTML file
    Report(Late<Report>),
    /// Write one session as an HTML file, turn by turn
    Vis(Late<Vis>),
    /// Play a case yourself
    Play(Late<Play>),
    /// Be the judge on standard input and output; no program is started
    Judge(Late<Judge>),
    /// Judge a program that you start yourself, such as in a debugger
    Attach(Late<Attach>),
    /// Make case files from seeds
    Gen(Late<Gen>),
    /// List the problems, their parameters and rules
    Problems(Late<Problems>),
    /// Say how safely this machine can judge, and what would help
    Doctor(Late<Doctor>),
    /// Write a tester.toml, to judge by a contest's own local tester
    Init(Late<Init>),
    /// Write a package with a problem of your own
    New(Late<New>),
    /// Judge the submissions of an interactive Kattis problem package
    Package(Late<Package>),
    /// Combine the shards of a batch into one run
    Merge(Late<Merge>),
}

/// The command whose name is most like `word`, if one is, as clap guesses it.
pub(crate) fn similar_command(word: &str) -> Option<String> {
    let bare = Subcommand::augment_subcommands(clap::Command::new("tester"));
    let error = bare.try_get_matches_from(["tester", word]).err()?;
    match error.get(ContextKind::SuggestedSubcommand)? {
        // The most similar one comes last.
        ContextValue::Strings(names) => names.last().cloned(),
        ContextValue::String(name) => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_are_declared_consistently() {
        Cli::command().debug_assert();
    }

    #[test]
    fn misspelt_commands_are_guessed() {
        assert_eq!(similar_command("bacth").as_deref(), Some("batch"));
        assert_eq!(similar_command("histroy").as_deref(), Some("history"));
        assert_eq!(similar_command("hist").as_deref(), Some("history"));
        assert_eq!(similar_command("python3"), None);
    }
}
