//! Two problems that draw their sessions: one a grid, one pictures. What of it stands in the page is tested here; how it
//! looks in a browser in `drawing_page.rs`.

use serde_json::{Value, json};
use tester::problem::drawing::{HiddenShape, SvgDrawing};
use tester::problem::grid::{GridBuilder, painted_cell};
use tester::problem::{Drawing, Instance, PlayedTurn, Question, Reply, Score, Session, TurnError};

use crate::common::session_page::{data, page};

/// Shapes on a grid of `side` × `side` cells, which may overlap. `ask K` and K lines `i j`: the reply is how many shapes
/// there are in these cells, and on a second line the number of cells asked so far. `end` ends the game.
pub struct Field {
    pub side: u32,
    pub shapes: Vec<Vec<u32>>,
}

impl Field {
    pub fn small() -> Self {
        // An L and a square that overlap in cell (1, 1).
        let shapes = vec![vec![0, 4, 5], vec![5, 6, 9, 10]];
        Self { side: 4, shapes }
    }

    fn depth(&self, cell: u32) -> usize {
        let covering = self.shapes.iter().filter(|shape| shape.contains(&cell));
        covering.count()
    }

    /// The cells of a question; `None` if it is wrong.
    fn cells(&self, question: &str) -> Option<Vec<u32>> {
        let mut lines = question.split('\n');
        let count: usize = lines.next()?.strip_prefix("ask ")?.parse().ok()?;
        let cell = |line: &str| {
            let (i, j) = line.split_once(' ')?;
            let (i, j): (u32, u32) = (i.parse().ok()?, j.parse().ok()?);
            (i < self.side && j < self.side).then_some(i * self.side + j)
        };
        let cells: Option<Vec<u32>> = lines.map(cell).collect();
        cells.filter(|cells| cells.len() == count)
    }
}

impl Instance for Field {
    fn to_text(&self) -> String {
        format!("{}\n{:?}\n", self.opening(), self.shapes)
    }

    fn opening(&self) -> String {
        format!("field {}\n{}", self.side, self.shapes.len())
    }

    fn spec(&self) -> String {
        "field".to_owned()
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Asking {
            field: Self {
                side: self.side,
                shapes: self.shapes.clone(),
            },
            asked: 0,
        })
    }

    fn draw(&self, turns: &[PlayedTurn<'_>], last: &[&str]) -> Option<Drawing> {
        let mut grid = GridBuilder::new(self.side, self.side);
        grid.set_caption("nothing is asked");
        for turn in turns {
            grid.end_frame();
            turn.comments.iter().for_each(|comment| grid.paint(comment));
            let cells = self.cells(turn.question).unwrap_or_default();
            cells.iter().for_each(|&cell| grid.mark(cell));
            if let (&[cell], Some(_)) = (cells.as_slice(), turn.reply) {
                grid.set_text(cell, self.depth(cell).to_string());
            }
            grid.set_caption(turn.reply.unwrap_or("no reply").replace('\n', ", asked "));
        }
        last.iter().for_each(|comment| grid.paint(comment));
        grid.end_frame();
        let shape = |(k, cells): (usize, &Vec<u32>)| HiddenShape {
            cells: cells.clone(),
            label: format!("shape {k}"),
        };
        Some(grid.finish(self.shapes.iter().enumerate().map(shape).collect()))
    }

    fn is_drawn(&self, comment: &str) -> bool {
        painted_cell(comment, self.side, self.side).is_some()
    }
}

struct Asking {
    field: Field,
    asked: usize,
}

impl Session for Asking {
    fn is_incomplete(&self, question: &Question<'_>) -> bool {
        let first = std::str::from_utf8(question.first()).unwrap_or_default();
        let count = first
            .strip_prefix("ask ")
            .and_then(|count| count.parse().ok());
        count.is_some_and(|count: usize| question.lines() < 1 + count)
    }

    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        let question = String::from_utf8_lossy(question);
        if question == "end" {
            return Ok(Reply::none().ending(true));
        }
        let cells = self.field.cells(&question);
        let cells = cells.ok_or_else(|| TurnError::Protocol("no question".to_owned()))?;
        self.asked += cells.len();
        let sum: usize = cells.iter().map(|&cell| self.field.depth(cell)).sum();
        Ok(Reply::new(format!("{sum}\n{}", self.asked)))
    }

    fn score(&self) -> Score {
        (self.asked as u64).into()
    }
}

/// A game whose turns are numbers, drawn as a bar each time.
pub struct Bars;

/// Runs if the picture were a part of the page.
pub const SCRIPT: &str = "<script>document.title = 'run'; parent.faults.push('run')</script>";

impl Instance for Bars {
    fn to_text(&self) -> String {
        "bars\n".to_owned()
    }

    fn opening(&self) -> String {
        "bars".to_owned()
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Counting(0))
    }

    fn draw(&self, turns: &[PlayedTurn<'_>], _last: &[&str]) -> Option<Drawing> {
        let frame = |turn: usize| {
            let width = 10 * turn + 1;
            // Without a namespace in every second picture.
            let name = ["", " xmlns=\"http://www.w3.org/2000/svg\""][turn % 2];
            format!(
                "<svg{name} width=\"100\" height=\"50\" onload=\"parent.faults.push('onload')\">{SCRIPT}\
                 <rect width=\"{width}\" height=\"50\" fill=\"#00f\"/></svg>"
            )
        };
        let frames = (0..=turns.len()).map(frame).collect();
        Some(Drawing::Svg(SvgDrawing { frames }))
    }
}

struct Counting(u64);

impl Session for Counting {
    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        self.0 += 1;
        Ok(Reply::new("ok").ending(question == b"end"))
    }

    fn score(&self) -> Score {
        self.0.into()
    }
}

/// `turns` turns; before each, all cells are painted with colours that no other turn has.
pub fn painter(side: u32, turns: u32) -> String {
    let mut stdout = String::new();
    for turn in 0..turns {
        for cell in 0..side * side {
            let (i, j) = (cell / side, cell % side);
            let colour = (turn * side * side + cell) * 97 % 0x0100_0000;
            stdout += &format!("#c {i} {j} #{colour:06x}\n");
        }
        let asked = 1 + turn * 7 % 100;
        stdout += &format!("# turn {turn}\nask {asked}\n");
        for k in 0..asked {
            let cell = (turn * 31 + k) % (side * side);
            stdout += &format!("{} {}\n", cell / side, cell % side);
        }
    }
    stdout + "end\n"
}

#[test]
fn a_grid_stands_in_the_page_and_what_it_draws_is_no_remark() {
    let stdout = "# begin\n#c 0 3 red\n#c 9 9 red\nask 1\n1 1\n#c 0 3 #00ff00\n#c 0 3 blue\nask 2\n0 0\n3 3\n\
        #c 3 3 red\n# end\nend\n#c 3 3 blue\n# over\n";
    let data = data(&page(&Field::small(), stdout));
    let remarks = |of: &Value| -> Vec<String> {
        let texts = of.as_array().into_iter().flatten();
        texts
            .map(|remark| remark["text"].as_str().unwrap().to_owned())
            .collect()
    };
    let turns = data["turns"].as_array().unwrap();
    let listed: Vec<_> = turns.iter().map(|turn| remarks(&turn["remarks"])).collect();
    // Cell (9, 9) does not exist, so that its comment is not in the picture.
    assert_eq!(
        listed,
        [vec!["# begin", "#c 9 9 red"], vec![], vec!["# end"]]
    );
    assert_eq!(remarks(&data["last"]), ["# over"]);
    let expected = json!({"grid": {
        "rows": 4,
        "columns": 4,
        "frames": [
            {"caption": "nothing is asked"},
            {"marked": [5], "changes": [[3, null, "red"], [5, "2"]], "caption": "2, asked 1"},
            {"marked": [0, 15], "changes": [[3, null, "blue"]], "caption": "1, asked 3"},
            {"changes": [[15, null, "blue"]], "caption": "no reply"},
        ],
        "hidden": [
            {"cells": [0, 4, 5], "label": "shape 0"},
            {"cells": [5, 6, 9, 10], "label": "shape 1"},
        ],
    }});
    assert_eq!(data["drawing"], expected);
}

#[test]
fn pictures_stand_in_the_page_as_text() {
    let page = page(&Bars, "1\n2\nend\n");
    assert!(!page.contains(SCRIPT));
    let data = data(&page);
    let frames = data["drawing"]["svg"]["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 4);
    assert!(frames[3].as_str().unwrap().contains(SCRIPT));
}

#[test]
fn a_hundred_thousand_painting_comments_make_no_page_of_tens_of_megabytes() {
    let shapes = vec![(0..40).collect(), (30..90).collect()];
    let stdout = painter(20, 300);
    let html = page(&Field { side: 20, shapes }, &stdout);
    assert!(stdout.len() > 2_000_000, "{}", stdout.len());
    // No less than the colours themselves, and 12 bytes for the cell and for punctuation.
    let frames = data(&html)["drawing"]["grid"]["frames"].take();
    let changes: usize = frames
        .as_array()
        .unwrap()
        .iter()
        .map(|frame| frame["changes"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(changes, 300 * 400);
    println!(
        "{} bytes of output, a page of {} bytes",
        stdout.len(),
        html.len()
    );
    assert!(html.len() < 5_000_000, "{}", html.len());
}
