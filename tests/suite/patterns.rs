//! Patterns: the tables of the generator, as the library uses them, compared with other engines.

use std::collections::BTreeSet;

use serde_json::Value;
use wireform_codegen::patterns::{Matcher, Table, compile_anchored, compile_search};
use wireform_test_data::requires;
use wireform_tests::shared;
use wireform_validation::__private::pattern::{Automaton, ByteClass, Matcher as _};

/// Runs the automaton of the library.
fn is_accepted(table: &Table, text: &str) -> bool {
    let narrow: Option<Vec<u8>> = table.transitions.iter().map(|state| u8::try_from(*state).ok()).collect();
    let wide = || table.transitions.iter().flat_map(|state| state.to_le_bytes()).collect::<Vec<u8>>();
    let classes: Vec<u8> = table.classes.iter().flat_map(|(first, last, class)| [*first, *last, *class]).collect();
    let (width, start, accepting) = (table.width, table.start, table.accepting);
    match narrow {
        // Tables are static in generated code; here they are leaked.
        Some(bytes) => Automaton::narrow(&classes, width, start, accepting, bytes.leak()).is_match(text),
        None => Automaton::wide(&classes, width, start, accepting, wide().leak()).is_match(text),
    }
}

/// Matches like generated code, with the generator's tables.
fn judge(matcher: &Matcher, text: &str) -> bool {
    let verdict = match matcher {
        Matcher::Class(class) => {
            ByteClass::new(&class.ranges, class.min_length, class.max_length.unwrap_or(usize::MAX)).is_match(text)
        }
        Matcher::Automaton(table) => is_accepted(table, text),
        Matcher::All(parts) => parts.iter().all(|part| is_accepted(&part.table, text) == part.is_match),
    };
    assert_eq!(verdict, matcher.is_match(text), "generator and library differ on {text:?}");
    verdict
}

/// Patterns of JSON Schema that are skipped, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[(r"^\cC$", CONTROL), (r"^\cc$", CONTROL)];

const CONTROL: &str = "RE2 has no letters for control characters; `\\x03` is the same";

/// Texts for which ECMA-262, the dialect of JSON Schema, and RE2 differ.
const DIFFERING: &[(&str, &str, &str)] = &[
    (r"^\s$", "\u{b}", SPACES),
    (r"^\s$", "\u{a0}", SPACES),
    (r"^\s$", "\u{feff}", SPACES),
    (r"^\s$", "\u{2029}", SPACES),
    (r"^\s$", "\u{2003}", SPACES),
    (r"^\S$", "\u{b}", SPACES),
    (r"^\S$", "\u{a0}", SPACES),
    (r"^\S$", "\u{feff}", SPACES),
    (r"^\S$", "\u{2029}", SPACES),
    (r"^\S$", "\u{2003}", SPACES),
];

const SPACES: &str = "RE2: `\\s` is `[\\t\\n\\f\\r ]`; ECMA-262 takes the spaces of Unicode";

#[requires("corpora/json-schema-test-suite")]
#[test]
fn json_schema() {
    let (mut met, mut wrong) = (BTreeSet::new(), Vec::new());
    for file in ["pattern", "optional/ecmascript-regex", "optional/non-bmp-regex"] {
        let path = shared(&format!("corpora/json-schema-test-suite/draft2020-12/{file}.json"));
        let set: Vec<Value> = serde_json::from_slice(&fs_err::read(path).expect("a file")).expect("a list");
        for group in &set {
            let Some(pattern) = group["schema"]["pattern"].as_str() else { continue };
            let matcher = compile_search(pattern);
            let left_out = LEFT_OUT.iter().any(|(listed, _)| *listed == pattern);
            if matcher.is_err() != left_out {
                wrong.push(format!("{pattern}: {:?}", matcher.as_ref().err()));
            }
            let Ok(matcher) = matcher else { continue };
            for case in group["tests"].as_array().expect("a list") {
                let Some(text) = case["data"].as_str() else { continue };
                let valid = case["valid"].as_bool().expect("a verdict");
                let differs = DIFFERING.iter().any(|(p, t, _)| (*p, *t) == (pattern, text));
                if (judge(&matcher, text) != valid) != differs {
                    wrong.push(format!("{pattern} {text:?}: the suite says {valid}"));
                }
                met.insert((pattern.to_owned(), text.to_owned()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(met.len() > 60, "{}", met.len());
    for (pattern, text, _) in DIFFERING {
        assert!(met.contains(&((*pattern).to_owned(), (*text).to_owned())), "{pattern} {text:?} is not a case");
    }
}

#[test]
fn tables_with_many_states() {
    let long = compile_anchored("(?:ab|cd){200}").expect("it is small enough");
    assert!(matches!(&long, Matcher::Automaton(table) if table.states() > 256));
    assert!(
        judge(&long, &"abcd".repeat(100)) && !judge(&long, &"abcd".repeat(99)) && !judge(&long, &"abdc".repeat(100))
    );
    let id = compile_anchored("[a-v0-9]+").expect("it is small enough");
    assert!(judge(&id, "abv09") && !judge(&id, "abw") && !judge(&id, ""));
}
