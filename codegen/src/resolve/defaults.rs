//! Defaults of lists, maps and resources; those of resources are compared with their types when all types are known.

use serde_json::Value;

use super::tables::Tables;
use super::violations::check_literal;
use super::{forms, literals};
use crate::diagnostics::{Code, Sink};
use crate::model::{Api, Constraints, Decimal, Literal, Number, Type};
use crate::schema::read::Raw;
use crate::schema::yaml;

impl Tables<'_> {
    /// Returns the JSON of a default, with the elements of a list within the constraints.
    pub(super) fn json_default(
        &self,
        raw: &Raw,
        ty: &Type,
        constraints: &Constraints,
        sink: &mut Sink,
    ) -> Option<Value> {
        if let (Type::List(inner), yaml::Value::List(nodes)) = (ty, &raw.0.value) {
            let range = constraints.items.map(|range| (range.min.unwrap_or(0), range.max.unwrap_or(u64::MAX)));
            let count = u64::try_from(nodes.len()).unwrap_or(u64::MAX);
            if range.is_some_and(|(least, most)| !(least..=most).contains(&count)) {
                let report = sink.report(Code::BadValue, raw.0.span, "the default violates `items`");
                report.help("change the default or `items`");
            }
            let each = constraints.for_elements();
            let elements = nodes.iter().map(|node| self.json_default(&Raw(node.clone()), inner, &each, sink));
            return elements.collect::<Option<Vec<_>>>().map(Value::Array);
        }
        if let (Type::Map(inner), yaml::Value::Map(entries)) = (ty, &raw.0.value) {
            let each = constraints.for_elements();
            let values = entries.iter().map(|entry| {
                Some((entry.key.clone(), self.json_default(&Raw(entry.value.clone()), inner, &each, sink)?))
            });
            return values.collect::<Option<serde_json::Map<_, _>>>().map(Value::Object);
        }
        match ty {
            Type::Nullable(_) if raw.0.is_null() => return Some(Value::Null),
            Type::Nullable(inner) => return self.json_default(raw, inner, constraints, sink),
            Type::Resource(_) => return self.object_default(raw, ty, sink),
            _ => {}
        }
        let found = self.literal(raw, ty, "default", sink)?;
        check_literal(&found, "default", raw, constraints, sink);
        Some(match found {
            Literal::Bool(flag) => flag.into(),
            Literal::Number(Number::Int(value)) if ty.is_decimal_string() => value.to_string().into(),
            Literal::Number(Number::Int(value)) => {
                i64::try_from(value).map_or_else(|_| Value::from(u64::try_from(value).unwrap_or_default()), Value::from)
            }
            Literal::Number(Number::Float(value)) => value.into(),
            Literal::Number(Number::Decimal(value)) if *ty == Type::Number => return exact_json(value, raw, sink),
            Literal::Number(Number::Decimal(value)) => value.to_string().into(),
            Literal::Text(text) => text.into(),
            Literal::Enum(id, index) => self.enum_json(id, index),
            Literal::Json(value) => value,
        })
    }

    /// Returns the default of a resource, whose fields are known later.
    fn object_default(&self, raw: &Raw, ty: &Type, sink: &mut Sink) -> Option<Value> {
        let found = literals::json(&raw.0).filter(Value::is_object);
        let Some(value) = found else {
            sink.report(Code::BadValue, raw.0.span, "expected a mapping of fields as default")
                .help("write `{}` for a resource without fields");
            return None;
        };
        self.object_defaults.borrow_mut().push((ty.clone(), value.clone(), raw.0.span));
        Some(value)
    }

    /// Reports defaults that cannot be decoded as their types.
    pub fn check_object_defaults(&self, api: &Api, sink: &mut Sink) {
        for (ty, default, span) in &*self.object_defaults.borrow() {
            if let Some(place) = mismatch(api, ty, default, "default") {
                let message = format!("the value at `{}` is not one of its type", place.escape_debug());
                sink.report(Code::BadValue, *span, message).help("change the default");
            }
        }
    }
}

/// Returns a number of any size as JSON; reports one that JSON values of the generator would round.
fn exact_json(number: Decimal, raw: &Raw, sink: &mut Sink) -> Option<Value> {
    let found: Option<Value> = serde_json::from_str(&number.to_string()).ok();
    let exact = found.filter(|found| Decimal::parse_json(&found.to_string()) == Some(number));
    if exact.is_none() {
        sink.report(Code::BadValue, raw.0.span, "a number in the default of a list or a map has at most 17 digits")
            .help("write fewer digits");
    }
    exact
}

/// Returns the place of a value that cannot be decoded as its type.
fn mismatch(api: &Api, ty: &Type, value: &Value, place: &str) -> Option<String> {
    let inner = |ty: &Type, value: &Value, key: &str| mismatch(api, ty, value, &format!("{place}.{key}"));
    let text = |fits: fn(&str) -> bool| value.as_str().is_some_and(fits);
    let fits = match (ty, value) {
        (Type::List(of), Value::Array(items)) => {
            return items.iter().enumerate().find_map(|(index, item)| inner(of, item, &index.to_string()));
        }
        (Type::Map(of), Value::Object(members)) => {
            return members.iter().find_map(|(key, value)| inner(of, value, key));
        }
        (Type::Resource(id), Value::Object(members)) => {
            let resource = api.resource(*id);
            return members.iter().filter(|(_, value)| !value.is_null()).find_map(|(key, value)| {
                let named = resource.fields.iter().find(|field| !field.is_rest && field.name.wire == *key);
                match (named, resource.rest_field().map(|rest| &rest.ty)) {
                    (Some(field), _) => inner(&field.ty, value, key),
                    (None, Some(Type::Map(of))) => inner(of, value, key),
                    (None, _) => None,
                }
            });
        }
        (Type::Nullable(_), Value::Null) => true,
        (Type::Nullable(of), value) => return mismatch(api, of, value, place),
        (Type::Any | Type::Union(_) | Type::Enum(_) | Type::Unresolved, _) => true,
        (Type::Bool, value) => value.is_boolean(),
        (Type::Int64(_) | Type::Uint64(_), Value::String(text)) if ty.is_decimal_string() => {
            let range = ty.integer_range().unwrap_or_default();
            text.parse().is_ok_and(|number: i128| (range.0..=range.1).contains(&number))
        }
        (Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_), Value::Number(number)) => {
            let range = ty.integer_range().unwrap_or_default();
            let number = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            !ty.is_decimal_string() && number.is_some_and(|number| (range.0..=range.1).contains(&number))
        }
        (Type::Float | Type::Double | Type::Number, value) => value.is_number(),
        (Type::Object, value) => value.is_object(),
        (Type::String, value) => value.is_string(),
        (Type::Bytes(_), _) => text(forms::is_base64),
        (Type::Date, _) => text(forms::is_date),
        (Type::DateTime, _) => text(forms::is_date_time),
        (Type::Duration, _) => text(forms::is_duration),
        (Type::Lexical(lexical), value) => value.as_str().is_some_and(|text| forms::is_lexical(*lexical, text)),
        (Type::List(_) | Type::Map(_) | Type::Resource(_), _) => false,
        (Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_), _) => false,
    };
    (!fits).then(|| place.to_owned())
}
