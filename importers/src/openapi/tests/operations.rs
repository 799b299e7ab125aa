//! Operations.

use serde_json::{Value, json};

use super::{imported, lost, operation, read};

#[test]
fn operations_have_names_and_groups() {
    let get = |id: Value, tags: Value| json!({ "get": { "operationId": id, "tags": tags, "responses": {} } });
    let import = imported(json!({ "paths": {
        "/a": get(json!("notes.list"), json!(["other"])),
        "/b": get(json!("repos/get"), json!([])),
        "/c": get(json!("listAll"), json!(["Big Notes (beta)"])),
        "/d": get(json!("get_v2025.0"), json!(["v1"])),
        "/e/{id}": { "get": { "responses": {} } },
        "/f": get(json!("listAll"), json!(["Big Notes (beta)"])),
        "/g": get(json!("new"), json!([])),
        "/h": get(json!("notes"), json!([])),
    } }));
    let found = read(&import);
    let names: Vec<&str> = found["operations"].as_object().expect("operations").keys().map(String::as_str).collect();
    let expected = [
        "big_notes_beta.listAll",
        "big_notes_beta.listAll_2",
        "get_e_id",
        "new_2",
        "notes.list",
        "notes_2",
        "repos.get",
        "v1.get_v2025_0",
    ];
    assert_eq!(names, expected);
    assert_eq!(found["operations"]["get_e_id"]["path"], json!({ "id": { "type": "string" } }));
    assert_eq!(lost(&import), []);
}

#[test]
fn unsupported_parts_of_operations_are_losses() {
    let (found, lost) = operation(json!({
        "responses": {},
        "callbacks": { "done": {} },
        "requestBody": { "content": { "application/json": { "schema": {} } } },
    }));
    assert_eq!(found, json!({ "http": "GET /x", "body": { "type": "any", "required": false } }));
    assert_eq!(lost, ["left out: requests sent by a server (callbacks and webhooks) are not supported"]);
}

#[test]
fn unroutable_operations_are_client_only() {
    let get = |id: &str, parameters: serde_json::Value| json!({ "operationId": id, "parameters": parameters, "responses": {} });
    let action = json!([{ "name": "Action", "in": "query", "schema": { "type": "string", "enum": ["b"] } }]);
    let with_body = json!({ "operationId": "e", "responses": {}, "requestBody": { "required": true, "content": { "application/json": { "schema": {} } } } });
    let import = imported(json!({ "paths": {
        "/a": { "get": get("a", json!([])) },
        "/a?Action=b&flag": { "get": get("b", action) },
        "/a#c": { "get": get("c", json!([])) },
        "/d/": { "get": get("d", json!([])) },
        "/e": { "get": with_body },
        "/f?a%20b=1": { "get": get("f", json!([])) },
    } }));
    let operations = &read(&import)["operations"];
    assert_eq!(operations["a"], json!({ "http": "GET /a" }));
    let query = json!({
        "Action": { "type": "string", "required": true, "const": "b" },
        "flag": { "type": "string", "required": true, "const": "" },
    });
    assert_eq!(operations["b"], json!({ "http": "GET /a", "query": query, "client_only": true }));
    assert_eq!(operations["c"], json!({ "http": "GET /a", "client_only": true }));
    assert_eq!(operations["d"], json!({ "http": "GET /d/", "client_only": true }));
    assert_eq!(operations["e"], json!({ "http": "GET /e", "body": "any" }));
    let left_out = "the operation is left out: a path with a query (`a%20b=1`) is not supported";
    assert_eq!(lost(&import), [("/paths/~1f?a%20b=1/get", left_out)]);
    let notes = import.notes.iter().filter(|note| note.what != "the operation declares no responses");
    let reported: Vec<&str> = notes.map(|note| note.at.as_str()).collect();
    let expected = [
        "/paths/~1a#c/get",
        "/paths/~1a?Action=b&flag/get",
        "/paths/~1a?Action=b&flag/get/parameters/0",
        "/paths/~1d~1/get",
    ];
    assert_eq!(reported, expected);
}
