//! What is said once for the whole API: addresses, scopes, and the parameters of every method.

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::file::{File, Scope};
use wireform_codegen::schema::shape::Short;

use super::importer::Importer;
use super::members::{self, Side};
use super::{addresses, methods, mistake};
use crate::Mistake;
use crate::lowering::{Place, text, texts};
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

/// Begins the file of the API, with its scopes and the parameters of every method.
pub fn write(document: &Node<'_>, name: &str) -> Result<File, Mistake> {
    let known: Vec<&str> = KNOWN.iter().chain(&PUBLISHER).copied().chain(["protocol"]).collect();
    document.only(&known);
    if let Some(protocol) = document.text("protocol").filter(|protocol| *protocol != "rest") {
        return Err(mistake("/protocol", format!("`{}` is not `rest`", protocol.escape_debug())));
    }
    for feature in document.list("features").iter().filter(|feature| feature.value.text() != Some(DATA_WRAPPER)) {
        feature.whole_loss("left out: this feature is not known");
    }
    let paragraph = |key: &str| text(document.text(key).and_then(prose::paragraph));
    let mut file = File {
        api: text(Some(name)),
        version: paragraph("version"),
        title: paragraph("title"),
        doc: text(document.prose("description")),
        ..File::default()
    };
    addresses::write(document, &mut file)?;
    Ok(file)
}

/// Adds what is known when all methods are: the scopes and the parameter sets.
pub fn finish<'d>(importer: &mut Importer<'d>, file: &mut File, document: &Node<'d>) {
    file.scopes = scopes(importer, document);
    file.scope_base = text((!file.scopes.is_empty()).then_some(SCOPE_BASE));
    let shadowed = methods::shadowed(document);
    let (replaced, all): (Vec<_>, Vec<_>) =
        parameters(importer, document).into_iter().partition(|(name, _)| shadowed.contains(name));
    if !all.is_empty() {
        file.parameter_sets.push(methods::STANDARD, all.into_iter().collect());
        file.standard_parameters = texts([methods::STANDARD]);
    }
    if !replaced.is_empty() {
        file.parameter_sets.push(methods::REPLACED, replaced.into_iter().collect());
    }
}

/// Gives every scope that the document or a method names its short name.
pub fn define_scopes<'d>(importer: &mut Importer<'d>, document: &Node<'d>, named: &BTreeSet<&'d str>) {
    let mut taken = Names::default();
    let said = declared(document).into_iter().map(|(url, _)| url);
    for url in said.chain(named.iter().copied()).collect::<BTreeSet<_>>() {
        let short = url.strip_prefix(SCOPE_BASE).unwrap_or(url);
        let short = short.strip_prefix("https://").unwrap_or(short).trim_end_matches('/');
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '.' };
        let short: String = short.chars().map(plain).take(100).collect();
        let short = if short.bytes().any(|byte| byte.is_ascii_alphanumeric()) { short } else { "scope".to_owned() };
        let name = taken.free(&short, Casing::Member, names::ident).unwrap_or(short);
        importer.scopes.insert(url.to_owned(), name);
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

fn scopes<'d>(importer: &Importer<'d>, document: &Node<'d>) -> Named<Short<Scope>> {
    let docs: std::collections::BTreeMap<&str, Node<'d>> = declared(document).into_iter().collect();
    let scope = |(url, name): (&String, &String)| {
        let doc = docs.get(url.as_str()).and_then(|scope| scope.prose("description"));
        let is_short = url.strip_prefix(SCOPE_BASE) == Some(name);
        let url = text((!is_short).then_some(url.as_str()));
        (name.clone(), Scope { doc: text(doc), url, ..Scope::default() }.into())
    };
    importer.scopes.iter().map(scope).collect()
}

fn parameters<'d>(importer: &mut Importer<'d>, document: &Node<'d>) -> Vec<(&'d str, Parameter)> {
    let mut taken = Names::default();
    let mut found = Vec::new();
    for (wire, node) in document.objects("parameters") {
        if !methods::is_query(&node) {
            continue;
        }
        importer.lowering.counts.global_parameters += 1;
        let name = taken.beside(wire, Casing::Member, "parameter", names::parameter);
        node.note_name(name.as_deref());
        let place = Place {
            bucket: "parameters".to_owned(),
            owner: "Standard".to_owned(),
            name: format!("Standard{}", names::pascal(wire)),
            parts: Vec::new(),
            member: String::new(),
        };
        found.push((wire, members::parameter(importer, &node, &place, name, Side::Query)));
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
