//! Descriptions of types for messages.

use super::Checker;
use crate::model::condition::CelType;
use crate::model::{Lexical, Type};

impl Checker<'_> {
    /// Returns a description of a type within a sentence: `a text`.
    pub fn describe(&self, ty: &CelType) -> String {
        let api = self.scope.api;
        match ty {
            CelType::Bool => "a boolean".into(),
            CelType::Int => "an integer".into(),
            CelType::Uint => "an unsigned integer".into(),
            CelType::Double => "a floating-point number".into(),
            CelType::String => "a string".into(),
            CelType::Bytes => "bytes".into(),
            CelType::Timestamp => "a date-time".into(),
            CelType::Date => "a date".into(),
            CelType::Duration => "a duration".into(),
            CelType::Enum(id) => format!("a value of the enum `{}`", api.enumeration(*id).name.wire),
            CelType::Any => "any JSON value".into(),
            CelType::Object => "any JSON object".into(),
            CelType::Null => "null".into(),
            CelType::Resource(id) => format!("the resource `{}`", api.resource(*id).name.wire),
            CelType::Patch(id) => format!("a merge patch of `{}`", api.resource(*id).name.wire),
            CelType::List(inner) if **inner == CelType::Null => "an empty list".into(),
            CelType::List(inner) => format!("a list ({})", self.describe(inner)),
            CelType::Map(inner) => format!("a map ({})", self.describe(inner)),
            CelType::Tuple(_) => "several values".into(),
        }
    }
}

/// Returns why conditions cannot read values of a type.
pub fn unreadable_reason(ty: &Type) -> &'static str {
    match ty.innermost_type() {
        Type::Lexical(Lexical::Decimal) => "decimal numbers in conditions",
        Type::Lexical(Lexical::IsoDuration) => "ISO 8601 durations in conditions",
        Type::Lexical(_) => "times of day and HTTP dates in conditions",
        _ => "unions and nullable elements in conditions",
    }
}
