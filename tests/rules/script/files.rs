//! Rows about the files of a project.

use wireform_validation::Severity;

use crate::row::{Row, request, response};

/// Files of a project, after its manifest.
macro_rules! files {
    ($files:literal) => {
        concat!(r#"{"files":[{"name":"manifest","type":"JSON"},"#, $files, "]}")
    };
}

/// File with a set of functions.
macro_rules! functions {
    ($functions:literal) => {
        concat!(
            r#"{"files":[{"name":"manifest","type":"JSON"},{"name":"a","type":"SERVER_JS","functionSet":{"values":["#,
            $functions,
            "]}}]}"
        )
    };
}

pub const ROWS: &[Row] = &[
    request("projects.updateContent", "content.one_manifest", "files")
        .breaks(r#"{"files":[]}"#)
        .passes(r#"{"files":[{"name":"appsscript","type":"JSON"}]}"#),
    request("projects.updateContent", "content.one_manifest", "files")
        .breaks(r#"{"files":[{"name":"manifest","type":"HTML"}]}"#)
        .passes(files!(r#"{"name":"a","type":"HTML"}"#)),
    request("projects.updateContent", "content.one_manifest", "files")
        .with(&[("files", "content.unique_files", Severity::Error)])
        .breaks(files!(r#"{"name":"appsscript","type":"JSON"}"#))
        .passes(files!(r#"{"name":"a","type":"SERVER_JS"}"#)),
    request("projects.updateContent", "file.json_is_manifest", "files[1].type")
        .breaks(files!(r#"{"name":"data","type":"JSON"}"#))
        .passes(files!(r#"{"name":"data","type":"HTML"}"#)),
    request("projects.updateContent", "content.unique_files", "files")
        .breaks(files!(r#"{"name":"a","type":"HTML"},{"name":"a","type":"HTML","source":"A"}"#))
        .passes(files!(r#"{"name":"a","type":"HTML"},{"name":"b","type":"HTML"}"#)),
    request("projects.updateContent", "content.unique_files", "files")
        .breaks(files!(r#"{"name":"a","type":"HTML"},{"name":"a","type":"SERVER_JS"}"#))
        .passes(files!(r#"{"name":"a","type":"HTML"},{"name":"a/b","type":"SERVER_JS"}"#)),
    request("projects.updateContent", "content.unique_files", "files")
        .breaks(files!(r#"{"name":"appsscript","type":"HTML"}"#))
        .passes(files!(r#"{"name":"appsscript.html","type":"HTML"}"#)),
    request("projects.updateContent", "file.has_name", "files[1].name")
        .breaks(files!(r#"{"type":"HTML"}"#))
        .passes(files!(r#"{"type":"HTML","name":""}"#)),
    request("projects.updateContent", "file.has_type", "files[1].type")
        .breaks(files!(r#"{"name":"a"}"#))
        .passes(files!(r#"{"name":"a","type":"HTML"}"#)),
    request("projects.updateContent", "sendable_value", "files[1].type")
        .breaks(files!(r#"{"name":"a","type":"ENUM_TYPE_UNSPECIFIED"}"#))
        .passes(files!(r#"{"name":"a","type":"SERVER_JS"}"#)),
    request("projects.updateContent", "known_value", "files[1].type")
        .breaks(files!(r#"{"name":"a","type":"WASM"}"#))
        .passes(files!(r#"{"name":"a","type":"HTML"}"#)),
    response("projects.getContent", "function_set.unique_names", "files[1].functionSet.values")
        .breaks(functions!(r#"{"name":"f"},{"name":"g"},{"name":"f","parameters":["x"]}"#))
        .passes(functions!(r#"{"name":"f"},{"name":"g"},{"name":"F","parameters":["x"]}"#)),
    response("projects.getContent", "unique", "files[1].functionSet.values[2]")
        .breaks(functions!(r#"{"parameters":["x"]},{},{"parameters":["x"]}"#))
        .passes(functions!(r#"{"parameters":["x"]},{},{"parameters":["y"]}"#)),
    response("projects.getContent", "unique", "files[0].functionSet.values[1]")
        .breaks(r#"{"files":[{"functionSet":{"values":["*2",{"parameters":["x"]}]}}]}"#)
        .passes(r#"{"files":[{"functionSet":{"values":[{"parameters":["x"]}]}}]}"#),
    response("projects.getContent", "format", "files[0].lastModifyUser.email")
        .breaks(r#"{"files":[{"lastModifyUser":{"email":"a"}}]}"#)
        .passes(r#"{"files":[{"type":"ENUM_TYPE_UNSPECIFIED","lastModifyUser":{"email":"a@example.com"}}]}"#),
    response("projects.get", "format", "creator.photoUrl")
        .breaks(r#"{"creator":{"photoUrl":"/a.png"}}"#)
        .passes(r#"{"creator":{"photoUrl":"https://example.com/a.png"}}"#),
];
