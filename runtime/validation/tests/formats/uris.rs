//! URIs and references of the tests of protovalidate.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{is_uri, is_uri_reference};

use super::{bool_field, check_cases, list, shared, string_field};

#[requires("corpora/protovalidate-strings")]
#[test]
fn uris() {
    let set = shared("protovalidate-strings/is_uri.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        (value.to_owned(), bool_field(case, "valid"), is_uri(value))
    });
    check_cases(cases.collect(), 150, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn references() {
    let set = shared("protovalidate-strings/is_uri_ref.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        (value.to_owned(), bool_field(case, "valid"), is_uri_reference(value))
    });
    check_cases(cases.collect(), 50, &[]);
}
