//! Patterns match what ECMA-262 says: `patterns.json` contains the results of another implementation.

use serde_json::json;

use super::{lost, member, read, schemas};
use crate::openapi::constraints::whole_pattern;

/// Patterns that cannot be matched in linear time, or are not valid.
const UNSUPPORTED: &[&str] =
    &[r"^(a)\1$", "(?=a)b", "^a*(?=b)b$", "^(?:a(?=b)|b)*$", "^(?:(?!b)a)*b$", r"\k<n>", r"\uD83D", r"\i"];

#[test]
fn patterns_match_what_ecma_262_says() {
    let expected: serde_json::Value = serde_json::from_str(include_str!("patterns.json")).expect("valid JSON");
    let texts: Vec<&str> =
        expected["texts"].as_array().expect("a list").iter().filter_map(|text| text.as_str()).collect();
    let mut failures = Vec::new();
    for line in expected["matches"].as_array().expect("a list") {
        let pattern = line[0].as_str().expect("a text");
        let whole = whole_pattern(pattern);
        let matcher = whole
            .clone()
            .and_then(|whole| wireform_codegen::patterns::compile_anchored(&whole).map_err(|why| why.to_string()));
        match matcher {
            Ok(matcher) => {
                let found: Vec<usize> = (0..texts.len()).filter(|at| matcher.is_match(texts[*at])).collect();
                let expected: Vec<usize> = serde_json::from_value(line[1].clone()).expect("indices");
                let differs = (0..texts.len()).filter(|at| found.contains(at) != expected.contains(at));
                let differing: Vec<&str> = differs.map(|at| texts[at]).collect();
                if !differing.is_empty() || UNSUPPORTED.contains(&pattern) {
                    failures.push(format!("{pattern} as {whole:?}: {differing:?}"));
                }
            }
            Err(why) if !UNSUPPORTED.contains(&pattern) => failures.push(format!("{pattern} as {whole:?}: {why}")),
            Err(_) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn other_patterns_are_losses() {
    for pattern in UNSUPPORTED {
        let (_, lost) = member(json!({ "type": "string", "pattern": pattern }));
        assert!(matches!(lost.as_slice(), [one] if one.starts_with("`pattern` is left out: ")), "{pattern}: {lost:?}");
    }
    let import = schemas(json!({ "Note": { "type": "object", "properties": {
        "password": { "type": "string", "pattern": r"^(?=.*\d)(?=.*[a-z]).{8,}$" },
    } } }));
    assert_eq!(lost(&import), []);
    let pattern = &read(&import)["resources"]["Note"]["fields"]["password"]["pattern"];
    assert_eq!(pattern, r"(?=[^\n\r\u2028\u2029]*\d)(?=[^\n\r\u2028\u2029]*[a-z])[^\n\r\u2028\u2029]{8,}");
}

#[test]
fn invalid_patterns_are_losses() {
    let invalid = [
        "a**",
        "a+*",
        "a?{2}",
        "a{2}{3}",
        "a*??",
        "a{2}*",
        "^*",
        "a$+",
        r"\b?",
        "*a",
        "(+)",
        "a|*",
        r"\p{L",
        r"\pL",
        r"\P",
        r"[\p{L]",
        "(a",
        "[a",
        "a{3,2}",
        r"\p{Nonsense}",
        r"\Aa\z",
        r"^a\Z",
        "(?i)a",
        "(?i:a)",
        "(?s:.)",
        "(?P<n>a)",
        "(?>a)",
        "(?#a)",
    ];
    for pattern in invalid {
        let (field, lost) = member(json!({ "type": "string", "pattern": pattern }));
        assert!(field["pattern"].is_null(), "{pattern}: {field}");
        assert!(
            lost.iter().any(|what| what.starts_with("`pattern` is left out: invalid pattern")),
            "{pattern}: {lost:?}"
        );
    }
    for pattern in
        ["a*?", "a{2}?", "a+?b*", "(?:a*)*", "(?:^a)?", r"\p{L}+", "[*+?]+", r"\**", "a{,2}", "(a?)?", "^a*$"]
    {
        let (_, lost) = member(json!({ "type": "string", "pattern": pattern }));
        assert_eq!(lost, [""; 0], "{pattern}");
    }
}

/// The automaton of all conditions at once would have thousands of states.
#[test]
fn conditions_of_passwords_are_kept() {
    let pattern = r"^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w\s]).{8,64}$";
    let (field, lost) = member(json!({ "type": "string", "pattern": pattern }));
    assert_eq!((field["pattern"].is_string(), lost), (true, Vec::new()), "{field}");
}
