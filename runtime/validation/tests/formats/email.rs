//! Email addresses.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{is_addr_spec, is_html_email};

use super::{bool_field, check_cases, list, shared, string_field};

/// Categories of addresses that are valid in mail headers only, and are rejected here.
const SKIPPED: &[(&str, &str)] = &[
    ("ISEMAIL_CFWS", "comments and folded lines (section 3.2.2) belong to headers"),
    ("ISEMAIL_DEPREC", "obsolete forms (section 4) must not be made any more"),
    ("ISEMAIL_RFC5322_DOMLIT_OBSDTEXT", "an obsolete form (section 4.4) in another place"),
];

const DIFFERENCES: &[(&str, &str)] = &[
    ("test@-iana.org", HYPHEN),
    ("test@iana-.com", HYPHEN),
    ("test@iana.org-", HYPHEN),
    ("test@[RFC-5322-domain-literal] (comment)", "a comment, as above"),
    (
        "test@[IPv6:1111:2222:3333:4444:5555:6666::8888]",
        "obsolete as an IPv6 address; section 3.4.1 does not look into a literal",
    ),
];

const HYPHEN: &str = "section 3.2.3 takes a hyphen anywhere; where names of hosts have one is RFC 1123's to say";

#[requires("corpora/email")]
#[test]
fn isemail() {
    let set = shared("email/isemail-tests.json");
    let cases = list(&set).iter().map(|case| {
        let address = string_field(case, "address");
        let kinds = [string_field(case, "category"), string_field(case, "diagnosis")];
        let left_out = SKIPPED.iter().any(|(kind, _)| kinds.contains(kind));
        (address.to_owned(), bool_field(case, "rfc5322_syntax_valid") && !left_out, is_addr_spec(address))
    });
    check_cases(cases.collect(), 164, DIFFERENCES);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn protovalidate() {
    let set = shared("protovalidate-strings/is_email.json");
    let cases = list(&set).iter().map(|case| {
        let address = string_field(case, "value");
        (address.to_owned(), bool_field(case, "valid"), is_html_email(address))
    });
    check_cases(cases.collect(), 20, &[]);
}
