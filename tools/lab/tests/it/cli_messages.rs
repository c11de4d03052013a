//! What the binary says where something is missing, wrong or wide: lines, hints, and words that stand for others.

use super::cli::{run, run_in};

#[test]
fn lines_of_explanations_fit_80_columns() {
    let prior = tempfile::tempdir().unwrap();
    std::fs::write(prior.path().join("p"), "123 1\n").unwrap();
    for words in [
        // 40 candidates, wide codes, noise, and a contradiction of many rows.
        &["hitblow 3 10", "012:0,1", "345:0,2"][..],
        &["mastermind 3 12", "0,1,11:0,2", "--guess", "11,10,9"],
        &["distance 3 10 10", "058:0,299"],
        &["hitblow 3 10", "012:0,0", "345:0,0", "678:0,0", "912:0,0"],
        &["hitblow 3 10", "--prior", "p", "123:0,0"],
    ] {
        let shown = run_in(prior.path(), &[&["explain"], words].concat(), "");
        assert!(shown.status < 2, "{}", shown.stderr);
        for line in shown.stdout.lines() {
            assert!(line.chars().count() <= 80, "{words:?}: {line}");
        }
    }
}

#[test]
fn a_problem_without_quotes_has_a_hint() {
    for words in [
        &["explain", "hitblow", "3", "10", "012:0,1"][..],
        &["bounds", "hitblow", "3", "10"],
        &["optimal", "hitblow", "3", "10"],
        &["policy", "mi", "--problem", "hitblow", "3", "10"],
    ] {
        let shown = run(words);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{words:?}");
        let hint = "hint: a problem is one argument: put it in quotes, \"hitblow 3 10\"\n";
        assert!(shown.stderr.ends_with(hint), "{}", shown.stderr);
    }
    let other = run(&["optimal", "hitblow 3 10", "--twice"]);
    assert!(!other.stderr.contains("quotes"), "{}", other.stderr);
}

#[test]
fn two_codes_of_a_prior_are_counted_by_turns() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p"), "123 1\n456 1\n").unwrap();
    let shown = run_in(dir.path(), &["policy", "mi", "--prior", "p"], "").stdout;
    // The first guess is one of the two, and its reply tells which it is.
    let bar = "█".repeat(50);
    let counts = format!("turns secrets\n    1       1 {bar}\n    2       1 {bar}\n");
    assert!(shown.contains(&counts), "{shown}");
    let random = run(&["policy", "random"]).stdout;
    let all = "\nturns      1 to 720, for 1 secret each\n";
    assert!(random.contains(all), "{random}");
}

#[test]
fn an_article_is_named_with_or_without_zeros() {
    let json = |article| run(&["articles", article, "--json"]).stdout;
    // The one that is computed soonest.
    let fourth = json("4");
    assert!(fourth.starts_with("{\"number\":\"004.01\""), "{fourth}");
    assert_eq!(fourth, json("004"));
    let wrong = run(&["articles", "5"]);
    assert_eq!(wrong.status, 2);
    let expected = "expected 000, 001, 002, 003 or 004";
    assert!(wrong.stderr.contains(expected), "{}", wrong.stderr);
}

#[test]
fn a_bound_of_a_game_without_noise_names_the_other_command() {
    let shown = run(&["bound", "--problem", "hitblow 3 10"]);
    assert_eq!(shown.status, 2);
    insta::assert_snapshot!(shown.stderr, @r#"
    lab: expected distance or gap, found "hitblow 3 10"
    hint: lab bounds "hitblow 3 10" computes the bounds of hitblow and mastermind
    "#);
    let balance = run(&["bound", "--problem", "balance 12 odd"]).stderr;
    assert_eq!(
        balance,
        "lab: expected distance or gap, found \"balance 12 odd\"\n"
    );
}

#[test]
fn an_empty_tree_has_a_hint() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("t"), "").unwrap();
    let shown = run_in(dir.path(), &["verify", "t"], "");
    assert_eq!(shown.status, 2);
    insta::assert_snapshot!(shown.stderr, @"
    lab: failed to read the tree t: expected a tree, found no line of one
    hint: a tree begins with the game, such as hitblow 3 10, and below it the first guess: > 0 1 2; lab optimal --tree FILE writes one
    ");
}

#[test]
fn trees_of_other_judges_games_are_verified() {
    let dir = tempfile::tempdir().unwrap();
    for game in ["number 2 10", "repeats 2 6"] {
        let found = run_in(dir.path(), &["optimal", game, "--tree", "t", "--json"], "");
        assert_eq!(found.status, 0, "{}", found.stderr);
        let verified = run_in(dir.path(), &["verify", "t", "--json"], "");
        assert_eq!(verified.status, 0, "{}", verified.stderr);
        let [found, verified] = [found, verified]
            .map(|shown| serde_json::from_str::<serde_json::Value>(&shown.stdout).unwrap());
        if game == "number 2 10" {
            assert_eq!(verified["total"], 391); // as docs/optimal.md has it
        }
        for figure in ["problem", "secrets", "total", "worst", "histogram"] {
            assert_eq!(found[figure], verified[figure], "{game}: {figure}");
        }
    }
}

#[test]
fn kinds_of_loss_without_a_turn_are_left_out() {
    // One digit of three: 1, 2 and 3 turns.
    let shown = run(&["loss", "optimal", "--problem", "hitblow 1 3"]).stdout;
    insta::assert_snapshot!(shown, @"
    problem    hitblow 1 3
    total      6, and the least is 6
    lost       nothing
    ");
}

#[test]
fn help_indents_each_strategy_of_a_list() {
    for command in ["policy", "race"] {
        let help = run(&[command, "--help"]).stdout;
        for strategy in ["mi", "optimal", "optimal-worst", "tree:FILE"] {
            let is_entry = |line: &&str| {
                let rest = line.trim_start().strip_prefix(strategy);
                rest.is_some_and(|rest| rest.starts_with([' ', '[']))
            };
            let entry = help.lines().find(is_entry).expect("an entry");
            assert!(entry.starts_with(&format!("  {strategy}")), "{entry:?}");
        }
    }
}
