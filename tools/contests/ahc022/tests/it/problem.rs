//! The contest as a problem of the judge.

use ahc022::problem::AHC022;
use tester::Seed;
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::problem::{Instance, Lines, Objective, Problem};

fn instance(params: &[&str]) -> Box<dyn Instance> {
    AHC022.generate(params, Seed(0)).unwrap()
}

#[test]
fn what_holds_for_every_problem() {
    tester::testing::check(&AHC022);
}

#[test]
fn parameters_are_fixed_by_name() {
    let of = |params: &[&str]| instance(params).parameters();
    assert_eq!(AHC022.parameters(), ["L", "N", "S"]);
    assert_eq!(of(&[]), [50.0, 95.0, 36.0]);
    assert_eq!(of(&["L=10"])[0], 10.0);
    assert_eq!(of(&["S=7", "N=60"])[1..], [60.0, 7.0]);
    assert_eq!(instance(&["S=7", "N=60"]).spec(), "ahc022 S=7 N=60");
    for refused in [
        "10", "L", "L=", "L=9", "L=51", "N=59", "N=101", "S=0", "S=901", "l=10", "L=1e1", "S=NaN",
        "S=-1", "N=999",
    ] {
        assert!(AHC022.generate(&[refused], Seed(0)).is_err(), "{refused}");
    }
    let twice = AHC022.generate(&["L=10", "L=11"], Seed(0)).err().unwrap();
    insta::assert_snapshot!(twice, @r#"expected ahc022 [L=…] [N=…] [S=…] with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900; the seed decides what is left out, found "ahc022 L=10 L=11""#);
}

#[test]
fn limits_and_objective_are_those_of_the_contest() {
    assert_eq!(AHC022.time_limit().as_secs(), 4);
    assert_eq!(AHC022.objective(), Objective::Max);
    assert_eq!(AHC022.default_params(), "");
}

#[test]
fn opening_is_what_the_file_shows_before_the_hidden_part() {
    let case = instance(&["N=70"]);
    let (opening, text) = (case.opening(), case.to_text());
    assert_eq!(opening.lines().count(), 1 + 70);
    assert!(text.starts_with(&format!("{opening}\n")));
    let mut lines = Lines::new(&text);
    let read = AHC022.parse(&[], &mut lines).unwrap();
    lines.end().unwrap();
    assert_eq!((read.to_text(), read.opening()), (text, opening));
    assert_eq!(read.spec(), "ahc022");
}

/// The exit cells of all wormholes, as the case file has them.
fn hidden(case: &dyn Instance) -> Vec<String> {
    let n = case.parameters()[1] as usize;
    let text = case.to_text();
    text.lines()
        .skip(1 + n)
        .take(n)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_right_answer_without_a_measurement_counts_a_thousand_million() {
    for seed in 0..100 {
        let case = AHC022.generate(&[], Seed(seed)).unwrap();
        let l = case.parameters()[0] as usize;
        let row = vec!["500"; l].join(" ");
        let answer = hidden(case.as_ref());
        let mut referee = Referee::new(case.as_ref(), AHC022.turn_limit());
        for line in std::iter::repeat_n(row.as_str(), l)
            .chain(["-1 -1 -1"])
            .chain(answer.iter().map(String::as_str))
        {
            assert_eq!(referee.stage(), Stage::Playing);
            let ruling = referee.hear(line.as_bytes());
            assert!(matches!(ruling, Ruling::Incomplete | Ruling::Unanswered));
        }
        let end = (referee.stage(), referee.turns(), referee.score());
        assert_eq!(end, (Stage::Solved, 3, 1_000_000_000.into()), "seed {seed}");
    }
}

/// The limit on turns is never what ends a game.
#[test]
fn all_measurements_and_the_answer_are_within_the_turn_limit() {
    let case = instance(&["L=10", "N=60"]);
    let mut referee = Referee::new(case.as_ref(), AHC022.turn_limit());
    for _ in 0..10 {
        referee.hear(["0"; 10].join(" ").as_bytes());
    }
    for _ in 0..10_000 {
        assert!(matches!(referee.hear(b"0 0 0"), Ruling::Reply(_)));
    }
    referee.hear(b"-1 -1 -1");
    for _ in 0..60 {
        assert_eq!(referee.stage(), Stage::Playing);
        referee.hear(b"0");
    }
    let end = (referee.stage(), referee.turns());
    assert_eq!(end, (Stage::Solved, AHC022.turn_limit()));
}

#[test]
fn every_refusal_is_recognised_in_japanese() {
    use tester::util::template::Translator;
    let translator = Translator::new(AHC022.reasons().iter().copied());
    let row = ["0"; 10].join(" ");
    let grid = vec![row.clone(); 10].join("\n");
    let no_answer = vec!["0"; 61].join("\n");
    let too_long = format!("{row} 0");
    let no_rows = vec![row.clone(); 11].join("\n");
    let mut seen = std::collections::BTreeSet::new();
    for questions in [
        &["\u{ff}"][..],
        &["0 0"],
        &[&too_long],
        &["0 0 0 0 0 0 0 0 0 NaN"],
        &[&row],
        &[&no_rows],
        &[&grid, "60 0 0"],
        &[&grid, "0 10 0"],
        &[&grid, "0 0 x"],
        &[&grid, "0 0"],
        &[&grid, "-1 0 0"],
        &[&grid, "-1 -1 -1", "60"],
        &[&grid, "-1 -1 -1", "0"],
        &[&grid, "-1 -1 -1", &no_answer],
        &[&grid, "-1 -1 -1", &no_answer[2..], "0"],
    ] {
        let mut session = instance(&["L=10", "N=60"]).start();
        let (last, before) = questions.split_last().unwrap();
        for question in before {
            session.turn(question.as_bytes()).unwrap();
        }
        let last: Vec<u8> = last.chars().map(|c| c as u8).collect(); // Latin 1: ÿ is no UTF-8
        let refusal = session.turn(&last).unwrap_err().to_string();
        let japanese = translator.japanese(&refusal);
        assert!(
            japanese.as_ref().is_some_and(|text| !text.is_ascii()),
            "{refusal}"
        );
        seen.insert(japanese);
    }
    let mut session = instance(&["L=10", "N=60"]).start();
    session.turn(grid.as_bytes()).unwrap();
    let refusal = (0..=10_000).find_map(|_| session.turn(b"0 0 0").err());
    seen.insert(translator.japanese(&refusal.unwrap().to_string()));
    assert_eq!((seen.len(), seen.contains(&None)), (16, false));
}
