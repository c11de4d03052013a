//! Scripts that judge, in a copy of the top folder and with the tester of this build.
//!
//! Stand-ins take the place of programs that would take long or need a network: what a script does with their
//! answers is tested, not what they do.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::common::copied::{Copy, has, root};
use crate::common::{counter, names, script, words};
use crate::terminal::terminal;

/// A copy with a solver that plays the default problem, as if Cargo had built it, and where its program is.
fn copy_with_solver() -> (Copy, PathBuf) {
    let copy = Copy::of(&["check-paste"]);
    fs::create_dir(copy.path().join("scripts/atcoder")).unwrap();
    for name in ["Cargo.toml", "Cargo.lock"] {
        let file = format!("scripts/atcoder/{name}");
        fs::copy(root().join(&file), copy.path().join(&file)).unwrap();
    }
    fs::create_dir(copy.path().join("src")).unwrap();
    fs::write(copy.path().join("src/main.rs"), "fn main() {}\n").unwrap();
    let release = copy.path().join("target/release");
    fs::create_dir_all(&release).unwrap();
    symlink(env!("CARGO_BIN_EXE_tester"), release.join("tester")).unwrap();
    fs::create_dir_all(copy.path().join("target/pasted/release")).unwrap();
    let pasted = copy.path().join("target/pasted/release");
    // The default problem's secrets are three digits of ten.
    let solver = "read -r game; for a in 0 1 2 3 4 5 6 7 8 9; do for b in 0 1 2 3 4 5 6 7 8 9; do \
                  for c in 0 1 2 3 4 5 6 7 8 9; do [ $a = $b ] || [ $a = $c ] || [ $b = $c ] || { \
                  echo $a $b $c; read -r h x; [ \"$h\" = 3 ] && exit 0; }; done; done; done";
    script(&pasted, "pasted", solver);
    copy.stand_in(
        "cargo",
        "[ \"$1\" != tree ] || printf 'solver\\nrand v0.9.2\\n'",
    );
    copy.stand_in("rustup", "");
    (copy, pasted)
}

#[test]
fn a_pasted_solver_is_built_by_the_judges_versions_and_judged() {
    let (copy, pasted) = copy_with_solver();
    let shown = copy.run("check-paste", &[], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.ends_with("AC 20 of 20 cases\n"), "{shown:?}");
    let log = copy.log();
    assert!(log.contains("cargo clippy --release --locked"), "{log}");
    assert!(log.contains("cargo build --release --locked"), "{log}");
    // A tester that is there already is not built.
    fs::remove_file(copy.path().join("log")).unwrap();
    let built = ["--judges", "target/release"];
    let shown = copy.run("check-paste", &built, &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(!copy.log().contains("-p tester"), "{}", copy.log());
    // A solver names its judge and its problem. This one guesses three digits, and there are two.
    let solver = "// judge: tester\n// problem: hitblow 2 10\nfn main() {}\n";
    fs::write(copy.path().join("src/two.rs"), solver).unwrap();
    let shown = copy.run(
        "check-paste",
        &["--judges", "target/release", "src/main.rs", "src/two.rs"],
        &[],
    );
    assert_eq!(shown.status, 1, "{shown:?}");
    let first = "check-paste: src/main.rs: 13 bytes, 4 crates, AC 20 of 20 cases\n";
    assert!(shown.stdout.contains(first), "{shown:?}");
    assert!(shown.stderr.contains("WA 20"), "{shown:?}");
    fs::write(
        copy.path().join("src/two.rs"),
        "// judge: nobody\nfn main() {}\n",
    )
    .unwrap();
    let shown = copy.run("check-paste", &["src/two.rs"], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(
        shown
            .stderr
            .contains("expected a judge after \"// judge:\", found \"nobody\"\nhint: "),
        "{shown:?}"
    );
    // A solver that fails is refused. The files that its table names are there.
    script(&pasted, "pasted", "echo why >&2; exit 1");
    let shown = copy.run("check-paste", &[], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(
        shown.stderr.contains(
            "expected 20 accepted cases by the judge tester, found the table above\nhint: "
        ),
        "{shown:?}"
    );
    let failed = copy.path().join("target/pasted/failed");
    let stderr = failed.join("out/runs/1/0000.err");
    assert!(shown.stderr.contains(stderr.to_str().unwrap()), "{shown:?}");
    assert_eq!(fs::read_to_string(stderr).unwrap(), "why\n");
    assert!(failed.join("in/0000.txt").is_file());
    assert!(failed.join("pasted").is_file());
}

#[test]
fn two_checks_at_once_build_one_after_the_other() {
    let (copy, pasted) = copy_with_solver();
    if !has("flock") {
        return;
    }
    // The build tells whether another could begin now, and leaves a program that the other would replace.
    let free =
        "flock --nonblock \"$CARGO_TARGET_DIR/check-paste.lock\" true && echo free || echo taken";
    copy.stand_in(
        "cargo",
        &format!(
            "case $1 in tree) printf 'solver\\nrand v0.9.2\\n' ;; build) {free} >>'{}/log' ;; esac",
            copy.path().display()
        ),
    );
    let shown = copy.run("check-paste", &["--judges", "target/release"], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(copy.log().ends_with("taken\n"), "{}", copy.log());
    // While a build holds the lock, a check says that it waits.
    let lock = fs::File::open(pasted.join("../check-paste.lock")).unwrap();
    lock.lock().unwrap();
    let mut waiting = copy
        .command("check-paste", &["--judges", "target/release"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(waiting.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    assert_eq!(
        line,
        "check-paste: another check-paste builds; waiting for it\n"
    );
    lock.unlock().unwrap();
    assert!(waiting.wait().unwrap().success());
}

#[test]
fn a_submission_may_name_the_settings_of_another_judge() {
    let (copy, pasted) = copy_with_solver();
    let at = |name: &str| copy.path().join(name);
    fs::create_dir_all(at("mine/in")).unwrap();
    for case in 0..20 {
        fs::write(at(&format!("mine/in/{case:04}.txt")), format!("{case}\n")).unwrap();
    }
    // The program echoes the case; another number is no score.
    script(
        &at("mine"),
        "judge",
        "case=$(cat \"$1\"); shift; said=$(echo $case | \"$@\")\n[ \"$said\" = $case ] && echo Score = 7 >&2",
    );
    let settings =
        "version = 1\n[judge]\nexternal = \"./judge {case} {command}\"\n[batch]\ncases = \"in\"\n";
    fs::write(at("mine/tester.toml"), settings).unwrap();
    let submission = "// judge: mine/tester.toml\nfn main() {}\n";
    fs::write(at("src/mine.rs"), submission).unwrap();
    script(&pasted, "pasted", "cat");
    let shown = copy.run("check-paste", &["src/mine.rs"], &[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.ends_with("AC 20 of 20 cases\n"), "{shown:?}");
    script(&pasted, "pasted", "echo 3");
    let shown = copy.run("check-paste", &["src/mine.rs"], &[]);
    assert_eq!(shown.status, 1, "{shown:?}");
    assert!(shown.stderr.contains("AC 1  WA 19"), "{shown:?}");
    // The table names cases of that folder, such as in/0000.txt, as the top folder has some, too.
    let folder = fs::canonicalize(at("mine")).unwrap();
    let there = format!(
        "check-paste: to run the commands of the table: cd {}\n",
        folder.display()
    );
    assert!(shown.stderr.contains(&there), "{shown:?}");
    // No table, and a hint of the tester.
    fs::remove_file(at("mine/in/0019.txt")).unwrap();
    let shown = copy.run("check-paste", &["src/mine.rs"], &[]);
    let last = shown.stderr.lines().last().unwrap();
    assert!(
        last.ends_with("failed to judge 20 cases, as said above"),
        "{shown:?}"
    );
    // A program without the commands of the tester, and no program.
    for (judge, expected) in [
        ("mine/judge", "failed to make 20 cases: "),
        (
            "mine/tester.toml.old",
            "found none at mine/tester.toml.old\n",
        ),
        (
            "mine/in/0000.txt",
            "found mine/in/0000.txt, which is not executable\nhint: ",
        ),
    ] {
        fs::write(
            at("src/mine.rs"),
            format!("// judge: {judge}\nfn main() {{}}\n"),
        )
        .unwrap();
        let shown = copy.run("check-paste", &["src/mine.rs"], &[]);
        assert_eq!(shown.status, 1, "{shown:?}");
        assert!(shown.stderr.contains(expected), "{shown:?}");
    }
}

#[test]
fn settings_of_a_package_lead_to_its_program_wherever_cargo_builds_it() {
    let (copy, _) = copy_with_solver();
    let at = |name: &str| copy.path().join(name);
    fs::create_dir_all(at("mine/src")).unwrap();
    fs::create_dir_all(at("mine/.cargo")).unwrap();
    fs::write(at("mine/src/main.rs"), "fn main() {}\n").unwrap();
    let settings = "version = 1\n[batch]\nseeds = \"0..100\"\n";
    fs::write(at("mine/tester.toml"), settings).unwrap();
    let manifest = "[package]\nname = \"treasure\"\n[dependencies]\ntester = \"1\"\n[workspace]\n";
    fs::write(at("mine/Cargo.toml"), manifest).unwrap();
    let submission = "// judge: mine/tester.toml\nfn main() {}\n";
    fs::write(at("src/mine.rs"), submission).unwrap();
    let program = |variable: Option<&str>| {
        let mut command = copy.command("check-paste", &["src/mine.rs"]);
        command.env_remove("CARGO_TARGET_DIR");
        if let Some(value) = variable {
            command.env("CARGO_TARGET_DIR", value);
        }
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let why = ": expected the settings of another judge in mine/tester.toml, found those of a package with its own \
            problem\nhint: build it, and name its program: // judge: ";
        let (_, program) = stderr.split_once(why).expect(&stderr);
        program.trim_end().to_owned()
    };
    // Without an answer, where Cargo builds unless something says otherwise.
    assert_eq!(program(None), "mine/target/release/treasure");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    copy.stand_in(
        "cargo",
        &format!(
            "case $1 in tree) printf 'solver\\nrand v0.9.2\\n' ;; *) exec '{cargo}' \"$@\" ;; esac"
        ),
    );
    assert_eq!(program(None), "mine/target/release/treasure");
    let config = "[build]\ntarget-dir = \"built\"\n";
    fs::write(at("mine/.cargo/config.toml"), config).unwrap();
    assert_eq!(program(None), "mine/built/release/treasure");
    assert_eq!(
        program(Some("/somewhere/else")),
        "/somewhere/else/release/treasure"
    );
}

#[test]
fn parallel_ssh_judges_what_is_missing_and_merges() {
    let copy = Copy::of(&["parallel-ssh"]);
    fs::create_dir(copy.path().join("tools")).unwrap();
    symlink(
        env!("CARGO_BIN_EXE_tester"),
        copy.path().join("tools/tester"),
    )
    .unwrap();
    counter(copy.path(), "c", "");
    copy.stand_in("rsync", "");
    // Judges here what it is told to judge there: the words behind `:::` are the shards.
    let parallel = "case \"$*\" in *--nonall*) exit 0 ;; esac; to=$PWD; job=; while [ \"$1\" != ::: ]; do \
                    case \"$1\" in */./.judge/job) job=${1%/./*} ;; esac; shift; done; shift; cd \"$job\"; \
                    for shard; do sh .judge/job $shard >&2; mv shard-$shard-of-*.jsonl \"$to\"; done";
    copy.stand_in("parallel", parallel);
    let cases = ["--seeds", "0..9", "--problem", "hitblow 1 10", "--", "./c"];
    let run = |of: &str| {
        copy.run(
            "parallel-ssh",
            &[&["2/host", "shards", of], &cases[..]].concat(),
            &[],
        )
    };
    let shown = run("3");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stderr.contains("3 of 3 shards to judge"), "{shown:?}");
    assert!(shown.stdout.contains("verdicts   AC 9\n"), "{shown:?}");
    // Only what is missing is judged again.
    fs::remove_file(copy.path().join("shards/shard-2-of-3.jsonl")).unwrap();
    let shown = run("3");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stderr.contains("1 of 3 shards to judge"), "{shown:?}");
    assert_eq!(run("none").status, 2);
}

#[test]
fn score_judges_all_cases_of_the_folder() {
    let copy = Copy::of(&["score"]);
    fs::create_dir(copy.path().join("tools")).unwrap();
    fs::create_dir(copy.path().join("in")).unwrap();
    symlink(
        env!("CARGO_BIN_EXE_tester"),
        copy.path().join("tools/tester"),
    )
    .unwrap();
    for case in 0..2 {
        fs::write(
            copy.path().join(format!("in/000{case}.txt")),
            format!("hitblow 1 10\n{case}\n"),
        )
        .unwrap();
    }
    copy.stand_in("cargo", "exit $REFUSED");
    counter(copy.path(), "solver", "");
    let shown = copy.run("score", &[], &[("REFUSED", "0")]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.contains("verdicts   AC 2\n"), "{shown:?}");
    assert!(copy.path().join("out/0001.txt").exists());
    let built = "cargo build --release --quiet -p tester --bin tester -p solver --bin solver\n";
    assert_eq!(copy.log(), built);
    // Another program, with its own arguments; and what is not built is not judged.
    let shown = copy.run("score", &["sh", "./solver", "--fast"], &[("REFUSED", "0")]);
    assert!(shown.stdout.contains("verdicts   AC 2\n"), "{shown:?}");
    assert_eq!(copy.run("score", &[], &[("REFUSED", "1")]).status, 2);
    // Cargo would say nothing while another build has its folder.
    let waits = "another build is at work in target/; waiting for it";
    assert!(!shown.stderr.contains(waits), "{shown:?}");
    fs::create_dir_all(copy.path().join("target/release")).unwrap();
    let lock = fs::File::create(copy.path().join("target/release/.cargo-lock")).unwrap();
    lock.lock().unwrap();
    let shown = copy.run("score", &[], &[("REFUSED", "0")]);
    assert!(shown.stderr.contains(waits), "{shown:?}");
}

#[test]
fn in_a_terminal_score_lets_cargo_show_its_progress() {
    let copy = Copy::of(&["score"]);
    // Nothing is judged after it.
    let cargo = copy.path().join("bin");
    script(&cargo, "cargo", "printf '%s ' \"$@\" > log; exit 1");
    let score = |stderr: Stdio| {
        let path = std::env::var("PATH").unwrap();
        let status = Command::new(copy.path().join("scripts/score"))
            .current_dir(copy.path())
            .env("PATH", format!("{}:{path}", cargo.display()))
            .stderr(stderr)
            .status();
        assert_eq!(status.unwrap().code(), Some(2));
        copy.log()
    };
    let (_user, programs, _) = terminal();
    assert!(score(Stdio::piped()).starts_with("build --release --quiet -p "));
    assert!(score(programs.into()).starts_with("build --release -p "));
}

#[test]
fn slurm_array_judges_the_shard_of_its_task() {
    let copy = Copy::of(&["slurm-array"]);
    fs::create_dir(copy.path().join("tools")).unwrap();
    symlink(
        env!("CARGO_BIN_EXE_tester"),
        copy.path().join("tools/tester"),
    )
    .unwrap();
    counter(copy.path(), "c", "");
    let words = words("shards 2 --seeds 0..9 --problem 'hitblow 1 10' -- ./c");
    for task in ["1", "2"] {
        let shown = copy.run("slurm-array", &words, &[("SLURM_ARRAY_TASK_ID", task)]);
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    assert_eq!(
        names(&copy.path().join("shards")),
        ["shard-1-of-2.jsonl", "shard-2-of-2.jsonl"]
    );
    let shown = copy.run("slurm-array", &words, &[("SLURM_ARRAY_TASK_ID", "3")]);
    assert_eq!(shown.status, 2, "{shown:?}");
    assert!(
        shown
            .stderr
            .contains("expected a task from 1 to 2, found 3"),
        "{shown:?}"
    );
    assert!(
        copy.run("slurm-array", &words, &[])
            .stderr
            .contains("found no SLURM_ARRAY_TASK_ID")
    );
}

#[test]
fn slurm_array_judges_in_a_contests_folder_and_builds_nothing() {
    let copy = Copy::of(&["slurm-array"]);
    let words = ["shards", "1", "--", "./c"];
    let task = [("SLURM_ARRAY_TASK_ID", "1"), ("PATH", "/usr/bin:/bin")];
    let shown = copy.run("slurm-array", &words, &task);
    assert_eq!(shown.status, 2, "{shown:?}");
    let why = "expected the tester at ./tools/tester or in PATH, found none";
    assert!(shown.stderr.contains(why), "{shown:?}");
    symlink(env!("CARGO_BIN_EXE_tester"), copy.path().join("bin/tester")).unwrap();
    counter(copy.path(), "c", "");
    let settings = "version = 1\n[batch]\nbuild = [\"touch built\"]\nseeds = \"0..3\"\n";
    fs::write(copy.path().join("tester.toml"), settings).unwrap();
    let shown = copy.run("slurm-array", &words, &task[..1]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(names(&copy.path().join("shards")), ["shard-1-of-1.jsonl"]);
    assert!(!copy.path().join("built").exists());
}
