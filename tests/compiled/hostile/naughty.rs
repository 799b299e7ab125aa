//! The Big List of Naughty Strings as descriptions, defaults and enum values.

use std::collections::BTreeSet;

use rayon::prelude::*;
use wireform_codegen::{Source, load};
use wireform_test_data::requires;
use wireform_tests::shared;

use super::shape::{shape, texts};
use super::{quoted, run};

/// Returns the strings without duplicates.
pub fn strings() -> Vec<String> {
    let file = shared("corpora/naughty-strings/blns.json");
    let list: BTreeSet<String> =
        serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("a list of strings");
    list.into_iter().collect()
}

/// Returns a schema with all strings, each as a description, a default, an example and an enum value.
pub fn schema(strings: &[String]) -> Vec<Source> {
    let mut text = String::from("api: naughty\nenums:\n  Kind:\n    doc: A kind.\n    values:\n");
    for (index, string) in strings.iter().enumerate() {
        text.push_str(&format!(
            "      ? {}\n      : {{ name: value_{index}, doc: {} }}\n",
            quoted(string),
            described(string)
        ));
    }
    text.push_str("resources:\n  Item:\n    doc: An item.\n    external: true\n    fields:\n      kind: { type: Kind, doc: A kind. }\n");
    for (index, string) in strings.iter().enumerate() {
        let value = quoted(string);
        text.push_str(&format!(
            "      text{index}: {{ type: string, doc: {}, default: {value}, example: {value} }}\n",
            described(string)
        ));
    }
    vec![Source::new("api.yaml", text)]
}

/// Returns a string as a description; an empty string is omitted.
fn described(string: &str) -> String {
    quoted(if string.trim().is_empty() { "Nothing." } else { string })
}

#[requires("corpora/naughty-strings")]
#[test]
fn all_are_accepted_and_kept() {
    let strings = strings();
    let output = run(&schema(&strings), "naughty strings");
    let diagnostics: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
    let files = output.files.unwrap_or_else(|| panic!("{}", diagnostics.join("\n")));
    let api = load(&schema(&strings)).expect("it was accepted before");
    let values: Vec<&str> = api.enums[0].values.iter().map(|value| value.name.wire.as_str()).collect();
    assert_eq!(values, strings);
    let literals = texts(&files);
    for string in &strings {
        assert!(literals.contains(string), "{string:?} does not reach the code");
    }
    println!("{} strings", strings.len());
}

#[requires("corpora/naughty-strings")]
#[test]
fn each_has_the_shape_of_a_harmless_one() {
    let strings = strings();
    strings.into_par_iter().filter(|string| !string.trim().is_empty()).for_each(|string| {
        let harmless = "b".repeat(string.len());
        let is = run(&schema(std::slice::from_ref(&string)), &string).files.expect("it is accepted");
        let should = run(&schema(&[harmless]), &string).files.expect("it is accepted");
        let (is, should) = (shape(&is), shape(&should));
        let differs = is.iter().zip(&should).find(|(is, should)| is != should);
        assert!(is == should, "{string:?} changes more than string literals: {differs:?}");
    });
}

/// A leading character can be Markdown syntax; the parser handles any script.
#[test]
fn descriptions_may_begin_with_anything() {
    let strings = [
        "・(￣∀￣)・:*:",
        "１) one",
        "1. one",
        "12) twelve",
        "é.",
        "- a",
        "# a",
        "> a",
        "`",
        "```",
        "\u{feff}a",
        "ü```ü`",
    ];
    let strings: Vec<String> = strings.map(str::to_owned).to_vec();
    assert!(run(&schema(&strings), "marks").files.is_some());
}
