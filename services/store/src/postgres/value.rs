//! Conversion of values to and from PostgreSQL.

use std::borrow::Cow;
use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};

use crate::session::{Row, Value};

/// Error of a value that does not fit the type of a parameter, or of a column that no [`Value`] can hold. It names
/// types and never a value.
#[derive(Debug, thiserror::Error)]
#[error("{what} does not fit the type {type_name}")]
pub(super) struct TypeMismatch {
    what: &'static str,
    type_name: String,
}

impl TypeMismatch {
    /// Creates the error for a value, described by `what`, and the type that does not fit it.
    fn boxed(what: &'static str, type_: &Type) -> Box<dyn StdError + Sync + Send> {
        Box::new(Self { what, type_name: type_.name().to_owned() })
    }
}

/// Value of a statement parameter, encoded as the type that the parameter has.
#[derive(Debug)]
pub(super) struct Bound<'a>(&'a Value);

impl<'a> Bound<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self(value)
    }
}

/// Wraps the values of a statement.
pub(super) fn bound(values: &[Value]) -> impl ExactSizeIterator<Item = Bound<'_>> {
    values.iter().map(Bound)
}

impl ToSql for Bound<'_> {
    fn to_sql(&self, type_: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) => int(*number, type_, out),
            Value::Text(text) if <&str as ToSql>::accepts(type_) => storable(text).to_sql(type_, out),
            Value::Text(_) => Err(TypeMismatch::boxed("a text", type_)),
            Value::Blob(bytes) if *type_ == Type::BYTEA => bytes.to_sql(type_, out),
            Value::Blob(_) => Err(TypeMismatch::boxed("bytes", type_)),
        }
    }

    /// Accepts every type: whether a value fits depends on the value itself, which `to_sql` checks.
    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// Encodes a number as the type of a parameter; fails if the number or the type does not fit.
fn int(number: i64, type_: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
    let unfit = |_| TypeMismatch::boxed("a number of this size", type_);
    match *type_ {
        Type::INT8 => number.to_sql(type_, out),
        Type::INT4 => i32::try_from(number).map_err(unfit)?.to_sql(type_, out),
        Type::INT2 => i16::try_from(number).map_err(unfit)?.to_sql(type_, out),
        Type::BOOL => (number != 0).to_sql(type_, out),
        _ => Err(TypeMismatch::boxed("a number", type_)),
    }
}

/// Replaces U+0000, which PostgreSQL cannot store in texts, by U+FFFD, the usual replacement for characters that cannot
/// be shown.
fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Value of a column.
struct Column(Value);

impl<'a> FromSql<'a> for Column {
    fn from_sql(type_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        let value = match *type_ {
            Type::INT8 => Value::Int(i64::from_sql(type_, raw)?),
            Type::INT4 => Value::Int(i32::from_sql(type_, raw)?.into()),
            Type::INT2 => Value::Int(i16::from_sql(type_, raw)?.into()),
            Type::BOOL => Value::Int(bool::from_sql(type_, raw)?.into()),
            Type::BYTEA => Value::Blob(raw.to_owned()),
            _ if <&str as FromSql<'_>>::accepts(type_) => Value::Text(String::from_sql(type_, raw)?),
            // Sums of `BIGINT` are `NUMERIC`: statements must use `CAST(… AS BIGINT)`.
            _ => return Err(TypeMismatch::boxed("a value of the store", type_)),
        };
        Ok(Self(value))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Converts a row.
pub(super) fn row(row: &tokio_postgres::Row) -> Result<Row, tokio_postgres::Error> {
    columns(row, row.len())
}

/// Converts the first columns of a row.
pub(super) fn columns(row: &tokio_postgres::Row, columns: usize) -> Result<Row, tokio_postgres::Error> {
    (0..columns)
        .map(|column| row.try_get::<_, Column>(column).map(|column| column.0))
        .collect::<Result<_, _>>()
        .map(Row)
}
