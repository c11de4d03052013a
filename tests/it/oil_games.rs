//! Games of the AHC030 submission: their ends, and the drills before them.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::oil::grid::cells_of;
use crate::oil::{Move, Player, Settings};
use crate::oil_fast::{grid, layout, likelihood};

/// How many fields cover each cell.
fn values_of(truth: &[u16]) -> [usize; 36] {
    let mut values = [0; 36];
    let grid = grid(0.1);
    grid.covered(truth).for_each(|cell| values[cell] += 1);
    values
}

/// Plays against the rules, and returns how many operations were needed.
fn play(eps: f64, truth: &[u16], settings: Settings) -> usize {
    let values = values_of(truth);
    let (mut rng, mut player) = (Pcg64Mcg::seed_from_u64(1), Player::new(grid(eps), settings));
    let oil = grid(eps).oil(truth);
    for turn in 1.. {
        match player.choose(1.0) {
            Move::Answer(answer) if answer == oil => return turn,
            Move::Answer(answer) => player.learn_refusal(answer),
            Move::Ask(cells) => {
                assert!(turn <= 72, "more than 2N² operations");
                let sum = cells.iter().map(|&cell| values[cell]).sum();
                let reply = match cells.len() {
                    1 => sum,
                    count => {
                        let mut left = rng.random::<f64>();
                        (0..50)
                            .position(|reply| {
                                left -= likelihood(eps, count, sum, reply);
                                left < 0.0
                            })
                            .unwrap_or(50)
                    }
                };
                player.learn(&cells, reply);
            }
        }
    }
    unreachable!("the loop ends by its return")
}

#[test]
fn every_game_ends_with_the_right_answer_with_all_powers_and_without_work() {
    for (sharp, work) in [(8.0, 3e7), (0.0, 3e7), (0.0, 0.0)] {
        let settings = Settings {
            sharp,
            work,
            ..Settings::default()
        };
        for truth in [[0, 0, 0], [3, 7, 5], [15, 2, 9], [8, 8, 8]] {
            play(0.05, &layout(truth), settings);
        }
    }
}

#[test]
fn most_probable_answer_is_the_truth_after_all_cells_are_drilled() {
    let truth = layout([4, 11, 2]);
    let values = values_of(&truth);
    let mut player = Player::new(grid(0.1), Settings::default());
    for (cell, value) in values.into_iter().enumerate() {
        player.choose(0.0);
        player.learn(&[cell], value);
    }
    match player.choose(0.0) {
        Move::Answer(answer) => assert_eq!(cells_of(&answer), cells_of(&grid(0.1).oil(&truth))),
        Move::Ask(cells) => panic!("asked about {cells:?}"),
    }
}

/// The next move after replies that no layout fits.
fn cells_of_a_lost_turn(turns: usize, hurry: f64) -> usize {
    let settings = Settings {
        sharp: 0.0,
        work: 1e6,
        hurry,
        ..Settings::default()
    };
    let mut player = Player::new(grid(0.05), settings);
    for _ in 0..turns {
        player.choose(1.0);
        player.learn(&(0..36).collect::<Vec<_>>(), 36);
    }
    match player.choose(1.0) {
        Move::Ask(cells) => cells.len(),
        Move::Answer(answer) => panic!("answers {:?}", cells_of(&answer)),
    }
}

#[test]
fn where_no_layout_fits_the_last_operations_drill_cells_and_all_that_are_left_if_work_is_short() {
    let (never, always) = (-1.0, 1.0);
    // 72 operations: 36 turns leave one for each cell.
    assert!(cells_of_a_lost_turn(36, never) > 1);
    assert_eq!(cells_of_a_lost_turn(36, always), 1);
    // 61 turns leave a quarter of 36, and 2 more.
    assert!(cells_of_a_lost_turn(60, never) > 1);
    assert_eq!(cells_of_a_lost_turn(61, never), 1);
}

#[test]
fn sure_answer_is_given_before_all_cells_are_drilled() {
    let truth = layout([4, 11, 2]);
    let values = values_of(&truth);
    let settings = Settings {
        sharp: 0.0,
        work: 1e8,
        hurry: 1.0, // all that is left is for drills
        ..Settings::default()
    };
    let mut player = Player::new(grid(0.1), settings);
    let sum = values.iter().sum();
    for _ in 0..36 {
        player.choose(1.0);
        player.learn(&(0..36).collect::<Vec<_>>(), sum);
    }
    for drills in 0.. {
        match player.choose(1.0) {
            Move::Ask(cells) => {
                assert_eq!(cells.len(), 1, "36 cells and 36 operations are left");
                player.learn(&cells, values[cells[0]]);
            }
            Move::Answer(answer) => {
                assert_eq!(cells_of(&answer), cells_of(&grid(0.1).oil(&truth)));
                return assert!(drills < 30, "{drills}");
            }
        }
    }
}

#[test]
fn drilled_value_weighs_less_with_many_fields() {
    for (sharp, weight) in [(8.0, 60.0), (0.0, 6.0)] {
        let settings = Settings {
            sharp,
            ..Settings::default()
        };
        let player = Player::new(grid(0.05), settings);
        assert_eq!(player.know.noise.estimate(1, 2), (2.0, weight));
    }
}

/// Replies that speak for this layout, and then a drill that speaks against it: a cell with oil is said to be dry.
struct Refuted {
    player: Player,
    oil: Vec<usize>,
    values: [usize; 36],
}

impl Refuted {
    fn new(flee: f64) -> Self {
        let truth = layout([4, 11, 2]);
        let settings = Settings {
            sharp: 0.0, // as with many fields, where a drill weighs little
            work: 1e8,
            flee,
            ..Settings::default()
        };
        let mut refuted = Self {
            player: Player::new(grid(0.1), settings),
            oil: cells_of(&grid(0.1).oil(&truth)),
            values: values_of(&truth),
        };
        // Three times each row and each column.
        for line in (0..12).cycle().take(36) {
            let is_asked = |cell: &usize| cell / 6 == line || cell % 6 + 6 == line;
            refuted.player.choose(1.0);
            refuted.ask(&(0..36).filter(is_asked).collect::<Vec<_>>());
        }
        refuted.player.choose(1.0);
        refuted.player.learn(&refuted.oil[..1], 0);
        refuted
    }

    fn ask(&mut self, cells: &[usize]) {
        let sum = cells.iter().map(|&cell| self.values[cell]).sum();
        self.player.learn(cells, sum);
    }
}

/// With many fields, a layout that a drill has refuted may be the likeliest all the same.
#[test]
fn answer_that_a_drill_has_refuted_is_not_given() {
    let mut refuted = Refuted::new(Settings::default().flee);
    for _ in 0..10 {
        match refuted.player.choose(1.0) {
            Move::Ask(cells) => refuted.ask(&cells),
            Move::Answer(answer) => {
                let answered = cells_of(&answer);
                assert!(!answered.contains(&refuted.oil[0]), "{answered:?}");
                refuted.player.learn_refusal(answer);
            }
        }
    }
}

#[test]
fn layouts_that_a_drill_has_refuted_move_away_sooner_at_a_lower_power() {
    let share = |flee: f64| -> f64 {
        let mut player = Refuted::new(flee).player;
        player.choose(1.0);
        let layouts = player.pool.posterior.probabilities();
        let is_refuted = |layout: &[u16]| player.know.is_refuted(&player.know.grid.oil(layout));
        layouts
            .filter(|&(index, _)| is_refuted(&player.pool.layouts[index as usize]))
            .map(|(_, probability)| probability)
            .sum()
    };
    let [as_others, free] = [1.0, 0.1].map(share);
    assert!(free < 0.9 * as_others, "{free} {as_others}");
}
