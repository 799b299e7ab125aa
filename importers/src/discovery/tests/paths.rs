//! Paths of methods.

use serde_json::{Value, json};

use super::{imported, lost, read};

#[test]
fn variable_without_slashes_is_a_segment() {
    let variable = |more: Value| {
        let mut it = json!({"type": "string", "location": "path", "required": true});
        it.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        it
    };
    let import = imported(json!({"resources": {"notes": {"methods": {"get": {
        "httpMethod": "GET", "path": "v1/a/{+a}/{+b}/{+c}:read_it",
        "parameters": {
            "a": variable(json!({"format": "int64", "pattern": "^[^/]+$"})),
            "b": variable(json!({"enum": ["X_1"]})),
            "c": variable(json!({})),
        },
    }}}}}));
    assert_eq!(read(&import)["operations"]["notes.get"]["http"], "GET /v1/a/{a}/{b}/{+c}:read_it");
    assert_eq!(lost(&import), []);
}

#[test]
fn ambiguous_paths_use_flat_path() {
    let method = |of: &str| {
        let name = json!({"type": "string", "location": "path", "required": true, "pattern": "^[^/]+/[^/]+$"});
        json!({"httpMethod": "GET", "path": "v1/{+name}", "flatPath": format!("v1/{of}/{{{of}Id}}"), "parameters": {"name": name}})
    };
    let import = imported(json!({"resources": {
        "a": {"methods": {"get": method("a"), "again": method("a")}},
        "b": {"methods": {"get": method("b")}},
    }}));
    let operations = &read(&import)["operations"];
    assert_eq!(operations["b.get"]["http"], "GET /v1/b/{bId}");
    assert_eq!(operations["b.get"]["path"]["bId"]["type"], "string");
    assert_eq!(operations["a.get"], Value::Null);
    let places: Vec<&str> = import.losses.iter().map(|loss| loss.at.as_str()).collect();
    assert_eq!(places, ["/resources/a/methods/again", "/resources/a/methods/get", "/resources/b/methods/get"]);
}
