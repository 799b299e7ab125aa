//! Security schemes.

use serde_json::{Map, Value, json};

use super::{imported, lost, read};
use crate::Import;

#[test]
fn invalid_api_key_is_reported() {
    let table = [
        ("object", "X-Key", "left out: an API key cannot be in `object`"),
        ("header", "X-Key ", "left out: invalid header, cookie or parameter name"),
        ("query", "", "left out: invalid header, cookie or parameter name"),
    ];
    for (place, name, why) in table {
        let import = imported(json!({ "components": { "securitySchemes": {
            "key": { "type": "apiKey", "in": place, "name": name },
            "other": { "type": "apiKey", "in": "query", "name": "a key" },
        } } }));
        assert_eq!(lost(&import), [("/components/securitySchemes/key", why)]);
        let schemes = json!({ "other": { "type": "api_key", "in": "query", "name": "a key" } });
        assert_eq!(read(&import).get("security_schemes"), Some(&schemes), "{}", Value::from(place));
    }
}

#[test]
fn scope_of_several_flows_is_one_scope() {
    let flow =
        |doc: &str| json!({ "tokenUrl": "https://example.com/token", "scopes": { "notes": doc, "read": "To read." } });
    let import = imported(json!({ "components": { "securitySchemes": { "token": { "type": "oauth2", "flows": {
        "clientCredentials": flow("To write."),
        "password": flow("To write."),
        "implicit": { "authorizationUrl": "https://example.com/a", "scopes": { "notes": "Another thing.", "rpc": "Calls." } },
    } } } } }));
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["scopes"], json!({ "notes": "To write.", "read": "To read.", "rpc": "Calls." }));
    let noted: Vec<(&str, &str)> = import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect();
    let at = "/components/securitySchemes/token/flows/implicit/scopes/notes";
    assert_eq!(noted, [(at, "left out: another flow describes the scope")]);
}

/// Imports a document with these schemes, a default requirement, and an operation for each requirement.
fn import_requirements(schemes: &Value, standard: &Value, operations: &[Value]) -> Import {
    let operation = |(at, security): (usize, &Value)| {
        let get = json!({ "security": security, "responses": { "204": { "description": "Done." } } });
        (format!("/p{at}"), json!({ "get": get }))
    };
    let paths: Map<String, Value> = operations.iter().enumerate().map(operation).collect();
    imported(json!({ "security": standard, "components": { "securitySchemes": schemes }, "paths": paths }))
}

/// Returns the requirement of each operation; `None` if the operation is omitted, and `null` if it has the default.
fn requirements_of(import: &Import, operations: usize) -> Vec<Option<Value>> {
    let text = read(import);
    let all = text["operations"].as_object().cloned().unwrap_or_default();
    let found = |at: usize| all.values().find(|one| one["http"] == format!("GET /p{at}"));
    (0..operations).map(|at| found(at).map(|one| one["security"].clone())).collect()
}

#[test]
fn operation_with_undefined_scheme_is_not_public() {
    let schemes = json!({
        "key": { "type": "apiKey", "in": "header", "name": "X-Key" },
        "token": { "type": "http", "scheme": "bearer" },
        "digest": { "type": "http", "scheme": "digest" },
    });
    let operations = [
        json!([{ "gone": ["write"] }]),
        json!([{ "gone": [] }, { "token": [] }]),
        json!([{ "gone": [], "token": [] }]),
        json!([{ "other": [] }]),
        json!([{ "gone": [] }, { "digest": [] }]),
        json!([{ "gone": [], "digest": [] }]),
        json!([]),
    ];
    let of = |requirements: Value| Some(requirements);
    let standards = [
        (json!([{ "key": [] }]), [Value::Null, json!(["token"]), Value::Null, Value::Null], json!([])),
        // An anonymous alternative does not replace another one.
        (json!([{}, { "key": [] }]), [json!(["key"]), json!(["token"]), json!(["key"]), json!(["key"])], json!([])),
        (
            json!([{}]),
            [json!(["key", "token"]), json!(["token"]), json!(["key", "token"]), json!(["key", "token"])],
            json!([]),
        ),
        (json!([{ "third": [] }]), [Value::Null, json!(["token"]), Value::Null, Value::Null], json!([])),
        (
            json!([]),
            [json!(["key", "token"]), json!(["token"]), json!(["key", "token"]), json!(["key", "token"])],
            json!([]),
        ),
    ];
    for (standard, expected, open) in standards {
        let import = import_requirements(&schemes, &standard, &operations);
        let expected: Vec<_> = expected.into_iter().map(of).chain([None, None, of(open)]).collect();
        assert_eq!(requirements_of(&import, operations.len()), expected, "{standard}");
        let losses_of = |scheme: &str| {
            let name = format!("`{scheme}`;");
            import.losses.iter().filter(|loss| loss.what.contains(&name)).collect::<Vec<_>>()
        };
        let [gone] = losses_of("gone")[..] else { panic!("{:?}", import.losses) };
        assert_eq!(gone.at, "/paths/~1p0/get/security/0/gone");
        assert!(gone.what.ends_with("(and in 2 more places)"), "{gone:?}");
        assert_eq!(losses_of("other").len(), 1);
        assert!(standard[0].get("third").is_none() || losses_of("third").len() == 1);
    }
}

#[test]
fn operation_without_defined_schemes_is_omitted() {
    let import = import_requirements(&json!({}), &json!([]), &[json!([{ "gone": [] }]), json!([])]);
    assert_eq!(requirements_of(&import, 2), [None, Some(Value::Null)]);
    let why = "the operation is left out: none of its security requirements is supported: `gone`";
    assert_eq!(lost(&import), [("/paths/~1p0/get", why)]);
}

#[test]
fn unknown_http_scheme_is_an_api_key() {
    let import = imported(json!({
        "components": { "securitySchemes": { "shared": { "type": "http", "scheme": "SharedAccessKey" } } },
        "security": [{ "shared": [] }],
        "paths": { "/n": { "get": { "operationId": "n", "responses": {} } } },
    }));
    assert_eq!(lost(&import), []);
    let scheme = &read(&import)["security_schemes"]["shared"];
    assert_eq!(scheme, &json!({ "type": "api_key", "in": "header", "name": "Authorization" }));
}
