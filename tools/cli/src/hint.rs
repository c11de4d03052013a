//! What to do about an error: a line of its own after the cause, as cargo has it.

use std::error::Error;

use tester_core::case::{CaseError, RuleError, SourceError};
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

/// Hints are methods of the errors. An error in a chain tells only its type, so those with a hint are listed here; a test
/// compares.
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
        RuleError,
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
    use std::collections::BTreeSet;
    use std::fs::read_to_string;
    use std::path::{Path, PathBuf};

    use super::*;

    /// All files below a folder.
    fn files(dir: &Path) -> Vec<PathBuf> {
        let entries = dir.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let below = |path: PathBuf| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        };
        entries.flat_map(below).collect()
    }

    #[test]
    fn every_error_with_a_hint_is_asked_for_it() {
        let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut errors = BTreeSet::new();
        for found in [cli.join("src"), cli.join("../core/src")].map(|dir| files(&dir)) {
            for text in found.iter().filter_map(|file| read_to_string(file).ok()) {
                // What stands before the method is the block that it is in.
                let head = text.split("fn hint(&self) -> Option<String> {\n");
                let heads: Vec<&str> = head.collect();
                for head in &heads[..heads.len() - 1] {
                    let (_, block) = head.rsplit_once("\nimpl ").unwrap();
                    errors.insert(block.split(' ').next().unwrap().to_owned());
                }
            }
        }
        let own = read_to_string(cli.join("src/hint.rs")).unwrap();
        let (_, list) = own.split_once("    ask!(\n").unwrap();
        let (list, _) = list.split_once("    );").unwrap();
        let listed = list.lines().map(|line| line.trim().trim_end_matches(','));
        let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
        assert_eq!(errors, listed);
    }

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
