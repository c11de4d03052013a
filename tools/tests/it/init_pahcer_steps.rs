//! `tester init`: programs that are built and started as pahcer does.

use std::fs;

use tempfile::tempdir;

use crate::common;

/// A step: its kind, and the words in its folder.
fn step(kind: &str, folder: &str, line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(|word| format!("\"{word}\"")).collect();
    let (program, args) = words.split_first().unwrap();
    let args = args.join(", ");
    format!(
        "[[test.{kind}_steps]]\nprogram = {program}\nargs = [{args}]\ncurrent_dir = \"{folder}\"\n"
    )
}

fn compile(line: &str) -> String {
    step("compile", "", line)
}

/// As pahcer writes it for a contest that is not interactive, and for one that is.
fn vis() -> String {
    let line = "cargo run --bin vis --release ./in/{SEED04}.txt ./out/{SEED04}.txt";
    step("test", "./tools", line)
}

fn tester(program: &str) -> String {
    let line = format!("cargo run --bin tester --release {program}");
    step("test", "./tools", &line)
}

/// What `init` says of the program and of pahcer's steps, and what it writes of them.
fn planned(files: &[&str], steps: &[String], options: &[&str]) -> String {
    let dir = tempdir().unwrap();
    for name in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = match path.extension().unwrap().to_str() {
            Some("toml") => "[package]\nname = \"ahc999\"\nedition = \"2021\"\n",
            _ => "fn main() {}",
        };
        fs::write(path, text).unwrap();
    }
    fs::write(dir.path().join("pahcer_config.toml"), steps.concat()).unwrap();
    let output = common::tester(&[&["init"], options].concat())
        .current_dir(dir.path())
        // Where Cargo builds is for each folder to say.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let text = fs::read_to_string(dir.path().join("tester.toml")).unwrap();
    let is_one = |line: &&str| {
        let begins = ["program ", "pahcer ", "build =", "command ="];
        begins.iter().any(|word| line.starts_with(word)) || line.contains("not taken over")
    };
    let lines = said.lines().chain(text.lines()).filter(is_one);
    let tools = ", \"cargo build --release --manifest-path tools/Cargo.toml\"";
    lines.collect::<Vec<_>>().join("\n").replace(tools, "")
}

#[test]
fn a_compiler_that_writes_what_is_started_is_taken_over() {
    let own = compile("g++ -std=c++20 -O2 main.cpp");
    let first = step("test", "", "./a.out");
    insta::allow_duplicates! {
        for test in [
            vec![first.clone(), vis()],
            vec![tester("../a.out")],
            // One that is started alone before the tester starts it.
            vec![first.clone(), tester("../a.out")],
            vec![step("test", ".", "./tester ./a.out")],
        ] {
            let steps = [vec![own.clone()], test].concat();
            insta::assert_snapshot!(planned(&["main.cpp"], &steps, &[]), @r#"
            program    main.cpp, judged as: ./a.out (built and started as in pahcer_config.toml)
            build = ["g++ -std=c++20 -O2 main.cpp"]
            command = "./a.out"
            "#);
        }
    }
    // Steps for the tools are those of `init`, and files that move change nothing here.
    let steps = [
        compile("go build -o a.out main.go"),
        step("compile", "./tools", "cargo build --release --bin tester"),
        compile("mv ./tools/target/release/tester ./tester"),
        step("test", "", "./tester ./a.out --seconds 2"),
    ];
    insta::assert_snapshot!(planned(&["main.go", "test.py"], &steps, &[]), @r#"
    program    main.go, judged as: ./a.out --seconds 2 (built and started as in pahcer_config.toml)
    build = ["go build -o a.out main.go"]
    command = "./a.out --seconds 2"
    "#);
    // What is typed wins.
    let typed = planned(
        &["main.cpp"],
        &[own, first, vis()],
        &["--command", "./other"],
    );
    assert!(typed.ends_with("\ncommand = \"./other\""), "{typed}");
}

#[test]
fn a_program_of_cargo_stays_where_cargo_puts_it() {
    let files = ["Cargo.toml", "src/main.rs", "src/bin/a.rs"];
    let moved = |program: &str| {
        [
            compile(&format!("rm -f ./{program}")),
            compile(&format!("mv ../target/release/{program} ./{program}")),
            step("test", "", &format!("./{program}")),
            vis(),
        ]
    };
    // `a` would be chosen without the steps.
    let steps = [
        vec![compile("cargo build --release")],
        moved("ahc999").into(),
    ]
    .concat();
    insta::assert_snapshot!(planned(&files, &steps, &[]), @r#"
    program    src/main.rs, judged as: target/release/ahc999 (built and started as in pahcer_config.toml)
    build = ["cargo build --release"]
    command = "target/release/ahc999"
    "#);
    let local = compile("cargo build -r --features local");
    let steps = [vec![local.clone()], moved("a").into()].concat();
    insta::assert_snapshot!(planned(&files, &steps, &[]), @r#"
    program    src/bin/a.rs, judged as: target/release/a (built and started as in pahcer_config.toml)
    build = ["cargo build -r --features local"]
    command = "target/release/a"
    "#);
    // As pahcer writes it: nothing differs, and nothing is said.
    let usual = [
        compile("cargo build --release"),
        tester("../target/release/a"),
    ];
    insta::assert_snapshot!(planned(&files, &usual, &[]), @r#"
    program    src/bin/a.rs, judged as: target/release/a
    build = ["cargo build --release"]
    command = "target/release/a"
    "#);
}

#[test]
fn an_interpreter_is_taken_over() {
    for (line, test) in [
        (
            "pypy3 -O main.py",
            vec![step("test", "", "pypy3 -O main.py"), vis()],
        ),
        ("pypy3 ./main.py", vec![tester("pypy3 ../main.py")]),
    ] {
        let shown = planned(&["main.py"], &test, &[]);
        let program = format!(
            "program    main.py, judged as: {line} (built and started as in pahcer_config.toml)\n"
        );
        let command = format!("\ncommand = \"{line}\"");
        assert!(
            shown.starts_with(&program) && shown.ends_with(&command),
            "{shown}"
        );
        assert!(!shown.contains("not taken over"), "{shown}");
    }
}

#[test]
fn steps_that_leave_a_doubt_are_not_taken_over() {
    let own = || compile("g++ -O3 main.cpp");
    let start = || step("test", "", "./a.out");
    for steps in [
        // The program may judge itself: nothing else does.
        vec![own(), start()],
        // What else is built may be part of it.
        vec![compile("make header"), own(), start(), vis()],
        vec![own(), compile("g++ -o other other.cpp"), start(), vis()],
        // Another program is started, or one in another folder, or each case has other words.
        vec![own(), step("test", "", "./main2"), vis()],
        vec![own(), tester("../../a.out")],
        vec![own(), step("test", "sub", "./a.out"), vis()],
        vec![own(), step("test", "", "./a.out {SEED}"), vis()],
        vec![step("compile", "sub", "g++ main.cpp"), start(), vis()],
        vec![compile("g++ -O3 main.cpp -o"), start(), vis()],
    ] {
        let shown = planned(&["main.cpp"], &steps, &[]);
        assert!(
            shown.contains("pahcer     not taken over: ")
                && shown.ends_with("\ncommand = \"./main\""),
            "{steps:?} {shown}"
        );
    }
}
