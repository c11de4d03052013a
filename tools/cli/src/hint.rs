//! What to do about an error: a line of its own after the cause, as cargo has it.

use std::error::Error;

use tester_core::case::{CaseError, SourceError};
use tester_core::judge::external::ExternalError;
use tester_core::problem::ParamError;
use tester_core::process::sandbox::SandboxError;
use tester_core::process::{FifoError, StartError};
use tester_core::report::ReportError;
use tester_core::run::config::ConfigError;
use tester_core::run::draw::DrawError;
use tester_core::run::executor::BatchError;
use tester_core::run::package::error::PackageError;
use tester_core::shard::{MergeError, ReadError};
use tester_core::store::HistoryError;
use tester_core::util::plain::plain;

use crate::cmd::import_error::ImportError;
use crate::own_package::own_package_hint;

/// An error of the command line itself.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub(crate) struct WithHint {
    cause: String,
    hint: String,
}

impl WithHint {
    /// A cause or a context, and the hint.
    pub(crate) fn new(cause: impl Into<String>, hint: impl Into<String>) -> Self {
        let (cause, hint) = (cause.into(), hint.into());
        Self { cause, hint }
    }
}

/// An error that comes with a hint.
pub(crate) fn with_hint(cause: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    WithHint::new(cause, hint).into()
}

/// The hint of the outermost error that has one.
pub(crate) fn hint_of(error: &anyhow::Error) -> Option<String> {
    // Only `downcast_ref` of anyhow finds a context; the chain does not contain its type.
    let context = error
        .downcast_ref()
        .map(|WithHint { hint, .. }| hint.clone());
    let own_package = || {
        // What it is the source of has a hint, too.
        let mut chain = error.chain();
        chain.find_map(|one| one.downcast_ref().and_then(own_package_hint))
    };
    context
        .or_else(own_package)
        .or_else(|| error.chain().find_map(hint_of_one))
}

fn hint_of_one(error: &(dyn Error + 'static)) -> Option<String> {
    macro_rules! ask {
        ($($kind:ty),+ $(,)?) => {
            $(if let Some(error) = error.downcast_ref::<$kind>() {
                return error.hint();
            })+
        };
    }
    ask!(
        BatchError,
        CaseError,
        ConfigError,
        DrawError,
        ExternalError,
        FifoError,
        HistoryError,
        ImportError,
        MergeError,
        PackageError,
        ParamError,
        ReadError,
        ReportError,
        SandboxError,
        SourceError,
        StartError,
    );
    None
}

/// The hint for a number that was typed with full-width digits, if `message` repeats it: an input method was on.
pub(crate) fn full_width_hint(message: &str) -> Option<String> {
    let words = std::env::args_os().skip(1).take_while(|word| word != "--");
    full_width_among(words.filter_map(|word| word.into_string().ok()), message)
}

fn full_width_among(words: impl Iterator<Item = String>, message: &str) -> Option<String> {
    words.into_iter().find_map(|word| {
        let value = match word.strip_prefix("--") {
            Some(option) => option.split_once('=')?.1,
            None => &word,
        };
        value.split_whitespace().find_map(|part| {
            let narrow = plain(part);
            let is_number = |c: char| c.is_ascii_digit() || ".,-=".contains(c);
            let is_meant =
                narrow != part && narrow.chars().all(is_number) && message.contains(part);
            is_meant.then(|| format!("full-width digits were typed ({part}): type {narrow}"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_full_width_digits_are_found_where_the_message_repeats_them() {
        let hint = |words: &str, message: &str| {
            full_width_among(words.split('|').map(str::to_owned), message)
        };
        let typed = |part: &str, meant: &str| {
            Some(format!(
                "full-width digits were typed ({part}): type {meant}"
            ))
        };
        assert_eq!(hint("show|１７", "found \"１７\""), typed("１７", "17"));
        assert_eq!(
            hint("--seeds=０..=３", "'０..=３'"),
            typed("０..=３", "0..=3")
        );
        assert_eq!(
            hint("--jobs|２．５", "value '２．５'"),
            typed("２．５", "2.5")
        );
        let problem = "hitblow ３ 10";
        assert_eq!(
            hint(&format!("--problem|{problem}"), problem),
            typed("３", "3")
        );
        assert_eq!(hint("--tag|１|show|2", "found \"2\""), None);
        assert_eq!(hint("show|第１版", "found \"第１版\""), None);
        assert_eq!(hint("show|17", "found \"17\""), None);
    }
}
