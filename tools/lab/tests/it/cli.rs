//! The binary as people use it: output, exit status, bad input.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::words::words;

pub(crate) struct Shown {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn run_in(dir: &Path, args: &[&str], input: &str) -> Shown {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have refused its options and left already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Shown {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn run(args: &[&str]) -> Shown {
    run_in(Path::new("."), args, "")
}

#[test]
fn json_is_one_object_with_the_published_figures() {
    let args = words("policy mi --problem 'hitblow 3 10' --pool all --tie candidate --json");
    let shown = run(&args);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    insta::assert_snapshot!(shown.stdout, @r#"{"problem":"hitblow 3 10","policy":"mi","pool":"all","tie":"candidate","hit_bonus":null,"hit_gain":null,"secrets":720,"total":3616,"mean":5.022222222222222,"worst":7,"histogram":[1,6,28,105,383,195,2],"until_determined":{"total":3096,"mean":4.3,"worst":6}}"#);
    let random: serde_json::Value =
        serde_json::from_str(&run(&["policy", "random", "--json"]).stdout).unwrap();
    assert_eq!(random["total"], 720 * 721 / 2);
    assert_eq!(random["mean"], 360.5);
    let map = run(&words("policy map --pool candidates --tie first --json"));
    let map: serde_json::Value = serde_json::from_str(&map.stdout).unwrap();
    assert_eq!(
        (&map["total"], &map["pool"], &map["tie"]),
        (&3792.into(), &"candidates".into(), &"first".into())
    );
}

#[test]
fn table_has_a_bar_for_each_number_of_turns() {
    let shown = run(&["policy", "map"]);
    let stable: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|line| !line.starts_with("time"))
        .collect();
    insta::assert_snapshot!(stable.join("\n"), @"
    problem    hitblow 3 10
    policy     map pool=all tie=candidate
    secrets    720
    total      3792
    mean       5.2667
    worst      9
    determined after 4.8181 turns on average, 8 at worst
    turns secrets
        1       1 █
        2       8 ██
        3      40 █████████
        4     131 ████████████████████████████
        5     236 ██████████████████████████████████████████████████
        6     205 ████████████████████████████████████████████
        7      73 ████████████████
        8      24 ██████
        9       2 █
    ");
}

#[test]
fn prior_changes_guesses_and_mean() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.txt"), "# friends\n987 6\n123 3\n456 1\n").unwrap();
    let shown = run_in(
        dir.path(),
        &["policy", "map", "--prior", "p.txt", "--json"],
        "",
    );
    let report: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    // 987, then 123, then 456 - the replies leave one or two codes: 0.6 · 1 + 0.3 · 2 + 0.1 · 3 at most.
    assert_eq!(report["secrets"], 3);
    let mean = report["prior_mean"].as_f64().unwrap();
    assert!(
        (1.4 - 1e-9..=1.5 + 1e-9).contains(&mean),
        "{}",
        shown.stdout
    );
    let mi = run_in(
        dir.path(),
        &["policy", "mi", "--prior", "p.txt", "--json"],
        "",
    );
    assert_eq!(mi.status, 0, "{}", mi.stderr);
    // Two codes are left, and either tells which it is: the probable one goes first, 0.99 · 1 + 0.01 · 2.
    std::fs::write(dir.path().join("two.txt"), "123 1\n720 99\n").unwrap();
    let two = run_in(
        dir.path(),
        &["policy", "mi", "--prior", "two.txt", "--json"],
        "",
    );
    let report: serde_json::Value = serde_json::from_str(&two.stdout).unwrap();
    assert!(
        (report["prior_mean"].as_f64().unwrap() - 1.01).abs() < 1e-9,
        "{}",
        two.stdout
    );
}

#[test]
fn a_prior_may_have_weights_of_any_ratio() {
    let dir = tempfile::tempdir().unwrap();
    // The first ratio is too small for a number, the second for a difference of scores: 012 tells nothing of the two.
    for (file, weight) in [("huge.txt", "1e-340"), ("large.txt", "1e-12")] {
        let (light, heavy) = match weight {
            "1e-340" => ("1e-170", "1e170"),
            other => (other, "1"),
        };
        let text = format!("345 {light}\n543 {heavy}\n");
        std::fs::write(dir.path().join(file), text).unwrap();
        for policy in [
            &["map"][..],
            &["mi"],
            &["mi", "--tie", "first", "--pool", "candidates"],
            &["mi", "--tie", "first"],
            &["mi", "--tie", "random"],
        ] {
            let args = [&["policy"], policy, &["--prior", file, "--json"]].concat();
            let shown = run_in(dir.path(), &args, "");
            assert_eq!(shown.status, 0, "{policy:?} {file}: {}", shown.stderr);
            let report: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
            // One after the other: 1 + 2 turns, or both later.
            assert_eq!(report["secrets"], 2);
            assert!(report["total"].as_u64().unwrap() >= 3, "{}", shown.stdout);
        }
        let shown = run_in(dir.path(), &["prior-cost", "map", "--prior", file], "");
        assert_eq!(shown.status, 0, "{file}: {}", shown.stderr);
    }
}

#[test]
fn replies_that_only_the_prior_excludes_are_not_called_wrong() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.txt"), "012 1\n345 1\n678 1\n").unwrap();
    let shown = run_in(
        dir.path(),
        &["explain", "hitblow 3 10", "012:0,1", "--prior", "p.txt"],
        "",
    );
    assert_eq!(shown.status, 1);
    // Article 003: 252 candidates are left after 012 0H1B.
    assert_eq!(
        shown.stdout,
        "no code of the prior explains all rows; 252 that it excludes would\n"
    );
    let args = ["advise", "hitblow 3 10", "--prior", "p.txt"];
    let game = run_in(dir.path(), &args, "012\n0 1\nquit\n");
    assert!(
        game.stdout.contains("the prior is dropped\n252 possible"),
        "{}",
        game.stdout
    );
}

#[test]
fn explanation_of_article_000() {
    let args = words("explain 'hitblow 3 10' 012:0,1 134:0,2 --guess 243 --guess 451");
    let shown = run(&args);
    assert_eq!(shown.status, 0);
    insta::assert_snapshot!(shown.stdout, @"
    prior      9.4919 bits, 720 codes
    posterior  4.2479 bits, 19 candidates
               243 340 351 361 371 381 391 403 423 451 461 471 481 491 541 641 741
               841 941
    best by information alone (lab advise adds 1.5 bits for a hit), and those named
          402  information 2.3096 bits, left on average 1.9384 bits,
               right with probability 0.0000
               0H0B 5, 0H1B 5, 0H2B 2, 1H0B 5, 1H1B 1, 2H0B 1
               60 turns over all candidates with the best play, 3.1579 on average
          420  information 2.3096 bits, left on average 1.9384 bits,
               right with probability 0.0000
               0H0B 5, 0H1B 5, 0H2B 1, 1H0B 5, 1H1B 2, 2H0B 1
               60 turns over all candidates with the best play, 3.1579 on average
          451  information 2.2943 bits, left on average 1.9537 bits,
               right with probability 0.0526
               0H1B 2, 1H0B 6, 1H1B 4, 1H2B 1, 2H0B 5, 3H0B 1
               57 turns over all candidates with the best play, 3.0000 on average
          541  information 2.2943 bits, left on average 1.9537 bits,
               right with probability 0.0526
               0H1B 2, 1H0B 6, 1H1B 5, 1H2B 1, 2H0B 4, 3H0B 1
               57 turns over all candidates with the best play, 3.0000 on average
          145  information 2.2943 bits, left on average 1.9537 bits,
               right with probability 0.0000
               0H1B 6, 0H2B 5, 0H3B 1, 1H0B 2, 1H1B 4, 1H2B 1
               58 turns over all candidates with the best play, 3.0526 on average
          243  information 1.7832 bits, left on average 2.4647 bits,
               right with probability 0.0526
               0H1B 10, 1H0B 5, 1H1B 2, 1H2B 1, 3H0B 1
               62 turns over all candidates with the best play, 3.2632 on average
    fewest turns: 57 over all candidates, if 451 is guessed next
    2 guesses have the largest information; alike after renaming digits and places:
    402 420
    ");
    let contradictory = run(&[
        "explain",
        "hitblow 3 10",
        "012:0,0",
        "345:0,0",
        "678:0,0",
        "901:1,0",
    ]);
    assert_eq!(contradictory.status, 1);
    insta::assert_snapshot!(contradictory.stdout, @"
    no code is possible: row 3 (678:0,0) contradicts those before it
    at least 1 row must be wrong:
      row 2 (345:0,0): then 6 codes are possible
      row 3 (678:0,0): then 6 codes are possible
    ");
}

#[test]
fn one_candidate_takes_one_turn() {
    let shown = run(&["explain", "hitblow 3 10", "012:0H1B", "134:3H0B"]).stdout;
    assert!(
        shown.contains("posterior  0.0000 bits, 1 candidate\n"),
        "{shown}"
    );
    assert!(
        shown.contains(
            "           1 turn over all candidates with the best play, 1.0000 on average\n"
        ),
        "{shown}"
    );
    let two = run(&["explain", "hitblow 3 10", "012:0H3B"]).stdout;
    assert!(
        two.contains("posterior  1.0000 bits, 2 candidates\n"),
        "{two}"
    );
}

#[test]
fn renaming_at_random_leaves_no_worst_secret_in_hitblow() {
    insta::assert_snapshot!(run(&["exploit", "mi"]).stdout, @"
    mean over all secrets           5.0222 turns
    as it is: worst secret          7 turns (581)
    renamed at random: worst secret 5.0222 turns on average

    secrets that can be renamed into each other, and so become equally hard
    equal digits       codes   worst as is   mean renamed
    1+1+1                720             7         5.0222
    ");
}

#[test]
fn pictures_are_what_their_names_say() {
    let dir = tempfile::tempdir().unwrap();
    let draw = |args: &[&str]| {
        let shown = run_in(dir.path(), args, "");
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        std::fs::read(dir.path().join(args.last().unwrap())).unwrap()
    };
    let png = draw(&words(
        "plot turns map 'mi[hit-bonus=2,tie=first]' --out turns.png",
    ));
    // As wide and high as the text below, in the colours of the two strategies (Okabe and Ito's blue and orange).
    let mut picture = png::Decoder::new(std::io::Cursor::new(&png))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
    let read = picture.next_frame(&mut pixels).unwrap();
    assert_eq!((read.width, read.height), (960, 560));
    assert_eq!(
        (read.color_type, read.bit_depth),
        (png::ColorType::Rgb, png::BitDepth::Eight)
    );
    for colour in [[255; 3], [0, 114, 178], [230, 159, 0]] {
        let count = pixels.chunks(3).filter(|pixel| *pixel == colour).count();
        assert!(count > 1000, "{count} of {colour:?}");
    }
    let svg = draw(&["plot", "turns", "map", "mi", "--out", "turns.svg"]);
    let svg = String::from_utf8(svg).unwrap();
    // Article 000's two strategies: a bar of 236 secrets beside one of 383.
    for text in [
        "<svg width=\"960\" height=\"560\"",
        "map, mean 5.267",
        "236",
        "383",
        "</svg>",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    let sweep =
        words("plot sweep --hit-gain 0..12 --problem 'hitblow 3 9' --tie first --out s.svg");
    // Article 004: 10 is best, and 2361 / 504 = 4.6845. The axis has integers.
    let sweep = String::from_utf8(draw(&sweep)).unwrap();
    assert!(sweep.contains("(4.6845)"));
    let labels: Vec<&str> = sweep.lines().map(str::trim).collect();
    assert!(labels.contains(&"10") && !labels.contains(&"10.0"));
    let mut left: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["s.svg", "turns.png", "turns.svg"]);
}

#[test]
fn bad_input_says_what_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bad.txt"), "123 -1\n").unwrap();
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), args, "");
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{args:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["policy", "best"]), @r#"
    lab: failed to understand the policy: expected a policy (random, random-candidate, random-fixed, map, mi, mi-rounded, minmax, expected-size, parts), found "best"
    hint: policy, compare, exploit, race, loss, bounds and plot turns also take optimal, optimal-worst and tree:FILE
    "#);
    insta::assert_snapshot!(refused(&["policy", "map", "--hit-bonus", "1"]), @"lab: failed to understand the policy: expected options that go with map (--pool, --tie, --seed with --tie random, --prior), found --hit-bonus");
    insta::assert_snapshot!(refused(&["policy", "minmax", "--hit-bonus", "2"]), @"lab: failed to understand the policy: expected options that go with minmax (--pool, --tie, --seed with --tie random), found --hit-bonus");
    insta::assert_snapshot!(refused(&["policy", "random", "--seed", "1"]), @"lab: failed to understand the policy: expected options that go with random (--pool, --tie), found --seed");
    insta::assert_snapshot!(refused(&["policy", "mi", "--hit-bonus", "1", "--hit-gain", "1"]), @"lab: failed to understand the policy: expected --hit-bonus or --hit-gain, found both");
    insta::assert_snapshot!(refused(&["policy", "mi", "--hit-gain", "NaN"]), @"lab: failed to understand the policy: expected a finite number of at least 0 for --hit-gain, found NaN");
    insta::assert_snapshot!(refused(&["policy", "mi", "--prior", "bad.txt"]), @r#"lab: failed to read prior bad.txt: line 1: expected a code of the game and a weight of at least 0, such as "501 1.5", found "123 -1""#);
    insta::assert_snapshot!(refused(&["policy", "mi", "--problem", "hitblow 3 65"]), @r#"
    lab: failed to understand the problem: expected hitblow P K with 1 <= P <= 10 and P <= K <= 64, found "hitblow 3 65"
    hint: `tester problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(refused(&["policy", "mi", "--problem", "hitblow 10 64"]), @"lab: failed to understand the problem: failed to list the codes: expected at most 2000000 codes, found 549666001924300800 in hitblow 10 64");
    insta::assert_snapshot!(refused(&["explain", "hitblow 3 10", "012-01"]), @r#"lab: failed to read row "012-01": expected guess:hits,blows such as "012:0,1", found "012-01""#);
    insta::assert_snapshot!(refused(&["advise", "hitblow 3 9", "--digits", "12"]), @r#"lab: failed to understand --digits: expected 9 different characters, one for each digit, found "12""#);
    insta::assert_snapshot!(refused(&["plot", "turns", "mi", "--out", "a.gif"]), @"lab: expected a name that ends in .svg or .png for --out, found a.gif");
    insta::assert_snapshot!(refused(&["plot", "turns", "mi[pool=some]", "--out", "a.svg"]), @r#"lab: failed to understand the policy "mi[pool=some]": invalid value 'some' for '--pool <POOL>'"#);
    insta::assert_snapshot!(refused(&["plot", "sweep", "--hit-gain", "9..1", "--out", "a.svg"]), @r#"lab: failed to understand --hit-gain: expected A..B with 0 <= A < B <= 1000, such as 0..30, found "9..1""#);
    insta::assert_snapshot!(refused(&["exploit", "random"]), @"lab: random has no decision tree");
    insta::assert_snapshot!(refused(&["prior-cost", "optimal"]), @"lab: expected a policy that takes a prior, such as map or mi, found optimal");
    insta::assert_snapshot!(refused(&["loss", "optimal", "--tie", "first"]), @"lab: failed to understand the policy: expected options that go with a tree (none), found --tie");
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["help", "loss"],
        &["bounds", "-h"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_lab"))
            .args(args)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("lab: failed to write the output"), "{said}");
        assert_eq!(run(args).status, 0, "{args:?}");
    }
}

/// The lines that do not tell how long it took.
pub(crate) fn without_time(text: &str) -> String {
    let timed = |line: &&str| line.starts_with("search") || line.starts_with("time");
    let lines = text.lines().filter(|line| !timed(line));
    lines.collect::<Vec<_>>().join("\n")
}
