//! A session replayed from its transcript or its stdout: the same rules hear the same lines.

use std::collections::VecDeque;

use super::reasons;
use super::record::Verdict;
use super::referee::{Referee, Ruling, SessionFacts, Stage, is_comment};
use super::transcript::{Entry, Speaker};
use crate::problem::Instance;

/// Why a transcript is not one of this case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: expected the judge to say {expected:?}, found {found:?}; is it another case's?"
)]
pub struct OtherCase {
    /// Counted from 1.
    pub line: usize,
    /// What the judge says on this case.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Replays the contestant's lines and compares the judge's replies with those of the transcript.
///
/// # Errors
/// If a reply differs from the transcript.
pub fn replay(
    instance: &dyn Instance,
    turn_limit: u64,
    transcript: &[Entry],
) -> Result<SessionFacts, OtherCase> {
    let mut referee = Referee::new(instance, turn_limit);
    let mut due: VecDeque<String> = lines(&instance.opening()).collect();
    for (entry, line) in transcript.iter().zip(1..) {
        match entry.speaker {
            Speaker::Contestant => {
                if let Ruling::Reply(reply) = referee.hear(entry.text.as_bytes()) {
                    due.extend(lines(&reply));
                }
            }
            Speaker::Judge => {
                let expected = due.pop_front().unwrap_or_default();
                if expected != entry.text {
                    return Err(OtherCase {
                        line,
                        expected,
                        found: entry.text.clone(),
                    });
                }
            }
            Speaker::Stderr | Speaker::Verdict | Speaker::Cut => {}
        }
    }
    Ok(referee.facts())
}

/// The lines of an opening or a reply.
fn lines(text: &str) -> impl Iterator<Item = String> {
    text.split('\n').map(str::to_owned)
}

/// The verdict that a transcript ends with, and its reason; `None` if the rules alone decide. Of a transcript that is
/// cut before the session was over, nothing more is known.
pub fn recorded_verdict(transcript: &[Entry], session: &SessionFacts) -> Option<(Verdict, String)> {
    let last = transcript.last();
    let verdict = last.filter(|entry| entry.speaker == Speaker::Verdict);
    let recorded = verdict.and_then(|entry| {
        let (verdict, reason) = entry.text.split_once(": ")?;
        Some((verdict.parse().ok()?, reason.to_owned()))
    });
    let is_cut = || transcript.iter().any(|e| e.speaker == Speaker::Cut);
    let is_over = session.solved || session.may_exit || session.violation.is_some();
    let unknown = || (Verdict::Ie, reasons::CUT_TRANSCRIPT.fill(&[]));
    recorded.or_else(|| (!is_over && is_cut()).then(unknown))
}

/// What both sides said, from what the contestant wrote on stdout. The judge's lines are made once more, as far as
/// `turns` turns; no times are known.
pub fn replay_stdout(
    instance: &dyn Instance,
    turn_limit: u64,
    turns: u64,
    stdout: &[u8],
) -> (Vec<Entry>, SessionFacts) {
    let mut referee = Referee::new(instance, turn_limit);
    let said = |speaker, text: &[u8]| Entry {
        ms: None,
        speaker,
        text: String::from_utf8_lossy(text).into_owned(),
    };
    let judge = |entries: &mut Vec<Entry>, text: &str| {
        entries.extend(lines(text).map(|line| said(Speaker::Judge, line.as_bytes())));
    };
    let mut entries = Vec::new();
    judge(&mut entries, &instance.opening());
    for line in stdout.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            continue;
        }
        entries.push(said(Speaker::Contestant, line));
        let is_last = referee.turns() == turns && !is_comment(instance, line);
        let before = referee.facts();
        let ruling = referee.hear(line);
        if !matches!(ruling, Ruling::Reply(_) | Ruling::Unanswered) {
            continue;
        }
        let refused = referee.stage() == Stage::Violated;
        if is_last && !refused {
            // It would have been answered, but the judge has not read it: the verdict says why.
            return (entries, before);
        }
        if let Ruling::Reply(reply) = ruling {
            judge(&mut entries, &reply);
        }
    }
    (entries, referee.facts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::transcript::{Transcript, read};
    use crate::problem::parse_case;
    use proptest::prelude::*;
    use std::time::Duration;

    /// Lines that mean something, and lines that do not.
    fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let guess = "[0-9] [0-9] [0-9]".prop_map(String::into_bytes);
        let comment = "#[ -~]{0,9}".prop_map(String::into_bytes);
        let rubbish = proptest::collection::vec(any::<u8>(), 0..12);
        let line =
            prop_oneof![6 => guess, 1 => comment, 1 => rubbish, 1 => Just(b"8 2 5".to_vec())];
        proptest::collection::vec(line, 0..12)
    }

    proptest! {
        #[test]
        fn a_transcript_that_is_replayed_has_the_same_facts(lines in lines(), limit in 1_u64..6) {
            let instance = parse_case("hitblow 3 10\n8 2 5\n").unwrap();
            let mut referee = Referee::new(instance.as_ref(), limit);
            let mut transcript = Transcript::new(Vec::new());
            let at = Duration::from_millis(1);
            transcript.line(at, Speaker::Judge, instance.opening().as_bytes()).unwrap();
            for line in lines.iter().flat_map(|line| line.split(|&b| b == b'\n')) {
                // As the judge does it.
                if !line.trim_ascii().is_empty() {
                    transcript.line(at, Speaker::Contestant, line).unwrap();
                }
                if let Ruling::Reply(reply) = referee.hear(line) {
                    transcript.line(at, Speaker::Judge, reply.as_bytes()).unwrap();
                }
            }
            let text = String::from_utf8(transcript.finish(at, "AC").unwrap()).unwrap();
            let again = replay(instance.as_ref(), limit, &read(&text).unwrap()).unwrap();
            let heard = referee.facts();
            prop_assert_eq!((again.solved, again.turns, again.score), (heard.solved, heard.turns, heard.score));
            let turn = |facts: &SessionFacts| facts.violation.as_ref().map(|violation| violation.turn);
            prop_assert_eq!(turn(&again), turn(&heard));
        }
    }

    fn texts(entries: &[Entry]) -> Vec<&str> {
        entries.iter().map(|entry| entry.text.as_str()).collect()
    }

    #[test]
    fn stdout_gets_the_replies_that_it_got() {
        let instance = parse_case("hitblow 3 10\n8 2 5\n").unwrap();
        let again = |turns, stdout: &[u8]| replay_stdout(instance.as_ref(), 9, turns, stdout);
        let (entries, came) = again(2, b"# hm\n0 1 2\r\n\n8 2 5\n");
        let said = ["hitblow 3 10", "# hm", "0 1 2", "0 1", "8 2 5", "3 0"];
        assert_eq!(texts(&entries), said);
        assert!(entries.iter().all(|entry| entry.ms.is_none()));
        assert_eq!((came.solved, came.turns, came.score), (true, 2, 2.into()));
        // What was read after the last turn that was answered stands there without an answer.
        let (entries, came) = again(1, b"0 1 2\n3 4 6\n8 2 5\n");
        assert_eq!(texts(&entries), ["hitblow 3 10", "0 1 2", "0 1", "3 4 6"]);
        assert_eq!((came.violation, came.solved, came.turns), (None, false, 1));
        // What was refused was answered all the same.
        let (entries, came) = again(1, b"0 1 2\n7 7 7\n8 2 5\n");
        let said = ["hitblow 3 10", "0 1 2", "0 1", "7 7 7", "-1", "8 2 5"];
        assert_eq!(texts(&entries), said);
        assert_eq!((came.violation.unwrap().turn, came.turns), (2, 1));
    }

    #[test]
    fn a_transcript_of_another_case_is_refused() {
        let instance = parse_case("hitblow 3 10\n8 2 5\n").unwrap();
        let text = "[    0.1] > hitblow 3 10\n[    0.2] < 8 2 5\n[    0.3] > 1 1\n";
        let error = replay(instance.as_ref(), 9, &read(text).unwrap()).unwrap_err();
        insta::assert_snapshot!(error, @r#"line 3: expected the judge to say "3 0", found "1 1"; is it another case's?"#);
        assert_eq!(read("[x] > 1\n").unwrap_err().line, 1);
    }

    #[test]
    fn a_transcript_that_is_cut_before_the_end_has_no_verdict_of_its_own() {
        let entry = |speaker, text: &str| Entry {
            ms: None,
            speaker,
            text: text.to_owned(),
        };
        let playing = SessionFacts {
            violation: None,
            solved: false,
            turns: 3,
            score: 3.into(),
            may_exit: false,
            incomplete_lines: 0,
            unanswered: false,
            blank: false,
            silent: false,
        };
        let guess = || entry(Speaker::Contestant, "0 1 2");
        let cut = || entry(Speaker::Cut, "");
        let verdict = || entry(Speaker::Verdict, "TLE: turn 4: late");
        let recorded = Some((Verdict::Tle, "turn 4: late".to_owned()));
        let unknown = Some((Verdict::Ie, reasons::CUT_TRANSCRIPT.fill(&[])));
        let found = |entries: &[Entry]| recorded_verdict(entries, &playing);
        assert_eq!(found(&[guess(), verdict()]), recorded);
        assert_eq!(found(&[guess(), cut(), verdict()]), recorded);
        assert_eq!(found(&[guess(), cut()]), unknown);
        // What the contestant printed is no verdict, and a verdict is the last line.
        assert_eq!(
            found(&[entry(Speaker::Contestant, "TLE: turn 4: late")]),
            None
        );
        assert_eq!(found(&[verdict(), guess()]), None);
        assert_eq!(found(&[guess()]), None);
        let over = [
            SessionFacts {
                solved: true,
                ..playing.clone()
            },
            SessionFacts {
                may_exit: true,
                ..playing.clone()
            },
            SessionFacts {
                violation: Some(super::super::referee::Violation {
                    turn: 2,
                    error: crate::problem::TurnError::Protocol("x".to_owned()),
                }),
                ..playing.clone()
            },
        ];
        for session in over {
            assert_eq!(recorded_verdict(&[guess(), cut()], &session), None);
        }
    }
}
