//! A line that is most likely the score, where the expression for scores matches nothing: which expression would.

use std::sync::LazyLock;

use regex::Regex;

/// How many lines at the end of a stream are looked at.
const LINES: usize = 20;

/// The longest line with a name that is looked at, in bytes: an expression for it is shown whole.
const LENGTH: usize = 120;

/// A line, and an expression that finds the score in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikelyScore {
    /// The line.
    pub line: String,
    /// The expression.
    pub expression: String,
}

impl LikelyScore {
    /// The last line such as `Total Cost = 12` or `score: 12`.
    pub fn named(text: &[u8]) -> Option<Self> {
        static NAMED: LazyLock<Regex> = LazyLock::new(|| {
            let word = "score|cost|total|result|points?|スコア|得点|点数|合計";
            // It is written into a shell's line, and shown in a terminal.
            let rest = r"[^=:：＝'\d\p{Cc}\p{Cf}\u{fffd}]*";
            let line =
                format!(r"(?i)^({rest}(?:{word}){rest}?)\s*([=:：＝])\s*([0-9]+(?:\.[0-9]+)?)$");
            Regex::new(&line).expect("it is an expression")
        });
        let mut lines = last_lines(text).filter(|line| line.len() <= LENGTH);
        lines.find_map(|line| {
            let (_, [name, sign, number]) = NAMED.captures(&line)?.extract();
            let name = regex::escape(name);
            let score = match number.contains('.') {
                true => r"\d+\.?\d*",
                false => r"\d+",
            };
            let expression = format!(r"(?m)^\s*{name}\s*{sign}\s*(?P<score>{score})\s*$");
            Some(Self { line, expression })
        })
    }

    /// The last line, if it is only a number.
    pub fn bare(text: &[u8]) -> Option<Self> {
        let line = last_lines(text).next()?;
        let is_number = line.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| Self {
            line,
            expression: r"(?m)^\s*(?P<score>\d+)\s*$".to_owned(),
        })
    }
}

/// The last lines that are not blank, from the end, as they are.
fn last_lines(text: &[u8]) -> impl Iterator<Item = String> + use<'_> {
    let lines = text.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty()).take(LINES);
    lines.map(|line| String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expression_of_a_likely_line_finds_its_score() {
        for line in [
            "Total Cost = 182204",
            "score: 12",
            "Score : 12",
            "  Your score (raw)=7",
            "スコア：1234",
            "Score\t:\t12",
            "Total score: 0.8125",
        ] {
            let text = format!("turn 3: 5\n{line}\r\n\nbye\n");
            let likely = LikelyScore::named(text.as_bytes()).expect(line);
            assert_eq!(likely.line, line.trim());
            let expression = regex::bytes::Regex::new(&likely.expression).unwrap();
            let score = &expression.captures(text.as_bytes()).expect(line)["score"];
            assert!(line.as_bytes().ends_with(score) && !score.is_empty());
        }
        let bare = LikelyScore::bare(b"Scoring\n12461\n\n").unwrap();
        assert_eq!(bare.line, "12461");
        let expression = regex::bytes::Regex::new(&bare.expression).unwrap();
        assert_eq!(
            &expression.captures(b"9 9\n12461\n").unwrap()["score"],
            b"12461"
        );
    }

    #[test]
    fn other_lines_are_not_likely() {
        for line in [
            "Out of range: 1001",
            "turn = 5",
            "Score = 0.5 of 1",
            "Score = 0.5.1",
            "Score = -1",
            "cost of 3: 4",
            "the contest's score: 3",
            "score",
            "",
            "\u{1b}[mscore: 3",
            "\u{202e}score: 3",
            "total\tscore: 3",
            "score: ３",
            &format!("{}score: 3", "my ".repeat(100)),
        ] {
            assert_eq!(LikelyScore::named(line.as_bytes()), None, "{line}");
        }
        assert_eq!(LikelyScore::named(b"\xffscore: 3"), None);
        for text in ["1 2", "", "7\nbye", "1.5"] {
            assert_eq!(LikelyScore::bare(text.as_bytes()), None, "{text}");
        }
    }
}
