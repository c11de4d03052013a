//! `tester new`: the package that it writes is built, tested and judged as it stands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};

use crate::common::{names, run_in, tester};

/// The top folder of this project.
fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder in which the tests are built, such as `target/debug`.
fn built() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tester")).parent().unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn cargo(dir: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words).current_dir(dir);
    command.env("CARGO_TARGET_DIR", built().parent().unwrap());
    command.env("CARGO_NET_OFFLINE", "true").output().unwrap()
}

#[track_caller]
fn succeeded(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    stdout
}

/// A workspace with a member `treasure`, still to be written. The others need what the members of this project's
/// workspace need, so that Cargo chooses the same features, and compiles nothing but `treasure` anew.
fn workspace() -> TempDir {
    let dir = tempdir().unwrap();
    let manifest = |path: &Path| {
        let text = read(path.join("Cargo.toml"));
        text.parse::<toml::Table>().unwrap()
    };
    let top = manifest(&project());
    let mut members = vec!["treasure".to_owned()];
    for member in top["workspace"]["members"].as_array().unwrap() {
        let member = manifest(&project().join(member.as_str().unwrap()));
        let name = format!("needs-of-{}", member["package"]["name"].as_str().unwrap());
        let mut twin = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
        for kind in ["dependencies", "dev-dependencies"] {
            let needed = member.get(kind).and_then(toml::Value::as_table);
            let mut needed = needed.cloned().unwrap_or_default();
            needed.retain(|_, needed| needed.get("path").is_none());
            for (_, needed) in &mut needed {
                needed.as_table_mut().map(|table| table.remove("optional"));
            }
            twin += &toml::Table::from_iter([(kind.to_owned(), needed.into())]).to_string();
        }
        std::fs::create_dir_all(dir.path().join(&name).join("src")).unwrap();
        std::fs::write(dir.path().join(&name).join("src/lib.rs"), "").unwrap();
        std::fs::write(dir.path().join(&name).join("Cargo.toml"), twin).unwrap();
        members.push(name);
    }
    let settings = toml::Table::from_iter([
        ("resolver".to_owned(), top["workspace"]["resolver"].clone()),
        ("members".to_owned(), members.into()),
    ]);
    // Cargo warns of profiles of packages that are not there.
    let manifest = toml::Table::from_iter([
        ("workspace".to_owned(), settings.into()),
        ("profile".to_owned(), top["profile"].clone()),
    ]);
    std::fs::write(dir.path().join("Cargo.toml"), manifest.to_string()).unwrap();
    std::fs::create_dir(dir.path().join(".cargo")).unwrap();
    for name in ["Cargo.lock", ".cargo/config.toml"] {
        std::fs::copy(project().join(name), dir.path().join(name)).unwrap();
    }
    dir
}

/// One test, because all of it is about one package that takes time to build.
#[test]
fn a_new_package_is_built_tested_and_judged() {
    let around = workspace();
    let shown = tester(&["new", "treasure"])
        .current_dir(around.path())
        .env("CARGO_TARGET_DIR", built().parent().unwrap())
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
    assert!(!read(dir.join("Cargo.toml")).contains("[workspace]"));
    let settings = read(dir.join("tester.toml"));
    let target = built().parent().unwrap();
    let program = format!("{}/release/treasure-rust", target.display());
    assert!(
        settings.contains(&format!("\ncommand = \"{program}\"\n")),
        "{settings}"
    );

    succeeded(&cargo(&dir, &["fmt", "--check"]));
    // The profile and the features with which this test was built.
    let mut test = vec!["test", "--workspace"];
    test.extend(built().ends_with("release").then_some("--release"));
    let tested = succeeded(&cargo(around.path(), &test));
    assert!(
        tested.contains("test example_of_the_statement ... ok"),
        "{tested}"
    );

    // What the settings say, with programs that are built already.
    let settings = settings.replace(&program, &format!("{}/treasure-rust", built().display()));
    let settings = settings.replace("[\"cargo build --release\"]", "[\"true\"]");
    std::fs::write(dir.join("tester.toml"), settings).unwrap();
    let own = built().join("treasure");
    let batch = |words: &[&str]| {
        let output = Command::new(&own)
            .args(["batch", "--time-limit", "60"])
            .args(words)
            .current_dir(&dir)
            .output();
        succeeded(&output.unwrap())
    };
    let rust = batch(&[]);
    assert!(rust.contains("\nverdicts   AC 100\n"), "{rust}");
    same_strategy_in_three_languages(&dir, batch);
    documented_python_agrees(&dir, &own);
    // It writes packages too.
    let output = Command::new(&own)
        .args(["new", "other"])
        .current_dir(&dir)
        .output()
        .unwrap();
    succeeded(&output);
    assert!(read(dir.join("other/src/main.rs")).contains("use other::problem::PROBLEM;"));
}

/// The three contestants play the same strategy, and get the same total.
fn same_strategy_in_three_languages(dir: &Path, batch: impl Fn(&[&str]) -> String) {
    let total = |program: &[&str]| {
        let shown = batch(&[&["--seeds", "0..10", "--"], program].concat());
        assert!(shown.contains("\nverdicts   AC 10\n"), "{shown}");
        let line = shown.lines().find(|line| line.starts_with("total"));
        line.unwrap().to_owned()
    };
    let rust = total(&[built().join("treasure-rust").to_str().unwrap()]);
    assert_eq!(total(&["python3", "contestants/python.py"]), rust);
    let compile = [
        "-std=c++20",
        "-O2",
        "-o",
        "contestants/cpp",
        "contestants/cpp.cpp",
    ];
    match Command::new("g++").args(compile).current_dir(dir).output() {
        Ok(compiled) => {
            succeeded(&compiled);
            assert_eq!(total(&["contestants/cpp"]), rust);
        }
        Err(_) => eprintln!("left out: the contestant in C++, because there is no g++"),
    }
}

/// The judge in Python of `docs/adding-a-problem.md` gives the scores of the problem in Rust.
fn documented_python_agrees(dir: &Path, own: &Path) {
    let page = read(project().join("docs/adding-a-problem.md"));
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
        Command::new(own)
            .args(words)
            .current_dir(dir)
            .output()
            .unwrap()
    };
    let total = |shown: &str| {
        let line = shown.lines().find(|line| line.starts_with("total"));
        line.unwrap_or_else(|| panic!("{shown}")).to_owned()
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
    assert!(manifest.ends_with("\n[workspace]\n"), "{manifest}");
    let tools = std::fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    assert!(manifest.contains(&format!("tester = {{ path = \"{}\" }}", tools.display())));
    assert!(read(new.join("src/main.rs")).contains("use my_contest::problem::PROBLEM;"));
    assert!(read(new.join("src/problem.rs")).contains("\"my-contest N with"));
    // Every file is that of the templates, except for the names.
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/new");
    for name in [
        "src/problem.rs",
        "tests/problem.rs",
        "contestants/python.py",
        "README.md",
    ] {
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
    assert!(manifest.ends_with("\n[workspace]\n"), "{manifest}");
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
