//! Games in which at most one reply is false: beliefs against Bayes' rule over every lie, the search against a list
//! of all codes, and whether the solver is always right.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use crate::solver::bayes::Posterior;
use crate::solver::liar::{Ending, LiarSolver, Listed, Rules, Searched};
use crate::solver::pegs::{CodeId, Codes, Feedback, Game, Policy};
use crate::solver::suspects::Suspects;
use proptest::prelude::*;

fn rules(name: &str, places: usize, digits: usize, ending: Ending) -> Rules {
    Rules::new(Game::new(name, places, digits).unwrap(), ending).unwrap()
}

fn feedback(codes: &Codes, guess: CodeId, secret: CodeId) -> Feedback {
    Feedback::from_codes(codes.digits(guess), codes.digits(secret))
}

/// Bayes' rule over hypotheses (secret, turn of the lie), as article 002 would write it. 0 is no lie in the first
/// `turns` turns.
fn literally(rules: Rules, replies: &[(CodeId, Feedback)]) -> Vec<f64> {
    let codes = Codes::new(rules.game);
    let (turns, places) = (replies.len(), rules.game.places);
    let lie = 0.75 / (2 * places) as f64;
    let wins = |reply: &Feedback| usize::from(reply.hits) == places;
    // False replies that the judge may tell.
    let others = |truth: &Feedback| {
        let all = rules
            .cells()
            .into_iter()
            .map(|cell| Feedback::from_cell(cell, places));
        let may = |reply: &Feedback| rules.ending == Ending::Answer || !wins(reply);
        all.filter(|reply| may(reply) && reply != truth).count() as f64
    };
    let mut prior = Vec::new();
    for _ in 0..codes.len() {
        prior.push(1.0 - lie * turns as f64);
        prior.extend(vec![lie; turns]);
    }
    let mut posterior = Posterior::from_prior(&prior);
    for (turn, &(guess, reply)) in (1..).zip(replies) {
        posterior.update(|hypothesis| {
            let (secret, lie) = (
                hypothesis as usize / (turns + 1),
                hypothesis as usize % (turns + 1),
            );
            let truth = feedback(&codes, guess, secret as CodeId);
            let right = rules.ending == Ending::RightGuess && wins(&truth);
            match lie == turn && !right {
                true if reply == truth => 0.0,
                true => 1.0 / others(&truth),
                false => f64::from(u8::from(reply == truth)),
            }
        });
    }
    let of_secret = posterior.distribution(|hypothesis| hypothesis as usize / (turns + 1));
    (0..codes.len())
        .map(|code| of_secret.get(&code).copied().unwrap_or(0.0))
        .collect()
}

/// Plays until the solver is certain; the reply of `turn` is `told`. Returns the guess that it is certain of.
fn play(rules: Rules, secret: &[u8], lie: Option<(usize, Feedback)>) -> (Vec<u8>, usize) {
    let mut solver = LiarSolver::new(rules, Policy::Optimal);
    for turn in 1..64 {
        let (guess, is_only) = solver.guess().unwrap();
        let truth = Feedback::from_codes(&guess, secret);
        if is_only || rules.ending == Ending::RightGuess && guess == secret {
            return (guess, turn);
        }
        let told = lie.filter(|lie| lie.0 == turn).map_or(truth, |lie| lie.1);
        solver.learn(&guess, told).unwrap();
    }
    panic!("{secret:?} with {lie:?} was not found");
}

#[test]
fn whatever_the_lie_is_the_answer_is_right() {
    // Every secret, every turn, every pair of numbers, also those that no code gives.
    for (places, colours) in [(1, 3), (2, 2), (2, 4), (3, 3)] {
        let rules = rules("mastermind", places, colours, Ending::Answer);
        let codes = Codes::new(rules.game);
        for id in 0..codes.len() as CodeId {
            let secret = codes.digits(id);
            let (answer, most) = play(rules, secret, None);
            assert_eq!(answer, secret);
            for turn in 1..=most + 2 {
                for (hits, blows) in
                    (0..=4).flat_map(|hits| (0..=4).map(move |blows| (hits, blows)))
                {
                    let lie = Some((turn, Feedback { hits, blows }));
                    assert_eq!(
                        play(rules, secret, lie).0,
                        secret,
                        "{places} {colours} {lie:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn large_games_are_answered_right_too() {
    let told = |hits, blows| Feedback { hits, blows };
    for (name, places, digits, ending, secret, lie) in [
        (
            "mastermind",
            6,
            9,
            Ending::Answer,
            vec![8, 0, 0, 3, 1, 8],
            Some((2, told(6, 0))),
        ),
        ("mastermind", 6, 9, Ending::Answer, vec![5; 6], None),
        (
            "mastermind",
            8,
            6,
            Ending::Answer,
            vec![1, 2, 1, 2, 5, 5, 0, 0],
            Some((4, told(0, 0))),
        ),
        (
            "liar",
            6,
            12,
            Ending::RightGuess,
            vec![11, 0, 5, 4, 9, 2],
            Some((3, told(5, 0))),
        ),
    ] {
        let rules = rules(name, places, digits, ending);
        let (answer, turns) = play(rules, &secret, lie);
        assert_eq!(answer, secret);
        assert!(turns < 16, "{turns}");
    }
}

/// Plays Sneaky Mastermind through the interactor of its rules.
fn play_sneaky(program: &OsStr) {
    if !crate::has_python() {
        return;
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tools/contests/elsewhere/sneaky.py"
    );
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("0000.txt");
    // A false reply that would be the true one changes; the answer itself gets none.
    for text in [
        "3 6\nfae\nnone\n",
        "4 6\nabca\n1 4 0\n",
        "4 15\nonab\n3 0 0\n",
        "1 2\nb\n2 1 0\n",
    ] {
        std::fs::write(&case, text).unwrap();
        let mut interactor = Command::new("python3")
            .args([OsStr::new(script), case.as_os_str()])
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let solver = Command::new(program)
            .stdin(interactor.stdout.take().unwrap())
            .stdout(interactor.stdin.take().unwrap())
            .status()
            .unwrap();
        let output = interactor.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let accepted = solver.success() && output.status.success();
        assert!(accepted, "{text}: {said}");
        let score = said.trim().strip_prefix("Score = ");
        let score = score.and_then(|score| score.parse().ok());
        assert!(
            score.is_some_and(|score: u64| (2..15).contains(&score)),
            "{text}: {said}"
        );
    }
}

#[test]
fn sneaky_mastermind_is_played_through_the_interactor_of_its_rules() {
    play_sneaky(&crate::program_under_test());
}

#[test]
fn what_is_pasted_on_kattis_needs_no_crate_and_plays() {
    let top = env!("CARGO_MANIFEST_DIR");
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (
        folder.path().join("kattis.rs"),
        folder.path().join("kattis"),
    );
    let pasted = Command::new("scripts/paste")
        .arg("kattis")
        .current_dir(top)
        .output()
        .unwrap();
    assert!(pasted.status.success(), "{pasted:?}");
    std::fs::write(&source, pasted.stdout).unwrap();
    let built = Command::new("rustc")
        .args(["--edition", "2018", "-D", "warnings", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    play_sneaky(program.as_os_str());
}

#[test]
fn lies_that_are_too_many_are_noticed() {
    let rules = rules("mastermind", 2, 3, Ending::Answer);
    let mut solver = LiarSolver::new(rules, Policy::Optimal);
    for _ in 0..6 {
        match solver.guess() {
            Ok((guess, _)) => solver
                .learn(&guess, Feedback { hits: 0, blows: 0 })
                .unwrap(),
            Err(why) => return assert!(why.contains("contradict"), "{why}"),
        }
    }
    panic!("no code has no digit at all");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn beliefs_are_those_of_bayes_rule_over_secrets_and_lies(
        guesses in prop::collection::vec((0_u32..24, 0_usize..30), 1..5), answer in any::<bool>(),
    ) {
        let (name, ending) = match answer {
            true => ("mastermind", Ending::Answer),
            false => ("liar", Ending::RightGuess),
        };
        let rules = match answer {
            true => rules(name, 2, 5, ending),
            false => rules(name, 3, 4, ending),
        };
        let places = rules.game.places;
        let mut told = rules.cells();
        if ending == Ending::RightGuess {
            told.retain(|&cell| cell != rules.win());
        }
        let mut listed = Listed::new(rules);
        let mut replies = Vec::new();
        for (guess, cell) in guesses {
            let reply = Feedback::from_cell(told[cell % told.len()], places);
            listed.learn(guess, reply);
            replies.push((guess, reply));
        }
        let posterior = listed.belief().posterior();
        prop_assume!(posterior.check_possible().is_ok());
        let expected = literally(rules, &replies);
        for (code, expected) in (0..).zip(expected) {
            let found = posterior.probability(code);
            prop_assert!((found - expected).abs() < 1e-9, "{code}: {found}, expected {expected}");
        }
    }

    /// Searched by digits and orders, against every code of the list.
    #[test]
    fn suspects_are_all_codes_that_one_reply_at_most_contradicts(
        distinct in any::<bool>(), secret in 0_u32..24, lie in 0_usize..5,
        guesses in prop::collection::vec(0_u32..24, 1..5), told in (0_u8..5, 0_u8..5),
    ) {
        let name = if distinct { "liar" } else { "mastermind" };
        let game = Game::new(name, 3, 4).unwrap();
        let codes = Codes::new(game);
        let mut suspects = Suspects::new(game, distinct);
        let mut replies = Vec::new();
        for (turn, guess) in guesses.into_iter().enumerate() {
            let truth = feedback(&codes, guess, secret);
            let reply = if turn == lie { Feedback { hits: told.0, blows: told.1 } } else { truth };
            suspects.learn(codes.digits(guess), reply).unwrap();
            replies.push((guess, reply));
        }
        let mut expected = Vec::new();
        for code in 0..codes.len() as CodeId {
            let wrong = replies.iter().filter(|&&(guess, reply)| feedback(&codes, guess, code) != reply);
            let asked = distinct && replies.iter().any(|reply| reply.0 == code);
            match wrong.count() {
                contradictions @ (0 | 1) if !asked => {
                    expected.push((codes.digits(code).to_vec(), contradictions == 1));
                }
                _ => {}
            }
        }
        prop_assert_eq!(suspects.all(1000, 1_000_000), Some(expected.clone()));
        let drawn = suspects.draw(20, &vec![1.0; replies.len() + 1], 100_000);
        prop_assert!(drawn.iter().all(|suspect| expected.contains(suspect)), "{drawn:?}");
        prop_assert!(drawn.is_empty() == expected.is_empty());
        if expected.len() > 1 {
            prop_assert_eq!(suspects.all(expected.len() - 1, 1_000_000), None);
        }
    }
}

#[test]
fn many_codes_are_played_alike_on_every_machine() {
    let rules = rules("mastermind", 5, 9, Ending::Answer);
    let first = |_| Searched::new(rules).guess(Policy::Optimal).unwrap();
    assert_eq!(first(0), first(1));
}
