//! Article 001: four policies on five games. Turns are counted until the secret is determined, and
//! guesses are candidates.

use super::entry::{Entry, Group, Kind};
use super::helpers::{code, codes, first_of, outcome, yes};
use crate::game::show;
use crate::optimal;
use crate::policy::{Options, Outcome, Pool};
use crate::solver::pegs::{CodeId, Feedback, split};

const ARTICLE: &str = "001";

/// A game, then largest and mean number of turns for random, minmax, exp_minmax, entropy.
const TABLE: [(&str, [&str; 4]); 5] = [
    (
        "mastermind 4 4",
        ["4 / 2.9648", "4 / 2.9023", "4 / 2.8867", "4 / 2.8633"],
    ),
    (
        "mastermind 4 5",
        ["6 / 3.6704", "5 / 3.4832", "4 / 3.3168", "4 / 3.3024"],
    ),
    (
        "mastermind 4 6",
        ["6 / 3.9714", "5 / 3.8642", "5 / 3.7793", "5 / 3.8287"],
    ),
    (
        "mastermind 5 4",
        ["5 / 3.5010", "5 / 3.4092", "5 / 3.2422", "5 / 3.2500"],
    ),
    (
        "mastermind 5 5",
        ["6 / 3.9901", "5 / 3.7885", "5 / 3.7331", "5 / 3.7174"],
    ),
];

pub(super) fn entries() -> Vec<Entry> {
    let played: Vec<Played> = TABLE
        .iter()
        .map(|&(game, published)| Played::new(game, published))
        .collect();
    let mut groups: Vec<Group> = played.iter().map(Played::table).collect();
    groups.push(rounded());
    groups.push(claims(&played));
    groups.push(declared(&played));
    groups.push(drawn());
    groups.push(optima());
    groups.push(example());
    groups.into_iter().flat_map(|group| group.entries).collect()
}

/// The policies of the article, in its order.
const POLICIES: [&str; 4] = ["random", "minmax", "exp_minmax", "entropy"];

/// A row of the table, played.
struct Played {
    game: &'static str,
    published: [&'static str; 4],
    outcomes: [Outcome; 4],
}

impl Played {
    fn new(game: &'static str, published: [&'static str; 4]) -> Self {
        let codes = codes(game);
        let given = first_of(Pool::Candidates);
        let outcomes = ["random-fixed", "minmax", "expected-size", "mi"]
            .map(|name| outcome(&codes, name, &given));
        Self {
            game,
            published,
            outcomes,
        }
    }

    fn mean(&self, policy: usize) -> f64 {
        self.outcomes[policy].until_determined().mean
    }

    fn table(&self) -> Group {
        // Each game is a command of its own.
        let command = match self.game {
            "mastermind 4 4" => {
                "lab compare random-fixed \"minmax[pool=candidates,tie=first]\" \"expected-size[pool=candidates,tie=first]\" \"mi[pool=candidates,tie=first]\" --problem \"mastermind 4 4\""
            }
            "mastermind 4 5" => {
                "lab compare random-fixed \"minmax[pool=candidates,tie=first]\" \"expected-size[pool=candidates,tie=first]\" \"mi[pool=candidates,tie=first]\" --problem \"mastermind 4 5\""
            }
            "mastermind 4 6" => {
                "lab compare random-fixed \"minmax[pool=candidates,tie=first]\" \"expected-size[pool=candidates,tie=first]\" \"mi[pool=candidates,tie=first]\" --problem \"mastermind 4 6\""
            }
            "mastermind 5 4" => {
                "lab compare random-fixed \"minmax[pool=candidates,tie=first]\" \"expected-size[pool=candidates,tie=first]\" \"mi[pool=candidates,tie=first]\" --problem \"mastermind 5 4\""
            }
            _ => {
                "lab compare random-fixed \"minmax[pool=candidates,tie=first]\" \"expected-size[pool=candidates,tie=first]\" \"mi[pool=candidates,tie=first]\" --problem \"mastermind 5 5\""
            }
        };
        let mut group = Group::new(ARTICLE, command);
        let (pins, colours) = self
            .game
            .trim_start_matches("mastermind ")
            .split_once(' ')
            .expect("two numbers");
        for (index, policy) in POLICIES.iter().enumerate() {
            let what = format!("colors {colours} pins {pins}, {policy}, most / mean");
            let (published, measured) =
                (self.published[index], most_and_mean(&self.outcomes[index]));
            match (self.game, *policy) {
                ("mastermind 4 6", "random") => group.explained(
                    Kind::Figure,
                    what,
                    published,
                    ("6 / 3.9715", measured),
                    "5147 / 1296 = 3.971451; with the six digits that C++ prints that is 3.97145, of which the \
                     last was dropped, not rounded",
                ),
                ("mastermind 5 5", "entropy") => group.explained(
                    Kind::Figure,
                    what,
                    published,
                    ("5 / 3.7168", measured),
                    "rounding breaks one tie there: summed as p ln p over (hit, blow) in ascending order and \
                     compared as they are, see the next line",
                ),
                _ => group.figure(what, published, measured),
            }
        }
        group
    }
}

fn rounded() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi-rounded --problem \"mastermind 5 5\"",
    );
    let played = outcome(&codes("mastermind 5 5"), "mi-rounded", &Options::default());
    let measured = most_and_mean(&played);
    group.figure(
        "colors 5 pins 5, entropy, rounded as there, most / mean",
        "5 / 3.7174",
        measured,
    );
    group
}

fn claims(played: &[Played]) -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy expected-size --pool candidates --tie first --problem \"mastermind 4 6\"",
    );
    let fewer = played
        .iter()
        .all(|game| (1..4).all(|policy| game.mean(policy) < game.mean(0)));
    group.exact(
        Kind::Claim,
        "each of the three takes fewer turns than random, in all five games",
        "yes",
        yes(fewer),
    );
    let best = |game: &&Played| (0..3).all(|policy| game.mean(3) < game.mean(policy));
    let count = played.iter().filter(best).count();
    group.explained(
        Kind::Claim,
        "entropy has the best mean: in how many of the five games",
        "the best",
        ("3 of 5", format!("{count} of 5")),
        "with 6 colours and 4 pins, and with 4 colours and 5 pins, exp_minmax has a better one",
    );
    group
}

/// The article's turns end where the secret is determined.
fn declared(played: &[Played]) -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --pool candidates --tie first --problem \"mastermind 4 6\"",
    );
    let means: Vec<String> = played
        .iter()
        .map(|game| format!("{:.4}", game.outcomes[3].all_turns().mean))
        .collect();
    group.answered(
        Kind::Claim,
        "turns are counted until one code is left: mean turns of entropy in the five games if it must be declared too",
        "until it is determined",
        ("3.5547 3.9744 4.4645 3.9229 4.3773", means.join(" ")),
    );
    group
}

/// Draws of the generators with these seeds, of each game.
const DRAWS: u64 = 20;

/// The article's random choice uses the same random number each time. This one draws.
fn drawn() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy random-candidate --problem \"mastermind 4 6\" --seed 0",
    );
    let mean = |game: &str| {
        let codes = codes(game);
        let drawn = |seed| {
            let given = Options {
                seed: Some(seed),
                ..Options::default()
            };
            let outcome = outcome(&codes, "random-candidate", &given);
            outcome.until_determined().mean
        };
        (0..DRAWS).map(drawn).sum::<f64>() / DRAWS as f64
    };
    let means: Vec<String> = TABLE
        .iter()
        .map(|(game, _)| format!("{:.2}", mean(game)))
        .collect();
    group.answered(
        Kind::Claim,
        "random sampling (the program makes its generator anew from seed 0, so its number is the same each time): means of the five games over 20 real draws",
        "random",
        ("3.14 3.60 4.08 3.49 4.00", means.join(" ")),
    );
    group
}

/// "Optimal play needs a complete search", which the article holds to be hard.
fn optima() -> Group {
    let mut group = Group::new(ARTICLE, "lab optimal \"mastermind 4 6\"");
    let mean = |game: &str| {
        let codes = codes(game);
        let found = optimal::find(
            &codes,
            optimal::Objective::MeanThenWorst,
            &optimal::Options::default(),
        );
        let total = found.expect("the game is small").total;
        format!("{:.4}", total as f64 / codes.len() as f64)
    };
    let means: Vec<String> = TABLE.iter().map(|(game, _)| mean(game)).collect();
    group.answered(
        Kind::Claim,
        "the optimum needs a complete search, too long if there are many pins and colors: fewest mean turns of the five games, proved",
        "hard",
        ("3.5352 3.9408 4.3403 3.8613 4.3187", means.join(" ")),
    );
    group
}

/// The game of two colours and two pins that the article splits by hand.
fn example() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"mastermind 2 2\" --guess 01");
    let codes = codes("mastermind 2 2");
    let guess = code(&codes, "01");
    let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
    let mut cells = split(&codes, &all, guess);
    // The winning reply has no cell, because nothing is left to split.
    cells.push((Feedback { hits: 2, blows: 0 }, vec![guess]));
    cells.sort_unstable();
    let shown = cells.iter().map(|(reply, cell)| {
        let cell: Vec<String> = cell.iter().map(|&code| show(&codes, code)).collect();
        format!("{}H{}B: {}", reply.hits, reply.blows, cell.join(" "))
    });
    group.figure(
        "colors 2 pins 2, codes after each reply to 0 1",
        "0H2B: 10, 1H0B: 00 11, 2H0B: 01",
        shown.collect::<Vec<_>>().join(", "),
    );
    group
}

fn most_and_mean(outcome: &Outcome) -> String {
    let until = outcome.until_determined();
    format!("{} / {:.4}", until.worst, until.mean)
}
