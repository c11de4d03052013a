//! Programs for a virtual machine: the command names no file of theirs, but a run is of the classes that it starts.

use std::fs;
use std::path::Path;

use crate::common::{Shown, script, tester};

/// A folder with shell scripts for Java's tools: they make and run a class `Main`, with an inner class.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    script(&bin, "javac", "cp $1 Main.class; cp $1 'Main$A.class'");
    script(&bin, "java", "exec sh ./$1.class");
    write(dir.path(), "Main.java", "read game; echo 0\n");
    dir
}

fn write(dir: &Path, name: &str, text: &str) {
    fs::write(dir.join(name), text).unwrap();
}

fn run(dir: &Path, args: &[&str]) -> Shown {
    let path = std::env::var("PATH").unwrap();
    let mut command = tester(args);
    let path = format!("{}:{path}", dir.join("bin").display());
    let output = command.current_dir(dir).env("PATH", path).output();
    Shown::from(output.unwrap())
}

const BATCH: [&str; 9] = [
    "batch",
    "--build=javac Main.java",
    "--problem=hitblow 1 3",
    "--seeds=0..2",
    "--jobs=1",
    "--fail-fast",
    "--",
    "java",
    "Main",
];

#[test]
fn the_source_of_java_is_kept_and_new_classes_are_another_program() {
    let dir = folder();
    let at = dir.path();
    assert_eq!(run(at, &BATCH).status, 1);
    assert_eq!(run(at, &["source"]).stdout, "read game; echo 0\n");
    write(at, "Main.java", "read game; echo 1\n");
    assert_eq!(run(at, &BATCH).status, 1);
    let shown = run(at, &["diff"]);
    assert!(
        shown
            .stdout
            .ends_with("-read game; echo 0\n+read game; echo 1\n"),
        "{shown:?}"
    );
    let class = at.join("Main$A.class");
    fs::write(&class, "").unwrap();
    let resumed = run(at, &["batch", "--resume"]);
    let told = resumed.stderr.replace(at.to_str().unwrap(), "DIR");
    insta::assert_snapshot!(told, @"
    tester: failed to resume run 1: java Main has changed since the run began: at least one of DIR/bin/java, Main$A.class, Main.class
    hint: begin another run without --resume; the judged cases stay in the history
    ");
}

#[test]
fn init_finds_a_class_and_builds_it() {
    let dir = folder();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::rename(
        dir.path().join("Main.java"),
        dir.path().join("src/Main.java"),
    )
    .unwrap();
    write(dir.path(), "src/Other.java", "");
    let program = |args: &[&str]| {
        let shown = run(dir.path(), &[&["init", "--force"], args].concat());
        assert_eq!(shown.status, 0, "{shown:?}");
        let text = fs::read_to_string(dir.path().join("tester.toml")).unwrap();
        fs::remove_file(dir.path().join("tester.toml")).unwrap();
        let is_shown = |line: &&str| line.contains("javac") || line.starts_with("command");
        let lines = text.lines().filter(is_shown);
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(program(&[]), @r#"
    build = ["javac src/Main.java", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "java -cp src Main"
    "#);
    insta::assert_snapshot!(program(&["--command", "java -cp src Other"]), @r#"
    build = ["javac src/Other.java", "cargo build --release --manifest-path tools/Cargo.toml"]
    command = "java -cp src Other"
    "#);
}
