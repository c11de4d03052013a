//! The contest as a problem of the judge.

use ahc030::problem::AHC030;
use tester::Seed;
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::problem::{Instance, Lines, Problem};

fn instance(params: &[&str]) -> Box<dyn Instance> {
    AHC030.generate(params, Seed(0)).unwrap()
}

#[test]
fn what_holds_for_every_problem() {
    tester::testing::check(&AHC030);
}

#[test]
fn parameters_are_fixed_by_name() {
    let of = |params: &[&str]| instance(params).parameters();
    assert_eq!(AHC030.parameters(), ["N", "M", "eps"]);
    assert_eq!(of(&[]), [15.0, 2.0, 0.01]);
    assert_eq!(of(&["N=10"])[0], 10.0);
    assert_eq!(of(&["eps=0.2", "M=20"])[1..], [20.0, 0.2]);
    assert_eq!(
        instance(&["M=20", "eps=0.20"]).spec(),
        "ahc030 M=20 eps=0.20"
    );
    for refused in [
        "10",
        "N",
        "N=",
        "N=9",
        "N=21",
        "M=1",
        "M=21",
        "eps=0",
        "eps=0.21",
        "eps=0.001",
        "n=10",
        "N=1e1",
        "eps=NaN",
        "eps=0.+1",
    ] {
        assert!(AHC030.generate(&[refused], Seed(0)).is_err(), "{refused}");
    }
    let twice = AHC030.generate(&["N=10", "N=11"], Seed(0)).err().unwrap();
    insta::assert_snapshot!(twice, @r#"expected ahc030 [N=…] [M=…] [eps=…] with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20; the seed decides what is left out, found "ahc030 N=10 N=11""#);
}

#[test]
fn opening_is_what_the_file_shows_before_the_hidden_part() {
    let case = instance(&["M=3"]);
    let (opening, text) = (case.opening(), case.to_text());
    assert_eq!(opening.lines().count(), 1 + 3);
    assert!(text.starts_with(&format!("{opening}\n")));
    let mut lines = Lines::new(&text);
    let read = AHC030.parse(&[], &mut lines).unwrap();
    lines.end().unwrap();
    assert_eq!((read.to_text(), read.opening()), (text, opening));
    assert_eq!(read.spec(), "ahc030");
}

#[test]
fn the_right_answer_ends_the_game_at_once() {
    for seed in 0..100 {
        let case = AHC030.generate(&[], Seed(seed)).unwrap();
        let mut referee = Referee::new(case.as_ref(), AHC030.turn_limit());
        let reply = referee.hear(case.answer().unwrap().as_bytes());
        assert_eq!(reply, Ruling::Reply("1".to_owned()));
        let least = (1e6 / case.parameters()[0]).round() as u64;
        assert_eq!(
            (referee.stage(), referee.score()),
            (Stage::Solved, least.into())
        );
    }
}

/// As the official tester does: 2N² operations without a right answer are a game with a score.
#[test]
fn the_last_operation_ends_the_game() {
    let case = instance(&["N=20"]);
    let mut referee = Referee::new(case.as_ref(), AHC030.turn_limit());
    for _ in 0..800 {
        assert_eq!(referee.stage(), Stage::Playing);
        assert!(matches!(referee.hear(b"q 1 0 0"), Ruling::Reply(_)));
    }
    let end = (referee.stage(), referee.turns(), referee.score());
    assert_eq!(end, (Stage::Solved, 800, 1_000_000_000.into()));
    assert!(!referee.facts().may_exit);
}

#[test]
fn every_refusal_is_recognised_in_japanese() {
    use tester::util::template::Translator;
    let translator = Translator::new(AHC030.reasons().iter().copied());
    for line in [
        "q",
        "x",
        "q NaN",
        "q 2 0 0",
        "q 1 NaN 0",
        "q 1 99 0",
        "q 2 3 3 3 3",
        "q 1 \u{ff} 0",
    ] {
        let refusal = instance(&[])
            .start()
            .turn(line.as_bytes())
            .unwrap_err()
            .to_string();
        let japanese = translator.japanese(&refusal);
        assert!(japanese.is_some_and(|text| !text.is_ascii()), "{refusal}");
    }
}
