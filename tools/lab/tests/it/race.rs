//! Races: costs by turn against a slow twin, best answers, equilibria, and games played by the judge.

use std::collections::{BTreeSet, HashMap};

use lab::game::codes;
use lab::optimal::{Objective, Options, WeightedSearch, find};
use lab::race::{Fraction, Mixture, Role, equilibrium, odds, response, rewards, simulate};
use lab::solver::pegs::{CodeId, Codes, split};
use lab::strategy::{Strategy, from_policy, turns_by_code, verify};
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

/// Every tree of a game, as histograms of turns: the slow way to know what a response or an equilibrium can be.
fn all_histograms(codes: &Codes, set: &[CodeId], most_turns: usize) -> BTreeSet<Vec<u64>> {
    if let &[_] = set {
        return BTreeSet::from([vec![1]]);
    }
    let mut found = BTreeSet::new();
    if most_turns < 2 {
        return found;
    }
    for guess in 0..codes.len() as CodeId {
        let cells = split(codes, set, guess);
        if cells.iter().any(|(_, cell)| cell.len() == set.len()) {
            continue;
        }
        let own = u64::from(set.contains(&guess));
        let mut sums = BTreeSet::from([vec![own]]);
        for (_, cell) in &cells {
            let below = all_histograms(codes, cell, most_turns - 1);
            let mut longer = BTreeSet::new();
            for sum in &sums {
                for turns in &below {
                    let mut sum = sum.clone();
                    sum.resize(sum.len().max(turns.len() + 1), 0);
                    (1..)
                        .zip(turns)
                        .for_each(|(at, count): (usize, _)| sum[at] += count);
                    longer.insert(sum);
                }
            }
            sums = longer;
        }
        found.extend(sums);
    }
    found
}

/// Twice the pairs of secrets that are won.
fn won(role: Role, own: &[u64], other: &[u64]) -> u64 {
    let pairs = (1..).zip(own).flat_map(|(a, n): (usize, _)| {
        let other = (1..).zip(other);
        other.map(move |(b, m): (usize, _)| (a, b, n * m))
    });
    let points = |a: usize, b: usize| match role {
        Role::First => 2 * u64::from(a <= b),
        Role::Second => 2 * u64::from(a < b),
        Role::Rounds => u64::from(a <= b) + u64::from(a < b),
    };
    pairs.map(|(a, b, games)| games * points(a, b)).sum()
}

/// All of its trees can be listed.
const SMALL: &str = "hitblow 2 3";

#[test]
fn responses_are_the_best_of_all_trees() {
    for game in [SMALL, "mastermind 2 3", "hitblow 1 4"] {
        let codes = codes(game).unwrap();
        let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
        let trees = all_histograms(&codes, &all, 5);
        assert!(trees.len() > 1 || game == "hitblow 1 4", "{game}");
        // Against each of them, so against good and bad ones.
        for other in &trees {
            for role in Role::ALL {
                let best = trees.iter().map(|own| won(role, own, other)).max();
                let found = response(&codes, &rewards(role, &[(1, other)])).unwrap();
                let turns = verify(&found).unwrap().histogram;
                assert_eq!(
                    Some(won(role, &turns, other)),
                    best,
                    "{game} {role:?} {other:?}"
                );
                // Of those that win as often, one with the fewest turns.
                let total =
                    |turns: &[u64]| (1..).zip(turns).map(|(t, n): (u64, _)| t * n).sum::<u64>();
                let equal = trees
                    .iter()
                    .filter(|own| Some(won(role, own, other)) == best);
                assert_eq!(Some(total(&turns)), equal.map(|own| total(own)).min());
            }
        }
    }
}

fn least_mean(codes: &Codes) -> Strategy {
    let found = find(codes, Objective::MeanThenWorst, &Options::default());
    found.unwrap().strategy
}

#[test]
fn nothing_gains_against_an_equilibrium() {
    for game in [SMALL, "mastermind 2 3"] {
        let codes = codes(game).unwrap();
        let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
        let trees = all_histograms(&codes, &all, 5);
        for role in Role::ALL {
            let found = equilibrium(&codes, role, &least_mean(&codes)).unwrap();
            let games = 2 * Mixture::WHOLE * (codes.len() as u64).pow(2);
            let wins = |own: &[u64], other: &[u64]| won(role, own, other);
            let of_own = |other: &Vec<u64>| -> u64 {
                let parts = found.own.parts.iter();
                parts.map(|(part, _, own)| part * wins(own, other)).sum()
            };
            let of_other = |own: &Vec<u64>| -> u64 {
                let parts = found.other.parts.iter();
                parts.map(|(part, _, other)| part * wins(own, other)).sum()
            };
            let fraction = |count: Option<u64>| Fraction::new(count.unwrap().into(), games.into());
            assert_eq!(
                fraction(trees.iter().map(of_own).min()),
                found.at_least,
                "{game}"
            );
            assert_eq!(
                fraction(trees.iter().map(of_other).max()),
                found.at_most,
                "{game}"
            );
            assert!(
                found.at_most.value() - found.at_least.value() < 1e-5,
                "{game}"
            );
        }
    }
}

#[test]
fn the_strategy_that_wins_most_often_is_not_the_one_with_the_least_mean() {
    let codes = codes("hitblow 3 10").unwrap();
    // A strategy with the least total, 3575; another test finds it.
    let mean = [1, 4, 25, 146, 361, 179, 4];
    let wins = |role: Role| {
        let found = response(&codes, &rewards(role, &[(1, &mean)])).unwrap();
        let turns = verify(&found).unwrap().histogram;
        let odds = odds(&turns, &mean);
        // Rewards and odds are counted separately.
        let games = 2 * 720 * 720;
        let won = Fraction::new(won(role, &turns, &mean).into(), games);
        match role {
            Role::First => assert_eq!(odds.moving_first, won),
            Role::Second => assert_eq!(odds.fewer, won),
            Role::Rounds => {}
        }
        format!("{won} {turns:?}")
    };
    let [first, second, rounds] = Role::ALL.map(wins);
    insta::assert_snapshot!(first, @"356047/518400 [1, 4, 18, 138, 397, 155, 7]");
    insta::assert_snapshot!(second, @"86137/259200 [1, 4, 24, 173, 313, 186, 19]");
    insta::assert_snapshot!(rounds, @"173789/345600 [1, 4, 21, 137, 395, 152, 10]");
}

/// Standard errors between games played and odds computed.
fn errors(strategies: [&Strategy; 2], games: u64, seed: u64) -> [f64; 2] {
    let turns = strategies.map(|strategy| verify(strategy).unwrap().histogram);
    let odds = odds(&turns[0], &turns[1]);
    let tally = simulate(strategies, games, seed).unwrap();
    let off = |count: u64, p: f64| {
        let n = games as f64;
        (count as f64 - n * p) / (n * p * (1.0 - p)).sqrt()
    };
    [
        off(tally.fewer, odds.fewer.value()),
        off(tally.fewer + tally.same, odds.moving_first.value()),
    ]
}

fn compare_games(games: u64) {
    let codes = codes("hitblow 3 10").unwrap();
    let options = lab::policy::Options::default();
    let policy = |name| {
        let factory = lab::policy::select(name, &options).unwrap();
        from_policy(&codes, &*(factory.build)(&options))
    };
    let strategies = [least_mean(&codes), policy("mi"), policy("map")];
    for (number, one) in (0..).zip(&strategies) {
        for (other, two) in (0..).zip(&strategies) {
            let seed = 2 * games * (3 * number + other);
            let errors = errors([one, two], games, seed);
            assert!(
                errors.iter().all(|z| z.abs() < 4.0),
                "{number} {other} {errors:?}"
            );
        }
    }
}

#[test]
fn played_games_come_out_as_computed() {
    compare_games(2000);
}

#[test]
#[ignore = "some seconds, and only when optimised: cargo test --release -p lab --test it race:: -- --ignored"]
fn a_hundred_thousand_games_come_out_as_computed() {
    compare_games(100_000);
}

#[test]
fn the_tree_of_a_policy_takes_its_turns() {
    for game in ["hitblow 3 6", "mastermind 3 4"] {
        let codes = codes(game).unwrap();
        for factory in lab::policy::POLICIES
            .iter()
            .filter(|factory| factory.outcome.is_none())
        {
            let options = lab::policy::Options::default();
            let policy = (factory.build)(&options);
            let strategy = from_policy(&codes, &*policy);
            let walked = lab::tree::outcome_of(factory, &*policy, &codes).turns;
            assert_eq!(
                verify(&strategy).unwrap().histogram,
                walked,
                "{game} {}",
                factory.name
            );
            let mut counted = vec![0; walked.len()];
            turns_by_code(&codes, &strategy)
                .into_iter()
                .for_each(|turns| counted[turns - 1] += 1);
            assert_eq!(counted, walked, "{game} {}", factory.name);
        }
    }
}
