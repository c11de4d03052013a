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
