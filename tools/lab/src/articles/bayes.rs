//! Article 002: Bayes' rule. Its games and their judge are in `hitblow`.

use super::entry::{Entry, Group, Kind};
use super::helpers::{Scene, code, codes, outcome, policy, transcript, yes};
use super::hitblow::{self, ARTICLE};
use crate::game::HABITS;
use crate::optimal;
use crate::policy::Options;
use crate::simulate::{self, Cases, lies};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{Codes, Feedback, Policy, Replies};
use crate::solver::search::HIT_BONUS;
use crate::tree::{prior_cost, turns_believing};
use tester::shard::Part;

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        hitblow::rules(),
        hitblow::ranges(),
        hitblow::clues(),
        hitblow::repeated_digits(),
        hitblow::person(),
        hitblow::random(),
        likelihoods(),
        rule(),
        hitblow::small_game(),
        most_probable(),
        explore(),
        better(),
        searches(),
        priors(),
        die(),
        lies(),
        noise(),
        without_sign(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

fn likelihoods() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" 135:1,0");
    let codes = codes("hitblow 3 10");
    let replies = Replies::new(&codes, code(&codes, "135"));
    let reply = Feedback { hits: 1, blows: 0 };
    let measured = ["147", "246", "123"].map(|text| {
        let likelihood = replies.likelihood(code(&codes, text), reply);
        format!("{text}: {likelihood}")
    });
    group.figure(
        "likelihood of 1H0B for 135",
        "147: 1 246: 0 123: 0",
        measured.join(" "),
    );
    let scene = Scene::new("hitblow 3 10", &["135:1,0"]);
    let agree = |secret: &u32| {
        let own = codes.digits(*secret);
        own.iter()
            .zip([1, 3, 5])
            .filter(|(own, digit)| **own == *digit)
            .count()
            == 1
    };
    let fits = scene.posterior.support().iter().all(agree);
    group.exact(
        Kind::Claim,
        "then the secret is 1??, ?3? or ??5",
        "yes",
        yes(fits),
    );
    let p = ["147", "196", "245"].map(|text| scene.posterior.probability(code(&codes, text)));
    let n = scene.candidates();
    let equal = p.iter().all(|p| (p - 1.0 / n as f64).abs() < 1e-12);
    group.exact(
        Kind::Claim,
        "147, 196 and 245 have the same probability then, one over the candidates",
        "yes",
        yes(equal),
    );
    let scaled = Posterior::from_prior(&vec![7.0; codes.len()]);
    let same =
        (scaled.probability(0) - Posterior::uniform(codes.len()).probability(0)).abs() < 1e-15;
    group.exact(
        Kind::Claim,
        "the denominator need not be computed: weights of 7 are 1/720 each",
        "yes",
        yes(same),
    );
    group
}

/// Bayes' rule itself.
fn rule() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" 135:1,0");
    let codes = codes("hitblow 3 10");
    let all = 0..codes.len() as u32;
    let replies = Replies::new(&codes, code(&codes, "135"));
    let shown = ["147", "246", "123"]
        .map(|text| format!("{text}: {}", hitblow::reply(&codes, "135", text)))
        .join(" ");
    group.figure("replies to 135", "147: 1H0B 246: 0H0B 123: 1H1B", shown);
    let possible = |secret| replies.feedback(secret);
    let mut found: Vec<Feedback> = all.clone().map(possible).collect();
    found.sort_unstable();
    found.dedup();
    let is_certain = |guess: u32| {
        let replies = Replies::new(&codes, guess);
        let of = |secret| found.iter().map(move |&reply| (secret, reply));
        let mut pairs = all.clone().flat_map(of);
        pairs.all(|(secret, reply)| {
            replies.likelihood(secret, reply)
                == f64::from(u8::from(replies.feedback(secret) == reply))
        })
    };
    group.exact(
        Kind::Claim,
        "every likelihood is 0 or 1: 1 for the reply that the secret gives (all guesses, secrets and replies)",
        "yes",
        yes(all.clone().all(is_certain)),
    );
    // People who like a 7: the weights are not all the same.
    let liked = prior(&codes, "digit");
    let counted = |reply: Feedback| {
        let mut posterior = liked.clone();
        posterior.update(|secret| replies.likelihood(secret, reply));
        let with_reply = || {
            all.clone()
                .filter(|&secret| replies.feedback(secret) == reply)
        };
        let sum: f64 = with_reply().map(|secret| liked.probability(secret)).sum();
        with_reply().all(|secret| {
            (posterior.probability(secret) - liked.probability(secret) / sum).abs() < 1e-12
        })
    };
    group.exact(
        Kind::Claim,
        "P(B|A) = P(B) P(A|B) / sum: the same as counting the pairs with that reply (135, every reply, codes with a 7 five times as likely)",
        "yes",
        yes(found.iter().all(|&reply| counted(reply))),
    );
    let rows = [("012", 0, 1), ("134", 0, 0), ("256", 0, 1)];
    let in_order = |order: [usize; 3]| {
        let mut posterior = liked.clone();
        for (guess, hits, blows) in order.map(|at| rows[at]) {
            let replies = Replies::new(&codes, code(&codes, guess));
            posterior.update(|secret| replies.likelihood(secret, Feedback { hits, blows }));
        }
        all.clone()
            .map(move |secret| posterior.probability(secret))
            .collect::<Vec<f64>>()
    };
    let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map(in_order);
    let same = orders.iter().all(|order| {
        order
            .iter()
            .zip(&orders[0])
            .all(|(a, b)| (a - b).abs() < 1e-12)
    });
    group.exact(
        Kind::Claim,
        "a posterior is the prior of the next reply: three replies in any order end alike",
        "yes",
        yes(same),
    );
    group
}

/// A prior by its name in the list of habits.
fn prior(codes: &Codes, name: &str) -> Posterior {
    let habit = HABITS.iter().find(|habit| habit.name == name);
    let habit = habit.expect("a habit of the list");
    habit.prior(codes).expect("some codes are liked")
}

fn most_probable() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy map --secret 960");
    let codes = codes("hitblow 3 10");
    let map = policy("map", &Options::default());
    let played = transcript(&codes, &*map, code(&codes, "960"));
    let guesses = played
        .split(", ")
        .map(|line| line.rsplit_once(' ').expect("three words").0);
    // Before each guess, all candidates are equally likely, so that 1/p is their number.
    let one_in = std::iter::once("720").chain(
        played
            .split(", ")
            .map(|line| line.rsplit(' ').next().unwrap_or_default()),
    );
    let probabilities: Vec<String> = one_in.take(6).map(|n| format!("1/{n}")).collect();
    let published = "012 0H1B, 134 0H0B, 256 0H1B, 507 0H1B, 680 1H1B, 960 3H0B";
    group.figure(
        "guesses for 960",
        published,
        guesses.collect::<Vec<_>>().join(", "),
    );
    group.figure(
        "probability of each of them",
        "1/720 1/252 1/80 1/24 1/6 1/1",
        probabilities.join(" "),
    );
    let all = outcome(&codes, "map", &Options::default());
    group.figure(
        "mean turns, most probable code first",
        "5.27",
        format!("{:.2}", all.all_turns().mean),
    );
    let ends = all.until_determined.iter().sum::<u64>() == 720;
    group.exact(
        Kind::Claim,
        "in the end one code has probability 1 and 719 have 0, whatever the secret",
        "yes",
        yes(ends),
    );
    group
}

fn explore() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 10\" 012:0,1 --guess 134 --guess 345",
    );
    let scene = Scene::new("hitblow 3 10", &["012:0,1"]);
    group.answered(
        Kind::Question,
        "after 012 0H1B, is 134 wise (exploitation), or 345 (exploration)? Bits that each tells",
        "?",
        (
            "134 2.359, 345 2.112",
            format!("134 {:.3}, 345 {:.3}", scene.bits("134"), scene.bits("345")),
        ),
    );
    group
}

fn better() -> Group {
    let mut group = Group::new(ARTICLE, "lab optimal \"hitblow 3 10\"");
    let found = optimal::find(
        &codes("hitblow 3 10"),
        optimal::Objective::MeanThenWorst,
        &optimal::Options::default(),
    );
    let total = found.expect("the game is small").total;
    group.answered(
        Kind::Claim,
        "5.27 turns can be improved: the fewest on average that any strategy takes",
        "room",
        (
            "3575/720 = 4.9653, proved",
            format!("{total}/720 = {:.4}, proved", total as f64 / 720.0),
        ),
    );
    group
}

/// The searches of others that the article points to.
fn searches() -> Group {
    let mut group = Group::new(ARTICLE, "lab optimal \"hitblow 3 10\" --objective worst");
    let best = |objective| {
        let found = optimal::find(
            &codes("hitblow 3 10"),
            objective,
            &optimal::Options::default(),
        );
        found.expect("the game is small")
    };
    let mean = best(optimal::Objective::MeanThenWorst).total as f64 / 720.0;
    let worst = best(optimal::Objective::WorstThenMean).worst;
    group.answered(
        Kind::Claim,
        "some have searched the tree for the fewest turns: on average, and in the worst case",
        "some were found",
        ("4.9653, and 6", format!("{mean:.4}, and {worst}")),
    );
    group
}

/// The article's guess that a prior may be nearly anything, but not 0.
fn priors() -> Group {
    let mut group = Group::new(ARTICLE, "lab prior-cost map");
    let codes = codes("hitblow 3 10");
    let map = policy("map", &Options::default());
    let costs = |truth: &str, believed: &str| {
        let (truth, believed) = (prior(&codes, truth), prior(&codes, believed));
        let turns = turns_believing(&codes, &believed, &*map);
        prior_cost(&truth, &believed, &turns)
    };
    let (right, wrong) = (costs("digit", "digit"), costs("digit", "uniform"));
    group.answered(
        Kind::Claim,
        "a prior that is not 0 is enough: mean turns if codes with a 7 come five times as often, for who knows it, and for who takes all as equally likely",
        "it converges (no proof)",
        ("5.131, 5.245", format!("{:.3}, {:.3}", right.mean, wrong.mean)),
    );
    let finds_all = |name: &&str| {
        let turns = turns_believing(&codes, &prior(&codes, name), &*map);
        turns.iter().all(|&turns| turns > 0)
    };
    let names = ["uniform", "digit", "stairs", "dates"];
    group.exact(
        Kind::Claim,
        "with any prior that is not 0 the probability converges: every secret is found (four priors)",
        "yes",
        yes(names.iter().all(finds_all)),
    );
    let never = costs("uniform", "only-dates");
    group.answered(
        Kind::Claim,
        "a 0 cannot be repaired: the share of all secrets that is never found if only dates are thought possible",
        "but not 0",
        ("0.7083", format!("{:.4}", never.lost)),
    );
    group
}

/// The article's example of a die that is not fair.
fn die() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab bayes 0.99 0.01 / 1/6 1/3 --names fair,loaded --times 20",
    );
    let loaded_after = |throws: usize| {
        let mut die = Posterior::from_prior(&[0.99, 0.01]);
        for _ in 0..throws {
            die.update(|loaded| [0.5, 1.0][loaded as usize]);
        }
        format!("{:.3}", die.probability(1))
    };
    group.answered(
        Kind::Claim,
        "a die that shows only 4, 5 and 6 is recognised, although it was thought fair: probability that it is loaded, at first 0.01, after 0, 5, 10 and 20 throws",
        "no problem",
        ("0.010 0.244 0.912 1.000", [0, 5, 10, 20].map(loaded_after).join(" ")),
    );
    group
}

/// "No lie is told" in Hit & Blow; and if one may be?
fn lies() -> Group {
    let mut group = Group::new(ARTICLE, "lab liar \"liar 2 4\"");
    let rules = lies::rules("liar 2 4").expect("a small game");
    let costs = lies::solver_costs(
        rules,
        Policy::Mi {
            hit_bonus: HIT_BONUS,
        },
    )
    .expect("games of the solver");
    let twice = lies::twice_costs(rules, &lies::truthful_turns(rules));
    group.answered(
        Kind::Claim,
        "replies are no lies: mean turns for two of four digits if one reply may be false, and if everything is asked twice",
        "no lie, no error",
        ("2.854, 4.344", format!("{:.3}, {:.3}", costs.mean_of_cases(2), twice.mean_of_cases(2))),
    );
    group
}

fn noise() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy solver --problem \"distance 3 10 23\" --seeds 0..50",
    );
    let codes = codes("hitblow 3 10");
    // Read as numbers, as the judge of that variant would.
    let number = |text| {
        let digits = codes.digits(code(&codes, text));
        digits.iter().fold(0, |value, &digit| {
            value * codes.game.digits as i64 + i64::from(digit)
        })
    };
    let difference = (number("345") - number("123")).to_string();
    group.explained(
        Kind::Figure,
        "difference of 345 and 123, in the variant with noise",
        "223",
        ("222", difference),
        "a slip of the pen: 345 - 123 = 222, so that the noise in the reply 200 is -22 and not -23",
    );
    group.answered(
        Kind::Wish,
        "a game with the difference and normal noise, and Bayes' rule for it: mean turns of 50 games, each of them won",
        "should be no problem",
        ("11.62", mean_turns("distance 3 10 23", 50)),
    );
    group
}

/// The same where the reply does not say on which side the secret is.
fn without_sign() -> Group {
    let command = "lab policy solver --problem \"gap 3 10 23\" --seeds 0..10";
    let mut group = Group::new(ARTICLE, command);
    group.answered(
        Kind::Wish,
        "the same if the difference has no sign: mean turns of 10 games, each of them won",
        "should be no problem",
        ("16.00", mean_turns("gap 3 10 23", 10)),
    );
    group
}

/// Mean turns of the solver in games with noise, from seed 0 on. A game that is lost has no turns.
fn mean_turns(problem: &str, games: u64) -> String {
    let adapter = simulate::adapter(problem).expect("a game with noise");
    let solver = simulate::select(adapter, "solver", &Options::default());
    let turns = simulate::scores_in_order(
        adapter,
        problem,
        &solver.expect("a policy of the list"),
        &Cases::Seeds(0..games),
        Part::new(1, 1).expect("the only part"),
        &|| {},
    );
    let turns = turns.expect("the solver wins");
    format!("{:.2}", turns.iter().sum::<u64>() as f64 / games as f64)
}
