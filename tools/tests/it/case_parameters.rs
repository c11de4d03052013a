//! Parameters of cases that only a contest's own tester understands: from the first line of a case, from an expression,
//! and from `[DATA]` lines.

use std::path::Path;

use crate::common::{Shown, run_in, script, words, write_cases};

/// Sixty cases `N M`, and a tester that reads the factor of a program from its argument. It prints how many loops there
/// were, on stderr as psytester has it.
pub(super) fn contest(dir: &Path) {
    write_cases(
        dir,
        (0..60).map(|number| format!("{} {}\nmaze {}\n", 10 + number / 6, number % 3, number % 2)),
    );
    // For N of 17 and more, the program `slow` needs a tenth more; for less, a hundredth less.
    script(
        dir,
        "t",
        "read -r n m < $2; i=${2#in/00}; i=${i%.txt}; i=${i#0}; score=$((n * 1000 + i % 7))\n\
         if [ $1 = slow ]; then if [ $n -ge 17 ]; then score=$((score * 11 / 10)); else score=$((score * 99 / 100)); fi; fi\n\
         echo \"[DATA] loops = $((n * n))\" >&2; echo Score = $score",
    );
}

/// Judges all cases with this tester; what it prints.
pub(super) fn batch(dir: &Path, program: &str, more: &[&str]) -> Shown {
    let line = format!("./t {program} {{case}}");
    let words = ["batch", "--external", &line, "--tag", program];
    run_in(dir, &[&words[..], more].concat(), "")
}

#[test]
fn parameters_of_the_first_line_and_data_lines_are_columns_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let shown = batch(dir.path(), "fast", &["--parameters", "N M", "--csv"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let mut lines = shown.stdout.lines();
    assert!(
        lines.next().unwrap().ends_with(",reason,N,M,loops"),
        "{}",
        shown.stdout
    );
    assert!(
        lines.nth(13).unwrap().ends_with(",,12,1,144"),
        "{}",
        shown.stdout
    );
    let table = &shown.stderr;
    assert!(table.contains("  N=19 M=2 loops=361\n"), "{table}");
    let by: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("by "))
        .collect();
    insta::assert_snapshot!(by.join("\n"), @"
    by N       10 to 12: mean 11,003  13 to 16: mean 14,503  17 to 19: mean 18,003
    by M       0: mean 14,503  1: mean 14,503  2: mean 14,503
    by loops   100 to 144: mean 11,003  169 to 256: mean 14,503  289 to 361: mean 18,003
    ");
    let json = run_in(dir.path(), &["show", "--json"], "").stdout;
    let first = json.lines().next().unwrap();
    assert!(
        first.ends_with(r#""parameters":{"N":10,"M":0,"loops":100}}"#),
        "{first}"
    );
    let details = run_in(dir.path(), &["show"], "").stdout;
    assert!(details.contains("parameters N M loops\n"), "{details}");
    // From an expression of tester.toml.
    let config = "version = 1\n[judge]\nexternal = './t fast {case}'\nparameters = '(?m)^maze (?<maze>\\d)$'\n";
    std::fs::write(dir.path().join("tester.toml"), config).unwrap();
    let shown = run_in(dir.path(), &["batch", "--json"], "");
    let second = shown.stdout.lines().nth(1).unwrap();
    assert!(
        second.ends_with(r#""parameters":{"maze":1,"loops":100}}"#),
        "{shown:?}"
    );
}

#[test]
fn where_a_run_is_worse_than_the_one_before_is_said_by_parameter() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let parameters = ["--parameters", "N M"];
    assert_eq!(batch(dir.path(), "fast", &parameters).status, 0);
    let shown = batch(dir.path(), "slow", &parameters);
    let against = shown.stdout.split_once("against ").unwrap().1;
    insta::assert_snapshot!(against, @"
       run 1: +448 ± 231; better on 42 cases, the same on 0, worse on 18
               run 1 is of another command: sh -c './t fast {case}'
               worse where N ≥ 17: +10.0 % (p < 0.0001); loops ≥ 289: +10.0 % (p < 0.0001)
               better where N ≤ 12: -1.0 % (p < 0.0001); N is 13 to 16: -1.0 % (p < 0.0001); loops ≤ 144: -1.0 % (p < 0.0001); loops is 169 to 256: -1.0 % (p < 0.0001)
               tester compare 1
    ");
    let compared = run_in(dir.path(), &["compare", "1", "2"], "").stdout;
    let told = compared
        .lines()
        .skip_while(|line| !line.starts_with("B is worse where"));
    let told: Vec<&str> = told.take(5).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    B is worse where N ≥ 17: +10.0 % (p < 0.0001); loops ≥ 289: +10.0 % (p < 0.0001).
    B is better where N ≤ 12: -1.0 % (p < 0.0001); N is 13 to 16: -1.0 % (p < 0.0001); loops ≤ 144:
    -1.0 % (p < 0.0001); loops is 169 to 256: -1.0 % (p < 0.0001).
    (p is corrected for the 9 groups that were looked at)
    cases that changed most
    ");
    // Nothing is said where nothing is significant.
    let again = batch(dir.path(), "slow", &parameters);
    assert!(!again.stdout.contains("where"), "{again:?}");
    // A run from before the names were given has only what `[DATA]` lines told.
    assert_eq!(batch(dir.path(), "fast", &[]).status, 0);
    let older = run_in(dir.path(), &["compare", "4", "2"], "").stdout;
    assert!(
        older.contains("\nB is worse where N ≥ 17: +10.0 % (p < 0.0001); loops ≥ 289:"),
        "{older}"
    );
}

#[test]
fn parameters_that_no_case_has_are_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let refused = |parameters: &str| {
        let shown = batch(dir.path(), "fast", &["--parameters", parameters]);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("_ _ K"), @r#"
    tester: no parameter in in/0000.txt: expected a number for one of K, found "10 0"
    hint: names are for the numbers of the first line, in their order (_ for one without a name); an expression with named groups finds them elsewhere: '(?m)^K=(?<K>\d+)$'
    "#);
    insta::assert_snapshot!(refused("N N"), @r#"
    tester: failed to understand --parameters: expected at most 64 different words without spaces as names of parameters, found "N" again
    hint: for example "N M eps", or an expression with named groups: '\A(?<N>\d+) (?<M>\d+)'
    "#);
    let shown = run_in(
        dir.path(),
        &words("batch --seeds 0..2 --parameters N -- true"),
        "",
    );
    assert!(
        shown
            .stderr
            .contains("--parameters cannot be used without --external"),
        "{shown:?}"
    );
}

#[test]
fn shards_have_the_parameters_that_are_named_beforehand() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    for part in ["1/2", "2/2"] {
        let file = format!("{}.jsonl", &part[..1]);
        let more = ["--parameters", "N M", "--shard", part, "--to", &file];
        let line = "./t fast {case}";
        let words = ["batch", "--external", line];
        let shown = run_in(dir.path(), &[&words[..], &more].concat(), "");
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    let merged = run_in(dir.path(), &["merge", "1.jsonl", "2.jsonl", "--json"], "");
    assert_eq!(merged.status, 0, "{merged:?}");
    let first = merged.stdout.lines().next().unwrap();
    assert!(
        first.ends_with(r#""parameters":{"N":10,"M":0}}"#),
        "{first}"
    );
}

#[test]
fn a_resumed_run_keeps_the_names_that_data_lines_told() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let stop = dir.path().join("in/0030.txt.stop");
    std::fs::write(&stop, "").unwrap();
    // The first half knows only one name, the second half another one too.
    let line = "test ! -e {case}.stop && ./t fast {case} && \
                { test {number} -lt 40 || echo '[DATA] late = {number}' >&2; }";
    let line = line.replace("{ ", "{{ ").replace("; }", "; }}");
    let words = ["batch", "--external", &line, "--parameters", "N M"];
    let more = ["--jobs", "1", "--fail-fast"];
    let shown = run_in(dir.path(), &[&words[..], &more].concat(), "");
    assert_eq!(shown.status, 1, "{shown:?}");
    std::fs::remove_file(stop).unwrap();
    let resumed = run_in(dir.path(), &["batch", "--resume", "--csv"], "");
    let lines: Vec<&str> = resumed.stdout.lines().collect();
    assert!(lines[0].ends_with(",N,M,loops,late"), "{resumed:?}");
    assert!(lines[1].ends_with(",10,0,100,"), "{resumed:?}");
    assert!(lines[60].ends_with(",19,2,361,59"), "{resumed:?}");
}
