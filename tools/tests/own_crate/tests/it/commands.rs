//! Every command works with the problem of the package.

use crate::{CASE, folder, own};

/// The cell with the treasure in the case of a seed of `new-contest 10`, as [`crate::SWEEP`] counts cells.
fn secret(seed: u64) -> u64 {
    let dir = folder();
    let made = own(dir.path(), &format!("gen --seeds {seed} --dir in"), "");
    assert_eq!(made.status, 0, "{made:?}");
    let text = std::fs::read_to_string(dir.path().join(format!("in/{seed:04}.txt"))).unwrap();
    assert!(text.starts_with("10 "), "the default problem: {text}");
    let last = text.lines().last().unwrap();
    let (row, column) = last.split_once(' ').unwrap();
    row.parse::<u64>().unwrap() * 10 + column.parse::<u64>().unwrap() + 1
}

#[test]
fn a_case_is_made_and_judged() {
    let dir = folder();
    let made = own(dir.path(), "gen --seeds 0..3", "");
    assert_eq!((made.status, made.stdout.as_str()), (0, ""));
    assert_eq!(
        made.stderr,
        "in: 3 cases of \"new-contest 10\": 3 written, 0 there already\n"
    );
    let shown = own(dir.path(), "--time-limit 60 ./sweep", CASE);
    assert_eq!((shown.status, shown.stderr.as_str()), (0, "Score = 100\n"));
    assert!(shown.stdout.ends_with("! 1 3\n! 2 0\n! 2 1\n"), "{shown:?}");
    // Of a seed, in a sandbox: the program starts itself again where there is no namespace.
    let shown = own(dir.path(), "--seed 2 --sandbox --time-limit 60 ./sweep", "");
    let score = format!("Score = {}\n", 10 * secret(2));
    assert!(shown.stderr.ends_with(&score), "{shown:?}");
    // Another problem is not known here.
    let shown = own(dir.path(), "./sweep", "hitblow 3 10\n8 2 5\n");
    insta::assert_snapshot!(shown.stderr, @r#"
    own: failed to read case standard input: line 1: expected N from 4 to 20, and M from 1 to 9, found "hitblow 3 10" (number of words: 3 instead of 2)
    hint: is it a case of another problem? `own gen --seeds 0..100` makes cases of this one
    "#);
    assert_eq!(shown.status, 2);
}

#[test]
fn runs_are_kept_compared_and_reported() {
    let dir = folder();
    let secrets: Vec<u64> = (0..10).map(secret).collect();
    let mean = |scores: &dyn Fn(u64) -> u64| {
        let total: u64 = secrets.iter().map(|&k| scores(k)).sum();
        format!("{:.4}", total as f64 / 10.0)
    };
    let sweep = mean(&|k| 10 * k);
    let back = mean(&|k| 1010 - 10 * k);
    let shown = own(
        dir.path(),
        "batch --seeds 0..10 --tag sweep --time-limit 60 -- ./sweep",
        "",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown.stdout.contains(&format!("\nmean       {sweep} ")),
        "{shown:?}"
    );
    // M is what the seed decides.
    assert!(shown.stdout.contains("\nby M       "), "{shown:?}");
    let worst = secrets.iter().max().unwrap() * 10;
    let worst = format!("  {worst}  N=10 M=");
    assert!(shown.stdout.contains(&worst), "{worst:?} in {shown:?}");
    let shown = own(
        dir.path(),
        "batch --seeds 0..10 --time-limit 60 -- ./back",
        "",
    );
    assert!(
        shown.stdout.contains(&format!("\nmean       {back} ")),
        "{shown:?}"
    );
    assert!(
        shown.stdout.contains("\n           own compare 1\n"),
        "{shown:?}"
    );
    let shown = own(dir.path(), "compare sweep last", "");
    let difference = mean(&|k| 1010 - 10 * k + 10_000 - 10 * k)
        .parse::<f64>()
        .unwrap()
        - 10_000.0;
    assert!(
        shown.stdout.contains(&format!("{difference:+.4}")),
        "{shown:?}"
    );
    let shown = own(dir.path(), "show 2", "");
    assert!(
        shown.stdout.contains(&format!("mean       {back}")),
        "{shown:?}"
    );
    let shown = own(dir.path(), "history", "");
    assert!(shown.stdout.contains("./back"), "{shown:?}");
    let shown = own(dir.path(), "report 1 2", "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = std::fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(page.contains("new-contest 10"));
    let shown = own(
        dir.path(),
        "duel ./sweep ./back --max-cases 3 --out duel",
        "",
    );
    assert!(shown.stdout.contains("./back"), "{shown:?}");
    // A session as a page.
    std::fs::create_dir_all(dir.path().join("in")).unwrap();
    std::fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    std::fs::write(dir.path().join("0000.txt"), "? 0 0\n! 0 0\n! 2 1\n").unwrap();
    let shown = own(dir.path(), "vis in/0000.txt 0000.txt", "");
    assert_eq!(
        (shown.stdout.as_str(), shown.stderr.as_str()),
        ("Score = 23\n", "wrote vis.html\n")
    );
}

#[test]
fn secrets_that_cannot_be_listed_are_not() {
    let dir = folder();
    let shown = own(dir.path(), "batch --all-secrets -- ./sweep", "");
    assert_eq!(shown.status, 2, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @r#"
    own: failed to understand --problem: expected a problem whose secrets can be listed, found "new-contest"
    hint: `own problems` lists all problems and their parameters
    "#);
}

#[test]
fn a_contests_own_tester_gets_the_program_behind_a_stage_of_this_binary() {
    let dir = folder();
    std::fs::create_dir(dir.path().join("in")).unwrap();
    std::fs::write(dir.path().join("in/0000.txt"), "4 1\n").unwrap();
    let judge = "echo '{command}' > command; {command} < {case} > {out}; echo Score = 7";
    std::fs::write(
        dir.path().join("tester.toml"),
        format!("version = 1\n[judge]\nexternal = \"{judge}\"\nobjective = \"min\"\n[batch]\ncommand = \"cat\"\n"),
    )
    .unwrap();
    let shown = own(dir.path(), "batch", "");
    assert!(shown.stdout.contains("\nmean       7.0000"), "{shown:?}");
    let command = std::fs::read_to_string(dir.path().join("command")).unwrap();
    let stage = format!("{} __scoped cat\n", env!("CARGO_BIN_EXE_own-crate"));
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
        let words = format!(
            "batch --seeds 0..6 --time-limit 60 --shard {part}/2 --to shards/{part}.jsonl -- ./sweep"
        );
        std::fs::create_dir_all(dir.path().join("shards")).unwrap();
        let shown = own(dir.path(), &words, "");
        assert_eq!(shown.status, 0, "{shown:?}");
    }
    let shown = own(dir.path(), "merge shards", "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let total: u64 = (0..6).map(|seed| 10 * secret(seed)).sum();
    let line = format!("\ntotal      {total} over 6 accepted\n");
    assert!(shown.stdout.contains(&line), "{shown:?}");
}

#[test]
fn people_play_and_programs_are_judged_on_standard_input() {
    let dir = folder();
    std::fs::write(dir.path().join("case"), CASE).unwrap();
    let shown = own(dir.path(), "judge case", "? 0 1\n? 2 3\n! 1 2\n! 2 1\n");
    assert_eq!(
        shown.stdout,
        "4 5\n3 1 4 1\n5 2 2 5\n3 5 4 1\n2 3 3 4\n2\n2\n0\n1\n"
    );
    assert_eq!((shown.status, shown.stderr.as_str()), (0, "Score = 22\n"));
    let shown = own(
        dir.path(),
        "play case --solver ./sweep",
        "? 0 1\nhint\n7\n! 1 2\n! 2 1\n",
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    insta::assert_snapshot!(shown.stdout, @r#"
    4 5
    3 1 4 1
    5 2 2 5
    3 5 4 1
    2 3 3 4
    An N × N field hides a treasure in one cell. The input is `N M`, then N rows of N costs from 1 to M.
    `? i j` takes as many minutes as the cost of cell (i, j): the reply is the number of steps from
    there to the treasure. `! i j` digs, 10 minutes: the reply is `1`, done, or `0`. The score is the
    number of minutes.
    type a guess, hint, or give up
    1> 2
    2> there is no hint for this problem
    2> expected ? or !, a row and a column in "7"
    2> 0
    3> 1
    found in 21 minutes
    ./sweep finds it in 100 minutes
    "#);
}
