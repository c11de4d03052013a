//! A problem with everything that Hit & Blow does not have: an opening of several lines that the seed decides, questions
//! of several lines, replies of none and of several lines, an answer that is graded, and an end by exiting.

use std::time::Duration;

use tester::judge::judge;
use tester::judge::record::{Record, Verdict};
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::judge::replay::{replay, replay_stdout};
use tester::judge::session::SessionView;
use tester::judge::transcript::{self, Speaker, Transcript};
use tester::judge::verdict::Limits;
use tester::problem::{Instance, Question, Reply, Score, Session, TurnError};
use tester::process::{Command, shell_word};

/// Weights of boxes. `sum K` and K lines, each a box: the reply is each box's weight, and on a line of its own their
/// sum. `label TEXT` has no reply. `take K` and K lines ends the game: the score is the weight that is left.
struct Boxes(Vec<u64>);

impl Instance for Boxes {
    fn to_text(&self) -> String {
        format!("{}\n{:?}\n", self.opening(), self.0)
    }

    fn opening(&self) -> String {
        format!("boxes\n{}", self.0.len())
    }

    fn spec(&self) -> String {
        "boxes".to_owned()
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Weighing {
            weights: self.0.clone(),
            labels: 0,
            left: self.0.iter().sum(),
        })
    }
}

struct Weighing {
    weights: Vec<u64>,
    labels: u64,
    left: u64,
}

/// `sum 3` as its word and number.
fn head(line: &[u8]) -> Option<(&str, usize)> {
    let (word, count) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    Some((word, count.parse().ok()?))
}

impl Session for Weighing {
    fn is_incomplete(&self, question: &Question<'_>) -> bool {
        let lines = match head(question.first()) {
            Some(("sum" | "take", count)) if count <= self.weights.len() => 1 + count,
            _ => 1,
        };
        question.lines() < lines
    }

    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        let refused = |what: &str| TurnError::Protocol(what.to_owned());
        let text = String::from_utf8_lossy(question);
        let mut lines = text.split('\n');
        let first = lines.next().unwrap();
        if first.starts_with("label ") {
            self.labels += 1;
            return Ok(Reply::none());
        }
        let (word, count) = head(first.as_bytes()).ok_or_else(|| refused("no question"))?;
        let weight = |line: &str| {
            let index: usize = line.parse().ok()?;
            self.weights.get(index).copied()
        };
        let found: Option<Vec<u64>> = lines.map(weight).collect();
        let found = found.filter(|found| found.len() == count);
        let found = found.ok_or_else(|| refused("no such boxes"))?;
        let sum: u64 = found.iter().sum();
        match word {
            "sum" => {
                let weights: Vec<String> = found.iter().map(u64::to_string).collect();
                Ok(Reply::new(format!("{}\n{sum}", weights.join(" "))))
            }
            "take" => {
                self.left -= sum;
                Ok(Reply::none().ending(true))
            }
            _ => Err(refused("no such word")),
        }
    }

    fn score(&self) -> Score {
        (self.left + self.labels).into()
    }

    fn may_exit(&self) -> bool {
        self.labels > 0
    }
}

const BOXES: [u64; 4] = [5, 1, 7, 3];

fn shell(script: &str) -> Command {
    let script = script.replace('\n', ";");
    let script = shell_word(script.as_ref());
    Command::from_line(&format!("sh -c {script}")).unwrap()
}

fn record(script: &str) -> Record {
    let command = shell(script);
    let limits = Limits {
        time: Duration::from_secs(20),
        ..Limits::default()
    };
    judge(&Boxes(BOXES.to_vec()), &command, &limits, None, &mut ()).unwrap()
}

#[test]
fn several_lines_each_way_and_a_graded_answer_are_judged() {
    let played = record(
        "read name; read n; [ \"$name $n\" = 'boxes 4' ] || exit 3
         echo '# a comment'; echo 'sum 2'; echo 0; echo '# in between'; echo; echo 2
         read weights; read sum; [ \"$weights=$sum\" = '5 7=12' ] || exit 4
         echo 'label heavy'; printf 'sum 0\\n'; read none; read zero; [ \"$none$zero\" = 0 ] || exit 5
         echo 'take 2'; echo 0; echo 2",
    );
    let said = (played.verdict, played.score, played.turns, &played.reason);
    assert_eq!(said, (Verdict::Ac, 5.into(), 4, &None));
    assert_eq!(played.opening, "boxes");
}

#[test]
fn a_game_that_may_end_by_exiting_has_a_score_and_another_has_not() {
    let left = record("echo 'label a'; cat >/dev/null & exit 0");
    assert_eq!(
        (left.verdict, left.score, left.turns),
        (Verdict::Ac, 17.into(), 1)
    );
    let at_once = record("exit 0");
    assert_eq!((at_once.verdict, at_once.score), (Verdict::Wa, 0.into()));
    // Half a question is never an end.
    let half = record("echo 'label a'; echo 'sum 3'; echo 1; exit 0");
    assert_eq!(half.verdict, Verdict::Wa);
    insta::assert_snapshot!(half.reason.unwrap(), @"turn 2: expected the rest of a question, found the end of the output after 2 of its lines");
}

#[test]
fn half_a_question_that_waits_is_told_as_such() {
    let command = shell("read name; read n; echo 'sum 3'; echo 1; exec sleep 30");
    let limits = Limits {
        time: Duration::from_millis(300),
        ..Limits::default()
    };
    let hung = judge(&Boxes(BOXES.to_vec()), &command, &limits, None, &mut ()).unwrap();
    assert_eq!(hung.verdict, Verdict::Tle);
    let reason = hung.reason.unwrap();
    let expected = "the judge waited for the rest of a question, of which it had 2 lines.";
    assert!(reason.contains(expected), "{reason}");
}

#[test]
fn a_line_that_is_wrong_already_is_refused_before_the_rest_comes() {
    let mut referee = Referee::new(&Boxes(BOXES.to_vec()), 9);
    assert_eq!(referee.hear(b"sum 2"), Ruling::Incomplete);
    assert_eq!(referee.hear(b"0"), Ruling::Incomplete);
    assert_eq!(referee.hear(b"1"), Ruling::Reply("5 1\n6".to_owned()));
    assert_eq!(referee.hear(b"label x"), Ruling::Unanswered);
    // Five boxes do not exist, so that there is no wait for five lines.
    assert_eq!(referee.hear(b"sum 5"), Ruling::Reply("-1".to_owned()));
    assert_eq!(referee.stage(), Stage::Violated);
    assert_eq!(referee.hear(b"0"), Ruling::Ended);
}

#[test]
fn views_group_lines_as_the_rules_do() {
    let boxes = Boxes(BOXES.to_vec());
    let text = "[ 0.1] < # one\n[ 0.1] < sum 2\n[ 0.1] < 0\n[ 0.1] < # two\n[ 0.2] < 2\n[ 0.2] < label x\n\
        [ 0.3] > boxes\n[ 0.3] > 4\n[ 0.3] > 5 7\n[ 0.3] < sum 1\n[ 0.3] < 3\n[ 0.3] > 12\n[ 0.3] > 3\n[ 0.3] > 3\n\
        [ 0.4] < take 1\n";
    let entries = transcript::read(text).unwrap();
    let view = SessionView::new(Some(&boxes), &entries);
    assert_eq!(view.opening, "boxes\n4");
    insta::assert_snapshot!(view.text(), @"
    1  sum 2 / 0 / 2  5 7 / 12
    2  label x  -
    3  sum 1 / 3  3 / 3
    4  take 1  -
    ");
    let comments: Vec<&str> = view.turns[0]
        .remarks
        .iter()
        .map(|r| r.text.as_str())
        .collect();
    assert_eq!((comments, view.turns[0].ms), (vec!["# one"], Some(0.2)));
}

#[test]
fn replays_of_transcript_and_of_stdout_agree_with_the_game() {
    let boxes = Boxes(BOXES.to_vec());
    let stdout: &[u8] = b"sum 2\n0\n2\n# hm\nlabel x\nsum 1\n3\ntake 1\n2\n";
    let (entries, facts) = replay_stdout(&boxes, 9, u64::MAX, stdout);
    assert_eq!(
        (facts.solved, facts.turns, facts.score),
        (true, 4, 10.into())
    );
    let mut written = Transcript::new(Vec::new());
    for entry in &entries {
        let at = Duration::ZERO;
        written
            .line(at, entry.speaker, entry.text.as_bytes())
            .unwrap();
    }
    let text = String::from_utf8(written.finish(Duration::ZERO, "AC, score 10").unwrap()).unwrap();
    let again = replay(&boxes, 9, &transcript::read(&text).unwrap()).unwrap();
    assert_eq!(again, facts);
    let judge_lines = entries.iter().filter(|e| e.speaker == Speaker::Judge);
    let judge_lines: Vec<&str> = judge_lines.map(|e| e.text.as_str()).collect();
    assert_eq!(judge_lines, ["boxes", "4", "5 7", "12", "3", "3"]);
    // Output that the judge had not answered when the time was up stands there without its replies.
    let (entries, facts) = replay_stdout(&boxes, 9, 2, stdout);
    assert_eq!((facts.solved, facts.turns), (false, 2));
    assert_eq!(entries.last().unwrap().text, "3");
}
