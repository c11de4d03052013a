//! The sixth format: one column of JSON holds the settings of a run, its [`RunSpec`], not a column for each setting.
//!
//! `provenance` is JSON too. `folder` holds the run's own outputs. It is NULL for runs of older formats (later runs
//! wrote over their outputs), for runs judged on other machines, and for runs whose outputs have expired.
//! `ended_ns` is the end of the run, by the clock of the file system with its folder, in nanoseconds since 1970.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

use rusqlite::{Connection, Row, params};

use super::column::Columns;
use super::run::{place, to_json};
use crate::judge::verdict::Limits;
use crate::process::Command;
use crate::run::provenance::Provenance;
use crate::run::spec::RunSpec;

const OLD_COLUMNS: [&str; 17] = [
    "command",
    "words",
    "fingerprint",
    "git_commit",
    "git_dirty",
    "source",
    "time_limit_us",
    "memory_limit_kib",
    "turn_limit",
    "process_limit",
    "out",
    "jobs",
    "transcripts",
    "machine",
    "tester",
    "sandbox",
    "external",
];

pub(super) fn apply(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(
        "ALTER TABLE run ADD COLUMN spec TEXT NOT NULL DEFAULT '{}';
         ALTER TABLE run ADD COLUMN provenance TEXT NOT NULL DEFAULT '{}';
         ALTER TABLE run ADD COLUMN folder BLOB;
         ALTER TABLE run ADD COLUMN ended_ns INTEGER;",
    )?;
    let columns = OLD_COLUMNS.join(", ");
    let mut runs = db.prepare(&format!("SELECT id, {columns} FROM run"))?;
    let mut rows = runs.query([])?;
    while let Some(row) = rows.next()? {
        let (spec, provenance) = (to_json(&spec(row)?)?, to_json(&provenance(row)?)?);
        let id: i64 = row.get("id")?;
        db.execute(
            "UPDATE run SET spec = ?, provenance = ? WHERE id = ?",
            params![spec, provenance, id],
        )?;
    }
    drop(rows);
    drop(runs);
    for column in OLD_COLUMNS {
        db.execute_batch(&format!("ALTER TABLE run DROP COLUMN {column}"))?;
    }
    Ok(())
}

fn spec(row: &Row<'_>) -> rusqlite::Result<RunSpec> {
    let place = || place(row);
    let columns = Columns::new(row, &place);
    let at = |name| row.as_ref().column_index(name);
    let bytes = |name| {
        let bytes = columns.optional_bytes(at(name)?)?;
        Ok::<_, rusqlite::Error>(bytes.unwrap_or_default())
    };
    let external = at("external")?;
    let command = unpack(&bytes("words")?);
    let source = columns.json(at("source")?, "where cases come from")?;
    Ok(RunSpec {
        external: match columns.optional_text(external)? {
            Some(_) => columns.json(external, "the settings of an external judge")?,
            None => None,
        },
        limits: Limits {
            time: Duration::from_micros(columns.size(at("time_limit_us")?)?),
            memory_kib: columns.bits(at("memory_limit_kib")?)?,
            turns: columns.bits(at("turn_limit")?)?,
            processes: columns.bits(at("process_limit")?)?,
            ..Limits::default()
        },
        jobs: NonZeroUsize::new(columns.count(at("jobs")?)? as usize).unwrap_or(NonZeroUsize::MIN),
        transcripts: columns.integer(at("transcripts")?)? != 0,
        sandbox: columns.optional_text(at("sandbox")?)?,
        out: OsString::from_vec(bytes("out")?).into(),
        ..RunSpec::new(command, source)
    })
}

fn provenance(row: &Row<'_>) -> rusqlite::Result<Provenance> {
    let place = || place(row);
    let columns = Columns::new(row, &place);
    let at = |name| row.as_ref().column_index(name);
    let text = |name| columns.text(at(name)?).map(str::to_owned);
    Ok(Provenance {
        fingerprint: text("fingerprint")?,
        git_commit: columns.optional_text(at("git_commit")?)?,
        git_dirty: columns
            .optional_integer(at("git_dirty")?)?
            .map(|dirty| dirty != 0),
        machine: text("machine")?,
        tester: text("tester")?,
        own_rules: None,
        command_given: false,
    })
}

/// Words of a command as one value: no word can hold a zero byte.
fn unpack(words: &[u8]) -> Command {
    let mut words = words
        .split(|&byte| byte == 0)
        .map(|word| OsString::from_vec(word.to_vec()));
    Command {
        program: words.next().unwrap_or_default(),
        args: words.collect(),
    }
}
