//! Batched inserts: a batch of messages has thousands of rows, and a statement per row costs the server several times
//! as much as the rows themselves.

use tokio_postgres::types::Type;

use super::value::Bound;
use crate::session::Value;

/// Minimum number of rows for a batched insert.
pub(super) const MIN_ROWS: usize = 8;

/// Maximum number of rows of a statement.
const MAX_ROWS: usize = 1_000;
/// Number of bytes of values after which no row is added to a statement.
const MAX_BYTES: usize = 1 << 20;

/// Returns the batched form, which takes a list of values for each column, of a plain insert of one row: `INSERT INTO
/// table (columns) VALUES ($1, $2, …)`. Returns `None` for other statements, including those with `ON CONFLICT`,
/// because rows of the same batch may conflict with each other.
pub(super) fn insert_statement(translated: &str, types: &[Type]) -> Option<String> {
    let (insert, values) = translated.split_once(" VALUES (")?;
    let expected = (1..=types.len()).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
    if !insert.starts_with("INSERT INTO ") || values.strip_suffix(')')? != expected {
        return None;
    }
    let lists: Option<Vec<String>> =
        types.iter().zip(1..).map(|(type_, number)| Some(format!("${number}::{}[]", name(type_)?))).collect();
    Some(format!("{insert} SELECT * FROM unnest({})", lists?.join(", ")))
}

/// Returns the SQL name of a type whose values can be sent as an array, or `None` for other types.
fn name(type_: &Type) -> Option<&'static str> {
    match *type_ {
        Type::INT8 => Some("int8"),
        Type::TEXT => Some("text"),
        Type::BYTEA => Some("bytea"),
        _ => None,
    }
}

/// Splits rows into chunks of bounded size.
pub(super) fn chunks(rows: &[Vec<Value>]) -> impl Iterator<Item = &[Vec<Value>]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |row: &&Vec<Value>| {
            let fits = bytes < MAX_BYTES;
            bytes += row.iter().map(size).sum::<usize>();
            fits
        };
        let count = rest.iter().take(MAX_ROWS).take_while(fits).count();
        let (chunk, after) = rest.split_at_checked(count)?;
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Returns the approximate number of bytes of a value.
fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        Value::Int(_) | Value::Null => 8,
    }
}

/// Transposes rows into the values of each column.
pub(super) fn columns(rows: &[Vec<Value>]) -> Vec<Vec<Bound<'_>>> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|column| rows.iter().filter_map(|row| row.get(column)).map(Bound::new).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_inserts_are_batched() {
        let types = [Type::INT8, Type::TEXT];
        assert_eq!(
            insert_statement("INSERT INTO t (a, b) VALUES ($1, $2)", &types).as_deref(),
            Some("INSERT INTO t (a, b) SELECT * FROM unnest($1::int8[], $2::text[])")
        );
        for other in [
            "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            "INSERT INTO t (a, b) VALUES ($1, $2) RETURNING a",
            "INSERT INTO t (a, b) VALUES ($2, $1)",
            "INSERT INTO t (a, b, c) VALUES ($1, $2, 1)",
            "DELETE FROM t WHERE a = $1 AND b = $2",
        ] {
            assert_eq!(insert_statement(other, &types), None, "{other}");
        }
        assert_eq!(insert_statement("INSERT INTO t (a) VALUES ($1)", &[Type::BOOL]), None);
    }

    #[test]
    fn chunks_contain_every_row_once_and_are_bounded() {
        let rows: Vec<Vec<Value>> = (0..2_500).map(|number| vec![Value::Int(number)]).collect();
        assert_eq!(chunks(&rows).map(<[_]>::len).collect::<Vec<_>>(), [1_000, 1_000, 500]);
        let rows = vec![vec![Value::Blob(vec![0; MAX_BYTES / 2])]; 5];
        assert_eq!(chunks(&rows).map(<[_]>::len).collect::<Vec<_>>(), [2, 2, 1]);
        let rows = vec![vec![Value::Blob(vec![0; 2 * MAX_BYTES])]; 2];
        assert_eq!(chunks(&rows).map(<[_]>::len).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(chunks(&[]).count(), 0);
    }
}
