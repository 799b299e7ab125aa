//! Events that clients write.

use anyhow::Context as _;
use calendar_client::runtime::wire::DateTime;
use calendar_client::types::{Event, EventDateTime};

/// Generates a unique identifier.
pub fn id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns an event of one of the 744 hours in March 2026.
pub fn event(id: &str, summary: &str, number: u32) -> anyhow::Result<Event> {
    let (day, hour) = (number / 24 % 31 + 1, number % 24);
    let time = |minute: u32| {
        let time = DateTime::parse(&format!("2026-03-{day:02}T{hour:02}:{minute:02}:00Z")).context("a time")?;
        anyhow::Ok(EventDateTime::default().with_date_time(time))
    };
    Ok(Event::default()
        .with_id(id)
        .with_summary(summary)
        .with_location("Somewhere")
        .with_description("What it is about, in a sentence or two that people write to each other.")
        .with_start(time(0)?)
        .with_end(time(45)?))
}
