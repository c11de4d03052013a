//! Worked examples, and every way to be refused.

use std::sync::Arc;

use ahc022::case::{Case, Cell};
use ahc022::rules::{Game, Stage};

/// Ten rows. Exit cell k is (k / 10, k % 10); wormhole i leads to exit cell 59 − i. The first noises are these.
fn case(noise: &[i32]) -> Case {
    let cell = |k: u8| Cell {
        row: k / 10,
        column: k % 10,
    };
    let mut all = noise.to_vec();
    all.resize(10_000, 0);
    Case {
        l: 10,
        s: 100,
        exit_cells: (0..60).map(cell).collect(),
        exits: (0..60).rev().collect(),
        noise: all,
    }
}

/// The temperature of cell (r, c) is 10 r + c.
fn grid() -> String {
    let row = |r: usize| (0..10).map(|c| format!("{} ", 10 * r + c)).collect();
    lines((0..10).map(row))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// The right answer, except for the first `wrong` wormholes.
fn answer(wrong: usize) -> String {
    lines((0..60).map(|i| if i < wrong { i } else { 59 - i }.to_string()))
}

/// A game whose grid is set.
fn measuring(noise: &[i32]) -> Game {
    let mut game = Game::new(Arc::new(case(noise)));
    assert_eq!(game.play(grid().as_bytes()), Ok(None));
    game
}

/// A game whose answer is to be given.
fn answering() -> Game {
    let mut game = measuring(&[]);
    assert_eq!(game.play(b"-1 -1 -1"), Ok(None));
    game
}

/// What is said of a question that leaves the game as it was.
fn refusal(mut game: Game, question: &[u8]) -> String {
    let facts = |game: &Game| {
        let costs = [game.placement_cost(), game.measurement_cost()];
        (game.stage().clone(), costs, game.measurements())
    };
    let before = facts(&game);
    let text = game.play(question).unwrap_err().to_string();
    assert_eq!(facts(&game), before);
    assert!(!text.contains('\n') && text.len() < 250, "{text}");
    text
}

fn refused_grid(change: impl Fn(&mut Vec<String>)) -> String {
    let mut rows: Vec<String> = grid().split('\n').map(str::to_owned).collect();
    change(&mut rows);
    let game = Game::new(Arc::new(case(&[])));
    refusal(game, rows.join("\n").as_bytes())
}

#[test]
fn placement_costs_the_squares_of_all_differences() {
    // To the right: nine ones and, around the edge, 9² in each row. Down: nine times 10² and 90² in each column.
    let expected = 10 * (9 + 81) + 10 * (900 + 8100);
    assert_eq!(measuring(&[]).placement_cost(), expected);
}

#[test]
fn measurements_start_at_the_exit_cell_and_wrap_around() {
    let mut game = measuring(&[]);
    // Wormhole 59 leads to cell (0, 0), wormhole 0 to cell (5, 9).
    for (line, reply, cost) in [
        ("59 0 0", 0, 1000),
        ("0 0 0", 59, 1000),
        ("59 2 3", 23, 1500),
        ("59 -1 -2", 98, 1300),
        ("0 9 9", 48, 2800),
        ("0 -9 -9", 60, 2800),
        ("0 0 1 and more", 50, 1100),
        ("0 +0 -0", 59, 1000),
    ] {
        let before = game.measurement_cost();
        assert_eq!(game.play(line.as_bytes()), Ok(Some(reply)), "{line}");
        assert_eq!(game.measurement_cost() - before, cost, "{line}");
    }
    assert_eq!(game.measurements(), 8);
}

#[test]
fn replies_are_noisy_and_stay_between_0_and_1000() {
    let mut game = measuring(&[7, -7, 941, 942, -59, -60, i32::MAX, i32::MIN]);
    let replies = [(); 9].map(|()| game.play(b"0 0 0").unwrap());
    let expected = [66, 52, 1000, 1000, 0, 0, 1000, 0, 59];
    assert_eq!(replies, expected.map(Some));
}

/// The noise belongs to the measurement, not to the wormhole; a refused line uses none.
#[test]
fn only_measurements_advance_the_noise() {
    let mut game = measuring(&[0, 5]);
    game.play(b"0 0 0").unwrap();
    game.play(b"0 0").unwrap_err();
    assert_eq!(game.play(b"59 0 0"), Ok(Some(5)));
}

#[test]
fn a_game_ends_with_its_answer_whatever_it_is() {
    for (wrong, score) in [(0, 520_833_334), (1, 416_666_667), (30, 644_761)] {
        let mut game = measuring(&[]);
        game.play(b"3 0 1").unwrap();
        assert_eq!(game.play(b"-1 -1 -1"), Ok(None));
        assert_eq!(game.play(answer(wrong).as_bytes()), Ok(None));
        assert_eq!(*game.stage(), Stage::Over { wrong });
        // 10^14 * 4^wrong / 5^wrong / (90900 + 1100 + 100000), rounded up
        assert_eq!(game.score(), score);
        insta::allow_duplicates! {
            insta::assert_snapshot!(refusal(game, b"0 0 0"), @"the answer was given before: exit after its last line");
        }
    }
}

#[test]
fn a_score_before_the_answer_is_that_of_wrong_ones() {
    let mut game = answering();
    let before = game.score();
    game.play(lines((0..60).map(|_| "0".to_owned())).as_bytes())
        .unwrap();
    assert_eq!(*game.stage(), Stage::Over { wrong: 59 });
    let now = game.score() as f64;
    assert!((now * 0.8 - before as f64).abs() < 1.0);
}

#[test]
fn last_measurement_may_be_followed_by_the_answer_only() {
    let mut game = measuring(&[]);
    for _ in 0..10_000 {
        game.play(b"0 0 0").unwrap();
    }
    insta::assert_snapshot!(refusal(game.clone(), b"0 0 0"), @"all 10000 measurements are used up: count them, and print -1 -1 -1 and the answer");
    assert_eq!(game.measurement_cost(), 10_000_000);
    assert_eq!(game.play(b"-1 -1 -1"), Ok(None));
}

#[test]
fn lines_are_awaited_as_long_as_they_are_right() {
    let game = Game::new(Arc::new(case(&[])));
    let row: &[u8] = b"0 0 0 0 0 0 0 0 0 0";
    assert!(game.is_incomplete(1, row));
    assert!(game.is_incomplete(9, row));
    assert!(!game.is_incomplete(10, row));
    assert!(!game.is_incomplete(1, b"0 0 0"));
    assert!(!game.is_incomplete(3, b"0 0 0 0 0 0 0 0 0 1001"));
    assert!(!measuring(&[]).is_incomplete(1, b"0 0 0"));
    let game = answering();
    assert!(game.is_incomplete(1, b"59"));
    assert!(game.is_incomplete(59, b"0"));
    assert!(!game.is_incomplete(60, b"0"));
    assert!(!game.is_incomplete(1, b"60"));
}

#[test]
fn a_refused_grid_names_row_cell_and_what_would_be_right() {
    insta::assert_snapshot!(refused_grid(|rows| drop(rows.pop())), @"the grid needs 10 rows, found 9: print one line for each row");
    insta::assert_snapshot!(refused_grid(|rows| rows.push("0".to_owned())), @"the grid needs 10 rows, found 11: print one line for each row");
    insta::assert_snapshot!(refused_grid(|rows| rows[3] = "1 2 3".to_owned()), @"row 3 of the grid needs 10 numbers, found 3: print one line for each row, a number for each column");
    insta::assert_snapshot!(refused_grid(|rows| rows[3].push_str(" 5")), @"row 3 of the grid needs 10 numbers, found more: print one line for each row, a number for each column");
    insta::assert_snapshot!(refused_grid(|rows| rows[9] = "0 0 0 0 0 0 0 1001 0 0".to_owned()), @r#"cell (9, 7) has the temperature "1001", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refused_grid(|rows| rows[9] = "-1 0 0 0 0 0 0 0 0 0".to_owned()), @r#"cell (9, 0) has the temperature "-1", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refused_grid(|rows| rows[0] = "0 0 0 0 0 0 0 0 0 NaN".to_owned()), @r#"cell (0, 9) has the temperature "NaN", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refused_grid(|rows| rows[0] = "0 0 0 0 0 0 0 0 0 0.5".to_owned()), @r#"cell (0, 9) has the temperature "0.5", expected an integer from 0 to 1000"#);
    insta::assert_snapshot!(refusal(Game::new(Arc::new(case(&[]))), b"0 0 \xff"), @"the line is not UTF-8: print numbers in ASCII digits");
}

#[test]
fn a_refused_measurement_names_the_number_and_its_range() {
    let refused = |line: &[u8]| refusal(measuring(&[]), line);
    insta::assert_snapshot!(refused(b"60 0 0"), @r#"the wormhole is "60", expected an integer from 0 to 59: print i y x, or -1 -1 -1 after the last measurement"#);
    insta::assert_snapshot!(refused(b"-2 0 0"), @r#"the wormhole is "-2", expected an integer from 0 to 59: print i y x, or -1 -1 -1 after the last measurement"#);
    insta::assert_snapshot!(refused(b"NaN 0 0"), @r#"the wormhole is "NaN", expected an integer from 0 to 59: print i y x, or -1 -1 -1 after the last measurement"#);
    insta::assert_snapshot!(refused(b"0 10 0"), @r#"y of the measurement is "10", expected an integer from -9 to 9: print i y x on one line"#);
    insta::assert_snapshot!(refused(b"0 0 -10"), @r#"x of the measurement is "-10", expected an integer from -9 to 9: print i y x on one line"#);
    insta::assert_snapshot!(refused(b"0 0 1e1"), @r#"x of the measurement is "1e1", expected an integer from -9 to 9: print i y x on one line"#);
    insta::assert_snapshot!(refused(b"0"), @"y of the measurement is missing: print i y x on one line");
    insta::assert_snapshot!(refused(b"0 0"), @"x of the measurement is missing: print i y x on one line");
    insta::assert_snapshot!(refused(b"-1 0 0"), @"-1 0 0 is no measurement: wormholes begin with 0, and -1 -1 -1 ends the measurements");
    insta::assert_snapshot!(refused(b"-1 -1"), @"x of the measurement is missing: print i y x on one line");
    insta::assert_snapshot!(refused(b"99999999999999999999 0 0"), @r#"the wormhole is "99999999999999999999", expected an integer from 0 to 59: print i y x, or -1 -1 -1 after the last measurement"#);
    insta::assert_snapshot!(refused(b"0 \xff 0"), @"the line is not UTF-8: print numbers in ASCII digits");
}

#[test]
fn a_refused_answer_names_the_wormhole() {
    let refused = |line: usize, word: &str| {
        let mut all: Vec<String> = answer(0).split('\n').map(str::to_owned).collect();
        all[line] = word.to_owned();
        refusal(answering(), all.join("\n").as_bytes())
    };
    insta::assert_snapshot!(refused(0, "60"), @r#"the exit cell of wormhole 0 is "60", expected an integer from 0 to 59: print one line for each wormhole"#);
    insta::assert_snapshot!(refused(59, "-1"), @r#"the exit cell of wormhole 59 is "-1", expected an integer from 0 to 59: print one line for each wormhole"#);
    insta::assert_snapshot!(refused(7, "1 2"), @r#"the exit cell of wormhole 7 is "1 2", expected an integer from 0 to 59: print one line for each wormhole"#);
    insta::assert_snapshot!(refused(7, "NaN"), @r#"the exit cell of wormhole 7 is "NaN", expected an integer from 0 to 59: print one line for each wormhole"#);
    insta::assert_snapshot!(refusal(answering(), b"1"), @"the answer needs 60 lines, found 1: print one line for each wormhole");
    insta::assert_snapshot!(refusal(answering(), (answer(0) + "\n0").as_bytes()), @"the answer needs 60 lines, found 61: print one line for each wormhole");
}

#[test]
fn a_million_numbers_are_refused_early() {
    let many = "0 ".repeat(1_000_000);
    insta::assert_snapshot!(refusal(Game::new(Arc::new(case(&[]))), many.as_bytes()), @"row 0 of the grid needs 10 numbers, found more: print one line for each row, a number for each column");
    insta::assert_snapshot!(refusal(answering(), many.as_bytes()), @r#"the exit cell of wormhole 0 is "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 …" (1999999 bytes), expected an integer from 0 to 59: print one line for each wormhole"#);
    let rows = "0 0 0 0 0 0 0 0 0 0\n".repeat(100_000);
    insta::assert_snapshot!(refusal(Game::new(Arc::new(case(&[]))), rows.as_bytes()), @"the grid needs 10 rows, found 11: print one line for each row");
    let long = format!("0 {} 0", "9".repeat(1_000_000));
    insta::assert_snapshot!(refusal(measuring(&[]), long.as_bytes()), @r#"y of the measurement is "999999999999999999999999999999999999999999999999999999999999…" (1000000 bytes), expected an integer from -9 to 9: print i y x on one line"#);
}
