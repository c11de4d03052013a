//! The player and the judge at one table: no pipe, no clock.

use std::sync::Arc;

use ahc030::case::Case;
use ahc030::refusal::Refusal;
use ahc030::rules::{Game, State};

use crate::oil_solver::grid::{Grid, cells_of};
use crate::oil_solver::{Move, Player, Settings};

/// One game of the submission.
pub struct Table {
    game: Game,
    n: usize,
    /// The submission.
    pub player: Player,
}

/// What the submission is told of a case.
pub fn visible_grid(case: &Case) -> Grid {
    let mut grid = Grid {
        n: case.layout.n().into(),
        eps: case.eps.value(),
        fields: Vec::new(),
    };
    for field in case.layout.fields() {
        let cell = |cell: &ahc030::layout::Cell| (cell.row.into(), cell.column.into());
        let cells: Vec<(usize, usize)> = field.shape.iter().map(cell).collect();
        grid.add_field(&cells)
            .expect("the fields of a case fit into its grid");
    }
    grid
}

/// How many fields cover each cell, row by row.
pub fn true_values(case: &Case) -> Vec<u8> {
    case.layout.rows().flatten().copied().collect()
}

/// The cells that an operation names.
pub fn cells_of_move(operation: &Move) -> Vec<usize> {
    match operation {
        Move::Ask(cells) => cells.clone(),
        Move::Answer(oil) => cells_of(oil),
    }
}

impl Table {
    /// Before the first operation.
    pub fn new(case: &Arc<Case>, settings: Settings) -> Self {
        Self {
            game: Game::new(Arc::clone(case)),
            n: case.layout.n().into(),
            player: Player::new(visible_grid(case), settings),
        }
    }

    /// Whether no operation may follow.
    pub fn is_over(&self) -> bool {
        self.game.state() != State::Playing
    }

    /// What was paid so far.
    pub fn cost(&self) -> f64 {
        self.game.cost()
    }

    /// What the game counts if it ends here, as a cost.
    pub fn score(&self) -> f64 {
        self.game.score() as f64 / 1e6
    }

    /// The line of an operation.
    pub fn line(&self, operation: &Move) -> String {
        let letter = match operation {
            Move::Ask(_) => 'q',
            Move::Answer(_) => 'a',
        };
        let cells = cells_of_move(operation);
        let words = cells
            .iter()
            .map(|cell| format!(" {} {}", cell / self.n, cell % self.n));
        format!("{letter} {}{}", cells.len(), words.collect::<String>())
    }

    /// Plays an operation. The player learns the reply, unless the game is over. Call the player's `choose` before.
    ///
    /// # Errors
    /// If the operation breaks the rules.
    pub fn play(&mut self, operation: &Move) -> Result<usize, Refusal> {
        let reply = self.game.play(self.line(operation).as_bytes())?;
        let reply = usize::try_from(reply).expect("no reply is below 0");
        if !self.is_over() {
            match operation {
                Move::Ask(cells) => self.player.learn(cells, reply),
                Move::Answer(oil) => self.player.learn_refusal(*oil),
            }
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ahc030::generate::{FixedParameters, generate};

    #[test]
    fn player_finds_the_oil_of_a_small_case() {
        let fixed = FixedParameters::new(Some(10), Some(2), None).unwrap();
        let case = Arc::new(generate(3, fixed));
        let settings = Settings {
            work: 1e6,
            ..Settings::default()
        };
        let mut table = Table::new(&case, settings);
        while !table.is_over() {
            let operation = table.player.choose(1.0);
            table.play(&operation).unwrap();
        }
        let (score, cost) = (table.score(), table.cost());
        assert!(score < 1000.0, "{score}");
        // A score is a whole number of millionths.
        assert!((score - cost.max(0.1)).abs() < 1e-6, "{score} {cost}");
    }

    #[test]
    fn refused_answer_is_not_given_again_where_layouts_are_hard_to_find() {
        let fixed = FixedParameters::new(Some(10), Some(5), None).unwrap();
        for seed in 0..8 {
            let case = Arc::new(generate(seed, fixed));
            let settings = Settings {
                work: 1e5,
                sharp: 0.0,
                ..Settings::default()
            };
            let mut table = Table::new(&case, settings);
            let mut answers = Vec::new();
            while !table.is_over() {
                let operation = table.player.choose(1.0);
                if let Move::Answer(oil) = &operation {
                    assert!(!answers.contains(oil), "{seed}: twice");
                    answers.push(*oil);
                }
                table.play(&operation).unwrap();
            }
            assert!(table.score() < 1000.0, "{seed} is not solved");
        }
    }

    #[test]
    fn set_has_the_cells_that_it_was_made_of() {
        let cells = [0, 63, 64, 399];
        let set = crate::oil_solver::grid::set_of(cells.into_iter());
        assert_eq!(cells_of_move(&Move::Answer(set)), cells);
    }
}
