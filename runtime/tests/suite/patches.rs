//! Merge patches of a resource: applied in memory, over the wire, and compared with RFC 7396 on plain JSON.

use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use wireform_runtime::json::{from_str, to_string};
use wireform_runtime::serde_json::{self, Value, json};
use wireform_runtime::{Bytes, Date, DateTime, Decimal, Duration, Merge, Patch};

use crate::sample::{Attendee, Event, EventPatch, EventStatus};

fn attendee() -> impl Strategy<Value = Attendee> {
    (of("[a-c]"), of(any::<bool>()), of(0..3)).prop_map(|(email, optional, guests)| Attendee {
        email,
        optional,
        guests,
    })
}

/// Generates one of few texts of a type, so that two events often agree.
fn text<T: std::str::FromStr + Clone + std::fmt::Debug>(
    texts: &'static [&'static str],
) -> impl Strategy<Value = Option<T>> {
    of(proptest::sample::select(texts)).prop_map(|text| text.and_then(|text| text.parse().ok()))
}

/// Generates an `any` value that a patch can represent: no null, and no object, which plain JSON would merge.
fn settings() -> impl Strategy<Value = Value> {
    prop_oneof![Just(json!(1)), Just(json!("x")), Just(json!([null, {"a": null}]))]
}

fn event() -> impl Strategy<Value = Event> {
    let scalars = (
        of("[a-c]"),
        text::<EventStatus>(&["confirmed", "tentative", "postponed"]),
        of(0..3_u64),
        text::<DateTime>(&["2026-01-01T10:00:00Z", "2026-01-01T10:00:00+00:00", "2026-01-01T10:00:00"]),
        text::<Date>(&["2026-01-01", "2026-01-02"]),
        text::<Duration>(&["1s", "1.0s"]),
        text::<Bytes>(&["AQI", "AQI=", ""]),
        of(prop_oneof![Just(0.5), Just(1.0)]),
        of(settings()),
    );
    let others = (
        of(attendee()),
        vec(attendee(), 0..3),
        btree_map("[a-c]", "[x-y]", 0..3),
        btree_map("[a-c]", attendee(), 0..3),
        btree_map("[a-b]", btree_map("[a-b]", 0..2, 0..2), 0..3),
    );
    let flat = (scalars, others).prop_map(
        |(
            (id, status, version, start, day, length, raw, weight, settings),
            (organizer, attendees, labels, people, counts),
        )| {
            let version = version.map(Decimal);
            Event {
                id,
                status,
                version,
                start,
                day,
                length,
                organizer,
                attendees,
                labels,
                people,
                counts,
                parent: None,
                raw,
                weight,
                settings,
            }
        },
    );
    flat.prop_recursive(2, 4, 1, |inner| {
        (inner.clone(), inner).prop_map(|(event, parent)| Event { parent: Some(Box::new(parent)), ..event })
    })
}

/// Applies a merge patch by the algorithm of RFC 7396, section 2.
fn merge_patch(target: Value, patch: Value) -> Value {
    let Value::Object(patch) = patch else {
        return patch;
    };
    let Value::Object(mut target) = target else {
        return merge_patch(json!({}), Value::Object(patch));
    };
    for (name, value) in patch {
        if value.is_null() {
            target.remove(&name);
        } else {
            let old = target.remove(&name).unwrap_or(Value::Null);
            target.insert(name, merge_patch(old, value));
        }
    }
    Value::Object(target)
}

proptest! {
    #[test]
    fn applying_the_difference_gives_the_new_value(old in event(), new in event()) {
        let Some(patch) = old.diff(&new) else {
            prop_assert_eq!(old, new);
            return Ok(());
        };
        prop_assert_ne!(&old, &new);
        let mut patched = old.clone();
        patched.apply(patch.clone());
        prop_assert_eq!(&patched, &new);

        let wire = to_string(&patch).unwrap_or_default();
        let read = from_str::<EventPatch>(&wire).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&read, &patch, "{}", wire);

        let value = |event: &Event| serde_json::to_value(event).unwrap_or_default();
        let plain = merge_patch(value(&old), serde_json::from_str(&wire).unwrap_or_default());
        prop_assert_eq!(from_str::<Event>(&plain.to_string()).ok(), Some(new));
    }

    #[test]
    fn equal_values_have_no_difference(event in event()) {
        prop_assert!(event.diff(&event.clone()).is_none());
        prop_assert_eq!(Event::create(event.to_patch()), event.clone());
        let text = to_string(&event).unwrap_or_default();
        prop_assert_eq!(from_str::<Event>(&text).ok(), Some(event));
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..64), cut in 0..400_usize, old in event()) {
        let _ = wireform_runtime::json::from_slice::<Event>(&bytes);
        let text = to_string(&old).unwrap_or_default();
        let cut = text.get(..cut.min(text.len())).unwrap_or_default();
        if let Err(error) = from_str::<EventPatch>(cut) {
            prop_assert!(error.to_string().len() < 1000);
        }
    }
}

#[test]
fn the_shape_of_a_patch() {
    let read = |text| from_str::<Event>(text).unwrap();
    let old =
        read(r#"{"id":"a","organizer":{"email":"x","optional":true},"attendees":[{}],"labels":{"a":"1","b":"2"}}"#);
    let new = read(r#"{"organizer":{"email":"y","optional":true},"labels":{"b":"2","c":"3"},"parent":{}}"#);
    let patch = old.diff(&new).unwrap();
    assert_eq!(
        to_string(&patch).unwrap(),
        r#"{"id":null,"organizer":{"email":"y"},"attendees":null,"labels":{"a":null,"c":"3"},"parent":{}}"#
    );
    assert!(patch.status.is_keep() && patch.id.is_clear());
    assert_eq!(to_string(&EventPatch::default()).unwrap(), "{}");
    let emptied = EventPatch { labels: Patch::Set([].into()), ..EventPatch::default() };
    assert_eq!(to_string(&emptied).unwrap(), r#"{"labels":{}}"#);
}
