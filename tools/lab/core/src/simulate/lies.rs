//! What a lie costs: every secret with every lie, of games with few codes.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::liar::{game, truthful_guess};
use crate::solver::liar::{Ending, Listed, Rules};
use crate::solver::pegs::{CodeId, Codes, Feedback, Policy};

/// Turns of a strategy against a liar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LieCosts {
    /// The turns of each secret, if no reply is false; ascending.
    pub honest: Vec<usize>,
    /// For each turn, the games whose reply in that turn was false.
    pub lies: BTreeMap<usize, LiedGames>,
}

/// Games in which the reply of one and the same turn was false.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LiedGames {
    /// How many: secrets times false replies.
    pub games: usize,
    /// The sum of their turns.
    pub turns: usize,
    /// The most turns of one of them.
    pub worst: usize,
}

impl LieCosts {
    /// The mean over all secrets without a lie.
    pub fn honest_mean(&self) -> f64 {
        self.honest.iter().sum::<usize>() as f64 / self.honest.len() as f64
    }

    /// The mean over all secrets, if the reply of this turn is false, every false reply equally likely. Games that end
    /// by then have no lie, and there is none where no other reply than the true one is possible.
    pub fn mean(&self, turn: usize) -> f64 {
        let Some(lied) = self.lies.get(&turn) else {
            return self.honest_mean();
        };
        let ended = || self.honest.iter().filter(|&&turns| turns <= turn);
        let secrets = self.honest.len() - ended().count();
        let of_lies = secrets as f64 * lied.turns as f64 / lied.games as f64;
        (ended().sum::<usize>() as f64 + of_lies) / self.honest.len() as f64
    }

    /// The most turns of any game, if the reply of this turn is false.
    pub fn worst_of(&self, turn: usize) -> usize {
        let lied = self.lies.get(&turn).map(|lied| lied.worst);
        let is_honest = |turns: &&usize| lied.is_none() || **turns <= turn;
        let honest = self.honest.iter().filter(is_honest).copied();
        honest.chain(lied).max().unwrap_or(0)
    }

    /// The mean over the judge's cases: one in four has no lie, the others in each of the first 2P turns.
    pub fn mean_of_cases(&self, places: usize) -> f64 {
        let lies: f64 = (1..=2 * places).map(|turn| self.mean(turn)).sum();
        0.25 * self.honest_mean() + 0.75 * lies / (2 * places) as f64
    }

    /// The most turns of any game.
    pub fn worst(&self) -> usize {
        let lied = self.lies.values().map(|lied| lied.worst);
        lied.chain(self.honest.last().copied()).max().unwrap_or(0)
    }

    /// How many games were played.
    pub fn games(&self) -> usize {
        self.honest.len() + self.lies.values().map(|lied| lied.games).sum::<usize>()
    }

    fn add_lie(&mut self, turn: usize, turns: usize) {
        let lied = self.lies.entry(turn).or_default();
        lied.games += 1;
        lied.turns += turns;
        lied.worst = lied.worst.max(turns);
    }

    fn merge(mut self, other: Self) -> Self {
        self.honest.extend(other.honest);
        self.honest.sort_unstable();
        for (turn, other) in other.lies {
            let own = self.lies.entry(turn).or_default();
            own.games += other.games;
            own.turns += other.turns;
            own.worst = own.worst.max(other.worst);
        }
        self
    }
}

/// The most codes of a game that is played in every way.
pub const MOST_CODES: u64 = 1000;

/// The rules of `liar P K`, if its codes are few enough.
///
/// # Errors
/// If it is another problem, or there are too many codes.
pub fn rules(problem: &str) -> Result<Rules, String> {
    let words: Vec<&str> = problem.split_ascii_whitespace().collect();
    let ["liar", params @ ..] = &words[..] else {
        return Err(format!("expected liar P K, found {problem:?}"));
    };
    let rules = Rules::new(game(params)?, Ending::RightGuess)?;
    match rules.game.code_count() {
        ..=MOST_CODES => Ok(rules),
        count => Err(format!(
            "expected at most {MOST_CODES} codes to play every lie, found {count}"
        )),
    }
}

/// Every game of the solver: each secret, without a lie and with each false reply in each turn.
///
/// Cost: 0.6 s for `liar 3 10` on two cores.
///
/// # Errors
/// If the solver finds that replies contradict each other.
pub fn solver_costs(rules: Rules, policy: Policy) -> Result<LieCosts, String> {
    let root = Listed::new(rules);
    node(&root, &BTreeMap::new(), 1, rules, policy)
}

/// The games from a turn on. `lies` has the turn of the lie for each code that a reply contradicts: as replies are
/// given, there is only one.
fn node(
    listed: &Listed,
    lies: &BTreeMap<CodeId, usize>,
    turn: usize,
    rules: Rules,
    policy: Policy,
) -> Result<LieCosts, String> {
    let guess = listed.guess(policy)?;
    let mut costs = LieCosts::default();
    if listed.belief().clean.contains(&guess) {
        costs.honest.push(turn);
    }
    if let Some(&lie) = lies.get(&guess) {
        costs.add_lie(lie, turn);
    }
    let win = rules.win();
    let cells: Vec<usize> = rules.cells().into_iter().filter(|&c| c != win).collect();
    let after = |cell: usize| {
        let mut listed = listed.clone();
        listed.learn(guess, Feedback::from_cell(cell, rules.game.places));
        let belief = listed.belief();
        if belief.clean.is_empty() && belief.doubtful.is_empty() {
            return Ok(LieCosts::default());
        }
        let lie = |code: &CodeId| (*code, lies.get(code).copied().unwrap_or(turn));
        let lies = belief.doubtful.iter().map(lie).collect();
        node(&listed, &lies, turn + 1, rules, policy)
    };
    let parts: Result<Vec<LieCosts>, String> = cells.into_par_iter().map(after).collect();
    Ok(parts?.into_iter().fold(costs, LieCosts::merge))
}

/// The turns of each secret in a game without lies, as the solver plays `hitblow`; ascending.
pub fn truthful_turns(rules: Rules) -> Vec<usize> {
    let codes = Codes::new(rules.game);
    let turns = |secret: CodeId| {
        let mut history = Vec::new();
        loop {
            let guess = truthful_guess(&codes, &history);
            if guess == secret {
                return history.len() + 1;
            }
            let reply = Feedback::from_codes(codes.digits(guess), codes.digits(secret));
            history.push((guess, reply));
        }
    };
    let mut turns: Vec<usize> = (0..codes.len() as CodeId)
        .into_par_iter()
        .map(turns)
        .collect();
    turns.sort_unstable();
    turns
}

/// Every game of a solver that asks twice, and a third time if the replies differ. `truthful` are its turns without
/// lies and without asking twice.
///
/// A secret that takes n turns takes 2n - 1 if nothing is false. A lie about the k-th guess costs one turn more there,
/// and saves one for each guess between that and the last.
pub fn twice_costs(rules: Rules, truthful: &[usize]) -> LieCosts {
    let mut costs = LieCosts::default();
    for &turns in truthful {
        costs.honest.push(2 * turns - 1);
        for lie in 1..2 * turns - 1 {
            let guess = lie.div_ceil(2);
            for _ in 0..rules.cells().len() - 2 {
                costs.add_lie(lie, turns + guess + 1);
            }
        }
    }
    costs
}

#[cfg(test)]
mod tests {
    use tester::problem::{Spec, parse_case};

    use super::*;
    use crate::policy::Options;
    use crate::simulate::adapter::Adapter;
    use crate::simulate::liar::Liar;
    use crate::simulate::registry::select;

    /// Plays each case by the judge's own rules: every secret, every lie, one game after the other.
    fn one_by_one(problem: &str, policy: &str, false_replies: usize) -> LieCosts {
        let policy = select(&Liar, policy, &Options::default()).unwrap();
        let spec = Spec::parse(problem).unwrap();
        let mut costs = LieCosts::default();
        for (number, secret) in (0..).zip(spec.enumerate().unwrap()) {
            let play = |lie: String| {
                let text = format!("{problem}\n{}\n{lie}\n", secret.answer().unwrap());
                let mut session = parse_case(&text).unwrap().start();
                let mut player = Liar.player(&spec.params, &policy, number).unwrap();
                loop {
                    let line = player.line().unwrap();
                    let reply = session.turn(line.as_bytes()).unwrap();
                    if reply.done {
                        return session.score().units() as usize;
                    }
                    player.learn(reply.text()).unwrap();
                }
            };
            let honest = play("none".to_owned());
            costs.honest.push(honest);
            for turn in 1..honest {
                for choice in 0..false_replies {
                    costs.add_lie(turn, play(format!("{turn} {choice}")));
                }
            }
        }
        costs.honest.sort_unstable();
        costs
    }

    #[test]
    fn all_games_at_once_are_those_that_the_judge_plays_one_by_one() {
        for problem in ["liar 2 4", "liar 3 4"] {
            let rules = rules(problem).unwrap();
            // Without the right guess, and without the true reply.
            let false_replies = rules.cells().len() - 2;
            let solver = solver_costs(rules, Policy::Optimal).unwrap();
            assert_eq!(solver, one_by_one(problem, "solver", false_replies));
            let twice = twice_costs(rules, &truthful_turns(rules));
            assert_eq!(twice, one_by_one(problem, "twice", false_replies));
        }
    }

    #[test]
    fn means_are_those_of_the_judges_cases() {
        let lied = |games, turns, worst| LiedGames {
            games,
            turns,
            worst,
        };
        let costs = LieCosts {
            honest: vec![1, 2, 3],
            lies: [(1, lied(4, 16, 5)), (2, lied(2, 10, 6))].into(),
        };
        assert_eq!(costs.honest_mean(), 2.0);
        // Two secrets are lied about in turn 1, one in turn 2, none later.
        assert_eq!(costs.mean(1), (1.0 + 2.0 * 4.0) / 3.0);
        assert_eq!(costs.mean(2), (1.0 + 2.0 + 5.0) / 3.0);
        assert_eq!(costs.mean(3), 2.0);
        let expected = 0.25 * 2.0 + 0.75 * (costs.mean(1) + costs.mean(2)) / 2.0;
        assert_eq!(costs.mean_of_cases(1), expected);
        assert_eq!((costs.worst(), costs.games()), (6, 9));
        assert_eq!(
            (costs.worst_of(1), costs.worst_of(2), costs.worst_of(3)),
            (5, 6, 3)
        );
    }

    #[test]
    fn where_no_reply_can_be_false_every_mean_is_that_without_lies() {
        for problem in ["liar 1 3", "liar 2 2"] {
            let costs = solver_costs(rules(problem).unwrap(), Policy::Optimal).unwrap();
            assert_eq!(costs.mean(1), costs.honest_mean(), "{problem}");
            assert_eq!(costs.mean_of_cases(1), costs.honest_mean(), "{problem}");
            assert_eq!(costs.worst_of(1), costs.worst(), "{problem}");
        }
    }
}
