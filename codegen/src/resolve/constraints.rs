//! Constraints on values: which of them apply to which type, and whether they allow any value at all.

use super::elements;
use super::literals;
use super::tables::Tables;
use super::violations::{check_literal, is_above};
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Constraints, Exclusive, Format, KnownValue, Lexical, Literal, Number, Type};
use crate::schema::field::{self, Field, Parameter};
use crate::schema::read::{Located, Raw};
use crate::schema::resource::RestDef;
use crate::schema::{Named, Text, shape::Short, types};

/// Constraint keys that fields and parameters share.
pub struct WrittenConstraints<'s> {
    pub length: Option<&'s types::Range>,
    pub pattern: Option<&'s Text>,
    pub format: Option<Located<field::Format>>,
    pub schemes: &'s [Text],
    pub min: Option<&'s Raw>,
    pub max: Option<&'s Raw>,
    pub clamp: Option<&'s Raw>,
    pub multiple_of: Option<&'s Raw>,
    pub items: Option<&'s types::Range>,
    pub keys: Option<&'s field::KeysDef>,
    pub unique: Option<&'s Located<bool>>,
    pub elements: Option<&'s field::Elements>,
    pub constant: Option<&'s Raw>,
    pub known: &'s [(Text, Short<field::KnownValue>)],
}

impl<'s> WrittenConstraints<'s> {
    /// Collects the keys of a field.
    pub fn field(field: &'s Field) -> Self {
        Self {
            length: field.length.as_ref(),
            pattern: field.pattern.as_ref(),
            format: field.format,
            schemes: &field.schemes,
            min: field.min.as_ref(),
            max: field.max.as_ref(),
            clamp: None,
            multiple_of: field.multiple_of.as_ref(),
            items: field.items.as_ref(),
            keys: field.keys.as_ref(),
            unique: field.unique.as_ref(),
            elements: field.elements.as_deref(),
            constant: field.constant.as_ref(),
            known: &field.known.0,
        }
    }

    /// Collects the keys of the map of other fields.
    pub fn rest(rest: &'s RestDef) -> Self {
        Self {
            length: rest.length.as_ref(),
            pattern: rest.pattern.as_ref(),
            format: rest.format,
            schemes: &rest.schemes,
            min: rest.min.as_ref(),
            max: rest.max.as_ref(),
            clamp: None,
            multiple_of: rest.multiple_of.as_ref(),
            items: None,
            keys: None,
            unique: None,
            // Those of the values, which are the elements of the map, are resolved separately.
            elements: None,
            constant: None,
            known: &[],
        }
    }

    /// Collects the keys of a parameter.
    pub fn parameter(parameter: &'s Parameter) -> Self {
        static NO_KNOWN: Named<Short<field::KnownValue>> = Named(Vec::new());
        Self {
            length: parameter.length.as_ref(),
            pattern: parameter.pattern.as_ref(),
            format: parameter.format,
            schemes: &parameter.schemes,
            min: parameter.min.as_ref(),
            max: parameter.max.as_ref(),
            clamp: parameter.clamp.as_ref(),
            multiple_of: None,
            items: parameter.items.as_ref(),
            keys: parameter.keys.as_ref(),
            unique: parameter.unique.as_ref(),
            elements: parameter.elements.as_deref(),
            constant: parameter.constant.as_ref(),
            known: &NO_KNOWN.0,
        }
    }
}

impl Tables<'_> {
    /// Resolves the constraints of a field or parameter. Those on texts and numbers apply to each element of a list
    /// or map, `items` and `unique` to the list itself.
    pub fn constraints(&self, written: &WrittenConstraints<'_>, ty: &Type, sink: &mut Sink) -> Constraints {
        let inner = ty.innermost_type();
        check_applicable(written, ty, sink);
        let mut number = |raw: Option<&Raw>, key: &str| -> Option<Number> {
            let raw = raw.filter(|_| is_ordered(inner))?;
            let found = literals::number(&raw.0, inner);
            if found.is_none() {
                self.not_a_literal(&raw.0, inner, key, sink);
            }
            found
        };
        let (clamp, multiple_of) = (number(written.clamp, "clamp"), number(written.multiple_of, "multiple_of"));
        let (min, above) = self.bound(written.min, inner, "min", sink);
        let (max, below) = self.bound(written.max, inner, "max", sink);
        let exclusive = Exclusive { min: above, max: below };
        check_order(written, min, max.or(clamp), exclusive, sink);
        let problem = match multiple_of {
            Some(Number::Int(value)) => (value <= 0).then_some("must be greater than 0"),
            Some(Number::Float(value)) => (value <= 0.0).then_some("must be greater than 0"),
            Some(Number::Decimal(value)) if value.digits <= 0 => Some("must be greater than 0"),
            // What the runtime can divide by.
            Some(Number::Decimal(value)) => u64::try_from(value.digits).is_err().then_some("has more than 19 digits"),
            None => None,
        };
        if let (Some(raw), Some(problem)) = (written.multiple_of, problem) {
            sink.report(Code::BadValue, raw.0.span, format!("`multiple_of` {problem}"));
        }
        let found = Constraints {
            length: written.length.map(elements::resolve_range),
            pattern: elements::resolve_pattern(written.pattern, &self.patterns, sink),
            format: written.format.map(|written| format(written.value)),
            schemes: written.schemes.iter().map(|scheme| scheme.text.clone()).collect(),
            min,
            max,
            exclusive,
            clamp,
            multiple_of,
            items: written.items.map(elements::resolve_range),
            keys: written.keys.map(|keys| elements::resolve_keys(keys, &self.patterns, sink)),
            unique: written.unique.is_some_and(|unique| unique.value),
            elements: elements::of_elements(written.elements, ty, &self.patterns, sink),
            constant: written.constant.and_then(|raw| self.literal(raw, ty, "constant", sink)),
            known: known(written, sink),
        };
        if let (Some(constant), Some(raw), false) = (&found.constant, written.constant, ty.is_collection()) {
            check_literal(constant, "constant", raw, &found, sink);
            if let Literal::Json(value) = constant
                && !value.is_null()
            {
                sink.report(Code::Misplaced, raw.0.span, "a constant of this type can be `null` only")
                    .help("use a type such as `string`, or an enum with this value");
            }
        }
        found
    }

    /// Returns an end of a range, and whether values must not equal it. An exclusive end of integers becomes the nearest
    /// integer within the range.
    fn bound(&self, raw: Option<&Raw>, ty: &Type, key: &str, sink: &mut Sink) -> (Option<Number>, bool) {
        let Some(raw) = raw.filter(|_| is_ordered(ty)) else { return (None, false) };
        let exclusive = literals::exclusive(&raw.0);
        let node = exclusive.unwrap_or(&raw.0);
        let step = if key == "min" { 1 } else { -1 };
        let found = literals::number(node, ty).and_then(|number| match number {
            Number::Int(value) if exclusive.is_some() => {
                let value = value.saturating_add(step);
                ty.integer_range()
                    .is_none_or(|(least, most)| (least..=most).contains(&value))
                    .then_some(Number::Int(value))
            }
            number => Some(number),
        });
        if found.is_none() {
            self.not_a_literal(node, ty, key, sink);
        }
        (found, exclusive.is_some() && !matches!(found, Some(Number::Int(_))))
    }

    /// Returns an example: a value of the type within the constraints.
    pub fn example(&self, raw: &Raw, ty: &Type, constraints: &Constraints, sink: &mut Sink) -> Option<Literal> {
        let literal = self.literal(raw, ty, "example", sink)?;
        let is_plain = is_number(ty) || ty.is_textual();
        // A larger value may be sent as well, and is lowered.
        let constraints = &Constraints { clamp: None, ..constraints.clone() };
        if is_plain {
            check_literal(&literal, "example", raw, constraints, sink);
        }
        Some(literal)
    }
}

/// Returns whether the values of a type are numbers of a limited size.
fn has_fixed_size(ty: &Type) -> bool {
    matches!(ty, Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_) | Type::Float | Type::Double)
}

fn is_number(ty: &Type) -> bool {
    has_fixed_size(ty) || *ty == Type::Number
}

/// Returns whether the values of a type are ordered.
fn is_ordered(ty: &Type) -> bool {
    is_number(ty) || *ty == Type::Lexical(Lexical::Decimal)
}

/// Reports constraints that do not apply to the type.
fn check_applicable(written: &WrittenConstraints<'_>, ty: &Type, sink: &mut Sink) {
    let inner = ty.innermost_type();
    let mut only = |applies: bool, span: Option<Span>, key: &str, kinds: &str| {
        if let (false, Some(span)) = (applies, span) {
            sink.report(Code::Misplaced, span, format!("`{key}` does not apply to this type"))
                .help(format!("it applies to {kinds}"));
        }
    };
    let text = matches!(inner, Type::String);
    let textual = inner.is_textual();
    let numbers = "numbers, and lists and maps of them";
    let texts = "strings, and lists and maps of them";
    let raw = |raw: Option<&Raw>| raw.map(|raw| raw.0.span);
    only(
        textual || matches!(inner, Type::Bytes(_)),
        written.length.map(|range| range.span),
        "length",
        "strings and bytes",
    );
    only(textual, written.pattern.map(|pattern| pattern.span), "pattern", texts);
    only(text, written.format.map(|format| format.span), "format", texts);
    only(text, written.known.first().map(|(name, _)| name.span), "known_values", texts);
    let uri = written.format.is_some_and(|format| format.value == field::Format::Uri);
    only(uri, written.schemes.first().map(|scheme| scheme.span), "schemes", "strings with `format: uri`");
    only(is_ordered(inner), raw(written.min), "min", numbers);
    only(is_ordered(inner), raw(written.max), "max", numbers);
    only(
        has_fixed_size(inner),
        raw(written.clamp),
        "clamp",
        "integers, `float` and `double`, and lists and maps of them",
    );
    only(is_number(inner), raw(written.multiple_of), "multiple_of", numbers);
    only(ty.is_collection(), written.items.map(|range| range.span), "items", "lists and maps");
    only(matches!(ty, Type::Map(_)), written.keys.map(|keys| keys.span), "keys", "maps");
    only(matches!(ty, Type::List(_)), written.unique.map(|unique| unique.span), "unique", "lists");
}

fn check_order(
    written: &WrittenConstraints<'_>,
    min: Option<Number>,
    max: Option<Number>,
    exclusive: Exclusive,
    sink: &mut Sink,
) {
    let (Some(low), Some(high), Some(raw)) = (min, max, written.min) else { return };
    if is_above(low, high) {
        sink.report(Code::BadRange, raw.0.span, "`min` is greater than `max`");
    } else if (exclusive.min || exclusive.max) && !is_above(high, low) {
        sink.report(Code::BadRange, raw.0.span, "no value is within `min` and `max`, which are equal");
    }
}

/// Resolves the known values of an open string; reports duplicate values and aliases.
fn known(written: &WrittenConstraints<'_>, sink: &mut Sink) -> Vec<KnownValue> {
    let mut spellings = super::names::WireNames::default();
    written
        .known
        .iter()
        .map(|(value, Short(known))| {
            spellings.take(&value.text, value.span, &known.aliases, sink);
            KnownValue {
                value: value.text.clone(),
                aliases: known.aliases.iter().map(|alias| alias.text.clone()).collect(),
                doc: known.doc.as_ref().map(|doc| doc.text.clone()).unwrap_or_default(),
            }
        })
        .collect()
}

/// Converts a format of the schema to that of the model.
fn format(format: field::Format) -> Format {
    match format {
        field::Format::Email => Format::Email,
        field::Format::Uri => Format::Uri,
        field::Format::TimeZone => Format::TimeZone,
        field::Format::Recurrence => Format::Recurrence,
        field::Format::MediaType => Format::MediaType,
        field::Format::Etag => Format::Etag,
        field::Format::PageToken => Format::PageToken,
        field::Format::SyncToken => Format::SyncToken,
        field::Format::Hostname => Format::Hostname,
        field::Format::Ip => Format::Ip,
        field::Format::Uuid => Format::Uuid,
        field::Format::Html => Format::Html,
        field::Format::FieldMask => Format::FieldMask,
    }
}
