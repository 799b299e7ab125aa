//! The files in the repository are current: the generated crates, the reference pages, the JSON Schema.

use std::collections::BTreeMap;
use std::path::Path;

use wireform_codegen::{FileTree, Options, RuntimeDependency, check, generate, reference};
use wireform_tests::{folders, root, sources};

#[test]
fn generated_is_what_the_generator_writes() {
    assert_fresh(&root(), "../../runtime");
}

/// The example is a separate repository with a settings file.
#[test]
fn the_crates_of_the_example_are_what_the_generator_writes() {
    assert_fresh(&root().join("examples/reading-list"), "../../../../runtime");
}

/// Compares `generated/` of a folder with the output for its `schemas/`.
fn assert_fresh(dir: &Path, runtime: &str) {
    let options = Options {
        license: Some("MIT OR Apache-2.0".into()),
        runtime: RuntimeDependency::Path(runtime.into()),
        ..Options::default()
    };
    let mut expected = FileTree::new();
    for dir in folders(&dir.join("schemas")) {
        expected.extend(generate(&sources(&dir), &options).files.expect("the schemas have no errors"));
    }
    let existing = files_below(&dir.join("generated"));
    let names =
        |tree: &BTreeMap<String, String>| tree.keys().filter(|path| path.contains('/')).cloned().collect::<Vec<_>>();
    assert_eq!(names(&existing), names(&expected), "files are missing or left over: run `cargo xtask gen`");
    for (path, text) in expected {
        assert!(existing[&path] == text, "{path} is stale: run `cargo xtask gen`");
    }
}

#[test]
fn no_schema_has_warnings() {
    for dir in
        folders(&root().join("schemas")).into_iter().chain(folders(&root().join("examples/reading-list/schemas")))
    {
        let output = check(&sources(&dir));
        let reported: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
        assert!(reported.is_empty(), "{}:\n{}", dir.display(), reported.join("\n\n"));
    }
}

#[test]
fn reference_pages_are_what_the_tables_say() {
    let pages = [
        ("docs/schema-language.md", reference::language_page()),
        ("docs/conditions.md", reference::conditions_page()),
        ("docs/diagnostics.md", reference::diagnostics_page()),
        ("schemas/wireform.schema.json", reference::json_schema()),
    ];
    for (path, text) in pages {
        let existing = fs_err::read_to_string(root().join(path)).unwrap_or_default();
        assert!(existing == text, "{path} is stale: run `cargo xtask reference`");
    }
}

fn files_below(dir: &Path) -> FileTree {
    let mut found = FileTree::new();
    let mut open = vec![dir.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs_err::read_dir(&at).expect("the folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name =
                    path.strip_prefix(dir).expect("the path is in the folder").to_string_lossy().replace('\\', "/");
                found.insert(name, fs_err::read_to_string(&path).expect("generated files are text"));
            }
        }
    }
    found
}
