//! Conversion of the values of parameters to text: a list has one text per element.

use std::fmt::{Display, Write as _};

use crate::fields::Selection;
use crate::{
    BigDecimal, Bytes, Date, DateTime, Decimal, DecimalInteger, Duration, HttpDate, IsoDuration, Number, OpenEnum,
};
use crate::{Time, UnixMillis, UnixTime};

/// Value that can be used in a path, a query, a header or a cookie.
pub trait ToParameter {
    /// Pushes the texts of the value: none if it is absent, one for each element of a list.
    fn to_parameter(&self, values: &mut ParameterValues<'_>);
}

/// Receiver of the texts of a parameter.
pub struct ParameterValues<'p> {
    pub(super) take: &'p mut dyn FnMut(&str),
}

impl ParameterValues<'_> {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        (self.take)(text);
    }

    /// Adds the `Display` text of a value.
    pub fn display(&mut self, value: &impl Display) {
        // Large enough for the numbers and dates that are displayed here.
        let mut text = String::with_capacity(40);
        // Writing to a string does not fail.
        let _ = write!(text, "{value}");
        self.push(&text);
    }
}

impl ToParameter for str {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.push(self);
    }
}

impl ToParameter for String {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.push(self);
    }
}

impl ToParameter for bool {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.push(if *self { "true" } else { "false" });
    }
}

/// Uses the current naming.
impl<T: OpenEnum> ToParameter for T {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.push(&self.plain_text());
    }
}

macro_rules! via_display {
    ($($ty:ty)*) => {$(
        impl ToParameter for $ty {
            fn to_parameter(&self, values: &mut ParameterValues<'_>) {
                values.display(self);
            }
        }
    )*};
}

via_display!(i32 i64 u32 u64 Bytes Date DateTime Duration Time HttpDate UnixTime UnixMillis);

macro_rules! via_str {
    ($($ty:ty)*) => {$(
        impl ToParameter for $ty {
            fn to_parameter(&self, values: &mut ParameterValues<'_>) {
                values.push(self.as_str());
            }
        }
    )*};
}

via_str!(BigDecimal IsoDuration Number);

/// Values that are not finite are written as in the JSON format of Protocol Buffers.
macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl ToParameter for $ty {
            fn to_parameter(&self, values: &mut ParameterValues<'_>) {
                if self.is_infinite() {
                    values.push(if *self > 0.0 { "Infinity" } else { "-Infinity" });
                } else {
                    values.display(self);
                }
            }
        }
    )*};
}

floats!(f32 f64);

impl<T: DecimalInteger> ToParameter for Decimal<T>
where
    Self: Display,
{
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.display(self);
    }
}

impl<T: ToParameter> ToParameter for Option<T> {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        if let Some(value) = self {
            value.to_parameter(values);
        }
    }
}

impl<T: ToParameter> ToParameter for Vec<T> {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        for value in self {
            value.to_parameter(values);
        }
    }
}

/// Error of an element that cannot be joined with delimiters.
pub(crate) struct ContainsDelimiter;

/// Joins the elements of a list with commas, which they must not contain; `None` if there are no elements. No space
/// follows a comma, because some servers treat it as a part of the value (RFC 6570, section 3.2.2, has none).
pub(crate) fn join_with_commas<T: ToParameter + ?Sized>(value: &T) -> Result<Option<String>, ContainsDelimiter> {
    // Parsers skip empty elements and trim spaces.
    let fits = |text: &str| !text.contains(',') && text.trim_ascii().len() == text.len() && !text.is_empty();
    join(value, ",", fits)
}

/// Joins the elements of a list with a delimiter, which they must not contain; `None` if there are no elements.
pub(crate) fn join_with<T: ToParameter + ?Sized>(
    value: &T,
    delimiter: char,
) -> Result<Option<String>, ContainsDelimiter> {
    join(value, delimiter.encode_utf8(&mut [0; 4]), |text| !text.contains(delimiter))
}

/// Joins the texts of a list with a delimiter, which they must not contain.
fn join<T: ToParameter + ?Sized>(
    value: &T,
    delimiter: &str,
    fits: impl Fn(&str) -> bool,
) -> Result<Option<String>, ContainsDelimiter> {
    let (mut line, mut has_invalid) = (None::<String>, false);
    let take = &mut |text: &str| {
        has_invalid |= !fits(text);
        match &mut line {
            Some(line) => line.extend([delimiter, text]),
            None => line = Some(text.to_owned()),
        }
    };
    value.to_parameter(&mut ParameterValues { take });
    if has_invalid { Err(ContainsDelimiter) } else { Ok(line) }
}

impl<T> ToParameter for Selection<T> {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.display(self);
    }
}
