//! Hosts and addresses, as protovalidate has them.

use wireform_validation::formats::{host_and_port, hostname, ip, ip_prefix, ip_prefix_with, ipv4, ipv6};

use super::{judge, list, shared, text, truth};

#[test]
fn host_names() {
    let Some(set) = shared("protovalidate-strings/is_hostname.json") else { return };
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        (value.to_owned(), truth(case, "valid"), hostname(value))
    });
    judge(cases.collect(), 30, &[]);
}

#[test]
fn hosts_and_ports() {
    let Some(set) = shared("protovalidate-strings/is_host_and_port.json") else { return };
    let cases = list(&set).iter().map(|case| {
        let value = text(case, "value");
        let required = case["port_required"].as_bool().unwrap_or(false);
        (value.to_owned(), truth(case, "valid"), host_and_port(value, required))
    });
    judge(cases.collect(), 50, &[]);
}

#[test]
fn addresses() {
    let Some(set) = shared("protovalidate-strings/is_ip.json") else { return };
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

#[test]
fn prefixes() {
    let Some(set) = shared("protovalidate-strings/is_ip_prefix.json") else { return };
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
