//! Small helpers for files and text that know no game and no process of a contestant.
//!
//! May import: `process` (whose temporary files are left over). Start reading at [`atomic_file`].

pub mod atomic_file;
pub mod overwrite;
pub mod quote;
pub mod template;
