//! `tester delete`: which runs are deleted.

use clap::Args;

use super::history::HistoryFile;

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} delete 17
  {tester} delete last                   the newest run
  {tester} delete 3 5 v2                 v2: the newest run with this tag

With a run go its records, output files and pictures. It no longer counts among the best scores of its cases, in \
comparisons and in lists. Frozen best scores stay. Either all of the runs are deleted, or none. Nothing brings them back.")]
pub(crate) struct Delete {
    /// Runs: numbers, tags, or last
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<String>,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}
