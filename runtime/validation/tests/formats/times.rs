//! Date-times, which the types validate.

use wireform_runtime::{Date, DateTime};
use wireform_test_data::requires;

use super::{list, shared, string_field};

/// Returns whether a valid literal of TOML is not a date-time of RFC 3339.
fn is_tomls_own(literal: &str) -> bool {
    // A space between date and time, no seconds, or a time by itself.
    literal.contains(' ') || literal.find(':').is_some_and(|colon| colon < 4) || !has_seconds(literal)
}

fn has_seconds(literal: &str) -> bool {
    let time = literal.split(['T', 't']).nth(1).unwrap_or_default();
    time.split(['+', '-', 'Z', 'z']).next().unwrap_or_default().matches(':').count() == 2
}

#[requires("corpora/rfc3339")]
#[test]
fn toml() {
    let set = shared("rfc3339/toml-test-datetimes.json");
    let (mut date_times, mut dates) = (0, 0);
    for case in list(&set["valid"]) {
        let literal = string_field(case, "text");
        if Date::parse(literal).is_ok() {
            dates += 1;
        } else {
            assert_eq!(DateTime::parse(literal).is_ok(), !is_tomls_own(literal), "{literal}");
            date_times += usize::from(!is_tomls_own(literal));
        }
    }
    assert!(date_times >= 10 && dates >= 2, "{date_times} {dates}");
    for case in list(&set["invalid"]) {
        let literal = string_field(case, "text");
        let accepted = DateTime::parse(literal).is_ok_and(|time| time.has_offset());
        assert!(!accepted, "{literal}");
    }
}
