//! Formats of texts: plain predicates, without allocation and in one pass.
//!
//! If a public test suite and an RFC differ, the RFC is followed. The functions that CEL conditions call accept the
//! same as protovalidate, which defines their names; [`Format`] is the meaning of `format:` in a schema, and documents
//! where that is narrower.

mod email;
mod host;
mod ip;
mod recurrence;
mod tokens;
mod uri;
mod zone;

pub use email::{is_addr_spec, is_html_email};
pub use host::{is_host_and_port, is_hostname};
pub use ip::{is_ip_address, is_ip_network, is_ip_network_of_version, is_ipv4_address, is_ipv6_address};
pub use recurrence::is_recurrence_line;
pub use tokens::{is_etag, is_field_mask, is_uuid, media_type};
pub use uri::{is_uri, is_uri_reference, scheme};
pub use zone::is_time_zone;

/// Format of a text in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Email address: `is_addr_spec`.
    Email,
    /// URI: `is_uri`.
    Uri,
    /// Zone of the IANA Time Zone Database: `is_time_zone`.
    TimeZone,
    /// Line of a recurrence: [`is_recurrence_line`].
    Recurrence,
    /// Media type: [`media_type`].
    MediaType,
    /// Entity tag: `is_etag`.
    Etag,
    /// Opaque page token.
    PageToken,
    /// Opaque sync token.
    SyncToken,
    /// Host name (RFC 1123) without a trailing dot: `is_hostname`.
    Hostname,
    /// IP address without a zone: `is_ip_address`.
    Ip,
    /// UUID: `is_uuid`.
    Uuid,
    /// HTML; any text is valid.
    Html,
    /// Field mask: `is_field_mask`.
    FieldMask,
}

impl Format {
    /// Returns whether the text has the format.
    #[inline]
    #[must_use]
    pub fn is_valid(self, text: &str) -> bool {
        match self {
            Self::Email => is_addr_spec(text),
            Self::Uri => is_uri(text),
            Self::TimeZone => is_time_zone(text),
            Self::Recurrence => is_recurrence_line(text),
            Self::MediaType => media_type(text),
            Self::Etag => is_etag(text),
            Self::Hostname => is_hostname(text) && !text.ends_with('.'),
            Self::Ip => is_ip_address(text) && !text.contains('%'),
            Self::Uuid => is_uuid(text),
            Self::FieldMask => is_field_mask(text),
            Self::PageToken | Self::SyncToken | Self::Html => true,
        }
    }

    /// Returns the name of the format in a schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::TimeZone => "time_zone",
            Self::Recurrence => "recurrence",
            Self::MediaType => "media_type",
            Self::Etag => "etag",
            Self::PageToken => "page_token",
            Self::SyncToken => "sync_token",
            Self::Hostname => "hostname",
            Self::Ip => "ip",
            Self::Uuid => "uuid",
            Self::Html => "html",
            Self::FieldMask => "field_mask",
        }
    }

    /// Returns the message of a text that does not have the format.
    pub(crate) const fn message(self) -> &'static str {
        match self {
            Self::Email => "must be an email address",
            Self::Uri => "must be a URI",
            Self::TimeZone => "must be a time zone of the IANA Time Zone Database",
            Self::Recurrence => "must be an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545",
            Self::MediaType => "must be a media type",
            Self::Etag => "must be an entity tag",
            Self::PageToken => "must be a page token",
            Self::SyncToken => "must be a sync token",
            Self::Hostname => "must be a host name",
            Self::Ip => "must be an IP address",
            Self::Uuid => "must be a UUID",
            Self::Html => "must be HTML",
            Self::FieldMask => "must be field names, separated by commas",
        }
    }
}

/// Set of ASCII characters, as a table by byte; no character beyond ASCII is in it.
pub(crate) type ByteSet = [bool; 256];

/// Returns the set of these characters, and of letters and digits if `alphanumeric`.
pub(crate) const fn byte_set(alphanumeric: bool, characters: &[u8]) -> ByteSet {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = alphanumeric && (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < characters.len() {
        table[characters[at] as usize] = true;
        at += 1;
    }
    table
}

/// Returns whether a byte is in a set.
#[inline]
pub(crate) const fn contains_byte(set: &ByteSet, byte: u8) -> bool {
    set[byte as usize]
}

/// Splits a text at the first occurrence of an ASCII character. The texts are short, for which a search that is
/// optimized for long texts is slower.
#[inline]
pub(crate) fn split_once(text: &str, at: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Splits a text at the ASCII characters for which `is` returns true.
#[inline]
pub(crate) fn split(text: &str, mut is: impl FnMut(u8) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(&mut is);
        rest = end.and_then(|end| text.get(end + 1..));
        text.get(..end.unwrap_or(text.len()))
    })
}

/// Returns the rest of a text after a prefix of bytes in a class. `class` returns the same bit for each byte of the
/// class, and 0 for others.
#[inline]
pub(crate) fn skip_class(text: &[u8], class: impl Fn(u8) -> u8) -> &[u8] {
    let mut rest = text;
    // Most texts are valid, so one branch for four bytes is sufficient.
    while let [a, b, c, d, after @ ..] = rest
        && class(*a) & class(*b) & class(*c) & class(*d) != 0
    {
        rest = after;
    }
    while let [byte, after @ ..] = rest
        && class(*byte) != 0
    {
        rest = after;
    }
    rest
}
