//! AtCoder Heuristic Contest 030, Polyomino Mining, for the judge `tester`.
//!
//! A square grid hides oil fields. Their shapes are known, their places are not. Drilling one cell tells how many
//! fields cover it; asking for several cells at once costs less, and the reply is noisy. The score is what it costs to
//! name all cells with oil.
//!
//! - [`layout`]: fields on a grid. [`case`](mod@case): a layout with its noise.
//! - [`generate`](mod@generate): the case of a seed. [`case_file`]: cases as text. Both are the official files byte
//!   for byte.
//! - [`operation`]: one line of the contestant. [`refusal`]: what may be wrong with it, in words.
//! - [`rules`]: replies, costs and the end of a game. [`score`]: what a game counts.
//! - [`problem`]: all of it as a problem of the judge; `drawing`: a session as a picture.
//!
//! Start with [`rules::Game`]. What is computed with fractions is computed in the order of the official tester, so that
//! replies and scores are the same to the last digit.

pub mod case;
pub mod case_file;
mod drawing;
pub mod generate;
pub mod layout;
pub mod operation;
pub mod problem;
pub mod refusal;
pub mod rules;
pub mod score;
