//! Reports of a crash: what Rust, Python and C++ write on stderr when a program ends in the middle.
//!
//! A tester that refuses a line leaves its program alone, which then crashes at its next read or write. Both write to
//! one stream at that moment, so that a report may begin in the middle of the tester's line.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// The text without such reports.
pub(super) fn without_crash_reports(text: &[u8]) -> Vec<u8> {
    static REPORT: LazyLock<Regex> = LazyLock::new(|| {
        let panic = r"thread '[^'\n]*' (\(\d+\) )?panicked at ([^\n]*:\n)?[^\n]*";
        let note = r"note: (run with `RUST_BACKTRACE|Some details are omitted)[^\n]*";
        let backtrace = r"stack backtrace:[^\n]*";
        let frame = r"^ +\d+: [^\n]*|^ +at [^\n]*";
        let traceback = r"(Traceback \(most recent call last\):|Exception ignored in: )[^\n]*\n([ \t][^\n]*\n)*[^\n]*";
        let thrown = r"terminate called [^\n]*(\n  what\(\):[^\n]*)?";
        let all = [panic, note, backtrace, frame, traceback, thrown].join("|");
        Regex::new(&format!("(?m){all}")).expect("it is an expression")
    });
    REPORT.replace_all(text, &b""[..]).into_owned()
}
