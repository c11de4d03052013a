//! Article 003: greedy information, its surprise, and the bonus for a hit.

use super::chance;
use super::entry::{Entry, Group, Kind};
use super::helpers::{
    Scene, code, codes, first_of, mean_and_worst, outcome, policy, position_sizes, transcript, yes,
};
use crate::game::{self, HABITS};
use crate::optimal;
use crate::policy::{Options, Pool, Tie};
use crate::race::odds;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::Replies;
use crate::theory;
use crate::tree::{self, bits_by_turn, parting, prior_cost, turns_believing};

const ARTICLE: &str = "003";

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        rules(),
        habits(),
        bits_left(),
        quadratic(),
        among_candidates(),
        unlikely_guess(),
        fast(),
        among_all(),
        with_bonus(),
        why(),
        a_hit_saves_a_turn(),
        bits(),
        chance::renamed(&bonus()),
        chance::ties_at_random(),
        looking_ahead(),
        race(),
        value(),
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

fn rules() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" 324:1,1");
    let codes = codes("hitblow 3 10");
    let reply = Replies::new(&codes, code(&codes, "324")).feedback(code(&codes, "123"));
    let shown = format!("{}H{}B", reply.hits, reply.blows);
    group.figure("reply to 324 if the secret is 123", "1H1B", shown);
    let are = ["123", "846", "225"].map(|text| game::find(&codes, text).is_some());
    group.exact(
        Kind::Claim,
        "123 and 846 are codes, 225 is none",
        "yes",
        yes(are == [true, true, false]),
    );
    group.figure("codes", "720", codes.len().to_string());
    group
}

/// Secrets that people like, and what is lost if all are taken as equally likely.
fn habits() -> Group {
    let mut group = Group::new(ARTICLE, "lab prior-cost mi");
    let codes = codes("hitblow 3 10");
    let given = Options {
        prior: true,
        ..Options::default()
    };
    let mi = policy("mi", &given);
    let uniform = Posterior::uniform(codes.len());
    let fair = turns_believing(&codes, &uniform, &*mi);
    let costs = ["digit", "stairs", "dates"].map(|name| {
        let habit = HABITS.iter().find(|habit| habit.name == name);
        let liked = habit.expect("a habit of the list").prior(&codes);
        let liked = liked.expect("some codes are liked");
        let knowing = turns_believing(&codes, &liked, &*mi);
        let of = |believed, turns: &[usize]| prior_cost(&liked, believed, turns).mean;
        (of(&liked, &knowing), of(&uniform, &fair))
    });
    let uniform = prior_cost(&uniform, &uniform, &fair).mean;
    let known = costs.map(|(known, _)| format!("{known:.3}")).join(", ");
    group.answered(
        Kind::Claim,
        "an obvious secret loses fast: mean turns of a player who knows that all codes are equally likely, that a 7 is liked, stairs, dates",
        "it is said",
        ("5.022; 4.806, 4.596, 4.602", format!("{uniform:.3}; {known}")),
    );
    let lost = costs.map(|(known, fair)| format!("{:.2}", fair - known));
    group.answered(
        Kind::Claim,
        "that secrets are random is a strong assumption: turns that it costs if a 7 is liked, stairs, dates",
        "very strong",
        ("0.32 0.36 0.41", lost.join(" ")),
    );
    group
}

/// "log2 n bits are left."
fn bits_left() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" 012:0,1");
    let scene = Scene::new("hitblow 3 10", &["012:0,1"]);
    let all = scene.candidates() as f64;
    let is_same = |id| {
        let guess = game::show(&scene.codes, id);
        let parts = scene.parts(&guess);
        let left = parts.iter().map(|(_, n)| f64::from(*n));
        let expected: f64 = left.map(|n| n / all * n.log2()).sum();
        (expected - (scene.posterior.entropy_bits() - scene.bits(&guess))).abs() < 1e-9
    };
    group.exact(
        Kind::Claim,
        "the least expected log2 n of n codes left is the most information: they add up to the same for each guess (after 012 0H1B)",
        "yes",
        yes((0..scene.codes.len() as u32).all(is_same)),
    );
    group
}

/// "n² is affordable."
fn quadratic() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy mi --pool candidates --tie first");
    let codes = codes("hitblow 3 10");
    let sizes = position_sizes(&codes, &*policy("mi", &first_of(Pool::Candidates)));
    let squares: Vec<u64> = sizes.iter().map(|n| n * n).collect();
    group.answered(
        Kind::Claim,
        "computing of order n² is affordable: comparisons for the first guess, and at most for all positions of all games together",
        "affordable",
        (
            "518400, 684494",
            format!("{}, {}", squares[0], squares.iter().sum::<u64>()),
        ),
    );
    group
}

/// Why 219 takes long among candidates.
fn unlikely_guess() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 10\" 012:1,1 023:0,1 214:2,0 --guess 215 --guess 789",
    );
    let scene = Scene::new("hitblow 3 10", &["012:1,1", "023:0,1", "214:2,0"]);
    group.answered(
        Kind::Claim,
        "219 takes 8 turns because impossible codes such as 789 are left out: with five codes left, bits of 215 (a candidate), of 789, and the most",
        "because 789 is left out",
        (
            "0.722, 1.522, 1.522",
            format!("{:.3}, {:.3}, {:.3}", scene.bits("215"), scene.bits("789"), scene.tops().0),
        ),
    );
    group
}

/// "This is fast indeed."
fn fast() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab race \"mi[pool=candidates,tie=first]\" optimal",
    );
    let codes = codes("hitblow 3 10");
    let turns = outcome(&codes, "mi", &first_of(Pool::Candidates)).all_turns();
    let best = optimal::find(
        &codes,
        optimal::Objective::MeanThenWorst,
        &optimal::Options::default(),
    );
    let best = best.expect("the game is small").total;
    let more = 100.0 * (turns.total as f64 / best as f64 - 1.0);
    group.answered(
        Kind::Claim,
        "5.15 turns are fast: turns in total, the fewest possible, and the difference",
        "fast indeed",
        (
            "3708, 3575, 3.7 %",
            format!("{}, {best}, {more:.1} %", turns.total),
        ),
    );
    group
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

/// A code that is determined takes another turn, unless it was declared.
fn a_hit_saves_a_turn() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab compare \"mi[tie=first]\" \"mi[tie=candidate]\"",
    );
    let codes = codes("hitblow 3 10");
    let of = |tie| {
        let given = Options {
            tie: Some(tie),
            ..first_of(Pool::All)
        };
        let outcome = outcome(&codes, "mi", &given);
        let (until, all) = (outcome.until_determined().mean, outcome.all_turns().mean);
        format!("{until:.4} and {all:.4}")
    };
    group.answered(
        Kind::Claim,
        "determined by 3H0B, a code takes a turn less: mean turns until it is determined and in all, if the smallest of equal guesses is taken, and if a candidate is",
        "1 less",
        (
            "4.3000 and 5.2611, 4.3000 and 5.0222",
            format!("{}, {}", of(Tie::First), of(Tie::Candidate)),
        ),
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

/// Who finds the other's secret first.
fn race() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab race \"mi[hit-bonus=2,tie=first]\" \"mi[pool=candidates,tie=first]\"",
    );
    let codes = codes("hitblow 3 10");
    let of = |given: &Options| outcome(&codes, "mi", given).turns;
    let odds = odds(&of(&bonus()), &of(&first_of(Pool::Candidates)));
    group.answered(
        Kind::Claim,
        "fewer turns win the race: the strategy with 5.02 turns wins, draws and loses against that with 5.15",
        "the one who needs fewer wins",
        ("0.3800, 0.2930, 0.3270", format!("{:.4}, {:.4}, {:.4}", odds.fewer.value(), odds.same.value(), odds.more.value())),
    );
    group
}

/// The machine should choose the number first of all.
fn value() -> Group {
    let mut group = Group::new(ARTICLE, "lab value");
    let value = theory::value(&codes("hitblow 3 10")).expect("the game is small");
    group.answered(
        Kind::Claim,
        "let a machine draw your number: mean turns that nobody can fall below if it is drawn, nor exceed against the best play",
        "first of all",
        ("4.9653, 4.9653", format!("{:.4}, {:.4}", value.at_least.value(), value.at_most.value())),
    );
    group
}
