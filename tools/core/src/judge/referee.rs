//! The judge's side of one session, line by line: no process, no pipe, no clock.
//!
//! [`crate::judge::judge`] runs it against a child process, `tester judge` against its own standard input, and
//! [`crate::judge::replay`] against what was kept of a session.

use super::reasons as say;
use crate::problem::{Instance, Question, Score, Session, TurnError};
use crate::util::quote::quote;

/// A line that broke the protocol, and when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The turn that it was meant for, counted from 1.
    pub turn: u64,
    /// What was expected and what was found.
    pub error: TurnError,
}

/// What follows from one line of the contestant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// A blank line or a comment: it gets no reply.
    Ignored,
    /// A line of a question that is not complete.
    Incomplete,
    /// A turn that needs no reply.
    Unanswered,
    /// A turn: this is the reply, one line or several, without the last newline.
    Reply(String),
    /// The session is over: there are no more replies.
    Ended,
}

/// What is known of a session by the rules of the game alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// The first line that broke the protocol.
    pub violation: Option<Violation>,
    /// Whether the game is over by its rules: the aim was reached, or a graded answer was given.
    pub solved: bool,
    /// Turns that were played, the last one included.
    pub turns: u64,
    /// What the game is worth; it counts only if the session is solved, or if the contestant may exit here.
    pub score: Score,
    /// Whether the contestant may end the game by exiting.
    pub may_exit: bool,
    /// Lines of a question that is not complete.
    pub incomplete_lines: usize,
    /// Whether the last question was one that gets no reply.
    pub unanswered: bool,
    /// Whether the last line was blank, and so was ignored.
    pub blank: bool,
    /// Whether no line came, not even a blank one or a comment.
    pub silent: bool,
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The contestant is to make a guess.
    Playing,
    /// The aim was reached; the contestant is to exit.
    Solved,
    /// A line broke the protocol; the session is lost.
    Violated,
}

/// What the contestant reads after a line that breaks the protocol.
const REFUSAL: &str = "-1";

/// Whether a line is a comment of the contestant, which gets no reply.
pub(crate) fn is_comment(instance: &dyn Instance, line: &[u8]) -> bool {
    begins_with_hash(line) && instance.ignores_comments()
}

pub(super) fn begins_with_hash(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

/// One session with its turn limit.
pub struct Referee {
    session: Box<dyn Session>,
    ignores_comments: bool,
    turn_limit: u64,
    turns: u64,
    solved: bool,
    violation: Option<Violation>,
    /// The question that is not complete: its lines, with newlines between them, and their number.
    pending: (Vec<u8>, usize),
    unanswered: bool,
    blank: bool,
    silent: bool,
}

impl Referee {
    /// A session of `instance` in which `turn_limit` turns are answered.
    pub fn new(instance: &dyn Instance, turn_limit: u64) -> Self {
        Self {
            session: instance.start(),
            ignores_comments: instance.ignores_comments(),
            turn_limit,
            turns: 0,
            solved: false,
            violation: None,
            pending: (Vec::new(), 0),
            unanswered: false,
            blank: false,
            silent: true,
        }
    }

    /// Rules on a line; `line` has no newline.
    pub fn hear(&mut self, line: &[u8]) -> Ruling {
        let line = line.trim_ascii();
        self.silent = false;
        self.blank = line.is_empty();
        if self.blank || (self.ignores_comments && begins_with_hash(line)) {
            return Ruling::Ignored;
        }
        match self.stage() {
            Stage::Playing => self.play(line),
            Stage::Solved => {
                self.refuse(say::AFTER_THE_END.fill(&[&quote(line)]));
                Ruling::Ended
            }
            Stage::Violated => Ruling::Ended,
        }
    }

    fn play(&mut self, line: &[u8]) -> Ruling {
        if self.turns == self.turn_limit {
            return self.refuse(say::PAST_TURN_LIMIT.fill(&[&quote(line), &self.turns]));
        }
        let (mut text, mut lines) = std::mem::take(&mut self.pending);
        lines += 1;
        if lines == 1 {
            // Nearly all questions are one line, which need not be copied.
            if !self.session.is_incomplete(&Question::from_line(line)) {
                return self.turn(line);
            }
        } else {
            text.push(b'\n');
        }
        text.extend_from_slice(line);
        if lines > 1
            && !self
                .session
                .is_incomplete(&Question::from_lines(&text, lines))
        {
            return self.turn(&text);
        }
        self.pending = (text, lines);
        Ruling::Incomplete
    }

    fn turn(&mut self, question: &[u8]) -> Ruling {
        match self.session.turn(question) {
            Ok(reply) => {
                self.turns += 1;
                self.solved = reply.done;
                self.unanswered = reply.text.is_none();
                reply.text.map_or(Ruling::Unanswered, Ruling::Reply)
            }
            Err(error) => self.violated(error),
        }
    }

    fn refuse(&mut self, why: String) -> Ruling {
        self.violated(TurnError::Protocol(why))
    }

    fn violated(&mut self, error: TurnError) -> Ruling {
        let error = match error {
            TurnError::Format(why) if !self.ignores_comments => {
                TurnError::Protocol(say::DEBUG_ALONE.fill(&[&why]))
            }
            error => error,
        };
        self.violation = Some(Violation {
            turn: self.turns + 1,
            error,
        });
        Ruling::Reply(REFUSAL.to_owned())
    }

    /// Where the session stands.
    pub fn stage(&self) -> Stage {
        match (&self.violation, self.solved) {
            (Some(_), _) => Stage::Violated,
            (None, true) => Stage::Solved,
            (None, false) => Stage::Playing,
        }
    }

    /// How many turns were answered, the winning one included.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The session's score; it counts only where the verdict is AC.
    pub fn score(&self) -> Score {
        self.session.score()
    }

    /// What is known of the session now.
    pub fn facts(&self) -> SessionFacts {
        SessionFacts {
            violation: self.violation.clone(),
            solved: self.solved,
            turns: self.turns,
            score: self.score(),
            may_exit: self.session.may_exit() && self.pending.1 == 0,
            incomplete_lines: self.pending.1,
            unanswered: self.unanswered,
            blank: self.blank,
            silent: self.silent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Reply, parse_case};

    fn referee(turn_limit: u64) -> Referee {
        let instance = parse_case("hitblow 3 10\n8 2 5\n").unwrap();
        Referee::new(instance.as_ref(), turn_limit)
    }

    fn reply(text: &str) -> Ruling {
        Ruling::Reply(text.to_owned())
    }

    #[test]
    fn comments_and_blank_lines_are_ignored_and_not_counted() {
        let mut referee = referee(1000);
        for line in ["", "  \t\r", "# 0 1 2", "  # thinking"] {
            assert_eq!(referee.hear(line.as_bytes()), Ruling::Ignored);
        }
        assert_eq!(referee.hear(b"0 1 2\r"), reply("0 1"));
        assert_eq!(referee.hear(b"8 2 5"), reply("3 0"));
        let facts = referee.facts();
        assert_eq!(
            (referee.stage(), facts.turns, facts.score),
            (Stage::Solved, 2, 2.into())
        );
        assert_eq!(referee.hear(b"# bye"), Ruling::Ignored);
        assert_eq!(referee.stage(), Stage::Solved);
    }

    /// A contest that refuses comments; any other line is a turn.
    struct WithoutComments;

    impl Instance for WithoutComments {
        fn to_text(&self) -> String {
            "strict\n".to_owned()
        }

        fn opening(&self) -> String {
            "strict".to_owned()
        }

        fn start(&self) -> Box<dyn Session> {
            Box::new(Self)
        }

        fn ignores_comments(&self) -> bool {
            false
        }
    }

    impl Session for WithoutComments {
        fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
            match question.starts_with(b"#") {
                true => Err(TurnError::Format("no question".to_owned())),
                false => Ok(Reply::new("1")),
            }
        }

        fn score(&self) -> Score {
            0.into()
        }
    }

    #[test]
    fn comments_are_lines_like_any_other_where_the_contest_refuses_them() {
        let mut referee = Referee::new(&WithoutComments, 1000);
        assert_eq!(referee.hear(b"  "), Ruling::Ignored);
        assert_eq!(referee.hear(b"? 1"), reply("1"));
        assert_eq!(referee.hear(b" # debug"), reply("-1"));
        let error = referee.facts().violation.unwrap().error;
        insta::assert_snapshot!(error, @"no question; if it is debug output, print it to stderr");
    }

    #[test]
    fn guess_after_the_right_answer_is_a_violation_and_gets_no_reply() {
        let mut referee = referee(1000);
        referee.hear(b"8 2 5");
        assert_eq!(referee.hear(b"8 2 5"), Ruling::Ended);
        assert_eq!(referee.stage(), Stage::Violated);
        insta::assert_snapshot!(referee.facts().violation.unwrap().error, @r#""8 2 5" was printed after the game was over: exit as soon as it is over"#);
    }

    #[test]
    fn right_answer_on_the_last_turn_counts_and_the_next_guess_is_refused() {
        let mut last = referee(2);
        last.hear(b"0 1 2");
        assert_eq!(last.hear(b"8 2 5"), reply("3 0"));
        let mut past = referee(2);
        past.hear(b"0 1 2");
        past.hear(b"0 1 2");
        assert_eq!(past.hear(b"8 2 5"), reply("-1"));
        assert_eq!(past.hear(b"8 2 5"), Ruling::Ended);
        let violation = past.facts().violation.unwrap();
        assert_eq!(violation.turn, 3);
        insta::assert_snapshot!(violation.error, @r#""8 2 5" is past the limit of 2 turns"#);
    }
}
