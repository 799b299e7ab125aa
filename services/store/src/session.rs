//! What a database has to be able to do, which is little: statements with values, inside a transaction.
//!
//! The statements of `domain` are written for both databases: values are `?1`, `?2`, … (a session for PostgreSQL
//! writes `$1` for `?1`), numbers are 64 bits, and what differs is asked of [`Dialect`].

use std::future::Future;

use crate::{Error, Result};

/// A value in a statement or in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// None.
    Null,
    /// A number; truth is 0 and 1.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A row of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// The number in a column.
    ///
    /// # Errors
    /// That the column is not there or holds something else: the statement and the code around it do not agree.
    pub fn int(&self, column: usize) -> Result<i64> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(*number),
            other => Err(mismatch(column, "a number", other)),
        }
    }

    /// The number in a column that may hold none.
    ///
    /// # Errors
    /// As [`int`](Self::int).
    pub fn optional_int(&self, column: usize) -> Result<Option<i64>> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// The text in a column, which is taken out of the row.
    ///
    /// # Errors
    /// As [`int`](Self::int).
    pub fn text(&mut self, column: usize) -> Result<String> {
        match self.0.get_mut(column) {
            Some(Value::Text(text)) => Ok(std::mem::take(text)),
            other => Err(mismatch(column, "a text", other.as_deref())),
        }
    }

    /// The text in a column that may hold none.
    ///
    /// # Errors
    /// As [`int`](Self::int).
    pub fn optional_text(&mut self, column: usize) -> Result<Option<String>> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    /// The bytes in a column, which are taken out of the row.
    ///
    /// # Errors
    /// As [`int`](Self::int).
    pub fn blob(&mut self, column: usize) -> Result<Vec<u8>> {
        match self.0.get_mut(column) {
            Some(Value::Blob(bytes)) => Ok(std::mem::take(bytes)),
            other => Err(mismatch(column, "bytes", other.as_deref())),
        }
    }
}

/// Tells the kind of what was found and never the value: it may be somebody's mail.
fn mismatch(column: usize, expected: &str, found: Option<&Value>) -> Error {
    let found = match found {
        None => "no such column",
        Some(Value::Null) => "null",
        Some(Value::Int(_)) => "a number",
        Some(Value::Text(_)) => "a text",
        Some(Value::Blob(_)) => "bytes",
    };
    Error::Fault(format!("column {column} of an answer should hold {expected}, found {found}"))
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

/// What two databases spell differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// What at the end of a `SELECT` keeps others from changing its rows until the transaction ends.
    pub for_update: &'static str,
    /// What does so and leaves out the rows that another transaction keeps.
    pub skip_locked: &'static str,
}

/// A transaction on one of the databases.
pub trait Session: Send {
    /// What this database spells in its own way.
    const DIALECT: Dialect;

    /// Runs a statement; answers how many rows it has changed.
    fn run(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<u64>> + Send;

    /// Runs a statement; answers its rows.
    fn rows(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<Vec<Row>>> + Send;

    /// Runs a statement once for each list of values, in their order, without waiting in between where the database
    /// is far away; answers the rows of each.
    fn rows_of_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<Vec<Vec<Row>>>> + Send;

    /// Runs a statement once for each list of values, as [`rows_of_each`](Self::rows_of_each); answers how many rows
    /// were changed in all.
    fn run_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<u64>> + Send;
}
