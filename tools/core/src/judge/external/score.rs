//! Where another judge's score is looked for.

use regex::bytes::Regex;

/// A line such as the official local testers print: the last one counts, as for pahcer.
pub const USUAL_SCORE: &str = r"(?m)^\s*Score\s*=\s*(?P<score>\S+)\s*$";

/// Where the score is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// On the stdout of a line that sends the contestant's to a file; if it is not there on stderr, then on stdout, as
    /// pahcer does.
    #[default]
    Any,
    /// On stdout only: what the contestant writes on stderr cannot be taken for a score.
    Stdout,
    /// On stderr only.
    Stderr,
}

impl Stream {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }

    /// What [`Stream::name`] wrote.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Any, Self::Stdout, Self::Stderr];
        all.into_iter().find(|known| known.name() == name)
    }
}

/// A score that was found.
#[derive(Clone, Copy, Debug)]
pub(in crate::judge) struct FoundScore<'a> {
    /// As it was printed.
    pub(in crate::judge) number: &'a [u8],
    /// Whether it was found on stderr.
    pub(in crate::judge) on_stderr: bool,
    /// The end of the stream on which it was found.
    pub(in crate::judge) text: &'a [u8],
    /// Where in that text the match begins.
    pub(in crate::judge) start: usize,
    /// Where it ends.
    pub(in crate::judge) end: usize,
}

impl Stream {
    /// The last score that `expression` finds in the ends of the two streams.
    pub(in crate::judge) fn last_score<'a>(
        self,
        expression: &Regex,
        stdout: &'a [u8],
        stderr: &'a [u8],
    ) -> Option<FoundScore<'a>> {
        let last = |text: &'a [u8], on_stderr| {
            let last = expression.captures_iter(text).last()?;
            let whole = last.get_match();
            Some(FoundScore {
                number: last.name("score")?.as_bytes(),
                on_stderr,
                text,
                start: whole.start(),
                end: whole.end(),
            })
        };
        match self {
            Self::Any => last(stderr, true).or_else(|| last(stdout, false)),
            Self::Stdout => last(stdout, false),
            Self::Stderr => last(stderr, true),
        }
    }
}
