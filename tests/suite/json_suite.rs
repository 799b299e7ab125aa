//! Third-party JSON: the JSON Test Suite, the JSON cases of Protocol Buffers, and documents that are deep, long,
//! duplicated or truncated. Parsing always ends in a value or a typed error.

mod extremes;
mod message;
mod protobuf;

use std::collections::BTreeMap;

use wireform_runtime::Value;
use wireform_runtime::json::{DecodeError, from_slice};
use wireform_test_data::requires;
use wireform_tests::registry::ALL;
use wireform_tests::shared;

/// Cases that the suite leaves to the implementation: whether they are accepted here, and why.
const OPEN: &[(&str, bool, &str)] = &[
    ("number_double_huge_neg_exp", true, UNDERFLOW),
    ("number_huge_exp", false, OVERFLOW),
    ("number_neg_int_huge_exp", false, OVERFLOW),
    ("number_pos_double_huge_exp", false, OVERFLOW),
    ("number_real_neg_overflow", false, OVERFLOW),
    ("number_real_pos_overflow", false, OVERFLOW),
    ("number_real_underflow", true, UNDERFLOW),
    ("number_too_big_neg_int", true, ROUNDED),
    ("number_too_big_pos_int", true, ROUNDED),
    ("number_very_big_negative_int", true, ROUNDED),
    ("object_key_lone_2nd_surrogate", false, SURROGATE),
    ("string_1st_surrogate_but_2nd_missing", false, SURROGATE),
    ("string_1st_valid_surrogate_2nd_invalid", false, SURROGATE),
    ("string_UTF-16LE_with_BOM", false, UTF8),
    ("string_UTF-8_invalid_sequence", false, UTF8),
    ("string_UTF8_surrogate_U+D800", false, UTF8),
    ("string_incomplete_surrogate_and_escape_valid", false, SURROGATE),
    ("string_incomplete_surrogate_pair", false, SURROGATE),
    ("string_incomplete_surrogates_escape_valid", false, SURROGATE),
    ("string_invalid_lonely_surrogate", false, SURROGATE),
    ("string_invalid_surrogate", false, SURROGATE),
    ("string_invalid_utf-8", false, UTF8),
    ("string_inverted_surrogates_U+1D11E", false, SURROGATE),
    ("string_iso_latin_1", false, UTF8),
    ("string_lone_second_surrogate", false, SURROGATE),
    ("string_lone_utf8_continuation_byte", false, UTF8),
    ("string_not_in_unicode_range", false, UTF8),
    ("string_overlong_sequence_2_bytes", false, UTF8),
    ("string_overlong_sequence_6_bytes", false, UTF8),
    ("string_overlong_sequence_6_bytes_null", false, UTF8),
    ("string_truncated-utf-8", false, UTF8),
    ("string_utf16BE_no_BOM", false, UTF8),
    ("string_utf16LE_no_BOM", false, UTF8),
    ("structure_500_nested_arrays", false, "nesting ends at 128 levels"),
    ("structure_UTF-8_BOM_empty_object", false, "RFC 8259, section 8.1: a sender must not add a byte order mark"),
];

const UNDERFLOW: &str = "the nearest float is zero";
const OVERFLOW: &str = "no float is near, and an infinity is not written in JSON";
const ROUNDED: &str = "any JSON takes it as the nearest float; a member with an integer type refuses it";
const SURROGATE: &str = "half of a surrogate pair is no character";
const UTF8: &str = "RFC 8259, section 8.1: JSON is UTF-8";

fn files() -> BTreeMap<String, Vec<u8>> {
    let dir = shared("corpora/json-test-suite/test_parsing");
    let entries =
        fs_err::read_dir(dir).expect("the folder is there").map(|entry| entry.expect("an entry can be read").path());
    let named = entries.map(|path| {
        (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), fs_err::read(&path).expect("a file"))
    });
    named.collect()
}

#[requires("corpora/json-test-suite")]
#[test]
fn what_is_json_is_accepted_and_what_is_not_is_refused() {
    let files = files();
    let (mut accepted, mut refused) = (0, 0);
    for (name, bytes) in &files {
        let result: Result<Value, DecodeError> = from_slice(bytes);
        if result.is_ok() {
            accepted += 1
        } else {
            refused += 1
        }
        let expected = match name.split_once('_') {
            Some(("y", _)) => true,
            Some(("n", _)) => false,
            Some(("i", open)) => {
                OPEN.iter().find(|(name, ..)| *name == open).unwrap_or_else(|| panic!("{name} is new: {result:?}")).1
            }
            _ => panic!("{name} is neither y, n nor i"),
        };
        assert_eq!(result.is_ok(), expected, "{name}: {result:?}");
        if let Err(error) = result {
            assert!(error.line > 0 || bytes.is_empty(), "{name}: no place: {error:?}");
            assert!(error.to_string().len() < 1000 && !error.to_string().contains('\n'), "{name}: {error}");
        }
    }
    println!("{} files, {accepted} accepted, {refused} refused", files.len());
    assert_eq!(files.keys().filter(|name| name.starts_with("i_")).count(), OPEN.len(), "a result for every open case");
}

/// Invalid JSON is not decoded as any resource; valid JSON may or may not be.
#[requires("corpora/json-test-suite")]
#[test]
fn no_resource_accepts_what_is_not_json() {
    let files = files();
    for entry in ALL {
        for (name, bytes) in &files {
            let result = (entry.codec.round_trip)(bytes);
            assert!(result.is_err() || !name.starts_with("n_"), "{} accepts {name}: {result:?}", entry.resource);
        }
    }
}
