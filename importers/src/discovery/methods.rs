//! Conversion of methods to operations.

use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::operation::ScopeRequirement;
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Node as Yaml;
use wireform_codegen::schema::{Named, Operation};

use super::bodies;
use super::importer::Importer;
use super::media;
use super::members::{self, MemberLocation};
use super::paging;
use super::paths::{Path, Routes};
use super::{resources, scopes};
use crate::lowering::{DefinitionPath, deprecated, text, texts};
use crate::names::{self, NameScope};
use crate::node::Node;

/// Name of the set of parameters that every method takes.
pub const STANDARD: &str = "standard";
/// Name of the set of parameters that some method overrides.
pub const OVERRIDDEN: &str = "replaced";

const METHOD_KEYS: [&str; 18] = [
    "apiVersion",
    "deprecated",
    "description",
    "etagRequired",
    "flatPath",
    "httpMethod",
    "id",
    "mediaUpload",
    "parameterOrder",
    "parameters",
    "path",
    "request",
    "response",
    "scopes",
    "supportsMediaDownload",
    "supportsMediaUpload",
    "supportsSubscription",
    "useMediaDownloadService",
];

/// Method of the document and the name of its operation.
pub struct Method<'d> {
    node: Node<'d>,
    name: String,
    /// Path; `None` for a method without an operation, because its path cannot be expressed.
    path: Option<Path>,
    /// True if its group is deprecated.
    is_deprecated: bool,
}

/// Returns whether a parameter is in the query.
pub fn is_query(node: &Node<'_>) -> bool {
    match node.text("location") {
        None | Some("query") => true,
        Some("path") => false,
        Some(other) => {
            let other = other.escape_debug();
            node.whole_loss(format!("left out: unknown location `{other}`; expected `path` or `query`"));
            false
        }
    }
}

/// Returns the methods of a document with the names of their operations, sorted by name.
fn all<'d>(document: &Node<'d>) -> Vec<Method<'d>> {
    let mut found = Vec::new();
    // `a.b` and `aB` would be the same request type.
    let mut requests = BTreeSet::new();
    let mut open = vec![(document.clone(), Vec::<String>::new(), false)];
    while let Some((node, groups, is_deprecated)) = open.pop() {
        let mut taken = NameScope::with(&["into", "try_into", "new", "fake", "builder", "runtime"]);
        let mut name = |wire: &str, node: &Node<'_>| {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
            let text: String = wire.chars().map(plain).take(100).collect();
            let text = if names::rust_name(&text, Casing::Member).is_some() { text } else { "unnamed".to_owned() };
            let free = taken.reserve_free(&text, Casing::Member, names::ident).unwrap_or(text);
            if free != wire {
                node.note(format!("renamed to `{free}`: its name is invalid, reserved or already used"));
            }
            free
        };
        for (wire, method) in node.objects("methods") {
            let own = name(wire, &method);
            let mut path: Vec<String> = groups.iter().cloned().chain([own]).collect();
            while !requests.insert(path.iter().map(|piece| names::pascal(piece)).collect::<String>()) {
                method.note("a number is appended to its name: another operation has the same request type");
                path.last_mut().into_iter().for_each(|last| last.push_str("_2"));
            }
            found.push(Method { node: method, name: path.join("."), path: None, is_deprecated });
        }
        for (wire, inner) in node.objects("resources") {
            inner.report_unknown(&["methods", "resources", "deprecated"]);
            let own = name(wire, &inner);
            let is_deprecated = is_deprecated || inner.flag("deprecated");
            open.push((inner, groups.iter().cloned().chain([own]).collect(), is_deprecated));
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Returns the standard parameters that some method overrides.
pub fn overridden_standard<'d>(document: &Node<'d>) -> BTreeSet<&'d str> {
    let global: BTreeSet<&str> = document.objects("parameters").into_iter().map(|(name, _)| name).collect();
    let mut found = BTreeSet::new();
    let mut open = vec![document.clone()];
    while let Some(node) = open.pop() {
        for (_, method) in node.objects("methods") {
            let own = method.objects("parameters").into_iter().filter(|(_, own)| is_query(own));
            found.extend(own.map(|(name, _)| name).filter(|name| global.contains(name)));
        }
        open.extend(node.objects("resources").into_iter().map(|(_, inner)| inner));
    }
    found
}

/// Returns the names of the standard parameters, with their Rust names reserved.
fn standard(document: &Node<'_>) -> NameScope {
    let mut taken = NameScope::default();
    for (wire, _) in document.objects("parameters") {
        taken.explicit_name(wire, Casing::Member, "parameter", names::parameter);
    }
    taken
}

/// Assigns a name to every operation and every scope.
pub fn define<'d>(importer: &mut Importer<'d>, document: &Node<'d>) -> Vec<Method<'d>> {
    let mut methods = all(document);
    let nodes: Vec<&Node<'d>> = methods.iter().map(|method| &method.node).collect();
    let mut routes = Routes::of(&nodes);
    for method in &mut methods {
        method.path = routes.path(&method.node);
    }
    let mut named = BTreeSet::new();
    for method in &methods {
        named.extend(method.node.texts("scopes"));
        if let Some(id) = method.node.text("id").filter(|_| method.path.is_some())
            && importer.operations.insert(id.to_owned(), method.name.clone()).is_some()
        {
            method.node.note(format!("another method has the `id: {}`", id.escape_debug()));
        }
    }
    scopes::define(importer, document, &named);
    methods
}

/// Writes every method whose path can be expressed.
pub fn write<'d>(importer: &mut Importer<'d>, document: &Node<'d>, methods: &[Method<'d>]) {
    let (shadowed, taken) = (overridden_standard(document), standard(document));
    for method in methods {
        method.node.report_unknown(&METHOD_KEYS);
        report_unsupported(&method.node);
        let Some(path) = &method.path else { continue };
        let group = method.name.split('.').next().filter(|group| *group != method.name);
        let group = group.map(names::kebab).filter(|group| !group.is_empty());
        let place = DefinitionPath {
            bucket: group.map_or_else(|| "operations".to_owned(), |group| format!("operations-{group}")),
            owner: method.name.clone(),
            name: method.name.split('.').map(names::pascal).collect(),
            parts: Vec::new(),
            member: String::new(),
        };
        let mut body = operation(importer, &method.node, &place, path, taken.clone());
        let own: BTreeSet<&str> = method.node.objects("parameters").into_iter().map(|(name, _)| name).collect();
        if !shadowed.is_empty() && own.is_disjoint(&shadowed) {
            body.parameters = texts([OVERRIDDEN]);
        }
        let is_deprecated = method.node.flag("deprecated");
        body.deprecated = deprecated(is_deprecated || method.is_deprecated);
        importer.lowering.counts.methods += 1;
        method.node.set_definition(&method.name);
        importer.lowering.add(&place, method.name.clone(), body);
    }
}

/// Reports the features of a method that its operation does not express.
fn report_unsupported(node: &Node<'_>) {
    if node.flag("etagRequired") {
        node.loss("`etagRequired` is left out: the document does not declare the required condition");
    }
    if node.flag("supportsSubscription") {
        node.note("`supportsSubscription` is left out: the operation that opens a watch channel expresses it");
    }
    if node.flag("useMediaDownloadService") {
        let what = "`useMediaDownloadService` is left out: it does not affect requests and responses";
        node.note_once("useMediaDownloadService", what);
    }
}

/// Converts a method with its parameters, body and response.
fn operation<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    path: &Path,
    taken: NameScope,
) -> Operation {
    let (in_path, in_query) = parameters(importer, node, place, path, taken);
    let body = bodies::request(importer, node, place, path);
    let response = bodies::response(importer, node, place, path);
    Operation {
        doc: text(node.prose("description")),
        http: path.http.clone(),
        pages: paging::pages(importer, node, place, &in_query),
        path: in_path,
        query: in_query,
        headers: version(node).into_iter().collect(),
        body: body.map(Into::into),
        response: response.map(Into::into),
        scopes: scope_need(importer, node),
        media: media::write(node, path),
        ..Operation::default()
    }
}

/// Returns the header with the version of the interface that a method uses.
fn version(node: &Node<'_>) -> Option<(&'static str, Parameter)> {
    let version = node.text("apiVersion")?;
    let is_shown = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_shown(version) {
        node.get("apiVersion")?.whole_loss("left out: invalid header value");
        return None;
    }
    let header = Parameter {
        ty: TypeExpr::named("string"),
        doc: text(Some("The requested version of the API.")),
        constant: Some(Raw(Yaml::quoted(version))),
        ..Parameter::default()
    };
    Some(("X-Goog-Api-Version", header))
}

/// Returns the parameters in the order given by the document, then by name.
fn ordered<'d>(node: &Node<'d>) -> Vec<(&'d str, Node<'d>)> {
    let order = node.texts("parameterOrder");
    let mut found = node.objects("parameters");
    for name in order.iter().filter(|name| !found.iter().any(|(own, _)| own == *name)) {
        node.note(format!("`parameterOrder: {}` is left out: unknown parameter", name.escape_debug()));
    }
    found.sort_by_key(|(name, _)| order.iter().position(|first| first == name).unwrap_or(usize::MAX));
    found
}

/// Converts the parameters of a method: those in the path, and those in the query.
fn parameters<'d>(
    importer: &mut Importer<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    path: &Path,
    mut taken: NameScope,
) -> (Named<Parameter>, Named<Parameter>) {
    taken.reserve_all(&["body".to_owned()]);
    let (mut in_path, mut in_query) = (Named::default(), Named::default());
    for (wire, parameter) in ordered(node) {
        let query = is_query(&parameter);
        let location = if query { MemberLocation::Query } else { MemberLocation::Path };
        if !query && (parameter.text("location") != Some("path") || path.replaced.iter().any(|name| name == wire)) {
            continue;
        }
        if !query && !path.variables.iter().any(|variable| variable == wire) {
            parameter.whole_loss("left out: it does not occur in the path");
            continue;
        }
        importer.lowering.counts.parameters += 1;
        importer.lowering.counts.required_parameters += usize::from(parameter.flag("required"));
        importer.lowering.counts.repeated_parameters += usize::from(parameter.flag("repeated") && query);
        let name = taken.explicit_name(wire, Casing::Member, "parameter", names::parameter);
        parameter.note_name(name.as_deref());
        let place = DefinitionPath { name: format!("{}{}", place.name, names::pascal(wire)), ..place.clone() };
        let parameter = members::parameter(importer, &parameter, &place, name, location);
        resources::write_inline(importer);
        if query { &mut in_query } else { &mut in_path }.push(wire, parameter);
    }
    for variable in &path.variables {
        if in_path.get(variable).is_some() {
            continue;
        }
        if path.replaced.is_empty() {
            let variable = variable.escape_debug();
            node.note(format!("the path variable `{variable}` becomes `string`: no parameter declares it"));
        }
        let parameter = Parameter {
            ty: TypeExpr::named("string"),
            doc: text(Some("A part of the name in the path.")),
            name: text(taken.explicit_name(variable, Casing::Member, "parameter", names::parameter)),
            ..Parameter::default()
        };
        in_path.push(variable, parameter);
    }
    (in_path, in_query)
}

/// Converts the scopes of a method, any one of which is required.
fn scope_need(importer: &Importer<'_>, node: &Node<'_>) -> Option<ScopeRequirement> {
    let urls: BTreeSet<&str> = node.texts("scopes").into_iter().collect();
    let names: Vec<String> = urls.into_iter().filter_map(|url| importer.scopes.get(url).cloned()).collect();
    (!names.is_empty()).then(|| ScopeRequirement::AnyOf(texts(names)))
}
