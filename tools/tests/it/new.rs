//! `tester new`: the package that it writes is the one that this project's workspace builds and tests.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::tempdir;

use crate::common::{Shown, names, paste, run_in, tester};

/// All files of a new package except its manifest.
const FILES: [&str; 10] = [
    "README.md",
    "src/problem.rs",
    "src/lib.rs",
    "src/main.rs",
    "tests/problem.rs",
    "contestants/rust.rs",
    "contestants/python.py",
    "contestants/cpp.cpp",
    "tester.toml",
    ".gitignore",
];

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn cargo(dir: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words).current_dir(dir);
    command.env("CARGO_NET_OFFLINE", "true").output().unwrap()
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stdout
}

/// What Cargo understands of the only package in a folder, without what is the folder's own.
fn understood(dir: &Path) -> serde_json::Value {
    let words = ["metadata", "--no-deps", "--format-version", "1"];
    let all: serde_json::Value = serde_json::from_str(&succeeded(&cargo(dir, &words))).unwrap();
    let top = std::fs::canonicalize(dir).unwrap();
    let packages = all["packages"].as_array().unwrap();
    let manifest = top.join("Cargo.toml");
    let is_own =
        |package: &&serde_json::Value| package["manifest_path"] == manifest.to_str().unwrap();
    let package = packages.iter().find(is_own).unwrap();
    let keys = [
        "name",
        "version",
        "edition",
        "publish",
        "default_run",
        "features",
        "targets",
        "dependencies",
    ];
    let kept: serde_json::Map<_, _> = keys
        .map(|key| (key.to_owned(), package[key].clone()))
        .into_iter()
        .collect();
    let text = serde_json::Value::from(kept).to_string();
    serde_json::from_str(&text.replace(top.to_str().unwrap(), "HERE")).unwrap()
}

/// The package is that of `templates/new`, which this project's workspace compiles and tests, with another name. What
/// it writes is judged in `tests/own_crate`.
#[test]
fn a_new_member_of_a_workspace_is_the_tested_template() {
    let around = tempdir().unwrap();
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"treasure\"]\n";
    std::fs::write(around.path().join("Cargo.toml"), workspace).unwrap();
    let target = around.path().join("built");
    let shown = tester(&["new", "treasure"])
        .current_dir(around.path())
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .unwrap();
    succeeded(&shown);
    insta::assert_snapshot!(String::from_utf8(shown.stderr).unwrap(), @r"
    wrote to treasure: Cargo.toml, README.md, src/problem.rs, src/lib.rs, src/main.rs, tests/problem.rs, contestants/rust.rs, contestants/python.py, contestants/cpp.cpp, tester.toml, .gitignore
    next:
      cd treasure
      cargo run --release -- batch
    ");
    let dir = around.path().join("treasure");
    // A member of the workspace, which is built where that is built.
    let manifest = read(dir.join("Cargo.toml"));
    assert!(!manifest.contains("[workspace]") && !manifest.contains("[profile"));
    let settings = read(dir.join("tester.toml"));
    let programs = "../built/release/";
    let command = format!("\ncommand = \"{programs}treasure-rust\"\n");
    assert!(settings.contains(&command), "{settings}");
    // Nothing else differs, so that it is what was compiled and tested.
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/new");
    let named = |text: String| {
        let text = text.replace("new-contest", "treasure");
        text.replace("new_contest", "treasure")
    };
    for name in FILES {
        let expected = named(read(templates.join(name))).replace("target/release/", programs);
        assert_eq!(read(dir.join(name)), expected, "{name}");
    }
    let template = named(understood(&templates).to_string());
    assert_eq!(understood(&dir).to_string(), template);
    succeeded(&cargo(&dir, &["fmt", "--check"]));
}

/// All profiles of a manifest stand in the manifest of this project's workspace too.
#[track_caller]
fn profiles_are_those_of_this_project(manifest: &str) {
    let profiles = |text: &str| text.parse::<toml::Table>().unwrap()["profile"].clone();
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let (own, expected) = (profiles(manifest), profiles(&read(top)));
    fn is_part(own: &toml::Value, of: &toml::Value) -> bool {
        match own.as_table() {
            Some(table) => table
                .iter()
                .all(|(key, own)| of.get(key).is_some_and(|of| is_part(own, of))),
            None => own == of,
        }
    }
    assert!(is_part(&own, &expected), "{own}\n{expected}");
    assert_eq!(own["release"]["lto"].as_str(), Some("off"));
}

#[test]
fn outside_of_a_workspace_it_is_one_of_its_own() {
    let dir = tempdir().unwrap();
    // A target folder of one's own would stand in the README.
    let written = tester(&["new", "my-contest", "--dir", "a/b"])
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(dir.path())
        .output();
    succeeded(&written.unwrap());
    let new = dir.path().join("a/b");
    let manifest = read(new.join("Cargo.toml"));
    assert!(manifest.contains("\n[workspace]\n"), "{manifest}");
    profiles_are_those_of_this_project(&manifest);
    let tools = std::fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    assert!(manifest.contains(&format!("tester = {{ path = \"{}\" }}", tools.display())));
    assert!(read(new.join("src/main.rs")).contains("use my_contest::problem::PROBLEM;"));
    assert!(read(new.join("src/problem.rs")).contains("\"my-contest N with"));
    // Every file is that of the templates, except for the names.
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/new");
    for name in FILES {
        let text = read(new.join(name)).replace("my-contest", "new-contest");
        let text = text.replace("my_contest", "new_contest");
        assert_eq!(text, read(templates.join(name)), "{name}");
    }
    // Also below a package or a workspace that does not name it.
    std::fs::write(dir.path().join("Cargo.toml"), "[workspace]\nmembers = []\n").unwrap();
    let shown = run_in(
        dir.path(),
        &["new", "inner", "--tester", "https://example.org/x.git"],
        "",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    let manifest = read(dir.path().join("inner/Cargo.toml"));
    assert!(
        manifest.contains("tester = { git = \"https://example.org/x.git\" }"),
        "{manifest}"
    );
    assert!(manifest.contains("\n[workspace]\n"), "{manifest}");
    // Cargo understands it.
    let words = ["metadata", "--no-deps", "--format-version", "1"];
    succeeded(&cargo(&dir.path().join("inner"), &words));
}

#[test]
fn nothing_is_written_over() {
    let dir = tempdir().unwrap();
    let refused = |words: &[&str]| {
        let shown = run_in(dir.path(), &[&["new"], words].concat(), "");
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""));
        shown.stderr
    };
    std::fs::create_dir_all(dir.path().join("taken/src")).unwrap();
    insta::assert_snapshot!(refused(&["taken"]), @r"
    tester: taken/src exists already; nothing was written
    hint: --dir DIR names another folder
    ");
    // A link counts, wherever it points.
    std::os::unix::fs::symlink("/nowhere", dir.path().join("README.md")).unwrap();
    insta::assert_snapshot!(refused(&["here", "--dir", "."]), @r"
    tester: ./README.md exists already; nothing was written
    hint: --dir DIR names another folder
    ");
    std::fs::write(dir.path().join("file"), "").unwrap();
    insta::assert_snapshot!(refused(&["file"]), @"tester: failed to make file: File exists (os error 17)");
    insta::assert_snapshot!(refused(&["x", "--tester", "taken"]), @"
    tester: expected a checkout of the judge, found none in taken
    hint: --tester PATH names a checkout of the judge, --tester URL its git repository
    ");
    insta::assert_snapshot!(refused(&["match"]), @"
    tester: invalid value 'match' for '<NAME>': Rust, Cargo or the judge uses this name

    For more information, try '--help'.
    ");
    assert_eq!(names(dir.path()), ["README.md", "file", "taken"]);
    assert_eq!(names(&dir.path().join("taken")), ["src"]);
    // A folder with something else in it will do.
    std::fs::create_dir_all(dir.path().join("free/.git")).unwrap();
    let shown = run_in(&dir.path().join("free"), &["new", "free", "--dir", "."], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown
            .stderr
            .ends_with("\nnext:\n  cargo run --release -- batch\n"),
        "{shown:?}"
    );
}

/// `src/problem.rs`, the largest file, does not fit; smaller ones were written before it.
#[test]
fn of_a_package_that_cannot_be_written_whole_nothing_stays() {
    let dir = tempdir().unwrap();
    std::fs::create_dir(dir.path().join("mine")).unwrap();
    std::fs::write(dir.path().join("mine/notes"), "mine").unwrap();
    for words in ["foo", "foo --dir mine"] {
        let shown = Shown::from(paste(
            dir.path(),
            &format!("ulimit -f 8; tester new {words}"),
        ));
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(
            shown.stderr.contains("File too large (os error 27)"),
            "{shown:?}"
        );
        assert_eq!(names(dir.path()), ["mine"]);
        assert_eq!(names(&dir.path().join("mine")), ["notes"]);
    }
    let shown = run_in(dir.path(), &["new", "foo", "--dir", "mine"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn in_the_folder_of_a_package_tester_says_that_its_own_problems_are_others() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let manifest = "[package]\nname = \"treasure\"\n[dependencies]\ntester = \"1\"\n";
    std::fs::write(at("Cargo.toml"), manifest).unwrap();
    let run = |words: &[&str]| run_in(dir.path(), words, "");
    let batch = ["batch", "--seeds", "0", "cat"];
    let duel = ["duel", "--seeds", "0..2", "cat", "cat"];
    let commands: [&[&str]; 5] = [
        &batch,
        &duel,
        &["--seed", "0", "cat"],
        &["play", "--seed", "0"],
        &["judge", "--seed", "0"],
    ];
    let notes = |words: &[&str]| {
        let shown = run(words);
        let lines = shown
            .stderr
            .lines()
            .filter(|line| line.starts_with("note: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let nothing = run(&["batch"]).stderr;
    insta::assert_snapshot!(nothing, @"
    tester: no PROGRAM to judge
    hint: the program of the package treasure knows this folder's problem: cargo run --release -- COMMAND
    ");
    // Only the settings say that contestants are judged here.
    assert!(commands.iter().all(|words| notes(words).is_empty()));
    std::fs::write(at("tester.toml"), "version = 1\n").unwrap();
    let expected = "note: this is hitblow 3 10, a problem of tester itself; the program of the package treasure knows \
        this folder's problem: cargo run --release -- COMMAND";
    for words in commands {
        assert_eq!(notes(words), [expected], "{words:?}");
    }
    let other = ["--problem", "mastermind 4 6"];
    assert!(notes(&[&["judge", "--seed", "0"], &other[..]].concat()).is_empty());
    insta::assert_snapshot!(run(&["gen", "--seeds", "0..2"]).stderr, @r#"
    in: 2 cases of "hitblow 3 10": 2 written, 0 there already
    caution: these are cases of hitblow 3 10, a problem of tester itself, and none of the package treasure
    hint: its own program makes those: cargo run --release -- gen --seeds 0..100
    "#);
    let gen_of = |problem| run(&["gen", "--seeds", "0..2", "--problem", problem]).stderr;
    insta::assert_snapshot!(gen_of("treasure 10"), @r#"
    tester: failed to understand --problem: expected a problem such as "hitblow 3 10", found "treasure 10"
    hint: the program of the package treasure knows this folder's problem: cargo run --release -- COMMAND
    "#);
    let batch = run(&[&batch[..3], &["--problem", "treasure 10", "cat"]].concat()).stderr;
    assert_eq!(batch, gen_of("treasure 10"));
    assert!(
        gen_of("hitblow 99 10")
            .ends_with("hint: `tester problems` lists all problems and their parameters\n")
    );
}
