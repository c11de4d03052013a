//! Article 004: coins, a die, and stones on a balance.

use super::entropy::entropy_bits;
use super::entry::{Group, Kind};
use super::helpers::yes;

pub(super) const ARTICLE: &str = "004";

pub(super) fn surprise() -> Group {
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
    let once: f64 = 1.0 - 0.999_f64.powi(1000);
    group.answered(
        Kind::Figure,
        "one in 1000 throws stands: how many do on average, and the probability that any does",
        "1 in 1000",
        ("1.0, 0.632", format!("{:.1}, {once:.3}", 1000.0 * 0.001)),
    );
    group
}

pub(super) fn coin() -> Group {
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

pub(super) fn die() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 1 1 1 1 1 1 1 1");
    group.figure(
        "entropy of a die with eight faces, bits",
        "3",
        format!("{:.0}", entropy_bits(&[1.0; 8])),
    );
    group
}

pub(super) fn stones() -> Group {
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
