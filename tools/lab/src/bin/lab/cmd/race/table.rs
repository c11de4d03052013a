//! What `lab race` prints for people.

use lab::race::Fraction;

use super::answers::{Balance, Part};
use super::contest::{Contest, Pair};
use super::entrants::Entrant;
use super::report::{MOST_ERRORS, Report};

pub(super) fn table(report: &Report) -> String {
    let contest = &report.contest;
    let mut out = format!(
        "problem    {}: {} secrets, each player's drawn alone\n\n",
        contest.problem, contest.secrets
    );
    let width = contest
        .strategies
        .iter()
        .map(|entrant| entrant.name.chars().count());
    let width = width.max().unwrap_or(0).max("strategy".len());
    out.push_str(&format!(
        "   {:width$}    mean worst  secrets found in turn 1, 2, …\n",
        "strategy"
    ));
    for (number, entrant) in (1..).zip(&contest.strategies) {
        out.push_str(&format!("{number:>2} {}\n", row(entrant, width)));
    }
    out.push_str("\nin turn: how often the row wins if it moves first\n");
    matrix(&mut out, contest, |pair| pair.odds.moving_first.value());
    out.push_str("\nin turn: how often the row wins if it moves second\n");
    matrix(&mut out, contest, |pair| pair.odds.fewer.value());
    out.push_str("\nin rounds: how often the row wins, a draw being half a win\n");
    matrix(&mut out, contest, |pair| {
        pair.odds.fewer.value() + pair.odds.same.value() / 2.0
    });
    best(&mut out, contest);
    for found in &report.equilibria {
        balance(&mut out, found);
    }
    games(&mut out, contest);
    out
}

fn row(entrant: &Entrant, width: usize) -> String {
    format!(
        "{:width$} {:>7.4} {:>5}  {}",
        entrant.name,
        entrant.mean,
        entrant.worst,
        turns(&entrant.histogram)
    )
}

fn turns(histogram: &[u64]) -> String {
    let counts: Vec<String> = histogram.iter().map(u64::to_string).collect();
    counts.join(" ")
}

/// The row is `first` of each pair. Its odds against a column do not depend on who moves first.
fn matrix(out: &mut String, contest: &Contest, value: impl Fn(&Pair) -> f64) {
    let count = contest.strategies.len();
    let heads: String = (1..=count).map(|number| format!("{number:>8}")).collect();
    out.push_str(&format!("  {heads}\n"));
    for (number, pairs) in (1..).zip(contest.pairs.chunks(count)) {
        let cells: String = pairs
            .iter()
            .map(|pair| format!("{:>8.4}", value(pair)))
            .collect();
        out.push_str(&format!("{number:>2}{cells}\n"));
    }
}

fn best(out: &mut String, contest: &Contest) {
    let mut against = "";
    for answer in &contest.answers {
        if answer.against != against {
            against = &answer.against;
            out.push_str(&format!(
                "\nwhat wins most often against {against}, and {against} itself\n"
            ));
        }
        out.push_str(&format!(
            "{:<7} {}  itself {}  gain {:+.6}\n",
            answer.role,
            exact(answer.wins),
            exact(answer.itself),
            answer.wins.value() - answer.itself.value()
        ));
    }
}

fn exact(fraction: Fraction) -> String {
    format!("{:.6} = {fraction}", fraction.value())
}

fn balance(out: &mut String, found: &Balance) {
    let wins = match found.at_least == found.at_most {
        true => format!("exactly {}", exact(found.at_least)),
        false => format!(
            "between {:.9} and {:.9}",
            found.at_least.value(),
            found.at_most.value()
        ),
    };
    out.push_str(&format!("\nequilibrium, {}: wins {wins}\n", found.role));
    let mut list = |title: &str, parts: &[Part]| {
        for part in parts {
            let share = part.millionths as f64 / 1e6;
            let entrant = &part.strategy;
            out.push_str(&format!(
                "{title} {share:.6}  mean {:.4}  {}\n",
                entrant.mean,
                turns(&entrant.histogram)
            ));
        }
    };
    list("own  ", &found.own);
    list("other", &found.other);
}

fn games(out: &mut String, contest: &Contest) {
    let played = contest.pairs.iter().filter_map(|pair| pair.played.as_ref());
    let errors = played.clone().flat_map(|played| played.standard_errors);
    let Some(most) = errors.map(f64::abs).max_by(f64::total_cmp) else {
        return;
    };
    let games = played.map(|played| played.tally.games).max().unwrap_or(0);
    let verdict = if most <= MOST_ERRORS {
        "agree"
    } else {
        "DIFFER"
    };
    out.push_str(&format!(
        "\n{games} games of each pair were played: they {verdict}, at most {most:.2} standard errors off\n"
    ));
}
