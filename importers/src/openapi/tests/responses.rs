//! Several successes, and errors.

use serde_json::{Value, json};

use super::{imported, lost, operation, read};

/// Imports an operation with these responses, and returns it with the losses by status.
fn import_responses(responses: Value) -> (Value, Vec<(String, String)>) {
    let import = imported(json!({ "paths": { "/x": { "get": { "operationId": "x", "responses": responses } } } }));
    let lost = import.losses.iter().map(|loss| {
        let status = loss.at.rsplit('/').next().unwrap_or_default();
        (status.to_owned(), loss.what.clone())
    });
    (read(&import)["operations"]["x"].clone(), lost.collect())
}

fn response(media: &str, schema: Value) -> Value {
    json!({ "description": "It.", "content": { media: { "schema": schema } } })
}

#[test]
fn success_without_body_can_coexist() {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let (found, lost) = import_responses(json!({
        "202": { "description": "Not yet." },
        "200": response("application/json", texts.clone()),
        "204": { "description": "Nothing." },
    }));
    let expected = json!({
        "200": { "type": ["string"], "doc": "It." }, "202": { "doc": "Not yet." }, "204": { "doc": "Nothing." },
    });
    assert_eq!((&found["responses"], lost), (&expected, vec![]));
}

#[test]
fn successes_of_different_types_are_selected_by_status() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let (found, lost) = import_responses(json!({
        "200": response("application/json", json!({ "type": "array", "items": { "type": "string" } })),
        "202": response("application/json", map),
        "203": response("text/plain", json!({ "type": "string" })),
        "204": { "description": "Nothing." },
    }));
    let expected = json!({
        "200": { "type": ["string"], "doc": "It." },
        "202": { "type": { "string": "int64" }, "doc": "It." },
        "203": { "type": "string", "doc": "It.", "content_types": ["text/plain"] },
        "204": { "doc": "Nothing." },
    });
    assert_eq!((&found["responses"], lost), (&expected, vec![]));
    // Text can be empty, and any value can be null.
    for (media, schema, ty) in
        [("text/plain", json!({ "type": "string" }), "string"), ("application/json", json!({}), "any")]
    {
        let (found, lost) =
            import_responses(json!({ "200": response(media, schema), "204": { "description": "Nothing." } }));
        assert_eq!(
            (&found["responses"]["200"]["type"], &found["responses"]["204"]["doc"]),
            (&json!(ty), &json!("Nothing."))
        );
        assert_eq!(lost, []);
    }
}

#[test]
fn conflicting_successes_are_reported() {
    let two = json!({ "description": "It.", "content": {
        "application/json": { "schema": { "type": "integer" } }, "text/csv": { "schema": { "type": "string" } },
    } });
    let (found, mut lost) = import_responses(json!({
        "200": two,
        "201": response("application/json", json!({ "type": "string" })),
        "204": { "description": "Nothing." },
        "302": response("text/html", json!({ "type": "string" })),
    }));
    assert_eq!(found["responses"].as_object().map(serde_json::Map::len), Some(2));
    assert_eq!(found["responses"]["302"], json!({ "doc": "It." }));
    let other = "but that of the response with status 200 is `one of 2 media types`";
    let expected = [
        ("201", format!("left out: its body is `string`, {other}")),
        ("302", format!("its content is left out: its body is `string as it is`, {other}")),
        (
            "204",
            "left out: it has no body, but the response with status 200 always has the body `one of 2 media types`"
                .to_owned(),
        ),
    ];
    let mut expected = expected.map(|(status, why)| (status.to_owned(), why)).to_vec();
    expected.sort();
    lost.sort();
    assert_eq!(lost, expected);
    let (_, lost) = import_responses(json!({ "200": { "description": "It." }, "2XX": { "description": "Another." } }));
    assert_eq!(lost, [("2XX".to_owned(), "left out: another response has the status 200".to_owned())]);
}

#[test]
fn errors_are_typed_by_status_class_and_default() {
    let error = |media: &str, schema: Value, headers: Value| json!({ "description": "Wrong.", "content": { media: { "schema": schema } }, "headers": headers });
    let of = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let header = |ty: &str| json!({ "X-Left": { "schema": { "type": ty } } });
    let with = |member: &str| json!({ "type": "object", "properties": { member: { "type": "string" } } });
    let import = imported(json!({
        "components": { "schemas": { "Most": with("message"), "Invalid": with("field"), "Odd": with("odd") } },
        "paths": {
            "/a": { "get": { "operationId": "a", "responses": {
                "200": { "description": "It." },
                "404": error("application/json", of("Most"), json!({})),
                "409": error("application/json", json!({ "type": "array", "items": of("Odd") }), json!({})),
                "422": error("application/problem+json", of("Invalid"), header("integer")),
                "4XX": error("application/json", of("Odd"), header("integer")),
                "5xx": error("text/plain", json!({ "type": "string" }), header("string")),
                "500": error("application/json", of("Most"), json!({})),
                "default": error("application/json", of("Most"), json!({})),
            } } },
            "/b": { "head": { "operationId": "b", "responses": { "404": error("application/json", of("Odd"), json!({})) } } },
        },
    }));
    let found = read(&import);
    let headers = json!({ "X-Left": { "type": "int64" } });
    assert_eq!(found["errors"], json!({ "body": "Most", "message": "message" }));
    let expected = json!({
        "404": "Wrong.",
        "409": { "doc": "Wrong.", "body": ["Odd"] },
        "422": { "doc": "Wrong.", "body": "Invalid", "content_types": ["application/problem+json"], "headers": headers },
        "500": "Wrong.",
        "4XX": { "doc": "Wrong.", "body": "Odd", "headers": headers },
        "5XX": { "doc": "Wrong.", "body": "string", "content_types": ["text/plain"] },
        "default": "Wrong.",
    });
    assert_eq!(found["operations"]["a"]["errors"], expected);
    assert_eq!(found["operations"]["b"]["errors"], json!({ "404": "Wrong." }));
    let what = "left out: another response declares the header with another type";
    assert_eq!(lost(&import), [("/paths/~1a/get/responses/5xx/headers/X-Left", what)]);
}

/// Returns a document whose operations have errors.
fn with_errors() -> Value {
    let error = |name: &str| json!({ "description": "Wrong.", "content": { "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } } });
    json!({
        "components": {
            "schemas": {
                "Note": { "type": "object", "properties": { "id": { "type": "string" } } },
                "Problem": { "type": "object", "properties": { "message": { "type": "string" } } },
                "Other": { "type": "object", "properties": { "why": { "type": "string" } } },
            },
            "responses": { "Problem": error("Problem") },
        },
        "paths": { "/n": {
            "post": {
                "operationId": "notes.insert",
                "summary": "Adds a note",
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                "responses": {
                    "201": { "description": "It is there.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                    "404": { "$ref": "#/components/responses/Problem" },
                    "409": error("Other"),
                    "default": { "$ref": "#/components/responses/Problem" },
                },
            },
            "patch": {
                "requestBody": { "content": { "application/merge-patch+json": { "schema": { "$ref": "#/components/schemas/Note" } } } },
                "responses": { "default": { "description": "Done." } },
            },
        } },
    })
}

#[test]
fn responses_and_errors_are_typed() {
    let import = imported(with_errors());
    let found = read(&import);
    assert_eq!(found["errors"], json!({ "body": "Problem", "message": "message" }));
    assert_eq!(
        found["operations"]["notes.insert"],
        json!({
            "doc": "Adds a note.",
            "http": "POST /n",
            "body": "Note",
            "responses": { "201": { "type": "Note", "doc": "It is there." } },
            "errors": { "404": "Wrong.", "409": { "doc": "Wrong.", "body": "Other" }, "default": "Wrong." },
        })
    );
    assert_eq!(
        found["operations"]["patch_n"]["body"],
        json!({
            "type": "Note",
            "as": "merge_patch",
            "required": false,
            "content_types": ["application/merge-patch+json"],
        })
    );
    assert_eq!(lost(&import), []);
}

#[test]
fn media_types_of_errors_are_reported() {
    let import = imported(json!({
        "components": { "schemas": { "Problem": { "type": "object", "properties": { "title": { "type": "string" } } } } },
        "paths": { "/n": { "get": { "responses": { "400": { "description": "Wrong.", "content": {
            "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } },
        } } } } } },
    }));
    assert_eq!(read(&import)["errors"]["body"], "Problem");
    assert_eq!(lost(&import), []);
    let reported: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let what =
        "`application/problem+json` is left out: errors of the API are parsed as JSON, whatever their media type";
    assert_eq!(reported, [("/paths/~1n/get/responses/400/content", what)]);
}

#[test]
fn cookies_are_a_list() {
    let headers = json!({ "Set-Cookie": { "description": "The session.", "schema": { "type": "string" } } });
    let (found, lost) = import_responses(json!({ "200": { "description": "It.", "headers": headers } }));
    let expected = json!({ "Set-Cookie": { "type": ["string"], "doc": "The session." } });
    let response = found["response"].as_object().or(found["responses"]["200"].as_object()).cloned().unwrap_or_default();
    assert_eq!((&response["headers"], lost), (&expected, vec![]));
}

/// The keywords of a cookie apply to each line, and those of which a list has none are reported.
#[test]
fn cookies_keep_their_constraints() {
    let cookie = |more: Value| {
        let mut schema = json!({ "type": "string" });
        schema.as_object_mut().expect("an object").extend(more.as_object().expect("keys").clone());
        let header = json!({ "deprecated": true, "schema": schema });
        let (operation, lost) =
            operation(json!({ "responses": { "204": { "description": "x", "headers": { "Set-Cookie": header } } } }));
        (operation["responses"]["204"]["headers"]["Set-Cookie"].clone(), lost)
    };
    let (header, lost) = cookie(json!({ "pattern": "^a=", "maxLength": 9 }));
    assert_eq!(lost, [""; 0]);
    assert_eq!(header, json!({ "type": ["string"], "pattern": "(?:a=)(?s:.*)", "length": "..=9", "deprecated": true }));
    let (header, lost) = cookie(json!({ "const": "a=b" }));
    assert_eq!((header["pattern"].as_str(), lost), (Some("a\\=b".replace("\\", "").as_str()), Vec::new()), "{header}");
    let (_, lost) = cookie(json!({ "default": "a=b" }));
    assert_eq!(lost, ["the default is left out: a list of cookies has none"]);
}
