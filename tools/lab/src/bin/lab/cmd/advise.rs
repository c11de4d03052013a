//! `lab advise`: you play elsewhere and type the replies; it proposes guesses.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lab::game::Notation;
use lab::game::observations::{self, Observation};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::{CodeId, Feedback, Policy};
use lab::solver::search::{HIT_BONUS, Solver};
use tester::util::count::counted;
use tester::util::plain::plain;

use super::explain;
use crate::cli::{self, AdviseArgs};
use crate::terminal::text;

/// Candidates are listed when there are no more than these.
const LISTED: usize = 12;

/// More than this in a line is not typed by a person.
const MAX_LINE: u64 = 1 << 16;

pub(crate) fn run(args: &AdviseArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let digits = args.digits.as_deref();
    let notation =
        Notation::with_characters(&codes, digits).context("failed to understand --digits")?;
    // In a prior, digits above 9 are numbers unless --digits is given.
    let prior = cli::read_prior_in(&Notation::new(&codes, digits)?, args.prior.as_ref())?;
    let hit_bonus = args.hit_bonus.unwrap_or(HIT_BONUS);
    if !(hit_bonus.is_finite() && hit_bonus >= 0.0) {
        bail!("expected a finite number of at least 0 for --hit-bonus, found {hit_bonus}");
    }
    let adviser = Adviser {
        notation,
        prior,
        policy: Policy::Mi { hit_bonus },
        observations: Vec::new(),
        screen: text::screen(),
    };
    adviser.talk(&mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

struct Adviser<'a> {
    notation: Notation<'a>,
    prior: Posterior,
    policy: Policy,
    observations: Vec<Observation>,
    /// The columns of a line.
    screen: usize,
}

impl Adviser<'_> {
    fn talk(mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<()> {
        writeln!(output, "{}\n", self.help())?;
        let mut proposed = self.propose(output)?;
        // It is another one where you guess a code of your own.
        let mut guess = proposed;
        loop {
            let turn = self.observations.len() + 1;
            write!(output, "{turn}. {} > ", self.notation.write(guess))?;
            output.flush()?;
            let Some(typed) = read_line(input)? else {
                writeln!(output)?;
                return Ok(());
            };
            match plain(&typed).as_str() {
                "" => {}
                "quit" | "q" => return Ok(()),
                "help" | "?" => writeln!(output, "{}", self.help())?,
                "undo" | "u" if guess != proposed => {
                    let shown = self.notation.write(guess);
                    writeln!(output, "took your own guess {shown} back")?;
                    guess = proposed;
                }
                "undo" | "u" => {
                    match self.observations.pop() {
                        Some(last) => writeln!(output, "took {} back", self.show(&last))?,
                        None => writeln!(output, "there is nothing to take back")?,
                    }
                    proposed = self.propose(output)?;
                    guess = proposed;
                }
                _ => match self.understand(&typed) {
                    Ok(Typed::Guess(own)) => {
                        guess = own;
                        let right = self.probability(own) * 100.0;
                        writeln!(
                            output,
                            "your own guess is right with probability {right:.1} %"
                        )?;
                    }
                    Ok(Typed::Reply(reply)) => {
                        self.observations.push(Observation { guess, reply });
                        if usize::from(reply.hits) == self.notation.codes().game.places {
                            writeln!(output, "found in {}", counted(turn as u64, "turn"))?;
                            return Ok(());
                        }
                        proposed = self.propose(output)?;
                        guess = proposed;
                    }
                    Err(why) => writeln!(output, "{}", text::broken_lines(&why, self.screen))?,
                },
            }
        }
    }

    fn help(&self) -> String {
        let codes = self.notation.codes();
        let is_reply = |word: &String| observations::parse_reply(codes, word).is_ok();
        // A reply is two numbers, so a longer code is none.
        let ambiguous = match codes.game.places {
            2 => (0..codes.len() as CodeId)
                .map(|code| self.notation.write(code))
                .find(is_reply),
            _ => None,
        };
        let guess = ambiguous.map_or(String::new(), |word| {
            format!(
                "  guess CODE        the same, for a code that could be a reply: guess {word}\n"
            )
        });
        format!(
            "Type the reply to the proposed guess, hits then blows, such as: 0 1\n  \
             a code            guesses that code instead, and then asks for its reply\n\
             {guess}  \
             undo              takes the last guess back\n  \
             help, quit"
        )
    }

    /// How probable a code is after all replies.
    fn probability(&self, code: CodeId) -> f64 {
        let codes = self.notation.codes();
        observations::posterior(codes, &self.prior, &self.observations).probability(code)
    }

    /// A reply, or a guess of the person's own. Where a word could be both, as `01` in a game of two
    /// places, it is a reply.
    fn understand(&self, typed: &str) -> Result<Typed, String> {
        let as_typed = self.understand_exactly(typed);
        // Characters for digits may be full-width ones, so that the line as it is comes first.
        as_typed.or_else(|why| self.understand_exactly(&plain(typed)).map_err(|_| why))
    }

    fn understand_exactly(&self, typed: &str) -> Result<Typed, String> {
        if let Some(code) = typed.strip_prefix("guess ") {
            let read = self.notation.read(code).map(Typed::Guess);
            let example = self.notation.write(0);
            return read.ok_or_else(|| {
                format!("expected a code such as {example} after \"guess\", found {code:?}")
            });
        }
        match observations::parse_reply(self.notation.codes(), typed) {
            Ok(reply) => Ok(Typed::Reply(reply)),
            Err(no_reply) => match self.notation.read(typed) {
                Some(code) => Ok(Typed::Guess(code)),
                None => Err(format!(
                    "{no_reply}\nhint: or type a guess of your own, undo, help or quit"
                )),
            },
        }
    }

    /// Says where the game stands and proposes the next guess. Rows that contradict each other are
    /// explained, and the last one is taken back.
    fn propose(&mut self, output: &mut dyn Write) -> Result<CodeId> {
        while let Some(found) =
            observations::contradiction(self.notation.codes(), &self.prior, &self.observations)
        {
            let outside =
                observations::possible_without_prior(self.notation.codes(), &self.observations);
            if outside > 0 {
                writeln!(
                    output,
                    "no code of the prior explains the replies; the prior is dropped"
                )?;
                self.prior = Posterior::uniform(self.notation.codes().len());
                continue;
            }
            let text = explain::contradiction(&found, |i| self.show(&self.observations[i]));
            write!(output, "{}", text::broken_lines(&text, self.screen))?;
            if let Some(observation) = self.observations.pop() {
                writeln!(
                    output,
                    "took {} back; undo takes more back",
                    self.show(&observation)
                )?;
            }
        }
        let mut solver = Solver::new(
            self.notation.codes(),
            self.prior.clone(),
            self.policy,
            Instant::now(),
        );
        for observation in &self.observations {
            solver.learn(observation.guess, observation.reply);
        }
        let guess = solver.guess();
        let posterior = solver.posterior();
        let left = posterior.support().len();
        let right = posterior.probability(guess);
        let bits = posterior.entropy_bits();
        let mut stands = format!("{left} possible, {bits:.2} bits to learn");
        if left <= LISTED {
            let show = |&code: &CodeId| self.notation.write(code);
            let all: Vec<String> = posterior.support().iter().map(show).collect();
            stands.push_str(&format!(": {}", all.join(" ")));
        }
        let right = right * 100.0;
        stands.push_str(&format!(
            "; the next guess is right with probability {right:.1} %"
        ));
        writeln!(output, "{}", text::broken(&stands, 0, self.screen))?;
        Ok(guess)
    }

    fn show(&self, observation: &Observation) -> String {
        let guess = self.notation.write(observation.guess);
        format!(
            "{guess}: {} {}",
            observation.reply.hits, observation.reply.blows
        )
    }
}

/// What was typed; `None` at the end.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>> {
    let mut line = Vec::new();
    let read = input.take(MAX_LINE).read_until(b'\n', &mut line);
    let is_end = read.context("failed to read a reply")? == 0;
    Ok((!is_end).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

enum Typed {
    Reply(Feedback),
    Guess(CodeId),
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::game;

    fn session(input: &str) -> String {
        let text = whole_session("hitblow 3 9", Some("123456789"), input);
        text.split_once("\n\n").unwrap().1.to_owned()
    }

    fn whole_session(game: &str, digits: Option<&str>, input: &str) -> String {
        let codes = game::codes(game).unwrap();
        let adviser = Adviser {
            notation: Notation::with_characters(&codes, digits).unwrap(),
            prior: Posterior::uniform(codes.len()),
            policy: Policy::Mi {
                hit_bonus: HIT_BONUS,
            },
            observations: Vec::new(),
            screen: 80,
        };
        let mut output = Vec::new();
        adviser.talk(&mut input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_code_that_could_be_a_reply_is_named_only_where_there_is_one() {
        insta::assert_snapshot!(whole_session("hitblow 2 10", None, "guess 01\n2 0\n"), @"
        Type the reply to the proposed guess, hits then blows, such as: 0 1
          a code            guesses that code instead, and then asks for its reply
          guess CODE        the same, for a code that could be a reply: guess 01
          undo              takes the last guess back
          help, quit

        90 possible, 6.49 bits to learn; the next guess is right with probability 1.1 %
        1. 01 > your own guess is right with probability 1.1 %
        1. 01 > found in 1 turn
        ");
        let no_such_code = whole_session("hitblow 3 9", Some("123456789"), "guess 01\n");
        insta::assert_snapshot!(no_such_code, @r#"
        Type the reply to the proposed guess, hits then blows, such as: 0 1
          a code            guesses that code instead, and then asks for its reply
          undo              takes the last guess back
          help, quit

        504 possible, 8.98 bits to learn; the next guess is right with probability 0.2 %
        1. 123 > expected a code such as 123 after "guess", found "01"
        1. 123 >
        "#);
        let no_zero = whole_session("hitblow 2 9", Some("123456789"), "");
        assert!(!no_zero.contains("guess CODE"), "{no_zero}");
    }

    #[test]
    fn a_game_can_be_typed_with_an_input_method_for_japanese() {
        let text = session("１　１\nguess ４５６\nｕｎｄｏ\nundo\n４５６\n０ ０\n３　０\n");
        assert!(text.contains("took your own guess 456 back"), "{text}");
        assert!(text.contains("took 123: 1 1 back"), "{text}");
        assert!(text.contains("1. 456 > 120 possible"), "{text}");
        assert!(text.ends_with("found in 2 turns\n"), "{text}");
    }

    #[test]
    fn game_of_article_004_with_undo_own_guess_and_contradiction() {
        insta::assert_snapshot!(session("1 1\n456\n0 0\nundo\nhello\n3 1\n"), @r#"
        504 possible, 8.98 bits to learn; the next guess is right with probability 0.2 %
        1. 123 > 36 possible, 5.17 bits to learn; the next guess is right with probability 2.8 %
        2. 134 > your own guess is right with probability 0.0 %
        2. 456 > 18 possible, 4.17 bits to learn; the next guess is right with probability 5.6 %
        3. 137 > took 456: 0 0 back
        36 possible, 5.17 bits to learn; the next guess is right with probability 2.8 %
        2. 134 > expected hits and blows such as "0 1", together at most 3 and not all but one
        hit with one blow, found "hello"
        hint: or type a guess of your own, undo, help or quit
        2. 134 > expected hits and blows such as "0 1", together at most 3 and not all but one
        hit with one blow, found "3 1"
        hint: or type a guess of your own, undo, help or quit
        2. 134 >
        "#);
        insta::assert_snapshot!(session("0 0\n0 0\n0 0\n3 0\n"), @"
        504 possible, 8.98 bits to learn; the next guess is right with probability 0.2 %
        1. 123 > 120 possible, 6.91 bits to learn; the next guess is right with probability 0.8 %
        2. 456 > 6 possible, 2.58 bits to learn: 789 798 879 897 978 987; the next guess is right
        with probability 16.7 %
        3. 789 > no code is possible: row 3 (789: 0 0) contradicts those before it
        at least 1 row must be wrong:
          row 1 (123: 0 0): then 6 codes are possible
          row 2 (456: 0 0): then 6 codes are possible
          row 3 (789: 0 0): then 6 codes are possible
        took 789: 0 0 back; undo takes more back
        6 possible, 2.58 bits to learn: 789 798 879 897 978 987; the next guess is right
        with probability 16.7 %
        3. 789 > found in 3 turns
        ");
        let own = session("456\nundo\nguess 789\n3 0\n");
        assert!(
            own.contains("took your own guess 456 back\n1. 123 > "),
            "{own}"
        );
        assert!(own.contains("1. 789 > found in 1 turn\n"), "{own}");
        insta::assert_snapshot!(session("undo\n3 0\n"), @"
        504 possible, 8.98 bits to learn; the next guess is right with probability 0.2 %
        1. 123 > there is nothing to take back
        504 possible, 8.98 bits to learn; the next guess is right with probability 0.2 %
        1. 123 > found in 1 turn
        ");
    }
}
