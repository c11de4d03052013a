//! `tester init --force`: what stays of an old `tester.toml`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::tempdir;

use crate::common::run_in;

const OLD: &str = "\
# Mine.
version = 1
[judge]
external = \"./mine {command} < {case} > {out}\"
objective = \"min\"
measure = \"relative\"
name = \"my contest\"
parameters = \"N M\"
score_regex = 'Cost: (?P<score>\\d+)'
[batch]
cases = [\"in\", \"0..1000\"]
held_out = \"1000..2000\"
command = \"./mine\"
time_limit = 2.5
memory_limit = 512
[tune]
command = \"./main {a:1..2}\"
trials = 7
";

/// What is said after `tester init --force`, and the settings without remarks.
fn again(dir: &Path, options: &[&str]) -> String {
    let shown = run_in(dir, &[&["init", "--force"], options].concat(), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = fs::read_to_string(dir.join("tester.toml")).unwrap();
    let is_setting = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let labels = ["objective", "kept", "found anew", "left out", "old file"];
    let is_told = |line: &&str| labels.iter().any(|label| line.starts_with(label));
    let said = shown.stderr.lines().filter(is_told);
    let all = said.chain(text.lines().filter(is_setting));
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn init_again_keeps_what_no_folder_tells_and_the_old_file() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    fs::write(dir.path().join("tester.toml"), OLD).unwrap();
    insta::assert_snapshot!(again(dir.path(), &["--name", "x"]), @r#"
    kept       external, measure, objective, parameters, score_regex, cases, held_out, memory_limit, time_limit, [tune]
    found anew command: "./mine" -> "./main"
    old file   tester.toml.old
    version = 1
    [judge]
    external = "./mine {command} < {case} > {out}"
    objective = "min"
    measure = "relative"
    name = "x"
    parameters = "N M"
    score_regex = 'Cost: (?P<score>\d+)'
    [batch]
    cases = ["in", "0..1000"]
    held_out = "1000..2000"
    build = ["g++ -O2 -std=gnu++20 -o main main.cpp"]
    command = "./main"
    time_limit = 2.5
    memory_limit = 512
    [tune]
    command = "./main {a:1..2}"
    trials = 7
    "#);
    let old = dir.path().join("tester.toml.old");
    assert_eq!(fs::read_to_string(&old).unwrap(), OLD);
    // Once more, nothing changes, and the older file is still there.
    let text = fs::read_to_string(dir.path().join("tester.toml")).unwrap();
    again(dir.path(), &[]);
    let once_more = fs::read_to_string(dir.path().join("tester.toml")).unwrap();
    assert_eq!(once_more, text);
    assert_eq!(fs::read_to_string(&old).unwrap(), OLD);
}

#[test]
fn init_again_keeps_an_interactor_and_a_wrong_file_as_it_is() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    let old = "version = 1\n[judge]\ninteractor = \"./i {case}\"\ncontract = \"testlib\"\n[batch]\nseeds = \"0..9\"\n";
    fs::write(dir.path().join("tester.toml"), old).unwrap();
    let said = again(dir.path(), &["--objective", "min"]);
    // An interactor has case files, and no seeds.
    assert!(
        said.contains("kept       contract, interactor\nleft out   seeds\n"),
        "{said}"
    );
    assert!(said.contains("interactor = \"./i {case}\"\ncontract = \"testlib\"\n"));
    assert!(said.contains("cases = \"tools/in\"\n"), "{said}");
    assert!(
        !said.contains("external") && !said.contains("seeds ="),
        "{said}"
    );
    fs::write(dir.path().join("tester.toml"), "version = 1\n[judge\n").unwrap();
    let said = again(dir.path(), &[]);
    assert!(
        said.starts_with("objective  max, as in most contests"),
        "{said}"
    );
    let kept = ["", ".2", ".3"].map(|number| {
        let name = format!("tester.toml.old{number}");
        fs::read_to_string(dir.path().join(name)).ok()
    });
    assert_eq!(
        kept.each_ref().map(Option::as_deref),
        [Some(old), Some("version = 1\n[judge\n"), None]
    );
}

/// The lines after `tester init --force` that begin with one of these words.
fn lines(dir: &Path, old: &str, options: &[&str], words: &[&str]) -> String {
    fs::write(dir.join("tester.toml"), old).unwrap();
    let said = again(dir, options);
    let is_one = |line: &&str| words.iter().any(|word| line.starts_with(word));
    said.lines().filter(is_one).collect::<Vec<_>>().join("\n")
}

#[test]
fn init_again_keeps_chosen_cases_in_every_form() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    fs::write(dir.path().join("hard.txt"), "3\n5\n").unwrap();
    fs::create_dir(dir.path().join("more")).unwrap();
    let cases = |value: &str| {
        let old = format!("version = 1\n[batch]\ncases = {value}\n");
        lines(dir.path(), &old, &[], &["cases"])
    };
    for value in [
        "\"0..1000\"",
        "\"5,7\"",
        "\"in/00*.txt\"",
        "\"hard.txt\"",
        "[\"more\", \"0..10\"]",
    ] {
        assert_eq!(cases(value), format!("cases = {value}"));
    }
    // A folder alone is found anew, also if it is gone.
    for value in ["\"more\"", "\"gone\""] {
        assert_eq!(cases(value), "cases = \"tools/in\"");
    }
}

#[test]
fn init_again_keeps_seeds_only_where_no_other_judge_is_found() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    let old = "version = 1\n[batch]\nseeds = \"0..9\"\nheld_out = \"10..20\"\n";
    let words = ["kept", "left out", "external", "seeds", "cases", "held_out"];
    insta::assert_snapshot!(lines(dir.path(), old, &[], &words), @r#"
    kept       held_out, seeds
    seeds = "0..9"
    held_out = "10..20"
    "#);
    insta::assert_snapshot!(lines(dir.path(), old, &["--interactive"], &words), @r#"
    left out   held_out, seeds
    external = "./tools/target/release/tester {command} < {case} > {out}"
    cases = "tools/in"
    "#);
    let vis = dir.path().join("tools/src/bin/vis.rs");
    fs::create_dir_all(vis.parent().unwrap()).unwrap();
    fs::write(vis, "fn main() {}").unwrap();
    insta::assert_snapshot!(lines(dir.path(), old, &[], &words), @r#"
    left out   held_out, seeds
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    cases = "tools/in"
    "#);
}

#[test]
fn init_again_keeps_every_key_that_no_folder_tells() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    const KEYS: &str = "\
interactor = \"./i {case}\"
contract = \"kattis\"
objective = \"min\"
measure = \"rank\"
name = \"x\"
parameters = \"N M\"
score_regex = \"cost (?P<score>.*)\"
score_stream = \"stdout\"
zero_counts = true
cases = \"0..10\"
held_out = \"10..20\"
time_limit = 2
memory_limit = 64
jobs = 3
keep_runs = 4
vis_worst = 5
out = \"o\"
[tune]
command = \"./main {a:1..2}\"
start = [\"a=1\"]
trials = 7";
    let is_found = |line: &&str| {
        !["build", "command = \"./main\""]
            .iter()
            .any(|key| line.starts_with(key))
    };
    let old = format!(
        "version = 1\n[judge]\n{}",
        KEYS.replace("\ncases", "\n[batch]\ncases")
    );
    fs::write(dir.path().join("tester.toml"), &old).unwrap();
    let said = again(dir.path(), &[]);
    let settings = said.lines().skip_while(|line| *line != "version = 1");
    let settings: Vec<&str> = settings.filter(is_found).collect();
    assert_eq!(settings.join("\n"), old);
}

#[test]
fn init_again_writes_nothing_if_the_old_file_cannot_be_read() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("tester.toml");
    let refused = || run_in(dir.path(), &["init", "--force"], "");
    // In Shift_JIS.
    const OLD: &[u8] = b"# \x83\x65\nversion = 1\n";
    fs::write(&path, OLD).unwrap();
    let shown = refused();
    assert_eq!(shown.status, 2, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    tester: failed to read tester.toml: expected UTF-8 text, found another byte at offset 2; nothing was written
    hint: make it readable, as UTF-8 text, or rename it: tester init writes a new one
    ");
    assert_eq!(fs::read(&path).unwrap(), OLD);
    // Only root can read it all the same.
    fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_err() {
        let shown = refused();
        assert!(shown.stderr.contains("Permission denied"), "{shown:?}");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), OLD);
    }
    assert!(!dir.path().join("tester.toml.old").exists());
}

#[test]
fn init_again_keeps_a_judge_and_a_program_where_none_is_found() {
    let dir = tempdir().unwrap();
    // The first case is also one of a built-in problem.
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), crate::common::CASE).unwrap();
    let old = "\
version = 1
[judge]
external = \"./mine {command} < {case} > {out}\"
objective = \"max\"
name = \"x\"
vis = \"./draw {case} {out}\"
[batch]
cases = \"in\"
build = [\"make mine\"]
command = \"./solve\"
time_limit = 4";
    fs::write(dir.path().join("tester.toml"), old).unwrap();
    let said = again(dir.path(), &[]);
    assert!(said.ends_with(old), "{said}");
    // Where tools are found, their lines are written.
    let tester = dir.path().join("tools/src/bin/tester.rs");
    fs::create_dir_all(tester.parent().unwrap()).unwrap();
    fs::write(tester, "fn main() {}").unwrap();
    let words = [
        "external",
        "vis",
        "build",
        "command",
        "found anew",
        "left out",
    ];
    insta::assert_snapshot!(lines(dir.path(), old, &[], &words), @r#"
    found anew external: "./mine {command} < {case} > {out}" -> "./tools/target/release/tester {command} < {case} > {out}"
    external = "./tools/target/release/tester {command} < {case} > {out}"
    vis = "./draw {case} {out}"
    build = ["make mine"]
    command = "./solve"
    "#);
}

#[test]
fn init_again_writes_over_no_older_file() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    let texts = ["first", "second", "third"].map(|mine| format!("# {mine}\nversion = 1\n"));
    let said = texts.each_ref().map(|text| {
        fs::write(dir.path().join("tester.toml"), text).unwrap();
        again(dir.path(), &[])
    });
    let names = ["tester.toml.old", "tester.toml.old.2", "tester.toml.old.3"];
    for ((name, text), said) in names.into_iter().zip(&texts).zip(said) {
        assert!(said.contains(&format!("old file   {name}\n")), "{said}");
        assert_eq!(&fs::read_to_string(dir.path().join(name)).unwrap(), text);
    }
}
