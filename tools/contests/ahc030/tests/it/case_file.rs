//! Case files are read back as they were written, and errors say where they are wrong.

use ahc030::case_file::{input, parse, write};
use ahc030::generate::{FixedParameters, generate};
use proptest::prelude::*;

use crate::case_files::{check_spaces, damaged, with_line};

/// Seed 2: `13 2 0.07`, two fields, 13 rows from line 6, noise from line 19 to line 356.
fn file() -> String {
    write(&generate(2, FixedParameters::default()))
}

/// The error where line `number` is another text.
fn error_with(number: usize, text: &str) -> String {
    let text = with_line(&file(), number, text);
    parse(&text).unwrap_err().to_string()
}

#[test]
fn contestant_is_sent_the_lines_before_the_hidden_ones() {
    let case = generate(2, FixedParameters::default());
    let input = input(&case);
    assert!(write(&case).starts_with(&input));
    assert_eq!(input.lines().count(), 1 + 2);
    insta::assert_snapshot!(input, @r"
13 2 0.07
44 0 4 0 6 0 7 1 3 1 4 1 6 2 3 2 4 2 5 2 6 2 7 3 2 3 3 3 4 3 5 3 6 4 2 4 3 4 4 4 5 5 0 5 1 5 2 5 3 5 4 5 5 5 8 6 0 6 1 6 2 6 3 6 4 6 5 6 6 6 7 6 8 6 9 7 3 7 4 7 5 8 3 8 4 9 4 9 5
24 0 2 1 2 1 3 1 4 2 1 2 3 3 0 3 1 3 2 3 3 4 0 4 1 4 2 4 3 4 4 4 5 5 1 5 2 5 3 6 1 6 2 6 3 7 3 8 3
");
}

#[test]
fn errors_say_line_expected_and_found() {
    insta::assert_snapshot!(error_with(1, "13 2 0.07 9"), @r#"line 1: expected N M eps such as "15 2 0.01", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20, found "13 2 0.07 9" (3 words must stand here, not 4)"#);
    insta::assert_snapshot!(error_with(1, "21 2 0.07"), @r#"line 1: expected N M eps such as "15 2 0.01", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20, found "21 2 0.07" ("21" is not an integer from 10 to 20)"#);
    insta::assert_snapshot!(error_with(1, "13 2 NaN"), @r#"line 1: expected N M eps such as "15 2 0.01", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20, found "13 2 NaN" ("NaN" is no eps)"#);
    insta::assert_snapshot!(error_with(2, ""), @r#"line 2: expected the shape of field 1, its number of cells, then the row and column of each, found "" ("" is not an integer from 1 to 400)"#);
    insta::assert_snapshot!(error_with(2, "0"), @r#"line 2: expected the shape of field 1, its number of cells, then the row and column of each, found "0" ("0" is not an integer from 1 to 400)"#);
    insta::assert_snapshot!(error_with(3, "3 0 0 0 1"), @r#"line 3: expected the shape of field 2, its number of cells, then the row and column of each, found "3 0 0 0 1" (6 numbers must follow 3, not 4)"#);
    insta::assert_snapshot!(error_with(3, "2 0 0 0 13"), @r#"line 3: expected the shape of field 2, its number of cells, then the row and column of each, found "2 0 0 0 13" ("13" is not an integer from 0 to 12)"#);
    insta::assert_snapshot!(error_with(3, "2 0 0 0 0"), @r#"line 3: expected the shape of field 2, its number of cells, then the row and column of each, found "2 0 0 0 0" (cell (0, 0) appears twice)"#);
    insta::assert_snapshot!(error_with(3, "2 1 0 1 1"), @r#"line 3: expected the shape of field 2, its number of cells, then the row and column of each, found "2 1 0 1 1" (the least row is 1 and the least column 0; both must be 0)"#);
    insta::assert_snapshot!(error_with(4, "0 13"), @r#"line 4: expected the place of field 1, a row and a column, found "0 13" ("13" is not an integer from 0 to 3)"#);
    insta::assert_snapshot!(error_with(6, "0 0 0 0 0 0 0 0 0 0 0 0 1"), @r#"line 6: expected row 0 of the grid, which the fields make "0 0 0 0 0 0 1 0 1 1 0 0 0", found "0 0 0 0 0 0 0 0 0 0 0 0 1" (column 6 has 0)"#);
    insta::assert_snapshot!(error_with(6, "0 0"), @r#"line 6: expected row 0 of the grid, which the fields make "0 0 0 0 0 0 1 0 1 1 0 0 0", found "0 0" (13 numbers must stand here, not 2)"#);
    insta::assert_snapshot!(error_with(19, "NaN"), @r#"line 19: expected the noise of an operation, a number with at most ten decimals, found "NaN" (it is not written as -1.2345678901 is)"#);
    insta::assert_snapshot!(error_with(20, "0.12345678901"), @r#"line 20: expected the noise of an operation, a number with at most ten decimals, found "0.12345678901" (it is not written as -1.2345678901 is)"#);
    insta::assert_snapshot!(error_with(356, "1e3"), @r#"line 356: expected the noise of an operation, a number with at most ten decimals, found "1e3" (it is not written as -1.2345678901 is)"#);
    let file = file();
    let short = file.lines().take(355).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(parse(&short).unwrap_err(), @"line 356: expected the noise of an operation, a number with at most ten decimals, found end of file");
    insta::assert_snapshot!(parse(&(file.clone() + "\n\n0\n")).unwrap_err(), @r#"line 359: expected end of file, found "0""#);
    insta::assert_snapshot!(parse("").unwrap_err(), @r#"line 1: expected N M eps such as "15 2 0.01", with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20, found end of file"#);
}

#[test]
fn line_ends_spaces_and_blank_lines_at_the_end_do_not_matter() {
    check_spaces(&file(), parse);
}

/// A deviate that rounds to nothing keeps its sign in an official file.
#[test]
fn negative_zero_is_written_as_it_was_read() {
    let file = file();
    let first = file.lines().nth(18).unwrap();
    let other = file.replacen(first, "-0.0000000000", 1);
    assert_ne!(file, other);
    assert_eq!(write(&parse(&other).unwrap()), other);
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(seed in any::<u64>()) {
        let case = generate(seed, FixedParameters::default());
        prop_assert_eq!(parse(&write(&case)).unwrap(), case);
    }

    #[test]
    fn a_damaged_file_never_panics(at in any::<prop::sample::Index>(), byte in 0_u8..128, cut in any::<bool>()) {
        let file = file();
        let at = at.index(file.len());
        let text = damaged(file, at, byte, cut);
        if let Ok(case) = parse(&text) {
            prop_assert_eq!(parse(&write(&case)), Ok(case));
        }
    }
}
