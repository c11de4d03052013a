//! Help, `tester gen`, `tester judge`, `tester problems`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CASE, counter, names, run, run_in, tester, words};
use tempfile::tempdir;

/// The help of a command, in a terminal of 80 columns.
fn help(command: &[&str]) -> String {
    let mut tester = tester(&[command, &["--help"]].concat());
    let output = tester.env("COLUMNS", "80").output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_of_every_command_fits_a_terminal_and_shows_examples() {
    let main = help(&[]);
    let (_, commands) = main.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let commands = commands.lines().map(|line| {
        let name = line.split_whitespace().next().unwrap();
        assert!(line.starts_with(&format!("  {name} ")), "{line}");
        name
    });
    for command in commands.filter(|&name| name != "help") {
        let text = help(&[command]);
        assert!(
            text.contains(&format!("\nExamples:\n  tester {command}")),
            "{text}"
        );
        let (_, examples) = text.split_once("\nExamples:\n").unwrap();
        let mut examples = examples.lines().take_while(|line| !line.is_empty());
        assert!(examples.all(|line| line.starts_with("  ")), "{text}");
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{text}");
        insta::assert_snapshot!(format!("help_{command}"), text);
    }
    insta::assert_snapshot!("help", main);
}

#[test]
fn help_and_version_can_be_asked_for_in_every_usual_way() {
    assert_eq!(
        run(&["help", "batch"], "").stdout,
        run(&["batch", "-h"], "").stdout
    );
    assert_eq!(run(&["help"], "").stdout, run(&["--help"], "").stdout);
    let version = format!("tester {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"], "").stdout, version);
}

#[test]
fn problems_are_listed_with_parameters_and_an_example_that_can_be_played() {
    let text = run(&["problems"], "").stdout;
    let json = run(&["problems", "--json"], "").stdout;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(listed.len(), tester::problem::BUILT_IN.len());
    for problem in listed {
        let [usage, example] = ["usage", "example"].map(|key| problem[key].as_str().unwrap());
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(usage), "{text}");
        assert!(
            text.contains(&format!("play --problem \"{example}\"\n")),
            "{text}"
        );
        let judged = run(&["judge", "--seed", "0", "--problem", example], "");
        assert_eq!(judged.status, 1, "{judged:?}");
    }
}

#[test]
fn gen_numbers_by_seed_or_by_line() {
    let dir = tempdir().unwrap();
    let shown = run_in(dir.path(), &["gen", "--seeds", "9998..10001"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(
        names(&dir.path().join("in")),
        ["10000.txt", "9998.txt", "9999.txt"]
    );
    fs::write(
        dir.path().join("seeds.txt"),
        "10000\r\n18446744073709551615\n  7\n",
    )
    .unwrap();
    let args = words("gen seeds.txt --dir a/b --problem 'mastermind 4 6'");
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    assert_eq!(
        names(&dir.path().join("a/b")),
        ["0000.txt", "0001.txt", "0002.txt"]
    );
    let text = fs::read_to_string(dir.path().join("a/b/0001.txt")).unwrap();
    assert!(text.starts_with("mastermind 4 6\n"), "{text}");
}

#[test]
fn committed_cases_are_those_of_seeds_0_to_99() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../in");
    let dir = tempdir().unwrap();
    assert_eq!(
        run_in(dir.path(), &["gen", "--seeds", "0..100"], "").status,
        0
    );
    let fresh = dir.path().join("in");
    assert_eq!(names(&fresh).len(), 100);
    for name in names(&fresh) {
        assert_eq!(
            fs::read(fresh.join(&name)).unwrap(),
            fs::read(committed.join(&name)).unwrap()
        );
    }
}

#[test]
fn gen_refuses_before_it_writes() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("bad.txt"), "1\n2\nthree\n").unwrap();
    fs::write(dir.path().join("gap.txt"), "1\n\n3\n").unwrap();
    fs::write(dir.path().join("empty.txt"), "\n").unwrap();
    fs::write(dir.path().join("large.txt"), "18446744073709551616\n").unwrap();
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["gen"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("in").exists(), "something was written");
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["bad.txt"]), @r#"tester: failed to read seeds bad.txt: line 3: expected an integer from 0 to 18446744073709551615, found "three""#);
    insta::assert_snapshot!(refused(&["gap.txt"]), @r#"tester: failed to read seeds gap.txt: line 2: expected an integer from 0 to 18446744073709551615, found """#);
    insta::assert_snapshot!(refused(&["empty.txt"]), @"tester: failed to read seeds empty.txt: line 1: expected an integer from 0 to 18446744073709551615, found end of file");
    insta::assert_snapshot!(refused(&["large.txt"]), @r#"tester: failed to read seeds large.txt: line 1: expected an integer from 0 to 18446744073709551615, found "18446744073709551616""#);
    insta::assert_snapshot!(refused(&["none.txt"]), @"tester: failed to read none.txt: No such file or directory (os error 2)");
    insta::assert_snapshot!(refused(&["--seeds", "5..5"]), @"
    tester: invalid value '5..5' for '--seeds <A..B>': expected at least one seed: A..B stops before B, so B must be greater

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused(&["--seeds", "0..3", "--problem", "hitblow 3 65"]), @r#"
    tester: failed to generate a case: expected hitblow P K with 1 <= P <= 10 and P <= K <= 64, found "hitblow 3 65"
    hint: `tester problems` lists all problems and their parameters
    "#);
    insta::assert_snapshot!(refused(&["--seeds", "0..3", "--problem", "chess"]), @r#"
    tester: failed to understand --problem: expected a problem such as "hitblow 3 10", found "chess"
    hint: `tester problems` lists all problems and their parameters
    "#);
    assert!(refused(&[]).contains("SEEDS_FILE"));
    assert!(refused(&["bad.txt", "--seeds", "0..3"]).contains("cannot be used with"));
}

#[test]
fn gen_replaces_other_files_only_by_force() {
    let dir = tempdir().unwrap();
    let generate = |args: &[&str]| {
        run_in(
            dir.path(),
            &[&["gen", "--seeds", "0..3"], args].concat(),
            "",
        )
    };
    assert_eq!(generate(&[]).status, 0);
    assert_eq!(generate(&[]).status, 0);
    let before = fs::read(dir.path().join("in/0000.txt")).unwrap();
    let refused = generate(&["--problem", "mastermind 4 6"]);
    assert_eq!(refused.status, 2);
    insta::assert_snapshot!(refused.stderr, @"
    tester: 3 of 3 files exist with another content, the first is in/0000.txt; nothing was written
    hint: choose another --dir, or replace them with --force
    ");
    assert_eq!(fs::read(dir.path().join("in/0000.txt")).unwrap(), before);
    assert_eq!(
        generate(&["--problem", "mastermind 4 6", "--force"]).status,
        0
    );
    assert_ne!(fs::read(dir.path().join("in/0000.txt")).unwrap(), before);
}

#[test]
fn judge_answers_on_its_own_streams() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("case"), CASE).unwrap();
    let judge = |args: &[&str], input: &str| {
        let shown = run_in(dir.path(), &[&["judge"], args].concat(), input);
        (shown.status, shown.stdout, shown.stderr)
    };
    let answered =
        |status, stdout: &str, stderr: &str| (status, stdout.to_owned(), stderr.to_owned());
    assert_eq!(
        judge(&["case"], "# hello\n\n0 1 2\n8 2 5\n"),
        answered(0, "hitblow 3 10\n0 1\n3 0\n", "Score = 2\n")
    );
    assert_eq!(
        judge(&["case"], "7 7 1\n8 2 5\n"),
        answered(
            1,
            "hitblow 3 10\n-1\n",
            "WA: turn 1: digit 7 appears twice in \"7 7 1\"\nScore = 0\n"
        )
    );
    assert_eq!(
        judge(&["case"], "0 1 2\n"),
        answered(
            1,
            "hitblow 3 10\n0 1\n",
            "WA: turn 2: expected a line, found the end of the input\nScore = 0\n"
        )
    );
    assert_eq!(
        judge(&["case", "--turn-limit", "1"], "0 1 2\n8 2 5\n").2,
        "WA: turn 2: \"8 2 5\" is past the limit of 1 turns\nScore = 0\n"
    );
    let long = "x".repeat(3 << 20);
    assert!(
        judge(&["case"], &long)
            .2
            .starts_with("OLE: turn 1: expected a line of at most 1048576 bytes")
    );
    assert_eq!(judge(&["--seed", "1"], "8 2 5\n").0, 0);
    assert_eq!(
        judge(&["--seed", "1", "--problem", "mastermind 4 6"], "").1,
        "mastermind 4 6\n"
    );
    for bad in [
        &[][..],
        &["none"],
        &["case", "--seed", "1"],
        &["--seed", "x"],
        &["--seed", "1", "--problem", "x"],
    ] {
        assert_eq!(judge(bad, "").0, 2, "{bad:?}");
    }
}

#[test]
fn judge_does_not_wait_for_the_other_side_after_the_answer() {
    // As under online-judge-tools: our standard input stays open.
    let mut judge = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["judge", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut to = judge.stdin.take().unwrap();
    let mut from = BufReader::new(judge.stdout.take().unwrap());
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    assert_eq!(line, "hitblow 3 10\n");
    to.write_all(b"8 2 5\n").unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(0));
    drop(to);
}

#[test]
fn a_parent_that_ignores_the_end_of_children_hides_none_from_us() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let git = "git init -q; git add c; git -c user.name=a -c user.email=a@b commit -qm a; git rev-parse HEAD";
    let git = Command::new("sh")
        .args(["-c", git])
        .current_dir(dir.path())
        .output();
    let head = String::from_utf8(git.unwrap().stdout).unwrap();
    // bubblewrap, too, waits for its child.
    let words = "batch --seeds 0..2 --sandbox --build true --problem";
    let words = words.split(' ').chain(["hitblow 1 2", "--", "./c"]);
    let mut batch = Command::new(env!("CARGO_BIN_EXE_tester"));
    batch.args(words);
    batch.current_dir(dir.path()).stdin(Stdio::null());
    batch.stdout(Stdio::piped()).stderr(Stdio::piped());
    // SAFETY: between fork and exec, a system call is made and nothing else.
    unsafe {
        batch.pre_exec(|| {
            libc::signal(libc::SIGCHLD, libc::SIG_IGN);
            Ok(())
        });
    }
    let mut batch = batch.spawn().unwrap();
    let begun = Instant::now();
    while batch.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = batch.kill();
    let shown = batch.wait_with_output().unwrap();
    assert_eq!(shown.status.code(), Some(0), "{shown:?}");
    let run = run_in(dir.path(), &["show"], "").stdout;
    assert!(head.len() > 40 && run.contains(&head[..7]), "{head}{run}");
}

#[test]
fn a_negative_number_is_refused_with_what_is_expected() {
    let refused = |words: &str| {
        let shown = run(&words.split(' ').collect::<Vec<_>>(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        let cause = shown.stderr.lines().next().unwrap().to_owned();
        assert!(cause.contains(": expected "), "{words}: {cause}");
        cause.split_once(">': ").unwrap().1.to_owned()
    };
    let probability = "expected a probability from 1e-9 to 0.5, such as 0.05";
    assert_eq!(refused("duel a b --alpha -1"), probability);
    assert_eq!(refused("merge x --against y --alpha -1"), probability);
    let at_least_one = "expected a whole number, at least 1";
    for words in [
        "tune --trials -1 -- x",
        "tune --scheduler s --parallel -1 -- x",
        "batch --turn-limit 0 -- x",
    ] {
        assert_eq!(refused(words), at_least_one, "{words}");
    }
    let from_zero = "expected a whole number, at least 0";
    assert_eq!(refused("batch --vis-worst -1 -- x"), from_zero);
    assert_eq!(refused("history --limit -1"), from_zero);
    let seed = "expected a whole number from 0 to 4294967295";
    assert_eq!(refused("tune --sampler-seed -1 -- x"), seed);
    assert_eq!(
        refused("duel a b --max-cases -1"),
        "expected a whole number from 1 to 10000000"
    );
    // More numbers of processes than a kernel has are no limit, and no program could be started.
    let processes = "expected a whole number from 1 to 1000000";
    for count in ["-1", "10000000"] {
        let words = format!("batch --process-limit {count} -- x");
        assert_eq!(refused(&words), processes);
    }
    for words in [
        "batch --score-scale -1 -- x",
        "batch --shard -1/3 --json -- x",
        "batch --shard 0/3 --json --scale-time-limit -1 -- x",
        "batch --time-limit -1 -- x",
        "batch --seeds -1..3 -- x",
        "duel a b --max-difference -1",
        "gen --seeds -1..3",
    ] {
        refused(words);
    }
}

#[test]
fn who_plays_after_you_is_the_program_of_tester_toml_unless_its_judge_is_another() {
    let dir = tempdir().unwrap();
    let last_line = |settings: &str, options: &[&str]| {
        fs::write(
            dir.path().join("tester.toml"),
            format!("version = 1\n{settings}"),
        )
        .unwrap();
        let args = [&["play", "--seed", "0"], options].concat();
        let shown = run_in(dir.path(), &args, "give up\n");
        assert!(shown.stdout.contains("it was 3 8 4"), "{shown:?}");
        shown.stdout.lines().last().unwrap().to_owned()
    };
    let own = "[batch]\ncommand = \"sh -c 'echo 3 8 4'\"\n";
    let found = "sh -c 'echo 3 8 4' finds it in 1 turn";
    assert_eq!(last_line(own, &[]), found);
    assert!(!last_line(own, &["--solver", "sh -c 'echo 3 8 1'"]).contains(found));
    // From a folder below, too.
    fs::create_dir(dir.path().join("src")).unwrap();
    let below = run_in(
        &dir.path().join("src"),
        &["play", "--seed", "0"],
        "give up\n",
    );
    assert!(below.stdout.contains(found), "{below:?}");
    let usual = last_line(own, &["--no-config"]);
    assert!(usual.starts_with("hint: "), "{usual}");
    let other = format!("[judge]\nexternal = \"./t {{command}} < {{case}}\"\n{own}");
    assert_eq!(last_line(&other, &[]), usual);
}
