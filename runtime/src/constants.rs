//! Constructors of constants of a schema, such as defaults, which the generator has checked and taken apart, so that
//! nothing is parsed while the program runs.

use crate::big_decimal::BigDecimal;
use crate::date::Date;
use crate::datetime::DateTime;
pub use crate::datetime::UtcOffset;
use crate::duration::Duration;
use crate::exact_number::Number;
use crate::http_date::HttpDate;
use crate::iso_duration::IsoDuration;
use crate::time::Time;

/// Creates a date.
#[must_use]
pub const fn date(year: u16, month: u8, day: u8) -> Date {
    match Date::new(year, month, day) {
        Some(date) => date,
        None => Date::MIN,
    }
}

/// Creates a time of day from the hour, minute and second, the digits of the fraction with their count, and the offset.
#[must_use]
pub const fn time([hour, minute, second]: [u8; 3], (fraction, fraction_digits): (u64, u8), zone: UtcOffset) -> Time {
    Time { fraction, zone, hour, minute, second, fraction_digits }
}

/// Creates a date-time.
#[must_use]
pub const fn date_time(date: Date, time: Time) -> DateTime {
    let Time { fraction, zone, hour, minute, second, fraction_digits } = time;
    DateTime { fraction, date, zone, hour, minute, second, fraction_digits, lowercase_separator: false }
}

/// Creates a duration from its sign, its seconds, and the digits of the fraction with their count.
#[must_use]
pub const fn duration(negative: bool, seconds: u64, fraction: (u32, u8)) -> Duration {
    Duration::of_digits(negative, seconds, fraction)
}

/// Creates a date in HTTP format from the hour, minute and second in UTC.
#[must_use]
pub const fn http_date(date: Date, clock: [u8; 3]) -> HttpDate {
    HttpDate::of_parts(date, clock)
}

/// Creates a duration in ISO 8601 format.
#[must_use]
pub fn iso_duration(text: &str) -> IsoDuration {
    IsoDuration { text: text.into() }
}

/// Creates a decimal number.
#[must_use]
pub fn big_decimal(text: &str) -> BigDecimal {
    BigDecimal { text: text.into() }
}

/// Creates a number of any precision.
#[must_use]
pub fn number(text: &str) -> Number {
    Number::of_text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_values_of_their_texts() {
        let noon = time([12, 0, 0], (250, 3), UtcOffset::West(90));
        assert_eq!(Time::parse("12:00:00.250-01:30"), Ok(noon));
        let day = date(2026, 2, 28);
        assert_eq!(Date::parse("2026-02-28"), Ok(day));
        assert_eq!(DateTime::parse("2026-02-28T12:00:00.250-01:30"), Ok(date_time(day, noon)));
        assert_eq!(Duration::parse("-3.50s"), Ok(duration(true, 3, (50, 2))));
        assert_eq!(HttpDate::parse("Sun, 06 Nov 1994 08:49:37 GMT"), Ok(http_date(date(1994, 11, 6), [8, 49, 37])));
        assert_eq!(IsoDuration::parse("P1DT2H"), Ok(iso_duration("P1DT2H")));
        assert_eq!(BigDecimal::parse("0.10"), Ok(big_decimal("0.10")));
        assert_eq!(Number::parse("1e400"), Ok(number("1e400")));
    }
}
