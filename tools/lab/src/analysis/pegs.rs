//! Hits and blows: every code is a candidate until a reply excludes it.

use std::collections::BTreeMap;

use super::analyst::{Analyst, AnalystError};
use super::codes::{codes_of, notation_of, prior_of, read, state_of_codes};
use super::question::{Answer, Question, ReplyForm, read_turns};
use super::state::{BEST, Cell, GameState, GuessValue};
use crate::game::observations::{
    Observation, contradiction, parse_reply, possible_without_prior, posterior,
};
use crate::game::{self, Notation};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies, Scorer, split};
use crate::solver::search::{Alike, Exact};
use crate::tree;

/// The codes of one game.
pub(super) struct Pegs {
    codes: Codes,
}

impl Pegs {
    /// Of a game such as `hitblow 3 10`.
    ///
    /// # Errors
    /// If it has too many codes.
    pub(super) fn new(problem: &str) -> Result<Self, AnalystError> {
        let codes = codes_of(problem)?;
        Ok(Self { codes })
    }
}

impl Analyst for Pegs {
    fn analyse(&self, question: &Question<'_>) -> Result<Answer, String> {
        let codes = &self.codes;
        let notation = notation_of(codes, question)?;
        let observations = read_turns(question, |turn| {
            let guess = read(&notation, turn.guess)?;
            let reply = parse_reply(codes, turn.reply).map_err(|e| e.to_string())?;
            Ok(Observation { guess, reply })
        })?;
        let named = question.named.iter().map(|text| read(&notation, text));
        let named: Vec<CodeId> = named.collect::<Result<_, _>>()?;
        let prior = prior_of(codes, &notation, question)?;
        if let Some(found) = contradiction(codes, &prior, &observations) {
            return Ok(match possible_without_prior(codes, &observations) {
                0 => Answer::Contradiction(found),
                outside => Answer::OutsidePrior(outside),
            });
        }
        let known = state_after(&notation, &prior, &observations, &named, question.work);
        Ok(Answer::State(known))
    }

    fn example(&self) -> String {
        game::show(&self.codes, 0)
    }

    fn replies(&self) -> ReplyForm {
        ReplyForm::HitsBlows
    }
}

/// The state after `observations`, which some code explains, with the values of `named` guesses. `work` is how many table
/// lookups (about 1 ns each) the search for exact values may take.
///
/// Cost: one lookup for each place, guess and candidate, and `work`.
fn state_after(
    notation: &Notation<'_>,
    prior: &Posterior,
    observations: &[Observation],
    named: &[CodeId],
    work: u64,
) -> GameState {
    let codes = notation.codes();
    let posterior = posterior(codes, prior, observations);
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(codes, &posterior, &all);
    let mut best = best(codes, &posterior, observations, &mut scorer, |_| ());
    let mut exact = BestPlay::new(codes, &posterior, observations, work);
    let n = posterior.support().len() as f64;
    // The most informative guess is not always the one that ends soonest.
    let soonest = exact.fewest().map(|(guess, _)| guess);
    best.extend(soonest.filter(|guess| !best.contains(guess)));
    let mut value = |&guess: &CodeId| GuessValue {
        guess: notation.write(guess),
        information: Some(scorer.mutual_information_bits(guess)),
        right: Some(posterior.probability(guess)),
        turns: exact.turns(guess).map(|total| f64::from(total) / n),
        parts: parts(codes, &posterior, guess),
    };
    // Named guesses first, while there is time.
    let named: Vec<GuessValue> = named.iter().map(&mut value).collect();
    let best: Vec<GuessValue> = best.iter().map(&mut value).collect();
    let all = |values: &[GuessValue]| values.iter().all(|value| value.turns.is_some());
    GameState {
        searchable: exact.set.is_some() && !(all(&named) && all(&best)),
        best,
        named,
        ..state_of_codes(notation, &posterior)
    }
}

/// What each reply to a guess would leave, in the order of hits and blows.
fn parts(codes: &Codes, posterior: &Posterior, guess: CodeId) -> Vec<Cell> {
    let replies = Replies::new(codes, guess);
    let mut weights = BTreeMap::<Feedback, f64>::new();
    for (index, &code) in posterior.support().iter().enumerate() {
        *weights.entry(replies.feedback(code)).or_default() += posterior.weight(index);
    }
    let total = posterior.total();
    let mut cells = tree::split(codes, posterior, guess);
    cells.sort_unstable_by_key(|&(reply, _)| reply);
    let part = |(reply, cell): (Feedback, Posterior)| Cell {
        reply: game::reply_line(reply),
        probability: weights[&reply] / total,
        candidates: cell.support().len(),
        entropy: cell.entropy_bits(),
    };
    cells.into_iter().map(part).collect()
}

/// The guesses with most mutual information; of equal ones candidates first, then the smallest. Of
/// those that differ only in the names of digits that nothing has told apart, one. `seen` is called for each code.
pub fn best(
    codes: &Codes,
    posterior: &Posterior,
    observations: &[Observation],
    scorer: &mut Scorer<'_>,
    mut seen: impl FnMut(CodeId),
) -> Vec<CodeId> {
    if let &[only] = posterior.support() {
        return vec![only];
    }
    // A prior that is not uniform distinguishes every digit.
    let named = match posterior.is_uniform() {
        true => named_by(codes, observations),
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
fn named_by(codes: &Codes, observations: &[Observation]) -> [bool; MAX_DIGITS] {
    let mut named = [false; MAX_DIGITS];
    for observation in observations {
        for &digit in codes.digits(observation.guess) {
            named[usize::from(digit)] = true;
        }
    }
    named
}

/// What guesses cost, by search.
pub struct BestPlay<'a> {
    codes: &'a Codes,
    /// The candidates, where they are equally likely and few enough.
    set: Option<&'a [CodeId]>,
    named: [bool; MAX_DIGITS],
    search: Exact<'a>,
}

impl<'a> BestPlay<'a> {
    /// With more candidates than this nothing is searched.
    const MOST: usize = 300;

    /// After `observations`, which leave this posterior. `work` is how many table lookups (about 1 ns each) the search may
    /// take.
    pub fn new(
        codes: &'a Codes,
        posterior: &'a Posterior,
        observations: &[Observation],
        work: u64,
    ) -> Self {
        let set = posterior.support();
        let few = posterior.is_uniform() && set.len() <= Self::MOST;
        Self {
            codes,
            set: few.then_some(set),
            named: named_by(codes, observations),
            search: Exact::new(codes, work),
        }
    }

    /// A guess with which the fewest turns are left, and those turns over all candidates; `None` if that takes too long
    /// to find.
    pub fn fewest(&mut self) -> Option<(CodeId, u32)> {
        let (turns, guess) = self.search.least(self.set?, &self.named, u32::MAX)?;
        Some((guess, turns))
    }

    /// Turns to the end over all candidates if this is guessed next; `None` if that takes too long.
    pub fn turns(&mut self, guess: CodeId) -> Option<u32> {
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
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{ask, state};
    use crate::game::Notation;
    use crate::game::observations::{parse_guess_in, parse_observation};

    #[test]
    fn article_000_stands_where_it_says() {
        let now = state("hitblow 3 10", &ask(&["012:0,1", "134:0,2"], &[]));
        assert_eq!((now.candidates, now.listed.len()), (19, 19));
        assert!((now.entropy - f64::log2(19.0)).abs() < 1e-12);
        for place in &now.grid.unwrap().cells {
            assert!((place.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn replies_part_the_candidates_of_article_000_as_it_says() {
        let rows = ["012:0,1", "134:0,2"];
        let now = state("hitblow 3 10", &ask(&rows, &["243", "451"]));
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

    #[test]
    fn parts_are_shown_whatever_the_ratio_of_weights() {
        let mut question = ask(&[], &["345"]);
        question.prior = Some("012 1e-170\n016 3e-170\n345 1e170");
        let now = state("hitblow 3 10", &question);
        let part = now.named[0].parts.iter().find(|part| part.reply == "0 0");
        let part = part.unwrap();
        assert_eq!((part.candidates, part.probability), (2, 0.0));
        // 1/4 and 3/4.
        let entropy = 2.0 - 0.75 * f64::log2(3.0);
        assert!((part.entropy - entropy).abs() < 1e-12, "{part:?}");
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
        let now = state("hitblow 2 5", &ask(&rows, &["12", "20", "34", "01"]));
        let rows = [parse_observation(&codes, rows[0]).unwrap()];
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
            let guess = parse_guess_in(&Notation::numbers(&codes), &worth.guess).unwrap();
            let wasted = || set.support().len() as u32 + least_by_trying(&codes, set.support());
            let expected = cost_by_trying(&codes, set.support(), guess).or_else(|| Some(wasted()));
            let expected = expected.map(|total| f64::from(total) / set.support().len() as f64);
            assert_eq!(worth.turns, expected, "{}", worth.guess);
        }
    }

    #[test]
    fn digits_may_be_written_differently_and_secrets_be_more_or_less_likely() {
        let rows = ["abc:1 0"];
        let mut question = ask(&rows, &["bcd"]);
        question.digits = Some("abcdefghij");
        let now = state("hitblow 3 10", &question);
        let usual = state("hitblow 3 10", &ask(&["012:1,0"], &["123"]));
        assert_eq!(
            (now.candidates, now.entropy),
            (usual.candidates, usual.entropy)
        );
        assert_eq!(now.named[0].information, usual.named[0].information);
        assert_eq!(now.named[0].guess, "bcd");
        assert_eq!(now.grid.unwrap().columns.concat(), "abcdefghij");

        // A prior is written in the same digits.
        question.prior = Some("ade 3\nbcd 1");
        assert_eq!(state("hitblow 3 10", &question).listed[0].name, "ade");

        let mut question = ask(&["012:1,0"], &[]);
        question.prior = Some("034 3\n052 1\n987 5\n");
        let now = state("hitblow 3 10", &question);
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
        assert_eq!(analyst.analyse(&question), Ok(Answer::OutsidePrior(3 * 42)));
        question.prior = Some("98 5");
        let why = analyst.analyse(&question).unwrap_err();
        assert!(
            why.starts_with("prior, line 1: expected a code of the game"),
            "{why}"
        );
        question.digits = Some("ab");
        assert!(
            analyst
                .analyse(&question)
                .unwrap_err()
                .starts_with("digits: expected 10")
        );
    }
}
