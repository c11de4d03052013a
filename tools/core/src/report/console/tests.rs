//! Tables of runs, as a terminal shows them.

use super::*;
use crate::case::Parameters;
use crate::judge::record::{JudgedCase, Verdict};

/// The table of these cases.
fn table(summary: &Summary, names: &[String], planned: usize, whole: bool) -> String {
    super::table(&Figures {
        summary,
        names,
        scores: summary.scores(),
        relative: None,
        planned,
        whole,
    })
}

fn judged(case: u64, verdict: Verdict, score: u64) -> JudgedCase {
    JudgedCase::sample(case, verdict, score, |record| {
        record.opening = "hitblow 3 10".to_owned();
        record.turns = score;
        record.wall_ms = 1.25 + case as f64;
        record.cpu_ms = 1.0;
        record.memory_kib = 2000;
        record.reason =
            (verdict != Verdict::Ac).then(|| format!("turn {case}: exit status 1, expected 0"));
        record.last_stderr_line = (case == 1).then(|| "\"panicked\"".to_owned());
    })
}

#[test]
fn table_of_a_small_batch() {
    let scores = [5, 4, 5, 6, 5, 7, 5];
    let mut cases: Vec<_> = (0..7)
        .map(|i| judged(i, Verdict::Ac, scores[i as usize]))
        .collect();
    cases.push(judged(7, Verdict::Re, 0));
    let summary = Summary::from_cases(&cases);
    insta::assert_snapshot!(table(&summary, &[], summary.cases, false), @"
    cases      8
    verdicts   AC 7  RE 1
    mean       5.2857 ± 0.8797 (95 % confidence)
    min        4
    median     5
    max        7
    total      37 over 7 accepted
    slowest    0007  8.2 ms (wall 8.2, cpu 1.0)
         score  cases
             4      1 ██████████
             5      4 ████████████████████████████████████████
             6      1 ██████████
             7      1 ██████████
    ");
    insta::assert_snapshot!(table(&summary, &[], 10, true).lines().nth(2).unwrap(), @"mean       5.2857 (of every secret: exact)");
    insta::assert_snapshot!(worst(&summary, &[], &|id| format!("rerun {id}")), @"
    worst      0005  7
               0003  6
               0000  5
               0002  5
               0004  5
    worst by   score: no other run was better on any of these cases
    rerun      rerun 0005
    ");
}

#[test]
fn a_run_in_which_no_case_was_judged_has_no_verdicts() {
    let summary = Summary::from_cases(&[]);
    insta::assert_snapshot!(table(&summary, &[], 4, false), @"cases      0 of 4: 4 are not judged yet");
}

#[test]
fn large_scores_have_a_mean_of_their_ratios() {
    // The cube root of 10⁵ · 10⁷ · 10⁹.
    let scores = [100_000, 10_000_000, 1_000_000_000];
    let cases = scores.map(|score| judged(score % 7, Verdict::Ac, score));
    let text = table(&Summary::from_cases(&cases), &[], 3, false);
    let row = text.lines().nth(3).unwrap();
    insta::assert_snapshot!(row, @"geometric  10,000,000 (each case counts by its ratio; compare --by log)");
    let row = relative_row(Some(87.654), Objective::Max);
    insta::assert_snapshot!(row, @"relative   87.65 (mean of 100 x score / best known score)");
}

#[test]
fn parameters_stand_beside_the_cases_that_are_named() {
    let names = ["N", "M", "eps"].map(str::to_owned);
    let case = |id: u64, verdict| {
        let mut case = judged(id, verdict, 3 + id % 4);
        let values = [10.0 + id as f64, 2.0, 0.01 * (1 + id % 2) as f64];
        case.record.parameters = Parameters::new(values.map(Some));
        case
    };
    let mut cases: Vec<_> = (0..10).map(|id| case(id, Verdict::Ac)).collect();
    cases.push(case(10, Verdict::Re));
    let summary = Summary::from_cases(&cases);
    // M is 2 everywhere. 11 values of N are thirds of 4, 3 and 4 cases; the last one failed.
    insta::assert_snapshot!(by_parameter(&summary, &names), @"
    by N       10 to 13: mean 4.5000  14 to 16: mean 4.0000  17 to 20: mean 4.3333, 1 failed
    by eps     0.01: mean 3.8000, 1 failed  0.02: mean 4.8000
    ");
    let repro = |id: CaseId| format!("rerun {id}");
    insta::assert_snapshot!(worst(&summary, &names, &repro).lines().next().unwrap(), @"worst      0003  6  N=13 M=2 eps=0.02");
    insta::assert_snapshot!(failures(&summary.failures, &names, &repro, &|_| Vec::new()), @"
    0010  RE: turn 10: exit status 1, expected 0
          N=20 M=2 eps=0.01
          rerun 0010
    ");
    let text = table(&summary, &names, 11, false);
    let slowest = text
        .lines()
        .find(|line| line.starts_with("slowest"))
        .unwrap();
    insta::assert_snapshot!(slowest, @"slowest    0010  11.2 ms (wall 11.2, cpu 1.0)  N=20 M=2 eps=0.01");
}

#[test]
fn failures_of_a_kind_stand_together() {
    let mut all = Failures::default();
    for case in 1..=15 {
        all.add(&judged(case, Verdict::Re, 0));
    }
    all.add(&judged(20, Verdict::Tle, 0));
    let text = failures(&all, &[], &|id| format!("rerun {id}"), &|_| {
        vec!["'out/a b'".into(), "c".into()]
    });
    insta::assert_snapshot!(text, @r#"
    0001  RE: turn 1: exit status 1, expected 0
          its stderr ended with "panicked"
          rerun 0001
          'out/a b' c
          14 more failed likewise: 0002 0003 0004 0005 0006 0007 0008 0009 …
    0020  TLE: turn 20: exit status 1, expected 0
          rerun 0020
          'out/a b' c
    "#);
}

#[test]
fn table_without_an_accepted_case_has_no_mean() {
    let summary = Summary::from_cases(&[judged(3, Verdict::Tle, 0)]);
    insta::assert_snapshot!(table(&summary, &[], summary.cases, false), @"
    cases      1
    verdicts   TLE 1
    slowest    0003  4.2 ms (wall 4.2, cpu 1.0)
    ");
    assert_eq!(worst(&summary, &[], &|_| unreachable!()), "");
}

#[test]
fn different_games_in_one_table_are_pointed_out() {
    let mut other = judged(1, Verdict::Ac, 5);
    other.record.opening = "mastermind 4 6".to_owned();
    let text = table(
        &Summary::from_cases(&[judged(0, Verdict::Ac, 4), other]),
        &[],
        2,
        false,
    );
    let caution = text.lines().nth(1).unwrap();
    insta::assert_snapshot!(caution, @"caution    different games share this table: hitblow 3 10: 1, mastermind 4 6: 1");
}

#[test]
fn many_different_scores_share_rows() {
    let of = |scores: &mut dyn Iterator<Item = u64>| {
        let counts = scores.map(|score| (score, 1)).collect();
        histogram(&Distribution::new(&counts, 0).unwrap())
    };
    let text = of(&mut (0..1000));
    assert_eq!(text.lines().count(), 21);
    assert!(text.contains("   950-999     50 █"), "{text}");
    // Few cases have few rows, however far apart they are.
    let extreme = of(&mut [0, u64::MAX - 1].into_iter());
    assert_eq!(extreme.lines().count(), 3);
    // The counts stand in one column under their heading, however long the ranges are.
    let costs = of(&mut (0..21).map(|i| 55_000_000 + 17_200_000 * i));
    insta::assert_snapshot!(costs, @"
                      score  cases
      50,000,000-99,999,999      3 ████████████████████████████████████████
    100,000,000-149,999,999      3 ████████████████████████████████████████
    150,000,000-199,999,999      3 ████████████████████████████████████████
    200,000,000-249,999,999      3 ████████████████████████████████████████
    250,000,000-299,999,999      3 ████████████████████████████████████████
    300,000,000-349,999,999      3 ████████████████████████████████████████
    350,000,000-399,000,000      3 ████████████████████████████████████████
    ");
    // Ten times as large in each row, where scores are of any size.
    let sizes = of(&mut (0..21).map(|i| 3 << i));
    insta::assert_snapshot!(sizes, @"
                  score  cases
                    1-9      2 ████████████████████
                  10-99      4 ████████████████████████████████████████
                100-999      3 ██████████████████████████████
              1000-9999      3 ██████████████████████████████
          10,000-99,999      4 ████████████████████████████████████████
        100,000-999,999      3 ██████████████████████████████
    1,000,000-3,145,728      2 ████████████████████
    ");
}
