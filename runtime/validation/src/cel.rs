//! Functions that generated CEL conditions call.
//!
//! A condition is a function of straight-line code. CEL operators with the semantics of Rust become Rust operators, and
//! only operations that CEL defines differently call this module. An expression without a value results in a
//! [`EvalError`]: numbers do not wrap around, and nothing panics.

mod durations;
mod lists;
mod numbers;
mod texts;
mod times;

use std::fmt;

pub use durations::{
    add_durations, duration, eq_duration, subtract_durations, whole_hours, whole_minutes, whole_seconds,
};
pub use lists::{
    EqFloat, EqInstant, all, element_at, eq_lists, eq_maps, eq_options, exists, exists_one, filter, is_unique,
    map_value, patched_items,
};
pub use numbers::{
    AnyNumber, Arithmetic, ToDouble, ToInt, ToUint, add, compare, count_to_int, divide, is_inf, multiply, negate,
    remainder, subtract, to_double, to_int, to_uint,
};
pub use texts::{code_points, concat, format_double, format_duration, is_date, is_date_time, is_ip, is_ip_prefix};
pub use times::{
    DateParts, add_duration, compare_times, const_date, date, day_of_week, day_of_year, eq_time, hours, milliseconds,
    minutes, seconds, start_of_day, subtract_duration, time_difference, timestamp, timestamp_from_seconds, to_utc,
    to_zone,
};

/// Result of evaluating a condition.
pub type EvalResult<T = bool> = Result<T, EvalError>;

/// Error of evaluating a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvalError {
    /// A required operand is missing, which has a violation of its own.
    MissingOperand,
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

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingOperand => "missing operand",
            Self::Overflow => "number out of range",
            Self::DivisionByZero => "division by zero",
            Self::OutOfRange => "list index out of range",
            Self::NoSuchKey => "no such key in the map",
            Self::Incomparable => "a time without an offset cannot be compared with a timestamp",
            Self::BadConversion => "invalid conversion of a string",
        })
    }
}

impl std::error::Error for EvalError {}

/// Returns the value of a required field.
///
/// # Errors
/// Returns an error if it is absent.
#[inline]
pub fn require<T>(value: Option<T>) -> EvalResult<T> {
    value.ok_or(EvalError::MissingOperand)
}

/// Evaluates `left || right`: a fault of one operand is ignored if the other one determines the result.
///
/// # Errors
/// Returns an error if an operand has a fault and the other one does not determine the result.
pub fn or(left: impl FnOnce() -> EvalResult, right: impl FnOnce() -> EvalResult) -> EvalResult {
    short_circuit(true, left, right)
}

/// Evaluates `left && right`: a fault of one operand is ignored if the other one determines the result.
///
/// # Errors
/// Returns an error if an operand has a fault and the other one does not determine the result.
pub fn and(left: impl FnOnce() -> EvalResult, right: impl FnOnce() -> EvalResult) -> EvalResult {
    short_circuit(false, left, right)
}

/// Combines two operands: `by` if either is `by`, even if the other has an error; else the first error, else `!by`.
fn short_circuit(by: bool, left: impl FnOnce() -> EvalResult, right: impl FnOnce() -> EvalResult) -> EvalResult {
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
