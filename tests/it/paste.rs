//! scripts/check-paste refuses what could not be pasted, and takes the solver.

use std::path::Path;
use std::process::{Command, Output};

fn check(file: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check-paste");
    Command::new(script)
        .arg("--text-only")
        .arg(file)
        .output()
        .unwrap()
}

#[test]
fn solver_passes() {
    let output = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs"));
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_needs_more_than_the_one_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("main.rs");
    for (text, expected) in [
        ("mod game;", "a module in another file in line 1"),
        (
            "fn a() {}\n  pub(crate) mod game ;",
            "a module in another file in line 2",
        ),
        ("#[path = \"x.rs\"] mod x { }", "a path to another file"),
        (
            "static A: &str = include_str!(\"a.txt\");",
            "an included file",
        ),
        (
            "const B: &[u8] = include_bytes! (\"b\");",
            "an included file",
        ),
        (
            "static A: &str = env!(\"CARGO_MANIFEST_DIR\");",
            "a value of this build",
        ),
        ("use tester::problem::Spec;", "a crate of this repository"),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = check(&file);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(stderr.contains(expected), "{text}: {stderr}");
    }
    for fine in [
        "// mod game;\nfn main() {}",
        "mod game { fn a() {} }",
        "fn f() {} // include!(x)",
    ] {
        std::fs::write(&file, fine).unwrap();
        assert!(check(&file).status.success(), "{fine}");
    }
}

#[test]
fn too_large_a_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("main.rs");
    std::fs::write(&file, " ".repeat(512 * 1024)).unwrap();
    assert!(check(&file).status.success());
    std::fs::write(&file, " ".repeat(512 * 1024 + 1)).unwrap();
    let stderr = String::from_utf8(check(&file).stderr).unwrap();
    assert!(stderr.contains("expected at most 524288 bytes"), "{stderr}");
}

/// The solver without comments, line by line.
fn solver_code() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let code = |line: &str| line.split("//").next().unwrap().trim_end().to_owned();
    text.lines().map(code).collect()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[test]
fn solver_uses_each_of_its_public_items() {
    let code = solver_code();
    for line in &code {
        let declared: Vec<&str> = words(line).take(4).collect();
        let name = match declared[..] {
            ["pub", "const", "fn", name] => name,
            ["pub", "fn" | "const" | "type" | "struct" | "enum", name, ..] => name,
            _ => continue,
        };
        let uses = code.iter().flat_map(|line| words(line));
        let uses = uses.filter(|&word| word == name).count();
        assert!(uses > 1, "nothing but a test or the lab uses {name}");
    }
}

#[test]
fn modules_of_the_solver_use_only_those_above_them() {
    let mut above: Vec<String> = Vec::new();
    for line in solver_code() {
        if let Some(name) = line.strip_prefix("pub mod ") {
            above.push(name.trim_end_matches(" {").to_owned());
        }
        let Some(used) = line.trim_start().strip_prefix("use super::") else {
            continue;
        };
        let (this, used) = (above.last().unwrap(), words(used).next().unwrap());
        let allowed = above.iter().any(|name| name == used && name != this);
        let table = (this.as_str(), used) == ("search", "book");
        assert!(allowed || table, "{this} uses {used}, which is below it");
    }
    assert_eq!(
        above.join(" "),
        "limits judge bayes pegs distance balance search unlisted book"
    );
}
