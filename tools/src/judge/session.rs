//! A session turn by turn, each with the remarks before it, as pages show it.
//!
//! Pure: from the lines of a [transcript](crate::judge::transcript), wherever they come from. The problem can add
//! pegs to each turn.

use serde::Serialize;

use super::referee::is_comment;
use super::transcript::{Entry, Speaker};
use crate::problem::{Instance, Peg};

/// A whole session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SessionView {
    /// The opening: what the contestant was sent first.
    pub opening: String,
    /// Its turns, in their order; the last one may have no reply.
    pub turns: Vec<Turn>,
    /// What it said after its last turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<Remark>,
}

/// One line of the contestant, and the judge's reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Turn {
    /// The contestant's line.
    pub guess: String,
    /// The judge's; nothing if it was not answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// When the contestant said it, in milliseconds since it was started, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The line as a row of pegs, where the problem draws it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pegs: Option<Vec<Peg>>,
    /// What the contestant said since the turn before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
}

/// What the contestant said without making a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remark {
    /// Whether on stderr; else it is a comment on stdout.
    pub stderr: bool,
    /// The line.
    pub text: String,
}

impl SessionView {
    /// The view of a transcript's lines. A turn's reply is the judge's next line: a contestant may be some turns
    /// ahead.
    pub fn from_entries(entries: &[Entry]) -> Self {
        let mut view = Self::default();
        let mut answered = 0;
        let mut opened = false;
        for Entry { ms, speaker, text } in entries {
            match speaker {
                Speaker::Judge if !opened => {
                    view.opening = text.clone();
                    opened = true;
                }
                Speaker::Judge => {
                    if let Some(turn) = view.turns.get_mut(answered) {
                        turn.reply = Some(text.clone());
                        answered += 1;
                    }
                }
                Speaker::Contestant if is_comment(text.as_bytes()) => {
                    view.last.push(Remark {
                        stderr: false,
                        text: text.clone(),
                    });
                }
                Speaker::Contestant => view.turns.push(Turn {
                    guess: text.clone(),
                    ms: *ms,
                    remarks: std::mem::take(&mut view.last),
                    ..Turn::default()
                }),
                Speaker::Stderr => view.last.push(Remark {
                    stderr: true,
                    text: text.clone(),
                }),
                Speaker::Cut => view.last.push(Remark {
                    stderr: false,
                    text: format!("({text})"),
                }),
                Speaker::Verdict => {}
            }
        }
        view
    }

    /// A line for each turn: its number, what was said, and the reply.
    pub fn text(&self) -> String {
        let line = |(turn, n): (&Turn, usize)| {
            let reply = turn.reply.as_deref().unwrap_or("-");
            format!("{n}  {}  {reply}\n", turn.guess)
        };
        self.turns.iter().zip(1..).map(line).collect()
    }

    /// The same, with every turn drawn as the problem draws it.
    #[must_use]
    pub fn drawn(mut self, instance: &dyn Instance) -> Self {
        for turn in &mut self.turns {
            turn.pegs = instance.pegs(&turn.guess);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::transcript::read;

    #[test]
    fn remarks_go_with_the_turn_that_they_come_before() {
        let text = "[    0.1] > hitblow 3 10\n[    0.2] ! thinking\n[    0.3] < # 720 left\n\
            [    0.4] < 0 1 2\n[    0.5] > 0 1\n[    0.6] < 7 7 7\n[    0.7] > -1\n[    0.8] ! oh\n\
            [    0.9] = WA: turn 2: digit 7 appears twice\n";
        let view = SessionView::from_entries(&read(text).unwrap());
        let json = serde_json::to_string(&view).unwrap();
        insta::assert_snapshot!(json, @r##"{"opening":"hitblow 3 10","turns":[{"guess":"0 1 2","reply":"0 1","ms":0.4,"remarks":[{"stderr":true,"text":"thinking"},{"stderr":false,"text":"# 720 left"}]},{"guess":"7 7 7","reply":"-1","ms":0.6}],"last":[{"stderr":true,"text":"oh"}]}"##);
    }

    #[test]
    fn remarks_are_what_the_referee_ignores() {
        for (line, remark) in [
            (" \t# a", true),
            ("\u{3000}# a", false),
            ("\u{b}# a", false),
        ] {
            let entry = Entry {
                ms: None,
                speaker: Speaker::Contestant,
                text: line.to_owned(),
            };
            let view = SessionView::from_entries(&[entry]);
            assert_eq!(
                (view.turns.len(), view.last.len()),
                (usize::from(!remark), usize::from(remark))
            );
        }
    }

    #[test]
    fn a_contestant_that_is_ahead_gets_the_replies_in_their_order() {
        let text =
            "[ 0.1] < 0 1 2\n[ 0.1] < 3 4 5\n[ 0.2] > hitblow 3 10\n[ 0.2] > 0 1\n[ 0.2] > 1 0\n";
        let view = SessionView::from_entries(&read(text).unwrap());
        let replies: Vec<_> = view
            .turns
            .iter()
            .map(|turn| turn.reply.as_deref())
            .collect();
        assert_eq!(view.opening, "hitblow 3 10");
        assert_eq!(replies, [Some("0 1"), Some("1 0")]);
        assert_eq!(view.text(), "1  0 1 2  0 1\n2  3 4 5  1 0\n");
    }
}
