//! Which cases `tester batch` judges: seeds, all secrets, a folder, a file or a pattern.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::batch::batch;
use crate::common::{CASE, counter, paste, run_in, script, words, write_cases};
use tempfile::tempdir;

#[test]
fn seeds_need_no_files_and_are_printed_for_other_programs() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let shown = batch(dir.path(), "--seeds 3..9 --json -- ./c");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown.stderr.contains("verdicts   AC 6"),
        "the table is on stderr"
    );
    let lines: Vec<serde_json::Value> = shown
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 6);
    for (line, seed) in lines.iter().zip(3..) {
        let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
        let expected = [
            "case",
            "cpu_ms",
            "memory_kib",
            "reason",
            "score",
            "seed",
            "verdict",
            "wall_ms",
        ];
        let mut sorted = keys.clone();
        sorted.sort();
        assert_eq!(sorted, expected);
        assert_eq!(
            (line["case"].as_u64(), line["seed"].as_u64()),
            (Some(seed), Some(seed))
        );
        // The score is the secret plus one, which `gen` tells.
        let seed = seed.to_string();
        let gen_args = [
            "gen",
            "--seeds",
            &seed,
            "--problem",
            "hitblow 1 10",
            "--dir",
            "g",
        ];
        assert_eq!(run_in(dir.path(), &gen_args, "").status, 0);
        let case = fs::read_to_string(dir.path().join(format!("g/{seed:0>4}.txt"))).unwrap();
        let secret: u64 = case.lines().nth(1).unwrap().parse().unwrap();
        assert_eq!(line["score"].as_u64(), Some(secret + 1));
    }
    let csv = batch(dir.path(), "--seeds 3..9 --csv -- ./c").stdout;
    assert!(
        csv.starts_with("case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason\n3,3,AC,"),
        "{csv}"
    );
    assert!(!dir.path().join("in").exists());
}

#[test]
fn all_secrets_give_the_mean_itself() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let args = words("batch --all-secrets --problem 'hitblow 1 4' -- ./c");
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown
            .stdout
            .contains("mean       2.5000 (of every secret: exact)\n"),
        "{}",
        shown.stdout
    );
    let rerun = "rerun      printf '%s\\n' 'hitblow 1 4' 3 | tester -- ./c\n";
    assert!(shown.stdout.contains(rerun), "{}", shown.stdout);
    // What is printed to be pasted works.
    let line = shown
        .stdout
        .lines()
        .find(|l| l.starts_with("rerun"))
        .unwrap();
    let command = &line[line.find("printf").unwrap()..];
    let again = paste(dir.path(), command);
    assert_eq!(String::from_utf8_lossy(&again.stderr), "Score = 4\n");
}

#[test]
fn rerun_commands_of_seeds_work() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let shown = batch(dir.path(), "--seeds 0..5 --turn-limit 1 -- ./c");
    assert_eq!(shown.status, 1);
    let command = shown
        .stdout
        .lines()
        .find(|l| l.contains(" --seed ") && l.starts_with("  "))
        .unwrap();
    let again = paste(dir.path(), command);
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(
        stderr.starts_with("WA: turn 2: \"1\" is past the limit of 1 turns"),
        "{command}: {stderr}"
    );
}

#[test]
fn rerun_commands_of_a_contests_tester_name_a_program_to_the_byte() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE.to_owned()]);
    script(dir.path(), "c", "echo \"played $1\" >&2; exit 1");
    let program = OsStr::from_bytes(b"./c\xff");
    fs::rename(dir.path().join("c"), dir.path().join(program)).unwrap();
    let tester = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--external", "{command} < {case} > {out}", "--"])
        .args([program, "it's".as_ref()])
        .current_dir(dir.path())
        .output();
    let shown = String::from_utf8(tester.unwrap().stdout).unwrap();
    let command = r"sh -c $'\'./c\377\' \'it\'\\\'\'s\' < in/0000.txt > out/0000.txt'";
    assert!(shown.contains(command), "{shown}");
    let again = std::process::Command::new("bash")
        .args(["-c", command])
        .current_dir(dir.path())
        .output();
    let stderr = String::from_utf8(again.unwrap().stderr).unwrap();
    assert_eq!(stderr, "played it's\n");
}

#[test]
fn cases_are_a_folder_a_file_or_a_pattern() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("in/more")).unwrap();
    for name in [
        "in/0001.txt",
        "in/0012.txt",
        "in/0013.txt",
        "in/more/0013.txt",
    ] {
        fs::write(at(name), CASE).unwrap();
    }
    let batch = |cases: &str| {
        let args = ["batch", "--cases", cases, "--", "echo", "8 2 5"];
        run_in(dir.path(), &args, "")
    };
    for (cases, count) in [
        ("in", 3),
        ("in/0012.txt", 1),
        ("in/001?.txt", 2),
        ("in/*1*.txt", 3),
    ] {
        let shown = batch(cases);
        assert_eq!(shown.status, 0, "{shown:?}");
        let expected = format!("verdicts   AC {count}\n");
        assert!(shown.stdout.contains(&expected), "{cases}: {shown:?}");
    }
    let rerun = batch("in/001?.txt").stdout;
    assert!(
        rerun.contains("tester -- echo '8 2 5' < in/0012.txt\n"),
        "{rerun}"
    );
    let refused = |cases: &str| {
        let shown = batch(cases);
        assert_eq!(shown.status, 2);
        shown.stderr
    };
    insta::assert_snapshot!(refused("in/9*.txt"), @"tester: no case matches in/9*.txt: expected files named 0000.txt, 0001.txt, …");
    insta::assert_snapshot!(refused("in/[.txt"), @"tester: failed to understand the pattern in/[.txt: Pattern syntax error near position 3: invalid range pattern");
    insta::assert_snapshot!(refused("**/0013.txt"), @"tester: two cases that match **/0013.txt have the same number: in/0013.txt and in/more/0013.txt");
    let over = run_in(
        dir.path(),
        &["batch", "--cases", "in/0*", "--out", "in", "--", "echo"],
        "",
    );
    assert!(
        over.stderr.contains("outputs and cases are in one folder"),
        "{over:?}"
    );
}
