//! Names of operations, and of what is made for them.

use serde_json::{Value, json};

use super::{imported, read};

fn post(id: &str, tag: &str, member: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { member: { "type": "string" } } });
    let content = json!({ "application/json": { "schema": schema } });
    json!({ "post": { "operationId": id, "tags": [tag], "requestBody": { "content": content }, "responses": {} } })
}

fn names(document: Value, section: &str) -> Vec<String> {
    read(&imported(document))[section].as_object().expect("a section").keys().cloned().collect()
}

#[test]
fn bodies_are_named_after_their_operation() {
    let both = json!({ "/a": post("issues/create", "", "a"), "/b": post("notes/create", "", "b") });
    assert_eq!(names(json!({ "paths": both }), "resources"), ["IssuesCreateBody", "NotesCreateBody"]);
    let one = json!({ "/b": post("notes/create", "", "b") });
    assert_eq!(names(json!({ "paths": one }), "resources"), ["NotesCreateBody"]);
}

#[test]
fn ids_of_a_group_and_an_operation_have_their_group() {
    let paths = json!({
        "/a": post("Issues_create", "", "a"),
        "/b": post("VirtualMachines_restart", "other", "b"),
        "/c": post("get_note", "", "c"),
        "/d": post("Put_note", "", "d"),
        "/e": post("Notes_add_all", "", "e"),
    });
    assert_eq!(
        names(json!({ "paths": paths }), "operations"),
        ["Notes_add_all", "Put_note", "get_note", "issues.create", "virtual_machines.restart"]
    );
}
