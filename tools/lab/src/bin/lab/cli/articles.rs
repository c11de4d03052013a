//! The articles and their entropies, as they are typed.

use clap::Args;
use lab::articles::titles;

#[derive(Args)]
#[command(after_help = titles_help())]
pub(crate) struct ArticlesArgs {
    /// Show the entries of one article, 000 to 004
    #[arg(value_name = "ARTICLE", value_parser = article)]
    pub(crate) article: Option<String>,
    /// Print one JSON object for each entry
    #[arg(long)]
    pub(crate) json: bool,
}

/// `003`, also without the zeros before it.
fn article(text: &str) -> Result<String, String> {
    let number: Option<u32> = text.parse().ok();
    let mut known = titles().map(|(known, _)| known.to_owned());
    let found = known.find(|known| known.parse().ok() == number && number.is_some());
    found.ok_or_else(|| "expected 000, 001, 002, 003 or 004".to_owned())
}

fn titles_help() -> String {
    let entries = titles().map(|(number, title)| format!("  {number}  {title}\n"));
    format!("Articles:\n{}", entries.collect::<String>())
}

#[derive(Args)]
pub(crate) struct EntropyArgs {
    /// Weights, such as the balls of each colour in a box; "/" begins the next row
    #[arg(required = true, value_name = "WEIGHT", allow_negative_numbers = true)]
    pub(crate) weights: Vec<String>,
    /// Weights are numbers of balls in boxes: show what is left after drawing 1, 2, … of them
    #[arg(long)]
    pub(crate) draws: bool,
}

#[derive(Args)]
pub(crate) struct BayesArgs {
    /// Prior weights of the hypotheses; after each "/", the likelihood of an observation for each of them
    #[arg(required = true, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) numbers: Vec<String>,
    /// Names of the hypotheses, with commas between them [default: 1,2,…]
    #[arg(long, value_name = "NAMES")]
    pub(crate) names: Option<String>,
    /// Observe all of that N times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) times: u32,
}
