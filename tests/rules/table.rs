//! Checks every row, and that every rule has one.

use std::collections::BTreeSet;

use wireform_codegen::load;
use wireform_codegen::model::Api;
use wireform_tests::{root, sources};

use crate::row::{ReportedViolation, Row};
use crate::{calendar, kinds, mailbox, script};

/// API with its rows and the function that validates their values.
struct Table {
    api: &'static str,
    rows: &'static [&'static [Row]],
    check: fn(&Row, &str) -> Vec<ReportedViolation>,
}

const TABLES: &[Table] = &[
    Table { api: "calendar", rows: calendar::ROWS, check: calendar::check },
    Table { api: "mailbox", rows: mailbox::ROWS, check: mailbox::check },
    Table { api: "script", rows: script::ROWS, check: script::check },
];

impl Table {
    fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().copied().flatten()
    }

    fn load(&self) -> Api {
        load(&sources(&root().join("schemas").join(self.api))).expect("the schemas have no errors")
    }
}

#[test]
fn each_value_breaks_its_rule_and_nothing_else() {
    let mut failures = Vec::new();
    for table in TABLES {
        for row in table.rows() {
            for (row, text, broken) in [(*row, row.breaks, true), (row.otherwise(), row.passes, false)] {
                let (found, expected) = ((table.check)(&row, text), row.expected(broken));
                if found != expected {
                    failures.push(format!(
                        "{} {} {:?} {}\n  {text}\n  expected {expected:?}\n  found    {found:?}",
                        table.api, row.of, row.side, row.rule
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} values:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_rule_has_a_row() {
    for table in TABLES {
        let api = table.load();
        let of_resources = api.resources.iter().flat_map(|resource| &resource.rules);
        let rules = of_resources.chain(api.operations.iter().flat_map(|operation| &operation.rules));
        let known: BTreeSet<&str> = rules.map(|rule| rule.id.as_str()).collect();
        let kinds = kinds::of(&api);
        let covered: BTreeSet<&str> = table.rows().map(|row| row.rule).collect();
        let missing: Vec<_> = known.iter().chain(&kinds).filter(|rule| !covered.contains(**rule)).collect();
        assert!(missing.is_empty(), "{}: no row violates {missing:?}", table.api);
        let unknown: Vec<_> = covered.iter().filter(|rule| !known.contains(**rule) && !kinds::is_known(rule)).collect();
        assert!(unknown.is_empty(), "{}: the schema has no {unknown:?}", table.api);
    }
}

/// Rows may share a rule and an operation if they test different branches of the rule, but not the same value.
#[test]
fn no_row_stands_twice() {
    for table in TABLES {
        let mut seen = BTreeSet::new();
        for row in table.rows() {
            assert!(seen.insert((row.of, row.rule, row.path, row.breaks, row.stored)), "{} {}", row.of, row.rule);
        }
    }
}
