//! Values of a seed file with their locations.

use anyhow::anyhow;
use serde_saphyr::Spanned;

/// Parses a value. Errors have its location.
pub(super) fn read<T>(at: &Spanned<String>, parse: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<T> {
    parse(&at.value).map_err(|error| error_at(at, &error))
}

/// Parses a value if there is one. Errors have its location.
pub(super) fn optional<T>(
    at: Option<&Spanned<String>>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> anyhow::Result<Option<T>> {
    at.map(|at| read(at, parse)).transpose()
}

pub(super) fn error_at(at: &Spanned<String>, error: &str) -> anyhow::Error {
    anyhow!("line {}, column {}: `{}`: {error}", at.defined.line(), at.defined.column(), at.value)
}

/// Formats the location of a value for messages.
pub(super) fn location(at: &Spanned<String>) -> String {
    format!("line {}, column {}", at.defined.line(), at.defined.column())
}
