//! Lists and maps that contain themselves, and defaults of dates.

use serde_json::json;

use super::{lost, read, schemas};

#[test]
fn lists_and_maps_that_contain_themselves_are_unions_of_one_variant() {
    let import = schemas(json!({
        "Nested": { "type": "array", "description": "Lists in lists.", "items": { "$ref": "Nested" } },
        "Tree": { "type": "object", "additionalProperties": { "type": "array", "items": { "$ref": "Tree" } } },
        "Alias": { "$ref": "Deep" },
        "Deep": { "type": "array", "items": { "$ref": "Alias" } },
        "Note": { "type": "object", "properties": {
            "nested": { "$ref": "Nested" }, "tree": { "$ref": "Tree" }, "deep": { "$ref": "Alias" },
        } },
    }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    assert_eq!(found["unions"]["Nested"], json!({ "doc": "Lists in lists.", "variants": { "list": ["Nested"] } }));
    assert_eq!(found["unions"]["Tree"]["variants"], json!({ "map": { "string": ["Tree"] } }));
    let fields = &found["resources"]["Note"]["fields"];
    assert_eq!((&fields["nested"]["type"], &fields["tree"]["type"]), (&json!("Nested"), &json!("Tree")));
    let deep = fields["deep"]["type"].as_str().expect("a name");
    assert_eq!(found["unions"][deep]["variants"], json!({ "list": [deep] }));
}

#[test]
fn schemas_of_references_to_each_other_are_any() {
    let import = schemas(json!({
        "A": { "$ref": "B" },
        "B": { "$ref": "A" },
        "Note": { "type": "object", "properties": { "a": { "$ref": "A" } } },
    }));
    assert!(lost(&import).iter().any(|(_, what)| what.contains("nothing but itself")), "{:?}", lost(&import));
}

#[test]
fn defaults_of_dates_are_kept() {
    let of = |format: &str, default: &str| json!({ "type": "string", "format": format, "default": default });
    let import = schemas(json!({ "Note": { "type": "object", "properties": {
        "day": of("date", "2026-02-28"),
        "at": of("date-time", "2026-02-28T09:30:00Z"),
        "wait": of("google-duration", "1.5s"),
        "data": of("byte", "YWI="),
        "wrong": of("date", "today"),
    } } }));
    let fields = &read(&import)["resources"]["Note"]["fields"];
    let defaults = ["day", "at", "wait", "data"].map(|name| fields[name]["default"].clone());
    assert_eq!(defaults, ["2026-02-28", "2026-02-28T09:30:00Z", "1.5s", "YWI="].map(|text| json!(text)));
    assert_eq!(lost(&import).len(), 1);
}
