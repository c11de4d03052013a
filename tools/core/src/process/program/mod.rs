//! A program as files and words, before it is a process: the command that was typed, its language, how it is made of
//! source files, why it cannot be started, and what it is by the content of its files. Nothing is started here.
//!
//! May import: nothing of this crate. Start reading at `command`.

mod command;
pub mod fingerprint;
pub mod language;
pub(crate) mod os_text;
mod shell_word;
mod source_file;
mod unusable;
pub mod virtual_machine;

pub use command::{Command, LineError, StartError};
pub(crate) use shell_word::shell_line;
pub use shell_word::{is_terminal_control, shell_word};
pub use source_file::{SourceRecipe, cargo_build};
