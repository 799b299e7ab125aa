//! Additional fields are decoded and encoded like named ones.

use rest_types::runtime::fields::{AnySelection, Selectable as _};
use rest_types::runtime::{FieldBehavior as _, ConditionSet, Merge as _, Patch, WriteContext, json};
use rest_types::{Box, Counts, Marks, MarksPatch, Names, Shelf, ShelfPatch};

#[test]
fn additional_fields_are_read_and_written() {
    let wire = r#"{"total":3,"blue":"1","red":"2"}"#;
    let counts: Counts = json::from_str(wire).expect("counts");
    assert_eq!((counts.total, counts.rest.len(), counts.rest["red"].0), (Some(3), 2, 2));
    assert_eq!(json::to_string(&counts).expect("JSON"), wire);
    assert_eq!(counts, Counts::default().with_total(3_u32).with_rest([("red", 2), ("blue", 1)]));
    let shelf = Shelf::default().with_rest("old").with_boxes([("a", Box::default().with_label("b"))]);
    assert_eq!(json::to_string(&shelf).expect("JSON"), r#"{"rest":"old","a":{"label":"b"}}"#);
    let names: Names = json::from_str(r#"{"a":"b"}"#).expect("names");
    assert_eq!(json::to_string(&names).expect("JSON"), r#"{"a":"b"}"#);
    let error = json::from_str::<Counts>(r#"{"red":"x"}"#).expect_err("no number");
    assert_eq!(error.path, "red");
    for invalid in [r#"{"red":"1","red":"2"}"#, r#"{"red":null}"#, r#"{"red":true}"#] {
        assert!(json::from_str::<Counts>(invalid).is_err(), "{invalid}");
    }
}

#[test]
fn patches_change_additional_fields() {
    let old: Shelf = json::from_str(r#"{"name":"n","a":{"label":"1"},"b":{"label":"2"}}"#).expect("a shelf");
    for (wire, patch) in [
        (r#"{"name":"n","a":{"label":"3"},"c":{}}"#, r#"{"a":{"label":"3"},"b":null,"c":{}}"#),
        (r#"{"name":"n"}"#, r#"{"a":null,"b":null}"#),
        (r#"{"a":{"label":"1"},"b":{"label":"2"}}"#, r#"{"name":null}"#),
    ] {
        let new: Shelf = json::from_str(wire).expect("a shelf");
        let changes = old.diff(&new).expect("a difference");
        assert_eq!(json::to_string(&changes).expect("JSON"), patch);
        let over_the_wire: ShelfPatch = json::from_str(patch).expect("a patch");
        for changes in [changes, over_the_wire] {
            let mut changed = old.clone();
            changed.apply(changes);
            assert_eq!(changed, new, "{patch}");
        }
    }
    let nothing: ShelfPatch = json::from_str("{}").expect("a patch");
    assert_eq!(nothing.boxes, Patch::Keep);
}

#[test]
fn output_only_fields_within_additional_fields_are_stripped() {
    let mut shelf: Shelf = json::from_str(r#"{"a":{"label":"1","sealed":true}}"#).expect("a shelf");
    let stored = shelf.clone();
    shelf.strip_output_only("shelves.insert");
    assert_eq!(shelf.boxes["a"].sealed, None);
    let write = WriteContext { operation: "shelves.insert", effective: &ConditionSet::ALL };
    shelf.restore_stored(&stored, &write);
    assert_eq!(shelf.boxes["a"].label.as_deref(), Some("1"));
}

#[test]
fn additional_fields_are_selected_by_name() {
    let shelf: Shelf =
        json::from_str(r#"{"name":"n","counts":{"red":"1"},"a":{"label":"1"},"b":{}}"#).expect("a shelf");
    for (selected, expected) in
        [("a,counts/red", r#"{"counts":{"red":"1"},"a":{"label":"1"}}"#), ("name,b", r#"{"name":"n","b":{}}"#)]
    {
        let selection = AnySelection::parse(selected, Shelf::SHAPE).expect("a selection");
        let written = selection.to_vec(&shelf).expect("JSON");
        assert_eq!(String::from_utf8_lossy(&written), expected);
    }
    for invalid in ["a/labels", "counts/red/x"] {
        assert!(AnySelection::parse(invalid, Shelf::SHAPE).is_err(), "{invalid}");
    }
}

#[test]
fn nullable_additional_fields_keep_null() {
    let wire = r#"{"pupil":"Ana","art":null,"music":"2"}"#;
    let marks: Marks = json::from_str(wire).expect("marks");
    assert_eq!((marks.rest["art"].is_none(), marks.rest.contains_key("sport")), (true, false));
    assert_eq!(json::to_string(&marks).expect("JSON"), wire);
    assert!(json::from_str::<Marks>(r#"{"art":true}"#).is_err());
    // A patch uses null to remove an entry, even of a nullable type.
    let changes: MarksPatch = json::from_str(r#"{"art":"1","music":null}"#).expect("a patch");
    let mut changed = marks.clone();
    changed.apply(changes);
    assert_eq!(json::to_string(&changed).expect("JSON"), r#"{"pupil":"Ana","art":"1"}"#);
}
