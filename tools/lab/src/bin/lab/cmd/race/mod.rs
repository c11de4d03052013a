//! `lab race`: who finds first. `entrants` has who takes part, `contest` all pairs of them, `answers` what wins most
//! often, `report` all of that, `table` what is printed.

mod answers;
mod contest;
mod entrants;
mod report;
mod run;
mod table;

pub(crate) use contest::{Contest, Pair};
pub(crate) use run::run;
