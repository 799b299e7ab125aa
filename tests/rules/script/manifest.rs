//! Rows about the manifest of a project.

use crate::row::{Row, value};

/// Manifest with libraries.
macro_rules! libraries {
    ($libraries:literal) => {
        concat!(r#"{"dependencies":{"libraries":["#, $libraries, "]}}")
    };
}

pub const ROWS: &[Row] = &[
    value("Manifest", "manifest_dependencies.unique_symbols", "dependencies.libraries")
        .breaks(libraries!(
            r#"{"userSymbol":"A","libraryId":"x","version":"1"},{"userSymbol":"A","libraryId":"y","version":"1"}"#
        ))
        .passes(libraries!(
            r#"{"userSymbol":"A","libraryId":"x","version":"1"},{"userSymbol":"a","libraryId":"y","version":"1"}"#
        )),
    value("Manifest", "manifest_library.has_version", "dependencies.libraries[0].version")
        .breaks(libraries!(r#"{"userSymbol":"A","libraryId":"x","developmentMode":false}"#))
        .passes(libraries!(r#"{"userSymbol":"A","libraryId":"x","developmentMode":true}"#)),
    value("Manifest", "min", "dependencies.libraries[0].version")
        .breaks(libraries!(r#"{"userSymbol":"A","libraryId":"x","version":"-1"}"#))
        .passes(libraries!(r#"{"userSymbol":"A","libraryId":"x","version":"0"}"#)),
    value("Manifest", "pattern", "dependencies.libraries[0].userSymbol")
        .breaks(libraries!(r#"{"userSymbol":"1A","libraryId":"x","version":"1"}"#))
        .passes(libraries!(r#"{"userSymbol":"$A1","libraryId":"x","version":"1"}"#)),
    value("Manifest", "sendable_value", "webapp.access")
        .breaks(r#"{"webapp":{"access":"UNKNOWN_ACCESS","executeAs":"USER_ACCESSING"}}"#)
        .passes(r#"{"webapp":{"access":"MYSELF","executeAs":"USER_ACCESSING"}}"#),
    value("Manifest", "sendable_value", "executionApi.access")
        .breaks(r#"{"executionApi":{"access":"UNKNOWN_ACCESS"}}"#)
        .passes(r#"{"executionApi":{"access":"ANYONE"}}"#),
];
