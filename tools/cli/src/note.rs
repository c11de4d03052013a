//! What is printed on standard error.

/// As `eprintln!`, but a closed standard error is no failure, and what a terminal would obey is escaped.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let text = format!($($text)*) + "\n";
        let _ = std::io::stderr().write_all(tester_core::util::quote::printable(&text).as_bytes());
    }};
}

/// As `note!`, after the name of this program.
macro_rules! say {
    ($($text:tt)*) => {
        note!("{}: {}", tester_core::util::tester_word::tester_name(), format_args!($($text)*))
    };
}
