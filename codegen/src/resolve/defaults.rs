//! Defaults of resources, which are compared with their types when all types are known.

use serde_json::Value;

use super::forms;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Api, Type};

impl Tables<'_> {
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
        (Type::Float | Type::Double, value) => value.is_number(),
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
