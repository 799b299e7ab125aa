//! What is said once for the whole API: addresses, scopes, and the parameters of every method.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value};
use wireform_codegen::resolve::names::Casing;

use super::draft::Draft;
use super::members::{self, Side};
use super::{addresses, methods, mistake};
use crate::Mistake;
use crate::draft::Place;
use crate::files::put;
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;

/// What is in the files.
const KNOWN: [&str; 16] = [
    "auth",
    "basePath",
    "baseUrl",
    "batchPath",
    "description",
    "endpoints",
    "features",
    "methods",
    "mtlsRootUrl",
    "name",
    "parameters",
    "resources",
    "rootUrl",
    "schemas",
    "servicePath",
    "title",
];

/// What is said about the document and its publisher, and not about the API.
pub const PUBLISHER: [&str; 15] = [
    "canonicalName",
    "discoveryVersion",
    "documentationLink",
    "etag",
    "fullyEncodeReservedExpansion",
    "icons",
    "id",
    "kind",
    "labels",
    "ownerDomain",
    "ownerName",
    "packagePath",
    "revision",
    "version",
    "version_module",
];

/// What stands before most addresses of scopes.
const SCOPE_BASE: &str = "https://www.googleapis.com/auth/";

/// The feature by which every body is the only member, `data`, of an object.
const DATA_WRAPPER: &str = "dataWrapper";

/// Whether every body stands in an object of its own.
pub fn wraps_data(document: &Node<'_>) -> bool {
    document.list("features").iter().any(|feature| feature.text_here() == Some(DATA_WRAPPER))
}

/// The file of the API.
pub struct ApiFile {
    pub file: Mapping,
}

/// Begins the file of the API, with its scopes and the parameters of every method.
pub fn write(document: &Node<'_>, name: &str) -> Result<ApiFile, Mistake> {
    let known: Vec<&str> = KNOWN.iter().chain(&PUBLISHER).copied().chain(["protocol"]).collect();
    document.only(&known);
    if let Some(protocol) = document.text("protocol").filter(|protocol| *protocol != "rest") {
        return Err(mistake("/protocol", format!("`{}` is not `rest`", protocol.escape_debug())));
    }
    for feature in document.list("features").iter().filter(|feature| feature.value.text() != Some(DATA_WRAPPER)) {
        feature.whole_loss("left out: this feature is not known");
    }
    let mut file = Mapping::new();
    put(&mut file, "api", Some(name));
    put(&mut file, "version", document.text("version").and_then(prose::paragraph));
    put(&mut file, "title", document.text("title").and_then(prose::paragraph));
    put(&mut file, "doc", document.text("description").and_then(prose::paragraph));
    addresses::write(document, &mut file)?;
    Ok(ApiFile { file })
}

/// Adds what is known when all methods are: the scopes and the parameter sets.
pub fn finish<'d>(draft: &mut Draft<'d>, api: &mut ApiFile, document: &Node<'d>) {
    let scopes = scopes(draft, document);
    if !scopes.is_empty() {
        put(&mut api.file, "scope_base", Some(SCOPE_BASE));
        put(&mut api.file, "scopes", Some(scopes));
    }
    let shadowed = methods::shadowed(document);
    let (mut sets, mut standard) = (Mapping::new(), Vec::new());
    let parameters = parameters(draft, document);
    let (replaced, all): (Mapping, Mapping) =
        parameters.into_iter().partition(|(name, _)| name.as_str().is_some_and(|name| shadowed.contains(name)));
    if !all.is_empty() {
        put(&mut sets, methods::STANDARD, Some(all));
        standard.push(Value::from(methods::STANDARD));
    }
    if !replaced.is_empty() {
        put(&mut sets, methods::REPLACED, Some(replaced));
    }
    if !standard.is_empty() {
        put(&mut api.file, "standard_parameters", Some(standard));
    }
    if !sets.is_empty() {
        put(&mut api.file, "parameter_sets", Some(sets));
    }
}

/// Gives every scope that the document or a method names its short name.
pub fn define_scopes<'d>(draft: &mut Draft<'d>, document: &Node<'d>, named: &BTreeSet<&'d str>) {
    let mut taken = Names::default();
    let said = declared(document).into_iter().map(|(url, _)| url);
    for url in said.chain(named.iter().copied()).collect::<BTreeSet<_>>() {
        let short = url.strip_prefix(SCOPE_BASE).unwrap_or(url);
        let short = short.strip_prefix("https://").unwrap_or(short).trim_end_matches('/');
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '.' };
        let short: String = short.chars().map(plain).take(100).collect();
        let short = if short.bytes().any(|byte| byte.is_ascii_alphanumeric()) { short } else { "scope".to_owned() };
        let name = taken.free(&short, Casing::Member, names::ident).unwrap_or(short);
        draft.scopes.insert(url.to_owned(), name);
    }
}

fn declared<'d>(document: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    let Some(auth) = document.child("auth") else { return Vec::new() };
    auth.only(&["oauth2"]);
    let Some(oauth) = auth.child("oauth2") else { return Vec::new() };
    oauth.only(&["scopes"]);
    let scopes = oauth.objects("scopes");
    scopes.iter().for_each(|(_, scope)| scope.only(&["description"]));
    scopes
}

fn scopes<'d>(draft: &Draft<'d>, document: &Node<'d>) -> Mapping {
    let docs: std::collections::BTreeMap<&str, Node<'d>> = declared(document).into_iter().collect();
    let mut scopes = Mapping::new();
    for (url, name) in &draft.scopes {
        let doc = docs.get(url.as_str()).and_then(|scope| scope.text("description")).and_then(prose::paragraph);
        let is_short = url.strip_prefix(SCOPE_BASE) == Some(name);
        let value = match (doc, is_short) {
            (Some(doc), true) => Value::String(doc),
            (doc, _) => {
                let mut body = Mapping::new();
                put(&mut body, "doc", doc);
                put(&mut body, "url", (!is_short).then_some(url.as_str()));
                Value::Mapping(body)
            }
        };
        scopes.insert(Value::from(name.as_str()), value);
    }
    scopes
}

fn parameters<'d>(draft: &mut Draft<'d>, document: &Node<'d>) -> Mapping {
    let mut taken = Names::default();
    let mut found = Mapping::new();
    for (wire, node) in document.objects("parameters") {
        if !methods::is_query(&node) {
            continue;
        }
        draft.made.counts.global_parameters += 1;
        let name = taken.beside(wire, Casing::Member, "parameter", names::parameter);
        node.note_name(name.as_deref());
        let place = Place {
            bucket: "parameters".to_owned(),
            owner: "Standard".to_owned(),
            name: format!("Standard{}", names::pascal(wire)),
        };
        let body = members::member(draft, &node, &place, name, Side::Query);
        found.insert(Value::from(wire), Value::Mapping(body));
    }
    found
}

/// The names of the parameters that every method takes, with their Rust names taken.
pub fn taken(document: &Node<'_>) -> Names {
    let mut taken = Names::default();
    for (wire, _) in document.objects("parameters") {
        taken.beside(wire, Casing::Member, "parameter", names::parameter);
    }
    taken
}
