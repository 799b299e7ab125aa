//! Serialization of the selected fields of a value.

mod properties;

use wireform_runtime::fields::{
    AnySelection, Field, FieldContent, NestedField, Selectable, Selection, SelectionErrorKind, Shape,
};
use wireform_runtime::json;
use wireform_runtime::serde_json::{Value, json};

use crate::sample::{Event, Operation};

static ATTENDEE: Shape = Shape::new("Attendee", &["email", "optional", "additionalGuests"]);

static EVENT: Shape = Shape::new(
    "Event",
    &[
        "id",
        "status",
        "version",
        "start",
        "day",
        "length",
        "organizer",
        "attendees",
        "labels",
        "people",
        "counts",
        "parent",
        "raw",
        "weight",
        "settings",
    ],
)
.with_contents(&[
    ("organizer", FieldContent::Shape(&ATTENDEE)),
    ("attendees", FieldContent::Shape(&ATTENDEE)),
    ("labels", FieldContent::Map(&FieldContent::Leaf)),
    ("people", FieldContent::Map(&FieldContent::Shape(&ATTENDEE))),
    ("counts", FieldContent::Map(&FieldContent::Map(&FieldContent::Leaf))),
    ("parent", FieldContent::Shape(&EVENT)),
    ("settings", FieldContent::Any),
]);

static OPERATION: Shape = Shape::new("Operation", &["done", "response", "error"])
    .with_contents(&[("response", FieldContent::Shape(&ATTENDEE)), ("error", FieldContent::Map(&FieldContent::Leaf))]);

impl Selectable for Event {
    const SHAPE: &'static Shape = &EVENT;
}

fn full() -> Event {
    let text = json!({
        "id": "a\"b",
        "status": "confirmed",
        "version": "18446744073709551615",
        "start": "2026-01-01T10:00:00.50-00:00",
        "organizer": { "email": "o@example.com", "additionalGuests": 2 },
        "attendees": [{ "email": "x@example.com", "optional": true }, { "optional": false }],
        "labels": { "a": "1", "b/c": "2", "*": "3" },
        "people": { "x": { "email": "px", "optional": true }, "y": { "email": "py" } },
        "counts": { "a": { "m": 1, "n": 2 }, "b": { "m": 3 } },
        "parent": { "id": "p", "parent": { "id": "pp", "labels": { "a": "4" } } },
        "settings": { "a": { "b": 1, "c": [{ "b": 2 }, 3, [{ "b": 4, "d": 5 }]] }, "b": null },
    });
    json::from_str(&text.to_string()).unwrap()
}

fn selected(text: &str) -> Value {
    let selection = AnySelection::parse(text, &EVENT).unwrap_or_else(|error| panic!("{text}: {error}"));
    json::from_slice(&selection.to_vec(&full()).unwrap()).unwrap()
}

static SHELF: Shape = Shape::new("Shelf", &["name", "keeper"])
    .with_contents(&[("keeper", FieldContent::Shape(&ATTENDEE))])
    .with_rest(FieldContent::Shape(&BOX));

static BOX: Shape = Shape::new("Box", &["label", "email"]);

#[test]
fn additional_fields_are_selected_by_any_name() {
    let shelf = json!({
        "name": "n",
        "keeper": { "email": "k", "optional": true },
        "a": { "label": "1", "email": "x" },
        "b": { "label": "2" },
    });
    for (text, expected) in [
        ("a", json!({ "a": { "label": "1", "email": "x" } })),
        ("name,b/label,zzz", json!({ "name": "n", "b": { "label": "2" } })),
        ("*/label,a/email", json!({ "keeper": {}, "a": { "label": "1", "email": "x" }, "b": { "label": "2" } })),
        ("*/email", json!({ "keeper": { "email": "k" }, "a": { "email": "x" }, "b": {} })),
        ("*/optional", json!({ "keeper": { "optional": true } })),
        ("*", shelf.clone()),
    ] {
        let selection = AnySelection::parse(text, &SHELF).unwrap_or_else(|error| panic!("{text}: {error}"));
        let written: Value = json::from_slice(&selection.to_vec(&shelf).unwrap()).unwrap();
        assert_eq!(written, expected, "{text}");
    }
    for wrong in ["a/optional", "name/x", "keeper/label", "a/label/x"] {
        assert!(AnySelection::parse(wrong, &SHELF).is_err(), "{wrong}");
    }
}

#[test]
fn selected_fields_are_written() {
    for (text, expected) in [
        ("id", json!({ "id": "a\"b" })),
        ("version,start", json!({ "version": "18446744073709551615", "start": "2026-01-01T10:00:00.50-00:00" })),
        ("day", json!({})),
        ("organizer/email", json!({ "organizer": { "email": "o@example.com" } })),
        ("attendees(email)", json!({ "attendees": [{ "email": "x@example.com" }, {}] })),
        ("labels", json!({ "labels": { "a": "1", "b/c": "2", "*": "3" } })),
        ("labels/a", json!({ "labels": { "a": "1" } })),
        ("labels/zzz", json!({ "labels": {} })),
        ("people/*/email", json!({ "people": { "x": { "email": "px" }, "y": { "email": "py" } } })),
        ("people(*/email,x/optional)", {
            json!({ "people": { "x": { "email": "px", "optional": true }, "y": { "email": "py" } } })
        }),
        ("people(x,*/email)", {
            json!({ "people": { "x": { "email": "px", "optional": true }, "y": { "email": "py" } } })
        }),
        ("counts/*/m", json!({ "counts": { "a": { "m": 1 }, "b": { "m": 3 } } })),
        ("counts/a", json!({ "counts": { "a": { "m": 1, "n": 2 } } })),
        ("parent/parent/id", json!({ "parent": { "parent": { "id": "pp" } } })),
        ("settings/a/b", json!({ "settings": { "a": { "b": 1 } } })),
        ("settings/a/b/c", json!({ "settings": { "a": {} } })),
        ("settings/b/x", json!({ "settings": {} })),
        ("settings/*/c/b", json!({ "settings": { "a": { "c": [{ "b": 2 }, [{ "b": 4 }]] } } })),
        ("settings(*/b,a/c/d)", json!({ "settings": { "a": { "b": 1, "c": [{}, [{ "d": 5 }]] } } })),
        ("settings(*/b,x/c)", json!({ "settings": { "a": { "b": 1 } } })),
        ("*/email", {
            json!({
                "organizer": { "email": "o@example.com" },
                "attendees": [{ "email": "x@example.com" }, {}],
                "labels": {},
                "people": {},
                "counts": { },
                "settings": {},
            })
        }),
        (
            "*/id,id",
            json!({ "id": "a\"b", "labels": {}, "people": {}, "counts": {}, "parent": { "id": "p" }, "settings": {} }),
        ),
    ] {
        assert_eq!(selected(text), expected, "{text}");
    }
}

#[test]
fn selecting_everything_equals_plain_json() {
    let whole = json::to_vec(&full()).unwrap();
    assert_eq!(AnySelection::parse("*", &EVENT).unwrap().to_vec(&full()).unwrap(), whole);
    let all = EVENT.fields.join(",");
    assert_eq!(AnySelection::parse(&all, &EVENT).unwrap().to_vec(&full()).unwrap(), whole);
}

#[test]
fn values_of_other_kinds() {
    let id = AnySelection::parse("id", &EVENT).unwrap();
    assert_eq!(id.to_vec(&vec![full(), Event::default()]).unwrap(), br#"[{"id":"a\"b"},{}]"#);
    assert_eq!(id.to_vec(&Vec::<Event>::new()).unwrap(), b"[]");
    assert_eq!(id.to_vec(&Some(Box::new(full()))).unwrap(), br#"{"id":"a\"b"}"#);
    assert_eq!(id.to_vec(&(1, full())).unwrap(), br#"[{"id":"a\"b"}]"#);
    for scalar in [json!(null), json!(1), json!("id"), json!(true)] {
        assert_eq!(id.to_vec(&scalar).unwrap(), b"null", "{scalar}");
    }
    let numbers = std::collections::BTreeMap::from([(1, 2)]);
    assert!(id.to_vec(&numbers).unwrap_err().to_string().contains("must be a string"));
    let running = AnySelection::parse("done,response/email", &OPERATION).unwrap();
    assert_eq!(running.to_vec(&Operation::Running).unwrap(), br#"{"done":false}"#);
    let over = Operation::Succeeded(full().organizer.unwrap());
    assert_eq!(running.to_vec(&over).unwrap(), br#"{"done":true,"response":{"email":"o@example.com"}}"#);
}

#[test]
fn selected_paths_are_known() {
    let selection =
        AnySelection::parse("attendees/email,labels/a,people/*/email,settings,parent/parent", &EVENT).unwrap();
    for path in [
        "attendees",
        "attendees/email",
        "labels",
        "labels/a",
        "people",
        "people/x",
        "people/x/email",
        "settings/any",
        "parent",
        "parent/parent",
        "parent/parent/attendees",
    ] {
        assert!(selection.selects(path), "{path}");
    }
    for path in ["id", "attendees/optional", "labels/b", "people/x/optional", "parent/id", "", "attendees/", "nothing"]
    {
        assert!(!selection.selects(path), "{path}");
    }
    let every = AnySelection::parse("*/email", &EVENT).unwrap();
    assert!(every.selects("attendees") && every.selects("organizer/email") && every.selects("settings/email/x"));
    assert!(!every.selects("id") && !every.selects("attendees/optional"));
    assert!(AnySelection::parse("*", &EVENT).unwrap().selects("anything"));
}

#[test]
fn typed_selections_filter_equally() {
    const PARENT: NestedField<Event, Event> = NestedField::new("parent");
    const ID: Field<Event> = Field::new("id");
    let typed = AnySelection::try_from(&Selection::from_fields([PARENT.select([ID])])).unwrap();
    assert_eq!(typed.to_vec(&full()).unwrap(), br#"{"parent":{"id":"p"}}"#);
    assert_eq!(typed.shape().name, "Event");
    assert_eq!(format!("{typed:?}"), r#"AnySelection(Event: {"parent": {"id": *}})"#);
    let all = AnySelection::try_from(&Selection::<Event>::all()).unwrap();
    assert_eq!(all.to_vec(&full()).unwrap(), json::to_vec(&full()).unwrap());
}

static WIDE: Shape = Shape::new("Wide", &["a", "b", "c"]).with_contents(&[
    ("a", FieldContent::Shape(&WIDE)),
    ("b", FieldContent::Shape(&WIDE)),
    ("c", FieldContent::Any),
]);

#[test]
fn nested_wildcards_are_limited() {
    // Three fields at each of 31 levels.
    let text = format!("{}a", "*/".repeat(31));
    let error = AnySelection::parse(&text, &WIDE).unwrap_err();
    assert_eq!(error.kind(), &SelectionErrorKind::TooManyFields);
    assert!(error.to_string().starts_with("more than 10000 fields are selected at byte "), "{error}");
    // Within any JSON, where names and `*` overlap at each level.
    let overlapping = |levels| format!("c/{}z{}", "*(".repeat(levels), ",a/y)".repeat(levels));
    let error = AnySelection::parse(&overlapping(25), &WIDE).unwrap_err();
    assert_eq!(error.kind(), &SelectionErrorKind::TooManyFields);
    assert!(AnySelection::parse(&overlapping(5), &WIDE).is_ok());
    assert!(AnySelection::parse(&format!("{}c", "a/".repeat(31)), &WIDE).is_ok());
}
