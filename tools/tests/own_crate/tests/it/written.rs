//! The contestants and settings that `new` writes, and the judge in Python of the documentation, judged with the problem
//! that it writes: that of this package.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};

fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-crate"));
    command.current_dir(dir);
    command
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stdout
}

fn total(shown: &str) -> String {
    let line = shown.lines().find(|line| line.starts_with("total"));
    line.unwrap_or_else(|| panic!("{shown}")).to_owned()
}

/// A folder with a new package `treasure`, whose contestant in Rust is compiled: `treasure/treasure-rust`.
fn package() -> TempDir {
    let dir = tempdir().unwrap();
    let written = command(dir.path()).args(["new", "treasure"]).output();
    succeeded(&written.unwrap());
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition=2024", "-O", "-o", "treasure-rust"])
        .arg("contestants/rust.rs")
        .current_dir(dir.path().join("treasure"))
        .output();
    succeeded(&compiled.unwrap());
    dir
}

#[test]
fn three_languages_play_the_same_strategy_by_the_settings() {
    let around = package();
    let dir = around.path().join("treasure");
    // What the settings say, with programs that are built already.
    let path = dir.join("tester.toml");
    let settings = std::fs::read_to_string(&path).unwrap();
    let line = settings.lines().find(|line| line.starts_with("command = "));
    let line = line.unwrap_or_else(|| panic!("{settings}"));
    assert!(line.ends_with("/release/treasure-rust\""), "{line}");
    let settings = settings.replace(line, "command = \"./treasure-rust\"");
    assert!(settings.contains("[\"cargo build --release\"]"));
    let settings = settings.replace("[\"cargo build --release\"]", "[\"true\"]");
    std::fs::write(&path, settings).unwrap();
    let batch = |words: &[&str]| {
        let output = command(&dir)
            .args(["batch", "--time-limit", "60"])
            .args(words)
            .output();
        succeeded(&output.unwrap())
    };
    let rust = batch(&[]);
    assert!(rust.contains("\nverdicts   AC 100\n"), "{rust}");
    let total = |program: &[&str]| {
        let shown = batch(&[&["--seeds", "0..10", "--"], program].concat());
        assert!(shown.contains("\nverdicts   AC 10\n"), "{shown}");
        total(&shown)
    };
    let rust = total(&["./treasure-rust"]);
    assert_eq!(total(&["python3", "contestants/python.py"]), rust);
    let compile = "-std=c++20 -O2 -o contestants/cpp contestants/cpp.cpp".split(' ');
    match Command::new("g++").args(compile).current_dir(&dir).output() {
        Ok(compiled) => {
            succeeded(&compiled);
            assert_eq!(total(&["contestants/cpp"]), rust);
        }
        Err(_) => eprintln!("left out: the contestant in C++, because there is no g++"),
    }
}

/// The judge in Python of `docs/adding-a-problem.md` gives the scores of the problem in Rust.
#[test]
fn documented_judge_in_python_agrees() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs");
    let page = std::fs::read_to_string(docs.join("adding-a-problem.md")).unwrap();
    for (name, begin) in [
        ("judge.py", "# python3 judge.py"),
        ("better.py", "# As contestants"),
    ] {
        let (_, rest) = page.split_once(&format!("\n```python\n{begin}")).unwrap();
        let (body, _) = rest.split_once("```").unwrap();
        std::fs::write(dir.join(name), format!("{begin}{body}")).unwrap();
    }
    let run = |words: &str| {
        let words = words.split(' ').map(|word| word.replace('_', " "));
        command(dir).args(words).output().unwrap()
    };
    succeeded(&run("gen --seeds 0..5"));
    let ours = succeeded(&run(
        "batch --time-limit 60 --cases in -- python3 better.py",
    ));
    let judge = "--external python3_judge.py_{case}_{out}_{command} --objective min";
    let batch = format!("batch --no-config --time-limit 60 --cases in {judge} --");
    let theirs = succeeded(&run(&format!("{batch} python3 better.py")));
    assert_eq!(total(&theirs), total(&ours));
    // Programs that leave at once, or break the rules.
    for (program, reason) in [
        ("true", "the program left before it had found the treasure"),
        ("echo ?_12_0", "expected ? or !, a row and a column, found"),
        (
            "printf \\377\\n",
            "expected ? or !, a row and a column, found",
        ),
    ] {
        let shown = run(&format!("{batch} {program}"));
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(
            shown.contains("\nverdicts   WA 5\n") && shown.contains(reason),
            "{shown}"
        );
    }
}

/// It writes packages too.
#[test]
fn a_package_is_written_by_another_one() {
    let dir = tempdir().unwrap();
    let written = command(dir.path()).args(["new", "other"]).output();
    succeeded(&written.unwrap());
    let main = std::fs::read_to_string(dir.path().join("other/src/main.rs")).unwrap();
    assert!(main.contains("use other::problem::PROBLEM;"), "{main}");
}
