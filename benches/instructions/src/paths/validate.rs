//! Validation of an event by all rules of the schema, compared with a handwritten function that checks only the limits.

use std::hint::black_box;

use anyhow::{Result, anyhow, ensure};
use calendar_types::Event;
use calendar_validation::Validate as _;
use wireform_fixtures::EVENT;
use wireform_runtime::json;

use crate::checks_by_hand::{Handwritten, Violation, check};
use crate::meter::measure;

/// Replacements that violate four constraints, three of which are formats.
const BROKEN: [(&str, &str); 4] = [
    ("\"timeZone\":\"Europe/Zurich\"},\"end\"", "\"timeZone\":\"Europe/Zuerich\"},\"end\""),
    ("li.wei@example.com", "li.wei.example.com"),
    ("\"minutes\":1440", "\"minutes\":50000"),
    ("https://drive.example.com/", "https://drive.example.com/ "),
];

pub fn ours(repetitions: u32) -> Result<()> {
    let event: Event = json::from_str(EVENT)?;
    measure(repetitions, || black_box(&event).validate().map_err(|violations| anyhow!("{violations:?}")))
}

pub fn by_hand(repetitions: u32) -> Result<()> {
    let event: Event = json::from_str(EVENT)?;
    measure(repetitions, || {
        let violations = check::<Handwritten>(black_box(&event));
        ensure!(violations.is_empty(), "{violations:?}");
        Ok(())
    })
}

/// Reports four violations. Both sides report the same paths and rules, each with a message.
pub fn broken(repetitions: u32) -> Result<()> {
    let event = broken_event()?;
    measure(repetitions, || match black_box(&event).validate() {
        Ok(warnings) => Err(anyhow!("there are only warnings: {warnings}")),
        Err(violations) => Ok(violations),
    })
}

pub fn broken_by_hand(repetitions: u32) -> Result<()> {
    let event = broken_event()?;
    measure(repetitions, || Ok(check::<Handwritten>(black_box(&event))))
}

fn broken_event() -> Result<Event> {
    let text = BROKEN.iter().fold(EVENT.to_owned(), |text, (valid, invalid)| text.replacen(valid, invalid, 1));
    let event: Event = json::from_str(&text)?;
    let found = event.validate().err().unwrap_or_default();
    let found: Vec<_> = found.iter().map(|violation| (violation.path.to_string(), violation.rule)).collect();
    let by_hand = check::<Handwritten>(&event);
    let by_hand: Vec<_> = by_hand.into_iter().map(|Violation { path, rule, .. }| (path, rule)).collect();
    ensure!(found.len() == BROKEN.len() && found == by_hand, "found {found:?}, by hand {by_hand:?}");
    Ok(event)
}
