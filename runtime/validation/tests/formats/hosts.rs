//! Hosts and addresses of the tests of protovalidate.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{host_and_port, hostname, ip, ip_prefix, ip_prefix_with, ipv4, ipv6};

use super::{judge, list, shared, text, truth};

#[requires("corpora/protovalidate-strings")]
#[test]
fn host_names() {
    let set = shared("protovalidate-strings/is_hostname.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), hostname(value))
    });
    judge(cases.collect(), 30, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn hosts_and_ports() {
    let set = shared("protovalidate-strings/is_host_and_port.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        let required = case["port_required"].as_bool().unwrap_or(false);
        (value.to_owned(), truth(case, "valid"), host_and_port(value, required))
    });
    judge(cases.collect(), 50, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn addresses() {
    let set = shared("protovalidate-strings/is_ip.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        let ours = match case["version"].as_u64().unwrap_or(0) {
            0 => ip(value),
            4 => ipv4(value),
            6 => ipv6(value),
            _ => false,
        };
        (value.to_owned(), truth(case, "valid"), ours)
    });
    judge(cases.collect(), 100, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn prefixes() {
    let set = shared("protovalidate-strings/is_ip_prefix.json");
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        let strict = case["strict"].as_bool().unwrap_or(false);
        let ours = match case["version"].as_u64().unwrap_or(0) {
            0 => ip_prefix(value, strict),
            version => ip_prefix_with(value, u8::try_from(version).unwrap_or(0), strict),
        };
        (value.to_owned(), truth(case, "valid"), ours)
    });
    judge(cases.collect(), 100, &[]);
}
