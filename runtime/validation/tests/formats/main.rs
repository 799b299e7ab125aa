//! Formats as public test sets see them. Each verdict that differs stands in a table with the reason; a difference
//! that is not listed fails, and so does an entry that is none.
//!
//! The sets lie beside the repository; where they do not, their tests are ignored.

#![allow(clippy::expect_used, clippy::panic)]

mod email;
mod hosts;
mod json_schema;
mod random;
mod recurrence;
mod times;
mod uris;

use std::path::Path;

use serde_json::Value;

/// The test data at that path.
pub fn shared(path: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(path);
    let text = std::fs::read(file).expect("a file can be read");
    serde_json::from_slice(&text).expect("the data is JSON")
}

/// A list in test data.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("there is a list")
}

/// A text in test data.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().expect("there is a text")
}

/// A truth value in test data.
pub fn truth(value: &Value, name: &str) -> bool {
    value[name].as_bool().expect("there is a truth value")
}

/// Holds verdicts against a set: a text, the verdict of the set, and ours.
#[track_caller]
pub fn judge(cases: Vec<(String, bool, bool)>, least: usize, differing: &[(&str, &str)]) {
    assert!(cases.len() >= least, "there are {} cases only", cases.len());
    let listed = |text: &str| differing.iter().any(|(listed, _)| *listed == text);
    let mut wrong: Vec<String> = cases
        .iter()
        .filter(|(text, theirs, ours)| theirs != ours && !listed(text))
        .map(|(text, theirs, ours)| format!("{text:?}: the set says {theirs}, and we say {ours}"))
        .collect();
    for (text, _) in differing {
        if !cases.iter().any(|(known, theirs, ours)| known == text && theirs != ours) {
            wrong.push(format!("{text:?} is in the table, and does not differ"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
