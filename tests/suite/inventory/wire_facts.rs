//! Facts in the wire facts that no Discovery document has: scopes, aliases, error bodies, headers, the values of some
//! enums.

use std::collections::BTreeSet;

use super::discovery::Catalogue;
use super::judgement::{ALIASES, Cells, Documents, INLINE, LISTED, SPELLINGS};
use super::list::List;
use super::markdown::{Section, Table};
use super::prose;

pub const SCOPE_BASE: &str = "https://www.googleapis.com/auth/";

const TYPE_BASE: &str = "type.googleapis.com/";

fn tables<'a>(sections: &'a [Section], number: &'a str) -> impl Iterator<Item = &'a Table> {
    let inside = move |section: &&Section| section.title.split(' ').next() == Some(number);
    sections.iter().filter(inside).flat_map(|section| &section.tables)
}

/// Returns whether a cell is about a name: its first text in backticks.
fn is_about(cell: &str, name: &str) -> bool {
    prose::quoted(cell).first() == Some(&name)
}

/// Adds the scopes of every operation, without the common prefix.
pub fn scopes(list: &mut List, sections: &[Section], documents: &Documents) {
    for row in tables(sections, "1.8").flat_map(|table| &table.rows) {
        let Some((documents_scopes, operation)) = row[0].split_once(": ") else { continue };
        if documents_scopes == documents.scopes {
            for scope in prose::quoted(&row[1]) {
                list.set(format!("scope {operation} {}", scope.strip_prefix(SCOPE_BASE).unwrap_or(scope)), "");
            }
        }
    }
}

/// Returns the values of the enums that are listed in a table.
pub fn values(sections: &[Section], api: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for listed in LISTED.iter().filter(|listed| listed.apis.contains(&api)) {
        let before = found.len();
        for table in tables(sections, listed.section) {
            for cell in cells(table, &listed.cells) {
                let values = prose::quoted(&cell).into_iter();
                found.extend(values.map(|value| (listed.name.to_string(), value.to_string())));
            }
        }
        assert!(found.len() > before, "the wire facts have no values for {}", listed.name);
    }
    for (of, name, _, alias) in ALIASES {
        if *of == api {
            found.remove(&((*name).to_string(), (*alias).to_string()));
        }
    }
    found
}

fn cells(table: &Table, wanted: &Cells) -> Vec<String> {
    let row = |name: &str| table.rows.iter().filter(|row| is_about(&row[0], name)).collect::<Vec<_>>();
    match wanted {
        Cells::Row(name, column) => row(name).iter().map(|row| row[*column].replace(['(', ')'], "")).collect(),
        Cells::Remark(name, column) => {
            let remark = |row: &&Vec<String>| row[*column].split(['(', ')']).nth(1).unwrap_or_default().to_string();
            row(name).iter().map(remark).collect()
        }
        Cells::Column(name) => {
            let Some(column) = table.column(name) else { return Vec::new() };
            table.rows.iter().map(|row| prose::without_remarks(&row[column])).collect()
        }
    }
}

/// Returns names that differ: location, our name, public name.
pub fn spellings(sections: &[Section], api: &str) -> Vec<(String, String, String)> {
    let mut found: Vec<_> = ALIASES
        .iter()
        .filter(|(of, _, _, _)| *of == api)
        .map(|(_, place, ours, alias)| ((*place).into(), (*ours).into(), (*alias).into()))
        .collect();
    let rows: Vec<&Vec<String>> = tables(sections, "5").flat_map(|table| &table.rows).collect();
    for row in &rows {
        // An unknown difference must fail the test.
        let known = SPELLINGS.iter().any(|(_, name, _)| *name == row[0]);
        let pairs = pairs(&row[1], &row[2]);
        assert!(
            known || pairs.is_empty(),
            "the locations in the schemas for `{}` are not in the table of namings",
            row[0]
        );
        let places = SPELLINGS.iter().filter(|(of, name, _)| *of == api && *name == row[0]);
        for place in places.flat_map(|(_, _, places)| *places) {
            found.extend(pairs.iter().map(|(ours, wire)| ((*place).to_string(), ours.clone(), wire.clone())));
        }
    }
    found
}

/// Returns the names of a row that differ, without the rest of a path after the difference.
fn pairs(ours: &str, wire: &str) -> Vec<(String, String)> {
    let usable = |text: &str| !text.contains("://") && !text.starts_with('{');
    let (ours, wire) = (prose::quoted(ours), prose::quoted(wire));
    let only = |all: &[&str], other: &[&str]| -> Vec<String> {
        let own = all.iter().filter(|text| usable(text) && !other.contains(text));
        own.map(|text| text.split("/users/").next().unwrap_or_default().to_string()).collect()
    };
    let (left, right) = (only(&ours, &wire), only(&wire, &ours));
    if left.len() == right.len() || left.is_empty() {
        return left.into_iter().zip(right).collect();
    }
    // Some lists have the new name in both columns.
    left.into_iter().zip(wire.iter().filter(|text| usable(text)).map(ToString::to_string)).collect()
}

/// Adds the headers of a notification.
pub fn headers(list: &mut List, sections: &[Section], documents: &Documents) {
    let number = format!("{}.4", documents.section);
    for table in tables(sections, &number).filter(|table| table.starts_with("Header")) {
        for name in table.rows.iter().flat_map(|row| prose::quoted(&row[0])) {
            list.set(format!("header {}watch {name}", documents.group), "");
        }
    }
}

/// Returns the fields of error bodies and of the types in fields of any type, by resource.
pub fn members(sections: &[Section], documents: &Documents) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for table in tables(sections, "1.5").filter(|table| table.starts_with("Member")) {
        let column = if documents.api == "calendar" { table.column("Calendar") } else { table.column("Script, Mail") };
        for row in table.rows.iter().filter(|row| column.is_some_and(|column| row[column] != "no")) {
            error_member(&mut found, &row[0]);
            if let Some((_, detail)) = column.and_then(|column| row[column].split_once(TYPE_BASE)) {
                typed(&mut found, &format!("`{TYPE_BASE}{detail}"));
            }
        }
    }
    let lines = sections.iter().filter(|section| section.title.starts_with(&format!("{}.", documents.section)));
    for line in lines.flat_map(|section| &section.lines) {
        for address in prose::quoted(line).into_iter().filter(|text| text.starts_with(TYPE_BASE)) {
            typed(&mut found, &format!("`{address}`"));
        }
    }
    found
}

/// Parses `error.errors[]` with `domain`, `reason` and so on.
fn error_member(found: &mut BTreeSet<(String, String)>, cell: &str) {
    let plain = prose::without_remarks(cell);
    let names = prose::quoted(&plain);
    let Some((path, inner)) = names.split_first() else { return };
    let mut resource = "ErrorResponse";
    for name in path.split('.').map(|name| name.trim_end_matches("[]")) {
        found.insert((resource.into(), name.into()));
        resource = inline(resource, name);
    }
    found.extend(inner.iter().map(|name| (resource.to_string(), (*name).to_string())));
}

/// Parses the URL of a type, followed by `list[]` of `member`, `member`.
fn typed(found: &mut BTreeSet<(String, String)>, text: &str) {
    let names = prose::quoted(text);
    let Some(resource) = names.first().and_then(|address| address.rsplit('.').next()) else { return };
    found.insert((resource.into(), "@type".into()));
    if let Some(list) = names.get(1).map(|name| name.trim_end_matches("[]")) {
        found.insert((resource.into(), list.into()));
        found.extend(names[2..].iter().map(|name| (inline(resource, list).to_string(), (*name).to_string())));
    }
}

fn inline(resource: &str, name: &str) -> &'static str {
    let place = format!("{resource}.{name}");
    INLINE.iter().find(|(at, _)| *at == place).map_or("", |(_, name)| name)
}

/// Replaces public names of the Discovery document by those of the specification.
pub fn respell(catalogue: &mut Catalogue, spellings: &[(String, String, String)]) {
    for (place, ours, wire) in spellings {
        match place.as_str() {
            "parameter" => {
                for call in catalogue.operations.values_mut() {
                    if let Some(parameter) = call.parameters.remove(wire) {
                        call.parameters.insert(ours.clone(), parameter);
                    }
                }
            }
            "base" => {
                for call in catalogue.operations.values_mut() {
                    call.path = call.path.replacen(wire.as_str(), ours, 1);
                }
            }
            name => {
                if catalogue.values.remove(&(name.to_string(), wire.clone())) {
                    catalogue.values.insert((name.to_string(), ours.clone()));
                }
            }
        }
    }
}
