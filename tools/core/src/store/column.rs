//! Values of a row of the database, each checked where it is read.
//!
//! SQLite keeps what a program, an editor or a broken disk has put into a column. A value that no tester writes is
//! [`Damage`], and is never used as a number of something.

use rusqlite::Row;
use rusqlite::types::{Type, ValueRef};
use serde::de::DeserializeOwned;

use crate::util::quote::quote;

/// No run has more cases than this, and sums of such numbers do not overflow.
pub(super) const MAX_COUNT: i64 = 1 << 53;

/// A value that no tester writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}, column {column}: expected {expected}, found {found}")]
pub struct Damage {
    /// The row: `run 3`.
    place: String,
    column: String,
    expected: String,
    found: String,
}

impl Damage {
    /// The damage that a database error is about.
    pub(super) fn from_database(error: &rusqlite::Error) -> Option<Self> {
        match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, error) => error.downcast_ref().cloned(),
            rusqlite::Error::InvalidColumnType(_, column, found) => Some(Self {
                place: "a row".to_owned(),
                column: column.clone(),
                expected: "a value of another type".to_owned(),
                found: found.to_string().to_lowercase(),
            }),
            _ => None,
        }
    }
}

impl From<Damage> for rusqlite::Error {
    fn from(damage: Damage) -> Self {
        Self::FromSqlConversionFailure(0, Type::Null, Box::new(damage))
    }
}

/// A row whose columns are read by their numbers in the query.
pub(super) struct Columns<'a> {
    row: &'a Row<'a>,
    /// What messages call the row.
    place: &'a dyn Fn() -> String,
}

impl<'a> Columns<'a> {
    pub(super) fn new(row: &'a Row<'a>, place: &'a dyn Fn() -> String) -> Self {
        Self { row, place }
    }

    /// An error about a column.
    pub(super) fn damage(
        &self,
        column: usize,
        expected: &str,
        found: impl ToString,
    ) -> rusqlite::Error {
        let name = self.row.as_ref().column_name(column);
        let damage = Damage {
            place: (self.place)(),
            column: name.unwrap_or("?").to_owned(),
            expected: expected.to_owned(),
            found: found.to_string(),
        };
        damage.into()
    }

    fn wrong(&self, column: usize, expected: &str, found: ValueRef<'_>) -> rusqlite::Error {
        let found = match found {
            ValueRef::Null => "nothing (NULL)".to_owned(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => format!("{number:?}"),
            ValueRef::Text(text) => quote(text),
            ValueRef::Blob(bytes) => format!("a blob of {} bytes", bytes.len()),
        };
        self.damage(column, expected, found)
    }

    /// Any integer.
    pub(super) fn integer(&self, column: usize) -> rusqlite::Result<i64> {
        match self.row.get_ref(column)? {
            ValueRef::Integer(number) => Ok(number),
            found => Err(self.wrong(column, "an integer", found)),
        }
    }

    /// Any integer, or nothing.
    pub(super) fn optional_integer(&self, column: usize) -> rusqlite::Result<Option<i64>> {
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(number) => Ok(Some(number)),
            found => Err(self.wrong(column, "an integer or nothing", found)),
        }
    }

    /// A number without a sign, of which the column has the bits.
    pub(super) fn bits(&self, column: usize) -> rusqlite::Result<u64> {
        self.integer(column).map(|number| number as u64)
    }

    /// A size or a time: 0 or more.
    pub(super) fn size(&self, column: usize) -> rusqlite::Result<u64> {
        self.at_most(column, i64::MAX)
    }

    /// A number of cases or of hosts.
    pub(super) fn count(&self, column: usize) -> rusqlite::Result<u64> {
        self.at_most(column, MAX_COUNT)
    }

    fn at_most(&self, column: usize, most: i64) -> rusqlite::Result<u64> {
        match self.row.get_ref(column)? {
            ValueRef::Integer(number) if (0..=most).contains(&number) => Ok(number as u64),
            found => Err(self.wrong(column, &format!("an integer from 0 to {most}"), found)),
        }
    }

    /// Microseconds, as milliseconds.
    pub(super) fn us_as_ms(&self, column: usize) -> rusqlite::Result<f64> {
        self.size(column).map(|us| us as f64 / 1e3)
    }

    /// A sum: a finite number.
    pub(super) fn finite(&self, column: usize) -> rusqlite::Result<f64> {
        match self.row.get_ref(column)? {
            ValueRef::Real(number) if number.is_finite() => Ok(number),
            // SQLite may keep a whole number as an integer.
            ValueRef::Integer(number) => Ok(number as f64),
            found => Err(self.wrong(column, "a finite number", found)),
        }
    }

    /// A text in UTF-8.
    pub(super) fn text(&self, column: usize) -> rusqlite::Result<&'a str> {
        let found = self.row.get_ref(column)?;
        match found {
            ValueRef::Text(text) => str::from_utf8(text),
            _ => return Err(self.wrong(column, "a text", found)),
        }
        .map_err(|_| self.wrong(column, "a text in UTF-8", found))
    }

    /// A text in UTF-8, or nothing.
    pub(super) fn optional_text(&self, column: usize) -> rusqlite::Result<Option<String>> {
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            _ => self.text(column).map(|text| Some(text.to_owned())),
        }
    }

    /// A text that is read as a value of a type.
    pub(super) fn parsed<T>(
        &self,
        column: usize,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> rusqlite::Result<T> {
        let text = self.text(column)?;
        parse(text).ok_or_else(|| self.wrong(column, expected, ValueRef::Text(text.as_bytes())))
    }

    /// The same, or nothing.
    pub(super) fn optional_parsed<T>(
        &self,
        column: usize,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> rusqlite::Result<Option<T>> {
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            _ => self.parsed(column, expected, parse).map(Some),
        }
    }

    /// A value as JSON.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        column: usize,
        expected: &str,
    ) -> rusqlite::Result<T> {
        let text = self.text(column)?;
        serde_json::from_str(text).map_err(|error| {
            let found = format!("{}: {error}", quote(text.as_bytes()));
            self.damage(column, expected, found)
        })
    }

    /// Bytes, or nothing.
    pub(super) fn optional_bytes(&self, column: usize) -> rusqlite::Result<Option<Vec<u8>>> {
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            ValueRef::Blob(bytes) => Ok(Some(bytes.to_vec())),
            found => Err(self.wrong(column, "bytes or nothing", found)),
        }
    }
}
