//! URIs and references, as protovalidate has them.

use wireform_validation::formats::{uri, uri_reference};

use super::{judge, list, shared, text, truth};

#[test]
fn uris() {
    let Some(set) = shared("protovalidate-strings/is_uri.json") else { return };
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), uri(value))
    });
    judge(cases.collect(), 150, &[]);
}

#[test]
fn references() {
    let Some(set) = shared("protovalidate-strings/is_uri_ref.json") else { return };
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), uri_reference(value))
    });
    judge(cases.collect(), 50, &[]);
}
