//! Host names.

/// Returns whether the text is a host name (RFC 1123, section 2.1) of at most 253 bytes: labels of letters, digits and
/// inner hyphens separated by dots, the last one not of digits alone. A trailing dot is allowed.
#[must_use]
pub fn is_hostname(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    if name.len() > 253 {
        return false;
    }
    let mut last: &[u8] = &[];
    for label in name.as_bytes().split(|byte| *byte == b'.') {
        if !is_label(label) {
            return false;
        }
        last = label;
    }
    !last.iter().all(u8::is_ascii_digit)
}

/// Returns whether the bytes are a label of a name: 1 to 63 letters, digits and hyphens, without a hyphen at the ends.
pub(super) fn is_label(label: &[u8]) -> bool {
    label.len() <= 63
        && label.first().is_some_and(u8::is_ascii_alphanumeric)
        && label.last().is_some_and(u8::is_ascii_alphanumeric)
        && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Returns whether the text is a host with a port after a colon, which is optional unless it is required. The host is a
/// name, an IPv4 address, or an IPv6 address in brackets.
#[must_use]
pub fn is_host_and_port(text: &str, port_required: bool) -> bool {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            // The last bracket: a zone may contain others.
            let Some((address, port)) = rest.rsplit_once(']') else { return false };
            if !super::is_ipv6_address(address) {
                return false;
            }
            (
                None,
                port.strip_prefix(':').map_or(if port.is_empty() { Ok(None) } else { Err(()) }, |port| Ok(Some(port))),
            )
        }
        None => match text.split_once(':') {
            Some((host, port)) => (Some(host), Ok(Some(port))),
            None => (Some(text), Ok(None)),
        },
    };
    let port = match port {
        Ok(Some(port)) => is_port(port),
        Ok(None) => !port_required,
        Err(()) => false,
    };
    port && host.is_none_or(|host| is_hostname(host) || super::is_ipv4_address(host))
}

/// Returns whether the text is a port: 0 to 65535 without a leading zero.
fn is_port(text: &str) -> bool {
    let digits = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0')) && text.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for valid in ["a", "A.b-c.D9", "a.", "1.a", "xn--a", "a.1b"] {
            assert!(is_hostname(valid), "{valid}");
        }
        for wrong in ["", ".", "a..", "a..b", ".a", "-a", "a-", "a_b", "a b", "1", "a.1", "127.0.0.1", "ü", "a\n"] {
            assert!(!is_hostname(wrong), "{wrong}");
        }
        let label = "x".repeat(63);
        let name = format!("{label}.{label}.{label}.{}", &label[2..]);
        assert!(name.len() == 253 && is_hostname(&name) && is_hostname(&format!("{name}.")));
        assert!(!is_hostname(&format!("{name}x")) && !is_hostname(&format!("x{label}")));
    }

    #[test]
    fn ports() {
        for valid in ["a:0", "a:65535", "[::1]:80", "127.0.0.1:1"] {
            assert!(is_host_and_port(valid, true), "{valid}");
        }
        for wrong in ["a:", "a:65536", "a:01", "a:+1", "::1", "[::1]80", "[::1", "[a]:1", "a:1:2", ":1", "a: 1", "a:00"]
        {
            assert!(!is_host_and_port(wrong, false), "{wrong}");
        }
        assert!(is_host_and_port("a", false) && !is_host_and_port("a", true));
        assert!(is_host_and_port("[::1]", false) && !is_host_and_port("[::1]", true));
    }
}
