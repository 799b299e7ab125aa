//! Calendar date, RFC 3339 `full-date`.

use crate::cursor::{Cursor, TextBuffer, two_ascii_digits};
use crate::jiff::civil;
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::text_type;

/// Date in the proleptic Gregorian calendar, years 0000 to 9999, written `yyyy-mm-dd` (RFC 3339, `full-date`). Each
/// date has one text, so equality, order and text agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    // The derived order depends on the order of the fields.
    year: u16,
    month: u8,
    day: u8,
}

text_type!(Date, "date");

impl Date {
    /// Earliest date, 0000-01-01.
    pub const MIN: Self = Self { year: 0, month: 1, day: 1 };
    /// Latest date, 9999-12-31.
    pub const MAX: Self = Self { year: 9999, month: 12, day: 31 };

    /// Creates a date from a year (0 to 9999), a month (1 to 12) and a day of the month (from 1); `None` if it does not
    /// exist.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if year <= 9999 && day >= 1 && day <= days_in_month(year, month) {
            Some(Self { year, month, day })
        } else {
            None
        }
    }

    /// Parses a date, strictly by RFC 3339.
    ///
    /// # Errors
    /// Returns an error if the text is not `yyyy-mm-dd`, or the day does not exist.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let date = Self::parse_prefix(&mut cursor)?;
        cursor.expect_end()?;
        Ok(date)
    }

    /// Parses a date at the start of a longer text.
    #[inline]
    pub(crate) fn parse_prefix(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let century = cursor.two_digits(0, 99, "year")?;
        let year = u16::from(century) * 100 + u16::from(cursor.two_digits(0, 99, "year")?);
        cursor.expect(b'-', "`-`")?;
        let month = cursor.two_digits(1, 12, "month")?;
        cursor.expect(b'-', "`-`")?;
        let at = cursor.position();
        let day = cursor.two_digits(1, 31, "day")?;
        Self::new(year, month, day).ok_or(ParseError::new(ParseErrorKind::OutOfRange("day"), at))
    }

    /// Appends `2024-05-01`.
    #[inline]
    pub(crate) fn write_text(&self, text: &mut TextBuffer) {
        // Both halves of a year up to 9999 are below 100.
        let [century, rest] = [self.year / 100, self.year % 100].map(|half| u8::try_from(half).unwrap_or(0));
        let ([a, b], [c, d]) = (two_ascii_digits(century), two_ascii_digits(rest));
        let ([e, f], [g, h]) = (two_ascii_digits(self.month), two_ascii_digits(self.day));
        text.extend([a, b, c, d, b'-', e, f, b'-', g, h]);
    }

    /// Returns the year, 0 to 9999.
    #[must_use]
    pub const fn year(&self) -> u16 {
        self.year
    }

    /// Returns the month, 1 to 12.
    #[must_use]
    pub const fn month(&self) -> u8 {
        self.month
    }

    /// Returns the day of the month, from 1.
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.day
    }

    /// Converts the date to jiff's type, for arithmetic.
    #[must_use]
    pub fn to_civil(&self) -> civil::Date {
        // jiff supports all of these dates, so the fallback is never taken.
        let parts = (i16::try_from(self.year), i8::try_from(self.month), i8::try_from(self.day));
        match parts {
            (Ok(year), Ok(month), Ok(day)) => civil::Date::new(year, month, day).unwrap_or_default(),
            _ => civil::Date::default(),
        }
    }

    /// Converts jiff's date. A year before 0000, which RFC 3339 cannot represent, becomes [`Date::MIN`].
    #[must_use]
    pub fn from_civil(date: civil::Date) -> Self {
        let parts = (u16::try_from(date.year()), u8::try_from(date.month()), u8::try_from(date.day()));
        match parts {
            (Ok(year), Ok(month), Ok(day)) => Self::new(year, month, day).unwrap_or(Self::MIN),
            _ => Self::MIN,
        }
    }

    /// Returns the number of days since 0000-03-01. Years start in March here, so that the leap day is the last one.
    pub(crate) fn day_number(&self) -> i64 {
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        let year = i64::from(self.year) - i64::from(month < 3);
        let from_march = (month + 9) % 12;
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        // The lengths of the months from March repeat every five months: 31, 30, 31, 30, 31, which is 153 days.
        year * 365 + leap_days + (153 * from_march + 2) / 5 + day - 1
    }
}

impl From<Date> for civil::Date {
    fn from(date: Date) -> Self {
        date.to_civil()
    }
}

/// Returns the number of days of a month; 0 if the month does not exist.
#[inline]
const fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn valid_texts() {
        for text in ["0000-01-01", "0000-02-29", "2020-02-29", "0400-02-29", "1582-10-10", "9999-12-31"] {
            assert_eq!(Date::parse(text).map(|date| date.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(format!("{:?}", Date::MAX), "Date(9999-12-31)");
    }

    #[test]
    fn invalid_texts_and_positions() {
        for (text, position) in [
            ("", 0),
            ("2020-13-01", 5),
            ("2020-00-01", 5),
            ("2021-02-29", 8),
            ("2100-02-29", 8),
            ("2020-04-31", 8),
            ("2020-01-00", 8),
            ("2020-1-01", 6),
            ("20200101", 4),
            ("2020-01-01Z", 10),
            (" 2020-01-01", 0),
            ("+2020-01-01", 0),
            ("12020-01-01", 4),
            ("1963-06-1\u{9ea}", 9),
        ] {
            assert_eq!(Date::parse(text).map_err(|error| error.position()), Err(position), "{text}");
        }
        let error = Date::parse("2021-02-29").map_err(|error| error.to_string());
        assert_eq!(error, Err("day out of range at byte 8".to_owned()));
    }

    #[test]
    fn years_before_0000_become_the_minimum() {
        assert_eq!(Date::from_civil(civil::Date::MIN), Date::MIN);
        assert_eq!(Date::from_civil(civil::Date::MAX), Date::MAX);
    }

    proptest! {
        #[test]
        fn agrees_with_jiff(year in 0_u16..=9999, month in 0_u8..14, day in 0_u8..33) {
            let ours = Date::new(year, month, day);
            let jiffs = i16::try_from(year)
                .ok()
                .zip(i8::try_from(month).ok().zip(i8::try_from(day).ok()))
                .and_then(|(year, (month, day))| civil::Date::new(year, month, day).ok());
            prop_assert_eq!(ours.map(|date| date.to_civil()), jiffs);
            if let (Some(ours), Some(jiffs)) = (ours, jiffs) {
                prop_assert_eq!(Date::from_civil(jiffs), ours);
                prop_assert_eq!(Date::parse(&ours.to_string()), Ok(ours));
                let days = i64::from(civil::date(1970, 1, 1).until(jiffs).map_or(0, |span| span.get_days()));
                let epoch = Date { year: 1970, month: 1, day: 1 };
                prop_assert_eq!(ours.day_number() - epoch.day_number(), days);
            }
        }

        #[test]
        fn any_text_parses_or_fails(text in "[-0-9]{0,12}|.{0,12}") {
            if let Ok(date) = Date::parse(&text) {
                prop_assert_eq!(date.to_string(), text);
            }
        }
    }
}
