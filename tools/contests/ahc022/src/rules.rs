//! A game as the official tester plays it: its stages, replies and costs. It knows no pipe and no clock.

use std::sync::Arc;

use crate::case::Case;
use crate::input::{self, Measurement};
use crate::refusal::Refusal;
use crate::score;
use crate::temperatures::{HIGHEST, Temperatures};

/// A contestant's game on one case.
#[derive(Clone, Debug)]
pub struct Game {
    case: Arc<Case>,
    stage: Stage,
    placement_cost: u64,
    measurements: usize,
    measurement_cost: u64,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The grid is to be set: L lines, no reply.
    Placement,
    /// Measurements, a line and a reply each; `-1 -1 -1`, without a reply, ends them.
    Measuring(Temperatures),
    /// The answer is to be given: N lines, no reply.
    Answer,
    /// The answer was given.
    Over {
        /// How many wormholes lead elsewhere.
        wrong: usize,
    },
}

impl Game {
    /// A game before its first line.
    pub fn new(case: Arc<Case>) -> Self {
        Self {
            case,
            stage: Stage::Placement,
            placement_cost: 0,
            measurements: 0,
            measurement_cost: 0,
        }
    }

    /// Whether more lines belong to a question of `lines` lines, of which this is the last. The lines before it are
    /// right.
    ///
    /// Cost: some microseconds; only the last line is looked at.
    pub fn is_incomplete(&self, lines: usize, last: &[u8]) -> bool {
        let (l, n) = (self.case.l, self.case.n());
        match self.stage {
            Stage::Placement => {
                lines < usize::from(l) && input::temperatures(last, lines - 1, l).is_ok()
            }
            Stage::Answer => lines < usize::from(n) && input::exit_cell(last, lines - 1, n).is_ok(),
            Stage::Measuring(_) | Stage::Over { .. } => false,
        }
    }

    /// Replies to the lines of the contestant, where they need a reply. None of them is blank or a comment.
    ///
    /// # Errors
    /// If a line breaks the rules, or if the game is over. The game is then as before.
    pub fn play(&mut self, question: &[u8]) -> Result<Option<u16>, Refusal> {
        match &self.stage {
            Stage::Placement => {
                let temperatures = read_grid(question, self.case.l)?;
                self.placement_cost = temperatures.placement_cost();
                self.stage = Stage::Measuring(temperatures);
                Ok(None)
            }
            Stage::Measuring(temperatures) => {
                match input::measurement(question, self.case.l, self.case.n())? {
                    Measurement::Through { wormhole, y, x } => {
                        let noise = self.case.noise.get(self.measurements);
                        let noise = *noise.ok_or(Refusal::NoMeasurementLeft)?;
                        let exit = self.case.exits[usize::from(wormhole)];
                        let cell = self.case.exit_cells[usize::from(exit)];
                        let measured = measured(temperatures.beside(cell, y, x), noise);
                        let steps = u64::from(y.unsigned_abs() + x.unsigned_abs());
                        self.measurements += 1;
                        self.measurement_cost += 100 * (10 + steps);
                        Ok(Some(measured))
                    }
                    Measurement::End => {
                        self.stage = Stage::Answer;
                        Ok(None)
                    }
                }
            }
            Stage::Answer => {
                let answer = read_answer(question, self.case.n())?;
                let pairs = answer.iter().zip(&self.case.exits);
                let wrong = pairs.filter(|(answer, exit)| answer != exit).count();
                self.stage = Stage::Over { wrong };
                Ok(None)
            }
            Stage::Over { .. } => Err(Refusal::Answered),
        }
    }

    /// Where the game stands.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// What the grid cost; 0 before it is set.
    pub fn placement_cost(&self) -> u64 {
        self.placement_cost
    }

    /// How many measurements there were.
    pub fn measurements(&self) -> usize {
        self.measurements
    }

    /// What they cost.
    pub fn measurement_cost(&self) -> u64 {
        self.measurement_cost
    }

    /// What the game counts if it ends here. Before the answer, every wormhole counts as wrong.
    pub fn score(&self) -> u64 {
        let wrong = match self.stage {
            Stage::Over { wrong } => wrong,
            _ => usize::from(self.case.n()),
        };
        score::score(wrong, self.placement_cost, self.measurement_cost)
    }
}

/// What is measured where it is as warm as this.
fn measured(temperature: u16, noise: i32) -> u16 {
    let sum = i32::from(temperature).saturating_add(noise);
    sum.clamp(0, i32::from(HIGHEST)) as u16
}

fn read_grid(question: &[u8], l: u8) -> Result<Temperatures, Refusal> {
    let lines = question.split(|&byte| byte == b'\n');
    let rows = lines.enumerate().map(|(row, line)| match row {
        row if row < usize::from(l) => input::temperatures(line, row, l),
        found => Err(Refusal::Rows {
            found: found + 1,
            l,
        }),
    });
    let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
    match rows.len() {
        found if found < usize::from(l) => Err(Refusal::Rows { found, l }),
        _ => Ok(Temperatures::from_rows(&rows)),
    }
}

fn read_answer(question: &[u8], n: u8) -> Result<Vec<u8>, Refusal> {
    let lines = question.split(|&byte| byte == b'\n');
    let exits = lines.enumerate().map(|(wormhole, line)| match wormhole {
        wormhole if wormhole < usize::from(n) => input::exit_cell(line, wormhole, n),
        found => Err(Refusal::Answers {
            found: found + 1,
            n,
        }),
    });
    let exits: Vec<_> = exits.collect::<Result<_, _>>()?;
    match exits.len() {
        found if found < usize::from(n) => Err(Refusal::Answers { found, n }),
        _ => Ok(exits),
    }
}
