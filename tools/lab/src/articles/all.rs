//! All figures together.

use super::figure::Figure;
use super::{bayes, gandhi, greedy, information, mastermind};

/// The four boxes of article 000, each with its balls of three colours: aqua, blue and purple.
pub fn boxes() -> [[f64; 3]; 4] {
    information::BOXES
}

/// All figures, article by article. Cost: half a second, most of it for article 001's largest game.
pub fn figures() -> Vec<Figure> {
    let mut figures = information::figures();
    figures.extend(mastermind::figures());
    figures.extend(bayes::figures());
    figures.extend(greedy::figures());
    figures.extend(gandhi::figures());
    figures
}
