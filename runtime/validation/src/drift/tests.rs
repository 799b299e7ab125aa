use std::collections::BTreeMap;

use wireform_runtime::__private::{MapAccess, Object, SerializeMap, read_value, skip_value};

use super::*;
use crate::checker::Checker;
use crate::rule::Rule;

#[derive(Default)]
struct Page {
    items: Vec<Page>,
    count: Option<i32>,
    labels: BTreeMap<String, Page>,
}

impl Object for Page {
    const NAME: &'static str = "Page";
    const FIELDS: &'static [&'static str] = &["items", "count", "labels"];

    fn index(name: &str) -> Option<usize> {
        Self::FIELDS.iter().position(|known| *known == if name == "total" { "count" } else { name })
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.items),
            1 => read_value(map, &mut self.count),
            2 => read_value(map, &mut self.labels),
            _ => skip_value(map),
        }
    }

    fn write<M: SerializeMap>(&self, _map: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

wireform_runtime::object!(Page);

static SHAPE: Shape = Shape::new("Page", Page::FIELDS).with_contents(&[
    ("items", FieldContent::Shape(&SHAPE)),
    ("labels", FieldContent::Map(&FieldContent::Shape(&SHAPE))),
]);

static ODD: Rule = Rule::new("page.odd", "the count is odd").warning().at(&["count"]).schema("page.yaml:9");

struct Rules;

impl Validates<Page> for Rules {
    const SHAPE: Option<&'static Shape> = Some(&SHAPE);
    const SOURCES: &'static SourceLines =
        &SourceLines { tables: &[&[("Page", "\tpage.yaml:1\ncount\tpage.yaml:3\ntotal\tpage.yaml:3")]] };

    fn check(&self, page: &Page, at: Location<'_>, checker: &mut Checker<'_>) {
        let items = at.field("items");
        for (index, item) in page.items.iter().enumerate() {
            self.check(item, items.index(index), checker);
        }
        if let Some(count) = page.count {
            checker.range(at.field("count"), count, Some(0), None);
            checker.rule(at, &ODD, Ok(count % 2 == 0));
        }
        let labels = at.field("labels");
        for (key, label) in &page.labels {
            self.check(label, labels.key(key), checker);
        }
    }
}

fn lines(response: &str) -> Vec<String> {
    detect_drift::<Page, _>(&Rules, response.as_bytes(), ValidationContext::VALUE)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn responses_without_drift() {
    assert_eq!(lines(r#"{"items": [{"count": 2}, {"total": 4}], "labels": {"any": {}}}"#), [""; 0]);
}

#[test]
fn equal_drifts_are_merged() {
    assert_eq!(
        lines(
            r#"{"items": [{"mood": 1}, {"mood": {"x": 1}, "count": -1}, {"count": -2}], "labels": {"a b": {"new\n": 1}},
              "count": 3}"#
        ),
        [
            "broken rule: count: the count is odd (see page.yaml:9)",
            "broken rule: items[1].count: must be at least 0, 2 times (see page.yaml:3)",
            "broken rule: items[1].count: the count is odd (see page.yaml:9)",
            "unknown field: items[0].mood: `Page` has no such field, 2 times (see page.yaml:1)",
            r#"unknown field: labels["a b"]["new\n"]: `Page` has no such field (see page.yaml:1)"#,
        ]
    );
}

#[test]
fn undecodable_responses() {
    assert_eq!(
        lines(r#"{"items": [{"count": "x", "mood": 1}]}"#),
        [
            "wrong type: items[0].count: must be a 32-bit integer, found a string (see page.yaml:3)",
            "unknown field: items[0].mood: `Page` has no such field (see page.yaml:1)",
        ]
    );
    let report = detect_drift::<Page, _>(&Rules, b"{", ValidationContext::VALUE);
    assert_eq!(report.iter().map(|drift| drift.kind).collect::<Vec<_>>(), [DriftKind::Unreadable]);
    assert_eq!(report.to_json()["drifts"][0]["kind"], "unreadable");
}

#[test]
fn drifts_are_limited() {
    let members: Vec<String> = (0..200).map(|n| format!(r#""m{n}": 1"#)).collect();
    let report =
        detect_drift::<Page, _>(&Rules, format!("{{{}}}", members.join(",")).as_bytes(), ValidationContext::VALUE);
    assert_eq!((report.iter().count(), report.omitted()), (100, 100));
    assert!(report.to_string().ends_with("\nand 100 more"));
}

#[test]
fn long_lists_take_no_quadratic_time() {
    // Counting the index of each element would take billions of steps.
    let items = vec![r#"{"mood": 1}"#; 49_000].join(",");
    let report =
        detect_drift::<Page, _>(&Rules, format!("{{\"items\": [{items}]}}").as_bytes(), ValidationContext::VALUE);
    let drifts: Vec<(String, usize)> = report.iter().map(|drift| (drift.path.to_string(), drift.occurrences)).collect();
    assert_eq!(drifts, [("items[0].mood".to_owned(), 49_000)]);
}
