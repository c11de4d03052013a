//! The solver and the balance: every secret is found, in as few weighings as theory and an exhaustive
//! twin say are possible.

use std::collections::HashMap;

use crate::solver::balance::shortest_paths;
use crate::solver::balance::{BalanceSolver, Move, Piles, REPLIES, Reply, Weighing, Weighings};
use crate::solver::pegs::Policy;
use crate::solver::search::HIT_BONUS;
use tester::problem::Spec;

const MI: Policy = Policy::Mi {
    hit_bonus: HIT_BONUS,
};

/// Plays all secrets with the judge's own sessions: the sum of weighings, and the most.
fn all_secrets(stones: usize, kind: &str, policy: Policy) -> (u64, u64) {
    let problem = format!("balance {stones} {kind}");
    let (mut total, mut most) = (0, 0);
    for instance in Spec::parse(&problem).unwrap().enumerate().unwrap() {
        let mut session = instance.start();
        let mut solver = BalanceSolver::new(stones, kind, policy).unwrap();
        loop {
            match solver.next_move_until(&mut || false) {
                Move::Answer(line) => {
                    let reply = session.turn(line.as_bytes());
                    assert!(reply.is_ok_and(|reply| reply.done), "{problem}: {line}");
                    break;
                }
                Move::Weigh(weighing) => {
                    let reply = session.turn(weighing.to_line().as_bytes()).unwrap();
                    solver.learn(&weighing, Reply::from_word(reply.text()).unwrap());
                }
            }
        }
        total += session.score().units();
        most = most.max(session.score().units());
    }
    (total, most)
}

/// How many weighings the hardest case takes at least: a heavier one among 3^w stones takes w, and one
/// that differs among (3^w - 3) / 2 (Dyson, 1946), also to say how.
fn fewest(stones: usize, kind: &str) -> u64 {
    let enough = |w: u32| match kind {
        "heavy" => 3_usize.pow(w) >= stones,
        _ => (3_usize.pow(w) - 3) / 2 >= stones,
    };
    (1..).find(|&w| enough(w)).unwrap().into()
}

#[test]
fn no_secret_takes_more_weighings_than_theory_says_are_needed() {
    for stones in (2..=45).chain([81, 82, 120, 121]) {
        for kind in ["heavy", "odd"] {
            if kind == "odd" && stones < 3 {
                continue;
            }
            let (total, most) = all_secrets(stones, kind, Policy::Optimal);
            assert_eq!(most, fewest(stones, kind), "balance {stones} {kind}");
            // Mutual information takes few, if not always the fewest.
            let (by_information, _) = all_secrets(stones, kind, MI);
            assert!(total <= by_information, "balance {stones} {kind}");
        }
    }
    // Article 004, and the ones that are known best.
    assert_eq!(all_secrets(9, "heavy", Policy::Optimal), (18, 2));
    assert_eq!(all_secrets(9, "heavy", MI), (18, 2));
    assert_eq!(all_secrets(12, "odd", Policy::Optimal).1, 3);
    assert_eq!(all_secrets(13, "heavy", Policy::Optimal).1, 3);
    assert_eq!(all_secrets(40, "heavy", Policy::Optimal).1, 4);
}

/// Every way to put stones left, right or aside, over sets of (stone, heavier): the least sum.
fn least_by_trying(
    stones: usize,
    set: &[(usize, bool)],
    known: &mut HashMap<Vec<(usize, bool)>, usize>,
) -> usize {
    if set.len() <= 1 {
        return 0;
    }
    if let Some(&cost) = known.get(set) {
        return cost;
    }
    let mut best = usize::MAX;
    for way in 0..3_usize.pow(stones as u32) {
        let side = |stone: usize| way / 3_usize.pow(stone as u32 - 1) % 3;
        let on = |which| {
            (1..=stones)
                .filter(|&stone| side(stone) == which)
                .collect::<Vec<_>>()
        };
        let (left, right) = (on(1), on(2));
        if left.len() != right.len() {
            continue;
        }
        let mut parts: [Vec<(usize, bool)>; 3] = Default::default();
        for &(stone, heavier) in set {
            // 0: the left side is lighter, 1: equal, 2: heavier.
            let part = match side(stone) {
                0 => 1,
                1 => 2 * usize::from(heavier),
                _ => 2 - 2 * usize::from(heavier),
            };
            parts[part].push((stone, heavier));
        }
        if parts.iter().any(|part| part.len() == set.len()) {
            continue;
        }
        let cost = parts
            .iter()
            .map(|part| least_by_trying(stones, part, known));
        best = best.min(set.len() + cost.sum::<usize>());
    }
    known.insert(set.to_vec(), best);
    best
}

#[test]
fn the_search_finds_what_trying_everything_finds() {
    for stones in 2..=7 {
        let heavy: Vec<_> = (1..=stones).map(|stone| (stone, true)).collect();
        let least = least_by_trying(stones, &heavy, &mut HashMap::new());
        let piles = Piles {
            heavy: stones,
            ..Piles::default()
        };
        assert_eq!(
            Weighings::default().fewest(piles).0,
            least,
            "{stones} heavy"
        );
    }
    for stones in 3..=5 {
        let odd: Vec<_> = (1..=stones)
            .flat_map(|stone| [(stone, true), (stone, false)])
            .collect();
        let least = least_by_trying(stones, &odd, &mut HashMap::new());
        let piles = Piles {
            unknown: stones,
            ..Piles::default()
        };
        assert_eq!(Weighings::default().fewest(piles).0, least, "{stones} odd");
    }
}

/// All trees, by trying every way to part n leaves.
fn shortest_by_trying(n: usize) -> usize {
    let mut costs = vec![0, 0];
    for n in 2..=n {
        let parts = (0..n).flat_map(|a| (0..=(n - a).min(n - 1)).map(move |b| (a, b, n - a - b)));
        let parts = parts.filter(|&(_, _, c)| c < n);
        costs.push(
            n + parts
                .map(|(a, b, c)| costs[a] + costs[b] + costs[c])
                .min()
                .unwrap(),
        );
    }
    costs[n]
}

#[test]
fn most_even_trees_are_the_shortest() {
    for n in 0..120 {
        assert_eq!(shortest_paths(n), shortest_by_trying(n), "{n}");
    }
}

#[test]
fn what_is_weighed_is_parted_as_the_question_says() {
    for (stones, kind) in [(7, "heavy"), (8, "odd"), (30, "odd")] {
        let mut solver = BalanceSolver::new(stones, kind, MI).unwrap();
        for reply in [Reply::Equal, Reply::Heavier] {
            let piles = solver.piles();
            for sides in piles.questions() {
                let weighing = solver.pick(&sides);
                assert_eq!(weighing.left.len(), weighing.right.len());
                let mut sizes = [0; 3];
                for &id in solver.posterior().support() {
                    let (stone, heavier) = match kind {
                        "odd" => (id as usize / 2 + 1, id % 2 == 0),
                        _ => (id as usize + 1, true),
                    };
                    let shown = weighing.reply(stone, heavier);
                    sizes[REPLIES.iter().position(|&reply| reply == shown).unwrap()] += 1;
                }
                assert_eq!(sizes, piles.sizes(&sides));
            }
            let Move::Weigh(weighing) = solver.next_move_until(&mut || false) else {
                panic!("there is something left to learn");
            };
            solver.learn(&weighing, reply);
        }
    }
}

#[test]
fn replies_are_the_judges() {
    let weighing = Weighing {
        left: vec![2, 5],
        right: vec![3, 1],
    };
    for instance in Spec::parse("balance 6 odd").unwrap().enumerate().unwrap() {
        let reply = instance
            .start()
            .turn(weighing.to_line().as_bytes())
            .unwrap();
        let answer = instance.answer().unwrap();
        let words: Vec<&str> = answer.split(' ').collect();
        let expected = weighing.reply(words[1].parse().unwrap(), words[2] == "+");
        assert_eq!(Reply::from_word(reply.text()), Some(expected), "{answer}");
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refusal = |stones, kind, policy| BalanceSolver::new(stones, kind, policy).err().unwrap();
    assert!(refusal(2, "odd", MI).contains("expected more stones than 2"));
    assert!(refusal(9, "light", MI).contains("found \"light\""));
    assert!(refusal(9, "heavy", Policy::Map).contains("expected optimal or mi"));
}

/// What `odd` takes at least, by number of unknown stones, without good ones and with: a weighing of a
/// unknown stones leaves a candidates on either side that goes down, which cost no less than the most
/// even tree, or all other stones unknown. Without a good stone, a is even.
fn least_of_odd(most: usize) -> Vec<(usize, usize)> {
    let mut least = vec![(0, 0), (usize::MAX / 4, 2)];
    for n in 2..=most {
        let cost =
            |a: usize, least: &[(usize, usize)]| 2 * n + 2 * shortest_paths(a) + least[n - a].1;
        let with = (1..=n).map(|a| cost(a, &least)).min().unwrap();
        let without = (2..=n).step_by(2).map(|a| cost(a, &least)).min().unwrap();
        least.push((without, with));
    }
    least
}

#[test]
fn totals_are_proved_to_be_the_least_by_bounds_that_they_attain() {
    for stones in 2..=1000 {
        let piles = Piles {
            heavy: stones,
            ..Piles::default()
        };
        // The most even tree parts six into one, two and three, but both sides have as many stones; trying
        // everything (above) finds 12 as well.
        let bound = shortest_paths(stones) + usize::from(stones == 6);
        assert_eq!(
            Weighings::default().fewest(piles).0,
            bound,
            "{stones} heavy"
        );
    }
    for (stones, &(bound, _)) in least_of_odd(1000).iter().enumerate().skip(3) {
        let piles = Piles {
            unknown: stones,
            ..Piles::default()
        };
        assert_eq!(Weighings::default().fewest(piles).0, bound, "{stones} odd");
    }
}
