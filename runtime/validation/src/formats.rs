//! What a text can be: plain predicates, without allocation and in one pass.
//!
//! Where a public test set and an RFC differ, the RFC is followed. The functions that conditions in CEL call take
//! what protovalidate takes, since that is where their names come from; [`Format`] holds what a schema means by
//! `format:`, and says where that is narrower.

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

/// What a schema says that a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A mail address: [`email`].
    Email,
    /// A URI: [`uri`].
    Uri,
    /// A zone of the IANA Time Zone Database: [`time_zone`].
    TimeZone,
    /// A line of a recurrence: [`recurrence_line`].
    Recurrence,
    /// A media type: [`media_type`].
    MediaType,
    /// An entity tag: [`etag`].
    Etag,
    /// A token for a further page, of which nothing is known.
    PageToken,
    /// A token for what has changed, of which nothing is known.
    SyncToken,
    /// A host name (RFC 1123): a [`hostname`] without a dot at its end.
    Hostname,
    /// An IP address: an [`ip`] without a zone.
    Ip,
    /// A UUID: [`uuid`].
    Uuid,
    /// HTML, which any text is.
    Html,
    /// Names of members: [`field_mask`].
    FieldMask,
}

impl Format {
    /// Returns whether the text is that.
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

    /// As the schema spells it.
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
            Self::Email => "must be a mail address",
            Self::Uri => "must be a URI",
            Self::TimeZone => "must be a zone of the IANA Time Zone Database",
            Self::Recurrence => "must be an RRULE, EXRULE, RDATE or EXDATE line of RFC 5545",
            Self::MediaType => "must be a media type",
            Self::Etag => "must be an entity tag",
            Self::PageToken => "must be a page token",
            Self::SyncToken => "must be a sync token",
            Self::Hostname => "must be a host name",
            Self::Ip => "must be an IP address",
            Self::Uuid => "must be a UUID",
            Self::Html => "must be HTML",
            Self::FieldMask => "must be names of members, with commas between them",
        }
    }
}

/// A set of ASCII characters, as a table by byte; nothing beyond ASCII is in it.
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

/// What is before and behind the first such ASCII character. The texts here are short, and a search through them that
/// is made for long ones takes longer.
#[inline]
pub(crate) fn split_once(text: &str, at: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns the parts of a text between such ASCII characters.
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

/// Returns the text behind the bytes of a class that it starts with. `class` gives one and the same bit for a byte of
/// the class, and 0 for others.
#[inline]
pub(crate) fn behind(text: &[u8], class: impl Fn(u8) -> u8) -> &[u8] {
    let mut rest = text;
    // Most texts hold, so that one branch for four bytes is enough.
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
