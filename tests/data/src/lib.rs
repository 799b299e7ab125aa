//! Ignores tests whose data is absent. Corpora of public test data, specifications and Discovery documents are not part
//! of the repository; they are next to it, in `../shared`.
//!
//! This is decided at compile time, since a test cannot ignore itself when it runs. After the data was added or
//! removed, `touch tests/data/src/lib.rs` rebuilds the tests.

use std::path::Path;

use proc_macro::TokenStream;

/// Ignores a test if one of these files or folders is absent from `../shared`: `#[requires("spec", "corpora/rrule")]`.
#[proc_macro_attribute]
pub fn requires(paths: TokenStream, test: TokenStream) -> TokenStream {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let paths = paths.to_string();
    let mut paths = paths.split(',').map(|path| path.trim().trim_matches('"'));
    let Some(missing) = paths.find(|path| path.is_empty() || !shared.join(path).exists()) else { return test };
    let ignored: TokenStream = format!("#[ignore = \"needs {missing} in ../shared\"]").parse().unwrap_or_default();
    ignored.into_iter().chain(test).collect()
}
