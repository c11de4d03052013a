//! What to do about an error: a line of its own after the cause, as cargo has it.

use std::error::Error;

use crate::case::{CaseError, SourceError};
use crate::cli::cmd::import_error::ImportError;
use crate::judge::external::ExternalError;
use crate::problem::ParamError;
use crate::process::sandbox::SandboxError;
use crate::process::{FifoError, StartError};
use crate::report::ReportError;
use crate::run::config::ConfigError;
use crate::run::draw::DrawError;
use crate::run::executor::BatchError;
use crate::run::package::error::PackageError;
use crate::shard::{MergeError, ReadError};
use crate::store::HistoryError;

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
    context.or_else(|| error.chain().find_map(hint_of_one))
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
