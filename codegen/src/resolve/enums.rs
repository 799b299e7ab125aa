//! Enums and their values.

use super::literals;
use super::members::{deprecated, document, text, texts};
use super::names::{self, Casing, Spellings, Taken};
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Encoding, Enum, EnumId, EnumValue, Type};
use crate::schema::behavior::EnumBehavior;
use crate::schema::enums::EnumType;
use crate::schema::shape::Short;
use crate::schema::yaml::{Node, Style, Value};
use crate::schema::{EnumDef, Text};

impl Tables<'_> {
    /// An enum.
    pub fn enumeration(&self, index: usize, sink: &mut Sink) -> Enum {
        let definition = &self.enums[index];
        let (key, def): (&Text, &EnumDef) = (definition.key, definition.def);
        document(def.doc.as_ref(), key, "enum", sink);
        if def.values.0.is_empty() {
            sink.report(Code::EmptyEnum, key.span, format!("the enum `{}` has no values", key.text))
                .help("list them under `values`, or use `type: string`");
        }
        let mut idents = Taken::default();
        let mut spellings = Spellings::default();
        // The variant for values that are not listed.
        idents.take("Unknown", "the variant for values that the schema does not list", key.span, sink);
        let values = def.values.0.iter().filter_map(|(wire, Short(value))| {
            document(value.doc.as_ref(), wire, "value", sink);
            // A value that the public service spells the same has that spelling in front of those that are only read.
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
        let number = def.ty.and_then(|ty| number(ty.value));
        match &number {
            Some(number) => check_numbers(def, number, sink),
            None => check_texts(def, sink),
        }
        Enum {
            number,
            values,
            default: def.default.as_ref().and_then(|default| self.default_value(index, default, sink)),
            name: definition.name.clone(),
            doc: text(def.doc.as_ref()),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            // Known when everything that takes its values is.
            same_as: None,
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

fn number(ty: EnumType) -> Option<Type> {
    Some(match ty {
        EnumType::String => return None,
        EnumType::Int32 => Type::Int32,
        EnumType::Int64 => Type::Int64(Encoding::Number),
        EnumType::Uint32 => Type::Uint32,
        EnumType::Uint64 => Type::Uint64(Encoding::Number),
    })
}

/// The values of an enum of texts are no numbers, unless quotes say that they are texts all the same: an author who
/// writes `1` expects to see a number on the wire.
fn check_texts(def: &EnumDef, sink: &mut Sink) {
    for (wire, _) in &def.values.0 {
        let is_plain = (wire.span.end - wire.span.start) as usize == wire.text.len();
        let text = wire.text.as_str();
        let is_bool = matches!(text, "true" | "false");
        if is_plain && (is_bool || text == "null" || text.parse::<f64>().is_ok_and(f64::is_finite)) {
            let what = if is_bool || text == "null" { "no text" } else { "a number" };
            let message = format!("`{text}` is {what}, and the values of the enum are texts");
            let report = sink.report(Code::BadValue, wire.span, message);
            if literals::number(&plain(wire), &Type::Int64(Encoding::Number)).is_some() {
                report.help("write `type: int32` beside `values` if numbers are sent");
            }
            report.help(format!("write `'{text}'` if the text is sent"));
        }
    }
}

/// A value as it would be read without quotes.
fn plain(text: &Text) -> Node {
    Node { span: text.span, value: Value::Scalar(text.text.clone(), Style::Plain) }
}

/// The values of an enum of numbers, and their other spellings, are numbers of its type.
fn check_numbers(def: &EnumDef, ty: &Type, sink: &mut Sink) {
    let spellings = def.values.0.iter().flat_map(|(wire, Short(value))| std::iter::once(wire).chain(&value.aliases));
    for text in spellings {
        if literals::number(&plain(text), ty).is_none() {
            sink.report(
                Code::BadValue,
                text.span,
                format!("`{}` is not a whole number that the type of the enum has", text.text.escape_debug()),
            )
            .help("write decimal digits in quotes, such as `'1'`, and the name beside it: `name: …`");
        }
    }
}
