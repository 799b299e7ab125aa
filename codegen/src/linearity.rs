//! The work of the emitters is proportional to the number of groups.

use std::cell::Cell;
use std::fmt::Write as _;

use crate::{Options, Source, emit, load};

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
