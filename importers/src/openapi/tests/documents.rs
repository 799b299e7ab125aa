//! Whole documents: YAML, addresses, and what cannot be imported.

use serde_json::json;

use super::{import, imported, lost, read, read_back};

#[test]
fn yaml_is_read_as_json_is() {
    let yaml = "openapi: 3.0.3\ninfo: { title: The Notes API, version: 1.10 }\nservers:\n- url: https://{region}.example.com/v1/\n  variables: { region: { default: eu } }\npaths:\n  /n:\n    get:\n      operationId: notes.list\n      responses:\n        200:\n          description: on\n";
    let found = read(&read_back(yaml));
    assert_eq!(found["api"], "the-notes");
    assert_eq!(found["version"], "1.10");
    assert_eq!(found["root"], "https://eu.example.com");
    assert_eq!(found["base_path"], "/v1");
    assert_eq!(found["operations"]["notes.list"]["responses"]["200"]["doc"], "on");
}

#[test]
fn a_document_that_cannot_be_imported_says_where_and_why() {
    let with =
        |rest: &str| format!("{{\"openapi\": \"3.0.0\", \"info\": {{\"title\": \"N\", \"version\": \"1\"}}, {rest}}}");
    let deep = format!("{}{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    let table = [
        ("".to_owned(), "line 1, column 1: the file is empty"),
        ("{".to_owned(), "line 1, column 1: not JSON: EOF while parsing an object"),
        ("{\"a\": 1, \"a\": 2}".to_owned(), "line 1, column 16: not JSON: the key `a` stands twice in an object"),
        ("a: 1\na: 2\n".to_owned(), "line 2, column 1: the key `a` is written twice"),
        ("a: &x [*x]\n".to_owned(), "line 1, column 4: an anchor is not allowed here"),
        ("[]".to_owned(), "``: an OpenAPI document is an object"),
        ("swagger: '2.0'\n".to_owned(), "`/swagger`: OpenAPI 2 is not read; convert the document to version 3 first"),
        ("openapi: 4.0.0\n".to_owned(), "`/openapi`: `4.0.0` is neither version 3.0 nor 3.1"),
        ("openapi: 3.0.0\n".to_owned(), "`/info`: the `info` of the API is missing"),
        (
            with("\"components\": {\"schemas\": {\"A\": {\"$ref\": \"#/components/schemas/B\"}}}"),
            "`/components/schemas/A`: there is nothing at `#/components/schemas/B`",
        ),
        (
            with("\"components\": {\"schemas\": {\"A\": {\"$ref\": \"b.yaml#/B\"}}}"),
            "`/components/schemas/A`: `b.yaml#/B` is in another document; bundle all of them into one first",
        ),
        (with("\"paths\": {\"/a\": {\"$ref\": \"#/paths/~1a\"}}"), "`/paths/~1a`: the reference leads back to itself"),
        (deep, "line 1, column 636: not JSON: recursion limit exceeded"),
    ];
    for (text, expected) in table {
        let told = import(&text).expect_err("a mistake").to_string();
        assert_eq!(told, expected);
    }
}

#[test]
fn the_same_text_makes_the_same_files() {
    let document = json!({ "components": { "schemas": { "B": { "enum": ["a", "b"] }, "A": { "type": "object", "properties": { "x": { "enum": ["a", "b"] } } } } } });
    assert_eq!(imported(document.clone()).files, imported(document).files);
}

#[test]
fn servers_are_the_root_the_base_path_and_endpoints() {
    let import = imported(json!({
        "servers": [
            { "url": "https://{region}.example.com/v1", "variables": { "region": { "default": "us", "enum": ["us", "eu"] } } },
            { "url": "https://test.example.com/v1/", "description": "Sandbox" },
            { "url": "https://us.example.com/v2" },
            { "url": "https://old.example.com/v0" },
        ],
        "paths": { "/x": { "servers": [{ "url": "https://up.example.com" }], "get": { "responses": {} } } },
    }));
    let found = read(&import);
    assert_eq!(found["root"], "https://us.example.com");
    assert_eq!(found["base_path"], json!({ "path": "/v1", "aliases": ["/v2"] }));
    assert_eq!(
        found["endpoints"],
        json!({
            "with-region-as-eu": { "url": "https://eu.example.com", "doc": "With `region` as `eu`." },
            "sandbox": { "url": "https://test.example.com", "doc": "Sandbox" },
        })
    );
    let places: Vec<&str> = lost(&import).into_iter().map(|(at, _)| at).collect();
    assert_eq!(places, ["/paths/~1x/servers", "/servers/3"]);
}
