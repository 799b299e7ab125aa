//! Recurrence lines: every rule that other implementations expand is valid, except for the listed ones.

use wireform_test_data::requires;
use wireform_validation::__private::formats::{is_recurrence_line, is_time_zone};

use super::{check_cases, list, shared, string_field};

/// Returns the lines of a set of rules.
fn lines(set: &serde_json::Value) -> impl Iterator<Item = String> {
    list(set).iter().flat_map(|case| list(&case["recurrence"])).map(|line| line.as_str().expect("a line").to_owned())
}

/// Parts that RFC 5545, section 3.3.10, forbids with these frequencies, although dateutil expands them.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("BYWEEKNO=", &["MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]),
    ("BYYEARDAY=", &["MONTHLY", "WEEKLY", "DAILY"]),
    ("BYMONTHDAY=", &["WEEKLY"]),
];

fn is_forbidden(line: &str) -> bool {
    FORBIDDEN.iter().any(|(part, frequencies)| {
        line.contains(part) && frequencies.iter().any(|frequency| line.contains(&format!("FREQ={frequency};")))
    })
}

#[requires("corpora/rrule")]
#[test]
fn dateutil_rules() {
    let set = shared("rrule/dateutil-rrule.json");
    let cases = lines(&set).map(|line| {
        let (theirs, ours) = (!is_forbidden(&line), is_recurrence_line(&line));
        (line, theirs, ours)
    });
    check_cases(cases.collect(), 233, &[]);
}

#[requires("corpora/rrule")]
#[test]
fn rules_in_zones() {
    let set = shared("rrule/tz-recurrence.json");
    let cases = lines(&set).map(|line| {
        let ours = is_recurrence_line(&line);
        (line, true, ours)
    });
    check_cases(cases.collect(), 149, &[]);
    for case in list(&set) {
        assert!(is_time_zone(string_field(case, "tzid")), "{case}");
    }
}

const SPACES: &str = "section 3.1: there are no spaces around a line";
const OTHER_LINE: &str = "the text is refused for its DTSTART, which is another line";
const WEEKDAY: &str =
    "RRULE:FREQ=YEARLY;COUNT=3;INTERVAL=3;BYMONTH=3;BYWEEKDAY=TH;BYMONTHDAY=3;BYHOUR=3;BYMINUTE=3;BYSECOND=3";

/// Checks each line of texts with several lines, except `DTSTART`.
#[requires("corpora/rrule")]
#[test]
fn dateutil_texts() {
    let set = shared("rrule/dateutil-rrulestr.json");
    let mut cases = Vec::new();
    for case in list(&set) {
        let valid = case.get("dateutil_rejects").is_none_or(serde_json::Value::is_null);
        for line in string_field(case, "text").lines().filter(|line| !line.to_ascii_uppercase().starts_with("DTSTART"))
        {
            cases.push((line.to_owned(), valid, is_recurrence_line(line)));
        }
    }
    let differing = [
        (" DTSTART:19970902T090000  RRULE:FREQ=YEARLY;COUNT=3 ", SPACES),
        (" DTSTART:19970902T090000 ", SPACES),
        (" ", SPACES),
        (" RRULE:FREQ=YEARLY;COUNT=3 ", SPACES),
        ("FREQ=YEARLY;COUNT=3", "section 3.1: a line has the name of its property"),
        (WEEKDAY, "section 3.3.10: the part is called BYDAY"),
        ("RRULE:FREQ=YEARLY;COUNT=1", OTHER_LINE),
        ("RRULE:FREQ=YEARLY;UNTIL=19990101T000000;BYDAY=1TU,-1TH", OTHER_LINE),
    ];
    check_cases(cases, 26, &differing);
}
