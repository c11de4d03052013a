//! Article 000: entropy, conditional entropy, mutual information.

use super::entropy::{Table, entropy_bits, left_after_draws, shares};
use super::entry::{Entry, Group, Kind};
use super::helpers::{Scene, code, codes, distribution, first_of, outcome, yes};
use crate::policy::{Options, Outcome, Pool};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{Feedback, Scorer};

const ARTICLE: &str = "000";

/// The four boxes: aqua, blue and purple balls.
pub(super) const BOXES: [[f64; 3]; 4] = [
    [3.0, 4.0, 0.0],
    [1.0, 6.0, 0.0],
    [0.0, 7.0, 0.0],
    [2.0, 3.0, 2.0],
];

pub(super) fn entries() -> Vec<Entry> {
    let groups = [boxes(), mixed(), draws(), scene(), played(), as_printed()];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

fn boxes() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 3 4 0 / 1 6 0 / 0 7 0 / 2 3 2");
    let table = Table::new(&BOXES.map(|balls| balls.to_vec())).expect("rows of three");
    for (number, (balls, formula)) in
        (1..).zip(BOXES.iter().zip(["0.985", "0.592", "0.000", "1.557"]))
    {
        let what = format!("entropy of box {number}, bits (a formula there)");
        group.figure(what, formula, format!("{:.3}", entropy_bits(balls)));
    }
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&a, &b| entropy_bits(&BOXES[a]).total_cmp(&entropy_bits(&BOXES[b])));
    let order = order.map(|index| (index + 1).to_string()).join(" ");
    group.exact(
        Kind::Claim,
        "the more mixed a box, the larger its entropy: boxes in that order",
        "3 2 1 4",
        order,
    );
    group.figure(
        "entropy of which box it is, bits",
        "2",
        format!("{:.0}", table.rows_bits()),
    );
    for (colour, (name, formula)) in [("aqua", "1.459"), ("blue", "1.926"), ("purple", "0.000")]
        .iter()
        .enumerate()
    {
        let what = format!("the same after a ball of {name} (a formula there)");
        group.figure(what, formula, format!("{:.3}", table.rows_after(colour)));
    }
    let falls = (0..3).all(|colour| table.rows_after(colour) <= table.rows_bits());
    group.exact(
        Kind::Claim,
        "no colour makes it less certain which box it is",
        "yes",
        yes(falls),
    );
    let (forth, back) = (
        table.rows_bits() - table.rows_left_bits(),
        table.columns_bits() - table.columns_left_bits(),
    );
    group.answered(
        Kind::Claim,
        "mutual information is H(X) - H(X|Y): the colour tells of the box, the box of the colour, bits",
        "a formula",
        ("0.3115 and 0.3115", format!("{forth:.4} and {back:.4}")),
    );
    group
}

/// What the article could show, and does not.
fn mixed() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 3 3 3");
    let of =
        |kinds: &Vec<u32>| entropy_bits(&kinds.iter().map(|&n| f64::from(n)).collect::<Vec<_>>());
    let all = shares(9, 3);
    let by_bits = |a: &&Vec<u32>, b: &&Vec<u32>| of(a).total_cmp(&of(b));
    let (least, most) = (all.iter().min_by(by_bits), all.iter().max_by(by_bits));
    let shown = |kinds: Option<&Vec<u32>>| {
        let kinds = kinds.expect("there are some");
        format!(
            "{:.3} for {}",
            of(kinds),
            super::helpers::joined(kinds, "+")
        )
    };
    group.answered(
        Kind::Claim,
        "entropy is at least 0, and largest if all are equally likely: least and most of 9 balls of 3 colours",
        "can be shown",
        ("0.000 for 0+0+9, 1.585 for 3+3+3", format!("{}, {}", shown(least), shown(most))),
    );
    group
}

fn draws() -> Group {
    let mut group = Group::new(ARTICLE, "lab entropy 3 4 0 / 1 6 0 / 0 7 0 / 2 3 2 --draws");
    let rows = BOXES.map(|balls| balls.map(|n| n as u32).to_vec());
    let left: Vec<String> = left_after_draws(&rows)
        .iter()
        .map(|bits| format!("{bits:.2}"))
        .collect();
    group.answered(
        Kind::Claim,
        "drawing on, it becomes certain which box it is: bits left on average after 0 to 7 balls",
        "at some time",
        ("2.00 1.69 1.37 1.06 0.75 0.45 0.16 0.00", left.join(" ")),
    );
    group
}

/// 012 was answered 0H1B, 134 0H2B.
fn scene() -> Group {
    let command = "lab explain \"hitblow 3 10\" 012:0,1 134:0,2 --guess 243 --guess 451";
    let mut group = Group::new(ARTICLE, command);
    let scene = Scene::new("hitblow 3 10", &["012:0,1", "134:0,2"]);
    let left = |guess| scene.posterior.entropy_bits() - scene.bits(guess);
    let (worse, better) = (left("243"), left("451"));
    group.figure(
        "candidates after 012 0H1B, 134 0H2B",
        "19",
        scene.candidates().to_string(),
    );
    group.figure(
        "candidates after each reply to 243",
        "10 5 2 1 1",
        scene.sizes("243"),
    );
    group.figure(
        "conditional entropy after 243, bits",
        "2.46",
        format!("{worse:.2}"),
    );
    group.figure(
        "candidates after each reply to 451",
        "6 5 4 2 1 1",
        scene.sizes("451"),
    );
    let comparison = if better < worse {
        "smaller"
    } else {
        "not smaller"
    };
    let what = format!("conditional entropy after 451 ({better:.2} bits), compared with 243");
    group.figure(what, "smaller", comparison);
    let one = |guess: &str, hits, blows| {
        let reply = Feedback { hits, blows };
        scene.parts(guess).contains(&(reply, 1))
    };
    let both = ["243", "451"]
        .iter()
        .all(|guess| one(guess, 3, 0) && one(guess, 1, 2));
    group.exact(
        Kind::Claim,
        "3H0B wins and 1H2B leaves one candidate, for both",
        "yes",
        yes(both),
    );
    group
}

fn played() -> Group {
    let mut group = Group::new(ARTICLE, "lab compare map \"mi[pool=candidates,tie=first]\"");
    let codes = codes("hitblow 3 10");
    let before = outcome(&codes, "map", &Options::default());
    let now = outcome(&codes, "mi", &first_of(Pool::Candidates));
    let mean = |outcome: &Outcome| outcome.all_turns().mean;
    group.figure(
        "mean turns, mutual information among candidates",
        "5.15",
        format!("{:.2}", mean(&now)),
    );
    let gain = format!("{:.2}", mean(&before) - mean(&now));
    group.figure(
        "turns saved on average, compared with the most probable code",
        "0.12",
        gain,
    );
    let rises = (3..=5).all(|turns| now.turns[turns - 1] > before.turns[turns - 1]);
    group.exact(
        Kind::Claim,
        "more secrets than before are found in 3, 4 and 5 turns",
        "yes",
        yes(rises),
    );
    let of = |turn: usize, outcome: &Outcome| outcome.turns.get(turn - 1).copied().unwrap_or(0);
    let falls = (6..=9).all(|turn| of(turn, &now) < of(turn, &before));
    group.exact(
        Kind::Claim,
        "fewer than before take 6, 7, 8 and 9",
        "yes",
        yes(falls),
    );
    group.answered(
        Kind::Figure,
        "secrets found in 1, 2, 3, … turns: before, and now",
        "a picture",
        (
            "1 8 40 131 236 205 73 24 2, and 1 8 41 137 266 197 52 18",
            format!("{}, and {}", distribution(&before), distribution(&now)),
        ),
    );
    group
}

/// What the article's loop takes where 960 alone is left: of the codes with a probability, the first
/// with more mutual information than the largest so far, which starts from 0 with the number 0.
fn as_printed() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --pool candidates --tie first --secret 960",
    );
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
    group.explained(
        Kind::Figure,
        "what the printed program declares with one candidate left",
        "the candidate",
        ("000", format!("{best:03}")),
        "with one candidate every mutual information is 0, never more than the 0 it starts from, so \
         that it declares 000 again and again; declaring a single candidate at once gives the 5.15 above",
    );
    group
}
