//! `tester play`: a person plays a case in the terminal.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::{Seed, read_case_file};
use tester_core::judge::record::Verdict;
use tester_core::judge::verdict::Limits;
use tester_core::judge::{JudgeError, judge};
use tester_core::problem::rng::CaseRng;
use tester_core::problem::{
    Instance, Objective, Problem, Question, Score, Session, Spec, TurnError, problem_of, usage_form,
};
use tester_core::process::{Command, LineError};
use tester_core::report::text::wrap;
use tester_core::util::plain::plain;
use tester_core::util::quote::causes;

use crate::args::Play;
use crate::cmd::instance_of_seed::instance_of_seed;

/// A hint checks all secrets; with more secrets than this there are no hints.
const MOST_LISTED: usize = 1_000_000;

pub(crate) fn run(args: &Play) -> Result<ExitCode> {
    let (instance, seed) = match &args.file {
        Some(path) => (read_case_file(path)?, None),
        None => {
            let any = || RandomState::new().hash_one(0) % 1_000_000;
            let seed = args.seed.unwrap_or_else(any);
            (instance_of_seed(&args.problem, seed)?, Some(seed))
        }
    };
    let mut table = Table {
        instance: instance.as_ref(),
        history: Vec::new(),
        hints: hints(seed.unwrap_or(0)),
    };
    let solver = args.solver()?;
    let mut output = io::stdout().lock();
    let mut play = || {
        if let Some(seed) = seed {
            writeln!(
                output,
                "seed {seed}: the same game again with --seed {seed}"
            )?;
        }
        let end = table.play(&mut io::stdin().lock(), &mut output)?;
        if end != End::Closed {
            writeln!(output, "{}", compare(instance.as_ref(), &solver))?;
        }
        Ok(end)
    };
    match play() {
        Ok(end) => Ok(ExitCode::from(u8::from(end != End::Found))),
        // A reader that closes the pipe early ends the game.
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::FAILURE),
        Err(error) => Err(error),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref().map(io::Error::kind);
    error == Some(io::ErrorKind::BrokenPipe)
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Found,
    GivenUp,
    /// With a wrong answer, if the problem allows only one.
    Lost,
    /// The input ended.
    Closed,
}

struct Table<'a> {
    instance: &'a dyn Instance,
    /// Questions, as a contestant prints them, and replies.
    history: Vec<(String, Option<String>)>,
    hints: CaseRng,
}

impl Table<'_> {
    fn play(&mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<End> {
        self.open(output)?;
        let mut session = self.instance.start();
        // The lines of a question that is not complete.
        let mut lines: Vec<String> = Vec::new();
        loop {
            match lines.is_empty() {
                true => write!(output, "{}> ", self.history.len() + 1)?,
                false => write!(output, "...> ")?,
            }
            output.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(output)?;
                return Ok(End::Closed);
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.join(" ").to_ascii_lowercase().as_str() {
                "" => {}
                "help" => writeln!(output, "{}", self.choices())?,
                "hint" => writeln!(output, "{}", self.hint())?,
                "give up" | "giveup" | "quit" => {
                    if let Some(answer) = self.instance.answer() {
                        writeln!(output, "it was {answer}")?;
                    }
                    return Ok(End::GivenUp);
                }
                _ => {
                    lines.push(self.instance.typed(line.trim()));
                    let text = lines.join("\n");
                    if session.is_incomplete(&Question::from_lines(text.as_bytes(), lines.len())) {
                        continue;
                    }
                    lines.clear();
                    if let Some(end) = self.turn(session.as_mut(), text, output)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Says what the game is, and what can be typed.
    fn open(&self, output: &mut dyn Write) -> Result<()> {
        let problem = problem_of(self.instance);
        let opening = self.instance.opening();
        let about = problem.map_or("", Problem::about);
        let about = match opening.contains('\n') {
            // Several lines are left as they are.
            true => format!("{opening}\n{}", wrap(about)),
            false => {
                let form = problem.and_then(|problem| usage_form(problem.usage(), &opening));
                let form = form.map_or_else(String::new, |form| format!(" ({form})"));
                wrap(&format!("{opening}{form}: {about}"))
            }
        };
        writeln!(output, "{about}\n{}", self.choices())?;
        Ok(())
    }

    /// What can be typed.
    fn choices(&self) -> &'static str {
        match self.instance.is_noisy() {
            true => "type a guess or give up",
            false => "type a guess, hint, or give up",
        }
    }

    /// Takes a question and shows the reply. Returns how the game ended, if it did.
    fn turn(
        &mut self,
        session: &mut dyn Session,
        question: String,
        output: &mut dyn Write,
    ) -> Result<Option<End>> {
        let reply = match session.turn(question.as_bytes()) {
            // A person may try again; it is not counted.
            Err(TurnError::Protocol(why) | TurnError::Format(why)) => {
                writeln!(output, "{why}")?;
                // Without a digit it is no guess, but a word such as undo.
                if !question.contains(|c: char| c.is_ascii_digit()) {
                    writeln!(output, "{}", self.choices())?;
                }
                return Ok(None);
            }
            Err(TurnError::WrongAnswer(why)) => {
                writeln!(output, "{why}")?;
                return Ok(Some(End::Lost));
            }
            Ok(reply) => reply,
        };
        if let Some(reply) = &reply.text {
            writeln!(output, "{reply}")?;
        }
        self.history.push((question, reply.text));
        if !reply.done {
            return Ok(None);
        }
        let score = counted(self.instance, session.score());
        match self.instance.answer() {
            Some(_) => writeln!(output, "found in {score}")?,
            None => writeln!(output, "the game is over: {score}")?,
        }
        Ok(Some(End::Found))
    }

    /// How many secrets explain all replies, and one of them as an example.
    fn hint(&mut self) -> String {
        if self.instance.is_noisy() {
            return "there is no hint: a reply may be noisy or false, so it excludes no secret"
                .to_owned();
        }
        let spec = self.instance.spec();
        let all = Spec::parse(&spec).and_then(|spec| spec.enumerate());
        let Ok(all) = all else {
            return "there is no hint for this problem".to_owned();
        };
        let mut listed = 0;
        let possible: Vec<Box<dyn Instance>> = all
            .take(MOST_LISTED + 1)
            .inspect(|_| listed += 1)
            .filter(|other| self.explains(other.as_ref()))
            .collect();
        if listed > MOST_LISTED {
            return "there are too many secrets for a hint".to_owned();
        }
        if possible.is_empty() {
            return "there is no hint: no secret explains these replies".to_owned();
        }
        let example = &possible[self.hints.below(possible.len() as u64) as usize];
        let example = example.answer().unwrap_or_default();
        match possible.len() {
            1 => format!("only {example} is possible"),
            n => format!("{n} secrets are possible, for example {example}"),
        }
    }

    fn explains(&self, other: &dyn Instance) -> bool {
        let mut session = other.start();
        self.history.iter().all(|(question, reply)| {
            session
                .turn(question.as_bytes())
                .is_ok_and(|answer| answer.text == *reply)
        })
    }
}

/// A line as it was typed, in ASCII where an input method was on; `None` at the end of the input.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>> {
    let mut line = Vec::new();
    let read = input.read_until(b'\n', &mut line);
    let read = read.context("failed to read a guess")?;
    Ok((read > 0).then(|| plain(&String::from_utf8_lossy(&line))))
}

/// The random numbers for hints. Their stream differs from the stream of the case; with the same stream, the
/// first example would be the secret.
fn hints(seed: u64) -> CaseRng {
    CaseRng::new(Seed(!seed.rotate_left(32)))
}

/// `5 turns`, or another unit that the problem's score counts.
fn counted(instance: &dyn Instance, score: Score) -> String {
    let unit = problem_of(instance).map_or("turn", Problem::unit);
    let s = if score == Score::from(1) { "" } else { "s" };
    format!("{score} {unit}{s}")
}

/// Judges the solver on the same case, and describes its result.
fn compare(instance: &dyn Instance, solver: &Result<Command, LineError>) -> String {
    let command = match solver {
        Ok(command) => command,
        Err(why) => return format!("nothing to compare with: {why}"),
    };
    let limits = Limits::from_problem(problem_of(instance));
    let checked = command.check_script().map_err(JudgeError::from);
    match checked.and_then(|()| judge(instance, command, &limits, None, &mut ())) {
        Ok(record) if record.verdict == Verdict::Ac => {
            let more_is_better =
                problem_of(instance).is_some_and(|problem| problem.objective() == Objective::Max);
            let verb = if more_is_better {
                "scores"
            } else {
                "finds it in"
            };
            format!("{command} {verb} {}", counted(instance, record.score))
        }
        Ok(record) => {
            let line = record.last_stderr_line.as_ref();
            let line = line.map_or(String::new(), |line| {
                format!("; its stderr ended with {line}")
            });
            format!("{command} does not find it: {}{line}", record.headline())
        }
        Err(fault) => {
            let hint = match &fault {
                JudgeError::Start(error) => error.hint(),
                _ => None,
            };
            let hint = hint.map_or(String::new(), |hint| format!("\nhint: {hint}"));
            format!("nothing to compare with: {}{hint}", causes(&fault))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(case: &str, input: &str) -> (End, String) {
        let instance = tester_core::problem::parse_case(case).unwrap();
        let mut table = Table {
            instance: instance.as_ref(),
            history: Vec::new(),
            hints: hints(1),
        };
        let mut output = Vec::new();
        let end = table.play(&mut input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        (end, text.split_once(" give up\n").unwrap().1.to_owned())
    }

    #[test]
    fn game_of_a_person_in_article_002() {
        let guesses = "123\n4 5 6\n789\n369\n258\n126\nhint\n77 7\n726\n672\n";
        let (end, text) = game("hitblow 3 10\n6 7 2\n", guesses);
        assert_eq!(end, End::Found);
        insta::assert_snapshot!(text, @r#"
        1> 0 1
        2> 0 1
        3> 0 1
        4> 0 1
        5> 0 1
        6> 0 2
        7> only 6 7 2 is possible
        7> 77 is out of range 0 to 9 in "77 7"
        7> 0 3
        8> 3 0
        found in 8 turns
        "#);
    }

    #[test]
    fn hint_counts_what_is_possible() {
        // Article 000: 19 candidates after 012 0H1B, 134 0H2B.
        let (_, text) = game("hitblow 3 10\n2 4 3\n", "hint\n012\n134\nhint\n");
        assert!(text.contains("720 secrets are possible"), "{text}");
        assert!(
            text.contains("0 1\n2> 0 2\n3> 19 secrets are possible"),
            "{text}"
        );
    }

    #[test]
    fn giving_up_tells_the_secret_and_leaving_does_not() {
        let (end, text) = game("mastermind 4 6\n5 0 0 1\n", "0011\ngive up\n");
        assert_eq!(
            (end, text.ends_with("it was 5 0 0 1\n")),
            (End::GivenUp, true)
        );
        let (end, text) = game("hitblow 2 64\n63 1\n", "5\n");
        assert_eq!(end, End::Closed);
        assert!(!text.contains("63"), "{text}");
    }

    #[test]
    fn a_wrong_answer_ends_a_game_in_which_only_one_may_be_given() {
        let (end, text) = game("balance 12 odd\n3 +\n", "? 9\n? 1 3 4\nhint\n! 4 -\n");
        assert_eq!(end, End::Lost);
        insta::assert_snapshot!(text, @r#"
        1> how many stones are on each side: 9 is out of range 1 to 6 in "? 9"
        1> >
        2> 2 secrets are possible, for example ! 4 -
        2> "! 4 -" is wrong, 3 + would have been right
        "#);
        let (end, text) = game("balance 12 odd\n3 +\n", "? 1 3 4\n! 3 +\n");
        assert_eq!(end, End::Found);
        assert!(text.ends_with("found in 1 weighing\n"), "{text}");
    }

    #[test]
    fn a_hint_does_not_give_the_secret_away() {
        let spec = Spec::parse("balance 12 odd").unwrap();
        let given_away = (0..240).filter(|&seed| {
            let instance = spec.generate(Seed(seed)).unwrap();
            let mut table = Table {
                instance: instance.as_ref(),
                history: Vec::new(),
                hints: hints(seed),
            };
            table.hint().ends_with(&instance.answer().unwrap())
        });
        // One in 24 by chance: 10, with a standard deviation of 3.
        assert!(given_away.count() < 25);
    }

    #[test]
    fn a_game_can_be_typed_with_an_input_method_for_japanese() {
        let (end, text) = game(
            "balance 12 odd\n3 -\n",
            "？　１　３　４\nＨｉｎｔ\n！　３　ー\n",
        );
        assert_eq!(end, End::Found, "{text}");
        let (end, text) = game("hitblow 3 12\n6 7 11\n", "６、７、１１\n");
        assert_eq!(end, End::Found, "{text}");
        let (end, _) = game("hitblow 3 10\n6 7 2\n", "６７１\nGive　 up\n");
        assert_eq!(end, End::GivenUp);
    }

    #[test]
    fn a_word_that_is_no_guess_is_answered_by_what_can_be_typed() {
        let (_, text) = game("hitblow 3 10\n6 7 2\n", "help\nundo\n66\n");
        insta::assert_snapshot!(text, @r#"
        1> type a guess, hint, or give up
        1> "undo" is not an integer in "undo"
        type a guess, hint, or give up
        1> expected 3 integers, found 2 in "6 6"
        1>
        "#);
    }

    #[test]
    fn noisy_replies_rule_nothing_out() {
        let (end, text) = game("distance 3 10 10\n3 4 5\n-22 0\n", "123\nhint\n345\n");
        assert_eq!(end, End::Found);
        insta::assert_snapshot!(text, @"
        1> 0 200
        2> there is no hint: a reply may be noisy or false, so it excludes no secret
        2> 1 0
        found in 2 turns
        ");
    }
}
