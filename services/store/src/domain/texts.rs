//! Normal forms of stored texts.

use crate::{Error, Result};

/// Replaces U+0000 in a text, which PostgreSQL cannot store, in both databases.
pub(crate) fn replace_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// Returns the form of a name for lookups without regard to case.
pub(super) fn lookup_key(name: &str) -> String {
    replace_nul(name.to_lowercase())
}

/// Refuses names and identifiers that are empty or too long for an index. `what` says which, such as `name of a label`.
pub(super) fn check_name(what: &'static str, text: &str, limit: usize) -> Result<String> {
    if text.is_empty() {
        return Err(Error::Refused(format!("the {what} must not be empty")));
    }
    if text.len() > limit {
        return Err(Error::Refused(format!("the {what} can have at most {limit} bytes")));
    }
    Ok(replace_nul(text.to_owned()))
}
