//! The problem: what a case is, how a seed makes one, and the rules of a game on it.
//!
//! This is a small game that works. Replace it by yours, from top to bottom; CHANGE marks the places. After each
//! step, `cargo test` says what does not fit. README.md has the statement: keep the two the same.

use tester::problem::drawing::{CellChange, GridDrawing, GridFrame, HiddenShape};
use tester::problem::fields::{exactly, number};
use tester::problem::rng::{CaseRng, Seed};
use tester::problem::{
    Drawing, Instance, InstanceError, Lines, ParamError, PlayedTurn, Problem, Reply, Score,
    Session, TurnError,
};
use tester::util::quote::quote;

/// CHANGE: the numbers of the statement.
const LEAST_N: usize = 4;
const MOST_N: usize = 20;
const MOST_COST: u64 = 9;
const DIGGING: u64 = 10;

/// The problem, for `main` and the tests.
pub static PROBLEM: Contest = Contest;

/// See [`PROBLEM`].
pub struct Contest;

/// CHANGE: a case. What the contestant is sent, and what it must find out.
#[derive(Clone)]
struct Case {
    /// The field has n × n cells.
    n: usize,
    /// The largest cost that a cell may have.
    m: u64,
    /// Minutes of a question at each cell, row by row.
    costs: Vec<u64>,
    /// Hidden: the cell with the treasure.
    treasure: Cell,
}

/// A row and a column, from 0 on.
type Cell = (usize, usize);

impl Case {
    /// CHANGE: the case of a seed. All random numbers are drawn here, noise too: a game draws none. Only then is a
    /// case the same for every contestant.
    fn from_seed(n: usize, seed: Seed) -> Self {
        let mut rng = CaseRng::new(seed);
        let m = 1 + rng.below(MOST_COST);
        let costs = (0..n * n).map(|_| 1 + rng.below(m)).collect();
        let mut place = || rng.below(n as u64) as usize;
        let treasure = (place(), place());
        Self {
            n,
            m,
            costs,
            treasure,
        }
    }

    fn cost(&self, (row, column): Cell) -> u64 {
        self.costs[row * self.n + column]
    }

    /// Reads a row and a column, of a contestant or of a case file, or says what is wrong with them.
    fn cell(&self, row: &str, column: &str) -> Result<Cell, String> {
        let below_n = |word| number(word, 0..=self.n - 1);
        Ok((below_n(row)?, below_n(column)?))
    }

    /// CHANGE: reads a line of the contestant. Whatever it prints must end in a value or in a message, never in a
    /// panic.
    fn move_in(&self, line: &[u8]) -> Result<Move, TurnError> {
        let named = |why| format!("{why} in {}", quote(line));
        let refused = |why| TurnError::Protocol(named(why));
        let text = String::from_utf8_lossy(line);
        match text.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            ["?", row, column] => self.cell(row, column).map(Move::Ask).map_err(refused),
            ["!", row, column] => self.cell(row, column).map(Move::Dig).map_err(refused),
            // Not of the form of a question: perhaps debug output. The verdict says where to print that.
            _ => {
                let why = "expected ? or !, a row and a column";
                Err(TurnError::Format(named(why.to_owned())))
            }
        }
    }
}

/// CHANGE: what a contestant may do in a turn.
#[derive(Clone, Copy)]
enum Move {
    Ask(Cell),
    Dig(Cell),
}

/// As many words as there should be.
fn words<const COUNT: usize>(line: &str) -> Result<[&str; COUNT], String> {
    exactly(line).map_err(|found| format!("number of words: {found} instead of {COUNT}"))
}

/// Reads a case file's next line. What is wrong with it becomes an error that names the line.
fn read_line<T>(
    lines: &mut Lines<'_>,
    expected: &str,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, InstanceError> {
    let line = lines.next(expected)?;
    read(line).map_err(|why| lines.error(expected, line, &why))
}

impl Problem for Contest {
    /// One word, for `--problem`, reports and the history.
    fn name(&self) -> &'static str {
        "new-contest"
    }

    /// CHANGE: the parameters after the name. `--problem "new-contest 10"` gives them; a seed decides the rest.
    fn usage(&self) -> &'static str {
        "new-contest N with 4 <= N <= 20"
    }

    /// CHANGE: the rules in a few sentences, for `problems` and `play`.
    fn about(&self) -> &'static str {
        "An N × N field hides a treasure in one cell. The input is `N M`, then N rows of N costs from 1 to M. `? i j` \
         takes as many minutes as the cost of cell (i, j): the reply is the number of steps from there to the \
         treasure. `! i j` digs, 10 minutes: the reply is `1`, done, or `0`. The score is the number of minutes."
    }

    /// CHANGE: parameters that are accepted, the smallest first. Tests use all of them; the middle one is the default.
    fn samples(&self) -> &'static [&'static str] {
        &["4", "10", "20"]
    }

    /// CHANGE: what a score counts. For more than whole numbers that should be small, see `objective` and `decimals`.
    fn unit(&self) -> &'static str {
        "minute"
    }

    /// CHANGE: numbers of a case that scores may depend on. They are columns in tables and reports.
    fn parameters(&self) -> &'static [&'static str] {
        &["N", "M"]
    }

    /// As in official case files: the first line of a file is the contestant's first line of input, without a name.
    fn files_begin_with_name(&self) -> bool {
        false
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let n = match params {
            [n] => number(n, LEAST_N..=MOST_N).ok(),
            _ => None,
        };
        let n = n.ok_or_else(|| ParamError::new(self, params))?;
        Ok(Box::new(Case::from_seed(n, seed)))
    }

    /// CHANGE: reads a case file, as `to_text` writes it.
    fn parse(
        &self,
        _params: &[&str],
        lines: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let expected = format!("N from {LEAST_N} to {MOST_N}, and M from 1 to {MOST_COST}");
        let (n, m) = read_line(lines, &expected, |line| {
            let [n, m] = words(line)?;
            Ok((number(n, LEAST_N..=MOST_N)?, number(m, 1..=MOST_COST)?))
        })?;
        let expected = format!("{n} costs from 1 to {m}");
        let mut costs = Vec::new();
        for _ in 0..n {
            costs.extend(read_line(lines, &expected, |line| {
                let costs = line
                    .split_ascii_whitespace()
                    .map(|word| number(word, 1..=m));
                let row: Vec<u64> = costs.collect::<Result<_, _>>()?;
                match row.len() == n {
                    true => Ok(row),
                    false => Err(format!("number of words: {} instead of {n}", row.len())),
                }
            })?);
        }
        let mut case = Case {
            n,
            m,
            costs,
            treasure: (0, 0),
        };
        let expected = "the row and the column of the treasure";
        case.treasure = read_line(lines, expected, |line| {
            let [row, column] = words(line)?;
            case.cell(row, column)
        })?;
        Ok(Box::new(case))
    }
}

impl Instance for Case {
    /// CHANGE: what the contestant is sent first: one line or several, without the last newline.
    fn opening(&self) -> String {
        let row = |costs: &[u64]| {
            let costs: Vec<String> = costs.iter().map(u64::to_string).collect();
            costs.join(" ")
        };
        let rows: Vec<String> = self.costs.chunks(self.n).map(row).collect();
        format!("{} {}\n{}", self.n, self.m, rows.join("\n"))
    }

    /// CHANGE: the case file: the opening, then what is hidden.
    fn to_text(&self) -> String {
        let (row, column) = self.treasure;
        format!("{}\n{row} {column}\n", self.opening())
    }

    /// CHANGE: the name and the parameters that were given to `generate`.
    fn spec(&self) -> String {
        format!("{} {}", PROBLEM.name(), self.n)
    }

    /// CHANGE: the values of `parameters` above.
    fn parameters(&self) -> Vec<f64> {
        vec![self.n as f64, self.m as f64]
    }

    /// CHANGE: the line that ends the game with the right answer. Leave it out where answers are graded.
    fn answer(&self) -> Option<String> {
        let (row, column) = self.treasure;
        Some(format!("! {row} {column}"))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Game::new(self.clone()))
    }

    /// CHANGE, or leave it out: the game as a picture, turn by turn. It plays the game again.
    fn draw(&self, turns: &[PlayedTurn<'_>], _last: &[&str]) -> Option<Drawing> {
        let number = |(row, column): Cell| (row * self.n + column) as u32;
        let costs = self.costs.iter().zip(0..).map(|(cost, cell)| CellChange {
            cell,
            text: Some(cost.to_string()),
            fill: None,
        });
        let mut frames = vec![GridFrame {
            changes: costs.collect(),
            caption: "0 minutes".to_owned(),
            ..GridFrame::default()
        }];
        let mut game = Game::new(self.clone());
        for turn in turns {
            let line = turn.question.as_bytes();
            let (cell, fill) = match self.move_in(line) {
                Ok(Move::Ask(cell)) => (Some(cell), "#a8d8f0"),
                Ok(Move::Dig(cell)) => (Some(cell), "#f0d080"),
                Err(_) => (None, ""),
            };
            let reply = game.turn(line).map(|reply| reply.text().to_owned());
            let change = cell.map(|cell| CellChange {
                cell: number(cell),
                text: reply.ok(),
                fill: Some(fill.to_owned()),
            });
            frames.push(GridFrame {
                marked: cell.into_iter().map(number).collect(),
                changes: change.into_iter().collect(),
                caption: format!("{} minutes", game.minutes),
            });
        }
        Some(Drawing::Grid(GridDrawing {
            rows: self.n as u32,
            columns: self.n as u32,
            frames,
            hidden: vec![HiddenShape {
                cells: vec![number(self.treasure)],
                label: "treasure".to_owned(),
            }],
            ..GridDrawing::default()
        }))
    }
}

/// CHANGE: a game on a case, and what it has cost so far.
struct Game {
    case: Case,
    minutes: u64,
}

impl Game {
    fn new(case: Case) -> Self {
        Self { case, minutes: 0 }
    }
}

impl Session for Game {
    /// CHANGE: the rules.
    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        // First what may be refused: a refused line leaves the game as it was.
        let chosen = self.case.move_in(question)?;
        let (row, column) = self.case.treasure;
        Ok(match chosen {
            Move::Ask(cell) => {
                self.minutes += self.case.cost(cell);
                let steps = cell.0.abs_diff(row) + cell.1.abs_diff(column);
                Reply::new(steps.to_string())
            }
            // An answer that must be right. To grade an answer instead, add what it is worth and end the game always.
            Move::Dig(cell) => {
                self.minutes += DIGGING;
                let right = cell == self.case.treasure;
                Reply::new(if right { "1" } else { "0" }).ending(right)
            }
        })
    }

    /// CHANGE: what the game is worth.
    fn score(&self) -> Score {
        self.minutes.into()
    }
}
