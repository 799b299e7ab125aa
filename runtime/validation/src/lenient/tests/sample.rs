//! Event with its rules, as in generated code.

use std::collections::BTreeMap;

use wireform_runtime::__private::{MapAccess, Object, SerializeMap, read_value, skip_value};
use wireform_runtime::fields::{FieldContent, Shape};
use wireform_runtime::operation::{AuthRequirement, Operation};
use wireform_runtime::{DateTime, Decimal, Value};

use crate::checker::Checker;
use crate::context::ValidationContext;
use crate::lenient::{ReadOptions, read_body};
use crate::location::Location;
use crate::rule::Rule;
use crate::violations::{Violations, Warnings};

/// Event, as in generated code.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Event {
    pub(super) id: Option<String>,
    pub(super) sequence: Option<i32>,
    pub(super) start: Option<Box<Event>>,
    pub(super) time: Option<DateTime>,
    pub(super) guests: Vec<Event>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) extra: Option<Value>,
    pub(super) count: Option<Decimal<u64>>,
}

impl Object for Event {
    const NAME: &'static str = "Event";
    const FIELDS: &'static [&'static str] = &["id", "sequence", "start", "time", "guests", "labels", "extra", "count"];

    fn index(name: &str) -> Option<usize> {
        let name = if name == "guest" { "guests" } else { name };
        Self::FIELDS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.id),
            1 => read_value(map, &mut self.sequence),
            2 => read_value(map, &mut self.start),
            3 => read_value(map, &mut self.time),
            4 => read_value(map, &mut self.guests),
            5 => read_value(map, &mut self.labels),
            6 => read_value(map, &mut self.extra),
            7 => read_value(map, &mut self.count),
            _ => skip_value(map),
        }
    }

    fn write<M: SerializeMap>(&self, _map: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

wireform_runtime::object!(Event);

pub(super) static SHAPE: Shape = Shape::new("Event", Event::FIELDS).with_contents(&[
    ("start", FieldContent::Shape(&SHAPE)),
    ("guests", FieldContent::Shape(&SHAPE)),
    ("labels", FieldContent::Map(&FieldContent::Leaf)),
    ("extra", FieldContent::Any),
]);

pub(super) static ORDER: Rule =
    Rule::new("event.order", "has a time and a start").at(&["start"]).reads(&["time", "start"]);

pub(super) fn check(event: &Event, at: Location<'_>, checker: &mut Checker<'_>) {
    checker.required(at.field("id"), event.id.is_some());
    if let Some(id) = &event.id {
        checker.length(at.field("id"), id, 2, 4);
    }
    if let Some(start) = &event.start {
        check(start, at.field("start"), checker);
    }
    let guests = at.field("guests");
    checker.items(guests, event.guests.len(), 0, 3);
    for (index, guest) in event.guests.iter().enumerate() {
        check(guest, guests.index(index), checker);
    }
    for (key, label) in &event.labels {
        checker.length(at.field("labels").key(key), label, 1, 2);
    }
    checker.rule(at, &ORDER, Ok(event.time.is_none() || event.start.is_some()));
}

pub(super) fn reading() -> ReadOptions<'static> {
    ReadOptions { shape: Some(&SHAPE), ..ReadOptions::new(ValidationContext::VALUE) }
}

pub(super) fn read_event(text: &[u8], reading: &ReadOptions<'_>) -> Result<(Event, Warnings), Violations> {
    read_body(text, reading, |event: Event, checker| {
        check(&event, Location::BODY, checker);
        event
    })
}

pub(super) fn messages(text: &str) -> Vec<String> {
    match read_event(text.as_bytes(), &reading()) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(ToString::to_string).collect(),
    }
}

pub(super) static DROPPING: Shape = Shape::new("Event", Event::FIELDS)
    .with_contents(&[
        ("start", FieldContent::Shape(&DROPPING)),
        ("guests", FieldContent::Shape(&DROPPING)),
        ("labels", FieldContent::Map(&FieldContent::Leaf)),
    ])
    .with_dropped(&[("sequence", &[]), ("time", &["events.import"])]);

/// Request of the operation.
pub(super) fn options_of_operation(name: &'static str) -> ReadOptions<'static> {
    let operation = Operation { name, ..OPERATION };
    ReadOptions {
        shape: Some(&DROPPING),
        ..ReadOptions::new(ValidationContext::request(Box::leak(Box::new(operation)), 0))
    }
}

pub(super) const OPERATION: Operation = Operation {
    name: "",
    method: "POST",
    path: &[],
    verb: None,
    parameters: &[],
    scopes: AuthRequirement::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 1,
};
