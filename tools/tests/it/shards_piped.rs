//! Shards that come through a pipe, as from another machine.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::shards::{GAME, folder};
use crate::common::{Shown, names, run_in};

/// The lines of a shard.
fn piped(dir: &std::path::Path, part: &str) -> String {
    let words = ["batch", "--shard", part, "--json"];
    let shown = run_in(dir, &[&words, &GAME[..], &["--", "./c"]].concat(), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    shown.stdout
}

#[test]
fn lines_on_standard_output_are_the_same_shard_and_can_be_piped() {
    let dir = folder();
    let piped = ["1/2", "2/2"].map(|part| piped(dir.path(), part));
    assert_eq!(names(dir.path()), ["c", "out"]);
    let shown = run_in(dir.path(), &["merge", "-"], &piped.concat());
    assert_eq!(shown.status, 0, "{shown:?}");
    // Beside what is none in a folder.
    fs::create_dir(dir.path().join("all")).unwrap();
    for (name, text) in [
        ("a.jsonl", &piped[0]),
        ("b.jsonl", &piped[1]),
        (".c.jsonl", &piped[0]),
        ("plan.json", &piped[1]),
    ] {
        fs::write(
            dir.path().join("all").join(name),
            &text[..text.len() - usize::from(!("a"..="c").contains(&name))],
        )
        .unwrap();
    }
    let shown = run_in(dir.path(), &["merge", "all"], "");
    insta::assert_snapshot!(shown.stderr, @"tester: note: run 1 has the same shards; `tester delete 2` removes the second one");
    assert_eq!(shown.status, 0);
    fs::create_dir(dir.path().join("none")).unwrap();
    let shown = run_in(dir.path(), &["merge", "none"], "");
    insta::assert_snapshot!(shown.stderr, @"
    tester: note: no files *.jsonl are in none
    tester: failed to merge; nothing was written:
    - expected shards, found none that could be read
    ");
    let neither = run_in(
        dir.path(),
        &[&["batch", "--shard", "1/2"], &GAME[..], &["--", "./c"]].concat(),
        "",
    );
    insta::assert_snapshot!(neither.stderr, @"tester: --shard cannot be used without --to FILE or --json");
    assert_eq!(neither.status, 2);
}

#[test]
fn the_history_is_free_until_all_that_is_piped_has_come() {
    let dir = folder();
    let parts = ["1/2", "2/2"].map(|part| piped(dir.path(), part));
    let mut merge = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["merge", "-"])
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = merge.stdin.take().unwrap();
    pipe.write_all(parts[0].as_bytes()).unwrap();
    // It has read this part.
    let begun = Instant::now();
    while rustix::io::ioctl_fionread(&pipe).unwrap() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is read");
        std::thread::sleep(Duration::from_millis(5));
    }
    let batch = [&["batch"], &GAME[..], &["--", "./c"]].concat();
    let shown = run_in(dir.path(), &batch, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    pipe.write_all(parts[1].as_bytes()).unwrap();
    drop(pipe);
    assert!(merge.wait().unwrap().success());
    let history = run_in(dir.path(), &["history"], "").stdout;
    assert_eq!(history.matches("./c").count(), 2, "{history}");
}

#[test]
fn what_another_command_prints_is_merged_as_a_file_is() {
    let dir = folder();
    for (part, name) in [("1/2", "a"), ("2/2", "b")] {
        fs::write(dir.path().join(name), piped(dir.path(), part)).unwrap();
    }
    let tester = env!("CARGO_BIN_EXE_tester");
    let merge = format!("'{tester}' merge - <(cat b) < a");
    let shown = Command::new("bash")
        .args(["-c", &merge])
        .current_dir(dir.path())
        .output();
    let shown = Shown::from(shown.unwrap());
    assert_eq!(shown.status, 0, "{shown:?}");
}
