//! A session turn by turn, each with the remarks before it, as pages show it.
//!
//! Pure: from the lines of a [transcript](crate::judge::transcript), wherever they come from. Which lines make up a
//! question, and how many lines a reply has, only the case knows. Without the case, each is one line.

use serde::{Serialize, Serializer};

use super::referee::{Referee, Ruling, begins_with_hash, is_comment};
use super::transcript::{Entry, Speaker};
use crate::problem::{Drawing, Instance, PlayedTurn};

/// A whole session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SessionView {
    /// The opening: what the contestant was sent first.
    pub opening: String,
    /// Its turns, in their order; the last one may have no reply.
    pub turns: Vec<Turn>,
    /// What it said after its last turn.
    #[serde(skip_serializing_if = "none_listed", serialize_with = "listed")]
    pub last: Vec<Remark>,
}

/// One question of the contestant, and the judge's reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Turn {
    /// The contestant's lines, with newlines between them.
    pub guess: String,
    /// The judge's lines; nothing if it was not answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// When the contestant said it, in milliseconds since it was started, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What the contestant said since the turn before.
    #[serde(skip_serializing_if = "none_listed", serialize_with = "listed")]
    pub remarks: Vec<Remark>,
}

/// What the contestant said without making a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Remark {
    /// Whether on stderr; else it is a comment on stdout.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stderr: bool,
    /// Whether the problem draws it. Such remarks are not serialised: there may be many, and the picture has them.
    #[serde(skip)]
    pub drawn: bool,
    /// The line.
    pub text: String,
}

fn none_listed(remarks: &[Remark]) -> bool {
    remarks.iter().all(|remark| remark.drawn)
}

fn listed<S: Serializer>(remarks: &[Remark], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(remarks.iter().filter(|remark| !remark.drawn))
}

impl SessionView {
    /// The view of a transcript's lines. `instance` is the case; `None` if it is not known any more.
    pub fn new(instance: Option<&dyn Instance>, entries: &[Entry]) -> Self {
        let mut builder = Builder::new(instance);
        for entry in entries {
            builder.add(entry);
        }
        builder.finish()
    }

    /// A line for each turn: its number, what was said, and the reply. Lines of one text have ` / ` between them.
    pub fn text(&self) -> String {
        let line = |(turn, n): (&Turn, usize)| {
            let reply = turn.reply.as_deref().unwrap_or("-");
            format!("{n}  {}  {reply}", turn.guess).replace('\n', " / ") + "\n"
        };
        self.turns.iter().zip(1..).map(line).collect()
    }

    /// The first line of the opening.
    pub(crate) fn title(&self) -> &str {
        self.opening.lines().next().unwrap_or_default()
    }

    /// The turns as the case draws them, if it does.
    pub(crate) fn draw(&self, instance: &dyn Instance) -> Option<Drawing> {
        let turns = self.turns.iter().map(|turn| PlayedTurn {
            comments: comments(&turn.remarks),
            question: &turn.guess,
            reply: turn.reply.as_deref(),
        });
        let turns: Vec<_> = turns.collect();
        instance.draw(&turns, &comments(&self.last))
    }
}

fn comments(remarks: &[Remark]) -> Vec<&str> {
    let of_stdout = remarks.iter().filter(|remark| !remark.stderr);
    of_stdout.map(|remark| remark.text.as_str()).collect()
}

/// What a line of the contestant is to its session.
enum Role {
    Remark,
    /// A line of a question, with more to come.
    Part,
    /// The last line of a question; its reply has this many lines.
    End(usize),
}

/// Puts a view together, line by line.
struct Builder<'a> {
    view: SessionView,
    instance: Option<&'a dyn Instance>,
    /// Knows what makes up a question.
    referee: Option<Referee>,
    opening_lines: usize,
    opened: usize,
    /// The question that has no end yet.
    question: Option<Turn>,
    /// For each turn, how many lines of its reply are still to come.
    due: Vec<usize>,
    /// Turns before this one have their whole replies.
    answered: usize,
}

impl<'a> Builder<'a> {
    fn new(instance: Option<&'a dyn Instance>) -> Self {
        let lines = |instance: &dyn Instance| line_count(&instance.opening());
        Self {
            view: SessionView::default(),
            instance,
            referee: instance.map(|instance| Referee::new(instance, u64::MAX)),
            opening_lines: instance.map_or(1, lines),
            opened: 0,
            question: None,
            due: Vec::new(),
            answered: 0,
        }
    }

    fn add(&mut self, Entry { ms, speaker, text }: &Entry) {
        match speaker {
            Speaker::Judge if self.opened < self.opening_lines => {
                join_line(&mut self.view.opening, text, self.opened == 0);
                self.opened += 1;
            }
            Speaker::Judge => self.reply(text),
            Speaker::Contestant => match self.role(text.as_bytes()) {
                Role::Remark => self.comment(text),
                Role::Part => self.ask(*ms, text),
                Role::End(reply_lines) => {
                    self.ask(*ms, text);
                    self.end_question(reply_lines);
                }
            },
            Speaker::Stderr => self.remark(true, text.clone()),
            Speaker::Cut => self.remark(false, format!("({text})")),
            Speaker::Verdict => {}
        }
    }

    fn role(&mut self, line: &[u8]) -> Role {
        let is_remark = match self.instance {
            Some(instance) => is_comment(instance, line),
            None => begins_with_hash(line),
        };
        if is_remark {
            return Role::Remark;
        }
        match self.referee.as_mut().map(|referee| referee.hear(line)) {
            None => Role::End(1),
            Some(Ruling::Incomplete) => Role::Part,
            Some(Ruling::Reply(reply)) => Role::End(line_count(&reply)),
            Some(Ruling::Unanswered | Ruling::Ended | Ruling::Ignored) => Role::End(0),
        }
    }

    fn comment(&mut self, line: &str) {
        let drawn = self.instance.is_some_and(|case| case.is_drawn(line));
        let text = line.to_owned();
        self.view.last.push(Remark {
            stderr: false,
            drawn,
            text,
        });
    }

    fn remark(&mut self, stderr: bool, text: String) {
        self.view.last.push(Remark {
            stderr,
            drawn: false,
            text,
        });
    }

    /// Another line of the question.
    fn ask(&mut self, ms: Option<f64>, line: &str) {
        let is_first = self.question.is_none();
        let remarks = &mut self.view.last;
        let question = self.question.get_or_insert_with(|| Turn {
            remarks: std::mem::take(remarks),
            ..Turn::default()
        });
        // The turn was made when its last line came.
        question.ms = ms;
        join_line(&mut question.guess, line, is_first);
    }

    fn end_question(&mut self, reply_lines: usize) {
        self.view.turns.extend(self.question.take());
        self.due.push(reply_lines);
    }

    /// Another line of a reply. A contestant may be some turns ahead.
    fn reply(&mut self, line: &str) {
        while self.due.get(self.answered) == Some(&0) {
            self.answered += 1;
        }
        let Some(due) = self.due.get_mut(self.answered) else {
            return;
        };
        *due -= 1;
        let reply = &mut self.view.turns[self.answered].reply;
        let is_first = reply.is_none();
        join_line(reply.get_or_insert_default(), line, is_first);
    }

    fn finish(mut self) -> SessionView {
        if self.question.is_some() {
            self.end_question(0);
        }
        self.view
    }
}

fn join_line(text: &mut String, line: &str, is_first: bool) {
    if !is_first {
        text.push('\n');
    }
    text.push_str(line);
}

fn line_count(text: &str) -> usize {
    text.split('\n').count()
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
        let view = SessionView::new(None, &read(text).unwrap());
        let json = serde_json::to_string(&view).unwrap();
        insta::assert_snapshot!(json, @r##"{"opening":"hitblow 3 10","turns":[{"guess":"0 1 2","reply":"0 1","ms":0.4,"remarks":[{"stderr":true,"text":"thinking"},{"text":"# 720 left"}]},{"guess":"7 7 7","reply":"-1","ms":0.6}],"last":[{"stderr":true,"text":"oh"}]}"##);
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
            let view = SessionView::new(None, &[entry]);
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
        let view = SessionView::new(None, &read(text).unwrap());
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
