//! Every program of `contestants/` gets the verdict of its folder, with the reason that it says.

mod common;

use std::path::{Path, PathBuf};

use common::{CASE, run};

fn contestants() -> Vec<PathBuf> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contestants");
    let folders = std::fs::read_dir(base).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = folders
        .filter(|path| path.is_dir())
        .flat_map(|folder| {
            std::fs::read_dir(folder)
                .unwrap()
                .map(|e| e.unwrap().path())
        })
        .collect();
    all.sort();
    all
}

/// What stands behind `# key: ` in a script.
fn header(text: &str, key: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("# {key}: ")));
    line.map(str::to_owned)
}

fn judged_wrongly(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let expected = path
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap();
    let options = header(&text, "args").unwrap_or_default();
    let mut args: Vec<&str> = options.split_whitespace().collect();
    args.push(path.to_str().unwrap());
    let shown = run(&args, CASE);
    let lines: Vec<&str> = shown.stderr.lines().collect();
    let right = match (expected, &lines[..]) {
        ("AC", [.., last]) => last.starts_with("Score = ") && *last != "Score = 0",
        (_, [.., reason, "Score = 0"]) => {
            let says = header(&text, "says").expect("every failing contestant has a reason");
            reason.starts_with(&format!("{expected}: ")) && reason.contains(&says)
        }
        _ => false,
    };
    let stderr = &shown.stderr[shown.stderr.len().saturating_sub(400)..];
    (!right || shown.status != 0).then(|| format!("{}: {}\n{stderr}", path.display(), shown.status))
}

#[test]
fn every_contestant_gets_its_verdict_and_reason() {
    let all = contestants();
    assert!(all.len() >= 50, "only {} contestants were found", all.len());
    let wrong: Vec<String> = all.iter().filter_map(|path| judged_wrongly(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
