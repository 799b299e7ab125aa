//! Table of the statements of one specification.

use std::collections::BTreeSet;

use fs_err as fs;
use serde_yaml::Value;
use wireform_tests::root;

use crate::inventory::markdown;

/// Stands for the test that compares the schemas with `tests/inventory/`.
pub const LIST: &str = "list";
/// Stands for the tests of the rows in `tests/rules/`.
pub const ROWS: &str = "rows";

const COLUMNS: [&str; 6] = ["no", "line", "statement", "schema", "tests", "decision"];

pub struct Table {
    pub api: &'static str,
    pub rows: Vec<Statement>,
}

/// Row of the table.
pub struct Statement {
    pub number: String,
    /// Line of the specification, from 1.
    pub line: usize,
    pub words: String,
    /// Files below `schemas/<api>/`.
    pub files: Vec<String>,
    /// Beginnings of lines of `tests/inventory/<api>.txt`: their first words.
    pub keys: Vec<String>,
    pub tests: Vec<String>,
    pub decision: String,
}

impl Table {
    pub fn read(api: &'static str) -> Self {
        let path = root().join("tests/statements").join(api).with_extension("md");
        let sections = markdown::parse(&fs::read_to_string(path).expect("the table exists"));
        let tables = sections.iter().flat_map(|section| &section.tables);
        let rows = tables.inspect(|table| assert_eq!(table.header, COLUMNS, "{api}")).flat_map(|table| &table.rows);
        Self { api, rows: rows.map(|cells| Statement::parse(cells)).collect() }
    }

    /// Returns the text of a file of the schema.
    pub fn schema(&self, file: &str) -> Option<String> {
        fs::read_to_string(root().join("schemas").join(self.api).join(file)).ok()
    }
}

impl Statement {
    /// Parses the cells of a row. A missing cell is empty.
    pub fn parse(cells: &[String]) -> Self {
        let cell = |at: usize| cells.get(at).map_or("", |cell| cell.trim());
        let (files, keys) = in_backticks(cell(3)).partition(|name| name.ends_with(".yaml"));
        let tests = cell(4).split(';').map(|test| test.trim().trim_matches('`').to_owned());
        Self {
            number: cell(0).to_owned(),
            line: cell(1).parse().unwrap_or_default(),
            words: cell(2).to_owned(),
            files,
            keys,
            tests: tests.filter(|test| !test.is_empty()).collect(),
            decision: cell(5).to_owned(),
        }
    }

    /// Returns the page and the section to which the decision links.
    pub fn decision_link(&self) -> Option<(&str, &str)> {
        let (_, link) = self.decision.rsplit_once("[docs](")?;
        link.strip_suffix(')')?.split_once('#')
    }
}

fn in_backticks(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// Returns the last word of a key: a field, a parameter or the identifier of a rule.
pub fn subject(key: &str) -> &str {
    key.split(' ').next_back().unwrap_or_default()
}

/// Returns the last name of a key.
pub fn last_name(key: &str) -> &str {
    subject(key).rsplit('.').next().unwrap_or_default()
}

/// Returns whether a schema file contains the last name of a key, as a key or as a whole text.
pub fn contains_name(schema: &str, key: &str) -> bool {
    let mut texts = BTreeSet::new();
    collect_texts(&serde_yaml::from_str(schema).unwrap_or_default(), &mut texts);
    let names = texts.iter().filter(|text| !text.contains(' '));
    texts.contains(subject(key)) || names.map(|name| last_name(name)).any(|name| name == last_name(key))
}

fn collect_texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Mapping(members) => {
            members.iter().flat_map(|(key, value)| [key, value]).for_each(|it| collect_texts(it, found))
        }
        Value::Sequence(items) => items.iter().for_each(|item| collect_texts(item, found)),
        Value::String(text) => drop(found.insert(text.clone())),
        _ => {}
    }
}

/// Returns the anchor of a heading, as GitHub forms it.
pub fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}
