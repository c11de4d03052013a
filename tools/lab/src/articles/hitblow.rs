//! Article 002: the game, its judge, and its small game.

use super::entry::{Agreement, Group, Kind};
use super::helpers::{Scene, code, codes, joined, outcome, yes};
use crate::game;
use crate::policy::Options;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies};

pub(super) const ARTICLE: &str = "002";

/// The reply to a guess, as the article writes it.
pub(super) fn reply(codes: &Codes, guess: &str, secret: &str) -> String {
    let reply = Replies::new(codes, code(codes, guess)).feedback(code(codes, secret));
    format!("{}H{}B", reply.hits, reply.blows)
}

pub(super) fn rules() -> Group {
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
    let stays = |text: &str| {
        let kept = (0..3).map(|place| match text.as_bytes()[place] == b"576"[place] {
            true => char::from(b"576"[place]),
            false => 'x',
        });
        kept.collect::<String>()
    };
    let left = Scene::new("hitblow 3 10", &["576:1,2"]);
    let support = left.posterior.support().iter();
    let patterns: Vec<String> = support
        .map(|&code| stays(&game::show(&codes, code)))
        .collect();
    group.explained(
        Kind::Figure,
        "what 1H2B to 576 says of the digit in its place",
        "5xx, x6x or xx7",
        ("5xx, x7x or xx6", patterns.join(", ").replacen(", xx", " or xx", 1)),
        "the digit keeps its place of the guess, 576; the article has the places of the secret, 567",
    );
    group
}

/// Which codes there are.
pub(super) fn ranges() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\"");
    let codes = codes("hitblow 3 10");
    let all = super::helpers::codes("mastermind 3 10").len();
    group.figure(
        "codes from 000 to 999, repeated digits included",
        "1000",
        all.to_string(),
    );
    let ends = [0, 1, codes.len() as CodeId - 1].map(|id| game::show(&codes, id));
    group.figure("the 1st, 2nd and 720th code", "012 013 987", ends.join(" "));
    let prior = ["123", "318"].map(|text| {
        let scene = Scene::new("hitblow 3 10", &[]);
        format!(
            "1/{:.0}",
            1.0 / scene.posterior.probability(code(&codes, text))
        )
    });
    group.figure("prior of 123 and of 318", "1/720 1/720", prior.join(" "));
    let from = (0..codes.len() as CodeId)
        .filter(|&id| *game::show(&codes, id) >= *"123")
        .count();
    group.explained(
        Kind::Figure,
        "the range of the 720 codes",
        "123 to 987",
        (
            "012 to 987 (639 from 123)",
            format!("{} to {} ({from} from 123)", ends[0], ends[2]),
        ),
        "a slip: the program tries every code from 012 on, and its mean is that of all 720",
    );
    group
}

/// "A hit is a strong clue, a blow a weak one."
pub(super) fn clues() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 3 10\" --guess 012");
    let scene = Scene::new("hitblow 3 10", &[]);
    let parts = scene.parts("012");
    let left = |hits, blows| {
        let reply = Feedback { hits, blows };
        parts
            .iter()
            .find(|part| part.0 == reply)
            .map_or(0, |part| part.1)
    };
    let fewer = (1..=3).all(|n| left(n, 0) < left(0, n));
    group.exact(
        Kind::Claim,
        "a hit is a strong clue and a blow a weak one: 1, 2 or 3 hits leave fewer codes than as many blows",
        "yes",
        yes(fewer),
    );
    let shown = format!("1H0B {}, 0H1B {}", left(1, 0), left(0, 1));
    group.answered(
        Kind::Claim,
        "how strong: codes left after a hit, and after a blow, of the first guess",
        "strong, weak",
        ("1H0B 126, 0H1B 252", shown),
    );
    group
}

/// "With repeated digits, people judge differently."
pub(super) fn repeated_digits() -> Group {
    let mut group = Group::new(ARTICLE, "lab articles 002");
    let codes = codes("mastermind 3 10");
    // As the printed judge counts: a blow for each digit of the guess that the secret has anywhere else.
    let printed = |secret: &[u8], guess: &[u8]| {
        let mut reply = Feedback { hits: 0, blows: 0 };
        for (place, digit) in guess.iter().enumerate() {
            if secret[place] == *digit {
                reply.hits += 1;
            } else if secret.contains(digit) {
                reply.blows += 1;
            }
        }
        reply
    };
    let differ = |guess: CodeId| {
        let replies = Replies::new(&codes, guess);
        let all = 0..codes.len() as CodeId;
        let is_other = |secret: &CodeId| {
            printed(codes.digits(*secret), codes.digits(guess)) != replies.feedback(*secret)
        };
        all.filter(is_other).count()
    };
    let count: usize = (0..codes.len() as CodeId).map(differ).sum();
    group.answered(
        Kind::Claim,
        "with repeated digits people judge differently: of 1000 times 1000 pairs, those where the printed judge differs from Mastermind's rule",
        "it depends on the person",
        ("68310", count.to_string()),
    );
    group
}

/// A person's game for 672: the judge's replies.
pub(super) fn person() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab explain \"hitblow 3 10\" 123:0,1 456:0,1 789:0,1 369:0,1 258:0,1 126:0,2 726:0,3",
    );
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

/// The article simulates 1000 games; a sample mean within two standard errors of the expectation is
/// as it should be.
pub(super) fn random() -> Group {
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

/// Two distinct digits of 1, 2, 3; here they are called 0, 1, 2. Columns as in the article's tables: 11 12 13 21 22 23 31
/// 32 33.
pub(super) fn small_game() -> Group {
    let mut group = Group::new(ARTICLE, "lab explain \"hitblow 2 3\" --digits 123 12:0,1");
    let (before, after) = (
        Scene::new("hitblow 2 3", &[]),
        Scene::new("hitblow 2 3", &["01:0,1"]),
    );
    let replies = Replies::new(&before.codes, code(&before.codes, "01"));
    let reply = Feedback { hits: 0, blows: 1 };
    let row = |of: &dyn Fn(CodeId) -> f64| {
        let cell = |at: usize| {
            let id = game::find(&before.codes, &format!("{}{}", at / 3, at % 3));
            match id.map_or(0.0, of) {
                p if p == 0.0 || p == 1.0 => format!("{p}"),
                p => format!("1/{:.0}", 1.0 / p),
            }
        };
        joined(&(0..9).map(cell).collect::<Vec<String>>(), " ")
    };
    let prior = |id| before.posterior.probability(id);
    let likelihood = |id| replies.likelihood(id, reply);
    group.figure(
        "small game, prior before it is normalised: 11 12 13 21 22 23 31 32 33",
        "0 1 1 1 0 1 1 1 0",
        row(&|id| before.posterior.weight(id as usize)),
    );
    group.figure("prior", "0 1/6 1/6 1/6 0 1/6 1/6 1/6 0", row(&prior));
    group.figure(
        "likelihood of 0H1B to 12",
        "0 0 0 0 0 1 1 0 0",
        row(&likelihood),
    );
    group.figure(
        "posterior before it is normalised",
        "0 0 0 0 0 1/6 1/6 0 0",
        row(&|id| prior(id) * likelihood(id)),
    );
    group.figure(
        "posterior after 12 0H1B",
        "0 0 0 0 0 1/2 1/2 0 0",
        row(&|id| after.posterior.probability(id)),
    );
    group
}
