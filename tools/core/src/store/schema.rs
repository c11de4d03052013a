//! The tables of the database, and how an older database becomes a newer one.
//!
//! Since format 6, four columns of the table of records are unused (`txt`, `log`, `err`, `transcript`). To drop them,
//! SQLite would rewrite every record: 9 s for a million records on a busy machine with two cores.
//!
//! 64-bit numbers without a sign (case numbers, seeds, digests, scores, turns) are stored as the
//! signed number with the same bits.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// "tstr": tells our files from other SQLite databases.
const APPLICATION: i32 = 0x7473_7472;

/// Each entry takes a database one version up; the version is the number of applied entries. A released entry
/// never changes.
pub(super) const STEPS: [Step; 8] = [
    Step::Sql(
        "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        begun_ms INTEGER NOT NULL,
        took_ms INTEGER NOT NULL DEFAULT 0,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        owner TEXT NOT NULL,
        tag TEXT,
        comment TEXT,
        command TEXT NOT NULL,
        words BLOB NOT NULL,
        fingerprint TEXT NOT NULL,
        git_commit TEXT,
        git_dirty INTEGER,
        problem TEXT NOT NULL,
        source TEXT NOT NULL,
        time_limit_us INTEGER NOT NULL,
        memory_limit_kib INTEGER NOT NULL,
        turn_limit INTEGER NOT NULL,
        process_limit INTEGER NOT NULL,
        out BLOB NOT NULL,
        jobs INTEGER NOT NULL,
        transcripts INTEGER NOT NULL,
        machine TEXT NOT NULL,
        tester TEXT NOT NULL,
        planned INTEGER NOT NULL,
        -- Kept in step with the records, in the same transaction.
        judged INTEGER NOT NULL DEFAULT 0,
        accepted INTEGER NOT NULL DEFAULT 0,
        score_sum REAL NOT NULL DEFAULT 0,
        score_squares REAL NOT NULL DEFAULT 0,
        case_set INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX run_tag ON run (tag) WHERE tag IS NOT NULL;
    CREATE TABLE opening (
        id INTEGER PRIMARY KEY,
        text TEXT NOT NULL UNIQUE
    );
    CREATE TABLE record (
        run INTEGER NOT NULL REFERENCES run,
        case_id INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        seed INTEGER,
        opening INTEGER NOT NULL REFERENCES opening,
        verdict TEXT NOT NULL,
        score INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        wall_us INTEGER NOT NULL,
        cpu_us INTEGER NOT NULL,
        memory_kib INTEGER NOT NULL,
        reason TEXT,
        last_words TEXT,
        PRIMARY KEY (run, case_id)
    ) WITHOUT ROWID;
    CREATE TABLE best (
        case_id INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        score INTEGER NOT NULL,
        run INTEGER NOT NULL REFERENCES run,
        PRIMARY KEY (case_id, digest)
    ) WITHOUT ROWID;
",
    ),
    Step::Sql(
        "
    -- What kept the contestants in their place; NULL if nothing but the usual did.
    ALTER TABLE run ADD COLUMN sandbox TEXT;
",
    ),
    Step::Sql(
        "
    -- Another judge than ours, as JSON; NULL for ours. Whether less is better (min), or more (max).
    ALTER TABLE run ADD COLUMN external TEXT;
    ALTER TABLE run ADD COLUMN objective TEXT NOT NULL DEFAULT 'min';
    -- The same file may be a case of several problems, and be judged for more or for less.
    CREATE TABLE best_of (
        case_id INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        opening INTEGER NOT NULL REFERENCES opening,
        objective TEXT NOT NULL,
        score INTEGER NOT NULL,
        run INTEGER NOT NULL REFERENCES run,
        PRIMARY KEY (case_id, digest, opening, objective)
    ) WITHOUT ROWID;
    INSERT INTO best_of SELECT best.case_id, best.digest, record.opening, 'min', best.score, best.run
        FROM best JOIN record ON record.run = best.run AND record.case_id = best.case_id;
    DROP TABLE best;
",
    ),
    Step::Sql(
        "
    -- What each case has left in its run's folder; NULL where a file is empty or was not written.
    ALTER TABLE record ADD COLUMN txt INTEGER;
    ALTER TABLE record ADD COLUMN log INTEGER;
    ALTER TABLE record ADD COLUMN err INTEGER;
    ALTER TABLE record ADD COLUMN transcript INTEGER;
",
    ),
    Step::Sql(
        "
    -- The machines that have judged a run which was merged from shards; a run of one machine has none here.
    CREATE TABLE host (
        run INTEGER NOT NULL REFERENCES run,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        machine TEXT NOT NULL,
        cpus INTEGER NOT NULL,
        calibration_us INTEGER NOT NULL,
        time_limit_us INTEGER NOT NULL,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    -- The number of the one that has judged the case; NULL in a run of one machine.
    ALTER TABLE record ADD COLUMN host INTEGER;
",
    ),
    Step::Code(super::format6::apply),
    Step::Sql(
        "
    -- What the case is like: numbers with spaces between, in the order of the names in the run's `spec`. NULL where
    -- nothing is known.
    ALTER TABLE record ADD COLUMN parameters TEXT;
",
    ),
    Step::Sql(
        "
    -- Source files of programs, as they were when their runs began. Runs share files that have one content.
    CREATE TABLE source (
        sha256 BLOB PRIMARY KEY,
        content BLOB NOT NULL
    );
    CREATE TABLE run_source (
        run INTEGER NOT NULL REFERENCES run,
        path BLOB NOT NULL,
        sha256 BLOB NOT NULL REFERENCES source,
        PRIMARY KEY (run, path)
    ) WITHOUT ROWID;
",
    ),
];

/// How a database becomes one version newer.
pub(super) enum Step {
    Sql(&'static str),
    Code(fn(&Connection) -> rusqlite::Result<()>),
}

impl Step {
    pub(super) fn apply(&self, db: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Sql(sql) => db.execute_batch(sql),
            Self::Code(apply) => apply(db),
        }
    }
}

/// The version that this program writes.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// What a file is.
pub(super) enum Found {
    /// A history, now of our version.
    Ready,
    /// A history of an earlier version than ours, or nothing yet (version 0).
    Older(usize),
    /// A history of a later version than ours.
    Newer(i64),
    /// A database of another program.
    Foreign,
    /// A history with a view, a trigger or the like: its statement.
    Unsafe(String),
}

/// Checks what `db` is and brings it to our version; an empty file becomes a history if `make` is set, and stays of
/// version 0 otherwise.
pub(super) fn prepare(db: &mut Connection, make: bool) -> rusqlite::Result<Found> {
    // One transaction: another process may be creating the history at this moment.
    let moment = db.transaction()?;
    let found = look(&moment)?;
    drop(moment);
    match found {
        Found::Older(version) if version > 0 || make => {}
        found => return Ok(found),
    }
    let step = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = match look(&step)? {
        Found::Older(version) => version,
        found => return Ok(found),
    };
    for newer in &STEPS[version..] {
        newer.apply(&step)?;
    }
    step.pragma_update(None, "application_id", APPLICATION)?;
    step.pragma_update(None, "user_version", VERSION)?;
    step.commit()?;
    Ok(Found::Ready)
}

fn look(db: &Connection) -> rusqlite::Result<Found> {
    let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let ours = number("application_id")? == i64::from(APPLICATION);
    let version = number("user_version")?;
    if ours && let Some(statement) = unsafe_statement(db)? {
        return Ok(Found::Unsafe(statement));
    }
    Ok(match usize::try_from(version) {
        _ if !ours && tables > 0 => Found::Foreign,
        _ if version > VERSION => Found::Newer(version),
        Ok(older) if older < STEPS.len() => Found::Older(older),
        _ => Found::Ready,
    })
}

/// The first statement of the schema that no tester makes, if there is one. What a view selects may have no end, and a
/// trigger starts such a thing when a record is written.
fn unsafe_statement(db: &Connection) -> rusqlite::Result<Option<String>> {
    // An index that SQLite makes by itself has no statement.
    const UNKNOWN: &str = "SELECT sql FROM sqlite_schema WHERE NOT (sql LIKE 'CREATE TABLE %'
        OR sql LIKE 'CREATE INDEX %' OR sql LIKE 'CREATE UNIQUE INDEX %') LIMIT 1";
    db.query_row(UNKNOWN, [], |row| row.get(0)).optional()
}
