//! `tester problems`.

use clap::Args;

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} problems
  {tester} problems --json | jq -r .[].name")]
pub(crate) struct Problems {
    /// Print a JSON array, with an object for each problem
    #[arg(long)]
    pub(crate) json: bool,
}
