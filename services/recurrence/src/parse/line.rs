//! Recurrence line: property, parameters and value.

use jiff::tz::TimeZone;

use super::content::{Fragment, LineError};
use super::dates::{Parameters, ValueType, parse_dates};
use super::rule::parse_rule;
use crate::error::ParseErrorKind;
use crate::recurrence::Recurrence;

/// Names of the allowed properties, for messages.
const EXPECTED: &str = "`RRULE`, `EXRULE`, `RDATE` or `EXDATE`";
/// Properties of a calendar component that are often confused with recurrence lines.
const MISPLACED: [&str; 5] = ["DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "EXDUE"];

/// Parses a line into the recurrence.
pub(super) fn parse_line(line: Fragment<'_>, recurrence: &mut Recurrence) -> Result<(), LineError> {
    let Some((name, rest, separator)) = line.split_unquoted([b':', b';']) else { return Err(missing_property(line)) };
    let property = parse_property(name, line)?;
    let (parameters, value) = parse_parameters(rest, separator, property)?;
    match property {
        Property::Rrule => recurrence.rules.push(parse_rule(value)?),
        Property::Exrule => recurrence.exrules.push(parse_rule(value)?),
        Property::Rdate => recurrence.rdates.push(parse_dates(value, parameters, "RDATE")?),
        Property::Exdate => recurrence.exdates.push(parse_dates(value, parameters, "EXDATE")?),
    }
    Ok(())
}

/// Property of a recurrence line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    Rrule,
    Exrule,
    Rdate,
    Exdate,
}

fn parse_property(name: Fragment<'_>, line: Fragment<'_>) -> Result<Property, LineError> {
    use Property::{Exdate, Exrule, Rdate, Rrule};
    let names = [("RRULE", Rrule), ("EXRULE", Exrule), ("RDATE", Rdate), ("EXDATE", Exdate)];
    if let Some((_, property)) = names.iter().find(|(known, _)| name.eq_ignore_case(known)) {
        return Ok(*property);
    }
    if let Some(other) = MISPLACED.iter().find(|other| name.eq_ignore_case(other)) {
        let message = format!("`{other}` is not allowed in a recurrence, expected {EXPECTED}");
        let fault = name.error(ParseErrorKind::PropertyNotAllowed, message);
        return Err(fault.with_help("remove the line: the start and the end are not part of a recurrence"));
    }
    if looks_like_rule(line) {
        return Err(missing_property(line));
    }
    let message = format!("unknown property `{}`, expected {EXPECTED}", name.excerpt());
    Err(name.error(ParseErrorKind::UnknownProperty, message))
}

fn looks_like_rule(line: Fragment<'_>) -> bool {
    line.text.as_bytes().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"FREQ="))
}

fn missing_property(line: Fragment<'_>) -> LineError {
    let message = format!("`{}` has no property name, expected {EXPECTED} and `:`", line.excerpt());
    let fault = line.error(ParseErrorKind::Syntax, message);
    if looks_like_rule(line) { fault.with_help("write `RRULE:` in front of the rule") } else { fault }
}

/// Parses the parameters up to the value.
fn parse_parameters(
    mut rest: Fragment<'_>,
    mut separator: u8,
    property: Property,
) -> Result<(Parameters, Fragment<'_>), LineError> {
    let mut parameters = Parameters::default();
    while separator == b';' {
        let Some((parameter, after, next)) = rest.split_unquoted([b':', b';']) else {
            return Err(
                rest.error(ParseErrorKind::Syntax, "the line has no value, expected `:` and a value".to_owned())
            );
        };
        assign(&mut parameters, parameter, property)?;
        (rest, separator) = (after, next);
    }
    Ok((parameters, rest))
}

/// Parses a parameter, `NAME=value`, and sets it; a second value of the same parameter is an error.
fn assign(parameters: &mut Parameters, parameter: Fragment<'_>, property: Property) -> Result<(), LineError> {
    let Some((name, value)) = parameter.split_once('=') else {
        let message = format!("invalid parameter `{}`, expected `NAME=value`", parameter.excerpt());
        return Err(parameter.error(ParseErrorKind::Syntax, message));
    };
    let lists = matches!(property, Property::Rdate | Property::Exdate);
    let twice = if lists && name.eq_ignore_case("TZID") {
        parameters.zone.replace(parse_zone(value)?).is_some()
    } else if lists && name.eq_ignore_case("VALUE") {
        let periods = property == Property::Rdate;
        parameters.value.replace(ValueType::parse(value, periods)?).is_some()
    } else if name.text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("X-")) {
        // Extension parameters are allowed anywhere and ignored.
        false
    } else {
        let message = format!("unknown parameter `{}`", name.excerpt());
        let help = if lists { "`TZID` and `VALUE` are known" } else { "a rule has no parameters" };
        return Err(name.error(ParseErrorKind::InvalidParameter, message).with_help(help));
    };
    if twice {
        let message = format!("parameter `{}` occurs twice", name.excerpt());
        return Err(name.error(ParseErrorKind::InvalidParameter, message));
    }
    Ok(())
}

fn parse_zone(value: Fragment<'_>) -> Result<TimeZone, LineError> {
    let name = value.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value.text);
    let known = TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some());
    known.ok_or_else(|| {
        let message = format!("unknown time zone `{}`", value.excerpt());
        let fault = value.error(ParseErrorKind::UnknownZone, message);
        fault.with_help("write a name of the IANA Time Zone Database, such as `Europe/Paris`")
    })
}
