//! `pahcer_config.toml` of the top folder: pahcer gets the scores that `tester batch` gives.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{counter, run_in, words};
use serde_json::Value;
use tempfile::TempDir;

const CONFIG: &str = include_str!("../../../pahcer_config.toml");

/// A folder with what the configuration names: the judge, a solver (one that counts), cases.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    std::fs::create_dir(dir.path().join("tools")).unwrap();
    std::fs::create_dir(dir.path().join("out")).unwrap();
    symlink(
        env!("CARGO_BIN_EXE_tester"),
        dir.path().join("tools/tester"),
    )
    .unwrap();
    counter(dir.path(), "solver", "");
    let words = words("gen --problem 'hitblow 1 10' --seeds 0..8 --dir in");
    assert_eq!(run_in(dir.path(), &words, "").status, 0);
    dir
}

/// The scores that `tester batch` gives.
fn batch_scores(dir: &Path) -> Vec<u64> {
    let shown = run_in(
        dir,
        &["batch", "--json", "--out", "batch", "--", "./solver"],
        "",
    );
    let score = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["score"].as_u64().unwrap()
    };
    shown.stdout.lines().map(score).collect()
}

/// One step of the configuration as pahcer takes it, for one seed.
fn take(dir: &Path, step: &toml::Value, seed: usize) {
    let filled = |text: &str| text.replace("{SEED04}", &format!("{seed:04}"));
    let file = |key: &str| -> Option<PathBuf> { Some(dir.join(filled(step.get(key)?.as_str()?))) };
    let args = step["args"].as_array().unwrap();
    let args = args.iter().map(|arg| filled(arg.as_str().unwrap()));
    let open = |path: Option<PathBuf>| {
        path.map_or(Stdio::null(), |p| std::fs::File::open(p).unwrap().into())
    };
    let make = |path: Option<PathBuf>| {
        path.map_or(Stdio::null(), |p| std::fs::File::create(p).unwrap().into())
    };
    let status = Command::new(step["program"].as_str().unwrap())
        .args(args)
        .current_dir(dir)
        .stdin(open(file("stdin")))
        .stdout(make(file("stdout")))
        .stderr(make(file("stderr")))
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn its_steps_give_the_scores_of_a_batch() {
    let dir = folder();
    let config: toml::Value = toml::from_str(CONFIG).unwrap();
    let expression = config["problem"]["score_regex"].as_str().unwrap();
    let expression = regex::Regex::new(expression).unwrap();
    let expected = batch_scores(dir.path());
    assert_eq!(expected.len(), 8);
    for (seed, expected) in expected.iter().enumerate() {
        for step in config["test"]["test_steps"].as_array().unwrap() {
            take(dir.path(), step, seed);
        }
        let said = std::fs::read_to_string(dir.path().join(format!("out/{seed:04}.err"))).unwrap();
        let found = expression.captures(&said).unwrap();
        assert_eq!(found["score"], expected.to_string());
    }
    let seeds = |key: &str| config["test"][key].as_integer();
    assert_eq!(
        (seeds("start_seed"), seeds("end_seed")),
        (Some(0), Some(100))
    );
    assert_eq!(config["general"]["version"].as_str(), Some("0.4.0"));
}

/// With pahcer itself: `cargo install pahcer --version '^0.4'`, then
/// `cargo test -p tester --test it pahcer:: -- --ignored`.
#[test]
#[ignore = "needs pahcer 0.4"]
fn pahcer_itself_gives_the_scores_of_a_batch() {
    let dir = folder();
    // Nothing is to be built here, and there are eight cases.
    let config = CONFIG.replace("program = \"cargo\"", "program = \"true\"");
    let config = config.replace("end_seed = 100", "end_seed = 8");
    std::fs::write(dir.path().join("pahcer_config.toml"), config).unwrap();
    let ran = Command::new("pahcer")
        .args(["run", "--json"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let said = String::from_utf8(ran.stdout).unwrap();
    let mut scores: Vec<(u64, u64)> = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|case| Some((case["seed"].as_u64()?, case["score"].as_u64()?)))
        .collect();
    scores.sort();
    let scores: Vec<u64> = scores.into_iter().map(|(_, score)| score).collect();
    assert_eq!(scores, batch_scores(dir.path()), "{said}");
}
