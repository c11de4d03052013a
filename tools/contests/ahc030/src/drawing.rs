//! A session as a grid: the cells of each operation, drilled values, the contestant's colours, and the hidden fields.

use std::sync::Arc;

use tester::problem::drawing::HiddenShape;
use tester::problem::grid::GridBuilder;
use tester::problem::{Drawing, PlayedTurn};

use crate::case::Case;
use crate::layout::Cell;
use crate::operation::Operation;
use crate::rules::Game;

/// Draws a session. As in the official visualizer, comments paint cells from the turn on that they stand before.
pub(crate) fn draw(case: &Arc<Case>, turns: &[PlayedTurn<'_>], last: &[&str]) -> Drawing {
    let (layout, limit) = (&case.layout, case.operation_limit());
    let n = u32::from(layout.n());
    let number = |cell: Cell| u32::from(cell.row) * n + u32::from(cell.column);
    let mut grid = GridBuilder::new(n, n);
    grid.set_caption(format!(
        "N {n}, M {}, eps {}",
        layout.fields().len(),
        case.eps
    ));
    let mut game = Game::new(Arc::clone(case));
    for turn in turns {
        grid.end_frame();
        turn.comments.iter().for_each(|comment| grid.paint(comment));
        let operation = Operation::read(turn.question.as_bytes(), layout.n());
        // What is refused costs nothing.
        let is_played = game.play(turn.question.as_bytes()).is_ok();
        let (name, cells) = match &operation {
            Ok(Operation::Drill(cell)) => {
                (format!("q 1 {} {}", cell.row, cell.column), &[*cell][..])
            }
            Ok(Operation::Question(cells)) => (format!("q {} …", cells.len()), &cells[..]),
            Ok(Operation::Answer(cells)) => (format!("a {} …", cells.len()), &cells[..]),
            Err(_) => ("?".to_owned(), &[][..]),
        };
        cells.iter().for_each(|&cell| grid.mark(number(cell)));
        if let (&Ok(Operation::Drill(cell)), true, Some(value)) =
            (&operation, is_played, turn.reply)
        {
            grid.set_text(number(cell), value);
        }
        let reply = turn.reply.unwrap_or("–");
        let (cost, operations) = (game.cost(), game.operations());
        let caption =
            format!("{name} → {reply}; cost {cost:.3}, {operations} of {limit} operations");
        grid.translate(
            &caption,
            format!("{name} → {reply}、コスト {cost:.3}、操作 {operations}/{limit} 回"),
        );
        grid.set_caption(caption);
    }
    last.iter().for_each(|comment| grid.paint(comment));
    grid.end_frame();
    let mut shapes = Vec::new();
    for (k, field) in layout.fields().iter().enumerate() {
        let label = format!("field {k}");
        grid.translate(&label, format!("油田 {k}"));
        shapes.push(HiddenShape {
            cells: field.cells().map(number).collect(),
            label,
        });
    }
    grid.finish(shapes)
}
