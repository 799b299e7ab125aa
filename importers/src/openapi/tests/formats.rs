//! Formats that a schema cannot express.

use serde_json::{Map, json};

use super::{member, read, schemas};
use crate::Loss;

#[test]
fn unknown_format_is_reported_once() {
    let members: Map<_, _> = (0..9)
        .flat_map(|at| ["slug", "uri-template", "ipv4"].map(|format| (format!("{format}{at}"), format)))
        .map(|(name, format)| (name, json!({ "type": "string", "format": format })))
        .collect();
    let import = schemas(json!({ "Note": { "type": "object", "properties": members } }));
    let whats = |all: &[Loss]| all.iter().map(|one| one.what.clone()).collect::<Vec<_>>();
    let more = " (and in 8 more places)";
    assert_eq!(
        whats(&import.losses),
        [
            format!("becomes `format: ip`: it accepts addresses of both versions{more}"),
            format!("the format `uri-template` is left out: the schema language does not support it{more}"),
        ]
    );
    assert_eq!(whats(&import.notes), [format!("the format `slug` is left out: unknown format{more}")]);
}

/// Imports a member and compares its field, without the description.
fn becomes(schema: serde_json::Value, expected: serde_json::Value) {
    let (mut field, lost) = member(schema.clone());
    field.as_object_mut().map(|field| field.remove("doc"));
    assert_eq!((field, lost), (expected, Vec::new()), "{schema}");
}

#[test]
fn lexical_formats_are_types() {
    for (schema, expected) in [
        (json!({ "type": "string", "format": "duration" }), json!({ "type": "iso_duration" })),
        (
            json!({ "type": "string", "format": "time", "example": "09:30:00Z" }),
            json!({ "type": "time", "example": "09:30:00Z" }),
        ),
        (json!({ "type": "string", "format": "http-date" }), json!({ "type": "http_date" })),
        (
            json!({ "type": "string", "format": "decimal", "default": "0.10" }),
            json!({ "type": "decimal", "default": "0.10" }),
        ),
        (
            json!({ "type": "string", "format": "decimal", "pattern": "^-?[0-9]{0,8}(?:\\.[0-9]{0,2})?$", "maxLength": 12 }),
            json!({ "type": "decimal", "pattern": "-?[0-9]{0,8}(?:\\.[0-9]{0,2})?", "length": "..=12" }),
        ),
        (json!({ "type": "string", "format": "double" }), json!({ "type": "decimal" })),
        (
            json!({ "type": "string", "format": "decimal", "const": "1.0" }),
            json!({ "type": "decimal", "const": "1.0" }),
        ),
        (json!({ "type": "integer", "format": "unixtime", "minimum": 0 }), json!({ "type": "unix_time", "min": 0 })),
        (json!({ "type": "integer", "format": "unix-time" }), json!({ "type": "unix_time" })),
        (
            json!({ "type": "string", "format": "int32" }),
            json!({ "type": "int64", "encoding": "decimal_string", "min": i32::MIN, "max": i32::MAX }),
        ),
        (
            json!({ "type": "string", "format": "uint8" }),
            json!({ "type": "uint64", "encoding": "decimal_string", "max": 255 }),
        ),
        (
            json!({ "type": "string", "format": "base64url" }),
            json!({ "type": "bytes", "encoding": "base64url_unpadded" }),
        ),
        (json!({ "type": "string", "contentEncoding": "base64url" }), json!({ "type": "bytes" })),
        (json!({ "type": "string", "format": "byte" }), json!({ "type": "bytes", "encoding": "base64" })),
    ] {
        becomes(schema, expected);
    }
    let (_, lost) = member(json!({ "type": "string", "format": "duration", "default": "1h" }));
    assert_eq!(lost, ["left out: not a valid default of this type"]);
}

#[test]
fn fractional_and_mixed_value_lists_are_enums() {
    let import = schemas(json!({
        "Zoom": { "type": "number", "enum": [0.5, 1.0, 1e300, -1.5], "default": 1 },
        "Limit": { "enum": ["auto", 1, "1", 2.50, true, null] },
        "Note": { "type": "object", "properties": {
            "zoom": { "$ref": "#/components/schemas/Zoom" },
            "limit": { "allOf": [{ "$ref": "#/components/schemas/Limit" }], "default": "auto" },
            "step": { "type": ["number", "string"], "enum": [0.1, "any"], "example": "any" },
            "flag": { "type": "string", "enum": [true, "maybe"] },
        } },
    }));
    assert_eq!(import.losses.iter().map(|loss| loss.what.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
    let read = read(&import);
    let values = |name: &str| {
        let values = read["enums"][name]["values"].as_object().map(|all| all.keys().cloned().collect::<Vec<_>>());
        (read["enums"][name]["type"].as_str().map(str::to_owned), values.unwrap_or_default())
    };
    let of = |ty: Option<&str>, all: &[&str]| {
        (ty.map(str::to_owned), all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>())
    };
    let sorted = |(ty, mut all): (Option<String>, Vec<String>)| {
        all.sort();
        (ty, all)
    };
    assert_eq!(sorted(values("Zoom")), of(Some("double"), &["-1.5", "0.5", "1", "1e300"]));
    assert_eq!(sorted(values("Limit")), of(Some("any"), &["\"1\"", "\"auto\"", "1", "2.5", "true"]));
    assert_eq!(sorted(values("NoteStep")), of(Some("any"), &["\"any\"", "0.1"]));
    assert_eq!(sorted(values("NoteFlag")), of(None, &["maybe", "true"]));
    let fields = &read["resources"]["Note"]["fields"];
    assert_eq!((&fields["zoom"]["default"], &fields["limit"]["default"]), (&json!(1), &json!("\"auto\"")));
    assert_eq!((&fields["limit"]["nullable"], &fields["step"]["example"]), (&json!(true), &json!("\"any\"")));
}

#[test]
fn implied_bounds_are_omitted() {
    let ends = json!({ "type": "number", "format": "float", "minimum": f32::MIN, "maximum": f32::MAX });
    becomes(ends, json!({ "type": "double" }));
    let half = json!({ "type": "number", "format": "float", "minimum": 0, "maximum": f32::MAX });
    becomes(half, json!({ "type": "double", "min": 0 }));
    let double = json!({ "type": "number", "maximum": f64::from(f32::MAX) });
    assert!(member(double).0["max"].is_number());
}
