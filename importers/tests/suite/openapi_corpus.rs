//! Public OpenAPI documents: all are imported with every operation and every schema, and the schema reader accepts the
//! result.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use wireform_codegen::Severity;
use wireform_importers::openapi;
use wireform_test_data::requires;

use crate::inputs::{corpus, entries, sources};

fn documents() -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json" || ending == "yaml");
    let mut found: Vec<PathBuf> = entries(corpus("openapi")).filter(is_document).collect();
    found.sort();
    found
}

/// Expected losses: the document, the number of occurrences, and the message.
const LOSSES: &[(&str, usize, &str)] = &[("box-v2025.0.json", 1, "left out: it has no effect at this location")];

/// Returns the numbers of operations and schemas of a document.
fn count_operations_and_schemas(text: &str) -> (usize, usize) {
    let value: Value = serde_yaml::from_str(text).expect("JSON is YAML");
    let methods = ["get", "put", "post", "delete", "options", "head", "patch"];
    let items = value["paths"].as_object().expect("paths").values();
    let operations = items.map(|item| methods.iter().filter(|method| item.get(**method).is_some()).count()).sum();
    (operations, value["components"]["schemas"].as_object().map_or(0, serde_json::Map::len))
}

#[requires("corpora/openapi")]
#[test]
fn all_operations_and_schemas_are_imported_or_known_losses() {
    let documents = documents();
    let mut losses: BTreeMap<(String, String), usize> = BTreeMap::new();
    for path in &documents {
        let name = path.file_name().expect("a name").display();
        let text = fs_err::read_to_string(path).expect("a document");
        let import = openapi::import(&text).expect("an OpenAPI document");
        assert_eq!(import.files, openapi::import(&text).expect("once more").files, "{name}");
        assert_eq!((import.counts.methods, import.counts.schemas), count_operations_and_schemas(&text), "{name}");
        for loss in &import.losses {
            *losses.entry((name.to_string(), loss.what.clone())).or_default() += 1;
        }
        if let Err(output) = wireform_codegen::load(&sources(&import)) {
            let reported = output.diagnostics.iter().filter(|reported| reported.code.severity() == Severity::Error);
            panic!("{name}: {:?}", reported.collect::<Vec<_>>());
        }
    }
    let losses: Vec<(&str, usize, &str)> =
        losses.iter().map(|((name, what), count)| (&**name, *count, &**what)).collect();
    assert_eq!(losses, LOSSES);
}
