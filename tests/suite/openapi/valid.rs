//! The documents are valid: every schema compiles as JSON Schema 2020-12, defaults and examples satisfy their schemas,
//! references resolve, names are unique, and path parameters match the templates.

use std::collections::BTreeSet;

use boon::Schemas;
use serde_json::Value;

use super::{Document, all, escaped};

/// Calls a function with every object in a value and the pointer to it.
fn objects<'v>(value: &'v Value, pointer: &str, see: &mut dyn FnMut(&str, &'v Value)) {
    match value {
        Value::Object(members) => {
            see(pointer, value);
            for (name, member) in members {
                objects(member, &format!("{pointer}/{}", escaped(name)), see);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{pointer}/{index}"), see);
            }
        }
        _ => {}
    }
}

/// Returns the pointers to all schemas: those of components, properties, parameters, headers and contents.
fn schemas(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    objects(&document.json, "", &mut |pointer, value| {
        let steps: Vec<&str> = pointer.split('/').collect();
        let is = matches!(steps.as_slice(), ["", "components", "schemas", _] | [.., "properties", _] | [.., "schema"]);
        if is && value.is_object() {
            found.insert(pointer.to_owned());
        }
    });
    found
}

#[test]
fn schemas_compile_and_their_defaults_and_examples_satisfy_them() {
    for document in all() {
        let mut compiled = Schemas::new();
        let mut values = 0;
        for pointer in schemas(&document) {
            let index = document.assert_compiles(&mut compiled, &pointer);
            let plain = pointer.replace("%7B", "{").replace("%7D", "}").replace("%23", "#").replace("%25", "%");
            let schema = document.json.pointer(&plain).unwrap_or_else(|| panic!("{plain} does not exist"));
            let parent = plain.rsplit_once('/').and_then(|(parent, _)| document.json.pointer(parent));
            let examples = schema["examples"].as_array().into_iter().flatten();
            let sibling = plain.ends_with("/schema").then(|| parent.and_then(|parent| parent.get("example"))).flatten();
            for value in schema.get("default").into_iter().chain(examples).chain(sibling) {
                values += 1;
                let verdict = compiled.validate(value, index);
                assert!(verdict.is_ok(), "{} {pointer}: {value}: {:#}", document.name, verdict.expect_err("refused"));
            }
        }
        assert!(values > 5 || !document.name.contains("schemas/"), "{}: {values} values", document.name);
    }
}

#[test]
fn references_lead_somewhere_and_everything_is_referred_to() {
    for document in all() {
        let (mut targets, mut objects_seen) = (BTreeSet::new(), 0);
        objects(&document.json, "", &mut |_, value| {
            objects_seen += 1;
            if let Some(target) = value["$ref"].as_str() {
                let pointer = target.strip_prefix('#').expect("it is of this document");
                assert!(document.json.pointer(pointer).is_some(), "{}: {target} does not exist", document.name);
                targets.insert(target.to_owned());
            }
        });
        assert!(objects_seen > 10, "{}", document.name);
        for kind in ["schemas", "parameters", "headers"] {
            for name in document.json["components"][kind].as_object().into_iter().flat_map(|all| all.keys()) {
                let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
                assert!(name.chars().all(plain), "{}: {name} cannot name a component", document.name);
                let referred = targets.contains(&format!("#/components/{kind}/{name}"));
                // Definitions without references, such as the values of a header, are included on purpose.
                let alone = kind == "schemas" && !name.contains('.');
                assert!(referred || alone, "{}: nothing refers to {name}", document.name);
            }
        }
    }
}

#[test]
fn paths_and_parameters_go_together() {
    for document in all() {
        let mut names = BTreeSet::new();
        for (path, method, operation) in document.operations() {
            let id = operation["operationId"].as_str().expect("a name");
            assert!(names.insert(id.to_owned()), "{}: two operations are called {id}", document.name);
            assert!(["get", "put", "post", "patch", "delete", "head", "options"].contains(&method), "{method}");
            let variables: BTreeSet<&str> =
                path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
            let mut seen = BTreeSet::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let parameter = document.resolved(parameter);
                let (name, place) = (parameter["name"].as_str().expect("a name"), parameter["in"].as_str());
                assert!(seen.insert((name, place)), "{}: {id} has {name} twice", document.name);
                let json = &parameter["content"]["application/json"]["schema"];
                let described = parameter["schema"].is_object() || json.is_object();
                assert!(described, "{}: {id} {name} has no schema", document.name);
                let in_path = place == Some("path");
                assert_eq!(in_path, variables.contains(name) && in_path, "{}: {id} {name}", document.name);
                assert!(!in_path || parameter["required"] == true, "{}: {id} {name} is required", document.name);
            }
            let in_path = seen.iter().filter(|(_, place)| *place == Some("path")).count();
            assert_eq!(in_path, variables.len(), "{}: {id} and its path", document.name);
            let responses = operation["responses"].as_object().expect("responses");
            assert!(responses.contains_key("default") && responses.keys().any(|status| status.starts_with(['2', '3'])));
            assert!(responses.values().all(|response| response["description"].is_string()), "{}: {id}", document.name);
        }
    }
}
