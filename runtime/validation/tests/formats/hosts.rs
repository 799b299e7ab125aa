//! Hosts and addresses of the tests of protovalidate.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{
    is_host_and_port, is_hostname, is_ip_address, is_ip_network, is_ip_network_of_version, is_ipv4_address,
    is_ipv6_address,
};

use super::{bool_field, check_cases, list, shared, string_field};

#[requires("corpora/protovalidate-strings")]
#[test]
fn host_names() {
    let set = shared("protovalidate-strings/is_hostname.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        (value.to_owned(), bool_field(case, "valid"), is_hostname(value))
    });
    check_cases(cases.collect(), 30, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn hosts_and_ports() {
    let set = shared("protovalidate-strings/is_host_and_port.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        let required = case["port_required"].as_bool().unwrap_or(false);
        (value.to_owned(), bool_field(case, "valid"), is_host_and_port(value, required))
    });
    check_cases(cases.collect(), 50, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn addresses() {
    let set = shared("protovalidate-strings/is_ip.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        let ours = match case["version"].as_u64().unwrap_or(0) {
            0 => is_ip_address(value),
            4 => is_ipv4_address(value),
            6 => is_ipv6_address(value),
            _ => false,
        };
        (value.to_owned(), bool_field(case, "valid"), ours)
    });
    check_cases(cases.collect(), 100, &[]);
}

#[requires("corpora/protovalidate-strings")]
#[test]
fn prefixes() {
    let set = shared("protovalidate-strings/is_ip_prefix.json");
    let cases = list(&set).iter().map(|case| {
        let value = string_field(case, "value");
        let strict = case["strict"].as_bool().unwrap_or(false);
        let ours = match case["version"].as_u64().unwrap_or(0) {
            0 => is_ip_network(value, strict),
            version => is_ip_network_of_version(value, u8::try_from(version).unwrap_or(0), strict),
        };
        (value.to_owned(), bool_field(case, "valid"), ours)
    });
    check_cases(cases.collect(), 100, &[]);
}
