//! What `tester batch --shard` and `tester merge` refuse, through the real binary.

use std::fs;

use crate::common::shards::{GAME, folder, merge, rewritten, shard, shards};
use crate::common::{counter, names, run_in};

#[test]
fn a_shard_that_is_there_is_not_judged_again_and_nothing_else_is_replaced() {
    let dir = folder();
    let (file, shown) = shard(dir.path(), "2/4", &GAME, &["./c"]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""), "{shown:?}");
    assert!(
        shown
            .stderr
            .starts_with("tester: shard 2/4: 10 cases, 10 of them AC, in "),
        "{shown:?}"
    );
    assert_eq!(names(&dir.path().join("out")).len(), 10, "no history");
    let text = fs::read(dir.path().join(&file)).unwrap();
    let again = || shard(dir.path(), "2/4", &GAME, &["./c"]).1;
    let shown = again();
    assert_eq!(shown.status, 0);
    assert_eq!(
        shown.stderr,
        "tester: 2-of-4.jsonl already holds shard 2/4; nothing was judged\n"
    );
    assert_eq!(fs::read(dir.path().join(&file)).unwrap(), text);
    let refused = |words: &[&str]| {
        let before = fs::read(dir.path().join(&file)).unwrap();
        let words = [&["batch", "--to", &file], words, &["--", "./c"]].concat();
        let shown = run_in(dir.path(), &words, "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert_eq!(fs::read(dir.path().join(&file)).unwrap(), before);
        shown.stderr
    };
    insta::assert_snapshot!(refused(&[&["--shard", "3/4"], &GAME[..]].concat()), @"tester: shard 3/4 was not judged, because 2-of-4.jsonl holds something else: expected shard 3/4, found 2/4");
    insta::assert_snapshot!(refused(&[&["--shard", "2/4", "--turn-limit", "7"], &GAME[..]].concat()), @"tester: shard 2/4 was not judged, because 2-of-4.jsonl holds something else: expected the same run, found another (turn limit: expected 7, found 1000)");
    // Half of it, as an earlier machine may have left it.
    fs::write(dir.path().join(&file), &text[..text.len() / 2]).unwrap();
    let shown = again();
    assert_eq!(shown.status, 2);
    assert!(
        shown.stderr.contains("expected a whole line, found "),
        "{shown:?}"
    );
    // Another program, under the same name.
    fs::write(dir.path().join(&file), &text).unwrap();
    counter(dir.path(), "c", ":");
    assert!(
        again()
            .stderr
            .contains("found another (program's SHA-256: ")
    );
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let dir = folder();
    let pipe = dir.path().join("1-of-2.jsonl");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    std::os::unix::fs::symlink("/dev/full", dir.path().join("2-of-2.jsonl")).unwrap();
    for part in ["1/2", "2/2"] {
        let (_, shown) = shard(dir.path(), part, &GAME, &["./c"]);
        assert_eq!(shown.status, 2, "{shown:?}");
        let why = "it exists, and is not a regular file";
        assert!(shown.stderr.contains(why), "{shown:?}");
    }
}

#[test]
fn options_that_a_shard_would_not_heed_are_refused() {
    let dir = folder();
    for option in [
        "--resume",
        "--fail-fast",
        "--shuffle",
        "--csv",
        "--history=h",
        "--tag=t",
        "--comment=c",
    ] {
        let words = ["batch", "--shard", "1/2", "--to", "s", option];
        let shown = run_in(
            dir.path(),
            &[&words, &GAME[..], &["--", "./c"]].concat(),
            "",
        );
        assert_eq!(shown.status, 2, "{option}");
        assert!(shown.stderr.contains("cannot be used with"), "{shown:?}");
    }
    for part in ["0/2", "3/2", "x"] {
        let shown = run_in(
            dir.path(),
            &["batch", "--shard", part, "--to", "s", "--", "./c"],
            "",
        );
        assert!(
            shown
                .stderr
                .contains("expected I/N with 1 <= I <= N, such as 3/8"),
            "{shown:?}"
        );
    }
    let alone = run_in(dir.path(), &["batch", "--to", "s", "--", "./c"], "");
    assert!(alone.stderr.contains("--shard <I/N>"), "{alone:?}");
    assert_eq!(names(dir.path()), ["c"]);
}

#[test]
fn refused_is_refused_and_no_run_is_entered() {
    let dir = folder();
    let at = dir.path();
    let files = shards(at, 4, &GAME, &["./c"]);
    let refused = |files: &[&str], more: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let shown = merge(at, &files, more);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        let history = run_in(at, &["history"], "").stdout;
        assert_eq!(history.lines().count(), 1, "{history}");
        shown.stderr
    };
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    insta::assert_snapshot!(refused(&all[1..3], &[]), @"
    tester: failed to merge; nothing was written:
    - 20 of 40 cases are missing: 0000 to 0009, 0030 to 0039, those of shards 1/4, 4/4
    hint: --partial keeps what is there as an unfinished run
    ");
    insta::assert_snapshot!(refused(&["nothing.jsonl", all[0], all[1], all[2], all[3]], &[]), @"
    tester: failed to merge; nothing was written:
    - failed to read shard nothing.jsonl: No such file or directory (os error 2)
    ");
    insta::assert_snapshot!(refused(&all, &["--", "./c", "--fast"]), @"
    tester: failed to merge; nothing was written:
    - expected the arguments of ./c --fast, found those of ./c in 1-of-4.jsonl
    ");
    // A worker with another program.
    counter(at, "other", ":");
    let other = [
        &["batch", "--shard", "2/4", "--to", "other.jsonl"],
        &GAME[..],
        &["--", "./other"],
    ]
    .concat();
    assert_eq!(run_in(at, &other, "").status, 0);
    let shown = refused(&[all[0], "other.jsonl", all[2], all[3]], &[]);
    assert!(shown.contains("- shard 2/4 in other.jsonl is of another run than what is in 1-of-4.jsonl: program's SHA-256: "), "{shown}");
    let shown = refused(&all, &["--", "./other"]);
    assert!(shown.contains("- expected ./other, SHA-256 "), "{shown}");
    // A worker with another version of the judge: a text as that would write it.
    let of_another = |change: &dyn Fn(&str) -> String| {
        fs::write(
            at.join("another.jsonl"),
            rewritten(&fs::read_to_string(at.join(all[1])).unwrap(), change),
        )
        .unwrap();
        refused(&[all[0], "another.jsonl", all[2], all[3]], &[])
    };
    let shown = of_another(&|line| line.replace("\"tester\":\"0.1.0\"", "\"tester\":\"0.0.9\""));
    assert!(
        shown.contains("tester's version: expected 0.1.0, found 0.0.9\n"),
        "{shown}"
    );
    // A machine that finds something else in the same case.
    let text = fs::read_to_string(at.join(all[1])).unwrap();
    fs::write(
        at.join("worse.jsonl"),
        rewritten(&text, &|line| line.replace("\"turns\":2", "\"turns\":3")),
    )
    .unwrap();
    let shown = refused(&[all[0], all[1], all[2], all[3], "worse.jsonl"], &[]);
    assert!(
        shown.contains("was judged twice and disagrees: AC, score 2 (2 turns, content "),
        "{shown}"
    );
    // One byte in a score, and nothing else.
    fs::write(
        at.join("altered.jsonl"),
        text.replacen("\"score\":2", "\"score\":1", 1),
    )
    .unwrap();
    let shown = refused(&[all[0], "altered.jsonl", all[2], all[3]], &[]);
    assert!(
        shown.contains(
            "- failed to read shard altered.jsonl: line 12: expected the shard as it was written"
        ),
        "{shown}"
    );
}
