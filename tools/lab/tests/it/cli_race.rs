//! `lab race`, `value`, `loss`, `bounds` and `plot race` through the real binary.

use crate::cli::{run, run_in};
use crate::words::words;

#[test]
fn a_race_is_shown_and_played() {
    let line = "race optimal 'mi[tie=first]' --problem 'hitblow 3 6' --best-against optimal \
                --equilibrium rounds --games 300";
    let shown = run(&words(line));
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(shown.stdout, @r"
    problem    hitblow 3 6: 120 secrets, each player's drawn alone

       strategy               mean worst  secrets found in turn 1, 2, …
     1 optimal              3.6333     5  1 7 36 67 9
     2 mi[tie=first]        3.8417     5  1 4 16 91 8
     3 best-first:optimal   3.6417     5  1 4 35 77 3
     4 best-second:optimal  3.6333     5  1 7 36 67 9
     5 best-rounds:optimal  3.6333     5  1 5 38 69 7

    in turn: how often the row wins if it moves first
             1       2       3       4       5
     1  0.7054  0.8193  0.7278  0.7054  0.7092
     2  0.6511  0.7992  0.6764  0.6511  0.6522
     3  0.7219  0.8519  0.7493  0.7219  0.7263
     4  0.7054  0.8193  0.7278  0.7054  0.7092
     5  0.7137  0.8314  0.7379  0.7137  0.7181

    in turn: how often the row wins if it moves second
             1       2       3       4       5
     1  0.2946  0.3489  0.2781  0.2946  0.2863
     2  0.1807  0.2008  0.1481  0.1807  0.1686
     3  0.2722  0.3236  0.2507  0.2722  0.2621
     4  0.2946  0.3489  0.2781  0.2946  0.2863
     5  0.2908  0.3478  0.2737  0.2908  0.2819

    in rounds: how often the row wins, a draw being half a win
             1       2       3       4       5
     1  0.5000  0.5841  0.5030  0.5000  0.4977
     2  0.4159  0.5000  0.4122  0.4159  0.4104
     3  0.4970  0.5878  0.5000  0.4970  0.4942
     4  0.5000  0.5841  0.5030  0.5000  0.4977
     5  0.5023  0.5896  0.5058  0.5023  0.5000

    what wins most often against optimal, and optimal itself
    first   0.721875 = 231/320  itself 0.705417 = 1693/2400  gain +0.016458
    second  0.294583 = 707/2400  itself 0.294583 = 707/2400  gain +0.000000
    rounds  0.502292 = 2411/4800  itself 0.500000 = 1/2  gain +0.002292

    equilibrium, rounds: wins exactly 0.500000 = 1/2
    own   1.000000  mean 3.6333  1 5 38 69 7
    other 1.000000  mean 3.6333  1 5 38 69 7

    300 games of each pair were played: they agree, at most 2.23 standard errors off
    ");
}

#[test]
fn trees_that_were_found_can_be_verified_and_race_again() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        words("race optimal --problem 'hitblow 3 6' --best-against optimal --trees trees --json");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let report: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let verified = run_in(
        dir.path(),
        &["verify", "trees/best-first-optimal.txt", "--json"],
        "",
    );
    let verified: serde_json::Value = serde_json::from_str(&verified.stdout).unwrap();
    let answer = &report["answers"][0];
    assert_eq!(answer["role"], "first");
    assert_eq!(answer["strategy"]["histogram"], verified["histogram"]);
    let args =
        words("race tree:trees/best-first-optimal.txt optimal --problem 'hitblow 3 6' --json");
    let again: serde_json::Value =
        serde_json::from_str(&run_in(dir.path(), &args, "").stdout).unwrap();
    assert_eq!(again["pairs"][1]["moving_first"], answer["wins"]);
    let other = words("race tree:trees/best-first-optimal.txt --problem 'hitblow 3 7'");
    insta::assert_snapshot!(run_in(dir.path(), &other, "").stderr, @r"lab: expected a tree for hitblow 3 7, found one for hitblow 3 6 in trees/best-first-optimal.txt");
    insta::assert_snapshot!(run(&["race", "random"]).stderr, @r"lab: random has no decision tree");
}

#[test]
fn values_and_bounds_are_shown() {
    insta::assert_snapshot!(run(&["value", "mastermind 3 4"]).stdout, @r"
    problem    mastermind 3 4
    secrets    64
    least mean 3.218750 = 206/64, if all secrets are equally likely
    value      at least 3.220588 turns, whatever the strategy
               at most  3.220588 turns, whatever the secret, with a mixture of 3 trees under random renaming

    equal digits       codes   uniform    opponent   mean turns
    1+1+1                 24    0.3750      0.3529     3.220588
    2+1                   36    0.5625      0.5294     3.220588
    3                      4    0.0625      0.1176     3.220588
    ");
    insta::assert_snapshot!(run(&["bounds", "hitblow 3 6", "mastermind 3 4"]).stdout, @r"
    game             codes replies   log2 N  entropy   ending  telling counting    sizes    pairs  optimum  mi[hit-bonus=1.5]
    hitblow 3 6        120       9   6.9069   2.1789   2.4945   2.7794   3.3083   3.4417   3.5667   3.6333  3.6333
    mastermind 3 4      64       9   6.0000   1.8928   2.2552   2.4784   2.8438   3.0312        -   3.2188  3.2500
    ");
}

#[test]
fn bounds_do_not_need_the_optimum() {
    let last_two = |args: &[&str]| -> Vec<String> {
        let shown = run(&[&["bounds"], args].concat());
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        let row = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words[words.len() - 2..].join(" ")
        };
        shown.stdout.lines().skip(1).map(row).collect()
    };
    // The search takes 7 places at most, and the last game has too many codes.
    let games = ["hitblow 3 6", "mastermind 8 2", "hitblow 6 10"];
    let optimal = [&games[..], &["--policy", "optimal"]].concat();
    assert_eq!(last_two(&optimal), ["3.6333 3.6333", "- -", "- -"]);
    let none = [&optimal[..], &["--search-seconds", "0"]].concat();
    assert_eq!(last_two(&none), ["- -"; 3]);
    // This search takes half an hour.
    for policy in ["optimal", "optimal-worst"] {
        let long = ["hitblow 6 7", "--search-seconds", "1", "--policy", policy];
        assert_eq!(last_two(&long), ["- -"]);
    }
    // A policy that needs no search stands there all the same.
    let map = ["--policy", "map", "--search-seconds", "0", "--json"];
    let json = run(&[&["bounds"], &games[..], &map].concat()).stdout;
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(rows[1]["optimum"].is_null() && rows[1]["policy"].is_f64());
    assert!(rows[2]["optimum"].is_null() && rows[2]["policy"].is_null());
}

#[test]
fn rows_of_bounds_are_printed_before_a_later_one_fails() {
    let dir = tempfile::tempdir().unwrap();
    let tree = "hitblow 1 3\n> 0\n  0 0 > 1\n    0 0 > 2\n";
    std::fs::write(dir.path().join("t.txt"), tree).unwrap();
    let args = words("bounds 'hitblow 1 3' 'hitblow 3 6' --policy tree:t.txt");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 2);
    assert_eq!(shown.stdout.lines().count(), 2, "{}", shown.stdout);
    // But a problem that is misspelt is found before the first search.
    let shown = run(&["bounds", "hitblow 3 6", "hitblo 3 6"]);
    assert_eq!((shown.status, &*shown.stdout), (2, ""));
}

#[test]
fn optimal_strategies_lose_nothing_and_stand_beside_the_bounds() {
    // 1449 turns over 336 secrets, 4.3125 on average: docs/optimal.md.
    for policy in ["optimal", "optimal-worst"] {
        let shown = run(&["loss", policy, "--problem", "hitblow 3 8"]);
        let head =
            "problem    hitblow 3 8\ntotal      1449, and the least is 1449\nlost       nothing\n";
        assert!(shown.stdout.starts_with(head), "{}", shown.stdout);
    }
    let dir = tempfile::tempdir().unwrap();
    // Three codes of one digit: 0 first, then 1, then 2, as good as any other order.
    let tree = "hitblow 1 3\n> 0\n  0 0 > 1\n    0 0 > 2\n";
    std::fs::write(dir.path().join("t.txt"), tree).unwrap();
    let args = ["loss", "tree:t.txt", "--problem", "hitblow 1 3"];
    let shown = run_in(dir.path(), &args, "").stdout;
    assert!(
        shown.contains("total      6, and the least is 6\n"),
        "{shown}"
    );
    let table = run(&["bounds", "hitblow 3 8", "--policy", "optimal"]).stdout;
    let last: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[last.len() - 2..], ["4.3125", "4.3125"]);
    let misspelt = run(&["bounds", "hitblow 3 8", "--policy", "optimall"]);
    assert!(
        misspelt
            .stderr
            .contains("hint: policy, compare, exploit, race, loss, bounds")
    );
}

#[test]
fn losses_are_shown_with_both_trees() {
    insta::assert_snapshot!(run(&["loss", "mi", "--problem", "hitblow 3 8"]).stdout, @r"
    problem    hitblow 3 8
    total      1466, and the least is 1449
    lost       17 turns by 8 guesses
      turn 2   7 turns by 2 guesses
      turn 3   10 turns by 6 guesses

    by a tie: a best guess is worth as many bits: 1 turn by 1 guess
    fewest candidates: 6 after 012:0,2 123:0,2
      230 241 251 261 271 301
    as the policy plays: 15 turns, 1.7925 bits (0H0B 3, 0H1B 1, 0H2B 1, 1H1B 1)
      > 0 3 4   (cannot be right)
        0 0 > 0 5 6   (cannot be right)
          0 0 > 2 7 1
          0 1 > 2 6 1
          1 0 > 2 5 1
        0 1 > 2 4 1
        0 2 > 3 0 1
        1 1 > 2 3 0
    with the fewest turns: 14 turns, 1.7925 bits (0H0B 1, 0H1B 3, 0H2B 1, 1H1B 1)
      > 1 4 5   (cannot be right)
        0 0 > 2 3 0
        0 1 > 2 6 1
          1 0 > 3 0 1
          2 0 > 2 7 1
        0 2 > 2 5 1
        1 1 > 2 4 1

    by greed: every best guess is worth fewer bits: 16 turns by 7 guesses
    fewest candidates: 12 after 012:0,2 123:0,1
      204 205 206 207 240 250 260 270 401 501 601 701
    as the policy plays: 32 turns, 2.3962 bits (0H1B 3, 0H2B 1, 1H1B 3, 2H0B 3, 1H2B 1, 3H0B 1)
      > 2 4 0
        0 1 > 5 0 6   (cannot be right)
          1 0 > 7 0 1
          1 1 > 6 0 1
          2 0 > 5 0 1
        0 2 > 4 0 1
        1 1 > 0 5 6   (cannot be right)
          0 1 > 2 0 7
          0 2 > 2 0 5
          1 1 > 2 0 6
        2 0 > 0 5 6   (cannot be right)
          0 1 > 2 7 0
          0 2 > 2 6 0
          1 1 > 2 5 0
        1 2 > 2 0 4
    with the fewest turns: 31 turns, 2.2516 bits (0H0B 2, 0H1B 2, 1H0B 4, 1H1B 2, 2H0B 2)
      > 2 4 5   (cannot be right)
        0 0 > 6 0 1
          2 0 > 7 0 1
        0 1 > 4 0 1
          2 0 > 5 0 1
        1 0 > 2 0 6
          1 1 > 2 7 0
          2 0 > 2 0 7
          1 2 > 2 6 0
        1 1 > 2 0 4
          1 1 > 2 5 0
        2 0 > 2 0 5
          1 1 > 2 4 0
    ");
}

#[test]
fn a_picture_of_a_race_has_all_pairs() {
    let dir = tempfile::tempdir().unwrap();
    let args = words("plot race optimal map --problem 'hitblow 2 5' --out race.svg");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let svg = std::fs::read_to_string(dir.path().join("race.svg")).unwrap();
    let race = run(&words("race optimal map --problem 'hitblow 2 5' --json"));
    let report: serde_json::Value = serde_json::from_str(&race.stdout).unwrap();
    for pair in report["pairs"].as_array().unwrap() {
        let part = |name: &str| {
            let part = |side: &str| pair[name][side].as_f64().unwrap();
            part("numerator") / part("denominator")
        };
        let label = format!("{:.4}", part("fewer") + part("same") / 2.0);
        assert!(svg.contains(&label), "{label}");
    }
}

#[test]
fn a_picture_of_a_loss_has_both_trees() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["mi", "--problem", "hitblow 3 8"];
    let drawn = [&["plot", "loss"], &args[..], &["--out", "loss.svg"]].concat();
    let shown = run_in(dir.path(), &drawn, "");
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let svg = std::fs::read_to_string(dir.path().join("loss.svg")).unwrap();
    let table = run(&[&["loss"], &args[..]].concat()).stdout;
    let (_, by_greed) = table.split_once("by greed").unwrap();
    // Each guess of both trees, and the turns and bits of each.
    let guesses = by_greed.lines().filter_map(|line| line.split_once("> "));
    let mut count = 0;
    for (_, guess) in guesses {
        let guess: String = guess.chars().filter(char::is_ascii_digit).collect();
        assert!(svg.contains(&format!("\n{guess}\n")), "{guess}");
        count += 1;
    }
    // The guesses below both first ones hang on a line each.
    assert_eq!(svg.matches("<polyline").count(), count - 2);
    for text in [
        "32 turns, 2.3962 bits",
        "31 turns, 2.2516 bits",
        "after 012 0H2B, 123 0H1B",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    let none = words("plot loss mi --problem 'hitblow 2 3' --out a.svg");
    insta::assert_snapshot!(run_in(dir.path(), &none, "").stderr, @"lab: expected a policy that loses turns by greed, found mi");
}

#[test]
fn a_picture_of_bounds_has_a_row_for_each_game() {
    let dir = tempfile::tempdir().unwrap();
    let games = ["hitblow 3 6", "mastermind 3 4"];
    let drawn = [&["plot", "bounds"], &games[..], &["--out", "bounds.svg"]].concat();
    let shown = run_in(dir.path(), &drawn, "");
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let svg = std::fs::read_to_string(dir.path().join("bounds.svg")).unwrap();
    for text in [
        games[0],
        games[1],
        "3.6333",
        "3.2188",
        "greedy: mi[hit-bonus=1.5]",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    // Two circles for each game (by entropy, by sizes), and two in the legend.
    assert_eq!(svg.matches("<circle").count(), 2 * (games.len() + 1));
}
