//! Article 004: "detective Gandhi", three of nine digits, written 1 to 9 there and 0 to 8 here.

use super::entropy::entropy_bits;
use super::entry::{Entry, Group, Kind};
use super::helpers::{Scene, codes, distribution, first_of, outcome, yes};
use crate::policy::{Options, Outcome, Pool};
use crate::solver::pegs::CodeId;

const ARTICLE: &str = "004";

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        surprise(),
        coin(),
        die(),
        scene(),
        tops(),
        played(),
        best_gain(),
        stones(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

fn surprise() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 1 999");
    let bits = |p: f64| -p.log2();
    group.figure(
        "bits if a coin stands, which has probability 0.001 (a formula there)",
        "9.966",
        format!("{:.3}", bits(0.001)),
    );
    group.figure(
        "bits if it lies (a formula there)",
        "0.00144",
        format!("{:.5}", bits(0.999)),
    );
    group.figure(
        "bits on average (a formula there)",
        "0.0114",
        format!("{:.4}", entropy_bits(&[1.0, 999.0])),
    );
    group
}

fn coin() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 1 1");
    group.figure(
        "entropy of a fair coin, bits",
        "1",
        format!("{:.0}", entropy_bits(&[1.0; 2])),
    );
    let most = (1..1000)
        .map(|n| entropy_bits(&[f64::from(n), f64::from(1000 - n)]))
        .fold(0.0, f64::max);
    let is_most = entropy_bits(&[500.0, 500.0]) >= most;
    group.exact(
        Kind::Claim,
        "entropy is largest if all are equally likely (coins of probability 0.001 to 0.999)",
        "yes",
        yes(is_most),
    );
    let falls = (1..500).all(|n| {
        let of = |n: u32| entropy_bits(&[f64::from(n), f64::from(1000 - n)]);
        of(n) < of(n + 1)
    });
    group.exact(
        Kind::Claim,
        "it goes to 0 as one of them becomes certain",
        "yes",
        yes(falls && entropy_bits(&[0.0, 1.0]) == 0.0),
    );
    group
}

fn die() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 1 1 1 1 1 1 1 1");
    group.figure(
        "entropy of a die with eight faces, bits",
        "3",
        format!("{:.0}", entropy_bits(&[1.0; 8])),
    );
    group
}

/// After 123 1H1B there, 012 here.
fn scene() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 9\" 012:1,1 --guess 034 --guess 345",
    );
    let scene = Scene::new("hitblow 3 9", &["012:1,1"]);
    group.figure(
        "candidates after 123 1H1B",
        "36",
        scene.candidates().to_string(),
    );
    let named: Vec<String> = scene
        .posterior
        .support()
        .iter()
        .map(|&code| theirs(&scene, code))
        .collect();
    let shown = format!("{} … {}", named[..3].join(" "), named[named.len() - 1]);
    group.figure("the first and the last of them", "134 135 136 … 921", shown);
    group.figure("codes to choose from", "504", scene.codes.len().to_string());
    group.figure(
        "candidates after each reply to 145",
        "0H0B 8, 0H1B 10, 0H2B 4, 1H0B 10, 1H1B 2, 2H0B 2",
        scene.shown_parts("034"),
    );
    group.figure(
        "candidates after each reply to 456",
        "0H0B 18, 0H1B 12, 1H0B 6",
        scene.shown_parts("345"),
    );
    let (near, far) = (scene.bits("034"), scene.bits("345"));
    group.figure(
        "entropy of the reply to 145, bits (a formula there)",
        "2.32",
        format!("{near:.2}"),
    );
    group.figure(
        "entropy of the reply to 456, bits (a formula there)",
        "1.459",
        format!("{far:.3}"),
    );
    group
}

/// A code as the article writes it.
fn theirs(scene: &Scene, code: CodeId) -> String {
    scene
        .codes
        .digits(code)
        .iter()
        .map(|digit| (digit + 1).to_string())
        .collect()
}

fn tops() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 9\" 012:1,1");
    let scene = Scene::new("hitblow 3 9", &["012:1,1"]);
    let (most, tops) = scene.tops();
    group.figure(
        "largest entropy of a reply, bits",
        "2.32",
        format!("{most:.2}"),
    );
    let keeps_one = |&code: &CodeId| {
        let digits = scene.codes.digits(code);
        let kept = (0..3)
            .filter(|&place| usize::from(digits[place]) == place)
            .count();
        let new = digits.iter().filter(|digit| **digit >= 3).count();
        kept == 1 && new == 2
    };
    let all = (0..scene.codes.len() as CodeId).filter(keeps_one).count();
    let shown = format!(
        "{} of {}, and {} others",
        tops.iter().filter(|code| keeps_one(code)).count(),
        all,
        tops.iter().filter(|code| !keeps_one(code)).count()
    );
    group.answered(
        Kind::Claim,
        "guesses with that entropy: one of 1, 2, 3 in its place and two of 4 to 9, counted",
        "one fixed, two of 4 to 9",
        ("90 of 90, and 0 others", shown),
    );
    group
}

/// log2(1/p + gain) for a hit.
fn with_gain(gain: f64) -> Outcome {
    let given = Options {
        hit_gain: Some(gain),
        ..first_of(Pool::All)
    };
    outcome(&codes("hitblow 3 9"), "mi", &given)
}

fn played() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --problem \"hitblow 3 9\" --tie first --hit-gain 10",
    );
    let outcome = with_gain(10.0);
    group.figure(
        "mean turns, a hit counts log2(1/p + 10)",
        "4.7",
        format!("{:.1}", outcome.all_turns().mean),
    );
    group.figure(
        "turns that always suffice",
        "6",
        outcome.all_turns().worst.to_string(),
    );
    let soon = outcome.turns[..5].iter().sum::<u64>();
    let mostly = 2 * soon > outcome.secrets();
    group.exact(
        Kind::Claim,
        "most secrets are found within 5",
        "yes",
        yes(mostly),
    );
    group.answered(
        Kind::Figure,
        "secrets found in 1, 2, 3, … turns",
        "a picture",
        ("1 6 32 132 274 59", distribution(&outcome)),
    );
    group
}

fn best_gain() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab plot sweep --hit-gain 0..30 --problem \"hitblow 3 9\" --tie first --out sweep.png",
    );
    let totals: Vec<u64> = (0..=30)
        .map(|gain| with_gain(f64::from(gain)).all_turns().total)
        .collect();
    let least = totals.iter().min().copied().unwrap_or(0);
    let best: Vec<usize> = (0..totals.len())
        .filter(|&gain| totals[gain] == least)
        .collect();
    let (first, last) = (best[0], best[best.len() - 1]);
    let unbroken = if best.len() == last - first + 1 {
        "all"
    } else {
        "some"
    };
    group.answered(
        Kind::Claim,
        "10 is the best number to add, found by trying: the best of 0 to 30, and their mean turns",
        "10",
        (
            "all of 5 to 22, 4.6845",
            format!(
                "{unbroken} of {first} to {last}, {:.4}",
                least as f64 / 504.0
            ),
        ),
    );
    group
}

fn stones() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy solver --problem \"balance 9 heavy\"");
    group.figure(
        "weighings for 9 stones, one of them heavier",
        "2",
        weighings(9).to_string(),
    );
    let bits = |k: usize| entropy_bits(&[k as f64, k as f64, (9 - 2 * k) as f64]);
    let best = (1..=4)
        .max_by(|&a, &b| bits(a).total_cmp(&bits(b)))
        .expect("four ways");
    group.figure(
        "stones on each side that make the three outcomes equally likely",
        "3",
        best.to_string(),
    );
    group
}

/// The fewest weighings that always find the heavy one of n stones: put k on each side; then it is
/// among those k, those k, or the n - 2k left.
fn weighings(n: usize) -> usize {
    let mut fewest = vec![0; n + 1];
    for n in 2..=n {
        let after = |k: usize| fewest[k].max(fewest[n - 2 * k]);
        fewest[n] = 1
            + (1..=n / 2)
                .map(after)
                .min()
                .expect("two stones can be compared");
    }
    fewest[n]
}
