//! What is known at one moment of a game of hits and blows, and what each guess is worth there.

use serde::Serialize;

use crate::game;
use crate::history::{Row, posterior};
use crate::solver::{Alike, CodeId, Codes, Exact, MAX_DIGITS, Posterior, Scorer, split};

/// More candidates than this are counted and not listed.
pub const LISTED: usize = 40;
/// How many of the best guesses are told.
pub const BEST: usize = 5;

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// How many codes explain all replies.
    pub candidates: usize,
    /// What is still to be learnt, in bits.
    pub entropy: f64,
    /// All of them, where they are few.
    pub listed: Vec<String>,
    /// How probable each digit is at each place, place by place.
    pub places: Vec<Vec<f64>>,
    /// The guesses that tell most.
    pub best: Vec<Worth>,
    /// Those that were asked for.
    pub named: Vec<Worth>,
}

/// What a guess is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The guess.
    pub guess: String,
    /// Bits that its reply tells about the secret, on average.
    pub information: f64,
    /// How probable it is that it is the secret.
    pub right: f64,
    /// How many further turns it takes to the end on average, this one included, if all goes on as well as possible;
    /// nothing where that would be searched for too long.
    pub turns: Option<f64>,
}

/// Where the game stands after `rows`, with what `named` guesses are worth. `work` is how many table lookups (about 1 ns
/// each) the search for exact values may take.
///
/// Cost: one lookup for each place, guess and candidate, and `work`.
///
/// # Panics
/// If no code explains all rows; [`crate::history::contradiction`] tells.
pub fn standing(
    codes: &Codes,
    prior: &Posterior,
    rows: &[Row],
    named: &[CodeId],
    work: u64,
) -> Standing {
    let posterior = posterior(codes, prior, rows);
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(codes, &posterior, &all);
    let best = best(codes, &posterior, rows, &mut scorer, |_| ());
    let mut exact = Values::new(codes, &posterior, rows, work);
    let mut worth = |&guess: &CodeId| Worth {
        guess: game::show(codes, guess),
        information: scorer.mutual_information_bits(guess),
        right: posterior.probability(guess),
        turns: exact.turns(guess),
    };
    // Those that were asked for first, while there is time.
    let named = named.iter().map(&mut worth).collect();
    let best = best.iter().map(&mut worth).collect();
    let support = posterior.support();
    let listed = if support.len() <= LISTED {
        support
    } else {
        &[]
    };
    Standing {
        candidates: support.len(),
        entropy: posterior.entropy_bits(),
        listed: listed.iter().map(|&code| game::show(codes, code)).collect(),
        places: places(codes, &posterior),
        best,
        named,
    }
}

/// The guesses with most mutual information; of equal ones candidates first, then the smallest. Of
/// those that differ only in the names of digits that nothing has told apart, one. `seen` is called for each code.
pub fn best(
    codes: &Codes,
    posterior: &Posterior,
    rows: &[Row],
    scorer: &mut Scorer<'_>,
    mut seen: impl FnMut(CodeId),
) -> Vec<CodeId> {
    if let &[only] = posterior.support() {
        return vec![only];
    }
    let alike = Alike::new(codes, posterior, &named_by(codes, rows));
    let mut scored: Vec<(i64, bool, CodeId)> = (0..codes.len() as CodeId)
        .inspect(|&guess| seen(guess))
        .filter(|&guess| alike.is_smallest(codes.digits(guess)))
        .map(|guess| {
            // Nanobits, so that equal ones compare as equal.
            let nanobits = (scorer.mutual_information_bits(guess) * 1e9).round() as i64;
            let impossible = posterior.support().binary_search(&guess).is_err();
            (-nanobits, impossible, guess)
        })
        .collect();
    scored.sort_unstable();
    scored
        .into_iter()
        .take(BEST)
        .map(|scored| scored.2)
        .collect()
}

/// Which digits the guesses have named.
fn named_by(codes: &Codes, rows: &[Row]) -> [bool; MAX_DIGITS] {
    let mut named = [false; MAX_DIGITS];
    for row in rows {
        for &digit in codes.digits(row.guess) {
            named[usize::from(digit)] = true;
        }
    }
    named
}

/// How probable each digit is at each place.
fn places(codes: &Codes, posterior: &Posterior) -> Vec<Vec<f64>> {
    let mut places = vec![vec![0.0; codes.game.digits]; codes.game.places];
    for &code in posterior.support() {
        for (place, &digit) in places.iter_mut().zip(codes.digits(code)) {
            place[usize::from(digit)] += posterior.probability(code);
        }
    }
    places
}

/// What guesses cost, by search.
struct Values<'a> {
    codes: &'a Codes,
    /// The candidates, where they are equally likely and few enough.
    set: Option<&'a [CodeId]>,
    named: [bool; MAX_DIGITS],
    search: Exact<'a>,
}

impl<'a> Values<'a> {
    /// With more candidates than this nothing is searched.
    const MOST: usize = 300;

    fn new(codes: &'a Codes, posterior: &'a Posterior, rows: &[Row], work: u64) -> Self {
        let set = posterior.support();
        let few = posterior.is_uniform() && set.len() <= Self::MOST;
        Self {
            codes,
            set: few.then_some(set),
            named: named_by(codes, rows),
            search: Exact::new(codes, work),
        }
    }

    /// Turns to the end on average if this is guessed next; `None` if that takes too long.
    fn turns(&mut self, guess: CodeId) -> Option<f64> {
        let set = self.set?;
        let mut named = self.named;
        for &digit in self.codes.digits(guess) {
            named[usize::from(digit)] = true;
        }
        let mut total = set.len() as u32;
        for (_, cell) in split(self.codes, set, guess) {
            if cell.len() == set.len() {
                return None; // it tells nothing, and would be guessed for ever
            }
            total += self.search.least(&cell, &named, u32::MAX)?.0;
        }
        Some(f64::from(total) / set.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{parse_guess, parse_row};
    use crate::solver::Replies;

    fn after(codes: &Codes, rows: &[&str], named: &[&str]) -> Standing {
        let rows: Vec<Row> = rows
            .iter()
            .map(|row| parse_row(codes, row).unwrap())
            .collect();
        let named: Vec<CodeId> = named
            .iter()
            .map(|g| parse_guess(codes, g).unwrap())
            .collect();
        let prior = Posterior::uniform(codes.len());
        standing(codes, &prior, &rows, &named, 200_000_000)
    }

    #[test]
    fn article_000_stands_where_it_says() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let now = after(&codes, &["012:0,1", "134:0,2"], &[]);
        assert_eq!((now.candidates, now.listed.len()), (19, 19));
        assert!((now.entropy - f64::log2(19.0)).abs() < 1e-12);
        for place in &now.places {
            assert!((place.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    /// By trying everything: turns over all candidates, played as well as possible.
    fn least_by_trying(codes: &Codes, set: &[CodeId]) -> u32 {
        if set.len() == 1 {
            return 1;
        }
        (0..codes.len() as CodeId)
            .filter_map(|guess| cost_by_trying(codes, set, guess))
            .min()
            .unwrap()
    }

    fn cost_by_trying(codes: &Codes, set: &[CodeId], guess: CodeId) -> Option<u32> {
        let replies = Replies::to(codes, guess);
        let mut cells = std::collections::BTreeMap::<_, Vec<CodeId>>::new();
        for &code in set {
            cells.entry(replies.feedback(code)).or_default().push(code);
        }
        let others = cells
            .into_iter()
            .filter(|(reply, _)| usize::from(reply.hits) < codes.game.places);
        let mut total = set.len() as u32;
        for (_, cell) in others {
            if cell.len() == set.len() {
                return None;
            }
            total += least_by_trying(codes, &cell);
        }
        Some(total)
    }

    #[test]
    fn turns_are_the_fewest_that_trying_everything_finds() {
        let codes = game::codes("hitblow 2 5").unwrap();
        let rows = ["01:0,1"];
        let now = after(&codes, &rows, &["12", "20", "34", "01"]);
        let rows = [parse_row(&codes, rows[0]).unwrap()];
        let set = posterior(&codes, &Posterior::uniform(codes.len()), &rows);
        for worth in now.named.iter().chain(&now.best) {
            let guess = parse_guess(&codes, &worth.guess).unwrap();
            let expected = cost_by_trying(&codes, set.support(), guess);
            let expected = expected.map(|total| f64::from(total) / set.support().len() as f64);
            assert_eq!(worth.turns, expected, "{}", worth.guess);
        }
    }
}
