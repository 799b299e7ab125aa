//! Texts that are stored.

use crate::{Error, Result};

/// A text as it is stored: one of the databases keeps no U+0000, so that neither does.
pub(crate) fn clean(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// The form of a name by which it is found, whatever the case of its letters.
pub(super) fn key(name: &str) -> String {
    clean(name.to_lowercase())
}

/// Refuses names that are empty, or longer than an index takes.
pub(super) fn name(what: &'static str, text: &str, limit: usize) -> Result<String> {
    if text.is_empty() {
        return Err(Error::Refused(format!("the name of a {what} must not be empty")));
    }
    if text.len() > limit {
        return Err(Error::Refused(format!("the name of a {what} must have at most {limit} bytes")));
    }
    Ok(clean(text.to_owned()))
}
