//! Article 004: "detective Gandhi", three of nine digits, written 1 to 9 there and 0 to 8 here.

use super::coins::{self, ARTICLE};
use super::entry::{Entry, Group, Kind};
use super::helpers::{Scene, code, codes, distribution, first_of, outcome, yes};
use crate::game;
use crate::optimal::{self, WeightedSearch};
use crate::policy::{Options, Outcome, Pool};
use crate::race::odds;
use crate::solver::pegs::{CodeId, Feedback};

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        example(),
        coins::coin(),
        coins::die(),
        coins::surprise(),
        scene(),
        compared(),
        tops(),
        printed(),
        played(),
        most_information(),
        in_bits(),
        best_gain(),
        race(),
        coins::stones(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

/// After 123 1H1B there, 012 here.
fn scene() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 9\" --digits 123456789 123:1,1 --guess 145 --guess 456",
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

/// What 123 1H1B may mean: 012 here.
fn example() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 9\" --digits 123456789 123:1,1",
    );
    let scene = Scene::new("hitblow 3 9", &["012:1,1"]);
    let support = scene.posterior.support();
    let fits = |code: &&CodeId| {
        let digits = scene.codes.digits(**code);
        digits[0] == 0 && digits.contains(&1) && !digits.contains(&2)
    };
    let count = support.iter().filter(fits).count();
    group.answered(
        Kind::Claim,
        "1H1B to 123 may mean 1 in its place, 2 in another, and no 3; other codes are possible too: codes of that kind",
        "possible, not certain",
        ("6 of 36", format!("{count} of {}", support.len())),
    );
    group
}

/// 145 and 456 in turns.
fn compared() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 9\" --digits 123456789 123:1,1 --guess 145 --guess 456",
    );
    let scene = Scene::new("hitblow 3 9", &["012:1,1"]);
    let search = WeightedSearch::new(&scene.codes, &[1, 2], &|_| 1).expect("the game is small");
    let after = |guess| search.least_after(scene.posterior.support(), code(&scene.codes, guess));
    group.answered(
        Kind::Claim,
        "145 is better than 456, because its entropy is larger: turns of all 36 if play is best after 145, and after 456",
        "145 is better",
        ("117, 122", format!("{}, {}", after("034"), after("345"))),
    );
    group
}

/// What the printed programs show after 123 1H1B.
fn printed() -> Group {
    let mut group = Group::new(ARTICLE, "lab articles 004");
    let scene = Scene::new("hitblow 3 9", &["012:1,1"]);
    let left = scene.candidates() as f64;
    // log2(1/p), and log2(1/p + 10) for three hits.
    let worth = |guess: &str| -> f64 {
        let parts = scene.parts(guess);
        let term = |(reply, count): &(Feedback, u32)| {
            let p = f64::from(*count) / left;
            p * (1.0 / p + if reply.hits == 3 { 10.0 } else { 0.0 }).log2()
        };
        parts.iter().map(term).sum()
    };
    let all = (0..scene.codes.len() as CodeId).map(|code| game::show(&scene.codes, code));
    let worths: Vec<(String, f64)> = all.map(|text| (text.clone(), worth(&text))).collect();
    let most = worths.iter().map(|(_, worth)| *worth).fold(0.0, f64::max);
    let best: Vec<&str> = worths
        .iter()
        .filter(|(_, worth)| (worth - most).abs() < 1e-4)
        .map(|(text, _)| &**text)
        .collect();
    group.figure(
        "the largest number that the printed programs show, and whether 145 has it",
        "2.32, yes",
        format!("{most:.2}, {}", yes(best.contains(&"034"))),
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
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 9\" --digits 123456789 123:1,1",
    );
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

/// Whether the most information takes the fewest turns.
fn most_information() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab race \"mi[tie=first]\" \"mi[tie=first,hit-gain=10]\" optimal --problem \"hitblow 3 9\"",
    );
    let codes = codes("hitblow 3 9");
    let plain = outcome(&codes, "mi", &first_of(Pool::All)).all_turns().mean;
    let best = optimal::find(
        &codes,
        optimal::Objective::MeanThenWorst,
        &optimal::Options::default(),
    );
    let best = best.expect("the game is small").total as f64 / codes.len() as f64;
    let with_ten = with_gain(10.0).all_turns().mean;
    group.answered(
        Kind::Claim,
        "the most information in each turn takes the fewest turns: mean turns of information alone, with the number 10 for a hit, and the fewest possible",
        "as few as possible",
        ("4.9087, 4.6845, 4.6369", format!("{plain:.4}, {with_ten:.4}, {best:.4}")),
    );
    group
}

/// The text adds 10 to the information, the programs add it to 1/p.
fn in_bits() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --problem \"hitblow 3 9\" --tie first --hit-bonus 10",
    );
    let more = [36.0, 6.0, 2.0].map(|n: f64| format!("{:.3}", (n + 10.0).log2() - n.log2()));
    group.explained(
        Kind::Claim,
        "a fixed value is added to the information of a hit: bits added if p is 1/36, 1/6 and 1/2",
        "a fixed value",
        ("0.354, 1.415, 2.585", more.join(", ")),
        "the programs compute log2(1/p + 10), not log2(1/p) + 10",
    );
    let given = Options {
        hit_bonus: Some(10.0),
        ..first_of(Pool::All)
    };
    let mean = outcome(&codes("hitblow 3 9"), "mi", &given)
        .all_turns()
        .mean;
    group.answered(
        Kind::Claim,
        "10 bits, as the text has it: mean turns",
        "a fixed value",
        ("4.7659", format!("{mean:.4}")),
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

/// The players race each other.
fn race() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab race \"mi[tie=first,hit-gain=10]\" \"mi[tie=first]\" --problem \"hitblow 3 9\"",
    );
    let plain = outcome(&codes("hitblow 3 9"), "mi", &first_of(Pool::All)).turns;
    let odds = odds(&with_gain(10.0).turns, &plain);
    group.answered(
        Kind::Claim,
        "players race: the strategy with the number wins, draws and loses against that without",
        "the fewest turns win",
        (
            "0.3803, 0.3975, 0.2222",
            format!(
                "{:.4}, {:.4}, {:.4}",
                odds.fewer.value(),
                odds.same.value(),
                odds.more.value()
            ),
        ),
    );
    group
}
