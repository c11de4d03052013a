//! `lab optimal`, `verify` and `book` through the real binary.

use std::process::{Command, Stdio};

use crate::cli::{run, run_in, without_time};
use crate::words::words;

#[test]
fn an_optimum_is_shown_written_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["optimal", "hitblow 2 4", "--tree", "tree.txt"];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(without_time(&shown.stdout), @"
    problem    hitblow 2 4
    objective  mean
    secrets    12
    total      30, which is the least
    mean       2.5000
    worst      3, the least with that total
    turns secrets
        1       1 ████████
        2       4 █████████████████████████████
        3       7 ██████████████████████████████████████████████████
    ");
    let tree = std::fs::read_to_string(dir.path().join("tree.txt")).unwrap();
    insta::assert_snapshot!(tree, @r#"
    # lab optimal "hitblow 2 4" --objective mean: total 30, worst 3, proved
    # Each line: a reply > the guess after it. Check it with lab verify.
    hitblow 2 4
    > 0 1
      0 0 > 2 3
        0 2 > 3 2
      0 1 > 1 2
        0 0 > 3 0
        0 1 > 2 0
        1 0 > 1 3
      1 0 > 0 2
        0 0 > 3 1
        0 1 > 2 1
        1 0 > 0 3
      0 2 > 1 0
    "#);
    let verified = run_in(dir.path(), &["verify", "tree.txt"], "");
    assert_eq!((verified.status, verified.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(verified.stdout, @"
    problem    hitblow 2 4
    secrets    12, each found
    total      30
    mean       2.5000
    worst      3
    turns secrets
        1       1 ████████
        2       4 █████████████████████████████
        3       7 ██████████████████████████████████████████████████
    ");
    let json = run_in(dir.path(), &["verify", "tree.txt", "--json"], "").stdout;
    insta::assert_snapshot!(json, @r#"{"problem":"hitblow 2 4","secrets":12,"total":30,"mean":2.5,"worst":3,"histogram":[1,4,7]}"#);
}

#[test]
fn an_optimum_as_json_has_the_fields_that_others_read() {
    let shown = run(&["optimal", "hitblow 3 8", "--objective", "worst", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    for (field, value) in [
        ("problem", serde_json::json!("hitblow 3 8")),
        ("objective", serde_json::json!("worst")),
        ("secrets", serde_json::json!(336)),
        ("worst", serde_json::json!(6)),
        ("proved", serde_json::json!(true)),
    ] {
        assert_eq!(report[field], value, "{}", shown.stdout);
    }
    assert!(report["seconds"].is_f64() && report["nodes"].is_u64());
    let total = report["total"].as_u64().unwrap();
    assert!((report["mean"].as_f64().unwrap() - total as f64 / 336.0).abs() < 1e-12);
    let histogram = report["histogram"].as_array().unwrap();
    let counts = histogram.iter().map(|count| count.as_u64().unwrap());
    assert_eq!(counts.clone().sum::<u64>(), 336);
    assert_eq!(
        (1..)
            .zip(counts)
            .map(|(t, n): (u64, u64)| t * n)
            .sum::<u64>(),
        total
    );
}

#[test]
fn a_narrow_search_says_that_it_is_no_proof() {
    let dir = tempfile::tempdir().unwrap();
    let args = words("optimal 'mastermind 4 4' --width 1 --tree tree");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let line = "width      1; guesses beyond it were not tried, so a better strategy may exist\n";
    assert!(shown.stdout.contains(line), "{}", shown.stdout);
    assert!(
        !shown.stdout.contains("least with that"),
        "{}",
        shown.stdout
    );
    let tree = std::fs::read_to_string(dir.path().join("tree")).unwrap();
    let head = tree.lines().next().unwrap();
    assert!(head.ends_with(", not proved (--width 1)"), "{head}");
    let verified = run_in(dir.path(), &["verify", "tree"], "");
    let total = verified
        .stdout
        .lines()
        .find(|line| line.starts_with("total"));
    assert!(shown.stdout.contains(total.unwrap()), "{}", verified.stdout);
    let json = run_in(dir.path(), &[&args[..4], &["--json"]].concat(), "");
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["width"], 1);
    assert_eq!(
        (&report["proved"], &report["finished"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn a_search_stopped_by_ctrl_c_leaves_a_strategy_and_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["optimal", "hitblow 4 10", "--tree", "tree.txt"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line on standard error says that the search goes on.
    let mut said = String::new();
    let stderr = child.stderr.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stderr), &mut said).unwrap();
    assert!(said.starts_with("least total between "), "{said}");
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("stopped    before it was proved"), "{shown}");
    let verified = run_in(dir.path(), &["verify", "tree.txt"], "");
    let total = |text: &str| text.lines().nth(3).map(str::to_owned);
    assert_eq!(verified.status, 0, "{}", verified.stderr);
    let total_line = verified.stdout.lines().nth(2).unwrap();
    assert!(
        total(&shown).unwrap().starts_with(total_line),
        "{shown}{}",
        verified.stdout
    );
}

#[test]
fn wrong_games_and_trees_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let said = |args: &[&str]| {
        let shown = run_in(dir.path(), args, "");
        format!("{}: {}{}", shown.status, shown.stdout, shown.stderr)
    };
    let write = |text: &str| std::fs::write(dir.path().join("tree.txt"), text).unwrap();
    insta::assert_snapshot!(said(&["optimal", "hitblow 6 10"]), @"
    2: lab: failed to search hitblow 6 10: expected at most 40320 codes, 7 places, and 128 places times digits, found 151200, 6 and 60
    hint: lab policy mi plays larger games, without a proof
    ");
    let worst = words("optimal 'hitblow 2 4' --width 3 --objective worst");
    insta::assert_snapshot!(said(&worst), @"
    2: lab: expected --objective mean with --width, found worst: a narrow search proves no worst case
    ");
    let unwritable = said(&["optimal", "hitblow 2 4", "--tree", "none/tree.txt"]);
    let expected = "2: lab: failed to write the tree none/tree.txt: No such file or directory";
    assert!(unwritable.starts_with(expected), "{unwritable}");
    insta::assert_snapshot!(said(&["verify", "tree.txt"]), @"2: lab: failed to read the tree tree.txt: No such file or directory (os error 2)");
    write("hitblow 2 4\n> 0 1\n  0 0: 2 3\n");
    insta::assert_snapshot!(said(&["verify", "tree.txt"]), @r#"2: lab: failed to read the tree tree.txt: line 3: expected REPLY > GUESS, found "  0 0: 2 3""#);
    write("hitblow 2 2\n> 0 1\n");
    insta::assert_snapshot!(said(&["verify", "tree.txt"]), @r#"1: lab: tree.txt is no strategy for hitblow 2 2: secret 1 0, after 0 1: expected a guess for every reply, found none for "0 2""#);
}

#[test]
fn the_solver_carries_what_lab_book_makes() {
    let solver = include_str!("../../../../src/main.rs");
    // Those that are made in no time; scripts/book makes all of them.
    let made = run(&["book", "hitblow 2 10", "hitblow 3 6"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let entries = made
        .stdout
        .strip_prefix("    pub const BOOKS: &[(&str, &str)] = &[\n");
    let entries = entries.unwrap().strip_suffix("    ];\n").unwrap();
    assert!(solver.contains(entries), "{entries}");
}

#[test]
fn an_optimal_strategy_goes_where_policies_go() {
    // Totals and worst cases of docs/optimal.md.
    let shown = run(&["policy", "optimal"]).stdout;
    let head = "problem    hitblow 3 10\npolicy     optimal\nsecrets    720\ntotal      3575\nmean       4.9653\nworst      7\n";
    assert!(shown.starts_with(head), "{shown}");
    let raced = run(&["race", "optimal"]).stdout;
    let turns: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("turns"))
        .skip(1)
        .map(|line| line.split_whitespace().nth(1).unwrap())
        .collect();
    assert!(
        raced.contains(&format!("     7  {}\n", turns.join(" "))),
        "{raced}"
    );
    for (name, problem, total, worst) in [
        ("optimal-worst", "hitblow 3 10", 3576, 6),
        ("optimal", "hitblow 3 9", 2337, 6),
        ("optimal", "mastermind 4 4", 905, 4),
        ("optimal", "mastermind 4 5", 2463, 5),
    ] {
        let shown = run(&["policy", name, "--problem", problem, "--json"]).stdout;
        let found: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(
            (&found["total"], &found["worst"]),
            (&total.into(), &worst.into()),
            "{name} {problem}"
        );
    }
}

#[test]
fn a_tree_file_goes_where_policies_go() {
    let dir = tempfile::tempdir().unwrap();
    let here = |args: &[&str]| run_in(dir.path(), args, "");
    assert_eq!(
        here(&["optimal", "hitblow 2 5", "--tree", "t.txt"]).status,
        0
    );
    let both = here(&words("compare optimal tree:t.txt --problem 'hitblow 2 5'"));
    assert!(
        both.stdout.ends_with("A and B play every game alike\n"),
        "{}{}",
        both.stdout,
        both.stderr
    );
    let drawn = here(&words(
        "plot turns mi optimal --problem 'hitblow 2 5' --out t.svg",
    ));
    assert_eq!(drawn.status, 0, "{}", drawn.stderr);
    assert!(
        std::fs::read_to_string(dir.path().join("t.svg"))
            .unwrap()
            .contains("optimal")
    );
    let exploited = here(&["exploit", "optimal", "--problem", "hitblow 2 5"]);
    assert_eq!(exploited.status, 0, "{}", exploited.stderr);
    let game = here(&words(
        "policy tree:t.txt --problem 'hitblow 2 5' --secret 43",
    ))
    .stdout;
    assert!(
        game.lines().last().unwrap().contains("   43   2H0B"),
        "{game}"
    );
    let refused = |args: &[&str]| {
        let shown = here(args);
        assert_eq!((shown.status, &*shown.stdout), (2, ""), "{args:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["policy", "optimal", "--tie", "first"]), @"lab: failed to understand the policy: expected options that go with a tree (none), found --tie");
    insta::assert_snapshot!(refused(&["policy", "optimal", "--shard", "1/2"]), @"lab: --shard cannot be used with optimal: its tree is found or read as a whole");
    insta::assert_snapshot!(refused(&["policy", "optimal", "--prior", "p.txt"]), @"lab: --prior cannot be used with optimal: its tree is for equally likely secrets");
    // The search, which refuses this game and would take hours for others, comes last.
    let large = ["--problem", "hitblow 6 12"];
    let with = |args: &[&str]| refused(&[args, &large].concat());
    insta::assert_snapshot!(with(&["exploit", "optimal", "--tie", "first"]), @"lab: failed to understand the policy: expected options that go with a tree (none), found --tie");
    insta::assert_snapshot!(with(&["policy", "optimal", "--secret", "11"]), @r#"lab: failed to read --secret: expected a code of the game such as "0,1,2,3,4,5", found "11""#);
    let shown = run_in(
        dir.path(),
        &["policy", "tree:none.txt", "--secret", "123"],
        "",
    );
    assert_eq!(shown.stdout, "", "no table without a tree");
    insta::assert_snapshot!(refused(&["policy", "tree:none.txt"]), @"lab: failed to read the tree none.txt: No such file or directory (os error 2)");
    insta::assert_snapshot!(refused(&["policy", "tree:t.txt"]), @"lab: expected a tree for hitblow 3 10, found one for hitblow 2 5 in t.txt");
}
