//! Properties of arbitrary selections and values.

use proptest::prelude::*;

use super::*;
use crate::sample::{Attendee, EventStatus};

/// Filters a value by the paths of a selection, independently of the implementation.
fn reference(value: &Value, paths: &[&[String]], place: FieldContent) -> Option<Value> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    match value {
        Value::Array(list) => Some(list.iter().filter_map(|element| reference(element, paths, place)).collect()),
        Value::Object(map) => {
            let mut kept = wireform_runtime::Map::new();
            for (key, value) in map {
                let below = below(place, key);
                let paths: Vec<&[String]> = paths
                    .iter()
                    .filter(|path| path[0] == *key || path[0] == "*")
                    .map(|path| &path[1..])
                    .filter(|path| possible(path, below))
                    .collect();
                if !paths.is_empty() {
                    kept.extend(reference(value, &paths, below).map(|value| (key.clone(), value)));
                }
            }
            Some(Value::Object(kept))
        }
        _ => None,
    }
}

fn below(place: FieldContent, name: &str) -> FieldContent {
    match place {
        FieldContent::Leaf => FieldContent::Leaf,
        FieldContent::Any => FieldContent::Any,
        FieldContent::Map(inner) => *inner,
        FieldContent::Shape(shape) => {
            assert!(shape.fields.contains(&name));
            shape
                .contents
                .iter()
                .find(|(member, _)| *member == name)
                .map_or(FieldContent::Leaf, |(_, contents)| *contents)
        }
    }
}

/// Returns whether the type has a value at the end of a path.
fn possible(path: &[String], place: FieldContent) -> bool {
    let [name, rest @ ..] = path else { return true };
    match place {
        FieldContent::Leaf => false,
        FieldContent::Any => true,
        FieldContent::Map(inner) => possible(rest, *inner),
        FieldContent::Shape(shape) => shape
            .fields
            .iter()
            .filter(|member| name == "*" || *member == name)
            .any(|member| possible(rest, below(place, member))),
    }
}

/// Returns a path of the type: each choice selects a name, and a multiple of four ends the path.
fn path(choices: &[u8]) -> Vec<String> {
    let (mut place, mut path) = (FieldContent::Shape(&EVENT), Vec::new());
    for choice in choices {
        let key = ["x", "y", "a", "b", "*"][usize::from(*choice) % 5];
        let (name, next) = match place {
            FieldContent::Leaf => break,
            FieldContent::Any => (key, FieldContent::Any),
            FieldContent::Map(inner) => (key, *inner),
            FieldContent::Shape(shape) => {
                let name = shape.fields[usize::from(*choice) % shape.fields.len()];
                (if choice % 7 == 0 { "*" } else { name }, below(place, name))
            }
        };
        path.push(name.to_owned());
        place = next;
        if choice % 4 == 0 {
            break;
        }
    }
    path
}

fn settings() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any::<i64>().prop_map(Value::from), ".{0,4}".prop_map(Value::from)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abxy*]", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn attendee() -> impl Strategy<Value = Attendee> {
    (prop::option::of(".{0,4}"), any::<Option<bool>>(), any::<Option<i32>>())
        .prop_map(|(email, optional, guests)| Attendee { email, optional, guests })
}

fn event() -> impl Strategy<Value = Event> {
    let key = || "[abxy*]";
    let flat = (
        prop::option::of(".{0,4}"),
        prop::option::of(attendee()),
        prop::collection::vec(attendee(), 0..3),
        prop::collection::btree_map(key(), ".{0,3}", 0..3),
        prop::collection::btree_map(key(), attendee(), 0..3),
        prop::collection::btree_map(key(), prop::collection::btree_map(key(), any::<i32>(), 0..3), 0..3),
        prop::option::of(settings()),
        any::<bool>(),
    );
    flat.prop_map(|(id, organizer, attendees, labels, people, counts, settings, confirmed)| Event {
        id,
        status: confirmed.then_some(EventStatus::Confirmed),
        organizer,
        attendees,
        labels,
        people,
        counts,
        settings,
        ..Event::default()
    })
    .prop_recursive(3, 4, 1, |inner| {
        (inner.clone(), inner).prop_map(|(event, parent)| Event { parent: Some(Box::new(parent)), ..event })
    })
}

proptest! {
    #[test]
    fn filtering_a_value_is_filtering_its_json(
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..6), 1..6),
        event in event(),
    ) {
        let paths: Vec<Vec<String>> = choices.iter().map(|choices| path(choices)).collect();
        let text: Vec<String> = paths.iter().map(|path| path.join("/")).collect();
        let selection = AnySelection::parse(&text.join(","), &EVENT).unwrap();
        let filtered = String::from_utf8(selection.to_vec(&event).unwrap()).unwrap();
        // `a/*` is equivalent to `a`.
        let slices: Vec<&[String]> =
            paths.iter().map(|path| &path[..path.iter().rposition(|name| name != "*").map_or(0, |at| at + 1)]).collect();
        let whole = wireform_runtime::serde_json::to_value(&event).unwrap();
        let expected = reference(&whole, &slices, FieldContent::Shape(&EVENT)).unwrap();
        prop_assert_eq!(json::from_str::<Value>(&filtered).unwrap(), expected, "{}", text.join(","));
        // Its JSON is filtered in the same way.
        let again = String::from_utf8(selection.to_vec(&whole).unwrap()).unwrap();
        prop_assert_eq!(json::from_str::<Value>(&filtered).unwrap(), json::from_str::<Value>(&again).unwrap());
        // `selects` agrees with the filtered value.
        for path in &paths {
            prop_assert!(selection.selects(&path.join("/")) || path.contains(&"*".to_owned()));
        }
    }
}
