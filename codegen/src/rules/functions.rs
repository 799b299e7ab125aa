//! Functions of conditions: one table for the checker, for suggestions and for the reference page.

use crate::model::condition::{Function, TimePart};

/// Function in the table.
#[derive(Debug)]
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// Signatures.
    pub forms: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Function of the model.
    pub function: Function,
}

const fn entry(name: &'static str, forms: &'static str, doc: &'static str, function: Function) -> Entry {
    Entry { name, forms, doc, function }
}

/// All functions, in the order of the reference page.
pub const ALL: &[Entry] = &[
    entry(
        "size",
        "size(x), x.size()",
        "How many code points a text, bytes a value of bytes, elements a list, or keys a map has.",
        Function::Size,
    ),
    entry("startsWith", "s.startsWith(t)", "Whether the text begins with the other.", Function::StartsWith),
    entry("endsWith", "s.endsWith(t)", "Whether the text ends with the other.", Function::EndsWith),
    entry("contains", "s.contains(t)", "Whether the other text is within the text.", Function::Contains),
    entry(
        "int",
        "int(x)",
        "A signed integer from a number or its decimal digits; the seconds since 1970 of a point in time.",
        Function::ToInt,
    ),
    entry("uint", "uint(x)", "An unsigned integer from a number or its decimal digits.", Function::ToUint),
    entry(
        "double",
        "double(x)",
        "A floating-point number from a number or from a text that is one.",
        Function::ToDouble,
    ),
    entry(
        "string",
        "string(x)",
        "The text of a number, a boolean, a date, a point in time, a duration or a value of an enum.",
        Function::ToText,
    ),
    entry(
        "timestamp",
        "timestamp(x)",
        "A point in time from a text (RFC 3339, with or without an offset) or from seconds since 1970.",
        Function::ToTimestamp,
    ),
    entry("duration", "duration(s)", "A length of time from a text such as `1h30m` or `1.5s`.", Function::ToDuration),
    entry(
        "date",
        "date(x)",
        "The date in a text (`2026-02-28`), or the date that a point in time shows. Ours.",
        Function::ToDate,
    ),
    entry("getFullYear", "t.getFullYear(), t.getFullYear(zone)", "The year.", Function::Part(TimePart::FullYear)),
    entry("getMonth", "t.getMonth(), t.getMonth(zone)", "The month, from 0.", Function::Part(TimePart::Month)),
    entry(
        "getDayOfMonth",
        "t.getDayOfMonth(), t.getDayOfMonth(zone)",
        "The day of the month, from 0.",
        Function::Part(TimePart::DayOfMonth),
    ),
    entry("getDate", "t.getDate(), t.getDate(zone)", "The day of the month, from 1.", Function::Part(TimePart::Date)),
    entry(
        "getDayOfWeek",
        "t.getDayOfWeek(), t.getDayOfWeek(zone)",
        "The day of the week, Sunday is 0.",
        Function::Part(TimePart::DayOfWeek),
    ),
    entry(
        "getDayOfYear",
        "t.getDayOfYear(), t.getDayOfYear(zone)",
        "The day of the year, from 0.",
        Function::Part(TimePart::DayOfYear),
    ),
    entry(
        "getHours",
        "t.getHours(), t.getHours(zone), d.getHours()",
        "The hour of the day; of a duration, its whole hours.",
        Function::Part(TimePart::Hours),
    ),
    entry(
        "getMinutes",
        "t.getMinutes(), t.getMinutes(zone), d.getMinutes()",
        "The minute of the hour; of a duration, its whole minutes.",
        Function::Part(TimePart::Minutes),
    ),
    entry(
        "getSeconds",
        "t.getSeconds(), t.getSeconds(zone), d.getSeconds()",
        "The second of the minute; of a duration, its whole seconds.",
        Function::Part(TimePart::Seconds),
    ),
    entry(
        "getMilliseconds",
        "t.getMilliseconds(), t.getMilliseconds(zone), d.getMilliseconds()",
        "The milliseconds of the second.",
        Function::Part(TimePart::Milliseconds),
    ),
    entry(
        "isEmail",
        "isEmail(s), s.isEmail()",
        "Whether the text is a mail address as HTML forms take it.",
        Function::IsEmail,
    ),
    entry("isUri", "isUri(s), s.isUri()", "Whether the text is a URI (RFC 3986) with a scheme.", Function::IsUri),
    entry(
        "isUriRef",
        "isUriRef(s), s.isUriRef()",
        "Whether the text is a URI or a relative reference.",
        Function::IsUriRef,
    ),
    entry(
        "isHostname",
        "isHostname(s), s.isHostname()",
        "Whether the text is a host name (RFC 1123).",
        Function::IsHostname,
    ),
    entry(
        "isIp",
        "isIp(s), s.isIp(), s.isIp(version)",
        "Whether the text is an IP address, of version 4 or 6 or of either.",
        Function::IsIp,
    ),
    entry(
        "isIpPrefix",
        "s.isIpPrefix(), s.isIpPrefix(version), s.isIpPrefix(strict), s.isIpPrefix(version, strict)",
        "Whether the text is a range of IP addresses such as `192.168.0.0/16`; strictly one whose host bits are zero.",
        Function::IsIpPrefix,
    ),
    entry(
        "isHostAndPort",
        "s.isHostAndPort(portRequired)",
        "Whether the text is a host with a port.",
        Function::IsHostAndPort,
    ),
    entry("isNan", "isNan(x), x.isNan()", "Whether the number is none.", Function::IsNan),
    entry(
        "isInf",
        "isInf(x), x.isInf(), x.isInf(sign)",
        "Whether the number is infinite; with a sign, whether it is that infinity.",
        Function::IsInf,
    ),
    entry(
        "unique",
        "unique(xs), xs.unique()",
        "Whether no element occurs twice. Takes time in proportion to the list. `xs.map(x, [x.a, x.b]).unique()` compares several members.",
        Function::Unique,
    ),
    entry(
        "hasOffset",
        "hasOffset(t), t.hasOffset()",
        "Whether a date-time has an offset from UTC, and so is a point in time. Ours.",
        Function::HasOffset,
    ),
    entry(
        "isTimeZone",
        "isTimeZone(s), s.isTimeZone()",
        "Whether the text names a zone of the IANA Time Zone Database. Ours.",
        Function::IsTimeZone,
    ),
    entry("isUuid", "isUuid(s), s.isUuid()", "Whether the text is a UUID (RFC 9562). Ours.", Function::IsUuid),
    entry(
        "isDate",
        "isDate(s), s.isDate()",
        "Whether the text is a date such as `2026-02-28`. Ours.",
        Function::IsDate,
    ),
    entry(
        "isDateTime",
        "isDateTime(s), s.isDateTime()",
        "Whether the text is a date-time (RFC 3339), with or without an offset. Ours.",
        Function::IsDateTime,
    ),
];

/// Macros: call syntax over elements or fields.
pub const MACROS: &[(&str, &str, &str)] = &[
    (
        "has",
        "has(x.member)",
        "Whether the member, and everything on the way to it, is there. A list or a map is there when it is not empty.",
    ),
    (
        "same",
        "same(x.member, y.member)",
        "Whether both members are there and equal, or neither is there. Lists, maps and members with a default are \
         compared as they are read. Ours.",
    ),
    ("all", "xs.all(x, condition)", "Whether the condition holds for every element, or for every key of a map."),
    ("exists", "xs.exists(x, condition)", "Whether it holds for one of them."),
    ("exists_one", "xs.exists_one(x, condition)", "Whether it holds for exactly one of them; `existsOne` is the same."),
    ("filter", "xs.filter(x, condition)", "The elements for which it holds."),
    (
        "map",
        "xs.map(x, value), xs.map(x, condition, value)",
        "A value for every element, or for every element for which the condition holds.",
    ),
    (
        "matches",
        "s.matches('pattern'), matches(s, 'pattern')",
        "Whether the text has what the pattern (RE2) describes. The pattern is written out, since it becomes a table when code is generated.",
    ),
];

/// Functions of CEL or of widespread extensions that conditions do not support: the name and a description.
pub const UNSUPPORTED: &[(&str, &str)] = &[
    ("type", "types as values (`type(x)`)"),
    ("dyn", "values without a type (`dyn(x)`)"),
    ("bytes", "the conversion to bytes (`bytes(x)`)"),
    ("bool", "the conversion to a boolean (`bool(x)`)"),
    ("charAt", "the extension for texts (`charAt`)"),
    ("indexOf", "the extension for texts (`indexOf`)"),
    ("lastIndexOf", "the extension for texts (`lastIndexOf`)"),
    ("join", "the extension for texts (`join`)"),
    ("split", "the extension for texts (`split`)"),
    ("replace", "the extension for texts (`replace`)"),
    ("substring", "the extension for texts (`substring`)"),
    ("lowerAscii", "the extension for texts (`lowerAscii`)"),
    ("upperAscii", "the extension for texts (`upperAscii`)"),
    ("trim", "the extension for texts (`trim`)"),
    ("reverse", "the extension for texts (`reverse`)"),
    ("quote", "the extension for texts (`quote`)"),
    ("format", "the extension for texts (`format`)"),
    ("flatten", "the extension for lists (`flatten`)"),
    ("slice", "the extension for lists (`slice`)"),
    ("sort", "the extension for lists (`sort`)"),
    ("sortBy", "the extension for lists (`sortBy`)"),
    ("distinct", "the extension for lists (`distinct`)"),
    ("transformList", "comprehensions with two variables (`transformList`)"),
    ("transformMap", "maps by comprehension (`transformMap`)"),
    ("transformMapEntry", "maps by comprehension (`transformMapEntry`)"),
    ("bind", "names for values (`cel.bind`)"),
    ("greatest", "the extension for mathematics (`math.greatest`)"),
    ("least", "the extension for mathematics (`math.least`)"),
    ("of", "optional values (`optional.of`)"),
    ("none", "optional values (`optional.none`)"),
    ("orValue", "optional values (`orValue`)"),
    ("hasValue", "optional values (`hasValue`)"),
    ("getField", "members by name (`getField`)"),
    ("base64", "encodings (`base64`)"),
    ("encode", "encodings (`encode`)"),
    ("decode", "encodings (`decode`)"),
];

/// Returns the function with a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// Returns the description of an unsupported function.
#[must_use]
pub fn unsupported(name: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// Returns all names that can be called.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|entry| entry.name).chain(MACROS.iter().map(|(name, ..)| *name))
}
