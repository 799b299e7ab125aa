//! URLs of an API, of its paths and of its operations.

use serde_json::{Value, json};

use super::{imported, lost, read};
use crate::Import;

fn with(servers: Option<Value>, of_paths: [Value; 2]) -> Value {
    let [a, b] = of_paths;
    let mut document = json!({ "paths": {
        "/a": { "servers": a, "get": { "responses": {} } },
        "/b": { "servers": b, "parameters": [{ "name": "q", "in": "query", "schema": { "type": "string" } }] },
    } });
    servers.into_iter().for_each(|servers| document["servers"] = servers);
    document
}

#[test]
fn shared_servers_of_paths_are_those_of_the_api() {
    let own = json!([{ "url": "https://notes.example.com/v1" }]);
    let import = imported(with(Some(own.clone()), [own.clone(), own.clone()]));
    assert_eq!(lost(&import), []);
    let import = imported(with(None, [own.clone(), own.clone()]));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    assert_eq!((&found["root"], &found["base_path"]), (&json!("https://notes.example.com"), &json!("/v1")));
}

/// Returns a document with servers, and operations with servers of their paths and of their own.
fn with_operations(servers: Value, operations: &[(&str, Value, Value)]) -> Import {
    let paths: serde_json::Map<String, Value> = operations
        .iter()
        .map(|(path, of_path, own)| {
            let mut item = json!({ "get": { "operationId": path.trim_matches('/'), "responses": {} } });
            if !of_path.is_null() {
                item["servers"] = of_path.clone();
            }
            if !own.is_null() {
                item["get"]["servers"] = own.clone();
            }
            ((*path).to_owned(), item)
        })
        .collect();
    imported(json!({ "servers": servers, "paths": paths }))
}

fn one(url: &str) -> Value {
    json!([{ "url": url }])
}

#[test]
fn operations_have_the_servers_of_their_path_or_their_own() {
    let import = with_operations(
        one("https://notes.example.com/api/v1"),
        &[
            ("/a", Value::Null, Value::Null),
            ("/b", one("/api/v2"), Value::Null),
            ("/c", one("/api/v2"), one("https://files.example.com/api/v1/")),
            ("/d", one("https://other.example.com"), one("https://notes.example.com/api/v1")),
        ],
    );
    assert_eq!(lost(&import), []);
    let found = read(&import);
    assert_eq!((&found["root"], &found["base_path"]), (&json!("https://notes.example.com"), &json!("/api")));
    let operations = &found["operations"];
    assert_eq!(operations["a"], json!({ "http": "GET /v1/a" }));
    assert_eq!(operations["b"], json!({ "http": "GET /v2/b" }));
    assert_eq!(operations["c"], json!({ "http": "GET /v1/c", "root": "https://files.example.com" }));
    assert_eq!(operations["d"], json!({ "http": "GET /v1/d" }));
    // Without servers of the API, those of the first path are its servers.
    let urls = ["https://a.example.com/x", "https://b.example.com/x"].map(one);
    let import =
        with_operations(json!([]), &[("/a", urls[0].clone(), Value::Null), ("/b", urls[1].clone(), Value::Null)]);
    let found = read(&import);
    assert_eq!((&found["root"], &found["base_path"]), (&json!("https://a.example.com"), &json!("/x")));
    assert_eq!(found["operations"]["b"]["root"], "https://b.example.com");
}

#[test]
fn unsupported_servers_of_operations_are_reported() {
    let variable = json!({ "default": "eu", "enum": ["eu", "us"] });
    let several = json!([
        { "url": "https://{region}.example.com", "variables": { "region": variable } },
        { "url": "https://more.example.com" },
    ]);
    let import = with_operations(
        one("https://notes.example.com"),
        &[
            ("/a", several, Value::Null),
            ("/b", Value::Null, one("files")),
            ("/c", Value::Null, json!([{ "url": "https://notes.example.com" }, { "url": "https://more.example.com" }])),
        ],
    );
    assert_eq!(read(&import)["operations"]["a"]["root"], "https://eu.example.com");
    assert_eq!(
        lost(&import),
        [
            ("/paths/~1b/get/servers", "left out: `files` is not a valid server URL"),
            ("/paths/~1c/get/servers/1", "left out: an operation has the URLs of the API, or one of its own"),
        ]
    );
    let notes: Vec<_> = noted(&import).into_iter().filter(|(at, _)| at.contains("servers")).collect();
    assert_eq!(
        notes,
        [
            ("/paths/~1a/servers/0", "the defaults of the variables are used"),
            ("/paths/~1a/servers/1", "left out: an operation has one URL of its own"),
        ]
    );
    let several = json!([{ "url": "https://notes.example.com/v1" }, { "url": "https://notes.example.com/v2" }]);
    let import = with_operations(several, &[("/a", one("/v3"), Value::Null)]);
    let why = "left out: the API has several base paths, so that its operations cannot have others";
    assert_eq!(lost(&import), [("/paths/~1a/servers", why)]);
}

fn of(servers: Value) -> Import {
    imported(json!({ "servers": servers }))
}

fn noted(import: &Import) -> Vec<(&str, &str)> {
    import.notes.iter().map(|note| (note.at.as_str(), note.what.as_str())).collect()
}

const WITHOUT_TEXT: &str = "left out: the root and the base path have no description";

#[test]
fn expansion_of_variables_is_limited() {
    let doubled = |index: usize| json!({ "default": format!("{{v{}}}{{v{}}}", index + 1, index + 1) });
    let variables: serde_json::Map<String, Value> =
        (0..40).map(|index| (format!("v{index}"), doubled(index))).collect();
    let import = of(json!([{ "url": "https://{v0}.example.com", "variables": variables }]));
    let what = "left out: `https://{v1}{v1}.example.com` is not a valid server URL";
    assert_eq!(lost(&import), [("/servers/0", what)]);
    let long = of(json!([{ "url": format!("https://a.example.com/{}", "a".repeat(100_000)) }]));
    assert_eq!(lost(&long), [("/servers/0", "left out: a URL has at most 2048 bytes")]);
    let values: Vec<String> = (0..20_000).map(|index| format!("v{index}")).collect();
    let variable = json!({ "default": "v0", "enum": values });
    for (description, most) in [("Short.".to_owned(), 1_001), ("Said of each. ".repeat(1_000), 100)] {
        let server =
            json!({ "url": "https://{v}.example.com", "description": description, "variables": { "v": variable } });
        let import = of(json!([server]));
        let count = read(&import)["endpoints"].as_object().map_or(0, serde_json::Map::len);
        assert!((20..most).contains(&count), "{count}");
        assert!(matches!(lost(&import).as_slice(), [(_, what)] if what.starts_with("left out with all values")));
    }
}

#[test]
fn root_is_that_of_first_valid_server() {
    let import = of(json!([{ "url": "{x}" }, { "url": "https://b.example.com", "description": "The other." }]));
    assert_eq!(read(&import)["root"], "https://b.example.com");
    assert_eq!(lost(&import), [("/servers/0", "left out: `{x}` is not a valid server URL")]);
    assert_eq!(noted(&import), [("/servers/1/description", WITHOUT_TEXT)]);
}

#[test]
fn descriptions_of_other_values_are_reported() {
    let variable = json!({ "default": "v1", "enum": ["v1", "v2"], "description": "A version." });
    let server = |url: &str| json!({ "url": url, "description": "With host", "variables": { "v": variable } });
    let import = of(json!([server("https://api.example.com/{v}")]));
    assert_eq!(read(&import)["base_path"]["aliases"], json!(["/v2"]));
    let at = ["/servers/0/description", "/servers/0/variables/v/description"];
    assert_eq!(noted(&import), at.map(|at| (at, WITHOUT_TEXT)));
    // The preceding servers already have endpoints of their own.
    let import = of(json!([{ "url": "https://v1.example.com" }, server("https://{v}.example.com")]));
    assert_eq!(read(&import)["endpoints"]["v2"]["doc"], "With host. With `v` as `v2`. A version.");
    let again = "its URL with the defaults of all variables is left out: duplicate URL";
    assert_eq!((lost(&import), noted(&import)), (vec![], vec![("/servers/1", again)]));
}

#[test]
fn path_servers_with_equal_variables_are_those_of_the_api() {
    let server = |region: &str| json!({ "url": "https://{region}.example.com", "description": "Of a region.", "variables": { "region": { "default": region } } });
    let import = imported(with(Some(json!([server("eu")])), [json!([server("us")]), json!([server("eu")])]));
    assert_eq!(lost(&import), []);
    assert_eq!(read(&import)["operations"]["get_a"]["root"], "https://us.example.com");
    assert!(
        !noted(&import).iter().any(|(at, _)| at.starts_with("/paths") && at.contains("servers")),
        "{:?}",
        import.notes
    );
    let other = |text: &str| json!([{ "url": "https://a.example.com", "description": text }]);
    let import = imported(with(Some(other("One.")), [other("Two."), other("Two.")]));
    let once = "left out: a URL of an API has one description only (and in 1 more place)";
    let notes: Vec<_> = noted(&import).into_iter().filter(|(at, _)| at.contains("servers")).collect();
    assert_eq!(notes, [("/paths/~1a/servers/0/description", once), ("/servers/0/description", WITHOUT_TEXT)]);
    let import = imported(with(Some(other("One.")), [json!([]), json!([])]));
    assert!(lost(&import).is_empty() && !noted(&import).iter().any(|(at, _)| at.ends_with("servers")));
}

#[test]
fn unlisted_default_is_replaced_by_first_value() {
    let server = json!({
        "url": "https://notes.example.com/{version}",
        "variables": { "version": { "default": "", "enum": ["v2", "v1"] } },
    });
    let found = read(&of(json!([server])));
    assert_eq!((&found["root"], &found["base_path"]["path"]), (&json!("https://notes.example.com"), &json!("/v2")));
}
