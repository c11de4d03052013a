//! Where figures go to be read: one file per sink.

pub mod comparison;
pub mod console;
pub mod duel;
pub mod export;
pub mod groups;
pub mod hosts;
pub mod model;
pub mod page;
pub mod runs;

/// Breaks a paragraph into lines of at most 100 characters.
fn wrap(text: &str) -> String {
    textwrap::fill(text, 100)
}
