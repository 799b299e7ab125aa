//! Reasons of errors: the schema of an API declares all that its service sends.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use wireform_codegen::load;
use wireform_tests::{root, sources};

use crate::boundaries::{code, is_for_tests, rust_files};

/// Code of a service by file, without comments and tests.
type Sources = BTreeMap<PathBuf, String>;

/// Returns the text before a closing parenthesis that is not opened within it.
fn argument(text: &str) -> &str {
    let mut depth = 0_usize;
    let end = text.find(|character| match character {
        ')' if depth == 0 => true,
        '(' | ')' => {
            depth = if character == '(' { depth + 1 } else { depth - 1 };
            false
        }
        _ => false,
    });
    &text[..end.expect("a call ends")]
}

/// Returns the string literals of an expression.
fn literals(expression: &str) -> impl Iterator<Item = String> {
    expression.split('"').skip(1).step_by(2).map(str::to_owned)
}

/// Returns the reasons that an expression in a file can have: its literals, and the values of its constants and
/// variables.
fn reasons_of(expression: &str, file: &str, sources: &Sources) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = literals(expression).collect();
    let names = expression.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    for name in names.filter(|name| !name.is_empty()) {
        for text in sources.values() {
            let value = text.split_once(&format!("const {name}: &str = ")).map(|(_, rest)| rest);
            found.extend(value.and_then(|rest| literals(rest).next()));
        }
        if let Some((_, rest)) = file.split_once(&format!("let {name} = ")) {
            found.extend(reasons_of(rest.split(';').next().unwrap_or_default(), file, sources));
        }
    }
    found
}

/// Returns the reasons in the code of a service.
fn sent_reasons(api: &str) -> BTreeSet<String> {
    let files = rust_files(&root().join("services").join(api).join("src"));
    let sources: Sources =
        files.into_iter().filter(|file| !is_for_tests(file)).map(|file| (file.clone(), code(&file))).collect();
    let mut found = BTreeSet::new();
    for (file, text) in &sources {
        for call in text.split(".with_reason(").skip(1) {
            let reasons = reasons_of(argument(call), text, &sources);
            assert!(!reasons.is_empty(), "{}: unknown reason `{}`", file.display(), argument(call));
            found.extend(reasons);
        }
    }
    found
}

#[test]
fn every_reason_that_a_service_sends_is_declared() {
    let mut free = Vec::new();
    for api in ["calendar", "mailbox", "script"] {
        let model = load(&sources(&root().join("schemas").join(api))).expect("the schema has no errors");
        let sent = sent_reasons(api);
        assert!(sent.contains("notFound"), "{api}: {sent:?}");
        let Some(of) = model.enums.iter().find(|of| of.name.wire == "ErrorReason") else {
            free.push(api);
            continue;
        };
        let declared: BTreeSet<String> = of.values.iter().map(|value| value.name.wire.clone()).collect();
        let profile = model.profile.expect("the APIs have a profile");
        let cases = profile.cases.into_iter().map(|(_, reason)| reason);
        let statuses = profile.statuses.into_iter().map(|(_, reason)| reason);
        let others = profile.client_error.into_iter().chain(profile.server_error);
        let sent = sent.into_iter().chain(cases).chain(statuses).chain(others);
        let missing: Vec<String> = sent.filter(|reason| !declared.contains(reason)).collect();
        assert!(missing.is_empty(), "{api}: missing in the enum `ErrorReason`: {missing:?}");
    }
    assert_eq!(free, ["mailbox", "script"], "reasons are free text there");
}
