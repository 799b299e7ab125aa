//! Schemas of values: types and constraints.

mod numbers;

use serde_json::Value;

use super::catalogue::{Catalogue, SchemaUse, reference};
use super::json::{Json, Object, object};
use super::{literal, regexes, wire};
use crate::model::{Constraints, ElementConstraints, Encoding, Enum, Field, Format, Lexical, Range, RawContent, Type};
use crate::patterns;
pub use numbers::{digits, end, is_decimal, number};
use numbers::{float, integer_schema};

/// Meaning of an empty list or map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// It is absent, so that no minimum applies.
    Absent,
    /// It is absent although a value is required.
    Missing,
    /// It is a value, to which the minimum applies.
    Value,
}

impl Empty {
    /// Returns the meaning for a field.
    pub fn of_field(field: &Field, required: bool) -> Self {
        if field.explicit_presence { Self::Value } else { Self::of_implicit(required) }
    }

    /// Returns the meaning where an empty collection is not written.
    pub const fn of_implicit(required: bool) -> Self {
        if required { Self::Missing } else { Self::Absent }
    }
}

/// Returns the schema of a type's values. Constraints on texts and numbers apply to each element of a list or map.
pub fn schema(of: &Catalogue<'_>, ty: &Type, constraints: &Constraints, usage: SchemaUse, empty: Empty) -> Object {
    match ty {
        Type::Bool => object().with("type", "boolean").merged(constant(of, ty, constraints)),
        Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_) => integer_schema(of, ty, constraints, usage),
        Type::Float | Type::Double | Type::Number => float(of, ty, constraints),
        Type::String => text(of, ty, constraints),
        Type::Bytes(encoding) => bytes(*encoding, constraints),
        Type::Date => object().with("type", "string").with("format", "date"),
        Type::DateTime => reference(wire::DATE_TIME),
        Type::Duration => reference(wire::DURATION),
        Type::Lexical(lexical) => self::lexical(of, ty, *lexical, constraints),
        Type::Any | Type::Unresolved => constant(of, ty, constraints),
        Type::Union(id) => of.union_reference(*id, usage),
        Type::Object => object().with("type", "object"),
        Type::Resource(id) => of.resource_reference(*id, usage),
        Type::Enum(id) if constraints.constant.is_none() => of.enum_reference(*id, usage),
        Type::Enum(id) => {
            let kind = enum_type(of.api.enumeration(*id)).get("type").cloned();
            object().with_some("type", kind).merged(constant(of, ty, constraints))
        }
        Type::List(inner) => list(of, inner, constraints, usage, empty),
        Type::Map(inner) => map(of, inner, constraints, usage, empty),
        Type::Nullable(inner) => nullable(schema(of, inner, constraints, usage, empty)),
    }
}

/// Returns the schema of a type's values without constraints.
pub fn unconstrained(of: &Catalogue<'_>, ty: &Type, usage: SchemaUse) -> Object {
    schema(of, ty, &Constraints::default(), usage, Empty::Value)
}

/// Returns the schema of a body, with the constraints on it and its elements as lists and maps.
pub fn body(of: &Catalogue<'_>, ty: &Type, counts: &[ElementConstraints], usage: SchemaUse) -> Object {
    schema(of, ty, &Constraints::of_collection(counts), usage, Empty::Value)
}

/// Makes a schema nullable, if null is equivalent to absent or clears the value.
pub fn nullable(schema: Object) -> Object {
    let is_null = schema.get("const").is_some_and(|value| *value == Json::from(Value::Null));
    if schema.is_empty() || is_null {
        return schema;
    }
    let null = object().with("type", "null");
    let simple = schema.get("const").is_none() && schema.get("enum").is_none();
    match (schema.get("type").cloned(), schema.get("anyOf").cloned()) {
        (Some(ty), None) if simple => {
            let types = match ty {
                Json::List(types) => types,
                one => vec![one],
            };
            let types = types.into_iter().filter(|ty| *ty != Json::from("null"));
            schema.with("type", Json::List(types.chain([Json::from("null")]).collect()))
        }
        (None, Some(Json::List(alternatives))) => {
            let null = Json::from(null);
            let alternatives = alternatives.into_iter().filter(|one| *one != null);
            schema.with("anyOf", Json::List(alternatives.chain([null.clone()]).collect()))
        }
        _ => object().with("anyOf", vec![schema, null]),
    }
}

/// Returns the schema of a list, with the constraints on its elements and on their number.
fn list(of: &Catalogue<'_>, inner: &Type, constraints: &Constraints, usage: SchemaUse, empty: Empty) -> Object {
    // A list is replaced as a whole, even by a patch.
    let usage = match usage {
        SchemaUse::Patch(operation) => SchemaUse::Request(operation),
        usage => usage,
    };
    let each = schema(of, inner, &constraints.for_elements(), usage, Empty::Value);
    let list = object().with("type", "array").with("items", each);
    with_count(list, constraints, ["minItems", "maxItems"], empty).with_true("uniqueItems", constraints.unique)
}

/// Returns the schema of a map; in a patch, null removes an entry and the number of entries is not limited.
fn map(of: &Catalogue<'_>, inner: &Type, constraints: &Constraints, usage: SchemaUse, empty: Empty) -> Object {
    let each = schema(of, inner, &constraints.for_elements(), usage, Empty::Value);
    let (each, counts) = match usage {
        // Entries are patched individually, so the resulting number is unknown.
        SchemaUse::Patch(_) => (nullable(each), false),
        _ => (each, true),
    };
    let keys = constraints.keys.as_ref().map(|keys| {
        let text = text(of, &Type::String, &keys.constraints());
        // The pattern in its own notation, which is read back.
        text.with_some("x-wireform-pattern", keys.pattern.as_deref())
    });
    let map = object().with("type", "object").with("additionalProperties", each);
    let map = keys.into_iter().fold(map, |map, keys| map.with("propertyNames", keys));
    if counts { with_count(map, constraints, ["minProperties", "maxProperties"], empty) } else { map }
}

/// Adds the number of elements.
fn with_count(schema: Object, constraints: &Constraints, [least, most]: [&str; 2], empty: Empty) -> Object {
    let Range { min, max } = constraints.items.unwrap_or(Range { min: None, max: None });
    let schema = schema.with_some(most, max);
    match (empty, min.unwrap_or(0)) {
        (Empty::Missing, min) => schema.with(least, min.max(1)),
        (_, 0) | (Empty::Absent, 1) => schema,
        (Empty::Value, min) => schema.with(least, min),
        (Empty::Absent, min) => schema.with("anyOf", vec![object().with(most, 0_u64), object().with(least, min)]),
    }
}

/// Returns the schema of a lexical format. A known format needs no pattern.
fn lexical(of: &Catalogue<'_>, ty: &Type, lexical: Lexical, constraints: &Constraints) -> Object {
    let format = match lexical {
        Lexical::Decimal => "decimal",
        Lexical::IsoDuration => "duration",
        Lexical::Time => "time",
        Lexical::HttpDate => "http-date",
    };
    text(of, ty, constraints).with("format", format)
}

/// Returns the schema of a string with its length, pattern, URI schemes and format.
fn text(of: &Catalogue<'_>, ty: &Type, constraints: &Constraints) -> Object {
    let pattern = constraints.pattern.as_deref().and_then(patterns::to_ecma);
    let schemes = (!constraints.schemes.is_empty()).then(|| regexes::schemes(&constraints.schemes));
    let (pattern, also) = match (pattern, schemes) {
        (Some(pattern), also) => (Some(pattern), also),
        (None, schemes) => (schemes, None),
    };
    let length = constraints.length.unwrap_or(Range { min: None, max: None });
    let schema = object()
        .with("type", "string")
        .with_some("minLength", length.min)
        .with_some("maxLength", length.max)
        .with_some("pattern", pattern)
        .with_list("allOf", also.map(|also| object().with("pattern", also)));
    let schema = match constraints.format {
        Some(Format::Ip) => schema.with("anyOf", ["ipv4", "ipv6"].map(|one| object().with("format", one)).to_vec()),
        format => schema.with_some("format", format.map(format_name)),
    };
    schema.merged(constant(of, ty, constraints))
}

/// Returns the name of a format, that of JSON Schema if there is one.
pub fn format_name(format: Format) -> &'static str {
    match format {
        Format::Email => "email",
        Format::Uri => "uri",
        Format::TimeZone => "time-zone",
        Format::Recurrence => "recurrence",
        Format::MediaType => "media-type",
        Format::Etag => "etag",
        Format::PageToken => "page-token",
        Format::SyncToken => "sync-token",
        Format::Hostname => "hostname",
        Format::Ip => "ip",
        Format::Uuid => "uuid",
        Format::Html => "html",
        Format::FieldMask => "field-mask",
    }
}

/// Returns the schema of base64 data. Both alphabets are accepted, with and without padding.
fn bytes(encoding: Encoding, constraints: &Constraints) -> Object {
    if encoding == Encoding::File {
        let counted = |length: &Range| object().with_some("min", length.min).with_some("max", length.max);
        return object()
            .with("type", "string")
            .with("format", "binary")
            .with_some("x-wireform-bytes", constraints.length.as_ref().map(counted));
    }
    let schema = object().with("type", "string").with("format", "byte").with(
        "contentEncoding",
        match encoding {
            Encoding::Base64 | Encoding::Base64Unpadded => "base64",
            _ => "base64url",
        },
    );
    let Some(length) = constraints.length else { return schema };
    let counted = object().with_some("min", length.min).with_some("max", length.max);
    schema
        .with_some("minLength", length.min.map(|least| least.saturating_mul(4).div_ceil(3)))
        .with_some("maxLength", length.max.map(|most| most.div_ceil(3).saturating_mul(4)))
        .with("x-wireform-bytes", counted)
}

/// Returns `{"const": …}` for a value with a constant; otherwise an empty object.
fn constant(of: &Catalogue<'_>, ty: &Type, constraints: &Constraints) -> Object {
    object().with_some("const", constraints.constant.as_ref().map(|value| literal(of.api, ty, value)))
}

/// Returns the schema of raw content.
pub fn raw(raw: RawContent) -> Object {
    let text = object().with("type", "string");
    match raw {
        RawContent::Bytes => text.with("format", "binary"),
        RawContent::Text => text,
    }
}

/// Returns the wire type of an enum's values.
pub fn enum_type(definition: &Enum) -> Object {
    let format = match definition.wire_type {
        None => return object().with("type", "string"),
        Some(Type::Double) => return object().with("type", "number").with("format", "double"),
        Some(Type::Any) => {
            let types: Vec<Json> = ["string", "number", "boolean"].into_iter().map(Json::from).collect();
            return object().with("type", types);
        }
        Some(Type::Int32) => "int32",
        Some(Type::Uint32) => "uint32",
        Some(Type::Uint64(_)) => "uint64",
        Some(_) => "int64",
    };
    object().with("type", "integer").with("format", format)
}

/// Returns the constraints of a field in a use of its schema.
pub fn constraints(field: &Field, usage: SchemaUse) -> Constraints {
    let holds = match (&field.constrained, usage) {
        (None, _) => true,
        (Some(operations), SchemaUse::Request(operation) | SchemaUse::Patch(operation)) => {
            operations.contains(&operation)
        }
        (Some(_), _) => false,
    };
    if holds {
        return field.constraints.clone();
    }
    field.constraints.outside_constrained_operations()
}
