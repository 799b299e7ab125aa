//! Security schemes.

use serde_json::{Map, Value, json};

use super::{imported, lost, read};
use crate::Import;

/// Notes about a scheme whose credentials the caller writes.
fn custom_note(why: &str) -> String {
    format!("becomes an API key in the header `Authorization`, whose value the caller writes: {why}")
}

#[test]
fn operations_of_custom_schemes_are_kept() {
    let table = [
        (json!({ "type": "apiKey", "in": "object", "name": "X-Key" }), "an API key cannot be in `object`"),
        (
            json!({ "type": "apiKey", "in": "header", "name": "X-Key " }),
            "`X-Key ` is not a valid name of a header, cookie or parameter",
        ),
        (json!({ "type": "apiKey", "name": "X-Key" }), "an API key requires `in` and `name`"),
        (json!({ "type": "aws4" }), "its type `aws4` is unknown"),
        (json!({}), "it has no type"),
        (json!({ "type": "http", "scheme": "Digest" }), "the HTTP scheme `Digest` computes it for each request"),
        (json!({ "type": "http", "scheme": "HOBA" }), "the HTTP scheme `HOBA` computes it for each request"),
        (json!({ "type": "http" }), "it has no `scheme`"),
        (json!({ "type": "openIdConnect" }), "it has no URL"),
    ];
    for (scheme, why) in table {
        let import = import_requirements(&json!({ "own": scheme }), &json!([]), &[json!([{ "own": [] }])]);
        assert_eq!(requirements_of(&import, 1), [Some(json!(["own"]))], "{scheme}");
        assert_eq!(read(&import)["security_schemes"]["own"]["name"], "Authorization");
        let notes: Vec<_> = import.notes.iter().map(|note| note.what.as_str()).collect();
        assert_eq!((lost(&import), notes.contains(&custom_note(why).as_str())), (vec![], true), "{notes:?}");
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
            [
                json!(["digest", "key", "token"]),
                json!(["token"]),
                json!(["digest", "key", "token"]),
                json!(["digest", "key", "token"]),
            ],
            json!([]),
        ),
        (json!([{ "third": [] }]), [Value::Null, json!(["token"]), Value::Null, Value::Null], json!([])),
        (
            json!([]),
            [
                json!(["digest", "key", "token"]),
                json!(["token"]),
                json!(["digest", "key", "token"]),
                json!(["digest", "key", "token"]),
            ],
            json!([]),
        ),
    ];
    for (standard, expected, open) in standards {
        let import = import_requirements(&schemes, &standard, &operations);
        let fallback = expected[0].clone();
        let expected: Vec<_> = expected.into_iter().chain([json!(["digest"]), fallback, open]).map(of).collect();
        assert_eq!(requirements_of(&import, operations.len()), expected, "{standard}");
        let losses_of = |scheme: &str| {
            let name = format!("`{scheme}`;");
            import.losses.iter().filter(|loss| loss.what.contains(&name)).collect::<Vec<_>>()
        };
        let [gone] = losses_of("gone")[..] else { panic!("{:?}", import.losses) };
        assert_eq!(gone.at, "/paths/~1p0/get/security/0/gone");
        assert!(gone.what.ends_with("(and in 4 more places)"), "{gone:?}");
        assert_eq!(losses_of("other").len(), 1);
        assert!(standard[0].get("third").is_none() || losses_of("third").len() == 1);
    }
}

#[test]
fn operations_of_a_document_without_schemes_are_kept() {
    let import = import_requirements(&json!({}), &json!([]), &[json!([{ "gone": [] }]), json!([])]);
    assert_eq!(requirements_of(&import, 2), [Some(json!(["gone"])), Some(json!([]))]);
    let notes: Vec<_> = import.notes.iter().map(|note| (note.at.as_str(), note.what.clone())).collect();
    let expected = ("/paths/~1p0/get/security/0/gone", custom_note("the scheme is not defined"));
    assert_eq!((lost(&import), notes.contains(&expected)), (vec![], true), "{notes:?}");
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
