//! Recurrence line: property, parameters and value.

use jiff::tz::TimeZone;

use super::content::{Fault, Piece};
use super::dates::{Parameters, ValueType, dates};
use super::rule::rule;
use crate::error::ParseErrorKind;
use crate::recurrence::Recurrence;

const EXPECTED: &str = "`RRULE`, `EXRULE`, `RDATE` or `EXDATE`";
/// Properties of a calendar component that are often mistaken for recurrence lines.
const MISPLACED: [&str; 5] = ["DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "EXDUE"];

/// Parses a line into the recurrence.
pub(super) fn read(line: Piece<'_>, recurrence: &mut Recurrence) -> Result<(), Fault> {
    let Some((name, rest, separator)) = line.split_unquoted([b':', b';']) else { return Err(no_property(line)) };
    let property = property(name, line)?;
    let (parameters, value) = parameters(rest, separator, property)?;
    match property {
        Property::Rrule => recurrence.rules.push(rule(value)?),
        Property::Exrule => recurrence.exrules.push(rule(value)?),
        Property::Rdate => recurrence.rdates.push(dates(value, parameters, "RDATE")?),
        Property::Exdate => recurrence.exdates.push(dates(value, parameters, "EXDATE")?),
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    Rrule,
    Exrule,
    Rdate,
    Exdate,
}

fn property(name: Piece<'_>, line: Piece<'_>) -> Result<Property, Fault> {
    use Property::{Exdate, Exrule, Rdate, Rrule};
    let names = [("RRULE", Rrule), ("EXRULE", Exrule), ("RDATE", Rdate), ("EXDATE", Exdate)];
    if let Some((_, property)) = names.iter().find(|(known, _)| name.is(known)) {
        return Ok(*property);
    }
    if let Some(other) = MISPLACED.iter().find(|other| name.is(other)) {
        let message = format!("`{other}` is not allowed in a recurrence, expected {EXPECTED}");
        let fault = name.fault(ParseErrorKind::PropertyNotAllowed, message);
        return Err(fault.with_help("the start and the end of the event are stated outside of its recurrence"));
    }
    if looks_like_rule(line) {
        return Err(no_property(line));
    }
    let message = format!("unknown property `{}`, expected {EXPECTED}", name.excerpt());
    Err(name.fault(ParseErrorKind::UnknownProperty, message))
}

fn looks_like_rule(line: Piece<'_>) -> bool {
    line.text.as_bytes().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"FREQ="))
}

fn no_property(line: Piece<'_>) -> Fault {
    let message = format!("`{}` has no property name, expected {EXPECTED} and `:`", line.excerpt());
    let fault = line.fault(ParseErrorKind::Syntax, message);
    if looks_like_rule(line) { fault.with_help("write `RRULE:` in front of the rule") } else { fault }
}

/// Parses the parameters up to the value.
fn parameters(mut rest: Piece<'_>, mut separator: u8, property: Property) -> Result<(Parameters, Piece<'_>), Fault> {
    let mut parameters = Parameters::default();
    while separator == b';' {
        let Some((parameter, after, next)) = rest.split_unquoted([b':', b';']) else {
            return Err(
                rest.fault(ParseErrorKind::Syntax, "the line has no value, expected `:` and a value".to_owned())
            );
        };
        assign(&mut parameters, parameter, property)?;
        (rest, separator) = (after, next);
    }
    Ok((parameters, rest))
}

fn assign(parameters: &mut Parameters, parameter: Piece<'_>, property: Property) -> Result<(), Fault> {
    let Some((name, value)) = parameter.split_once('=') else {
        let message = format!("`{}` is no parameter, expected `NAME=value`", parameter.excerpt());
        return Err(parameter.fault(ParseErrorKind::Syntax, message));
    };
    let lists = matches!(property, Property::Rdate | Property::Exdate);
    let twice = if lists && name.is("TZID") {
        parameters.zone.replace(zone(value)?).is_some()
    } else if lists && name.is("VALUE") {
        let periods = property == Property::Rdate;
        parameters.value.replace(ValueType::parse(value, periods)?).is_some()
    } else if name.text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("X-")) {
        // Extension parameters are allowed anywhere and ignored.
        false
    } else {
        let message = format!("unknown parameter `{}`", name.excerpt());
        let help = if lists { "`TZID` and `VALUE` are known" } else { "a rule has no parameters" };
        return Err(name.fault(ParseErrorKind::InvalidParameter, message).with_help(help));
    };
    if twice {
        let message = format!("parameter `{}` occurs twice", name.excerpt());
        return Err(name.fault(ParseErrorKind::InvalidParameter, message));
    }
    Ok(())
}

fn zone(value: Piece<'_>) -> Result<TimeZone, Fault> {
    let name = value.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value.text);
    let known = TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some());
    known.ok_or_else(|| {
        let message = format!("unknown time zone `{}`", value.excerpt());
        let fault = value.fault(ParseErrorKind::UnknownZone, message);
        fault.with_help("write a name of the IANA Time Zone Database, such as `Europe/Paris`")
    })
}
