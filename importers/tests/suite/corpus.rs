//! Public Discovery documents: all are imported, their contents are counted, and the schema reader accepts the result,
//! except for a list of documents.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use serde_json::Value;
use wireform_codegen::Severity;
use wireform_importers::{Import, discovery};
use wireform_test_data::requires;

use crate::inputs::{corpus, sources};
use crate::parallel::check_all;

/// Documents whose schemas are not accepted yet, with the code of the first error.
const NOT_YET: &[(&str, &str)] = &[];

/// Documents with paths whose variables are ambiguous, so that each segment has a parameter.
const FLAT: &[&str] = &[];

/// Imports of all documents by their names, each with its row of the manifest. Every test needs all of them.
static IMPORTS: LazyLock<BTreeMap<String, (Import, Value)>> = LazyLock::new(imports);

fn imports() -> BTreeMap<String, (Import, Value)> {
    let corpus = corpus("discovery");
    let manifest = fs_err::read_to_string(corpus.join("MANIFEST.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let imports = Mutex::new(BTreeMap::new());
    check_all(manifest["rows"].as_array().expect("rows"), |row| {
        let name = row["file"].as_str().expect("a name").to_owned();
        let text = fs_err::read_to_string(corpus.join("docs").join(&name)).expect("a document");
        let import = discovery::import(&text).expect("a Discovery document");
        assert_eq!(import.files, discovery::import(&text).expect("once more").files, "{name}");
        imports.lock().expect("a lock").insert(name, (import, row.clone()));
    });
    imports.into_inner().expect("a lock")
}

#[requires("corpora/discovery")]
#[test]
fn written_schemas_are_accepted() {
    let mut refused = Vec::new();
    for (name, (import, _)) in &*IMPORTS {
        if let Err(output) = wireform_codegen::load(&sources(import)) {
            let error = output
                .diagnostics
                .iter()
                .find(|reported| reported.code.severity() == Severity::Error)
                .expect("an error");
            println!("{name}: {} {}", error.code.text(), error.message);
            refused.push((name.clone(), error.code.text()));
        }
        assert_eq!(import.losses, [], "{name}");
    }
    let refused: Vec<(&str, &str)> = refused.iter().map(|(name, code)| (name.as_str(), *code)).collect();
    assert_eq!(refused, NOT_YET);
}

#[requires("corpora/discovery")]
#[test]
fn all_counted_parts_are_imported() {
    let mut flat = Vec::new();
    for (name, (import, row)) in &*IMPORTS {
        let found = import.counts;
        let found = [
            ("schemas", found.schemas),
            ("properties", found.properties),
            ("enums", found.enums),
            ("enum_values", found.enum_values),
            ("methods", found.methods),
            ("parameters", found.parameters),
            ("required_parameters", found.required_parameters),
            ("repeated_parameters", found.repeated_parameters),
            ("global_parameters", found.global_parameters),
        ];
        let differs = |(key, count): &(&str, usize)| row[*key].as_u64() != Some(*count as u64);
        let (parameters, rest): (Vec<_>, Vec<_>) =
            found.into_iter().filter(differs).partition(|(key, _)| key.ends_with("parameters"));
        assert_eq!(rest, [], "{name}");
        if !parameters.is_empty() {
            let reported = import.losses.iter().any(|loss| loss.what.contains("`flatPath`"));
            assert!(reported, "{name}: {parameters:?}");
            flat.push(name.clone());
        }
        // A file is too long only if it has a single definition.
        for (path, text) in &import.files {
            assert!(text.lines().count() < 3000, "{name}: {path} has {} lines", text.lines().count());
        }
    }
    assert_eq!(flat, FLAT);
}
