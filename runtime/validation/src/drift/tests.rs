use std::collections::BTreeMap;

use wireform_runtime::__private::{MapAccess, Object, SerializeMap, member, skip_member};

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
    const MEMBERS: &'static [&'static str] = &["items", "count", "labels"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == if name == "total" { "count" } else { name })
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.items),
            1 => member(map, &mut self.count),
            2 => member(map, &mut self.labels),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, _map: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

wireform_runtime::object!(Page);

static SHAPE: Shape = Shape::new("Page", Page::MEMBERS)
    .holding(&[("items", Inner::Shape(&SHAPE)), ("labels", Inner::Map(&Inner::Shape(&SHAPE)))]);

static ODD: Rule = Rule::new("page.odd", "the count is odd").warning().at(&["count"]).schema("page.yaml:9");

struct Rules;

impl Validates<Page> for Rules {
    const SHAPE: Option<&'static Shape> = Some(&SHAPE);
    const SOURCES: &'static Sources =
        &Sources { members: &[&[("Page", "\tpage.yaml:1\ncount\tpage.yaml:3\ntotal\tpage.yaml:3")]] };

    fn check(&self, page: &Page, at: At<'_>, checker: &mut Checker<'_>) {
        let items = at.member("items");
        for (index, item) in page.items.iter().enumerate() {
            self.check(item, items.index(index), checker);
        }
        if let Some(count) = page.count {
            checker.range(at.member("count"), count, Some(0), None);
            checker.rule(at, &ODD, Ok(count % 2 == 0));
        }
        let labels = at.member("labels");
        for (key, label) in &page.labels {
            self.check(label, labels.key(key), checker);
        }
    }
}

fn lines(answer: &str) -> Vec<String> {
    drift::<Page, _>(&Rules, answer.as_bytes(), Context::VALUE).iter().map(ToString::to_string).collect()
}

#[test]
fn an_answer_that_follows_the_schema() {
    assert_eq!(lines(r#"{"items": [{"count": 2}, {"total": 4}], "labels": {"any": {}}}"#), [""; 0]);
}

#[test]
fn drifts_of_a_kind_are_one() {
    assert_eq!(
        lines(
            r#"{"items": [{"mood": 1}, {"mood": {"x": 1}, "count": -1}, {"count": -2}], "labels": {"a b": {"new\n": 1}},
              "count": 3}"#
        ),
        [
            "broken rule: count: the count is odd (see page.yaml:9)",
            "broken rule: items[1].count: must be at least 0, 2 times (see page.yaml:3)",
            "broken rule: items[1].count: the count is odd (see page.yaml:9)",
            "unknown field: items[0].mood: Page has no such field, 2 times (see page.yaml:1)",
            r#"unknown field: labels["a b"]["new\n"]: Page has no such field (see page.yaml:1)"#,
        ]
    );
}

#[test]
fn answers_that_do_not_decode() {
    assert_eq!(
        lines(r#"{"items": [{"count": "x", "mood": 1}]}"#),
        [
            "wrong type: items[0].count: must be a 32-bit integer, found a string (see page.yaml:3)",
            "unknown field: items[0].mood: Page has no such field (see page.yaml:1)",
        ]
    );
    let report = drift::<Page, _>(&Rules, b"{", Context::VALUE);
    assert_eq!(report.iter().map(|drift| drift.kind).collect::<Vec<_>>(), [DriftKind::Unreadable]);
    assert_eq!(report.to_json()["drifts"][0]["kind"], "unreadable");
}

#[test]
fn kinds_of_drift_are_bounded() {
    let members: Vec<String> = (0..200).map(|n| format!(r#""m{n}": 1"#)).collect();
    let report = drift::<Page, _>(&Rules, format!("{{{}}}", members.join(",")).as_bytes(), Context::VALUE);
    assert_eq!((report.iter().count(), report.more()), (100, 100));
    assert!(report.to_string().ends_with("\nand 100 more"));
}

#[test]
fn long_lists_take_no_quadratic_time() {
    // Counting the index of each element would take billions of steps.
    let items = vec![r#"{"mood": 1}"#; 49_000].join(",");
    let report = drift::<Page, _>(&Rules, format!("{{\"items\": [{items}]}}").as_bytes(), Context::VALUE);
    let drifts: Vec<(String, usize)> = report.iter().map(|drift| (drift.path.to_string(), drift.count)).collect();
    assert_eq!(drifts, [("items[0].mood".to_owned(), 49_000)]);
}
