//! Priors, bounds and comparisons as people use them.

use crate::cli::{run, run_in};

#[test]
fn what_article_002_would_explore_tells_less() {
    let args = [
        "explain",
        "hitblow 3 10",
        "012:0,1",
        "--guess",
        "134",
        "--guess",
        "345",
    ];
    let shown = run(&args);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(
        shown.stdout.contains("      134  information 2.3587 bits"),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stdout.contains("      345  information 2.1120 bits"),
        "{}",
        shown.stdout
    );
}

#[test]
fn noisy_replies_are_explained() {
    let shown = run(&["explain", "gap 3 10 0", "345:0,20"]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(
        shown
            .stdout
            .starts_with("posterior  1.0000 bits, 2 candidates\n"),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stdout.contains("365") && shown.stdout.contains("325"),
        "{}",
        shown.stdout
    );
    let shown = run(&["explain", "gap 3 10 0", "345:0,20", "365:0,3"]);
    assert!(
        shown.status == 1 && shown.stdout.contains("row 2"),
        "{}",
        shown.stdout
    );
    assert!(
        run(&["explain", "gap 3 10 0", "345"])
            .stderr
            .contains("expected GUESS:0,DIFFERENCE")
    );
}

#[test]
fn a_printed_prior_is_read_again_and_costs_nothing_if_it_is_true() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(&["prior-cost", "--print", "dates"]);
    assert_eq!(printed.stdout.lines().count(), 721);
    std::fs::write(folder.path().join("mine.txt"), printed.stdout).unwrap();
    let shown = run_in(
        folder.path(),
        &["prior-cost", "map", "--prior", "mine.txt"],
        "",
    );
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let row = |name: &str| {
        let row = shown
            .stdout
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap();
        row.split_ascii_whitespace()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("mine"), row("dates"));
    // The mean that `lab policy` computes.
    let policy = run_in(folder.path(), &["policy", "map", "--prior", "mine.txt"], "");
    let mean = policy
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("mean under the prior "));
    assert_eq!(
        row("mine").last().map(String::as_str),
        mean,
        "{}",
        policy.stdout
    );
    // Only dates: most other codes are never found.
    assert!(shown.stdout.contains("70.83 %*"), "{}", shown.stdout);
    assert!(
        run(&["prior-cost", "minmax"])
            .stderr
            .contains("expected a policy that takes a prior, such as map or mi, found minmax")
    );
    assert!(
        run(&["prior-cost", "--print", "x"])
            .stderr
            .contains("expected a prior (uniform, digit, stairs, dates, only-dates)")
    );
}

#[test]
fn bounds_and_comparisons_are_printed() {
    let shown = run(&[
        "bound",
        "--problem",
        "distance 1 4 1",
        "--seeds",
        "0..200",
        "--json",
    ]);
    let shown: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let mean = |name: &str| shown[name]["mean"].as_f64().unwrap();
    let optimum = shown["optimum"][0].as_f64().unwrap();
    assert!(
        mean("hindsight") < optimum && optimum < mean("played") + 0.5,
        "{shown}"
    );
    assert_eq!(shown["games"], 200);
    let args = [
        "policy",
        "map",
        "--problem",
        "gap 2 5 2",
        "--seeds",
        "0..50",
        "--against",
        "map",
    ];
    let same = run(&args).stdout;
    assert!(
        same.lines()
            .last()
            .unwrap()
            .ends_with("+0.0000 ± 0.0000  0, 0"),
        "{same}"
    );
    let paths = [
        "policy",
        "map",
        "--problem",
        "gap 2 5 2",
        "--paths",
        "20",
        "--against",
        "mi[hit-bonus=2]",
    ];
    assert_eq!(run(&paths).stdout.lines().count(), 4);
    let refused = run(&["policy", "mi", "--against", "map"]).stderr;
    assert!(
        refused.contains("--against goes with problems that are played game by game"),
        "{refused}"
    );
    assert!(
        run(&["bound", "--problem", "hitblow 3 10"])
            .stderr
            .contains("expected distance or gap")
    );
}
