//! Scores as contests count them: `measure` in `tester.toml`, and what follows from it.

use std::fs;
use std::path::Path;

use crate::common::browser::Page;
use crate::common::{counter, run_in, script, write_cases};
use tempfile::{TempDir, tempdir};

/// A contest whose cases are of very different size: the score of `./part P` is P per mille of the number in the case.
/// `./part P Q` has Q instead on cases above 100,000.
pub(super) fn contest(measure: &str) -> TempDir {
    let dir = tempdir().unwrap();
    let sizes = [2_000, 40_000_000, 30_000, 5_000, 900_000, 1_000];
    write_cases(dir.path(), sizes.map(|size| format!("{size}\n")));
    let body = "read -r n; p=$1; [ $n -gt 100000 ] && p=${2:-$1}; echo $((n * p / 1000))";
    script(dir.path(), "part", body);
    let file = format!(
        "version = 1\n[judge]\nexternal = \"{{command}} < {{case}} > {{out}} && echo Score = $(cat {{out}})\"\n{measure}\n"
    );
    fs::write(dir.path().join("tester.toml"), file).unwrap();
    dir
}

pub(super) fn done(dir: &Path, args: &[&str], status: i32) -> String {
    let shown = run_in(dir, args, "");
    assert_eq!(shown.status, status, "{shown:?}");
    shown.stdout
}

/// The lines of `text` that begin with one of these words.
pub(super) fn lines(text: &str, words: &[&str]) -> String {
    let wanted = |line: &&str| words.iter().any(|word| line.starts_with(word));
    let lines: Vec<&str> = text.lines().filter(wanted).map(str::trim_end).collect();
    lines.join("\n")
}

#[test]
fn the_measure_of_the_file_is_that_of_batch_compare_and_duel() {
    let dir = contest("objective = \"min\"\nmeasure = \"log\"");
    done(dir.path(), &["batch", "--", "./part", "1000"], 0);
    // Better on the four small cases by 10 %, worse on the two large ones by 1 %.
    let shown = run_in(dir.path(), &["batch", "--", "./part", "900", "1010"], "");
    assert!(shown.stderr.contains("tester.toml: "), "{shown:?}");
    assert!(shown.stderr.contains(" --objective=min"), "{shown:?}");
    assert!(shown.stderr.contains(" --by=log "), "{shown:?}");
    insta::assert_snapshot!(lines(&shown.stdout, &["mean", "geometric", "relative", "total", "against"]), @"
    mean       6,890,533 ± 17,231,914 (95 % confidence)
    geometric  43,972 (each case counts by its ratio; compare --by log)
    relative   99.67 (mean of 100 x best known score / score)
    total      41,343,200 over 6 accepted
    against    run 1 by log: -0.0669 ± 0.0625; better on 4 cases, the same on 0, worse on 2
    ");
    let compared = done(dir.path(), &["compare"], 0);
    insta::assert_snapshot!(lines(&compared, &["measure", "B - A", "as ratio", "by case", "      "]), @"
    measure    mean logarithm of the score
    B - A      -0.0669 (95 % confidence: -0.1294 to -0.0044)
    as ratio   B's scores are A's -6.47 % (95 % confidence: -12.14 % to -0.44 %)
    by case    B better on 4, the same on 0, worse on 2
          case          A          B      B - A
          0000       2000       1800       -200
          0002     30,000     27,000      -3000
          0003       5000       4500       -500
          0005       1000        900       -100
          0001 40,000,000 40,400,000   +400,000
          0004    900,000    909,000      +9000
    ");
    let compared = done(dir.path(), &["compare", "--by", "score"], 0);
    insta::assert_snapshot!(lines(&compared, &["measure", "B - A", "as ratio", "A  ", "B  ", "      "]), @"
    A          run 1  ./part 1000
    B          run 2  ./part 900 1010
    measure    mean score
    A          6,823,000
    B          6,890,533
    B - A      +67,533 (95 % confidence: -103,448 to +238,515)
          case          A          B      B - A
          0001 40,000,000 40,400,000   +400,000
          0004    900,000    909,000      +9000
          0002     30,000     27,000      -3000
          0003       5000       4500       -500
          0000       2000       1800       -200
          0005       1000        900       -100
    ");
    // The run knows its measure, also without the file.
    let kept = done(dir.path(), &["compare", "--no-config"], 0);
    assert!(kept.contains("measure    mean logarithm"), "{kept}");
    let duel = ["duel", "./part 1000", "./part 900 1010"];
    let duel = done(dir.path(), &duel, 1);
    insta::assert_snapshot!(duel.split("runs ").next().unwrap(), @"
    A          10.7582  ./part 1000
    B          10.6913  ./part 900 1010
    pairs      6 accepted from both, of 6 played
    measure    mean logarithm of the score
    B - A      -0.0669
    as ratio   B's scores are A's -6.47 %
    by case    A better on 2, the same on 0, B better on 4
    test       betting on the sign of the next difference; alpha 0.05
    Not decided: all 6 case files are played. If the true difference is the observed one (-0.0669),
    about 36 more pairs would decide it. If it is smaller, it takes more.
    ");
}

#[test]
fn the_best_run_of_a_few_cases_is_one_that_has_more() {
    let dir = contest("objective = \"min\"");
    let run = |arguments: &[&str]| done(dir.path(), &[&["batch"], arguments].concat(), 0);
    run(&["--", "./part", "1000"]);
    run(&["--", "./part", "900", "1010"]);
    // Run 2 is better than run 1 on case 0 (1800 instead of 2000), and worse over all.
    run(&["--cases", "in/0000.txt", "--", "./part", "990"]);
    let shown = run_in(dir.path(), &["compare", "best"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let said =
        "best is run 2 on the 1 case of run 3: fewest failed cases, then the best mean by score";
    assert!(shown.stderr.contains(said), "{shown:?}");
    assert!(shown.stdout.contains("1 in both"), "{shown:?}");
}

#[test]
fn the_best_run_and_the_list_of_runs_go_by_the_measure_of_the_file() {
    let dir = contest("objective = \"min\"\nmeasure = \"log\"");
    for parts in [&["1000"][..], &["900", "1010"], &["1100"]] {
        let batch = [&["batch", "--", "./part"], parts].concat();
        done(dir.path(), &batch, 0);
    }
    let best = |more: &[&str]| {
        let shown = run_in(dir.path(), &[&["compare", "best"], more].concat(), "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let run = shown.stdout.lines().next().unwrap();
        format!("{}{run}", shown.stderr)
    };
    // Worse in sum, because of the largest case, and better by 10 % on four of six.
    insta::assert_snapshot!(best(&[]), @"
    tester: tester.toml: --by=log
    tester: best is run 2: fewest failed cases, then the best mean by log
    A          run 2  ./part 900 1010
    ");
    insta::assert_snapshot!(best(&["--by", "score"]), @"
    tester: best is run 1: fewest failed cases, then the best mean by score
    A          run 1  ./part 1000
    ");
    for measure in ["relative", "rank"] {
        let shown = best(&["--by", measure]);
        assert!(shown.contains("\nA          run 2  "), "{shown}");
    }
    // A report has no option: each run knows its measure.
    done(dir.path(), &["report", "last", "best"], 0);
    let report = fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(report.contains("<title>external: runs 3, 2</title>"));
    let listed = |more: &[&str]| {
        let shown = run_in(dir.path(), &[&["history"], more].concat(), "");
        let begun = regex::Regex::new(r"(?m)^( *\d+)  [-0-9]{10} [:0-9]{8}").unwrap();
        begun
            .replace_all(&(shown.stderr + &shown.stdout), "$1  (begun)")
            .into_owned()
    };
    // 93.33 is the mean of four times 90 and twice 100. By rank, 1000 is 2nd four times and 1st twice.
    let all = ["log", "score", "relative", "rank"].map(|by| listed(&["--by", by]));
    insta::assert_snapshot!(all.join("\n"), @"
    run  begun                tag  cases  AC  mean log      95 %  state  command
      3  (begun)           6   6   10.8535  ± 4.3076  done   ./part 1100
      2  (begun)           6   6   10.6913  ± 4.3649  done   ./part 900 1010
      1  (begun)           6   6   10.7582  ± 4.3076  done   ./part 1000

    run  begun                tag  cases  AC       mean          95 %  state  command
      3  (begun)           6   6  7,505,300  ± 18,767,032  done   ./part 1100
      2  (begun)           6   6  6,890,533  ± 17,231,914  done   ./part 900 1010
      1  (begun)           6   6  6,823,000  ± 17,060,938  done   ./part 1000

    run  begun                tag  cases  AC  mean relative      95 %  state  command
      3  (begun)           6   6        84.8485  ± 4.9266  done   ./part 1100
      2  (begun)           6   6        99.6700  ± 0.5366  done   ./part 900 1010
      1  (begun)           6   6        93.3333  ± 5.4193  done   ./part 1000

    run  begun                tag  cases  AC  mean rank      95 %  state  command
      3  (begun)           6   6     3.0000  ± 0.0000  done   ./part 1100
      2  (begun)           6   6     1.3333  ± 0.5419  done   ./part 900 1010
      1  (begun)           6   6     1.6667  ± 0.5419  done   ./part 1000
    ");
    assert_eq!(
        listed(&[]),
        format!("tester: tester.toml: --by=log\n{}", all[0])
    );
    assert_eq!(listed(&["--no-config"]), all[0]);
}

#[test]
fn worst_cases_are_those_that_lose_most_against_the_best_known_run() {
    let dir = contest("objective = \"min\"\nmeasure = \"relative\"");
    let alone = done(dir.path(), &["batch", "--", "./part", "1000"], 0);
    let worst = |text: &str| {
        let from = text.find("worst").unwrap();
        let lines = text[from..].lines();
        let lines = lines.take_while(|line| !line.starts_with("rerun"));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(worst(&alone), @"
    worst      0001  40,000,000
               0004  900,000
               0002  30,000
               0003  5000
               0000  2000
    ");
    done(dir.path(), &["batch", "--", "./part", "900", "1010"], 0);
    insta::assert_snapshot!(worst(&done(dir.path(), &["show", "1"], 0)), @"
    worst      0002  30,000 (best 27,000)
               0003  5000 (best 4500)
               0000  2000 (best 1800)
               0005  1000 (best 900)
               0001  40,000,000
    worst by   ratio to the best score known for the case
    ");
    insta::assert_snapshot!(worst(&done(dir.path(), &["show", "2"], 0)), @"
    worst      0001  40,400,000 (best 40,000,000)
               0004  909,000 (best 900,000)
               0002  27,000
               0003  4500
               0000  1800
    worst by   ratio to the best score known for the case
    ");
}

#[test]
fn a_problem_of_this_judge_has_a_measure_too() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let file = "version = 1\n[judge]\nmeasure = \"rank\"\n[batch]\ncommand = \"./c\"\n";
    fs::write(dir.path().join("tester.toml"), file).unwrap();
    let cases = ["gen", "--seeds", "0..4", "--problem", "hitblow 1 10"];
    done(dir.path(), &cases, 0);
    for _ in 0..2 {
        done(dir.path(), &["batch"], 0);
    }
    let compared = run_in(dir.path(), &["compare"], "");
    assert_eq!(compared.stderr, "tester: tester.toml: --by=rank\n");
    assert!(
        compared.stdout.contains("measure    mean rank"),
        "{compared:?}"
    );
    let wrong = "version = 1\n[judge]\nmeasure = \"mean\"\n";
    fs::write(dir.path().join("tester.toml"), wrong).unwrap();
    insta::assert_snapshot!(run_in(dir.path(), &["compare"], "").stderr, @r#"
    tester: failed to read tester.toml: TOML parse error at line 3, column 11
      |
    3 | measure = "mean"
      |           ^^^^^^
    unknown variant `mean`, expected one of `score`, `log`, `relative`, `rank`
    "#);
    let typed = run_in(dir.path(), &["compare", "--by", "mean"], "").stderr;
    insta::assert_snapshot!(typed.lines().next().unwrap(), @"tester: invalid value 'mean' for '--by <MEASURE>': expected score, log, relative or rank");
}

#[test]
fn a_score_of_0_has_no_logarithm() {
    let dir = contest("objective = \"max\"\nmeasure = \"log\"\nzero_counts = true");
    for per_mille in ["0", "500"] {
        done(dir.path(), &["batch", "--", "./part", per_mille], 0);
    }
    insta::assert_snapshot!(run_in(dir.path(), &["compare"], "").stderr, @"
    tester: tester.toml: --by=log
    tester: a score of 0 has no logarithm
    hint: choose another measure than log, such as --by rank
    ");
    let duel = run_in(dir.path(), &["duel", "./part 0", "./part 500"], "");
    assert_eq!(duel.status, 2, "{duel:?}");
    insta::assert_snapshot!(lines(&duel.stderr, &["tester: ", "hint"]), @"
    tester: tester.toml: --by=log '--external={command} < {case} > {out} && echo Score = $(cat {out})' --objective=max --zero-counts
    tester: a score of 0 has no logarithm: case 0000
    hint: choose another measure than log, such as --by rank
    ");
}

#[test]
fn frozen_best_scores_make_figures_of_different_days_comparable() {
    let dir = contest("objective = \"min\"\nmeasure = \"relative\"");
    let best = |words: &[&str]| done(dir.path(), &[&["best"], words].concat(), 0);
    let relative = |run: &str| {
        lines(
            &done(dir.path(), &["show", run], 0),
            &["relative", "best known"],
        )
    };
    done(dir.path(), &["batch", "--", "./part", "1000"], 0);
    insta::assert_snapshot!(best(&[]), @"nothing is frozen for external: best scores are those of all runs");
    insta::assert_snapshot!(best(&["freeze"]), @"froze the best scores of 6 cases in out/history.best.json");
    insta::assert_snapshot!(best(&[]), @"the best scores of 6 cases of external are frozen in out/history.best.json");
    // Better by a fifth on each case: 125, and the earlier run keeps its figure.
    done(dir.path(), &["batch", "--", "./part", "800"], 0);
    insta::assert_snapshot!(relative("2"), @"
    relative   125.00 (mean of 100 x best known score / score)
    best known frozen for 6 cases of this problem; see `tester best`
    ");
    assert!(
        relative("1").starts_with("relative   100.00 "),
        "{}",
        relative("1")
    );
    let compared = done(dir.path(), &["compare"], 0);
    insta::assert_snapshot!(lines(&compared, &["measure", "A  ", "B  ", "B - A"]), @"
    A          run 1  ./part 1000
    B          run 2  ./part 800
    measure    mean relative score (100: the best score known for the case; higher is better)
    A          100.0000
    B          125.0000
    B - A      +25.0000 (the same on every case: no interval)
    ");
    assert!(compared.contains("\ncases that changed most, by ratio\n"));
    let duel = done(
        dir.path(),
        &["duel", "./part 1000", "./part 800", "--max-cases", "2"],
        1,
    );
    assert!(duel.contains("\nB - A      +25.0000\n"), "{duel}");
    // A case with another content has no frozen score.
    fs::write(dir.path().join("in/0005.txt"), "7000\n").unwrap();
    done(
        dir.path(),
        &["batch", "--cases", "5", "--", "./part", "900"],
        0,
    );
    assert!(
        relative("last").starts_with("relative   100.00 "),
        "{}",
        relative("last")
    );
    insta::assert_snapshot!(best(&["thaw"]), @"best scores are those of all runs again");
    assert!(
        relative("1").starts_with("relative   80.00 "),
        "{}",
        relative("1")
    );
    fs::write(dir.path().join("out/history.best.json"), "{}").unwrap();
    insta::assert_snapshot!(run_in(dir.path(), &["show"], "").stderr, @"
    tester: failed to read the frozen best scores out/history.best.json: missing field `version` at line 1 column 2
    hint: move the file away; `tester best freeze` writes another
    ");
}

#[test]
fn best_scores_are_those_of_pahcers_file() {
    let dir = contest("objective = \"max\"\nmeasure = \"relative\"");
    let pahcer = dir.path().join("best_scores.json");
    done(
        dir.path(),
        &["batch", "--cases", "0..3", "--", "./part", "500"],
        0,
    );
    fs::write(
        &pahcer,
        "{\n  \"0000\": 2000,\n  \"0001\": 10000000,\n  \"0077\": 5\n}",
    )
    .unwrap();
    let import = ["best", "import", "best_scores.json"];
    insta::assert_snapshot!(done(dir.path(), &import, 0), @"froze the best scores of 3 cases in out/history.best.json");
    let csv = done(dir.path(), &["show"], 0);
    insta::assert_snapshot!(lines(&csv, &["relative", "worst", "rerun", "      "]), @"
    relative   116.67 (mean of 100 x score / best known score)
                    score  cases
              1000-99,999      2 ████████████████████████████████████████
    worst      0000  1000 (best 2000)
               0002  15,000
               0001  20,000,000
    worst by   ratio to the best score known for the case
    rerun      ./part 500 < in/0000.txt > out/0000.txt && echo Score = $(cat out/0000.txt)
    ");
    // As pahcer writes it: each seed with four digits, in order; the case that was not in the file has its own best.
    insta::assert_snapshot!(done(dir.path(), &["best", "export", "again.json"], 0), @"wrote the best scores of 4 cases to again.json");
    insta::assert_snapshot!(fs::read_to_string(dir.path().join("again.json")).unwrap(), @r#"
    {
      "0000": 2000,
      "0001": 10000000,
      "0002": 15000,
      "0077": 5
    }
    "#);
    // From a folder below, too, `-` is a stream and no file.
    let sub = dir.path().join("in");
    let piped = done(&sub, &["best", "export", "-"], 0);
    assert_eq!(
        piped.trim_end(),
        fs::read_to_string(dir.path().join("again.json")).unwrap()
    );
    done(&sub, &["best", "thaw"], 0);
    let read = run_in(&sub, &["best", "import", "-"], &piped);
    insta::assert_snapshot!(read.stdout, @"froze the best scores of 4 cases in out/history.best.json");
    // What was frozen before is named: its other cases are frozen no more.
    let fewer = run_in(&sub, &["best", "import", "-"], "{\"0000\": 2000}");
    insta::assert_snapshot!(fewer.stdout, @"froze the best scores of 1 case in out/history.best.json, instead of those of 4 cases");
    run_in(&sub, &["best", "import", "-"], &piped);
    assert_eq!(done(&sub, &["best", "export", "-"], 0), piped);
    assert!(!sub.join("-").exists() && !dir.path().join("-").exists());
    let refused = run_in(dir.path(), &["best", "import", "-"], "[");
    insta::assert_snapshot!(lines(&refused.stderr, &["tester: failed"]), @"tester: failed to read the best scores from standard input: expected an object of JSON (invalid type: sequence, expected a map at line 1 column 0)");
    let refused = |text: &str| {
        fs::write(&pahcer, text).unwrap();
        let shown = run_in(dir.path(), &import, "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("{\"first\": 1}"), @r#"
    tester: failed to read the best scores best_scores.json: expected a seed for a key, found "first"
    hint: pahcer's file is an object such as {"0000": 1234}
    "#);
    insta::assert_snapshot!(refused("{\"0000\": 0}"), @r#"
    tester: failed to read the best scores best_scores.json: expected a whole score above 0 for seed 0000, found 0
    hint: pahcer's file is an object such as {"0000": 1234}
    "#);
    insta::assert_snapshot!(refused("[1]"), @r#"
    tester: failed to read the best scores best_scores.json: expected an object of JSON (invalid type: sequence, expected a map at line 1 column 0)
    hint: pahcer's file is an object such as {"0000": 1234}
    "#);
}

#[test]
#[ignore = "needs Chromium"]
fn the_page_compares_by_the_measure_and_prints_large_figures_readably() {
    let dir = contest("objective = \"min\"\nmeasure = \"log\"");
    done(dir.path(), &["batch", "--", "./part", "1000"], 0);
    done(dir.path(), &["batch", "--", "./part", "900", "1010"], 0);
    done(dir.path(), &["report", "1", "2"], 0);
    let page = Page::new(1280, 900);
    page.open(&dir.path().join("out/report.html"), "");
    let summary = page.text("#summary");
    for text in ["6,823,000", "40,400,000", "41,343,200", "1000"] {
        assert!(summary.contains(text), "{text}: {summary}");
    }
    // The cases too; a downloaded table has plain numbers.
    let cells = page.text("#table");
    for text in ["40,000,000", "40,400,000", "+400,000", "−100"] {
        assert!(cells.contains(text), "{text}: {cells}");
    }
    let figures = page.text("#figures");
    assert!(
        figures.contains("Mean logarithm of the score A, B"),
        "{figures}"
    );
    assert!(figures.contains("−0.0669"), "{figures}");
    let labels = page.eval("Chart.getChart('histogram').data.labels");
    let expected = [
        "900–999",
        "1000–9999",
        "10000–99999",
        "100K–1M",
        "1M–10M",
        "10M–40.4M",
    ];
    assert_eq!(labels, serde_json::json!(expected));
    assert_eq!(page.faults(), serde_json::json!([]));
}
