//! Deserialization of the language's values from nodes.
//!
//! A type that implements [`Read`] defines how it is read, with all errors reported, and its [`Kind`], from which the
//! reference page and the JSON Schema are written. Constructs with keys are declared with
//! [`shape!`](crate::schema::shape), so the table of keys and the reader always agree.

use super::foreign_syntax;
use super::integer::parse_integer;
use super::yaml::{Node, Style, Value};
use crate::diagnostics::{Code, Diagnostic, Sink, Span};

pub use super::kind::{Key, Kind, Shape};

/// A value of the language that can be read from a node.
pub trait Read: Sized {
    /// Returns the syntax of the value.
    fn kind() -> Kind;
    /// Reads the value. Returns `None` after reporting the errors.
    fn read(node: &Node, sink: &mut Sink) -> Option<Self>;
    /// Returns the value of an absent key, or `None` if the key is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// A construct with keys; implemented by [`shape!`](crate::schema::shape).
pub trait HasShape {
    /// The table of its keys.
    const SHAPE: Shape;
}

/// A string with its span.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text after unquoting and folding.
    pub text: String,
    /// The span, including quotes.
    pub span: Span,
}

impl Text {
    /// Returns the span of a part of the text, given in bytes: exact if the text is written verbatim, with or without
    /// quotes; the span of the whole text if it has escapes or is folded.
    #[must_use]
    pub fn part_span(&self, offset: usize, length: usize) -> Span {
        part_of_span(self.span, &self.text, offset, length)
    }
}

/// Creates a text with a default span.
impl<T: Into<String>> From<T> for Text {
    fn from(text: T) -> Self {
        Self { text: text.into(), span: Span::default() }
    }
}

/// Returns the span of a part of a text at a span; see [`Text::part`].
pub(crate) fn part_of_span(span: Span, text: &str, offset: usize, length: usize) -> Span {
    match (span.end.saturating_sub(span.start) as usize).checked_sub(text.len()) {
        Some(0) => span.subspan(offset, length),
        Some(2) => span.subspan(offset + 1, length),
        _ => span,
    }
}

impl Read for Text {
    fn kind() -> Kind {
        Kind::Text
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let (Some(text), false) = (node.text(), node.is_null()) else {
            return wrong_kind(node, "a string", sink);
        };
        Some(Self { text: text.to_owned(), span: node.span })
    }
}

/// A value with its span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The span.
    pub span: Span,
}

/// Creates a value with a default span.
impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { value, span: Span::default() }
    }
}

impl Read for Located<bool> {
    fn kind() -> Kind {
        Kind::Bool
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let value = match &node.value {
            Value::Scalar(text, Style::Plain) if text == "true" => true,
            Value::Scalar(text, Style::Plain) if text == "false" => false,
            Value::Scalar(text, _) => {
                let report = sink.report(
                    Code::BadScalar,
                    node.span,
                    format!("expected `true` or `false`, found `{}`", text.escape_debug()),
                );
                match text.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "y" | "on" | "1" => report.help("write `true` without quotes"),
                    "false" | "no" | "n" | "off" | "0" => report.help("write `false` without quotes"),
                    _ => report,
                };
                return None;
            }
            _ => return wrong_kind(node, "`true` or `false`", sink),
        };
        Some(Self { value, span: node.span })
    }
}

impl Read for Located<i128> {
    fn kind() -> Kind {
        Kind::Int
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let text = match &node.value {
            Value::Scalar(text, Style::Plain) => text,
            Value::Scalar(text, Style::Text) if parse_integer(text).is_some() => {
                return wrong_kind(node, "an integer without quotes", sink);
            }
            _ => return wrong_kind(node, "an integer", sink),
        };
        let Some(value) = parse_integer(text) else {
            sink.report(Code::BadScalar, node.span, format!("`{text}` is not an integer"))
                .help("write decimal digits without leading zeros, a plus sign or separators");
            return None;
        };
        Some(Self { value, span: node.span })
    }
}

/// Any YAML value, unchanged, because its meaning depends on a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw(pub Node);

impl Read for Raw {
    fn kind() -> Kind {
        Kind::Any
    }

    fn read(node: &Node, _sink: &mut Sink) -> Option<Self> {
        Some(Self(node.clone()))
    }
}

impl<T: Read> Read for Option<T> {
    fn kind() -> Kind {
        T::kind()
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        T::read(node, sink).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn kind() -> Kind {
        T::kind()
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        T::read(node, sink).map(Box::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn kind() -> Kind {
        Kind::List(Box::new(T::kind()))
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let Value::List(items) = &node.value else {
            let report = report_wrong_kind(node, "a list", sink);
            if let (Kind::Words(words), Some("true" | "false")) = (T::kind(), node.text()) {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                report.help(format!("write a list: `[{}]`", words.join("]` or `[")));
            }
            return None;
        };
        collect_all(items.iter().map(|item| T::read(item, sink)))
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }
}

/// Collects the items, or returns `None` if one is missing. All items are read, so that all errors are reported.
pub(super) fn collect_all<T>(items: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    // Collecting into an option would stop at the first `None`.
    let read: Vec<Option<T>> = items.collect();
    read.into_iter().collect()
}

/// Expectation of a mapping with names that the author chooses, for [`wrong_kind`].
pub(super) const NAME_MAPPING: &str = "a mapping";

/// Reports that another kind of value was expected.
pub(crate) fn wrong_kind<T>(node: &Node, expected: &str, sink: &mut Sink) -> Option<T> {
    report_wrong_kind(node, expected, sink);
    None
}

/// Reports that another kind of value was expected, and returns the diagnostic for further advice.
pub(crate) fn report_wrong_kind<'s>(node: &Node, expected: &str, sink: &'s mut Sink) -> &'s mut Diagnostic {
    const LONG: usize = 40;
    let short = node.text().filter(|text| !node.is_null() && text.chars().count() <= LONG);
    let found = match (&node.value, short) {
        (Value::Scalar(_, Style::Text), _) => "a quoted string".to_owned(),
        (_, Some(text)) => format!("`{}`", text.escape_debug()),
        _ => node.describe().to_owned(),
    };
    let report = sink.report(Code::WrongKind, node.span, format!("expected {expected}, found {found}"));
    if let (Value::List(items), NAME_MAPPING) = (&node.value, expected) {
        // A list of names lacks the values.
        let names: Option<Vec<&str>> = items.iter().take(3).map(Node::text).collect();
        report.help(match names.filter(|names| !names.is_empty()) {
            Some(names) => format!("write a value after each name: `{{ {}: … }}`", names.join(": …, ")),
            None if items.iter().any(|item| matches!(item.value, Value::Map(_))) => {
                "write a mapping instead of a list: `name: …`".to_owned()
            }
            None => "write a name and a colon before each value: `name: …`".to_owned(),
        });
    }
    report.help.extend(foreign_syntax::parameters_help(node, expected).map(str::to_owned));
    match node.text() {
        Some("") if node.is_null() => report.help("write a value, or remove the key"),
        Some(word) if node.is_null() => report.help(format!("quote `{word}` if the string is meant")),
        Some("true" | "false") if expected == "a list" => report,
        Some(text) if expected == "a list" && short.is_some() => {
            report.help(format!("write `[{}]` for a list with one element", text.escape_debug()))
        }
        _ => report,
    }
}
