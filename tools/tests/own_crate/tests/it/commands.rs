//! Every command works with the problem of the package.

use crate::{folder, leak};

/// The secret of a seed of `leak 10 3`.
fn secret(seed: u64) -> u64 {
    let dir = folder();
    let made = leak(dir.path(), &format!("gen --seeds {seed} --dir in"), "");
    assert_eq!(made.status, 0, "{made:?}");
    let text = std::fs::read_to_string(dir.path().join(format!("in/{seed:04}.txt"))).unwrap();
    let secret = text
        .strip_prefix("leak 10 3\n")
        .expect("the default problem");
    secret.trim_end().parse().unwrap()
}

#[test]
fn a_case_is_made_and_judged() {
    let dir = folder();
    let made = leak(dir.path(), "gen --seeds 0..3", "");
    assert_eq!((made.status, made.stdout.as_str()), (0, ""));
    assert_eq!(
        made.stderr,
        "in: 3 cases of \"leak 10 3\": 3 written, 0 there already\n"
    );
    // The example of the statement.
    let shown = leak(dir.path(), "./walk", "leak 10 3\n7\n");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, "Score = 28\n"));
    assert_eq!(shown.stdout, "? 1\n? 2\n? 3\n? 4\n? 5\n? 6\n? 7\n! 7\n");
    // Of a seed, in a sandbox: the program starts itself again where there is no namespace.
    let shown = leak(dir.path(), "--seed 2 --sandbox ./walk", "");
    let score = format!("Score = {}\n", 4 * secret(2));
    assert!(shown.stderr.ends_with(&score), "{shown:?}");
    // Another problem is not known here.
    let shown = leak(dir.path(), "./walk", "hitblow 3 10\n8 2 5\n");
    insta::assert_snapshot!(shown.stderr, @r#"leak: failed to read case standard input: line 1: expected a problem such as "leak 10 3", found "hitblow 3 10""#);
    assert_eq!(shown.status, 2);
}

#[test]
fn runs_are_kept_compared_and_reported() {
    let dir = folder();
    let shown = leak(dir.path(), "batch --all-secrets --tag walk -- ./walk", "");
    // Each of 10 secrets k costs 4 k.
    assert_eq!(shown.status, 0, "{shown:?}");
    let table: Vec<&str> = shown.stdout.lines().take(6).collect();
    insta::assert_snapshot!(table.join("\n"), @"
    cases      10
    verdicts   AC 10
    mean       22.0000 (of every secret: exact)
    min        4
    median     22
    max        40
    ");
    assert!(
        shown
            .stdout
            .contains("printf '%s\\n' 'leak 10 3' 10 | leak -- ./walk\n")
    );
    let shown = leak(dir.path(), "batch --all-secrets -- ./back", "");
    // 9 + (10 - k) + 3 (11 - k) + 1 = 53 - 4 k.
    assert!(shown.stdout.contains("\nmean       31.0000 "), "{shown:?}");
    assert!(
        shown.stdout.contains("\n           leak compare 1\n"),
        "{shown:?}"
    );
    let shown = leak(dir.path(), "compare walk last", "");
    assert!(shown.stdout.contains("+9.0000"), "{shown:?}");
    let shown = leak(dir.path(), "show 2", "");
    assert!(shown.stdout.contains("mean       31.0000"), "{shown:?}");
    let shown = leak(dir.path(), "history", "");
    assert!(shown.stdout.contains("./back"), "{shown:?}");
    let shown = leak(dir.path(), "report 1 2", "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = std::fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(page.contains("leak 10 3"));
    let shown = leak(
        dir.path(),
        "duel ./walk ./back --max-cases 3 --out duel",
        "",
    );
    assert!(shown.stdout.contains("./back"), "{shown:?}");
    // A session as a page.
    std::fs::create_dir(dir.path().join("in")).unwrap();
    std::fs::write(dir.path().join("in/0000.txt"), "leak 10 3\n2\n").unwrap();
    std::fs::write(dir.path().join("0000.txt"), "? 1\n? 2\n! 2\n").unwrap();
    let shown = leak(dir.path(), "vis in/0000.txt 0000.txt", "");
    assert_eq!(
        (shown.stdout.as_str(), shown.stderr.as_str()),
        ("Score = 8\n", "wrote vis.html\n")
    );
}

#[test]
fn a_contests_own_tester_gets_the_program_behind_a_stage_of_this_binary() {
    let dir = folder();
    std::fs::create_dir(dir.path().join("in")).unwrap();
    std::fs::write(dir.path().join("in/0000.txt"), "leak 10 3\n1\n").unwrap();
    let judge = "echo '{command}' > command; {command} < {case} > {out}; echo Score = 7";
    std::fs::write(
        dir.path().join("tester.toml"),
        format!("version = 1\n[judge]\nexternal = \"{judge}\"\nobjective = \"min\"\n[batch]\ncommand = \"cat\"\n"),
    )
    .unwrap();
    let shown = leak(dir.path(), "batch", "");
    assert!(shown.stdout.contains("\nmean       7.0000"), "{shown:?}");
    let command = std::fs::read_to_string(dir.path().join("command")).unwrap();
    let stage = format!("{} __scoped cat\n", env!("CARGO_BIN_EXE_leak"));
    if command == "cat\n" {
        println!("left out: this kernel has no scopes, so that no stage is needed");
        return;
    }
    assert_eq!(command, stage);
}

#[test]
fn a_batch_is_judged_in_shards() {
    let dir = folder();
    for part in ["1", "2"] {
        let words =
            format!("batch --seeds 0..6 --shard {part}/2 --to shards/{part}.jsonl -- ./walk");
        std::fs::create_dir_all(dir.path().join("shards")).unwrap();
        let shown = leak(dir.path(), &words, "");
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    let shown = leak(dir.path(), "merge shards", "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let total: u64 = (0..6).map(|seed| 4 * secret(seed)).sum();
    let line = format!("\ntotal      {total} over 6 accepted\n");
    assert!(shown.stdout.contains(&line), "{shown:?}");
}

#[test]
fn people_play_and_programs_are_judged_on_standard_input() {
    let dir = folder();
    std::fs::write(dir.path().join("case"), "leak 10 3\n7\n").unwrap();
    let shown = leak(dir.path(), "judge case", "? 5\n? 8\n? 7\n! 7\n");
    assert_eq!(shown.stdout, "leak 10 3\n>\n<\n=\n1\n");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, "Score = 18\n"));
    let shown = leak(
        dir.path(),
        "play case --solver ./walk",
        "? 5\nhint\n7\n? 7\n! 7\n",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    let game = shown.stdout.split_once('\n').unwrap().1;
    insta::assert_snapshot!(game, @r#"
    type a guess, hint, or give up
    1> >
    2> 5 secrets are possible, for example ! 7
    2> expected ? or !, and a section in "7"
    2> =
    3> 1
    found in 13 minutes
    ./walk finds it in 28 minutes
    "#);
}
