//! Days and seconds of the proleptic Gregorian calendar as plain numbers.
//!
//! A local time is the number of seconds since 1970-01-01T00:00:00 on a clock that shows it, without a zone. An
//! expansion visits thousands of them, so it calculates with numbers and converts what it returns.

use jiff::civil::{Date, DateTime, Time, Weekday};

/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;
/// The last year that a date can be written in.
pub(crate) const MAX_YEAR: i32 = 9_999;
/// Days from March 1 of the year 0 to 1970-01-01.
const MARCH_OF_YEAR_0: i32 = 719_468;
/// Days before each month of a common year and of a leap year, the year's length at the end.
const BEFORE_MONTH: [[u16; 13]; 2] = [
    [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365],
    [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366],
];

pub(crate) const fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days before each month of a year, and the length of the year as the last entry.
pub(crate) const fn before_month(year: i32) -> &'static [u16; 13] {
    if is_leap(year) { &BEFORE_MONTH[1] } else { &BEFORE_MONTH[0] }
}

/// Returns the day of January 1, in days since 1970-01-01.
pub(crate) const fn first_of_year(year: i32) -> i32 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

/// Returns the first day of a month, which is counted in months since the year 0.
pub(crate) fn first_of_month(month: i64) -> i64 {
    let year = i32::try_from(month.div_euclid(12)).unwrap_or(i32::MAX / 400);
    let index = usize::try_from(month.rem_euclid(12)).unwrap_or(0);
    i64::from(first_of_year(year)) + i64::from(before_month(year)[index])
}

/// Returns the year that contains a day.
pub(crate) fn year_of(day: i64) -> i32 {
    // The estimate is at most a year off, since the average year has 365.2425 days.
    let estimate = (day * 400).div_euclid(146_097) + 1970;
    let year = i32::try_from(estimate).unwrap_or(MAX_YEAR + 1);
    if day < i64::from(first_of_year(year)) {
        year - 1
    } else if day >= i64::from(first_of_year(year + 1)) {
        year + 1
    } else {
        year
    }
}

/// Returns the month that contains a day, counted in months since the year 0.
pub(crate) fn month_of(day: i64) -> i64 {
    let year = year_of(day);
    let index = day - i64::from(first_of_year(year));
    let months = before_month(year)[1..].iter().take_while(|&&before| i64::from(before) <= index).count();
    i64::from(year) * 12 + i64::try_from(months).unwrap_or(0)
}

/// Returns the weekday of a day, Monday as 0.
pub(crate) const fn weekday_of(day: i64) -> u8 {
    // 1970-01-01 was a Thursday. The remainder is below 7.
    (day + 3).rem_euclid(7) as u8
}

/// Returns the offset of a weekday from Monday.
pub(crate) fn weekday_index(weekday: Weekday) -> u8 {
    weekday.to_monday_zero_offset().unsigned_abs()
}

/// Returns the days from 1970-01-01 to a date.
pub(crate) fn day_of(date: Date) -> i64 {
    i64::from(first_of_year(i32::from(date.year()))) + i64::from(date.day_of_year()) - 1
}

/// Returns a date and time as seconds; fractions of seconds are cut off.
pub(crate) fn local_of(time: DateTime) -> i64 {
    let (hour, minute, second) = (i64::from(time.hour()), i64::from(time.minute()), i64::from(time.second()));
    day_of(time.date()) * DAY + hour * 3_600 + minute * 60 + second
}

/// Returns the date of a number of days. Days out of jiff's range become its default date.
pub(crate) fn to_date(day: i64) -> Date {
    // Years that begin in March: the leap day is the last of its year, and months have a regular pattern of lengths.
    let days = day + i64::from(MARCH_OF_YEAR_0);
    let cycle = days.div_euclid(146_097);
    // Division is cheaper with half of the bits, and this is done for each returned instance.
    let of_cycle = u32::try_from(days - cycle * 146_097).unwrap_or(0);
    let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = i16::try_from(cycle * 400 + i64::from(year) + next);
    // A month and a day are below 32.
    year.ok().and_then(|year| Date::new(year, month as i8, day as i8).ok()).unwrap_or_default()
}

/// Returns the date and time of a number of seconds.
pub(crate) fn to_datetime(local: i64) -> DateTime {
    let second = u32::try_from(local.rem_euclid(DAY)).unwrap_or(0);
    // Hours, minutes and seconds are below 60.
    let part = |value: u32| value as i8;
    let time = Time::new(part(second / 3_600), part(second / 60 % 60), part(second % 60), 0);
    to_date(local.div_euclid(DAY)).to_datetime(time.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_agree_with_jiff() {
        let (mut day, mut number) = (date(1895, 12, 30), day_of(date(1895, 12, 30)));
        assert_eq!(day_of(date(1970, 1, 1)), 0);
        while day < date(2105, 1, 3) {
            assert_eq!((day_of(day), to_date(number)), (number, day));
            assert_eq!(weekday_of(number), weekday_index(day.weekday()), "{day}");
            assert_eq!(year_of(number), i32::from(day.year()));
            assert_eq!(month_of(number), i64::from(day.year()) * 12 + i64::from(day.month()) - 1);
            assert_eq!(first_of_month(month_of(number)), day_of(day.first_of_month()));
            (day, number) = (day + 1.day(), number + 1);
        }
    }

    #[test]
    fn year_of_agrees_for_all_days() {
        for year in 0..=MAX_YEAR {
            let (first, next) = (i64::from(first_of_year(year)), i64::from(first_of_year(year + 1)));
            assert_eq!((year_of(first), year_of(next - 1)), (year, year));
            assert_eq!(next - first, if is_leap(year) { 366 } else { 365 });
        }
        assert_eq!(to_date(day_of(date(9999, 12, 31))), date(9999, 12, 31));
    }

    #[test]
    fn times_round_trip() {
        let time = date(2026, 3, 29).at(2, 30, 59, 0);
        assert_eq!(to_datetime(local_of(time)), time);
        let early = date(1901, 1, 1).at(23, 59, 59, 999);
        assert_eq!(to_datetime(local_of(early)), date(1901, 1, 1).at(23, 59, 59, 0));
    }
}
