//! What is said where the machine refuses: no room, no descriptors, no current folder. The system's reason alone does not
//! say what to do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::nobody::{as_nobody, tester_for_nobody};
use crate::common::{Shown, counter, kernel_has_filters, paste, script};
use crate::machine::{Refused, said};
use tempfile::tempdir;

/// What a shell shows that ran this in the folder.
fn shell(dir: &Path, command: &str) -> Shown {
    paste(dir, command).into()
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_not_its_temporary_file() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let batch = "tester batch --seeds 0..3 --problem 'hitblow 1 10' -- ./c";
    assert_eq!(shell(dir.path(), batch).status, 0);
    let shown = shell(dir.path(), "ulimit -f 1; tester report");
    insta::assert_snapshot!(shown.stderr, @r"
    tester: failed to write out/report.html: File too large (os error 27)
    hint: files may not become that large here: see ulimit -f
    ");
    let shard = batch.replace("batch", "batch --shard 1/1 --to s.jsonl");
    let shown = shell(
        dir.path(),
        &format!("ulimit -f 1; {shard} {}", "x".repeat(2000)),
    );
    insta::assert_snapshot!(shown.stderr, @r"
    tester: failed to write shard 1/1 to s.jsonl: File too large (os error 27)
    hint: files may not become that large here: see ulimit -f
    ");
    assert!(!dir.path().join("s.jsonl").exists());
}

#[test]
fn of_the_files_of_a_case_the_one_that_cannot_be_written_is_named() {
    let dir = tempdir().unwrap();
    let plays = "read -r game; echo 7; read -r h b";
    script(
        dir.path(),
        "said",
        &format!("head -c 200000 /dev/zero >&2; {plays}"),
    );
    // A line of the transcript is longer, for its time stands in front.
    script(
        dir.path(),
        "wrote",
        &format!("yes '#' | head -n 20000; {plays}"),
    );
    let batch = "tester batch --seeds 0..1 --problem 'hitblow 1 10'";
    // One file of each is too large: a transcript holds stderr, too, so the first has none.
    for (words, kind) in [("./said", "err"), ("--transcripts ./wrote", "transcript")] {
        let shown = shell(dir.path(), &format!("ulimit -f 200; {batch} {words}"));
        let named = format!("/0000.{kind}: File too large (os error 27)\n");
        assert!(shown.stderr.contains(&named), "{}", shown.stderr);
    }
    let one = "tester --seed 0 --problem 'hitblow 1 10' --transcript t ./wrote > out.txt";
    let shown = shell(dir.path(), &format!("ulimit -f 200; {one}"));
    insta::assert_snapshot!(shown.stderr, @"
    IE: failed to keep the contestant's output: failed to write the transcript: File too large (os error 27)
    Score = 0
    ");
}

#[test]
fn a_history_that_may_only_be_read_is_shown_and_not_changed() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let batch = "tester batch --seeds 0..3 --problem 'hitblow 1 10' -- ./c";
    assert_eq!(shell(dir.path(), batch).status, 0);
    let close = |path: &str, mode: u32| {
        fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let tester = tester_for_nobody(dir.path());
    for (path, mode) in [("", 0o755), ("out", 0o555), ("out/history.sqlite", 0o444)] {
        close(path, mode);
    }
    let words = as_nobody().map_or_else(String::new, |words| words.join(" "));
    let reader = |args: &str| shell(dir.path(), &format!("{words} {} {args}", tester.display()));
    assert_eq!(reader("show").status, 0);
    let shown = reader("delete 1");
    close("out/history.sqlite", 0o000);
    let unreadable = reader("show");
    close("out", 0o755);
    insta::assert_snapshot!(unreadable.stderr, @r"
    tester: failed to open history out/history.sqlite: unable to open database file: out/history.sqlite
    hint: the file must be readable, and for a change the file and its folder must be writable; --history FILE names another
    ");
    insta::assert_snapshot!(shown.stderr, @r"
    tester: failed to open history out/history.sqlite: attempt to write a readonly database
    hint: the file must be readable, and for a change the file and its folder must be writable; --history FILE names another
    ");
}

#[test]
fn too_few_descriptors_have_a_hint() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let batch = "tester batch --seeds 0..3 --problem 'hitblow 1 10' --jobs 1 -- ./c";
    // How many are needed until a program is started depends on the machine.
    let refused = (15..40).filter(|most| {
        let shown = shell(dir.path(), &format!("ulimit -n {most}; {batch}"));
        let is_refused = shown.stderr.contains("(os error 24)");
        if is_refused {
            let hint = "hint: each job takes about twelve open files: type fewer --jobs";
            assert_eq!(shown.status, 2, "{most}: {}", shown.stderr);
            assert_eq!(
                shown.stderr.matches(hint).count(),
                1,
                "{most}: {}",
                shown.stderr
            );
        }
        is_refused
    });
    assert!(refused.count() > 3);
}

#[test]
fn a_shortage_of_descriptors_is_never_taken_for_a_missing_function() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let batch = "tester batch --seeds 0..30 --problem 'hitblow 1 10' --jobs 4 -- ./c";
    let short = (30..65).step_by(2).filter(|most| {
        let shown = shell(dir.path(), &format!("ulimit -n {most}; {batch}"));
        let said = shown.stdout + &shown.stderr;
        // ENOSYS, after which programs were judged without a namespace.
        assert!(!said.contains("(os error 38)"), "{most}: {said}");
        said.contains("(os error 24)")
    });
    // Where there are enough, no shortage is tested.
    assert!(short.count() > 3);
}

#[test]
fn a_current_folder_that_was_removed_is_the_hint() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    for (command, cause) in [
        ("tester history", "no history at out/history.sqlite"),
        ("tester batch --seeds 0..3 -- ../c", "failed to write out"),
    ] {
        let shown = shell(
            dir.path(),
            &format!("mkdir gone; cd gone; rmdir ../gone; {command}"),
        );
        let (first, hint) = shown.stderr.split_once('\n').unwrap();
        assert!(first.starts_with(&format!("tester: {cause}")), "{first}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(hint, @r#"hint: the current folder was removed: go to another one; if it was made again, cd "$PWD""#);
        }
    }
}

#[test]
fn the_output_that_is_full_is_named() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let stderr = |args: &[&str]| {
        let tester = Command::new(env!("CARGO_BIN_EXE_tester"))
            .args(args)
            .current_dir(&dir)
            .stdin(Stdio::null())
            .stdout(full())
            .output();
        let tester = tester.unwrap();
        assert_eq!(tester.status.code(), Some(2), "{args:?}");
        String::from_utf8(tester.stderr).unwrap()
    };
    let one = ["--seed", "0", "--problem", "hitblow 1 10", "./c"];
    let helps = [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help", "duel"],
        &["batch", "--help"],
    ];
    for args in helps
        .into_iter()
        .chain([&one[..], &["problems"], &["doctor"]])
    {
        let stderr = stderr(args);
        let cause = "failed to write to standard output: No space left on device (os error 28)\nhint: the disk is full";
        assert!(stderr.contains(cause), "{args:?}: {stderr}");
    }
}

#[test]
fn a_help_text_whose_reader_has_left_is_no_failure() {
    for args in [&["--help"][..], &["--version"], &["batch", "--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let tester = Command::new(env!("CARGO_BIN_EXE_tester"))
            .args(args)
            .stdout(writer)
            .output();
        let tester = tester.unwrap();
        assert!(tester.status.success(), "{args:?}: {}", said(&tester));
        assert_eq!(String::from_utf8_lossy(&tester.stderr), "", "{args:?}");
    }
}

#[test]
fn where_no_process_can_be_started_the_hint_names_the_limit() {
    if !kernel_has_filters() {
        return;
    }
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let refused = Refused {
        call: libc::SYS_clone,
        with: Some((0, (libc::CLONE_VM | libc::SIGCHLD) as u64)),
        error: libc::EAGAIN,
    };
    let output = refused.run(dir.path(), &["./c"], "hitblow 1 10\n3\n");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    insta::assert_snapshot!(said(&output), @r"
    tester: failed to start ./c: Resource temporarily unavailable (os error 11)
    hint: no more processes or threads can be started here: type fewer --jobs, or raise the limit (ulimit -u, or that of the container)
    ");
    let batch = ["batch", "--seeds", "0..3", "--jobs", "1", "--", "./c"];
    let output = refused.run(dir.path(), &batch, "");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("hint: no more processes or threads can be started here"));
}
