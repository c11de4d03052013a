//! An error that ends the program: its cause, what is known besides, and what to do about it.

use super::hint;
use super::system_hint::{removed_folder_hint, system_hint};

/// The context of an error that was printed already, with more than is known here.
#[derive(Debug, thiserror::Error)]
#[error("printed already")]
pub(crate) struct PrintedAlready;

/// Prints the cause, and after it the hint, if there is one.
pub(crate) fn print_error(error: &anyhow::Error) {
    if !error.is::<PrintedAlready>() {
        print_error_with(error, None, None);
    }
}

/// Prints the cause, then the remark, then the hint of the error and one more.
pub(crate) fn print_error_with(
    error: &anyhow::Error,
    remark: Option<&str>,
    last_hint: Option<String>,
) {
    let message = format!("{error:#}");
    say!("{message}");
    if let Some(remark) = remark {
        say!("{remark}");
    }
    for hint in hint_for(error, &message).into_iter().chain(last_hint) {
        note!("hint: {hint}");
    }
}

/// What to do about an error that ends the program, whose whole text this is.
fn hint_for(error: &anyhow::Error, message: &str) -> Option<String> {
    removed_folder_hint()
        .map(str::to_owned)
        .or_else(|| hint::full_width_hint(message))
        .or_else(|| hint::hint_of(error))
        .or_else(|| system_hint(message).map(str::to_owned))
}
