//! Converts the values of the cases to JSON of the schema. In the cases, timestamps are seconds, bytes are plain text,
//! and fields have the names of the Smithy model.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use wireform_codegen::model::{Api, Operation, ResourceId, Type};
use wireform_runtime::Bytes;

/// Converter of values to JSON.
pub struct Values<'a> {
    api: &'a Api,
    /// Wire names by field key, by resource.
    names: BTreeMap<String, BTreeMap<String, String>>,
}

impl<'a> Values<'a> {
    /// Creates a converter for the schema in a folder.
    pub fn new(api: &'a Api, folder: &Path) -> Self {
        let mut names = BTreeMap::new();
        for source in wireform_tests::sources(folder) {
            let schema: Value = serde_yaml::from_str(&source.text).expect("a schema is YAML");
            for (resource, written) in schema["resources"].as_object().into_iter().flatten() {
                let fields = written["fields"].as_object().into_iter().flatten();
                let name = |(key, field): (&String, &Value)| {
                    (key.clone(), field["wire_name"].as_str().unwrap_or(key).to_owned())
                };
                names.insert(resource.clone(), fields.map(name).collect());
            }
        }
        Self { api, names }
    }

    /// Returns the parameters in the order of the schema, and the body. An empty object is a body if the message has
    /// one.
    pub fn request(
        &self,
        operation: &Operation,
        params: &Value,
        has_body: bool,
        left_out: &mut dyn FnMut(&str) -> bool,
    ) -> (Vec<Value>, Value) {
        let mut members = params.as_object().cloned().unwrap_or_default();
        let mut parameter = |key: &str, ty| members.remove(key).map_or(Value::Null, |value| self.value(ty, &value));
        let parameters = operation.parameters.iter().map(|one| parameter(&one.key, &one.ty)).collect();
        let Some(body) = &operation.body else {
            members.retain(|member, _| !left_out(member));
            assert!(members.is_empty(), "{}: {members:?} is not in the schema", operation.name);
            return (parameters, Value::Null);
        };
        let none = members.is_empty() && !body.required && !has_body;
        let sent = if none { Value::Null } else { self.payload(&operation.name, &body.ty, members, left_out) };
        (parameters, if sent.is_null() && body.required { json!({}) } else { sent })
    }

    /// Returns the body of a response.
    pub fn response(&self, operation: &Operation, params: &Value, left_out: &mut dyn FnMut(&str) -> bool) -> Value {
        let members = params.as_object().cloned().unwrap_or_default();
        match operation.responses.first().and_then(|response| response.ty.as_ref()) {
            Some(ty) => self.payload(&operation.name, ty, members, left_out),
            None if members.is_empty() => Value::Null,
            None => Value::String("the response has no body that could contain it".into()),
        }
    }

    /// Returns a body: an object with the fields, or the single field that is the body.
    fn payload(
        &self,
        operation: &str,
        ty: &Type,
        mut members: Map<String, Value>,
        left_out: &mut dyn FnMut(&str) -> bool,
    ) -> Value {
        let names = match ty {
            Type::Resource(id) => self.names(*id),
            _ => &BTreeMap::new(),
        };
        members.retain(|member, _| names.contains_key(member) || !left_out(member));
        let unknown_fields: Vec<_> = members.keys().filter(|member| !names.contains_key(*member)).cloned().collect();
        match unknown_fields.as_slice() {
            [] => self.value(ty, &Value::Object(members)),
            [payload] if members.len() == 1 => self.value(ty, &members[payload]),
            _ => panic!("{operation}: {unknown_fields:?} are not in the schema"),
        }
    }

    fn names(&self, id: ResourceId) -> &BTreeMap<String, String> {
        &self.names[&self.api.resource(id).name.wire]
    }

    fn value(&self, ty: &Type, value: &Value) -> Value {
        match (ty, value) {
            (_, Value::Null) => Value::Null,
            (Type::DateTime, Value::Number(seconds)) => rfc3339(seconds.as_f64().unwrap_or_default()).into(),
            (Type::String, Value::Number(seconds)) => http_date(seconds.as_i64().unwrap_or_default()).into(),
            (Type::String, Value::Array(items)) => items.iter().map(element).collect::<Vec<_>>().join(", ").into(),
            (Type::Bytes(_), Value::String(text)) => Bytes::standard(text.as_bytes()).to_string().into(),
            (Type::List(inner), Value::Array(items)) => items.iter().map(|item| self.value(inner, item)).collect(),
            (Type::Map(inner), Value::Object(entries)) => {
                entries.iter().map(|(key, value)| (key.clone(), self.value(inner, value))).collect()
            }
            (Type::Resource(id), Value::Object(members)) => self.object(*id, members),
            _ => value.clone(),
        }
    }

    fn object(&self, id: ResourceId, members: &Map<String, Value>) -> Value {
        let names = self.names(id);
        let resource = self.api.resource(id);
        let member = |(key, value): (&String, &Value)| {
            let wire = names.get(key).unwrap_or_else(|| panic!("{} has no `{key}`", resource.name.wire));
            let field =
                resource.fields.iter().find(|field| field.name.wire == *wire).expect("the field is in the model");
            (wire.clone(), self.value(&field.ty, value))
        };
        members.iter().map(member).filter(|(_, value)| !value.is_null()).collect()
    }
}

/// Formats an element of a list in a header (RFC 9110, section 5.6.4), quoted if it contains a comma or quotes. Numbers
/// that can be timestamps become HTTP dates.
fn element(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\\\"")),
        Value::String(text) => text.clone(),
        Value::Number(seconds) if seconds.as_i64().is_some_and(|seconds| seconds > 1_000_000_000) => {
            http_date(seconds.as_i64().unwrap_or_default())
        }
        other => other.to_string(),
    }
}

/// Returns the year, month, day and weekday of a date; the weekday 0 is Thursday, the first day of the epoch.
fn date(days: i64) -> (i64, i64, i64, i64) {
    // Years start in March, so that the leap day is the last (Howard Hinnant's algorithm).
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day, days.rem_euclid(7))
}

fn rfc3339(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the cases are in this century")]
    let millis = (seconds * 1000.0).round() as i64;
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, day, _) = date(days);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    let fraction = if rest % 1000 == 0 { String::new() } else { format!(".{:03}", rest % 1000) };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

fn http_date(seconds: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day, weekday) = date(days);
    let word = |words: &[&'static str], index: i64| usize::try_from(index).map_or("", |index| words[index]);
    let (weekday, month) = (word(&DAYS, weekday), word(&MONTHS, month - 1));
    format!("{weekday}, {day:02} {month} {year:04} {:02}:{:02}:{:02} GMT", rest / 3600, rest / 60 % 60, rest % 60)
}

#[test]
fn points_in_time_are_written_in_both_ways() {
    assert_eq!(rfc3339(1_576_540_098.0), "2019-12-16T23:48:18Z");
    assert_eq!(rfc3339(946_845_296.123), "2000-01-02T20:34:56.123Z");
    assert_eq!(http_date(1_398_796_238), "Tue, 29 Apr 2014 18:30:38 GMT");
}
