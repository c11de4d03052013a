//! Article 003: greedy information, its surprise, and the bonus for a hit.

use super::entry::{Entry, Group, Kind};
use super::helpers::{code, codes, first_of, mean_and_worst, outcome, policy, transcript};
use crate::game;
use crate::policy::{Options, Pool, Tie};
use crate::tree::{self, bits_by_turn, orbits, parting};

const ARTICLE: &str = "003";

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        among_candidates(),
        among_all(),
        with_bonus(),
        why(),
        bits(),
        renamed(),
        looking_ahead(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

/// Information among all codes, a hit counting as two bits.
fn bonus() -> Options {
    Options {
        hit_bonus: Some(2.0),
        ..first_of(Pool::All)
    }
}

/// The games of the article with this strategy: a secret, and how it goes.
fn games(group: &mut Group, name: &str, given: &Options, games: &[(&str, &str)]) {
    let codes = codes("hitblow 3 10");
    for (secret, published) in games {
        let played = transcript(&codes, &*policy("mi", given), code(&codes, secret));
        group.figure(
            format!("guesses, replies and candidates left for {secret} ({name})"),
            published,
            played,
        );
    }
}

/// How many turns a secret takes, and the hardest.
fn hardest(group: &mut Group, secret: &str, given: &Options, published: &str) {
    let codes = codes("hitblow 3 10");
    let taken = tree::game(&codes, &*policy("mi", given), code(&codes, secret)).len();
    let worst = outcome(&codes, "mi", given).all_turns().worst;
    let what = format!("{secret} is a secret that takes the most turns");
    group.exact(
        Kind::Claim,
        what,
        published,
        format!("{taken} of at most {worst}"),
    );
}

fn among_candidates() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --pool candidates --tie first --secret 219",
    );
    let given = first_of(Pool::Candidates);
    let turns = mean_and_worst(&outcome(&codes("hitblow 3 10"), "mi", &given));
    group.figure(
        "mean turns, information among candidates",
        "5.15, worst 8",
        turns,
    );
    let published = [
        (
            "825",
            "012 0H1B 252, 134 0H0B 80, 506 0H1B 21, 725 2H0B 2, 825 3H0B 1",
        ),
        (
            "370",
            "012 0H1B 252, 134 0H1B 75, 350 2H0B 5, 360 2H0B 3, 370 3H0B 1",
        ),
        (
            "219",
            "012 1H1B 42, 023 0H1B 18, 214 2H0B 5, 215 2H0B 4, 216 2H0B 3, 217 2H0B 2, 218 2H0B 1, 219 3H0B 1",
        ),
    ];
    games(&mut group, "candidates", &given, &published);
    hardest(&mut group, "219", &given, "8 of at most 8");
    group
}

fn among_all() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy mi --tie first --secret 219");
    let given = first_of(Pool::All);
    let turns = mean_and_worst(&outcome(&codes("hitblow 3 10"), "mi", &given));
    group.figure(
        "mean turns, information among all codes",
        "5.26, worst 7",
        turns,
    );
    let published = [(
        "219",
        "012 1H1B 42, 034 0H0B 10, 156 0H1B 3, 078 0H0B 1, 219 3H0B 1",
    )];
    games(&mut group, "all codes", &given, &published);
    group
}

fn with_bonus() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --tie first --hit-bonus 2 --secret 329",
    );
    let turns = mean_and_worst(&outcome(&codes("hitblow 3 10"), "mi", &bonus()));
    group.figure(
        "mean turns, information among all codes, a hit counts as -2 bits left",
        "5.02, worst 7",
        turns,
    );
    let published = [(
        "329",
        "012 0H1B 252, 134 0H1B 75, 350 1H0B 16, 640 0H0B 6, 327 2H0B 2, 328 2H0B 1, 329 3H0B 1",
    )];
    games(
        &mut group,
        "all codes, a hit as -2 bits",
        &bonus(),
        &published,
    );
    hardest(&mut group, "329", &bonus(), "7 of at most 7");
    group
}

/// Why all codes are worse than candidates, and better with a bonus.
fn why() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab compare \"mi[tie=first]\" \"mi[tie=candidate]\"",
    );
    let codes = codes("hitblow 3 10");
    let of = |given: &Options| outcome(&codes, "mi", given).all_turns().total;
    let (first, candidate) = (
        first_of(Pool::All),
        Options {
            tie: Some(Tie::Candidate),
            ..first_of(Pool::All)
        },
    );
    group.answered(
        Kind::Question,
        "why are all codes worse? Because of ties: turns in total if of equal guesses the smallest is taken, \
         if a candidate is, and with the bonus",
        "why?",
        ("3788, 3616, 3614", format!("{}, {}, {}", of(&first), of(&candidate), of(&bonus()))),
    );
    let policies = [policy("mi", &first), policy("mi", &candidate)];
    let found = parting(&codes, [&*policies[0], &*policies[1]]);
    let shown = found.map_or(String::new(), |found| {
        let rows = found.position.rows.iter().map(|(guess, reply)| {
            format!(
                "{} {}H{}B",
                game::show(&codes, *guess),
                reply.hits,
                reply.blows
            )
        });
        let [first, candidate] = found.guesses.map(|guess| game::show(&codes, guess));
        let rows: Vec<String> = rows.collect();
        format!("after {}: {first}, and {candidate}", rows.join(", "))
    });
    group.answered(
        Kind::Question,
        "where the two first part: the smallest of equal guesses, and a candidate",
        "why?",
        ("after 012 0H3B: 023, and 120", shown),
    );
    group
}

fn bits() -> Group {
    let mut group = Group::new(ARTICLE, "lab compare \"mi[tie=first,hit-bonus=2]\"");
    let codes = codes("hitblow 3 10");
    let turns = bits_by_turn(&codes, &*policy("mi", &bonus()));
    let total: usize = turns.iter().map(|turn| turn.secrets).sum();
    let all = codes.len() as f64;
    group.figure(
        "bits that a turn tells, about",
        "2",
        format!("{:.0}", all.log2() * all / total as f64),
    );
    let by_turn: Vec<String> = turns
        .iter()
        .map(|turn| format!("{:.2}", turn.bits))
        .collect();
    group.answered(
        Kind::Claim,
        "720 codes in about 5 turns are some 2 bits a turn: what each turn tells on average, from the first to the last",
        "about 2",
        ("2.25 2.39 2.39 1.95 0.80 0.04 0.00", by_turn.join(" ")),
    );
    group
}

/// Ties broken at random, against somebody who knows the strategy.
fn renamed() -> Group {
    let mut group = Group::new(ARTICLE, "lab exploit mi --tie first --hit-bonus 2");
    let codes = codes("hitblow 3 10");
    let orbits = orbits(&codes, &*policy("mi", &bonus()));
    let worst = orbits.iter().map(|orbit| orbit.worst).max().unwrap_or(0);
    let mean = orbits.iter().map(|orbit| orbit.mean).fold(0.0, f64::max);
    group.answered(
        Kind::Wish,
        "chance against an opponent who knows the strategy: the worst secret as it is, and if digits and places are renamed at random",
        "desirable",
        ("7 turns, 5.02 on average", format!("{worst} turns, {mean:.2} on average")),
    );
    group
}

/// What greedy play costs.
fn looking_ahead() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy mi --hit-bonus 1.5");
    let given = Options {
        hit_bonus: Some(1.5),
        ..Options::default()
    };
    let outcome = outcome(&codes("hitblow 3 10"), "mi", &given);
    group.answered(
        Kind::Claim,
        "nothing is looked ahead: turns in total with the best bonus, where the fewest possible are 3575",
        "greedy",
        ("3612", outcome.all_turns().total.to_string()),
    );
    group
}
