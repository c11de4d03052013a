//! Every command that a contestant needs, through the real binary, in a folder of its own.

use std::os::unix::process::CommandExt;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// What a run of the binary showed.
#[derive(Debug)]
pub struct Shown {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the binary as if it was found in the PATH.
pub fn ahc030(dir: &Path, words: &[&str], input: &[u8]) -> Shown {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ahc030"));
    command.arg0("ahc030").args(words);
    let output = Command::from(command)
        .current_dir(dir)
        .write_stdin(input)
        .output()
        .unwrap();
    Shown {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Knows the answers to seeds 0 to 4 by their first lines, and drills a number of cells before it answers: a cost that
/// is known beforehand. Arguments: that number for each seed.
const KNOWING: &str = r#"
import sys
first = input(); [input() for _ in range(int(first.split()[1]))]
seed = ANSWERS.index(next(a for a in ANSWERS if a[0] == first))
for drill in range(int(sys.argv[1 + seed])):
    print("q 1 0 0", flush=True); input()
print(ANSWERS[seed][1], flush=True); input()
"#;

/// A folder with the cases of seeds 0 to 4 and the contestant `knowing.py`.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let made = ahc030(dir.path(), &["gen", "--seeds", "0..5"], b"");
    assert_eq!(
        (made.status, made.stderr.as_str()),
        (0, "in: 5 cases of \"ahc030\": 5 written, 0 there already\n")
    );
    let answer = |seed: u64| {
        use tester::problem::Problem;
        let problem = &ahc030::problem::AHC030;
        let case = problem.generate(&[], tester::Seed(seed)).unwrap();
        let opening = case.opening();
        let first = opening.lines().next().unwrap().to_owned();
        format!("({first:?}, {:?})", case.answer().unwrap())
    };
    let answers: Vec<String> = (0..5).map(answer).collect();
    let program = format!("ANSWERS = [{}]\n{KNOWING}", answers.join(", "));
    std::fs::write(dir.path().join("knowing.py"), program).unwrap();
    dir
}

/// The words of a batch with this many drills for each seed.
fn batch<'a>(options: &[&'a str], drills: [&'a str; 5]) -> Vec<&'a str> {
    let command = ["--time-limit", "60", "--", "python3", "knowing.py"];
    [&["batch"], options, &command, &drills].concat()
}

/// Lines of a text that begin with one of these labels.
fn rows(text: &str, labels: &[&str]) -> String {
    let is_wanted = |line: &&str| labels.iter().any(|label| line.starts_with(label));
    let rows: Vec<&str> = text.lines().filter(is_wanted).collect();
    rows.join("\n")
}

#[test]
fn a_batch_prints_means_and_relative_scores() {
    let dir = folder();
    // Costs 1, 10, 100, 10, 1 in millions: the mean is 24.4, the geometric one the fifth root of 10⁴.
    let words = batch(&["--cases", "in"], ["1", "10", "100", "10", "1"]);
    let shown = ahc030(dir.path(), &words, b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    let labels = ["cases", "verdicts", "mean", "geometric", "relative", "by "];
    insta::assert_snapshot!(rows(&shown.stdout, &labels), @"
    cases      5
    verdicts   AC 5
    mean       24,400,000 ± 52,771,450 (95 % confidence)
    geometric  6,309,573 (each case counts by its ratio; compare --by log)
    relative   100.00 (mean of 100 x best known score / score)
    by N       13: mean 55,000,000  15: mean 1,000,000  16: mean 1,000,000  19: mean 10,000,000
    by M       2: mean 37,000,000  6: mean 10,000,000  8: mean 1,000,000
    by eps     0.01: mean 1,000,000  0.04: mean 10,000,000  0.07: mean 100,000,000  0.08: mean 10,000,000  0.14: mean 1,000,000
    ");
    // Twice the cost in case 1, a quarter of it in case 2: 100 x (1 + 1/2 + 1 + 1 + 1) / 5.
    let words = batch(&["--cases", "in"], ["1", "20", "25", "10", "1"]);
    let shown = ahc030(dir.path(), &words, b"");
    let labels = ["geometric", "relative", "against"];
    insta::assert_snapshot!(rows(&shown.stdout, &labels), @"
    geometric  5,492,803 (each case counts by its ratio; compare --by log)
    relative   90.00 (mean of 100 x best known score / score)
    against    run 1: -13,000,000 ± 43,369,459; better on 1 case, the same on 3, worse on 1
    ");
    // Of the first run: 100 x (1 + 1 + 1/4 + 1 + 1) / 5. By ratio: (2 · 1/4)^(1/5) is 12.94 % less than 1.
    let shown = ahc030(dir.path(), &["show", "1"], b"");
    insta::assert_snapshot!(rows(&shown.stdout, &["relative", "geometric"]), @"
    relative   85.00 (mean of 100 x best known score / score)
    geometric  6,309,573 (each case counts by its ratio; compare --by log)
    ");
    let shown = ahc030(dir.path(), &["compare", "1", "2", "--by", "log"], b"");
    let labels = ["measure", "as ratio", "by case", "      case", "      000"];
    insta::assert_snapshot!(rows(&shown.stdout, &labels), @"
    measure    mean logarithm of the score
    as ratio   B's scores are A's -12.94 % (95 % confidence: -66.09 % to +123.48 %)
    by case    B better on 1, the same on 3, worse on 1
          case           A           B       B - A
          0002 100,000,000  25,000,000 -75,000,000  N=13 M=2 eps=0.07
          0001  10,000,000  20,000,000 +10,000,000  N=13 M=6 eps=0.04
    ");
}

#[test]
fn an_interrupted_batch_is_resumed() {
    let dir = folder();
    // 1000 operations are too many, so the batch ends at case 2.
    let words = batch(
        &["--fail-fast", "--jobs", "1"],
        ["1", "10", "1000", "10", "1"],
    );
    let shown = ahc030(dir.path(), &words, b"");
    assert!(
        shown.stderr.contains(
            "ahc030: 3 of 5 cases are judged and kept\nhint: to continue: ahc030 batch --resume=1\n"
        ),
        "{shown:?}"
    );
    insta::assert_snapshot!(rows(&shown.stdout, &["0002", "cases"]), @r#"
    cases      3 of 5: 2 are not judged yet
    0002  WA: turn 339: "q 1 0 0" was printed after the game was over: exit as soon as it is over
    "#);
    let shown = ahc030(dir.path(), &["batch", "--resume=1"], b"");
    insta::assert_snapshot!(rows(&shown.stdout, &["cases", "verdicts"]), @"
    cases      5
    verdicts   AC 4  WA 1
    ");
}

#[test]
fn shards_of_a_batch_are_merged_into_the_same_run() {
    let dir = folder();
    let drills = ["1", "10", "100", "10", "1"];
    let whole = ahc030(dir.path(), &batch(&[], drills), b"");
    for (shard, to) in [("1/2", "1.jsonl"), ("2/2", "2.jsonl")] {
        let shown = ahc030(
            dir.path(),
            &batch(&["--shard", shard, "--to", to], drills),
            b"",
        );
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    let merged = ahc030(dir.path(), &["merge", "1.jsonl", "2.jsonl"], b"");
    let labels = ["cases", "verdicts", "mean", "geometric", "total", "by "];
    assert_eq!(rows(&merged.stdout, &labels), rows(&whole.stdout, &labels));
    let shown = ahc030(dir.path(), &["compare", "1", "2"], b"");
    assert!(
        shown
            .stdout
            .contains("B better on 0, the same on 5, worse on 0\n"),
        "{shown:?}"
    );
}

#[test]
fn a_duel_names_the_better_program() {
    let dir = folder();
    let program = |drills: &str| format!("python3 knowing.py {drills}");
    let (good, bad) = (program("1 1 1 1 1"), program("2 3 4 5 6"));
    let words = ["duel", "--seeds", "0..5", "--time-limit", "60", &good, &bad];
    let shown = ahc030(dir.path(), &words, b"");
    insta::assert_snapshot!(rows(&shown.stdout, &["pairs", "by case"]), @"
    pairs      5 accepted from both, of 5 played
    by case    A better on 5, the same on 0, B better on 0
    ");
    let report = ahc030(
        dir.path(),
        &["report", "1", "2", "--to", "report.html"],
        b"",
    );
    assert_eq!(report.status, 0, "{report:?}");
    let page = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(
        page.contains("N=15 M=2 eps=0.01"),
        "the parameters of case 0"
    );
}

#[test]
fn help_and_problems_speak_of_this_contest() {
    let dir = tempfile::tempdir().unwrap();
    let problems = ahc030(dir.path(), &["problems"], b"").stdout;
    assert!(
        problems.starts_with("ahc030 [N=…] [M=…] [eps=…]"),
        "{problems}"
    );
    let help = ahc030(dir.path(), &["gen", "--help"], b"").stdout;
    assert!(
        help.contains("[default: \"ahc030\"]") || help.contains("[default: ahc030]"),
        "{help}"
    );
    assert!(!help.contains("hitblow"), "{help}");
}
