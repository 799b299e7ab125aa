//! Two independent YAML parsers agree on every schema of the repository, so that editors and other tools see the same
//! schema as the generator.

use std::path::{Path, PathBuf};

use serde_yaml::Value as Theirs;
use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{Node, Style, Value, parse};
use wireform_tests::root;

fn schemas(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(schemas(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the first difference: its path, and both values.
fn difference(ours: &Node, theirs: &Theirs, at: &str) -> Option<String> {
    match (&ours.value, theirs) {
        (Value::List(items), Theirs::Sequence(others)) if items.len() == others.len() => {
            let mut pairs = items.iter().zip(others).enumerate();
            pairs.find_map(|(index, (item, other))| difference(item, other, &format!("{at}[{index}]")))
        }
        (Value::Map(entries), Theirs::Mapping(others)) if entries.len() == others.len() => {
            entries.iter().zip(others).find_map(|(entry, (key, other))| {
                let at = format!("{at}.{}", entry.key);
                let same = key.as_str().map_or_else(|| written(key, &entry.key), |key| key == entry.key);
                if same { difference(&entry.value, other, &at) } else { Some(format!("{at}: the key is {key:?}")) }
            })
        }
        (Value::Scalar(text, Style::Plain), other) if written(other, text) => None,
        (Value::Scalar(text, Style::Text), Theirs::String(other)) if text == other => None,
        (ours, theirs) => Some(format!("{at}: {ours:?} is not {theirs:?}")),
    }
}

/// Returns whether a typed value of the other parser was written as the unquoted text.
fn written(theirs: &Theirs, text: &str) -> bool {
    match theirs {
        Theirs::String(other) => other == text && !is_typed(text),
        Theirs::Bool(flag) => text.to_ascii_lowercase() == flag.to_string(),
        Theirs::Null => ["", "~", "null", "Null", "NULL"].contains(&text),
        Theirs::Number(number) => number.to_string() == text || text.parse::<f64>().ok() == number.as_f64(),
        _ => false,
    }
}

/// Returns whether an unquoted text is not a string.
fn is_typed(text: &str) -> bool {
    let number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) && text.parse::<f64>().is_ok();
    number || ["", "~", "null", "true", "false"].contains(&text)
}

#[test]
fn both_readers_agree_on_every_schema() {
    let mut compared = 0;
    for path in ["schemas", "tests/cases", "tests/errors"].iter().flat_map(|dir| schemas(&root().join(dir))) {
        let Ok(text) = String::from_utf8(fs_err::read(&path).expect("a file")) else { continue };
        let mut sink = Sink::new();
        let Some(ours) = parse(0, &text, &mut sink) else { continue };
        if sink.has_errors() {
            continue;
        }
        let theirs: Theirs = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(difference(&ours, &theirs, ""), None, "{}", path.display());
        compared += 1;
    }
    println!("{compared} files");
    assert!(compared > 100, "the schemas are not there: {compared}");
}

#[test]
fn a_difference_is_found() {
    let ours = |text: &str| parse(0, text, &mut Sink::new()).expect("YAML");
    let theirs = |text: &str| serde_yaml::from_str::<Theirs>(text).expect("YAML");
    for (one, other, equal) in [
        ("a: [1, x, '1', true, 1.50, ~]", "a: [1, x, '1', true, 1.50, ~]", true),
        ("a: 1", "a: 2", false),
        ("a: '1'", "a: 1", false),
        ("a: 1", "a: '1'", false),
        ("a: x", "b: x", false),
        ("a: [x]", "a: [x, y]", false),
        ("a: x", "a: [x]", false),
    ] {
        assert_eq!(difference(&ours(one), &theirs(other), "").is_none(), equal, "{one} and {other}");
    }
}
