//! A game as the official tester plays it: replies, costs, and its end. It knows no pipe and no clock.

use std::sync::Arc;

use crate::case::Case;
use crate::layout::Cell;
use crate::operation::Operation;
use crate::refusal::Refusal;
use crate::score;

/// A contestant's game on one case.
#[derive(Clone, Debug)]
pub struct Game {
    case: Arc<Case>,
    operations: usize,
    cost: f64,
    solved: bool,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// An operation may follow.
    Playing,
    /// An answer was right.
    Solved,
    /// The last operation was no right answer.
    OutOfOperations,
}

impl Game {
    /// A game without an operation yet.
    pub fn new(case: Arc<Case>) -> Self {
        Self {
            case,
            operations: 0,
            cost: 0.0,
            solved: false,
        }
    }

    /// Replies to one line of the contestant, which is neither blank nor a comment.
    ///
    /// # Errors
    /// If the line breaks the rules, or if the game is over. The game is then as before.
    pub fn play(&mut self, line: &[u8]) -> Result<i32, Refusal> {
        let limit = self.case.operation_limit();
        match self.state() {
            State::Playing => {}
            State::Solved => return Err(Refusal::Solved),
            State::OutOfOperations => return Err(Refusal::NoOperationLeft { limit }),
        }
        let operation = Operation::read(line, self.case.layout.n())?;
        Ok(self.apply(&operation))
    }

    /// Costs are added in the order of the operations: another order would round otherwise.
    fn apply(&mut self, operation: &Operation) -> i32 {
        let (reply, cost) = match operation {
            &Operation::Drill(cell) => (i32::from(self.case.layout.value(cell)), 1.0),
            Operation::Question(cells) => {
                let cost = 1.0 / (cells.len() as f64).sqrt();
                (self.noisy_sum(cells), cost)
            }
            Operation::Answer(cells) => {
                self.solved = self.is_right(cells);
                match self.solved {
                    true => (1, 0.0),
                    false => (0, 1.0),
                }
            }
        };
        self.cost += cost;
        self.operations += 1;
        reply
    }

    /// The reply to a question: the terms are added and multiplied in the official order.
    fn noisy_sum(&self, cells: &[Cell]) -> i32 {
        let Case { layout, eps, noise } = &*self.case;
        let sum: u32 = cells
            .iter()
            .map(|&cell| u32::from(layout.value(cell)))
            .sum();
        let (k, sum, eps) = (cells.len() as f64, f64::from(sum), eps.value());
        let mean = (k - sum) * eps + sum * (1.0 - eps);
        let deviation = (k * eps * (1.0 - eps)).sqrt();
        let reply = (mean + noise[self.operations] * deviation).round();
        (reply as i32).max(0)
    }

    fn is_right(&self, cells: &[Cell]) -> bool {
        let layout = &self.case.layout;
        cells.len() == layout.oil_cells().count()
            && cells.iter().all(|&cell| layout.value(cell) > 0)
    }

    /// Where the game stands.
    pub fn state(&self) -> State {
        if self.solved {
            State::Solved
        } else if self.operations == self.case.operation_limit() {
            State::OutOfOperations
        } else {
            State::Playing
        }
    }

    /// How many operations there were, answers included.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// What they cost.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// What the game counts if it ends here.
    pub fn score(&self) -> u64 {
        score::score(self.solved.then_some(self.cost), self.case.layout.n())
    }
}
