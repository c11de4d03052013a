//! Why a line of the contestant is refused: what is wrong, and what would be right.

use std::fmt;

use tester::util::quote::quote;
use tester::util::template::templates;

use crate::case::MEASUREMENT_LIMIT;
use crate::temperatures::HIGHEST;

/// A line that ends the session as wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not UTF-8.
    NotText,
    /// The grid ends too early, or goes on.
    Rows {
        /// How many lines there are.
        found: usize,
        /// L.
        l: u8,
    },
    /// A row of the grid has fewer or more numbers than the grid has columns.
    RowLength {
        /// From 0 on.
        row: usize,
        /// L.
        count: usize,
        /// How many words there are; `None` for more than L, since there may be millions.
        found: Option<usize>,
    },
    /// It is not an integer from 0 to 1000.
    Temperature {
        /// From 0 on.
        row: usize,
        /// From 0 on.
        column: usize,
        /// What stands there.
        word: String,
    },
    /// i of a measurement is not the number of a wormhole, nor −1.
    Wormhole {
        /// What stands there.
        word: String,
        /// N.
        n: u8,
    },
    /// y or x of a measurement is not an integer from −(L − 1) to L − 1.
    Steps {
        /// Which of them.
        axis: Axis,
        /// What stands there; nothing if the line ends.
        word: String,
        /// L − 1.
        most: i32,
    },
    /// i of a measurement is −1, but y and x are not both −1.
    HalfEnd {
        /// Rows.
        y: i32,
        /// Columns.
        x: i32,
    },
    /// The measurements are used up.
    NoMeasurementLeft,
    /// The answer ends too early, or goes on.
    Answers {
        /// How many lines there are.
        found: usize,
        /// N.
        n: u8,
    },
    /// A line of the answer is not the number of an exit cell.
    Exit {
        /// From 0 on.
        wormhole: usize,
        /// What stands there.
        word: String,
        /// N.
        n: u8,
    },
    /// The answer was given before.
    Answered,
}

/// A number of a measurement after i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Rows, downwards.
    Y,
    /// Columns, to the right.
    X,
}

templates! {
    NOT_TEXT =
        "the line is not UTF-8: print numbers in ASCII digits",
        "行が UTF-8 ではありません。数は半角数字で出力してください";
    ROWS =
        "the grid needs {1} rows, found {0}: print one line for each row",
        "盤の行が {0} 行ですが、{1} 行必要です。盤の 1 行を 1 行に出力してください";
    ROW_LENGTH =
        "row {0} of the grid needs {2} numbers, found {1}: print one line for each row, a number for each column",
        "盤の {0} 行目の数が {1} 個ですが、{2} 個必要です。1 行に 1 列 1 個ずつ出力してください";
    ROW_TOO_LONG =
        "row {0} of the grid needs {1} numbers, found more: print one line for each row, a number for each column",
        "盤の {0} 行目の数が {1} 個より多くあります。1 行に 1 列 1 個ずつ出力してください";
    TEMPERATURE =
        "cell ({0}, {1}) has the temperature {2\"}, expected an integer from 0 to {3}",
        "マス ({0}, {1}) の気温が {2\"} です。0〜{3} の整数でなければなりません";
    NO_WORMHOLE =
        "the wormhole is {0\"}, expected an integer from 0 to {1}: print i y x, or -1 -1 -1 after the last measurement",
        "ワームホールが {0\"} です。0〜{1} の整数でなければなりません。i y x を、計測を終えるときは -1 -1 -1 を出力してください";
    STEPS_DOWN =
        "y of the measurement is {0\"}, expected an integer from -{1} to {1}: print i y x on one line",
        "計測の y が {0\"} です。-{1}〜{1} の整数でなければなりません。i y x を 1 行に出力してください";
    STEPS_RIGHT =
        "x of the measurement is {0\"}, expected an integer from -{1} to {1}: print i y x on one line",
        "計測の x が {0\"} です。-{1}〜{1} の整数でなければなりません。i y x を 1 行に出力してください";
    STEPS_MISSING =
        "{0} of the measurement is missing: print i y x on one line",
        "計測の {0} がありません。i y x を 1 行に出力してください";
    HALF_END =
        "-1 {0} {1} is no measurement: wormholes begin with 0, and -1 -1 -1 ends the measurements",
        "-1 {0} {1} は計測ではありません。ワームホールは 0 番からです。計測を終えるときは -1 -1 -1 を出力してください";
    NO_MEASUREMENT_LEFT =
        "all {0} measurements are used up: count them, and print -1 -1 -1 and the answer",
        "{0} 回の計測を使い切りました。回数を数え、-1 -1 -1 と解答を出力してください";
    ANSWERS =
        "the answer needs {1} lines, found {0}: print one line for each wormhole",
        "解答が {0} 行ですが、{1} 行必要です。ワームホールごとに 1 行出力してください";
    NO_EXIT =
        "the exit cell of wormhole {0} is {1\"}, expected an integer from 0 to {2}: print one line for each wormhole",
        "ワームホール {0} の出口セルが {1\"} です。0〜{2} の整数でなければなりません。ワームホールごとに 1 行出力してください";
    ANSWERED =
        "the answer was given before: exit after its last line",
        "すでに解答しています。解答の最後の行を出力したら終了してください";
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |word: &str| quote(word.as_bytes());
        f.write_str(&match self {
            Self::NotText => NOT_TEXT.fill(&[]),
            Self::Rows { found, l } => ROWS.fill(&[found, l]),
            Self::RowLength { row, count, found } => match found {
                Some(found) => ROW_LENGTH.fill(&[row, found, count]),
                None => ROW_TOO_LONG.fill(&[row, count]),
            },
            Self::Temperature { row, column, word } => {
                TEMPERATURE.fill(&[row, column, &quoted(word), &HIGHEST])
            }
            Self::Wormhole { word, n } => NO_WORMHOLE.fill(&[&quoted(word), &(n - 1)]),
            Self::Steps { axis, word, .. } if word.is_empty() => {
                let name = match axis {
                    Axis::Y => "y",
                    Axis::X => "x",
                };
                STEPS_MISSING.fill(&[&name])
            }
            Self::Steps { axis, word, most } => match axis {
                Axis::Y => STEPS_DOWN.fill(&[&quoted(word), most]),
                Axis::X => STEPS_RIGHT.fill(&[&quoted(word), most]),
            },
            Self::HalfEnd { y, x } => HALF_END.fill(&[y, x]),
            Self::NoMeasurementLeft => NO_MEASUREMENT_LEFT.fill(&[&MEASUREMENT_LIMIT]),
            Self::Answers { found, n } => ANSWERS.fill(&[found, n]),
            Self::Exit { wormhole, word, n } => NO_EXIT.fill(&[wormhole, &quoted(word), &(n - 1)]),
            Self::Answered => ANSWERED.fill(&[]),
        })
    }
}

impl Refusal {
    /// Whether the line has not the form of what is due: it may be debug output.
    pub fn is_of_form(&self) -> bool {
        match self {
            Self::NotText | Self::RowLength { .. } => true,
            Self::Temperature { word, .. }
            | Self::Wormhole { word, .. }
            | Self::Steps { word, .. }
            | Self::Exit { word, .. } => word.parse::<i64>().is_err(),
            _ => false,
        }
    }
}

impl std::error::Error for Refusal {}
