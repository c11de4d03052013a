//! Text from outside (paths, files, other machines' shards) reaches the terminal escaped, through the real binary.

use std::fs;
use std::path::Path;

use crate::common::shards::{GAME, folder, merge, rewritten, shard};
use crate::common::{Shown, run_in};

/// What a terminal obeys: colour (C0), the title by C1, text from right to left.
const ESCAPES: &str = "\u{1b}[31m\u{9b}2J\u{202e}";
const ESCAPED: &str = r"\u{9b}2J\u{202e}";

/// Checks that neither output has a character that a terminal obeys, and that the name is shown, escaped.
fn check(shown: &Shown) {
    for text in [&shown.stdout, &shown.stderr] {
        let obeyed =
            |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(!text.contains(obeyed), "{text:?}");
    }
    // JSON doubles the backslashes; a word for a shell has the bytes in octal.
    let both = [&*shown.stdout, &shown.stderr].concat();
    let both = both.replace(r"\\", r"\");
    let by_shell = both.contains(r"\302\2332J\342\200\256");
    assert!(by_shell || both.contains(ESCAPED), "{shown:?}");
}

#[test]
fn names_of_files_are_escaped() {
    let dir = folder();
    let name = format!("{ESCAPES}.toml");
    let run = |words: &[&str]| run_in(dir.path(), words, "");
    for words in [
        &["batch", "--config", &name, "--", "./c"][..],
        &["batch", "--cases", &name, "--", "./c"],
        &["gen", &name],
        &["vis", &name, &name],
        &["merge", &name],
        &["history", "--history", &name],
        &["show", "--history", &name],
        &["show", &name],
        &["batch", &format!("--sed{name}"), "--", "./c"],
        &["batch", "--tag", &name, "--", "./c"],
        &["batch", "--jobs", &name, "--", "./c"],
        &["--seed", "1", &name],
    ] {
        let shown = run(words);
        assert_eq!(shown.status, 2, "{shown:?}");
        check(&shown);
    }
}

#[test]
fn excerpts_of_the_configuration_are_escaped() {
    let dir = folder();
    let refused = |text: &str| {
        fs::write(dir.path().join("tester.toml"), text).unwrap();
        let shown = run_in(dir.path(), &["batch", "--", "./c"], "");
        assert_eq!(shown.status, 2, "{shown:?}");
        check(&shown);
        shown.stderr
    };
    let stderr = refused(&format!("version = 1\n[batch]\njobs = \"{ESCAPES}\"\n"));
    assert!(stderr.contains("line 3"), "{stderr}");
    refused(&format!("version = 1\n[batch]\n'{ESCAPES}' = 1\n"));
    refused(
        &format!("version = 1\n[batch]\ncommand = \"'{ESCAPED}\"\n")
            .replace(r"\u{1b}", r"\u001b")
            .replace(r"\u{9b}", r"\u009b")
            .replace(r"\u{202e}", r"\u202e"),
    );
}

#[test]
fn comments_are_escaped() {
    let dir = folder();
    let words = ["batch", "--comment", ESCAPES];
    let shown = run_in(
        dir.path(),
        &[&words[..], &GAME, &["--", "./c"]].concat(),
        "",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    check(&run_in(dir.path(), &["show"], ""));
}

/// A shard of other machines in which every text has escapes.
fn hostile_shard(dir: &Path) -> String {
    let (file, shown) = shard(dir, "1/1", &GAME, &["./c"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = fs::read_to_string(dir.join(&file)).unwrap();
    let change = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["shard"].is_object() {
            line["shard"]["host"]["name"] = ESCAPES.into();
            line["shard"]["host"]["machine"] = ESCAPES.into();
        } else if line["record"].is_object() {
            line["record"]["verdict"] = "WA".into();
            line["record"]["reason"] = ESCAPES.into();
        }
        line.to_string() + "\n"
    };
    fs::write(dir.join(&file), rewritten(&text, &change)).unwrap();
    file
}

#[test]
fn texts_in_shards_are_escaped() {
    let dir = folder();
    let file = hostile_shard(dir.path());
    let shown = merge(dir.path(), &[file], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    check(&shown);
    check(&run_in(dir.path(), &["show"], ""));
    check(&run_in(dir.path(), &["show", "--json"], ""));
    check(&run_in(dir.path(), &["show", "--csv"], ""));
}
