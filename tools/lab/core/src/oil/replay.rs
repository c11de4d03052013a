//! What the submission knew before each operation of a session, its own or another contestant's.
//!
//! Replayed without a clock, so a session that time cut short is known a little better here.

use std::sync::Arc;

use ahc030::case::Case;
use ahc030::layout::Cell;
use ahc030::operation::Operation;
use ahc030::refusal::Refusal;
use serde::Serialize;

use super::table::{Table, cells_of_move, true_values, visible_grid};
use crate::oil_solver::grid::set_of;
use crate::oil_solver::{Move, Settings};

/// What is known at some point of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    /// For each cell, the probability that it has oil.
    pub oil: Vec<f64>,
    /// The entropy of the pool, in bits. At the beginning it is far below that of the prior: the pool is a sample.
    pub pool_bits: f64,
    /// The number of different layouts in the pool.
    pub layouts: usize,
    /// The probability of the most probable answer.
    pub answer: f64,
    /// What was paid so far.
    pub cost: f64,
}

/// A question and its information for cost, in bits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Valued {
    /// The cells that it asks about.
    pub cells: Vec<usize>,
    /// Information for cost.
    pub value: f64,
}

/// One operation, and what was known before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Before the operation.
    pub known: Known,
    /// Whether the operation is an answer.
    pub is_answer: bool,
    /// The line of the operation.
    #[serde(skip)]
    pub line: String,
    /// The operation as a question: of an answer, what its cells would tell.
    pub asked: Valued,
    /// The value of the best question that the player has found.
    pub best: f64,
    /// Drilling the cell of which least is known.
    pub drill: Valued,
    /// The reply.
    pub reply: usize,
    /// What was paid after it.
    pub cost: f64,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Its operations.
    pub steps: Vec<Step>,
    /// What is known at the end: after a right answer, everything.
    pub end: Known,
}

/// The submission's own game.
pub fn own_game(case: &Arc<Case>, settings: Settings) -> Replay {
    let mut table = Table::new(case, settings);
    let mut steps = Vec::new();
    while !table.is_over() {
        let operation = table.player.choose(1.0);
        let step = step(&mut table, &operation);
        steps.push(step.expect("the submission keeps the rules"));
    }
    end(table, case, steps)
}

/// The entropy of all layouts at the beginning, in bits: each field is anywhere, with the same probability.
pub fn prior_bits(case: &Case) -> f64 {
    visible_grid(case).bits()
}

/// A contestant's operations, one line each, until the game is over.
///
/// # Errors
/// If one of them breaks the rules: its number, from 1, and why.
pub fn replay(
    case: &Arc<Case>,
    lines: &[&str],
    settings: Settings,
) -> Result<Replay, (usize, Refusal)> {
    let n = case.layout.n();
    let mut table = Table::new(case, settings);
    let mut steps = Vec::new();
    for (line, number) in lines.iter().zip(1..) {
        if table.is_over() {
            break;
        }
        let failed = |refusal| (number, refusal);
        let operation = Operation::read(line.as_bytes(), n).map_err(failed)?;
        let index = |cell: &Cell| usize::from(cell.row) * usize::from(n) + usize::from(cell.column);
        let indices = |cells: &[Cell]| cells.iter().map(index).collect::<Vec<_>>();
        let operation = match &operation {
            Operation::Drill(cell) => Move::Ask(vec![index(cell)]),
            Operation::Question(cells) => Move::Ask(indices(cells)),
            Operation::Answer(cells) => Move::Answer(set_of(cells.iter().map(index))),
        };
        // The player makes up its mind, and is overruled.
        table.player.choose(1.0);
        steps.push(step(&mut table, &operation).map_err(failed)?);
    }
    Ok(end(table, case, steps))
}

fn end(mut table: Table, case: &Case, steps: Vec<Step>) -> Replay {
    let is_solved = steps
        .last()
        .is_some_and(|step| step.is_answer && step.reply == 1);
    if !table.is_over() {
        table.player.choose(1.0);
    }
    let end = match is_solved {
        true => Known {
            oil: true_values(case)
                .iter()
                .map(|&value| f64::from(value.min(1)))
                .collect(),
            pool_bits: 0.0,
            layouts: 1,
            answer: 1.0,
            cost: table.cost(),
        },
        false => known(&table),
    };
    Replay { steps, end }
}

/// Plays the operation, after the player has chosen one.
fn step(table: &mut Table, operation: &Move) -> Result<Step, Refusal> {
    let known = known(table);
    let doubt = |cell: &usize| (known.oil[*cell] - 0.5).abs();
    let all = 0..known.oil.len();
    let uncertain = all.min_by(|a, b| doubt(a).total_cmp(&doubt(b)));
    let uncertain = uncertain.expect("a grid has cells");
    let mut valued = |cells: Vec<usize>| Valued {
        value: table.player.value_of(&cells),
        cells,
    };
    let (asked, drill) = (valued(cells_of_move(operation)), valued(vec![uncertain]));
    // A climb is a search: what was asked by another contestant may be better than what it has found.
    let best = table.player.value.max(drill.value);
    let best = match operation {
        Move::Ask(_) => best.max(asked.value),
        Move::Answer(_) => best,
    };
    Ok(Step {
        is_answer: matches!(operation, Move::Answer(_)),
        line: table.line(operation),
        reply: table.play(operation)?,
        cost: table.cost(),
        known,
        asked,
        best,
        drill,
    })
}

fn known(table: &Table) -> Known {
    let pool = &table.player.pool;
    let (_, answer) = pool.answer(&table.player.know.grid);
    Known {
        oil: pool.oil_probabilities(),
        pool_bits: pool.posterior.entropy_bits(),
        layouts: pool.layouts.len(),
        answer,
        cost: table.cost(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ahc030::generate::{FixedParameters, generate};

    fn small() -> (Arc<Case>, Settings) {
        let fixed = FixedParameters::new(Some(10), Some(2), None).unwrap();
        let settings = Settings {
            work: 1e6,
            ..Settings::default()
        };
        (Arc::new(generate(3, fixed)), settings)
    }

    #[test]
    fn own_game_that_is_replayed_is_the_same() {
        let (case, settings) = small();
        let own = own_game(&case, settings);
        let steps = &own.steps;
        let lines: Vec<&str> = steps.iter().map(|step| step.line.as_str()).collect();
        assert_eq!(replay(&case, &lines, settings).unwrap(), own);
        assert_eq!(
            (own.end.cost, own.end.answer),
            (steps.last().unwrap().cost, 1.0)
        );
        let last = steps.last().unwrap();
        assert!(last.is_answer && last.reply == 1);
        for step in steps {
            assert_eq!(step.known.oil.len(), 100);
            assert!(
                step.known
                    .oil
                    .iter()
                    .all(|p| (0.0..=1.0 + 1e-6).contains(p))
            );
            assert!(step.cost >= step.known.cost);
            assert!(step.best >= step.drill.value && step.asked.value >= -1e-3);
        }
    }

    #[test]
    fn drilled_cell_is_known_and_tells_nothing_again() {
        let (case, settings) = small();
        let value = case.layout.value(Cell { row: 4, column: 4 });
        let Replay { steps, end } = replay(&case, &["q 1 4 4", "q 1 4 4"], settings).unwrap();
        let known = &steps[1].known;
        assert_eq!(known.oil[44].round(), f64::from(value.min(1)));
        assert!(steps[0].asked.value > 0.1 && steps[1].asked.value < 1e-3);
        assert_eq!((steps[0].known.cost, known.cost, end.cost), (0.0, 1.0, 2.0));
        assert!(known.pool_bits < prior_bits(&case));
    }

    #[test]
    fn broken_rule_is_named_with_its_turn() {
        let (case, settings) = small();
        let (turn, refusal) = replay(&case, &["q 1 4 4", "q 1 4 10"], settings).unwrap_err();
        assert_eq!(turn, 2);
        assert!(refusal.to_string().contains("10"), "{refusal}");
    }
}
