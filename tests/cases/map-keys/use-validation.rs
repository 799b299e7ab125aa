//! Keys of maps are checked, and a violation is at the entry.

use map_keys_types::runtime::json;
use map_keys_types::{Note, NotePatch, Table};
use map_keys_validation::types::requests::{NotesPatch, NotesPut, TablesCount, TablesPut};
use map_keys_validation::{Validate as _, Violations, Warnings};

fn rules(result: Result<Warnings, Violations>) -> Vec<String> {
    let found = result.map_or_else(|violations| violations, |warnings| warnings.as_violations().clone());
    found.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

fn of_patch(text: &str) -> Vec<String> {
    rules(NotesPatch::new(json::from_str::<NotePatch>(text).expect("a patch")).validate())
}

#[test]
fn keys_are_checked() {
    for (text, expected) in [
        (r#"{"labels":{"abc":"x"},"counts":{"a":1},"sizes":{"xl":true}}"#, &[][..]),
        (r#"{"labels":{"A":"x"}}"#, &["labels.A pattern"]),
        (r#"{"labels":{"abcdef":""}}"#, &["labels.abcdef length", "labels.abcdef length"]),
        (r#"{"counts":{"a1":1,"b":2}}"#, &["counts.a1 pattern"]),
        (r#"{"sizes":{"x":false}}"#, &["sizes.x length"]),
    ] {
        let note = json::from_str::<Note>(text).expect("a note");
        assert_eq!(rules(NotesPut::new(note).validate()), expected, "{text}");
        assert_eq!(of_patch(text), expected, "{text}");
    }
    assert_eq!(of_patch(r#"{"labels":{"A":null}}"#), [""; 0]);
}

#[test]
fn keys_in_lists_maps_bodies_and_parameters_are_checked() {
    for (text, expected) in [
        (r#"{"rows":[{"1":1},{"a":2}]}"#, &["rows[1].a pattern"][..]),
        (r#"{"cells":{"a":{"abc":1,"b":2},"bc":{}}}"#, &["cells.a.b length", "cells.bc length"]),
        (r#"{"more":{"ab":1,"abc":2}}"#, &["more.abc length"]),
    ] {
        let table = json::from_str::<Table>(text).expect("a table");
        assert_eq!(rules(TablesPut::new(table).validate()), expected, "{text}");
    }
    let mut put = TablesPut::new(Table::default());
    put.filter.insert("a".into(), "b".into());
    assert_eq!(rules(put.validate()), ["filter.a pattern"]);
    let counts = [("p".to_owned(), 1), ("r".to_owned(), 2)];
    assert_eq!(rules(TablesCount::new(counts.into()).validate()), ["r pattern"]);
}
