//! Addresses that a server may connect to on behalf of a client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns whether an address is public. A service that sends requests to URLs of its clients must connect to no other
/// address, so that clients cannot reach its internal network (server-side request forgery): it resolves a name once,
/// and connects to that address.
#[must_use]
pub const fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Returns whether the address is not in the registry of special addresses (RFC 6890).
const fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        [0 | 10 | 127 | 224..=255, ..] => true,
        [100, second, ..] => second & 0xc0 == 64,
        [169, 254, ..] | [192, 168, ..] | [192, 0, 0 | 2, _] | [192, 88, 99, _] => true,
        [172, second, ..] => second & 0xf0 == 16,
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        _ => false,
    };
    !is_special
}

/// Returns whether an IPv6 address is public, or the IPv4 address that it contains.
const fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Addresses that contain one of version 4: mapped, translated (RFC 6052) and tunnelled (RFC 3056).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Only global unicast addresses (RFC 4291, section 2.4) are assigned.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_addresses_are_not_public() {
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:a00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "3fff::1",
            "100::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::",
            "2606:4700::1111",
            "2001:4860::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
