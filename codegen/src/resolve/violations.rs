//! Values in a schema that violate the constraints of their field.

use crate::diagnostics::{Code, Sink};
use crate::model::{Constraints, Decimal, Exclusive, Literal, Number, Range};
use crate::patterns;
use crate::schema::read::Raw;

/// Reports a literal in the schema that violates the constraints of its field.
pub fn check_literal(literal: &Literal, what: &str, raw: &Raw, constraints: &Constraints, sink: &mut Sink) {
    if let Some(problem) = find_violation(literal, what, constraints) {
        let report = sink.report(Code::BadValue, raw.0.span, format!("the {what} {}", problem.what));
        report.help(problem.help);
    }
}

/// Returns whether a number is greater than another one of its kind.
pub fn is_above(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a > b,
        (Number::Float(a), Number::Float(b)) => a > b,
        (Number::Decimal(a), Number::Decimal(b)) => a.is_greater_than(b),
        _ => false,
    }
}

/// Returns whether a count is within a range, if there is one.
pub fn is_within(range: Option<Range>, count: u64) -> bool {
    let Some(Range { min, max }) = range else { return true };
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}

/// Violation of a constraint, worded to complete `the default …`, with advice.
struct Violation {
    what: String,
    help: String,
}

/// Returns the constraint that a literal violates.
fn find_violation(literal: &Literal, kind: &str, constraints: &Constraints) -> Option<Violation> {
    match literal {
        Literal::Text(text)
            if Decimal::parse(text).is_some() && (constraints.min.is_some() || constraints.max.is_some()) =>
        {
            // Texts with a minimum or maximum are decimals.
            let number = Decimal::parse(text).map(|number| Literal::Number(Number::Decimal(number)))?;
            find_violation(&number, kind, constraints)
        }
        Literal::Number(value) => {
            let Exclusive { min, max } = constraints.exclusive;
            let is_out = |value, end, is_exclusive: bool| is_above(value, end) || is_exclusive && !is_above(end, value);
            let least = constraints.min.filter(|end| is_out(*end, *value, min)).map(|min| ("below", "min", min));
            let above = |key, most: Option<Number>, is_exclusive| {
                most.filter(|most| is_out(*value, *most, is_exclusive)).map(|most| ("above", key, most))
            };
            let most = above("max", constraints.max, max).or_else(|| above("clamp", constraints.clamp, false));
            let Some((side, key, end)) = least.or(most) else { return find_remainder(*value, kind, constraints) };
            let (value, end) = (format_number(*value), format_number(end));
            let is_exclusive = if key == "min" { min } else { max };
            let (side, end) = if is_exclusive && key != "clamp" {
                (format!("not {}", if key == "min" { "above" } else { "below" }), format!("{{ exclusive: {end} }}"))
            } else {
                (side.to_owned(), end)
            };
            let lowered = if key == "clamp" { ", to which greater values are clamped" } else { "" };
            Some(Violation {
                what: format!("{value} is {side} `{key}: {end}`{lowered}"),
                help: format!("change the {kind} or `{key}`"),
            })
        }
        Literal::Text(text) => {
            let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
            if is_within(constraints.length, length) {
                return find_mismatch(text, kind, constraints);
            }
            Some(Violation {
                what: format!("has {length} characters, which violates `length`"),
                help: format!("change the {kind} or `length`"),
            })
        }
        _ => None,
    }
}

/// Returns the violation of a number that is not a multiple.
fn find_remainder(value: Number, kind: &str, constraints: &Constraints) -> Option<Violation> {
    let step = constraints.multiple_of?;
    // The shortest digits of a float are the number that the author wrote.
    let decimal = |number| Decimal::parse(&format_number(number));
    let is_multiple = decimal(value).zip(decimal(step)).is_none_or(|(value, step)| value.is_multiple_of(step));
    (!is_multiple).then(|| Violation {
        what: format!("{} violates `multiple_of: {}`", format_number(value), format_number(step)),
        help: format!("change the {kind} or `multiple_of`"),
    })
}

/// Returns the violation of a text that does not match the pattern.
fn find_mismatch(text: &str, kind: &str, constraints: &Constraints) -> Option<Violation> {
    let pattern = constraints.pattern.as_deref()?;
    let matcher = patterns::compile_anchored(pattern).ok()?;
    (!matcher.is_match(text)).then(|| Violation {
        what: format!("does not match `pattern: {pattern}`"),
        help: format!("change the {kind} or `pattern`"),
    })
}

fn format_number(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
        Number::Decimal(value) => value.to_string(),
    }
}
