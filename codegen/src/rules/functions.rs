//! Functions of conditions: one table for the checker, for suggestions and for the reference page.

use crate::model::condition::{Function, TimePart};

/// Function in the table.
#[derive(Debug)]
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// Signatures.
    pub signatures: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Function of the model.
    pub function: Function,
}

/// Creates an entry of the table.
const fn entry(name: &'static str, forms: &'static str, doc: &'static str, function: Function) -> Entry {
    Entry { name, signatures: forms, doc, function }
}

/// All functions, in the order of the reference page.
pub const FUNCTIONS: &[Entry] = &[
    entry(
        "size",
        "size(x), x.size()",
        "The number of code points of a string, of bytes, of elements of a list, or of keys of a map.",
        Function::Size,
    ),
    entry("startsWith", "s.startsWith(t)", "Whether the string starts with the other.", Function::StartsWith),
    entry("endsWith", "s.endsWith(t)", "Whether the string ends with the other.", Function::EndsWith),
    entry("contains", "s.contains(t)", "Whether the string contains the other.", Function::Contains),
    entry(
        "int",
        "int(x)",
        "Converts a number, a string of decimal digits, or a timestamp (to seconds since 1970) to a signed integer.",
        Function::ToInt,
    ),
    entry(
        "uint",
        "uint(x)",
        "Converts a number or a string of decimal digits to an unsigned integer.",
        Function::ToUint,
    ),
    entry("double", "double(x)", "Converts a number or a string to a floating-point number.", Function::ToDouble),
    entry(
        "string",
        "string(x)",
        "Converts a number, a boolean, a date, a timestamp, a duration or an enum value to a string.",
        Function::ToText,
    ),
    entry(
        "timestamp",
        "timestamp(x)",
        "Converts a string (RFC 3339, with or without an offset) or seconds since 1970 to a timestamp.",
        Function::ToTimestamp,
    ),
    entry(
        "duration",
        "duration(s)",
        "Converts a string such as `1h30m` or `1.5s` to a duration.",
        Function::ToDuration,
    ),
    entry(
        "date",
        "date(x)",
        "Converts a string (`2026-02-28`) or a timestamp to a date. An extension.",
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
        "Whether the string is an email address as HTML forms define it.",
        Function::IsEmail,
    ),
    entry("isUri", "isUri(s), s.isUri()", "Whether the string is a URI (RFC 3986) with a scheme.", Function::IsUri),
    entry(
        "isUriRef",
        "isUriRef(s), s.isUriRef()",
        "Whether the string is a URI or a relative reference.",
        Function::IsUriRef,
    ),
    entry(
        "isHostname",
        "isHostname(s), s.isHostname()",
        "Whether the string is a host name (RFC 1123).",
        Function::IsHostname,
    ),
    entry(
        "isIp",
        "isIp(s), s.isIp(), s.isIp(version)",
        "Whether the string is an IP address of version 4 or 6, or of either.",
        Function::IsIp,
    ),
    entry(
        "isIpPrefix",
        "s.isIpPrefix(), s.isIpPrefix(version), s.isIpPrefix(strict), s.isIpPrefix(version, strict)",
        "Whether the string is an IP prefix such as `192.168.0.0/16`; with `strict`, whether its host bits are zero.",
        Function::IsIpPrefix,
    ),
    entry(
        "isHostAndPort",
        "s.isHostAndPort(portRequired)",
        "Whether the string is a host with a port.",
        Function::IsHostAndPort,
    ),
    entry("isNan", "isNan(x), x.isNan()", "Whether the number is NaN.", Function::IsNan),
    entry(
        "isInf",
        "isInf(x), x.isInf(), x.isInf(sign)",
        "Whether the number is infinite; with a sign, whether it is that infinity.",
        Function::IsInf,
    ),
    entry(
        "unique",
        "unique(xs), xs.unique()",
        "Whether the elements are unique, in linear time. `xs.map(x, [x.a, x.b]).unique()` compares several fields.",
        Function::Unique,
    ),
    entry(
        "hasOffset",
        "hasOffset(t), t.hasOffset()",
        "Whether a timestamp has a UTC offset, and so is a point in time. An extension.",
        Function::HasOffset,
    ),
    entry(
        "isTimeZone",
        "isTimeZone(s), s.isTimeZone()",
        "Whether the string is the name of a time zone in the IANA Time Zone Database. An extension.",
        Function::IsTimeZone,
    ),
    entry(
        "isUuid",
        "isUuid(s), s.isUuid()",
        "Whether the string is a UUID (RFC 9562). An extension.",
        Function::IsUuid,
    ),
    entry(
        "isDate",
        "isDate(s), s.isDate()",
        "Whether the string is a date such as `2026-02-28`. An extension.",
        Function::IsDate,
    ),
    entry(
        "isDateTime",
        "isDateTime(s), s.isDateTime()",
        "Whether the string is a timestamp (RFC 3339), with or without an offset. An extension.",
        Function::IsDateTime,
    ),
];

/// Macros: call syntax over elements or fields.
pub const MACROS: &[(&str, &str, &str)] = &[
    (
        "has",
        "has(x.member)",
        "Whether the field and all fields of its path are present. A list or a map is present if it is not empty.",
    ),
    (
        "same",
        "same(x.member, y.member)",
        "Whether both fields are present and equal, or both are absent. Lists, maps and fields with a default are compared as they are read. An extension.",
    ),
    ("all", "xs.all(x, condition)", "Whether the condition is true for every element, or for every key of a map."),
    ("exists", "xs.exists(x, condition)", "Whether the condition is true for at least one element."),
    (
        "exists_one",
        "xs.exists_one(x, condition)",
        "Whether the condition is true for exactly one element; `existsOne` is an alias.",
    ),
    ("filter", "xs.filter(x, condition)", "The elements for which the condition is true."),
    (
        "map",
        "xs.map(x, value), xs.map(x, condition, value)",
        "A value for every element, or for every element for which the condition is true.",
    ),
    (
        "matches",
        "s.matches('pattern'), matches(s, 'pattern')",
        "Whether the string contains a match of the pattern (RE2 syntax). The pattern is a literal, because it is compiled to a table when code is generated.",
    ),
];

/// Functions of CEL or of widespread extensions that conditions do not support: the name and a description.
pub const UNSUPPORTED: &[(&str, &str)] = &[
    ("type", "the conversion to a type (`type(x)`)"),
    ("dyn", "the conversion to a dynamic type (`dyn(x)`)"),
    ("bytes", "the conversion to bytes (`bytes(x)`)"),
    ("bool", "the conversion to a boolean (`bool(x)`)"),
    ("charAt", "the string extension `charAt`"),
    ("indexOf", "the string extension `indexOf`"),
    ("lastIndexOf", "the string extension `lastIndexOf`"),
    ("join", "the string extension `join`"),
    ("split", "the string extension `split`"),
    ("replace", "the string extension `replace`"),
    ("substring", "the string extension `substring`"),
    ("lowerAscii", "the string extension `lowerAscii`"),
    ("upperAscii", "the string extension `upperAscii`"),
    ("trim", "the string extension `trim`"),
    ("reverse", "the string extension `reverse`"),
    ("quote", "the string extension `quote`"),
    ("format", "the string extension `format`"),
    ("flatten", "the list extension `flatten`"),
    ("slice", "the list extension `slice`"),
    ("sort", "the list extension `sort`"),
    ("sortBy", "the list extension `sortBy`"),
    ("distinct", "the list extension `distinct`"),
    ("transformList", "the two-variable comprehension `transformList`"),
    ("transformMap", "the map comprehension `transformMap`"),
    ("transformMapEntry", "the map comprehension `transformMapEntry`"),
    ("bind", "the binding of values to names (`cel.bind`)"),
    ("greatest", "the math extension `math.greatest`"),
    ("least", "the math extension `math.least`"),
    ("of", "the optional value `optional.of`"),
    ("none", "the optional value `optional.none`"),
    ("orValue", "the optional value `orValue`"),
    ("hasValue", "the optional value `hasValue`"),
    ("getField", "access to fields by name (`getField`)"),
    ("base64", "the encoding extension `base64`"),
    ("encode", "the encoding extension `encode`"),
    ("decode", "the encoding extension `decode`"),
];

/// Returns the function with a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    FUNCTIONS.iter().find(|entry| entry.name == name)
}

/// Returns the description of an unsupported function.
#[must_use]
pub fn unsupported(name: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// Returns all names that can be called.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|entry| entry.name).chain(MACROS.iter().map(|(name, ..)| *name))
}
