//! Names of months and weekdays.

use wireform_recurrence::jiff::civil::Weekday;

/// Names of the months in lower case, January first.
pub(super) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Weekdays with their names in lower case, Monday first.
pub(super) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// Returns whether a word is one of these names, without regard to case.
pub(super) fn is_name(word: &str) -> bool {
    let is_word = |name: &&str| name.eq_ignore_ascii_case(word);
    MONTHS.iter().any(&is_word) || WEEKDAYS.iter().any(|(name, _)| is_word(name))
}
