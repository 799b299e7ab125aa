//! Rules and dates of series.

use calendar_server::types::Event;
use wireform_recurrence::Recurrence;

use super::super::component::Component;
use super::super::content::Property;
use super::super::losses::Losses;
use super::super::zones::Zone;
use super::CalendarContext;
use crate::series::{Rule, Steps};

/// Maximum number of recurrence lines of a series.
const MAX_LINES: usize = 50;

/// Reads rules and dates. Unusable lines are recorded as losses; an event without usable lines is a single event.
pub(super) fn read(part: &Component, context: &CalendarContext<'_>, event: &mut Event, losses: &mut Losses) {
    let mut lines: Vec<String> = Vec::new();
    let rules = part.properties.iter().filter(|line| matches!(&*line.name, "RRULE" | "EXRULE" | "RDATE" | "EXDATE"));
    for property in rules {
        if event.original_start_time.is_some() {
            losses.add(property.line, &property.name, "an instance of a recurring event cannot have a recurrence");
            continue;
        }
        let line = normalize_line(property, context);
        if let Err(error) = Recurrence::parse([&line]) {
            losses.add(property.line, &property.name, error.to_string());
        } else if !merge_dates(&mut lines, &line) && lines.len() < MAX_LINES {
            lines.push(line);
        } else if lines.len() >= MAX_LINES {
            losses.add(
                property.line,
                &property.name,
                format!("an event can have at most {MAX_LINES} recurrence lines"),
            );
        }
    }
    if lines.iter().all(|line| line.starts_with('E')) {
        lines.clear();
    }
    if lines.is_empty() {
        return;
    }
    // Instances of a series need a zone.
    for time in [&mut event.start, &mut event.end].into_iter().flatten() {
        if time.date_time.is_some() && time.time_zone.is_none() {
            time.time_zone = Some("UTC".to_owned());
        }
    }
    event.recurrence = lines;
    if let Err(error) = Rule::from_event(event, context.zone).and_then(|rule| rule.series(&Steps::unlimited())) {
        let reason = crate::write::recurrence_error(error).message().to_owned();
        losses.add(part.line, "RRULE", format!("the series is kept as a single event: {reason}"));
        event.recurrence.clear();
    }
}

/// Returns a line without irrelevant parameters.
fn normalize_line(property: &Property, context: &CalendarContext<'_>) -> String {
    let mut line = property.name.clone();
    if matches!(&*property.name, "RDATE" | "EXDATE") {
        if let Some(value) = property.parameter("VALUE") {
            line.push_str(&format!(";VALUE={}", value.to_ascii_uppercase()));
        }
        if let Some(id) = property.parameter("TZID") {
            let name = match context.zones.get(id) {
                Zone::Named(name) => name,
                _ => context.zone.to_owned(),
            };
            line.push_str(&format!(";TZID={name}"));
        }
    }
    line.push(':');
    line.push_str(property.value.trim());
    line
}

/// Merges the dates of a line into one with the same parameters: some files have a line for each date.
fn merge_dates(lines: &mut [String], line: &str) -> bool {
    let Some((head, dates)) = line.split_once(':').filter(|(head, _)| head.contains("DATE")) else { return false };
    let known = lines.iter_mut().find(|known| known.split_once(':').is_some_and(|(known, _)| known == head));
    known.is_some_and(|known| {
        known.push(',');
        known.push_str(dates);
        true
    })
}
