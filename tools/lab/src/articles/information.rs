//! Article 000: entropy, conditional entropy, mutual information.

use std::collections::BTreeSet;

use super::entropy::{Table, entropy_bits, left_after_draws, shares};
use super::entry::{Entry, Group, Kind};
use super::helpers::{Scene, code, codes, distribution, first_of, joined, outcome, policy, yes};
use super::printed::{self, ARTICLE};
use crate::oil::policies::{costs, geometric_means};
use crate::oil_solver::Settings;
use crate::optimal::{self, WeightedSearch};
use crate::policy::{Options, Outcome, Pool};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Feedback, Replies};
use crate::tree;

/// The four boxes: aqua, blue and purple balls.
pub(super) const BOXES: [[f64; 3]; 4] = [
    [3.0, 4.0, 0.0],
    [1.0, 6.0, 0.0],
    [0.0, 7.0, 0.0],
    [2.0, 3.0, 2.0],
];

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        oil(),
        searches(),
        boxes(),
        colours(),
        mixed(),
        draws(),
        replies(),
        scene(),
        narrowed(),
        best_play(),
        played(),
        in_each_turn(),
        printed::as_printed(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

/// The article has heard that mutual information is of use in AHC030.
fn oil() -> Group {
    let command = "lab oil --policies --seeds 0..4 --work 0.005";
    let mut group = Group::new(ARTICLE, command);
    let mut settings = Settings::default();
    settings.work *= 0.005;
    let played = costs(0..4, settings, &|| {});
    let [drills, information, for_cost] = geometric_means(played.iter());
    group.exact(
        Kind::Claim,
        "mutual information is of use in AHC030: asking for it costs less than drilling the most probable cell, and for its cost still less (four cases)",
        "yes",
        yes(information < drills && for_cost < information),
    );
    group
}

/// "Searches and mini-max are found elsewhere."
fn searches() -> Group {
    let mut group = Group::new(ARTICLE, "lab race minmax optimal");
    let codes = codes("hitblow 3 10");
    let minmax = outcome(&codes, "minmax", &Options::default()).all_turns();
    let best = optimal::find(
        &codes,
        optimal::Objective::MeanThenWorst,
        &optimal::Options::default(),
    )
    .expect("the game is small");
    let mean = best.total as f64 / codes.len() as f64;
    let shown = format!(
        "{:.4}, worst {}; {mean:.4}, worst {}",
        minmax.mean, minmax.worst, best.worst
    );
    group.answered(
        Kind::Claim,
        "there are searches and mini-max for the game: mean turns of mini-max that looks one guess ahead, and of a search of the whole tree",
        "some were found",
        ("5.1569, worst 6; 4.9653, worst 7", shown),
    );
    group
}

/// Computes what the boxes tell.
const BOXES_COMMAND: &str = "lab entropy 3 4 0 / 1 6 0 / 0 7 0 / 2 3 2";

/// What a ball of each colour excludes.
fn colours() -> Group {
    let mut group = Group::new(ARTICLE, BOXES_COMMAND);
    let possible = |colour: usize| {
        let boxes = (1..)
            .zip(&BOXES)
            .filter(|(_, balls)| balls[colour] > 0.0)
            .map(|(number, _)| number);
        joined(&boxes.collect::<Vec<u32>>(), " ")
    };
    group.figure(
        "boxes that are possible after aqua, after blue, and after purple",
        "1 2 4, 1 2 3 4, 4",
        [0, 1, 2].map(possible).join(", "),
    );
    group
}

fn boxes() -> Group {
    let mut group = Group::new(ARTICLE, BOXES_COMMAND);
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

/// The replies that the printed program lists.
fn replies() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" --guess 012");
    let codes = codes("hitblow 3 10");
    let mut found = BTreeSet::new();
    for guess in 0..codes.len() as CodeId {
        let replies = Replies::new(&codes, guess);
        found.extend((0..codes.len() as CodeId).map(|secret| replies.feedback(secret)));
    }
    let shown: Vec<String> = found
        .iter()
        .map(|reply| format!("{}{}", reply.hits, reply.blows))
        .collect();
    group.figure(
        "replies that any pair of codes gives, hits and blows",
        "00 01 02 03 10 11 12 20 30",
        shown.join(" "),
    );
    group
}

/// Shows the two guesses that the article compares.
const SCENE_COMMAND: &str = "lab explain \"hitblow 3 10\" 012:0,1 134:0,2 --guess 243 --guess 451";

/// 012 was answered 0H1B, 134 0H2B.
fn article_scene() -> Scene {
    Scene::new("hitblow 3 10", &["012:0,1", "134:0,2"])
}

/// What less conditional entropy is good for.
fn narrowed() -> Group {
    let mut group = Group::new(ARTICLE, SCENE_COMMAND);
    let scene = article_scene();
    let largest = |guess: &str| {
        let parts = scene.parts(guess);
        *parts
            .iter()
            .max_by_key(|part| part.1)
            .expect("a guess has replies")
    };
    let (reply, left) = largest("243");
    group.figure(
        "the reply to 243 that leaves most",
        "0H1B 10",
        format!("{}H{}B {left}", reply.hits, reply.blows),
    );
    group.figure(
        "the most that a reply to 451 leaves",
        "6",
        largest("451").1.to_string(),
    );
    let mean = |guess: &str| {
        let parts = scene.parts(guess);
        let squares: u32 = parts.iter().map(|(_, n)| n * n).sum();
        f64::from(squares) / scene.candidates() as f64
    };
    group.answered(
        Kind::Claim,
        "the less conditional entropy, the better codes are narrowed down: candidates left on average after 243, and after 451",
        "451 is better",
        ("6.89, 4.37", format!("{:.2}, {:.2}", mean("243"), mean("451"))),
    );
    group
}

/// Whether the least conditional entropy is also the best guess.
fn best_play() -> Group {
    let mut group = Group::new(ARTICLE, SCENE_COMMAND);
    let scene = article_scene();
    let search = WeightedSearch::new(&scene.codes, &[1, 2], &|_| 1).expect("the game is small");
    let set = scene.posterior.support();
    let most_telling = scene.tops().1[0];
    let after = |guess: CodeId| search.least_after(set, guess);
    let of = |guess: &str| after(code(&scene.codes, guess));
    let shown = format!(
        "{}, {}, {} ({}), {}",
        of("243"),
        of("451"),
        after(most_telling),
        crate::game::show(&scene.codes, most_telling),
        search.least(set)
    );
    group.answered(
        Kind::Claim,
        "the same in turns: of all 19, if play is best after 243, after 451, after the guess with the least conditional entropy of all, and the fewest",
        "451 is better",
        ("62, 57, 60 (402), 57", shown),
    );
    group
}

fn scene() -> Group {
    let mut group = Group::new(ARTICLE, SCENE_COMMAND);
    let scene = article_scene();
    let left = |guess| scene.posterior.entropy_bits() - scene.bits(guess);
    let (worse, better) = (left("243"), left("451"));
    group.figure(
        "candidates after 012 0H1B, 134 0H2B",
        "19",
        scene.candidates().to_string(),
    );
    group.figure(
        "candidates after each reply to 243 (a picture there)",
        "10 5 2 1 1",
        scene.sizes("243"),
    );
    group.figure(
        "conditional entropy after 243, bits",
        "2.46",
        format!("{worse:.2}"),
    );
    group.figure(
        "candidates after each reply to 451 (a picture there)",
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
        "mean turns of the article before",
        "5.27",
        format!("{:.2}", mean(&before)),
    );
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

/// Bayes' rule in every turn of every game.
fn in_each_turn() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy map --secret 960");
    let codes = codes("hitblow 3 10");
    let map = policy("map", &Options::default());
    let is_equal = |secret: CodeId| {
        let mut posterior = Posterior::from_prior(&vec![1.0; codes.len()]);
        tree::game(&codes, &*map, secret).iter().all(|row| {
            let replies = Replies::new(&codes, row.guess);
            posterior.update(|code| replies.likelihood(code, row.reply));
            let share = 1.0 / posterior.support().len() as f64;
            let mut all = posterior.support().iter();
            all.all(|&code| (posterior.probability(code) - share).abs() < 1e-12)
        })
    };
    group.exact(
        Kind::Claim,
        "in each turn, all codes that are left are equally likely (all 720 games)",
        "yes",
        yes((0..codes.len() as CodeId).all(is_equal)),
    );
    group
}
