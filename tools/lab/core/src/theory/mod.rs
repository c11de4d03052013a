//! What theory says of a game: its value where the opponent chooses the secret, bounds by information, and what a
//! greedy choice loses.
//!
//! `docs/theory.md` has the proofs. Start with `value`.

mod bounds;
mod loss;
mod pairs;
mod reply_pairs;
mod reply_sizes;
mod value;

pub use bounds::{InformationBounds, information_bounds};
pub use loss::{Loss, Worth, losses};
pub use value::{GameValue, OrbitValue, ValueError, value};
