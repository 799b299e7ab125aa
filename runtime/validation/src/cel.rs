//! Functions that generated CEL conditions call.
//!
//! A condition is a function of straight-line code. CEL operators with the semantics of Rust become Rust operators, and
//! only operations that CEL defines differently call this module. An expression without a value results in a [`Fault`]:
//! numbers do not wrap around, and nothing panics.

mod durations;
mod lists;
mod numbers;
mod texts;
mod times;

use std::fmt;

pub use durations::{duration, same_duration, span_add, span_subtract, whole_hours, whole_minutes, whole_seconds};
pub use lists::{
    Moment, Real, all, at, entry, exists, exists_one, filter, same_entries, same_items, same_option, set_items, unique,
};
pub use numbers::{
    Arithmetic, Number, ToDouble, ToInt, ToUint, add, compare, count, divide, is_inf, multiply, negate, remainder,
    subtract, to_double, to_int, to_uint,
};
pub use texts::{code_points, is_date, is_date_time, is_ip, is_ip_prefix, joined, text_of_double, text_of_duration};
pub use times::{
    DateParts, after, before, between, date, date_of, day_of_week, day_of_year, hours, in_zone, milliseconds, minutes,
    of_date, order, same_time, seconds, timestamp, timestamp_of, utc,
};

/// Result of evaluating a condition.
pub type Evaluated<T = bool> = Result<T, Fault>;

/// Error of evaluating a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A required operand is missing, which has a violation of its own.
    Absent,
    /// A number, or a point in time, is out of range.
    Overflow,
    /// A number was divided by zero.
    DivisionByZero,
    /// A list index is out of bounds.
    OutOfRange,
    /// A map has no such key.
    NoSuchKey,
    /// A time without an offset is compared with one that has an offset, or used as a point in time.
    Incomparable,
    /// A text cannot be converted.
    BadConversion,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "an operand is missing",
            Self::Overflow => "a number is out of its range",
            Self::DivisionByZero => "a number is divided by zero",
            Self::OutOfRange => "a list has no such element",
            Self::NoSuchKey => "a map has no such key",
            Self::Incomparable => "a time without an offset cannot be compared with a timestamp",
            Self::BadConversion => "a text cannot be converted",
        })
    }
}

impl std::error::Error for Fault {}

/// Returns the value of a required field.
///
/// # Errors
/// Returns an error if it is absent.
#[inline]
pub fn present<T>(value: Option<T>) -> Evaluated<T> {
    value.ok_or(Fault::Absent)
}

/// Evaluates `left || right`: a fault of one operand is ignored if the other one determines the result.
///
/// # Errors
/// Returns an error if an operand has a fault and the other one does not determine the result.
pub fn or(left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
    short_circuit(true, left, right)
}

/// Evaluates `left && right`: a fault of one operand is ignored if the other one determines the result.
///
/// # Errors
/// Returns an error if an operand has a fault and the other one does not determine the result.
pub fn and(left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
    short_circuit(false, left, right)
}

fn short_circuit(by: bool, left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
    match left() {
        Ok(value) if value == by => Ok(by),
        Ok(_) => right(),
        Err(fault) => match right() {
            Ok(value) if value == by => Ok(by),
            _ => Err(fault),
        },
    }
}

#[cfg(test)]
mod tests;
