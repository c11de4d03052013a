//! `lab policy --shard` and `--merge` through the real binary, and an output of which a part is read.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::{Shown, run_in};

/// The parts of a count, in files of a folder.
fn parts(dir: &Path, of: u64, words: &[&str]) -> Vec<String> {
    let part = |index: u64| {
        let part = format!("{index}/{of}");
        let shown = run_in(dir, &[&["policy"], words, &["--shard", &part]].concat(), "");
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        let name = format!("{}-{index}-of-{of}", words[0]);
        std::fs::write(dir.join(&name), shown.stdout).unwrap();
        name
    };
    (1..=of).map(part).collect()
}

fn merged(dir: &Path, files: &[String], more: &[&str]) -> Shown {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run_in(
        dir,
        &[&["policy"], more, &["--merge"], &files[..]].concat(),
        "",
    )
}

#[test]
fn parts_counted_anywhere_are_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let studies: [&[&str]; 4] = [
        &[
            "mi",
            "--problem",
            "hitblow 3 8",
            "--pool",
            "all",
            "--hit-bonus",
            "2",
        ],
        &[
            "random-candidate",
            "--problem",
            "mastermind 3 5",
            "--seed",
            "7",
        ],
        &["map", "--problem", "distance 3 10 10", "--seeds", "5..45"],
        &["mi", "--problem", "balance 12 odd"],
    ];
    for study in studies {
        let whole = run_in(at, &[&["policy"], study, &["--json"]].concat(), "");
        let mut files = parts(at, 5, study);
        files.reverse();
        files.push(files[2].clone()); // twice, and alike
        let shown = merged(at, &files, &["--json"]);
        assert_eq!(
            (shown.stdout, shown.stderr),
            (whole.stdout, String::new()),
            "{study:?}"
        );
        let whole = run_in(at, &[&["policy"], study].concat(), "");
        let table = whole.stdout.split("time ").next().unwrap();
        assert_eq!(merged(at, &files, &[]).stdout, table);
    }
}

#[test]
fn parts_that_are_not_one_whole_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let game = ["minmax", "--problem", "mastermind 2 4"];
    let files = parts(at, 3, &game);
    let refused = |files: &[String]| {
        let shown = merged(at, files, &[]);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""));
        shown.stderr
    };
    insta::assert_snapshot!(refused(&files[1..2]), @"lab: expected all 3 parts, found none for 1/3, 3/3");
    let other = parts(at, 3, &["parts", "--problem", "mastermind 2 4"]);
    insta::assert_snapshot!(refused(&[&files[..2], &other[2..]].concat()), @r#"lab: failed to read parts-3-of-3: expected a part of {"lab":"0.1.0","problem":"mastermind 2 4","policy":"minmax","pool":"all","tie":"candidate","hit_bonus":null,"hit_gain":null,"seed":null,"seeds":null,"cases":16} in 3 parts, found one of {"lab":"0.1.0","problem":"mastermind 2 4","policy":"parts","pool":"all","tie":"candidate","hit_bonus":null,"hit_gain":null,"seed":null,"seeds":null,"cases":16} in 3 parts"#);
    let halves = parts(at, 2, &game);
    assert!(refused(&[&files[..1], &halves[1..]].concat()).ends_with("\"cases\":16} in 2 parts\n"));
    let text = std::fs::read_to_string(at.join(&files[0])).unwrap();
    std::fs::write(at.join("cut"), &text[..text.len() / 2]).unwrap();
    assert!(refused(&["cut".to_owned()]).starts_with(
        "lab: failed to read cut: expected a line that `lab policy --shard` has printed: "
    ));
    // One secret more than there are, and one that took another number of turns.
    let counts = text
        .split("\"turns\":")
        .nth(1)
        .unwrap()
        .split(']')
        .next()
        .unwrap();
    std::fs::write(
        at.join("more"),
        text.replace(counts, &format!("{counts},1")),
    )
    .unwrap();
    insta::assert_snapshot!(refused(&["more".to_owned()]), @"lab: failed to read more: expected 6 cases in part 1/3, found 7; count it again");
    let mut turned: Vec<u64> = serde_json::from_str(&format!("{counts}]")).unwrap();
    turned.reverse();
    let turned = serde_json::to_string(&turned).unwrap();
    std::fs::write(
        at.join("turned"),
        text.replace(&format!("{counts}]"), &turned),
    )
    .unwrap();
    insta::assert_snapshot!(refused(&[&files[..], &["turned".to_owned()]].concat()), @"lab: failed to read turned: expected part 1/3 as it was counted before, found other counts");
    let shown = run_in(at, &["policy", "random", "--shard", "1/2"], "");
    insta::assert_snapshot!(shown.stderr, @"lab: --shard cannot be used with random: it has no decision tree");
    assert_eq!(run_in(at, &["policy"], "").status, 2);
}

#[test]
fn a_reader_that_has_read_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["policy", "mi", "--secret", "012"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"", "{output:?}");
}
