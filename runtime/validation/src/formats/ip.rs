//! IP addresses and prefixes.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns whether the text is an IPv4 or an IPv6 address.
#[must_use]
pub fn ip(text: &str) -> bool {
    ipv4(text) || ipv6(text)
}

/// Returns whether the text is an IPv4 address: four numbers without leading zeros.
#[must_use]
pub fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// Returns whether the text is an IPv6 address (RFC 4291, section 2.2), optionally with a zone after a `%` (RFC 4007,
/// section 11).
#[must_use]
pub fn ipv6(text: &str) -> bool {
    let (address, zone) = text.split_once('%').map_or((text, None), |(address, zone)| (address, Some(zone)));
    zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('\0')) && address.parse::<Ipv6Addr>().is_ok()
}

/// Returns whether the text is an address with a prefix length, such as `192.168.0.0/16`. If `strict` is true the bits
/// after the prefix must be zero.
#[must_use]
pub fn ip_prefix(text: &str, strict: bool) -> bool {
    ip_prefix_with(text, 4, strict) || ip_prefix_with(text, 6, strict)
}

/// Returns whether the text is an [`ip_prefix`] of this version, 4 or 6; false for any other version.
#[must_use]
pub fn ip_prefix_with(text: &str, version: u8, strict: bool) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    match version {
        4 => match (address.parse::<Ipv4Addr>(), prefix(length, 32)) {
            (Ok(address), Some(length)) => !strict || address.to_bits().checked_shl(length).unwrap_or(0) == 0,
            _ => false,
        },
        6 => match (address.parse::<Ipv6Addr>(), prefix(length, 128)) {
            (Ok(address), Some(length)) => !strict || address.to_bits().checked_shl(length).unwrap_or(0) == 0,
            _ => false,
        },
        _ => false,
    }
}

/// Parses a number without a leading zero, up to `max`.
fn prefix(text: &str, max: u32) -> Option<u32> {
    let digits = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|length| plain && *length <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert!(ip("127.0.0.1") && ip("::1") && ip("fe80::1%en0") && ip("::ffff:1.2.3.4"));
        for wrong in ["", "1.2.3", "1.2.3.04", "256.0.0.1", "1.2.3.4/8", ":::1", "::1%", "[::1]", "1::2::3", " ::1"] {
            assert!(!ip(wrong), "{wrong}");
        }
    }

    #[test]
    fn prefixes() {
        for valid in ["192.168.0.0/16", "0.0.0.0/0", "1.2.3.4/32", "::/0", "2001:db8::/32", "::1/128"] {
            assert!(ip_prefix(valid, true), "{valid}");
        }
        assert!(ip_prefix("192.168.5.21/16", false) && !ip_prefix("192.168.5.21/16", true));
        assert!(ip_prefix_with("::1/64", 6, false) && !ip_prefix_with("::1/64", 4, false));
        for wrong in ["1.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/08", "::1/129", "::1%a/64", "1.2.3.4/+8", "/8"] {
            assert!(!ip_prefix(wrong, false), "{wrong}");
        }
        assert!(!ip_prefix_with("1.2.3.4/8", 0, false));
    }
}
