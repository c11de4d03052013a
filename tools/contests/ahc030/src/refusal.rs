//! Why a line of the contestant is refused: what is wrong, and what would be right.

use std::fmt;

use tester::util::quote::quote;
use tester::util::template::templates;

use crate::layout::Cell;

/// A line that ends the session as wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not UTF-8.
    NotText,
    /// It begins with neither `q` nor `a`.
    UnknownOperation {
        /// Its first word.
        word: String,
    },
    /// k is not an integer from 1 to N².
    Count {
        /// What stands there; nothing if the line ends.
        word: String,
        /// N².
        most: usize,
    },
    /// There are fewer or more than 2k numbers after k.
    Numbers {
        /// k.
        count: usize,
        /// How many words follow.
        found: Found,
    },
    /// A row or a column is not an integer.
    NotAnInteger {
        /// What stands there.
        word: String,
        /// The cell's place in the line, from 1.
        place: usize,
    },
    /// There is no such row or column.
    OutsideGrid {
        /// The row, then the column.
        cell: [i64; 2],
        /// N.
        n: u8,
    },
    /// A cell is named twice.
    Twice {
        /// The cell.
        cell: Cell,
    },
    /// The right answer was given before.
    Solved,
    /// The operations are used up.
    NoOperationLeft {
        /// 2N².
        limit: usize,
    },
}

/// How many words follow k. They are not counted to their end: there may be millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This many.
    Exactly(usize),
    /// More than that.
    MoreThan(usize),
}

templates! {
    NOT_TEXT =
        "the line is not UTF-8: print numbers in ASCII digits",
        "行が UTF-8 ではありません。数は半角数字で出力してください";
    UNKNOWN_OPERATION =
        "{0\"} is no operation: a line begins with q (question) or a (answer)",
        "{0\"} という操作はありません。行は q（質問）か a（解答）で始めてください";
    NO_COUNT =
        "the number of cells is missing: print it, and the cells, on the same line",
        "マスの個数がありません。個数とマスを同じ行に出力してください";
    COUNT =
        "the number of cells is {0\"}, expected an integer from 1 to {1}, as many cells as the grid has",
        "マスの個数が {0\"} です。1〜{1}（盤のマスの総数）の整数でなければなりません";
    NUMBERS =
        "{0} numbers must follow k = {1}, found {2}: print a row and a column for each cell, all on one line",
        "k = {1} の後には {0} 個の数が必要ですが、{2} 個あります。各マスの行と列を、すべて同じ行に出力してください";
    MORE_NUMBERS =
        "{0} numbers must follow k = {1}, found more than {2}: k must be the number of cells",
        "k = {1} の後には {0} 個の数が必要ですが、{2} 個より多くあります。k はマスの個数でなければなりません";
    NOT_AN_INTEGER =
        "{0\"} is no row or column, in cell {1} of the line: print integers in ASCII digits",
        "{1} 番目のマスの {0\"} は行や列の番号ではありません。整数を半角数字で出力してください";
    OUTSIDE_GRID =
        "cell ({0}, {1}) is outside of the grid: rows and columns go from 0 to {2}",
        "マス ({0}, {1}) は盤の外です。行と列は 0〜{2} です";
    TWICE =
        "cell ({0}, {1}) appears twice: name each cell once",
        "マス ({0}, {1}) が 2 回あります。同じマスは 1 回だけ指定してください";
    SOLVED =
        "the right answer was given before: exit when the reply to an answer is 1",
        "すでに正解しています。解答への返答が 1 なら終了してください";
    NO_OPERATION_LEFT =
        "all {0} operations are used up: count them, answers included",
        "{0} 回の操作を使い切りました。解答も含めて数えてください";
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |word: &str| quote(word.as_bytes());
        f.write_str(&match self {
            Self::NotText => NOT_TEXT.fill(&[]),
            Self::UnknownOperation { word } => UNKNOWN_OPERATION.fill(&[&quoted(word)]),
            Self::Count { word, .. } if word.is_empty() => NO_COUNT.fill(&[]),
            Self::Count { word, most } => COUNT.fill(&[&quoted(word), most]),
            Self::Numbers { count, found } => match found {
                Found::Exactly(found) => NUMBERS.fill(&[&(2 * count), count, found]),
                Found::MoreThan(found) => MORE_NUMBERS.fill(&[&(2 * count), count, found]),
            },
            Self::NotAnInteger { word, place } => NOT_AN_INTEGER.fill(&[&quoted(word), place]),
            Self::OutsideGrid {
                cell: [row, column],
                n,
            } => OUTSIDE_GRID.fill(&[row, column, &(n - 1)]),
            Self::Twice { cell } => TWICE.fill(&[&cell.row, &cell.column]),
            Self::Solved => SOLVED.fill(&[]),
            Self::NoOperationLeft { limit } => NO_OPERATION_LEFT.fill(&[limit]),
        })
    }
}

impl Refusal {
    /// Whether the line has not the form of an operation: it may be debug output.
    pub fn is_of_form(&self) -> bool {
        matches!(self, Self::NotText | Self::UnknownOperation { .. })
    }
}

impl std::error::Error for Refusal {}
