//! A value that the generated validation accepts is valid by the schema of the document, and one that it rejects is
//! not.

use std::cell::Cell;

use boon::Schemas;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use wireform_codegen::model::{Api, Field, Format, Resource, Type};

use super::judge::{SUBJECTS, Subject};
use super::{Document, documents};
use crate::round_trip::values;

/// Number of values for each schema.
const VALUES: u32 = 160;

/// Returns values of all kinds, including those at the limits of types.
fn anything() -> BoxedStrategy<Value> {
    let texts = [
        "",
        "x",
        "12",
        "-12",
        "-0",
        "007",
        "1e3",
        "9223372036854775807",
        "9223372036854775808",
        "2026-02-29",
        "2026-02-28",
        "2024-02-29",
        "2026-01-01T10:00:00",
        "2026-01-01t23:59:60",
        "2026-01-01T10:00:00Z",
        "2026-01-01T24:00:00",
        "1s",
        "1.5",
        "a@b.example",
        "https://example.com/",
        "value of a later version",
    ];
    let others = vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.0),
        json!(1.5),
        json!(40320),
        json!(40321),
        json!(2_147_483_647),
        json!(2_147_483_648_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!([]),
        json!([null]),
        json!([""]),
        json!({}),
        json!({ "a": null }),
        json!({ "a": "b" }),
    ];
    let all: Vec<Value> = texts.into_iter().map(Value::from).chain(others).collect();
    proptest::sample::select(all).boxed()
}

/// Returns valid texts of a format, and nearly valid ones.
fn of_format(format: Format) -> BoxedStrategy<Value> {
    let texts: &[&str] = match format {
        Format::Email => &["a@b.example", "\"a b\"@c", "a@@b", "a@"],
        Format::Uri => &["https://a.example/b?c", "HTTP://x", "ftp://x", "tel:+1-201-555-0123", "no address", "http:"],
        Format::TimeZone => &["Europe/Zurich", "UTC", "Mars/Olympus"],
        Format::Recurrence => &["RRULE:FREQ=DAILY;COUNT=2", "EXDATE;VALUE=DATE:20260101", "FREQ=DAILY", "RRULE:"],
        Format::MediaType => &["text/plain", "text/plain; charset=utf-8", "text", "a/b/c"],
        _ => &["", "any text"],
    };
    proptest::sample::select(texts.iter().map(|text| json!(text)).collect::<Vec<_>>()).boxed()
}

/// Returns values of a field, most of them valid.
fn of_member(api: &Api, field: &Field) -> BoxedStrategy<Value> {
    let constraints = &field.constraints;
    let typed = values::arbitrary(api, &field.ty, 3);
    let meant = match (&constraints.pattern, constraints.format, &constraints.constant) {
        _ if field.is_kind => {
            let value = match &constraints.constant {
                Some(wireform_codegen::model::Literal::Text(text)) => json!(text),
                _ => json!("?"),
            };
            Just(value).boxed()
        }
        (Some(pattern), ..) => {
            proptest::string::string_regex(pattern).expect("a pattern").prop_map(Value::from).boxed()
        }
        (_, Some(format), _) => of_format(format),
        _ if *field.ty.innermost_type() == Type::Int32 => (-2..50_000_i32).prop_map(Value::from).boxed(),
        _ if matches!(field.ty.innermost_type(), Type::String) => ".{0,600}".prop_map(Value::from).boxed(),
        _ => return prop_oneof![6 => typed, 1 => anything()].boxed(),
    };
    let meant = match &field.ty {
        Type::List(_) => proptest::collection::vec(meant, 0..30).prop_map(Value::Array).boxed(),
        Type::Map(_) => meant.prop_map(|value| json!({ "a": value })).boxed(),
        _ => meant,
    };
    prop_oneof![8 => meant, 2 => typed, 1 => anything()].boxed()
}

/// Returns objects with some of the fields of a resource, without those that have an effect only with a parameter.
fn of_resource(api: &Api, resource: &Resource) -> BoxedStrategy<Value> {
    // About four fields, so that valid objects are not rare.
    let usual = (4.0 / resource.fields.len() as f64).min(0.6);
    let mut object = Just(Map::new()).boxed();
    let required = |field: &Field| field.behavior.required != wireform_codegen::model::Required::Never;
    for field in resource.fields.iter().filter(|field| !field.can_be_ineffective()) {
        let name = field.name.wire.clone();
        let weight = if required(field) { 0.9 } else { usual };
        let member = proptest::option::weighted(weight, of_member(api, field));
        object = (object, member)
            .prop_map(move |(mut object, member)| {
                object.extend(member.map(|member| (name.clone(), member)));
                object
            })
            .boxed();
    }
    object.prop_map(Value::Object).boxed()
}

fn resource<'d>(document: &'d Document, subject: &Subject) -> &'d Resource {
    let name = subject.schema.split('.').next();
    let found = document.api.resources.iter().find(|resource| Some(resource.name.wire.as_str()) == name);
    found.unwrap_or_else(|| panic!("there is no {}", subject.schema))
}

#[test]
fn schemas_take_and_refuse_what_the_generated_validation_does() {
    let documents = documents("schemas");
    SUBJECTS.par_iter().for_each(|subject| {
        let document = documents.iter().find(|one| one.api.name == subject.api).expect("the API is there");
        let mut schemas = Schemas::new();
        let schema = document.assert_compiles(&mut schemas, &format!("/components/schemas/{}", subject.schema));
        let mut runner = TestRunner::new(Config { cases: VALUES, failure_persistence: None, ..Config::default() });
        let (taken, refused) = (Cell::new(0), Cell::new(0));
        runner
            .run(&of_resource(&document.api, resource(document, subject)), |value| {
                let reason = (subject.refuses)(&value.to_string());
                let verdict = schemas.validate(&value, schema);
                let count = if reason.is_some() { &refused } else { &taken };
                count.set(count.get() + 1);
                let verdict = verdict.map_err(|error| format!("{error:#}"));
                prop_assert_eq!(verdict.is_err(), reason.is_some(), "{:?} but {:?}: {}", reason, verdict, value);
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{} {}: {error}", subject.api, subject.schema));
        let (taken, refused) = (taken.get(), refused.get());
        assert!(taken > 3 && refused > 3, "{}: {taken} accepted, {refused} rejected", subject.schema);
    });
}
