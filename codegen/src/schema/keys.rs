//! Reads the keys of a construct according to its table.

use super::foreign_syntax;
use super::read::{Read, Shape, report_wrong_kind};
use super::yaml::{Entry, Node, Value};
use crate::diagnostics::{Code, Sink, Span, already_there, nearest_key};

/// Reader for the mapping of a construct.
pub struct Keys<'n> {
    node: &'n Node,
    shape: &'static Shape,
}

impl<'n> Keys<'n> {
    /// Creates a reader and reports the unknown keys. Returns `None` after reporting that the node is not a mapping.
    pub fn open(node: &'n Node, shape: &'static Shape, sink: &mut Sink) -> Option<Self> {
        let Value::Map(entries) = &node.value else {
            let report =
                report_wrong_kind(node, &format!("a mapping with the keys of {}", with_article(shape.name)), sink);
            report.help.extend(foreign_syntax::value_help(shape, node));
            return None;
        };
        for (index, entry) in entries.iter().enumerate() {
            if !shape.keys.iter().any(|key| key.name == entry.key) {
                report_unknown(shape, entries, index, sink);
            }
        }
        Some(Self { node, shape })
    }

    /// Reads the value of a key. Reports a missing required key, unless an unknown key was probably meant as this one.
    pub fn get<T: Read>(&self, name: &'static str, sink: &mut Sink) -> Option<T> {
        let Value::Map(entries) = &self.node.value else { return None };
        if let Some(entry) = entries.iter().find(|entry| entry.key == name) {
            return T::read(&entry.value, sink);
        }
        let absent = T::absent();
        // A key that was reported as unknown is not also reported as missing.
        if absent.is_none() && !entries.iter().any(|entry| self.intended_key(entry, entries) == Some(name)) {
            let start = Span { end: self.node.span.start, ..self.node.span };
            let report = sink.report(
                Code::MissingKey,
                start,
                format!("missing key `{name}` in {}", with_article(self.shape.name)),
            );
            if let Some(key) = self.shape.keys.iter().find(|key| key.name == name) {
                report.help(format!("add it, for example `{name}: {}`", key.example));
            }
        }
        absent
    }

    /// Returns the key that was probably intended by an unknown one, or `None` for a known one.
    fn intended_key(&self, entry: &Entry, entries: &[Entry]) -> Option<&'static str> {
        let written = entry.key.as_str();
        let known = self.shape.keys.iter().any(|key| key.name == written);
        if known {
            return None;
        }
        let nearest = || nearest_key(written, self.shape.keys.iter().map(|key| key.name), |key| has_key(entries, key));
        foreign_syntax::intended_key(self.shape, entry).or_else(nearest)
    }
}

/// Reports an unknown key. Two keys that are the ends of one range are reported once.
fn report_unknown(shape: &Shape, entries: &[Entry], index: usize, sink: &mut Sink) {
    let entry = &entries[index];
    let other = foreign_syntax::opposite_bound(shape, entry, entries);
    if other.is_some_and(|other| other.key_span.start < entry.key_span.start) {
        return;
    }
    let message = match other {
        Some(other) => format!("unknown keys `{}` and `{}` in {}", entry.key, other.key, with_article(shape.name)),
        None => format!("unknown key `{}` in {}", entry.key, with_article(shape.name)),
    };
    let report = sink.report(Code::UnknownKey, entry.key_span, message);
    if let Some(other) = other {
        report.related(other.key_span, "the other bound of the range");
    }
    let help = foreign_syntax::split_map_help(entries, index).or_else(|| {
        foreign_syntax::key_help(shape, entry, entries).map(|help| without_duplicate(help, entry, entries))
    });
    match help.or_else(|| foreign_syntax::split_text_help(entries, index)) {
        Some(help) => report.help(help),
        None => {
            let keys = shape.keys.iter().map(|key| (key.name, key.name.to_owned()));
            report.suggest_key((&entry.key, &entry.key), keys, |key| has_key(entries, key))
        }
    };
}

fn has_key(entries: &[Entry], key: &str) -> bool {
    entries.iter().any(|entry| entry.key == key)
}

/// Replaces the help for a key of another language if its equivalent, as in "write `doc:`", is in the mapping already.
fn without_duplicate(help: String, entry: &Entry, entries: &[Entry]) -> String {
    /// Keys whose value has room for that of the other key.
    const COMBINABLE: &[&str] = &["enums", "fields", "items", "length", "operations", "resources", "values"];
    let code = help.strip_prefix("write `").and_then(|rest| rest.split('`').next());
    match code.and_then(|code| code.split_once(':')).filter(|(key, _)| has_key(entries, key)) {
        Some((key @ "behavior", words)) => {
            format!("`{key}` is already there; add `{}` to it", words.trim_matches([' ', '[', ']']))
        }
        Some((key, _)) if COMBINABLE.contains(&key) => {
            format!("`{key}` is already there; move `{}` into it", entry.key.escape_debug())
        }
        Some((key, _)) => already_there(key, &entry.key),
        None => help,
    }
}

/// Returns whether the name of a construct is a plural, such as `pages`.
fn is_plural(name: &str) -> bool {
    name.ends_with('s')
}

fn with_article(name: &str) -> String {
    if is_plural(name) {
        return name.to_owned();
    }
    // The name of the letter X starts with a vowel.
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u', 'X']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}
