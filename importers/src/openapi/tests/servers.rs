//! The addresses of an API, of its paths and of its operations.

use serde_json::{Value, json};

use super::{imported, lost, read};

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
fn addresses_that_all_paths_have_are_those_of_the_api() {
    let own = json!([{ "url": "https://notes.example.com/v1" }]);
    let import = imported(with(Some(own.clone()), [own.clone(), own.clone()]));
    assert_eq!(lost(&import), []);
    let import = imported(with(None, [own.clone(), own.clone()]));
    assert_eq!(lost(&import), []);
    let found = read(&import);
    assert_eq!((&found["root"], &found["base_path"]), (&json!("https://notes.example.com"), &json!("/v1")));
    let import = imported(with(None, [own, json!([{ "url": "https://up.example.com" }])]));
    assert_eq!(read(&import).get("root"), None);
    let why = "left out: all operations of an API have the same addresses";
    assert_eq!(lost(&import), [("/paths/~1a/servers", why), ("/paths/~1b/servers", why)]);
}
