//! How the value of a parameter becomes text: of a list, one text an element.

use std::fmt::{Display, Write as _};

use crate::fields::Selection;
use crate::{BigDecimal, Bytes, Date, DateTime, Decimal, DecimalInteger, Duration, HttpDate, IsoDuration, OpenEnum};
use crate::{Time, UnixMillis, UnixTime};

/// A value that can stand in a path, a query, a header or a cookie.
pub trait ToParameter {
    /// Pushes its texts: none when it is absent, one for each element of a list.
    fn to_parameter(&self, values: &mut ParameterValues<'_>);
}

/// Takes the texts of one parameter.
pub struct ParameterValues<'p> {
    pub(super) take: &'p mut dyn FnMut(&str),
}

impl ParameterValues<'_> {
    /// Takes one text.
    pub fn push(&mut self, text: &str) {
        (self.take)(text);
    }

    /// Takes what a value displays.
    pub fn display(&mut self, value: &impl Display) {
        // The numbers and dates that come here fit without growing.
        let mut text = String::with_capacity(40);
        // Writing into a string does not fail.
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

/// In the spelling that is spoken.
impl<T: OpenEnum> ToParameter for T {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.push(&self.plain_text());
    }
}

macro_rules! displayed {
    ($($ty:ty)*) => {$(
        impl ToParameter for $ty {
            fn to_parameter(&self, values: &mut ParameterValues<'_>) {
                values.display(self);
            }
        }
    )*};
}

displayed!(i32 i64 u32 u64 Bytes Date DateTime Duration Time HttpDate UnixTime UnixMillis);

macro_rules! spelled {
    ($($ty:ty)*) => {$(
        impl ToParameter for $ty {
            fn to_parameter(&self, values: &mut ParameterValues<'_>) {
                values.push(self.as_str());
            }
        }
    )*};
}

spelled!(BigDecimal IsoDuration);

/// What is not finite is spelled as the JSON of Protocol Buffers spells it.
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

/// An element of a list that cannot stand with delimiters between the elements.
pub(crate) struct NotListed;

/// Returns the elements of a list with commas between them, none of which can have one; nothing where there are none.
/// No space stands behind a comma, because some servers take one for a part of the value (RFC 6570, section 3.2.2, has
/// none).
pub(crate) fn listed<T: ToParameter + ?Sized>(value: &T) -> Result<Option<String>, NotListed> {
    // An empty element would be read over, and so would spaces around one.
    let fits = |text: &str| !text.contains(',') && text.trim_ascii().len() == text.len() && !text.is_empty();
    joined(value, ",", fits)
}

/// Returns the elements of a list with a delimiter between them, which none of them can have; nothing where there are
/// none.
pub(crate) fn delimited<T: ToParameter + ?Sized>(value: &T, delimiter: char) -> Result<Option<String>, NotListed> {
    joined(value, delimiter.encode_utf8(&mut [0; 4]), |text| !text.contains(delimiter))
}

fn joined<T: ToParameter + ?Sized>(
    value: &T,
    delimiter: &str,
    fits: impl Fn(&str) -> bool,
) -> Result<Option<String>, NotListed> {
    let (mut line, mut holds) = (None::<String>, false);
    let take = &mut |text: &str| {
        holds |= !fits(text);
        match &mut line {
            Some(line) => line.extend([delimiter, text]),
            None => line = Some(text.to_owned()),
        }
    };
    value.to_parameter(&mut ParameterValues { take });
    if holds { Err(NotListed) } else { Ok(line) }
}

impl<T> ToParameter for Selection<T> {
    fn to_parameter(&self, values: &mut ParameterValues<'_>) {
        values.display(self);
    }
}
