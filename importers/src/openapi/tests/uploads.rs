//! Files, forms, and JSON next to them.

use serde_json::{Value, json};

use super::{imported, lost, member, read};

fn file() -> Value {
    json!({ "type": "string", "format": "binary" })
}

fn operation(types: &[&str], schema: &Value) -> Value {
    let content: serde_json::Map<String, Value> =
        types.iter().map(|media| ((*media).to_owned(), json!({ "schema": schema }))).collect();
    json!({ "requestBody": { "content": content }, "responses": { "200": { "description": "Done." } } })
}

const FORMS: [&str; 3] = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];

#[test]
fn non_form_body_is_sent_as_json_only() {
    let part =
        |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let either = json!({ "anyOf": [part("a"), part("b")] });
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let import = imported(json!({ "paths": {
        "/either": { "post": operation(&FORMS, &either) },
        "/map": { "post": operation(&FORMS, &map) },
        "/one": { "post": operation(&FORMS, &part("a")) },
    } }));
    let operations = &read(&import)["operations"];
    assert_eq!(operations["post_either"]["body"]["content_types"], json!(null));
    assert_eq!(operations["post_map"]["body"]["content_types"], json!(null));
    assert_eq!(operations["post_one"]["body"]["content_types"], json!(FORMS));
    let reported = "left out: a form requires an object with known members";
    let at = |path: &str, media: &str| format!("/paths/{path}/post/requestBody/content/{media}");
    let expected: Vec<(String, &str)> = ["~1either", "~1map"]
        .iter()
        .flat_map(|path| ["application~1x-www-form-urlencoded", "multipart~1form-data"].map(|media| at(path, media)))
        .map(|at| (at, reported))
        .collect();
    assert_eq!(lost(&import), expected.iter().map(|(at, reported)| (at.as_str(), *reported)).collect::<Vec<_>>());
}

#[test]
fn alternatives_with_a_file_are_a_file() {
    let files = json!({ "type": "array", "items": file() });
    let note = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    let form = json!({ "type": "object", "properties": {
        "one": { "oneOf": [file(), files] },
        "other": { "anyOf": [note, file()] },
        "encoded": { "type": "string", "contentEncoding": "binary" },
        "by_name": { "type": "object", "additionalProperties": file() },
        "deep": { "type": "array", "items": { "type": "array", "items": file() } },
        "either": { "oneOf": [{ "type": "integer" }, { "type": "object", "properties": { "of": file() } }] },
    } });
    let import = imported(json!({ "paths": { "/a": { "post": operation(&FORMS[2..], &form) } } }));
    let fields = &read(&import)["resources"]["PostABody"]["fields"];
    assert_eq!(fields["one"]["type"], json!(["file"]));
    assert_eq!((&fields["other"]["type"], &fields["encoded"]["type"]), (&json!("file"), &json!("file")));
    assert_eq!(fields["by_name"]["type"], json!({ "string": "string" }));
    assert_eq!(fields["deep"]["type"], json!([["string"]]));
    let reported: Vec<(&str, &str)> = lost(&import)
        .into_iter()
        .map(|(at, what)| (at.rsplit_once("/properties/").unwrap_or_default().1, what))
        .collect();
    let texts = "the files become `string`: a part of a form is a file or a list of files";
    let expected = [
        ("by_name", texts),
        ("deep", texts),
        ("other/anyOf/0", "left out: unions of files and other types are not supported"),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn files_are_members_or_list_elements() {
    let absent = json!({ "type": "string", "format": "binary", "nullable": true });
    let list = json!({ "type": "array", "items": absent });
    let table = [
        (absent.clone(), json!("file"), json!("file")),
        (list, json!(["file"]), json!(["file"])),
        (
            json!({ "type": "array", "items": { "type": "array", "items": file() } }),
            json!([["string"]]),
            json!([["string"]]),
        ),
        (
            json!({ "type": "object", "additionalProperties": file() }),
            json!({ "string": "string" }),
            json!({ "string": "string" }),
        ),
        (json!({ "oneOf": [file(), { "type": "integer" }] }), json!("file"), json!("file")),
        (json!({ "oneOf": [absent, { "type": "integer" }] }), json!("file"), json!("file")),
        (json!({ "type": ["string", "integer"], "format": "binary" }), json!("PostABodyIt"), json!("PostABodyRest")),
    ];
    for (schema, of_member, of_rest) in table {
        let form = json!({ "type": "object", "properties": { "it": schema } });
        let import = imported(json!({ "paths": { "/a": { "post": operation(&FORMS[2..], &form) } } }));
        assert_eq!(read(&import)["resources"]["PostABody"]["fields"]["it"]["type"], of_member, "{schema}");
        let form = json!({ "type": "object", "properties": { "a": file() }, "additionalProperties": schema });
        let import = imported(json!({ "paths": { "/a": { "post": operation(&FORMS[2..], &form) } } }));
        let rest = read(&import)["resources"]["PostABody"]["rest"].clone();
        assert_eq!(*rest.get("type").unwrap_or(&rest), of_rest, "{schema}");
        assert!(!import.losses.is_empty(), "{schema}");
    }
}

#[test]
fn shared_binary_schema_is_a_file_in_forms_and_a_string_in_json() {
    let holds = json!({ "type": "object", "properties": { "it": { "$ref": "#/components/schemas/Bytes" } } });
    let import = imported(json!({
        "paths": { "/a": { "post": operation(&FORMS[2..], &holds) }, "/b": { "post": operation(&FORMS[..1], &holds) } },
        "components": { "schemas": { "Bytes": file() } },
    }));
    let resources = &read(&import)["resources"];
    assert_eq!(resources["PostABody"]["fields"]["it"]["type"], "file");
    assert_eq!(resources["PostBBody"]["fields"]["it"]["type"], "string");
}

#[test]
fn annotated_reference_is_a_form_schema() {
    let parts = json!({ "type": "object", "properties": { "it": file() } });
    let annotated = |name: &str| json!({ "allOf": [{ "$ref": format!("#/components/schemas/{name}") }, { "description": "All of it." }] });
    for (schema, schemas) in
        [(annotated("P"), json!({ "P": parts })), (annotated("Q"), json!({ "P": parts, "Q": annotated("P") }))]
    {
        let import = imported(json!({
            "paths": { "/a": { "post": operation(&FORMS[2..], &schema) } },
            "components": { "schemas": schemas },
        }));
        assert_eq!(read(&import)["resources"]["P"]["fields"]["it"]["type"], "file", "{schema}");
        assert_eq!(lost(&import), []);
    }
}

#[test]
fn single_alternative_is_inlined() {
    let (field, lost) = member(json!({ "type": "array", "items": { "enum": ["a.b"] } }));
    assert_eq!((field, lost.len()), (json!({ "type": ["string"], "pattern": "a\\.b" }), 0));
    let (field, lost) = member(json!({ "type": "object", "additionalProperties": { "type": "integer", "enum": [3] } }));
    assert_eq!((field, lost.len()), (json!({ "type": { "string": "int64" }, "min": 3, "max": 3 }), 0));
}

#[test]
fn invalid_header_and_cookie_names_are_reported() {
    let of = |name: &str, place: &str| json!({ "name": name, "in": place, "schema": { "type": "string" } });
    let parameters = [of("", "cookie"), of("a b", "header"), of("a=", "cookie"), of("ok", "cookie")];
    let import = imported(json!({ "paths": { "/a": { "get": { "parameters": parameters, "responses": {} } } } }));
    let reported = lost(&import);
    assert!(
        reported.len() == 3 && reported.iter().all(|(_, what)| what.contains("header or cookie name")),
        "{reported:?}"
    );
    assert_eq!(read(&import)["operations"]["get_a"]["cookies"], json!({ "ok": { "type": "string" } }));
}

#[test]
fn unconstrained_part_is_a_file() {
    let parts = json!({ "type": "object", "properties": {
        "empty": {},
        "several": { "type": "array", "items": {} },
        "image": { "contentMediaType": "image/png" },
        "encoded": { "type": "string", "contentMediaType": "image/png", "contentEncoding": "base64" },
    } });
    let import = imported(json!({ "paths": { "/n": { "post": operation(&["multipart/form-data"], &parts) } } }));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    let (_, resource) = found["resources"].as_object().and_then(|all| all.iter().next()).unwrap();
    let ty = |name: &str| resource["fields"][name]["type"].clone();
    assert_eq!([ty("empty"), ty("several"), ty("image")], [json!("file"), json!(["file"]), json!("file")]);
    assert_eq!(ty("encoded"), json!("bytes"));
}

#[test]
fn media_type_without_encoding_is_raw_bytes() {
    let held = |media: &str| json!({ "contentMediaType": media });
    let import = imported(json!({ "paths": {
        "/any": { "post": operation(&["*/*"], &held("*/*")) },
        "/image": { "post": operation(&["image/png"], &held("image/png")) },
        "/json": { "post": operation(&["application/json"], &held("application/json")) },
    } }));
    assert_eq!(lost(&import), []);
    let operations = &read(&import)["operations"];
    let body = |name: &str| operations[name]["body"].clone();
    let raw = |media: &str| json!({ "type": "bytes", "required": false, "content_types": [media] });
    assert_eq!([body("post_any"), body("post_image")], [raw("*/*"), raw("image/png")]);
    assert_eq!(body("post_json")["type"], json!("any"));
}
