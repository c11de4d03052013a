//! `tester batch --shard` and `tester merge` through the real binary: a run in parts is the run.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{CASE, Shown, counter, late, names, run_in, script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

const GAME: [&str; 4] = ["--seeds", "0..40", "--problem", "hitblow 1 10"];

/// A folder with a contestant, `./c`, whose score is the secret plus one.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    dir
}

/// Judges a part of `cases` into a file of its name.
fn shard(dir: &Path, part: &str, cases: &[&str], program: &[&str]) -> (String, Shown) {
    let file = format!("{}.jsonl", part.replace('/', "-of-"));
    let words = ["batch", "--shard", part, "--to", &file];
    let shown = run_in(dir, &[&words, cases, &["--"], program].concat(), "");
    (file, shown)
}

/// Judges all parts; returns their files.
fn shards(dir: &Path, of: usize, cases: &[&str], program: &[&str]) -> Vec<String> {
    let parts = (1..=of).map(|index| {
        let (file, shown) = shard(dir, &format!("{index}/{of}"), cases, program);
        assert!(shown.status < 2, "{shown:?}");
        file
    });
    parts.collect()
}

fn merge(dir: &Path, files: &[String], more: &[&str]) -> Shown {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run_in(dir, &[&["merge"], &files[..], more].concat(), "")
}

/// What must be the same wherever a case was judged, from `--json` lines.
fn outcomes(lines: &str) -> Vec<[Value; 5]> {
    let parse = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        ["case", "seed", "verdict", "score", "reason"].map(|key| line[key].clone())
    };
    lines.lines().map(parse).collect()
}

/// Holds the shards of a batch, merged, to the batch on one machine: records, figures, and what is known of the run.
fn merged_is_the_batch(dir: &Path, of: usize, cases: &[&str], program: &[&str]) {
    let alone = run_in(
        dir,
        &[&["batch", "--json"], cases, &["--"], program].concat(),
        "",
    );
    assert!(alone.status < 2, "{alone:?}");
    let files = shards(dir, of, cases, program);
    let together = merge(dir, &files, &["--json"]);
    assert_eq!(together.status, alone.status, "{together:?}");
    assert_eq!(outcomes(&together.stdout), outcomes(&alone.stdout));
    let history = rusqlite::Connection::open(dir.join("out/history.sqlite")).unwrap();
    let same = |sql: &str| {
        let rows = |run: i64| -> Vec<Vec<rusqlite::types::Value>> {
            let mut statement = history.prepare(sql).unwrap();
            let columns = statement.column_count();
            let row = |row: &rusqlite::Row<'_>| (0..columns).map(|i| row.get(i)).collect();
            statement
                .query_map([run], row)
                .unwrap()
                .map(Result::unwrap)
                .collect()
        };
        assert_eq!(rows(1), rows(2), "{sql}");
        assert!(!rows(1).is_empty(), "{sql}");
    };
    same(
        "SELECT case_id, digest, seed, opening, verdict, score, turns, reason, last_words, txt, log, err, transcript
         FROM record WHERE run = ? ORDER BY case_id",
    );
    same(
        "SELECT kind, state, command, words, fingerprint, git_commit, git_dirty, problem, source, time_limit_us,
            memory_limit_kib, turn_limit, process_limit, out, jobs, transcripts, sandbox, external, objective,
            machine, tester, planned, judged, accepted, score_sum, score_squares, case_set
         FROM run WHERE id = ?",
    );
    for (run, merged) in [(1, 0), (2, 1)] {
        let hosts = "SELECT count(*) FROM host WHERE run = ?";
        let hosts: i64 = history.query_row(hosts, [run], |row| row.get(0)).unwrap();
        let known = "SELECT count(*) FROM record WHERE run = ? AND host = 0";
        let known: i64 = history.query_row(known, [run], |row| row.get(0)).unwrap();
        assert_eq!((hosts, known > 0), (merged, merged > 0));
    }
}

#[test]
fn seeds_in_shards_are_the_batch() {
    let dir = folder();
    merged_is_the_batch(dir.path(), 3, &GAME, &["./c"]);
}

#[test]
fn failures_and_their_last_words_come_along() {
    let dir = tempdir().unwrap();
    script(
        dir.path(),
        "bad",
        "read -r game; echo 0; read -r h b; [ \"$h\" = 1 ] && exit 0; echo 'lost \"it\"' >&2; echo あ; read -r x; exit 3",
    );
    merged_is_the_batch(dir.path(), 4, &GAME, &["./bad"]);
}

#[test]
fn all_secrets_in_shards_are_exact() {
    let dir = folder();
    let cases = ["--all-secrets", "--problem", "hitblow 1 10"];
    // More shards than secrets: some are empty.
    merged_is_the_batch(dir.path(), 13, &cases, &["./c"]);
    let shown = run_in(dir.path(), &["show", "2"], "").stdout;
    assert!(
        shown.contains("mean       5.5000 (of every secret: exact)\n"),
        "{shown}"
    );
}

#[test]
fn a_folder_and_transcripts_in_shards_are_the_batch() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (number, secret) in [(3, "8 2 5"), (7, "0 1 2"), (12, "9 8 7"), (4000, "1 2 3")] {
        let text = format!("hitblow 3 10\n{secret}\n");
        fs::write(dir.path().join(format!("in/{number:04}.txt")), text).unwrap();
    }
    let words = ["--transcripts", "--turn-limit", "9", "--time-limit", "3"];
    // Transcripts hold times, so that their sums differ: what else there is, is the same.
    merged_is_the_batch(dir.path(), 3, &words[1..], &["echo", "8 2 5"]);
    let files = shards(&dir.path().join("."), 1, &words, &["echo", "8 2 5"]);
    let shown = merge(dir.path(), &files, &["--tag", "told", "--comment", "c"]);
    assert_eq!(shown.status, 1, "{shown:?}");
    let shown = run_in(dir.path(), &["show", "told"], "").stdout;
    assert!(shown.contains("comment    c\n"), "{shown}");
    assert!(
        shown.contains("limits     3 s, 1024 MiB, 9 turns, 128 processes\n"),
        "{shown}"
    );
}

#[test]
fn another_judge_in_shards_is_the_batch() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (number, text) in ["3 1 4", "2 7", "10 20 30 40", "5", ""]
        .into_iter()
        .enumerate()
    {
        fs::write(dir.path().join(format!("in/{number:04}.txt")), text).unwrap();
    }
    script(dir.path(), "mine", "cat");
    // As many points as there are words; none is a wrong answer.
    script(dir.path(), "scorer", "echo \"Score = $(wc -w < \"$2\")\"");
    let line = "{command} < {case} > {out} && ./scorer {case} {out}";
    let cases = ["--external", line, "--objective", "max", "--name", "words"];
    merged_is_the_batch(dir.path(), 2, &cases, &["./mine"]);
    // The contest's tester is a part of the key.
    let first = shard(dir.path(), "1/3", &cases, &["./mine"]).0;
    script(dir.path(), "scorer", "echo \"Score = 1\"");
    let rest = ["2/3", "3/3"].map(|part| shard(dir.path(), part, &cases, &["./mine"]).0);
    let refused = merge(dir.path(), &[&[first], &rest[..]].concat(), &[]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains(
            "shard 2/3 in 2-of-3.jsonl is of another run than what is in 1-of-3.jsonl: judge: "
        ),
        "{refused:?}"
    );
}

#[test]
fn a_shard_that_is_there_is_not_judged_again_and_nothing_else_is_replaced() {
    let dir = folder();
    let (file, shown) = shard(dir.path(), "2/4", &GAME, &["./c"]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""), "{shown:?}");
    assert!(
        shown
            .stderr
            .starts_with("tester: shard 2/4: 10 cases, 10 of them AC, in "),
        "{shown:?}"
    );
    assert_eq!(names(&dir.path().join("out")).len(), 20, "no history");
    let text = fs::read(dir.path().join(&file)).unwrap();
    let again = || shard(dir.path(), "2/4", &GAME, &["./c"]).1;
    let shown = again();
    assert_eq!(shown.status, 0);
    assert_eq!(
        shown.stderr,
        "tester: shard 2/4 is in 2-of-4.jsonl already; nothing was judged\n"
    );
    assert_eq!(fs::read(dir.path().join(&file)).unwrap(), text);
    let refused = |words: &[&str]| {
        let before = fs::read(dir.path().join(&file)).unwrap();
        let words = [&["batch", "--to", &file], words, &["--", "./c"]].concat();
        let shown = run_in(dir.path(), &words, "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert_eq!(fs::read(dir.path().join(&file)).unwrap(), before);
        shown.stderr
    };
    insta::assert_snapshot!(refused(&[&["--shard", "3/4"], &GAME[..]].concat()), @"tester: failed to write shard 3/4 to 2-of-4.jsonl, where something else is; nothing was changed: expected shard 3/4, found 2/4");
    insta::assert_snapshot!(refused(&[&["--shard", "2/4", "--turn-limit", "7"], &GAME[..]].concat()), @"tester: failed to write shard 2/4 to 2-of-4.jsonl, where something else is; nothing was changed: expected the same run, found another (limits: 2 s, 1048576 KiB, 7 turns, 128 processes and 2 s, 1048576 KiB, 1000 turns, 128 processes)");
    // Half of it, as an earlier machine may have left it.
    fs::write(dir.path().join(&file), &text[..text.len() / 2]).unwrap();
    let shown = again();
    assert_eq!(shown.status, 2);
    assert!(
        shown.stderr.contains("expected a whole line, found "),
        "{shown:?}"
    );
    // Another program, under the same name.
    fs::write(dir.path().join(&file), &text).unwrap();
    counter(dir.path(), "c", ":");
    assert!(
        again()
            .stderr
            .contains("found another (program's SHA-256: ")
    );
}

#[test]
fn lines_on_standard_output_are_the_same_shard_and_can_be_piped() {
    let dir = folder();
    let piped = ["1/2", "2/2"].map(|part| {
        let words = ["batch", "--shard", part, "--json"];
        let shown = run_in(
            dir.path(),
            &[&words, &GAME[..], &["--", "./c"]].concat(),
            "",
        );
        assert_eq!(shown.status, 0, "{shown:?}");
        shown.stdout
    });
    assert_eq!(names(dir.path()), ["c", "out"]);
    let shown = run_in(dir.path(), &["merge", "-"], &piped.concat());
    assert_eq!(shown.status, 0, "{shown:?}");
    // Beside what is none in a folder.
    fs::create_dir(dir.path().join("all")).unwrap();
    for (name, text) in [
        ("a.jsonl", &piped[0]),
        ("b.jsonl", &piped[1]),
        (".c.jsonl", &piped[0]),
        ("plan.json", &piped[1]),
    ] {
        fs::write(
            dir.path().join("all").join(name),
            &text[..text.len() - usize::from(!("a"..="c").contains(&name))],
        )
        .unwrap();
    }
    let shown = run_in(dir.path(), &["merge", "all"], "");
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    fs::create_dir(dir.path().join("none")).unwrap();
    let shown = run_in(dir.path(), &["merge", "none"], "");
    insta::assert_snapshot!(shown.stderr, @"
    tester: failed to merge; nothing was written:
    - expected shards, found none that could be read
    ");
    let neither = run_in(
        dir.path(),
        &[&["batch", "--shard", "1/2"], &GAME[..], &["--", "./c"]].concat(),
        "",
    );
    insta::assert_snapshot!(neither.stderr, @"tester: expected --to FILE or --json with --shard, found neither: a shard is kept in no history");
    assert_eq!(neither.status, 2);
}

#[test]
fn options_that_a_shard_would_not_heed_are_refused() {
    let dir = folder();
    for option in [
        "--resume",
        "--fail-fast",
        "--shuffle",
        "--csv",
        "--history=h",
        "--tag=t",
        "--comment=c",
    ] {
        let words = ["batch", "--shard", "1/2", "--to", "s", option];
        let shown = run_in(
            dir.path(),
            &[&words, &GAME[..], &["--", "./c"]].concat(),
            "",
        );
        assert_eq!(shown.status, 2, "{option}");
        assert!(shown.stderr.contains("cannot be used with"), "{shown:?}");
    }
    for part in ["0/2", "3/2", "x"] {
        let shown = run_in(
            dir.path(),
            &["batch", "--shard", part, "--to", "s", "--", "./c"],
            "",
        );
        assert!(
            shown
                .stderr
                .contains("expected I/N with 1 <= I <= N, such as 3/8"),
            "{shown:?}"
        );
    }
    let alone = run_in(dir.path(), &["batch", "--to", "s", "--", "./c"], "");
    assert!(alone.stderr.contains("--shard <I/N>"), "{alone:?}");
    assert_eq!(names(dir.path()), ["c"]);
}

#[test]
fn refused_is_refused_and_no_run_is_entered() {
    let dir = folder();
    let at = dir.path();
    let files = shards(at, 4, &GAME, &["./c"]);
    let refused = |files: &[&str], more: &[&str]| {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        let shown = merge(at, &files, more);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        let history = run_in(at, &["history"], "").stdout;
        assert_eq!(history.lines().count(), 1, "{history}");
        shown.stderr
    };
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    insta::assert_snapshot!(refused(&all[1..3], &[]), @"
    tester: failed to merge; nothing was written:
    - 20 of 40 cases are missing: 0000 to 0009, 0030 to 0039, those of shards 1/4, 4/4 (--partial enters what is there as an unfinished run)
    ");
    insta::assert_snapshot!(refused(&["nothing.jsonl", all[0], all[1], all[2], all[3]], &[]), @"
    tester: failed to merge; nothing was written:
    - failed to read shard nothing.jsonl: No such file or directory (os error 2)
    ");
    insta::assert_snapshot!(refused(&all, &["--", "./c", "--fast"]), @"
    tester: failed to merge; nothing was written:
    - expected the arguments of ./c --fast, found those of ./c in 1-of-4.jsonl
    ");
    // A worker with another program.
    counter(at, "other", ":");
    let other = [
        &["batch", "--shard", "2/4", "--to", "other.jsonl"],
        &GAME[..],
        &["--", "./other"],
    ]
    .concat();
    assert_eq!(run_in(at, &other, "").status, 0);
    let shown = refused(&[all[0], "other.jsonl", all[2], all[3]], &[]);
    assert!(shown.contains("- shard 2/4 in other.jsonl is of another run than what is in 1-of-4.jsonl: program's SHA-256: "), "{shown}");
    let shown = refused(&all, &["--", "./other"]);
    assert!(shown.contains("- expected ./other, SHA-256 "), "{shown}");
    // A worker with another version of the judge: a text as that would write it.
    let of_another = |change: &dyn Fn(&str) -> String| {
        fs::write(
            at.join("another.jsonl"),
            rewritten(&fs::read_to_string(at.join(all[1])).unwrap(), change),
        )
        .unwrap();
        refused(&[all[0], "another.jsonl", all[2], all[3]], &[])
    };
    let shown = of_another(&|line| line.replace("\"tester\":\"0.1.0\"", "\"tester\":\"0.0.9\""));
    assert!(
        shown.contains("tester's version: 0.1.0 and 0.0.9\n"),
        "{shown}"
    );
    // A machine that finds something else in the same case.
    let text = fs::read_to_string(at.join(all[1])).unwrap();
    fs::write(
        at.join("worse.jsonl"),
        rewritten(&text, &|line| line.replace("\"turns\":2", "\"turns\":3")),
    )
    .unwrap();
    let shown = refused(&[all[0], all[1], all[2], all[3], "worse.jsonl"], &[]);
    assert!(
        shown.contains("was judged twice and disagrees: AC, score 2 (2 turns, content "),
        "{shown}"
    );
    // One byte in a score, and nothing else.
    fs::write(
        at.join("altered.jsonl"),
        text.replacen("\"score\":2", "\"score\":1", 1),
    )
    .unwrap();
    let shown = refused(&[all[0], "altered.jsonl", all[2], all[3]], &[]);
    assert!(
        shown.contains(
            "- failed to read shard altered.jsonl: line 12: expected the shard as it was written"
        ),
        "{shown}"
    );
}

/// A shard as another tester would have written it: every line changed, key and sum made anew.
fn rewritten(text: &str, change: &dyn Fn(&str) -> String) -> String {
    use tools::shard::{About, Event, Reader, Writer};
    let changed: Vec<String> = text.split_inclusive('\n').map(change).collect();
    let mut header: Value = serde_json::from_str(&changed[0]).unwrap();
    let about: About = serde_json::from_value(header["shard"]["run"].clone()).unwrap();
    header["shard"]["key"] = about.key().into();
    let end = changed.last().unwrap();
    // Read without the sum, for it is not that of what stands there any more.
    let body = [
        serde_json::to_string(&header).unwrap() + "\n",
        changed[1..changed.len() - 1].concat(),
    ]
    .concat();
    let mut reader = Reader::new(body.as_bytes(), "rewritten");
    let Some(Event::Begin(begun)) = reader.next_event().unwrap() else {
        panic!("no header in {body}");
    };
    let mut writer = Writer::new(Vec::new(), &begun).unwrap();
    while let Ok(Some(Event::Record(judged))) = reader.next_event() {
        writer.add(&judged).unwrap();
    }
    let end: Value = serde_json::from_str(end).unwrap();
    let took = std::time::Duration::from_millis(end["end"]["took_ms"].as_u64().unwrap());
    String::from_utf8(writer.finish(took).unwrap()).unwrap()
}

#[test]
fn done_twice_counts_once_and_part_of_a_run_can_be_entered_and_resumed() {
    let dir = folder();
    let files = shards(dir.path(), 4, &GAME, &["./c"]);
    let some = [&files[..1], &files[2..], &files[2..3]].concat();
    let shown = merge(dir.path(), &some, &["--partial", "--", "./c"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    tester: note: shard 3/4 in 3-of-4.jsonl: 10 of its 10 cases were there already; counted once
    tester: note: 10 of 40 cases are missing: 0010 to 0019, those of shards 2/4
    ");
    assert!(
        shown
            .stdout
            .starts_with("cases      30 of 40: 10 are not judged yet\n"),
        "{shown:?}"
    );
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.starts_with("run        1, unfinished, 30 of 40 cases\n"),
        "{shown}"
    );
    let shown = run_in(dir.path(), &["batch", "--resume", "--json"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let whole = run_in(
        dir.path(),
        &[&["batch", "--json"], &GAME[..], &["--", "./c"]].concat(),
        "",
    );
    assert_eq!(outcomes(&shown.stdout), outcomes(&whole.stdout));
    let shown = run_in(dir.path(), &["show", "1"], "").stdout;
    assert!(
        shown.contains("10 cases were judged later, on the machine of this history\n"),
        "{shown}"
    );
}

#[test]
fn an_empty_shard_tells_what_there_would_be_to_judge() {
    let dir = folder();
    // Nothing is built for it, whatever a tester.toml says.
    let words = ["--build", "touch built; exit 1", "--no-build"];
    let (file, shown) = shard(
        dir.path(),
        "1000000000/1000000000",
        &[&words[..], &GAME[..]].concat(),
        &["./c"],
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(!dir.path().join("built").exists());
    let text = fs::read_to_string(dir.path().join(file)).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (
            lines.len(),
            &lines[0]["shard"]["run"]["planned"],
            &lines[1]["end"]["judged"]
        ),
        (2, &40.into(), &0.into())
    );
}

#[test]
fn an_interrupted_shard_leaves_no_file() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "slow", "echo x >> begun; sleep 0.2");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--shard", "1/2", "--to", "s.jsonl", "--jobs", "2"])
        .args(GAME)
        .args(["--", "./slow"])
        .current_dir(dir.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !dir.path().join("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait().unwrap();
    assert!(
        !ended.success() && ended.code().is_none(),
        "by the signal: {ended:?}"
    );
    assert_eq!(names(dir.path()), ["begun", "out", "slow"]);
}

#[test]
fn a_case_that_the_machine_cannot_judge_leaves_no_file() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), "1").unwrap();
    script(dir.path(), "scorer", "echo 'Score = many'");
    let cases = ["--external", "./scorer {case}"];
    let words = ["batch", "--shard", "1/1", "--to", "s.jsonl"];
    let shown = run_in(dir.path(), &[&words, &cases[..]].concat(), "");
    assert_eq!(shown.status, 2, "{shown:?}");
    assert!(
        shown.stderr.contains(
            "tester: shard 1/1: the machine could not judge case 0000: IE: expected an integer"
        ),
        "{shown:?}"
    );
    assert!(!dir.path().join("s.jsonl").exists());
}

#[test]
fn pages_and_comparisons_of_a_merged_run_say_what_is_elsewhere() {
    let dir = folder();
    let files = shards(dir.path(), 2, &GAME, &["./c"]);
    assert_eq!(merge(dir.path(), &files, &[]).status, 0);
    fs::rename(dir.path().join("out"), dir.path().join("away")).unwrap();
    let history = "away/history.sqlite";
    let page = run_in(
        dir.path(),
        &["report", "--to", "r.html", "--history", history],
        "",
    );
    assert_eq!(page.status, 0, "{page:?}");
    let page = fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(page.contains("\"missing\":\"elsewhere\"") && !page.contains("\"missing\":\"gone\""));
    assert!(page.contains("\nhosts      1\n"), "the table is in it");
    let again = [&["batch", "--history", history], &GAME[..], &["--", "./c"]].concat();
    assert_eq!(run_in(dir.path(), &again, "").status, 0);
    let compared = run_in(dir.path(), &["compare", "--history", history], "");
    assert!(
        compared
            .stdout
            .contains("A and B are the same program with the same arguments"),
        "{compared:?}"
    );
}

#[test]
fn a_case_that_fails_says_where_its_output_is_not() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    let files = shards(dir.path(), 1, &[], &["echo", "0 1 2"]);
    let shown = merge(dir.path(), &files, &[]);
    assert_eq!(shown.status, 1);
    assert!(
        shown
            .stdout
            .contains("what each wrote stayed on the host that judged it\n"),
        "{shown:?}"
    );
}

#[test]
fn a_limit_is_scaled_where_that_is_asked_for() {
    let dir = folder();
    let (file, shown) = shard(
        dir.path(),
        "1/1",
        &[&["--scale-time-limit", "0.5"], &GAME[..]].concat(),
        &["./c"],
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = fs::read_to_string(dir.path().join(&file)).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let header = &header["shard"];
    let calibration = header["host"]["calibration_ms"].as_f64().unwrap();
    let limit = header["host"]["time_limit_us"].as_f64().unwrap();
    assert!((limit - 2e6 * calibration / 0.5).abs() <= 1.0, "{header}");
    assert_eq!(header["run"]["time_limit_us"], 2_000_000, "as it was typed");
    assert_eq!(merge(dir.path(), &[file], &[]).status, 0);
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("limits     2 s, "), "{shown}");
}

/// `./up` guesses 0, 1, 2 …; `./late N` wastes its first N turns.
fn duelists() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "up", "");
    late(dir.path());
    script(dir.path(), "bad", "exit 1");
    dir
}

/// The shards `which` of six of a program, in files of its own.
fn side(dir: &Path, name: &str, which: &[u64], program: &[&str]) -> Vec<String> {
    let cases = ["--seeds", "0..60", "--problem", "hitblow 1 10"];
    let parts = which.iter().map(|index| {
        let (part, file) = (format!("{index}/6"), format!("{name}{index}.jsonl"));
        let words = ["batch", "--shard", &part, "--to", &file];
        let shown = run_in(dir, &[&words, &cases[..], &["--"], program].concat(), "");
        assert!(shown.status < 2, "{shown:?}");
        file
    });
    parts.collect()
}

fn against(dir: &Path, first: &[String], second: &[String], more: &[&str]) -> Shown {
    let words = |files: &[String]| files.iter().map(String::clone).collect::<Vec<_>>();
    let all = [
        vec!["merge".to_owned()],
        words(first),
        vec!["--against".to_owned()],
        words(second),
    ]
    .concat();
    let all: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    run_in(dir, &all, "")
}

#[test]
fn a_duel_of_shards_ends_as_the_duel_does() {
    let dir = duelists();
    let at = dir.path();
    let words = [
        "duel",
        "./late 1",
        "./up",
        "--seeds",
        "0..60",
        "--problem",
        "hitblow 1 10",
    ];
    let alone = run_in(at, &words, "");
    assert_eq!(alone.status, 0, "{alone:?}");
    let all = [1, 2, 3, 4, 5, 6];
    let (late, up) = (
        side(at, "a", &all, &["./late", "1"]),
        side(at, "b", &all, &["./up"]),
    );
    let together = against(at, &late, &up, &["--", "./late 1", "./up"]);
    assert_eq!(
        together.stdout,
        alone
            .stdout
            .replace("runs       1 and 2", "runs       3 and 4")
    );
    assert_eq!((together.status, together.stderr.as_str()), (0, ""));
    // What is kept are the pairs that it took, as a duel keeps them; one that was on its way there is not among them.
    let kept = |run: &str| outcomes(&run_in(at, &["show", run, "--json"], "").stdout);
    let played = kept("3").len();
    assert_eq!(played, 31);
    assert_eq!(
        (&kept("1")[..31], &kept("2")[..31]),
        (&kept("3")[..], &kept("4")[..])
    );
    let shown = run_in(at, &["show", "4"], "").stdout;
    assert!(
        shown.starts_with("run        4, done, 31 cases\n"),
        "{shown}"
    );
    assert!(
        shown.contains("command    ./up\n") && shown.contains("hosts      1\n"),
        "{shown}"
    );
}

#[test]
fn a_duel_takes_pairs_in_order_and_nothing_behind_a_gap() {
    let dir = duelists();
    let at = dir.path();
    let late = side(at, "a", &[1, 2, 3, 4, 6], &["./late", "1"]);
    let up = side(at, "b", &[1, 2, 4, 5, 6], &["./up"]);
    let look = |first: &[String], second: &[String]| -> (i32, Value) {
        let shown = against(at, first, second, &["--dry-run", "--json"]);
        (shown.status, serde_json::from_str(&shown.stdout).unwrap())
    };
    let (status, stands) = look(&late, &up);
    assert_eq!((status, &stands["outcome"]), (1, &"undecided".into()));
    assert_eq!(
        [&stands["ready"], &stands["played"], &stands["planned"]],
        [20, 20, 60]
    );
    // Shards that came in another order change nothing; the missing one does.
    let reversed: Vec<String> = up.iter().rev().cloned().collect();
    assert_eq!(look(&late, &reversed).1, stands);
    let whole = [up, side(at, "b", &[3], &["./up"])].concat();
    let (status, stands) = look(&late, &whole);
    insta::assert_snapshot!(serde_json::to_string_pretty(&stands).unwrap(), @r#"
    {
      "alpha": 0.05,
      "better": "B",
      "difference": -0.967741935483871,
      "failed": [
        0,
        0
      ],
      "half_width": 0.6811291558707622,
      "means": [
        7.225806451612903,
        6.258064516129032
      ],
      "outcome": "decided",
      "pairs": 31,
      "planned": 60,
      "played": 31,
      "ready": 40,
      "runs": null
    }
    "#);
    assert_eq!(status, 0);
    assert!(!at.join("out/history.sqlite").exists(), "nothing is kept");
    let (_, nothing) = look(&late, &whole[1..]);
    assert_eq!(
        [&nothing["ready"], &nothing["played"], &nothing["means"]],
        [&0.into(), &0.into(), &Value::Null]
    );
    // Whoever fails everything has no pair.
    let bad = side(at, "c", &[1, 2, 3, 4], &["./bad"]);
    let (status, stands) = look(&bad, &whole);
    assert_eq!(
        (status, &stands["outcome"], &stands["failed"][0]),
        (1, &"hopeless".into(), &30.into())
    );
}

#[test]
fn what_is_no_duel_is_refused() {
    let dir = duelists();
    let at = dir.path();
    let up = side(at, "a", &[1], &["./up"]);
    let refused = |second: &[String], more: &[&str]| {
        let shown = against(at, &up, second, more);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    let cases = [
        "--seeds",
        "0..61",
        "--problem",
        "hitblow 1 10",
        "--turn-limit",
        "9",
    ];
    let other = vec![shard(at, "1/6", &cases, &["./up"]).0];
    insta::assert_snapshot!(refused(&other, &[]), @"tester: failed to hold a duel: expected shards of two programs on the same cases, judged alike, found cases: 60 of seeds 0..60 of hitblow 1 10 and 61 of seeds 0..61 of hitblow 1 10; limits: 2 s, 1048576 KiB, 1000 turns, 128 processes and 2 s, 1048576 KiB, 9 turns, 128 processes");
    insta::assert_snapshot!(refused(&up, &["--", "./up"]), @"tester: expected two programs behind --, each with its arguments in one word, found 1");
    insta::assert_snapshot!(refused(&up, &["--", "./up", "./late 1"]).replace(char::is_numeric, "0").split("SHA").next().unwrap(), @"
    tester: failed to merge; nothing was written:
    - expected ./late 0,
    ");
    assert!(!at.join("out/history.sqlite").exists());
}

#[test]
fn a_look_at_shards_keeps_nothing() {
    let dir = folder();
    let files = shards(dir.path(), 3, &GAME, &["./c"]);
    let shown = merge(dir.path(), &files, &["--dry-run"]);
    assert_eq!(
        (shown.status, shown.stdout.as_str()),
        (0, "40 of 40 cases, one run; nothing was kept\n")
    );
    assert_eq!(merge(dir.path(), &files[1..], &["--dry-run"]).status, 2);
    let shown = merge(dir.path(), &files[1..], &["--dry-run", "--partial"]);
    assert_eq!(shown.stdout, "26 of 40 cases, one run; nothing was kept\n");
    assert_eq!(
        merge(dir.path(), &files, &["--dry-run", "--json"]).status,
        2
    );
    assert!(!dir.path().join("out/history.sqlite").exists());
}
