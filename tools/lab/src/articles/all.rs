//! All entries together.

use super::entry::Entry;
use super::{bayes, gandhi, greedy, information, mastermind};

/// The four boxes of article 000, each with its balls of three colours: aqua, blue and purple.
pub fn boxes() -> [[f64; 3]; 4] {
    information::BOXES
}

/// What computes the entries of an article.
type Compute = fn() -> Vec<Entry>;

/// The articles, with what computes their entries.
const ARTICLES: [(&str, Compute); 5] = [
    ("000", information::entries),
    ("001", mastermind::entries),
    ("002", bayes::entries),
    ("003", greedy::entries),
    ("004", gandhi::entries),
];

/// The entries of one article, or of all, in the order of the articles. Cost: a second or two for all.
pub fn entries(article: Option<&str>) -> Vec<Entry> {
    let is_wanted = |name: &str| article.is_none_or(|article| article == name);
    let wanted = ARTICLES.iter().filter(|(name, _)| is_wanted(name));
    wanted.flat_map(|(_, entries)| entries()).collect()
}
