//! Source files of the programs of runs: each content is kept once, however many runs have it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rusqlite::{Connection, Row, params};
use sha2::{Digest as _, Sha256};

use super::error::Result;
use super::history::History;
use super::run::RunId;
use crate::process::program::language::is_script;
use crate::run::program_source::SourceFile;

/// A source file of a run, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceKey {
    /// As in [`SourceFile`].
    pub path: PathBuf,
    /// The SHA-256 of its content.
    sha256: Vec<u8>,
}

impl SourceKey {
    /// Whether an interpreter runs it as it is, by its name.
    pub(crate) fn is_script(&self) -> bool {
        is_script(&self.path)
    }

    /// Whether two runs have the same source. The only file of each may have another name.
    pub(crate) fn are_same(first: &[Self], second: &[Self]) -> bool {
        match (first, second) {
            ([first], [second]) => first.sha256 == second.sha256,
            _ => first == second,
        }
    }
}

impl History {
    /// Keeps the source files of a run's program.
    ///
    /// # Errors
    /// If they cannot be written. Then none is kept.
    pub fn keep_source(&mut self, run: RunId, files: &[SourceFile]) -> Result<()> {
        self.write_and(|db, _| {
            for file in files {
                let hash = Sha256::digest(&file.content);
                let path = file.path.as_os_str().as_bytes();
                db.execute(
                    "INSERT OR IGNORE INTO source VALUES (?, ?)",
                    params![&hash[..], file.content],
                )?;
                db.execute(
                    "INSERT INTO run_source VALUES (?, ?, ?)",
                    params![run.0, path, &hash[..]],
                )?;
            }
            Ok(())
        })
    }

    /// Keeps with a run the source files of the newest other run of the same program, to the byte, if one has some.
    /// Returns whether one has.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_source_of_same_program(&mut self, run: RunId) -> Result<bool> {
        let sql = "INSERT INTO run_source SELECT ?1, path, sha256 FROM run_source WHERE run = (
            SELECT max(other.id) FROM run AS other JOIN run AS own ON own.id = ?1
            WHERE other.id <> ?1 AND other.provenance ->> 'fingerprint' = own.provenance ->> 'fingerprint'
                AND EXISTS (SELECT 1 FROM run_source WHERE run_source.run = other.id))";
        self.write_and(|db, _| Ok(db.execute(sql, [run.0])? > 0))
    }

    /// The source files of a run's program, by path; none if they were not known when it began.
    ///
    /// # Errors
    /// If the history cannot be read.
    pub fn source_of(&self, run: RunId) -> Result<Vec<SourceFile>> {
        let sql = "SELECT path, content FROM run_source JOIN source USING (sha256) WHERE run = ? ORDER BY path";
        let files = self.source_rows(run, sql)?.into_iter();
        let files = files.map(|(path, content)| SourceFile { path, content });
        Ok(files.collect())
    }

    /// The same without contents.
    ///
    /// # Errors
    /// As [`History::source_of`].
    pub fn source_keys(&self, run: RunId) -> Result<Vec<SourceKey>> {
        let sql = "SELECT path, sha256 FROM run_source WHERE run = ? ORDER BY path";
        let files = self.source_rows(run, sql)?.into_iter();
        let files = files.map(|(path, sha256)| SourceKey { path, sha256 });
        Ok(files.collect())
    }

    fn source_rows(&self, run: RunId, sql: &str) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        self.read(|db| {
            let mut rows = db.prepare(sql)?;
            let rows = rows.query_map([run.0], path_and_bytes)?;
            rows.collect()
        })
    }
}

fn path_and_bytes(row: &Row<'_>) -> rusqlite::Result<(PathBuf, Vec<u8>)> {
    let path: Vec<u8> = row.get(0)?;
    Ok((PathBuf::from(OsStr::from_bytes(&path)), row.get(1)?))
}

/// Removes the contents that no run has.
pub(super) fn remove_unused(db: &Connection) -> rusqlite::Result<()> {
    let sql = "DELETE FROM source WHERE sha256 NOT IN (SELECT sha256 FROM run_source)";
    db.execute(sql, []).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::State;
    use crate::store::tests::new_run;

    fn file(path: &str, content: &str) -> SourceFile {
        SourceFile {
            path: path.into(),
            content: content.as_bytes().to_owned(),
        }
    }

    fn contents(history: &History) -> i64 {
        let sql = "SELECT count(*) FROM source";
        history.db.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn runs_share_files_with_one_content() {
        let dir = tempfile::tempdir().unwrap();
        let mut history = History::open(&dir.path().join("h.sqlite")).unwrap();
        let [first, second, third] = [(); 3].map(|()| history.begin(&new_run(None)).unwrap());
        let main = file("src/main.rs", "fn main() {}");
        let others = [file("src/\u{3042}.rs", "1"), file("src/b.rs", "2")];
        let both = [others[1].clone(), main.clone(), others[0].clone()];
        history.keep_source(first, &both).unwrap();
        history
            .keep_source(second, std::slice::from_ref(&main))
            .unwrap();
        assert_eq!(contents(&history), 3);
        // In the order of the bytes of their paths.
        let found = history.source_of(first).unwrap();
        assert_eq!(found, [others[1].clone(), main.clone(), others[0].clone()]);
        assert_eq!(history.source_of(second).unwrap(), [main]);
        assert_eq!(history.source_of(third).unwrap(), []);
        // All of these runs are of one program.
        assert!(history.keep_source_of_same_program(third).unwrap());
        assert_eq!(
            history.source_of(third).unwrap(),
            history.source_of(second).unwrap()
        );
        let mut other = new_run(None);
        other.provenance.fingerprint.push('0');
        let other = history.begin(&other).unwrap();
        assert!(!history.keep_source_of_same_program(other).unwrap());
        history
            .end(first, State::Done, std::time::Duration::ZERO)
            .unwrap();
        let run = history.find(&first.to_string()).unwrap();
        history.delete(&[run], &mut || ()).unwrap();
        assert_eq!(contents(&history), 1);
        assert_eq!(history.source_of(second).unwrap().len(), 1);
    }
}
