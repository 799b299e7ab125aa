//! Operations and their shared errors.

use std::collections::BTreeSet;

use wireform_codegen::resolve::disambiguate::{PathConflict, PathMap};
use wireform_codegen::schema::Named;
use wireform_codegen::schema::Operation;
use wireform_codegen::schema::operation::{Conditional, Response};
use wireform_codegen::schema::shape::Short;

use super::bodies::{self, Responses};
use super::importer::Importer;
use super::paths::{self, FoundOperation, Path};
use super::servers::Layout;
use super::{paging, parameters, reimport};
use crate::lowering::{DefinitionPath, deprecated, text};
use crate::names;
use crate::node::Node;
use crate::prose;

/// Known keys of an operation; others are reported.
const KEYS: [&str; 12] = [
    "callbacks",
    "deprecated",
    "description",
    "externalDocs",
    "operationId",
    "parameters",
    "requestBody",
    "responses",
    "security",
    "servers",
    "summary",
    "tags",
];

/// Partially written operation: its errors depend on those of all others.
struct PendingOperation<'d> {
    name: String,
    node: Node<'d>,
    method: String,
    place: DefinitionPath,
    body: Operation,
    responses: Responses<'d>,
}

/// Writes every operation whose path can be expressed; returns the resource of most errors.
pub fn write(importer: &mut Importer<'_>) -> Option<String> {
    let root = importer.root.clone();
    let mut routes = PathMap::default();
    let mut all_pending = Vec::new();
    let servers = Layout::new(&root);
    let all = paths::all(&root, &servers);
    let items: Vec<Node<'_>> = all.iter().map(|found| found.item.clone()).collect();
    for found in all {
        found.node.report_unknown(&KEYS);
        servers.report(&found.node);
        let Some(path) = path_of(importer, &found, &servers) else { continue };
        let unrouted = if importer.is_generated { None } else { unroutable_reason(&mut routes, &path) };
        if let Some(why) = unrouted {
            found.node.note(format!("the operation is generated for clients only: {why}"));
        }
        if let Some(schemes) = importer.security.unsupported_schemes(&root, &found.node) {
            found.node.whole_loss(format!(
                "the operation is left out: none of its security requirements is supported: {schemes}"
            ));
            continue;
        }
        let mut pending = convert_operation(importer, &found, &path);
        pending.body.root = text(servers.root(&found.item, &found.node));
        pending.body.client_only = unrouted.map(|_| true.into());
        all_pending.push(pending);
        importer.lowering.counts.methods += 1;
    }
    report_lost_parameters(&items, &all_pending);
    let counts = bodies::count(all_pending.iter().map(|pending| &pending.responses));
    let own = || reimport::errors(&root).and_then(|errors| errors.body.name().map(str::to_owned));
    let shared = if importer.is_generated {
        own()
    } else {
        counts.iter().max_by_key(|(_, count)| **count).map(|(name, _)| name.clone())
    };
    for mut pending in all_pending {
        pending.body.errors =
            bodies::errors(&pending.name, pending.responses.errors, shared.as_deref(), importer.is_generated);
        if importer.is_generated {
            reimport::operation(&root, &pending.node, &pending.method, &mut pending.body);
        }
        importer.security.of_operation(&pending.node, &mut pending.body);
        pending.node.set_definition(&pending.name);
        importer.lowering.add(&pending.place, pending.name, pending.body);
    }
    shared
}

/// Returns the path of an operation; `None`, and a loss, if it cannot be expressed.
fn path_of<'d>(importer: &Importer<'d>, found: &FoundOperation<'d>, servers: &Layout<'d>) -> Option<Path> {
    let template = found.node.text_if("x-wireform-path").unwrap_or_else(|| reimport::path(&importer.root, found.path));
    let in_braces = paths::without_colons(template).filter(|_| !importer.is_generated);
    if let Some(template) = &in_braces {
        let what = format!("the path becomes `{template}`: a segment that starts with a colon is a variable");
        let http = format!("{} {}", found.method, servers.template(&found.item, &found.node, template));
        let overlay = format!("change: {{ operations: {{ {}: {{ http: '{http}' }} }} }}", found.name);
        found.node.guess(what, "into another path", &overlay);
    }
    let template = servers.template(&found.item, &found.node, in_braces.as_deref().unwrap_or(template));
    match paths::path(&found.method, &template) {
        Ok(path) => Some(path),
        Err(why) => {
            found.node.whole_loss(format!("the operation is left out: {why}"));
            None
        }
    }
}

/// Returns why a server omits an operation; `None` if it can route its requests.
fn unroutable_reason(routes: &mut PathMap<()>, path: &Path) -> Option<&'static str> {
    if path.http.has_trailing_slash() {
        return Some("servers do not support a trailing slash");
    }
    routes.add(&paths::route(&path.http), ()).map(|confused| match confused {
        PathConflict::Same(()) => "another operation has the same method and path",
        PathConflict::Ambiguous(()) => "its path is ambiguous: another operation matches the same requests",
    })
}

/// Reports the parameters of paths whose operations are all omitted.
fn report_lost_parameters(items: &[Node<'_>], all_pending: &[PendingOperation<'_>]) {
    let written: BTreeSet<&str> =
        all_pending.iter().filter_map(|pending| pending.node.at.rsplit_once('/')).map(|(item, _)| item).collect();
    for item in items.iter().filter(|item| !written.contains(item.at.as_str())) {
        item.get("parameters").iter().for_each(Node::mark_used);
    }
}

/// Returns the path of the definitions of an operation.
fn place(name: &str) -> DefinitionPath {
    DefinitionPath {
        bucket: "operations".to_owned(),
        owner: name.to_owned(),
        // The full name is used, so that definitions of an operation keep their names whatever other operations exist.
        name: names::pascal(name),
        parts: Vec::new(),
        member: String::new(),
    }
}

/// Converts one operation with its parameters, bodies and responses; `path` is its converted path.
fn convert_operation<'d>(importer: &mut Importer<'d>, found: &FoundOperation<'d>, path: &Path) -> PendingOperation<'d> {
    let place = place(&found.name);
    // Unnamed definitions are placed with the types of the document.
    let parts = DefinitionPath { bucket: DefinitionPath::of_type(&names::pascal(&place.name)).bucket, ..place.clone() };
    let node = &found.node;
    let parameters = parameters::write(importer, found, path, &parts);
    let request = bodies::request(importer, found, &parts);
    let mut found_responses = bodies::responses(importer, found, &parts);
    let mut body = Operation {
        doc: text(doc(found)),
        http: path.http.clone(),
        path: parameters.path,
        query: parameters.query,
        headers: parameters.headers,
        cookies: parameters.cookies,
        body: request.map(Into::into),
        conditional: parameters.conditional,
        deprecated: deprecated(node.flag("deprecated")),
        ..Operation::default()
    };
    let mut responses = std::mem::take(&mut found_responses.responses);
    if importer.is_generated && responses.0.len() == 1 {
        // The default response of an operation.
        responses.0.retain(|(status, response)| status.text != "204" || response.0 != Response::default());
    }
    let is_read = matches!(found.method.as_str(), "GET" | "HEAD");
    let declares_unchanged = is_read && responses.get("304").is_some();
    if !importer.is_generated && declares_unchanged && !body.conditional.contains(&Conditional::IfNoneMatch) {
        // Only a conditional request has this response (RFC 9110, section 15.4.5).
        node.note("`conditional: [if_none_match]` is added: a response 304 is declared");
        body.conditional.push(Conditional::IfNoneMatch);
    }
    put_responses(&mut body, responses);
    if !importer.is_generated {
        guess_success(found, &body);
    }
    if !importer.is_generated && matches!(found.method.as_str(), "GET" | "POST") {
        body.pages = paging::find(&importer.lowering, &body, (&found.name, &found.method), node);
    }
    found_responses.assumed.iter().for_each(|assumed| assumed.report(&found.name, &body));
    if let Some(callbacks) = node.get("callbacks").filter(|_| !importer.is_generated) {
        callbacks.whole_loss("left out: requests sent by a server (callbacks and webhooks) are not supported");
    }
    PendingOperation {
        name: found.name.clone(),
        node: node.clone(),
        method: found.method.clone(),
        place,
        body,
        responses: found_responses,
    }
}

/// Writes the responses: a single one with status 200 as `response`, without empty ones.
fn put_responses(body: &mut Operation, mut responses: Named<Short<Response>>) {
    match responses.0.as_slice() {
        [(status, only)] if status.text == "200" && (only.0.ty.is_some() || !only.0.alternatives.is_empty()) => {
            body.response = responses.0.pop().map(|(_, only)| only);
        }
        _ => body.responses = responses,
    }
}

/// Reports the guess that a `default` response is that of a success, because the operation declares no other.
fn guess_success(found: &FoundOperation<'_>, body: &Operation) {
    let responses = found.node.entries("responses");
    let Some((_, default)) = responses.iter().find(|(status, _)| status.eq_ignore_ascii_case("default")) else {
        return;
    };
    if responses.iter().any(|(status, _)| status.starts_with(['2', '3'])) {
        return;
    }
    let key = if body.response.is_some() { "response" } else { "responses" };
    let overlay = format!("change: {{ operations: {{ {}: {{ {key}: null }} }} }}", found.name);
    default.guess("the `default` response is that of a success: the operation declares no other", "off", &overlay);
}

/// Returns the summary and the description, which may continue the summary.
fn doc(found: &FoundOperation<'_>) -> Option<String> {
    let prose = |key: &str| {
        let own = found.node.prose(key);
        own.or_else(|| found.item.prose(key))
    };
    let (Some(summary), description) = (prose("summary"), prose("description")) else {
        return prose("description");
    };
    let ended = |text: &str| text.ends_with(['.', '!', '?', ':', ';']);
    let bare = summary.trim_end_matches('.');
    Some(match description {
        None if ended(&summary) => summary,
        None => format!("{summary}."),
        Some(description) if is_in(bare, &description) => description,
        Some(description) if description.contains('\n') => {
            prose::join_descriptions(&prose::with_full_stop(&summary), &description)
        }
        Some(description) if ended(&summary) => format!("{summary} {description}"),
        Some(description) if description.starts_with(|c: char| c.is_lowercase()) => format!("{summary} {description}"),
        Some(description) => format!("{summary}. {description}"),
    })
}

/// Returns whether a description starts with the summary, wherever its lines end.
fn is_in(headline: &str, description: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    words(description).contains(&words(headline))
}
