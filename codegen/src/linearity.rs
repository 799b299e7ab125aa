//! The work of the emitters is proportional to the number of groups, and to that of resources.

use std::cell::Cell;
use std::fmt::Write as _;

use crate::{Options, Source, emit, generate, load};

thread_local! {
    static VISITS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a visit of a group.
pub fn count_visit() {
    VISITS.set(VISITS.get() + 1);
}

/// Returns how many groups are visited to emit an API with this many groups.
fn visits(groups: usize) -> usize {
    let mut schema = "api: many\nversion: v1\nroot: https://many.example\noperations:\n".to_owned();
    for at in 0..groups {
        _ = writeln!(schema, "  g{at}.get: {{ doc: Gets it., http: GET /g{at}, response: string }}");
    }
    let sources = [Source::new("many/api.yaml", schema.as_str())];
    let (api, options) = (load(&sources).expect("the schema is valid"), Options::default());
    let before = VISITS.get();
    for artifact in emit::emit(&api, &sources, &options) {
        drop((artifact.content)());
    }
    VISITS.get() - before
}

#[test]
fn emitting_visits_each_group_a_constant_number_of_times() {
    let (few, many) = (visits(40), visits(80));
    assert!(few >= 40 && many <= 2 * few, "{few} and {many} visits");
}

#[test]
fn constants_of_objects_that_contain_each_other_twice_are_limited() {
    let mut schema = "api: deep\nversion: v1\nroot: https://deep.example\nresources:\n".to_owned();
    schema += "  R0: { doc: The innermost., fields: { kind: { type: string, const: deep, required: true, doc: Its kind. } } }\n";
    schema +=
        "  Other: { doc: Another., fields: { kind: { type: string, const: flat, required: true, doc: Its kind. } } }\n";
    for at in 1..40 {
        let field = format!("{{ type: R{}, required: true, doc: An inner one. }}", at - 1);
        _ = writeln!(schema, "  R{at}: {{ doc: One., fields: {{ a: {field}, b: {field} }} }}");
    }
    schema += "unions:\n  Any: { doc: Any of them., variants: { deep: R39, other: Other } }\n";
    let output = generate(&[Source::new("deep/api.yaml", schema.as_str())], &Options::default());
    let files = output.files.expect("the schema is valid");
    let set: usize = files.values().map(|code| code.matches("get_or_insert").count()).sum();
    assert!((64..200).contains(&set), "{set} constants are set");
}
