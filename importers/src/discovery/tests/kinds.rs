//! Values of unexpected kinds are reported at their location, and everything else is imported.

use serde_json::{Value, json};

use super::fuzz::full_document;
use super::{imported, lost, read, schemas};
use crate::discovery::import;

/// Collects the pointers to all values below a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut below = |key: &str, value: &Value| {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        found.push(at.clone());
        pointers(value, &at, found);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| below(key, value)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, value)| below(&index.to_string(), value)),
        _ => {}
    }
}

#[test]
fn values_of_wrong_kind_are_reported() {
    let whole = full_document();
    let mut all = Vec::new();
    pointers(&whole, "", &mut all);
    assert!(all.len() > 150, "{}", all.len());
    let mut silent = Vec::new();
    for at in all {
        let mut document = whole.clone();
        let place = document.pointer_mut(&at).expect("a place");
        *place = if place.is_object() || place.is_array() { json!(4) } else { json!([[]]) };
        let Ok(import) = import(&document.to_string()) else { continue };
        let reported = import.losses.iter().any(|loss| loss.at == at || at.starts_with(&format!("{}/", loss.at)));
        if !reported {
            silent.push(at);
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn integer_enums_are_supported() {
    let level = json!({"type": "integer", "format": "int32", "enum": ["1", 2, "x", "2147483648"],
        "enumDescriptions": ["Low.", "High.", "None.", "None."], "default": "2"});
    let import = schemas(json!({"Note": {"type": "object", "properties": {"level": level}}}));
    let whole = read(&import);
    let values = json!({"1": "Low.", "2": "High."});
    assert_eq!(whole["enums"]["NoteLevel"], json!({"type": "int32", "values": values}));
    assert_eq!(whole["resources"]["Note"]["fields"]["level"], json!({"type": "NoteLevel", "default": "2"}));
    let what = "the value is left out: it is not a number of this type";
    let at = "/schemas/Note/properties/level/enum";
    assert_eq!(lost(&import), [(format!("{at}/2").as_str(), what), (format!("{at}/3").as_str(), what)]);
}

#[test]
fn value_descriptions_of_list_apply_to_elements() {
    let list =
        |items: Value| json!({"type": "array", "items": items, "enumDescriptions": ["Mail comes in.", "A message."]});
    let services = list(json!({"type": "string", "enum": ["MAIL", "XMPP"]}));
    let own = list(json!({"type": "string", "enum": ["A"], "enumDescriptions": ["Its own."]}));
    let fields = json!({"services": services, "others": own, "texts": list(json!({"type": "string"}))});
    let import = schemas(json!({"Note": {"type": "object", "properties": fields}}));
    let whole = read(&import);
    assert_eq!(whole["enums"]["NoteServices"]["values"], json!({"MAIL": "Mail comes in.", "XMPP": "A message."}));
    assert_eq!(whole["enums"]["NoteOthers"]["values"], json!({"A": "Its own."}));
    let what = "`enumDescriptions` is left out: it has no effect next to a list";
    let at = |name: &str| format!("/schemas/Note/properties/{name}");
    assert_eq!(lost(&import), [(at("others").as_str(), what), (at("texts").as_str(), what)]);
}

#[test]
fn schema_with_variants_is_a_union() {
    let text = json!({"type": "string"});
    let map = json!([
        {"type_value": "circle", "$ref": "Circle"},
        {"type_value": "Unknown", "$ref": "Square"},
        {"type_value": "text", "$ref": "Text"},
        {"type_value": "other", "$ref": "Circle"},
    ]);
    let import = schemas(json!({
        "Shape": {"type": "object", "description": "A shape.", "variant": {"discriminant": "kind", "map": map}},
        "Circle": {"type": "object", "properties": {"kind": {"type": "string", "enum": ["circle"]}, "r": text}},
        "Square": {"type": "object", "properties": {"a": text}},
        "Text": text,
        "Both": {"type": "object", "properties": {"a": text}, "variant": {}},
        "Of": {"type": "object", "properties": {"shape": {"$ref": "Shape"}}},
    }));
    let whole = read(&import);
    let variants = json!({"circle": "Circle", "Unknown": {"type": "Square", "name": "Unknown_2"}});
    let expected = json!({"doc": "A shape.", "discriminator": "kind", "variants": variants});
    assert_eq!(whole["unions"]["Shape"], expected);
    assert_eq!(whole["resources"]["Of"]["fields"]["shape"]["type"], "Shape");
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/schemas/Both/variant", "/schemas/Shape/variant/map/2", "/schemas/Shape/variant/map/3"]);
}

#[test]
fn descriptions_of_inlined_schemas_are_kept() {
    let import = imported(json!({
        "schemas": {
            "Names": {"type": "array", "description": "All names", "items": {"type": "string", "description": "A name."}},
            "Note": {"type": "object", "properties": {
                "names": {"$ref": "Names"}, "own": {"$ref": "Names", "description": "Its own."},
                "more": {"type": "object", "description": "More.", "additionalProperties": {"type": "any", "description": "Properties of the object. Of any kind."}},
            }},
        },
        "methods": {"get": {"httpMethod": "POST", "path": "names", "parameterOrder": ["none"],
            "request": {"$ref": "Note", "description": "What to look for.", "parameterName": "resource"},
            "response": {"$ref": "Names"}}},
    }));
    let whole = read(&import);
    let fields = &whole["resources"]["Note"]["fields"];
    assert_eq!(fields["names"]["doc"], "All names. Each element: A name.");
    assert_eq!(fields["own"]["doc"], "Its own. All names. Each element: A name.");
    assert_eq!(fields["more"]["doc"], "More.");
    let operation = &whole["operations"]["get"];
    assert_eq!(operation["body"], json!({"type": "Note", "doc": "What to look for."}));
    assert_eq!(operation["response"], json!({"type": ["string"], "doc": "All names. Each element: A name."}));
    assert_eq!(lost(&import), []);
    let noted: Vec<&str> = import.notes.iter().map(|note| note.at.as_str()).collect();
    let more = "/schemas/Note/properties/more/additionalProperties";
    assert_eq!(noted, ["/methods/get", "/methods/get/request/parameterName", "/schemas/Names", more]);
}

#[test]
fn descriptions_of_list_and_elements_are_kept() {
    let import = schemas(json!({
        "Row": {"type": "object", "description": "A row.", "additionalProperties": {"type": "any", "description": "A cell."}},
        "Report": {"type": "object", "properties": {"rows": {"type": "array", "description": "All rows.", "items": {"$ref": "Row"}}}},
    }));
    let rows = &read(&import)["resources"]["Report"]["fields"]["rows"];
    let doc = "All rows. Each element: A row. Each element: A cell.";
    assert_eq!(rows, &json!({"type": [{"string": "any"}], "doc": doc}));
    assert_eq!(lost(&import), []);
}

#[test]
fn unread_parts_are_reported() {
    let import = imported(json!({
        "documentationLink": "https://example.com/", "features": ["dataWrapper"],
        "schemas": {"Note": {"type": "object", "properties": {
            "a": {"type": "string", "enum": ["x"], "enumDescriptions": ["An x.", "A y."]},
            "b": {"type": "string", "readOnly": true, "annotations": {"required": ["notes.get"]}},
        }}},
        "methods": {"get": {"id": "notes.get", "path": "a", "useMediaDownloadService": true},
            "list": {"id": "notes.list", "path": "b", "useMediaDownloadService": true}},
    }));
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let machine =
        "`useMediaDownloadService` is left out: it does not affect requests and responses (and in 1 more place)";
    let server = "`required` is left out: the field is `readOnly`";
    assert_eq!(reported, [("/methods/get", machine), ("/schemas/Note/properties/b/annotations", server)]);
    let a = "/schemas/Note/properties/a";
    let unread = (format!("{a}/enumDescriptions/1"), "left out: it has no effect at this location");
    let many = (a.to_owned(), "some descriptions are left out: there are more descriptions than values");
    assert_eq!(lost(&import), [many, unread].each_ref().map(|(at, what)| (at.as_str(), *what)));
}

#[test]
fn shortened_name_is_reported() {
    let name = "notesofeverybodywhoeverwroteanythingdownanywhere";
    let import = crate::discovery::import(&json!({"name": name, "version": "v1", "schemas": {}}).to_string())
        .expect("a document");
    assert_eq!(import.api, "notesofeverybodywhoeverwroteanythingdown-v1");
    let reported: Vec<(&str, bool)> =
        import.notes.iter().map(|note| (note.at.as_str(), note.what.contains(name))).collect();
    assert_eq!(reported, [("/name", true)]);
}

#[test]
fn ineffective_keys_of_types_are_reported() {
    for (written, key) in [
        (json!({"$ref": "Note", "type": "string"}), "type"),
        (json!({"type": "string", "items": {}}), "items"),
        (json!({"type": "array", "items": {"type": "string"}, "format": "x"}), "format"),
        (json!({"type": "string", "enumDescriptions": ["a"]}), "enumDescriptions"),
        (json!({"type": "object", "items": {}}), "items"),
    ] {
        let import = schemas(json!({"Note": {"type": "object", "properties": {"it": written}}}));
        let reported = lost(&import);
        assert!(
            matches!(reported.as_slice(), [(_, what)] if what.starts_with(&format!("`{key}` is left out"))),
            "{reported:?}"
        );
    }
    let import = imported(
        json!({"baseUrl": "https://example.com/b/", "basePath": "/b/", "servicePath": "a/", "auth": {"key": 1}}),
    );
    assert_eq!(lost(&import).len(), 3, "{:?}", import.losses);
    // A member and a parameter have different keys in addition to their types.
    let import = imported(json!({
        "schemas": {"Note": {"type": "object", "properties": {"it": {"type": "string", "required": true, "repeated": true}}}},
        "methods": {"get": {"path": "a", "parameters": {"it": {"type": "string", "readOnly": true}}}},
    }));
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/methods/get/parameters/it/readOnly", "/schemas/Note/properties/it/repeated"]);
    assert_eq!(read(&import)["resources"]["Note"]["fields"]["it"]["required"], json!(true));
}
