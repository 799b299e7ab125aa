//! SQLite transaction. All futures are ready at once.

use std::future::{Future, ready};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

use crate::session::{Dialect, HeavyColumns, Row, RowMemory, Session, Value};
use crate::sqlite::error::error;
use crate::{Error, Result};

/// Statements on a connection, inside a transaction that the caller begins and ends.
pub(super) struct SqliteSession<'c>(pub(super) &'c mut Connection);

impl SqliteSession<'_> {
    /// Prepares a statement, or takes it from the connection's cache.
    fn statement(&self, sql: &str) -> Result<CachedStatement<'_>> {
        self.0.prepare_cached(sql).map_err(error)
    }

    fn run_now(&self, sql: &str, each: &[Vec<Value>]) -> Result<u64> {
        let mut statement = self.statement(sql)?;
        let mut changed = 0;
        for values in each {
            changed += execute(&mut statement, values)?;
        }
        Ok(changed)
    }

    fn rows_now(&self, sql: &str, each: &[Vec<Value>]) -> Result<Vec<Vec<Row>>> {
        let mut statement = self.statement(sql)?;
        each.iter().map(|values| query(&mut statement, values, read_row)).collect()
    }

    fn rows_within_now(&self, sql: &str, each: &[Vec<Value>], heavy: HeavyColumns) -> Result<Vec<Vec<Row>>> {
        let mut statement = self.statement(sql)?;
        let memory = RowMemory::new(heavy);
        let read = |row: &rusqlite::Row<'_>, columns| {
            Ok(memory.complete(read_row(row, memory.readable_columns(columns))?, columns))
        };
        each.iter().map(|values| query(&mut statement, values, read)).collect()
    }
}

impl Session for SqliteSession<'_> {
    /// A write transaction locks the whole database.
    const DIALECT: Dialect = Dialect { for_update: "", skip_locked: "", lock_tables: None };

    fn run(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<u64>> + Send {
        ready(self.statement(sql).and_then(|mut statement| execute(&mut statement, values)))
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> impl Future<Output = Result<Vec<Row>>> + Send {
        ready(self.statement(sql).and_then(|mut statement| query(&mut statement, values, read_row)))
    }

    fn rows_of_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<Vec<Vec<Row>>>> + Send {
        ready(if each.is_empty() { Ok(Vec::new()) } else { self.rows_now(sql, each) })
    }

    fn rows_within(
        &mut self,
        sql: &str,
        each: &[Vec<Value>],
        heavy: HeavyColumns,
    ) -> impl Future<Output = Result<Vec<Vec<Row>>>> + Send {
        ready(if each.is_empty() { Ok(Vec::new()) } else { self.rows_within_now(sql, each, heavy) })
    }

    fn run_each(&mut self, sql: &str, each: &[Vec<Value>]) -> impl Future<Output = Result<u64>> + Send {
        ready(if each.is_empty() { Ok(0) } else { self.run_now(sql, each) })
    }
}

/// Runs a statement without results; returns the number of changed rows.
fn execute(statement: &mut CachedStatement<'_>, values: &[Value]) -> Result<u64> {
    statement.execute(params_from_iter(values.iter().map(Bound))).map(|rows| rows as u64).map_err(error)
}

/// Runs a query and returns its rows, which `read` reads up to a number of columns.
fn query(
    statement: &mut CachedStatement<'_>,
    values: &[Value],
    read: impl Fn(&rusqlite::Row<'_>, usize) -> Result<Row>,
) -> Result<Vec<Row>> {
    let columns = statement.column_count();
    let mut rows = statement.query(params_from_iter(values.iter().map(Bound))).map_err(error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(error)? {
        found.push(read(row, columns)?);
    }
    Ok(found)
}

/// Reads the first columns of a row. The database does not load the others.
fn read_row(row: &rusqlite::Row<'_>, columns: usize) -> Result<Row> {
    let value = |column| value_from_column(row.get_ref(column).map_err(error)?);
    (0..columns).map(value).collect::<Result<_>>().map(Row)
}

/// Value of a statement parameter, borrowed.
struct Bound<'v>(&'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn value_from_column(stored: ValueRef<'_>) -> Result<Value> {
    Ok(match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => {
            let text = std::str::from_utf8(text)
                .map_err(|_| Error::Internal("a stored text is not valid UTF-8".to_owned()))?;
            Value::Text(text.to_owned())
        }
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        ValueRef::Real(_) => return Err(Error::Internal("a stored number is not an integer".to_owned())),
    })
}
