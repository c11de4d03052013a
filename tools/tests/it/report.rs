//! `tester report`: what stands in the page, and what is refused. How it looks and what a click does is in
//! `report_page.rs`, which needs a browser.

use std::path::Path;

use crate::common::{counter, run_in, script, words, write_cases};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Judges ten cases with a program in `dir`.
fn batch(dir: &Path, more: &[&str], program: &str) {
    let usual = ["batch", "--history", "h"];
    let shown = run_in(dir, &[&usual[..], more, &["--", program]].concat(), "");
    assert!(shown.status < 2, "{shown:?}");
}

const TEN: [&str; 4] = ["--seeds", "0..10", "--problem", "hitblow 1 10"];

/// The page with these runs.
fn page(dir: &Path, runs: &[&str]) -> String {
    let words = [&["report", "--history", "h", "--to", "r.html"], runs].concat();
    let shown = run_in(dir, &words, "");
    assert_eq!(
        (shown.status, shown.stdout.as_str()),
        (0, "r.html\n"),
        "{shown:?}"
    );
    std::fs::read_to_string(dir.join("r.html")).unwrap()
}

/// What stands in one of the page's data elements.
fn data(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, after) = page.split_once(&start).unwrap();
    let (inside, _) = after.split_once("</script>").unwrap();
    serde_json::from_str(inside).unwrap()
}

/// The guesses and replies of a session that is told.
fn told(kept: &Value) -> Vec<(String, String)> {
    let turns = kept["session"]["turns"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let both = |turn: &Value| (text(&turn["guess"]), text(&turn["reply"]));
    turns.iter().map(both).collect()
}

fn refused(dir: &Path, words: &[&str]) -> String {
    let shown = run_in(dir, &[&["report", "--history", "h"], words].concat(), "");
    assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
    shown.stderr
}

#[test]
fn what_stands_in_the_page_is_what_was_recorded() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "[ $$ = 0 ] && exit 1");
    script(dir.path(), "quits", "read -r game; read -r never");
    batch(dir.path(), &TEN, "./up");
    batch(
        dir.path(),
        &[&TEN[..], &["--out", "o2", "--time-limit", "0.2"]].concat(),
        "./quits",
    );
    let page = page(dir.path(), &["1", "2"]);
    let report = data(&page, "report");
    for (i, run) in ["1", "2"].into_iter().enumerate() {
        let lines = run_in(dir.path(), &["show", "--history", "h", "--json", run], "").stdout;
        let records: Vec<Value> = lines
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(records.len(), 10);
        let results = &report["runs"][i]["results"];
        for (row, record) in records.iter().enumerate() {
            assert_eq!(report["cases"]["id"][row], record["case"]);
            assert_eq!(report["cases"]["seed"][row], record["seed"]);
            assert_eq!(results["verdict"][row], record["verdict"]);
            assert_eq!(results["score"][row], record["score"]);
            assert_eq!(results["reason"][row.to_string()], record["reason"]);
        }
    }
    assert_eq!(report["runs"][1]["failures"][0]["count"], 10);
    // A page that is read in Japanese shows the reason in Japanese.
    let reason = report["runs"][1]["failures"][0]["reason"].as_str().unwrap();
    let japanese = report["japanese"][reason].as_str().unwrap();
    assert!(japanese.starts_with("1 ターン目："), "{reason}: {japanese}");
    assert_eq!(report["pairs"][0]["secondFailed"], 10);
    assert_eq!(report["pairs"][0]["figures"], Value::Null);
    // A browser without scripts shows the table of `tester show`.
    let shown = run_in(dir.path(), &["show", "--history", "h", "1"], "").stdout;
    let mean = shown.lines().find(|line| line.starts_with("mean")).unwrap();
    assert!(page.contains(mean), "{mean}");
}

#[test]
fn a_case_is_told_alike_from_its_transcript_and_from_what_was_written() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "echo '# hello'");
    batch(
        dir.path(),
        &[&TEN[..], &["--transcripts", "--out", "a"]].concat(),
        "./up",
    );
    batch(dir.path(), &[&TEN[..], &["--out", "b"]].concat(), "./up");
    let page = page(dir.path(), &["1", "2"]);
    let (with, without) = (data(&page, "cases-1"), data(&page, "cases-2"));
    let scores = data(&page, "report")["runs"][0]["results"]["score"].clone();
    for case in 0..10 {
        let turns = told(&with[case]);
        assert_eq!(turns, told(&without[case]));
        // The program counts from 0 up to the secret.
        assert_eq!(turns.len() as u64, scores[case].as_u64().unwrap());
        let secret = turns.len() - 1;
        assert_eq!(turns[secret], (secret.to_string(), "1 0".to_owned()));
        assert_eq!(with[case]["answer"], secret.to_string());
        assert_eq!(
            with[case]["session"]["turns"][0]["remarks"][0]["text"],
            "# hello"
        );
        assert!(with[case]["session"]["turns"][0]["ms"].is_f64());
        assert_eq!(without[case]["session"]["turns"][0]["ms"], Value::Null);
        let rerun = with[case]["rerun"].as_str().unwrap();
        assert!(rerun.contains(&format!("--seed {case} ")), "{rerun}");
        // Pasted, it draws this run's session.
        let draw = with[case]["draw"].as_str().unwrap();
        let (_, words) = draw.split_once(" vis ").unwrap();
        assert_eq!(words, format!("--history h {case:04} --run 1"));
        let words: Vec<&str> = ["vis"].into_iter().chain(words.split(' ')).collect();
        let drawn = run_in(dir.path(), &words, "");
        assert_eq!(drawn.stdout, format!("Score = {}\n", scores[case]));
    }
}

#[test]
fn each_run_is_shown_by_its_own_outputs() {
    let dir = TempDir::new().unwrap();
    // The same score on every case, so that the score alone does not tell the two apart.
    counter(dir.path(), "up", "echo '# one'");
    counter(dir.path(), "also", "echo '# another'");
    for program in ["./up", "./also"] {
        batch(dir.path(), &TEN, program);
    }
    // Whatever becomes of the copies of the newest.
    std::fs::write(dir.path().join("out/0004.txt"), "").unwrap();
    std::fs::remove_file(dir.path().join("out/0005.txt")).unwrap();
    let shown = page(dir.path(), &["1", "2"]);
    for case in [4, 5] {
        let remark = |run: &str| {
            let kept = data(&shown, run);
            assert_eq!(kept[case]["missing"], Value::Null);
            kept[case]["session"]["turns"][0]["remarks"][0]["text"].clone()
        };
        assert_eq!(remark("cases-1"), "# one");
        assert_eq!(remark("cases-2"), "# another");
    }
}

#[test]
fn outputs_of_a_run_that_expired_are_not_shown() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    for _ in 0..3 {
        batch(
            dir.path(),
            &[&TEN[..], &["--keep-runs", "2"]].concat(),
            "./up",
        );
    }
    let shown = page(dir.path(), &["1", "2", "3"]);
    let first = data(&shown, "cases-1");
    assert_eq!(
        (&first[4]["missing"], &first[4]["session"]),
        (&json!("not-kept"), &Value::Null)
    );
    for run in ["cases-2", "cases-3"] {
        assert!(!told(&data(&shown, run)[4]).is_empty());
    }
    // Its records are still there.
    assert_eq!(data(&shown, "report")["runs"][0]["accepted"], 10);
}

#[test]
fn changed_outputs_are_detected() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    let generated = run_in(
        dir.path(),
        &words("gen --problem 'hitblow 1 10' --seeds 0..5 --dir in"),
        "",
    );
    assert_eq!(generated.status, 0, "{generated:?}");
    batch(dir.path(), &[], "./up");
    let out = dir.path().join("out/runs/1");
    let before = data(&page(dir.path(), &[]), "cases-1");
    let first = std::fs::read_to_string(out.join("0001.txt")).unwrap();
    std::fs::write(out.join("0001.txt"), format!("0\n{first}")).unwrap();
    std::fs::remove_file(out.join("0002.txt")).unwrap();
    let secret = before[3]["answer"].as_str().unwrap();
    let other = if secret == "0" { "1" } else { "0" };
    std::fs::write(
        dir.path().join("in/0003.txt"),
        format!("hitblow 1 10\n{other}\n"),
    )
    .unwrap();
    std::fs::remove_file(dir.path().join("in/0004.txt")).unwrap();
    let kept = data(&page(dir.path(), &[]), "cases-1");
    let missing: Vec<&Value> = (0..5).map(|case| &kept[case]["missing"]).collect();
    let expected = json!([null, "changed", "not-kept", "changed", "changed"]);
    assert_eq!(json!(missing), expected);
    // Foreign files are not shown; the program's output is shown, even if the case is gone.
    assert_eq!(kept[1]["texts"], Value::Null);
    assert!(kept[4]["texts"][0]["text"].is_string());
    assert_eq!(kept[3]["answer"], Value::Null);
}

#[test]
fn an_output_that_was_written_to_after_the_run_is_not_its_own() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "echo '# mine'");
    batch(dir.path(), &TEN, "./up");
    let path = dir.path().join("out/runs/1/0003.txt");
    // As many turns as before, so that only the time tells.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("# mine", "# forged")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(1);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(later).unwrap();
    let kept = data(&page(dir.path(), &[]), "cases-1");
    assert_eq!(
        (&kept[3]["missing"], &kept[3]["texts"]),
        (&json!("changed"), &Value::Null)
    );
    assert_eq!(kept[2]["missing"], Value::Null);
}

#[test]
fn a_run_that_was_resumed_is_shown_whole() {
    let dir = TempDir::new().unwrap();
    // The first stops at once, and is resumed after the second has written to the same folder.
    let play = "read -r game; [ -e stop ] && [ $$ -gt 0 ] && exit 1; echo '# first'; g=0; while :; do echo $g; \
                read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g + 1)); done";
    script(dir.path(), "first", play);
    counter(dir.path(), "second", "echo '# second'");
    std::fs::write(dir.path().join("stop"), "").unwrap();
    batch(
        dir.path(),
        &[&TEN[..], &["--fail-fast", "--jobs", "1"]].concat(),
        "./first",
    );
    // One case, or one more that had begun before the first was looked at.
    let shown = run_in(dir.path(), &["show", "1", "--history", "h", "--json"], "");
    let silent = shown.stdout.lines().count();
    assert!((1..10).contains(&silent), "{shown:?}");
    std::fs::remove_file(dir.path().join("stop")).unwrap();
    batch(dir.path(), &TEN, "./second");
    let resumed = run_in(dir.path(), &["batch", "--history", "h", "--resume=1"], "");
    assert!(resumed.status < 2, "{resumed:?}");
    let page = page(dir.path(), &["1", "2"]);
    let (first, second) = (data(&page, "cases-1"), data(&page, "cases-2"));
    for case in 0..10 {
        let remark = |kept: &Value| kept[case]["session"]["turns"][0]["remarks"][0]["text"].clone();
        // The first cases of the first run have said nothing.
        let expected = if case < silent {
            Value::Null
        } else {
            json!("# first")
        };
        assert_eq!(remark(&first), expected);
        assert_eq!(remark(&second), "# second");
    }
    // The newest outputs are those that were written last.
    let newest = std::fs::read_to_string(dir.path().join("out/0009.txt")).unwrap();
    assert!(newest.starts_with("# first\n"), "{newest}");
}

#[test]
fn what_a_contestant_puts_there_is_not_believed() {
    let dir = TempDir::new().unwrap();
    let forged = "[    0.100] > hitblow 1 10\n[    0.200] < I knew\n[    0.300] > 1 0\n[    9.000] = AC, score 1\n";
    std::fs::write(dir.path().join("forged"), forged).unwrap();
    counter(
        dir.path(),
        "forger",
        "cd out/runs/1; cp ../../../forged 0001.transcript; mkfifo 0002.transcript 2>&-",
    );
    batch(
        dir.path(),
        &[&TEN[..], &["--jobs", "1"]].concat(),
        "./forger",
    );
    // A pipe without a writer, instead of an output file, does not block.
    let _ = std::fs::remove_file(dir.path().join("out/runs/1/0003.txt"));
    assert!(
        std::process::Command::new("mkfifo")
            .arg(dir.path().join("out/runs/1/0003.txt"))
            .status()
            .unwrap()
            .success()
    );
    let kept = data(&page(dir.path(), &[]), "cases-1");
    assert_eq!(told(&kept[1])[0].0, "0");
    assert_eq!(told(&kept[2])[0].0, "0");
    assert_eq!(kept[3]["missing"], "not-kept");
}

#[test]
fn only_a_page_is_replaced_by_a_page() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    batch(dir.path(), &TEN, "./up");
    let before = std::fs::read(dir.path().join("h")).unwrap();
    std::os::unix::fs::symlink("h", dir.path().join("link")).unwrap();
    for to in ["h", "link", "out/0001.txt"] {
        let said = refused(dir.path(), &["--to", to]);
        assert!(said.contains("expected a page to replace"), "{said}");
    }
    assert_eq!(std::fs::read(dir.path().join("h")).unwrap(), before);
    page(dir.path(), &[]);
    page(dir.path(), &[]); // again, over the page
}

#[test]
fn what_is_too_long_is_shown_by_its_ends() {
    let dir = TempDir::new().unwrap();
    let much = "i=0; while [ $i -lt 3000 ]; do echo \"# $i of a long thought that nobody wants to read\"; i=$((i + 1)); done";
    counter(dir.path(), "talks", much);
    batch(
        dir.path(),
        &["--seeds", "7", "--problem", "hitblow 1 10"],
        "./talks",
    );
    let kept = &data(&page(dir.path(), &[]), "cases-1")[0];
    assert_eq!(
        (&kept["missing"], &kept["session"]),
        (&Value::Null, &Value::Null)
    );
    let text = kept["texts"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("# 0 of") && text.contains("\n…\n"),
        "{text}"
    );
    let whole = std::fs::read(dir.path().join("out/0007.txt")).unwrap();
    let end = str::from_utf8(&whole[whole.len() - 20..]).unwrap();
    assert!(text.ends_with(end), "{text}");
    assert!(kept["texts"][0]["left_out"].as_u64().unwrap() > 50_000);
}

#[test]
fn every_digit_of_a_large_score_is_kept() {
    let dir = TempDir::new().unwrap();
    write_cases(dir.path(), ["x\n"]);
    let line = "cat {case} > {out}; echo Score = 9007199254740993";
    let words = [
        "batch",
        "--history",
        "h",
        "--external",
        line,
        "--objective",
        "max",
    ];
    let shown = run_in(dir.path(), &words, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let page = page(dir.path(), &[]);
    let report = data(&page, "report");
    assert_eq!(report["runs"][0]["results"]["score"][0], "9007199254740993");
    assert_eq!(report["objective"], "max");
    let kept = &data(&page, "cases-1")[0];
    let texts: Vec<&Value> = kept["texts"].as_array().unwrap().iter().collect();
    let (name, text) = (&texts[0]["name"], &texts[0]["text"]);
    assert_eq!((name, text), (&json!("0000.txt"), &json!("x\n")));
    assert_eq!(texts[1]["name"], "0000.log");
}

#[test]
fn what_cannot_be_shown_is_refused_and_nothing_is_written() {
    let dir = TempDir::new().unwrap();
    counter(dir.path(), "up", "");
    let none = run_in(dir.path(), &["report", "--history", "h"], "").stderr;
    batch(dir.path(), &TEN, "./up");
    batch(
        dir.path(),
        &["--seeds", "0..3", "--problem", "hitblow 1 9"],
        "./up",
    );
    batch(
        dir.path(),
        &["--seeds", "20..30", "--problem", "hitblow 1 10"],
        "./up",
    );
    let all = [
        none,
        refused(dir.path(), &["7"]),
        refused(dir.path(), &["1", "1"]),
        refused(dir.path(), &["1", "2"]),
        refused(dir.path(), &["1", "3"]),
        refused(dir.path(), &["1", "best"]),
        refused(dir.path(), &["1", "--to", "h/r.html"]),
        refused(dir.path(), &["1", "--to", "."]),
    ];
    insta::assert_snapshot!(all.concat(), @r#"
    tester: no history at h
    hint: `tester batch` makes a history; --history FILE names another
    tester: no such run in h: expected a run's number, a tag, or "last", found "7"
    hint: `tester history` lists all runs
    tester: run 1 is named twice
    hint: `tester history` lists all runs
    tester: failed to compare runs 1 and 2: expected the same problem, found hitblow 1 10 and hitblow 1 9
    hint: `tester history` lists all runs
    tester: failed to compare runs 1 and 3: expected cases that both have, found none (seeds 0..10 of hitblow 1 10 and seeds 20..30 of hitblow 1 10)
    hint: `tester history` lists all runs
    tester: no such run in h: expected another run on the 10 cases of run 1, found none
    hint: `tester history` lists all runs
    tester: failed to write h: expected a folder, found a file
    tester: failed to write .: expected the name of a file, found a folder
    "#);
    assert!(!dir.path().join("out/report.html").exists());
}
