//! Minimal interface of a database: statements with values, inside a transaction.
//!
//! The statements of `domain` are written for both databases: values are `?1`, `?2`, … (the PostgreSQL session turns
//! `?1` into `$1`), numbers have 64 bits, and the differences are in [`Dialect`].

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};

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

impl Value {
    /// Returns the memory in bytes, including that of the value itself.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Null | Self::Int(_) => 0,
                Self::Text(text) => text.len(),
                Self::Blob(bytes) => bytes.len(),
            }
    }
}

/// Row of a result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Returns whether a column has no value.
    #[must_use]
    pub fn is_null(&self, column: usize) -> bool {
        matches!(self.0.get(column), Some(Value::Null))
    }

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
    /// Statement that keeps other transactions from writing to tables, before and after their names; `None` if a write
    /// transaction locks the whole database.
    pub lock_tables: Option<(&'static str, &'static str)>,
}

/// Columns with large values, and the memory that the rows of a statement may have.
#[derive(Debug, Clone, Copy)]
pub struct HeavyColumns {
    /// The first one; all after it are heavy too.
    pub column: usize,
    /// Maximum number of bytes of all rows, apart from the last complete one.
    pub max_bytes: usize,
}

/// Memory of the rows that were read so far. Rows of pipelined runs share it.
#[derive(Debug)]
pub(crate) struct RowMemory {
    heavy: HeavyColumns,
    used: AtomicUsize,
}

impl RowMemory {
    pub(crate) const fn new(heavy: HeavyColumns) -> Self {
        Self { heavy, used: AtomicUsize::new(0) }
    }

    /// Returns the number of columns of the next row that are read; the others are `NULL`.
    pub(crate) fn readable_columns(&self, columns: usize) -> usize {
        let is_full = self.used.load(Ordering::Relaxed) >= self.heavy.max_bytes.max(1);
        if is_full { columns.min(self.heavy.column) } else { columns }
    }

    /// Counts a row, and appends the columns that were not read.
    pub(crate) fn complete(&self, mut row: Row, columns: usize) -> Row {
        let bytes = row.0.iter().map(Value::memory).sum();
        self.used.fetch_add(bytes, Ordering::Relaxed);
        row.0.resize(columns, Value::Null);
        row
    }
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

    /// Like [`rows_of_each`](Self::rows_of_each), but reads the columns from `heavy.column` on only until the rows have
    /// `heavy.max_bytes` of memory; in further rows these columns are `NULL`. The first row has all of its values.
    fn rows_within(
        &mut self,
        sql: &str,
        each: &[Vec<Value>],
        heavy: HeavyColumns,
    ) -> impl Future<Output = Result<Vec<Vec<Row>>>> + Send;

    /// Runs a statement once for each list of values, as [`rows_of_each`](Self::rows_of_each), and returns the total
    /// number of rows changed.
    fn run_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<u64>> + Send;
}
