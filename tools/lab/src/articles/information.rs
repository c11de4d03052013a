//! Article 000: entropy, conditional entropy, mutual information.

use super::figure::{Figure, all_exact, exact, explained};
use super::helpers::{code, codes, entropy_bits, outcome};
use crate::game::observations::{parse_observation, posterior};
use crate::policy::{Options, Pool, Tie};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::Scorer;

const ARTICLE: &str = "000";

/// The four boxes: aqua, blue and purple balls.
pub(super) const BOXES: [[f64; 3]; 4] = [
    [3.0, 4.0, 0.0],
    [1.0, 6.0, 0.0],
    [0.0, 7.0, 0.0],
    [2.0, 3.0, 2.0],
];

pub(super) fn figures() -> Vec<Figure> {
    let mut figures = boxes();
    figures.extend(scene());
    let codes = codes("hitblow 3 10");
    let played = outcome(
        &codes,
        "mi",
        &Options {
            pool: Some(Pool::Candidates),
            tie: Some(Tie::First),
            ..Options::default()
        },
    );
    let mean = format!("{:.2}", played.all_turns().mean);
    figures.push(exact(
        ARTICLE,
        "mean turns, mutual information among candidates",
        "5.15",
        mean,
    ));
    figures.push(explained(
        ARTICLE,
        "what the printed program declares with one candidate left",
        "the candidate",
        ("000", as_printed()),
        "with one candidate every mutual information is 0, never more than the 0 it starts from, so \
         that it declares 000 again and again; declaring a single candidate at once gives the 5.15 above",
    ));
    figures
}

fn boxes() -> Vec<Figure> {
    let mut figures = Vec::new();
    for (number, (balls, formula)) in
        (1..).zip(BOXES.iter().zip(["0.985", "0.592", "0.000", "1.557"]))
    {
        let entropy = format!("{:.3}", entropy_bits(balls));
        let what = format!("entropy of box {number}, bits (a formula there)");
        figures.push(exact(ARTICLE, what, formula, entropy));
    }
    let prior = format!("{:.0}", entropy_bits(&[1.0; 4]));
    figures.push(exact(
        ARTICLE,
        "entropy of which box it is, bits",
        "2",
        prior,
    ));
    // P(box | colour) ∝ P(box) · P(colour | box)
    for (colour, (name, formula)) in [("aqua", "1.459"), ("blue", "1.926"), ("purple", "0.000")]
        .iter()
        .enumerate()
    {
        let likelihood = |balls: &[f64; 3]| balls[colour] / balls.iter().sum::<f64>();
        let entropy = format!(
            "{:.3}",
            entropy_bits(&BOXES.map(|balls| likelihood(&balls)))
        );
        let what = format!("the same after a ball of {name} (a formula there)");
        figures.push(exact(ARTICLE, what, formula, entropy));
    }
    figures
}

/// 012 was answered 0H1B, 134 0H2B.
fn scene() -> Vec<Figure> {
    let codes = codes("hitblow 3 10");
    let rows = ["012:0,1", "134:0,2"]
        .map(|row| parse_observation(&codes, row).expect("a row of the article"));
    let posterior = posterior(&codes, &Posterior::uniform(codes.len()), &rows);
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(&codes, &posterior, &all);
    let mut left =
        |guess| posterior.entropy_bits() - scorer.mutual_information_bits(code(&codes, guess));
    let (worse, better) = (left("243"), left("451"));
    let mut classes = |guess| {
        scorer.count(code(&codes, guess));
        let counts = scorer.counts;
        let mut sizes: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let count = posterior.support().len().to_string();
    let comparison = if better < worse {
        "smaller"
    } else {
        "not smaller"
    };
    let compared = format!("conditional entropy after 451 ({better:.2} bits), compared with 243");
    let figures = [
        ("candidates after 012 0H1B, 134 0H2B", "19", count),
        (
            "candidates after each reply to 243",
            "10 5 2 1 1",
            classes("243"),
        ),
        (
            "conditional entropy after 243, bits",
            "2.46",
            format!("{worse:.2}"),
        ),
        (
            "candidates after each reply to 451",
            "6 5 4 2 1 1",
            classes("451"),
        ),
        (&*compared, "smaller", comparison.to_owned()),
    ];
    all_exact(ARTICLE, figures)
}

/// What the article's loop takes where 960 alone is left: of the codes with a probability, the first
/// with more mutual information than the largest so far, which starts from 0 with the number 0.
fn as_printed() -> String {
    let codes = codes("hitblow 3 10");
    let posterior = Posterior::among(vec![code(&codes, "960")], None);
    let mut scorer = Scorer::new(&codes, &posterior, &[0]);
    let (mut best, mut most) = (0, 0.0);
    for number in 0..1000 {
        let Some(guess) = crate::game::find(&codes, &format!("{number:03}")) else {
            continue; // a digit appears twice
        };
        if posterior.probability(guess) == 0.0 {
            continue;
        }
        let information = scorer.mutual_information_bits(guess);
        if information > most {
            (best, most) = (number, information);
        }
    }
    format!("{best:03}")
}
