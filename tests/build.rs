//! Enables tests that import large public documents, where `WIREFORM_DOCUMENTS` names a folder with them.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=WIREFORM_DOCUMENTS");
    println!("cargo::rustc-check-cfg=cfg(large_documents)");
    let documents = std::env::var_os("WIREFORM_DOCUMENTS").map(PathBuf::from);
    if documents.is_some_and(|dir| ["openai.json", "stripe.json"].iter().all(|file| dir.join(file).is_file())) {
        println!("cargo::rustc-cfg=large_documents");
    }
}
