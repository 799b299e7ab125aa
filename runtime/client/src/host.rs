//! Hosts of URLs.

use std::net::IpAddr;

/// Returns whether a host, as it is written in a URL, is this machine.
pub(crate) fn is_loopback_host(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
