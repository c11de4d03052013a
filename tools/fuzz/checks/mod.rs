//! What has to hold for any bytes that a reader is given: `scripts/fuzz` looks for bytes that break it, and a test of the
//! judge calls it with some, so that it compiles with every change.

pub mod case_file;
pub mod configuration;
pub mod contestant_lines;
pub mod seeds_file;
pub mod shard;
pub mod stored_records;
pub mod transcript;
