//! Discovery documents, read again by the importer.

use std::collections::BTreeMap;

use serde_json::Value;
use wireform_codegen::Source;

use super::{APIS, Api, document};

const ROOT: &str = "http://127.0.0.1:8117/";

fn openapi(api: &Api) -> Value {
    serde_json::from_str(api.openapi).expect("the generator wrote JSON")
}

/// Returns the methods of a document by their identifiers.
fn methods(resource: &Value, found: &mut BTreeMap<String, Value>) {
    for method in resource["methods"].as_object().into_iter().flat_map(|methods| methods.values()) {
        found.insert(method["id"].as_str().expect("an identifier").to_owned(), method.clone());
    }
    for resource in resource["resources"].as_object().into_iter().flat_map(|resources| resources.values()) {
        methods(resource, found);
    }
}

#[test]
fn every_operation_is_a_method_of_its_path() {
    for api in &APIS {
        let (document, openapi) = (api.document(ROOT), openapi(api));
        let mut found = BTreeMap::new();
        methods(&document, &mut found);
        let mut expected = 0;
        for (path, operations) in openapi["paths"].as_object().expect("paths") {
            for (http_method, operation) in operations.as_object().expect("operations") {
                let Some(id) = operation["operationId"].as_str() else { continue };
                let method = &found[&format!("{}.{id}", api.name)];
                let url = format!(
                    "{}{}",
                    document["baseUrl"].as_str().expect("a URL"),
                    method["path"].as_str().expect("a path")
                );
                assert_eq!(url, format!("{ROOT}{}{path}", api.base_path.trim_end_matches('/')));
                assert_eq!(method["httpMethod"].as_str().map(str::to_lowercase).as_ref(), Some(http_method));
                assert!(!method["scopes"].as_array().expect("scopes").is_empty(), "{id}");
                expected += 1;
            }
        }
        assert_eq!((found.len(), expected > 10), (expected, true), "{}", api.name);
        for parameter in openapi["paths"].as_object().into_iter().flatten().flat_map(|(_, path)| {
            path.as_object()
                .into_iter()
                .flatten()
                .flat_map(|(_, one)| one["parameters"].as_array().into_iter().flatten())
        }) {
            // A parameter of an operation is its own, or a standard one of the document.
            if let Some(reference) = document::standard_parameter(parameter) {
                let name = &openapi["components"]["parameters"][reference]["name"];
                let is_header = openapi["components"]["parameters"][reference]["in"] == "header";
                assert!(
                    is_header || document["parameters"].get(name.as_str().expect("a name")).is_some(),
                    "{reference}"
                );
            }
        }
    }
}

#[test]
fn references_lead_to_schemas() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(name)) = fields.get("$ref") {
                    found.push(name.clone());
                }
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    for api in &APIS {
        let (document, mut found) = (api.document(ROOT), Vec::new());
        references(&document, &mut found);
        assert!(found.len() > 20);
        for name in found {
            assert!(document["schemas"].get(&name).is_some(), "{}: {name}", api.name);
        }
        let any = document["schemas"].to_string().matches(r#""type":"any""#).count();
        assert!(any <= 8, "{}: {any} fields have no type", api.name);
    }
}

#[test]
fn the_importer_reads_the_documents_without_losses() {
    for api in &APIS {
        let import = wireform_importers::discovery::import(&api.document(ROOT).to_string()).expect("a document");
        let losses: Vec<_> = import.losses.iter().map(|loss| format!("{}: {}", loss.at, loss.what)).collect();
        assert!(losses.is_empty(), "{}:\n{}", api.name, losses.join("\n"));
        let sources: Vec<Source> = import.files.iter().map(|(path, text)| Source::new(path, text.as_str())).collect();
        let read = wireform_codegen::load(&sources).unwrap_or_else(|output| panic!("{:?}", output.diagnostics));
        let ours: usize = openapi(api)["paths"]
            .as_object()
            .expect("paths")
            .values()
            .map(|path| {
                path.as_object().into_iter().flatten().filter(|(_, one)| one.get("operationId").is_some()).count()
            })
            .sum();
        assert_eq!(read.operations.len(), ours, "{}", api.name);
    }
}
