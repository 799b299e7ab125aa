//! Tests with rules of public test data.

use std::path::PathBuf;

use serde_json::Value;
use wireform_test_data::requires;

use crate::support::{first, set};

fn corpus(file: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/rrule").join(file);
    serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Returns the number after `COUNT=`.
fn count(lines: &[&str]) -> Option<usize> {
    let (_, after) = lines[0].split_once("COUNT=")?;
    after.split(';').next()?.parse().ok()
}

/// Adds the start, which is an instance here and counts, even if its rule does not match it.
fn with_start<'v>(start: &'v str, mut instances: Vec<&'v str>, count: Option<usize>) -> Vec<&'v str> {
    if instances.first() != Some(&start) {
        instances.insert(0, start);
    }
    instances.truncate(count.unwrap_or(usize::MAX));
    instances
}

#[requires("corpora/rrule")]
#[test]
fn rules_on_floating_times() {
    let mut checked = 0;
    for case in corpus("dateutil-rrule.json") {
        let (start, lines) = (case["dtstart"].as_str().unwrap(), texts(&case["recurrence"]));
        let found = first(1_000, start, &lines);
        let expected = match case["name"].as_str().unwrap() {
            // Without a weekday in the rule, that of the start is used.
            "testYearlyByWeekNo" => vec!["19970902T090000", "19980512T090000", "19990518T090000"],
            _ => with_start(start, texts(&case["instances"]), count(&lines)),
        };
        assert_eq!(found, expected, "{case}");
        checked += 1;
    }
    println!("{checked} rules");
}

#[requires("corpora/rrule")]
#[test]
fn rules_in_zones() {
    for case in corpus("tz-recurrence.json") {
        let start = format!("{} {}", case["dtstart"].as_str().unwrap(), case["tzid"].as_str().unwrap());
        let set = set(&start, &texts(&case["recurrence"]));
        let instants = set.occurrences().map(|occurrence| occurrence.timestamp().unwrap());
        let found: Vec<String> = instants.map(|instant| instant.strftime("%Y%m%dT%H%M%SZ").to_string()).collect();
        // The corpus has the zones of tzdata 2025b. Morocco has abolished its summer time since.
        let changed = |utc: &str| start.ends_with("Africa/Casablanca") && utc > "20260101";
        for (found, expected) in found.iter().zip(texts(&case["utc"])) {
            assert!(found == expected || changed(expected), "{found}, and not {expected}: {case}");
        }
        assert_eq!(found.len(), texts(&case["utc"]).len(), "{case}");
        assert_eq!(set.last().map(|last| last.timestamp()), set.occurrences().last().map(|last| last.timestamp()));
    }
}

#[requires("corpora/rrule")]
#[test]
fn texts_with_a_start() {
    let mut checked = 0;
    for case in corpus("dateutil-rrulestr.json") {
        let text = case["text"].as_str().unwrap();
        let mut lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
        // Invalid content lines, and the syntax of an early draft.
        let lenient = text.starts_with(' ') || text.contains("BYWEEKDAY") || text.contains("\nFREQ=");
        let Some(start) = lines[0].to_ascii_uppercase().starts_with("DTSTART").then(|| lines.remove(0)) else {
            continue;
        };
        let parsed = wireform_recurrence::Recurrence::parse(&lines);
        // A local `UNTIL` in a zone is interpreted in that zone; cases with two starts are skipped.
        let accepted = text.contains("UNTIL=19990101T000000;") || start.contains(',');
        if lenient || (case["first50"].is_null() && !accepted) {
            assert!(parsed.is_err(), "{text}");
            continue;
        }
        let Some(expected) = case["first50"].as_array().map(|_| texts(&case["first50"])) else { continue };
        let (parameters, local) = start.split_once(':').unwrap();
        let zone = parameters.split_once("TZID=").map(|(_, zone)| format!("{local} {zone}"));
        let local = if local.contains('T') { local.to_owned() } else { format!("{local}T000000") };
        let found = first(50, &zone.unwrap_or_else(|| local.clone()), &lines);
        if lines.iter().filter(|line| line.starts_with("RRULE")).count() == 2 {
            // The start is the one instance of the second rule, `COUNT=1`, which does not match it.
            assert_eq!(found, ["19970902T090000", "19970909T090000"]);
            continue;
        }
        assert_eq!(found, with_start(&local, expected, count(&lines).filter(|_| lines.len() == 1)), "{text}");
        checked += 1;
    }
    println!("{checked} texts");
}
