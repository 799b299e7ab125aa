//! Losses, errors and limits of documents of several files.

use std::collections::BTreeMap;

use super::{HEAD, Memory, get, import, paths, try_import};
use crate::openapi::import_as;
use crate::openapi::tests::lost;
use crate::{Import, LineColumn, Options};

/// Returns the file, the line, the column and the pointer of the only loss.
fn only_loss(import: &Import, document: &str) -> (Option<String>, LineColumn, String, String) {
    let [loss] = import.losses.as_slice() else { panic!("{:?}", import.losses) };
    let place = import.places(&format!("{HEAD}{document}"), &[loss]).get(loss).copied().expect("a place");
    (loss.file.clone(), place, loss.at.clone(), loss.what.clone())
}

#[test]
fn losses_are_located_in_their_files() {
    let document = paths(&["{ $ref: 'b.yaml#/B' }"]);
    let file = |text: &str| only_loss(&import(&document, &[("b.yaml", text)]), &document);
    let b = || Some("b.yaml".to_owned());
    let not = "left out: negated schemas are not supported".to_owned();
    let text = "B:\n  type: object\n  properties:\n    c: { type: string, not: {} }\n";
    assert_eq!(file(text), (b(), (4, 29), "/B/properties/c/not".to_owned(), not));
    let missing = "left out: nothing found at `#/Cd`; did you mean `Ce`?".to_owned();
    let text = "B: { type: object, properties: { c: { $ref: '#/Cd' } } }\nCe: {}\n";
    assert_eq!(file(text), (b(), (1, 37), "/B/properties/c".to_owned(), missing));
    let tag = "the unknown tag `!other` is left out".to_owned();
    assert_eq!(file("B: { type: object, properties: { c: { type: !other string } } }\n").3, tag);
    let document = paths(&["{ $ref: 'b.yaml#/C' }"]);
    let dangling = import(&document, &[("b.yaml", "B: {}\n")]);
    let (file, place, ..) = only_loss(&dangling, &document);
    assert_eq!((file, place.0), (None, 4));
}

#[test]
fn references_that_cannot_be_followed_are_errors() {
    let reported = |document: &str, files: &[(&str, &str)]| {
        let error = try_import(document, files).expect_err("an error");
        let place = error.place(&format!("{HEAD}{document}")).expect("a place");
        (error.file().map(str::to_owned), place.0, error.problem())
    };
    for (reference, problem) in [
        ("https://x.example.com/a.yaml#/A", "URLs are not followed; save the file below the folder of the document"),
        ("/a.yaml", "expected a relative path with `/` between folders"),
        ("../a.yaml", "file not found"),
    ] {
        let document = paths(&["{ type: string }", &format!("{{ $ref: '{reference}' }}")]);
        assert_eq!(reported(&document, &[]), (None, 5, format!("`{reference}`: {problem}")));
        let document = paths(&["{ $ref: 'b.yaml#/B' }"]);
        let text = format!("A: 1\nB: {{ $ref: '{reference}' }}\n");
        let expected = (Some("b.yaml".to_owned()), 2, format!("`{reference}`: {problem}"));
        assert_eq!(reported(&document, &[("b.yaml", &text)]), expected);
    }
    let document = paths(&["{ $ref: 'no.yaml' }", "{ $ref: 'none.yaml' }", "{ $ref: 'no.yaml' }"]);
    assert_eq!(reported(&document, &[]).2, "`no.yaml`: file not found (1 more reference cannot be followed)");
    let document = paths(&["{ $ref: b.yaml }"]);
    assert_eq!(
        reported(&document, &[("b.yaml", "a: 1\na: 2\n")]),
        (Some("b.yaml".to_owned()), 2, "duplicate key `a`".to_owned())
    );
}

#[test]
fn files_are_limited() {
    let document = paths(&["{ $ref: b.yaml }"]);
    let text = format!("type: string\n#{}\n", " ".repeat(1000));
    let files = Memory(BTreeMap::from([("b.yaml".to_owned(), text)]));
    let max_bytes = HEAD.len() + document.len() + 1000;
    let options = Options { files: Some(&files), max_bytes, ..Options::default() };
    let error = import_as(&format!("{HEAD}{document}"), &options, None).expect_err("an error").problem();
    assert_eq!(
        error,
        format!("`b.yaml`: the document and the files that it refers to have more than {max_bytes} bytes")
    );
    let count = 10_001;
    let document = paths(&["{ $ref: 'f0.yaml' }"]);
    let files: Vec<(String, String)> =
        (0..count).map(|index| (format!("f{index}.yaml"), format!("items: {{ $ref: f{}.yaml }}", index + 1))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let error = try_import(&document, &files).expect_err("an error");
    assert!(error.problem().ends_with("the document refers to more than 10000 files"), "{error}");
}

/// Files that include parts of each other in several ways would multiply.
#[test]
fn included_parts_are_limited() {
    let map = |next: &str| {
        let part = |name: &str| format!("{name}: {{ type: object, properties: {{ $ref: '{next}' }} }}");
        format!("m: {{ {}, {} }}\n", part("a"), part("b"))
    };
    let names: Vec<String> = (0..24).map(|index| format!("f{index}.yaml")).collect();
    let files: Vec<(String, String)> =
        (0..23).map(|index| (names[index].clone(), map(&format!("{}#/m", names[index + 1])))).collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push((&names[23], "m: { a: { type: string } }"));
    let error = try_import(&paths(&["{ type: object, properties: { $ref: 'f0.yaml#/m' } }"]), &files);
    assert!(error.expect_err("an error").problem().contains("include parts of each other too often"));
    let own = [("a.yaml", "m: { b: { type: object, properties: { $ref: '#/m' } } }\n")];
    assert_eq!(lost(&import(&paths(&["{ type: object, properties: { $ref: 'a.yaml#/m' } }"]), &own)).len(), 1);
}

/// A part that is included many times counts with the size of its texts.
#[test]
fn size_of_included_texts_is_limited() {
    let text = "long ".repeat(20_000);
    let map = format!("m: {{ a: {{ type: string, description: '{text}' }} }}\n");
    let including = |count: usize| {
        let schemas = vec!["{ type: object, properties: { $ref: 'a.yaml#/m' } }"; count];
        try_import(&paths(&schemas), &[("a.yaml", &map)])
    };
    assert!(including(20).is_ok());
    assert!(including(60).expect_err("an error").problem().contains("include parts of each other too often"));
}

/// Only components of the document have restricted names, and are declared in it.
#[test]
fn parts_of_other_files_are_not_components() {
    let item = get("{ type: object, properties: { a: { $ref: 'a.yaml#/$defs/The%20note' } } }");
    let files = [
        ("b c.yaml", &*item),
        ("a.yaml", "$defs: { 'The note': { type: object, properties: { b: { type: string } } } }\n"),
    ];
    let import = import("paths: { /a: { $ref: 'b c.yaml' } }\n", &files);
    let noted: Vec<&str> = import.notes.iter().map(|note| note.what.as_str()).collect();
    assert!(noted.iter().all(|what| !what.contains("component") && !what.contains("pathItems")), "{noted:?}");
    assert_eq!(lost(&import), []);
}
