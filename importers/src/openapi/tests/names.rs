//! Names of operations and of their definitions.

use serde_json::{Value, json};

use super::super::import_as;
use super::{imported, read, schemas};
use crate::Options;

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
fn ids_with_group_and_operation_are_split() {
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

#[test]
fn groups_with_similar_names_are_separate_services() {
    let paths = json!({
        "/a": post("groups.onenote.create", "", "a"),
        "/b": post("read", "groups_onenote", "b"),
        "/c": post("groups.list", "", "c"),
    });
    assert_eq!(
        names(json!({ "paths": paths }), "operations"),
        ["groups.list", "groups.onenote.create", "groups_onenote_2.read"]
    );
}

#[test]
fn variants_of_one_kind_are_named_after_differences() {
    let list = |of: Value| json!({ "type": "array", "items": of });
    let only = |word: &str| json!({ "type": "string", "enum": [word] });
    let failure = |issue: &str| json!({ "title": "Failure", "type": "object", "required": ["issue"], "properties": { "issue": { "type": "string", "enum": [issue] }, "at": { "type": "string" } } });
    let optional = |issue: &str| json!({ "type": "object", "properties": { "a": { "type": "string" }, issue: { "type": "string" } } });
    let found = read(&schemas(json!({
        "Input": { "oneOf": [{ "type": "string" }, list(json!({ "type": "string" })), list(json!({ "type": "integer" })), list(list(json!({ "type": "integer" })))] },
        "Stage": { "anyOf": [only("first"), only("Second Part"), { "type": "object", "properties": { "a": { "type": "string" } } }] },
        "Failure": { "anyOf": [failure("TOO_LONG"), failure("TOO_SHORT"), { "type": "string" }] },
        "Filter": { "anyOf": [optional("b"), optional("c")] },
        "Time": { "anyOf": [{ "type": "string", "format": "date" }, { "type": "string", "format": "date-time" }, { "type": "integer" }] },
    })));
    let variants = |union: &str| -> Vec<String> {
        found["unions"][union]["variants"].as_object().expect("variants").keys().cloned().collect()
    };
    assert_eq!(variants("Input"), ["count-list", "list-list", "text", "text-list"]);
    assert_eq!(variants("Stage"), ["first", "object", "second-part"]);
    assert_eq!(variants("Failure"), ["text", "too-long", "too-short"]);
    assert_eq!(variants("Filter"), ["with-b", "with-c"]);
    assert_eq!(variants("Time"), ["count", "date", "date-time"]);
}

#[test]
fn enum_of_one_member_is_written_once() {
    let state = json!({ "type": "string", "enum": ["open", "closed"] });
    let part = |kind: &str| json!({ "type": "object", "properties": { kind: { "type": "string" }, "state": state, "other": state } });
    let document = json!({ "components": { "schemas": {
        "Note": { "oneOf": [part("a"), part("b"), part("c")] },
        "Other": { "type": "object", "properties": { "state": state } },
    } } });
    assert_eq!(names(document, "enums"), ["NoteWithAOther", "NoteWithAState", "OtherState"]);
}

#[test]
fn long_name_keeps_its_last_parts() {
    let text = json!({ "type": "object", "properties": { "verification": { "type": "object", "properties": { "a": { "type": "string" } } } } });
    let within = |name: &str, schema: Value| json!({ "type": "object", "properties": { name: schema } });
    let schema = ["beneficial_owners_provided", "documents", "external_account", "registration_address"]
        .into_iter()
        .fold(text, |schema, name| within(name, schema));
    let content = json!({ "application/json": { "schema": schema } });
    let post = json!({ "operationId": "accounts.create", "requestBody": { "content": content }, "responses": {} });
    assert_eq!(
        names(json!({ "paths": { "/a": { "post": post } } }), "resources"),
        [
            "AccountsCreateBody",
            "AccountsCreateBodyBeneficialOwnersProvidedVerification",
            "AccountsCreateBodyDocumentsBeneficialOwnersProvided",
            "AccountsCreateBodyExternalAccountDocuments",
            "AccountsCreateBodyRegistrationAddress",
            "AccountsCreateBodyRegistrationAddressExternalAccount",
        ]
    );
    let twice = json!({ "type": "object", "properties": { "event_type": { "type": "string", "enum": ["a", "b"] } } });
    assert_eq!(names(json!({ "components": { "schemas": { "Event": twice } } }), "enums"), ["EventType"]);
}

#[test]
fn types_that_are_named_like_merge_patches_are_renamed() {
    let named = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let object = |of: Value| json!({ "type": "object", "properties": { "a": of } });
    let content = json!({ "application/merge-patch+json": { "schema": named("Thing") } });
    let patch = json!({ "operationId": "things.patch", "requestBody": { "content": content }, "responses": {} });
    let all = json!({ "operationId": "things.get", "responses": { "200": { "description": "", "content": { "application/json": { "schema": named("Both") } } } } });
    let import = imported(json!({
        "paths": { "/things": { "patch": patch, "get": all } },
        "components": { "schemas": {
            "Thing": object(json!({ "type": "object", "additionalProperties": named("Part") })),
            "ThingPatch": object(named("Part")),
            "ThingUpdate": object(named("Part")),
            "Part": object(json!({ "type": "array", "items": named("Element") })),
            "PartPatch": { "type": "string", "enum": ["a", "b"] },
            "Element": object(json!({ "type": "string" })),
            "ElementPatch": object(named("PartPatch")),
            "Both": { "type": "object", "properties": { "a": named("ThingPatch"), "b": named("ElementPatch"), "c": named("ThingUpdate") } },
        } },
    }));
    let whole = read(&import);
    assert_eq!(whole["resources"]["ThingPatch"]["name"], "ThingPatch_2");
    assert_eq!(whole["enums"]["PartPatch"]["name"], "PartPatch_2");
    assert!(
        whole["resources"]["ElementPatch"]["name"].is_null() && whole["resources"]["ThingUpdate"]["name"].is_null()
    );
    let notes: Vec<&str> =
        import.notes.iter().filter(|note| note.what.contains("merge patch")).map(|note| note.at.as_str()).collect();
    assert_eq!(notes, ["/components/schemas/PartPatch", "/components/schemas/ThingPatch"]);
}

#[test]
fn name_of_the_file_replaces_a_missing_title() {
    let table = [
        ("", "pets", "", "missing `info` of the API"),
        ("info: { version: v1 }\n", "pets", "/info", "missing title of the API"),
        ("info: { title: \"42\", version: v1 }\n", "Pets_API", "/info", "the title `42` contains no name of the API"),
    ];
    for (info, file, at, problem) in table {
        let text = format!("openapi: 3.0.0\n{info}paths: {{}}\n");
        let with_file = |file| import_as(&text, &Options { file: Some(file), ..Options::default() }, None);
        let import = with_file(file).expect(info);
        let note = format!("{problem}; the API is named `pets` after the file; `--name` sets another name");
        assert_eq!((import.api.as_str(), import.losses), ("pets", vec![]));
        assert!(import.notes.iter().any(|found| found.at == at && found.what == note), "{:?}", import.notes);
        let error = with_file("!").expect_err(info).to_string();
        assert!(error.ends_with(&format!("{problem}; add a title with ASCII letters, or pass `--name`")), "{error}");
    }
    let titled = "openapi: 3.0.0\ninfo: { title: Notes, version: v1 }\npaths: {}\n";
    let import = import_as(titled, &Options { file: Some("pets"), ..Options::default() }, None).expect("a title");
    assert_eq!(import.api, "notes");
}
