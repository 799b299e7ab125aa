//! Traces every statement of the specifications to the schemas and to the tests.
//!
//! `tests/statements/` has a row for each statement that can be checked: its line in the specification, its place in
//! `schemas/` (a file, and the keys of lines of `tests/inventory/`), and the tests that fail without it, or the decision
//! that replaces it and the section of `docs/` that explains it. Instead of a test, `list` refers to the comparison of
//! the schemas with `tests/inventory/`, and `rows` to the rows of `tests/rules/`.

mod table;
mod test_index;

use table::{Statement, Table};
use test_index::TestIndex;
use wireform_test_data::requires;
use wireform_tests::{root, shared};

use crate::inventory::judgement::DOCUMENTS;
use crate::inventory::{self, markdown, report};

/// Statements of each API: the first letter of their numbers, and how many there are.
const TABLES: [(&str, char, usize); 3] = [("script", 'S', 207), ("mailbox", 'M', 52), ("calendar", 'C', 273)];

fn tables() -> impl Iterator<Item = Table> {
    TABLES.iter().map(|(api, ..)| Table::read(api))
}

/// Fails with the objections of `check` to all rows of all tables.
fn check_rows(mut check: impl FnMut(&Table, &Statement) -> Vec<String>) {
    let mut failures = Vec::new();
    for table in tables() {
        for row in &table.rows {
            let place = format!("tests/statements/{}.md: {}", table.api, row.number);
            failures.extend(check(&table, row).into_iter().map(|objection| format!("{place}: {objection}")));
        }
    }
    report(&failures);
}

#[test]
fn every_statement_has_a_row() {
    for (table, (api, letter, count)) in tables().zip(TABLES) {
        let found: Vec<&str> = table.rows.iter().map(|row| row.number.as_str()).collect();
        let expected: Vec<String> = (1..=count).map(|number| format!("{letter}{number}")).collect();
        assert_eq!(found, expected, "tests/statements/{api}.md");
    }
}

#[test]
fn every_statement_has_a_test_or_a_decision() {
    check_rows(|_, row| {
        let mut objections = Vec::new();
        if row.words.is_empty() {
            objections.push("the statement is missing".to_owned());
        }
        if row.tests.is_empty() && row.decision.is_empty() {
            objections.push("neither a test nor a decision".to_owned());
        }
        if row.keys.is_empty() && row.tests.iter().any(|test| test == table::LIST || test == table::ROWS) {
            objections.push("`list` and `rows` require keys of the inventory".to_owned());
        }
        objections
    });
}

/// `rows` is true only of rules with rows, and of fields that rows are about.
#[test]
fn the_named_rules_have_rows() {
    let sources = TABLES.map(|(api, ..)| (api, sources_of_rows(api)));
    check_rows(|table, row| {
        if !row.tests.iter().any(|test| test == table::ROWS) {
            return Vec::new();
        }
        let text = sources.iter().find(|(api, _)| *api == table.api).map_or("", |(_, text)| text.as_str());
        let is_rule = |key: &&String| key.starts_with("rule ") || key.starts_with("condition ");
        let (rules, others): (Vec<&String>, Vec<&String>) = row.keys.iter().partition(is_rule);
        let has_row = |key: &&String| text.contains(table::last_name(key));
        if rules.is_empty() && !others.iter().any(has_row) {
            return vec!["tests/rules/ has no row for any of the keys".to_owned()];
        }
        let missing = rules.iter().filter(|key| !text.contains(&format!("\"{}\"", table::subject(key))));
        missing.map(|key| format!("tests/rules/{}/ has no row for `{key}`", table.api)).collect()
    });
}

fn sources_of_rows(api: &str) -> String {
    let files = fs_err::read_dir(root().join("tests/rules").join(api)).expect("the rows of the API");
    files.map(|file| fs_err::read_to_string(file.expect("an entry").path()).expect("a source is text")).collect()
}

#[test]
fn the_named_tests_exist() {
    let mut index = TestIndex::default();
    check_rows(|_, row| {
        let named = row.tests.iter().filter(|test| ![table::LIST, table::ROWS].contains(&test.as_str()));
        named.filter_map(|test| index.find(test).err()).collect()
    });
}

#[test]
fn the_named_places_are_in_the_schemas() {
    let lists = TABLES.map(|(api, ..)| (api, fs_err::read_to_string(inventory::file(api)).expect("a list")));
    check_rows(|table, row| {
        let mut objections = Vec::new();
        let texts: Vec<String> = row.files.iter().map(|file| table.schema(file).unwrap_or_default()).collect();
        let missing = row.files.iter().zip(&texts).filter(|(_, text)| text.is_empty());
        objections.extend(missing.map(|(file, _)| format!("`{file}` is not a file of the schema")));
        let list = lists.iter().find(|(api, _)| *api == table.api).map_or("", |(_, list)| list.as_str());
        let has_line = |key: &str| {
            list.lines().filter_map(|line| line.strip_prefix(key)).any(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        for key in &row.keys {
            if !has_line(key) {
                objections.push(format!("tests/inventory/{}.txt has no `{key}`", table.api));
            } else if !texts.iter().any(|text| table::contains_name(text, key)) {
                objections.push(format!("none of {:?} contains the name of `{key}`", row.files));
            }
        }
        objections
    });
}

#[test]
fn every_decision_is_on_a_page() {
    check_rows(|_, row| match row.decision_link() {
        _ if row.decision.is_empty() => Vec::new(),
        Some((page, anchor)) => {
            let text = fs_err::read_to_string(root().join("tests/statements").join(page)).unwrap_or_default();
            let has_heading = markdown::parse(&text).iter().any(|section| table::anchor(&section.title) == anchor);
            if has_heading { Vec::new() } else { vec![format!("{page} has no section #{anchor}")] }
        }
        None => vec!["the decision has no link to a section of `docs/`".to_owned()],
    });
}

/// The lines exist in the specifications, and the statements are in words of their own.
#[requires("spec")]
#[test]
fn the_lines_are_in_the_specifications() {
    let mut failures = Vec::new();
    for (table, (api, ..)) in tables().zip(TABLES) {
        let documents = DOCUMENTS.iter().find(|documents| documents.api == api).expect("the API has documents");
        let text = fs_err::read_to_string(shared("spec").join(documents.specification)).expect("a specification");
        let lines: Vec<&str> = text.lines().collect();
        for row in &table.rows {
            if row.line.checked_sub(1).and_then(|at| lines.get(at)).is_none_or(|line| line.trim().is_empty()) {
                failures.push(format!("{api} {}: the specification has no text on line {}", row.number, row.line));
            }
            if row.words.len() > 20 && text.contains(row.words.trim_end_matches('.')) {
                failures.push(format!("{api} {}: a sentence of the specification", row.number));
            }
        }
    }
    report(&failures);
}

/// The checks detect what they are for.
#[test]
fn a_wrong_row_is_detected() {
    let row = |cells: &str| Statement::parse(&cells.split('|').map(str::to_owned).collect::<Vec<_>>());
    let fine = row("C1|7|Events are stored.|`event.yaml` `resource Event`|list; `suite::words::x`||");
    assert_eq!(
        (fine.files.as_slice(), fine.keys.as_slice()),
        (&["event.yaml".to_owned()][..], &["resource Event".to_owned()][..])
    );
    assert_eq!(fine.tests, ["list", "suite::words::x"]);
    let mut index = TestIndex::default();
    let this = "suite::statements::a_wrong_row_is_detected";
    assert_eq!(index.find(this), Ok(()));
    assert_eq!(index.find("calendar::times::tests"), Err("there is no test `calendar::times::tests`".to_owned()));
    // Functions of other macros are not tests.
    for missing in ["suite::statements::tables", "nowhere::words::x", "suite", "clients::requests::requests"] {
        assert_eq!(index.find(missing), Err(format!("there is no test `{missing}`")));
    }
    let decided = row("C1|7|Events are stored.|-||Not here. [docs](../../docs/calendar.md#event-series)|");
    assert_eq!(decided.decision_link(), Some(("../../docs/calendar.md", "event-series")));
    assert_eq!(table::anchor("Cancelled, deleted `Event`s"), "cancelled-deleted-events");
    for text in ["visibility: {}", "rules: [{ id: event.visibility }]", "parameters: [visibility]"] {
        assert!(table::contains_name(text, "field Event.visibility"), "{text}");
    }
    assert!(!table::contains_name("doc: Its visibility", "field Event.visibility"));
}
