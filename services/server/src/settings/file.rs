//! Settings file: YAML, with errors reported at their locations.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde::de::DeserializeOwned;
use serde_saphyr::{Location, Spanned};

use super::{FileSettings, ServeFlags, StoreFlags};

/// Reads a settings file.
pub fn read(path: &Path) -> anyhow::Result<(StoreFlags, ServeFlags)> {
    let text = fs_err::read_to_string(path).context("the settings file cannot be read")?;
    let file: FileSettings = yaml(&text, |at| match at.line() {
        0 => path.display().to_string(),
        line => format!("{}:{line}:{}", path.display(), at.column()),
    })?;
    Ok((StoreFlags::of_file(&file, path)?, ServeFlags::of_file(&file, path)?))
}

/// Parses YAML. Errors have a location, which `place` returns, but no excerpt of the text, which may hold a secret.
pub fn yaml<T: DeserializeOwned>(text: &str, place: impl Fn(Location) -> String) -> anyhow::Result<T> {
    serde_saphyr::from_str(text).map_err(|error| {
        let message = user_message(error.without_snippet());
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        // The location goes in front, as in compilers.
        let message = match message.split_once(": ") {
            Some((place, rest)) if place.starts_with("line ") => rest,
            _ => message,
        };
        let message = match message.rsplit_once(" at line ") {
            Some((rest, place)) if place.contains(", column ") => rest,
            _ => message,
        };
        let place = place(error.location().unwrap_or(Location::UNKNOWN));
        anyhow!("{place}: {message}{}", suggestion(message))
    })
}

/// Returns a message for users; the YAML parser describes some errors in terms of its Rust API.
fn user_message(error: &serde_saphyr::Error) -> String {
    match error {
        serde_saphyr::Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("duplicate key `{key}`")
        }
        serde_saphyr::Error::MultipleDocuments { .. } => {
            "a second document begins here: the file must contain a single document, without `---` lines".to_owned()
        }
        serde_saphyr::Error::Unexpected { expected, .. } if *expected == "string scalar" => {
            "expected a single value, not a list or keys with values".to_owned()
        }
        serde_saphyr::Error::Unexpected { expected, .. } if *expected == "mapping start" => {
            "expected keys with values, such as `key: value`".to_owned()
        }
        serde_saphyr::Error::Unexpected { expected, .. } if *expected == "sequence start" => {
            "expected a list, such as `[one, two]`".to_owned()
        }
        serde_saphyr::Error::NullIntoString { .. } => "the value is missing".to_owned(),
        other => other.to_string(),
    }
}

/// Parses the value of a setting if the file has it.
pub(super) fn value<T>(
    path: &Path,
    name: &str,
    found: Option<&Spanned<String>>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> anyhow::Result<Option<T>> {
    let Some(found) = found else { return Ok(None) };
    let (name, at) = (name.replace('_', "-"), found.defined);
    let read = parse(&found.value)
        .map_err(|error| anyhow!("{}:{}:{}: `{name}`: {error}", path.display(), at.line(), at.column()))?;
    Ok(Some(read))
}

/// Returns a hint with the most similar known key if a message says ``unknown field `a`, expected one of b, c``.
fn suggestion(message: &str) -> String {
    let parts = || {
        let (unknown, rest) = message.split_once("unknown field `")?.1.split_once('`')?;
        let known = rest.split_once("expected ")?.1.trim_start_matches("one of ");
        let similar = |name: &&str| (strsim::jaro_winkler(unknown, name) * 1000.0) as u32;
        let likely = known.split(", ").map(|name| name.trim_matches('`')).max_by_key(similar)?;
        (similar(&likely) > 800).then_some(likely)
    };
    parts().map(|likely| format!("; did you mean `{likely}`?")).unwrap_or_default()
}
