//! What the articles say and ask, as the binary shows it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::{Shown, run, run_in};
use crate::words::words;

/// One test, because the list takes many seconds to compute.
#[test]
fn the_list_of_the_articles_is_whole_and_its_commands_can_be_typed() {
    let listed = run(&["articles"]);
    everything_agrees_or_is_explained_or_answered(&listed);
    each_article_has_its_title(&listed);
    one_article_is_listed_as_among_all(&listed);
    every_command_beside_an_entry_can_be_typed(&listed);
}

fn everything_agrees_or_is_explained_or_answered(listed: &Shown) {
    assert_eq!(listed.status, 0, "{}", listed.stdout);
    let last = listed.stdout.lines().last().unwrap();
    assert_eq!(
        last,
        "165 entries: 111 agree, 9 explained, 45 answered, 0 differ"
    );
    // Every page that says how many there are.
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for page in ["articles.md", "articles.ja.md"] {
        let text = std::fs::read_to_string(docs.join(page)).unwrap();
        assert!(text.contains(last), "{page}: {last}");
    }
}

fn each_article_has_its_title(listed: &Shown) {
    let headings: Vec<&str> = listed
        .stdout
        .lines()
        .filter(|line| line.starts_with("article "))
        .collect();
    assert_eq!(headings.len(), 5, "{headings:?}");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = |name: &str| std::fs::read_to_string(docs.join(name)).unwrap();
    let (english, japanese) = (page("articles.md"), page("articles.ja.md"));
    let help = run(&["articles", "--help"]).stdout;
    for (number, title) in lab::articles::titles() {
        assert!(headings.contains(&&*format!("article {number}: {title}")));
        assert!(help.contains(&format!("  {number}  {title}\n")), "{help}");
        let row = format!("| {number} | {title} |");
        assert!(english.contains(&row) && japanese.contains(&row), "{row}");
    }
}

fn one_article_is_listed_as_among_all(listed: &Shown) {
    let own = run(&["articles", "004"]).stdout;
    let mut own: Vec<&str> = own.lines().collect();
    let summary = own.pop().unwrap();
    assert!(summary.ends_with("0 differ") && own.len() > 40, "{summary}");
    let all: Vec<&str> = listed.stdout.lines().collect();
    let squeezed = |lines: &[&str]| {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        words.map(str::to_owned).collect::<Vec<String>>()
    };
    let (own, all) = (squeezed(&own), squeezed(&all));
    assert!(all.windows(20).any(|words| *words == own[..20]));
}

fn every_command_beside_an_entry_can_be_typed(listed: &Shown) {
    let dir = tempfile::tempdir().unwrap();
    let typed = listed.stdout.lines();
    // The row of a game in article 001 is one command.
    let mut after_random = typed
        .clone()
        .skip_while(|line| !line.contains("colors 4 pins 4, random"));
    let command = after_random.nth(4).unwrap_or_default();
    assert!(
        command.starts_with("        $ lab compare random-fixed \"minmax["),
        "{command}"
    );
    let commands: BTreeSet<&str> = typed
        .filter_map(|line| line.strip_prefix("        $ "))
        .collect();
    assert!(commands.len() > 50, "{}", commands.len());
    // The list was just computed.
    let is_typed = |command: &&str| !command.starts_with("lab articles ");
    let commands: Vec<&str> = commands.into_iter().filter(is_typed).collect();
    let type_it = |command: &str| {
        let shown = run_in(
            dir.path(),
            &words(command.strip_prefix("lab ").unwrap()),
            "",
        );
        assert_eq!(shown.status, 0, "{command}\n{}", shown.stderr);
    };
    // Two at a time.
    std::thread::scope(|scope| {
        for first in 0..2 {
            let own = commands.iter().skip(first).step_by(2);
            let type_it = &type_it;
            scope.spawn(move || own.for_each(|command| type_it(command)));
        }
    });
}

#[test]
fn what_the_colour_of_a_ball_tells_of_its_box() {
    let words = "entropy 3 4 0 / 1 6 0 / 0 7 0 / 2 3 2"
        .split(' ')
        .collect::<Vec<_>>();
    insta::assert_snapshot!(run(&words).stdout, @"
    row (equally likely)   entropy of a column drawn from it, bits
      1 3 4 0              0.9852
      2 1 6 0              0.5917
      3 0 7 0              0.0000
      4 2 3 2              1.5567

    column   probability   entropy of which row it is, bits
         1        0.2143   1.4591
         2        0.7143   1.9261
         3        0.0714   0.0000

    row:     2.0000 bits, 1.6885 left after the column, which tells 0.3115
    column:  1.0949 bits, 0.7834 left after the row, which tells 0.3115
    ");
    let drawn: Vec<&str> = words.iter().copied().chain(["--draws"]).collect();
    insta::assert_snapshot!(run(&drawn).stdout, @"
    drawn   bits left on average about which row it is
        0   2.0000
        1   1.6885
        2   1.3723
        3   1.0588
        4   0.7508
        5   0.4455
        6   0.1553
        7   0.0000
    ");
    insta::assert_snapshot!(run(&["entropy", "1", "2", "/", "3"]).stderr, @"lab: failed to read the rows: expected as many weights in each row as in the first (2), found 1 in row 2");
    insta::assert_snapshot!(run(&["entropy", "0", "0"]).stderr, @"lab: expected a weight above 0 in each row, found a row without one");
    insta::assert_snapshot!(run(&["entropy", "1e308", "1e308"]).stderr, @"lab: expected weights with a finite sum in each row, found a row whose sum is too large");
    insta::assert_snapshot!(run(&["entropy", "x"]).stderr, @r#"lab: expected a weight of at least 0, found "x""#);
    insta::assert_snapshot!(run(&["entropy", "1.5", "2", "--draws"]).stderr, @"lab: expected numbers of balls with --draws, found 1.5");
}

#[test]
fn article_003_asks_why_and_ties_are_the_answer() {
    let args = ["compare", "mi[tie=first]", "mi[tie=candidate]"];
    insta::assert_snapshot!(run(&args).stdout, @"
    A  mi[tie=first]
    B  mi[tie=candidate]

                          A          B
    total              3788       3616
    mean             5.2611     5.0222
    worst                 7          7
    determined after
    worst / mean 6 / 4.3000 6 / 4.3000
    secrets found in
       1 turns            1          1
       2 turns            4          6
       3 turns           21         28
       4 turns           80        105
       5 turns          292        383
       6 turns          318        195
       7 turns            4          2
    bits told, on average, by
       turn 1         2.254      2.254
       turn 2         2.394      2.394
       turn 3         2.404      2.411
       turn 4         1.943      1.969
       turn 5         0.681      0.721
       turn 6         0.012      0.020
       turn 7         0.000      0.000
      a turn          1.804      1.890

    They part first after 012 0H3B, with 2 candidates:
      A takes 023: information 1.0000 bits, right with probability 0.0000
      B takes 120: information 1.0000 bits, right with probability 0.5000
    ");
    let same = run(&["compare", "map", "map", "--problem", "hitblow 2 4"]);
    assert!(
        same.stdout.ends_with("A and B play every game alike\n"),
        "{}",
        same.stdout
    );
    insta::assert_snapshot!(run(&["compare", "random"]).stderr, @"lab: random has no decision tree");
    insta::assert_snapshot!(run(&["policy", "mi", "--tie", "first", "--secret", "219"]).stdout, @"
    turn  guess  reply  candidates left  probability  information
       1    012   1H1B               42     0.001389  2.2537 bits
       2    034   0H0B               10     0.000000  2.2671 bits
       3    156   0H1B                3     0.000000  2.1710 bits
       4    078   0H0B                1     0.000000  1.5850 bits
       5    219   3H0B                1     1.000000  0.0000 bits
    ");
    insta::assert_snapshot!(run(&["policy", "random", "--secret", "219"]).stderr, @"lab: --secret cannot be used with random: it has no decision tree");
    insta::assert_snapshot!(run(&["policy", "mi", "--secret", "2199"]).stderr, @r#"lab: failed to read --secret: expected a code of the game such as "012", found "2199""#);
}

#[test]
fn article_001_s_random_is_a_policy() {
    // Its table: most and mean turns until the secret is determined.
    let table = [
        ("mastermind 4 4", 4, "2.9648"),
        ("mastermind 4 5", 6, "3.6704"),
        ("mastermind 4 6", 6, "3.9715"), // 3.9714 there: 5147 / 1296 = 3.97145, cut off
        ("mastermind 5 4", 5, "3.5010"),
        ("mastermind 5 5", 6, "3.9901"),
    ];
    for (problem, most, mean) in table {
        let shown = run(&["policy", "random-fixed", "--problem", problem]).stdout;
        let line = format!("determined after {mean} turns on average, {most} at worst\n");
        assert!(shown.contains(&line), "{problem}: {shown}");
    }
    let rounded = run(&["policy", "mi-rounded", "--problem", "mastermind 5 5"]).stdout;
    assert!(
        rounded.contains("determined after 3.7174 turns on average, 5 at worst\n"),
        "{rounded}"
    );
    // Another generator makes other choices.
    let other = run(&words(
        "policy random-fixed --problem 'mastermind 4 4' --seed 1",
    ));
    assert!(
        !other.stdout.contains("2.9648") && other.status == 0,
        "{}",
        other.stdout
    );
    // It races and is compared like any other.
    let raced = run(&["race", "random-fixed", "mi", "--problem", "mastermind 4 4"]);
    assert_eq!(raced.status, 0, "{}", raced.stderr);
    insta::assert_snapshot!(run(&["policy", "mi-rounded", "--pool", "all"]).stderr, @"lab: failed to understand the policy: expected options that go with mi-rounded (none), found --pool");
}

#[test]
fn guesses_of_articles_000_and_004_are_told_with_the_turns_of_the_best_play() {
    let explained = |args: &[&str]| run(&[&["explain"], args].concat()).stdout;
    let below = |shown: &str, guess: &str| {
        let lines = shown
            .lines()
            .map(str::trim)
            .skip_while(|line| !line.starts_with(&format!("{guess}  information")));
        let mut turns = lines.filter(|line| line.contains("over all candidates"));
        turns.next().unwrap_or_default().to_owned()
    };
    let shown = explained(&["hitblow 3 10", "012:0,1", "134:0,2", "--guess", "243"]);
    let turns = |n: u32, of: u32| {
        let mean = f64::from(n) / f64::from(of);
        format!("{n} turns over all candidates with the best play, {mean:.4} on average")
    };
    for (guess, n) in [("243", 62), ("451", 57), ("402", 60)] {
        assert_eq!(below(&shown, guess), turns(n, 19), "{guess}");
    }
    let fewest = "\nfewest turns: 57 over all candidates, if 451 is guessed next\n";
    assert!(shown.contains(fewest), "{shown}");
    let args = words("'hitblow 3 9' --digits 123456789 123:1,1 --guess 145 --guess 456");
    let shown = explained(&args);
    for (guess, n) in [("145", 117), ("456", 122)] {
        assert_eq!(below(&shown, guess), turns(n, 36), "{guess}");
    }
    // Not searched: more than 300 candidates, or a prior.
    assert!(!explained(&["hitblow 3 10"]).contains("best play"));
}

#[test]
fn article_002_s_tables_can_be_typed() {
    // Its small game: 12 got 0H1B, and 23 and 31 are left.
    let tables = "bayes 0 1 1 1 0 1 1 1 0 / 0 0 0 0 0 1 1 0 0 --names 11,12,13,21,22,23,31,32,33";
    insta::assert_snapshot!(run(&tables.split(' ').collect::<Vec<_>>()).stdout, @"
    observation 1, probability 0.3333
         prior   likelihood   product   posterior
    11  0.0000       0.0000    0.0000      0.0000
    12  0.1667       0.0000    0.0000      0.0000
    13  0.1667       0.0000    0.0000      0.0000
    21  0.1667       0.0000    0.0000      0.0000
    22  0.0000       0.0000    0.0000      0.0000
    23  0.1667       1.0000    0.1667      0.5000
    31  0.1667       1.0000    0.1667      0.5000
    32  0.1667       0.0000    0.0000      0.0000
    33  0.0000       0.0000    0.0000      0.0000
    entropy 2.5850 bits before, 1.0000 after
    ");
    // A die that shows only 4, 5, 6: each throw doubles the odds of 1 to 99.
    let die = "bayes 0.99 0.01 / 1/6 1/3 --names fair,loaded --times 20";
    let shown = run(&die.split(' ').collect::<Vec<_>>()).stdout;
    let loaded: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("loaded"))
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    let odds = |throws: i32| 2_f64.powi(throws) / 99.0;
    assert_eq!(loaded.len(), 20);
    for (throws, shown) in (1..).zip(loaded) {
        let p = odds(throws) / (1.0 + odds(throws));
        assert_eq!(shown, format!("{p:.4}"), "after {throws}");
    }
    insta::assert_snapshot!(run(&["bayes", "1", "3"]).stdout, @"
        prior
    1  0.2500
    2  0.7500
    entropy 0.8113 bits
    ");
    // A Japanese letter is two columns wide.
    insta::assert_snapshot!(run(&["bayes", "1", "3", "--names", "普通,いかさま"]).stdout, @"
               prior
    普通      0.2500
    いかさま  0.7500
    entropy 0.8113 bits
    ");
    let refused = |words: &str| {
        let args: Vec<&str> = ["bayes"].into_iter().chain(words.split(' ')).collect();
        let shown = run(&args);
        assert_eq!((shown.status, &*shown.stdout), (2, ""), "{words}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("0 0 / 1 1"), @"lab: expected a prior weight above 0, found none");
    insta::assert_snapshot!(refused("1 1 / 1"), @"lab: expected as many likelihoods as prior weights (2), found 1 in observation 1");
    insta::assert_snapshot!(refused("1 1 / 1 2"), @"lab: expected likelihoods of at most 1, found 2 in observation 1");
    insta::assert_snapshot!(refused("1 0 / 0 1"), @"lab: observation 1 is impossible: each hypothesis has the prior 0 or the likelihood 0");
    insta::assert_snapshot!(refused("1 1/0"), @r#"lab: expected a number of at least 0, such as 0.5 or 1/6, found "1/0""#);
    insta::assert_snapshot!(refused("1 1 --names a"), @r#"lab: expected as many names as prior weights (2), found 1 in "a""#);
}

#[test]
fn article_002_s_random_games_are_played_and_drawn() {
    let shown = run(&["policy", "random", "--seeds", "0..1000", "--json"]).stdout;
    let found: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let mean = found["mean"].as_f64().unwrap();
    // 360.5 exactly. The turns of a game have the deviation 720 / sqrt(12) = 207.8, the mean of 1000 a 6.57th.
    assert!((mean - 360.5).abs() < 4.0 * 6.57, "{shown}");
    let half = found["half_width"].as_f64().unwrap();
    assert!((half - 1.96 * 6.57).abs() < 0.5, "{shown}");
    assert_eq!(
        (&found["cases"], &found["exact"]),
        (&1000.into(), &false.into())
    );
    let dir = tempfile::tempdir().unwrap();
    let drawn = run_in(
        dir.path(),
        &["plot", "turns", "random", "--out", "r.svg"],
        "",
    );
    assert_eq!(drawn.status, 0, "{}", drawn.stderr);
    let picture = std::fs::read_to_string(dir.path().join("r.svg")).unwrap();
    assert!(
        picture.contains("mean 360.500") && picture.contains("a bar for 50"),
        "{picture}"
    );
    let refused = |args: &[&str]| run(&[&["policy"], args].concat()).stderr;
    insta::assert_snapshot!(refused(&["map", "--seeds", "0..9"]), @"lab: --seeds cannot be used with hitblow 3 10 and map: every secret is counted");
    insta::assert_snapshot!(refused(&["optimal", "--seeds", "0..9"]), @"lab: --seeds cannot be used with hitblow 3 10 and optimal: every secret is counted");
    insta::assert_snapshot!(refused(&["random", "--seeds", "0..9", "--shard", "1/2"]), @"lab: --shard cannot be used with random: its games take no time");
    insta::assert_snapshot!(refused(&["bayes", "--seeds", "0..9"]), @r#"
    lab: failed to understand the policy: expected a policy (random, random-candidate, random-fixed, map, mi, mi-rounded, minmax, expected-size, parts), found "bayes"
    hint: Bayes' rule as in article 002 is called map here
    "#);
}

#[test]
fn a_game_of_article_004_is_written_in_its_own_digits() {
    let command =
        "policy|mi|--problem|hitblow 3 9|--tie|first|--hit-gain|10|--digits|123456789|--secret|467";
    let args: Vec<&str> = command.split('|').collect();
    insta::assert_snapshot!(run(&args).stdout, @"
    turn  guess  reply  candidates left  probability  information
       1    123   0H0B              120     0.001984  2.3497 bits
       2    456   1H1B               18     0.008333  2.6118 bits
       3    467   3H0B                1     0.055556  2.5305 bits
    ");
    let refused =
        |args: &[&str]| run(&[&["policy", "mi", "--problem", "hitblow 3 9"], args].concat());
    insta::assert_snapshot!(refused(&["--digits", "12", "--secret", "012"]).stderr, @r#"lab: failed to understand --digits: expected 9 different characters, one for each digit, found "12""#);
    assert_eq!(refused(&["--digits", "123456789"]).status, 2);
}

#[test]
fn article_004_is_explained_in_its_own_digits() {
    let args = "hitblow 3 9|--digits|123456789|123:1H1B|--guess|145|--guess|456";
    let args: Vec<&str> = ["explain"].into_iter().chain(args.split('|')).collect();
    let shown = run(&args).stdout;
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    // The 36 candidates, wrapped at the width of a terminal.
    let candidates = lines[2..5].iter().flat_map(|line| line.split(' '));
    let candidates: Vec<&str> = candidates.collect();
    assert_eq!(candidates.len(), 36);
    assert_eq!((candidates[0], candidates[35]), ("134", "921"));
    let below = |guess: &str| {
        let at = lines
            .iter()
            .position(|line| line.starts_with(&format!("{guess}  ")))
            .unwrap();
        (lines[at].split(',').next().unwrap(), lines[at + 2])
    };
    assert_eq!(
        below("145"),
        (
            "145  information 2.3244 bits",
            "0H0B 8, 0H1B 10, 0H2B 4, 1H0B 10, 1H1B 2, 2H0B 2"
        )
    );
    assert_eq!(
        below("456"),
        ("456  information 1.4591 bits", "0H0B 18, 0H1B 12, 1H0B 6")
    );
    assert_eq!(*lines.last().unwrap(), "145 (90)");
    let refused = |args: &[&str]| run(&[&["explain"], args].concat()).stderr;
    insta::assert_snapshot!(refused(&["hitblow 3 9", "--digits", "123456789", "120:1,1"]), @r#"lab: failed to read row "120:1,1": expected a code of the game such as "123", found "120""#);
    insta::assert_snapshot!(refused(&["hitblow 3 9", "--digits", "12"]), @r#"lab: failed to understand --digits: expected 9 different characters, one for each digit, found "12""#);
    insta::assert_snapshot!(refused(&["distance 3 10 10", "--digits", "0123456789"]), @"lab: --digits cannot be used with distance 3 10 10");
}

#[test]
fn names_that_the_articles_give_to_policies_have_a_hint() {
    for (theirs, ours) in [
        ("entropy", "entropy of article 001 is called mi here"),
        (
            "exp_minmax[tie=first]",
            "exp_minmax of article 001 is called expected-size here",
        ),
        ("bayes", "Bayes' rule as in article 002 is called map here"),
    ] {
        let said = run(&["compare", theirs]).stderr;
        let cause = format!("lab: failed to understand the policy {theirs:?}: expected a policy (");
        assert!(said.starts_with(&cause), "{said}");
        assert!(said.ends_with(&format!("\nhint: {ours}\n")), "{said}");
    }
}
