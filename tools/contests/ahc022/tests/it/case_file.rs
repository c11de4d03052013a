//! Case files are read back as they were written, and errors say where they are wrong.

use ahc022::case_file::{input, parse, write};
use ahc022::generate::{FixedParameters, generate};
use proptest::prelude::*;

use crate::case_files::{check_spaces, damaged, with_line};

/// Seed 3: `35 61 4`, exit cells from line 2, wormholes from line 63, noise from line 124 to line 10123.
fn file() -> String {
    write(&generate(3, FixedParameters::default()))
}

/// The error where line `number` is another text.
fn error_with(number: usize, text: &str) -> String {
    let text = with_line(&file(), number, text);
    parse(&text).unwrap_err().to_string()
}

#[test]
fn contestant_is_sent_the_lines_before_the_hidden_ones() {
    let case = generate(3, FixedParameters::default());
    let input = input(&case);
    assert!(write(&case).starts_with(&input));
    assert_eq!(input.lines().count(), 1 + 61);
    assert_eq!(write(&case).lines().count(), 1 + 2 * 61 + 10_000);
    let first: Vec<&str> = input.lines().take(4).collect();
    insta::assert_snapshot!(first.join(" / "), @"35 61 4 / 0 11 / 0 22 / 0 27");
}

#[test]
fn errors_say_line_expected_and_found() {
    insta::assert_snapshot!(error_with(1, "35 61"), @r#"line 1: expected L N S such as "35 66 289", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900, found "35 61" (number of words: 2 instead of 3)"#);
    insta::assert_snapshot!(error_with(1, "9 61 4"), @r#"line 1: expected L N S such as "35 66 289", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900, found "9 61 4" ("9" is not an integer from 10 to 50)"#);
    insta::assert_snapshot!(error_with(1, "35 101 4"), @r#"line 1: expected L N S such as "35 66 289", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900, found "35 101 4" ("101" is not an integer from 60 to 100)"#);
    insta::assert_snapshot!(error_with(1, "35 61 NaN"), @r#"line 1: expected L N S such as "35 66 289", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900, found "35 61 NaN" ("NaN" is not an integer from 1 to 900)"#);
    insta::assert_snapshot!(error_with(2, "0"), @r#"line 2: expected exit cell 0, a row and a column, found "0" (number of words: 1 instead of 2)"#);
    insta::assert_snapshot!(error_with(2, "0 35"), @r#"line 2: expected exit cell 0, a row and a column, found "0 35" ("35" is not an integer from 0 to 34)"#);
    insta::assert_snapshot!(error_with(2, file().lines().nth(2).unwrap()), @r#"line 3: expected exit cell 1, a row and a column, found "0 22" (another line has the same)"#);
    insta::assert_snapshot!(error_with(63, "61"), @r#"line 63: expected the number of the exit cell of wormhole 0, found "61" ("61" is not an integer from 0 to 60)"#);
    insta::assert_snapshot!(error_with(123, file().lines().nth(62).unwrap()), @r#"line 123: expected the number of the exit cell of wormhole 60, found "17" (another line has the same)"#);
    insta::assert_snapshot!(error_with(124, "0.5"), @r#"line 124: expected the noise of a measurement, an integer, found "0.5" ("0.5" is not an integer from -1000000000 to 1000000000)"#);
    insta::assert_snapshot!(error_with(10_123, "9999999999"), @r#"line 10123: expected the noise of a measurement, an integer, found "9999999999" ("9999999999" is not an integer from -1000000000 to 1000000000)"#);
    insta::assert_snapshot!(error_with(10_123, "1 2"), @r#"line 10123: expected the noise of a measurement, an integer, found "1 2" (number of words: 2 instead of 1)"#);
    let file = file();
    let short = file.lines().take(10_122).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(parse(&short).unwrap_err(), @"line 10123: expected the noise of a measurement, an integer, found end of file");
    insta::assert_snapshot!(parse(&(file.clone() + "\n\n0\n")).unwrap_err(), @r#"line 10126: expected end of file, found "0""#);
    insta::assert_snapshot!(parse("").unwrap_err(), @r#"line 1: expected L N S such as "35 66 289", with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900, found end of file"#);
}

#[test]
fn line_ends_spaces_and_blank_lines_at_the_end_do_not_matter() {
    check_spaces(&file(), parse);
}

/// The official tester takes any order of cells, so that a case may be made by hand.
#[test]
fn exit_cells_need_not_be_in_order() {
    let file = file();
    let mut lines: Vec<&str> = file.lines().collect();
    lines.swap(1, 61);
    let other = lines.join("\n") + "\n";
    assert_eq!(write(&parse(&other).unwrap()), other);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_written_is_read_back(seed in any::<u64>()) {
        let case = generate(seed, FixedParameters::default());
        prop_assert_eq!(parse(&write(&case)).unwrap(), case);
    }

    #[test]
    fn a_damaged_file_never_panics(at in 0_usize..1000, byte in 0_u8..128, cut in any::<bool>()) {
        let text = damaged(file(), at, byte, cut);
        if let Ok(case) = parse(&text) {
            prop_assert_eq!(parse(&write(&case)), Ok(case));
        }
    }
}
