//! Turns that take too long, with a clock that counts how often it is looked at.

use crate::solver::balance::{BalanceSolver, Move, Piles, Weighings};
use crate::solver::distance::{Difference, DistanceSolver};
use crate::solver::pegs::{Game, Policy};

/// A clock by which a turn takes too long from the `limit`-th look on, and the looks so far.
struct Clock {
    looks: usize,
    limit: usize,
}

impl Clock {
    fn new(limit: usize) -> Self {
        Self { looks: 0, limit }
    }

    fn is_late(&mut self) -> bool {
        self.looks += 1;
        self.looks > self.limit
    }
}

/// After a first guess that was wrong by 123, in a game with many likely codes.
fn second_turn(difference: Difference) -> DistanceSolver {
    let game = Game::new("distance", 4, 10).unwrap();
    let mut solver = DistanceSolver::with(difference, game, 100.0, Policy::Optimal).unwrap();
    let first = solver.guess().unwrap();
    let apart = if first > 5000 { -123 } else { 123 };
    solver.learn(first, difference.between(first + apart, first));
    solver
}

#[test]
fn a_late_turn_of_a_noisy_game_scores_no_more_guesses() {
    for difference in [Difference::Signed, Difference::Size] {
        let mut patient = Clock::new(usize::MAX);
        let best = second_turn(difference)
            .guess_until(&mut || patient.is_late())
            .unwrap();
        assert_eq!(best, second_turn(difference).guess().unwrap());
        assert!(
            patient.looks > 20,
            "{difference:?}: {} looks",
            patient.looks
        );
        for limit in [0, 1, 5, patient.looks - 1] {
            let (mut solver, mut clock) = (second_turn(difference), Clock::new(limit));
            let guess = solver.guess_until(&mut || clock.is_late()).unwrap();
            assert_eq!(clock.looks, limit + 1, "{difference:?}");
            let (values, belief) = solver.listed().unwrap();
            assert!(
                values.binary_search(&guess).is_ok(),
                "{difference:?}: {guess} is no code"
            );
            if limit == 0 {
                assert_eq!(guess, values[belief.mode() as usize]);
            }
        }
    }
}

#[test]
fn a_late_turn_of_a_balance_still_tells_something() {
    for (stones, kind, most) in [(1000, "odd", 9), (1000, "heavy", 9), (12, "odd", 4)] {
        for limit in [0, 1, 30] {
            let mut solver = BalanceSolver::new(stones, kind, Policy::Optimal).unwrap();
            let mut weighings = 0;
            loop {
                let mut clock = Clock::new(limit);
                let weighing = match solver.next_move_until(&mut || clock.is_late()) {
                    Move::Answer(line) => {
                        assert!(line == "! 7" || line == "! 7 +", "{line}");
                        break;
                    }
                    Move::Weigh(weighing) => weighing,
                };
                let reply = weighing.reply(7, true);
                solver.learn(&weighing, reply);
                weighings += 1;
                assert!(weighings <= most, "{stones} {kind}: {weighings} weighings");
            }
        }
    }
}

/// What was found in a hurry is not believed later.
#[test]
fn a_late_search_of_weighings_is_not_kept() {
    let piles = Piles {
        unknown: 12,
        heavy: 0,
        light: 0,
        good: 0,
    };
    let least = Weighings::default().fewest(piles).0;
    for limit in 0..40 {
        let (mut weighings, mut clock) = (Weighings::default(), Clock::new(limit));
        weighings.fewest_until(piles, &mut || clock.is_late());
        assert_eq!(weighings.fewest(piles).0, least, "late after {limit} looks");
    }
}
