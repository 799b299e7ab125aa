//! Maximum length of generated files, for schemas with many operations, fields and types.

use std::collections::BTreeMap;

use wireform_codegen::diagnostics::Source;
use wireform_codegen::{FileTree, Options, generate};
use wireform_tests::{output_of, root};

/// Returns the definitions in all files, regardless of the file.
fn definitions<'f>(files: impl IntoIterator<Item = (&'f String, &'f String)>) -> Vec<String> {
    let starts = ["pub struct ", "pub enum ", "pub trait ", "pub fn ", "pub static ", "pub const ", "impl "];
    let mut found: Vec<String> = files
        .into_iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .flat_map(|(_, text)| text.lines().map(str::trim_start))
        .filter(|line| starts.iter().any(|start| line.starts_with(start)))
        // An `impl` block in another file names its type.
        .filter(|line| !line.starts_with("impl ") || line.contains(" for "))
        .map(str::to_owned)
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn a_file_that_would_be_too_long_is_divided_by_what_its_parts_are_of() {
    let case = root().join("tests/cases/client");
    let whole = output_of(&case, &Options::default());
    let files = output_of(&case, &Options { max_lines: 100, ..Options::default() });
    assert_eq!(definitions(&whole), definitions(&files), "the definitions are the same");
    let long = |files: &FileTree| {
        let long = files.iter().filter(|(path, text)| path.ends_with(".rs") && text.lines().count() > 100);
        long.map(|(path, _)| path.clone()).collect::<Vec<_>>()
    };
    assert!(long(&whole).len() > long(&files).len(), "{:?}", long(&files));
    let all = output_of(&case, &Options { max_lines: 1, ..Options::default() });
    let names: Vec<&str> = all.keys().filter_map(|path| path.strip_prefix("client-types/src/requests/")).collect();
    assert!(names.contains(&"notes/patch.rs"), "each operation has a separate file: {names:?}");
}

/// Returns a schema with a number of operations in one group, or in none; some names are words and some are numbered.
fn of_operations(count: usize, group: &str, features: &str) -> Source {
    let mut text = format!(
        "api: large\nfeatures: {features}\nresources:\n  Thing: {{ doc: A thing., fields: {{ id: {{ type: string, doc: Its name. }} }} }}\noperations:\n"
    );
    let verbs = ["get", "list", "make", "move", "thing"];
    for at in 0..count {
        let name = if at % 2 == 0 { format!("number{at}") } else { format!("{}Of{at}", verbs[at / 2 % verbs.len()]) };
        text += &format!(
            "  {group}{name}:\n    doc: Does number {at}.\n    http: GET /things{at}/{{id}}\n    path: {{ id: {{ type: string, doc: Which. }} }}\n    query: {{ long: {{ type: bool, doc: Whether all is told. }} }}\n    response: Thing\n    errors: {{ 404: {{ doc: It is not there. }}, 409: {{ doc: It is another one. }} }}\n"
        );
    }
    Source::new("api.yaml", text)
}

#[test]
fn no_file_of_an_api_with_thousands_of_operations_is_long() {
    let options = Options::default();
    for (count, group, features) in [(1000, "", "none"), (2000, "things.", "groups"), (4000, "", "none")] {
        let files = generate(&[of_operations(count, group, features)], &options).files.expect("no errors");
        let lines = |text: &String| text.lines().count();
        let (path, longest) =
            files.iter().filter(|(path, _)| path.ends_with(".rs")).max_by_key(|(_, text)| lines(text)).unwrap();
        assert!(lines(longest) <= options.max_lines, "{count} operations: {path} has {} lines", lines(longest));
        // The listing of a folder is not longer than a file either.
        let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
        files
            .keys()
            .for_each(|path| *folders.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1);
        assert!(folders.values().all(|files| *files <= 100), "{count} operations: {folders:?}");
    }
}

/// Returns a schema with one resource and a number of fields.
fn of_members(count: usize) -> String {
    let words = ["allow", "can", "enable", "is", "requires"];
    let members = (0..count).map(|at| {
        let word = words[at % words.len()];
        format!("      {word}Something{at}: {{ type: string, doc: The value of setting {at}. }}\n")
    });
    let members: String = members.collect();
    format!(
        "api: large\nresources:\n  Settings:\n    fields:\n{members}operations:\n  settings.get: {{ http: GET /settings, response: Settings }}\n"
    )
}

/// Returns a schema with a number of types, each used by some groups of operations.
fn of_types(count: usize, features: &str) -> String {
    let mut text = format!("api: large\nfeatures: {features}\nresources:\n");
    for at in 0..count {
        text += &format!("  ThingWithALongName{at}: {{ fields: {{ id: {{ type: string }} }} }}\n");
    }
    // Each type is used by other groups, so that their `cfg` conditions differ.
    let groups = 9;
    for group in 0..groups {
        let used = (0..count).filter(|at| (at + 1) % (group + 2) != 0);
        let fields: String = used.map(|at| format!("      m{at}: {{ type: ThingWithALongName{at} }}\n")).collect();
        text += &format!("  Group{group}:\n    fields:\n{fields}");
    }
    text += "operations:\n";
    for group in 0..groups {
        text += &format!("  groupWithALongName{group}.get: {{ http: GET /g{group}, response: Group{group} }}\n");
    }
    text
}

#[test]
fn no_file_of_an_api_with_many_members_or_types_is_long() {
    // With a limit below the default, schemas with few definitions show the same as those with thousands.
    let options = Options { max_lines: 600, ..Options::default() };
    for (what, schema) in [("members", of_members(100)), ("types behind features", of_types(40, "groups"))] {
        let files = generate(&[Source::new("api.yaml", schema)], &options).files.expect("no errors");
        let (path, longest) = files
            .iter()
            .filter(|(path, _)| path.ends_with(".rs"))
            .map(|(path, text)| (path, text.lines().count()))
            .max_by_key(|(_, lines)| *lines)
            .expect("Rust files");
        assert!(longest <= options.max_lines, "{what}: {path} has {longest} lines");
    }
}
