//! No text makes a format panic, and valid texts contain only allowed characters.

use proptest::prelude::*;
use wireform_validation::__private::formats::{self, Format};

const FORMATS: [Format; 13] = [
    Format::Email,
    Format::Uri,
    Format::TimeZone,
    Format::Recurrence,
    Format::MediaType,
    Format::Etag,
    Format::PageToken,
    Format::SyncToken,
    Format::Hostname,
    Format::Ip,
    Format::Uuid,
    Format::Html,
    Format::FieldMask,
];

/// Pieces of valid texts.
const PIECES: &[&str] = &[
    "a",
    "B",
    "0",
    "9",
    "é",
    "\u{0}",
    "\n",
    " ",
    "\t",
    "@",
    ".",
    "..",
    "-",
    "_",
    "+",
    "%",
    "%41",
    "%fF",
    "[",
    "]",
    "::",
    ":",
    "/",
    "//",
    "?",
    "#",
    "\"",
    "\\",
    "http:",
    "v1.",
    "%25",
    "1.2.3.4",
    "RRULE:",
    "FREQ=DAILY",
    ";",
    "=",
    ",",
    "BYDAY=",
    "MO",
    "-1FR",
    "UNTIL=",
    "20260101",
    "T000000Z",
    "RDATE",
    "EXDATE",
    "VALUE=",
    "DATE",
    "PERIOD",
    "TZID=",
    "Europe/Zurich",
    "P1D",
    "PT1H",
    "W/",
    "text/html",
    "X-A=b",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text: String) {
        all(&text);
    }

    #[test]
    fn nearly_valid(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        all(&pieces.concat());
    }
}

fn all(text: &str) {
    let one_line = |format: Format| !matches!(format, Format::PageToken | Format::SyncToken | Format::Html);
    for format in FORMATS {
        let valid = format.is_valid(text);
        assert!(!(valid && one_line(format) && text.contains(['\n', '\r', '\0'])), "{format:?} {text:?}");
    }
    let _ = (formats::is_html_email(text), formats::is_ip_network(text, true), formats::is_ip_network(text, false));
    let _ = (formats::is_host_and_port(text, true), formats::is_host_and_port(text, false));
    if formats::is_uri(text) {
        assert!(formats::is_uri_reference(text) && formats::scheme(text).is_some() && text.is_ascii(), "{text:?}");
    }
    if formats::is_html_email(text) && !text.starts_with('.') && !text.contains("..") && !text.contains(".@") {
        assert!(formats::is_addr_spec(text), "HTML permits fewer addresses, except for the dots: {text:?}");
    }
}
