//! scripts/check-paste refuses what could not be pasted, and takes the solver.

use std::ops::Range;
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
        (
            "mod solver {}\nuse tools::gcd;",
            "a crate of this repository in line 2",
        ),
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
        "mod solver { pub fn run() {} }\nfn main() { solver::run(); }",
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

/// Where the module is that all submissions share, from `pub mod bayes {` to its closing brace.
fn bayes_block(lines: &[String]) -> Range<usize> {
    let at = |line: &str| lines.iter().position(|own| own.starts_with(line));
    let (begin, end) = (
        at("pub mod bayes {").unwrap(),
        at("// ==== bayes: end").unwrap(),
    );
    assert!(at("// ==== bayes: begin").unwrap() < begin && lines[end - 1] == "}");
    begin..end
}

fn lines_of(path: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn shared_block_is_short_and_stands_alone() {
    let lines = lines_of("src/main.rs");
    let block = &lines[bayes_block(&lines)];
    assert!(block.len() <= 170, "{} lines", block.len());
    for line in block {
        // Long lines would be another way to be short.
        assert!(line.chars().count() <= 106, "{line}");
        let code = line.split("//").next().unwrap();
        for forbidden in ["super::", "crate::", "proconio", "rand", "unsafe"] {
            assert!(!code.contains(forbidden), "{line}");
        }
        if let Some(used) = code.trim_start().strip_prefix("use ") {
            assert!(
                used.starts_with("std::") || used.starts_with("itertools::"),
                "{line}"
            );
        }
    }
    // Each public item is documented; fields are documented with their struct.
    for (before, line) in block.iter().zip(&block[1..]) {
        let item = line.trim_start().strip_prefix("pub ");
        if item.is_some_and(|item| words(item).next() != Some("mod")) {
            let documented = before.trim_start().starts_with("///") || before.contains("#[derive");
            assert!(documented, "{line}");
        }
    }
}

#[test]
fn shared_blocks_come_first_and_are_marked() {
    let lines = lines_of("src/main.rs");
    let marks = lines
        .iter()
        .filter(|line| line.starts_with("// ===="))
        .flat_map(|line| words(line).take(2));
    let expected = "bayes begin bayes end judge begin judge end";
    assert_eq!(marks.collect::<Vec<_>>().join(" "), expected);
    let at = |mark: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(mark))
            .unwrap()
    };
    let judge = &lines[at("// ==== judge: begin")..at("// ==== judge: end")];
    for line in judge {
        assert!(
            !line.contains("super::") && !line.contains("crate::"),
            "{line}"
        );
    }
}

/// Both shared modules with their marks.
fn shared_blocks(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let block = |name: &str| {
        let (begin, end) = (
            format!("\n// ==== {name}: begin ===="),
            format!("\n// ==== {name}: end ====\n"),
        );
        let (_, block) = text.split_once(&begin).unwrap();
        let (block, after) = block.split_once(&end).unwrap();
        assert!(!after.contains(&begin), "{path:?}");
        block.to_owned()
    };
    vec![block("bayes"), block("judge")]
}

#[test]
fn every_submission_has_the_same_shared_blocks() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = shared_blocks(&top.join("src/main.rs"));
    let mut names = Vec::new();
    for entry in std::fs::read_dir(top.join("src/bin")).unwrap() {
        let path = entry.unwrap().path();
        // A program of another kind may be there too.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.contains("// ==== bayes: begin ====") {
            continue;
        }
        // Not assert_eq: it would print all of them.
        assert!(
            shared_blocks(&path) == expected,
            "see scripts/new-solver --update {path:?}"
        );
        assert!(check(&path).status.success(), "{path:?}");
        names.push(path.file_name().unwrap().to_owned());
    }
    assert!(names.contains(&"leak.rs".into()), "{names:?}");
}

#[test]
fn solver_uses_each_of_its_public_items() {
    let shared = bayes_block(&lines_of("src/main.rs"));
    let (code, player) = (solver_code(), lines_of("tests/it/core.rs"));
    let mut items = 0;
    for (number, line) in code.iter().enumerate() {
        let declared: Vec<&str> = words(line).take(4).collect();
        let name = match declared[..] {
            ["pub", "const", "fn", name] => name,
            ["pub", "fn" | "const" | "type" | "struct" | "enum", name, ..] => name,
            _ => continue,
        };
        items += 1;
        // What every submission carries need not be used by this one, but the tests must show its use.
        let elsewhere = player.iter().filter(|_| shared.contains(&number));
        let uses = code.iter().chain(elsewhere).flat_map(|line| words(line));
        let uses = uses.filter(|&word| word == name).count();
        assert!(uses > 1, "nothing but a test or the lab uses {name}");
    }
    assert!(items > 100, "only {items} items were found");
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
        let table = ["search", "elsewhere"].contains(&this.as_str()) && used == "book";
        assert!(allowed || table, "{this} uses {used}, which is below it");
    }
    assert_eq!(
        above.join(" "),
        "bayes judge limits pegs prior distance balance search unlisted asking elsewhere suspects liar book"
    );
}
