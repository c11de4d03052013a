//! The contest, as a problem of the judge `tester`.

pub mod problem;
