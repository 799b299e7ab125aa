//! Weeks of a year in which a series can have instances, so that the store can skip series without instances in a
//! window.

use std::collections::BTreeSet;

use wireform_recurrence::{Frequency, Recurrence, Rule as Line};
use wireform_store::Span;

use super::{Rule, SeriesError, Steps, slot_set};
use crate::times::DAY;

/// Number of years that include every combination of weekdays and leap days in any century.
const YEARS: i64 = 60;
/// Maximum number of examined instances.
const MAX_INSTANCES: usize = 4_000;
/// Maximum number of slots of a series that is not in all slots.
const MAX_SLOTS: usize = 26;

/// Returns the slots of a rule; empty if there are too many, or if a rule is neither monthly nor yearly.
///
/// The days of a year or month that a rule matches depend only on the weekday of the first day and on leap years, and
/// the months on the interval. So the rule is expanded without its bounds, each year, over all kinds of years.
///
/// If the steps are not enough, the series is in all slots.
pub(super) fn slots_of_rule(rule: &Rule, first: i64, steps: &Steps) -> Result<Vec<u8>, SeriesError> {
    let parsed = Recurrence::parse(&rule.lines)?;
    if !parsed.rules.iter().all(|line| matches!(line.frequency(), Frequency::Yearly | Frequency::Monthly)) {
        return Ok(Vec::new());
    }
    let mut slots = BTreeSet::new();
    // Listed dates, which may be far away.
    let dates: Vec<String> = rule.lines.iter().filter(|line| is_rdate(line)).cloned().collect();
    let rules: Vec<String> = parsed.rules.iter().map(without_bounds).collect();
    let end = first.saturating_add(YEARS * 366 * DAY);
    for (lines, end) in [(&dates, i64::MAX), (&rules, end)] {
        let instances = rule.series_of(lines)?;
        let mut count = 0;
        for instance in instances.instances(i64::MIN, end, steps) {
            count += 1;
            slots.extend(slots_of_span(instance.span));
            if count > MAX_INSTANCES || slots.len() > MAX_SLOTS {
                return Ok(Vec::new());
            }
        }
        if steps.is_over() {
            return Ok(Vec::new());
        }
    }
    Ok(slots.into_iter().collect())
}

/// Returns the slots that an instance touches, with a day on either side.
fn slots_of_span(Span { first, last }: Span) -> BTreeSet<u8> {
    // More days than a year has touch all slots.
    let (first, last) = (first.div_euclid(DAY) - 1, last.div_euclid(DAY) + 1);
    slot_set((first..=last.min(first + 370)).map(|day| day * DAY))
}

/// Returns whether a recurrence line is an `RDATE`.
fn is_rdate(line: &str) -> bool {
    line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case("RDATE"))
}

/// Returns a rule without its bounds, whose interval visits the same months.
fn without_bounds(line: &Line) -> String {
    let text = line.to_string();
    let bounds = ["COUNT=", "UNTIL=", "INTERVAL="];
    let kept: Vec<&str> = text
        .split(';')
        .filter(|part| !bounds.iter().any(|bound| part.to_ascii_uppercase().starts_with(bound)))
        .collect();
    let interval = match line.frequency() {
        Frequency::Monthly => greatest_common_divisor(line.interval(), 12),
        _ => 1,
    };
    format!("RRULE:{};INTERVAL={interval}", kept.join(";"))
}

fn greatest_common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use calendar_server::types::{Event, EventDateTime};

    use super::*;

    fn rule(start: &str, length: i64, lines: &[&str]) -> Rule {
        let time = |text: &str| EventDateTime { date_time: text.parse().ok(), ..EventDateTime::default() };
        let mut event = Event::default().with_recurrence(lines.iter().copied());
        event.start = Some(time(start));
        event.end = Some(time(start));
        let mut rule = Rule::from_event(&event, "Europe/Berlin").unwrap();
        rule.length = length;
        rule
    }

    /// Checks that every instance of a rule is in a slot of the series.
    #[test]
    fn every_instance_is_in_a_slot() {
        let parts = ["", ";COUNT=30", ";UNTIL=20990101T000000Z", ";INTERVAL=3", ";INTERVAL=13;COUNT=40"];
        let rules = [
            "FREQ=YEARLY",
            "FREQ=YEARLY;BYMONTH=5;BYDAY=-1SU",
            "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO",
            "FREQ=YEARLY;BYYEARDAY=-1",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            "FREQ=MONTHLY;BYDAY=2TU",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "FREQ=MONTHLY",
            "FREQ=YEARLY;BYDAY=20MO",
            "FREQ=MONTHLY;BYMONTH=1,7;BYMONTHDAY=31",
        ];
        let mut with_slots = 0;
        for (at, of) in rules.iter().enumerate() {
            for part in parts {
                for start in ["2000-02-29T23:30:00Z", "1990-01-31T12:00:00Z"] {
                    let line = format!("RRULE:{of}{part}");
                    let rule = rule(start, 3_600 * (1 + at as i64 * 10), &[&line, "RDATE:20310704T120000Z"]);
                    let series = rule.series(&Steps::unlimited()).unwrap();
                    let slots = expected_slots(&rule);
                    if slots.is_empty() {
                        continue;
                    }
                    with_slots += 1;
                    for instance in series.instances(i64::MIN, 7_500_000_000, &Steps::unlimited()).take(150) {
                        for day in [instance.span.first, instance.span.last] {
                            let slot = wireform_store::week_slot(day);
                            assert!(slots.contains(&slot), "{line} from {start}: {day} is in slot {slot} of {slots:?}");
                        }
                    }
                }
            }
        }
        assert!(with_slots > 60, "{with_slots} series have slots");
    }

    fn expected_slots(rule: &Rule) -> Vec<u8> {
        let series = rule.series(&Steps::unlimited()).unwrap();
        series.extent(rule, &Steps::unlimited()).unwrap().slots
    }

    #[test]
    fn dense_rules_are_in_all_slots() {
        let start = "2026-03-02T08:00:00Z";
        for line in ["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYMONTH=7", "RRULE:FREQ=SECONDLY"] {
            let rule = rule(start, 60, &[line]);
            assert!(expected_slots(&rule).is_empty(), "{line}");
        }
        let yearly = rule(start, 60, &["RRULE:FREQ=YEARLY"]);
        assert!(expected_slots(&yearly).len() <= 3);
    }
}
