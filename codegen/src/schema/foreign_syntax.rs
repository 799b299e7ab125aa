//! Help for syntax of other languages: the keys, types and formats of JSON Schema, OpenAPI and programming languages,
//! with their equivalents in the schema language.

use super::kind::Shape;
use super::yaml::{Entry, Node};
use crate::diagnostics::nearest;

mod keys;
mod structure;
mod types;
pub mod values;

use keys::{find_hint, normalize_key};
pub use structure::{parameters_help, split_text_help};
pub use types::{split_map_help, type_help, type_list_help};

/// Returns the help for an unknown key, based on its value; `others` are the entries of the same mapping.
pub fn key_help(shape: &Shape, entry: &Entry, others: &[Entry]) -> Option<String> {
    let Some(habit) = find_hint(shape, &entry.key) else {
        // A misspelled key is more likely than a misplaced name.
        let is_slip = nearest(&entry.key, shape.keys.iter().map(|key| key.name)).is_some();
        return structure::misplaced_entry_help(shape.name, entry).filter(|_| !is_slip);
    };
    Some(
        values::key_value_help(shape.name, &normalize_key(&entry.key), entry, others)
            .unwrap_or_else(|| habit.help.to_owned()),
    )
}

/// Returns the entry for the other end of the same range in another language: `maxLength` for `minLength`.
pub fn opposite_bound<'e>(shape: &Shape, entry: &Entry, others: &'e [Entry]) -> Option<&'e Entry> {
    let key = normalize_key(&entry.key);
    let other = values::RANGE_KEYS.iter().find_map(|(low, high, _)| match key.as_str() {
        key if key == *low => Some(*high),
        key if key == *high => Some(*low),
        _ => None,
    })?;
    others
        .iter()
        .find(|other_entry| normalize_key(&other_entry.key) == other)
        .filter(|_| find_hint(shape, &entry.key).is_some())
}

/// Returns the help for a scalar or list where a construct with keys is expected.
pub fn value_help(shape: &Shape, node: &Node) -> Option<String> {
    match shape.name {
        "field" | "parameter" | "rest" => structure::member_help(node),
        "enum" => structure::enum_values_help(node),
        "pages" => Some(
            "write a mapping with the parameters and fields: `{ token: pageToken, next: nextPageToken, items: \
                items }`"
                .into(),
        ),
        "rule" => {
            Some("write a mapping: `{ id: items.named, cel: 'has(this.name)', message: the name is missing }`".into())
        }
        name => {
            let text = node.text().filter(|text| !node.is_null() && !text.is_empty())?;
            match name {
                "runtime" => Some(structure::runtime_help(text)),
                "errors" => Some(format!("write `errors: {{ body: {} }}`", text.escape_debug())),
                _ => None,
            }
        }
    }
}

/// Returns the key that a key of another language corresponds to.
pub fn intended_key(shape: &Shape, entry: &Entry) -> Option<&'static str> {
    match find_hint(shape, &entry.key) {
        Some(habit) => habit.replacement,
        // An operation nested in an operation.
        None => {
            structure::misplaced_entry_help(shape.name, entry).filter(|_| shape.name == "operation").map(|_| "http")
        }
    }
}

/// Returns the help for a keyword of another language; `kind` is the name of the expected Rust enum.
pub fn keyword_help(kind: &str, written: &str) -> Option<&'static str> {
    match kind {
        "Format" => format_help(written),
        "BodyMode" => body_mode_help(written),
        "ListStyle" => style_help(written),
        _ => None,
    }
}

/// Returns the help for a body mode of another language.
fn body_mode_help(written: &str) -> Option<&'static str> {
    Some(match normalize_key(written).as_str() {
        "patch" | "mergepatchjson" | "partial" => "write `merge_patch`",
        "jsonpatchjson" | "rfc6902" => "write `json_patch`",
        "replace" | "full" | "put" => "write `whole`",
        _ => return None,
    })
}

/// Returns the help for a parameter style of OpenAPI.
fn style_help(written: &str) -> Option<&'static str> {
    Some(match normalize_key(written).as_str() {
        "form" | "multi" => {
            "remove `style`: lists are repeated in the query by default; use `style: comma` for a \
            comma-separated list"
        }
        "simple" | "csv" => "write `comma`",
        "spacedelimited" | "ssv" => "write `space`",
        "pipedelimited" | "pipes" => "write `pipe`",
        "deepobject" => "write `deep`",
        _ => return None,
    })
}

/// Returns the help for a format of another language.
fn format_help(written: &str) -> Option<&'static str> {
    Some(match normalize_key(written).as_str() {
        "datetime" | "timestamp" => "use a type instead: `type: datetime`",
        "date" => "use a type instead: `type: date`",
        "duration" => "use a type instead: `type: duration`",
        "int32" => "use a type instead: `type: int32`",
        "int64" => "use a type instead: `type: int64`",
        "uint32" => "use a type instead: `type: uint32`",
        "uint64" => "use a type instead: `type: uint64`",
        "float" => "use a type instead: `type: float`",
        "double" => "use a type instead: `type: double`",
        "byte" | "binary" | "base64" => "use a type instead: `type: bytes`",
        "ipv4" | "ipv6" => "write `ip`",
        "url" | "iri" => "write `uri`",
        "currency" | "phone" => "use `pattern` instead",
        "regex" => "use `pattern` instead",
        "password" => "use `behavior: [input_only]` instead",
        _ => return None,
    })
}

/// Returns the help for a status that is a name instead of a number, or is an error among the responses or a success
/// among the errors.
pub fn status_help(written: &str, is_error: bool) -> Option<String> {
    let number = match normalize_key(written).as_str() {
        "badrequest" | "invalidargument" => 400,
        "unauthorized" | "unauthenticated" => 401,
        "forbidden" | "permissiondenied" => 403,
        "notfound" => 404,
        "conflict" | "alreadyexists" | "aborted" => 409,
        "gone" => 410,
        "preconditionfailed" | "failedprecondition" => 412,
        "toomanyrequests" | "resourceexhausted" => 429,
        "internal" | "internalservererror" => 500,
        "unavailable" => 503,
        class @ ("4xx" | "5xx") if is_error => {
            return Some(format!("write the class in upper case: `{}`", class.to_ascii_uppercase()));
        }
        "default" if is_error => return Some("write `default` in lower case".into()),
        text => match text.parse::<u16>() {
            Ok(status @ 400..=599) if !is_error => {
                return Some(format!(
                    "declare errors under `errors:`, with a description: `errors: {{ {status}: … }}`"
                ));
            }
            Ok(status @ 100..=399) if is_error => {
                return Some(format!("declare successes under `responses:`: `responses: {{ {status}: … }}`"));
            }
            _ => return None,
        },
    };
    is_error.then(|| format!("write `{number}`"))
}

#[cfg(test)]
mod tests {
    use super::keys::KEY_HINTS;
    use super::*;
    use crate::reference::{settings_shapes, shapes};

    fn all_shapes() -> Vec<&'static Shape> {
        shapes().into_iter().chain(settings_shapes()).collect()
    }

    /// No hint is for a key that the language has, and each replacement is such a key.
    #[test]
    fn hints_are_for_foreign_keys_only() {
        for habit in KEY_HINTS {
            for name in habit.shapes {
                let shapes = all_shapes();
                let shape = shapes.iter().find(|shape| shape.name == *name).expect("a construct of the language");
                let is_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
                assert!(habit.replacement.is_none_or(is_key), "{name}: {:?}", habit.replacement);
                assert!(!habit.keys.iter().any(|key| is_key(key)), "{name}: {:?}", habit.keys);
            }
        }
    }

    #[test]
    fn finds_hints_in_any_case_style() {
        let shapes = shapes();
        let shape = |name: &str| *shapes.iter().find(|shape| shape.name == name).expect("a construct");
        let key = |name: &str, written: &str| find_hint(shape(name), written).map(|habit| habit.help);
        assert!(key("field", "max_length").is_some_and(|help| Some(help) == key("field", "maxLength")));
        assert!(key("parameter", "in").is_some() && key("field", "in").is_none());
        assert!(key("operation", "summary").is_some() && key("pages", "summary").is_none());
        assert_eq!(key("field", "pinned"), None);
    }

    #[test]
    fn status_is_not_a_type() {
        assert!(type_help("204").is_some_and(|help| help.contains("returns 204")));
        assert_eq!(type_help("2040"), None);
    }
}
