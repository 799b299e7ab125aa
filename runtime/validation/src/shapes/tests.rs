use wireform_runtime::operation::{Parameter, ScopeNeed};

use super::*;
use crate::at::At;
use crate::checker::Checker;
use crate::context::Context;
use crate::validates::Validates;

static EVENT: Shape = Shape::new("Event", &["id", "start", "guests", "labels"]).holding(&[
    ("start", Inner::Shape(&TIME)),
    ("guests", Inner::Shape(&EVENT)),
    ("labels", Inner::Map(&Inner::Shape(&TIME))),
]);

static TIME: Shape = Shape::new("Time", &["date", "zone"]);

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
        members: &[&[("Event", "\tevent.yaml:1\nid\tevent.yaml:3")], &[("Time", "\ttime.yaml:1\nzone\ttime.yaml:4")]],
    };

    /// Missing fields, in reverse order.
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

/// Unknown fields at all levels; each order of indices can be sorted.
struct Unknown<'a>(&'a [(&'static str, usize)]);

impl Validates<()> for Unknown<'_> {
    fn check(&self, (): &(), at: At<'_>, checker: &mut Checker<'_>) {
        for (name, index) in self.0 {
            let list = at.member(name);
            checker.required(list.index(*index), false);
        }
    }
}

#[test]
fn what_is_not_known_can_be_sorted_all_the_same() {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let mut state = 1_usize;
    for _ in 0..200 {
        let mut places: Vec<(&'static str, usize)> = Vec::new();
        for _ in 0..100 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            places.push((NAMES[(state >> 33) % NAMES.len()], (state >> 40) % 50));
        }
        let Err(violations) = Unknown(&places).validate(&(), Context::VALUE) else { panic!("all is missing") };
        let reported: Vec<String> = violations.iter().map(|one| one.path.to_string()).collect();
        // They keep the order of the checks.
        assert_eq!(reported, places.iter().map(|(name, index)| format!("{name}[{index}]")).collect::<Vec<_>>());
    }
}

#[test]
fn what_is_not_known_further_down_can_be_sorted_all_the_same() {
    let mut steps = Vec::new();
    for number in 0..90_usize {
        let last = match number % 3 {
            0 => PathStep::Index(90 - number),
            1 => PathStep::Member(["x", "y", "z"][number % 7 % 3].into()),
            _ => PathStep::Key(format!("{}", 90 - number)),
        };
        let first = ["id", "odd", "even"][number % 11 % 3];
        let mut path = Path::new(Within::Body);
        path.push(PathStep::Member(first.into()));
        path.push(last);
        path.push(PathStep::Index(number * 7 % 13));
        steps.push(path);
    }
    for a in &steps {
        for b in &steps {
            let order = compare(a, b, None, Some(&EVENT));
            assert_eq!(order, compare(b, a, None, Some(&EVENT)).reverse(), "{a} {b}");
            for c in &steps {
                if order.is_le() && compare(b, c, None, Some(&EVENT)).is_le() {
                    assert!(compare(a, c, None, Some(&EVENT)).is_le(), "{a} {b} {c}");
                }
            }
        }
    }
}
