//! Values in a schema → literals of the field's type.

use super::forms;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Decimal, EnumId, Lexical, Literal, Number, Type};
use crate::schema::foreign_syntax;
use crate::schema::integer::parse_integer;
use crate::schema::read::Raw;
use crate::schema::yaml::{Node, Style, Value};

impl Tables<'_> {
    /// Parses a value as a literal of a type; reports it if it is not one.
    pub fn literal(&self, raw: &Raw, ty: &Type, what: &str, sink: &mut Sink) -> Option<Literal> {
        let node = &raw.0;
        let found = self.try_literal(node, ty);
        if found.is_none() && *ty != Type::Unresolved {
            self.not_a_literal(node, ty, what, sink);
        }
        found
    }

    /// Reports a value that is not a literal of a type.
    pub fn not_a_literal(&self, node: &Node, ty: &Type, what: &str, sink: &mut Sink) {
        let expected = self.expected(ty);
        let message = match node.text() {
            Some(text) => format!("the {what} `{}` is not {expected}", text.escape_debug()),
            None => format!("expected {expected} as {what}, found {}", node.describe()),
        };
        let report = sink.report(Code::BadValue, node.span, message);
        match (ty, &node.value) {
            (_, Value::Scalar(text, _)) if what == "min" || what == "max" => {
                let range = foreign_syntax::values::normalize_range(text);
                report.help.extend(
                    range
                        .as_deref()
                        .and_then(|range| range.split_once("..="))
                        .map(|(min, max)| format!("write the bounds separately: `min: {min}` and `max: {max}`")),
                );
            }
            (Type::String, Value::List(_)) if what == "constant" => {
                report.help("define an enum of them under `enums:` and use it as the type");
            }
            (Type::Enum(id), Value::Scalar(text, _)) => {
                report.suggest(text, self.enums[id.0].def.values.0.iter().map(|(name, _)| name.text.as_str()));
            }
            (ty, Value::Scalar(text, Style::Text)) if self.try_literal(&plain(text, node), ty).is_some() => {
                report.help("remove the quotes");
            }
            _ => {}
        }
    }

    /// Returns the values that a type accepts, as the end of a message.
    fn expected(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "`true` or `false`".into(),
            Type::Int32 => integer_range(i32::MIN, i32::MAX),
            Type::Uint32 => integer_range(0, u32::MAX),
            Type::Uint64(_) => integer_range(0, u64::MAX),
            Type::Int64(_) => {
                let (least, greatest) = ty.integer_range().unwrap_or_default();
                integer_range(least, greatest)
            }
            Type::Float | Type::Double => "a finite number".into(),
            Type::Number => "a number of at most 38 digits".into(),
            Type::Enum(id) => format!("a value of `{}`", self.enums[id.0].key.text),
            Type::Any | Type::Object | Type::List(_) | Type::Map(_) | Type::Union(_) | Type::Unresolved => {
                "a JSON value of the type".into()
            }
            Type::Nullable(inner) => self.expected(inner),
            Type::Resource(_) => "supported for a resource".into(),
            Type::Date => "a date such as `2026-02-28`".into(),
            Type::DateTime => "a date-time such as `2026-02-28T09:30:00Z`".into(),
            Type::Duration => "a duration such as `1.5s`".into(),
            Type::Lexical(Lexical::Decimal) => "a decimal number such as `0.10`".into(),
            Type::Lexical(Lexical::IsoDuration) => "a duration such as `P1DT2H30M`".into(),
            Type::Lexical(Lexical::Time) => "a time such as `09:30:00`".into(),
            Type::Lexical(Lexical::HttpDate) => "a date such as `Sun, 06 Nov 1994 08:49:37 GMT`".into(),
            Type::String | Type::Bytes(_) => "a string".into(),
        }
    }

    fn try_literal(&self, node: &Node, ty: &Type) -> Option<Literal> {
        match ty {
            Type::Bool => match node.value {
                Value::Scalar(ref text, Style::Plain) if text == "true" => Some(Literal::Bool(true)),
                Value::Scalar(ref text, Style::Plain) if text == "false" => Some(Literal::Bool(false)),
                _ => None,
            },
            Type::Int32
            | Type::Int64(_)
            | Type::Uint32
            | Type::Uint64(_)
            | Type::Float
            | Type::Double
            | Type::Number => number(node, ty).map(Literal::Number),
            Type::Enum(id) => self.enum_value(*id, node.text()?).map(|index| Literal::Enum(*id, index)),
            Type::String => text(node).map(Literal::Text),
            Type::Bytes(_) => text(node).filter(|text| forms::is_base64(text)).map(Literal::Text),
            Type::Date => text(node).filter(|text| forms::is_date(text)).map(Literal::Text),
            Type::DateTime => text(node).filter(|text| forms::is_date_time(text)).map(Literal::Text),
            Type::Duration => text(node).filter(|text| forms::is_duration(text)).map(Literal::Text),
            Type::Lexical(lexical) => text(node).filter(|text| forms::is_lexical(*lexical, text)).map(Literal::Text),
            Type::Any | Type::Union(_) => json(node).map(Literal::Json),
            Type::Object | Type::Map(_) => json(node).filter(serde_json::Value::is_object).map(Literal::Json),
            Type::List(_) => json(node).filter(serde_json::Value::is_array).map(Literal::Json),
            Type::Nullable(inner) => self.try_literal(node, inner),
            Type::Resource(_) | Type::Unresolved => None,
        }
    }

    /// Returns the index of a value of an enum, by its wire name or an alias.
    pub fn enum_value(&self, id: EnumId, text: &str) -> Option<usize> {
        let values = &self.enums[id.0].def.values.0;
        let find = |text: &str| {
            values
                .iter()
                .position(|(name, value)| name.text == text || value.0.aliases.iter().any(|alias| alias.text == text))
        };
        // Texts among values of several types are JSON, whose quotes can be omitted.
        find(text).or_else(|| find(&serde_json::Value::from(text).to_string()))
    }
}

fn integer_range(least: impl std::fmt::Display, greatest: impl std::fmt::Display) -> String {
    format!("an integer from {least} to {greatest}")
}

/// Returns the node of a value as if it were not quoted.
fn plain(text: &str, node: &Node) -> Node {
    Node { span: node.span, value: Value::Scalar(text.to_owned(), Style::Plain) }
}

/// Returns the text of a scalar; `None` for null, lists and maps.
fn text(node: &Node) -> Option<String> {
    if node.is_null() { None } else { node.text().map(str::to_owned) }
}

/// Returns the number of an exclusive end of a range: `{ exclusive: 0 }`.
pub fn exclusive(node: &Node) -> Option<&Node> {
    match &node.value {
        Value::Map(entries) => match entries.as_slice() {
            [only] if only.key == "exclusive" => Some(&only.value),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a number of the type, in its range.
pub fn number(node: &Node, ty: &Type) -> Option<Number> {
    if let (Type::Lexical(Lexical::Decimal), Some(text)) = (ty, node.text()) {
        return Decimal::parse(text).map(Number::Decimal);
    }
    let Value::Scalar(text, Style::Plain) = &node.value else { return None };
    let within =
        |min: i128, max: i128| parse_integer(text).filter(|value| (min..=max).contains(value)).map(Number::Int);
    match ty {
        Type::Int32 => within(i32::MIN.into(), i32::MAX.into()),
        Type::Uint32 => within(0, u32::MAX.into()),
        Type::Int64(_) => ty.integer_range().and_then(|(least, greatest)| within(least, greatest)),
        Type::Uint64(_) => within(0, u64::MAX.into()),
        Type::Float => float(text).filter(|value| fits_f32(*value)).map(Number::Float),
        Type::Double => float(text).map(Number::Float),
        Type::Number => Decimal::parse_json(text).map(Number::Decimal),
        _ => None,
    }
}

/// Returns whether the nearest 32-bit float is finite. The cast rounds, as decoding does.
#[allow(clippy::cast_possible_truncation)]
fn fits_f32(value: f64) -> bool {
    (value as f32).is_finite()
}

/// Parses a finite number in JSON syntax, which has no `inf`, no `nan` and no `.5`.
fn float(text: &str) -> Option<f64> {
    match serde_json::from_str::<serde_json::Value>(text).ok()? {
        serde_json::Value::Number(number) => number.as_f64().filter(|value| value.is_finite()),
        _ => None,
    }
}

/// Converts a node by YAML's core schema, restricted to JSON.
pub fn json(node: &Node) -> Option<serde_json::Value> {
    use serde_json::Value as Json;
    Some(match &node.value {
        _ if node.is_null() => Json::Null,
        Value::List(items) => Json::Array(items.iter().map(json).collect::<Option<_>>()?),
        Value::Map(entries) => Json::Object(
            entries.iter().map(|entry| Some((entry.key.clone(), json(&entry.value)?))).collect::<Option<_>>()?,
        ),
        Value::Scalar(text, Style::Plain) => match serde_json::from_str::<Json>(text) {
            Ok(value @ (Json::Bool(_) | Json::Number(_))) => value,
            _ => Json::String(text.clone()),
        },
        Value::Scalar(text, Style::Text) => Json::String(text.clone()),
    })
}
