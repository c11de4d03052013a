//! Races: costs by turn against a slow twin, best answers, equilibria, and games played by the judge.

use std::collections::HashMap;

use lab::game::codes;
use lab::optimal::{Objective, Options, WeightedSearch, find};
use lab::race::{Mixture, Role, equilibrium, odds, response, rewards, simulate};
use lab::solver::pegs::{CodeId, Codes, split};
use lab::strategy::{Strategy, turns_by_code, verify};
use lab::tree::shape;

/// The least cost by trying every guess at every turn; no bound, no symmetry.
struct Twin<'a> {
    codes: &'a Codes,
    /// Of a code that is found in a turn.
    cost: &'a dyn Fn(CodeId, usize) -> u64,
    known: HashMap<(usize, Vec<CodeId>), u64>,
}

impl Twin<'_> {
    fn least(&mut self, set: &[CodeId], turn: usize) -> u64 {
        if let &[only] = set {
            return (self.cost)(only, turn);
        }
        let key = (turn, set.to_vec());
        if let Some(&cost) = self.known.get(&key) {
            return cost;
        }
        let mut least = u64::MAX;
        for guess in 0..self.codes.len() as CodeId {
            let cells = split(self.codes, set, guess);
            if cells.iter().any(|(_, cell)| cell.len() == set.len()) {
                continue;
            }
            let own = match set.contains(&guess) {
                true => (self.cost)(guess, turn),
                false => 0,
            };
            let rest = cells.iter().map(|(_, cell)| self.least(cell, turn + 1));
            least = least.min(own + rest.sum::<u64>());
        }
        self.known.insert(key, least);
        least
    }
}

/// The cost of a turn when `costs` end: each turn as much more as the last one.
fn at(costs: &[u64], turn: usize) -> u64 {
    let last = costs.len() - 1;
    match costs.get(turn - 1) {
        Some(&cost) => cost,
        None => costs[last] + (turn - 1 - last) as u64 * (costs[last] - costs[last - 1]),
    }
}

#[test]
fn least_costs_are_those_of_the_slow_twin() {
    let tables: [&[u64]; 5] = [
        &[1, 2],
        &[0, 1, 1, 5, 5],
        &[0, 0, 7, 8, 20],
        &[5, 6, 7, 7],
        &[0, 10, 11, 12],
    ];
    for game in [
        "hitblow 2 3",
        "hitblow 2 4",
        "hitblow 3 4",
        "mastermind 2 3",
        "mastermind 3 2",
    ] {
        let codes = codes(game).unwrap();
        let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
        for costs in tables {
            for weight in [1, 3] {
                // Codes of equal digits count more, and then less, than others.
                let weight = |shape: &[usize]| if shape[0] > 1 { weight } else { 2 };
                let search = WeightedSearch::new(&codes, costs, &weight).unwrap();
                let cost = |code, turn| weight(&shape(&codes, code)) * at(costs, turn);
                let mut twin = Twin {
                    codes: &codes,
                    cost: &cost,
                    known: HashMap::new(),
                };
                let found = search.least(&all);
                assert_eq!(found, twin.least(&all, 1), "{game} {costs:?}");
                // The tree costs that much.
                let strategy = search.strategy();
                verify(&strategy).unwrap();
                let turns = turns_by_code(&codes, &strategy);
                let sum: u64 = (0..).zip(turns).map(|(code, turn)| cost(code, turn)).sum();
                assert_eq!(found, sum, "{game} {costs:?}");
            }
        }
    }
}

#[test]
fn with_a_turn_as_cost_the_least_totals_are_found() {
    for (game, total) in [
        ("hitblow 3 6", 436),
        ("hitblow 3 7", 836),
        ("mastermind 4 4", 905),
    ] {
        let codes = codes(game).unwrap();
        let search = WeightedSearch::new(&codes, &[1, 2], &|_| 1).unwrap();
        let strategy = search.strategy();
        assert_eq!(verify(&strategy).unwrap().total, total, "{game}");
    }
}

fn least_mean(codes: &Codes) -> Strategy {
    let found = find(codes, Objective::MeanThenWorst, &Options::default());
    found.unwrap().strategy
}

#[test]
#[ignore = "measures"]
fn try_it() {
    for game in ["hitblow 3 9", "hitblow 3 10"] {
        let codes = codes(game).unwrap();
        let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
        let started = std::time::Instant::now();
        let search = WeightedSearch::new(&codes, &[1, 2], &|_| 1).unwrap();
        println!(
            "{game} {} {} {:?}",
            search.least(&all),
            search.nodes(),
            started.elapsed()
        );
        let mean = least_mean(&codes);
        let turns = verify(&mean).unwrap().histogram;
        println!("mean {turns:?}");
        for role in Role::ALL {
            let started = std::time::Instant::now();
            let rewards = rewards(role, &[(1, &turns)]);
            let best = response(&codes, &rewards).unwrap();
            let own = verify(&best).unwrap().histogram;
            println!(
                "{role:?} {own:?} {:?} {:?}",
                started.elapsed(),
                odds(&own, &turns)
            );
            let started = std::time::Instant::now();
            let found = equilibrium(&codes, role, &mean).unwrap();
            println!(
                "{} {} {} {} {:?}",
                found.at_least,
                found.at_most,
                found.at_least.value(),
                found.at_most.value(),
                started.elapsed()
            );
            for mixture in [&found.own, &found.other] {
                for (part, _, turns) in &mixture.parts {
                    println!("  {part} {turns:?}");
                }
            }
        }
        println!("{:?}", simulate([&mean, &mean], 100_000, 1).unwrap());
        println!("{:?}", odds(&turns, &turns));
    }
    let _ = Mixture::WHOLE;
}
