//! Mastermind: a digit may appear more than once.

use super::pegs::Pegs;

pub(super) static MASTERMIND: Pegs = Pegs {
    name: "mastermind",
    usage: "mastermind P K with 1 <= P <= 10 and 1 <= K <= 64",
    about: "Find P digits from 0 to K-1, which may repeat. The reply to a guess is `h b`: h digits are \
            right and in their place, b are right but in another place (of a digit that repeats, \
            as many as both codes have). Done when h = P; the score is the number of guesses.",
    about_in_japanese: "0 から K−1 までの数字を P 個並べた答えを当ててください（同じ数字が何度現れてもかまいません）。\
                        推測するたびに `h b` が返ります。h は数字も位置も合っている個数、b は残りのうち数字だけが\
                        合っている個数です。h = P になると終了し、推測した回数がスコアになります。",
    samples: &["1 1", "1 64", "4 4", "4 6", "5 4", "10 2", "2 64"],
    distinct: false,
};
