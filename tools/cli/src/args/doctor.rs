//! `tester doctor`.

use clap::Args;

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} doctor
  {tester} doctor --json | jq '.[] | select(.ok | not)'

Exit status: 0 if nothing that a program starts can outlive its case, whatever it \
does; 1 if that is not certain; 2 if this could not be found out.")]
pub(crate) struct Doctor {
    /// Print a JSON array, with an object for each line
    #[arg(long)]
    pub(crate) json: bool,
}
