//! Regular expressions that a test uses for many texts.

/// A regular expression that is compiled once: without optimisation, that takes longer than to search most files.
macro_rules! expression {
    ($text:expr) => {{
        static COMPILED: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).unwrap());
        &*COMPILED
    }};
}

pub(crate) use expression;
