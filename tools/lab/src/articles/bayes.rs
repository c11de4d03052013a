//! Article 002: Bayes' rule.

use super::figure::{Agreement, Figure, all_exact, exact, explained};
use super::helpers::{code, codes, outcome, transcript};
use crate::game::observations::{parse_observation, posterior};
use crate::policy::{Options, select};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{Codes, Feedback, Replies};

const ARTICLE: &str = "002";

pub(super) fn figures() -> Vec<Figure> {
    let codes = codes("hitblow 3 10");
    let mut figures = vec![random(
        outcome(&codes, "random", &Options::default())
            .all_turns()
            .mean,
    )];
    let mean = outcome(&codes, "map", &Options::default()).all_turns().mean;
    figures.push(exact(
        ARTICLE,
        "mean turns, most probable code first",
        "5.27",
        format!("{mean:.2}"),
    ));
    figures.extend(trace());
    figures.extend(small_game());
    figures.push(likelihoods());
    figures.push(person());
    // Read as numbers, as the judge of that variant would.
    let number = |text| code_value(&codes, text);
    let difference = (number("345") - number("123")).to_string();
    figures.push(explained(
        ARTICLE,
        "difference of 345 and 123, in the variant with noise",
        "223",
        ("222", difference),
        "a slip of the pen: 345 - 123 = 222, so that the noise in the reply 200 is -22 and not -23",
    ));
    figures
}

/// A code read as a number in base K.
fn code_value(codes: &Codes, text: &str) -> i64 {
    let digits = codes.digits(code(codes, text));
    digits.iter().fold(0, |value, &digit| {
        value * codes.game.digits as i64 + i64::from(digit)
    })
}

/// The article simulates 1000 games; a sample mean within two standard errors of the expectation is
/// as it should be.
fn random(expected: f64) -> Figure {
    const PUBLISHED: f64 = 349.9;
    const GAMES: f64 = 1000.0;
    // Each turn of 1 to 720 is equally likely: the variance is (n² − 1) / 12.
    let standard_error = ((720.0_f64.powi(2) - 1.0) / 12.0 / GAMES).sqrt();
    let away = (PUBLISHED - expected) / standard_error;
    let what = "mean turns, random guessing, 1000 simulated games";
    let measured = format!("{expected} exactly; theirs is {away:+.1} standard errors from it");
    let mut figure = exact(ARTICLE, what, "349.9", measured);
    if away.abs() <= 2.0 {
        figure.agreement = Agreement::Agrees;
    }
    figure
}

fn trace() -> Vec<Figure> {
    let codes = codes("hitblow 3 10");
    let options = Options::default();
    let factory = select("map", &options).expect("a policy of the list");
    let played = transcript(&codes, &*(factory.build)(&options), code(&codes, "960"));
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
    let guesses = guesses.collect::<Vec<_>>().join(", ");
    let published = "012 0H1B, 134 0H0B, 256 0H1B, 507 0H1B, 680 1H1B, 960 3H0B";
    let figures = [
        ("guesses for 960", published, guesses),
        (
            "probability of each of them",
            "1/720 1/252 1/80 1/24 1/6 1/1",
            probabilities.join(" "),
        ),
    ];
    all_exact(ARTICLE, figures)
}

/// Two distinct digits of 1, 2, 3; here they are called 0, 1, 2.
fn small_game() -> Vec<Figure> {
    let codes = codes("hitblow 2 3");
    let prior = Posterior::uniform(codes.len());
    let row = parse_observation(&codes, "01:0,1").expect("a row of the article");
    let after = posterior(&codes, &prior, &[row]);
    let show = |believed: &Posterior| {
        // Each code as the article has it; here its digits are less by one.
        let texts = ["12", "13", "21", "23", "31", "32"];
        let probability = |theirs: &str| {
            let ours: String = theirs.bytes().map(|digit| char::from(digit - 1)).collect();
            match believed.probability(code(&codes, &ours)) {
                p if p > 0.0 => format!("{theirs}: 1/{:.0}", 1.0 / p),
                _ => format!("{theirs}: 0"),
            }
        };
        texts.map(probability).join(" ")
    };
    let published = "12: 1/6 13: 1/6 21: 1/6 23: 1/6 31: 1/6 32: 1/6";
    let figures = [
        ("small game, prior", published, show(&prior)),
        (
            "small game, posterior after 12 0H1B",
            "12: 0 13: 0 21: 0 23: 1/2 31: 1/2 32: 0",
            show(&after),
        ),
    ];
    all_exact(ARTICLE, figures)
}

fn likelihoods() -> Figure {
    let codes = codes("hitblow 3 10");
    let replies = Replies::new(&codes, code(&codes, "135"));
    let reply = Feedback { hits: 1, blows: 0 };
    let measured = ["147", "246", "123"].map(|text| {
        let likelihood = replies.likelihood(code(&codes, text), reply);
        format!("{text}: {likelihood}")
    });
    exact(
        ARTICLE,
        "likelihood of 1H0B for 135",
        "147: 1 246: 0 123: 0",
        measured.join(" "),
    )
}

/// A person's game for 672: the judge's replies.
fn person() -> Figure {
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
    exact(
        ARTICLE,
        "replies to a person who looks for 672",
        "0H1B 0H1B 0H1B 0H1B 0H1B 0H2B 0H3B 3H0B",
        replies.join(" "),
    )
}
