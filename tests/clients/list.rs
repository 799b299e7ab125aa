//! The list of calls is made from the schemas, so it can only lack what the generated crates lack too.

use crate::calls::{ALL, operations};

#[test]
fn every_operation_is_called_and_no_other() {
    for api in ["calendar", "mailbox", "script"] {
        let called: Vec<&str> = ALL.iter().filter(|entry| entry.api == api).map(|entry| entry.operation).collect();
        let known: Vec<&str> = operations(api).iter().map(|operation| operation.name).collect();
        assert_eq!(called, known, "{api}");
        assert!(!known.is_empty(), "{api}");
    }
}
