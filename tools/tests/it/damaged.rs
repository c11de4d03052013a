//! Damaged histories: each column is set to values that no tester writes, and everything that reads a history either
//! says what is wrong or goes on. Nothing panics.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;
use tester::report::export::RecordWriter;
use tester::report::model::{self, Report, figures};
use tester::report::page::report as page;
use tester::report::{RunPair, comparison, console, hosts, runs};
use tester::stats::paired::Measure;
use tester::store::{History, Run};

use crate::common::shards::{GAME, folder, merge, shards};
use crate::common::{CASE, run_in, script};

/// A folder with `out/history.sqlite`: two batches (the second with failures), a merged run, and a duel.
fn history() -> TempDir {
    let dir = folder();
    script(dir.path(), "bad", "read -r game; echo 0 0; exit 3");
    let run = |words: &[&str]| {
        let shown = run_in(dir.path(), words, "");
        assert!(shown.status < 2, "{words:?}: {shown:?}");
    };
    let game = ["--seeds", "0..6", GAME[2], GAME[3]];
    run(&[&["batch", "--tag", "a"], &game[..], &["--", "./c"]].concat());
    run(&[&["batch"], &game[..], &["--", "./bad"]].concat());
    let files = shards(dir.path(), 2, &game, &["./c"]);
    assert_eq!(merge(dir.path(), &files, &[]).status, 0);
    run(&["duel", "--seeds", "0..20", GAME[2], GAME[3], "./c", "./bad"]);
    dir
}

/// A copy without NOT NULL, so that every value can be written.
fn permissive(dir: &Path) -> PathBuf {
    let path = dir.join("base.sqlite");
    let source = Connection::open(dir.join("out/history.sqlite")).unwrap();
    source
        .execute("VACUUM INTO ?", [path.to_str().unwrap()])
        .unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')
                WHERE type = 'table' AND name NOT LIKE 'sqlite%';",
        )
        .unwrap();
    path
}

/// All that is read of a history, by all that reads it; the errors.
fn read_everything(path: &Path) -> Vec<String> {
    let mut errors = Vec::new();
    macro_rules! get {
        ($read:expr) => {
            match $read {
                Ok(found) => Some(found),
                // Of a run without another on its cases, or one whose number has changed.
                Err(error) if error.to_string().starts_with("no such run in ") => None,
                Err(error) => {
                    errors.push(error.to_string());
                    None
                }
            }
        };
    }
    let Some(history) = get!(History::open_existing(path)) else {
        return errors;
    };
    if let Some(all) = get!(history.runs(None, 1000)) {
        for measure in Measure::ALL {
            if let Some(means) = get!(history.measured_means(&all, measure)) {
                let all: Vec<_> = all.iter().cloned().zip(means).collect();
                runs::list(&all, measure, None);
            }
        }
    }
    let found: Vec<Run> = (1..=5)
        .filter_map(|id| get!(history.find(&id.to_string())))
        .collect();
    for run in &found {
        runs::details(run);
        if let Some((summary, _)) = get!(figures(&history, run, |_, _| ())) {
            console::run_text(&summary, None, run, "tester");
        }
        if let Some(Some(compared)) = get!(model::hosts(&history, run)) {
            hosts::text(&compared, run.judged);
        }
        let mut lines = RecordWriter::json(Vec::new(), &[]);
        get!(history.each_record(run.id, |judged| lines.add(&judged).unwrap()));
        get!(history.scores(run.id));
        get!(history.best_scores(run.id));
        get!(history.before(run));
        for measure in Measure::ALL {
            get!(history.best_on_cases_of(run, measure));
        }
    }
    if let Some(report) = get!(Report::from_history(&history, &found, "tester", false)) {
        page::write(&report, &mut Vec::new()).unwrap();
    }
    if let [first, second, ..] = &found[..]
        && let Some(pair) = get!(RunPair::from_history(
            &history,
            first,
            second,
            Measure::Score
        ))
    {
        comparison::text(&pair, false);
    }
    errors
}

/// Changes a copy of the history, and reads everything of it; the errors, or that it panicked. `None` if `change` says
/// that it has changed nothing.
fn errors_after(base: &Path, change: impl FnOnce(&Connection) -> bool) -> Option<Vec<String>> {
    let path = base.with_file_name("changed.sqlite");
    fs::copy(base, &path).unwrap();
    let db = Connection::open(&path).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    db.pragma_update(None, "synchronous", false).unwrap();
    let is_changed = change(&db);
    drop(db);
    let read = || catch_unwind(AssertUnwindSafe(|| read_everything(&path)));
    is_changed.then(|| read().unwrap_or_else(|_| vec!["it panicked".to_owned()]))
}

const VALUES: [&str; 9] = [
    "-1",
    "-9223372036854775808",
    "9223372036854775807",
    "NULL",
    "'abc'",
    "x'00ff'",
    "1e308",
    "-1.5",
    "9e999",
];

/// Columns whose value is 0 or more.
const SIZES: [&str; 11] = [
    "run.planned",
    "run.judged",
    "run.accepted",
    "run.took_ms",
    "record.wall_us",
    "record.cpu_us",
    "record.memory_kib",
    "record.host",
    "host.cpus",
    "host.calibration_us",
    "host.time_limit_us",
];

fn columns(base: &Path) -> Vec<(String, String)> {
    let db = Connection::open(base).unwrap();
    let mut query = db
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'",
        )
        .unwrap();
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn no_value_of_a_column_makes_a_reader_panic() {
    let dir = history();
    let base = permissive(dir.path());
    assert_eq!(read_everything(&base), [""; 0]);
    let columns = columns(&base);
    assert!(columns.len() > 45, "{columns:?}");
    let mut wrong = Vec::new();
    for (table, column) in columns {
        let mut taken = 0;
        for value in VALUES {
            let changed = errors_after(&base, |db| {
                // A key takes a value once only, and the number of a row only integers.
                let sql = format!("UPDATE OR IGNORE {table} SET {column} = {value}");
                db.execute(&sql, []).is_ok_and(|rows| rows > 0)
            });
            let Some(errors) = changed else { continue };
            taken += 1;
            let is_clear = |error: &String| {
                error.contains(" is damaged: ") || error.starts_with("failed to compare runs ")
            };
            let name = format!("{table}.{column}");
            wrong.extend(
                errors
                    .iter()
                    .filter(|e| !is_clear(e))
                    .map(|e| format!("{name} = {value}: {e}")),
            );
            let is_named = |error: &String| {
                error.contains(column.as_str()) && error.contains(&format!("found {value}"))
            };
            if value.starts_with("-")
                && !value.contains('.')
                && SIZES.contains(&&*name)
                && !errors.iter().any(is_named)
            {
                wrong.push(format!("{name} = {value} was not noticed: {errors:?}"));
            }
        }
        // Of a table without rows, nothing would be tested.
        if taken == 0 {
            wrong.push(format!("{table}.{column} takes no value"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every place in a JSON value: keys and numbers from the top.
fn places(value: &Value) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v)).collect(),
        Value::Array(list) => (0..).map(|i: usize| i.to_string()).zip(list).collect(),
        _ => Vec::new(),
    };
    let deeper = inner.into_iter().flat_map(|(key, value)| {
        let rest = places(value).into_iter();
        rest.map(move |rest| format!("/{key}{rest}"))
    });
    deeper.chain([String::new()]).collect()
}

#[test]
fn no_setting_of_a_run_makes_a_reader_panic() {
    let dir = history();
    let base = permissive(dir.path());
    let mut wrong = Vec::new();
    for column in ["spec", "provenance"] {
        let db = Connection::open(&base).unwrap();
        let sql = format!("SELECT {column} FROM run WHERE id = 3");
        let text: String = db.query_row(&sql, [], |row| row.get(0)).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        let places = places(&whole);
        assert!(places.len() > 5, "{text}");
        for place in places {
            for value in ["-1", "9223372036854775808", "1e308"] {
                let mut changed = whole.clone();
                *changed.pointer_mut(&place).unwrap() = serde_json::from_str(value).unwrap();
                let errors = errors_after(&base, |db| {
                    let sql = format!("UPDATE run SET {column} = ? WHERE id = 3");
                    db.execute(&sql, [changed.to_string()]).unwrap() == 1
                });
                let errors = errors.expect("there is a third run");
                let unclear = errors.iter().filter(|e| !e.contains(" is damaged: "));
                wrong.extend(unclear.map(|e| format!("{column}{place} = {value}: {e}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_damaged_history_is_told_with_its_place() {
    let dir = history();
    let path = dir.path().join("out/history.sqlite");
    let refused = |sql: &str, words: &[&str]| {
        Connection::open(&path).unwrap().execute(sql, []).unwrap();
        let shown = run_in(dir.path(), words, "");
        assert_eq!(shown.status, 2, "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("UPDATE record SET wall_us = -5 WHERE run = 1 AND case_id = 3", &["show", "1"]), @r#"
    tester: history out/history.sqlite is damaged: run 1, case 0003, column wall_us: expected an integer from 0 to 9223372036854775807, found -5
    hint: the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move it away to begin another
    "#);
    insta::assert_snapshot!(refused("UPDATE record SET verdict = 'XY' WHERE run = 2", &["compare", "1", "2"]), @r#"
    tester: history out/history.sqlite is damaged: run 2, case 0000, column verdict: expected a verdict, found "XY"
    hint: the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move it away to begin another
    "#);
    insta::assert_snapshot!(refused("UPDATE record SET parameters = '15 x' WHERE run = 4", &["show", "4"]), @r#"
    tester: history out/history.sqlite is damaged: run 4, case 0000, column parameters: expected numbers with spaces between, found "15 x"
    hint: the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move it away to begin another
    "#);
    insta::assert_snapshot!(refused("UPDATE run SET judged = -1 WHERE id = 3", &["report", "3"]), @r#"
    tester: history out/history.sqlite is damaged: run 3, column judged: expected an integer from 0 to 9007199254740992, found -1
    hint: the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move it away to begin another
    "#);
    insta::assert_snapshot!(refused("UPDATE run SET spec = '{\"a\":1}' WHERE id = 5", &["history"]), @r#"
    tester: history out/history.sqlite is damaged: run 5, column spec: expected the settings of a run, found "{\"a\":1}": missing field `command` at line 1 column 7
    hint: the file is damaged or cannot be read: restore a copy, save what is in it with `sqlite3 FILE .recover`, or move it away to begin another
    "#);
}

#[test]
fn files_of_a_folder_that_is_no_run_s_are_not_removed() {
    let dir = history();
    let path = dir.path().join("out/history.sqlite");
    let cases = dir.path().join("cases/1");
    fs::create_dir_all(&cases).unwrap();
    fs::write(cases.join("0000.txt"), CASE).unwrap();
    for folder in ["../cases/1", "../cases", "runs/2", "runs/1/..", "runs/1x"] {
        let db = Connection::open(&path).unwrap();
        let sql = "UPDATE run SET folder = ? WHERE id = 1";
        db.execute(sql, [folder.as_bytes()]).unwrap();
        drop(db);
        let shown = run_in(dir.path(), &["delete", "1"], "");
        assert_eq!(shown.status, 2, "{shown:?}");
        let expected = format!("run 1, column folder: expected a folder runs/1, found {folder:?}");
        assert!(shown.stderr.contains(&expected), "{shown:?}");
        assert!(cases.join("0000.txt").exists(), "{folder}");
    }
    assert!(dir.path().join("out/runs/2/0000.txt").exists());
}

#[test]
fn a_run_whose_program_damages_the_history_cannot_be_continued() {
    let dir = folder();
    let damage =
        "head -c 200000 /dev/zero | dd of=out/history.sqlite conv=notrunc 2>/dev/null; exit 1";
    script(dir.path(), "bad", damage);
    let batch = ["batch", "--seeds", "0..50", "--jobs", "1", "--", "./bad"];
    let shown = run_in(dir.path(), &batch, "");
    assert_eq!(shown.status, 2, "{shown:?}");
    let told = "of 50 cases were judged; the run cannot be continued\nhint: the file is damaged";
    let cause = "tester: failed to write history";
    let stderr = &shown.stderr;
    assert!(
        stderr.starts_with(cause) && stderr.contains(told),
        "{shown:?}"
    );
    assert!(!shown.stderr.contains("--resume"), "{shown:?}");
}
