//! IP addresses and prefixes.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns whether the text is an IPv4 or an IPv6 address.
#[must_use]
pub fn is_ip_address(text: &str) -> bool {
    is_ipv4_address(text) || is_ipv6_address(text)
}

/// Returns whether the text is an IPv4 address: four numbers without leading zeros.
#[must_use]
pub fn is_ipv4_address(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// Returns whether the text is an IPv6 address (RFC 4291, section 2.2), optionally with a zone after a `%` (RFC 4007,
/// section 11).
#[must_use]
pub fn is_ipv6_address(text: &str) -> bool {
    let (address, zone) = text.split_once('%').map_or((text, None), |(address, zone)| (address, Some(zone)));
    zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('\0')) && address.parse::<Ipv6Addr>().is_ok()
}

/// Returns whether the text is an address with a prefix length, such as `192.168.0.0/16`. If `strict` is true the bits
/// after the prefix must be zero.
#[must_use]
pub fn is_ip_network(text: &str, strict: bool) -> bool {
    is_ip_network_of_version(text, 4, strict) || is_ip_network_of_version(text, 6, strict)
}

/// Returns whether the text is an [`is_ip_network`] of this version, 4 or 6; false for any other version.
#[must_use]
pub fn is_ip_network_of_version(text: &str, version: u8, strict: bool) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    match version {
        4 => match (address.parse::<Ipv4Addr>(), parse_prefix_length(length, 32)) {
            (Ok(address), Some(length)) => !strict || address.to_bits().checked_shl(length).unwrap_or(0) == 0,
            _ => false,
        },
        6 => match (address.parse::<Ipv6Addr>(), parse_prefix_length(length, 128)) {
            (Ok(address), Some(length)) => !strict || address.to_bits().checked_shl(length).unwrap_or(0) == 0,
            _ => false,
        },
        _ => false,
    }
}

/// Parses a number without a leading zero, up to `max`.
fn parse_prefix_length(text: &str, max: u32) -> Option<u32> {
    let digits = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|length| plain && *length <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert!(
            is_ip_address("127.0.0.1")
                && is_ip_address("::1")
                && is_ip_address("fe80::1%en0")
                && is_ip_address("::ffff:1.2.3.4")
        );
        for wrong in ["", "1.2.3", "1.2.3.04", "256.0.0.1", "1.2.3.4/8", ":::1", "::1%", "[::1]", "1::2::3", " ::1"] {
            assert!(!is_ip_address(wrong), "{wrong}");
        }
    }

    #[test]
    fn prefixes() {
        for valid in ["192.168.0.0/16", "0.0.0.0/0", "1.2.3.4/32", "::/0", "2001:db8::/32", "::1/128"] {
            assert!(is_ip_network(valid, true), "{valid}");
        }
        assert!(is_ip_network("192.168.5.21/16", false) && !is_ip_network("192.168.5.21/16", true));
        assert!(is_ip_network_of_version("::1/64", 6, false) && !is_ip_network_of_version("::1/64", 4, false));
        for wrong in ["1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/08", "::1/129", "::1%a/64", "1.2.3.4/+8", "/8"] {
            assert!(!is_ip_network(wrong, false), "{wrong}");
        }
        assert!(!is_ip_network_of_version("1.2.3.4/8", 0, false));
    }
}
