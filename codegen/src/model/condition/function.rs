//! Functions of conditions.

/// Function that conditions can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of CEL; the table of functions describes them")]
pub enum Function {
    Size,
    StartsWith,
    EndsWith,
    Contains,
    ToInt,
    ToUint,
    ToDouble,
    ToText,
    ToTimestamp,
    ToDuration,
    ToDate,
    Part(TimePart),
    IsEmail,
    IsUri,
    IsUriRef,
    IsHostname,
    IsIp,
    IsIpPrefix,
    IsHostAndPort,
    IsNan,
    IsInf,
    Unique,
    HasOffset,
    IsTimeZone,
    IsUuid,
    IsDate,
    IsDateTime,
}

/// Component of a timestamp, of a date or of a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of CEL")]
pub enum TimePart {
    FullYear,
    Month,
    DayOfMonth,
    Date,
    DayOfWeek,
    DayOfYear,
    Hours,
    Minutes,
    Seconds,
    Milliseconds,
}
