//! Payloads of every resource survive decoding and encoding: full, minimal, empty, with undeclared fields, and random
//! ones.

pub mod values;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use wireform_codegen::load;
use wireform_codegen::model::{Api, Resource};
use wireform_tests::registry::{ALL, Entry};
use wireform_tests::{root, sources};

/// Number of values for each resource.
const VALUES: u32 = 48;

fn api(name: &str) -> Api {
    load(&sources(&root().join("schemas").join(name))).expect("the schemas have no errors")
}

fn resource<'a>(api: &'a Api, entry: &Entry) -> &'a Resource {
    api.resources
        .iter()
        .find(|resource| resource.name.wire == entry.resource)
        .expect("the registry is generated from the same schemas")
}

/// Calls a function with every resource and its codec.
fn for_each(check: impl Fn(&Api, &Resource, &Entry)) {
    for name in ["script", "mailbox", "calendar"] {
        let api = api(name);
        for entry in ALL.iter().filter(|entry| entry.api == name) {
            check(&api, resource(&api, entry), entry);
        }
    }
}

/// Returns a payload of a resource with all fields.
pub fn full_payload(entry: &Entry) -> Value {
    let api = api(entry.api);
    values::full(&api, resource(&api, entry), 0)
}

fn round_trip(entry: &Entry, value: &Value) -> Value {
    let text = (entry.codec.round_trip)(value.to_string().as_bytes())
        .unwrap_or_else(|error| panic!("{} {}: {error}\n{value:#}", entry.api, entry.resource));
    serde_json::from_str(&text).expect("encoded values are JSON")
}

#[test]
fn a_full_payload_comes_back_as_it_was() {
    for_each(|api, resource, entry| {
        let full = values::full(api, resource, 0);
        assert_eq!(round_trip(entry, &full), full, "{}", entry.resource);
    });
}

#[test]
fn each_member_alone_comes_back_as_it_was() {
    for_each(|api, resource, entry| {
        if resource.outcome.is_some() {
            return;
        }
        for (name, value) in values::full(api, resource, 0).as_object().expect("a resource is an object") {
            let minimal = json!({ name: value });
            assert_eq!(round_trip(entry, &minimal), minimal, "{} {name}", entry.resource);
        }
    });
}

#[test]
fn null_and_empty_are_absent_and_stay_so() {
    for_each(|_, resource, entry| {
        if resource.outcome.is_some() {
            return;
        }
        let nulls: Value = resource.fields.iter().map(|field| (field.name.wire.clone(), Value::Null)).collect();
        assert_eq!(round_trip(entry, &nulls), json!({}), "{}", entry.resource);
        let empties = resource.fields.iter().filter(|field| field.ty.is_collection() && !field.explicit_presence);
        let empties: Value = empties
            .map(|field| {
                (
                    field.name.wire.clone(),
                    if matches!(field.ty, wireform_codegen::model::Type::List(_)) { json!([]) } else { json!({}) },
                )
            })
            .collect();
        assert_eq!(round_trip(entry, &empties), json!({}), "{}", entry.resource);
    });
}

#[test]
fn unknown_members_and_unknown_enum_values_do_no_harm() {
    for_each(|api, resource, entry| {
        let mut value = values::full(api, resource, 0);
        let known = value.clone();
        values::make_enums_unknown(api, resource, &mut value);
        let unknown_values = value.clone();
        let object = value.as_object_mut().expect("a resource is an object");
        object.insert("memberOfALaterVersion".into(), json!({ "deep": [1, null, { "a": "b" }] }));
        assert_eq!(round_trip(entry, &value), unknown_values, "{}", entry.resource);
        let _ = known;
    });
}

#[test]
fn a_value_of_the_wrong_type_is_refused_with_its_path() {
    for_each(|api, resource, entry| {
        for (name, value) in values::full(api, resource, 0).as_object().expect("a resource is an object") {
            let ty = &resource.fields.iter().find(|field| &field.name.wire == name).expect("it is a member").ty;
            let wrong = match (value, ty) {
                (_, wireform_codegen::model::Type::Any) => continue,
                (Value::Array(_) | Value::Object(_), _) => json!(true),
                _ => json!([[]]),
            };
            let text = json!({ name: wrong }).to_string();
            let error = (entry.codec.round_trip)(text.as_bytes()).expect_err("the value has another type");
            assert!(error.contains(name.as_str()), "{} {name}: {error}", entry.resource);
        }
    });
}

#[test]
fn any_value_round_trips() {
    for_each(|api, resource, entry| {
        let mut runner = TestRunner::new(Config { cases: VALUES, failure_persistence: None, ..Config::default() });
        runner
            .run(&values::arbitrary_of(api, resource), |value| {
                prop_assert_eq!(&round_trip(entry, &value), &value);
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{} {}: {error}", entry.api, entry.resource));
    });
}

#[test]
fn the_difference_of_any_two_values_makes_the_one_of_the_other() {
    for_each(|api, resource, entry| {
        let Some(patch) = entry.patch else { return };
        let mut runner = TestRunner::new(Config { cases: VALUES, failure_persistence: None, ..Config::default() });
        let two = (values::arbitrary_of(api, resource), values::arbitrary_of(api, resource));
        runner
            .run(&two, |(old, new)| {
                let difference = (patch.diff)(&old, &new).map_err(TestCaseError::fail)?;
                prop_assert_eq!(&(patch.diff)(&old, &old).map_err(TestCaseError::fail)?, &json!({}));
                let text = difference.to_string();
                let again = (patch.round_trip)(text.as_bytes()).map_err(TestCaseError::fail)?;
                prop_assert_eq!(serde_json::from_str::<Value>(&again).expect("JSON"), difference);
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{} {}: {error}", entry.api, entry.resource));
    });
}
