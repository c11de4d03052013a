//! Histories of all older formats are read, and brought forward.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use tempfile::tempdir;

use super::history::escaped;
use super::tests::{judged, new_run, records};
use super::*;
use crate::case::{CaseId, Parameters, Source};
use crate::judge::external::Stream;
use crate::judge::record::JudgedCase;
use crate::problem::Objective;
use crate::stats::hosts::Timing;

/// Records of a tester that wrote format 5: see the file.
const FORMAT_5: &str = include_str!("../../../tests/expected/history-format-5.sql");
const APPLICATION: i32 = 0x7473_7472;

/// The history in `FORMAT_5` as a tester would have it that knew `format` and nothing later.
fn of_format(path: &Path, format: usize) {
    of_format_by_5(path, format.min(5));
    let db = Connection::open(path).unwrap();
    for step in &schema::STEPS[format.min(5)..format] {
        step.apply(&db).unwrap();
    }
    db.pragma_update(None, "user_version", format as i64)
        .unwrap();
}

/// The same of a format that `FORMAT_5` has all of.
fn of_format_by_5(path: &Path, format: usize) {
    let db = Connection::open(path).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF; ATTACH ':memory:' AS new")
        .unwrap();
    let new = Connection::open_in_memory().unwrap();
    new.execute_batch(&format!("PRAGMA foreign_keys = OFF; {FORMAT_5}"))
        .unwrap();
    for step in &schema::STEPS[..format] {
        step.apply(&db).unwrap();
    }
    for table in ["run", "opening", "record", "best_of", "host"] {
        copy_rows(&new, &db, table);
    }
    if format < 3 {
        let mut rows = new
            .prepare("SELECT case_id, digest, score, run FROM best_of")
            .unwrap();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values = [0, 1, 2, 3].map(|column| row.get::<_, i64>(column).unwrap());
            db.execute("INSERT OR IGNORE INTO best VALUES (?, ?, ?, ?)", values)
                .unwrap();
        }
    }
    db.pragma_update(None, "application_id", APPLICATION)
        .unwrap();
}

fn columns(db: &Connection, table: &str) -> Vec<String> {
    let mut names = db.prepare("SELECT name FROM pragma_table_info(?)").unwrap();
    let names = names.query_map([table], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}

/// Copies what of the rows of a table the older one has a column for.
fn copy_rows(new: &Connection, old: &Connection, table: &str) {
    let theirs = columns(new, table);
    let mut shared = columns(old, table);
    shared.retain(|name| theirs.contains(name));
    if shared.is_empty() {
        return;
    }
    let names = shared.join(", ");
    let mut rows = new
        .prepare(&format!("SELECT {names} FROM {table}"))
        .unwrap();
    let mut rows = rows.query([]).unwrap();
    let places = vec!["?"; shared.len()].join(", ");
    let insert = format!("INSERT INTO {table} ({names}) VALUES ({places})");
    while let Some(row) = rows.next().unwrap() {
        let values =
            (0..shared.len()).map(|column| row.get_unwrap::<_, rusqlite::types::Value>(column));
        old.execute(&insert, rusqlite::params_from_iter(values))
            .unwrap();
    }
}

/// What every format has kept alike.
fn check(history: &History, format: usize) {
    let runs = history.runs(None, 99).unwrap();
    let ids: Vec<i64> = runs.iter().map(|run| run.id.0).collect();
    assert_eq!(ids, [8, 7, 6, 5, 4, 3, 2, 1], "format {format}");
    let run = |id: i64| &runs[8 - id as usize];
    assert_eq!(run(1).about.tag.as_deref(), Some("first"));
    assert_eq!(run(1).about.comment.as_deref(), Some("with a, comma"));
    let command = &run(1).about.spec.command;
    assert_eq!(command.program, "./c");
    assert_eq!(command.args[1].as_encoded_bytes(), b"\xff");
    assert_eq!((run(1).accepted, run(1).mean()), (4, Some(5.75)));
    let limited = &run(2).about.spec;
    let limits = limited.limits;
    assert_eq!(
        (
            limits.time.as_millis(),
            limits.memory_kib,
            limits.turns,
            limits.processes
        ),
        (3500, 100 << 10, 7, 9)
    );
    assert!(limited.transcripts && limited.jobs.get() == 1);
    assert!(matches!(&run(3).about.spec.source, Source::External { name, .. } if name == "copies"));
    assert!(matches!(
        &run(4).about.spec.source,
        Source::AllSecrets { .. }
    ));
    assert!(run(4).about.spec.out.ends_with("boxed") && run(4).is_whole());
    assert!(run(5).about.kind == Kind::Duel && run(6).about.kind == Kind::Duel);
    assert_eq!(
        (run(8).state, run(8).judged, run(8).about.planned),
        (State::Unfinished, 1, 4)
    );
    assert!(
        runs.iter()
            .all(|run| run.folder.is_none() && run.ended_ns.is_none())
    );
    assert_eq!(run(1).about.provenance.machine, "vm, AMD EPYC, 2 cores");
    let counts: Vec<usize> = runs
        .iter()
        .map(|run| records(history, run.id).len())
        .collect();
    assert_eq!(counts, [1, 4, 3, 3, 5, 2, 4, 4]);
    let all = runs.iter().flat_map(|run| records(history, run.id));
    assert!(
        all.into_iter()
            .all(|judged| judged.record.parameters.is_empty())
    );
    let first: &JudgedCase = &records(history, RunId(2))[0];
    let said = first.record.last_stderr_line.as_deref();
    assert_eq!(
        (said, first.record.reason.is_some()),
        (Some("\"oops\""), true)
    );
    assert_eq!(history.best_scores(RunId(4)).unwrap()[&CaseId(4)], 5.into());
    // What later formats have added.
    let sandbox = run(4).about.spec.sandbox.as_deref();
    assert_eq!(sandbox, (format >= 2).then_some("Landlock 7"));
    let external = run(3).about.spec.external.as_ref();
    let external = external.map(|e| (e.objective, e.zero_counts, e.stream, e.files.is_some()));
    let expected = (Objective::Max, true, Stream::Stdout, true);
    assert_eq!(external, (format >= 3).then_some(expected));
    assert_eq!(run(7).merged, format >= 5);
    let mut hosts: Vec<Timing> = Vec::new();
    history
        .each_timing(RunId(7), |timing| hosts.push(timing))
        .unwrap();
    assert_eq!(hosts.len(), if format >= 5 { 4 } else { 0 });
}

#[test]
fn histories_of_all_formats_are_brought_forward_and_gone_on_with() {
    for format in 1..schema::STEPS.len() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("h.sqlite");
        of_format(&path, format);
        check(&History::open_existing(&path).unwrap(), format);
        let mut history = History::open(&path).unwrap();
        check(&history, format);
        let run = history.begin(&new_run(None)).unwrap();
        let mut new = judged(0, Some(5));
        new.record.parameters = Parameters::new([Some(15.0), Some(0.02)]);
        history.add(run, std::slice::from_ref(&new)).unwrap();
        assert_eq!(run, RunId(9));
        assert_eq!(records(&history, run), [new]);
        // The unfinished one goes on.
        assert_eq!(history.resume(RunId(8)).unwrap().unwrap().len(), 1);
    }
}

#[test]
fn an_older_history_that_may_not_be_written_is_read_as_a_copy() {
    for format in 1..schema::STEPS.len() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("h.sqlite");
        of_format(&path, format);
        let before = std::fs::read(&path).unwrap();
        // As where neither file nor folder may be written, which root could write all the same.
        let uri = format!("file:{}?immutable=1", escaped(&path));
        let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        assert!(History::connect(&path, &uri, read).is_err());
        check(&History::open_read_only(&path).unwrap(), format);
        assert_eq!(std::fs::read(&path).unwrap(), before, "it was changed");
    }
}

#[test]
fn a_history_that_cannot_be_brought_forward_stays_as_it_is() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("h.sqlite");
    of_format(&path, 5);
    let db = Connection::open(&path).unwrap();
    db.execute("UPDATE run SET source = 'odd' WHERE id = 4", [])
        .unwrap();
    drop(db);
    let before = std::fs::read(&path).unwrap();
    assert!(History::open(&path).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), before, "it was changed");
}

#[test]
fn what_could_go_on_without_end_is_refused() {
    let dir = tempdir().unwrap();
    let refused = |statements: &str| {
        let path = dir.path().join("h.sqlite");
        drop(History::open(&path).unwrap());
        Connection::open(&path)
            .unwrap()
            .execute_batch(statements)
            .unwrap();
        let opened = [History::open(&path), History::open_existing(&path)];
        let refused = opened.map(|opened| opened.err().map(|error| error.to_string()));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(refused[0], refused[1]);
        refused[0]
            .as_ref()
            .map(|text| text.replace(path.to_str().unwrap(), "FILE"))
    };
    const ENDLESS: &str =
        "WITH RECURSIVE n(id, text) AS (SELECT 1, '' UNION ALL SELECT id + 1, '' FROM n)
        SELECT id, text FROM n";
    let view = format!("DROP TABLE opening; CREATE VIEW opening AS {ENDLESS};");
    insta::assert_snapshot!(refused(&view).unwrap(), @r#"history FILE may only have tables and indexes, found "CREATE VIEW opening AS WITH RECURSIVE n(id, text) AS (SELECT…" (133 bytes)"#);
    let trigger =
        format!("CREATE TRIGGER late AFTER INSERT ON run BEGIN INSERT INTO opening {ENDLESS}; END");
    insta::assert_snapshot!(refused(&trigger).unwrap(), @r#"history FILE may only have tables and indexes, found "CREATE TRIGGER late AFTER INSERT ON run BEGIN INSERT INTO op…" (181 bytes)"#);
    // Tables and indexes of your own do no harm.
    let own = "CREATE TABLE mine (run, note); CREATE UNIQUE INDEX one ON mine (run); ANALYZE";
    assert_eq!(refused(own), None);
}
