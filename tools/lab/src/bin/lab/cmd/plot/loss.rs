//! `lab plot loss`: the smallest position where greed loses turns, with the policy's tree and the best one.

use anyhow::{Context as _, Result};
use lab::game::show;
use lab::strategy::Node;
use lab::theory::{Loss, Worth};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::picture::{COLOURS, Canvas, Drawing, text};
use crate::cli::{self, LossArgs};
use crate::cmd::loss::{found, smallest};
use crate::cmd::strategies;

/// A panel for each tree.
const PANEL: i32 = 470;
const ROW: i32 = 32;
/// A column for each turn.
const COLUMN: i32 = 158;
const BOX: (i32, i32) = (72, 25);
/// Titles, the cells of the first guess, the names of columns.
const HEAD: i32 = 222;
const FOOT: i32 = 48;
const GREY: RGBColor = RGBColor(120, 120, 120);

pub(super) fn picture(args: &LossArgs) -> Result<Position> {
    let codes = cli::codes(&args.problem)?;
    let policy = strategies::policy_with(&codes, &args.policy, &args.choice)?;
    let all = found(args, &codes, &*policy)?;
    let by_greed = smallest(all.iter().filter(|loss| !loss.is_tie()));
    let position = by_greed.with_context(|| {
        format!(
            "expected a policy that loses turns by greed, found {}",
            args.policy
        )
    })?;
    let set: Vec<String> = position
        .set
        .iter()
        .map(|&code| show(&codes, code))
        .collect();
    let trees = [
        Tree::new("as the policy plays", &position.tree, &position.worth, &set),
        Tree::new(
            "with the fewest turns",
            &position.best_tree,
            &position.best_worth,
            &set,
        ),
    ];
    let picture = Position {
        titles: [
            format!("{} after {}", codes.game.title(), before(position)),
            format!("{} candidates: {}", set.len(), set.join(" ")),
        ],
        trees,
    };
    Ok(picture)
}

/// `012 0H0B, 345 2H0B`
fn before(position: &Loss) -> String {
    let rows = position.before.iter();
    let rows: Vec<String> = rows
        .map(|(guess, reply)| format!("{guess} {}", letters(reply)))
        .collect();
    rows.join(", ")
}

/// `0 1` as `0H1B`.
fn letters(reply: &str) -> String {
    format!("{}B", reply.replace(' ', "H"))
}

/// A guess of a tree.
struct Line {
    /// From 0.
    turn: usize,
    /// What was replied to the guess before it.
    reply: String,
    guess: String,
    can_be_right: bool,
    /// The line of the guess before it.
    parent: usize,
}

struct Tree {
    title: String,
    cells: Vec<usize>,
    lines: Vec<Line>,
}

impl Tree {
    fn new(title: &str, root: &Node, worth: &Worth, set: &[String]) -> Self {
        let mut lines = Vec::new();
        list(&mut lines, root, String::new(), (0, 0), set);
        let turns: usize = lines
            .iter()
            .filter(|line| line.can_be_right)
            .map(|line| line.turn + 1)
            .sum();
        let mut cells: Vec<usize> = worth.cells.iter().map(|(_, count)| *count).collect();
        cells.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            title: format!("{title}: {turns} turns, {:.4} bits", worth.bits),
            cells,
            lines,
        }
    }
}

/// The guess of a node, and those below it.
fn list(
    lines: &mut Vec<Line>,
    node: &Node,
    reply: String,
    (turn, parent): (usize, usize),
    set: &[String],
) {
    let own = lines.len();
    let guess = node.guess.replace(' ', "");
    lines.push(Line {
        turn,
        reply,
        can_be_right: set.contains(&guess),
        guess,
        parent,
    });
    for (reply, node) in &node.then {
        list(lines, node, letters(reply), (turn + 1, own), set);
    }
}

pub(super) struct Position {
    titles: [String; 2],
    trees: [Tree; 2],
}

/// Green if it can be right.
fn fill(can_be_right: bool) -> ShapeStyle {
    match can_be_right {
        true => COLOURS[2].mix(0.35).filled(),
        false => WHITE.filled(),
    }
}

impl Tree {
    /// A tree whose panel begins at `left`.
    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>, left: i32) -> Result<()> {
        area.draw(&Text::new(&*self.title, (left, 98), text(20, HPos::Left)))?;
        let first = &self.lines[0].guess;
        let sizes: Vec<String> = self.cells.iter().map(usize::to_string).collect();
        let says = format!("{first} splits them into {}", sizes.join(", "));
        area.draw(&Text::new(says, (left, 130), text(18, HPos::Left)))?;
        let mut x = left;
        for &cell in &self.cells {
            for _ in 0..cell {
                let square = [(x, 148), (x + 14, 162)];
                area.draw(&Rectangle::new(square, COLOURS[0].filled()))?;
                x += 17;
            }
            x += 14;
        }
        let corner = |at: usize| {
            let line = &self.lines[at];
            (left + COLUMN * line.turn as i32, HEAD + ROW * at as i32)
        };
        let last = self.lines.iter().map(|line| line.turn).max().unwrap_or(0);
        for turn in 0..=last as i32 {
            let (label, at) = (
                format!("turn {}", turn + 1),
                (left + COLUMN * turn, HEAD - 24),
            );
            area.draw(&Text::new(label, at, text(17, HPos::Left).color(&GREY)))?;
        }
        for (at, line) in self.lines.iter().enumerate() {
            let (x, y) = corner(at);
            let middle = y + BOX.1 / 2;
            if at > 0 {
                let above = corner(line.parent);
                let stem = above.0 + BOX.0 / 2;
                let path = [(stem, above.1 + BOX.1), (stem, middle), (x, middle)];
                area.draw(&PathElement::new(path, GREY.stroke_width(1)))?;
                let at = ((stem + x) / 2, middle - 10);
                area.draw(&Text::new(&*line.reply, at, text(16, HPos::Center)))?;
            }
            let corners = [(x, y), (x + BOX.0, y + BOX.1)];
            area.draw(&Rectangle::new(corners, fill(line.can_be_right)))?;
            area.draw(&Rectangle::new(corners, GREY.stroke_width(1)))?;
            let at = (x + BOX.0 / 2, middle);
            area.draw(&Text::new(&*line.guess, at, text(19, HPos::Center)))?;
        }
        Ok(())
    }
}

impl Drawing for Position {
    fn size(&self) -> (u32, u32) {
        let lines = self.trees.iter().map(|tree| tree.lines.len() as i32);
        let most = lines.max().unwrap_or(0);
        (2 * PANEL as u32, (HEAD + ROW * most + FOOT) as u32)
    }

    fn draw<B: Canvas>(&self, area: &DrawingArea<B, Shift>) -> Result<()> {
        let [first, second] = &self.titles;
        area.draw(&Text::new(&**first, (16, 26), text(24, HPos::Left)))?;
        area.draw(&Text::new(&**second, (16, 60), text(18, HPos::Left)))?;
        for (tree, left) in self.trees.iter().zip([16, PANEL + 16]) {
            tree.draw(area, left)?;
        }
        let y = self.size().1 as i32 - 28;
        for (x, can_be_right, label) in
            [(16, true, "can be right"), (200, false, "cannot be right")]
        {
            let corners = [(x, y - 8), (x + 24, y + 8)];
            area.draw(&Rectangle::new(corners, fill(can_be_right)))?;
            area.draw(&Rectangle::new(corners, GREY.stroke_width(1)))?;
            area.draw(&Text::new(label, (x + 34, y), text(17, HPos::Left)))?;
        }
        Ok(())
    }
}
