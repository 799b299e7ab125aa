//! All strings of the corpus in their slots.

use wireform_codegen::{FileTree, Options, load};
use wireform_test_data::requires;
use wireform_tests::shared;

use super::run;
use super::shape::{shape, texts};
use super::slots::{Judge, SLOTS, Slot, idents, on_the_wire, schema};

/// String with its slot.
pub struct Case {
    /// The slot.
    pub slot: &'static Slot,
    /// The string.
    pub value: String,
}

impl Case {
    /// Returns the name for messages.
    pub fn name(&self) -> String {
        let short: String = self.value.chars().take(40).collect();
        format!("{} {short:?}", self.slot.0)
    }
}

/// Returns the cases of the corpus.
pub fn cases() -> Vec<Case> {
    let file = shared("corpora/hostile/schema-strings.json");
    let list: Vec<serde_json::Value> = serde_json::from_slice(&fs_err::read(file).expect("a file")).expect("JSON");
    let text = |value: &serde_json::Value, key: &str| value[key].as_str().expect("a string").to_owned();
    let cases = list.iter().map(|entry| {
        let name = text(entry, "slot");
        let slot = SLOTS.iter().find(|slot| slot.0 == name).unwrap_or_else(|| panic!("the slot {name} is new"));
        Case { slot, value: text(entry, "value") }
    });
    cases.collect()
}

/// Returns a harmless string of the same length, since lengths occur as numbers in the output.
fn benign(case: &Case) -> String {
    let plain = "b".repeat(case.value.len());
    match (case.slot.0, plain.len()) {
        ("media_type", 3..) => format!("b/{}", &plain[2..]),
        ("server_url", 9..) => format!("https://{}", &plain[8..]),
        _ => plain,
    }
}

#[requires("corpora/hostile")]
#[test]
fn every_string_is_refused_with_a_place_or_does_no_harm() {
    let cases = cases();
    let mut accepted = 0;
    for case in &cases {
        let output = run(&schema(case.slot, &case.value), &case.name());
        accepted += usize::from(output.files.is_some());
        match (case.slot.1, &output.files) {
            (Judge::Text | Judge::TextOrRefused(_), Some(files)) => assert_same_shape(case, files),
            (Judge::Text, None) => panic!("{}: {}", case.name(), output.diagnostics[0].render(&output.sources, false)),
            (Judge::Names, Some(_)) => assert_distinct(case),
            (Judge::Name, Some(_)) => assert_kept(case),
            (Judge::TextOrRefused(_) | Judge::Names | Judge::Name, None) => {}
        }
    }
    println!("{} strings, {accepted} accepted", cases.len());
    assert!(accepted > cases.len() / 3, "a schema that is always rejected would pass: {accepted}");
}

/// Checks that the string changes only string literals.
fn assert_same_shape(case: &Case, files: &FileTree) {
    assert_kept(case);
    if case.value.is_empty() {
        // There is no harmless string of this length.
        return;
    }
    let harmless = run(&schema(case.slot, &benign(case)), &case.name());
    let Some(harmless) = harmless.files else {
        panic!("{}: a harmless string is refused: {:?}", case.name(), harmless.diagnostics)
    };
    let (is, should) = (shape(files), shape(&harmless));
    let differs = is.iter().zip(&should).find(|(is, should)| is != should);
    assert!(is == should, "{}: the tokens differ: {differs:?}", case.name());
    if ["wire_name", "enum_value", "default"].contains(&case.slot.0) {
        assert!(texts(files).contains(&case.value), "{}: it does not reach the wire", case.name());
    }
}

/// Checks that the model has the string unchanged.
fn assert_kept(case: &Case) {
    let api = load(&schema(case.slot, &case.value)).expect("it was accepted before");
    if let Some(found) = on_the_wire(case.slot.0, &api) {
        // The slash between the URL and the path belongs to the path.
        let value = if case.slot.0 == "server_url" { case.value.trim_end_matches('/') } else { &case.value };
        assert_eq!(found, value, "{}", case.name());
    }
}

/// Checks that the names of a list are distinct.
fn assert_distinct(case: &Case) {
    let api = load(&schema(case.slot, &case.value)).expect("it was accepted before");
    let members: Vec<String> = serde_json::from_str(&case.value).expect("a list");
    let mut names = idents(case.slot.0, &api);
    assert!(names.len() >= members.len(), "{}: {names:?}", case.name());
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{}: two fields share a name", case.name());
}

/// A name that two fields would share is rejected at the second one, with the first as a related location.
#[requires("corpora/hostile")]
#[test]
fn members_are_never_merged_in_silence() {
    let cases = cases();
    for case in cases.iter().filter(|case| case.slot.1 == Judge::Names) {
        let output = run(&schema(case.slot, &case.value), &case.name());
        for diagnostic in &output.diagnostics {
            let code = diagnostic.code.text();
            assert!(["E0204", "E0205"].contains(&code), "{}: {code}", case.name());
        }
    }
}

/// The prefix of crate names is a setting, which is checked before anything is generated.
#[requires("corpora/hostile")]
#[test]
fn a_prefix_that_leaves_the_folder_is_refused() {
    let cases = cases();
    for case in cases.iter().filter(|case| ["crate_name", "output_file_name", "module_path"].contains(&case.slot.0)) {
        let options = Options { prefix: case.value.clone(), ..Options::default() };
        assert!(options.check().is_err(), "{}", case.name());
    }
}

/// A pattern whose automaton would be too large is rejected.
#[test]
fn patterns_that_explode_are_refused() {
    let slot = SLOTS.iter().find(|slot| slot.0 == "pattern").expect("a slot");
    for (pattern, fits) in [
        ("^(a+)+$", true),
        ("^([0-9]+)+$", true),
        ("(?:a{1000}){1000}", false),
        ("(?<!x)y", true),
        ("(?:(?<!x)y)+", false),
        ("(?P<n>x)(?P<n>y)", false),
    ] {
        assert_eq!(run(&schema(slot, pattern), pattern).files.is_some(), fits, "{pattern}");
    }
}
