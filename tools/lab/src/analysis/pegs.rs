//! Hits and blows: every code is a candidate until a reply excludes it.

use std::collections::BTreeMap;

use super::{
    Analyst, AnalystError, Answer, Asked, BEST, Candidate, LISTED, MOST_CODES, Part, ReplyForm,
    Standing, Worth, places, rows,
};
use crate::alphabet::Names;
use crate::game;
use crate::history::{self, Row, posterior};
use crate::prior;
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies, Scorer, split};
use crate::solver::search::{Alike, Exact};

/// The codes of one game.
pub struct Pegs {
    codes: Codes,
}

/// The codes of a game that somebody waits for.
///
/// # Errors
/// If it has none, or too many.
pub(super) fn codes_of(problem: &str) -> Result<Codes, AnalystError> {
    let codes = game::codes(problem).map_err(|e| AnalystError::TooLarge(e.to_string()))?;
    if codes.len() > MOST_CODES {
        return Err(AnalystError::TooLarge(format!(
            "expected a game of at most {MOST_CODES} codes, found {} in {problem}; lab explain takes its time",
            codes.len()
        )));
    }
    Ok(codes)
}

/// How codes are written.
pub(super) fn names_of<'a>(codes: &'a Codes, asked: &Asked<'_>) -> Result<Names<'a>, String> {
    Names::new(codes, asked.digits).map_err(|error| format!("digits: {error}"))
}

/// What is believed before the first reply.
pub(super) fn prior_of(
    codes: &Codes,
    names: &Names<'_>,
    asked: &Asked<'_>,
) -> Result<Posterior, String> {
    let uniform = || Ok(Posterior::uniform(codes.len()));
    let read = |text| prior::parse(names, text).map_err(|error| format!("prior, {error}"));
    asked.prior.map_or_else(uniform, read)
}

impl Pegs {
    /// Of a game such as `hitblow 3 10`.
    ///
    /// # Errors
    /// If it has too many codes.
    pub fn new(problem: &str) -> Result<Self, AnalystError> {
        let codes = codes_of(problem)?;
        Ok(Self { codes })
    }
}

impl Analyst for Pegs {
    fn look(&self, asked: &Asked<'_>) -> Result<Answer, String> {
        let codes = &self.codes;
        let names = names_of(codes, asked)?;
        let rows = rows(asked, |turn| {
            let guess = read(&names, turn.guess)?;
            let reply = history::parse_reply(codes, turn.reply).map_err(|e| e.to_string())?;
            Ok(Row { guess, reply })
        })?;
        let named = asked.named.iter().map(|text| read(&names, text));
        let named: Vec<CodeId> = named.collect::<Result<_, _>>()?;
        let prior = prior_of(codes, &names, asked)?;
        if let Some(found) = history::contradiction(codes, &prior, &rows) {
            return Ok(match history::possible_without_prior(codes, &rows) {
                0 => Answer::Contradiction(found),
                outside => Answer::OutsidePrior(outside),
            });
        }
        let known = standing(&names, &prior, &rows, &named, asked.work);
        Ok(Answer::Stands(known))
    }

    fn example(&self) -> String {
        game::show(&self.codes, 0)
    }

    fn replies(&self) -> ReplyForm {
        ReplyForm::HitsBlows
    }
}

/// The code that is written so.
pub(super) fn read(names: &Names<'_>, text: &str) -> Result<CodeId, String> {
    names.read(text.trim()).ok_or_else(|| {
        let example = names.write(0);
        format!("expected a code of the game such as {example:?}, found {text:?}")
    })
}

/// Each candidate with its probability.
pub(super) fn believed(posterior: &Posterior) -> Vec<(CodeId, f64)> {
    let total = posterior.total();
    let probability = |(index, &code)| (code, posterior.weight(index) / total);
    let support = posterior.support().iter();
    support.enumerate().map(probability).collect()
}

/// All candidates where they are few, and of those that differ the most probable.
fn listed(
    believed: &[(CodeId, f64)],
    uniform: bool,
    name: impl Fn(CodeId) -> String,
) -> Vec<Candidate> {
    let mut ordered = believed.to_vec();
    if uniform && ordered.len() > LISTED {
        return Vec::new();
    }
    // Of equal ones the smaller first.
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1));
    let candidate = |(code, probability)| Candidate {
        name: name(code),
        probability,
    };
    let shown = ordered.into_iter().take(LISTED);
    // What is less probable would be shown as 0.0 %.
    shown
        .take_while(|&(_, probability)| uniform || probability >= 0.0005)
        .map(candidate)
        .collect()
}

/// Where the game stands after `rows`, with what `named` guesses are worth. `work` is how many table lookups (about 1 ns
/// each) the search for exact values may take. Some code explains all rows.
///
/// Cost: one lookup for each place, guess and candidate, and `work`.
fn standing(
    names: &Names<'_>,
    prior: &Posterior,
    rows: &[Row],
    named: &[CodeId],
    work: u64,
) -> Standing {
    let codes = names.codes();
    let posterior = posterior(codes, prior, rows);
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(codes, &posterior, &all);
    let mut best = best(codes, &posterior, rows, &mut scorer, |_| ());
    let mut exact = Values::new(codes, &posterior, rows, work);
    // The most informative guess is not always the one that ends soonest.
    let soonest = exact.soonest();
    best.extend(soonest.filter(|guess| !best.contains(guess)));
    let mut worth = |&guess: &CodeId| Worth {
        guess: names.write(guess),
        information: Some(scorer.mutual_information_bits(guess)),
        right: Some(posterior.probability(guess)),
        turns: exact.turns(guess),
        parts: parts(codes, &posterior, guess),
    };
    // Those that were asked for first, while there is time.
    let named: Vec<Worth> = named.iter().map(&mut worth).collect();
    let best: Vec<Worth> = best.iter().map(&mut worth).collect();
    let all = |worths: &[Worth]| worths.iter().all(|worth| worth.turns.is_some());
    Standing {
        searchable: exact.set.is_some() && !(all(&named) && all(&best)),
        best,
        named,
        ..of_codes(names, &posterior)
    }
}

/// What a posterior over codes says, before any guess is looked at.
pub(super) fn of_codes(names: &Names<'_>, posterior: &Posterior) -> Standing {
    let codes = names.codes();
    let believed = believed(posterior);
    let digits = believed
        .iter()
        .map(|&(code, probability)| (codes.digits(code), probability));
    Standing {
        candidates: believed.len(),
        entropy: posterior.entropy_bits(),
        grid: Some(places(names.digits(), codes.game.places, digits)),
        listed: listed(&believed, posterior.is_uniform(), |code| names.write(code)),
        uniform: posterior.is_uniform(),
        searchable: false,
        best: Vec::new(),
        named: Vec::new(),
    }
}

/// What each reply to a guess would leave, in the order of hits and blows.
fn parts(codes: &Codes, posterior: &Posterior, guess: CodeId) -> Vec<Part> {
    let replies = Replies::new(codes, guess);
    let mut cells = BTreeMap::<Feedback, (Vec<CodeId>, Vec<f64>)>::new();
    for (index, &code) in posterior.support().iter().enumerate() {
        let (codes, weights) = cells.entry(replies.feedback(code)).or_default();
        codes.push(code);
        weights.push(posterior.weight(index));
    }
    let total = posterior.total();
    let part = |(reply, (codes, weights)): (Feedback, (Vec<CodeId>, Vec<f64>))| {
        let weight: f64 = weights.iter().sum();
        let cell = Posterior::among(codes, Some(weights));
        Part {
            reply: format!("{} {}", reply.hits, reply.blows),
            probability: weight / total,
            candidates: cell.support().len(),
            entropy: cell.entropy_bits(),
        }
    };
    cells.into_iter().map(part).collect()
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
    // A prior that is not uniform distinguishes every digit.
    let named = match posterior.is_uniform() {
        true => named_by(codes, rows),
        false => [true; MAX_DIGITS],
    };
    let alike = Alike::new(codes, posterior.support(), &named);
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

    /// A guess with which the fewest turns are left on average; `None` if that takes too long to find.
    fn soonest(&mut self) -> Option<CodeId> {
        let found = self.search.least(self.set?, &self.named, u32::MAX)?;
        Some(found.1)
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
            // One that tells nothing costs its turn, and the rest is as before.
            total += self.search.least(&cell, &named, u32::MAX)?.0;
        }
        Some(f64::from(total) / set.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::{asked, stands};
    use crate::history::{parse_guess, parse_row};

    #[test]
    fn article_000_stands_where_it_says() {
        let now = stands("hitblow 3 10", &asked(&["012:0,1", "134:0,2"], &[]));
        assert_eq!((now.candidates, now.listed.len()), (19, 19));
        assert!((now.entropy - f64::log2(19.0)).abs() < 1e-12);
        for place in &now.grid.unwrap().cells {
            assert!((place.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn replies_part_the_candidates_of_article_000_as_it_says() {
        let rows = ["012:0,1", "134:0,2"];
        let now = stands("hitblow 3 10", &asked(&rows, &["243", "451"]));
        let most = |i: usize| now.named[i].parts.iter().map(|part| part.candidates).max();
        assert_eq!((most(0), most(1)), (Some(10), Some(6)));
        for (worth, conditional) in now.named.iter().zip([2.46, 1.95]) {
            let parts = &worth.parts;
            let left: f64 = parts
                .iter()
                .map(|part| part.probability * part.entropy)
                .sum();
            assert!((left - conditional).abs() < 0.006, "{worth:?}");
            assert!((now.entropy - left - worth.information.unwrap()).abs() < 1e-12);
            assert_eq!(parts.iter().map(|part| part.candidates).sum::<usize>(), 19);
            for (reply, one) in [("1 2", 1), ("3 0", 1)] {
                let found = parts.iter().find(|part| part.reply == reply).unwrap();
                assert_eq!((found.candidates, found.entropy), (one, 0.0));
            }
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
        let replies = Replies::new(codes, guess);
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
        let now = stands("hitblow 2 5", &asked(&rows, &["12", "20", "34", "01"]));
        let rows = [parse_row(&codes, rows[0]).unwrap()];
        let set = posterior(&codes, &Posterior::uniform(codes.len()), &rows);
        // One of the best ones is as good as any can be.
        let least = now
            .best
            .iter()
            .filter_map(|worth| worth.turns)
            .fold(f64::MAX, f64::min);
        assert_eq!(
            least,
            f64::from(least_by_trying(&codes, set.support())) / set.support().len() as f64
        );
        for worth in now.named.iter().chain(&now.best) {
            let guess = parse_guess(&codes, &worth.guess).unwrap();
            let wasted = || set.support().len() as u32 + least_by_trying(&codes, set.support());
            let expected = cost_by_trying(&codes, set.support(), guess).or_else(|| Some(wasted()));
            let expected = expected.map(|total| f64::from(total) / set.support().len() as f64);
            assert_eq!(worth.turns, expected, "{}", worth.guess);
        }
    }

    #[test]
    fn digits_may_be_written_differently_and_secrets_be_more_or_less_likely() {
        let rows = ["abc:1 0"];
        let mut question = asked(&rows, &["bcd"]);
        question.digits = Some("abcdefghij");
        let now = stands("hitblow 3 10", &question);
        let usual = stands("hitblow 3 10", &asked(&["012:1,0"], &["123"]));
        assert_eq!(
            (now.candidates, now.entropy),
            (usual.candidates, usual.entropy)
        );
        assert_eq!(now.named[0].information, usual.named[0].information);
        assert_eq!(now.named[0].guess, "bcd");
        assert_eq!(now.grid.unwrap().columns.concat(), "abcdefghij");

        // A prior is written in the same digits.
        question.prior = Some("ade 3\nbcd 1");
        assert_eq!(stands("hitblow 3 10", &question).listed[0].name, "ade");

        let mut question = asked(&["012:1,0"], &[]);
        question.prior = Some("034 3\n052 1\n987 5\n");
        let now = stands("hitblow 3 10", &question);
        assert!(!now.uniform);
        let listed: Vec<_> = now
            .listed
            .iter()
            .map(|c| (&*c.name, c.probability))
            .collect();
        assert_eq!(listed, [("034", 1.0)]); // 052 has a hit and another
        question.prior = Some("987 5\n986 1");
        let analyst = crate::analysis::analyst("hitblow 3 10").unwrap();
        // One hit and nothing else: 3 places, 7 · 6 digits elsewhere.
        assert_eq!(analyst.look(&question), Ok(Answer::OutsidePrior(3 * 42)));
        question.prior = Some("98 5");
        let why = analyst.look(&question).unwrap_err();
        assert!(
            why.starts_with("prior, line 1: expected a code of the game"),
            "{why}"
        );
        question.digits = Some("ab");
        assert!(
            analyst
                .look(&question)
                .unwrap_err()
                .starts_with("digits: expected 10")
        );
    }
}
