//! The calls are generated from the schemas, so an operation can be missing only if the generated crates lack it too.

use crate::calls::{ALL, operations};

#[test]
fn the_calls_cover_every_operation() {
    for api in ["calendar", "mailbox", "script"] {
        let called: Vec<&str> = ALL.iter().filter(|entry| entry.api == api).map(|entry| entry.operation).collect();
        let known: Vec<&str> = operations(api).iter().map(|operation| operation.name).collect();
        assert_eq!(called, known, "{api}");
        assert!(!known.is_empty(), "{api}");
    }
}
