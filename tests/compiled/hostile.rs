//! Hostile input: exponential YAML, strings that try to become code, paths that leave the folder. Nothing panics, and
//! the output of accepted input has the same shape as that of a harmless schema.

mod compile;
mod documents;
mod naughty;
mod shape;
mod slots;
mod strings;

use wireform_codegen::{FileTree, Options, Output, Source, generate};
use wireform_tests::assert_inside;

/// Returns any text as a YAML scalar in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Generates, and checks the properties that hold for any input: diagnostics have valid locations, and accepted input
/// produces valid Rust within the folders of its crates.
fn run(sources: &[Source], what: &str) -> Output {
    let output = generate(sources, &Options::default());
    assert!(output.files.is_some() || !output.diagnostics.is_empty(), "{what}: rejected without a diagnostic");
    for diagnostic in &output.diagnostics {
        assert_inside(&output, diagnostic, what);
    }
    if let Some(files) = &output.files {
        assert_harmless(files, what);
    }
    output
}

fn assert_harmless(files: &FileTree, what: &str) {
    let name =
        |path: &str| path.split('/').next().and_then(|folder| folder.rsplit_once('-')).map(|(api, _)| api.to_owned());
    let api = files.keys().next().and_then(|path| name(path)).unwrap_or_default();
    let folders = ["client", "server", "types", "validation"].map(|kind| format!("{api}-{kind}"));
    for (path, text) in files {
        let folder = path.split('/').next().unwrap_or_default();
        assert!(folders.iter().any(|one| one == folder), "{what}: {folder}");
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let safe =
            path.split('/').all(|piece| !piece.is_empty() && piece.chars().all(plain) && !piece.starts_with('.'));
        assert!(safe && path.starts_with(&format!("{folder}/")), "{what}: the path {path:?}");
        if path.ends_with(".rs") {
            assert!(syn::parse_file(text).is_ok(), "{what}: {path} is not Rust:\n{text}");
        } else if path.ends_with("/openapi.json") {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{what}: {path} is not JSON:\n{text}");
        } else {
            assert_eq!(path, &format!("{folder}/Cargo.toml"), "{what}");
            assert_manifest(text, what);
        }
    }
}

/// Checks that each value of a manifest is a string on one line, a dependency or a feature, except that targets are not
/// tested. The escapes of TOML's basic strings that occur are those of JSON.
fn assert_manifest(text: &str, what: &str) {
    for line in text.lines().filter(|line| !line.starts_with(['#', '[']) && !line.is_empty()) {
        let (key, value) = line.split_once(" = ").unwrap_or_else(|| panic!("{what}: {line:?} in the manifest"));
        let plain = |c: char| c.is_ascii_alphanumeric() || " -_.:/={}[]\",".contains(c);
        let is_structured = value.starts_with(['{', '[']) && value.chars().all(plain);
        if is_structured || ["test = false", "doctest = false"].contains(&line) {
            continue;
        }
        let string = serde_json::from_str::<String>(value);
        let clean = string.is_ok_and(|string| !string.contains('\u{7f}'));
        assert!(clean, "{what}: {key} = {value} in the manifest");
    }
}

#[test]
fn quoting_loses_nothing() {
    let text = "\u{0}\u{7}\u{1b}\"\\ é\u{200b}\u{2028}\u{feff}😀\u{7f}\u{85}\n\r\n";
    let node = wireform_codegen::schema::yaml::parse(0, &quoted(text), &mut wireform_codegen::diagnostics::Sink::new());
    assert_eq!(node.expect("it is a scalar").text(), Some(text));
}

/// Operations have 16-bit numbers.
#[test]
fn an_api_has_so_many_operations() {
    let mut text = String::from("api: wide\noperations:\n");
    for at in 0..=65_535 {
        text.push_str(&format!("  o{at}: {{ doc: An operation., http: GET /{at} }}\n"));
    }
    let output = run(&[Source::new("api.yaml", text)], "operations");
    let reported: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
    assert!(
        output.files.is_none() && reported.len() == 1 && reported[0].contains("more than 65535 operations"),
        "{reported:?}"
    );
}
