//! A body that is an empty list has too few elements, and an absent one has none.

use list_bodies_types::Word;
use list_bodies_validation::types::requests::{WordsAdd, WordsGroup, WordsImport, WordsImportBody, WordsSet};
use list_bodies_validation::{Validate as _, Violations, Warnings};

fn rules(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|violation| format!("{}:{}", violation.path, violation.rule)).collect()
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn required_bodies_have_enough_elements() {
    let set = |count| rules(WordsSet::new(vec![Word::default().with_text("a"); count]).validate());
    assert_eq!(set(1), [""; 0]);
    assert_eq!(set(0), [":items"]);
    assert_eq!(set(4), [":items"]);
}

#[test]
fn optional_bodies_are_absent_or_have_enough_elements() {
    let add = |body| {
        let mut request = WordsAdd::new();
        request.body = body;
        rules(request.validate())
    };
    assert_eq!(add(None), [""; 0]);
    assert_eq!(add(Some(Vec::new())), [":items"]);
    assert_eq!(add(Some(words(&["a", "a"]))), ["[1]:unique"]);
}

#[test]
fn elements_of_bodies_have_enough_elements() {
    let group = |list: &[(&str, &[&str])]| {
        let groups = list.iter().map(|(name, texts)| ((*name).to_owned(), words(texts)));
        rules(WordsGroup::new(groups.collect::<std::collections::BTreeMap<_, _>>()).validate())
    };
    assert_eq!(group(&[("a", &["b", "c"])]), [""; 0]);
    assert_eq!(group(&[]), [":items"]);
    assert_eq!(group(&[("a", &[])]), ["a:items"]);
}

#[test]
fn alternatives_have_enough_elements() {
    let import = |body: WordsImportBody| rules(WordsImport::new(body).validate());
    assert_eq!(import(WordsImportBody::Json(words(&["a"]))), [""; 0]);
    assert_eq!(import(WordsImportBody::Json(Vec::new())), [":items"]);
}
