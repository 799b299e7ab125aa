//! Values of a seed file at their places.

use anyhow::anyhow;
use serde_saphyr::Spanned;

/// Reads a value at its place; a mistake is told with it.
pub(super) fn read<T>(at: &Spanned<String>, parse: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<T> {
    parse(&at.value).map_err(|error| wrong(at, &error))
}

pub(super) fn optional<T>(
    at: Option<&Spanned<String>>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> anyhow::Result<Option<T>> {
    at.map(|at| read(at, parse)).transpose()
}

pub(super) fn wrong(at: &Spanned<String>, error: &str) -> anyhow::Error {
    anyhow!("line {}, column {}: `{}`: {error}", at.defined.line(), at.defined.column(), at.value)
}

pub(super) fn place(at: &Spanned<String>) -> String {
    format!("line {}, column {}", at.defined.line(), at.defined.column())
}
