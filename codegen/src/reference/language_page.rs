//! Reference page of the schema language.

use std::fmt::Write as _;

use super::{one_line, settings_shapes, shapes};
use crate::resolve::BUILTINS;
use crate::schema::read::{Kind, Shape};

/// Start of the page, before the reference of the constructs.
const HEAD: &str = "# The schema language\n\n\
<!-- Written by `cargo xtask reference` from the table of keys that the reader uses; do not edit. -->\n\n\
An API is a folder of YAML files that define resources, enums, unions and operations; one of the files has the key `api`. This page lists every key with a description and an example, which a test parses. Unknown keys, duplicate keys, anchors, aliases, tags and merge keys are errors, reported with their location. A scalar is parsed according to the type of its key, so no scalar becomes a boolean or a number by accident.\n\n\
An editor with a YAML language server completes and checks a schema that starts with this line:\n\n\
```yaml\n# yaml-language-server: $schema=../wireform.schema.json\n```\n\n";

/// Returns the reference page of the schema language in Markdown.
#[must_use]
pub fn language_page() -> String {
    let mut page = String::from(HEAD);
    write_types(&mut page);
    for shape in shapes().into_iter().chain(settings_shapes()) {
        write_construct(&mut page, shape);
    }
    page
}

/// Built-in types with their Rust types, unqualified and as the page shows them.
const RUST_TYPES: &[(&str, &str, &str)] = &[
    ("string", "String", "`String`"),
    ("bool", "bool", "`bool`"),
    ("int32", "i32", "`i32`"),
    ("int64", "i64", "`i64`, or `runtime::Decimal<i64>` with `encoding: decimal_string`"),
    ("uint32", "u32", "`u32`"),
    ("uint64", "u64", "`u64`, or `runtime::Decimal<u64>` with `encoding: decimal_string`"),
    ("float", "f32", "`f32`"),
    ("double", "f64", "`f64`"),
    ("number", "Number", "`runtime::Number`"),
    ("decimal", "BigDecimal", "`runtime::BigDecimal`"),
    ("bytes", "Bytes", "`runtime::Bytes`"),
    ("file", "FilePart", "`runtime::FilePart`"),
    ("date", "Date", "`runtime::Date`"),
    ("datetime", "DateTime", "`runtime::DateTime`"),
    ("time", "Time", "`runtime::Time`"),
    ("http_date", "HttpDate", "`runtime::HttpDate`"),
    ("unix_time", "UnixTime", "`runtime::UnixTime`, or `runtime::UnixMillis` with `encoding: milliseconds`"),
    ("duration", "Duration", "`runtime::Duration`"),
    ("iso_duration", "IsoDuration", "`runtime::IsoDuration`"),
    ("any", "Value", "`runtime::Value`"),
    ("object", "Map", "`runtime::Map`"),
];

fn write_types(page: &mut String) {
    page.push_str("## Types\n\n| type | description | in Rust |\n|---|---|---|\n");
    for (name, doc) in BUILTINS {
        let rust = RUST_TYPES.iter().find(|(builtin, ..)| builtin == name).map_or("", |(_, _, shown)| shown);
        let _ = writeln!(page, "| `{name}` | {doc} | {rust} |");
    }
    page.push_str(
        "| `Event` | A resource, enum or union of the API. | `Event`, a struct or an enum |\n\
         | `[T]` | A list. Constraints on strings and numbers apply to each element. | `Vec<T>` |\n\
         | `{string: T}` | A map with string keys. | `BTreeMap<String, T>` |\n\
         | `[T?]`, `{string: T?}` | A list or a map with nullable elements. | `Vec<Option<T>>`, `BTreeMap<String, Option<T>>` |\n\
         | `T?` | The body of a request or a success that is null or a value, in JSON. | `Option<T>` |\n\n\
         A field is an `Option` of its type, such as `Option<String>`. A list or a map is not wrapped, and is empty when it is absent. A field with `nullable: true` is a `runtime::Nullable`. `runtime` is a module of each generated crate.\n\n\
         A `doc` is CommonMark with tables, of any number of paragraphs. HTML in it is literal text, and code blocks in it are never run as documentation tests.\n\n\
         A range is a number (`26`), `5..=1024`, `5..` or `..=1024`; both bounds are inclusive.\n\n",
    );
}

fn write_construct(page: &mut String, shape: &Shape) {
    let _ = writeln!(page, "## {}\n\n{}\n", capitalize(shape.name), one_line(shape.doc));
    page.push_str("| key | value | description | example |\n|---|---|---|---|\n");
    for key in shape.keys {
        let required = if (key.required)() { " (required)" } else { "" };
        let kind = escape_cell(&describe(&(key.kind)()));
        let _ = writeln!(
            page,
            "| `{}`{required} | {kind} | {} | `{}` |",
            key.name,
            escape_cell(&one_line(key.doc)),
            escape_cell(key.example)
        );
    }
    page.push('\n');
    for key in shape.keys {
        write_keywords(page, key.name, &(key.kind)());
    }
}

/// Writes the values of a key with their descriptions.
fn write_keywords(page: &mut String, key: &str, kind: &Kind) {
    match kind {
        Kind::Words(list) => {
            let _ = writeln!(page, "`{key}` is one of:\n");
            for (word, doc) in *list {
                let _ = writeln!(page, "- `{word}`: {}", one_line(doc));
            }
            page.push('\n');
        }
        Kind::List(inner) => write_keywords(page, key, inner),
        Kind::OneOf(kinds) => kinds.iter().for_each(|kind| write_keywords(page, key, kind)),
        _ => {}
    }
}

/// Returns the kind of a value as Markdown, with links to types and constructs.
fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".into(),
        Kind::Bool => "`true` or `false`".into(),
        Kind::Int => "integer".into(),
        Kind::Any => "any value".into(),
        Kind::Type => "[type](#types)".into(),
        Kind::Range => "[range](#types)".into(),
        Kind::Words(_) => "keyword".into(),
        Kind::Shape(shape) => format!("[{}](#{})", shape.name, shape.name.replace(' ', "-").to_lowercase()),
        Kind::List(inner) => format!("list of {}", describe(inner)),
        Kind::Map(name, inner) => format!("map from {name} to {}", describe(inner)),
        Kind::OneOf(kinds) => kinds.iter().map(describe).collect::<Vec<_>>().join(", or "),
    }
}

/// Escapes a text for a table cell.
fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Returns a name with its first letter in upper case.
fn capitalize(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Source, generate};

    /// The table must match the generated code.
    #[test]
    fn the_types_in_rust_are_those_that_are_generated() {
        let names: Vec<&str> = BUILTINS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, RUST_TYPES.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
        let json = names.iter().filter(|name| **name != "file");
        let fields: String = json.map(|name| format!("      a_{name}: {{ type: {name}, doc: One. }}\n")).collect();
        let schema = format!(
            "api: all\nresources:\n  All:\n    doc: All.\n    external: true\n    fields:\n{fields}      nothing: {{ type: string, nullable: true, doc: One. }}\n"
        );
        let files = generate(&[Source::new("api.yaml", schema)], &Options::default()).files.expect("no errors");
        let text = &files["all-types/src/api.rs"];
        for (name, rust, shown) in RUST_TYPES.iter().filter(|(name, ..)| *name != "file") {
            let runtime =
                if rust.starts_with(char::is_uppercase) && *rust != "String" { "::wireform_runtime::" } else { "" };
            let member = format!("pub a_{name}: Option<{runtime}{rust}>,");
            assert!(text.contains(&member), "{member} is not in\n{text}");
            assert!(shown.contains(rust), "{shown}");
        }
        assert!(text.contains("pub nothing: ::wireform_runtime::Nullable<String>,"), "{text}");
    }
}
