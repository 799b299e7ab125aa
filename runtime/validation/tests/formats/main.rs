//! Formats compared with public test suites. Each different result is listed in a table with the reason; a difference
//! that is not listed fails, and so does an entry without a difference.
//!
//! The suites are next to the repository; if they are absent, their tests are ignored.

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

/// Reads test data.
pub fn shared(path: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(path);
    let text = std::fs::read(file).expect("a file can be read");
    serde_json::from_slice(&text).expect("the data is JSON")
}

/// Returns a list of test data.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("there is a list")
}

/// Returns a string field of test data.
pub fn string_field<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().expect("there is a text")
}

/// Returns a boolean field of test data.
pub fn bool_field(value: &Value, name: &str) -> bool {
    value[name].as_bool().expect("there is a boolean")
}

/// Compares results with a suite: a text, the result of the suite, and ours.
#[track_caller]
pub fn check_cases(cases: Vec<(String, bool, bool)>, least: usize, differing: &[(&str, &str)]) {
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
