//! `lab race`: who finds first. `entrants` has who takes part, `contest` all pairs of them, `answers` what wins most
//! often, `table` what is printed.

mod answers;
mod contest;
mod entrants;
mod run;
mod table;

pub(crate) use contest::{Contest, Pair};
pub(crate) use run::run;
