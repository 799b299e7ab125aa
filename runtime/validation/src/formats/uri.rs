//! URIs and URI references (RFC 3986).

use wireform_runtime::http::percent;

use super::byte_set;

/// Classes of each byte, as bits.
type Classes = [u8; 256];

/// Unreserved characters and sub-delimiters (sections 2.2 and 2.3).
const NAME: u8 = 1;
/// User information before the host (section 3.2.1).
const USER: u8 = 2;
/// Path: segments and the slashes between them (section 3.3).
const PATH: u8 = 4;
/// Query or fragment (sections 3.4 and 3.5).
const QUERY: u8 = 8;
/// Unreserved characters.
const UNRESERVED: u8 = 16;
/// Scheme after its first letter (section 3.1).
const SCHEME: u8 = 32;

/// Table of the classes, with the characters of each besides letters and digits.
static CLASSES: Classes = classes(&[
    (NAME, b"-._~!$&'()*+,;="),
    (USER, b"-._~!$&'()*+,;=:"),
    (PATH, b"-._~!$&'()*+,;=:@/"),
    (QUERY, b"-._~!$&'()*+,;=:@/?"),
    (UNRESERVED, b"-._~"),
    (SCHEME, b"+-."),
]);

/// Builds the table; letters and digits are in every class, in addition to these characters.
const fn classes(of: &[(u8, &[u8])]) -> Classes {
    let mut table = [0; 256];
    let mut class = 0;
    while class < of.len() {
        let set = byte_set(true, of[class].1);
        let mut byte = 0;
        while byte < 256 {
            if set[byte] {
                table[byte] |= of[class].0;
            }
            byte += 1;
        }
        class += 1;
    }
    table
}

/// Returns whether a byte is in the class.
#[inline]
fn is_in(class: u8, byte: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// Returns the rest of a text after a prefix of characters in a class.
#[inline]
fn skip_class(text: &[u8], class: u8) -> &[u8] {
    super::skip_class(text, |byte| CLASSES[usize::from(byte)] & class)
}

/// Returns the rest of a text after a prefix of characters in a class and percent-encoded bytes.
#[inline]
fn skip_escaped(text: &[u8], class: u8) -> &[u8] {
    let mut rest = skip_class(text, class);
    while is_escaped(rest, 0) {
        rest = skip_class(rest.get(3..).unwrap_or_default(), class);
    }
    rest
}

/// Returns the scheme of a text, without the colon.
#[must_use]
pub fn scheme(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let rest = skip_class(bytes, SCHEME);
    if rest.first() == Some(&b':') { text.get(..bytes.len() - rest.len()) } else { None }
}

/// Returns whether the text is a URI (RFC 3986, section 3). The zone of an IPv6 address is accepted in the format of
/// RFC 6874, `[fe80::1%25en0]`.
#[must_use]
pub fn is_uri(text: &str) -> bool {
    match scheme(text) {
        Some(scheme) => is_rest(text.as_bytes().get(scheme.len() + 1..).unwrap_or_default()),
        None => false,
    }
}

/// Returns whether the text is a URI reference (RFC 3986, section 4.1): a URI or a relative reference.
#[must_use]
pub fn is_uri_reference(text: &str) -> bool {
    if is_uri(text) {
        return true;
    }
    // The first segment of a relative path has no colon, which would end a scheme.
    let end = text.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(text.len());
    text.as_bytes().iter().take(end).all(|byte| *byte != b':') && is_rest(text.as_bytes())
}

/// Returns whether the bytes can follow a scheme: authority, path, query and fragment. Most texts are scanned once.
fn is_rest(text: &[u8]) -> bool {
    let path = match text {
        [b'/', b'/', rest @ ..] => match skip_authority(rest) {
            Some(path) => path,
            None => return false,
        },
        path => path,
    };
    let mut rest = skip_escaped(path, PATH);
    if let [b'?', query @ ..] = rest {
        rest = skip_escaped(query, QUERY);
    }
    if let [b'#', fragment @ ..] = rest {
        rest = skip_escaped(fragment, QUERY);
    }
    rest.is_empty()
}

/// Returns the rest of the text after its authority.
#[inline]
fn skip_authority(text: &[u8]) -> Option<&[u8]> {
    let rest = skip_class(text, NAME);
    match rest.first() {
        None | Some(b'/' | b'?' | b'#') => Some(rest),
        // The authority is more than a plain name.
        _ => {
            let end = text.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(text.len());
            let (authority, rest) = text.split_at(end);
            is_authority(authority).then_some(rest)
        }
    }
}

/// Splits a text at the first occurrence of a byte.
fn split(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == at) {
        Some(end) => (text.get(..end).unwrap_or_default(), text.get(end + 1..)),
        None => (text, None),
    }
}

/// Returns whether the text consists of characters in a class and percent-encoded bytes.
fn consists_of(text: &[u8], class: u8) -> bool {
    skip_escaped(text, class).is_empty()
}

/// Returns whether a percent-encoded byte begins at a position.
fn is_escaped(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..at + 3), Some([b'%', high, low]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Returns whether a text is user information, host and port (RFC 3986, section 3.2), all but the host optional.
fn is_authority(text: &[u8]) -> bool {
    let host = match text.iter().position(|byte| *byte == b'@') {
        Some(at) => {
            if !consists_of(text.get(..at).unwrap_or_default(), USER) {
                return false;
            }
            text.get(at + 1..).unwrap_or_default()
        }
        None => text,
    };
    let (host, port) = if host.first() == Some(&b'[') {
        let Some(end) = host.iter().position(|byte| *byte == b']') else { return false };
        if !is_literal(host.get(1..end).unwrap_or_default()) {
            return false;
        }
        match host.get(end + 1..).unwrap_or_default() {
            [] => (None, None),
            [b':', port @ ..] => (None, Some(port)),
            _ => return false,
        }
    } else {
        let (host, port) = split(host, b':');
        (Some(host), port)
    };
    host.is_none_or(is_name) && port.is_none_or(|port| port.iter().all(u8::is_ascii_digit))
}

/// Returns whether the text is a registered name. Its percent-encoded bytes must be UTF-8 (section 3.2.2).
fn is_name(text: &[u8]) -> bool {
    consists_of(text, NAME) && (!text.contains(&b'%') || is_utf8_escaped(text))
}

/// Returns whether the text is UTF-8, also after percent-decoding.
fn is_utf8_escaped(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| percent::decode(text).is_ok())
}

/// Returns whether the text is a literal in brackets: an IPv6 address, with its zone (RFC 6874), or an address of a
/// future version.
fn is_literal(text: &[u8]) -> bool {
    if let [b'v' | b'V', rest @ ..] = text {
        let (version, address) = split(rest, b'.');
        return !version.is_empty()
            && version.iter().all(u8::is_ascii_hexdigit)
            && address.is_some_and(|address| !address.is_empty() && address.iter().all(|byte| is_in(USER, *byte)));
    }
    let (address, zone) = split(text, b'%');
    let zone = zone.is_none_or(|zone| {
        let zone = zone.strip_prefix(b"25").unwrap_or_default();
        !zone.is_empty() && consists_of(zone, UNRESERVED) && is_utf8_escaped(zone)
    });
    zone && std::str::from_utf8(address).is_ok_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
}

#[cfg(test)]
mod tests;
