//! Hit & Blow (Bulls and Cows): the digits of a code are distinct.

use super::pegs::Pegs;

pub(super) static HIT_BLOW: Pegs = Pegs {
    name: "hitblow",
    usage: "hitblow P K with 1 <= P <= 10 and P <= K <= 64",
    about: "Find P distinct digits from 0 to K-1. The reply to a guess is `h b`: h digits are right and \
            in their place, b are right but in another place. Done when h = P; the score is the \
            number of guesses.",
    about_in_japanese: "0 から K−1 までの数字から異なる P 個を並べた答えを当ててください。推測するたびに `h b` が\
                        返ります。h は数字も位置も合っている個数、b は数字だけが合っている個数です。h = P に\
                        なると終了し、推測した回数がスコアになります。",
    samples: &["1 1", "2 10", "3 9", "3 10", "4 4", "4 10", "5 6", "2 64"],
    distinct: true,
};
