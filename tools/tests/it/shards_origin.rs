//! Shards of another user: the shell lines and the program that they bring are started only if they are the user's own.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::common::shards::{GAME, folder, merge, shard};
use crate::common::{Shown, run_in, script, write_cases};

const LINE: &str = "{command} < {case} > {out} && touch called && echo Score = 1";
const VIS: &str = "touch drawn; echo '<svg/>' > out.svg; : {case} {out}";

/// A contest's folder with four cases and a program.
fn contest() -> TempDir {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), ["1"; 4]);
    script(dir.path(), "mine", "cat");
    dir
}

/// The same with half of a run of another user in its history.
fn with_run_of_another(options: &[&str], program: &[&str]) -> TempDir {
    let (theirs, ours) = (contest(), contest());
    let (file, shown) = shard(theirs.path(), "1/2", options, program);
    assert_eq!(shown.status, 0, "{shown:?}");
    fs::copy(theirs.path().join(&file), ours.path().join(&file)).unwrap();
    let words: &[&str] = match program {
        [] => &["--partial"],
        _ => &["--partial", "--", "./mine"],
    };
    let shown = merge(ours.path(), &[file], words);
    assert_eq!(shown.status, 0, "{shown:?}");
    ours
}

fn resume(dir: &Path, words: &[&str]) -> Shown {
    run_in(dir, &[&["batch", "--resume"], words].concat(), "")
}

fn refused(dir: &Path, words: &[&str]) -> String {
    let shown = resume(dir, words);
    assert_eq!(shown.status, 2, "{shown:?}");
    for name in ["called", "drawn"] {
        assert!(!dir.join(name).exists(), "{words:?}");
    }
    shown.stderr
}

fn configure(dir: &Path, judge: &str) {
    let text = format!("version = 1\n[judge]\n{judge}\n");
    fs::write(dir.join("tester.toml"), text).unwrap();
}

#[test]
fn a_line_of_shards_is_started_only_if_it_is_in_the_file() {
    let ours = with_run_of_another(&["--external", LINE, "--vis", VIS], &["./mine"]);
    let dir = ours.path();
    let told = refused(dir, &[]);
    insta::assert_snapshot!(told, @"
    tester: run 1 came from shards, and its judge's line is neither typed nor in tester.toml: '{command} < {case} > {out} && touch called && echo Score = 1'
    hint: if you trust it, type it as --external with the other options of the run, or write it into [judge] of tester.toml as external
    ");
    configure(dir, "external = 'echo Score = 1; : {case}'");
    assert_eq!(refused(dir, &[]), told);
    configure(dir, &format!("external = '{LINE}'"));
    insta::assert_snapshot!(refused(dir, &[]), @r"
    tester: run 1 came from shards, and its visualizer's line is neither typed nor in tester.toml: 'touch drawn; echo '\''<svg/>'\'' > out.svg; : {case} {out}'
    hint: --vis-worst 0 draws nothing; if you trust it, type it as --vis with the other options of the run, or write it into [judge] of tester.toml as vis
    ");
    configure(dir, &format!("external = '{LINE}'\nvis = \"{VIS}\""));
    assert!(refused(dir, &["--no-config"]).contains("neither typed nor in tester.toml"));
    let shown = resume(dir, &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stderr.contains("drawn "), "{shown:?}");
    assert!(dir.join("called").exists());
    // Its pictures afterwards.
    let vis = |dir: &Path| run_in(dir, &["vis", "3", "--run", "1"], "");
    assert_eq!(vis(dir).status, 0);
    fs::remove_file(dir.join("tester.toml")).unwrap();
    fs::remove_dir_all(dir.join("out/runs/1/vis")).unwrap();
    let shown = vis(dir);
    insta::assert_snapshot!(shown.stderr, @r"
    tester: run 1 came from shards, and its visualizer's line is neither typed nor in tester.toml: 'touch drawn; echo '\''<svg/>'\'' > out.svg; : {case} {out}'
    hint: if you trust it, write it into [judge] of tester.toml as vis
    ");
    assert!(!dir.join("out/runs/1/vis").exists());
}

#[test]
fn a_line_of_shards_is_started_if_it_is_typed() {
    let ours = with_run_of_another(&["--external", LINE, "--vis", VIS], &["./mine"]);
    let typed = |more: &[&'static str]| [&["--external", LINE], more, &["--", "./mine"]].concat();
    assert!(refused(ours.path(), &typed(&[])).contains("its visualizer's line is"));
    let shown = resume(ours.path(), &typed(&["--vis", VIS]));
    assert!(shown.stderr.contains("drawn "), "{shown:?}");
    let ours = with_run_of_another(&["--external", LINE, "--vis", VIS], &["./mine"]);
    let shown = resume(ours.path(), &typed(&["--vis-worst", "0"]));
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(!shown.stderr.contains("drawn "), "{shown:?}");
}

#[test]
fn a_line_without_a_program_and_an_interactor_are_refused_too() {
    let line = "touch called; echo Score = 1; : {case}";
    let ours = with_run_of_another(&["--external", line], &[]);
    assert!(refused(ours.path(), &[]).contains(line));
    let shown = resume(ours.path(), &["--external", line]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let line = "cat {case} > /dev/null; touch called";
    let ours = with_run_of_another(&["--interactor", line], &["./mine"]);
    let told = refused(ours.path(), &[]);
    assert!(told.contains("its interactor's line is") && told.contains("--interactor"));
    configure(ours.path(), &format!("interactor = '{line}'"));
    let shown = resume(ours.path(), &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn a_program_of_shards_is_started_only_if_it_is_typed_or_in_the_file() {
    let dir = folder();
    let program = ["sh", "-c", "touch called; exec ./c"];
    let (file, shown) = shard(dir.path(), "1/2", &GAME, &program);
    assert_eq!(shown.status, 0, "{shown:?}");
    fs::remove_file(dir.path().join("called")).unwrap();
    let files = [file];
    assert_eq!(merge(dir.path(), &files, &["--partial"]).status, 0);
    insta::assert_snapshot!(refused(dir.path(), &[]), @"
    tester: run 1 came from shards, and its program is neither typed nor in tester.toml: sh -c 'touch called; exec ./c'
    hint: if you trust it, type it with the options of the run, or write it into [batch] of tester.toml as command; what you type after `merge` is yours, too
    ");
    let shown = resume(dir.path(), &[&GAME[..], &["--"], &program].concat());
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(merge(dir.path(), &files, &["--partial"]).status, 0);
    let text = "version = 1\n[batch]\ncommand = \"sh -c 'touch called; exec ./c'\"\n";
    fs::write(dir.path().join("tester.toml"), text).unwrap();
    let shown = resume(dir.path(), &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn a_refused_line_is_escaped() {
    let line = "echo Score = 1 # {case} \u{1b}[31m\u{202e}\n: hint";
    let ours = with_run_of_another(&["--external", line], &[]);
    let told = refused(ours.path(), &[]);
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
    assert_eq!(told.lines().count(), 2, "{told}");
}
