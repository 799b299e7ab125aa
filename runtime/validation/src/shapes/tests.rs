use wireform_runtime::operation::{AuthRequirement, Parameter};

use super::*;
use crate::checker::Checker;
use crate::context::ValidationContext;
use crate::location::Location;
use crate::validates::Validates;

static EVENT: Shape = Shape::new("Event", &["id", "start", "guests", "labels"]).with_contents(&[
    ("start", FieldContent::Shape(&TIME)),
    ("guests", FieldContent::Shape(&EVENT)),
    ("labels", FieldContent::Map(&FieldContent::Shape(&TIME))),
]);

static TIME: Shape = Shape::new("Time", &["date", "zone"]);

static OPERATION: Operation = Operation {
    name: "events.list",
    method: "GET",
    path: &[],
    verb: None,
    parameters: &[Parameter::path("calendarId"), Parameter::query("maxResults"), Parameter::header("If-Match")],
    scopes: AuthRequirement::None,
    api_key: false,
    safe: true,
    idempotent: true,
    cost: 1,
};

struct Rules;

impl Validates<()> for Rules {
    const SHAPE: Option<&'static Shape> = Some(&EVENT);
    const SOURCES: &'static SourceLines = &SourceLines {
        tables: &[&[("Event", "\tevent.yaml:1\nid\tevent.yaml:3")], &[("Time", "\ttime.yaml:1\nzone\ttime.yaml:4")]],
    };

    /// Missing fields, in reverse order.
    fn check(&self, (): &(), at: Location<'_>, checker: &mut Checker<'_>) {
        let (start, guests, labels) = (at.field("start"), at.field("guests"), at.field("labels"));
        for missing in [
            labels.key("b").field("zone"),
            labels.key("a").field("zone"),
            guests.index(10).field("id"),
            guests.index(9).field("start"),
            guests.index(9).field("id"),
            guests,
            start.field("zone"),
            start.field("date"),
            start,
            at.field("id"),
            at,
            Location::header("If-Match"),
            Location::parameter("maxResults"),
            Location::parameter("calendarId"),
        ] {
            checker.required(missing, false);
        }
    }
}

#[test]
fn violations_are_sorted_and_annotated() {
    let Err(violations) = Rules.validate(&(), ValidationContext::request(&OPERATION, 0)) else {
        panic!("all is missing")
    };
    let places: Vec<(String, Option<&str>)> = violations.iter().map(|v| (v.path.to_string(), v.schema())).collect();
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
    fn check(&self, (): &(), at: Location<'_>, checker: &mut Checker<'_>) {
        for (name, index) in self.0 {
            let list = at.field(name);
            checker.required(list.index(*index), false);
        }
    }
}

#[test]
fn unknown_fields_are_sorted() {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let mut state = 1_usize;
    for _ in 0..200 {
        let mut places: Vec<(&'static str, usize)> = Vec::new();
        for _ in 0..100 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            places.push((NAMES[(state >> 33) % NAMES.len()], (state >> 40) % 50));
        }
        let Err(violations) = Unknown(&places).validate(&(), ValidationContext::VALUE) else {
            panic!("all is missing")
        };
        let reported: Vec<String> = violations.iter().map(|one| one.path.to_string()).collect();
        // They keep the order of the checks.
        assert_eq!(reported, places.iter().map(|(name, index)| format!("{name}[{index}]")).collect::<Vec<_>>());
    }
}

#[test]
fn nested_unknown_fields_are_sorted() {
    let mut steps = Vec::new();
    for number in 0..90_usize {
        let last = match number % 3 {
            0 => PathStep::Index(90 - number),
            1 => PathStep::Field(["x", "y", "z"][number % 7 % 3].into()),
            _ => PathStep::Key(format!("{}", 90 - number)),
        };
        let first = ["id", "odd", "even"][number % 11 % 3];
        let mut path = Path::new(PathRoot::Body);
        path.push(PathStep::Field(first.into()));
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
