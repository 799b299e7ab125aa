//! Names in the specifications, parsed from their tables and the few lists in their prose.

use super::judgement::{GARBLED, HEADINGS, SAME_PARAMETERS};
use super::markdown::{Section, Table};
use super::mentions::{Context, Mentions};
use super::prose::{self, Item};

/// Returns the operations; all other names belong to the definitions that they use.
pub fn operations(sections: &[Section], group: &str) -> Vec<String> {
    let tables = sections.iter().flat_map(|section| &section.tables);
    let rows = tables.filter(|table| table.starts_with("Operation")).flat_map(|table| &table.rows);
    let titles = sections.iter().map(|section| &section.title);
    let titles = titles.filter(|title| title.contains('.') && !title.contains(' '));
    titles.cloned().chain(rows.map(|row| format!("{group}{}", row[0]))).collect()
}

pub fn mentions(context: &Context<'_>, sections: &[Section]) -> Mentions {
    let mut found = Mentions::default();
    found.operations.extend(operations(sections, context.documents.group));
    for section in sections {
        let resources = named_by(context, section);
        found.resources.extend(resources.iter().cloned());
        for table in &section.tables {
            members(context, &mut found, section, table, &resources);
            parameters(context, &mut found, section, table);
        }
        if section.tables.is_empty() {
            without_table(context, &mut found, section, &resources);
        }
        for line in &section.lines {
            text(context, &mut found, line);
        }
    }
    for (operation, other) in SAME_PARAMETERS {
        let of = found.parameters.iter().filter(|(name, _)| name == other);
        let same: Vec<_> = of.map(|(_, parameter)| ((*operation).to_string(), parameter.clone())).collect();
        found.parameters.extend(same);
    }
    found
}

/// Returns the names in a heading: `start / end`, `attendees[] entries`, `Operation (result of run)`.
fn names(section: &Section) -> Vec<String> {
    let plain = prose::without_remarks(&section.title);
    let plain = HEADINGS.iter().find(|(title, _)| *title == plain).map_or(plain.as_str(), |(_, name)| name);
    let names = plain.split([',', '/']).flat_map(|piece| piece.split(" and "));
    names.map(|name| name.split_whitespace().next().unwrap_or_default().trim_end_matches("[]").into()).collect()
}

/// Returns the resources that a heading names. Chapters have other titles, such as `Events`.
fn named_by(context: &Context<'_>, section: &Section) -> Vec<String> {
    if section.level < 3 {
        return Vec::new();
    }
    names(section).iter().filter_map(|name| context.resource_at(name)).collect()
}

fn members(context: &Context<'_>, found: &mut Mentions, section: &Section, table: &Table, resources: &[String]) {
    if table.starts_with("Resource") {
        for row in &table.rows {
            for item in prose::items(&row[1]) {
                found.walk(context, &row[0], item.name);
            }
        }
    }
    if !table.starts_with("Field") {
        return;
    }
    let names = names(section);
    let mut garbled = GARBLED.iter().filter(|(title, _, _)| *title == section.title);
    for row in &table.rows {
        let rule = row.get(2).map_or("", String::as_str);
        let of = |at: usize| resources.len() != names.len() || only(rule).is_none_or(|name| name == names[at]);
        let paths = match row[0].as_str() {
            "the service" => garbled.next().map(|(_, _, name)| (*name).to_string()).into_iter().collect(),
            cell => paths(cell),
        };
        for (_, resource) in resources.iter().enumerate().filter(|(at, _)| of(*at)) {
            for path in &paths {
                member(context, found, resource, path, (&row[1], rule));
            }
        }
    }
}

/// Returns the resource to which a row is restricted: `focusTimeProperties only: …`.
fn only(rule: &str) -> Option<&str> {
    rule.split_once(" only:").map(|(name, _)| name).filter(|name| prose::is_name(name))
}

/// Returns the paths of a cell. In `entryPoints[].meetingCode, accessCode` the second name replaces the last part of
/// the first.
fn paths(cell: &str) -> Vec<String> {
    let prefix = cell.split(',').next().and_then(|first| first.rsplit_once('.')).map_or("", |(prefix, _)| prefix);
    let full = |(at, name): (usize, &str)| match (at, prefix) {
        (0, _) | (_, "") => name.trim().to_string(),
        _ => format!("{prefix}.{}", name.trim()),
    };
    cell.split(',').enumerate().map(full).collect()
}

fn member(context: &Context<'_>, found: &mut Mentions, resource: &str, path: &str, (ty, rule): (&str, &str)) {
    let Some((holder, name)) = found.walk(context, resource, path) else { return };
    let listed = ["Fields: ", "Subfields: "].iter().find_map(|word| rule.split_once(word));
    let (rule, listed) = listed.unwrap_or((rule, ""));
    found.describe(context, &format!("{holder}.{name}"), rule);
    let quoted = if rule.starts_with("Contains") {
        prose::quoted(rule)
    } else if ty.starts_with("object with") {
        prose::quoted(ty)
    } else {
        Vec::new()
    };
    let quoted = quoted.into_iter().map(|name| Item { name, remark: "" });
    for item in prose::items(listed).into_iter().chain(quoted) {
        described(context, found, resource, &format!("{path}.{}", item.name), item.remark);
    }
}

fn described(context: &Context<'_>, found: &mut Mentions, resource: &str, path: &str, remark: &str) {
    if let Some((holder, name)) = found.walk(context, resource, path) {
        found.describe(context, &format!("{holder}.{name}"), remark);
    }
}

/// Parses fields in prose: `type (string), title (string)`, names in backticks, or enum values.
fn without_table(context: &Context<'_>, found: &mut Mentions, section: &Section, resources: &[String]) {
    let Some(line) = section.lines.first() else { return };
    if section.title.ends_with("(enum)") {
        found.describe_enum(&names(section).concat(), line);
    }
    for resource in resources {
        let quoted = || prose::quoted(line).into_iter().map(|name| Item { name, remark: "" }).collect();
        for item in prose::only_items(line).unwrap_or_else(quoted) {
            described(context, found, resource, item.name, item.remark);
        }
    }
}

fn text(context: &Context<'_>, found: &mut Mentions, line: &str) {
    if let Some((start, rest)) = line.split_once(": ") {
        if context.catalogue.resources.contains_key(start) {
            for item in prose::items(rest) {
                found.walk(context, start, item.name);
            }
        }
        if let Some((list, _)) = start.strip_prefix("Fields of ").zip(rest.strip_prefix("not shown")) {
            found.resources.extend(prose::items(list).into_iter().map(|item| item.name.to_string()));
            known_member(found, rest);
        }
        if start.starts_with("Request parameters named") {
            found.anywhere.extend(prose::items(rest).into_iter().map(|item| item.name.to_string()));
        }
    }
    for sentence in prose::sentences(line) {
        let plain = prose::without_remarks(sentence);
        let parts = plain.split_once(" values").zip(sentence.split_once(": "));
        let Some(((words, _), (_, list))) = parts else { continue };
        for name in context.enums_at(&words.replace('`', "").replace(' ', ".")) {
            found.describe_enum(name, list);
        }
    }
    if let Some((before, _)) = line.split_once("`) is accepted") {
        found.parameters.insert(("*".into(), before.rsplit('`').next().unwrap_or_default().into()));
    }
    by_the_way(found, line);
}

/// Parses `Status is known to carry a `details` array`.
fn known_member(found: &mut Mentions, text: &str) {
    if let Some((resource, rest)) = text.split_once(" is known to carry ") {
        let resource = resource.rsplit('(').next().unwrap_or_default();
        found.fields.extend(prose::quoted(rest).into_iter().map(|name| (resource.to_string(), name.to_string())));
    }
}

/// Parses `by the maxAttendee query parameter`.
fn by_the_way(found: &mut Mentions, text: &str) {
    if let Some((before, _)) = text.split_once(" query parameter") {
        let name = before.rsplit(' ').next().unwrap_or_default();
        found.anywhere.extend(prose::is_name(name).then(|| name.to_string()));
    }
}

fn parameters(context: &Context<'_>, found: &mut Mentions, section: &Section, table: &Table) {
    for cell in table.rows.iter().flatten() {
        by_the_way(found, cell);
    }
    if table.starts_with("Name") {
        found.parameters.extend(table.rows.iter().map(|row| (section.title.clone(), row[0].clone())));
    }
    if table.starts_with("Parameter") {
        filters(found, table);
    }
    if !table.starts_with("Operation") {
        return;
    }
    for row in &table.rows {
        let operation = format!("{}{}", context.documents.group, row[0]);
        let named = row[1].split_once("Parameters named: ").map(|(_, list)| list);
        let cells = match table.column("Query parameters") {
            Some(query) => vec![row[1].as_str(), row[query].as_str()],
            None => named.into_iter().collect(),
        };
        for item in cells.into_iter().flat_map(prose::items) {
            found.parameters.insert((operation.clone(), item.name.into()));
        }
    }
}

/// Parses a table of parameters with a prefix, which expands `userProcessFilter.*` and follows the table of operations.
fn filters(found: &mut Mentions, table: &Table) {
    let open: Vec<_> = found.parameters.iter().filter(|(_, name)| name.ends_with('*')).cloned().collect();
    for (operation, pattern) in open {
        let prefix = pattern.trim_end_matches('*');
        let names = table.rows.iter().flat_map(|row| row[0].split(" / ")).filter(|name| name.starts_with(prefix));
        found.parameters.extend(names.map(|name| (operation.clone(), name.to_string())));
        found.parameters.remove(&(operation, pattern.clone()));
    }
}
