//! Numbers: checked arithmetic, comparisons between types, conversions.

use std::cmp::Ordering;

use wireform_runtime::DateTime;

use super::{EvalError, EvalResult};

/// Integer types of CEL: `i64` and `u64`.
pub trait Arithmetic: Copy + PartialEq + Default {
    /// Returns the sum, or `None` on overflow.
    fn checked_add(self, other: Self) -> Option<Self>;
    /// Returns the difference, or `None` on overflow.
    fn checked_sub(self, other: Self) -> Option<Self>;
    /// Returns the product, or `None` on overflow.
    fn checked_mul(self, other: Self) -> Option<Self>;
    /// Returns the quotient, or `None` on overflow or division by zero.
    fn checked_div(self, other: Self) -> Option<Self>;
    /// Returns the remainder, or `None` on overflow or division by zero.
    fn checked_rem(self, other: Self) -> Option<Self>;
}

macro_rules! arithmetic {
    ($($ty:ty)*) => {$(
        impl Arithmetic for $ty {
            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> { <$ty>::checked_add(self, other) }
            #[inline]
            fn checked_sub(self, other: Self) -> Option<Self> { <$ty>::checked_sub(self, other) }
            #[inline]
            fn checked_mul(self, other: Self) -> Option<Self> { <$ty>::checked_mul(self, other) }
            #[inline]
            fn checked_div(self, other: Self) -> Option<Self> { <$ty>::checked_div(self, other) }
            #[inline]
            fn checked_rem(self, other: Self) -> Option<Self> { <$ty>::checked_rem(self, other) }
        }
    )*};
}

arithmetic! { i64 u64 }

/// Evaluates `a + b`.
///
/// # Errors
/// Returns an error on overflow.
#[inline]
pub fn add<T: Arithmetic>(a: T, b: T) -> EvalResult<T> {
    a.checked_add(b).ok_or(EvalError::Overflow)
}

/// Evaluates `a - b`.
///
/// # Errors
/// Returns an error on overflow.
#[inline]
pub fn subtract<T: Arithmetic>(a: T, b: T) -> EvalResult<T> {
    a.checked_sub(b).ok_or(EvalError::Overflow)
}

/// Evaluates `a * b`.
///
/// # Errors
/// Returns an error on overflow.
#[inline]
pub fn multiply<T: Arithmetic>(a: T, b: T) -> EvalResult<T> {
    a.checked_mul(b).ok_or(EvalError::Overflow)
}

/// Evaluates `a / b`.
///
/// # Errors
/// Returns an error on overflow or division by zero.
#[inline]
pub fn divide<T: Arithmetic>(a: T, b: T) -> EvalResult<T> {
    let error = if b == T::default() { EvalError::DivisionByZero } else { EvalError::Overflow };
    a.checked_div(b).ok_or(error)
}

/// Evaluates `a % b`.
///
/// # Errors
/// Returns an error on overflow or division by zero.
#[inline]
pub fn remainder<T: Arithmetic>(a: T, b: T) -> EvalResult<T> {
    let error = if b == T::default() { EvalError::DivisionByZero } else { EvalError::Overflow };
    a.checked_rem(b).ok_or(error)
}

/// Evaluates `-a`.
///
/// # Errors
/// Returns an error on overflow.
#[inline]
pub fn negate(a: i64) -> EvalResult<i64> {
    a.checked_neg().ok_or(EvalError::Overflow)
}

/// Converts a count to an integer of CEL.
#[inline]
#[must_use]
pub fn count_to_int(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns whether a number is infinite: positive infinity for a positive `sign`, negative infinity for a negative one,
/// either for 0.
#[must_use]
pub fn is_inf(number: f64, sign: i64) -> bool {
    number.is_infinite() && (sign == 0 || (sign > 0) == (number > 0.0))
}

/// Number of any type, for comparisons with other types.
#[derive(Clone, Copy, Debug)]
pub enum AnyNumber {
    /// Integer.
    Whole(i128),
    /// Floating-point number.
    Float(f64),
}

impl From<i64> for AnyNumber {
    fn from(value: i64) -> Self {
        Self::Whole(value.into())
    }
}

impl From<u64> for AnyNumber {
    fn from(value: u64) -> Self {
        Self::Whole(value.into())
    }
}

impl From<f64> for AnyNumber {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

/// Compares two numbers by value; `None` if one of them is NaN.
#[must_use]
pub fn compare(a: impl Into<AnyNumber>, b: impl Into<AnyNumber>) -> Option<Ordering> {
    match (a.into(), b.into()) {
        (AnyNumber::Whole(a), AnyNumber::Whole(b)) => Some(a.cmp(&b)),
        (AnyNumber::Float(a), AnyNumber::Float(b)) => a.partial_cmp(&b),
        (AnyNumber::Whole(a), AnyNumber::Float(b)) => compare_whole_and_float(a, b),
        (AnyNumber::Float(a), AnyNumber::Whole(b)) => compare_whole_and_float(b, a).map(Ordering::reverse),
    }
}

/// Compares exactly: a 64-bit integer is not rounded to a float.
fn compare_whole_and_float(whole: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // The cast saturates, and all 64-bit integers are within its range.
    #[allow(clippy::cast_possible_truncation)]
    let floor = float.floor() as i128;
    Some(whole.cmp(&floor).then(if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less }))
}

/// Argument of `int()`.
pub trait ToInt {
    /// Returns the integer, or a fault.
    fn to_int(self) -> EvalResult<i64>;
}

/// Argument of `uint()`.
pub trait ToUint {
    /// Returns the integer, or a fault.
    fn to_uint(self) -> EvalResult<u64>;
}

/// Argument of `double()`.
pub trait ToDouble {
    /// Returns the number, or a fault.
    fn to_double(self) -> EvalResult<f64>;
}

/// Evaluates `int(value)`.
///
/// # Errors
/// Returns an error if the value cannot be converted.
pub fn to_int(value: impl ToInt) -> EvalResult<i64> {
    value.to_int()
}

/// Evaluates `uint(value)`.
///
/// # Errors
/// Returns an error if the value cannot be converted.
pub fn to_uint(value: impl ToUint) -> EvalResult<u64> {
    value.to_uint()
}

/// Evaluates `double(value)`.
///
/// # Errors
/// Returns an error if the value cannot be converted.
pub fn to_double(value: impl ToDouble) -> EvalResult<f64> {
    value.to_double()
}

impl ToInt for u64 {
    fn to_int(self) -> EvalResult<i64> {
        i64::try_from(self).map_err(|_| EvalError::Overflow)
    }
}

impl ToInt for f64 {
    /// Truncates towards zero.
    fn to_int(self) -> EvalResult<i64> {
        // CEL excludes the limits, which a float cannot distinguish from their neighbors.
        let in_range = self > -9_223_372_036_854_775_808.0 && self < 9_223_372_036_854_775_808.0;
        #[allow(clippy::cast_possible_truncation)]
        let whole = self as i64;
        in_range.then_some(whole).ok_or(EvalError::Overflow)
    }
}

impl ToInt for &str {
    fn to_int(self) -> EvalResult<i64> {
        self.parse().map_err(|_| EvalError::BadConversion)
    }
}

impl ToInt for DateTime {
    /// Returns the seconds since 1970.
    fn to_int(self) -> EvalResult<i64> {
        Ok(super::times::to_instant(self)?.as_second())
    }
}

impl ToUint for i64 {
    fn to_uint(self) -> EvalResult<u64> {
        u64::try_from(self).map_err(|_| EvalError::Overflow)
    }
}

impl ToUint for f64 {
    /// Truncates towards zero.
    fn to_uint(self) -> EvalResult<u64> {
        let in_range = (0.0..18_446_744_073_709_551_616.0).contains(&self);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = self as u64;
        in_range.then_some(whole).ok_or(EvalError::Overflow)
    }
}

impl ToUint for &str {
    fn to_uint(self) -> EvalResult<u64> {
        self.parse().map_err(|_| EvalError::BadConversion)
    }
}

impl ToDouble for i64 {
    /// Returns the nearest number.
    #[allow(clippy::cast_precision_loss)]
    fn to_double(self) -> EvalResult<f64> {
        Ok(self as f64)
    }
}

impl ToDouble for u64 {
    /// Returns the nearest number.
    #[allow(clippy::cast_precision_loss)]
    fn to_double(self) -> EvalResult<f64> {
        Ok(self as f64)
    }
}

impl ToDouble for &str {
    fn to_double(self) -> EvalResult<f64> {
        self.parse().map_err(|_| EvalError::BadConversion)
    }
}
