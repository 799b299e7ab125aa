//! Ignores tests whose data is absent. Corpora of public test data, specifications and Discovery documents are not part of the
//! repository and lie beside it, in `../shared`.
//!
//! The compiler decides, since a test cannot ignore itself when it runs. Where the data has come or gone since the tests were
//! built, `touch tests/data/src/lib.rs` builds them again.

use std::path::Path;

use proc_macro::TokenStream;

/// Ignores a test where one of these files or folders is absent from `../shared`: `#[requires("spec", "corpora/rrule")]`.
#[proc_macro_attribute]
pub fn requires(paths: TokenStream, test: TokenStream) -> TokenStream {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let paths = paths.to_string();
    let mut paths = paths.split(',').map(|path| path.trim().trim_matches('"'));
    let Some(missing) = paths.find(|path| path.is_empty() || !shared.join(path).exists()) else { return test };
    let ignored: TokenStream = format!("#[ignore = \"needs {missing} in ../shared\"]").parse().unwrap_or_default();
    ignored.into_iter().chain(test).collect()
}
