//! Names of documents with the same title.

use wireform_codegen::resolve::names::is_api_name;

use super::unique_names;

fn named(documents: &[(&str, &str)]) -> Vec<String> {
    let documents: Vec<_> =
        documents.iter().map(|(path, own)| (*path, Some((*own).to_owned()).filter(|own| !own.is_empty()))).collect();
    unique_names(&documents).into_iter().map(Option::unwrap_or_default).collect()
}

#[test]
fn duplicate_titles_are_replaced_by_file_names() {
    assert_eq!(named(&[("a.json", "notes"), ("b.json", "pens"), ("c.json", "")]), ["notes", "pens", ""]);
    let versions = [("shop/NotesService-v1.json", "notes"), ("shop/NotesService-v2.json", "notes"), ("z.yaml", "pens")];
    assert_eq!(named(&versions), ["notes-service-v1", "notes-service-v2", "pens"]);
    // The same file name in two folders, and the same document in two languages.
    let twice = [("a/openapi.json", "notes"), ("a/openapi.yaml", "notes"), ("b/openapi.json", "notes")];
    assert_eq!(named(&twice), ["a-openapi-json", "a-openapi-yaml", "b-openapi"]);
}

#[test]
fn document_with_unique_name_keeps_it() {
    let found = named(&[("a/notes.json", "pens"), ("b/pens.json", "pens"), ("c.json", "notes")]);
    assert_eq!(found, ["a-notes", "pens", "notes"]);
}

#[test]
fn order_of_documents_affects_only_numbers() {
    let documents = [("a/x.json", "n"), ("b/x.json", "n"), ("x.json", "m"), ("n.json", "n"), ("1.json", "n")];
    let mut named: Vec<_> = documents.iter().zip(named(&documents)).collect();
    let mut turned = documents;
    turned.reverse();
    let mut again: Vec<_> = turned.iter().zip(self::named(&turned)).collect();
    named.sort();
    again.sort();
    assert_eq!(named, again);
}

#[test]
fn names_are_valid_and_unique() {
    let long = format!("{}/{}.json", "folder".repeat(20), "x".repeat(300));
    let words = format!("{}v1.yaml", "some-words-".repeat(30));
    let paths = [
        "2020-09-14.yml",
        "a b.json",
        "a_b.json",
        "a-b.json",
        "a-b-json-2.yaml",
        "ä.json",
        "ö.json",
        ".json",
        "-",
        "日本.yaml",
        "",
        &long,
        &words,
    ];
    let found = named(&paths.map(|path| (path, "notes")));
    assert!(found.iter().all(|name| is_api_name(name)), "{found:?}");
    assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), found.len(), "{found:?}");
    assert!(found.iter().any(|name| name.ends_with("some-words-v1")), "{found:?}");
}
