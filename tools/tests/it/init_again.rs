//! `tester init --force`: what stays of an old `tester.toml`.

use std::fs;
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
    let labels = ["objective", "kept", "found anew", "old file"];
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
    kept       score_regex, objective, measure, parameters, held_out, time_limit, memory_limit, cases, [tune]
    found anew external, command
    old file   tester.toml.old
    version = 1
    [judge]
    external = "{command} < {case} > {out} && ./tools/target/release/vis {case} {out}"
    objective = "min"
    measure = "relative"
    name = "x"
    parameters = "N M"
    score_regex = 'Cost: (?P<score>\d+)'
    [batch]
    cases = ["in", "0..1000"]
    held_out = "1000..2000"
    build = ["g++ -O2 -std=gnu++20 -o main main.cpp", "cargo build --release --manifest-path tools/Cargo.toml"]
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
fn init_again_keeps_an_interactor_and_seeds_and_a_wrong_file_as_it_is() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("main.cpp"), "").unwrap();
    let old = "version = 1\n[judge]\ninteractor = \"./i {case}\"\ncontract = \"testlib\"\n[batch]\nseeds = \"0..9\"\n";
    fs::write(dir.path().join("tester.toml"), old).unwrap();
    let said = again(dir.path(), &["--objective", "min"]);
    assert!(
        said.contains("kept       interactor, contract, seeds\n"),
        "{said}"
    );
    assert!(said.contains("interactor = \"./i {case}\"\n") && said.contains("seeds = \"0..9\""));
    assert!(
        !said.contains("external") && !said.contains("cases ="),
        "{said}"
    );
    fs::write(dir.path().join("tester.toml"), "version = 1\n[judge\n").unwrap();
    let said = again(dir.path(), &[]);
    assert!(
        said.starts_with("objective  max, as in most contests"),
        "{said}"
    );
    let kept = fs::read_to_string(dir.path().join("tester.toml.old")).unwrap();
    assert_eq!(kept, "version = 1\n[judge\n");
}
