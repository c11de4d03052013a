//! What checks within a program write on stderr when they end it: sanitizers, libstdc++'s debug mode, assertions.
//!
//! Their last line says little: `==401==ABORTING`, or `}`. [Crash reports](super::crash_report) are those of languages.

use std::sync::LazyLock;

use regex::Regex;

/// The summary of a sanitizer, and its picture of the memory.
const SANITIZER: &str = r"SUMMARY: (?:Address|Leak|Memory|Thread|HWAddress)Sanitizer: [^\n]*(?:\n(?:Shadow byte[^\n]*|(?:=>|  )0x[^\n]*|  [A-Z][A-Za-z ]+: +[0-9a-f]{2}\b[^\n]*|==\d+==ABORTING|=+|ThreadSanitizer: reported \d+ warnings|Exiting)\b?)*";
/// What the debug mode of libstdc++ found, in a few lines of 78 characters. Without the number, each line `Error: ` would
/// be looked at to the end of the text.
const DEBUG_MODE: &str =
    r"Error: [^\n]+(?:\n[^\n]+){0,9}\n\nObjects involved in the operation:(?:\n[ \t][^\n]*)*";
/// `assert` of C, and the assertions of libstdc++, whose function is longer than what a message shows.
const ASSERTION: &str = r"(?:[^\n:]*: )?[^\s:]+:\d+: [^\n]*: Assertion [`'][^\n]*' failed\.";

/// An expression that finds all of them, as they begin a line.
pub(super) fn failed_checks() -> String {
    format!(r"(?m:^)(?:{SANITIZER}|{DEBUG_MODE}|{ASSERTION})")
}

/// What such a report says, in one line with the names of files alone; of another text, `None`.
pub(super) fn failed_check(report: &str) -> Option<String> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        let all = r"(?<path>[^\s:]+):(?<line>\d+): .*: (?<what>Assertion [`'].*' failed)\.$";
        Regex::new(all).expect("it is an expression")
    });
    if let Some(summary) = report.strip_prefix("SUMMARY: ") {
        return summary.lines().next().map(without_folders);
    }
    if let Some(error) = report.strip_prefix("Error: ") {
        let (error, _) = error.split_once("\n\nObjects involved")?;
        let words: Vec<&str> = error.split_whitespace().collect();
        return Some(words.join(" "));
    }
    let found = PLACE.captures(report)?;
    let file = file_name(found.name("path")?.as_str());
    Some(format!("{file}:{}: {}", &found["line"], &found["what"]))
}

/// The words without the folders of an absolute path, which ends before a colon.
fn without_folders(words: &str) -> String {
    let Some((before, rest)) = words.split_once(" /") else {
        return words.to_owned();
    };
    let (path, after) = rest.split_at(rest.find(':').unwrap_or(rest.len()));
    format!("{before} {}{after}", file_name(path))
}

/// What stands after the last slash.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text says that ends with a report.
    fn found(text: &str) -> Option<String> {
        let report = Regex::new(&failed_checks())
            .unwrap()
            .find_iter(text)
            .last()?;
        let is_last = text[report.end()..].trim().is_empty();
        is_last.then(|| failed_check(report.as_str()))?
    }

    #[test]
    fn sanitizers_are_told_by_their_summary_without_folders() {
        let head =
            "==315==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x604000000038\n";
        let summary =
            "SUMMARY: AddressSanitizer: heap-buffer-overflow /home/me/a b/x.cpp:3 in main\n";
        let memory = "Shadow bytes around the buggy address:\n=>0x0c087fff8000: fa fa\n  ASan internal:           fe\n";
        let text = format!("{head}{summary}{memory}==315==ABORTING\n");
        let expected = "AddressSanitizer: heap-buffer-overflow x.cpp:3 in main";
        assert_eq!(found(&text).as_deref(), Some(expected));
        // It went on.
        assert_eq!(found(&format!("{text}12 left\n")), None);
        let leak = "SUMMARY: AddressSanitizer: 40 byte(s) leaked in 1 allocation(s).\n";
        assert_eq!(
            found(leak).as_deref(),
            Some("AddressSanitizer: 40 byte(s) leaked in 1 allocation(s).")
        );
        let race = "SUMMARY: ThreadSanitizer: data race /tmp/race.cpp:2 in operator()\n==================\n\
                    ThreadSanitizer: reported 1 warnings\n";
        assert_eq!(
            found(race).as_deref(),
            Some("ThreadSanitizer: data race race.cpp:2 in operator()")
        );
    }

    #[test]
    fn debug_mode_is_told_by_its_error() {
        let text = "/usr/include/c++/12/debug/vector:442:\nIn function:\n    reference operator[](size_type)\n\n\
                    Error: attempt to subscript container with out-of-bounds index 3, but \n\
                    container only holds 2 elements.\n\nObjects involved in the operation:\n    \
                    sequence \"this\" @ 0x7ffd05e54510 {\n      type = std::debug::vector<int>;\n    }\n";
        let expected = "attempt to subscript container with out-of-bounds index 3, but container only holds 2 elements.";
        assert_eq!(found(text).as_deref(), Some(expected));
        assert_eq!(found(&format!("{text}12 left\n")), None);
    }

    #[test]
    fn assertions_are_told_without_their_function() {
        let library = "/usr/include/c++/12/bits/stl_vector.h:1123: std::vector<_Tp, _Alloc>::operator[](size_type) \
                       [with _Tp = int; size_type = long unsigned int]: Assertion '__n < this->size()' failed.\n";
        assert_eq!(
            found(library).as_deref(),
            Some("stl_vector.h:1123: Assertion '__n < this->size()' failed")
        );
        let own = "12 left\nmain: src/a.cpp:5: int f(std::string): Assertion `x > 3 && \"no: 3\"' failed.\n";
        assert_eq!(
            found(own).as_deref(),
            Some("a.cpp:5: Assertion `x > 3 && \"no: 3\"' failed")
        );
        assert_eq!(found(&format!("{own}12 left\n")), None);
        assert_eq!(found("Assertion 'x' failed.\n"), None);
    }
}
