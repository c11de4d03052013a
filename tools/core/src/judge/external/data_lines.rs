//! `[DATA] name = value` lines on stderr: numbers that a program or a contest's tester tells of a case.
//!
//! psytester reads the same lines.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::tap::StreamListener;
use crate::case::number;

/// A longer line is none of these.
const LONGEST: usize = 1 << 10;

/// As psytester finds them.
static DATA: LazyLock<Regex> = LazyLock::new(|| {
    let expression = r"^\s*\[DATA\]\s+(?<name>[a-zA-Z]\w*)\s*=\s*(?<value>\S+)\s*$";
    Regex::new(expression).expect("it is tested")
});

/// Whether a line tells such a number, and nothing else.
pub(super) fn is_data_line(line: &[u8]) -> bool {
    DATA.is_match(line)
}

/// Remembers the numbers of such lines, the last one of each name.
#[derive(Default)]
pub(crate) struct DataLines {
    /// The beginning of the line that has no end yet.
    line: Vec<u8>,
    found: Vec<(String, f64)>,
}

impl DataLines {
    /// The names and their values, in the order of their first lines.
    pub fn finish(mut self) -> Vec<(String, f64)> {
        self.end_line();
        self.found
    }

    fn end_line(&mut self) {
        if self.line.len() <= LONGEST && self.line.contains(&b'[') {
            self.found_in_line();
        }
        self.line.clear();
    }

    fn found_in_line(&mut self) -> Option<()> {
        let found = DATA.captures(&self.line)?;
        let name = str::from_utf8(&found["name"]).ok()?;
        let value = number(&found["value"])?;
        match self.found.iter_mut().find(|(known, _)| known == name) {
            Some(known) => known.1 = value,
            None => self.found.push((name.to_owned(), value)),
        }
        Some(())
    }
}

impl StreamListener for DataLines {
    fn stderr(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = (LONGEST + 1).saturating_sub(self.line.len());
            let (text, is_whole) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if is_whole {
                self.end_line();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pieces: &[&str]) -> Vec<(String, f64)> {
        let mut lines = DataLines::default();
        for piece in pieces {
            lines.stderr(piece.as_bytes());
        }
        lines.finish()
    }

    fn pairs(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
        let owned = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value));
        owned.collect()
    }

    #[test]
    fn lines_are_those_that_psytester_reads() {
        let text = "start\n[DATA] turns = 12\n  [DATA]  loss=-0.5 \r\n[DATA] turns = 13\n[DATA] last = 1e3";
        let expected = pairs(&[("turns", 13.0), ("loss", -0.5), ("last", 1000.0)]);
        assert_eq!(found(&[text]), expected);
        // In any pieces.
        let bytes: Vec<String> = text.chars().map(String::from).collect();
        let bytes: Vec<&str> = bytes.iter().map(String::as_str).collect();
        assert_eq!(found(&bytes), expected);
    }

    #[test]
    fn other_lines_are_none() {
        for none in [
            "[DATA] kind = maze",
            "[DATA] x = inf",
            "[DATA] 2x = 1",
            "[DATA] x y = 1",
            "[DATA] x = 1 2",
            "[DATA]x = 1",
            "DATA x = 1",
            "x [DATA] y = 1",
        ] {
            assert_eq!(found(&[none]), [], "{none}");
        }
        let long = format!("[DATA] x = {}1", " ".repeat(LONGEST));
        assert_eq!(found(&[&long]), []);
        assert_eq!(found(&[&long, "\n[DATA] y = 2\n"]), pairs(&[("y", 2.0)]));
    }
}
