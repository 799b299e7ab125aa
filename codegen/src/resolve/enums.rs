//! Enums and their values.

use super::literals;
use super::members::{deprecated, document, text, texts};
use super::names::{self, Casing, ReservedNames, WireNames};
use super::tables::Tables;
use serde_json::Value as Json;

use crate::diagnostics::{Code, Sink};
use crate::model::{Encoding, Enum, EnumId, EnumValue, Type};
use crate::schema::behavior::EnumBehavior;
use crate::schema::enums::EnumType;
use crate::schema::shape::Short;
use crate::schema::yaml::{Node, Style, Value};
use crate::schema::{EnumDef, Text};

impl Tables<'_> {
    /// Resolves an enum.
    pub fn enumeration(&self, index: usize, sink: &mut Sink) -> Enum {
        let definition = &self.enums[index];
        let (key, def): (&Text, &EnumDef) = (definition.key, definition.def);
        document(def.doc.as_ref(), key, "enum", sink);
        if def.values.0.is_empty() {
            sink.report(Code::EmptyEnum, key.span, format!("enum `{}` has no values", key.text))
                .help("add them under `values`, or use `type: string`");
        }
        let mut idents = ReservedNames::default();
        let mut spellings = WireNames::default();
        // Variant for values that are not listed.
        idents.take("Unknown", "the variant of unknown values", key.span, sink);
        let values = def.values.0.iter().filter_map(|(wire, Short(value))| {
            document(value.doc.as_ref(), wire, "value", sink);
            // The first alias is the name of the public service, which may repeat the wire name.
            let aliases = match value.aliases.as_slice() {
                [first, rest @ ..] if first.text == wire.text && !rest.is_empty() => rest,
                all => all,
            };
            spellings.take(&wire.text, wire.span, aliases, sink);
            let name = names::name(wire, value.name.as_ref(), Casing::Type, sink)?;
            idents.take(&name.ident, &format!("the value `{}`", wire.text), wire.span, sink);
            Some(EnumValue {
                name,
                doc: text(value.doc.as_ref()),
                aliases: texts(&value.aliases),
                output_only: value.behavior.contains(&EnumBehavior::OutputOnly),
                input_only: value.behavior.contains(&EnumBehavior::InputOnly),
                deprecated: deprecated(value.deprecated.as_ref()),
                origin: value.origin.as_ref().map(|origin| origin.text.clone()),
            })
        });
        let values = values.collect();
        let number = def.ty.and_then(|ty| wire_type(ty.value));
        match &number {
            Some(number) => check_numbers(def, number, sink),
            None => check_texts(def, sink),
        }
        Enum {
            wire_type: number,
            values,
            default: def.default.as_ref().and_then(|default| self.default_value(index, default, sink)),
            name: definition.name.clone(),
            doc: text(def.doc.as_ref()),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            // Set once all users of the values are known.
            duplicate_of: None,
        }
    }

    fn default_value(&self, index: usize, default: &Text, sink: &mut Sink) -> Option<usize> {
        let found = self.enum_value(EnumId(index), &default.text);
        if found.is_none() {
            sink.report(
                Code::BadValue,
                default.span,
                format!("the default `{}` is not a value of the enum", default.text),
            )
            .suggest(&default.text, self.enums[index].def.values.0.iter().map(|(value, _)| value.text.as_str()));
        }
        found
    }
}

/// Returns the type of an enum's values on the wire; `None` for strings.
fn wire_type(ty: EnumType) -> Option<Type> {
    Some(match ty {
        EnumType::String => return None,
        EnumType::Int32 => Type::Int32,
        EnumType::Int64 => Type::Int64(Encoding::Number),
        EnumType::Uint32 => Type::Uint32,
        EnumType::Uint64 => Type::Uint64(Encoding::Number),
        EnumType::Double => Type::Double,
        EnumType::Any => Type::Any,
    })
}

/// Reports numbers among the values of an enum of texts, unless they are quoted: an author who writes `1` expects a
/// number on the wire.
fn check_texts(def: &EnumDef, sink: &mut Sink) {
    for (wire, _) in &def.values.0 {
        let is_plain = (wire.span.end - wire.span.start) as usize == wire.text.len();
        let text = wire.text.as_str();
        let is_bool = matches!(text, "true" | "false");
        if is_plain && (is_bool || text == "null" || text.parse::<f64>().is_ok_and(f64::is_finite)) {
            let message = format!("expected a string as enum value, found `{text}`");
            let report = sink.report(Code::BadValue, wire.span, message);
            if literals::number(&plain(wire), &Type::Int64(Encoding::Number)).is_some() {
                report.help("add `type: int32` to the enum if the values are numbers");
            } else if !is_bool && text != "null" {
                report.help("add `type: double` to the enum if the values are numbers");
            } else if is_bool {
                report.help(
                    "add `type: any` to the enum if the values are JSON of several types, with strings as JSON: \
                        `'\"auto\"'`",
                );
            }
            report.help(format!("write `'{text}'` if the value is a string"));
        }
    }
}

/// Returns the node of a value as if it were not quoted.
fn plain(text: &Text) -> Node {
    Node { span: text.span, value: Value::Scalar(text.text.clone(), Style::Plain) }
}

/// Checks that the values of a numeric enum, and their aliases, are numbers of its type.
fn check_numbers(def: &EnumDef, ty: &Type, sink: &mut Sink) {
    let spellings = def.values.0.iter().flat_map(|(wire, Short(value))| std::iter::once(wire).chain(&value.aliases));
    if matches!(ty, Type::Double | Type::Any) {
        return spellings.for_each(|text| check_json(text, ty, sink));
    }
    for text in spellings {
        if literals::number(&plain(text), ty).is_none() {
            sink.report(
                Code::BadValue,
                text.span,
                format!("expected an integer in the range of the enum's type, found `{}`", text.text.escape_debug()),
            )
            .help("write decimal digits in quotes, such as `'1'`, and add a Rust name: `name: …`");
        }
    }
}

/// Checks that a value is written as the runtime formats it: JSON, and a number in its shortest form.
fn check_json(text: &Text, ty: &Type, sink: &mut Sink) {
    let shown = text.text.escape_debug();
    let (is_value, expected) = match (serde_json::from_str(&text.text).ok(), ty) {
        (Some(Json::Number(number)), _) => {
            let shortest = shortest(&number);
            if text.text != shortest {
                let message = format!("non-canonical number `{shown}`");
                sink.report(Code::BadValue, text.span, message).help(format!("write `'{shortest}'`"));
            }
            return;
        }
        (Some(Json::String(value)), Type::Any) => {
            let json = Json::from(value).to_string();
            (json == text.text, format!("write `'{json}'`"))
        }
        (Some(Json::Bool(_)), Type::Any) => return,
        (Some(Json::Null), _) => (false, "add `nullable: true` to the field that accepts null".to_owned()),
        (_, Type::Any) => (false, "write JSON in quotes, such as `'\"auto\"'`, `'0.5'` or `'true'`".to_owned()),
        _ => (false, "write a number in quotes, such as `'0.5'`, and add a Rust name: `name: …`".to_owned()),
    };
    if !is_value {
        let message = format!("expected a value of the enum's type, found `{shown}`");
        sink.report(Code::BadValue, text.span, message).help(expected);
    }
}

/// Returns a number as the runtime formats it: an integer in digits, as long as a float represents it exactly.
#[must_use]
pub fn shortest(number: &serde_json::Number) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        _ if number.is_i64() || number.is_u64() => number.to_string(),
        Some(value) if value.fract() == 0.0 && value.abs() <= EXACT => format!("{value:.0}").replace("-0", "0"),
        Some(value) => format!("{value:?}"),
        None => number.to_string(),
    }
}
