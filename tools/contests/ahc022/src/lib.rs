//! AtCoder Heuristic Contest 022, Exploring Another Space, for the judge `tester`.
//!
//! A square grid wraps around at its edges. N wormholes lead to N of its cells, the exit cells. You know the cells, but
//! not which wormhole leads to which. You set the temperature of every cell, then measure: through a wormhole, and from
//! its exit cell some steps on. Measurements are noisy. The score is high if few wormholes are answered wrong, if
//! neighbouring temperatures differ little, and if you measure little and near the exit cells.
//!
//! - [`case`](mod@case): exit cells, wormholes and noise. [`generate`](mod@generate): the case of a seed. [`case_file`]:
//!   cases as text. Both are the official files byte for byte.
//! - [`temperatures`]: the grid that the contestant sets. [`input`]: lines of the contestant. [`refusal`]: what may be
//!   wrong with them, in words.
//! - [`rules`]: the stages of a game, replies and costs. [`score`]: what a game counts.
//! - [`problem`]: all of it as a problem of the judge.
//!
//! Start with [`rules::Game`].

pub mod case;
pub mod case_file;
pub mod generate;
pub mod input;
pub mod problem;
pub mod refusal;
pub mod rules;
pub mod score;
pub mod temperatures;
