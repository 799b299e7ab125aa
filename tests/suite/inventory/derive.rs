//! List derived from the documents next to the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::beyond;
use super::deviations::{DEVIATIONS, Deviation};
use super::discovery::{self, Catalogue, Wanted, enum_at};
use super::fact::Fact;
use super::judgement::{Documents, OWN_VALUES};
use super::list::List;
use super::mentions::{Context, Mentions};
use super::{markdown, specification, wire_facts};

/// Returns the statements of the specification about fields, by location.
pub fn statements(shared: &Path, documents: &Documents) -> BTreeMap<String, String> {
    let read = |path: &str| fs_err::read_to_string(shared.join(path)).expect("the documents are complete");
    let specification = markdown::parse(&read(&format!("spec/{}", documents.specification)));
    let document = serde_json::from_str(&read(&format!("reference/discovery/{}", documents.discovery)));
    let names = specification::operations(&specification, documents.group);
    let groups = names.iter().filter_map(|name| name.rsplit_once('.')).map(|(group, _)| group.into()).collect();
    let preferred = Wanted { groups, operations: beyond::operations(documents.api) };
    let mut catalogue = discovery::read(&document.expect("it is JSON"), documents, &preferred);
    let facts = markdown::parse(&read("reference/wire-facts.md"));
    wire_facts::respell(&mut catalogue, &wire_facts::spellings(&facts, documents.api));
    let context = Context { documents, catalogue: &catalogue };
    specification::mentions(&context, &specification).statements
}

/// Returns everything except rules, whose origin cannot be derived from a text.
pub fn list(shared: &Path, documents: &Documents) -> List {
    let read = |path: &str| fs_err::read_to_string(shared.join(path)).expect("the documents are complete");
    let specification = markdown::parse(&read(&format!("spec/{}", documents.specification)));
    let facts = markdown::parse(&read("reference/wire-facts.md"));
    let document = serde_json::from_str(&read(&format!("reference/discovery/{}", documents.discovery)));
    let document = document.expect("it is JSON");

    let names = specification::operations(&specification, documents.group);
    let groups = names.iter().filter_map(|name| name.rsplit_once('.')).map(|(group, _)| group.into()).collect();
    let preferred = Wanted { groups, operations: beyond::operations(documents.api) };
    let mut catalogue = discovery::read(&document, documents, &preferred);
    beyond::leave_out(&mut catalogue, documents);
    let spellings = wire_facts::spellings(&facts, documents.api);
    wire_facts::respell(&mut catalogue, &spellings);
    catalogue.values.extend(wire_facts::values(&facts, documents.api));
    let context = Context { documents, catalogue: &catalogue };
    let mentions = specification::mentions(&context, &specification);

    let mut list = List::default();
    list.set(format!("api {}", documents.api), format!("{} {}", catalogue.version, catalogue.root));
    fields(&mut list, &catalogue, &mentions, &wire_facts::members(&facts, documents));
    values(&mut list, documents.api, &catalogue, &mentions);
    operations(&mut list, &catalogue, &mentions);
    types(&mut list, &context, &mentions);
    aliases(&mut list, &catalogue, &spellings);
    wire_facts::scopes(&mut list, &facts, documents);
    beyond::scopes(&mut list, &document, documents);
    wire_facts::headers(&mut list, &facts, documents);
    list
}

/// Adds the fields; those that the specification mentions have the origin `spec`.
fn fields(list: &mut List, catalogue: &Catalogue, mentions: &Mentions, more: &BTreeSet<(String, String)>) {
    for (resource, members) in &catalogue.resources {
        list.set(format!("resource {resource}"), "wire");
        for member in members.keys() {
            list.set(format!("field {resource}.{member}"), "wire");
        }
    }
    for (resource, member) in more {
        list.set(format!("resource {resource}"), "wire");
        list.set(format!("field {resource}.{member}"), "wire");
    }
    for resource in &mentions.resources {
        list.set(format!("resource {resource}"), "spec");
    }
    for (resource, member) in &mentions.fields {
        list.set(format!("field {resource}.{member}"), "spec");
    }
}

fn values(list: &mut List, api: &str, catalogue: &Catalogue, mentions: &Mentions) {
    for (origin, values) in [("wire", &catalogue.values), ("spec", &mentions.values)] {
        for (name, value) in values {
            list.set(format!("enum {name}"), origin);
            list.set(format!("value {name}.{value}"), origin);
        }
    }
    for (_, name, values) in OWN_VALUES.iter().filter(|(apis, _, _)| apis.contains(&api)) {
        for value in *values {
            list.set(format!("value {name}.{value}"), "ours");
        }
    }
}

fn operations(list: &mut List, catalogue: &Catalogue, mentions: &Mentions) {
    for (name, call) in &catalogue.operations {
        list.set(format!("operation {name}"), "wire");
        list.set(format!("http {name}"), format!("{} {}", call.method, call.path));
        list.set(format!("body {name}"), call.body.as_deref().unwrap_or("none"));
        list.set(format!("answer {name}"), call.response.as_deref().unwrap_or("none"));
    }
    for name in &mentions.operations {
        list.set(format!("operation {name}"), "spec");
    }
    for (operation, name, (location, _)) in parameters(catalogue) {
        let named = mentions.parameters.contains(&(operation.into(), name.clone())) || mentions.anywhere.contains(name);
        list.set(format!("parameter {operation} {name} {location}"), if named { "spec" } else { "wire" });
    }
    for (operation, name) in &mentions.parameters {
        let found = parameters(catalogue).any(|(of, known, _)| (of, known) == (operation, name));
        assert!(found, "the specification has a parameter {operation} {name} that the wire does not");
    }
}

fn parameters(catalogue: &Catalogue) -> impl Iterator<Item = (&str, &String, &(String, Fact))> {
    let standard = catalogue.standard.iter().map(|(name, parameter)| ("*", name, parameter));
    let own = catalogue.operations.iter().flat_map(|(operation, call)| {
        call.parameters.iter().map(move |(name, parameter)| (operation.as_str(), name, parameter))
    });
    own.chain(standard)
}

fn types(list: &mut List, context: &Context<'_>, mentions: &Mentions) {
    let (api, catalogue) = (context.documents.api, context.catalogue);
    let members = catalogue.resources.iter().flat_map(|(resource, members)| {
        members.iter().map(move |(name, member)| (format!("{resource}.{name}"), member.fact.clone(), true))
    });
    let parameters = parameters(catalogue).map(|(of, name, (_, fact))| (format!("{of}.{name}"), fact.clone(), false));
    let mut used = BTreeSet::new();
    for (place, mut fact, is_member) in members.chain(parameters) {
        let of_enum = enum_at(api, &place).filter(|name| is_member && *name == fact.ty());
        let default = mentions.defaults.get(of_enum.unwrap_or(&place));
        fact = if fact.has("default") { fact } else { fact.with("default", default.cloned()) };
        for (at, deviation) in deviations(api, &place) {
            let before = fact.clone();
            fact.set(deviation.what, deviation.ours);
            if fact != before {
                used.insert(at);
            }
        }
        list.set(format!("type {place}"), fact.render());
    }
    for (at, deviation) in DEVIATIONS.iter().enumerate().filter(|(_, deviation)| deviation.api == api) {
        assert!(used.contains(&at), "{:?} is no longer a deviation ({})", deviation.places, deviation.reason);
    }
}

fn deviations<'a>(api: &'a str, place: &'a str) -> impl Iterator<Item = (usize, &'static Deviation)> + use<'a> {
    let fits =
        move |preferred: &&str| preferred.strip_prefix('*').map_or(*preferred == place, |end| place.ends_with(end));
    let all = DEVIATIONS.iter().enumerate();
    all.filter(move |(_, deviation)| deviation.api == api && deviation.places.iter().any(&fits))
}

fn aliases(list: &mut List, catalogue: &Catalogue, spellings: &[(String, String, String)]) {
    for (place, ours, wire) in spellings {
        if let Some(name) = place.strip_prefix("name ") {
            list.set(format!("name {name}.{wire}"), ours.as_str());
        } else if place == "parameter" {
            for (operation, _, _) in parameters(catalogue).filter(|(_, name, _)| *name == ours) {
                list.set(format!("alias {operation} {ours} {wire}"), "");
            }
        } else {
            list.set(format!("alias {place} {ours} {wire}"), "");
        }
    }
}
