//! Messages name the program as it was called, and its own problem.

use std::process::Command;

use crate::{folder, leak, show};

/// The commands of `tester`.
const COMMANDS: [&str; 14] = [
    "batch", "duel", "history", "show", "compare", "report", "vis", "play", "judge", "gen",
    "problems", "doctor", "init", "merge",
];

#[test]
fn help_speaks_of_this_program_and_its_problem() {
    let dir = folder();
    let main = leak(dir.path(), "--help", "");
    let of_commands = COMMANDS.map(|command| leak(dir.path(), &format!("{command} --help"), ""));
    for shown in of_commands.iter().chain([&main]) {
        let text = &shown.stdout;
        assert_eq!(shown.status, 0, "{shown:?}");
        assert!(text.contains("Usage: leak"), "{text}");
        assert!(text.contains("\nExamples:\n  leak "), "{text}");
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
    assert!(main.stdout.contains("[default: leak 10"));
    let r#gen = leak(dir.path(), "gen --help", "").stdout;
    assert!(r#gen.contains("[default: \"leak 10 3\"]"), "{}", r#gen);
    assert!(r#gen.contains("--problem \"leak 100 10\""), "{}", r#gen);
}

#[test]
fn version_names_both_programs() {
    let dir = folder();
    let version = env!("CARGO_PKG_VERSION"); // of the workspace
    let shown = leak(dir.path(), "--version", "");
    assert_eq!(shown.stdout, format!("leak (tester {version})\n"));
}

#[test]
fn errors_and_hints_name_this_program() {
    let dir = folder();
    let stderr = |words: &str| leak(dir.path(), words, "").stderr;
    insta::assert_snapshot!(stderr("show"), @"
    leak: no history at out/history.sqlite
    hint: `leak batch` makes a history; --history FILE names another
    ");
    insta::assert_snapshot!(stderr("bacth"), @"
    leak: failed to start bacth: no program of that name in PATH
    hint: did you mean `leak batch`?
    ");
    insta::assert_snapshot!(stderr("gen --seeds 0 --problem hitblow"), @r#"
    leak: failed to understand --problem: expected a problem such as "leak 10 3", found "hitblow"
    hint: `leak problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(stderr("batch"), @r#"
    leak: no PROGRAM to judge
    hint: leak batch -- ./solver, or command = "./solver" in tester.toml
    "#);
    insta::assert_snapshot!(stderr("batch --cases nowhere -- ./walk"), @"
    leak: failed to read folder nowhere: No such file or directory (os error 2)
    hint: `leak gen --seeds 0..100 --dir nowhere` makes cases of our problems; --cases names the folder of another contest's cases
    ");
    insta::assert_snapshot!(stderr("batch --jbos"), @"
    error: unexpected argument '--jbos' found

      tip: a similar argument exists: '--jobs'
      tip: to pass '--jbos' as a value, use '-- --jbos'

    Usage: leak batch --jobs <N> [PROGRAM]...

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(leak(dir.path(), "problems", "").stdout, @r#"
    leak N C with 2 <= N <= 1000 and 0 <= C <= 1000
        One of N sections leaks; you stand at section 1. `? i` walks to section i, a
        minute for each section, and listens there, C minutes: the reply is `<` if
        the leak has a smaller number, `>` if a greater one, else `=`. `! i` digs,
        one minute, and only once: the reply is `1`, done. The score is the number
        of minutes.
        Example: leak play --problem "leak 10 3"
    "#);
    assert_eq!(
        stderr("init --objective min"),
        "wrote tester.toml; adapt it to the contest, then run: leak batch\n"
    );
}

#[test]
fn a_path_is_named_as_short_as_it_can_be_typed() {
    let dir = folder();
    // As cargo builds it, and as it calls it from another folder than the top one.
    let release = dir.path().join("target/release");
    std::fs::create_dir_all(&release).unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let program = release.join("leak");
    std::fs::hard_link(env!("CARGO_BIN_EXE_leak"), &program)
        .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_leak"), &program).map(drop))
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
    assert_eq!(hint(absolute, "."), "target/release/leak");
    assert_eq!(hint(absolute, "src"), "../target/release/leak");
    assert_eq!(
        hint("../target/release/leak", "src"),
        "../target/release/leak"
    );
    assert_eq!(hint(absolute, "target/release"), "./leak");
}
