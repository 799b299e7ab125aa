//! What other languages call things: the keys, types and formats of JSON Schema, OpenAPI and programming languages, each
//! with what is written here instead.

use super::kind::Shape;
use super::yaml::{Entry, Node};
use crate::diagnostics::nearest;

mod keys;
mod shorthand;
mod types;
pub mod written;

use keys::{find, plain};
pub use shorthand::{parameters, torn_text};
pub use types::{torn_map, type_help, types_help};

/// What to write in place of a key of another language, with what stands there; `others` are the keys beside it.
pub fn key(shape: &Shape, entry: &Entry, others: &[Entry]) -> Option<String> {
    let Some(habit) = find(shape, &entry.key) else {
        // A slip of the pen in a key is likelier than a name of the author's in the wrong place.
        let is_slip = nearest(&entry.key, shape.keys.iter().map(|key| key.name)).is_some();
        return shorthand::misplaced(shape.name, entry).filter(|_| !is_slip);
    };
    Some(written::help(shape.name, &plain(&entry.key), entry, others).unwrap_or_else(|| habit.help.to_owned()))
}

/// The key of another language that says the other end of the same range: `maxLength` for `minLength`.
pub fn other_end<'e>(shape: &Shape, entry: &Entry, others: &'e [Entry]) -> Option<&'e Entry> {
    let key = plain(&entry.key);
    let other = written::ENDS.iter().find_map(|(low, high, _)| match key.as_str() {
        key if key == *low => Some(*high),
        key if key == *high => Some(*low),
        _ => None,
    })?;
    others.iter().find(|other_entry| plain(&other_entry.key) == other).filter(|_| find(shape, &entry.key).is_some())
}

/// What to write in place of a value or a list where a construct with keys is expected.
pub fn value(shape: &Shape, node: &Node) -> Option<String> {
    match shape.name {
        "field" | "parameter" | "rest" => shorthand::member(node),
        "enum" => shorthand::values(node),
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
                "runtime" => Some(shorthand::runtime(text)),
                "errors" => Some(format!("write `errors: {{ body: {} }}`", text.escape_debug())),
                _ => None,
            }
        }
    }
}

/// The key that one of another language stands for.
pub fn meant(shape: &Shape, entry: &Entry) -> Option<&'static str> {
    match find(shape, &entry.key) {
        Some(habit) => habit.means,
        // What stands there is an operation itself.
        None => shorthand::misplaced(shape.name, entry).filter(|_| shape.name == "operation").map(|_| "http"),
    }
}

/// What to write in place of a word of another language, where one of a kind is expected.
pub fn word(kind: &str, written: &str) -> Option<&'static str> {
    match kind {
        "Format" => format(written),
        "BodyMode" => mode(written),
        "ListStyle" => style(written),
        _ => None,
    }
}

/// What to write in place of a way in which a body is meant.
fn mode(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
        "patch" | "mergepatchjson" | "partial" => "write `merge_patch`",
        "jsonpatchjson" | "rfc6902" => "write `json_patch`",
        "replace" | "full" | "put" => "write `whole`",
        _ => return None,
    })
}

/// What to write in place of a style of OpenAPI.
fn style(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
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

/// What to write in place of a format of another language.
fn format(written: &str) -> Option<&'static str> {
    Some(match plain(written).as_str() {
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

/// What to write in place of a status, where the error or the answer has a name, or is of the other kind.
pub fn status(written: &str, is_error: bool) -> Option<String> {
    let number = match plain(written).as_str() {
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
    use super::keys::HABITS;
    use super::*;
    use crate::reference::{settings_shapes, shapes};

    fn all() -> Vec<&'static Shape> {
        shapes().into_iter().chain(settings_shapes()).collect()
    }

    /// What the language has itself is no habit of another one.
    #[test]
    fn habits_are_no_keys_and_stand_for_one() {
        for habit in HABITS {
            for name in habit.shapes {
                let shapes = all();
                let shape = shapes.iter().find(|shape| shape.name == *name).expect("a construct of the language");
                let is_key = |name: &str| shape.keys.iter().any(|key| key.name == name);
                assert!(habit.means.is_none_or(is_key), "{name}: {:?}", habit.means);
                assert!(!habit.keys.iter().any(|key| is_key(key)), "{name}: {:?}", habit.keys);
            }
        }
    }

    #[test]
    fn the_same_words_in_another_spelling_are_the_same_habit() {
        let shapes = shapes();
        let shape = |name: &str| *shapes.iter().find(|shape| shape.name == name).expect("a construct");
        let key = |name: &str, written: &str| find(shape(name), written).map(|habit| habit.help);
        assert!(key("field", "max_length").is_some_and(|help| Some(help) == key("field", "maxLength")));
        assert!(key("parameter", "in").is_some() && key("field", "in").is_none());
        assert!(key("operation", "summary").is_some() && key("pages", "summary").is_none());
        assert_eq!(key("field", "pinned"), None);
    }

    #[test]
    fn a_status_is_no_type() {
        assert!(type_help("204").is_some_and(|help| help.contains("returns 204")));
        assert_eq!(type_help("2040"), None);
    }
}
