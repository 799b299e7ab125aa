//! Nullable fields distinguish null from absent.

use nullable_types::runtime::{FieldBehavior as _, ConditionSet, Merge as _, Nullable, WriteContext, json};
use nullable_types::{Part, Size, Thing, ThingPatch};

fn read<T: for<'de> nullable_types::runtime::FromWire<'de>>(text: &str) -> T {
    json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn null_and_absent_are_distinguished() {
    let text = r#"{"name":null,"count":null,"part":{"name":"ab"},"inner":{"name":"x","inner":null},"tags":null,"lines":["ab",null],"parts":[null,{"name":"ab"}],"sizes":{"a":null,"b":"large"},"grid":[[1,null],[]]}"#;
    let thing: Thing = read(text);
    assert_eq!(json::to_string(&thing).expect("JSON"), text);
    assert_eq!((&thing.name, &thing.alias), (&Nullable::Null, &Nullable::Absent));
    assert_eq!((thing.count_or_default(), thing.alias_or_default(), thing.size_or_default()), (3, "it", &Size::Small));
    assert_eq!(thing.inner.as_ref().and_then(|inner| inner.name.as_deref()), Some("x"));
    assert_eq!((&thing.lines[1], thing.parts[0].is_none(), thing.grid[0][1]), (&None, true, None));
    let empty: Thing = read(r#"{"tags":[]}"#);
    assert_eq!(empty.tags, Nullable::Value(vec![]));
    assert!(json::from_str::<Thing>(r#"{"tags":[null]}"#).is_err());
}

#[test]
fn nullable_fields_are_set_and_patched() {
    let thing = Thing::default()
        .with_name("ab")
        .with_count(1)
        .with_inner(Thing::default())
        .with_lines([Some("ab"), None])
        .with_sizes([("a", Some(Size::Large)), ("b", None)]);
    assert_eq!(
        json::to_string(&thing).expect("JSON"),
        r#"{"name":"ab","count":1,"inner":{},"lines":["ab",null],"sizes":{"a":"large","b":null}}"#
    );
    let new = Thing { name: Nullable::Null, count: 2.into(), sizes: [("a".into(), None)].into(), ..thing.clone() };
    let patch = thing.diff(&new).expect("a difference");
    assert_eq!(json::to_string(&patch).expect("JSON"), r#"{"name":null,"count":2,"sizes":{"a":null,"b":null}}"#);
    let mut changed = thing.clone();
    changed.apply(patch.clone());
    assert_eq!(changed, new);
    // In a patch on the wire, null removes an entry of a map and sets a field to null.
    let mut changed = thing;
    changed.apply(read::<ThingPatch>(&json::to_string(&patch).expect("JSON")));
    assert_eq!((changed.name, changed.sizes.len()), (Nullable::Null, 0));
}

#[test]
fn output_only_fields_of_nullable_fields_are_stripped() {
    let part = || Part::default().with_stamp("s");
    let mut thing = Thing::default().with_part(part()).with_parts([Some(part()), None]);
    let stored = thing.clone();
    thing.strip_output_only("things.update");
    assert!(thing.part.as_ref().is_some_and(|part| part.stamp.is_none()));
    assert!(thing.parts[0].as_ref().is_some_and(|part| part.stamp.is_none()));
    let write = WriteContext { operation: "things.update", effective: &ConditionSet::ALL };
    thing.restore_stored(&stored, &write);
    assert_eq!(thing.part, stored.part);
}
