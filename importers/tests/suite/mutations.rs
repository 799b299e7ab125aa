//! Damaged and hostile documents: an import ends in an error or in files and never panics, no text of a document
//! becomes a path, and the schema reader accepts the files or reports located errors. A run is short and deterministic;
//! `WIREFORM_ROUNDS=1000 cargo test --release -p wireform-importers --test suite mutations::` runs a thousand rounds with
//! different changes. `WIREFORM_LAST=DIR` writes the current documents into a folder, in case the process aborts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

mod documents;
mod mutate;
#[path = "../../../tests/suite/random.rs"]
mod random;

use mutate::mutate;
use random::{Random, rounds};
use serde_json::Value;
use wireform_codegen::{Options, Severity, check as codegen_check, generate};
use wireform_importers::{Import, ImportError, discovery, openapi};
use wireform_test_data::requires;

use crate::inputs::sources;
use crate::parallel::check_all;

/// Problems of imports by kind, with one example each.
type Problems = Mutex<BTreeMap<String, String>>;

/// Checks the properties of any import.
fn check(what: &str, done: &Result<Import, ImportError>, generates: bool, problems: &Problems) {
    let import = match done {
        Ok(import) => import,
        Err(error) => return assert!(!error.to_string().is_empty(), "{what}"),
    };
    let plain = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    assert!(plain(&import.api) && import.files.keys().all(|name| plain(name)), "{what}: {:?}", import.files.keys());
    let sources = sources(import);
    let output = if generates { generate(&sources, &Options::default()) } else { codegen_check(&sources) };
    for error in output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error) {
        let kind = format!("{} {}", error.code.text(), error.message.split('`').step_by(2).collect::<String>());
        let shown = || format!("{what}: {}", error.render(&output.sources, false));
        problems.lock().expect("a lock").entry(kind).or_insert_with(shown);
    }
    for (path, rust) in output.files.iter().flatten() {
        assert!(path.split('/').all(plain), "{what}: the path {path:?}");
        assert!(!rust.contains('\u{202e}') || !path.ends_with(".rs"), "{what}: {path} turns text around");
    }
}

#[test]
fn mutated_documents_are_imported_or_rejected() {
    assert_ends(&documents::own());
}

#[requires("corpora/discovery", "corpora/openapi")]
#[test]
fn mutated_public_documents_are_imported_or_rejected() {
    assert_ends(&documents::public());
}

fn assert_ends(documents: &[(String, Value)]) {
    let problems = Problems::default();
    let last = std::env::var_os("WIREFORM_LAST");
    check_all(documents, |(name, document)| {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (name.len() as u64 + 1));
        let importer = if document.get("openapi").is_some() { openapi::import } else { discovery::import };
        for round in 0..rounds() * 10 {
            let text = mutate(document, &mut random).to_string();
            if let Some(dir) = &last {
                let file = format!("{:?}.json", std::thread::current().id());
                fs_err::write(Path::new(dir).join(file), &text).expect("a file");
            }
            check(&format!("{name}, round {round}"), &importer(&text), round % 16 == 0, &problems);
        }
    });
    let problems = problems.into_inner().expect("a lock");
    let report: String = problems.values().map(|problem| format!("{problem}\n\n")).collect();
    assert!(problems.is_empty(), "the imported schema is rejected:\n{report}");
}
