//! Path templates → http lines, and ids → the names of operations.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase as _;
use wireform_codegen::diagnostics::{Sink, Span};
use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::http::HttpLine;
use wireform_codegen::schema::read::Read as _;
use wireform_codegen::schema::yaml::{Node as Yaml, Style, Value};

use super::{own, servers};
use crate::names::{self, Names};
use crate::node::Node;

/// The methods that a path item can have.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// What else a path item says.
const BESIDE: [&str; 5] = ["$ref", "description", "parameters", "servers", "summary"];

/// An operation of the document.
pub struct Found<'d> {
    /// The operation.
    pub node: Node<'d>,
    /// The path item that it is in.
    pub item: Node<'d>,
    /// The method in capitals.
    pub method: String,
    /// The path template.
    pub path: &'d str,
    /// Its name with its groups.
    pub name: String,
}

/// The operations of a document with their names, in the order of the document.
pub fn all<'d>(root: &Node<'d>) -> Vec<Found<'d>> {
    let mut found = Vec::new();
    let of_api = servers::of_api(root);
    for (path, written) in root.entries("paths") {
        if path.starts_with("x-") {
            continue;
        }
        let Some(item) = written.resolved(root) else { continue };
        let known: Vec<&str> = METHODS.iter().chain(&BESIDE).copied().collect();
        item.only(&known);
        servers::own_servers(&of_api, &item);
        if METHODS.iter().all(|method| !item.has(method)) {
            // There is nothing that they could be about.
            item.get("parameters").iter().for_each(|all| all.whole_note("left out: the path has no operations"));
        }
        for method in METHODS {
            if let Some(node) = item.get(method).and_then(|written| written.resolved(root)) {
                let (item, method) = (item.clone(), method.to_ascii_uppercase());
                found.push(Found { node, item, method, path, name: String::new() });
            }
        }
    }
    name(&mut found);
    if !own::is_own(root) {
        found.iter().for_each(other_tags);
    }
    found
}

/// Tells of the tags that are no group of an operation.
fn other_tags(one: &Found<'_>) {
    let groups: Vec<String> = one.name.split('.').map(|group| group.to_snake_case()).collect();
    let groups = groups.split_last().map(|(_, groups)| groups).unwrap_or_default();
    let is_other = |tag: &&Node<'_>| {
        let text = tag.value.text().map(|text| piece(text).to_snake_case());
        text.is_some_and(|text| !text.is_empty() && !groups.contains(&text))
    };
    for tag in one.node.list("tags").iter().filter(is_other) {
        let text = tag.value.text().unwrap_or_default().escape_debug();
        tag.note_alike(&format!("tag {text}"), format!("the tag `{text}` is left out: an operation is in one group"));
    }
}

/// Gives every operation a name of its own.
fn name(found: &mut [Found<'_>]) {
    // Names of ids come first: a name made of a path must not take one of them.
    let mut taken: BTreeMap<String, Names> = BTreeMap::new();
    let mut groups: BTreeSet<String> = BTreeSet::new();
    let mut requests: BTreeSet<String> = BTreeSet::new();
    for one in found.iter_mut() {
        let (wanted, own) = wanted(one);
        let mut group = String::new();
        let mut pieces: Vec<String> = Vec::new();
        for piece in wanted {
            if !groups.contains(&format!("{group}.{}", names::kebab(&piece))) {
                let free = free(taken.entry(group.clone()).or_insert_with(reserved), &piece);
                groups.insert(format!("{group}.{}", names::kebab(&free)));
                pieces.push(free);
            } else {
                pieces.push(piece);
            }
            group = format!("{group}.{}", pieces.last().map(|last| names::kebab(last)).unwrap_or_default());
        }
        let names = taken.entry(group).or_insert_with(reserved);
        let mut method = free(names, &own);
        let request =
            |method: &str| -> String { pieces.iter().map(String::as_str).chain([method]).map(names::pascal).collect() };
        while !requests.insert(request(&method)) {
            // `a.b` and `aB` would be one request.
            method = free(names, &format!("{method}_2"));
        }
        pieces.push(method);
        one.name = pieces.join(".");
        let id = one.node.text_if("operationId").unwrap_or_default().trim();
        let is_kept = one.name.rsplit('.').next().is_some_and(|name| {
            id == name || id.ends_with(&[".", name].concat()) || id.ends_with(&["/", name].concat())
        });
        if !id.is_empty() && !is_kept {
            one.node.note(format!("it is called `{}`, because its own name cannot be used or is taken", one.name));
        }
    }
}

fn reserved() -> Names {
    Names::with(&["into", "try_into", "new", "fake", "builder", "runtime", "ungrouped"])
}

fn free(names: &mut Names, wanted: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let text: String = wanted.chars().map(plain).take(100).collect();
    let text = if names::form(&text, Casing::Member).is_some() { text } else { "unnamed".to_owned() };
    names.free(&text, Casing::Member, names::ident).unwrap_or(text)
}

/// The groups and the name that an operation would have.
fn wanted(one: &Found<'_>) -> (Vec<String>, String) {
    let id =
        one.node.text("operationId").map(str::trim).filter(|id| id.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    let tag = one.node.texts("tags").into_iter().next();
    let group = tag.map(|tag| piece(tag).to_snake_case()).filter(|tag| !tag.is_empty());
    let Some(id) = id else {
        let own = format!("{}_{}", one.method.to_ascii_lowercase(), piece(one.path).to_snake_case());
        return (group.into_iter().collect(), own.trim_end_matches('_').to_owned());
    };
    let pieces: Vec<&str> = id.split(['.', '/']).collect();
    let is_name = |piece: &&str| piece.starts_with(|c: char| c.is_ascii_alphabetic()) && self::piece(piece) == **piece;
    if pieces.len() > 1 && pieces.len() <= 6 && pieces.iter().all(is_name) {
        let mut pieces: Vec<String> = pieces.into_iter().map(str::to_owned).collect();
        let own = pieces.pop().unwrap_or_default();
        return (pieces, own);
    }
    (group.into_iter().collect(), piece(id))
}

/// The letters, digits and marks of a text that a name can have.
fn piece(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    text.chars().map(plain).take(100).collect()
}

/// A name as a variable of a path can have it.
fn variable(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-$.".contains(c) { c } else { '_' };
    text.chars().map(plain).take(100).collect()
}

/// The path of an operation.
pub struct Path {
    /// `GET /v1/{name}`
    pub line: String,
    /// The variables by their names in the document, with the names that they have here.
    pub variables: Vec<(String, String)>,
}

/// The http line of an operation; the reason where its path cannot be said.
pub fn path(method: &str, template: &str) -> Result<Path, String> {
    let mut variables = Vec::new();
    let mut line = format!("{method} ");
    let mut rest = template.split_once(['?', '#']).map_or(template, |(path, _)| path);
    if rest.len() != template.len() {
        return Err("a query or a fragment in a path has no place in a schema".to_owned());
    }
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        let (rest_mark, name) = name.strip_prefix('+').map_or(("", name), |name| ("+", name));
        let mut plain = variable(name);
        if plain.is_empty() || plain.starts_with(['-', '.']) {
            plain = format!("v{plain}");
        }
        while variables.iter().any(|(_, own): &(String, String)| *own == plain) {
            plain.push('_');
        }
        line.push_str(&format!("{before}{{{rest_mark}{plain}}}"));
        variables.push((name.to_owned(), plain));
        rest = after;
    }
    line.push_str(rest);
    read(&line)?;
    Ok(Path { line, variables })
}

fn read(line: &str) -> Result<HttpLine, String> {
    let mut sink = Sink::new();
    let yaml = Yaml { span: Span::default(), value: Value::Scalar(line.to_owned(), Style::Text) };
    HttpLine::read(&yaml, &mut sink).ok_or_else(|| {
        let told = sink.into_sorted().into_iter().next().map(|first| first.message);
        told.unwrap_or_else(|| "its path cannot be read".to_owned())
    })
}

/// A method and path with its variables made equal.
pub fn route(line: &str) -> String {
    let Ok(line) = read(line) else { return line.to_owned() };
    let mut text = line.method.clone();
    for segment in &line.segments {
        text.push('/');
        text.push_str(&segment.shape());
    }
    format!("{text}:{}", line.verb.unwrap_or_default())
}
