//! Type expressions and ranges.

use std::fmt;

use super::foreign_syntax::{self, values};
use super::integer::parse_integer;
use super::read::{Kind, Read, Text, report_wrong_kind, wrong_kind};
use super::write::{Write, single_entry};
use super::yaml::{Node, Value};
use crate::diagnostics::{Code, Sink, Span};

/// A type expression: a name, a list, or a map from strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExpr {
    /// A built-in type, a resource, an enum or a union.
    Name(Text),
    /// `[T]`
    List(Box<TypeExpr>, Span),
    /// `{string: T}`
    Map(Box<TypeExpr>, Span),
    /// `T?` within a list or map, or as a body: a value or null.
    Nullable(Text),
}

/// Returns the type `any`.
impl Default for TypeExpr {
    fn default() -> Self {
        Self::named("any")
    }
}

/// Formats the type expression on one line.
impl fmt::Display for TypeExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(&name.text),
            Self::Nullable(name) => write!(f, "{}?", name.text),
            Self::List(element, _) => write!(f, "[{element}]"),
            Self::Map(value, _) => write!(f, "{{string: {value}}}"),
        }
    }
}

impl TypeExpr {
    /// Creates a named type with a default span.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self::Name(Text::from(name.into()))
    }

    /// Creates a list type with a default span.
    #[must_use]
    pub fn list_of(element: Self) -> Self {
        Self::List(Box::new(element), Span::default())
    }

    /// Creates a map type with a default span.
    #[must_use]
    pub fn map_of(value: Self) -> Self {
        Self::Map(Box::new(value), Span::default())
    }

    /// Returns the name of a named type, or `None` for a list, a map or a nullable type.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(&name.text),
            _ => None,
        }
    }

    /// Returns the name of the type within all lists and maps.
    #[must_use]
    pub fn innermost_name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Nullable(name) => &name.text,
            Self::List(inner, _) | Self::Map(inner, _) => inner.innermost_name(),
        }
    }

    /// Returns whether the type is nested more than [`MAX_DEPTH`] levels deep.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        depth(self) > MAX_DEPTH
    }

    /// Returns the span of the type.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Name(text) | Self::Nullable(text) => text.span,
            Self::List(_, span) | Self::Map(_, span) => *span,
        }
    }
}

impl Write for TypeExpr {
    fn write(&self) -> Node {
        match self {
            Self::Name(name) => name.write(),
            Self::Nullable(name) => Node::quoted(format!("{}?", name.text)),
            Self::List(element, _) => Node::list(vec![element.write()]),
            Self::Map(value, _) => single_entry("string", value.write()),
        }
    }
}

impl Read for TypeExpr {
    fn kind() -> Kind {
        Kind::Type
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let ty = read_type(node, sink)?;
        if ty.is_too_deep() {
            sink.report(Code::BadType, node.span, format!("the type is nested more than {MAX_DEPTH} levels deep"))
                .help("define a resource for a part of it");
            return None;
        }
        Some(ty)
    }
}

/// Maximum nesting depth of a type, for the sake of compilers and readers.
pub const MAX_DEPTH: usize = 8;

/// Returns the number of nested lists and maps.
fn depth(ty: &TypeExpr) -> usize {
    match ty {
        TypeExpr::Name(_) | TypeExpr::Nullable(_) => 0,
        TypeExpr::List(inner, _) | TypeExpr::Map(inner, _) => 1 + depth(inner),
    }
}

/// Help with the forms of a type.
const FORMS_HELP: &str = "write a name, a list such as `[Event]` or a map such as `{string: Event}`";

fn read_type(node: &Node, sink: &mut Sink) -> Option<TypeExpr> {
    match &node.value {
        Value::Scalar(text, _) if !node.is_null() => Some(match text.strip_suffix('?') {
            Some(name) => TypeExpr::Nullable(Text { text: name.to_owned(), span: node.span }),
            None => TypeExpr::Name(Text { text: text.clone(), span: node.span }),
        }),
        Value::Scalar(..) => {
            sink.report(Code::BadType, node.span, "missing type")
                .help(FORMS_HELP)
                .help("remove the key if there is no value, such as for a response without a body");
            None
        }
        Value::List(items) => match items.as_slice() {
            [item] => Some(TypeExpr::List(Box::new(read_type(item, sink)?), node.span)),
            items => {
                let help = foreign_syntax::type_list_help(items);
                sink.report(Code::BadType, node.span, "expected exactly one element type in a list type").help(help);
                None
            }
        },
        Value::Map(entries) => match entries.as_slice() {
            [entry] if entry.key == "string" => {
                Some(TypeExpr::Map(Box::new(read_type(&entry.value, sink)?), node.span))
            }
            [entry] if entry.key == "$ref" => {
                let name = values::referenced_name(entry.value.text().unwrap_or("Event"));
                sink.report(Code::BadType, node.span, "expected the name of a type, found a reference")
                    .help(format!("write the name: `{name}`"));
                None
            }
            entries => {
                let is_object = entries.len() > 1 && !entries.iter().any(|entry| entry.key == "string");
                let help = if is_object {
                    "define a resource with these `fields:` under `resources:` and use its name: `type: Place`"
                } else {
                    FORMS_HELP
                };
                let message = "expected exactly one entry, from `string` to the type of the values, in a map type";
                sink.report(Code::BadType, node.span, message).help(help);
                None
            }
        },
    }
}

/// A range of integers, including both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The minimum, if any.
    pub min: Option<u64>,
    /// The maximum, if any.
    pub max: Option<u64>,
    /// The span.
    pub span: Span,
}

impl Write for Range {
    fn write(&self) -> Node {
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => Node::plain(min.to_string()),
            (Some(min), Some(max)) => Node::quoted(format!("{min}..={max}")),
            (None, Some(max)) => Node::quoted(format!("..={max}")),
            (min, None) => Node::quoted(format!("{}..", min.unwrap_or(0))),
        }
    }
}

impl Read for Range {
    fn kind() -> Kind {
        Kind::Range
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        if let Value::Map(entries) = &node.value {
            let ty = entries.iter().find(|entry| matches!(entry.key.as_str(), "type" | "$ref"));
            let help = match ty {
                Some(ty) => element_help(ty.value.text().unwrap_or("string")),
                None => values::range_mapping_help(entries)
                    .unwrap_or_else(|| "write both bounds as one range: `1..=10`".to_owned()),
            };
            sink.report(Code::WrongKind, node.span, "expected a range such as `5..=1024`, found a mapping").help(help);
            return None;
        }
        if let Value::List(items) = &node.value {
            let ends = items.iter().map(Node::text).collect::<Option<Vec<_>>>();
            let range = ends.and_then(|ends| values::normalize_range(&ends.join("..=")));
            let report = report_wrong_kind(node, "a range such as `5..=1024`", sink);
            report.help.extend(range.map(|range| format!("write both bounds as one range: `{range}`")));
            return None;
        }
        let Some(text) = node.text() else {
            return wrong_kind(node, "a range such as `5..=1024`", sink);
        };
        let Some((min, max)) = parse_range(text) else {
            let report = sink.report(Code::BadRange, node.span, format!("invalid range `{text}`"));
            report.help(if is_type_like(text) { element_help(text) } else { values::range_help(text) });
            return None;
        };
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            sink.report(Code::BadRange, node.span, format!("empty range `{text}`"))
                .help(format!("did you mean `{max}..={min}`?"));
            return None;
        }
        Some(Self { min, max, span: node.span })
    }
}

/// Returns whether a text that is expected to be a range is a type, as under `items` in other languages.
fn is_type_like(text: &str) -> bool {
    const OWN: &[&str] = &["string", "bool", "double", "number", "bytes", "date", "duration", "any", "object"];
    OWN.contains(&text)
        || foreign_syntax::type_help(text).is_some()
        || text.contains("#/")
        || text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(char::is_alphanumeric)
}

/// Returns the help for a type of elements under `items`, where other languages have it.
fn element_help(element: &str) -> String {
    format!(
        "write the element type in the brackets: `type: [{}]`; `items` restricts the number of elements",
        values::referenced_name(element)
    )
}

fn parse_range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let number = |text: &str| u64::try_from(parse_integer(text)?).ok();
    let Some((min, max)) = text.split_once("..") else {
        let exact = number(text)?;
        return Some((Some(exact), Some(exact)));
    };
    let min = if min.is_empty() { None } else { Some(number(min)?) };
    let max = match max {
        "" => None,
        max => Some(number(max.strip_prefix('=')?)?),
    };
    (min.is_some() || max.is_some()).then_some((min, max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_both_ends_inside() {
        assert_eq!(parse_range("26"), Some((Some(26), Some(26))));
        assert_eq!(parse_range("5..=1024"), Some((Some(5), Some(1024))));
        assert_eq!(parse_range("..=25"), Some((None, Some(25))));
        assert_eq!(parse_range("1.."), Some((Some(1), None)));
        for wrong in ["", "..", "1..2", "a", "-1", "1.5", "1..=", "007"] {
            assert_eq!(parse_range(wrong), None, "{wrong}");
        }
    }
}
