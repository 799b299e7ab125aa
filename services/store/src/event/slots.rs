//! Index of series by week of the year, and of single events by class of length.

/// Length of a day, in seconds.
const DAY: i64 = 24 * 60 * 60;

/// Maximum distance of a day from 1970, in days: about ten thousand years.
const MAX_DAY: i64 = 4_000_000;

/// Number of slots of a year; the slot with this number means any.
pub(crate) const SLOTS: u8 = 53;

/// Returns the slot of a second within its year: the day of the year divided by seven.
#[must_use]
pub fn week_slot(second: i64) -> u8 {
    let day = second.div_euclid(DAY).clamp(-MAX_DAY, MAX_DAY);
    u8::try_from((day - first_day(year_of(day))) / 7).unwrap_or(0)
}

/// Returns the slots that a time range touches, or `None` if it touches most of them.
pub(crate) fn slots_between(from: i64, to: i64) -> Option<Vec<u8>> {
    let day = |second: i64| second.div_euclid(DAY).clamp(-MAX_DAY, MAX_DAY);
    let (from, to) = (day(from), day(to.saturating_sub(1)));
    if to - from > 180 {
        return None;
    }
    let mut slots: Vec<u8> = (from..=to).map(|day| week_slot(day * DAY)).collect();
    slots.dedup();
    Some(slots)
}

/// Returns the number of days from 1970-01-01 to January 1 of a year.
fn first_day(year: i64) -> i64 {
    let before = year - 1;
    365 * (year - 1970) + (before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)) - 477
}

fn year_of(day: i64) -> i64 {
    // Off by at most one, because leap days are not spread evenly.
    let guess = 1970 + (day * 400).div_euclid(146_097);
    if first_day(guess) > day {
        guess - 1
    } else if first_day(guess + 1) <= day {
        guess + 1
    } else {
        guess
    }
}

/// Returns the length class of an entry.
pub(crate) fn length_class(length: i64) -> i64 {
    LENGTH_CLASSES
        .iter()
        .position(|longest| length <= *longest)
        .map_or(LENGTH_CLASSES.len() as i64, |class| class as i64)
}

/// Class of series, regardless of their length.
pub(crate) const SERIES_CLASS: i64 = 9;

/// Maximum length of each class but the last, in seconds.
pub(crate) const LENGTH_CLASSES: [i64; 3] = [DAY, 16 * DAY, 256 * DAY];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_days_of_years_agree_with_the_calendar() {
        for (year, first) in
            [(1970, 0), (1971, 365), (1972, 730), (1973, 1096), (2000, 10957), (2001, 11323), (1969, -365)]
        {
            assert_eq!(first_day(year), first, "{year}");
        }
        for day in -800_000..3_000_000 {
            let year = year_of(day);
            assert!(first_day(year) <= day && day < first_day(year + 1), "{day} {year}");
        }
    }

    #[test]
    fn a_window_touches_few_slots() {
        assert_eq!(slots_between(0, 7 * DAY), Some(vec![0]));
        assert_eq!(slots_between(3 * DAY, 10 * DAY), Some(vec![0, 1]));
        assert_eq!(slots_between(-DAY, DAY), Some(vec![52, 0]));
        assert_eq!(slots_between(i64::MIN, 0), None);
        assert_eq!(slots_between(i64::MAX, i64::MIN), Some(vec![]));
        assert!(week_slot(i64::MIN) < SLOTS && week_slot(i64::MAX) < SLOTS);
    }
}
