//! URIs and references of the tests of protovalidate.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{uri, uri_reference};

use super::{judge, list, shared, text, truth};

#[requires("corpora/protovalidate-strings")]
#[test]
fn uris() {
    let set = shared("protovalidate-strings/is_uri.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), uri(value))
    });
    judge(cases.collect(), 150, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn references() {
    let set = shared("protovalidate-strings/is_uri_ref.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), uri_reference(value))
    });
    judge(cases.collect(), 50, &[]);
}
