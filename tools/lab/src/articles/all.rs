//! All entries together.

use super::entry::Entry;
use super::{bayes, gandhi, greedy, information, mastermind};

/// The four boxes of article 000, each with its balls of three colours: aqua, blue and purple.
pub fn boxes() -> [[f64; 3]; 4] {
    information::BOXES
}

/// An article.
struct Article {
    /// Its number in this project.
    number: &'static str,
    /// Its title where it was published, in its own language; for 003, the series that it belongs to.
    title: &'static str,
    /// What computes its entries.
    compute: fn() -> Vec<Entry>,
}

const ARTICLES: [Article; 5] = [
    Article {
        number: "000",
        title: "Hit&Blowで学ぶ最適化part2 相互情報量",
        compute: information::entries,
    },
    Article {
        number: "001",
        title: "master mind by c++; part13 minmax, exp_minmax, entropy policy",
        compute: mastermind::entries,
    },
    Article {
        number: "002",
        title: "Hit&Blowで学ぶベイズ推定:理論から実装まで",
        compute: bayes::entries,
    },
    Article {
        number: "003",
        title: "第1回 深夜の真剣レポート60分一本勝負「今週の学び」",
        compute: greedy::entries,
    },
    Article {
        number: "004",
        title: "名侦探甘迪问题",
        compute: gandhi::entries,
    },
];

/// Number and title of each article.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    ARTICLES
        .iter()
        .map(|article| (article.number, article.title))
}

/// The entries of one article, or of all, in the order of the articles. Cost: a second or two for all.
pub fn entries(article: Option<&str>) -> Vec<Entry> {
    let is_wanted = |known: &&Article| article.is_none_or(|number| number == known.number);
    let wanted = ARTICLES.iter().filter(is_wanted);
    wanted.flat_map(|article| (article.compute)()).collect()
}
