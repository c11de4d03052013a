//! `lab explain`: what replies tell, and what guesses are worth.

use std::process::ExitCode;

use anyhow::{Context, Result};
use lab::analysis::{AlikeGuesses, BestPlay, LISTED, best, tops};
use lab::game::Notation;
use lab::game::observations::{self, Contradiction, Observation};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::{CodeId, Feedback, Scorer};
use lab::solver::search::HIT_BONUS;
use tester::util::count::counted;

use super::explain_noisy;
use crate::cli::{self, ExplainArgs};
use crate::terminal::progress::Late;
use crate::terminal::text::{broken, broken_lines, broken_parts, screen};

/// Table lookups of the search for the best play: about a second.
const WORK: u64 = 1_000_000_000;

/// The column in which texts begin, after their labels.
const TEXT: usize = 11;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    if lab::simulate::distance::is_noisy_game(&args.problem) {
        return explain_noisy::run(args);
    }
    let codes = cli::codes(&args.problem)?;
    let notation =
        Notation::new(&codes, args.digits.as_deref()).context("failed to understand --digits")?;
    let prior = cli::read_prior_in(&notation, args.prior.as_ref())?;
    let rows: Vec<Observation> = args
        .rows
        .iter()
        .map(|row| {
            observations::parse_observation_in(&notation, row)
                .with_context(|| format!("failed to read row {row:?}"))
        })
        .collect::<Result<_>>()?;
    let named: Vec<CodeId> = args
        .guess
        .iter()
        .map(|guess| {
            observations::parse_guess_in(&notation, guess).context("failed to read --guess")
        })
        .collect::<Result<_>>()?;
    if let Some(found) = observations::contradiction(&codes, &prior, &rows) {
        let outside = observations::possible_without_prior(&codes, &rows);
        let why = match outside {
            0 => contradiction(&found, |i| args.rows[i].clone()),
            _ => {
                format!("no code of the prior explains all rows; {outside} that it excludes would")
            }
        };
        out!("{}", broken_lines(why.trim_end(), screen()));
        return Ok(ExitCode::from(1));
    }
    let posterior = observations::posterior(&codes, &prior, &rows);
    beliefs(&notation, &prior, &posterior)?;
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(&codes, &posterior, &all);
    out!(
        "{}",
        broken_lines(
            &format!(
                "best by information alone (lab advise adds {HIT_BONUS} bits for a hit), and those named"
            ),
            screen()
        )
    );
    let progress = Late::new(codes.len());
    let best = best(&codes, &posterior, &rows, &mut scorer, |_| progress.inc());
    let named = named.into_iter().filter(|guess| !best.contains(guess));
    let mut play = BestPlay::new(&codes, &posterior, &rows, WORK);
    for guess in best.iter().copied().chain(named) {
        out!(
            "{}",
            worth(&notation, &posterior, &mut scorer, guess, screen())
        );
        if let Some(turns) = play.turns(guess) {
            out!("           {}", turns_of(turns, all.len()));
        }
    }
    if let Some((guess, turns)) = play.fewest() {
        out!(
            "fewest turns: {turns} over all candidates, if {} is guessed next",
            notation.write(guess)
        );
    }
    if posterior.is_uniform() && all.len() > 1 {
        // Without a prior, digits that nothing has named can change their names.
        if let Some(classes) = tops(&codes, all.len(), &rows, &mut scorer) {
            out!("{}", broken(&alike(&notation, &classes), 0, screen()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Turns over all candidates, and on average.
fn turns_of(turns: u32, candidates: usize) -> String {
    let mean = f64::from(turns) / candidates as f64;
    let turns = counted(turns.into(), "turn");
    format!("{turns} over all candidates with the best play, {mean:.4} on average")
}

/// Prints what is known before and after the replies.
fn beliefs(notation: &Notation<'_>, prior: &Posterior, posterior: &Posterior) -> Result<()> {
    out!(
        "prior      {:.4} bits, {} codes",
        prior.entropy_bits(),
        prior.support().len()
    );
    out!(
        "posterior  {:.4} bits, {}",
        posterior.entropy_bits(),
        counted(posterior.support().len() as u64, "candidate")
    );
    if posterior.support().len() <= LISTED {
        let show = |&code: &CodeId| notation.write(code);
        let all: Vec<String> = posterior.support().iter().map(show).collect();
        out!("           {}", broken(&all.join(" "), TEXT, screen()));
    }
    Ok(())
}

/// How many guesses are best, and which of them are alike.
fn alike(notation: &Notation<'_>, classes: &[AlikeGuesses]) -> String {
    let count: usize = classes.iter().map(|class| class.count).sum();
    let show = |class: &AlikeGuesses| match class.count {
        1 => notation.write(class.example),
        count => format!("{} ({count})", notation.write(class.example)),
    };
    let shown: Vec<String> = classes.iter().take(LISTED).map(show).collect();
    let more = if classes.len() > LISTED { " …" } else { "" };
    let verb = if count == 1 {
        "guess has"
    } else {
        "guesses have"
    };
    format!(
        "{count} {verb} the largest information; alike after renaming digits and places: {}{more}",
        shown.join(" ")
    )
}

/// What a guess is worth, and below it what each reply leaves.
fn worth(
    notation: &Notation<'_>,
    posterior: &Posterior,
    scorer: &mut Scorer<'_>,
    guess: CodeId,
    screen: usize,
) -> String {
    let places = notation.codes().game.places;
    let information = scorer.mutual_information_bits(guess);
    scorer.count(guess);
    let counts = scorer.counts;
    let mut parts: Vec<(Feedback, u32)> = (0..counts.len())
        .filter(|&cell| counts[cell] > 0)
        .map(|cell| (Feedback::from_cell(cell, places), counts[cell]))
        .collect();
    parts.sort_unstable();
    let parts: Vec<String> = parts
        .iter()
        .map(|(reply, n)| format!("{}H{}B {n}", reply.hits, reply.blows))
        .collect();
    let worth = [
        format!("information {information:.4} bits"),
        format!(
            "left on average {:.4} bits",
            (posterior.entropy_bits() - information).max(0.0)
        ),
        format!("right with probability {:.4}", posterior.probability(guess)),
    ];
    format!(
        "{:>9}  {}\n           {}",
        notation.write(guess),
        broken_parts(&worth, TEXT, screen),
        broken_parts(&parts, TEXT, screen),
    )
}

/// Which row makes it impossible, and the fewest that must be wrong.
pub(crate) fn contradiction(found: &Contradiction, show: impl Fn(usize) -> String) -> String {
    let mut out = format!(
        "no code is possible: row {} ({}) {}\nat least {} {} wrong:\n",
        found.impossible_at + 1,
        show(found.impossible_at),
        if found.impossible_at == 0 {
            "is never replied"
        } else {
            "contradicts those before it"
        },
        found.fewest_wrong,
        if found.fewest_wrong == 1 {
            "row must be"
        } else {
            "rows must be"
        },
    );
    for (way, possible) in found.ways.iter().zip(&found.possible) {
        let rows: Vec<String> = way
            .iter()
            .map(|&i| format!("row {} ({})", i + 1, show(i)))
            .collect();
        out.push_str(&format!(
            "  {}: then {possible} {} possible\n",
            rows.join(" and "),
            if *possible == 1 {
                "code is"
            } else {
                "codes are"
            }
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::game;
    use lab::policy::{Node, Options, select};
    use lab::solver::limits::MAX_DIGITS;

    #[test]
    fn best_guess_is_that_of_the_policy() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let rows = [observations::parse_observation(&codes, "012:0,1").unwrap()];
        let posterior = observations::posterior(&codes, &Posterior::uniform(720), &rows);
        let all: Vec<usize> = (0..posterior.support().len()).collect();
        let mut scorer = Scorer::new(&codes, &posterior, &all);
        let options = Options::default();
        let factory = select("mi", &options).unwrap();
        let mut named = [false; MAX_DIGITS];
        named[..3].fill(true);
        let chosen = (factory.build)(&options).choose(&mut Node {
            codes: &codes,
            posterior: &posterior,
            named: &named,
            rows: &[(rows[0].guess, rows[0].reply)],
            evaluated: &mut 0,
        });
        assert_eq!(
            best(&codes, &posterior, &rows, &mut scorer, |_| ())[0],
            chosen
        );
    }
}
