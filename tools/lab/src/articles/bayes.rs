//! Article 002: Bayes' rule.

use super::entry::{Agreement, Entry, Group, Kind};
use super::helpers::{Scene, code, codes, outcome, policy, transcript, yes};
use crate::optimal;
use crate::policy::Options;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{Codes, Feedback, Replies};

const ARTICLE: &str = "002";

pub(super) fn entries() -> Vec<Entry> {
    let groups = [
        rules(),
        random(),
        likelihoods(),
        small_game(),
        most_probable(),
        person(),
        explore(),
        better(),
        noise(),
    ];
    groups.into_iter().flat_map(|group| group.entries).collect()
}

/// The reply to a guess, as the article writes it.
fn reply(codes: &Codes, guess: &str, secret: &str) -> String {
    let reply = Replies::new(codes, code(codes, guess)).feedback(code(codes, secret));
    format!("{}H{}B", reply.hits, reply.blows)
}

fn rules() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" 576:1,2");
    let codes = codes("hitblow 3 10");
    group.figure(
        "reply to 576 if the secret is 567",
        "1H2B",
        reply(&codes, "576", "567"),
    );
    group.figure(
        "codes of three different digits",
        "720",
        codes.len().to_string(),
    );
    group
}

/// The article simulates 1000 games; a sample mean within two standard errors of the expectation is
/// as it should be.
fn random() -> Group {
    const PUBLISHED: f64 = 349.9;
    const GAMES: f64 = 1000.0;
    let mut group = Group::new(ARTICLE, "lab policy random");
    let codes = codes("hitblow 3 10");
    let expected = outcome(&codes, "random", &Options::default())
        .all_turns()
        .mean;
    // Each turn of 1 to 720 is equally likely: the variance is (n² − 1) / 12.
    let standard_error = ((720.0_f64.powi(2) - 1.0) / 12.0 / GAMES).sqrt();
    let away = (PUBLISHED - expected) / standard_error;
    let what = "mean turns, random guessing, 1000 simulated games";
    group.figure(
        what,
        "349.9",
        format!("{expected} exactly; theirs is {away:+.1} standard errors from it"),
    );
    let figure = group.entries.last_mut().expect("just added");
    if away.abs() <= 2.0 {
        figure.agreement = Agreement::Agrees;
    }
    let half = format!("{:.2}", expected / codes.len() as f64);
    group.figure("the same as a share of all codes", "0.50", half);
    group
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

/// Two distinct digits of 1, 2, 3; here they are called 0, 1, 2.
fn small_game() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 2 3\" 01:0,1");
    let (before, after) = (
        Scene::new("hitblow 2 3", &[]),
        Scene::new("hitblow 2 3", &["01:0,1"]),
    );
    let show = |scene: &Scene| {
        // Each code as the article has it; here its digits are less by one.
        let texts = ["12", "13", "21", "23", "31", "32"];
        let probability = |theirs: &str| {
            let ours: String = theirs.bytes().map(|digit| char::from(digit - 1)).collect();
            match scene.posterior.probability(code(&scene.codes, &ours)) {
                p if p > 0.0 => format!("{theirs}: 1/{:.0}", 1.0 / p),
                _ => format!("{theirs}: 0"),
            }
        };
        texts.map(probability).join(" ")
    };
    let published = "12: 1/6 13: 1/6 21: 1/6 23: 1/6 31: 1/6 32: 1/6";
    group.figure("small game, prior", published, show(&before));
    group.figure(
        "small game, posterior after 12 0H1B",
        "12: 0 13: 0 21: 0 23: 1/2 31: 1/2 32: 0",
        show(&after),
    );
    group
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

/// A person's game for 672: the judge's replies.
fn person() -> Group {
    let mut group = Group::new(ARTICLE, "tools/tester play --problem \"hitblow 3 10\"");
    let spec = tester::problem::parse_case("hitblow 3 10\n6 7 2\n").expect("a case file");
    let mut session = spec.start();
    let mut replies = Vec::new();
    for guess in [
        "1 2 3", "4 5 6", "7 8 9", "3 6 9", "2 5 8", "1 2 6", "7 2 6", "6 7 2",
    ] {
        let reply = session
            .turn(guess.as_bytes())
            .expect("a guess of the article");
        replies.push(format!("{}B", reply.text().replace(' ', "H")));
    }
    let published = "0H1B 0H1B 0H1B 0H1B 0H1B 0H2B 0H3B 3H0B";
    group.figure(
        "replies to a person who looks for 672",
        published,
        replies.join(" "),
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

fn noise() -> Group {
    let mut group = Group::new(ARTICLE, "lab policy solver --problem \"distance 3 10 23\"");
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
    group
}
