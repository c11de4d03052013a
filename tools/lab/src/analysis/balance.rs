//! Weighings. Stones are alike if the same may be true of them, so a question is how many of each kind lie on each side.

use std::sync::{Mutex, PoisonError};

use tester::problem::rng::Seed;
use tester::problem::{Spec, TurnError};

use super::analyst::{Analyst, AnalystError};
use super::codes::believed;
use super::question::{Answer, Question, ReplyForm, Turn, read_turns};
use super::state::{BEST, Candidate, Cell, GameState, Grid, GuessValue, LISTED, RowName};
use crate::game::observations::Contradiction;
use crate::solver::balance::{BalanceSolver, Piles, REPLIES, Reply, Weighing, Weighings};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::Policy;

/// More stones than this do not fit side by side.
const SHOWN: usize = 64;

/// One game.
pub(super) struct Balance {
    problem: String,
    stones: usize,
    kind: String,
    /// The fewest weighings for what was searched so far.
    weighings: Mutex<Weighings>,
}

/// A contestant's line.
enum Line {
    Weigh(Weighing),
    /// What is answered, by its place among the candidates.
    Answer(u32),
}

impl Balance {
    /// Of a game such as `balance 12 odd`.
    ///
    /// # Errors
    /// If there is no such game.
    pub(super) fn new(problem: &str) -> Result<Self, AnalystError> {
        let spec = Spec::parse(problem)?;
        spec.generate(Seed(0))?;
        let word = |i: usize| spec.params.get(i).copied().unwrap_or_default();
        Ok(Self {
            problem: problem.to_owned(),
            stones: word(0).parse().unwrap_or(0),
            kind: word(1).to_owned(),
            weighings: Mutex::default(),
        })
    }

    fn odd(&self) -> bool {
        self.kind == "odd"
    }

    fn solver(&self) -> Result<BalanceSolver, String> {
        BalanceSolver::new(self.stones, &self.kind, Policy::Optimal)
    }

    /// Stone and whether it is heavier, of a candidate as the solver numbers them.
    fn candidate(&self, id: u32) -> (usize, bool) {
        match self.odd() {
            true => (id as usize / 2 + 1, id.is_multiple_of(2)),
            false => (id as usize + 1, true),
        }
    }

    fn name(&self, id: u32) -> String {
        match (self.odd(), self.candidate(id)) {
            (false, (stone, _)) => stone.to_string(),
            (true, (stone, true)) => format!("{stone} +"),
            (true, (stone, false)) => format!("{stone} -"),
        }
    }

    /// Reads a line as the judge does.
    fn line(&self, text: &str) -> Result<Line, String> {
        let spec = Spec::parse(&self.problem).map_err(|error| error.to_string())?;
        let instance = spec.generate(Seed(0)).map_err(|error| error.to_string())?;
        match instance.start().turn(text.as_bytes()) {
            Err(TurnError::Protocol(why) | TurnError::Format(why)) => return Err(why),
            Ok(_) | Err(TurnError::WrongAnswer(_)) => {}
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let number = |word: &&str| word.parse().unwrap_or(0);
        if words.first() == Some(&"?") {
            let stones: Vec<usize> = words.iter().skip(2).map(number).collect();
            let (left, right) = stones.split_at(stones.len() / 2);
            let (left, right) = (left.to_vec(), right.to_vec());
            return Ok(Line::Weigh(Weighing { left, right }));
        }
        let stone = words.get(1).map_or(1, number) as u32;
        Ok(Line::Answer(match (self.odd(), words.get(2)) {
            (true, Some(&"-")) => 2 * stone - 1,
            (true, _) => 2 * stone - 2,
            (false, _) => stone - 1,
        }))
    }

    fn weighing(&self, turn: &Turn<'_>) -> Result<(Weighing, Reply), String> {
        let Line::Weigh(weighing) = self.line(turn.guess)? else {
            return Err(format!(
                "expected a weighing such as {:?}, found {:?}",
                self.example(),
                turn.guess
            ));
        };
        let reply = Reply::from_word(turn.reply.trim())
            .ok_or_else(|| format!("expected <, = or >, found {:?}", turn.reply))?;
        Ok((weighing, reply))
    }

    fn after(&self, rows: &[(Weighing, Reply)]) -> Result<BalanceSolver, String> {
        let mut solver = self.solver()?;
        for (weighing, reply) in rows {
            solver.learn(weighing, *reply);
        }
        Ok(solver)
    }

    fn contradiction(&self, rows: &[(Weighing, Reply)]) -> Result<Contradiction, String> {
        let mut impossible_at = 0;
        while !self
            .after(&rows[..=impossible_at])?
            .posterior()
            .support()
            .is_empty()
        {
            impossible_at += 1;
        }
        let broken = |&id: &u32| {
            let (stone, heavier) = self.candidate(id);
            let numbered = rows.iter().enumerate();
            let wrong = numbered.filter(|(_, (w, reply))| w.reply(stone, heavier) != *reply);
            wrong.map(|(i, _)| i).collect()
        };
        let solver = self.solver()?;
        let all = solver.posterior().support().iter().map(broken);
        Ok(Contradiction::new(impossible_at, all.collect()))
    }

    /// The value of a weighing that leaves these piles, one for each reply.
    fn value(&self, guess: String, parts: [Piles; 3]) -> GuessValue {
        let n: usize = parts.iter().map(Piles::candidates).sum();
        let sizes = parts.map(|part| part.candidates() as f64);
        let mut weighings = self
            .weighings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let total = n + parts
            .iter()
            .map(|&part| weighings.fewest(part).0)
            .sum::<usize>();
        GuessValue {
            guess,
            // The secret decides the reply, so its information is its own entropy.
            information: Some(Posterior::from_prior(&sizes).entropy_bits()),
            right: None,
            turns: Some(total as f64 / n as f64),
            parts: parts
                .iter()
                .zip(["<", "=", ">"])
                .map(|(part, reply)| Cell {
                    reply: reply.to_owned(),
                    probability: part.candidates() as f64 / n as f64,
                    candidates: part.candidates(),
                    entropy: (part.candidates().max(1) as f64).log2(),
                })
                .collect(),
        }
    }

    /// The value of a named line.
    fn named(&self, text: &str, rows: &[(Weighing, Reply)]) -> Result<GuessValue, String> {
        match self.line(text)? {
            Line::Weigh(weighing) => {
                let mut parts = [Piles::default(); 3];
                for (part, reply) in parts.iter_mut().zip(REPLIES) {
                    let mut then = self.after(rows)?;
                    then.learn(&weighing, reply);
                    *part = then.piles();
                }
                Ok(self.value(weighing.to_line(), parts))
            }
            Line::Answer(id) => {
                let right = self.after(rows)?.posterior().probability(id);
                Ok(GuessValue {
                    guess: format!("! {}", self.name(id)),
                    information: None,
                    right: Some(right),
                    // No weighing is needed any more, or the game is lost.
                    turns: (right == 1.0).then_some(0.0),
                    parts: Vec::new(),
                })
            }
        }
    }

    /// The weighings that tell most, and one with which the fewest are needed.
    fn best(&self, solver: &BalanceSolver) -> Vec<GuessValue> {
        if let Some(answer) = solver.answer() {
            return vec![GuessValue {
                guess: answer,
                information: None,
                right: Some(1.0),
                turns: Some(0.0),
                parts: Vec::new(),
            }];
        }
        let piles = solver.piles();
        let fewest = self
            .weighings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fewest(piles)
            .2;
        let n = piles.candidates();
        // The most even are those that tell most.
        let spread = |sides: &_| {
            piles
                .sizes(sides)
                .iter()
                .map(|size| size * size)
                .sum::<usize>()
        };
        let mut questions = piles.questions();
        questions.retain(|sides| !piles.sizes(sides).contains(&n));
        questions.sort_by_key(|sides| (Some(*sides) != fewest, spread(sides)));
        questions.truncate(BEST);
        let worth = |sides: &_| {
            let parts = REPLIES.map(|reply| piles.after(sides, reply));
            self.value(solver.pick(sides).to_line(), parts)
        };
        questions.iter().map(worth).collect()
    }

    /// How probable it is that each stone is heavier, and lighter.
    fn grid(&self, believed: &[(u32, f64)]) -> Option<Grid> {
        if self.stones > SHOWN {
            return None;
        }
        let mut rows = vec![RowName::Heavier];
        rows.extend(self.odd().then_some(RowName::Lighter));
        let mut cells = vec![vec![0.0; self.stones]; rows.len()];
        for &(id, probability) in believed {
            let (stone, heavier) = self.candidate(id);
            cells[usize::from(!heavier)][stone - 1] += probability;
        }
        Some(Grid {
            rows,
            columns: (1..=self.stones).map(|stone| stone.to_string()).collect(),
            cells,
        })
    }
}

impl Analyst for Balance {
    fn analyse(&self, question: &Question<'_>) -> Result<Answer, String> {
        if question.digits.is_some() || question.prior.is_some() {
            return Err(
                "expected neither digits nor a prior: stones are numbered, and equally likely"
                    .to_owned(),
            );
        }
        let rows = read_turns(question, |turn| self.weighing(turn))?;
        let solver = self.after(&rows)?;
        let support = solver.posterior().support();
        if support.is_empty() {
            return Ok(Answer::Contradiction(self.contradiction(&rows)?));
        }
        let named = question.named.iter().map(|text| self.named(text, &rows));
        let believed = believed(solver.posterior());
        let candidate = |&(id, probability): &(u32, f64)| Candidate {
            name: self.name(id),
            probability,
        };
        let few = support.len() <= LISTED;
        Ok(Answer::State(GameState {
            candidates: support.len(),
            entropy: solver.posterior().entropy_bits(),
            listed: believed.iter().filter(|_| few).map(candidate).collect(),
            uniform: true,
            searchable: false,
            grid: self.grid(&believed),
            named: named.collect::<Result<_, _>>()?,
            best: self.best(&solver),
        }))
    }

    fn example(&self) -> String {
        "? 1 1 2".to_owned()
    }

    fn replies(&self) -> ReplyForm {
        ReplyForm::Balance
    }

    fn has_codes(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{ask, state};

    #[test]
    fn the_puzzle_with_twelve_stones_stands_where_everybody_knows() {
        // Four against four parts 24 candidates into thirds, and three weighings do.
        let now = state(
            "balance 12 odd",
            &ask(
                &[],
                &["? 4 1 2 3 4 5 6 7 8", "? 6 1 2 3 4 5 6 7 8 9 10 11 12"],
            ),
        );
        assert_eq!((now.candidates, now.uniform), (24, true));
        let worth = |i: usize| {
            (
                now.named[i].information.unwrap(),
                now.named[i].turns.unwrap(),
            )
        };
        assert!((worth(0).0 - 3_f64.log2()).abs() < 1e-12);
        assert_eq!(worth(0).1, 3.0);
        let parts: Vec<usize> = now.named[0].parts.iter().map(|p| p.candidates).collect();
        assert_eq!(parts, [8, 8, 8]);
        assert_eq!(worth(1).0, 1.0);
        assert!(worth(1).1 > 3.0);
        assert_eq!(now.best[0].turns, Some(3.0));
        let rows = ["? 4 1 2 3 4 5 6 7 8:=", "? 3 9 10 11 1 2 3:>"];
        let now = state("balance 12 odd", &ask(&rows, &["! 9 +", "? 1 9 10"]));
        let names: Vec<&str> = now.listed.iter().map(|c| &*c.name).collect();
        assert_eq!(names, ["9 +", "10 +", "11 +"]);
        assert_eq!(now.named[0].right, Some(1.0 / 3.0));
        assert_eq!((now.named[0].turns, now.named[1].turns), (None, Some(1.0)));
        let grid = now.grid.unwrap();
        assert_eq!(grid.rows, [RowName::Heavier, RowName::Lighter]);
        assert_eq!(grid.cells[0][8..11], [1.0 / 3.0; 3]);
        let rows = [rows[0], rows[1], "? 1 9 10:="];
        let now = state("balance 12 odd", &ask(&rows, &[]));
        assert_eq!((now.candidates, &*now.best[0].guess), (1, "! 11 +"));
    }

    #[test]
    fn turns_are_the_fewest_that_trying_everything_finds() {
        /// Weighings over all candidates, by trying every weighing of every size.
        fn fewest(candidates: &[usize], stones: usize) -> usize {
            if candidates.len() <= 1 {
                return 0;
            }
            let all = 3_usize.pow(stones as u32);
            let side = |weighing: usize, stone: usize| weighing / 3_usize.pow(stone as u32) % 3;
            (0..all)
                .filter_map(|w| {
                    let on = |s: usize| (0..stones).filter(|&stone| side(w, stone) == s).count();
                    if on(1) != on(2) || on(1) == 0 {
                        return None;
                    }
                    let parts = [0, 1, 2].map(|s| {
                        let part = candidates.iter().copied().filter(|&c| side(w, c) == s);
                        part.collect::<Vec<_>>()
                    });
                    if parts.iter().any(|part| part.len() == candidates.len()) {
                        return None;
                    }
                    let rest: usize = parts.iter().map(|part| fewest(part, stones)).sum();
                    Some(candidates.len() + rest)
                })
                .min()
                .unwrap()
        }
        for stones in 2..=5 {
            let everything: Vec<usize> = (0..stones).collect();
            let now = state(&format!("balance {stones} heavy"), &ask(&[], &[]));
            let least = now
                .best
                .iter()
                .filter_map(|worth| worth.turns)
                .fold(f64::MAX, f64::min);
            assert_eq!(
                least,
                fewest(&everything, stones) as f64 / stones as f64,
                "{stones}"
            );
        }
    }

    #[test]
    fn what_cannot_be_is_explained() {
        let analyst = crate::analysis::analyst("balance 4 heavy").unwrap();
        let rows = ["? 1 1 2:>", "? 1 1 3:=", "? 1 3 4:="];
        let Answer::Contradiction(found) = analyst.analyse(&ask(&rows, &[])).unwrap() else {
            panic!("no contradiction");
        };
        assert_eq!((found.impossible_at, found.fewest_wrong), (1, 1));
        // If the first is wrong it could be 2, if the second is it is 1.
        assert_eq!(
            (found.ways, found.possible),
            (vec![vec![0], vec![1]], vec![1, 1])
        );
        for wrong in ["? 1 1 2:x", "? 1 1 1:<", "! 1:1", "? 1 1 9:<", "hello:<"] {
            assert!(analyst.analyse(&ask(&[wrong], &[])).is_err(), "{wrong}");
        }
        let mut question = ask(&[], &[]);
        question.prior = Some("1 1");
        assert!(analyst.analyse(&question).is_err());
    }
}
