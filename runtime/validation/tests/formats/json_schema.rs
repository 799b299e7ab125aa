//! Test suite of JSON Schema: formats, lengths, numbers and lists.

use wireform_runtime::DateTime;
use wireform_test_data::requires;
use wireform_validation::__private::formats::{self, Format};

use super::{bool_field, check_cases, list, shared, string_field};

/// Checks every text of a file about a format.
fn check_format(format: &str, is_valid: impl Fn(&str) -> bool, least: usize, differing: &[(&str, &str)]) {
    let path = format!("json-schema-test-suite/draft2020-12/optional/format/{format}.json");
    let set = shared(&path);
    let cases = list(&set).iter().flat_map(|group| list(&group["tests"])).filter_map(|case| {
        let value = case["data"].as_str()?;
        Some((value.to_owned(), bool_field(case, "valid"), is_valid(value)))
    });
    check_cases(cases.collect(), least, differing);
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn emails() {
    let differing = [
        ("joe.bloggs@invalid=domain.com", "RFC 5322, section 3.2.3: `=` is in an atom; RFC 5321 is about hosts"),
        ("joe.bloggs@[127.0.0.300]", "RFC 5322, section 3.4.1: a literal holds any text; RFC 5321 gives it a meaning"),
    ];
    check_format("email", formats::is_addr_spec, 20, &differing);
}

const PUNYCODE: &str = "RFC 1123 has it; the label does not decode, or to what RFC 5891 refuses";

#[requires("corpora/json-schema-test-suite")]
#[test]
fn host_names() {
    // RFC 1123 requires letters, digits and hyphens. The validity of names in Punycode is defined by RFC 5891, which
    // requires tables of Unicode.
    let differing = [
        ("xn--X", PUNYCODE),
        ("xn--07jt112bpxg.xn--9t4b11yi5a", PUNYCODE),
        ("xn--hello-txk", PUNYCODE),
        ("xn--hello-zed", PUNYCODE),
        ("xn--hello-6bf", PUNYCODE),
        ("xn--chb89f", PUNYCODE),
        ("xn--07jceefgh4c", PUNYCODE),
        ("xn--al-0ea", PUNYCODE),
        ("xn--l-fda", PUNYCODE),
        ("xn--la-0ea", PUNYCODE),
        ("xn--l-gda", PUNYCODE),
        ("xn--S-jib3p", PUNYCODE),
        ("xn--wva3j", PUNYCODE),
        ("xn--A-2hc5h", PUNYCODE),
        ("xn--5db1e", PUNYCODE),
        ("xn--A-2hc8h", PUNYCODE),
        ("xn--5db3e", PUNYCODE),
        ("xn--defabc-k64e", PUNYCODE),
        ("xn--vek", PUNYCODE),
        ("xn--ngb6iyr", PUNYCODE),
        ("xn--11b2er09f", PUNYCODE),
        ("xn--02b508i", PUNYCODE),
        ("XN--aa---o47jg78q", PUNYCODE),
    ];
    check_format("hostname", |text| Format::Hostname.is_valid(text), 50, &differing);
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn addresses() {
    check_format("ipv4", formats::is_ipv4_address, 30, &[]);
    check_format("ipv6", |text| Format::Ip.is_valid(text) && formats::is_ipv6_address(text), 30, &[]);
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn uris() {
    check_format("uri", formats::is_uri, 40, &[]);
    check_format("uri-reference", formats::is_uri_reference, 20, &[]);
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn uuids() {
    check_format("uuid", formats::is_uuid, 20, &[]);
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn date_times() {
    let is_valid = |text: &str| DateTime::parse(text).is_ok_and(|time| time.has_offset());
    check_format("date-time", is_valid, 25, &[]);
}

/// Calls `each` with the schema, the data and the expected result of each case of a file about one keyword.
fn cases(file: &str, mut each: impl FnMut(&serde_json::Value, &serde_json::Value, bool, &str)) {
    let set = shared(&format!("json-schema-test-suite/draft2020-12/{file}.json"));
    for group in list(&set) {
        for case in list(&group["tests"]) {
            each(&group["schema"], &case["data"], bool_field(case, "valid"), string_field(case, "description"));
        }
    }
}

/// Returns whether a check finds violations.
fn broken(check: impl FnOnce(&mut wireform_validation::__private::Checker<'_>)) -> bool {
    let mut checker = wireform_validation::__private::Checker::new(wireform_validation::ValidationContext::VALUE);
    check(&mut checker);
    checker.violation_count() > 0
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn lengths() {
    use wireform_validation::__private::Location;
    for (file, key) in [("minLength", "minLength"), ("maxLength", "maxLength")] {
        cases(file, |schema, data, valid, description| {
            // `2.0` is the integer 2 in JSON Schema.
            let Some(bound) = schema[key].as_f64() else { return };
            let bound = bound as usize;
            let Some(data) = data.as_str() else { return };
            let (least, most) = if key == "minLength" { (bound, usize::MAX) } else { (0, bound) };
            assert_eq!(
                !broken(|checker| checker.length(Location::BODY, data, least, most)),
                valid,
                "{file}: {description}"
            );
        });
    }
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn numbers() {
    use wireform_validation::__private::Location;
    for key in ["minimum", "maximum", "multipleOf"] {
        cases(key, |schema, data, valid, description| {
            let (Some(bound), Some(data)) = (schema[key].as_f64(), data.as_f64()) else { return };
            let ours = !broken(|checker| match key {
                "minimum" => checker.range(Location::BODY, data, Some(bound), None),
                "maximum" => checker.range(Location::BODY, data, None, Some(bound)),
                _ => checker.multiple_of(Location::BODY, data, bound),
            });
            assert_eq!(ours, valid, "{key}: {description}");
        });
    }
    cases("optional/float-overflow", |schema, data, valid, description| {
        let (Some(of), Some(data)) = (schema["multipleOf"].as_f64(), data.as_f64()) else { return };
        assert_eq!(!broken(|checker| checker.multiple_of(Location::BODY, data, of)), valid, "{description}");
    });
}

#[requires("corpora/json-schema-test-suite")]
#[test]
fn unique_items() {
    use wireform_validation::__private::Location;
    cases("uniqueItems", |schema, data, valid, description| {
        // Schemas with other keywords for items are skipped.
        if schema["uniqueItems"] != true || schema.get("prefixItems").is_some() {
            return;
        }
        let Some(items) = data.as_array() else { return };
        // As it is, and extended to a length at which elements are hashed.
        let ours = !broken(|checker| checker.unique(Location::BODY, items));
        let mut long: Vec<serde_json::Value> = (0..20).map(|n| format!("another {n}").into()).collect();
        long.extend(items.iter().cloned());
        let hashed = !broken(|checker| checker.unique(Location::BODY, &long));
        assert_eq!((ours, hashed), (valid, valid), "{description}");
    });
}
