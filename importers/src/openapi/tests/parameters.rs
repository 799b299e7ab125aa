//! Parameters that are one of several texts, and discriminators of a single alternative.

use serde_json::{Value, json};

use super::{imported, lost, read, schemas};

#[test]
fn parameter_with_string_alternatives_is_a_string() {
    let id = json!({ "title": "id", "allOf": [{ "$ref": "#/components/schemas/Id" }] });
    let import = imported(json!({
        "components": { "schemas": {
            "Id": { "type": "string", "format": "uuid" },
            "NameOrId": { "oneOf": [id, { "type": "string", "pattern": "^[a-z]+$" }] },
            "Other": { "oneOf": [{ "type": "string", "format": "uuid" }, { "type": "object", "properties": { "a": { "type": "string" } } }] },
        } },
        "paths": { "/n": { "get": { "operationId": "n", "responses": {}, "parameters": [
            { "name": "one", "in": "query", "schema": { "$ref": "#/components/schemas/NameOrId" } },
            { "name": "two", "in": "query", "schema": { "$ref": "#/components/schemas/Other" } },
        ] } } },
    }));
    let query = read(&import)["operations"]["n"]["query"].clone();
    assert_eq!(query, json!({ "one": { "type": "string" }, "two": { "type": "string" } }));
    let of_parameters: Vec<&str> =
        lost(&import).into_iter().map(|(at, _)| at).filter(|at| at.starts_with("/paths")).collect();
    assert_eq!(of_parameters, ["/paths/~1n/get/parameters/1"]);
    assert!(import.notes.iter().any(|note| note.at == "/paths/~1n/get/parameters/0"), "{:?}", import.notes);
}

#[test]
fn discriminator_of_single_alternative_is_redundant_or_lost() {
    let discriminated = |to: &str| json!({ "oneOf": [{ "$ref": format!("#/components/schemas/{to}") }], "discriminator": { "propertyName": "type" } });
    let import = schemas(json!({
        "Said": { "type": "object", "properties": { "type": { "type": "string", "enum": ["said"] } } },
        "Free": { "type": "object", "properties": { "type": { "type": "string" } } },
        "Note": { "type": "object", "properties": { "a": discriminated("Said"), "b": discriminated("Free") } },
    }));
    let unknown = "left out: it has no effect at this location";
    assert_eq!(lost(&import), [("/components/schemas/Note/properties/b/discriminator", unknown)]);
}

#[test]
fn path_parameters_are_lost_with_operations() {
    let item = |id: &str| {
        json!({
            "parameters": [{ "name": "q", "in": "query", "schema": { "type": "string" } }],
            "get": { "operationId": id, "responses": {} },
        })
    };
    let import = imported(json!({ "paths": { "/n": item("a"), "/n?all={q}": item("b") } }));
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/paths/~1n?all={q}/get"]);
    assert_eq!(read(&import)["operations"]["a"]["query"], json!({ "q": { "type": "string" } }));
}

#[test]
fn styles_depend_on_parameter_location() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let parameter = |name: &str, place: &str, style: Option<&str>, explode: Option<bool>, schema: &Value| {
        let mut parameter = json!({ "name": name, "in": place, "required": place == "path", "schema": schema });
        style.into_iter().for_each(|style| parameter["style"] = json!(style));
        explode.into_iter().for_each(|explode| parameter["explode"] = json!(explode));
        parameter
    };
    let import = imported(json!({ "paths": { "/{a}/{b}/{c}/{d}/{e}/{f}": { "get": {
        "operationId": "n",
        "responses": {},
        "parameters": [
            parameter("a", "path", None, None, &map),
            parameter("b", "path", None, Some(true), &map),
            parameter("c", "path", Some("label"), None, &list),
            parameter("d", "path", Some("label"), Some(true), &map),
            parameter("e", "path", Some("matrix"), None, &json!({ "type": "string" })),
            parameter("f", "path", Some("matrix"), Some(true), &list),
            parameter("g", "query", None, None, &map),
            parameter("h", "query", None, Some(false), &map),
            parameter("i", "header", None, Some(true), &map),
        ],
    } } } }));
    assert_eq!(lost(&import), []);
    let operation = read(&import)["operations"]["n"].clone();
    let style = |place: &str, name: &str| operation[place][name]["style"].as_str().unwrap_or_default().to_owned();
    let styles: Vec<String> = ["a", "b", "c", "d", "e", "f"].iter().map(|name| style("path", name)).collect();
    assert_eq!(styles, ["pairs", "assigned", "label", "label_each", "matrix", "matrix_each"]);
    assert_eq!([style("query", "g"), style("query", "h"), style("headers", "i")], ["members", "pairs", "assigned"]);
}

#[test]
fn protocol_headers_are_omitted() {
    let header = |name: &str| json!({ "name": name, "in": "header", "schema": { "type": "string" } });
    let parameters: Vec<Value> =
        ["Trailer", "proxy-authorization", "TE", "Content-Type", "X-Own"].into_iter().map(header).collect();
    let own = json!({ "schema": { "type": "string" } });
    let response = json!({ "description": "Fine.", "headers": { "TRAILER": own, "X-Own": own } });
    let import = imported(json!({ "paths": { "/n": { "get": {
        "operationId": "n", "parameters": parameters, "responses": { "204": response },
    } } } }));
    let operation = read(&import)["operations"]["n"].clone();
    assert_eq!(operation["headers"], json!({ "X-Own": { "type": "string" } }));
    assert_eq!(operation["responses"]["204"]["headers"], json!({ "X-Own": { "type": "string" } }));
    assert_eq!(lost(&import), []);
}

#[test]
fn ambiguous_members_of_parameters_are_lost() {
    let object = |names: &[&str]| {
        let members = names.iter().map(|name| ((*name).to_owned(), json!({ "type": "integer" })));
        json!({ "type": "object", "properties": Value::Object(members.collect()) })
    };
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let parameter = |name: &str, schema: Value| json!({ "name": name, "in": "query", "schema": schema });
    let import = imported(json!({ "paths": { "/n": { "get": { "operationId": "n", "responses": {}, "parameters": [
        parameter("a", object(&["size", "limit"])),
        parameter("limit", json!({ "type": "integer" })),
        parameter("b", object(&["b", "width"])),
        parameter("c", object(&["width"])),
        parameter("d", map.clone()),
        parameter("e", map),
    ] } } } }));
    let query = read(&import)["operations"]["n"]["query"].clone();
    let styles: Vec<_> = ["a", "b", "c", "d", "e"].iter().map(|name| query[name]["style"].as_str()).collect();
    assert_eq!(styles, [None, Some("members"), None, Some("members"), None], "{query}");
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, [0, 3, 5].map(|index| format!("/paths/~1n/get/parameters/{index}")));
    assert!(query["c"] == json!({ "type": "string" }), "{query}");
}

#[test]
fn nested_deep_object_uses_brackets() {
    let text = json!({ "type": "string" });
    let range =
        json!({ "type": "object", "properties": { "gte": { "type": "integer" }, "lt": { "type": "integer" } } });
    let parameter = |name: &str, schema: Value| json!({ "name": name, "in": "query", "style": "deepObject", "explode": true, "schema": schema });
    let import = imported(json!({ "paths": { "/n": { "get": { "operationId": "n", "responses": {}, "parameters": [
        parameter("flat", range.clone()),
        parameter("expand", json!({ "type": "array", "items": text })),
        parameter("created", json!({ "anyOf": [range, { "type": "integer" }] })),
        parameter("labels", json!({ "type": "object", "additionalProperties": text })),
        parameter("owner", json!({ "type": "object", "properties": { "at": range } })),
        parameter("word", text),
    ] } } } }));
    let query = read(&import)["operations"]["n"]["query"].clone();
    let styles: Vec<_> = ["flat", "expand", "created", "labels", "owner", "word"]
        .iter()
        .map(|name| query[name]["style"].as_str())
        .collect();
    let brackets = Some("brackets");
    assert_eq!(styles, [Some("deep"), brackets, brackets, brackets, brackets, None], "{query}");
    assert_eq!(lost(&import), []);
}

#[test]
fn form_with_deep_objects_uses_brackets() {
    let deep = json!({ "style": "deepObject", "explode": true });
    let body = |encoding: Value| {
        let properties = json!({
            "title": { "type": "string" },
            "expand": { "type": "array", "items": { "type": "string" } },
            "address": { "type": "object", "properties": { "city": { "type": "string" } } },
        });
        let schema = json!({ "type": "object", "properties": properties });
        let form = json!({ "application/x-www-form-urlencoded": { "schema": schema, "encoding": encoding } });
        imported(
            json!({ "paths": { "/n": { "post": { "operationId": "n", "responses": {}, "requestBody": { "content": form } } } } }),
        )
    };
    let import = body(json!({ "expand": deep, "address": deep }));
    assert_eq!(read(&import)["operations"]["n"]["body"]["style"], "brackets");
    assert_eq!(lost(&import), []);
    let import = body(json!({ "address": deep }));
    assert_eq!(read(&import)["operations"]["n"]["body"]["style"], "brackets");
    let messages: Vec<&str> = lost(&import).into_iter().map(|(_, message)| message).collect();
    assert_eq!(messages, ["`expand` is encoded in bracket notation, like other members of the form"]);
    let import = body(json!({}));
    assert_eq!(read(&import)["operations"]["n"]["body"]["style"], Value::Null);
}

#[test]
fn segment_with_leading_colon_is_a_variable() {
    let id = json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string", "format": "uuid" } });
    let import = imported(json!({ "paths": {
        "/notes/:id/parts": { "get": { "operationId": "parts", "parameters": [id], "responses": {} } },
        "/notes/:id:restore": { "post": { "operationId": "restore", "responses": {} } },
    } }));
    let operation = read(&import)["operations"]["parts"].clone();
    assert_eq!(operation["http"], "GET /notes/{id}/parts");
    assert_eq!(operation["path"], json!({ "id": { "type": "string", "format": "uuid" } }));
    // Routers do not write variables with two colons.
    let left_out: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(left_out, ["/paths/~1notes~1:id:restore/post"]);
    let guesses: Vec<(&str, &str)> =
        import.guesses.iter().map(|guess| (guess.at.as_str(), guess.what.as_str())).collect();
    let what = "the path becomes `/notes/{id}/parts`: a segment that starts with a colon is a variable; to turn it into \
        another path, write `change: { operations: { parts: { http: 'GET /notes/{id}/parts' } } }` in the overlay";
    assert_eq!(guesses, [("/paths/~1notes~1:id~1parts/get", what)]);
}

/// Returns a document with parameters in all locations.
fn with_parameters() -> Value {
    json!({
        "components": { "parameters": { "Page": { "name": "page", "in": "query", "schema": { "type": "integer" } } } },
        "paths": { "/n/{id}": {
            "parameters": [
                { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
                { "name": "page", "in": "query", "schema": { "type": "string" } },
            ],
            "post": { "responses": {}, "parameters": [
                { "$ref": "#/components/parameters/Page" },
                { "name": "id", "in": "query", "schema": { "type": "string" } },
                { "name": "tags", "in": "query", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                { "name": "words", "in": "query", "style": "spaceDelimited", "explode": false, "schema": { "type": "array", "items": { "type": "string" } } },
                { "name": "sizes", "in": "query", "style": "pipeDelimited", "schema": { "type": "array", "items": { "type": "integer" } } },
                { "name": "many", "in": "query", "style": "pipeDelimited", "explode": true, "schema": { "type": "array", "items": { "type": "integer" } } },
                { "name": "If-Match", "in": "header", "schema": { "type": "string" } },
                { "name": "If-None-Match", "in": "header", "schema": { "type": "string" } },
                { "name": "Authorization", "in": "header", "schema": { "type": "string" } },
                { "name": "X-Id", "in": "header", "required": true, "schema": { "type": "string", "enum": ["a"] } },
                { "name": "X-More", "in": "header", "schema": { "type": "string", "enum": ["a"] } },
                { "name": "filter", "in": "query", "style": "deepObject", "schema": { "type": "object", "properties": { "a": { "type": "string" } } } },
                { "name": "shape", "in": "query", "content": { "application/json": { "schema": { "type": "array", "items": {} } } } },
                { "name": "sid", "in": "cookie", "schema": { "type": "string" } },
            ] },
        } },
    })
}

#[test]
fn parameters_keep_their_location() {
    let import = imported(with_parameters());
    let found = &read(&import)["operations"]["post_n_id"];
    assert_eq!(found["path"], json!({ "id": { "type": "string" } }));
    assert_eq!(
        found["query"],
        json!({
            "page": { "type": "int64" },
            "id": { "type": "string", "name": "id_2" },
            "tags": { "type": ["string"], "style": "comma" },
            "words": { "type": ["string"], "style": "space" },
            "sizes": { "type": ["int64"], "style": "pipe" },
            "many": { "type": ["int64"] },
            "filter": { "type": "PostNIdFilter", "style": "deep" },
            "shape": { "type": ["any"], "style": "json" },
        })
    );
    assert_eq!(
        found["headers"],
        json!({
            "X-Id": { "type": "string", "required": true, "const": "a" },
            "X-More": { "type": "string", "pattern": "a" },
        })
    );
    assert_eq!(found["cookies"], json!({ "sid": { "type": "string" } }));
    assert_eq!(found["conditional"], json!(["if_match", "if_none_match"]));
}

#[test]
fn missing_and_duplicate_parameters_are_reported() {
    let import = imported(json!({ "paths": { "/n/{id}/{part}": {
        "parameters": [{ "name": "q", "in": "query", "schema": { "type": "integer" } }],
        "get": { "responses": { "204": { "description": "Done." } }, "parameters": [
            { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
            { "name": "q", "in": "query", "schema": { "type": "string" } },
            { "name": "q", "in": "query", "schema": { "type": "boolean" } },
        ] },
    } } }));
    let found = &read(&import)["operations"]["get_n_id_part"];
    assert_eq!(found["path"]["part"], json!({ "type": "string" }));
    assert_eq!(found["query"], json!({ "q": { "type": "string" } }));
    let expected = "left out: another parameter has the same name and location";
    assert_eq!(lost(&import), [("/paths/~1n~1{id}~1{part}/get/parameters/2", expected)]);
    assert_eq!(import.notes.len(), 1);
    assert_eq!(import.notes[0].what, "the path variable `part` becomes `string`: no parameter declares it");
}

/// Imports an operation with these parameters; returns them, the losses and the notes.
pub(super) fn import_parameters(parameters: Value) -> (Value, Vec<String>, Vec<String>) {
    let import = imported(json!({ "paths": { "/x": { "get": {
        "operationId": "x", "parameters": parameters, "responses": { "204": { "description": "Done." } },
    } } } }));
    let texts = |all: &[crate::Loss]| all.iter().map(|one| one.what.clone()).collect();
    (read(&import)["operations"]["x"].clone(), texts(&import.losses), texts(&import.notes))
}

#[test]
fn one_value_or_a_list_is_a_list() {
    let text = json!({ "type": "string", "maxLength": 5 });
    let either = json!({ "oneOf": [text, { "type": "array", "items": text, "minItems": 1 }] });
    let nullable = json!({ "anyOf": [{ "type": "array", "items": { "type": "integer" } }, { "type": "integer" }, { "type": "null" }] });
    let (operation, losses, notes) = import_parameters(json!([
        { "name": "a", "in": "query", "schema": either },
        { "name": "b", "in": "query", "explode": false, "schema": either },
        { "name": "c", "in": "query", "schema": nullable },
        { "name": "X-D", "in": "header", "schema": either },
    ]));
    let query = &operation["query"];
    assert_eq!((&query["a"]["type"], &query["a"]["items"]), (&json!(["string"]), &json!("1..")));
    assert_eq!((&query["b"]["type"], &query["b"]["style"]), (&json!(["string"]), &json!("comma")));
    assert_eq!((&query["c"]["type"], &operation["headers"]["X-D"]["type"]), (&json!(["int64"]), &json!(["string"])));
    assert_eq!(losses, Vec::<String>::new());
    assert_eq!(notes.iter().filter(|note| note.contains("like a list of one value")).count(), 4, "{notes:?}");
    let other =
        json!({ "oneOf": [{ "type": "string", "enum": ["all"] }, { "type": "array", "items": { "type": "string" } }] });
    let (operation, losses, _) = import_parameters(json!([{ "name": "a", "in": "query", "schema": other }]));
    assert_eq!(operation["query"]["a"]["type"], json!(["string"]));
    assert_eq!(losses, ["left out: a single value is sent like a list of one value, which has another schema"]);
}

#[test]
fn elements_of_several_types_are_strings() {
    let mixed = json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "integer" }] } });
    let (operation, losses, _) = import_parameters(json!([
        { "name": "a", "in": "query", "schema": mixed },
        { "name": "X-B", "in": "header", "schema": mixed },
    ]));
    assert_eq!(operation["query"]["a"]["type"], json!(["string"]));
    assert_eq!(operation["headers"]["X-B"]["type"], json!(["string"]));
    let loss = "its elements become `string`: a list in a parameter has elements of one type";
    assert_eq!(losses, [loss, loss]);
}
