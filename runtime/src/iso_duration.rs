//! ISO 8601 durations, kept as the text that they are on the wire.

use crate::cursor::Cursor;
use crate::jiff::{SignedDuration, Span};
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::kept_text;

/// ISO 8601 duration, by the grammar of RFC 3339, appendix A: `P1Y2M10DT2H30M`, `P2W`, `PT0.5S`.
///
/// Years, months, weeks and days are in this order, and hours, minutes and seconds follow in this order after a
/// `T`; at least one component is present. Three extensions of ISO 8601-2 that are in use are accepted: a leading `-`,
/// weeks combined with other components, and a fraction of at most nine digits in the last component of the time, after
/// a point or a comma. The text is kept as it is.
///
/// Equality and hash are those of the text: `PT60S` and `PT1M` are different values. The length of a month depends on
/// the date, so the values have no order; [`to_span`](Self::to_span) is for arithmetic.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IsoDuration {
    pub(crate) text: Box<str>,
}

kept_text!(IsoDuration, "duration in ISO 8601 format");

/// Units of the date, and of the time, in their order.
const DATE_UNITS: &[u8] = b"YMWD";
/// Units after `T`, in their order.
const TIME_UNITS: &[u8] = b"HMS";

impl IsoDuration {
    /// Parses a duration.
    ///
    /// # Errors
    /// Returns an error if the text is not in the format of [`IsoDuration`], or a component is beyond about 20,000
    /// years.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        cursor.eat(b'-');
        cursor.expect(b'P', "`P`")?;
        let dates = parse_components(&mut cursor, DATE_UNITS, false)?;
        let times = if cursor.eat(b'T') { Some(parse_components(&mut cursor, TIME_UNITS, true)?) } else { None };
        if matches!((dates, times), (_, Some(0)) | (0, None)) {
            return Err(cursor.error_here(ParseErrorKind::Expected("a digit")));
        }
        cursor.expect_end()?;
        let this = Self { text: text.into() };
        match text.parse::<Span>() {
            Ok(_) => Ok(this),
            Err(_) => Err(ParseError::new(ParseErrorKind::OutOfRange("duration"), 0)),
        }
    }

    /// Returns the zero duration, written `PT0S`.
    #[must_use]
    pub fn zero() -> Self {
        Self { text: "PT0S".into() }
    }

    /// Returns the duration as its text.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Converts the duration to jiff's type, for arithmetic.
    #[must_use]
    pub fn to_span(&self) -> Span {
        // The text was parsed before.
        self.text.parse().unwrap_or_default()
    }
}

/// Parses components and returns their number; units may not repeat or be out of order.
fn parse_components(cursor: &mut Cursor<'_>, units: &[u8], fractions: bool) -> Result<usize, ParseError> {
    let (mut left, mut count) = (units, 0);
    while cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        while cursor.eat_digit().is_some() {}
        let fraction = fractions && (cursor.eat(b'.') || cursor.eat(b','));
        if fraction {
            cursor.fraction(9)?;
        }
        let found = cursor.peek().and_then(|unit| left.iter().position(|one| *one == unit));
        let Some(at) = found else { return Err(cursor.error_here(ParseErrorKind::Expected("the next smaller unit"))) };
        cursor.eat(left.get(at).copied().unwrap_or_default());
        // Nothing may follow a fraction.
        left = left.get(at + 1..).filter(|_| !fraction).unwrap_or_default();
        count += 1;
    }
    Ok(count)
}

impl From<SignedDuration> for IsoDuration {
    /// Writes a length in hours, minutes and seconds.
    fn from(duration: SignedDuration) -> Self {
        Self { text: duration.to_string().into() }
    }
}

impl From<Span> for IsoDuration {
    fn from(span: Span) -> Self {
        Self { text: span.to_string().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jiff::ToSpan as _;
    use proptest::prelude::*;

    #[test]
    fn durations_keep_their_notation() {
        for text in [
            "P1Y2M10DT2H30M",
            "P2W",
            "PT0.5S",
            "PT36H",
            "P0D",
            "-P1D",
            "PT1.5H",
            "PT0,25S",
            "P1Y1W",
            "PT1H1S",
            "P1M",
            "PT007M",
        ] {
            assert_eq!(IsoDuration::parse(text).map(|one| one.to_string()).as_deref(), Ok(text));
        }
        let span = IsoDuration::parse("P1Y2M10DT2H30M").unwrap_or_default().to_span();
        assert_eq!(span.fieldwise(), 1.year().months(2).days(10).hours(2).minutes(30).fieldwise());
        assert_eq!(IsoDuration::from(SignedDuration::from_millis(90_500)).as_str(), "PT1M30.5S");
    }

    #[test]
    fn invalid_texts_and_positions() {
        for (text, position) in [
            ("", 0),
            ("P", 1),
            ("PT", 2),
            ("P1DT", 4),
            ("1D", 0),
            ("P1", 2),
            ("P1H", 2),
            ("PT1D", 3),
            ("P1D2Y", 4),
            ("PT1S1S", 5),
            ("PT1.5H3M", 7),
            ("P1.5D", 2),
            ("PT1.S", 4),
            ("P1D ", 3),
            ("p1d", 0),
            ("+P1D", 0),
            ("1 hour", 0),
            ("PT1.0000000001S", 4),
            ("P99999999Y", 0),
        ] {
            assert_eq!(IsoDuration::parse(text).map_err(|error| error.position()), Err(position), "{text}");
        }
    }

    proptest! {
        #[test]
        fn converted_durations_parse(millis in any::<i32>(), days in -1000_i64..1000) {
            let length = IsoDuration::from(SignedDuration::from_millis(i64::from(millis)));
            prop_assert_eq!(IsoDuration::parse(length.as_str()), Ok(length));
            let span = IsoDuration::from(days.days());
            prop_assert_eq!(IsoDuration::parse(span.as_str()), Ok(span));
        }

        #[test]
        fn any_text_parses_or_fails(text in "-?P[0-9YMWDTHS.,]{0,12}|.{0,8}") {
            if let Ok(duration) = IsoDuration::parse(&text) {
                prop_assert_eq!(duration.as_str(), text.as_str());
                prop_assert!(text.parse::<Span>().is_ok());
            }
        }
    }
}
