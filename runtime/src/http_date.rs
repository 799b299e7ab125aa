//! HTTP date, RFC 9110, section 5.6.7 (RFC 7231, section 7.1.1.1).

use crate::cursor::{Cursor, TextBuffer, two_ascii_digits};
use crate::date::Date;
use crate::jiff::civil::{DateTime as Civil, Weekday};
use crate::jiff::{SignedDuration, Timestamp, tz};
use crate::parse_error::{ParseError, ParseErrorKind};
use crate::text::text_type;

/// Point in time, in whole seconds of UTC, written `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// The two obsolete formats are also accepted, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`, as
/// every recipient must; the first format is always written. Years are 0000 to 9999. A year of two digits is in the
/// range 1970 to 2069. The day of the week must match the date. Second 60 becomes the next second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpDate {
    // The derived order depends on the order of the fields.
    date: Date,
    hour: u8,
    minute: u8,
    second: u8,
}

text_type!(HttpDate, "date in HTTP format");

/// Names of the days, of which dates in the current format have the first three letters.
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// Names of the months.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl HttpDate {
    /// 1970-01-01T00:00:00Z.
    pub const UNIX_EPOCH: Self = match Date::new(1970, 1, 1) {
        Some(date) => Self { date, hour: 0, minute: 0, second: 0 },
        None => Self { date: Date::MIN, hour: 0, minute: 0, second: 0 },
    };

    /// Creates a point in time from a date and the hour, minute and second.
    pub(crate) const fn of_parts(date: Date, [hour, minute, second]: [u8; 3]) -> Self {
        Self { date, hour, minute, second }
    }

    /// Parses a date in one of the three formats.
    ///
    /// # Errors
    /// Returns an error if the text is not in a format of [`HttpDate`].
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let (day, is_full_name) = parse_weekday(&mut cursor)?;
        let this = match (is_full_name, cursor.eat(b',')) {
            (_, true) => {
                cursor.expect(b' ', "a space")?;
                parse_dashed_or_spaced(&mut cursor, is_full_name)?
            }
            (false, false) => parse_asctime(&mut cursor)?,
            (true, false) => return Err(cursor.error_here(ParseErrorKind::Expected("`,`"))),
        };
        cursor.expect_end()?;
        if this.weekday() != day {
            return Err(ParseError::new(ParseErrorKind::Expected("the day of the week of the date"), 0));
        }
        if this.second < 60 {
            return Ok(this);
        }
        // Clocks without leap seconds call it the first second of the next minute.
        let next = Self { second: 59, ..this }.to_timestamp().checked_add(SignedDuration::from_secs(1));
        next.map(Self::from).map_err(|_| ParseError::new(ParseErrorKind::OutOfRange("second"), 0))
    }

    /// Appends `Sun, 06 Nov 1994 08:49:37 GMT`.
    pub(crate) fn write_text(&self, text: &mut TextBuffer) {
        let name = |name: Option<&&str>| -> [u8; 3] {
            name.and_then(|name| name.as_bytes().first_chunk().copied()).unwrap_or(*b"???")
        };
        text.extend(name(DAYS.get(self.weekday())));
        text.extend(*b", ");
        text.extend(two_ascii_digits(self.date.day()));
        text.push(b' ');
        text.extend(name(MONTHS.get(usize::from(self.date.month().saturating_sub(1)))));
        text.push(b' ');
        text.digits(u64::from(self.date.year()), 4);
        let [[a, b], [c, d], [e, f]] = [self.hour, self.minute, self.second].map(two_ascii_digits);
        text.extend([b' ', a, b, b':', c, d, b':', e, f, b' ', b'G', b'M', b'T']);
    }

    /// Returns the day of the week, from 0 for Monday.
    fn weekday(&self) -> usize {
        let since_monday = self.date.to_civil().weekday().since(Weekday::Monday);
        usize::try_from(since_monday).unwrap_or(0)
    }

    /// Converts the date to jiff's type, for arithmetic. A date after 9999-12-30T22:00:00Z, which jiff cannot
    /// represent, becomes the start of 1970.
    #[must_use]
    pub fn to_timestamp(&self) -> Timestamp {
        let [hour, minute, second] = [self.hour, self.minute, self.second].map(|part| i8::try_from(part).unwrap_or(0));
        let civil = self.date.to_civil().at(hour, minute, second, 0);
        // The years 0000 to 9999 are within the range of timestamps, except for the last hours of 9999.
        tz::TimeZone::UTC.to_timestamp(civil).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Creates a date from a time in UTC.
    fn from_civil(civil: Civil) -> Self {
        let part = |part: i8| u8::try_from(part).unwrap_or(0);
        Self {
            date: Date::from_civil(civil.date()),
            hour: part(civil.hour()),
            minute: part(civil.minute()),
            second: part(civil.second()),
        }
    }
}

/// Truncates to whole seconds. A year before 0000 becomes 0000.
impl From<Timestamp> for HttpDate {
    fn from(time: Timestamp) -> Self {
        Self::from_civil(tz::Offset::UTC.to_datetime(time))
    }
}

impl From<HttpDate> for Timestamp {
    fn from(date: HttpDate) -> Self {
        date.to_timestamp()
    }
}

/// Parses the day of the week; returns it and whether the full name is used.
fn parse_weekday(cursor: &mut Cursor<'_>) -> Result<(usize, bool), ParseError> {
    let short = DAYS.iter().position(|name| name.get(..3).is_some_and(|short| cursor.eat_str(short)));
    let Some(day) = short else { return Err(cursor.error_here(ParseErrorKind::Expected("a day of the week"))) };
    let rest = DAYS.get(day).and_then(|name| name.get(3..)).unwrap_or_default();
    Ok((day, cursor.eat_str(rest)))
}

/// Parses the name of a month as its number from 1.
fn parse_month(cursor: &mut Cursor<'_>) -> Result<u8, ParseError> {
    let found = (1..).zip(MONTHS).find(|(_, name)| cursor.eat_str(name));
    found.map(|(month, _)| month).ok_or_else(|| cursor.error_here(ParseErrorKind::Expected("a month")))
}

/// Parses a year of four digits.
fn parse_year(cursor: &mut Cursor<'_>) -> Result<u16, ParseError> {
    let century = cursor.two_digits(0, 99, "year")?;
    Ok(u16::from(century) * 100 + u16::from(cursor.two_digits(0, 99, "year")?))
}

/// Creates a date; an error at `at`, the position of the day, if the month has no such day.
fn build_date(year: u16, month: u8, (day, at): (u8, usize), time: [u8; 3]) -> Result<HttpDate, ParseError> {
    let date = Date::new(year, month, day).ok_or(ParseError::new(ParseErrorKind::OutOfRange("day"), at))?;
    let [hour, minute, second] = time;
    Ok(HttpDate { date, hour, minute, second })
}

/// Parses `06 Nov 1994 08:49:37 GMT`, or `06-Nov-94 08:49:37 GMT` after the full name of a day.
fn parse_dashed_or_spaced(cursor: &mut Cursor<'_>, dashed: bool) -> Result<HttpDate, ParseError> {
    let (separator, what) = if dashed { (b'-', "`-`") } else { (b' ', "a space") };
    let at = cursor.position();
    let day = cursor.two_digits(1, 31, "day")?;
    cursor.expect(separator, what)?;
    let month = parse_month(cursor)?;
    cursor.expect(separator, what)?;
    let year = match dashed {
        true => match cursor.two_digits(0, 99, "year")? {
            short @ 70.. => 1900 + u16::from(short),
            short => 2000 + u16::from(short),
        },
        false => parse_year(cursor)?,
    };
    cursor.expect(b' ', "a space")?;
    let time = cursor.time_of_day()?;
    if !cursor.eat_str(" GMT") {
        return Err(cursor.error_here(ParseErrorKind::Expected("` GMT`")));
    }
    build_date(year, month, (day, at), time)
}

/// Parses ` Nov  6 08:49:37 1994`.
fn parse_asctime(cursor: &mut Cursor<'_>) -> Result<HttpDate, ParseError> {
    cursor.expect(b' ', "a space")?;
    let month = parse_month(cursor)?;
    cursor.expect(b' ', "a space")?;
    let at = cursor.position();
    let day = if cursor.eat(b' ') {
        cursor.eat_digit().ok_or_else(|| cursor.error_here(ParseErrorKind::Expected("a digit")))?
    } else {
        cursor.two_digits(1, 31, "day")?
    };
    cursor.expect(b' ', "a space")?;
    let time = cursor.time_of_day()?;
    cursor.expect(b' ', "a space")?;
    build_date(parse_year(cursor)?, month, (day, at), time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXAMPLE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    #[test]
    fn parses_three_formats_and_writes_one() {
        for text in [EXAMPLE, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            let date = HttpDate::parse(text);
            assert_eq!(date.map(|date| date.to_string()).as_deref(), Ok(EXAMPLE), "{text}");
            let second = date.map(|date| date.to_timestamp().as_second());
            assert_eq!(second, Ok(784_111_777), "{text}");
        }
        assert_eq!(HttpDate::UNIX_EPOCH.to_string(), "Thu, 01 Jan 1970 00:00:00 GMT");
        let leap = HttpDate::parse("Sat, 31 Dec 2016 23:59:60 GMT").map(|date| date.to_string());
        assert_eq!(leap.as_deref(), Ok("Sun, 01 Jan 2017 00:00:00 GMT"));
    }

    #[test]
    fn invalid_texts_and_positions() {
        for (text, position) in [
            ("", 0),
            ("sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Mon, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 6 Nov 1994 08:49:37 GMT", 6),
            ("Sun, 31 Nov 1994 08:49:37 GMT", 5),
            ("Sun, 06 nov 1994 08:49:37 GMT", 8),
            ("Sun, 06 Nov 94 08:49:37 GMT", 14),
            ("Sun, 06 Nov 1994 24:49:37 GMT", 17),
            ("Sun, 06 Nov 1994 08:49:37 UTC", 25),
            ("Sun, 06 Nov 1994 08:49:37 GMT ", 29),
            ("Sunday 06-Nov-94 08:49:37 GMT", 6),
            ("1994-11-06T08:49:37Z", 0),
        ] {
            assert_eq!(HttpDate::parse(text).map_err(|error| error.position()), Err(position), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_second_round_trips(second in -62_167_219_200_i64..253_402_207_200) {
            let date = HttpDate::from(Timestamp::from_second(second).unwrap_or_default());
            prop_assert_eq!(HttpDate::parse(&date.to_string()), Ok(date));
            prop_assert_eq!(date.to_timestamp().as_second(), second);
        }

        #[test]
        fn any_text_parses_or_fails(text in "(Sun|Monday)[, ]{1,2}[-0-9A-Za-z :]{0,24}|.{0,12}") {
            if let Ok(date) = HttpDate::parse(&text) {
                prop_assert_eq!(HttpDate::parse(&date.to_string()), Ok(date));
            }
        }
    }
}
