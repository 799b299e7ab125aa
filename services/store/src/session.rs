//! Minimal interface of a database: statements with values, inside a transaction.
//!
//! The statements of `domain` are written for both databases: values are `?1`, `?2`, … (the PostgreSQL session turns
//! `?1` into `$1`), numbers have 64 bits, and the differences are in [`Dialect`].

use std::future::Future;

use crate::{Error, Result};

/// Value in a statement or in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// A number; booleans are 0 and 1.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// Row of a result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Returns the number in a column.
    ///
    /// # Errors
    /// Returns an error if the column does not exist or has another type: the statement and the code around it do not
    /// agree.
    pub fn int(&self, column: usize) -> Result<i64> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(*number),
            other => Err(mismatch(column, "a number", other)),
        }
    }

    /// Returns the number in a nullable column.
    ///
    /// # Errors
    /// Same as [`int`](Self::int).
    pub fn optional_int(&self, column: usize) -> Result<Option<i64>> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// Takes the text in a column out of the row.
    ///
    /// # Errors
    /// Same as [`int`](Self::int).
    pub fn text(&mut self, column: usize) -> Result<String> {
        match self.0.get_mut(column) {
            Some(Value::Text(text)) => Ok(std::mem::take(text)),
            other => Err(mismatch(column, "a text", other.as_deref())),
        }
    }

    /// Takes the text in a nullable column out of the row.
    ///
    /// # Errors
    /// Same as [`int`](Self::int).
    pub fn optional_text(&mut self, column: usize) -> Result<Option<String>> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    /// Takes the bytes in a column out of the row.
    ///
    /// # Errors
    /// Same as [`int`](Self::int).
    pub fn blob(&mut self, column: usize) -> Result<Vec<u8>> {
        match self.0.get_mut(column) {
            Some(Value::Blob(bytes)) => Ok(std::mem::take(bytes)),
            other => Err(mismatch(column, "bytes", other.as_deref())),
        }
    }
}

/// Creates the error of a column of another type. It names the type of the value and never the value, which may be the
/// mail of a user.
fn mismatch(column: usize, expected: &str, found: Option<&Value>) -> Error {
    let found = match found {
        None => "no such column",
        Some(Value::Null) => "null",
        Some(Value::Int(_)) => "a number",
        Some(Value::Text(_)) => "a text",
        Some(Value::Blob(_)) => "bytes",
    };
    Error::Internal(format!("expected {expected} in column {column} of a row, found {found}"))
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Blob(bytes)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// SQL that differs between the two databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Clause at the end of a `SELECT` that locks its rows until the transaction ends.
    pub for_update: &'static str,
    /// The same, skipping rows that another transaction has locked.
    pub skip_locked: &'static str,
}

/// A transaction on one of the databases.
pub trait Session: Send {
    /// Dialect of this database.
    const DIALECT: Dialect;

    /// Runs a statement and returns the number of rows changed.
    fn run(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<u64>> + Send;

    /// Runs a statement and returns its rows.
    fn rows(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<Vec<Row>>> + Send;

    /// Runs a statement once for each list of values, in order, and returns the rows of each run. The runs are
    /// pipelined where the database is remote.
    fn rows_of_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<Vec<Vec<Row>>>> + Send;

    /// Runs a statement once for each list of values, as [`rows_of_each`](Self::rows_of_each), and returns the total
    /// number of rows changed.
    fn run_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<u64>> + Send;
}
