//! What conditions written in CEL become calls of.
//!
//! A condition is a function of straight-line code; what is one operator in Rust is one there, and only what CEL
//! defines in another way is a call of this module. An expression without a value ends with a [`Fault`]: no number
//! wraps around, and nothing panics.

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

/// What a condition evaluates to.
pub type Evaluated<T = bool> = Result<T, Fault>;

/// Why a condition has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A required operand is missing; the violation of its being required speaks.
    Absent,
    /// A number, or a point in time, is out of its range.
    Overflow,
    /// A number was divided by zero.
    DivisionByZero,
    /// A list has no such element.
    OutOfRange,
    /// A map has no such key.
    NoSuchKey,
    /// A time without an offset stands beside one with an offset, or where a point in time is needed.
    Incomparable,
    /// A text is not what it was to be converted to.
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
            Self::Incomparable => "a time without an offset cannot be compared with a point in time",
            Self::BadConversion => "a text cannot be converted",
        })
    }
}

impl std::error::Error for Fault {}

/// Returns a member that is required.
///
/// # Errors
/// Returns an error if it is absent.
#[inline]
pub fn present<T>(value: Option<T>) -> Evaluated<T> {
    value.ok_or(Fault::Absent)
}

/// `left || right`: an operand without a value does not count when the other one decides.
///
/// # Errors
/// Returns an error if an operand has no value and the other one does not decide.
pub fn or(left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
    decided(true, left, right)
}

/// `left && right`: an operand without a value does not count when the other one decides.
///
/// # Errors
/// Returns an error if an operand has no value and the other one does not decide.
pub fn and(left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
    decided(false, left, right)
}

fn decided(by: bool, left: impl FnOnce() -> Evaluated, right: impl FnOnce() -> Evaluated) -> Evaluated {
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
