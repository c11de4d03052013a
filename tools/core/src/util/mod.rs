//! Helpers for files, locks and text. They know neither problems nor contestants.
//!
//! May import: `process` (how a process and a word are written). Start reading at [`atomic_file`].

pub mod atomic_file;
pub mod bounded_read;
pub(crate) mod byte_lock;
pub mod count;
pub mod output_dir;
pub(crate) mod overwrite;
pub mod plain;
pub mod quote;
pub mod random_name;
pub mod regular_file;
pub mod same_content;
pub mod template;
pub mod temporary;
pub(crate) mod temporary_program;
pub mod terminal;
pub mod tester_word;
pub mod wall_clock;
