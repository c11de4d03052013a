//! The tests of the tester that run its binary, one module for each subject.

mod batch;
mod batch_refused;
mod blame;
mod commands;
mod common;
mod contestants;
mod duel;
mod expected;
mod external;
mod history;
mod interrupted;
mod machine;
mod outputs;
mod pahcer;
mod report;
mod report_page;
mod sandbox;
mod shards;
mod shards_duel;
mod shards_refused;
mod single;
mod soak;
mod structure;
mod vis;
mod vis_page;
