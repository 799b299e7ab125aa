//! Validates a calendar event with every compared implementation, and prints the durations.

mod alloc;
mod by_hand;
mod peers;
mod rounds;

use std::hint::black_box;

use anyhow::ensure;
use calendar_validation::Validate as _;
use calendar_validation::requests::EventsInsert;
use calendar_validation::runtime::wireform_runtime::{FromWire, json};
use calendar_validation::types::Event;
use limits_validation::Validate as _;
use serde_json::Value;

use alloc::count;
use by_hand::{Handwritten, Library};
use rounds::{Rounds, Side};

#[global_allocator]
static ALLOCATOR: alloc::CountingAllocator = alloc::CountingAllocator;

const EVENT: &str = include_str!("event.json");
const SCHEMA: &str = include_str!("limits.json");
/// Replacements that violate four constraints.
const BROKEN: [(&str, &str); 4] = [
    ("\"id\":\"k3v0", "\"id\":\"K3V0"),
    ("li.wei@example.com", "li.wei.example.com"),
    ("\"minutes\":1440", "\"minutes\":50000"),
    ("\"uri\":\"https://meet.example.com/", "\"uri\":\"meet.example.com/ "),
];
/// Replacements that make the event valid for creation: a new event has only one identifier and no responses of
/// attendees.
const NEW: [(&str, &str); 4] = [
    ("\"iCalUID\":\"k3v0q8a1m9t2h5c7r4p6n1s8d0@example.com\",", ""),
    ("\"accepted\"", "\"needsAction\""),
    ("\"tentative\"", "\"needsAction\""),
    ("\"declined\"", "\"needsAction\""),
];

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let pairs = arguments.next().map_or(Ok(25), |pairs| pairs.parse())?;
    // Runs only one side, for a profiler.
    if let (Some(side), Some(times)) = (arguments.next(), arguments.next()) {
        return run_side(&side, times.parse()?);
    }
    let event = EVENT.trim_end();
    let broken = replaced(event, &BROKEN);
    limits("limits, all satisfied", event, 0, pairs)?;
    limits("limits, four violations", &broken, 4, pairs)?;
    whole(event, pairs)?;
    bytes(event, pairs)
}

fn replaced(text: &str, replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
}

fn decoded<T: for<'de> FromWire<'de>>(text: &str) -> anyhow::Result<T> {
    Ok(json::from_slice(text.as_bytes())?)
}

fn limits(title: &str, text: &str, expected: usize, pairs: usize) -> anyhow::Result<()> {
    let ours: limits_types::Event = decoded(text)?;
    let theirs: peers::Event = serde_json::from_str(text)?;
    let value: Value = serde_json::from_str(text)?;
    let schema = peers::json_schema(SCHEMA);
    // The other sides validate times by decoding them.
    let untimed = peers::json_schema(&SCHEMA.replace(", \"format\": \"date-time\"", ""));
    let found = [
        ours.validate().map_or_else(|violations| violations.count(), |_| 0),
        by_hand::check::<Handwritten>(&ours).len(),
        by_hand::check::<Library>(&ours).len(),
        peers::garde_count(&theirs),
        peers::validator_count(&theirs),
        schema.iter_errors(&value).count(),
        untimed.iter_errors(&value).count(),
    ];
    ensure!(found.iter().all(|found| *found == expected), "{title}: found {found:?}, expected {expected} each");
    let sides = vec![
        Side::batch("ours", || black_box(&ours).validate()),
        Side::batch("by hand", || by_hand::check::<Handwritten>(black_box(&ours))),
        Side::batch("by hand, formats of the library", || by_hand::check::<Library>(black_box(&ours))),
        Side::batch("garde", || garde::Validate::validate(black_box(&theirs))),
        Side::batch("validator", || validator::Validate::validate(black_box(&theirs))),
        Side::batch("jsonschema, all errors", || schema.iter_errors(black_box(&value)).collect::<Vec<_>>().len()),
        Side::batch("jsonschema, times unchecked", || untimed.iter_errors(black_box(&value)).collect::<Vec<_>>().len()),
        Side::batch("jsonschema, yes or no", || schema.is_valid(black_box(&value))),
    ];
    Rounds::measure(pairs, sides)?.print(title);
    let allocations = [
        ("ours", count(|| black_box(ours.validate()).is_ok()).1),
        ("by hand", count(|| black_box(by_hand::check::<Handwritten>(&ours)).len()).1),
        ("garde", count(|| black_box(garde::Validate::validate(&theirs)).is_ok()).1),
        ("validator", count(|| black_box(validator::Validate::validate(&theirs)).is_ok()).1),
        ("jsonschema", count(|| schema.iter_errors(&value).count()).1),
    ];
    print_allocations(&allocations);
    Ok(())
}

/// Measures every rule of the calendar schema for an event.
fn whole(text: &str, pairs: usize) -> anyhow::Result<()> {
    let new = replaced(text, &NEW);
    let limits: limits_types::Event = decoded(text)?;
    let new_limits: limits_types::Event = decoded(&new)?;
    let value: Event = decoded(text)?;
    let request = insert(&new)?;
    let value_result = value.validate();
    ensure!(value_result.as_ref().is_ok_and(|warnings| warnings.is_empty()), "the value: {value_result:?}");
    let request_result = request.validate();
    ensure!(request_result.as_ref().is_ok_and(|warnings| warnings.is_empty()), "the request: {request_result:?}");
    let sides = vec![
        Side::batch("ours, all rules", || black_box(&value).validate()),
        Side::batch("by hand, the limits only", || by_hand::check::<Handwritten>(black_box(&limits))),
    ];
    Rounds::measure(pairs, sides)?.print("whole rule set, a value by itself");
    print_allocations(&[("ours", count(|| black_box(value.validate()).is_ok()).1)]);
    let sides = vec![
        Side::batch("ours, all rules", || black_box(&request).validate()),
        Side::batch("by hand, the limits only", || by_hand::check::<Handwritten>(black_box(&new_limits))),
    ];
    Rounds::measure(pairs, sides)?.print("whole rule set, a request of events.insert");
    print_allocations(&[("ours", count(|| black_box(request.validate()).is_ok()).1)]);
    Ok(())
}

/// Creates the insert request of an event with all parameters that enable its parts.
fn insert(text: &str) -> anyhow::Result<EventsInsert> {
    let mut request = EventsInsert::new("primary", decoded::<Event>(text)?);
    request.conference_data_version = Some(1);
    request.supports_attachments = Some(true);
    Ok(request)
}

/// Measures validation from text.
fn bytes(text: &str, pairs: usize) -> anyhow::Result<()> {
    let bytes = text.as_bytes();
    ensure!(calendar_validation::read::<Event>(bytes).is_ok(), "the event is refused");
    let sides = vec![
        Side::batch("decoded and checked, all rules", || calendar_validation::read::<Event>(black_box(bytes))),
        Side::batch("decoded", || json::from_slice::<Event>(black_box(bytes))),
        Side::batch("decoded, then checked separately", || {
            let event = json::from_slice::<Event>(black_box(bytes));
            (event.as_ref().is_ok_and(|event| event.validate().is_ok()), event)
        }),
    ];
    Rounds::measure(pairs, sides)?.print("from text");
    println!();
    Ok(())
}

fn print_allocations(sides: &[(&str, alloc::Allocations)]) {
    let texts: Vec<String> =
        sides.iter().map(|(name, side)| format!("{name} {} ({} bytes)", side.calls, side.bytes)).collect();
    println!("  allocations: {}\n", texts.join(", "));
}

/// Runs one side repeatedly.
fn run_side(side: &str, times: usize) -> anyhow::Result<()> {
    let text = EVENT.trim_end();
    let limits: limits_types::Event = decoded(text)?;
    let broken: limits_types::Event = decoded(&replaced(text, &BROKEN))?;
    let value: Event = decoded(text)?;
    let request = insert(&replaced(text, &NEW))?;
    for _ in 0..times {
        match side {
            "ours" => drop(black_box(limits_validation::Validate::validate(black_box(&limits)))),
            "by-hand" => drop(black_box(by_hand::check::<Handwritten>(black_box(&limits)))),
            "library" => drop(black_box(by_hand::check::<Library>(black_box(&limits)))),
            "broken" => drop(black_box(limits_validation::Validate::validate(black_box(&broken)))),
            "broken-by-hand" => drop(black_box(by_hand::check::<Handwritten>(black_box(&broken)))),
            "read" => drop(black_box(calendar_validation::read::<Event>(black_box(text.as_bytes())))),
            "decode" => drop(black_box(json::from_slice::<Event>(black_box(text.as_bytes())))),
            "value" => drop(black_box(black_box(&value).validate())),
            "insert" => drop(black_box(black_box(&request).validate())),
            _ => anyhow::bail!("no such side"),
        }
    }
    Ok(())
}
