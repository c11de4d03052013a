//! Worked examples, and every way to be refused.

use std::sync::Arc;

use ahc030::case::{Case, Eps};
use ahc030::layout::{Cell, Field, Layout};
use ahc030::rules::{Game, State};

/// ```text
///   0 1 2 3
/// 0 1 1 . .      an L of three cells at (0, 0), and a row of two cells at (1, 0): cell (1, 0) is under both
/// 1 2 1 . .
/// 2 . . . .      ten rows and columns
/// ```
/// eps is 0.10. The noise is 0 except for the operations that are named.
fn game(noise: &[(usize, f64)]) -> Game {
    let cells = |pairs: &[(u8, u8)]| {
        let cell = |&(row, column): &(u8, u8)| Cell { row, column };
        pairs.iter().map(cell).collect::<Vec<_>>()
    };
    let field = |shape: &[(u8, u8)], (row, column)| Field {
        shape: cells(shape),
        offset: Cell { row, column },
    };
    let fields = vec![
        field(&[(0, 0), (0, 1), (1, 0)], (0, 0)),
        field(&[(0, 0), (0, 1)], (1, 0)),
    ];
    let mut deviates = vec![0.0; 200];
    for &(operation, deviate) in noise {
        deviates[operation] = deviate;
    }
    Game::new(Arc::new(Case {
        layout: Layout::new(10, fields),
        eps: Eps::from_hundredths(10).unwrap(),
        noise: deviates,
    }))
}

const ANSWER: &[u8] = b"a 4 1 1 0 0 1 0 0 1";

fn refusal(line: &[u8]) -> String {
    let mut game = game(&[]);
    let text = game.play(line).unwrap_err().to_string();
    assert_eq!((game.operations(), game.cost()), (0, 0.0));
    assert!(!text.contains('\n') && text.len() < 250, "{text}");
    text
}

/// Four cells, S = 3: mu = 1 * 0.1 + 3 * 0.9 = 2.8, sigma = sqrt(4 * 0.1 * 0.9) = 0.6.
const QUESTION: &[u8] = b"q 4 1 0 0 1 5 5 9 9";

#[test]
fn drills_are_exact_and_cost_one() {
    let mut game = game(&[(0, 3.0), (1, -3.0)]);
    assert_eq!(game.play(b"q 1 1 0"), Ok(2));
    assert_eq!(game.play(b"q 1 9 9"), Ok(0));
    assert_eq!(game.play(b"q 1 0 1"), Ok(1));
    assert_eq!((game.cost(), game.operations()), (3.0, 3));
}

#[test]
fn replies_to_questions_are_noisy_and_never_negative() {
    // 2.8, 2.8 + 1.5 * 0.6 = 3.7, 2.8 - 0.6 * 0.6 = 2.44, 2.8 - 6 * 0.6 < 0
    let mut game = game(&[(1, 1.5), (2, -0.6), (3, -6.0)]);
    let replies = [QUESTION; 4].map(|line| game.play(line).unwrap());
    assert_eq!(replies, [3, 4, 2, 0]);
    assert_eq!(game.cost(), 2.0);
}

#[test]
fn every_operation_advances_the_noise() {
    let mut game = game(&[(3, 1.5)]);
    game.play(b"q 1 0 0").unwrap();
    game.play(b"a 1 0 0").unwrap();
    game.play(b"q 2 0 0 0 1 ").unwrap();
    game.play(b"q 1 a 0").unwrap_err();
    assert_eq!(game.play(QUESTION), Ok(4));
}

#[test]
fn right_answer_is_free_and_ends_the_game() {
    let mut game = game(&[]);
    assert_eq!(game.play(b"a 3 1 1 0 0 1 0"), Ok(0)); // one is missing
    assert_eq!(game.play(b"a 5 1 1 0 0 1 0 0 1 2 2"), Ok(0)); // one too many
    assert_eq!(game.play(b"a 4 1 1 0 0 1 0 2 2"), Ok(0)); // one is wrong
    assert_eq!(game.play(QUESTION), Ok(3));
    assert_eq!(game.score(), 1_000_000_000);
    assert_eq!(game.play(ANSWER), Ok(1));
    assert_eq!(game.state(), State::Solved);
    assert_eq!((game.cost(), game.score()), (3.5, 3_500_000));
    let after = game.play(ANSWER).unwrap_err().to_string();
    insta::assert_snapshot!(after, @"the right answer was given before: exit when the reply to an answer is 1");
}

#[test]
fn answer_without_a_question_counts_one_in_n() {
    let mut game = game(&[]);
    assert_eq!(game.play(ANSWER), Ok(1));
    assert_eq!(game.score(), 100_000);
}

#[test]
fn last_operation_may_be_the_right_answer() {
    let mut late = game(&[]);
    for _ in 0..199 {
        late.play(b"a 1 0 0").unwrap();
    }
    let mut never = late.clone();
    assert_eq!(late.play(ANSWER), Ok(1));
    assert_eq!((late.state(), late.score()), (State::Solved, 199_000_000));
    assert_eq!(never.play(QUESTION), Ok(3));
    assert_eq!(
        (never.state(), never.score()),
        (State::OutOfOperations, 1_000_000_000)
    );
    let after = never.play(ANSWER).unwrap_err().to_string();
    insta::assert_snapshot!(after, @"all 200 operations are used up: count them, answers included");
}

#[test]
fn refusals_name_what_is_wrong_and_what_would_be_right() {
    insta::assert_snapshot!(refusal(b"q"), @"the number of cells is missing: print it, and the cells, on the same line");
    insta::assert_snapshot!(refusal(b"x 1 0 0"), @r#""x" is no operation: a line begins with q (question) or a (answer)"#);
    insta::assert_snapshot!(refusal(b"0 0"), @r#""0" is no operation: a line begins with q (question) or a (answer)"#);
    insta::assert_snapshot!(refusal(b"q 0"), @r#"the number of cells is "0", expected an integer from 1 to 100, as many cells as the grid has"#);
    insta::assert_snapshot!(refusal(b"a -1"), @r#"the number of cells is "-1", expected an integer from 1 to 100, as many cells as the grid has"#);
    insta::assert_snapshot!(refusal(b"q 101 0 0"), @r#"the number of cells is "101", expected an integer from 1 to 100, as many cells as the grid has"#);
    insta::assert_snapshot!(refusal(b"q NaN 0 0"), @r#"the number of cells is "NaN", expected an integer from 1 to 100, as many cells as the grid has"#);
    insta::assert_snapshot!(refusal(b"q 3"), @"6 numbers must follow k = 3, found 0: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refusal(b"q 3 0 0 0 1 0"), @"6 numbers must follow k = 3, found 5: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refusal(b"a 1 0 0 0 1"), @"2 numbers must follow k = 1, found 4: print a row and a column for each cell, all on one line");
    insta::assert_snapshot!(refusal(b"q 1 NaN 0"), @r#""NaN" is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refusal(b"q 1 0 1.5"), @r#""1.5" is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refusal(b"q 1 -0 0"), @r#""-0" is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refusal(b"q 1 10 3"), @"cell (10, 3) is outside of the grid: rows and columns go from 0 to 9");
    insta::assert_snapshot!(refusal(b"q 2 0 0 3 -1"), @"cell (3, -1) is outside of the grid: rows and columns go from 0 to 9");
    insta::assert_snapshot!(refusal(b"q 3 2 3 0 0 2 3"), @"cell (2, 3) appears twice: name each cell once");
    insta::assert_snapshot!(refusal(b"q 1 99999999999999999999 0"), @r#""99999999999999999999" is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refusal(b"q 1 \xff 0"), @"the line is not UTF-8: print numbers in ASCII digits");
}

#[test]
fn a_million_cells_are_refused_early() {
    let cells = " 0 0".repeat(1_000_000);
    insta::assert_snapshot!(refusal(format!("q 1000000{cells}").as_bytes()), @r#"the number of cells is "1000000", expected an integer from 1 to 100, as many cells as the grid has"#);
    insta::assert_snapshot!(refusal(format!("q 2{cells}").as_bytes()), @"4 numbers must follow k = 2, found more than 200: k must be the number of cells");
    insta::assert_snapshot!(refusal(format!("q 1 {} 0", "9".repeat(1_000_000)).as_bytes()), @r#""999999999999999999999999999999999999999999999999999999999999…" (1000000 bytes) is no row or column, in cell 1 of the line: print integers in ASCII digits"#);
    insta::assert_snapshot!(refusal("q".repeat(1_000_000).as_bytes()), @r#""qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq…" (1000000 bytes) is no operation: a line begins with q (question) or a (answer)"#);
}
