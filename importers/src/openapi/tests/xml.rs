//! XML: elements and attributes that a document declares, and raw XML.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// Imports a document with an operation whose request and response are XML with a schema, and further schemas.
fn import(schema: &Value, schemas: Value) -> (Value, Vec<String>) {
    let content = json!({ "application/xml": { "schema": schema } });
    let import = imported(json!({
        "paths": { "/things": { "post": {
            "operationId": "things.add",
            "requestBody": { "required": true, "content": content },
            "responses": { "200": { "description": "It.", "content": content } },
        } } },
        "components": { "schemas": schemas },
    }));
    let losses = lost(&import).into_iter().map(|(_, what)| what.to_owned()).collect();
    (read(&import), losses)
}

fn fields(found: &Value, resource: &str) -> Value {
    let fields = found["resources"][resource]["fields"].as_object().cloned().unwrap_or_default();
    fields
        .into_iter()
        .filter(|(_, field)| !field["xml"].is_null())
        .map(|(name, field)| (name, field["xml"].clone()))
        .collect()
}

/// Returns schemas whose members have all forms in XML.
fn things() -> Value {
    let text = || json!({ "type": "string" });
    let with = |xml: Value| json!({ "type": "string", "xml": xml });
    json!({
        "thing": { "type": "object", "xml": { "prefix": "t", "namespace": "https://example.com/t" }, "properties": {
            "plain": text(),
            "same": with(json!({ "name": "same" })),
            "renamed": with(json!({ "name": "Renamed" })),
            "id": with(json!({ "attribute": true, "name": "ID" })),
            "newer": with(json!({ "nodeType": "attribute" })),
            "content": with(json!({ "x-ms-text": true })),
            "other": with(json!({ "prefix": "t", "namespace": "https://example.com/t" })),
            "owner": { "allOf": [{ "$ref": "#/components/schemas/Owner" }], "xml": { "name": "by" } },
            "maker": { "$ref": "#/components/schemas/Owner" },
            "flat": { "type": "array", "items": text() },
            "flatNamed": { "type": "array", "items": with(json!({ "name": "each" })) },
            "wrapped": { "type": "array", "items": text(), "xml": { "wrapped": true } },
            "both": { "type": "array", "items": with(json!({ "name": "each" })), "xml": { "wrapped": true, "name": "All" } },
            "owners": { "type": "array", "items": { "$ref": "#/components/schemas/Owner" }, "xml": { "wrapped": true } },
        } },
        "Owner": { "type": "object", "xml": { "name": "Person" }, "properties": { "name": text() } },
    })
}

#[test]
fn members_are_elements_attributes_and_text() {
    let (found, losses) = import(&json!({ "$ref": "#/components/schemas/thing" }), things());
    assert_eq!(losses, [] as [&str; 0]);
    let namespace = json!({ "prefix": "t", "namespace": "https://example.com/t" });
    assert_eq!(
        fields(&found, "Thing"),
        json!({
            "renamed": { "name": "Renamed" },
            "id": { "name": "ID", "attribute": true },
            "newer": { "attribute": true },
            "content": { "text": true },
            "other": namespace,
            "owner": { "name": "by" },
            "maker": { "name": "Person" },
            "flatNamed": { "name": "each" },
            "wrapped": { "wrapped": true },
            "both": { "name": "All", "wrapped": true, "items": "each" },
            "owners": { "wrapped": true, "items": "Person" },
        })
    );
    // The element has the name of the schema, whatever the name of the type.
    let mut thing = namespace;
    thing["name"] = json!("thing");
    assert_eq!(found["resources"]["Thing"]["xml"], thing);
    assert_eq!(found["resources"]["Owner"]["xml"], json!({ "name": "Person" }));
    let expected = json!({ "type": "Thing", "content_types": ["application/xml"] });
    assert_eq!(found["operations"]["things.add"]["body"], expected);
}

#[test]
fn lists_can_have_a_wrapper_element() {
    let items = json!({ "type": "object", "title": "Pet", "properties": { "a": { "type": "string" } } });
    let (found, losses) = import(
        &json!({ "$ref": "#/components/schemas/Pets" }),
        json!({ "Pets": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } }, "Pet": items }),
    );
    assert_eq!(losses, [] as [&str; 0]);
    let body = &found["operations"]["things.add"]["body"];
    assert_eq!((&body["type"], &body["xml"]), (&json!(["Pet"]), &json!({ "name": "Pets" })));
    let inline =
        json!({ "type": "array", "xml": { "name": "all" }, "items": { "type": "string", "xml": { "name": "one" } } });
    let (found, _) = import(&inline, json!({}));
    assert_eq!(found["operations"]["things.add"]["body"]["xml"], json!({ "name": "all", "items": "one" }));
}

#[test]
fn unsupported_xml_is_reported() {
    let with = |ty: &str, xml: Value| json!({ "type": ty, "xml": xml });
    let (found, losses) = import(
        &json!({ "$ref": "#/components/schemas/Thing" }),
        json!({ "Thing": { "type": "object", "xml": { "name": "##default" }, "properties": {
            "a": with("object", json!({ "attribute": true })),
            "b": with("string", json!({ "wrapped": true })),
            "c": with("string", json!({ "prefix": "xml", "namespace": "https://example.com" })),
            "d": with("string", json!({ "namespace": "no uri" })),
            "e": with("string", json!({ "prefix": "p", "namespace": "https://example.com/1" })),
            "f": with("string", json!({ "prefix": "p", "namespace": "https://example.com/2" })),
            "g": with("string", json!({ "namespace": "https://example.com/2", "attribute": true })),
            "h": with("string", json!({ "name": "b" })),
            "i": with("string", json!({ "x-ms-text": true })),
            "j": with("string", json!({ "x-ms-text": true })),
            "$k": { "type": "string" },
            "@k": { "type": "string" },
        } } }),
    );
    assert_eq!(losses.len(), 10, "{losses:#?}");
    assert_eq!(
        fields(&found, "Thing"),
        json!({
            "c": { "namespace": "https://example.com" },
            "e": { "prefix": "p", "namespace": "https://example.com/1" },
            "f": { "namespace": "https://example.com/2" },
            "g": { "attribute": true },
            "h": { "name": "b_" },
            "i": { "text": true },
            "@k": { "name": "_k_" },
        })
    );
    assert!(found["resources"]["Thing"]["xml"].is_null());
}

/// The element's name comes from the schema itself, not from the schemas that it includes.
#[test]
fn base_schema_does_not_name_elements() {
    let text = || json!({ "type": "string" });
    let base = json!({ "type": "object", "xml": { "name": "pet", "prefix": "p", "namespace": "https://example.com/p" }, "properties": { "a": text() } });
    let of_base = json!({ "$ref": "#/components/schemas/Pet" });
    let (found, losses) = import(
        &json!({ "$ref": "#/components/schemas/Home" }),
        json!({
            "Home": { "type": "object", "properties": {
                "dog": { "$ref": "#/components/schemas/Dog" }, "cat": { "$ref": "#/components/schemas/Cat" }, "pet": of_base,
            } },
            "Pet": base,
            "Dog": { "allOf": [of_base, { "type": "object", "properties": { "b": text() } }] },
            "Cat": { "allOf": [of_base, { "type": "object", "xml": { "name": "tom" }, "properties": { "c": text() } }] },
        }),
    );
    assert_eq!(losses, [] as [&str; 0]);
    let of = |name: &str| found["resources"][name]["xml"].clone();
    assert_eq!(of("Pet"), json!({ "name": "pet", "prefix": "p", "namespace": "https://example.com/p" }));
    assert_eq!(of("Dog"), json!({ "prefix": "p", "namespace": "https://example.com/p" }));
    assert_eq!(of("Cat"), json!({ "name": "tom" }));
    let pet = json!({ "prefix": "p", "namespace": "https://example.com/p" });
    assert_eq!(fields(&found, "Home"), json!({ "cat": { "name": "tom" }, "pet": pet }));
}

/// The elements of a list are in the namespace of the list; another declared namespace is reported.
#[test]
fn list_elements_have_namespaces() {
    let a = json!({ "prefix": "a", "namespace": "https://example.com/a" });
    let with = |ty: &str, xml: &Value| json!({ "type": ty, "xml": xml });
    let wrapped = |xml: &Value, items: Value| {
        let mut xml = xml.clone();
        xml["wrapped"] = json!(true);
        json!({ "type": "array", "items": items, "xml": xml })
    };
    let schemas = |members: Value| {
        json!({
            "Thing": { "type": "object", "properties": members },
            "Word": { "type": "string", "xml": { "name": "word" } },
            "Part": { "type": "object", "xml": a, "properties": { "x": { "type": "string" } } },
        })
    };
    let thing = json!({ "$ref": "#/components/schemas/Thing" });
    for (member, count) in [
        (wrapped(&a, with("string", &a)), 0),
        (wrapped(&json!({}), with("string", &a)), 1),
        (wrapped(&a, json!({ "type": "string" })), 1),
        (wrapped(&json!({}), json!({ "$ref": "#/components/schemas/Part" })), 1),
        (wrapped(&a, json!({ "$ref": "#/components/schemas/Part" })), 0),
        (wrapped(&json!({}), json!({ "$ref": "#/components/schemas/Word" })), 0),
    ] {
        let (_, losses) = import(&thing, schemas(json!({ "list": member })));
        assert_eq!(losses.len(), count, "{member}: {losses:#?}");
    }
    for (body, is_kept, xml) in [
        (
            json!({ "type": "array", "items": { "$ref": "#/components/schemas/Word" } }),
            true,
            json!({ "items": "word" }),
        ),
        (json!({ "type": "array", "items": { "$ref": "#/components/schemas/Part" } }), true, json!(null)),
        (json!({ "type": "array", "items": with("string", &a) }), false, json!(null)),
        (json!({ "type": "array", "xml": a, "items": with("string", &a) }), true, a.clone()),
        (
            json!({ "type": "array", "xml": a, "items": { "$ref": "#/components/schemas/Word" } }),
            false,
            json!({ "prefix": "a", "namespace": "https://example.com/a", "items": "word" }),
        ),
    ] {
        let (found, losses) = import(&body, schemas(json!({ "x": { "type": "string" } })));
        // The schema is used by a request and a response, but a loss at a named schema is reported once.
        assert_eq!(losses.is_empty(), is_kept, "{body}: {losses:#?}");
        assert_eq!(found["operations"]["things.add"]["body"]["xml"], xml, "{body}");
    }
}

/// A list without a wrapper element cannot be empty, and an attribute cannot be null.
#[test]
fn empty_and_null_values_have_elements() {
    let list = || json!({ "type": "array", "items": { "type": "string" } });
    let with = |mut schema: Value, key: &str, value: Value| {
        schema[key] = value;
        schema
    };
    let text = || json!({ "type": "string", "nullable": true });
    let (found, losses) = import(
        &json!({ "$ref": "#/components/schemas/Thing" }),
        json!({
            "Thing": { "type": "object", "properties": {
                "flat": with(list(), "xml", json!({ "name": "no", "prefix": "p", "namespace": "https://example.com/p" })),
                "wrapped": with(list(), "xml", json!({ "wrapped": true })),
                "none": with(list(), "nullable", json!(true)),
                "id": with(text(), "xml", json!({ "attribute": true })),
                "content": with(text(), "xml", json!({ "x-ms-text": true })),
                "name": text(),
            } },
            "Apart": { "type": "object", "properties": { "flat": list() } },
        }),
    );
    assert_eq!(losses.len(), 3, "{losses:#?}");
    let fields = &found["resources"]["Thing"]["fields"];
    let value_of = |name: &str, key: &str| fields[name][key].clone();
    assert_eq!((value_of("flat", "presence"), value_of("wrapped", "presence")), (json!("implicit"), json!(null)));
    assert_eq!((value_of("none", "presence"), value_of("none", "nullable")), (json!("implicit"), json!(null)));
    assert_eq!((value_of("id", "xml"), value_of("id", "nullable")), (json!(null), json!(true)));
    assert_eq!((value_of("content", "xml"), value_of("name", "nullable")), (json!(null), json!(true)));
    assert!(found["resources"]["Apart"]["fields"]["flat"]["presence"].is_null());
}

/// An unnamed schema that JSON has identically is one type.
#[test]
fn schema_shared_with_json_is_in_xml() {
    let schema =
        json!({ "type": "object", "properties": { "flat": { "type": "array", "items": { "type": "string" } } } });
    let import = imported(json!({
        "paths": { "/things": { "get": { "operationId": "things.get", "responses": { "200": { "description": "It.", "content": {
            "application/json": { "schema": schema }, "application/xml": { "schema": schema },
        } } } } } },
    }));
    assert_eq!(read(&import)["resources"]["ThingsGetResponse"]["fields"]["flat"]["presence"], "implicit");
}

/// A text in XML, an error, and a document without XML have no elements.
#[test]
fn raw_xml_has_no_elements() {
    let (found, losses) = import(&json!({ "type": "string" }), json!({}));
    assert_eq!(losses, [] as [&str; 0]);
    assert_eq!(found["operations"]["things.add"]["body"]["type"], "bytes");
    let import = imported(json!({
        "paths": { "/things": { "get": { "operationId": "things.get", "responses": {
            "200": { "description": "It.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } } },
            "404": { "description": "None.", "content": { "text/xml": { "schema": { "type": "string" } } } },
        } } } },
        "components": { "schemas": { "Thing": { "type": "object", "xml": { "name": "T" }, "properties": {
            "a": { "type": "string", "xml": { "attribute": true } },
        } } } },
    }));
    let found = read(&import);
    assert_eq!((&found["resources"]["Thing"]["xml"], fields(&found, "Thing")), (&Value::Null, json!({})));
    assert_eq!(found["operations"]["things.get"]["errors"]["404"]["body"], "string");
}
