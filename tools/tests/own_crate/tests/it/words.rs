//! Messages name the program as it was called, and its own problem.

use std::process::Command;

use crate::{folder, own, show};

/// The commands of `tester`.
const COMMANDS: [&str; 17] = [
    "batch", "duel", "history", "show", "compare", "report", "vis", "play", "judge", "gen",
    "problems", "doctor", "init", "new", "merge", "tune", "best",
];

#[test]
fn help_speaks_of_this_program_and_its_problem() {
    let dir = folder();
    let main = own(dir.path(), "--help", "");
    let of_commands = COMMANDS.map(|command| own(dir.path(), &format!("{command} --help"), ""));
    for shown in of_commands.iter().chain([&main]) {
        let text = &shown.stdout;
        assert_eq!(shown.status, 0, "{shown:?}");
        assert!(text.contains("Usage: own"), "{text}");
        assert!(text.contains("\nExamples:\n  own "), "{text}");
        for other in [
            "hitblow",
            "mastermind",
            "{tester}",
            "{problem}",
            "{other}",
            "{here}",
        ] {
            assert!(!text.contains(other), "{other} in {text}");
        }
        for command in COMMANDS {
            assert!(
                !text.contains(&format!("tester {command}")),
                "{command} in {text}"
            );
        }
    }
    for command in COMMANDS {
        assert!(
            main.stdout.contains(&format!("\n  {command} ")),
            "{command} is a command"
        );
    }
    let words: Vec<&str> = main.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("[default: new-contest 10]"));
    let r#gen = own(dir.path(), "gen --help", "").stdout;
    assert!(r#gen.contains("[default: \"new-contest 10\"]"), "{}", r#gen);
    assert!(r#gen.contains("--problem \"new-contest 20\""), "{}", r#gen);
}

#[test]
fn version_names_both_programs() {
    let dir = folder();
    let version = env!("CARGO_PKG_VERSION"); // of the workspace
    let shown = own(dir.path(), "--version", "");
    assert_eq!(shown.stdout, format!("own (tester {version})\n"));
}

#[test]
fn errors_and_hints_name_this_program() {
    let dir = folder();
    let stderr = |words: &str| own(dir.path(), words, "").stderr;
    insta::assert_snapshot!(stderr("show"), @"
    own: no history at out/history.sqlite
    hint: `own batch` makes a history; --history FILE names another
    ");
    insta::assert_snapshot!(stderr("bacth"), @"
    own: failed to start bacth: no program of that name in PATH
    hint: did you mean `own batch`?
    ");
    insta::assert_snapshot!(stderr("gen --seeds 0 --problem hitblow"), @r#"
    own: failed to understand --problem: expected a problem such as "new-contest 10", found "hitblow"
    hint: `own problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(stderr("batch"), @r#"
    own: no PROGRAM to judge
    hint: own batch -- PROGRAM, or command = "PROGRAM" in tester.toml
    "#);
    insta::assert_snapshot!(stderr("batch --cases nowhere -- ./sweep"), @"
    own: failed to read folder nowhere: No such file or directory (os error 2)
    hint: --cases takes a folder of cases, a file that lists their numbers, or numbers such as 0..100; `own gen --seeds 0..100 --dir nowhere` makes cases; --cases names another folder
    ");
    insta::assert_snapshot!(stderr("batch --cases in -- ./sweep"), @"
    own: failed to read folder in: No such file or directory (os error 2)
    hint: `own gen --seeds 0..100 --dir in` makes cases; --cases names another folder
    ");
    insta::assert_snapshot!(stderr("batch --jbos"), @"
    own: unexpected argument '--jbos' found
    hint: a similar argument exists: '--jobs'

    Usage: own batch --jobs <N> [PROGRAM]...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(own(dir.path(), "problems", "").stdout, @r#"
    new-contest N with 4 <= N <= 20
        An N × N field hides a treasure in one cell. The input is `N M`, then N rows
        of N costs from 1 to M. `? i j` takes as many minutes as the cost of cell
        (i, j): the reply is the number of steps from there to the treasure. `! i j`
        digs, 10 minutes: the reply is `1`, done, or `0`. The score is the number of
        minutes.
        Example: own play --problem "new-contest 10"
    "#);
    let init = stderr("init --objective min");
    assert!(
        init.ends_with("\nwrote tester.toml; look at it, then run: own batch\n"),
        "{init}"
    );
}

#[test]
fn a_path_is_named_as_short_as_it_can_be_typed() {
    let dir = folder();
    // As cargo builds it, and as it calls it from another folder than the top one.
    let release = dir.path().join("target/release");
    std::fs::create_dir_all(&release).unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let program = release.join("own");
    std::fs::hard_link(env!("CARGO_BIN_EXE_own-crate"), &program)
        .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_own-crate"), &program).map(drop))
        .unwrap();
    let hint = |program: &str, folder: &str| {
        let mut command = Command::new(program);
        command.arg("show");
        let shown = show(command, &dir.path().join(folder), "");
        let hint = shown.stderr.lines().nth(1).unwrap().to_owned();
        let (_, word) = hint.split_once('`').unwrap();
        word.split_once(" batch`").unwrap().0.to_owned()
    };
    let absolute = program.to_str().unwrap();
    assert_eq!(hint(absolute, "."), "target/release/own");
    assert_eq!(hint(absolute, "src"), "../target/release/own");
    assert_eq!(
        hint("../target/release/own", "src"),
        "../target/release/own"
    );
    assert_eq!(hint(absolute, "target/release"), "./own");
}
