//! AHC030, played in this process by the submission `src/bin/oil.rs`, with the replies of the judge's own rules.
//!
//! - [`table`]: the player and the judge at one table, operation by operation.
//! - [`replay`](mod@replay): what was known before each operation of a session.
//! - [`likelihood`]: the exact likelihood of a layout, to weight what the player knows anew.
//! - [`calibration`](mod@calibration): whether cells of probability p have oil with frequency p.
//! - [`policies`]: what a case costs with each policy.
//! - [`page`]: a session as a page.
//!
//! Start with [`table::Table`].

pub mod calibration;
pub mod likelihood;
pub mod page;
pub mod policies;
pub mod replay;
pub mod table;
