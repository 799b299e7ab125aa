//! Parsing of parameters, the inverse of [`ToParameter`](crate::request::ToParameter).

use std::borrow::Cow;
use std::fmt;

use crate::parse_error::ParseError;
use crate::{
    BigDecimal, Bytes, Date, DateTime, Decimal, DecimalInteger, Duration, HttpDate, IsoDuration, Number, OpenEnum,
};
use crate::{Time, UnixMillis, UnixTime};

/// Value that is parsed from one text in a path, a query, a header or a cookie.
pub trait FromParameter: Sized {
    /// Parses the value strictly; nothing is trimmed.
    ///
    /// # Errors
    /// Returns an error if the text is not a value of the type.
    fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError>;

    /// Returns any value of the type. It replaces one that is missing or invalid, so that the rest of a request can be
    /// checked; a request with a placeholder never reaches a handler.
    fn placeholder() -> Self;
}

/// Content of a parameter: a value, an optional value, or a list.
pub trait FromParameters: Sized {
    /// True if the parameter can be repeated.
    const IS_LIST: bool = false;

    /// Parses the texts of a parameter, and reports errors to `texts`.
    fn from_parameters<'t>(texts: &mut impl ParameterTexts<'t>) -> Self;
}

/// Texts of a parameter.
pub trait ParameterTexts<'t> {
    /// Returns the next text.
    fn next_text(&mut self) -> Option<Cow<'t, str>>;

    /// Records an error of the last text.
    fn reject(&mut self, error: ParameterError);

    /// Records that a required text is missing.
    fn report_missing(&mut self);
}

/// Error of parsing a parameter. It repeats nothing of the text, which may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterError {
    expected: &'static str,
    detail: Option<ParseError>,
}

impl ParameterError {
    /// Creates an error from the expected value, such as `a 32-bit integer`.
    #[must_use]
    pub const fn expected(expected: &'static str) -> Self {
        Self { expected, detail: None }
    }

    /// Adds the error of the text, with its position.
    #[must_use]
    pub const fn with_detail(mut self, detail: ParseError) -> Self {
        self.detail = Some(detail);
        self
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {}", self.expected)?;
        self.detail.map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for ParameterError {}

impl<T: FromParameter> FromParameters for T {
    fn from_parameters<'t>(texts: &mut impl ParameterTexts<'t>) -> Self {
        match texts.next_text().map(T::from_parameter) {
            Some(Ok(value)) => return value,
            Some(Err(error)) => texts.reject(error),
            None => texts.report_missing(),
        }
        T::placeholder()
    }
}

impl<T: FromParameter> FromParameters for Option<T> {
    fn from_parameters<'t>(texts: &mut impl ParameterTexts<'t>) -> Self {
        let read = T::from_parameter(texts.next_text()?);
        read.map_err(|error| texts.reject(error)).ok()
    }
}

impl<T: FromParameter> FromParameters for Vec<T> {
    const IS_LIST: bool = true;

    fn from_parameters<'t>(texts: &mut impl ParameterTexts<'t>) -> Self {
        let mut values = Self::new();
        while let Some(text) = texts.next_text() {
            match T::from_parameter(text) {
                Ok(value) => values.push(value),
                Err(error) => texts.reject(error),
            }
        }
        values
    }
}

impl FromParameter for String {
    fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
        Ok(text.into_owned())
    }

    fn placeholder() -> Self {
        Self::new()
    }
}

/// Accepts `true` and `false` in any case, and `1` and `0`, as public services do.
impl FromParameter for bool {
    fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
        match &*text {
            "1" => Ok(true),
            "0" => Ok(false),
            word if word.eq_ignore_ascii_case("true") => Ok(true),
            word if word.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(ParameterError::expected("`true` or `false`")),
        }
    }

    fn placeholder() -> Self {
        false
    }
}

/// Accepts all aliases. An unknown value is kept, as in a body.
impl<T: OpenEnum> FromParameter for T {
    fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
        Ok(T::from_text(&text))
    }

    fn placeholder() -> Self {
        T::from_text("")
    }
}

/// Implements [`FromParameter`] for integers: digits with an optional `-`; no `+`, no spaces, no leading zero, no
/// fraction, no exponent.
macro_rules! integers {
    ($($ty:ty: $expected:literal;)*) => {$(
        impl FromParameter for $ty {
            fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
                let whole = number_parts(&text).filter(|(_, rest)| rest.is_empty());
                // Only the sign and the range can be wrong now.
                whole.and_then(|_| text.parse().ok()).ok_or(ParameterError::expected($expected))
            }

            fn placeholder() -> Self {
                0
            }
        }
    )*};
}

integers! {
    i32: "a 32-bit integer";
    u32: "a 32-bit integer that is not negative";
    i64: "a 64-bit integer";
    u64: "a 64-bit integer that is not negative";
}

/// Implements [`FromParameter`] for floats: JSON numbers, and values that are not finite as in the JSON format of
/// Protocol Buffers.
macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl FromParameter for $ty {
            fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
                match &*text {
                    "NaN" => return Ok($ty::NAN),
                    "Infinity" => return Ok($ty::INFINITY),
                    "-Infinity" => return Ok($ty::NEG_INFINITY),
                    _ => {}
                }
                let decimal = number_parts(&text).filter(|(_, rest)| is_fraction_and_exponent(rest));
                decimal
                    .and_then(|_| text.parse::<$ty>().ok())
                    // A number beyond all floats is an error, not infinity.
                    .filter(|value| value.is_finite())
                    .ok_or(ParameterError::expected("a number"))
            }

            fn placeholder() -> Self {
                0.0
            }
        }
    )*};
}

floats!(f32 f64);

/// Splits a number into its integer part and the rest (RFC 8259, section 6). Returns `None` if it has no digit, or a
/// leading zero.
fn number_parts(text: &str) -> Option<(&str, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    let (whole, rest) = digits.split_at_checked(end)?;
    (!whole.is_empty() && (whole == "0" || !whole.starts_with('0'))).then_some((whole, rest))
}

/// Returns whether the text is an optional fraction followed by an optional exponent.
fn is_fraction_and_exponent(text: &str) -> bool {
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (fraction, exponent) = match text.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent)),
        None => (text, None),
    };
    let fraction = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(all_digits);
    let exponent = exponent.is_none_or(|digits| all_digits(digits.strip_prefix(['+', '-']).unwrap_or(digits)));
    fraction && exponent
}

/// Implements [`FromParameter`] for types with a `parse` function.
macro_rules! parsed {
    ($($ty:ty: $expected:literal, $placeholder:expr;)*) => {$(
        impl FromParameter for $ty {
            fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
                Self::parse(&text).map_err(|error| ParameterError::expected($expected).with_detail(error))
            }

            fn placeholder() -> Self {
                $placeholder
            }
        }
    )*};
}

parsed! {
    Bytes: "base64", Self::default();
    Date: "a date", Self::MIN;
    DateTime: "a date-time", Self::from(jiff::Timestamp::UNIX_EPOCH);
    Duration: "a duration in seconds, such as `1.5s`", Self::ZERO;
    IsoDuration: "a duration such as `PT1H30M`", Self::zero();
    Time: "a time of day such as `09:30:00`", Self::MIDNIGHT;
    HttpDate: "a date such as `Sun, 06 Nov 1994 08:49:37 GMT`", Self::UNIX_EPOCH;
    BigDecimal: "a decimal number", Self::zero();
    Number: "a number", Self::zero();
}

/// Implements [`FromParameter`] for points in time that are numbers.
macro_rules! times {
    ($($ty:ident: $expected:literal;)*) => {$(
        impl FromParameter for $ty {
            fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
                let number = i64::from_parameter(text).ok().and_then(|number| $ty::new(number).ok());
                number.ok_or(ParameterError::expected($expected))
            }

            fn placeholder() -> Self {
                Self(0)
            }
        }
    )*};
}

times! {
    UnixTime: "an integer number of seconds since 1970";
    UnixMillis: "an integer number of milliseconds since 1970";
}

impl<T: DecimalInteger> FromParameter for Decimal<T>
where
    T: Default,
{
    fn from_parameter(text: Cow<'_, str>) -> Result<Self, ParameterError> {
        Self::parse(&text).map_err(|error| ParameterError::expected("a 64-bit integer").with_detail(error))
    }

    fn placeholder() -> Self {
        Self(T::default())
    }
}

#[cfg(test)]
mod tests;
