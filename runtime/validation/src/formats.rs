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

pub use email::{email, is_email};
pub use host::{host_and_port, hostname};
pub use ip::{ip, ip_prefix, ip_prefix_with, ipv4, ipv6};
pub use recurrence::recurrence_line;
pub use tokens::{etag, field_mask, media_type, uuid};
pub use uri::{scheme, uri, uri_reference};
pub use zone::time_zone;

/// Format of a text in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Email address: `email`.
    Email,
    /// URI: `uri`.
    Uri,
    /// Zone of the IANA Time Zone Database: [`time_zone`].
    TimeZone,
    /// Line of a recurrence: [`recurrence_line`].
    Recurrence,
    /// Media type: [`media_type`].
    MediaType,
    /// Entity tag: [`etag`].
    Etag,
    /// Opaque page token.
    PageToken,
    /// Opaque sync token.
    SyncToken,
    /// Host name (RFC 1123): a [`hostname`] without a trailing dot.
    Hostname,
    /// IP address: an `ip` without a zone.
    Ip,
    /// UUID: [`uuid`].
    Uuid,
    /// HTML; any text is valid.
    Html,
    /// Field mask: [`field_mask`].
    FieldMask,
}

impl Format {
    /// Returns whether the text has the format.
    #[inline]
    #[must_use]
    pub fn is_valid(self, text: &str) -> bool {
        match self {
            Self::Email => email(text),
            Self::Uri => uri(text),
            Self::TimeZone => time_zone(text),
            Self::Recurrence => recurrence_line(text),
            Self::MediaType => media_type(text),
            Self::Etag => etag(text),
            Self::Hostname => hostname(text) && !text.ends_with('.'),
            Self::Ip => ip(text) && !text.contains('%'),
            Self::Uuid => uuid(text),
            Self::FieldMask => field_mask(text),
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
pub(crate) type Set = [bool; 256];

/// Returns the set of these characters, and of letters and digits if `alphanumeric`.
pub(crate) const fn set(alphanumeric: bool, characters: &[u8]) -> Set {
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
pub(crate) const fn is_in(set: &Set, byte: u8) -> bool {
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
