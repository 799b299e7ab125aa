//! Reference of the language, generated from the tables of the parser and the diagnostics: the pages of the schema
//! language, of conditions and of diagnostics, and a JSON Schema for editors.

mod conditions_page;
mod diagnostics_page;
mod json_schema;
mod language_page;

pub use conditions_page::conditions_page;
pub use diagnostics_page::diagnostics_page;
pub use json_schema::json_schema;
pub use language_page::language_page;

use crate::schema::File;
use crate::schema::read::{HasShape as _, Kind, Shape};
use crate::settings::SettingsFile;

/// Returns every construct of the language once, from the file down.
#[must_use]
pub fn shapes() -> Vec<&'static Shape> {
    reachable_shapes(&File::SHAPE)
}

/// Returns every construct of the settings file.
pub(crate) fn settings_shapes() -> Vec<&'static Shape> {
    reachable_shapes(&SettingsFile::SHAPE)
}

fn reachable_shapes(top: &'static Shape) -> Vec<&'static Shape> {
    let mut found = vec![top];
    let mut next = 0;
    while let Some(shape) = found.get(next).copied() {
        next += 1;
        for key in shape.keys {
            collect(&(key.kind)(), &mut found);
        }
    }
    found
}

/// Adds the constructs that a kind of value directly contains, each once.
fn collect(kind: &Kind, found: &mut Vec<&'static Shape>) {
    match kind {
        Kind::Shape(shape) if found.iter().all(|known| known.name != shape.name) => found.push(shape),
        Kind::List(inner) | Kind::Map(_, inner) => collect(inner, found),
        Kind::OneOf(kinds) => kinds.iter().for_each(|kind| collect(kind, found)),
        _ => {}
    }
}

/// Returns a text without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Sink, Source};
    use crate::schema::yaml;

    #[test]
    fn every_example_is_read_as_its_key_says() {
        for shape in shapes().into_iter().chain(settings_shapes()) {
            for key in shape.keys {
                let mut sink = Sink::new();
                let node = yaml::parse(0, key.example, &mut sink).expect("an example is YAML");
                let accepted = (key.rewrite)(&node, &mut sink).is_some() && !sink.has_errors();
                let source = [Source::new("example", key.example)];
                let diagnostics: Vec<String> =
                    sink.into_sorted().iter().map(|one| one.render(&source, false)).collect();
                assert!(accepted, "{} · {}: {}", shape.name, key.name, diagnostics.join("\n"));
            }
        }
    }

    /// Formats a node without spans, and with the short form of an example's long one.
    fn plain(node: &yaml::Node) -> String {
        match &node.value {
            yaml::Value::Scalar(text, _) => format!("{text:?}"),
            yaml::Value::List(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
            yaml::Value::Map(entries) => {
                let mut all: Vec<String> =
                    entries.iter().map(|entry| format!("{:?}: {}", entry.key, plain(&entry.value))).collect();
                all.sort();
                format!("{{{}}}", all.join(", "))
            }
        }
    }

    #[test]
    fn every_example_is_written_as_it_was_read() {
        // Constructs without further keys are written in their short form.
        let shorter = [
            ("operation", "scopes", r#"["calendar", "calendar.readonly"]"#),
            ("operation", "security", r#"["login", ["key", {"token": ["calendar"]}]]"#),
        ];
        for shape in shapes().into_iter().chain(settings_shapes()) {
            for key in shape.keys {
                let mut sink = Sink::new();
                let node = yaml::parse(0, key.example, &mut sink).expect("an example is YAML");
                let written = (key.rewrite)(&node, &mut sink).expect("an example is read");
                let known = shorter.iter().find(|(name, own, _)| (*name, *own) == (shape.name, key.name));
                let expected = known.map_or_else(|| plain(&node), |(_, _, text)| (*text).to_owned());
                assert_eq!(plain(&written), expected, "{} · {}", shape.name, key.name);
            }
        }
    }

    #[test]
    fn every_construct_and_key_is_described() {
        for shape in shapes() {
            assert!(!shape.doc.trim().is_empty(), "{}", shape.name);
            for key in shape.keys {
                assert!(!key.doc.trim().is_empty() && !key.example.is_empty(), "{} · {}", shape.name, key.name);
            }
        }
    }
}
