//! Names are independent: adding or removing an operation renames nothing else. Public documents are next to the
//! repository; without them there is nothing to test. `DOCUMENTS` is a folder with further ones in JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wireform_importers::openapi;
use wireform_test_data::requires;

use crate::inputs::corpus;
use crate::parallel::check_all;

const EDITS: usize = 50;

/// Returns the names of the operations of an import by method and path, and the names of its types.
fn names(document: &Value) -> (BTreeMap<String, String>, BTreeSet<String>) {
    let import = openapi::import(&document.to_string()).expect("an OpenAPI document");
    let (mut operations, mut types) = (BTreeMap::new(), BTreeSet::new());
    for text in import.files.values() {
        let file: Value = serde_yaml::from_str(text).expect("YAML");
        let section = |key: &str| file[key].as_object().cloned().unwrap_or_default();
        for (name, operation) in section("operations") {
            operations.insert(operation["http"].as_str().expect("a line").to_owned(), name);
        }
        types.extend(
            ["resources", "enums", "unions"].into_iter().flat_map(|key| section(key).into_iter().map(|it| it.0)),
        );
    }
    (operations, types)
}

/// Returns the paths and methods of the operations of a document.
fn operations(document: &Value) -> Vec<(String, String)> {
    let methods = ["get", "put", "post", "delete", "options", "head", "patch"];
    let paths = document["paths"].as_object().expect("paths").iter();
    let of_path = |(path, item): (&String, &Value)| {
        let there = methods.iter().filter(|method| item.get(**method).is_some());
        there.map(|method| (path.clone(), (*method).to_owned())).collect::<Vec<_>>()
    };
    paths.flat_map(of_path).collect()
}

/// A document with the names in its import.
struct Document {
    file: String,
    value: Value,
    names: (BTreeMap<String, String>, BTreeSet<String>),
}

fn documents() -> Vec<Document> {
    let files = ["box-v2025.0.json", "omicron-gateway.json", "twilio_verify_v2.json", "xero-payroll-uk.yaml"];
    let further = std::env::var_os("DOCUMENTS").and_then(|folder| fs_err::read_dir(folder).ok()).into_iter().flatten();
    let further = further.map(|entry| entry.expect("an entry").path());
    let files = files.iter().map(|file| corpus("openapi").join(file)).chain(further);
    files
        .map(|file| {
            let text = fs_err::read_to_string(&file).expect("a document");
            let value: Value = serde_yaml::from_str(&text).expect("JSON is YAML");
            let names = names(&value);
            Document { file: file.display().to_string(), value, names }
        })
        .collect()
}

/// Returns the operations to remove, each with its document.
fn edits(documents: &[Document]) -> Vec<(&Document, (String, String))> {
    // Knuth's generator, so that every run makes the same edits.
    let mut seed = 42_u64;
    (0..EDITS)
        .map(|edit| {
            let document = &documents[edit % documents.len()];
            let mut there = operations(&document.value);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(seed >> 33).expect("31 bits") % there.len();
            (document, there.swap_remove(at))
        })
        .collect()
}

#[requires("corpora/openapi")]
#[test]
fn adding_or_removing_an_operation_renames_nothing() {
    let documents = documents();
    check_all(&edits(&documents), |(Document { file, value, names: (all, types) }, (path, method))| {
        let mut less = value.clone();
        less["paths"][path].as_object_mut().expect("a path item").remove(method);
        // In reverse, this edit adds the operation.
        let (operations, left) = names(&less);
        assert_eq!(operations.len(), all.len() - 1, "{file}: {method} {path}");
        for (line, name) in &operations {
            assert_eq!(Some(name), all.get(line), "{file}: without {method} {path}");
        }
        let new: Vec<_> = left.difference(types).collect();
        assert!(new.is_empty(), "{file}: without {method} {path}: {new:?}");
    });
}
