//! Schemas of numbers.

use serde_json::{Number as JsonNumber, Value};

use super::super::json::{Json, Object, integer, object};
use super::constant;
use crate::emit::openapi::catalogue::{Catalogue, SchemaUse, reference};
use crate::emit::openapi::wire;
use crate::model::{Constraints, Encoding, Literal, Number, Type};

/// Returns the schema of an integer, or of one as a decimal string.
pub fn integer_schema(of: &Catalogue<'_>, ty: &Type, constraints: &Constraints, usage: SchemaUse) -> Object {
    let format = integer_format(ty);
    let (least, most) = ty.integer_range().unwrap_or_default();
    let end = |number: Option<Number>, otherwise: i128| match number {
        Some(Number::Int(number)) => number,
        _ => otherwise,
    };
    let (min, max) = (end(constraints.min, least).max(least), end(constraints.max, most).min(most));
    if !is_decimal(ty) {
        let schema = object().with("type", "integer").with("format", format);
        let schema = schema.with("minimum", integer(min)).with("maximum", integer(max));
        let schema = schema.with_some("multipleOf", constraints.multiple_of.map(number));
        return schema.merged(constant(of, ty, constraints));
    }
    let sent = !matches!(usage, SchemaUse::Response | SchemaUse::Parameter);
    if let Some(Literal::Number(Number::Int(value))) = &constraints.constant {
        let text = object().with("const", value.to_string());
        return if sent { object().with("enum", vec![Json::from(value.to_string()), integer(*value)]) } else { text };
    }
    if (min, max) != (least, most) {
        return wire::decimal(min, max, sent);
    }
    reference(match (ty, sent) {
        (Type::Uint64(_), false) => wire::UINT64,
        (Type::Uint64(_), true) => wire::UINT64_INPUT,
        (_, false) => wire::INT64,
        (_, true) => wire::INT64_INPUT,
    })
}

/// Returns the OpenAPI format of an integer.
fn integer_format(ty: &Type) -> &'static str {
    match ty {
        Type::Int32 => "int32",
        Type::Uint32 => "uint32",
        Type::Uint64(_) => "uint64",
        Type::Int64(Encoding::UnixSeconds) => "unixtime",
        Type::Int64(Encoding::UnixMilliseconds) => "unixtime-ms",
        _ => "int64",
    }
}

/// Returns whether it is a decimal string.
pub fn is_decimal(ty: &Type) -> bool {
    ty.is_decimal_string()
}

/// Returns the schema of a number other than an integer; without bounds, a `float` is limited to the range of `f32`.
pub fn float(of: &Catalogue<'_>, ty: &Type, constraints: &Constraints) -> Object {
    // Larger numbers would be infinite in the type.
    let end = (*ty == Type::Float).then_some(Number::Float(f32::MAX.into()));
    let low = end.map(|_| Number::Float(f32::MIN.into()));
    let format = match ty {
        Type::Float => Some("float"),
        Type::Double => Some("double"),
        _ => None,
    };
    object()
        .with("type", "number")
        .with_some("format", format)
        .with_some(
            if constraints.exclusive.min { "exclusiveMinimum" } else { "minimum" },
            constraints.min.or(low).map(number),
        )
        .with_some(
            if constraints.exclusive.max { "exclusiveMaximum" } else { "maximum" },
            constraints.max.or(end).map(number),
        )
        .with_some("multipleOf", constraints.multiple_of.map(number))
        .merged(constant(of, ty, constraints))
}

/// Returns a number as JSON.
pub fn number(value: Number) -> Json {
    match value {
        Number::Int(value) => integer(value),
        Number::Float(value) => {
            JsonNumber::from_f64(value).map_or_else(|| Json::from(0_u64), |it| Value::from(it).into())
        }
        Number::Decimal(value) => Json::Number(value.to_string()),
    }
}

/// Returns an end of a range as the schema language writes it.
pub fn end(value: Option<Json>, is_exclusive: bool) -> Option<Json> {
    let value = value?;
    Some(if is_exclusive { object().with("exclusive", value).into() } else { value })
}

/// Returns a number as decimal digits.
pub fn digits(value: Number) -> String {
    match value {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
        Number::Decimal(value) => value.to_string(),
    }
}
