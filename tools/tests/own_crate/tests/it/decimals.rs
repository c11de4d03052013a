//! Scores with decimals, wherever they are read. Expected values are those of whole numbers, of hundredths.

#[path = "../../src/bin/fare/problem.rs"]
mod problem;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Shown, program, show};

/// On `N`: with the secret k, `up` pays 1 + 2 + … + k, and `down` N + (N - 1) + … + k.
const UP: &str = "read -r name n; i=1; while :; do echo $i; read -r reply; [ \"$reply\" = '=' ] && break; \
                  i=$((i + 1)); done";
const DOWN: &str = "read -r name n; i=$n; while :; do echo $i; read -r reply; [ \"$reply\" = '=' ] && break; \
                    i=$((i - 1)); done";

fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "up", UP);
    program(dir.path(), "down", DOWN);
    dir
}

/// Runs the binary with these words between blanks; an underscore is a blank in a word.
fn fare(dir: &Path, words: &str, input: &str) -> Shown {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fare"));
    let words = words.split(' ').map(|word| word.replace('_', " "));
    command.arg0("fare").args(words);
    show(command, dir, input)
}

/// What it prints, where it ends with this status.
fn stdout(dir: &Path, words: &str, status: i32) -> String {
    let shown = fare(dir, words, "");
    assert_eq!(shown.status, status, "{shown:?}");
    shown.stdout
}

/// What both programs came to on all secrets of 10 stops, as the next two runs.
fn two_runs(dir: &Path, problem: &str) -> [String; 2] {
    ["up", "down"].map(|name| {
        let words = format!("batch --all-secrets --problem {problem}_10 --tag {name} -- ./{name}");
        stdout(dir, &words, 0)
    })
}

/// The lines that tell no times.
fn figures(text: &str) -> String {
    let told = |line: &&str| !line.starts_with("slowest");
    text.lines().filter(told).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_holds_for_every_problem_holds_for_scores_with_decimals() {
    tester::testing::check(&problem::FARE);
    tester::testing::check(&problem::PURSE);
    let forged = std::panic::catch_unwind(|| tester::testing::check(&problem::FORGED));
    assert!(forged.is_err());
}

#[test]
fn one_case_shows_its_score() {
    let dir = folder();
    std::fs::write(dir.path().join("case"), "fare 10\n4\n").unwrap();
    // 0.01 + 0.02 + 0.03 + 0.04.
    let shown = fare(dir.path(), "--transcript t.transcript ./up", "fare 10\n4\n");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, "Score = 0.10\n"));
    let transcript = std::fs::read_to_string(dir.path().join("t.transcript")).unwrap();
    assert!(transcript.ends_with("] = AC, score 0.10\n"), "{transcript}");
    let shown = fare(dir.path(), "judge case", "9\n4\n");
    assert_eq!(shown.stderr, "Score = 0.13\n");
    let shown = fare(dir.path(), "vis case t.transcript", "");
    assert_eq!(shown.stdout, "Score = 0.10\n");
    let page = std::fs::read_to_string(dir.path().join("vis.html")).unwrap();
    assert!(page.contains(r#""verdict":"AC","score":"0.10""#));
    let shown = fare(dir.path(), "play case --solver ./up", "9\n4\n");
    let end = "found in 0.13 coins\n./up finds it in 0.10 coins\n";
    assert!(shown.stdout.ends_with(end), "{shown:?}");
    // What is not accepted has no score.
    let shown = fare(dir.path(), "judge case", "9\n");
    assert!(shown.stderr.ends_with("\nScore = 0\n"), "{shown:?}");
}

#[test]
fn a_batch_is_summed_up_in_decimals() {
    let dir = folder();
    let [up, _] = two_runs(dir.path(), "fare");
    // Sum of k (k + 1) / 2 for k from 1 to 10: 220 hundredths.
    insta::assert_snapshot!(figures(&up), @r"
    cases      10
    verdicts   AC 10
    mean       0.2200 (of every secret: exact)
    min        0.01
    median     0.18
    max        0.55
    total      2.20 over 10 accepted
         score  cases
     0.00-0.09      3 ████████████████████████████████████████
     0.10-0.19      2 ███████████████████████████
     0.20-0.29      2 ███████████████████████████
     0.30-0.39      1 ██████████████
     0.40-0.49      1 ██████████████
     0.50-0.55      1 ██████████████
    worst      0009  0.55
               0008  0.45
               0007  0.36
               0006  0.28
               0005  0.21
    rerun      printf '%s\n' 'fare 10' 10 | fare -- ./up
    run        1 (up) in out/history.sqlite
    ");
}

#[test]
fn a_second_batch_is_summed_up_beside_the_first() {
    let dir = folder();
    let [_, down] = two_runs(dir.path(), "fare");
    // Sum of 55 - k (k - 1) / 2: 385 hundredths; the mean difference is 16.5 of them.
    insta::assert_snapshot!(figures(&down), @r"
    cases      10
    verdicts   AC 10
    mean       0.3850 (of every secret: exact)
    min        0.10
    median     0.425
    max        0.55
    total      3.85 over 10 accepted
         score  cases
     0.10-0.19      2 ███████████████████████████
     0.20-0.29      1 ██████████████
     0.30-0.39      1 ██████████████
     0.40-0.49      3 ████████████████████████████████████████
     0.50-0.55      3 ████████████████████████████████████████
    worst      0000  0.55 (best 0.01)
               0001  0.54 (best 0.03)
               0002  0.52 (best 0.06)
               0003  0.49 (best 0.10)
               0004  0.45 (best 0.15)
    worst by   difference from the best score known for the case
    rerun      printf '%s\n' 'fare 10' 1 | fare -- ./down
    run        2 (down) in out/history.sqlite
    against    run 1: +0.1650; better on 3 cases, the same on 0, worse on 7
               run 1 is of another command: ./up
               fare compare 1
    ");
    let best = stdout(dir.path(), "show 1", 0);
    insta::assert_snapshot!(best.lines().find(|line| line.starts_with("relative")).unwrap(), @"relative   83.54 (mean of 100 x best known score / score)");
    let list = stdout(dir.path(), "history", 0);
    let means: Vec<&str> = list
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().nth(6).unwrap())
        .collect();
    assert_eq!(means, ["0.3850", "0.2200"]);
    let json = stdout(dir.path(), "show 1 --json", 0);
    let scores = |field: &str| -> Vec<String> {
        let field = |line: &str| Some(line.split_once(field)?.1.split_once(',')?.0.to_owned());
        json.lines().filter_map(field).collect()
    };
    let expected = [
        "0.01", "0.03", "0.06", "0.1", "0.15", "0.21", "0.28", "0.36", "0.45", "0.55",
    ];
    assert_eq!(scores("\"score\":"), expected);
    let csv = stdout(dir.path(), "show 1 --csv", 0);
    let fourth = csv.lines().nth(4).unwrap();
    assert!(fourth.starts_with("3,"), "{csv}");
    assert_eq!(fourth.split(',').nth(3), Some("0.1"), "{csv}");
}

#[test]
fn runs_are_compared_in_decimals() {
    let dir = folder();
    two_runs(dir.path(), "fare");
    let by = |measure: &str| {
        figures(&stdout(
            dir.path(),
            &format!("compare 1 2 --by {measure}"),
            0,
        ))
    };
    insta::assert_snapshot!(by("score"), @"
    A          run 1 (up)  ./up
    B          run 2 (down)  ./down
    source     differs: fare diff 1 2
    problem    fare 10
    cases      10 in both, 10 accepted in both
    measure    mean score
    A          0.2200
    B          0.3850
    B - A      +0.1650 (every secret was played: exact)
    by case    B better on 3, the same on 0, worse on 7
    A is better than B. Every secret was played, so this is the exact difference and not an estimate; no
    test is needed.
    cases that changed most
          case      A      B  B - A
          0000   0.01   0.55  +0.54
          0001   0.03   0.54  +0.51
          0002   0.06   0.52  +0.46
          0009   0.55   0.10  -0.45
          0003   0.10   0.49  +0.39
          0004   0.15   0.45  +0.30
          0008   0.45   0.19  -0.26
          0005   0.21   0.40  +0.19
          0007   0.36   0.27  -0.09
          0006   0.28   0.34  +0.06
    ");
    let measured = |measure: &str| {
        let rows = ["measure", "A    ", "B    ", "B - A", "as ratio"];
        let text = by(measure);
        let is_row = |line: &&str| rows.iter().any(|row| line.starts_with(row));
        let told = text
            .lines()
            .filter(is_row)
            .filter(|line| !line.contains("./"));
        told.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(measured("relative"), @"
    measure    mean relative score (100: the best score known for the case; higher is better)
    A          83.5404
    B          50.7507
    B - A      -32.7897 (every secret was played: exact)
    ");
    insta::assert_snapshot!(measured("rank"), @"
    measure    mean rank (1: the better of the two)
    A          1.3000
    B          1.7000
    B - A      +0.4000 (every secret was played: exact)
    ");
    insta::assert_snapshot!(measured("log"), @"
    measure    mean logarithm of the score
    A          -2.0376
    B          -1.0648
    B - A      +0.9729 (every secret was played: exact)
    as ratio   B's scores are A's +164.56 %
    ");
}

#[test]
fn more_is_better_where_the_problem_says_so() {
    let dir = folder();
    let [up, down] = two_runs(dir.path(), "purse");
    insta::assert_snapshot!(figures(&up), @r"
    cases      10
    verdicts   AC 10
    mean       9.7800 (of every secret: exact)
    min        9.45
    median     9.82
    max        9.99
    total      97.80 over 10 accepted
         score  cases
     9.40-9.49      1 ██████████
     9.50-9.59      1 ██████████
     9.60-9.69      1 ██████████
     9.70-9.79      2 ████████████████████
     9.80-9.89      1 ██████████
     9.90-9.99      4 ████████████████████████████████████████
    worst      0009  9.45
               0008  9.55
               0007  9.64
               0006  9.72
               0005  9.79
    rerun      printf '%s\n' 'purse 10' 10 | fare -- ./up
    run        1 (up) in out/history.sqlite
    ");
    insta::assert_snapshot!(figures(&down), @r"
    cases      10
    verdicts   AC 10
    mean       9.6150 (of every secret: exact)
    min        9.45
    median     9.575
    max        9.90
    total      96.15 over 10 accepted
         score  cases
     9.40-9.49      3 ████████████████████████████████████████
     9.50-9.59      2 ███████████████████████████
     9.60-9.69      2 ███████████████████████████
     9.70-9.79      1 ██████████████
     9.80-9.89      1 ██████████████
          9.90      1 ██████████████
    worst      0000  9.45 (best 9.99)
               0001  9.46 (best 9.97)
               0002  9.48 (best 9.94)
               0003  9.51 (best 9.90)
               0004  9.55 (best 9.85)
    worst by   difference from the best score known for the case
    rerun      printf '%s\n' 'purse 10' 1 | fare -- ./down
    run        2 (down) in out/history.sqlite
    against    run 1: -0.1650; better on 3 cases, the same on 0, worse on 7
               run 1 is of another command: ./up
               fare compare 1
    ");
    let compared = stdout(dir.path(), "compare 2 best", 0);
    assert!(compared.contains("\nB - A      +0.1650 "), "{compared}");
    assert!(compared.contains("B is better than A."), "{compared}");
    // Hundredths of a fare and of a purse are not compared.
    two_runs(dir.path(), "fare");
    let shown = fare(dir.path(), "compare 1 3", "");
    assert_eq!(shown.status, 2, "{shown:?}");
}

#[test]
fn a_duel_is_decided_by_decimals() {
    let dir = folder();
    let duel = |words: &str| fare(dir.path(), &format!("duel ./up ./down {words}"), "").stdout;
    insta::assert_snapshot!(duel("--problem fare_10 --max-cases 60"), @"
    A          0.2577  ./up
    B          0.3532  ./down
    pairs      60 accepted from both, of 60 played
    B - A      +0.0955 (-0.1184 to +0.2916 with 95 % confidence, whenever you stop)
    by case    A better on 36, the same on 0, B better on 24
    test       betting on the sign of the next difference; alpha 0.05
    Not decided. If the true difference is the observed one (+0.0955), about 94 more pairs would decide
    it. If it is smaller, it takes more.
    runs       1 and 2 in out/history.sqlite
    ");
    insta::assert_snapshot!(duel("--problem purse_40 --max-cases 400"), @"
    A          6.6825  ./up
    B          4.8918  ./down
    pairs      113 accepted from both, of 113 played
    B - A      -1.7907 (-3.5316 to -0.0054 with 95 % confidence, whenever you stop)
    by case    A better on 73, the same on 0, B better on 40
    test       betting on the sign of the next difference; alpha 0.05
    A is better, after 113 pairs. If both were equally good, A would be declared better with probability
    0.05 at most, however often you look. Equally good means: swapping them changes nothing, or the
    means are equal and B is never better by more than 26.702.
    runs       3 and 4 in out/history.sqlite
    ");
}

#[test]
fn shards_are_merged_with_their_decimals() {
    let dir = folder();
    let [whole, _] = two_runs(dir.path(), "fare");
    std::fs::create_dir(dir.path().join("shards")).unwrap();
    for part in 1..=3 {
        let shard = format!("--shard {part}/3 --to shards/{part}.jsonl");
        stdout(
            dir.path(),
            &format!("batch --all-secrets --problem fare_10 {shard} -- ./up"),
            0,
        );
    }
    // A line counts units, whatever the header says of their size.
    let shard = std::fs::read_to_string(dir.path().join("shards/2.jsonl")).unwrap();
    assert!(shard.contains(r#""decimals":2"#), "{shard}");
    assert!(shard.contains(r#""score":15,"turns":5"#), "{shard}");
    let merged = stdout(dir.path(), "merge shards --history m", 0);
    let table = |text: &str| -> Vec<String> {
        let rows = ["mean", "min", "median", "max", "total"];
        let of = |line: &&str| rows.iter().any(|row| line.starts_with(row));
        text.lines().filter(of).map(str::to_owned).collect()
    };
    assert_eq!(table(&merged), table(&whole));
}

#[test]
fn a_score_with_other_decimals_than_its_problem_is_the_problems_own_error() {
    let dir = folder();
    let shown = stdout(
        dir.path(),
        "batch --all-secrets --problem forged_2 -- ./up",
        2,
    );
    let why =
        "0000  IE: expected a score with 2 decimals, which the problem says, found 1 with 0\n";
    assert!(shown.contains(why), "{shown}");
}

#[test]
fn a_report_and_tune_read_decimals() {
    let dir = folder();
    two_runs(dir.path(), "fare");
    stdout(dir.path(), "report 1 2", 0);
    let page = std::fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(page.contains(r#""objective":"min","decimals":2,"#));
    assert!(page.contains(r#""min":"0.01","median":0.18,"max":"0.55","total":"2.20""#));
    assert!(page.contains(r#""score":["0.01","0.03","0.06","0.10","#));
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cli/src/cmd/tune/tune.py");
    let look = format!(
        "import sys, types, pathlib, importlib.util as u\n\
         sys.dont_write_bytecode = True\n\
         for name in ('optuna', 'scipy'): sys.modules[name] = types.ModuleType(name)\n\
         spec = u.spec_from_file_location('tune', {file:?})\n\
         tune = u.module_from_spec(spec); sys.modules['tune'] = tune; spec.loader.exec_module(tune)\n\
         tune.PLAN = {{'decimals': 2}}\n\
         run = tune.Running.__new__(tune.Running)\n\
         run.history, run.tag, run.run, run.shards = pathlib.Path('out/history.sqlite'), 'up', None, None\n\
         run.seen, run.scores, run.failed = set(), {{}}, None\n\
         run.look()\n\
         print(sum(run.scores.values()), run.scores[3])\n"
    );
    let mut python = std::process::Command::new("python3");
    python.args(["-c", &look]);
    if python.output().is_ok() {
        let shown = show(python, dir.path(), "");
        assert_eq!(shown.stdout, "2.20 0.10\n", "{shown:?}");
    }
}

#[test]
fn a_panic_of_a_problem_names_the_case() {
    let dir = folder();
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for (case, stop) in [("0003", 2), ("0007", 10), ("0011", 3)] {
        let path = dir.path().join(format!("in/{case}.txt"));
        std::fs::write(path, format!("forged 10\n{stop}\n")).unwrap();
    }
    for (words, case) in [
        ("batch --jobs 1", "case 0007"),
        (
            "gen --seeds 12..15 --dir made --problem forged_10",
            "the case of seed 13",
        ),
        (
            "batch --seeds 13..15 --problem forged_10",
            "the case of seed 13",
        ),
        (
            "batch --seeds 12..15 --problem forged_10 --jobs 1",
            "case 0013",
        ),
    ] {
        // It may end by SIGABRT, so only its words are looked at.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fare"));
        command.args(words.split(' ').map(|word| word.replace('_', " ")));
        if words.starts_with("batch") {
            command.args(["--", "./up"]);
        }
        let output = command.current_dir(dir.path()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && stderr.contains("a mistake"),
            "{stderr}"
        );
        let named = stderr.lines().filter(|line| line.contains("this was in"));
        let expected = format!(
            "fare: this was in {case}, in the code of the problem or of the judge, not in the program"
        );
        assert_eq!(named.collect::<Vec<_>>(), [expected], "{stderr}");
    }
}
