use wireform_runtime::operation::{Parameter, ScopeNeed};

use super::*;
use crate::at::At;
use crate::checker::Checker;
use crate::context::Context;
use crate::validates::Validates;

static EVENT: Shape = Shape {
    name: "Event",
    members: &["id", "start", "guests", "labels"],
    inner: &[(1, Inner::Shape(&TIME)), (2, Inner::Shape(&EVENT)), (3, Inner::Map(&Inner::Shape(&TIME)))],
};

static TIME: Shape = Shape { name: "Time", members: &["date", "zone"], inner: &[] };

static OPERATION: Operation = Operation {
    name: "events.list",
    method: "GET",
    path: &[],
    verb: None,
    parameters: &[Parameter::path("calendarId"), Parameter::query("maxResults"), Parameter::header("If-Match")],
    scopes: ScopeNeed::None,
    api_key: false,
    safe: true,
    idempotent: true,
    cost: 1,
};

struct Rules;

impl Validates<()> for Rules {
    const SHAPE: Option<&'static Shape> = Some(&EVENT);
    const SOURCES: &'static Sources = &Sources {
        members: &[
            ("Event", "", "event.yaml:1"),
            ("Event", "id", "event.yaml:3"),
            ("Time", "", "time.yaml:1"),
            ("Time", "zone", "time.yaml:4"),
        ],
    };

    /// What is missing, from the last to the first.
    fn check(&self, (): &(), at: At<'_>, checker: &mut Checker<'_>) {
        let (start, guests, labels) = (at.member("start"), at.member("guests"), at.member("labels"));
        for missing in [
            labels.key("b").member("zone"),
            labels.key("a").member("zone"),
            guests.index(10).member("id"),
            guests.index(9).member("start"),
            guests.index(9).member("id"),
            guests,
            start.member("zone"),
            start.member("date"),
            start,
            at.member("id"),
            at,
            At::header("If-Match"),
            At::parameter("maxResults"),
            At::parameter("calendarId"),
        ] {
            checker.required(missing, false);
        }
    }
}

#[test]
fn violations_come_in_the_order_of_the_document_with_the_lines_of_the_schema() {
    let Err(violations) = Rules.validate(&(), Context::request(&OPERATION, 0)) else { panic!("all is missing") };
    let places: Vec<(String, Option<&str>)> = violations.iter().map(|v| (v.path.to_string(), v.schema)).collect();
    let expected = [
        ("calendarId", None),
        ("maxResults", None),
        ("If-Match", None),
        ("", Some("event.yaml:1")),
        ("id", Some("event.yaml:3")),
        ("start", Some("event.yaml:1")),
        ("start.date", Some("time.yaml:1")),
        ("start.zone", Some("time.yaml:4")),
        ("guests", Some("event.yaml:1")),
        ("guests[9].id", Some("event.yaml:3")),
        ("guests[9].start", Some("event.yaml:1")),
        ("guests[10].id", Some("event.yaml:3")),
        ("labels.a.zone", Some("time.yaml:4")),
        ("labels.b.zone", Some("time.yaml:4")),
    ];
    assert_eq!(places, expected.map(|(path, line)| (path.to_owned(), line)));
}
