//! Priors, bounds, comparisons and noisy games as people use them.

use crate::cli::{run, run_in, without_time};
use crate::words::words;

#[test]
fn what_article_002_would_explore_tells_less() {
    let args = words("explain 'hitblow 3 10' 012:0,1 --guess 134 --guess 345");
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
    let shown = run(&words(
        "bound --problem 'distance 1 4 1' --seeds 0..200 --json",
    ));
    let shown: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let mean = |name: &str| shown[name]["mean"].as_f64().unwrap();
    let optimum = shown["optimum"][0].as_f64().unwrap();
    assert!(
        mean("hindsight") < optimum && optimum < mean("played") + 0.5,
        "{shown}"
    );
    assert_eq!(shown["games"], 200);
    let args = words("policy map --problem 'gap 2 5 2' --seeds 0..50 --against map");
    let same = run(&args).stdout;
    assert!(
        same.lines()
            .last()
            .unwrap()
            .ends_with("+0.0000 ± 0.0000  0, 0"),
        "{same}"
    );
    let paths = words("policy map --problem 'gap 2 5 2' --paths 20 --against 'mi[hit-bonus=2]'");
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

#[test]
fn noisy_games_are_played_and_the_mean_has_an_interval() {
    // Article 004's puzzle and the one of twelve stones: every secret, so exact.
    insta::assert_snapshot!(without_time(&run(&["policy", "mi", "--problem", "balance 9 heavy"]).stdout), @"
    problem    balance 9 heavy
    policy     mi
    secrets    9, each once: exact
    total      18 weighings
    mean       2.0000
    median     2
    worst      2
    weighings secrets
        2       9 ██████████████████████████████████████████████████
    ");
    let json = |args: &[&str]| -> serde_json::Value {
        let shown = run(args);
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        serde_json::from_str(&shown.stdout).unwrap()
    };
    let odd = json(&["policy", "solver", "--problem", "balance 12 odd", "--json"]);
    assert_eq!(
        (&odd["worst"], &odd["exact"], &odd["half_width"]),
        (&3.into(), &true.into(), &serde_json::Value::Null)
    );
    let noisy = words("policy map --problem 'distance 3 10 3' --seeds 0..200 --json");
    let map = json(&noisy);
    assert_eq!((&map["cases"], &map["exact"]), (&200.into(), &false.into()));
    assert_eq!(map["seeds"]["end"], 200);
    let (mean, half) = (
        map["mean"].as_f64().unwrap(),
        map["half_width"].as_f64().unwrap(),
    );
    assert!(
        half > 0.05 && half < 0.4 && (mean - 3.99).abs() < 2.0 * half,
        "{mean} ± {half}"
    );
    // The same games again are the same.
    assert_eq!(map, json(&noisy));
}

#[test]
fn what_does_not_go_with_a_played_problem_is_refused() {
    let refused = |args: &[&str]| {
        let shown = run(&[&["policy"], args].concat());
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{args:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["minmax", "--problem", "distance 3 10 1"]), @r#"lab: failed to understand the policy: expected a policy (random, random-candidate, map, mi, mi-turns, mi-difference, two-steps, solver for distance), found "minmax""#);
    insta::assert_snapshot!(refused(&["map", "--problem", "balance 9 heavy"]), @r#"lab: failed to understand the policy: expected a policy (random, mi, minmax, expected-size, parts, solver for balance), found "map""#);
    insta::assert_snapshot!(refused(&["mi", "--problem", "balance 9 heavy", "--hit-bonus", "1"]), @"lab: failed to understand the policy: expected options that go with mi (none), found --hit-bonus");
    insta::assert_snapshot!(refused(&["mi", "--problem", "balance 9 light"]), @r#"
    lab: failed to understand the problem: expected balance N heavy with 2 <= N <= 1000, or balance N odd with 3 <= N <= 1000, found "balance 9 light"
    hint: `tester problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(refused(&["mi", "--problem", "distance 3 10"]), @r#"
    lab: failed to understand the problem: expected distance P K SIGMA with 1 <= P <= 10, P <= K <= 64 and a decimal 0 <= SIGMA <= 1000000000, found "distance 3 10"
    hint: `tester problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(refused(&["mi", "--problem", "distance 3 10 1", "--prior", "p"]), @"lab: --prior cannot be used with distance 3 10 1: every secret is equally likely");
    insta::assert_snapshot!(refused(&["mi", "--problem", "hitblow 3 10", "--seeds", "0..9"]), @"lab: --seeds cannot be used with hitblow 3 10 and mi: every secret is counted");
    insta::assert_snapshot!(refused(&["mi", "--problem", "distance 3 10 1", "--seeds", "9..0"]), @"
    error: invalid value '9..0' for '--seeds <A..B>': expected A..B with A < B, such as 0..2000

    For more information, try '--help'.
    ");
    let shown = run(&["optimal", "distance 3 10 1"]);
    assert_eq!(shown.status, 2);
    insta::assert_snapshot!(shown.stderr, @r#"
    lab: failed to understand the problem: expected a game of hits and blows (hitblow or mastermind), found "distance 3 10 1"
    hint: lab policy plays other problems, game by game
    "#);
    insta::assert_snapshot!(run(&["explain", "balance 9 heavy"]).stderr, @r#"
    lab: failed to understand the problem: expected a game of hits and blows (hitblow or mastermind), found "balance 9 heavy"
    hint: lab policy plays other problems, game by game
    "#);
    insta::assert_snapshot!(run(&["plot", "posterior", "--problem", "hitblow 3 10", "--out", "a.svg"]).stderr, @"lab: expected distance or gap, found hitblow 3 10");
    insta::assert_snapshot!(run(&["plot", "posterior", "--problem", "distance 5 10 1", "--out", "a.svg"]).stderr, @"lab: failed to play seed 0: expected fewer codes, found too many to list");
    insta::assert_snapshot!(run(&["plot", "reliability", "--problem", "balance 9 heavy", "--out", "a.svg"]).stderr, @"lab: failed to play balance 9 heavy, seed 0: expected distance or gap");
}

#[test]
fn a_noisy_game_and_its_calibration_are_pictured() {
    let dir = tempfile::tempdir().unwrap();
    let draw = |args: &[&str]| {
        let shown = run_in(dir.path(), args, "");
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        let picture = std::fs::read(dir.path().join(args.last().unwrap())).unwrap();
        (shown.stdout, picture)
    };
    let game = words("plot posterior --problem 'distance 2 6 2' --seed 5 --out game.svg");
    let (said, svg) = draw(&game);
    let svg = String::from_utf8(svg).unwrap();
    let turns = said.lines().count();
    assert!(said.starts_with("turn  1  4.91 bits to learn  guess ")); // log2 30
    assert!(said.trim_end().ends_with("replied right"), "{said}");
    for turn in 1..=turns {
        assert!(svg.contains(&format!("turn {turn}: ")), "{turn}");
    }
    let reliability = ["plot", "reliability", "--seeds", "0..100", "--out", "r.png"];
    let (said, png) = draw(&reliability);
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(said.starts_with("probability       codes    expected  right  off by\n"));
    let few = run_in(
        dir.path(),
        &["plot", "reliability", "--seeds", "0..1", "--out", "few.svg"],
        "",
    );
    insta::assert_snapshot!(few.stderr, @"lab: expected more games: in no group are at least 5 codes expected to be right");
    assert!(!dir.path().join("few.svg").exists());
}
